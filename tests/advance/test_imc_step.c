// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_imc_step.c - steps of rods under the contact models imc and spt

#include "advance/world.h"

// a rope over a post, held by `light` and pulled by `heavy` [N]
static World hung(double mu, double light, double heavy, double step, const char *imc) {
    return world_of(
        "lithe: 1\n"
        "time: {step: %.17g, end: 100 s}\n"
        "gravity: none\n"
        "contact: {model: imc%s}\n"
        "materials:\n"
        "  cord: {young: 1 MPa, poisson: 0.5, density: 1000, friction: %.17g}\n"
        "  steel: {young: 200 GPa, poisson: 0.3, density: 8000, friction: %.17g}\n"
        "rods:\n"
        "  rope: {material: cord, nodes: 81, section: {stiffness: {EA: 1000 N, EI: 1e-6,\n"
        "    GJ: 1e-6, mass-per-length: 0.01, radius: 2 mm, damping: {mass: 100}}},\n"
        "    shape: {path: {pieces: [{straight: 80 mm}, {turn: 180 deg, radius: 12 mm},"
        " {straight: 80 mm}]}}}\n"
        "  post: {material: steel, section: {circle: {radius: 10 mm}}, nodes: 5,\n"
        "    shape: {line: {from: [80 mm, 12 mm, -40 mm], to: [80 mm, 12 mm, 40 mm]}},\n"
        "    clamped: both}\n"
        "holds:\n" // it would roll along the post
        "  start: {on: rope.start, hold: [y, z]}\n"
        "  end: {on: rope.end, hold: [y, z]}\n"
        "forces:\n"
        "  light: {on: rope.start, force: [%.17g, 0, 0]}\n"
        "  heavy: {on: rope.end, force: [%.17g, 0, 0]}\n",
        step, imc, mu, mu, -light, -heavy);
}

// displacement of the heavy end
static double way_of_end(const World *w) {
    LitheRodId rope = lithe_rod_find(w->model, "rope");
    int32_t last = lithe_rod_node_count(w->model, rope) - 1;
    return -lithe_rod_q(w->model, w->state, rope)[4 * last];
}

