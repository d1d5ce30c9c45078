// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_run.c - runs one random world in a process of its own, and checks every step

#include "cli/validate/apart.h"
#include "cli/validate/worlds.h"

#include "base/clock.h"
#include "data/model.h"
#include "data/state.h"
#include "data/work.h"
#include "run/session.h"
#include "run/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// seconds of the processor after which a world counts as hung
#define TIME_LIMIT 120

// limits of the checkers
// rise of the energy over the largest kinetic or stored energy so far: with TR-BDF2, which has an
// energy guard; with the other schemes, where the run itself reports a rise of a tenth
#define ENERGY_GUARDED 1e-3
#define ENERGY_REPORTED 0.1
#define TOTALS_LIMIT 1e-6
#define DEPTH_LIMIT 0.3 // the run warns beyond 0.2 at the start of a step
#define TIE_LIMIT 0.05  // over the size of the world; impacts reach it
#define JOINT_LIMIT 1e-6
// Change of momentum. With joints, or bodies whose frame is not at their centre of mass, schemes
// conserve it only to their order, as they do angular momentum.
#define MOMENTUM_LIMIT 1e-4
#define MOMENTUM_LIMIT_ORDER 0.1
#define ANGULAR_LIMIT 0.1

typedef struct Run {
    const WorldPlan *plan;
    WorldResult result;
    WorldCheck check;
    Passing passing;
    bool begun;
    double lowest;  // energy [J]
    double largest; // kinetic or stored [J]
    double size;    // of the world [m]
    double floor;   // energy so small that the world counts as at rest [J]
    WorldSums first;
    Vec3 origin;
    uint32_t warned; // faults that the run has reported
} Run;

// --- what the run reports ------------------------------------------------------------------------

// the faults that a warning reports
static uint32_t meaning(const char *text) {
    uint32_t all = (1u << WORLD_FAULTS) - 1;
    if (strstr(text, "doubtful"))
        return all;
    if (strstr(text, "overlap"))
        return WORLD_FAULT_OVERLAP;
    if (strstr(text, "passed through") || strstr(text, "linking") || strstr(text, "knot"))
        return WORLD_FAULT_CROSSING;
    if (strstr(text, "error of constraint"))
        return WORLD_FAULT_TIES;
    return 0;
}

static void listen(LitheLogLevel level, const char *text, void *user) {
    Run *run = user;
    if (level != LITHE_LOG_WARNING)
        return;
    run->warned |= meaning(text);
    if (run->result.warnings++ == 0)
        snprintf(run->result.message, sizeof run->result.message, "%.200s", text);
}

// --- the checks after a step ---------------------------------------------------------------------

static void fault(Run *run, uint32_t which, bool found) {
    if (found)
        run->result.faults |= which;
}

static void check_energy(Run *run, const WorldSums *sums, double time) {
    double energy = sums->kinetic + sums->stored + sums->gravity;
    // Energy stored in overlaps counts as a rise only when it becomes motion: after a deep overlap
    // with a stiff contact it may be dissipated instead.
    double rise = energy - sums->contact - run->lowest;
    double part = run->largest > 0 ? rise / fmax(run->largest, run->floor) : 0;
    bool guarded = run->plan->scheme == LITHE_SCHEME_TR_BDF2;
    if (rise > 1e-12 * fabs(energy) && part > run->result.energy) {
        run->result.energy = part;
        run->result.energy_time = time;
    }
    fault(run, WORLD_FAULT_ENERGY,
          run->result.energy > (guarded ? ENERGY_GUARDED : ENERGY_REPORTED));
    run->lowest = fmin(run->lowest, energy);
    run->largest = fmax(run->largest, fmax(sums->kinetic, sums->stored));
}

// compares with the energies of the library, whose `elastic` excludes contacts and ties
static void check_totals(Run *run, const LitheSession *session, const WorldSums *sums) {
    LitheEnergy e = lithe_energy(session->model, session->state);
    double own = sums->stored - sums->contact - sums->ties;
    double scale = fmax(fmax(run->largest, fabs(sums->gravity)), run->floor);
    double off = fmax(fabs(e.kinetic - sums->kinetic), fabs(e.elastic - own));
    off = fmax(off, fabs(e.gravity - sums->gravity));
    run->result.totals = fmax(run->result.totals, off / scale);
    fault(run, WORLD_FAULT_TOTALS, run->result.totals > TOTALS_LIMIT);
}

