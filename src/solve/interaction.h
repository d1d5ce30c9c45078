// SPDX-License-Identifier: Apache-2.0
// solve/interaction.h - interactions between nodes of units through a potential: the interface
//
// An interaction is a sum of stencils of a few nodes. In a minimisation it has an energy, a
// gradient and Hessians. Forces without a potential (friction that is bounded by a normal force)
// are lagged: constant in a minimisation, and updated between the iterations.
//
// Nodes are counted through all units of the model, and w through all of their DoFs: the velocity
// at which forces are evaluated (data/work.h). A potential is a function of w, in joules; its
// gradient is an impulse.

#ifndef LITHE_SOLVE_INTERACTION_H
#define LITHE_SOLVE_INTERACTION_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LITHE_STENCIL_NODES = 4,
    LITHE_STENCIL_BLOCKS = 10, // of a node with itself and with earlier ones of the stencil
    LITHE_STENCIL_GROUP = 8,   // stencils per call

    // the largest stencils, with all DoFs of nodes of a rod
    LITHE_STENCIL_WIDTH = 4,
    LITHE_STENCIL_DOFS = LITHE_STENCIL_NODES * LITHE_STENCIL_WIDTH,
    LITHE_STENCIL_HESSIAN = LITHE_STENCIL_BLOCKS * LITHE_STENCIL_WIDTH * LITHE_STENCIL_WIDTH,
};

typedef struct LitheInteraction {
    void *self;

    /// DoFs of a node that a stencil acts on, its first ones: 3 (a position), or 4 (and a twist).
    /// No node of a stencil may have fewer.
    int32_t width;

    /// Number of stencils, and the nodes of one stencil, which are all different.
    int32_t (*count)(const void *self);
    void (*nodes)(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]);

    /// Updates the lagged terms, which are constant in a minimisation, at w; `solved`: the last
    /// minimisation ended there. Returns their relative change; 0: nothing changed.
    double (*update_lagged)(void *self, const double *w, bool solved);

    /// NULL, or called with a Newton step dx from the w of the last evaluate, before it is applied.
    void (*aim)(void *self, const double *dx);

    /// Potential at w, INFINITY outside the domain; adds its gradient.
    double (*evaluate)(void *self, const double *w, double *gradient);

    /// NULL, or the largest length of the line search from w along dx, at most 1, for which nothing
    /// crosses (barriers). NULL: 1.
    double (*max_length)(void *self, const double *w, const double *dx);

    /// Hessians of `count` stencils (at most LITHE_STENCIL_GROUP) from `first` on, at the w of the
    /// last evaluate, one after the other. Each consists of LITHE_STENCIL_BLOCKS blocks of width x
    /// width numbers, column by column: (0,0), (1,0), (1,1), (2,0) .. of its nodes. With `project`
    /// they are positive semidefinite. NULL: there are none.
    void (*hessians)(void *self, int32_t first, int32_t count, bool project, double *H);
} LitheInteraction;

#endif
