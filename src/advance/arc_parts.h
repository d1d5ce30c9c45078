// SPDX-License-Identifier: Apache-2.0
// advance/arc_parts.h - what the files of a step along a path of equilibria share
//
// arc.c has the steps and their lengths, arc_solve.c the iteration (Q13), arc_kink.c corners of the
// path, arc_break.c constraints that break on it.

#ifndef LITHE_ADVANCE_ARC_PARTS_H
#define LITHE_ADVANCE_ARC_PARTS_H

#include "advance/events.h"
#include "body/unit.h"
#include "solve/modes_world.h"
#include "solve/path_ties.h"

/// The couplings with one-sided or bounded laws that act at a state.
typedef struct LitheActing {
    uint64_t *key; // [count]
    int32_t count, capacity;
} LitheActing;

typedef struct LitheArc {
    const LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheWorldStiffness world;
    LitheReport *report;
    double mass;
    LithePathTies ties;
    double size, scale;                       // of g and of the forces, for the relative residual
    int32_t negative;                         // number of negative pivots of K
    int32_t negative_before;                  // at the start of the step
    bool adapts;                              // arc: auto
    double length;                            // of this step; 0: as `step` advances the loads [m]
    double next;                              // the same of the next one
    double most;                              // change of the time of the loads in a step [s]
    double sense;                             // 1 or -1: the time of the loads grows or falls
    double difference;                        // of times for dg/dt, with its sign [s]
    double way;                               // of the predictor of the last attempt, in time [s]
    double speed;                             // |dq/dt| at the start of the step [m/s]
    double room;                              // size of the world [m]
    double share;                             // part of the step that is attempted
    int iterations;                           // of the last (Q13)
    int32_t broken;                           // constraints that broke
    bool turned;                              // `direction` was set, to the tangent at the end
    LitheActing acting;                       // at the start of the step
    bool still;                               // nothing moves at the start of the step
    const char *kink;                         // what changed in the last attempt; NULL: nothing
    char kink_text[160];                      // its memory
    double *g, *rate, *a, *b, *p, *u, *M, *w; // [v_count] symbols of (Q12), (Q13); rate: g at a
                                              // slightly later time, M: mass matrix times a vector,
                                              // w: displacement of an iteration
    double *first;                            // [v_count] b at the start of the step
    double *pull;                             // [v_count] dg/dt at the start of the step
    LitheState *aside;                        // the state, while what is prescribed is ahead of it
    double *direction;                        // [v_count] of the last step
} LitheArc;

/// Relative forces out of balance at which a step has converged, and errors of near-rigid
/// constraints over the size of the world: what moves less does not move.
#define LITHE_ARC_TOLERANCE 1e-9

/// From work->start one step of a share of the length, across a kink where one lies in the way.
/// LITHE_CANNOT_GO_ON: it did not converge.
LitheStatus lithe_arc_attempt(LitheArc *arc, double share, LitheError *error);

// --- the iteration (arc_solve.c) -----------------------------------------------------------------

/// y = M x
void lithe_arc_multiply(const LitheArc *arc, const double *x, double *y);

/// Root mean square of a displacement, weighted by mass [m].
double lithe_arc_norm(LitheArc *arc, const double *x);

/// The step begins at the present state: g, K factored, b, the couplings that act, and the forces
/// of limits of joints.
LitheStatus lithe_arc_begin(LitheArc *arc, LitheError *error);

/// The difference of times for dg/dt: to later times, and where an event is that near, before it;
/// on a path on which the time of the loads falls, to earlier ones where an event is near [s].
double lithe_arc_difference(const LitheArc *arc, double time);

/// Moves by w, in which the time of the loads changes by `d`; then as lithe_arc_begin.
LitheStatus lithe_arc_advance(LitheArc *arc, double d, LitheError *error);

/// Moves by the predictor p, in which the time of the loads changes by `d`, and iterates (Q13)
/// until the state is an equilibrium; with `fixed` at the time that it has then.
/// LITHE_CANNOT_GO_ON: it did not converge.
LitheStatus lithe_arc_iterate(LitheArc *arc, double d, bool fixed, LitheError *error);

/// The state is an equilibrium: stores the forces of constraints, drives and holds in it, and fills
/// the report.
LitheStatus lithe_arc_finish(LitheArc *arc, LitheError *error);

// --- kinks (arc_kink.c) --------------------------------------------------------------------------

/// Notes which couplings act in the system.
bool lithe_arc_note_acting(LitheArc *arc);

/// Sets arc->kink where others act now, or the loads turn.
void lithe_arc_compare_acting(LitheArc *arc);

/// Whether the direction of dg/dt turned since the start of the step.
bool lithe_arc_loads_turn(const LitheArc *arc);

/// After a step along the arc: false where it crossed a kink against (Q22); where the loads turned,
/// the direction becomes that of the tangent.
bool lithe_arc_keeps_sense(LitheArc *arc, double sense);

/// From the state at the start of the step, which is begun, to the loads `d` later, or to the event
/// and across it, at given loads (Q23).
LitheStatus lithe_arc_load(LitheArc *arc, double d, const LitheEvent *event, LitheError *error);

/// From the start of the step, which is not begun, across a kink within `d` of the loads (Q22).
LitheStatus lithe_arc_turn(LitheArc *arc, double d, LitheError *error);

/// Searches for the equilibrium under the present loads by descent, and iterates from there; u is
/// then the displacement since the start of the step.
LitheStatus lithe_arc_settle(LitheArc *arc, LitheError *error);

/// The equilibrium that was found starts a new piece of the path: its tangent is the direction.
void lithe_arc_redirect(LitheArc *arc, double sense);

/// Whether the last step made no way, neither in the loads nor of anything.
bool lithe_arc_stands(LitheArc *arc);

// --- constraints that break (arc_break.c) --------------------------------------------------------

/// After an attempt: where a constraint carries more than it can, the step ends at the load at
/// which it breaks, and with the equilibrium without it.
LitheStatus lithe_arc_break(LitheArc *arc, LitheError *error);

#endif
