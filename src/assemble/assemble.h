// SPDX-License-Identifier: Apache-2.0
// assemble/assemble.h - builds the convex problem of a step from contacts, constraints and joints
//
// Call order: begin; the couplings with their Jacobians (at the start of the step); number (the
// units that take part); linearise (residuals and matrices of the units); laws (which need the
// matrices).

#ifndef LITHE_ASSEMBLE_ASSEMBLE_H
#define LITHE_ASSEMBLE_ASSEMBLE_H

#include "data/state.h"
#include "data/system.h"
#include "data/work.h"

/// Everything that assembly reads.
typedef struct LitheAssembly {
    const LitheModel *model;
    const LitheState *state; // at the start of the step
    const LitheContacts *contacts;
    const LitheStepPlan *plan;
    LitheWork *work; // poses of trees at the start of the step, and w of held DoFs
} LitheAssembly;

/// Whether the residual of a unit is the gradient of a potential in this step; not in an explicit
/// step, whose forces do not depend on w.
static inline bool lithe_has_potential(const LitheAssembly *all, const LitheUnitWork *body) {
    return body->has_potential && all->plan->a > 0;
}

// --- the stages ----------------------------------------------------------------------------------
// Each returns false when out of memory.

/// An empty system for this model.
bool lithe_system_begin(const LitheModel *model, LitheSystem *system);
bool lithe_assemble_contacts(const LitheAssembly *all, LitheSystem *system);
bool lithe_assemble_constraints(const LitheAssembly *all, LitheSystem *system);
bool lithe_assemble_dofs(const LitheAssembly *all, LitheSystem *system);

/// Static steps: adds w of the units to the slips of DoFs with dry friction. False when out of
/// memory.
bool lithe_dry_slips_add(const LitheWork *work);

/// Finds the contacts of a step that will stay open, for which the matrix needs no blocks (idle.c).
void lithe_contacts_idle(const LitheAssembly *all, LitheSystem *system);

/// Numbers the nodes of the units that couplings touch, and builds the pattern of the matrix. When
/// couplings touch the same nodes as in the last step, the pattern is kept.
bool lithe_system_number(const LitheAssembly *all, LitheSystem *system);

/// Builds the pattern again, with blocks for all couplings. Numbers and vectors stay; A is not
/// valid any more. False when out of memory.
bool lithe_system_wake(const LitheAssembly *all, LitheSystem *system);

/// The unit of a node, given by its number in the model. `last` is tried first, any unit: nodes of
/// a coupling are mostly of the same one or two.
int32_t lithe_system_unit(const LitheModel *model, int32_t node, int32_t last);

/// Allocates vectors and matrices from node_size, node_at, node_count, dof_count and pairs.
/// lithe_system_number calls this and lithe_system_bind.
bool lithe_system_allocate(LitheSystem *system);

/// Allocates the couplings' arrays, finds their blocks in the matrix and chooses the elimination
/// order.
bool lithe_system_bind(LitheSystem *system);

/// Groups of the couplings, whose nodes are numbered: sizes and memory, then their Jacobians. False
/// when out of memory.
bool lithe_groups_list(LitheSystem *system);
void lithe_groups_fill(LitheSystem *system);
void lithe_groups_release(LitheSystem *system);

/// The quantities of the units that are evaluated at their w.
typedef enum LitheLinearise {
    LITHE_LINEARISE,           // residual and matrix
    LITHE_LINEARISE_PROJECTED, // with every stencil made positive semidefinite
    LITHE_LINEARISE_RESIDUAL,  // only the residual: A is not recomputed
} LitheLinearise;

/// Residual and matrix of each unit at its w, into system->w0, r and A. Returns the sum of the
/// potentials, INFINITY outside a domain.
double lithe_system_linearise(const LitheAssembly *all, LitheLinearise what, LitheSystem *system);

/// In a step by backward Euler: forces that points of patches gain as these roll along, `rolled` of
/// their laws, and their `speed` (patch_roll.c); lithe_contact_laws calls it. False: another
/// scheme, both stay as they are.
bool lithe_patches_roll(const LitheAssembly *all, LitheSystem *system);

