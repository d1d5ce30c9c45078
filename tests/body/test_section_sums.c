// SPDX-License-Identifier: Apache-2.0
// tests/body/test_section_sums.c - sums over the mass of a section against law/pcc.c, point by
// point

#include "body/section_sums.h"

#include "law/pcc.h"
#include "test.h"

static Vec3 vector_at(const double (*x)[LITHE_SECTION_NODES], int n) {
    return v3(x[0][n], x[1][n], x[2][n]);
}

static void check_vector(const double *got, Vec3 want) {
    CHECK_NEAR(v3_distance(v3_load(got), want), 0, 2e-14);
}

// points and slopes from law/pcc.c, then the moments from them
static void check_place(const LitheSectionSums *sums, const LitheRigidLink *link,
                        LitheSectionWork *section) {
    LitheSectionMoments got;
    Vec3 moment = {0, 0, 0}, lin[3] = {{0}}, ang[3] = {{0}};
    double second[3][3] = {{0}}, own[3][3] = {{0}};
    sums->place(link, section);
    sums->moments(section, &got);
    for (int n = 0; n < LITHE_SECTION_NODES; n++) {
        LithePccPoint at;
        LithePccFunctions f = lithe_pcc_functions_at(section->y, lithe_pcc_nodes[n]);
        double dm = link->line_mass * lithe_pcc_weights[n], p[3];
        lithe_pcc_point(section->y, NULL, lithe_pcc_nodes[n], &f, &at, NULL);
        lithe_pcc_chambers(&link->shape, 3, 3, &at.slope[0].x);
        CHECK_NEAR(section->masses[n], dm, 1e-16);
        CHECK_NEAR(section->f.c2[n], f.c2, 1e-15);
        CHECK_NEAR(section->f.s2[n], f.s2, 1e-15);
        CHECK_NEAR(v3_distance(vector_at(section->points, n), at.p), 0, 1e-15);
        v3_store(at.p, p);
        moment = v3_axpy(dm, at.p, moment);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(v3_distance(vector_at(section->slopes[k], n), at.slope[k]), 0, 2e-14);
            lin[k] = v3_axpy(dm, at.slope[k], lin[k]);
            ang[k] = v3_axpy(dm, v3_cross(at.p, at.slope[k]), ang[k]);
            for (int j = 0; j <= k; j++) {
                second[k][j] += dm * p[k] * p[j];
                own[k][j] += dm * v3_dot(at.slope[k], at.slope[j]);
            }
        }
    }
    check_vector(got.moment, moment);
    for (int k = 0; k < 3; k++) {
        check_vector(got.lin[k], lin[k]);
        check_vector(got.ang[k], ang[k]);
        for (int j = 0; j <= k; j++) {
            CHECK_NEAR(got.second[k][j], second[k][j], 1e-15);
            CHECK_NEAR(got.own[k][j], own[k][j], 1e-13);
        }
    }
}

// (X7) and (X9), the bias from law/pcc.c
static void check_force(const LitheSectionSums *sums, LitheSectionWork *section, const double *a) {
    LitheSectionMotion motion = {{0.3, -0.7, 1.1}, {-2, 0.4, 0.9}, {0.2, 9.8, -3}};
    Vec3 force, torque, want = {0, 0, 0}, turn = {0, 0, 0};
    double effort[3] = {1, 2, 3}, wanted[3] = {1, 2, 3};
    sums->bias(section);
    sums->force(section, &motion, a, &force, &torque, effort);
    for (int n = 0; n < LITHE_SECTION_NODES; n++) {
        LithePccFunctions f = lithe_pcc_functions_at(section->y, lithe_pcc_nodes[n]);
        Vec3 bias = lithe_pcc_bias(section->y, section->y_rate, lithe_pcc_nodes[n], &f);
        Vec3 p = vector_at(section->points, n), rate = {0, 0, 0}, out = v3_add(motion.start, bias);
        CHECK_NEAR(v3_distance(vector_at(section->bias, n), bias), 0, 1e-13);
        for (int k = 0; k < 3; k++) {
            Vec3 slope = vector_at(section->slopes[k], n);
            rate = v3_axpy(section->rate[k], slope, rate);
            out = a ? v3_axpy(a[k], slope, out) : out;
        }
        out = v3_add(out, v3_cross(motion.alpha, p));
        out = v3_add(out, v3_cross(motion.omega, v3_cross(motion.omega, p)));
        out = v3_axpy(2, v3_cross(motion.omega, rate), out);
        Vec3 push = v3_scale(section->masses[n], out);
        want = v3_add(want, push);
        turn = v3_add(turn, v3_cross(p, push));
        for (int k = 0; k < 3; k++)
            wanted[k] += v3_dot(vector_at(section->slopes[k], n), push);
    }
    CHECK_NEAR(v3_distance(force, want), 0, 1e-13);
    CHECK_NEAR(v3_distance(torque, turn), 0, 1e-13);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(effort[k], wanted[k], 1e-12);
}

// straight, a little bent, both series, and beyond them
static void compare_with_law(const LitheSectionSums *sums) {
    static const double bends[][2] = {{0, 0}, {1e-5, -2e-6}, {0.6, -0.5}, {1.5, 2.8}, {-4, 5.5}};
    LitheRigidLink link = {.shape = {.length = 0.15, .radius = 0.04, .along = 1}, .line_mass = 0.7};
    const double a[3] = {3, -1, 0.5}, rates[3] = {0.2, -0.05, 0.11};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        LitheSectionWork section = {.y = {0.17, bends[i][0], bends[i][1]},
                                    .rate = {rates[0], rates[1], rates[2]}};
        lithe_pcc_shape_rate(&link.shape, rates, section.y_rate);
        check_place(sums, &link, &section);
        check_force(sums, &section, NULL);
        check_force(sums, &section, a);
    }
}

TEST(sums_of_any_processor_are_those_of_the_points) {
    compare_with_law(&lithe_section_sums_portable);
}

TEST(sums_in_use_are_those_of_the_points) {
    compare_with_law(lithe_section_sums());
}
