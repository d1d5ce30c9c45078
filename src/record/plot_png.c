// SPDX-License-Identifier: Apache-2.0
// record/plot_png.c - charts as pixels: strokes and fills by the distance of pixel centres, text in
// the stroke font of pictures

#include "base/memory.h"
#include "base/status.h"
#include "record/picture_parts.h"
#include "record/plot_parts.h"
#include "record/png.h"

#include <math.h>
#include <string.h>

// pixels for one of the chart, so that lines and letters are sharp on screens and in print
#define SCALE 2.0
// height of capital letters over the size of a font, as in Helvetica
#define CAPITAL 0.72
// letters of the stroke font are wider than those of Helvetica: lower, they are as wide
#define LETTERS 0.86

typedef struct Canvas {
    LitheContext *context;
    LitheImage image;
    bool failed;
} Canvas;

static void mix(Canvas *c, int32_t x, int32_t y, LitheColour to, double part) {
    uint8_t *p = c->image.rgba + 4 * ((size_t)y * (size_t)c->image.width + (size_t)x);
    const double value[3] = {to.r, to.g, to.b};
    for (int k = 0; k < 3; k++)
        p[k] = (uint8_t)lround(p[k] + part * (255 * value[k] - p[k]));
}

// The pixels of a box that lie in the image and in the clip of the pen; false: none.
static bool clip_box(const Canvas *c, const LithePlotPen *pen, double x0, double y0, double x1,
                     double y1, int32_t box[4]) {
    double low[2] = {fmax(x0, 0), fmax(y0, 0)};
    double high[2] = {fmin(x1, c->image.width - 1.0), fmin(y1, c->image.height - 1.0)};
    for (int k = 0; pen->clipped && k < 2; k++) {
        low[k] = fmax(low[k], SCALE * pen->clip[k]);
        high[k] = fmin(high[k], SCALE * pen->clip[2 + k] - 1);
    }
    if (!(low[0] <= high[0] && low[1] <= high[1]))
        return false;
    box[0] = (int32_t)low[0];
    box[1] = (int32_t)low[1];
    box[2] = (int32_t)high[0];
    box[3] = (int32_t)high[1];
    return true;
}

static double distance_to(const double s[4], double x, double y) {
    double dx = s[2] - s[0], dy = s[3] - s[1], l = dx * dx + dy * dy;
    double u = l > 0 ? ((x - s[0]) * dx + (y - s[1]) * dy) / l : 0;
    u = fmin(fmax(u, 0), 1);
    return hypot(x - s[0] - u * dx, y - s[1] - u * dy);
}

// a straight piece, in pixels of the image
static void draw_piece(Canvas *c, const LithePlotPen *pen, const double s[4]) {
    double half = 0.5 * SCALE * pen->width, reach = half + 1;
    int32_t box[4];
    if (!clip_box(c, pen, fmin(s[0], s[2]) - reach, fmin(s[1], s[3]) - reach,
                  fmax(s[0], s[2]) + reach, fmax(s[1], s[3]) + reach, box))
        return;
    for (int32_t j = box[1]; j <= box[3]; j++)
        for (int32_t i = box[0]; i <= box[2]; i++) {
            double cover = fmin(fmax(0.5 + half - distance_to(s, i + 0.5, j + 0.5), 0), 1);
            if (cover > 0)
                mix(c, i, j, pen->stroke, cover);
        }
}

// a piece in dashes; `along` is the length drawn so far
static void draw_dashed(Canvas *c, const LithePlotPen *pen, const double s[4], double *along) {
    double length = hypot(s[2] - s[0], s[3] - s[1]), period = SCALE * (pen->dash[0] + pen->dash[1]);
    double dash = SCALE * pen->dash[0];
    for (double at = 0; at < length;) {
        double phase = fmod(*along + at, period), to = fmin(length, at + period - phase);
        if (phase < dash) {
            double end = fmin(length, at + dash - phase), u = at / length, v = end / length;
            const double piece[4] = {s[0] + u * (s[2] - s[0]), s[1] + u * (s[3] - s[1]),
                                     s[0] + v * (s[2] - s[0]), s[1] + v * (s[3] - s[1])};
            draw_piece(c, pen, piece);
        }
        at = fmax(to, at + 1e-6 * period);
    }
    *along += length;
}

static void stroke(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    double along = 0;
    for (int32_t i = 0; i + 1 < count; i++) {
        const double *p = points + 2 * i;
        const double s[4] = {SCALE * p[0], SCALE * p[1], SCALE * p[2], SCALE * p[3]};
        if (pen->dash[0] > 0)
            draw_dashed(to, pen, s, &along);
        else
            draw_piece(to, pen, s);
    }
}

