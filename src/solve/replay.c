// SPDX-License-Identifier: Apache-2.0
// solve/replay.c - a convex problem as a file, to be solved again
//
// Words and numbers between blanks; numbers of (V22), data/system.h, in hexadecimal, which keeps
// their bits:
//     lithe-system 8 TERM_NUMBERS
//     setting TOLERANCE MOMENTUM NOISE LAG FOLLOWS STEADY MAX_ITERATIONS MIN_ITERATIONS
//     nodes COUNT SIZE...
//     parts COUNT FIRST_NODE...           A has no entries between parts
//     blocks COUNT (ROW COLUMN)...        below the diagonal
//     matrix VALUE...                     A, in the order of the block matrix
//     ranks COUNT U...                    its terms of rank one, all DoFs of each
//     dofs (HELD W0 R START)...
//     couplings COUNT, then each: SOURCE INDEX SIDE DRIVE ACTIVE RECALLED SLID[2] KIND ROWS
//     NUMBER... BIAS... NODES, and of each node its number and J [rows][size]
// Idle contacts, which stay open, are left out.

#include "solve/replay.h"

#include "assemble/assemble.h"
#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// all members of LitheTerm from h on are doubles
enum { TERM_NUMBERS = (int)((sizeof(LitheTerm) - offsetof(LitheTerm, h)) / sizeof(double)) };

// files with more nodes or couplings than this are refused
#define MAX_ITEMS 10000000

// --- writing -------------------------------------------------------------------------------------

static void put_numbers(FILE *file, const double *x, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        fprintf(file, " %a", x[i]);
}

static void put_blocks(FILE *file, const LitheBlockMatrix *m) {
    fprintf(file, "blocks %d", (int)(m->start[m->count] - m->count));
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j] + 1; e < m->start[j + 1]; e++)
            fprintf(file, " %d %d", (int)m->row[e], (int)j);
}

static void put_coupling(FILE *file, const LitheSystem *system, const LitheCoupling *c) {
    double numbers[TERM_NUMBERS];
    memcpy(numbers, &c->term.h, sizeof numbers);
    fprintf(file, "%d %d %d %d %d %d", (int)c->source, (int)c->index, (int)c->side, (int)c->drive,
            (int)c->was_active, (int)c->recalled);
    put_numbers(file, c->slid, 2);
    fprintf(file, " %d %d", (int)c->term.kind, (int)c->term.rows);
    put_numbers(file, numbers, TERM_NUMBERS);
    put_numbers(file, c->bias, c->term.rows);
    fprintf(file, " %d", (int)c->node_count);
    for (int32_t k = 0; k < c->node_count; k++) {
        fprintf(file, " %d", (int)c->node[k]);
        put_numbers(file, system->jacobian + c->jacobian_at[k],
                    (int64_t)c->term.rows * system->node_size[c->node[k]]);
    }
    fputc('\n', file);
}

LitheStatus lithe_replay_write(const LitheSystem *system, const LitheConvexSetting *setting,
                               const double *start, const char *path, LitheError *error) {
    LitheFileReplace replace;
    LitheStatus status = lithe_file_replace_begin(system->context, path, &replace, error);
    if (status != LITHE_OK)
        return status;
    FILE *file = replace.file;
    fprintf(file, "lithe-system 9 %d\nsetting %a %a %a %a %d %a %d %d %d %d\nnodes %d",
            TERM_NUMBERS, setting->tolerance, setting->momentum, setting->noise, setting->lag,
            (int)setting->follows, setting->steady, (int)setting->rigid, (int)setting->mesh,
            (int)setting->max_iterations, (int)setting->min_iterations, (int)system->node_count);
    for (int32_t i = 0; i < system->node_count; i++)
        fprintf(file, " %d", (int)system->node_size[i]);
    fprintf(file, "\nparts %d", (int)system->part_count);
    for (int32_t i = 0; i < system->part_count; i++)
        fprintf(file, " %d", (int)system->part_start[i]);
    fputc('\n', file);
    put_blocks(file, system->matrix);
    fputs("\nmatrix", file);
    put_numbers(file, system->A, lithe_system_value_count(system));
    fprintf(file, "\nranks %d", (int)system->matrix->rank_count);
    put_numbers(file, system->matrix->rank,
                (int64_t)system->matrix->rank_count * system->dof_count);
    fputs("\ndofs", file);
    for (int32_t i = 0; i < system->dof_count; i++)
        fprintf(file, " %d %a %a %a", (int)system->held[i], system->w0[i], system->r[i], start[i]);
    int32_t count = 0;
    for (int32_t i = 0; i < system->coupling_count; i++)
        count += !system->couplings[i].idle;
    fprintf(file, "\ncouplings %d\n", (int)count);
    for (int32_t i = 0; i < system->coupling_count; i++)
        if (!system->couplings[i].idle)
            put_coupling(file, system, &system->couplings[i]);
    return lithe_file_replace_commit(&replace, error);
}

