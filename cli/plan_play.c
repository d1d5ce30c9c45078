// SPDX-License-Identifier: Apache-2.0
// cli/plan_play.c - a plan in a simulation: its efforts without feedback, or replanned every step

#include "cli/plan.h"
#include "cli/plan_load.h"
#include "plan/receding.h"

#include "advance/track.h"
#include "base/status.h"
#include "data/state.h"
#include "lithe/contact.h"
#include "lithe/control.h"
#include "lithe/run.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// weights of the regulator: deviations that cost as much as a correction of EFFORT
#define LENGTH 2e-3 // m
#define SPEED 0.2   // m/s
#define TURN 0.02   // rad
#define SPIN 2.0    // rad/s
#define EFFORT 5.0  // N
#define CLIP 10.0   // N: larger corrections are clipped
#define FINAL 10.0  // factor of the costs at the end
#define PRESS 0.1   // N: a smaller normal force is lost by errors below a millimetre
#define GRAZE 1e-5  // m: without such a force, a smaller gap is a contact that slides or closes

typedef struct Play {
    const LitheCliPlan *plan;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheRecorder *recorder;
    LitheReceding *receding; // NULL: the efforts of the plan
    double *times;           // [2 stages]: wall times of replans, then processor times
    LitheTracker *tracker;   // NULL: no feedback
    LitheModel *tracked;     // the model of the tracker
    FILE *table;
} Play;

// the scene with the step of the plan and another contact model
static LitheStatus load(Play *play, const char *model, LitheError *error) {
    const LitheCliPlan *plan = play->plan;
    const LitheCliPlanSource source = {plan->context,    plan->path, plan->sets,
                                       plan->set_count,  model,      plan->turn.model.step,
                                       plan->turn.stages};
    LitheCliPlanWorld world = {0};
    LitheStatus status = lithe_cli_plan_load(&source, &world, error);
    play->scene = world.scene;
    play->model = world.model;
    play->state = world.state;
    play->work = world.work;
    return status;
}

// the efforts of a stage as targets of the actuators
static LitheStatus set_efforts(Play *play, const double *stage, LitheState *state,
                               LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int i = 0; i < LITHE_PLAN_CHAMBERS && status == LITHE_OK; i++) {
        LitheActuatorId id = {play->plan->place.drives[i]};
        if (id.number == 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "chamber %d of section %d has no actuator: a playback needs `drive: "
                              "force` of the arm",
                              i % 3 + 1, i / 3 + 1);
        status = lithe_state_set_actuator(play->model, state, id,
                                          (LitheCommand){stage[LITHE_AT_EFFORT + i], 0}, error);
    }
    return status;
}

static double angle_between(const double *a, const double *b) {
    double inner = 0;
    for (int i = 0; i < 4; i++)
        inner += a[i] * b[i];
    return 2 * acos(fmin(1, fabs(inner)));
}

static void compare(Play *play, int32_t k, const LitheReport *report, LitheCliPlayback *to) {
    const LitheCliPlan *plan = play->plan;
    const double *stage = lithe_cli_plan_stage(plan, k);
    double q[4], spin[3];
    lithe_turn_ball_back(&plan->place,
                         lithe_joint_position(play->model, play->state, plan->place.ball),
                         lithe_joint_velocity(play->model, play->state, plan->place.ball), q, spin);
    to->angle = angle_between(q, stage + LITHE_AT_QUATERNION);
    to->target = angle_between(q, plan->turn.target);
    to->arm = 0;
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) {
        const double *l =
            lithe_joint_position(play->model, play->state, plan->place.sections[i / 3]);
        to->arm = fmax(to->arm, fabs(l[i % 3] - stage[LITHE_AT_LENGTHS + i]));
    }
    to->angle_most = fmax(to->angle_most, to->angle);
    to->arm_most = fmax(to->arm_most, to->arm);
    if (play->table != NULL)
        fprintf(play->table, "%.9g,%.9g,%.9g,%d,%.9g\n", (k + 1) * plan->turn.model.step,
                to->angle * 180 / M_PI, to->arm, (int)report->active, report->deepest);
}

