// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_clip.c - polygons of patches against an independent computation

#include "geom/clip.h"
#include "geom/clip_parts.h"

#include "test.h"

#include <string.h>

static Vec3 random_point(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

// --- independent computation ---------------------------------------------------------------------
// In the plane of equal pressures the polygon is the intersection of eight half-planes. Its corners
// are those intersections of two lines that lie in all half-planes.

typedef struct Line {
    double a, b, c; // a u + b v + c >= 0
} Line;

typedef struct Sums {
    double area, force;
} Sums;

// lines whose directions differ by less than `parallel` have no corner
static int corners_of(const Line *lines, int count, double parallel, double (*out)[2],
                      double tolerance) {
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            double det = lines[i].a * lines[j].b - lines[j].a * lines[i].b;
            if (fabs(det) < parallel)
                continue;
            double u = (lines[i].b * lines[j].c - lines[j].b * lines[i].c) / det;
            double v = (lines[j].a * lines[i].c - lines[i].a * lines[j].c) / det;
            bool in = true;
            for (int k = 0; k < count && in; k++)
                in = k == i || k == j || lines[k].a * u + lines[k].b * v + lines[k].c >= -tolerance;
            if (in && found < 64) {
                out[found][0] = u;
                out[found++][1] = v;
            }
        }
    return found;
}

static void sort_around(double (*p)[2], int count) {
    double cu = 0, cv = 0;
    for (int i = 0; i < count; i++) {
        cu += p[i][0] / count;
        cv += p[i][1] / count;
    }
    for (int i = 1; i < count; i++)
        for (int j = i;
             j > 0 && atan2(p[j][1] - cv, p[j][0] - cu) < atan2(p[j - 1][1] - cv, p[j - 1][0] - cu);
             j--)
            for (int k = 0; k < 2; k++) {
                double swap = p[j][k];
                p[j][k] = p[j - 1][k];
                p[j - 1][k] = swap;
            }
}

static Sums reference(const LitheFieldTet *a, const LitheFieldTet *b, double parallel) {
    Sums sums = {0, 0};
    Vec3 across = v3_sub(a->slope, b->slope);
    double length = v3_norm(across);
    if (!(length > 0))
        return sums;
    Vec3 n = v3_scale(1 / length, across), u = v3_any_normal(n), v = v3_cross(n, u);
    double level = field_tet_pressure(a, v3(0, 0, 0)) - field_tet_pressure(b, v3(0, 0, 0));
    Vec3 o = v3_scale(-level / length, n);
    Line lines[8];
    for (int k = 0; k < 8; k++) {
        const LitheFieldTet *t = k < 4 ? a : b;
        Vec3 g = t->face[k % 4];
        double scale = 1 / v3_norm(g);
        lines[k] = (Line){scale * v3_dot(g, u), scale * v3_dot(g, v),
                          scale * ((k % 4 == 0) + v3_dot(g, v3_sub(o, t->x[0])))};
    }
    double p[64][2];
    int count = corners_of(lines, 8, parallel, p, 1e-13);
    sort_around(p, count);
    for (int i = 1; i + 1 < count; i++) {
        double area = 0.5 * ((p[i][0] - p[0][0]) * (p[i + 1][1] - p[0][1]) -
                             (p[i][1] - p[0][1]) * (p[i + 1][0] - p[0][0]));
        double cu = (p[0][0] + p[i][0] + p[i + 1][0]) / 3;
        double cv = (p[0][1] + p[i][1] + p[i + 1][1]) / 3;
        sums.area += area;
        sums.force += area * field_tet_pressure(a, v3_axpy(cu, u, v3_axpy(cv, v, o)));
    }
    return sums;
}

// Tetrahedra of any shape: general ones, flat ones, ones with common corners, edges and faces.
static bool random_tet(TestRandom *r, uint64_t kind, const LitheFieldTet *other,
                       LitheFieldTet *tet) {
    Vec3 x[4];
    double p[4];
    for (int k = 0; k < 4; k++) {
        x[k] = random_point(r, 1);
        p[k] = test_random(r, 0, 1);
        if (kind == 1) { // corners on a lattice: planes and points coincide
            x[k] = v3(round(x[k].x), round(x[k].y), round(x[k].z));
            p[k] = round(p[k]);
        }
        if (kind == 2 && k > 0) // flat
            x[k].z = x[0].z + 1e-4 * x[k].z;
        if (kind == 3 && k > 0) // a needle
            x[k] = v3(x[0].x + 1e-3 * x[k].x, x[0].y + 1e-3 * x[k].y, x[k].z);
        if (kind == 4 && other && k < 3) // a common face
            x[k] = other->x[k];
        if (kind == 5 && other && k < 1)
            x[k] = other->x[k];
    }
    return lithe_field_tet(x, p, tet);
}

