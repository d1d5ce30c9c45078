// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_crossing.c - planted crossings are all found, near misses are not reported
//
// LITHE_TEST_FULL in the environment runs a million motions instead of ten thousand.

#include "geom/crossing.h"
#include "geom/segment.h"
#include "shapes.h"

static Vec3 at_time(const LitheMovingPoint *p, double t) {
    return v3_mix(p->x0, p->x1, t);
}

static double segments_at(const LitheMovingPoint a[2], const LitheMovingPoint b[2], double t) {
    return lithe_segment_closest(at_time(&a[0], t), at_time(&a[1], t), at_time(&b[0], t),
                                 at_time(&b[1], t))
        .distance;
}

/// Moves p so that its position at time t is x, keeping its displacement.
static void place(LitheMovingPoint *p, double t, Vec3 x) {
    Vec3 shift = v3_sub(x, at_time(p, t));
    p->x0 = v3_add(p->x0, shift);
    p->x1 = v3_add(p->x1, shift);
}

static LitheMovingPoint random_motion(TestRandom *r, double step) {
    Vec3 x = random_vec(r, 1);
    return (LitheMovingPoint){x, v3_add(x, random_vec(r, step))};
}

static int motions(void) {
    return full_run() ? 1000000 : 10000;
}

TEST(every_planted_crossing_of_segments_is_found_no_later_than_planted) {
    TestRandom r = {1};
    for (int i = 0; i < motions() && test_list.failures < 10; i++) {
        double step = pow(10, test_random(&r, -5, 1)), t = test_random(&r, 0, 1);
        LitheMovingPoint a[2] = {random_motion(&r, step), random_motion(&r, step)};
        LitheMovingPoint b[2] = {random_motion(&r, step), random_motion(&r, step)};
        // the point of b at v lies on the point of a at u at time t; sometimes at ends
        double u = i % 7 == 0 ? i % 2 : test_random(&r, 0, 1);
        double v = i % 11 == 0 ? i % 2 : test_random(&r, 0, 1);
        Vec3 meet = v3_mix(at_time(&a[0], t), at_time(&a[1], t), u);
        Vec3 shift = v3_sub(meet, v3_mix(at_time(&b[0], t), at_time(&b[1], t), v));
        for (int k = 0; k < 2; k++)
            place(&b[k], t, v3_add(at_time(&b[k], t), shift));
        double time = -1;
        // two ends meet only up to rounding: not checked
        bool found = lithe_crossing_segments(a, b, &time);
        CHECK(found);
        if (found) {
            CHECK(time >= 0 && time <= t + 1e-9 / step);
            CHECK(segments_at(a, b, time) <= 1e-12 * (1 + step));
        }
    }
}

/// True when halving proves that the segments stay apart: distance against displacement.
static bool proved_apart(const LitheMovingPoint a[2], const LitheMovingPoint b[2], double t0,
                         double t1, double speed, int depth) {
    double d = segments_at(a, b, 0.5 * (t0 + t1));
    if (d > speed * 0.5 * (t1 - t0) * (1 + 1e-12) + 1e-13)
        return true;
    if (depth == 0)
        return false;
    double m = 0.5 * (t0 + t1);
    return proved_apart(a, b, t0, m, speed, depth - 1) &&
           proved_apart(a, b, m, t1, speed, depth - 1);
}

TEST(no_crossing_is_reported_where_halving_proves_none) {
    TestRandom r = {2};
    int proved = 0, crossed = 0;
    for (int i = 0; i < motions() && test_list.failures < 10; i++) {
        double step = pow(10, test_random(&r, -2, 0.5));
        LitheMovingPoint a[2] = {random_motion(&r, step), random_motion(&r, step)};
        LitheMovingPoint b[2] = {random_motion(&r, step), random_motion(&r, step)};
        // half of them near misses
        if (i % 2) {
            double t = test_random(&r, 0, 1);
            Vec3 meet = v3_mix(at_time(&a[0], t), at_time(&a[1], t), test_random(&r, -0.1, 1.1));
            Vec3 shift = v3_sub(meet, v3_mix(at_time(&b[0], t), at_time(&b[1], t), 1.01));
            shift = v3_axpy(pow(10, test_random(&r, -6, -1)), random_unit(&r), shift);
            for (int k = 0; k < 2; k++)
                place(&b[k], t, v3_add(at_time(&b[k], t), shift));
        }
        double time = -1, speed = 0;
        for (int k = 0; k < 4; k++)
            speed = fmax(speed, v3_norm(v3_sub(v3_sub(a[k / 2].x1, a[k / 2].x0),
                                               v3_sub(b[k % 2].x1, b[k % 2].x0))));
        bool apart = proved_apart(a, b, 0, 1, speed, 30);
        bool found = lithe_crossing_segments(a, b, &time);
        CHECK(!(apart && found));
        // the two results are complements except for touches
        CHECK(apart || found);
        proved += apart;
        crossed += found;
    }
    CHECK(proved > motions() / 4 && crossed > motions() / 50);
}

