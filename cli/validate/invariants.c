// SPDX-License-Identifier: Apache-2.0
// cli/validate/invariants.c - conservation: momentum of free rods, and energy

#include "cli/validate/validate.h"

// a free or clamped rod of 1 m and 1 kg; free, its slowest bending mode has a period of 0.28 s
#define EDGES 40

static LitheRodDef make_rod(bool clamp) {
    LitheRodDef rod = lithe_stand_line(1, EDGES + 1, clamp, lithe_stand_section(1, 0.7, 1e4, 1));
    rod.section.radius = 0.05;
    return rod;
}

static bool start(LitheTrial *trial, LitheStand *stand, LitheScheme scheme, double step) {
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = scheme;
    time.step = step;
    time.end = 100;
    time.tolerance = 1e-13;
    lithe_scene_set_time(stand->scene, &time);
    return lithe_stand_compile(trial, stand);
}

static double distance(LitheVec3 a, LitheVec3 b) {
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

// --- free_rod_momentum ---------------------------------------------------------------------------

// largest relative change of linear and of angular momentum
typedef struct Drift {
    double linear, angular;
} Drift;

// In the plane the rod flies, rotates about y and bends; in space it is a curved and twisted rod
// that springs open while it tumbles.
static bool fly(LitheTrial *trial, bool plane, double radius, double step, int32_t steps,
                Drift *out) {
    LitheRodDef rod = make_rod(false);
    rod.section.radius = radius;
    rod.velocity = (LitheVec3){0.3, plane ? 0 : 0.2, 1};
    rod.spin = plane ? (LitheVec3){0, 3, 0} : (LitheVec3){0, 2, 3};
    rod.natural_curvature1 = 2;
    rod.natural_twist = plane ? 0 : 2;
    rod.twist = plane ? 0 : 2;
    LitheStand stand;
    bool ok =
        lithe_stand_begin(trial, &stand, &rod) && start(trial, &stand, LITHE_SCHEME_MIDPOINT, step);
    if (!ok) {
        lithe_stand_end(&stand);
        return false;
    }
    const LitheVec3 nothing = {0, 0, 0};
    LitheVec3 p0 = lithe_momentum(stand.model, stand.state);
    LitheVec3 L0 = lithe_angular_momentum(stand.model, stand.state);
    *out = (Drift){0, 0};
    for (int32_t k = 0; ok && k < steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        LitheVec3 p = lithe_momentum(stand.model, stand.state);
        LitheVec3 L = lithe_angular_momentum(stand.model, stand.state);
        out->linear = fmax(out->linear, distance(p, p0) / distance(p0, nothing));
        out->angular = fmax(out->angular, distance(L, L0) / distance(L0, nothing));
    }
    lithe_stand_end(&stand);
    return ok;
}

// In space the midpoint rule conserves angular momentum only up to its order.
bool lithe_case_free_rod_momentum(LitheTrial *trial) {
    const double radius = 0.02;
    Drift plane, space;
    double steps[4], errors[4], slope[4];
    if (!fly(trial, true, radius, 1e-3 / trial->refine, 1000 * trial->refine, &plane))
        return false;
    LitheFinding line = {.measured = plane.linear, .reference = 1e-10, .coarse = NAN};
    for (int r = 0; r < 4; r++) {
        steps[r] = 1e-3 / (trial->refine << r);
        if (!fly(trial, false, radius, steps[r], (200 * trial->refine) << r, &space))
            return false;
        errors[r] = space.angular;
        line.measured = fmax(line.measured, space.linear);
    }
    for (int r = 0; r < 4; r++)
        slope[r] = errors[3] * pow(steps[r] / steps[3], 2);
    LitheFinding flat = {.measured = plane.angular, .reference = 1e-9, .coarse = NAN};
    line.kind = flat.kind = LITHE_ERROR_AT_MOST;
    LitheFinding order = {.reference = 2, .tolerance = 0.3, .kind = LITHE_ERROR_ABSOLUTE};
    order.coarse = NAN;
    order.measured = log2(errors[2] / errors[3]);
    trial->plot.title = "Free tumbling rod: angular momentum in 0.2 s";
    trial->plot.x_label = "step [s]";
    trial->plot.y_label = "largest relative change";
    trial->plot.log_x = trial->plot.log_y = true;
    return lithe_trial_add(trial, line, "linear_momentum_drift") &&
           lithe_trial_add(trial, flat, "angular_momentum_drift_plane") &&
           lithe_trial_add(trial, order, "angular_momentum_order_space") &&
           lithe_trial_curve(trial, "second order", false, steps, slope, 4) &&
           lithe_trial_curve(trial, "measured", true, steps, errors, 4);
}

// --- rod_energy ----------------------------------------------------------------------------------

// Should be constant: stored and dissipated energy minus work.
static double balance(const LitheStand *stand) {
    LitheEnergy e = lithe_energy(stand->model, stand->state);
    return e.kinetic + e.elastic + e.gravity + e.dissipated - e.work;
}

// the end of the rod is shaken; drag and material damping dissipate the energy
static bool add_shaker(LitheStand *stand) {
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "shaker";
    drive.place =
        (LithePlace){.thing = lithe_thing_rod(stand->rod), .kind = LITHE_PLACE_NODE, .node = -1};
    drive.kind = LITHE_DRIVE_POSITION;
    drive.direction = (LitheVec3){0, 0, 1};
    drive.motion.amplitude = 0.1;
    drive.motion.frequency = 2;
    drive.motion.phase = -0.5 * M_PI;
    drive.motion.value = 0.1;
    return lithe_scene_add_drive(stand->scene, &drive).number > 0;
}

typedef struct Account {
    double worst;    // largest change of the sum [J]
    double scale;    // largest kinetic energy [J]
    double increase; // largest increase in one step [J]
} Account;

// a clamped rod falls under its weight and swings; or it is shaken and damped
static bool swing(LitheTrial *trial, LitheScheme scheme, bool shaken, double step, int32_t steps,
                  Account *out) {
    LitheRodDef rod = make_rod(true);
    if (shaken) {
        rod.section.damping_mass = 0.5;
        rod.section.damping_stiffness = 0.002;
        rod.drag_normal = 0.3;
        rod.drag_tangent = 0.1;
    }
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    if (ok)
        lithe_scene_set_gravity(stand.scene, (LitheVec3){0, 0, -9.81});
    ok = ok && (!shaken || add_shaker(&stand)) && start(trial, &stand, scheme, step);
    *out = (Account){0, 0, -INFINITY};
    double first = ok ? balance(&stand) : 0, last = first;
    for (int32_t k = 0; ok && k < steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        double now = balance(&stand);
        out->worst = fmax(out->worst, fabs(now - first));
        out->increase = fmax(out->increase, now - last);
        out->scale = fmax(out->scale, lithe_energy(stand.model, stand.state).kinetic);
        last = now;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rod_energy(LitheTrial *trial) {
    double steps[4], still[4], shaken[4], x[9], slope[9];
    Account a;
    for (int r = 0; r < 4; r++) {
        int32_t factor = trial->refine << r;
        steps[r] = 4e-3 / factor;
        if (!swing(trial, LITHE_SCHEME_MIDPOINT, false, steps[r], 250 * factor, &a))
            return false;
        still[r] = a.worst / a.scale;
        if (!swing(trial, LITHE_SCHEME_MIDPOINT, true, steps[r], 250 * factor, &a))
            return false;
        shaken[r] = a.worst / a.scale;
    }
    for (int r = 0; r < 9; r++) { // two lines with a gap between
        const double *errors = r < 4 ? still : shaken;
        x[r] = r == 4 ? NAN : steps[r < 4 ? r : r - 5];
        slope[r] = errors[3] * pow(x[r] / steps[3], 2);
    }
    if (!swing(trial, LITHE_SCHEME_BACKWARD_EULER, false, 1e-3, 1000 * trial->refine, &a))
        return false;
    LitheFinding rise = {.measured = a.increase / a.scale, .reference = 1e-11, .coarse = NAN};
    rise.kind = LITHE_ERROR_AT_MOST;
    LitheFinding order = {.reference = 2, .tolerance = 0.3, .kind = LITHE_ERROR_ABSOLUTE};
    order.coarse = NAN;
    order.measured = log2(still[2] / still[3]);
    LitheFinding balance = order;
    balance.measured = log2(shaken[2] / shaken[3]);
    trial->plot.title = "Energy balance, midpoint steps";
    trial->plot.x_label = "step [s]";
    trial->plot.y_label = "largest error in 1 s / largest kinetic energy";
    trial->plot.log_x = trial->plot.log_y = true;
    return lithe_trial_add(trial, order, "midpoint_energy_order") &&
           lithe_trial_add(trial, balance, "driven_damped_balance_order") &&
           lithe_trial_add(trial, rise, "backward_euler_energy_increase") &&
           lithe_trial_curve(trial, "second order", false, x, slope, 9) &&
           lithe_trial_curve(trial, "swinging cantilever", true, steps, still, 4) &&
           lithe_trial_curve(trial, "shaken and damped", true, steps, shaken, 4);
}
