// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_switched.c - TR-BDF2: forces of ties that are switched on or off in a run
//
// A step starts from the forces at the end of the last one. A tie that begins has none there, and
// one that ended should leave none: docs/theory/time.md, (T11).

#include "world.h"

#include "data/model.h"
#include "data/state.h"

#include <math.h>

#define HEAD \
    "lithe: 1\ntime: {step: 1 ms, scheme: tr-bdf2}\n" \
    "materials: {m: {young: 1 MPa, density: 1000}, hard: {young: 200 GPa, density: 7800}}\n" \
    "bodies:\n  ball: {material: m, shape: {sphere: {radius: 2 cm}}}\n"

static const double STEP = 1e-3, GRAVITY = 9.81;

static void switch_to(World *w, const char *name, bool active) {
    LitheConstraintId id = lithe_constraint_find(w->model, name);
    FATAL(id.number > 0);
    lithe_state_set_constraint(w->model, w->state, id, active);
}

static double mass_of_ball(void) {
    return 1000 * 4 / 3.0 * M_PI * 8e-6;
}

// a stretched spring that is switched on accelerates by its whole force in its first step
TEST(a_spring_that_is_switched_on_has_its_whole_force_in_its_first_step) {
    static const char *const ways[] = {"active: false",
                                       "switch: {table: [[0 s, 0], [5.2 ms, 0], [5.3 ms, 1]]}"};
    for (int i = 0; i < 2; i++) {
        World w =
            world_of(HEAD "gravity: none\nconstraints:\n"
                          "  spring: {kind: attach, a: ball, b: {on: world, at: [1 cm, 0, 0]},\n"
                          "    as-built: false, stiffness: 100 N/m, %s}\n",
                     ways[i]);
        world_step(&w, 5);
        CHECK(w.state->v[0] == 0 && w.state->q[0] == 0);
        if (i == 0)
            switch_to(&w, "spring", true);
        world_step(&w, 1);
        double wanted = 100 * 0.01 / mass_of_ball() * STEP; // less by (omega h)^2/6
        printf("  %.6f of the impulse\n", w.state->v[0] / wanted);
        CHECK_NEAR(w.state->v[0] / wanted, 1, 2e-3);
        world_end(&w);
    }
}

// A switch at the border of two steps acts from there on: a spring pulls in the steps between its
// two switches and in no other. Within a step the nearer border counts.
TEST(a_spring_acts_in_the_steps_between_its_switches) {
    static const char *const settings[] = {
        "time: {step: 1 ms, scheme: tr-bdf2}", "time: {step: 1 ms, scheme: backward-euler}",
        "time: {step: 1 ms, scheme: midpoint}", "time: {step: 1 ms}\ncontact: {model: lcp}"};
    static const double from[] = {5, 5.4, 4.6}, to[] = {9, 8.6, 9.4};
    for (int i = 0; i < 12; i++) {
        World w = world_of("lithe: 1\n%s\ngravity: none\n"
                           "materials: {m: {young: 1 MPa, density: 1000}}\n"
                           "bodies:\n  ball: {material: m, shape: {sphere: {radius: 2 cm}}}\n"
                           "constraints:\n"
                           "  spring: {kind: attach, a: ball, b: {on: world, at: [1 cm, 0, 0]},\n"
                           "    as-built: false, stiffness: 100 N/m, switch: {kind: hold,\n"
                           "      table: [[0 s, 0], [%g ms, 1], [%g ms, 0]]}}\n",
                           settings[i / 3], from[i % 3], to[i % 3]);
        FATAL(w.ok);
        for (int step = 0; step < 14; step++) {
            double before = w.state->v[0];
            world_step(&w, 1);
            bool pulled = w.state->v[0] != before;
            CHECK(pulled == (step >= 5 && step < 9));
        }
        world_end(&w);
    }
}

// two equal springs take turns: the weight that hangs on them stays at rest
TEST(a_weight_stays_at_rest_when_one_spring_takes_over_from_another) {
    World w = world_of(HEAD "constraints:\n"
                            "  left: {kind: attach, a: ball, b: world, stiffness: 100 N/m}\n"
                            "  right: {kind: attach, a: ball, b: world, stiffness: 100 N/m,\n"
                            "    as-built: false, active: false}\n");
    LitheError error = {0};
    FATAL(lithe_equilibrium(w.model, w.state, w.work, &w.report, &error) == LITHE_OK);
    double z = w.state->q[2];
    CHECK(z < -3e-3); // it hangs 3.3 mm deeper
    world_step(&w, 5);
    switch_to(&w, "left", false);
    switch_to(&w, "right", true);
    world_step(&w, 20);
    printf("  moved by %.2e m\n", fabs(w.state->q[2] - z));
    CHECK_NEAR(w.state->q[2], z, 1e-12);
    // off and on again between two steps
    switch_to(&w, "right", false);
    switch_to(&w, "right", true);
    world_step(&w, 20);
    CHECK_NEAR(w.state->q[2], z, 1e-12);
    CHECK(lithe_energy(w.model, w.state).kinetic < 1e-24);
    world_end(&w);
}

// what is released falls from the first step on, from a spring, a weld or a tie that breaks
TEST(what_a_tie_releases_falls_freely_at_once) {
    static const char *const ties[] = {"kind: attach, stiffness: 100 N/m", "kind: weld",
                                       "kind: weld, breaks-at: 0.2 N"};
    for (int i = 0; i < 3; i++) {
        World w = world_of(HEAD "constraints:\n  tie: {%s, a: ball, b: world}\n", ties[i]);
        LitheError error = {0};
        if (i < 2) {
            FATAL(lithe_equilibrium(w.model, w.state, w.work, &w.report, &error) == LITHE_OK);
            world_step(&w, 5);
            switch_to(&w, "tie", false);
        } else {
            world_step(&w, 1);
            CHECK(lithe_constraint_broken(w.model, w.state, (LitheConstraintId){1}));
        }
        double z = w.state->q[2], v = w.state->v[2], t = 10 * STEP;
        world_step(&w, 10);
        printf("  %.6f of the velocity\n", (v - w.state->v[2]) / (GRAVITY * t));
        CHECK_NEAR(w.state->v[2], v - GRAVITY * t, 1e-9);
        CHECK_NEAR(w.state->q[2], z + v * t - 0.5 * GRAVITY * t * t, 1e-9);
        world_end(&w);
    }
}

// A hard impact makes a step by backward Euler, which leaves no forces to the next step: the spring
// next to it keeps its whole impulse there.
TEST(a_weight_on_a_spring_stays_at_rest_beside_a_step_by_backward_euler) {
    World w = world_of(
        HEAD "  floor: {fixed: true, material: hard, shape: {half-space: {}}, at: [0, 0, -1]}\n"
             "  box: {material: hard, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [1, 0, -0.8]}\n"
             "constraints:\n"
             "  spring: {kind: attach, a: ball, b: world, as-built: false,\n"
             "    stiffness: 100 N/m}\n");
    int32_t by_euler = 0;
    double z = -GRAVITY * mass_of_ball() / 100, worst = 0;
    double *ball = w.state->q;
    FATAL(w.ok && ball[2] == 0);
    ball[2] = z;
    for (int i = 0; i < 200; i++) {
        world_step(&w, 1);
        by_euler += w.report.euler;
        worst = fmax(worst, fabs(ball[2] - z));
    }
    printf("  %d steps by backward Euler, moved by %.2e m\n", (int)by_euler, worst);
    CHECK(by_euler > 0);
    CHECK(worst < 1e-12);
    world_end(&w);
}
