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
        "backward-euler}\n" MATERIALS
        "solids: {ring: {material: soft, law: neo-hookean, self-contact: %s, mesh: "
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
