// SPDX-License-Identifier: Apache-2.0
// geom/gjk.h - distance and depth of two convex cores by their support functions
//
// A core is a convex shape without its rounding, which adds a ball of radius `round` around every
// point. All computations are in the frame of core a.

#ifndef LITHE_GEOM_GJK_H
#define LITHE_GEOM_GJK_H

#include "geom/shape.h"

typedef enum LitheCoreKind {
    LITHE_CORE_POINTS,    // hull of points: a point, a segment, a triangle, a polyhedron
    LITHE_CORE_BOX,       // with half sizes `half`
    LITHE_CORE_ELLIPSOID, // with half axes `half`
    LITHE_CORE_OVAL,      // elliptic cylinder about z with half axes and half the length `half`
    LITHE_CORE_FRUSTUM,   // about z: radius r[0] at z[0], r[1] at z[1] > z[0]; a disc: z[1] = z[0]
} LitheCoreKind;

typedef struct LitheCore {
    LitheCoreKind kind;
    double round;          // radius of the rounding [m]
    Vec3 half;             // [m]
    double z[2], r[2];     // frustum: heights and radii of its ends [m]
    const LitheHull *hull; // points of a polyhedron, or NULL
    Vec3 own[3];           // points without a hull
    int32_t count;         // number of points in `own`
} LitheCore;

/// Core of a convex shape.
LitheCore lithe_core_of(const LitheGeom *geom);
LitheCore lithe_core_triangle(Vec3 p, Vec3 q, Vec3 r);
LitheCore lithe_core_frustum(double z0, double r0, double z1, double r1);

/// Farthest point of the core along d, without rounding.
Vec3 lithe_core_support(const LitheCore *core, Vec3 d);

/// Two cores, the second at x -> r x + at in the frame of the first.
typedef struct LitheCorePair {
    const LitheCore *a, *b;
    Mat3 r;
    Vec3 at;
} LitheCorePair;

/// Signed distance of the cores without their rounding; negative: depth. In the frame of a.
typedef struct LitheCoreDistance {
    double distance; // [m]
    Vec3 on_a, on_b; // on_b = on_a + distance normal
    Vec3 normal;     // unit, from a to b
} LitheCoreDistance;

/// Corner of the difference a - b with the points it comes from.
typedef struct LitheGjkPoint {
    Vec3 w, a, b;
} LitheGjkPoint;

typedef struct LitheSimplex {
    LitheGjkPoint p[4]; // [count] corners
    double weight[4];   // of the point nearest to the origin
    int count;
} LitheSimplex;

LitheGjkPoint lithe_gjk_support(const LitheCorePair *pair, Vec3 d);

/// True when the cores are apart; `out` is then filled. Else `simplex` holds points of a - b whose
/// hull contains the origin (within rounding).
bool lithe_gjk_apart(const LitheCorePair *pair, LitheCoreDistance *out, LitheSimplex *simplex);

/// As lithe_gjk_apart, for a caller that needs distances only below `limit`: where the cores are
/// farther apart than that, out->distance may be any lower bound above `limit`, and the points are
/// not the nearest.
bool lithe_gjk_apart_within(const LitheCorePair *pair, double limit, LitheCoreDistance *out,
                            LitheSimplex *simplex);

/// Smallest translation that separates overlapping cores, from the simplex of lithe_gjk_apart.
void lithe_gjk_depth(const LitheCorePair *pair, const LitheSimplex *simplex,
                     LitheCoreDistance *out);

/// Signed distance of two cores, apart or overlapping.
void lithe_gjk_distance(const LitheCorePair *pair, LitheCoreDistance *out);

/// Largest t such that b, moved by t along the unit vector n, touches a; -INFINITY if there is
/// none. `out` (may be NULL) describes the contact of a with the moved b.
double lithe_gjk_exit(const LitheCorePair *pair, Vec3 n, LitheCoreDistance *out);

/// The point that lies farthest along d; of several such points, the first.
static inline Vec3 farthest_point(const Vec3 *points, int32_t count, Vec3 d) {
    int32_t best = 0;
    double max = v3_dot(points[0], d);
    for (int32_t i = 1; i < count; i++) {
        double along = v3_dot(points[i], d);
        if (along > max) {
            max = along;
            best = i;
        }
    }
    return points[best];
}

#endif
