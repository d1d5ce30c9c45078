// SPDX-License-Identifier: Apache-2.0
// record/svg.h - common to all SVG writers: numbers, text, colours, head and tail

#ifndef LITHE_RECORD_SVG_H
#define LITHE_RECORD_SVG_H

#include <stdio.h>

#include "lithe/base.h"
#include "record/picture.h"

/// A number with max three decimals, independent of the locale; 0 for numbers that are not finite.
void lithe_svg_number(FILE *file, double value);

/// Text between tags or in an attribute: escaped, with bytes that XML or UTF-8 forbid replaced.
void lithe_svg_text(FILE *file, const char *text);

/// "#rrggbb" of an sRGB colour, clamped.
void lithe_svg_colour(FILE *file, LitheColour colour);

/// Writes a template: %n number, %t text, %c colour (by value), %d int, %% percent.
void lithe_svg(FILE *file, const char *format, ...);

/// Writes the head of a file of this size in pixels; `title` may be NULL.
void lithe_svg_begin(FILE *file, int32_t width, int32_t height, const char *title);
void lithe_svg_end(FILE *file);

#endif
