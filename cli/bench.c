// SPDX-License-Identifier: Apache-2.0
// cli/bench.c - lithe bench: the performance table, for people and as JSON

#include "cli/cli.h"

#include "base/suggest.h"
#include "bench/block.h"
#include "bench/chain.h"
#include "bench/collide.h"
#include "bench/rod.h"

#include <stdlib.h>
#include <string.h>

typedef enum Kind { ROD, COLLIDE, BLOCK, CHAIN } Kind;

static const struct {
    const char *name;
    Kind kind;
    int32_t count; // nodes of a rod, rods to collide, which block case, or capsules of a chain
} cases[] = {
    {"rod-100", ROD, 100},
    {"rod-300", ROD, 300},
    {"rod-1000", ROD, 1000},
    {"rod-3000", ROD, 3000},
    {"rod-10000", ROD, 10000},
    {"collide-100", COLLIDE, 100},
    {"collide-1000", COLLIDE, 1000},
    {"block-rings", BLOCK, LITHE_BENCH_RINGS},
    {"block-rod", BLOCK, LITHE_BENCH_KNOTTED_ROD},
    {"chain-30", CHAIN, 30},
    {"chain-300", CHAIN, 300},
};

enum { CASE_COUNT = (int)(sizeof cases / sizeof *cases) };

typedef struct Options {
    const char *name;
    int32_t threads;
    bool list;
    bool json;
} Options;

// --- printing ------------------------------------------------------------------------------------

static void print_head(void) {
    printf("%-10s %8s %10s %8s %7s %8s %7s %7s %7s %9s %7s\n", "case", "unknowns", "step", "rate",
           "Newton", "unit", "cost", "Newton", "factor", "memory", "bytes");
    printf("%-10s %8s %10s %8s %7s %8s %7s %7s %7s %9s %7s\n", "", "", "us", "", "a step", "ns",
           "units", "units", "units", "peak", "a node");
}

static void print_row(const char *name, const LitheBenchRod *r) {
    char memory[32];
    double per_step = r->wall_seconds * r->step / r->sim_seconds;
    printf("%-10s %8lld %10.4g %8.3g %7.2f %8.0f %7.2f %7.2f %7.2f %9s %7.0f\n", name,
           (long long)r->dofs, 1e6 * per_step, r->sim_seconds / r->wall_seconds, r->newton_mean,
           r->unit_ns, r->cost_units, r->newton_units, r->factor_units,
           lithe_cli_bytes(r->peak_memory_bytes, memory), r->bytes_per_node);
    fflush(stdout);
}

static void print_json(const char *name, const LitheBenchRod *r) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_whole(&json, "dofs", r->dofs);
    lithe_json_number(&json, "step", r->step);
    lithe_json_number(&json, "sim_seconds", r->sim_seconds);
    lithe_json_number(&json, "wall_seconds", r->wall_seconds);
    lithe_json_number(&json, "busy_seconds", r->busy_seconds);
    lithe_json_number(&json, "rate", r->sim_seconds / r->wall_seconds);
    lithe_json_null(&json, "contacts_mean");
    lithe_json_null(&json, "contacts_max");
    lithe_json_number(&json, "newton_mean", r->newton_mean);
    lithe_json_null(&json, "solver_mean");
    lithe_json_whole(&json, "threads", r->threads);
    lithe_json_whole(&json, "nodes", r->nodes);
    lithe_json_number(&json, "unit_ns", r->unit_ns);
    lithe_json_number(&json, "cost_units", r->cost_units);
    lithe_json_number(&json, "newton_units", r->newton_units);
    lithe_json_number(&json, "factor_units", r->factor_units);
    lithe_json_stages(&json, NULL);
    lithe_json_whole(&json, "peak_memory_bytes", r->peak_memory_bytes);
    lithe_json_number(&json, "bytes_per_node", r->bytes_per_node);
    lithe_json_null(&json, "pairs");
    lithe_json_whole(&json, "repeats", r->repeats);
    lithe_json_hash(&json, "hash", r->hash);
    lithe_json_close(&json);
}

// --- collide cases -------------------------------------------------------------------------------

