// SPDX-License-Identifier: Apache-2.0
// record/equal_constants.h - constants of a recording that are equal are stored once

#ifndef LITHE_RECORD_EQUAL_CONSTANTS_H
#define LITHE_RECORD_EQUAL_CONSTANTS_H

#include "record/layout.h"

/// Sets `same[i]` to the first constant that equals column i in kind, sizes, unit, axes and all
/// values by their bits, or to i itself when column i is the first such constant, or per frame.
/// `same` has `column_count` entries. False when out of memory.
bool lithe_equal_constants(const LitheLayout *layout, int32_t *same);

#endif
