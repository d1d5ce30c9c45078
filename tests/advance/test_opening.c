// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_opening.c - a contact that opens within a step has no friction in it

#include "world.h"

// a ball that overlaps the ground, slides and leaves it
static World leaving(const char *scheme, double up) {
    return world_of("lithe: 1\n"
                    "time: {step: 2 ms, end: 1 s, scheme: %s}\n"
                    "gravity: [0, 0, 0]\n"
                    "materials: {m: {young: 1e7, density: 1000, friction: 0.5, contact: "
                    "{stiffness: 1e6 N/m, dissipation: 0}}}\n"
                    "bodies:\n"
                    "  ground: {fixed: true, shape: {half-space: {}}, material: m}\n"
                    "  ball: {shape: {sphere: {radius: 0.1}}, material: m, at: [0, 0, 0.0999],\n"
                    "    velocity: [1, 0, %.17g]}\n",
                    scheme, up);
}

// The overlap of 0.1 mm takes 0.1 ms at 1 m/s: at the end of the step the normal force is 0, and so
// is friction. The bound of friction begins with the force at the start of the step.
TEST(a_contact_that_opens_in_a_step_has_no_friction_in_it) {
    static const char *const schemes[] = {"backward-euler", "midpoint"};
    for (int s = 0; s < 2; s++) {
        World w = leaving(schemes[s], 1);
        FATAL(w.ok && world_step(&w, 1));
        double v[6]; // velocity, angular velocity
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "ball"), v);
        CHECK_NEAR(v[0], 1, 1e-12);
        CHECK_NEAR(v[4], 0, 1e-12);
        CHECK(w.unconverged == 0);
        world_end(&w);
    }
}

// One that stays closed has friction in the same step: the test above does not pass without any.
TEST(a_contact_that_stays_closed_has_friction) {
    World w = leaving("backward-euler", -0.1);
    FATAL(w.ok && world_step(&w, 1));
    CHECK(body_speed(&w, "ball").x < 1 - 1e-3);
    world_end(&w);
}
