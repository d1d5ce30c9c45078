// SPDX-License-Identifier: Apache-2.0
// cli/validate/draw.c - the plot of a case: references as lines, measurements as marks

#include "cli/validate/validate.h"

#include "record/plot.h"

// margins around the axes of a chart, for plots with one scale on both axes [pixels]
#define MARGIN_X 110
#define MARGIN_Y 110

static void grow(double *low, double *high, const double *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

// each axis has its own range; the size of the chart is such that a circle is a circle
static void make_equal(LithePlot *chart, const LitheTrialPlot *plot) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int32_t k = 0; k < plot->curve_count; k++) {
        grow(&low[0], &high[0], plot->curves[k].x, plot->curves[k].count);
        grow(&low[1], &high[1], plot->curves[k].y, plot->curves[k].count);
    }
    double margin = 0.05 * fmax(high[0] - low[0], high[1] - low[1]);
    chart->x.own_range = chart->y.own_range = true;
    chart->x.low = low[0] - margin;
    chart->x.high = high[0] + margin;
    chart->y.low = low[1] - margin;
    chart->y.high = high[1] + margin;
    double ratio = (chart->y.high - chart->y.low) / (chart->x.high - chart->x.low);
    chart->height = (int32_t)lround(ratio * (chart->width - MARGIN_X)) + MARGIN_Y;
}

LitheStatus lithe_validate_draw(LitheContext *context, const char *path, const LitheTrialPlot *plot,
                                LitheError *error) {
    LithePlotSeries series[LITHE_TRIAL_CURVES] = {0};
    LithePlot chart = lithe_plot_default();
    // lines first: marks are on top
    int32_t count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < plot->curve_count; k++) {
            const LitheTrialCurve *curve = &plot->curves[k];
            if (curve->points != (pass == 1))
                continue;
            LithePlotSeries *s = &series[count++];
            s->name = curve->label[0] ? curve->label : NULL;
            s->x = curve->x;
            s->y = curve->y;
            s->count = curve->count;
            s->markers = s->no_line = curve->points;
        }
    chart.title = plot->title;
    chart.x.title = plot->x_label;
    chart.y.title = plot->y_label;
    chart.x.log = plot->log_x;
    chart.y.log = plot->log_y;
    chart.series = series;
    chart.series_count = plot->curve_count;
    if (plot->equal)
        make_equal(&chart, plot);
    return lithe_plot_write_svg(context, &chart, path, error);
}
