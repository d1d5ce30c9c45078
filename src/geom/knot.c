// SPDX-License-Identifier: Apache-2.0
// geom/knot.c - knot determinant of a polyline
//
// The curve is seen along a direction; each crossing of the picture gives a relation between the
// three arcs that meet there, 2 over - in - out = 0 (colouring). The determinant of these
// relations, one of them and one arc left out, is the same for every picture of the knot, up to
// sign. Curls and loose overlaps are first removed from the list of crossings, so that a wavy
// unknotted rod costs nothing. The determinant is computed modulo two primes; when both residues
// stand for the same small integer, that is the answer.

#include "geom/knot.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/segment.h"

#include <stdlib.h>

typedef struct Passage {
    double at; // segment index plus parameter along it
    int32_t crossing;
    bool over;
} Passage;

// Crossings in the order in which the curve meets them: a ring, each crossing twice.
typedef struct Diagram {
    LitheContext *context;
    Passage *passages; // [2 * crossing count]
    int32_t count;     // of passages
    int32_t capacity;
} Diagram;

typedef struct Seen {
    double x, y, depth;
} Seen;

typedef enum Crossing { CROSSING_NONE, CROSSING_CLEAN, CROSSING_UNCLEAR } Crossing;

static double orient(Seen a, Seen b, Seen c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Does ab cross cd in the picture? On a clean crossing s, t are the parameters, `above` says
/// whether ab is nearer to the eye. `tiny` is a length below which nothing is certain.
static Crossing cross(Seen a, Seen b, Seen c, Seen d, double tiny, double *s, double *t,
                      bool *above) {
    if (fmax(a.x, b.x) < fmin(c.x, d.x) || fmax(c.x, d.x) < fmin(a.x, b.x) ||
        fmax(a.y, b.y) < fmin(c.y, d.y) || fmax(c.y, d.y) < fmin(a.y, b.y))
        return CROSSING_NONE;

    // both ends of each segment on different sides of the other
    double ab = tiny * hypot(b.x - a.x, b.y - a.y), cd = tiny * hypot(d.x - c.x, d.y - c.y);
    double oc = orient(a, b, c), od = orient(a, b, d), oa = orient(c, d, a), ob = orient(c, d, b);
    if ((oc > ab && od > ab) || (oc < -ab && od < -ab) || (oa > cd && ob > cd) ||
        (oa < -cd && ob < -cd))
        return CROSSING_NONE;
    if (fabs(oc) <= ab || fabs(od) <= ab || fabs(oa) <= cd || fabs(ob) <= cd)
        return CROSSING_UNCLEAR;

    *s = oa / (oa - ob);
    *t = oc / (oc - od);
    double gap = a.depth + *s * (b.depth - a.depth) - c.depth - *t * (d.depth - c.depth);
    *above = gap > 0;
    return fabs(gap) > tiny ? CROSSING_CLEAN : CROSSING_UNCLEAR;
}

static int compare_passages(const void *a, const void *b) {
    double x = ((const Passage *)a)->at, y = ((const Passage *)b)->at;
    return (x > y) - (x < y);
}

/// Fills the diagram from the picture of `count` points; of a closed curve the last is the first
/// again. LITHE_BAD_INPUT: a crossing is unclear.
static LitheStatus find_crossings(const Seen *seen, int32_t count, bool closed, double tiny,
                                  Diagram *diagram) {
    diagram->count = 0;
    for (int32_t i = 0; i + 1 < count; i++) {
        int32_t last = closed && i == 0 ? count - 1 : count;
        for (int32_t j = i + 2; j + 1 < last; j++) {
            double s, t;
            bool above;
            Crossing found =
                cross(seen[i], seen[i + 1], seen[j], seen[j + 1], tiny, &s, &t, &above);
            if (found == CROSSING_UNCLEAR)
                return LITHE_BAD_INPUT;
            if (found == CROSSING_NONE)
                continue;
            int32_t n = diagram->count;
            if (!LITHE_RESERVE(diagram->context, diagram->passages, diagram->capacity,
                               (int64_t)n + 2))
                return LITHE_NO_MEMORY;
            diagram->passages[n] = (Passage){i + s, n / 2, above};
            diagram->passages[n + 1] = (Passage){j + t, n / 2, !above};
            diagram->count = n + 2;
        }
    }
    if (diagram->count)
        qsort(diagram->passages, (size_t)diagram->count, sizeof *diagram->passages,
              compare_passages);
    return LITHE_OK;
}

/// The picture seen along `eye` (unit): the points, then both ends sent out beyond all of them, or
/// joined.
static bool project_curve(const Vec3 *points, int32_t count, bool closed, Vec3 centre, double size,
                          Vec3 eye, Seen *seen) {
    Vec3 ex = v3_any_normal(eye), ey = v3_cross(eye, ex);
    for (int32_t i = 0; i < count; i++) {
        Vec3 p = v3_sub(points[i], centre);
        seen[i + 1] = (Seen){v3_dot(p, ex), v3_dot(p, ey), v3_dot(p, eye)};
    }
    if (closed) {
        seen[0] = seen[count];
        return true;
    }
    for (int end = 0; end < 2; end++) {
        Vec3 out = v3_unit(v3_sub(points[end ? count - 1 : 0], centre));
        if (v3_norm(out) == 0)
            out = v3_unit(v3_sub(points[end ? count - 1 : 0], points[end ? count - 2 : 1]));
        // an end that leaves almost along the line of sight would not leave the picture
        double across = sqrt(fmax(0, 1 - v3_dot(out, eye) * v3_dot(out, eye)));
        if (across < 0.2)
            return false;
        Vec3 far = v3_axpy(4 * size / across, out, v3_sub(points[end ? count - 1 : 0], centre));
        seen[end ? count + 1 : 0] = (Seen){v3_dot(far, ex), v3_dot(far, ey), v3_dot(far, eye)};
    }
    return true;
}

// --- removing curls and overlaps -----------------------------------------------------------------

typedef struct Ring {
    Passage *passages;
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

/// Removes until nothing changes; the passages that stay close ranks.
static LitheStatus untangle(Diagram *diagram) {
    int32_t n = diagram->count;
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

    // removing may free the neighbours: go round until a whole round changes nothing
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
    diagram->count = kept;
    lithe_free(context, block);
    lithe_free(context, gone);
    return LITHE_OK;
}

// --- determinant modulo a prime ------------------------------------------------------------------

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t prime) {
    return (uint64_t)((unsigned __int128)a * b % prime);
}

static uint64_t inverse_mod(uint64_t a, uint64_t prime) {
    uint64_t result = 1;
    for (uint64_t e = prime - 2; e; e >>= 1, a = mul_mod(a, a, prime))
        if (e & 1)
            result = mul_mod(result, a, prime);
    return result;
}

/// Fills the relations 2 over - in - out, the last crossing and the last arc left out.
static void fill_relations(const Diagram *diagram, const int32_t *over_arc, uint64_t prime,
                           uint64_t *matrix) {
    int32_t n = diagram->count / 2 - 1; // an arc runs from one passage under to the next
    for (int64_t k = 0; k < (int64_t)n * n; k++)
        matrix[k] = 0;
    int32_t arc = 0;
    for (int32_t i = 0; i < diagram->count; i++) {
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

/// Determinant by elimination, the representative of least size, without sign.
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

static int64_t colour(const Diagram *diagram, LitheError *error) {
    // the largest primes below 2^61: sums of two residues stay within 64 bits
    static const uint64_t primes[2] = {2305843009213693951u, 2305843009213693921u};
    LitheContext *context = diagram->context;
    int32_t crossings = diagram->count / 2, n = crossings - 1;
    if (crossings < 3)
        return 1;
    uint64_t *matrix = lithe_alloc_array(context, (int64_t)n * n, sizeof *matrix);
    // by crossing names before untangling: a name is less than the number of passages found
    int32_t names = 0;
    for (int32_t i = 0; i < diagram->count; i++)
        if (diagram->passages[i].crossing >= names)
            names = diagram->passages[i].crossing + 1;
    int32_t *over_arc = lithe_alloc_array(context, names, sizeof *over_arc);
    int64_t result = -1;
    if (!matrix || !over_arc) {
        lithe_fail_memory(error, "the crossings of a knot");
        goto done;
    }
    int32_t arc = 0; // the last arc goes on as the first
    for (int32_t i = 0; i < diagram->count; i++) {
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

static int64_t determinant_of(const Vec3 *points, int32_t count, bool closed, LitheContext *context,
                              LitheError *error) {
    if (count < 2)
        return 1;
    Vec3 low = points[0], high = points[0];
    for (int32_t i = 0; i < count; i++) {
        if (!v3_finite(points[i])) {
            lithe_fail(error, LITHE_BAD_INPUT, "knot: point %d is not finite", i);
            return -1;
        }
        low = v3(fmin(low.x, points[i].x), fmin(low.y, points[i].y), fmin(low.z, points[i].z));
        high = v3(fmax(high.x, points[i].x), fmax(high.y, points[i].y), fmax(high.z, points[i].z));
    }
    Vec3 centre = v3_mix(low, high, 0.5);
    double size = v3_distance(low, high);

    Seen *seen = lithe_alloc_array(context, (int64_t)count + 2, sizeof *seen);
    Diagram diagram = {context, NULL, 0, 0};
    LitheStatus status = seen ? LITHE_BAD_INPUT : LITHE_NO_MEMORY;
    // directions spread over the half sphere (golden angle) until one shows every crossing clearly
    enum { TRIES = 40 };
    for (int k = 0; k < TRIES && status == LITHE_BAD_INPUT; k++) {
        double z = 1 - (k + 0.37) / TRIES, angle = 2.399963229728653 * k + 0.61803;
        double across = sqrt(1 - z * z);
        Vec3 eye = v3(across * cos(angle), across * sin(angle), z);
        if (project_curve(points, count, closed, centre, size, eye, seen))
            status = find_crossings(seen, count + (closed ? 1 : 2), closed, 1e-12 * size, &diagram);
    }
    if (status == LITHE_OK)
        status = untangle(&diagram);
    int64_t result = -1;
    if (status == LITHE_OK)
        result = colour(&diagram, error);
    else if (status == LITHE_NO_MEMORY)
        lithe_fail_memory(error, "the picture of a knot");
    else
        lithe_fail(error, LITHE_BAD_INPUT,
                   "knot: the curve of %d points meets itself, its type is undecided", count);
    lithe_free(context, diagram.passages);
    lithe_free(context, seen);
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
    double least = INFINITY;
    for (int32_t i = 0; i + 3 < count; i++) {
        double apart = 0; // along the curve, between the segments' near ends
        int32_t j = i + 1;
        while (j + 2 < count && (apart <= skip || j < i + 2)) {
            apart += v3_distance(points[j], points[j + 1]);
            j++;
        }
        while (apart > skip && j + 1 < count) {
            // no point of segment i or j is farther than its length from its first node, and node j
            // moves by at most one edge at a time: jump over what cannot be near
            double room = v3_distance(points[i], points[j]) - 2 * longest - fmin(least, enough);
            if (room > longest) {
                double jump = floor(room / longest);
                j = jump >= count - j ? count : j + (int32_t)jump;
                continue;
            }
            double d =
                lithe_segment_closest(points[i], points[i + 1], points[j], points[j + 1]).distance;
            least = fmin(least, d);
            j++;
        }
    }
    return fmax(least, 0);
}
