// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_welded_statics.c - equilibria, modes, stability and paths of solids that are
// welded to bodies

#include "advance/world.h"

#include "body/solid.h"

#define G 9.81

// A stiff block that is welded to an arm, below or above a hinge at the origin; `angle` of
// gravity
static World pendulum(const char *time, double side, double angle, const char *young,
                      const char *more) {
    return world_of(
        "lithe: 1\ntime: {%s}\ngravity: [%.12g, 0, %.12g]\n"
        "materials:\n"
        "  m: {young: %s, poisson: 0.3, density: 1000 kg/m^3}\n"
        "  iron: {young: 200 GPa, poisson: 0.3, density: 500 kg/m^3}\n"
        "solids: {block: {material: m, law: corotated, mesh: {box: {size: [4 cm, 4 cm, 6 cm], "
        "divisions: [2, 2, 3]}}, at: [0, 0, %g]}}\n"
        "bodies: {arm: {material: iron, at: [0, 0, %g], shape: {box: {size: [2 cm, 2 cm, 10 "
        "cm]}}}}\n"
        "joints: {pin: {kind: revolute, parent: world, child: arm, axis: [0, 1, 0], at: [0, 0, "
        "0]}}\n"
        "constraints: {glue: {kind: weld, a: arm, b: block.%s}}\n%s",
        time, G * sin(angle), -G * cos(angle), young, 0.13 * side, 0.05 * side,
        side < 0 ? "z-max" : "z-min", more);
}

static bool rest(World *w) {
    LitheError error = {0};
    w->ok = w->ok && lithe_equilibrium(w->model, w->state, w->work, &w->report, &error) == LITHE_OK;
    if (!CHECK(w->ok))
        printf("  %s\n", error.text);
    return w->ok;
}

// square of the angular frequency of the rigid pendulum: g times momentum over twice the kinetic
// energy when all of it turns by 1 rad/s
static double rigid_omega2(const World *w) {
    LitheState *turning = lithe_state_copy(w->state);
    const LitheSolid *solid = &w->model->solids[0];
    const LitheUnit *unit = &w->model->units[solid->unit];
    turning->v[w->model->units[0].v_at] = 1;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 x = v3_load(turning->q + unit->q_at + 3 * i);
        v3_store(v3_cross(v3(0, 1, 0), x), turning->v + unit->v_at + 3 * i);
    }
    LitheVec3 p = lithe_momentum(w->model, turning);
    double energy = lithe_energy(w->model, turning).kinetic;
    lithe_state_destroy(turning);
    return G * sqrt(p.x * p.x + p.y * p.y + p.z * p.z) / (2 * energy);
}

static double angle_of(const World *w) {
    double pose[7];
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "arm"), pose);
    return atan2(pose[0], -pose[2]);
}

TEST(a_block_on_an_arm_swings_as_a_pendulum) {
    World w = pendulum("step: 1 ms, end: 1 s", -1, 0, "1 GPa", "");
    double omega[3], *shapes = w.ok ? calloc(3 * (size_t)w.model->v_count, sizeof *shapes) : NULL;
    LitheError error = {0};
    if (rest(&w) &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 3, omega, shapes, &error) == LITHE_OK)) {
        printf("  omega %.9g, rigid %.9g rad/s\n", omega[0], sqrt(rigid_omega2(&w)));
        CHECK_NEAR(omega[0], sqrt(rigid_omega2(&w)), 2e-5 * omega[0]);
        CHECK(omega[1] > 100 * omega[0]);
        // the nodes of the weld move with the arm
        const LitheSolid *solid = &w.model->solids[0];
        const LitheUnit *unit = &w.model->units[solid->unit];
        double turn = shapes[w.model->units[0].v_at];
        for (int32_t k = 0; k < solid->rider_count; k++) {
            const double *u = shapes + unit->v_at + 3 * solid->riders[k].node;
            Vec3 x = v3_load(w.state->q + unit->q_at + 3 * solid->riders[k].node);
            CHECK(v3_distance(v3_load(u), v3_cross(v3(0, turn, 0), x)) < 1e-9 * fabs(turn));
        }
    }
    free(shapes);
    world_end(&w);
}

TEST(a_block_above_its_hinge_is_unstable) {
    World w = pendulum("scheme: static, step: 1 s, end: 3 s", 1, 0, "1 GPa", "");
    double omega;
    LitheError error = {0};
    // a static step finds the shape under the weight, upright by symmetry
    if (world_step(&w, 1) && CHECK(fabs(angle_of(&w)) > 3.14) &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 1, &omega, NULL, &error) == LITHE_OK)) {
        CHECK_NEAR(omega, -sqrt(rigid_omega2(&w)), 1e-5 * fabs(omega));
        CHECK(w.report.unstable == 1);
    }
    world_end(&w);
}

