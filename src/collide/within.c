// SPDX-License-Identifier: Apache-2.0
// collide/within.c - things that lie inside of solids or below the ground of a heightfield, where
// surfaces do not meet
//
// Contacts know how deep a surface is below another one, up to half a thickness. A thing that is
// farther inside has none.

#include "collide/collide.h"
#include "collide/part.h"

#include <math.h>

// triangles of a surface whose inner sides are looked at
enum { SAMPLES = 8 };

// solid angle of a triangle over 4 pi, positive seen from inside
static double turns(const LitheFace *face, Vec3 x) {
    Vec3 a = v3_sub(face->x[0], x), b = v3_sub(face->x[1], x), c = v3_sub(face->x[2], x);
    double p = v3_norm(a), q = v3_norm(b), r = v3_norm(c);
    double top = v3_dot(a, v3_cross(b, c));
    double low = p * q * r + v3_dot(a, b) * r + v3_dot(b, c) * p + v3_dot(c, a) * q;
    return atan2(top, low) / (2 * M_PI);
}

static bool contains(const LitheModel *model, const LitheContacts *c, int32_t set, Vec3 x) {
    const LitheFaceSet *faces = &model->face_sets[set];
    Vec3 low = c->faces[faces->at].x[0], high = low;
    for (int32_t i = faces->at; i < faces->at + faces->count; i++)
        for (int k = 0; k < 3; k++) {
            low = v3_min(low, c->faces[i].x[k]);
            high = v3_max(high, c->faces[i].x[k]);
        }
    if (x.x < low.x || x.y < low.y || x.z < low.z || x.x > high.x || x.y > high.y || x.z > high.z)
        return false;
    double sum = 0;
    for (int32_t i = faces->at; i < faces->at + faces->count; i++)
        sum += turns(&c->faces[i], x);
    return sum > 0.5;
}

// whether every sample of a solid, half its depth below the surface, is inside of another one
static bool is_within(const LitheModel *model, const LitheContacts *c, int32_t inner,
                      int32_t outer) {
    const LitheFaceSet *in = &model->face_sets[inner], *out = &model->face_sets[outer];
    int32_t first = lithe_part_at(model, LITHE_PART_FACE);
    if (in->count == 0 || out->count == 0 ||
        !lithe_parts_may_touch(model, c, first + (in->at < out->at ? in->at : out->at),
                               first + (in->at < out->at ? out->at : in->at)))
        return false;
    for (int32_t k = 0; k < SAMPLES; k++) {
        const LitheFace *face = &c->faces[in->at + (int64_t)k * in->count / SAMPLES];
        Vec3 middle = v3_scale(1.0 / 3, v3_add(v3_add(face->x[0], face->x[1]), face->x[2]));
        double depth = 0.5 * in->surface->depths[face->index];
        if (!contains(model, c, outer, v3_axpy(-depth, face->normal, middle)))
            return false;
    }
    return true;
}

bool lithe_next_within(const LitheModel *model, const LitheContacts *contacts, LitheWithin *pair) {
    for (int64_t count = model->face_set_count, at = pair->next; at < count * count; at++) {
        int32_t inner = (int32_t)(at / count), outer = (int32_t)(at % count);
        if (inner == outer || !is_within(model, contacts, inner, outer))
            continue;
        *pair = (LitheWithin){.inner = model->face_sets[inner].thing,
                              .outer = model->face_sets[outer].thing,
                              .next = at + 1};
        return true;
    }
    return false;
}

// --- rods, particles and bodies ------------------------------------------------------------------

// how deep x is inside of a solid [m]; 0: outside
static double depth_in_solid(const LitheModel *model, const LitheContacts *c, int32_t set, Vec3 x) {
    if (!contains(model, c, set, x))
        return 0;
    const LitheFaceSet *faces = &model->face_sets[set];
    double depth = INFINITY;
    for (int32_t i = faces->at; i < faces->at + faces->count; i++) {
        const Vec3 *p = c->faces[i].x;
        depth = fmin(depth, v3_distance(x, lithe_triangle_nearest(p[0], p[1], p[2], x, NULL)));
    }
    return depth;
}

typedef struct Ground {
    const LitheGeom *geom; // a heightfield
    LithePose pose;
} Ground;

static double depth_in_ground(const Ground *ground, Vec3 x) {
    LitheMeshPoint near;
    Vec3 local = place_point_back(&ground->pose, x);
    bool found = lithe_mesh_nearest(ground->geom->mesh, local, INFINITY, &near);
    return found && near.inside ? near.distance : 0;
}

