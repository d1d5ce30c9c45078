// SPDX-License-Identifier: Apache-2.0
// cli/plot.c - lithe plot: quantities of a recording over time, or along rods at moments, as charts

#include "cli/cli.h"
#include "cli/table.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/along.h"
#include "record/plot.h"
#include "record/recording.h"
#include "record/series.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TIMES = 16, MAX_RUNS = 8 };

typedef struct Options {
    const char *runs[MAX_RUNS]; // recordings; or one table
    int32_t run_count;
    const char *out;
    const char **names;
    int32_t name_count;
    double times[MAX_TIMES]; // of --at
    int32_t time_count;      // 0: over time
    const char *over;        // quantity of the horizontal axis; NULL: time
    const char *by;          // of a table: a curve for each value of this column
    bool scatter, heat;
    char table[4096]; // the table of a study; "": a recording
    bool log;
    bool list;
} Options;

// --- lines ---------------------------------------------------------------------------------------

// One line of a chart; charts have lines of one unit each.
typedef struct Line {
    char name[200];
    const double *x, *y; // [count]
    int32_t count;
    const char *unit, *label; // of its quantity
} Line;

typedef struct Lines {
    LitheSeriesSet *sets; // [set_count] over time
    LitheAlong *along;    // [along_count] along rods
    int32_t set_count, along_count;
    LitheSeriesSet over[MAX_RUNS]; // of --over; count 0: time
    int32_t run;                   // number of the recording whose lines are added
    const char *run_name;          // of this recording, behind the names; NULL: there is one only
    char over_title[200];
    Line *all;
    int32_t count, capacity;
} Lines;

static LitheStatus add_line(LitheRecording *recording, Lines *lines, Line line, LitheError *error) {
    size_t length = strlen(line.name);
    if (lines->run_name)
        snprintf(line.name + length, sizeof line.name - length, ", %s", lines->run_name);
    if (!LITHE_RESERVE(recording->context, lines->all, lines->capacity, (int64_t)lines->count + 1))
        return lithe_fail_memory(error, "the plot");
    lines->all[lines->count++] = line;
    return LITHE_OK;
}

static LitheStatus take_series(LitheRecording *recording, const char *name, Lines *lines,
                               LitheError *error) {
    LitheSeriesSet *set = &lines->sets[lines->set_count];
    const LitheSeriesSet *over = &lines->over[lines->run];
    LitheStatus status = lithe_recording_series(recording, name, set, error);
    lines->set_count += status == LITHE_OK;
    for (int32_t k = 0; status == LITHE_OK && k < set->count; k++) {
        Line line = {.x = over->count > 0 ? over->series[0].values : recording->times,
                     .y = set->series[k].values,
                     .count = (int32_t)recording->frame_count,
                     .unit = set->unit,
                     .label = set->label};
        snprintf(line.name, sizeof line.name, "%s", set->series[k].title);
        status = add_line(recording, lines, line, error);
    }
    return status;
}

static LitheStatus take_along(LitheRecording *recording, const char *name, double time, bool times,
                              Lines *lines, LitheError *error) {
    LitheAlong *along = &lines->along[lines->along_count];
    LitheStatus status = lithe_recording_along(recording, name, time, along, error);
    lines->along_count += status == LITHE_OK;
    for (int32_t k = 0; status == LITHE_OK && k < along->series_count; k++) {
        Line line = {.x = along->x,
                     .y = along->series[k].values,
                     .count = along->count,
                     .unit = along->unit,
                     .label = along->label};
        char at[32] = "";
        if (times)
            snprintf(at, sizeof at, ", t = %.4g s", along->time);
        snprintf(line.name, sizeof line.name, "%.150s%s", along->series[k].name, at);
        status = add_line(recording, lines, line, error);
    }
    return status;
}

// --- drawing -------------------------------------------------------------------------------------

// a logarithmic axis shows no numbers that are not positive
static void warn_of_log(const Line *line) {
    int64_t hidden = 0;
    for (int64_t i = 0; i < line->count; i++)
        hidden += line->y[i] <= 0;
    if (hidden > 0)
        lithe_cli_complain("warning: %lld of %lld values of %s are not positive: --log leaves them "
                           "out",
                           (long long)hidden, (long long)line->count, line->name);
}

