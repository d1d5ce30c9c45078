// SPDX-License-Identifier: Apache-2.0
// body/tree_body.h - reading trees of rigid links from a state

#ifndef LITHE_BODY_TREE_BODY_H
#define LITHE_BODY_TREE_BODY_H

#include "body/unit.h"
#include "data/model.h"
#include "data/state.h"

/// Couplings of the joints of a tree (body/tree_terms.c): the row `terms` of trees.
bool lithe_tree_terms(const LitheModel *model, int32_t unit, const LitheWork *work,
                      const LitheStepPlan *plan, LitheDofTermFn *add, void *user);

/// Limits that joint number `joint` (from 0) reached in the last step: bits LITHE_REACHED_..; and
/// whether a drive prescribes its motion.
int lithe_joint_reached(const LitheModel *model, const LitheWork *work, int32_t joint);
bool lithe_joint_is_prescribed(const LitheModel *model, const LitheWork *work, int32_t joint);

/// The tree that carries body number `body` (from 0); NULL: none does.
const LitheTree *lithe_body_tree(const LitheModel *model, int32_t body);

/// Pose of body number `body` (from 0) of the model.
Pose lithe_body_place(const LitheModel *model, const LitheState *state, int32_t body);

/// Pose of a shape of a body.
static inline LithePose lithe_geom_place(Pose body, const LitheModelGeom *geom) {
    return place_make(pose_point(body, geom->local.at),
                      q4_unit(q4_mul(body.rotation, geom->local.q)));
}

/// Pose of link `of` of tree `index` after `time` [s] at the present velocity.
Pose lithe_link_place_ahead(const LitheModel *model, const LitheState *state, int32_t index,
                            int32_t of, double time);

/// Pose of a body after `time` [s] at the present velocity.
Pose lithe_body_place_ahead(const LitheModel *model, const LitheState *state, int32_t body,
                            double time);

#endif