// all pairs, one by one
static int32_t plain_curve(const Vec3 *before, const Vec3 *after, int32_t count) {
    int32_t crossings = 0;
    for (int32_t i = 0; i + 1 < count; i++)
        for (int32_t j = i + 2; j + 1 < count; j++) {
            LitheMovingPoint a[2] = {{before[i], after[i]}, {before[i + 1], after[i + 1]}};
            LitheMovingPoint b[2] = {{before[j], after[j]}, {before[j + 1], after[j + 1]}};
            double time;
            crossings += lithe_crossing_segments(a, b, &time);
        }
    return crossings;
}

TEST(crossings_of_a_curve_are_those_of_all_its_pairs) {
    enum { POINTS = 200 };
    TestRandom r = {5};
    int32_t crossed = 0, clean = 0;
    for (int i = 0; i < 60; i++) {
        // a random walk of uneven edges, little or far moved
        Vec3 before[POINTS], after[POINTS], at = v3(0, 0, 0);
        double step = pow(10, test_random(&r, -4, 0.5));
        for (int k = 0; k < POINTS; k++) {
            at = v3_add(at, random_vec(&r, test_random(&r, 0.1, 1)));
            before[k] = at;
            after[k] = v3_add(at, random_vec(&r, step));
        }
        int32_t found = lithe_crossing_curve(before, after, POINTS);
        CHECK(found == plain_curve(before, after, POINTS));
        crossed += found > 0;
        clean += found == 0;
    }
    CHECK(crossed > 10 && clean > 10);
    // too short for two edges that are no neighbours
    Vec3 few[3] = {v3(0, 0, 0), v3(1, 0, 0), v3(0, 0, 0)};
    CHECK(lithe_crossing_curve(few, few, 3) == 0);
    CHECK(lithe_crossing_curve(few, few, 0) == 0);
}

TEST(motions_in_one_plane_and_along_one_line_are_decided) {
    // two segments in the plane z = 0: one slides into the other's side
    LitheMovingPoint a[2] = {{v3(-1, 0, 0), v3(-1, 0, 0)}, {v3(1, 0, 0), v3(1, 0, 0)}};
    LitheMovingPoint b[2] = {{v3(0, 1, 0), v3(0, -1, 0)}, {v3(0, 2, 0), v3(0, 0, 0)}};
    double time = -1;
    CHECK(lithe_crossing_segments(a, b, &time));
    CHECK_NEAR(time, 0.5, 1e-9);
    // it stops just before
    b[0].x1.y = 1e-9;
    b[1].x1.y = 1 + 1e-9;
    CHECK(!lithe_crossing_segments(a, b, &time));
    // head on, on one line
    LitheMovingPoint c[2] = {{v3(2, 0, 0), v3(0.5, 0, 0)}, {v3(3, 0, 0), v3(1.5, 0, 0)}};
    CHECK(lithe_crossing_segments(a, c, &time));
    CHECK_NEAR(time, 2.0 / 3, 1e-9);
    // parallel, sweeping over each other in the plane
    LitheMovingPoint d[2] = {{v3(-1, 0, 1), v3(-1, 0, -1)}, {v3(1, 0, 1), v3(1, 0, -1)}};
    CHECK(lithe_crossing_segments(a, d, &time));
    CHECK_NEAR(time, 0.5, 1e-9);
    // nothing moves
    LitheMovingPoint e[2] = {{v3(0, 1, 0), v3(0, 1, 0)}, {v3(0, 2, 0), v3(0, 2, 0)}};
    CHECK(!lithe_crossing_segments(a, e, &time));
    LitheMovingPoint f[2] = {{v3(0, -1, 0), v3(0, -1, 0)}, {v3(0, 2, 0), v3(0, 2, 0)}};
    CHECK(lithe_crossing_segments(a, f, &time));
    CHECK_NEAR(time, 0, 1e-12);
}

