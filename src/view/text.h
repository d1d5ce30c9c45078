// SPDX-License-Identifier: Apache-2.0
// view/text.h - JSON texts built piece by piece

#ifndef LITHE_VIEW_TEXT_H
#define LITHE_VIEW_TEXT_H

#include "record/bytes.h"

/// Like printf, for pieces below 500 bytes that need no quoting. Not for decimal fractions.
void lithe_view_put(LitheBytes *text, const char *format, ...) LITHE_PRINTF(2, 3);

/// A number with nine digits, with a point in every locale; 0 for numbers that are not finite.
void lithe_view_put_number(LitheBytes *text, double number);

/// "[1,2,3]"
void lithe_view_put_numbers(LitheBytes *text, const double *numbers, int64_t count);

/// In quotes and escaped; bytes that are not UTF-8 become question marks. NULL becomes "".
void lithe_view_put_quoted(LitheBytes *text, const char *from);

#endif
