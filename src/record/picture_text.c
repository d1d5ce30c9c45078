// SPDX-License-Identifier: Apache-2.0
// record/picture_text.c - labels in strokes
#include "record/picture_parts.h"
void lithe_picture_text(LitheImage *image, double x, double y, double size, LitheColour colour,
                        LitheColour halo, const char *text) {
    (void)image;
    (void)x;
    (void)y;
    (void)size;
    (void)colour;
    (void)halo;
    (void)text;
}
