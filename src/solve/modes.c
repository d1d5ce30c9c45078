// SPDX-License-Identifier: Apache-2.0
// solve/modes.c - small vibrations and stability of one rod, or of the whole model, about a state
//
// K x = omega^2 M x by subspace iteration on (K + s M)^-1 M with Rayleigh-Ritz, s chosen so that
// K + s M is positive definite. Cost is linear in the nodes. Sylvester's law of inertia checks that
// no mode was missed: the number of negative pivots of K - x M is the number of omega^2 below x.

#include "assemble/assemble.h"
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "body/unit.h"
#include "data/part.h"
#include "math/eigen.h"
#include "math/vecn.h"
#include "solve/contact_model.h"
#include "solve/modes_world.h"

#include <math.h>
#include <string.h>

#define MAX_ROUNDS 500
// relative change of an eigenvalue below which it has converged
#define CONVERGED 1e-11
// vectors beyond the requested ones: they speed up the convergence of the last one
#define SPARE 8

static const LitheRod *rod_of(const LitheModel *model, int32_t unit) {
    return &model->rods[model->units[unit].index];
}

// assembles K + shift M of the rod at the state, eliminates held DoFs, and factors it; false when a
// pivot is zero or not finite
static bool factor_shifted(const LitheModel *model, const LitheState *state, LitheWork *work,
                           int32_t unit, double shift, int32_t *negative) {
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    LitheRodWork *rod = lithe_rod_work(work, unit);
    LitheStepPlan plan = {
        .time = lithe_load_time(state), .h = 1, .a = 1, .inverse_a = 1, .c = shift, .still = true};
    if (!ops->begin(model, unit, state, &plan, work))
        return false;
    LitheUnitWork *solve = &work->units[unit];
    memset(solve->w, 0, (size_t)solve->dof_count * sizeof(double));
    double energy = ops->evaluate(model, unit, work, solve->w, true, false, solve->r);
    if (!(energy < INFINITY))
        return false;
    LitheRodPivots pivots;
    lithe_rod_lock(rod_of(model, unit), &rod->matrix);
    lithe_rod_factor(&rod->matrix, LITHE_PIVOT_ANY, rod->factor, &pivots);
    *negative = pivots.negative_count;
    return pivots.first_bad < 0;
}

LitheStatus lithe_unstable_count(const LitheModel *model, const LitheState *state, LitheWork *work,
                                 LitheRodId rod, double shift, int32_t *count, LitheError *error) {
    LITHE_ASSERT(rod.number >= 1 && rod.number <= model->rod_count);
    if (!factor_shifted(model, state, work, model->rods[rod.number - 1].unit, shift, count))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "rod '%s' has a singular stiffness at t = %g s: add a shift",
                          model->rods[rod.number - 1].name, state->clock[0]);
    return LITHE_OK;
}

// --- subspace iteration --------------------------------------------------------------------------

typedef struct Subspace {
    const LitheModel *model;
    LitheWork *work;
    int32_t unit; // a rod; -1: the whole model
    const LitheWorldStiffness *world;
    int32_t size;    // vectors
    int64_t dofs;    // of one vector
    double *x;       // [size][dofs] the vectors
    double *Mx;      // [size][dofs] M times the vectors
    double *a;       // [size][size] matrix of the small problem, then its eigenvectors
    double *values;  // [size] eigenvalues, then omega^2 + s
    double *scratch; // eigenvalue workspace
} Subspace;

// y = M x on free DoFs, 0 on held ones
static void apply_mass(const Subspace *s, const double *x, double *y) {
    for (int32_t i = 0; i < s->model->unit_count; i++) {
        int64_t at = s->unit < 0 ? s->model->units[i].v_at : 0;
        if ((s->unit < 0 || s->unit == i) && s->work->units[i].dof_count > 0)
            lithe_unit_ops(s->model, i)->mass(s->model, i, s->work, x + at, y + at);
    }
}

static bool is_held(const Subspace *s, int64_t dof) {
    if (s->unit >= 0)
        return s->work->units[s->unit].held[dof];
    return s->work->system->held[dof];
}

// x = (K + sM)^-1 x
static void solve(const Subspace *s, double *x) {
    if (s->unit < 0)
        lithe_block_solve(s->work->system->factor, x);
    else
        lithe_unit_ops(s->model, s->unit)->solve(s->model, s->unit, s->work, x);
}

