// SPDX-License-Identifier: Apache-2.0
// data/system.h - the convex problem of one step: units coupled by contacts and constraints
//
//     (V22)  minimise  r'(w - w0) + 1/2 (w - w0)' A (w - w0) + sum_c l_c(J_c w + bias_c)
//
// Numbers in brackets: docs/theory/contact.md. w are velocities of the units that take part: those
// that some coupling touches. r and A are the residual and the matrix of these units at w0.
//
// Coupling: one term l_c of the sum, a convex function of a few velocities J_c w + bias_c. It
// comes from a contact, a constraint (one coupling for positions, one for frames, one for twist),
// a joint limit, dry friction or a bounded drive. Its impulse is -dl/dv, its Hessian G d2l/dv2. The
// Jacobian has one dense block [rows][size of the node] per node that the coupling touches.
//
// Bond: the nodes of a coupling, numbered through the model and through the system, and where its
// blocks lie in the matrix. Bonds outlive the step: while they stay the same, pattern and symbolic
// factorisation are reused.
//
// Part: a range of nodes that A couples with no other part; the nodes of a unit. A is block
// diagonal by part, and loops over A run over parts. (Not to be confused with what can touch,
// data/part.h.)
//
// H = A + J' G J has blocks between parts, where couplings are. A and H have one pattern.

#ifndef LITHE_DATA_SYSTEM_H
#define LITHE_DATA_SYSTEM_H

#include "data/contacts.h"
#include "data/work.h"
#include "law/term.h"
#include "sparse/block_factor.h"

enum {
    // max nodes that a coupling touches: eight points of a tendon in tetrahedra; two faces have
    // twelve, two edges of rods four
    LITHE_COUPLED_NODES = LITHE_BLOCK_TERM_NODES,
    LITHE_COUPLED_STRIDE = 32, // power of two, not below it: packs coupling and place into a number
    LITHE_COUPLED_ROWS = 6,    // max rows of a coupling
    LITHE_GROUP_WIDTH = 24,    // max DoFs of a group: two tetrahedra
    LITHE_SETTLE_DEPTH = 6,    // earlier passes that solve/settle.c mixes
    // items of a range in loops that threads share: enough work to outweigh the cost of a task
    LITHE_COUPLINGS_PER_RANGE = 64,
    LITHE_NODES_PER_RANGE = 128,
    LITHE_PARTS_PER_RANGE = 4,
};

/// Where a coupling comes from.
typedef enum LitheCouplingSource {
    LITHE_SOURCE_CONTACT,    // `index` is the contact
    LITHE_SOURCE_CONSTRAINT, // `index` is the constraint
    LITHE_SOURCE_LIMIT,      // of a joint; `index` is the term of own DoFs
    LITHE_SOURCE_DRY,        // dry friction of a joint; `index` is the term of own DoFs
    LITHE_SOURCE_DRIVE,      // a bounded drive; `index` is the term of own DoFs
} LitheCouplingSource;

/// A coupling of the own DoFs of a unit, as its kind describes it (body/unit.h, `terms`).
typedef struct LitheDofTerm {
    LitheCouplingSource source; // LIMIT, DRY or DRIVE
    int32_t unit;
    int32_t rows;      // LIMIT, DRIVE: 1
    int32_t dof;       // first velocity in the unit
    int32_t dof_count; // DoFs that the row measures (DRY: one per row)
    double part[3];    // factors of these velocities in the row
    int32_t side;      // LIMIT: 0 lower, 1 upper; 2 k more for chamber k of more than three
    int32_t drive;     // DRIVE: number in the unit
    double gap;        // LIMIT: to the limit [rad or m]
    double alone;      // LIMIT: velocity of the row without couplings [rad/s or m/s]
    bool of_velocity;  // LIMIT: of the velocity, which is >= `least`, instead of the position
    double least;      // [rad/s or m/s]
    double *limits;    // LIMIT: where its effort is added, one number per DoF
    double bound;      // DRY: friction, DRIVE: largest effort [N m or N]
    double stiffness;  // DRIVE
    double damping;    // DRIVE
    double error;      // DRIVE: position minus target [rad or m]
    double rate;       // DRIVE: target velocity
    int64_t effort_at; // DRIVE: where its effort goes in state->own
} LitheDofTerm;

