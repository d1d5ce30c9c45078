// SPDX-License-Identifier: Apache-2.0
// solve/check.c - independent check of a solution, recomputed from the data of the problem
//
// Nothing here calls the solver or the laws. The law sap is not evaluated but tested: its impulse g
// is the point of the cone nearest to y when s = v - vhat + R g lies in the dual cone and g.s = 0
// (V8). Numbers in brackets: docs/theory/contact.md.

#include "solve/check.h"

#include <float.h>
#include <math.h>
#include <string.h>

// tolerance for the impulse of a law, relative to the sum of the magnitudes of its terms
#define LAW_TOLERANCE 1e-11
// bound for the rounding error of a sum, relative to the sum of the magnitudes of its terms
#define ROUNDINGS (64 * DBL_EPSILON)

static const char *const names[] = {
    [LITHE_CHECK_PASSED] = "passed",
    [LITHE_CHECK_FINITE] = "velocities and impulses are numbers",
    [LITHE_CHECK_HELD] = "held degrees of freedom move as they must",
    [LITHE_CHECK_VELOCITY] = "velocity of a coupling",
    [LITHE_CHECK_LAW] = "impulse by the law",
    [LITHE_CHECK_SIGN] = "normal impulses push",
    [LITHE_CHECK_CONE] = "friction within its bound",
    [LITHE_CHECK_COMPLEMENT] = "impulse only where there is touch",
    [LITHE_CHECK_BOUND] = "drives and dry friction within their bounds",
    [LITHE_CHECK_BALANCE] = "balance of momentum",
};

const char *lithe_check_name(LitheCheckKind kind) {
    return names[kind];
}

// records only the first failure; a size that is not finite fails
static void want(LitheCheck *check, LitheCheckKind kind, int32_t row, double size, double limit) {
    if (check->failed != LITHE_CHECK_PASSED || (size <= limit && isfinite(size)))
        return;
    check->failed = kind;
    check->row = row;
    check->size = size;
    check->limit = limit;
}

// --- laws ----------------------------------------------------------------------------------------

// friction with the cost bound |v|_e: the impulse g [count] is -bound v/sqrt(v.v + e^2) (V4)
static void want_friction(LitheCheck *check, LitheCheckKind kind, int32_t row, int32_t count,
                          double bound, double eps, const double *v, const double *g) {
    double vv = eps * eps, gg = 0, gv = 0;
    for (int32_t i = 0; i < count; i++) {
        vv += v[i] * v[i];
        gg += g[i] * g[i];
        gv += g[i] * v[i];
    }
    want(check, kind, row, sqrt(gg), bound * (1 + LAW_TOLERANCE));
    want(check, kind, row, gv, 0);
    for (int32_t i = 0; i < count; i++)
        want(check, LITHE_CHECK_LAW, row + i, fabs(g[i] + bound * v[i] / sqrt(vv)),
             LAW_TOLERANCE * bound);
}

// normal impulse (V1) at the velocity u, whose rounding error is at most `blur`
static void want_normal(LitheCheck *check, const LitheTerm *t, double u, double blur, double g) {
    want(check, LITHE_CHECK_SIGN, 2, -g, 0);
    double spring = t->f0 - t->h * t->k * u, damper = 1 - t->d * u;
    bool touch = spring > 0 && damper > 0;
    double slope = t->h * (t->h * t->k * fabs(damper) + t->d * fabs(spring));
    double rough = t->h * (fabs(t->f0) + t->h * t->k * fabs(u)) * (1 + t->d * fabs(u));
    double limit = LAW_TOLERANCE * rough + slope * blur;
    want(check, LITHE_CHECK_LAW, 2, fabs(g - (touch ? t->h * spring * damper : 0)), limit);
    if (isfinite(t->vbar) && u > t->vbar + LAW_TOLERANCE * fabs(t->vbar) + blur)
        want(check, LITHE_CHECK_COMPLEMENT, 2, g, 0);
}

