// SPDX-License-Identifier: Apache-2.0
// body/unit.h - the table of kinds: what a solver may ask of a unit of any kind
//
// A kind is one row of the table in body/unit.c, the only list of kinds in the tree. Solvers see
// only this table, never a rod: a new kind is a new row. The unknown is w, the velocity at which
// forces are evaluated (data/work.h).

#ifndef LITHE_BODY_UNIT_H
#define LITHE_BODY_UNIT_H

#include "body/profile.h"
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

/// Takes a coupling of own DoFs; false when out of memory.
typedef bool LitheDofTermFn(const LitheDofTerm *term, void *user);

/// Sums over units.
typedef struct LitheUnitTotals {
    double kinetic, elastic, gravity; // J
    Vec3 momentum;                    // kg m/s
    Vec3 angular;                     // about the origin [kg m^2/s]
} LitheUnitTotals;

/// What of them is wanted: the rest may be left out.
typedef enum LitheTotalsWanted {
    LITHE_TOTALS_ELASTIC = 1,
    LITHE_TOTALS_ENERGY = 2, // kinetic and gravity
    LITHE_TOTALS_MOMENTA = 4,
} LitheTotalsWanted;

/// What units of a kind do in a search for an equilibrium.
typedef enum LitheStatics {
    LITHE_STATICS_NONE,  // unsupported: such a scene is refused
    LITHE_STATICS_MOVE,  // they are moved
    LITHE_STATICS_STAND, // they stay as they are: joints are held where they stand
} LitheStatics;

