// SPDX-License-Identifier: Apache-2.0
// geom/mass.h - volume, centre and inertia of shapes

#ifndef LITHE_GEOM_MASS_H
#define LITHE_GEOM_MASS_H

#include "geom/shape.h"

/// Mass properties of a shape of density 1, in its own frame.
typedef struct LitheGeomMass {
    double volume; // [m^3]
    Vec3 centre;   // [m]
    Mat3 inertia;  // about the centre [m^5]
} LitheGeomMass;

/// Refused: half-spaces and heightfields (unbounded), meshes that are not closed or are turned
/// inside out (volume not > 0).
LitheStatus lithe_geom_mass(const LitheGeom *geom, LitheGeomMass *out, LitheError *error);

#endif
