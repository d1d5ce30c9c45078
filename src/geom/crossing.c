// SPDX-License-Identifier: Apache-2.0
// geom/crossing.c - crossings of moving objects
//
// Four points that move linearly, two segments or a point and a triangle, can meet only when they
// lie in one plane. The volume they span is a cubic of time; in Bernstein form on [t0, t1],
//   f(t) = det(x_1 - x_0, x_2 - x_0, x_3 - x_0) = sum over k of f_k B_k(t)                  (12)
// If all f_k have one sign and exceed their rounding, nothing crosses in [t0, t1]. The same follows
// from the distance d at the middle of the interval and the largest relative displacement s:
//   d(t_m) > s (t1 - t0)/2                                                                  (13)
// Intervals in which neither test excludes a crossing are halved, the earlier half first. Where the
// motion within an interval is below the rounding of the coordinates, the objects meet. Motions
// within one plane, where (12) vanishes, are decided by (13) alone.

#include "geom/crossing.h"

#include "base/assert.h"
#include "geom/segment.h"

typedef enum Meeting { SEGMENTS, POINT_TRIANGLE } Meeting;

typedef struct Motion {
    Meeting kind;
    Vec3 x0[4], d[4]; // start and displacement of the points, relative to the first start
    double size;      // largest coordinate
    double speed;     // largest relative displacement
    double volume[4]; // (12) on [0, 1]
    double rounding;  // of (12)
} Motion;

// --- the cubic -----------------------------------------------------------------------------------

static double det3(Vec3 a, Vec3 b, Vec3 c) {
    return v3_dot(a, v3_cross(b, c));
}

static void find_volume(Motion *m) {
    Vec3 a[3], d[3];
    for (int k = 0; k < 3; k++) {
        a[k] = v3_sub(m->x0[k + 1], m->x0[0]);
        d[k] = v3_sub(m->d[k + 1], m->d[0]);
    }
    // power form c0 + c1 t + c2 t^2 + c3 t^3, then Bernstein
    double c0 = det3(a[0], a[1], a[2]);
    double c1 = det3(d[0], a[1], a[2]) + det3(a[0], d[1], a[2]) + det3(a[0], a[1], d[2]);
    double c2 = det3(a[0], d[1], d[2]) + det3(d[0], a[1], d[2]) + det3(d[0], d[1], a[2]);
    double c3 = det3(d[0], d[1], d[2]);
    m->volume[0] = c0;
    m->volume[1] = c0 + c1 / 3;
    m->volume[2] = c0 + 2 * c1 / 3 + c2 / 3;
    m->volume[3] = c0 + c1 + c2 + c3;
    double max = 0;
    for (int k = 0; k < 3; k++)
        max = fmax(max, v3_norm(a[k]) + v3_norm(d[k]));
    // every term is a product of three lengths, each accurate to the rounding of the coordinates
    m->rounding = 1e-14 * max * max * (max + m->size);
}

// Bernstein coefficients on the left or right half
static void halve(const double f[4], double left[4], double right[4]) {
    double ab = 0.5 * (f[0] + f[1]), bc = 0.5 * (f[1] + f[2]), cd = 0.5 * (f[2] + f[3]);
    double abc = 0.5 * (ab + bc), bcd = 0.5 * (bc + cd), middle = 0.5 * (abc + bcd);
    double l[4] = {f[0], ab, abc, middle}, r[4] = {middle, bcd, cd, f[3]};
    for (int k = 0; k < 4; k++) {
        left[k] = l[k];
        right[k] = r[k];
    }
}

static bool one_sign(const double f[4], double rounding) {
    bool above = true, below = true;
    for (int k = 0; k < 4; k++) {
        above &= f[k] > rounding;
        below &= f[k] < -rounding;
    }
    return above || below;
}

// --- search --------------------------------------------------------------------------------------

static double distance_at(const Motion *m, double t) {
    Vec3 x[4];
    for (int k = 0; k < 4; k++)
        x[k] = v3_axpy(t, m->d[k], m->x0[k]);
    if (m->kind == SEGMENTS)
        return lithe_segment_closest(x[0], x[1], x[2], x[3]).distance;
    return v3_distance(x[0], lithe_triangle_nearest(x[1], x[2], x[3], x[0], NULL));
}

// max relative displacement of an end of one object and an end of the other
static double relative_speed(const Motion *m) {
    int split = m->kind == SEGMENTS ? 2 : 1;
    double max = 0;
    for (int i = 0; i < split; i++)
        for (int j = split; j < 4; j++)
            max = fmax(max, v3_distance(m->d[i], m->d[j]));
    return max;
}

// intervals that are tested before the motion counts as a meeting: hundreds are usual for what
// touches, and a motion of many times the distance would need as many as that ratio
enum { MAX_INTERVALS = 1 << 16 };

typedef struct Interval {
    double start, length;
    double f[4]; // coefficients of (12)
} Interval;