// --- reading -------------------------------------------------------------------------------------

typedef struct Reader {
    FILE *file;
    int32_t line;
    bool bad;
    char token[64];
} Reader;

// reads the next word between blanks; empty at the end of the file
static void next(Reader *r) {
    int length = 0, c = getc(r->file);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        r->line += c == '\n';
        c = getc(r->file);
    }
    while (c != EOF && c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        if (length + 1 < (int)sizeof r->token)
            r->token[length++] = (char)c;
        c = getc(r->file);
    }
    if (c == '\n')
        ungetc(c, r->file);
    r->token[length] = 0;
}

static void word(Reader *r, const char *wanted) {
    if (r->bad)
        return;
    next(r);
    r->bad = strcmp(r->token, wanted) != 0;
}

static double number(Reader *r) {
    if (r->bad)
        return 0;
    next(r);
    char *end = r->token;
    double value = strtod(r->token, &end);
    r->bad = end == r->token || *end != 0;
    return value;
}

static int32_t whole(Reader *r, int32_t low, int32_t high) {
    if (r->bad)
        return low;
    next(r);
    char *end = r->token;
    errno = 0;
    long value = strtol(r->token, &end, 10);
    r->bad = end == r->token || *end != 0 || errno != 0 || value < low || value > high;
    return r->bad ? low : (int32_t)value;
}

static void numbers(Reader *r, double *x, int64_t count) {
    for (int64_t i = 0; i < count && !r->bad; i++)
        x[i] = number(r);
}

// Each returns false when out of memory; a wrong word or number is recorded in the reader.

static bool read_parts(Reader *r, LitheSystem *s) {
    word(r, "parts");
    s->part_count = whole(r, 1, s->node_count);
    if (!LITHE_RESERVE(s->context, s->part_start, s->part_capacity, s->part_count + 1))
        return false;
    for (int32_t i = 0; i < s->part_count && !r->bad; i++)
        s->part_start[i] =
            i == 0 ? whole(r, 0, 0) : whole(r, s->part_start[i - 1] + 1, s->node_count - 1);
    s->part_start[s->part_count] = s->node_count;
    return true;
}

static bool read_nodes(Reader *r, LitheSystem *s) {
    word(r, "nodes");
    int32_t count = whole(r, 1, MAX_ITEMS);
    if (!LITHE_RESERVE(s->context, s->node_size, s->node_capacity, count) ||
        !LITHE_RESERVE(s->context, s->node_at, s->node_at_capacity, count + 1))
        return false;
    s->dof_count = 0;
    for (int32_t i = 0; i < count; i++) {
        s->node_at[i] = s->dof_count;
        s->node_size[i] = whole(r, 1, 1000);
        s->dof_count += s->node_size[i];
        r->bad = r->bad || s->dof_count > MAX_ITEMS;
        if (r->bad)
            return true;
    }
    s->node_at[count] = s->dof_count;
    s->node_count = count;
    if (!read_parts(r, s))
        return false;
    word(r, "blocks");
    s->pairs.context = s->context;
    s->pairs.count = whole(r, 0, MAX_ITEMS);
    if (!LITHE_RESERVE(s->context, s->pairs.data, s->pairs.capacity, s->pairs.count))
        return false;
    for (int32_t i = 0; i < s->pairs.count && !r->bad; i++) {
        s->pairs.data[i].a = whole(r, 0, count - 1);
        s->pairs.data[i].b = whole(r, 0, count - 1);
    }
    return true;
}

static bool read_coupling(Reader *r, LitheSystem *s, LitheCoupling *c) {
    double values[TERM_NUMBERS];
    memset(c, 0, sizeof *c);
    c->source = (LitheCouplingSource)whole(r, 0, LITHE_SOURCE_DRIVE);
    c->index = whole(r, 0, INT32_MAX);
    c->side = whole(r, 0, INT32_MAX);
    c->drive = whole(r, 0, INT32_MAX);
    c->was_active = whole(r, 0, 1) != 0;
    c->recalled = whole(r, 0, 1) != 0;
    numbers(r, c->slid, 2);
    c->weight = 1;
    c->term.kind = (LitheTermKind)whole(r, 0, LITHE_TERM_PULL);
    c->term.rows = whole(r, 1, LITHE_COUPLED_ROWS);
    numbers(r, values, TERM_NUMBERS);
    if (r->bad)
        return true;
    memcpy(&c->term.h, values, sizeof values);
    r->bad = c->term.kind <= LITHE_TERM_SIMILAR &&
             c->term.rows != 3 + (c->term.torsion > 0) + 2 * (c->term.roll > 0);
    numbers(r, c->bias, c->term.rows);
    c->node_count = whole(r, 1, LITHE_COUPLED_NODES);
    c->node = s->places + s->place_count;
    c->jacobian_at = c->node + c->node_count;
    s->place_count += 2 * c->node_count;
    for (int32_t k = 0; k < c->node_count && !r->bad; k++) {
        c->node[k] = whole(r, 0, s->node_count - 1);
        c->jacobian_at[k] = s->jacobian_count;
        int32_t count = c->term.rows * s->node_size[c->node[k]];
        s->jacobian_count += count;
        if (!LITHE_RESERVE(s->context, s->jacobian, s->jacobian_capacity, s->jacobian_count))
            return false;
        numbers(r, s->jacobian + c->jacobian_at[k], count);
    }
    // the matrix must contain the blocks of the coupling
    for (int32_t a = 0; a < c->node_count && !r->bad; a++)
        for (int32_t b = 0; b < a; b++) {
            int32_t high = c->node[a] > c->node[b] ? c->node[a] : c->node[b];
            int32_t low = c->node[a] + c->node[b] - high;
            r->bad = r->bad || high == low || lithe_block_find(s->matrix, high, low) < 0;
        }
    return true;
}

