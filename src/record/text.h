// SPDX-License-Identifier: Apache-2.0
// record/text.h - numbers in text files

#ifndef LITHE_RECORD_TEXT_H
#define LITHE_RECORD_TEXT_H

#include <stdio.h>

/// Writes all significant digits, with a decimal point in every locale.
void lithe_text_number(FILE *file, double number);

/// The same of a time, to 15 digits: sums of steps are 0.6, not 0.6000000000000001.
void lithe_text_time(FILE *file, double time);

#endif
