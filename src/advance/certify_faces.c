// SPDX-License-Identifier: Apache-2.0
// advance/certify_faces.c - after a step: did a soft solid pass through another one?
//
//     (SC8)  every surface has an inner surface: its nodes moved inwards along their normals, as
//     far
//            as contacts hold
//     (SC9)  two solids cross where a triangle of one meets an inner triangle of the other, while
//            the triangles face each other: corner against triangle, edge against edge, on straight
//            paths from the start to the end of the step
// docs/theory/surfaces.md.

#include "advance/certify.h"

#include "base/memory.h"
#include "collide/collide.h"
#include "collide/ties.h"
#include "geom/crossing.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct Motion {
    const LitheModel *model;
    const LitheState *before, *after;
    LitheWork *work;
} Motion;

// unit normal of a triangle; 0: it has no area
static Vec3 normal_of(const double *q, const int32_t *t) {
    Vec3 a = v3_load(q + 3 * (int64_t)t[0]), b = v3_load(q + 3 * (int64_t)t[1]);
    Vec3 n = v3_cross(v3_sub(b, a), v3_sub(v3_load(q + 3 * (int64_t)t[2]), a));
    double size = v3_norm(n);
    return v3_scale(size > 0 ? 1 / size : 0, n);
}

// the surface of a set of faces, or its inner surface
typedef struct Skin {
    const LitheFaceSet *set;
    const Vec3 *inner[2]; // [node_count] at the start and at the end; NULL: the surface itself
    const double *q[2];   // positions of its nodes
} Skin;

// --- moving triangles ----------------------------------------------------------------------------

static Skin skin_of(const Motion *m, int32_t index, bool inner) {
    const LitheFaceSet *set = &m->model->face_sets[index];
    int64_t at = m->model->units[set->unit].q_at, first = 0, all = 0;
    for (int32_t i = 0; i < m->model->face_set_count; i++) {
        first += i < index ? m->model->face_sets[i].nodes : 0;
        all += m->model->face_sets[i].nodes;
    }
    Skin skin = {.set = set, .q = {m->before->q + at, m->after->q + at}};
    if (inner) {
        skin.inner[0] = m->work->skins.inner + first;
        skin.inner[1] = skin.inner[0] + all;
    }
    return skin;
}

static LitheMovingPoint node_of(const Skin *skin, int32_t node) {
    if (skin->inner[0])
        return (LitheMovingPoint){skin->inner[0][node], skin->inner[1][node]};
    return (LitheMovingPoint){v3_load(skin->q[0] + 3 * (int64_t)node),
                              v3_load(skin->q[1] + 3 * (int64_t)node)};
}

static void corners_of(const Skin *skin, int32_t index, LitheMovingPoint x[3]) {
    for (int k = 0; k < 3; k++)
        x[k] = node_of(skin, skin->set->surface->triangles[3 * (int64_t)index + k]);
}

static LitheSkinBox box_around(const LitheMovingPoint *x, int count, int32_t index) {
    LitheSkinBox box = {x[0].x0, x[0].x0, index};
    for (int k = 0; k < count; k++) {
        box.low = v3_min(box.low, v3_min(x[k].x0, x[k].x1));
        box.high = v3_max(box.high, v3_max(x[k].x0, x[k].x1));
    }
    return box;
}

static LitheSkinBox swept(const Skin *skin, int32_t index) {
    LitheMovingPoint x[3];
    corners_of(skin, index, x);
    return box_around(x, 3, index);
}

