// SPDX-License-Identifier: Apache-2.0
// cli/validate/rolling.c - rolling: a sphere from sliding to rolling, inclines

#include "cli/validate/validate.h"

#define GRAVITY 9.81
#define RADIUS 0.05

// --- billiard_slide_roll -------------------------------------------------------------------------

enum { SHOTS = 50 };

typedef struct Shot {
    double speed;                                // while the sphere rolls [m/s]
    double time, distance;                       // at the onset of rolling
    double t[SHOTS], v[SHOTS], surface_v[SHOTS]; // every 10 ms; v and radius times angular velocity
} Shot;

// a sphere of 0.2 kg starts at 2 m/s without rotation, mu = 0.2
static bool shoot(LitheTrial *trial, int32_t steps_per_sample, Shot *out) {
    LitheStand stand;
    double step = 0.01 / steps_per_sample, pose[7], v[6], slip = 2, last = 2;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
        "materials: {ivory: {young: 1 GPa, density: 381.9719, friction: 0.2,\n"
        "                    contact: {stiffness: 1e6 N/m, dissipation: 100 s/m}}}\n"
        "bodies:\n"
        "  table: {fixed: true, material: ivory, shape: {half-space: {}}}\n"
        "  ball: {material: ivory, shape: {sphere: {radius: 0.05}}, at: [0, 0, 0.05],\n"
        "         velocity: [2, 0, 0]}\n",
        step);
    out->time = out->distance = out->speed = 0;
    for (int32_t i = 0; ok && i < SHOTS; i++) {
        for (int32_t k = 0; ok && k < steps_per_sample; k++) {
            ok = lithe_stand_step(trial, &stand);
            lithe_body_velocity(stand.model, stand.state, (LitheBodyId){2}, v);
            lithe_body_pose(stand.model, stand.state, (LitheBodyId){2}, pose);
            last = slip;
            slip = v[0] - RADIUS * v[4];
            // the slip ends within this step: at a rate of 7/2 mu g it takes this part of the step
            if (out->time == 0 && slip < 1e-6) {
                double part = last / (3.5 * 0.2 * GRAVITY);
                out->time = lithe_state_time(stand.state) - step + part;
                out->distance = pose[0] - (step - part) * v[0];
            }
        }
        out->t[i] = 0.01 * (i + 1);
        out->v[i] = v[0];
        out->surface_v[i] = RADIUS * v[4];
    }
    out->speed = out->v[SHOTS - 1];
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_billiard_slide_roll(LitheTrial *trial) {
    Shot coarse, fine;
    if (!shoot(trial, 5 * trial->refine, &coarse) || !shoot(trial, 10 * trial->refine, &fine))
        return false;
    LitheFinding speed = {.measured = fine.speed, .coarse = coarse.speed, .reference = 10.0 / 7};
    LitheFinding time = {.measured = fine.time, .coarse = coarse.time, .reference = 0.291248};
    LitheFinding distance = {
        .measured = fine.distance, .coarse = coarse.distance, .reference = 0.4992823};
    speed.tolerance = 0.01;
    speed.floor = 1e-4; // it rolls about a point midway in the overlap, 2e-5 of its radius deep
    time.tolerance = distance.tolerance = 0.02;
    time.floor = 2e-4; // friction grows in the first steps, with the overlap
    double x[SHOTS], v[SHOTS], spin[SHOTS];
    for (int i = 0; i < SHOTS; i++) {
        x[i] = fine.t[i];
        v[i] = fmax(2 - 0.2 * GRAVITY * x[i], 10.0 / 7);
        spin[i] = fmin(2.5 * 0.2 * GRAVITY * x[i], 10.0 / 7);
    }
    trial->plot.title = "Sphere slides, then rolls; friction 0.2";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "[m/s]";
    return lithe_trial_add(trial, speed, "speed_rolling") &&
           lithe_trial_add(trial, time, "time_until_rolling") &&
           lithe_trial_add(trial, distance, "distance_until_rolling") &&
           lithe_trial_curve(trial, "speed, closed form", false, x, v, SHOTS) &&
           lithe_trial_curve(trial, "radius times angular velocity, closed form", false, x, spin,
                             SHOTS) &&
           lithe_trial_curve(trial, "speed", true, x, fine.v, SHOTS) &&
           lithe_trial_curve(trial, "radius times angular velocity", true, x, fine.surface_v,
                             SHOTS);
}

// --- rolling_incline -----------------------------------------------------------------------------

typedef struct Roller {
    const char *name;
    const char *thing; // lines of the scene
    double mu;
    double acceleration, turn; // expected; turn 0: it rolls without slip
    double tolerance;
} Roller;

