// SPDX-License-Identifier: Apache-2.0
// cli/plot.c - lithe plot: quantities of a recording over time as an SVG chart

#include "cli/cli.h"

#include "base/memory.h"
#include "base/status.h"
#include "record/plot.h"
#include "record/recording.h"
#include "record/series.h"

#include <stdlib.h>
#include <string.h>

typedef struct Options {
    const char *run;
    const char *out;
    const char **names;
    int32_t name_count;
    bool log;
    bool list;
} Options;

// --- drawing -------------------------------------------------------------------------------------

typedef struct Sets {
    LitheSeriesSet *set; // [count]
    int32_t count;
    int32_t series_count; // over all sets
} Sets;

// all quantities of a plot must have the same unit
static LitheStatus check_units(const Sets *sets, const Options *o, LitheError *error) {
    for (int32_t i = 1; i < sets->count; i++)
        if (strcmp(sets->set[i].unit, sets->set[0].unit) != 0)
            return lithe_fail(
                error, LITHE_BAD_INPUT,
                "%s is in %s, but %s is in %s: all quantities of a plot must have the same unit",
                o->names[0], sets->set[0].unit, o->names[i], sets->set[i].unit);
    return LITHE_OK;
}

static LitheStatus draw(const LitheRecording *recording, const Sets *sets, const Options *o,
                        LitheError *error) {
    LitheContext *context = recording->context;
    LithePlotSeries *lines = lithe_alloc_array(context, sets->series_count, sizeof *lines);
    if (!lines)
        return lithe_fail_memory(error, "the plot");
    int32_t count = 0;
    for (int32_t i = 0; i < sets->count; i++)
        for (int32_t k = 0; k < sets->set[i].count; k++)
            lines[count++] = (LithePlotSeries){.name = sets->set[i].series[k].name,
                                               .x = recording->times,
                                               .y = sets->set[i].series[k].values,
                                               .count = (int32_t)recording->frame_count};
    char unit[48];
    snprintf(unit, sizeof unit, "[%s]", sets->set[0].unit);
    LithePlot plot = lithe_plot_default();
    plot.title = recording->layout.title;
    plot.x.title = "time [s]";
    plot.y.title = sets->count == 1 ? sets->set[0].label : unit;
    plot.y.log = o->log;
    plot.series = lines;
    plot.series_count = count;
    LitheStatus status = lithe_plot_write_svg(context, &plot, o->out, error);
    lithe_free(context, lines);
    return status;
}

static LitheStatus plot_names(LitheRecording *recording, const Options *o, LitheError *error) {
    Sets sets = {.set = lithe_alloc_array(recording->context, o->name_count, sizeof *sets.set)};
    LitheStatus status = sets.set ? lithe_recording_check_output(recording, o->out, error)
                                  : lithe_fail_memory(error, "the plot");
    for (int32_t i = 0; status == LITHE_OK && i < o->name_count; i++) {
        status = lithe_recording_series(recording, o->names[i], &sets.set[i], error);
        if (status == LITHE_OK)
            sets.series_count += sets.set[sets.count++].count;
    }
    if (status == LITHE_OK)
        status = check_units(&sets, o, error);
    if (status == LITHE_OK)
        status = draw(recording, &sets, o, error);
    for (int32_t i = 0; i < sets.count; i++)
        lithe_series_release(&sets.set[i]);
    lithe_free(recording->context, sets.set);
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

enum { KEY_OUT = 'o', KEY_LIST = 'l', KEY_LOG = 1000 };

static const struct argp_option options[] = {
    {"out", KEY_OUT, "FILE.svg", 0, "chart to write (default: plot.svg)", 0},
    {"list", KEY_LIST, 0, 0, "list the quantities of the recording", 0},
    {"log", KEY_LOG, 0, 0, "logarithmic vertical axis", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_OUT:
        lithe_cli_name(state, "--out", text);
        o->out = text;
        return 0;
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_LOG:
        o->log = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!o->run)
            o->run = text;
        else
            o->names[o->name_count++] = text;
        return 0;
    case ARGP_KEY_END: {
        size_t length = strlen(o->out);
        if (!o->run)
            argp_error(state, "no recording is given");
        if (!o->list && o->name_count == 0)
            argp_error(state, "no quantity is given (--list shows all)");
        if (length < 4 || strcmp(o->out + length - 4, ".svg") != 0)
            argp_error(state, "--out is '%s', plots are written as .svg", o->out);
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
        .args_doc = "RUN.h5 QUANTITY...",
        .doc = "Plot quantities of a recording over time.\v"
               "A quantity is NAME.WHAT of a rod, body, joint or drive, constraints.NAME.WHAT, "
               "energy.WHAT, contacts.count or report.WHAT; places "
               "(start, middle, end, [i]), components (x, y, z, m1, m2) and max, min or mean may "
               "follow.\n\nExamples:\n"
               "  lithe plot pendulum.h5 rope.tension -o tension.svg\n"
               "  lithe plot pendulum.h5 rope.end.position.x rope.end.position.z -o tip.svg\n"
               "  lithe plot crate.h5 crate.contact.z constraints.sling.force -o forces.svg\n"};
    Options o = {.out = "plot.svg", .names = calloc((size_t)argc, sizeof(char *))};
    if (!o.names) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    LitheRecording *recording = NULL;
    LitheStatus status = lithe_recording_open(context, o.run, &recording, &error);
    if (status == LITHE_OK)
        status = o.list ? list_names(recording, &error) : plot_names(recording, &o, &error);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    lithe_recording_close(recording);
    lithe_context_destroy(context);
    free(o.names);
    return code;
}