// factors K + shift M; false when a pivot is zero or not finite
static bool factor_at(const Subspace *s, const LitheState *state, double shift, int32_t *negative) {
    return s->unit < 0 ? lithe_world_factor(s->world, s->work, shift, negative)
                       : factor_shifted(s->model, state, s->work, s->unit, shift, negative);
}

static const char *name_of(const Subspace *s) {
    return s->unit < 0 ? "the world" : s->model->units[s->unit].name;
}

// makes the vectors orthonormal in M; a vector that vanishes is left zero
static void orthonormalise(Subspace *s) {
    for (int32_t i = 0; i < s->size; i++) {
        double *xi = s->x + i * s->dofs, *Mi = s->Mx + i * s->dofs;
        for (int pass = 0; pass < 2; pass++) // twice is enough for orthogonality to rounding
            for (int32_t j = 0; j < i; j++) {
                double c = vn_dot(s->dofs, xi, s->Mx + j * s->dofs);
                for (int64_t k = 0; k < s->dofs; k++)
                    xi[k] -= c * s->x[j * s->dofs + k];
            }
        apply_mass(s, xi, Mi);
        double norm = sqrt(vn_dot(s->dofs, xi, Mi));
        double scale = norm > 0 ? 1 / norm : 0;
        for (int64_t k = 0; k < s->dofs; k++) {
            xi[k] *= scale;
            Mi[k] *= scale;
        }
    }
}

// replaces the vectors by the given combinations: new_i = sum_j c[i][j] x_j, a column at a time
static void combine(Subspace *s, const double *c) {
    double *column = s->scratch;
    for (int64_t k = 0; k < s->dofs; k++) {
        for (int32_t j = 0; j < s->size; j++)
            column[j] = s->x[j * s->dofs + k];
        for (int32_t i = 0; i < s->size; i++) {
            double sum = 0;
            for (int32_t j = 0; j < s->size; j++)
                sum += c[i * s->size + j] * column[j];
            s->x[i * s->dofs + k] = sum;
        }
    }
}

// start vectors of fixed pseudo-random numbers, so that symmetry excludes no mode
static void start_vectors(Subspace *s) {
    uint64_t seed = 1;
    for (int64_t k = 0; k < s->size * s->dofs; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bool held = is_held(s, k % s->dofs);
        s->x[k] = held ? 0 : (double)(int32_t)(seed >> 32) * 0x1p-31;
    }
    orthonormalise(s);
}

// One round: y = (K + sM)^-1 M x, then Rayleigh-Ritz in the inverse, whose largest values are the
// requested ones (with K itself, rounding of its stiff stretching part would exceed soft bending):
// x'M y has the eigenvalues 1/(omega^2 + s). False when the small problem fails.
static bool iterate(Subspace *s) {
    int32_t n = s->size;
    for (int32_t i = 0; i < n; i++) {
        memcpy(s->x + i * s->dofs, s->Mx + i * s->dofs, (size_t)s->dofs * sizeof(double));
        solve(s, s->x + i * s->dofs);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            s->a[i * n + j] = s->a[j * n + i] =
                vn_dot(s->dofs, s->x + i * s->dofs, s->Mx + j * s->dofs);
    if (!lithe_eigen_symmetric(n, s->a, s->values, s->scratch))
        return false;

    // largest 1/(omega^2 + s) first: omega^2 + s ascending
    for (int32_t i = 0; i < n / 2; i++) {
        for (int32_t k = 0; k < n; k++) {
            double keep = s->a[i * n + k];
            s->a[i * n + k] = s->a[(n - 1 - i) * n + k];
            s->a[(n - 1 - i) * n + k] = keep;
        }
        double keep = s->values[i];
        s->values[i] = s->values[n - 1 - i];
        s->values[n - 1 - i] = keep;
    }
    for (int32_t i = 0; i < n; i++)
        s->values[i] = 1 / s->values[i];
    combine(s, s->a);
    orthonormalise(s);
    return true;
}

// the change is relative to omega^2 + s: rigid motions have omega = 0
static bool settled(const Subspace *s, const double *last, int32_t wanted) {
    for (int32_t i = 0; i < wanted; i++)
        if (!(fabs(s->values[i] - last[i]) <= CONVERGED * fabs(s->values[i])))
            return false;
    return true;
}

// a shift that makes K + sM safely positive definite: increased from the lowest bending frequency
static LitheStatus find_shift(const LitheModel *model, const LitheState *state, LitheWork *work,
                              int32_t unit, double *shift, LitheError *error) {
    const LitheRod *rod = rod_of(model, unit);
    double length = 0, mass = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    for (int32_t i = 0; i < rod->node_count; i++)
        mass += rod->mass[4 * i];
    double line = mass / length;
    double s = fmin(rod->EI1, rod->EI2) / (line * pow(length, 4)) +
               v3_norm(model->gravity) / length + 1e-8 * rod->EA / (line * length * length);
    for (int attempt = 0; attempt < 60; attempt++, s *= 4) {
        int32_t negative = 0;
        if (factor_shifted(model, state, work, unit, s, &negative) && negative == 0) {
            *shift = s;
            return LITHE_OK;
        }
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON, "rod '%s' has a stiffness that is not finite",
                      rod->name);
}

static LitheStatus run(Subspace *s, int32_t count, LitheError *error) {
    double last[LITHE_EIGEN_MAX];
    start_vectors(s);
    for (int32_t i = 0; i < s->size; i++)
        last[i] = INFINITY;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (!iterate(s))
            break;
        if (settled(s, last, count))
            return LITHE_OK;
        memcpy(last, s->values, (size_t)s->size * sizeof(double));
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON, "the modes of '%s' did not converge in %d rounds",
                      name_of(s), MAX_ROUNDS);
}

