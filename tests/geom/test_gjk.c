// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_gjk.c - GJK and the expanding polytope against independent closed forms

#include "shapes.h"

static LitheCore ball_like(double r) {
    return (LitheCore){.kind = LITHE_CORE_ELLIPSOID, .half = {r, r, r}};
}

static LitheCore box(Vec3 half) {
    return (LitheCore){.kind = LITHE_CORE_BOX, .half = half};
}

TEST(smooth_bodies_apart_have_their_distance_to_1e_10) {
    TestRandom r = {1};
    for (int i = 0; i < 2000; i++) {
        LitheCore a = ball_like(pow(10, test_random(&r, -1, 1)));
        LitheCore b = ball_like(pow(10, test_random(&r, -1, 1)));
        double gap = pow(10, test_random(&r, -3, 1)), d = a.half.x + b.half.x + gap;
        LitheCorePair pair = {&a, &b, q4_matrix(random_turn(&r)), v3_scale(d, random_unit(&r))};
        LitheCoreDistance out;
        LitheSimplex simplex;
        FATAL(lithe_gjk_apart(&pair, &out, &simplex));
        // relative to the distance, except for the rounding of the coordinates
        CHECK_NEAR(out.distance, gap, 1e-10 * gap + 1e-14 * d);
        CHECK_NEAR(v3_distance(out.normal, v3_unit(pair.at)), 0, 1e-4);
    }
}

TEST(smooth_bodies_that_overlap_have_their_depth_to_1e_7_of_the_size) {
    TestRandom r = {2};
    double worst = 0;
    for (int i = 0; i < 1000; i++) {
        LitheCore a = ball_like(pow(10, test_random(&r, -0.5, 0.5)));
        LitheCore b = ball_like(pow(10, test_random(&r, -0.5, 0.5)));
        double d = test_random(&r, 0, 1) * (a.half.x + b.half.x), depth = a.half.x + b.half.x - d;
        LitheCorePair pair = {&a, &b, q4_matrix(random_turn(&r)), v3_scale(d, random_unit(&r))};
        LitheCoreDistance out;
        lithe_gjk_distance(&pair, &out);
        CHECK_NEAR(-out.distance, depth, 1e-7 * (a.half.x + b.half.x));
        // the reported translation separates the bodies: it is never too short
        CHECK(-out.distance >= depth - 1e-14 * (a.half.x + b.half.x));
        worst = fmax(worst, (-out.distance - depth) / (a.half.x + b.half.x));
    }
    CHECK(worst < 1e-7);
}

TEST(boxes_overlapping_along_fifteen_axes_agree_with_the_polytope) {
    TestRandom r = {3};
    int overlaps = 0;
    for (int i = 0; i < 2000; i++) {
        LitheCore a =
            box(v3(test_random(&r, 0.1, 1), test_random(&r, 0.1, 1), test_random(&r, 0.1, 1)));
        LitheCore b =
            box(v3(test_random(&r, 0.1, 1), test_random(&r, 0.1, 1), test_random(&r, 0.1, 1)));
        Quat turn = i % 4 ? random_turn(&r) : q4_axis_angle(v3(0, 0, 1), i % 8 ? 0 : M_PI / 4);
        LitheCorePair pair = {&a, &b, q4_matrix(turn), random_vec(&r, 1)};
        LitheCoreDistance axes, polytope;
        LitheSimplex simplex;
        bool overlap = lithe_box_depth(&pair, &axes);
        bool apart = lithe_gjk_apart(&pair, &polytope, &simplex);
        CHECK(overlap != apart);
        if (!overlap || apart)
            continue;
        lithe_gjk_depth(&pair, &simplex, &polytope);
        // an edge axis within 1e-9 of the size of a face axis may be ignored
        CHECK_NEAR(axes.distance, polytope.distance, 1e-8);
        overlaps++;
    }
    CHECK(overlaps > 500);
}

TEST(a_segment_beside_a_cylinder_has_the_distance_of_the_search) {
    TestRandom r = {5};
    int beside = 0, ends = 0, along = 0;
    for (int i = 0; i < 4000; i++) {
        double radius = pow(10, test_random(&r, -1, 1)), half = pow(10, test_random(&r, -1, 1));
        LitheCore cylinder = lithe_core_frustum(-half, radius, half, radius);
        Vec3 p = random_vec(&r, 2 * radius + half), e = random_vec(&r, 3);
        if (i % 8 == 0)
            e.x = e.y = 0, along++;
        LitheCore segment = {.kind = LITHE_CORE_POINTS, .own = {p, v3_add(p, e)}, .count = 2};
        Quat turn = i % 8 ? random_turn(&r) : q4_identity();
        LitheCorePair pair = {&cylinder, &segment, q4_matrix(turn), random_vec(&r, 1)};
        // the same pair in the frame of the segment
        LitheCorePair back = {&segment, &cylinder, m3_transpose(pair.r),
                              v3_neg(m3_apply_transposed(&pair.r, pair.at))};
        LitheCoreDistance closed, other, search;
        LitheSimplex simplex;
        bool found = lithe_segment_cylinder_distance(&pair, &closed);
        CHECK(found == lithe_segment_cylinder_distance(&back, &other));
        if (!found) {
            ends++;
            continue;
        }
        beside++;
        double size = radius + half + v3_norm(p) + v3_norm(e);
        FATAL(lithe_gjk_apart(&pair, &search, &simplex));
        CHECK(closed.distance <= search.distance + 1e-12 * size);
        CHECK_NEAR(closed.distance, search.distance, 1e-7 * size);
        // points on both, at this distance along the normal
        LitheNearest on;
        lithe_core_nearest(&cylinder, closed.on_b, &on);
        CHECK_NEAR(on.distance, closed.distance, 1e-13 * size);
        Vec3 x = m3_apply_transposed(&pair.r, v3_sub(closed.on_b, pair.at));
        double s = fmin(fmax(v3_dot(v3_sub(x, p), e) / v3_dot(e, e), 0), 1);
        CHECK_NEAR(v3_distance(x, v3_axpy(s, e, p)), 0, 1e-13 * size);
        CHECK_NEAR(v3_distance(closed.on_b, v3_axpy(closed.distance, closed.normal, closed.on_a)),
                   0, 1e-13 * size);
        // the same from the other side
        CHECK_NEAR(other.distance, closed.distance, 1e-12 * size);
        CHECK_NEAR(v3_distance(m3_apply(pair.r, other.normal), v3_neg(closed.normal)), 0, 1e-5);
        CHECK_NEAR(v3_distance(v3_add(pair.at, m3_apply(pair.r, other.on_b)), closed.on_a), 0,
                   1e-5 * size);
    }
    CHECK(beside > 500 && ends > 500 && along > 100);
}

