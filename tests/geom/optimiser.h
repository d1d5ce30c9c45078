// SPDX-License-Identifier: Apache-2.0
// tests/geom/optimiser.h - signed distances of shapes from their descriptions only
//
// The separation of a and b along a direction n is a lower bound of the signed distance of two
// convex shapes; its maximum over n is the distance. Two searches over n use extents only, none of
// the library's methods; and tests of points inside or outside of shapes.

#ifndef LITHE_TEST_OPTIMISER_H
#define LITHE_TEST_OPTIMISER_H

#include "shapes.h"

// --- one convex side of a pair -------------------------------------------------------------------

/// A convex shape, or a piece of a solid, without the rounding.
typedef struct Side {
    const Shape *shape;
    int piece; // -1: the whole
    double round;
    Vec3 shift;
} Side;

static inline double rounding(const Shape *s) {
    switch ((int)s->def.kind) {
    case LITHE_GEOM_SPHERE:
    case LITHE_GEOM_CAPSULE:
        return s->def.radius;
    case LITHE_GEOM_SEGMENT:
        return s->geom.radius;
    default:
        return 0;
    }
}

static inline int piece_count(const Shape *s) {
    return s->geom.mesh ? s->geom.mesh->triangle_count : s->def.profile_count - 1;
}

static inline Vec3 corner(const Shape *s, int piece, int k) {
    return mesh_corner(s->geom.mesh, piece, k);
}

static inline double extent(const Side *side, Vec3 n) {
    const Shape *s = side->shape;
    double at = v3_dot(n, side->shift) - side->round;
    if (side->piece < 0)
        return at + shape_extent(s, n);
    Vec3 d = place_direction_back(&s->pose, n);
    at += v3_dot(n, s->pose.at);
    if (s->geom.mesh)
        return at + fmax(v3_dot(d, corner(s, side->piece, 0)),
                         fmax(v3_dot(d, corner(s, side->piece, 1)),
                              v3_dot(d, corner(s, side->piece, 2))));
    double across = hypot(d.x, d.y);
    int i = side->piece;
    return at + fmax(s->r[i] * across + s->z[i] * d.z, s->r[i + 1] * across + s->z[i + 1] * d.z);
}

static inline double beyond(const Side *a, const Side *b, Vec3 n) {
    return -extent(b, v3_neg(n)) - extent(a, n);
}

/// Maximises from *n until `goal` or the end: random steps whose size and shape follow those that
/// succeeded, an evolution strategy of one parent (Igel, Suttorp and Hansen 2006), so that ridges,
/// which the extents of polyhedra have, do not stop it.
static inline double climb(const Side *a, const Side *b, double goal, double width, int steps,
                           TestRandom *r, Vec3 *n) {
    Vec3 e = v3_any_normal(*n), f = v3_cross(*n, e), base = *n;
    double value = beyond(a, b, *n), rate = 0.18, u = 0, v = 0;
    double path[2] = {0, 0}, c[3] = {1, 0, 1}; // covariance: xx, xy, yy
    for (int i = 0; i < steps && value < goal; i++) {
        double x = test_random(r, -1.7, 1.7), y = test_random(r, -1.7, 1.7);
        double l = sqrt(c[0]), m = c[1] / l, k = sqrt(fmax(1e-30, c[2] - m * m));
        double step[2] = {l * x, m * x + k * y};
        double p = u + width * step[0], q = v + width * step[1];
        Vec3 d = v3_unit(v3_add(base, v3_axpy(p, e, v3_scale(q, f))));
        double now = beyond(a, b, d);
        rate = 0.917 * rate + (now > value ? 0.083 : 0);
        width *= exp(0.5 * (rate - 0.22 * (1 - rate)));
        if (now <= value)
            continue;
        value = now;
        *n = d;
        u = p;
        v = q;
        for (int j = 0; j < 2; j++)
            path[j] = 0.5 * path[j] + (rate < 0.44 ? 0.866 * step[j] : 0);
        c[0] = 0.8 * c[0] + 0.2 * path[0] * path[0];
        c[1] = 0.8 * c[1] + 0.2 * path[0] * path[1];
        c[2] = 0.8 * c[2] + 0.2 * path[1] * path[1];
    }
    return value;
}

