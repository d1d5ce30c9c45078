// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_mixed.h - random worlds of all kinds, schemes and contact models

#ifndef LITHE_CLI_WORLDS_MIXED_H
#define LITHE_CLI_WORLDS_MIXED_H

#include <stdbool.h>
#include <stdint.h>

/// The scene file of the world of a seed, as text that the caller frees; NULL when out of memory.
/// `driven`: something does work on it; `size` [m].
char *lithe_mixed_world_make(uint64_t seed, bool *driven, double *size);

#endif