static void want_similar(LitheCheck *check, const LitheTerm *t, const double *v, const double *g) {
    double speed = hypot(v[0], v[1]), s = hypot(speed, t->eps);
    double z = v[2] - t->mu * speed * (speed / (s + t->eps));
    want_normal(check, t, z, LAW_TOLERANCE * (fabs(v[2]) + t->mu * speed), g[2]);
    want_friction(check, LITHE_CHECK_CONE, 0, 2, t->mu * g[2], t->eps, v, g);
}

// g in the cone, s = v - vhat + R g in its dual, g.s = 0
static void want_sap(LitheCheck *check, const LitheTerm *t, const double *v, const double *g) {
    double s[3] = {v[0] + g[0] / t->G_t, v[1] + g[1] / t->G_t, v[2] - t->vhat_n + g[2] / t->G_n};
    double g_t = hypot(g[0], g[1]), s_t = hypot(s[0], s[1]);
    double speed = hypot(v[0], v[1]) + g_t / t->G_t;
    double normal = fabs(v[2]) + fabs(t->vhat_n) + fabs(g[2]) / t->G_n;
    want(check, LITHE_CHECK_SIGN, 2, -g[2], 0);
    want(check, LITHE_CHECK_CONE, 0, g_t, t->mu * g[2] * (1 + LAW_TOLERANCE));
    want(check, LITHE_CHECK_CONE, 0, g[0] * v[0] + g[1] * v[1], 0);
    want(check, LITHE_CHECK_LAW, 0, t->mu * s_t - s[2], LAW_TOLERANCE * (normal + t->mu * speed));
    want(check, LITHE_CHECK_COMPLEMENT, 2, fabs(g[0] * s[0] + g[1] * s[1] + g[2] * s[2]),
         LAW_TOLERANCE * (g_t * speed + g[2] * normal));
}

static void want_contact(LitheCheck *check, const LitheTerm *t, const double *v, const double *g) {
    if (t->kind == LITHE_TERM_LAGGED) {
        want_normal(check, t, v[2], 0, g[2]);
        want_friction(check, LITHE_CHECK_CONE, 0, 2, t->mu * t->n0, t->eps, v, g);
    } else if (t->kind == LITHE_TERM_SIMILAR) {
        want_similar(check, t, v, g);
    } else {
        want_sap(check, t, v, g);
    }
    int32_t row = 3;
    if (t->torsion > 0) {
        want_friction(check, LITHE_CHECK_CONE, row, 1, t->torsion * t->n0, t->eps_torsion, v + row,
                      g + row);
        row++;
    }
    if (t->roll > 0)
        want_friction(check, LITHE_CHECK_CONE, row, 2, t->roll * t->n0, t->eps_roll, v + row,
                      g + row);
}

// (V14)-(V16)
static void want_pull(LitheCheck *check, const LitheTerm *t, int32_t row, double v, double g) {
    double wanted = t->G[row] * (t->vhat[row] - v);
    double limit = LAW_TOLERANCE * t->G[row] * (fabs(t->vhat[row]) + fabs(v));
    if (t->kind == LITHE_TERM_LIMIT) {
        want(check, LITHE_CHECK_SIGN, row, -g, 0);
        if (v > t->vhat[row])
            want(check, LITHE_CHECK_COMPLEMENT, row, g, 0);
        wanted = wanted > 0 ? wanted : 0;
    }
    if (t->kind == LITHE_TERM_DRIVE) {
        want(check, LITHE_CHECK_BOUND, row, fabs(g), t->max);
        wanted = fmin(fmax(wanted, -t->max), t->max);
    }
    if (t->kind == LITHE_TERM_PULL)
        wanted = t->max;
    want(check, LITHE_CHECK_LAW, row, fabs(g - wanted), limit);
}

