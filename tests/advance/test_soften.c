// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_soften.c - steps whose solve does not converge, and how fast overlaps separate

#include "advance/step.h"
#include "solve/check.h"

#include "world.h"

// boxes that fall in a heap; the iterations of each of two passes are limited
static World heap(int32_t iterations) {
    return world_of(
        "lithe: 1\n"
        "time: {step: 5 ms, end: 1 s, scheme: backward-euler}\n"
        "contact: {friction-law: sap, most-cuts: 0, passes: 2, max-iterations: %d}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 1, contact: {stiffness: 1e8}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
        "  box: {repeat: {i: 8}, material: m, shape: {box: {size: [0.1, 0.1, 0.1]}},\n"
        "    at: [0.03*i, 0.02*i, 0.06 + 0.11*i], velocity: [1, 0.3, -2],\n"
        "    rotate: {axis: [1, 1, 0], angle: 10 deg*i}}\n",
        (int)iterations);
}

// residual of the step from this state without softening
static double plain_residual(const World *w, const LitheState *from) {
    LitheState *state = lithe_state_create(w->model);
    LitheWork *work = lithe_work_create(w->model, 1);
    LitheReport report;
    LitheError error;
    LitheAttempt attempt = lithe_plain_attempt(w->model->time.step);
    memcpy(state->data, from->data, (size_t)from->size * sizeof(double));
    CHECK(lithe_step_once(w->model, state, &attempt, work, &report, &error) == LITHE_OK);
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    return report.solve_unconverged ? report.solve_residual : 0;
}

TEST(a_solve_that_does_not_converge_is_repeated_with_softer_couplings_and_counted) {
    World w = heap(6);
    LitheState *before = lithe_state_create(w.model);
    int32_t softened = 0, hopeless = 0;
    for (int i = 0; i < 100 && w.ok; i++) {
        memcpy(before->data, w.state->data, (size_t)before->size * sizeof(double));
        world_step(&w, 1);
        if (w.report.softened == 0)
            continue;
        double residual = plain_residual(&w, before);
        softened++;
        hopeless += residual > 0.1; // where the run would have to stop
        CHECK(residual > 1e-3 && !w.report.solve_unconverged);
    }
    printf("  %d of 100 steps softened, %d of them hopeless before\n", (int)softened,
           (int)hopeless);
    CHECK(softened >= 10 && hopeless >= 3);
    lithe_state_destroy(before);
    world_end(&w);
}

TEST(what_no_regularisation_solves_stops_and_leaves_the_state_as_it_was) {
    World w = heap(1);
    LitheError error = {0};
    uint64_t hash = lithe_state_hash(w.state);
    CHECK(lithe_step(w.model, w.state, w.work, &w.report, &error) == LITHE_CANNOT_GO_ON);
    CHECK(strstr(error.text, "did not converge"));
    CHECK(lithe_state_hash(w.state) == hash && w.report.softened == 0);
    world_end(&w);
}

TEST(an_overlap_however_deep_and_stiff_separates_no_faster_than_one_over_the_dissipation) {
    static const char *const laws[] = {"lagged", "similar"};
    for (int i = 0; i < 8; i++) {
        double depth = i & 2 ? 1e-3 : 0.05, stiffness = i & 4 ? 1e6 : 1e12;
        World w =
            world_of("lithe: 1\n"
                     "gravity: none\n"
                     "time: {step: 0.1 ms, end: 1 s, scheme: backward-euler}\n"
                     "contact: {friction-law: %s}\n"
                     "materials: {m: {young: 1 GPa, density: 1, contact:\n"
                     "  {stiffness: %g, dissipation: 0.2}}}\n"
                     "bodies:\n"
                     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                     "  ball: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, %g]}\n",
                     laws[i % 2], stiffness, 0.05 - depth);
        double fastest = 0;
        for (int k = 0; k < 200 && w.ok; k++) {
            world_step(&w, 1);
            fastest = fmax(fastest, body_speed(&w, "ball").z);
        }
        CHECK(fastest > 1 && fastest <= 5 * (1 + 1e-6)); // the tolerance of the solve
        world_end(&w);
    }
}

// two crossed rods that overlap by `depth` of their 2 mm, one thrown at the other
static World overlapping(double depth, double speed, double stiffness) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
                    "contact: {most-cuts: 0}\n"
                    "materials: {cord: {young: 10 MPa, density: 1000, contact: {stiffness: %g}}}\n"
                    "rods:\n"
                    "  above: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 21,\n"
                    "    shape: {line: {from: [-5 cm, 0, %g], to: [5 cm, 0, %g]}},\n"
                    "    velocity: [0, 0, %g]}\n"
                    "  below: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 22,\n"
                    "    shape: {line: {from: [0, -5 cm, 0], to: [0, 5 cm, 0]}}, clamped: both}\n",
                    stiffness, 2e-3 - depth, 2e-3 - depth, -speed);
}

// the deepest contact of the last step
static LitheContact deepest_of(const World *w) {
    LitheContact deepest = {.gap = INFINITY};
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContact contact = lithe_work_contact(w->work, i).contact;
        deepest = contact.gap < deepest.gap ? contact : deepest;
    }
    return deepest;
}

TEST(a_held_contact_reports_the_overlap_and_the_stiffness_that_it_has) {
    World w = overlapping(0.5e-3, 5, 1e-2);
    if (world_step(&w, 1)) {
        LitheContact contact = deepest_of(&w);
        CHECK(w.report.held == 1);
        CHECK_NEAR(w.report.deepest, 0.5e-3, 1e-12);
        CHECK_NEAR(contact.gap, -0.5e-3, 1e-12);
        CHECK_NEAR(contact.stiffness, 5e-3, 1e-12); // two springs of 0.01 N/m in series
        CHECK(w.report.stiffened >= 1);
    }
    world_end(&w);
}

TEST(contacts_near_a_centreline_are_counted_as_stiffened_and_shown_as_found) {
    for (int i = 0; i < 2; i++) {
        double depth =
            i == 0 ? 0.9e-3 : 1.5e-3; // below and above half the distance to the centrelines
        World w = overlapping(depth, 0, 100);
        if (world_step(&w, 1)) {
            CHECK(w.report.held == 0 && w.report.contacts > 0);
            CHECK((w.report.stiffened > 0) == (i == 1));
            CHECK_NEAR(deepest_of(&w).stiffness, 50, 1e-9);
            CHECK_NEAR(deepest_of(&w).gap, -depth, 1e-12);
        }
        world_end(&w);
    }
}
