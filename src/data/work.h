// SPDX-License-Identifier: Apache-2.0
// data/work.h - scratch memory of a step, which can be discarded between any two steps

#ifndef LITHE_DATA_WORK_H
#define LITHE_DATA_WORK_H

#include "base/meter.h"
#include "base/threads.h"
#include "data/attempt.h"
#include "data/contacts.h"
#include "data/model.h"
#include "data/stages.h"
#include "law/rod_frame.h"
#include "sparse/rod_matrix.h"

#include <stdatomic.h>

/// One step of the theta method in the unknown w, the velocity at which forces are evaluated:
///     configuration  q = q0 + a h w,  time t0 + a h
///     residual       c M (w - v0) + h (force terms)
/// backward Euler a = c = 1, midpoint a = 1/2 and c = 2, symplectic Euler a = 0 and c = 1;
/// equilibrium a = h = 1 and c the weight of the proximal term (docs/theory/time.md).
///
/// A stage of TR-BDF2 (`velocity` not NULL) is a backward Euler step of length h from other data:
/// the state holds the predicted end of the stage, q_p and v_p, and
///     configuration  q = q_p (+) h (w - v_p)
///     residual       M (w - velocity) + h (force terms)
typedef struct LitheStepPlan {
    double time; // at the start [s]
    double h;    // [s]
    double a;
    double inverse_a; // 1/a; 0 for a = 0, where there is no potential
    double c;
    bool still;       // equilibrium: no damping, no start velocity, loads of `time` itself
    double *velocity; // [v_count] a stage: velocity of the initial momenta; NULL: no stage
    double part;      // a stage: h over the time from the start of the step to the end of the stage
    int32_t stage;    // 1 or 2; 0: no stage
    const LitheAttempt *attempt; // of a substep; NULL: none, nothing is special
} LitheStepPlan;

/// The factor of the regularisation of couplings (V32).
static inline double lithe_plan_soften(const LitheStepPlan *plan) {
    return plan->attempt ? plan->attempt->soften : 1;
}

/// The fraction of the error of near-rigid constraints that a static step corrects.
static inline double lithe_plan_correction(const LitheStepPlan *plan) {
    return plan->attempt ? plan->attempt->correction : 1;
}

/// Whether contacts push nothing apart (Z6).
static inline bool lithe_plan_holds(const LitheStepPlan *plan) {
    return plan->attempt && plan->attempt->held;
}

/// Whether couplings act at the middle of the step: only with the midpoint rule.
static inline bool lithe_has_middle(const LitheStepPlan *plan) {
    return !plan->still && plan->a > 0 && plan->a < 1;
}

/// A unit in the search for an equilibrium (advance/equilibrium.c).
typedef struct LitheUnitSearch {
    double omega2;   // square of its lowest natural frequency, approximately [1/s^2]
    double s;        // weight of its proximal term [1/s^2]
    double step;     // max displacement in the present step [m]
    double moved;    // displacement in the last accepted step
    double travel;   // sum of these displacements
    double residual; // forces out of balance, relative, at the start of the last step
    bool coupled;    // something touches it
    bool limited;    // its displacement in a step is limited
    bool balanced;   // the present step ends in balance
    bool near;       // was balanced: the next steps are solved to the full tolerance
    bool found;      // balanced and at rest
} LitheUnitSearch;
/// Coefficients of TR-BDF2: d = 1 - 1/sqrt 2, w = sqrt 2/4; 2 w + d = 1.
#define LITHE_STAGE_D 0.29289321881345247560
#define LITHE_STAGE_W 0.35355339059327376220

