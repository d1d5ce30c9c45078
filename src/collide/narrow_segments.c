// SPDX-License-Identifier: Apache-2.0
// collide/narrow_segments.c - contacts of two edges of rods

#include "collide/narrow.h"
#include "collide/segments.h"
#include "geom/segment.h"

// Nearly parallel edges have a contact at their closest points, too, if these are nearer than the
// ends of the overlap by these fractions of an edge and of the radii.
#define NEARER_LENGTH 1e-3
#define NEARER_RADIUS 5e-3

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
    return rise > 0 && rise * rise > LITHE_LEVEL * LITHE_LEVEL * v3_dot(e, e) * v3_dot(d, d);
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
    bool parallel = aa * bb - ab * ab <= LITHE_PARALLEL * aa * bb;
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
    double nearer = fmin(NEARER_LENGTH * sqrt(fmin(aa, bb)), NEARER_RADIUS * (g->ra + g->rb));
    if (count < 2 || closest < nearest - nearer)
        file_point(n, g, s, t, true);
}

// --- pairs of segments ---------------------------------------------------------------------------

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

static LitheSegmentsFn *kernel_in_use(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return lithe_segments_avx2;
#endif
    return lithe_segments_portable;
}

void lithe_narrow_segments(LitheNarrow *n) {
    LitheSegmentPoint points[LITHE_SEGMENT_BLOCK];
    int count = kernel_in_use()(n->c, n->margin, n->single, n->waiting_count, n->waiting, points);
    for (int i = 0; i < count; i++)
        contacts_of(n, n->waiting[points[i].pair], points[i].s, points[i].t);
    n->waiting_count = 0;
}