// Fills one chart with the lines of a unit.
static void fill_plot(const LitheRecording *recording, const Lines *lines, const Options *o,
                      const char *unit, LithePlotSeries *series, char title[200], char y_title[64],
                      LithePlot *plot) {
    const char *label = NULL;
    bool same = true;
    *plot = lithe_plot_default();
    for (int32_t i = 0; i < lines->count; i++) {
        const Line *line = &lines->all[i];
        if (strcmp(line->unit, unit) != 0)
            continue;
        series[plot->series_count++] =
            (LithePlotSeries){.name = line->name, .x = line->x, .y = line->y, .count = line->count};
        same = same && (!label || strcmp(label, line->label) == 0);
        label = line->label;
        if (o->log)
            warn_of_log(line);
    }
    snprintf(y_title, 64, "[%s]", unit);
    snprintf(title, 200, "%s", recording->layout.title);
    if (o->run_count == 1 && o->time_count == 1)
        snprintf(title, 200, "%.150s, t = %.4g s", recording->layout.title, lines->along[0].time);
    plot->title = title;
    plot->x.title = o->time_count > 0 ? "distance along the rod [m]" : "time [s]";
    if (o->over)
        plot->x.title = lines->over_title;
    plot->y.title = same ? label : y_title;
    plot->y.log = o->log;
    plot->series = series;
}

// a chart for each unit, in the order in which the units appear
static LitheStatus draw(const LitheRecording *recording, const Lines *lines, const Options *o,
                        LitheError *error) {
    LitheContext *context = recording->context;
    int32_t n = lines->count, plot_count = 0, used = 0;
    LithePlotSeries *series = lithe_alloc_array(context, n, sizeof *series);
    LithePlot *plots = lithe_alloc_array(context, n, sizeof *plots);
    char(*titles)[200] = lithe_alloc_array(context, n, sizeof *titles);
    char(*units)[64] = lithe_alloc_array(context, n, sizeof *units);
    LitheStatus status =
        series && plots && titles && units ? LITHE_OK : lithe_fail_memory(error, "the plot");
    for (int32_t i = 0; status == LITHE_OK && i < n; i++) {
        bool drawn = false;
        for (int32_t k = 0; k < i && !drawn; k++)
            drawn = strcmp(lines->all[k].unit, lines->all[i].unit) == 0;
        if (drawn)
            continue;
        LithePlot *plot = &plots[plot_count];
        fill_plot(recording, lines, o, lines->all[i].unit, series + used, titles[plot_count],
                  units[plot_count], plot);
        // the title is said once
        plot->title = plot_count == 0 ? plot->title : NULL;
        plot->height -= plot_count == 0 ? 0 : 60;
        used += plots[plot_count++].series_count;
    }
    if (status == LITHE_OK)
        status = lithe_plot_write(context, plots, plot_count, o->out, error);
    lithe_free(context, series);
    lithe_free(context, plots);
    lithe_free(context, titles);
    lithe_free(context, units);
    return status;
}

static LitheStatus take_names(LitheRecording *recording, const Options *o, Lines *lines,
                              LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < o->name_count; i++) {
        if (o->time_count == 0)
            status = take_series(recording, o->names[i], lines, error);
        for (int32_t k = 0; status == LITHE_OK && k < o->time_count; k++)
            status =
                take_along(recording, o->names[i], o->times[k], o->time_count > 1, lines, error);
    }
    return status;
}

// The horizontal axis is one number per frame.
static LitheStatus take_over(LitheRecording *recording, const char *name, Lines *lines,
                             LitheError *error) {
    LitheSeriesSet *over = &lines->over[lines->run];
    LitheStatus status = lithe_recording_series(recording, name, over, error);
    if (status != LITHE_OK)
        return status;
    snprintf(lines->over_title, sizeof lines->over_title, "%.150s [%s]", over->series[0].name,
             over->unit);
    if (over->count == 1)
        return LITHE_OK;
    const char *example = over->series[0].name;
    status = lithe_fail(error, LITHE_BAD_INPUT,
                        "%s: --over is '%.100s', which has %d numbers per frame, must have one, "
                        "such as '%.150s'",
                        recording->path, name, (int)over->count, example);
    lithe_series_release(over);
    return status;
}

