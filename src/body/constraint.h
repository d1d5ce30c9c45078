// SPDX-License-Identifier: Apache-2.0
// body/constraint.h - constraints at a state: where their places are, when they act, when they
// break

#ifndef LITHE_BODY_CONSTRAINT_H
#define LITHE_BODY_CONSTRAINT_H

#include "data/state.h"

/// Constraint `index` in a state.
static inline LitheTie *lithe_tie_of(const LitheState *state, int32_t index) {
    return (LitheTie *)state->constraints + index;
}

/// Whether constraint `index` acts in the present step.
static inline bool lithe_tie_binds(const LitheState *state, int32_t index) {
    double acts = lithe_tie_of(state, index)->acts;
    return acts == LITHE_TIE_BINDS || acts == LITHE_TIE_PULLS;
}

/// A place with its frame, in the world.
Pose lithe_constraint_place(const LitheModel *model, const LitheState *state,
                            const LitheConstraintSide *side);

/// (H2) A weld of an end of a rod: the half of the outermost edge between the place and the middle
/// of the edge, whose frame is that of the edge, bends and twists like the rest of the rod.
typedef struct LitheWeldEnd {
    double stiffness[3]; // about m1, m2 and t of the edge of place b [N m/rad]
    double damping[3];   // of the material of the rod [N m s/rad]
} LitheWeldEnd;

/// False: the constraint is no such weld, or has a stiffness against turning of its own.
bool lithe_weld_bends(const LitheModel *model, int32_t index);

/// Its springs; false where there are none.
bool lithe_weld_end(const LitheModel *model, const LitheState *state, int32_t index,
                    LitheWeldEnd *end);

/// The axes m1, m2 and t of the edge of place b, which is at the pose b.
static inline Quat lithe_weld_axes(const LitheConstraint *weld, Pose b) {
    return q4_mul(b.rotation, q4_conj(weld->b.frame.rotation));
}

/// Rotation of frame b from where a constraint requires it, at the poses a and b of its places
/// (lithe_constraint_place), in world axes [rad].
Vec3 lithe_constraint_turn(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                           Pose b);

/// Rotation of frame b in frame a, at the poses a and b of its places; of a weld of an end of a rod
/// that of the sections there.
Quat lithe_constraint_frames(const LitheModel *model, const LitheState *state,
                             const LitheConstraint *constraint, Pose a, Pose b);

/// At the start of a step: determines which constraints act at `time` (`acts`). `time` is
/// the middle of the step: one that is switched at the border of two steps acts in those after it
/// only, whatever the rounding of their times, and any other one is off by half a step. A
/// constraint that begins to act stores the offset, rotation and length that it keeps. The forces
/// of constraints that do not act become 0. Returns whether one began to act, or one that had a
/// force ended.
bool lithe_constraints_begin(const LitheModel *model, LitheState *state, double time);

/// Error of the position of place b, or of the distance of the places [m]. `size`, to compare it
/// with: the length that is kept, or the larger half thickness or radius of gyration.
double lithe_constraint_error(const LitheModel *model, const LitheState *state, int32_t index,
                              double *size);

/// Angle by which frame b is turned from where a near-rigid weld requires it [rad]; 0 for others.
double lithe_constraint_turned(const LitheModel *model, const LitheState *state, int32_t index);

/// Length that a distance, rope, strut or tendon has, and the one that it requires, at the load
/// time of the state [m]; false for constraints without a length.
bool lithe_constraint_length(const LitheModel *model, const LitheState *state, int32_t index,
                             double *now, double *required);

/// Energy stored in the springs of constraints that act; near-rigid ones store none [J].
double lithe_constraint_energy(const LitheModel *model, const LitheState *state);

/// Whether a near-rigid constraint does work: its places were not where it requires them when it
/// began to act.
bool lithe_constraints_pull(const LitheModel *model, const LitheState *state);

/// Whether a joint or a chamber is outside of its limits by more than rounding: by 1e-12 of their
/// range, or of 1 rad or 1 m where there is one limit alone.
bool lithe_limits_exceeded(const LitheModel *model, const LitheState *state);

/// Stores the force and torque of a constraint on place b.
void lithe_constraint_store(LitheState *state, int32_t index, Vec3 force, Vec3 torque);

/// Counts energy that the drive of a tendon supplied: it passed through the tendon to the units
/// [J].
static inline void lithe_constraint_supply(LitheState *state, int32_t index, double work) {
    state->took[LITHE_TOOK_DRIVES] -= work;
    state->took[LITHE_TOOK_CONSTRAINTS] += work;
    lithe_tie_of(state, index)->work += work;
}

/// After a step: stores the force and torque of a constraint on place b; breaks it when they are
/// too large. Returns true when it broke.
bool lithe_constraint_note(const LitheModel *model, LitheState *state, int32_t index, Vec3 force,
                           Vec3 torque);

/// What a constraint keeps of its places: a row for each way, LitheKeptPlaces (body/kept.c).
typedef struct LitheKept {
    /// Stores in `tie` what the constraint keeps from `time` on.
    void (*take)(const LitheModel *model, const LitheState *state, const LitheConstraint *own,
                 double time, LitheTie *tie);
    /// Error of what constraint `index` keeps, whose places are at the poses a and b [m].
    double (*error)(const LitheModel *model, const LitheState *state, int32_t index, Pose a,
                    Pose b);
    /// Length that it has, and the one that it requires [m]; NULL: it keeps no length.
    void (*length)(const LitheModel *model, const LitheState *state, int32_t index, double *now,
                   double *required);
    /// Energy of its springs [J]; NULL: 1/2 stiffness error^2.
    double (*energy)(const LitheModel *model, const LitheState *state, const LitheConstraint *own);
    /// At the start of each step in which it acts; NULL: nothing.
    void (*begin)(LitheTie *tie);
} LitheKept;

const LitheKept *lithe_kept(const LitheConstraint *constraint);

/// Tendons (body/tendon.c).
extern const LitheKept lithe_kept_path;

#endif