// the middle of a part
static Vec3 middle_of(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                      int32_t part) {
    int kind = lithe_part_kind(model, part);
    if (kind == LITHE_PART_SEGMENT)
        return v3_axpy(0.5, c->segments[part].edge, c->segments[part].start);
    if (kind == LITHE_PART_BALL)
        return c->balls[part - lithe_part_at(model, kind)].at;
    if (kind == LITHE_PART_FACE) {
        const Vec3 *p = c->faces[part - lithe_part_at(model, kind)].x;
        return v3_scale(1.0 / 3, v3_add(p[0], v3_add(p[1], p[2])));
    }
    LithePose pose;
    LitheGeom geom = lithe_part_ops(model, part)->shape(model, state, c, part, NULL, &pose);
    return place_point(&pose, v3_mix(geom.low, geom.high, 0.5));
}

static bool have_contact(const LitheModel *model, const LitheContacts *c, int32_t a, int32_t b) {
    const LitheContact *all = lithe_contact_data(c);
    uint64_t pair = lithe_thing_pair(a, b);
    for (int32_t i = 0; i < lithe_contact_count(c); i++)
        if (lithe_thing_pair(lithe_thing_number(model, all[i].a.thing),
                             lithe_thing_number(model, all[i].b.thing)) == pair)
            return true;
    return false;
}

// The depth of parts from `from` to `to` of one thing in a solid, or in the ground if there is one:
// of a particle that is deeper than its radius, else of a thing that is deeper everywhere.
static double depth_of(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                       int32_t from, int32_t to, int32_t set, const Ground *ground) {
    bool each = lithe_part_kind(model, from) == LITHE_PART_BALL;
    int32_t count = each || to - from < SAMPLES ? to - from : SAMPLES;
    double deepest = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t part = from + (int32_t)((int64_t)k * (to - from) / count);
        Vec3 x = middle_of(model, state, c, part);
        double depth = ground ? depth_in_ground(ground, x) : depth_in_solid(model, c, set, x);
        bool inside = depth > lithe_part_ops(model, part)->size(model, c, part);
        if (!inside && !each)
            return 0;
        deepest = inside ? fmax(deepest, depth) : deepest;
    }
    return deepest;
}

bool lithe_next_sunk(const LitheModel *model, const LitheState *state, const LitheContacts *c,
                     LitheWithin *pair) {
    int32_t sets = model->face_set_count, outers = sets + model->geom_count;
    for (int64_t at = pair->next, all = (int64_t)outers * c->part_count; at < all; at++) {
        int32_t outer = (int32_t)(at / c->part_count), from = (int32_t)(at % c->part_count);
        LithePartKind kind = lithe_part_kind(model, from);
        int32_t geom = outer - sets, shape = lithe_part_at(model, LITHE_PART_SHAPE) + geom;
        bool ground = geom >= 0;
        if (ground && model->geoms[geom].geom.kind != LITHE_GEOM_HEIGHTFIELD) {
            at += c->part_count - 1;
            continue;
        }
        // each thing once, at the first of its parts; bodies by shape
        bool first = from == 0 || c->things[from - 1] != c->things[from] ||
                     lithe_part_kind(model, from - 1) != kind || kind == LITHE_PART_SHAPE;
        bool node = kind == LITHE_PART_BALL && lithe_part_surface(model, c, from) != NULL;
        bool inner = kind == LITHE_PART_SEGMENT || (kind == LITHE_PART_BALL && !node) ||
                     (ground && (kind == LITHE_PART_SHAPE || kind == LITHE_PART_FACE));
        if (!first || !inner)
            continue;
        int32_t to = from + 1;
        while (kind != LITHE_PART_SHAPE && to < c->part_count && c->things[to] == c->things[from] &&
               lithe_part_kind(model, to) == kind)
            to++;
        int32_t other =
            ground ? shape : lithe_part_at(model, LITHE_PART_FACE) + model->face_sets[outer].at;
        int32_t low = from < other ? from : other, high = from < other ? other : from;
        if (low == high || !lithe_parts_may_touch(model, c, low, high) ||
            have_contact(model, c, c->things[from], c->things[other]))
            continue;
        Ground below = {0};
        if (ground) {
            below.geom = &model->geoms[geom].geom;
            lithe_part_ops(model, shape)->shape(model, state, c, shape, NULL, &below.pose);
        }
        double depth = depth_of(model, state, c, from, to, outer, ground ? &below : NULL);
        if (!(depth > 0))
            continue;
        *pair = (LitheWithin){.inner = lithe_thing_at(model, c->things[from]),
                              .outer = lithe_thing_at(model, c->things[other]),
                              .depth = depth,
                              .next = at + 1};
        return true;
    }
    return false;
}