static LitheStatus plot_names(LitheRecording *const *recordings, const Options *o,
                              LitheError *error) {
    LitheContext *context = recordings[0]->context;
    int64_t name_count = (int64_t)o->name_count * o->run_count;
    Lines lines = {.sets = lithe_alloc_array(context, name_count, sizeof *lines.sets),
                   .along =
                       lithe_alloc_array(context, name_count * MAX_TIMES, sizeof *lines.along)};
    LitheStatus status =
        lines.sets && lines.along ? LITHE_OK : lithe_fail_memory(error, "the plot");
    for (int32_t r = 0; status == LITHE_OK && r < o->run_count; r++) {
        lines.run = r;
        lines.run_name = o->run_count > 1 ? o->runs[r] : NULL;
        status = lithe_recording_check_output(recordings[r], o->out, error);
        if (status == LITHE_OK && o->over)
            status = take_over(recordings[r], o->over, &lines, error);
        if (status == LITHE_OK)
            status = take_names(recordings[r], o, &lines, error);
    }
    if (status == LITHE_OK)
        status = draw(recordings[0], &lines, o, error);
    for (int32_t i = 0; i < lines.set_count; i++)
        lithe_series_release(&lines.sets[i]);
    for (int32_t r = 0; r < o->run_count; r++)
        lithe_series_release(&lines.over[r]);
    for (int32_t i = 0; i < lines.along_count; i++)
        lithe_along_release(&lines.along[i]);
    lithe_free(context, lines.sets);
    lithe_free(context, lines.along);
    lithe_free(context, lines.all);
    return status;
}

static LitheStatus list_names(LitheRecording *recording, LitheError *error) {
    char **names = NULL;
    int32_t count = 0;
    LitheStatus status = lithe_recording_quantities(recording, &names, &count, error);
    if (status != LITHE_OK)
        return status;
    for (int32_t i = 0; i < count; i++) {
        printf("%s\n", names[i]);
        lithe_free(recording->context, names[i]);
    }
    lithe_free(recording->context, names);
    return LITHE_OK;
}

// --- the command ---------------------------------------------------------------------------------

enum {
    KEY_OUT = 'o',
    KEY_LIST = 'l',
    KEY_AT = 'a',
    KEY_LOG = 1000,
    KEY_OVER,
    KEY_BY,
    KEY_SCATTER,
    KEY_HEAT
};

static const struct argp_option options[] = {
    {"out", KEY_OUT, "FILE", 0, "chart to write: .svg, .png or .pdf (default: plot.svg)", 0},
    {"at", KEY_AT, "TIME", 0,
     "along rods at this time (0.5s), instead of over time; may be repeated, up to 16 times", 0},
    {"over", KEY_OVER, "QUANTITY", 0,
     "over this quantity, one number per frame, instead of over time: force over displacement", 0},
    {"by", KEY_BY, "COLUMN", 0, "table: a curve for each value of this column", 0},
    {"scatter", KEY_SCATTER, 0, 0, "table: marks without lines", 0},
    {"heat", KEY_HEAT, 0, 0, "table: colours over two columns, --over and --by", 0},
    {"list", KEY_LIST, 0, 0, "list the quantities of the recording", 0},
    {"log", KEY_LOG, 0, 0, "logarithmic vertical axis", 0},
    {0},
};

