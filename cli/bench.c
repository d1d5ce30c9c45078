// SPDX-License-Identifier: Apache-2.0
// cli/bench.c - lithe bench: measures performance, prints a table or JSON

#include "cli/cli.h"

#include "base/suggest.h"
#include "cli/bench_print.h"

#include <limits.h>
#include <string.h>

// --- kinds of cases ------------------------------------------------------------------------------

static const LitheBenchColumn rod_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"step_seconds", "step", "us", 1e6, 9, -1},
    {"rate", "rate", "", 1, 8, -1},
    {"newton_mean", "Newton", "per step", 1, 8, 2},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 2},
    {"newton_units", "Newton", "units", 1, 7, 2},
    {"factor_units", "factor", "units", 1, 7, 2},
    {"peak_memory_bytes", "memory", "peak", 1, 9, -2},
    {"bytes_per_node", "bytes", "per node", 1, 8, 0},
    {0},
};

static const LitheBenchColumn collide_columns[] = {
    {"segments", "segments", "", 1, 8, 0},
    {"pairs", "pairs", "", 1, 8, 0},
    {"contacts_max", "contacts", "", 1, 8, 0},
    {"wall_seconds", "search", "ms", 1e3, 8, 3},
    {"stages.proxies", "boxes", "ms", 1e3, 8, 3},
    {"stages.broad", "broad", "ms", 1e3, 8, 3},
    {"stages.narrow", "narrow", "ms", 1e3, 8, 3},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 3},
    {"pair_units", "per pair", "units", 1, 8, 3},
    {0},
};

static const LitheBenchColumn patch_columns[] = {
    {"tets", "tets", "", 1, 6, 0},
    {"polygons", "polygons", "", 1, 8, 0},
    {"polygon_seconds", "polygon", "us", 1e6, 7, 3},
    {"edges", "edges", "", 1, 6, 0},
    {"edge_seconds", "edge", "us", 1e6, 7, 3},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "polygon", "units", 1, 7, 2},
    {"edge_units", "edge", "units", 1, 7, 2},
    {0},
};

static const LitheBenchColumn block_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"contacts_max", "contacts", "", 1, 8, 0},
    {"factor_blocks", "L", "blocks", 1, 7, 0},
    {"stages.build", "build", "us", 1e6, 7, 0},
    {"stages.analyse", "analyse", "us", 1e6, 8, 0},
    {"stages.analyse_given", "in order", "us", 1e6, 8, 0},
    {"stages.factor", "factor", "us", 1e6, 8, 1},
    {"stages.refactor", "refactor", "us", 1e6, 8, 1},
    {"stages.solve", "solve", "us", 1e6, 8, 1},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 3},
    {0},
};

static const LitheBenchColumn solid_columns[] = {
    {"elements", "elements", "", 1, 8, 0},
    {"forces_seconds", "forces", "us", 1e6, 7, 3},
    {"neo_seconds", "exact", "us", 1e6, 7, 3},
    {"projected_seconds", "project", "us", 1e6, 7, 3},
    {"lagged_seconds", "lagged", "us", 1e6, 7, 3},
    {"corotated_seconds", "corot", "us", 1e6, 7, 3},
    {"mooney_seconds", "Mooney", "us", 1e6, 7, 3},
    {"plain_seconds", "plain", "us", 1e6, 7, 3},
    {"plain_projected_seconds", "project", "us", 1e6, 7, 3},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "exact", "units", 1, 7, 3},
    {"projected_units", "project", "units", 1, 7, 3},
    {0},
};

static const LitheBenchColumn cube_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"threads", "threads", "", 1, 7, 0},
    {"wall_seconds", "step", "s", 1, 7, 2},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 0},
    {"factor_bytes", "L", "MB", 1e-6, 8, 1},
    {"stored_bytes", "stored", "MB", 1e-6, 8, 1},
    {"solver_bytes", "solver", "MB", 1e-6, 8, 1},
    {"peak_memory_bytes", "peak", "MB", 1e-6, 8, 1},
    {"solver_over_stored", "over stored", "", 1, 11, 3},
    {0},
};

