// SPDX-License-Identifier: Apache-2.0
// record/plot_cells.c - heat maps: coloured cells, and the scale of their colours

#include "record/plot_parts.h"
#include "record/svg.h"

#include <math.h>

enum { SCALE_STEPS = 32, SCALE_BAR = 14, SCALE_GAP = 14 };

static LitheColour colour_of(const LithePlotCells *cells, double value) {
    double span = cells->high - cells->low;
    return lithe_picture_map(span > 0 ? (value - cells->low) / span : 0);
}

void lithe_plot_draw_cells(FILE *file, const LithePlotCells *cells, const LithePlotFrame *frame) {
    for (int32_t r = 0; r < cells->rows; r++)
        for (int32_t c = 0; c < cells->columns; c++) {
            double value = cells->values[(int64_t)r * cells->columns + c];
            if (!isfinite(value))
                continue;
            double left = frame->x(frame->chart, cells->x[c]);
            double right = frame->x(frame->chart, cells->x[c + 1]);
            double bottom = frame->y(frame->chart, cells->y[r]);
            double top = frame->y(frame->chart, cells->y[r + 1]);
            // a little overlap, so that no line of the background shows between cells
            lithe_svg(file, "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"%c\"/>\n",
                      left, top, right - left + 0.4, bottom - top + 0.4, colour_of(cells, value));
        }
}

void lithe_plot_draw_scale(FILE *file, const LithePlotCells *cells, const LithePlotFrame *frame) {
    double left = frame->right + SCALE_GAP, height = frame->bottom - frame->top;
    for (int i = 0; i < SCALE_STEPS; i++) {
        double value = cells->low + (cells->high - cells->low) * (i + 0.5) / SCALE_STEPS;
        double top = frame->bottom - height * (i + 1) / SCALE_STEPS;
        lithe_svg(file, "<rect x=\"%n\" y=\"%n\" width=\"%d\" height=\"%n\" fill=\"%c\"/>\n", left,
                  top, SCALE_BAR, height / SCALE_STEPS + 0.4, colour_of(cells, value));
    }
    for (int i = 0; i <= 2; i++) {
        char text[32];
        snprintf(text, sizeof text, "%.3g", cells->low + 0.5 * i * (cells->high - cells->low));
        lithe_svg(file, "<text x=\"%n\" y=\"%n\">%t</text>\n", left + SCALE_BAR + 4,
                  frame->bottom - 0.5 * i * height +
                      (i == 0   ? 0
                       : i == 1 ? 4
                                : 10),
                  text);
    }
    if (cells->title)
        lithe_svg(file, "<text x=\"%n\" y=\"%n\" text-anchor=\"end\">%t</text>\n",
                  frame->right + LITHE_PLOT_SCALE_WIDTH + 14, frame->top - 6, cells->title);
}
