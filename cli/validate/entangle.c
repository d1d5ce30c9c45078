// SPDX-License-Identifier: Apache-2.0
// cli/validate/entangle.c - twelve filaments entangle a workpiece and carry it
//
// The scene scenes/entangling-gripper.yaml. Whether it grasps is chance; what must hold whatever it
// does: no filament passes through another, by a check that shares no code with the certificate,
// and the clamps carry the weight of all that hangs.

#include "cli/validate/passing.h"
#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#define WEIGHT 9.81
#define FILAMENTS (12 * 1155 * M_PI * 2.1e-3 * 2.1e-3 * 0.26)  // kg
#define CAPSULE (M_PI * 5e-3 * 5e-3 * (0.12 + 4.0 / 3 * 5e-3)) // m^3
#define WORKPIECE (500 * (0.05 * 0.05 * 6e-3 + 4 * CAPSULE))   // kg
#define SEEN 0.02                                              // s between samples

typedef struct Grasp {
    LitheStand stand;
    Passing passing;
    LitheBodyId work;
    double carried, lowest, speed; // at 10 s, in 8 to 9.5 s, at the end [m, m/s]
    double hanging, holding;       // force of the clamps: mean of 2.5 to 3 s, of 8 to 9.5 s [N]
    int32_t hanging_count, holding_count;
    int64_t contacts; // most in a step
    double t[800], z[800];
    int32_t count;
} Grasp;

static double force_of_clamps(const Grasp *g) {
    double sum = 0;
    for (int32_t i = 1; i <= lithe_constraint_count(g->stand.model); i++)
        sum += lithe_constraint_force(g->stand.model, g->stand.state, (LitheConstraintId){i}).z;
    return sum;
}

// height of the lowest corner of the base
static double lowest_corner(const double pose[7]) {
    Quat q = {pose[3], pose[4], pose[5], pose[6]};
    double low = INFINITY;
    for (int k = 0; k < 8; k++) {
        Vec3 corner = {k & 1 ? 25e-3 : -25e-3, k & 2 ? 25e-3 : -25e-3, k & 4 ? 6e-3 : 0};
        low = fmin(low, pose[2] + q4_rotate(q, corner).z);
    }
    return low;
}

static void look(Grasp *g, double time, bool sample) {
    double pose[7], velocity[6];
    lithe_body_pose(g->stand.model, g->stand.state, g->work, pose);
    lithe_body_velocity(g->stand.model, g->stand.state, g->work, velocity);
    double low = lowest_corner(pose), force = force_of_clamps(g);
    g->speed = v3_norm(v3_load(velocity));
    if (time > 2.5 && time <= 3)
        g->hanging += force, g->hanging_count++;
    if (time > 8 && time <= 9.5) {
        g->lowest = fmin(g->lowest, low);
        g->holding += force, g->holding_count++;
    }
    if (time <= 10 + 1e-9)
        g->carried = pose[1];
    if (sample && g->count < 800) {
        g->t[g->count] = time;
        g->z[g->count++] = 1e3 * low;
    }
}

static bool grasp(LitheTrial *trial, const char *const *sets, int32_t set_count, double step,
                  double end, Grasp *g) {
    LitheReport report;
    *g = (Grasp){.lowest = INFINITY};
    bool ok = lithe_stand_load(trial, &g->stand, "entangling-gripper", sets, set_count);
    int64_t steps = (int64_t)lround(end / step), every = (int64_t)lround(SEEN / step);
    if (ok) {
        int64_t edges = g->stand.model->edge_count;
        g->work = lithe_body_find(g->stand.model, "work");
        g->passing = (Passing){.model = g->stand.model};
        g->passing.edges = lithe_alloc_array(trial->context, edges, sizeof *g->passing.edges);
        ok = g->passing.edges || lithe_fail_memory(&trial->error, "the observed edges") == LITHE_OK;
        g->stand.work->watch = passing_watch;
        g->stand.work->watch_user = &g->passing;
    }
    for (int64_t k = 1; ok && k <= steps; k++) {
        ok = lithe_step(g->stand.model, g->stand.state, g->stand.work, &report, &trial->error) ==
             LITHE_OK;
        if (ok && report.contacts > g->contacts)
            g->contacts = report.contacts;
        if (ok)
            look(g, (double)k * step, k % every == 0);
    }
    g->hanging /= g->hanging_count > 0 ? g->hanging_count : 1;
    g->holding /= g->holding_count > 0 ? g->holding_count : 1;
    lithe_free(trial->context, g->passing.edges);
    lithe_stand_end(&g->stand);
    return ok;
}

static bool add_invariants(LitheTrial *trial, const Grasp *g) {
    trial->plot.title = "A workpiece in a gripper of filaments";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "lowest corner of the base [mm]";
    return lithe_trial_curve(trial, "base", true, g->t, g->z, g->count) &&
           lithe_trial_add(trial, at_most((double)g->passing.crossings, 0),
                           "crossings of filaments") &&
           lithe_trial_add(trial, near_to(g->hanging, FILAMENTS * WEIGHT, 1e-3),
                           "force of the clamps before the grasp [N]") &&
           lithe_trial_add(trial, reported((double)g->contacts), "contacts, most in a step");
}

// 41 nodes a filament and steps of 2 ms, until they have curled
bool lithe_case_entangling_gripper_quick(LitheTrial *trial) {
    static const char *const sets[] = {"parameters.nodes=41", "parameters.clamped=2",
                                       "time.step=2ms"};
    Grasp g;
    return grasp(trial, sets, 3, 2e-3, 6.2, &g) && add_invariants(trial, &g);
}

bool lithe_case_entangling_gripper(LitheTrial *trial) {
    Grasp g;
    return grasp(trial, NULL, 0, 1e-3, 14, &g) && add_invariants(trial, &g) &&
           lithe_trial_add(trial, near_to(g.holding, (FILAMENTS + WORKPIECE) * WEIGHT, 0.01),
                           "force of the clamps that hold the workpiece [N]") &&
           lithe_trial_add(trial, at_most(0.08 - g.carried, 0), "80 mm less the way along y [m]") &&
           lithe_trial_add(trial, at_most(3e-3 - g.lowest, 0), "3 mm less the height [m]") &&
           lithe_trial_add(trial, at_most(g.speed, 1e-3), "speed after the release [m/s]");
}