/// Set the costs of all couplings.
void lithe_contact_laws(const LitheAssembly *all, LitheSystem *system);
void lithe_constraint_laws(const LitheAssembly *all, LitheSystem *system);
void lithe_dof_laws(const LitheAssembly *all, LitheSystem *system);

/// Limits of joints; ropes, struts and tendons.
static inline bool lithe_is_one_sided(const LitheCoupling *c) {
    return c->source == LITHE_SOURCE_LIMIT ||
           (c->source == LITHE_SOURCE_CONSTRAINT && c->term.kind == LITHE_TERM_LIMIT);
}

/// Whether a limit of a joint, or a near-rigid rope, strut or tendon, acted in the solve on a
/// motion towards it (T26), by the velocities of work->before.
bool lithe_stops_any(const LitheAssembly *all, const LitheSystem *system);

/// Energy that a one-sided coupling took out of the units in the step [J]: -impulse . velocity, and
/// (T27) where backward Euler stops a motion.
double lithe_stop_took(const LitheAssembly *all, const LitheSystem *system,
                       const LitheCoupling *coupling);

/// (Q7): keeps the efforts of joint limits, for the next proximal step. False when out of memory.
bool lithe_limits_keep(LitheSystem *system);

/// The force of (Q7) that a near-rigid constraint or a limit of a joint keeps, in the rows of a
/// coupling; false where the coupling is none of these.
bool lithe_coupling_kept(const LitheAssembly *all, const LitheSystem *system,
                         const LitheCoupling *coupling, double *force);

/// Adds the effort of a limit, its impulse over h, to the efforts of limits of its unit.
void lithe_limit_note(const LitheSystem *system, const LitheCoupling *coupling, double h);

/// Tells contacts whether they were active in the last step and how they slid, where the state
/// knows.
void lithe_contacts_recall(const LitheAssembly *all, LitheSystem *system);

/// Static steps: a contact that sticks is a spring this many times stiffer than its normal one.
/// With a larger factor, rolling of light bodies would be below the rounding error.
#define LITHE_STATIC_STICK 1e3
/// The same on a path by arc length: with stiffer contacts its Newton iteration would alternate
/// between slips in both directions. Contacts of elastic bodies have about this value.
#define LITHE_PATH_STICK 1

/// Steps by arc length: slip [m] and turn [rad] of a contact at the end of the last one, up to
/// those of the full friction. Both stay where the state has none.
void lithe_contact_stuck(const LitheAssembly *all, const LitheContact *contact, Vec3 stuck[2]);

/// Saves in the state what lithe_contacts_recall reads in the next step or stage, and that.
void lithe_contacts_note(const LitheModel *model, const LitheContacts *contacts,
                         const LitheSystem *system, const LitheStepPlan *plan, LitheState *state);

// --- nodes that ride on bodies (ride.c) ----------------------------------------------------------

/// Jacobians of riders at the start of the step; after `prepare` of the units. Sets system->rides.
/// False when out of memory.
bool lithe_rides_begin(const LitheAssembly *all, LitheSystem *system);

/// Adds the pairs of nodes that riders couple with their carriers. False when out of memory.
bool lithe_rides_pairs(const LitheModel *model, LitheSystem *system);

/// Sets w of riders from w of their carriers.
void lithe_rides_follow(const LitheAssembly *all, const LitheSystem *system);

/// Sets the displacements of riders, in x [dof_count] of the system, from those of their carriers.
void lithe_rides_spread(const LitheModel *model, const LitheSystem *system, double *x);

/// Adds scale J' r of all riders of a carrier to `sum` [DoFs of the carrier].
void lithe_rides_push(const LitheModel *model, const LitheSystem *system, const LitheWork *work,
                      int32_t carrier, double scale, double *sum);

/// Adds residuals of riders to those of their carriers, with `matrix` also their blocks of A.
void lithe_rides_fold(const LitheAssembly *all, bool matrix, LitheSystem *system);

/// A unit without a potential: d' A d/2 of its own block, d [DoFs] of the unit.
double lithe_rides_own(const LitheAssembly *all, const LitheSystem *system, int32_t unit,
                       const double *d);

/// Adds the forces on bodies of their riders to `sum` [v_count], at a state where residuals of the
/// units with riders over a time h, and poses of carriers, were evaluated (`accelerate`).
void lithe_rides_forces(const LitheModel *model, const LitheState *state, const LitheWork *work,
                        double h, double *sum);

