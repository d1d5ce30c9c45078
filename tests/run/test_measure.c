// SPDX-License-Identifier: Apache-2.0
// tests/run/test_measure.c - numbers out of recordings

#include "test.h"

#include "record/synthetic.h"
#include "run/study.h"

enum { FRAMES = 6 }; // at 0, 0.125 .. 0.625 s; pull.force is 1000 k + 34

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheRecording *recording;
    LitheError error;
    LitheMeasured found;
} Fixture;

static bool begin(Fixture *f) {
    *f = (Fixture){
        .context = lithe_context_create(NULL), .folder = test_folder(), .found = {-7, -7}};
    return synthetic_recording(f->context, &f->folder, FRAMES, &f->recording, &f->error);
}

static void end(Fixture *f) {
    lithe_recording_close(f->recording);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static LitheStatus take(Fixture *f, LitheTake how, double from, double to) {
    LitheMeasure measure = {
        .name = "a", .of = "pull.force", .take = how, .from = from, .to = to, .at = from};
    return lithe_measure(f->recording, &measure, &f->found, &f->error);
}

TEST(each_reduction_over_all_frames) {
    Fixture f;
    FATAL(begin(&f));
    const double wanted[] = {5034, 34, 2534, 34, 5034};
    for (int how = LITHE_TAKE_LAST; how <= LITHE_TAKE_MAX; how++) {
        CHECK(take(&f, (LitheTake)how, -INFINITY, INFINITY) == LITHE_OK);
        CHECK_NEAR(f.found.value, wanted[how], 1e-9);
    }
    end(&f);
}

TEST(windows_hold_the_frames_at_their_ends) {
    Fixture f;
    FATAL(begin(&f));
    // slightly inside on both sides, as sums of steps may be
    CHECK(take(&f, LITHE_TAKE_MEAN, 0.25 + 1e-13, 0.5 - 1e-13) == LITHE_OK);
    CHECK_NEAR(f.found.value, 3034, 1e-9);
    CHECK(take(&f, LITHE_TAKE_FIRST, 0.2, INFINITY) == LITHE_OK);
    CHECK_NEAR(f.found.value, 2034, 1e-9);
    CHECK(take(&f, LITHE_TAKE_LAST, -INFINITY, 0.3) == LITHE_OK);
    CHECK_NEAR(f.found.value, 2034, 1e-9);
    end(&f);
}

TEST(between_frames_the_value_lies_on_a_straight_line) {
    Fixture f;
    FATAL(begin(&f));
    const double times[] = {0, 0.125, 0.15, 0.6, 0.625};
    for (int i = 0; i < 5; i++) {
        CHECK(take(&f, LITHE_TAKE_AT, times[i], INFINITY) == LITHE_OK);
        CHECK_NEAR(f.found.value, 34 + 8000 * times[i], 1e-9);
    }
    end(&f);
}

TEST(times_without_frames_and_several_series_are_refused) {
    Fixture f;
    FATAL(begin(&f));
    CHECK(take(&f, LITHE_TAKE_MEAN, 0.63, INFINITY) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "no frame from 0.63 s, the recording has 0 s to 0.625 s");
    CHECK(take(&f, LITHE_TAKE_MEAN, 0.26, 0.3) == LITHE_BAD_INPUT);
    CHECK(take(&f, LITHE_TAKE_AT, 0.7, INFINITY) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "the recording has 0 s to 0.625 s");
    LitheMeasure measure = {.name = "a", .of = "rope.tension", .to = INFINITY};
    CHECK(lithe_measure(f.recording, &measure, &f.found, &f.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "selects 2 series");
    measure.of = "rope.nothing";
    CHECK(lithe_measure(f.recording, &measure, &f.found, &f.error) == LITHE_BAD_INPUT);
    CHECK(f.found.value == -7);
    end(&f);
}
