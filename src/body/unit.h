// SPDX-License-Identifier: Apache-2.0
// body/unit.h - the table of kinds: operations of a unit, the same for every kind
//
// A kind (rod, tree, particles) is one row of the table in body/unit.c, the only list of kinds in
// the code. Solvers see only this table: a new kind is a new row.
//
// The unknown of a unit is w, the velocity at which forces are evaluated (data/work.h). A unit has
// nodes, which are blocks of DoFs, a residual r(w) and a matrix A = dr/dw of dense blocks between
// its nodes. The calls of a step, in their order:
//
//     begin          everything that does not depend on w; the first guess of w
//     free motion    evaluate, factor, solve in a Newton loop (solve/newton.c), or `free`, or
//                    step_explicit; refine updates lagged terms, and the loop repeats
//     coupled solve  prepare, terms, site for Jacobians; then evaluate and scatter per pass
//     end            writes configuration, velocity, frames and energies to the state
//
// A unit that something touches skips its free motion where the coupled solve does not need it. All
// calls except describe and end leave model and state unchanged. Calls for different units may
// run in parallel: a call writes only the work of its own unit.

#ifndef LITHE_BODY_UNIT_H
#define LITHE_BODY_UNIT_H

#include "body/profile.h"
#include "data/model.h"
#include "data/state.h"
#include "data/system.h"
#include "data/work.h"

/// Size of a residual in the norm |r|_D with D = diag(A)^-1/2 over free DoFs, which makes metres
/// and radians comparable.
typedef struct LitheMeasure {
    double residual;
    double scale;     ///< the largest of the momenta and impulses that balance in the residual
    double noise;     ///< rounding level
    double potential; ///< rounding of the potential that does not scale with its value
} LitheMeasure;

/// Receives a coupling that acts on the unit's own DoFs; false when out of memory.
typedef bool LitheDofTermFn(const LitheDofTerm *term, void *user);

/// Sums over units.
typedef struct LitheUnitTotals {
    double kinetic, elastic, gravity; // J
    Vec3 momentum;                    // kg m/s
    Vec3 angular;                     // about the origin [kg m^2/s]
} LitheUnitTotals;

/// The sums that are requested; the others may be left out.
typedef enum LitheTotalsWanted {
    LITHE_TOTALS_ELASTIC = 1,
    LITHE_TOTALS_ENERGY = 2, // kinetic and gravity
    LITHE_TOTALS_MOMENTA = 4,
} LitheTotalsWanted;

/// Elements of a unit that are turned inside out.
typedef struct LitheInverted {
    int32_t count, of; // number of them, and of all elements
    int32_t first;     // number of the first one; -1: none
    Vec3 place;        // centre of its corners [m]
    bool refused;      // no step may end with them
} LitheInverted;

/// The error that the mesh of a unit makes.
typedef struct LitheMeshError {
    double share;  // of the deflection under given loads that is missing; NAN: not known
    double energy; // elastic, of the unit [J]
    double time;   // of the state [s]
    int32_t order; // of the shape functions; 0: nothing has been estimated
    bool mean;     // elements share their volume: the mesh may also be too soft
    int32_t touch; // contacts with a force then: so it may be at its nodes; set by the run
    // of the surface, for its contacts
    double spacing; // distance of its nodes [m]
    double modulus; // E* (S30) [Pa]
    double layer;   // that is pressed (S30) [m]
} LitheMeshError;

/// Tasks whose data a loop over many small units prefetches.
typedef enum LitheTaskKind {
    LITHE_TASK_BEGIN,    // `begin`
    LITHE_TASK_EVALUATE, // `evaluate`
    LITHE_TASK_END,      // `end`
} LitheTaskKind;

