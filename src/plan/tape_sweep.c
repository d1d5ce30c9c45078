// SPDX-License-Identifier: Apache-2.0
// plan/tape_sweep.c - values of a tape, and its derivatives by sweeps with LITHE_TAPE_LANES lanes
//
// Between sweeps all tangents and all adjoints of lanes that a sweep may read are zero; each sweep
// leaves them so.

#include "plan/tape_parts.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

#define LANES LITHE_TAPE_LANES
#define EACH_LANE(k) for (int k = 0; k < LANES; k++)

LitheTapeWork *lithe_tape_work_new(LitheContext *context, const LitheTape *tape) {
    LITHE_ASSERT(tape->ended);
    LitheTapeWork *work = lithe_alloc(context, sizeof *work);
    if (work == NULL)
        return NULL;
    work->context = context;
    int64_t n = tape->count;
    work->value = lithe_alloc_array(context, n, sizeof(double));
    work->first = lithe_alloc_array(context, n, sizeof(double));
    work->second = lithe_alloc_array(context, n, sizeof(double));
    work->adjoint = lithe_alloc_array(context, n, sizeof(double));
    work->tangent = lithe_alloc_array(context, n * LANES, sizeof(double));
    work->lanes = lithe_alloc_array(context, n * LANES, sizeof(double));
    if (work->value == NULL || work->first == NULL || work->second == NULL ||
        work->adjoint == NULL || work->tangent == NULL || work->lanes == NULL) {
        lithe_tape_work_free(work);
        return NULL;
    }
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
    lithe_free(work->context, work->lanes);
    lithe_free(work->context, work);
}

// terms of the series: enough for s = 40
enum { SERIES = 27 };

// sum of (-s)^k/(2k + m)! and its first two derivatives, by Horner's rule
static void entire(int m, double s, double *f) {
    double coefficient[SERIES];
    double c = 1;
    for (int i = 2; i <= m; i++)
        c /= i;
    for (int k = 0; k < SERIES; k++) {
        coefficient[k] = c;
        c /= -(double)(2 * k + m + 1) * (2 * k + m + 2);
    }
    double f0 = 0, f1 = 0, f2 = 0;
    for (int k = SERIES - 1; k >= 0; k--) {
        f2 = f2 * s + f1;
        f1 = f1 * s + f0;
        f0 = f0 * s + coefficient[k];
    }
    f[0] = f0;
    f[1] = f1;
    f[2] = 2 * f2;
}

static void apply(LitheTapeFunction function, double x, double *f) {
    switch (function) {
    case LITHE_TAPE_RECIPROCAL:
        f[0] = 1 / x;
        f[1] = -f[0] * f[0];
        f[2] = -2 * f[0] * f[1];
        return;
    case LITHE_TAPE_ROOT:
        f[0] = sqrt(x);
        f[1] = 0.5 / f[0];
        f[2] = -0.5 * f[1] / x;
        return;
    case LITHE_TAPE_SINE:
        f[0] = sin(x);
        f[1] = cos(x);
        f[2] = -f[0];
        return;
    case LITHE_TAPE_COSINE:
        f[0] = cos(x);
        f[1] = -sin(x);
        f[2] = -f[0];
        return;
    case LITHE_TAPE_ENTIRE_1:
    case LITHE_TAPE_ENTIRE_2:
    case LITHE_TAPE_ENTIRE_3:
    case LITHE_TAPE_ENTIRE_4:
        entire(1 + (int)(function - LITHE_TAPE_ENTIRE_1), x, f);
        return;
    case LITHE_TAPE_FUNCTIONS:
        break;
    }
    f[0] = f[1] = f[2] = NAN;
}

