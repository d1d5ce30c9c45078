// SPDX-License-Identifier: Apache-2.0
// tests/math/test_so3.c - vectors, 3x3 matrices, quaternions

#include "math/quat.h"
#include "test.h"

static Vec3 random_vector(TestRandom *random, double size) {
    double x = test_random(random, -size, size), y = test_random(random, -size, size);
    return v3(x, y, test_random(random, -size, size));
}

static Quat random_rotation(TestRandom *random) {
    for (;;) {
        Quat q = {test_random(random, -1, 1), test_random(random, -1, 1),
                  test_random(random, -1, 1), test_random(random, -1, 1)};
        double n = q4_norm(q);
        if (n > 0.1 && n < 1)
            return q4_unit(q);
    }
}

static bool near3(Vec3 a, Vec3 b, double tolerance) {
    return v3_distance(a, b) <= tolerance;
}

static double m3_distance(Mat3 a, Mat3 b) {
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(a.m[i][j] - b.m[i][j]));
    return worst;
}

// --- vectors -------------------------------------------------------------------------------------
TEST(cross_product_is_normal_to_both_and_right_handed) {
    CHECK(near3(v3_cross(v3(1, 0, 0), v3(0, 1, 0)), v3(0, 0, 1), 0));
    TestRandom random = {1};
    for (int i = 0; i < 100; i++) {
        Vec3 a = random_vector(&random, 2), b = random_vector(&random, 2), c = v3_cross(a, b);
        CHECK_NEAR(v3_dot(a, c), 0, 1e-14);
        CHECK_NEAR(v3_dot(b, c), 0, 1e-14);
        // |a x b|^2 = |a|^2 |b|^2 - (a.b)^2
        double dot = v3_dot(a, b);
        CHECK_NEAR(v3_dot(c, c), v3_dot(a, a) * v3_dot(b, b) - dot * dot, 1e-12);
    }
}

TEST(unit_keeps_zero_and_gives_length_one_otherwise) {
    CHECK(near3(v3_unit(v3(0, 0, 0)), v3(0, 0, 0), 0));
    CHECK_NEAR(v3_norm(v3_unit(v3(3, -4, 12))), 1, 1e-15);
    CHECK(near3(v3_unit(v3(0, -7, 0)), v3(0, -1, 0), 1e-16));
}

TEST(a_vector_with_one_bad_entry_is_not_finite) {
    CHECK(v3_finite(v3(1, -2, 1e300)));
    CHECK(!v3_finite(v3(NAN, 0, 0)));
    CHECK(!v3_finite(v3(0, INFINITY, 0)));
    CHECK(!v3_finite(v3(0, 0, -INFINITY)));
}

TEST(any_normal_is_a_unit_normal_of_every_direction) {
    TestRandom random = {2};
    for (int i = 0; i < 200; i++) {
        Vec3 t = i < 6 ? v3((i / 2 == 0) * (1 - 2 * (i % 2)), (i / 2 == 1) * (1 - 2 * (i % 2)),
                            (i / 2 == 2) * (1 - 2 * (i % 2)))
                       : v3_unit(random_vector(&random, 1));
        Vec3 n = v3_any_normal(t);
        CHECK_NEAR(v3_dot(n, t), 0, 1e-15);
        CHECK_NEAR(v3_norm(n), 1, 1e-15);
    }
}

TEST(angle_about_an_axis_is_the_angle_one_turned_by) {
    TestRandom random = {3};
    for (int i = 0; i < 200; i++) {
        Vec3 t = v3_unit(random_vector(&random, 1)), a = v3_any_normal(t);
        double angle = test_random(&random, -3.14, 3.14);
        Vec3 b = q4_rotate(q4_axis_angle(t, angle), a);
        CHECK_NEAR(v3_angle_about(a, b, t), angle, 1e-14);
        CHECK_NEAR(v3_angle_about(b, a, t), -angle, 1e-14);
    }
}

// --- matrices ------------------------------------------------------------------------------------
TEST(cross_matrix_applies_the_cross_product) {
    TestRandom random = {4};
    for (int i = 0; i < 50; i++) {
        Vec3 a = random_vector(&random, 2), b = random_vector(&random, 2);
        CHECK(near3(m3_apply(m3_cross(a), b), v3_cross(a, b), 1e-15));
    }
}

TEST(product_and_transpose_follow_their_definitions) {
    TestRandom random = {5};
    for (int i = 0; i < 50; i++) {
        Mat3 a = m3_columns(random_vector(&random, 1), random_vector(&random, 1),
                            random_vector(&random, 1));
        Mat3 b = m3_columns(random_vector(&random, 1), random_vector(&random, 1),
                            random_vector(&random, 1));
        Vec3 x = random_vector(&random, 1), y = random_vector(&random, 1);
        CHECK(near3(m3_apply(m3_mul(a, b), x), m3_apply(a, m3_apply(b, x)), 1e-14));
        CHECK_NEAR(v3_dot(y, m3_apply(a, x)), v3_dot(m3_apply(m3_transpose(a), y), x), 1e-14);
        CHECK_NEAR(m3_det(m3_mul(a, b)), m3_det(a) * m3_det(b), 1e-14);
        CHECK(near3(m3_apply(m3_outer(x, y), x), v3_scale(v3_dot(y, x), x), 1e-14));
        CHECK(m3_distance(m3_sym(a), m3_transpose(m3_sym(a))) == 0);
        CHECK(m3_distance(m3_sub(m3_axpy(2, b, a), m3_add(a, m3_scale(2, b))), m3_zero()) < 1e-15);
    }
}

