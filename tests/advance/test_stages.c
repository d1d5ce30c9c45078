// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_stages.c - every moment of a step counts for one stage, once

#include "test.h"

#include "base/clock.h"
#include "data/stages.h"
#include "lithe/lithe.h"

#include <string.h>

static double sum_of(const double *seconds) {
    double sum = 0;
    for (int32_t i = 0; i < LITHE_STAGE_COUNT; i++)
        sum += seconds[i];
    return sum;
}

TEST(time_outside_of_stages_does_not_count) {
    LitheStages stages = {0};
    CHECK(lithe_stage_enter(&stages, LITHE_STAGE_NONE) == LITHE_STAGE_NONE);
    lithe_stage_enter(&stages, LITHE_STAGE_NONE);
    CHECK(sum_of(stages.seconds) == 0);
}

TEST(a_stage_within_another_takes_its_time_away) {
    LitheStages stages = {0};
    double start = lithe_clock();
    lithe_stage_enter(&stages, LITHE_STAGE_ASSEMBLE);
    LitheStage before = lithe_stage_enter(&stages, LITHE_STAGE_FACTOR);
    double inner = lithe_clock();
    while (lithe_clock() - inner < 1e-4)
        ;
    inner = lithe_clock() - inner;
    lithe_stage_enter(&stages, before);
    lithe_stage_enter(&stages, LITHE_STAGE_NONE);
    double all = lithe_clock() - start;
    CHECK(before == LITHE_STAGE_ASSEMBLE);
    CHECK(stages.seconds[LITHE_STAGE_FACTOR] >= inner);
    CHECK(stages.seconds[LITHE_STAGE_ASSEMBLE] >= 0);
    CHECK(sum_of(stages.seconds) <= all * (1 + 1e-9));
}

TEST(stages_are_optional) {
    CHECK(lithe_stage_enter(NULL, LITHE_STAGE_FREE) == LITHE_STAGE_NONE);
}

// a rod falls onto another one
static const char *scene_text = "lithe: 1\n"
                                "title: touch\n"
                                "time: {step: 1 ms, end: 1 s}\n"
                                "materials: {cord: {young: 10 MPa, density: 1000 kg/m^3}}\n"
                                "rods:\n"
                                "  upper:\n"
                                "    material: cord\n"
                                "    section: {circle: {radius: 1 mm}}\n"
                                "    shape: {line: {from: [-5 cm, 0, 2 mm], to: [5 cm, 0, 2 mm]}}\n"
                                "    nodes: 21\n"
                                "  lower:\n"
                                "    material: cord\n"
                                "    section: {circle: {radius: 1 mm}}\n"
                                "    shape: {line: {from: [0, -5 cm, 0], to: [0, 5 cm, 0]}}\n"
                                "    nodes: 22\n"
                                "    clamped: both\n";

TEST(a_step_with_contact_spends_time_in_every_stage_and_in_nothing_else) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error = {0};
    FATAL(lithe_scene_parse(context, scene_text, strlen(scene_text), "scene", NULL, NULL, 0, &scene,
                            &error) == LITHE_OK);
    FATAL(lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    LitheWork *work = lithe_work_create(model, 1);
    LitheReport report = {0};
    double wall = 0, seconds[LITHE_STAGE_COUNT];
    for (int i = 0; i < 20; i++) {
        double start = lithe_clock();
        CHECK(lithe_step(model, state, work, &report, &error) == LITHE_OK);
        wall += lithe_clock() - start;
    }
    CHECK(report.contacts > 0);
    for (int32_t i = 0; i < LITHE_STAGE_COUNT; i++) {
        seconds[i] = lithe_work_seconds(work, (LitheStage)i);
        bool of_step = i != LITHE_STAGE_NONE && i != LITHE_STAGE_RECORD;
        CHECK(of_step ? seconds[i] > 0 : seconds[i] == 0);
    }
    CHECK(sum_of(seconds) <= wall * (1 + 1e-9));
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

TEST(stages_have_names_of_their_own) {
    for (int32_t i = 0; i < LITHE_STAGE_COUNT; i++)
        for (int32_t k = 0; k < i; k++)
            CHECK(strcmp(lithe_stage_name((LitheStage)i), lithe_stage_name((LitheStage)k)) != 0);
    CHECK(strcmp(lithe_stage_name(LITHE_STAGE_LINE_SEARCH), "line_search") == 0);
}
