// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_tr_bdf2.c - the scheme TR-BDF2: its order on rods, bodies, ties and sustained
// contacts, its energy with steps that are too long, momenta, and the state that it keeps

#include "data/state.h"

#include "world.h"

#include <string.h>

enum { MAX_SAMPLES = 32, NUMBERS = 3 };

// positions of something at equal times
typedef struct Track {
    int32_t count;
    double x[MAX_SAMPLES][NUMBERS];
} Track;

typedef void Sample(const World *w, double *x);

// A run of `text`, a format with the step: `samples` positions, `every` steps apart.
static Track run(const char *text, double step, int32_t samples, int64_t every, Sample *sample) {
    Track track = {.count = samples};
    World w = world_of(text, step);
    for (int32_t i = 0; w.ok && i < samples; i++) {
        world_step(&w, every);
        sample(&w, track.x[i]);
    }
    CHECK(w.unconverged == 0);
    world_end(&w);
    return track;
}

static double apart(const Track *a, const Track *b) {
    double max = 0;
    for (int32_t i = 0; i < a->count; i++) {
        double sum = 0;
        for (int k = 0; k < NUMBERS; k++)
            sum += (a->x[i][k] - b->x[i][k]) * (a->x[i][k] - b->x[i][k]);
        max = fmax(max, sqrt(sum));
    }
    return max;
}

// Errors with steps `step`, half and a quarter of it, against one `finer` times shorter. Returns
// the smaller one of both orders.
static double order_of(const char *name, const char *text, double step, int32_t samples,
                       int64_t every, int64_t finer, Sample *sample, double errors[3]) {
    Track exact = run(text, step / (double)finer, samples, every * finer, sample);
    for (int k = 0; k < 3; k++) {
        Track track = run(text, step / (1 << k), samples, every << k, sample);
        errors[k] = apart(&track, &exact);
    }
    double a = log2(errors[0] / errors[1]), b = log2(errors[1] / errors[2]);
    printf("  %s: errors %.3g, %.3g, %.3g, orders %.2f, %.2f\n", name, errors[0], errors[1],
           errors[2], a, b);
    return fmin(a, b);
}

// --- rods ----------------------------------------------------------------------------------------

static void tip(const World *w, double *x) {
    LitheRodId rod = lithe_rod_find(w->model, "rod");
    int32_t nodes = lithe_rod_node_count(w->model, rod);
    memcpy(x, lithe_rod_q(w->model, w->state, rod) + 4 * ((int64_t)nodes - 1), 3 * sizeof *x);
}

// EA, EI, GJ and mass of a round rod: radius 8 mm, 5 MPa, Poisson 0.5, 1100 kg/m^3
#define CANTILEVER(EA) \
    "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n" \
    "rods:\n" \
    "  rod: {section: {stiffness: {EA: " EA ", EI: 0.016084954, GJ: 0.010723303, " \
    "mass-per-length: 0.22116812, radius: 8 mm}},\n" \
    "    shape: {line: {to: [1, 0, 0]}}, nodes: 101, clamped: start}\n"

LONG_TEST(a_cantilever_swings_within_three_millimetres_at_steps_of_five_milliseconds) {
    static const char *const texts[] = {CANTILEVER("1005.3096 N"), CANTILEVER("100530.96 N")};
    for (int k = 0; k < 2; k++) {
        double errors[3];
        double order = order_of(k == 0 ? "cantilever" : "EA 100 times larger", texts[k], 5e-3, 20,
                                10, 32, tip, errors);
        CHECK(errors[0] < 3e-3);
        // stiff stretching is not resolved by the longest of these steps
        CHECK(k == 0 ? order > 1.6 : log2(errors[0] / errors[2]) > 2 * 1.4);
    }
}

static void end_twist(const World *w, double *x) {
    LitheRodId rod = lithe_rod_find(w->model, "rod");
    int32_t nodes = lithe_rod_node_count(w->model, rod);
    const double *q = lithe_rod_q(w->model, w->state, rod);
    x[0] = q[4 * ((int64_t)nodes - 2) + 3] * 1e-2; // radians at a radius of 1 cm
    x[1] = x[2] = 0;
}

