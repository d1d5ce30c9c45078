// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_overlay.c - the polygon that two triangles share, against sampling

#include "geom/overlay.h"

#include "test.h"

#include <math.h>

static bool covers(const Vec3 t[3], double x, double y) {
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 p = t[k], q = t[(k + 1) % 3];
        double side = (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        left += side > 0;
        right += side < 0;
    }
    return left == 0 || right == 0;
}

static Vec3 point_at(const Vec3 t[3], int at) {
    if (at < LITHE_AT_EDGE)
        return t[at];
    return t[at - LITHE_AT_EDGE];
}

TEST(area_of_the_overlay_is_that_of_the_points_in_both_triangles) {
    TestRandom r = {7};
    double worst = 0;
    for (int run = 0; run < 40; run++) {
        Vec3 a[3], b[3];
        for (int k = 0; k < 3; k++) {
            a[k] = v3(test_random(&r, 0, 1), test_random(&r, 0, 1), test_random(&r, -1, 1));
            b[k] = v3(test_random(&r, 0, 1), test_random(&r, 0, 1), test_random(&r, -1, 1));
        }
        LitheOverlayCorner out[LITHE_OVERLAY_MAX];
        double width;
        int count = lithe_overlay(a, b, v3(0, 0, 1), out, &width);
        double area = 0, sampled = 0;
        for (int i = 0; i < count; i++) {
            CHECK(out[i].area > 0);
            area += out[i].area;
        }
        enum { N = 300 };
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                sampled += covers(a, (i + 0.5) / N, (j + 0.5) / N) &&
                                   covers(b, (i + 0.5) / N, (j + 0.5) / N)
                               ? 1.0 / (N * N)
                               : 0;
        worst = fmax(worst, fabs(area - sampled));
    }
    printf("  largest difference of areas %.2g\n", worst);
    CHECK(worst < 5e-3);
}

TEST(corners_of_one_triangle_inside_another_carry_a_uniform_pressure_as_its_nodes_do) {
    // a lies inside of b: its corners carry a third each, and b's place is its inside
    Vec3 a[3] = {{0.1, 0.1, 0}, {0.2, 0.1, 0}, {0.1, 0.3, 0}};
    Vec3 b[3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}};
    LitheOverlayCorner out[LITHE_OVERLAY_MAX];
    double width;
    CHECK(lithe_overlay(a, b, v3(0, 0, 1), out, &width) == 3);
    for (int i = 0; i < 3; i++) {
        CHECK(out[i].on_a == i && out[i].on_b == LITHE_AT_INSIDE);
        CHECK_NEAR(out[i].area, 0.01 / 3, 1e-15);
    }
    // the same triangle twice, one of them turned over
    Vec3 c[3] = {a[0], a[2], a[1]};
    CHECK(lithe_overlay(a, c, v3(0, 0, 1), out, &width) == 3);
    for (int i = 0; i < 3; i++) {
        CHECK(out[i].on_a < LITHE_AT_EDGE && out[i].on_b < LITHE_AT_EDGE);
        CHECK_NEAR(v3_distance(point_at(a, out[i].on_a), point_at(c, out[i].on_b)), 0, 1e-15);
    }
}

TEST(crossing_edges_have_the_numbers_of_their_triangles) {
    // a star of two triangles: six crossings of edges
    Vec3 a[3], b[3];
    for (int k = 0; k < 3; k++) {
        double turn = 2 * M_PI * k / 3;
        a[k] = v3(cos(turn), sin(turn), 0);
        b[k] = v3(-cos(turn), sin(turn), 0.1); // clockwise
    }
    LitheOverlayCorner out[LITHE_OVERLAY_MAX];
    double width;
    int count = lithe_overlay(a, b, v3(0, 0, 1), out, &width), seen[3][3] = {{0}};
    CHECK(count == 6);
    double area = 0;
    for (int i = 0; i < count; i++) {
        int e = out[i].on_a - LITHE_AT_EDGE, f = out[i].on_b - LITHE_AT_EDGE;
        area += out[i].area;
        if (!CHECK(e >= 0 && e < 3 && f >= 0 && f < 3))
            continue;
        seen[e][f]++;
        // the edges do cross
        Vec3 p = a[e], q = a[(e + 1) % 3], s = b[f], t = b[(f + 1) % 3];
        Vec3 m = v3_cross(v3_sub(q, p), v3_sub(s, p)), n = v3_cross(v3_sub(q, p), v3_sub(t, p));
        CHECK(m.z * n.z < 0);
    }
    for (int k = 0; k < 9; k++)
        CHECK(seen[k / 3][k % 3] <= 1);
    CHECK_NEAR(area, sqrt(3) / 2, 1e-12); // of a hexagon of side 1/sqrt(3)
    CHECK_NEAR(width, 0.75, 1e-12);       // over its diagonal 2/sqrt(3)
}

TEST(triangles_that_share_no_area_have_no_overlay) {
    Vec3 a[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, b[3] = {{1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    Vec3 c[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 1}};
    LitheOverlayCorner out[LITHE_OVERLAY_MAX];
    double width;
    CHECK(lithe_overlay(a, b, v3(0, 0, 1), out, &width) == 0); // a common edge
    CHECK(lithe_overlay(a, c, v3(0, 0, 1), out, &width) == 0); // seen edge-on
}

TEST(triangles_that_are_said_to_be_apart_have_no_overlay_and_others_have_one) {
    TestRandom r = {11};
    int apart = 0, shared = 0, wrong = 0, missed = 0;
    for (int run = 0; run < 20000; run++) {
        Vec3 a[3], b[3];
        Vec3 shift = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
        Vec3 along = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
        for (int k = 0; k < 3; k++) {
            a[k] = v3(test_random(&r, 0, 1), test_random(&r, 0, 1), test_random(&r, 0, 1));
            b[k] = v3_add(shift,
                          v3(test_random(&r, 0, 1), test_random(&r, 0, 1), test_random(&r, 0, 1)));
        }
        if (run % 4 == 0) // a common corner
            b[0] = a[run % 3];
        if (run % 8 == 0) // and a common edge
            b[1] = a[(run + 1) % 3];
        LitheOverlayCorner out[LITHE_OVERLAY_MAX];
        double width;
        bool none = lithe_overlay(a, b, v3_unit(along), out, &width) == 0;
        bool said = lithe_overlay_apart(a, b, along);
        wrong += said && !none;
        missed += none && !said && run % 4 != 0;
        apart += said;
        shared += !none;
    }
    printf("  %d apart, %d share an area, %d missed\n", apart, shared, missed);
    CHECK(apart > 1000 && shared > 1000 && wrong == 0);
    CHECK(missed == 0); // two triangles without a common corner
}
