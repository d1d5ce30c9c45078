// SPDX-License-Identifier: Apache-2.0
// run/goals.c - goals of a scene: whether they can be measured, and whether a run reached them

#include "run/goals.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/series.h"
#include "run/study.h"
#include "scene/quantity.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static LitheMeasure measure_of(const LitheGoalDef *goal) {
    return (LitheMeasure){.name = goal->name,
                          .of = goal->of,
                          .take = goal->take,
                          .from = goal->from > 0 ? goal->from : -INFINITY,
                          .to = goal->to,
                          .at = goal->at};
}

// --- before the run ------------------------------------------------------------------------------

// Whether bounds of the dimension "a length" are bounds of a quantity in this unit.
static bool fits(const char *dimension, const char *unit) {
    char text[64], why[100], of[100];
    LitheQuantity q;
    if (!dimension)
        return true;
    snprintf(text, sizeof text, "1 %s", strcmp(unit, "1") == 0 ? "" : unit);
    if (!lithe_quantity_parse(text, NULL, NULL, &q, why, sizeof why))
        return true;
    lithe_dimension_text(&q.dimension, of, sizeof of);
    return strcmp(of, dimension) == 0;
}

// What is wrong with a goal: the key, and why.
typedef struct Wrong {
    const char *key;
    char why[1000];
} Wrong;

static LitheStatus check_goal(const LitheGoalDef *goal, LitheRecording *recording, char unit[32],
                              Wrong *wrong) {
    LitheSeriesSet set = {0};
    LitheError inner = {0};
    LitheStatus status = lithe_recording_series(recording, goal->of, &set, &inner);
    *wrong = (Wrong){.key = "of"};
    if (status != LITHE_OK) {
        snprintf(wrong->why, sizeof wrong->why, "%.990s", inner.text);
        return status;
    }
    snprintf(unit, 32, "%s", set.unit);
    if (set.count != 1) {
        status = LITHE_BAD_INPUT;
        snprintf(wrong->why, sizeof wrong->why,
                 "of: '%.80s' selects %d series, must select one (%.60s)", goal->of, set.count,
                 set.count > 0 ? set.series[0].name : "none");
    } else if (!fits(goal->dimension, set.unit)) {
        status = LITHE_BAD_INPUT;
        wrong->key = isfinite(goal->at_least) ? "at-least" : "at-most";
        snprintf(wrong->why, sizeof wrong->why, "a bound is %s, '%.80s' is in %s", goal->dimension,
                 goal->of, set.unit);
    }
    lithe_series_release(&set);
    return status;
}

static LitheStatus fail_goal(const LitheScene *scene, const LitheGoalDef *goal, LitheStatus status,
                             const Wrong *wrong, LitheError *error) {
    char path[256];
    if (status == LITHE_NO_MEMORY)
        return lithe_fail_memory(error, "a goal");
    snprintf(path, sizeof path, "goals.%s.%s", goal->name, wrong->key);
    return lithe_scene_fail(scene, error, path, "goal '%.100s': %s", goal->name, wrong->why);
}

LitheStatus lithe_goals_check(const LitheScene *scene, const LitheLayout *layout,
                              LitheError *error) {
    // a recording without frames has names and units
    char path[] = "of", unit[32];
    LitheRecording empty = {.context = scene->context, .path = path, .layout = *layout, .file = -1};
    LitheMistakes all = {.error = error};
    for (int32_t i = 0; i < scene->goal_count && all.count < LITHE_MISTAKES_MAX; i++) {
        LitheError one = {0};
        Wrong wrong;
        LitheStatus status = check_goal(&scene->goals[i], &empty, unit, &wrong);
        if (status != LITHE_OK &&
            fail_goal(scene, &scene->goals[i], status, &wrong, &one) != LITHE_OK)
            lithe_mistakes_add(&all, &one);
    }
    return lithe_mistakes_end(&all);
}

// --- after the run -------------------------------------------------------------------------------

// Compares a value with the bounds, which it may miss by rounding.
static void compare(LitheGoalResult *result, LitheMeasured found) {
    double scale = found.scale;
    if (isfinite(result->at_least))
        scale = fmax(scale, fabs(result->at_least));
    if (isfinite(result->at_most))
        scale = fmax(scale, fabs(result->at_most));
    result->value = found.value;
    result->slack = LITHE_MEASURE_SLACK * scale;
    double over = fmax(result->at_least - found.value, found.value - result->at_most);
    result->met = over <= result->slack;
    result->rounded = result->met && over > 0;
}

