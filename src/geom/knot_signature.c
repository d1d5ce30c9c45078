// SPDX-License-Identifier: Apache-2.0
// geom/knot_signature.c - signature of a knot diagram, by the form of Goeritz
//
// The regions of a diagram are coloured like a chessboard: each crossing lies between two regions
// of either colour. Those of one colour are the rows of a symmetric matrix, each crossing an entry
// of +1 or -1 between two of them (30). The signature of this matrix is that of the knot after a
// correction by the crossings whose strands run side by side (32). Regions follow from the order of
// the passages alone; a list of passages that no curve in a plane has is refused (29).
// docs/theory/curves.md.

#include "base/memory.h"
#include "base/status.h"
#include "geom/knot.h"

#include <math.h>
#include <stdlib.h>

/// The diagram as a map: edge i runs from passage i to passage i + 1, dart 2 i along it, dart
/// 2 i + 1 back.
typedef struct KnotMap {
    LitheContext *context;
    const LithePassage *passages;
    int32_t count;  // of passages, and of edges
    int32_t *other; // [count] the other passage of the same crossing
    int32_t *face;  // [2 count] of the region on the left of a dart; later of those of one colour
    int32_t *row;   // [face_count] row in the matrix, -1: the other colour
    int32_t face_count, rows;
    int32_t colour; // parity of the darts whose left regions are rows
    double *form;   // [rows, rows]
} KnotMap;

// --- regions -------------------------------------------------------------------------------------

static void pair_passages(KnotMap *map, int32_t *first) {
    for (int32_t i = 0; i < map->count; i++) {
        int32_t *met = &first[map->passages[i].crossing]; // 1 + its first passage
        if (*met) {
            map->other[i] = *met - 1;
            map->other[*met - 1] = i;
        }
        *met = i + 1;
    }
}

// the next dart round the region on the left: at the crossing the leftmost branch (28)
static int32_t next_dart(const KnotMap *map, int32_t dart) {
    bool back = dart & 1;
    int32_t at = back ? dart / 2 : (dart / 2 + 1) % map->count, other = map->other[at];
    const LithePassage *passage = &map->passages[at];
    bool crosses_to_left = passage->over == passage->right;
    return crosses_to_left != back ? 2 * other : 2 * (other > 0 ? other - 1 : map->count - 1) + 1;
}

// the regions, and whether there are as many as a diagram in a plane has, all of one colour (29)
static bool find_faces(KnotMap *map) {
    int32_t darts = 2 * map->count, sides[2] = {0, 0};
    for (int32_t d = 0; d < darts; d++)
        map->face[d] = -1;
    map->face_count = 0;
    for (int32_t d = 0; d < darts; d++) {
        if (map->face[d] >= 0)
            continue;
        int32_t colour = (d / 2 + d) % 2;
        for (int32_t e = d; map->face[e] < 0; e = next_dart(map, e)) {
            map->face[e] = map->face_count;
            if ((e / 2 + e) % 2 != colour)
                return false;
        }
        sides[colour]++;
        map->face_count++;
    }
    map->colour = sides[1] < sides[0];
    map->rows = sides[map->colour] - 1; // one region is left out
    return map->face_count == map->count / 2 + 2;
}

// --- the form ------------------------------------------------------------------------------------

// regions of the colour in their order; the first one is left out
static void number_rows(KnotMap *map) {
    for (int32_t f = 0; f < map->face_count; f++)
        map->row[f] = -2;
    int32_t rows = -1;
    for (int32_t d = 0; d < 2 * map->count; d++)
        if ((d / 2 + d) % 2 == map->colour && map->row[map->face[d]] == -2)
            map->row[map->face[d]] = rows++;
}

static void add_entry(KnotMap *map, int32_t a, int32_t b, double value) {
    int32_t i = map->row[a], k = map->row[b], n = map->rows;
    if (a == b)
        return;
    if (i >= 0)
        map->form[i * (int64_t)n + i] += value;
    if (k >= 0)
        map->form[k * (int64_t)n + k] += value;
    if (i >= 0 && k >= 0) {
        map->form[i * (int64_t)n + k] -= value;
        map->form[k * (int64_t)n + i] -= value;
    }
}

// Fills the form (30); returns the correction (31).
static int32_t fill_form(KnotMap *map) {
    int32_t correction = 0;
    for (int32_t i = 0; i < map->count; i++) {
        if (!map->passages[i].over)
            continue;
        // the four regions, with the upper strand running east: on its left and right, ahead and
        // behind
        int32_t last = i > 0 ? i - 1 : map->count - 1;
        int32_t north_east = 2 * i, south_east = 2 * i + 1;
        int32_t north_west = 2 * last, south_west = 2 * last + 1;
        // turned counter-clockwise, the upper strand sweeps north-east and south-west
        bool sweeps = (north_east / 2 + north_east) % 2 == map->colour;
        int32_t sign = sweeps ? 1 : -1;
        if (sweeps)
            add_entry(map, map->face[north_east], map->face[south_west], sign);
        else
            add_entry(map, map->face[north_west], map->face[south_east], sign);
        if (map->passages[i].right != sweeps)
            correction += sign;
    }
    return correction;
}

// --- its signature -------------------------------------------------------------------------------

typedef struct Pivot {
    int32_t i, k; // equal: on the diagonal
} Pivot;

