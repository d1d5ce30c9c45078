// SPDX-License-Identifier: Apache-2.0
// collide/narrow_segments.c - contacts of two edges of rods

#include "collide/narrow.h"

#include "geom/segment.h"

#include <float.h>

// squared sine of the angle below which two segments touch along a line, not at a point: 10 degrees
#define PARALLEL 0.03
// sine of the slope up to which an edge counts as parallel to the surface: rounding of a normal
#define LEVEL 1e-9

// --- two round segments --------------------------------------------------------------------------

typedef struct Segments {
    LithePartPair pair;
    Vec3 a0, a, b0, b;         // starts and edges
    double ra, rb, reach;      // radii, and the largest gap of a contact [m]
    double cut_a[2], cut_b[2]; // the range of each part that its segment covers
} Segments;

// normal where the centrelines meet: perpendicular to both, from the middle of a towards that of b
static Vec3 spare_normal(const Segments *g) {
    Vec3 n = v3_unit(v3_cross(g->a, g->b));
    if (!(v3_dot(n, n) > 0.5))
        n = v3_any_normal(v3_unit(g->a));
    Vec3 between = v3_sub(v3_axpy(0.5, g->b, g->b0), v3_axpy(0.5, g->a, g->a0));
    return v3_dot(n, between) < 0 ? v3_neg(n) : n;
}

bool lithe_narrow_beyond(const LitheNarrow *n, int32_t part, double s, Vec3 d) {
    const LitheContacts *c = n->c;
    if (s > 0 && s < 1)
        return false;
    Vec3 e = c->segments[c->beyond[part].edge[s <= 0 ? 0 : 2]].edge;
    double rise = s <= 0 ? -v3_dot(d, e) : v3_dot(d, e);
    return rise > 0 && rise * rise > LEVEL * LEVEL * v3_dot(e, e) * v3_dot(d, d);
}

static void file_point(LitheNarrow *n, const Segments *g, double s, double t, bool only_nearest) {
    Vec3 p = v3_axpy(s, g->a, g->a0), d = v3_sub(v3_axpy(t, g->b, g->b0), p);
    s = g->cut_a[0] + s * (g->cut_a[1] - g->cut_a[0]);
    t = g->cut_b[0] + t * (g->cut_b[1] - g->cut_b[0]);
    if (only_nearest && (lithe_narrow_beyond(n, g->pair.a, s, d) ||
                         lithe_narrow_beyond(n, g->pair.b, t, v3_neg(d))))
        return;
    double distance = v3_norm(d), gap = distance - g->ra - g->rb;
    if (gap > g->reach || lithe_are_neighbours(n->model, n->c, g->pair, s, t, distance))
        return;
    Vec3 normal = distance > 1e-12 * (g->ra + g->rb) ? v3_scale(1 / distance, d) : spare_normal(g);
    // pieces of one edge share the place of its inside: their number distinguishes them
    uint32_t feature = s > 0 && s < 1 && t > 0 && t < 1 ? n->piece_number : 0;
    uint64_t id = lithe_narrow_id(n, lithe_narrow_place(n, g->pair.a, s),
                                  lithe_narrow_place(n, g->pair.b, t), feature);
    LitheContact *contact = lithe_narrow_add(n, g->pair, s, t, id);
    if (!contact)
        return;
    contact->normal = normal;
    contact->gap = gap;
    contact->point = v3_axpy(g->ra + 0.5 * gap, contact->normal, p);
}

// ends of the overlap: projections of the four ends that fall within the other segment
static int overlap_ends(double aa, double bb, double ab, double ar, double br, double at[4][2]) {
    double candidate[4][2] = {
        {0, -br / bb}, {1, (ab - br) / bb}, {ar / aa, 0}, {(ar + ab) / aa, 1}};
    int count = 0;
    for (int i = 0; i < 4; i++) {
        double inner = candidate[i][i < 2];
        if (inner < -LITHE_AT_NODE || inner > 1 + LITHE_AT_NODE)
            continue;
        inner = inner < LITHE_AT_NODE ? 0 : inner > 1 - LITHE_AT_NODE ? 1 : inner;
        at[count][0] = i < 2 ? candidate[i][0] : inner;
        at[count++][1] = i < 2 ? inner : candidate[i][1];
    }
    return count;
}

