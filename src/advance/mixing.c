// SPDX-License-Identifier: Apache-2.0
// advance/mixing.c - Anderson mixing of the proximal steps of a search for an equilibrium
//
// The matrix of a proximal step lacks the geometric stiffness of contacts and constraints. Near the
// equilibrium its displacements f_k therefore converge only linearly, or oscillate. With d the
// displacements that were applied, and differences of the last steps,
//     (Q10)  d_k = f_k - sum_j g_j (d_j + f_{j+1} - f_j),   g minimises |f_k - sum_j g_j (f_{j+1} -
//     f_j)|_M
// which is GMRES on the true stiffness where the problem is linear. Numbers:
// docs/theory/statics.md.

#include "advance/mixing.h"

#include "base/memory.h"
#include "body/constraint.h"
#include "math/eigen.h"
#include "math/vecn.h"

#include <math.h>
#include <string.h>

// eigenvalues of the Gram matrix below this fraction of the largest are noise
#define NOISE 1e-9
// a mixed displacement is at most this multiple of the plain one: differences that are noise would
// be extrapolated without bound
#define MAX_EXTENSION 100

void lithe_mixing_restart(LitheMixing *mixing) {
    mixing->count = 0;
    mixing->begun = mixing->turned = false;
}

void lithe_mixing_end(LitheContext *context, LitheMixing *mixing) {
    lithe_free(context, mixing->block);
    *mixing = (LitheMixing){0};
}

// w of the coupled units, 0 of the others
static void gather(const LitheModel *model, const LitheWork *work, double *f) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitWork *unit = &work->units[i];
        double *own = f + model->units[i].v_at;
        for (int64_t k = 0; k < unit->dof_count; k++)
            own[k] = unit->coupled && !unit->held[k] ? unit->w[k] : 0;
    }
}

static void multiply(const LitheModel *model, const LitheWork *work, const double *x, double *y) {
    for (int32_t i = 0; i < model->unit_count; i++)
        if (work->units[i].dof_count > 0)
            lithe_unit_ops(model, i)->mass(model, i, work, x + model->units[i].v_at,
                                           y + model->units[i].v_at);
}

// numbers that are mixed: velocities of all units, forces and torques of all constraints
static int64_t width_of(const LitheModel *model) {
    return model->v_count + 6 * (int64_t)model->constraint_count;
}

bool lithe_mixing_turn(const LitheModel *model, LitheMixing *mixing, LitheWork *work,
                       double *cosine) {
    int64_t n = width_of(model);
    enum { D = LITHE_MIXING_DEPTH };
    if (!LITHE_RESERVE(work->context, mixing->block, mixing->capacity, (2 * D + 5) * n))
        return false;
    double *before = mixing->block + (2 * D + 3) * n, *now = mixing->block + 2 * D * n;
    double *M = before + n, *norm = &mixing->norm;
    gather(model, work, now);
    multiply(model, work, now, M);
    double size = sqrt(fmax(vn_dot(model->v_count, M, now), 0)), last = *norm;
    *cosine = mixing->turned && size > 0 && last > 0
                  ? vn_dot(model->v_count, M, before) / (size * last)
                  : 1;
    memcpy(before, now, (size_t)n * sizeof *now);
    *norm = size;
    mixing->turned = true;
    return true;
}

// coefficients of (Q10) by the pseudo-inverse of the Gram matrix, scaled to a unit diagonal
static bool fit(int32_t m, double *gram, const double *right, double *out) {
    double scale[LITHE_MIXING_DEPTH], values[LITHE_MIXING_DEPTH], scratch[LITHE_MIXING_DEPTH];
    for (int32_t i = 0; i < m; i++) {
        double d = gram[(m + 1) * i];
        scale[i] = d > 0 ? 1 / sqrt(d) : 0;
        out[i] = 0;
    }
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < m; j++)
            gram[m * i + j] *= scale[i] * scale[j];
    if (!lithe_eigen_symmetric(m, gram, values, scratch))
        return false;
    for (int32_t e = 0; e < m; e++) {
        if (!(values[e] > NOISE * values[m - 1]))
            continue;
        double sum = 0;
        for (int32_t i = 0; i < m; i++)
            sum += gram[m * e + i] * scale[i] * right[i];
        for (int32_t i = 0; i < m; i++)
            out[i] += gram[m * e + i] * scale[i] * sum / values[e];
    }
    return true;
}

