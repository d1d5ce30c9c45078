// SPDX-License-Identifier: Apache-2.0
// record/plot.h - charts as SVG, PNG and PDF: lines and marks over linear or logarithmic axes
//
// A LithePlot only points at the caller's arrays. The background is white, so that the chart is
// readable on any page.

#ifndef LITHE_RECORD_PLOT_H
#define LITHE_RECORD_PLOT_H

#include "lithe/base.h"

typedef struct LithePlotSeries {
    const char *name; // in the legend; NULL: not shown there
    const double *x;  // [count]
    const double *y;  // [count]; a value that is not finite (or <= 0 on a log axis) breaks the line
    int32_t count;
    bool markers; // a mark at every point
    bool no_line;
    bool dashed;
} LithePlotSeries;

/// A straight line across the whole chart, with its name beside it.
typedef struct LithePlotReference {
    double at;
    bool vertical;    // at x = `at`; else at y = `at`
    const char *name; // may be NULL
} LithePlotReference;

typedef struct LithePlotAxis {
    const char *title; // with its unit: "tension [N]"; may be NULL
    bool log;
    bool own_range; // `low` to `high` instead of the range of the data
    double low, high;
} LithePlotAxis;

/// A heat map: cells between edges, coloured by their values as lithe_picture_map says.
typedef struct LithePlotCells {
    const double *x, *y;  // [columns + 1], [rows + 1] edges, growing; > 0 on log axes
    const double *values; // [rows][columns]; not finite: the cell stays empty
    int32_t columns, rows;
    double low, high;  // values of the first and the last colour
    const char *title; // of the scale beside the chart, with its unit
} LithePlotCells;

typedef struct LithePlot {
    const char *title; // may be NULL
    LithePlotAxis x, y;
    const LithePlotSeries *series;
    const LithePlotReference *references;
    int32_t series_count, reference_count;
    const LithePlotCells *cells; // below the series; NULL: none
    int32_t width, height;       // pixels
} LithePlot;

/// An empty chart of 640 x 420.
LithePlot lithe_plot_default(void);

/// Writes charts below each other into one file, as the end of its name says: .svg, .png (with two
/// pixels for one of the chart) or .pdf. The file is replaced atomically. Empty and degenerate data
/// also give a chart.
LitheStatus lithe_plot_write(LitheContext *context, const LithePlot *plots, int32_t count,
                             const char *path, LitheError *error);

/// The same for one chart and any name: as SVG.
LitheStatus lithe_plot_write_svg(LitheContext *context, const LithePlot *plot, const char *path,
                                 LitheError *error);

/// Whether the name of a file ends as that of a chart.
bool lithe_plot_is_name(const char *path);

enum { LITHE_PLOT_TICKS = 64 };

typedef struct LithePlotTicks {
    double at[LITHE_PLOT_TICKS];  // growing, all within the range
    bool minor[LITHE_PLOT_TICKS]; // without a label
    int32_t count;
    double step;      // of linear ticks
    int32_t tens;     // labels of linear ticks are divided by ten to this power
    int32_t decimals; // number of decimals of the labels
} LithePlotTicks;

/// Ticks at round numbers, about `wanted` of them; needs low < high, both > 0 when `log`.
void lithe_plot_ticks(double low, double high, bool log, int32_t wanted, LithePlotTicks *ticks);

#endif
