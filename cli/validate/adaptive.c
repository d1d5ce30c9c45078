// SPDX-License-Identifier: Apache-2.0
// cli/validate/adaptive.c - adaptive steps compared with fixed ones: the pull of a knot, a chain at
// rest

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/crossing.h"

#include <string.h>

// --- the knot of scenes/knot.yaml ----------------------------------------------------------------

#define TIME 0.7   // s
#define SPEED 0.8  // relative speed of the ends [m/s]
#define EVERY 1e-3 // interval of samples of the pull [s] ..
// .. and number of intervals of the mean
enum { SAMPLES = 700, MEAN = 10 };
// the knot is loose while the mean pull is below this: EI/(3 diameters)^2 [N]
#define LOOSE (18e6 * 0.25 * M_PI * 1.5e-3 * 1.5e-3 * 1.5e-3 * 1.5e-3 / (9e-3 * 9e-3))

typedef struct Pull {
    double impulse[SAMPLES + 1]; // of the pull up to each sample [N s]
    double mean[SAMPLES + 1];    // N; from MEAN on
    double kinetic[SAMPLES + 1]; // energy in the step of the sample [J]
    int64_t crossings, steps;
} Pull;

static bool make_knot(LitheTrial *trial, const char *step, LitheStand *stand) {
    bool ok = lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: %s, end: 0.7 s, scheme: backward-euler}\n"
        "materials:\n"
        "  rubber: {young: 18 MPa, poisson: 0.5, density: 1000, friction: 0,\n"
        "    damping: {mass: 1}, contact: {stiffness: 1e5, dissipation: 0.01}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: 1.5 mm}}, nodes: 301,\n"
        "    shape: {overhand-knot: {unknotting: 4, length: 1 m}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0], speed: 0.4 m/s, stiffness: 1e6,\n"
        "    along-only: true}\n"
        "  right: {on: rope.end, direction: [1, 0, 0], speed: 0.4 m/s, stiffness: 1e6,\n"
        "    along-only: true}\n",
        step);
    stand->rod = ok ? lithe_rod_find(stand->model, "rope") : stand->rod;
    return ok;
}

static void read_points(const LitheStand *stand, Vec3 *out, int32_t count) {
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    for (int32_t i = 0; i < count; i++)
        out[i] = v3(q[4 * i], q[4 * i + 1], q[4 * i + 2]);
}

// the pull is constant in a step: its impulse grows linearly
static void add_step(double from, double to, double force, double kinetic, double before,
                     Pull *out) {
    for (int32_t k = (int32_t)floor(from / EVERY) + 1; k <= SAMPLES && k * EVERY <= to + 1e-9;
         k++) {
        out->impulse[k] = before + force * (k * EVERY - from);
        out->kinetic[k] = kinetic;
    }
}

static bool tighten(LitheTrial *trial, const char *step, Pull *out) {
    LitheStand stand = {0};
    bool ok = make_knot(trial, step, &stand);
    int32_t nodes = ok ? lithe_rod_node_count(stand.model, stand.rod) : 0;
    Vec3 *points = ok ? lithe_alloc_array(trial->context, 2 * (int64_t)nodes, sizeof *points) : 0;
    if (ok && !points)
        ok = lithe_fail_memory(&trial->error, "a knot") == LITHE_OK;
    LitheDriveId right = ok ? lithe_drive_find(stand.model, "right") : (LitheDriveId){0};
    double from = 0, impulse = 0;
    *out = (Pull){0};
    while (ok && from < TIME - 1e-9) {
        read_points(&stand, points, nodes);
        ok = lithe_step(stand.model, stand.state, stand.work, NULL, &trial->error) == LITHE_OK;
        if (!ok)
            break;
        read_points(&stand, points + nodes, nodes);
        out->crossings += lithe_crossing_curve(points, points + nodes, nodes);
        double to = lithe_state_time(stand.state);
        double force = lithe_drive_force(stand.model, stand.state, right);
        double kinetic = lithe_energy(stand.model, stand.state).kinetic;
        add_step(from, to, force, kinetic, impulse, out);
        impulse += force * (to - from);
        from = to;
        out->steps++;
    }
    for (int32_t k = MEAN; k <= SAMPLES; k++)
        out->mean[k] = (out->impulse[k] - out->impulse[k - MEAN]) / (MEAN * EVERY);
    lithe_free(trial->context, points);
    lithe_stand_end(&stand);
    return ok;
}

// The loop snaps through where it releases its energy: the sample with the largest kinetic energy
// while the knot is loose, after the impact that sets the ends in motion.
static int32_t snap_of(const Pull *run) {
    int32_t at = 10 * MEAN;
    for (int32_t k = at; k <= SAMPLES && run->mean[k] < LOOSE; k++)
        at = run->kinetic[k] > run->kinetic[at] ? k : at;
    return at;
}

// RMS difference over the largest mean pull, except within 2 % of the extension around the snap
static double difference(const Pull *fixed, const Pull *adaptive) {
    double sum = 0, max = 0;
    int32_t count = 0, snap = snap_of(fixed);
    for (int32_t k = 2 * MEAN; k <= SAMPLES; k++) {
        max = fmax(max, fixed->mean[k]);
        if (fabs((double)k / snap - 1) <= 0.02)
            continue;
        sum += pow(adaptive->mean[k] - fixed->mean[k], 2);
        count++;
    }
    return sqrt(sum / count) / max;
}

