// SPDX-License-Identifier: Apache-2.0
// run/goals.h - goals of a scene: whether they can be measured, and whether a run reached them

#ifndef LITHE_RUN_GOALS_H
#define LITHE_RUN_GOALS_H

#include "record/recording.h"

typedef struct LitheGoalResult {
    char name[104];
    double value; // NAN: not measured
    double at_least, at_most;
    double slack; // by which a value may miss a bound: 1e-9 of the largest of bounds and values
    char unit[32];
    bool met;
    bool rounded;  // it is met within the slack only
    char why[200]; // not measured: the reason; else ""
} LitheGoalResult;

typedef struct LitheGoalResults {
    LitheContext *context;
    LitheGoalResult *all;
    int32_t count, met;
} LitheGoalResults;

/// Checks that each goal is one series of what will be recorded, with bounds of its dimension; all
/// mistakes at once, each with its place in the scene file.
LitheStatus lithe_goals_check(const LitheScene *scene, const LitheLayout *layout,
                              LitheError *error);

/// Measures the goals of the scene in a recording, none where it has none. A goal whose time the
/// recording does not have, or that is not finite, is not met. Call lithe_goals_release even after
/// failure.
LitheStatus lithe_goals_measure(LitheRecording *recording, LitheGoalResults *results,
                                LitheError *error);
void lithe_goals_release(LitheGoalResults *results);

#endif
