// SPDX-License-Identifier: Apache-2.0
// tests/law/test_imc.c - smooth distance of segments, contact energy, both kinds of friction

#include "law/imc_pair.h"

#include "geom/segment.h"
#include "math/eigen.h"
#include "math/quat.h"

#include "test.h"

static const LitheSmoothSetting smooth = {50, 1e-2};
static const LitheImcSetting imc = {{50, 1e-2}, 50};

typedef enum Kind {
    RANDOM,
    CROSSING,     // both places within
    PARALLEL,     // exactly, side by side
    NEARLY,       // 1e-3 rad from it
    ANTIPARALLEL, // side by side, partly
    END_TO_END,   // in one line, apart
    END_TO_SIDE,  // an end beside the middle
    AT_ENDS,      // common normal at an end of each
    CORNERS,      // ends of both, at an angle
    KINDS,
} Kind;

static Vec3 random_vector(TestRandom *r, double size) {
    return v3(test_random(r, -size, size), test_random(r, -size, size),
              test_random(r, -size, size));
}

// four ends, of segments about 1 long and 0.3 to 1 apart, turned at random
static void make(TestRandom *r, Kind kind, double x[12]) {
    static const double form[KINDS][12] = {
        [CROSSING] = {-.5, 0, 0, .5, 0, 0, .1, -.4, .5, .2, .6, .5},
        [PARALLEL] = {0, 0, 0, 1, 0, 0, .2, .5, 0, 1.1, .5, 0},
        [NEARLY] = {0, 0, 0, 1, 0, 0, 0, .5, 0, 1, .501, 5e-4},
        [ANTIPARALLEL] = {0, 0, 0, 1, 0, 0, 1.6, .4, 0, .6, .4, 0},
        [END_TO_END] = {0, 0, 0, 1, 0, 0, 1.5, 0, 0, 2.4, 0, 0},
        [END_TO_SIDE] = {0, 0, 0, 1, 0, 0, .4, .5, 0, .5, 1.4, .1},
        [AT_ENDS] = {0, 0, 0, 1, 0, 0, 1, 0, .5, 1, 1, .5},
        [CORNERS] = {0, 0, 0, 1, 0, 0, 1.4, .3, 0, 2, 1, .2},
    };
    Quat turn = q4_axis_angle(v3_unit(random_vector(r, 1)), test_random(r, 0, 6));
    for (int p = 0; p < 4; p++)
        v3_store(kind == RANDOM ? random_vector(r, 1)
                                : q4_rotate(turn, v3_load(form[kind] + 3 * p)),
                 x + 3 * p);
}

static double exact(const double x[12]) {
    return lithe_segment_closest(v3_load(x), v3_load(x + 3), v3_load(x + 6), v3_load(x + 9))
        .distance;
}

// --- distance ------------------------------------------------------------------------------------

typedef double Value(const double x[12], double gradient[12], double hessian[144], bool second);

static double distance_value(const double x[12], double g[12], double H[144], bool second) {
    LitheSmoothDistance near;
    if (!lithe_imc_distance(x, &smooth, second, &near))
        return NAN;
    memcpy(g, near.gradient, sizeof near.gradient);
    if (second)
        memcpy(H, near.hessian, sizeof near.hessian);
    return near.distance;
}

static double energy_value(const double x[12], double g[12], double H[144], bool second) {
    LitheImcPair pair;
    if (!lithe_imc_pair(x, 0.5, 2, &imc, second, &pair))
        return NAN;
    memcpy(g, pair.gradient, sizeof pair.gradient);
    if (second)
        memcpy(H, pair.hessian, sizeof pair.hessian);
    return pair.energy;
}

