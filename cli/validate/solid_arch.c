// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_arch.c - a masonry arch of 25 soft stones stands or falls by friction
//
// Li et al., Incremental potential contact, 2020; Han, Masterjohn and Castro, A convex formulation
// of frictional contact between rigid and deformable bodies, 2023. The least friction is that of
// limit analysis: a linear program over the forces at the corners of all joints, in equilibrium and
// within their friction cones, solved separately for the geometry of scenes/arch/stones.yaml.

#include "cli/validate/solid_arch.h"

#include <stdio.h>

// least friction by limit analysis: feet on an edge at 48 % of their faces, and on whole faces
#define LEAST_ON_EDGES 0.2188826
#define LEAST_ON_FACES 0.1030254
// time for which an arch is watched; its centring is released in the first 2 s [s]
#define WATCHED 6.0
// an arch whose crown has moved by this distance falls [m]; one that stands is at rest at the end,
// its fastest node below this speed [m/s]
#define FALLEN 0.3
#define AT_REST 1e-4
// leans between which the growth of a lean is measured: before, the arch still rocks, and after it
// a joint closes [m]
#define LEAN_FIRST 0.03
#define LEAN_LAST 0.15

enum { KEYSTONE = (LITHE_ARCH_STONES + 1) / 2, MAX_SETS = 8 };

static const char *const on_edges[] = {"parameters.gap=0 m", "parameters.centring=1",
                                       "parameters.foot=29.80 m", "parameters.top=-0.044 m", NULL};
static const char *const on_faces[] = {"parameters.gap=0 m",         "parameters.centring=1",
                                       "parameters.foot=24.138 m",   "parameters.top=-1.2795 m",
                                       "parameters.tilt=12.313 deg", NULL};
static const char *const as_published[] = {NULL};

static bool load(LitheTrial *trial, LitheStand *stand, const char *const *given, double friction) {
    char last[64];
    const char *sets[MAX_SETS];
    int32_t count = 0;
    while (given[count]) {
        sets[count] = given[count];
        count++;
    }
    snprintf(last, sizeof last, "parameters.friction=%.17g", friction);
    sets[count++] = last;
    return lithe_stand_load(trial, stand, "arch", sets, count);
}

LitheSolidId lithe_arch_stone(const LitheStand *stand, int32_t number) {
    char name[32];
    snprintf(name, sizeof name, "stone-%d", (int)number);
    return lithe_solid_find(stand->model, name);
}

LitheVec3 lithe_arch_centre(const LitheStand *stand, int32_t number) {
    LitheSolidId id = lithe_arch_stone(stand, number);
    const double *x = lithe_solid_position(stand->model, stand->state, id);
    int32_t count = lithe_solid_node_count(stand->model, id);
    LitheVec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++)
        sum = (LitheVec3){sum.x + x[3 * i] / count, sum.y + x[3 * i + 1] / count,
                          sum.z + x[3 * i + 2] / count};
    return sum;
}

static LitheVec3 crown(const LitheStand *stand) {
    return lithe_arch_centre(stand, KEYSTONE);
}

// fastest node of all stones [m/s]
static double fastest(const LitheStand *stand) {
    double speed = 0;
    for (int32_t k = 1; k <= LITHE_ARCH_STONES; k++) {
        LitheSolidId id = lithe_arch_stone(stand, k);
        const double *v = lithe_solid_velocity(stand->model, stand->state, id);
        for (int32_t i = 0; i < 3 * lithe_solid_node_count(stand->model, id); i += 3)
            speed = fmax(speed, hypot(hypot(v[i], v[i + 1]), v[i + 2]));
    }
    return speed;
}

static bool is_falling(const LitheStand *stand, LitheVec3 from) {
    LitheVec3 now = crown(stand);
    return hypot(hypot(now.x - from.x, now.y - from.y), now.z - from.z) > FALLEN;
}

// whether an arch whose stones touch at the start stands after its centring is released
static bool stands(LitheTrial *trial, const char *const *sets, double friction, bool *standing) {
    LitheStand stand;
    bool ok = load(trial, &stand, sets, friction), falls = false;
    LitheVec3 from = ok ? crown(&stand) : (LitheVec3){0, 0, 0};
    while (ok && !falls && lithe_state_time(stand.state) < WATCHED) {
        ok = lithe_stand_step(trial, &stand);
        falls = ok && is_falling(&stand, from);
    }
    *standing = ok && !falls && fastest(&stand) < AT_REST;
    lithe_stand_end(&stand);
    return ok;
}

