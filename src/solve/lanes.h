// SPDX-License-Identifier: Apache-2.0
// solve/lanes.h - points of patches during a solve, four side by side
//
// A Newton iteration evaluates the law of each point at its velocity J w + bias, and sums J'
// impulse and J' G J over the points of a group. While a solve runs, laws, velocities, impulses,
// Hessians and directions of friction of the points are kept in lanes (LitheLane, data/system.h),
// so that one sweep over a group does all of it: each block of J is read once per iteration.
//
// Open before the iterations, close after them: only then do the couplings have v and impulse.

#ifndef LITHE_SOLVE_LANES_H
#define LITHE_SOLVE_LANES_H

#include "data/system.h"

typedef enum LitheLaneVelocity {
    LITHE_LANE_V_KEPT,  // v stays
    LITHE_LANE_V_OF_X,  // v = J x + bias
    LITHE_LANE_V_ALONG, // dv = J x, directions of friction after this step, then v += dv
} LitheLaneVelocity;

typedef enum LitheLaneLaw {
    LITHE_LANE_LAW_KEPT,   // impulse and G stay
    LITHE_LANE_LAW_EXACT,  // at v + length dv; sums: cost, then slope and curvature along dv
    LITHE_LANE_LAW_ACTIVE, // with the active set of the last impulses (V34); sums: points that can
                           // be active, points that have changed
    LITHE_LANE_LAW_GIVEN,  // with the active set in the lanes; sums: points that can be active
} LitheLaneLaw;

/// One sweep over a group.
typedef struct LitheLaneJob {
    LitheLaneVelocity velocity;
    const double *x; // [dof_count]
    LitheLaneLaw law;
    double length;
    bool pushes; // group_pushes = J' G J x, along x
    bool sums;   // group_sums = J' impulse
    bool terms;  // group_matrix = J' G J, G with the directions of friction
} LitheLaneJob;

/// Begins a solve: laws, bias and v of the points into the lanes, if the law of all of them is
/// plain.
void lithe_lanes_open(LitheSystem *system);

/// Ends it: v and impulses into the couplings.
void lithe_lanes_close(LitheSystem *system);

/// One sweep over the groups in a range of couplings.
void lithe_lanes_sweep(LitheSystem *system, int32_t range, const LitheLaneJob *job, double *sums);

/// v += length dv
void lithe_lanes_move(LitheSystem *system, int32_t range, double length);

/// Directions of friction at the start of a solve, as lithe_slip_begin.
void lithe_lanes_begin_slips(LitheSystem *system, bool warm);

/// The active set at the start of a solve; with `recalls` also (V36).
void lithe_lanes_restart(LitheSystem *system, int32_t range, bool recalls);

/// v, impulses and Hessians into the couplings.
void lithe_lanes_store(LitheSystem *system);

/// Normal impulses into the couplings, and bounds of friction from their terms.
void lithe_lanes_store_normals(LitheSystem *system);
void lithe_lanes_load_bounds(LitheSystem *system);

/// The first coupling from `i` to `after` that is in no lane; `after` if there is none.
static inline int32_t lithe_lanes_skip(const LitheSystem *s, int32_t i, int32_t after) {
    while (s->in_lanes && i < after && s->couplings[i].group > 0) {
        const LitheGroup *g = &s->groups[s->couplings[i].group - 1];
        i = g->first + g->count;
    }
    return i;
}

#endif
