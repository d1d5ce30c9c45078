// SPDX-License-Identifier: Apache-2.0
// collide/segments_kernel.h - closest points of pairs of edges, written once for any number of
// lanes
//
// The including file defines WIDE (lanes, 2 or 4), SEGMENTS_TARGET (attributes) and SEGMENTS_NAME
// (the name of the function). No target has FMA: all give the same bits.

#ifndef LITHE_COLLIDE_SEGMENTS_KERNEL_H
#define LITHE_COLLIDE_SEGMENTS_KERNEL_H

#include "collide/segments.h"

#include <float.h>

#define SEGMENTS_FN SEGMENTS_TARGET __attribute__((always_inline)) static inline

typedef double Lanes __attribute__((vector_size(WIDE * sizeof(double))));
typedef int64_t Masks __attribute__((vector_size(WIDE * sizeof(double))));

_Static_assert(sizeof(LitheSegment) == 8 * sizeof(double), "a segment has no padding");

// the same member of each segment of a batch: start, edge, radius, travel
#if WIDE == 4
typedef double Loose __attribute__((vector_size(32), aligned(8), may_alias));

SEGMENTS_FN void gather_half(const LitheSegment *const from[WIDE], int at, Lanes out[4]) {
    Lanes p = *(const Loose *)((const double *)from[0] + at);
    Lanes q = *(const Loose *)((const double *)from[1] + at);
    Lanes r = *(const Loose *)((const double *)from[2] + at);
    Lanes s = *(const Loose *)((const double *)from[3] + at);
    Lanes a = __builtin_shufflevector(p, q, 0, 4, 2, 6);
    Lanes b = __builtin_shufflevector(p, q, 1, 5, 3, 7);
    Lanes c = __builtin_shufflevector(r, s, 0, 4, 2, 6);
    Lanes d = __builtin_shufflevector(r, s, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

SEGMENTS_FN void gather(const LitheSegment *const from[WIDE], Lanes out[8]) {
    gather_half(from, 0, out);
    gather_half(from, 4, out + 4);
}
#else
SEGMENTS_FN void gather(const LitheSegment *const from[WIDE], Lanes out[8]) {
    for (int k = 0; k < 8; k++)
        out[k] = (Lanes){((const double *)from[0])[k], ((const double *)from[1])[k]};
}
#endif

/// Closest points of a batch of pairs.
typedef struct Batch {
    Lanes s, t;
    Lanes d[3], dd;     // vector between the points, its square
    Masks within, sure; // within the reach; a contact whatever the neighbouring edges are
} Batch;

// x where m is set, else 0
SEGMENTS_FN Lanes only(Masks m, Lanes x) {
    return (Lanes)((Masks)x & m);
}

SEGMENTS_FN Lanes choose(Masks m, Lanes yes, Lanes no) {
    return (Lanes)((((Masks)yes ^ (Masks)no) & m) ^ (Masks)no);
}

SEGMENTS_FN Lanes clamp_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = only(x > zero, x);
    return choose(x < one, x, one);
}

// clamps to [0, 1]; a parameter within LITHE_AT_NODE of a node becomes the node
SEGMENTS_FN Lanes snap_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = only(x >= zero + LITHE_AT_NODE, x);
    return choose(x <= one - LITHE_AT_NODE, x, one);
}

