// SPDX-License-Identifier: Apache-2.0
// solve/convex.c - the convex problem of a step: Newton with exact line search
//
// Numbers in brackets: docs/theory/contact.md.

#include "solve/convex.h"

#include "solve/loops.h"
#include "solve/settle.h"
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
#define WARM 1e-2
// from a relative residual of this on normal impulses are good enough to bound friction
#define ROUGH 1e-2
// rounds that look for the contacts that bear: most problems need one to five
#define MOST_ROUNDS 8
// and what they may seem to raise the cost by: what rests changes it by rounding alone
#define BEARING_NOISE 1e-12
// relative error of a sum of a few terms
#define ROUNDINGS (8 * DBL_EPSILON)

// --- the direction -------------------------------------------------------------------------------

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

// dw = -H\gradient. Slopes that differ by more than 1e14 (friction of a million under similar)
// leave a pivot that is rounding: then H is lifted a little, which bends the direction but keeps it
// downhill.
static bool solve(LitheSystem *system) {
    lithe_stage_enter(system->stages, LITHE_STAGE_ASSEMBLE);
    int32_t touched = lithe_loop_assemble(system);
    LitheBlockPivots pivots;
    LitheBlockAsk ask = {-1, system->gradient, system->dw};
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    bool done = lithe_block_factor_solve(system->factor, system->matrix,
                                         system->A_is_new ? NULL : system->touched, touched,
                                         LITHE_PIVOT_POSITIVE, &pivots, &ask);
    system->A_is_new = !done;
    for (double lift = LEAST_LIFT; !done; lift *= 100) {
        double diagonal = lift_diagonal(system, lift, pivots.first_bad);
        if (lift > MOST_LIFT || !(pivots.smallest > -MOST_LIFT * diagonal))
            return false;
        done = lithe_block_factor_solve(system->factor, system->matrix, NULL, 0,
                                        LITHE_PIVOT_POSITIVE, &pivots, &ask);
    }
    return true;
}

// --- exact line search ---------------------------------------------------------------------------

// Slope and curvature of the cost at w + length dw. Impulses, slopes and cost of the couplings are
// those of there afterwards.
static double slope_at(LitheSystem *system, const LitheAlong *along, double length,
                       double *curvature) {
    double slope;
    system->searches++;
    system->end_cost = lithe_loop_try(system, length, &slope, curvature);
    *curvature += along->curvature;
    return slope + along->slope + length * along->curvature;
}

// The slope rises along the direction: its root by Newton, kept between bounds that close in. The
// couplings were asked last at the length returned.
static double search(LitheSystem *system, const LitheAlong *along) {
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

double lithe_convex_cost(LitheSystem *system) {
    return lithe_loop_smooth(system) + lithe_loop_respond(system, system->w);
}

double lithe_convex_size(LitheSystem *system, const double *from, const LitheConvexSetting *setting,
                         double *goal) {
    double impulses, size = lithe_loop_gradient(system, from, &impulses);
    *goal = setting->tolerance * fmax(impulses, setting->momentum) + setting->noise;
    return size;
}

// out += |J'| |G| |J| x of one coupling, and rounding of its impulse
static void blur(const LitheSystem *system, const LitheCoupling *c, const double *x, double *out) {
    int32_t rows = c->term.rows;
    double v[LITHE_COUPLED_ROWS];
    const double *G = lithe_slope_of(system, c);
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
    double square = 0;
    for (int32_t i = 0; i < n; i++)
        square += system->scale[i] * system->scale[i] * out[i] * out[i];
    return sqrt(square);
}

// by the factor of the iteration before
static void solve_again(LitheSystem *system) {
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    for (int32_t i = 0; i < system->dof_count; i++)
        system->dw[i] = -system->gradient[i];
    lithe_block_solve(system->factor, system->dw);
}

static bool find_direction(LitheSystem *system, bool same) {
    if (same)
        solve_again(system);
    system->refused = !same && !solve(system);
    if (system->refused)
        return false;
    lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);
    return true;
}

// --- which contacts bear -------------------------------------------------------------------------

