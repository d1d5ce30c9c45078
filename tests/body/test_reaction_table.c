// SPDX-License-Identifier: Apache-2.0
// tests/body/test_reaction_table.c - what holds, drives, welds and roots of trees exert, crossed
// with contact models, schemes, adaptive steps and statics: with the loads it is the rate of
// momentum (H1), or the scene is refused with a message that names why

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"

#define MATERIAL \
    "materials: {m: {young: 10 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.4}}\n"
#define ROD \
    "rope: {material: m, nodes: 11, section: {circle: {radius: 1 cm}}, shape: {line: {to: [0.4, " \
    "0, 0]}}%s}"
#define RODS \
    "rods: {rope: {material: m, nodes: 11, section: {circle: {radius: 1 cm}}, shape: {line: {to: " \
    "[0.4, 0, 0]}}}}\n"
// a second rod lies across the first one, on what is held of it, too
#define CROSSED \
    "rods: {rope: {material: m, nodes: 11, section: {circle: {radius: 1 cm}}, shape: {line: {to: " \
    "[0.4, 0, 0]}}}, " \
    "other: {material: m, nodes: 10, section: {circle: {radius: 1 cm}}, shape: {line: {from: " \
    "[0.02, -0.21, " \
    "0.0205], to: [0.02, 0.2, 0.0205]}}}}\n"
#define BLOCK \
    "solids: {block: {material: m, mesh: {box: {size: [12 cm, 4 cm, 4 cm], divisions: [3, 1, " \
    "1]}}}}\n"

typedef struct Way {
    const char *name, *text;
    bool rods, bodies; // it has rods and no constraints, or bodies, alone: imc and spt, or lcp
    bool rests;        // an equilibrium exists
} Way;