/// The best direction found from samples and from `first`; ends at `goal`. Every other search
/// starts from the best so far, with small steps.
static inline double optimise(const Side *a, const Side *b, Vec3 first, double goal, int samples,
                              int starts, int steps, TestRandom *r, Vec3 *out) {
    double best = beyond(a, b, first);
    *out = first;
    for (int k = 0; k < starts && best < goal; k++) {
        bool polish = k % 2 == 1;
        Vec3 n = k < 2 || polish ? *out : random_unit(r);
        double value = beyond(a, b, n);
        for (int i = 0; i < samples && !polish; i++) {
            Vec3 m = random_unit(r);
            double v = beyond(a, b, m);
            if (v > value) {
                value = v;
                n = m;
            }
        }
        value = climb(a, b, goal, polish ? pow(10, -1 - k / 2 % 4) : 0.2, steps, r, &n);
        if (value > best) {
            best = value;
            *out = n;
        }
    }
    return best;
}

/// The point of a - b farthest along n: the gradient of its extent, by differences.
static inline Vec3 farthest(const Side *a, const Side *b, Vec3 n) {
    const double h = 1e-6;
    double w[3];
    for (int k = 0; k < 3; k++) {
        Vec3 e = v3(k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0);
        Vec3 up = v3_add(n, e), down = v3_sub(n, e);
        w[k] = (extent(a, up) + extent(b, v3_neg(up)) - extent(a, down) - extent(b, v3_neg(down))) /
               (2 * h);
    }
    return v3_load(w);
}

/// Direction of shapes apart: weights over points of a - b are moved from the farthest to the
/// nearest until their mean is the point nearest to the origin (Mitchell, Demyanov and Malozemov
/// 1974), with a new point each round. Sharp corners do not slow it down. `met`: that mean is the
/// origin, so the two overlap or touch.
static inline double descend(const Side *a, const Side *b, Vec3 first, double goal, bool *met,
                             Vec3 *out) {
    enum { MAX = 48 };
    Vec3 w[MAX], v = farthest(a, b, first), n = first;
    double weight[MAX] = {1}, best = beyond(a, b, first);
    int count = 1;
    w[0] = v;
    *out = first;
    *met = false;
    for (int round = 0; round < 120 && best < goal && !*met; round++) {
        n = v3_scale(-1 / v3_norm(v), v);
        double now = beyond(a, b, n);
        if (now > best) {
            best = now;
            *out = n;
        }
        // replaces a point without weight
        int at = count;
        for (int i = 0; i < count; i++)
            if (weight[i] == 0)
                at = i;
        if (at == MAX)
            break;
        count += at == count;
        w[at] = farthest(a, b, n);
        weight[at] = 0;
        for (int i = 0; i < 100; i++) {
            int near = 0, far = 0;
            double low = INFINITY, high = -INFINITY;
            for (int k = 0; k < count; k++) {
                double along = v3_dot(v, w[k]);
                if (along < low) {
                    low = along;
                    near = k;
                }
                if (along > high && weight[k] > 0) {
                    high = along;
                    far = k;
                }
            }
            Vec3 d = v3_sub(w[near], w[far]);
            double slope = high - low, dd = v3_dot(d, d);
            if (!(slope > 1e-14 * dd + 1e-9 * v3_dot(v, v)))
                break;
            double move = fmin(weight[far], slope / dd);
            weight[near] += move;
            weight[far] = move == weight[far] ? 0 : weight[far] - move;
            v = v3_axpy(move, d, v);
        }
        *met = v3_norm(v) <= 1e-9 * (a->shape->size + b->shape->size);
    }
    return best;
}

static inline Side whole(const Shape *s) {
    return (Side){s, -1, 0, {0, 0, 0}};
}

static inline Side core(const Shape *s) {
    return (Side){s, -1, rounding(s), {0, 0, 0}};
}

static inline Side piece(const Shape *s, int i) {
    return (Side){s, i, 0, {0, 0, 0}};
}

// --- points --------------------------------------------------------------------------------------

static inline double to_line(Vec3 x, Vec3 p, Vec3 q) {
    Vec3 d = v3_sub(q, p);
    double dd = v3_dot(d, d), t = dd > 0 ? v3_dot(v3_sub(x, p), d) / dd : 0;
    return v3_distance(x, v3_axpy(fmin(1, fmax(0, t)), d, p));
}

static inline double to_triangle(Vec3 x, Vec3 p, Vec3 q, Vec3 s) {
    Vec3 n = v3_unit(v3_cross(v3_sub(q, p), v3_sub(s, p))), c[3] = {p, q, s};
    bool over = true;
    double min = INFINITY;
    for (int k = 0; k < 3; k++) {
        Vec3 u = c[k], v = c[(k + 1) % 3];
        over &= v3_dot(n, v3_cross(v3_sub(v, u), v3_sub(x, u))) >= 0;
        min = fmin(min, to_line(x, u, v));
    }
    return over ? fabs(v3_dot(n, v3_sub(x, p))) : min;
}