// the largest entry of the rest; a diagonal one is preferred (Bunch and Parlett)
static Pivot largest(const double *a, int32_t n, int32_t from) {
    Pivot diagonal = {from, from}, beside = {from, from};
    double most = 0, most_beside = 0;
    for (int32_t i = from; i < n; i++) {
        const double *row = a + i * (int64_t)n;
        if (fabs(row[i]) > most) {
            most = fabs(row[i]);
            diagonal = (Pivot){i, i};
        }
        for (int32_t k = from; k < i; k++)
            if (fabs(row[k]) > most_beside) {
                most_beside = fabs(row[k]);
                beside = (Pivot){k, i};
            }
    }
    const double bound = 0.6403882032022076; // (1 + sqrt 17)/8: least growth
    return most >= bound * most_beside ? diagonal : beside;
}

static void swap_rows(double *a, int32_t n, int32_t i, int32_t k) {
    for (int32_t c = 0; i != k && c < n; c++) {
        double t = a[i * (int64_t)n + c];
        a[i * (int64_t)n + c] = a[k * (int64_t)n + c];
        a[k * (int64_t)n + c] = t;
    }
    for (int32_t r = 0; i != k && r < n; r++) {
        double t = a[r * (int64_t)n + i];
        a[r * (int64_t)n + i] = a[r * (int64_t)n + k];
        a[r * (int64_t)n + k] = t;
    }
}

// removes the first `size` (1 or 2) rows of the rest
static void eliminate(double *a, int32_t n, int32_t at, int32_t size) {
    double p = a[at * (int64_t)n + at];
    double q = size == 2 ? a[at * (int64_t)n + at + 1] : 0;
    double r = size == 2 ? a[(at + 1) * (int64_t)n + at + 1] : 1;
    double scale = 1 / (p * r - q * q);
    const double *first = a + at * (int64_t)n, *second = first + (size == 2 ? n : 0);
    for (int32_t i = at + size; i < n; i++) {
        double *row = a + i * (int64_t)n;
        double x = row[at], y = size == 2 ? row[at + 1] : 0;
        double u = scale * (r * x - q * y), v = scale * (p * y - q * x);
        for (int32_t k = at + size; k < n; k++)
            row[k] -= u * first[k] + (size == 2 ? v * second[k] : 0);
    }
}

// Signature of a symmetric matrix, which is destroyed, and the logarithm of its determinant.
static int32_t signature_of(double *a, int32_t n, double *log_determinant) {
    int32_t signature = 0;
    *log_determinant = 0;
    for (int32_t at = 0; at < n;) {
        Pivot pivot = largest(a, n, at);
        int32_t size = pivot.i == pivot.k ? 1 : 2;
        swap_rows(a, n, at, pivot.i);
        if (size == 2)
            swap_rows(a, n, at + 1, pivot.k);
        double p = a[at * (int64_t)n + at], det = p;
        if (size == 2) {
            double q = a[at * (int64_t)n + at + 1];
            det = p * a[(at + 1) * (int64_t)n + at + 1] - q * q; // below 0: one sign of each
        } else {
            signature += p > 0 ? 1 : -1;
        }
        *log_determinant += log(fabs(det));
        if (det == 0)
            return 0;
        eliminate(a, n, at, size);
        at += size;
    }
    return signature;
}

// --- the knot ------------------------------------------------------------------------------------

static bool allocate(KnotMap *map) {
    map->other = lithe_alloc_array(map->context, map->count, sizeof *map->other);
    map->face = lithe_alloc_array(map->context, 2 * (int64_t)map->count, sizeof *map->face);
    map->row = lithe_alloc_array(map->context, (int64_t)map->count + 2, sizeof *map->row);
    return map->other && map->face && map->row;
}

static LitheStatus undecided(LitheError *error, int32_t crossings) {
    return lithe_fail(error, LITHE_NOT_SUPPORTED,
                      "knot: the signature of a projection with %d crossings that could not be "
                      "simplified is undecided",
                      crossings);
}

// work of an entry of the form in one elimination [ns]
enum { FORM_WORK = 2 };

static LitheStatus find_signature(KnotMap *map, int32_t *first, int64_t *work, int64_t determinant,
                                  int32_t *signature, LitheError *error) {
    pair_passages(map, first);
    if (!find_faces(map))
        return undecided(error, map->count / 2);
    *work -= (int64_t)(FORM_WORK * pow(map->rows, 3));
    if (*work <= 0)
        return undecided(error, map->count / 2);
    map->form = lithe_alloc_array(map->context, (int64_t)map->rows * map->rows, sizeof *map->form);
    if (!map->form)
        return lithe_fail_memory(error, "the form of a knot");
    number_rows(map);
    int32_t correction = fill_form(map);
    double found;
    *signature = correction - signature_of(map->form, map->rows, &found);
    // the determinant is known exactly, and says what the signature is modulo 4 (33)
    bool same = fabs(found - log((double)determinant)) < 1e-6;
    bool fits = (*signature % 4 == 0) == (determinant % 4 == 1) && *signature % 2 == 0;
    return same && fits ? LITHE_OK : undecided(error, map->count / 2);
}

LitheStatus lithe_knot_signature(LitheDiagram *diagram, int64_t determinant, int32_t *signature,
                                 LitheError *error) {
    *signature = 0;
    if (diagram->passage_count < 6)
        return LITHE_OK;
    int32_t names = 0;
    for (int32_t i = 0; i < diagram->passage_count; i++)
        if (diagram->passages[i].crossing >= names)
            names = diagram->passages[i].crossing + 1;
    KnotMap map = {.context = diagram->context,
                   .passages = diagram->passages,
                   .count = diagram->passage_count};
    int32_t *first = lithe_alloc_array(diagram->context, names, sizeof *first);
    LitheStatus status = LITHE_NO_MEMORY;
    if (first && allocate(&map))
        status = find_signature(&map, first, &diagram->work, determinant, signature, error);
    else
        lithe_fail_memory(error, "the regions of a knot");
    void *blocks[] = {first, map.other, map.face, map.row, map.form};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(diagram->context, blocks[k]);
    return status;
}
