// SPDX-License-Identifier: Apache-2.0
// bench/plan_case.c - the scene of a plan case, and memory for its plan

#include "bench/plan_case.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>

LitheStatus lithe_bench_plan_begin(const LitheBenchSetting *setting, LitheBenchPlan *plan,
                                   LitheError *error) {
    char path[4200];
    int32_t sets = 0;
    while (sets < LITHE_BENCH_SETS && setting->sets[sets] != NULL)
        sets++;
    snprintf(path, sizeof path, "%s/%s.yaml", setting->folder, setting->scene);
    *plan = (LitheBenchPlan){.context = lithe_context_create(NULL)};
    if (plan->context == NULL)
        return lithe_fail_memory(error, "a plan");
    LitheTurnPlace place;
    LitheStatus status =
        lithe_scene_load(plan->context, path, setting->sets, sets, &plan->scene, error);
    if (status == LITHE_OK)
        status = lithe_turn_of_scene(plan->scene, &plan->turn, &place, error);
    if (status != LITHE_OK)
        return status;
    int64_t n = (int64_t)plan->turn.stages * lithe_ball_task_variables(&plan->turn.model);
    plan->x = lithe_alloc_array(plan->context, n, sizeof *plan->x);
    return plan->x != NULL ? LITHE_OK : lithe_fail_memory(error, "a plan");
}

void lithe_bench_plan_end(LitheBenchPlan *plan) {
    if (plan->context == NULL)
        return;
    lithe_free(plan->context, plan->x);
    lithe_scene_destroy(plan->scene);
    lithe_context_destroy(plan->context);
}
