// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt_ablation.c - what a belt on a crowned pulley needs to find the middle
//
// The belt of cli/validate/belt.c without one of its parts: without stretch (EA a thousand times
// larger, laid without pretension), without twist (that of every edge is held), with contacts at
// points in place of patches (this project's, and one point per pair without a margin, as
// published), and as a volumetric solid of linear tetrahedra, three layers thick, whose tetrahedra
// touch by patches.

#include "cli/validate/belt.h"

#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"
#include "data/state.h"

#include <stdlib.h>
#include <time.h>

enum { SECONDS = 6, ROUND = 50, ACROSS = 4, LAYERS = 3 };

typedef struct Way {
    double t[SECONDS + 1], y[SECONDS + 1]; // s, mm
    int32_t count;
    double tension; // mean, from the stretch of its line [N]
    double cost;    // processor time per step [s]
} Way;

static double processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- rods ----------------------------------------------------------------------------------------

static bool walk_rod(LitheTrial *trial, const LitheBelt *belt, Way *way) {
    LitheStand stand;
    bool ok = lithe_belt_build(trial, belt, &stand);
    double rest = ok ? belt->stretch * lithe_belt_length(&stand, belt->nodes) : 1;
    double start = processor(), factor = belt->stiffening > 0 ? belt->stiffening : 1;
    *way = (Way){.count = 0};
    for (int32_t k = 0; ok && k <= lround(belt->end); k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, 1);
        if (!ok)
            break;
        way->t[k] = k;
        way->y[k] = 1e3 * lithe_belt_mean_y(&stand, belt->nodes);
        way->count = k + 1;
        way->tension = factor * BELT_YOUNG * BELT_WIDTH * BELT_HEIGHT *
                       (lithe_belt_length(&stand, belt->nodes) / rest - 1);
    }
    way->cost = (processor() - start) / (belt->end / belt->step);
    lithe_stand_end(&stand);
    return ok && lithe_trial_curve(trial, belt->label, false, way->t, way->y, way->count);
}

// --- the volumetric belt -------------------------------------------------------------------------

static int32_t node_number(int32_t i, int32_t j, int32_t k) {
    return (i % ROUND * (ACROSS + 1) + j) * (LAYERS + 1) + k;
}

// six tetrahedra per cell along its diagonal: the same in all cells, so that faces agree
static void fill_cells(int32_t *elements) {
    static const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int32_t i = 0; i < ROUND; i++)
        for (int32_t j = 0; j < ACROSS; j++)
            for (int32_t k = 0; k < LAYERS; k++)
                for (int p = 0; p < 6; p++) {
                    int32_t at[3] = {i, j, k}, corner[4];
                    corner[0] = node_number(at[0], at[1], at[2]);
                    for (int c = 0; c < 3; c++) {
                        at[paths[p][c]]++;
                        corner[c + 1] = node_number(at[0], at[1], at[2]);
                    }
                    // even paths are mirrored
                    bool odd = p < 3;
                    elements[0] = corner[0];
                    elements[1] = corner[odd ? 2 : 1];
                    elements[2] = corner[odd ? 1 : 2];
                    elements[3] = corner[3];
                    elements += 4;
                }
}

enum { NODES = ROUND * (ACROSS + 1) * (LAYERS + 1), TETS = 6 * ROUND * ACROSS * LAYERS };

static void node_place(int32_t node, double *s, double *y, double *depth) {
    *depth = BELT_HEIGHT * (node % (LAYERS + 1)) / LAYERS;
    *y = BELT_WIDTH * ((double)(node / (LAYERS + 1) % (ACROSS + 1)) / ACROSS - 0.5);
    *s = ((double)(node / (LAYERS + 1) / (ACROSS + 1)) + 0.5) / ROUND;
}

// at rest a circle whose middle has the rest length
static void rest_nodes(LitheVec3 *nodes) {
    double length = 2 * BELT_APART + 2 * M_PI * (BELT_ROLLER + 0.5 * BELT_HEIGHT);
    double radius = BELT_PRESTRESS * length / (2 * M_PI);
    for (int32_t n = 0; n < NODES; n++) {
        double s, y, depth;
        node_place(n, &s, &y, &depth);
        double r = radius + depth - 0.5 * BELT_HEIGHT, angle = 2 * M_PI * s;
        nodes[n] = (LitheVec3){r * sin(angle), BELT_START + y, -r * cos(angle)};
    }
}

// at the start laid round the rollers
static void lay_nodes(LitheStand *stand) {
    double *q = stand->state->q + stand->model->units[stand->model->solids[0].unit].q_at;
    for (int32_t n = 0; n < NODES; n++) {
        double s, y, depth;
        LitheVec3 out;
        node_place(n, &s, &y, &depth);
        LitheVec3 x = lithe_belt_line(s, BELT_ROLLER + 0.5 * BELT_HEIGHT, &out);
        double off = depth - 0.5 * BELT_HEIGHT;
        q[3 * n] = x.x + off * out.x;
        q[3 * n + 1] = BELT_START + y;
        q[3 * n + 2] = x.z + off * out.z;
    }
}

