// SPDX-License-Identifier: Apache-2.0
// cli/bench.c - lithe bench: measures performance, prints a table or JSON

#include "cli/cli.h"

#include "base/suggest.h"
#include "cli/bench_cases.h"

#include <limits.h>
#include <string.h>

typedef struct Options {
    const char *name;
    int32_t threads, max_steps, repeats;
    bool list, json;
    bool family;           // the name is a prefix: all cases NAME-... run
    char folder[PATH_MAX]; // of the scenes
} Options;

static LitheBenchSetting setting_of(const Options *o, const LitheBenchCase *c) {
    LitheBenchSetting setting = c->setting;
    setting.folder = o->folder;
    setting.threads = o->threads;
    setting.max_steps = o->max_steps;
    setting.repeats = o->repeats;
    return setting;
}

static bool is_offered(const Options *o, const LitheBenchCase *c) {
    LitheBenchSetting setting = setting_of(o, c);
    return !setting.optional || lithe_bench_scene_is_known(&setting);
}

static bool is_meant(const Options *o, const LitheBenchCase *c) {
    size_t length = o->name ? strlen(o->name) : 0;
    if (o->family)
        return strncmp(o->name, c->name, length) == 0 && c->name[length] == '-' && is_offered(o, c);
    return o->name ? strcmp(o->name, c->name) == 0 : is_offered(o, c);
}

// --- running them --------------------------------------------------------------------------------

static int bench_case(const Options *o, const LitheBenchCase *c, const LitheBenchColumn **shown) {
    LitheBenchSetting setting = setting_of(o, c);
    LitheBenchResult result;
    LitheError error = {0};
    lithe_bench_begin(&result);
    if (c->kind->run(&setting, &result, &error) != LITHE_OK)
        return lithe_cli_failed(&error);
    if (o->json) {
        lithe_bench_print_json(c->name, &result);
        return LITHE_EXIT_DONE;
    }
    // cases with the same columns share a table
    if (*shown != c->kind->columns) {
        printf("%s", *shown ? "\n" : "");
        lithe_bench_print_head(c->kind->columns);
    }
    *shown = c->kind->columns;
    lithe_bench_print_row(c->kind->columns, c->name, &result);
    if (c->kind->note &&
        ((o->name && !o->family) || c + 1 == lithe_bench_cases + lithe_bench_case_count ||
         c[1].kind != c->kind))
        printf("\n%s\n", c->kind->note);
    return LITHE_EXIT_DONE;
}

static int bench(const Options *o) {
    const LitheBenchColumn *shown = NULL;
    int status = LITHE_EXIT_DONE;
    for (int i = 0; i < lithe_bench_case_count && status == LITHE_EXIT_DONE; i++)
        if (is_meant(o, &lithe_bench_cases[i]))
            status = bench_case(o, &lithe_bench_cases[i], &shown);
    return status;
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_THREADS = 'j', KEY_LIST = 'l', KEY_JSON = 1000, KEY_STEPS, KEY_REPEAT };

