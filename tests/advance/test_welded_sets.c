// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_welded_sets.c - sets of nodes of solids that are welded to bodies

#include "advance/world.h"

#include "body/solid.h"
#include "data/system.h"

static const char *const schemes[] = {"tr-bdf2", "backward-euler", "midpoint"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

#define MATERIALS \
    "materials:\n" \
    "  m: {young: 0.2 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5}\n" \
    "  iron: {young: 200 GPa, poisson: 0.3, density: 2000 kg/m^3, friction: 0.5}\n"

// a block whose lower face is welded to the upper face of a plate; both fly and spin
static World flight(const char *scheme, const char *law, const char *mass, double spin) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
        "contact: {tolerance: 1e-12}\n" MATERIALS
        "solids: {pad: {material: m, law: %s, mass: %s, mesh: {box: {size: [4 cm, 4 cm, 4 cm], "
        "divisions: "
        "[2, 2, 2]}}, at: [0, 0, 3 cm], velocity: [0.3, 0.2, 0.1], spin: [0, 0, %g]}}\n"
        "bodies: {plate: {material: iron, shape: {box: {size: [6 cm, 6 cm, 2 cm]}}, velocity: "
        "[0.3, 0.2, 0.1], spin: [0, 0, %g]}}\n"
        "constraints: {glue: {kind: weld, a: pad.z-min, b: plate}}\n",
        scheme, law, mass, spin, spin);
}

// distance of the nodes that were at z = level from where they were in the frame of the plate,
// which was at z = start
static double drift_of(const World *w, double level, double start) {
    double pose[7], max = 0;
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "plate"), pose);
    Pose frame = {{pose[3], pose[4], pose[5], pose[6]}, v3_load(pose)};
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 built = v3_sub(solid->mesh.nodes[i], v3(0, 0, start));
        if (fabs(solid->mesh.nodes[i].z - level) < 1e-6)
            max = fmax(max, v3_distance(v3_load(x + 3 * i), pose_point(frame, built)));
    }
    return max;
}

static double drift(const World *w) {
    return drift_of(w, 0.01, 0);
}

