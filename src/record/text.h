// SPDX-License-Identifier: Apache-2.0
// record/text.h - numbers in text files

#ifndef LITHE_RECORD_TEXT_H
#define LITHE_RECORD_TEXT_H

#include <stdio.h>

/// Writes all significant digits, with a decimal point in every locale.
void lithe_text_number(FILE *file, double number);

#endif