// Whether the plane of equal pressure is a face of a tetrahedron. Rounding then divides the polygon
// between the two tetrahedra at that face.
static bool is_in_face(const LitheFieldTet *a, const LitheFieldTet *b) {
    for (int side = 0; side < 2; side++) {
        const LitheFieldTet *t = side ? b : a;
        int on = 0;
        for (int k = 0; k < 4; k++)
            on += fabs(field_tet_pressure(a, t->x[k]) - field_tet_pressure(b, t->x[k])) < 1e-12;
        if (on >= 3)
            return true;
    }
    return false;
}

TEST(random_pairs_agree_with_an_independent_computation) {
    // 1e7 in the long run
    const char *more = getenv("LITHE_CLIP_PAIRS");
    int64_t pairs = more ? atoll(more) : 100000, found = 0;
    double worst_area = 0, worst_force = 0;
    TestRandom r = {7};
    for (int64_t i = 0; i < pairs; i++) {
        LitheFieldTet a, b;
        LithePolygon p;
        uint64_t kind = test_random_bits(&r) % 8;
        if (!random_tet(&r, kind, NULL, &a) || !random_tet(&r, kind, &a, &b))
            continue;
        bool any = lithe_clip_tets(&a, &b, &p);
        Sums sums = reference(&a, &b, 1e-14);
        if (any) {
            found++;
            FATAL(isfinite(p.area) && isfinite(p.pressure) && isfinite(p.stiffness));
            FATAL(p.area > 0 && p.pressure >= 0 && p.stiffness >= 0 && v3_finite(p.centre));
            FATAL(p.count >= 3 && p.count <= LITHE_POLYGON_MAX);
        }
        double area = any ? p.area : 0, force = any ? p.area * p.pressure : 0;
        // one in a million has a corner of lines that are nearly parallel
        Sums finer = sums;
        if (fabs(area - sums.area) > 1e-9)
            finer = reference(&a, &b, 1e-18);
        if (is_in_face(&a, &b)) {
            CHECK((area <= sums.area + 1e-9 && force <= sums.force + 1e-9) ||
                  (area <= finer.area + 1e-9 && force <= finer.force + 1e-9));
            continue;
        }
        if (fabs(area - finer.area) < fabs(area - sums.area))
            sums = finer;
        worst_area = fmax(worst_area, fabs(area - sums.area));
        worst_force = fmax(worst_force, fabs(force - sums.force));
        if (fabs(force - sums.force) > 1e-8 || fabs(area - sums.area) > 1e-8)
            printf("  pair %lld kind %d: area %.15g %.15g force %.15g %.15g\n", (long long)i,
                   (int)kind, area, sums.area, force, sums.force);
    }
    CHECK(found > pairs / 100);
    CHECK_NEAR(worst_area, 0, 1e-9);
    CHECK_NEAR(worst_force, 0, 1e-9);
    if (more)
        printf("  %lld polygons, largest errors of area %.2g, of force %.2g\n", (long long)found,
               worst_area, worst_force);
}

// --- plain clipping ------------------------------------------------------------------------------
// One corner after the other by one face after the other, without lanes.

typedef struct Plain {
    Vec3 x[16];
    int count;
} Plain;

// the part of a polygon where the values v of a linear function at its corners are >= 0
static Plain clip_plainly(const Plain *p, const double *v) {
    Plain out = {.count = 0};
    for (int i = 0; i < p->count; i++) {
        int next = (i + 1) % p->count;
        if (v[i] >= 0)
            out.x[out.count++] = p->x[i];
        if ((v[i] >= 0) != (v[next] >= 0))
            out.x[out.count++] = v3_mix(p->x[i], p->x[next], v[i] / (v[i] - v[next]));
    }
    return out;
}

// the cut of a by the plane of equal pressure, clipped by b
static Plain plain_polygon(const LitheFieldTet *a, const LitheFieldTet *b) {
    Plain p = {.count = 0};
    double s[4], v[16];
    int up[4], down[4], ups = 0, downs = 0;
    for (int k = 0; k < 4; k++) {
        s[k] = a->corner[k] - field_tet_pressure(b, a->x[k]);
        if (s[k] >= 0)
            up[ups++] = k;
        else
            down[downs++] = k;
    }
    for (int i = 0; i < ups; i++)
        for (int j = 0; j < downs; j++) { // around a quadrangle: back on the second way
            int u = up[i], d = down[ups == 2 && i == 1 ? downs - 1 - j : j];
            p.x[p.count++] = v3_mix(a->x[u], a->x[d], s[u] / (s[u] - s[d]));
        }
    for (int k = 0; k < 4 && p.count > 0; k++) {
        for (int i = 0; i < p.count; i++)
            v[i] = (k == 0) + v3_dot(b->face[k], v3_sub(p.x[i], b->x[0]));
        p = clip_plainly(&p, v);
    }
    return p;
}