/// One term of the sum, with its velocity and impulse at the present w. What every iteration reads
/// is side by side, with the head of the term: many couplings do not fit into the caches.
typedef struct LitheCoupling {
    Vec3 *linear;        // [rows] force on side b of a unit impulse of a row, in system->rows;
                         // contacts in succession with the same normal share it
    const Vec3 *angular; // [rows] torque on side b, there or lithe_no_rows
    // a new coupling has zeros from here ..
    LitheCouplingSource source;
    int32_t index;
    int32_t side;   // limits: as LitheDofTerm.side; constraints: 0 positions, 1 frames, 2 twist, 3
                    // perpendicular to a line, from 4 on perpendicular to a segment of a tendon
                    // (assemble/constraint_terms.c)
    int32_t drive;  // of the tree
    double weight;  // impulse = weight h force; 1 without stages
    double slid[2]; // contact: sliding velocity in the last step
    double reel;    // tendon: speed at which its end is taken in, with work of a
                    // drive [m/s]
    double bias[LITHE_COUPLED_ROWS]; // velocity due to held DoFs
    int32_t node_count;
    int32_t group;                 // 1 + its group; 0: none
    int32_t held_at;               // blocks in jacobian_held; -1: no DoF is held
    bool in_patch;                 // contact: point of a patch
    bool idle;                     // contact: expected to stay open, without blocks in the matrix
    bool persists;                 // acted in the last step, too (solve/persistent.h)
    bool was_active;               // contact: active in the last step, if known
    bool is_active;                // contact: in the guess of the active set
    bool recalled;                 // contact: `slid` is known
    bool leads;                    // v is `slid`, less than J w + bias by `lead`
    bool was_in_matrix, in_matrix; // its Hessian is part of the last H, and of the present one
    bool is_pulled;                // tendon of a given tension: all its work is that of a drive
    double lead[2];
    int64_t hessian_at;                 // G [rows][rows] in system->hessians
    double v[LITHE_COUPLED_ROWS];       // J w + bias
    double impulse[LITHE_COUPLED_ROWS]; // on side b [N s or N m s]
    // .. to here
    int32_t *node;        // [node_count] of the system, all different; in system->places
    int32_t *jacobian_at; // [node_count] blocks [rows][size of the node]; in system->places
    LitheTerm term;
} LitheCoupling;

/// Parameters that a contact acts with in a step; usually those that the search found.
typedef struct LitheContactLaw {
    double stiffness; // N/m; INFINITY: near-rigid
    double gap;       // m
    double start;     // gap at the start of the step or stage, to first order [m]
    double weight;    // its force acts for this multiple of the step; 1 without stages
    double room;      // overlap towards which it stiffens (law/stiffening.h) [m]; INFINITY: never
    bool stiffened;   // whether it stiffened in this step
    bool patch;       // a point of a patch: `force` counts instead of the gap
    double force;     // at the start of the step [N]
    double rolled;    // added to it, since the patch rolls along (PF28) [N]
    double speed;     // then also its normal velocity at the start of the step [m/s]
} LitheContactLaw;

/// Static steps: where the sides of a contact were when it closed. Slips are measured from there.
typedef struct LitheStickAnchor {
    uint64_t id; // of the contact
    LitheSite site[2];
    Pose place[2]; // of these sites
    Vec3 stuck[2]; // slip [m] and turn [rad] that a step by arc length began with
} LitheStickAnchor;

/// Static steps: the effort of a joint limit in the last proximal step [N m or N].
typedef struct LitheLimitEffort {
    int32_t unit, dof, side;
    double effort;
} LitheLimitEffort;

/// Static steps: displacement of a DoF with dry friction since the start of the load step [rad or
/// m].
typedef struct LitheDrySlip {
    int32_t unit, dof;
    double slip;
} LitheDrySlip;

/// Force and torque that a coupling exerted on side b, as means over a step of length h.
void lithe_coupling_force(const LitheCoupling *coupling, double h, Vec3 *force, Vec3 *torque);

