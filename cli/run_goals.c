// SPDX-License-Identifier: Apache-2.0
// cli/run_goals.c - the goals of a scene in the summary of its run

#include "cli/run_goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

LitheStatus lithe_cli_goals(LitheContext *context, const char *path, LitheGoalResults *results,
                            LitheError *error) {
    LitheRecording *recording = NULL;
    *results = (LitheGoalResults){.context = context};
    LitheStatus status = lithe_recording_open(context, path, &recording, error);
    if (status == LITHE_OK)
        status = lithe_goals_measure(recording, results, error);
    lithe_recording_close(recording);
    return status;
}

// "95.2 mm" is easier to read than "0.0952 m"; SI as everywhere else
static void print_goal(const LitheGoalResult *goal) {
    const char *unit = strcmp(goal->unit, "1") == 0 ? "" : goal->unit;
    printf("    %-14s %s: ", goal->name, goal->met ? "met" : "not met");
    if (isnan(goal->value)) {
        printf("%s\n", goal->why);
        return;
    }
    printf("%.4g%s%s", goal->value, *unit ? " " : "", unit);
    const char *between = " (";
    if (isfinite(goal->at_least)) {
        printf("%sat least %.4g", between, goal->at_least);
        between = ", ";
    }
    if (isfinite(goal->at_most))
        printf("%sat most %.4g", between, goal->at_most);
    printf(")%s\n", goal->rounded ? ", within rounding" : "");
}

void lithe_cli_print_goals(const LitheGoalResults *results) {
    if (results->count == 0)
        return;
    printf("  goals            %d of %d met: %s\n", results->met, results->count,
           results->met == results->count ? "success" : "failure");
    for (int32_t i = 0; i < results->count; i++)
        print_goal(&results->all[i]);
}

void lithe_cli_json_goals(LitheJson *json, const LitheGoalResults *results) {
    if (results->count == 0)
        return;
    lithe_json_integer(json, "goals", results->count);
    lithe_json_integer(json, "goals_met", results->met);
    for (int32_t i = 0; i < results->count; i++) {
        char name[120];
        snprintf(name, sizeof name, "goal.%s", results->all[i].name);
        lithe_json_number(json, name, results->all[i].value);
        snprintf(name, sizeof name, "goal.%s.met", results->all[i].name);
        lithe_json_bool(json, name, results->all[i].met);
        snprintf(name, sizeof name, "goal.%s.slack", results->all[i].name);
        lithe_json_number(json, name, results->all[i].slack);
    }
}