// twisted by three radians, thrown sideways, and released: twist, gyroscopic forces and bending.
// Few nodes: the steps resolve all of their modes
LONG_TEST(a_twisted_rod_that_is_released_turns_with_second_order) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\ngravity: none\n"
        "rods:\n"
        "  rod: {section: {stiffness: {EA: 1000 N, EI: 0.016, GJ: 0.0107, mass-per-length: 0.22, "
        "spin-per-length: 1e-4, radius: 8 mm}},\n"
        "    shape: {line: {to: [0.5, 0, 0]}}, twist: 3 rad, nodes: 6, clamped: start,\n"
        "    velocity: [0, 0.2, 0]}\n";
    double errors[3];
    CHECK(order_of("twist", text, 2e-3, 10, 10, 32, end_twist, errors) > 1.6);
    CHECK(order_of("tip of the twisted rod", text, 2e-3, 10, 10, 32, tip, errors) > 1.6);
}

// --- bodies, ties, contacts ----------------------------------------------------------------------

static void ball(const World *w, double *x) {
    LitheVec3 at = body_at(w, "ball");
    x[0] = at.x, x[1] = at.y, x[2] = at.z;
}

TEST(a_ball_rolls_down_a_dome_with_second_order) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0.8, contact: {stiffness: 1e6, "
        "dissipation: 20 s/m}}}\n"
        "bodies:\n"
        "  dome: {fixed: true, material: m, shape: {sphere: {radius: 1}}, at: [0, 0, -1]}\n"
        "  ball: {material: m, shape: {sphere: {radius: 5 cm}}, at: [0, 0, 49.9948 mm],\n"
        "    velocity: [0.5, 0, 0], spin: [0, 10, 0]}\n";
    double errors[3];
    CHECK(order_of("rolling", text, 10e-3, 12, 5, 32, ball, errors) > 1.6);
    CHECK(errors[0] < 2e-4);
}

static void coupler(const World *w, double *x) {
    LitheVec3 at = body_at(w, "coupler");
    x[0] = at.x, x[1] = at.y, x[2] = at.z;
}

// (V43): a crank, a coupler and a rocker; the hinge between the last two is a constraint
#define LINKAGE(CONTACT, BODIES) \
    "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n" CONTACT \
    "materials: {m: {young: 1 GPa, density: 600}}\n" \
    "bodies:\n" BODIES \
    "  crank: {material: m, shape: {box: {size: [10 cm, 2 cm, 2 cm]}}, at: [0, 0, 5 cm],\n" \
    "    rotate: {axis: [0, 1, 0], angle: -90 deg}}\n" \
    "  coupler: {material: m, shape: {box: {size: [40 cm, 2 cm, 2 cm]}}, at: [20 cm, 0, 10 " \
    "cm]}\n" \
    "  rocker: {material: m, shape: {box: {size: [25 cm, 2 cm, 2 cm]}}, at: [40 cm, 0, -2.5 " \
    "cm],\n" \
    "    rotate: {axis: [0, 1, 0], angle: -90 deg}}\n" \
    "joints:\n" \
    "  a: {kind: revolute, child: crank, at: [0, 0, 0], axis: [0, 1, 0]}\n" \
    "  b: {kind: revolute, parent: crank, child: coupler, at: [0, 0, 10 cm], axis: [0, 1, 0]}\n" \
    "  c: {kind: revolute, child: rocker, at: [40 cm, 0, -15 cm], axis: [0, 1, 0],\n" \
    "    velocity: 2 rad/s}\n" \
    "constraints:\n" \
    "  d: {kind: attach, a: {on: coupler, at: [20 cm, 0, 0]}, b: {on: rocker, at: [12.5 cm, 0, " \
    "0]}}\n"
#define BOX_AT_REST \
    "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -1]}\n" \
    "  box: {material: m, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: [2, 0, -0.95]}\n"

LONG_TEST(a_linkage_that_a_constraint_closes_falls_with_second_order) {
    static const char *const text[2] = {
        LINKAGE("contact: {enabled: false}\n", ""),
        LINKAGE("ignore: [[crank, coupler], [coupler, rocker]]\n", BOX_AT_REST)};
    double errors[3];
    for (int k = 0; k < 2; k++) {
        CHECK(order_of(k ? "beside a box at rest" : "linkage", text[k], 2e-3, 10, 20, 8, coupler,
                       errors) > 1.7);
        CHECK(errors[0] < 1e-4);
    }
}

