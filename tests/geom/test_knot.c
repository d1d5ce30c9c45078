// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_knot.c - knot determinant, clearance, loose overhand knots

#include "base/memory.h"
#include "geom/knot.h"
#include "geom/segment.h"
#include "math/quat.h"

#include "test.h"

enum { MAX = 6000 };

static int64_t determinant(const Vec3 *points, int32_t count) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    int64_t d = lithe_knot_determinant(points, count, context, &error);
    if (d < 0)
        printf("  %s\n", error.text);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return d;
}

/// Torus knot (p, q), cut open where it is outermost, so that the ends leave freely.
static void torus_knot(int p, int q, Vec3 *out, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double t = 2 * M_PI * (i + 0.5) / count, r = 3 + cos(q * t);
        out[i] = v3(r * cos(p * t), r * sin(p * t), sin(q * t));
    }
}

TEST(straight_line_has_determinant_one) {
    Vec3 line[50];
    for (int i = 0; i < 50; i++)
        line[i] = v3(0.01 * i, 0.02 * i, -0.01 * i);
    CHECK(determinant(line, 50) == 1);
    CHECK(determinant(line, 2) == 1);
    CHECK(determinant(line, 1) == 1);
}

TEST(wavy_and_coiled_unknotted_lines_have_determinant_one) {
    static Vec3 p[2000];
    for (int i = 0; i < 2000; i++) {
        double t = 0.1 * i;
        // a coil that swells and shrinks: hundreds of crossings from most sides
        p[i] =
            v3(0.03 * t + sin(2 * t), (2 + cos(0.37 * t)) * cos(t), (2 + cos(0.37 * t)) * sin(t));
    }
    CHECK(determinant(p, 2000) == 1);
    for (int i = 0; i < 2000; i++)
        p[i] = v3(0.01 * i, sin(0.3 * i), cos(0.017 * i));
    CHECK(determinant(p, 2000) == 1);
}

TEST(figure_eight_knot_has_determinant_five) {
    static Vec3 p[300];
    for (int i = 0; i < 300; i++) {
        double t = 2 * M_PI * (i + 0.5) / 300;
        p[i] = v3((2 + cos(2 * t)) * cos(3 * t), (2 + cos(2 * t)) * sin(3 * t), sin(4 * t));
    }
    CHECK(determinant(p, 300) == 5);
}

TEST(torus_knots_have_their_known_determinants) {
    static Vec3 p[MAX];
    // the determinant of the torus knot (p, q) is 1 if both are odd; if one is even, it is the odd
    // one
    const int known[][3] = {{2, 3, 3}, {2, 5, 5}, {2, 7, 7}, {3, 4, 3},   {3, 5, 1},
                            {4, 5, 5}, {5, 6, 5}, {5, 7, 1}, {2, 41, 41}, {7, 8, 7}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        torus_knot(known[k][0], known[k][1], p, 3001);
        CHECK_NEAR(determinant(p, 3001), known[k][2], 0);
    }
}

TEST(knots_tied_one_after_the_other_multiply_their_determinants) {
    static Vec3 p[MAX];
    LitheKnotForm form;
    int32_t n = 0;
    // trefoil, (2,5), (2,7), trefoil along one rod: more than forty crossings from most sides
    const int kinds[4] = {1, 2, 3, 1};
    for (int k = 0; k < 4; k++) {
        FATAL(lithe_knot_form(kinds[k], 0.003, &form));
        lithe_knot_points(&form, p + n, 1001);
        double shift = (n ? p[n - 1].x + 0.01 : 0) - p[n].x;
        for (int i = 0; i < 1001; i++)
            p[n + i].x += shift;
        n += 1001;
    }
    CHECK(determinant(p, n) == 3 * 5 * 7 * 3);
}

TEST(determinant_survives_rigid_motion_and_mirror_and_reversal) {
    static Vec3 p[801], q[801];
    LitheKnotForm form;
    FATAL(lithe_knot_form(3, 0.002, &form));
    lithe_knot_points(&form, p, 801);
    TestRandom r = {5};
    for (int trial = 0; trial < 20; trial++) {
        Vec3 turn = v3(test_random(&r, -3, 3), test_random(&r, -3, 3), test_random(&r, -3, 3));
        for (int i = 0; i < 801; i++) {
            q[i] = v3_add(q4_rotate(q4_exp(turn), p[trial % 2 ? i : 800 - i]), turn);
            if (trial % 3 == 0)
                q[i].z = -q[i].z;
        }
        CHECK(determinant(q, 801) == 7);
    }
}

