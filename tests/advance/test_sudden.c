// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_sudden.c - TR-BDF2 where loads and drives begin suddenly and damping settles
// the velocities within a step: energy balance and motion

#include "data/state.h"

#include "test.h"

#include "advance/world.h"

static World rope(double step, const char *rest) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: %g s, end: 1 s, scheme: tr-bdf2}\n"
                    "rods:\n"
                    "  rope: {section: {stiffness: {EA: 500 N, EI: 1e-9 N m^2, GJ: 1e-9 N m^2, "
                    "mass-per-length: 1e-3 kg/m, radius: 1 mm, damping: {stiffness: 1 ms}}},\n"
                    "    shape: {line: {to: [0.15, 0, 0]}}, nodes: 21}\n"
                    "forces: {w: {on: rope.start, force: [-0.1, 0, 0]}}\n"
                    "drives: {pull: {on: rope.end, direction: [1, 0, 0], %s}}\n",
                    step, rest);
}

static double balance(const LitheEnergy *e) {
    return e->kinetic + e->elastic + e->gravity + e->dissipated - e->work;
}

// energies after 1 ms, with one step and with `pieces`
static void compare(World make(double step, const char *rest), const char *rest, int64_t pieces,
                    LitheEnergy *once, LitheEnergy *fine) {
    World w = make(1e-3, rest), exact = make(1e-3 / (double)pieces, rest);
    *once = *fine = (LitheEnergy){0};
    if (CHECK(w.ok && exact.ok) && world_step(&w, 1) && world_step(&exact, pieces)) {
        *once = lithe_energy(w.model, w.state);
        *fine = lithe_energy(exact.model, exact.state);
    }
    printf("  %s: dissipated %.3g of %.3g J, elastic %.3g of %.3g J, out of balance by %.3g J\n",
           rest, once->dissipated, fine->dissipated, once->elastic, fine->elastic, balance(once));
    world_end(&w);
    world_end(&exact);
}

TEST(a_damped_rope_that_is_pulled_suddenly_keeps_its_energy_balance) {
    static const char *const drives[] = {"speed: 0 mm/s", "speed: 20 mm/s"};
    for (int k = 0; k < 2; k++) {
        LitheEnergy once, fine;
        compare(rope, drives[k], 1000, &once, &fine);
        CHECK_NEAR(once.dissipated, fine.dissipated, 0.07 * fine.dissipated);
        CHECK_NEAR(once.elastic, fine.elastic, 0.07 * fine.elastic);
        CHECK_NEAR(once.work, fine.work, 0.04 * fine.work);
        CHECK(fabs(balance(&once)) < 0.05 * fine.dissipated);
    }
}

// the damper of a joint, which settles its velocity in 10 us
static World hinge(double step, const char *rest) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: %g s, end: 1 s, scheme: tr-bdf2}\n"
                    "bodies: {arm: {mass: 1 g, inertia: [1e-9, 1e-9, 1e-9, 0, 0, 0]}}\n"
                    "joints: {hinge: {kind: revolute, child: arm, stiffness: 0.1 N m/rad, "
                    "damping: 1e-4 N m s/rad}}\n"
                    "actuators: {motor: {joint: hinge, kind: force, target: %s}}\n",
                    step, rest);
}

TEST(a_damped_joint_that_is_pulled_suddenly_keeps_its_energy_balance) {
    LitheEnergy once, fine;
    compare(hinge, "1e-3", 1000, &once, &fine);
    CHECK_NEAR(once.dissipated, fine.dissipated, 0.07 * fine.dissipated);
    CHECK(fabs(balance(&once)) < 0.05 * fine.dissipated);
}

// a soft bar: drives of its ends
static World bar(double step, const char *rest) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: %g s, end: 1 s, scheme: tr-bdf2}\n"
                    "materials: {m: {young: 1 MPa, poisson: 0, density: 100 kg/m^3, "
                    "damping: {stiffness: 1 ms}}}\n"
                    "solids: {bar: {material: m, mesh: {box: {size: [0.01, 0.01, 0.01], "
                    "divisions: [2, 2, 2]}}}}\n"
                    "holds: {wall: {on: bar.x-min}}\n"
                    "drives: {pull: {on: bar.x-max, direction: [1, 0, 0], %s}}\n",
                    step, rest);
}

TEST(a_damped_solid_that_is_pulled_suddenly_keeps_its_energy_balance) {
    LitheEnergy once, fine;
    compare(bar, "speed: 20 mm/s", 100, &once, &fine);
    CHECK_NEAR(once.dissipated, fine.dissipated, 0.07 * fine.dissipated);
    CHECK_NEAR(once.elastic, fine.elastic, 0.07 * fine.elastic);
    CHECK_NEAR(once.work, fine.work, 0.07 * fine.work);
    CHECK(fabs(balance(&once)) < 0.05 * fine.dissipated);
}