static bool is_recording_name(const char *text) {
    size_t n = strlen(text);
    return n > 3 && strcmp(text + n - 3, ".h5") == 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_OUT:
        lithe_cli_name(state, "--out", text);
        o->out = text;
        return 0;
    case KEY_AT:
        if (o->time_count == MAX_TIMES)
            argp_error(state, "--at is given more than %d times", MAX_TIMES);
        else
            o->times[o->time_count++] = lithe_cli_time(state, "--at", text);
        return 0;
    case KEY_OVER:
        if (o->over)
            argp_error(state, "--over is given twice, '%s' and '%s': there is one horizontal axis",
                       o->over, text);
        o->over = text;
        return 0;
    case KEY_BY:
        if (o->by)
            argp_error(state, "--by is given twice, '%s' and '%s': curves differ by one column",
                       o->by, text);
        o->by = text;
        return 0;
    case KEY_SCATTER:
        o->scatter = true;
        return 0;
    case KEY_HEAT:
        o->heat = true;
        return 0;
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_LOG:
        o->log = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->run_count == 0 || is_recording_name(text)) {
            if (o->run_count == MAX_RUNS)
                argp_error(state, "'%s' is recording %d, at most %d are plotted", text,
                           MAX_RUNS + 1, MAX_RUNS);
            else
                o->runs[o->run_count++] = text;
        } else
            o->names[o->name_count++] = text;
        return 0;
    case ARGP_KEY_END: {
        if (o->run_count == 0)
            argp_error(state, "no recording is given");
        if (!o->list && o->name_count == 0)
            argp_error(state, "no quantity is given (--list shows all)");
        if (o->over && o->time_count > 0)
            argp_error(state, "--over and --at are both given: one horizontal axis is possible");
        bool table = lithe_cli_table_path(o->runs[0], o->table, sizeof o->table);
        o->table[0] = table ? o->table[0] : '\0';
        if (o->run_count > 1 && (table || o->list))
            argp_error(state, "'%s' is a second file: tables and --list take one", o->runs[1]);
        if (table && (!o->over || o->time_count > 0 || o->list))
            argp_error(state, "a table is plotted over one of its columns: give --over COLUMN, and "
                              "neither --at nor --list");
        if (!table && (o->by || o->scatter || o->heat))
            argp_error(state, "--by, --scatter and --heat are for tables of studies");
        if (o->heat && (!o->by || o->name_count != 1))
            argp_error(state, "--heat needs one column, --over and --by");
        if (!lithe_plot_is_name(o->out))
            argp_error(state, "--out is '%s', plots are written as .svg, .png or .pdf", o->out);
        return 0;
    }
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_plot(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "RUN.h5... QUANTITY...\nTABLE COLUMN... --over COLUMN",
        .doc =
            "Plot quantities of a recording over time, or along rods (--at); or the table of a "
            "study "
            "(its folder, table.csv or table.h5).\v"
            "A quantity is NAME.WHAT of a rod, body, joint or drive, constraints.NAME.WHAT, "
            "energy.WHAT, contacts.count or report.WHAT; of all contacts of two things A+B.force, "
            "A+B.centre, A+B.torque (on B) and A+B.area. A place (start, middle, end) follows the "
            "name: rope.start.tension; [i], components (x, y, z, m1, m2) and max, min or mean "
            "follow the quantity. Quantities with different units get a chart each, below each "
            "other. With "
            "--at a quantity is ROD.WHAT, and a component may follow. Vectors without a component "
            "are plotted by their length, |box.velocity|. Several recordings are drawn into the "
            "same charts.\n\nExamples:\n"
            "  lithe plot coarse.h5 fine.h5 rope.end.tension -o both.svg\n"
            "  lithe plot pendulum.h5 rope.tension -o tension.svg\n"
            "  lithe plot pendulum.h5 rope.end.position.x rope.end.position.z -o tip.svg\n"
            "  lithe plot crate.h5 crate.contact.z constraints.sling.force -o forces.png\n"
            "  lithe plot crowned-pulley.h5 crowned+belt.force.z crowned+belt.area -o belt.svg\n"
            "  lithe plot stiffness.out sag --over young --by thickness -o sag.svg\n"
            "  lithe plot press.h5 top.force --over top.position -o force.svg\n"
            "  lithe plot pendulum.h5 rope.tension rope.curvature --at 0.5s --at 1s -o "
            "shape.pdf\n"};
    Options o = {.out = "plot.svg", .names = calloc((size_t)argc, sizeof(char *))};
    if (!o.names) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    LitheRecording *recordings[MAX_RUNS] = {NULL};
    const LitheCliTablePlot table = {.path = o.table,
                                     .out = o.out,
                                     .names = o.names,
                                     .name_count = o.name_count,
                                     .over = o.over,
                                     .by = o.by,
                                     .scatter = o.scatter,
                                     .heat = o.heat,
                                     .log = o.log};
    LitheStatus status = o.table[0] ? lithe_cli_plot_table(context, &table, &error) : LITHE_OK;
    for (int32_t r = 0; status == LITHE_OK && !o.table[0] && r < o.run_count; r++)
        status = lithe_recording_open(context, o.runs[r], &recordings[r], &error);
    if (status == LITHE_OK && recordings[0])
        status = o.list ? list_names(recordings[0], &error) : plot_names(recordings, &o, &error);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    for (int32_t r = 0; r < MAX_RUNS; r++)
        lithe_recording_close(recordings[r]);
    lithe_context_destroy(context);
    free(o.names);
    return code;
}
