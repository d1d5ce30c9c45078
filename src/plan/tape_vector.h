// SPDX-License-Identifier: Apache-2.0
// plan/tape_vector.h - vectors and matrices of terms of a tape

#ifndef LITHE_PLAN_TAPE_VECTOR_H
#define LITHE_PLAN_TAPE_VECTOR_H

#include "plan/tape.h"

typedef LitheTape Tape;
typedef struct Vector {
    LitheTerm c[3];
} Vector;
typedef struct Matrix {
    Vector row[3];
} Matrix;

static inline LitheTerm number(Tape *t, double value) {
    return lithe_tape_constant(t, value);
}
static inline LitheTerm plus(Tape *t, LitheTerm a, LitheTerm b) {
    return lithe_tape_add(t, a, b);
}
static inline LitheTerm less(Tape *t, LitheTerm a, LitheTerm b) {
    return lithe_tape_subtract(t, a, b);
}
static inline LitheTerm times(Tape *t, LitheTerm a, LitheTerm b) {
    return lithe_tape_multiply(t, a, b);
}
static inline LitheTerm square(Tape *t, LitheTerm a) {
    return times(t, a, a);
}
static inline LitheTerm root(Tape *t, LitheTerm a) {
    return lithe_tape_apply(t, LITHE_TAPE_ROOT, a);
}
static inline LitheTerm over(Tape *t, LitheTerm a) {
    return lithe_tape_apply(t, LITHE_TAPE_RECIPROCAL, a);
}
static inline Vector constants(Tape *t, const double *v) {
    return (Vector){{number(t, v[0]), number(t, v[1]), number(t, v[2])}};
}
static inline Vector zeros(Tape *t) {
    return constants(t, (const double[3]){0, 0, 0});
}
static inline Vector inputs(Tape *t, int32_t at) {
    return (Vector){
        {lithe_tape_input(t, at), lithe_tape_input(t, at + 1), lithe_tape_input(t, at + 2)}};
}
static inline Vector added(Tape *t, Vector a, Vector b) {
    for (int i = 0; i < 3; i++)
        a.c[i] = plus(t, a.c[i], b.c[i]);
    return a;
}
static inline Vector subtracted(Tape *t, Vector a, Vector b) {
    for (int i = 0; i < 3; i++)
        a.c[i] = less(t, a.c[i], b.c[i]);
    return a;
}
static inline Vector scaled(Tape *t, LitheTerm f, Vector a) {
    for (int i = 0; i < 3; i++)
        a.c[i] = times(t, f, a.c[i]);
    return a;
}
static inline Vector scaled_by(Tape *t, double f, Vector a) {
    return scaled(t, number(t, f), a);
}
static inline LitheTerm dot(Tape *t, Vector a, Vector b) {
    return plus(t, plus(t, times(t, a.c[0], b.c[0]), times(t, a.c[1], b.c[1])),
                times(t, a.c[2], b.c[2]));
}
static inline Vector cross(Tape *t, Vector a, Vector b) {
    Vector v;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        v.c[i] = less(t, times(t, a.c[j], b.c[k]), times(t, a.c[k], b.c[j]));
    }
    return v;
}
static inline Vector apply(Tape *t, const Matrix *m, Vector a) {
    return (Vector){{dot(t, m->row[0], a), dot(t, m->row[1], a), dot(t, m->row[2], a)}};
}
static inline Vector column(const Matrix *m, int j) {
    return (Vector){{m->row[0].c[j], m->row[1].c[j], m->row[2].c[j]}};
}
static inline Vector apply_transposed(Tape *t, const Matrix *m, Vector a) {
    return (Vector){{dot(t, column(m, 0), a), dot(t, column(m, 1), a), dot(t, column(m, 2), a)}};
}
static inline Matrix product(Tape *t, const Matrix *a, const Matrix *b) {
    Matrix m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.row[i].c[j] = dot(t, a->row[i], column(b, j));
    return m;
}

#endif
