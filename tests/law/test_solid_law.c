// SPDX-License-Identifier: Apache-2.0
// tests/law/test_solid_law.c - material laws of soft solids

#include "law/solid.h"
#include "law/solid_invariant.h"

#include "math/eigen.h"
#include "math/quat.h"
#include "math/svd3.h"

#include "test.h"

// constants of the same stiffness at rest for every law
static LitheSolidMaterial material(int32_t law) {
    return lithe_solid_material(lithe_solid_laws[law], 2.5, 0.3);
}

static Mat3 random_matrix(TestRandom *r, double size) {
    Mat3 a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] = test_random(r, -size, size);
    return a;
}

static Mat3 random_rotation(TestRandom *r) {
    Mat3 a = random_matrix(r, 1);
    return lithe_polar_rotation(&a);
}

// R (I + strain) with strains up to 0.6 and det F > 0
static Mat3 random_stretch(TestRandom *r) {
    for (;;) {
        Mat3 F = m3_mul(random_rotation(r), m3_add(m3_identity(), random_matrix(r, 0.6)));
        if (m3_det(F) > 0.2)
            return F;
    }
}

static double inner(const Mat3 *a, const Mat3 *b) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += a->m[i][j] * b->m[i][j];
    return sum;
}

static void to_vector(const Mat3 *a, double v[9]) {
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[3 * j + i] = a->m[i][j];
}

// smallest and largest eigenvalue
static void extremes(const double *hessian, double *low, double *high) {
    double a[81], values[9], work[LITHE_EIGEN_WORK(9)];
    memcpy(a, hessian, sizeof a);
    CHECK(lithe_eigen_symmetric(9, a, values, work));
    *low = values[0];
    *high = values[8];
}

TEST(stress_and_hessian_have_remainders_of_third_order_at_large_rotation_and_strain) {
    TestRandom r = {1};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 50; trial++) {
            Mat3 F = random_stretch(&r), R = random_rotation(&r), dF = random_matrix(&r, 1), P;
            double H[81], d[9], Hd[9] = {0}, second = 0;
            double W = law->evaluate(&m, &F, &R, &P, H, false);
            to_vector(&dF, d);
            for (int a = 0; a < 9; a++)
                for (int b = 0; b < 9; b++)
                    Hd[a] += H[9 * a + b] * d[b];
            for (int a = 0; a < 9; a++)
                second += d[a] * Hd[a];

            // stress along dF: central differences of W, error t^2 times the third derivative
            double error[2], change[2];
            for (int k = 0; k < 2; k++) {
                double t = k ? 5e-4 : 1e-3, p[9], q[9];
                Mat3 up = m3_axpy(t, dF, F), down = m3_axpy(-t, dF, F), Pu, Pd;
                double Wu = law->evaluate(&m, &up, &R, &Pu, NULL, false);
                double Wd = law->evaluate(&m, &down, &R, &Pd, NULL, false);
                error[k] = fabs((Wu - Wd) / (2 * t) - inner(&P, &dF));
                CHECK_NEAR((Wu - 2 * W + Wd) / (t * t), second, 1e-2 * (1 + fabs(second)));
                to_vector(&Pu, p);
                to_vector(&Pd, q);
                change[k] = 0;
                for (int a = 0; a < 9; a++)
                    change[k] = fmax(change[k], fabs((p[a] - q[a]) / (2 * t) - Hd[a]));
            }
            double noise = 1e-11 * (1 + fabs(W));
            CHECK(error[1] < 0.3 * error[0] + noise);
            CHECK(change[1] < 0.3 * change[0] + noise);
            CHECK(change[0] < 1e-2 * (1 + fabs(second)));
        }
    }
}

TEST(hessians_are_symmetric) {
    TestRandom r = {2};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 50; trial++) {
            Mat3 F = random_stretch(&r), R = random_rotation(&r);
            double H[81];
            lithe_solid_laws[l]->evaluate(&m, &F, &R, NULL, H, trial & 1);
            for (int a = 0; a < 9; a++)
                for (int b = 0; b < a; b++)
                    CHECK_NEAR(H[9 * a + b], H[9 * b + a], 2e-13);
        }
    }
}

