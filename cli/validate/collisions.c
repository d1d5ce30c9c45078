// SPDX-License-Identifier: Apache-2.0
// cli/validate/collisions.c - conservation laws in contact: rods and bodies collide without gravity

#include "cli/validate/validate.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

typedef struct Collision {
    double linear, angular; // max changes of momentum, relative
    double energy;          // fraction that remains
    int32_t hits;           // steps with contact forces
    double t[100], drift[100];
} Collision;

static double change(LitheVec3 a, LitheVec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// reproducible numbers between -1 and 1
static double number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

// six rods and six bodies around a centre, all moving towards it
static void write_crowd(char *text, size_t size) {
    static const char *const shapes[] = {"{sphere: {radius: 4 cm}}",
                                         "{box: {size: [8 cm, 6 cm, 5 cm]}}",
                                         "{capsule: {radius: 2 cm, length: 8 cm}}"};
    uint32_t seed = 7;
    size_t used = (size_t)snprintf(text, size, "rods:\n");
    for (int i = 0; i < 12; i++) {
        double angle = 2 * M_PI * i / 12, c = cos(angle), s = sin(angle), z = 0.05 * number(&seed);
        double x = 0.35 * c, y = 0.35 * s, u = -1.5 * c + 0.3 * number(&seed);
        double v = -1.5 * s + 0.3 * number(&seed), w = 0.2 * number(&seed);
        if (i == 6)
            used += (size_t)snprintf(text + used, size - used, "bodies:\n");
        int k = i % 6;
        if (i < 6)
            used += (size_t)snprintf(
                text + used, size - used,
                "  rod-%d: {material: m, section: {circle: {radius: 1 cm}}, nodes: 9,\n"
                "          shape: {line: {from: [%g, %g, %g], to: [%g, %g, %g]}},\n"
                "          velocity: [%g, %g, %g]}\n",
                k, x - 0.05 * s, y + 0.05 * c, z - 0.1, x + 0.05 * s, y - 0.05 * c, z + 0.1, u, v,
                w);
        else
            used += (size_t)snprintf(text + used, size - used,
                                     "  body-%d: {material: m, shape: %s, at: [%g, %g, %g],\n"
                                     "           velocity: [%g, %g, %g], spin: [%g, %g, %g]}\n",
                                     k, shapes[k % 3], x, y, z, u, v, w, 5 * number(&seed),
                                     5 * number(&seed), 5 * number(&seed));
    }
}

// Changes are relative to the sum of the magnitudes of all initial momenta, since the momenta
// cancel.
static bool collide(LitheTrial *trial, const char *scheme, int32_t steps, Collision *out) {
    LitheStand stand;
    char crowd[6000];
    double scale_p = 12 * 0.25 * 1.5, scale_l = scale_p * 0.35;
    write_crowd(crowd, sizeof crowd);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "contact: {tolerance: 1e-8}\n"
        "time: {step: %.17g s, end: 1000 s, scheme: %s}\n"
        "materials: {m: {young: 10 MPa, density: 1000, friction: 0.4,\n"
        "                contact: {stiffness: 1e5 N/m, dissipation: 0.2 s/m}}}\n%s",
        0.6 / steps, scheme, crowd);
    *out = (Collision){0};
    LitheVec3 p0 = {0}, l0 = {0};
    double first = 0;
    if (ok) {
        p0 = lithe_momentum(stand.model, stand.state);
        l0 = lithe_angular_momentum(stand.model, stand.state);
        first = lithe_energy(stand.model, stand.state).kinetic;
    }
    for (int32_t i = 0; ok && i < steps; i++) {
        ok = lithe_stand_step(trial, &stand);
        double l = change(lithe_angular_momentum(stand.model, stand.state), l0) / scale_l;
        out->linear =
            fmax(out->linear, change(lithe_momentum(stand.model, stand.state), p0) / scale_p);
        out->angular = fmax(out->angular, l);
        double force = 0;
        for (int32_t k = 0; k < lithe_work_contact_count(stand.work); k++)
            force += lithe_work_contact(stand.work, k).normal;
        out->hits += force > 0;
        out->t[(int64_t)i * 100 / steps] = lithe_state_time(stand.state);
        out->drift[(int64_t)i * 100 / steps] = l;
    }
    if (ok) {
        LitheEnergy e = lithe_energy(stand.model, stand.state);
        out->energy = (e.kinetic + e.elastic) / first;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_momentum_conservation(LitheTrial *trial) {
    Collision coarse, fine, euler;
    if (!collide(trial, "midpoint", 1200 * trial->refine, &coarse) ||
        !collide(trial, "midpoint", 2400 * trial->refine, &fine) ||
        !collide(trial, "backward-euler", 1200 * trial->refine, &euler))
        return false;
    if (fine.hits < 100)
        return lithe_fail(&trial->error, LITHE_CANNOT_GO_ON, "contacts occurred in %d steps only",
                          (int)fine.hits) == LITHE_OK;
    LitheFinding max = {.kind = LITHE_ERROR_AT_MOST, .coarse = NAN};
    LitheFinding linear = max, angular = max, energy = max;
    LitheFinding linear_euler = max, angular_euler = max;
    linear.measured = fine.linear;
    linear.coarse = coarse.linear;
    linear.reference = linear_euler.reference = 1e-8;
    linear_euler.measured = euler.linear;
    angular.measured = fine.angular;
    angular.coarse = coarse.angular;
    angular.reference = 1e-6;
    energy.measured = fmax(fine.energy, fmax(coarse.energy, euler.energy));
    energy.reference = 1;
    angular_euler.measured = euler.angular;
    angular_euler.reference = 1e-3;
    trial->plot.title = "Twelve rods and bodies collide: angular momentum";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "relative change";
    return lithe_trial_add(trial, linear, "linear_momentum_midpoint") &&
           lithe_trial_add(trial, linear_euler, "linear_momentum_euler") &&
           lithe_trial_add(trial, angular, "angular_momentum_midpoint") &&
           lithe_trial_add(trial, angular_euler, "angular_momentum_euler") &&
           lithe_trial_add(trial, energy, "energy_left") &&
           lithe_trial_curve(trial, "N steps", true, coarse.t, coarse.drift, 100) &&
           lithe_trial_curve(trial, "2N steps", true, fine.t, fine.drift, 100);
}
