// SPDX-License-Identifier: Apache-2.0
// cli/validate/lace.c - two pads pinch a soft lace and hold it for a minute; soft pads lift a rod
//
// The scene scenes/lace.yaml: fingers close with a given force, a weight pulls at the lace. The
// pinch force is that of a pad on the lace, at rest that of its finger; held means that no point of
// the lace between the pads creeps.

#include "cli/validate/validate.h"

#include <string.h>

enum { MINUTE = 60, SETTLED = 10, NODES = 31 };

#define FINGER 0.25 // force of a finger [N]
#define PAD 0.0085  // half the height of a pad [m]
#define STEP 10e-3  // s

typedef struct Pinch {
    double force[MINUTE]; // mean normal force of the left pad over a second [N]
    double noise;         // largest standard deviation in a second once settled [N]
    double creep[MINUTE]; // largest displacement between the pads since it settled [m]
} Pinch;

// Force along the fingers between what is held and the left pad in the last step. Normals of a
// patch are not all alike, so the sum of the normal forces would be larger.
static double pinch_force(const LitheStand *stand, const char *pad) {
    double sum = 0;
    int32_t left = lithe_thing_number(stand->model, lithe_thing_find(stand->model, pad));
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        int32_t a = lithe_thing_number(stand->model, c.contact.a.thing);
        int32_t b = lithe_thing_number(stand->model, c.contact.b.thing);
        sum += a == left ? c.force.x : b == left ? -c.force.x : 0;
    }
    return sum;
}

static double creep_of(const double *q, const double *start) {
    double largest = 0;
    for (int32_t i = 0; i < NODES; i++)
        if (fabs(start[4 * i + 2]) < PAD)
            largest = fmax(largest, fabs(q[4 * i + 2] - start[4 * i + 2]));
    return largest;
}

static bool pinch(LitheTrial *trial, bool points, Pinch *out) {
    const char *sets[] = {"time.step=10ms", "contact.patches=off"};
    LitheStand stand;
    double start[4 * NODES];
    int32_t steps = (int32_t)lround(1 / STEP);
    bool ok = lithe_stand_load(trial, &stand, "lace", sets, points ? 2 : 1);
    LitheRodId lace = {1};
    *out = (Pinch){0};
    for (int second = 0; ok && second < MINUTE; second++) {
        double sum = 0, square = 0;
        for (int32_t k = 0; ok && k < steps; k++) {
            ok = lithe_stand_step(trial, &stand);
            double f = ok ? pinch_force(&stand, "left") - FINGER : 0;
            sum += f / steps;
            square += f * f / steps;
        }
        const double *q = lithe_rod_q(stand.model, stand.state, lace);
        if (second < SETTLED)
            memcpy(start, q, sizeof start);
        else
            out->noise = fmax(out->noise, sqrt(fmax(square - sum * sum, 0)));
        out->force[second] = FINGER + sum;
        out->creep[second] = creep_of(q, start);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_pinched_lace(LitheTrial *trial) {
    Pinch patch, point;
    double t[MINUTE], um[MINUTE], bound[MINUTE];
    if (!pinch(trial, false, &patch) || !pinch(trial, true, &point))
        return false;
    for (int i = 0; i < MINUTE; i++) {
        t[i] = i + 1;
        um[i] = fmax(1e6 * patch.creep[i], 1e-6);
        bound[i] = fmax(i + 1 - SETTLED, 1e-6);
    }
    trial->plot.title = "A lace between two pads";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "creep [um]";
    trial->plot.log_y = true;
    double held = MINUTE - SETTLED;
    return lithe_trial_curve(trial, "patches", true, t + SETTLED, um + SETTLED, MINUTE - SETTLED) &&
           lithe_trial_curve(trial, "1 um/s", false, t + SETTLED, bound + SETTLED,
                             MINUTE - SETTLED) &&
           lithe_trial_add(trial, near_to(patch.force[MINUTE - 1], FINGER, 0.02),
                           "pinch force, patches [N]") &&
           lithe_trial_add(trial, at_most(patch.creep[MINUTE - 1] / held, 1e-6),
                           "creep, patches [m/s]") &&
           lithe_trial_add(trial, reported(patch.noise), "noise of the force, patches [N]") &&
           lithe_trial_add(trial, reported(point.force[MINUTE - 1]), "pinch force, points [N]") &&
           lithe_trial_add(trial, reported(point.noise), "noise of the force, points [N]") &&
           lithe_trial_add(trial, reported(point.creep[MINUTE - 1] / held), "creep, points [m/s]");
}

// --- soft_pads -----------------------------------------------------------------------------------

#define SQUEEZE 6.0 // force of a finger [N]
#define LIFTED 3.4  // s
#define HELD 0.6    // s

// scenes/soft-pads.yaml: the ends of the rod show whether it slides or turns between the pads
bool lithe_case_soft_pads(LitheTrial *trial) {
    LitheStand stand;
    LitheVec3 ends[2][2];
    double force = 0, area = 0;
    bool ok = lithe_stand_load(trial, &stand, "soft-pads", NULL, 0);
    stand.rod = (LitheRodId){1};
    for (int k = 0; ok && k < 2; k++) {
        ok = lithe_stand_run(trial, &stand, STEP, k == 0 ? LIFTED : HELD);
        for (int i = 0; ok && i < 2; i++)
            ends[k][i] = lithe_stand_node(&stand, i == 0 ? 0 : -1);
    }
    for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++)
        area += lithe_work_contact(stand.work, i).contact.area;
    force = ok ? pinch_force(&stand, "pad-left") : 0;
    lithe_stand_end(&stand);
    if (!ok)
        return false;
    double creep = fmax(fabs(ends[1][0].z - ends[0][0].z), fabs(ends[1][1].z - ends[0][1].z));
    return lithe_trial_add(trial, near_to(fabs(force), SQUEEZE, 0.02), "pinch force [N]") &&
           lithe_trial_add(trial, at_most(creep / HELD, 1e-6), "creep of the ends [m/s]") &&
           lithe_trial_add(trial, reported(ends[1][0].z), "height of the short end [m]") &&
           lithe_trial_add(trial, reported(ends[1][1].z), "height of the long end [m]") &&
           lithe_trial_add(trial, reported(1e6 * area), "area of both patches [mm^2]");
}
