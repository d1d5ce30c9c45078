// SPDX-License-Identifier: Apache-2.0
// geom/tet_shape.h - meshes of simple bodies: cylinder, tube, balls, arch of stones, bellows,
// finger

#ifndef LITHE_GEOM_TET_SHAPE_H
#define LITHE_GEOM_TET_SHAPE_H

#include "geom/tet_mesh.h"

typedef enum LitheTetShapeKind {
    LITHE_TET_CYLINDER,      // along z, centred; sets z-min, z-max, side
    LITHE_TET_TUBE,          // along z, centred; sets z-min, z-max, inner, outer
    LITHE_TET_SPHERE,        // about the origin; set surface
    LITHE_TET_HALF_SPHERE,   // z >= 0 of a ball about the origin; sets base, dome
    LITHE_TET_HOLLOW_SPHERE, // between two spheres about the origin; sets inner, outer
    LITHE_TET_ARCH,          // see below
    LITHE_TET_BELLOWS,       // see below
    LITHE_TET_FINGER,        // see below
} LitheTetShapeKind;

/// A body; only the fields of its kind are used.
///
/// An arch has `stones` equal voussoirs between two circles about one centre. It stands in the
/// plane of x and z, its inner corners at z = 0 and x = -span/2 and span/2, its depth along y.
/// Stones share no nodes. Sets: intrados, extrados, left, right (the two springings), front, back,
/// and each stone: stone-1 (left) ..
///
/// A bellows is a closed box of revolution along z, centred: a wall with folds between two flat
/// ends. Sets: z-min, z-max, inner (the hollow, with the insides of the ends), outer.
///
/// A pneumatic finger is a box along x, centred, with a row of chambers above a flat floor; gaps
/// above the channel part the chambers. Sets: x-min, x-max, z-min (the floor), inner (the hollow),
/// outer.
typedef struct LitheTetShape {
    LitheTetShapeKind kind;
    double
        radius; // of cylinder and balls; outer one of the tube, and of the crests of a bellows [m]
    double inner;     // radius of the hole of the tube, or of the hollow sphere, or inside of the
                      // roots of a bellows [m]
    double length;    // of cylinder and tube, and of a bellows with its ends [m]
    double edge;      // wanted length of edges [m]
    int32_t stones;   // of the arch, from 1
    int32_t stone;    // 0: all; k: stone k alone
    double span;      // distance of its inner corners [m]
    double thickness; // between the circles, or of the wall of a bellows or finger [m]
    double angle;     // of the arch at its centre, up to 2 pi [rad]; pi: half a circle
    double depth;     // along y, thickness of each end of a bellows, of the floor of a finger [m]
    int32_t folds;    // of a bellows, from 1
    Vec3 size;        // of a finger [m]
    int32_t chambers; // of a finger, from 1
    double gap;       // between its chambers, 0: they share walls [m]
    double channel;   // width and height of the channel that joins them [m]
} LitheTetShape;

/// How well a mesh follows its body.
typedef struct LitheTetShapeReport {
    double volume;    // of the body [m^3]
    double made;      // of the mesh [m^3]
    double deviation; // largest distance of nodes and middles of edges of the mesh from the curved
                      // surfaces of the body, over its radius
} LitheTetShapeReport;

/// Number of divisions of a length: at least `least`, nearest to length / edge.
int32_t lithe_tet_divisions(double length, double edge, int32_t least);

/// A mesh of the volume of the body: nodes on a circle or ball are moved outwards, all by the same
/// factor; flat faces stay. Only an arch keeps its corners and is a little too small. `quadratic`:
/// elements with ten nodes, the midpoints of the surface on a curved surface. `report` may be NULL.
/// Refused, with field and value: sizes that are not positive, a hole that is not smaller than the
/// body, edges longer than the body, more than LITHE_TET_MAX nodes or elements.
LitheStatus lithe_tet_shape_mesh(LitheContext *context, const LitheTetShape *shape, bool quadratic,
                                 LitheTetMesh *out, LitheTetShapeReport *report, LitheError *error);

#endif