// Bisects the least friction. Nothing is assumed about the ends: where all of it stands or falls,
// the result is one of them.
static bool least_friction(LitheTrial *trial, const char *const *sets, double low, double high,
                           int32_t rounds, double *least) {
    bool ok = true;
    for (int32_t k = 0; ok && k < rounds; k++) {
        bool standing;
        double middle = 0.5 * (low + high);
        ok = stands(trial, sets, middle, &standing);
        *(standing ? &high : &low) = middle;
    }
    *least = 0.5 * (low + high);
    return ok;
}

static bool add_least(LitheTrial *trial, const char *const *sets, double reference,
                      const char *quantity) {
    double least;
    if (!least_friction(trial, sets, reference - 0.1, reference + 0.1, trial->refine > 1 ? 6 : 4,
                        &least))
        return false;
    LitheFinding f = {.measured = least,
                      .coarse = NAN,
                      .reference = reference,
                      .tolerance = 0.03,
                      .kind = LITHE_ERROR_ABSOLUTE};
    return lithe_trial_add(trial, f, "%s", quantity);
}

// --- the scene of the papers ---------------------------------------------------------------------

// energy that could move the arch: kinetic, elastic, of weight, and in the springs of contacts [J]
static double free_energy(const LitheStand *stand, const LitheReport *report) {
    LitheEnergy e = lithe_energy(stand->model, stand->state);
    return e.kinetic + e.elastic + e.gravity + report->stored;
}

// An arch that comes to rest.
typedef struct Rest {
    double drift;    // largest motion of the crown after `settled` [m]
    double gain;     // largest rise of its energy above the lowest so far, after `settled` [J]
    double released; // energy between the start and the end [J]
    double lean;     // of the crown at the end, towards x [m]
} Rest;

// Growth of the lean, while it is between two values.
typedef struct Leaning {
    double from, to;        // times [s]
    double first, last;     // leans at these times [m]
    LitheArchHinges hinges; // at the first
} Leaning;

static void watch_lean(const LitheStand *stand, Leaning *out) {
    double lean = crown(stand).x, time = lithe_state_time(stand->state);
    if (fabs(lean) > LEAN_FIRST && out->from == 0) {
        out->from = time;
        out->first = lean;
        out->hinges = lithe_arch_hinges(stand, 31, -1.4, lean);
    }
    if (fabs(lean) > LEAN_LAST && out->to == 0) {
        out->to = time;
        out->last = lean;
    }
}

static bool rest(LitheTrial *trial, const char *const *sets, double settled, double end, Rest *out,
                 Leaning *leaning) {
    LitheStand stand;
    LitheReport report = {0};
    bool ok = load(trial, &stand, sets, 1);
    double start = ok ? free_energy(&stand, &report) : 0, lowest = INFINITY, now = start;
    LitheVec3 from = {0, 0, 0}, at = from;
    *out = (Rest){0};
    *leaning = (Leaning){0};
    while (ok && lithe_state_time(stand.state) < end - 1e-9) {
        bool before = lithe_state_time(stand.state) < settled;
        ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) == LITHE_OK;
        if (!ok)
            break;
        at = crown(&stand);
        now = free_energy(&stand, &report);
        watch_lean(&stand, leaning);
        if (before) {
            from = at;
            lowest = now;
        }
        out->drift = fmax(out->drift, hypot(hypot(at.x - from.x, at.y - from.y), at.z - from.z));
        out->gain = fmax(out->gain, now - lowest);
        lowest = fmin(lowest, now);
    }
    out->released = start - now;
    out->lean = at.x;
    lithe_stand_end(&stand);
    return ok;
}

// how long the arch of the papers takes to drop its crown by 5 m; INFINITY: it does not
static bool fall(LitheTrial *trial, double friction, double *time) {
    LitheStand stand;
    bool ok = load(trial, &stand, as_published, friction);
    double from = ok ? crown(&stand).z : 0;
    *time = INFINITY;
    while (ok && isinf(*time) && lithe_state_time(stand.state) < 10) {
        LitheReport report;
        ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) == LITHE_OK;
        if (ok && fabs(crown(&stand).z - from) > 5)
            *time = lithe_state_time(stand.state);
    }
    lithe_stand_end(&stand);
    return ok;
}

