// SPDX-License-Identifier: Apache-2.0
// base/arena.h - stack memory of one step: mark, push, release

#ifndef LITHE_BASE_ARENA_H
#define LITHE_BASE_ARENA_H

#include "lithe/base.h"

// A stack of blocks. In the first steps the arena may have several blocks; lithe_arena_reset joins
// them into one block of the largest size ever needed. After that a step does not use the heap.
typedef struct LitheArena {
    LitheContext *context;
    struct LitheArenaBlock *top;   // newest block, linked to older ones
    struct LitheArenaBlock *spare; // released last, for the next push; NULL: none
    size_t used;                   // bytes pushed now, over all blocks
    size_t high_water;             // max bytes ever pushed at once
} LitheArena;

typedef struct LitheArenaMark {
    struct LitheArenaBlock *block;
    size_t at;
    size_t used;
} LitheArenaMark;

void lithe_arena_begin(LitheArena *arena, LitheContext *context);
void lithe_arena_end(LitheArena *arena);

/// 64-byte aligned, not zeroed; NULL when out of memory.
void *lithe_arena_push(LitheArena *arena, int64_t count, size_t size);

LitheArenaMark lithe_arena_mark(const LitheArena *arena);

/// Releases everything pushed since the mark.
void lithe_arena_release(LitheArena *arena, LitheArenaMark mark);

/// Releases everything. Returns false when the joined block could not be allocated (the arena is
/// then empty and still usable).
bool lithe_arena_reset(LitheArena *arena);

#endif
