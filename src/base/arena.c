// SPDX-License-Identifier: Apache-2.0
// base/arena.c - stack memory of one step

#include "base/arena.h"

#include "base/memory.h"

#include <string.h>

typedef struct LitheArenaBlock {
    struct LitheArenaBlock *older;
    size_t capacity;
    size_t at;
} LitheArenaBlock;

// data start one alignment unit after the block's head
#define HEAD_BYTES 64
// smallest block: a few pages, so that small scenes need one
#define SMALLEST_BLOCK 16384

static char *data_of(LitheArenaBlock *block) {
    return (char *)block + HEAD_BYTES;
}

static LitheArenaBlock *block_create(LitheContext *context, size_t capacity) {
    LitheArenaBlock *block = lithe_alloc(context, capacity + HEAD_BYTES);
    if (block)
        block->capacity = capacity;
    return block;
}

// Blocks above `keep` are freed, except the largest: what pushes and releases at the end of a
// block again and again takes no new memory each time.
static void spare_down_to(LitheArena *arena, LitheArenaBlock *keep) {
    while (arena->top != keep) {
        LitheArenaBlock *block = arena->top, *less = arena->spare;
        arena->top = block->older;
        if (!less || block->capacity > less->capacity) {
            arena->spare = block;
            block = less;
        }
        lithe_free(arena->context, block);
    }
}

static void free_down_to(LitheArena *arena, LitheArenaBlock *keep) {
    lithe_free(arena->context, arena->spare);
    arena->spare = NULL;
    while (arena->top != keep) {
        LitheArenaBlock *older = arena->top->older;
        lithe_free(arena->context, arena->top);
        arena->top = older;
    }
}

void lithe_arena_begin(LitheArena *arena, LitheContext *context) {
    *arena = (LitheArena){.context = context};
}

void lithe_arena_end(LitheArena *arena) {
    free_down_to(arena, NULL);
    *arena = (LitheArena){0};
}

void *lithe_arena_push(LitheArena *arena, int64_t count, size_t size) {
    if (count < 0 || (size != 0 && (uint64_t)count > (SIZE_MAX / 2) / size))
        return NULL;
    size_t bytes = ((size_t)count * size + 63) / 64 * 64;

    // open a new block when the top one is full
    LitheArenaBlock *top = arena->top;
    if (!top || top->capacity - top->at < bytes) {
        size_t capacity = top ? 2 * top->capacity : SMALLEST_BLOCK;
        LitheArenaBlock *block = arena->spare;
        if (block && block->capacity >= bytes)
            arena->spare = NULL;
        else
            block = block_create(arena->context, capacity > bytes ? capacity : bytes);
        if (!block)
            return NULL;
        block->older = top;
        block->at = 0;
        arena->top = top = block;
    }

    void *out = data_of(top) + top->at;
    top->at += bytes;
    arena->used += bytes;
    if (arena->used > arena->high_water)
        arena->high_water = arena->used;
    return out;
}

LitheArenaMark lithe_arena_mark(const LitheArena *arena) {
    return (LitheArenaMark){arena->top, arena->top ? arena->top->at : 0, arena->used};
}

void lithe_arena_release(LitheArena *arena, LitheArenaMark mark) {
    spare_down_to(arena, mark.block);
    if (arena->top)
        arena->top->at = mark.at;
    arena->used = mark.used;
}

bool lithe_arena_reset(LitheArena *arena) {
    arena->used = 0;
    if (arena->top && !arena->top->older) {
        arena->top->at = 0;
        if (arena->top->capacity >= arena->high_water)
            return true;
    }
    free_down_to(arena, NULL);
    if (arena->high_water == 0)
        return true;
    arena->top = block_create(arena->context, arena->high_water);
    return arena->top != NULL;
}
