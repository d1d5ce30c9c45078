// SPDX-License-Identifier: Apache-2.0
// collide/narrow.c - contacts of the pairs: points, normals, gaps, ids
//
// The id of a contact names the two places that touch and, for shapes, their feature. A place of a
// rod is a node or the inside of an edge: where two edges meet, both find the same contact, under
// the same id, and it is kept once.

#include "base/memory.h"
#include "collide/collide.h"

#include <float.h>

// squared sine of the angle below which two segments touch along a line, not at a point: 10 degrees
#define PARALLEL 0.03
// (C2) arc length over distance of two places of one rod: below half a circle's they are near each
// other only because they are neighbours
#define HALF_CIRCLE (0.5 * M_PI)
// a parameter this near 0 or 1 is the node: rounding of a projection
#define AT_NODE 1e-9
// sine of the slope up to which an edge counts as level: rounding of a normal
#define LEVEL 1e-9

typedef struct Narrow {
    const LitheModel *model;
    const LitheState *state;
    const LitheContacts *c;
    LitheFound *out;
    int32_t share; // which of the lists that is
    double margin;
    int place_bits; // of an id, each side
    bool single;    // one contact a pair of round edges
} Narrow;

// --- ids -----------------------------------------------------------------------------------------

// node 2 i, edge 2 i + 1, then shapes
static uint64_t place_code(const Narrow *n, int32_t part, double s) {
    const LitheModel *model = n->model;
    int32_t thing = n->c->things[part];
    if (thing >= model->rod_count)
        return 2 * (uint64_t)model->vertex_count + (uint64_t)(part - model->edge_count);
    const LitheRod *rod = &model->rods[thing];
    int64_t edge = part - rod->edge_at, node = s <= 0 ? edge : edge + 1;
    if (s > 0 && s < 1)
        return 2 * (uint64_t)(rod->node_at + edge) + 1;
    return 2 * (uint64_t)(rod->node_at + (node == rod->node_count ? 0 : node));
}

static uint64_t id_of(const Narrow *n, uint64_t a, uint64_t b, uint32_t feature) {
    int left = 64 - 2 * n->place_bits;
    uint64_t spread = (feature * 0x9e3779b97f4a7c15u) >> (64 - left);
    return (a << (64 - n->place_bits)) | (b << left) | (left >= 32 ? feature : spread);
}

// --- filing --------------------------------------------------------------------------------------

static const LitheTouch *touch_of(const Narrow *n, int32_t part) {
    int32_t thing = n->c->things[part];
    return thing < n->model->rod_count ? &n->model->rods[thing].touch
                                       : &n->model->geoms[part - n->model->edge_count].touch;
}

LitheContactSide lithe_contact_side(const LitheModel *model, const LitheContacts *c, int32_t part,
                                    double s) {
    int32_t thing = c->things[part];
    if (thing < model->rod_count)
        return (LitheContactSide){
            {thing + 1}, {0}, (int32_t)(part - model->rods[thing].edge_at), s};
    int32_t geom = (int32_t)(part - model->edge_count), first = geom;
    while (first > 0 && model->geoms[first - 1].body == model->geoms[geom].body)
        first--;
    return (LitheContactSide){{0}, {thing - model->rod_count + 1}, geom - first, 0};
}

