// SPDX-License-Identifier: Apache-2.0
// cli/validate/lcp.c - the contact model lcp: blocks that stick, slide and stop under polyhedral
// friction

#include "cli/validate/validate.h"

#define GRAVITY 9.81

// --- lcp_friction --------------------------------------------------------------------------------

// a cube of 1 kg on a slope; how far and how fast it slides from 0.1 s on, for `time` seconds
static bool slide(LitheTrial *trial, double angle, double step, double time, double *distance,
                  double *acceleration) {
    LitheStand stand;
    double pose[2][7], v[2][6];
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s}\n"
        "contact: {model: lcp}\n"
        "materials: {wood: {young: 1 GPa, density: 1000, friction: 0.5}}\n"
        "bodies:\n"
        "  plane: {fixed: true, material: wood, shape: {half-space: {}},\n"
        "          rotate: {axis: [0, 1, 0], angle: %.17g rad}}\n"
        "  block: {material: wood, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [%.17g, 0, %.17g],\n"
        "          rotate: {axis: [0, 1, 0], angle: %.17g rad}}\n",
        step, angle, 0.05 * sin(angle), 0.05 * cos(angle), angle);
    for (int k = 0; k < 2 && ok; k++) {
        ok = lithe_stand_run(trial, &stand, step, k == 0 ? 0.1 : time);
        if (!ok)
            break;
        lithe_body_pose(stand.model, stand.state, (LitheBodyId){2}, pose[k]);
        lithe_body_velocity(stand.model, stand.state, (LitheBodyId){2}, v[k]);
    }
    if (ok) {
        *distance = hypot(pose[1][0] - pose[0][0], pose[1][2] - pose[0][2]);
        *acceleration = (hypot(v[1][0], v[1][2]) - hypot(v[0][0], v[0][2])) / time;
    }
    lithe_stand_end(&stand);
    return ok;
}

// Friction against the motion of a block that slides at 2 m/s with a heading, over that of Coulomb,
// mean of the first 0.05 s; mu = 0.3.
static bool brake(LitheTrial *trial, int directions, double heading, double step,
                  double *friction) {
    LitheStand stand;
    double v[6];
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s}\n"
        "contact: {model: lcp, lcp: {directions: %d}}\n"
        "materials: {wood: {young: 1 GPa, density: 1000, friction: 0.3}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
        "  block: {material: wood, shape: {box: {size: [0.1, 0.1, 0.05]}}, at: [0, 0, 0.025],\n"
        "          velocity: [%.17g, %.17g, 0]}\n",
        step, directions, 2 * cos(heading), 2 * sin(heading));
    ok = ok && lithe_stand_run(trial, &stand, step, 0.05);
    if (ok) {
        lithe_body_velocity(stand.model, stand.state, (LitheBodyId){2}, v);
        *friction = (2 - (v[0] * cos(heading) + v[1] * sin(heading))) / (0.05 * 0.3 * GRAVITY);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_lcp_friction(LitheTrial *trial) {
    static const int directions[] = {4, 8, 16, 32};
    enum { COUNT = 4 };
    double x[COUNT], y[COUNT], bound[COUNT], distance[2], acceleration[2];
    for (int fine = 0; fine < 2; fine++)
        if (!slide(trial, M_PI / 6, (fine ? 2e-3 : 4e-3) / trial->refine, 1, &distance[fine],
                   &acceleration[fine]))
            return false;
    LitheFinding fast = {
        .measured = acceleration[1], .coarse = acceleration[0], .reference = 0.6571454};
    fast.tolerance = 0.005;
    fast.floor = 1e-5;
    if (!lithe_trial_add(trial, fast, "acceleration_30deg"))
        return false;
    for (int fine = 0; fine < 2; fine++)
        if (!slide(trial, 26.5 * M_PI / 180, (fine ? 2e-3 : 4e-3) / trial->refine, 1,
                   &distance[fine], &acceleration[fine]))
            return false;
    LitheFinding rest = {.measured = distance[1], .coarse = distance[0], .reference = 1e-6};
    rest.kind = LITHE_ERROR_AT_MOST;
    if (!lithe_trial_add(trial, rest, "displacement_in_1s_26.5deg"))
        return false;
    for (int i = 0; i < COUNT; i++) {
        // the motion is pi/r off the nearest directions: friction against it is cos(pi/r) of mu N
        double off = M_PI / directions[i], along = 0, between = 0;
        if (!brake(trial, directions[i], 0, 1e-3 / trial->refine, &along) ||
            !brake(trial, directions[i], off, 1e-3 / trial->refine, &between))
            return false;
        LitheFinding exact = {.measured = along, .coarse = NAN, .reference = 1, .tolerance = 1e-3};
        LitheFinding worst = {.measured = fabs(1 - between), .coarse = NAN};
        worst.kind = LITHE_ERROR_AT_MOST;
        worst.reference = 1 - cos(off) + 1e-3;
        x[i] = directions[i];
        y[i] = fabs(1 - between);
        bound[i] = 1 - cos(off);
        if (!lithe_trial_add(trial, exact, "friction_along_a_direction_r%d", directions[i]) ||
            !lithe_trial_add(trial, worst, "lack_of_friction_between_r%d", directions[i]))
            return false;
    }
    trial->plot.title = "Polyhedral friction: lack against the motion, worst heading";
    trial->plot.x_label = "directions";
    trial->plot.y_label = "1 - friction/(mu N)";
    return lithe_trial_curve(trial, "1 - cos(pi/r)", false, x, bound, COUNT) &&
           lithe_trial_curve(trial, "measured", true, x, y, COUNT);
}
