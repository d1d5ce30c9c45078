// SPDX-License-Identifier: Apache-2.0
// collide/narrow.c - contacts of the pairs: points, normals, gaps, ids
//
// The id of a contact names the two places that touch and, for shapes, their feature. A place of a
// rod is a node or the inside of an edge: where two edges meet, both find the same contact, under
// the same id, and it is kept once.

#include "base/memory.h"
#include "collide/collide.h"

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
    LitheContacts *c;
    int place_bits; // of an id, each side
    bool failed;
} Narrow;

// --- ids -----------------------------------------------------------------------------------------

// node 2 i, edge 2 i + 1, then shapes
static uint64_t place_code(const Narrow *n, int32_t part, double s) {
    const LitheModel *model = n->model;
    int32_t thing = n->c->things[part];
    if (thing >= model->rod_count)
        return 2 * (uint64_t)model->node_count + (uint64_t)(part - model->edge_count);
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
    LitheContacts *c = n->c;
    int64_t count = (int64_t)c->found_count + 1;
    if (!LITHE_RESERVE(c->context, c->found, c->found_capacity, count) ||
        !LITHE_RESERVE(c->context, c->keys, c->key_capacity, 2 * count)) {
        n->failed = true;
        return NULL;
    }
    // (C6)
    const LitheTouch *x = touch_of(n, pair.a), *y = touch_of(n, pair.b);
    double k = x->stiffness + y->stiffness;
    LitheContact *contact = &c->found[c->found_count];
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
    c->keys[c->found_count] =
        (LitheContactKey){id, (uint64_t)pair.a << 32 | (uint32_t)pair.b, c->found_count};
    c->found_count++;
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
    const LitheRod *rod = &n->model->rods[c->things[part]];
    if (s > 0 && s < 1)
        return false;
    int64_t first = rod->edge_at, end = first + rod->edge_count;
    int64_t beyond = s <= 0 ? part - (int64_t)1 : part + (int64_t)1;
    if (beyond < first || beyond >= end) {
        if (!rod->closed)
            return false;
        beyond = s <= 0 ? end - 1 : first;
    }
    Vec3 e = c->segments[beyond].edge;
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

enum { WIDE = 2, AHEAD = 12 };
typedef double Lanes __attribute__((vector_size(WIDE * sizeof(double))));
typedef int64_t Masks __attribute__((vector_size(WIDE * sizeof(double))));

// the same number of each segment of a batch
#define GATHER(from, field) ((Lanes){from[0]->field, from[1]->field})

static inline Lanes choose(Masks m, Lanes yes, Lanes no) {
    return (Lanes)(((Masks)yes & m) | ((Masks)no & ~m));
}

static inline Lanes clamp_lanes(Lanes x) {
    const Lanes zero = {0}, one = zero + 1;
    x = choose(x > zero, x, zero);
    return choose(x < one, x, one);
}

// (C3), (C4) Closest points of two segments: minimum of |r + t b - s a|^2 over the unit square: s
// of the two lines, clamped; t for that s, clamped; s for that t. Where t was within, the last
// changes nothing, so that no branch is needed, and pairs run side by side. Near parallels the
// first s means little, and the ends of the overlap decide. Returns which lanes are within reach.
static inline Masks closest(const LitheSegment *const x[WIDE], const LitheSegment *const y[WIDE],
                            double margin, Lanes *s_out, Lanes *t_out) {
    Lanes a[3] = {GATHER(x, edge.x), GATHER(x, edge.y), GATHER(x, edge.z)};
    Lanes b[3] = {GATHER(y, edge.x), GATHER(y, edge.y), GATHER(y, edge.z)};
    Lanes r[3] = {GATHER(y, start.x) - GATHER(x, start.x), GATHER(y, start.y) - GATHER(x, start.y),
                  GATHER(y, start.z) - GATHER(x, start.z)};
    Lanes far = GATHER(x, radius) + GATHER(y, radius) + GATHER(x, travel) + GATHER(y, travel);
    far += margin;
    Lanes aa = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    Lanes bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    Lanes ab = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    Lanes ar = a[0] * r[0] + a[1] * r[1] + a[2] * r[2];
    Lanes br = b[0] * r[0] + b[1] * r[1] + b[2] * r[2];
    Lanes det = aa * bb - ab * ab, zero = {0};
    Lanes s =
        clamp_lanes((ar * bb - br * ab) / choose(det > 1e-14 * aa * bb, det, zero + INFINITY));
    Lanes t = clamp_lanes((s * ab - br) / choose(bb > zero, bb, zero + 1));
    s = clamp_lanes((ar + t * ab) / choose(aa > zero, aa, zero + 1));
    Lanes dd = zero;
    for (int k = 0; k < 3; k++) {
        Lanes d = r[k] + t * b[k] - s * a[k];
        dd += d * d;
    }
    *s_out = s;
    *t_out = t;
    return dd <= far * far;
}

// the first `count` pairs of a batch
static void run_batch(Narrow *n, const LithePartPair *pairs, int count, double margin) {
    const LitheSegment *x[WIDE], *y[WIDE];
    for (int k = 0; k < WIDE; k++) {
        x[k] = &n->c->segments[pairs[k < count ? k : 0].a];
        y[k] = &n->c->segments[pairs[k < count ? k : 0].b];
    }
    Lanes s, t;
    Masks within = closest(x, y, margin, &s, &t);
    for (int k = 0; k < count; k++)
        if (within[k]) {
            double reach = margin + x[k]->travel + y[k]->travel;
            Segments g = {pairs[k],   x[k]->start,  x[k]->edge,   y[k]->start,
                          y[k]->edge, x[k]->radius, y[k]->radius, reach};
            segments(n, &g, s[k], t[k]);
        }
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

static void shapes(Narrow *n, LithePartPair pair, double reach) {
    LithePose pa, pb;
    LitheGeom a = load_shape(n, pair.a, &pa), b = load_shape(n, pair.b, &pb);
    if (!lithe_geom_pair_allowed(&a, &b)) {
        n->c->found_unserved++;
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
        double s = along_edge(n, pair.a, points[i].on_a, &ca);
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

static double travel_of(const Narrow *n, int32_t part) {
    return part < n->model->edge_count ? n->c->segments[part].travel
                                       : n->c->travel[part - n->model->edge_count];
}

// --- front ---------------------------------------------------------------------------------------

bool lithe_collide_narrow(const LitheModel *model, const LitheState *state, double margin,
                          LitheContacts *c) {
    Narrow n = {.model = model, .state = state, .c = c, .place_bits = 1};
    uint64_t places = 2 * (uint64_t)model->node_count + (uint64_t)model->geom_count;
    while (places >> n.place_bits)
        n.place_bits++;
    LithePartPair batch[WIDE];
    int waiting = 0;
    c->found_count = 0;
    c->found_unserved = 0;
    for (int32_t i = 0; i < c->pair_count && !n.failed; i++) {
        LithePartPair pair = c->pairs[i];
        // segments of a large scene come from far memory: ask for them ahead
        if (i + AHEAD < c->pair_count && c->pairs[i + AHEAD].b < model->edge_count) {
            __builtin_prefetch(&c->segments[c->pairs[i + AHEAD].a]);
            __builtin_prefetch(&c->segments[c->pairs[i + AHEAD].b]);
        }
        const LitheSegment *x = &c->segments[pair.a], *y = &c->segments[pair.b];
        if (pair.b >= model->edge_count || !(x->radius > 0) || !(y->radius > 0)) {
            shapes(&n, pair, margin + travel_of(&n, pair.a) + travel_of(&n, pair.b));
            continue;
        }
        batch[waiting++] = pair;
        if (waiting == WIDE) {
            run_batch(&n, batch, WIDE, margin);
            waiting = 0;
        }
    }
    if (waiting > 0)
        run_batch(&n, batch, waiting, margin);
    return !n.failed;
}