static void print_collide(const char *name, const LitheBenchCollide *r) {
    double per_segment = 1e9 / (double)r->segments;
    printf("%-12s %8s %8s %8s %9s %8s %8s %8s %7s %7s %7s\n", "case", "segments", "pairs",
           "contacts", "search", "boxes", "broad", "narrow", "unit", "cost", "a pair");
    printf("%-12s %8s %8s %8s %9s %8s %8s %8s %7s %7s %7s\n", "", "", "", "", "ms", "ns/seg",
           "ns/seg", "ns/seg", "ns", "units", "units");
    printf("%-12s %8lld %8lld %8lld %9.4g %8.0f %8.0f %8.0f %7.0f %7.3f %7.3f\n", name,
           (long long)r->segments, (long long)r->pairs, (long long)r->contacts, 1e3 * r->seconds,
           r->proxies * per_segment, r->broad * per_segment, r->narrow * per_segment, r->unit_ns,
           r->cost_units, r->narrow_units);
    fflush(stdout);
}

static void print_collide_json(const char *name, const LitheBenchCollide *r) {
    static const char *const no_such[] = {"step",        "sim_seconds", "rate",
                                          "newton_mean", "solver_mean", "newton_units",
                                          "factor_units"};
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_whole(&json, "dofs", 4 * (r->segments + r->rods) - r->rods);
    lithe_json_number(&json, "wall_seconds", r->seconds);
    lithe_json_whole(&json, "contacts_mean", r->contacts);
    lithe_json_whole(&json, "contacts_max", r->contacts);
    lithe_json_whole(&json, "threads", 1);
    lithe_json_whole(&json, "nodes", r->segments + r->rods);
    lithe_json_number(&json, "unit_ns", r->unit_ns);
    lithe_json_number(&json, "cost_units", r->cost_units);
    lithe_json_number(&json, "pair_units", r->narrow_units);
    fprintf(json.file, ", \"stages\": {\"collide\": %.9g, \"proxies\": %.9g, ", r->seconds,
            r->proxies);
    fprintf(json.file, "\"broad\": %.9g, \"narrow\": %.9g}", r->broad, r->narrow);
    lithe_json_whole(&json, "segments", r->segments);
    lithe_json_whole(&json, "pairs", r->pairs);
    lithe_json_whole(&json, "peak_memory_bytes", r->peak_memory_bytes);
    lithe_json_whole(&json, "repeats", r->repeats);
    for (size_t i = 0; i < sizeof no_such / sizeof *no_such; i++)
        lithe_json_null(&json, no_such[i]);
    lithe_json_close(&json);
}

static int bench_collide(int i, bool as_json) {
    LitheBenchCollide result;
    LitheError error = {0};
    if (lithe_bench_collide(cases[i].count, &result, &error) != LITHE_OK)
        return lithe_cli_failed(&error);
    if (as_json)
        print_collide_json(cases[i].name, &result);
    else
        print_collide(cases[i].name, &result);
    return LITHE_EXIT_DONE;
}

// --- block cases ---------------------------------------------------------------------------------

static void print_block(const char *name, const LitheBenchBlock *r) {
    printf("%-12s %8s %8s %7s %7s %8s %8s %8s %8s %8s %7s %7s\n", "case", "unknowns", "contacts",
           "L", "build", "analyse", "in order", "factor", "refactor", "solve", "unit", "cost");
    printf("%-12s %8s %8s %7s %7s %8s %8s %8s %8s %8s %7s %7s\n", "", "", "", "blocks", "us", "us",
           "us", "us", "us", "us", "ns", "units");
    printf("%-12s %8d %8d %7lld %7.0f %8.0f %8.0f %8.1f %8.1f %8.1f %7.0f %7.3f\n", name,
           (int)r->unknowns, (int)r->contacts, (long long)r->factor_blocks, 1e6 * r->build,
           1e6 * r->analyse, 1e6 * r->analyse_given, 1e6 * r->factor, 1e6 * r->refactor,
           1e6 * r->solve, r->unit_ns, r->cost_units);
    fflush(stdout);
}

