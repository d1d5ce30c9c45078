// SPDX-License-Identifier: Apache-2.0
// geom/hollow.h - hollow solids of revolution: cups, bowls, funnels, rings of any section
//
// See docs/theory/distance.md, section 5.

#ifndef LITHE_GEOM_HOLLOW_H
#define LITHE_GEOM_HOLLOW_H

#include "geom/distance.h"

/// A piece of the section with the half plane of r and z, which is on its left: a line from p to
/// q, or an arc about c.
typedef struct LitheHollowPiece {
    double p[2], q[2]; // r and z of its ends [m]
    double c[2];       // centre of an arc [m]
    double radius;     // of an arc [m]; 0: a line
    double from, turn; // of an arc: angle of p, and the angle to q, < 0: the solid is outside
} LitheHollowPiece;

/// An edge of the hull: a straight piece, a chord of an arc, or none of the solid.
enum { LITHE_HULL_LINE, LITHE_HULL_ARC, LITHE_HULL_BRIDGE };

struct LitheHollow {
    LitheHollowPiece *pieces; // [count] around the section, without parts of the axis
    int32_t count;
    // its convex hull: heights and radii of corners, and what joins one to the next
    double *hull_z, *hull_r; // [hull_count]
    int8_t *hull_edge;       // [hull_count]
    int32_t hull_count;
};

/// Whether a revolution is one of these: with a wall or rounded corners, or the heights of its
/// outline do not increase all the way.
bool lithe_hollow_is(const LitheGeomDef *def);

/// Checks an outline that is one, with finite values and radii >= 0.
LitheStatus lithe_hollow_check(LitheContext *context, const LitheGeomDef *def, LitheError *error);

/// Sets hollow, mesh, kind and bounds of `geom`.
LitheStatus lithe_hollow_build(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                               LitheError *error);
void lithe_hollow_destroy(LitheContext *context, LitheHollow *hollow);

/// Contacts with a ball at x in its frame, at every place where the ball touches.
int lithe_hollow_ball(const LitheGeom *a, Vec3 x, double radius, double margin,
                      LitheContactPoint out[LITHE_CONTACTS_MAX]);

/// Its farthest point along d.
Vec3 lithe_hollow_support(const LitheGeom *a, Vec3 d);

/// The convex solid of revolution around it; without arrays of its own.
LitheGeom lithe_hollow_hull(const LitheGeom *a);

/// Area of its flat end at the lowest or the highest z, about the axis.
LitheFaceArea lithe_hollow_end(const LitheGeom *a, bool high);

#endif
