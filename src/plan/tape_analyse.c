// SPDX-License-Identifier: Apache-2.0
// plan/tape_analyse.c - patterns of the derivatives of a tape, directions and their colours, sweeps
//
// Second derivatives come by columns: a direction of one input gives its whole column. A set of
// inputs is chosen so that every entry lies in the row or the column of one of them; inputs whose
// columns do not meet where they are read share a colour, and one direction serves them all.

#include "plan/tape_parts.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

typedef struct Analysis {
    LitheTape *tape;
    int32_t words;    // of a set of inputs
    uint64_t *depend; // [count*words]: inputs that a term depends on
    uint64_t *meet;   // [inputs*words]: inputs with a second derivative together with one
    uint64_t *read;   // [inputs*words]: rows that are read from the column of a direction
    bool *useful;     // [count]: influences an output
    bool *moves;      // [count]: has a tangent in the sweep
    bool *passes;     // [count]: its adjoint has a tangent in the sweep, or one of the rows
    bool failed;
} Analysis;

static bool leaf(const LitheTapeTerm *term) {
    return term->op <= LITHE_TAPE_OP_CONSTANT;
}

static bool binary(const LitheTapeTerm *term) {
    return term->op >= LITHE_TAPE_OP_ADD && term->op < LITHE_TAPE_OP_FUNCTION;
}

static bool has(const uint64_t *set, int32_t i) {
    return (set[i >> 6] >> (i & 63) & 1) != 0;
}

static void insert(uint64_t *set, int32_t i) {
    set[i >> 6] |= (uint64_t)1 << (i & 63);
}

static bool empty(const uint64_t *set, int32_t words) {
    uint64_t all = 0;
    for (int32_t w = 0; w < words; w++)
        all |= set[w];
    return all == 0;
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
        if (term->op == LITHE_TAPE_OP_INPUT) {
            insert(set, term->a);
            tape->input_term[term->a] = t;
        } else if (!leaf(term)) {
            const uint64_t *a = inputs_of(analysis, term->a);
            const uint64_t *b = inputs_of(analysis, binary(term) ? term->b : term->a);
            for (int32_t w = 0; w < words; w++)
                set[w] = a[w] | b[w];
        }
    }
    for (int32_t i = 0; i < tape->output_count; i++)
        analysis->useful[tape->outputs[i]] = true;
    for (int32_t t = tape->count - 1; t >= 0; t--) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!analysis->useful[t] || leaf(term))
            continue;
        analysis->useful[term->a] = true;
        if (binary(term))
            analysis->useful[term->b] = true;
    }
}

// the rows and columns in which a product or a function is not linear
static void find_meetings(Analysis *analysis) {
    const LitheTape *tape = analysis->tape;
    int32_t words = analysis->words;
    for (int32_t t = 0; t < tape->count; t++) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!analysis->useful[t] || term->op < LITHE_TAPE_OP_MULTIPLY)
            continue;
        const uint64_t *a = inputs_of(analysis, term->a);
        const uint64_t *b = inputs_of(analysis, binary(term) ? term->b : term->a);
        for (int32_t i = 0; i < tape->inputs; i++) {
            uint64_t *row = analysis->meet + (int64_t)i * words;
            uint64_t left = has(a, i) ? ~(uint64_t)0 : 0, right = has(b, i) ? ~(uint64_t)0 : 0;
            for (int32_t w = 0; w < words; w++)
                row[w] |= (left & b[w]) | (right & a[w]);
        }
    }
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
        sets[i] = analysis->meet + (int64_t)i * analysis->words;
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

static bool colour_directions(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    int32_t n = tape->inputs, words = analysis->words, count = tape->hessian_start[n];
    tape->hessian_colour = lithe_alloc_array(tape->context, count, sizeof *tape->hessian_colour);
    tape->hessian_row = lithe_alloc_array(tape->context, count, sizeof *tape->hessian_row);
    if (tape->hessian_colour == NULL || tape->hessian_row == NULL)
        return false;
    // hessian_colour holds the direction until all have their colours
    for (int32_t i = 0; i < n; i++)
        for (int32_t e = tape->hessian_start[i]; e < tape->hessian_start[i + 1]; e++) {
            int32_t j = tape->hessian_column[e];
            int32_t direction = tape->colour_of[j] >= 0 ? j : i;
            tape->hessian_colour[e] = direction;
            tape->hessian_row[e] = direction == j ? i : j;
            insert(analysis->read + (int64_t)direction * words, tape->hessian_row[e]);
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
    for (int32_t e = 0; e < count; e++)
        tape->hessian_colour[e] = tape->colour_of[tape->hessian_colour[e]];
    return true;
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

// the terms that influence one of the rows
static void plan_rows(Analysis *analysis, LitheTapeSweep *sweep) {
    const LitheTape *tape = analysis->tape;
    memset(analysis->passes, 0, (size_t)tape->count * sizeof *analysis->passes);
    for (int32_t i = 0; i < sweep->lanes; i++)
        analysis->passes[tape->outputs[sweep->first + i]] = true;
    sweep->back_start = tape->list_count;
    for (int32_t t = tape->count - 1; t >= 0; t--) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!analysis->passes[t] || leaf(term) || empty(inputs_of(analysis, t), analysis->words))
            continue;
        append(analysis, t);
        analysis->passes[term->a] = true;
        if (binary(term))
            analysis->passes[term->b] = true;
    }
    sweep->back_end = tape->list_count;
}