// (PF19) the same for patches, whose points come and go
LONG_TEST(a_soft_ball_bobs_and_rolls_on_a_patch_with_second_order) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
        "materials:\n"
        "  soft: {young: 1 MPa, density: 1000, friction: 0.5,\n"
        "    contact: {patches: {modulus: 100 kPa, dissipation: 0}}}\n"
        "  hard: {young: 1 GPa, density: 1000, friction: 0.5}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
        "  ball: {material: soft, shape: {sphere: {radius: 5 cm}}, at: [0, 0, 47 mm],\n"
        "    velocity: [0.3, 0, 0]}\n";
    double errors[3];
    CHECK(order_of("patch of a ball", text, 4e-3, 10, 5, 32, ball, errors) > 1.6);
    CHECK(errors[0] < 1e-3); // 9 mm with backward Euler
}

LONG_TEST(a_rod_lands_on_a_patch_within_a_third_of_a_millimetre) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
        "materials:\n"
        "  soft: {young: 5 MPa, density: 1100, friction: 0.3,\n"
        "    contact: {patches: {modulus: 200 kPa, dissipation: 0, sectors: 16}}}\n"
        "  hard: {young: 1 GPa, density: 1000, friction: 0.3}\n"
        "bodies:\n"
        "  bar: {fixed: true, material: hard, shape: {cylinder: {radius: 20 mm, length: 0.1}},\n"
        "    at: [0.15, 0, -27.5 mm], rotate: [90 deg, 0, 0]}\n"
        "rods:\n"
        "  rod: {material: soft, section: {circle: {radius: 8 mm}},\n"
        "    shape: {line: {to: [0.4, 0, 0]}}, nodes: 13, clamped: start}\n";
    double errors[3];
    order_of("patch of a rod", text, 4e-3, 10, 5, 16, tip, errors);
    CHECK(errors[0] < 3e-4); // 9 mm with backward Euler; its landing costs some of the order
    CHECK(errors[2] < 0.5 * errors[0]);
}

static void grain(const World *w, double *x) {
    LitheParticlesId set = lithe_particles_find(w->model, "grain");
    memcpy(x, lithe_particles_position(w->model, w->state, set), 3 * sizeof *x);
}

TEST(a_grain_slides_on_a_curved_surface_with_second_order) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0, contact: {stiffness: 1e6, "
        "dissipation: 20 s/m}}}\n"
        "bodies:\n"
        "  dome: {fixed: true, material: m, shape: {sphere: {radius: 1}}, at: [0, 0, -1]}\n"
        "particles:\n"
        "  grain: {material: m, radius: 2 cm, at: [0, 0, 19.99967135 mm], velocity: [1, 0, 0]}\n";
    double errors[3];
    CHECK(order_of("sliding", text, 10e-3, 12, 5, 64, grain, errors) > 1.6);
    CHECK(errors[0] < 5e-4);
}

TEST(a_pendulum_on_a_tie_swings_with_second_order) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
        "materials: {m: {young: 1 GPa, density: 1000}}\n"
        "bodies: {post: {fixed: true, material: m, shape: {sphere: {radius: 1 cm}}}}\n"
        "particles: {grain: {material: m, radius: 2 cm, at: [0.5, 0, 0]}}\n"
        "constraints: {tie: {kind: distance, a: post, b: \"grain[0]\"}}\n";
    double errors[3];
    CHECK(order_of("tied", text, 10e-3, 20, 5, 32, grain, errors) > 1.6);
    CHECK(errors[0] < 1e-3);
}

static void handle(const World *w, double *x) {
    double pose[7];
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "handle"), pose);
    memcpy(x, pose + 4, 3 * sizeof *x);
}

TEST(a_free_body_tumbles_with_second_order_and_keeps_its_angular_momentum) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\ngravity: none\n"
        "materials: {m: {young: 1 GPa, density: 1000}}\n"
        "bodies: {handle: {material: m, shape: {box: {size: [4 cm, 10 cm, 20 cm]}}, "
        "spin: [0.2, 12, 0.1]}}\n";
    double errors[3];
    CHECK(order_of("tumbling", text, 8e-3, 10, 5, 32, handle, errors) > 1.6);
    World w = world_of(text, 1e-3);
    LitheVec3 a = lithe_angular_momentum(w.model, w.state);
    world_step(&w, 1000);
    LitheVec3 b = lithe_angular_momentum(w.model, w.state);
    LitheVec3 change = {b.x - a.x, b.y - a.y, b.z - a.z};
    printf("  angular momentum changed by %.2g in 1000 steps\n",
           vector_length(change) / vector_length(a));
    CHECK(vector_length(change) < 1e-4 * vector_length(a));
    world_end(&w);
}

