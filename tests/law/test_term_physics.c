// SPDX-License-Identifier: Apache-2.0
// tests/law/test_term_physics.c - physics of the cost terms: cone, complementarity, creep, sliding
// gap, springs, limits of the parameters

#include "law/term.h"

#include "test.h"

enum { ROWS = LITHE_TERM_ROWS };

static const double GRAVITY = 9.81;

// derivatives with respect to `a` of the objective of settle() at v + a dv: returns the first,
// `curvature` is the second
static double along(const LitheTerm *t, double m, const double *free, const double *v,
                    const double *dv, double a, double *curvature) {
    double x[ROWS], p[ROWS], G[ROWS * ROWS], slope = 0;
    for (int i = 0; i < t->rows; i++)
        x[i] = v[i] + a * dv[i];
    lithe_term_cost(t, x, p, G);
    *curvature = 0;
    for (int i = 0; i < t->rows; i++) {
        slope += dv[i] * (m * (x[i] - free[i]) - p[i]);
        *curvature += m * dv[i] * dv[i];
        for (int k = 0; k < t->rows; k++)
            *curvature += dv[i] * G[i * t->rows + k] * dv[k];
    }
    return slope;
}

// x = (m I + G)\b by elimination
static void newton_step(const LitheTerm *t, double m, const double *G, const double *b, double *x) {
    double H[ROWS][ROWS];
    int n = t->rows;
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int k = 0; k < n; k++)
            H[i][k] = G[i * n + k] + (i == k ? m : 0);
    }
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++) {
            double f = H[i][j] / H[j][j];
            for (int k = j; k < n; k++)
                H[i][k] -= f * H[j][k];
            x[i] -= f * x[j];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= H[i][k] * x[k];
        x[i] /= H[i][i];
    }
}

// Minimum over v of m|v - free|^2/2 + l(v), `free` the velocity without the impulse: Newton's
// method with an exact line search. Returns the iterations; -1: the residual stays above 1e-9 of
// the impulses.
static int settle(const LitheTerm *t, double m, const double *free, double *v, double *impulse) {
    double G[ROWS * ROWS], g[ROWS], dv[ROWS], curvature;
    for (int n = 0; n < 200; n++) {
        double residual = 0, size = 0;
        lithe_term_cost(t, v, impulse, G);
        for (int i = 0; i < t->rows; i++) {
            g[i] = impulse[i] - m * (v[i] - free[i]);
            residual = fmax(residual, fabs(g[i]));
            size = fmax(size, fmax(fabs(m * free[i]), fabs(impulse[i])));
        }
        if (residual <= 1e-9 * size)
            return n;
        newton_step(t, m, G, g, dv);
        double low = 0, high = 1.5, a = 1;
        for (int k = 0; k < 200; k++) {
            double slope = along(t, m, free, v, dv, a, &curvature), next = a - slope / curvature;
            *(slope > 0 ? &high : &low) = a;
            a = next > low && next < high ? next : 0.5 * (low + high);
        }
        for (int i = 0; i < t->rows; i++)
            v[i] += a * dv[i];
    }
    return -1;
}

// a mass on a floor, at rest with the overlap due to its weight; its Delassus matrix is I/m, of
// scale w = |I/m|_F/3 = 1/(sqrt(3) m)
static LitheContactStart resting(double m, double k, double mu) {
    return (LitheContactStart){.k = k, .phi0 = -m * GRAVITY / k, .mu = mu, .w = 1 / (sqrt(3) * m)};
}

// speed at which that mass creeps under a lateral force of `share` times its friction limit
static double creep_of(LitheTermKind law, const LitheContactSetting *setting, double h,
                       double share) {
    double m = 1, mu = 0.5, v[3] = {0}, p[3];
    LitheContactStart start = resting(m, 1e5, mu);
    LitheTerm t;
    for (int n = 0; n < 50; n++) {
        lithe_term_contact(&t, law, setting, h, &start);
        double free[3] = {v[0] + h * share * mu * GRAVITY, v[1], v[2] - h * GRAVITY};
        do {
            if (settle(&t, m, free, v, p) < 0)
                return NAN;
        } while (lithe_term_lag(&t, p[2]) > 1e-10);
        start.phi0 += h * v[2];
        start.v_n = v[2];
    }
    return hypot(v[0], v[1]);
}