static double plain_area(const Plain *p, Vec3 *centre) {
    Vec3 sum = v3(0, 0, 0), moment = v3(0, 0, 0);
    double total = 0;
    for (int i = 1; i + 1 < p->count; i++)
        sum = v3_add(sum, v3_cross(v3_sub(p->x[i], p->x[0]), v3_sub(p->x[i + 1], p->x[0])));
    Vec3 n = v3_unit(sum);
    for (int i = 1; i + 1 < p->count; i++) {
        double t =
            0.5 * v3_dot(n, v3_cross(v3_sub(p->x[i], p->x[0]), v3_sub(p->x[i + 1], p->x[0])));
        total += t;
        moment = v3_axpy(t / 3, v3_add(p->x[0], v3_add(p->x[i], p->x[i + 1])), moment);
    }
    *centre = total > 0 ? v3_scale(1 / total, moment) : moment;
    return total;
}

// a kind for the second of a pair: two flat ones, or two needles, hardly ever meet
static uint64_t beside(uint64_t kind) {
    return kind == 2 || kind == 3 ? 0 : kind;
}

TEST(random_pairs_agree_with_plain_clipping) {
    TestRandom r = {17};
    int found[8] = {0}, of_corners[LITHE_POLYGON_MAX + 1] = {0};
    double worst = 0, worst_moment = 0;
    for (int i = 0; i < 100000; i++) {
        LitheFieldTet a, b;
        LithePolygon p;
        uint64_t kind = test_random_bits(&r) % 8;
        if (!random_tet(&r, kind, NULL, &a) || !random_tet(&r, beside(kind), &a, &b) ||
            is_in_face(&a, &b))
            continue;
        bool any = lithe_clip_tets(&a, &b, &p);
        Plain plain = plain_polygon(&a, &b);
        Vec3 centre;
        double area = plain_area(&plain, &centre);
        found[kind] += any;
        worst = fmax(worst, fabs((any ? p.area : 0) - area));
        if (!any)
            continue;
        of_corners[p.count]++;
        worst_moment = fmax(worst_moment, p.area * v3_distance(p.centre, centre));
        for (int k = p.count; k < LITHE_POLYGON_MAX; k++)
            CHECK(v3_distance(polygon_corner(&p, k), polygon_corner(&p, 0)) == 0);
    }
    CHECK_NEAR(worst, 0, 1e-9);
    CHECK_NEAR(worst_moment, 0, 1e-9);
    for (int kind = 0; kind < 8; kind++)
        CHECK(found[kind] > 100);
    for (int k = 3; k <= LITHE_POLYGON_MAX; k++)
        CHECK(of_corners[k] > 0);
}

#if defined(__x86_64__)
static bool same_polygon(const LithePolygon *p, const LithePolygon *q) {
    return memcmp(p->x, q->x, sizeof p->x) == 0 && p->count == q->count &&
           memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 &&
           memcmp(&p->centre, &q->centre, sizeof p->centre) == 0 && p->area == q->area &&
           p->pressure == q->pressure && p->stiffness == q->stiffness && p->share == q->share;
}

TEST(all_processors_give_the_same_bits) {
    TestRandom r = {19};
    if (!__builtin_cpu_supports("avx2"))
        return;
    for (int i = 0; i < 30000; i++) {
        LitheFieldTet a, b;
        LithePolygon p[3], q[3];
        uint64_t kind = test_random_bits(&r) % 8;
        if (!random_tet(&r, kind, NULL, &a) || !random_tet(&r, beside(kind), &a, &b))
            continue;
        Vec3 n = v3_unit(v3_cross(v3_sub(b.x[1], b.x[0]), v3_sub(b.x[2], b.x[0])));
        double level = v3_dot(n, b.x[3]);
        bool any[3] = {lithe_clip_portable_tets(&a, &b, &p[0]),
                       lithe_clip_portable_triangle(&a, b.x, n, &p[1]),
                       lithe_clip_portable_plane(&a, n, level, &p[2])};
        bool other[3] = {lithe_clip_avx2_tets(&a, &b, &q[0]),
                         lithe_clip_avx2_triangle(&a, b.x, n, &q[1]),
                         lithe_clip_avx2_plane(&a, n, level, &q[2])};
        for (int k = 0; k < 3; k++) {
            Vec3 points[3], others[3];
            FATAL(any[k] == other[k]);
            if (!any[k])
                continue;
            CHECK(same_polygon(&p[k], &q[k]));
            lithe_clip_portable_points(&p[k], points);
            lithe_clip_avx2_points(&q[k], others);
            CHECK(memcmp(points, others, sizeof points) == 0);
        }
    }
}
#endif