static LitheVec3 minus(LitheVec3 a, LitheVec3 b) {
    return (LitheVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double size_of(LitheVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

TEST(a_welded_set_has_no_rows_and_its_mass_is_in_the_body) {
    World w = flight("tr-bdf2", "corotated", "lumped", 0);
    world_step(&w, 1);
    if (w.ok) {
        const LitheSolid *solid = &w.model->solids[0];
        double body = w.model->trees[0].rigid.links[0].mass, nodes = 0;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            nodes += solid->mass[i];
        CHECK(solid->rider_count == 9);
        CHECK(w.work->system->coupling_count == 0);
        CHECK_NEAR(body + nodes, 2000 * 0.06 * 0.06 * 0.02 + 1000 * 0.04 * 0.04 * 0.04, 1e-15);
        CHECK(body > 2000 * 0.06 * 0.06 * 0.02 + 1e-3);
    }
    world_end(&w);
}

LONG_TEST(a_body_with_a_soft_block_keeps_its_momentum_in_free_flight) {
    static const char *const laws[] = {"corotated", "corotated-lagged", "neo-hookean"};
    for (int k = 0; k < SCHEMES * 3; k++) {
        World w = flight(schemes[k / 3], laws[k % 3], k % 2 ? "consistent" : "lumped", 8);
        LitheVec3 p0 = {0}, L0 = {0};
        if (w.ok) {
            p0 = lithe_momentum(w.model, w.state);
            L0 = lithe_angular_momentum(w.model, w.state);
        }
        world_step(&w, 200);
        if (w.ok) {
            LitheVec3 p = lithe_momentum(w.model, w.state);
            LitheVec3 L = lithe_angular_momentum(w.model, w.state);
            double dp = size_of(minus(p, p0)) / size_of(p0);
            double dL = size_of(minus(L, L0)) / size_of(L0);
            // momentum is kept to the tolerance of the solve, which is near rounding here
            if (!CHECK(dp < 2e-11 && drift(&w) < 1e-14))
                printf("  %s %s: dp %g dL %g drift %g\n", schemes[k / 3], laws[k % 3], dp, dL,
                       drift(&w));
            if (!CHECK(dL < (k / 3 == 1 ? 0.02 : 1e-3)))
                printf("  %s %s: dL %g\n", schemes[k / 3], laws[k % 3], dL);
        }
        world_end(&w);
    }
}

// (W9): in a uniform motion the momentum is that of all elements and the body
TEST(a_consistent_mass_with_a_weld_keeps_its_sum) {
    World w = flight("tr-bdf2", "corotated", "consistent", 0);
    if (w.ok) {
        double mass = 2000 * 0.06 * 0.06 * 0.02 + 1000 * 0.04 * 0.04 * 0.04;
        LitheVec3 p = lithe_momentum(w.model, w.state);
        CHECK(w.model->solids[0].mass_values != NULL);
        CHECK_NEAR(p.x, 0.3 * mass, 1e-14);
        CHECK_NEAR(p.z, 0.1 * mass, 1e-14);
    }
    world_end(&w);
}

// the same bar, held by a face, and welded to a slider that an actuator keeps in place
TEST(a_bar_on_a_driven_body_moves_as_a_held_one) {
    for (int k = 0; k < SCHEMES; k++) {
        World w[2];
        for (int welded = 0; welded < 2; welded++) {
            w[welded] = world_of(
                "lithe: 1\ntime: {step: 2 ms, end: 1 s, scheme: %s}\n"
                "contact: {tolerance: 1e-10}\n" MATERIALS
                "solids: {bar: {material: m, law: corotated, mesh: {box: {size: [8 cm, 2 cm, 2 "
                "cm], divisions: [4, 1, 1]}}, at: [4 cm, 0, 0]}}\n%s",
                schemes[k],
                welded
                    ? "bodies: {slide: {material: iron, shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, "
                      "at: [-1 cm, 0, 0]}}\n"
                      "joints: {rail: {kind: prismatic, parent: world, child: slide, axis: [1, 0, "
                      "0]}}\n"
                      "actuators: {still: {joint: rail, kind: prescribed, target: 0}}\n"
                      "constraints: {glue: {kind: weld, a: slide, b: bar.x-min}}\n"
                    : "holds: {wall: {on: bar.x-min}}\n");
            world_step(&w[welded], 50);
        }
        if (w[0].ok && w[1].ok) {
            const double *a = lithe_solid_position(w[0].model, w[0].state, (LitheSolidId){1});
            const double *b = lithe_solid_position(w[1].model, w[1].state, (LitheSolidId){1});
            double apart = 0, fell = 0;
            for (int32_t i = 0; i < w[0].model->solids[0].mesh.node_count; i++) {
                apart = fmax(apart, v3_distance(v3_load(a + 3 * i), v3_load(b + 3 * i)));
                fell = fmax(fell, fabs(a[3 * i + 2] - w[0].model->solids[0].mesh.nodes[i].z));
            }
            if (!CHECK(fell > 4e-4 && apart < 1e-6 * fell))
                printf("  %s: fell %g, apart %g\n", schemes[k], fell, apart);
        }
        world_end(&w[0]);
        world_end(&w[1]);
    }
}

// a pendulum with a soft end: energy under the midpoint rule, and its loss under the default
TEST(a_pendulum_with_a_soft_end_keeps_its_energy) {
    for (int k = 0; k < SCHEMES; k += 2) {
        World w = world_of(
            "lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n" MATERIALS
            "solids: {end: {material: m, law: neo-hookean, mesh: {box: {size: [3 cm, 3 cm, 3 cm], "
            "divisions: [2, 2, 2]}}, at: [11.5 cm, 0, 0]}}\n"
            "bodies: {arm: {material: iron, shape: {box: {size: [10 cm, 2 cm, 2 cm]}}, at: [5 "
            "cm, 0, 0]}}\n"
            "joints: {pin: {kind: revolute, parent: world, child: arm, axis: [0, 1, 0], at: [0, "
            "0, 0]}}\n"
            "constraints: {glue: {kind: weld, a: arm, b: end.x-min}}\n",
            schemes[k]);
        double before = 0, swing = 0;
        if (w.ok) {
            LitheEnergy e = lithe_energy(w.model, w.state);
            before = e.kinetic + e.elastic + e.gravity;
        }
        for (int i = 0; i < 20 && w.ok; i++) {
            world_step(&w, 20);
            LitheEnergy e = lithe_energy(w.model, w.state);
            swing = fmax(swing, e.kinetic);
            double sum = e.kinetic + e.elastic + e.gravity + e.dissipated - e.work - before;
            if (!CHECK(fabs(sum) < 2e-3 * swing))
                printf("  %s: t = %g s: %g of %g J\n", schemes[k], lithe_state_time(w.state), sum,
                       swing);
        }
        CHECK(w.unconverged == 0 && swing > 0.01);
        world_end(&w);
    }
}

// the floor carries the weight of both
TEST(a_plate_stands_on_its_soft_pad) {
    static const char *const ways[] = {"tr-bdf2", "static"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ntime: {step: 5 ms, end: 5 s, scheme: %s}\n"
            "materials:\n"
            "  m: {young: 0.2 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5, damping: "
            "{stiffness: 20 ms}}\n"
            "  iron: {young: 200 GPa, poisson: 0.3, density: 2000 kg/m^3, friction: 0.5}\n"
            "solids: {pad: {material: m, law: corotated, mesh: {box: {size: [4 cm, 4 cm, 2 cm], "
            "divisions: [2, 2, 1]}}, at: [0, 0, 1 cm]}}\n"
            "bodies:\n"
            "  plate: {material: iron, shape: {box: {size: [4 cm, 4 cm, 2 cm]}}, at: [0, 0, 3 "
            "cm]}\n"
            "  floor: {fixed: true, material: iron, shape: {half-space: {}}}\n"
            "constraints: {glue: {kind: weld, a: pad.z-max, b: plate}}\n",
            ways[k]);
        world_step(&w, k ? 1 : 200);
        if (w.ok) {
            double floor = 0, weight = 9.80665 * 0.04 * 0.04 * 0.02 * 3000;
            for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++)
                floor += fabs(lithe_work_contact(w.work, i).force.z);
            LitheVec3 x = body_at(&w, "plate");
            if (!CHECK(fabs(floor - weight) < 1e-3 * weight && x.z < 0.03 && x.z > 0.029 &&
                       drift_of(&w, 0.02, 0.03) < 1e-14))
                printf("  %s: floor %g of %g N, z %g\n", ways[k], floor, weight, x.z);
            // the weld carries the plate, and the share of its own nodes that rides
            LitheVec3 f = lithe_constraint_force(w.model, w.state, (LitheConstraintId){1});
            CHECK(fabs(f.z) > 0.6 * weight && fabs(f.z) < weight);
        }
        world_end(&w);
    }
}

static void listen(LitheLogLevel level, const char *text, void *user) {
    if (level == LITHE_LOG_WARNING && strstr(text, "take the velocity"))
        snprintf(user, 300, "%s", text);
}

// the warning of a block with a velocity on a plate that moves at 0.3 m/s
static void warned(const char *velocity, char *heard) {
    char text[1000];
    LitheContextDef options = lithe_context_def_default();
    options.log = listen;
    options.log_user = heard;
    LitheContext *context = lithe_context_create(&options);
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error = {0};
    int length = snprintf(
        text, sizeof text,
        "lithe: 1\n" MATERIALS
        "solids: {pad: {material: m, mesh: {box: {size: [4 cm, 4 cm, 4 cm], divisions: [1, 1, "
        "1]}}, at: [0, 0, 3 cm], velocity: %s}}\n"
        "bodies: {plate: {material: iron, shape: {box: {size: [6 cm, 6 cm, 2 cm]}}, velocity: "
        "[0.3, 0, 0]}}\n"
        "constraints: {glue: {kind: weld, a: pad.z-min, b: plate}}\n",
        velocity);
    CHECK(lithe_scene_parse(context, text, (size_t)length, "scene.yaml", NULL, NULL, 0, &scene,
                            &error) == LITHE_OK &&
          lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

// a balloon whose lower part, the inside too, is held, or welded to a slider, or to a free body
static World blown(const char *scheme, const char *below) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
                    "contact: {tolerance: 1e-10}\n" MATERIALS
                    "solids: {it: {material: m, law: neo-hookean, quadratic: false, mesh: "
                    "{hollow-sphere: {radius: 12 cm, inner: "
                    "10 cm, resolution: 8 cm}}}}\n"
                    "sets: {low: {of: it, box: {from: [-1, -1, -1], to: [1, 1, -4 cm]}}}\n"
                    "cavities: {air: {on: it.inner, gas: 103 kPa, exponent: 1.4}}\n%s",
                    scheme, below);
}

#define PLATE \
    "bodies: {plate: {material: iron, shape: {box: {size: [8 cm, 8 cm, 2 cm]}}, at: [0, 0, -14 " \
    "cm]}}\nconstraints: {glue: {kind: weld, a: low, b: plate}}\n"

TEST(a_gas_presses_on_welded_nodes_as_on_held_ones) {
    static const char *const below[2] = {
        "holds: {low: {on: low}}\n",
        PLATE "joints: {rail: {kind: prismatic, parent: world, child: plate, axis: [0, 0, 1]}}\n"
              "actuators: {still: {joint: rail, kind: prescribed, target: 0}}\n"};
    for (int k = 0; k < SCHEMES; k++) {
        World w[2] = {blown(schemes[k], below[0]), blown(schemes[k], below[1])};
        if (world_step(&w[0], 20) && world_step(&w[1], 20)) {
            const double *a = lithe_solid_position(w[0].model, w[0].state, (LitheSolidId){1});
            const double *b = lithe_solid_position(w[1].model, w[1].state, (LitheSolidId){1});
            const LitheSolid *solid = &w[0].model->solids[0];
            double apart = 0, grown = 0;
            for (int32_t i = 0; i < solid->mesh.node_count; i++) {
                apart = fmax(apart, v3_distance(v3_load(a + 3 * i), v3_load(b + 3 * i)));
                grown = fmax(grown, v3_distance(v3_load(a + 3 * i), solid->mesh.nodes[i]));
            }
            if (!CHECK(grown > 5e-4 && apart < 1e-6 * grown))
                printf("  %s: grown %g, apart %g\n", schemes[k], grown, apart);
        }
        world_end(&w[0]);
        world_end(&w[1]);
    }
}

TEST(a_gas_gives_a_body_and_its_balloon_no_momentum) {
    for (int k = 0; k < SCHEMES; k++) {
        World w = blown(schemes[k], PLATE);
        if (world_step(&w, 20)) {
            // the gas pushes the upper part away, and the body with the lower one
            double push = 1675 * M_PI * 0.01 * 20e-3;
            CHECK(body_speed(&w, "plate").z < -1e-3);
            if (!CHECK(size_of(lithe_momentum(w.model, w.state)) < 1e-8 * push))
                printf("  %s: %g of %g kg m/s\n", schemes[k],
                       size_of(lithe_momentum(w.model, w.state)), push);
        }
        world_end(&w);
    }
}

TEST(another_velocity_than_that_of_the_body_is_a_warning) {
    char heard[300] = "";
    warned("[0.3, 0, 0]", heard);
    CHECK(heard[0] == 0);
    warned("[0, 0, 0]", heard);
    CHECK_TEXT(heard, "constraint 'glue': at the start node ");
    CHECK_TEXT(heard, "of solid 'pad' moves at 0.3 m/s relative to body 'plate'");
}

TEST(welds_of_sets_are_refused_where_they_cannot_act) {
    static const struct {
        const char *scene, *part;
    } wrong[] = {
        {"constraints: {c: {kind: weld, a: pad.x-min, b: plate, stiffness: 1 N/m}}",
         "a is the group 'x-min' of a solid, which becomes a part of the body"},
        {"constraints: {c: {kind: weld, a: pad.x-min, b: plate, active: false}}",
         "whose weld cannot be switched"},
        {"constraints: {c: {kind: weld, a: pad.x-min, b: 'pad[3]'}}", "kind weld joins it to a "},
        {"constraints: {c: {kind: rope, a: pad.x-min, b: plate}}", "kind weld joins it to a body"},
        {"constraints: {c: {kind: weld, a: pad.side, b: plate}}", "has no group 'side'"},
        {"constraints: {c: {kind: weld, a: pad.x-min, b: plate}}\nholds: {h: {on: pad.y-min}}",
         "is already held or driven"},
        {"constraints: {c: {kind: weld, a: pad.x-min, b: plate}, d: {kind: weld, a: pad.y-min, b: "
         "world}}",
         "constraint 'd': node 0 of 'pad' is welded already, by constraint 'c'"},
        {"time: {scheme: symplectic-euler}\nconstraints: {c: {kind: weld, a: pad.x-min, b: plate}}",
         "time.scheme is symplectic"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        world_refused(wrong[k].part,
                      "lithe: 1\n" MATERIALS
                      "solids: {pad: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1, 1, "
                      "1]}}}}\nbodies: {plate: {material: iron, shape: {sphere: {radius: 1 cm}}, "
                      "at: [2, 0, 0]}}\n%s\n",
                      wrong[k].scene);
}