TEST(nearly_touching_polyhedra_keep_their_digits) {
    LitheCore a = box(v3(1, 1, 1)), b = box(v3(1, 1, 1));
    for (int k = 1; k <= 12; k++) {
        double gap = pow(10, -k);
        LitheCorePair pair = {&a, &b, m3_identity(), v3(0.3, 0.2, 2 + gap)};
        LitheCoreDistance out;
        lithe_gjk_distance(&pair, &out);
        CHECK_NEAR(out.distance, gap, 4e-15);
        CHECK_NEAR(out.normal.z, 1, 1e-12);
        pair.at.z = 2 - gap;
        lithe_gjk_distance(&pair, &out);
        CHECK_NEAR(out.distance, -gap, 4e-15);
        CHECK_NEAR(out.normal.z, 1, 1e-12);
    }
}

TEST(flat_differences_have_no_depth_and_a_normal_perpendicular_to_them) {
    // two triangles in one plane, and two segments on one line
    LitheCore a = lithe_core_triangle(v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0));
    LitheCorePair pair = {&a, &a, m3_identity(), v3(0.1, 0.1, 0)};
    LitheCoreDistance out;
    lithe_gjk_distance(&pair, &out);
    CHECK_NEAR(out.distance, 0, 1e-14);
    CHECK_NEAR(fabs(out.normal.z), 1, 1e-12);
    LitheCore s = {.kind = LITHE_CORE_POINTS, .own = {{0, 0, 0}, {1, 0, 0}}, .count = 2};
    pair = (LitheCorePair){&s, &s, m3_identity(), v3(0.5, 0, 0)};
    lithe_gjk_distance(&pair, &out);
    CHECK_NEAR(out.distance, 0, 1e-14);
    CHECK_NEAR(out.normal.x, 0, 1e-12);
    LitheCore p = {.kind = LITHE_CORE_POINTS, .own = {{1, 2, 3}}, .count = 1};
    pair = (LitheCorePair){&p, &p, m3_identity(), v3(0, 0, 0)};
    lithe_gjk_distance(&pair, &out);
    CHECK_NEAR(out.distance, 0, 1e-14);
    CHECK_NEAR(v3_norm(out.normal), 1, 1e-12);
}

TEST(exit_along_a_direction_ends_in_touch) {
    TestRandom r = {4};
    int met = 0;
    for (int i = 0; i < 1000; i++) {
        LitheCore a = box(v3(1, 0.7, 0.4));
        LitheCore b = i % 2 ? ball_like(0.5) : lithe_core_frustum(-0.5, 0.3, 0.6, 0.1);
        LitheCorePair pair = {&a, &b, q4_matrix(random_turn(&r)), random_vec(&r, 1.5)};
        Vec3 n = random_unit(&r);
        double t = lithe_gjk_exit(&pair, n, NULL);
        LitheCorePair moved = pair;
        LitheCoreDistance d;
        if (t == -INFINITY) {
            // they never meet along the line
            for (int k = -40; k <= 40; k++) {
                moved.at = v3_axpy(0.1 * k, n, pair.at);
                lithe_gjk_distance(&moved, &d);
                CHECK(d.distance > -1e-9);
            }
            continue;
        }
        met++;
        moved.at = v3_axpy(t, n, pair.at);
        lithe_gjk_distance(&moved, &d);
        CHECK_NEAR(d.distance, 0, 1e-9);
        // and beyond it they stay apart
        for (int k = 1; k < 10; k++) {
            moved.at = v3_axpy(t + 0.1 * k, n, pair.at);
            lithe_gjk_distance(&moved, &d);
            CHECK(d.distance > 0);
        }
    }
    CHECK(met > 300);
}

TEST(scale_and_place_do_not_matter) {
    TestRandom r = {5};
    for (int i = 0; i < 300; i++) {
        Vec3 at = random_vec(&r, 3);
        Mat3 turn = q4_matrix(random_turn(&r));
        double want = 0;
        for (int k = -6; k <= 6; k += 3) {
            double scale = pow(10, k);
            LitheCore a = box(v3(scale, 0.5 * scale, 0.2 * scale));
            LitheCore b = lithe_core_frustum(-scale, 0.3 * scale, scale, 0.6 * scale);
            LitheCorePair pair = {&a, &b, turn, v3_scale(scale, at)};
            LitheCoreDistance out;
            lithe_gjk_distance(&pair, &out);
            if (k == -6)
                want = out.distance / scale;
            CHECK_NEAR(out.distance / scale, want, 1e-8);
        }
    }
}