// contacts of two segments with the closest points s and t
static void segments(LitheNarrow *n, const Segments *g, double s, double t) {
    Vec3 r = v3_sub(g->b0, g->a0);
    double aa = v3_dot(g->a, g->a), bb = v3_dot(g->b, g->b), ab = v3_dot(g->a, g->b);
    bool parallel = aa * bb - ab * ab <= PARALLEL * aa * bb;
    s = s < LITHE_AT_NODE ? 0 : s > 1 - LITHE_AT_NODE ? 1 : s;
    t = t < LITHE_AT_NODE ? 0 : t > 1 - LITHE_AT_NODE ? 1 : t;
    if (n->single) {
        file_point(n, g, s, t, false);
        return;
    }
    if (!parallel || !(aa > 0) || !(bb > 0)) {
        file_point(n, g, s, t, true);
        return;
    }
    double at[4][2], nearest = INFINITY, ar = v3_dot(g->a, r), br = v3_dot(g->b, r);
    double closest = v3_norm(v3_axpy(-s, g->a, v3_axpy(t, g->b, r)));
    int count = overlap_ends(aa, bb, ab, ar, br, at);
    for (int i = 0; i < count; i++) {
        Vec3 e = v3_axpy(-at[i][0], g->a, v3_axpy(at[i][1], g->b, r));
        nearest = fmin(nearest, v3_norm(e));
        file_point(n, g, at[i][0], at[i][1], false);
    }
    // add the closest point if it is nearer than the ends of the overlap, or if there is no overlap
    if (count < 2 || closest < nearest - 1e-3 * sqrt(fmin(aa, bb)))
        file_point(n, g, s, t, true);
}

// --- pairs of segments, two at a time ------------------------------------------------------------

// lanes, and pairs in a block
enum { WIDE = 2, BLOCK = LITHE_SEGMENT_BLOCK };
typedef double Lanes __attribute__((vector_size(WIDE * sizeof(double))));
typedef int64_t Masks __attribute__((vector_size(WIDE * sizeof(double))));

// the same member of each segment of a batch
#define GATHER(from, field) ((Lanes){from[0]->field, from[1]->field})

/// Closest points of a batch of pairs.
typedef struct Batch {
    Lanes s, t;
    Lanes d[3], dd;     // vector between the points, its square
    Masks within, sure; // within the reach; a contact whatever the neighbouring edges are
} Batch;

// x where m is set, else 0
static inline Lanes only(Masks m, Lanes x) {
    return (Lanes)((Masks)x & m);
}

static inline Lanes choose(Masks m, Lanes yes, Lanes no) {
    return (Lanes)((((Masks)yes ^ (Masks)no) & m) ^ (Masks)no);
}

static inline Lanes clamp_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = only(x > zero, x);
    return choose(x < one, x, one);
}

// clamps to [0, 1]; a parameter within LITHE_AT_NODE of a node becomes the node
static inline Lanes snap_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = only(x >= zero + LITHE_AT_NODE, x);
    return choose(x <= one - LITHE_AT_NODE, x, one);
}

