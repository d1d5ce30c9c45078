// SPDX-License-Identifier: Apache-2.0
// geom/knot_colour.c - determinant of the colouring relations of a knot, by sparse elimination
//
// Each crossing gives one relation between the three arcs that meet there, 2 over - in - out = 0.
// The determinant of these relations, without one of them and one arc, is that of the knot, up to
// sign. A relation has three entries, and crossings lie in a plane: with the pivot in the shortest
// row and there in the shortest column, rows stay short. The work is counted and limited: the
// number of crossings alone does not bound it. The determinant is computed modulo two primes: when
// both residues represent the same small integer, that is the result.

#include "base/memory.h"
#include "base/status.h"
#include "geom/knot.h"

#include <string.h>

// --- arithmetic modulo a prime -------------------------------------------------------------------

/// For a prime 2^61 - c with small c: 2^61 is congruent to c, so the high part folds onto the low
/// one.
static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t prime) {
    const uint64_t top = (uint64_t)1 << 61, c = top - prime;
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t high = (uint64_t)(product >> 61), low = (uint64_t)product & (top - 1);
    product = (unsigned __int128)high * c + low;
    uint64_t rest = (uint64_t)(product >> 61) * c + ((uint64_t)product & (top - 1));
    return rest >= prime ? rest - prime : rest;
}

static uint64_t add_mod(uint64_t a, uint64_t b, uint64_t prime) {
    uint64_t sum = a + b;
    return sum >= prime ? sum - prime : sum;
}

static uint64_t inverse_mod(uint64_t a, uint64_t prime) {
    if (a == 1 || a == prime - 1)
        return a;
    uint64_t result = 1;
    for (uint64_t e = prime - 2; e; e >>= 1, a = mul_mod(a, a, prime))
        if (e & 1)
            result = mul_mod(result, a, prime);
    return result;
}

// --- the sparse matrix ---------------------------------------------------------------------------

typedef struct Entry {
    uint64_t value;
    int32_t column;
} Entry;

typedef struct Row {
    int32_t at, count, capacity; // its entries in the pool, by column
    int32_t next, prev;          // rows of equal length; -1: none
} Row;

typedef struct Column {
    int32_t at, listed, capacity; // each row that ever had an entry here, some twice
    int32_t count;                // of entries now
} Column;

typedef struct Matrix {
    LitheContext *context;
    Row *rows;       // [n]
    Column *columns; // [n]
    int32_t *first;  // [n + 1] first row of each length; -1: none
    bool *done;      // [n] rows that were pivots
    // a row or list that grows is moved to the end of its pool; its old place is not reused
    Entry *entries;
    int32_t entry_count, entry_capacity;
    int32_t *lists;
    int32_t list_count, list_capacity;
    Entry *merged;
    int32_t merged_capacity;
    int32_t n;
    uint64_t prime;
    int64_t *work; // that may still be done
    bool failed;   // out of memory
} Matrix;

static void link_row(Matrix *m, int32_t r) {
    Row *row = &m->rows[r];
    row->prev = -1;
    row->next = m->first[row->count];
    if (row->next >= 0)
        m->rows[row->next].prev = r;
    m->first[row->count] = r;
}

static void unlink_row(Matrix *m, int32_t r) {
    const Row *row = &m->rows[r];
    if (row->prev >= 0)
        m->rows[row->prev].next = row->next;
    else
        m->first[row->count] = row->next;
    if (row->next >= 0)
        m->rows[row->next].prev = row->prev;
}

// reserves capacity for `count` entries of a row; its entries are lost if it moves
static bool reserve_row(Matrix *m, Row *row, int32_t count) {
    if (count <= row->capacity)
        return true;
    int64_t room = (int64_t)count + count / 2;
    if (!LITHE_RESERVE(m->context, m->entries, m->entry_capacity, m->entry_count + room)) {
        m->failed = true;
        return false;
    }
    row->at = m->entry_count;
    row->capacity = (int32_t)room;
    m->entry_count += row->capacity;
    return true;
}

// lists the row in a column
static void list_row(Matrix *m, int32_t column, int32_t row) {
    Column *c = &m->columns[column];
    c->count++;
    if (c->listed == c->capacity) {
        int64_t room = 2 * (int64_t)c->capacity + 4;
        if (!LITHE_RESERVE(m->context, m->lists, m->list_capacity, m->list_count + room)) {
            m->failed = true;
            return;
        }
        if (c->listed > 0)
            memcpy(m->lists + m->list_count, m->lists + c->at,
                   (size_t)c->listed * sizeof *m->lists);
        c->at = m->list_count;
        c->capacity = (int32_t)room;
        m->list_count += c->capacity;
    }
    m->lists[c->at + c->listed++] = row;
}

