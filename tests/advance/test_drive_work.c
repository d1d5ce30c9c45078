// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_drive_work.c - the work of exact drives that push through contacts

#include "world.h"

#include <math.h>

#define SCHEMES 2
static const char *const schemes[SCHEMES] = {"tr-bdf2", "backward-euler"};

// what is stored and what is lost
static double taken(const LitheEnergy *e) {
    return e->kinetic + e->elastic + e->gravity + e->dissipated + e->friction + e->contact +
           e->constraints;
}

// energies at the end of the run; `loss` takes what the energy and all losses leave of the work
static LitheEnergy run(World *w, int steps, double *loss) {
    LitheEnergy before = lithe_energy(w->model, w->state), end;
    world_step(w, steps);
    end = lithe_energy(w->model, w->state);
    *loss = end.work - taken(&end) - (before.work - taken(&before));
    world_end(w);
    return end;
}

// The work goes into friction, dampers and motion; it does not depend on the scheme.
static void check_work(const LitheEnergy end[SCHEMES], const double loss[SCHEMES]) {
    double expected = end[1].work;
    for (int i = 0; i < SCHEMES; i++) {
        bool ok = fabs(loss[i]) < 0.01 * expected && fabs(end[i].work - expected) < 0.01 * expected;
        if (!CHECK(ok))
            printf("  %s: work %g J, unaccounted %g J, expected %g J\n", schemes[i], end[i].work,
                   loss[i], expected);
        CHECK(end[i].friction > 0.5 * expected);
    }
}

// a block of 0.6 kg on a floor, and a hand of 0.075 kg
static const char slider[] =
    "lithe: 1\n"
    "time: {step: 2 ms, end: 1 s, scheme: %s}\n"
    "materials: {wood: {young: 10 GPa, poisson: 0.3, density: 600 kg/m^3, friction: 0.4}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
    "  hand: {material: wood, shape: {box: {size: [5 cm, 5 cm, 5 cm]}}, at: [0, 0, 6 cm]}\n"
    "  block: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: [75 mm, 0, 5 cm]}\n"
    "%s";

TEST(a_prescribed_joint_that_pushes_a_block_does_the_work_of_friction_and_motion) {
    LitheEnergy end[SCHEMES];
    double loss[SCHEMES];
    for (int i = 0; i < SCHEMES; i++) {
        World w = world_of(slider, schemes[i],
                           "joints: {s: {kind: prismatic, child: hand, axis: [1, 0, 0]}}\n"
                           "actuators: {m: {joint: s, kind: prescribed, target: {table: [[0 s, 0 "
                           "m], [0.5 s, 0.25 m]], kind: smooth}}}\n");
        end[i] = run(&w, 250, &loss[i]);
    }
    check_work(end, loss);
}

// A smooth path does not jump: at its middle the hand has 1.5 times the mean speed.
TEST(a_pose_drive_on_a_smooth_path_does_the_work_of_friction_and_motion) {
    LitheEnergy end[SCHEMES];
    double loss[SCHEMES];
    for (int i = 0; i < SCHEMES; i++) {
        World w = world_of(slider, schemes[i],
                           "pose-drives: {push: {body: hand, kind: smooth, path: [{time: 0 s, at: "
                           "[0, 0, 6 cm]}, {time: 0.5 s, at: [25 cm, 0, 6 cm]}]}}\n");
        world_step(&w, 125);
        CHECK_NEAR(body_at(&w, "hand").x, 0.125, 1e-6);
        CHECK_NEAR(body_speed(&w, "hand").x, 0.75, i == 0 ? 1e-4 : 3e-3);
        end[i] = run(&w, 125, &loss[i]);
    }
    check_work(end, loss);
}