/// The nodes of a coupling and its blocks in the matrix. Bonds are kept from step to step while all
/// couplings touch the same nodes: then numbering, pattern and symbolic factorisation are reused.
typedef struct LitheBond {
    int32_t rows, node_count;
    bool idle;        // the matrix has no blocks for it
    bool in_patch;    // point of a patch
    int32_t group;    // 1 + its group; 0: none
    int32_t node_at;  // in system->bond_nodes [2][node_count]: its nodes, counted through all units
                      // of the model, then counted through the system
    int32_t entry_at; // in system->entries [node_count][node_count]: its blocks in the matrix
    int64_t hessian_at;
} LitheBond;

/// Points of a patch in succession that touch the same nodes, at most LITHE_COUPLINGS_PER_RANGE,
/// all in one range. Their products with J are computed in lanes, and each node receives one sum
/// per group (assemble/groups.c).
typedef struct LitheGroup {
    int32_t first, count;          // couplings
    int32_t width;                 // DoFs of its nodes
    int32_t used;                  // those that move a point: J has no other columns
    int32_t sum_at;                // in system->group_sums [width]
    int64_t jacobian_at;           // in system->group_jacobian [ceil(count/4)][3][used][4]
    int64_t matrix_at;             // in system->group_matrix [width][width]
    int64_t lane_at;               // in system->group_lanes [ceil(count/4)][lanes of a block][4]
    bool in_matrix, was_in_matrix; // as those of its couplings
    bool is_nonzero;               // its J' G J
    bool leads;                    // some of its points lead (V36)
    uint8_t column[LITHE_GROUP_WIDTH]; // [used] ascending
} LitheGroup;

/// The numbers of four points of a group side by side, while a solve runs: places of their lanes in
/// a block (solve/lanes.h). Laws are those of plain contacts (law/term_plain.h).
typedef enum LitheLane {
    LITHE_LANE_FORCE,          // h f0
    LITHE_LANE_STIFFNESS,      // h^2 k
    LITHE_LANE_DISSIPATION,    // d
    LITHE_LANE_VBAR,           // vbar
    LITHE_LANE_COST,           // [2] coefficients of (vbar - v)^2 and (vbar - v)^3
    LITHE_LANE_BOUND = 6,      // mu n0
    LITHE_LANE_EPS,            // eps
    LITHE_LANE_BIAS,           // [3]
    LITHE_LANE_V = 11,         // [3]
    LITHE_LANE_DV = 14,        // [3] J dw
    LITHE_LANE_SLIP = 17,      // [2] directions of friction (solve/slip.h)
    LITHE_LANE_LEAD = 19,      // [2] as LitheCoupling.lead, 0 where it does not lead
    LITHE_LANE_IMPULSE = 21,   // [3]
    LITHE_LANE_HESSIAN = 24,   // [4] entries 00, 01, 11 and 22 of G
    LITHE_LANE_IS_ACTIVE = 28, // a mask
    LITHE_LANE_COUNT,
    LITHE_LANE_SIZE = 4 * LITHE_LANE_COUNT, // doubles of a block
} LitheLane;

/// Block k of a coupling in jacobian_held, or NULL.
static inline double *lithe_held_block(double *jacobian_held, const LitheCoupling *c, int32_t k) {
    return c->held_at < 0 ? NULL
                          : jacobian_held + c->held_at + (c->jacobian_at[k] - c->jacobian_at[0]);
}

struct LitheConvexSetting;

/// The problem and its solution; memory only grows.
struct LitheSystem {
    LitheContext *context;
    LithePool *pool; // or NULL

    // observer, or NULL: called when a convex solve begins and when it ends
    void (*watch)(LitheSystem *system, const struct LitheConvexSetting *setting, bool ended,
                  void *user);
    void *watch_user;
    LitheStages *stages; // the clock of the step, or NULL
    LitheMeter *meter;   // its work, or NULL

