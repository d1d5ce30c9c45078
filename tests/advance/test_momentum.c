// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_momentum.c - contacts under schemes of second order: angular momentum of free
// things that collide, and the order of rolling and sliding

#include "world.h"

#include <string.h>

static double distance(LitheVec3 a, LitheVec3 b) {
    return vector_length((LitheVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

// The largest change of the angular momentum in 0.1 s, relative to its value at the start.
// `text`: a format with the step and the scheme.
static double change(const char *text, const char *scheme, double step) {
    World w = world_of(text, step, scheme);
    if (!w.ok)
        return INFINITY;
    LitheVec3 start = lithe_angular_momentum(w.model, w.state);
    double max = 0;
    int64_t touched = 0;
    for (int64_t i = 0; i < (int64_t)round(0.1 / step) && world_step(&w, 1); i++) {
        touched += w.report.active > 0;
        max = fmax(max, distance(lithe_angular_momentum(w.model, w.state), start));
    }
    printf("  %s, %g ms: angular momentum changed by %.3g in %lld steps in contact\n", scheme,
           1e3 * step, max / vector_length(start), (long long)touched);
    CHECK(touched > 0);
    CHECK(w.unconverged == 0);
    world_end(&w);
    return max / vector_length(start);
}

// two rods that cross, one of which turns and hits the other off its middle
#define RODS \
    "lithe: 1\ntime: {step: %.17g s, end: 1 s, scheme: %s}\ngravity: none\n" \
    "materials: {m: {young: 5 MPa, density: 1100, friction: 0.5}}\n" \
    "rods:\n" \
    "  a: {material: m, section: {circle: {radius: 8 mm}}, nodes: 21,\n" \
    "    shape: {line: {from: [-0.25, 0, 0], to: [0.25, 0, 0]}}}\n" \
    "  b: {material: m, section: {circle: {radius: 8 mm}}, nodes: 21,\n" \
    "    shape: {line: {from: [0.1, -0.25, 30 mm], to: [0.15, 0.25, 20 mm]}},\n" \
    "    velocity: [0.5, 0.3, -1], spin: [0, 2, 3]}\n"

// a sphere hits a box; both spin
#define BODIES \
    "lithe: 1\ntime: {step: %.17g s, end: 1 s, scheme: %s}\ngravity: none\n" \
    "materials: {m: {young: 5 MPa, density: 1100, friction: 0.5, contact: {stiffness: 1e4, " \
    "dissipation: 1 s/m}}}\n" \
    "bodies:\n" \
    "  a: {material: m, shape: {box: {size: [20 cm, 10 cm, 6 cm]}}, spin: [1, 2, 3]}\n" \
    "  b: {material: m, shape: {sphere: {radius: 5 cm}}, at: [5 cm, 2 cm, 12 cm],\n" \
    "    velocity: [0.5, 0.3, -1], spin: [5, 0, 10]}\n"

// a rod falls across a box that spins
#define MIXED \
    "lithe: 1\ntime: {step: %.17g s, end: 1 s, scheme: %s}\ngravity: none\n" \
    "materials: {m: {young: 5 MPa, density: 1100, friction: 0.5, contact: {dissipation: 1 " \
    "s/m}}}\n" \
    "bodies:\n" \
    "  a: {material: m, shape: {box: {size: [20 cm, 10 cm, 6 cm]}}, spin: [1, 2, 3]}\n" \
    "rods:\n" \
    "  b: {material: m, section: {circle: {radius: 8 mm}}, nodes: 21,\n" \
    "    shape: {line: {from: [0.1, -0.25, 80 mm], to: [0.05, 0.25, 60 mm]}},\n" \
    "    velocity: [0.5, 0.3, -1], spin: [0, 2, 3]}\n"

// exact up to the tolerance of the solve, 1e-6, with any step
LONG_TEST(things_that_collide_keep_their_angular_momentum_with_the_midpoint_rule) {
    static const char *const texts[] = {RODS, BODIES, MIXED};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++)
            CHECK(change(texts[k], "midpoint", 2e-3 / (1 << i)) < 1e-5);
}

TEST(things_that_collide_keep_their_angular_momentum_to_1e_4_with_tr_bdf2) {
    static const char *const texts[] = {RODS, BODIES, MIXED};
    for (int k = 0; k < 3; k++) {
        double long_step = change(texts[k], "tr-bdf2", 1e-3);
        CHECK(long_step < 1e-4);
        CHECK(change(texts[k], "tr-bdf2", 0.25e-3) < 0.5 * long_step);
    }
}

// without friction, whose force jumps where sliding ends, and with a solve that is exact
TEST(angular_momentum_in_a_resolved_collision_is_of_second_order_with_tr_bdf2) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 1 s, scheme: %s}\ngravity: none\n"
        "contact: {tolerance: 1e-10}\n"
        "materials: {m: {young: 5 MPa, density: 1100, friction: 0, contact: {stiffness: 1e4, "
        "dissipation: 1 s/m}}}\n"
        "bodies:\n"
        "  a: {material: m, shape: {box: {size: [20 cm, 10 cm, 6 cm]}}, spin: [1, 2, 3]}\n"
        "  b: {material: m, shape: {sphere: {radius: 5 cm}}, at: [5 cm, 2 cm, 12 cm],\n"
        "    velocity: [0.5, 0.3, -1], spin: [5, 0, 10]}\n";
    double errors[3];
    for (int i = 0; i < 3; i++)
        errors[i] = change(text, "tr-bdf2", 0.5e-3 / (1 << i));
    CHECK(0.5 * log2(errors[0] / errors[2]) > 1.6);
}

