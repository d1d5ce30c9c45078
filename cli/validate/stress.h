// SPDX-License-Identifier: Apache-2.0
// cli/validate/stress.h - shared by the stress cases: steps that may fail, a plot

#ifndef LITHE_CLI_STRESS_H
#define LITHE_CLI_STRESS_H

#include "cli/validate/validate.h"

/// Outcome of the steps of a stand; those that did not converge are counted, not refused.
typedef struct StressRun {
    int64_t steps, stopped; // stopped: 0 or 1
    int64_t flagged;        // not converged, and reported as such
    int64_t contacts;
    double deepest;    // m
    bool finite;       // the state at the end
    LitheError reason; // why it stopped
} StressRun;

static inline bool stress_finite(const LitheState *state) {
    const double *x = lithe_state_data(state);
    double sum = 0;
    for (int64_t i = 0; i < lithe_state_size(state); i++)
        sum += x[i] * 0;
    return sum == 0;
}

static inline StressRun stress_run(LitheStand *stand, int64_t steps) {
    StressRun run = {0};
    for (; run.steps < steps && !run.stopped; run.steps++) {
        LitheReport report;
        run.stopped =
            lithe_step(stand->model, stand->state, stand->work, &report, &run.reason) != LITHE_OK;
        if (run.stopped)
            break;
        run.flagged +=
            report.bodies_unconverged > 0 || report.solve_unconverged || report.friction_unsettled;
        run.contacts += report.contacts;
        run.deepest = fmax(run.deepest, report.deepest);
    }
    run.finite = stress_finite(stand->state);
    return run;
}

static inline LitheVec3 stress_body(const LitheStand *stand, const char *name) {
    double pose[7];
    lithe_body_pose(stand->model, stand->state, lithe_body_find(stand->model, name), pose);
    return (LitheVec3){pose[0], pose[1], pose[2]};
}

static inline LitheVec3 stress_speed(const LitheStand *stand, const char *name) {
    double v[6];
    lithe_body_velocity(stand->model, stand->state, lithe_body_find(stand->model, name), v);
    return (LitheVec3){v[0], v[1], v[2]};
}

static inline double stress_distance(LitheVec3 a, LitheVec3 b) {
    return hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z);
}

/// All findings as marks: 1 is the limit. Call at the end of a case.
bool lithe_stress_plot(LitheTrial *trial, const char *title);

#endif
