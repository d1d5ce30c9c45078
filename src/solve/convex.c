// SPDX-License-Identifier: Apache-2.0
// solve/convex.c - the convex problem of a step: Newton with exact line search
//
// Numbers in brackets: docs/theory/contact.md.

#include "solve/convex.h"

#include "solve/lanes.h"
#include "solve/loops.h"
#include "solve/settle.h"
#include "solve/slip.h"

#include <float.h>
#include <math.h>

// Norms of gradients whose squares are below the smallest number are 0: such a rest is a solution.
#define LEAST_GOAL 1e-150
// line search beyond the full Newton step, needed where the curvature falls along the direction:
// max factor from one trial length to the next, and the length at which the search ends
#define STRETCH 4
#define LONGEST_EVER 1e6
// The slope along the direction counts as zero at this fraction of its initial value. Among rigid
// bodies a trial costs as much as a tenth of an iteration, with the last H a third; with patches,
// whose points are most of the work, a third.
#define SEARCH_TOLERANCE 1e-2
#define SEARCH_RIGID 0.1
#define SEARCH_REUSED 0.3
// Newton's method in one dimension takes a few trials. Across a jump of the slope (a contact stops
// within the step) it can alternate between the two sides of the jump and converge slowly. After
// this number of trials the interval is bisected instead; its relative width is 1e-14 before the
// last trial.
#define NEWTON_SEARCHES 30
#define MAX_SEARCHES 100
// relative increase of the diagonal, first and largest: negative pivots below these fractions of
// their diagonal may be due to rounding
#define MIN_LIFT 1e-13
#define MAX_LIFT 1e-8
// two costs with a smaller relative difference are equal: rounding of a sum of many terms
#define COST_NOISE 1e-15
// a relative residual below this means that the directions of the velocities are about right; the
// second value among rigid bodies
#define WARM 1e-2
#define WARM_RIGID 0.2
// below this relative residual contacts slide as in the last step; above it something has hit them.
// (Not with meshes, where it is mostly that of a robot whose drives move on.)
#define RECALL 0.9
// with groups: a gradient that has fallen to less than this fraction is not due to rounding
#define FALLS 0.1
// Below this relative residual normal impulses are good enough to bound friction. Meshes spread a
// load over many contacts, whose impulses after the first round are closer to the solution than
// those of the last step.
#define ROUGH 1e-2
#define ROUGH_MESH 0.1
// bounds of friction are updated again if their error has fallen to this fraction
#define CONTRACTS 0.5
// Rigid bodies: H is reused in the next iteration if the one that computed it left this fraction of
// the residual, or the last one that reused it the second fraction. Then an iteration with H costs
// more than it saves.
#define CLOSE 0.05
#define CLOSE_REUSED 0.3
// Meshes: H is reused if the last iteration reduced the residual to at most MESH_CLOSE of itself,
// and the same rate reduces it to this fraction of its tolerance. Then the iteration is the last
// one, mostly. A round with a guessed active set says little about that rate.
#define MESH_CLOSE 0.1
#define MESH_ENDS 0.5
// the last iteration mostly begins from a gradient below this multiple of its tolerance
#define ENDS 30
// Points in groups, and meshes: velocities that were updated along this number of directions at
// most are as accurate as recomputed ones.
#define UPDATES 8
// The rounding error of an updated sum is that of all its summands: |dw/D| of all directions, which
// can be far more than the change of w. Sums with a rounding error above this fraction of the
// tolerance are recomputed.
#define DRIFT 1e-2
// The active set of patches is found when at most one in this number of points changes, that of
// meshes when at most one in the second number of couplings does: a round costs as much as a Newton
// step, which also updates bounds and directions of friction.
#define FEW 100
#define FEW_MESH 20
// max rounds of the search for the active set: most problems need one to five
#define MAX_ROUNDS 8
// relative increase of the cost that these rounds may cause: at rest the cost changes by rounding
// only
#define ACTIVE_SET_NOISE 1e-12
// Meshes: the gradient on nodes without contacts is set to zero if its norm is below this fraction
// of the tolerance, and the backward error of the first solve below the second number
#define NEGLIGIBLE 1e-3
#define ACCURATE 1e-12

// --- the direction -------------------------------------------------------------------------------

