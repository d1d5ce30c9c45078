// SPDX-License-Identifier: Apache-2.0
// solve/convex.c - the convex problem of a step: Newton with exact line search
//
// Numbers in brackets: docs/theory/contact.md.

#include "solve/convex.h"

#include "solve/slip.h"

#include <float.h>
#include <math.h>
#include <string.h>

// longest step: a little beyond Newton's own, for regions where the curvature falls
#define LONGEST 1.5
#define STRETCH 4
#define LONGEST_EVER 1e6
// the slope along the direction counts as zero at this part of its start
#define SEARCH_TOLERANCE 1e-2
#define MOST_SEARCHES 50
// pivots this far below zero, relative to their diagonal, may be rounding
#define LEAST_LIFT 1e-13
#define MOST_LIFT 1e-8
// two costs that differ by this part are equal: rounding of a sum of many terms
#define COST_NOISE 1e-15
// a relative residual below this says that velocities go about where they should
#define WARM 0.1
// relative error of a sum of a few terms
#define ROUNDINGS (8 * DBL_EPSILON)

// --- couplings -----------------------------------------------------------------------------------

// out [rows] = J x, plus the bias
static void velocity(const LitheSystem *system, const LitheCoupling *c, const double *x,
                     bool with_bias, double *out) {
    int32_t rows = c->term.rows;
    for (int32_t i = 0; i < rows; i++)
        out[i] = with_bias ? c->bias[i] : 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k];
        const double *own = x + system->node_at[c->node[k]];
        for (int32_t i = 0; i < rows; i++, J += size)
            for (int32_t j = 0; j < size; j++)
                out[i] += J[j] * own[j];
    }
}

double lithe_convex_respond(LitheSystem *system, const double *w) {
    double cost = 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        velocity(system, c, w, true, c->v);
        cost += lithe_term_cost(&c->term, c->v, c->impulse, NULL);
    }
    return cost;
}

void lithe_convex_spread(const LitheSystem *system, bool held, double *out) {
    const double *from = held ? system->jacobian_held : system->jacobian;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t size = system->node_size[c->node[k]];
            const double *J = from + c->jacobian_at[k];
            double *own = out + system->node_at[c->node[k]];
            for (int32_t row = 0; row < c->term.rows; row++, J += size)
                for (int32_t j = 0; j < size; j++)
                    own[j] += J[j] * c->impulse[row];
        }
    }
}

// --- gradient and matrix -------------------------------------------------------------------------

double lithe_convex_norm(const LitheSystem *system, const double *x) {
    double sum = 0;
    for (int32_t i = 0; i < system->dof_count; i++) {
        double y = system->scale[i] * x[i];
        sum += y * y;
    }
    return sqrt(sum);
}

static double dot(const LitheSystem *system, const double *x, const double *y) {
    double sum = 0;
    for (int32_t i = 0; i < system->dof_count; i++)
        sum += x[i] * y[i];
    return sum;
}

static void multiply_A(LitheSystem *system, const double *x, double *y) {
    LitheBlockMatrix A = *system->matrix;
    A.value = system->A;
    lithe_block_multiply(&A, x, y);
}

// G J of one node, [rows][size]
static void weigh(int32_t rows, int32_t size, const double *G, const double *J, double *out) {
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < size; j++) {
            double sum = 0;
            for (int32_t k = 0; k < rows; k++)
                sum += G[rows * i + k] * J[size * k + j];
            out[size * i + j] = sum;
        }
}

// block [size a x size b, column-major] += Ja' X, X [rows][size b]
static void add_block(int32_t rows, int32_t size_a, int32_t size_b, const double *Ja,
                      const double *X, double *block) {
    for (int32_t j = 0; j < size_b; j++)
        for (int32_t i = 0; i < size_a; i++) {
            double sum = 0;
            for (int32_t k = 0; k < rows; k++)
                sum += Ja[size_a * k + i] * X[size_b * k + j];
            block[size_a * j + i] += sum;
        }
}

// H += J_c' G J_c
static void add_coupling(LitheSystem *system, int32_t index) {
    const LitheCoupling *c = &system->couplings[index];
    int32_t rows = c->term.rows;
    double G[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS];
    lithe_term_cost(&c->term, c->v, NULL, G);
    lithe_slip_slope(system, index, G);
    bool any = false;
    for (int32_t i = 0; i < rows; i++)
        any = any || G[rows * i + i] != 0;
    if (!any)
        return;
    LitheBlockMatrix *H = system->matrix;
    for (int32_t b = 0; b < c->node_count; b++) {
        int32_t size_b = system->node_size[c->node[b]];
        double *X = system->weighed;
        weigh(rows, size_b, G, system->jacobian + c->jacobian_at[b], X);
        for (int32_t a = 0; a < c->node_count; a++) {
            if (c->node[a] < c->node[b])
                continue;
            int32_t entry = lithe_block_find(H, c->node[a], c->node[b]);
            add_block(rows, system->node_size[c->node[a]], size_b,
                      system->jacobian + c->jacobian_at[a], X, lithe_block_values(H, entry));
        }
    }
}

