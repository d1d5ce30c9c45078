// SPDX-License-Identifier: Apache-2.0
// scene/copy.h - deep copies of what defs point to: each call replaces a pointer by that of a copy
//
// All return false when out of memory, with NULL in place, so that freeing a half-copied def is
// safe. A wrong (negative) count copies nothing: the check reports it.

#ifndef LITHE_SCENE_COPY_H
#define LITHE_SCENE_COPY_H

#include "lithe/scene.h"

bool lithe_copy_array(LitheContext *context, const void *from, int64_t count, size_t size,
                      const void **own);
bool lithe_copy_doubles(LitheContext *context, int64_t count, const double **array);
bool lithe_copy_text(LitheContext *context, const char **text);
bool lithe_copy_profile(LitheContext *context, LitheProfileDef *profile);

/// `block`, and the pointers of `profile`, may be NULL.
void lithe_free_const(LitheContext *context, const void *block);
void lithe_free_profile(LitheContext *context, LitheProfileDef *profile);

#endif
