// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_self.c - contact of the surface of a soft solid with itself

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"

#include <math.h>
#include <string.h>

#define MATERIALS \
    "materials:\n" \
    "  soft: {young: 50 kPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.3, damping: " \
    "{stiffness: 10 ms}}\n"

static Vec3 node(const World *w, int32_t index) {
    const LitheSolid *own = &w->model->solids[0];
    return v3_load(w->state->q + w->model->units[own->unit].q_at + 3 * (int64_t)index);
}

/// Height of the hollow of a tube along y at its middle, where it is lowest [m].
static double opening(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    double above = INFINITY, below = -INFINITY;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 rest = solid->mesh.nodes[i];
        double z = node(w, i).z, radius = hypot(rest.x, rest.z);
        if (radius > 0.022 || fabs(rest.x) > 0.008)
            continue;
        above = rest.z > 0 ? fmin(above, z) : above;
        below = rest.z < 0 ? fmax(below, z) : below;
    }
    return above - below;
}

/// A tube between two plates, of which the upper one comes down until the hollow is closed.
static World pressed_tube(const char *self) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {step: 5 ms, end: 1 s, scheme: "
        "backward-euler}\n" MATERIALS "solids: {ring: {material: soft, law: neo-hookean, "
        "self-contact: %s, quadratic: false, mesh: "
        "{tube: {radius: 3 cm, inner: 2 cm, length: 2 cm, resolution: 1 cm}}, rotate: "
        "[%g, 0, 0]}}\n"
        "bodies:\n"
        "  low: {fixed: true, material: soft, shape: {box: {size: [0.2, 0.2, 0.02]}}, "
        "at: [0, 0, -4 cm]}\n"
        "  high: {material: soft, shape: {box: {size: [0.2, 0.2, 0.02]}}, at: [0, 0, 4 "
        "cm]}\n"
        "pose-drives:\n"
        "  press: {body: high, path: [{time: 0 s, at: [0, 0, 4 cm]}, {time: 0.5 s, at: [0, "
        "0, -0.5 cm]}]}\n",
        self, M_PI / 2);
}

static int32_t own_contacts(const World *w, double *force) {
    int32_t count = 0;
    *force = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        bool own = f.contact.a.thing.kind == LITHE_THING_SOLID &&
                   f.contact.b.thing.kind == LITHE_THING_SOLID;
        count += own && vector_length(f.force) > 0;
        *force += own ? vector_length(f.force) : 0;
    }
    return count;
}

LONG_TEST(a_soft_ring_that_is_pressed_flat_closes_its_hollow_and_no_more) {
    for (int k = 0; k < 2; k++) {
        World w = pressed_tube(k ? "true" : "false");
        double force = 0;
        bool gone = w.ok && world_step(&w, 100);
        int32_t count = w.ok ? own_contacts(&w, &force) : 0;
        double open = w.ok ? opening(&w) : NAN;
        printf("  self-contact %s: %d contacts with itself, %.3g N, opening %.3g mm\n",
               k ? "on" : "off", (int)count, force, 1e3 * open);
        CHECK(gone && (count > 0) == (k == 1));
        CHECK(k ? fabs(open) < 1e-3 : open < -3e-3);
        world_end(&w);
    }
}

// the pressed ring after its walls have met
static uint64_t hash_after(int threads, bool drop, int32_t *touches) {
    World w = pressed_tube("true");
    double force;
    for (int32_t i = 0; w.ok && i < 90; i++) {
        if (i == 0 || (drop && i > 70)) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, threads);
        }
        world_step(&w, 1);
    }
    *touches = w.ok ? own_contacts(&w, &force) : 0;
    uint64_t hash = w.ok ? lithe_state_hash(w.state) : 0;
    world_end(&w);
    return hash;
}

LONG_TEST(self_contact_has_the_same_bits_for_two_threads_and_with_work_dropped) {
    int32_t touches, other;
    uint64_t hash = hash_after(1, false, &touches);
    CHECK(touches > 0);
    CHECK(hash == hash_after(2, false, &other));
    CHECK(hash == hash_after(1, true, &other));
}

TEST(a_compressed_block_does_not_touch_itself) {
    World w = world_of("lithe: 1\ngravity: none\ntime: {step: 20 ms, end: 1 s, scheme: "
                       "backward-euler}\n" MATERIALS
                       "solids: {plate: {material: soft, law: neo-hookean, self-contact: true, "
                       "mesh: {box: {size: [0.1, 0.1, 0.02], divisions: [4, 4, 1]}}}}\n"
                       "holds: {low: {on: plate.z-min}}\n"
                       "drives: {down: {kind: position, on: plate.z-max, direction: [0, 0, -1], "
                       "motion: {table: [[0 s, 0], [0.5 s, 16 mm]]}}}\n");
    for (int i = 0; i < 25 && world_step(&w, 1); i++)
        CHECK(lithe_work_contact_count(w.work) == 0);
    world_end(&w);
}

// --- a strip that is folded ----------------------------------------------------------------------

