// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_idle.c - contacts of solids that stay open take no part in the matrix

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"
#include "data/system.h"
#include "data/work.h"

#include <math.h>
#include <string.h>

// A soft ball, `high` above a floor.
static World ball(const char *high, const char *friction, const char *contact) {
    return world_of("lithe: 1\ntime: {scheme: backward-euler, step: 10 ms, end: 1 s}\n"
                    "materials: {m: {young: 30 kPa, poisson: 0.3, density: 500 kg/m^3, friction: "
                    "%s, damping: {stiffness: 5 ms}}}\n"
                    "solids: {it: {material: m, quadratic: false, mesh: {sphere: {radius: 5 cm, "
                    "resolution: 1.5 cm}}, "
                    "at: [0, 0, %s], velocity: [0.2 m/s, 0, 0]}}\n"
                    "bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}\n"
                    "contact: {tolerance: 1e-9, %s}\n",
                    friction, high, contact);
}

typedef struct Count {
    int32_t all, idle, acting, idle_acting;
} Count;

static Count count(const World *w) {
    const LitheSystem *s = w->work->system;
    Count n = {0};
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        n.all++;
        n.idle += c->idle;
        n.acting += c->impulse[2] > 0;
        n.idle_acting += c->idle && c->impulse[2] > 0;
    }
    return n;
}

// whether the matrix has blocks between all nodes of a coupling
static bool has_blocks(const LitheSystem *s, const LitheCoupling *c) {
    for (int32_t a = 0; a < c->node_count; a++)
        for (int32_t b = 0; b < c->node_count; b++)
            if (c->node[a] > c->node[b] && lithe_block_find(s->matrix, c->node[a], c->node[b]) < 0)
                return false;
    return true;
}

// With a margin twenty times as wide every contact of the other run is within the fraction of it in
// which none is idle. Bounds of friction are lagged, with an error of their own (V27).
static void compare(const char *friction, double tolerance) {
    World w = ball("5.3 cm", friction, "margin: 4 mm");
    World all = ball("5.3 cm", friction, "margin: 80 mm");
    Count most = {0};
    double apart = 0, fastest = 0;
    for (int k = 0; k < 30 && world_step(&w, 1) && world_step(&all, 1); k++) {
        Count n = count(&w);
        most = n.idle > most.idle ? n : most;
        CHECK(n.idle_acting == 0);
        for (int64_t i = 0; i < w.model->v_count; i++) {
            apart = fmax(apart, fabs(w.state->v[i] - all.state->v[i]));
            fastest = fmax(fastest, fabs(w.state->v[i]));
        }
    }
    printf("  %d contacts, %d act, %d are idle; velocities differ by %.2g of %.2g m/s\n",
           (int)most.all, (int)most.acting, (int)most.idle, apart, fastest);
    CHECK(most.idle > 5 && most.acting > 0);
    CHECK(apart < tolerance * fastest);
    CHECK(w.unconverged == 0 && all.unconverged == 0);
    world_end(&w);
    world_end(&all);
}

TEST(contacts_that_stay_open_change_nothing) {
    compare("0", 1e-9);
    compare("0.5", 1e-3);
}

// It falls by half of the margin in its first step, from a gap that is a quarter of it: idle by its
// velocity, which is along the floor.
TEST(an_idle_contact_that_closes_wakes_all) {
    World w = ball("5.05 cm", "0.5", "margin: 1.962 mm"),
          free = ball("5.2 cm", "0.5", "margin: 1.962 mm");
    if (world_step(&w, 1) && world_step(&free, 1)) {
        const LitheSystem *s = w.work->system;
        Count n = count(&w), off = count(&free);
        printf("  %d contacts, %d act, %d are idle; higher up %d, %d\n", (int)n.all, (int)n.acting,
               (int)n.idle, (int)off.all, (int)off.idle);
        CHECK(n.acting > 0 && n.idle == 0);
        for (int32_t i = 0; i < s->coupling_count; i++)
            CHECK(has_blocks(s, &s->couplings[i]));
        CHECK(off.acting == 0 && off.idle == off.all);
    }
    CHECK(w.unconverged == 0);
    world_end(&w);
    world_end(&free);
}

// scratch that is dropped, and the bits
TEST(waking_leaves_nothing_to_the_next_step) {
    World w = ball("5.05 cm", "0.5", "margin: 1.962 mm"),
          dropped = ball("5.05 cm", "0.5", "margin: 1.962 mm");
    for (int k = 0; k < 10 && world_step(&w, 1); k++) {
        lithe_work_destroy(dropped.work);
        dropped.work = lithe_work_create(dropped.model, 1);
        if (!world_step(&dropped, 1))
            break;
        CHECK(memcmp(w.state->data, dropped.state->data, (size_t)w.state->size * sizeof(double)) ==
              0);
    }
    world_end(&w);
    world_end(&dropped);
}
