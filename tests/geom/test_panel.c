// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_panel.c - what of a triangle is over the face of a box

#include "test.h"

#include "geom/overlay.h"
#include "geom/panel.h"

#include <math.h>
#include <string.h>

static LithePanel panel_between(double x0, double x1, double y0, double y1) {
    return (LithePanel){.at = {0.5 * (x0 + x1), 0.5 * (y0 + y1), 0},
                        .u = {1, 0, 0},
                        .v = {0, 1, 0},
                        .normal = {0, 0, 1},
                        .half = {0.5 * (x1 - x0), 0.5 * (y1 - y0)}};
}

// area, its first moments, and the number of corners
static int sums_of(const LithePanel *panel, const Vec3 t[3], double sums[3]) {
    LitheCoverCorner corners[LITHE_COVER_MAX];
    double whole;
    int count = lithe_panel_cover(panel, t, corners, &whole);
    memset(sums, 0, 3 * sizeof *sums);
    for (int i = 0; i < count; i++) {
        Vec3 p = lithe_panel_point(panel, corners[i].x);
        sums[0] += corners[i].area;
        sums[1] += corners[i].area * p.x;
        sums[2] += corners[i].area * p.y;
    }
    return count;
}

static void draw_triangle(TestRandom *r, Vec3 t[3]) {
    for (int k = 0; k < 3; k++)
        t[k] = v3(test_random(r, -2, 2), test_random(r, -2, 2), test_random(r, -0.1, 0.1));
}

TEST(the_area_over_a_panel_is_that_over_its_two_triangles) {
    const LithePanel panel = panel_between(-1, 1, -0.6, 0.6);
    const Vec3 low[3] = {{-1, -0.6, 0}, {1, -0.6, 0}, {1, 0.6, 0}},
               high[3] = {{-1, -0.6, 0}, {1, 0.6, 0}, {-1, 0.6, 0}};
    TestRandom r = {5};
    int met = 0;
    for (int trial = 0; trial < 2000; trial++) {
        Vec3 t[3];
        LitheOverlayCorner corners[LITHE_OVERLAY_MAX];
        double sums[3], width, area = 0;
        draw_triangle(&r, t);
        met += sums_of(&panel, t, sums) > 0;
        for (int half = 0; half < 2; half++) {
            int count = lithe_overlay(t, half ? high : low, v3(0, 0, 1), corners, &width);
            for (int i = 0; i < count; i++)
                area += corners[i].area;
        }
        CHECK(fabs(sums[0] - area) < 1e-9);
    }
    CHECK(met > 1000 && met < 2000);
}

// exact for linear functions: the moments of two halves add up to those of the whole
TEST(sums_over_the_corners_integrate_linear_functions) {
    const LithePanel whole = panel_between(-1, 1, -0.6, 0.6),
                     left = panel_between(-1, 0.3, -0.6, 0.6),
                     right = panel_between(0.3, 1, -0.6, 0.6);
    TestRandom r = {6};
    for (int trial = 0; trial < 2000; trial++) {
        Vec3 t[3];
        double a[3], b[3], c[3];
        draw_triangle(&r, t);
        sums_of(&whole, t, a);
        sums_of(&left, t, b);
        sums_of(&right, t, c);
        for (int k = 0; k < 3; k++)
            CHECK(fabs(a[k] - b[k] - c[k]) < 1e-9);
    }
}

TEST(corners_over_a_panel_are_of_the_triangle_of_the_panel_or_crossings_each_once) {
    const LithePanel panel = panel_between(-1, 1, -0.6, 0.6);
    TestRandom r = {7};
    int kinds[3] = {0, 0, 0}, most = 0;
    for (int trial = 0; trial < 2000; trial++) {
        Vec3 t[3];
        LitheCoverCorner c[LITHE_COVER_MAX];
        double whole;
        draw_triangle(&r, t);
        int count = lithe_panel_cover(&panel, t, c, &whole);
        most = count > most ? count : most;
        for (int i = 0; i < count; i++) {
            bool corner = c[i].at < LITHE_AT_EDGE, inside = c[i].at == LITHE_AT_INSIDE;
            kinds[corner ? 0 : inside ? 2 : 1]++;
            CHECK(corner == (c[i].feature == 0));
            CHECK(fabs(c[i].x[0]) < 1 + 1e-9 && fabs(c[i].x[1]) < 0.6 + 1e-9);
            if (corner)
                CHECK(v3_distance(lithe_panel_point(&panel, c[i].x),
                                  v3(t[c[i].at].x, t[c[i].at].y, 0)) < 1e-12);
            if (inside) // a corner of the panel
                CHECK(fabs(fabs(c[i].x[0]) - 1) < 1e-9 && fabs(fabs(c[i].x[1]) - 0.6) < 1e-9);
            for (int j = 0; j < i; j++)
                CHECK(c[i].at != c[j].at || c[i].feature != c[j].feature);
        }
    }
    CHECK(kinds[0] > 100 && kinds[1] > 100 && kinds[2] > 100 && most == LITHE_COVER_MAX);
}

TEST(the_panel_of_a_box_is_the_face_towards_a_direction) {
    LitheGeom box = {.kind = LITHE_GEOM_BOX, .half = {1, 2, 3}};
    LithePose pose = {.at = {5, 6, 7}, .q = q4_exp(v3(0, 0, M_PI / 2))};
    LithePanel up = lithe_panel_of(&box, &pose, v3(0.1, 0.2, 0.9)),
               aside = lithe_panel_of(&box, &pose, v3(-9, 1, 2)); // +y of the box
    CHECK(v3_distance(up.at, v3(5, 6, 10)) < 1e-12 && v3_distance(up.normal, v3(0, 0, 1)) < 1e-12);
    CHECK(v3_distance(aside.at, v3(3, 6, 7)) < 1e-12);
    CHECK(up.half[0] == 1 && up.half[1] == 2 && aside.half[0] == 3 && aside.half[1] == 1);
}