// multiplies the diagonal of H by 1 + lift; returns the previous diagonal of a row
static double lift_diagonal(LitheSystem *system, double lift, int32_t row) {
    double before = 0;
    lithe_block_own_all(system->matrix);
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

// A full Newton step solves the equations of all nodes on which no coupling acts, because they are
// linear in w: what is left of the gradient there is rounding. If it is negligible, it is set to
// zero: the solve reads L of touched nodes only, until it goes up (V41).
static void leave_out_untouched(LitheSystem *system, double goal) {
    if (!system->is_accurate || system->iterations == 0)
        return;
    double square = 0;
    for (int32_t i = 0; i < system->node_count; i++)
        for (int32_t k = system->node_at[i]; !system->is_touched[i] && k < system->node_at[i + 1];
             k++)
            square +=
                system->scale[k] * system->gradient[k] * system->scale[k] * system->gradient[k];
    if (!(square <= NEGLIGIBLE * goal * NEGLIGIBLE * goal))
        return;
    for (int32_t i = 0; i < system->node_count; i++)
        for (int32_t k = system->node_at[i]; !system->is_touched[i] && k < system->node_at[i + 1];
             k++)
            system->gradient[k] = 0;
}

// dw = -H\gradient. Where Hessians of couplings differ by a factor above 1e14 (a friction
// coefficient of a million with the law `similar`), a pivot may consist of rounding errors. Then
// the diagonal of H is increased a little, which changes dw but keeps it a descent direction.
static bool solve(LitheSystem *system, double goal) {
    lithe_stage_enter(system->stages, LITHE_STAGE_ASSEMBLE);
    int32_t touched = lithe_loop_assemble(system);
    system->woke = touched < 0;
    if (system->woke)
        return false;
    system->is_accurate &= !system->A_is_new;
    leave_out_untouched(system, goal);
    LitheBlockPivots pivots;
    LitheBlockAsk ask = {-1, system->gradient, system->dw};
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    bool done = lithe_block_factor_solve(system->factor, system->matrix,
                                         system->A_is_new ? NULL : system->touched, touched,
                                         LITHE_PIVOT_POSITIVE, &pivots, &ask);
    system->A_is_new = !done;
    for (double lift = MIN_LIFT; !done; lift *= 100) {
        system->is_accurate = false; // H is another matrix than A everywhere
        double diagonal = lift_diagonal(system, lift, pivots.first_bad);
        if (lift > MAX_LIFT || !(pivots.smallest > -MAX_LIFT * diagonal))
            return false;
        done = lithe_block_factor_solve(system->factor, system->matrix, NULL, 0,
                                        LITHE_PIVOT_POSITIVE, &pivots, &ask);
    }
    return true;
}

// --- exact line search ---------------------------------------------------------------------------

// Slope and curvature of the cost at w + length dw. Impulses, Hessians and cost of the couplings
// are evaluated there; `known` not NULL: they have been.
static double slope_at(LitheSystem *system, const LitheAlong *along, double length,
                       const LitheTrial *known, double *curvature) {
    LitheTrial trial;
    system->searches++;
    if (known)
        trial = *known;
    else
        trial.cost = lithe_loop_try(system, length, &trial.slope, &trial.curvature);
    system->end_cost = trial.cost;
    *curvature = trial.curvature + along->curvature;
    return trial.slope + along->slope + length * along->curvature;
}

static bool is_given_up(const LitheSystem *system) {
    return lithe_meter_spend(system->meter, system->dof_count);
}

// The slope increases along the direction: its root by Newton, safeguarded by shrinking bounds. The
// couplings were last evaluated at the length returned, before the search at `full`, the length 1.
static double search(LitheSystem *system, const LitheAlong *along, const LitheTrial *full,
                     double tolerance) {
    double curvature, low = 0, high = INFINITY, length = 1;
    for (int32_t k = 0; k < MAX_SEARCHES; k++) {
        double slope = slope_at(system, along, length, k == 0 ? full : NULL, &curvature);
        bool last = high - low < 1e-14 || k == MAX_SEARCHES - 1;
        if (fabs(slope) <= -tolerance * along->start || last || is_given_up(system))
            break;
        if (slope < 0)
            low = length;
        else
            high = length;
        if (low > LONGEST_EVER)
            break;
        // a matrix that is too stiff (directions of friction that stick) gives steps that are too
        // short
        double far = high < INFINITY ? high : STRETCH * low;
        double next = curvature > 0 ? length - slope / curvature : far;
        bool inside = next > low && next < far && (k < NEWTON_SEARCHES || high == INFINITY);
        length = inside ? next : high < INFINITY ? 0.5 * (low + high) : far;
    }
    return length;
}

// --- Newton --------------------------------------------------------------------------------------

double lithe_convex_gradient_norm(LitheSystem *system, const double *from,
                                  const LitheConvexSetting *setting, double *goal) {
    double impulses, size = lithe_loop_gradient(system, from, &impulses);
    *goal = setting->tolerance * fmax(impulses, setting->momentum) + setting->noise + LEAST_GOAL;
    return size;
}

// solves with the factor of the previous iteration
static void solve_again(LitheSystem *system, double goal) {
    lithe_stage_enter(system->stages, LITHE_STAGE_FACTOR);
    leave_out_untouched(system, goal);
    for (int32_t i = 0; i < system->dof_count; i++)
        system->dw[i] = -system->gradient[i];
    lithe_block_solve(system->factor, system->dw);
}

// The backward error of one iteration is representative of the next ones with the same A. If it is
// small, the rows of A dw on nodes without couplings are those of -gradient (V42).
static void measure_error(LitheSystem *system) {
    system->backward_error = lithe_loop_backward_error(system);
    system->is_accurate = system->backward_error <= ACCURATE && system->matrix->rank_count == 0;
}

static bool find_direction(LitheSystem *system, bool same, double goal) {
    if (same)
        solve_again(system, goal);
    system->refused = !same && !solve(system, goal);
    if (system->refused)
        return false;
    lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);
    return true;
}