TEST(held_mass_creeps_below_a_micron_per_second_at_nine_tenths_of_the_limit) {
    LitheContactSetting setting = lithe_contact_setting_default();
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++)
        for (double h = 1e-4; h < 0.02; h *= 10) {
            double creep = creep_of((LitheTermKind)law, &setting, h, 0.9);
            CHECK(creep > 0 && creep < 1e-6);
        }
}

TEST(a_mass_creeps_by_1_to_60_um_per_s_with_parameters_usual_in_other_codes) {
    LitheContactSetting common = {.v_s = 1e-4, .w_s = 1e-4, .sigma = 1e-3, .beta = 1};
    CHECK_NEAR(creep_of(LITHE_TERM_LAGGED, &common, 1e-3, 0.5), 57.7e-6, 0.5e-6);
    CHECK_NEAR(creep_of(LITHE_TERM_SAP, &common, 1e-3, 0.5), 1.4e-6, 0.05e-6);
    CHECK_NEAR(creep_of(LITHE_TERM_SAP, &common, 1e-2, 0.5), 14e-6, 0.5e-6);
}

// gap at which a mass slides steadily at `speed`: with zero normal velocity the contact carries its
// weight
static double sliding_gap(LitheTermKind law, double h, double mu, double speed, double k) {
    LitheContactSetting setting = lithe_contact_setting_default();
    setting.beta = 0;
    double m = 1, low = -1, high = 1, v[3] = {speed, 0, 0}, p[3];
    for (int n = 0; n < 100; n++) {
        LitheContactStart start = resting(m, k, mu);
        LitheTerm t;
        start.phi0 = 0.5 * (low + high);
        lithe_term_contact(&t, law, &setting, h, &start);
        lithe_term_cost(&t, v, p, NULL);
        *(p[2] > h * m * GRAVITY ? &low : &high) = start.phi0;
    }
    return low;
}

TEST(sap_and_similar_slide_higher_by_the_step_times_mu_times_speed_and_lagged_does_not) {
    double h = 1e-3, mu = 0.5, speed = 0.3, k = 1e5, depth = -GRAVITY / k;
    CHECK_NEAR(sliding_gap(LITHE_TERM_LAGGED, h, mu, speed, k), depth, 1e-9);
    CHECK_NEAR(sliding_gap(LITHE_TERM_SIMILAR, h, mu, speed, k), depth + h * mu * speed, 1e-9);
    CHECK_NEAR(sliding_gap(LITHE_TERM_SAP, h, mu, speed, k), depth + h * mu * speed, 1e-9);
}

// A mass strikes the floor obliquely. The normal impulse n0 that bounds friction is 0 in the first
// solve, then that of the solve before. Once n0 has converged, Coulomb's law holds: the mass
// sticks, or friction is mu times the normal impulse and opposite to the sliding.
TEST(repeated_lag_gives_coulombs_law_on_landing) {
    LitheContactSetting setting = lithe_contact_setting_default();
    TestRandom r = {21};
    int stuck = 0, slid = 0;
    for (int n = 0; n < 500; n++) {
        double m = 0.3, mu = test_random(&r, 0.1, 1), h = 1e-3, v[3], p[3], change;
        double free[3] = {test_random(&r, -0.4, 0.4), test_random(&r, -0.4, 0.4),
                          test_random(&r, -2, -1)};
        LitheContactStart start = {.k = 1e5, .d = 0.3, .phi0 = 1e-5, .mu = mu, .w = 0.58 / m};
        LitheTerm t;
        lithe_term_contact(&t, LITHE_TERM_LAGGED, &setting, h, &start);
        CHECK(t.n0 == 0);
        memcpy(v, free, sizeof v);
        int passes = 0;
        do {
            FATAL(settle(&t, m, free, v, p) >= 0);
            change = lithe_term_lag(&t, p[2]);
        } while (change > 1e-10 && ++passes < 10);
        CHECK(passes <= 2); // normal and tangential motion of one mass are independent
        double slip = hypot(v[0], v[1]), bound = mu * p[2], friction = hypot(p[0], p[1]);
        CHECK(friction <= bound * (1 + 1e-12));
        if (slip < 1e-5) {
            stuck++;
        } else {
            slid++;
            CHECK_NEAR(friction, bound, 1e-6 * bound);
            CHECK_NEAR(p[0] * v[0] + p[1] * v[1], -friction * slip, 1e-12 * friction * slip);
        }
    }
    CHECK(stuck > 50 && slid > 50);
}

