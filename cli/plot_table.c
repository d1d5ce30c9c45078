// SPDX-License-Identifier: Apache-2.0
// cli/plot_table.c - lithe plot of the table of a study: curves, marks, heat maps

#include "cli/table.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// more curves than this look alike
enum { MAX_CURVES = 24 };
// a map with more cells was made of samples, not of a grid
enum { MAX_CELLS = 250000 };

typedef struct Point {
    double x, y;
    int32_t row;
} Point;

static int by_x(const void *a, const void *b) {
    const Point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->row - q->row;
}

static int by_value(const void *a, const void *b) {
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

// Distinct finite numbers of a column, growing; returns their count.
static int32_t distinct(const LitheCliTable *table, const LitheCliColumn *column, double *out) {
    int32_t count = 0, kept = 0;
    for (int32_t r = 0; r < table->row_count; r++)
        if (isfinite(column->numbers[r]))
            out[count++] = column->numbers[r];
    qsort(out, (size_t)count, sizeof *out, by_value);
    for (int32_t i = 0; i < count; i++)
        if (kept == 0 || out[i] != out[kept - 1])
            out[kept++] = out[i];
    return kept;
}

// "sag [m]"
static void title_of(const LitheCliColumn *column, char title[160]) {
    if (column->unit[0] && strcmp(column->unit, "1") != 0)
        snprintf(title, 160, "%.120s [%.30s]", column->name, column->unit);
    else
        snprintf(title, 160, "%.150s", column->name);
}

// Values that are spread over decades, evenly in the logarithm, need a logarithmic axis.
static bool is_log(const double *values, int32_t count) {
    if (count < 3 || !(values[0] > 0) || values[count - 1] < 8 * values[0])
        return false;
    double first = values[1] / values[0], last = values[count - 1] / values[count - 2];
    return first < 1.5 * last && last < 1.5 * first;
}

// --- curves --------------------------------------------------------------------------------------

typedef struct Drawing {
    const LitheCliTablePlot *requested;
    LitheCliTable table;
    const LitheCliColumn *over, *by; // `by` may be NULL
    double *groups;                  // [group_count] values of `by`
    int32_t group_count;
    double *values; // [row_count] values of `over`, distinct
    int32_t value_count;
} Drawing;

// The points of one curve, in order of x; returns their number.
static int32_t gather(const Drawing *d, const LitheCliColumn *y, int32_t group, Point *points) {
    int32_t count = 0;
    for (int32_t r = 0; r < d->table.row_count; r++) {
        bool mine = !d->by || d->by->numbers[r] == d->groups[group];
        if (mine && isfinite(d->over->numbers[r]) && isfinite(y->numbers[r]))
            points[count++] = (Point){d->over->numbers[r], y->numbers[r], r};
    }
    qsort(points, (size_t)count, sizeof *points, by_x);
    return count;
}

// One chart: a curve for each value of `by`. Several rows at one x are marks without a line.
static LitheStatus draw_curves(const Drawing *d, const LitheCliColumn *y, LithePlot *plot,
                               LithePlotSeries *series, double *numbers, char (*names)[100],
                               LitheError *error) {
    LitheContext *context = d->table.context;
    Point *points = lithe_alloc_array(context, d->table.row_count, sizeof *points);
    if (!points)
        return lithe_fail_memory(error, "the plot");
    for (int32_t g = 0; g < d->group_count; g++) {
        int32_t count = gather(d, y, g, points);
        double *x = numbers, *v = numbers + count;
        bool twice = false;
        for (int32_t i = 0; i < count; i++) {
            x[i] = points[i].x;
            v[i] = points[i].y;
            twice = twice || (i > 0 && x[i] == x[i - 1]);
        }
        numbers += 2 * count;
        if (d->by)
            snprintf(names[g], 100, "%.50s = %.4g %.20s", d->by->name, d->groups[g],
                     strcmp(d->by->unit, "1") == 0 ? "" : d->by->unit);
        series[g] = (LithePlotSeries){.name = d->by ? names[g] : NULL,
                                      .x = x,
                                      .y = v,
                                      .count = count,
                                      .markers = true,
                                      .no_line = d->requested->scatter || twice};
    }
    lithe_free(context, points);
    plot->series = series;
    plot->series_count = d->group_count;
    return LITHE_OK;
}

static LitheStatus write_curves(const Drawing *d, const LitheCliColumn *const *ys, int32_t count,
                                LitheError *error) {
    LitheContext *context = d->table.context;
    int64_t curves = (int64_t)count * d->group_count, rows = d->table.row_count;
    LithePlot *plots = lithe_alloc_array(context, count, sizeof *plots);
    LithePlotSeries *series = lithe_alloc_array(context, curves, sizeof *series);
    char(*names)[100] = lithe_alloc_array(context, curves, sizeof *names);
    char(*titles)[160] = lithe_alloc_array(context, (int64_t)count + 1, sizeof *titles);
    double *numbers = lithe_alloc_array(context, 2 * rows * count, sizeof *numbers);
    LitheStatus status = plots && series && names && titles && numbers
                             ? LITHE_OK
                             : lithe_fail_memory(error, "the plot");
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        plots[i] = lithe_plot_default();
        title_of(d->over, titles[count]);
        title_of(ys[i], titles[i]);
        plots[i].x.title = titles[count];
        plots[i].x.log = is_log(d->values, d->value_count);
        plots[i].y.title = titles[i];
        plots[i].y.log = d->requested->log;
        status = draw_curves(d, ys[i], &plots[i], series + (int64_t)i * d->group_count,
                             numbers + 2 * rows * i, names + (int64_t)i * d->group_count, error);
    }
    if (status == LITHE_OK)
        status = lithe_plot_write(context, plots, count, d->requested->out, error);
    lithe_free(context, plots);
    lithe_free(context, series);
    lithe_free(context, names);
    lithe_free(context, titles);
    lithe_free(context, numbers);
    return status;
}

