// SPDX-License-Identifier: Apache-2.0
// plan/tape_kernel.h - the sweeps over a tape, on vectors of TAPE_WIDTH points
//
// Includers define TAPE_WIDTH, TAPE_TARGET and TAPE_TABLE. All widths give the same bits.

#include "plan/tape_parts.h"

#include <math.h>
#include <string.h>

#define TAPE_FN TAPE_TARGET static inline
#define EACH(k) for (int k = 0; k < LITHE_TAPE_POINTS; k += TAPE_WIDTH)

typedef double Lanes __attribute__((vector_size(8 * TAPE_WIDTH)));
typedef double AnyLanes __attribute__((vector_size(8 * TAPE_WIDTH), aligned(8), may_alias));

TAPE_FN Lanes load(const double *from) {
    return *(const AnyLanes *)from;
}

TAPE_FN void store(double *to, Lanes value) {
    *(AnyLanes *)to = value;
}

TAPE_FN void gain(double *to, Lanes value) {
    *(AnyLanes *)to += value;
}

TAPE_FN double *of(double *array, LitheTerm term) {
    return array + (int64_t)term * LITHE_TAPE_POINTS;
}

// terms of the series: enough for s = 40
enum { SERIES = 27 };

// sum of (-s)^k/(2k + m)! and its first two derivatives, by Horner's rule
TAPE_FN void entire(int m, const double *s, double *f, double *first, double *second) {
    double coefficient[SERIES];
    double c = 1;
    for (int i = 2; i <= m; i++)
        c /= i;
    for (int k = 0; k < SERIES; k++) {
        coefficient[k] = c;
        c /= -(double)(2 * k + m + 1) * (2 * k + m + 2);
    }
    EACH(k) {
        Lanes x = load(s + k), f0 = {0}, f1 = {0}, f2 = {0};
        for (int i = SERIES - 1; i >= 0; i--) {
            f2 = f2 * x + f1;
            f1 = f1 * x + f0;
            f0 = f0 * x + coefficient[i];
        }
        store(f + k, f0);
        store(first + k, f1);
        store(second + k, 2 * f2);
    }
}

TAPE_TARGET static void apply(LitheTapeFunction function, const double *x, double *f, double *first,
                              double *second) {
    switch (function) {
    case LITHE_TAPE_RECIPROCAL:
        for (int k = 0; k < LITHE_TAPE_POINTS; k++) {
            f[k] = 1 / x[k];
            first[k] = -f[k] * f[k];
            second[k] = -2 * f[k] * first[k];
        }
        return;
    case LITHE_TAPE_ROOT:
        for (int k = 0; k < LITHE_TAPE_POINTS; k++) {
            f[k] = sqrt(x[k]);
            first[k] = 0.5 / f[k];
            second[k] = -0.5 * first[k] / x[k];
        }
        return;
    case LITHE_TAPE_SINE:
    case LITHE_TAPE_COSINE:
        for (int k = 0; k < LITHE_TAPE_POINTS; k++) {
            double s = sin(x[k]), c = cos(x[k]);
            bool sine = function == LITHE_TAPE_SINE;
            f[k] = sine ? s : c;
            first[k] = sine ? c : -s;
            second[k] = -f[k];
        }
        return;
    case LITHE_TAPE_ENTIRE_1:
    case LITHE_TAPE_ENTIRE_2:
    case LITHE_TAPE_ENTIRE_3:
    case LITHE_TAPE_ENTIRE_4:
        entire(1 + (int)(function - LITHE_TAPE_ENTIRE_1), x, f, first, second);
        return;
    case LITHE_TAPE_FUNCTIONS:
        break;
    }
    for (int k = 0; k < LITHE_TAPE_POINTS; k++)
        f[k] = first[k] = second[k] = NAN;
}

TAPE_TARGET static void values(const LitheTape *tape, LitheTapeWork *work) {
    for (LitheTerm t = tape->leaves; t < tape->count; t++) {
        LitheTapeTerm term = tape->terms[t];
        double *v = of(work->value, t);
        const double *a = of(work->value, term.a), *b = of(work->value, term.b),
                     *c = of(work->value, term.c);
        switch (term.op) {
        case LITHE_TAPE_OP_ADD:
            EACH(k) store(v + k, load(a + k) + load(b + k));
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            EACH(k) store(v + k, load(a + k) - load(b + k));
            break;
        case LITHE_TAPE_OP_MULTIPLY:
        case LITHE_TAPE_OP_SCALE:
            EACH(k) store(v + k, load(a + k) * load(b + k));
            break;
        case LITHE_TAPE_OP_MULTIPLY_ADD:
        case LITHE_TAPE_OP_SCALE_ADD:
            EACH(k) store(v + k, load(c + k) + load(a + k) * load(b + k));
            break;
        case LITHE_TAPE_OP_MULTIPLY_SUBTRACT:
        case LITHE_TAPE_OP_SCALE_SUBTRACT:
            EACH(k) store(v + k, load(c + k) - load(a + k) * load(b + k));
            break;
        default:
            apply((LitheTapeFunction)(term.op - LITHE_TAPE_OP_FUNCTION), a, v, of(work->first, t),
                  of(work->second, t));
            break;
        }
    }
}