// a convex polygon: a pixel is inside by its smallest distance from the edges
static void fill(void *to, const LithePlotPen *pen, const double *points, int32_t count) {
    Canvas *c = to;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, area = 0;
    for (int32_t i = 0; i < count; i++) {
        const double *p = points + 2 * i, *q = points + 2 * ((i + 1) % count);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], SCALE * p[k]);
            high[k] = fmax(high[k], SCALE * p[k]);
        }
        area += p[0] * q[1] - p[1] * q[0];
    }
    int32_t box[4];
    if (!clip_box(c, pen, low[0] - 1, low[1] - 1, high[0] + 1, high[1] + 1, box))
        return;
    for (int32_t j = box[1]; j <= box[3]; j++)
        for (int32_t i = box[0]; i <= box[2]; i++) {
            double inside = INFINITY;
            for (int32_t k = 0; k + 1 < count; k++) {
                const double *p = points + 2 * k;
                double dx = p[2] - p[0], dy = p[3] - p[1], l = hypot(dx, dy);
                double cross = dx * (j + 0.5 - SCALE * p[1]) - dy * (i + 0.5 - SCALE * p[0]);
                if (l > 0)
                    inside = fmin(inside, copysign(cross / l, 1) * (cross * area < 0 ? -1 : 1));
            }
            double cover = fmin(fmax(0.5 + inside, 0), 1);
            if (cover > 0)
                mix(c, i, j, pen->fill, cover * pen->opacity);
        }
}

static double width_of(const char *text, double size, bool bold) {
    (void)bold; // the font has one weight
    return lithe_picture_text_width(CAPITAL * LETTERS * size, text);
}

// Text from bottom to top: drawn along a row of its own, then turned.
static void text_upright(Canvas *c, const LithePlotPen *pen, double x, double y, const char *text) {
    double size = SCALE * CAPITAL * LETTERS * pen->font;
    int32_t length = (int32_t)(SCALE * width_of(text, pen->font, pen->bold)) + 8;
    int32_t height = (int32_t)(3 * size);
    LitheImage row = {.rgba = lithe_alloc_array(c->context, 4 * (int64_t)length * height, 1),
                      .width = length,
                      .height = height};
    c->failed = c->failed || !row.rgba;
    if (!row.rgba)
        return;
    memset(row.rgba, 255, 4 * (size_t)length * (size_t)height);
    lithe_picture_text(&row, 4, 0.5 * height, size, pen->fill, (LitheColour){1, 1, 1}, text);
    double middle = SCALE * x - 0.5 * size;
    for (int32_t j = 0; j < height; j++)
        for (int32_t i = 0; i < length; i++) {
            const uint8_t *p = row.rgba + 4 * ((size_t)j * (size_t)length + (size_t)i);
            int32_t px = (int32_t)lround(middle + j - 0.5 * height);
            int32_t py = (int32_t)lround(SCALE * y - (i - 4));
            if (p[0] == 255 || px < 0 || py < 0 || px >= c->image.width || py >= c->image.height)
                continue;
            mix(c, px, py, (LitheColour){p[0] / 255.0, p[1] / 255.0, p[2] / 255.0}, 1);
        }
    lithe_free(c->context, row.rgba);
}

static void text(void *to, const LithePlotPen *pen, double x, double y, const char *said) {
    Canvas *c = to;
    double size = SCALE * CAPITAL * LETTERS * pen->font;
    if (pen->upright)
        text_upright(c, pen, x, y, said);
    else
        lithe_picture_text(&c->image, SCALE * x, SCALE * y - 0.5 * size, size, pen->fill,
                           (LitheColour){1, 1, 1}, said);
}

LitheStatus lithe_plot_write_png(LitheContext *context, char *svg, int32_t width, int32_t height,
                                 const char *path, LitheError *error) {
    int32_t w = (int32_t)(SCALE * width), h = (int32_t)(SCALE * height);
    Canvas c = {.context = context, .image = {.width = w, .height = h}};
    c.image.rgba = lithe_alloc_array(context, 4 * (int64_t)w * h, 1);
    if (!c.image.rgba)
        return lithe_fail_memory(error, "the pixels of a chart");
    memset(c.image.rgba, 255, 4 * (size_t)w * (size_t)h);
    const LithePlotCanvas canvas = {&c, stroke, fill, text, width_of};
    LitheStatus status = lithe_plot_read_svg(context, svg, &canvas, error);
    if (status == LITHE_OK && c.failed)
        status = lithe_fail_memory(error, "the text of a chart");
    if (status == LITHE_OK)
        status = lithe_png_write(context, path, c.image.rgba, w, h, error);
    lithe_free(context, c.image.rgba);
    return status;
}
