// SPDX-License-Identifier: Apache-2.0
// record/plot_parts.h - inside of charts: their SVG, and what draws it as pixels and as PDF
//
// A chart is written as SVG once. PNG and PDF are made from that text: its elements are few (rect,
// path of straight pieces, circle, text, groups), and all three formats show the same chart.

#ifndef LITHE_RECORD_PLOT_PARTS_H
#define LITHE_RECORD_PLOT_PARTS_H

#include "record/picture.h"
#include "record/plot.h"

#include <stdio.h>

/// Larger values would overflow in the arithmetic of an axis.
#define LITHE_PLOT_MAX 1e300

/// The left and the right side of the frames of charts that stand below each other [pixels].
void lithe_plot_sides(const LithePlot *plots, int32_t count, double sides[2]);

/// Writes the elements of a chart; `number` tells the charts of a file apart.
void lithe_plot_draw(FILE *file, const LithePlot *plot, const double sides[2], int32_t number);

/// The frame of a chart in pixels, and places of values on its axes.
typedef struct LithePlotFrame {
    double left, right, top, bottom;
    double (*x)(const void *chart, double value);
    double (*y)(const void *chart, double value);
    const void *chart;
} LithePlotFrame;

enum { LITHE_PLOT_SCALE_WIDTH = 86 }; // pixels to the right of the frame for the scale of cells

/// The cells of a heat map, and the scale of their colours (plot_cells.c).
void lithe_plot_draw_cells(FILE *file, const LithePlotCells *cells, const LithePlotFrame *frame);
void lithe_plot_draw_scale(FILE *file, const LithePlotCells *cells, const LithePlotFrame *frame);

/// How something is drawn.
typedef struct LithePlotPen {
    LitheColour fill, stroke;
    bool filled, stroked;
    double opacity; // of the fill
    double width;   // of strokes
    double dash[2]; // lengths of dashes and gaps; 0: none
    bool clipped;
    double clip[4];     // left, top, right, bottom
    double font;        // size of letters
    bool bold, upright; // text from bottom to top
    double anchor;      // of text: 0 starts at its point, 0.5 is centred, 1 ends there
    double x, y;        // origin of the group
} LithePlotPen;

/// What draws. Points are [count][2], y downwards.
typedef struct LithePlotCanvas {
    void *to;
    void (*stroke)(void *to, const LithePlotPen *pen, const double *points, int32_t count);
    void (*fill)(void *to, const LithePlotPen *pen, const double *points, int32_t count); // convex
    void (*text)(void *to, const LithePlotPen *pen, double x, double y, const char *text);
    double (*width)(const char *text, double size, bool bold);
} LithePlotCanvas;

/// Draws the SVG text of charts; the text is changed. LITHE_NO_MEMORY is the only failure.
LitheStatus lithe_plot_read_svg(LitheContext *context, char *svg, const LithePlotCanvas *canvas,
                                LitheError *error);

LitheStatus lithe_plot_write_png(LitheContext *context, char *svg, int32_t width, int32_t height,
                                 const char *path, LitheError *error);
LitheStatus lithe_plot_write_pdf(LitheContext *context, char *svg, int32_t width, int32_t height,
                                 const char *path, LitheError *error);

#endif