// friction of a pair: 0 as soon as one of the two has none
static double pair_of(double a, double b) {
    return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

static LitheContact *file(Narrow *n, LithePartPair pair, double s, double t, uint64_t id) {
    const LitheContacts *c = n->c;
    LitheFound *out = n->out;
    int64_t count = (int64_t)out->count + 1;
    if (!LITHE_RESERVE(c->context, out->contacts, out->capacity, count) ||
        !LITHE_RESERVE(c->context, out->keys, out->key_capacity, count)) {
        out->failed = true;
        return NULL;
    }
    // (C6)
    const LitheTouch *x = touch_of(n, pair.a), *y = touch_of(n, pair.b);
    double k = x->stiffness + y->stiffness;
    LitheContact *contact = &out->contacts[out->count];
    *contact = (LitheContact){
        .id = id,
        .a = lithe_contact_side(n->model, c, pair.a, s),
        .b = lithe_contact_side(n->model, c, pair.b, t),
        .stiffness = x->stiffness * y->stiffness / k,
        .dissipation = (y->stiffness * x->dissipation + x->stiffness * y->dissipation) / k,
        .friction = pair_of(x->friction, y->friction),
        .torsional = pair_of(x->torsional, y->torsional),
        .rolling = pair_of(x->rolling, y->rolling),
    };
    out->keys[out->count] =
        (LitheContactKey){id, (uint64_t)pair.a << 32 | (uint32_t)pair.b, n->share, out->count};
    out->count++;
    return contact;
}

// length along the rod between two places, the shorter way round
static double arc_between(const Narrow *n, LithePartPair pair, double s, double t) {
    int32_t thing = n->c->things[pair.a];
    const LitheRod *rod = &n->model->rods[thing];
    const double *arc = n->c->arc + rod->edge_at + thing;
    int64_t i = pair.a - rod->edge_at, j = pair.b - rod->edge_at;
    double along = arc[j] + t * (arc[j + 1] - arc[j]) - arc[i] - s * (arc[i + 1] - arc[i]);
    return rod->closed ? fmin(along, arc[rod->edge_count] - along) : along;
}

static bool neighbours(const Narrow *n, LithePartPair pair, double s, double t, double distance) {
    return n->c->things[pair.a] == n->c->things[pair.b] &&
           arc_between(n, pair, s, t) < HALF_CIRCLE * distance;
}

// --- two round segments --------------------------------------------------------------------------

typedef struct Segments {
    LithePartPair pair;
    Vec3 a0, a, b0, b; // starts and edges
    double ra, rb, reach;
} Segments;

// where the centrelines meet: square to both, from the middle of a towards that of b
static Vec3 spare_normal(const Segments *g) {
    Vec3 n = v3_unit(v3_cross(g->a, g->b));
    if (!(v3_dot(n, n) > 0.5))
        n = v3_any_normal(v3_unit(g->a));
    Vec3 between = v3_sub(v3_axpy(0.5, g->b, g->b0), v3_axpy(0.5, g->a, g->a0));
    return v3_dot(n, between) < 0 ? v3_neg(n) : n;
}

// (C5) Whether the edge beyond the end s of `part` leads nearer along d (any length, away from the
// part): then what touches is that edge, or one further on, and not this end.
static bool nearer_beyond(const Narrow *n, int32_t part, double s, Vec3 d) {
    const LitheContacts *c = n->c;
    if (s > 0 && s < 1)
        return false;
    Vec3 e = c->segments[c->beyond[part].edge[s <= 0 ? 0 : 2]].edge;
    double rise = s <= 0 ? -v3_dot(d, e) : v3_dot(d, e);
    return rise > 0 && rise * rise > LEVEL * LEVEL * v3_dot(e, e) * v3_dot(d, d);
}

static void file_point(Narrow *n, const Segments *g, double s, double t, bool only_nearest) {
    Vec3 p = v3_axpy(s, g->a, g->a0), d = v3_sub(v3_axpy(t, g->b, g->b0), p);
    if (only_nearest &&
        (nearer_beyond(n, g->pair.a, s, d) || nearer_beyond(n, g->pair.b, t, v3_neg(d))))
        return;
    double distance = v3_norm(d), gap = distance - g->ra - g->rb;
    if (gap > g->reach || neighbours(n, g->pair, s, t, distance))
        return;
    Vec3 normal = distance > 1e-12 * (g->ra + g->rb) ? v3_scale(1 / distance, d) : spare_normal(g);
    uint64_t id = id_of(n, place_code(n, g->pair.a, s), place_code(n, g->pair.b, t), 0);
    LitheContact *contact = file(n, g->pair, s, t, id);
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
        if (inner < -AT_NODE || inner > 1 + AT_NODE)
            continue;
        inner = inner < AT_NODE ? 0 : inner > 1 - AT_NODE ? 1 : inner;
        at[count][0] = i < 2 ? candidate[i][0] : inner;
        at[count++][1] = i < 2 ? inner : candidate[i][1];
    }
    return count;
}

