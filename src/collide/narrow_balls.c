// SPDX-License-Identifier: Apache-2.0
// collide/narrow_balls.c - contacts of particles with particles, edges of rods and shapes;
// contacts of points of surfaces with shapes

#include "collide/narrow.h"

// a centre nearer to another centre or centreline than this fraction of the radii has no direction
#define NO_DIRECTION 1e-12

static const LitheBall *ball_of(const LitheNarrow *n, int32_t part) {
    return &n->c->balls[part - lithe_part_at(n->model, LITHE_PART_BALL)];
}

static uint64_t id_of(const LitheNarrow *n, LithePartPair pair, double s, uint32_t feature) {
    return lithe_narrow_id(n, lithe_narrow_place(n, pair.a, s), lithe_narrow_place(n, pair.b, 0),
                           feature);
}

// area on which the stiffness of a contact acts, which is per area on surfaces; else 1
static double area_of(const LitheNarrow *n, LithePartPair pair, Vec3 normal) {
    const LitheSurface *surface = lithe_part_surface(n->model, n->c, pair.b);
    if (!surface)
        return 1;
    const LitheBall *ball = ball_of(n, pair.b);
    const LitheBallSet *set = &n->model->ball_sets[ball->set];
    const double *x = lithe_skin_positions(n->model, n->state, n->c, set->unit, set->fine);
    int32_t shape = pair.a - lithe_part_at(n->model, LITHE_PART_SHAPE);
    const LitheGeom *geom = &n->model->geoms[shape].geom;
    bool box = geom->kind == LITHE_GEOM_BOX;
    LithePanel panel = {0};
    if (box)
        panel = lithe_panel_of(geom, &n->c->poses[shape], normal);
    if (set->middles)
        return lithe_surface_middle_area(surface, ball->index, x, normal, box ? &panel : NULL);
    if (!box)
        return lithe_surface_area(surface, ball->index, x, normal);
    return lithe_surface_covered(surface, ball->index, x, normal, &panel);
}

// adds a contact; `on_a` is its point on the surface of part a
static void put(LitheNarrow *n, LithePartPair pair, double s, uint64_t id, Vec3 on_a, Vec3 normal,
                double gap) {
    double area = area_of(n, pair, normal);
    LitheContact *contact = area > 0 ? lithe_narrow_add(n, pair, s, 0, id) : NULL;
    if (!contact)
        return;
    contact->normal = normal;
    contact->gap = gap;
    contact->point = v3_axpy(0.5 * gap, normal, on_a);
    contact->stiffness *= area;
}

void lithe_narrow_balls(LitheNarrow *n, LithePartPair pair) {
    const LitheBall *a = ball_of(n, pair.a), *b = ball_of(n, pair.b);
    Vec3 d = v3_sub(b->at, a->at);
    double touch = a->radius + b->radius, reach = n->margin + a->travel + b->travel;
    double dd = v3_dot(d, d);
    if (dd > (touch + reach) * (touch + reach))
        return;
    double distance = sqrt(dd);
    Vec3 normal = distance > NO_DIRECTION * touch ? v3_scale(1 / distance, d) : v3(0, 0, 1);
    put(n, pair, 0, id_of(n, pair, 0, 0), v3_axpy(a->radius, normal, a->at), normal,
        distance - touch);
}

// a bar is a box, and neighbouring bars of a rod overlap: each bar has its own contact with the
// ball
static void bar_ball(LitheNarrow *n, LithePartPair pair, const LitheBall *ball) {
    LithePose pose, at = place_identity();
    const LithePartOps *ops = lithe_part_ops(n->model, pair.a);
    LitheGeom bar = ops->shape(n->model, n->state, n->c, pair.a, lithe_narrow_cut(n, 0), &pose);
    LitheGeom round = lithe_geom_ball(ball->radius);
    LitheClosest near;
    Vec3 centre;
    at.at = ball->at;
    lithe_geom_distance(&bar, &pose, &round, &at, &near);
    if (near.distance > lithe_narrow_reach(n, pair))
        return;
    double s = ops->along(n->c, pair.a, near.on_a, &centre);
    put(n, pair, s, id_of(n, pair, 0.5, 0), near.on_a, near.normal, near.distance);
}

void lithe_narrow_segment_ball(LitheNarrow *n, LithePartPair pair) {
    const LitheSegment *segment = &n->c->segments[pair.a];
    const LitheBall *ball = ball_of(n, pair.b);
    if (!(segment->radius > 0)) {
        bar_ball(n, pair, ball);
        return;
    }
    Vec3 p;
    double s = lithe_part_ops(n->model, pair.a)->along(n->c, pair.a, ball->at, &p);
    const double *cut = lithe_narrow_cut(n, 0);
    if (cut) {
        s = fmin(fmax(s, cut[0]), cut[1]);
        p = v3_axpy(s, segment->edge, segment->start);
    }
    Vec3 d = v3_sub(ball->at, p);
    double touch = segment->radius + ball->radius, distance = v3_norm(d);
    if (distance - touch > n->margin + segment->travel + ball->travel ||
        lithe_narrow_beyond(n, pair.a, s, d))
        return;
    Vec3 normal = distance > NO_DIRECTION * touch ? v3_scale(1 / distance, d)
                                                  : v3_any_normal(v3_unit(segment->edge));
    put(n, pair, s, id_of(n, pair, s, 0), v3_axpy(segment->radius, normal, p), normal,
        distance - touch);
}

void lithe_narrow_shape_ball(LitheNarrow *n, LithePartPair pair) {
    const LithePartOps *ops = lithe_part_ops(n->model, pair.a);
    const LitheBall *ball = ball_of(n, pair.b);
    double reach = lithe_narrow_reach(n, pair);
    LithePose pose, at = place_identity();
    LitheGeom shape = ops->shape(n->model, n->state, n->c, pair.a, NULL, &pose);
    const LitheSurface *surface = lithe_part_surface(n->model, n->c, pair.b);
    double radius = ball->radius;
    if (surface) // (S32)
        radius = lithe_surface_radius(
            surface, &n->model->geoms[pair.a - lithe_part_at(n->model, LITHE_PART_SHAPE)]);
    at.at = ball->at;
    if (lithe_geom_is_convex(&shape) || shape.kind == LITHE_GEOM_HALF_SPACE) {
        LitheGeom round = lithe_geom_ball(radius);
        LitheClosest near;
        lithe_geom_distance(&shape, &pose, &round, &at, &near);
        if (near.distance <= reach)
            put(n, pair, 0, id_of(n, pair, 0, 0), near.on_a, near.normal, near.distance);
        return;
    }
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    int count = lithe_solid_ball(&shape, &pose, ball->at, radius, reach, points);
    uint64_t used[LITHE_CONTACTS_MAX], low = ~(uint64_t)0 >> (2 * n->place_bits);
    for (int i = 0; i < count && !n->out->failed; i++) {
        used[i] = id_of(n, pair, 0, points[i].feature);
        // ids are hashes: two of one pair must differ
        for (int j = 0; j < i; j++)
            if (used[j] == used[i]) {
                used[i] = (used[i] & ~low) | ((used[i] + 1) & low);
                j = -1;
            }
        int32_t before = n->out->count;
        put(n, pair, 0, used[i], points[i].on_a, points[i].normal, points[i].gap);
        if (n->out->count > before)
            n->out->contacts[before].feature = points[i].feature;
    }
}
