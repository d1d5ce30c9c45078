// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_thread_forks.c - threads share the work of large worlds and leave small ones
// to the caller

#include "advance/world.h"
#include "data/work.h"

#define RINGS \
    "lithe: 1\n" \
    "time: {step: 0.8 ms, end: 1 s, scheme: backward-euler}\n" \
    "materials:\n" \
    "  rubber: {young: 10 MPa, density: 500 kg/m^3, damping: {mass: 10 1/s}, friction: 0.1}\n" \
    "rods:\n" \
    "  ring:\n" \
    "    repeat: {i: %d}\n" \
    "    material: rubber\n" \
    "    section: {circle: {radius: 1.25 mm}}\n" \
    "    shape:\n" \
    "      ring:\n" \
    "        radius: 10 mm\n" \
    "        rotate: {axis: [cos(90 deg*i)^2, sin(90 deg*i)^2, 0], angle: 90 deg}\n" \
    "        at: [0, 0, -17.4 mm*i]\n" \
    "    natural: {from: shape}\n" \
    "    nodes: 20\n" \
    "holds:\n" \
    "  lower: {repeat: {k: 10}, on: \"ring/0[k + 10]\"}\n"

#define BOXES \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 1 s, scheme: %s}\n" \
    "materials: {wood: {young: 10 MPa, density: 500, friction: 0.4}}\n" \
    "bodies:\n" \
    "  box:\n" \
    "    repeat: {i: 100}\n" \
    "    material: wood\n" \
    "    shape: {box: {size: [0.1, 0.1, 0.1]}}\n" \
    "    at: [0.2*i, 0, 0.05]\n" \
    "  floor: {shape: {half-space: {}}, fixed: true, material: wood}\n"

#define ROPE \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 1 s, scheme: %s}\n" \
    "materials: {rope: {young: 1 MPa, density: 1000, friction: 0.4}}\n" \
    "rods:\n" \
    "  rope:\n" \
    "    material: rope\n" \
    "    section: {circle: {radius: 4 mm}}\n" \
    "    shape: {line: {from: [0, 0, 4 mm], to: [1, 0, 4 mm]}}\n" \
    "    nodes: 100\n" \
    "bodies:\n" \
    "  floor: {shape: {half-space: {}}, fixed: true, material: rope}\n"

// jobs that two threads shared in a few steps
static int64_t forks_of(World *w, int32_t *contacts) {
    // as users have it: tests share all jobs
    lithe_set_fork_cost(LITHE_FORK_COST);
    lithe_work_destroy(w->work);
    w->work = w->ok ? lithe_work_create(w->model, 2) : NULL;
    lithe_set_fork_cost(0);
    world_step(w, 10);
    *contacts = w->report.contacts;
    int64_t forks = w->ok ? lithe_pool_forks(w->work->pool) : -1;
    world_end(w);
    return forks;
}

TEST(threads_share_no_job_of_a_rope_of_a_hundred_nodes) {
    const char *schemes[] = {"backward-euler", "tr-bdf2"};
    for (int i = 0; i < 2; i++) {
        int32_t contacts = 0;
        World w = world_of(ROPE, schemes[i]);
        CHECK(forks_of(&w, &contacts) == 0);
        CHECK(contacts > 50);
    }
}

TEST(threads_share_no_job_of_a_hundred_boxes) {
    const char *schemes[] = {"backward-euler", "tr-bdf2"};
    for (int i = 0; i < 2; i++) {
        int32_t contacts = 0;
        World w = world_of(BOXES, schemes[i]);
        CHECK(forks_of(&w, &contacts) == 0);
        CHECK(contacts >= 400);
    }
}

TEST(threads_share_jobs_of_a_long_chain_and_none_of_a_short_one) {
    int32_t contacts = 0;
    World small = world_of(RINGS, 4), large = world_of(RINGS, 200);
    CHECK(forks_of(&small, &contacts) == 0);
    CHECK(forks_of(&large, &contacts) > 10);
}

#define BEAMS \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 1 s, scheme: %s}\n" \
    "materials: {gel: {young: 100 kPa, poisson: 0.4, density: 1000}}\n" \
    "solids:\n" \
    "  beam:\n" \
    "    repeat: {i: %d}\n" \
    "    material: gel\n" \
    "    mesh: {box: {size: [10 cm, 2 cm, 2 cm], divisions: [12, 2, 2]}}\n" \
    "    quadratic: true\n" \
    "    at: [0, 0.2*i, 0]\n" \
    "holds: {end: {repeat: {i: %d}, on: \"beam/{i}.x-min\"}}\n"

// A factor of such a beam is large enough to be shared. Of several beams it must not be: each is
// already a task of the pool, which cannot be entered twice.
LONG_TEST(threads_share_the_factor_of_one_solid_or_several_solids_with_the_same_bits) {
    const char *schemes[] = {"backward-euler", "midpoint", "tr-bdf2", "static"};
    for (int i = 0; i < 8; i++) {
        uint64_t hash[2] = {0, 1};
        int count = 1 + i / 4;
        for (int threads = 1; threads <= 2; threads++) {
            World w = world_of(BEAMS, schemes[i % 4], count, count);
            lithe_work_destroy(w.work);
            w.work = w.ok ? lithe_work_create(w.model, threads) : NULL;
            world_step(&w, 2);
            hash[threads - 1] = w.ok ? lithe_state_hash(w.state) : 0;
            CHECK(threads == 1 || lithe_pool_forks(w.work->pool) > 0);
            world_end(&w);
        }
        CHECK(hash[0] == hash[1]);
    }
}
