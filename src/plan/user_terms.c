// SPDX-License-Identifier: Apache-2.0
// plan/user_terms.c - costs and constraints of the user: checks, and their record on a tape

#include "plan/user_terms.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

// --- checks --------------------------------------------------------------------------------------

static bool node_fits(const LitheUserTerms *terms, int32_t i, int32_t variables, int32_t disks) {
    const LitheUserNode *node = &terms->nodes[i];
    bool before = node->a >= 0 && node->a < i; // operands come first
    switch (node->op) {
    case LITHE_USER_CONSTANT:
        return isfinite(node->value);
    case LITHE_USER_NOW:
    case LITHE_USER_BEFORE:
        return node->a >= 0 && node->a < variables;
    case LITHE_USER_DATA:
        return node->a >= 0 && node->a < terms->data_count;
    case LITHE_USER_DISK:
        return node->a >= 0 && node->a < disks && node->b >= 0 &&
               node->b < LITHE_USER_DISK_COMPONENTS;
    case LITHE_USER_FUNCTION:
        return before && node->b >= 0 && node->b < LITHE_TAPE_FUNCTIONS;
    default:
        return node->op > LITHE_USER_DISK && node->op < LITHE_USER_OPS && before && node->b >= 0 &&
               node->b < i;
    }
}

LitheStatus lithe_user_terms_check(const LitheUserTerms *terms, int32_t variables, int32_t disks,
                                   LitheError *error) {
    for (int32_t i = 0; i < terms->node_count; i++)
        if (!node_fits(terms, i, variables, disks))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "node %d of the expressions (operation %d of %d and %d) has operands "
                              "that do not exist, or is not a number",
                              i, terms->nodes[i].op, terms->nodes[i].a, terms->nodes[i].b);
    for (int32_t i = 0; i < terms->row_count; i++) {
        const LitheUserRow *row = &terms->rows[i];
        if (row->kind < 0 || row->kind >= LITHE_USER_KINDS || row->node < 0 ||
            row->node >= terms->node_count || row->by < -1 || row->by >= terms->data_count)
            return lithe_fail(error, LITHE_BAD_INPUT, "'%s' has no expression or no data",
                              row->name);
    }
    for (int64_t i = 0; i < (int64_t)terms->stages * terms->data_count; i++)
        if (!isfinite(terms->data[i]))
            return lithe_fail(error, LITHE_BAD_INPUT, "data of step %d are not finite",
                              (int)(i / terms->data_count) + 1);
    return LITHE_OK;
}

int32_t lithe_user_terms_count(const LitheUserTerms *terms, LitheUserKind kind) {
    int32_t count = 0;
    for (int32_t i = 0; terms != NULL && i < terms->row_count; i++)
        count += terms->rows[i].kind == (int32_t)kind;
    return count;
}

// An equation that may be absent has a variable in its place.
int32_t lithe_user_terms_variables(const LitheUserTerms *terms) {
    return lithe_user_terms_count(terms, LITHE_USER_EQUATION);
}

const char *lithe_user_terms_name(const LitheUserTerms *terms, LitheUserKind kind, int32_t index) {
    for (int32_t i = 0; terms != NULL && i < terms->row_count; i++)
        if (terms->rows[i].kind == (int32_t)kind && index-- == 0)
            return terms->rows[i].name;
    return "";
}

const double *lithe_user_terms_data(const LitheUserTerms *terms, int32_t k, int32_t stages) {
    int64_t row = (int64_t)k * terms->stages / stages; // of a finer problem: those of its step
    return terms->data + row * terms->data_count;
}

void lithe_user_terms_copy_data(const LitheUserTerms *terms, int32_t k, int32_t stages,
                                double *to) {
    if (terms != NULL && terms->data_count > 0)
        memcpy(to, lithe_user_terms_data(terms, k, stages), (size_t)terms->data_count * sizeof *to);
}

// --- record --------------------------------------------------------------------------------------

struct LitheUserRows {
    LitheContext *context;
    const LitheUserTerms *terms;
    LitheTape *tape;
    LitheTerm *values; // [row_count] what a constraint says, or a cost times its weight
    LitheTerm cost;
};

static LitheTerm record_node(const LitheUserRecord *r, const LitheUserNode *node,
                             const LitheTerm *terms) {
    LitheTape *t = r->tape;
    switch (node->op) {
    case LITHE_USER_CONSTANT:
        return lithe_tape_constant(t, node->value);
    case LITHE_USER_NOW:
        return lithe_tape_input(t, r->variables + node->a);
    case LITHE_USER_BEFORE:
        return lithe_tape_input(t, node->a);
    case LITHE_USER_DATA:
        return lithe_tape_parameter(t, r->data + node->a);
    case LITHE_USER_DISK:
        return r->disks[(int64_t)node->a * LITHE_USER_DISK_COMPONENTS + node->b];
    case LITHE_USER_ADD:
        return lithe_tape_add(t, terms[node->a], terms[node->b]);
    case LITHE_USER_SUBTRACT:
        return lithe_tape_subtract(t, terms[node->a], terms[node->b]);
    case LITHE_USER_MULTIPLY:
        return lithe_tape_multiply(t, terms[node->a], terms[node->b]);
    default:
        return lithe_tape_apply(t, (LitheTapeFunction)node->b, terms[node->a]);
    }
}