// the state of the simulation at the places of a stage
static void measure(const Play *play, double *now) {
    const LitheTurnPlace *place = &play->plan->place;
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++) {
        LitheJointId joint = place->sections[i];
        memcpy(now + LITHE_AT_LENGTHS + 3 * (ptrdiff_t)i,
               lithe_joint_position(play->model, play->state, joint), 3 * sizeof *now);
        memcpy(now + LITHE_AT_SPEEDS + 3 * (ptrdiff_t)i,
               lithe_joint_velocity(play->model, play->state, joint), 3 * sizeof *now);
    }
    lithe_turn_ball_back(place, lithe_joint_position(play->model, play->state, place->ball),
                         lithe_joint_velocity(play->model, play->state, place->ball),
                         now + LITHE_AT_QUATERNION, now + LITHE_AT_SPIN);
}

// Turns the ball back about the axis of its target.
static void knock(const Play *play, double angle) {
    const LitheCliPlan *plan = play->plan;
    double now[LITHE_AT_EFFORT] = {0};
    measure(play, now);
    const double *target = plan->turn.target;
    double size = hypot(target[1], hypot(target[2], target[3])); // > 0: the command has checked it
    double c = cos(angle / 2), s = -sin(angle / 2) / size, *q = now + LITHE_AT_QUATERNION;
    Quat by = {c, s * target[1], s * target[2], s * target[3]};
    Quat turned = q4_mul(by, (Quat){q[0], q[1], q[2], q[3]});
    q[0] = turned.w, q[1] = turned.x, q[2] = turned.y, q[3] = turned.z;
    lithe_turn_ball(&plan->place, now,
                    (double *)lithe_joint_position(play->model, play->state, plan->place.ball),
                    (double *)lithe_joint_velocity(play->model, play->state, plan->place.ball));
}

