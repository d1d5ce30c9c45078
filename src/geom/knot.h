// SPDX-License-Identifier: Apache-2.0
// geom/knot.h - the knot determinant of a curve; loose overhand knots

#ifndef LITHE_GEOM_KNOT_H
#define LITHE_GEOM_KNOT_H

#include "geom/diagram.h"
#include "lithe/base.h"
#include "math/vec3.h"

/// Knot determinant of an open polyline closed far away: both ends are extended straight, away from
/// the centre of the curve's box, and joined far outside. 1 for an unknotted curve, 2n + 1 for an
/// overhand knot of unknotting number n, 5 for a figure-eight knot. Always odd. Negative, with
/// `error` filled: out of memory, the curve meets itself (no projection has clean crossings), the
/// determinant is 2^60 or more, or it would take too much work (LITHE_NOT_SUPPORTED).
int64_t lithe_knot_determinant(const Vec3 *points, int32_t count, LitheContext *context,
                               LitheError *error);

/// Knot determinant of a closed polyline: the last point is joined to the first.
int64_t lithe_knot_determinant_closed(const Vec3 *points, int32_t count, LitheContext *context,
                                      LitheError *error);

/// Knot determinant of a diagram. The diagram is modified, since curls and overlaps are removed: do
/// not use it afterwards. The computation is limited to the remaining work of the diagram.
int64_t lithe_knot_determinant_of_diagram(LitheDiagram *diagram, LitheError *error);

/// The determinant of the crossings of a diagram, by elimination (geom/knot_colour.c).
int64_t lithe_knot_colour(LitheDiagram *diagram, LitheError *error);

/// The signature of a simplified diagram whose determinant is known (geom/knot_signature.c): -2 of
/// the right-handed trefoil. LITHE_NOT_SUPPORTED: it would take too much work.
LitheStatus lithe_knot_signature(LitheDiagram *diagram, int64_t determinant, int32_t *signature,
                                 LitheError *error);

/// Numbers that tell knots apart.
typedef struct LitheKnotType {
    int64_t determinant; // odd: 1 unknotted, 3 trefoil, 5 figure eight, 9 square and granny knots
    int32_t signature;   // even: -2 right-handed trefoil, 0 square knot, 4 in size granny knot
    int32_t crossings;   // left after curls and overlaps were removed
} LitheKnotType;

/// The type of the knot of a polyline, open (closed far away) or closed. On failure *type is
/// unchanged. LITHE_BAD_INPUT: the curve meets itself; LITHE_NOT_SUPPORTED: too much work.
LitheStatus lithe_knot_type(const Vec3 *points, int32_t count, bool closed, LitheContext *context,
                            LitheKnotType *type, LitheError *error);

/// Smallest distance between two segments of an open polyline whose separation along it exceeds
/// `skip` [m]. Exact when below `enough` [m]; else only known to be not less than `enough`
/// (INFINITY when no pair came near). Edges of nearly equal length make it fast.
double lithe_knot_clearance(const Vec3 *points, int32_t count, double skip, double enough);

/// Shape of a loose overhand knot, in units in which the whole curve has length about 1.
/// See docs/theory/curves.md for the symbols.
typedef struct LitheKnotForm {
    int32_t unknotting; // n
    double offset;      // rho: half the distance of the two strands of the braid
    double split;       // phi [rad]: tangent angle where strand and loop separate
    double flat;        // e: the loop's radius of curvature is R (1 + e cos 2 psi)
    double size;        // R
    double ramp;        // fraction of the braid in which the winding begins
    double fade;        // length over which the offset fades, in sqrt(rho R (1 + e))
    double bend;        // length of the curved part of a tail
    double tail;        // length of the straight part of a tail
    double strain;      // integral of curvature^4, which the form minimises
} LitheKnotForm;

/// A number of points (odd) that resolves the curve well.
int32_t lithe_knot_point_count(int32_t unknotting);

/// The form of least strain for strands `2 offset` apart. False when no form has space for the
/// braid (offset too large).
bool lithe_knot_form(int32_t unknotting, double offset, LitheKnotForm *form);

/// `count` (odd) points along the form's curve, nearly equally spaced, ends on the x axis, centre
/// at the origin.
void lithe_knot_points(const LitheKnotForm *form, Vec3 *out, int32_t count);

/// A number of points (odd) that resolves the relaxed knot.
int32_t lithe_knot_relaxed_count(int32_t unknotting, double offset);

/// Points of the form after minimising its bending, with its tails held and its strands kept about
/// `2 form->offset` apart. The caller must check distances.
LitheStatus lithe_knot_relax(const LitheKnotForm *form, Vec3 *points, int32_t count,
                             LitheContext *context, LitheError *error);

#endif