// A contact that a step closes stops the search along it at once, however many others are to close
// behind it. So the first directions are gone to their ends, with contacts that bear or do not
// (V34), until the same ones do. Then the cost must not have risen; `moved` tells, else all is as
// before. iterations counts the rounds. Returns false when there is no direction.
static bool find_bearing(LitheSystem *system, const LitheConvexSetting *setting, double *smooth,
                         bool *moved) {
    int32_t changed, most = setting->max_iterations / 2;
    double cost = *smooth, goal, slope, curvature;
    double *start = system->spare + system->dof_count; // the first half is of the backward error
    *moved = false;
    most = most < MOST_ROUNDS ? most : MOST_ROUNDS;
    if (most == 0 || lithe_loop_bear(system, true, &changed) == 0)
        return true;
    lithe_loop_copy(system, system->w, start);
    for (int32_t round = 0; round == 0 || (changed > 0 && round < most); round++) {
        lithe_convex_size(system, system->smooth, setting, &goal);
        if (!find_direction(system, false))
            return false;
        LitheAlong along = lithe_loop_direction(system);
        if (round == 0)
            system->backward_error = lithe_loop_backward_error(system);
        lithe_loop_move(system, 1);
        cost += along.slope + 0.5 * along.curvature;
        system->iterations++;
        lithe_loop_bear(system, false, &changed);
    }
    double end = lithe_loop_try(system, 0, &slope, &curvature);
    double noise = BEARING_NOISE * (fabs(system->cost) + fabs(cost) + fabs(end));
    *moved = cost + end <= system->cost + noise;
    if (*moved) {
        *smooth = cost;
        system->end_cost = end;
        return true;
    }
    lithe_loop_copy(system, start, system->w);
    *smooth = lithe_loop_smooth(system);
    system->end_cost = lithe_loop_respond(system, system->w);
    lithe_slip_begin(system, system->residual < WARM);
    return true;
}

// --- Newton's iterations -------------------------------------------------------------------------

static bool iterate(LitheSystem *system, const LitheConvexSetting *setting) {
    double goal, slope, curvature, last = 0, smooth = lithe_loop_smooth(system);
    bool exact = true;                   // smooth and the couplings belong to w itself
    bool followed = !(setting->lag > 0); // bounds of friction
    int32_t least = setting->least_iterations;
    // velocities of couplings stand where the solve before ended, which is where this one begins
    system->start_cost = system->end_cost = setting->goes_on
                                                ? lithe_loop_try(system, 0, &slope, &curvature)
                                                : lithe_loop_respond(system, system->w);
    system->iterations = system->searches = 0;
    system->converged = system->stalled = system->refused = false;
    system->backward_error = 0;
    for (;; system->iterations++) {
        system->cost = smooth + system->end_cost;
        double size = lithe_convex_size(system, system->smooth, setting, &goal);
        system->residual = goal > 0 ? size / goal * setting->tolerance : 0;
        if (!isfinite(size) || !isfinite(goal))
            return false;
        system->converged = size <= goal;
        bool early = system->iterations < least && size > 0;
        // a cost that no longer falls is the least, if rounding explains what is left of the slope
        bool level = system->iterations > 0 &&
                     last - system->cost <= COST_NOISE * fmax(fabs(last), fabs(system->cost));
        bool done = (system->converged && !early) || system->iterations >= setting->max_iterations;
        system->stalled = system->stalled || (!done && level && size <= rounding(system));
        done = done || system->stalled;
        if (done && exact)
            return true;
        if (done) { // what was carried along agrees to rounding: anew, and see whether that holds
            // after one iteration A dw is as good as it would be anew
            if (system->iterations > 1)
                smooth = lithe_loop_smooth(system);
            system->end_cost = lithe_loop_respond(system, system->w);
            exact = true;
            system->iterations--;
            continue;
        }
        if (!followed && system->iterations > 0 && system->residual <= ROUGH) {
            followed = true;
            if (lithe_settle_early(system, setting->lag)) {
                system->start_cost = lithe_loop_respond(system, system->w0);
                system->end_cost = lithe_loop_respond(system, system->w);
                system->cost = smooth + system->end_cost;
                lithe_convex_size(system, system->smooth, setting, &goal);
            }
        }
        last = system->cost;

        if (system->iterations == 0 && !setting->goes_on) {
            lithe_slip_begin(system, system->residual < WARM);
            bool moved;
            if (!find_bearing(system, setting, &smooth, &moved))
                return false;
            if (system->iterations > 0) { // see how good that is
                least += moved ? 0 : system->iterations;
                exact = !moved;
                system->iterations--;
                continue;
            }
        }
        // a pass that begins so near needs one iteration, with the last H as well as with its own
        bool same = system->iterations == 0 && setting->goes_on && !system->A_is_new &&
                    size <= setting->same * goal;
        if (!find_direction(system, same))
            return false;
        LitheAlong along = lithe_loop_direction(system);
        // the factor of one iteration tells of those after it
        if (system->iterations == 0 && !same)
            system->backward_error = lithe_loop_backward_error(system);
        double length = along.start < 0 ? search(system, &along) : 0;
        system->stalled = !lithe_loop_move(system, length);
        smooth += length * (along.slope + 0.5 * length * along.curvature);
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
