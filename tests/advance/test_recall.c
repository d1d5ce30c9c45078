// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_recall.c - contacts recall how they slid: fewer iterations, the same motion

#include "data/state.h"
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// two legs with feet of capsules, which stick while the trunk topples over them
static const char toppling[] =
    "lithe: 1\n"
    "time: {step: 2 ms, end: 10 s, scheme: %s}\n"
    "materials:\n"
    "  stuff: {young: 1 MPa, density: 1000 kg/m^3, friction: 0.7,\n"
    "          contact: {stiffness: 1e5 N/m, dissipation: 5 s/m}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: stuff, shape: {half-space: {}}}\n"
    "  trunk: {material: stuff, at: [0, 0, 0.6], mass: 5 kg,\n"
    "          inertia: [0.1, 0.1, 0.05, 0, 0, 0], velocity: [0.3, 0.1, 0]}\n"
    "  left: {material: stuff, at: [0, 0.1, 0.05],\n"
    "         rotate: {axis: [0, 1, 0], angle: 90 deg},\n"
    "         shape: {capsule: {radius: 0.05, length: 0.2}}}\n"
    "  right: {material: stuff, at: [0, -0.1, 0.05],\n"
    "          rotate: {axis: [0, 1, 0], angle: 90 deg},\n"
    "          shape: {capsule: {radius: 0.05, length: 0.2}}}\n"
    "joints:\n"
    "  a: {kind: ball, parent: trunk, child: left,\n"
    "      at: [0, 0.1, 0.1], damping: 1 N m s}\n"
    "  b: {kind: ball, parent: trunk, child: right,\n"
    "      at: [0, -0.1, 0.1], damping: 1 N m s}\n";

// iterations of 100 steps, and the velocities at their end; `recalls`: with what contacts recall
static int64_t topple(const char *scheme, bool recalls, double *v, int64_t *count) {
    World w = world_of(toppling, scheme);
    int64_t iterations = 0;
    for (int k = 0; w.ok && k < 100; k++) {
        int64_t slips = w.state->data + w.state->size - w.state->slips;
        if (!recalls)
            memset(w.state->slips, 0, (size_t)slips * sizeof(double));
        world_step(&w, 1);
        CHECK(w.report.contacts >= 4);
        iterations += w.report.solve_iterations;
    }
    *count = w.ok ? w.model->v_count : 0;
    if (w.ok)
        memcpy(v, w.state->v, (size_t)*count * sizeof(double));
    CHECK(w.unconverged == 0);
    world_end(&w);
    return iterations;
}

TEST(contacts_that_recall_how_they_slid_take_fewer_iterations_to_the_same_motion) {
    static const char *schemes[] = {"backward-euler", "tr-bdf2"};
    for (int k = 0; k < 2; k++) {
        double v[2][64], largest = 0, off = 0;
        int64_t count;
        int64_t without = topple(schemes[k], false, v[0], &count);
        int64_t with = topple(schemes[k], true, v[1], &count);
        for (int64_t i = 0; i < count; i++) {
            largest = fmax(largest, fabs(v[0][i]));
            off = fmax(off, fabs(v[1][i] - v[0][i]));
        }
        printf("  %s: %d iterations, %d without; velocities up to %.3g differ by %.2g\n",
               schemes[k], (int)with, (int)without, largest, off);
        CHECK(count > 6 && largest > 0.1);
        CHECK(with < 0.8 * (double)without);
        CHECK(off < 1e-4 * largest);
    }
}

TEST(a_state_without_slips_is_read_and_its_contacts_recall_nothing) {
    World w = world_of(toppling, "backward-euler");
    world_step(&w, 20);
    if (w.ok) {
        int64_t all = lithe_state_get_layout(w.model, w.state, LITHE_STATE_LAYOUT, NULL);
        int64_t size = lithe_state_get_layout(w.model, w.state, LITHE_STATE_LAYOUT_NO_SLIPS, NULL);
        double *saved = malloc((size_t)all * sizeof(double));
        CHECK(size < all && w.state->slips[LITHE_SLIP_NAME] > 0);
        lithe_state_get_layout(w.model, w.state, LITHE_STATE_LAYOUT_NO_SLIPS, saved);
        CHECK(!lithe_state_set_layout(w.model, LITHE_STATE_LAYOUT, saved, size, w.state));
        CHECK(w.state->slips[LITHE_SLIP_NAME] > 0);
        world_step(&w, 5);
        CHECK(lithe_state_set_layout(w.model, LITHE_STATE_LAYOUT_NO_SLIPS, saved, size, w.state));
        CHECK(memcmp(w.state->data, saved, (size_t)size * sizeof(double)) == 0);
        CHECK(w.state->slips[LITHE_SLIP_NAME] == 0);
        free(saved);
    }
    world_step(&w, 5);
    CHECK(w.unconverged == 0);
    world_end(&w);
}
