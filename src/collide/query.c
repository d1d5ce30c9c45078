// SPDX-License-Identifier: Apache-2.0
// collide/query.c - distance of two things, and the first hit of a ray

#include "base/status.h"
#include "collide/collide.h"
#include "geom/ray.h"

#include <string.h>

// position of a point along its part
static double place_along(const LitheModel *model, const LitheContacts *c, int32_t part, Vec3 x) {
    Vec3 centre;
    return lithe_part_ops(model, part)->along(c, part, x, &centre);
}

static LitheContactSide side_of(const LitheModel *model, const LitheContacts *c, int32_t part,
                                Vec3 x) {
    double s = place_along(model, c, part, x);
    return lithe_part_ops(model, part)->side(model, c, part, s);
}

static LitheGeom part_shape(const LitheModel *model, const LitheState *state,
                            const LitheContacts *c, int32_t part, LithePose *pose) {
    return lithe_part_ops(model, part)->shape(model, state, c, part, NULL, pose);
}

// --- distance ------------------------------------------------------------------------------------

typedef struct Nearest {
    const LitheModel *model;
    const LitheState *state;
    const LitheContacts *c;
    LitheNearestPlaces *out;
    bool unsupported;
} Nearest;

// nodes stand for the surfaces of solids
static bool has_shape(const LitheModel *model, const LitheBundle *bundle) {
    return lithe_part_ops(model, bundle->first)->shape != NULL;
}

// a lower bound of the distance of two boxes
static double boxes_apart(const LitheBounds *a, const LitheBounds *b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double gap = fmax(0, fmax((double)a->low[k] - b->high[k], (double)b->low[k] - a->high[k]));
        sum += gap * gap;
    }
    return sqrt(sum);
}

static void nearest_parts(Nearest *n, int32_t i, int32_t j) {
    LithePose pa, pb;
    LitheGeom a = part_shape(n->model, n->state, n->c, i, &pa);
    LitheGeom b = part_shape(n->model, n->state, n->c, j, &pb);
    if (!lithe_geom_pair_allowed(&a, &b)) {
        n->unsupported = true;
        return;
    }
    LitheClosest closest;
    lithe_geom_distance(&a, &pa, &b, &pb, &closest);
    if (!(closest.distance < n->out->distance))
        return;
    *n->out =
        (LitheNearestPlaces){closest.distance, side_of(n->model, n->c, i, closest.on_a),
                             side_of(n->model, n->c, j, closest.on_b), closest.on_a, closest.on_b};
}

static void nearest_bundles(Nearest *n, const LitheBundle *x, const LitheBundle *y) {
    // after an overlap was found, overlapping boxes are still tested: their parts may overlap more
    if (boxes_apart(&x->box, &y->box) > fmax(0, n->out->distance))
        return;
    if (!has_shape(n->model, x) || !has_shape(n->model, y))
        return;
    for (int32_t i = x->first; i < x->first + x->count; i++)
        for (int32_t j = y->first; j < y->first + y->count; j++)
            if (boxes_apart(&n->c->boxes[i], &n->c->boxes[j]) <= fmax(0, n->out->distance))
                nearest_parts(n, lithe_slot_part(n->model, n->c, i),
                              lithe_slot_part(n->model, n->c, j));
}

// proxies without motion, in their own memory
static LitheStatus open_proxies(const LitheModel *model, const LitheState *state, LitheContacts **c,
                                LitheError *error) {
    LitheCollideOptions options = {0};
    *c = lithe_contacts_create(model->context);
    if (*c && lithe_collide_proxies(model, state, &options, *c))
        return LITHE_OK;
    lithe_contacts_destroy(*c);
    return lithe_fail_memory(error, "the boxes of a query");
}