// the force on b is minus that on a, whichever is named first
TEST(both_orders_of_two_tetrahedra_give_one_polygon) {
    TestRandom r = {3};
    for (int i = 0; i < 20000; i++) {
        LitheFieldTet a, b;
        LithePolygon p, q;
        if (!random_tet(&r, 0, NULL, &a) || !random_tet(&r, 0, NULL, &b))
            continue;
        bool any = lithe_clip_tets(&a, &b, &p), other = lithe_clip_tets(&b, &a, &q);
        if (!any || !other) {
            CHECK(any == other || (any ? p.area : q.area) < 1e-9);
            continue;
        }
        CHECK_NEAR(p.area, q.area, 1e-10);
        CHECK_NEAR(v3_distance(p.normal, v3_neg(q.normal)), 0, 1e-12);
        CHECK_NEAR(p.area * p.pressure, q.area * q.pressure, 1e-10);
        CHECK_NEAR(p.stiffness, q.stiffness, 1e-10 * p.stiffness);
    }
}

TEST(three_points_have_the_moments_of_the_polygon) {
    TestRandom r = {5};
    for (int i = 0; i < 2000; i++) {
        LitheFieldTet tet;
        LithePolygon p;
        if (!random_tet(&r, 0, NULL, &tet) ||
            !lithe_clip_plane(&tet, v3_unit(random_point(&r, 1)), test_random(&r, -0.3, 0.3), &p))
            continue;
        Vec3 points[3];
        lithe_polygon_points(&p, points);
        Vec3 d = random_point(&r, 1);
        double first = 0, second = 0, three_first = 0, three_second = 0;
        for (int k = 0; k < 3; k++) {
            double s = v3_dot(d, v3_sub(points[k], p.centre));
            three_first += p.area / 3 * s;
            three_second += p.area / 3 * s * s;
            // the pressure is nowhere negative there
            CHECK(p.pressure + v3_dot(p.slope, v3_sub(points[k], p.centre)) > -1e-9);
        }
        // exact: midpoints of the sides of the triangles of a fan
        for (int k = 1; k + 1 < p.count; k++) {
            Vec3 t[3] = {polygon_corner(&p, 0), polygon_corner(&p, k), polygon_corner(&p, k + 1)};
            double area = 0.5 * v3_norm(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])));
            for (int m = 0; m < 3; m++) {
                double s = v3_dot(d, v3_sub(v3_mix(t[m], t[(m + 1) % 3], 0.5), p.centre));
                first += area / 3 * s;
                second += area / 3 * s * s;
            }
        }
        CHECK_NEAR(three_first, first, 1e-13);
        CHECK_NEAR(three_second, second, 1e-12);
    }
}

// the force of a tetrahedron on its own surface: the integral of grad p
TEST(triangles_of_a_closed_surface_give_the_integral_of_the_gradient) {
    const Vec3 c[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    LitheFieldTet tet;
    FATAL(lithe_field_tet((Vec3[4]){{-9, -9, -9}, {30, -9, -9}, {-9, 30, -9}, {-9, -9, 30}},
                          (double[4]){1, 2, 5, 3}, &tet));
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    Vec3 sum = v3(0, 0, 0);
    for (int i = 0; i < 4; i++) {
        Vec3 t[3] = {c[faces[i][0]], c[faces[i][1]], c[faces[i][2]]};
        LithePolygon p;
        Vec3 n = v3_unit(v3_cross(v3_sub(t[1], t[0]), v3_sub(t[2], t[0])));
        FATAL(lithe_clip_triangle(&tet, t, n, &p));
        sum = v3_axpy(p.area * p.pressure, p.normal, sum);
    }
    CHECK_NEAR(v3_distance(sum, v3_scale(1.0 / 6, tet.slope)), 0, 1e-14);
}

TEST(tetrahedra_without_volume_are_refused) {
    LitheFieldTet tet;
    CHECK(!lithe_field_tet((Vec3[4]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}},
                           (double[4]){0, 0, 0, 1}, &tet));
    CHECK(!lithe_field_tet((Vec3[4]){{0, 0, 0}, {NAN, 0, 0}, {0, 1, 0}, {1, 1, 1}},
                           (double[4]){0, 0, 0, 1}, &tet));
}
