// SPDX-License-Identifier: Apache-2.0
// base/memory.c - the context: heap with a byte count, and the log callback

#include "base/memory.h"

#include "base/assert.h"
#include "base/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

// bytes before each block that store its size: one full alignment unit, so that the block stays
// aligned
#define HEADER_BYTES 64

struct LitheContext {
    LitheContextDef def;
    atomic_size_t bytes;
    atomic_size_t peak;
    atomic_llong alloc_count;
    atomic_llong fail_countdown; // 0: never fail; 1: fail now and always after
};

// blocks from this size on request large pages: a rod of 10000 nodes reads 20 MB per step, more
// than the TLB of a processor covers with small pages
#define LARGE_PAGE ((size_t)2 << 20)

static void *default_alloc(size_t bytes, void *user) {
    (void)user;
    size_t unit = bytes >= LARGE_PAGE ? LARGE_PAGE : 64;
    size_t rounded = (bytes + unit - 1) / unit * unit;
    void *block = rounded < bytes ? NULL : aligned_alloc(unit, rounded);
#if defined(MADV_HUGEPAGE)
    if (block && unit == LARGE_PAGE)
        madvise(block, rounded, MADV_HUGEPAGE); // a hint: its result does not matter
#endif
    return block;
}

static void default_free(void *block, void *user) {
    (void)user;
    free(block);
}

LitheContextDef lithe_context_def_default(void) {
    return (LitheContextDef){.alloc = default_alloc, .free = default_free};
}

LitheContext *lithe_context_create(const LitheContextDef *def) {
    LitheContextDef used = def ? *def : lithe_context_def_default();
    LitheContext *context = used.alloc(sizeof *context, used.memory_user);
    if (!context)
        return NULL;
    memset(context, 0, sizeof *context);
    context->def = used;
    return context;
}

void lithe_context_destroy(LitheContext *context) {
    if (!context)
        return;
    LITHE_ASSERT(atomic_load(&context->bytes) == 0);
    context->def.free(context, context->def.memory_user);
}

size_t lithe_context_bytes(const LitheContext *context) {
    return atomic_load(&context->bytes);
}

size_t lithe_context_peak_bytes(const LitheContext *context) {
    return atomic_load(&context->peak);
}

int64_t lithe_context_alloc_count(const LitheContext *context) {
    return atomic_load(&context->alloc_count);
}

void lithe_context_fail_at(LitheContext *context, int64_t n) {
    atomic_store(&context->fail_countdown, n);
}

// counts down to 1 and then fails every time
static bool must_fail(LitheContext *context) {
    long long left = atomic_load(&context->fail_countdown);
    if (left == 0)
        return false;
    if (left == 1)
        return true;
    atomic_store(&context->fail_countdown, left - 1);
    return false;
}

// a number of kB behind a word in a file of the system; INFINITY: not there
static double kilobytes(const char *path, const char *word) {
    char line[256];
    double found = INFINITY;
    FILE *file = fopen(path, "r");
    while (file && found == INFINITY && fgets(line, sizeof line, file))
        if (strncmp(line, word, strlen(word)) == 0)
            found = strtod(line + strlen(word), NULL) * 1024;
    if (file)
        fclose(file);
    return found;
}

double lithe_memory_left(void) {
    double left = kilobytes("/proc/meminfo", "MemAvailable:");
    double taken = kilobytes("/proc/self/status", "VmSize:");
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && taken < INFINITY)
        left = fmin(left, fmax((double)limit.rlim_cur - taken, 0));
    return left;
}

void *lithe_alloc(LitheContext *context, size_t bytes) {
    if (must_fail(context) || bytes > SIZE_MAX - HEADER_BYTES)
        return NULL;
    char *block = context->def.alloc(bytes + HEADER_BYTES, context->def.memory_user);
    if (!block)
        return NULL;
    memset(block, 0, bytes + HEADER_BYTES);
    *(size_t *)block = bytes;

    // update the byte count and its maximum
    size_t now = atomic_fetch_add(&context->bytes, bytes) + bytes;
    size_t peak = atomic_load(&context->peak);
    while (now > peak && !atomic_compare_exchange_weak(&context->peak, &peak, now)) {
    }
    atomic_fetch_add(&context->alloc_count, 1);
    return block + HEADER_BYTES;
}

void *lithe_alloc_array(LitheContext *context, int64_t count, size_t size) {
    if (count < 0 || (size != 0 && (uint64_t)count > SIZE_MAX / size))
        return NULL;
    return lithe_alloc(context, (size_t)count * size);
}

void lithe_free(LitheContext *context, void *block) {
    if (!block)
        return;
    char *start = (char *)block - HEADER_BYTES;
    atomic_fetch_sub(&context->bytes, *(size_t *)start);
    context->def.free(start, context->def.memory_user);
}

char *lithe_alloc_text(LitheContext *context, const char *text) {
    if (!text)
        return NULL;
    size_t bytes = strlen(text) + 1;
    char *copy = lithe_alloc(context, bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

// arrays above this size grow slowly: a third of their memory would remain unused [bytes]
#define LARGE_ARRAY (1 << 18)

static int64_t grown_capacity(int64_t capacity, int64_t needed, size_t size) {
    bool large = (uint64_t)capacity * size > LARGE_ARRAY;
    int64_t wanted = capacity + capacity / (large ? 8 : 2) + 8;
    return wanted < needed || wanted > INT32_MAX ? needed : wanted;
}

bool lithe_array_renew(LitheContext *context, void **items, int32_t *capacity, int64_t needed,
                       size_t size) {
    if (needed <= *capacity)
        return true;
    // nothing is copied, so that a large array needs hardly any reserve
    bool large = (uint64_t)needed * size > LARGE_ARRAY;
    int64_t wanted = large ? needed + needed / 256 : grown_capacity(*capacity, needed, size);
    wanted = wanted > INT32_MAX ? needed : wanted;
    lithe_free(context, *items);
    *items = NULL;
    *capacity = 0;
    if (wanted > INT32_MAX)
        return false;
    *items = lithe_alloc_array(context, wanted, size);
    *capacity = *items ? (int32_t)wanted : 0;
    return *items != NULL;
}

bool lithe_array_reserve(LitheContext *context, void **items, int32_t *capacity, int64_t needed,
                         size_t size) {
    if (needed <= *capacity)
        return true;
    int64_t wanted = grown_capacity(*capacity, needed, size);
    if (wanted > INT32_MAX)
        return false;
    void *grown = lithe_alloc_array(context, wanted, size);
    if (!grown)
        return false;
    if (*items)
        memcpy(grown, *items, (size_t)*capacity * size);
    lithe_free(context, *items);
    *items = grown;
    *capacity = (int32_t)wanted;
    return true;
}

void lithe_log(LitheContext *context, LitheLogLevel level, const char *format, ...) {
    if (!context->def.log)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    context->def.log(level, text, context->def.log_user);
}
