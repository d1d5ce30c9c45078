// SPDX-License-Identifier: Apache-2.0
// base/suggest.h - "did you mean": the name nearest to a mistyped one

#ifndef LITHE_BASE_SUGGEST_H
#define LITHE_BASE_SUGGEST_H

#include <stdint.h>

/// Insertions, deletions, changes and swaps of neighbours that lead from one to the other, upper
/// and lower case alike. Names are compared up to 80 characters.
int32_t lithe_name_distance(const char *a, const char *b);

/// The nearest of `names` when it is similar enough, else NULL. Ties: the first.
const char *lithe_suggest(const char *wrong, const char *const *names, int32_t count);

#endif
