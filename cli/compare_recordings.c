// SPDX-License-Identifier: Apache-2.0
// cli/compare_recordings.c - lithe compare A.h5 B.h5: how far two recordings are from each other

#include "cli/compare.h"

#include "cli/cli.h"
#include "record/difference.h"
#include "record/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20 }; // rows without --all

typedef struct Options {
    const char *paths[2];
    const char **names;
    int32_t path_count, name_count;
    double tolerance; // negative: none is given
    bool all, json, quiet;
} Options;

// What a tolerance is compared with.
typedef struct Verdict {
    int32_t compared, equal, above, missing;
    bool ends_differ;
} Verdict;

static bool is_recording_name(const char *text) {
    size_t n = strlen(text);
    return text[0] != '-' && n > 3 && strcmp(text + n - 3, ".h5") == 0;
}

bool lithe_compare_wants_recordings(int argc, char **argv) {
    bool recording = false, scene = false;
    for (int i = 1; i < argc; i++) {
        recording = recording || is_recording_name(argv[i]);
        scene = scene || lithe_cli_is_scene(argv[i]);
    }
    return recording && !scene;
}

// --- output --------------------------------------------------------------------------------------

// those that could not be compared first, then the largest relative difference first
static int by_difference(const void *left, const void *right) {
    const LitheDifference *a = left, *b = right;
    if ((a->gap != LITHE_COMPARED) != (b->gap != LITHE_COMPARED))
        return a->gap != LITHE_COMPARED ? -1 : 1;
    if (a->relative != b->relative)
        return a->relative > b->relative ? -1 : 1;
    return strcmp(a->name, b->name);
}

static Verdict judge(const LitheDifferences *differences, LitheRecording *recordings[2],
                     double tolerance) {
    Verdict v = {0};
    for (int32_t i = 0; i < differences->count; i++) {
        const LitheDifference *one = &differences->all[i];
        v.missing += one->gap != LITHE_COMPARED;
        v.compared += one->gap == LITHE_COMPARED;
        v.equal += one->gap == LITHE_COMPARED && one->largest == 0;
        v.above += one->gap == LITHE_COMPARED && tolerance >= 0 && one->relative > tolerance;
    }
    for (int k = 0; k < 2; k++) {
        const LitheRecording *r = recordings[k];
        double end = r->times[r->frame_count - 1];
        v.ends_differ = v.ends_differ || end > differences->last + 1e-9 * fabs(end);
    }
    return v;
}

static void print_gap(const LitheDifference *one) {
    if (one->gap == LITHE_OTHER_SIZE)
        printf("  %-34s not compared: %lld and %lld values per frame\n", one->name,
               (long long)one->sizes[0], (long long)one->sizes[1]);
    else
        printf("  %-34s only in the %s recording\n", one->name,
               one->gap == LITHE_ONLY_IN_FIRST ? "first" : "second");
}

static void print_table(LitheDifferences *differences, LitheRecording *recordings[2],
                        const Options *o, const Verdict *v) {
    for (int k = 0; k < 2; k++)
        printf("%-9s%s: %lld frames to %g s\n", k ? "second" : "first", recordings[k]->path,
               (long long)recordings[k]->frame_count,
               recordings[k]->times[recordings[k]->frame_count - 1]);
    printf("compared %lld moments to %g s, %d quantities, %d of them equal to the bit\n",
           (long long)differences->moments, differences->last, (int)v->compared, (int)v->equal);
    if (v->ends_differ)
        printf("what one of them has after that time is not compared\n");
    int32_t shown = 0, left = 0;
    for (int32_t i = 0; i < differences->count; i++) {
        const LitheDifference *one = &differences->all[i];
        if (one->gap == LITHE_COMPARED && one->largest == 0 && !o->all)
            continue;
        if (shown >= SHOWN && !o->all) {
            left++;
            continue;
        }
        if (shown++ == 0)
            printf("\n  %-34s %10s %10s %-8s %9s %9s  at\n", "quantity", "largest", "rms", "unit",
                   "relative", "time [s]");
        if (one->gap != LITHE_COMPARED)
            print_gap(one);
        else
            printf("  %-34s %10.3g %10.3g %-8s %9.2g %9.4g  %s\n", one->name, one->largest,
                   one->rms, one->unit, one->relative, one->time, one->place);
    }
    if (shown > 0)
        printf("  relative: of the largest value of the quantity in either recording\n");
    if (left > 0)
        printf("  and %d more with smaller differences (--all prints them)\n", (int)left);
}