// the lowest four of a bar that is held, or welded to a slider that does not move
static void bar_modes(bool welded, const char *mass, double omega[4]) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {step: 2 ms, end: 1 s}\n"
        "materials: {m: {young: 0.2 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
        "solids: {bar: {material: m, law: corotated, mass: %s, mesh: {box: {size: [8 cm, 2 cm, 2 "
        "cm], divisions: [4, 1, 1]}}, at: [4 cm, 0, 0]}}\n%s",
        mass,
        welded ? "bodies: {slide: {material: m, shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, at: "
                 "[-1 cm, 0, 0]}}\n"
                 "joints: {rail: {kind: prismatic, parent: world, child: slide, axis: [1, 0, "
                 "0]}}\n"
                 "actuators: {still: {joint: rail, kind: prescribed, target: 0}}\n"
                 "constraints: {glue: {kind: weld, a: slide, b: bar.x-min}}\n"
               : "holds: {wall: {on: bar.x-min}}\n");
    LitheError error = {0};
    if (w.ok)
        w.ok =
            CHECK(lithe_world_modes(w.model, w.state, w.work, 4, omega, NULL, &error) == LITHE_OK);
    if (!w.ok)
        printf("  %s\n", error.text);
    world_end(&w);
}

TEST(a_bar_on_a_slider_has_the_modes_of_a_held_one) {
    double held[2][4] = {{0}}, welded[2][4] = {{0}};
    for (int k = 0; k < 2; k++) {
        bar_modes(false, k ? "consistent" : "lumped", held[k]);
        bar_modes(true, k ? "consistent" : "lumped", welded[k]);
    }
    for (int k = 0; k < 4; k++) {
        CHECK_NEAR(welded[0][k], held[0][k], 1e-7 * held[0][k]);
        // (W9): elements at the weld are lumped, where the bar hardly moves
        CHECK_NEAR(welded[1][k], held[1][k], 0.03 * held[1][k]);
        CHECK(welded[1][k] > welded[0][k] && welded[1][k] < held[1][k] * (1 + 1e-9));
    }
}

// a body and its solid in free flight have six motions without energy
TEST(a_free_body_with_a_block_has_six_rigid_motions) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {step: 2 ms, end: 1 s}\n"
        "materials: {m: {young: 0.2 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
        "solids: {bar: {material: m, law: corotated, mesh: {box: {size: [8 cm, 2 cm, 2 cm], "
        "divisions: [4, 1, 1]}}, at: [4 cm, 0, 0]}}\n"
        "bodies: {end: {material: m, shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, at: [-1 cm, 0, "
        "0]}}\n"
        "constraints: {glue: {kind: weld, a: end, b: bar.x-min}}\n");
    double omega[7];
    LitheError error = {0};
    if (w.ok &&
        CHECK(lithe_world_modes(w.model, w.state, w.work, 7, omega, NULL, &error) == LITHE_OK)) {
        for (int k = 0; k < 6; k++)
            CHECK(omega[k] == 0);
        CHECK(omega[6] > 10);
    }
    world_end(&w);
}

TEST(a_welded_block_swings_down_to_its_equilibrium) {
    static const char *const young[] = {"1 GPa", "20 MPa", "1 MPa", "50 kPa"};
    for (int k = 0; k < 4; k++) {
        World w = pendulum("step: 1 ms, end: 1 s", -1, 1.2, young[k], "");
        if (rest(&w)) {
            CHECK(w.report.unstable == 0);
            CHECK_NEAR(angle_of(&w), 1.2, 1e-6);
        }
        world_end(&w);
    }
}

// A horizontal force on the lower end of the block turns the pendulum: the tangent of the angle is
// force times lever over weight times its lever. Steps by arc length follow it.
TEST(a_path_by_arc_length_turns_a_welded_block_as_statics_says) {
    World w = pendulum("scheme: static, follow: arc-length, step: 0.1 s, end: 1 s", -1, 0, "20 MPa",
                       "forces: {pull: {on: block.z-min, force: [0.02 N, 0, 0], profile: {table: "
                       "[[0 s, 0], [1 s, 1]]}}}\n");
    double weight = 0.02 * 9.81 * 0.05 + 0.096 * 9.81 * 0.13, last = 0;
    for (int k = 0; k < 6 && world_step(&w, 1); k++) {
        double load = lithe_load_time(w.state), wanted = 9 * 0.02 * load * 0.16 / weight;
        CHECK(load > last);
        CHECK_NEAR(tan(angle_of(&w)), wanted, 2e-3 * wanted);
        last = load;
    }
    CHECK(last > 0.3);
    world_end(&w);
}