// --- the cone ------------------------------------------------------------------------------------

static LitheTerm random_contact(TestRandom *r, LitheTermKind law, double *v) {
    LitheContactSetting setting = {.v_s = 1e-3,
                                   .w_s = 1e-3,
                                   .sigma = exp(test_random(r, -7, 0)),
                                   .beta = 0.1,
                                   .tau_d = test_random(r, 0, 1e-2)};
    LitheContactStart start = {.k = exp(test_random(r, 5, 14)),
                               .d = test_random(r, 0, 2),
                               .phi0 = test_random(r, -1e-3, 2e-4),
                               .mu = test_random(r, 0, 2),
                               .w = 1};
    LitheTerm t;
    lithe_term_contact(&t, law, &setting, 1e-3, &start);
    for (int i = 0; i < 3; i++)
        v[i] = test_random(r, -1, 1);
    if (law == LITHE_TERM_SAP) {
        // makes normal and tangential impulses similar: some cases lie inside the cone, some
        // outside
        v[0] *= 0.5 * t.G_n / t.G_t;
        v[1] *= 0.5 * t.G_n / t.G_t;
    }
    return t;
}

// squared distance of g and y with the weights R = 1/G
static double distance_R(const LitheTerm *t, const double *g, const double *y) {
    return ((g[0] - y[0]) * (g[0] - y[0]) + (g[1] - y[1]) * (g[1] - y[1])) / t->G_t +
           (g[2] - y[2]) * (g[2] - y[2]) / t->G_n;
}

// Point g of the friction cone nearest to y, by brute force: golden section over g[2]; for each
// g[2] the nearest point of the disc of radius mu g[2].
static void nearest_in_cone(const LitheTerm *t, const double *y, double *g) {
    double length = hypot(y[0], y[1]), ratio = 0.5 * (sqrt(5) - 1), low = 0;
    double high = 1 + fabs(y[2]) + t->mu * length * (1 + t->G_n / t->G_t);
    for (int n = 0; n < 120; n++) {
        double at[2] = {high - ratio * (high - low), low + ratio * (high - low)}, far[2];
        for (int s = 0; s < 2; s++) {
            double fit = length > 0 ? fmin(1, t->mu * at[s] / length) : 0;
            g[0] = fit * y[0];
            g[1] = fit * y[1];
            g[2] = at[s];
            far[s] = distance_R(t, g, y);
        }
        *(far[0] < far[1] ? &high : &low) = far[0] < far[1] ? at[1] : at[0];
    }
}

TEST(sap_impulse_is_the_nearest_point_of_the_cone) {
    TestRandom r = {22};
    int cases[3] = {0, 0, 0};
    for (int n = 0; n < 3000; n++) {
        double v[3], p[3], g[3];
        LitheTerm t = random_contact(&r, LITHE_TERM_SAP, v);
        double cost = lithe_term_cost(&t, v, p, NULL);
        double y[3] = {-t.G_t * v[0], -t.G_t * v[1], t.G_n * (t.vhat_n - v[2])};
        double size = fabs(y[2]) + t.mu * hypot(y[0], y[1]);
        cases[p[2] == 0 ? 0 : p[2] == y[2] ? 1 : 2]++;

        nearest_in_cone(&t, y, g);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(p[i], g[i], 1e-6 * (1 + size));
        CHECK_NEAR(cost, 0.5 * ((p[0] * p[0] + p[1] * p[1]) / t.G_t + p[2] * p[2] / t.G_n),
                   1e-14 * cost);
        // no point of the cone lies beyond the plane through p perpendicular to y - p
        for (int k = 0; k < 10; k++) {
            double q_n = test_random(&r, 0, 2 * size), angle = test_random(&r, -M_PI, M_PI);
            double q_t = t.mu * q_n * test_random(&r, 0, 1);
            double q[3] = {q_t * cos(angle), q_t * sin(angle), q_n};
            double side = 0, scale = 0;
            for (int i = 0; i < 3; i++) {
                double part = (y[i] - p[i]) * (q[i] - p[i]) / (i < 2 ? t.G_t : t.G_n);
                side += part;
                scale += fabs(y[i]) * (fabs(q[i]) + fabs(p[i])) / (i < 2 ? t.G_t : t.G_n);
            }
            CHECK(side <= 1e-12 * scale);
        }
    }
    CHECK(cases[0] > 200 && cases[1] > 200 && cases[2] > 200);
}