// the diagonal of H times 1 + lift; returns that of a row before
static double lift_diagonal(LitheSystem *system, double lift, int32_t row) {
    double before = 0;
    for (int32_t j = 0; j < system->node_count; j++) {
        int32_t size = system->node_size[j], at = system->node_at[j];
        double *D = lithe_block_values(system->matrix, system->matrix->start[j]);
        for (int32_t k = 0; k < size; k++) {
            before = at + k == row ? D[(size + 1) * k] : before;
            D[(size + 1) * k] *= 1 + lift;
        }
    }
    return before;
}

// Slopes that differ by more than 1e14 (friction of a million under similar) leave a pivot that is
// rounding: then H is lifted a little, which bends the direction but keeps it downhill.
static bool factor(LitheSystem *system) {
    lithe_stage_enter(system->stages, LITHE_STAGE_ASSEMBLE);
    memcpy(system->matrix->value, system->A,
           (size_t)lithe_system_value_count(system) * sizeof(double));
    for (int32_t i = 0; i < system->coupling_count; i++)
        add_coupling(system, i);
    LitheBlockPivots pivots;
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    for (double lift = LEAST_LIFT;; lift *= 100) {
        if (lithe_block_factor_numeric(system->factor, system->matrix, LITHE_PIVOT_POSITIVE,
                                       &pivots))
            return true;
        double diagonal = lift_diagonal(system, lift, pivots.first_bad);
        if (lift > MOST_LIFT || !(pivots.smallest > -MOST_LIFT * diagonal))
            return false;
    }
}

// --- exact line search ---------------------------------------------------------------------------

// slope and curvature of the cost at w + length dw; the smooth part is a parabola
typedef struct Along {
    double slope0, curvature0; // of the smooth part at length 0
} Along;

static double slope_at(const LitheSystem *system, Along along, double length, double *curvature) {
    double slope = along.slope0 + length * along.curvature0;
    *curvature = along.curvature0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        const double *dv = system->dv + LITHE_COUPLED_ROWS * i;
        int32_t rows = c->term.rows;
        double v[LITHE_COUPLED_ROWS], impulse[LITHE_COUPLED_ROWS];
        double G[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS];
        for (int32_t k = 0; k < rows; k++)
            v[k] = c->v[k] + length * dv[k];
        lithe_term_cost(&c->term, v, impulse, G);
        for (int32_t k = 0; k < rows; k++) {
            slope -= impulse[k] * dv[k];
            for (int32_t j = 0; j < rows; j++)
                *curvature += dv[k] * G[rows * k + j] * dv[j];
        }
    }
    return slope;
}

// the slope rises along the direction: its root by Newton, kept between bounds that close in
static double search(LitheSystem *system, Along along) {
    double curvature, low = 0, high = LONGEST, length = 1;
    double start = slope_at(system, along, 0, &curvature);
    if (!(start < 0))
        return 0;
    // a matrix that is too stiff (directions that stick) gives steps that are too short
    while (slope_at(system, along, high, &curvature) <= 0) {
        system->searches++;
        low = high;
        high *= STRETCH;
        if (high > LONGEST_EVER)
            return low;
    }
    length = low > 0 ? sqrt(low * high) : 1;
    for (int32_t k = 0; k < MOST_SEARCHES; k++) {
        system->searches++;
        double slope = slope_at(system, along, length, &curvature);
        if (fabs(slope) <= -SEARCH_TOLERANCE * start || high - low < 1e-14)
            break;
        if (slope < 0)
            low = length;
        else
            high = length;
        double next = curvature > 0 ? length - slope / curvature : high;
        length = next > low && next < high ? next : 0.5 * (low + high);
    }
    return length;
}

// --- Newton --------------------------------------------------------------------------------------

// smooth = r + A (w - w0), gradient = smooth - J' impulse; returns the cost
double lithe_convex_cost(LitheSystem *system) {
    int32_t n = system->dof_count;
    for (int32_t i = 0; i < n; i++)
        system->dw[i] = system->w[i] - system->w0[i];
    multiply_A(system, system->dw, system->smooth);
    double cost = lithe_convex_respond(system, system->w);
    for (int32_t i = 0; i < n; i++) {
        cost += system->dw[i] * (system->r[i] + 0.5 * system->smooth[i]);
        system->smooth[i] += system->r[i];
        system->gradient[i] = 0;
    }
    lithe_convex_spread(system, false, system->gradient);
    return cost;
}

// the gradient from J' impulse; its size, and what to compare it with
static double measure(LitheSystem *system, const LitheConvexSetting *setting, double *goal) {
    double impulses = lithe_convex_norm(system, system->gradient);
    for (int32_t i = 0; i < system->dof_count; i++)
        system->gradient[i] = system->held[i] ? 0 : system->smooth[i] - system->gradient[i];
    double scale = fmax(impulses, setting->momentum);
    *goal = setting->tolerance * scale + setting->noise;
    return lithe_convex_norm(system, system->gradient);
}