// Passes the adjoint of a term on to its operands and, where it is to be used once only, clears it.
TAPE_FN void pass_back(const LitheTape *tape, const LitheTapeWork *work, double *bar, LitheTerm t,
                       bool clear) {
    LitheTapeTerm term = tape->terms[t];
    double *own = of(bar, t), *a = of(bar, term.a), *b = of(bar, term.b), *c = of(bar, term.c);
    const double *va = of(work->value, term.a), *vb = of(work->value, term.b);
    EACH(k) {
        Lanes z = load(own + k);
        if (clear)
            store(own + k, (Lanes){0});
        switch (term.op) {
        case LITHE_TAPE_OP_ADD:
            gain(a + k, z);
            gain(b + k, z);
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            gain(a + k, z);
            gain(b + k, -z);
            break;
        case LITHE_TAPE_OP_MULTIPLY_ADD:
            gain(c + k, z);
            // falls through
        case LITHE_TAPE_OP_MULTIPLY:
            gain(a + k, z * load(vb + k));
            gain(b + k, z * load(va + k));
            break;
        case LITHE_TAPE_OP_MULTIPLY_SUBTRACT:
            gain(c + k, z);
            gain(a + k, -z * load(vb + k));
            gain(b + k, -z * load(va + k));
            break;
        case LITHE_TAPE_OP_SCALE_ADD:
            gain(c + k, z);
            // falls through
        case LITHE_TAPE_OP_SCALE:
            gain(a + k, z * load(vb + k));
            break;
        case LITHE_TAPE_OP_SCALE_SUBTRACT:
            gain(c + k, z);
            gain(a + k, -z * load(vb + k));
            break;
        default:
            gain(a + k, z * load(of(work->first, t) + k));
            break;
        }
    }
}

TAPE_TARGET static void row(const LitheTape *tape, LitheTapeWork *work,
                            const LitheTapeSweep *sweep) {
    for (int32_t l = sweep->back_start; l < sweep->back_end; l++)
        pass_back(tape, work, work->bar, tape->list[l], true);
}

TAPE_TARGET static void adjoints(const LitheTape *tape, LitheTapeWork *work) {
    for (LitheTerm t = tape->count - 1; t >= tape->leaves; t--)
        if (tape->active[t])
            pass_back(tape, work, work->adjoint, t, false);
}

TAPE_TARGET static void tangents(const LitheTape *tape, LitheTapeWork *work,
                                 const LitheTapeSweep *sweep) {
    for (int32_t l = sweep->forward_start; l < sweep->forward_end; l++) {
        LitheTerm t = tape->list[l];
        LitheTapeTerm term = tape->terms[t];
        double *z = of(work->tangent, t);
        const double *a = of(work->tangent, term.a), *b = of(work->tangent, term.b),
                     *c = of(work->tangent, term.c);
        const double *va = of(work->value, term.a), *vb = of(work->value, term.b);
#define PRODUCT (load(va + k) * load(b + k) + load(vb + k) * load(a + k))
        switch (term.op) {
        case LITHE_TAPE_OP_ADD:
            EACH(k) store(z + k, load(a + k) + load(b + k));
            break;
        case LITHE_TAPE_OP_SUBTRACT:
            EACH(k) store(z + k, load(a + k) - load(b + k));
            break;
        case LITHE_TAPE_OP_MULTIPLY:
            EACH(k) store(z + k, PRODUCT);
            break;
        case LITHE_TAPE_OP_MULTIPLY_ADD:
            EACH(k) store(z + k, load(c + k) + PRODUCT);
            break;
        case LITHE_TAPE_OP_MULTIPLY_SUBTRACT:
            EACH(k) store(z + k, load(c + k) - PRODUCT);
            break;
        case LITHE_TAPE_OP_SCALE:
            EACH(k) store(z + k, load(vb + k) * load(a + k));
            break;
        case LITHE_TAPE_OP_SCALE_ADD:
            EACH(k) store(z + k, load(c + k) + load(vb + k) * load(a + k));
            break;
        case LITHE_TAPE_OP_SCALE_SUBTRACT:
            EACH(k) store(z + k, load(c + k) - load(vb + k) * load(a + k));
            break;
        default:
            EACH(k) store(z + k, load(of(work->first, t) + k) * load(a + k));
            break;
        }
#undef PRODUCT
    }
}

// Passes tangents of the adjoints on to the inputs: they change with the adjoints behind them and
// with the tangents of factors and arguments.
TAPE_TARGET static void column(const LitheTape *tape, LitheTapeWork *work,
                               const LitheTapeSweep *sweep) {
    tangents(tape, work, sweep);
    double *bar = work->bar;
    for (int32_t l = sweep->back_start; l < sweep->back_end; l++) {
        LitheTerm t = tape->list[l];
        LitheTapeTerm term = tape->terms[t];
        double *own = of(bar, t), *a = of(bar, term.a), *b = of(bar, term.b), *c = of(bar, term.c);
        const double *g = of(work->adjoint, t);
        const double *da = of(work->tangent, term.a), *db = of(work->tangent, term.b);
        const double *va = of(work->value, term.a), *vb = of(work->value, term.b);
        switch (term.op) {
        case LITHE_TAPE_OP_MULTIPLY:
        case LITHE_TAPE_OP_MULTIPLY_ADD:
        case LITHE_TAPE_OP_MULTIPLY_SUBTRACT:
            EACH(k) {
                Lanes z = load(own + k), w = load(g + k);
                store(own + k, (Lanes){0});
                if (term.op != LITHE_TAPE_OP_MULTIPLY)
                    gain(c + k, z);
                if (term.op == LITHE_TAPE_OP_MULTIPLY_SUBTRACT) {
                    z = -z;
                    w = -w;
                }
                gain(a + k, z * load(vb + k) + w * load(db + k));
                gain(b + k, z * load(va + k) + w * load(da + k));
            }
            break;
        default:
            pass_back(tape, work, bar, t, true);
            for (int k = 0; k < LITHE_TAPE_POINTS && term.op >= LITHE_TAPE_OP_FUNCTION;
                 k += TAPE_WIDTH)
                gain(a + k, load(g + k) * load(of(work->second, t) + k) * load(da + k));
            break;
        }
    }
}

const LitheTapeKernels TAPE_TABLE = {values, row, adjoints, column};
