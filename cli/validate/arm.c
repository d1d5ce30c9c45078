// SPDX-License-Identifier: Apache-2.0
// cli/validate/arm.c - soft arms: shape and equilibrium of one section

#include "cli/validate/validate.h"

#include <stdio.h>
#include <string.h>

#define SECTION \
    "lithe: 1\ngravity: none\narms:\n  a: {lengths: [15 cm], masses: [0.5 kg], radii: [2 cm], " \
    "stiffness: 500 N/m, disks: 1, disk-radius: 3 cm, start: [%.17g, %.17g, %.17g]}\n"

bool lithe_case_pcc_kinematics(LitheTrial *trial) {
    static const double known[3][6] = {
        // elongations, tip of the arc by Webster and Jones
        {0.01, 0, 0, -0.0253198, 0, 0.1505096},
        {0, 0.02, 0.01, 0.03890116, -0.0224596, 0.1512581},
        {0.03, 0.03, 0, -0.0390743, -0.06767868, 0.1430501},
    };
    for (int i = 0; i < 3; i++) {
        const double *k = known[i];
        LitheStand stand;
        bool ok = lithe_stand_parse(trial, &stand, SECTION, k[0], k[1], k[2]);
        double pose[7] = {0};
        if (ok)
            lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "a/tip"), pose);
        for (int c = 0; ok && c < 3; c++) {
            LitheFinding f = {.measured = pose[c], .coarse = NAN, .reference = k[3 + c]};
            f.tolerance = 1e-6;
            f.kind = LITHE_ERROR_ABSOLUTE;
            ok = lithe_trial_add(trial, f, "tip%d_%c", i + 1, "xyz"[c]);
        }
        lithe_stand_end(&stand);
        if (!ok)
            return false;
    }
    return true;
}

bool lithe_case_pcc_static_pressure(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand,
                                SECTION "actuators: {p: {joint: a/section-1, chamber: 1, kind: "
                                        "force, target: 5 N}}\n",
                                0.0, 0.0, 0.0) &&
              lithe_stand_equilibrium(trial, &stand);
    double pose[7] = {0};
    if (ok) {
        LitheJointId joint = lithe_joint_find(stand.model, "a/section-1");
        const double *l = lithe_joint_position(stand.model, stand.state, joint);
        lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "a/tip"), pose);
        LitheFinding length = {.measured = l[0], .coarse = NAN, .reference = 0.01};
        LitheFinding bend = {.measured = 2 * asin(fabs(pose[5])), .coarse = NAN};
        length.tolerance = bend.tolerance = 1e-6;
        bend.reference = 1.0 / 3;
        ok = lithe_trial_add(trial, length, "elongation") && lithe_trial_add(trial, bend, "bend");
    }
    lithe_stand_end(&stand);
    return ok;
}

// --- arm_lcp_convex ------------------------------------------------------------------------------

typedef struct Rest {
    double force, across; // sums of normal and friction forces [N]
    LitheVec3 tip;
    double speed; // of the tip [m/s]
} Rest;

// an arm of two sections that a force presses down, at rest; forces are means of the last 0.1 s
static bool press(LitheTrial *trial, const char *model, const char *obstacle, double mu,
                  Rest *out) {
    LitheStand stand;
    double step = 1e-3 / trial->refine;
    int32_t last = (int32_t)lround(0.1 / step);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g, end: 10 s%s}\n"
        "materials: {rubber: {young: 1 MPa, density: 1100, friction: %.17g, contact: {stiffness: "
        "1e6 N/m}}}\n"
        "bodies: {obstacle: {fixed: true, material: rubber, %s}}\n"
        "arms:\n"
        "  a: {rotate: {axis: [0, 1, 0], angle: 90 deg}, lengths: [0.15, 0.15], masses: [0.4, "
        "0.3],\n"
        "      radii: [0.04, 0.04], stiffness: 400 N/m, damping: 40 N s/m, disks: 4,\n"
        "      disk-radius: 4 cm, disk-length: 1 cm, disk-rounding: 5 mm, material: rubber}\n"
        "actuators:\n"
        "  press: {joint: a/section-1, chamber: 1, kind: force, target: {table: [[0, 0 N], [0.5 s, "
        "-20 N]]}}\n",
        step, model, mu, obstacle);
    ok = ok && lithe_stand_run(trial, &stand, step, 1.9);
    *out = (Rest){0};
    for (int32_t k = 0; ok && k < last; k++) {
        ok = lithe_stand_step(trial, &stand);
        for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++) {
            LitheContactForce c = lithe_work_contact(stand.work, i);
            double f = hypot(hypot(c.force.x, c.force.y), c.force.z);
            out->force += c.normal / last;
            out->across += sqrt(fmax(0, f * f - c.normal * c.normal)) / last;
        }
    }
    if (ok) {
        double pose[7], v[6];
        LitheBodyId tip = lithe_body_find(stand.model, "a/tip");
        lithe_body_pose(stand.model, stand.state, tip, pose);
        lithe_body_velocity(stand.model, stand.state, tip, v);
        out->tip = (LitheVec3){pose[0], pose[1], pose[2]};
        out->speed = hypot(hypot(v[0], v[1]), v[2]);
    }
    lithe_stand_end(&stand);
    return ok;
}

