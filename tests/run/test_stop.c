// SPDX-License-Identifier: Apache-2.0
// tests/run/test_stop.c - a stop is obeyed within long computations, not only between steps

#include "test.h"

#include "data/model.h"
#include "data/state.h"
#include "data/work.h"
#include "record/synthetic.h"
#include "run/whip.h"

#include <signal.h>

static int entries(const TestFolder *folder) {
    char command[256];
    snprintf(command, sizeof command, "exit $(ls -A %s | wc -l)", folder->path);
    return WEXITSTATUS(system(command));
}

TEST(a_stop_ends_the_search_of_the_equilibrium_and_leaves_no_files) {
    LitheContext *context = lithe_context_create(NULL);
    TestFolder folder = test_folder();
    char out[256];
    LitheScene *scene = whip_scene(context, 20, 0.1);
    FATAL(scene != NULL);
    LitheTimeDef time = lithe_time_def_default();
    time.step = 1e-3;
    time.end = 0.1;
    time.start = LITHE_START_EQUILIBRIUM;
    lithe_scene_set_time(scene, &time);
    volatile sig_atomic_t stop = 1;
    LitheRunDef def = lithe_run_def_default();
    def.out = test_path(&folder, "a.h5", out);
    def.stop = &stop;
    LitheSummary summary;
    LitheError error = {0};
    CHECK(lithe_run(scene, &def, &summary, &error) == LITHE_INTERRUPTED);
    CHECK_TEXT(error.text, "stopped while the equilibrium");
    CHECK(summary.steps == 0 && entries(&folder) == 0);
    lithe_scene_destroy(scene);
    test_folder_remove(&folder);
    lithe_context_destroy(context);
}

TEST(a_step_that_is_stopped_leaves_the_state_as_it_was) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = whip_scene(context, 20, 0.1);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error = {0};
    FATAL(scene && lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    LitheWork *work = lithe_work_create(model, 1);
    FATAL(work != NULL);
    for (int i = 0; i < 3; i++)
        FATAL(lithe_step(model, state, work, NULL, &error) == LITHE_OK);
    uint64_t hash = lithe_state_hash(state);
    volatile sig_atomic_t stop = 1;
    work->meter.stop = &stop;
    CHECK(lithe_step(model, state, work, NULL, &error) == LITHE_INTERRUPTED);
    CHECK(lithe_state_hash(state) == hash);
    stop = 0;
    CHECK(lithe_step(model, state, work, NULL, &error) == LITHE_OK);
    CHECK(lithe_state_step(state) == 4);
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// steps of a scene, each given up at growing limits of work before it is made
static uint64_t made_again_and_again(LitheModel *model, LitheState *state, bool gives_up,
                                     int *given_up) {
    LitheError error = {0};
    LitheWork *work = lithe_work_create(model, 1);
    for (int step = 0; work && step < 5; step++) {
        uint64_t hash = lithe_state_hash(state);
        LitheStatus status = LITHE_CANNOT_GO_ON;
        for (int32_t most = gives_up ? 1 : 0; status != LITHE_OK; most = most * 5 / 4 + 1) {
            model->time.max_work = most;
            status = lithe_step(model, state, work, NULL, &error);
            CHECK(status == LITHE_OK || status == LITHE_CANNOT_GO_ON);
            if (status == LITHE_OK || !gives_up)
                break;
            CHECK_TEXT(error.text, "takes more work than time.max-work = ");
            CHECK(lithe_state_hash(state) == hash);
            ++*given_up;
        }
    }
    lithe_work_destroy(work);
    return lithe_state_hash(state);
}

TEST(a_step_that_took_too_much_work_can_be_made_with_the_same_bits) {
    static const char text[] =
        "{lithe: 1, time: {step: 5 ms, end: 1 s}, materials: {m: {young: 1 MPa, poisson: 0.3, "
        "density: 1000, friction: 0.5}}, bodies: {floor: {fixed: true, material: m, shape: "
        "{half-space: {}}}, ball: {material: m, shape: {sphere: {radius: 5 cm}}, at: [0, 0, 5 cm], "
        "velocity: [1, 0, -1]}}, rods: {rod: {material: m, section: {circle: {radius: 5 mm}}, "
        "shape: {line: {from: [-20 cm, -9 cm, 5 mm], to: [20 cm, -9 cm, 5 mm]}}, nodes: 15}}, "
        "solids: {cube: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [3, 3, 3]}}, "
        "at: [0.3, 0, 0.05], velocity: [-1, 0, -1]}}}";
    static const char *const schemes[] = {"tr-bdf2", "backward-euler", "midpoint"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        LitheContext *context = lithe_context_create(NULL);
        LitheError error = {0};
        uint64_t hash[2];
        int given_up = 0;
        char set[64];
        snprintf(set, sizeof set, "time.scheme=%s", schemes[i]);
        const char *sets[] = {set};
        for (int k = 0; k < 2; k++) {
            LitheScene *scene = NULL;
            LitheModel *model = NULL;
            LitheState *state = NULL;
            FATAL(lithe_scene_parse(context, text, strlen(text), "a", NULL, sets, 1, &scene,
                                    &error) == LITHE_OK);
            FATAL(lithe_compile(scene, &model, &state, &error) == LITHE_OK);
            hash[k] = made_again_and_again(model, state, k == 1, &given_up);
            lithe_state_destroy(state);
            lithe_model_destroy(model);
            lithe_scene_destroy(scene);
        }
        CHECK(hash[0] == hash[1] && given_up > 10);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
}