static const LitheBenchColumn mesh_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"factor_values", "L", "numbers", 1, 9, 0},
    {"order_seconds", "order", "ms", 1e3, 7, 1},
    {"analyse_seconds", "analyse", "ms", 1e3, 7, 1},
    {"factor_seconds", "factor", "ms", 1e3, 8, 1},
    {"solve_seconds", "solve", "ms", 1e3, 7, 2},
    {"face_analyse_seconds", "analyse", "face", 1e3, 7, 1},
    {"face_factor_seconds", "factor", "face", 1e3, 8, 1},
    {"refactor_seconds", "again", "face", 1e3, 7, 1},
    {"patch_analyse_seconds", "analyse", "patch", 1e3, 7, 1},
    {"patch_factor_seconds", "factor", "patch", 1e3, 8, 1},
    {"patch_refactor_seconds", "again", "patch", 1e3, 7, 2},
    {0},
};

static const LitheBenchColumn chain_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"contacts_mean", "contacts", "", 1, 8, -1},
    {"rate", "rate", "", 1, 8, -1},
    {"solver_mean", "solver", "per step", 1, 8, 2},
    {"passes_mean", "passes", "per step", 1, 8, 2},
    {"gap", "gap", "lengths", 1, 9, -1},
    {"step_seconds", "step", "us", 1e6, 9, -1},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 2},
    {0},
};

#define STAGE_COLUMN(name, head) \
    { "stages." #name, head, "s", 1, 8, 3 }

static const LitheBenchColumn scene_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"steps", "steps", "", 1, 6, 0},
    {"contacts_mean", "contacts", "per step", 1, 8, 1},
    {"solver_mean", "solver", "per step", 1, 8, 2},
    {"wall_seconds", "wall", "s", 1, 8, 2},
    {"rate", "rate", "", 1, 8, -1},
    {"unit_ns", "unit", "ns", 1, 5, 0},
    {"cost_units", "cost", "units", 1, 7, 1},
    STAGE_COLUMN(collide, "collide"),
    STAGE_COLUMN(free, "free"),
    STAGE_COLUMN(assemble, "assemble"),
    STAGE_COLUMN(factor, "factor"),
    STAGE_COLUMN(line_search, "search"),
    STAGE_COLUMN(certify, "certify"),
    STAGE_COLUMN(advance, "advance"),
    STAGE_COLUMN(record, "record"),
    {0},
};

static const LitheBenchColumn lcp_columns[] = {
    {"contacts_mean", "contacts", "per step", 1, 8, 1},
    {"warm_seconds", "warm", "us", 1e6, 8, 1},
    {"cold_seconds", "cold", "us", 1e6, 8, 1},
    {"unit_ns", "unit", "ns", 1, 5, 0},
    {"warm_units", "warm", "units", 1, 7, 0},
    {"cold_units", "cold", "units", 1, 7, 0},
    {0},
};

static const LitheBenchColumn plate_columns[] = {
    {"contacts_mean", "contacts", "", 1, 8, 0},
    {"kept", "kept", "", 1, 5, 0},
    {"unsolved", "unsolved", "", 1, 8, 0},
    {"warm_seconds", "warm", "us", 1e6, 8, 1},
    {"cold_seconds", "cold", "us", 1e6, 8, 1},
    {"all_seconds", "all", "us", 1e6, 8, 1},
    {"unit_ns", "unit", "ns", 1, 5, 0},
    {"warm_units", "warm", "units", 1, 7, 0},
    {"cold_units", "cold", "units", 1, 7, 0},
    {"all_units", "all", "units", 1, 7, 0},
    {0},
};

static const LitheBenchColumn spot_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"contacts_mean", "contacts", "per step", 1, 8, 1},
    {"solver_mean", "solver", "per step", 1, 8, 2},
    {"step_seconds", "step", "ms", 1e3, 8, 2},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 2},
    {"factor_blocks", "L", "blocks", 1, 8, 0},
    {"factor_seconds", "factor", "ms", 1e3, 8, 3},
    {"factor_units", "factor", "per node", 1, 8, 2},
    {"factor_spot_units", "factor", "per spot", 1, 8, 1},
    {0},
};

static const LitheBenchColumn imc_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"contacts_mean", "contacts", "per step", 1, 8, 1},
    {"solver_mean", "Newton", "per step", 1, 8, 2},
    {"step_seconds", "step", "ms", 1e3, 8, 3},
    {"rate", "rate", "", 1, 8, -1},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 2},
    {"iteration_seconds", "Newton", "us", 1e6, 7, 0},
    {"newton_units", "Newton", "units", 1, 7, 2},
    {"factor_units", "factor", "units", 1, 7, 2},
    {0},
};

