// SPDX-License-Identifier: Apache-2.0
// solve/coupled.c - units that touch or are constrained: convex solves until the true balance holds
//
// A pass linearises the forces of the units at w0 and solves (V22). Then it evaluates the momentum
// residual of the true forces at the solution (V26), and the difference between the normal impulses
// and those that bounded friction (V27). If either is too large, another pass starts at the
// solution. Numbers in brackets: docs/theory/contact.md.

#include "solve/coupled.h"

#include "base/assert.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "solve/convex.h"
#include "solve/loops.h"
#include "solve/persistent.h"
#include "solve/settle.h"

#include <math.h>
#include <string.h>

// max passes with `auto`: Newton needs two or three, friction that propagates from contact to
// contact (a rope round a post that begins to slip) some more
#define MAX_PASSES 25
// The first pass has the error of the linearisation, usually far more than the tolerance: it is
// solved to this multiple of the tolerance. Adaptive steps are longer, with more nonlinear forces.
#define FIRST 100
#define FIRST_LONG 1000
// relative change of the normal impulses below which bounds of friction count as converged
#define LAG_TOLERANCE 1e-3
#define SHARP 1e-10 // the same below this tolerance of the solve: for derivatives of a step
// max updates of these bounds within the first pass of rigid bodies, where a pass costs more than
// an iteration
#define FOLLOWS 3
// the same in every pass of meshes, where each further pass costs two or three iterations
#define FOLLOWS_MESH 8
// halvings of a pass that does not lower the true cost
#define MAX_CUTS 20
// the passes diverge when a residual is this multiple of the smallest one so far and of the goal
#define RUNAWAY 1000
// a residual up to NEAR times the tolerance is solved with the matrix of the last pass, if that
// pass reduced the residual to at most the fraction SLOW
#define NEAR 1000
#define SLOW 0.1
// a residual up to this multiple of the tolerance is solved with the factor of the last pass: one
// iteration is enough, among rigid bodies and in adaptive steps two
#define REUSE 30
#define REUSE_RIGID 100
#define REUSE_LONG NEAR
// the same at rest: a multiple of the tolerance within which (V37) is tested
#define RESTING FIRST
// and a part of the impulses of the step which the momenta of things at rest do not exceed
#define AT_REST 0.1
// relative change of the cost that rounding can cause, apart from that of positions
#define COST_NOISE 1e-12
// Bodies whose start has a residual below this fraction of the tolerance of a first pass are at
// rest, or in steady motion: they keep their velocity without an iteration.
#define STEADY 1e-6
// part of the tolerance above which trees take a second pass (V43)
#define TREES 1e-2

typedef struct Pass {
    const LitheAssembly *all;
    LitheSystem *system;
    LitheConvexSetting setting;
    double potential; // of the units at w0
    bool stuck;       // the true cost no longer falls
    bool whole;       // the last pass was not cut: w is w0
    double size;      // of the true gradient at w0
} Pass;

// --- between units and system --------------------------------------------------------------------

// time of a DoF in a loop that copies [ns]
#define DOF_COST 3

// arguments of loops over the units that take part
typedef struct Units {
    const LitheAssembly *all;
    LitheSystem *s;
    double length;
} Units;

static void over_units(const LitheAssembly *all, LitheSystem *s, double length, LitheRangeFn *fn,
                       double sums[LITHE_RANGE_SUMS]) {
    Units units = {all, s, length};
    lithe_pool_ranges(s->pool, s->unit_count, LITHE_PARTS_PER_RANGE, DOF_COST * s->dof_count, fn,
                      &units, s->partial, sums);
}

static int32_t first_dof(const LitheSystem *s, int32_t unit) {
    return s->node_at[s->first_node[unit]];
}

static void set_units(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Units *u = user;
    const LitheSystem *s = u->s;
    (void)range, (void)sums;
    for (int32_t i = first; i < after; i++) {
        int32_t unit = s->units[i], at = first_dof(s, unit);
        LitheUnitWork *body = &u->all->work->units[unit];
        if (u->length == 1)
            memcpy(body->w, s->w + at, (size_t)body->dof_count * sizeof(double));
        for (int64_t k = 0; u->length != 1 && k < body->dof_count; k++) {
            double from = s->from[at + k], w = s->w[at + k];
            body->w[k] = from + u->length * (w - from);
        }
    }
}

