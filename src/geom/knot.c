// SPDX-License-Identifier: Apache-2.0
// geom/knot.c - knot determinant of a polyline
//
// The curve is projected along a direction (diagram.c); each crossing gives a relation between the
// three arcs that meet there, 2 over - in - out = 0 (colouring). The determinant of these
// relations, without one of them and one arc, is the same for every projection of the knot, up to
// sign. Curls and loose overlaps are first removed from the list of crossings, so that a wavy
// unknotted rod costs nothing. The determinant is computed modulo two primes; when both residues
// represent the same small integer, that is the result.

#include "geom/knot.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/diagram.h"
#include "geom/segment.h"

// --- removing curls and overlaps -----------------------------------------------------------------

typedef struct Ring {
    LithePassage *passages;
    int32_t *next, *prev;
    int32_t *other; // the same crossing's other passage
    bool *gone;
} Ring;

static void unlink_crossing(Ring *ring, int32_t a) {
    for (int k = 0; k < 2; k++, a = ring->other[a]) {
        ring->next[ring->prev[a]] = ring->next[a];
        ring->prev[ring->next[a]] = ring->prev[a];
        ring->gone[a] = true;
    }
}

/// One curl at passage a (a crossing met twice in a row) or one overlap (two crossings met in a row
/// twice, once both over and once both under) is removed. True when something was.
static bool untangle_at(Ring *ring, int32_t a) {
    int32_t b = ring->next[a];
    if (b == ring->other[a]) {
        unlink_crossing(ring, a);
        return true;
    }
    if (b == a || ring->passages[a].over != ring->passages[b].over)
        return false;
    int32_t c = ring->other[a], d = ring->other[b];
    if (ring->next[c] != d && ring->next[d] != c)
        return false;
    unlink_crossing(ring, a);
    unlink_crossing(ring, b);
    return true;
}

/// Removes until nothing changes; the remaining passages are compacted.
static LitheStatus untangle(LitheDiagram *diagram) {
    int32_t n = diagram->passage_count;
    LitheContext *context = diagram->context;
    int32_t *block = lithe_alloc_array(context, 4 * (int64_t)n, sizeof *block);
    bool *gone = lithe_alloc_array(context, n, sizeof *gone);
    if (!block || !gone) {
        lithe_free(context, block);
        lithe_free(context, gone);
        return LITHE_NO_MEMORY;
    }
    Ring ring = {diagram->passages, block, block + n, block + 2 * n, gone};
    int32_t *first = block + 3 * n; // passage at which a crossing was first met, plus one
    for (int32_t i = 0; i < n; i++) {
        ring.next[i] = i + 1 < n ? i + 1 : 0;
        ring.prev[i] = i > 0 ? i - 1 : n - 1;
        int32_t *met = &first[diagram->passages[i].crossing];
        if (*met) {
            ring.other[i] = *met - 1;
            ring.other[*met - 1] = i;
        }
        *met = i + 1;
    }

    // a removal may allow others: repeat until a round changes nothing
    bool changed = true;
    while (changed) {
        changed = false;
        for (int32_t i = 0; i < n; i++)
            while (!gone[i] && untangle_at(&ring, i))
                changed = true;
    }

    int32_t kept = 0;
    for (int32_t i = 0; i < n; i++)
        if (!gone[i])
            diagram->passages[kept++] = diagram->passages[i];
    diagram->passage_count = kept;
    lithe_free(context, block);
    lithe_free(context, gone);
    return LITHE_OK;
}

// --- determinant modulo a prime ------------------------------------------------------------------

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

static uint64_t inverse_mod(uint64_t a, uint64_t prime) {
    uint64_t result = 1;
    for (uint64_t e = prime - 2; e; e >>= 1, a = mul_mod(a, a, prime))
        if (e & 1)
            result = mul_mod(result, a, prime);
    return result;
}

/// Fills the relations 2 over - in - out, without the last crossing and the last arc.
static void fill_relations(const LitheDiagram *diagram, const int32_t *over_arc, uint64_t prime,
                           uint64_t *matrix) {
    int32_t n = diagram->passage_count / 2 - 1; // an arc runs from one passage under to the next
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        matrix[k] = 0;
    int32_t arc = 0;
    for (int32_t i = 0; i < diagram->passage_count; i++) {
        if (diagram->passages[i].over)
            continue;
        // row `arc`: the passage that ends this arc and begins the next
        int32_t in = arc, out = arc == n ? 0 : arc + 1;
        int32_t over = over_arc[diagram->passages[i].crossing];
        if (arc < n) {
            uint64_t *row = matrix + (int64_t)arc * n;
            if (over < n)
                row[over] = (row[over] + 2) % prime;
            if (in < n)
                row[in] = (row[in] + prime - 1) % prime;
            if (out < n)
                row[out] = (row[out] + prime - 1) % prime;
        }
        arc++;
    }
}

