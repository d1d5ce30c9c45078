// SPDX-License-Identifier: Apache-2.0
// solve/convex.c - the convex problem of a step: Newton with exact line search
//
// Numbers in brackets: docs/theory/contact.md.

#include "solve/convex.h"

#include "solve/slip.h"

#include <float.h>
#include <math.h>
#include <string.h>

// beyond Newton's own step, for regions where the curvature falls
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

static double *slope_of(const LitheSystem *system, const LitheCoupling *c) {
    return system->slopes + c->slope_at;
}

double lithe_convex_respond(LitheSystem *system, const double *w) {
    double cost = 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        velocity(system, c, w, true, c->v);
        cost += lithe_term_cost(&c->term, c->v, c->impulse, slope_of(system, c));
    }
    return cost;
}

// out += J' x of one coupling
static void spread_one(const LitheSystem *system, const LitheCoupling *c, const double *jacobian,
                       const double *x, double *out) {
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = jacobian + c->jacobian_at[k];
        double *own = out + system->node_at[c->node[k]];
        for (int32_t row = 0; row < c->term.rows; row++, J += size)
            for (int32_t j = 0; j < size; j++)
                own[j] += J[j] * x[row];
    }
}

void lithe_convex_spread(const LitheSystem *system, bool held, double *out) {
    const double *jacobian = held ? system->jacobian_held : system->jacobian;
    for (int32_t i = 0; i < system->coupling_count; i++)
        spread_one(system, &system->couplings[i], jacobian, system->couplings[i].impulse, out);
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

// G with the directions of friction; whether there is anything in it
static bool has_slope(LitheSystem *system, int32_t index) {
    const LitheCoupling *c = &system->couplings[index];
    double *G = slope_of(system, c);
    int32_t rows = c->term.rows;
    lithe_slip_slope(system, index, G);
    for (int32_t i = 0; i < rows; i++)
        if (G[rows * i + i] != 0)
            return true;
    return false;
}

// H += J_c' G J_c
static void add_coupling(LitheSystem *system, const LitheCoupling *c) {
    LitheBlockTerm term = {c->term.rows, c->node_count, c->node,
                           c->entry,     {0},           slope_of(system, c)};
    for (int32_t k = 0; k < c->node_count; k++)
        term.J[k] = system->jacobian + c->jacobian_at[k];
    lithe_block_add_term(system->matrix, &term, system->weighed);
}

// the blocks of H that a coupling touches = those of A
static void take_back(LitheSystem *system, const LitheCoupling *c) {
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t k = 0; k < LITHE_COUPLED_NODES * c->node_count; k++) {
        int32_t e = k % LITHE_COUPLED_NODES < c->node_count ? c->entry[k] : -1;
        if (e >= 0)
            memcpy(m->value + m->value_at[e], system->A + m->value_at[e],
                   (size_t)(m->value_at[e + 1] - m->value_at[e]) * sizeof(double));
    }
}

// H = A + J' G J. Returns the number of nodes in system->touched whose part may differ from the
// last H.
static int32_t assemble(LitheSystem *system) {
    int32_t touched = 0;
    if (system->A_is_new)
        memcpy(system->matrix->value, system->A,
               (size_t)lithe_system_value_count(system) * sizeof(double));
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        bool had = c->in_matrix;
        c->in_matrix = has_slope(system, i);
        if (!had && !c->in_matrix)
            continue;
        if (!system->A_is_new)
            take_back(system, c);
        for (int32_t k = 0; k < c->node_count; k++)
            system->touched[touched++] = c->node[k];
    }
    for (int32_t i = 0; i < system->coupling_count; i++)
        if (system->couplings[i].in_matrix)
            add_coupling(system, &system->couplings[i]);
    return touched;
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
    int32_t touched = assemble(system);
    LitheBlockPivots pivots;
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    bool done = system->A_is_new
                    ? lithe_block_factor_numeric(system->factor, system->matrix,
                                                 LITHE_PIVOT_POSITIVE, &pivots)
                    : lithe_block_refactor(system->factor, system->matrix, system->touched, touched,
                                           LITHE_PIVOT_POSITIVE, &pivots);
    system->A_is_new = !done;
    for (double lift = LEAST_LIFT; !done; lift *= 100) {
        double diagonal = lift_diagonal(system, lift, pivots.first_bad);
        if (lift > MOST_LIFT || !(pivots.smallest > -MOST_LIFT * diagonal))
            return false;
        done = lithe_block_factor_numeric(system->factor, system->matrix, LITHE_PIVOT_POSITIVE,
                                          &pivots);
    }
    return true;
}