// --- Newton's iterations -------------------------------------------------------------------------

// The iterations of one solve. Counts and outcome are stored in the system.
typedef struct Newton {
    LitheSystem *system;
    const LitheConvexSetting *setting;
    double smooth;     // cost of the units at w, by their linearisation
    double last;       // cost at the start of the previous iteration
    double size, goal; // norm of the gradient at w, and the tolerance for it
    bool exact;        // the couplings were evaluated at w, not updated incrementally
    double path;       // sum of |dw/D| of all directions since smooth was computed
    int32_t stuck;     // last directions, in succession, along which w did not change
    int32_t followed;  // iterations before the last update of the bounds of friction
    int32_t follows;   // updates of the bounds of friction that are left
    double lag;        // error of the bounds before the last one
    bool stale;        // start_cost is that of earlier bounds
    int32_t min;       // min iterations
    double before;     // norm of the gradient before the last iteration
    double left;       // and after it, with the same bounds of friction
    bool factored;     // H was computed in this solve
    bool reused;       // by the last iteration
    bool searched;     // the last iteration was a round of the search for the active set
} Newton;

static Newton start(LitheSystem *system, const LitheConvexSetting *setting) {
    Newton n = {.system = system,
                .setting = setting,
                .smooth = lithe_loop_smooth(system),
                .exact = true,
                .follows = !(setting->lag > 0)    ? 0
                           : setting->follows > 1 ? setting->follows
                                                  : 1,
                .lag = INFINITY,
                .min = setting->min_iterations};
    double slope, curvature;
    // velocities of couplings are those of the end of the last solve, where this one begins
    system->start_cost = system->end_cost = setting->warm_start
                                                ? lithe_loop_try(system, 0, &slope, &curvature)
                                                : lithe_loop_respond(system, system->w);
    system->has_slips = system->has_slips && setting->warm_start;
    system->iterations = system->searches = 0;
    system->converged = system->stalled = system->refused = system->woke = false;
    system->backward_error = 0;
    return n;
}

// Cost and residual at w; false when a number is not finite.
static bool measure(Newton *n) {
    LitheSystem *system = n->system;
    system->cost = n->smooth + system->end_cost;
    n->size = lithe_convex_gradient_norm(system, system->smooth, n->setting, &n->goal);
    n->left = n->size;
    system->residual = n->goal > 0 ? n->size / n->goal * n->setting->tolerance : 0;
    bool finite = isfinite(n->size) && isfinite(n->goal);
    system->converged = finite && n->size <= n->goal;
    return finite;
}