// Maximum dissipation: at the same normal impulse, no other friction impulse in the cone dissipates
// more than that of the law, apart from the regularisation by eps (sap: by R_t = 1/G_t). The cone
// of `lagged` has the normal impulse n0 of the start of the step.
TEST(friction_stays_in_the_cone_and_dissipates_most_when_sliding) {
    TestRandom r = {23};
    for (int n = 0; n < 6000; n++) {
        double v[3], p[3];
        LitheTerm t = random_contact(&r, (LitheTermKind)(n % 3), v);
        lithe_term_cost(&t, v, p, NULL);
        double bound = t.mu * (t.kind == LITHE_TERM_LAGGED ? t.n0 : p[2]),
               speed = hypot(v[0], v[1]);
        double friction = hypot(p[0], p[1]), dissipated = -(p[0] * v[0] + p[1] * v[1]); // N s, J
        double scale = bound * speed;
        CHECK(p[2] >= 0 && friction <= bound * (1 + 1e-12));
        CHECK_NEAR(dissipated, friction * speed, 1e-12 * scale);
        if (t.kind != LITHE_TERM_SAP)
            CHECK_NEAR(dissipated, scale * speed / hypot(speed, t.eps), 1e-12 * scale);
        else if (friction < bound * (1 - 1e-12)) // sticking: the speed is R_t times the impulse
            CHECK_NEAR(speed, friction / t.G_t, 1e-12 * speed);
    }
}

TEST(without_friction_nothing_holds_sideways_even_at_rest) {
    LitheContactSetting setting = lithe_contact_setting_default();
    LitheContactStart start = resting(1, 1e5, 0);
    double v[3] = {0}, p[3], G[9];
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++) {
        LitheTerm t;
        lithe_term_contact(&t, (LitheTermKind)law, &setting, 1e-3, &start);
        lithe_term_cost(&t, v, p, G);
        CHECK(p[2] > 0 && G[8] > 0 && G[0] == 0 && G[4] == 0);
    }
}

// --- the normal law ------------------------------------------------------------------------------

// above the normal velocity `end` the gap opens within the step, or dissipation cancels the spring
// force
TEST(normal_impulse_falls_with_velocity_and_is_zero_above_the_velocity_where_it_ends) {
    TestRandom r = {24};
    for (int n = 0; n < 2000; n++) {
        double v[3], p[3], last = INFINITY;
        LitheTerm t = random_contact(&r, (LitheTermKind)(n % 3), v);
        double end = t.kind == LITHE_TERM_SAP ? t.vhat_n : t.vbar;
        v[0] = v[1] = 0;
        for (int k = -40; k <= 10; k++) {
            v[2] = end + 0.05 * k * fabs(end);
            lithe_term_cost(&t, v, p, NULL);
            CHECK(k < 0 ? p[2] > 0 && p[2] < last : p[2] <= 1e-15 * last || p[2] == 0);
            if (k < 0)
                last = p[2];
        }
    }
}

