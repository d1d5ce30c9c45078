// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_touch_bits.c - steps with contacts give the same bits for any number of
// threads and with scratch dropped, and allocate nothing once warm

#include "base/memory.h"
#include "solve/worlds.h"

enum { STEPS = 6, WORLDS = TEST_SANITIZED ? 10 : 40 };

// hash after STEPS steps, or after the step that failed; adds up the contacts found
static uint64_t hash_of(int number, int threads, bool drop, int *contacts) {
    World w;
    uint64_t hash = 0;
    if (CHECK(world_begin(&w, number))) {
        LitheWork *work = lithe_work_create(w.model, threads);
        for (int i = 0; i < STEPS; i++) {
            LitheReport report;
            if (drop) {
                lithe_work_destroy(work);
                work = lithe_work_create(w.model, threads);
            }
            if (lithe_step(w.model, w.state, work, &report, NULL) != LITHE_OK)
                break;
            *contacts += report.contacts;
        }
        lithe_work_destroy(work);
        hash = lithe_state_hash(w.state);
    }
    world_end(&w);
    return hash;
}

LONG_TEST(contacts_have_the_same_bits_for_one_and_two_threads) {
    int contacts = 0;
    for (int i = 0; i < WORLDS; i++)
        CHECK(hash_of(i, 1, false, &contacts) == hash_of(i, 2, false, &contacts));
    CHECK(contacts > 25 * WORLDS);
}

LONG_TEST(contacts_have_the_same_bits_with_scratch_dropped_every_step) {
    int contacts = 0;
    for (int i = 0; i < WORLDS; i++)
        CHECK(hash_of(i, 1, false, &contacts) == hash_of(i, 1, true, &contacts));
    CHECK(contacts > 25 * WORLDS);
}

LONG_TEST(steps_with_contacts_made_again_allocate_nothing) {
    int contacts = 0;
    for (int i = 0; i < WORLDS; i++) {
        World w;
        if (!CHECK(world_begin(&w, i)))
            continue;
        LitheWork *work = lithe_work_create(w.model, 1);
        LitheState *start = lithe_state_copy(w.state);
        size_t bytes = 0;
        for (int pass = 0; pass < 2; pass++) {
            lithe_state_set(w.state, lithe_state_data(start));
            // the second time any allocation fails
            lithe_context_fail_at(w.context, pass);
            for (int k = 0; k < STEPS; k++) {
                LitheReport report;
                LitheError error;
                LitheStatus status = lithe_step(w.model, w.state, work, &report, &error);
                if (!CHECK(status != LITHE_NO_MEMORY) || status != LITHE_OK)
                    break;
                contacts += report.contacts;
            }
            lithe_context_fail_at(w.context, 0);
            if (pass == 1)
                CHECK(lithe_context_bytes(w.context) == bytes);
            bytes = lithe_context_bytes(w.context);
        }
        lithe_state_destroy(start);
        lithe_work_destroy(work);
        world_end(&w);
    }
    CHECK(contacts > 25 * WORLDS);
}