SEGMENTS_FN Lanes dot_lanes(const Lanes x[3], const Lanes y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// (C5) as lithe_narrow_beyond, for all lanes; `away` is 1 where d leads away from the parts, else
// -1
SEGMENTS_FN Masks nearer_beyond_lanes(const LitheContacts *c, const int32_t part[WIDE], Lanes s,
                                      double away, const Lanes d[3], Lanes dd) {
    const Lanes zero = {0}, one = zero + 1;
    // 0 at the start, 1 within, 2 at the end
    Masks at = -((Masks)(s > zero) + (Masks)(s >= one));
    const LitheSegment *x[WIDE];
    for (int k = 0; k < WIDE; k++)
        x[k] = &c->segments[c->beyond[part[k]].edge[at[k]]];
    Lanes p[8], *e = p + 3;
    gather(x, p);
    Lanes rise = dot_lanes(d, e) * choose(s > zero, zero + away, zero - away);
    return (Masks)(rise > zero) &
           (Masks)(rise * rise > LITHE_LEVEL * LITHE_LEVEL * dot_lanes(e, e) * dd);
}

// whether two parallel segments lie side by side: an end of one projects into the other
SEGMENTS_FN Masks beside(Lanes aa, Lanes bb, Lanes ab, Lanes ar, Lanes br) {
    // x (1 - x) >= 0 for x in [0, 1]; a little wider than overlap_ends, which decides
    Lanes end = ar + ab, back = br - ab, low_a = -1e-8 * aa * aa, low_b = -1e-8 * bb * bb;
    return (Masks)(ar * (aa - ar) >= low_a) | (Masks)(end * (aa - end) >= low_a) |
           (Masks)(-br * (bb + br) >= low_b) | (Masks)(-back * (bb + back) >= low_b);
}

// (C3), (C4) Closest points of two segments: minimum of |r + t b - s a|^2 over the unit square: s
// of the two lines, clamped; t for that s, clamped; s for that t. Where t was not clamped, the last
// step changes nothing: no branch is needed, and pairs run in lanes. For nearly parallel segments
// the first s is inaccurate; the ends of the overlap are used instead.
SEGMENTS_FN void closest(const LitheSegment *all, const LithePartPair pairs[WIDE], double margin,
                         Batch *out) {
    const LitheSegment *x[WIDE], *y[WIDE];
    Lanes p[8], q[8]; // start, edge, radius, travel of each
    for (int k = 0; k < WIDE; k++) {
        x[k] = &all[pairs[k].a];
        y[k] = &all[pairs[k].b];
    }
    gather(x, p);
    gather(y, q);
    const Lanes *a = p + 3, *b = q + 3;
    Lanes r[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, ra = p[6], rb = q[6];
    Lanes far = ra + rb + p[7] + q[7] + margin;
    Lanes aa = dot_lanes(a, a), bb = dot_lanes(b, b), ab = dot_lanes(a, b);
    Lanes ar = dot_lanes(a, r), br = dot_lanes(b, r), det = aa * bb - ab * ab;
    // DBL_MIN avoids a division by 0 and is negligible otherwise
    Lanes s = clamp_lanes(only(det > 1e-14 * aa * bb, (ar * bb - br * ab) / (det + DBL_MIN)));
    Lanes t = clamp_lanes((s * ab - br) / (bb + DBL_MIN));
    s = snap_lanes((ar + t * ab) / (aa + DBL_MIN));
    t = snap_lanes(t);
    for (int k = 0; k < 3; k++)
        out->d[k] = r[k] + t * b[k] - s * a[k];
    out->dd = dot_lanes(out->d, out->d);
    out->s = s;
    out->t = t;
    // 1e-8: for rounding and snapping; file_point decides. Bars are handled as shapes.
    Masks bar = (Masks)(ra * rb <= DBL_MIN);
    out->within = bar | (Masks)(out->dd <= (1 + 1e-8) * far * far);
    out->sure = bar | ((Masks)(det <= LITHE_PARALLEL * aa * bb) & beside(aa, bb, ab, ar, br));
}

// First all closest points, then which of them are local minima. No branch waits for a distance,
// and the long dependency chain of one batch overlaps with the next.
SEGMENTS_TARGET int SEGMENTS_NAME(const LitheContacts *c, double margin, bool single, int count,
                                  LithePartPair *pairs, LitheSegmentPoint *points) {
    enum { BLOCK = LITHE_SEGMENT_BLOCK };
    Batch batches[BLOCK / WIDE];
    int left_count = 0, left[BLOCK + WIDE];
    const Masks every = (Masks){0} - (int64_t)single;
    // the last batch is padded with a pair that is not counted
    for (int k = count; k % WIDE; k++)
        pairs[k] = pairs[0];
    for (int i = 0; i < count; i += WIDE)
        closest(c->segments, &pairs[i], margin, &batches[i / WIDE]);
    // most pairs within reach are nearer at a neighbouring edge: they have no contact and are
    // dropped here
    for (int i = 0; i < count; i += WIDE) {
        const Batch *b = &batches[i / WIDE];
        int32_t x[WIDE], y[WIDE];
        for (int k = 0; k < WIDE; k++) {
            x[k] = pairs[i + k].a;
            y[k] = pairs[i + k].b;
        }
        Masks on = nearer_beyond_lanes(c, x, b->s, 1, b->d, b->dd) |
                   nearer_beyond_lanes(c, y, b->t, -1, b->d, b->dd);
        Masks stays = b->within & (b->sure | ~on | every);
        for (int k = 0; k < WIDE; k++) {
            left[left_count] = i + k;
            left_count -= (int)stays[k];
        }
    }
    while (left_count > 0 && left[left_count - 1] >= count)
        left_count--;
    for (int i = 0; i < left_count; i++) {
        const Batch *b = &batches[left[i] / WIDE];
        int k = left[i] % WIDE;
        points[i] = (LitheSegmentPoint){left[i], b->s[k], b->t[k]};
    }
    return left_count;
}

#endif
