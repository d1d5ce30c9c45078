// SPDX-License-Identifier: Apache-2.0
// cli/validate/rod_dynamic.c - small vibrations of a cantilever and a hanging rope: frequencies
// from the eigenvalue problem and from simulated motion

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#define FREQUENCIES 3
// every frequency occurs twice, once for each of the two directions perpendicular to the rod
#define MODES (2 * FREQUENCIES)

static bool measure_modes(LitheTrial *trial, LitheStand *stand, double omega[FREQUENCIES],
                          double *shapes) {
    double all[MODES];
    if (lithe_modes(stand->model, stand->state, stand->work, stand->rod, MODES, all, shapes,
                    &trial->error) != LITHE_OK)
        return false;
    for (int k = 0; k < FREQUENCIES; k++)
        omega[k] = all[2 * k];
    return true;
}

// sets initial velocities that excite the first mode with a tip displacement of `amplitude` [m]
static void excite(LitheStand *stand, const double *shape, double omega, double amplitude) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod);
    const double *tip = shape + 4 * (int64_t)(nodes - 1);
    double size = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
    double *v = lithe_rod_v_writable(stand->model, stand->state, stand->rod);
    for (int64_t i = 0; i < 4 * (int64_t)nodes - 1; i++)
        v[i] += omega * amplitude / size * shape[i];
}

// A simulated vibration, with the data of its plot.
typedef struct Swing {
    double period;
    double t[128], z[128]; // time [s], tip displacement along the mode / amplitude
    int32_t count;
} Swing;

// mean of three periods, from zero crossings of the tip's displacement along the mode
static bool measure_period(LitheTrial *trial, LitheStand *stand, const double *shape, double step,
                           double amplitude, Swing *out) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod), crossings = 0;
    const double *s = shape + 4 * (int64_t)(nodes - 1);
    double size = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]), before = 0;
    LitheVec3 rest = lithe_stand_node(stand, -1);
    int32_t every = (int32_t)ceil(0.01 * 3 * out->period / step);
    out->count = 0;
    for (int32_t k = 1; crossings < 6; k++) {
        if (!lithe_stand_step(trial, stand))
            return false;
        LitheVec3 x = lithe_stand_node(stand, -1);
        double now = ((x.x - rest.x) * s[0] + (x.y - rest.y) * s[1] + (x.z - rest.z) * s[2]) /
                     (size * amplitude);
        if (k > 1 && (now > 0) != (before > 0)) {
            crossings++;
            out->period = (k - 1 + before / (before - now)) * step * 2 / crossings;
        }
        if (k % every == 0 && out->count < 128) {
            out->t[out->count] = k * step;
            out->z[out->count++] = now;
        }
        before = now;
    }
    return true;
}

// computes the equilibrium and the modes about it, then simulates the first mode with midpoint
// steps of T/steps_per_period
static bool vibrate(LitheTrial *trial, LitheStand *stand, double period, int32_t steps_per_period,
                    double amplitude, double omega[FREQUENCIES], Swing *swing) {
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_MIDPOINT;
    time.step = period / steps_per_period;
    time.end = 4 * period;
    time.tolerance = 1e-10;
    lithe_scene_set_time(stand->scene, &time);
    if (!lithe_stand_compile(trial, stand) || !lithe_stand_equilibrium(trial, stand))
        return false;
    int64_t nodes = lithe_rod_node_count(stand->model, stand->rod);
    double *shapes = lithe_alloc_array(trial->context, 4 * nodes * MODES, sizeof *shapes);
    if (!shapes)
        return lithe_fail_memory(&trial->error, "the modes") == LITHE_OK;
    bool ok = measure_modes(trial, stand, omega, shapes);
    if (ok)
        excite(stand, shapes, omega[0], amplitude);
    swing->period = period;
    ok = ok && measure_period(trial, stand, shapes, time.step, amplitude, swing);
    lithe_free(trial->context, shapes);
    return ok;
}

static bool draw_swing(LitheTrial *trial, const Swing *swing, double period) {
    double t[201], z[201];
    for (int i = 0; i <= 200; i++) {
        t[i] = 3 * period * i / 200;
        z[i] = sin(2 * M_PI * t[i] / period);
    }
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "tip displacement / amplitude";
    return lithe_trial_curve(trial, "exact period", false, t, z, 201) &&
           lithe_trial_curve(trial, "measured", true, swing->t, swing->z, swing->count);
}

// --- rod_cantilever_freq -------------------------------------------------------------------------

