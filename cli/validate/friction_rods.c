// SPDX-License-Identifier: Apache-2.0
// cli/validate/friction_rods.c - friction of rods: a rod slides across two others, a rod is clamped
// between two plates

#include "cli/validate/validate.h"

#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81

// --- crossed_rods --------------------------------------------------------------------------------

enum { TOP_NODES = 13 };

// Deceleration of a rod that lies across two clamped rods and starts at 0.5 m/s at the angle
// `heading` to its axis, mu = 0.3. Its twist is held, so that it does not roll.
static bool cross(LitheTrial *trial, double heading, double step, double *deceleration,
                  double *across) {
    LitheStand stand;
    char holds[1024] = "";
    for (int i = 0; i < TOP_NODES - 1; i++) {
        size_t used = strlen(holds);
        snprintf(holds + used, sizeof holds - used, "  edge-%d: {on: top.node(%d), hold: twist}\n",
                 i, i);
    }
    double c = cos(heading), s = sin(heading);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
        "materials: {steel: {young: 200 GPa, density: 1000, friction: 0.3,\n"
        "                    contact: {stiffness: 1e6 N/m, dissipation: 100 s/m}}}\n"
        "rods:\n"
        "  left: {material: steel, section: {circle: {radius: 0.01}}, nodes: 11, clamped: both,\n"
        "         shape: {line: {from: [-0.1, -0.3, 0], to: [-0.1, 0.3, 0]}}}\n"
        "  right: {material: steel, section: {circle: {radius: 0.01}}, nodes: 11, clamped: both,\n"
        "          shape: {line: {from: [0.1, -0.3, 0], to: [0.1, 0.3, 0]}}}\n"
        "  top: {material: steel, section: {circle: {radius: 0.01}}, nodes: %d,\n"
        "        shape: {line: {from: [-0.3, 0, 0.02], to: [0.3, 0, 0.02]}},\n"
        "        velocity: [%.17g, %.17g, 0]}\n"
        "holds:\n%s",
        step, TOP_NODES, 0.5 * c, 0.5 * s, holds);
    double v[2][2] = {{0}};
    for (int k = 0; ok && k < 2; k++) {
        ok = lithe_stand_run(trial, &stand, step, k ? 0.1 : 0.02);
        const double *all = lithe_rod_v(stand.model, stand.state, (LitheRodId){3});
        // mass-weighted mean: the end nodes have half the mass
        for (int i = 0; ok && i < TOP_NODES; i++) {
            double fraction = (i == 0 || i == TOP_NODES - 1 ? 0.5 : 1) / (TOP_NODES - 1);
            v[k][0] += fraction * all[4 * i];
            v[k][1] += fraction * all[4 * i + 1];
        }
    }
    double x = (v[0][0] - v[1][0]) / 0.1, y = (v[0][1] - v[1][1]) / 0.1;
    *deceleration = x * c + y * s;
    *across = y * c - x * s;
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_crossed_rods(LitheTrial *trial) {
    enum { HEADINGS = 7 };
    double x[HEADINGS], y[HEADINGS], known[HEADINGS], coarse, across, side = 0;
    for (int i = 0; i < HEADINGS; i++) {
        double heading = 15 * i * M_PI / 180;
        x[i] = 15 * i;
        known[i] = 0.3 * GRAVITY;
        if (!cross(trial, heading, 2e-3 / trial->refine, &coarse, &across) ||
            !cross(trial, heading, 1e-3 / trial->refine, &y[i], &across))
            return false;
        side = fmax(side, fabs(across) / known[i]);
        LitheFinding f = {.measured = y[i], .coarse = coarse, .reference = known[i]};
        f.tolerance = 0.01;
        f.floor = 2e-4; // the rods below bend a little
        if (!lithe_trial_add(trial, f, "deceleration_%ddeg", 15 * i))
            return false;
    }
    LitheFinding straight = {.measured = side, .coarse = NAN, .reference = 0.01};
    straight.kind = LITHE_ERROR_AT_MOST;
    trial->plot.title = "Rod slides across two others, friction 0.3";
    trial->plot.x_label = "angle between velocity and rod axis [degrees]";
    trial->plot.y_label = "deceleration [m/s^2]";
    return lithe_trial_add(trial, straight, "force_across_heading") &&
           lithe_trial_curve(trial, "mu g", false, x, known, HEADINGS) &&
           lithe_trial_curve(trial, "measured", true, x, y, HEADINGS);
}

