// SPDX-License-Identifier: Apache-2.0
// geom/inner.h - the inner shape of a shape: what must not be crossed when things may overlap a
// little

#ifndef LITHE_GEOM_INNER_H
#define LITHE_GEOM_INNER_H

#include "geom/shape.h"

/// Fraction of its half thickness by which a shape is shrunk: things that overlap by less have
/// inner shapes that are apart. Near 1, so that soft contacts are not disturbed; below 1, because
/// at 1 the direction of the smallest separating translation is ambiguous.
#define LITHE_INNER_FRACTION 0.9

typedef struct LitheInner {
    LitheGeom geom; // in the frame of the shape; without its own arrays where `shared`
    double depth;   // no point of it is nearer to the surface of the shape [m]
    bool shared;    // it is the shape itself: an open mesh, a solid of revolution
} LitheInner;

/// Not for half-spaces and heightfields, which have no far side. LITHE_NO_MEMORY, or LITHE_OK.
LitheStatus lithe_inner_create(LitheContext *context, const LitheGeom *geom, LitheInner *out,
                               LitheError *error);
void lithe_inner_destroy(LitheInner *inner);

enum { LITHE_MIDDLE_LINES = 6 };

/// Lines through the middle of a convex shape, in its frame: along its longest two directions, as
/// long as their points are no nearer to the surface than the middle is, and of a flat box the
/// rectangle of all such points; of a polyhedron the mean of its corners alone. Returns their
/// number, 0 for shapes that are not convex and half-spaces. A line whose ends are the same is a
/// point.
int32_t lithe_geom_middle(const LitheGeom *geom, Vec3 lines[LITHE_MIDDLE_LINES][2]);

#endif