/// All members are required, except where NULL is mentioned below; lithe_units_build asserts this.
/// With plan->still, which is a proximal step of a search for an equilibrium
/// (docs/theory/statics.md), nothing that depends on velocities acts: no damping, no start
/// velocity, no rates of targets.
typedef struct LitheUnitOps {
    const char *kind;

    /// Units with at least this number of DoFs use the pool within the calls below (elements in
    /// parallel, sums in a fixed order); 0: none does.
    int64_t threads_from;

    /// Time of a call of evaluate, begin or end, per DoF [ns]: an estimate, which decides whether a
    /// loop over units is worth other threads.
    double cost;

    /// Whether the certificate of a step (advance/certify.h) detects that units of this kind pass
    /// through others. A search for an equilibrium may then move them by more than their thickness.
    bool certified;

    /// Units of this kind lie against others at many nodes, which share a load, and slip along them
    /// for good where friction fails for a moment: (T28).
    bool winds;

    /// Units of this kind swing by less than the length of their parts: with the tolerance `auto`
    /// adaptive steps also bound the error relative to the motion, (AD8).
    bool swings;

    /// The elastic energy of this kind is expensive. The recorder computes it from the recorded
    /// strains instead, and calls `totals` without LITHE_TOTALS_ELASTIC.
    bool elastic_is_recorded;

    /// `energies` costs nothing at the state that it was called for last.
    bool energies_are_kept;

    /// `count` returns the number of units of the kind in a model. `describe` describes unit number
    /// `index` of the kind: it fills in the sizes of `unit`, and stores the offsets that the caller
    /// has set in it.
    int32_t (*count)(const LitheModel *model);
    void (*describe)(LitheModel *model, int32_t index, LitheUnit *unit);

    /// Places the work arrays of a unit in memory from `at` on, which is zeroed and aligned to a
    /// cache line: work->units[unit] with w, r, trial, trial_r, dx, impulse, held (zeros where
    /// nothing can be held) and dof_count, and its `own`. With `at` NULL it only counts. Returns
    /// the number of doubles used, a multiple of LITHE_WORK_LINE.
    int64_t (*layout)(const LitheModel *model, int32_t unit, LitheWork *work, double *at);

    /// Places the arrays of a unit that are not kept from one task to the next in `room`: scratch,
    /// and the matrix with its factor, which are valid from evaluate to solve or scatter within one
    /// task. With NULL it only counts. Returns the number of doubles used, a multiple of
    /// LITHE_WORK_LINE. NULL: the kind has none.
    int64_t (*lend)(const LitheModel *model, int32_t unit, LitheWork *work, double *room);
    /// Prefetches what a task of a small unit reads; a hint, NULL if that is little.
    void (*fetch)(const LitheModel *model, int32_t unit, const LitheWork *work, LitheTaskKind task);

    /// Creates what a unit keeps outside of these arrays (a factor), after `layout`, and destroys
    /// it. `open` returns false when out of memory; `close` is called also then. NULL: the kind
    /// has none.
    bool (*open)(const LitheModel *model, int32_t unit, LitheWork *work);
    void (*close)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Frees the factor of a unit, which is made again when it is needed: another factor contains
    /// its matrix. NULL: the kind keeps its factor.
    void (*drop)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Computes the free motion, for a kind with its own solver: w, and the outcome in the unit's
    /// work. NULL: Newton's method with the calls below is used. Static steps never use it.
    void (*free)(const LitheModel *model, int32_t unit, const LitheState *state,
                 const LitheStepPlan *plan, double tolerance, int32_t max_iterations,
                 LitheWork *work);

    /// Computes everything of the step that does not depend on w: anchors, natural state, loads,
    /// targets, damping. Sets w to the first guess. False when this step is impossible (a natural
    /// state outside the domain).
    bool (*begin)(const LitheModel *model, int32_t unit, const LitheState *state,
                  const LitheStepPlan *plan, LitheWork *work);

    /// Incremental potential at `w` (INFINITY outside the domain) and momentum residual; held DoFs
    /// keep their reactions in the residual. With `want_matrix` also A = dr/dw. `project` makes
    /// every stencil positive semidefinite.
    double (*evaluate)(const LitheModel *model, int32_t unit, LitheWork *work, const double *w,
                       bool want_matrix, bool project, double *residual);

    /// After evaluate with a matrix: size of `residual` and the scale to compare it with.
    LitheMeasure (*measure)(const LitheModel *model, int32_t unit, const LitheWork *work,
                            const double *residual);

    /// Eliminates held DoFs and factors A; false when a pivot is not positive.
    bool (*factor)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Describes where the unit left its domain, or another error; "" when there is none.
    void (*explain)(const LitheModel *model, int32_t unit, const LitheWork *work, char *text,
                    size_t size);

    /// x = A\x with x zero on held DoFs.
    void (*solve)(const LitheModel *model, int32_t unit, LitheWork *work, double *x);

    /// Updates the lagged terms at the solution (anchors of frames, gyroscopic forces); false when
    /// the scheme has none. The caller solves again.
    bool (*refine)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Instead of solving: w and r of an explicit step. False outside the domain.
    bool (*step_explicit)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Applies the step: configuration, velocity and frames at its end, energies and work. False
    /// (state untouched) when a number is not finite. Where couplings acted, `impulse` in the
    /// unit's work is the sum of their impulses, and r does not contain it.
    bool (*end)(const LitheModel *model, int32_t unit, LitheWork *work, LitheState *state);

    // --- stages of TR-BDF2 (advance/stages.c) ---

    /// Moves the configuration of a state by a displacement [v_count], frames included.
    void (*shift)(const LitheModel *model, int32_t unit, const double *by, LitheWork *work,
                  LitheState *state);

    /// (T5): gives driven DoFs whose velocity jumps at the start of a step the velocity after the
    /// jump. NULL: velocities of the kind do not jump.
    void (*jump)(const LitheModel *model, int32_t unit, LitheWork *work, LitheState *state);

    /// Accelerations of a state under the unit's own forces and `force` [v_count]; 0 where DoFs are
    /// held. The plan is one with a = 0. `damping`, unless NULL: forces of damping with
    /// opposite sign. `power`: that of loads and drives [W]. False outside the domain.
    bool (*accelerate)(const LitheModel *model, int32_t unit, const LitheState *state,
                       const LitheStepPlan *plan, const double *force, LitheWork *work, double *a,
                       double *damping, double *power);

    /// After `accelerate` or `end`: adds the energies of the state, without allocation.
    void (*energies)(const LitheModel *model, int32_t unit, const LitheState *state,
                     LitheWork *work, LitheUnitTotals *sum);

    /// `shared_energies` adds the energies of any state, with the same bits as `totals`: what it
    /// computes is left in `work` for the next step from there. Only where `shares_energies`; NULL:
    /// nowhere.
    bool (*shares_energies)(const LitheModel *model, int32_t unit);
    void (*shared_energies)(const LitheModel *model, int32_t unit, const LitheState *state,
                            const LitheWork *work, LitheUnitTotals *sum);

    /// Multiplies the velocities of the non-rigid motion by `factor`, and returns its kinetic
    /// energy afterwards. Momentum and angular momentum of free units do not change. NULL: the kind
    /// has no non-rigid motion.
    double (*calm)(const LitheModel *model, int32_t unit, LitheWork *work, double factor,
                   LitheState *state);

    /// Writes the velocities of the translation that has the momentum of the unit into v [v_count]
    /// and returns its kinetic energy; writes 0 and returns 0 where the unit is not free.
    double (*drift)(const LitheModel *model, int32_t unit, const LitheState *state, LitheWork *work,
                    double *v);

    /// Replaces the end of a step of length h from `before`, in which no coupling acted on the
    /// unit, by a motion that conserves more than the stages do; nothing where the unit has none.
    /// NULL: the kind has none.
    void (*fly)(const LitheModel *model, int32_t unit, const LitheState *before, double h,
                LitheWork *work, LitheState *state);

    /// The time in which a wave runs through the unit and back, which is that of a hit (T29) [s].
    /// NULL: the kind does not deform in a hit.
    double (*hit_time)(const LitheModel *model, int32_t unit);

    /// x = M\x with the masses of the last stage; 0 where DoFs are held.
    void (*unmass)(const LitheModel *model, int32_t unit, const LitheWork *work, double *x);

    // --- configurations (solve/middle.c, advance/certify.c) ---

    /// to->q = from->q (+) time v with v [v_count], and the directors of edges there. Reference
    /// twists stay.
    void (*advance)(const LitheModel *model, int32_t unit, const LitheState *from, const double *v,
                    double time, LitheState *to);

    /// d [v_count] with to->q = from->q (+) d; rotations by at most half a turn.
    void (*difference)(const LitheModel *model, int32_t unit, const LitheState *from,
                       const LitheState *to, double *d);

    // --- material points ---

    /// Pose of a material point `ahead` seconds from now at the present velocity, with the frame of
    /// its element. The frame of an edge is the present one, not extrapolated.
    Pose (*place)(const LitheModel *model, const LitheState *state, const LitheSite *site,
                  double ahead);

    /// Velocity of a material point on the centreline [m/s]; NULL for links, where `place` is used
    /// instead.
    Vec3 (*velocity)(const LitheModel *model, const LitheState *state, const LitheSite *site);

    /// Jacobian of the rows linear . velocity + angular . angular velocity of a material point:
    /// its nodes (numbers in the unit, all different) and their blocks [rows][size of the node]
    /// one after the other. Returns the number of nodes. May run on several threads at once.
    int32_t (*site)(const LitheModel *model, const LitheState *state, const LitheWork *work,
                    const LitheSite *site, int32_t rows, const Vec3 *linear, const Vec3 *angular,
                    int32_t *nodes, double *blocks);

    // --- sums, events, outcomes ---

    /// x' M x over the free DoFs. For unconnected points (particles): their total mass times the
    /// largest |x|^2 of a point, so that the root of norm/mass is the maximum over points, not the
    /// root mean square.
    double (*norm)(const LitheModel *model, int32_t unit, const LitheWork *work, const double *x);

    /// The largest angular velocity of a part of the unit whose axis of rotation can turn [rad/s].
    /// Uses the scratch of the step. NULL: the positions of nodes show all rotations.
    double (*rotation)(const LitheModel *model, int32_t unit, const LitheState *state,
                       const LitheWork *work);

    /// After begin: y = M x on free DoFs, 0 on held ones.
    void (*mass)(const LitheModel *model, int32_t unit, const LitheWork *work, const double *x,
                 double *y);

    /// After begin of a static step: the largest displacement of a material point by `w`, to first
    /// order [m].
    double (*moved)(const LitheModel *model, int32_t unit, LitheWork *work, const double *w);

    /// Square of the lowest natural frequency, approximately [1/s^2]; 0: not known. The weight of
    /// the proximal term starts from it.
    double (*lowest_omega2)(const LitheModel *model, int32_t unit);

    /// Adds energies and momenta at a state; false when out of memory. Sums that are not in
    /// `wanted` may be left out.
    bool (*totals)(const LitheModel *model, int32_t unit, const LitheState *state,
                   LitheTotalsWanted wanted, LitheUnitTotals *sum);

    /// Whether the profile of a load, drive or natural state of the unit has a kink within a span
    /// of time.
    bool (*event)(const LitheModel *model, int32_t unit, const LitheSpan *span);

    /// Whether the elastic energy of the unit changes without motion: natural shapes, gases that
    /// are pumped in. NULL: never.
    bool (*changes)(const LitheModel *model, int32_t unit);

    /// The largest stable step of explicit integration, approximately [s]; NULL: no limit.
    double (*explicit_limit)(const LitheModel *model, int32_t unit);

    /// Counts the elements that are turned inside out at the state, out of how many; NULL: the kind
    /// has no elements.
    LitheInverted (*inverted)(const LitheModel *model, int32_t unit, const LitheState *state);

    /// Estimates the error of the mesh if the unit stores more elastic energy than `least`, else
    /// returns false. NULL: the kind has no mesh.
    bool (*mesh_error)(const LitheModel *model, int32_t unit, const LitheState *state, double least,
                       LitheMeshError *out);

    /// Adds the entries of the report that only this kind has; NULL: none.
    void (*report)(const LitheModel *model, int32_t unit, const LitheWork *work,
                   LitheReport *report);

    /// After prepare: calls `add` for each coupling of the unit's own DoFs (limits, dry friction,
    /// bounded drives); returns false as soon as `add` returns false. NULL: there are none.
    bool (*terms)(const LitheModel *model, int32_t unit, const LitheWork *work,
                  const LitheStepPlan *plan, LitheDofTermFn *add, void *user);

    // --- in the coupled solve (assemble/) ---

    /// After the free motion: prepares for Jacobians at the start of the step and for evaluate.
    /// NULL: nothing to do.
    void (*prepare)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Adds the pairs of nodes that the matrix of the unit couples; its nodes begin at `first`.
    /// False when out of memory.
    bool (*pattern)(const LitheModel *model, int32_t unit, int32_t first, LithePairList *pairs);

    /// After evaluate with a matrix: writes A, with held DoFs eliminated, over the values of its
    /// entries in a matrix with the pattern of `pattern`.
    void (*scatter)(const LitheModel *model, int32_t unit, LitheWork *work, int32_t first,
                    const LitheBlockMatrix *matrix, double *values);

    /// After scatter: adds the terms of rank one of A to a matrix with room for them. NULL: the
    /// kind has none.
    void (*ranks)(const LitheModel *model, int32_t unit, const LitheWork *work, int32_t first,
                  LitheBlockMatrix *matrix);
} LitheUnitOps;

