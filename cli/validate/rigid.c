// SPDX-License-Identifier: Apache-2.0
// cli/validate/rigid.c - rigid bodies: free fall, a double pendulum, a body that turns over

#include "cli/validate/validate.h"

#include "base/status.h"

#define GRAVITY 9.81

static bool begin(LitheTrial *trial, LitheStand *stand, LitheScheme scheme, double step,
                  double gravity) {
    if (!lithe_stand_begin(trial, stand, NULL))
        return false;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = scheme;
    time.step = step;
    time.end = 1000;
    lithe_scene_set_time(stand->scene, &time);
    lithe_scene_set_gravity(stand->scene, (LitheVec3){0, 0, -gravity});
    return true;
}

static LitheBodyDef make_body(const char *name, double mass, double I1, double I2, double I3) {
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.mass = mass;
    body.inertia[0] = I1;
    body.inertia[1] = I2;
    body.inertia[2] = I3;
    return body;
}

// --- free_fall_order -----------------------------------------------------------------------------

// height after 1 s
static bool fall(LitheTrial *trial, LitheScheme scheme, int32_t steps, double *z) {
    LitheStand stand;
    LitheBodyDef body = make_body("stone", 2, 0.1, 0.2, 0.15);
    bool ok = begin(trial, &stand, scheme, 1.0 / steps, GRAVITY);
    LitheBodyId id = {ok ? lithe_scene_add_body(stand.scene, &body).number : 0};
    ok = ok && id.number > 0 && lithe_stand_compile(trial, &stand);
    for (int32_t i = 0; ok && i < steps; i++)
        ok = lithe_stand_step(trial, &stand);
    double pose[7] = {0};
    if (ok)
        lithe_body_pose(stand.model, stand.state, id, pose);
    *z = pose[2];
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_free_fall_order(LitheTrial *trial) {
    const double z = -0.5 * GRAVITY;
    double steps[4], errors[4], lag[4], euler[4], ten, one, middle;
    for (int r = 0; r < 4; r++) {
        int32_t count = (100 * trial->refine) << r;
        steps[r] = 1.0 / count;
        if (!fall(trial, LITHE_SCHEME_BACKWARD_EULER, count, &euler[r]))
            return false;
        errors[r] = fabs(euler[r] - z);
        lag[r] = 0.5 * GRAVITY * steps[r];
    }
    if (!fall(trial, LITHE_SCHEME_BACKWARD_EULER, 100, &ten) ||
        !fall(trial, LITHE_SCHEME_BACKWARD_EULER, 1000, &one) ||
        !fall(trial, LITHE_SCHEME_MIDPOINT, 100, &middle))
        return false;
    LitheFinding height = {.measured = euler[1], .coarse = euler[0], .reference = z};
    height.tolerance = 0.02;
    LitheFinding order = {.measured = log2(errors[2] / errors[3]), .reference = 1, .coarse = NAN};
    order.tolerance = 0.01;
    LitheFinding bias = {.coarse = NAN, .tolerance = 1e-9, .kind = LITHE_ERROR_ABSOLUTE};
    LitheFinding bias_ten = bias, bias_one = bias, bias_middle = bias;
    bias_ten.measured = ten - z;
    bias_ten.reference = -0.04905;
    bias_one.measured = one - z;
    bias_one.reference = -0.004905;
    bias_middle.measured = middle - z;
    order.kind = LITHE_ERROR_ABSOLUTE;
    trial->plot.title = "Free fall for 1 s, backward Euler: error";
    trial->plot.x_label = "step [s]";
    trial->plot.y_label = "error of the height [m]";
    trial->plot.log_x = trial->plot.log_y = true;
    return lithe_trial_add(trial, height, "height_euler") &&
           lithe_trial_add(trial, order, "order_euler") &&
           lithe_trial_add(trial, bias_ten, "bias_euler_10ms") &&
           lithe_trial_add(trial, bias_one, "bias_euler_1ms") &&
           lithe_trial_add(trial, bias_middle, "bias_midpoint_10ms") &&
           lithe_trial_curve(trial, "g t h/2", false, steps, lag, 4) &&
           lithe_trial_curve(trial, "measured", true, steps, errors, 4);
}

// --- double_pendulum -----------------------------------------------------------------------------

enum { TIMES = 5, SAMPLES = 81 };
static const double pendulum_times[TIMES] = {0.25, 0.5, 1, 1.5, 2};

/// Angles of both links from the vertical, at multiples of 25 ms.
typedef struct Swing {
    double theta[2][SAMPLES];
    double energy; // largest change [J]
} Swing;

// two point masses of 1 kg on links of 1 m without mass; both start horizontal
static bool add_pendulum(LitheScene *scene, LitheJointId joints[2]) {
    LitheBodyId above = {0};
    for (int i = 0; i < 2; i++) {
        LitheBodyDef body = make_body(i ? "lower" : "upper", 1, 1e-12, 1e-12, 1e-12);
        body.centre = (LitheVec3){0, 0, -1};
        LitheJointDef joint = lithe_joint_def_default();
        joint.name = i ? "elbow" : "shoulder";
        joint.kind = LITHE_JOINT_REVOLUTE;
        joint.parent = above;
        joint.child = above = lithe_scene_add_body(scene, &body);
        joint.parent_at = (LitheVec3){0, 0, i ? -1 : 0};
        // z of the joint along -y: a positive angle moves the mass towards +x
        joint.parent_rotation = joint.child_rotation = (LitheQuat){sqrt(0.5), sqrt(0.5), 0, 0};
        joint.position = i ? 0 : 0.5 * M_PI;
        joints[i] = lithe_scene_add_joint(scene, &joint);
        if (above.number == 0 || joints[i].number == 0)
            return false;
    }
    return true;
}

static bool swing(LitheTrial *trial, int32_t steps_a_sample, Swing *out) {
    LitheStand stand;
    LitheJointId joints[2];
    bool ok = begin(trial, &stand, LITHE_SCHEME_MIDPOINT, 0.025 / steps_a_sample, GRAVITY) &&
              add_pendulum(stand.scene, joints) && lithe_stand_compile(trial, &stand);
    double first = 0;
    out->energy = 0;
    for (int32_t i = 0; ok && i < SAMPLES; i++) {
        for (int32_t k = 0; ok && i > 0 && k < steps_a_sample; k++)
            ok = lithe_stand_step(trial, &stand);
        LitheEnergy e = lithe_energy(stand.model, stand.state);
        first = i == 0 ? e.kinetic + e.gravity : first;
        out->energy = fmax(out->energy, fabs(e.kinetic + e.gravity - first));
        double a = *lithe_joint_position(stand.model, stand.state, joints[0]);
        out->theta[0][i] = a;
        out->theta[1][i] = a + *lithe_joint_position(stand.model, stand.state, joints[1]);
    }
    lithe_stand_end(&stand);
    return ok;
}

// Lagrange's equations of the two angles, solved for their second derivatives; y = (a, b, a', b')
static void pendulum_rate(const double y[4], double out[4]) {
    double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
    double f = -2 * GRAVITY * sin(y[0]) - s * y[3] * y[3];
    double g = -GRAVITY * sin(y[1]) + s * y[2] * y[2];
    out[0] = y[2];
    out[1] = y[3];
    out[2] = (f - c * g) / (2 - c * c);
    out[3] = (2 * g - c * f) / (2 - c * c);
}

// the classical Runge-Kutta method, 250 steps per sample: 1e-4 s
static void pendulum_reference(double theta[2][SAMPLES]) {
    double y[4] = {0.5 * M_PI, 0.5 * M_PI, 0, 0}, h = 1e-4;
    for (int32_t i = 0; i < SAMPLES; i++) {
        for (int32_t n = 0; i > 0 && n < 250; n++) {
            double k[5][4] = {{0}}, at[4];
            for (int s = 1; s < 5; s++) {
                for (int j = 0; j < 4; j++)
                    at[j] = y[j] + (s == 4 ? h : 0.5 * h) * k[s - 1][j];
                pendulum_rate(at, k[s]);
            }
            for (int j = 0; j < 4; j++)
                y[j] += h / 6 * (k[1][j] + 2 * k[2][j] + 2 * k[3][j] + k[4][j]);
        }
        theta[0][i] = y[0];
        theta[1][i] = y[1];
    }
}

bool lithe_case_double_pendulum(LitheTrial *trial) {
    static const double known[2][TIMES] = {{1.270414, 0.5704721, -0.6250877, -1.674797, -0.4829715},
                                           {1.560182, 1.203875, -1.034585, -1.344972, -1.324049}};
    Swing coarse, fine;
    double t[SAMPLES], reference[2][SAMPLES];
    if (!swing(trial, 12 * trial->refine, &coarse) || !swing(trial, 24 * trial->refine, &fine))
        return false;
    pendulum_reference(reference);
    for (int32_t i = 0; i < SAMPLES; i++)
        t[i] = 0.025 * i;
    for (int link = 0; link < 2; link++)
        for (int i = 0; i < TIMES; i++) {
            int32_t at = (int32_t)lround(pendulum_times[i] / 0.025);
            LitheFinding f = {.measured = fine.theta[link][at], .coarse = coarse.theta[link][at]};
            f.reference = known[link][i];
            f.tolerance = 0.05;
            f.kind = LITHE_ERROR_ABSOLUTE;
            f.floor = 2e-6; // precision of the reference
            if (!lithe_trial_add(trial, f, "theta%d_at_%gs", link + 1, pendulum_times[i]))
                return false;
        }
    LitheFinding order = {.measured = log2(coarse.energy / fine.energy), .coarse = NAN};
    order.reference = 2;
    order.tolerance = 0.3;
    order.kind = LITHE_ERROR_ABSOLUTE;
    trial->plot.title = "Double pendulum, released from horizontal";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "angle from the vertical [rad]";
    return lithe_trial_add(trial, order, "energy_order") &&
           lithe_trial_curve(trial, "upper, Runge-Kutta", false, t, reference[0], SAMPLES) &&
           lithe_trial_curve(trial, "lower, Runge-Kutta", false, t, reference[1], SAMPLES) &&
           lithe_trial_curve(trial, "upper", true, t, fine.theta[0], SAMPLES) &&
           lithe_trial_curve(trial, "lower", true, t, fine.theta[1], SAMPLES);
}

// --- dzhanibekov ---------------------------------------------------------------------------------

enum { FLIPS = 6, SPINS = 301 };
static const double flip_times[FLIPS] = {2.633028, 7.899083, 13.16514, 18.43119, 23.69725, 28.9633};

/// Thirty seconds of a body without torque.
typedef struct Tumble {
    double flips[FLIPS]; // when the angular velocity about its middle axis is zero [s]
    int32_t count;
    double t[SPINS], spin[SPINS]; // every 0.1 s [rad/s]
    double energy;                // at the start [J]
    LitheVec3 momentum;           // likewise, about the centre [kg m^2/s]
    double energy_drift, momentum_drift;
} Tumble;

static double length(LitheVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// angular velocity about the body's y axis: R e_y times the angular velocity in the world
static double middle_speed(const LitheStand *stand, LitheBodyId body, LitheJointId joint) {
    double p[7];
    lithe_body_pose(stand->model, stand->state, body, p);
    const double *w = lithe_joint_velocity(stand->model, stand->state, joint) + 3;
    double x = 2 * (p[4] * p[5] - p[3] * p[6]), y = 1 - 2 * (p[4] * p[4] + p[6] * p[6]);
    return x * w[0] + y * w[1] + 2 * (p[5] * p[6] + p[3] * p[4]) * w[2];
}

static void watch(const LitheStand *stand, double now, double before, double step, Tumble *out) {
    double t = lithe_state_time(stand->state);
    if ((now > 0) != (before > 0) && out->count < FLIPS)
        out->flips[out->count++] = t - step * now / (now - before);
    LitheEnergy e = lithe_energy(stand->model, stand->state);
    LitheVec3 L = lithe_angular_momentum(stand->model, stand->state), L0 = out->momentum;
    LitheVec3 change = {L.x - L0.x, L.y - L0.y, L.z - L0.z};
    out->energy_drift = fmax(out->energy_drift, fabs(e.kinetic / out->energy - 1));
    out->momentum_drift = fmax(out->momentum_drift, length(change) / length(L0));
}

static bool tumble(LitheTrial *trial, int32_t steps_a_sample, Tumble *out) {
    LitheStand stand;
    double step = 0.1 / steps_a_sample;
    LitheBodyDef body = make_body("nut", 1, 0.001, 0.002, 0.003);
    body.spin = (LitheVec3){0.01, 5, 0};
    LitheJointDef joint = lithe_joint_def_default(); // a free joint: its velocity can be read
    joint.name = "flight";
    joint.kind = LITHE_JOINT_FREE;
    bool ok = begin(trial, &stand, LITHE_SCHEME_MIDPOINT, step, 0);
    joint.child.number = ok ? lithe_scene_add_body(stand.scene, &body).number : 0;
    LitheJointId flight = {ok ? lithe_scene_add_joint(stand.scene, &joint).number : 0};
    ok = ok && flight.number > 0 && lithe_stand_compile(trial, &stand);
    *out = (Tumble){.count = 0};
    if (ok) {
        out->energy = lithe_energy(stand.model, stand.state).kinetic;
        out->momentum = lithe_angular_momentum(stand.model, stand.state);
    }
    double before = 5;
    for (int32_t i = 0; ok && i < SPINS; i++) {
        for (int32_t k = 0; ok && i > 0 && k < steps_a_sample; k++) {
            ok = lithe_stand_step(trial, &stand);
            double now = middle_speed(&stand, joint.child, flight);
            watch(&stand, now, before, step, out);
            before = now;
        }
        out->t[i] = 0.1 * i;
        out->spin[i] = before;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_dzhanibekov(LitheTrial *trial) {
    Tumble rough, coarse, fine;
    if (!tumble(trial, 10, &rough) || !tumble(trial, 50 * trial->refine, &coarse) ||
        !tumble(trial, 100 * trial->refine, &fine))
        return false;
    if (coarse.count < FLIPS || fine.count < FLIPS)
        return lithe_fail(&trial->error, LITHE_CANNOT_GO_ON, "only %d flips in 30 s", fine.count) ==
               LITHE_OK;
    LitheFinding period = {.tolerance = 0.02, .floor = 1e-6, .reference = 10.53211};
    period.measured = 2 * (fine.flips[FLIPS - 1] - fine.flips[0]) / (FLIPS - 1);
    period.coarse = 2 * (coarse.flips[FLIPS - 1] - coarse.flips[0]) / (FLIPS - 1);
    bool ok = lithe_trial_add(trial, period, "full_period");
    for (int i = 0; ok && i < FLIPS; i++) {
        LitheFinding flip = {.measured = fine.flips[i], .coarse = coarse.flips[i]};
        flip.reference = flip_times[i];
        flip.tolerance = 0.02;
        flip.floor = 1e-6;
        ok = lithe_trial_add(trial, flip, "flip_%d", i + 1);
    }
    LitheFinding energy = {.measured = fine.energy, .reference = 0.02500005, .coarse = NAN};
    energy.tolerance = 1e-9;
    LitheFinding drift = {.coarse = NAN, .kind = LITHE_ERROR_AT_MOST};
    LitheFinding energy_drift = drift, momentum_drift = drift;
    energy_drift.measured = fmax(fine.energy_drift, rough.energy_drift);
    energy_drift.reference = 1e-9;
    momentum_drift.measured = fmax(fine.momentum_drift, rough.momentum_drift);
    momentum_drift.reference = 1e-9;
    double zero[FLIPS] = {0};
    trial->plot.title = "A body rotating about its middle axis turns over";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "angular velocity about the middle axis [rad/s]";
    return ok && lithe_trial_add(trial, energy, "energy") &&
           lithe_trial_add(trial, energy_drift, "energy_drift_1ms_10ms") &&
           lithe_trial_add(trial, momentum_drift, "angular_momentum_drift_1ms_10ms") &&
           lithe_trial_curve(trial, "spin", false, fine.t, fine.spin, SPINS) &&
           lithe_trial_curve(trial, "flips of the reference", true, flip_times, zero, FLIPS);
}
