// SPDX-License-Identifier: Apache-2.0
// plan/tape_parts.h - what the files of the tape share

#ifndef LITHE_PLAN_TAPE_PARTS_H
#define LITHE_PLAN_TAPE_PARTS_H

#include "plan/tape.h"

#define LITHE_TAPE_LANES 8

typedef enum LitheTapeOp {
    LITHE_TAPE_OP_INPUT,
    LITHE_TAPE_OP_PARAMETER,
    LITHE_TAPE_OP_CONSTANT,
    LITHE_TAPE_OP_ADD,
    LITHE_TAPE_OP_SUBTRACT,
    LITHE_TAPE_OP_MULTIPLY,
    LITHE_TAPE_OP_FUNCTION, // and those after it: LITHE_TAPE_OP_FUNCTION + LitheTapeFunction
} LitheTapeOp;

typedef struct LitheTapeTerm {
    int32_t op;
    int32_t a, b; // operands; of an input or a parameter: its number; of a constant: its place
} LitheTapeTerm;

// One sweep for up to LITHE_TAPE_LANES rows of the Jacobian (outputs from `first` on) or colours of
// the Hessian, and the terms it visits: those that depend on the directions, by rising numbers, and
// those that pass something to the inputs, by falling numbers.
typedef struct LitheTapeSweep {
    int32_t first, lanes;
    int32_t forward_start, forward_end;
    int32_t back_start, back_end;
} LitheTapeSweep;

struct LitheTape {
    LitheContext *context;
    bool failed, ended;
    int32_t inputs, parameters;
    LitheTapeTerm *terms;
    int32_t count, capacity;
    double *constants;
    int32_t constant_count, constant_capacity;
    int32_t *outputs;
    int32_t output_count, output_capacity;
    int32_t *table; // open hash of terms + 1, for finding equal ones
    int32_t table_size;

    int32_t *input_term; // per input, -1: not used
    int32_t *jacobian_start, *jacobian_column;
    int32_t *hessian_start, *hessian_column;
    int32_t *hessian_colour; // per entry of the Hessian: the colour of its direction
    int32_t *hessian_row;    // per entry: the input at which it is read
    int32_t *colour_of;      // per input, -1: not a direction
    int32_t colours;
    LitheTapeSweep *rows, *columns;
    int32_t row_sweeps, column_sweeps;
    int32_t *list; // terms of all sweeps
    int32_t list_count, list_capacity;
};

struct LitheTapeWork {
    LitheContext *context;
    double *value, *first, *second; // [count]: of the term; derivatives of a function of one term
    double *adjoint;                // [count]
    double *tangent, *lanes;        // [count*LITHE_TAPE_LANES]: tangents; adjoints of the lanes
};

/// Finds patterns, colours and sweeps.
LitheStatus lithe_tape_analyse(LitheTape *tape, LitheError *error);

#endif
