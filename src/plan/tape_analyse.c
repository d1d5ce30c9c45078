// SPDX-License-Identifier: Apache-2.0
// plan/tape_analyse.c - patterns of the derivatives of a tape, directions and their colours, sweeps
//
// Products of two linear forms give their share of the Hessian without a sweep. What is left comes
// by columns: a direction of one input gives its whole column. A set of inputs is chosen so that
// every entry lies in the row or the column of one of them; inputs whose columns do not meet where
// they are read share a colour, and one direction serves them all.

#include "plan/tape_parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

// a form that is linear in the inputs with constant factors, from `start` on in the pool
typedef struct Form {
    int32_t start, count; // count -1: not linear, or too long
} Form;

typedef struct Factor {
    int32_t input;
    double value;
} Factor;

enum { FORM_MAX = 64 };

typedef struct Analysis {
    LitheTape *tape;
    int32_t words;    // of a set of inputs
    uint64_t *depend; // [count*words]: inputs that a term depends on
    uint64_t *meet; // [inputs*words]: inputs with a second derivative together with one, by sweeps
    uint64_t *all;  // [inputs*words]: and by products of linear forms
    uint64_t *read; // [inputs*words]: rows that are read from the column of a direction
    Form *form;     // [count]
    Factor *pool;   // of all forms
    int32_t pool_count, pool_capacity;
    bool *moves;  // [count]: has a tangent in the sweep
    bool *passes; // [count]: its adjoint has a tangent in the sweep, or influences the row
    bool failed;
} Analysis;

static bool leaf(const LitheTapeTerm *term) {
    return term->op <= LITHE_TAPE_OP_CONSTANT;
}

// a product of two terms that depend on inputs
static bool multiplies(const LitheTapeTerm *term) {
    return term->op == LITHE_TAPE_OP_MULTIPLY || term->op == LITHE_TAPE_OP_MULTIPLY_ADD ||
           term->op == LITHE_TAPE_OP_MULTIPLY_SUBTRACT;
}

static bool has(const uint64_t *set, int32_t i) {
    return (set[i >> 6] >> (i & 63) & 1) != 0;
}

static void insert(uint64_t *set, int32_t i) {
    set[i >> 6] |= (uint64_t)1 << (i & 63);
}

static bool overlap(const uint64_t *a, const uint64_t *b, int32_t words) {
    uint64_t all = 0;
    for (int32_t w = 0; w < words; w++)
        all |= a[w] & b[w];
    return all != 0;
}

static const uint64_t *inputs_of(const Analysis *analysis, LitheTerm term) {
    return analysis->depend + (int64_t)term * analysis->words;
}

static void find_dependence(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t words = analysis->words;
    for (int32_t i = 0; i < tape->inputs; i++)
        tape->input_term[i] = -1;
    for (int32_t t = 0; t < tape->count; t++) {
        const LitheTapeTerm *term = &tape->terms[t];
        uint64_t *set = analysis->depend + (int64_t)t * words;
        LitheTerm operand[3];
        int operands = lithe_tape_operands(term, operand);
        if (term->op == LITHE_TAPE_OP_INPUT) {
            insert(set, term->a);
            tape->input_term[term->a] = t;
        }
        for (int i = 0; i < operands; i++)
            for (int32_t w = 0; w < words; w++)
                set[w] |= inputs_of(analysis, operand[i])[w];
    }
}

// --- products of linear forms ------------------------------------------------------------------

static void append_factor(Analysis *analysis, int32_t input, double value) {
    if (analysis->failed ||
        !LITHE_RESERVE(analysis->tape->context, analysis->pool, analysis->pool_capacity,
                       (int64_t)analysis->pool_count + 1)) {
        analysis->failed = true;
        return;
    }
    analysis->pool[analysis->pool_count++] = (Factor){input, value};
}

