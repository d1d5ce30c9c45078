// SPDX-License-Identifier: Apache-2.0
// advance/track.c - gains by the Riccati recursion, from the last step to the first

#include "advance/track.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/unit.h"
#include "data/state.h"
#include "sparse/dense.h"

#include <math.h>
#include <string.h>

struct LitheTracker {
    LitheContext *context;
    const LitheModel *model;
    int32_t steps, states, inputs;
    double *scales; // [states]
    double target, most, final;
    LitheState **at;   // [steps]: states of the plan
    double *a, *b;     // [steps][states][states], [steps][states][inputs]
    double *gains;     // [steps][inputs][states]
    double *deviation; // [states]
    bool *free;        // [steps]
    int32_t changed;
};

static double *part(double *all, int32_t k, int64_t size) {
    return all + k * size;
}

LitheStatus lithe_tracker_create(const LitheModel *model, int32_t steps,
                                 const LitheTrackScales *scales, LitheTracker **tracker,
                                 LitheError *error) {
    LitheContext *context = model->context;
    LitheTracker *t = *tracker = lithe_alloc(context, sizeof *t);
    if (t == NULL)
        return lithe_fail_memory(error, "a controller");
    int64_t n = 2 * lithe_model_velocity_count(model), m = lithe_actuator_count(model);
    *t = (LitheTracker){.context = context,
                        .model = model,
                        .steps = steps,
                        .states = (int32_t)n,
                        .inputs = (int32_t)m,
                        .target = scales->target,
                        .most = scales->most,
                        .final = scales->final};
    t->scales = lithe_alloc_array(context, n, sizeof(double));
    t->at = lithe_alloc_array(context, steps, sizeof(LitheState *));
    t->a = lithe_alloc_array(context, steps * n * n, sizeof(double));
    t->b = lithe_alloc_array(context, steps * n * m, sizeof(double));
    t->gains = lithe_alloc_array(context, steps * n * m, sizeof(double));
    t->deviation = lithe_alloc_array(context, n, sizeof(double));
    t->free = lithe_alloc_array(context, steps, sizeof(bool));
    if (!t->scales || !t->at || !t->a || !t->b || !t->gains || !t->deviation || !t->free) {
        lithe_tracker_destroy(t);
        *tracker = NULL;
        return lithe_fail_memory(error, "a controller");
    }
    memcpy(t->scales, scales->states, (size_t)n * sizeof(double));
    return LITHE_OK;
}

void lithe_tracker_destroy(LitheTracker *t) {
    if (t == NULL)
        return;
    for (int32_t k = 0; k < t->steps && t->at != NULL; k++)
        lithe_state_destroy(t->at[k]);
    lithe_free(t->context, t->scales);
    lithe_free(t->context, (void *)t->at);
    lithe_free(t->context, t->a);
    lithe_free(t->context, t->b);
    lithe_free(t->context, t->gains);
    lithe_free(t->context, t->deviation);
    lithe_free(t->context, t->free);
    lithe_free(t->context, t);
}

LitheStatus lithe_tracker_add(LitheTracker *t, int32_t k, const LitheState *state, LitheWork *work,
                              bool free, LitheError *error) {
    int64_t n = t->states, m = t->inputs;
    int32_t changed = 0;
    lithe_state_destroy(t->at[k]);
    t->at[k] = lithe_state_copy(state);
    if (t->at[k] == NULL)
        return lithe_fail_memory(error, "a controller");
    t->free[k] = free;
    LitheStatus status = lithe_linearise(t->model, state, work, part(t->a, k, n * n),
                                         part(t->b, k, n * m), &changed, error);
    t->changed += changed;
    return status;
}

// to = a' b with a [rows][n], b [rows][m]
static void multiply_transposed(int64_t rows, const double *a, int64_t n, const double *b,
                                int64_t m, double *to) {
    memset(to, 0, (size_t)(n * m) * sizeof(double));
    for (int64_t r = 0; r < rows; r++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < m; j++)
                to[i * m + j] += a[r * n + i] * b[r * m + j];
}

