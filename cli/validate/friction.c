// SPDX-License-Identifier: Apache-2.0
// cli/validate/friction.c - dry friction: a block on an incline, a block that slides to rest

#include "cli/validate/validate.h"

#define GRAVITY 9.81

// stiff and well damped: objects come to rest on each other immediately
#define STIFF "contact: {stiffness: 1e6 N/m, dissipation: 100 s/m}"

static const char *const laws[] = {"lagged", "sap", "similar"};

// --- incline_threshold ---------------------------------------------------------------------------

// a cube of 1 kg on a tilted plane (not tilted gravity), mu = 0.5
static bool begin_incline(LitheTrial *trial, LitheStand *stand, double angle, const char *law,
                          double step) {
    return lithe_stand_parse(trial, stand,
                             "lithe: 1\n"
                             "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
                             "contact: {friction-law: %s}\n"
                             "materials: {wood: {young: 1 GPa, density: 1000, friction: 0.5, " STIFF
                             "}}\n"
                             "bodies:\n"
                             "  plane: {fixed: true, material: wood, shape: {half-space: {}},\n"
                             "          rotate: {axis: [0, 1, 0], angle: %.17g rad}}\n"
                             "  block: {material: wood, shape: {box: {size: [0.1, 0.1, 0.1]}},\n"
                             "          at: [%.17g, 0, %.17g],\n"
                             "          rotate: {axis: [0, 1, 0], angle: %.17g rad}}\n",
                             step, law, angle, 0.05 * sin(angle), 0.05 * cos(angle), angle);
}

// displacement and speed down the slope
static void on_slope(const LitheStand *stand, double angle, double *distance, double *speed) {
    double pose[7], velocity[6];
    LitheBodyId block = lithe_body_find(stand->model, "block");
    lithe_body_pose(stand->model, stand->state, block, pose);
    lithe_body_velocity(stand->model, stand->state, block, velocity);
    *distance = pose[0] * cos(angle) - pose[2] * sin(angle);
    *speed = velocity[0] * cos(angle) - velocity[2] * sin(angle);
}

// displacement and mean acceleration of the block in `time` seconds, after `settle` seconds in
// which its contact springs come to rest
static bool slide(LitheTrial *trial, double angle, const char *law, double step, double settle,
                  double time, double *distance, double *acceleration) {
    LitheStand stand;
    double from = 0, before = 0, to = 0, after = 0;
    bool ok = begin_incline(trial, &stand, angle, law, step) &&
              lithe_stand_run(trial, &stand, step, settle);
    if (ok)
        on_slope(&stand, angle, &from, &before);
    ok = ok && lithe_stand_run(trial, &stand, step, time);
    if (ok)
        on_slope(&stand, angle, &to, &after);
    *distance = to - from;
    *acceleration = (after - before) / time;
    lithe_stand_end(&stand);
    return ok;
}

static double coulomb(double angle) {
    return fmax(GRAVITY * (sin(angle) - 0.5 * cos(angle)), 0);
}

// acceleration at 30 degrees. With sap and similar the gap of a sliding contact grows with its
// speed.
static bool add_accelerations(LitheTrial *trial) {
    for (int law = 0; law < 3; law++) {
        double distance[2], acceleration[2];
        for (int fine = 0; fine < 2; fine++)
            if (!slide(trial, M_PI / 6, laws[law], (fine ? 2e-3 : 4e-3) / trial->refine, 0.1, 4,
                       &distance[fine], &acceleration[fine]))
                return false;
        LitheFinding f = {
            .measured = acceleration[1], .coarse = acceleration[0], .reference = 0.6571454};
        f.tolerance = 0.005;
        // the tolerance of the solve; under sap the block rocks as it begins to slide
        f.floor = law == 1 ? 2e-4 : 1e-5;
        if (!lithe_trial_add(trial, f, "acceleration_30deg_%s", laws[law]))
            return false;
    }
    return true;
}

// creep at 0.9 of the friction limit under each law
static bool add_creep(LitheTrial *trial) {
    double angle = atan(0.45), distance, acceleration;
    for (int law = 0; law < 3; law++) {
        LitheFinding creep = {.kind = LITHE_ERROR_AT_MOST, .reference = 1e-6};
        for (int fine = 0; fine < 2; fine++) {
            double step = (fine ? 5e-3 : 1e-2) / trial->refine;
            if (!slide(trial, angle, laws[law], step, 1, 10, &distance, &acceleration))
                return false;
            *(fine ? &creep.measured : &creep.coarse) = fabs(distance) / 10;
        }
        if (!lithe_trial_add(trial, creep, "creep_speed_%s", laws[law]))
            return false;
    }
    return true;
}

enum { SLOPES = 21 };

