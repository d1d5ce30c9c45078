// SPDX-License-Identifier: Apache-2.0
// cli/validate/rod_buckling.c - buckling in a plane: Euler's loads, and post-buckling

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

// --- rod_euler_loads -----------------------------------------------------------------------------

typedef enum Support {
    PINNED_PINNED,
    CLAMPED_FREE,
    CLAMPED_CLAMPED,
    CLAMPED_PINNED,
    SUPPORTS,
} Support;

static const struct {
    const char *name;
    double load; // over EI/L^2
} euler[SUPPORTS] = {
    {"pinned_pinned", 9.869604401089358},
    {"clamped_free", 2.4674011002723395},
    {"clamped_clamped", 39.47841760435743},
    {"clamped_pinned", 20.190728556426629}, // k^2 with tan k = k
};

// The far end can slide along x under the load; across x it is free, pinned (its node) or clamped
// (the nodes of its last edge, whose midpoint is the clamp: the shape is longer by half an edge).
static bool support(LitheTrial *trial, Support kind, int32_t edges, double load,
                    LitheStand *stand) {
    double length = kind == CLAMPED_CLAMPED ? (edges - 0.5) / (edges - 1) : 1;
    LitheRodDef rod = lithe_stand_line(length, edges + 1, kind != PINNED_PINNED,
                                       lithe_stand_section(1, 1, 1e7, 1));
    bool ok = lithe_stand_begin(trial, stand, &rod);
    if (ok && kind == PINNED_PINNED)
        ok = lithe_stand_hold(stand, 0, LITHE_HOLD_POSITION | LITHE_HOLD_TWIST);
    if (ok && kind != CLAMPED_FREE)
        ok = lithe_stand_hold(stand, -1, LITHE_HOLD_Y | LITHE_HOLD_Z);
    if (ok && kind == CLAMPED_CLAMPED)
        ok = lithe_stand_hold(stand, -2, LITHE_HOLD_Y | LITHE_HOLD_Z);
    return ok && lithe_stand_force(stand, -1, (LitheVec3){-load, 0, 0}) &&
           lithe_stand_compile(trial, stand);
}

typedef struct Column {
    Support kind;
    int32_t edges;
} Column;

// number of unstable modes of the straight rod under the load
static int32_t unstable_straight(LitheTrial *trial, double load, const void *user) {
    const Column *column = user;
    LitheStand stand;
    int32_t count = LITHE_STOPPED;
    if (support(trial, column->kind, column->edges, load, &stand) &&
        lithe_stand_step(trial, &stand))
        count = lithe_stand_unstable(&stand, 0);
    lithe_stand_end(&stand);
    return count;
}

#define LOADS 11

// square of the lowest frequency under a fraction of Euler's load
static bool lowest_rate(LitheTrial *trial, Support kind, int32_t edges, double fraction,
                        double *rate) {
    LitheStand stand;
    double omega = 0;
    bool ok = support(trial, kind, edges, fraction * euler[kind].load, &stand) &&
              lithe_stand_step(trial, &stand) &&
              lithe_modes(stand.model, stand.state, stand.work, stand.rod, 1, &omega, NULL,
                          &trial->error) == LITHE_OK;
    lithe_stand_end(&stand);
    *rate = omega * fabs(omega);
    return ok;
}

// the plot: squares of frequencies decrease to zero at the Euler load, for pinned ends linearly
static bool draw_rates(LitheTrial *trial) {
    const double line_x[2] = {0, 1}, line_y[2] = {1, 0};
    trial->plot.title = "Loaded columns vibrate more slowly";
    trial->plot.x_label = "load / Euler load";
    trial->plot.y_label = "(lowest frequency / that without load)²";
    if (!lithe_trial_curve(trial, "pinned_pinned, exact", false, line_x, line_y, 2))
        return false;
    for (int k = 0; k < SUPPORTS; k++) {
        double fraction[LOADS], rate[LOADS];
        for (int i = 0; i < LOADS; i++) {
            fraction[i] = 0.098 * i;
            if (!lowest_rate(trial, (Support)k, 100, fraction[i], &rate[i]))
                return false;
            rate[i] /= i > 0 ? rate[0] : 1;
        }
        rate[0] = 1;
        if (!lithe_trial_curve(trial, euler[k].name, true, fraction, rate, LOADS))
            return false;
    }
    return true;
}

bool lithe_case_rod_euler_loads(LitheTrial *trial) {
    for (int k = 0; k < SUPPORTS; k++) {
        double load[2];
        for (int r = 0; r < 2; r++) {
            Column column = {(Support)k, (100 * trial->refine) << r};
            if (!lithe_trial_bisect(trial, unstable_straight, &column, 0.9 * euler[k].load,
                                    1.13 * euler[k].load, &load[r]))
                return false;
        }
        LitheFinding f = {.measured = load[1], .coarse = load[0], .reference = euler[k].load};
        f.tolerance = 0.01;
        f.floor = 4e-6; // P/EA
        if (!lithe_trial_add(trial, f, "%s", euler[k].name))
            return false;
    }
    return draw_rates(trial);
}

// --- rod_postbuckle_pinned -----------------------------------------------------------------------