// contacts of two segments with the closest points s and t
static void segments(Narrow *n, const Segments *g, double s, double t) {
    Vec3 r = v3_sub(g->b0, g->a0);
    double aa = v3_dot(g->a, g->a), bb = v3_dot(g->b, g->b), ab = v3_dot(g->a, g->b);
    bool parallel = aa * bb - ab * ab <= PARALLEL * aa * bb;
    s = s < AT_NODE ? 0 : s > 1 - AT_NODE ? 1 : s;
    t = t < AT_NODE ? 0 : t > 1 - AT_NODE ? 1 : t;
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
    // a crossing nearer than the ends, or no overlap at all
    if (count < 2 || closest < nearest - 1e-3 * sqrt(fmin(aa, bb)))
        file_point(n, g, s, t, true);
}

// --- pairs of segments, two at a time ------------------------------------------------------------

// lanes, and pairs in a block
enum { WIDE = 2, BLOCK = 64 };
typedef double Lanes __attribute__((vector_size(WIDE * sizeof(double))));
typedef int64_t Masks __attribute__((vector_size(WIDE * sizeof(double))));

// the same number of each segment of a batch
#define GATHER(from, field) ((Lanes){from[0]->field, from[1]->field})

/// Closest points of a batch of pairs.
typedef struct Batch {
    Lanes s, t;
    Lanes d[3], dd;     // between the points, and squared
    Masks within, sure; // the reach; there whatever lies beyond
} Batch;

/// Pairs that are worked on together: first all closest points, then which of them are the nearest
/// around, then the few contacts left. No branch waits for a distance, and the long chain of one
/// batch runs beside those of the next.
typedef struct Block {
    LithePartPair pairs[BLOCK]; // edges a < b
    Batch batches[BLOCK / WIDE];
    int count;
} Block;

// x where m, else 0
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

// clamped, and what is a node but for rounding becomes the node
static inline Lanes snap_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = only(x >= zero + AT_NODE, x);
    return choose(x <= one - AT_NODE, x, one);
}

static inline Lanes dot_lanes(const Lanes x[3], const Lanes y[3]) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// (C5) as nearer_beyond, for all lanes; `away` is 1 where d leads away from the parts, else -1
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

// where two parallel segments lie side by side somewhere: an end of one falls within the other
static inline Masks beside(Lanes aa, Lanes bb, Lanes ab, Lanes ar, Lanes br) {
    // x (1 - x) >= 0 for x in [0, 1], and a little wider than overlap_ends, which decides
    Lanes end = ar + ab, back = br - ab, low_a = -1e-8 * aa * aa, low_b = -1e-8 * bb * bb;
    return (Masks)(ar * (aa - ar) >= low_a) | (Masks)(end * (aa - end) >= low_a) |
           (Masks)(-br * (bb + br) >= low_b) | (Masks)(-back * (bb + back) >= low_b);
}

// (C3), (C4) Closest points of two segments: minimum of |r + t b - s a|^2 over the unit square: s
// of the two lines, clamped; t for that s, clamped; s for that t. Where t was within, the last
// changes nothing, so that no branch is needed, and pairs run side by side. Near parallels the
// first s means little, and the ends of the overlap decide.
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
    // no division by 0: the number added is never seen beside any other
    Lanes s = clamp_lanes(only(det > 1e-14 * aa * bb, (ar * bb - br * ab) / (det + DBL_MIN)));
    Lanes t = clamp_lanes((s * ab - br) / (bb + DBL_MIN));
    s = snap_lanes((ar + t * ab) / (aa + DBL_MIN));
    t = snap_lanes(t);
    for (int k = 0; k < 3; k++)
        out->d[k] = r[k] + t * b[k] - s * a[k];
    out->dd = dot_lanes(out->d, out->d);
    out->s = s;
    out->t = t;
    // 1e-8: for rounding and snapping; file_point decides. Bars go on as shapes.
    Masks bar = (Masks)(ra * rb <= DBL_MIN);
    out->within = bar | (Masks)(out->dd <= (1 + 1e-8) * far * far);
    out->sure = bar | ((Masks)(det <= PARALLEL * aa * bb) & beside(aa, bb, ab, ar, br));
}