// on the slope, which is along x; a hoop is a tube with given mass and inertia
#define CYLINDER \
    "shape: {cylinder: {radius: 0.05, length: 0.1}, rotate: {axis: [1, 0, 0], angle: 90 deg}}"
static const Roller rollers[] = {
    {"sphere", "  roller: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, 0.05]}\n", 0.5,
     2.961347, 0, 0.01},
    {"sphere_slips", "  roller: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, 0.05]}\n",
     0.1, 3.256797, 44.4544, 0.01},
    {"cylinder", "  roller: {material: m, " CYLINDER ", at: [0, 0, 0.05]}\n", 0.5, 2.763923, 0,
     0.02},
    {"hoop",
     "  roller: {material: m, " CYLINDER ", at: [0, 0, 0.05], mass: 1,\n"
     "           inertia: [0.00208, 0.0025, 0.00208, 0, 0, 0]}\n",
     0.5, 2.072943, 0, 0.02},
    {"rod",
     "rods:\n"
     "  roller: {material: m, section: {circle: {radius: 0.05}}, nodes: 11,\n"
     "           shape: {line: {from: [0, -0.5, 0.05], to: [0, 0.5, 0.05]}}}\n",
     0.5, 2.763923, 0, 0.02},
};
enum { ROLLERS = (int)(sizeof rollers / sizeof *rollers), SAMPLES = 20 };

// speed [m/s] and angular velocity [rad/s] at multiples of 50 ms
static bool roll(LitheTrial *trial, const Roller *roller, int32_t steps_per_sample,
                 double speed[SAMPLES], double spin[SAMPLES]) {
    LitheStand stand;
    double slope = 25 * M_PI / 180;
    bool ok =
        lithe_stand_parse(trial, &stand,
                          "lithe: 1\n"
                          "gravity: [%.17g, 0, %.17g]\n"
                          "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
                          "materials: {m: {young: 1 GPa, density: 1000, friction: %g,\n"
                          "                contact: {stiffness: 1e6 N/m, dissipation: 100 s/m}}}\n"
                          "bodies:\n"
                          "  slope: {fixed: true, material: m, shape: {half-space: {}}}\n%s",
                          GRAVITY * sin(slope), -GRAVITY * cos(slope), 0.05 / steps_per_sample,
                          roller->mu, roller->thing);
    for (int32_t i = 0; ok && i < SAMPLES; i++) {
        for (int32_t k = 0; ok && k < steps_per_sample; k++)
            ok = lithe_stand_step(trial, &stand);
        double v[6] = {0};
        if (ok && lithe_rod_count(stand.model) > 0) {
            const double *own = lithe_rod_v(stand.model, stand.state, (LitheRodId){1});
            v[0] = own[4 * 5]; // the middle
            v[4] = own[4 * 5 + 3];
        } else if (ok) {
            lithe_body_velocity(stand.model, stand.state, (LitheBodyId){2}, v);
        }
        speed[i] = v[0];
        spin[i] = v[4];
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rolling_incline(LitheTrial *trial) {
    double t[SAMPLES], speed[2][SAMPLES], spin[2][SAMPLES], known[SAMPLES];
    trial->plot.title = "Down a slope of 25 degrees";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "speed [m/s]";
    for (int i = 0; i < ROLLERS; i++) {
        const Roller *r = &rollers[i];
        for (int fine = 0; fine < 2; fine++)
            if (!roll(trial, r, (fine ? 50 : 25) * trial->refine, speed[fine], spin[fine]))
                return false;
        LitheFinding gain = {.measured = speed[1][SAMPLES - 1], .coarse = speed[0][SAMPLES - 1]};
        LitheFinding turn = {.measured = spin[1][SAMPLES - 1], .coarse = spin[0][SAMPLES - 1]};
        gain.reference = r->acceleration;
        turn.reference = r->turn > 0 ? r->turn : r->acceleration / RADIUS;
        gain.tolerance = turn.tolerance = r->tolerance;
        gain.floor = turn.floor = 2e-4; // its overlap is up to 2e-4 of its radius
        for (int k = 0; k < SAMPLES; k++) {
            t[k] = 0.05 * (k + 1);
            known[k] = r->acceleration * t[k];
        }
        if (!lithe_trial_add(trial, gain, "acceleration_%s", r->name) ||
            !lithe_trial_add(trial, turn, "turning_%s", r->name) ||
            (i < 4 && (!lithe_trial_curve(trial, r->name, true, t, speed[1], SAMPLES) ||
                       !lithe_trial_curve(trial, "closed form", false, t, known, SAMPLES))))
            return false;
    }
    return true;
}