static const Way ways[] = {
    {"hold", RODS "holds: {a: {on: rope.start}, b: {on: rope.end, hold: [y, z]}}\n", true, false,
     true},
    {"hold clamp", RODS "holds: {a: {on: rope.node(3), hold: clamp}}\n", true, false, true},
    {"hold twist",
     RODS "holds: {a: {on: rope.start, hold: [position, twist]}, b: {on: rope.end, hold: [y, z, "
          "twist]}}\nforces: {wring: {on: rope.node(5), moment: [0.01, 0, 0]}}\n",
     true, false, true},
    {"drive",
     RODS "drives: {a: {on: rope.start, direction: [0, 0, 1], motion: {rate: 0.3}}, b: {on: "
          "rope.end, direction: [0, 0, 1], motion: {rate: 0.2}}}\n",
     true, false, true},
    {"drive clamp",
     RODS "drives: {a: {on: rope.start, kind: clamp, direction: [0, 0, 1], motion: {rate: 0.3}, "
          "axis: [0, 1, 0], turn: {rate: 2}}}\n",
     true, false, true},
    {"drive spring",
     RODS "drives: {a: {on: rope.start, stiffness: 300 N/m, damping: 1}, b: {on: rope.end, "
          "stiffness: 300 N/m}}\n",
     true, false, true},
    {"weld", RODS "constraints: {a: {kind: weld, a: world, b: rope.start}}\n", false, false, true},
    {"attach",
     RODS "constraints: {a: {kind: attach, a: world, b: rope.start}, b: {kind: attach, a: "
          "rope.end, b: world}}\n",
     false, false, true},
    {"contact on a clamp", CROSSED "holds: {a: {on: rope.start, hold: clamp}}\n", true, false,
     false},
    {"contact on a drive", CROSSED "drives: {a: {on: rope.start, kind: clamp}}\n", true, false,
     false},
    {"contact on a weld", CROSSED "constraints: {a: {kind: weld, a: world, b: rope.start}}\n",
     false, false, false},
    {"face", BLOCK "holds: {a: {on: block.x-min}}\n", false, false, true},
    {"face drive",
     BLOCK
     "drives: {a: {on: block.x-min, kind: clamp, direction: [0, 0, 1], motion: {rate: 0.3}}}\n",
     false, false, true},
    {"face weld", BLOCK "constraints: {a: {kind: weld, a: world, b: block.x-min}}\n", false, false,
     true},
    {"face attach",
     BLOCK "constraints: {a: {kind: attach, a: world, b: block.x-min, stiffness: 1 kN/m}}\n", false,
     false, true},
    {"face with contact",
     BLOCK "holds: {a: {on: block.x-min}}\nbodies: {ball: {material: m, shape: {sphere: {radius: 1 "
           "cm}}, at: [-0.05, 0, 0.0301]}}\n",
     false, false, false},
    {"particle",
     "particles: {p: {material: m, radius: 1 cm, positions: [[0, 0, 0], [0, 0, 0.02]]}}\nholds: "
     "{a: {on: \"p[0]\"}}\n",
     false, false, true},
    {"tie to what is held",
     "particles: {p: {material: m, radius: 1 cm, positions: [[0, 0, 0], [0, 0, -0.1]]}}\nholds: "
     "{a: {on: \"p[0]\"}}\nconstraints: {t: {kind: distance, a: \"p[0]\", b: \"p[1]\"}}\n",
     false, false, true},
    {"rope tied to a hold",
     RODS
     "bodies: {b: {material: m, shape: {sphere: {radius: 2 cm}}, at: [0, 0, -0.1]}}\nholds: {a: "
     "{on: rope.start, hold: clamp}}\nconstraints: {t: {kind: distance, a: rope.start, b: b}}\n",
     false, false, true},
    {"hinge",
     "bodies: {b: {material: m, shape: {box: {size: [0.2, 0.04, 0.04]}}, at: [0.1, 0, "
     "0]}}\njoints: {a: {kind: revolute, child: b, axis: [0, 1, 0]}}\nactuators: {s: {joint: a, "
     "kind: position, target: 0, stiffness: 20 N m/rad, damping: 0.1 N m s/rad}}\n",
     false, true, true},
    {"hinge with contact",
     "bodies: {b: {material: m, shape: {box: {size: [0.2, 0.04, 0.04]}}, at: [0.1, 0, 0]}, c: "
     "{material: m, shape: {box: {size: [0.03, 0.03, 0.03]}}, at: [0.1, 0, 0.0349]}}\njoints: {a: "
     "{kind: revolute, child: b, axis: [0, 1, 0]}}\nactuators: {s: {joint: a, kind: position, "
     "target: 0, stiffness: 20 N m/rad, damping: 0.1 N m s/rad}}\n",
     false, true, true},
    {"hinge at its limit",
     "bodies: {b: {material: m, shape: {box: {size: [0.2, 0.04, 0.04]}}, at: [0.1, 0, "
     "0]}}\njoints: {a: {kind: revolute, child: b, axis: [0, 1, 0], limits: [-1 deg, 0.01 deg]}}\n",
     false, true, true},
    {"hinge with a rope",
     "bodies: {b: {material: m, shape: {box: {size: [0.2, 0.04, 0.04]}}, at: [0.1, 0, 0]}}\n"
     "rods: {rope: {material: m, nodes: 11, section: {circle: {radius: 1 cm}}, shape: {line: "
     "{from: [0.21, 0, 0], to: [0.5, 0, 0]}}}}\nconstraints: {t: {kind: weld, a: b, b: "
     "rope.start}}\njoints: {a: {kind: revolute, child: b, axis: [0, 1, 0]}}\nactuators: {s: "
     "{joint: a, kind: position, target: 0, stiffness: 20 N m/rad, damping: 0.1 N m s/rad}}\n",
     false, false, true},
    {"arm",
     "arms: {trunk: {at: [0, 0, 1], rotate: {axis: [1, 0, 0], angle: 150 deg}, lengths: [15 cm, 15 "
     "cm], masses: [0.4 kg, 0.3 kg], radii: [4 cm, 4 cm], stiffness: 300 N/m, damping: 20 N s/m, "
     "disk-radius: 4 cm, material: m}}\n",
     false, true, true},
};
enum { WAYS = sizeof ways / sizeof *ways };

