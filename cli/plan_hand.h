// SPDX-License-Identifier: Apache-2.0
// cli/plan_hand.h - `lithe plan` of a hand

#ifndef LITHE_CLI_PLAN_HAND_H
#define LITHE_CLI_PLAN_HAND_H

#include "plan/scene_hand.h"

#include "lithe/model.h"

/// A plan of a hand, in its scene.
typedef struct LitheCliHand {
    LitheContext *context;
    const char *path; // of the scene
    const char *const *sets;
    int32_t set_count;
    const LitheScene *scene;
    const char *out;         // name of the recording
    const char *const *play; // models of contact
    int32_t play_count;
    double max_time; // 0: any
    bool quiet, json;

    LitheHand hand;
    LitheHandPlace place;
    double *x; // [stages*variables]
    LitheHandResult result;
} LitheCliHand;

/// How a simulation ends: distances of the box from the target and, at most, from the plan.
typedef struct LitheCliHandPlayback {
    const char *model;
    double place, angle;           // [m], [rad]
    double place_most, angle_most; // from the plan
} LitheCliHandPlayback;

/// Plans, writes recording and table, plays, reports; returns the exit code.
int lithe_cli_plan_hand(LitheCliHand *plan);

/// Runs the scene with the torques of the plan, corrected by position actuators of the scene;
/// `out` (or NULL) receives a recording.
LitheStatus lithe_cli_hand_play(const LitheCliHand *plan, const char *model, const char *out,
                                LitheCliHandPlayback *to, LitheError *error);

/// Writes the plan as a recording of the scene, and its forces, gaps and torques as a table.
LitheStatus lithe_cli_hand_record(const LitheCliHand *plan, LitheError *error);
LitheStatus lithe_cli_hand_table(const LitheCliHand *plan, const char *out, LitheError *error);

/// Puts a state of the scene at a stage, or at the start (-1).
void lithe_cli_hand_place(const LitheCliHand *plan, const LitheModel *model, LitheState *state,
                          int32_t k);

#endif