static const LitheBenchColumn pile_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"contacts_mean", "contacts", "per step", 1, 8, 1},
    {"solver_mean", "solver", "per step", 1, 8, 2},
    {"passes_mean", "passes", "per step", 1, 8, 2},
    {"step_seconds", "step", "ms", 1e3, 8, 3},
    {"rate", "rate", "", 1, 8, -1},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {"cost_units", "cost", "units", 1, 7, 2},
    {"newton_units", "Newton", "units", 1, 7, 2},
    {"factor_units", "factor", "units", 1, 7, 2},
    {0},
};

static const LitheBenchColumn plan_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"wall_seconds", "time", "s", 1, 7, 2},
    {"kinematic_seconds", "kinematic", "s", 1, 9, 2},
    {"dynamic_seconds", "dynamic", "s", 1, 7, 2},
    {"iterations", "iterations", "", 1, 10, 0},
    {"factors", "factors", "", 1, 7, 0},
    {"cost", "cost", "", 1, 7, 3},
    {"error", "error", "1e-6", 1e6, 7, 2},
    {"products", "products", "1e-6", 1e6, 8, 3},
    {"converged", "converged", "", 1, 9, 0},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {0},
};

static const LitheBenchColumn part_columns[] = {
    {"dofs", "unknowns", "", 1, 8, 0},
    {"rows", "rows", "per stage", 1, 9, 0},
    {"block", "block", "", 1, 6, 0},
    {"links", "links", "", 1, 6, 0},
    {"derivatives_seconds", "derivatives", "ms", 1e3, 11, 2},
    {"factor_seconds", "factor", "ms", 1e3, 7, 2},
    {"solve_seconds", "solve", "ms", 1e3, 7, 3},
    {"unit_ns", "unit", "ns", 1, 7, 0},
    {0},
};

typedef struct Kind {
    LitheBenchFn *run;
    const LitheBenchColumn *columns;
    const char *note; // below the table, or NULL
} Kind;

static const Kind rod = {
    lithe_bench_rod, rod_columns,
    "unit: a plain band Cholesky with solve per rod node on this machine; cost: one step per\n"
    "node; Newton: one iteration (exact Hessian, factor, solve) per node; factor: factor and\n"
    "solve alone per node. Costs are processor time; with several threads that of a step is\n"
    "wall time."};
static const Kind collide = {lithe_bench_collide, collide_columns, NULL};
static const Kind patch = {
    lithe_bench_patch, patch_columns,
    "polygon: search, points and merging of a patch of two soft balls, per polygon; edge: an edge\n"
    "of a rod on a cylinder, contacts at points. Processor time, median of the repeats."};
static const Kind rings = {lithe_bench_rings, block_columns, NULL};
static const Kind knotted = {lithe_bench_knotted_rod, block_columns, NULL};
static const Kind mesh = {lithe_bench_mesh, mesh_columns, NULL};
static const Kind shell = {
    lithe_bench_shell, mesh_columns,
    "face, patch: with the vertices of a face (an edge of the shell), or 36 in its middle, in\n"
    "contact; again: after a change of these alone. All in ms, best of the repeats."};
static const Kind solid = {
    lithe_bench_solid, solid_columns,
    "per tetrahedron: forces; forces and stiffness, exact and projected (neo-Hookean); other\n"
    "laws; the plain form of the first two. All in us, best of the repeats."};
static const Kind cube = {lithe_bench_solid_step, cube_columns, NULL};
static const Kind chain = {lithe_bench_chain, chain_columns, NULL};
static const Kind scene = {lithe_bench_scene, scene_columns, NULL};
static const Kind plan = {lithe_bench_plan, plan_columns, "by the own solver (solver 1)"};
static const Kind plan_parts = {
    lithe_bench_plan_parts, part_columns,
    "parts of an iteration of a plan: values, Jacobian and Hessian; "
    "Newton's matrix and its\n"
    "stage-wise factor; a solution with one refinement. Processor time, "
    "best of the repeats."};
static const Kind lcp = {lithe_bench_lcp, lcp_columns, NULL};
static const Kind plates = {lithe_bench_lcp_plates, plate_columns,
                            "all: thirteen contacts kept, 78 unknowns, from zero"};