/// The largest stable step of symplectic Euler and the unit that limits it; INFINITY and NULL: no
/// limit.
double lithe_explicit_limit(const LitheModel *model, const LitheUnit **stiffest);

/// Room for the terms of rank one of units in the matrix of all of them; `unit` [count], NULL: all
/// of the model. False when out of memory.
bool lithe_units_reserve_ranks(const LitheModel *model, const int32_t *unit, int32_t count,
                               LitheBlockMatrix *matrix);

/// Replaces the terms of rank one of the matrix by those of the units; `first` [unit_count of the
/// model] node of a unit in the matrix, NULL: as in the model.
void lithe_units_gather_ranks(const LitheModel *model, const LitheWork *work, const int32_t *unit,
                              int32_t count, const int32_t *first, LitheBlockMatrix *matrix);

/// Moves riders to where their bodies are, and gives them the velocities there (body/ride.c).
void lithe_riders_place(const LitheModel *model, LitheState *state);

/// One row per kind (body/unit.c).
extern const LitheUnitOps *const lithe_unit_kinds[LITHE_UNIT_KINDS];

static inline const LitheUnitOps *lithe_unit_ops(const LitheModel *model, int32_t unit) {
    return lithe_unit_kinds[model->units[unit].kind];
}

/// Time of a call of evaluate, begin or end for a unit, an estimate [ns].
static inline double lithe_unit_cost(const LitheUnit *unit) {
    return lithe_unit_kinds[unit->kind]->cost * (double)unit->v_count;
}

