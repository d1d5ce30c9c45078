// SPDX-License-Identifier: Apache-2.0
// body/tree_body.h - reading trees of rigid links from a state

#ifndef LITHE_BODY_TREE_BODY_H
#define LITHE_BODY_TREE_BODY_H

#include "body/unit.h"
#include "data/model.h"
#include "data/state.h"

/// Rows of LitheUnitOps for trees: `place`, and in body/tree_terms.c `site` and `terms`.
Pose lithe_tree_place(const LitheModel *model, const LitheState *state, const LitheSite *site,
                      double ahead);
int32_t lithe_tree_site(const LitheModel *model, const LitheState *state, const LitheWork *all,
                        const LitheSite *site, int32_t rows, const Vec3 *linear,
                        const Vec3 *angular, int32_t *nodes, double *blocks);
bool lithe_tree_terms(const LitheModel *model, int32_t unit, const LitheWork *work,
                      const LitheStepPlan *plan, LitheDofTermFn *add, void *user);

/// Drives, external forces and everything else of a step that does not depend on w; `start` is the
/// state at the start of a step with stages (body/tree_body.c).
void lithe_tree_step_begin(const LitheModel *model, const LitheTree *tree, const LitheState *state,
                           const LitheStepPlan *plan, const LitheState *start, LitheTreeWork *work);

/// Accounts (body/tree_account.c): whether drives prescribe all DoFs in this step; losses and work
/// of a step, before and after the state moves. `start` is what the first one returned.
bool lithe_tree_is_prescribed(const LitheTree *tree, const LitheTreeWork *work);
double lithe_tree_account(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state);
void lithe_tree_account_end(const LitheModel *model, int32_t unit, LitheWork *all, double start,
                            LitheState *state);

/// Stages (body/tree_stages.c): the members of LitheUnitOps with the same names, for trees.
void lithe_tree_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                      LitheState *state);
void lithe_tree_advance(const LitheModel *model, int32_t unit, const LitheState *from,
                        const double *v, double time, LitheState *to);
void lithe_tree_difference(const LitheModel *model, int32_t unit, const LitheState *from,
                           const LitheState *to, double *d);
bool lithe_tree_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                           const LitheStepPlan *plan, const double *force, LitheWork *all,
                           double *a, double *damping, double *power);
void lithe_tree_unmass(const LitheModel *model, int32_t unit, const LitheWork *all, double *x);
void lithe_tree_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                         LitheWork *all, LitheUnitTotals *out);
void lithe_tree_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                        size_t size);
void lithe_tree_fly(const LitheModel *model, int32_t unit, const LitheState *before, double h,
                    LitheWork *all, LitheState *state);
double lithe_tree_rotation(const LitheModel *model, int32_t unit, const LitheState *state,
                           const LitheWork *all);
double lithe_tree_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                       LitheState *state);
double lithe_tree_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheWork *all, double *v);

/// A static step (body/tree_static.c), after the drives have their targets. The functions of trees
/// in LitheUnitOps call these when plan->still. `prepare` restores the poses at the start.
/// Efforts of external forces in work->outer, at the poses of work->step.tree. Returns the sum of
/// force . place: the negative potential of forces, without that of moments [J].
double lithe_tree_add_loads(const LitheTree *tree, LitheTreeWork *work);

void lithe_tree_static_begin(const LitheTree *tree, const LitheStepPlan *plan, LitheTreeWork *work);
void lithe_tree_static_prepare(const LitheTree *tree, LitheTreeWork *work);
double lithe_tree_static_evaluate(const LitheTree *tree, LitheTreeWork *work, const double *w,
                                  bool want_matrix, bool project, double *r);
LitheMeasure lithe_tree_static_measure(const LitheTree *tree, const LitheTreeWork *work,
                                       const double *r);
double lithe_tree_static_moved(const LitheTree *tree, const double *w, LitheTreeWork *work);
bool lithe_tree_static_end(const LitheTree *tree, const LitheUnitWork *solve, LitheTreeWork *work,
                           LitheState *state);
bool lithe_tree_static_factor(const LitheModel *model, int32_t unit, LitheWork *all);
void lithe_tree_static_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x);

/// Limits that joint number `joint` (from 0) reached in the last step: bits LITHE_REACHED_..; and
/// whether a drive prescribes its motion.
int lithe_joint_reached(const LitheModel *model, const LitheWork *work, int32_t joint);
bool lithe_joint_is_prescribed(const LitheModel *model, const LitheWork *work, int32_t joint);

/// A joint as the frame of a body: z is its axis.
typedef struct LitheJointPlace {
    LitheJointKind kind;
    int32_t body; // that it moves, from 0
    Pose frame;   // in the frame of that body
} LitheJointPlace;

/// Of joint number `joint` (from 0).
LitheJointPlace lithe_joint_place(const LitheModel *model, int32_t joint);

/// The tree that body number `body` (from 0) is a link of; NULL when it is not part of a tree.
const LitheTree *lithe_body_tree(const LitheModel *model, int32_t body);

/// Pose of body number `body` (from 0) of the model.
Pose lithe_body_place(const LitheModel *model, const LitheState *state, int32_t body);

/// Pose of a shape of a body. Most bodies of one shape have its frame: without products with zero.
static inline LithePose lithe_geom_place(Pose body, const LitheModelGeom *geom) {
    const Vec3 *at = &geom->local.at;
    const Quat *q = &geom->local.q;
    if (q->w == 1 && q->x == 0 && q->y == 0 && q->z == 0 && at->x == 0 && at->y == 0 && at->z == 0)
        return place_make(body.at, q4_unit(body.rotation));
    return place_make(pose_point(body, geom->local.at),
                      q4_unit(q4_mul(body.rotation, geom->local.q)));
}

/// Pose of link `of` of tree number `index` after `time` [s] at the present velocity.
Pose lithe_link_place_extrapolated(const LitheModel *model, const LitheState *state, int32_t index,
                                   int32_t of, double time);

/// Poses of many bodies: those of all links of a tree are computed together, since each depends on
/// that of its parent.
typedef struct LithePlaces {
    const LitheState *state;
    double time;           // the state is extrapolated by this at its velocity [s]
    Pose *links;           // [lithe_most_links] of the tree
    const LitheTree *tree; // the last one; NULL: none
    LithePlaced *kept;     // poses that may be those of the state, or NULL
} LithePlaces;

/// Memory for the largest tree; false when there is none. Its two arrays are those of the caller.
bool lithe_placed_create(const LitheModel *model, LitheContext *context, LithePlaced *out);

/// Poses at the state that are kept for the next time, and found there if they are known.
LithePlaces lithe_places_kept(const LitheState *state, LithePlaced *kept);

/// Pose of body number `body` (from 0); fastest when bodies of one tree follow each other.
Pose lithe_places_body(LithePlaces *places, const LitheModel *model, int32_t body);

/// Links of the largest tree.
int32_t lithe_most_links(const LitheModel *model);

/// Pose of a body after `time` [s] at the present velocity.
Pose lithe_body_place_extrapolated(const LitheModel *model, const LitheState *state, int32_t body,
                                   double time);

#endif