static void want_law(LitheCheck *check, const LitheCoupling *c) {
    const LitheTerm *t = &c->term;
    switch (t->kind) {
    case LITHE_TERM_LAGGED:
    case LITHE_TERM_SAP:
    case LITHE_TERM_SIMILAR:
        want_contact(check, t, c->v, c->impulse);
        break;
    case LITHE_TERM_DRY:
        want_friction(check, LITHE_CHECK_BOUND, 0, t->rows, t->max, t->eps, c->v, c->impulse);
        break;
    default:
        for (int32_t row = 0; row < t->rows; row++)
            want_pull(check, t, row, c->v[row], c->impulse[row]);
        break;
    }
}

// bound for the derivative of a row's impulse with respect to its velocity, near v
static double steepest(const LitheCoupling *c, int32_t row) {
    const LitheTerm *t = &c->term;
    if (t->kind == LITHE_TERM_DRY)
        return t->max / t->eps;
    if (t->kind > LITHE_TERM_SIMILAR)
        return t->G[row];
    if (row >= 3) {
        bool torsion = t->torsion > 0 && row == 3;
        return torsion ? t->torsion * t->n0 / t->eps_torsion : t->roll * t->n0 / t->eps_roll;
    }
    if (t->kind == LITHE_TERM_SAP)
        return row < 2 ? t->G_t : t->G_n;
    double speed = fabs(c->v[2]);
    if (t->kind == LITHE_TERM_SIMILAR)
        speed += t->mu * hypot(c->v[0], c->v[1]);
    double normal =
        t->h * (t->h * t->k * (1 + t->d * speed) + t->d * (fabs(t->f0) + t->h * t->k * speed));
    double bound = t->mu * fmax(t->n0, c->impulse[2]);
    return row == 2 ? normal : bound / t->eps + t->mu * t->mu * normal;
}

// --- velocities ----------------------------------------------------------------------------------

static void want_velocities(LitheCheck *check, const LitheSystem *system, const LitheCoupling *c,
                            double *rounding) {
    for (int32_t row = 0; row < c->term.rows; row++) {
        double sum = c->bias[row], size = fabs(c->bias[row]);
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t node = c->node[k], n = system->node_size[node];
            for (int32_t j = 0; j < n; j++) {
                double part = system->jacobian[c->jacobian_at[k] + (int64_t)n * row + j] *
                              system->w[system->node_at[node] + j];
                sum += part;
                size += fabs(part);
            }
        }
        rounding[row] = ROUNDINGS * size;
        want(check, LITHE_CHECK_FINITE, row, isfinite(sum + c->impulse[row]) ? 0 : INFINITY, 0);
        want(check, LITHE_CHECK_VELOCITY, row, fabs(sum - c->v[row]), rounding[row]);
    }
}

// --- balance -------------------------------------------------------------------------------------

// the four vectors of a balance
typedef struct Sums {
    double *gradient; // r + A (w - w0) - J' impulse
    double *size;     // sum of the magnitudes of its terms
    double *impulses; // J' impulse
    double *blur;     // J' (slope times rounding of v)
} Sums;

static void add_matrix(const LitheSystem *system, Sums s) {
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t e = m->start[column]; e < m->start[column + 1]; e++) {
            int32_t row = m->row[e], n = m->size[row];
            const double *block = system->A + m->value_at[e];
            for (int32_t j = 0; j < m->size[column]; j++)
                for (int32_t i = row == column ? j : 0; i < n; i++) {
                    int32_t a = m->at[row] + i, b = m->at[column] + j;
                    double value = block[(int64_t)n * j + i];
                    double da = system->w[a] - system->w0[a], db = system->w[b] - system->w0[b];
                    s.gradient[a] += value * db;
                    s.size[a] += fabs(value) * (fabs(system->w[b]) + fabs(system->w0[b]));
                    if (a == b)
                        continue;
                    s.gradient[b] += value * da;
                    s.size[b] += fabs(value) * (fabs(system->w[a]) + fabs(system->w0[a]));
                }
        }
    for (int32_t k = 0, n = system->dof_count; k < m->rank_count; k++) {
        const double *u = m->rank + (int64_t)k * n;
        double along = 0, size = 0;
        for (int32_t i = 0; i < n; i++) {
            along += u[i] * (system->w[i] - system->w0[i]);
            size += fabs(u[i]) * (fabs(system->w[i]) + fabs(system->w0[i]));
        }
        for (int32_t i = 0; i < n; i++) {
            s.gradient[i] += u[i] * along;
            s.size[i] += fabs(u[i]) * size;
        }
    }
}