/// `difference` where positions and velocities have the same numbers (body/totals.c).
void lithe_points_difference(const LitheModel *model, int32_t unit, const LitheState *from,
                             const LitheState *to, double *d);

/// Whether a driven DoF with velocity v, whose profile has the velocity `rate`, jumps. Smaller
/// differences are rounding.
static inline bool lithe_velocity_jumps(double v, double rate) {
    return fabs(rate - v) > 1e-6 * fmax(fabs(rate), fabs(v));
}

/// (A5): losses of the first stage, of length h, of TR-BDF2 in `count` DoFs from `at` on
/// (body/totals.c). work->stage.damping is the sum of the forces of damping at the start and in the
/// stage, w their velocities in the stage.
double lithe_first_stage_losses(const LitheWork *work, int64_t at, int64_t count, double h,
                                const double *w);

/// Points of a unit with their masses, for lithe_calm_points.
typedef struct LithePoints {
    int64_t count, stride; // number of points; numbers per point in q, v and held
    const double *mass;    // [count][mass_stride]
    int64_t mass_stride;
    const double *q;           // [count][stride] positions
    double *v;                 // [count][stride] velocities; lithe_drift_points only reads them
    const unsigned char *held; // [count][stride]
} LithePoints;

/// `calm` for points; where some of them are held, all motion counts as non-rigid (body/totals.c).
double lithe_calm_points(const LithePoints *points, double factor);