// --- free motion ---------------------------------------------------------------------------------

// Newton iterations of a stone that turns freely, and what they leave
static bool spin(LitheTrial *trial, const char *scheme, int32_t *iterations, double *residual) {
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\n"
                                "time: {scheme: %s, step: 40 ms, end: 10 s}\n"
                                "materials: {stone: {young: 20 GPa, poisson: 0.3, density: 2300}}\n"
                                "solids: {stone: {material: stone, mass: consistent, "
                                "spin: [0.5, 0.2, 0.1],\n"
                                "  mesh: {box: {size: [10, 10, 5.5], divisions: [1, 1, 1]}}}}\n",
                                scheme);
    *iterations = 0;
    *residual = 0;
    for (int32_t k = 0; ok && k < 50; k++) {
        LitheReport report;
        ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) == LITHE_OK;
        *iterations =
            ok && report.newton_iterations > *iterations ? report.newton_iterations : *iterations;
        *residual = ok ? fmax(*residual, report.residual) : *residual;
    }
    lithe_stand_end(&stand);
    return ok;
}

static bool add_spin(LitheTrial *trial) {
    int32_t one, two;
    double left[2];
    return spin(trial, "backward-euler", &one, &left[0]) &&
           spin(trial, "tr-bdf2", &two, &left[1]) &&
           lithe_trial_add(trial, at_most(one, 1), "free_stone_solves_per_step") &&
           lithe_trial_add(trial, at_most(two, 2), "free_stone_solves_of_two_stages") &&
           lithe_trial_add(trial, at_most(fmax(left[0], left[1]), 1e-9), "free_stone_residual");
}

// --- rest ----------------------------------------------------------------------------------------

// the arch without gaps, from 10 s on; its energy is compared with what its springs store
static bool add_rest(LitheTrial *trial) {
    Rest tight;
    Leaning none;
    return rest(trial, on_edges, 10, trial->refine > 1 ? 600 : 14, &tight, &none) &&
           lithe_trial_add(trial, at_most(tight.drift, 1e-4),
                           "drift_without_gaps_after_10_s [m]") &&
           lithe_trial_add(trial, at_most(tight.gain / fabs(tight.released), 1e-9),
                           "energy_gain_without_gaps_after_10_s");
}

// The arch of the papers falls together on feet that are too far apart, and two of its joints stay
// open: a mechanism, which leans over until one of them has closed, and rests.
static bool add_lean(LitheTrial *trial) {
    Rest rests;
    Leaning leaning;
    if (!rest(trial, as_published, 20, trial->refine > 1 ? 600 : 24, &rests, &leaning))
        return false;
    double rate = log(leaning.last / leaning.first) / (leaning.to - leaning.from);
    return lithe_trial_add(trial, near_to(rate, leaning.hinges.rate, 0.03),
                           "growth_of_the_lean_on_four_hinges [1/s]") &&
           lithe_trial_add(trial, near_to(rests.lean, leaning.hinges.lean, 0.03),
                           "lean_of_the_crown_at_rest [m]") &&
           lithe_trial_add(trial, at_most(rests.drift, 1e-4), "drift_after_20_s [m]") &&
           lithe_trial_add(trial, at_most(rests.gain / rests.released, 1e-9),
                           "energy_gain_after_20_s");
}

bool lithe_case_masonry_arch(LitheTrial *trial) {
    double fallen;
    bool seated;
    bool ok = add_spin(trial) &&
              add_least(trial, on_edges, LEAST_ON_EDGES, "least_friction_feet_on_edges") &&
              stands(trial, on_faces, 0.2, &seated) &&
              lithe_trial_add(trial, near_to(seated, 1, 0), "stands_on_faces_with_friction_0.2") &&
              fall(trial, 0.2, &fallen) &&
              lithe_trial_add(trial, at_most(fallen, 10), "falls_with_friction_0.2_within [s]") &&
              add_rest(trial) && add_lean(trial);
    if (ok && trial->refine > 1)
        ok = add_least(trial, on_faces, LEAST_ON_FACES, "least_friction_feet_on_faces");
    return ok;
}
