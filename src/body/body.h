// SPDX-License-Identifier: Apache-2.0
// body/body.h - the table of body operations: what a solver may ask of any kind of body
//
// A body kind is one row. Solvers see only this table, never a rod: a new kind is a new row.
// The unknown is w, the velocity at which forces are evaluated (data/work.h).

#ifndef LITHE_BODY_BODY_H
#define LITHE_BODY_BODY_H

#include "data/model.h"
#include "data/state.h"
#include "data/system.h"
#include "data/work.h"

/// How large a residual is, in the norm |r|_D with D = diag(A)^-1/2 over free DoFs, which makes
/// metres and radians comparable.
typedef struct LitheMeasure {
    double residual;
    double scale; ///< the largest of the momenta and impulses that balance in it
    double noise; ///< what rounding alone leaves
} LitheMeasure;

typedef struct LitheBodyOps {
    const char *kind;

    /// Scratch for one body; false when out of memory (end then frees what there is).
    bool (*work_begin)(const LitheModel *model, int32_t body, LitheWork *work);
    void (*work_end)(const LitheModel *model, int32_t body, LitheWork *work);

    /// The whole free motion of a kind with a solver of its own: w, and the outcome in the body's
    /// work. NULL: begin and Newton with the calls below.
    void (*free)(const LitheModel *model, int32_t body, const LitheState *state,
                 const LitheStepPlan *plan, double tolerance, int32_t max_iterations,
                 LitheWork *work);

    /// Everything of the step that does not depend on w: anchors, natural state, loads, targets,
    /// damping. Sets w to the first guess. False when the body cannot make this step at all (its
    /// natural state is impossible).
    bool (*begin)(const LitheModel *model, int32_t body, const LitheState *state,
                  const LitheStepPlan *plan, LitheWork *work);

    /// Incremental potential at `w` (INFINITY outside the domain) and momentum residual; held DoFs
    /// keep their reactions in the residual. With `want_matrix` also A = dr/dw. `project` makes
    /// every stencil positive semidefinite.
    double (*evaluate)(const LitheModel *model, int32_t body, LitheWork *work, const double *w,
                       bool want_matrix, bool project, double *residual);

    /// After evaluate with a matrix: size of `residual` and what to compare it with.
    LitheMeasure (*measure)(const LitheModel *model, int32_t body, const LitheWork *work,
                            const double *residual);

    /// Locks held DoFs and factors A; false when a pivot is not positive.
    bool (*factor)(const LitheModel *model, int32_t body, LitheWork *work);

    /// Says in words where the body left its domain, or what is wrong with it; "" when nothing is.
    void (*explain)(const LitheModel *model, int32_t body, const LitheWork *work, char *text,
                    size_t size);

    /// x = A\x with x zero on held DoFs.
    void (*solve)(const LitheModel *model, int32_t body, LitheWork *work, double *x);

    /// Makes anew, at the solution, what was taken as given (anchors of frames, gyroscopic
    /// forces); false when the scheme needs none of it. The caller solves again.
    bool (*refine)(const LitheModel *model, int32_t body, LitheWork *work);

    /// Instead of solving: w and r of an explicit step. False outside the domain.
    bool (*leap)(const LitheModel *model, int32_t body, LitheWork *work);

    /// Takes the step: configuration, velocity and frames at its end, and the accounts. False
    /// (state untouched) when a number is not finite. Where couplings acted, `impulse` in the
    /// body's work is theirs, and r has been freed of it.
    bool (*end)(const LitheModel *model, int32_t body, LitheWork *work, LitheState *state);

    // --- in the coupled solve (assemble/) ---

    /// After the free motion: makes ready for Jacobians at the start of the step and for evaluate.
    /// NULL: nothing to do.
    void (*prepare)(const LitheModel *model, int32_t body, LitheWork *work);

    /// Nodes, DoFs of each, and where the velocities of the first begin in the state.
    int32_t (*node_count)(const LitheModel *model, int32_t body);
    int32_t (*node_size)(const LitheModel *model, int32_t body);
    int64_t (*first_dof)(const LitheModel *model, int32_t body);

    /// Adds the pairs of nodes that the matrix of the body couples; its nodes begin at `first`.
    /// False when out of memory.
    bool (*couple)(const LitheModel *model, int32_t body, int32_t first, LitheSystem *system);

    /// After evaluate with a matrix: adds A, held DoFs locked, to system->A.
    void (*put)(const LitheModel *model, int32_t body, LitheWork *work, int32_t first,
                LitheSystem *system);
} LitheBodyOps;

extern const LitheBodyOps lithe_rod_ops;
extern const LitheBodyOps lithe_tree_ops;

/// Bodies are numbered rods first, then trees.
static inline const LitheBodyOps *lithe_body_ops(const LitheModel *model, int32_t body) {
    return body < model->rod_count ? &lithe_rod_ops : &lithe_tree_ops;
}

#endif