/// `drift` for points (body/totals.c).
double lithe_drift_points(const LithePoints *points, double *v);

/// Fills in what the report says about elements that are turned inside out at the state
/// (body/totals.c).
void lithe_report_inverted(const LitheModel *model, const LitheState *state, LitheReport *report);

/// The first unit in which a step turned more elements inside out than there were before; count 0:
/// none. One that refuses them is found before others.
LitheInverted lithe_newly_inverted(const LitheModel *model, const LitheState *before,
                                   const LitheState *after, int32_t *unit);

/// Fills model->units and the sums over units, once all of them are built. False when out of
/// memory.
bool lithe_units_build(LitheModel *model);

/// Runs a task for each unit: small units in parallel on the pool, then one by one those that use
/// the pool themselves (`threads_from` of their kind): a pool cannot be entered twice.
void lithe_units_run(LitheWork *work, LitheTaskFn *task, void *user);

/// A room for the units that a task works on, and its return. Outside of tasks, where one thread
/// works, every unit has some room.
int32_t lithe_room_take(LitheWork *work);
void lithe_room_return(LitheWork *work, int32_t room);
void lithe_room_lend(const LitheModel *model, int32_t unit, LitheWork *work, int32_t room);

/// Prefetches what a task reads of a unit that comes after the present one, if there is one.
static inline void lithe_unit_fetch(const LitheModel *model, int32_t unit, const LitheWork *work,
                                    LitheTaskKind task) {
    if (unit < model->unit_count && lithe_unit_ops(model, unit)->fetch)
        lithe_unit_ops(model, unit)->fetch(model, unit, work, task);
}