/// After a solve: impulses of riders and, as their opposite, of carriers; r of riders becomes 0.
void lithe_rides_hand_back(const LitheAssembly *all, const LitheSystem *system);

// --- parts ---------------------------------------------------------------------------------------

/// Adds a coupling without sides; a row with `linear`, `angular` [rows] is linear . velocity +
/// angular . (angular velocity) of side b, minus that of side a. NULL when out of memory.
LitheCoupling *lithe_coupling_add(LitheSystem *system, LitheCouplingSource source, int32_t index,
                                  int32_t rows, const Vec3 *linear, const Vec3 *angular);

/// Reserves system->places and system->rows in all; false when out of memory.
bool lithe_coupling_reserve(LitheSystem *system, int64_t places, int64_t rows);

/// Adds sign times the Jacobian of a site. The world adds nothing.
bool lithe_coupling_side(const LitheAssembly *all, LitheSystem *system, const LitheSite *site,
                         double sign);

/// lithe_coupling_add and lithe_coupling_side for a coupling that the caller owns. The caller has
/// reserved memory for the blocks of its nodes from system->jacobian[*end] on, and sets its
/// pointers; `blocks` [rows][model->site_width] is scratch. Couplings of a list can be filled in
/// parallel in this way. lithe_coupling_fill is false for a coupling without blocks of held DoFs
/// (held_at < 0) where a node has one: then it must be filled again with room for them.
void lithe_coupling_set(LitheCoupling *c, LitheCouplingSource source, int32_t index, int32_t rows);
bool lithe_coupling_fill(const LitheAssembly *all, const LitheSystem *system, const LitheSite *site,
                         double sign, LitheCoupling *c, int32_t *end, double *blocks);

/// Position in the state `to` of the material point that is at `point` in the state `from`. A point
/// of a link moves with the link, other points by the displacement of their centreline or centre.
Vec3 lithe_site_carried(const LitheModel *model, const LitheState *from, const LitheState *to,
                        const LitheSite *site, Vec3 point);

/// Adds an entry for a unit's own velocity: `row` of the last coupling += sign * w[dof].
bool lithe_coupling_dof(const LitheAssembly *all, LitheSystem *system, int32_t unit, int32_t dof,
                        int32_t row, double sign);

/// Scale of the rows `first` .. `first + count - 1`: |J diag(A)^-1 J'|_F / sqrt(count) (V21).
double lithe_coupling_scale(const LitheSystem *system, const LitheCoupling *coupling, int32_t first,
                            int32_t count);

/// Velocity of row `row` at the start of the step.
double lithe_coupling_speed(const LitheAssembly *all, const LitheSystem *system,
                            const LitheCoupling *coupling, int32_t row);

/// Largest of the first `rows` rows, each the sum of |J v| over its DoFs at the start of the step:
/// nothing cancels, so that a common motion of both sides counts as motion.
double lithe_coupling_motion(const LitheAssembly *all, const LitheSystem *system,
                             const LitheCoupling *coupling, int32_t rows);

/// Displacement of row `row` in a stage at the predicted velocity, which the gap at the predicted
/// end already contains; 0 without stages.
double lithe_coupling_lead(const LitheAssembly *all, const LitheSystem *system,
                           const LitheCoupling *coupling, int32_t row);

/// Whether the force of a constraint is a smooth function of time; false for ropes and struts,
/// and for tendons without a given tension.
bool lithe_constraint_persists(const LitheModel *model, const LitheCoupling *coupling);

/// A nonzero number for the id of a contact, which a double represents exactly.
uint64_t lithe_contact_name(const LitheContact *contact);

/// How far a near-rigid constraint is from being met, in the rows of one of its couplings [m or
/// rad]: g [rows], which the Jacobian of the coupling changes. Returns the number of rows; 0 where
/// the coupling is none of this kind. The time is that of the plan.
int32_t lithe_constraint_violation(const LitheAssembly *all, const LitheCoupling *coupling,
                                   double g[3]);

/// Frees the factor, which takes most of the memory; the next step analyses the matrix again.
void lithe_system_drop_factor(LitheSystem *system);

/// Frees all arrays of the system.
void lithe_system_release(LitheSystem *system);

#endif
