// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_mixed.c - many random worlds of all kinds, schemes and contact models
//
// Each world runs as `lithe run` runs it, in a process of its own. What it did is counted by its
// cause; a world that does anything but end, or be refused, leaves its scene file in FOLDER/worlds.

#include "cli/validate/worlds_mixed.h"
#include "cli/validate/apart.h"
#include "cli/validate/passing.h"
#include "cli/validate/stress.h"
#include "cli/validate/worlds.h"
#include "cli/validate/worlds_solids.h"

#include "advance/monitor.h"
#include "base/clock.h"
#include "data/model.h"
#include "data/work.h"
#include "run/session.h"
#include "run/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// Seconds of the processor after which a world counts as one that takes too long. A step ends by
// itself at time.max-work, after some tens of seconds where all of its parts are repeated; a world
// may have several such steps.
#define TIME_LIMIT 300
// rise of the energy of a world on which nothing does work, over its largest one
#define RISE_LIMIT 0.1
// how far below the ground a node or a body counts as fallen through, over the size of the world
#define BELOW_LIMIT 0.1
// an energy drift that the summary of a run calls large
#define DRIFT_REPORTED 0.1

typedef enum End {
    DONE,
    OVERLAPPED, // refused: things overlap at the start
    REFUSED,    // refused by another name
    UNMET,      // stopped: a constraint cannot be met
    STOPPED,
    TOO_LONG, // more seconds of the processor than TIME_LIMIT
    CRASHED,  // a signal, a failed assertion, an error of a sanitizer
    END_COUNT,
} End;

static const char *const end_names[END_COUNT] = {
    "done",    "refused: overlap", "refused", "stopped: a constraint cannot be met",
    "stopped", "took too long",    "crashed"};

typedef enum Fault {
    NUMBERS = 1 << 0,
    ENERGY = 1 << 1,
    CROSSED = 1 << 2,
    PASSED = 1 << 3,
    FELL = 1 << 4,
    FAULTS = 5
} Fault;

static const char *const fault_names[FAULTS] = {"a number is not finite", "the energy rose",
                                                "rods crossed", "something passed a solid or plate",
                                                "something fell through the ground"};

// what a world did; sent from its process as it is
typedef struct Outcome {
    End end;
    uint32_t faults, reported; // Fault: found by the checks; of these said by the run
    int64_t steps;
    int32_t warnings;
    double rise, drift, seconds;
    char message[400];
} Outcome;

typedef struct Run {
    Outcome outcome;
    SolidCheck solids;
    Passing passing;
    const LitheModel *model;
    LitheContacts *contacts;
    bool driven, begun;
    double first, largest; // energy [J], the first with that of overlaps
    double size, ground;   // m; height of the half-space, NAN: none
} Run;

// --- what the run reports ------------------------------------------------------------------------

static void listen(LitheLogLevel level, const char *text, void *user) {
    Run *run = user;
    Outcome *o = &run->outcome;
    if (level != LITHE_LOG_WARNING)
        return;
    if (strstr(text, "doubtful"))
        o->reported |= (1u << FAULTS) - 1;
    if (strstr(text, "overlap") || strstr(text, "deep in") || strstr(text, "inside"))
        o->reported |= PASSED | FELL;
    if (strstr(text, "pass"))
        o->reported |= PASSED | FELL | CROSSED;
    if (strstr(text, "knot") || strstr(text, "link"))
        o->reported |= CROSSED;
    if (strstr(text, "energy"))
        o->reported |= ENERGY;
    if (o->warnings++ == 0)
        snprintf(o->message, sizeof o->message, "%.390s", text);
}

// --- the checks ----------------------------------------------------------------------------------

static void watch(const LitheState *before, const LitheState *after, void *user) {
    Run *run = user;
    passing_watch(before, after, &run->passing);
    if (run->model->solid_count > 0)
        lithe_solid_check_step(before, after, &run->solids);
}

static double lowest(const LitheModel *model, const LitheState *state) {
    double low = INFINITY;
    for (int32_t r = 0; r < model->rod_count; r++)
        for (int32_t i = 0; i < model->rods[r].node_count; i++)
            low = fmin(low, state->q[model->rods[r].dof_at + 4 * (int64_t)i + 2]);
    for (int32_t p = 0; p < model->particles_count; p++)
        for (int32_t i = 0; i < model->particles[p].count; i++)
            low = fmin(low,
                       state->q[model->units[model->particles[p].unit].q_at + 3 * (int64_t)i + 2]);
    for (int32_t s = 0; s < model->solid_count; s++)
        for (int32_t i = 0; i < model->solids[s].mesh.node_count; i++)
            low =
                fmin(low, state->q[model->units[model->solids[s].unit].q_at + 3 * (int64_t)i + 2]);
    for (int32_t b = 0; b < model->body_count; b++) {
        double pose[7];
        lithe_body_pose(model, state, (LitheBodyId){b + 1}, pose);
        low = fmin(low, pose[2]);
    }
    return low;
}