// Whether the cost no longer falls and rounding explains the remaining gradient: then this is the
// minimum.
static bool at_rounding(const Newton *n) {
    LitheSystem *system = n->system;
    // the rounding of many points costs as much as an iteration
    if (system->group_count > 0 && n->size < FALLS * n->before)
        return false;
    double noise = COST_NOISE * fmax(fabs(n->last), fabs(system->cost));
    return system->iterations > 0 && n->last - system->cost <= noise &&
           n->size <= lithe_convex_rounding(system);
}

// Whether the iterations end here: converged, iteration limit, or only rounding is left.
static bool is_done(Newton *n) {
    LitheSystem *system = n->system;
    bool early = system->iterations < n->min && n->size > n->setting->steady * n->goal;
    if ((system->converged && !early) || system->iterations >= n->setting->max_iterations)
        return true;
    system->stalled = at_rounding(n) || (n->stuck > 0 && n->size <= lithe_convex_rounding(system));
    // evaluated at w, the second direction leads nowhere either
    return system->stalled || n->stuck > 1;
}

// Whether rounding of A w, updated along the directions, may be seen in the gradient.
static bool has_drifted(const Newton *n) {
    return n->path * DBL_EPSILON > DRIFT * n->goal;
}

static void renew_smooth(Newton *n) {
    n->smooth = lithe_loop_smooth(n->system);
    n->path = 0;
}

// Quantities that were updated along the directions agree with w only up to rounding: re-evaluates
// them at w. Unless it has drifted, the sum of A dw is as accurate as recomputed: of one iteration
// among rigid units, of UPDATES among deformable ones, where A w costs most.
static void evaluate_exactly(Newton *n) {
    LitheSystem *system = n->system;
    int32_t updates = n->setting->rigid ? 1 : UPDATES;
    if (n->stale)
        system->start_cost =
            n->exact ? lithe_loop_cost(system, system->w0) : lithe_loop_respond(system, system->w0);
    n->stale = false;
    if (has_drifted(n) || (!n->exact && system->iterations > updates))
        renew_smooth(n);
    if (!n->exact)
        system->end_cost = lithe_loop_respond(system, system->w);
    n->exact = true;
}

// Whether velocities are evaluated at w as soon as it is found: among deformable units, whose
// gradient costs more. Those of meshes and of points in lanes need not be.
static bool is_exact_early(const Newton *n) {
    return !n->setting->rigid && !n->setting->mesh && !n->system->in_lanes &&
           n->system->iterations <= UPDATES;
}

// Updates the lagged bounds of friction when the normal impulses are accurate enough (ROUGH), as
// long as their error falls. Returns whether it did.
static bool follow_bounds(Newton *n) {
    LitheSystem *system = n->system;
    double rough = n->setting->mesh ? ROUGH_MESH : ROUGH;
    if (n->follows == 0 || system->iterations <= n->followed || system->residual > rough)
        return false;
    n->followed = system->iterations;
    double lag = lithe_settle_early(system, n->setting->lag);
    n->follows = lag <= CONTRACTS * n->lag ? n->follows - 1 : 0;
    n->lag = lag;
    if (lag <= n->setting->lag)
        return false;
    n->stale = true; // until the end: the iterations do not read start_cost
    n->last = INFINITY;
    n->stuck = 0;
    double slope, curvature;
    system->end_cost = n->exact ? lithe_loop_try(system, 0, &slope, &curvature)
                                : lithe_loop_respond(system, system->w);
    return true;
}

// Patches: updates the bounds of friction with the normal impulses of the first round (V39). The
// points of a patch share their load, which changes with every step; the next rounds then solve
// with bounds that need no second update.
static void set_bounds(Newton *n) {
    LitheSystem *system = n->system;
    int32_t changed;
    if (system->group_count == 0 || n->follows == 0)
        return;
    n->lag = lithe_settle_early(system, n->setting->lag);
    n->stale = n->lag > n->setting->lag;
    if (!n->stale)
        return;
    n->follows--;
    lithe_loop_active_set(system, false, &changed);
}

