// SPDX-License-Identifier: Apache-2.0
// tests/law/test_term.c - cost terms of contacts, holds, limits, drives, dry friction: derivatives,
// convexity, cone, limits of their parameters

#include "law/term.h"

#include "math/eigen.h"

#include "test.h"

enum { ROWS = LITHE_TERM_ROWS, KINDS = LITHE_TERM_DRY + 1 };

// log-uniform
static double random_size(TestRandom *r, double low, double high) {
    return exp(test_random(r, log(low), log(high)));
}

static bool often(TestRandom *r, double share) {
    return test_random(r, 0, 1) < share;
}

static LitheTerm random_contact(TestRandom *r, LitheTermKind law) {
    LitheContactSetting setting = {.v_s = random_size(r, 1e-9, 1e-3),
                                   .w_s = random_size(r, 1e-8, 1e-2),
                                   .sigma = random_size(r, 1e-7, 1e-2),
                                   .beta = often(r, 0.3) ? 0 : random_size(r, 1e-3, 1),
                                   .tau_d = often(r, 0.5) ? 0 : random_size(r, 1e-4, 1e-1)};
    double side = often(r, 0.8) ? -1 : 1;
    LitheContactStart start = {.k = random_size(r, 1e2, 1e7),
                               .d = often(r, 0.3) ? 0 : random_size(r, 1e-3, 1e2),
                               .phi0 = side * random_size(r, 1e-7, 1e-3),
                               .mu = often(r, 0.1) ? 0 : random_size(r, 1e-2, 10),
                               .torsion = often(r, 0.5) ? 0 : random_size(r, 1e-5, 1e-1),
                               .roll = often(r, 0.5) ? 0 : random_size(r, 1e-5, 1e-1),
                               .w = random_size(r, 1e-2, 1e4),
                               .w_angular = random_size(r, 1e-2, 1e6),
                               .v_n = test_random(r, -1, 1)};
    LitheTerm term;
    lithe_term_contact(&term, law, &setting, random_size(r, 1e-5, 1e-1), &start);
    if (term.n0 == 0 && often(r, 0.8)) // a landing contact after its first solve
        lithe_term_lag(&term, random_size(r, 1e-6, 1));
    return term;
}

static LitheTerm random_term(TestRandom *r, LitheTermKind kind) {
    double h = random_size(r, 1e-5, 1e-1), g[ROWS], speed[ROWS];
    int32_t rows = 1 + (int32_t)(test_random_bits(r) % ROWS);
    for (int i = 0; i < ROWS; i++) {
        g[i] = test_random(r, -1e-2, 1e-2);
        speed[i] = test_random(r, -1, 1);
    }
    LitheCompliance compliance = {.stiffness = often(r, 0.3) ? INFINITY : random_size(r, 1, 1e6),
                                  .damping = often(r, 0.3) ? 0 : random_size(r, 1e-2, 1e4),
                                  .tau = test_random(r, -0.1, 0.1),
                                  .beta = random_size(r, 1e-2, 1),
                                  .w = random_size(r, 1e-2, 1e4)};
    LitheTerm term;
    if (kind == LITHE_TERM_HOLD)
        lithe_term_hold(&term, rows, h, g, speed, &compliance);
    else if (kind == LITHE_TERM_LIMIT)
        lithe_term_limit(&term, h, g[0], &compliance);
    else if (kind == LITHE_TERM_DRIVE)
        lithe_term_drive(&term, h, g[0], speed[0], random_size(r, 1e-1, 1e4), &compliance);
    else if (kind == LITHE_TERM_DRY)
        lithe_term_dry(&term, rows, h, random_size(r, 1e-2, 1e3), random_size(r, 1e-9, 1e-3), 1e-4);
    else
        term = random_contact(r, kind);
    if (kind == LITHE_TERM_DRIVE) // else the knee is too narrow for differences
        term.max = fmax(term.max, 1e-5 * term.G[0]);
    return term;
}

// the velocity over which a row's law changes: half of the cases near a transition
static double scale_of(const LitheTerm *t, int row) {
    if (t->kind == LITHE_TERM_DRY)
        return t->eps;
    if (t->kind == LITHE_TERM_DRIVE)
        return fmin(t->max / t->G[0], 1e3) + 1e-9;
    if (t->kind > LITHE_TERM_SIMILAR)
        return 0.1;
    double knee = fabs(t->kind == LITHE_TERM_SAP ? t->vhat_n : t->vbar);
    if (row == 2)
        return knee;
    if (row < 2 && t->kind == LITHE_TERM_SAP)
        return knee * fmax(t->mu, 1e-3) * t->G_n / t->G_t;
    return row < 2 ? t->eps : t->rows != 5 && row == 3 ? t->eps_torsion : t->eps_roll;
}