// --- heat maps -----------------------------------------------------------------------------------

// Edges of cells around values: in the middle between them, of their logarithms on a log axis.
static void set_edges(const double *values, int32_t count, bool log_axis, double *edges) {
    for (int32_t i = 0; i <= count; i++) {
        double a = values[i > 0 ? i - 1 : 0], b = values[i < count ? i : count - 1];
        edges[i] = log_axis ? sqrt(a * b) : 0.5 * (a + b);
    }
    for (int k = 0; k < 2; k++) {
        int32_t edge = k ? count : 0, inner = k ? count - 1 : 1;
        double value = values[k ? count - 1 : 0];
        if (count == 1)
            edges[edge] = value + (k ? 0.5 : -0.5) * (value != 0 ? fabs(value) : 1);
        else
            edges[edge] = log_axis ? value * value / edges[inner] : 2 * value - edges[inner];
    }
}

static int32_t index_of(const double *values, int32_t count, double value) {
    int32_t i = 0;
    while (i < count && values[i] != value)
        i++;
    return i;
}

// The mean of all rows of a cell.
static void fill_cells(const Drawing *d, const LitheCliColumn *z, double *cells, int32_t *counts,
                       double *low, double *high) {
    int64_t all = (int64_t)d->value_count * d->group_count;
    for (int32_t r = 0; r < d->table.row_count; r++) {
        int32_t c = index_of(d->values, d->value_count, d->over->numbers[r]);
        int32_t g = index_of(d->groups, d->group_count, d->by->numbers[r]);
        if (c == d->value_count || g == d->group_count || !isfinite(z->numbers[r]))
            continue;
        cells[(int64_t)g * d->value_count + c] += z->numbers[r];
        counts[(int64_t)g * d->value_count + c]++;
    }
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < all; i++) {
        cells[i] = counts[i] > 0 ? cells[i] / counts[i] : NAN;
        *low = fmin(*low, cells[i]);
        *high = fmax(*high, cells[i]);
    }
}