// A plate that spins fast about its middle axis, with 7 and 36 degrees per step. Nothing touches
// it: its angular momentum and its energy stay.
TEST(a_free_body_that_spins_fast_keeps_angular_momentum_and_energy) {
    static const char *const text =
        "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\ngravity: none\n"
        "materials: {m: {young: 200 GPa, density: 7800}}\n"
        "bodies: {plate: {material: m, shape: {box: {size: [10 cm, 20 cm, 1 cm]}}, "
        "spin: [125.66, 0.1, 0.1]}}\n";
    static const double steps[] = {1e-3, 5e-3};
    for (int k = 0; k < 2; k++) {
        World w = world_of(text, steps[k]);
        LitheVec3 a = lithe_angular_momentum(w.model, w.state);
        double before = lithe_energy(w.model, w.state).kinetic;
        world_step(&w, 2000);
        LitheVec3 b = lithe_angular_momentum(w.model, w.state);
        double change = vector_length((LitheVec3){b.x - a.x, b.y - a.y, b.z - a.z});
        double energy = lithe_energy(w.model, w.state).kinetic;
        printf("  %g ms: angular momentum changed by %.2g, energy by %.2g\n", 1e3 * steps[k],
               change / vector_length(a), energy / before - 1);
        CHECK(change < 1e-9 * vector_length(a));
        CHECK_NEAR(energy, before, 1e-9 * before);
        world_end(&w);
    }
}

// --- energy --------------------------------------------------------------------------------------

// largest rise of the stored energy above any earlier value, over the largest kinetic or elastic
static double growth(const char *text, double step, int64_t steps) {
    World w = world_of(text, step);
    LitheEnergy start = lithe_energy(w.model, w.state);
    double lowest = INFINITY, largest = fmax(start.kinetic, start.elastic), rise = 0;
    for (int64_t i = 0; w.ok && i < steps; i++) {
        world_step(&w, 1);
        LitheEnergy e = lithe_energy(w.model, w.state);
        double now = e.kinetic + e.elastic + e.gravity;
        lowest = fmin(lowest, now);
        rise = fmax(rise, now - lowest);
        largest = fmax(largest, fmax(e.kinetic, e.elastic));
        CHECK(w.report.energy_gained == 0);
    }
    world_end(&w);
    return rise / largest;
}

LONG_TEST(steps_that_are_far_too_long_make_no_energy) {
    static const char *const texts[] = {
        CANTILEVER("1005.3096 N"),
        "lithe: 1\ntime: {step: %.17g s, end: 1000 s, scheme: tr-bdf2}\ngravity: none\n"
        "materials: {m: {young: 5 MPa, density: 1100}}\n"
        "rods: {rod: {material: m, section: {circle: {radius: 8 mm}}, nodes: 31,\n"
        "  shape: {helix: {radius: 10 cm, pitch: 30 cm, turns: 2}}, spin: [0, 3, 2], "
        "self-contact: false}}\n"};
    static const double steps[] = {5e-3, 50e-3, 0.5, 5};
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 4; k++) {
            double rise = growth(texts[t], steps[k], k == 0 ? 200 : 40);
            printf("  step %g s: the energy rises by %.2g of the largest\n", steps[k], rise);
            CHECK(rise < 1e-3);
        }
}

// the work that accelerates and brakes the driven clamp, its own mass included
TEST(the_work_of_a_driven_clamp_is_the_energy_that_it_gives) {
    World w =
        world_of("lithe: 1\ngravity: none\n"
                 "time: {step: 2 ms, end: 2 s, scheme: tr-bdf2}\n"
                 "materials: {steel: {young: 200 GPa, poisson: 0.3, density: 7850}}\n"
                 "rods: {rod: {material: steel, section: {circle: {radius: 5 mm}}, nodes: 51,\n"
                 "  shape: {line: {to: [1, 0, 0]}}}}\n"
                 "drives: {d: {on: rod.start, kind: clamp, direction: [0, 0, 1], motion: {kind: "
                 "smooth, table: [[0 s, 0], [0.5 s, 5 cm], [1 s, 0]]}}}\n");
    double off = 0, largest = 0;
    int32_t calmed = 0;
    for (int i = 0; w.ok && i < 1000; i++) {
        world_step(&w, 1);
        LitheEnergy e = lithe_energy(w.model, w.state);
        off = fmax(off, fabs(e.kinetic + e.elastic - e.work));
        largest = fmax(largest, e.kinetic + e.elastic);
        calmed += w.report.calmed + w.report.euler;
    }
    printf("  off by %.2g of the largest energy\n", off / largest);
    CHECK(off < 1e-3 * largest);
    CHECK(calmed == 0);
    world_end(&w);
}