// displacements and changes of the forces of constraints since `before`
static void gather_all(const LitheModel *model, const LitheWork *work, const LitheState *state,
                       double *f) {
    gather(model, work, f);
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const double *now = lithe_tie_of(state, i)->wrench;
        const double *then = lithe_tie_of(work->before, i)->wrench;
        for (int k = 0; k < 6; k++)
            f[model->v_count + 6 * i + k] = now[k] - then[k];
    }
}

// y = M x; forces of constraints are weighted as the displacements that they cause against the
// proximal term
static void multiply_all(const LitheModel *model, const LitheWork *work, const double *x,
                         double *y) {
    double heavy = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        if (work->units[i].coupled)
            heavy = fmax(heavy,
                         work->units[i].search.s * work->units[i].search.s * model->units[i].mass);
    double weight = heavy > 0 ? 1 / heavy : 0;
    multiply(model, work, x, y);
    for (int64_t k = model->v_count; k < width_of(model); k++)
        y[k] = weight * x[k];
}

// the newest difference takes the place of the oldest
static void remember(LitheMixing *mixing, int64_t n, const double *f, const double *last,
                     const double *made, double *df, double *dd) {
    int32_t kept = mixing->count < LITHE_MIXING_DEPTH ? mixing->count : LITHE_MIXING_DEPTH - 1;
    memmove(df + n, df, (size_t)(kept * n) * sizeof *df);
    memmove(dd + n, dd, (size_t)(kept * n) * sizeof *dd);
    for (int64_t k = 0; k < n; k++) {
        df[k] = f[k] - last[k];
        dd[k] = made[k] + df[k];
    }
    mixing->count = kept + 1;
}

// moves units and forces by `made`, or by the fraction of it that is not too long
static void use(const LitheModel *model, double max, LitheWork *work, double *made,
                LitheState *state) {
    double longest = 0, plain = 0;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (!work->units[i].coupled)
            continue;
        longest = fmax(longest, ops->moved(model, i, work, made + model->units[i].v_at));
        plain = fmax(plain, ops->moved(model, i, work, work->units[i].w));
    }
    max = fmin(max, MAX_EXTENSION * plain);
    double part = longest > max ? max / longest : 1;
    for (int64_t k = 0; k < width_of(model); k++)
        made[k] *= part;
    for (int32_t i = 0; i < model->unit_count; i++) {
        LitheUnitWork *unit = &work->units[i];
        for (int64_t k = 0; unit->coupled && k < unit->dof_count; k++)
            if (!unit->held[k])
                unit->w[k] = made[model->units[i].v_at + k];
    }
    for (int32_t i = 0; i < model->constraint_count; i++) {
        double *now = lithe_tie_of(state, i)->wrench;
        const double *then = lithe_tie_of(work->before, i)->wrench;
        for (int k = 0; k < 6; k++)
            now[k] = then[k] + made[model->v_count + 6 * i + k];
    }
}

bool lithe_mixing_apply(const LitheModel *model, LitheMixing *mixing, double max, LitheWork *work,
                        LitheState *state) {
    int64_t n = width_of(model);
    enum { D = LITHE_MIXING_DEPTH };
    if (!LITHE_RESERVE(work->context, mixing->block, mixing->capacity, (2 * D + 5) * n))
        return false;
    double *df = mixing->block, *dd = df + D * n, *f = dd + D * n, *last = f + n, *made = last + n;
    gather_all(model, work, state, f);
    if (mixing->begun)
        remember(mixing, n, f, last, made, df, dd);
    memcpy(last, f, (size_t)n * sizeof *f);
    memcpy(made, f, (size_t)n * sizeof *f);
    mixing->begun = true;
    int32_t m = mixing->count;
    double gram[D * D], right[D], g[D], *Mf = f; // f is kept in `last`
    for (int32_t i = 0; i < m; i++) {
        multiply_all(model, work, df + i * n, Mf);
        right[i] = vn_dot(n, Mf, last);
        for (int32_t j = 0; j < m; j++)
            gram[m * i + j] = vn_dot(n, Mf, df + j * n);
    }
    if (m > 0 && !fit(m, gram, right, g)) {
        lithe_mixing_restart(mixing);
        return true;
    }
    for (int32_t i = 0; i < m; i++)
        for (int64_t k = 0; k < n; k++)
            made[k] -= g[i] * dd[i * n + k];
    use(model, max, work, made, state);
    return true;
}
