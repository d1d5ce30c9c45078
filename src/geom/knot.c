// SPDX-License-Identifier: Apache-2.0
// geom/knot.c - knot determinant of a polyline
//
// The curve is projected along a direction (diagram.c). Curls and loose overlaps are removed from
// the list of crossings, so that a wavy unknotted rod costs nothing. The rest is a determinant
// (knot_colour.c). The work is limited, so that every curve takes less than a second.

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
    int32_t *stack; // passages whose next one has changed
    int32_t depth;
    bool *gone;
} Ring;

static void unlink_crossing(Ring *ring, int32_t a) {
    for (int k = 0; k < 2; k++, a = ring->other[a]) {
        ring->next[ring->prev[a]] = ring->next[a];
        ring->prev[ring->next[a]] = ring->prev[a];
        ring->gone[a] = true;
        ring->stack[ring->depth++] = ring->prev[a];
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

// links all passages into a ring; `first` [passages] is zero
static void make_ring(Ring *ring, int32_t n, int32_t *first) {
    for (int32_t i = 0; i < n; i++) {
        ring->next[i] = i + 1 < n ? i + 1 : 0;
        ring->prev[i] = i > 0 ? i - 1 : n - 1;
        int32_t *met = &first[ring->passages[i].crossing]; // 1 + its first passage; 0: not met yet
        if (*met) {
            ring->other[i] = *met - 1;
            ring->other[*met - 1] = i;
        }
        *met = i + 1;
    }
}

/// Removes curls and overlaps until nothing changes; the remaining passages are compacted.
static LitheStatus untangle(LitheDiagram *diagram, LitheError *error) {
    int32_t n = diagram->passage_count;
    LitheContext *context = diagram->context;
    int32_t *block = lithe_alloc_array(context, 5 * (int64_t)n, sizeof *block);
    bool *gone = lithe_alloc_array(context, n, sizeof *gone);
    if (!block || !gone) {
        lithe_free(context, block);
        lithe_free(context, gone);
        return lithe_fail_memory(error, "the diagram of a knot");
    }
    Ring ring = {diagram->passages, block, block + n, block + 2 * n, block + 3 * n, 0, gone};
    make_ring(&ring, n, block + 4 * n);

    // a removal may allow others where it joined two passages: those are examined again
    for (int32_t i = 0; i < n; i++) {
        while (!gone[i] && untangle_at(&ring, i))
            ;
        while (ring.depth > 0) {
            int32_t a = ring.stack[--ring.depth];
            while (!gone[a] && untangle_at(&ring, a))
                ;
        }
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

// --- the determinant -----------------------------------------------------------------------------

int64_t lithe_knot_determinant_of_diagram(LitheDiagram *diagram, LitheError *error) {
    return untangle(diagram, error) == LITHE_OK ? lithe_knot_colour(diagram, error) : -1;
}

static int64_t determinant_of(const Vec3 *points, int32_t count, bool closed, LitheContext *context,
                              LitheError *error) {
    if (count < 2)
        return 1;
    LitheDiagram diagram = {.context = context, .work = LITHE_DIAGRAM_WORK};
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

static LitheStatus type_of_diagram(LitheDiagram *diagram, LitheKnotType *type, LitheError *error) {
    LitheStatus status = untangle(diagram, error);
    if (status != LITHE_OK)
        return status;
    LitheKnotType found = {.crossings = diagram->passage_count / 2};
    found.determinant = lithe_knot_colour(diagram, error);
    if (found.determinant < 0)
        return error->status;
    status = lithe_knot_signature(diagram, found.determinant, &found.signature, error);
    if (status == LITHE_OK)
        *type = found;
    return status;
}

LitheStatus lithe_knot_type(const Vec3 *points, int32_t count, bool closed, LitheContext *context,
                            LitheKnotType *type, LitheError *error) {
    if (count < 2) {
        *type = (LitheKnotType){.determinant = 1};
        return LITHE_OK;
    }
    LitheDiagram diagram = {.context = context, .work = LITHE_DIAGRAM_WORK};
    LitheError inner = {0};
    LitheStatus status = lithe_diagram_project(&diagram, points, count, closed, &inner);
    if (status == LITHE_OK)
        status = type_of_diagram(&diagram, type, &inner);
    lithe_diagram_release(&diagram);
    if (status != LITHE_OK && error)
        *error = inner;
    return status;
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