/// What is not marked as NULL below is required; lithe_units_build asserts it. Calls with a plan
/// see plan->still only where `statics` is LITHE_STATICS_MOVE.
typedef struct LitheUnitOps {
    const char *kind;

    /// Units with at least so many DoFs use the pool within the calls below (elements side by
    /// side, sums in a fixed order); 0: none does.
    int64_t threads_from;

    LitheStatics statics;

    /// Its elastic energy is expensive, and the recorder has it from the strains that it records:
    /// it asks `totals` without LITHE_TOTALS_ELASTIC.
    bool elastic_is_recorded;

    /// How many units of the kind a model has; and number `index` of them: `unit` comes with the
    /// places where its numbers begin, which the kind keeps for itself; it fills in the sizes.
    int32_t (*count)(const LitheModel *model);
    void (*describe)(LitheModel *model, int32_t index, LitheUnit *unit);

    /// Lays out the scratch of a unit from `at` on, which is zeroed and aligned to a cache line:
    /// work->units[unit] with w, r, trial, trial_r, dx, impulse, held (zeros where nothing can be
    /// held) and dof_count, and `own` in it. `at` NULL: only counts. Returns the doubles taken, a
    /// multiple of LITHE_WORK_LINE.
    int64_t (*lay)(const LitheModel *model, int32_t unit, LitheWork *work, double *at);

    /// The whole free motion of a kind with a solver of its own: w, and the outcome in the body's
    /// work. NULL: begin and Newton with the calls below.
    void (*free)(const LitheModel *model, int32_t unit, const LitheState *state,
                 const LitheStepPlan *plan, double tolerance, int32_t max_iterations,
                 LitheWork *work);

    /// Everything of the step that does not depend on w: anchors, natural state, loads, targets,
    /// damping. Sets w to the first guess. False when the body cannot make this step at all (its
    /// natural state is impossible).
    bool (*begin)(const LitheModel *model, int32_t unit, const LitheState *state,
                  const LitheStepPlan *plan, LitheWork *work);

    /// Incremental potential at `w` (INFINITY outside the domain) and momentum residual; held DoFs
    /// keep their reactions in the residual. With `want_matrix` also A = dr/dw. `project` makes
    /// every stencil positive semidefinite.
    double (*evaluate)(const LitheModel *model, int32_t unit, LitheWork *work, const double *w,
                       bool want_matrix, bool project, double *residual);

    /// After evaluate with a matrix: size of `residual` and what to compare it with.
    LitheMeasure (*measure)(const LitheModel *model, int32_t unit, const LitheWork *work,
                            const double *residual);

    /// Locks held DoFs and factors A; false when a pivot is not positive.
    bool (*factor)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Says in words where the body left its domain, or what is wrong with it; "" when nothing is.
    void (*explain)(const LitheModel *model, int32_t unit, const LitheWork *work, char *text,
                    size_t size);

    /// x = A\x with x zero on held DoFs.
    void (*solve)(const LitheModel *model, int32_t unit, LitheWork *work, double *x);

    /// Makes anew, at the solution, what was taken as given (anchors of frames, gyroscopic
    /// forces); false when the scheme needs none of it. The caller solves again.
    bool (*refine)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Instead of solving: w and r of an explicit step. False outside the domain.
    bool (*step_explicit)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Takes the step: configuration, velocity and frames at its end, and the accounts. False
    /// (state untouched) when a number is not finite. Where couplings acted, `impulse` in the
    /// body's work is theirs, and r has been freed of it.
    bool (*end)(const LitheModel *model, int32_t unit, LitheWork *work, LitheState *state);

    // --- material points ---

    /// Where a material point stands `ahead` seconds from now at the present velocity, with the
    /// frame of its element (an edge's is that of now).
    Pose (*place)(const LitheModel *model, const LitheState *state, const LitheSite *site,
                  double ahead);

    /// Velocity of a material point on the centreline [m/s]; NULL for links, whose points are
    /// found by their place.
    Vec3 (*velocity)(const LitheModel *model, const LitheState *state, const LitheSite *site);

    /// Jacobian of the rows linear . velocity + angular . angular velocity of a material point:
    /// its nodes (numbers in the unit, all different) and their blocks [rows][size of the node]
    /// one after the other. Returns how many nodes. May run on several threads at once.
    int32_t (*site)(const LitheModel *model, const LitheState *state, const LitheWork *work,
                    const LitheSite *site, int32_t rows, const Vec3 *linear, const Vec3 *angular,
                    int32_t *nodes, double *blocks);

    // --- sums, events, outcomes ---

    /// x' M x over the free DoFs.
    double (*norm)(const LitheModel *model, int32_t unit, const LitheWork *work, const double *x);

    /// Adds energies and momenta at a state; false when out of memory. What is not wanted may be
    /// left out.
    bool (*totals)(const LitheModel *model, int32_t unit, const LitheState *state,
                   LitheTotalsWanted wanted, LitheUnitTotals *sum);

    /// Whether a load, drive or natural state of the unit has a corner within a span of time.
    bool (*event)(const LitheModel *model, int32_t unit, const LitheSpan *span);

    /// The largest stable step of explicit integration, about [s]; NULL: none.
    double (*explicit_limit)(const LitheModel *model, int32_t unit);

    /// Adds what only this kind reports of a step; NULL: nothing.
    void (*report)(const LitheModel *model, int32_t unit, const LitheWork *work,
                   LitheReport *report);

    /// After prepare: gives `add` each coupling of the unit's own DoFs (limits, dry friction,
    /// bounded drives); false as soon as that returns false. NULL: there are none.
    bool (*terms)(const LitheModel *model, int32_t unit, const LitheWork *work,
                  const LitheStepPlan *plan, LitheDofTermFn *add, void *user);

    // --- in the coupled solve (assemble/) ---

    /// After the free motion: makes ready for Jacobians at the start of the step and for evaluate.
    /// NULL: nothing to do.
    void (*prepare)(const LitheModel *model, int32_t unit, LitheWork *work);

    /// Adds the pairs of nodes that the matrix of the unit couples; its nodes begin at `first`.
    /// False when out of memory.
    bool (*pattern)(const LitheModel *model, int32_t unit, int32_t first, LithePairList *pairs);

    /// After evaluate with a matrix: adds A, held DoFs locked, to the values of a matrix with that
    /// pattern.
    void (*scatter)(const LitheModel *model, int32_t unit, LitheWork *work, int32_t first,
                    const LitheBlockMatrix *matrix, double *values);
} LitheUnitOps;

/// One row per kind (body/unit.c).
extern const LitheUnitOps *const lithe_unit_kinds[LITHE_UNIT_KINDS];

static inline const LitheUnitOps *lithe_unit_ops(const LitheModel *model, int32_t unit) {
    return lithe_unit_kinds[model->units[unit].kind];
}

/// Fills model->units and the sums over units, once all of them are built. False when out of
/// memory.
bool lithe_units_build(LitheModel *model);

/// Runs a task for each unit: small units side by side on the pool, then one by one those that use
/// the pool themselves (`threads_from` of their kind): a pool cannot be entered twice.
void lithe_units_run(const LitheWork *work, LitheTaskFn *task, void *user);

/// lithe_energy where the elastic energy of the kinds with `elastic_is_recorded` is known
/// (body/totals.c).
LitheEnergy lithe_energy_with(const LitheModel *model, const LitheState *state, double elastic);

/// Doubles of a cache line: scratch arrays begin at multiples of it.
enum { LITHE_WORK_LINE = 8 };

static inline int64_t lithe_work_round(int64_t doubles) {
    return (doubles + LITHE_WORK_LINE - 1) / LITHE_WORK_LINE * LITHE_WORK_LINE;
}

/// Doubles that `count` items of `size` bytes take in the scratch of a unit.
static inline int64_t lithe_work_doubles(int64_t count, size_t size) {
    return lithe_work_round(
        (int64_t)(((size_t)count * size + sizeof(double) - 1) / sizeof(double)));
}

#endif
