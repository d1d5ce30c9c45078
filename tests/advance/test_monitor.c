// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_monitor.c - the advice of the monitor fits the scheme of the run

#include "test.h"

#include "advance/monitor.h"
#include "data/model.h"
#include "lithe/scene.h"

static void keep_line(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    snprintf(user, 512, "%s", text);
}

// the warning of a ball whose speed has doubled within a step of this scheme
static void warning_of(const char *scheme, char line[512]) {
    char text[512];
    LitheContextDef def = lithe_context_def_default();
    def.log = keep_line;
    def.log_user = line;
    LitheContext *context = lithe_context_create(&def);
    snprintf(text, sizeof text,
             "lithe: 1\n"
             "time: {step: 1 ms, end: 1 s, scheme: %s, max-energy-gain: 0}\n"
             "gravity: none\n"
             "materials: {m: {young: 1 MPa, density: 1000}}\n"
             "bodies:\n"
             "  ball: {material: m, shape: {sphere: {radius: 3 cm}}, velocity: [1, 0, 0]}\n",
             scheme);
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error = {0};
    *line = '\0';
    FATAL(lithe_scene_parse(context, text, strlen(text), NULL, NULL, NULL, 0, &scene, &error) ==
          LITHE_OK);
    FATAL(lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    LitheMonitor monitor = {0};
    LitheReport report = {.step = 1e-3};
    lithe_monitor_begin(model, state, &monitor);
    for (int32_t i = 0; i < lithe_model_dof_count(model); i++)
        state->v[i] *= 2;
    CHECK(lithe_monitor_step(model, state, &report, &monitor, &error) == LITHE_OK);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

// A ball rests on nothing that stores energy, and its speed grows by a fifth, which is booked as
// the work of a contact: the balance (M1) is zero, the rise (M6) is not.
TEST(energy_that_contacts_did_not_store_is_reported) {
    static const char *const schemes[] = {"backward-euler", "midpoint", "tr-bdf2"};
    for (int k = 0; k < 3; k++) {
        char text[512], line[512] = "";
        LitheContextDef def = lithe_context_def_default();
        def.log = keep_line;
        def.log_user = line;
        LitheContext *context = lithe_context_create(&def);
        snprintf(text, sizeof text,
                 "lithe: 1\n"
                 "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
                 "gravity: none\n"
                 "materials: {m: {young: 1 MPa, density: 1000}}\n"
                 "bodies:\n"
                 "  ball: {material: m, shape: {sphere: {radius: 3 cm}}, velocity: [1, 0, 0]}\n"
                 "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -1]}\n",
                 schemes[k]);
        LitheScene *scene = NULL;
        LitheModel *model = NULL;
        LitheState *state = NULL;
        LitheError error = {0};
        FATAL(lithe_scene_parse(context, text, strlen(text), NULL, NULL, NULL, 0, &scene, &error) ==
              LITHE_OK);
        FATAL(lithe_compile(scene, &model, &state, &error) == LITHE_OK);
        LitheMonitor monitor = {0};
        LitheReport report = {.step = 1e-3};
        lithe_monitor_begin(model, state, &monitor);
        CHECK(lithe_monitor_step(model, state, &report, &monitor, &error) == LITHE_OK);
        double before = lithe_energy(model, state).kinetic;
        for (int32_t i = 0; i < lithe_model_dof_count(model); i++)
            state->v[i] *= 1.2;
        state->took[LITHE_TOOK_NORMAL] -= lithe_energy(model, state).kinetic - before;
        CHECK(lithe_monitor_step(model, state, &report, &monitor, &error) == LITHE_OK);
        if (k < 2)
            CHECK_TEXT(line, "contacts have returned");
        else
            CHECK(!*line);
        lithe_state_destroy(state);
        lithe_model_destroy(model);
        lithe_scene_destroy(scene);
        lithe_context_destroy(context);
    }
}

TEST(energy_from_nothing_is_blamed_on_the_step_or_on_the_scheme_that_is_used) {
    char line[512];
    warning_of("backward-euler", line);
    CHECK_TEXT(line, "doubtful; a smaller step may help");
    warning_of("tr-bdf2", line);
    CHECK_TEXT(line, "doubtful; a smaller step may help");
    warning_of("midpoint", line);
    CHECK_TEXT(line, "doubtful; a smaller step or scheme: tr-bdf2 or backward-euler may help");
}