// Orders in the step of what is left of the value after first and second order terms.
static void taylor(Value *value, Kind kind, double order[2]) {
    TestRandom r = {100 + (uint64_t)kind};
    double sum[2][2] = {{0}};
    for (int n = 0; n < 200; n++) {
        double x[12], g[12], H[144], dx[12], y[12], none[12], first = 0, second = 0;
        make(&r, kind, x);
        double E = value(x, g, H, true);
        // random ends may nearly touch: there is no length scale there
        if (kind == RANDOM && exact(x) < 0.2)
            continue;
        for (int i = 0; i < 12; i++)
            dx[i] = test_random(&r, -1, 1);
        for (int i = 0; i < 12; i++) {
            first += g[i] * dx[i];
            for (int j = 0; j < 12; j++)
                second += 0.5 * dx[i] * H[12 * i + j] * dx[j];
        }
        for (int s = 0; s < 2; s++) {
            double h = s == 0 ? 4e-5 : 2e-5;
            for (int i = 0; i < 12; i++)
                y[i] = x[i] + h * dx[i];
            double rest = value(y, none, NULL, false) - E - h * first;
            sum[0][s] += fabs(rest);
            sum[1][s] += fabs(rest - h * h * second);
        }
    }
    for (int k = 0; k < 2; k++)
        order[k] = log2(sum[k][0] / sum[k][1]);
}

TEST(distance_has_an_exact_gradient_and_hessian_also_parallel_and_end_to_end) {
    for (int kind = 0; kind < KINDS; kind++) {
        double order[2];
        taylor(distance_value, (Kind)kind, order);
        if (!CHECK_NEAR(order[0], 2, 0.1) || !CHECK_NEAR(order[1], 3, 0.1))
            printf("  kind %d\n", kind);
    }
}

TEST(contact_energy_has_an_exact_gradient_and_hessian) {
    for (int kind = 0; kind < KINDS; kind++) {
        double order[2];
        taylor(energy_value, (Kind)kind, order);
        if (!CHECK_NEAR(order[0], 2, 0.1) || !CHECK_NEAR(order[1], 3, 0.1))
            printf("  kind %d\n", kind);
    }
}

TEST(distance_is_never_below_that_of_the_segments_and_near_it) {
    TestRandom r = {3};
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        double x[12];
        LitheSmoothDistance near;
        make(&r, (Kind)(n % KINDS), x);
        FATAL(lithe_imc_distance(x, &smooth, false, &near));
        double away = near.distance - exact(x);
        CHECK(away >= -1e-12);
        worst = fmax(worst, away);
        CHECK(fabs(near.t - 0.5) < 0.5 + 1e-12 && fabs(near.u - 0.5) < 0.5 + 1e-12);
    }
    // an end is missed by log(2)/k of a segment, up to 2 long here
    CHECK(worst < 0.12);
}

TEST(distance_tends_to_that_of_the_segments_as_the_clamps_sharpen) {
    double last = INFINITY;
    for (double k = 50; k < 5000; k *= 4) {
        LitheSmoothSetting sharp = {k, 1e-4 * 50 / k};
        TestRandom r = {5};
        double worst = 0;
        for (int n = 0; n < 3000; n++) {
            double x[12];
            LitheSmoothDistance near;
            make(&r, RANDOM, x);
            FATAL(lithe_imc_distance(x, &sharp, false, &near));
            worst = fmax(worst, near.distance - exact(x));
        }
        CHECK(worst < 0.6 * last);
        last = worst;
    }
}

// (15) of the paper does not clamp the reassigned place: collinear segments would touch at any
// distance
TEST(segments_in_one_line_keep_their_distance) {
    TestRandom r = {7};
    double x[12];
    LitheSmoothDistance near;
    make(&r, END_TO_END, x);
    FATAL(lithe_imc_distance(x, &smooth, false, &near));
    CHECK_NEAR(near.distance, 0.5, 0.04);
}

TEST(force_is_continuous_through_parallel) {
    // one segment turns through parallel to the other in steps of 1e-4 rad: the gradient never
    // changes by more than the Hessian predicts
    double last[12] = {0}, largest = 0;
    for (int n = -200; n <= 200; n++) {
        double angle = 1e-4 * n, x[12] = {0, 0, 0, 1, 0, 0, 0, .5, 0, 0, 0, 0};
        LitheSmoothDistance near;
        for (int p = 0; p < 2; p++) {
            double s = p - 0.5;
            v3_store(v3(0.5 + s * cos(angle), 0.5 + 0.5 * s * sin(angle), s * sin(angle)),
                     x + 6 + 3 * p);
        }
        FATAL(lithe_imc_distance(x, &smooth, false, &near));
        for (int i = 0; n > -200 && i < 12; i++)
            largest = fmax(largest, fabs(near.gradient[i] - last[i]));
        memcpy(last, near.gradient, sizeof last);
    }
    CHECK(largest < 0.02);
    CHECK(largest > 1e-5);
}