// out += |J'| |G| |J| x of one coupling, and rounding of its impulse
static void blur(const LitheSystem *system, const LitheCoupling *c, const double *x, double *out) {
    int32_t rows = c->term.rows;
    double G[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS], v[LITHE_COUPLED_ROWS];
    lithe_term_cost(&c->term, c->v, NULL, G);
    for (int32_t i = 0; i < rows; i++)
        v[i] = ROUNDINGS * fabs(c->bias[i]);
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]], at = system->node_at[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k];
        for (int32_t i = 0; i < rows; i++, J += size)
            for (int32_t j = 0; j < size; j++)
                v[i] += fabs(J[j]) * x[at + j];
    }
    for (int32_t i = 0; i < rows; i++) {
        double impulse = ROUNDINGS * fabs(c->impulse[i]);
        for (int32_t j = 0; j < rows; j++)
            impulse += fabs(G[rows * i + j]) * v[j];
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t size = system->node_size[c->node[k]], at = system->node_at[c->node[k]];
            const double *J = system->jacobian + c->jacobian_at[k] + (ptrdiff_t)size * i;
            for (int32_t j = 0; j < size; j++)
                out[at + j] += fabs(J[j]) * impulse;
        }
    }
}

// |D .| of what rounding of w can make of the gradient, through the slopes of the couplings, and
// rounding of the sums
static double rounding(LitheSystem *system) {
    int32_t n = system->dof_count;
    double *x = system->spare, *out = system->spare + n;
    for (int32_t i = 0; i < n; i++) {
        x[i] = ROUNDINGS * (fabs(system->w[i]) + fabs(system->w0[i]));
        out[i] = ROUNDINGS * fabs(system->r[i]);
    }
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t e = m->start[column]; e < m->start[column + 1]; e++) {
            int32_t row = m->row[e], size = m->size[row];
            const double *block = system->A + m->value_at[e];
            for (int32_t j = 0; j < m->size[column]; j++)
                for (int32_t i = row == column ? j : 0; i < size; i++) {
                    int32_t a = m->at[row] + i, b = m->at[column] + j;
                    double value = fabs(block[(ptrdiff_t)size * j + i]);
                    out[a] += value * x[b];
                    out[b] += a == b ? 0 : value * x[a];
                }
        }
    for (int32_t i = 0; i < n; i++)
        x[i] = ROUNDINGS * fabs(system->w[i]);
    for (int32_t i = 0; i < system->coupling_count; i++)
        blur(system, &system->couplings[i], x, out);
    return lithe_convex_norm(system, out);
}

static bool iterate(LitheSystem *system, const LitheConvexSetting *setting) {
    int32_t n = system->dof_count;
    double goal, last = 0;
    system->iterations = system->searches = 0;
    system->converged = system->stalled = system->refused = false;
    system->backward_error = 0;
    for (;; system->iterations++) {
        system->cost = lithe_convex_cost(system);
        double size = measure(system, setting, &goal);
        system->residual = goal > 0 ? size / goal * setting->tolerance : 0;
        if (!isfinite(size) || !isfinite(goal))
            return false;
        system->converged = size <= goal;
        bool early = system->iterations < setting->least_iterations && size > 0;
        if ((system->converged && !early) || system->stalled ||
            system->iterations >= setting->max_iterations)
            return true;
        // a cost that no longer falls is the least, if rounding explains what is left of the slope
        if (system->iterations > 0 &&
            last - system->cost <= COST_NOISE * fmax(fabs(last), fabs(system->cost)))
            system->stalled = size <= rounding(system);
        if (system->stalled)
            return true;
        last = system->cost;

        if (system->iterations == 0)
            lithe_slip_begin(system, system->residual < WARM);
        system->refused = !factor(system);
        if (system->refused)
            return false;
        for (int32_t i = 0; i < n; i++)
            system->dw[i] = -system->gradient[i];
        lithe_block_solve(system->factor, system->dw);
        for (int32_t i = 0; i < n; i++)
            system->Adw[i] = -system->gradient[i];
        double error =
            lithe_block_backward_error(system->matrix, system->dw, system->Adw, system->spare);
        system->backward_error = fmax(system->backward_error, error);
        lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);

        multiply_A(system, system->dw, system->Adw);
        for (int32_t i = 0; i < system->coupling_count; i++)
            velocity(system, &system->couplings[i], system->dw, false,
                     system->dv + LITHE_COUPLED_ROWS * i);
        Along along = {dot(system, system->smooth, system->dw),
                       dot(system, system->dw, system->Adw)};
        double length = search(system, along);
        lithe_slip_move(system);
        bool moved = false;
        for (int32_t i = 0; i < n; i++) {
            double before = system->w[i];
            system->w[i] += length * system->dw[i];
            moved = moved || system->w[i] != before;
        }
        system->stalled = !moved;
    }
}

bool lithe_convex_solve(LitheSystem *system, const LitheConvexSetting *setting) {
    if (system->watch)
        system->watch(system, setting, false, system->watch_user);
    LitheStage before = lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);
    bool solved = iterate(system, setting);
    lithe_stage_enter(system->stages, before);
    if (system->watch)
        system->watch(system, setting, true, system->watch_user);
    return solved;
}