static void add_coupling(const LitheSystem *system, const LitheCoupling *c, const double *rounding,
                         Sums s) {
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t node = c->node[k], n = system->node_size[node], at = system->node_at[node];
        for (int32_t row = 0; row < c->term.rows; row++)
            for (int32_t j = 0; j < n; j++) {
                double J = system->jacobian[c->jacobian_at[k] + (int64_t)n * row + j];
                s.impulses[at + j] += J * c->impulse[row];
                s.size[at + j] += fabs(J * c->impulse[row]);
                s.blur[at + j] += fabs(J) * steepest(c, row) * rounding[row];
            }
    }
}

// tests (V24); D is computed from A, not taken from the system
static void want_balance(LitheCheck *check, const LitheSystem *system,
                         const LitheConvexSetting *setting, bool stalled, Sums s) {
    double sum = 0, impulses = 0, rounding = 0, blur = 0, worst = -1;
    int32_t at = -1;
    for (int32_t node = 0; node < system->node_count; node++) {
        int32_t n = system->node_size[node], first = system->node_at[node];
        const double *block = system->A + system->matrix->value_at[system->matrix->start[node]];
        for (int32_t j = 0; j < n; j++) {
            int32_t i = first + j;
            double D = fabs(block[(int64_t)(n + 1) * j]);
            if (system->held[i])
                continue;
            double g = s.gradient[i] - s.impulses[i];
            sum += g * g / D;
            impulses += s.impulses[i] * s.impulses[i] / D;
            rounding += s.size[i] * s.size[i] / D;
            blur += s.blur[i] * s.blur[i] / D;
            if (g * g / D > worst) {
                worst = g * g / D;
                at = i;
            }
        }
    }
    double sums = ROUNDINGS * sqrt(rounding), goal = setting->tolerance;
    goal = goal * fmax(sqrt(impulses), setting->momentum) + setting->noise;
    check->rounding = sums + sqrt(blur);
    want(check, LITHE_CHECK_BALANCE, at, sqrt(sum),
         goal * (1 + 1e-9) + (stalled ? check->rounding : sums));
}

LitheCheck lithe_system_check(const LitheSystem *system, const LitheConvexSetting *setting,
                              bool stalled, double *work) {
    LitheCheck check = {.coupling = -1, .row = -1};
    int32_t n = system->dof_count;
    Sums s = {work, work + n, work + 2 * (ptrdiff_t)n, work + 3 * (ptrdiff_t)n};
    memset(work, 0, 4 * (size_t)n * sizeof(double));
    for (int32_t i = 0; i < n; i++) {
        want(&check, LITHE_CHECK_FINITE, i, isfinite(system->w[i]) ? 0 : INFINITY, 0);
        if (system->held[i])
            want(&check, LITHE_CHECK_HELD, i, fabs(system->w[i] - system->w0[i]), 0);
        s.gradient[i] = system->r[i];
        s.size[i] = fabs(system->r[i]);
    }
    for (int32_t i = 0; i < system->coupling_count && check.failed == LITHE_CHECK_PASSED; i++) {
        const LitheCoupling *c = &system->couplings[i];
        double rounding[LITHE_COUPLED_ROWS];
        want_velocities(&check, system, c, rounding);
        want_law(&check, c);
        add_coupling(system, c, rounding, s);
        check.coupling = check.failed == LITHE_CHECK_PASSED ? -1 : i;
    }
    if (check.failed == LITHE_CHECK_PASSED) {
        add_matrix(system, s);
        want_balance(&check, system, setting, stalled, s);
    }
    return check;
}
