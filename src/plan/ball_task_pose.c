// SPDX-License-Identifier: Apache-2.0
// plan/ball_task_pose.c - chamber lengths for a pose of the first disk, by damped Gauss-Newton
// steps

#include "plan/arm_record.h"

#include "sparse/dense.h"

#include <math.h>
#include <string.h>

enum { N = LITHE_PLAN_CHAMBERS, POSE = 6 };

// outputs: centre of the disk, axis of the disk, efforts that hold the arm
static LitheTape *record_pose(LitheContext *context, const LitheBallTask *model) {
    LitheTape *t = lithe_tape_new(context, N, 0);
    if (t == NULL)
        return NULL;
    Vector still[LITHE_PLAN_SECTIONS], forces[LITHE_PLAN_SECTIONS];
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++)
        still[i] = zeros(t);
    Arm arm = lithe_record_arm(t, model, 0, still, still);
    Push none[LITHE_PLAN_CONTACTS];
    for (int32_t k = 0; k < model->contact_count; k++)
        none[k] = (Push){zeros(t), zeros(t)};
    lithe_record_forces(t, model, &arm, NULL, none, forces);
    Vector axis = column(&arm.disk[0].rotation, 2);
    for (int i = 0; i < 3; i++)
        lithe_tape_output(t, arm.disk[0].centre.c[i]);
    for (int i = 0; i < 3; i++)
        lithe_tape_output(t, axis.c[i]);
    for (int i = 0; i < N; i++)
        lithe_tape_output(t, plus(t, lithe_tape_scale(t, 1 / model->step, forces[i / 3].c[i % 3]),
                                  lithe_tape_scale(t, model->stiffness, lithe_tape_input(t, i))));
    return lithe_tape_finish(t);
}

// residuals of the pose: metres, and the axis over 5
static double residuals(const double *y, const double *centre, const double *axis, double *r) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        r[i] = y[i] - centre[i];
        r[3 + i] = 0.2 * (y[3 + i] - axis[i]);
    }
    for (int i = 0; i < POSE; i++)
        sum += r[i] * r[i];
    return sum;
}

static bool approach(const LitheTape *tape, LitheTapeWork *work, const double *centre,
                     const double *axis, double *lengths, double *y) {
    LithePattern rows = lithe_tape_jacobian_pattern(tape);
    double r[POSE], damping = 1e-4, entries[(POSE + N) * N];
    lithe_tape_values(tape, work, lengths, NULL, y);
    double error = residuals(y, centre, axis, r);
    for (int tries = 0; tries < 500 && error > 1e-24; tries++) {
        lithe_tape_values(tape, work, lengths, NULL, y);
        error = residuals(y, centre, axis, r);
        lithe_tape_jacobian(tape, work, entries);
        double J[POSE][N] = {{0}}, A[N * N], d[N] = {0}, trial[N], unused[POSE];
        for (int i = 0; i < POSE; i++)
            for (int32_t e = rows.start[i]; e < rows.start[i + 1]; e++)
                J[i][rows.column[e]] = (i < 3 ? 1 : 0.2) * entries[e];
        for (int i = 0; i < N; i++)
            for (int j = 0; j <= i; j++) {
                A[N * i + j] = i == j ? damping : 0;
                for (int k = 0; k < POSE; k++)
                    A[N * i + j] += J[k][i] * J[k][j];
            }
        for (int i = 0; i < N; i++)
            for (int k = 0; k < POSE; k++)
                d[i] -= J[k][i] * r[k];
        if (lithe_dense_factor_positive(N, A) >= 0)
            return false;
        lithe_dense_solve(N, A, d);
        for (int i = 0; i < N; i++)
            trial[i] = lengths[i] + d[i];
        lithe_tape_values(tape, work, trial, NULL, y);
        if (residuals(y, centre, axis, unused) < error) {
            memcpy(lengths, trial, sizeof trial);
            damping = fmax(1e-12, 0.3 * damping);
        } else if ((damping *= 10) > 1e6) {
            break;
        }
    }
    lithe_tape_values(tape, work, lengths, NULL, y);
    return residuals(y, centre, axis, r) < 1e-18;
}

bool lithe_ball_task_pose(LitheContext *context, const LitheBallTask *model, const double *centre,
                          const double *axis, double *lengths, double *hold) {
    LitheTape *tape = record_pose(context, model);
    LitheTapeWork *work = tape != NULL ? lithe_tape_work_new(context, tape) : NULL;
    double y[POSE + N];
    bool found = work != NULL;
    if (found && centre != NULL) {
        double unit[3], size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
        for (int i = 0; i < 3; i++)
            unit[i] = axis[i] / size;
        found = approach(tape, work, centre, unit, lengths, y);
    } else if (found) {
        lithe_tape_values(tape, work, lengths, NULL, y);
    }
    if (found)
        memcpy(hold, y + POSE, N * sizeof *hold);
    lithe_tape_work_free(work);
    lithe_tape_free(tape);
    return found;
}