    // units that take part
    bool whole;     // all units take part, also those that nothing touches
    int32_t *units; // [unit_count] ascending
    int32_t unit_count, unit_capacity;
    double unit_cost;    // time of a call for each of them, an estimate [ns]
    int32_t *first_node; // [units of the model] -1: takes no part
    int32_t first_capacity;
    int32_t *shift; // [units of the model] nodes of earlier units that take no part
    int32_t shift_capacity;
    int32_t *node_size; // [node_count]
    int32_t node_count, node_capacity;
    int32_t *node_at; // [node_count + 1] first DoF
    int32_t node_at_capacity;
    int64_t *state_at; // [node_count] its first velocity in the state
    int32_t state_capacity;
    int32_t dof_count;
    int32_t *part_start; // [part_count + 1] first nodes; A couples no two parts
    int32_t part_count, part_capacity;

    // couplings
    LitheCoupling *couplings;
    int32_t coupling_count, coupling_capacity;
    int32_t *places; // node and jacobian_at of the couplings
    int32_t place_count, place_capacity;
    Vec3 *rows; // linear and angular of the couplings
    int32_t row_count, row_capacity;
    LitheDofTerm *dof_terms; // [dof_term_count]
    int32_t dof_term_count, dof_term_capacity;
    LitheBond *bonds;   // [coupling_count] after numbering
    int32_t bond_count; // bonds that are valid for the present numbering; 0: none
    int32_t bond_capacity;
    int32_t *bond_nodes;
    int32_t bond_node_capacity;
    int32_t *entries; // indices in the matrix of the blocks of each bond
    int32_t entry_capacity;
    int32_t *of_start; // [node_count + 1] first entry of each node in `of`
    int32_t *of;       // per node: LITHE_COUPLED_STRIDE * coupling + place of the node in it;
                       // couplings of groups are not listed
    int32_t of_start_capacity, of_capacity;

    // groups
    LitheGroup *groups;
    int32_t group_count, group_capacity;
    int32_t *group_start; // [ranges of couplings + 1] first group of each range
    int32_t group_start_capacity;
    int32_t *group_of_start; // [node_count + 1] as of_start, for groups
    int32_t *group_of;       // per node: LITHE_COUPLED_STRIDE * group + place of the node in it
    int32_t group_of_start_capacity, group_of_capacity;
    double *group_jacobian; // of each group, four couplings side by side; missing ones are zero
    double *group_sums;     // J' x of each group
    double *group_pushes;   // the same of G J dw
    double *group_matrix;   // J' G J of each group
    double *group_lanes;    // laws, velocities, impulses, Hessians of the points (solve/lanes.h)
    int32_t group_jacobian_capacity, group_sums_capacity, group_pushes_capacity,
        group_matrix_capacity, group_lanes_capacity;
    bool in_lanes;        // a solve runs: these numbers are in the lanes, not in the couplings
    bool has_group_sums;  // group_sums are J' impulse
    bool has_group_terms; // group_matrix is that of the present velocities and directions
    double lane_length;   // v of the lanes is this far along dv

    double *jacobian;      // columns of free DoFs, the others zero
    double *jacobian_held; // columns of held DoFs, the others zero; of the couplings with held_at
    int32_t jacobian_count, jacobian_capacity, held_count, jacobian_held_capacity;
    double *site_blocks; // [ranges][LITHE_COUPLED_ROWS][model->site_width] scratch of one side
    int32_t site_capacity;

    // nodes that ride on bodies (assemble/ride.c)
    bool rides;     // some unit has riders
    bool numbered;  // numbering and pattern are those of the last step
    double *ride_J; // [riders of all units][3][DoFs of the carrier] velocity of riders
    int32_t ride_capacity;
    double *ride_own; // blocks of carriers in A without their riders, unit by unit
    int32_t ride_own_capacity;
    bool *carries; // [node_count] nodes of carriers; used with riders only
    int32_t carries_capacity;

    // matrices: A and H have the same pattern
    LithePairList pairs;
    LitheBlockMatrix *matrix; // H = A + J' G J
    double *A;                // values of A in the same places
    int32_t A_capacity;
    bool A_is_new;    // A has changed since the last factorisation
    bool is_rebuilt;  // the pattern has changed since A was computed
    int32_t *touched; // nodes whose columns of H change
    int32_t touched_capacity;
    uint8_t *has_own; // [node_count] whether the column of H differs from that of A
    int32_t has_own_capacity;
    uint8_t *is_touched; // [node_count] whether it is in `touched`
    int32_t is_touched_capacity;
    bool is_accurate; // the backward error of a solve with this A was small
    int32_t *order;   // [node_count] elimination, if some unit is a mesh
    int32_t order_capacity;
    bool has_mesh;
    LitheBlockFactor *factor;