// the terms that move along the directions, and those whose adjoints change with them
static void plan_columns(Analysis *analysis, LitheTapeSweep *sweep, uint64_t *seeds) {
    const LitheTape *tape = analysis->tape;
    int32_t words = analysis->words;
    memset(seeds, 0, (size_t)words * sizeof *seeds);
    for (int32_t i = 0; i < tape->inputs; i++)
        if (tape->colour_of[i] >= sweep->first && tape->colour_of[i] < sweep->first + sweep->lanes)
            insert(seeds, i);
    sweep->forward_start = tape->list_count;
    for (int32_t t = 0; t < tape->count; t++) {
        analysis->moves[t] = analysis->useful[t] && overlap(inputs_of(analysis, t), seeds, words);
        if (analysis->moves[t] && !leaf(&tape->terms[t]))
            append(analysis, t);
    }
    sweep->forward_end = sweep->back_start = tape->list_count;
    memset(analysis->passes, 0, (size_t)tape->count * sizeof *analysis->passes);
    for (int32_t t = tape->count - 1; t >= 0; t--) {
        const LitheTapeTerm *term = &tape->terms[t];
        if (!analysis->useful[t] || leaf(term) || empty(inputs_of(analysis, t), words))
            continue;
        bool both = binary(term), curved = term->op >= LITHE_TAPE_OP_MULTIPLY;
        bool left = both ? analysis->moves[term->b] : analysis->moves[term->a];
        bool right = both && analysis->moves[term->a];
        if (!analysis->passes[t] && !(curved && (left || right)))
            continue;
        append(analysis, t);
        analysis->passes[term->a] |= analysis->passes[t] || (curved && left);
        if (both)
            analysis->passes[term->b] |= analysis->passes[t] || (curved && right);
    }
    sweep->back_end = tape->list_count;
}

static LitheTapeSweep *new_sweeps(LitheTape *tape, int32_t count, int32_t *sweeps) {
    *sweeps = (count + LITHE_TAPE_LANES - 1) / LITHE_TAPE_LANES;
    LitheTapeSweep *list = lithe_alloc_array(tape->context, *sweeps, sizeof *list);
    for (int32_t i = 0; list != NULL && i < *sweeps; i++) {
        list[i].first = i * LITHE_TAPE_LANES;
        int32_t left = count - list[i].first;
        list[i].lanes = left < LITHE_TAPE_LANES ? left : LITHE_TAPE_LANES;
    }
    return list;
}

static bool plan_sweeps(Analysis *analysis) {
    LitheTape *tape = analysis->tape;
    tape->rows = new_sweeps(tape, tape->output_count, &tape->row_sweeps);
    tape->columns = new_sweeps(tape, tape->colours, &tape->column_sweeps);
    uint64_t *seeds = lithe_alloc_array(tape->context, analysis->words, sizeof *seeds);
    bool made = tape->rows != NULL && tape->columns != NULL && seeds != NULL;
    for (int32_t i = 0; made && i < tape->row_sweeps; i++)
        plan_rows(analysis, &tape->rows[i]);
    for (int32_t i = 0; made && i < tape->column_sweeps; i++)
        plan_columns(analysis, &tape->columns[i], seeds);
    lithe_free(tape->context, seeds);
    return made && !analysis->failed;
}

LitheStatus lithe_tape_analyse(LitheTape *tape, LitheError *error) {
    Analysis analysis = {.tape = tape, .words = (tape->inputs + 63) / 64};
    LitheContext *context = tape->context;
    int64_t n = tape->inputs, words = analysis.words;
    tape->input_term = lithe_alloc_array(context, n, sizeof *tape->input_term);
    tape->colour_of = lithe_alloc_array(context, n, sizeof *tape->colour_of);
    analysis.depend = lithe_alloc_array(context, tape->count * words, sizeof *analysis.depend);
    analysis.meet = lithe_alloc_array(context, n * words, sizeof *analysis.meet);
    analysis.read = lithe_alloc_array(context, n * words, sizeof *analysis.read);
    analysis.useful = lithe_alloc_array(context, tape->count, sizeof *analysis.useful);
    analysis.moves = lithe_alloc_array(context, tape->count, sizeof *analysis.moves);
    analysis.passes = lithe_alloc_array(context, tape->count, sizeof *analysis.passes);
    bool made = tape->input_term != NULL && tape->colour_of != NULL && analysis.depend != NULL &&
                analysis.meet != NULL && analysis.read != NULL && analysis.useful != NULL &&
                analysis.moves != NULL && analysis.passes != NULL;
    if (made) {
        find_dependence(&analysis);
        find_meetings(&analysis);
        choose_directions(&analysis);
    }
    made =
        made && find_patterns(&analysis) && colour_directions(&analysis) && plan_sweeps(&analysis);
    lithe_free(context, analysis.depend);
    lithe_free(context, analysis.meet);
    lithe_free(context, analysis.read);
    lithe_free(context, analysis.useful);
    lithe_free(context, analysis.moves);
    lithe_free(context, analysis.passes);
    return made ? LITHE_OK : lithe_fail_memory(error, "the derivatives of a plan");
}
