// SPDX-License-Identifier: Apache-2.0
// plan/tape_join.c - a shorter record: a product that enters one sum becomes part of it
//
// Half of the terms of products of matrices and vectors vanish. The order of the operations stays,
// so the values keep their bits.

#include "plan/tape_parts.h"

#include "base/memory.h"

typedef struct Joining {
    LitheTape *tape;
    LitheTapeTerm *terms; // the joined record
    int32_t *uses;        // per old term
    int32_t *number;      // per old term: its new number, -1: gone
    bool *active;         // per old term
} Joining;

static void count_uses(Joining *joining) {
    LitheTape *tape = joining->tape;
    for (int32_t i = 0; i < tape->output_count; i++)
        joining->uses[tape->outputs[i]]++;
    for (int32_t t = tape->count - 1; t >= 0; t--) {
        LitheTerm operand[3];
        int count = joining->uses[t] > 0 ? lithe_tape_operands(&tape->terms[t], operand) : 0;
        for (int i = 0; i < count; i++)
            joining->uses[operand[i]]++;
    }
    for (int32_t t = 0; t < tape->count; t++) {
        LitheTerm operand[3];
        int count = lithe_tape_operands(&tape->terms[t], operand);
        joining->active[t] = tape->terms[t].op == LITHE_TAPE_OP_INPUT;
        for (int i = 0; i < count; i++)
            joining->active[t] = joining->active[t] || joining->active[operand[i]];
    }
}

static bool joins(const Joining *joining, LitheTerm t) {
    return joining->tape->terms[t].op == LITHE_TAPE_OP_MULTIPLY && joining->uses[t] == 1 &&
           joining->active[t];
}

// the product `t` with old operands, that which does not depend on inputs second
static LitheTapeTerm product(const Joining *joining, LitheTerm t, int32_t both, int32_t scaled,
                             LitheTerm c) {
    LitheTapeTerm term = joining->tape->terms[t];
    bool a = joining->active[term.a], b = joining->active[term.b];
    if (a && b)
        return (LitheTapeTerm){both, term.a, term.b, c};
    return (LitheTapeTerm){scaled, a ? term.a : term.b, a ? term.b : term.a, c};
}

// the term with old operands; a product that it takes in is marked by a use of 0
static LitheTapeTerm joined(Joining *joining, LitheTerm t) {
    LitheTapeTerm term = joining->tape->terms[t];
    LitheTerm taken = -1, c = -1;
    if (term.op == LITHE_TAPE_OP_ADD && joins(joining, term.b)) {
        taken = term.b;
        c = term.a;
    } else if (term.op == LITHE_TAPE_OP_ADD && joins(joining, term.a)) {
        taken = term.a;
        c = term.b;
    } else if (term.op == LITHE_TAPE_OP_SUBTRACT && joins(joining, term.b)) {
        taken = term.b;
        c = term.a;
    }
    if (taken >= 0) {
        joining->uses[taken] = 0;
        if (term.op == LITHE_TAPE_OP_ADD)
            return product(joining, taken, LITHE_TAPE_OP_MULTIPLY_ADD, LITHE_TAPE_OP_SCALE_ADD, c);
        return product(joining, taken, LITHE_TAPE_OP_MULTIPLY_SUBTRACT,
                       LITHE_TAPE_OP_SCALE_SUBTRACT, c);
    }
    if (term.op == LITHE_TAPE_OP_MULTIPLY && joining->active[t])
        return product(joining, t, LITHE_TAPE_OP_MULTIPLY, LITHE_TAPE_OP_SCALE, 0);
    return term;
}

static void rename_terms(Joining *joining) {
    LitheTape *tape = joining->tape;
    int32_t count = 0;
    for (int pass = 0; pass < 2; pass++) { // leaves, then operations
        for (int32_t t = 0; t < tape->count; t++) {
            bool leaf = tape->terms[t].op <= LITHE_TAPE_OP_CONSTANT;
            if (joining->uses[t] > 0 && leaf == (pass == 0))
                joining->number[t] = count++;
        }
        if (pass == 0)
            tape->leaves = count;
    }
    for (int32_t t = 0; t < tape->count; t++) {
        if (joining->number[t] < 0)
            continue;
        LitheTapeTerm term = joining->terms[t];
        LitheTerm operand[3];
        int operands = lithe_tape_operands(&term, operand);
        if (operands > 0)
            term.a = joining->number[term.a];
        if (operands > 1)
            term.b = joining->number[term.b];
        if (operands > 2)
            term.c = joining->number[term.c];
        tape->active[joining->number[t]] = joining->active[t];
        tape->terms[joining->number[t]] = term;
    }
    for (int32_t i = 0; i < tape->output_count; i++)
        tape->outputs[i] = joining->number[tape->outputs[i]];
    tape->count = count;
}

bool lithe_tape_join(LitheTape *tape) {
    LitheContext *context = tape->context;
    int64_t n = tape->count;
    Joining joining = {.tape = tape,
                       .terms = lithe_alloc_array(context, n, sizeof *joining.terms),
                       .uses = lithe_alloc_array(context, n, sizeof *joining.uses),
                       .number = lithe_alloc_array(context, n, sizeof *joining.number),
                       .active = lithe_alloc_array(context, n, sizeof *joining.active)};
    tape->active = lithe_alloc_array(context, n, sizeof *tape->active);
    bool made = joining.terms != NULL && joining.uses != NULL && joining.number != NULL &&
                joining.active != NULL && tape->active != NULL;
    if (made) {
        count_uses(&joining);
        for (int32_t t = 0; t < tape->count; t++)
            joining.number[t] = -1;
        for (int32_t t = tape->count - 1; t >= 0; t--)
            if (joining.uses[t] > 0)
                joining.terms[t] = joined(&joining, t);
        rename_terms(&joining);
    }
    lithe_free(context, joining.terms);
    lithe_free(context, joining.uses);
    lithe_free(context, joining.number);
    lithe_free(context, joining.active);
    return made;
}