// adds to one entry of a relation, which has capacity for three; entries stay in the order of
// columns
static void add_entry(Matrix *m, int32_t r, int32_t column, uint64_t value) {
    Row *row = &m->rows[r];
    Entry *entries = m->entries + row->at;
    int32_t at = 0;
    while (at < row->count && entries[at].column < column)
        at++;
    if (at < row->count && entries[at].column == column) {
        entries[at].value = add_mod(entries[at].value, value, m->prime);
        return;
    }
    memmove(entries + at + 1, entries + at, (size_t)(row->count - at) * sizeof *entries);
    entries[at] = (Entry){value, column};
    row->count++;
}

static uint64_t value_at(const Matrix *m, const Row *row, int32_t column) {
    const Entry *entries = m->entries + row->at;
    int32_t low = 0, high = row->count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (entries[half].column < column)
            low = half + 1;
        else
            high = half;
    }
    return low < row->count && entries[low].column == column ? entries[low].value : 0;
}

// work of an entry that is visited, and of a pivot [ns]
enum { ENTRY_WORK = 6, PIVOT_WORK = 300 };

// row r += factor * pivot, without the column of the pivot, where the sum is 0
static void add_row(Matrix *m, int32_t r, const Row *pivot, int32_t column, uint64_t factor) {
    Row *row = &m->rows[r];
    int64_t room = (int64_t)row->count + pivot->count;
    if (!LITHE_RESERVE(m->context, m->merged, m->merged_capacity, room)) {
        m->failed = true;
        return;
    }
    *m->work -= ENTRY_WORK * room;
    const Entry *own = m->entries + row->at, *other = m->entries + pivot->at;
    int32_t count = 0;
    for (int32_t i = 0, k = 0; i < row->count || k < pivot->count;) {
        int32_t a = i < row->count ? own[i].column : INT32_MAX;
        int32_t b = k < pivot->count ? other[k].column : INT32_MAX;
        int32_t c = a < b ? a : b;
        uint64_t value = a == c ? own[i++].value : 0;
        if (b == c)
            value = add_mod(value, mul_mod(factor, other[k++].value, m->prime), m->prime);
        if (c == column || value == 0) {
            m->columns[c].count -= a == c;
            continue;
        }
        if (a != c)
            list_row(m, c, r);
        m->merged[count++] = (Entry){value, c};
    }
    unlink_row(m, r);
    if (reserve_row(m, row, count)) {
        if (count > 0)
            memcpy(m->entries + row->at, m->merged, (size_t)count * sizeof *m->merged);
        row->count = count;
    }
    link_row(m, r);
}

// --- elimination ---------------------------------------------------------------------------------

// the pivot of row r: the entry whose column has the fewest entries; removes the row from all
// columns
static Entry choose(Matrix *m, int32_t r) {
    const Row *row = &m->rows[r];
    Entry best = m->entries[row->at];
    for (int32_t i = 0; i < row->count; i++) {
        Entry entry = m->entries[row->at + i];
        if (m->columns[entry.column].count < m->columns[best.column].count)
            best = entry;
    }
    for (int32_t i = 0; i < row->count; i++)
        m->columns[m->entries[row->at + i].column].count--;
    return best;
}

// Determinant, the representative of smallest size, without sign. -1: the limit of the work was
// reached.
static int64_t eliminate(Matrix *m) {
    uint64_t det = 1;
    int32_t shortest = 0;
    for (int32_t k = 0; k < m->n; k++) {
        while (m->first[shortest] < 0)
            shortest++;
        if (shortest == 0)
            return 0; // a row without entries
        int32_t r = m->first[shortest];
        Entry pivot = choose(m, r);
        det = mul_mod(det, pivot.value, m->prime);
        uint64_t inverse = inverse_mod(pivot.value, m->prime);
        unlink_row(m, r);
        m->done[r] = true;
        // a copy is enough: no row is added to this column below
        const Column c = m->columns[pivot.column];
        *m->work -= PIVOT_WORK + ENTRY_WORK * (int64_t)c.listed;
        for (int32_t i = 0; i < c.listed && !m->failed && *m->work > 0; i++) {
            int32_t other = m->lists[c.at + i];
            uint64_t with = m->done[other] ? 0 : value_at(m, &m->rows[other], pivot.column);
            if (with == 0)
                continue;
            add_row(m, other, &m->rows[r], pivot.column,
                    m->prime - mul_mod(with, inverse, m->prime));
            if (m->rows[other].count < shortest)
                shortest = m->rows[other].count;
        }
        if (m->failed || *m->work <= 0)
            return -1;
    }
    return (int64_t)(det <= m->prime / 2 ? det : m->prime - det);
}

