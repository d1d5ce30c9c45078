// SPDX-License-Identifier: Apache-2.0
// scene/colour.c - colours of shapes in scene files: names, "#rrggbb", [r, g, b]

#include "scene/read.h"

#include <string.h>

// in the order of `values`
const char *const lithe_colour_words[] = {"black",  "white",  "grey",  "gray",  "silver", "red",
                                          "orange", "yellow", "gold",  "olive", "green",  "lime",
                                          "teal",   "cyan",   "blue",  "navy",  "purple", "magenta",
                                          "pink",   "brown",  "beige", NULL};

// as in CSS
static const uint32_t values[] = {0x000000, 0xffffff, 0x808080, 0x808080, 0xc0c0c0, 0xff0000,
                                  0xffa500, 0xffff00, 0xffd700, 0x808000, 0x008000, 0x00ff00,
                                  0x008080, 0x00ffff, 0x0000ff, 0x000080, 0x800080, 0xff00ff,
                                  0xffc0cb, 0xa52a2a, 0xf5f5dc};
_Static_assert(sizeof values / sizeof *values + 1 ==
                   sizeof lithe_colour_words / sizeof *lithe_colour_words,
               "one value per name");

static LitheVec3 from_bytes(uint32_t rgb) {
    return (LitheVec3){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

// "#rrggbb"; false for any other text
static bool from_digits(const char *text, LitheVec3 *colour) {
    uint32_t rgb = 0;
    if (text[0] != '#' || strlen(text) != 7)
        return false;
    for (const char *c = text + 1; *c; c++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *at = strchr(digits, *c);
        if (!at)
            return false;
        uint32_t digit = (uint32_t)(at - digits);
        rgb = 16 * rgb + (digit < 16 ? digit : digit - 6);
    }
    *colour = from_bytes(rgb);
    return true;
}

bool lithe_read_colour(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *colour) {
    double rgb[3];
    if (node->kind != LITHE_TREE_SCALAR) {
        if (!lithe_read_numbers(reader, node, LITHE_WANT_NUMBER, 3, rgb))
            return false;
        for (int i = 0; i < 3; i++)
            if (!(rgb[i] >= 0 && rgb[i] <= 1))
                return lithe_read_fail(reader, node,
                                       "number %d of the colour is %.9g, must be 0 "
                                       "to 1",
                                       i + 1, rgb[i]);
        *colour = (LitheVec3){rgb[0], rgb[1], rgb[2]};
        return true;
    }
    if (from_digits(node->text, colour))
        return true;
    int word;
    if (!lithe_read_word(reader, node, lithe_colour_words, &word))
        return false;
    *colour = from_bytes(values[word]);
    return true;
}
