// SPDX-License-Identifier: Apache-2.0
// plan/tape_parts.h - what the files of the tape share

#ifndef LITHE_PLAN_TAPE_PARTS_H
#define LITHE_PLAN_TAPE_PARTS_H

#include "plan/tape.h"

typedef enum LitheTapeOp {
    LITHE_TAPE_OP_INPUT,
    LITHE_TAPE_OP_PARAMETER,
    LITHE_TAPE_OP_CONSTANT,
    LITHE_TAPE_OP_ADD,
    LITHE_TAPE_OP_SUBTRACT,
    LITHE_TAPE_OP_MULTIPLY,
    // made by joining, never recorded; in scaled ones b does not depend on inputs
    LITHE_TAPE_OP_SCALE,             // a b
    LITHE_TAPE_OP_MULTIPLY_ADD,      // c + a b
    LITHE_TAPE_OP_MULTIPLY_SUBTRACT, // c - a b
    LITHE_TAPE_OP_SCALE_ADD,         // c + a b
    LITHE_TAPE_OP_SCALE_SUBTRACT,    // c - a b
    LITHE_TAPE_OP_FUNCTION, // and those after it: LITHE_TAPE_OP_FUNCTION + LitheTapeFunction
} LitheTapeOp;

typedef struct LitheTapeTerm {
    int32_t op;
    int32_t a, b; // operands; of an input or a parameter: its number; of a constant: its place
    int32_t c;
} LitheTapeTerm;

// The terms that a sweep visits. Of a row of the Jacobian: those that influence it, by falling
// numbers. Of a direction of the Hessian: those that move along it, by rising numbers; those whose
// adjoints change, by falling numbers; the entries that are read; the inputs that receive
// something.
typedef struct LitheTapeSweep {
    int32_t forward_start, forward_end;
    int32_t back_start, back_end;
    int32_t read_start, read_end;
    int32_t touched_start, touched_end;
} LitheTapeSweep;

// an entry of the Hessian, and the input at which a sweep gives it
typedef struct LitheTapeRead {
    int32_t entry, input;
} LitheTapeRead;

// a product of two forms that are linear in the inputs: its share of an entry of the Hessian
typedef struct LitheTapeShare {
    LitheTerm term;
    int32_t entry;
    double factor;
} LitheTapeShare;

struct LitheTape {
    LitheContext *context;
    bool failed, ended;
    int32_t inputs, parameters;
    LitheTapeTerm *terms; // after the end: inputs, parameters and constants first
    int32_t count, capacity;
    int32_t leaves; // after the end
    double *constants;
    int32_t constant_count, constant_capacity;
    int32_t *outputs;
    int32_t output_count, output_capacity;
    int32_t *table; // open hash of terms + 1, for finding equal ones
    int32_t table_size;

    int32_t *input_term; // per input, -1: not used
    bool *active;        // per term: depends on inputs
    int32_t *jacobian_start, *jacobian_column;
    int32_t *hessian_start, *hessian_column;
    int32_t *colour_of; // per input, -1: not a direction
    int32_t colours;
    LitheTapeSweep *rows, *columns; // [outputs], [colours]
    int32_t *list;                  // terms of all sweeps
    int32_t list_count, list_capacity;
    LitheTapeRead *reads;
    LitheTapeShare *shares;
    int32_t share_count, share_capacity;
};

struct LitheTapeWork {
    LitheContext *context;
    const struct LitheTapeKernels *kernels;
    int32_t points;
    // [count*LITHE_TAPE_POINTS]: values of the terms; derivatives of functions of one term;
    // adjoints; tangents along a direction; adjoints of a row or tangents of adjoints
    double *value, *first, *second, *adjoint, *tangent, *bar;
};

/// The operands of a term, at most three: their number.
static inline int lithe_tape_operands(const LitheTapeTerm *term, LitheTerm *operands) {
    if (term->op <= LITHE_TAPE_OP_CONSTANT)
        return 0;
    operands[0] = term->a;
    operands[1] = term->b;
    operands[2] = term->c;
    if (term->op <= LITHE_TAPE_OP_SCALE)
        return 2;
    return term->op < LITHE_TAPE_OP_FUNCTION ? 3 : 1;
}

/// The sweeps over a tape, at the points of `work`: its values from those of the leaves; a row of
/// the Jacobian, from the adjoint 1 of the output in `bar`; all adjoints, from those of the
/// outputs; a column of the Hessian in `bar`, from the tangents of the inputs.
typedef struct LitheTapeKernels {
    void (*values)(const LitheTape *tape, LitheTapeWork *work);
    void (*row)(const LitheTape *tape, LitheTapeWork *work, const LitheTapeSweep *sweep);
    void (*adjoints)(const LitheTape *tape, LitheTapeWork *work);
    void (*column)(const LitheTape *tape, LitheTapeWork *work, const LitheTapeSweep *sweep);
} LitheTapeKernels;

extern const LitheTapeKernels lithe_tape_kernels_portable;
#if defined(__x86_64__)
extern const LitheTapeKernels lithe_tape_kernels_avx2;
extern const LitheTapeKernels lithe_tape_kernels_avx512;
#endif

/// Joins products with the sums they enter, drops what no output needs, puts the leaves first.
bool lithe_tape_join(LitheTape *tape);

/// Finds patterns, directions and sweeps.
LitheStatus lithe_tape_analyse(LitheTape *tape, LitheError *error);

#endif
