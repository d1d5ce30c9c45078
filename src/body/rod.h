// SPDX-License-Identifier: Apache-2.0
// body/rod.h - the rod as a unit: energy and derivatives, loads and holds, one implicit step

#ifndef LITHE_BODY_ROD_H
#define LITHE_BODY_ROD_H

#include "body/unit.h"
#include "data/model.h"
#include "data/state.h"
#include "data/work.h"
#include "law/rod_joint.h"

/// Eliminates held DoFs: replaces their rows and columns by those of the identity.
void lithe_rod_lock(const LitheRod *rod, LitheRodMatrix *matrix);

// --- elasticity ----------------------------------------------------------------------------------

/// Beyond this angle from its tangent as built, 150 degrees, the frame of an edge of held twist is
/// carried along.
#define LITHE_PIN_COSINE (-0.866)

static inline bool lithe_rod_pin_acts(const LitheRodPin *pin, Vec3 t) {
    return v3_dot(pin->t, t) > LITHE_PIN_COSINE;
}

/// Makes the present configuration of the state the anchor of the frames, except (H6).
void lithe_rod_anchor(const LitheRod *rod, const LitheState *state, LitheRodWork *work);

/// Moves the anchor to the configuration work->q: frames and reference twist are transported there.
/// At the solution of a midpoint step the transported frames then add no force (rod_frame.h: zeta =
/// 0), as second order in time requires. False, with nothing changed, when q is too far away.
bool lithe_rod_anchor_at(const LitheRod *rod, LitheRodWork *work);

/// Rest lengths and natural curvature and twist at `time`. False, with work->bad_node, when a rest
/// length is not positive or the natural turning angle of a node exceeds 172 degrees.
bool lithe_rod_natural(const LitheRod *rod, double time, LitheRodWork *work);

/// Elastic energy at work->q; INFINITY outside the domain (folded or turned too far), with the node
/// in work->bad_node. Fills work->edges and work->gradient [N, N m], and adds `scale` times the
/// Hessian to work->matrix unless `part` is LITHE_HESSIAN_NONE. With `project` every stencil is
/// made positive semidefinite first.
double lithe_rod_elastic(const LitheRod *rod, LitheRodWork *work, double scale,
                         LitheHessianPart part, bool project);

/// tau_ref at work->edges, continued from the anchor; NAN when it changed by nearly pi.
double lithe_rod_tau_ref(const LitheRodWork *work, int32_t node, int32_t before, int32_t after);

/// (H2): length that bends and twists at a node beside its Voronoi length [m]; not 0 next to welded
/// ends.
static inline double lithe_rod_shift_at(const LitheRod *rod, const double *rest_length,
                                        int32_t node) {
    int32_t last = rod->edge_count - 1;
    double start = node == 1 ? rod->weld_shift[0] * rest_length[0] : 0;
    return start + (node == last ? rod->weld_shift[1] * rest_length[last] : 0);
}

/// Gyroscopic forces of the edges at configuration q and velocity v [both 4 node_count], into
/// work->gyro; v NULL: none.
void lithe_rod_gyro(const LitheRod *rod, LitheRodWork *work, const double *q, const double *v);

// --- loads, holds, drives ------------------------------------------------------------------------

/// Dead forces at the time at which the step evaluates forces, and w of held DoFs.
void lithe_rod_loads(const LitheModel *model, const LitheRod *rod, LitheRodWork *work);

/// (T5), see LitheUnitOps.
void lithe_rod_jump(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state);

/// Adds forces that depend on w, except elasticity: moments, PD drives. Returns their potential.
double lithe_rod_drives(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                        const double *w, double *residual, bool want_matrix);

/// After a step: stores force, torque and position of each drive of the rod, and the work done;
/// `residual` is the momentum residual at the solution w without reactions.
void lithe_rod_store_results(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                             const double *w, const double *residual, LitheWork *all,
                             LitheState *state, int32_t rod_index);

/// Kinetic energy of the held DoFs at velocity v [4 node_count].
double lithe_rod_held_energy(const LitheRod *rod, const double *v);

/// Power of loads, holds and drives at velocity w [W].
double lithe_rod_power(const LitheModel *model, const LitheRod *rod, LitheRodWork *work,
                       const double *w, const double *residual);

/// Adds D w of (R2), without h, to force [4 node_count].
void lithe_rod_add_damping(const LitheRod *rod, LitheRodWork *work, const double *w, double *force);

// --- one step (rod_step.c) -----------------------------------------------------------------------
// These functions implement the members of LitheUnitOps (body/unit.h) with the same names.

