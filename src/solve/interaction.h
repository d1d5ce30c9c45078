// SPDX-License-Identifier: Apache-2.0
// solve/interaction.h - what acts between nodes of bodies through a potential: the interface
//
// An interaction is a sum of stencils of a few nodes. In a minimisation it has an energy, a
// gradient and Hessians; whatever has no potential (friction that is bounded by a normal force) is
// taken as given there, and looked at anew between the iterations.
//
// Nodes are counted through all units of the model, and w through all of their DoFs: the velocity
// at which forces are evaluated (data/work.h). A potential is one of w, in joules; its gradient is
// an impulse.

#ifndef LITHE_SOLVE_INTERACTION_H
#define LITHE_SOLVE_INTERACTION_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LITHE_STENCIL_NODES = 4,
    LITHE_STENCIL_DOFS = 16,
    LITHE_STENCIL_BLOCKS = 10,   // of a node with itself and with earlier ones of the stencil
    LITHE_STENCIL_HESSIAN = 160, // numbers of these
    LITHE_STENCIL_GROUP = 8,     // stencils that are asked for at once
};

typedef struct LitheInteraction {
    void *self;

    /// Stencils, and the nodes of one, all different.
    int32_t (*count)(const void *self);
    void (*nodes)(const void *self, int32_t stencil, int32_t nodes[LITHE_STENCIL_NODES]);

    /// Takes anew what a minimisation takes as given, at w; `solved`: the last minimisation has
    /// ended there. Returns how far it moved, relative to itself; 0: nothing changed.
    double (*look)(void *self, const double *w, bool solved);

    /// NULL, or told of a Newton step dx from the w of the last evaluate, before it is gone.
    void (*aim)(void *self, const double *dx);

    /// Potential at w, INFINITY outside the domain; adds its gradient.
    double (*evaluate)(void *self, const double *w, double *gradient);

    /// Hessians of `count` stencils (at most LITHE_STENCIL_GROUP) from `first` on, at the w of the
    /// last evaluate. Each is LITHE_STENCIL_HESSIAN numbers: the blocks (0,0), (1,0), (1,1), (2,0)
    /// .. of its nodes, 4 x 4, column by column. With `project` positive semidefinite. NULL: there
    /// are none to speak of.
    void (*hessians)(void *self, int32_t first, int32_t count, bool project, double *H);
} LitheInteraction;

#endif