TEST(rest_shape_in_any_rotation_has_no_energy_and_no_stress) {
    TestRandom r = {3};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 20; trial++) {
            Mat3 R = random_rotation(&r), P;
            double W = lithe_solid_laws[l]->evaluate(&m, &R, &R, &P, NULL, false);
            CHECK_NEAR(W, 0, 1e-29);
            CHECK_NEAR(inner(&P, &P), 0, 1e-27);
        }
    }
}

TEST(small_strain_is_linear_elasticity_with_young_and_poisson) {
    TestRandom r = {4};
    double young = 2.5, poisson = 0.3;
    double mu = young / (2 * (1 + poisson)),
           lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = lithe_solid_material(law, young, poisson);
        double E, nu;
        lithe_solid_young(law, &m, &E, &nu);
        CHECK_NEAR(E, young, 1e-14);
        CHECK_NEAR(nu, poisson, 1e-15);
        Mat3 R = random_rotation(&r), A = random_matrix(&r, 1), e = m3_sym(A), P;
        double trace = e.m[0][0] + e.m[1][1] + e.m[2][2];
        double error[2];
        for (int k = 0; k < 2; k++) {
            double t = k ? 1e-6 : 1e-5;
            Mat3 F = m3_mul(R, m3_axpy(t, e, m3_identity()));
            double W = law->evaluate(&m, &F, &R, &P, NULL, false);
            double linear = mu * inner(&e, &e) + 0.5 * lambda * trace * trace;
            // energies of 1e-12 of the modulus: exact to 1e-5, though rounding of F is 1e-16
            CHECK_NEAR(W / (t * t), linear, 10 * t * linear);
            Mat3 sigma = m3_axpy(lambda * trace, m3_identity(), m3_scale(2 * mu, e));
            Mat3 d = m3_sub(m3_scale(1 / t, P), m3_mul(R, sigma));
            error[k] = sqrt(inner(&d, &d));
        }
        CHECK(error[0] < 1e-3 && error[1] < 0.2 * error[0] + 2e-8);
    }
}

TEST(energy_does_not_change_with_rotation_of_space_or_material) {
    TestRandom r = {5};
    for (int32_t l = 1; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 50; trial++) {
            Mat3 F = random_stretch(&r), Q = random_rotation(&r), P, PQ;
            Mat3 QF = m3_mul(Q, F), FQ = m3_mul(F, Q);
            double W = law->evaluate(&m, &F, NULL, &P, NULL, false);
            CHECK_NEAR(law->evaluate(&m, &QF, NULL, &PQ, NULL, false), W, 1e-13 * (1 + W));
            CHECK_NEAR(law->evaluate(&m, &FQ, NULL, NULL, NULL, false), W, 1e-13 * (1 + W));
            Mat3 d = m3_sub(PQ, m3_mul(Q, P));
            CHECK_NEAR(inner(&d, &d), 0, 1e-26 * (1 + inner(&P, &P)));
        }
    }
}

// against the projection by an eigensystem of the 9x9 matrix
TEST(projection_sets_negative_eigenvalues_to_zero_and_keeps_all_others) {
    TestRandom r = {6};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        int32_t indefinite = 0;
        for (int trial = 0; trial < 300; trial++) {
            Mat3 F = m3_mul(random_rotation(&r), m3_add(m3_identity(), random_matrix(&r, 0.9)));
            Mat3 R = random_rotation(&r);
            double H[81], G[81], work[LITHE_PROJECT_WORK(9)], low, high;
            if (isinf(law->evaluate(&m, &F, &R, NULL, H, false))) {
                CHECK(!law->invertible && !(m3_det(F) > 0));
                continue;
            }
            CHECK(!isinf(law->evaluate(&m, &F, &R, NULL, G, true)));
            extremes(H, &low, &high);
            indefinite += low < -1e-12;
            double scale = fmax(fabs(low), high);
            lithe_project_psd(9, H, work);
            for (int a = 0; a < 81; a++)
                CHECK_NEAR(G[a], H[a], 2e-13 * scale);
        }
        CHECK(law->lagged ? indefinite == 0 : indefinite > 50);
    }
}