static void random_velocity(TestRandom *r, const LitheTerm *t, double *v) {
    bool wide = often(r, 0.3);
    for (int i = 0; i < t->rows; i++) {
        double size = scale_of(t, i) * (wide ? random_size(r, 1e-2, 1e3) : random_size(r, 0.1, 10));
        v[i] = test_random(r, -1, 1) * size;
        if (t->kind >= LITHE_TERM_HOLD && t->kind <= LITHE_TERM_DRIVE)
            v[i] += t->vhat[i];
    }
}

// --- the plain costs, in extended precision ------------------------------------------------------

static long double plain_norm(const long double *v, int count, double eps) {
    long double sum = (long double)eps * eps;
    for (int i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrtl(sum) - eps;
}

// minus the integral of (V1) from vbar, term by term
static long double plain_normal(const LitheTerm *t, long double v) {
    long double hk = (long double)t->h * t->k, f = t->f0, d = t->d, end = f / hk;
    if (d > 0 && 1 / d < end)
        end = 1 / d;
    if (v >= end)
        return 0;
    long double far = f * end - (hk + d * f) * end * end / 2 + hk * d * end * end * end / 3;
    return t->h * (far - f * v + (hk + d * f) * v * v / 2 - hk * d * v * v * v / 3);
}

// the conjugate form: max over g in the cone of g'(vhat - v) - g'Rg/2, the best g by cases
static long double plain_sap(const LitheTerm *t, const long double *v) {
    long double c_n = t->vhat_n - v[2], c_t = sqrtl(v[0] * v[0] + v[1] * v[1]), mu = t->mu;
    long double R_n = 1 / (long double)t->G_n, R_t = 1 / (long double)t->G_t;
    if (c_n > 0 && c_t / R_t <= mu * c_n / R_n)
        return c_n * c_n / (2 * R_n) + c_t * c_t / (2 * R_t);
    long double along = c_n + mu * c_t;
    return along > 0 ? along * along / (2 * (R_n + mu * mu * R_t)) : 0;
}

static long double plain_contact(const LitheTerm *t, const long double *v) {
    long double slide = plain_norm(v, 2, t->eps), cost;
    if (t->kind == LITHE_TERM_LAGGED)
        cost = plain_normal(t, v[2]) + (long double)t->mu * t->n0 * slide;
    else if (t->kind == LITHE_TERM_SIMILAR)
        cost = plain_normal(t, v[2] - t->mu * slide);
    else
        cost = plain_sap(t, v);
    if (t->rows == 4 || t->rows == 6)
        cost += (long double)t->torsion * t->n0 * plain_norm(v + 3, 1, t->eps_torsion);
    if (t->rows >= 5)
        cost += (long double)t->roll * t->n0 * plain_norm(v + t->rows - 2, 2, t->eps_roll);
    return cost;
}

static long double plain_cost(const LitheTerm *t, const long double *v) {
    if (t->kind <= LITHE_TERM_SIMILAR)
        return plain_contact(t, v);
    if (t->kind == LITHE_TERM_DRY)
        return t->max * plain_norm(v, t->rows, t->eps);
    long double cost = 0;
    for (int i = 0; i < t->rows; i++) {
        long double miss = t->vhat[i] - v[i], y = t->G[i] * miss;
        if (t->kind == LITHE_TERM_LIMIT && miss < 0)
            continue;
        if (t->kind == LITHE_TERM_DRIVE && fabsl(y) > t->max)
            cost += (t->max * fabsl(y) - (long double)t->max * t->max / 2) / t->G[i];
        else
            cost += y * miss / 2;
    }
    return cost;
}

// --- derivatives ---------------------------------------------------------------------------------

// the velocity towards which a row is held
static double target_of(const LitheTerm *t, int row) {
    if (t->kind > LITHE_TERM_SIMILAR)
        return t->vhat[row];
    return t->kind == LITHE_TERM_SAP && row == 2 ? t->vhat_n : 0;
}

// how far v may move before a row's law changes by as much as itself
static double span_of(const LitheTerm *t, int row, const double *v) {
    bool held = t->kind >= LITHE_TERM_HOLD && t->kind <= LITHE_TERM_DRIVE;
    return scale_of(t, row) + fabs(v[row] - (held ? t->vhat[row] : 0));
}

// size of what cancels in the plain cost [J]
static double stored(const LitheTerm *t) {
    double knee = t->kind < LITHE_TERM_HOLD ? scale_of(t, 2) : 0;
    return (t->h * t->h * t->k + t->G_n) * (1 + t->d * knee) * knee * knee;
}

TEST(cost_is_that_of_the_plain_formulas) {
    TestRandom r = {1};
    for (int n = 0; n < 20000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double v[ROWS];
        long double x[ROWS] = {0};
        random_velocity(&r, &t, v);
        for (int i = 0; i < t.rows; i++)
            x[i] = v[i];
        double want = (double)plain_cost(&t, x);
        CHECK_NEAR(lithe_term_cost(&t, v, NULL, NULL), want, 1e-13 * want + 1e-16 * stored(&t));
    }
}

TEST(impulse_is_minus_the_gradient_of_the_plain_cost) {
    TestRandom r = {2};
    for (int n = 0; n < 20000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double v[ROWS], impulse[ROWS], x[ROWS], side[2][ROWS * ROWS];
        random_velocity(&r, &t, v);
        lithe_term_cost(&t, v, impulse, NULL);
        for (int i = 0; i < t.rows; i++) {
            long double z[ROWS] = {0}, cost[2], end[2], step = 1e-6 * span_of(&t, i, v);
            for (int k = 0; k < t.rows; k++)
                z[k] = x[k] = v[k];
            for (int s = 0; s < 2; s++) {
                end[s] = z[i] = v[i] + (s ? step : -step);
                cost[s] = plain_cost(&t, z);
                x[i] = (double)z[i];
                lithe_term_cost(&t, x, NULL, side[s]);
            }
            double got = (double)((cost[0] - cost[1]) / (end[1] - end[0]));
            double G = side[0][i * t.rows + i], jump = fabs(side[1][i * t.rows + i] - G);
            double scale = fabs(impulse[i]) + G * span_of(&t, i, v);
            double noise = 1e-18 * ((double)cost[0] + stored(&t)) / (double)step;
            CHECK_NEAR(got, impulse[i], 1e-10 * scale + jump * (double)step + noise);
        }
    }
}

// Differences of the impulse on both sides: where the slope jumps between them (a kink within
// 1e-6 of a span) the case is skipped and counted.
TEST(slope_is_minus_the_derivative_of_the_impulse) {
    TestRandom r = {3};
    int kinks = 0, checked = 0;
    for (int n = 0; n < 20000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double v[ROWS], impulse[ROWS], G[ROWS * ROWS], x[ROWS], at[2][ROWS], side[2][ROWS * ROWS];
        random_velocity(&r, &t, v);
        lithe_term_cost(&t, v, impulse, G);
        for (int k = 0; k < t.rows; k++) {
            double step = 1e-6 * span_of(&t, k, v), jump = 0, top = 0;
            memcpy(x, v, sizeof x);
            for (int s = 0; s < 2; s++) {
                x[k] = v[k] + (s ? step : -step);
                lithe_term_cost(&t, x, at[s], side[s]);
            }
            for (int i = 0; i < t.rows * t.rows; i++) {
                jump = fmax(jump, fabs(side[1][i] - side[0][i]));
                top = fmax(top, fmax(fabs(side[1][i]), fabs(side[0][i])));
            }
            if (jump > 1e-3 * top) {
                kinks++;
                continue;
            }
            checked++;
            double width = (v[k] + step) - (v[k] - step);
            for (int i = 0; i < t.rows; i++) {
                double got = (at[0][i] - at[1][i]) / width, size = fabs(impulse[i]);
                for (int j = 0; j < t.rows; j++)
                    size += fabs(G[i * t.rows + j]) * (fabs(v[j]) + fabs(target_of(&t, j)));
                CHECK_NEAR(got, G[i * t.rows + k], 1e-8 * top + 4e-16 * size / step);
            }
        }
    }
    CHECK(checked > 40000 && kinks < checked / 1000);
}

TEST(slope_is_symmetric_and_positive_semidefinite) {
    TestRandom r = {4};
    for (int n = 0; n < 20000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double v[ROWS], G[ROWS * ROWS], values[ROWS], work[LITHE_EIGEN_WORK(ROWS)], top = 0;
        random_velocity(&r, &t, v);
        lithe_term_cost(&t, v, NULL, G);
        for (int i = 0; i < t.rows; i++)
            for (int k = 0; k < t.rows; k++) {
                CHECK(G[i * t.rows + k] == G[k * t.rows + i]);
                top = fmax(top, fabs(G[i * t.rows + k]));
            }
        FATAL(lithe_eigen_symmetric(t.rows, G, values, work));
        CHECK(values[0] >= -4e-15 * top);
    }
}

// --- convexity -----------------------------------------------------------------------------------

// Along lines through the whole space, kinks included: the cost lies under its chords and over its
// tangents, and the impulse along the line never grows.
TEST(costs_are_convex_along_lines_across_kinks) {
    TestRandom r = {5};
    for (int n = 0; n < 20000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double a[ROWS], b[ROWS], x[ROWS], pa[ROWS], pb[ROWS], px[ROWS];
        random_velocity(&r, &t, a);
        random_velocity(&r, &t, b);
        double s = test_random(&r, 0, 1), rise = 0, size = 0, slope_a = 0;
        for (int i = 0; i < t.rows; i++)
            x[i] = (1 - s) * a[i] + s * b[i];
        double la = lithe_term_cost(&t, a, pa, NULL), lb = lithe_term_cost(&t, b, pb, NULL);
        double lx = lithe_term_cost(&t, x, px, NULL), top = fmax(la, lb) + stored(&t);
        for (int i = 0; i < t.rows; i++) {
            rise += (px[i] - pa[i]) * (x[i] - a[i]);
            slope_a -= pa[i] * (b[i] - a[i]);
            size += fabs(px[i] * (x[i] - a[i])) + fabs(pa[i] * (b[i] - a[i]));
            size += fabs(px[i] * x[i]) + fabs(pa[i] * a[i]);
        }
        CHECK(lx <= (1 - s) * la + s * lb + 1e-13 * (top + size));
        CHECK(rise <= 1e-13 * size);
        CHECK(lb >= la + slope_a - 1e-13 * (top + size));
    }
}

TEST(an_active_contact_is_its_own_tangent_and_an_inactive_one_is_zero) {
    TestRandom r = {31};
    for (int n = 0; n < 3000; n++) {
        LitheTerm t = random_contact(&r, LITHE_TERM_LAGGED);
        FATAL(lithe_term_has_active_set(&t));
        double v[ROWS], p[ROWS], G[ROWS * ROWS], q[ROWS], H[ROWS * ROWS], far[ROWS];
        int at = 2 * t.rows + 2;
        for (int i = 0; i < ROWS; i++)
            v[i] = far[i] = test_random(&r, -1, 1);
        // near the force at the start, or where the force begins, the line is the law
        double max = t.f0 > 0 ? 0.5 * t.f0 / (t.h * t.k + t.d * t.f0) : 0;
        v[2] = t.f0 > 0 ? test_random(&r, -1, 1) * max : nextafter(t.vbar, -INFINITY);
        CHECK(lithe_term_if_active(&t, v, true, p, G) == (p[2] > 0));
        lithe_term_cost(&t, v, q, H);
        CHECK(memcmp(p, q, (size_t)t.rows * sizeof *p) == 0);
        CHECK(memcmp(G, H, (size_t)(t.rows * t.rows) * sizeof *G) == 0);
        // beyond it is straight, and it pulls past its end
        v[2] = 2 * fabs(t.vbar) + max;
        CHECK(!lithe_term_if_active(&t, v, true, p, G));
        far[2] = v[2] + 1;
        lithe_term_if_active(&t, far, true, q, H);
        CHECK(p[2] < 0 && G[at] > 0 && G[at] == H[at]);
        CHECK_NEAR(q[2], p[2] - G[at], 1e-12 * (fabs(p[2]) + G[at]));
        // not active: no push, and the result says where there would be one
        CHECK(!lithe_term_if_active(&t, v, false, p, G) && p[2] == 0 && G[at] == 0);
        v[2] = t.vbar - 1;
        CHECK(lithe_term_if_active(&t, v, false, p, G) && p[2] == 0 && G[at] == 0);
    }
    LitheTerm sap = random_contact(&r, LITHE_TERM_SAP);
    CHECK(!lithe_term_has_active_set(&sap));
}

// Bisection towards the larger change of impulse would end at a jump.
// (V40): the parabola has the slope of the cost at v, its lowest point at vhat, and is nowhere
// below
TEST(a_drive_at_its_bound_is_held_back_by_a_parabola_above_its_cost) {
    TestRandom r = {41};
    int beyond = 0;
    for (int n = 0; n < 3000; n++) {
        LitheTerm t = random_term(&r, LITHE_TERM_DRIVE);
        double knee = t.max / t.G[0], v = t.vhat[0] + test_random(&r, -5, 5) * knee, p, G, H = -1;
        double cost = lithe_term_cost(&t, &v, &p, &G);
        bool over = fabs(v - t.vhat[0]) > knee * (1 + 1e-12);
        if (fabs(fabs(v - t.vhat[0]) - knee) > 1e-12 * knee)
            CHECK(lithe_term_hold_back(&t, &v, &H) == over && (over || H == -1));
        if (!over)
            continue;
        beyond++;
        CHECK(G == 0 && H > 0 && H < t.G[0]);
        CHECK_NEAR(v + p / H, t.vhat[0], 1e-12 * (fabs(v) + fabs(t.vhat[0]) + knee));
        for (int k = 0; k < 20; k++) {
            double d = test_random(&r, -10, 10) * knee, other = v + d;
            double above = cost - p * d + 0.5 * H * d * d;
            CHECK(lithe_term_cost(&t, &other, NULL, NULL) <= above + 1e-10 * (cost + fabs(p * d)));
        }
    }
    CHECK(beyond > 1000);
    LitheTerm contact = random_contact(&r, LITHE_TERM_LAGGED);
    double v[ROWS] = {0}, G[ROWS * ROWS] = {0};
    CHECK(!lithe_term_hold_back(&contact, v, G));
}

TEST(impulse_is_continuous) {
    TestRandom r = {6};
    for (int n = 0; n < 7000; n++) {
        LitheTerm t = random_term(&r, (LitheTermKind)(n % KINDS));
        double x[3][ROWS], p[3][ROWS], top = 0, left = 0, right = 0;
        random_velocity(&r, &t, x[0]);
        random_velocity(&r, &t, x[2]);
        lithe_term_cost(&t, x[0], p[0], NULL);
        lithe_term_cost(&t, x[2], p[2], NULL);
        for (int i = 0; i < t.rows; i++)
            top = fmax(top, fmax(fabs(p[0][i]), fabs(p[2][i])));
        for (int k = 0; k < 40; k++) {
            for (int i = 0; i < t.rows; i++)
                x[1][i] = 0.5 * (x[0][i] + x[2][i]);
            lithe_term_cost(&t, x[1], p[1], NULL);
            left = right = 0;
            for (int i = 0; i < t.rows; i++) {
                left = fmax(left, fabs(p[1][i] - p[0][i]));
                right = fmax(right, fabs(p[2][i] - p[1][i]));
            }
            int drop = left > right ? 2 : 0;
            memcpy(x[drop], x[1], sizeof x[1]);
            memcpy(p[drop], p[1], sizeof p[1]);
        }
        CHECK(left + right <= 1e-6 * top);
    }
}

// (V36)
TEST(a_given_pull_has_the_same_impulse_at_every_velocity) {
    LitheTerm term;
    lithe_term_pull(&term, 0.01, 30);
    for (double v = -2; v <= 2; v += 0.5) {
        double impulse, hessian;
        CHECK_NEAR(lithe_term_cost(&term, &v, &impulse, &hessian), -0.3 * v, 1e-15);
        CHECK_NEAR(impulse, 0.3, 1e-15);
        CHECK(hessian == 0);
    }
}

// (V18): at the end of the step the row has followed the limit, with the force that holds it there
TEST(a_limit_that_moves_is_followed_without_delay) {
    LitheTerm term;
    LitheCompliance rigid = lithe_compliance_rigid(1);
    lithe_term_limit_moving(&term, 0.01, -0.02 * 0.01, 0.02, &rigid);
    CHECK_NEAR(term.vhat[0], 0.02, 1e-15);
    lithe_term_limit(&term, 0.01, -0.02 * 0.01, &rigid);
    CHECK_NEAR(term.vhat[0], 0.01, 1e-15);
}
