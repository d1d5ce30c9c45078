// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_segment.c - closest points of two segments against independent searches

#include "geom/segment.h"

#include "test.h"

static Vec3 random_point(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

typedef long double Real;

/// Distance from the point a0 + s (a1 - a0) to segment b, in long double.
static Real distance_at(Vec3 a0, Vec3 a1, Real s, Vec3 b0, Vec3 b1) {
    Real r[3] = {a0.x + s * ((Real)a1.x - a0.x) - b0.x, a0.y + s * ((Real)a1.y - a0.y) - b0.y,
                 a0.z + s * ((Real)a1.z - a0.z) - b0.z};
    Real d[3] = {(Real)b1.x - b0.x, (Real)b1.y - b0.y, (Real)b1.z - b0.z};
    Real dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    Real t = dd > 0 ? (r[0] * d[0] + r[1] * d[1] + r[2] * d[2]) / dd : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    Real e2 = 0;
    for (int k = 0; k < 3; k++)
        e2 += (r[k] - t * d[k]) * (r[k] - t * d[k]);
    return sqrtl(e2);
}

/// distance_at is convex in s: search it by thirds.
static double brute_distance(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1) {
    Real low = 0, high = 1;
    Real best = fminl(distance_at(a0, a1, 0, b0, b1), distance_at(a0, a1, 1, b0, b1));
    for (int i = 0; i < 110; i++) {
        Real m = low + (high - low) / 3, n = high - (high - low) / 3;
        Real f = distance_at(a0, a1, m, b0, b1), g = distance_at(a0, a1, n, b0, b1);
        best = fminl(best, fminl(f, g));
        if (f < g)
            high = n;
        else
            low = m;
    }
    return (double)best;
}

static void check_pair(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1) {
    LitheSegmentPair got = lithe_segment_closest(a0, a1, b0, b1);
    double size = v3_norm(a0) + v3_norm(a1) + v3_norm(b0) + v3_norm(b1);
    double want = brute_distance(a0, a1, b0, b1);
    // relative where the segments are apart; rounding of the coordinates where they touch
    CHECK_NEAR(got.distance, want, 1e-12 * want + 4e-16 * size);
    CHECK(got.s >= 0 && got.s <= 1 && got.t >= 0 && got.t <= 1);
    Vec3 p = v3_mix(a0, a1, got.s), q = v3_mix(b0, b1, got.t);
    CHECK_NEAR(v3_distance(p, q), got.distance, 1e-12 * want + 4e-16 * size);
    CHECK_NEAR(lithe_segment_closest(b0, b1, a0, a1).distance, got.distance,
               1e-12 * want + 4e-16 * size);
}

TEST(random_segments_agree_with_a_search) {
    TestRandom r = {1};
    for (int i = 0; i < 3000; i++) {
        double size = pow(10, test_random(&r, -3, 3));
        check_pair(random_point(&r, size), random_point(&r, size), random_point(&r, size),
                   random_point(&r, size));
    }
}

TEST(parallel_and_nearly_parallel_segments_agree_with_a_search) {
    TestRandom r = {2};
    for (int i = 0; i < 2000; i++) {
        Vec3 a0 = random_point(&r, 1), a1 = random_point(&r, 1);
        double tilt = i % 4 == 0 ? 0 : pow(10, test_random(&r, -16, -2));
        Vec3 shift = v3_scale(pow(10, test_random(&r, -6, 0)), random_point(&r, 1));
        Vec3 b0 = v3_add(v3_mix(a0, a1, test_random(&r, -1, 2)), shift);
        Vec3 b1 = v3_axpy(test_random(&r, -2, 2), v3_sub(a1, a0), b0);
        check_pair(a0, a1, b0, v3_axpy(tilt, random_point(&r, 1), b1));
    }
}

TEST(segments_shrunk_to_points_agree_with_a_search) {
    TestRandom r = {3};
    for (int i = 0; i < 1000; i++) {
        Vec3 a0 = random_point(&r, 1), a1 = random_point(&r, 1), b0 = random_point(&r, 1);
        check_pair(a0, a1, b0, b0);
        check_pair(b0, b0, a0, a1);
        check_pair(a0, a0, b0, b0);
        check_pair(a0, a0, a0, a0);
        // nearly a point
        check_pair(a0, v3_axpy(1e-14, a1, a0), b0, v3_axpy(1e-9, a1, b0));
    }
}

TEST(touching_and_crossing_segments_have_no_distance) {
    TestRandom r = {4};
    for (int i = 0; i < 2000; i++) {
        Vec3 a0 = random_point(&r, 1), a1 = random_point(&r, 1), b1 = random_point(&r, 1);
        // b starts on a, or passes through it
        Vec3 on = v3_mix(a0, a1, i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : test_random(&r, 0, 1));
        CHECK_NEAR(lithe_segment_closest(a0, a1, on, b1).distance, 0, 1e-15);
        Vec3 b0 = v3_axpy(-test_random(&r, 0, 1), v3_sub(b1, on), on);
        CHECK_NEAR(lithe_segment_closest(a0, a1, b0, b1).distance, 0, 1e-15);
        // crossing at a grazing angle
        b1 = v3_axpy(pow(10, test_random(&r, -7, -1)), random_point(&r, 1), a1);
        b0 = v3_axpy(-1, v3_sub(b1, on), on);
        CHECK_NEAR(lithe_segment_closest(a0, a1, b0, b1).distance, 0, 1e-14);
        // lying on each other
        CHECK_NEAR(lithe_segment_closest(a0, a1, v3_mix(a0, a1, 0.3), v3_mix(a0, a1, 1.7)).distance,
                   0, 1e-15);
    }
}

TEST(a_cross_of_two_bars_gives_the_middles_exactly) {
    LitheSegmentPair p =
        lithe_segment_closest(v3(-1, 0, 0), v3(1, 0, 0), v3(0, -2, 0.5), v3(0, 2, 0.5));
    CHECK(p.distance == 0.5 && p.s == 0.5 && p.t == 0.5);
}
