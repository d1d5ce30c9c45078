// SPDX-License-Identifier: Apache-2.0
// body/tree_body.h - reading trees of rigid links from a state

#ifndef LITHE_BODY_TREE_BODY_H
#define LITHE_BODY_TREE_BODY_H

#include "data/model.h"
#include "data/state.h"

/// Sums over all trees.
typedef struct LitheTreeTotals {
    double kinetic, elastic, gravity; // J
    Vec3 momentum;                    // kg m/s
    Vec3 angular;                     // about the origin [kg m^2/s]
} LitheTreeTotals;

/// False when out of memory.
bool lithe_tree_totals(const LitheModel *model, const LitheState *state, LitheTreeTotals *out);

/// The tree that carries body number `body` (from 0); NULL: none does.
const LitheTree *lithe_body_tree(const LitheModel *model, int32_t body);

/// Place of body number `body` (from 0) of the model.
Pose lithe_body_place(const LitheModel *model, const LitheState *state, int32_t body);

/// Place of link `of` of tree `index` after `time` [s] at the present velocity.
Pose lithe_link_place_ahead(const LitheModel *model, const LitheState *state, int32_t index,
                            int32_t of, double time);

/// That of a body after `time` [s] at the present velocity.
Pose lithe_body_place_ahead(const LitheModel *model, const LitheState *state, int32_t body,
                            double time);

#endif
