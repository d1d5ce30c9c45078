// SPDX-License-Identifier: Apache-2.0
// geom/shape.h - rigid shapes, checked and ready for queries, each in its own frame

#ifndef LITHE_GEOM_SHAPE_H
#define LITHE_GEOM_SHAPE_H

#include "geom/mesh.h"
#include "lithe/rigid.h"
#include "math/quat.h"

/// Continues LitheGeomKind: a round segment of a rod, a capsule between any two points.
enum { LITHE_GEOM_SEGMENT = 64 };

/// Lengths and coordinates must be below this [m]: products of three of them, as volumes, are
/// finite.
#define LITHE_LONGEST 1e100

/// Pose of a frame in the world; `r` is the matrix of `q`.
typedef struct LithePose {
    Vec3 at; // [m]
    Quat q;
    Mat3 r;
} LithePose;

static inline LithePose place_make(Vec3 at, Quat q) {
    return (LithePose){at, q, q4_matrix(q)};
}

static inline LithePose place_identity(void) {
    return (LithePose){{0, 0, 0}, q4_identity(), m3_identity()};
}

/// r' d
static inline Vec3 m3_apply_transposed(const Mat3 *r, Vec3 d) {
    return (Vec3){r->m[0][0] * d.x + r->m[1][0] * d.y + r->m[2][0] * d.z,
                  r->m[0][1] * d.x + r->m[1][1] * d.y + r->m[2][1] * d.z,
                  r->m[0][2] * d.x + r->m[1][2] * d.y + r->m[2][2] * d.z};
}

static inline Vec3 place_point(const LithePose *p, Vec3 x) {
    return v3_add(p->at, m3_apply(p->r, x));
}

static inline Vec3 place_direction(const LithePose *p, Vec3 d) {
    return m3_apply(p->r, d);
}

static inline Vec3 place_point_back(const LithePose *p, Vec3 x) {
    return m3_apply_transposed(&p->r, v3_sub(x, p->at));
}

static inline Vec3 place_direction_back(const LithePose *p, Vec3 d) {
    return m3_apply_transposed(&p->r, d);
}

typedef struct LitheHollow LitheHollow; // geom/hollow.h

/// A compiled shape. Plain data: shapes without a hull, a mesh or a profile own nothing and may be
/// made on the stack and copied.
typedef struct LitheGeom {
    int32_t kind;    // LitheGeomKind or LITHE_GEOM_SEGMENT
    double radius;   // sphere, capsule, segment, cylinder, tube; of the middle of a torus [m]
    double rounding; // of the rims of a cylinder [m]
    Vec3 half;       // box, ellipsoid: half the size; cylinder: z is half the length [m]
    int32_t exact;   // tube, torus, elliptic cylinder or hollow revolution, for which mesh or hull
                     // stands; else 0
    double hole;     // radius of the hole of a tube [m]
    double section;  // radius of the section of a torus [m]
    Vec3 end[2];     // capsule, segment: centres of the ends [m]
    Vec3 low, high;  // bounds in its own frame [m]; infinite for a half-space
    double reach;    // largest distance of its points from its origin [m]
    LitheHull *hull; // convex mesh
    LitheMesh *mesh; // triangle mesh, heightfield
    int32_t section_corners; // of a mesh that is a ring of sections with as many corners; or 0
    double *profile_z;       // [profile_count] revolution: heights, in one block with the radii
    double *profile_r;       // [profile_count] revolution: radii
    int32_t profile_count;
    LitheHollow *hollow; // hollow revolution
    double
        exact_volume;   // [m^3] of shapes whose mesh or hull is an approximation; 0: of the surface
    Vec3 exact_inertia; // the same: principal moments about the origin, of density 1 [m^5]
    LitheContext *context; // of hull, mesh, profile and hollow
} LitheGeom;

/// Checks `def` (sizes finite and > 0, indices in range, no triangle without area, no edge with
/// more than two triangles or with two of the same direction, profile and heights) and copies what
/// it points to. The frame, material and groups of `def` are left to the caller. A mesh file
/// (`path`) must have been read into points and triangles.
LitheStatus lithe_geom_compile(LitheContext *context, const LitheGeomDef *def, LitheGeom *out,
                               LitheError *error);

/// Frees what compile allocated; accepts NULL and a zeroed shape.
void lithe_geom_destroy(LitheGeom *geom);

/// A round rod segment from p to q (they may coincide), its frame the world's.
LitheGeom lithe_geom_segment(Vec3 p, Vec3 q, double radius);

/// A ball about its own origin.
LitheGeom lithe_geom_ball(double radius);

/// A rectangular rod segment: a box from p to q, `width` along `director` and `height` along the
/// third direction. `pose` receives its pose.
LitheGeom lithe_geom_bar(Vec3 p, Vec3 q, Vec3 director, double width, double height,
                         LithePose *pose);

/// Convex kinds: their distance to any other shape is defined.
bool lithe_geom_is_convex(const LitheGeom *geom);

/// Whether distance and contacts are defined for the two: not for two half-spaces, nor for two
/// shapes that are neither convex nor a half-space, except two closed meshes, and a closed mesh and
/// a heightfield.
bool lithe_geom_pair_allowed(const LitheGeom *a, const LitheGeom *b);

/// The point of the shape (of its hull where it is not convex) farthest along `direction` (not
/// zero), both in the shape's frame. Not for half-spaces.
Vec3 lithe_geom_support(const LitheGeom *geom, Vec3 direction);

/// Box in the world around the shape, swept by `displacement` [m] (may be NULL).
void lithe_geom_bounds(const LitheGeom *geom, const LithePose *pose, const Vec3 *displacement,
                       Vec3 *low, Vec3 *high);

#endif
