// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt_ablation.c - what a belt on a crowned pulley needs to find the middle
//
// The belt of cli/validate/belt.c without one of its parts: without stretch (EA a thousand times
// larger, laid without pretension, on the rollers and with some slack), without twist (that of
// every edge is held), with contacts at points in place of patches (this project's, several per
// edge, and one point per edge without a margin, as published), and as a volumetric solid of linear
// tetrahedra, three layers thick, whose tetrahedra touch by patches.

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
    double tension; // half the pull on the plain roller, mean from the first second on [N]
    double cost;    // processor time per step [s]
} Way;

static double processor(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// half the pull of the belt on the plain roller in the last step [N]
static double pull(const LitheStand *stand) {
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        if (c.contact.point.x > 0.5 * BELT_APART)
            sum += c.contact.b.thing.kind == LITHE_THING_BODY ? -c.force.x : c.force.x;
    }
    return 0.5 * sum;
}

// records a belt that is at y [m] after k seconds
static void note(Way *way, int32_t k, double y, const LitheStand *stand, double end) {
    way->t[k] = k;
    way->y[k] = 1e3 * y;
    way->count = k + 1;
    if (k > 0)
        way->tension += pull(stand) / end;
}

// --- rods ----------------------------------------------------------------------------------------

static bool walk_rod(LitheTrial *trial, const LitheBelt *belt, Way *way) {
    LitheStand stand;
    bool ok = lithe_belt_build(trial, belt, &stand);
    double start = processor();
    *way = (Way){.count = 0};
    for (int32_t k = 0; ok && k <= lround(belt->end); k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, 1);
        if (!ok)
            break;
        note(way, k, lithe_belt_mean_y(&stand, belt->nodes), &stand, belt->end);
    }
    way->cost = (processor() - start) / (belt->end / belt->step);
    lithe_stand_end(&stand);
    return ok && lithe_trial_curve(trial, belt->label, false, way->t, way->y, way->count);
}

// --- the volumetric belt -------------------------------------------------------------------------

static int32_t node_number(int32_t i, int32_t j, int32_t k) {
    return (i % ROUND * (ACROSS + 1) + j) * (LAYERS + 1) + k;
}