void lithe_tape_values(const LitheTape *tape, LitheTapeWork *work, const double *x, const double *p,
                       double *y) {
    double *v = work->value;
    for (int32_t t = 0; t < tape->count; t++) {
        LitheTapeTerm term = tape->terms[t];
        switch (term.op) {
        case LITHE_TAPE_OP_INPUT:
            v[t] = x[term.a];
            break;
        case LITHE_TAPE_OP_PARAMETER:
            v[t] = p[term.a];
            break;
        case LITHE_TAPE_OP_CONSTANT:
            v[t] = tape->constants[term.a];
            break;
        case LITHE_TAPE_OP_ADD:
            v[t] = v[term.a] + v[term.b];
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            v[t] = v[term.a] - v[term.b];
            break;
        case LITHE_TAPE_OP_MULTIPLY:
            v[t] = v[term.a] * v[term.b];
            break;
        default: {
            double f[3];
            apply((LitheTapeFunction)(term.op - LITHE_TAPE_OP_FUNCTION), v[term.a], f);
            v[t] = f[0];
            work->first[t] = f[1];
            work->second[t] = f[2];
            break;
        }
        }
    }
    for (int32_t i = 0; i < tape->output_count; i++)
        y[i] = v[tape->outputs[i]];
}

// Passes the adjoints of the lanes on to the inputs, against the order of the record. `second`:
// they are tangents of the adjoints, which change with the tangents of factors and arguments.
static void back_sweep(const LitheTape *tape, LitheTapeWork *work, const LitheTapeSweep *sweep,
                       bool second) {
    const double *v = work->value, *dot = work->tangent;
    double *bar = work->lanes;
    for (int32_t l = sweep->back_start; l < sweep->back_end; l++) {
        int32_t t = tape->list[l];
        LitheTapeTerm term = tape->terms[t];
        double z[LANES], *a = bar + (int64_t)term.a * LANES, *b;
        memcpy(z, bar + (int64_t)t * LANES, sizeof z);
        memset(bar + (int64_t)t * LANES, 0, sizeof z);
        switch (term.op) {
        case LITHE_TAPE_OP_ADD:
            b = bar + (int64_t)term.b * LANES;
            EACH_LANE(k) a[k] += z[k];
            EACH_LANE(k) b[k] += z[k];
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            b = bar + (int64_t)term.b * LANES;
            EACH_LANE(k) a[k] += z[k];
            EACH_LANE(k) b[k] -= z[k];
            break;
        case LITHE_TAPE_OP_MULTIPLY: {
            b = bar + (int64_t)term.b * LANES;
            const double *da = dot + (int64_t)term.a * LANES, *db = dot + (int64_t)term.b * LANES;
            double va = v[term.a], vb = v[term.b], g = work->adjoint[t];
            if (second) {
                EACH_LANE(k) a[k] += z[k] * vb + g * db[k];
                EACH_LANE(k) b[k] += z[k] * va + g * da[k];
            } else {
                EACH_LANE(k) a[k] += z[k] * vb;
                EACH_LANE(k) b[k] += z[k] * va;
            }
            break;
        }
        default: {
            const double *da = dot + (int64_t)term.a * LANES;
            double d = work->first[t], g = work->adjoint[t] * work->second[t];
            if (second)
                EACH_LANE(k) a[k] += z[k] * d + g * da[k];
            else
                EACH_LANE(k) a[k] += z[k] * d;
            break;
        }
        }
    }
}

void lithe_tape_jacobian(const LitheTape *tape, LitheTapeWork *work, double *entries) {
    double *bar = work->lanes;
    for (int32_t s = 0; s < tape->row_sweeps; s++) {
        const LitheTapeSweep *sweep = &tape->rows[s];
        for (int32_t i = 0; i < sweep->lanes; i++)
            bar[(int64_t)tape->outputs[sweep->first + i] * LANES + i] += 1;
        back_sweep(tape, work, sweep, false);
        for (int32_t i = 0; i < sweep->lanes; i++) {
            int32_t row = sweep->first + i;
            for (int32_t e = tape->jacobian_start[row]; e < tape->jacobian_start[row + 1]; e++) {
                int32_t t = tape->input_term[tape->jacobian_column[e]];
                entries[e] = bar[(int64_t)t * LANES + i];
            }
        }
        // outputs without inputs keep their seeds: they are read by nobody, but must not add up
        for (int32_t i = 0; i < sweep->lanes; i++)
            memset(bar + (int64_t)tape->outputs[sweep->first + i] * LANES, 0, LANES * sizeof *bar);
        for (int32_t i = 0; i < tape->inputs; i++)
            if (tape->input_term[i] >= 0)
                memset(bar + (int64_t)tape->input_term[i] * LANES, 0, LANES * sizeof *bar);
    }
}