// --- exact line search ---------------------------------------------------------------------------

// the way from w along dw; the smooth part of the cost is a parabola
typedef struct Along {
    double slope0, curvature0; // of the smooth part at length 0
    double start;              // slope of the whole there
    double cost;               // of the couplings where they were asked last
} Along;

// Slope and curvature of the cost at w + length dw. Impulses, slopes and cost of the couplings are
// those of there afterwards.
static double slope_at(LitheSystem *system, Along *along, double length, double *curvature) {
    double slope = along->slope0 + length * along->curvature0;
    *curvature = along->curvature0;
    along->cost = 0;
    system->searches++;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        const double *dv = system->dv + LITHE_COUPLED_ROWS * (ptrdiff_t)i;
        int32_t rows = c->term.rows;
        double v[LITHE_COUPLED_ROWS], *G = slope_of(system, c);
        for (int32_t k = 0; k < rows; k++)
            v[k] = c->v[k] + length * dv[k];
        along->cost += lithe_term_cost(&c->term, v, c->impulse, G);
        for (int32_t k = 0; k < rows; k++) {
            slope -= c->impulse[k] * dv[k];
            for (int32_t j = 0; j < rows; j++)
                *curvature += dv[k] * G[rows * k + j] * dv[j];
        }
    }
    return slope;
}

// The slope rises along the direction: its root by Newton, kept between bounds that close in. The
// couplings were asked last at the length returned.
static double search(LitheSystem *system, Along *along) {
    double curvature, low = 0, high = INFINITY, length = 1;
    for (int32_t k = 0; k < MOST_SEARCHES; k++) {
        double slope = slope_at(system, along, length, &curvature);
        if (fabs(slope) <= -SEARCH_TOLERANCE * along->start || high - low < 1e-14)
            break;
        if (slope < 0)
            low = length;
        else
            high = length;
        if (low > LONGEST_EVER)
            break;
        // a matrix that is too stiff (directions that stick) gives steps that are too short
        double far = high < INFINITY ? high : STRETCH * low;
        double next = curvature > 0 ? length - slope / curvature : far;
        bool inside = next > low && next < far;
        length = inside ? next : high < INFINITY ? 0.5 * (low + high) : far;
    }
    return length;
}

// --- Newton --------------------------------------------------------------------------------------

// smooth = r + A (w - w0); returns that part of the cost
static double smooth_cost(LitheSystem *system) {
    int32_t n = system->dof_count;
    double cost = 0;
    if (memcmp(system->w, system->w0, (size_t)n * sizeof(double)) == 0) {
        memcpy(system->smooth, system->r, (size_t)n * sizeof(double));
        return 0;
    }
    for (int32_t i = 0; i < n; i++)
        system->dw[i] = system->w[i] - system->w0[i];
    lithe_block_multiply(system->matrix, system->A, system->dw, system->smooth);
    for (int32_t i = 0; i < n; i++) {
        cost += system->dw[i] * (system->r[i] + 0.5 * system->smooth[i]);
        system->smooth[i] += system->r[i];
    }
    return cost;
}

double lithe_convex_cost(LitheSystem *system) {
    return smooth_cost(system) + lithe_convex_respond(system, system->w);
}