static void shapes(Narrow *n, LithePartPair pair);

static void contacts_of(Narrow *n, LithePartPair pair, double s, double t) {
    const LitheSegment *x = &n->c->segments[pair.a], *y = &n->c->segments[pair.b];
    if (!(x->radius > 0) || !(y->radius > 0)) {
        shapes(n, pair);
        return;
    }
    Segments g = {pair,    x->start,  x->edge,   y->start,
                  y->edge, x->radius, y->radius, n->margin + x->travel + y->travel};
    segments(n, &g, s, t);
}

static void run_block(Narrow *n, Block *block) {
    // the last batch is filled up with a pair that is not counted
    int count = block->count, left_count = 0, left[BLOCK + WIDE];
    const Masks every = (Masks){0} - (int64_t)n->single;
    for (int k = count; k % WIDE; k++)
        block->pairs[k] = block->pairs[0];
    for (int i = 0; i < count; i += WIDE)
        closest(n->c->segments, &block->pairs[i], n->margin, &block->batches[i / WIDE]);
    // most pairs within reach are nearer to each other at another edge, and end here
    for (int i = 0; i < count; i += WIDE) {
        const Batch *b = &block->batches[i / WIDE];
        const int32_t x[WIDE] = {block->pairs[i].a, block->pairs[i + 1].a};
        const int32_t y[WIDE] = {block->pairs[i].b, block->pairs[i + 1].b};
        Masks on = nearer_beyond_lanes(n->c, x, b->s, 1, b->d, b->dd) |
                   nearer_beyond_lanes(n->c, y, b->t, -1, b->d, b->dd);
        Masks stays = b->within & (b->sure | ~on | every);
        for (int k = 0; k < WIDE; k++) {
            left[left_count] = i + k;
            left_count -= (int)stays[k];
        }
    }
    for (int i = 0; i < left_count && left[i] < count; i++) {
        const Batch *b = &block->batches[left[i] / WIDE];
        int k = left[i] % WIDE;
        contacts_of(n, block->pairs[left[i]], b->s[k], b->t[k]);
    }
    block->count = 0;
}

// --- shapes --------------------------------------------------------------------------------------

static LitheGeom load_shape(const Narrow *n, int32_t part, LithePose *pose) {
    int32_t thing = n->c->things[part];
    if (thing < n->model->rod_count)
        return lithe_edge_shape(n->model, n->state, thing,
                                (int32_t)(part - n->model->rods[thing].edge_at), pose);
    *pose = n->c->poses[part - n->model->edge_count];
    return n->model->geoms[part - n->model->edge_count].geom;
}

// where along the edge a contact lies
static double along_edge(const Narrow *n, int32_t part, Vec3 x, Vec3 *centre) {
    *centre = x;
    if (part >= n->model->edge_count)
        return 0;
    Vec3 start = n->c->segments[part].start, edge = n->c->segments[part].edge;
    double ee = v3_dot(edge, edge), s = ee > 0 ? v3_dot(v3_sub(x, start), edge) / ee : 0;
    s = s < AT_NODE ? 0 : s > 1 - AT_NODE ? 1 : s;
    *centre = v3_axpy(s, edge, start);
    return s;
}

static void by_feature(LitheContactPoint *points, int count) {
    for (int i = 1; i < count; i++) {
        LitheContactPoint point = points[i];
        int j = i;
        for (; j > 0 && points[j - 1].feature > point.feature; j--)
            points[j] = points[j - 1];
        points[j] = point;
    }
}

static double travel_of(const Narrow *n, int32_t part) {
    return part < n->model->edge_count ? n->c->segments[part].travel
                                       : n->c->travel[part - n->model->edge_count];
}

