// SPDX-License-Identifier: Apache-2.0
// collide/narrow_shapes.c - contacts of two shapes, of bodies or of edges of rods

#include "collide/narrow.h"

#include "geom/distance_round.h"

// numbers of the points in the order of their features
static void by_feature(const LitheContactPoint *points, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && points[order[j - 1]].feature > points[i].feature; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
}

// `single`: the deepest of the points alone, the first of equally deep ones; how many are left
static int keep_deepest(LitheContactPoint *points, int count, int *order) {
    int deepest = order[0];
    for (int i = 1; i < count; i++)
        if (points[order[i]].gap < points[deepest].gap)
            deepest = order[i];
    order[0] = deepest;
    points[deepest].weight = 1;
    return 1;
}

// whether a part with this shape is an edge of a rod with a flat section
static bool is_flat(const LitheNarrow *n, int32_t part, const LitheGeom *geom) {
    return lithe_part_kind(n->model, part) == LITHE_PART_SEGMENT &&
           geom->kind != LITHE_GEOM_SEGMENT;
}

// places s and t of a contact along the parts; false: it is one of neighbours
static bool find_place(const LitheNarrow *n, LithePartPair pair, const LitheGeom *a,
                       const LitheContactPoint *point, double *s, double *t) {
    Vec3 ca, cb;
    // for a round rod the point on the centreline: on a slope the surface point has another
    // parameter
    double round = a->kind == LITHE_GEOM_SEGMENT ? a->radius : 0;
    Vec3 on_a = v3_axpy(-round, point->normal, point->on_a);
    *s = lithe_part_ops(n->model, pair.a)->along(n->c, pair.a, on_a, &ca);
    *t = lithe_part_ops(n->model, pair.b)->along(n->c, pair.b, point->on_b, &cb);
    return !lithe_are_neighbours(n->model, n->c, pair, *s, *t, v3_distance(ca, cb));
}

// Whether the ball around b is farther than `gap` from the box of a, in the frame of a: boxes with
// the axes of the world are large around an inclined shape.
static bool is_far(const LitheGeom *a, const LithePose *pa, const LitheGeom *b, const LithePose *pb,
                   double gap) {
    Vec3 x = place_point_back(pa, pb->at), zero = {0, 0, 0};
    Vec3 out = v3_max(zero, v3_max(v3_sub(a->low, x), v3_sub(x, a->high)));
    double most = b->reach + gap;
    // rounding of the distance, which is compared with the gap later
    return v3_dot(out, out) > most * most * (1 + 1e-9);
}

// whether two shapes of bodies are too far from each other for contacts; most pairs of a search end
// here, so that nothing is copied
static bool bodies_are_far(LitheNarrow *n, LithePartPair pair) {
    int32_t first = lithe_part_at(n->model, LITHE_PART_SHAPE);
    const LitheGeom *a = &n->model->geoms[pair.a - first].geom;
    const LitheGeom *b = &n->model->geoms[pair.b - first].geom;
    const LithePose *pa = &n->c->poses[pair.a - first], *pb = &n->c->poses[pair.b - first];
    double reach = n->margin + n->c->travel[pair.a - first] + n->c->travel[pair.b - first];
    if (!lithe_geom_pair_allowed(a, b)) {
        n->out->unsupported++;
        return true;
    }
    return is_far(a, pa, b, pb, reach) || is_far(b, pb, a, pa, reach);
}

// Whether the last contact is the same, found from an earlier part: of both, the search keeps that
// one.
static bool is_known(const LitheNarrow *n, LithePartPair pair, uint64_t id) {
    int32_t count = n->out->count;
    const LitheContactKey *last = n->out->keys + (count > 0 ? count - 1 : 0);
    return count > 0 && last->id == id && last->parts < ((uint64_t)pair.a << 32 | (uint32_t)pair.b);
}

// Contacts of a round edge that lies along a half-space, one at each of its nodes. False: it is not
// such a pair, or has other contacts.
static bool edge_on_plane(LitheNarrow *n, LithePartPair pair) {
    const LitheModel *model = n->model;
    int32_t geom = pair.b - lithe_part_at(model, LITHE_PART_SHAPE);
    if (lithe_part_kind(model, pair.a) != LITHE_PART_SEGMENT || n->piece ||
        lithe_part_kind(model, pair.b) != LITHE_PART_SHAPE ||
        model->geoms[geom].geom.kind != LITHE_GEOM_HALF_SPACE)
        return false;
    double radius = n->c->segments[pair.a].radius;
    if (!(radius > 0))
        return false;
    Vec3 ends[2];
    LitheContactPoint points[2];
    lithe_edge_ends(model, n->state, n->c, pair.a, ends);
    if (!lithe_plane_edge(&n->c->poses[geom], ends[0], ends[1], radius, lithe_narrow_reach(n, pair),
                          points))
        return false;
    uint64_t plane = lithe_narrow_place(n, pair.b, 0);
    for (int i = 0; i < 2; i++) {
        uint64_t id = lithe_narrow_id(n, lithe_narrow_place(n, pair.a, i), plane, 0);
        if (is_known(n, pair, id))
            continue;
        LitheContact *contact = lithe_narrow_add(n, pair, i, 0, id);
        if (!contact)
            return true;
        contact->normal = v3_neg(points[i].normal);
        contact->gap = points[i].gap;
        contact->point = v3_mix(points[i].on_b, points[i].on_a, 0.5);
        contact->feature = points[i].feature;
    }
    return true;
}