// diag(A)^-1/2
static void set_scale(LitheSystem *s) {
    for (int32_t j = 0; j < s->node_count; j++) {
        int32_t size = s->node_size[j], at = s->node_at[j];
        const double *D = s->A + s->matrix->value_at[s->matrix->start[j]];
        for (int32_t k = 0; k < size; k++) {
            double a = D[(size + 1) * k];
            s->scale[at + k] = s->held[at + k] || a == 0 ? 0 : 1 / sqrt(fabs(a));
        }
    }
}

static bool read_all(Reader *r, LitheSystem *s, LitheConvexSetting *setting) {
    word(r, "lithe-system");
    whole(r, 9, 9);
    whole(r, TERM_NUMBERS, TERM_NUMBERS);
    word(r, "setting");
    setting->tolerance = number(r);
    setting->momentum = number(r);
    setting->noise = number(r);
    setting->lag = number(r);
    setting->follows = whole(r, 0, INT32_MAX);
    setting->steady = number(r);
    setting->warm_start = false;
    setting->reuse = 0;
    setting->rigid = whole(r, 0, 1) != 0;
    setting->mesh = whole(r, 0, 1) != 0;
    setting->max_iterations = whole(r, 0, INT32_MAX);
    setting->min_iterations = whole(r, 0, INT32_MAX);
    if (!read_nodes(r, s))
        return false;
    s->matrix = lithe_block_matrix_create(s->context);
    s->factor = lithe_block_factor_create(s->context);
    if (!s->matrix || !s->factor)
        return false;
    if (r->bad)
        return true;
    if (!lithe_system_allocate(s))
        return false;
    word(r, "matrix");
    numbers(r, s->A, lithe_system_value_count(s));
    word(r, "ranks");
    int32_t ranks = whole(r, 0, MAX_ITEMS);
    if (!r->bad && !lithe_block_reserve_ranks(s->matrix, ranks))
        return false;
    for (int32_t k = 0; k < ranks && !r->bad; k++)
        numbers(r, lithe_block_add_rank(s->matrix), s->dof_count);
    word(r, "dofs");
    for (int32_t i = 0; i < s->dof_count && !r->bad; i++) {
        s->held[i] = (unsigned char)whole(r, 0, 1);
        s->w0[i] = number(r);
        s->r[i] = number(r);
        s->w[i] = number(r);
    }
    word(r, "couplings");
    int32_t count = whole(r, 0, MAX_ITEMS);
    for (int32_t i = 0; i < count && !r->bad; i++) {
        if (!LITHE_RESERVE(s->context, s->couplings, s->coupling_capacity, i + 1) ||
            !lithe_coupling_reserve(s, (int64_t)s->place_count + 2 * LITHE_COUPLED_NODES, 0) ||
            !read_coupling(r, s, &s->couplings[i]))
            return false;
        s->coupling_count = i + 1;
    }
    if (r->bad)
        return true;
    if (!lithe_system_bind(s))
        return false;
    set_scale(s);
    s->momentum = setting->momentum;
    s->noise = setting->noise;
    return true;
}

LitheStatus lithe_replay_read(LitheContext *context, const char *path, LitheSystem *system,
                              LitheConvexSetting *setting, LitheError *error) {
    Reader r = {.file = lithe_file_open_input(path), .line = 1};
    if (!r.file)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: %s", path, lithe_file_reason(errno));
    system->context = context;
    bool ok = read_all(&r, system, setting);
    fclose(r.file);
    if (!ok)
        return lithe_fail_memory(error, "the problem of a replay");
    if (r.bad)
        return lithe_fail_at(error, LITHE_BAD_INPUT, path, r.line, 0,
                             "unexpected '%s' in the file of a convex problem", r.token);
    return LITHE_OK;
}