static bool build_solid(LitheTrial *trial, const LitheBelt *belt, LitheStand *stand) {
    LitheVec3 *nodes = lithe_alloc_array(trial->context, NODES, sizeof *nodes);
    int32_t *elements = lithe_alloc_array(trial->context, 4 * TETS, sizeof *elements);
    bool ok = nodes && elements;
    if (!ok)
        lithe_fail_memory(&trial->error, "the mesh of a belt");
    *stand = (LitheStand){0};
    if (ok) {
        rest_nodes(nodes);
        fill_cells(elements);
        LitheSolidDef solid = lithe_solid_def_default();
        solid.name = "belt";
        solid.material = (LitheMaterialId){1};
        solid.mesh = (LitheSolidMeshDef){.kind = LITHE_SOLID_MESH_TETRAHEDRA,
                                         .nodes = nodes,
                                         .node_count = NODES,
                                         .elements = elements,
                                         .element_numbers = 4 * TETS,
                                         .nodes_per_element = 4,
                                         .scale = 1};
        ok = lithe_belt_rollers(trial, belt, stand) &&
             lithe_scene_add_solid(stand->scene, &solid).number > 0 &&
             lithe_stand_compile(trial, stand);
        if (ok)
            lay_nodes(stand);
    }
    lithe_free(trial->context, nodes);
    lithe_free(trial->context, elements);
    return ok;
}

static double solid_y(const LitheStand *stand) {
    const double *q = stand->state->q + stand->model->units[stand->model->solids[0].unit].q_at;
    double sum = 0;
    for (int32_t n = 0; n < NODES; n++)
        sum += q[3 * n + 1] / NODES;
    return sum;
}

// of the lines between the layers, mean
static double solid_length(const LitheStand *stand) {
    const double *q = stand->state->q + stand->model->units[stand->model->solids[0].unit].q_at;
    double sum = 0;
    for (int32_t i = 0; i < ROUND; i++) {
        LitheVec3 d = {0, 0, 0};
        for (int32_t j = 0; j <= ACROSS; j++)
            for (int32_t k = 0; k <= LAYERS; k++) {
                const double *a = q + 3 * node_number(i, j, k),
                             *b = q + 3 * node_number(i + 1, j, k);
                double share = 1.0 / ((ACROSS + 1) * (LAYERS + 1));
                d.x += share * (b[0] - a[0]);
                d.y += share * (b[1] - a[1]);
                d.z += share * (b[2] - a[2]);
            }
        sum += sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    }
    return sum;
}

static bool walk_solid(LitheTrial *trial, const LitheBelt *belt, Way *way) {
    LitheStand stand;
    bool ok = build_solid(trial, belt, &stand);
    double rest = BELT_PRESTRESS * (2 * BELT_APART + 2 * M_PI * (BELT_ROLLER + 0.5 * BELT_HEIGHT));
    double start = processor();
    *way = (Way){.count = 0};
    for (int32_t k = 0; ok && k <= lround(belt->end); k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, 1);
        if (!ok)
            break;
        way->t[k] = k;
        way->y[k] = 1e3 * solid_y(&stand);
        way->count = k + 1;
        way->tension = BELT_YOUNG * BELT_WIDTH * BELT_HEIGHT * (solid_length(&stand) / rest - 1);
    }
    way->cost = (processor() - start) / (belt->end / belt->step);
    lithe_stand_end(&stand);
    return ok && lithe_trial_curve(trial, belt->label, false, way->t, way->y, way->count);
}

// --- belt_ablations ------------------------------------------------------------------------------

static bool add(LitheTrial *trial, const char *label, const Way *way, bool centres) {
    // towards the middle means a rising y: by at least a tenth of the whole belt's way, or not
    double rise = (way->y[way->count - 1] - way->y[1]) / (way->t[way->count - 1] - way->t[1]);
    LitheFinding finding = centres ? at_most(-rise, -0.1) : reported(rise);
    return lithe_trial_add(trial, finding, "%s: climb [mm/s]%s", label,
                           centres ? ", negative" : "") &&
           lithe_trial_add(trial, reported(way->tension), "%s: tension [N]", label) &&
           lithe_trial_add(trial, reported(1e3 * way->cost), "%s: processor time per step [ms]",
                           label);
}

bool lithe_case_belt_ablations(LitheTrial *trial) {
    LitheBelt whole = lithe_belt_published();
    whole.label = "as published";
    whole.end = SECONDS;
    LitheBelt rigid = whole, twist = whole, points = whole, single = whole, solid = whole;
    rigid.label = "no stretch";
    rigid.stiffening = 1000;
    rigid.stretch = 1;
    twist.label = "no twist";
    twist.held = true;
    points.label = "points";
    points.contact = "patches: off";
    points.end = 2;
    single.label = "one point per pair";
    single.contact = "patches: off, single: true, margin: 0";
    single.end = 2;
    solid.label = "tetrahedra";
    solid.shear = 0;
    solid.end = 3;
    Way ways[6];
    trial->plot.title = "A belt without one of its parts";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "distance from the middle [mm]";
    return walk_rod(trial, &whole, &ways[0]) && add(trial, whole.label, &ways[0], true) &&
           walk_rod(trial, &twist, &ways[1]) && add(trial, twist.label, &ways[1], false) &&
           walk_rod(trial, &rigid, &ways[2]) && add(trial, rigid.label, &ways[2], false) &&
           walk_solid(trial, &solid, &ways[3]) && add(trial, solid.label, &ways[3], false) &&
           walk_rod(trial, &points, &ways[4]) && add(trial, points.label, &ways[4], false) &&
           walk_rod(trial, &single, &ways[5]) && add(trial, single.label, &ways[5], false);
}
