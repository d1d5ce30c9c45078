// SPDX-License-Identifier: Apache-2.0
// scene/write_plan.c - writes a motion to be planned as YAML

#include "scene/plan.h"
#include "scene/write.h"

void lithe_write_plan(LitheWriter *w) {
    const LithePlanDef defaults = lithe_plan_def_default();
    bool is = lithe_plan_def_is_given(&w->scene->plan);
    const LitheTable *table = lithe_write_section(w, "plan", is);
    if (!is)
        return;
    w->indent = 1;
    lithe_write_mapping(w, table, &w->scene->plan, &defaults);
    w->indent = 0;
}
