// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_stops.c - limits of joints and ropes take all speed of what they stop,
// whatever the scheme and the step

#include "world.h"

static const char *const schemes[] = {"tr-bdf2", "midpoint", "backward-euler"};
static const double steps[] = {10e-3, 8e-3, 6e-3, 5e-3, 4e-3, 3e-3, 2e-3, 1e-3};
enum { SCHEMES = 3, STEPS = 8 };

// a ball falls by 0.3 m
#define BALL \
    "lithe: 1\n" \
    "time: {step: %g s, end: 1 s, scheme: %s}\n" \
    "materials: {m: {young: 1 MPa, density: 1000}}\n" \
    "bodies:\n" \
    "  b: {shape: {sphere: {radius: 5 cm}}, material: m, at: [0, 0, 1]}\n"
#define SLIDER \
    BALL "joints:\n" \
         "  j: {kind: prismatic, child: b, axis: [0, 0, 1], limits: [-0.3, 0.3]}\n"
#define ROPE \
    BALL "constraints:\n" \
         "  r: {kind: rope, a: {on: world, at: [0, 0, 1.2]}, b: b, length: 0.5}\n"
// a bar falls onto a limit that is 30 degrees below
#define HINGE \
    "lithe: 1\n" \
    "time: {step: %g s, end: 2 s, scheme: %s}\n" \
    "materials: {m: {young: 1 MPa, density: 1000}}\n" \
    "bodies:\n" \
    "  b: {shape: {box: {size: [30 cm, 2 cm, 2 cm]}}, material: m, at: [15 cm, 0, 1]}\n" \
    "joints:\n" \
    "  j: {kind: revolute, child: b, at: [0, 0, 1], axis: [0, 1, 0], limits: [-30 deg, 30 deg]}\n"

typedef struct Stop {
    double rebound; // how far it comes back
    double beyond;  // how far it goes beyond the limit
    double gain;    // rise of the balance of energies, as a fraction of the energy at the impact
    double loss;    // fall of the balance
    double left;    // kinetic energy at the end, as a fraction of the same
} Stop;

static double height_of(const World *w) {
    double pose[7];
    lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "b"), pose);
    return pose[2];
}

// `bottom`: height at the limit
static Stop stop_of(World *w, double bottom, double step, double time) {
    Stop stop = {0};
    LitheEnergy start = lithe_energy(w->model, w->state);
    double fallen = 0, first = start.kinetic + start.gravity;
    bool arrived = false;
    for (double t = 0; w->ok && t < time - 0.5 * step; t += step) {
        world_step(w, 1);
        LitheEnergy now = lithe_energy(w->model, w->state);
        double z = height_of(w);
        double balance = now.kinetic + now.gravity + now.constraints - first;
        fallen = fmax(fallen, start.gravity - now.gravity);
        stop.beyond = fmax(stop.beyond, bottom - z);
        stop.gain = fmax(stop.gain, balance);
        stop.loss = fmax(stop.loss, -balance);
        arrived |= z < bottom + 1e-6;
        if (arrived)
            stop.rebound = fmax(stop.rebound, z - bottom);
    }
    CHECK(arrived);
    stop.left = lithe_energy(w->model, w->state).kinetic / fallen;
    stop.gain /= fallen;
    stop.loss /= fallen;
    return stop;
}

static void check_stops(const char *what, const char *text, double bottom, double time) {
    for (int s = 0; s < SCHEMES; s++) {
        Stop worst = {0};
        for (int k = 0; k < STEPS; k++) {
            World w = world_of(text, steps[k], schemes[s]);
            Stop stop = stop_of(&w, bottom, steps[k], time);
            worst.rebound = fmax(worst.rebound, stop.rebound);
            worst.beyond = fmax(worst.beyond, stop.beyond);
            worst.gain = fmax(worst.gain, stop.gain / steps[k]);
            worst.loss = fmax(worst.loss, stop.loss / steps[k]);
            worst.left = fmax(worst.left, stop.left);
            world_end(&w);
        }
        printf("  %s, %s: rebound at most %.2g m, %.2g m beyond the limit, gain %.2g and loss %.2g "
               "of the energy per second of the step, %.2g of it left\n",
               what, schemes[s], worst.rebound, worst.beyond, worst.gain, worst.loss, worst.left);
        CHECK(worst.rebound < 1e-5);
        CHECK(worst.beyond < 1e-5);
        CHECK(worst.gain < 1);
        CHECK(worst.loss < 10);
        CHECK(worst.left < 1e-8);
    }
}

TEST(a_slider_stops_at_its_limit_with_every_scheme_and_step) {
    check_stops("slider", SLIDER, 0.7, 1);
}

TEST(a_hinge_stops_at_its_limit_with_every_scheme_and_step) {
    check_stops("hinge", HINGE, 1 - 0.15 * 0.5, 1);
}

TEST(a_rope_that_becomes_taut_stops_what_falls_with_every_scheme_and_step) {
    check_stops("rope", ROPE, 0.7, 1);
}

// a start that is outside by less than the errors of former schemes
TEST(a_joint_returns_to_its_limit_from_outside) {
    for (int k = 0; k < STEPS; k += 7) {
        World w = world_of("lithe: 1\n"
                           "time: {step: %g s, end: 10 s}\n"
                           "bodies: {b: {mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}\n"
                           "joints:\n"
                           "  j: {kind: prismatic, child: b, axis: [0, 0, 1], limits: [-0.3, 0.3], "
                           "position: -0.3002}\n",
                           steps[k]);
        world_step(&w, 1000);
        double end = height_of(&w);
        printf("  %g s: at %.6f m\n", steps[k], end);
        CHECK(end > -0.3002 && end < -0.3 + 1e-6);
        world_end(&w);
    }
}