/// A strip whose end a bar carries over and lays on its other half, where it lets go of it; then a
/// slab is lowered onto the fold on a rope, which becomes slack.
static World folded_strip(const char *self) {
    return world_of(
        "lithe: 1\ntime: {scheme: backward-euler, step: 10 ms, end: 2 s}\n" MATERIALS
        "  steel: {young: 200 GPa, poisson: 0.3, density: 7800 kg/m^3, friction: 0.3}\n"
        "solids: {strip: {material: soft, law: neo-hookean, self-contact: %s, at: [8 cm, 0, 2 mm], "
        "mesh: {box: {size: [16 cm, 3 cm, 4 mm], divisions: [20, 2, 1]}}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
        "  bar: {material: steel, shape: {box: {size: [4 mm, 3 cm, 4 mm]}, mask: none}, "
        "at: [162 mm, 0, 2 mm]}\n"
        "  hook: {material: steel, shape: {sphere: {radius: 5 mm}, mask: none}, "
        "at: [34 mm, 0, 15 cm]}\n"
        "  slab: {material: steel, shape: {box: {size: [3 cm, 4 cm, 1 cm]}}, "
        "at: [34 mm, 0, 11 cm]}\n"
        "holds: {end: {on: strip.x-min}}\n"
        "constraints:\n"
        "  grip: {kind: attach, a: strip.x-max, b: bar, stiffness: 1e4 N/m, "
        "switch: {table: [[0 s, 1], [0.6 s, 1], [0.61 s, 0]]}}\n"
        "  hang: {kind: rope, a: slab, b: hook, length: 4 cm}\n"
        "pose-drives:\n"
        "  fold:\n"
        "    body: bar\n"
        "    path:\n"
        "      - {time: 0 s, at: [162 mm, 0, 2 mm]}\n"
        "      - {time: 0.15 s, at: [150 mm, 0, 50 mm], rotate: [0, -45 deg, 0]}\n"
        "      - {time: 0.3 s, at: [110 mm, 0, 80 mm], rotate: [0, -90 deg, 0]}\n"
        "      - {time: 0.45 s, at: [60 mm, 0, 60 mm], rotate: [0, -135 deg, 0]}\n"
        "      - {time: 0.6 s, at: [20 mm, 0, 7 mm], rotate: [0, -180 deg, 0]}\n"
        "  lower: {body: hook, kind: smooth, path: [{time: 0.4 s, at: [34 mm, 0, 15 cm]}, "
        "{time: 0.8 s, at: [34 mm, 0, 4 cm]}]}\n",
        self);
}

/// Height of the upper face of the half that lies on the floor, at x; the mean across the strip.
static double height_below(const World *w, double x) {
    const LitheSolid *solid = &w->model->solids[0];
    double low = -INFINITY, high = INFINITY, at_low = NAN, at_high = NAN;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 rest = solid->mesh.nodes[i], now = node(w, i);
        if (rest.z < 2e-3 || rest.x > 0.08 || fabs(rest.y) > 1e-6)
            continue;
        if (now.x <= x && now.x > low) {
            low = now.x;
            at_low = now.z;
        }
        if (now.x > x && now.x < high) {
            high = now.x;
            at_high = now.z;
        }
    }
    return at_low + (at_high - at_low) * (x - low) / (high - low);
}

/// How far the half that is folded over is above the other one, where it is lowest [m].
static double clearance(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    double least = INFINITY;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 rest = solid->mesh.nodes[i], now = node(w, i);
        if (rest.z > 2e-3 && rest.x > 0.11 && fabs(rest.y) < 1e-6)
            least = fmin(least, now.z - height_below(w, now.x));
    }
    return least;
}

/// Vertical force of the strip on a body [N]; on itself, of its lower half on the upper one: body
/// 0.
static double upward(const World *w, int32_t body) {
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        LitheThing a = f.contact.a.thing, b = f.contact.b.thing;
        if (!body && a.kind == LITHE_THING_SOLID && b.kind == LITHE_THING_SOLID)
            sum += fabs(f.force.z);
        else if (body && a.kind == LITHE_THING_BODY && a.number == body)
            sum -= f.force.z;
        else if (body && b.kind == LITHE_THING_BODY && b.number == body)
            sum += f.force.z;
    }
    return sum;
}

LONG_TEST(a_strip_folded_on_itself_carries_a_weight) {
    for (int k = 0; k < 2; k++) {
        World w = folded_strip(k ? "true" : "false");
        double deepest = INFINITY;
        for (int i = 0; w.ok && i < 150 && world_step(&w, 1); i++)
            deepest = i > 60 ? fmin(deepest, clearance(&w)) : deepest;
        double weight = 7800 * 0.03 * 0.04 * 0.01 * 9.81, own = 1000 * 0.16 * 0.03 * 0.004 * 9.81;
        double slab = upward(&w, lithe_body_find(w.model, "slab").number);
        double floor = -upward(&w, lithe_body_find(w.model, "floor").number);
        double self = upward(&w, 0);
        printf(
            "  self-contact %s: clearance %.3g mm; force on itself %.3g, on the slab %.4g (%.4g), "
            "on the floor %.4g (%.4g) N\n",
            k ? "on" : "off", 1e3 * deepest, self, slab, weight, floor, weight + own);
        CHECK(k ? deepest > -1e-4 : deepest < -3e-3);
        CHECK_NEAR(slab, weight, 0.02 * weight);
        CHECK_NEAR(floor, weight + own, 0.02 * (weight + own));
        // the loop of the fold carries the rest of the slab
        CHECK(k ? self > 0.7 * weight && self < weight + own : self == 0);
        CHECK(w.unconverged == 0);
        world_end(&w);
    }
}
