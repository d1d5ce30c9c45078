// SPDX-License-Identifier: Apache-2.0
// plan/tape.c - recording: constants are folded, equal terms are found and recorded once

#include "plan/tape_parts.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

LitheTape *lithe_tape_new(LitheContext *context, int32_t inputs, int32_t parameters) {
    LITHE_ASSERT(inputs >= 0 && parameters >= 0);
    LitheTape *tape = lithe_alloc(context, sizeof *tape);
    if (tape == NULL)
        return NULL;
    tape->context = context;
    tape->inputs = inputs;
    tape->parameters = parameters;
    return tape;
}

void lithe_tape_free(LitheTape *tape) {
    if (tape == NULL)
        return;
    void *const blocks[] = {tape->terms,         tape->constants,      tape->outputs,
                            tape->table,         tape->jacobian_start, tape->jacobian_column,
                            tape->hessian_start, tape->hessian_column, tape->colour_of,
                            tape->rows,          tape->columns,        tape->list,
                            tape->input_term,    tape->active,         tape->reads,
                            tape->shares};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lithe_free(tape->context, blocks[i]);
    lithe_free(tape->context, tape);
}

static uint32_t hash_of(LitheTapeTerm term) {
    uint64_t h = (uint32_t)term.op;
    h = h * 0x9E3779B97F4A7C15u + (uint32_t)term.a;
    h = h * 0x9E3779B97F4A7C15u + (uint32_t)term.b;
    h ^= h >> 29;
    return (uint32_t)(h * 0xBF58476D1CE4E5B9u >> 32);
}

static bool equal(LitheTapeTerm a, LitheTapeTerm b) {
    return a.op == b.op && a.a == b.a && a.b == b.b;
}

static bool grow_table(LitheTape *tape) {
    int32_t size = tape->table_size == 0 ? 1024 : 2 * tape->table_size;
    int32_t *table = lithe_alloc_array(tape->context, size, sizeof *table);
    if (table == NULL)
        return false;
    for (int32_t i = 0; i < tape->count; i++) {
        uint32_t at = hash_of(tape->terms[i]) & (uint32_t)(size - 1);
        while (table[at] != 0)
            at = (at + 1) & (uint32_t)(size - 1);
        table[at] = i + 1;
    }
    lithe_free(tape->context, tape->table);
    tape->table = table;
    tape->table_size = size;
    return true;
}

// the term, found or new
static LitheTerm record(LitheTape *tape, LitheTapeTerm term) {
    LITHE_ASSERT(!tape->ended);
    if (tape->failed)
        return 0;
    if (2 * (tape->count + 1) > tape->table_size && !grow_table(tape)) {
        tape->failed = true;
        return 0;
    }
    uint32_t mask = (uint32_t)(tape->table_size - 1), at = hash_of(term) & mask;
    for (; tape->table[at] != 0; at = (at + 1) & mask)
        if (equal(tape->terms[tape->table[at] - 1], term))
            return tape->table[at] - 1;
    if (!LITHE_RESERVE(tape->context, tape->terms, tape->capacity, (int64_t)tape->count + 1)) {
        tape->failed = true;
        return 0;
    }
    tape->terms[tape->count] = term;
    tape->table[at] = tape->count + 1;
    return tape->count++;
}

LitheTerm lithe_tape_input(LitheTape *tape, int32_t i) {
    LITHE_ASSERT(i >= 0 && i < tape->inputs);
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_INPUT, i, 0, 0});
}

LitheTerm lithe_tape_parameter(LitheTape *tape, int32_t i) {
    LITHE_ASSERT(i >= 0 && i < tape->parameters);
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_PARAMETER, i, 0, 0});
}

LitheTerm lithe_tape_constant(LitheTape *tape, double value) {
    if (tape->failed)
        return 0;
    int32_t place = 0;
    while (place < tape->constant_count &&
           memcmp(&tape->constants[place], &value, sizeof value) != 0)
        place++;
    if (place == tape->constant_count) {
        if (!LITHE_RESERVE(tape->context, tape->constants, tape->constant_capacity,
                           (int64_t)place + 1)) {
            tape->failed = true;
            return 0;
        }
        tape->constants[tape->constant_count++] = value;
    }
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_CONSTANT, place, 0, 0});
}