static bool overlap(const LitheSkinBox *a, const LitheSkinBox *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static LitheSkinBox bounds_of(const Skin *skin) {
    LitheSkinBox all = swept(skin, 0);
    for (int32_t i = 1; i < skin->set->count; i++) {
        LitheSkinBox box = swept(skin, i);
        all.low = v3_min(all.low, box.low);
        all.high = v3_max(all.high, box.high);
    }
    return all;
}

// (SC8) inner points of a set at the start and at the end
static void place_inner(const Motion *m, int32_t index) {
    Skin skin = skin_of(m, index, true);
    const LitheSurface *surface = skin.set->surface;
    for (int k = 0; k < 2; k++) {
        Vec3 *out = m->work->skins.inner + (skin.inner[k] - m->work->skins.inner);
        const double *q = skin.q[k];
        for (int32_t i = 0; i < skin.set->nodes; i++)
            out[i] = v3(0, 0, 0);
        for (int32_t i = 0; i < skin.set->count; i++) {
            const int32_t *t = surface->triangles + 3 * (int64_t)i;
            Vec3 n = normal_of(q, t);
            for (int c = 0; c < 3; c++) {
                Vec3 o = v3_load(q + 3 * (int64_t)t[c]);
                Vec3 e = v3_sub(v3_load(q + 3 * (int64_t)t[(c + 1) % 3]), o);
                Vec3 f = v3_sub(v3_load(q + 3 * (int64_t)t[(c + 2) % 3]), o);
                double angle = atan2(v3_norm(v3_cross(e, f)), v3_dot(e, f));
                out[t[c]] = v3_axpy(angle, n, out[t[c]]);
            }
        }
        for (int32_t i = 0; i < skin.set->nodes; i++) {
            double size = v3_norm(out[i]);
            out[i] = v3_axpy(size > 0 ? -surface->inner[i] / size : 0, out[i],
                             v3_load(q + 3 * (int64_t)i));
        }
    }
}

// --- two triangles -------------------------------------------------------------------------------

// whether two triangles of the surfaces face each other, at the start or at the end
static bool face_each_other(const Skin *a, int32_t i, const Skin *b, int32_t j) {
    const int32_t *t = a->set->surface->triangles + 3 * (int64_t)i;
    const int32_t *u = b->set->surface->triangles + 3 * (int64_t)j;
    return v3_dot(normal_of(a->q[0], t), normal_of(b->q[0], u)) < 0 ||
           v3_dot(normal_of(a->q[1], t), normal_of(b->q[1], u)) < 0;
}

// corners of triangle x against triangle y, whose box is `box`
static bool corners_meet(const LitheMovingPoint x[3], const LitheMovingPoint y[3],
                         const LitheSkinBox *box) {
    double time;
    for (int k = 0; k < 3; k++) {
        LitheSkinBox path = box_around(&x[k], 1, 0);
        if (overlap(&path, box) && lithe_crossing_point_triangle(&x[k], y, &time))
            return true;
    }
    return false;
}

static bool triangles_meet(const Skin *a, const LitheSkinBox *box_a, const Skin *b,
                           const LitheSkinBox *box_b) {
    LitheMovingPoint x[3], y[3];
    int32_t i = box_a->index, j = box_b->index;
    double time;
    if (!face_each_other(a, i, b, j))
        return false;
    corners_of(a, i, x);
    corners_of(b, j, y);
    if (corners_meet(x, y, box_b) || corners_meet(y, x, box_a))
        return true;
    for (int k = 0; k < 9; k++) {
        int e = k / 3, f = k % 3;
        LitheMovingPoint edge[2] = {x[e], x[(e + 1) % 3]}, other[2] = {y[f], y[(f + 1) % 3]};
        if (lithe_crossing_segments(edge, other, &time))
            return true;
    }
    return false;
}

// whether an edge of one triangle is in the other one at the start
static bool triangles_start_crossed(const Skin *a, const LitheSkinBox *box_a, const Skin *b,
                                    const LitheSkinBox *box_b) {
    LitheMovingPoint t[2][3];
    double time;
    if (!face_each_other(a, box_a->index, b, box_b->index))
        return false;
    corners_of(a, box_a->index, t[0]);
    corners_of(b, box_b->index, t[1]);
    for (int k = 0; k < 6; k++)
        t[k / 3][k % 3].x1 = t[k / 3][k % 3].x0;
    for (int k = 0; k < 6; k++) {
        const LitheMovingPoint *own = t[k / 3];
        LitheMovingPoint edge[2] = {own[k % 3], own[(k + 1) % 3]};
        if (lithe_crossing_segment_triangle(edge, t[1 - k / 3], &time))
            return true;
    }
    return false;
}

// --- two surfaces --------------------------------------------------------------------------------

static int by_low(const void *x, const void *y) {
    const LitheSkinBox *a = x, *b = y;
    if (a->low.x != b->low.x)
        return a->low.x < b->low.x ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

// triangles whose boxes reach into `within`, by their lowest x; their common box replaces it.
// False: no memory
static bool collect(const Motion *m, const Skin *skin, int list, LitheSkinBox *within,
                    int32_t *count) {
    LitheSkinWork *work = &m->work->skins;
    if (!LITHE_RESERVE(m->work->context, work->boxes[list], work->capacity[list], skin->set->count))
        return false;
    LitheSkinBox *boxes = work->boxes[list], all = {0};
    *count = 0;
    for (int32_t i = 0; i < skin->set->count; i++) {
        LitheSkinBox box = swept(skin, i);
        if (!overlap(&box, within))
            continue;
        all.low = *count > 0 ? v3_min(all.low, box.low) : box.low;
        all.high = *count > 0 ? v3_max(all.high, box.high) : box.high;
        boxes[(*count)++] = box;
    }
    *within = all;
    qsort(boxes, (size_t)*count, sizeof *boxes, by_low);
    return true;
}

typedef bool MeetFn(const Skin *a, const LitheSkinBox *box_a, const Skin *b,
                    const LitheSkinBox *box_b);

// the first pair of triangles that meets, by the order of the lists; false: none does
static bool first_pair(const Motion *m, const Skin skins[2], const int32_t count[2], MeetFn *meets,
                       LithePartPair *pair) {
    LitheSkinBox *const *boxes = m->work->skins.boxes;
    int32_t at[2] = {0, 0};
    // the box that starts first is tested against those of the other list that start within it
    while (at[0] < count[0] && at[1] < count[1]) {
        int own = boxes[0][at[0]].low.x <= boxes[1][at[1]].low.x ? 0 : 1, other = 1 - own;
        const LitheSkinBox *box = &boxes[own][at[own]++];
        for (int32_t j = at[other]; j < count[other] && boxes[other][j].low.x <= box->high.x; j++) {
            const LitheSkinBox *with = &boxes[other][j];
            if (overlap(box, with) && meets(&skins[own], box, &skins[other], with)) {
                int32_t index[2];
                index[own] = box->index;
                index[other] = with->index;
                *pair = (LithePartPair){index[0], index[1]};
                return true;
            }
        }
    }
    return false;
}

// the surface of one set against the inner surface of another
static LitheStatus check_skins(const Motion *m, int32_t outer, int32_t inner,
                               LitheCrossing *crossing, LitheError *error) {
    const LitheSkinBox *bounds = m->work->skins.bounds;
    LitheSkinBox within = bounds[2 * outer];
    int32_t count[2] = {0, 0};
    if (!m->model->face_sets[inner].surface->inner || !overlap(&within, &bounds[2 * inner + 1]))
        return LITHE_OK;
    Skin skins[2] = {skin_of(m, outer, false), skin_of(m, inner, true)};
    bool fine = collect(m, &skins[1], 1, &within, &count[1]);
    if (fine && count[1] > 0)
        fine = collect(m, &skins[0], 0, &within, &count[0]);
    if (!fine)
        return lithe_fail_memory(error, "the certificate of surfaces");
    LithePartPair pair, start;
    if (count[0] == 0 || !first_pair(m, skins, count, triangles_meet, &pair) ||
        first_pair(m, skins, count, triangles_start_crossed, &start))
        return LITHE_OK;
    int32_t faces = lithe_part_at(m->model, LITHE_PART_FACE);
    int32_t parts[2] = {faces + skins[0].set->at + pair.a, faces + skins[1].set->at + pair.b};
    LithePartPair tied = {parts[0] < parts[1] ? parts[0] : parts[1],
                          parts[0] < parts[1] ? parts[1] : parts[0]};
    const LitheContacts *c = m->work->contacts;
    if (lithe_are_tied(m->model, m->before, c, tied))
        return LITHE_OK;
    *crossing =
        (LitheCrossing){true, lithe_part_ops(m->model, tied.a)->side(m->model, c, tied.a, 0),
                        lithe_part_ops(m->model, tied.b)->side(m->model, c, tied.b, 0)};
    return LITHE_OK;
}

// --- all surfaces --------------------------------------------------------------------------------

static bool prepare(const Motion *m) {
    const LitheModel *model = m->model;
    LitheSkinWork *skins = &m->work->skins;
    int64_t nodes = 0;
    for (int32_t i = 0; i < model->face_set_count; i++)
        nodes += model->face_sets[i].nodes;
    if (!LITHE_RESERVE(m->work->context, skins->inner, skins->inner_capacity, 2 * nodes) ||
        !LITHE_RESERVE(m->work->context, skins->bounds, skins->bound_capacity,
                       2 * (int64_t)model->face_set_count))
        return false;
    for (int32_t i = 0; i < model->face_set_count; i++) {
        Skin skin = skin_of(m, i, false);
        skins->bounds[2 * i] = bounds_of(&skin);
        if (!skin.set->surface->inner)
            continue;
        place_inner(m, i);
        skin = skin_of(m, i, true);
        skins->bounds[2 * i + 1] = bounds_of(&skin);
    }
    return true;
}

LitheStatus lithe_certify_faces(const LitheModel *model, const LitheState *before,
                                const LitheState *after, LitheWork *work, LitheCrossing *crossing,
                                LitheError *error) {
    Motion m = {model, before, after, work};
    if (model->face_set_count == 0)
        return LITHE_OK;
    if (!prepare(&m))
        return lithe_fail_memory(error, "the certificate of surfaces");
    int32_t faces = lithe_part_at(model, LITHE_PART_FACE);
    for (int32_t i = 0; i < model->face_set_count; i++)
        for (int32_t j = i + 1; j < model->face_set_count; j++) {
            const LitheSkinBox *bounds = work->skins.bounds;
            if (!overlap(&bounds[2 * i], &bounds[2 * j]) ||
                !lithe_parts_may_touch(model, work->contacts, faces + model->face_sets[i].at,
                                       faces + model->face_sets[j].at))
                continue;
            LitheStatus status = check_skins(&m, i, j, crossing, error);
            if (status == LITHE_OK && !crossing->found)
                status = check_skins(&m, j, i, crossing, error);
            if (status != LITHE_OK || crossing->found)
                return status;
        }
    return LITHE_OK;
}