// --- rotations -----------------------------------------------------------------------------------
TEST(quaternion_matrix_is_a_rotation_and_applies_the_same) {
    TestRandom random = {6};
    for (int i = 0; i < 200; i++) {
        Quat q = random_rotation(&random);
        Mat3 r = q4_matrix(q);
        Vec3 x = random_vector(&random, 1);
        CHECK(m3_distance(m3_mul(r, m3_transpose(r)), m3_identity()) < 1e-14);
        CHECK_NEAR(m3_det(r), 1, 1e-14);
        CHECK(near3(m3_apply(r, x), q4_rotate(q, x), 1e-15));
    }
}

TEST(product_of_quaternions_rotates_by_the_right_one_first) {
    TestRandom random = {7};
    for (int i = 0; i < 100; i++) {
        Quat p = random_rotation(&random), q = random_rotation(&random);
        Vec3 x = random_vector(&random, 1);
        CHECK(near3(q4_rotate(q4_mul(p, q), x), q4_rotate(p, q4_rotate(q, x)), 1e-14));
        CHECK(near3(q4_rotate(q4_conj(q), q4_rotate(q, x)), x, 1e-14));
    }
}

TEST(exponential_turns_about_its_axis_by_its_length) {
    Quat q = q4_exp(v3(0, 0, M_PI / 2));
    CHECK(near3(q4_rotate(q, v3(1, 0, 0)), v3(0, 1, 0), 1e-15));
    // derivative at the identity is the cross product
    Vec3 w = v3(1e-9, -2e-9, 3e-9), x = v3(1, 2, 3);
    CHECK(near3(v3_sub(q4_rotate(q4_exp(w), x), x), v3_cross(w, x), 1e-15));
}

TEST(logarithm_undoes_the_exponential_from_tiny_angles_to_pi) {
    TestRandom random = {8};
    for (int i = 0; i < 400; i++) {
        Vec3 axis = v3_unit(random_vector(&random, 1));
        double angle =
            i % 2 ? pow(10, test_random(&random, -12, 0)) : test_random(&random, 0, 3.14);
        Vec3 r = v3_scale(angle, axis);
        CHECK(near3(q4_log(q4_exp(r)), r, 4e-15 * angle + 1e-30));
        // the other sign is the same rotation
        Quat q = q4_exp(r);
        Quat minus = {-q.w, -q.x, -q.y, -q.z};
        CHECK(near3(q4_log(minus), r, 4e-15 * angle + 1e-30));
    }
}

TEST(bound_of_a_turn_is_above_its_angle_and_meets_it_at_zero_and_pi) {
    for (int i = 0; i <= 1000; i++) {
        double angle = M_PI * i / 1000;
        Quat q = q4_axis_angle(v3_unit(v3(1, -2, 3)), angle);
        double bound = q4_turn_bound(q);
        CHECK(bound >= angle * (1 - 1e-15));
        CHECK(bound <= angle * 1.2);
        // the relative error is of second order in the angle
        CHECK(bound <= angle * (1 + 0.11 * angle * angle) + 1e-15);
        CHECK(q4_turn_bound((Quat){-q.w, -q.x, -q.y, -q.z}) == bound);
    }
    CHECK_NEAR(q4_turn_bound(q4_axis_angle(v3(0, 0, 1), M_PI)), M_PI, 1e-15);
}

TEST(series_and_closed_form_meet_at_the_switch) {
    // both sides of 1e-4 rad; the axis shows sin(a/2)/a to rounding
    for (int side = 0; side < 2; side++) {
        double a = side ? 1.0000001e-4 : 0.9999999e-4;
        Quat q = q4_exp(v3(a, 0, 0));
        CHECK_NEAR(q.x / a, 0.5 - a * a / 48, 1e-16);
        CHECK_NEAR(q4_norm(q), 1, 1e-15);
    }
    for (int side = 0; side < 2; side++) {
        double half = side ? 1.0000001e-4 : 0.9999999e-4;
        Vec3 r = q4_log((Quat){cos(half), 0, sin(half), 0});
        CHECK_NEAR(r.y / (2 * half), 1, 4e-16);
    }
}

TEST(between_takes_one_direction_to_another_by_the_shortest_way) {
    TestRandom random = {9};
    for (int i = 0; i < 200; i++) {
        Vec3 a = v3_unit(random_vector(&random, 1));
        Vec3 b = i % 10 == 0 ? v3_neg(a) : i % 10 == 1 ? a : v3_unit(random_vector(&random, 1));
        Quat q = q4_between(a, b);
        CHECK(near3(q4_rotate(q, a), b, 1e-14));
        double angle = v3_norm(q4_log(q));
        CHECK_NEAR(angle, atan2(v3_norm(v3_cross(a, b)), v3_dot(a, b)), 1e-7);
    }
}

TEST(matrix_to_quaternion_and_back_is_stable_for_every_largest_component) {
    TestRandom random = {10};
    for (int i = 0; i < 400; i++) {
        // half turns about the axes and near them are where a naive formula divides by zero
        Vec3 axis = i % 4 == 0 ? random_vector(&random, 1)
                               : v3_add(v3(i % 4 == 1, i % 4 == 2, i % 4 == 3),
                                        random_vector(&random, 1e-6));
        double angle = i % 8 < 4 ? M_PI : test_random(&random, 0, M_PI);
        Quat q = q4_axis_angle(v3_unit(axis), angle);
        Quat back = q4_of_matrix(q4_matrix(q));
        CHECK(m3_distance(q4_matrix(back), q4_matrix(q)) < 4e-15);
        double same = fabs(q.w * back.w + q.x * back.x + q.y * back.y + q.z * back.z);
        CHECK_NEAR(same, 1, 1e-14);
    }
}
