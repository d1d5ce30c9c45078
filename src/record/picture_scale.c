// SPDX-License-Identifier: Apache-2.0
// record/picture_scale.c - the bar that says which colour is which value, in the lower right corner

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/picture_parts.h"
#include "record/plot.h"
#include "record/svg.h"

enum { MAX_MARKS = 12, STRIPES = 64 };

// Places in pixels; y of values from the top.
typedef struct Bar {
    double left, right, top, bottom;
    double size;             // height of a capital letter
    double title_x, title_y; // left middle of the title
    int32_t count;
    double y[MAX_MARKS];
    char texts[MAX_MARKS][24];
} Bar;

static Bar place(const LithePicture *picture) {
    const LithePictureScale *scale = &picture->scale;
    double unit = fmin(picture->height, picture->width), wide = 0;
    Bar bar = {.size = 0.018 * unit, .bottom = picture->height - 0.06 * unit};
    bar.top = bar.bottom - 0.34 * unit;
    LithePlotTicks ticks = {0};
    double span = scale->high - scale->low;
    if (span > 1e-6 * fmax(fabs(scale->low), fabs(scale->high)))
        lithe_plot_ticks(scale->low, scale->high, false, 5, &ticks);
    else // equal values: one mark
        ticks = (LithePlotTicks){.at = {scale->low}, .count = 1};
    for (int32_t i = 0; i < ticks.count && bar.count < MAX_MARKS; i++) {
        char *text = bar.texts[bar.count];
        snprintf(text, sizeof bar.texts[0], "%.4g", ticks.at[i]);
        wide = fmax(wide, lithe_picture_text_width(bar.size, text));
        double part = fmin(fmax((ticks.at[i] - scale->low) / span, 0), 1);
        bar.y[bar.count++] = bar.bottom - part * (bar.bottom - bar.top);
    }
    double margin = 0.035 * unit;
    bar.right = picture->width - margin - wide - 0.8 * bar.size;
    bar.left = bar.right - 0.022 * unit;
    double title = lithe_picture_text_width(bar.size, scale->title);
    bar.title_x = fmin(bar.left, picture->width - margin - title);
    bar.title_y = bar.top - 2 * bar.size;
    return bar;
}

static LitheColour ink_of(const LithePicture *picture) {
    return picture->dark ? (LitheColour){0.92, 0.91, 0.88} : (LitheColour){0.16, 0.17, 0.20};
}

static void put_pixel(LitheImage *image, int32_t x, int32_t y, LitheColour colour) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height)
        return;
    uint8_t *at = image->rgba + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    at[0] = (uint8_t)lround(255 * colour.r);
    at[1] = (uint8_t)lround(255 * colour.g);
    at[2] = (uint8_t)lround(255 * colour.b);
}

void lithe_picture_scale_image(const LithePicture *picture, LitheImage *image) {
    if (!picture->scale.title)
        return;
    Bar bar = place(picture);
    LitheColour ink = ink_of(picture), halo = lithe_picture_background(picture);
    int32_t left = (int32_t)lround(bar.left), right = (int32_t)lround(bar.right);
    int32_t top = (int32_t)lround(bar.top), bottom = (int32_t)lround(bar.bottom);
    for (int32_t y = top; y <= bottom; y++)
        for (int32_t x = left; x <= right; x++) {
            bool edge = y == top || y == bottom || x == left || x == right;
            double part = (bottom - y) / (double)(bottom - top);
            put_pixel(image, x, y, edge ? ink : lithe_picture_map(part));
        }
    for (int32_t i = 0; i < bar.count; i++) {
        for (int32_t x = right; x <= right + (int32_t)(0.4 * bar.size); x++)
            put_pixel(image, x, (int32_t)lround(bar.y[i]), ink);
        lithe_picture_text(image, bar.right + 0.8 * bar.size, bar.y[i], bar.size, ink, halo,
                           bar.texts[i]);
    }
    lithe_picture_text(image, bar.title_x, bar.title_y, bar.size, ink, halo, picture->scale.title);
}

static void write_text(FILE *file, double x, double y, double size, LitheColour ink,
                       LitheColour halo, const char *text) {
    // a capital letter is about 0.72 of the size of its font
    lithe_svg(file,
              "<text x=\"%n\" y=\"%n\" font-size=\"%n\" fill=\"%c\" stroke=\"%c\" "
              "stroke-width=\"%n\" paint-order=\"stroke\">%t</text>\n",
              x, y + 0.5 * size, size / 0.72, ink, halo, 0.35 * size, text);
}

void lithe_picture_scale_svg(const LithePicture *picture, FILE *file) {
    if (!picture->scale.title)
        return;
    Bar bar = place(picture);
    LitheColour ink = ink_of(picture), halo = lithe_picture_background(picture);
    double step = (bar.bottom - bar.top) / STRIPES;
    for (int32_t i = 0; i < STRIPES; i++) // each reaches under the next one: no seams
        lithe_svg(file, "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"%c\"/>\n",
                  bar.left, bar.top + i * step, bar.right - bar.left,
                  i + 1 < STRIPES ? 1.5 * step : step, lithe_picture_map(1 - (i + 0.5) / STRIPES));
    lithe_svg(file,
              "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"none\" stroke=\"%c\"/>\n",
              bar.left, bar.top, bar.right - bar.left, bar.bottom - bar.top, ink);
    for (int32_t i = 0; i < bar.count; i++) {
        lithe_svg(file, "<path d=\"M%n %nL%n %n\" stroke=\"%c\"/>\n", bar.right, bar.y[i],
                  bar.right + 0.4 * bar.size, bar.y[i], ink);
        write_text(file, bar.right + 0.8 * bar.size, bar.y[i], bar.size, ink, halo, bar.texts[i]);
    }
    write_text(file, bar.title_x, bar.title_y, bar.size, ink, halo, picture->scale.title);
}