TEST(two_passes_in_one_step_report_the_first) {
    // b swings through a and back: the relative rotation gives the cubic more than one root
    TestRandom r = {3};
    int several = 0;
    for (int i = 0; i < 2000; i++) {
        LitheMovingPoint a[2] = {random_motion(&r, 3), random_motion(&r, 3)};
        LitheMovingPoint b[2] = {random_motion(&r, 3), random_motion(&r, 3)};
        double time, again;
        if (!lithe_crossing_segments(a, b, &time) || time > 0.9 || time == 0)
            continue;
        // the motion up to just before has none
        LitheMovingPoint c[2], d[2];
        for (int k = 0; k < 2; k++) {
            c[k] = (LitheMovingPoint){a[k].x0, at_time(&a[k], time - 1e-9)};
            d[k] = (LitheMovingPoint){b[k].x0, at_time(&b[k], time - 1e-9)};
        }
        CHECK(!lithe_crossing_segments(c, d, &again));
        for (int k = 0; k < 2; k++) {
            c[k] = (LitheMovingPoint){at_time(&a[k], time + 1e-6), a[k].x1};
            d[k] = (LitheMovingPoint){at_time(&b[k], time + 1e-6), b[k].x1};
        }
        several += lithe_crossing_segments(c, d, &again);
    }
    CHECK(several > 5);
}

TEST(planted_piercings_of_triangles_are_found) {
    TestRandom r = {4};
    for (int i = 0; i < motions() / 2 && test_list.failures < 10; i++) {
        double step = pow(10, test_random(&r, -4, 0.5)), t = test_random(&r, 0, 1);
        LitheMovingPoint a[2] = {random_motion(&r, step), random_motion(&r, step)};
        LitheMovingPoint c[3] = {random_motion(&r, step), random_motion(&r, step),
                                 random_motion(&r, step)};
        double u = test_random(&r, 0, 0.5), v = test_random(&r, 0, 0.5);
        Vec3 meet = v3_add(v3_scale(1 - u - v, at_time(&c[0], t)),
                           v3_add(v3_scale(u, at_time(&c[1], t)), v3_scale(v, at_time(&c[2], t))));
        // an end, or an inner point, of the segment lies there at time t
        double s = i % 2 ? 0 : test_random(&r, 0, 1);
        Vec3 shift = v3_sub(meet, v3_mix(at_time(&a[0], t), at_time(&a[1], t), s));
        for (int k = 0; k < 2; k++)
            place(&a[k], t, v3_add(at_time(&a[k], t), shift));
        double time = -1;
        bool found = lithe_crossing_segment_triangle(a, c, &time);
        CHECK(found);
        CHECK(time >= 0 && time <= t + 1e-9 / step);
    }
    // above the face, passing beside it
    LitheMovingPoint flat[3] = {
        {v3(0, 0, 0), v3(0, 0, 0)}, {v3(1, 0, 0), v3(1, 0, 0)}, {v3(0, 1, 0), v3(0, 1, 0)}};
    LitheMovingPoint beside[2] = {{v3(0.6, 0.6, 1), v3(0.6, 0.6, -1)}, {v3(1, 1, 1), v3(1, 1, -1)}};
    double time;
    CHECK(!lithe_crossing_segment_triangle(beside, flat, &time));
}