/// Solver data of a unit of any kind: the unknown, its residual, and the outcome.
typedef struct LitheUnitWork {
    void *own; // LitheRodWork, LitheTreeWork ..: scratch of the unit's kind
    int64_t dof_count;
    const unsigned char *held; // [dof_count] 1: not free
    bool has_potential;        // the residual is the gradient of `potential`; else the potential
                               // only guides line searches
    double *w, *r;             // [dof_count] iterate and momentum residual
    double *trial, *trial_r;   // [dof_count] iterate and residual of the line search
    double *dx;                // [dof_count] Newton direction
    double *impulse;           // [dof_count] of couplings
    double potential;          // incremental potential at w
    bool lent;                 // trial, trial_r and dx are in a room
    bool any_held;             // some DoF is held, when contacts are assembled
    bool touched;              // a contact or a constraint may act on it
    bool met;                  // a contact may act on it
    bool waits;         // no free motion: something touches it, and the coupled solve finds w
    bool coupled;       // some coupling acted in this step
    bool coupled_first; // the same in the first stage of TR-BDF2

    // outcome
    int32_t iterations, cuts, corrected; // corrected: Hessians that were made positive definite
    bool good_guess;                     // the first guess was a solution already
    bool converged, finite;
    double residual; // relative, as the tolerance is
    double goal;     // the residual norm that counts as converged

    LitheUnitSearch search; // of an equilibrium
} LitheUnitWork;

/// Scratch of one rod.
typedef struct LitheRodWork {
    // of the step: the anchor and everything that does not depend on w
    LitheStepPlan plan;
    const double *q0;       // into the state: configuration of the anchor
    const double *v0;       // into the state: velocity; in a stage into plan.velocity
    const double *base;     // [4 node_count] configuration at w = 0: q0, or stage_base in a stage
    double *stage_base;     // [4 node_count] NULL with schemes without stages
    const double *drives0;  // [drive_count of the model][4] into the state
    const double *commands; // [drive_count of the model][2][LITHE_COMMAND_SIZE] into the state
    const double *pushes;   // [node_count][3] into the state
    bool pushed;            // some entry of `pushes` is not zero
    const double *d1;       // [edge_count][3] reference directors at the anchor
    const double *tau_ref0; // [node_count] reference twist at the anchor
    double *anchor_d1;      // [edge_count][3] d1 once the anchor has moved, or NULL
    double *anchor_tau_ref; // [node_count] reference twist at the moved anchor, or NULL
    double *t0;             // [edge_count][3] tangents at the anchor
    double *angle0;         // [node_count] reference angle at the anchor, in (-pi, pi]
    double *rest_length;    // [edge_count] m
    double *voronoi;        // [node_count] rest length that belongs to a node [m]
    double *natural;        // [node_count][3] natural k1, k2, twist
    double *force;          // [4 node_count] dead forces [N]
    double *gyro;           // [4 node_count] gyroscopic forces of rotating edges [N]
    bool natural_made;      // the natural state was computed; it is constant without drives
    bool force_made;        // dead forces were computed; they are constant without loads
    bool turns;             // some edge rotates about its axis: gyro is not all zero
    double *target;         // [4 node_count] w of held DoFs, or NULL where none is held
    double *drag;           // [node_count][6] viscous matrix, lower triangle by columns [N s/m],
                            // or NULL without drag
    double *damping_panel;  // [node_count][48] damping matrix beta K, or NULL when beta is 0
    double *damped;         // [2][4 node_count] w and beta K w of the last evaluation, or NULL
    bool is_damped;         // they belong to damping_panel
    double force_scale;     // scale of the rounding of elastic forces [N]
    double elastic;         // elastic energy at q [J]
    double *fast; // [LITHE_FAST_ARRAYS][..] data of the step for the fast kernel (body/rod_fast.h)

    // of an iterate
    LitheRodEdge *edges; // [edge_count]
    double *edge_S;      // [edge_count] derivative of the energy in gamma, the factor of S in (J4)
                         // [N m]
    double *q_block;     // block of q, with ghost nodes on both sides for the fast kernel
    double *q;           // [4 node_count] configuration of the iterate
    double *gradient;    // [4 node_count] elastic gradient
    double *diagonal; // [4 node_count] of the matrix before held DoFs are locked, and ghost nodes
    LitheRodMatrix matrix;
    double *factor;
    double *scratch;  // [4 node_count] temporary, never kept
    int32_t bad_node; // where the domain was left; valid only then
} LitheRodWork;

