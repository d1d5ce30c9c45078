// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_solids.c - many random worlds with soft solids: what passes, inverts, stops
//
// Each world runs as `lithe run` runs it, in a process of its own. One that stops, lets something
// through, inverts an element or does not converge leaves its scene file in FOLDER/worlds.

#include "cli/validate/worlds_solids.h"
#include "cli/validate/apart.h"
#include "cli/validate/stress.h"

#include "data/work.h"
#include "run/session.h"
#include "run/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// seconds of the processor after which a world counts as hung
#define TIME_LIMIT 300

typedef enum End { DONE, STOPPED, REFUSED, CRASHED } End;

// what a world did; sent from its process as it is
typedef struct Outcome {
    End end;
    int64_t steps, unconverged; // steps whose coupled solve ended above its tolerance
    int64_t passages;
    int64_t refused;  // steps that ended with inverted elements of laws that have none
    int64_t inverted; // steps that ended with inverted elements of the other laws
    bool named;       // the run warned of them
    double deepest;
    char message[256];
} Outcome;

typedef struct Run {
    Outcome outcome;
    SolidCheck check;
} Run;

static void listen(LitheLogLevel level, const char *text, void *user) {
    Run *run = user;
    if (level == LITHE_LOG_WARNING && strstr(text, "inside out"))
        run->outcome.named = true;
}

static LitheStatus begin(void *user, LitheSession *session, LitheError *error) {
    Run *run = user;
    (void)error;
    if (!lithe_solid_check_begin(&run->check, session->model))
        abort();
    session->work->watch = lithe_solid_check_step;
    session->work->watch_user = &run->check;
    return LITHE_OK;
}

// signs of the volumes of the elements, by nodes alone
static void count_inverted(Run *run, const LitheState *state) {
    bool refused = false, other = false;
    const LitheModel *model = run->check.model;
    for (int32_t k = 0; k < model->solid_count; k++) {
        const LitheTetMesh *mesh = &model->solids[k].mesh;
        const double *q = state->q + model->units[model->solids[k].unit].q_at;
        bool soft = model->solids[k].law->lagged || model->solids[k].law->has_lame;
        soft = soft && strcmp(model->solids[k].law->name, "neo-hookean") != 0;
        for (int32_t e = 0; e < mesh->element_count; e++) {
            const int32_t *n = mesh->elements + (int64_t)e * mesh->nodes_per_element;
            Vec3 o = v3_load(q + 3 * (int64_t)n[0]);
            Vec3 a = v3_sub(v3_load(q + 3 * (int64_t)n[1]), o);
            Vec3 b = v3_sub(v3_load(q + 3 * (int64_t)n[2]), o);
            Vec3 c = v3_sub(v3_load(q + 3 * (int64_t)n[3]), o);
            if (!(v3_dot(a, v3_cross(b, c)) > 0))
                *(soft ? &other : &refused) = true;
        }
    }
    run->outcome.refused += refused;
    run->outcome.inverted += other;
}

static LitheWatchAnswer between_steps(void *user, LitheSession *session, bool at_end) {
    Run *run = user;
    const LitheReport *report = &session->report;
    (void)at_end;
    if (lithe_state_step(session->state) == 0)
        return LITHE_WATCH_GO_ON;
    run->outcome.steps++;
    run->outcome.unconverged += report->bodies_unconverged > 0 || report->solve_unconverged;
    count_inverted(run, session->state);
    return LITHE_WATCH_GO_ON;
}

static void end(void *user, LitheSession *session, LitheStatus status, const LitheError *error) {
    Run *run = user;
    (void)session;
    (void)status;
    (void)error;
    run->outcome.passages = run->check.passages;
    run->outcome.deepest = run->check.deepest;
    snprintf(run->outcome.message, sizeof run->outcome.message, "%s", run->check.first);
    lithe_solid_check_end(&run->check);
}

