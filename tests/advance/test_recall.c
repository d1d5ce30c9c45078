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

// a soft box sticks to a tray that an actuator swings up
static const char carried[] =
    "lithe: 1\n"
    "time: {step: 10 ms, end: 10 s, scheme: %s}\n"
    "materials:\n"
    "  rubber: {young: 25 kPa, poisson: 0.4, density: 300 kg/m^3, friction: 1,\n"
    "           damping: {stiffness: 10 ms}}\n"
    "  skin: {young: 10 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 1}\n"
    "solids:\n"
    "  cake: {material: rubber, mesh: {box: {size: [10 cm, 10 cm, 4 cm], divisions: [5, 5, 2]}},\n"
    "         at: [30 cm, 0, 3 cm]}\n"
    "bodies:\n"
    "  tray: {material: skin, at: [30 cm, 0, 0], shape: {box: {size: [20 cm, 20 cm, 2 cm]}}}\n"
    "joints:\n"
    "  swing: {kind: revolute, child: tray, at: [0, 0, 0], axis: [0, -1, 0]}\n"
    "actuators:\n"
    "  lift: {joint: swing, kind: position, stiffness: 1e3 N m/rad, damping: 50 N m s/rad,\n"
    "         target: {kind: smooth, table: [[0 s, 0 deg], [1 s, 30 deg]]}}\n"
    "contact: {stick-speed: 1e-4 m/s}\n";

// iterations of 100 steps, and the velocities at their end; `recalls`: with what contacts recall
static int64_t run(const char *scene, const char *scheme, bool recalls, double *v, int64_t *count) {
    World w = world_of(scene, scheme);
    int64_t iterations = 0;
    for (int k = 0; w.ok && k < 100; k++) {
        int64_t slips = w.state->data + w.state->size - w.state->slips;
        if (!recalls)
            memset(w.state->slips, 0, (size_t)slips * sizeof(double));
        world_step(&w, 1);
        CHECK(w.report.contacts >= 4 || (scene == carried && k < 10)); // the box bounces first
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
        int64_t without = run(toppling, schemes[k], false, v[0], &count);
        int64_t with = run(toppling, schemes[k], true, v[1], &count);
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

TEST(contacts_of_soft_solids_recall_how_they_slid_and_their_forces) {
    static double v[2][1024];
    double largest = 0, off = 0;
    int64_t count;
    int64_t without = run(carried, "backward-euler", false, v[0], &count);
    int64_t with = run(carried, "backward-euler", true, v[1], &count);
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(v[0][i]));
        off = fmax(off, fabs(v[1][i] - v[0][i]));
    }
    printf("  %d iterations, %d without; velocities up to %.3g differ by %.2g\n", (int)with,
           (int)without, largest, off);
    CHECK(count > 100 && largest > 0.1);
    CHECK(with < 0.8 * (double)without);
    CHECK(off < 1e-3 * largest);
}

// `old`: the last layout without slips of such a scene
static void read_old_state(const char *scene, int32_t old) {
    World w = world_of(scene, "backward-euler");
    world_step(&w, 20);
    if (w.ok) {
        int64_t all = lithe_state_get_layout(w.model, w.state, LITHE_STATE_LAYOUT, NULL);
        int64_t size = lithe_state_get_layout(w.model, w.state, old, NULL);
        double *saved = malloc((size_t)all * sizeof(double));
        CHECK(size < all && w.state->slips[LITHE_SLIP_NAME] > 0);
        lithe_state_get_layout(w.model, w.state, old, saved);
        CHECK(!lithe_state_set_layout(w.model, LITHE_STATE_LAYOUT, saved, size, w.state));
        CHECK(w.state->slips[LITHE_SLIP_NAME] > 0);
        world_step(&w, 5);
        CHECK(lithe_state_set_layout(w.model, old, saved, size, w.state));
        CHECK(memcmp(w.state->data, saved, (size_t)size * sizeof(double)) == 0);
        CHECK(w.state->slips[LITHE_SLIP_NAME] == 0);
        free(saved);
    }
    world_step(&w, 5);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

TEST(a_state_without_slips_is_read_and_its_contacts_recall_nothing) {
    read_old_state(toppling, LITHE_STATE_LAYOUT_NO_SLIPS);
    read_old_state(carried, LITHE_STATE_LAYOUT_RIGID_SLIPS);
}