/// Distance of x, in the world, from the surface of a solid.
static inline double to_surface(const Shape *s, Vec3 world) {
    Vec3 x = place_point_back(&s->pose, world);
    double min = INFINITY;
    if (s->geom.mesh) {
        for (int i = 0; i < piece_count(s); i++)
            min = fmin(min, to_triangle(x, corner(s, i, 0), corner(s, i, 1), corner(s, i, 2)));
        return min;
    }
    int n = s->def.profile_count;
    Vec3 y = v3(hypot(x.x, x.y), 0, x.z);
    for (int i = -1; i < n; i++) {
        Vec3 p = v3(i < 0 ? 0 : s->r[i], 0, s->z[i < 0 ? 0 : i]);
        Vec3 q = v3(i + 1 < n ? s->r[i + 1] : 0, 0, s->z[i + 1 < n ? i + 1 : n - 1]);
        min = fmin(min, to_line(y, p, q));
    }
    return min;
}

/// Crossings of a ray from x with the triangles, in the frame of the shape.
static inline int crossings(const Shape *s, Vec3 x, Vec3 d) {
    int count = 0;
    for (int i = 0; i < piece_count(s); i++) {
        Vec3 p = v3_sub(corner(s, i, 0), x), q = v3_sub(corner(s, i, 1), x);
        Vec3 w = v3_sub(corner(s, i, 2), x);
        double u = v3_dot(d, v3_cross(p, q)), v = v3_dot(d, v3_cross(q, w));
        double t = v3_dot(d, v3_cross(w, p));
        bool through = (u > 0) == (v > 0) && (v > 0) == (t > 0);
        Vec3 n = v3_cross(v3_sub(q, p), v3_sub(w, p));
        count += through && v3_dot(n, p) / v3_dot(n, d) > 0;
    }
    return count;
}

/// Whether a solid contains x, in the world; by the majority of three rays.
static inline bool holds(const Shape *s, Vec3 world, TestRandom *r) {
    Vec3 x = place_point_back(&s->pose, world);
    int votes = 0;
    if (s->def.kind == LITHE_GEOM_HEIGHTFIELD) {
        // solid below, at any depth; a slightly tilted ray hits no corner
        return crossings(s, x, v3(1e-9, 2e-9, 1)) % 2 == 1;
    }
    if (s->geom.mesh) {
        for (int k = 0; k < 3; k++)
            votes += crossings(s, x, random_unit(r)) % 2;
        return votes >= 2;
    }
    for (int i = 0; i + 1 < s->def.profile_count; i++) {
        double u = (x.z - s->z[i]) / (s->z[i + 1] - s->z[i]);
        if (u >= 0 && u <= 1 && hypot(x.x, x.y) <= s->r[i] + u * (s->r[i + 1] - s->r[i]))
            return true;
    }
    return false;
}

/// How far x, in the world, lies outside a convex shape; for polyhedra by a search.
static inline double outside(const Shape *s, Vec3 world, TestRandom *r) {
    Vec3 x = place_point_back(&s->pose, world), half = s->geom.half;
    switch ((int)s->def.kind) {
    case LITHE_GEOM_SPHERE:
        return v3_norm(x) - s->def.radius;
    case LITHE_GEOM_CAPSULE:
        return to_line(x, v3(0, 0, -0.5 * s->def.length), v3(0, 0, 0.5 * s->def.length)) -
               s->def.radius;
    case LITHE_GEOM_SEGMENT:
        return to_line(x, s->points[0], s->points[1]) - s->geom.radius;
    case LITHE_GEOM_CYLINDER:
        return fmax(hypot(x.x, x.y) - s->def.radius, fabs(x.z) - 0.5 * s->def.length);
    case LITHE_GEOM_BOX:
    case SHAPE_BAR:
        return fmax(fabs(x.x) - half.x, fmax(fabs(x.y) - half.y, fabs(x.z) - half.z));
    case LITHE_GEOM_ELLIPSOID: {
        // distance to first order: value over slope
        Vec3 u = v3(x.x / half.x, x.y / half.y, x.z / half.z);
        Vec3 g = v3(u.x / half.x, u.y / half.y, u.z / half.z);
        return v3_dot(u, u) > 0 ? 0.5 * (v3_dot(u, u) - 1) / v3_norm(g) : -half.x;
    }
    default: {
        Shape dot = {.pose = place_make(world, q4_identity())};
        dot.def.kind = LITHE_GEOM_SPHERE;
        Side a = whole(s), b = whole(&dot);
        Vec3 n;
        return optimise(&a, &b, random_unit(r), INFINITY, 20, 2, 60, r, &n);
    }
    }
}

#endif
