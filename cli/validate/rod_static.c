// SPDX-License-Identifier: Apache-2.0
// cli/validate/rod_static.c - bent rods at rest: tip load, own weight, end moment, hanging chain
//
// Clamped rods: the clamp is at the midpoint of the first edge, where the shape starts, so lengths
// and tip positions count from the origin without a correction.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>

// stretch stiffness over EI/L^2: the relative elongation is 1e-7 times the load
#define STIFF 1e7

// --- rod_tip_load --------------------------------------------------------------------------------

#define ALPHAS 7
static const double tip_load[ALPHAS][3] = {
    // load P L^2/EI, drop/L, reach/L
    {0.5, 0.1621436, 0.984081}, {1, 0.3017208, 0.9435668}, {2, 0.4934575, 0.8393583},
    {3, 0.6032534, 0.7455798},  {5, 0.7137915, 0.6123716}, {7.5, 0.776702, 0.5104258},
    {10, 0.810609, 0.4450044},
};

// drop and reach under each load, one static step per load
static bool bend_tip(LitheTrial *trial, int32_t edges, double drop[ALPHAS], double reach[ALPHAS]) {
    LitheRodDef rod = lithe_stand_line(1, edges + 1, true, lithe_stand_section(1, 1, STIFF, 1));
    double times[ALPHAS], values[ALPHAS];
    for (int k = 0; k < ALPHAS; k++) {
        times[k] = k + 1;
        values[k] = tip_load[k][0];
    }
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    LitheForceDef force = lithe_force_def_default();
    force.name = "load";
    force.place =
        (LithePlace){.thing = lithe_thing_rod(stand.rod), .kind = LITHE_PLACE_NODE, .node = -1};
    force.force = (LitheVec3){0, 0, -1};
    force.profile = lithe_stand_profile(times, values, ALPHAS);
    ok = ok && lithe_scene_add_force(stand.scene, &force) && lithe_stand_compile(trial, &stand);
    for (int k = 0; ok && k < ALPHAS; k++) {
        ok = lithe_stand_step(trial, &stand);
        LitheVec3 tip = ok ? lithe_stand_node(&stand, -1) : (LitheVec3){0, 0, 0};
        drop[k] = -tip.z;
        reach[k] = tip.x;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rod_tip_load(LitheTrial *trial) {
    double drop[2][ALPHAS], reach[2][ALPHAS];
    for (int r = 0; r < 2; r++)
        if (!bend_tip(trial, (100 * trial->refine) << r, drop[r], reach[r]))
            return false;
    double alpha[ALPHAS], drop_reference[ALPHAS], reach_reference[ALPHAS];
    for (int k = 0; k < ALPHAS; k++) {
        LitheFinding f = {.tolerance = 0.005, .floor = 1e-6};
        alpha[k] = tip_load[k][0];
        f.reference = drop_reference[k] = tip_load[k][1];
        f.coarse = drop[0][k];
        f.measured = drop[1][k];
        if (!lithe_trial_add(trial, f, "delta_over_L[alpha=%g]", alpha[k]))
            return false;
        f.reference = reach_reference[k] = tip_load[k][2];
        f.coarse = reach[0][k];
        f.measured = reach[1][k];
        if (!lithe_trial_add(trial, f, "tipx_over_L[alpha=%g]", alpha[k]))
            return false;
    }
    trial->plot.title = "Cantilever with a dead load at its tip";
    trial->plot.x_label = "load P L²/EI";
    trial->plot.y_label = "tip displacement and reach / L";
    return lithe_trial_curve(trial, "drop, elastica", false, alpha, drop_reference, ALPHAS) &&
           lithe_trial_curve(trial, "drop", true, alpha, drop[1], ALPHAS) &&
           lithe_trial_curve(trial, "reach, elastica", false, alpha, reach_reference, ALPHAS) &&
           lithe_trial_curve(trial, "reach", true, alpha, reach[1], ALPHAS);
}

// --- rod_heavy_cantilever ------------------------------------------------------------------------

#define GAMMAS 13
static const double heavy[GAMMAS][4] = {
    // weight rho g A L^3/EI, reach/L, drop/L, drop/reach
    {0.1, 0.9999107, 0.01249844, 0.01249955}, {0.5, 0.997779, 0.06230577, 0.06244446},
    {1, 0.9912464, 0.1234714, 0.1245618},     {2, 0.9668929, 0.2385066, 0.2466732},
    {5, 0.8466572, 0.495905, 0.5857212},      {10, 0.6563538, 0.7001997, 1.066802},
    {20, 0.4452321, 0.8298814, 1.86393},      {50, 0.2450148, 0.9079171, 3.705561},
    {100, 0.1592234, 0.9375239, 5.888105},    {200, 0.1074204, 0.9567692, 8.906771},
    {500, 0.06589004, 0.973117, 14.7688},     {1000, 0.04598645, 0.9811413, 21.33544},
    {2000, 0.03223768, 0.9867369, 30.60818},
};

static double stretch_stiffness(double gamma) {
    return STIFF * fmax(1, 0.01 * gamma);
}

// The static step goes from the straight line to the equilibrium under the full weight. Rods with
// large weight bend in a boundary layer of Gamma^-1/2 of the length: 4 of 200 edges at Gamma =
// 2000.
static bool hang(LitheTrial *trial, int32_t edges, double gamma, double *reach, double *drop) {
    LitheSectionDef section = lithe_stand_section(1, 1, stretch_stiffness(gamma), 1);
    LitheRodDef rod = lithe_stand_line(1, edges + 1, true, section);
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    if (ok) {
        lithe_scene_set_gravity(stand.scene, (LitheVec3){0, 0, -gamma});
        lithe_scene_set_allow_unusual(stand.scene, true); // gamma is dimensionless
    }
    ok = ok && lithe_stand_compile(trial, &stand) && lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        LitheVec3 tip = lithe_stand_node(&stand, -1);
        *reach = tip.x;
        *drop = -tip.z;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rod_heavy_cantilever(LitheTrial *trial) {
    double gamma[GAMMAS], ratio[GAMMAS], reference[GAMMAS];
    for (int k = 0; k < GAMMAS; k++) {
        double x[2], y[2];
        for (int r = 0; r < 2; r++)
            if (!hang(trial, (200 * trial->refine) << r, heavy[k][0], &x[r], &y[r]))
                return false;
        LitheFinding fx = {.measured = x[1], .coarse = x[0], .reference = heavy[k][1]};
        LitheFinding fy = {.measured = y[1], .coarse = y[0], .reference = heavy[k][2]};
        LitheFinding fr = {.measured = y[1] / x[1], .coarse = y[0] / x[0]};
        fr.reference = heavy[k][3];
        fx.tolerance = fy.tolerance = fr.tolerance = 0.01;
        fx.floor = fy.floor = fr.floor = 1e-6 + heavy[k][0] / stretch_stiffness(heavy[k][0]);
        gamma[k] = heavy[k][0];
        ratio[k] = y[1] / x[1];
        reference[k] = heavy[k][3];
        if (!lithe_trial_add(trial, fx, "x_tip[Gamma=%g]", gamma[k]) ||
            !lithe_trial_add(trial, fy, "y_tip[Gamma=%g]", gamma[k]) ||
            !lithe_trial_add(trial, fr, "H_over_W[Gamma=%g]", gamma[k]))
            return false;
    }
    trial->plot.title = "Cantilever under its own weight";
    trial->plot.x_label = "weight ρ g A L³/EI";
    trial->plot.y_label = "drop over reach of the tip H/W";
    trial->plot.log_x = trial->plot.log_y = true;
    return lithe_trial_curve(trial, "master curve", false, gamma, reference, GAMMAS) &&
           lithe_trial_curve(trial, "measured", true, gamma, ratio, GAMMAS);
}

// --- rod_rollup ----------------------------------------------------------------------------------

// Every node carries the end moment M and bends by M l/EI, so that each edge is along the tangent
// of the circle at its midpoint: the last edge, on which the moment acts, needs no correction. The
// rod is held in its plane: a dead moment is not a potential load, and a rod that it has turned by
// more than 90 degrees is unstable out of the plane. Pure bending does not stretch, so the stretch
// stiffness can be small.
#define LAMBDAS 4
static const double lambdas[LAMBDAS] = {0.25, 0.5, 1, 2};

// increases the moment to 2 * 2 pi in 32 steps; `tip` at each of the lambdas
static bool roll(LitheTrial *trial, int32_t edges, LitheVec3 tip[LAMBDAS], bool draw) {
    const int32_t steps_a_turn = 16;
    LitheRodDef rod = lithe_stand_line(1, edges + 1, true, lithe_stand_section(1, 1, 1e5, 1));
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    LitheForceDef force = lithe_force_def_default();
    force.name = "moment";
    force.place =
        (LithePlace){.thing = lithe_thing_rod(stand.rod), .kind = LITHE_PLACE_NODE, .node = -1};
    force.moment = (LitheVec3){0, -2 * M_PI / steps_a_turn, 0};
    force.profile = lithe_profile_def_default();
    force.profile.rate = 1;
    for (int32_t i = 2; ok && i <= edges; i++)
        ok = lithe_stand_hold(&stand, i, LITHE_HOLD_Y);
    for (int32_t i = 1; ok && i < edges; i++)
        ok = lithe_stand_hold(&stand, i, LITHE_HOLD_TWIST);
    ok = ok && lithe_scene_add_force(stand.scene, &force) && lithe_stand_compile(trial, &stand);
    for (int32_t k = 0, step = 0; ok && k < LAMBDAS; k++) {
        for (; ok && step < steps_a_turn * lambdas[k]; step++)
            ok = lithe_stand_step(trial, &stand);
        if (!ok)
            break;
        tip[k] = lithe_stand_node(&stand, -1);
        char label[32];
        snprintf(label, sizeof label, "λ = %g", lambdas[k]);
        ok = !draw || lithe_trial_shape(trial, label, &stand, edges / 40);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rod_rollup(LitheTrial *trial) {
    LitheVec3 tip[2][LAMBDAS];
    for (int r = 0; r < 2; r++)
        if (!roll(trial, (200 * trial->refine) << r, tip[r], r == 1))
            return false;
    for (int k = 0; k < LAMBDAS; k++) {
        double angle = 2 * M_PI * lambdas[k];
        LitheFinding x = {.measured = tip[1][k].x, .coarse = tip[0][k].x};
        LitheFinding y = {.measured = tip[1][k].z, .coarse = tip[0][k].z};
        x.reference = sin(angle) / angle;
        y.reference = (1 - cos(angle)) / angle;
        x.kind = y.kind = LITHE_ERROR_ABSOLUTE;
        x.tolerance = y.tolerance = 0.01;
        x.floor = y.floor = 1e-7;
        if (!lithe_trial_add(trial, x, "tip_x[lambda=%g]", lambdas[k]) ||
            !lithe_trial_add(trial, y, "tip_y[lambda=%g]", lambdas[k]))
            return false;
    }
    // exact circles, with a gap after each
    double x[66 * LAMBDAS], z[66 * LAMBDAS];
    for (int k = 0; k < LAMBDAS; k++)
        for (int i = 0; i <= 65; i++) {
            double curvature = 2 * M_PI * lambdas[k], s = i / 64.0;
            x[66 * k + i] = i > 64 ? NAN : sin(curvature * s) / curvature;
            z[66 * k + i] = i > 64 ? NAN : (1 - cos(curvature * s)) / curvature;
        }
    if (!lithe_trial_curve(trial, "circles", false, x, z, 66 * LAMBDAS))
        return false;
    trial->plot.title = "Cantilever rolled up by an end moment 2π λ EI/L";
    trial->plot.x_label = "x / L";
    trial->plot.y_label = "z / L";
    trial->plot.equal = true;
    return true;
}

// --- rod_catenary --------------------------------------------------------------------------------

typedef struct Hanging {
    double sag, pull, end_tension;
} Hanging;

// angle of an arc with this chord over length: sin(a/2)/(a/2) = ratio
static double arc_angle(double ratio) {
    double low = 0, high = 2 * M_PI;
    for (int i = 0; i < 60; i++) {
        double a = 0.5 * (low + high);
        *(sin(0.5 * a) / (0.5 * a) > ratio ? &low : &high) = a;
    }
    return 0.5 * (low + high);
}

// a rope with almost no bending stiffness, from a circular arc
static bool hang_rope(LitheTrial *trial, int32_t edges, Hanging *out, bool draw) {
    const double length = 2, span = 1.6, g = 10, line = 0.003141593;
    double weight = line * g * length, angle = arc_angle(span / length);
    LitheSectionDef section = lithe_stand_section(
        1e-8 * weight * length * length, 1e-8 * weight * length * length, 1e6 * weight, line);
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.section = section;
    rod.nodes = edges + 1;
    rod.shape.kind = LITHE_SHAPE_ARC;
    rod.shape.radius = length / angle;
    rod.shape.angle = angle;
    rod.shape.rotate = (LitheVec3){0, 0.5 * angle, 0};
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    if (ok)
        lithe_scene_set_gravity(stand.scene, (LitheVec3){0, 0, -g});
    ok = ok && lithe_stand_hold(&stand, 0, LITHE_HOLD_POSITION | LITHE_HOLD_TWIST) &&
         lithe_stand_hold(&stand, -1, LITHE_HOLD_POSITION) && lithe_stand_compile(trial, &stand) &&
         lithe_stand_equilibrium(trial, &stand);
    double *tension = NULL;
    if (ok) {
        tension = lithe_alloc_array(trial->context, edges, sizeof *tension);
        ok = tension || lithe_fail_memory(&trial->error, "the tensions") == LITHE_OK;
    }
    if (ok) {
        // the horizontal force is the same in every edge: take the mean without the outermost
        // edges, whose tension is that at the support
        lithe_rod_tension(stand.model, stand.state, stand.rod, tension);
        out->pull = 0;
        for (int32_t i = 1; i < edges - 1; i++) {
            LitheVec3 a = lithe_stand_node(&stand, i), b = lithe_stand_node(&stand, i + 1);
            out->pull += tension[i] * (b.x - a.x) / hypot(b.x - a.x, b.z - a.z) / (edges - 2);
        }
        out->end_tension = tension[0];
        out->sag = -lithe_stand_node(&stand, edges / 2).z;
    }
    lithe_free(trial->context, tension);
    ok = ok && (!draw || lithe_trial_shape(trial, "measured", &stand, edges / 25));
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rod_catenary(LitheTrial *trial) {
    Hanging hanging[2];
    for (int r = 0; r < 2; r++)
        if (!hang_rope(trial, (100 * trial->refine) << r, &hanging[r], r == 1))
            return false;

    // 2 a sinh(span/2a) = length
    const double length = 2, span = 1.6, line_weight = 0.03141593;
    double low = 0.1, high = 10;
    for (int i = 0; i < 100; i++) {
        double a = 0.5 * (low + high);
        *(2 * a * sinh(0.5 * span / a) > length ? &low : &high) = a;
    }
    double a = 0.5 * (low + high), x[65], z[65];
    LitheFinding sag = {.measured = hanging[1].sag, .coarse = hanging[0].sag};
    LitheFinding pull = {.measured = hanging[1].pull, .coarse = hanging[0].pull};
    LitheFinding end = {.measured = hanging[1].end_tension, .coarse = hanging[0].end_tension};
    sag.reference = a * (cosh(0.5 * span / a) - 1);
    pull.reference = line_weight * a;
    end.reference = line_weight * a * cosh(0.5 * span / a);
    sag.tolerance = pull.tolerance = end.tolerance = 0.01;
    sag.floor = pull.floor = end.floor = 1e-5; // stretch: EA is 1e6 times the weight
    for (int i = 0; i <= 64; i++) {
        x[i] = span * i / 64;
        z[i] = a * (cosh((x[i] - 0.5 * span) / a) - cosh(0.5 * span / a));
    }
    trial->plot.title = "Hanging rope, length 2 m, span 1.6 m";
    trial->plot.x_label = "x [m]";
    trial->plot.y_label = "z [m]";
    trial->plot.equal = true;
    return lithe_trial_add(trial, sag, "sag") && lithe_trial_add(trial, pull, "H") &&
           lithe_trial_add(trial, end, "T_end") &&
           lithe_trial_curve(trial, "catenary", false, x, z, 65);
}