// Fills the relations without the last crossing and the last arc. An arc runs from one passage
// under to the next; the relation at the end of an arc has the number of the arc.
static void fill_relations(Matrix *m, const LitheDiagram *diagram, const int32_t *over_arc) {
    int32_t n = m->n, arc = 0;
    for (int32_t i = 0; i < diagram->passage_count && arc < n; i++) {
        if (diagram->passages[i].over)
            continue;
        int32_t over = over_arc[diagram->passages[i].crossing];
        if (!reserve_row(m, &m->rows[arc], 3))
            return;
        if (over < n)
            add_entry(m, arc, over, 2);
        add_entry(m, arc, arc, m->prime - 1);
        if (arc + 1 < n)
            add_entry(m, arc, arc + 1, m->prime - 1);
        arc++;
    }
    for (int32_t k = 0; k <= n; k++)
        m->first[k] = -1;
    for (int32_t r = 0; r < n && !m->failed; r++) {
        // over and in may be the same arc: 2 - 1; entries never cancel
        for (int32_t i = 0; i < m->rows[r].count; i++)
            list_row(m, m->entries[m->rows[r].at + i].column, r);
        link_row(m, r);
    }
}

static bool allocate(Matrix *m) {
    m->rows = lithe_alloc_array(m->context, m->n, sizeof *m->rows);
    m->columns = lithe_alloc_array(m->context, m->n, sizeof *m->columns);
    m->first = lithe_alloc_array(m->context, (int64_t)m->n + 1, sizeof *m->first);
    m->done = lithe_alloc_array(m->context, m->n, sizeof *m->done);
    return m->rows && m->columns && m->first && m->done;
}

static void release(Matrix *m) {
    void *blocks[] = {m->rows, m->columns, m->first, m->done, m->entries, m->lists, m->merged};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(m->context, blocks[k]);
}

static int64_t determinant_mod(LitheDiagram *diagram, const int32_t *over_arc, uint64_t prime,
                               LitheError *error) {
    Matrix m = {.context = diagram->context,
                .n = diagram->passage_count / 2 - 1,
                .prime = prime,
                .work = &diagram->work};
    int64_t result = -1;
    m.failed = !allocate(&m);
    if (!m.failed)
        fill_relations(&m, diagram, over_arc);
    if (!m.failed)
        result = eliminate(&m);
    if (m.failed)
        lithe_fail_memory(error, "the crossings of a knot");
    else if (result < 0)
        lithe_fail(error, LITHE_NOT_SUPPORTED,
                   "knot: a projection with %d crossings that could not be simplified takes too "
                   "much work: its type is undecided",
                   m.n + 1);
    release(&m);
    return result;
}

int64_t lithe_knot_colour(LitheDiagram *diagram, LitheError *error) {
    // the largest primes below 2^61: sums of two residues stay within 64 bits
    static const uint64_t primes[2] = {2305843009213693951u, 2305843009213693921u};
    int32_t crossings = diagram->passage_count / 2;
    if (crossings < 3)
        return 1;
    // over_arc is indexed by crossing, with the numbers from before untangling
    int32_t names = 0;
    for (int32_t i = 0; i < diagram->passage_count; i++)
        if (diagram->passages[i].crossing >= names)
            names = diagram->passages[i].crossing + 1;
    int32_t *over_arc = lithe_alloc_array(diagram->context, names, sizeof *over_arc);
    if (!over_arc) {
        lithe_fail_memory(error, "the crossings of a knot");
        return -1;
    }
    int32_t arc = 0; // the last arc continues as the first
    for (int32_t i = 0; i < diagram->passage_count; i++) {
        if (diagram->passages[i].over)
            over_arc[diagram->passages[i].crossing] = arc;
        else if (++arc == crossings)
            arc = 0;
    }
    int64_t det[2] = {determinant_mod(diagram, over_arc, primes[0], error), -1};
    if (det[0] >= 0)
        det[1] = determinant_mod(diagram, over_arc, primes[1], error);
    lithe_free(diagram->context, over_arc);
    if (det[0] < 0 || det[1] < 0)
        return -1;
    if (det[0] == det[1] && det[0] < (int64_t)1 << 60)
        return det[0];
    lithe_fail(error, LITHE_NOT_SUPPORTED, "knot of %d crossings: its determinant is 2^60 or more",
               crossings);
    return -1;
}