// a body that turns with an angular velocity has the rate [e]F
TEST(stiffness_of_strains_alone_is_zero_for_rotations_and_all_of_it_at_rest) {
    TestRandom r = {16};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 300; trial++) {
            Mat3 F = trial % 3 ? random_stretch(&r) : random_rotation(&r);
            Mat3 R = lithe_polar_rotation(&F);
            double H[81], K[81], low, high;
            law->evaluate(&m, &F, &R, NULL, H, true);
            memcpy(K, H, sizeof K);
            lithe_solid_remove_turns(&F, K);
            extremes(K, &low, &high);
            CHECK(low > -1e-12 * high);
            for (int k = 0; k < 3; k++) {
                double rate[9];
                Mat3 turn = m3_mul(m3_cross(v3(k == 0, k == 1, k == 2)), F);
                to_vector(&turn, rate);
                for (int a = 0; a < 9; a++) {
                    double sum = 0;
                    for (int b = 0; b < 9; b++)
                        sum += K[9 * a + b] * rate[b];
                    CHECK_NEAR(sum, 0, 1e-12 * high);
                }
            }
            for (int a = 0; a < 81; a++)
                CHECK(trial % 3 || fabs(K[a] - H[a]) < 1e-12 * high);
        }
    }
}

// F turns by Q in every step: from Q'F to F in the last one, and then along the chord to Q F.
TEST(stress_along_the_chord_of_a_rotation_is_that_of_the_chord_alone) {
    TestRandom r = {31};
    const LitheSolidLaw *law = &lithe_solid_corotated_lagged;
    LitheSolidMaterial m = material(0);
    for (int k = 0; k < 100; k++) {
        double h = 0.01, angle = k < 50 ? 1e-4 : 1.5 * k / 100;
        Vec3 axis = m3_column(random_rotation(&r), 0);
        Mat3 Q = q4_matrix(q4_exp(v3_scale(angle, axis)));
        Mat3 R = random_rotation(&r), before = m3_mul(m3_transpose(Q), R), after = m3_mul(Q, R);
        Mat3 rate = m3_scale(1 / h, m3_sub(R, before)), P0, P1;
        law->evaluate(&m, &R, &R, &P0, NULL, false);
        law->evaluate(&m, &after, &R, &P1, NULL, false);
        Mat3 along = m3_scale(1 / h, m3_sub(P1, P0));
        double power;
        Mat3 chord = lithe_solid_chord_stress(&m, &R, &rate, &R, h, &power);
        Mat3 left = m3_sub(along, chord);
        Mat3 part = m3_scale(1 / h, m3_sub(after, R));
        CHECK_NEAR(power, inner(&chord, &part), 1e-12 * angle / h * angle / h);
        // the first is about 3 angle^2/h, with rounding of F over h
        CHECK(sqrt(inner(&along, &along)) > angle * angle / h);
        CHECK_NEAR(sqrt(inner(&left, &left)), 0, 1e-14 / h + 1e-12 * angle * angle / h);
    }
}

TEST(lagged_hessian_is_positive_semidefinite_for_100000_rotations) {
    TestRandom r = {7};
    const LitheSolidLaw *law = &lithe_solid_corotated_lagged;
    LitheSolidMaterial m = lithe_solid_material(law, 1, 0.45);
    double worst = 0;
    for (int trial = 0; trial < 100000; trial++) {
        double H[81];
        Quat q = q4_unit((Quat){test_random(&r, -1, 1), test_random(&r, -1, 1),
                                test_random(&r, -1, 1), test_random(&r, -1, 1)});
        Mat3 R = q4_matrix(q), F = m3_identity();
        law->evaluate(&m, &F, &R, NULL, H, false);

        // Cholesky of H + 1e-12 I: every pivot is positive
        for (int j = 0; j < 9; j++) {
            double d = H[10 * j] + 1e-12;
            for (int k = 0; k < j; k++)
                d -= H[9 * j + k] * H[9 * j + k];
            worst = fmin(worst, d);
            H[10 * j] = sqrt(d);
            for (int i = j + 1; i < 9; i++) {
                double s = H[9 * i + j];
                for (int k = 0; k < j; k++)
                    s -= H[9 * i + k] * H[9 * j + k];
                H[9 * i + j] = s / H[10 * j];
            }
        }
    }
    CHECK(worst >= 0);
}