// An arm whose first joint is driven and whose second joint is free: a tree with some DoFs held.
TEST(a_prescribed_joint_with_a_free_one_behind_it_does_the_work_of_friction) {
    LitheEnergy end[SCHEMES];
    double loss[SCHEMES];
    for (int i = 0; i < SCHEMES; i++) {
        World w = world_of(
            slider, schemes[i],
            "joints:\n"
            "  s: {kind: prismatic, child: hand, axis: [1, 0, 0]}\n"
            "  t: {kind: prismatic, parent: hand, child: block, axis: [0, 0, 1]}\n"
            "actuators: {m: {joint: s, kind: prescribed, target: {table: [[0 s, 0 m], [0.5 s, 0.25 "
            "m]], kind: smooth}}}\n");
        end[i] = run(&w, 250, &loss[i]);
    }
    check_work(end, loss);
}

// A stick, moved sideways at both ends, pushes the block with nodes that are held.
TEST(a_rod_with_driven_ends_that_pushes_a_block_does_the_work_of_friction) {
    LitheEnergy end[SCHEMES];
    double loss[SCHEMES];
    for (int i = 0; i < SCHEMES; i++) {
        World w =
            world_of("lithe: 1\n"
                     "time: {step: 2 ms, end: 1 s, scheme: %s}\n"
                     "materials: {wood: {young: 1 GPa, poisson: 0.3, density: 600 kg/m^3, "
                     "friction: 0.4}}\n"
                     "bodies:\n"
                     "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                     "  block: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: "
                     "[6 cm, 0, 5 cm]}\n"
                     "rods:\n"
                     "  stick:\n"
                     "    material: wood\n"
                     "    section: {circle: {radius: 1 cm}}\n"
                     "    shape: {line: {from: [0, -4 cm, 5 cm], to: [0, 4 cm, 5 cm]}}\n"
                     "    nodes: 5\n"
                     "drives:\n"
                     "  a: {on: stick.start, kind: clamp, direction: [1, 0, 0], motion: {table: "
                     "[[0 s, 0 m], [0.5 s, 0.25 m]], kind: smooth}}\n"
                     "  b: {on: stick.end, kind: clamp, direction: [1, 0, 0], motion: {table: "
                     "[[0 s, 0 m], [0.5 s, 0.25 m]], kind: smooth}}\n",
                     schemes[i]);
        end[i] = run(&w, 250, &loss[i]);
    }
    check_work(end, loss);
}

// Two pendulums in a row, the first one driven: what the midpoint rule leaves of the work falls
// with the square of the step, also where steps adapt. It fell with the step.
TEST(the_midpoint_rule_counts_the_work_of_a_prescribed_joint_to_second_order) {
    static const char *const steps[] = {"10 ms", "5 ms", "{adaptive: {min: 1 us, max: 20 ms}}"};
    double left[3];
    for (int i = 0; i < 3; i++) {
        World w = world_of(
            "lithe: 1\n"
            "time: {step: %s, end: 2 s, scheme: midpoint}\n"
            "bodies:\n"
            "  b: {mass: 1, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0.3, 0, 0]}\n"
            "  c: {mass: 0.5, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0.6, 0, 0]}\n"
            "joints:\n"
            "  j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0]}\n"
            "  k: {kind: revolute, parent: b, child: c, at: [0.5, 0, 0], axis: [0, 1, 0]}\n"
            "actuators: {a: {joint: j, kind: prescribed, target: {table: [[0 s, 0], [1 s, 1], "
            "[2 s, 0.5]], kind: smooth}}}\n",
            steps[i]);
        double largest = 0, most = 0;
        for (LitheEnergy e = lithe_energy(w.model, w.state), first = e;
             w.ok && lithe_state_time(w.state) < 1.99; e = lithe_energy(w.model, w.state)) {
            most = fmax(most, fabs(e.work - taken(&e) - (first.work - taken(&first))));
            largest = fmax(largest, e.kinetic);
            world_step(&w, 1);
        }
        left[i] = most / largest;
        world_end(&w);
    }
    CHECK_NEAR(left[0] / left[1], 4, 0.4);
    if (!CHECK(left[1] < 2e-4 && left[2] < 3e-3))
        printf("  %g %g %g\n", left[0], left[1], left[2]);
}