// whether there are no joints and the frame of each body is at its centre of mass
static bool is_plain(const LitheModel *model) {
    bool plain = model->joint_count == 0;
    for (int32_t t = 0; t < model->tree_count; t++)
        plain = plain && v3_norm(model->trees[t].rigid.links[0].centre) < 1e-12;
    return plain;
}

static void check_momentum(Run *run, const WorldSums *sums) {
    if (!run->check.start.free)
        return;
    double scale = fmax(run->first.momentum_scale, sums->momentum_scale);
    double turns = fmax(run->first.angular_scale, sums->angular_scale);
    if (scale > 0)
        run->result.momentum =
            fmax(run->result.momentum, v3_distance(sums->momentum, run->first.momentum) / scale);
    if (turns > 0)
        run->result.angular =
            fmax(run->result.angular, v3_distance(sums->angular, run->first.angular) / turns);
    fault(run, WORLD_FAULT_MOMENTUM,
          run->result.momentum >
              (is_plain(run->check.model) ? MOMENTUM_LIMIT : MOMENTUM_LIMIT_ORDER));
    fault(run, WORLD_FAULT_ANGULAR, run->result.angular > ANGULAR_LIMIT);
}

static bool is_finite(const LitheState *state) {
    const double *x = lithe_state_data(state);
    double sum = 0;
    for (int64_t i = 0; i < lithe_state_size(state); i++)
        sum += x[i] * 0;
    return sum == 0;
}

static void check_step(Run *run, LitheSession *session) {
    const LitheState *state = session->state;
    WorldResult *result = &run->result;
    WorldSums sums = lithe_world_sums(&run->check, state);
    double time = lithe_state_time(state);
    if (!run->begun) {
        run->begun = true;
        run->first = sums;
        run->lowest = sums.kinetic + sums.stored + sums.gravity;
        run->largest = fmax(sums.kinetic, sums.stored);
    }
    fault(run, WORLD_FAULT_NUMBERS, !is_finite(state));
    check_energy(run, &sums, time);
    check_totals(run, session, &sums);
    check_momentum(run, &sums);
    result->depth = fmax(result->depth, lithe_world_depth(&run->check, state));
    result->ties = fmax(result->ties, lithe_world_tie_error(&run->check, state) / run->size);
    result->joints = fmax(result->joints, lithe_world_joint_error(&run->check, state) / run->size);
    result->crossings = run->passing.crossings;
    fault(run, WORLD_FAULT_OVERLAP, result->depth > DEPTH_LIMIT);
    fault(run, WORLD_FAULT_TIES, result->ties > TIE_LIMIT);
    fault(run, WORLD_FAULT_JOINTS, result->joints > JOINT_LIMIT);
    fault(run, WORLD_FAULT_CROSSING, result->crossings > 0);
}

// --- the run -------------------------------------------------------------------------------------

static double size_of(const LitheModel *model, const LitheState *state) {
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int32_t r = 0; r < model->rod_count; r++)
        for (int32_t i = 0; i < model->rods[r].node_count; i++) {
            const double *q = state->q + model->rods[r].dof_at + 4 * i;
            low = v3(fmin(low.x, q[0]), fmin(low.y, q[1]), fmin(low.z, q[2]));
            high = v3(fmax(high.x, q[0]), fmax(high.y, q[1]), fmax(high.z, q[2]));
        }
    for (int32_t b = 0; b < model->body_count; b++) {
        double p[7];
        lithe_body_pose(model, state, (LitheBodyId){b + 1}, p);
        low = v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
        high = v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
    }
    for (int32_t s = 0; s < model->particles_count; s++) {
        const double *x = lithe_particles_position(model, state, (LitheParticlesId){s + 1});
        for (int32_t i = 0; i < 3 * model->particles[s].count; i += 3) {
            low = v3(fmin(low.x, x[i]), fmin(low.y, x[i + 1]), fmin(low.z, x[i + 2]));
            high = v3(fmax(high.x, x[i]), fmax(high.y, x[i + 1]), fmax(high.z, x[i + 2]));
        }
    }
    double size = v3_distance(low, high);
    return size > 0 && isfinite(size) ? size : 1;
}

