// SPDX-License-Identifier: Apache-2.0
// cli/plan.h - shared by the files of `lithe plan`

#ifndef LITHE_CLI_PLAN_H
#define LITHE_CLI_PLAN_H

#include "plan/scene_turn.h"

#include "lithe/model.h"

#include <signal.h>

/// A plan that was found, in its scene.
typedef struct LitheCliPlan {
    LitheContext *context;
    const char *path; // of the scene
    const char *const *sets;
    int32_t set_count;
    LitheScene *scene;
    LitheTurn turn;
    LitheTurnPlace place;
    double *x; // [stages*variables]
    LitheTurnResult result;
    bool ipopt;                        // solves
    const volatile sig_atomic_t *stop; // requested; NULL: never
} LitheCliPlan;

/// Whether a stop was requested.
static inline bool lithe_cli_plan_stopped(const LitheCliPlan *plan) {
    return plan->stop != NULL && *plan->stop;
}

/// The variables of a stage; -1: before the first step, NULL.
const double *lithe_cli_plan_stage(const LitheCliPlan *plan, int32_t k);

/// Angle of the ball from its target in a stage [rad]. The quaternion of a plan that did not
/// converge need not have the length 1.
double lithe_cli_plan_angle(const LitheCliPlan *plan, const double *stage);

/// The plan again with steps of half the length, from the plan that it has.
LitheStatus lithe_cli_plan_refine(LitheCliPlan *plan, LitheError *error);

/// Puts a state of the scene at a stage, or at the start (-1). The model is that of the scene.
void lithe_cli_plan_place(const LitheCliPlan *plan, const LitheModel *model, LitheState *state,
                          int32_t k);

/// Writes the plan as a recording of the scene, and its forces, gaps and angles as a table.
LitheStatus lithe_cli_plan_record(const LitheCliPlan *plan, const char *out, LitheError *error);
LitheStatus lithe_cli_plan_table(const LitheCliPlan *plan, const char *out, LitheError *error);

/// How a plan is played.
typedef struct LitheCliPlay {
    const char *model; // of contact: "lcp", "convex"
    int32_t horizon;   // steps of the plan that every step recomputes; 0: the efforts of the plan
    double knock;      // angle by which the ball is turned back at half time [rad]
    bool track;        // a regulator corrects the efforts of the plan
} LitheCliPlay;

/// How a simulation leaves the plan.
typedef struct LitheCliPlayback {
    LitheCliPlay play;
    double angle, angle_most;      // of the ball from the plan, at the end and at most [rad]
    double arm, arm_most;          // largest difference of an elongation [m]
    double target;                 // angle of the ball from the target at the end [rad]
    double median, slow;           // of the times of replans: median, 95 % are faster [s]
    double busy_median, busy_slow; // of their processor times [s]
    int32_t failed;                // replans that neither converged nor came near
    double correction;             // largest one of the regulator, before it was clipped [N]
    bool far, lost;                // ends far from the target; too many replans failed
    int32_t stray;                 // steps in which a disk that is not in the plan touches
    const char *stray_disk;        // the first one
    double stray_time;             // and when [s]
    int32_t steps;                 // made; fewer than the plan has: stopped on request
} LitheCliPlayback;

/// Runs the scene with the efforts of the plan or of replans; `out` receives a recording, and a
/// table of the differences beside it. A requested stop ends it after a step.
LitheStatus lithe_cli_plan_play(const LitheCliPlan *plan, const LitheCliPlay *play, const char *out,
                                LitheCliPlayback *playback, LitheError *error);

/// Says what a plan that did not converge violates, and which bounds hold there.
void lithe_cli_plan_print_failure(const LitheCliPlan *plan);

/// Warnings: the plan ends far from its target; a disk that is not in it is inside of the ball.
void lithe_cli_plan_warn_of_end(const LitheCliPlan *plan);
void lithe_cli_plan_warn_of_entered(const LitheCliPlan *plan);

/// Warns of a playback that leaves its plan, and sets its `far` and `lost`.
void lithe_cli_plan_warn_of_playback(const LitheCliPlan *plan, LitheCliPlayback *playback);

/// The key "played_MODEL_WHAT" of a JSON report, in `out`.
enum { LITHE_CLI_PLAYED_KEY = 64 };
const char *lithe_cli_played_key(const char *model, const char *what,
                                 char out[LITHE_CLI_PLAYED_KEY]);

/// The report as a table or as one JSON object; `seconds` is the wall time of the solution.
void lithe_cli_plan_print(const LitheCliPlan *plan, double seconds, const char *out,
                          const LitheCliPlayback *plays, int32_t play_count);
void lithe_cli_plan_print_json(const LitheCliPlan *plan, double seconds, const char *out,
                               const LitheCliPlayback *plays, int32_t play_count);

#endif