// Dissipation raises the force of a contact in approach and lowers it in separation; the energy of
// its spring has no part in this.
LONG_TEST(dissipation_of_a_contact_is_no_rise_of_the_energy) {
    static const char *const texts[] = {RODS, BODIES, MIXED};
    static const double steps[] = {2e-3, 0.5e-3, 0.125e-3};
    for (int k = 0; k < 9; k++) {
        World w = world_of(texts[k / 3], steps[k % 3], "tr-bdf2");
        int32_t euler = 0, calmed = 0;
        for (int64_t i = 0; i < (int64_t)round(0.1 / steps[k % 3]) && world_step(&w, 1); i++) {
            euler += w.report.euler;
            calmed += w.report.calmed;
        }
        printf("  %g ms: %d steps by backward Euler, %d calmed\n", 1e3 * steps[k % 3], (int)euler,
               (int)calmed);
        CHECK(euler == 0 && calmed <= 1);
        world_end(&w);
    }
}

// the place of the ball after 0.3 s
static LitheVec3 place_after(const char *text, double step) {
    World w = world_of(text, step, "midpoint");
    world_step(&w, (int64_t)round(0.3 / step));
    CHECK(w.unconverged == 0);
    LitheVec3 at = body_at(&w, "ball");
    world_end(&w);
    return at;
}

TEST(rolling_and_sliding_are_of_second_order_with_the_midpoint_rule) {
    static const char *const text =
        "lithe: 1\ntime: {step: %%.17g s, end: 10 s, scheme: %%s}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: %s, contact: {stiffness: 1e6, "
        "dissipation: 20 s/m}}}\n"
        "bodies:\n"
        "  dome: {fixed: true, material: m, shape: {sphere: {radius: 1}}, at: [0, 0, -1]}\n"
        "  ball: {material: m, shape: {sphere: {radius: 5 cm}}, at: [0, 0, 49.9948 mm],\n"
        "    velocity: [0.5, 0.2, 0], spin: [-4, 10, 3]}\n";
    static const char *const frictions[] = {"0.8", "0.05", "0"};
    for (int k = 0; k < 3; k++) {
        char scene[1024];
        double errors[3];
        snprintf(scene, sizeof scene, text, frictions[k]);
        LitheVec3 exact = place_after(scene, 10e-3 / 64);
        for (int i = 0; i < 3; i++)
            errors[i] = distance(place_after(scene, 10e-3 / (1 << i)), exact);
        double order = 0.5 * log2(errors[0] / errors[2]);
        printf("  friction %s: errors %.3g, %.3g, %.3g m, order %.2f\n", frictions[k], errors[0],
               errors[1], errors[2], order);
        CHECK(order > 1.6);
        CHECK(errors[0] < 3e-4);
    }
}