// A substep is a state of the motion, too: its energies count for the largest ones.
static void watch_substep(const LitheState *before, const LitheState *after, void *user) {
    Run *run = user;
    passing_watch(before, after, &run->passing);
    if (run->plan->times > 1) {
        WorldSums sums = lithe_world_sums(&run->check, after);
        run->largest = fmax(run->largest, fmax(sums.kinetic, sums.stored));
    }
}

static LitheStatus begin(void *user, LitheSession *session, LitheError *error) {
    Run *run = user;
    (void)error;
    if (!lithe_world_check_begin(&run->check, session->model, session->state))
        abort();
    run->size = size_of(session->model, session->state);
    for (int32_t i = 0; i < session->model->unit_count; i++)
        run->floor += 1e-9 * session->model->units[i].mass * pow(run->size / session->end, 2);
    run->passing = (Passing){.model = session->model};
    run->passing.edges = calloc((size_t)session->model->edge_count + 1, sizeof(PassingEdge));
    if (!run->passing.edges)
        abort();
    session->work->watch = watch_substep;
    session->work->watch_user = run;
    return LITHE_OK;
}

static LitheWatchAnswer between_steps(void *user, LitheSession *session, bool at_end) {
    Run *run = user;
    const LitheReport *report = &session->report;
    (void)at_end;
    if (lithe_state_step(session->state) > 0) {
        run->result.steps++;
        run->result.trips += report->guarded > 0;
        run->result.unconverged += report->bodies_unconverged > 0 || report->solve_unconverged;
    }
    check_step(run, session);
    return LITHE_WATCH_GO_ON;
}

static void end(void *user, LitheSession *session, LitheStatus status, const LitheError *error) {
    Run *run = user;
    (void)session;
    (void)status;
    (void)error;
    lithe_world_check_end(&run->check);
    free(run->passing.edges);
}

static void run_here(Run *run, const char *text) {
    LitheContextDef def = lithe_context_def_default();
    def.log = listen;
    def.log_user = run;
    LitheContext *context = lithe_context_create(&def);
    LitheScene *scene = NULL;
    LitheError error = {0};
    WorldResult *result = &run->result;
    double start = lithe_clock();
    if (lithe_scene_parse(context, text, strlen(text), "world", NULL, NULL, 0, &scene, &error) !=
        LITHE_OK) {
        result->end = WORLD_REFUSED;
    } else {
        LitheWatch watch = {run, begin, between_steps, end};
        LitheRunDef how = lithe_run_def_default();
        how.watch = &watch;
        LitheStatus status = lithe_run(scene, &how, NULL, &error);
        result->end = status == LITHE_OK             ? WORLD_DONE
                      : status == LITHE_CANNOT_GO_ON ? WORLD_STOPPED
                                                     : WORLD_REFUSED;
    }
    if (result->end != WORLD_DONE)
        snprintf(result->message, sizeof result->message, "%.200s", error.text);
    // accuracy is not expected of steps that are far too long; energy is
    if (run->plan->times > 1)
        result->faults &= WORLD_FAULT_NUMBERS | WORLD_FAULT_ENERGY | WORLD_FAULT_TOTALS |
                          WORLD_FAULT_CROSSING | WORLD_FAULT_JOINTS;
    // a run that stops reports its failure, and thereby all faults
    result->reported = result->end == WORLD_STOPPED ? result->faults : result->faults & run->warned;
    result->seconds = lithe_clock() - start;
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

typedef struct World {
    const WorldPlan *plan;
    const char *text;
} World;

static void run_alone(const void *what, void *result) {
    const World *world = what;
    Run run = {.plan = world->plan};
    run_here(&run, world->text);
    *(WorldResult *)result = run.result;
}

WorldResult lithe_world_run(const WorldPlan *plan, const char *text) {
    WorldResult result = {0};
    int status;
    LitheApart way = lithe_run_apart(run_alone, &(World){plan, text}, TIME_LIMIT, &result,
                                     sizeof result, &status);
    if (way == LITHE_APART_DONE)
        return result;
    bool hung = way == LITHE_APART_HUNG;
    result.end = hung ? WORLD_HUNG : WORLD_CRASHED;
    snprintf(result.message, sizeof result.message, "%s %d",
             hung ? "took too long: signal" : "ended with status", status);
    return result;
}
