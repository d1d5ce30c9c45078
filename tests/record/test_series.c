// SPDX-License-Identifier: Apache-2.0
// tests/record/test_series.c - quantities by name

#include "test.h"

#include "record/series.h"
#include "record/synthetic.h"

enum { FRAMES = 6 };

typedef struct Fixture {
    LitheContext *context;
    TestFolder folder;
    LitheRecording *recording;
    LitheError error;
    LitheSeriesSet set;
} Fixture;

static bool begin(Fixture *f) {
    *f = (Fixture){.context = lithe_context_create(NULL), .folder = test_folder()};
    return synthetic_recording(f->context, &f->folder, FRAMES, &f->recording, &f->error);
}

static void end(Fixture *f) {
    lithe_series_release(&f->set);
    lithe_recording_close(f->recording);
    test_folder_remove(&f->folder);
    lithe_context_destroy(f->context);
}

static LitheStatus get(Fixture *f, const char *name) {
    if (f->set.context)
        lithe_series_release(&f->set);
    return lithe_recording_series(f->recording, name, &f->set, &f->error);
}

// Places of the synthetic columns in a frame: time 0, position 1, tension 16, curvature 20, twist
// 30, force 34, kinetic 35, iterations 36.

TEST(values_along_a_rod_give_max_and_mean) {
    Fixture f;
    FATAL(begin(&f));
    FATAL(get(&f, "rope.tension") == LITHE_OK);
    FATAL(f.set.count == 2);
    CHECK_TEXT(f.set.series[0].name, "rope.tension.max");
    CHECK_TEXT(f.set.series[1].name, "rope.tension.mean");
    CHECK_TEXT(f.set.label, "tension [N]");
    CHECK(f.set.series[0].values[3] == synthetic_value(3, 19));
    CHECK_NEAR(f.set.series[1].values[3], synthetic_value(3, 16) + 1.5, 1e-9);
    end(&f);
}

TEST(selectors_pick_one_series) {
    Fixture f;
    FATAL(begin(&f));
    const struct {
        const char *name;
        double value;
    } cases[] = {
        {"rope.tension.min", synthetic_value(2, 16)},
        {"rope.tension.max", synthetic_value(2, 19)},
        {"rope.tension[1]", synthetic_value(2, 17)},
        {"rope.tension[-1]", synthetic_value(2, 19)},
        {"rope[1].tension", synthetic_value(2, 17)},
        {"rope.end.tension", synthetic_value(2, 19)},
        {"rope.end.position.z", synthetic_value(2, 15)},
        {"rope.start.position.y", synthetic_value(2, 2)},
        {"rope.position[2].x", synthetic_value(2, 7)},
        {"rope.middle.position.x", synthetic_value(2, 7)},
        {"rope.position.z.max", synthetic_value(2, 15)},
        {"rope.position.max.z", synthetic_value(2, 15)},
        {"rope.curvature[0].m2", synthetic_value(2, 21)},
        {"rope.curvature[0]", hypot(synthetic_value(2, 20), synthetic_value(2, 21))},
        {"pull.force", synthetic_value(2, 34)},
        {"energy.kinetic", synthetic_value(2, 35)},
        {"report.newton_iterations", synthetic_value(2, 36)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!CHECK(get(&f, cases[i].name) == LITHE_OK))
            printf("  %s: %s\n", cases[i].name, f.error.text);
        else if (!CHECK(f.set.count == 1 && f.set.series[0].values[2] == cases[i].value))
            printf("  %s: %g\n", cases[i].name, f.set.series[0].values[2]);
    }
    end(&f);
}

TEST(positions_give_x_y_and_z) {
    Fixture f;
    FATAL(begin(&f));
    FATAL(get(&f, "rope.end.position") == LITHE_OK);
    FATAL(f.set.count == 3);
    CHECK_TEXT(f.set.series[2].name, "rope.end.position.z");
    CHECK(f.set.series[2].values[5] == synthetic_value(5, 15));
    FATAL(get(&f, "rope.position") == LITHE_OK);
    CHECK(f.set.count == 3);
    CHECK_TEXT(f.set.series[0].name, "rope.position.x.mean");
    CHECK_TEXT(f.set.unit, "m");
    end(&f);
}

TEST(names_that_mean_nothing_get_a_list_and_a_suggestion) {
    Fixture f;
    FATAL(begin(&f));
    CHECK(get(&f, "rope.tensoin") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "did you mean 'rope.tension', ");
    CHECK_TEXT(f.error.text, "lithe plot --list");
    CHECK(strstr(f.error.text, "energy.kinetic") == NULL);
    CHECK(get(&f, "energy.knietic") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "'energy.kinetic'");
    // nothing is similar: the same quantity of others
    CHECK(get(&f, "a-longer-name.tension") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "'rope.tension'");
    // what can follow is what is accepted
    CHECK(get(&f, "rope.tension.x") == LITHE_BAD_INPUT);
    CHECK(strstr(f.error.text, ".x .y .z") == NULL);
    CHECK_TEXT(f.error.text, ".max .min .mean");
    CHECK(get(&f, "rope.position.q") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, ".x .y .z");
    CHECK(get(&f, "") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope.") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope.radius") == LITHE_BAD_INPUT); // does not change in time
    CHECK(get(&f, "rope.tension[4]") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "index is 4, must be -4 to 3");
    CHECK(get(&f, "rope[4].tension") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope[1]") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope[1.tension") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope.tension[x]") == LITHE_BAD_INPUT);
    CHECK(get(&f, "rope.tension.z") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "'z' cannot follow 'rope.tension'");
    CHECK(get(&f, "rope.tension[1].max") == LITHE_BAD_INPUT);
    CHECK(get(&f, "pull.force[0]") == LITHE_BAD_INPUT);
    CHECK_TEXT(f.error.text, "one value");
    char big[4000];
    memset(big, 'a', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    CHECK(get(&f, big) == LITHE_BAD_INPUT);
    big[1000] = '.';
    CHECK(get(&f, big) == LITHE_BAD_INPUT);
    end(&f);
}

TEST(running_out_of_memory_leaves_nothing_behind) {
    Fixture f;
    FATAL(begin(&f));
    size_t bytes = lithe_context_bytes(f.context);
    bool fine = false;
    for (int64_t n = 1; !fine && n < 50; n++) {
        LitheSeriesSet set = {0};
        lithe_context_fail_at(f.context, n);
        LitheStatus status = lithe_recording_series(f.recording, "rope.position", &set, &f.error);
        lithe_context_fail_at(f.context, 0);
        fine = status == LITHE_OK;
        if (fine)
            lithe_series_release(&set);
        else
            CHECK(status == LITHE_NO_MEMORY);
        CHECK(lithe_context_bytes(f.context) == bytes);
    }
    CHECK(fine);
    end(&f);
}