// the gradient smooth - J' impulse; its size, and what to compare it with
static double measure(LitheSystem *system, const LitheConvexSetting *setting, double *goal) {
    memset(system->gradient, 0, (size_t)system->dof_count * sizeof(double));
    lithe_convex_spread(system, false, system->gradient);
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
    double v[LITHE_COUPLED_ROWS];
    const double *G = slope_of(system, c);
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

// a NaN stays
static double larger(double most, double x) {
    return fabs(x) <= most ? most : fabs(x);
}

// |b - H dw|/(|H| |dw| + |b|) in the largest norm, b = -gradient, |H| not larger than it is: from
// A dw and G J dw, which are known
static double backward_error(LitheSystem *system) {
    int32_t n = system->dof_count;
    double *left = system->spare, b = 0, x = 0, H = 0, largest = 0;
    for (int32_t i = 0; i < n; i++) {
        left[i] = -system->gradient[i] - system->Adw[i];
        b = larger(b, system->gradient[i]);
        x = larger(x, system->dw[i]);
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        const double *dv = system->dv + LITHE_COUPLED_ROWS * (ptrdiff_t)i, *G = slope_of(system, c);
        int32_t rows = c->term.rows;
        double y[LITHE_COUPLED_ROWS] = {0};
        for (int32_t k = 0; k < rows; k++)
            for (int32_t j = 0; j < rows; j++)
                y[k] -= G[rows * k + j] * dv[j];
        spread_one(system, c, system->jacobian, y, left);
    }
    for (int32_t j = 0; j < system->node_count; j++) {
        const double *D = lithe_block_values(system->matrix, system->matrix->start[j]);
        for (int32_t k = 0, size = system->node_size[j]; k < size; k++)
            H = larger(H, D[(size + 1) * k]);
    }
    for (int32_t i = 0; i < n; i++)
        largest = larger(largest, left[i]);
    double scale = H * x + b;
    return scale == 0 ? 0 : largest / scale;
}

// dw = -H\gradient, A dw and J dw
static bool find_direction(LitheSystem *system) {
    int32_t n = system->dof_count;
    system->refused = !factor(system);
    if (system->refused)
        return false;
    for (int32_t i = 0; i < n; i++)
        system->dw[i] = -system->gradient[i];
    lithe_block_solve(system->factor, system->dw);
    lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);
    lithe_block_multiply(system->matrix, system->A, system->dw, system->Adw);
    for (int32_t i = 0; i < system->coupling_count; i++)
        velocity(system, &system->couplings[i], system->dw, false,
                 system->dv + LITHE_COUPLED_ROWS * (ptrdiff_t)i);
    system->backward_error = fmax(system->backward_error, backward_error(system));
    return true;
}

// w, smooth and the velocities of couplings go `length` along; false when w stays the same
static bool move(LitheSystem *system, double length) {
    bool moved = false;
    for (int32_t i = 0; i < system->dof_count; i++) {
        double before = system->w[i];
        system->w[i] += length * system->dw[i];
        system->smooth[i] += length * system->Adw[i];
        moved = moved || system->w[i] != before;
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        const double *dv = system->dv + LITHE_COUPLED_ROWS * (ptrdiff_t)i;
        for (int32_t k = 0; k < c->term.rows; k++)
            c->v[k] += length * dv[k];
    }
    return moved;
}

static bool iterate(LitheSystem *system, const LitheConvexSetting *setting) {
    double goal, last = 0, smooth = smooth_cost(system);
    bool exact = true; // smooth and the couplings belong to w itself
    double coupled = system->start_cost = lithe_convex_respond(system, system->w);
    system->iterations = system->searches = 0;
    system->converged = system->stalled = system->refused = false;
    system->backward_error = 0;
    for (;; system->iterations++) {
        system->cost = smooth + coupled;
        system->end_cost = coupled;
        double size = measure(system, setting, &goal);
        system->residual = goal > 0 ? size / goal * setting->tolerance : 0;
        if (!isfinite(size) || !isfinite(goal))
            return false;
        system->converged = size <= goal;
        bool early = system->iterations < setting->least_iterations && size > 0;
        // a cost that no longer falls is the least, if rounding explains what is left of the slope
        bool level = system->iterations > 0 &&
                     last - system->cost <= COST_NOISE * fmax(fabs(last), fabs(system->cost));
        bool done = (system->converged && !early) || system->iterations >= setting->max_iterations;
        system->stalled = system->stalled || (!done && level && size <= rounding(system));
        done = done || system->stalled;
        if (done && exact)
            return true;
        if (done) { // what was carried along agrees to rounding: anew, and see whether that holds
            smooth = smooth_cost(system);
            coupled = lithe_convex_respond(system, system->w);
            exact = true;
            system->iterations--;
            continue;
        }
        last = system->cost;

        if (system->iterations == 0)
            lithe_slip_begin(system, system->residual < WARM);
        if (!find_direction(system))
            return false;
        Along along = {dot(system, system->smooth, system->dw),
                       dot(system, system->dw, system->Adw),
                       dot(system, system->gradient, system->dw), coupled};
        lithe_slip_move(system);
        double length = along.start < 0 ? search(system, &along) : 0;
        system->stalled = !move(system, length);
        smooth += length * (along.slope0 + 0.5 * length * along.curvature0);
        coupled = along.cost;
        exact = false;
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