static LitheStatus write_heat(const Drawing *d, const LitheCliColumn *z, LitheError *error) {
    LitheContext *context = d->table.context;
    int64_t all = (int64_t)d->value_count * d->group_count;
    double *x = lithe_alloc_array(context, (int64_t)d->value_count + 1, sizeof *x);
    double *y = lithe_alloc_array(context, (int64_t)d->group_count + 1, sizeof *y);
    double *cells = lithe_alloc_array(context, all, sizeof *cells);
    int32_t *counts = lithe_alloc_array(context, all, sizeof *counts);
    LitheStatus status =
        x && y && cells && counts ? LITHE_OK : lithe_fail_memory(error, "the plot");
    if (status == LITHE_OK) {
        char titles[3][160];
        LithePlotCells map = {x, y, cells, d->value_count, d->group_count, .title = titles[2]};
        LithePlot plot = lithe_plot_default();
        plot.x = (LithePlotAxis){.title = titles[0], .own_range = true};
        plot.y = (LithePlotAxis){.title = titles[1], .own_range = true};
        plot.x.log = is_log(d->values, d->value_count);
        plot.y.log = is_log(d->groups, d->group_count);
        title_of(d->over, titles[0]);
        title_of(d->by, titles[1]);
        title_of(z, titles[2]);
        set_edges(d->values, d->value_count, plot.x.log, x);
        set_edges(d->groups, d->group_count, plot.y.log, y);
        fill_cells(d, z, cells, counts, &map.low, &map.high);
        plot.x.low = x[0], plot.x.high = x[d->value_count];
        plot.y.low = y[0], plot.y.high = y[d->group_count];
        plot.title = " "; // room for the title of the scale
        plot.cells = &map;
        status = lithe_plot_write(context, &plot, 1, d->requested->out, error);
    }
    lithe_free(context, x);
    lithe_free(context, y);
    lithe_free(context, cells);
    lithe_free(context, counts);
    return status;
}

// --- the command ---------------------------------------------------------------------------------

static LitheStatus find_columns(Drawing *d, const LitheCliColumn **ys, LitheError *error) {
    const LitheCliTablePlot *requested = d->requested;
    LitheStatus status =
        lithe_cli_table_find(&d->table, requested->path, requested->over, &d->over, error);
    if (status == LITHE_OK && requested->by)
        status = lithe_cli_table_find(&d->table, requested->path, requested->by, &d->by, error);
    for (int32_t i = 0; status == LITHE_OK && i < requested->name_count; i++)
        status =
            lithe_cli_table_find(&d->table, requested->path, requested->names[i], &ys[i], error);
    if (status != LITHE_OK)
        return status;
    d->value_count = distinct(&d->table, d->over, d->values);
    d->group_count = d->by ? distinct(&d->table, d->by, d->groups) : 1;
    if (!requested->heat && d->group_count > MAX_CURVES)
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "%s: --by %.100s has %d values, at most %d curves are drawn; --heat draws "
            "a map",
            requested->path, requested->by, (int)d->group_count, MAX_CURVES);
    if (requested->heat && (int64_t)d->value_count * d->group_count > MAX_CELLS)
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "%s: --heat would have %d by %d cells, at most %d are drawn: the rows are "
            "no grid; --scatter draws marks",
            requested->path, (int)d->value_count, (int)d->group_count, MAX_CELLS);
    return LITHE_OK;
}

LitheStatus lithe_cli_plot_table(LitheContext *context, const LitheCliTablePlot *requested,
                                 LitheError *error) {
    Drawing d = {.requested = requested};
    LitheStatus status = lithe_cli_table_read(context, requested->path, &d.table, error);
    int64_t rows = d.table.row_count;
    const LitheCliColumn **ys = lithe_alloc_array(context, requested->name_count, sizeof *ys);
    d.groups = lithe_alloc_array(context, rows + 1, sizeof *d.groups);
    d.values = lithe_alloc_array(context, rows + 1, sizeof *d.values);
    if (status == LITHE_OK && (!ys || !d.groups || !d.values))
        status = lithe_fail_memory(error, "the plot");
    if (status == LITHE_OK && rows == 0)
        status = lithe_fail(error, LITHE_BAD_INPUT, "%s: has no row that is done", requested->path);
    if (status == LITHE_OK)
        status = find_columns(&d, ys, error);
    if (status == LITHE_OK)
        status = requested->heat ? write_heat(&d, ys[0], error)
                                 : write_curves(&d, ys, requested->name_count, error);
    if (status == LITHE_OK && d.table.failed > 0)
        printf("%d of %d rows failed and are left out\n", (int)d.table.failed,
               (int)(d.table.failed + d.table.row_count));
    lithe_free(context, ys);
    lithe_free(context, d.groups);
    lithe_free(context, d.values);
    lithe_cli_table_release(&d.table);
    return status;
}