// --- mirror images -------------------------------------------------------------------------------

// the largest distance of a node of the rod from the mirror image, at x = 0, of its counterpart
static double asymmetry(const World *w) {
    LitheRodId rod = lithe_rod_find(w->model, "rod");
    int32_t count = lithe_rod_node_count(w->model, rod);
    const double *q = lithe_rod_q(w->model, w->state, rod);
    double max = 0;
    for (int64_t i = 0; i < count; i++) {
        const double *a = q + 4 * i, *b = q + 4 * (count - 1 - i);
        max = fmax(max, vector_length((LitheVec3){a[0] + b[0], a[1] - b[1], a[2] - b[2]}));
    }
    return max;
}

// A contact at a node belongs to both its edges: friction, which acts on the surface, turns both.
LONG_TEST(a_rod_that_falls_symmetrically_stays_its_own_mirror_image) {
    static const char *const schemes[] = {"backward-euler", "midpoint", "tr-bdf2"};
    static const char *const shapes[] = {
        "line: {from: [-20 cm, 0, 3 cm], to: [20 cm, 0, 3 cm]}",
        "polyline: {points: [[-20 cm, 0, 8 cm], [0, 0, 3 cm], [20 cm, 0, 8 cm]]}"};
    for (int k = 0; k < 12; k++) {
        World w = world_of("lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: %s}\n"
                           "materials: {m: {young: 5 MPa, density: 1100, friction: 0.5}}\n"
                           "bodies: {ground: {fixed: true, material: m, shape: {half-space: {}}}}\n"
                           "rods:\n"
                           "  rod: {material: m, section: {circle: {radius: 5 mm}}, nodes: %d,\n"
                           "    natural: {from: shape}, shape: {%s}}\n",
                           schemes[k % 3], 20 + k / 3 % 2, shapes[k / 6]);
        int32_t touched = 0;
        for (int i = 0; i < 200 && world_step(&w, 1); i++)
            touched += w.report.active > 0;
        printf("  %s, %s, %d nodes: %.2g m\n", schemes[k % 3], k / 6 ? "bent" : "straight",
               20 + k / 3 % 2, asymmetry(&w));
        CHECK(touched > 0);
        CHECK(asymmetry(&w) < 1e-8);
        world_end(&w);
    }
}

// The mean velocity of a rotation is along its chord, which a damping of the start of the step
// takes for a strain rate: by the midpoint rule this rod lost 72 % of its spin in a second.
TEST(damping_of_strains_does_not_brake_a_free_rod_that_turns) {
    static const char *const schemes[] = {"midpoint", "tr-bdf2"};
    for (int k = 0; k < 2; k++) {
        World w =
            world_of("lithe: 1\n"
                     "gravity: none\n"
                     "time: {step: 1 ms, end: 10 s, scheme: %s}\n"
                     "materials: {m: {young: 100 MPa, density: 1000, damping: {stiffness: 2 "
                     "ms}}}\n"
                     "rods: {bar: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
                     "  shape: {line: {from: [-0.1, 0, 0], to: [0.1, 0, 0]}},\n"
                     "  spin: [0, 0, 20 rad/s]}}\n",
                     schemes[k]);
        double before = w.ok ? lithe_angular_momentum(w.model, w.state).z : NAN;
        world_step(&w, 500);
        double after = w.ok ? lithe_angular_momentum(w.model, w.state).z : NAN;
        printf("  %s: changes by %.2g of it\n", schemes[k], after / before - 1);
        CHECK_NEAR(after / before, 1, 1e-3);
        world_end(&w);
    }
}