static void print_block_json(const char *name, const LitheBenchBlock *r) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_whole(&json, "dofs", r->unknowns);
    lithe_json_whole(&json, "contacts_mean", r->contacts);
    lithe_json_whole(&json, "contacts_max", r->contacts);
    lithe_json_whole(&json, "threads", 1);
    lithe_json_whole(&json, "nodes", r->blocks);
    lithe_json_number(&json, "wall_seconds", r->factor + r->solve);
    lithe_json_number(&json, "unit_ns", r->unit_ns);
    lithe_json_number(&json, "cost_units", r->cost_units);
    lithe_json_number(&json, "factor_units", r->cost_units);
    fprintf(json.file, ", \"stages\": {\"build\": %.9g, \"analyse\": %.9g, ", r->build, r->analyse);
    fprintf(json.file, "\"analyse_given\": %.9g, \"factor\": %.9g, \"refactor\": %.9g, ",
            r->analyse_given, r->factor, r->refactor);
    fprintf(json.file, "\"solve\": %.9g}", r->solve);
    lithe_json_whole(&json, "factor_blocks", r->factor_blocks);
    lithe_json_whole(&json, "columns_redone", r->redone);
    lithe_json_number(&json, "backward_error", r->error);
    lithe_json_whole(&json, "peak_memory_bytes", r->peak_memory_bytes);
    lithe_json_whole(&json, "repeats", r->repeats);
    lithe_json_close(&json);
}

static int bench_block(int i, bool as_json) {
    LitheBenchBlock result;
    LitheError error = {0};
    if (lithe_bench_block((LitheBenchBlockCase)cases[i].count, &result, &error) != LITHE_OK)
        return lithe_cli_failed(&error);
    if (as_json)
        print_block_json(cases[i].name, &result);
    else
        print_block(cases[i].name, &result);
    return LITHE_EXIT_DONE;
}

// --- chain cases ---------------------------------------------------------------------------------

static void print_chain(const char *name, const LitheBenchChain *r) {
    double steps = r->sim_seconds / r->step, per_capsule = 1e9 / steps / r->capsules;
    printf("%-12s %8s %8s %8s %7s %7s %9s %9s %9s %7s %7s\n", "case", "unknowns", "contacts",
           "rate", "solver", "passes", "gap", "step", "step", "unit", "cost");
    printf("%-12s %8s %8s %8s %7s %7s %9s %9s %9s %7s %7s\n", "", "", "", "", "a step", "a step",
           "lengths", "us", "ns/caps", "ns", "units");
    printf("%-12s %8lld %8.3g %8.3g %7.2f %7.2f %9.2g %9.4g %9.0f %7.0f %7.2f\n", name,
           (long long)r->dofs, r->contacts_mean, r->sim_seconds / r->wall_seconds, r->solver_mean,
           r->passes_mean, r->gap, 1e6 * r->wall_seconds / steps, r->busy_seconds * per_capsule,
           r->unit_ns, r->cost_units);
    fflush(stdout);
}

static void print_chain_json(const char *name, const LitheBenchChain *r) {
    LitheJson json = lithe_json_open(stdout);
    lithe_json_text(&json, "case", name);
    lithe_json_whole(&json, "dofs", r->dofs);
    lithe_json_number(&json, "step", r->step);
    lithe_json_number(&json, "sim_seconds", r->sim_seconds);
    lithe_json_number(&json, "wall_seconds", r->wall_seconds);
    lithe_json_number(&json, "busy_seconds", r->busy_seconds);
    lithe_json_number(&json, "rate", r->sim_seconds / r->wall_seconds);
    lithe_json_number(&json, "contacts_mean", r->contacts_mean);
    lithe_json_whole(&json, "contacts_max", r->contacts_max);
    lithe_json_number(&json, "solver_mean", r->solver_mean);
    lithe_json_number(&json, "passes_mean", r->passes_mean);
    lithe_json_whole(&json, "threads", 1);
    lithe_json_whole(&json, "nodes", r->capsules);
    lithe_json_number(&json, "gap", r->gap);
    lithe_json_number(&json, "unit_ns", r->unit_ns);
    lithe_json_number(&json, "cost_units", r->cost_units);
    lithe_json_stages(&json, NULL);
    lithe_json_whole(&json, "peak_memory_bytes", r->peak_memory_bytes);
    lithe_json_whole(&json, "repeats", r->repeats);
    lithe_json_hash(&json, "hash", r->hash);
    lithe_json_close(&json);
}

static int bench_chain(int i, bool as_json) {
    LitheBenchChain result;
    LitheError error = {0};
    if (lithe_bench_chain(cases[i].count, &result, &error) != LITHE_OK)
        return lithe_cli_failed(&error);
    if (as_json)
        print_chain_json(cases[i].name, &result);
    else
        print_chain(cases[i].name, &result);
    return LITHE_EXIT_DONE;
}