// u a + w b; inputs rise in a form
static Form sum_of(Analysis *analysis, double u, Form a, double w, Form b) {
    Form sum = {analysis->pool_count, -1};
    if (a.count < 0 || b.count < 0 || a.count + b.count > FORM_MAX)
        return sum;
    int32_t i = 0, j = 0;
    while ((i < a.count || j < b.count) && !analysis->failed) {
        int32_t left = i < a.count ? analysis->pool[a.start + i].input : INT32_MAX;
        int32_t right = j < b.count ? analysis->pool[b.start + j].input : INT32_MAX;
        double value = 0;
        if (left <= right)
            value += u * analysis->pool[a.start + i++].value;
        if (right <= left)
            value += w * analysis->pool[b.start + j++].value;
        append_factor(analysis, left < right ? left : right, value);
    }
    sum.count = analysis->pool_count - sum.start;
    return sum;
}

static Form form_of(Analysis *analysis, LitheTerm t) {
    const LitheTape *tape = analysis->tape;
    const LitheTapeTerm *term = &tape->terms[t];
    const Form none = {0, 0}, not_linear = {0, -1};
    if (!tape->active[t])
        return none;
    double factor = 1;
    if (term->op >= LITHE_TAPE_OP_SCALE && term->op < LITHE_TAPE_OP_FUNCTION) {
        if (multiplies(term) || tape->terms[term->b].op != LITHE_TAPE_OP_CONSTANT)
            return not_linear;
        factor = tape->constants[tape->terms[term->b].a];
    }
    Form one = {analysis->pool_count, 1};
    switch (term->op) {
    case LITHE_TAPE_OP_INPUT:
        append_factor(analysis, term->a, 1);
        return one;
    case LITHE_TAPE_OP_ADD:
        return sum_of(analysis, 1, analysis->form[term->a], 1, analysis->form[term->b]);
    case LITHE_TAPE_OP_SUBTRACT:
        return sum_of(analysis, 1, analysis->form[term->a], -1, analysis->form[term->b]);
    case LITHE_TAPE_OP_SCALE:
        return sum_of(analysis, factor, analysis->form[term->a], 0, none);
    case LITHE_TAPE_OP_SCALE_ADD:
        return sum_of(analysis, factor, analysis->form[term->a], 1, analysis->form[term->c]);
    case LITHE_TAPE_OP_SCALE_SUBTRACT:
        return sum_of(analysis, -factor, analysis->form[term->a], 1, analysis->form[term->c]);
    default:
        return not_linear;
    }
}

// whether the product of a term is one of linear forms
static bool direct(const Analysis *analysis, LitheTerm t) {
    const LitheTapeTerm *term = &analysis->tape->terms[t];
    return multiplies(term) && analysis->form[term->a].count >= 0 &&
           analysis->form[term->b].count >= 0;
}

static int32_t entry_of(const LitheTape *tape, int32_t i, int32_t j) {
    int32_t row = i > j ? i : j, column = i > j ? j : i;
    for (int32_t e = tape->hessian_start[row]; e < tape->hessian_start[row + 1]; e++)
        if (tape->hessian_column[e] == column)
            return e;
    return -1;
}

// the shares of products of linear forms; before the patterns are known they are only marked
static void find_shares(Analysis *analysis, bool known) {
    LitheTape *tape = analysis->tape;
    for (int32_t t = tape->leaves; t < tape->count; t++) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!direct(analysis, t))
            continue;
        Form a = analysis->form[term->a], b = analysis->form[term->b];
        double sign = term->op == LITHE_TAPE_OP_MULTIPLY_SUBTRACT ? -1 : 1;
        for (int32_t i = a.start; i < a.start + a.count; i++)
            for (int32_t j = b.start; j < b.start + b.count; j++) {
                int32_t left = analysis->pool[i].input, right = analysis->pool[j].input;
                if (!known) {
                    insert(analysis->all + (int64_t)left * analysis->words, right);
                    insert(analysis->all + (int64_t)right * analysis->words, left);
                    continue;
                }
                if (!LITHE_RESERVE(tape->context, tape->shares, tape->share_capacity,
                                   (int64_t)tape->share_count + 1)) {
                    analysis->failed = true;
                    return;
                }
                double factor = sign * analysis->pool[i].value * analysis->pool[j].value;
                tape->shares[tape->share_count++] = (LitheTapeShare){
                    t, entry_of(tape, left, right), left == right ? 2 * factor : factor};
            }
    }
}