TEST(a_flat_coil_of_a_hundred_turns_is_unknotted) {
    // more than ten thousand crossings from above
    static Vec3 p[900];
    for (int i = 0; i < 900; i++) {
        double turns = 100.3 * i / 899;
        p[i] = v3(0.1 * cos(2 * M_PI * turns), 0.1 * sin(2 * M_PI * turns), 1e-4 * turns);
    }
    CHECK(determinant(p, 900) == 1);
}

TEST(a_thousand_crossings_give_the_determinant_of_their_torus_knot) {
    static Vec3 p[MAX];
    torus_knot(2, 1001, p, 6000);
    CHECK_NEAR(determinant(p, 6000), 1001, 0);
    torus_knot(31, 32, p, 5999);
    CHECK_NEAR(determinant(p, 5999), 31, 0);
}

LONG_TEST(a_curve_with_more_crossings_than_the_work_allows_is_left_undecided) {
    enum { COUNT = 20000 };
    static Vec3 p[COUNT];
    TestRandom r = {3};
    for (int i = 0; i < COUNT; i++)
        p[i] = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    CHECK(lithe_knot_determinant(p, COUNT, context, &error) < 0);
    CHECK(error.status == LITHE_NOT_SUPPORTED);
    CHECK_TEXT(error.text, "20000 points");
    CHECK_TEXT(error.text, "too much work");
    CHECK(lithe_knot_determinant(p, 600, context, &error) < 0);
    CHECK(error.status == LITHE_NOT_SUPPORTED);
    lithe_context_destroy(context);
}

TEST(a_curve_that_meets_itself_is_refused) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    Vec3 cross[5] = {{-1, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {0, 1, 0}, {0, -1, 0}};
    CHECK(lithe_knot_determinant(cross, 5, context, &error) < 0);
    CHECK_TEXT(error.text, "intersects itself");
    cross[2].x = NAN;
    CHECK(lithe_knot_determinant(cross, 5, context, &error) < 0);
    CHECK_TEXT(error.text, "point 2");
    lithe_context_destroy(context);
}

TEST(determinant_leaves_nothing_behind_at_any_failed_allocation) {
    static Vec3 p[801];
    LitheKnotForm form;
    FATAL(lithe_knot_form(4, 0.002, &form));
    lithe_knot_points(&form, p, 801);
    int failures = 0;
    for (int n = 1; n < 100; n++) {
        LitheContext *context = lithe_context_create(NULL);
        LitheError error = {0};
        lithe_context_fail_at(context, n);
        int64_t d = lithe_knot_determinant(p, 801, context, &error);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
        if (d == 9)
            break;
        CHECK(d < 0 && error.status == LITHE_NO_MEMORY);
        failures++;
    }
    CHECK(failures >= 5 && failures < 99);
}

TEST(clearance_equals_the_smallest_distance_over_all_pairs) {
    TestRandom r = {7};
    static Vec3 p[300];
    for (int trial = 0; trial < 10; trial++) {
        p[0] = v3(0, 0, 0);
        for (int i = 1; i < 300; i++)
            p[i] = v3_add(p[i - 1], v3(test_random(&r, -1, 1), test_random(&r, -1, 1),
                                       test_random(&r, -1, 1)));
        double skip = test_random(&r, 0, 8), want = INFINITY;
        for (int i = 0; i + 1 < 300; i++) {
            double apart = 0;
            for (int j = i + 1; j + 1 < 300; j++) {
                if (j > i + 1 && apart > skip)
                    want =
                        fmin(want, lithe_segment_closest(p[i], p[i + 1], p[j], p[j + 1]).distance);
                apart += v3_distance(p[j], p[j + 1]);
            }
        }
        CHECK_NEAR(lithe_knot_clearance(p, 300, skip, INFINITY), want, 1e-14);
        CHECK_NEAR(lithe_knot_clearance(p, 300, skip, 2 * want), want, 1e-14);
        CHECK(lithe_knot_clearance(p, 300, skip, 0.5 * want) >= 0.5 * want);
    }
}

LONG_TEST(overhand_knot_n_has_determinant_2n_plus_1) {
    static Vec3 p[MAX];
    for (int n = 1; n <= 12; n++) {
        LitheKnotForm form;
        FATAL(lithe_knot_form(n, 0.001, &form));
        int32_t count = lithe_knot_point_count(n);
        FATAL(count <= MAX);
        lithe_knot_points(&form, p, count);
        CHECK_NEAR(determinant(p, count), 2 * n + 1, 0);
    }
}