// Full Newton steps with a fixed active set, until the set stays the same (V34), of many points
// almost the same: the iterations with line search find the others. At a mesh, where a round is
// expensive, they also end when the set changes by no less than in both rounds before: such sets
// cycle. Returns false when H cannot be factored; `cost` is that of the units.
static bool solve_active_sets(Newton *n, int32_t max_rounds, double *cost) {
    LitheSystem *system = n->system;
    int32_t changed = 1, part = n->setting->mesh ? FEW_MESH : system->group_count > 0 ? FEW : 0;
    int32_t few = part > 0 ? system->coupling_count / part : 0;
    int32_t last = INT32_MAX, before = INT32_MAX;
    double goal;
    bool more = true;
    for (int32_t round = 0; round == 0 || (more && round < max_rounds); round++) {
        if (is_given_up(system))
            return false;
        lithe_convex_gradient_norm(system, system->smooth, n->setting, &goal);
        if (!find_direction(system, false, goal))
            return false;
        // the first round mostly changes the bounds of friction, see below
        bool ahead = round > 0 || n->follows == 0;
        LitheAlong along = lithe_loop_step(system, round == 0, ahead, &changed);
        if (round == 0)
            measure_error(system);
        *cost += along.slope + 0.5 * along.curvature;
        n->path += along.size;
        system->iterations++;
        if (round == 0)
            set_bounds(n);
        bool cycles = n->setting->mesh && changed >= last && changed >= before;
        more = (changed > few && !cycles) || (round == 0 && n->stale);
        before = last;
        last = changed;
    }
    return true;
}

// Before the first iteration. A contact that closes along a Newton step stops the line search
// there, even if many others would close farther along the step. So the active set is found first,
// by full steps. If these steps raise the cost, the start is restored. system->iterations counts
// the rounds; 0: no contact is active or becomes active. Returns false when H cannot be factored.
static bool find_active_set(Newton *n) {
    LitheSystem *system = n->system;
    int32_t changed, max_rounds = n->setting->max_iterations / 2;
    double cost = n->smooth, slope, curvature;
    double *before =
        system->spare + system->dof_count; // the first half is used by the backward error
    max_rounds = max_rounds < MAX_ROUNDS ? max_rounds : MAX_ROUNDS;
    bool warm = system->residual < (n->setting->rigid ? WARM_RIGID : WARM);
    lithe_slip_begin(system, warm);
    system->recalls = n->setting->mesh || system->residual < RECALL;
    if (max_rounds == 0 || lithe_loop_active_set(system, true, &changed) == 0)
        return true;
    lithe_loop_copy(system, system->w, before);
    if (!solve_active_sets(n, max_rounds, &cost)) {
        lithe_loop_copy(system, before, system->w); // the solve is repeated from here
        return false;
    }
    bool updated = n->stale;
    if (updated) { // the cost at the start, with the same bounds
        system->start_cost = lithe_loop_respond(system, before);
        system->cost = n->smooth + system->start_cost;
        n->last = INFINITY;
        n->stale = false;
    }
    bool early = is_exact_early(n);
    double end = updated || early ? lithe_loop_respond(system, system->w)
                                  : lithe_loop_try(system, 0, &slope, &curvature);
    double noise = ACTIVE_SET_NOISE * (fabs(system->cost) + fabs(cost) + fabs(end));
    bool lower = cost + end <= system->cost + noise;
    n->exact = early || !lower;
    if (lower) {
        n->smooth = cost;
        n->before = n->size;
        n->factored = true;
        n->searched = true;
        system->end_cost = end;
        return true;
    }
    n->min += system->iterations;
    lithe_loop_copy(system, before, system->w);
    renew_smooth(n);
    system->end_cost = lithe_loop_respond(system, system->w);
    lithe_slip_begin(system, warm);
    return true;
}

// Whether the last H is accurate enough for the next iteration.
static bool is_close(const Newton *n) {
    const LitheSystem *system = n->system;
    const LitheConvexSetting *setting = n->setting;
    if (system->A_is_new)
        return false;
    // a pass that begins this close to the solution needs one iteration
    if (system->iterations == 0)
        return setting->warm_start && n->size <= setting->reuse * n->goal;
    if (setting->mesh)
        return !n->searched && n->left <= MESH_CLOSE * n->before &&
               n->left / n->before * n->size <= MESH_ENDS * n->goal;
    double fraction = n->reused ? CLOSE_REUSED : CLOSE;
    return setting->rigid && n->factored && system->residual <= ROUGH &&
           n->left <= fraction * n->before;
}