typedef struct Column {
    const char *name, *time, *model;
    double tolerance; // of the rate of momentum; 0: statics
    bool doubled;     // the rate is that at the end of a step: over two steps
} Column;

static const Column columns[] = {
    {"static", "scheme: static, step: 1 s", "convex, tolerance: 1e-10", 0, false},
    {"tr-bdf2", "scheme: tr-bdf2, step: 20 us", "convex, tolerance: 1e-10", 5e-3, true},
    {"midpoint", "scheme: midpoint, step: 0.5 ms", "convex, tolerance: 1e-10", 1e-7, false},
    {"euler", "scheme: backward-euler, step: 0.5 ms", "convex, tolerance: 1e-10", 1e-7, false},
    {"symplectic", "scheme: symplectic-euler, step: 10 us", "convex, tolerance: 1e-10", 2e-4,
     false},
    {"adaptive", "scheme: tr-bdf2, step: {adaptive: {min: 1 ns, max: 20 us}}",
     "convex, tolerance: 1e-10", 5e-3, true},
    {"adaptive euler", "scheme: backward-euler, step: {adaptive: {min: 1 ns, max: 0.5 ms}}",
     "convex, tolerance: 1e-10", 1e-7, false},
    {"sap", "scheme: backward-euler, step: 0.5 ms", "convex, friction-law: sap, tolerance: 1e-10",
     1e-7, false},
    {"imc", "scheme: backward-euler, step: 0.5 ms", "imc", 1e-5, false},
    {"spt", "scheme: backward-euler, step: 0.5 ms", "spt", 1e-7, false},
    {"lcp", "scheme: linearly-implicit, step: 0.5 ms", "lcp", 1e-7, false},
    {"lcp, semi-implicit", "scheme: semi-implicit-euler, step: 0.1 ms", "lcp", 1e-7, false},
    {"lcp, rk23", "scheme: rk23, step: 0.1 ms", "lcp", 5e-3, false},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static Vec3 whole_weight(const LitheModel *m) {
    double mass = 0;
    for (int32_t k = 0; k < m->rod_count; k++)
        for (int32_t i = 0; i < m->rods[k].node_count; i++)
            mass += m->rods[k].mass[4 * i];
    for (int32_t k = 0; k < m->solid_count; k++)
        for (int32_t i = 0; i < m->solids[k].mesh.node_count; i++)
            mass += m->solids[k].mass[i];
    for (int32_t k = 0; k < m->particles_count; k++)
        for (int32_t i = 0; i < m->particles[k].count; i++)
            mass += m->particles[k].mass[i];
    for (int32_t k = 0; k < m->tree_count; k++)
        mass += m->units[m->trees[k].unit].mass;
    return v3_scale(mass, m->gravity);
}

// holds, drives, constraints on the world, joints that carry a tree
static Vec3 supports(const World *w) {
    const LitheModel *m = w->model;
    Vec3 sum = v3(0, 0, 0);
    for (int32_t k = 1; k <= lithe_hold_count(m); k++)
        sum = v3_add(sum, lithe_hold_reaction(m, w->work, (LitheHoldId){k}).force);
    for (int32_t k = 1; k <= lithe_drive_count(m); k++)
        sum = v3_add(sum, lithe_drive_reaction(m, w->work, (LitheDriveId){k}).force);
    for (int32_t k = 1; k <= lithe_constraint_count(m); k++) {
        const LitheConstraint *c = &m->constraints[k - 1];
        if (c->a.thing.kind != LITHE_THING_WORLD)
            continue;
        double sign = c->swapped ? -1 : 1;
        sum = v3_axpy(sign, lithe_constraint_force(m, w->state, (LitheConstraintId){k}), sum);
    }
    for (int32_t k = 1; k <= lithe_joint_count(m); k++)
        if (lithe_joint_has_reaction(m, (LitheJointId){k}))
            sum = v3_add(sum, lithe_joint_reaction(m, w->state, w->work, (LitheJointId){k}).force);
    return sum;
}

typedef enum Cell { RIGHT, REFUSED, STOPPED, WRONG } Cell;

// a refusal names a key, a model or a scheme
static bool names_why(const char *text) {
    static const char *const words[] = {"scheme", "model", "symplectic", "lcp",
                                        "imc",    "spt",   "static"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i]))
            return true;
    return false;
}

