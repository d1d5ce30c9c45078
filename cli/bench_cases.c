// SPDX-License-Identifier: Apache-2.0
// cli/bench_cases.c - the cases of lithe bench, and the columns in which each kind is shown

#include "cli/bench_cases.h"

// --- kinds of cases ------------------------------------------------------------------------------

// columns that several kinds have
#define UNKNOWNS \
    { "dofs", "unknowns", "", 1, 8, 0 }
#define UNIT \
    { "unit_ns", "unit", "ns", 1, 7, 0 }
#define CONTACTS \
    { "contacts_mean", "contacts", "per step", 1, 8, 1 }
#define SOLVER \
    { "solver_mean", "solver", "per step", 1, 8, 2 }
#define RATE \
    { "rate", "rate", "", 1, 8, -1 }
#define COST \
    { "cost_units", "cost", "units", 1, 7, 2 }
#define NEWTON \
    { "newton_units", "Newton", "units", 1, 7, 2 }
#define FACTOR \
    { "factor_units", "factor", "units", 1, 7, 2 }

static const LitheBenchColumn rod_columns[] = {
    UNKNOWNS,
    {"step_seconds", "step", "us", 1e6, 9, -1},
    RATE,
    {"newton_mean", "Newton", "per step", 1, 8, 2},
    UNIT,
    COST,
    NEWTON,
    FACTOR,
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
    UNIT,
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
    UNIT,
    {"cost_units", "polygon", "units", 1, 7, 2},
    {"edge_units", "edge", "units", 1, 7, 2},
    {0},
};

static const LitheBenchColumn block_columns[] = {
    UNKNOWNS,
    {"contacts_max", "contacts", "", 1, 8, 0},
    {"factor_blocks", "L", "blocks", 1, 7, 0},
    {"stages.build", "build", "us", 1e6, 7, 0},
    {"stages.analyse", "analyse", "us", 1e6, 8, 0},
    {"stages.analyse_given", "in order", "us", 1e6, 8, 0},
    {"stages.factor", "factor", "us", 1e6, 8, 1},
    {"stages.refactor", "refactor", "us", 1e6, 8, 1},
    {"stages.solve", "solve", "us", 1e6, 8, 1},
    UNIT,
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
    UNIT,
    {"cost_units", "exact", "units", 1, 7, 3},
    {"projected_units", "project", "units", 1, 7, 3},
    {0},
};

static const LitheBenchColumn cube_columns[] = {
    UNKNOWNS,
    {"threads", "threads", "", 1, 7, 0},
    {"wall_seconds", "step", "s", 1, 7, 2},
    UNIT,
    {"cost_units", "cost", "units", 1, 7, 0},
    {"factor_bytes", "L", "MB", 1e-6, 8, 1},
    {"stored_bytes", "stored", "MB", 1e-6, 8, 1},
    {"solver_bytes", "solver", "MB", 1e-6, 8, 1},
    {"peak_memory_bytes", "peak", "MB", 1e-6, 8, 1},
    {"solver_over_stored", "over stored", "", 1, 11, 3},
    {0},
};

static const LitheBenchColumn mesh_columns[] = {
    UNKNOWNS,
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
    UNKNOWNS,
    {"contacts_mean", "contacts", "", 1, 8, -1},
    RATE,
    SOLVER,
    {"passes_mean", "passes", "per step", 1, 8, 2},
    {"gap", "gap", "lengths", 1, 9, -1},
    {"step_seconds", "step", "us", 1e6, 9, -1},
    UNIT,
    COST,
    {0},
};