static double processor_time(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// the stage whose efforts act in step k
static const double *stage_of(Play *play, int32_t k, LitheCliPlayback *to) {
    if (play->receding == NULL)
        return lithe_cli_plan_stage(play->plan, k);
    double now[LITHE_AT_EFFORT];
    LitheReplan replan;
    measure(play, now);
    double began = processor_time();
    const double *stage = lithe_receding_plan(play->receding, now, &replan);
    play->times[k] = replan.seconds;
    play->times[play->plan->turn.stages + k] = processor_time() - began;
    to->failed += !replan.usable;
    return stage;
}

// --- feedback ------------------------------------------------------------------------------------

// deviations that weigh as much as a correction of EFFORT
static LitheTrackScales scales_of(const Play *play, double *states) {
    const LitheTurnPlace *place = &play->plan->place;
    int64_t n = lithe_model_velocity_count(play->model);
    for (int i = 0; i <= LITHE_PLAN_SECTIONS; i++) {
        bool ball = i == LITHE_PLAN_SECTIONS;
        LitheJointId joint = ball ? place->ball : place->sections[i];
        const double *v = lithe_joint_velocity(play->model, play->state, joint);
        for (int c = 0; c < 3; c++) {
            int64_t at = v + c - play->state->v;
            states[at] = ball ? TURN : LENGTH;    // rad, m
            states[n + at] = ball ? SPIN : SPEED; // rad/s, m/s
        }
    }
    return (LitheTrackScales){states, EFFORT, CLIP, FINAL};
}

// Whether a contact opens or closes in the next step, or its disk grazes the ball: it neither
// presses nor is clear of it, and a correction would drag the ball along.
static bool drops_gains(const LitheCliPlan *plan, int32_t k) {
    const double *now = lithe_cli_plan_stage(plan, k),
                 *next = lithe_cli_plan_stage(plan, k + 1 < plan->turn.stages ? k + 1 : k);
    bool drops = false;
    for (int32_t c = 0; c < plan->turn.model.contact_count; c++) {
        int32_t at = lithe_ball_task_shift(&plan->turn.model, c);
        bool presses = now[at + LITHE_AT_NORMAL] > PRESS, soon = next[at + LITHE_AT_NORMAL] > PRESS;
        drops = drops || presses != soon || (!presses && now[at + LITHE_AT_GAP] < GRAZE);
    }
    return drops;
}

static LitheStatus find_gains(Play *play, LitheError *error) {
    const LitheCliPlan *plan = play->plan;
    int64_t n = 2 * lithe_model_velocity_count(play->model);
    double *scales = calloc((size_t)n, sizeof *scales);
    LitheState *state = lithe_state_copy(play->state);
    LitheStatus status = LITHE_OK;
    if (scales == NULL || state == NULL)
        status = lithe_fail_memory(error, "a playback");
    for (int64_t i = 0; i < n && scales != NULL; i++)
        scales[i] = 1e6; // other things of the scene do not matter
    if (status == LITHE_OK) {
        LitheTrackScales all = scales_of(play, scales);
        status = lithe_tracker_create(play->model, plan->turn.stages, &all, &play->tracker, error);
    }
    for (int32_t k = 0;
         k < plan->turn.stages && status == LITHE_OK && !lithe_cli_plan_stopped(plan); k++) {
        lithe_cli_plan_place(plan, play->model, state, k - 1);
        status = set_efforts(play, lithe_cli_plan_stage(plan, k), state, error);
        if (status == LITHE_OK)
            status =
                lithe_tracker_add(play->tracker, k, state, play->work, drops_gains(plan, k), error);
    }
    if (status == LITHE_OK && !lithe_cli_plan_stopped(plan))
        status = lithe_tracker_solve(play->tracker, error);
    lithe_state_destroy(state);
    free(scales);
    return status;
}

// Linearises the steps of the plan with rigid contact (lcp), whatever the playback has: gains of
// compliant contacts rely on pulling. They are dropped in the step before the contact of the plan
// opens or closes, and where it grazes.
static LitheStatus begin_feedback(Play *to, LitheError *error) {
    const LitheCliPlan *plan = to->plan;
    Play own = {.plan = plan}, *play = &own;
    LitheStatus status = load(play, "lcp", error);
    if (status == LITHE_OK)
        status = find_gains(play, error);
    to->tracker = play->tracker;
    to->tracked = play->model; // lives as long as the tracker
    lithe_work_destroy(play->work);
    lithe_state_destroy(play->state);
    lithe_scene_destroy(play->scene);
    return status;
}

// the efforts of a stage, corrected
static LitheStatus correct(Play *play, int32_t k, LitheCliPlayback *to, LitheError *error) {
    const LitheTurnPlace *place = &play->plan->place;
    int32_t count = lithe_actuator_count(play->model);
    double *by = calloc((size_t)count, sizeof *by), stage[LITHE_AT_NORMAL];
    if (by == NULL)
        return lithe_fail_memory(error, "a playback");
    memcpy(stage, lithe_cli_plan_stage(play->plan, k), sizeof stage);
    to->correction = fmax(to->correction, lithe_tracker_correct(play->tracker, k, play->state, by));
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        if (place->drives[i] > 0)
            stage[LITHE_AT_EFFORT + i] += by[place->drives[i] - 1];
    free(by);
    return set_efforts(play, stage, play->state, error);
}

// A plan knows only of the disks in `plan.disk`: another one that touches the ball moves it as no
// plan says.
static void find_stray(const Play *play, int32_t k, LitheCliPlayback *to) {
    const LitheCliPlan *plan = play->plan;
    int32_t ball = plan->place.ball_body.number;
    for (int32_t i = 0; i < lithe_work_contact_count(play->work); i++) {
        const LitheContactForce found = lithe_work_contact(play->work, i);
        LitheThing a = found.contact.a.thing, b = found.contact.b.thing;
        if (a.kind != LITHE_THING_BODY || b.kind != LITHE_THING_BODY ||
            !(found.normal > LITHE_PLAN_TOUCHING) || (a.number != ball && b.number != ball))
            continue;
        const char *name = plan->scene->bodies[(a.number == ball ? b : a).number - 1].name;
        bool planned = false;
        for (int32_t c = 0; c < plan->turn.model.contact_count; c++)
            planned = planned || strcmp(plan->turn.model.contact[c].name, name) == 0;
        if (planned)
            continue;
        if (to->stray++ == 0) {
            to->stray_disk = name;
            to->stray_time = (k + 1) * plan->turn.model.step;
        }
        return;
    }
}

static LitheStatus run(Play *play, LitheCliPlayback *to, LitheError *error) {
    LitheStatus status = LITHE_OK;
    const LitheCliPlan *plan = play->plan;
    for (int32_t k = 0;
         k < plan->turn.stages && status == LITHE_OK && !lithe_cli_plan_stopped(plan); k++) {
        LitheReport report;
        if (to->play.knock != 0 && k == plan->turn.stages / 2)
            knock(play, to->play.knock);
        status = play->tracker != NULL
                     ? correct(play, k, to, error)
                     : set_efforts(play, stage_of(play, k, to), play->state, error);
        if (status == LITHE_OK)
            status = lithe_step(play->model, play->state, play->work, &report, error);
        if (status != LITHE_OK)
            break;
        compare(play, k, &report, to);
        find_stray(play, k, to);
        to->steps = k + 1;
        if (play->recorder != NULL) {
            lithe_recorder_add_step(play->recorder, &report);
            status =
                lithe_recorder_add_frame(play->recorder, play->state, play->work, &report, error);
        }
    }
    return status;
}

static int by_size(const void *a, const void *b) {
    double u = *(const double *)a, v = *(const double *)b;
    return (u > v) - (u < v);
}

static LitheStatus begin_replans(Play *play, int32_t horizon, LitheError *error) {
    const LitheCliPlan *plan = play->plan;
    LitheTurn turn = plan->turn;
    turn.stages = horizon;
    turn.report = NULL;
    play->times = calloc(2 * (size_t)plan->turn.stages + 1, sizeof *play->times);
    if (play->times == NULL)
        return lithe_fail_memory(error, "a playback");
    return lithe_receding_create(plan->context, &turn, &play->receding, error);
}

LitheStatus lithe_cli_plan_play(const LitheCliPlan *plan, const LitheCliPlay *how, const char *out,
                                LitheCliPlayback *playback, LitheError *error) {
    Play play = {.plan = plan};
    *playback = (LitheCliPlayback){.play = *how};
    LitheStatus status = load(&play, how->model, error);
    if (status == LITHE_OK && how->horizon > 0)
        status = begin_replans(&play, how->horizon, error);
    if (status == LITHE_OK && how->track)
        status = begin_feedback(&play, error);
    if (status == LITHE_OK) {
        lithe_cli_plan_place(plan, play.model, play.state, -1);
        if (out != NULL)
            status = lithe_recorder_create(play.scene, play.model, play.state, out, &play.recorder,
                                           error);
    }
    char table[4200] = "";
    if (status == LITHE_OK && out != NULL) {
        snprintf(table, sizeof table, "%.*s.csv", (int)(strlen(out) - 3), out);
        play.table = fopen(table, "w");
        if (play.table == NULL)
            status = lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot be written", table);
        else
            fprintf(play.table, "time [s],ball [deg],arm [m],contacts,overlap [m]\n");
    }
    if (status == LITHE_OK && play.recorder != NULL)
        status = lithe_recorder_add_frame(play.recorder, play.state, NULL, NULL, error);
    if (status == LITHE_OK)
        status = run(&play, playback, error);
    if (status == LITHE_OK && play.recorder != NULL)
        status = lithe_recorder_finish(play.recorder, NULL, error);
    if (play.table != NULL) {
        bool bad = ferror(play.table) != 0;
        bad = fclose(play.table) != 0 || bad;
        if (bad && status == LITHE_OK)
            status = lithe_fail(error, LITHE_FILE_ERROR, "%s: could not be written", table);
    }
    if (status == LITHE_OK && play.times != NULL) {
        int32_t n = playback->steps;
        qsort(play.times, (size_t)n, sizeof *play.times, by_size);
        playback->median = play.times[n / 2];
        playback->slow = play.times[(int64_t)n * 95 / 100];
        double *busy = play.times + plan->turn.stages;
        qsort(busy, (size_t)n, sizeof *busy, by_size);
        playback->busy_median = busy[n / 2];
        playback->busy_slow = busy[(int64_t)n * 95 / 100];
    }
    lithe_receding_destroy(play.receding);
    lithe_tracker_destroy(play.tracker);
    lithe_model_destroy(play.tracked);
    free(play.times);
    lithe_recorder_destroy(play.recorder);
    lithe_work_destroy(play.work);
    lithe_state_destroy(play.state);
    lithe_model_destroy(play.model);
    lithe_scene_destroy(play.scene);
    return status;
}
