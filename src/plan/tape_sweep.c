// SPDX-License-Identifier: Apache-2.0
// plan/tape_sweep.c - values of a tape and its derivatives, at several points at once
//
// Between sweeps all tangents and all adjoints that a sweep may read are zero; each sweep leaves
// them so. Lanes without a point repeat the first one.

#include "plan/tape_parts.h"

#include "base/assert.h"
#include "base/memory.h"

#include <string.h>

#define LANES LITHE_TAPE_POINTS
#define EACH(k) for (int k = 0; k < LANES; k++)

static double *of(double *array, LitheTerm term) {
    return array + (int64_t)term * LANES;
}

static const LitheTapeKernels *kernels(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
        return &lithe_tape_kernels_avx512;
    if (__builtin_cpu_supports("avx2"))
        return &lithe_tape_kernels_avx2;
#endif
    return &lithe_tape_kernels_portable;
}

LitheTapeWork *lithe_tape_work_new(LitheContext *context, const LitheTape *tape) {
    LITHE_ASSERT(tape->ended);
    LitheTapeWork *work = lithe_alloc(context, sizeof *work);
    if (work == NULL)
        return NULL;
    work->context = context;
    work->kernels = kernels();
    double **const arrays[] = {&work->value,   &work->first,   &work->second,
                               &work->adjoint, &work->tangent, &work->bar};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = lithe_alloc_array(context, (int64_t)tape->count * LANES, sizeof(double));
        if (*arrays[i] == NULL) {
            lithe_tape_work_free(work);
            return NULL;
        }
    }
    for (int32_t t = 0; t < tape->leaves; t++)
        if (tape->terms[t].op == LITHE_TAPE_OP_CONSTANT)
            EACH(k) of(work->value, t)[k] = tape->constants[tape->terms[t].a];
    return work;
}

void lithe_tape_work_free(LitheTapeWork *work) {
    if (work == NULL)
        return;
    lithe_free(work->context, work->value);
    lithe_free(work->context, work->first);
    lithe_free(work->context, work->second);
    lithe_free(work->context, work->adjoint);
    lithe_free(work->context, work->tangent);
    lithe_free(work->context, work->bar);
    lithe_free(work->context, work);
}

void lithe_tape_values_at(const LitheTape *tape, LitheTapeWork *work, int32_t points,
                          const double *const *x, const double *const *p, double *const *y) {
    LITHE_ASSERT(points >= 1 && points <= LANES);
    work->points = points;
    for (LitheTerm t = 0; t < tape->leaves; t++) {
        LitheTapeTerm term = tape->terms[t];
        double *v = of(work->value, t);
        if (term.op == LITHE_TAPE_OP_INPUT)
            EACH(k) v[k] = x[k < points ? k : 0][term.a];
        else if (term.op == LITHE_TAPE_OP_PARAMETER)
            EACH(k) v[k] = p[k < points ? k : 0][term.a];
    }
    work->kernels->values(tape, work);
    for (int32_t i = 0; i < tape->output_count; i++)
        for (int32_t k = 0; k < points; k++)
            y[k][i] = of(work->value, tape->outputs[i])[k];
}

void lithe_tape_jacobian_at(const LitheTape *tape, LitheTapeWork *work, double *const *entries) {
    for (int32_t row = 0; row < tape->output_count; row++) {
        LitheTerm output = tape->outputs[row];
        if (!tape->active[output])
            continue;
        EACH(k) of(work->bar, output)[k] = 1;
        work->kernels->row(tape, work, &tape->rows[row]);
        for (int32_t e = tape->jacobian_start[row]; e < tape->jacobian_start[row + 1]; e++) {
            double *bar = of(work->bar, tape->input_term[tape->jacobian_column[e]]);
            for (int32_t k = 0; k < work->points; k++)
                entries[k][e] = bar[k];
            memset(bar, 0, LANES * sizeof *bar);
        }
    }
}

// the adjoints of sum weights[i] y[i], and what products of linear forms give
static void begin_hessian(const LitheTape *tape, LitheTapeWork *work, const double *const *weights,
                          double *const *entries) {
    memset(work->adjoint, 0, (size_t)tape->count * LANES * sizeof *work->adjoint);
    for (int32_t i = 0; i < tape->output_count; i++)
        EACH(k) of(work->adjoint, tape->outputs[i])[k] += weights[k < work->points ? k : 0][i];
    work->kernels->adjoints(tape, work);
    int32_t count = tape->hessian_start[tape->inputs];
    for (int32_t k = 0; k < work->points; k++) {
        memset(entries[k], 0, (size_t)count * sizeof *entries[k]);
        for (int32_t i = 0; i < tape->share_count; i++) {
            LitheTapeShare share = tape->shares[i];
            entries[k][share.entry] += share.factor * of(work->adjoint, share.term)[k];
        }
    }
    // the sweeps must not give it again
    for (int32_t i = 0; i < tape->share_count; i++)
        memset(of(work->adjoint, tape->shares[i].term), 0, LANES * sizeof(double));
}

static void seed(const LitheTape *tape, LitheTapeWork *work, int32_t colour, double value) {
    for (int32_t i = 0; i < tape->inputs; i++)
        if (tape->colour_of[i] == colour)
            EACH(k) of(work->tangent, tape->input_term[i])[k] = value;
}

void lithe_tape_hessian_at(const LitheTape *tape, LitheTapeWork *work, const double *const *weights,
                           double *const *entries) {
    begin_hessian(tape, work, weights, entries);
    for (int32_t colour = 0; colour < tape->colours; colour++) {
        const LitheTapeSweep *sweep = &tape->columns[colour];
        seed(tape, work, colour, 1);
        work->kernels->column(tape, work, sweep);
        seed(tape, work, colour, 0);
        for (int32_t r = sweep->read_start; r < sweep->read_end; r++) {
            const double *z = of(work->bar, tape->input_term[tape->reads[r].input]);
            for (int32_t k = 0; k < work->points; k++)
                entries[k][tape->reads[r].entry] += z[k];
        }
        for (int32_t l = sweep->forward_start; l < sweep->forward_end; l++)
            memset(of(work->tangent, tape->list[l]), 0, LANES * sizeof(double));
        for (int32_t l = sweep->touched_start; l < sweep->touched_end; l++)
            memset(of(work->bar, tape->list[l]), 0, LANES * sizeof(double));
    }
}

// --- one point ---------------------------------------------------------------------------------

void lithe_tape_values(const LitheTape *tape, LitheTapeWork *work, const double *x, const double *p,
                       double *y) {
    lithe_tape_values_at(tape, work, 1, &x, &p, &y);
}

void lithe_tape_jacobian(const LitheTape *tape, LitheTapeWork *work, double *entries) {
    lithe_tape_jacobian_at(tape, work, &entries);
}

void lithe_tape_hessian(const LitheTape *tape, LitheTapeWork *work, const double *weights,
                        double *entries) {
    lithe_tape_hessian_at(tape, work, &weights, &entries);
}
