// SPDX-License-Identifier: Apache-2.0
// base/suggest.h - "did you mean": the names nearest to a mistyped one

#ifndef LITHE_BASE_SUGGEST_H
#define LITHE_BASE_SUGGEST_H

#include <stddef.h>
#include <stdint.h>

/// Number of insertions, deletions, replacements and swaps of neighbouring letters that turn one
/// name into the other. Case is ignored. Names are compared up to 80 characters.
int32_t lithe_name_distance(const char *a, const char *b);

/// The nearest of `names` when it is similar enough, else NULL. Ties: the first.
const char *lithe_suggest(const char *wrong, const char *const *names, int32_t count);

/// The `capacity` nearest names that are similar enough, the nearest first, ties in their order:
/// up to half of the letters may be wrong. Without any, names with the same last word, else the
/// same first one (words are separated by dots). Returns how many.
int32_t lithe_suggest_several(const char *wrong, const char *const *names, int32_t count,
                              const char **out, int32_t capacity);

/// Appends "; did you mean radius?" to `text`, or the list of known names when none is similar.
void lithe_known_text(const char *wrong, const char *const *known, int32_t count, char *text,
                      size_t size);

#endif
