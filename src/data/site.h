// SPDX-License-Identifier: Apache-2.0
// data/site.h - a material point of a unit: where contacts, constraints and attached bodies act

#ifndef LITHE_DATA_SITE_H
#define LITHE_DATA_SITE_H

#include "math/vec3.h"

#include <stdint.h>

/// Elements of a unit from these numbers on are triangles of its surface, and tetrahedra of its
/// pressure field.
enum { LITHE_SITE_FACE = 1 << 30, LITHE_SITE_TET = LITHE_SITE_FACE + (1 << 29) };

typedef struct LitheSite {
    int32_t unit;    // -1: the world
    int32_t element; // of the unit: edge of a rod, link of a tree, particle, node of a solid;
                     // LITHE_SITE_FACE + i: triangle i of its surface; LITHE_SITE_TET + i:
                     // tetrahedron i of its pressure field
    double s[3];     // place on the element: s[0]: along an edge, 0 to 1; else 0. On a rod
                     // s[1] = 1: rotation of this edge only; 0: near a node the mean of two edges.
                     // On a triangle the weights of corners 1 and 2, and s[2] = 1: the middle of
                     // the face of six nodes that it is part of; in a tetrahedron of 1, 2, 3
    Vec3 point;      // in the world at the start of the step [m]; may lie off the centreline
} LitheSite;

/// Zeros: the torques of rows that have none.
extern const Vec3 lithe_no_rows[6];

#endif