// the gap is open at the start of the step; at the end it is closed with an impulse, or open
// without one
TEST(near_rigid_contacts_tend_to_complementarity_with_the_square_of_beta) {
    double h = 1e-2, phi0 = 5e-3, m = 2, left[2];
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++) {
        for (int s = 0; s < 2; s++) {
            LitheContactSetting setting = lithe_contact_setting_default();
            LitheContactStart start = {.k = INFINITY, .phi0 = phi0, .w = 1 / (sqrt(3) * m)};
            double free[3] = {0, 0, -2}, v[3] = {0, 0, -2}, p[3];
            LitheTerm t;
            setting.beta = s ? 0.01 : 0.02;
            lithe_term_contact(&t, (LitheTermKind)law, &setting, h, &start);
            FATAL(settle(&t, m, free, v, p) >= 0);
            left[s] = -(phi0 + h * v[2]); // remaining depth [m]
            CHECK_NEAR(p[2], m * (2 - phi0 / h), 1e-4);
            free[2] = v[2] = -0.4; // too slow to close the gap in the step
            FATAL(settle(&t, m, free, v, p) >= 0);
            CHECK(p[2] == 0 && v[2] == free[2]);
        }
        CHECK_NEAR(left[0] / left[1], 4, 1e-3);
        CHECK(left[1] > 0 && left[1] < 1e-4 * phi0);
    }
}

TEST(patch_without_stiffness_pushes_with_its_force) {
    LitheContactSetting setting = lithe_contact_setting_default();
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++)
        for (int damped = 0; damped < 2; damped++) {
            LitheContactStart start = {
                .patch = 1, .f0 = 3, .d = damped ? 0.5 : 0, .mu = 0.2, .w = 2};
            double v[3] = {0, 0, -0.1}, p[3], G[9];
            LitheTerm t;
            lithe_term_contact(&t, (LitheTermKind)law, &setting, 1e-3, &start);
            double expected = 3e-3 * (damped && law != LITHE_TERM_SAP ? 1.05 : 1);
            double cost = lithe_term_cost(&t, v, p, G);
            CHECK_NEAR(p[2], expected, 1e-7);
            CHECK(isfinite(cost) && isfinite(G[8]));
            start.f0 = -1; // a contact never pulls
            lithe_term_contact(&t, (LitheTermKind)law, &setting, 1e-3, &start);
            CHECK(lithe_term_cost(&t, v, p, G) == 0 && p[2] == 0);
        }
}

TEST(cost_of_a_pure_spring_is_the_energy_stored_at_the_end_of_the_step) {
    LitheContactSetting setting = {.v_s = 1e-8, .sigma = 1e-6};
    LitheContactStart start = {.k = 1e4, .phi0 = -1e-4, .w = 1};
    double v[3] = {0, 0, 0.03}, h = 1e-3, end = start.phi0 + h * v[2];
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++) {
        LitheTerm t;
        lithe_term_contact(&t, (LitheTermKind)law, &setting, h, &start);
        CHECK_NEAR(lithe_term_cost(&t, v, NULL, NULL), 0.5 * 1e4 * end * end, 1e-18);
    }
}

TEST(torsion_and_rolling_are_resisted_up_to_a_length_times_the_normal_impulse) {
    LitheContactSetting setting = lithe_contact_setting_default();
    for (int law = LITHE_TERM_LAGGED; law <= LITHE_TERM_SIMILAR; law++) {
        LitheContactStart start = resting(1, 1e5, 0.5);
        double v[6] = {0, 0, 0, 2, 0.3, -0.4}, p[6], h = 1e-3, n0 = h * GRAVITY;
        LitheTerm t;
        start.torsion = 2e-3;
        start.roll = 1e-4;
        lithe_term_contact(&t, (LitheTermKind)law, &setting, h, &start);
        CHECK(t.rows == 6);
        lithe_term_cost(&t, v, p, NULL);
        CHECK_NEAR(p[3], -2e-3 * n0, 1e-11 * n0);
        CHECK_NEAR(p[4], -1e-4 * n0 * 0.6, 1e-11 * n0);
        CHECK_NEAR(p[5], 1e-4 * n0 * 0.8, 1e-11 * n0);
        CHECK_NEAR(lithe_term_lag(&t, 2 * n0), 0.5, 1e-12);
        lithe_term_cost(&t, v, p, NULL);
        CHECK_NEAR(p[3], -4e-3 * n0, 1e-11 * n0);
        start.torsion = 0;
        lithe_term_contact(&t, (LitheTermKind)law, &setting, h, &start);
        CHECK(t.rows == 5);
        lithe_term_cost(&t, v + 1, p, NULL);
        CHECK_NEAR(hypot(p[3], p[4]), 1e-4 * n0, 1e-11 * n0);
    }
}