// w of the units = system->from + length (system->w - system->from)
static void set_bodies(const LitheAssembly *all, LitheSystem *system, double length) {
    double none[LITHE_RANGE_SUMS];
    over_units(all, system, length, set_units, none);
    lithe_rides_follow(all, system);
}

static double linearise(const LitheAssembly *all, LitheLinearise what, LitheSystem *system) {
    LitheStage before = lithe_stage_enter(system->stages, LITHE_STAGE_ASSEMBLE);
    double potential = lithe_system_linearise(all, what, system);
    lithe_stage_enter(system->stages, before);
    return potential;
}

static void set_laws(const LitheAssembly *all, LitheSystem *system) {
    LitheStage before = lithe_stage_enter(system->stages, LITHE_STAGE_ASSEMBLE);
    lithe_contact_laws(all, system);
    lithe_constraint_laws(all, system);
    lithe_dof_laws(all, system);
    lithe_weigh_terms(all, system);
    lithe_stage_enter(system->stages, before);
}

// --- one pass ------------------------------------------------------------------------------------

// sums: potential of the units with a free motion, and their number
static void go_on_units(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Units *u = user;
    LitheSystem *s = u->s;
    // in a stage of TR-BDF2 the state already holds the predicted end
    bool adaptive = u->all->model->time.min_step > 0 && !u->all->plan->velocity;
    double h = u->all->plan->h;
    (void)range;
    for (int32_t i = first; i < after; i++) {
        int32_t unit = s->units[i], at = first_dof(s, unit);
        LitheUnitWork *body = &u->all->work->units[unit];
        const LitheState *state = u->all->state;
        int64_t from = s->state_at[s->first_node[unit]];
        const double *v = state->v + from,
                     *accelerations = adaptive ? state->accelerations + from : NULL;
        sums[0] += !body->waits && lithe_has_potential(u->all, body) ? body->potential : 0;
        sums[1] += !body->waits;
        for (int64_t k = 0; k < body->dof_count; k++) {
            s->w[at + k] = body->w[k];
            double going_on = accelerations ? v[k] + h * accelerations[k] : v[k];
            going_on = u->all->plan->still ? body->w[k] : going_on;
            body->w[k] = body->held[k] ? body->w[k] : going_on;
        }
    }
}

// Sets w of the units to the extrapolated velocity, and system->w to their previous w. In adaptive
// steps, which are long, velocities are extrapolated with the last acceleration (V33). Returns the
// potential of the units with a free motion.
static double go_on(const Pass *p, bool *freed) {
    double sums[LITHE_RANGE_SUMS];
    over_units(p->all, p->system, 0, go_on_units, sums);
    lithe_rides_follow(p->all, p->system);
    *freed = sums[1] > 0;
    return sums[0];
}

// Whether the extrapolated velocity, where the system is linearised, costs less than the free
// motion in system->w, whose potential is `free`.
static bool is_better(const Pass *p, double free) {
    const LitheAssembly *all = p->all;
    LitheSystem *s = p->system;
    double here = p->potential;
    for (int32_t i = 0; i < s->unit_count; i++) {
        const LitheUnitWork *body = &all->work->units[s->units[i]];
        int32_t at = first_dof(s, s->units[i]);
        free += body->waits ? body->potential : 0;
        // a unit without a potential starts from its free motion, where its residual is zero
        for (int64_t k = at; !lithe_has_potential(all, body) && k < at + body->dof_count; k++)
            here += 0.5 * body->r[k - at] * (s->w0[k] - s->w[k]);
    }
    return here + lithe_loop_respond(s, s->w0) <= free + lithe_loop_respond(s, s->w);
}

// units without a free motion get velocity 0: their present position is within the domain
static void stand_still(const Pass *p) {
    LitheSystem *s = p->system;
    for (int32_t i = 0; i < s->unit_count; i++) {
        int32_t unit = s->units[i], at = first_dof(s, unit);
        LitheUnitWork *body = &p->all->work->units[unit];
        for (int64_t k = 0; body->waits && k < body->dof_count; k++)
            s->w[at + k] = body->held[k] ? s->w[at + k] : 0;
    }
}