static inline Lanes dot_lanes(const Lanes x[3], const Lanes y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// (C5) as lithe_narrow_beyond, for all lanes; `away` is 1 where d leads away from the parts, else
// -1
static inline Masks nearer_beyond_lanes(const LitheContacts *c, const int32_t part[WIDE], Lanes s,
                                        double away, const Lanes d[3], Lanes dd) {
    const Lanes zero = {0}, one = zero + 1;
    // 0 at the start, 1 within, 2 at the end
    Masks at = -((Masks)(s > zero) + (Masks)(s >= one));
    const LitheSegment *x[WIDE];
    for (int k = 0; k < WIDE; k++)
        x[k] = &c->segments[c->beyond[part[k]].edge[at[k]]];
    Lanes e[3] = {GATHER(x, edge.x), GATHER(x, edge.y), GATHER(x, edge.z)};
    Lanes rise = dot_lanes(d, e) * choose(s > zero, zero + away, zero - away);
    return (Masks)(rise > zero) & (Masks)(rise * rise > LEVEL * LEVEL * dot_lanes(e, e) * dd);
}

// whether two parallel segments lie side by side: an end of one projects into the other
static inline Masks beside(Lanes aa, Lanes bb, Lanes ab, Lanes ar, Lanes br) {
    // x (1 - x) >= 0 for x in [0, 1]; a little wider than overlap_ends, which decides
    Lanes end = ar + ab, back = br - ab, low_a = -1e-8 * aa * aa, low_b = -1e-8 * bb * bb;
    return (Masks)(ar * (aa - ar) >= low_a) | (Masks)(end * (aa - end) >= low_a) |
           (Masks)(-br * (bb + br) >= low_b) | (Masks)(-back * (bb + back) >= low_b);
}

// (C3), (C4) Closest points of two segments: minimum of |r + t b - s a|^2 over the unit square: s
// of the two lines, clamped; t for that s, clamped; s for that t. Where t was not clamped, the last
// step changes nothing: no branch is needed, and pairs run in lanes. For nearly parallel segments
// the first s is inaccurate; the ends of the overlap are used instead.
static inline void closest(const LitheSegment *all, const LithePartPair pairs[WIDE], double margin,
                           Batch *out) {
    const LitheSegment *x[WIDE] = {&all[pairs[0].a], &all[pairs[1].a]};
    const LitheSegment *y[WIDE] = {&all[pairs[0].b], &all[pairs[1].b]};
    Lanes a[3] = {GATHER(x, edge.x), GATHER(x, edge.y), GATHER(x, edge.z)};
    Lanes b[3] = {GATHER(y, edge.x), GATHER(y, edge.y), GATHER(y, edge.z)};
    Lanes r[3] = {GATHER(y, start.x) - GATHER(x, start.x), GATHER(y, start.y) - GATHER(x, start.y),
                  GATHER(y, start.z) - GATHER(x, start.z)};
    Lanes ra = GATHER(x, radius), rb = GATHER(y, radius);
    Lanes far = ra + rb + GATHER(x, travel) + GATHER(y, travel) + margin;
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
    out->sure = bar | ((Masks)(det <= PARALLEL * aa * bb) & beside(aa, bb, ab, ar, br));
}

static void contacts_of(LitheNarrow *n, LithePartPair pair, double s, double t) {
    const LitheSegment *x = &n->c->segments[pair.a], *y = &n->c->segments[pair.b];
    if (!(x->radius > 0) || !(y->radius > 0)) {
        lithe_narrow_shapes(n, pair);
        return;
    }
    Segments g = {pair,    x->start,  x->edge,   y->start,
                  y->edge, x->radius, y->radius, n->margin + x->travel + y->travel,
                  {0, 1},  {0, 1}};
    segments(n, &g, s, t);
}

void lithe_narrow_segment_pieces(LitheNarrow *n, LithePartPair pair) {
    const LitheSegment *x = &n->c->segments[pair.a], *y = &n->c->segments[pair.b];
    const double *a = n->piece->a, *b = n->piece->b;
    if (!(x->radius > 0) || !(y->radius > 0)) {
        lithe_narrow_shapes(n, pair);
        return;
    }
    Segments g = {pair,
                  v3_axpy(a[0], x->edge, x->start),
                  v3_scale(a[1] - a[0], x->edge),
                  v3_axpy(b[0], y->edge, y->start),
                  v3_scale(b[1] - b[0], y->edge),
                  x->radius,
                  y->radius,
                  n->margin + x->travel + y->travel,
                  {a[0], a[1]},
                  {b[0], b[1]}};
    LitheSegmentPair near = lithe_segment_closest(g.a0, v3_add(g.a0, g.a), g.b0, v3_add(g.b0, g.b));
    segments(n, &g, near.s, near.t);
}

// First all closest points, then which of them are local minima, then the few remaining contacts.
// No branch waits for a distance, and the long dependency chain of one batch overlaps with the
// next.
void lithe_narrow_segments(LitheNarrow *n) {
    int count = n->waiting_count, left_count = 0, left[BLOCK + WIDE];
    Batch batches[BLOCK / WIDE];
    LithePartPair *pairs = n->waiting; // edges a < b
    const Masks every = (Masks){0} - (int64_t)n->single;
    // the last batch is padded with a pair that is not counted
    for (int k = count; k % WIDE; k++)
        pairs[k] = pairs[0];
    for (int i = 0; i < count; i += WIDE)
        closest(n->c->segments, &pairs[i], n->margin, &batches[i / WIDE]);
    // most pairs within reach are nearer at a neighbouring edge: they have no contact and are
    // dropped here
    for (int i = 0; i < count; i += WIDE) {
        const Batch *b = &batches[i / WIDE];
        const int32_t x[WIDE] = {pairs[i].a, pairs[i + 1].a};
        const int32_t y[WIDE] = {pairs[i].b, pairs[i + 1].b};
        Masks on = nearer_beyond_lanes(n->c, x, b->s, 1, b->d, b->dd) |
                   nearer_beyond_lanes(n->c, y, b->t, -1, b->d, b->dd);
        Masks stays = b->within & (b->sure | ~on | every);
        for (int k = 0; k < WIDE; k++) {
            left[left_count] = i + k;
            left_count -= (int)stays[k];
        }
    }
    for (int i = 0; i < left_count && left[i] < count; i++) {
        const Batch *b = &batches[left[i] / WIDE];
        int k = left[i] % WIDE;
        contacts_of(n, pairs[left[i]], b->s[k], b->t[k]);
    }
    n->waiting_count = 0;
}
