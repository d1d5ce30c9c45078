// SPDX-License-Identifier: Apache-2.0
// cli/validate/chain.c - a chain of linked rings comes to rest and stays at rest

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#define EVERY 0.1        // between samples [s]
#define RADIUS 0.01      // of a ring [m]
#define THICKNESS 2.5e-3 // its diameter [m]

typedef struct Chain {
    int32_t rings;
    const char *step;
    double settle, rest; // s
    // measured at rest, after `settle`
    double drift;    // largest displacement of the centre of mass [m]
    double gain;     // largest increase of the total energy over its minimum so far [J]
    double range;    // of the potential energy, since the start [J]
    double farthest; // largest distance of the centres of neighbours at the end [m]
    double *times, *displacements; // s, nm; every 0.1 s
    int32_t samples, capacity;
} Chain;

// The scene scenes/chain-of-rings.yaml, of any length.
static bool build(LitheTrial *trial, const Chain *c, LitheStand *stand) {
    return lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "time: {step: %s, end: 1000, scheme: backward-euler}\n"
        "materials:\n"
        "  rubber: {young: 10 MPa, poisson: 0.4, density: 500 kg/m^3, damping: {mass: 10 1/s},\n"
        "    friction: 0.1, contact: {stiffness: 1e4 N/m, dissipation: 50 s/m}}\n"
        "rods:\n"
        "  ring: {repeat: {i: %d}, material: rubber, section: {circle: {radius: %g}}, shape: "
        "{ring:\n"
        "    {radius: %g, rotate: {axis: [cos(90 deg*i)^2, sin(90 deg*i)^2, 0], angle: 90 deg},\n"
        "    at: [0, 0, -12.5 mm*i]}}, natural: {from: shape}, nodes: 20}\n"
        "holds: {lower: {repeat: {k: 10}, on: \"ring/0[k + 10]\"}}\n",
        c->step, c->rings, 0.5 * THICKNESS, RADIUS);
}

static LitheVec3 centre(const LitheStand *stand, int32_t ring) {
    LitheRodId rod = {ring + 1};
    const double *q = lithe_rod_q(stand->model, stand->state, rod);
    int32_t n = lithe_rod_node_count(stand->model, rod);
    LitheVec3 sum = {0};
    for (int32_t i = 0; i < n; i++) {
        sum.x += q[4 * i] / n;
        sum.y += q[4 * i + 1] / n;
        sum.z += q[4 * i + 2] / n;
    }
    return sum;
}

static double distance(LitheVec3 a, LitheVec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static LitheVec3 centre_of_mass(const LitheStand *stand, int32_t rings) {
    LitheVec3 sum = {0};
    for (int32_t i = 0; i < rings; i++) {
        LitheVec3 c = centre(stand, i);
        sum.x += c.x / rings;
        sum.y += c.y / rings;
        sum.z += c.z / rings;
    }
    return sum;
}

// stored plus dissipated energy, which must not increase in any step
static double everything(const LitheEnergy *e) {
    return e->kinetic + e->elastic + e->gravity + e->dissipated + e->friction + e->contact +
           e->constraints - e->work;
}

static bool hang(LitheTrial *trial, LitheStand *stand, Chain *c) {
    double low = 0, high = -INFINITY, min = INFINITY;
    LitheVec3 start = {0};
    for (bool rests = false;;) {
        double time = lithe_state_time(stand->state) - c->settle;
        LitheEnergy e = lithe_energy(stand->model, stand->state);
        low = fmin(low, e.gravity + e.elastic);
        high = fmax(high, e.gravity + e.elastic);
        if (time > -1e-9) {
            LitheVec3 at = centre_of_mass(stand, c->rings);
            if (!rests)
                start = at;
            rests = true;
            double displacement = distance(at, start), sum = everything(&e);
            min = fmin(min, sum);
            c->gain = fmax(c->gain, sum - min);
            c->drift = fmax(c->drift, displacement);
            if (c->samples < c->capacity && time > c->samples * EVERY - 1e-9) {
                c->times[c->samples] = time;
                c->displacements[c->samples++] = 1e9 * displacement;
            }
        }
        if (time > c->rest - 1e-9)
            break;
        if (!lithe_stand_step(trial, stand))
            return false;
    }
    c->range = high - low;
    for (int32_t i = 1; i < c->rings; i++)
        c->farthest = fmax(c->farthest, distance(centre(stand, i - 1), centre(stand, i)));
    return true;
}

static bool add_findings(LitheTrial *trial, const Chain *c) {
    LitheFinding drift = {
        .measured = c->drift, .coarse = NAN, .reference = 1e-6, .kind = LITHE_ERROR_AT_MOST};
    LitheFinding gain = drift, reach = drift;
    gain.measured = c->gain / c->range;
    gain.reference = 1e-9;
    // linked neighbours are at most two inner radii apart
    reach.measured = c->farthest;
    reach.reference = 2 * RADIUS - THICKNESS + 1e-3;
    return lithe_trial_add(trial, drift, "drift_in_%g_s_of_%d_rings [m]", c->rest, c->rings) &&
           lithe_trial_add(trial, gain, "energy_gain_over_potential_range") &&
           lithe_trial_add(trial, reach, "largest_distance_of_neighbours [m]");
}

static bool try_chain(LitheTrial *trial, Chain *c) {
    LitheStand stand = {0};
    c->capacity = (int32_t)llround(c->rest / EVERY) + 1;
    c->times = lithe_alloc_array(trial->context, c->capacity, sizeof *c->times);
    c->displacements = lithe_alloc_array(trial->context, c->capacity, sizeof *c->displacements);
    bool ok = c->times && c->displacements;
    if (!ok)
        lithe_fail_memory(&trial->error, "the samples of a chain");
    ok = ok && build(trial, c, &stand) && hang(trial, &stand, c) && add_findings(trial, c);
    trial->plot.title = "A chain of rings at rest: displacement of its centre of mass";
    trial->plot.x_label = "time at rest [s]";
    trial->plot.y_label = "displacement [nm]";
    ok = ok && lithe_trial_curve(trial, "measured", true, c->times, c->displacements, c->samples);
    lithe_stand_end(&stand);
    lithe_free(trial->context, c->times);
    lithe_free(trial->context, c->displacements);
    return ok;
}

// 10 rings; with --long 100, as published, whose slowest motion decays in about 13 s
bool lithe_case_chain_of_rings(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    Chain c = {
        .rings = longer ? 100 : 10, .step = "0.8 ms", .settle = longer ? 40 : 10, .rest = 60};
    return try_chain(trial, &c);
}

// with adaptive steps: 10 rings; with --long 100
bool lithe_case_long_rest(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    Chain c = {.rings = longer ? 100 : 10,
               .step = "{adaptive: {min: 10 us, max: 51.2 ms, tolerance: 0.3 mm}}",
               .settle = longer ? 300 : 20,
               .rest = 600};
    return try_chain(trial, &c);
}