// One Newton step with line search; false when H cannot be factored.
static bool newton_step(Newton *n) {
    LitheSystem *system = n->system;
    bool reuse = is_close(n);
    bool dear = n->setting->rigid || (system->group_count > 0 && !system->has_mesh);
    double tolerance = !dear                        ? SEARCH_TOLERANCE
                       : n->setting->rigid && reuse ? SEARCH_REUSED
                                                    : SEARCH_RIGID;
    if (!find_direction(system, reuse, n->goal))
        return false;
    bool measured = system->iterations == 0 && !reuse && !system->is_accurate;
    LitheTrial full;
    // later passes rarely need another matrix
    LitheAlong along = lithe_loop_direction(system, measured, !n->setting->warm_start, &full);
    if (measured)
        measure_error(system);
    double length = 0;
    if (along.start < 0)
        length = search(system, &along, &full, tolerance);
    else
        lithe_loop_try(system, 0, &full.slope, &full.curvature);
    n->before = n->size;
    n->factored = n->factored || !reuse;
    n->reused = reuse;
    n->searched = false;
    bool moved = lithe_loop_move(system, length);
    n->smooth += length * (along.slope + 0.5 * length * along.curvature);
    n->path += length * along.size;
    n->stuck = moved ? 0 : n->stuck + 1;
    if (!moved)
        renew_smooth(n);
    system->iterations++;
    // this was the last iteration, mostly: then the gradient is computed once
    n->exact =
        !moved || (is_exact_early(n) && (n->setting->warm_start || n->size <= ENDS * n->goal));
    if (n->exact)
        system->end_cost = lithe_loop_respond(system, system->w);
    return true;
}

// Whether what was updated along the directions needs no evaluation at w. Of a mesh, costs with new
// bounds are still evaluated here.
static bool is_exact(Newton *n) {
    LitheSystem *system = n->system;
    if (has_drifted(n))
        return false;
    if (n->exact || system->iterations > UPDATES)
        return n->exact;
    if (n->setting->mesh && n->stale) {
        system->start_cost = lithe_loop_respond(system, system->w0);
        system->end_cost = lithe_loop_respond(system, system->w);
        system->cost = n->smooth + system->end_cost;
        n->stale = false;
    }
    return n->setting->mesh || (system->in_lanes && !n->stale);
}

static bool iterate(LitheSystem *system, const LitheConvexSetting *setting) {
    Newton n = start(system, setting);
    for (;;) {
        if (!measure(&n) || is_given_up(system))
            return false;
        if (is_done(&n)) {
            bool more =
                (setting->rigid || setting->mesh) && system->iterations < setting->max_iterations;
            bool again = system->converged && more && follow_bounds(&n);
            bool exact = !again && is_exact(&n);
            if (!again && (!exact || n.stale))
                evaluate_exactly(&n);
            if (!again && exact)
                return true;
            continue; // measure again
        }
        if (follow_bounds(&n)) {
            system->cost = n.smooth + system->end_cost;
            n.size = lithe_convex_gradient_norm(system, system->smooth, setting, &n.goal);
        }
        n.last = system->cost;
        // the pass before began at its solution, and needed no directions
        if (setting->warm_start && !system->has_slips)
            lithe_slip_begin(system, true);
        if (system->iterations == 0 && !setting->warm_start) {
            if (!find_active_set(&n))
                return false;
            if (system->iterations > 0)
                continue; // measure the result
        }
        if (!newton_step(&n))
            return false;
    }
}

bool lithe_convex_solve(LitheSystem *system, const LitheConvexSetting *setting) {
    if (system->watch)
        system->watch(system, setting, false, system->watch_user);
    LitheStage before = lithe_stage_enter(system->stages, LITHE_STAGE_LINE_SEARCH);
    lithe_lanes_open(system);
    bool solved = iterate(system, setting);
    lithe_lanes_close(system);
    lithe_stage_enter(system->stages, before);
    if (system->watch)
        system->watch(system, setting, true, system->watch_user);
    return solved;
}
