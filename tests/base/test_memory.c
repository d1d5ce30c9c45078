// SPDX-License-Identifier: Apache-2.0
// tests/base/test_memory.c - allocator, arena, hash, thread pool

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

#include "test.h"

TEST(bytes_are_counted_and_return_to_zero) {
    LitheContext *context = lithe_context_create(NULL);
    double *a = lithe_alloc_array(context, 100, sizeof *a);
    CHECK(lithe_context_bytes(context) == 800);
    CHECK(((uintptr_t)a & 63) == 0);
    CHECK(a[99] == 0);
    lithe_free(context, a);
    CHECK(lithe_context_bytes(context) == 0);
    CHECK(lithe_context_peak_bytes(context) == 800);
    CHECK(lithe_context_alloc_count(context) == 1);
    lithe_context_destroy(context);
}

TEST(planned_failures_come_at_the_nth_call_and_stay) {
    LitheContext *context = lithe_context_create(NULL);
    lithe_context_fail_at(context, 2);
    void *a = lithe_alloc(context, 8);
    CHECK(a != NULL);
    CHECK(lithe_alloc(context, 8) == NULL);
    CHECK(lithe_alloc(context, 8) == NULL);
    lithe_context_fail_at(context, 0);
    lithe_free(context, a);
    CHECK(lithe_alloc_array(context, INT64_MAX, 16) == NULL);
    CHECK(lithe_alloc_array(context, -1, 16) == NULL);
    lithe_context_destroy(context);
}

TEST(arrays_grow_and_keep_their_items) {
    LitheContext *context = lithe_context_create(NULL);
    int32_t *items = NULL;
    int32_t capacity = 0;
    for (int32_t i = 0; i < 1000; i++) {
        FATAL(LITHE_RESERVE(context, items, capacity, i + 1));
        items[i] = i;
    }
    for (int32_t i = 0; i < 1000; i++)
        CHECK(items[i] == i);
    lithe_free(context, items);
    lithe_context_destroy(context);
}

TEST(arena_keeps_what_was_released_at_the_end_of_a_block) {
    LitheContext *context = lithe_context_create(NULL);
    LitheArena arena;
    lithe_arena_begin(&arena, context);
    CHECK(lithe_arena_push(&arena, 16000, 1) != NULL);
    int64_t first = 0;
    for (int i = 0; i < 100; i++) {
        LitheArenaMark mark = lithe_arena_mark(&arena);
        CHECK(lithe_arena_push(&arena, 1000, 1) != NULL);
        lithe_arena_release(&arena, mark);
        if (i == 0)
            first = lithe_context_alloc_count(context);
    }
    CHECK(lithe_context_alloc_count(context) == first);
    lithe_arena_end(&arena);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(arena_settles_on_one_block) {
    LitheContext *context = lithe_context_create(NULL);
    LitheArena arena;
    lithe_arena_begin(&arena, context);
    int64_t settled = 0;
    for (int step = 0; step < 5; step++) {
        CHECK(lithe_arena_reset(&arena));
        if (step == 2)
            settled = lithe_context_alloc_count(context);
        for (int i = 0; i < 40; i++) {
            double *a = lithe_arena_push(&arena, 1000, sizeof *a);
            FATAL(a != NULL && ((uintptr_t)a & 63) == 0);
            a[999] = i;
        }
        LitheArenaMark mark = lithe_arena_mark(&arena);
        char *first = lithe_arena_push(&arena, 10, 1);
        lithe_arena_release(&arena, mark);
        CHECK(lithe_arena_push(&arena, 10, 1) == first);
    }
    CHECK(lithe_context_alloc_count(context) == settled);
    lithe_arena_end(&arena);
    lithe_context_destroy(context);
}

TEST(hash_sees_every_bit) {
    unsigned char bytes[37] = {0};
    uint64_t plain = lithe_hash(0, bytes, sizeof bytes);
    for (int i = 0; i < 37 * 8; i++) {
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        CHECK(lithe_hash(0, bytes, sizeof bytes) != plain);
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    }
    CHECK(lithe_hash(0, bytes, 36) != plain);
    CHECK(lithe_hash(1, bytes, 37) != plain);
}

static void square(int32_t i, void *user) {
    ((double *)user)[i] = (double)i * i;
}

TEST(pool_runs_every_task_once_for_any_size_and_number_of_threads) {
    LitheContext *context = lithe_context_create(NULL);
    for (int32_t threads = 1; threads <= 4; threads++) {
        LithePool *pool = lithe_pool_create(context, threads);
        FATAL(pool != NULL);
        for (int round = 0; round < 200; round++) {
            double out[57] = {0};
            lithe_pool_run(pool, 57, LITHE_COST_LARGE, square, out);
            for (int i = 0; i < 57; i++)
                CHECK(out[i] == (double)i * i);
        }
        lithe_pool_destroy(pool);
    }
    lithe_context_destroy(context);
}

TEST(messages_name_the_place) {
    LitheError error;
    CHECK(lithe_fail_at(&error, LITHE_BAD_INPUT, "a.yaml", 3, 7, "radius is %g m", -1.0) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.yaml:3:7: radius is -1 m");
    CHECK(error.line == 3 && error.column == 7);
}
