// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_apex.c - corners and tips of shapes on the convex edges of soft surfaces

#include "test.h"

#include "advance/world.h"
#include "data/contacts.h"
#include "data/model.h"
#include "data/state.h"
#include "geom/distance.h"

#include <math.h>

#define SIDE 0.1               // of the block [m]
#define RIDGE (SIDE / M_SQRT2) // height of its upper edge, which is along x [m]

typedef struct Tip {
    const char *shape; // its apex is at the origin, and points down
    const char *name;
} Tip;

// half angles of 20, 35 and 60 degrees, and corners of boxes
static const Tip tips[] = {
    {"{convex: {points: [[0, 0, 0], [14.6e-3, 0, 0.04], [-14.6e-3, 0, 0.04], [0, 14.6e-3, 0.04], "
     "[0, -14.6e-3, 0.04]]}}",
     "pyramid of 20 degrees"},
    {"{convex: {points: [[0, 0, 0], [0.02, 0.02, 0.04], [-0.02, 0.02, 0.04], [0.02, -0.02, 0.04], "
     "[-0.02, -0.02, 0.04]]}}",
     "pyramid of 35 degrees"},
    {"{convex: {points: [[0, 0, 0], [0.07, 0, 0.04], [-0.07, 0, 0.04], [0, 0.07, 0.04], [0, -0.07, "
     "0.04]]}}",
     "pyramid of 60 degrees"},
    {"{box: {size: [0.05, 0.05, 0.05]}, at: [0, 0, 0.0433012701892219], rotate: "
     "[0.67551085885604, -0.67551085885604, 0]}",
     "corner of a box"},
};
enum { TIPS = sizeof tips / sizeof *tips };

static World on_ridge(const Tip *tip, int cells, Vec3 at, double yaw, double lean,
                      const char *more) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
        "materials:\n"
        "  soft: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0.5}\n"
        "  hard: {young: 1 GPa, poisson: 0.3, density: 2000, friction: 0.5}\n"
        "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, "
        "%d]}}, rotate: [45 deg, 0, 0]}}\n"
        "holds: {low: {on: block.z-min}}\n"
        "bodies: {tip: {%s, material: hard, at: [%.17g, %.17g, %.17g], rotate: [0, %.17g, "
        "%.17g], shape: %s}}\n",
        cells, cells, cells, more, at.x, at.y, at.z, lean, yaw, tip->shape);
}

typedef struct Push {
    double overlap; // the least way that separates block and tip [m]
    double deepest; // of the contacts [m]
    Vec3 force;     // on the block, by the overlaps [N]
} Push;

static Push push_of(World *w) {
    Push push = {0};
    LitheContacts *found = lithe_contacts_create(w->context);
    LitheError error;
    if (w->ok && CHECK(lithe_find_contacts(w->model, w->state, 0, found, &error) == LITHE_OK)) {
        LithePose turned;
        LitheGeom block = lithe_geom_bar(v3(-0.5 * SIDE, 0, 0), v3(0.5 * SIDE, 0, 0), v3(0, 1, 1),
                                         SIDE, SIDE, &turned);
        LitheClosest near;
        lithe_geom_distance(&w->model->geoms[0].geom, &found->poses[0], &block, &turned, &near);
        push.overlap = -near.distance;
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            push.deepest = fmax(push.deepest, -c->gap);
            push.force = v3_axpy(-c->stiffness * fmin(c->gap, 0), c->normal, push.force);
        }
    }
    lithe_contacts_destroy(found);
    return push;
}

LONG_TEST(a_tip_that_comes_down_on_a_convex_edge_touches_it) {
    TestRandom r = {7};
    for (int k = 0; k < TIPS; k++) {
        int trials = TEST_SANITIZED ? 20 : 300, lost = 0, far = 0;
        double least = INFINITY, most = 0;
        for (int trial = 0; trial < trials; trial++) {
            Vec3 at = {test_random(&r, -0.03, 0.03), test_random(&r, -2e-4, 2e-4), 0};
            at.z = RIDGE - fabs(at.y) - test_random(&r, 2e-5, 1e-3);
            World w = on_ridge(&tips[k], 1 + trial % 3, at, test_random(&r, -M_PI, M_PI),
                               test_random(&r, -0.3, 0.3), "fixed: true");
            Push push = push_of(&w);
            double ratio = push.deepest / push.overlap;
            lost += push.deepest == 0;
            far += !(ratio > 0.5 && ratio < 2);
            least = fmin(least, ratio);
            most = fmax(most, ratio);
            world_end(&w);
        }
        printf("  %s: %d of %d lost, overlap %.3g to %.3g times the least way out\n", tips[k].name,
               lost, trials, least, most);
        CHECK(lost == 0);
        CHECK(far <= (trials + 49) / 50); // two per cent, rounded up
    }
}

// The tip is carried over the edge, 0.2 mm below the faces. Its push turns from one face to the
// other: it neither fails nor jumps on the way.
TEST(the_push_on_a_sharp_tip_turns_over_the_edge_without_a_jump) {
    for (int k = 0; k < 2; k++) {
        Vec3 last = {0};
        double least = INFINITY, most = 0, jump = 0;
        int steps = TEST_SANITIZED ? 100 : 400;
        for (int i = 0; i <= steps; i++) {
            double y = 1e-3 * (2.0 * i / steps - 1);
            World w = on_ridge(&tips[k], 2, v3(0.011, y, RIDGE - fabs(y) - 2.8e-4), 0.4, 0.02,
                               "fixed: true");
            Push push = push_of(&w);
            least = fmin(least, v3_norm(push.force));
            most = fmax(most, v3_norm(push.force));
            if (i > 0)
                jump = fmax(jump, v3_distance(push.force, last));
            last = push.force;
            world_end(&w);
        }
        printf("  %s: %.3g to %.3g N, from place to place %.3g of it\n", tips[k].name, least, most,
               jump / most);
        CHECK(least > 0.3 * most);
        CHECK(jump < 30.0 / steps * most);
    }
}

// It falls at 1 m/s beside the edge, is deflected by the face, and slides off: without a contact it
// falls to 21 mm below the edge in this time.
TEST(a_tip_that_falls_on_an_edge_is_deflected_and_gains_no_energy) {
    for (int k = 0; k < TIPS; k++) {
        World w =
            on_ridge(&tips[k], 2, v3(0.011, 1e-5, RIDGE + 1e-3), 0.4, 0,
                     "mass: 10 g, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0], velocity: [0, 0, -1]");
        double deepest = 0, most = 0;
        for (int i = 0; i < (TEST_SANITIZED ? 10 : 60) && CHECK(world_step(&w, 1)); i++) {
            LitheEnergy energy = lithe_energy(w.model, w.state);
            deepest = fmax(deepest, push_of(&w).overlap); // with the block as it was
            most = fmax(most, energy.kinetic + energy.elastic);
        }
        printf("  %s: at most %.3g mm in the block, energy at most %.6g of the first\n",
               tips[k].name, 1e3 * deepest, most / 5e-3);
        CHECK(deepest < 2e-3);
        CHECK(most < 5e-3 * (1 + 1e-9));
        world_end(&w);
    }
}
