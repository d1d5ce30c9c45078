// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_faults.c - numbers that a program must not give are named: thing, place, value

#include "advance/world.h"

#include "data/state.h"

#include <math.h>
#include <string.h>

static World both(void) {
    return world_of("lithe: 1\n"
                    "time: {step: 1 ms, end: 1 s}\n"
                    "materials: {m: {young: 1 MPa, density: 1000}}\n"
                    "rods:\n"
                    "  rope: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
                    "    shape: {line: {to: [1, 0, 0]}}}\n"
                    "bodies:\n"
                    "  ball: {material: m, shape: {sphere: {radius: 0.1}}, at: [0, 0, 2]}\n");
}

static void says(World *w, const char *text) {
    LitheError error = {0};
    CHECK(lithe_step(w->model, w->state, w->work, NULL, &error) == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, text);
    CHECK_TEXT(error.text, "at t = 0 s, before the step");
    CHECK(!strstr(error.text, "folds back") && !strstr(error.text, "smaller step"));
    world_end(w);
}

TEST(a_velocity_of_a_node_that_is_not_finite_is_named) {
    World w = both();
    w.state->v[4 * 3 + 1] = NAN;
    says(&w, "rod 'rope': the velocity of node 3 is nan");
}

TEST(a_force_on_a_node_that_is_not_finite_is_named) {
    World w = both();
    lithe_rod_force_writable(w.model, w.state, lithe_rod_find(w.model, "rope"))[3 * 5] = INFINITY;
    says(&w, "rod 'rope': the force on node 5 is inf");
}

TEST(a_force_on_a_body_that_is_not_finite_is_named) {
    World w = both();
    lithe_body_force_writable(w.model, w.state, lithe_body_find(w.model, "ball"))[1] = NAN;
    says(&w, "body 'ball': the force on it is nan");
}

TEST(a_velocity_of_a_body_that_is_not_finite_is_named) {
    World w = both();
    w.state->v[w.model->trees[0].v_at + 2] = NAN;
    says(&w, "body 'ball': its velocity, or that of its joint, is nan");
}