bool lithe_rod_step_begin(const LitheModel *model, int32_t unit, const LitheState *state,
                          const LitheStepPlan *plan, LitheWork *all);
double lithe_rod_step_evaluate(const LitheModel *model, int32_t unit, LitheWork *all,
                               const double *w, bool want_matrix, bool project, double *r);
LitheMeasure lithe_rod_step_measure(const LitheModel *model, int32_t unit, const LitheWork *all,
                                    const double *r);
void lithe_rod_step_explain(const LitheModel *model, int32_t unit, const LitheWork *all, char *text,
                            size_t size);
bool lithe_rod_step_factor(const LitheModel *model, int32_t unit, LitheWork *all);
void lithe_rod_step_solve(const LitheModel *model, int32_t unit, LitheWork *all, double *x);
bool lithe_rod_step_refine(const LitheModel *model, int32_t unit, LitheWork *all);
bool lithe_rod_step_end(const LitheModel *model, int32_t unit, LitheWork *all, LitheState *state);
void lithe_rod_shift(const LitheModel *model, int32_t unit, const double *by, LitheWork *all,
                     LitheState *state);
bool lithe_rod_accelerate(const LitheModel *model, int32_t unit, const LitheState *state,
                          const LitheStepPlan *plan, const double *force, LitheWork *all, double *a,
                          double *damping, double *power);
void lithe_rod_energies(const LitheModel *model, int32_t unit, const LitheState *state,
                        LitheWork *all, LitheUnitTotals *sum);
double lithe_rod_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                      LitheState *state);
double lithe_rod_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                       LitheWork *all, double *v);
void lithe_rod_unmass(const LitheModel *model, int32_t unit, const LitheWork *all, double *x);
bool lithe_rod_step_explicit(const LitheModel *model, int32_t unit, LitheWork *all);

// --- reading -------------------------------------------------------------------------------------

/// Output arrays of a rod; NULL: not requested. Values as in lithe/model.h.
typedef struct LitheRodReading {
    double *tension, *director;                       // [edges], [edges][3]
    double *curvature, *moment, *torque, *twist_rate; // [nodes][2], [nodes][2], [nodes], [nodes]
    double *strain, *stress;                          // [nodes], [nodes]
} LitheRodReading;

/// Reads everything requested in one pass along the rod; returns its elastic energy [J].
double lithe_rod_read(const LitheRod *rod, const LitheState *state, const LitheRodReading *out);

/// The strain above which a rod without a limit is warned of: its law is linear.
#define LITHE_LARGE_STRAIN 0.2

/// The strain above which a rod is warned of.
double lithe_rod_strain_limit(const LitheRod *rod);

/// Largest values of a rod over their limits, and their nodes.
typedef struct LitheRodPeaks {
    double strain, stress; // strain over its limit; stress over yield, or tension over strength
    int32_t strain_node, stress_node;
} LitheRodPeaks;

/// Raises `peaks` to those of the state where these are larger.
void lithe_rod_raise_peaks(const LitheRod *rod, const LitheState *state, LitheRodPeaks *peaks);

/// Rotation of the material frame per length at an inner node, present and natural, in the axes m1,
/// m2 and t of its edges [rad/m]; 0 at an end of an open rod.
void lithe_rod_turning(const LitheRod *rod, const LitheState *state, int32_t node, Vec3 *now,
                       Vec3 *natural);

/// Implements LitheUnitOps.totals for rods.
void lithe_rod_totals(const LitheModel *model, const LitheRod *rod, const LitheState *state,
                      LitheTotalsWanted wanted, LitheUnitTotals *sum);

/// Radius of the round segments that represent the rod; 0: bars or elliptic cylinders. Under
/// contact models with round rods only, an ellipse has a circle with its larger half-axis.
double lithe_rod_contact_radius(const LitheRod *rod);

/// EI/r^2 with r from lithe_rod_contact_radius: about the force that bends the rod to the radius of
/// curvature r [N].
double lithe_rod_bend_force(const LitheRod *rod);

/// Smallest distance from the centreline of a rod to its surface [m].
double lithe_rod_half_thickness(const LitheRod *rod);

/// The frame of an edge of a rod: x and y its directors m1 and m2, z its tangent; at the point `s`.
Pose lithe_edge_place(const LitheRod *rod, const LitheState *state, int32_t edge, double s);

/// The largest stable step of explicit integration of the rod, approximately [s].
double lithe_rod_explicit_limit(const LitheModel *model, const LitheRod *rod);

/// beta K w of a rod with a damping matrix, computed again only where w has changed.
const double *lithe_rod_damped(const LitheRod *rod, LitheRodWork *work, const double *w);

#endif