LitheStatus lithe_find_distance(const LitheModel *model, const LitheState *state, const char *a,
                                const char *b, LitheNearestPlaces *nearest, LitheError *error) {
    LitheThing named[2] = {lithe_thing_find(model, a), lithe_thing_find(model, b)};
    if (named[0].number == 0 || named[1].number == 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "distance: there is no rod, body or set of particles '%s'",
                          named[0].number == 0 ? a : b);
    int32_t thing_a = lithe_thing_number(model, named[0]);
    int32_t thing_b = lithe_thing_number(model, named[1]);
    if (thing_a == thing_b)
        return lithe_fail(error, LITHE_BAD_INPUT, "distance: '%s' is named twice", a);
    LitheContacts *c;
    LitheStatus status = open_proxies(model, state, &c, error);
    if (status != LITHE_OK)
        return status;
    LitheNearestPlaces best = {.distance = INFINITY};
    Nearest n = {model, state, c, &best, false};
    for (int32_t i = 0; i < c->bundle_count; i++)
        for (int32_t j = 0; j < c->bundle_count && c->bundles[i].thing == thing_a; j++)
            if (c->bundles[j].thing == thing_b)
                nearest_bundles(&n, &c->bundles[i], &c->bundles[j]);
    if (n.unsupported)
        status = lithe_fail(
            error, LITHE_NOT_SUPPORTED,
            "the distance of '%s' and '%s' is not supported: neither shape is convex, nor are they "
            "two closed meshes or a closed mesh and a heightfield",
            a, b);
    else if (best.distance == INFINITY)
        status = lithe_fail(error, LITHE_BAD_INPUT, "distance: '%s' or '%s' has no shape", a, b);
    else
        *nearest = best;
    lithe_contacts_destroy(c);
    return status;
}

// --- rays ----------------------------------------------------------------------------------------

// whether the ray hits the box within `longest`: slabs of the three axes
static bool ray_meets(const LitheBounds *box, const double origin[3], const double d[3],
                      double longest) {
    double enter = 0, leave = longest;
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0) {
            if (origin[k] < box->low[k] || origin[k] > box->high[k])
                return false;
            continue;
        }
        double t0 = (box->low[k] - origin[k]) / d[k], t1 = (box->high[k] - origin[k]) / d[k];
        enter = fmax(enter, fmin(t0, t1));
        leave = fmin(leave, fmax(t0, t1));
    }
    return enter <= leave;
}

LitheStatus lithe_cast_ray(const LitheModel *model, const LitheState *state, LitheVec3 origin,
                           LitheVec3 direction, double longest, LitheRayCast *cast,
                           LitheError *error) {
    double length = v3_norm(direction);
    if (!v3_finite(origin) || !isfinite(length) || !(length > 0) || !(longest >= 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "ray: origin and direction must be finite, the direction not 0 and the "
                          "length >= 0 m");
    LitheContacts *c;
    LitheStatus status = open_proxies(model, state, &c, error);
    if (status != LITHE_OK)
        return status;
    Vec3 unit = v3_scale(1 / length, direction);
    double o[3], d[3]; // origin and direction
    v3_store(origin, o);
    v3_store(unit, d);
    LitheRayCast best = {.hit = false, .distance = longest};
    for (int32_t k = 0; k < c->bundle_count; k++) {
        const LitheBundle *bundle = &c->bundles[k];
        if (!has_shape(model, bundle) || !ray_meets(&bundle->box, o, d, best.distance))
            continue;
        for (int32_t i = bundle->first; i < bundle->first + bundle->count; i++) {
            LithePose pose;
            LitheRayHit hit;
            if (!ray_meets(&c->boxes[i], o, d, best.distance))
                continue;
            int32_t part = lithe_slot_part(model, c, i);
            LitheGeom shape = part_shape(model, state, c, part, &pose);
            if (!lithe_geom_ray(&shape, &pose, origin, unit, best.distance, &hit) ||
                (best.hit && hit.distance >= best.distance))
                continue;
            best = (LitheRayCast){true, hit.distance, hit.point, hit.normal,
                                  side_of(model, c, part, hit.point)};
        }
    }
    *cast = best;
    lithe_contacts_destroy(c);
    return LITHE_OK;
}
