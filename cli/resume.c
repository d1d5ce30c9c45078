// SPDX-License-Identifier: Apache-2.0
// cli/resume.c - lithe resume and lithe recover: continue a stopped run, or recover its recording

#include "cli/cli.h"

#include "run/output.h"

#include <math.h>
#include <stdlib.h>

typedef struct Options {
    LitheCliRun request;
    double max_energy_gain;  // 0: that of the run
    int32_t max_unconverged; // 0: that of the run
    int32_t max_work;        // 0: that of the run
    const char *recovered;   // recover: the recording; NULL: RUN.h5
} Options;

enum {
    KEY_UNTIL = 'u',
    KEY_THREADS = 'j',
    KEY_QUIET = 'q',
    KEY_OUT = 'o',
    KEY_FORCE = 'f',
    KEY_JSON = 1000,
    KEY_CHECKPOINT,
    KEY_GAIN,
    KEY_UNCONVERGED,
    KEY_WORK
};

static const struct argp_option options[] = {
    {"until", KEY_UNTIL, "TIME", 0, "simulate up to this time in place of the run's own end", 0},
    {"threads", KEY_THREADS, "N", 0, "threads (default 1); the result is the same for any number",
     0},
    {"checkpoint", KEY_CHECKPOINT, "TIME", 0,
     "save the state about this often, in wall time (default 2 s); the result is the same", 0},
    {"max-energy-gain", KEY_GAIN, "X", 0,
     "replace time.max-energy-gain of a run that it stopped; 0: no limit", 0},
    {"max-unconverged", KEY_UNCONVERGED, "N", 0,
     "replace time.max-unconverged of a run that it stopped; 0: no limit", 0},
    {"max-work", KEY_WORK, "N", 0, "replace time.max-work of a run that it stopped; 0: no limit",
     0},
    {"force", KEY_FORCE, 0, 0, "replace RUN.h5 also when it is no recording", 0},
    {"quiet", KEY_QUIET, 0, 0, "print only errors and warnings", 0},
    {"json", KEY_JSON, 0, 0, "print the summary as one JSON object", 0},
    {0},
};

static error_t parse_out(int key, char *text, struct argp_state *state, LitheCliRun *request) {
    switch (key) {
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "recording", text, &request->out);
        lithe_cli_name(state, "the name of the recording", text);
        return 0;
    case ARGP_KEY_END:
        if (!request->out)
            argp_error(state, "no recording is given (the name that was given to --out)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

// a whole number; INT32_MAX for 0, which is no limit
static int32_t limit_of(struct argp_state *state, const char *option, const char *text) {
    int32_t limit = (int32_t)lithe_cli_integer(state, option, text, 0, INT32_MAX);
    return limit == 0 ? INT32_MAX : limit;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    LitheCliRun *request = &o->request;
    char *rest = NULL;
    switch (key) {
    case KEY_GAIN:
        o->max_energy_gain = strtod(text, &rest);
        if (rest == text || *rest || !(o->max_energy_gain >= 0))
            argp_error(state, "--max-energy-gain is '%s', must be a number >= 0", text);
        if (o->max_energy_gain == 0)
            o->max_energy_gain = INFINITY;
        return 0;
    case KEY_UNCONVERGED:
        o->max_unconverged = limit_of(state, "--max-unconverged", text);
        return 0;
    case KEY_WORK:
        o->max_work = limit_of(state, "--max-work", text);
        return 0;
    case KEY_UNTIL:
        request->until = lithe_cli_time(state, "--until", text);
        return 0;
    case KEY_THREADS:
        request->threads = (int32_t)lithe_cli_integer(state, "--threads", text, 1, 1024);
        return 0;
    case KEY_CHECKPOINT:
        request->checkpoint = lithe_cli_time(state, "--checkpoint", text);
        return 0;
    case KEY_FORCE:
        request->force = true;
        return 0;
    case KEY_QUIET:
        request->quiet = true;
        return 0;
    case KEY_JSON:
        request->json = true;
        return 0;
    default:
        return parse_out(key, text, state, request);
    }
}

int lithe_cli_resume(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "RUN.h5",
        .doc = "Continue a run that was stopped, crashed or killed.\v"
               "The journal and the checkpoint of the run are beside RUN.h5. The result has the "
               "same bits as that of a run that was never stopped.\n\nExample:\n"
               "  lithe resume pendulum.h5\n"};
    Options o = {.request = {.threads = 1, .goals = true}};
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(o.request.quiet);
    LitheError error = {0};
    LitheSummary summary = {.energy_drift = NAN};
    LitheRunDef def = lithe_cli_run_def(&o.request);
    def.max_energy_gain = o.max_energy_gain;
    def.max_unconverged = o.max_unconverged;
    def.max_work = o.max_work;
    LitheStatus status = lithe_resume(context, o.request.out, &def, &summary, &error);
    int code = lithe_cli_run_done(NULL, &o.request, status, &summary, &error);
    lithe_context_destroy(context);
    return code;
}

static const struct argp_option recover_options[] = {
    {"out", KEY_OUT, "FILE.h5", 0, "write this recording, and leave RUN.h5 as it is", 0},
    {"force", KEY_FORCE, 0, 0, "replace a file that is no recording, or one of another scene", 0},
    {0},
};

static error_t parse_recover(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    if (key == KEY_OUT) {
        lithe_cli_name(state, "--out", text);
        o->recovered = text;
        return 0;
    }
    if (key == KEY_FORCE) {
        o->request.force = true;
        return 0;
    }
    return parse_out(key, text, state, &o->request);
}

int lithe_cli_recover(int argc, char **argv) {
    const struct argp argp = {
        .options = recover_options,
        .parser = parse_recover,
        .args_doc = "RUN.h5",
        .doc = "Make a recording of the frames of a stopped run, without continuing it.\v"
               "The journal stays, so that `lithe resume` still works.\n\nExample:\n"
               "  lithe recover pendulum.h5\n"};
    Options o = {0};
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    int64_t frames = 0;
    int code = LITHE_EXIT_DONE;
    const char *out = o.recovered ? o.recovered : o.request.out;
    if (lithe_recover_to(context, o.request.out, out, o.request.force, &frames, &error) != LITHE_OK)
        code = lithe_cli_failed(&error);
    else
        printf("%s holds %lld frames\n", out, (long long)frames);
    lithe_context_destroy(context);
    return code;
}