// Closed form of uniaxial stretch with free sides at E = 1 MPa, nu = 0.3: first Piola stress and
// lateral stretch.
TEST(uniaxial_stretch_has_the_closed_form_stress) {
    const double stretch[] = {0.7, 0.9, 1.2, 1.5};
    const double stress[] = {-405230.4, -108722.2, 174929.1, 378280.2};
    const double lateral[] = {1.107935, 1.031702, 0.9456326, 0.8801746};
    LitheSolidMaterial m = lithe_solid_material(&lithe_solid_neo_hookean, 1e6, 0.3);
    for (int k = 0; k < 4; k++) {
        Mat3 F = m3_diag(stretch[k], lateral[k], lateral[k]), P;
        lithe_solid_neo_hookean.evaluate(&m, &F, NULL, &P, NULL, false);
        CHECK_NEAR(P.m[0][0], stress[k], 2);
        CHECK_NEAR(P.m[1][1], 0, 2);
        double side = 1 - 0.3 * (stretch[k] - 1);
        F = m3_diag(stretch[k], side, side);
        Mat3 R = m3_identity();
        for (int law = 0; law < 2; law++) {
            lithe_solid_laws[law]->evaluate(&m, &F, &R, &P, NULL, false);
            CHECK_NEAR(P.m[0][0], 1e6 * (stretch[k] - 1), 1e-8);
            CHECK_NEAR(P.m[1][1], 0, 1e-8);
        }
    }
}

// An incompressible Mooney-Rivlin bar: nominal stress 2 (a - a^-2)(c1 + c2/a) at stretch a, with
// pressure chosen so that the sides are free (Rivlin 1948).
TEST(mooney_rivlin_laws_agree_with_rivlin_for_incompressible_uniaxial_stretch) {
    LitheSolidMaterial m = {.c1 = 0.293e6, .c2 = 0.177e6, .bulk = 1.41e9};
    for (double a = 0.6; a < 2.5; a += 0.3) {
        Mat3 F = m3_diag(a, 1 / sqrt(a), 1 / sqrt(a)), P;
        double expected = 2 * (a - 1 / (a * a)) * (m.c1 + m.c2 / a);
        for (int32_t l = 3; l < 5; l++) {
            lithe_solid_laws[l]->evaluate(&m, &F, NULL, &P, NULL, false);
            // a pressure p adds -p cof F
            double p = P.m[1][1] * F.m[1][1];
            CHECK_NEAR(P.m[0][0] - p / a, expected, 1e-6 * fabs(expected) + 1e-6);
        }
    }
}

TEST(inverted_and_bad_elements_give_infinity_or_finite_numbers_but_never_nan) {
    TestRandom r = {8};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        Mat3 R = m3_identity();
        for (int trial = 0; trial < 200; trial++) {
            Mat3 F = random_matrix(&r, 1), P = m3_zero();
            if (trial % 4 == 1) // flat, then a line, then a point
                F = m3_outer(m3_column(F, 0), m3_column(F, 1));
            if (trial % 4 == 2)
                F = m3_diag(-1, -1, -1);
            if (trial == 3)
                F = m3_zero();
            double H[81];
            double W = law->evaluate(&m, &F, &R, &P, H, true);
            double J = m3_det(F); // of a flat F: a rounding error of either sign
            CHECK(isfinite(W) || (W > 0 && !law->invertible && J < 1e-12));
            CHECK(isinf(W) || law->invertible || J > -1e-12);
            for (int i = 0; i < 9 && isfinite(W); i++)
                CHECK(isfinite(P.m[i / 3][i % 3]) && isfinite(H[10 * i]));
        }
        Mat3 bad = m3_identity();
        bad.m[1][2] = NAN;
        CHECK(isinf(law->evaluate(&m, &bad, &R, NULL, NULL, false)));
        bad.m[1][2] = INFINITY;
        CHECK(isinf(law->evaluate(&m, &bad, &R, NULL, NULL, false)));
    }
}

