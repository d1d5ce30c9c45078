// SPDX-License-Identifier: Apache-2.0
// scene/read_goal.c - goals in scene files: table of keys, reading

#include "scene/entries.h"
#include "scene/field_rows.h"
#include "scene/fields.h"

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