// Linearises at the better of two guesses: the extrapolated velocity, or the free motion where
// there is one. With the better guess one pass is often enough for units at rest or in steady
// motion with contacts. Sets the laws of the couplings.
static bool begin(Pass *p) {
    LitheSystem *s = p->system;
    const LitheAssembly *all = p->all;
    bool freed;
    double free = go_on(p, &freed);
    p->potential = linearise(all, LITHE_LINEARISE, s);
    bool inside = p->potential < INFINITY;
    if (inside)
        set_laws(all, s);
    if (!inside || (freed && !is_better(p, free))) {
        if (!inside)
            stand_still(p);
        set_bodies(all, s, 1);
        p->potential = linearise(all, LITHE_LINEARISE, s);
        if (!(p->potential < INFINITY))
            return false;
        set_laws(all, s);
    }
    lithe_loop_copy(s, s->w0, s->w);
    return true;
}

// linearises at w0 again and goes on with the solve from w
static bool solve_on(Pass *p, LitheLinearise what) {
    LitheSystem *system = p->system;
    size_t bytes = (size_t)system->dof_count * sizeof(double);
    memcpy(system->from, system->w, bytes);
    if (!(linearise(p->all, what, system) < INFINITY))
        return false;
    memcpy(system->w, system->from, bytes);
    int32_t iterations = system->iterations, searches = system->searches;
    bool solved = lithe_convex_solve(system, &p->setting);
    system->iterations += iterations;
    system->searches += searches;
    if (!solved)
        return false;
    // the second solve began where the first one ended; the cost of the pass is that at w0
    system->start_cost = lithe_loop_respond(system, system->w0);
    lithe_loop_respond(system, system->w);
    return true;
}

// Solves at w0. An idle contact that closed wakes all of them; a matrix that is not positive
// definite is recomputed from projected stencils.
static bool solve(Pass *p) {
    LitheSystem *system = p->system;
    bool solved = lithe_convex_solve(system, &p->setting);
    if (!solved && system->woke)
        solved = lithe_system_wake(p->all, system) && solve_on(p, LITHE_LINEARISE);
    if (solved || lithe_meter_given_up(system->meter))
        return solved;
    for (int32_t i = 0; i < system->unit_count; i++)
        p->all->work->units[system->units[i]].corrected++;
    return solve_on(p, LITHE_LINEARISE_PROJECTED);
}

// whether a unit carries riders of units with potentials, which count the forces on them
static bool carries(const LitheAssembly *all, int32_t unit) {
    const LitheModel *model = all->model;
    if (!model->units[unit].rides || model->units[unit].rider_count > 0)
        return false;
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].rider_count > 0 && !lithe_has_potential(all, &all->work->units[i]))
            return false;
    return true;
}

// the same of a unit that carries riders: r and A without theirs, whose potential is counted
static void model_carrier(const Units *u, int32_t unit, double *sums) {
    const LitheSystem *s = u->s;
    const LitheUnitWork *body = &u->all->work->units[unit];
    int32_t at = first_dof(s, unit);
    if (lithe_has_potential(u->all, body))
        return;
    double *d = s->spare + at; // used by convex solves only
    for (int64_t k = 0; k < body->dof_count; k++) {
        d[k] = s->w[at + k] - s->w0[at + k];
        sums[0] += body->held[k] ? 0 : body->r[k] * d[k];
    }
    sums[1] += lithe_rides_own(u->all, s, unit, d);
}

// sums: coefficients of `length` and of its square in the linearised cost of units without a
// potential; copies w0 to system->from
static void model_units(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Units *u = user;
    LitheSystem *s = u->s;
    (void)range;
    for (int32_t i = first; i < after; i++) {
        const LitheUnitWork *body = &u->all->work->units[s->units[i]];
        int32_t at = first_dof(s, s->units[i]);
        memcpy(s->from + at, s->w0 + at, (size_t)body->dof_count * sizeof(double));
        if (s->rides && carries(u->all, s->units[i])) {
            model_carrier(u, s->units[i], sums);
            continue;
        }
        for (int64_t k = at; !lithe_has_potential(u->all, body) && k < at + body->dof_count; k++) {
            double d = s->w[k] - s->w0[k];
            sums[0] += s->r[k] * d;
            sums[1] += 0.5 * d * (s->smooth[k] - s->r[k]);
        }
    }
}