static void run_here(Run *run, const char *text) {
    LitheContextDef def = lithe_context_def_default();
    def.log = listen;
    def.log_user = run;
    LitheContext *context = lithe_context_create(&def);
    LitheScene *scene = NULL;
    LitheError error = {0};
    LitheWatch watch = {run, begin, between_steps, end};
    LitheRunDef how = lithe_run_def_default();
    how.watch = &watch;
    LitheStatus status =
        lithe_scene_parse(context, text, strlen(text), "world", NULL, NULL, 0, &scene, &error);
    if (status == LITHE_OK)
        status = lithe_run(scene, &how, NULL, &error);
    run->outcome.end = status == LITHE_OK ? DONE : status == LITHE_CANNOT_GO_ON ? STOPPED : REFUSED;
    if (status != LITHE_OK && run->outcome.passages == 0)
        snprintf(run->outcome.message, sizeof run->outcome.message, "%.250s", error.text);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

static void run_alone(const void *text, void *outcome) {
    static Run run;
    run_here(&run, text);
    *(Outcome *)outcome = run.outcome;
}

static Outcome run_apart(const char *text) {
    Outcome got = {.end = CRASHED, .message = "crashed or took too long"};
    int status;
    lithe_run_apart(run_alone, text, TIME_LIMIT, &got, sizeof got, &status);
    return got;
}

// the scene file of a world that failed, and why
static void leave(const LitheTrial *trial, int64_t seed, const char *text, const Outcome *o) {
    static const char *const ends[] = {"done", "stopped", "refused", "crashed"};
    char name[40], path[600];
    snprintf(name, sizeof name, "solids-%lld", (long long)seed);
    lithe_world_leave(trial, name, text, path, sizeof path);
    fprintf(stderr,
            "world %lld with solids: %s after %lld steps; %lld not converged, %lld passages, "
            "inverted after %lld and (corotated) %lld, depth %.2f; %s: lithe run %s\n",
            (long long)seed, ends[o->end], (long long)o->steps, (long long)o->unconverged,
            (long long)o->passages, (long long)o->refused, (long long)o->inverted, o->deepest,
            o->message, path);
}

bool lithe_case_worlds_solids(LitheTrial *trial) {
    int64_t first = 1, last = trial->refine > 1 ? 1000 : 8;
    int64_t steps = 0, unconverged = 0, passages = 0, refused = 0, inverted = 0, silent = 0;
    int64_t crashes = 0, stops = 0;
    double deepest = 0;
    if (trial->last_seed > 0)
        first = trial->first_seed, last = trial->last_seed;
    for (int64_t seed = first; seed <= last; seed++) {
        char *text = lithe_solid_world_make((uint64_t)seed);
        if (!text)
            return false;
        Outcome o = run_apart(text);
        steps += o.steps;
        unconverged += o.unconverged;
        passages += o.passages;
        refused += o.refused;
        inverted += o.inverted;
        silent += o.inverted > 0 && !o.named && o.end == DONE;
        crashes += o.end >= REFUSED;
        stops += o.end == STOPPED;
        deepest = fmax(deepest, o.deepest);
        if (o.end != DONE || o.unconverged > 0 || o.passages > 0 || o.refused > 0 || o.inverted > 0)
            leave(trial, seed, text, &o);
        free(text);
    }
    double worlds = (double)(last - first + 1), all = (double)(steps > 0 ? steps : 1);
    return lithe_trial_add(trial, reported(worlds), "worlds") &&
           lithe_trial_add(trial, at_most((double)crashes, 0), "crashes_and_refusals") &&
           lithe_trial_add(trial, at_most((double)passages, 0), "points_that_passed_through") &&
           lithe_trial_add(trial, at_most((double)refused, 0),
                           "steps_with_inverted_elements_of_rubber_laws") &&
           lithe_trial_add(trial, at_most((double)silent, 0), "worlds_with_unnamed_inversions") &&
           lithe_trial_add(trial, at_most((double)unconverged / all, 0.005),
                           "fraction_of_steps_not_converged") &&
           lithe_trial_add(trial, reported((double)inverted),
                           "steps_with_inverted_elements_of_corotated_laws") &&
           lithe_trial_add(trial, reported((double)stops), "worlds_that_stopped_with_a_message") &&
           lithe_trial_add(trial, reported(deepest), "largest_depth_over_half_the_extent") &&
           lithe_stress_plot(trial, "Random worlds with soft solids");
}