static bool search(const Motion *m, double *time) {
    enum { DEEPEST = 60 };
    double touch = 1e-14 * (m->size + m->speed);
    Interval stack[DEEPEST + 2] = {{.start = 0, .length = 1}};
    int depth = 1;
    for (int k = 0; k < 4; k++)
        stack[0].f[k] = m->volume[k];
    for (int32_t tested = 0; depth > 0; tested++) {
        Interval now = stack[--depth];
        if (one_sign(now.f, m->rounding)) // (12)
            continue;
        double half = 0.5 * now.length;
        double distance = distance_at(m, now.start + half);
        if (distance > m->speed * half + touch) // (13)
            continue;
        // objects that glide along each other at a speed far above their distance: not proved to be
        // apart, which counts as a meeting
        if (m->speed * half <= touch || now.length < 0x1p-52 || tested >= MAX_INTERVALS) {
            *time = now.start;
            return true;
        }
        Interval early = {.start = now.start, .length = half};
        Interval late = {.start = now.start + half, .length = half};
        halve(now.f, early.f, late.f);
        LITHE_ASSERT(depth + 2 <= DEEPEST + 2);
        stack[depth++] = late;
        stack[depth++] = early;
    }
    return false;
}

static bool meet(Meeting kind, const LitheMovingPoint p[4], double *time) {
    Motion m = {.kind = kind};
    Vec3 low = p[0].x0, high = p[0].x0;
    for (int k = 0; k < 4; k++) {
        m.x0[k] = v3_sub(p[k].x0, p[0].x0);
        m.d[k] = v3_sub(p[k].x1, p[k].x0);
        low = v3_min(low, v3_min(p[k].x0, p[k].x1));
        high = v3_max(high, v3_max(p[k].x0, p[k].x1));
    }
    m.size = fmax(v3_norm(low), v3_norm(high));
    m.speed = relative_speed(&m);
    find_volume(&m);
    double at;
    if (!search(&m, &at))
        return false;
    *time = at;
    return true;
}

bool lithe_crossing_segments(const LitheMovingPoint a[2], const LitheMovingPoint b[2],
                             double *time) {
    LitheMovingPoint p[4] = {a[0], a[1], b[0], b[1]};
    // boxes around the whole motion
    LitheBox box[2];
    for (int k = 0; k < 2; k++) {
        const LitheMovingPoint *q = p + 2 * k;
        box[k].low = v3_min(v3_min(q[0].x0, q[0].x1), v3_min(q[1].x0, q[1].x1));
        box[k].high = v3_max(v3_max(q[0].x0, q[0].x1), v3_max(q[1].x0, q[1].x1));
    }
    if (box_distance2(&box[0], &box[1]) > 0)
        return false;
    return meet(SEGMENTS, p, time);
}

bool lithe_crossing_point_triangle(const LitheMovingPoint *p, const LitheMovingPoint triangle[3],
                                   double *time) {
    LitheMovingPoint all[4] = {*p, triangle[0], triangle[1], triangle[2]};
    return meet(POINT_TRIANGLE, all, time);
}

bool lithe_crossing_segment_triangle(const LitheMovingPoint a[2],
                                     const LitheMovingPoint triangle[3], double *time) {
    double first = INFINITY, at;
    for (int k = 0; k < 2; k++)
        if (lithe_crossing_point_triangle(&a[k], triangle, &at))
            first = fmin(first, at);
    for (int k = 0; k < 3; k++) {
        LitheMovingPoint edge[2] = {triangle[k], triangle[(k + 1) % 3]};
        if (lithe_crossing_segments(a, edge, &at))
            first = fmin(first, at);
    }
    // the segment intersects the triangle at the start, away from ends and edges
    Vec3 n =
        v3_cross(v3_sub(triangle[1].x0, triangle[0].x0), v3_sub(triangle[2].x0, triangle[0].x0));
    double h0 = v3_dot(n, v3_sub(a[0].x0, triangle[0].x0));
    double h1 = v3_dot(n, v3_sub(a[1].x0, triangle[0].x0));
    if (h0 * h1 < 0) {
        Vec3 x = v3_mix(a[0].x0, a[1].x0, h0 / (h0 - h1));
        int32_t feature;
        lithe_triangle_nearest(triangle[0].x0, triangle[1].x0, triangle[2].x0, x, &feature);
        if (feature == 6)
            first = 0;
    }
    if (first == INFINITY)
        return false;
    *time = first;
    return true;
}

// --- rotating shapes -----------------------------------------------------------------------------

// a motion from one pose to another: translation at constant velocity, rotation at constant angular
// velocity
typedef struct Turn {
    Vec3 at, shift; // [m]
    Quat q;
    Vec3 rotation; // rotation vector of the whole motion, world axes
    double reach;  // of the shape around its origin
} Turn;