// Moves the units to the fraction `length` of the pass. Returns the size of the true gradient
// there.
static double size_at(const Pass *p, double length) {
    double goal;
    set_bodies(p->all, p->system, length);
    if (!(linearise(p->all, LITHE_LINEARISE_RESIDUAL, p->system) < INFINITY))
        return INFINITY;
    lithe_loop_respond(p->system, p->system->w0);
    return lithe_convex_gradient_norm(p->system, p->system->r, &p->setting, &goal);
}

// Whether the true gradient at the end of the pass, where the units are, is at most `part` of that
// at its start.
static bool falls(Pass *p, double part) {
    double goal, size = lithe_convex_gradient_norm(p->system, p->system->r, &p->setting, &goal);
    // the start of the first pass is evaluated only where rounding hides its cost
    if (!isfinite(p->size)) {
        p->size = size_at(p, 0);
        size_at(p, 1);
    }
    return isfinite(p->size) && size <= part * p->size;
}

// moves from w0 to w, or by a fraction for which the true cost falls, and linearises there
static bool go(Pass *p) {
    LitheSystem *system = p->system;
    size_t bytes = (size_t)system->dof_count * sizeof(double);
    p->whole = memcmp(system->w, system->w0, bytes) == 0;
    if (p->whole)
        return true; // nothing has moved
    double sums[LITHE_RANGE_SUMS], length = 1;
    // cost of the units without a potential, by their linearisation, at fraction `length`
    over_units(p->all, system, 0, model_units, sums);
    double first = sums[0], second = sums[1];
    double start = p->potential + system->start_cost, promised = system->cost - system->start_cost;
    for (int32_t cut = 0; cut <= MAX_CUTS; cut++, length *= 0.5) {
        if (lithe_meter_spend(system->meter, system->dof_count))
            return false;
        set_bodies(p->all, system, length);
        double potential = linearise(p->all, LITHE_LINEARISE_RESIDUAL, system);
        if (!(potential < INFINITY))
            continue;
        double coupled = cut == 0 ? system->end_cost : lithe_loop_respond(system, system->w0);
        double cost = potential + length * (first + length * second) + coupled;
        double noise = COST_NOISE * (fabs(start) + fabs(p->potential));
        // A decrease that rounding hides is that of the gradient. Energies of stiff units change
        // by more than `noise` when positions are rounded.
        double blur = noise + system->rounding;
        bool hidden = cut == 0 && -promised <= blur, blurred = cut == 0 && cost <= start + blur;
        if (cost <= start + 1e-4 * length * promised + noise || (hidden && falls(p, 1)) ||
            (blurred && falls(p, 0.5))) {
            p->potential = potential;
            p->whole = cut == 0 && !system->rides; // riders follow their carriers
            p->all->work->outcome.cuts += cut;
            return true;
        }
    }
    // no descent: the cost at the start cannot be reduced because of rounding
    set_bodies(p->all, system, 0);
    p->stuck = true;
    return linearise(p->all, LITHE_LINEARISE_RESIDUAL, system) < INFINITY &&
           lithe_loop_respond(system, system->w0) < INFINITY;
}

// Units without a potential (a light tree that rotates fast) can diverge from pass to pass:
// restores the best pass.
static bool go_back(Pass *p) {
    LitheSystem *s = p->system;
    memcpy(s->w, s->best, (size_t)s->dof_count * sizeof(double));
    set_bodies(p->all, s, 1);
    return linearise(p->all, LITHE_LINEARISE_RESIDUAL, s) < INFINITY &&
           lithe_loop_respond(s, s->w0) < INFINITY;
}

static void hand_to_units(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Units *u = user;
    const LitheSystem *s = u->s;
    (void)range, (void)sums;
    for (int32_t i = first; i < after; i++) {
        int32_t unit = s->units[i], at = first_dof(s, unit);
        LitheUnitWork *body = &u->all->work->units[unit];
        body->coupled = true;
        for (int64_t k = 0; k < body->dof_count; k++) {
            body->impulse[k] = s->gradient[at + k] + s->dw[at + k];
            body->r[k] -= body->impulse[k];
        }
    }
}