/// As lithe_energy, but `elastic` gives the elastic energy of the kinds with `elastic_is_recorded`
/// (body/totals.c). With `work`, or NULL, the next step need not compute again what it shares.
LitheEnergy lithe_energy_with(const LitheModel *model, const LitheState *state, double elastic,
                              const LitheWork *work);

/// Whether lithe_energy_with sums the same numbers as lithe_energy: no unit is of those kinds.
bool lithe_energy_is_whole(const LitheModel *model);

/// As lithe_energy, after a step to `state` with `work`, or NULL: what the step has computed is not
/// computed again, and nothing is allocated for kinds with `energies_are_kept`.
LitheEnergy lithe_energy_after(const LitheModel *model, const LitheState *state, LitheWork *work);

/// Doubles of a cache line: scratch arrays begin at multiples of it.
enum { LITHE_WORK_LINE = 8 };

static inline int64_t lithe_work_round(int64_t doubles) {
    return (doubles + LITHE_WORK_LINE - 1) / LITHE_WORK_LINE * LITHE_WORK_LINE;
}

/// Number of doubles that `count` items of `size` bytes take in the scratch of a unit.
static inline int64_t lithe_work_doubles(int64_t count, size_t size) {
    return lithe_work_round(
        (int64_t)(((size_t)count * size + sizeof(double) - 1) / sizeof(double)));
}

#endif