static LitheStatus measure_goal(LitheRecording *recording, const LitheGoalDef *goal,
                                LitheGoalResult *result, LitheError *error) {
    LitheMeasure measure = measure_of(goal);
    LitheMeasured found = {NAN, NAN};
    LitheError inner = {0};
    Wrong wrong;
    *result = (LitheGoalResult){
        .value = NAN, .slack = NAN, .at_least = goal->at_least, .at_most = goal->at_most};
    snprintf(result->name, sizeof result->name, "%s", goal->name);
    LitheStatus status = check_goal(goal, recording, result->unit, &wrong);
    if (status == LITHE_OK)
        status = lithe_measure(recording, &measure, &found, &inner);
    if (status == LITHE_NO_MEMORY)
        return lithe_fail_memory(error, "a goal");
    if (status == LITHE_OK) {
        compare(result, found);
    } else {
        // "measure.NAME: no frame from 8 s"
        const char *why = strstr(inner.text, ": ");
        snprintf(result->why, sizeof result->why, "%.190s",
                 why           ? why + 2
                 : *inner.text ? inner.text
                               : wrong.why);
    }
    return LITHE_OK;
}

LitheStatus lithe_goals_measure(LitheRecording *recording, LitheGoalResults *results,
                                LitheError *error) {
    LitheContext *context = recording->context;
    const char *text = recording->layout.scene;
    LitheScene *scene = NULL;
    *results = (LitheGoalResults){.context = context};
    // most scenes have none, and may be large
    if (!text || !strstr(text, "\ngoals:"))
        return LITHE_OK;
    LitheStatus status = lithe_scene_parse(context, text, strlen(text), recording->path, NULL, NULL,
                                           0, &scene, error);
    int32_t count = status == LITHE_OK ? scene->goal_count : 0;
    if (count > 0) {
        results->all = lithe_alloc_array(context, count, sizeof *results->all);
        if (!results->all)
            status = lithe_fail_memory(error, "the goals of a scene");
    }
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        status = measure_goal(recording, &scene->goals[i], &results->all[i], error);
        results->count += status == LITHE_OK;
        results->met += status == LITHE_OK && results->all[i].met;
    }
    lithe_scene_destroy(scene);
    return status;
}

void lithe_goals_release(LitheGoalResults *results) {
    lithe_free(results->context, results->all);
    *results = (LitheGoalResults){.context = results->context};
}

// --- in studies ----------------------------------------------------------------------------------

// the name of the goal of a measure; NULL: all of them
static const char *goal_of(const LitheMeasure *measure) {
    size_t length = strlen(LITHE_OF_GOALS);
    return measure->of[length] ? measure->of + length + 1 : NULL;
}

bool lithe_goals_is_measure(const LitheMeasure *measure) {
    size_t length = strlen(LITHE_OF_GOALS);
    return strncmp(measure->of, LITHE_OF_GOALS, length) == 0 &&
           (measure->of[length] == '\0' || measure->of[length] == '.');
}

LitheStatus lithe_goals_value(LitheRecording *recording, const LitheMeasure *measure,
                              LitheMeasured *found, LitheError *error) {
    const char *name = goal_of(measure);
    LitheGoalResults results;
    LitheStatus status = lithe_goals_measure(recording, &results, error);
    double value = results.met == results.count;
    for (int32_t i = 0; status == LITHE_OK && name && i < results.count; i++) {
        const LitheGoalResult *one = &results.all[i];
        if (strcmp(one->name, name) != 0)
            continue;
        value = one->value;
        if (isnan(one->value))
            status =
                lithe_fail(error, LITHE_BAD_INPUT, "measure.%.100s: %s", measure->name, one->why);
    }
    *found = (LitheMeasured){value, fabs(value)};
    lithe_goals_release(&results);
    return status;
}

LitheStatus lithe_goals_unit(const LitheScene *scene, LitheRecording *layout,
                             const LitheMeasure *measure, char unit[32], LitheError *error) {
    const char *name = goal_of(measure);
    snprintf(unit, 32, "1");
    if (!name && scene->goal_count > 0)
        return LITHE_OK;
    for (int32_t i = 0; name && i < scene->goal_count; i++) {
        Wrong wrong;
        if (strcmp(scene->goals[i].name, name) != 0)
            continue;
        LitheStatus status = check_goal(&scene->goals[i], layout, unit, &wrong);
        return status == LITHE_OK ? status
                                  : fail_goal(scene, &scene->goals[i], status, &wrong, error);
    }
    return lithe_fail(error, LITHE_BAD_INPUT, "the scene has no goal%s%.100s%s", name ? " '" : "s",
                      name ? name : "", name ? "'" : "");
}