static const struct argp_option options[] = {
    {"list", KEY_LIST, 0, 0, "list the cases", 0},
    {"threads", KEY_THREADS, "N", 0, "threads (default 1)", 0},
    {"steps", KEY_STEPS, "N", 0,
     "of chain, spots, tangle, pile, bin, imc, F2 and F6 at most N steps, from the start, once (to "
     "see that they run); mesh and shell once",
     0},
    {"repeat", KEY_REPEAT, "N", 0,
     "of included scenes N runs: the fastest is shown; in JSON also rate_median, and "
     "rate_of_least_laps from the least time of each step (on a shared machine)",
     0},
    {"json", KEY_JSON, 0, 0, "one JSON object per case", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_THREADS:
        o->threads = (int32_t)lithe_cli_integer(state, "--threads", text, 1, 1024);
        return 0;
    case KEY_STEPS:
        o->max_steps = (int32_t)lithe_cli_integer(state, "--steps", text, 1, 1000000000);
        return 0;
    case KEY_REPEAT:
        o->repeats = (int32_t)lithe_cli_integer(state, "--repeat", text, 1, 1000);
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->name)
            argp_error(state, "expected one case, unexpected argument '%s'", text);
        o->name = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int unknown(const Options *o) {
    const LitheCliExperiment *published = lithe_cli_experiment(o->name);
    if (published) {
        lithe_cli_complain("%s, %s, is not in this version%s%s: lithe bench --list shows what is",
                           published->name, published->about,
                           published->validated ? " as a benchmark, but as lithe validate " : "",
                           published->validated ? published->validated : "");
        return LITHE_EXIT_BAD_INPUT;
    }
    const char *names[LITHE_BENCH_CASES_MAX];
    int count = 0;
    for (int i = 0; i < lithe_bench_case_count; i++)
        if (is_offered(o, &lithe_bench_cases[i]))
            names[count++] = lithe_bench_cases[i].name;
    const char *meant = lithe_suggest(o->name, names, count);
    if (meant)
        lithe_cli_complain("no case named '%s': did you mean '%s'?", o->name, meant);
    else
        lithe_cli_complain("no case named '%s': lithe bench --list shows all", o->name);
    return LITHE_EXIT_BAD_INPUT;
}

int lithe_cli_bench(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[CASE]",
        .doc =
            "Time the benchmark cases: all, one, or a family such as rod (rod-100, rod-300 ..).\v"
            "rod-N is a rubber rod of N nodes with edges of 1 cm, clamped at its start and let "
            "go from horizontal; 50 steps of 1 ms of backward Euler after 100 steps of warm-up, "
            "median over repeats. A unit is the time of a plain band Cholesky per rod node on "
            "the same machine, so that figures can be compared between machines. collide-N finds "
            "the contacts of N rods of 100 edges that wind at random through a box of one litre a "
            "rod; its cost is that of a search per segment. patch finds the polygons of two soft "
            "balls "
            "of a thousand tetrahedra, and the contacts of a rod on a cylinder. block-rings and "
            "block-rod factor the "
            "matrix of a chain of 100 rings and of a rod of 300 nodes with 150 contacts; their "
            "cost is factor and solve per node. mesh-N and shell-N do so for a solid of N^3 and a "
            "shell of N^2 vertices, with nothing in contact, with a face and with a patch. "
            "solid-assembly "
            "computes forces and stiffness of a cube of 28^3 cells of five tetrahedra, per element "
            "and law. solid-27 is a step of a free cube of 27^3 nodes with the memory of its run. "
            "chain-N "
            "is a rope of N rigid capsules of 1 cm, "
            "pinned at its start and released from horizontal, timed as rod-N but best of repeats; "
            "its cost is that of a step per capsule. spots-N is a braid of two rods that cross N "
            "times, tangle a random one of 20 rods: a solve of their linear equations per node "
            "and per crossing. imc-N is scenes/knot-imc.yaml with the knot N after 1 s of pulling: "
            "one Newton iteration with the contacts of a knot. F2 is scenes/knot.yaml from start "
            "to end, F6 the first 2 s of "
            "scenes/chain-of-rings.yaml with 100 rings, F6-N 0.4 s of one of N rings that begins "
            "hanging, "
            "F6-rest 20 s of F6, until it rests, F6-adaptive the same with adaptive steps, S1 "
            "scenes/press.yaml loaded in 20 s, S1-full the same in 500 s, as published, S2 20 s of "
            "scenes/arch.yaml, which stands, S3 scenes/gripper.yaml, A1 "
            "scenes/soft-arm-slope.yaml, "
            "A1-fine with steps of 0.1 ms, A1-convex under the contact model convex, "
            "A1-convex-euler by "
            "backward Euler, lcp-arm its "
            "complementarity problems from 0.4 s on, lcp-13 those of thirteen plates; with "
            "certificate and recording, and the wall time of every stage.\n\nExample:\n"
            "  lithe bench rod-1000 --json\n"};
    Options o = {.threads = 1};
    lithe_cli_parse(&argp, argc, argv, &o);
    // without this folder, a case that needs a scene reports it
    lithe_cli_scene_folder(o.folder, sizeof o.folder);
    if (o.list) {
        for (int i = 0; i < lithe_bench_case_count; i++)
            if (is_offered(&o, &lithe_bench_cases[i]))
                printf("%s\n", lithe_bench_cases[i].name);
        return LITHE_EXIT_DONE;
    }
    // experiments by the names of the papers
    const LitheCliExperiment *published = o.name ? lithe_cli_experiment(o.name) : NULL;
    o.name = published && published->timed ? published->timed : o.name;
    bool found = !o.name;
    for (int turn = 0; turn < 2 && !found; turn++) {
        o.family = turn == 1;
        for (int i = 0; i < lithe_bench_case_count && !found; i++)
            found = is_meant(&o, &lithe_bench_cases[i]) && is_offered(&o, &lithe_bench_cases[i]);
    }
    return found ? bench(&o) : unknown(&o);
}
