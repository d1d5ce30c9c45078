// SPDX-License-Identifier: Apache-2.0
// base/suggest.h - "did you mean": the name nearest to a mistyped one

#ifndef LITHE_BASE_SUGGEST_H
#define LITHE_BASE_SUGGEST_H

#include <stdint.h>

/// Number of insertions, deletions, replacements and swaps of neighbouring letters that turn one
/// name into the other. Case is ignored. Names are compared up to 80 characters.
int32_t lithe_name_distance(const char *a, const char *b);

/// The nearest of `names` when it is similar enough, else NULL. Ties: the first.
const char *lithe_suggest(const char *wrong, const char *const *names, int32_t count);

#endif
