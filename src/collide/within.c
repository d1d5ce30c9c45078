// SPDX-License-Identifier: Apache-2.0
// collide/within.c - solids that lie inside of others, where surfaces do not meet
//
// Contacts know how deep a surface is below another one, up to half a thickness. A solid that is
// farther inside has none.

#include "collide/collide.h"

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
        *pair = (LitheWithin){model->face_sets[inner].thing, model->face_sets[outer].thing, at + 1};
        return true;
    }
    return false;
}
