// SPDX-License-Identifier: Apache-2.0
// base/memory.h - heap with a byte count, injected failures, and growing arrays

#ifndef LITHE_BASE_MEMORY_H
#define LITHE_BASE_MEMORY_H

#include "lithe/base.h"

/// Zeroed, 64-byte aligned; NULL when out of memory. 0 bytes give a valid block.
void *lithe_alloc(LitheContext *context, size_t bytes);

/// As lithe_alloc for `count` items of `size` bytes; NULL also when the product overflows.
void *lithe_alloc_array(LitheContext *context, int64_t count, size_t size);

/// Accepts NULL.
void lithe_free(LitheContext *context, void *block);

/// NULL when out of memory or `text` is NULL.
char *lithe_alloc_text(LitheContext *context, const char *text);

/// Reserves memory for `needed` items in `*items` (capacity `*capacity`, items of `size` bytes),
/// growing by half of the capacity, a large array by an eighth; new memory is zeroed. Returns false
/// and changes nothing when out of memory.
bool lithe_array_reserve(LitheContext *context, void **items, int32_t *capacity, int64_t needed,
                         size_t size);

/// As lithe_array_reserve for items that are about to be computed again: the old ones are freed
/// first, so that old and new memory do not exist at the same time. Out of memory: *items is NULL
/// and *capacity 0.
bool lithe_array_renew(LitheContext *context, void **items, int32_t *capacity, int64_t needed,
                       size_t size);
#define LITHE_RENEW(context, items, capacity, needed) \
    lithe_array_renew(context, (void **)&(items), &(capacity), needed, sizeof *(items))

/// Typed front of lithe_array_reserve: `items` is a pointer variable of any type.
#define LITHE_RESERVE(context, items, capacity, needed) \
    lithe_array_reserve(context, (void **)&(items), &(capacity), needed, sizeof *(items))

/// Bytes that this process can still take: free memory of the machine, and what is left of the
/// limit of its address space (`ulimit -v`); INFINITY: not known.
double lithe_memory_left(void);

/// For tests: the n-th allocation from now (1 = the next) and all after it fail; 0 turns it off.
void lithe_context_fail_at(LitheContext *context, int64_t n);

#endif
