// SPDX-License-Identifier: Apache-2.0
// tests/geom/shapes.h - random shapes with independent support functions, to check the library's

#ifndef LITHE_TEST_SHAPES_H
#define LITHE_TEST_SHAPES_H

#include "geom/distance.h"

#include "test.h"

typedef struct Shape {
    LitheGeomDef def;
    LitheGeom geom;
    LithePose pose;
    Vec3 points[600];
    int32_t triangles[3 * 1100];
    double heights[400], z[16], r[16];
    double size; // of its bounding ball
} Shape;

static inline Vec3 random_unit(TestRandom *r) {
    for (;;) {
        Vec3 v = v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1));
        double n = v3_norm(v);
        if (n > 0.1 && n < 1)
            return v3_scale(1 / n, v);
    }
}

static inline Vec3 random_vec(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

static inline Quat random_turn(TestRandom *r) {
    return q4_unit((Quat){test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1),
                          test_random(r, -1, 1)});
}

/// A torus of rings x sides, closed.
static inline void torus(Shape *s, int rings, int sides, double big, double small) {
    int n = 0;
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < sides; j++) {
            double u = 2 * M_PI * i / rings, v = 2 * M_PI * j / sides, d = big + small * cos(v);
            s->points[i * sides + j] = v3(d * cos(u), d * sin(u), small * sin(v));
            int a = i * sides + j, b = (i + 1) % rings * sides + j;
            int c = (i + 1) % rings * sides + (j + 1) % sides, e = i * sides + (j + 1) % sides;
            int32_t t[6] = {a, b, c, a, c, e};
            for (int k = 0; k < 6; k++)
                s->triangles[n++] = t[k];
        }
    s->def.points = s->points;
    s->def.point_count = rings * sides;
    s->def.triangles = s->triangles;
    s->def.triangle_count = n / 3;
}

/// Of a shape: sizes of about 1 and aspect ratios up to about 10; multiples of a quarter, so that
/// faces, edges and corners of two shapes coincide; aspect ratios up to 1000.
typedef enum ShapeStyle { SHAPE_USUAL, SHAPE_GRID, SHAPE_THIN } ShapeStyle;

/// A rectangular segment of a rod, after LITHE_GEOM_SEGMENT.
enum { SHAPE_BAR = LITHE_GEOM_SEGMENT + 1 };

static inline double shape_length(TestRandom *r, ShapeStyle style, double low, double high) {
    if (style == SHAPE_GRID)
        return 0.25 * (1 + (int)test_random(r, 0, 5));
    if (style == SHAPE_THIN)
        return test_random(r, 0, 1) < 0.5 ? 0.002 : 2;
    return pow(10, test_random(r, low, high));
}

static inline Vec3 shape_point(TestRandom *r, ShapeStyle style, double size) {
    if (style != SHAPE_GRID)
        return random_vec(r, size);
    double x = (int)test_random(r, 0, 3) - 1, y = (int)test_random(r, 0, 3) - 1;
    return v3(0.5 * x, 0.5 * y, 0.5 * ((int)test_random(r, 0, 3) - 1));
}

// segments and bars: two points, which may coincide
static inline void shape_rod(TestRandom *r, int kind, ShapeStyle style, Shape *s) {
    s->points[0] = shape_point(r, style, 0.7);
    s->points[1] = shape_point(r, style, 0.7);
    if (kind == LITHE_GEOM_SEGMENT) {
        s->geom = lithe_geom_segment(s->points[0], s->points[1], 0.1 * s->def.radius);
    } else {
        if (v3_distance(s->points[0], s->points[1]) == 0)
            s->points[1].x += 0.5;
        Vec3 t = v3_unit(v3_sub(s->points[1], s->points[0]));
        s->def.size = v3_scale(0.2, s->def.size);
        s->geom = lithe_geom_bar(s->points[0], s->points[1], v3_any_normal(t), s->def.size.x,
                                 s->def.size.y, &s->pose);
    }
    s->size = s->geom.reach;
}

static inline void shape_solid(TestRandom *r, int kind, ShapeStyle style, Shape *s) {
    bool grid = style == SHAPE_GRID, thin = style == SHAPE_THIN;
    if (kind == LITHE_GEOM_TRIANGLE_MESH) {
        torus(s, grid ? 4 : 14, grid ? 4 : 9, 1, grid ? 0.5 : thin ? 0.02 : 0.35);
    } else if (kind == LITHE_GEOM_HEIGHTFIELD) {
        s->def.rows = 9;
        s->def.columns = 12;
        for (int i = 0; i < 9 * 12; i++)
            s->heights[i] = thin   ? 0
                            : grid ? 0.25 * (int)test_random(r, 0, 2)
                                   : test_random(r, -0.15, 0.15);
        s->def.heights = s->heights;
        s->def.size = v3(grid ? 2.75 : 2.4, 2, 1);
    } else {
        s->def.profile_count = 6;
        for (int i = 0; i < 6; i++) {
            s->z[i] = grid ? 0.25 * i - 0.5 : 0.3 * i - 0.75 + test_random(r, -0.1, 0.1);
            s->r[i] = grid   ? 0.25 * (1 + (int)test_random(r, 0, 3))
                      : thin ? test_random(r, 0.005, 0.02)
                             : test_random(r, 0.1, 0.8);
        }
        s->def.profile_z = s->z;
        s->def.profile_r = s->r;
    }
}