static bool build_cantilever(LitheTrial *trial, int32_t edges, LitheStand *stand) {
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "soft";
    material.young = 1e7;
    material.poisson = 0.3;
    material.density = 1000;
    LitheScene *scene = lithe_scene_create(trial->context);
    *stand = (LitheStand){.scene = scene};
    if (!scene)
        return lithe_fail_memory(&trial->error, "a scene") == LITHE_OK;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rod";
    rod.material = lithe_scene_add_material(scene, &material);
    rod.section.kind = LITHE_SECTION_CIRCLE;
    rod.section.radius = 0.005;
    rod.shape.to = (LitheVec3){0.5, 0, 0};
    rod.nodes = edges + 1;
    rod.clamp_start = true;
    lithe_scene_set_gravity(scene, (LitheVec3){0, 0, 0});
    stand->rod = lithe_scene_add_rod(scene, &rod);
    return stand->rod.number > 0 || lithe_fail_memory(&trial->error, "a rod") == LITHE_OK;
}

bool lithe_case_rod_cantilever_freq(LitheTrial *trial) {
    const double beta[FREQUENCIES] = {1.875104068711961, 4.694091132974175, 7.854757438237612};
    // beta^2 sqrt(EI/(rho A L^4)) with I/A = r^2/4
    double rate = sqrt(1e7 / 1000) * 0.5 * 0.005 / (0.5 * 0.5);
    double reference[FREQUENCIES], omega[2][FREQUENCIES];
    for (int k = 0; k < FREQUENCIES; k++)
        reference[k] = beta[k] * beta[k] * rate / (2 * M_PI);
    Swing swing[2];
    for (int r = 0; r < 2; r++) {
        LitheStand stand;
        int32_t factor = trial->refine << r;
        bool ok =
            build_cantilever(trial, 60 * factor, &stand) &&
            vibrate(trial, &stand, 1 / reference[0], 200 * factor, 0.0005, omega[r], &swing[r]);
        lithe_stand_end(&stand);
        if (!ok)
            return false;
    }
    for (int k = 0; k < FREQUENCIES; k++) {
        LitheFinding f = {.reference = reference[k], .tolerance = 0.01, .floor = 1e-6};
        f.measured = omega[1][k] / (2 * M_PI);
        f.coarse = omega[0][k] / (2 * M_PI);
        if (!lithe_trial_add(trial, f, "f_EB_Hz[%d]", k + 1))
            return false;
    }
    LitheFinding f = {.reference = reference[0], .tolerance = 0.01, .floor = 1e-6};
    f.measured = 1 / swing[1].period;
    f.coarse = 1 / swing[0].period;
    trial->plot.title = "Cantilever in its first mode, midpoint steps";
    return lithe_trial_add(trial, f, "f_EB_Hz[1], simulated") &&
           draw_swing(trial, &swing[1], 1 / reference[0]);
}

// --- rope_pendulum -------------------------------------------------------------------------------

// a rope that hangs along -z from its pinned first node; EI is 1e-8 of its weight times L^2
static bool build_rope(LitheTrial *trial, int32_t edges, LitheStand *stand) {
    LitheRodDef rod = lithe_stand_line(1, edges + 1, false, lithe_stand_section(1e-7, 1, 1e7, 1));
    rod.shape.to = (LitheVec3){0, 0, -1};
    rod.director = (LitheVec3){1, 0, 0};
    if (!lithe_stand_begin(trial, stand, &rod))
        return false;
    lithe_scene_set_gravity(stand->scene, (LitheVec3){0, 0, -9.81});
    return lithe_stand_hold(stand, 0, LITHE_HOLD_POSITION | LITHE_HOLD_TWIST);
}

bool lithe_case_rope_pendulum(LitheTrial *trial) {
    // zeros of the Bessel function J0
    const double zero[FREQUENCIES] = {2.404825557695773, 5.520078110286311, 8.653727912911013};
    double reference[FREQUENCIES], omega[2][FREQUENCIES];
    for (int k = 0; k < FREQUENCIES; k++)
        reference[k] = 2 * M_PI / (0.5 * zero[k] * sqrt(9.81));
    Swing swing[2];
    for (int r = 0; r < 2; r++) {
        LitheStand stand;
        int32_t factor = trial->refine << r;
        bool ok = build_rope(trial, 100 * factor, &stand) &&
                  vibrate(trial, &stand, reference[0], 200 * factor, 0.001, omega[r], &swing[r]);
        lithe_stand_end(&stand);
        if (!ok)
            return false;
    }
    for (int k = 0; k < FREQUENCIES; k++) {
        LitheFinding f = {.reference = reference[k], .tolerance = 0.01, .floor = 2e-6};
        f.measured = 2 * M_PI / omega[1][k];
        f.coarse = 2 * M_PI / omega[0][k];
        if (!lithe_trial_add(trial, f, "period_s[%d]", k + 1))
            return false;
    }
    LitheFinding f = {.reference = reference[0], .tolerance = 0.01, .floor = 2e-6};
    f.measured = swing[1].period;
    f.coarse = swing[0].period;
    trial->plot.title = "Hanging rope in its first mode, midpoint steps";
    return lithe_trial_add(trial, f, "period_s[1], simulated") &&
           draw_swing(trial, &swing[1], reference[0]);
}
