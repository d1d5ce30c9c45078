// SPDX-License-Identifier: Apache-2.0
// tests/run/test_recorder.c - the recording of a run that is stepped by the caller

#include "test.h"

#include "base/memory.h"
#include "record/recording.h"
#include "record/synthetic.h"
#include "run/whip.h"

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheError error;
    char out[256];
} Fixture;

static bool begin(Fixture *f) {
    memset(f, 0, sizeof *f);
    f->context = lithe_context_create(NULL);
    f->folder = test_folder();
    f->scene = whip_scene(f->context, 20, 0.05);
    test_path(&f->folder, "own.h5", f->out);
    if (!f->scene || lithe_compile(f->scene, &f->model, &f->state, &f->error) != LITHE_OK)
        return false;
    f->work = lithe_work_create(f->model, 1);
    return f->work != NULL;
}

static void end(Fixture *f) {
    lithe_work_destroy(f->work);
    lithe_state_destroy(f->state);
    lithe_model_destroy(f->model);
    lithe_scene_destroy(f->scene);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static LitheStatus record(Fixture *f, int32_t steps, const char *reason) {
    LitheRecorder *recorder = NULL;
    LitheStatus status =
        lithe_recorder_create(f->scene, f->model, f->state, f->out, &recorder, &f->error);
    if (status == LITHE_OK)
        status = lithe_recorder_add_frame(recorder, f->state, NULL, NULL, &f->error);
    for (int32_t i = 1; status == LITHE_OK && i <= steps; i++) {
        LitheReport report;
        status = lithe_step(f->model, f->state, f->work, &report, &f->error);
        if (status != LITHE_OK)
            break;
        lithe_recorder_add_step(recorder, &report);
        if (i % 5 == 0)
            status = lithe_recorder_add_frame(recorder, f->state, f->work, &report, &f->error);
    }
    if (status == LITHE_OK)
        status = lithe_recorder_finish(recorder, reason, &f->error);
    lithe_recorder_destroy(recorder);
    return status;
}

// all numbers of all frames
static bool same_frames(LitheRecording *a, LitheRecording *b) {
    bool same = a->frame_count == b->frame_count &&
                a->layout.column_count == b->layout.column_count && a->layout.column_count > 5;
    for (int32_t i = 0; same && i < a->layout.column_count; i++) {
        const LitheColumn *column = &a->layout.columns[i];
        if (column->values || column->text)
            continue; // a constant
        size_t count = (size_t)(a->frame_count * column->count);
        double *x = malloc((count + 1) * sizeof *x), *y = malloc((count + 1) * sizeof *y);
        LitheError error;
        same = x && y &&
               lithe_recording_read(a, column, 0, a->frame_count, x, &error) == LITHE_OK &&
               lithe_recording_read(b, &b->layout.columns[i], 0, b->frame_count, y, &error) ==
                   LITHE_OK &&
               memcmp(x, y, count * sizeof *x) == 0;
        free(x);
        free(y);
    }
    return same;
}

TEST(stepping_by_hand_records_what_a_run_records) {
    Fixture f;
    FATAL(begin(&f));
    char other[256];
    LitheRunDef def = lithe_run_def_default();
    def.out = test_path(&f.folder, "run.h5", other);
    LitheSummary summary;
    FATAL(lithe_run(f.scene, &def, &summary, &f.error) == LITHE_OK);
    FATAL(record(&f, 50, NULL) == LITHE_OK);
    LitheRecording *run = NULL, *own = NULL;
    FATAL(lithe_recording_open(f.context, other, &run, &f.error) == LITHE_OK);
    FATAL(lithe_recording_open(f.context, f.out, &own, &f.error) == LITHE_OK);
    CHECK(own->frame_count == 11 && same_frames(run, own));
    CHECK(own->end.complete && own->end.hash == run->end.hash);
    CHECK(own->end.totals.steps == 50 &&
          own->end.totals.newton_iterations == run->end.totals.newton_iterations);
    CHECK(own->end.totals.energy_error == run->end.totals.energy_error);
    lithe_recording_close(run);
    lithe_recording_close(own);
    end(&f);
}

TEST(a_run_that_stopped_early_says_why) {
    Fixture f;
    FATAL(begin(&f));
    FATAL(record(&f, 10, "the rope broke") == LITHE_OK);
    LitheRecording *own = NULL;
    FATAL(lithe_recording_open(f.context, f.out, &own, &f.error) == LITHE_OK);
    CHECK(!own->end.complete && strcmp(own->end.reason, "the rope broke") == 0);
    lithe_recording_close(own);
    end(&f);
}

TEST(what_a_program_left_unfinished_is_recovered_but_not_resumed) {
    Fixture f;
    FATAL(begin(&f));
    LitheRecorder *recorder = NULL;
    FATAL(lithe_recorder_create(f.scene, f.model, f.state, f.out, &recorder, &f.error) == LITHE_OK);
    CHECK(lithe_recorder_finish(recorder, NULL, &f.error) == LITHE_BAD_INPUT);
    CHECK(lithe_recorder_add_frame(recorder, f.state, NULL, NULL, &f.error) == LITHE_OK);
    CHECK(lithe_recorder_frame_count(recorder) == 1);
    lithe_recorder_destroy(recorder);
    LitheRunDef def = lithe_run_def_default();
    CHECK(lithe_resume(f.context, f.out, &def, NULL, &f.error) == LITHE_NOT_SUPPORTED);
    int64_t frames = 0;
    CHECK(lithe_recover(f.context, f.out, &frames, &f.error) == LITHE_OK && frames == 1);
    end(&f);
}

TEST(a_place_that_cannot_be_written_is_refused_at_once) {
    Fixture f;
    FATAL(begin(&f));
    LitheRecorder *recorder = NULL;
    CHECK(lithe_recorder_create(f.scene, f.model, f.state, "/no/such/folder/x.h5", &recorder,
                                &f.error) == LITHE_FILE_ERROR);
    CHECK(recorder == NULL && strstr(f.error.text, "/no/such/folder") != NULL);
    end(&f);
}

TEST(running_out_of_memory_while_recording_ends_cleanly) {
    Fixture f;
    FATAL(begin(&f));
    size_t bytes = 0;
    bool fine = false;
    // the first steps allocate the workspace: do them before counting
    FATAL(record(&f, 1, NULL) == LITHE_OK);
    bytes = lithe_context_bytes(f.context);
    for (int64_t n = 1; !fine && n < 20000; n++) {
        lithe_context_fail_at(f.context, n);
        LitheStatus status = record(&f, 0, NULL);
        lithe_context_fail_at(f.context, 0);
        fine = status == LITHE_OK;
        CHECK(fine || status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(f.context) == bytes);
    }
    CHECK(fine);
    end(&f);
}