/// `kind` may be LITHE_GEOM_SEGMENT or SHAPE_BAR.
static inline void shape_make_styled(LitheContext *context, TestRandom *r, int kind,
                                     ShapeStyle style, Shape *s) {
    *s = (Shape){.def = {.radius = 0.1}, .pose = place_make(v3(0, 0, 0), random_turn(r))};
    s->def.kind = (LitheGeomKind)kind;
    s->def.radius = shape_length(r, style, -1, 0);
    s->def.length = shape_length(r, style, -1, 0.3);
    double x = shape_length(r, style, -0.7, 0.3), y = shape_length(r, style, -0.7, 0.3);
    s->def.size = v3(x, y, shape_length(r, style, -0.7, 0.3));
    LitheError error = {0};
    if (kind == LITHE_GEOM_SEGMENT || kind == SHAPE_BAR) {
        shape_rod(r, kind, style, s);
        return;
    }
    if (kind == LITHE_GEOM_CONVEX_MESH) {
        // flat by 1e-3 where thin; eight corners of a cube keep the coarse ones from being flat
        int min = style == SHAPE_GRID ? 8 : 4;
        s->def.point_count = min + (int)test_random(r, 0, 20);
        for (int i = 0; i < s->def.point_count; i++) {
            s->points[i] = shape_point(r, style, 0.8);
            if (style == SHAPE_GRID && i < 8)
                s->points[i] = v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
            if (style == SHAPE_THIN)
                s->points[i].z *= 1e-3;
        }
        s->def.points = s->points;
    } else if (kind == LITHE_GEOM_TRIANGLE_MESH || kind == LITHE_GEOM_HEIGHTFIELD ||
               kind == LITHE_GEOM_REVOLUTION) {
        shape_solid(r, kind, style, s);
    }
    if (lithe_geom_compile(context, &s->def, &s->geom, &error) != LITHE_OK) {
        printf("%s\n", error.text);
        abort();
    }
    s->size = s->geom.reach;
}

static inline void shape_make(LitheContext *context, TestRandom *r, int kind, Shape *s) {
    shape_make_styled(context, r, kind, SHAPE_USUAL, s);
}

static inline void shape_free(Shape *s) {
    if ((int)s->def.kind < LITHE_GEOM_SEGMENT)
        lithe_geom_destroy(&s->geom);
}

/// max over the shape of n.x for a unit n in the world, from the description only.
static inline double shape_extent(const Shape *s, Vec3 n) {
    Vec3 d = place_direction_back(&s->pose, n);
    Vec3 size = s->def.size;
    double at = v3_dot(n, s->pose.at), across = hypot(d.x, d.y), max = -INFINITY;
    switch ((int)s->def.kind) {
    case LITHE_GEOM_SPHERE:
        return at + s->def.radius;
    case LITHE_GEOM_CAPSULE:
        return at + s->def.radius + 0.5 * s->def.length * fabs(d.z);
    case LITHE_GEOM_CYLINDER:
        return at + s->def.radius * across + 0.5 * s->def.length * fabs(d.z);
    case LITHE_GEOM_BOX:
        return at + 0.5 * (size.x * fabs(d.x) + size.y * fabs(d.y) + size.z * fabs(d.z));
    case LITHE_GEOM_ELLIPSOID:
        return at + 0.5 * sqrt(size.x * d.x * size.x * d.x + size.y * d.y * size.y * d.y +
                               size.z * d.z * size.z * d.z);
    case LITHE_GEOM_SEGMENT:
        return at + fmax(v3_dot(s->points[0], d), v3_dot(s->points[1], d)) + s->geom.radius;
    case SHAPE_BAR:
        return at + 0.5 * (size.x * fabs(d.x) + size.y * fabs(d.y)) + s->geom.half.z * fabs(d.z);
    case LITHE_GEOM_REVOLUTION:
        for (int i = 0; i < s->def.profile_count; i++)
            max = fmax(max, s->r[i] * across + s->z[i] * d.z);
        return at + max;
    case LITHE_GEOM_HEIGHTFIELD:
        for (int i = 0; i < s->def.rows * s->def.columns; i++)
            max =
                fmax(max, v3_dot(d, v3(size.x * (i % s->def.columns / (s->def.columns - 1.0) - 0.5),
                                       size.y * (i / s->def.columns / (s->def.rows - 1.0) - 0.5),
                                       s->heights[i])));
        return at + max;
    default:
        for (int i = 0; i < s->def.point_count; i++)
            max = fmax(max, v3_dot(d, s->points[i]));
        return at + max;
    }
}

/// Separation of a and b along n: every n gives a lower bound of the signed distance of two convex
/// shapes, the maximum is the distance.
static inline double separation(const Shape *a, const Shape *b, Vec3 n) {
    return -shape_extent(b, v3_neg(n)) - shape_extent(a, n);
}

/// The best n that sampling and a shrinking random search from the best samples find.
static inline double best_separation(const Shape *a, const Shape *b, TestRandom *r, int samples,
                                     int steps) {
    enum { STARTS = 3 };
    Vec3 start[STARTS];
    double value[STARTS] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < samples; i++) {
        Vec3 n = random_unit(r);
        double v = separation(a, b, n);
        for (int k = 0; k < STARTS; k++)
            if (v > value[k]) {
                for (int j = STARTS - 1; j > k; j--) {
                    value[j] = value[j - 1];
                    start[j] = start[j - 1];
                }
                value[k] = v;
                start[k] = n;
                break;
            }
    }
    double best = -INFINITY;
    for (int k = 0; k < STARTS; k++) {
        double width = 0.3;
        for (int i = 0; i < steps; i++) {
            Vec3 n = v3_unit(v3_axpy(width, random_vec(r, 1), start[k]));
            double v = separation(a, b, n);
            if (v > value[k]) {
                value[k] = v;
                start[k] = n;
                width *= 1.5;
            } else {
                width *= 0.93;
            }
            if (width < 1e-9)
                width = 0.02;
        }
        best = fmax(best, value[k]);
    }
    return best;
}

static inline bool full_run(void) {
    return getenv("LITHE_TEST_FULL") != NULL;
}

#endif