static void print_json(const LitheDifferences *differences) {
    static const char *const gaps[] = {"compared", "only in the first", "only in the second",
                                       "other size"};
    for (int32_t i = 0; i < differences->count; i++) {
        const LitheDifference *one = &differences->all[i];
        bool compared = one->gap == LITHE_COMPARED;
        LitheJson json = lithe_json_open(stdout);
        lithe_json_text(&json, "quantity", one->name);
        lithe_json_text(&json, "unit", one->unit);
        lithe_json_text(&json, "state", gaps[one->gap]);
        lithe_json_number(&json, "largest", compared ? one->largest : NAN);
        lithe_json_number(&json, "rms", compared ? one->rms : NAN);
        lithe_json_number(&json, "relative", compared ? one->relative : NAN);
        lithe_json_number(&json, "scale", compared ? one->scale : NAN);
        lithe_json_number(&json, "time", compared ? one->time : NAN);
        lithe_json_text(&json, "place", compared ? one->place : NULL);
        lithe_json_close(&json);
    }
}

// 0 or 1, with the reason on stderr
static int verdict(const Verdict *v, const LitheDifferences *differences, const Options *o) {
    if (o->tolerance < 0)
        return LITHE_EXIT_DONE;
    if (v->above > 0) {
        const LitheDifference *worst = NULL;
        for (int32_t i = 0; i < differences->count; i++)
            if (differences->all[i].gap == LITHE_COMPARED &&
                (!worst || differences->all[i].relative > worst->relative))
                worst = &differences->all[i];
        lithe_cli_complain("%d of %d quantities differ by more than %g; the most: %s by %.3g %s "
                           "(%.3g of its largest value) at %g s",
                           (int)v->above, (int)v->compared, o->tolerance, worst->place,
                           worst->largest, worst->unit, worst->relative, worst->time);
    }
    if (v->missing > 0)
        lithe_cli_complain("%d quantities could not be compared; the first: %s", (int)v->missing,
                           differences->all[0].name);
    if (v->ends_differ)
        lithe_cli_complain("the recordings end at different times: compared up to %g s",
                           differences->last);
    return v->above > 0 || v->missing > 0 || v->ends_differ ? LITHE_EXIT_CHECK_FAILED
                                                            : LITHE_EXIT_DONE;
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_TOLERANCE = 't', KEY_ALL = 'a', KEY_QUIET = 'q', KEY_JSON = 1000 };

static const struct argp_option options[] = {
    {"tolerance", KEY_TOLERANCE, "X", 0,
     "exit with 1 when a quantity differs by more than this part of its largest value (0: at all), "
     "is in one recording only, or the recordings end at different times",
     0},
    {"all", KEY_ALL, 0, 0, "print all quantities, not the 20 that differ most", 0},
    {"quiet", KEY_QUIET, 0, 0, "print only what is beyond the tolerance", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object per quantity, no table", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    char *end = text;
    switch (key) {
    case KEY_TOLERANCE:
        o->tolerance = strtod(text, &end);
        if (end == text || *end || !(o->tolerance >= 0) || !isfinite(o->tolerance))
            argp_error(state, "--tolerance is '%s', must be a number from 0, such as 1e-6", text);
        return 0;
    case KEY_ALL:
        o->all = true;
        return 0;
    case KEY_QUIET:
        o->quiet = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!is_recording_name(text) && o->path_count == 2)
            o->names[o->name_count++] = text;
        else if (!is_recording_name(text))
            argp_error(state, "expected two recordings, then quantities, unexpected '%s'", text);
        else if (o->path_count == 2)
            argp_error(state, "expected two recordings, '%s' is a third", text);
        else
            o->paths[o->path_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (o->path_count < 2)
            argp_error(state, "one recording is given, '%s': two are compared", o->paths[0]);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_compare_recordings(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "A.h5 B.h5 [QUANTITY...]",
        .doc = "Compare two recordings, value by value, at the moments that both have.\v"
               "Without quantities: all but those of the solver (report). A quantity is what "
               "'lithe plot' names, or a thing with all its quantities.\n\nExamples:\n"
               "  lithe compare coarse.h5 fine.h5\n"
               "  lithe compare before.h5 after.h5 rope energy.kinetic --tolerance 1e-6\n"};
    Options o = {.tolerance = -1, .names = calloc((size_t)argc, sizeof(char *))};
    if (!o.names) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);
    LitheContext *context = lithe_cli_context(o.quiet);
    LitheError error = {0};
    LitheRecording *recordings[2] = {NULL, NULL};
    LitheDifferences differences = {0};
    LitheStatus status = LITHE_OK;
    for (int k = 0; status == LITHE_OK && k < 2; k++)
        status = lithe_recording_open(context, o.paths[k], &recordings[k], &error);
    if (status == LITHE_OK)
        status =
            lithe_recording_differences(recordings, o.names, o.name_count, &differences, &error);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    if (status == LITHE_OK) {
        qsort(differences.all, (size_t)differences.count, sizeof *differences.all, by_difference);
        Verdict v = judge(&differences, recordings, o.tolerance);
        if (o.json)
            print_json(&differences);
        else if (!o.quiet)
            print_table(&differences, recordings, &o, &v);
        code = verdict(&v, &differences, &o);
    }
    lithe_differences_release(&differences);
    lithe_recording_close(recordings[0]);
    lithe_recording_close(recordings[1]);
    lithe_context_destroy(context);
    free(o.names);
    return code;
}
