// SPDX-License-Identifier: Apache-2.0
// bench/plan_case.h - the scene of a plan case

#ifndef LITHE_BENCH_PLAN_CASE_H
#define LITHE_BENCH_PLAN_CASE_H

#include "bench/bench.h"
#include "plan/scene_turn.h"

typedef struct LitheBenchPlan {
    LitheContext *context;
    LitheScene *scene;
    LitheTurn turn;
    double *x; // [stages*variables]
} LitheBenchPlan;

/// Loads the scene of a case; end it in any case.
LitheStatus lithe_bench_plan_begin(const LitheBenchSetting *setting, LitheBenchPlan *plan,
                                   LitheError *error);
void lithe_bench_plan_end(LitheBenchPlan *plan);

#endif
