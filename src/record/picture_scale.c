// SPDX-License-Identifier: Apache-2.0
// record/picture_scale.c - the bar that says which colour is which value, in the lower right
// corner, or in an upper one if it would cover things there

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

// --- the corner ----------------------------------------------------------------------------------

typedef struct Rect {
    double low[2], high[2]; // pixels: x right, y down
} Rect;

static Rect rect_of(const Bar *bar, const LithePicture *picture) {
    double right =
        fmax(bar->title_x + lithe_picture_text_width(bar->size, picture->scale.title), bar->right);
    for (int32_t i = 0; i < bar->count; i++)
        right = fmax(right, bar->right + 0.8 * bar->size +
                                lithe_picture_text_width(bar->size, bar->texts[i]));
    return (Rect){{fmin(bar->left, bar->title_x), bar->title_y - bar->size},
                  {right, bar->bottom + bar->size}};
}

// Whether the extent in the picture of balls around these points meets the rectangle.
static bool meets(const LithePictureView *view, const Rect *rect, const Vec3 *x, int32_t count,
                  double radius) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; i++) {
        double at[2], depth;
        if (!lithe_picture_project(view, x[i], &at[0], &at[1], &depth))
            continue;
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k] - radius * view->focal / depth);
            high[k] = fmax(high[k], at[k] + radius * view->focal / depth);
        }
    }
    return low[0] < rect->high[0] && high[0] > rect->low[0] && low[1] < rect->high[1] &&
           high[1] > rect->low[1];
}

// number of edges of tubes, spheres and triangles that may be behind the rectangle
static int64_t count_behind(const LithePicture *picture, const LithePictureView *view,
                            const Rect *rect) {
    int64_t behind = 0;
    for (int32_t i = 0; i < picture->tube_count; i++) {
        const LithePictureTube *tube = &picture->tubes[i];
        for (int32_t k = 0; k < tube->point_count; k++) {
            int32_t next = (k + 1) % tube->point_count;
            Vec3 ends[2] = {v3_load(tube->points + 3 * k), v3_load(tube->points + 3 * next)};
            int32_t count = next > k || tube->closed ? 2 : 1;
            behind +=
                meets(view, rect, ends, count, tube->radii ? tube->radii[k] : tube->half_width);
        }
    }
    for (int32_t i = 0; i < picture->sphere_count; i++) {
        Vec3 centre = picture->spheres[i].centre;
        behind += meets(view, rect, &centre, 1, picture->spheres[i].radius);
    }
    for (int32_t i = 0; i < picture->mesh_count; i++) {
        const LithePictureMesh *mesh = &picture->meshes[i];
        for (int32_t k = 0; k < mesh->triangle_count; k++) {
            Vec3 corners[3];
            for (int32_t c = 0; c < 3; c++)
                corners[c] = v3_load(mesh->points + 3 * (ptrdiff_t)mesh->triangles[3 * k + c]);
            behind += meets(view, rect, corners, 3, 0);
        }
    }
    return behind;
}

static Bar moved(Bar bar, double right, double down) {
    bar.left += right, bar.right += right, bar.title_x += right;
    bar.top += down, bar.bottom += down, bar.title_y += down;
    for (int32_t i = 0; i < bar.count; i++)
        bar.y[i] += down;
    return bar;
}

// Where least is covered: lower right, upper right, upper left; forces have their scale at the
// lower left.
static Bar choose_corner(const LithePicture *picture, Bar bar) {
    if (picture->scale.fixed)
        return bar;
    LithePictureCamera camera = lithe_picture_camera(picture);
    LithePictureView view = lithe_picture_view(picture, &camera);
    Rect rect = rect_of(&bar, picture);
    double margin = picture->width - rect.high[0];
    double left = margin - rect.low[0], up = margin - rect.low[1];
    const double shifts[3][2] = {{0, 0}, {0, up}, {left, up}};
    Bar best = bar;
    int64_t least = INT64_MAX;
    for (int i = 0; i < 3 && least > 0; i++) {
        Bar at = moved(bar, shifts[i][0], shifts[i][1]);
        rect = rect_of(&at, picture);
        int64_t behind = count_behind(picture, &view, &rect);
        if (behind < least)
            best = at, least = behind;
    }
    return best;
}

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
    return choose_corner(picture, bar);
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