// --- springs, limits, drives ---------------------------------------------------------------------

TEST(hold_is_an_implicit_spring_with_damper) {
    double h = 2e-3, K = 300, D = 7, g[3] = {0.01, -0.02, 0.005}, speed[3] = {0.1, 0, -0.3};
    double v[3] = {0.4, -0.1, 0.2}, p[3];
    LitheCompliance compliance = {.stiffness = K, .damping = D};
    LitheTerm t;
    lithe_term_hold(&t, 3, h, g, speed, &compliance);
    lithe_term_cost(&t, v, p, NULL);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(p[i], h * (-K * (g[i] + h * v[i]) + D * (speed[i] - v[i])), 1e-15);
    lithe_term_hold(&t, 3, h, g, speed, &(LitheCompliance){0});
    CHECK(lithe_term_cost(&t, v, p, NULL) == 0 && p[0] == 0);
}

TEST(near_rigid_hold_halves_its_error_in_each_step_also_when_the_target_moves) {
    double h = 1e-3, m = 3, at = 1e-3, target = 0, rate = 0.2, v = 0, p;
    LitheCompliance compliance = lithe_compliance_rigid(1 / m);
    for (int n = 0; n < 10; n++) {
        double before = at - target, g = at - (target + h * rate);
        LitheTerm t;
        lithe_term_hold(&t, 1, h, &g, &rate, &compliance);
        double free = v;
        FATAL(settle(&t, m, &free, &v, &p) >= 0);
        at += h * v;
        target += h * rate;
        CHECK_NEAR(at - target, 0.5 * before, 3e-4 * 1e-3);
    }
}

TEST(drive_exerts_its_spring_force_up_to_its_limit) {
    LitheCompliance compliance = {.stiffness = 100, .damping = 2};
    double h = 1e-3, p, G;
    LitheTerm t;
    for (double v = -3; v < 3; v += 0.01) {
        lithe_term_drive(&t, h, 0.01, 0.5, 2.5, &compliance);
        double unbounded = h * (-100 * (0.01 + h * v) + 2 * (0.5 - v));
        lithe_term_cost(&t, &v, &p, &G);
        CHECK_NEAR(p, fmax(-2.5 * h, fmin(2.5 * h, unbounded)), 1e-15);
        CHECK((G > 0) == (fabs(unbounded) <= 2.5 * h));
    }
    lithe_term_drive(&t, h, 0.01, 0.5, INFINITY, &compliance);
    double v = 1e6;
    lithe_term_cost(&t, &v, &p, &G);
    CHECK_NEAR(p, h * (-100 * (0.01 + h * v) + 2 * (0.5 - v)), 1e-12 * fabs(p));
    compliance = lithe_compliance_rigid(1);
    compliance.stiffness = 0;
    compliance.damping = INFINITY; // a velocity drive
    lithe_term_drive(&t, h, 0.01, 0.5, 1e9, &compliance);
    v = 0.5;
    CHECK(lithe_term_cost(&t, &v, &p, &G) == 0 && p == 0 && G > 0);
}

TEST(limit_lets_a_gap_close_and_never_pulls) {
    double h = 1e-3, gap = 2e-4, m = 1, v = -1, free = -1, p;
    LitheCompliance compliance = lithe_compliance_rigid(1 / m);
    LitheTerm t;
    lithe_term_limit(&t, h, gap, &compliance);
    FATAL(settle(&t, m, &free, &v, &p) >= 0);
    CHECK(p > 0);
    CHECK_NEAR(v, -gap / h, 1e-3);
    free = v = -0.19; // too slow to close the gap in the step
    FATAL(settle(&t, m, &free, &v, &p) >= 0);
    CHECK(p == 0);
    lithe_term_limit(&t, h, -gap, &compliance); // beyond the limit: a step halves the error
    free = v = 0;
    FATAL(settle(&t, m, &free, &v, &p) >= 0);
    CHECK_NEAR(h * v, 0.5 * gap, 1e-3 * gap);
    v = 10;
    CHECK(lithe_term_cost(&t, &v, &p, NULL) == 0 && p == 0);
}