LONG_TEST(turning_shapes_are_never_closer_than_the_gap_before_the_reported_time) {
    TestRandom r = {5};
    LitheContext *context = lithe_context_create(NULL);
    Shape *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    int hits = 0, misses = 0;
    static const int kind[] = {LITHE_GEOM_BOX, LITHE_GEOM_CYLINDER, LITHE_GEOM_CONVEX_MESH,
                               LITHE_GEOM_CAPSULE, LITHE_GEOM_TRIANGLE_MESH};
    int trials = full_run() ? 5000 : 150;
    for (int i = 0; i < trials && test_list.failures < 10; i++) {
        shape_make(context, &r, kind[i % 4], a);
        shape_make(context, &r, kind[i % 5], b);
        LithePose pa[2], pb[2];
        pa[0] = place_make(random_vec(&r, 2), random_turn(&r));
        pa[1] = place_make(random_vec(&r, 2), q4_mul(q4_exp(random_vec(&r, 1.5)), pa[0].q));
        pb[0] = place_make(random_vec(&r, 2), random_turn(&r));
        pb[1] = place_make(random_vec(&r, 2), q4_mul(q4_exp(random_vec(&r, 1.5)), pb[0].q));
        double gap = 0.01, time = -1;
        bool hit = lithe_crossing_shapes(&a->geom, pa, &b->geom, pb, gap, &time);
        hits += hit;
        misses += !hit;
        for (int k = 0; k <= 200; k++) {
            double t = k / 200.0;
            LithePose qa = place_make(
                v3_mix(pa[0].at, pa[1].at, t),
                q4_mul(q4_exp(v3_scale(t, q4_log(q4_mul(pa[1].q, q4_conj(pa[0].q))))), pa[0].q));
            LithePose qb = place_make(
                v3_mix(pb[0].at, pb[1].at, t),
                q4_mul(q4_exp(v3_scale(t, q4_log(q4_mul(pb[1].q, q4_conj(pb[0].q))))), pb[0].q));
            LitheClosest near;
            lithe_geom_distance(&a->geom, &qa, &b->geom, &qb, &near);
            if (!hit || t < time)
                CHECK(near.distance > gap * (1 - 1e-6));
        }
        shape_free(a);
        shape_free(b);
    }
    CHECK(hits > trials / 10 && misses > trials / 10);
    free(a);
    free(b);
    lithe_context_destroy(context);
}

TEST(a_fast_thin_rod_does_not_tunnel_through_a_thin_turning_plate) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = {.kind = LITHE_GEOM_BOX, .size = {1, 1, 1e-4}};
    LitheGeom plate;
    LitheError error;
    FATAL(lithe_geom_compile(context, &def, &plate, &error) == LITHE_OK);
    TestRandom r = {6};
    for (int i = 0; i < 200; i++) {
        LithePose pose[2] = {place_identity(),
                             place_make(v3(0, 0, 0), q4_exp(v3(0, 0, test_random(&r, -2, 2))))};
        Vec3 x = v3(test_random(&r, -0.3, 0.3), test_random(&r, -0.3, 0.3), 3);
        Vec3 y = v3_add(x, random_vec(&r, 0.2));
        Vec3 down = v3(0, 0, -8);
        LitheMovingPoint rod[2] = {{x, v3_add(x, down)}, {y, v3_add(y, down)}};
        double time = -1, want = (fmin(x.z, y.z) - 1e-3 - 0.5e-4 - 1e-5) / 8;
        CHECK(lithe_crossing_segment_shape(rod, 1e-3, &plate, pose, 1e-5, &time));
        CHECK_NEAR(time, want, 1e-9);
        CHECK(time <= want + 1e-12);
    }
    lithe_context_destroy(context);
}

// Two edges of one plane, a millimetre apart, that glide along each other at millions of times that
// distance: (13) alone would halve the motion into millions of intervals.
TEST(motions_of_many_times_the_distance_end) {
    double time = -1;
    // x along the edges, y across, in a frame that is turned: boxes overlap
    const double x[2][2][2] = {{{0, 1e3}, {4e3, 5e3}}, {{2e3, 1e3}, {5e3, 4e3}}};
    LitheMovingPoint p[2][2];
    for (int k = 0; k < 4; k++) {
        double across = k < 2 ? 0 : 1e-3, from = x[k / 2][k % 2][0], to = x[k / 2][k % 2][1];
        p[k / 2][k % 2] =
            (LitheMovingPoint){v3(0.6 * from - 0.8 * across, 0.8 * from + 0.6 * across, 0),
                               v3(0.6 * to - 0.8 * across, 0.8 * to + 0.6 * across, 0)};
    }
    CHECK(lithe_crossing_segments(p[0], p[1], &time));
    CHECK(time >= 0 && time <= 1);
}