// Six tetrahedra per cell along its diagonal; those of one half of the width mirror those of the
// other. Faces agree, and a belt in the middle has no reason to run to a side: with the same
// diagonal in all cells tension shears the belt, and it drifts.
static void fill_cells(int32_t *elements) {
    static const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                    {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int32_t i = 0; i < ROUND; i++)
        for (int32_t j = 0; j < ACROSS; j++)
            for (int32_t k = 0; k < LAYERS; k++)
                for (int p = 0; p < 6; p++) {
                    bool mirrored = j < ACROSS / 2;
                    int32_t at[3] = {i, j + mirrored, k}, corner[4];
                    corner[0] = node_number(at[0], at[1], at[2]);
                    for (int c = 0; c < 3; c++) {
                        at[paths[p][c]] += mirrored && paths[p][c] == 1 ? -1 : 1;
                        corner[c + 1] = node_number(at[0], at[1], at[2]);
                    }
                    // even paths are mirrored
                    bool odd = (p < 3) != mirrored;
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

static bool walk_solid(LitheTrial *trial, const LitheBelt *belt, Way *way) {
    LitheStand stand;
    bool ok = build_solid(trial, belt, &stand);
    double start = processor();
    *way = (Way){.count = 0};
    for (int32_t k = 0; ok && k <= lround(belt->end); k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, 1);
        if (!ok)
            break;
        note(way, k, solid_y(&stand), &stand, belt->end);
    }
    way->cost = (processor() - start) / (belt->end / belt->step);
    lithe_stand_end(&stand);
    return ok && lithe_trial_curve(trial, belt->label, false, way->t, way->y, way->count);
}

// --- belt_ablations ------------------------------------------------------------------------------

// what a belt is expected to do
typedef enum Expected {
    CLIMBS, // by at least a tenth of a millimetre per second, under tension
    FALLS,  // away from the middle
    SLACK,  // it loses most of its tension
    OPEN,   // reported as it comes out
} Expected;

static double rise(const Way *way) {
    return (way->y[way->count - 1] - way->y[1]) / (way->t[way->count - 1] - way->t[1]);
}

static bool add(LitheTrial *trial, const char *label, const Way *way, Expected expected) {
    double climb = rise(way),
           whole = BELT_YOUNG * BELT_WIDTH * BELT_HEIGHT * (1 / BELT_PRESTRESS - 1);
    LitheFinding moves = expected == CLIMBS  ? at_most(-climb, -0.1)
                         : expected == FALLS ? at_most(climb, 0)
                                             : reported(climb);
    LitheFinding pulls = expected == CLIMBS  ? at_most(-way->tension, -0.9 * whole)
                         : expected == SLACK ? at_most(way->tension, 0.3 * whole)
                                             : reported(way->tension);
    return lithe_trial_add(trial, moves, "%s: climb [mm/s]%s", label,
                           expected == CLIMBS ? ", negative" : "") &&
           lithe_trial_add(trial, pulls, "%s: tension [N]%s", label,
                           expected == CLIMBS ? ", negative" : "") &&
           lithe_trial_add(trial, reported(1e3 * way->cost), "%s: processor time per step [ms]",
                           label);
}

// a belt, what it is expected to do, and how it is built
typedef struct Ablation {
    LitheBelt belt;
    Expected expected;
    bool solid;
} Ablation;

enum { ABLATIONS = 8 };

static void fill(Ablation list[ABLATIONS]) {
    for (int i = 0; i < ABLATIONS; i++) {
        list[i] = (Ablation){.belt = lithe_belt_published()};
        list[i].belt.end = SECONDS;
    }
    list[0].belt.label = "as published";
    list[1].belt.label = "no twist";
    list[1].belt.held = true;
    list[1].belt.end = 3;
    list[1].expected = FALLS;
    // without stretch the tension is what the way the belt is laid leaves: a polygon with its nodes
    // on the line of the belt is 0.2 % shorter than that; a line 1 mm or 4 mm further out has slack
    static const char *const labels[3] = {"no stretch", "no stretch, 1.3 % longer",
                                          "no stretch, 5.2 % longer"};
    static const double radii[3] = {0.031, 0.032, 0.035};
    static const Expected ends[3] = {CLIMBS, OPEN, FALLS};
    for (int i = 0; i < 3; i++) {
        list[2 + i].belt.label = labels[i];
        list[2 + i].belt.radius = radii[i];
        list[2 + i].belt.stiffening = 1000;
        list[2 + i].belt.stretch = 1;
        list[2 + i].expected = ends[i];
    }
    list[5].belt.label = "points";
    list[5].belt.contact = "patches: off";
    list[5].belt.end = 2;
    // sections that turn about their one point would pass through the rollers: no certificate
    list[6].belt.label = "one point per edge";
    list[6].belt.contact = "patches: off, single: true, margin: 0, certify: false";
    list[6].belt.end = 2;
    list[6].expected = SLACK;
    list[7].belt.label = "tetrahedra";
    // near 0.5 volumes would be averaged over groups of elements that do not mirror each other;
    // bending in the plane of the belt and tension do not depend on Poisson's ratio
    list[7].belt.shear = 0;
    list[7].belt.poisson = 0.3;
    list[7].belt.end = 2;
    list[7].solid = true;
}

bool lithe_case_belt_ablations(LitheTrial *trial) {
    Ablation list[ABLATIONS];
    bool ok = true;
    trial->plot.title = "A belt without one of its parts";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "distance from the middle [mm]";
    fill(list);
    for (int i = 0; ok && i < ABLATIONS; i++) {
        Way way;
        const LitheBelt *belt = &list[i].belt;
        ok = (list[i].solid ? walk_solid(trial, belt, &way) : walk_rod(trial, belt, &way)) &&
             add(trial, belt->label, &way, list[i].expected);
        // those with less time are compared with the same seconds of the whole belt
        if (ok && i == 0) {
            way.count = 3;
            ok = lithe_trial_add(trial, reported(rise(&way)), "%s: climb in 2 s [mm/s]",
                                 belt->label);
        }
    }
    return ok;
}