static void check_state(Run *run, const LitheState *state) {
    Outcome *o = &run->outcome;
    const double *x = lithe_state_data(state);
    double sum = 0;
    for (int64_t i = 0; i < lithe_state_size(state); i++)
        sum += x[i] * 0;
    if (sum != 0)
        o->faults |= NUMBERS;
    LitheEnergy e = lithe_energy(run->model, state);
    double energy = e.kinetic + e.elastic + e.gravity;
    if (!run->begun) { // what overlaps at the start is pushed apart
        run->first = energy + lithe_world_overlaps(run->model, state, run->contacts);
        run->largest = lithe_energy_least(run->model);
    }
    run->begun = true;
    run->largest = fmax(run->largest, e.kinetic + e.elastic);
    if (!run->driven && run->largest > 0)
        o->rise = fmax(o->rise, (energy - run->first) / run->largest);
    if (o->rise > RISE_LIMIT)
        o->faults |= ENERGY;
    if (lowest(run->model, state) < run->ground - BELOW_LIMIT * run->size)
        o->faults |= FELL;
}

static LitheStatus begin(void *user, LitheSession *session, LitheError *error) {
    Run *run = user;
    const LitheModel *model = run->model = session->model;
    (void)error;
    run->ground = -INFINITY;
    for (int32_t g = 0; g < model->geom_count; g++)
        if (model->geoms[g].geom.kind == LITHE_GEOM_HALF_SPACE)
            run->ground = 0;
    run->passing = (Passing){.model = model};
    run->passing.edges = calloc((size_t)model->edge_count + 1, sizeof(PassingEdge));
    run->contacts = lithe_contacts_create(model->context);
    if (!run->passing.edges || !run->contacts || !lithe_solid_check_begin(&run->solids, model))
        abort();
    // equilibria are not connected by a motion
    if (model->time.scheme != LITHE_SCHEME_STATIC) {
        session->work->watch = watch;
        session->work->watch_user = run;
    }
    return LITHE_OK;
}

static LitheWatchAnswer between_steps(void *user, LitheSession *session, bool at_end) {
    Run *run = user;
    (void)at_end;
    run->outcome.steps += lithe_state_step(session->state) > 0;
    if (session->model->time.scheme != LITHE_SCHEME_STATIC)
        check_state(run, session->state);
    return LITHE_WATCH_GO_ON;
}

static void end(void *user, LitheSession *session, LitheStatus status, const LitheError *error) {
    Run *run = user;
    (void)session;
    (void)status;
    (void)error;
    if (run->passing.crossings > 0)
        run->outcome.faults |= CROSSED;
    if (run->solids.passages > 0)
        run->outcome.faults |= PASSED;
    lithe_solid_check_end(&run->solids);
    lithe_contacts_destroy(run->contacts);
    free(run->passing.edges);
}

// --- one world -----------------------------------------------------------------------------------

static End end_of(LitheStatus status, const char *text) {
    bool overlap = strstr(text, "at the start by") || strstr(text, "lies inside of solid") ||
                   (strstr(text, "deep in") && strstr(text, "at the start"));
    bool unmet = strstr(text, "cannot be met") || strstr(text, "cannot reach");
    return status == LITHE_OK             ? DONE
           : status != LITHE_CANNOT_GO_ON ? (overlap ? OVERLAPPED : REFUSED)
           : unmet                        ? UNMET
                                          : STOPPED;
}

