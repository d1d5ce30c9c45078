// SPDX-License-Identifier: Apache-2.0
// scene/copy.c - deep copies of what defs point to

#include "scene/copy.h"

#include "base/memory.h"

#include <string.h>

bool lithe_copy_array(LitheContext *context, const void *from, int64_t count, size_t size,
                      const void **own) {
    *own = NULL;
    if (!from)
        return true;
    int64_t used = count > 0 ? count : 0;
    void *copy = lithe_alloc_array(context, used, size);
    if (copy && used)
        memcpy(copy, from, (size_t)used * size);
    *own = copy;
    return copy != NULL;
}

bool lithe_copy_doubles(LitheContext *context, int64_t count, const double **array) {
    const void *own;
    bool ok = lithe_copy_array(context, *array, count, sizeof **array, &own);
    *array = own;
    return ok;
}

bool lithe_copy_text(LitheContext *context, const char **text) {
    const char *from = *text;
    *text = lithe_alloc_text(context, from);
    return *text || !from;
}

bool lithe_copy_profile(LitheContext *context, LitheProfileDef *profile) {
    bool ok = lithe_copy_doubles(context, profile->count, &profile->times);
    return lithe_copy_doubles(context, profile->count, &profile->values) && ok;
}

void lithe_free_const(LitheContext *context, const void *block) {
    lithe_free(context, (void *)block);
}

void lithe_free_profile(LitheContext *context, LitheProfileDef *profile) {
    lithe_free_const(context, profile->times);
    lithe_free_const(context, profile->values);
}