static Cell cell_of(const Way *way, const Column *column, double *error) {
    char text[4096];
    World w = {.context = lithe_context_create(NULL)};
    LitheError why = {0};
    int length = snprintf(
        text, sizeof text,
        "lithe: 1\ntime: {%s, end: 1 s, tolerance: 1e-12}\ncontact: {model: %s}\n" MATERIAL "%s",
        column->time, column->model, way->text);
    bool ok = lithe_scene_parse(w.context, text, (size_t)length, "scene", NULL, NULL, 0, &w.scene,
                                &why) == LITHE_OK &&
              lithe_compile(w.scene, &w.model, &w.state, &why) == LITHE_OK;
    Cell cell = ok ? RIGHT : names_why(why.text) ? REFUSED : WRONG;
    if (ok)
        w.work = lithe_work_create(w.model, 1);
    int steps = column->tolerance > 0 ? column->doubled ? 60 : 20 : 1;
    for (int i = 0; ok && i < steps; i++)
        ok = lithe_step(w.model, w.state, w.work, &w.report, &why) == LITHE_OK;
    Vec3 before = {0}, after = {0}, sum = {0};
    double start = 0, end = 1;
    if (cell == RIGHT && ok && column->tolerance > 0) {
        before = lithe_momentum(w.model, w.state);
        start = lithe_state_time(w.state);
        ok = lithe_step(w.model, w.state, w.work, &w.report, &why) == LITHE_OK;
        after = lithe_momentum(w.model, w.state);
        end = lithe_state_time(w.state);
    }
    if (cell == RIGHT && !ok) {
        cell = STOPPED;
    } else if (cell == RIGHT) {
        Vec3 weight = whole_weight(w.model);
        sum = v3_add(weight, supports(&w));
        if (column->doubled) {
            lithe_step(w.model, w.state, w.work, &w.report, &why);
            after = lithe_momentum(w.model, w.state);
            end = lithe_state_time(w.state);
        }
        Vec3 rate = v3_scale(1 / (end - start), v3_sub(after, before));
        *error = v3_distance(sum, rate) / v3_norm(weight);
        cell = *error < (column->tolerance > 0 ? column->tolerance : 1e-9) ? RIGHT : WRONG;
    }
    lithe_work_destroy(w.work);
    lithe_state_destroy(w.state);
    lithe_model_destroy(w.model);
    lithe_scene_destroy(w.scene);
    CHECK(lithe_context_bytes(w.context) == 0);
    lithe_context_destroy(w.context);
    return cell;
}

// what a cell must be: models for rods alone or bodies alone refuse the rest
static Cell expected(const Way *way, const Column *column) {
    bool rods = strncmp(column->model, "imc", 3) == 0 || strncmp(column->model, "spt", 3) == 0;
    bool bodies = strncmp(column->model, "lcp", 3) == 0;
    if ((rods && !way->rods) || (bodies && !way->bodies))
        return REFUSED;
    return column->tolerance == 0 && !way->rests ? STOPPED : RIGHT;
}

TEST(every_way_of_holding_is_right_or_refused_under_every_model_and_scheme) {
    static const char *const words[] = {"right", "refused", "stopped", "WRONG"};
    int count[4] = {0};
    for (int i = 0; i < WAYS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double error = NAN;
            Cell cell = cell_of(&ways[i], &columns[j], &error);
            count[cell]++;
            if (!CHECK(cell == expected(&ways[i], &columns[j])))
                printf("  %s, %s: %s %.2g\n", ways[i].name, columns[j].name, words[cell], error);
        }
    printf("  %d right, %d refused, %d stopped\n", count[RIGHT], count[REFUSED], count[STOPPED]);
}