typedef struct PlacedGeom {
    LitheGeom geom;
    LithePose pose;
} PlacedGeom;

// Shape and pose of a part, number `side` of its pair. Those of bodies are there already, others
// are made in `own`.
static const LitheGeom *placed_geom(const LitheNarrow *n, int32_t part, int side, PlacedGeom *own,
                                    const LithePose **pose) {
    if (lithe_part_kind(n->model, part) == LITHE_PART_SHAPE) {
        int32_t number = part - lithe_part_at(n->model, LITHE_PART_SHAPE);
        *pose = &n->c->poses[number];
        return &n->model->geoms[number].geom;
    }
    own->geom = lithe_part_ops(n->model, part)
                    ->shape(n->model, n->state, n->c, part, lithe_narrow_cut(n, side), &own->pose);
    *pose = &own->pose;
    return &own->geom;
}

void lithe_narrow_shapes(LitheNarrow *n, LithePartPair pair) {
    if (edge_on_plane(n, pair))
        return;
    // edges of rods are narrow: contacts at their corners are enough
    bool bodies = lithe_part_kind(n->model, pair.a) == LITHE_PART_SHAPE &&
                  lithe_part_kind(n->model, pair.b) == LITHE_PART_SHAPE;
    if (bodies && bodies_are_far(n, pair))
        return;
    PlacedGeom own[2];
    const LithePose *pa, *pb;
    const LitheGeom *a = placed_geom(n, pair.a, 0, &own[0], &pa);
    const LitheGeom *b = placed_geom(n, pair.b, 1, &own[1], &pb);
    if (!bodies && !lithe_geom_pair_allowed(a, b)) {
        n->out->unsupported++;
        return;
    }
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    LitheRegion region;
    double reach = lithe_narrow_reach(n, pair), factor[LITHE_CONTACTS_MAX];
    bool inner = n->model->contact.faces == LITHE_FACES_WHOLE;
    int count = bodies ? lithe_geom_face_contacts(a, pa, b, pb, reach, inner, &region, points)
                       : lithe_geom_contacts(a, pa, b, pb, reach, points);
    if (count == 0)
        return;
    int order[LITHE_CONTACTS_MAX];
    by_feature(points, count, order);
    if (n->single && (is_flat(n, pair.a, a) || is_flat(n, pair.b, b)))
        count = keep_deepest(points, count, order);
    bool rubs =
        bodies && region.flat > 0 && lithe_narrow_face_friction(n, pair, &region, points, factor);
    bool single = a->kind == LITHE_GEOM_SEGMENT &&
                  (lithe_geom_is_convex(b) || b->kind == LITHE_GEOM_HALF_SPACE || round_is(b));
    uint64_t used[LITHE_CONTACTS_MAX], low = ~(uint64_t)0 >> (2 * n->place_bits);
    uint64_t highest = 0; // of all ids so far: a higher one is new
    uint64_t whole_a = lithe_narrow_place(n, pair.a, 0.5);
    uint64_t code_b = lithe_narrow_place(n, pair.b, 0.5);
    for (int i = 0; i < count; i++) {
        const LitheContactPoint *point = &points[order[i]];
        double s = 0, t = 0;
        used[i] = 0;
        if (!bodies && !find_place(n, pair, a, point, &s, &t))
            continue;
        // the node of a round rod has one contact with a convex shape, whichever edge finds it;
        // other contacts differ by their feature
        bool node = single && (s <= 0 || s >= 1);
        if (node && count == 1 && lithe_narrow_beyond(n, pair.a, s, point->normal))
            continue;
        uint64_t code_a = node ? lithe_narrow_place(n, pair.a, s) : whole_a;
        uint32_t feature = point->feature ^ (n->piece_number << 28);
        used[i] = lithe_narrow_id(n, code_a, code_b, node ? 0 : feature);
        for (int j = 0; j < i && !node && used[i] <= highest; j++)
            if (used[j] == used[i]) {
                used[i] = (used[i] & ~low) | ((used[i] + 1) & low);
                j = -1;
            }
        highest = used[i] > highest ? used[i] : highest;
        LitheContact *contact = lithe_narrow_add(n, pair, s, t, used[i]);
        if (!contact)
            return;
        contact->normal = point->normal;
        contact->gap = point->gap;
        contact->stiffness *= point->weight;
        contact->friction *= rubs && order[i] < region.points ? factor[order[i]] : 1;
        contact->point = v3_mix(point->on_a, point->on_b, 0.5);
        contact->feature = point->feature;
    }
}
