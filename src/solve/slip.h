// SPDX-License-Identifier: Apache-2.0
// solve/slip.h - directions of friction as separate unknowns: fewer Newton iterations
//
// Friction with a bound b has the impulse -b u, u = v/s (V4); s exceeds |v| by the stick speed eps.
// Newton's method linearises u at the present v, which is valid only for changes of v by a few eps:
// the line search shortens each Newton step to where the first contact begins to stick. With u as a
// separate unknown d, s d = v, the linear equations stay valid from sliding to sticking (Chan,
// Golub and Mulet 1999). Numbers in brackets: docs/theory/contact.md.

#ifndef LITHE_SOLVE_SLIP_H
#define LITHE_SOLVE_SLIP_H

#include "data/system.h"

/// Directions at the start of a solve, into system->slip: those of the velocities when they are
/// about right (`warm`), else none.
void lithe_slip_begin(LitheSystem *system, bool warm);

/// (V36): before the first Newton step of a solve, c->v becomes the sliding velocity of the last
/// step; c->lead is what it lacks.
void lithe_slip_recall(LitheCoupling *c);

/// (V36): from impulse and Hessian at c->v to the impulse at c->v + c->lead, and the direction.
void lithe_slip_lead(LitheSystem *system, int32_t coupling);

/// (V28): the directions of a coupling after a full Newton step, from its v and dv. Call it before
/// v and impulse change.
void lithe_slip_update(LitheSystem *system, int32_t coupling);

/// (V29): replaces the friction part of the Hessian G [rows*rows] of a coupling by the one with d
/// in place of u. G stays positive semidefinite.
void lithe_slip_hessian(const LitheSystem *system, int32_t coupling, double *G);

#endif