TEST(motion_of_the_whole_changes_nothing) {
    TestRandom r = {9};
    for (int n = 0; n < 300; n++) {
        double x[12];
        LitheImcPair pair;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 1e-3)
            continue;
        FATAL(lithe_imc_pair(x, 0.8, 2, &imc, false, &pair));
        Vec3 force = v3(0, 0, 0), moment = v3(0, 0, 0);
        for (int p = 0; p < 4; p++) {
            Vec3 f = v3_load(pair.gradient + 3 * p);
            force = v3_add(force, f);
            moment = v3_add(moment, v3_cross(v3_load(x + 3 * p), f));
        }
        CHECK_NEAR(v3_norm(force), 0, 1e-12);
        CHECK_NEAR(v3_norm(moment), 0, 1e-10);
    }
}

TEST(what_has_no_derivative_is_refused) {
    LitheSmoothDistance near;
    const double point[12] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 0};
    const double crossing[12] = {-1, 0, 0, 1, 0, 0, 0, -1, 0, 0, 1, 0};
    const double parallel[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    LitheSmoothSetting printed = {50, 0};
    CHECK(!lithe_imc_distance(point, &smooth, true, &near));
    CHECK(!lithe_imc_distance(crossing, &smooth, true, &near));
    CHECK(!lithe_imc_distance(parallel, &printed, true, &near));
    CHECK(lithe_imc_distance(parallel, &smooth, true, &near));
}

// --- energy --------------------------------------------------------------------------------------

TEST(half_of_the_largest_force_acts_where_surfaces_touch) {
    const double x[12] = {-.5, 0, 0, .5, 0, 0, 0, -.5, .4, 0, .5, .4};
    LitheImcPair pair;
    FATAL(lithe_imc_pair(x, 0.4, 3, &imc, false, &pair));
    CHECK_NEAR(pair.force, 1.5, 1e-9);
    // it pushes the two apart
    CHECK(pair.gradient[2] > 0 && pair.gradient[8] < 0);
    FATAL(lithe_imc_pair(x, 0.8, 3, &imc, false, &pair));
    CHECK_NEAR(pair.force, 3, 1e-6);
}

TEST(a_projected_hessian_has_no_negative_curvature) {
    TestRandom r = {21};
    int changed = 0;
    for (int n = 0; n < 200; n++) {
        double x[12], values[12], work[LITHE_EIGEN_WORK(12)];
        LitheImcPair pair;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 1e-2)
            continue;
        FATAL(lithe_imc_pair(x, 0.5, 2, &imc, true, &pair));
        changed += lithe_imc_project(&pair) > 0;
        double H[144];
        memcpy(H, pair.hessian, sizeof H);
        FATAL(lithe_eigen_symmetric(12, H, values, work));
        CHECK(values[0] >= -1e-12 * fmax(values[11], 1));
    }
    CHECK(changed > 100);
}

// --- glide ---------------------------------------------------------------------------------------

TEST(sliding_friction_has_an_exact_jacobian) {
    TestRandom r = {31};
    LitheGlideSetting setting = {0.3, 50, 0.15};
    double sum[2] = {0, 0};
    for (int n = 0; n < 200; n++) {
        double x[12], v[12], f[12], J[144], dx[12];
        LitheImcPair pair;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 0.2)
            continue;
        for (int i = 0; i < 12; i++) {
            v[i] = test_random(&r, -0.1, 0.1);
            dx[i] = test_random(&r, -1, 1);
        }
        FATAL(lithe_imc_pair(x, 0.5, 2, &imc, true, &pair));
        lithe_imc_glide(pair.gradient, pair.hessian, 0.5, v, &setting, f, J);
        for (int s = 0; s < 2; s++) {
            double h = s == 0 ? 4e-5 : 2e-5, y[12], g[12], rest = 0;
            for (int i = 0; i < 12; i++)
                y[i] = x[i] + h * dx[i];
            FATAL(lithe_imc_pair(y, 0.5, 2, &imc, false, &pair));
            lithe_imc_glide(pair.gradient, NULL, 0.5, v, &setting, g, NULL);
            for (int i = 0; i < 12; i++) {
                double line = f[i];
                for (int j = 0; j < 12; j++)
                    line += h * J[12 * i + j] * dx[j];
                rest = fmax(rest, fabs(g[i] - line));
            }
            sum[s] += rest;
        }
    }
    CHECK_NEAR(log2(sum[0] / sum[1]), 2, 0.1);
}