static void shapes(Narrow *n, LithePartPair pair) {
    double reach = n->margin + travel_of(n, pair.a) + travel_of(n, pair.b);
    LithePose pa, pb;
    LitheGeom a = load_shape(n, pair.a, &pa), b = load_shape(n, pair.b, &pb);
    if (!lithe_geom_pair_allowed(&a, &b)) {
        n->out->unserved++;
        return;
    }
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    int count = lithe_geom_contacts(&a, &pa, &b, &pb, reach, points);
    by_feature(points, count);
    bool single = a.kind == LITHE_GEOM_SEGMENT &&
                  (lithe_geom_is_convex(&b) || b.kind == LITHE_GEOM_HALF_SPACE);
    uint64_t used[LITHE_CONTACTS_MAX], low = ~(uint64_t)0 >> (2 * n->place_bits);
    for (int i = 0; i < count; i++) {
        Vec3 ca, cb;
        used[i] = 0;
        // of a round rod the point of the centreline: where it slopes, the surface lies aside of it
        double round = pair.a < n->model->edge_count ? n->c->segments[pair.a].radius : 0;
        double s = along_edge(n, pair.a, v3_axpy(-round, points[i].normal, points[i].on_a), &ca);
        double t = along_edge(n, pair.b, points[i].on_b, &cb);
        if (neighbours(n, pair, s, t, v3_distance(ca, cb)))
            continue;
        // the node of a round rod has one contact with a convex shape, whichever edge finds it;
        // other contacts are told apart by their feature
        bool node = single && (s <= 0 || s >= 1);
        if (node && count == 1 && nearer_beyond(n, pair.a, s, points[i].normal))
            continue;
        uint64_t code_a = place_code(n, pair.a, node ? s : 0.5);
        uint64_t code_b = place_code(n, pair.b, 0.5);
        used[i] = id_of(n, code_a, code_b, node ? 0 : points[i].feature);
        for (int j = 0; j < i && !node; j++)
            if (used[j] == used[i]) {
                used[i] = (used[i] & ~low) | ((used[i] + 1) & low);
                j = -1;
            }
        LitheContact *contact = file(n, pair, s, t, used[i]);
        if (!contact)
            return;
        contact->normal = points[i].normal;
        contact->gap = points[i].gap;
        contact->point = v3_mix(points[i].on_a, points[i].on_b, 0.5);
        contact->feature = points[i].feature;
    }
}

// --- front ---------------------------------------------------------------------------------------

// pairs below which one list holds them all
enum { FEW_PAIRS = 2048 };

// all pairs of one share
static void narrow_share(int32_t share, void *user) {
    Narrow n = *(const Narrow *)user;
    const LitheContacts *c = n.c;
    bool few = c->pair_count < FEW_PAIRS;
    int64_t shares = few ? 1 : LITHE_FOUND_SHARES, count = c->pair_count;
    n.share = share;
    n.out += share;
    n.out->count = n.out->unserved = 0;
    n.out->failed = false;
    if (share >= shares)
        return;
    Block block;
    block.count = 0;
    int32_t first = (int32_t)(count * share / shares);
    int32_t after = (int32_t)(count * (share + 1) / shares);
    for (int32_t i = first; i < after && !n.out->failed; i++) {
        LithePartPair pair = c->pairs[i];
        if (pair.b >= n.model->edge_count) {
            shapes(&n, pair);
            continue;
        }
        // segments of a large scene come from far memory: ask for them ahead
        __builtin_prefetch(&c->segments[pair.a]);
        __builtin_prefetch(&c->segments[pair.b]);
        block.pairs[block.count++] = pair;
        if (block.count == BLOCK)
            run_block(&n, &block);
    }
    if (block.count > 0)
        run_block(&n, &block);
}

bool lithe_collide_narrow(const LitheModel *model, const LitheState *state,
                          const LitheCollideOptions *options, LitheContacts *c) {
    Narrow n = {.model = model,
                .state = state,
                .c = c,
                .out = c->found,
                .margin = options->margin,
                .place_bits = 1,
                .single = options->single};
    uint64_t places = 2 * (uint64_t)model->vertex_count + (uint64_t)model->geom_count;
    while (places >> n.place_bits)
        n.place_bits++;
    lithe_pool_run(c->pair_count < FEW_PAIRS ? NULL : options->pool, LITHE_FOUND_SHARES,
                   narrow_share, &n);
    for (int k = 0; k < LITHE_FOUND_SHARES; k++)
        if (c->found[k].failed)
            return false;
    return true;
}