/// Determinant by elimination, the representative of smallest size, without sign.
static uint64_t determinant_mod(uint64_t *matrix, int32_t n, uint64_t prime) {
    uint64_t det = 1;
    for (int32_t k = 0; k < n; k++) {
        int32_t pivot = k;
        while (pivot < n && matrix[(int64_t)pivot * n + k] == 0)
            pivot++;
        if (pivot == n)
            return 0;
        // a swap only changes the sign
        uint64_t *top = matrix + (int64_t)k * n, *from = matrix + (int64_t)pivot * n;
        for (int32_t j = k; j < n; j++) {
            uint64_t keep = top[j];
            top[j] = from[j];
            from[j] = keep;
        }
        det = mul_mod(det, top[k], prime);
        uint64_t inverse = inverse_mod(top[k], prime);
        for (int32_t i = k + 1; i < n; i++) {
            uint64_t *row = matrix + (int64_t)i * n;
            if (row[k] == 0)
                continue;
            uint64_t factor = prime - mul_mod(row[k], inverse, prime);
            for (int32_t j = k; j < n; j++)
                if (top[j])
                    row[j] = (row[j] + mul_mod(factor, top[j], prime)) % prime;
        }
    }
    return det <= prime / 2 ? det : prime - det;
}

static int64_t colour(const LitheDiagram *diagram, LitheError *error) {
    // the largest primes below 2^61: sums of two residues stay within 64 bits
    static const uint64_t primes[2] = {2305843009213693951u, 2305843009213693921u};
    LitheContext *context = diagram->context;
    int32_t crossings = diagram->passage_count / 2, n = crossings - 1;
    if (crossings < 3)
        return 1;
    uint64_t *matrix = lithe_alloc_array(context, (int64_t)n * n, sizeof *matrix);
    // by crossing names before untangling: a name is less than the number of passages found
    int32_t names = 0;
    for (int32_t i = 0; i < diagram->passage_count; i++)
        if (diagram->passages[i].crossing >= names)
            names = diagram->passages[i].crossing + 1;
    int32_t *over_arc = lithe_alloc_array(context, names, sizeof *over_arc);
    int64_t result = -1;
    if (!matrix || !over_arc) {
        lithe_fail_memory(error, "the crossings of a knot");
        goto done;
    }
    int32_t arc = 0; // the last arc continues as the first
    for (int32_t i = 0; i < diagram->passage_count; i++) {
        if (diagram->passages[i].over)
            over_arc[diagram->passages[i].crossing] = arc;
        else if (++arc == crossings)
            arc = 0;
    }
    uint64_t det[2];
    for (int k = 0; k < 2; k++) {
        fill_relations(diagram, over_arc, primes[k], matrix);
        det[k] = determinant_mod(matrix, n, primes[k]);
    }
    if (det[0] == det[1] && det[0] < (uint64_t)1 << 60)
        result = (int64_t)det[0];
    else
        lithe_fail(error, LITHE_NOT_SUPPORTED,
                   "knot of %d crossings: its determinant is 2^60 or more", crossings);
done:
    lithe_free(context, matrix);
    lithe_free(context, over_arc);
    return result;
}

int64_t lithe_knot_determinant_of_diagram(LitheDiagram *diagram, LitheError *error) {
    if (untangle(diagram) == LITHE_OK)
        return colour(diagram, error);
    lithe_fail_memory(error, "the diagram of a knot");
    return -1;
}

static int64_t determinant_of(const Vec3 *points, int32_t count, bool closed, LitheContext *context,
                              LitheError *error) {
    if (count < 2)
        return 1;
    LitheDiagram diagram = {.context = context};
    int64_t result = -1;
    if (lithe_diagram_project(&diagram, points, count, closed, error) == LITHE_OK)
        result = lithe_knot_determinant_of_diagram(&diagram, error);
    lithe_diagram_release(&diagram);
    return result;
}

int64_t lithe_knot_determinant(const Vec3 *points, int32_t count, LitheContext *context,
                               LitheError *error) {
    return determinant_of(points, count, false, context, error);
}

int64_t lithe_knot_determinant_closed(const Vec3 *points, int32_t count, LitheContext *context,
                                      LitheError *error) {
    return determinant_of(points, count, true, context, error);
}

double lithe_knot_clearance(const Vec3 *points, int32_t count, double skip, double enough) {
    double longest = 0;
    for (int32_t i = 0; i + 1 < count; i++)
        longest = fmax(longest, v3_distance(points[i], points[i + 1]));
    double min = INFINITY;
    for (int32_t i = 0; i + 3 < count; i++) {
        double apart = 0; // along the curve, between the segments' near ends
        int32_t j = i + 1;
        while (j + 2 < count && (apart <= skip || j < i + 2)) {
            apart += v3_distance(points[j], points[j + 1]);
            j++;
        }
        while (apart > skip && j + 1 < count) {
            // no point of segment i or j is farther than its length from its first node, and node j
            // moves by at most one edge at a time: skip those that cannot be near
            double room = v3_distance(points[i], points[j]) - 2 * longest - fmin(min, enough);
            if (room > longest) {
                double jump = floor(room / longest);
                j = jump >= count - j ? count : j + (int32_t)jump;
                continue;
            }
            double d =
                lithe_segment_closest(points[i], points[i + 1], points[j], points[j + 1]).distance;
            min = fmin(min, d);
            j++;
        }
    }
    return fmax(min, 0);
}
