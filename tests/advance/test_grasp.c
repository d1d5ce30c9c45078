// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_grasp.c - a rope, a robot, a soft solid and grains in one solve: every step
// converges, with the same bits for any number of threads and with scratch dropped

#define WORLD_FOLDER LITHE_SOURCE_DIR "/scenes"
#include "advance/world.h"

#include <string.h>

enum { STEPS = 64, SANITIZED_STEPS = 24, KINDS = 4 };

static const char *const kinds[KINDS] = {"arm/", "rope", "cushion", "grain"};

// A hand presses a rope, which lies across a cushion, into it; grains lie beside the rope.
static World press(void) {
    return world_of(
        "lithe: 1\n"
        "time: {scheme: backward-euler, step: 5 ms, end: 1 s}\n"
        "materials:\n"
        "  foam: {young: 40 kPa, poisson: 0.3, density: 300, friction: 0.6, damping: {stiffness: "
        "10 ms}}\n"
        "  rope: {young: 5 MPa, poisson: 0.3, density: 1000, friction: 0.6, damping: {mass: 5 "
        "1/s}}\n"
        "  stone: {young: 1 GPa, poisson: 0.3, density: 2000, friction: 0.6}\n"
        "robots:\n"
        "  arm: {path: robots/arm7.urdf, material: stone,\n"
        "    positions: {joint2: 20 deg, joint4: -80 deg, joint6: 80 deg, finger_joint_left: 1 "
        "cm,\n"
        "    finger_joint_right: 1 cm}}\n"
        "actuators:\n"
        "  left: {joint: arm/finger_joint_left, kind: position, target: 1 cm, stiffness: 1e4 N/m,\n"
        "    damping: 50 N s/m}\n"
        "  right: {joint: arm/finger_joint_right, kind: position, target: 1 cm, stiffness: 1e4 "
        "N/m,\n"
        "    damping: 50 N s/m}\n"
        "pose-drives:\n"
        "  hand: {body: arm/hand, stiffness: 1e4 N m/rad, joint-damping: 200 N m s/rad, path: [\n"
        "    {time: 0 s, at: [0.4845, 0, 0.49457], rotate: [0, 180 deg, 0]},\n"
        "    {time: 0.1 s, at: [0.4845, 0, 0.473]}, {time: 0.2 s, at: [0.4845, 0, 0.465]}]}\n"
        "bodies:\n"
        "  table: {fixed: true, material: stone, shape: {box: {size: [0.4, 0.4, 0.3]}},\n"
        "    at: [0.4845, 0, 0.15]}\n"
        "solids:\n"
        "  cushion: {material: foam, at: [0.4845, 0, 0.33],\n"
        "    mesh: {box: {size: [0.12, 0.12, 0.06], divisions: [4, 4, 2]}}}\n"
        "rods:\n"
        "  rope: {material: rope, section: {circle: {radius: 4 mm}}, nodes: 21,\n"
        "    shape: {line: {from: [0.4845, -0.12, 0.3645], to: [0.4845, 0.12, 0.3645]}}}\n"
        "particles:\n"
        "  grain: {material: stone, radius: 5 mm, positions: [[0.4745, 0, 0.3655], [0.4945, "
        "0.002,\n"
        "    0.3655], [0.4745, 0.015, 0.3655], [0.4945, -0.016, 0.3655], [0.45, 0, 0.3655]]}\n");
}

static int kind_of(const World *w, LitheThing thing) {
    const char *name = lithe_thing_name(w->model, thing);
    for (int k = 0; name && k < KINDS; k++)
        if (strncmp(name, kinds[k], strlen(kinds[k])) == 0)
            return k;
    return -1;
}

// which kinds push on each other
static void count_pairs(const World *w, int pairs[KINDS][KINDS]) {
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce c = lithe_work_contact(w->work, i);
        int a = kind_of(w, c.contact.a.thing), b = kind_of(w, c.contact.b.thing);
        if (a >= 0 && b >= 0 && c.normal > 0) {
            pairs[a][b]++;
            pairs[b][a] += a != b;
        }
    }
}

static uint64_t hash_after(int threads, bool drop, int pairs[KINDS][KINDS]) {
    World w = press();
    for (int32_t i = 0; w.ok && i < (TEST_SANITIZED ? SANITIZED_STEPS : STEPS); i++) {
        if (i == 0 || drop) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, threads);
        }
        if (world_step(&w, 1)) {
            CHECK(w.unconverged == 0 && w.report.inverted == 0 && w.report.pieces == 1);
            count_pairs(&w, pairs);
        }
    }
    uint64_t hash = w.ok ? lithe_state_hash(w.state) : 0;
    world_end(&w);
    return hash;
}

LONG_TEST(rope_robot_solid_and_grains_are_one_solve_that_converges_every_step) {
    int pairs[KINDS][KINDS] = {0}, other[KINDS][KINDS] = {0};
    uint64_t hash = hash_after(1, false, pairs);
    // hand on rope, rope and grains on the cushion, rope on grains
    CHECK(TEST_SANITIZED || (pairs[0][1] > 0 && pairs[1][2] > 0 && pairs[2][3] > 0));
    CHECK(hash == hash_after(2, false, other));
    CHECK(hash == hash_after(1, true, other));
}
