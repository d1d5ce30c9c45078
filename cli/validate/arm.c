// SPDX-License-Identifier: Apache-2.0
// cli/validate/arm.c - soft arms: shape and equilibrium of one section

#include "cli/validate/validate.h"

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