TEST(dry_friction_holds_up_to_its_force_and_slides_beyond) {
    double h = 1e-3, m = 0.1, force = 2, v[2] = {0}, p[2];
    LitheTerm t;
    lithe_term_dry(&t, 2, h, force, 1e-8, 0);
    double held[2] = {h * 1.2 / m, h * -1.5 / m}; // 1.92 N
    FATAL(settle(&t, m, held, v, p) >= 0);
    CHECK(hypot(v[0], v[1]) < 1e-7);
    double pulled[2] = {h * 3 / m, h * 4 / m}; // 5 N
    FATAL(settle(&t, m, pulled, v, p) >= 0);
    CHECK_NEAR(v[0], h * 3 * 0.6 / m, 1e-9);
    CHECK_NEAR(v[1], h * 3 * 0.8 / m, 1e-9);
}

// --- limiting cases ------------------------------------------------------------------------------

TEST(lag_returns_the_relative_change_of_n0_and_0_where_friction_does_not_depend_on_n0) {
    LitheContactSetting setting = lithe_contact_setting_default();
    LitheContactStart start = resting(1, 1e5, 0.5);
    LitheTerm t;
    lithe_term_contact(&t, LITHE_TERM_LAGGED, &setting, 1e-3, &start);
    double n0 = t.n0;
    CHECK_NEAR(n0, 1e-3 * GRAVITY, 1e-15);
    CHECK(lithe_term_lag(&t, n0) == 0);
    CHECK_NEAR(lithe_term_lag(&t, 4 * n0), 0.75, 1e-15);
    CHECK_NEAR(lithe_term_lag(&t, n0), 0.75, 1e-15);
    CHECK(lithe_term_lag(&t, -1) == 1 && t.n0 == 0);
    CHECK(lithe_term_lag(&t, 0) == 0);
    CHECK(lithe_term_lag(&t, 1e6) == 1 && t.eps > 0.1);
    lithe_term_contact(&t, LITHE_TERM_SIMILAR, &setting, 1e-3, &start);
    CHECK(lithe_term_lag(&t, 4 * n0) == 0);
    start.mu = 0;
    lithe_term_contact(&t, LITHE_TERM_LAGGED, &setting, 1e-3, &start);
    CHECK(lithe_term_lag(&t, 4 * n0) == 0);
}

static bool finite_all(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

TEST(extreme_parameters_give_finite_costs_impulses_and_hessians) {
    const double mus[] = {0, 1e-300, 0.5, 1e6}, gaps[] = {-1e3, -1e-12, 0, 1e-300, 1e3},
                 speeds[] = {0, 1e-300, -1e-9, 1, -1e6, 1e30, -1e30}, ds[] = {0, 1e-300, 1, 1e6},
                 ks[] = {0, 1e-300, 1, 1e12, INFINITY}, scales[] = {0, 1e-12, 1, 1e12};
    int cases = 0;
    for (int n = 0; n < 3 * 4 * 5 * 4 * 5 * 4; n++) {
        int q = n / 3;
        LitheContactSetting setting = lithe_contact_setting_default();
        LitheContactStart start = {.mu = mus[q % 4],
                                   .phi0 = gaps[q / 4 % 5],
                                   .d = ds[q / 20 % 4],
                                   .k = ks[q / 80 % 5],
                                   .w = scales[q / 400 % 4],
                                   .torsion = 1,
                                   .roll = 1e-9,
                                   .w_angular = 1};
        LitheTerm t;
        setting.v_s = n % 2 ? 1e-9 : 0;
        lithe_term_contact(&t, (LitheTermKind)(n % 3), &setting, 1e-3, &start);
        for (int s = 0; s < 49; s++) {
            double a = speeds[s % 7], b = speeds[s / 7], v[6] = {a, 0, b, a, b, a}, p[6], G[36];
            double cost = lithe_term_cost(&t, v, p, G);
            cases++;
            FATAL(cost >= 0 && isfinite(cost) && finite_all(p, 6) && finite_all(G, 36));
        }
    }
    CHECK(cases == 3 * 1600 * 49);
}