bool lithe_case_incline_threshold(LitheTrial *trial) {
    static const double stuck[] = {20, 25, 26.5};
    double degree = M_PI / 180, distance[2], speed[2], none;
    for (int i = 0; i < 3; i++) {
        for (int fine = 0; fine < 2; fine++)
            if (!slide(trial, stuck[i] * degree, "lagged", (fine ? 5e-3 : 1e-2) / trial->refine,
                       0.1, 10, &distance[fine], &none))
                return false;
        LitheFinding rest = {.measured = distance[1], .coarse = distance[0], .reference = 1e-4};
        rest.kind = LITHE_ERROR_AT_MOST;
        if (!lithe_trial_add(trial, rest, "displacement_in_10s_%gdeg", stuck[i]))
            return false;
    }
    // at 1.001 of the limit, where a distance would measure how the block began to slide
    for (int fine = 0; fine < 2; fine++)
        if (!slide(trial, 26.6 * degree, "lagged", (fine ? 5e-3 : 1e-2) / trial->refine, 0.1, 10,
                   &none, &speed[fine]))
            return false;
    LitheFinding slow = {.measured = speed[1], .coarse = speed[0]};
    slow.reference = coulomb(26.6 * degree);
    slow.tolerance = 1e-3;
    slow.floor = 1e-6;
    double x[SLOPES], y[SLOPES], known[SLOPES];
    for (int i = 0; i < SLOPES; i++) {
        x[i] = 20 + i;
        known[i] = coulomb(x[i] * degree);
        if (!slide(trial, x[i] * degree, "lagged", 5e-3, 0.1, 0.5, &none, &y[i]))
            return false;
    }
    trial->plot.title = "Block on an incline, friction 0.5";
    trial->plot.x_label = "slope [degrees]";
    trial->plot.y_label = "acceleration [m/s^2]";
    return lithe_trial_add(trial, slow, "acceleration_26.6deg") && add_accelerations(trial) &&
           add_creep(trial) && lithe_trial_curve(trial, "Coulomb's law", false, x, known, SLOPES) &&
           lithe_trial_curve(trial, "measured", true, x, y, SLOPES);
}

// --- slide_stop ----------------------------------------------------------------------------------

// below this speed [m/s] the block counts as stopped: it only oscillates on its contact springs
#define SLOW 1e-3

// a block with an initial speed of 2 m/s, mu = 0.3
static bool slide_to_rest(LitheTrial *trial, double heading, double step, double *distance,
                          double *time) {
    LitheStand stand;
    double c = cos(heading), s = sin(heading), pose[7] = {0}, v[6], last = 2, speed = 2;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
        "materials: {wood: {young: 1 GPa, density: 1000, friction: 0.3, " STIFF "}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
        "  block: {material: wood, shape: {box: {size: [0.1, 0.1, 0.05]}},\n"
        "          at: [0, 0, 0.025], velocity: [%.17g, %.17g, 0]}\n",
        step, 2 * c, 2 * s);
    *time = 0;
    while (ok && speed > SLOW && lithe_state_time(stand.state) < 2) {
        ok = lithe_stand_step(trial, &stand);
        lithe_body_velocity(stand.model, stand.state, (LitheBodyId){2}, v);
        last = speed;
        speed = hypot(v[0], v[1]);
        // in the step in which the block stops, the time is interpolated at constant deceleration
        *time += speed > SLOW ? step : last / (0.3 * GRAVITY);
    }
    if (ok)
        lithe_body_pose(stand.model, stand.state, (LitheBodyId){2}, pose);
    *distance = pose[0] * c + pose[1] * s;
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_slide_stop(LitheTrial *trial) {
    enum { ALL = 36 };
    double known = 4 / (2 * 0.3 * GRAVITY), distance[2], time[2], x[ALL], y[ALL], level[ALL];
    for (int i = 0; i < 4; i++) {
        for (int fine = 0; fine < 2; fine++)
            if (!slide_to_rest(trial, 15 * i * M_PI / 180, (fine ? 1e-3 : 2e-3) / trial->refine,
                               &distance[fine], &time[fine]))
                return false;
        LitheFinding far = {.measured = distance[1], .coarse = distance[0], .reference = known};
        LitheFinding late = {.measured = time[1], .coarse = time[0], .reference = known};
        far.tolerance = late.tolerance = 0.01;
        late.floor = 1e-4; // friction grows to its full value in the first steps
        if (!lithe_trial_add(trial, far, "stop_distance_%ddeg", 15 * i) ||
            !lithe_trial_add(trial, late, "stop_time_%ddeg", 15 * i))
            return false;
    }
    double min = INFINITY, max = 0;
    for (int i = 0; i < ALL; i++) {
        x[i] = 10 * i;
        level[i] = known;
        if (!slide_to_rest(trial, x[i] * M_PI / 180, 2e-3, &y[i], &time[0]))
            return false;
        min = fmin(min, y[i]);
        max = fmax(max, y[i]);
    }
    LitheFinding even = {.measured = max / min - 1, .coarse = NAN, .reference = 0.01};
    even.kind = LITHE_ERROR_AT_MOST;
    trial->plot.title = "Block slides to rest from 2 m/s, friction 0.3";
    trial->plot.x_label = "heading [degrees]";
    trial->plot.y_label = "distance [m]";
    return lithe_trial_add(trial, even, "spread_over_36_directions") &&
           lithe_trial_curve(trial, "v^2/(2 mu g)", false, x, level, ALL) &&
           lithe_trial_curve(trial, "measured, steps of 2 ms", true, x, y, ALL);
}