// With the cost-to-go p [states][states]: K = (R + B'PB)\B'PA, then P = Q + A'P(A - BK).
static bool go_back(LitheTracker *t, int32_t k, double *p, double *scratch) {
    int64_t n = t->states, m = t->inputs;
    double *pa = scratch, *pb = pa + n * n, *next = pb + n * m, *inner = next + n * n,
           *column = inner + m * m;
    const double *a = part(t->a, k, n * n), *b = part(t->b, k, n * m);
    double *gain = part(t->gains, k, n * m);
    multiply_transposed(n, p, n, a, n, pa); // P is symmetric
    multiply_transposed(n, p, n, b, m, pb);
    multiply_transposed(n, b, m, pb, m, inner);
    for (int64_t i = 0; i < m; i++)
        inner[i * m + i] += 1 / (t->target * t->target);
    multiply_transposed(n, b, m, pa, n, gain);
    if (t->free[k])
        memset(gain, 0, (size_t)(n * m) * sizeof(double));
    else if (lithe_dense_factor_positive((int32_t)m, inner) >= 0)
        return false;
    for (int64_t j = 0; j < n && !t->free[k]; j++) {
        for (int64_t i = 0; i < m; i++)
            column[i] = gain[i * n + j];
        lithe_dense_solve((int32_t)m, inner, column);
        for (int64_t i = 0; i < m; i++)
            gain[i * n + j] = column[i];
    }
    multiply_transposed(n, a, n, pa, n, next);
    for (int64_t i = 0; i < n; i++) // minus A'P B K, A'PB = (B'PA)'
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t c = 0; c < m; c++) {
                double apb = 0;
                for (int64_t r = 0; r < n && gain[c * n + j] != 0; r++)
                    apb += a[r * n + i] * pb[r * m + c];
                sum += apb * gain[c * n + j];
            }
            next[i * n + j] -= sum;
        }
    for (int64_t i = 0; i < n; i++) // rounding must not make it asymmetric
        for (int64_t j = 0; j < n; j++)
            p[i * n + j] = 0.5 * (next[i * n + j] + next[j * n + i]);
    for (int64_t i = 0; i < n; i++)
        p[i * n + i] += 1 / (t->scales[i] * t->scales[i]);
    return true;
}

LitheStatus lithe_tracker_solve(LitheTracker *t, LitheError *error) {
    int64_t n = t->states, m = t->inputs;
    double *p = lithe_alloc_array(t->context, 3 * n * n + n * m + m * m + m, sizeof(double));
    if (p == NULL)
        return lithe_fail_memory(error, "a controller");
    LitheStatus status = LITHE_OK;
    for (int64_t i = 0; i < n; i++)
        p[i * n + i] = t->final / (t->scales[i] * t->scales[i]);
    for (int32_t k = t->steps - 1; k >= 0 && status == LITHE_OK; k--)
        if (!go_back(t, k, p, p + n * n))
            status = lithe_fail(error, LITHE_CANNOT_GO_ON,
                                "the gains of a controller do not exist at step %d", k + 1);
    lithe_free(t->context, p);
    return status;
}

double lithe_tracker_correct(const LitheTracker *t, int32_t k, const LitheState *state,
                             double *targets) {
    int64_t n = t->states, half = n / 2;
    const double *gain = t->gains + k * n * t->inputs;
    const LitheState *plan = t->at[k];
    double most = 0;
    for (int32_t i = 0; i < t->model->unit_count; i++)
        lithe_unit_ops(t->model, i)
            ->difference(t->model, i, plan, state, t->deviation + t->model->units[i].v_at);
    for (int64_t i = 0; i < half; i++)
        t->deviation[half + i] = state->v[i] - plan->v[i];
    for (int32_t c = 0; c < t->inputs; c++) {
        double by = 0;
        for (int64_t i = 0; i < n; i++)
            by -= gain[c * n + i] * t->deviation[i];
        most = fmax(most, fabs(by));
        targets[c] += fmax(-t->most, fmin(t->most, by));
    }
    return most;
}

int32_t lithe_tracker_changed(const LitheTracker *t) {
    return t->changed;
}