// --- patterns and directions -------------------------------------------------------------------

// whether the adjoint of an operand changes along a direction although that of the term does not
static bool curved(const Analysis *analysis, LitheTerm t) {
    const LitheTapeTerm *term = &analysis->tape->terms[t];
    return term->op >= LITHE_TAPE_OP_FUNCTION || (multiplies(term) && !direct(analysis, t));
}

// the rows and columns in which a product or a function is not linear
static void find_meetings(Analysis *analysis) {
    const LitheTape *tape = analysis->tape;
    int32_t words = analysis->words;
    for (int32_t t = tape->leaves; t < tape->count; t++) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!tape->active[t] || !curved(analysis, t))
            continue;
        const uint64_t *a = inputs_of(analysis, term->a);
        const uint64_t *b = inputs_of(analysis, multiplies(term) ? term->b : term->a);
        for (int32_t i = 0; i < tape->inputs; i++) {
            uint64_t *row = analysis->meet + (int64_t)i * words;
            uint64_t left = has(a, i) ? ~(uint64_t)0 : 0, right = has(b, i) ? ~(uint64_t)0 : 0;
            for (int32_t w = 0; w < words; w++)
                row[w] |= (left & b[w]) | (right & a[w]);
        }
    }
    for (int64_t i = 0; i < (int64_t)tape->inputs * words; i++)
        analysis->all[i] = analysis->meet[i];
    find_shares(analysis, false);
}

// pattern of rows of sets; `lower`: only up to the diagonal
static bool list_pattern(LitheTape *tape, int32_t rows, const uint64_t *const *sets, bool lower,
                         int32_t **start, int32_t **column) {
    *start = lithe_alloc_array(tape->context, (int64_t)rows + 1, sizeof **start);
    if (*start == NULL)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        int32_t count = 0;
        for (int32_t i = 0; i < rows; i++) {
            int32_t end = lower ? i + 1 : tape->inputs;
            for (int32_t j = 0; j < end; j++)
                if (has(sets[i], j)) {
                    if (pass == 1)
                        (*column)[count] = j;
                    count++;
                }
            (*start)[i + 1] = count;
        }
        if (pass == 0) {
            *column = lithe_alloc_array(tape->context, count, sizeof **column);
            if (*column == NULL)
                return false;
        }
    }
    return true;
}

static bool find_patterns(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t most = tape->inputs > tape->output_count ? tape->inputs : tape->output_count;
    const uint64_t **sets = lithe_alloc_array(tape->context, most, sizeof *sets);
    if (sets == NULL)
        return false;
    for (int32_t i = 0; i < tape->output_count; i++)
        sets[i] = inputs_of(analysis, tape->outputs[i]);
    bool made = list_pattern(tape, tape->output_count, sets, false, &tape->jacobian_start,
                             &tape->jacobian_column);
    for (int32_t i = 0; i < tape->inputs; i++)
        sets[i] = analysis->all + (int64_t)i * analysis->words;
    made = made && list_pattern(tape, tape->inputs, sets, true, &tape->hessian_start,
                                &tape->hessian_column);
    lithe_free(tape->context, sets);
    return made;
}

// Directions that cover all entries: inputs with an entry on the diagonal, then greedily the one
// with most entries that are not covered. colour_of is 0 for a direction, -1 otherwise.
static void choose_directions(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t n = tape->inputs, words = analysis->words;
    for (int32_t i = 0; i < n; i++)
        tape->colour_of[i] = has(analysis->meet + (int64_t)i * words, i) ? 0 : -1;
    for (;;) {
        int32_t best = -1, most = 0;
        for (int32_t i = 0; i < n; i++) {
            int32_t open = 0;
            for (int32_t j = 0; j < n && tape->colour_of[i] < 0; j++)
                open += tape->colour_of[j] < 0 && has(analysis->meet + (int64_t)i * words, j);
            if (open > most) {
                most = open;
                best = i;
            }
        }
        if (best < 0)
            return;
        tape->colour_of[best] = 0;
    }
}