TEST(a_velocity_that_the_user_sets_is_no_energy_from_nothing) {
    World w = world_of(CANTILEVER("1005.3096 N"), 5e-3);
    world_step(&w, 3);
    double *v = lithe_rod_v_writable(w.model, w.state, lithe_rod_find(w.model, "rod"));
    for (int64_t i = 1; i < 100; i++)
        v[4 * i + 1] += 2e-4 * (double)(i * i);
    double before = lithe_energy(w.model, w.state).kinetic;
    world_step(&w, 1);
    CHECK(w.report.calmed == 0 && w.report.euler == 0);
    CHECK(lithe_energy(w.model, w.state).kinetic > 0.8 * before);
    world_end(&w);
}

// --- momenta, the state --------------------------------------------------------------------------

static const char *const heap =
    "lithe: 1\ntime: {step: %.17g s, end: 10 s, scheme: tr-bdf2}\n"
    "materials: {m: {young: 5 MPa, density: 1100, friction: 0.4, contact: {stiffness: 1e5, "
    "dissipation: 2 s/m}}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
    "  box: {repeat: {i: 3}, material: m, shape: {box: {size: [0.1, 0.1, 0.1]}},\n"
    "    at: [0.03*i, 0.02*i, 0.06 + 0.13*i], rotate: {axis: [1, 1, 0], angle: 10 deg*i}}\n"
    "rods:\n"
    "  rod: {material: m, section: {circle: {radius: 5 mm}}, nodes: 21,\n"
    "    shape: {line: {from: [-0.3, 0.01, 0.5], to: [0.3, 0.02, 0.5]}}}\n"
    "particles: {grain: {material: m, radius: 2 cm, at: [0.05, 0.02, 0.6]}}\n";

TEST(the_state_alone_decides_how_a_run_goes_on_with_one_and_two_threads) {
    World a = world_of(heap, 2e-3), b = world_of(heap, 2e-3);
    for (int i = 0; i < 200 && a.ok && b.ok; i++) {
        world_step(&a, 1);
        if (i % 7 == 0) { // drop all scratch, and use two threads
            lithe_work_destroy(b.work);
            b.work = lithe_work_create(b.model, 1 + i % 2);
        }
        world_step(&b, 1);
    }
    CHECK(lithe_state_hash(a.state) == lithe_state_hash(b.state));
    CHECK(a.report.contacts > 0);
    world_end(&a);
    world_end(&b);
}

LONG_TEST(a_heap_of_all_kinds_comes_down_and_carries_its_weight) {
    World w = world_of(heap, 2e-3);
    world_step(&w, 1500);
    LitheEnergy e = lithe_energy(w.model, w.state);
    double up = 0, weight = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++) {
        LitheContactForce c = lithe_work_contact(w.work, i);
        bool floor = c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == 1;
        bool below = c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == 1;
        up += floor ? c.force.z : below ? -c.force.z : 0;
    }
    for (int32_t i = 0; i < w.model->unit_count; i++)
        weight += 9.81 * w.model->units[i].mass;
    printf("  kinetic energy %.2g J, force on the floor %.6f of the weight\n", e.kinetic,
           up / weight);
    CHECK(e.kinetic < 0.05); // what is round may roll on
    CHECK(fabs(up - weight) < 0.05 * weight);
    world_end(&w);
}

