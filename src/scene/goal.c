// SPDX-License-Identifier: Apache-2.0
// scene/goal.c - goals: default, copies, adding, limits

#include "scene/copy.h"
#include "scene/objects.h"

#include <math.h>

LitheGoalDef lithe_goal_def_default(void) {
    return (LitheGoalDef){.to = INFINITY, .at_least = -INFINITY, .at_most = INFINITY};
}

bool lithe_copy_goal(LitheContext *context, void *def) {
    LitheGoalDef *goal = def;
    bool fine = lithe_copy_text(context, &goal->of);
    return lithe_copy_text(context, &goal->dimension) && fine;
}

void lithe_release_goal(LitheContext *context, void *def) {
    LitheGoalDef *goal = def;
    lithe_free_const(context, goal->of);
    lithe_free_const(context, goal->dimension);
}

bool lithe_scene_add_goal(LitheScene *scene, const LitheGoalDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_GOAL, def) > 0;
}

void lithe_check_goal(LitheCheck *check, const void *def) {
    const LitheGoalDef *g = def;
    lithe_check_choice(check, "take", (int)g->take, LITHE_TAKE_AT + 1);
    lithe_check_number(check, "from", g->from, "s", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "at", g->at, "s", LITHE_NOT_NEGATIVE);
    if (!g->of || !*g->of)
        lithe_check_fail(check, "of", "of is missing: a quantity such as crate.position.y");
    if (!(g->to >= g->from))
        lithe_check_fail(check, "to", "to is %.9g s, must be >= from, %.9g s", g->to, g->from);
    if (isnan(g->at_least) || isnan(g->at_most))
        lithe_check_fail(check, "at-least", "a bound is no number");
    else if (!isfinite(g->at_least) && !isfinite(g->at_most))
        lithe_check_fail(check, "at-least",
                         "at-least and at-most are missing: one of them makes it a goal");
    else if (g->at_least > g->at_most)
        lithe_check_fail(check, "at-most", "at-most is %.9g, must be >= at-least, %.9g", g->at_most,
                         g->at_least);
    if (g->take == LITHE_TAKE_AT && g->at == 0)
        lithe_check_fail(check, "at", "take: at needs at, a time > 0 s");
    if (g->take != LITHE_TAKE_AT && g->at != 0)
        lithe_check_fail(check, "at", "at is %.9g s, which needs take: at", g->at);
}