static bool conflict(const Analysis *analysis, int32_t i, int32_t j) {
    int32_t words = analysis->words;
    const uint64_t *read_i = analysis->read + (int64_t)i * words;
    const uint64_t *read_j = analysis->read + (int64_t)j * words;
    return overlap(read_i, analysis->meet + (int64_t)j * words, words) ||
           overlap(read_j, analysis->meet + (int64_t)i * words, words);
}

// the direction that gives the entry of row i and column j
static int32_t direction_of(const LitheTape *tape, int32_t i, int32_t j) {
    return tape->colour_of[j] >= 0 ? j : i;
}

static void colour_directions(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t n = tape->inputs, words = analysis->words;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++)
            if (has(analysis->meet + (int64_t)i * words, j)) {
                int32_t direction = direction_of(tape, i, j);
                insert(analysis->read + (int64_t)direction * words, direction == j ? i : j);
            }
    for (int32_t i = 0; i < n; i++) {
        if (tape->colour_of[i] < 0)
            continue;
        int32_t colour = 0;
        for (bool fits = false; !fits; colour += !fits) {
            fits = true;
            for (int32_t j = 0; j < i && fits; j++)
                fits = tape->colour_of[j] != colour || !conflict(analysis, i, j);
        }
        tape->colour_of[i] = colour;
        tape->colours = colour + 1 > tape->colours ? colour + 1 : tape->colours;
    }
}

static void append(Analysis *analysis, LitheTerm term) {
    LitheTape *tape = analysis->tape;
    if (analysis->failed || !LITHE_RESERVE(tape->context, tape->list, tape->list_capacity,
                                           (int64_t)tape->list_count + 1)) {
        analysis->failed = true;
        return;
    }
    tape->list[tape->list_count++] = term;
}

// the terms that influence an output
static void plan_row(Analysis *analysis, int32_t output, LitheTapeSweep *sweep) {
    const LitheTape *tape = analysis->tape;
    memset(analysis->passes, 0, (size_t)tape->count * sizeof *analysis->passes);
    analysis->passes[tape->outputs[output]] = true;
    sweep->back_start = tape->list_count;
    for (int32_t t = tape->count - 1; t >= tape->leaves; t--) {
        if (!analysis->passes[t] || !tape->active[t])
            continue;
        append(analysis, t);
        LitheTerm operand[3];
        int operands = lithe_tape_operands(&tape->terms[t], operand);
        for (int i = 0; i < operands; i++)
            analysis->passes[operand[i]] = true;
    }
    sweep->back_end = tape->list_count;
}

// the terms that move along the direction, those whose adjoints change with them, and the inputs
static void plan_column(Analysis *analysis, int32_t colour, LitheTapeSweep *sweep,
                        uint64_t *seeds) {
    const LitheTape *tape = analysis->tape;
    int32_t words = analysis->words;
    memset(seeds, 0, (size_t)words * sizeof *seeds);
    for (int32_t i = 0; i < tape->inputs; i++)
        if (tape->colour_of[i] == colour)
            insert(seeds, i);
    sweep->forward_start = tape->list_count;
    for (int32_t t = 0; t < tape->count; t++) {
        analysis->moves[t] = overlap(inputs_of(analysis, t), seeds, words);
        if (analysis->moves[t] && !leaf(&tape->terms[t]))
            append(analysis, t);
    }
    sweep->forward_end = sweep->back_start = tape->list_count;
    memset(analysis->passes, 0, (size_t)tape->count * sizeof *analysis->passes);
    for (int32_t t = tape->count - 1; t >= tape->leaves; t--) {
        const LitheTapeTerm *term = &tape->terms[t];
        bool bends = tape->active[t] && curved(analysis, t), both = multiplies(term);
        bool left = bends && analysis->moves[both ? term->b : term->a];
        bool right = bends && both && analysis->moves[term->a];
        if (!tape->active[t] || (!analysis->passes[t] && !left && !right))
            continue;
        append(analysis, t);
        LitheTerm operand[3];
        int operands = lithe_tape_operands(term, operand);
        for (int i = 0; i < operands && analysis->passes[t]; i++)
            analysis->passes[operand[i]] = true;
        analysis->passes[term->a] |= left;
        if (both)
            analysis->passes[term->b] |= right;
    }
    sweep->back_end = sweep->touched_start = tape->list_count;
    for (int32_t t = 0; t < tape->leaves; t++)
        if (analysis->passes[t] && tape->active[t])
            append(analysis, t);
    sweep->touched_end = tape->list_count;
}

