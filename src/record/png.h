// SPDX-License-Identifier: Apache-2.0
// record/png.h - an image to a PNG file

#ifndef LITHE_RECORD_PNG_H
#define LITHE_RECORD_PNG_H

#include "lithe/base.h"

/// Writes `rgba` [4*width*height] bytes, rows from the top. The file is replaced atomically.
LitheStatus lithe_png_write(LitheContext *context, const char *path, const uint8_t *rgba,
                            int32_t width, int32_t height, LitheError *error);

#endif