LONG_TEST(overhand_knot_keeps_its_strands_apart_and_has_length_one) {
    static Vec3 p[MAX];
    for (int n = 1; n <= 8; n++) {
        const double offset = 0.002;
        LitheKnotForm form;
        FATAL(lithe_knot_form(n, offset, &form));
        int32_t count = lithe_knot_point_count(n);
        lithe_knot_points(&form, p, count);
        double gap = lithe_knot_clearance(p, count, 4 * offset, INFINITY);
        CHECK(gap > 0.95 * 2 * offset && gap < 1.01 * 2 * offset);
        double length = 0;
        for (int32_t i = 0; i + 1 < count; i++)
            length += v3_distance(p[i], p[i + 1]);
        CHECK_NEAR(length, 1, 2e-3);
    }
}

TEST(overhand_knot_has_straight_tails_on_the_x_axis) {
    static Vec3 p[MAX];
    for (int n = 1; n <= 5; n++) {
        LitheKnotForm form;
        FATAL(lithe_knot_form(n, 0.002, &form));
        int32_t count = lithe_knot_point_count(n);
        lithe_knot_points(&form, p, count);
        for (int32_t i = 0; i < count; i++) {
            // on the axis, and outside the rest of the knot
            if (i < 0.04 * count || i >= 0.96 * count)
                CHECK(fabs(p[i].y) < 1e-12 && fabs(p[i].z) < 1e-12);
            CHECK(p[i].x >= p[0].x && p[i].x <= p[count - 1].x);
            // its own image under a half turn about y
            Vec3 q = p[count - 1 - i];
            CHECK_NEAR(v3_distance(p[i], v3(-q.x, q.y, -q.z)), 0, 1e-12);
        }
        CHECK(p[0].x < -0.1 && p[count - 1].x > 0.1);
    }
}

TEST(overhand_knot_is_smooth) {
    // turning angles between edges shrink as the edges do: no kink anywhere
    static Vec3 p[MAX];
    for (int n = 1; n <= 4; n++) {
        LitheKnotForm form;
        FATAL(lithe_knot_form(n, 0.00165, &form));
        double max[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            int32_t count = k ? 4001 : 2001;
            lithe_knot_points(&form, p, count);
            for (int32_t i = 1; i + 1 < count; i++)
                max[k] = fmax(max[k], v3_distance(v3_unit(v3_sub(p[i], p[i - 1])),
                                                  v3_unit(v3_sub(p[i + 1], p[i]))));
        }
        CHECK_NEAR(max[0] / max[1], 2, 0.05);
        // curvature of the knot, in units of 1/length
        CHECK(max[1] * 4000 < 15 + 10 * n);
    }
}

/// Integral of squared curvature of a polyline, times its length.
static double bending(const Vec3 *p, int32_t count) {
    double sum = 0, length = 0;
    for (int32_t i = 1; i + 1 < count; i++) {
        Vec3 a = v3_sub(p[i], p[i - 1]), b = v3_sub(p[i + 1], p[i]);
        double turn = v3_distance(v3_unit(a), v3_unit(b));
        sum += 2 * turn * turn / (v3_norm(a) + v3_norm(b));
        length += v3_norm(a);
    }
    return sum * length;
}

LONG_TEST(relaxing_takes_a_quarter_of_the_bending_and_keeps_type_gap_tails_and_symmetry) {
    static Vec3 laid[MAX], p[MAX];
    LitheContext *context = lithe_context_create(NULL);
    const double offsets[3] = {0.0003, 0.0019, 0.005}; // thin to thick
    for (int n = 1; n <= 4; n++) {
        for (int k = 0; k < 3; k++) {
            LitheKnotForm form;
            FATAL(lithe_knot_form(n, offsets[k], &form));
            int32_t count = lithe_knot_relaxed_count(n, offsets[k]);
            FATAL(count <= MAX && count % 2 == 1);
            lithe_knot_points(&form, laid, count);
            FATAL(lithe_knot_relax(&form, p, count, context, NULL) == LITHE_OK);
            CHECK_NEAR(determinant(p, count), 2 * n + 1, 0);
            CHECK(bending(p, count) < 0.75 * bending(laid, count));
            double gap = lithe_knot_clearance(p, count, 4 * offsets[k], INFINITY);
            CHECK(gap > 0.9 * 2 * offsets[k]);
            double length = 0;
            for (int32_t i = 0; i < count; i++) {
                if (i < 0.04 * count)
                    CHECK(fabs(p[i].y) < 1e-12 && fabs(p[i].z) < 1e-12);
                Vec3 q = p[count - 1 - i];
                CHECK_NEAR(v3_distance(p[i], v3(-q.x, q.y, -q.z)), 0, 1e-12);
                length += i ? v3_distance(p[i], p[i - 1]) : 0;
            }
            CHECK_NEAR(length, 1, 3e-3);
        }
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