TEST(sliding_friction_is_mu_times_the_force_against_the_motion) {
    const double x[12] = {-.5, 0, 0, .5, 0, 0, 0, -.5, .4, 0, .5, .4};
    const double v[12] = {1, 0, 7, 1, 0, 7, 0, 0, 0, 0, 0, 0};
    LitheGlideSetting setting = {0.3, 50, 0.15};
    LitheImcPair pair;
    double f[12];
    FATAL(lithe_imc_pair(x, 0.4, 3, &imc, false, &pair));
    lithe_imc_glide(pair.gradient, NULL, 0.4, v, &setting, f, NULL);
    CHECK_NEAR(f[0] + f[3], -0.3 * 1.5, 1e-9);
    CHECK_NEAR(f[6] + f[9], 0.3 * 1.5, 1e-9);
    CHECK_NEAR(f[2], 0, 1e-12);
}

// --- stick ---------------------------------------------------------------------------------------

TEST(sticking_friction_is_the_gradient_of_its_potential_and_never_negative) {
    TestRandom r = {41};
    double sum[2][2] = {{0}};
    for (int n = 0; n < 400; n++) {
        double e = 0.1, first = 0, second = 0;
        Vec3 s = v3_scale(test_random(&r, 0.001, 0.2), v3_unit(random_vector(&r, 1))), g, none;
        Vec3 ds = random_vector(&r, 1);
        Mat3 H, other;
        // the third derivative jumps at |s| = e
        if (fabs(v3_norm(s) - e) < 1e-2)
            continue;
        double U = lithe_imc_stick(s, 2, e, &g, &H);
        first = v3_dot(g, ds);
        second = 0.5 * v3_dot(ds, m3_apply(H, ds));
        CHECK(second >= 0);
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 4e-5 : 2e-5;
            double rest = lithe_imc_stick(v3_axpy(h, ds, s), 2, e, &none, &other) - U - h * first;
            sum[0][k] += fabs(rest);
            sum[1][k] += fabs(rest - h * h * second);
        }
    }
    CHECK_NEAR(log2(sum[0][0] / sum[0][1]), 2, 0.1);
    CHECK_NEAR(log2(sum[1][0] / sum[1][1]), 3, 0.1);
}

TEST(sticking_friction_reaches_its_bound_at_the_stick_speed_and_keeps_it) {
    Vec3 g;
    Mat3 H;
    lithe_imc_stick(v3(0, 0, 0), 2, 0.1, &g, &H);
    CHECK_NEAR(v3_norm(g), 0, 0);
    CHECK_NEAR(H.m[0][0], 40, 1e-12);
    lithe_imc_stick(v3(0.1, 0, 0), 2, 0.1, &g, &H);
    CHECK_NEAR(g.x, 2, 1e-12);
    lithe_imc_stick(v3(0, 5, 0), 2, 0.1, &g, &H);
    CHECK_NEAR(g.y, 2, 1e-12);
}

