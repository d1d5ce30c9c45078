// SPDX-License-Identifier: Apache-2.0
// body/hold.h - forces and torques of holds and drives: what balances the degrees of freedom that
// they prescribe
//
// The residual of a held DoF at the end of a step is the impulse that holds it, so that
//     (H1)  force = sum r_i/h,  torque = sum (x_i - p) x r_i/h + sum g_e/h tt0_e
// with the point p in the middle of the nodes, g_e the residual of held twists, and tt0_e as in
// (H6).

#ifndef LITHE_BODY_HOLD_H
#define LITHE_BODY_HOLD_H

#include "data/work.h"

/// Sum of forces on points about a place that moves little between them: add points, then end.
typedef struct LitheWrenchSum {
    Vec3 force, moment; // about the first point
    Vec3 first, sum;    // positions relative to it
    int32_t count;
} LitheWrenchSum;

static inline void lithe_wrench_add(LitheWrenchSum *s, Vec3 at, Vec3 force) {
    s->first = s->count++ == 0 ? at : s->first;
    Vec3 arm = v3_sub(at, s->first);
    s->sum = v3_add(s->sum, arm);
    s->force = v3_add(s->force, force);
    s->moment = v3_add(s->moment, v3_cross(arm, force));
}

/// The middle of the points, the force, and the torque about this middle plus `couple`.
static inline LitheReaction lithe_wrench_end(const LitheWrenchSum *s, Vec3 couple) {
    Vec3 middle = v3_scale(s->count > 0 ? 1.0 / s->count : 0, s->sum);
    Vec3 torque = v3_sub(s->moment, v3_cross(middle, s->force));
    return (LitheReaction){v3_add(s->first, middle), s->force, v3_add(torque, couple)};
}

/// The scalar force of a drive: along its direction, or its size where it has none.
static inline double lithe_drive_along(const LitheDrive *drive, Vec3 force) {
    bool directed = v3_dot(drive->direction, drive->direction) > 0;
    return directed ? v3_dot(force, drive->direction) : v3_norm(force);
}

/// Stores what the holds of a unit of points exert: nodes at x, with `size` numbers each in x and
/// in r. Twists are left out: rods add them (lithe_rod_store_results).
void lithe_holds_book(const LitheModel *model, int32_t unit, const double *x, const double *r,
                      int32_t size, double h, LitheWork *work);

/// The same of the sets of nodes of a solid that are welded to what never moves: the forces of
/// these constraints.
void lithe_held_welds_book(const LitheModel *model, int32_t unit, const double *x, const double *r,
                           double h, LitheState *state);

/// An edge of held twist whose frame is carried along at a state; name NULL: none.
typedef struct LitheCarriedTwist {
    const char *name; // of the rod
    int32_t edge;
} LitheCarriedTwist;

LitheCarriedTwist lithe_twist_carried(const LitheModel *model, const LitheState *state);

#endif