static int bench_other(int i, bool as_json) {
    switch (cases[i].kind) {
    case COLLIDE:
        return bench_collide(i, as_json);
    case BLOCK:
        return bench_block(i, as_json);
    default:
        return bench_chain(i, as_json);
    }
}

// all cases that have no common table
static int bench_others(const Options *o) {
    int status = LITHE_EXIT_DONE;
    for (int i = 0; i < CASE_COUNT && status == LITHE_EXIT_DONE; i++)
        if (cases[i].kind != ROD && (!o->name || strcmp(o->name, cases[i].name) == 0))
            status = bench_other(i, o->json);
    return status;
}

// --- rod cases -----------------------------------------------------------------------------------

static int bench(const Options *o) {
    bool head = false;
    for (int i = 0; i < CASE_COUNT; i++) {
        if (cases[i].kind != ROD || (o->name && strcmp(o->name, cases[i].name) != 0))
            continue;
        LitheBenchRod result;
        LitheError error = {0};
        if (lithe_bench_rod(cases[i].count, o->threads, &result, &error) != LITHE_OK)
            return lithe_cli_failed(&error);
        if (o->json) {
            print_json(cases[i].name, &result);
            continue;
        }
        if (!head)
            print_head();
        head = true;
        print_row(cases[i].name, &result);
    }
    if (head)
        printf(
            "\nunit: a plain band Cholesky with solve per rod node on this machine; cost: one step "
            "per\nnode; Newton: one iteration (exact Hessian, factor, solve) per node; factor: "
            "factor and\nsolve alone per node. Costs are processor time%s.\n",
            o->threads > 1 ? "; with several threads that of a step is wall time" : "");
    if (head && !o->name)
        printf("\n");
    return bench_others(o);
}

// --- the verb ------------------------------------------------------------------------------------

enum { KEY_THREADS = 'j', KEY_LIST = 'l', KEY_JSON = 1000 };

static const struct argp_option options[] = {
    {"list", KEY_LIST, 0, 0, "list the cases", 0},
    {"threads", KEY_THREADS, "N", 0, "threads (default 1)", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object a case", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_LIST:
        o->list = true;
        return 0;
    case KEY_THREADS:
        o->threads = (int32_t)lithe_cli_whole(state, "--threads", text, 1, 1024);
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (o->name)
            argp_error(state, "one case at a time: '%s' is too many", text);
        o->name = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int unknown(const char *name) {
    const char *names[CASE_COUNT];
    for (int i = 0; i < CASE_COUNT; i++)
        names[i] = cases[i].name;
    const char *meant = lithe_suggest(name, names, CASE_COUNT);
    if (meant)
        lithe_cli_complain("there is no case '%s': did you mean '%s'?", name, meant);
    else
        lithe_cli_complain("there is no case '%s': lithe bench --list shows them", name);
    return LITHE_EXIT_BAD_INPUT;
}

int lithe_cli_bench(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[CASE]",
        .doc =
            "Time the benchmark cases: all, or one.\v"
            "rod-N is a rubber rod of N nodes with edges of 1 cm, clamped at its start and let "
            "go from horizontal; 50 steps of 1 ms of backward Euler after 100 steps of warm-up, "
            "median over repeats. A unit is the time of a plain band Cholesky per rod node on "
            "the same "
            "machine, so that figures can be compared between machines. collide-N finds the "
            "contacts of N rods of 100 edges that wind at random through a box of one litre a "
            "rod; its cost is that of a search per segment. block-rings and block-rod factor the "
            "matrix of a chain of 100 rings and of a rod of 300 nodes with 150 contacts; their "
            "cost is factor and solve per node. chain-N is a rope of N rigid capsules of 1 cm, "
            "pinned "
            "at its start and let go from horizontal, timed as rod-N but best of repeats; its cost "
            "is that of a step per capsule.\n\nExample:\n"
            "  lithe bench rod-1000 --json\n"};
    Options o = {.threads = 1};
    lithe_cli_parse(&argp, argc, argv, &o);
    if (o.list) {
        for (int i = 0; i < CASE_COUNT; i++)
            printf("%s\n", cases[i].name);
        return LITHE_EXIT_DONE;
    }
    bool found = !o.name;
    for (int i = 0; i < CASE_COUNT && !found; i++)
        found = strcmp(o.name, cases[i].name) == 0;
    return found ? bench(&o) : unknown(o.name);
}