static bool list_reads(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t n = tape->inputs, count = 0;
    tape->reads = lithe_alloc_array(tape->context, tape->hessian_start[n], sizeof *tape->reads);
    if (tape->reads == NULL)
        return false;
    for (int32_t colour = 0; colour < tape->colours; colour++) {
        tape->columns[colour].read_start = count;
        for (int32_t i = 0; i < n; i++)
            for (int32_t e = tape->hessian_start[i]; e < tape->hessian_start[i + 1]; e++) {
                int32_t j = tape->hessian_column[e], direction = direction_of(tape, i, j);
                if (has(analysis->meet + (int64_t)i * analysis->words, j) &&
                    tape->colour_of[direction] == colour)
                    tape->reads[count++] = (LitheTapeRead){e, direction == j ? i : j};
            }
        tape->columns[colour].read_end = count;
    }
    return true;
}

static bool plan_sweeps(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    tape->rows = lithe_alloc_array(tape->context, tape->output_count, sizeof *tape->rows);
    tape->columns = lithe_alloc_array(tape->context, tape->colours, sizeof *tape->columns);
    uint64_t *seeds = lithe_alloc_array(tape->context, analysis->words, sizeof *seeds);
    bool made = tape->rows != NULL && tape->columns != NULL && seeds != NULL;
    for (int32_t i = 0; made && i < tape->output_count; i++)
        plan_row(analysis, i, &tape->rows[i]);
    for (int32_t i = 0; made && i < tape->colours; i++)
        plan_column(analysis, i, &tape->columns[i], seeds);
    lithe_free(tape->context, seeds);
    return made && list_reads(analysis) && !analysis->failed;
}

LitheStatus lithe_tape_analyse(LitheTape *tape, LitheError *error) {
    Analysis analysis = {.tape = tape, .words = (tape->inputs + 63) / 64};
    LitheContext *context = tape->context;
    int64_t n = tape->inputs, words = analysis.words, count = tape->count;
    tape->input_term = lithe_alloc_array(context, n, sizeof *tape->input_term);
    tape->colour_of = lithe_alloc_array(context, n, sizeof *tape->colour_of);
    analysis.depend = lithe_alloc_array(context, count * words, sizeof *analysis.depend);
    analysis.meet = lithe_alloc_array(context, n * words, sizeof *analysis.meet);
    analysis.all = lithe_alloc_array(context, n * words, sizeof *analysis.all);
    analysis.read = lithe_alloc_array(context, n * words, sizeof *analysis.read);
    analysis.form = lithe_alloc_array(context, count, sizeof *analysis.form);
    analysis.moves = lithe_alloc_array(context, count, sizeof *analysis.moves);
    analysis.passes = lithe_alloc_array(context, count, sizeof *analysis.passes);
    bool made = tape->input_term != NULL && tape->colour_of != NULL && analysis.depend != NULL &&
                analysis.meet != NULL && analysis.all != NULL && analysis.read != NULL &&
                analysis.form != NULL && analysis.moves != NULL && analysis.passes != NULL;
    if (made) {
        find_dependence(&analysis);
        for (int32_t t = 0; t < tape->count; t++)
            analysis.form[t] = form_of(&analysis, t);
        made = !analysis.failed;
    }
    if (made) {
        find_meetings(&analysis);
        choose_directions(&analysis);
        colour_directions(&analysis);
        made = find_patterns(&analysis);
    }
    if (made) {
        find_shares(&analysis, true);
        made = plan_sweeps(&analysis);
    }
    void *const blocks[] = {analysis.depend, analysis.meet,  analysis.all,    analysis.read,
                            analysis.form,   analysis.moves, analysis.passes, analysis.pool};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        lithe_free(context, blocks[i]);
    return made ? LITHE_OK : lithe_fail_memory(error, "the derivatives of a plan");
}