TEST(the_slope_with_directions_of_their_own_is_the_hessian_where_they_agree_and_never_negative) {
    TestRandom r = {61};
    for (int n = 0; n < 300; n++) {
        double e = 0.1;
        Vec3 s = v3_scale(test_random(&r, 1e-3, 0.3), v3_unit(random_vector(&r, 1))), g;
        Mat3 H;
        lithe_imc_stick(s, 2, e, &g, &H);
        Mat3 G = lithe_imc_stick_slope(s, v3_scale(0.5, g), 2, e);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(G.m[i / 3][i % 3], H.m[i / 3][i % 3], 1e-10 * H.m[0][0] + 1e-10);
        // without a change of slip the direction converges to that of the force
        Vec3 z = lithe_imc_stick_aim(s, v3(0, 0, 0), random_vector(&r, 0.5), e);
        CHECK_NEAR(v3_distance(z, v3_scale(0.5, g)), 0, 1e-12);
        G = lithe_imc_stick_slope(s, v3_unit(random_vector(&r, 1)), 2, e);
        Vec3 x = random_vector(&r, 1);
        CHECK(v3_dot(x, m3_apply(G, x)) >= -1e-12);
    }
}

TEST(contact_of_a_free_pair_has_no_net_force_and_no_net_moment) {
    TestRandom r = {52};
    for (int n = 0; n < 300; n++) {
        double x[12], max = 3, size = 0;
        LitheSmoothDistance near;
        LitheImcPair pair;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 1e-2)
            continue;
        FATAL(lithe_imc_distance(x, &smooth, false, &near));
        FATAL(lithe_imc_pair(x, near.distance, max, &imc, false, &pair));
        Vec3 force = v3(0, 0, 0), moment = force;
        for (int p = 0; p < 4; p++) {
            Vec3 at = v3_load(x + 3 * p), f = v3_neg(v3_load(pair.gradient + 3 * p));
            force = v3_add(force, f);
            moment = v3_add(moment, v3_cross(at, f));
            size = fmax(size, v3_norm(at));
        }
        CHECK_NEAR(pair.force, 0.5 * max, 1e-10);
        CHECK_NEAR(v3_norm(force), 0, 1e-10 * pair.force);
        CHECK_NEAR(v3_norm(moment), 0, 1e-10 * pair.force * size);
    }
}

// the moment of friction is that of two opposite forces at the places on the centrelines
TEST(friction_on_the_centrelines_turns_no_edge) {
    TestRandom r = {52};
    for (int n = 0; n < 300; n++) {
        double x[12], J[3][16];
        LitheSmoothDistance near;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 1e-2)
            continue;
        FATAL(lithe_imc_distance(x, &smooth, false, &near));
        lithe_imc_surface(x, near.t, near.u, test_random(&r, 0.2, 0.8), false, J);
        const double weights[4] = {1 - near.t, near.t, near.u - 1, -near.u};
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 16; i++)
                CHECK_NEAR(J[k][i], i % 4 == k ? weights[i / 4] : 0, 1e-14);
    }
}

// forces on the ends, and a torque about each edge where it twists
TEST(sticking_friction_on_a_free_pair_has_no_net_force_and_no_net_moment) {
    TestRandom r = {51};
    for (int n = 0; n < 300; n++) {
        double x[12], J[3][16], f[16] = {0};
        LitheSmoothDistance near;
        make(&r, (Kind)(n % KINDS), x);
        if (exact(x) < 1e-2)
            continue;
        FATAL(lithe_imc_distance(x, &smooth, false, &near));
        lithe_imc_surface(x, near.t, near.u, test_random(&r, 0.2, 0.8), true, J);
        Vec3 push = random_vector(&r, 1), force = v3(0, 0, 0), moment = force;
        for (int i = 0; i < 16; i++)
            f[i] = push.x * J[0][i] + push.y * J[1][i] + push.z * J[2][i];
        for (int p = 0; p < 4; p++) {
            force = v3_add(force, v3_load(f + 4 * p));
            moment = v3_add(moment, v3_cross(v3_load(x + 3 * p), v3_load(f + 4 * p)));
        }
        for (int p = 0; p < 4; p += 2) {
            Vec3 t = v3_unit(v3_sub(v3_load(x + 3 * p + 3), v3_load(x + 3 * p)));
            moment = v3_axpy(f[4 * p + 3], t, moment);
        }
        CHECK_NEAR(v3_norm(force), 0, 1e-10);
        CHECK_NEAR(v3_norm(moment), 0, 1e-10);
    }
}
