// SPDX-License-Identifier: Apache-2.0
// solve/loops.h - parallel loops over couplings, nodes and parts of a convex problem
//
// Each range of a loop writes only its own numbers, and sums are added range by range: the same
// bits for every number of threads.

#ifndef LITHE_SOLVE_LOOPS_H
#define LITHE_SOLVE_LOOPS_H

#include "data/system.h"

/// Hessian G [rows][rows] of a coupling.
static inline double *lithe_hessian_of(const LitheSystem *system, const LitheCoupling *c) {
    return system->hessians + c->hessian_at;
}

/// to = from; both [dof_count]
void lithe_loop_copy(LitheSystem *system, const double *from, double *to);

/// Velocities, impulses and Hessians of the couplings at `w`; returns the sum of their costs.
double lithe_loop_respond(LitheSystem *system, const double *w);

/// The sum of their costs at `w`; velocities, impulses and Hessians stay those at system->w.
double lithe_loop_cost(LitheSystem *system, const double *w);

/// Impulses, Hessians and costs at v + length dv; v is not changed. `slope` and `curvature` get the
/// derivatives of the cost along dv.
double lithe_loop_try(LitheSystem *system, double length, double *slope, double *curvature);

/// Impulses and Hessians at the present velocities for a fixed active set (V34): that of the last
/// impulses, or with `restart` the contacts that were active in the last step or approach; drives
/// are then held back by (V40). Returns the number of contacts that can be active; `changed` gets
/// the number whose state changed.
int32_t lithe_loop_active_set(LitheSystem *system, bool restart, int32_t *changed);

/// out = J' impulse on free DoFs, or on held ones with `held`.
void lithe_loop_spread(LitheSystem *system, bool held, double *out);

/// gradient = from - J' impulse on free DoFs, 0 on held ones. Returns |D gradient|, and |D J'
/// impulse| in `impulses`.
double lithe_loop_gradient(LitheSystem *system, const double *from, double *impulses);

/// smooth = r + A (w - w0), dw = w - w0; returns dw'(r + smooth)/2.
double lithe_loop_smooth(LitheSystem *system);

/// Derivatives of the cost along a direction dw.
typedef struct LitheAlong {
    double slope;     // smooth . dw
    double curvature; // dw . A dw
    double start;     // gradient . dw
    double size;      // |dw/D|
} LitheAlong;

/// lithe_loop_try with the length 1.
typedef struct LitheTrial {
    double cost, slope, curvature;
} LitheTrial;

/// Computes A dw, J dw, the directions of friction after the full step, and the couplings at w +
/// dw: `full`; with `measured` also what lithe_loop_backward_error reads. `ahead`: computes what
/// the next matrix needs of groups, while they are in the cache.
LitheAlong lithe_loop_direction(LitheSystem *system, bool measured, bool ahead, LitheTrial *full);

/// The same, then moves by the full step and finds the active set there, as lithe_loop_active_set.
LitheAlong lithe_loop_step(LitheSystem *system, bool measured, bool ahead, int32_t *changed);

/// |b - H dw|/(|H| |dw| + |b|) in the maximum norm, b = -gradient, with a lower bound of |H|: from
/// A dw and J dw. Call after lithe_loop_direction or lithe_loop_step with `measured`.
double lithe_loop_backward_error(LitheSystem *system);

/// w, smooth and the velocities of couplings move by `length` along dw; false when w does not
/// change.
bool lithe_loop_move(LitheSystem *system, double length);

/// H = A + J' G J, G with the directions of friction. Returns the number of nodes in
/// system->touched whose columns may differ from the last H; -1: an idle contact has closed.
int32_t lithe_loop_assemble(LitheSystem *system);

#endif