// --- pinch_hold ----------------------------------------------------------------------------------

enum { MINUTE = 60 };

// Two plates clamp a rod such that its weight is 0.9 of the friction limit at mu = 0.5: its height
// at every second.
static bool pinch(LitheTrial *trial, const char *law, double step, double height[MINUTE + 1]) {
    LitheStand stand;
    double radius = 0.01, length = 0.2, mass = 1000 * M_PI * radius * radius * length;
    double push = mass * GRAVITY / (2 * 0.5) / 0.9;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
        "contact: {friction-law: %s}\n"
        "materials: {rubber: {young: 100 MPa, density: 1000, friction: 0.5,\n"
        "                     contact: {stiffness: 1e5 N/m, dissipation: 10 s/m}}}\n"
        "rods:\n"
        "  rod: {material: rubber, section: {circle: {radius: %.17g}}, nodes: 5,\n"
        "        shape: {line: {from: [0, %.17g, 0], to: [0, %.17g, 0]}}}\n"
        "bodies:\n"
        "  left: {material: rubber, shape: {box: {size: [0.02, 0.3, 0.1]}}, at: [-0.02, 0, 0]}\n"
        "  right: {material: rubber, shape: {box: {size: [0.02, 0.3, 0.1]}}, at: [0.02, 0, 0]}\n"
        "joints:\n"
        "  rail-left: {kind: prismatic, child: left, axis: [1, 0, 0], damping: 1 N s/m}\n"
        "  rail-right: {kind: prismatic, child: right, axis: [-1, 0, 0], damping: 1 N s/m}\n"
        "actuators:\n"
        "  push-left: {joint: rail-left, kind: force, target: %.17g N}\n"
        "  push-right: {joint: rail-right, kind: force, target: %.17g N}\n",
        step, law, radius, -0.5 * length, 0.5 * length, push, push);
    height[0] = 0;
    for (int second = 1; ok && second <= MINUTE; second++) {
        ok = lithe_stand_run(trial, &stand, step, 1);
        if (ok)
            height[second] = lithe_rod_q(stand.model, stand.state, (LitheRodId){1})[4 * 2 + 2];
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_pinch_hold(LitheTrial *trial) {
    static const char *const laws[] = {"lagged", "sap", "similar"};
    double z[MINUTE + 1], sunk[MINUTE], t[MINUTE], bound[MINUTE];
    for (int law = 0; law < 3; law++) {
        LitheFinding creep = {.kind = LITHE_ERROR_AT_MOST, .reference = 1e-6, .coarse = NAN};
        for (int fine = law > 0; fine < 2; fine++) {
            if (!pinch(trial, laws[law], (fine ? 2e-2 : 4e-2) / trial->refine, z))
                return false;
            // the rod falls by some micrometres before the plates touch it
            double speed = (z[1] - z[MINUTE]) / (MINUTE - 1);
            *(fine ? &creep.measured : &creep.coarse) = speed;
        }
        if (!lithe_trial_add(trial, creep, "creep_speed_%s", laws[law]))
            return false;
        for (int i = 0; i < MINUTE - 1; i++) {
            t[i] = i + 2;
            sunk[i] = 1e6 * (z[1] - z[i + 2]);
            bound[i] = i + 1;
        }
        if (!lithe_trial_curve(trial, laws[law], true, t, sunk, MINUTE - 1))
            return false;
    }
    trial->plot.title = "Rod between two plates, at 0.9 of the friction limit";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "downward displacement [um]";
    trial->plot.log_y = true;
    return lithe_trial_curve(trial, "1 um/s", false, t, bound, MINUTE - 1);
}
