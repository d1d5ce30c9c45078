// SPDX-License-Identifier: Apache-2.0
// tests/base/test_meter.c - work is counted and given up, by any thread, within begin and end only

#include "test.h"

#include "base/meter.h"
#include "base/threads.h"

TEST(work_is_given_up_when_a_stop_is_requested_and_only_while_it_is_made) {
    volatile sig_atomic_t stop = 0;
    LitheMeter meter = {.stop = &stop};
    CHECK(!lithe_meter_spend(NULL, 1));
    CHECK(lithe_meter_begin(&meter, 0));
    CHECK(!lithe_meter_spend(&meter, 1000000));
    stop = 1;
    CHECK(lithe_meter_spend(&meter, 1));
    CHECK(lithe_meter_given_up(&meter) == LITHE_STOP_REQUESTED);
    stop = 0; // all loops of the work end
    CHECK(lithe_meter_spend(&meter, 1));
    lithe_meter_end(&meter, true);
    stop = 1;
    CHECK(!lithe_meter_spend(&meter, 1));
    stop = 0;
    CHECK(lithe_meter_begin(&meter, 0) && !lithe_meter_spend(&meter, 1));
}

TEST(a_part_of_work_is_no_new_work) {
    LitheMeter meter = {.stop = NULL};
    CHECK(lithe_meter_begin(&meter, 10));
    CHECK(!lithe_meter_spend(&meter, 6));
    bool began = lithe_meter_begin(&meter, 10);
    CHECK(!began && !lithe_meter_spend(&meter, 4));
    lithe_meter_end(&meter, began);
    CHECK(lithe_meter_spend(&meter, 1));
    CHECK(lithe_meter_given_up(&meter) == LITHE_WORK_EXCEEDED);
}

static void spend_some(int32_t index, void *user) {
    (void)index;
    for (int i = 0; i < 100 && !lithe_meter_spend(user, 1); i++)
        continue;
}

TEST(whether_a_limit_is_exceeded_does_not_depend_on_threads) {
    LitheContext *context = lithe_context_create(NULL);
    LithePool *pool = lithe_pool_create(context, 4);
    for (int more = 0; more < 2; more++) {
        LitheMeter meter = {.stop = NULL};
        lithe_meter_begin(&meter, 6400 - more);
        lithe_pool_run(pool, 64, 1e9, spend_some, &meter);
        CHECK(lithe_meter_given_up(&meter) == (more ? LITHE_WORK_EXCEEDED : LITHE_GOES_ON));
    }
    lithe_pool_destroy(pool);
    lithe_context_destroy(context);
}

typedef struct Beats {
    int count;
    sig_atomic_t stop;
} Beats;

static void beat(void *user) {
    Beats *beats = user;
    beats->stop = ++beats->count == 2;
}

TEST(long_work_beats_and_a_beat_may_stop_it) {
    Beats beats = {0};
    LitheMeter meter = {.stop = &beats.stop, .beat = beat, .beat_user = &beats};
    lithe_meter_begin(&meter, 0);
    while (!lithe_meter_spend(&meter, 1))
        continue;
    CHECK(beats.count == 2);
}