// no eigenvalue below the last one found may be missing
static LitheStatus check_count(const Subspace *s, const LitheState *state, int32_t count,
                               double shift, LitheError *error) {
    double top = s->values[count - 1] - shift;
    if (count >= s->size || s->values[count] - s->values[count - 1] < 1e-6 * s->values[count])
        return LITHE_OK; // no gap between eigenvalues
    double between = 0.5 * (s->values[count - 1] + s->values[count]) - shift;
    int32_t below = 0;
    if (!factor_at(s, state, -between, &below) || below == count)
        return LITHE_OK;
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "'%s': %d modes lie at or below %g rad/s but %d were found", name_of(s),
                      below, sqrt(fabs(top)), count);
}

// a motion whose omega^2 is below this fraction of omega^2 + shift costs no energy
#define RIGID 1e-9
// a motion is also rigid if its energy is below this fraction of energy_apart: rounding of the
// stiff parts
#define RIGID_NOISE 1e-13

// sum of K_ii x_i^2: the energy if each DoF moved alone
static double energy_apart(const Subspace *s, const double *x) {
    double sum = 0;
    if (s->unit >= 0) {
        const double *diagonal = lithe_rod_work(s->work, s->unit)->diagonal;
        for (int64_t k = 0; k < s->dofs; k++)
            sum += fabs(diagonal[k]) * x[k] * x[k];
        return sum;
    }
    const LitheBlockMatrix *m = s->work->system->matrix;
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t k = 0; k < m->size[j]; k++)
            sum += fabs(s->world->H[m->value_at[m->start[j]] + (int64_t)(m->size[j] + 1) * k]) *
                   x[m->at[j] + k] * x[m->at[j] + k];
    return sum;
}

// writes the modes from eigenvalues and eigenvectors
static void hand_out(const Subspace *s, int32_t count, double shift, double *omega,
                     double *shapes) {
    for (int32_t i = 0; i < count; i++) {
        double square = s->values[i] - shift;
        bool rigid = fabs(square) < RIGID * s->values[i] ||
                     fabs(square) < RIGID_NOISE * energy_apart(s, s->x + i * s->dofs);
        omega[i] = rigid ? 0 : copysign(sqrt(fabs(square)), square);
        if (!shapes)
            continue;
        memcpy(shapes + i * s->dofs, s->x + i * s->dofs, (size_t)s->dofs * sizeof(double));
        if (s->unit < 0)
            lithe_rides_spread(s->model, s->work->system, shapes + i * s->dofs);
    }
}