    // vectors [dof_count], in one block
    double *block;
    int32_t block_capacity;
    double *w0;          // where r and A were evaluated
    double *from;        // w0 of the pass, from which its line search starts
    double *best;        // w0 with the smallest true residual so far
    double *w;           // iterate, then solution
    double *r;           // momentum residual at w0 without couplings; 0 on held DoFs
    double *scale;       // diag(A)^-1/2; 0 on held DoFs
    double *gradient;    // of (V22)
    double *smooth;      // r + A (w - w0)
    double *dw, *Adw;    // Newton direction, and A times it
    double *pushed;      // J' impulse, if has_pushed
    double *spare;       // [2 dof_count] scratch
    unsigned char *held; // [dof_count]
    int32_t held_capacity;
    double *dv; // [coupling_count][LITHE_COUPLED_ROWS] J dw
    int32_t dv_capacity;
    double *hessians; // G of each coupling at the present velocity
    int32_t hessians_capacity;
    double *slip; // [coupling_count][LITHE_COUPLED_ROWS] directions of friction (solve/slip.h)
    int32_t slip_capacity;
    bool recalls;    // the first Newton step uses what contacts recall
    bool has_slips;  // they are those of the present solve, or of the pass before
    bool has_pushed; // no impulse has changed since `pushed` was computed
    double *push;    // [coupling_count][LITHE_COUPLED_ROWS] G J dw
    int32_t push_capacity;
    double *weighed; // [ranges of nodes][weighed_size] scratch for G J of one node of a coupling
    int32_t weighed_capacity, weighed_size;
    double *partial; // [ranges][LITHE_RANGE_SUMS] of loops that threads share
    int32_t partial_capacity;
    LitheContactLaw *contact_laws; // [contacts of the step] parameters that contacts act with
    int32_t contact_law_capacity;
    LitheStickAnchor *anchors; // [anchor_count] by id, of static steps; then as many spare ones
    int32_t anchor_count, anchor_capacity;
    bool on_path;       // a step by arc length: contacts stick less stiffly
    bool anchors_fixed; // slips are measured, but anchors are neither added nor removed
    LitheLimitEffort *limit_efforts; // [limit_effort_count] of static steps
    int32_t limit_effort_count, limit_effort_capacity;
    LitheDrySlip *dry_slips; // [dry_slip_count] of static steps
    int32_t dry_slip_count, dry_slip_capacity;
    double *settle;   // bounds of friction of earlier passes (solve/settle.c)
    double *settle_Q; // [LITHE_SETTLE_DEPTH][coupling_count] scratch: orthogonal columns of the
                      // mixing
    int32_t settle_capacity, settle_Q_capacity, settle_count, settle_passes, settle_bounds;
    double stick_fraction; // of the stick speed that friction uses (V31); below 1: all is at rest
    double momentum;       // scale of the residuals of the units, an impulse in |.|_D
    double noise;          // rounding level of the residuals
    double rounding;       // of the potential of the units, apart from COST_NOISE of its value

    // outcome of the last solve
    int32_t iterations, searches; // Newton iterations; evaluations of the cost in line searches
    bool converged, stalled;
    bool refused;    // H was not positive definite
    bool woke;       // an idle contact closed: the pattern has no blocks for it
    double residual; // relative, as the tolerance is
    double cost;
    double end_cost;       // of the couplings where it ended
    double start_cost;     // of the couplings where the solve started
    double backward_error; // max over the linear solves
    double start_residual; // static steps: out-of-balance forces at their start, relative
};

/// Values of a matrix of the system.
static inline int64_t lithe_system_value_count(const LitheSystem *system) {
    const LitheBlockMatrix *m = system->matrix;
    return m->value_at[m->start[m->count]];
}

#endif
