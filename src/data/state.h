// SPDX-License-Identifier: Apache-2.0
// data/state.h - everything that changes and that the future depends on, in one flat array

#ifndef LITHE_DATA_STATE_H
#define LITHE_DATA_STATE_H

#include "data/model.h"

struct LitheState {
    LitheContext *context;
    int64_t size; // doubles in data
    double *data;

    // where the parts lie in data; all of data, nothing else
    double *clock;   // [2] time [s] and steps taken (a whole number)
    double *q;       // [q_count] positions [m] and twist angles [rad] of rods; joints of trees
    double *v;       // [v_count] their rates
    double *effort;  // [v_count - dof_count] efforts of drives on the joints of trees, last step
    double *d1;      // [edge_count][3] reference directors at the present configuration
    double *tau_ref; // [node_count] reference twist, unwrapped [rad]
    double *sums;    // [units][2] energy dissipated, work done on each rod and tree [J]
    double
        *drives;  // [drive_count][3] force [N], torque [N m] of the last step, position [m or rad]
    double *aims; // [aim_count] joint positions that pose drives pull to [rad or m]
};

/// Doubles that a state of this model takes.
int64_t lithe_state_size_of(const LitheModel *model);

/// Zeroed; NULL when out of memory.
LitheState *lithe_state_create(const LitheModel *model);

#endif
