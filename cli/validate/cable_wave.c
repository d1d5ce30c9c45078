// SPDX-License-Identifier: Apache-2.0
// cli/validate/cable_wave.c - a cable of measured stiffnesses hangs in a tank as in a published
// test
//
// Holcombe et al. (2025) hung a power cable of 3.67 m at 1:70 between a platform and a tether, with
// 20 buoyancy modules that hold a part of it up, and marked seven of its points. Masses,
// stiffnesses and buoyant forces were measured; nothing is fitted here. The places of the markers
// were read off the published figure within two of its pixels. How the platform held the cable was
// not measured: here it turns freely there.

#include "cli/validate/validate.h"

#include <stdio.h>

#define LENGTH 3.67 // from the platform to the tether [m]
#define GRAVITY 9.80665
#define WATER 1000.0 // kg/m^3
#define MODULES 20
#define MARKERS 7

// measured: arc length of each marker, and its place [m]; the last one is where the tether begins
static const double arcs[MARKERS] = {1.01, 1.44, 1.87, 2.30, 2.73, 3.16, 3.67};
static const double places[MARKERS][2] = {
    {0.987839, -0.740706}, {1.429530, -0.692014}, {1.819622, -0.522007}, {2.170498, -0.297532},
    {2.610125, -0.290930}, {2.950681, -0.529435}, {3.297429, -0.923092}};
static const double platform[2] = {0.075561, -0.290105};

// net forces upwards [N]: buoyant force less weight, of a module and of a marker
static const double module_lift = 27.3e-3 - 1.36e-3 * GRAVITY;
static const double marker_lift = 14.1e-3 - 1.1e-3 * GRAVITY;

static bool lift(LitheStand *stand, const char *kind, int32_t number, double arc, double force) {
    char name[32];
    snprintf(name, sizeof name, "%s-%d", kind, (int)number);
    LitheForceDef def = lithe_force_def_default();
    def.name = name;
    def.place = (LithePlace){.thing = lithe_thing_rod(stand->rod),
                             .kind = LITHE_PLACE_FRACTION,
                             .fraction = arc / LENGTH};
    def.force = (LitheVec3){0, 0, force};
    return lithe_scene_add_force(stand->scene, &def);
}

// the cable at rest: places of the markers
static bool hang(LitheTrial *trial, int32_t edges, double x[MARKERS], double z[MARKERS]) {
    // a static cable feels its weight less that of the water which it displaces; in a plane GJ has
    // no effect
    double displaced = WATER * M_PI * 0.0023 * 0.0023 / 4;
    LitheStand stand;
    bool ok = lithe_stand_text(
        trial, &stand,
        "lithe: 1\n"
        "time: {scheme: static, step: 1, end: 1}\n"
        "gravity: [0, 0, %.9g]\n"
        "contact: {enabled: false}\n"
        "rods: {cable: {section: {stiffness: {from: model-power-cable, mass-per-length: %.9g, "
        "GJ: 1e-3}},\n"
        "  shape: {catenary: {from: [%.9g, 0, %.9g], to: [%.9g, 0, %.9g], length: %.9g}}, "
        "nodes: %d}}\n"
        "holds: {platform: {on: cable.start}, tether: {on: cable.end}}\n",
        -GRAVITY, 0.0127 - displaced, platform[0], platform[1], places[MARKERS - 1][0],
        places[MARKERS - 1][1], LENGTH, (int)edges + 1);
    stand.rod = (LitheRodId){1};
    for (int32_t i = 0; ok && i < MODULES; i++)
        ok = lift(&stand, "module", i, 2.14 + (3.23 - 2.14) * i / (MODULES - 1), module_lift);
    for (int32_t i = 0; ok && i < MARKERS - 1; i++)
        ok = lift(&stand, "marker", i, arcs[i], marker_lift);
    ok = ok && lithe_stand_compile(trial, &stand) && lithe_stand_equilibrium(trial, &stand);
    for (int32_t i = 0; ok && i < MARKERS; i++) {
        LitheVec3 at = lithe_stand_node(&stand, (int32_t)lround(edges * arcs[i] / LENGTH));
        x[i] = at.x;
        z[i] = at.z;
    }
    ok = ok && lithe_trial_shape(trial, "cable", &stand, 4);
    lithe_stand_end(&stand);
    return ok;
}

// of the circle through three neighbouring markers [1/m]
static double curvature(const double x[MARKERS], const double z[MARKERS], int32_t i) {
    double ax = x[i] - x[i - 1], az = z[i] - z[i - 1], bx = x[i + 1] - x[i], bz = z[i + 1] - z[i];
    double cx = x[i + 1] - x[i - 1], cz = z[i + 1] - z[i - 1];
    return 2 * fabs(ax * bz - az * bx) / (hypot(ax, az) * hypot(bx, bz) * hypot(cx, cz));
}

// largest change of the measured curvature when each coordinate moves within two pixels
static double scatter(const double x[MARKERS], const double z[MARKERS], int32_t i) {
    double centre = curvature(x, z, i), largest = 0;
    for (int bits = 0; bits < 64; bits++) {
        double px[MARKERS], pz[MARKERS];
        for (int k = 0; k < MARKERS; k++) {
            int at = k - i + 1;
            bool moves = at >= 0 && at < 3;
            px[k] = x[k] + (moves ? (bits >> 2 * at & 1 ? 8.256e-3 : -8.256e-3) : 0);
            pz[k] = z[k] + (moves ? (bits >> (2 * at + 1) & 1 ? 3.301e-3 : -3.301e-3) : 0);
        }
        largest = fmax(largest, fabs(curvature(px, pz, i) - centre));
    }
    return largest;
}

bool lithe_case_cable_wave(LitheTrial *trial) {
    double x[MARKERS], z[MARKERS], mx[MARKERS], mz[MARKERS], sum = 0;
    if (!hang(trial, 367 * trial->refine, x, z))
        return false;
    for (int32_t i = 0; i < MARKERS; i++) {
        mx[i] = places[i][0];
        mz[i] = places[i][1];
        sum += i < MARKERS - 1 ? pow(x[i] - mx[i], 2) + pow(z[i] - mz[i], 2) : 0;
    }
    trial->plot.title = "Power cable of 3.67 m with buoyancy modules";
    trial->plot.x_label = "x [m]";
    trial->plot.y_label = "z [m]";
    trial->plot.equal = true;
    bool ok = lithe_trial_curve(trial, "measured", true, mx, mz, MARKERS);
    for (int32_t i = 1; ok && i < MARKERS - 1; i++) {
        LitheFinding f = near_to(curvature(x, z, i), curvature(mx, mz, i), scatter(mx, mz, i));
        f.kind = i == 3 ? LITHE_ERROR_REPORTED : LITHE_ERROR_ABSOLUTE;
        ok = lithe_trial_add(trial, f, "curvature at %.2f m", arcs[i]);
    }
    return ok && lithe_trial_add(trial, reported(sqrt(sum / (MARKERS - 1))), "places, rms [m]");
}