void lithe_coupled_hand_back(const LitheAssembly *all, LitheSystem *system) {
    double none[LITHE_RANGE_SUMS];
    lithe_loop_spread(system, false, system->gradient);
    if (memchr(system->held, 1, (size_t)system->dof_count))
        lithe_loop_spread(system, true, system->dw);
    else
        memset(system->dw, 0, (size_t)system->dof_count * sizeof(double));
    over_units(all, system, 0, hand_to_units, none);
    lithe_rides_hand_back(all, system);
}

// Static steps: the forces that are out of balance at their start, where nothing has moved
static void measure_start(const Pass *p) {
    LitheSystem *s = p->system;
    LitheConvexSetting setting = p->setting;
    double goal;
    setting.momentum = s->momentum;
    setting.noise = s->noise;
    lithe_loop_respond(s, s->w0);
    double size = lithe_convex_gradient_norm(s, s->r, &setting, &goal);
    goal = fmax(goal, lithe_convex_place_noise(p->all, s));
    s->start_residual = goal > 0 ? size / goal * setting.tolerance : 0;
    for (int32_t i = 0; i < s->unit_count; i++) {
        LitheUnitWork *body = &p->all->work->units[s->units[i]];
        double sum = 0;
        for (int64_t k = first_dof(s, s->units[i]), n = 0; n < body->dof_count; k++, n++)
            sum += s->scale[k] * s->gradient[k] * s->scale[k] * s->gradient[k];
        body->residual = goal > 0 ? sqrt(sum) / goal * setting.tolerance : 0;
    }
}

// Whether the gradient of a world at rest, |D gradient| = size, is balanced as well as it matters
// (V37). Contacts that stick at picometres per second answer to changes of w that are far below any
// tolerance with forces above theirs.
static bool is_balanced_at_rest(const LitheSystem *s, double size, double goal) {
    double sum = 0, moving = 0;
    if (!(s->stick_fraction < 1) || s->iterations == 0 || size > RESTING * goal)
        return false;
    // contacts may rest while other things move
    for (int32_t k = 0; k < s->dof_count; k++)
        moving += s->scale[k] > 0 ? s->w[k] / s->scale[k] * s->w[k] / s->scale[k] : 0;
    if (!(sqrt(moving) <= AT_REST * s->momentum))
        return false;
    for (int32_t j = 0; j < s->node_count; j++) {
        int32_t count = s->node_size[j], at = s->node_at[j];
        const double *H =
            lithe_block_column(s->matrix, j) + s->matrix->value_at[s->matrix->start[j]];
        for (int32_t k = 0; k < count; k++) {
            double g = s->gradient[at + k], h = H[(count + 1) * k];
            sum += s->held[at + k] ? 0 : g * g / h;
        }
    }
    return sqrt(sum) <= goal;
}

// whether all units are single bodies, whose gyroscopic forces are the only nonlinear ones
static bool has_single_bodies(const LitheAssembly *all, const LitheSystem *s) {
    for (int32_t i = 0; i < s->unit_count; i++)
        if (all->work->units[s->units[i]].dof_count > 6)
            return false;
    return true;
}

// whether all units are free bodies: a position and a quaternion each
static bool has_free_bodies(const LitheUnit *units, const LitheSystem *s) {
    for (int32_t i = 0; i < s->unit_count; i++)
        if (units[s->units[i]].v_count != 6 || units[s->units[i]].q_count != 7)
            return false;
    return true;
}

// whether all forces of the units are linear in w, except gyroscopic ones
static bool is_rigid(const LitheAssembly *all, const LitheSystem *s) {
    for (int32_t i = 0; i < s->unit_count; i++)
        if (lithe_has_potential(all, &all->work->units[s->units[i]]))
            return false;
    return true;
}