// whether a term is a constant, and its value
static bool constant(const LitheTape *tape, LitheTerm a, double *value) {
    if (tape->failed || tape->terms[a].op != LITHE_TAPE_OP_CONSTANT)
        return false;
    *value = tape->constants[tape->terms[a].a];
    return true;
}

LitheTerm lithe_tape_add(LitheTape *tape, LitheTerm a, LitheTerm b) {
    double u, v;
    bool left = constant(tape, a, &u), right = constant(tape, b, &v);
    if (left && right)
        return lithe_tape_constant(tape, u + v);
    if (left && u == 0)
        return b;
    if (right && v == 0)
        return a;
    LitheTerm low = a < b ? a : b, high = a < b ? b : a;
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_ADD, low, high, 0});
}

LitheTerm lithe_tape_subtract(LitheTape *tape, LitheTerm a, LitheTerm b) {
    double u, v;
    bool left = constant(tape, a, &u), right = constant(tape, b, &v);
    if (left && right)
        return lithe_tape_constant(tape, u - v);
    if (right && v == 0)
        return a;
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_SUBTRACT, a, b, 0});
}

LitheTerm lithe_tape_multiply(LitheTape *tape, LitheTerm a, LitheTerm b) {
    double u, v;
    bool left = constant(tape, a, &u), right = constant(tape, b, &v);
    if (left && right)
        return lithe_tape_constant(tape, u * v);
    if ((left && u == 0) || (right && v == 0))
        return lithe_tape_constant(tape, 0);
    if (left && u == 1)
        return b;
    if (right && v == 1)
        return a;
    LitheTerm low = a < b ? a : b, high = a < b ? b : a;
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_MULTIPLY, low, high, 0});
}

LitheTerm lithe_tape_scale(LitheTape *tape, double factor, LitheTerm a) {
    return lithe_tape_multiply(tape, lithe_tape_constant(tape, factor), a);
}

LitheTerm lithe_tape_apply(LitheTape *tape, LitheTapeFunction function, LitheTerm a) {
    LITHE_ASSERT(function >= 0 && function < LITHE_TAPE_FUNCTIONS);
    return record(tape, (LitheTapeTerm){LITHE_TAPE_OP_FUNCTION + (int32_t)function, a, 0, 0});
}

void lithe_tape_output(LitheTape *tape, LitheTerm a) {
    if (tape->failed)
        return;
    LITHE_ASSERT(a >= 0 && a < tape->count);
    if (!LITHE_RESERVE(tape->context, tape->outputs, tape->output_capacity,
                       (int64_t)tape->output_count + 1)) {
        tape->failed = true;
        return;
    }
    tape->outputs[tape->output_count++] = a;
}

LitheStatus lithe_tape_end(LitheTape *tape, LitheError *error) {
    LITHE_ASSERT(!tape->ended);
    if (tape->failed)
        return lithe_fail_memory(error, "the tape of a plan");
    lithe_free(tape->context, tape->table);
    tape->table = NULL;
    if (!lithe_tape_join(tape))
        return lithe_fail_memory(error, "the tape of a plan");
    LitheStatus status = lithe_tape_analyse(tape, error);
    tape->ended = status == LITHE_OK;
    return status;
}

LitheTape *lithe_tape_finish(LitheTape *tape) {
    if (lithe_tape_end(tape, NULL) == LITHE_OK)
        return tape;
    lithe_tape_free(tape);
    return NULL;
}

bool lithe_tape_evaluate(LitheContext *context, LitheTape *tape, const double *x, double *y) {
    LitheTapeWork *work =
        lithe_tape_end(tape, NULL) == LITHE_OK ? lithe_tape_work_new(context, tape) : NULL;
    bool done = work != NULL;
    if (done)
        lithe_tape_values(tape, work, x, NULL, y);
    lithe_tape_work_free(work);
    lithe_tape_free(tape);
    return done;
}

LithePattern lithe_tape_jacobian_pattern(const LitheTape *tape) {
    int32_t rows = tape->output_count;
    return (LithePattern){rows, tape->jacobian_start[rows], tape->jacobian_start,
                          tape->jacobian_column};
}

LithePattern lithe_tape_hessian_pattern(const LitheTape *tape) {
    int32_t rows = tape->inputs;
    return (LithePattern){rows, tape->hessian_start[rows], tape->hessian_start,
                          tape->hessian_column};
}

void lithe_tape_size(const LitheTape *tape, int32_t *terms, int32_t *directions) {
    *terms = tape->count;
    *directions = tape->colours;
}