// the gradient of sum weights[i] y[i] by every term
static void adjoints(const LitheTape *tape, LitheTapeWork *work, const double *weights) {
    const double *v = work->value;
    double *bar = work->adjoint;
    memset(bar, 0, (size_t)tape->count * sizeof *bar);
    for (int32_t i = 0; i < tape->output_count; i++)
        bar[tape->outputs[i]] += weights[i];
    for (int32_t t = tape->count - 1; t >= 0; t--) {
        LitheTapeTerm term = tape->terms[t];
        double z = bar[t];
        switch (term.op) {
        case LITHE_TAPE_OP_INPUT:
        case LITHE_TAPE_OP_PARAMETER:
        case LITHE_TAPE_OP_CONSTANT:
            break;
        case LITHE_TAPE_OP_ADD:
            bar[term.a] += z;
            bar[term.b] += z;
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            bar[term.a] += z;
            bar[term.b] -= z;
            break;
        case LITHE_TAPE_OP_MULTIPLY:
            bar[term.a] += z * v[term.b];
            bar[term.b] += z * v[term.a];
            break;
        default:
            bar[term.a] += z * work->first[t];
            break;
        }
    }
}

static void tangents(const LitheTape *tape, LitheTapeWork *work, const LitheTapeSweep *sweep) {
    const double *v = work->value;
    double *dot = work->tangent;
    for (int32_t l = sweep->forward_start; l < sweep->forward_end; l++) {
        int32_t t = tape->list[l];
        LitheTapeTerm term = tape->terms[t];
        double *z = dot + (int64_t)t * LANES;
        const double *a = dot + (int64_t)term.a * LANES, *b = dot + (int64_t)term.b * LANES;
        switch (term.op) {
        case LITHE_TAPE_OP_ADD:
            EACH_LANE(k) z[k] = a[k] + b[k];
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            EACH_LANE(k) z[k] = a[k] - b[k];
            break;
        case LITHE_TAPE_OP_MULTIPLY: {
            double va = v[term.a], vb = v[term.b];
            EACH_LANE(k) z[k] = va * b[k] + vb * a[k];
            break;
        }
        default: {
            double d = work->first[t];
            EACH_LANE(k) z[k] = d * a[k];
            break;
        }
        }
    }
}

void lithe_tape_hessian(const LitheTape *tape, LitheTapeWork *work, const double *weights,
                        double *entries) {
    adjoints(tape, work, weights);
    double *dot = work->tangent, *bar = work->lanes;
    for (int32_t s = 0; s < tape->column_sweeps; s++) {
        const LitheTapeSweep *sweep = &tape->columns[s];
        int32_t end = sweep->first + sweep->lanes;
        for (int32_t i = 0; i < tape->inputs; i++) {
            int32_t lane = tape->colour_of[i] - sweep->first;
            if (tape->colour_of[i] >= sweep->first && lane < sweep->lanes)
                dot[(int64_t)tape->input_term[i] * LANES + lane] = 1;
        }
        tangents(tape, work, sweep);
        back_sweep(tape, work, sweep, true);
        for (int32_t e = 0; e < tape->hessian_start[tape->inputs]; e++)
            if (tape->hessian_colour[e] >= sweep->first && tape->hessian_colour[e] < end)
                entries[e] = bar[(int64_t)tape->input_term[tape->hessian_row[e]] * LANES +
                                 tape->hessian_colour[e] - sweep->first];
        for (int32_t l = sweep->forward_start; l < sweep->forward_end; l++)
            memset(dot + (int64_t)tape->list[l] * LANES, 0, LANES * sizeof *dot);
        for (int32_t i = 0; i < tape->inputs; i++)
            if (tape->input_term[i] >= 0) {
                memset(dot + (int64_t)tape->input_term[i] * LANES, 0, LANES * sizeof *dot);
                memset(bar + (int64_t)tape->input_term[i] * LANES, 0, LANES * sizeof *bar);
            }
    }
}