static Turn turn_of(const LitheGeom *geom, const LithePose pose[2]) {
    return (Turn){.at = pose[0].at,
                  .shift = v3_sub(pose[1].at, pose[0].at),
                  .q = pose[0].q,
                  .rotation = q4_log(q4_mul(pose[1].q, q4_conj(pose[0].q))),
                  .reach = geom->reach};
}

static LithePose turn_at(const Turn *turn, double t) {
    return place_make(v3_axpy(t, turn->shift, turn->at),
                      q4_unit(q4_mul(q4_exp(v3_scale(t, turn->rotation)), turn->q)));
}

// max speed of points of the shape along n at any time:
//   n . shift + |rotation x n| reach                                                        (14)
static double turn_speed(const Turn *turn, Vec3 n, double sign) {
    return sign * v3_dot(n, turn->shift) + v3_norm(v3_cross(turn->rotation, n)) * turn->reach;
}

// max speed of a point of the shape in any direction
static double turn_max(const Turn *turn) {
    return v3_norm(turn->shift) + v3_norm(turn->rotation) * turn->reach;
}

enum { MAX_ADVANCES = 10000 };

// a moving object for the advancement: provides the shape and its pose at a time
typedef struct Mover {
    const LitheGeom *geom; // NULL: a segment
    Turn turn;
    const LitheMovingPoint *ends; // [2]
    double radius;
} Mover;

static double mover_speed(const Mover *m, Vec3 n, double sign, bool any_direction) {
    if (m->geom)
        return any_direction ? turn_max(&m->turn) : turn_speed(&m->turn, n, sign);
    double max = -INFINITY;
    for (int k = 0; k < 2; k++) {
        Vec3 d = v3_sub(m->ends[k].x1, m->ends[k].x0);
        max = fmax(max, any_direction ? v3_norm(d) : sign * v3_dot(n, d));
    }
    return max;
}

static void mover_at(const Mover *m, double t, LitheGeom *geom, LithePose *pose) {
    if (m->geom) {
        *geom = *m->geom;
        *pose = turn_at(&m->turn, t);
        return;
    }
    *geom = lithe_geom_segment(v3_mix(m->ends[0].x0, m->ends[0].x1, t),
                               v3_mix(m->ends[1].x0, m->ends[1].x1, t), m->radius);
    *pose = place_identity();
}

// Conservative advancement: the shapes cannot meet before t + (distance - gap)/closing.       (15)
// `closing` is the sum of their max speeds: along the normal for two convex shapes, or a half-space
// and any shape, because a plane separates them; in any direction for others.
static bool advance(const Mover *a, const Mover *b, bool planes, double gap, double *time) {
    double t = 0;
    for (int step = 0; step < MAX_ADVANCES; step++) {
        LitheGeom ga, gb;
        LithePose pa, pb;
        LitheClosest near;
        mover_at(a, t, &ga, &pa);
        mover_at(b, t, &gb, &pb);
        lithe_geom_distance(&ga, &pa, &gb, &pb, &near);
        double left = near.distance - gap;
        if (left <= 0) {
            *time = t;
            return true;
        }
        double closing =
            mover_speed(a, near.normal, 1, !planes) + mover_speed(b, near.normal, -1, !planes);
        double next = closing > 0 ? t + left / closing : 2;
        if (next > 1)
            return false;
        // steps below the resolution of time: counts as contact
        if (next <= t + 1e-12) {
            *time = t;
            return true;
        }
        t = next;
    }
    // the shapes were not proved to be apart: counts as a crossing
    *time = t;
    return true;
}

static bool has_plane(const LitheGeom *geom) {
    return geom->kind == LITHE_GEOM_HALF_SPACE || lithe_geom_is_convex(geom);
}

// a half-space that rotates sweeps an unbounded volume; it may only translate
static Turn half_space_turn(const LitheGeom *geom, Turn turn) {
    if (geom->kind == LITHE_GEOM_HALF_SPACE) {
        LITHE_ASSERT(v3_norm(turn.rotation) == 0);
        turn.reach = 0;
    }
    return turn;
}

bool lithe_crossing_shapes(const LitheGeom *a, const LithePose pa[2], const LitheGeom *b,
                           const LithePose pb[2], double gap, double *time) {
    Mover ma = {.geom = a, .turn = half_space_turn(a, turn_of(a, pa))};
    Mover mb = {.geom = b, .turn = half_space_turn(b, turn_of(b, pb))};
    return advance(&ma, &mb, has_plane(a) && has_plane(b), gap, time);
}

bool lithe_crossing_segment_shape(const LitheMovingPoint a[2], double radius, const LitheGeom *b,
                                  const LithePose pb[2], double gap, double *time) {
    Mover ma = {.ends = a, .radius = radius};
    Mover mb = {.geom = b, .turn = half_space_turn(b, turn_of(b, pb))};
    return advance(&ma, &mb, has_plane(b), gap, time);
}