bool lithe_coupled_solve(const LitheAssembly *all, LitheSystem *system) {
    const LitheContactDef *def = &all->model->contact;
    const LitheAttempt *attempt = all->plan->attempt;
    double tolerance = attempt && attempt->tolerance > 0 ? attempt->tolerance : def->tolerance;
    Pass p = {.all = all,
              .system = system,
              .setting = {.tolerance = tolerance, .max_iterations = def->max_iterations},
              .size = INFINITY};
    int32_t max = def->passes > 0 ? def->passes : MAX_PASSES, iterations = 0, searches = 0;
    double error = 0, smallest = INFINITY, before = INFINITY;
    double lag = def->tolerance < SHARP && !all->plan->still ? SHARP : LAG_TOLERANCE;
    bool adaptive = all->model->time.min_step > 0;
    all->work->outcome.passes = 0;
    all->work->outcome.cuts = 0;
    all->work->outcome.lagging = false;
    if (!begin(&p))
        return false;
    if (all->plan->still)
        measure_start(&p);
    // Without an iteration, a start within the tolerance would keep its velocity in every step,
    // even if it is only creep.
    p.setting.min_iterations = 1;
    bool rigid = is_rigid(all, system);
    // Single bodies are almost linear: one pass is enough. Schemes of second order need the second
    // one, which leaves far less than the tolerance.
    bool plain = all->plan->stage == 0 && !lithe_has_middle(all->plan);
    // points of a patch share their load: the second pass finds their friction anyway
    bool patches = system->group_count > 0 && !system->has_mesh;
    double multiple = adaptive || patches ? FIRST_LONG : FIRST;
    if (plain && rigid && has_single_bodies(all, system))
        multiple = 1;
    bool trees =
        rigid && !plain && !all->plan->still && !has_free_bodies(all->model->units, system);
    double rough = multiple * tolerance;
    p.setting.rigid = rigid;
    p.setting.reuse = adaptive ? REUSE_LONG : rigid ? REUSE_RIGID : REUSE;
    p.setting.steady = !rigid ? 0 : multiple > 1 ? STEADY : STEADY * FIRST;
    bool mesh = p.setting.mesh = system->has_mesh && !rigid;
    p.setting.follows = rigid ? FOLLOWS : mesh ? FOLLOWS_MESH : 1;
    for (;;) {
        p.setting.momentum = system->momentum;
        p.setting.noise = system->noise;
        bool first = all->work->outcome.passes == 0;
        p.setting.lag = (first || mesh) && max > 1 ? lag : 0;
        p.setting.warm_start = !first;
        p.setting.tolerance = first && max > 1 ? rough : tolerance;
        bool solved = solve(&p);
        p.setting.tolerance = tolerance;
        p.setting.min_iterations = trees && first;
        iterations += system->iterations;
        searches += system->searches;
        error = fmax(error, system->backward_error);
        all->work->outcome.passes++;
        if (!solved || !go(&p))
            return false;
        // (V26): the true gradient at w0, relative to the momenta that it balances
        p.setting.momentum = system->momentum;
        p.setting.noise = system->noise;
        double goal, size = lithe_convex_gradient_norm(system, system->r, &p.setting, &goal);
        bool best = size <= smallest;
        p.size = size;
        if (best) {
            smallest = size;
        } else if (!(size < RUNAWAY * fmax(smallest, goal))) {
            if (!isfinite(smallest) || !go_back(&p))
                return false;
            system->residual = 1; // no solution
            system->converged = false;
            break;
        }
        bool solved_pass = system->converged || system->stalled;
        double moved = lithe_settle_measure(system);
        system->residual = goal > 0 ? size / goal * tolerance : 0;
        double part = trees && first ? TREES : 1;
        bool balanced = size <= part * goal || is_balanced_at_rest(system, size, goal);
        // the true balance counts, even if the linearised equations of the pass were left early
        system->converged = balanced || (solved_pass && def->passes == 1);
        // a solve that began within its tolerance: better bounds change nothing
        bool settled = !first && system->iterations == 0;
        all->work->outcome.lagging = moved > lag && !settled;
        if ((system->converged && !all->work->outcome.lagging) ||
            all->work->outcome.passes >= max || p.stuck)
            break;
        // Bounds of meshes that are good enough stay: new ones would move the start of the next
        // pass from its solution.
        if (!mesh || moved > lag)
            lithe_settle(system);
        if (best)
            lithe_loop_copy(system, system->w0, system->best);
        // close to the solution no new matrix is needed, unless the old one did not help; within
        // the tolerance only bounds of friction change
        bool near = size <= goal || (size <= NEAR * goal && size <= SLOW * before);
        before = size;
        if (!near && !(linearise(all, LITHE_LINEARISE, system) < INFINITY))
            return false;
        if (!p.whole)
            lithe_loop_copy(system, system->w0, system->w);
    }
    system->iterations = iterations;
    system->searches = searches;
    system->backward_error = error;
    lithe_coupled_hand_back(all, system);
    return true;
}