static const Kind spots = {lithe_bench_spots, spot_columns, NULL};
static const Kind tangle = {lithe_bench_tangle, spot_columns, NULL};
static const Kind pile = {lithe_bench_pile, pile_columns, NULL};
static const Kind bin = {lithe_bench_bin, pile_columns, NULL};
static const Kind imc = {
    lithe_bench_imc, imc_columns,
    "Newton: one iteration with all pairs of edges, in all and per node; factor:\n"
    "its linear algebra alone per node; both in processor time."};

// --- the cases -----------------------------------------------------------------------------------

// Rings start 0.1 mm before they touch, so that chains of any length soon have all their contacts;
// in the included scene the last of 1000 rings falls for 5 s before it hangs.
#define HANGING "rods.ring.shape.ring.at=[0, 0, -17.4 mm*i]"
// simulated time after which all of them hang [s]
#define FALL 0.4
#define RINGS(number) \
    { \
        "F6-" #number, &scene, { \
            .scene = "chain-of-rings", .until = FALL, .sets = { \
                "parameters.rings=" #number, \
                HANGING \
            } \
        } \
    }

typedef struct Case {
    const char *name;
    const Kind *kind;
    LitheBenchSetting setting;
} Case;

static const Case cases[] = {
    {"rod-100", &rod, {.count = 100}},
    {"rod-300", &rod, {.count = 300}},
    {"rod-1000", &rod, {.count = 1000}},
    {"rod-3000", &rod, {.count = 3000}},
    {"rod-10000", &rod, {.count = 10000}},
    {"collide-100", &collide, {.count = 100}},
    {"collide-1000", &collide, {.count = 1000}},
    {"patch", &patch, {0}},
    {"block-rings", &rings, {0}},
    {"block-rod", &knotted, {0}},
    {"mesh-20", &mesh, {.count = 20}},
    {"mesh-27", &mesh, {.count = 27}},
    {"shell-140", &shell, {.count = 140}},
    {"solid-assembly", &solid, {.count = 28}},
    {"solid-27", &cube, {.count = 27}},
    {"chain-30", &chain, {.count = 30}},
    {"chain-300", &chain, {.count = 300}},
    {"spots-25", &spots, {.count = 25}},
    {"spots-50", &spots, {.count = 50}},
    {"spots-100", &spots, {.count = 100}},
    {"spots-200", &spots, {.count = 200}},
    {"spots-400", &spots, {.count = 400}},
    {"tangle", &tangle, {.count = 20}},
    {"pile-100", &pile, {.count = 100}},
    {"pile-100-default", &pile, {.count = 100, .staged = true}},
    {"bin-20", &bin, {.count = 20}},
    {"bin-20-default", &bin, {.count = 20, .staged = true}},
    {"imc-1", &imc, {.count = 1}},
    {"imc-2", &imc, {.count = 2}},
    {"imc-3", &imc, {.count = 3}},
    {"imc-4", &imc, {.count = 4}},
    {"F2", &scene, {.scene = "knot", .until = 0.7}},
    {"F2-adaptive",
     &scene,
     {.scene = "knot",
      .until = 0.7,
      .sets = {"time.step={adaptive: {min: 10 us, max: 2 ms}}"},
      .optional = true}},
    {"F3", &scene, {.scene = "crowned-pulley", .until = 3}},
    {"F3-unmerged",
     &scene,
     {.scene = "crowned-pulley",
      .until = 3,
      .sets = {"contact.merge-patches=false"},
      .optional = true}},
    {"F6", &scene, {.scene = "chain-of-rings", .until = 2, .sets = {"parameters.rings=100"}}},
    {"F6-rest", &scene, {.scene = "chain-of-rings", .until = 20, .sets = {"parameters.rings=100"}}},
    {"F6-adaptive",
     &scene,
     {.scene = "chain-of-rings",
      .until = 20,
      .sets = {"parameters.rings=100",
               "time.step={adaptive: {min: 10 us, max: 51.2 ms, tolerance: 0.3 mm}}"},
      .optional = true}},
    RINGS(10),
    RINGS(30),
    RINGS(100),
    RINGS(300),
    RINGS(1000),
    {"S1", &scene, {.scene = "press", .until = 20, .sets = {"parameters.period=20 s"}}},
    {"S1-full", &scene, {.scene = "press", .until = 500, .optional = true}},
    {"S2",
     &scene,
     {.scene = "arch",
      .until = 20,
      .sets = {"parameters.gap=0 m", "parameters.foot=29.80 m", "parameters.top=-0.044 m"}}},
    {"S3", &scene, {.scene = "gripper", .until = 9}},
    {"S4", &scene, {.scene = "hand", .until = 8}},
    {"plan-parts", &plan_parts, {.scene = "plan-x"}},
    {"plan-parts-4", &plan_parts, {.scene = "plan-x", .sets = {"plan.directions=4"}}},
    {"A4-x", &plan, {.scene = "plan-x"}},
    {"A4-y", &plan, {.scene = "plan-y"}},
    {"A4-z", &plan, {.scene = "plan-z"}},
    {"A4-x-4", &plan, {.scene = "plan-x", .sets = {"plan.directions=4"}}},
    {"A4-y-4", &plan, {.scene = "plan-y", .sets = {"plan.directions=4"}}},
    {"A4-z-4", &plan, {.scene = "plan-z", .sets = {"plan.directions=4"}}},
    {"lcp-arm", &lcp, {.scene = "soft-arm-slope"}},
    {"lcp-13", &plates, {0}},
    {"A1", &scene, {.scene = "soft-arm-slope", .until = 2}},
    {"A1-fine",
     &scene,
     {.scene = "soft-arm-slope", .until = 2, .sets = {"parameters.step=0.1 ms"}}},
    {"A1-convex",
     &scene,
     {.scene = "soft-arm-slope", .until = 2, .sets = {"contact.model=convex"}}},
    {"A1-convex-euler",
     &scene,
     {.scene = "soft-arm-slope",
      .until = 2,
      .sets = {"contact.model=convex", "time.scheme=backward-euler"}}},
};