static double apart(LitheVec3 a, LitheVec3 b) {
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

bool lithe_case_arm_lcp_convex(LitheTrial *trial) {
    static const struct {
        const char *name, *text;
    } obstacles[] = {
        {"plane", "at: [0, 0, -0.12], shape: {half-space: {}}"},
        {"sphere", "at: [0.24, 0.01, -0.2], shape: {sphere: {radius: 0.1}}"},
    };
    static const double friction[] = {0, 0.6};
    static const struct {
        const char *name, *text;
    } schemes[] = {
        {"", ", scheme: backward-euler}\ncontact: {model: convex"},
        {"_tr_bdf2", "}\ncontact: {model: convex"}, // the default
    };
    for (int i = 0; i < 4; i++) {
        const char *name = obstacles[i / 2].name, *text = obstacles[i / 2].text;
        double mu = friction[i % 2];
        Rest lcp, convex;
        if (!press(trial,
                   mu > 0 ? "}\ncontact: {model: lcp, lcp: {directions: 32}"
                          : "}\ncontact: {model: lcp",
                   text, mu, &lcp) ||
            !lithe_trial_add(trial, reported(lcp.force), "normal_force_%s_mu%g", name, mu) ||
            !lithe_trial_add(trial, reported(lcp.across), "friction_%s_mu%g", name, mu))
            return false;
        for (int k = 0; k < 2; k++)
            if (!press(trial, schemes[k].text, text, mu, &convex) ||
                !lithe_trial_add(trial, at_most(fmax(lcp.speed, convex.speed), 1e-3),
                                 "speed_at_rest%s_%s_mu%g", schemes[k].name, name, mu) ||
                !lithe_trial_add(trial, at_most(fabs(lcp.force / convex.force - 1), 0.01),
                                 "forces_differ%s_%s_mu%g", schemes[k].name, name, mu) ||
                !lithe_trial_add(trial, at_most(apart(lcp.tip, convex.tip), 1e-4),
                                 "tips_differ%s_%s_mu%g", schemes[k].name, name, mu))
                return false;
    }
    return true;
}

// --- arm_as_rod ----------------------------------------------------------------------------------

// The tip of an arm of `sections` sections of 0.5 m together, under a force F = EI/L^2 across it.
// A section has the bending stiffness 3/2 K r^2 = EI/length.
static bool bend(LitheTrial *trial, int sections, double *along, double *across) {
    char lengths[512] = "", masses[512] = "", radii[512] = "";
    double L = 0.5, EI = 0.05, r = 5e-3, own = L / sections;
    for (int i = 0; i < sections; i++) {
        char one[32];
        snprintf(one, sizeof one, "%s%.12g", i > 0 ? ", " : "", own);
        strcat(lengths, one);
        strcat(masses, i > 0 ? ", 0.01" : "0.01");
        strcat(radii, i > 0 ? ", 5e-3" : "5e-3");
    }
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\ngravity: none\n"
                                "arms:\n"
                                "  a: {lengths: [%s], masses: [%s], radii: [%s], stiffness: %.12g, "
                                "disks: 1, disk-radius: 1 cm}\n"
                                "forces: {pull: {on: a/tip, force: [%.12g, 0, 0]}}\n",
                                lengths, masses, radii, 2 * EI / (3 * r * r * own), EI / (L * L)) &&
              lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        double pose[7];
        lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "a/tip"), pose);
        *along = pose[2] / L;
        *across = pose[0] / L;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_arm_as_rod(LitheTrial *trial) {
    enum { COUNT = 5 };
    double x[COUNT], y[COUNT], last = NAN;
    for (int i = 0; i < COUNT; i++) {
        double along, across;
        if (!bend(trial, 1 << i, &along, &across))
            return false;
        // an inextensible elastica under the same force, by integration of its equation
        double off = hypot(along - 0.943566764, across - 0.301720774);
        x[i] = 1 << i;
        y[i] = off;
        if (!lithe_trial_add(trial, at_most(off, 0.075 / (x[i] * x[i])), "tip_error_%d_sections",
                             1 << i) ||
            (i > 0 && !lithe_trial_add(trial, at_most(off / last, 1 / 3.0),
                                       "error_over_that_of_half_as_many_%d", 1 << i)))
            return false;
        last = off;
    }
    trial->plot.title = "A soft arm as a rod: error of the tip under a force across it";
    trial->plot.x_label = "sections";
    trial->plot.y_label = "error / length";
    trial->plot.log_x = trial->plot.log_y = true;
    return lithe_trial_curve(trial, "error", true, x, y, COUNT);
}