/// Scratch of one tree.
typedef struct LitheTreeWork {
    LitheRigidStepWork step;
    void *memory; // block that contains step
    LitheIkWork ik;
    void *ik_memory;          // block that contains ik
    LitheRigidDrive *drives;  // [drive_count] with their targets of this step
    LitheRigidDrive *bounded; // [drive_count] springs and dampers whose effort is limited by
                              // `bound`
    double *bound;            // [drive_count] max effort [N m or N]; 0: the drive is not in
                              // `bounded`
    double *aims;             // [aim_count] at the end of the step
    unsigned char *reached;   // [link_count] limits that were reached
    double *q, *v, *effort;   // [q_count], [v_count], [v_count] of the step
    double *push;             // [v_count] efforts of couplings and of external forces
    double *mean;             // [v_count] midpoint rule: rows are evaluated at q0 (+) h mean/2
    double *outer;            // [v_count] efforts of external forces
    double *limits;           // [v_count] efforts of limits of position and velocity
    double *drawn;            // [v_count] stages: impulses of prescribed DoFs so far, for (A3)
    bool pushed;              // external forces act: `outer` is not zero
    const double *wrenches;   // [link_count][6] forces and moments on links, in the state
    double load_time;         // at which external forces are taken [s]
    LitheRigidStep plan;      // inputs of the step
    const double *q0, *v0;    // into the state
    bool middle;              // the midpoint rule
    bool still;               // a static step
    double c;                 // static step: the weight of its proximal term
    double *weights;          // static step: [v_count] weight on each DoF, sum of magnitudes
    double start_energy;      // static step: potential energy of q0 [J]; NaN: first of two stages
    double energy_rounding;   // static step: rounding of a difference of energies [J]
    bool made;                // q, v and effort are those of the free motion
    int32_t limited;          // links at a limit after the step
    double *poses;            // [pose_drive_count][13] position and velocity of driven free joints
    LitheIkOutcome *missed;   // [pose_drive_count] remaining distance to the path
} LitheTreeWork;

typedef struct LitheSystem LitheSystem;
struct LitheMixing;
typedef struct LitheReach LitheReach;

/// A contact of the first stage of a step (solve/persistent.h).
typedef struct LitheStageTouch {
    uint64_t id;    // of the contact
    double force;   // normal force [N]
    bool persisted; // it persisted at the start of the step
    bool stays;     // it persists in the first stage, too
} LitheStageTouch;

/// Scratch of TR-BDF2: arrays of all DoFs, or NULL with other schemes.
typedef struct LitheStageWork {
    double *a;        // [v_count] accelerations at the start
    double *start;    // [v_count] velocities at the start, of driven DoFs those of their profiles
    double *velocity; // [v_count] velocity that the momenta of a stage start from
    double *first;    // [v_count] velocities at the end of the first stage
    double *by;       // [v_count] displacement to the predicted end of a stage
    double *carry;    // [v_count] impulses of couplings that are not persistent, in the first stage
    double *damping;  // [v_count] forces of damping at the start, with opposite sign [N, N m]
    double *power;    // [unit_count] power of loads and drives at the start [W]
    double *sums;     // [unit_count][2] state->sums after the first stage [J]
    double *energies; // [unit_count][3] kinetic, elastic, gravity [J]
    double stored;    // in contacts at the end of the step [J]
    double kinetic;   // energy at the start of the step [J]
    double sum;       // the same with elastic energy and that of gravity [J]
    bool fresh;       // no force of a coupling at the start of the step is known
    bool pulled;      // a near-rigid constraint pulls things together in this step
    double guard[4];  // LITHE_GUARD_SIZE: at the start of the step
    bool made;        // the last step had stages
    LitheStageTouch *touches; // [touch_count] contacts of the first stage
    int32_t touch_count, touch_capacity;
} LitheStageWork;

/// Scratch that units share: a task lends a room to the unit that it works on. One per thread, so
/// that matrices of many small units stay in the cache.
typedef struct LitheRooms {
    double *block; // [count][size]
    int64_t size;  // doubles of a room: what the largest unit needs; 0: none needs any
    int32_t count;
    atomic_bool *taken; // [count]
} LitheRooms;