static LitheStatus find_modes(Subspace *s, const LitheState *state, int64_t free_dofs,
                              int32_t count, double shift, double *omega, double *shapes,
                              LitheError *error) {
    LitheContext *context = s->model->context;
    int64_t size = count + SPARE < free_dofs ? count + SPARE : free_dofs;
    s->size = (int32_t)size;
    double *block =
        lithe_alloc_array(context, 2 * size * s->dofs + size * size + 3 * size, sizeof(double));
    if (!block)
        return lithe_fail_memory(error, "the modes");
    s->x = block;
    s->Mx = s->x + size * s->dofs;
    s->a = s->Mx + size * s->dofs;
    s->values = s->a + size * size;
    s->scratch = s->values + size;
    start_vectors(s);
    LitheStatus status = run(s, count, error);
    if (status == LITHE_OK)
        status = check_count(s, state, count, shift, error);
    if (status == LITHE_OK)
        hand_out(s, count, shift, omega, shapes);
    lithe_free(context, block);
    return status;
}

LitheStatus lithe_modes(const LitheModel *model, const LitheState *state, LitheWork *work,
                        LitheRodId id, int32_t count, double *omega, double *shapes,
                        LitheError *error) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->rod_count);
    int32_t unit = model->rods[id.number - 1].unit;
    const LitheRod *rod = rod_of(model, unit);
    int64_t dofs = 4 * (int64_t)rod->node_count, free_dofs = 0;
    for (int64_t i = 0; i < dofs; i++)
        free_dofs += !rod->held[i];
    int64_t max = free_dofs < LITHE_EIGEN_MAX - SPARE ? free_dofs : LITHE_EIGEN_MAX - SPARE;
    if (count < 1 || count > max)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%d modes of rod '%s' are requested, 1 to %d are possible", count,
                          rod->name, (int)max);
    Subspace s = {.model = model, .work = work, .unit = unit, .dofs = dofs};
    double shift = 0;
    LitheStatus status = find_shift(model, state, work, unit, &shift, error);
    if (status == LITHE_OK)
        status = find_modes(&s, state, free_dofs, count, shift, omega, shapes, error);
    return status;
}

// --- the whole model -----------------------------------------------------------------------------

static LitheStatus check_world(const LitheModel *model, LitheError *error) {
    if (!lithe_contact_solver(model)->regularises && lithe_can_touch(model))
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "modes of a world that can touch need contact.model convex");
    return LITHE_OK;
}

LitheStatus lithe_world_modes(const LitheModel *model, const LitheState *state, LitheWork *work,
                              int32_t count, double *omega, double *shapes, LitheError *error) {
    LitheWorldStiffness world = {0};
    LitheStatus status = check_world(model, error);
    if (status != LITHE_OK)
        return status;
    double shift = lithe_world_shift(model);
    status = lithe_world_begin(model, state, work, shift, false, &world, error);
    Subspace s = {
        .model = model, .work = work, .unit = -1, .world = &world, .dofs = model->v_count};
    int64_t free_dofs = 0;
    for (int64_t i = 0; status == LITHE_OK && i < s.dofs; i++)
        free_dofs += !is_held(&s, i);
    int64_t max = free_dofs < LITHE_EIGEN_MAX - SPARE ? free_dofs : LITHE_EIGEN_MAX - SPARE;
    if (status == LITHE_OK && (count < 1 || count > max))
        status = lithe_fail(error, LITHE_BAD_INPUT, "%d modes are requested, 1 to %d are possible",
                            count, (int)max);
    int32_t negative = 1;
    for (int attempt = 0; status == LITHE_OK && negative != 0 && attempt < 60; attempt++) {
        shift *= attempt > 0 ? 4 : 1;
        if (!lithe_world_factor(&world, work, shift, &negative))
            negative = 1;
    }
    if (status == LITHE_OK && negative != 0)
        status = lithe_fail(error, LITHE_CANNOT_GO_ON, "the stiffness of the world is not finite");
    if (status == LITHE_OK)
        status = find_modes(&s, state, free_dofs, count, shift, omega, shapes, error);
    lithe_world_end(&world, work);
    return status;
}

LitheStatus lithe_world_unstable_count(const LitheModel *model, const LitheState *state,
                                       LitheWork *work, double shift, int32_t *count,
                                       LitheError *error) {
    LitheWorldStiffness world = {0};
    LitheStatus status = check_world(model, error);
    if (status == LITHE_OK)
        status =
            lithe_world_begin(model, state, work, lithe_world_shift(model), false, &world, error);
    if (status == LITHE_OK && !lithe_world_factor(&world, work, shift, count))
        status = lithe_fail(error, LITHE_CANNOT_GO_ON,
                            "the world has a singular stiffness at t = %g s: add a shift",
                            state->clock[0]);
    lithe_world_end(&world, work);
    return status;
}