// At first only the heavy side of the rope slides, at the stick speed; later all of it creeps, at
// less than half of that.
LONG_TEST(a_rope_over_a_post_at_half_its_capstan_limit_creeps_below_the_stick_speed_for_a_minute) {
    double mu = 0.3, limit = exp(mu * M_PI), light = 1;
    double e = lithe_contact_def_default().imc.stick_speed;
    World w = hung(mu, light, light * (1 + 0.5 * (limit - 1)), 20e-3, "");
    CHECK(e <= 1e-5);
    bool ok = w.ok && world_step(&w, 300);
    for (int i = 0; ok && i < 10; i++) {
        double before = way_of_end(&w);
        ok = world_step(&w, 300);
        CHECK((way_of_end(&w) - before) / 6 < e);
        CHECK(way_of_end(&w) - before > 0);
    }
    CHECK(w.report.contacts > 5);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

TEST(a_rope_over_a_post_beyond_its_capstan_limit_slides) {
    double mu = 0.3, limit = exp(mu * M_PI), light = 1;
    World w = hung(mu, light, light * 1.5 * limit, 1e-3, ", imc: {stick-speed: 1e-4}");
    double before = way_of_end(&w);
    if (w.ok && world_step(&w, 100))
        CHECK(way_of_end(&w) - before > 0.02);
    world_end(&w);
}

// Friction of the paper has the direction of the last step. A rope that should rest, and one that
// slides with steps that are too long, are driven to and fro by it, which is reported.
LONG_TEST(friction_that_does_not_oppose_the_sliding_is_reported) {
    double mu = 0.3, limit = exp(mu * M_PI);
    static const char *const laws[] = {"paper", "static", "centreline"};
    for (int k = 0; k < 4; k++) {
        char imc[64];
        snprintf(imc, sizeof imc, ", imc: {friction: %s}", laws[k % 3]);
        bool slides = k == 3;
        World w = hung(mu, 1, slides ? 1.5 * limit : 1 + 0.5 * (limit - 1), 1e-4, imc);
        double largest = 0;
        int32_t unsettled = 0;
        for (int i = 0; w.ok && i < 200; i++) {
            world_step(&w, 1);
            largest = i < 100 ? 0 : fmax(largest, w.report.friction_astray);
            unsettled += i >= 100 && w.report.friction_unsettled;
        }
        printf("  %s, %s: %.3g of friction astray, %d of 100 steps\n", laws[k % 3],
               slides ? "slides" : "rests", largest, (int)unsettled);
        CHECK(k == 0 ? largest > 0.1 && unsettled > 0 : largest < 0.01 && unsettled == 0);
        world_end(&w);
    }
}

// two crossed rods fly towards each other, rotating about their axes
static World crossed(const char *model, const char *friction, double step) {
    return world_of(
        "lithe: 1\n"
        "time: {step: %.17g, end: 1 s}\n"
        "gravity: none\n"
        "contact: {model: %s, tolerance: 1e-10, imc: {friction: %s}}\n"
        "materials: {rubber: {young: 1 MPa, poisson: 0.5, density: 1000,\n"
        "  friction: 0.3}}\n"
        "rods:\n"
        "  a: {material: rubber, section: {circle: {radius: 4 mm}}, nodes: 11,\n"
        "    shape: {line: {from: [-100 mm, 0, 0], to: [100 mm, 0, 0]}},\n"
        "    velocity: [0.02, 0.05, 0.1]}\n"
        "  b: {material: rubber, section: {circle: {radius: 3 mm}}, nodes: 12,\n"
        "    shape: {line: {from: [20 mm, -90 mm, 10 mm], to: [30 mm, 90 mm, 10 mm]}},\n"
        "    velocity: [0.01, 0, -0.1]}\n",
        step, model, friction);
}

static void keeps_momentum(const char *model, const char *friction) {
    World w = crossed(model, friction, 5e-4);
    int64_t touched = 0;
    if (w.ok) {
        LitheVec3 before = lithe_momentum(w.model, w.state), after = before;
        for (int i = 0; i < 120 && world_step(&w, 1); i++)
            touched += w.report.contacts;
        after = lithe_momentum(w.model, w.state);
        CHECK_NEAR(after.x, before.x, 1e-10 * fabs(before.z) + 1e-14);
        CHECK_NEAR(after.y, before.y, 1e-10 * fabs(before.z) + 1e-14);
        CHECK_NEAR(after.z, before.z, 1e-10 * fabs(before.z) + 1e-14);
        CHECK(touched > 20);
        // they bounce off each other
        CHECK(lithe_rod_v(w.model, w.state, lithe_rod_find(w.model, "a"))[4 * 5 + 2] < 0.05);
    }
    world_end(&w);
}

TEST(rods_that_collide_keep_their_momentum) {
    keeps_momentum("imc", "static");
    keeps_momentum("imc", "paper");
    keeps_momentum("spt", "static");
}

// relative change of the angular momentum in a collision
static double turned(const char *friction) {
    World w = crossed("imc", friction, 2e-4);
    double away = NAN;
    if (w.ok) {
        LitheVec3 a = lithe_angular_momentum(w.model, w.state), b;
        world_step(&w, 300);
        b = lithe_angular_momentum(w.model, w.state);
        away = sqrt(pow(b.x - a.x, 2) + pow(b.y - a.y, 2) + pow(b.z - a.z, 2)) /
               sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    }
    world_end(&w);
    return away;
}

// backward Euler itself loses a little angular momentum where velocities change
TEST(static_friction_keeps_angular_momentum_and_that_of_the_paper_does_not) {
    CHECK(turned("static") < 1e-3);
    CHECK(turned("paper") > 1e-2);
}

static uint64_t hash_after(const char *model, const char *friction, bool drop) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1 s}\n"
                       "gravity: none\n"
                       "contact: {model: %s, imc: {friction: %s}}\n"
                       "materials: {rubber: {young: 0.18 MPa, poisson: 0.5, density: 1180,\n"
                       "  friction: 0.1}}\n"
                       "rods:\n"
                       "  rope: {material: rubber, section: {circle: {radius: 3 mm}}, nodes: 101,\n"
                       "    shape: {overhand-knot: {unknotting: 1, length: 0.6 m}}, drag: 0.01}\n"
                       "drives:\n"
                       "  left: {on: rope.start, direction: [-1, 0, 0], speed: 0.2}\n"
                       "  right: {on: rope.end, direction: [1, 0, 0], speed: 0.2}\n",
                       model, friction);
    int64_t contacts = 0;
    for (int i = 0; i < 150 && w.ok; i++) {
        if (drop) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, 1);
        }
        world_step(&w, 1);
        contacts += w.report.contacts;
    }
    CHECK(contacts > 500);
    uint64_t hash = w.ok ? lithe_state_hash(w.state) : 0;
    world_end(&w);
    return hash;
}

LONG_TEST(steps_of_imc_and_spt_have_the_same_bits_with_scratch_dropped) {
    CHECK(hash_after("imc", "static", false) == hash_after("imc", "static", true));
    CHECK(hash_after("imc", "paper", false) == hash_after("imc", "paper", true));
    CHECK(hash_after("spt", "static", false) == hash_after("spt", "static", true));
}

TEST(contacts_can_be_read_and_push_what_they_touch_apart) {
    World w = crossed("imc", "static", 5e-4);
    double max = 0;
    for (int i = 0; i < 80 && world_step(&w, 1); i++)
        for (int32_t k = 0; k < lithe_work_contact_count(w.work); k++) {
            LitheContactForce f = lithe_work_contact(w.work, k);
            CHECK(f.normal >= 0);
            // b lies above a
            CHECK(f.force.z >= -0.31 * f.normal);
            max = fmax(max, f.force.z);
        }
    CHECK(max > 1e-3);
    world_end(&w);
}

TEST(a_step_without_memory_says_so_and_leaves_the_state) {
    World w = crossed("imc", "static", 5e-4);
    world_step(&w, 20);
    for (int n = 1; w.ok && n < 40; n++) {
        LitheWork *work = lithe_work_create(w.model, 1);
        uint64_t before = lithe_state_hash(w.state);
        LitheError error;
        lithe_context_fail_at(w.context, n);
        LitheStatus status = lithe_step(w.model, w.state, work, NULL, &error);
        lithe_context_fail_at(w.context, 0);
        CHECK(status == LITHE_OK || (status == LITHE_NO_MEMORY && error.status == status));
        if (status != LITHE_OK)
            CHECK(lithe_state_hash(w.state) == before);
        lithe_work_destroy(work);
        if (status == LITHE_OK)
            break;
        CHECK(n < 39);
    }
    world_end(&w);
}