// Without care W at strain e has an error of 1e-16 times the modulus, so that it is noise at
// e = 1e-8; here the relative error is about 1e-16/e.
TEST(energy_near_rest_is_precise) {
    double e = 1e-7;
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        LitheSolidMaterial m = material(l);
        // shear of a cube: F is exact in floating-point numbers, W = mu e^2 with e = 2^-23/2
        double g = 0x1p-23;
        Mat3 F = m3_identity(), R = F;
        F.m[0][1] = F.m[1][0] = g;
        double W = lithe_solid_laws[l]->evaluate(&m, &F, &R, NULL, NULL, false);
        double mu, lambda;
        lithe_solid_laws[l]->moduli(&m, &mu, &lambda);
        CHECK_NEAR(W, 2 * mu * g * g, 100 * e * mu * g * g);
    }
}

TEST(remainders_of_powers_and_logarithms_have_full_precision) {
    for (double u = -0.9; u < 3; u += 0.0137) {
        CHECK_NEAR(lithe_log_remainder(u), (double)((long double)u - log1pl(u)),
                   2e-15 * fabs(u - log1p(u)) + 1e-18);
        for (int k = 2; k <= 4; k += 2) {
            long double p = k / 3.0L;
            double exact = (double)(expl(p * log1pl(u)) - 1 - p * u);
            CHECK_NEAR(lithe_power_remainder(k / 3.0, u), exact, 1e-15 + 1e-12 * fabs(exact));
        }
    }
    CHECK_NEAR(lithe_log_remainder(1e-9), 0.5e-18, 1e-27);
    CHECK_NEAR(lithe_power_remainder(2.0 / 3, 1e-9), -1e-18 / 9, 1e-27);
}

// W - U + p theta with a given p
TEST(split_of_shape_and_volume_adds_up_and_has_exact_derivatives) {
    TestRandom r = {9};
    for (int32_t l = 0; l < LITHE_SOLID_LAWS; l++) {
        const LitheSolidLaw *law = lithe_solid_laws[l];
        LitheSolidMaterial m = material(l);
        for (int trial = 0; trial < 30; trial++) {
            Mat3 F = random_stretch(&r), R = random_rotation(&r), dF = random_matrix(&r, 1), P, T;
            double H[81], d[9], dU, ddU, pressure = test_random(&r, -1, 1);
            double W = law->evaluate(&m, &F, &R, &P, NULL, false);
            double theta = lithe_solid_theta(law, &F, &R, &T);
            double U = law->volume(&m, theta, &dU, &ddU);
            double shape = lithe_solid_evaluate_shape(law, &m, &F, &R, dU, &T, H, false);
            CHECK_NEAR(shape + U, W, 1e-12 * (1 + W));
            Mat3 difference = m3_sub(T, P);
            CHECK_NEAR(inner(&difference, &difference), 0, 1e-24 * (1 + inner(&P, &P)));

            // central differences at constant pressure
            lithe_solid_evaluate_shape(law, &m, &F, &R, pressure, &P, H, false);
            to_vector(&dF, d);
            double t = 1e-4, p[9], q[9];
            Mat3 up = m3_axpy(t, dF, F), down = m3_axpy(-t, dF, F), Pu, Pd, Tu, Td;
            double Wu = lithe_solid_evaluate_shape(law, &m, &up, &R, pressure, &Pu, NULL, false) +
                        pressure * lithe_solid_theta(law, &up, &R, &Tu);
            double Wd = lithe_solid_evaluate_shape(law, &m, &down, &R, pressure, &Pd, NULL, false) +
                        pressure * lithe_solid_theta(law, &down, &R, &Td);
            CHECK_NEAR((Wu - Wd) / (2 * t), inner(&P, &dF), 1e-5 * (1 + fabs(W)));
            to_vector(&Pu, p);
            to_vector(&Pd, q);
            for (int a = 0; a < 9; a++) {
                double sum = 0;
                for (int b = 0; b < 9; b++)
                    sum += H[9 * a + b] * d[b];
                CHECK_NEAR((p[a] - q[a]) / (2 * t), sum, 1e-5 * (1 + fabs(W)));
            }
        }
    }
}