enum { CASE_COUNT = (int)(sizeof cases / sizeof *cases) };

typedef struct Options {
    const char *name;
    int32_t threads, max_steps, repeats;
    bool list, json;
    bool family;           // the name is a prefix: all cases NAME-... run
    char folder[PATH_MAX]; // of the scenes
} Options;

static LitheBenchSetting setting_of(const Options *o, const Case *c) {
    LitheBenchSetting setting = c->setting;
    setting.folder = o->folder;
    setting.threads = o->threads;
    setting.max_steps = o->max_steps;
    setting.repeats = o->repeats;
    return setting;
}

static bool is_offered(const Options *o, const Case *c) {
    LitheBenchSetting setting = setting_of(o, c);
    return !setting.optional || lithe_bench_scene_is_known(&setting);
}

static bool is_meant(const Options *o, const Case *c) {
    size_t length = o->name ? strlen(o->name) : 0;
    if (o->family)
        return strncmp(o->name, c->name, length) == 0 && c->name[length] == '-' && is_offered(o, c);
    return o->name ? strcmp(o->name, c->name) == 0 : is_offered(o, c);
}

// --- running them --------------------------------------------------------------------------------

static int bench_case(const Options *o, const Case *c, const LitheBenchColumn **shown) {
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
        ((o->name && !o->family) || c + 1 == cases + CASE_COUNT || c[1].kind != c->kind))
        printf("\n%s\n", c->kind->note);
    return LITHE_EXIT_DONE;
}

static int bench(const Options *o) {
    const LitheBenchColumn *shown = NULL;
    int status = LITHE_EXIT_DONE;
    for (int i = 0; i < CASE_COUNT && status == LITHE_EXIT_DONE; i++)
        if (is_meant(o, &cases[i]))
            status = bench_case(o, &cases[i], &shown);
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
    const char *names[CASE_COUNT];
    int count = 0;
    for (int i = 0; i < CASE_COUNT; i++)
        if (is_offered(o, &cases[i]))
            names[count++] = cases[i].name;
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
        for (int i = 0; i < CASE_COUNT; i++)
            if (is_offered(&o, &cases[i]))
                printf("%s\n", cases[i].name);
        return LITHE_EXIT_DONE;
    }
    // experiments by the names of the papers
    const LitheCliExperiment *published = o.name ? lithe_cli_experiment(o.name) : NULL;
    o.name = published && published->timed ? published->timed : o.name;
    bool found = !o.name;
    for (int turn = 0; turn < 2 && !found; turn++) {
        o.family = turn == 1;
        for (int i = 0; i < CASE_COUNT && !found; i++)
            found = is_meant(&o, &cases[i]) && is_offered(&o, &cases[i]);
    }
    return found ? bench(&o) : unknown(&o);
}