/// A triangle of a surface, or of an inner surface, with the box that it sweeps.
typedef struct LitheSkinBox {
    Vec3 low, high; // m
    int32_t index;
} LitheSkinBox;

/// Scratch of the certificate of soft surfaces (advance/certify_faces.c).
typedef struct LitheSkinWork {
    Vec3 *inner; // [2][nodes of all sets of faces] inner points, at the start and at the end [m]
    Vec3 *kept;  // [nodes of all sets of faces] nodes whose inner points are those at the end [m]
    int64_t *placed; // [face_set_count] the check in which inner points were found; 0: none
    int64_t check;   // number of the present check, from 1
    double *carried; // [2][carried_count][3] points of fine surfaces, at the start and at the end
    LitheSkinBox *bounds; // [2 face_set_count] of all triangles of a surface, of an inner surface
    LitheSkinBox *boxes[2];
    int32_t inner_capacity, carried_capacity, bound_capacity, capacity[2];
    int32_t kept_capacity, placed_capacity;
} LitheSkinWork;

/// Poses of the links of a tree at q: the certificate finds those of the end of a step, which are
/// those of the start of the next one.
typedef struct LithePlaced {
    const LitheTree *tree; // NULL: none
    double *q;             // [LITHE_JOINT_MAX_Q for each link]
    Pose *links;           // [links of the largest tree]
} LithePlaced;

struct LitheWork {
    LitheContext *context;
    const LitheModel *model;
    LithePool *pool;
    LitheUnitWork *units;     // [unit_count]
    double *block;            // scratch of all units, one after the other
    LitheRooms rooms;         // scratch that no unit keeps from one task to the next
    LitheState *start;        // the state before a step with substeps, restored if it fails; NULL
                              // until the first one (lithe_work_keep_start)
    LitheState *before;       // the state before the present substep
    LitheContacts *sweep;     // for the certificate, where parts moved farther than predicted
    double *displacements;    // [v_count] for the certificate
    LitheSkinWork skins;      // for the certificate of soft surfaces
    double *moved;            // [geom_count] largest displacement of a shape in the substep [m];
                              // with outcome.strayed: of each shape
    LithePlaced placed[2];    // at the start and the end of the last step that was certified
    LitheReaction *reactions; // [hold_count + drive_count] of holds, then of drives
    LitheContacts *contacts;  // of the start of the step, unless outcome.ahead
    LitheState *seen;         // midpoint rule, with contacts: predicted middle of the step
    LitheState *middle;       // midpoint rule, with contacts: where their rows are evaluated
    LitheSystem *system;      // the couplings of the step
    void *contact_scratch;    // used only by the contact model (solve/contact_model.h); or NULL
    LitheOutcome outcome;     // of the last attempt
    LitheStageWork stage;
    struct LitheMixing *mixing; // of a search for an equilibrium (advance/mixing.h)
    LitheState *load;           // the state before a load step; NULL with other schemes
    LitheReach *reach;          // of searches for constraints that cannot be met; NULL: none yet
    LitheWork *stability;       // of the count of unstable directions; NULL: none yet
    LitheStages stages;         // wall time of the stages

    // contacts of the last step and their forces, from the contact model (data/work.c)
    int32_t (*contact_count)(const LitheWork *work);
    LitheContactForce (*contact_force)(const LitheWork *work, int32_t index);

    LitheMeter meter; // of the step, and the request to stop it

    // observer, or NULL: called after every accepted substep
    void (*watch)(const LitheState *before, const LitheState *after, void *user);
    void *watch_user;
};

/// Copies a state to work->start. False when out of memory.
bool lithe_work_keep_start(LitheWork *work, const LitheState *state);

static inline LitheRodWork *lithe_rod_work(const LitheWork *work, int32_t unit) {
    return work->units[unit].own;
}

static inline LitheTreeWork *lithe_tree_work(const LitheWork *work, int32_t unit) {
    return work->units[unit].own;
}

#endif