static void run_here(Run *run, const char *text) {
    LitheContextDef def = lithe_context_def_default();
    def.log = listen;
    def.log_user = run;
    LitheContext *context = lithe_context_create(&def);
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheWatch watches = {run, begin, between_steps, end};
    LitheRunDef how = lithe_run_def_default();
    LitheSummary summary = {0};
    how.watch = &watches;
    Outcome *o = &run->outcome;
    double start = lithe_clock();
    LitheStatus status =
        lithe_scene_parse(context, text, strlen(text), "world", NULL, NULL, 0, &scene, &error);
    if (status == LITHE_OK)
        status = lithe_run(scene, &how, &summary, &error);
    o->seconds = lithe_clock() - start;
    o->drift = summary.energy_drift;
    o->end = end_of(status, error.text);
    if (o->drift > DRIFT_REPORTED)
        o->reported |= ENERGY;
    if (status != LITHE_OK) {
        o->reported = o->faults; // the message says that something is wrong
        snprintf(o->message, sizeof o->message, "%.390s", error.text);
    }
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

typedef struct World {
    const char *text;
    bool driven;
    double size;
} World;

static void run_alone(const void *what, void *outcome) {
    static Run run;
    const World *world = what;
    run.driven = world->driven;
    run.size = world->size;
    run_here(&run, world->text);
    *(Outcome *)outcome = run.outcome;
}

static Outcome run_apart(const World *world) {
    Outcome got = {0};
    int status;
    LitheApart how = lithe_run_apart(run_alone, world, TIME_LIMIT, &got, sizeof got, &status);
    if (how == LITHE_APART_HUNG) {
        got.end = TOO_LONG;
        snprintf(got.message, sizeof got.message, "more than %d s of the processor", TIME_LIMIT);
    } else if (how == LITHE_APART_CRASHED) {
        got.end = CRASHED;
        if (WIFSIGNALED(status))
            snprintf(got.message, sizeof got.message, "signal %d (%s)", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        else
            snprintf(got.message, sizeof got.message, "exit code %d", WEXITSTATUS(status));
    }
    return got;
}

// the scene file of a world that failed, with which it runs again, and why
static void leave(const LitheTrial *trial, int64_t seed, const char *text, const Outcome *o) {
    char name[40], path[600], what[256] = "";
    for (int k = 0; k < FAULTS; k++)
        if (o->faults >> k & 1)
            snprintf(what + strlen(what), sizeof what - strlen(what), "; %s%s",
                     o->reported >> k & 1 ? "" : "SILENT ", fault_names[k]);
    snprintf(name, sizeof name, "mixed-%lld", (long long)seed);
    size_t length = strlen(text) + sizeof what + sizeof o->message + 100;
    char *whole = malloc(length);
    if (!whole)
        abort();
    snprintf(whole, length, "%s# %s after %lld steps%s: %s\n", text, end_names[o->end],
             (long long)o->steps, what, o->message);
    lithe_world_leave(trial, name, whole, path, sizeof path);
    free(whole);
    fprintf(stderr,
            "world %lld: %s after %lld steps, %.1f s%s; rise %.2e, drift %.2e; %s: lithe run %s\n",
            (long long)seed, end_names[o->end], (long long)o->steps, o->seconds, what, o->rise,
            o->drift, o->message, path);
}

bool lithe_case_worlds_mixed(LitheTrial *trial) {
    int64_t first = 1, last = trial->refine > 1 ? 1000 : 20;
    int64_t ends[END_COUNT] = {0}, silent = 0, warned = 0, steps = 0;
    if (trial->last_seed > 0)
        first = trial->first_seed, last = trial->last_seed;
    for (int64_t seed = first; seed <= last; seed++) {
        bool driven;
        double size;
        char *text = lithe_mixed_world_make((uint64_t)seed, &driven, &size);
        if (!text)
            return false;
        Outcome o = run_apart(&(World){text, driven, size});
        ends[o.end]++;
        silent += (o.faults & ~o.reported) != 0;
        warned += o.end == DONE && o.warnings > 0;
        steps += o.steps;
        if ((o.end != DONE && o.end != OVERLAPPED) || o.faults != 0)
            leave(trial, seed, text, &o);
        free(text);
    }
    double worlds = (double)(last - first + 1);
    return lithe_trial_add(trial, reported(worlds), "worlds") &&
           lithe_trial_add(trial, at_most((double)ends[CRASHED], 0), "crashes") &&
           lithe_trial_add(trial, at_most((double)ends[TOO_LONG], 0), "took_too_long") &&
           lithe_trial_add(trial, at_most((double)silent, 0), "silent_failures") &&
           lithe_trial_add(trial, at_most((double)ends[STOPPED] / worlds, 0.01),
                           "fraction_that_stopped") &&
           lithe_trial_add(trial, reported((double)ends[OVERLAPPED]), "refused_for_an_overlap") &&
           lithe_trial_add(trial, reported((double)ends[REFUSED]), "refused_for_another_cause") &&
           lithe_trial_add(trial, reported((double)ends[UNMET]),
                           "stopped_by_a_constraint_that_cannot_be_met") &&
           lithe_trial_add(trial, reported((double)warned), "worlds_with_a_warning") &&
           lithe_trial_add(trial, reported((double)steps), "steps") &&
           lithe_stress_plot(trial, "Random worlds of all kinds");
}