#define ROWS 6
static const double postbuckle[ROWS][4] = {
    // end angle [degrees], P/P_E, shortening/L, deflection in the middle/L
    {20, 1.015397, 0.03026909, 0.1097065}, {40, 1.063663, 0.1187965, 0.2111202},
    {60, 1.15172, 0.2589804, 0.2966038},   {90, 1.393204, 0.5430534, 0.3813799},
    {120, 1.884801, 0.87684, 0.4015855},   {130.7099, 2.183379, 0.9999999, 0.3915938},
};

// The natural state is straight, but the rod is built as a shallow arc: it starts on the buckled
// side without any imperfection in its energy. Its ends are pinned; one is driven along the chord.
static bool compress(LitheTrial *trial, int32_t edges, double force[ROWS], double middle[ROWS]) {
    const double angle = 0.1, chord = sin(0.5 * angle) / (0.5 * angle);
    LitheRodDef rod = lithe_stand_line(1, edges + 1, false, lithe_stand_section(1, 1, 1e7, 1));
    rod.shape.kind = LITHE_SHAPE_ARC;
    rod.shape.radius = 1 / angle;
    rod.shape.angle = angle;
    rod.shape.rotate = (LitheVec3){0, 0.5 * angle, 0};
    double times[ROWS + 1] = {0}, values[ROWS + 1] = {0};
    for (int k = 0; k < ROWS; k++) {
        times[k + 1] = 4 * (k + 1);
        values[k + 1] = postbuckle[k][2] - (1 - chord);
    }
    double *tension = lithe_alloc_array(trial->context, edges, sizeof *tension);
    if (!tension)
        return lithe_fail_memory(&trial->error, "the tensions") == LITHE_OK;
    LitheStand stand;
    bool ok = lithe_stand_begin(trial, &stand, &rod);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "push";
    drive.place =
        (LithePlace){.thing = lithe_thing_rod(stand.rod), .kind = LITHE_PLACE_NODE, .node = -1};
    drive.kind = LITHE_DRIVE_POSITION;
    drive.direction = (LitheVec3){-1, 0, 0};
    drive.motion = lithe_stand_profile(times, values, ROWS + 1);
    ok = ok && lithe_stand_hold(&stand, 0, LITHE_HOLD_POSITION | LITHE_HOLD_TWIST) &&
         lithe_scene_add_drive(stand.scene, &drive).number > 0 &&
         lithe_stand_compile(trial, &stand);
    for (int k = 0; ok && k < ROWS; k++) {
        for (int step = 0; ok && step < 4; step++)
            ok = lithe_stand_step(trial, &stand);
        if (!ok)
            break;
        LitheVec3 a = lithe_stand_node(&stand, 0), b = lithe_stand_node(&stand, -1);
        LitheVec3 x = lithe_stand_node(&stand, edges / 2);
        LitheDriveId push = lithe_drive_find(stand.model, "push");
        force[k] = lithe_drive_force(stand.model, stand.state, push) / (M_PI * M_PI);
        if (k == ROWS - 1) { // the ends meet: the push has no direction
            lithe_rod_tension(stand.model, stand.state, stand.rod, tension);
            force[k] = -tension[edges / 2] / (M_PI * M_PI);
        }
        // from the midpoint of the chord: the deflection for any orientation of the rod
        middle[k] =
            hypot(hypot(x.x - 0.5 * (a.x + b.x), x.y - 0.5 * (a.y + b.y)), x.z - 0.5 * (a.z + b.z));
    }
    lithe_stand_end(&stand);
    lithe_free(trial->context, tension);
    return ok;
}

bool lithe_case_rod_postbuckle_pinned(LitheTrial *trial) {
    double force[2][ROWS], middle[2][ROWS], shortening[ROWS], column[2][ROWS];
    for (int r = 0; r < 2; r++)
        if (!compress(trial, (100 * trial->refine) << r, force[r], middle[r]))
            return false;
    for (int k = 0; k < ROWS; k++) {
        LitheFinding p = {.measured = force[1][k], .coarse = force[0][k], .tolerance = 0.01};
        LitheFinding w = {.measured = middle[1][k], .coarse = middle[0][k], .tolerance = 0.01};
        shortening[k] = postbuckle[k][2];
        p.reference = column[0][k] = postbuckle[k][1];
        w.reference = column[1][k] = postbuckle[k][3];
        // the load compresses the rod by P/EA = 1e-6 P/P_E, which counts as shortening
        p.floor = 2e-6;
        w.floor = 2e-6 + 0.5e-6 * postbuckle[k][1] / shortening[k];
        if (!lithe_trial_add(trial, p, "P_over_PE[D=%.4f]", shortening[k]) ||
            !lithe_trial_add(trial, w, "mid_deflection_over_L[D=%.4f]", shortening[k]))
            return false;
    }
    trial->plot.title = "Pinned rod after buckling";
    trial->plot.x_label = "shortening / L";
    trial->plot.y_label = "load / Euler load, deflection / L";
    return lithe_trial_curve(trial, "load, elastica", false, shortening, column[0], ROWS) &&
           lithe_trial_curve(trial, "load", true, shortening, force[1], ROWS) &&
           lithe_trial_curve(trial, "deflection, elastica", false, shortening, column[1], ROWS) &&
           lithe_trial_curve(trial, "deflection", true, shortening, middle[1], ROWS);
}