LONG_TEST(an_adaptive_run_holds_its_tolerance) {
    static const char *const text =
        "lithe: 1\ntime: {step: {adaptive: {min: 10 us, max: 20 ms, tolerance: 0.05 mm}}, end: 10 "
        "s, scheme: tr-bdf2}\n"
        "rods:\n"
        "  rod: {section: {stiffness: {EA: 1005.3096 N, EI: 0.016084954, GJ: 0.010723303, "
        "mass-per-length: 0.22116812, radius: 8 mm}},\n"
        "    shape: {line: {to: [1, 0, 0]}}, nodes: 101, clamped: start}\n";
    Track exact = run(CANTILEVER("1005.3096 N"), 0.2e-3, 1, 2500, tip);
    World w = world_of("%s", text);
    int32_t steps = 0;
    while (w.ok && lithe_state_time(w.state) < 0.5 - 1e-9 && steps < 20000) {
        world_step(&w, 1);
        steps++;
    }
    Track track = {.count = 1};
    tip(&w, track.x[0]);
    printf("  %d steps to %g s, tip %.3g mm off\n", (int)steps, lithe_state_time(w.state),
           1e3 * apart(&track, &exact));
    CHECK(steps < 500);
    CHECK(fabs(lithe_state_time(w.state) - 0.5) > 1e-9 || apart(&track, &exact) < 5e-3);
    world_end(&w);
}

// --- the first step ------------------------------------------------------------------------------

LONG_TEST(a_first_step_that_is_far_too_long_gains_no_energy) {
    World w =
        world_of("lithe: 1\n"
                 "time: {step: 1 s, end: 100 s, scheme: tr-bdf2}\n"
                 "bodies: {bob: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [1, 0, 0]}}\n"
                 "joints: {pin: {kind: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0],\n"
                 "  position: 0}}\n");
    FATAL(w.ok);
    LitheEnergy start = lithe_energy(w.model, w.state);
    double before = start.kinetic + start.gravity, largest = start.kinetic;
    for (int i = 0; i < 5 && w.ok; i++) {
        world_step(&w, 1);
        LitheEnergy now = lithe_energy(w.model, w.state);
        largest = fmax(largest, now.kinetic);
        CHECK(now.kinetic + now.gravity <= before + 1e-3 * largest);
    }
    world_end(&w);
}

TEST(an_overlap_at_the_start_gives_at_most_the_energy_of_its_spring) {
    for (int k = 0; k < 3; k++) {
        double depth = k == 0 ? 1e-3 : k == 1 ? 1e-2 : 4e-2;
        World w =
            world_of("lithe: 1\n"
                     "gravity: none\n"
                     "time: {step: %g, end: 100 s, scheme: tr-bdf2}\n"
                     "materials: {m: {young: 1 GPa, density: 1000,\n"
                     "  contact: {stiffness: 2e5, dissipation: 0}}}\n"
                     "bodies:\n"
                     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                     "  ball: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, %g]}\n",
                     k == 1 ? 20e-3 : 1e-3, 0.05 - depth);
        FATAL(w.ok);
        double stored = 0.5 * 1e5 * depth * depth;
        world_step(&w, 100);
        double kinetic = lithe_energy(w.model, w.state).kinetic;
        printf("  %g J of %g J\n", kinetic, stored);
        CHECK(kinetic > 0 && kinetic < 1.001 * stored);
        world_end(&w);
    }
}

// The first step knows no force of its start: without it, a spring that carries a weight would lose
// w = sqrt 2/4 of its impulse there, and kick what hangs on it.
TEST(a_weight_on_a_spring_stays_at_rest_from_the_first_step_on) {
    static const char *const ties[] = {
        "kind: distance, a: ball, b: {on: world, at: [0, 0, 1]}, length: 1, stiffness: 100 N/m",
        "kind: attach, a: ball, b: world, stiffness: 100 N/m"};
    for (int i = 0; i < 2; i++) {
        World w = world_of("lithe: 1\ntime: {step: 1 ms, scheme: tr-bdf2}\n"
                           "materials: {m: {young: 1 MPa, density: 1000}}\n"
                           "bodies:\n  ball: {material: m, shape: {sphere: {radius: 2 cm}}}\n"
                           "constraints:\n  spring: {%s}\n",
                           ties[i]);
        LitheError error = {0};
        CHECK(lithe_equilibrium(w.model, w.state, w.work, &w.report, &error) == LITHE_OK);
        double z = w.state->q[2];
        CHECK(z < -3e-3); // it hangs 3.3 mm deeper
        world_step(&w, 50);
        CHECK_NEAR(w.state->q[2], z, 1e-12);
        CHECK(lithe_energy(w.model, w.state).kinetic < 1e-24);
        world_end(&w);
    }
}
