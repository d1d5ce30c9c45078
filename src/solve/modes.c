// SPDX-License-Identifier: Apache-2.0
// solve/modes.c - small vibrations and stability of one rod about a state
//
// K x = omega^2 M x by subspace iteration on (K + s M)^-1 M with Rayleigh-Ritz, s chosen so that
// K + s M is positive definite. Cost is linear in the nodes. Sylvester's law of inertia checks that
// no mode was missed: the number of negative pivots of K - x M is the number of omega^2 below x.

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "body/unit.h"
#include "math/eigen.h"

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

// assembles K + shift M of the rod at the state, held DoFs locked, and factors it; false when a
// pivot fails outright
static bool factor_shifted(const LitheModel *model, const LitheState *state, LitheWork *work,
                           int32_t unit, double shift, int32_t *negative) {
    const LitheUnitOps *ops = lithe_unit_ops(model, unit);
    LitheRodWork *rod = lithe_rod_work(work, unit);
    LitheStepPlan plan = {
        .time = state->clock[0], .h = 1, .a = 1, .inverse_a = 1, .c = shift, .still = true};
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
    const LitheRod *rod;
    int32_t size;    // vectors
    int64_t dofs;    // of one vector
    double *x;       // [size][dofs]
    double *Mx;      // [size][dofs]
    double *a;       // [size][size]
    double *values;  // [size]
    double *scratch; // eigenvalue workspace
} Subspace;

static double dot(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// y = M x on free DoFs, 0 on held ones
static void apply_mass(const LitheRod *rod, const double *x, double *y) {
    for (int64_t i = 0; i < 4 * (int64_t)rod->node_count; i++)
        y[i] = rod->held[i] ? 0 : rod->mass[i] * x[i];
}

// makes the vectors orthonormal in M; a vector that vanishes is left zero
static void orthonormalise(Subspace *s) {
    for (int32_t i = 0; i < s->size; i++) {
        double *xi = s->x + i * s->dofs, *Mi = s->Mx + i * s->dofs;
        for (int pass = 0; pass < 2; pass++) // twice is enough for orthogonality to rounding
            for (int32_t j = 0; j < i; j++) {
                double c = dot(xi, s->Mx + j * s->dofs, s->dofs);
                for (int64_t k = 0; k < s->dofs; k++)
                    xi[k] -= c * s->x[j * s->dofs + k];
            }
        apply_mass(s->rod, xi, Mi);
        double norm = sqrt(dot(xi, Mi, s->dofs));
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

// a start without symmetry: fixed numbers without pattern
static void start_vectors(Subspace *s) {
    uint64_t seed = 1;
    for (int64_t k = 0; k < s->size * s->dofs; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        bool held = s->rod->held[k % s->dofs];
        s->x[k] = held ? 0 : (double)(int32_t)(seed >> 32) * 0x1p-31;
    }
    orthonormalise(s);
}

// One round: y = (K + sM)^-1 M x, then Rayleigh-Ritz in the inverse, whose largest values are the
// requested ones (with K itself, rounding of its stiff stretching part would swamp soft bending):
// theta x = x'M y has theta = 1/(omega^2 + s). False when the small problem fails.
static bool iterate(Subspace *s, LitheRodWork *work) {
    const LitheRod *rod = s->rod;
    int32_t n = s->size;
    for (int32_t i = 0; i < n; i++) {
        memcpy(s->x + i * s->dofs, s->Mx + i * s->dofs, (size_t)s->dofs * sizeof(double));
        lithe_rod_solve(rod->node_count, rod->closed, work->factor, s->x + i * s->dofs);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            s->a[i * n + j] = s->a[j * n + i] =
                dot(s->x + i * s->dofs, s->Mx + j * s->dofs, s->dofs);
    if (!lithe_eigen_symmetric(n, s->a, s->values, s->scratch))
        return false;

    // largest theta first: omega^2 + s ascending
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

// a shift that makes K + sM safely positive definite: increased from the slowest bending frequency
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

static LitheStatus run(const LitheModel *model, int32_t unit, Subspace *s, LitheWork *work,
                       int32_t count, LitheError *error) {
    double last[LITHE_EIGEN_MAX];
    start_vectors(s);
    for (int32_t i = 0; i < s->size; i++)
        last[i] = INFINITY;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        if (!iterate(s, lithe_rod_work(work, unit)))
            break;
        if (settled(s, last, count))
            return LITHE_OK;
        memcpy(last, s->values, (size_t)s->size * sizeof(double));
    }
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the modes of rod '%s' did not converge in %d rounds",
                      rod_of(model, unit)->name, MAX_ROUNDS);
}

// no eigenvalue below the last one found may be missing
static LitheStatus check_count(const LitheModel *model, const LitheState *state, LitheWork *work,
                               int32_t unit, const Subspace *s, int32_t count, double shift,
                               LitheError *error) {
    double top = s->values[count - 1] - shift;
    if (count >= s->size || s->values[count] - s->values[count - 1] < 1e-6 * s->values[count])
        return LITHE_OK; // no gap between eigenvalues
    double between = 0.5 * (s->values[count - 1] + s->values[count]) - shift;
    int32_t below = 0;
    if (!factor_shifted(model, state, work, unit, -between, &below) || below == count)
        return LITHE_OK;
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "rod '%s': %d modes lie at or below %g rad/s but %d were found",
                      rod_of(model, unit)->name, below, sqrt(fabs(top)), count);
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
    int64_t size = count + SPARE < free_dofs ? count + SPARE : free_dofs;
    Subspace s = {.rod = rod, .size = (int32_t)size, .dofs = dofs};
    LitheContext *context = model->context;
    double *block =
        lithe_alloc_array(context, 2 * size * dofs + size * size + 3 * size, sizeof(double));
    if (!block)
        return lithe_fail_memory(error, "the modes");
    s.x = block;
    s.Mx = s.x + size * dofs;
    s.a = s.Mx + size * dofs;
    s.values = s.a + size * size;
    s.scratch = s.values + size;

    double shift = 0;
    LitheStatus status = find_shift(model, state, work, unit, &shift, error);
    if (status == LITHE_OK)
        status = run(model, unit, &s, work, count, error);
    if (status == LITHE_OK)
        status = check_count(model, state, work, unit, &s, count, shift, error);
    for (int32_t i = 0; status == LITHE_OK && i < count; i++) {
        double square = s.values[i] - shift;
        bool rigid = fabs(square) < 1e-9 * s.values[i];
        omega[i] = rigid ? 0 : copysign(sqrt(fabs(square)), square);
        if (shapes)
            memcpy(shapes + i * dofs, s.x + i * dofs, (size_t)dofs * sizeof(double));
    }
    lithe_free(context, block);
    return status;
}