static bool draw(LitheTrial *trial, const char *label, bool points, const Pull *run) {
    double x[SAMPLES], y[SAMPLES];
    int32_t count = 0;
    for (int32_t k = 2 * MEAN; k <= SAMPLES && run->mean[k] < 4 * LOOSE; k++) {
        x[count] = SPEED * EVERY * k;
        y[count++] = run->mean[k];
    }
    return lithe_trial_curve(trial, label, points, x, y, count);
}

bool lithe_case_adaptive_knot(LitheTrial *trial) {
    Pull fixed, adaptive;
    trial->plot.title = "The pull of a knot: fixed and adaptive steps";
    trial->plot.x_label = "displacement of the ends [m]";
    trial->plot.y_label = "pull, mean over 10 ms [N]";
    bool ok = tighten(trial, "0.1 ms", &fixed) &&
              tighten(trial, "{adaptive: {min: 10 us, max: 2 ms}}", &adaptive);
    if (!ok)
        return false;
    double snap = fabs((double)snap_of(&adaptive) / snap_of(&fixed) - 1);
    return lithe_trial_add(trial, at_most(difference(&fixed, &adaptive), 0.03),
                           "RMS difference of the pull/largest") &&
           lithe_trial_add(trial, at_most(snap, 0.02), "shift of the snap, at %.3f m",
                           SPEED * EVERY * snap_of(&fixed)) &&
           lithe_trial_add(trial, at_most((double)adaptive.crossings, 0), "crossings") &&
           lithe_trial_add(trial, at_most((double)adaptive.steps / (double)fixed.steps, 0.2),
                           "steps/fixed steps") &&
           draw(trial, "fixed, 0.1 ms", false, &fixed) && draw(trial, "adaptive", true, &adaptive);
}

// --- the chain of scenes/chain-of-rings.yaml -----------------------------------------------------

typedef struct Rest {
    double *q; // [dofs]
    int64_t count, steps;
} Rest;

static bool settle(LitheTrial *trial, int32_t rings, double end, const char *step, Rest *out) {
    LitheStand stand = {0};
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %s, end: 100 s, scheme: backward-euler}\n"
        "materials:\n"
        "  rubber: {young: 10 MPa, poisson: 0.4, density: 500 kg/m^3, damping: {mass: 10 1/s},\n"
        "    friction: 0.1, contact: {stiffness: 1e4 N/m, dissipation: 50 s/m}}\n"
        "rods:\n"
        "  ring: {repeat: {i: %d}, material: rubber, section: {circle: {radius: 1.25 mm}}, shape: "
        "{ring:\n"
        "    {radius: 10 mm, rotate: {axis: [cos(90 deg*i)^2, sin(90 deg*i)^2, 0], angle: 90 "
        "deg},\n"
        "    at: [0, 0, -12.5 mm*i]}}, natural: {from: shape}, nodes: 20}\n"
        "holds: {lower: {repeat: {k: 10}, on: \"ring/0[k + 10]\"}}\n",
        step, rings);
    while (ok && lithe_state_time(stand.state) < end - 1e-9)
        ok = lithe_step(stand.model, stand.state, stand.work, NULL, &trial->error) == LITHE_OK;
    out->count = 80 * (int64_t)rings;
    out->q = lithe_alloc_array(trial->context, out->count, sizeof *out->q);
    if (ok && !out->q)
        ok = lithe_fail_memory(&trial->error, "a chain") == LITHE_OK;
    for (int32_t i = 0; ok && i < rings; i++)
        memcpy(out->q + 80 * i, lithe_rod_q(stand.model, stand.state, (LitheRodId){i + 1}),
               80 * sizeof(double));
    out->steps = ok ? lithe_state_step(stand.state) : 0;
    lithe_stand_end(&stand);
    return ok;
}

// simulated until the chain is at rest: 20 rings; with --long 100, as published
bool lithe_case_adaptive_rings(LitheTrial *trial) {
    int32_t rings = trial->refine > 1 ? 100 : 20;
    double end = trial->refine > 1 ? 20 : 4;
    Rest fixed = {0}, adaptive = {0};
    bool ok = settle(trial, rings, end, "0.8 ms", &fixed) &&
              settle(trial, rings, end, "{adaptive: {min: 10 us, max: 51.2 ms, tolerance: 0.3 mm}}",
                     &adaptive);
    double max = 0;
    for (int64_t k = 0; ok && k < fixed.count; k++)
        max = fmax(max, k % 4 < 3 ? fabs(adaptive.q[k] - fixed.q[k]) : 0);
    ok = ok &&
         lithe_trial_add(trial, at_most(max, 1e-4), "difference at rest of %d rings [m]", rings) &&
         lithe_trial_add(trial, at_most((double)adaptive.steps / (double)fixed.steps, 0.1),
                         "steps/fixed steps");
    lithe_free(trial->context, fixed.q);
    lithe_free(trial->context, adaptive.q);
    return ok;
}