#define STAGE_COLUMN(name, head) \
    { "stages." #name, head, "s", 1, 8, 3 }

static const LitheBenchColumn scene_columns[] = {
    UNKNOWNS,
    {"steps", "steps", "", 1, 6, 0},
    CONTACTS,
    SOLVER,
    {"wall_seconds", "wall", "s", 1, 8, 2},
    RATE,
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
    CONTACTS,
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
    UNKNOWNS,
    CONTACTS,
    SOLVER,
    {"step_seconds", "step", "ms", 1e3, 8, 2},
    UNIT,
    COST,
    {"factor_blocks", "L", "blocks", 1, 8, 0},
    {"factor_seconds", "factor", "ms", 1e3, 8, 3},
    {"factor_units", "factor", "per node", 1, 8, 2},
    {"factor_spot_units", "factor", "per spot", 1, 8, 1},
    {0},
};

static const LitheBenchColumn imc_columns[] = {
    UNKNOWNS,
    CONTACTS,
    {"solver_mean", "Newton", "per step", 1, 8, 2},
    {"step_seconds", "step", "ms", 1e3, 8, 3},
    RATE,
    UNIT,
    COST,
    {"iteration_seconds", "Newton", "us", 1e6, 7, 0},
    NEWTON,
    FACTOR,
    {0},
};

static const LitheBenchColumn pile_columns[] = {
    UNKNOWNS,
    CONTACTS,
    SOLVER,
    {"passes_mean", "passes", "per step", 1, 8, 2},
    {"step_seconds", "step", "ms", 1e3, 8, 3},
    RATE,
    UNIT,
    COST,
    NEWTON,
    FACTOR,
    {0},
};

static const LitheBenchColumn plan_columns[] = {
    UNKNOWNS,
    {"wall_seconds", "time", "s", 1, 7, 2},
    {"kinematic_seconds", "kinematic", "s", 1, 9, 2},
    {"dynamic_seconds", "dynamic", "s", 1, 7, 2},
    {"iterations", "iterations", "", 1, 10, 0},
    {"factors", "factors", "", 1, 7, 0},
    {"cost", "cost", "", 1, 7, 3},
    {"error", "error", "1e-6", 1e6, 7, 2},
    {"products", "products", "1e-6", 1e6, 8, 3},
    {"converged", "converged", "", 1, 9, 0},
    UNIT,
    {0},
};

static const LitheBenchColumn part_columns[] = {
    UNKNOWNS,
    {"rows", "rows", "per stage", 1, 9, 0},
    {"block", "block", "", 1, 6, 0},
    {"links", "links", "", 1, 6, 0},
    {"derivatives_seconds", "derivatives", "ms", 1e3, 11, 2},
    {"factor_seconds", "factor", "ms", 1e3, 7, 2},
    {"solve_seconds", "solve", "ms", 1e3, 7, 3},
    UNIT,
    {0},
};

static const LitheBenchKind rod = {
    lithe_bench_rod, rod_columns,
    "unit: a plain band Cholesky with solve per rod node on this machine; cost: one step per\n"
    "node; Newton: one iteration (exact Hessian, factor, solve) per node; factor: factor and\n"
    "solve alone per node. Costs are processor time; with several threads that of a step is\n"
    "wall time."};
static const LitheBenchKind collide = {lithe_bench_collide, collide_columns, NULL};
static const LitheBenchKind patch = {
    lithe_bench_patch, patch_columns,
    "polygon: search, points and merging of a patch of two soft balls, per polygon; edge: an edge\n"
    "of a rod on a cylinder, contacts at points. Processor time, median of the repeats."};
static const LitheBenchKind rings = {lithe_bench_rings, block_columns, NULL};
static const LitheBenchKind knotted = {lithe_bench_knotted_rod, block_columns, NULL};
static const LitheBenchKind mesh = {lithe_bench_mesh, mesh_columns, NULL};
static const LitheBenchKind shell = {
    lithe_bench_shell, mesh_columns,
    "face, patch: with the vertices of a face (an edge of the shell), or 36 in its middle, in\n"
    "contact; again: after a change of these alone. All in ms, best of the repeats."};
static const LitheBenchKind solid = {
    lithe_bench_solid, solid_columns,
    "per tetrahedron: forces; forces and stiffness, exact and projected (neo-Hookean); other\n"
    "laws; the plain form of the first two. All in us, best of the repeats."};
static const LitheBenchKind cube = {lithe_bench_solid_step, cube_columns, NULL};
static const LitheBenchKind chain = {lithe_bench_chain, chain_columns, NULL};
static const LitheBenchKind scene = {lithe_bench_scene, scene_columns, NULL};
static const LitheBenchKind plan = {lithe_bench_plan, plan_columns, "by the own solver (solver 1)"};
static const LitheBenchKind plan_parts = {
    lithe_bench_plan_parts, part_columns,
    "parts of an iteration of a plan: values, Jacobian and Hessian; "
    "Newton's matrix and its\n"
    "stage-wise factor; a solution with one refinement. Processor time, "
    "best of the repeats."};
static const LitheBenchKind lcp = {lithe_bench_lcp, lcp_columns, NULL};
static const LitheBenchKind plates = {lithe_bench_lcp_plates, plate_columns,
                                      "all: thirteen contacts kept, 78 unknowns, from zero"};
static const LitheBenchKind spots = {lithe_bench_spots, spot_columns, NULL};
static const LitheBenchKind tangle = {lithe_bench_tangle, spot_columns, NULL};
static const LitheBenchKind pile = {lithe_bench_pile, pile_columns, NULL};
static const LitheBenchKind bin = {lithe_bench_bin, pile_columns, NULL};
static const LitheBenchKind imc = {
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

const LitheBenchCase lithe_bench_cases[] = {
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
    {"F4", &scene, {.scene = "entangling-gripper", .until = 14, .optional = true}},
    {"F5", &scene, {.scene = "shoelace", .until = 8, .optional = true}},
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
    {"S3", &scene, {.scene = "gripper", .until = 9, .sets = {"time.scheme=backward-euler"}}},
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

enum { CASE_COUNT = (int)(sizeof lithe_bench_cases / sizeof *lithe_bench_cases) };
_Static_assert((int)CASE_COUNT <= (int)LITHE_BENCH_CASES_MAX, "LITHE_BENCH_CASES_MAX is too small");

const int lithe_bench_case_count = CASE_COUNT;
