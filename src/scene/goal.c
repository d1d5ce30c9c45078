// SPDX-License-Identifier: Apache-2.0
// scene/goal.c - goals: table of keys, default, adding, reading, checking

#include "scene/copy.h"
#include "scene/field_rows.h"
#include "scene/objects.h"

#include <math.h>
#include <string.h>

// --- the table -----------------------------------------------------------------------------------

static const char *const take_words[] = {"last", "first", "mean", "min", "max", "at", NULL};

static const LitheField goal_fields[] = {
    {"of", LITHE_FIELD_TEXT, REQUIRED, AT(LitheGoalDef, of),
     .about = "one recorded quantity, as `lithe plot` names it: `crate.position.y`"},
    {"take", LITHE_FIELD_WORD, AT(LitheGoalDef, take), .words = take_words, .preset = "last",
     .about = "which of the recorded frames counts, or what of all of them; at: that at the time "
              "`at`"},
    QUANTITY("from", TIME, LitheGoalDef, from, "the start", "only frames from this time on"),
    QUANTITY("to", TIME, LitheGoalDef, to, "the end", "only frames up to this time"),
    QUANTITY("at", TIME, LitheGoalDef, at, "none",
             "with `take: at`: this time, linear between frames; of counts the frame before it"),
    {"at-least", LITHE_FIELD_QUANTITY, LITHE_WANT_ANYTHING, AT(LitheGoalDef, at_least),
     .preset = "none", .about = "lower bound"},
    {"at-most", LITHE_FIELD_QUANTITY, LITHE_WANT_ANYTHING, AT(LitheGoalDef, at_most),
     .preset = "none", .about = "upper bound"},
    REPEAT,
};
const LitheTable lithe_goal_table = TABLE("goal", goal_fields);

// --- adding --------------------------------------------------------------------------------------

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

// --- reading -------------------------------------------------------------------------------------

// Keeps the dimension of the bounds: which one is right is known when the quantity is.
bool lithe_finish_goal(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheGoalDef *goal = entry;
    static const char *const keys[] = {"at-least", "at-most"};
    for (int k = 0; k < 2; k++) {
        const LitheTreeNode *bound = lithe_tree_find(node, keys[k]);
        LitheDimension dimension = {0};
        if (!bound)
            continue;
        if (!lithe_read_dimension(reader, bound, &dimension))
            return false;
        char *text = lithe_read_push(reader, 100, 1);
        if (!text)
            return false;
        if (lithe_dimension_is_none(&dimension))
            continue; // SI
        lithe_dimension_text(&dimension, text, 100);
        if (goal->dimension && strcmp(goal->dimension, text) != 0)
            return lithe_read_fail(reader, bound, "is %s, at-least is %s", text, goal->dimension);
        goal->dimension = text;
    }
    return true;
}

// --- checking ------------------------------------------------------------------------------------

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
    if (g->take != LITHE_TAKE_AT && g->at != 0)
        lithe_check_fail(check, "at", "at is %.9g s, which needs take: at", g->at);
}