static bool is_effort(const LitheUserRecord *r, const LitheUserNode *node, const bool *efforts) {
    if (node->op == LITHE_USER_NOW || node->op == LITHE_USER_BEFORE)
        return node->a >= r->efforts && node->a < r->efforts + r->effort_count;
    if (node->op <= LITHE_USER_DISK)
        return false;
    return efforts[node->a] || (node->op != LITHE_USER_FUNCTION && efforts[node->b]);
}

// a where `on` is 1, b where it is 0
static LitheTerm either(LitheTape *t, LitheTerm on, LitheTerm a, LitheTerm b) {
    LitheTerm off = lithe_tape_subtract(t, lithe_tape_constant(t, 1), on);
    return lithe_tape_add(t, lithe_tape_multiply(t, on, a), lithe_tape_multiply(t, off, b));
}

// Where an equation does not hold, a variable is 0 instead; everywhere it costs its square. Where
// an inequality does not hold, 1 >= 0 does. Efforts are 0 without the equations of motion:
// constraints on them do not hold there.
static void record_rows(LitheUserRows *rows, const LitheUserRecord *r, const LitheTerm *terms,
                        const bool *efforts) {
    LitheTape *t = r->tape;
    LitheTerm one = lithe_tape_constant(t, 1);
    int32_t stand_in = r->variables + r->stand_in;
    rows->cost = lithe_tape_constant(t, 0);
    for (int32_t i = 0; i < rows->terms->row_count; i++) {
        const LitheUserRow *row = &rows->terms->rows[i];
        LitheTerm value = terms[row->node];
        LitheTerm on = row->by >= 0 ? lithe_tape_parameter(t, r->data + row->by) : one;
        if (row->kind == LITHE_USER_COST) {
            value = row->by >= 0 ? lithe_tape_multiply(t, on, value)
                                 : lithe_tape_scale(t, r->step, value);
            rows->cost = lithe_tape_add(t, rows->cost, value);
            continue;
        }
        if (efforts[row->node])
            on = lithe_tape_multiply(t, on, r->dynamic);
        LitheTerm other = one;
        if (row->kind == LITHE_USER_EQUATION) {
            other = lithe_tape_input(t, stand_in++);
            rows->cost = lithe_tape_add(t, rows->cost, lithe_tape_multiply(t, other, other));
        }
        rows->values[i] = either(t, on, value, other);
    }
}

LitheUserRows *lithe_user_rows_new(LitheContext *context, const LitheUserTerms *terms,
                                   const LitheUserRecord *r) {
    LitheUserRows *rows = lithe_alloc(context, sizeof *rows);
    LitheTerm *nodes = lithe_alloc_array(context, terms->node_count, sizeof *nodes);
    bool *efforts = lithe_alloc_array(context, terms->node_count, sizeof *efforts);
    if (rows != NULL) {
        *rows = (LitheUserRows){.context = context, .terms = terms, .tape = r->tape};
        rows->values = lithe_alloc_array(context, terms->row_count, sizeof *rows->values);
    }
    bool done = rows != NULL && rows->values != NULL && nodes != NULL && efforts != NULL;
    for (int32_t i = 0; done && i < terms->node_count; i++) {
        nodes[i] = record_node(r, &terms->nodes[i], nodes);
        efforts[i] = is_effort(r, &terms->nodes[i], efforts);
    }
    if (done)
        record_rows(rows, r, nodes, efforts);
    lithe_free(context, nodes);
    lithe_free(context, efforts);
    if (!done) {
        lithe_user_rows_free(rows);
        return NULL;
    }
    return rows;
}

LitheTerm lithe_user_rows_cost(const LitheUserRows *rows) {
    return rows->cost;
}

void lithe_user_rows_output(const LitheUserRows *rows, LitheUserKind kind) {
    for (int32_t i = 0; i < rows->terms->row_count; i++)
        if (rows->terms->rows[i].kind == (int32_t)kind)
            lithe_tape_output(rows->tape, rows->values[i]);
}

void lithe_user_rows_free(LitheUserRows *rows) {
    if (rows == NULL)
        return;
    lithe_free(rows->context, rows->values);
    lithe_free(rows->context, rows);
}
