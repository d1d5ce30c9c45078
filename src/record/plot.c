// SPDX-License-Identifier: Apache-2.0
// record/plot.c - layout and drawing of a chart

#include "record/plot.h"

#include <math.h>
#include <string.h>

#include "record/plot_parts.h"
#include "record/svg.h"

enum { FONT = 13, LEGEND_ROW = 19 };

#define INK "#222"
#define MAX LITHE_PLOT_MAX

typedef struct Scale {
    double low, high; // of the axis; log10 of them on a log axis
    double from, to;  // pixels
    bool log;
    LithePlotTicks ticks;
} Scale;

// Names of the series, in a box.
typedef struct Legend {
    double x, y, width, height; // pixels
    int32_t rows;               // 0: none
} Legend;

typedef struct Chart {
    const LithePlot *plot;
    Legend legend;
    FILE *file;
    Scale x, y;
    double left, right, top, bottom; // of the frame, pixels
} Chart;

LithePlot lithe_plot_default(void) {
    return (LithePlot){.width = 640, .height = 420};
}

static LitheColour colour_of(int32_t i) {
    // different in hue and in lightness, so that they can be distinguished in grey prints and by
    // colour-blind readers
    static const uint32_t set[] = {0x1b5e9b, 0xd4572a, 0x3c9161, 0x7b4ea0,
                                   0xc8991a, 0x3ba3b8, 0xa93a63, 0x555555};
    uint32_t c = set[i % (int32_t)(sizeof set / sizeof *set)];
    return (LitheColour){(c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0};
}

// --- ranges --------------------------------------------------------------------------------------

static bool usable(double value, bool log) {
    return isfinite(value) && (!log || value > 0);
}

static void widen(double value, bool log, double *low, double *high) {
    if (!usable(value, log))
        return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

// Range of the data along one axis, without margin; low > high when there are none.
static void data_range(const LithePlot *plot, bool along_y, double *low, double *high) {
    bool log = along_y ? plot->y.log : plot->x.log;
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t k = 0; k < plot->series_count; k++) {
        const LithePlotSeries *s = &plot->series[k];
        for (int32_t i = 0; i < s->count; i++)
            if (usable(s->x[i], plot->x.log) && usable(s->y[i], plot->y.log))
                widen(along_y ? s->y[i] : s->x[i], log, low, high);
    }
    for (int32_t k = 0; k < plot->reference_count; k++)
        if (plot->references[k].vertical != along_y)
            widen(plot->references[k].at, log, low, high);
}

static void linear_margin(bool along_y, double *low, double *high) {
    *low = fmin(fmax(*low, -MAX), MAX);
    *high = fmin(fmax(*high, -MAX), MAX);
    // all equal, or equal except for rounding
    double size = fmax(fabs(*low), fabs(*high)), span = *high - *low;
    if (!(span > 1e-12 * size) || span < 1e-300) {
        double pad = size > 1e-290 ? 0.1 * size : 1;
        *low -= pad;
        *high += pad;
        return;
    }
    // an axis of positive numbers starts at 0 when that is near
    bool from_zero = *low >= 0 && *low < 0.25 * *high;
    bool to_zero = *high <= 0 && *high > 0.25 * *low;
    double pad = (along_y ? 0.06 : 0.02) * span;
    *low = from_zero ? 0 : *low - pad;
    *high = to_zero ? 0 : *high + (along_y || !from_zero ? pad : 0.02 * span);
}

static void set_range(const LithePlot *plot, bool along_y, Scale *scale) {
    const LithePlotAxis *axis = along_y ? &plot->y : &plot->x;
    double low = axis->low, high = axis->high;
    scale->log = axis->log;
    if (!axis->own_range) {
        data_range(plot, along_y, &low, &high);
        if (!(low <= high)) {
            low = axis->log ? 1 : 0;
            high = axis->log ? 10 : 1;
        } else if (!axis->log) {
            linear_margin(along_y, &low, &high);
        } else {
            // at least a little more than the data, and a third of a decade
            double a = fmax(log10(low), -300), b = fmin(log10(high), 300);
            a = fmin(a, 300), b = fmax(b, -300);
            double pad = fmax(fmax(0.04 * (b - a), 0.02), 0.5 * (0.35 - (b - a)));
            pad = fmin(pad, 2);
            low = pow(10, a - pad);
            high = pow(10, b + pad);
        }
    }
    lithe_plot_ticks(low, high, axis->log, along_y ? 6 : 7, &scale->ticks);
    scale->low = axis->log ? log10(low) : low;
    scale->high = axis->log ? log10(high) : high;
}

static double place(const Scale *scale, double value) {
    double v = scale->log ? log10(value) : value;
    // halves, because high - low may overflow
    double f = (0.5 * v - 0.5 * scale->low) / (0.5 * scale->high - 0.5 * scale->low);
    return scale->from + fmin(fmax(f, -50), 50) * (scale->to - scale->from);
}

// --- text ----------------------------------------------------------------------------------------

// Width of a text in pixels, from mean widths of letters; a UTF-8 character counts once.
static double text_width(const char *text, double size) {
    double letters = 0;
    for (const char *p = text; *p; p++)
        if ((*p & 0xc0) != 0x80)
            letters += strchr("ilI.,:;'|!()[]fjrt ", *p) ? 0.36
                       : strchr("mwMW%@", *p)            ? 0.85
                                                         : 0.57;
    return letters * size;
}

// A number of a linear axis: sign, whole part and decimals, the same in every locale.
static void number_text(double value, const LithePlotTicks *ticks, char text[64]) {
    double scaled = fabs(value) / pow(10, ticks->tens), one = pow(10, ticks->decimals);
    long double units = roundl((long double)scaled * (long double)one);
    const char *sign = value < 0 && units > 0 ? "\xe2\x88\x92" : ""; // a true minus
    long long whole = units < 9e18L ? (long long)units : 0, step = (long long)one;
    if (ticks->decimals > 0)
        snprintf(text, 64, "%s%lld.%0*lld", sign, whole / step, (int)(ticks->decimals & 15),
                 whole % step);
    else
        snprintf(text, 64, "%s%lld", sign, whole);
}

// A power of ten with its exponent raised, after `front`.
static void power_text(FILE *file, const char *front, int32_t tens) {
    lithe_svg(file, "%t10<tspan dy=\"-5\" font-size=\"%n\">%t%d</tspan>", front, 0.72 * FONT,
              tens < 0 ? "\xe2\x88\x92" : "", tens < 0 ? -tens : tens);
}

static bool linear_labels(const Scale *scale) {
    return scale->ticks.step > 0;
}

static int32_t first_digit(double at) {
    return (int32_t)lround(at / pow(10, floor(log10(at) + 1e-9)));
}

// The text of a tick; on a log axis 10^k, or the digit times it.
static void tick_text(Chart *chart, const Scale *scale, double at) {
    if (linear_labels(scale)) {
        char text[64];
        number_text(at, &scale->ticks, text);
        lithe_svg_text(chart->file, text);
        return;
    }
    int32_t tens = (int32_t)floor(log10(at) + 1e-9), digit = first_digit(at);
    char front[16] = "";
    if (digit != 1)
        snprintf(front, sizeof front, "%d\xc2\xb7", (int)digit);
    if (tens >= 0 && tens <= 1 && digit != 1)
        lithe_svg(chart->file, "%d", (int)(digit * (tens ? 10 : 1)));
    else
        power_text(chart->file, front, tens);
}

static double label_width(const Scale *scale) {
    double widest = 0;
    char text[64];
    for (int32_t i = 0; i < scale->ticks.count; i++) {
        if (scale->ticks.minor[i])
            continue;
        if (linear_labels(scale))
            number_text(scale->ticks.at[i], &scale->ticks, text);
        else // digits as wide as a power of ten with its exponent; "2." stands for a factor
            snprintf(text, sizeof text, "%s%s", first_digit(scale->ticks.at[i]) != 1 ? "2." : "",
                     scale->ticks.at[i] < 1e-9 ? "10.00" : "1000");
        widest = fmax(widest, text_width(text, FONT));
    }
    return widest;
}

// --- where the legend goes -----------------------------------------------------------------------

// Whether the line from a to b enters the box.
static bool crosses(const double a[2], const double b[2], const double low[2],
                    const double high[2]) {
    double from = 0, to = 1;
    for (int k = 0; k < 2; k++) {
        double change = b[k] - a[k];
        if (change == 0 && (a[k] <= low[k] || a[k] >= high[k]))
            return false;
        if (change == 0)
            continue;
        double in = (low[k] - a[k]) / change, out = (high[k] - a[k]) / change;
        from = fmax(from, fmin(in, out));
        to = fmin(to, fmax(in, out));
    }
    return from < to || (from == to && a[0] == b[0] && a[1] == b[1]);
}

// Points and lines that the box would cover.
static int32_t covered(const Chart *chart, double x, double y) {
    const double low[2] = {x - 6, y - 6};
    const double high[2] = {x + chart->legend.width + 6, y + chart->legend.height + 6};
    int32_t count = 0;
    for (int32_t k = 0; k < chart->plot->series_count; k++) {
        const LithePlotSeries *s = &chart->plot->series[k];
        int32_t stride = 1 + s->count / 2000;
        double last[2];
        bool joined = false;
        for (int32_t i = 0; i < s->count; i += stride) {
            bool good = usable(s->x[i], chart->x.log) && usable(s->y[i], chart->y.log);
            if (good) {
                double now[2] = {place(&chart->x, s->x[i]), place(&chart->y, s->y[i])};
                count += crosses(joined && !s->no_line ? last : now, now, low, high);
                last[0] = now[0];
                last[1] = now[1];
            }
            joined = good;
        }
    }
    return count;
}

// The corner where it covers least, the upper right first. Where every corner covers something, it
// is placed beside the frame, if that leaves enough space for the data.
static void place_legend(Chart *chart) {
    Legend *legend = &chart->legend;
    for (int32_t k = 0; k < chart->plot->series_count; k++)
        if (chart->plot->series[k].name) {
            legend->width = fmax(legend->width, text_width(chart->plot->series[k].name, FONT));
            legend->rows++;
        }
    if (legend->rows == 0)
        return;
    legend->width += 52;
    legend->height = legend->rows * LEGEND_ROW + 8;
    int32_t fewest = INT32_MAX;
    for (int corner = 0; corner < 4; corner++) {
        double x = corner % 2 ? chart->left + 10 : chart->right - 10 - legend->width;
        double y = corner / 2 ? chart->bottom - 10 - legend->height : chart->top + 10;
        int32_t hidden = covered(chart, x, y);
        if (hidden < fewest) {
            fewest = hidden;
            legend->x = x;
            legend->y = y;
        }
    }
    double beside = chart->right - legend->width - 12;
    if (fewest > 0 && beside - chart->left > 0.5 * chart->plot->width) {
        legend->x = beside + 12;
        legend->y = chart->top;
        chart->right = chart->x.to = beside;
    }
}

// --- frame, ticks, titles ------------------------------------------------------------------------

// Charts below each other have equal sides: `sides` are the greatest left and the least right one.
static void set_layout(Chart *chart, const double sides[2]) {
    const LithePlot *plot = chart->plot;
    set_range(plot, false, &chart->x);
    set_range(plot, true, &chart->y);
    bool shared = linear_labels(&chart->y) && chart->y.ticks.tens != 0;
    chart->left = 16 + label_width(&chart->y) + (plot->y.title ? 24 : 0);
    chart->left = fmin(fmax(chart->left, sides[0]), 0.5 * plot->width);
    chart->right = plot->width - 22 - (plot->cells ? LITHE_PLOT_SCALE_WIDTH : 0);
    chart->top = plot->title ? 40 : shared ? 28 : 16;
    chart->bottom = plot->height - (plot->x.title ? 54 : 34);
    chart->x.from = chart->left;
    chart->x.to = chart->right;
    chart->y.from = chart->bottom;
    chart->y.to = chart->top;
    place_legend(chart);
    Legend *legend = &chart->legend;
    if (chart->right > sides[1] && legend->x < chart->right)
        legend->x = fmin(legend->x, sides[1] - 10 - legend->width);
    chart->right = chart->x.to = fmin(chart->right, sides[1]);
}

// Number of labels omitted between two shown ones, so that they do not touch.
static int32_t label_stride(const Chart *chart) {
    double room =
        (chart->right - chart->left) / (chart->x.ticks.count > 1 ? chart->x.ticks.count : 1);
    double need = label_width(&chart->x) + 10;
    return linear_labels(&chart->x) && need > room ? (int32_t)ceil(need / room) : 1;
}

static void draw_x_axis(Chart *chart) {
    const LithePlotTicks *ticks = &chart->x.ticks;
    int32_t stride = label_stride(chart);
    for (int32_t i = 0; i < ticks->count; i++) {
        double x = place(&chart->x, ticks->at[i]), size = ticks->minor[i] ? 3 : 5;
        if (!ticks->minor[i])
            lithe_svg(chart->file, "<path d=\"M%n %nV%n\" stroke=\"#e9e9e9\"/>", x, chart->top,
                      chart->bottom);
        lithe_svg(chart->file, "<path d=\"M%n %nv%n\" stroke=\"" INK "\"/>", x, chart->bottom,
                  -size);
        if (ticks->minor[i] || i % stride != 0)
            continue;
        lithe_svg(chart->file, "<text x=\"%n\" y=\"%n\" text-anchor=\"middle\">", x,
                  chart->bottom + 18);
        tick_text(chart, &chart->x, ticks->at[i]);
        fputs("</text>\n", chart->file);
    }
    if (linear_labels(&chart->x) && ticks->tens != 0) {
        lithe_svg(chart->file, "<text x=\"%n\" y=\"%n\" text-anchor=\"end\">", chart->right,
                  chart->bottom + 36);
        power_text(chart->file, "\xc3\x97", ticks->tens);
        fputs("</text>\n", chart->file);
    }
}

static void draw_y_axis(Chart *chart) {
    const LithePlotTicks *ticks = &chart->y.ticks;
    for (int32_t i = 0; i < ticks->count; i++) {
        double y = place(&chart->y, ticks->at[i]), size = ticks->minor[i] ? 3 : 5;
        if (!ticks->minor[i])
            lithe_svg(chart->file, "<path d=\"M%n %nH%n\" stroke=\"#e9e9e9\"/>", chart->left, y,
                      chart->right);
        lithe_svg(chart->file, "<path d=\"M%n %nh%n\" stroke=\"" INK "\"/>", chart->left, y, size);
        if (ticks->minor[i])
            continue;
        lithe_svg(chart->file, "<text x=\"%n\" y=\"%n\" text-anchor=\"end\">", chart->left - 7,
                  y + 4.5);
        tick_text(chart, &chart->y, ticks->at[i]);
        fputs("</text>\n", chart->file);
    }
    if (linear_labels(&chart->y) && ticks->tens != 0) {
        lithe_svg(chart->file, "<text x=\"%n\" y=\"%n\">", chart->left, chart->top - 7);
        power_text(chart->file, "\xc3\x97", ticks->tens);
        fputs("</text>\n", chart->file);
    }
}

static void draw_titles(Chart *chart) {
    const LithePlot *plot = chart->plot;
    double cx = 0.5 * (chart->left + chart->right), cy = 0.5 * (chart->top + chart->bottom);
    if (plot->title)
        lithe_svg(chart->file,
                  "<text x=\"%n\" y=\"22\" text-anchor=\"middle\" font-size=\"15\" "
                  "font-weight=\"bold\">%t</text>\n",
                  cx, plot->title);
    if (plot->x.title)
        lithe_svg(chart->file,
                  "<text x=\"%n\" y=\"%n\" text-anchor=\"middle\" font-size=\"14\">%t</text>\n", cx,
                  chart->bottom + 40, plot->x.title);
    if (plot->y.title)
        lithe_svg(chart->file,
                  "<text transform=\"translate(18 %n) rotate(-90)\" text-anchor=\"middle\" "
                  "font-size=\"14\">%t</text>\n",
                  cy, plot->y.title);
}

// --- data ----------------------------------------------------------------------------------------

// A line with thousands of points in one column of pixels is drawn by the first, lowest, highest
// and last of them, which cover the same pixels.
typedef struct Column {
    double x, first, low, high, last;
    int32_t count;
} Column;

// Draws the column; `drawn` counts the points of this stroke so far.
static void end_column(Chart *chart, Column *column, int32_t *drawn) {
    if (column->count == 0)
        return;
    lithe_svg(chart->file, *drawn ? "L%n %n" : "M%n %n", column->x, column->first);
    if (column->count > 3)
        lithe_svg(chart->file, "L%n %nL%n %n", column->x, column->low, column->x, column->high);
    if (column->count > 1)
        lithe_svg(chart->file, "L%n %n", column->x, column->last);
    *drawn += column->count;
    column->count = 0;
}

static void end_stroke(Chart *chart, Column *column, int32_t *drawn) {
    end_column(chart, column, drawn);
    // a single point between gaps becomes a dot: the cap of the line is round
    if (*drawn == 1)
        fputs("h0", chart->file);
    *drawn = 0;
}

static void draw_line(Chart *chart, const LithePlotSeries *s, LitheColour colour) {
    bool dense = s->count > 8 * chart->plot->width;
    int32_t drawn = 0;
    Column column = {0};
    lithe_svg(chart->file,
              "<path fill=\"none\" stroke=\"%c\" stroke-width=\"1.8\" stroke-linejoin=\"round\" "
              "stroke-linecap=\"round\" stroke-dasharray=\"%t\" d=\"",
              colour, s->dashed ? "7 5" : "none");
    for (int32_t i = 0; i < s->count; i++) {
        if (!usable(s->x[i], chart->x.log) || !usable(s->y[i], chart->y.log)) {
            end_stroke(chart, &column, &drawn);
            continue;
        }
        double x = place(&chart->x, s->x[i]), y = place(&chart->y, s->y[i]);
        if (column.count > 0 && !(dense && fabs(x - column.x) < 0.25))
            end_column(chart, &column, &drawn);
        if (column.count++ == 0)
            column = (Column){x, y, y, y, y, 1};
        column.low = fmin(column.low, y);
        column.high = fmax(column.high, y);
        column.last = y;
    }
    end_stroke(chart, &column, &drawn);
    fputs("\"/>\n", chart->file);
}

static void draw_mark(Chart *chart, int32_t kind, double x, double y) {
    switch (kind % 4) {
    case 0:
        lithe_svg(chart->file, "<circle cx=\"%n\" cy=\"%n\" r=\"3.6\"/>", x, y);
        break;
    case 1:
        lithe_svg(chart->file, "<path d=\"M%n %nh6.4v6.4h-6.4Z\"/>", x - 3.2, y - 3.2);
        break;
    case 2:
        lithe_svg(chart->file, "<path d=\"M%n %nl4.2 7.2h-8.4Z\"/>", x, y - 4.6);
        break;
    default:
        lithe_svg(chart->file, "<path d=\"M%n %nl4.4 4.4l-4.4 4.4l-4.4 -4.4Z\"/>", x, y - 4.4);
    }
}

static void draw_marks(Chart *chart, const LithePlotSeries *s, int32_t k) {
    lithe_svg(chart->file, "<g fill=\"%c\" stroke=\"#fff\" stroke-width=\"0.9\">", colour_of(k));
    for (int32_t i = 0; i < s->count; i++)
        if (usable(s->x[i], chart->x.log) && usable(s->y[i], chart->y.log))
            draw_mark(chart, k, place(&chart->x, s->x[i]), place(&chart->y, s->y[i]));
    fputs("</g>\n", chart->file);
}

static void draw_references(Chart *chart) {
    for (int32_t k = 0; k < chart->plot->reference_count; k++) {
        const LithePlotReference *r = &chart->plot->references[k];
        const Scale *scale = r->vertical ? &chart->x : &chart->y;
        if (!usable(r->at, scale->log))
            continue;
        double at = place(scale, r->at);
        const char *style = "stroke=\"#777\" stroke-width=\"1.2\" stroke-dasharray=\"2 3\"/>\n";
        if (r->vertical)
            lithe_svg(chart->file, "<path d=\"M%n %nV%n\" ", at, chart->top, chart->bottom);
        else
            lithe_svg(chart->file, "<path d=\"M%n %nH%n\" ", chart->left, at, chart->right);
        fputs(style, chart->file);
        if (!r->name)
            continue;
        const char *text = "<text x=\"%n\" y=\"%n\" font-size=\"12\" fill=\"#555\" "
                           "stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" "
                           "text-anchor=\"%t\">%t</text>\n";
        if (r->vertical) {
            bool right = at + 6 + text_width(r->name, 12) > chart->right;
            lithe_svg(chart->file, text, at + (right ? -5 : 5), chart->bottom - 9,
                      right ? "end" : "start", r->name);
        } else {
            lithe_svg(chart->file, text, chart->left + 9,
                      at - 5 < chart->top + 10 ? at + 14 : at - 5, "start", r->name);
        }
    }
}

// --- legend --------------------------------------------------------------------------------------

static void draw_legend(Chart *chart) {
    if (chart->legend.rows == 0)
        return;
    double best_x = chart->legend.x, best_y = chart->legend.y, row = LEGEND_ROW;
    double width = chart->legend.width, height = chart->legend.height;
    lithe_svg(chart->file,
              "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" rx=\"3\" fill=\"#fff\" "
              "fill-opacity=\"0.88\" stroke=\"#ccc\"/>\n",
              best_x, best_y, width, height);
    double y = best_y + 4 + 0.5 * row;
    for (int32_t k = 0; k < chart->plot->series_count; k++) {
        const LithePlotSeries *s = &chart->plot->series[k];
        if (!s->name)
            continue;
        if (!s->no_line)
            lithe_svg(chart->file, "<path d=\"M%n %nh26\" stroke=\"%c\" stroke-width=\"1.8\"%t/>",
                      best_x + 8, y, colour_of(k), "");
        if (s->markers || s->no_line) {
            lithe_svg(chart->file, "<g fill=\"%c\" stroke=\"#fff\" stroke-width=\"0.9\">",
                      colour_of(k));
            draw_mark(chart, k, best_x + 21, y);
            fputs("</g>", chart->file);
        }
        lithe_svg(chart->file, "<text x=\"%n\" y=\"%n\">%t</text>\n", best_x + 42, y + 4.5,
                  s->name);
        y += row;
    }
}

// --- entry ---------------------------------------------------------------------------------------

static double x_of(const void *chart, double value) {
    return place(&((const Chart *)chart)->x, value);
}

static double y_of(const void *chart, double value) {
    return place(&((const Chart *)chart)->y, value);
}

static void draw(Chart *chart, int32_t number) {
    char own[16] = ""; // frames of further charts have names of their own
    if (number > 0)
        snprintf(own, sizeof own, "%d", (int)number);
    const LithePlot *plot = chart->plot;
    lithe_svg(chart->file,
              "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
              "<clipPath id=\"frame%t\"><rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\"/>"
              "</clipPath>\n<g font-size=\"%d\" fill=\"" INK "\" stroke-width=\"1\">\n",
              plot->width, plot->height, own, chart->left, chart->top, chart->right - chart->left,
              chart->bottom - chart->top, FONT);
    // text takes its fill from the group; lines set their own stroke
    draw_x_axis(chart);
    draw_y_axis(chart);
    lithe_svg(chart->file, "<g clip-path=\"url(#frame%t)\">\n", own);
    const LithePlotFrame frame = {chart->left, chart->right, chart->top, chart->bottom,
                                  x_of,        y_of,         chart};
    if (plot->cells)
        lithe_plot_draw_cells(chart->file, plot->cells, &frame);
    draw_references(chart);
    for (int32_t k = 0; k < plot->series_count; k++) {
        const LithePlotSeries *s = &plot->series[k];
        if (!s->no_line)
            draw_line(chart, s, colour_of(k));
        if (s->markers || s->no_line)
            draw_marks(chart, s, k);
    }
    fputs("</g>\n", chart->file);
    lithe_svg(chart->file,
              "<rect x=\"%n\" y=\"%n\" width=\"%n\" height=\"%n\" fill=\"none\" stroke=\"" INK
              "\"/>\n",
              chart->left, chart->top, chart->right - chart->left, chart->bottom - chart->top);
    draw_titles(chart);
    draw_legend(chart);
    if (plot->cells)
        lithe_plot_draw_scale(chart->file, plot->cells, &frame);
    fputs("</g>\n", chart->file);
}

void lithe_plot_sides(const LithePlot *plots, int32_t count, double sides[2]) {
    sides[0] = 0;
    sides[1] = INFINITY;
    for (int side = 0; side < 2; side++) // the legends of wider margins decide on the right side
        for (int32_t i = 0; i < count; i++) {
            Chart chart = {.plot = &plots[i]};
            set_layout(&chart, (double[2]){sides[0], INFINITY});
            if (side == 0)
                sides[0] = fmax(sides[0], chart.left);
            else
                sides[1] = fmin(sides[1], chart.right);
        }
}

void lithe_plot_draw(FILE *file, const LithePlot *plot, const double sides[2], int32_t number) {
    Chart chart = {.plot = plot, .file = file};
    set_layout(&chart, sides);
    draw(&chart, number);
}
