// SPDX-License-Identifier: Apache-2.0
// tests/run/test_stop.c - a stop is obeyed within long computations, not only between steps

#include "test.h"

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
