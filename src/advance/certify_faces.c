// SPDX-License-Identifier: Apache-2.0
// advance/certify_faces.c - after a step: did a soft solid pass through another one, or a rod, a
// particle or a body through its surface?
//
//     (SC8)  every surface has an inner surface: its nodes moved inwards along their normals
//     (SC9)  two solids cross where a triangle of one meets an inner triangle of the other, while
//            the triangles face each other: corner against triangle, edge against edge, on straight
//            paths from the start to the end of the step
//     (SC30) they do not where a plane keeps the points of one, at the start and at the end, from
//            those of the other: paths are straight
//     (SC14) a rod or a particle passes through a surface where its centreline, or centre, meets a
//            triangle
//     (SC32) a convex shape does where a line through its middle meets a triangle
// docs/theory/surfaces.md.

#include "advance/certify.h"

#include "base/memory.h"
#include "body/solid.h"
#include "body/tree_body.h"
#include "collide/collide.h"
#include "collide/ties.h"
#include "geom/crossing.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// (SC30) distance of two sets of points from a plane, over their largest coordinate: far above the
// rounding of the exact tests
#define CLEAR 1e-9

typedef struct Motion {
    const LitheModel *model;
    const LitheState *before, *after;
    LitheWork *work;
} Motion;

// twice the area of a triangle, along its outer normal
static Vec3 across(const double *q, const int32_t *t) {
    Vec3 a = v3_load(q + 3 * (int64_t)t[0]), b = v3_load(q + 3 * (int64_t)t[1]);
    return v3_cross(v3_sub(b, a), v3_sub(v3_load(q + 3 * (int64_t)t[2]), a));
}

// what moves: the surface of a set of faces, its inner surface, or the edges or points of a thing
typedef struct Skin {
    const LitheFaceSet *set;  // NULL: edges or points
    const Vec3 *inner[2];     // [node_count] at the start and at the end; NULL: the surface itself
    const double *q[2];       // positions of its nodes
    const int32_t (*ends)[2]; // of the edges of a rod; NULL: points
    int32_t count;            // triangles, edges or points
    int32_t width;            // numbers per node in q
    int32_t part;             // the first one
} Skin;

// --- moving triangles ----------------------------------------------------------------------------

static Skin skin_of(const Motion *m, int32_t index, bool inner) {
    const LitheFaceSet *set = &m->model->face_sets[index];
    int64_t at = m->model->units[set->unit].q_at, first = 0, all = 0;
    for (int32_t i = 0; i < m->model->face_set_count; i++) {
        first += i < index ? m->model->face_sets[i].nodes : 0;
        all += m->model->face_sets[i].nodes;
    }
    Skin skin = {.set = set,
                 .q = {m->before->q + at, m->after->q + at},
                 .count = set->count,
                 .width = 3,
                 .part = lithe_part_at(m->model, LITHE_PART_FACE) + set->at};
    for (int k = 0; set->fine && k < 2; k++)
        skin.q[k] = m->work->skins.carried + 3 * (k * m->model->carried_count + set->fine->at);
    if (inner) {
        skin.inner[0] = m->work->skins.inner + first;
        skin.inner[1] = skin.inner[0] + all;
    }
    return skin;
}

static LitheMovingPoint node_of(const Skin *skin, int32_t node) {
    if (skin->inner[0])
        return (LitheMovingPoint){skin->inner[0][node], skin->inner[1][node]};
    return (LitheMovingPoint){v3_load(skin->q[0] + skin->width * (int64_t)node),
                              v3_load(skin->q[1] + skin->width * (int64_t)node)};
}

// returns the number of corners
static int corners_of(const Skin *skin, int32_t index, LitheMovingPoint x[3]) {
    int count = skin->set ? 3 : skin->ends ? 2 : 1;
    for (int k = 0; k < count; k++)
        x[k] = node_of(skin, skin->set    ? skin->set->surface->triangles[3 * (int64_t)index + k]
                             : skin->ends ? skin->ends[index][k]
                                          : index);
    return count;
}

static LitheSkinBox box_around(const LitheMovingPoint *x, int count, int32_t index) {
    LitheSkinBox box = {x[0].x0, x[0].x0, index};
    for (int k = 0; k < count; k++) {
        box.low = v3_min(box.low, v3_min(x[k].x0, x[k].x1));
        box.high = v3_max(box.high, v3_max(x[k].x0, x[k].x1));
    }
    return box;
}

// the set of faces that a part belongs to; -1: none
static int32_t set_of_part(const Motion *m, int32_t part) {
    bool face = lithe_part_kind(m->model, part) == LITHE_PART_FACE;
    return face ? lithe_part_face(m->model, m->work->contacts, part)->set : -1;
}

static LitheSkinBox swept(const Skin *skin, int32_t index) {
    LitheMovingPoint x[3];
    int count = corners_of(skin, index, x);
    return box_around(x, count, index);
}

static bool overlap(const LitheSkinBox *a, const LitheSkinBox *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// around the surface of a set, at the start and at the end
static LitheSkinBox bounds_of(const Skin *skin) {
    const LitheSurface *surface = skin->set->surface;
    Vec3 first = v3_load(skin->q[0] + 3 * (int64_t)surface->used[0]);
    LitheSkinBox all = {first, first, 0};
    for (int32_t i = 0; i < surface->used_count; i++) {
        int64_t at = 3 * (int64_t)surface->used[i];
        Vec3 x = v3_load(skin->q[0] + at), y = v3_load(skin->q[1] + at);
        all.low = v3_min(all.low, v3_min(x, y));
        all.high = v3_max(all.high, v3_max(x, y));
    }
    return all;
}

// around the inner surface, which is not farther from the surface than its depth
static LitheSkinBox inner_bounds(const LitheSurface *surface, LitheSkinBox box) {
    double depth = 0;
    for (int32_t i = 0; i < surface->used_count; i++)
        depth = fmax(depth, surface->inner[surface->used[i]]);
    Vec3 by = v3(depth * (1 + CLEAR), depth * (1 + CLEAR), depth * (1 + CLEAR));
    return (LitheSkinBox){v3_sub(box.low, by), v3_add(box.high, by), 0};
}

// (SC8) inner points of a surface with its nodes at q
static void place_inner_points(const LitheSurface *surface, const double *q, Vec3 *out) {
    for (int32_t i = 0; i < surface->used_count; i++)
        out[surface->used[i]] = v3(0, 0, 0);
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        const int32_t *t = surface->triangles + 3 * (int64_t)i;
        Vec3 n = across(q, t), x = v3_load(q + 3 * (int64_t)t[0]);
        double size = v3_norm(n);
        n = v3_scale(size > 0 ? 1 / size : 0, n);
        Vec3 e = v3_sub(v3_load(q + 3 * (int64_t)t[1]), x);
        Vec3 f = v3_sub(v3_load(q + 3 * (int64_t)t[2]), x);
        double angle[3] = {atan2(size, v3_dot(e, f)), atan2(size, v3_dot(e, v3_sub(e, f)))};
        angle[2] = M_PI - angle[0] - angle[1];
        for (int c = 0; c < 3; c++)
            out[t[c]] = v3_axpy(angle[c], n, out[t[c]]);
    }
    for (int32_t i = 0; i < surface->used_count; i++) {
        int32_t node = surface->used[i];
        double size = v3_norm(out[node]);
        out[node] = v3_axpy(size > 0 ? -surface->inner[node] / size : 0, out[node],
                            v3_load(q + 3 * (int64_t)node));
    }
}

// Inner points of a set at the start and at the end, once per step. Those of the start are mostly
// those of the end of the step before.
static void place_inner(const Motion *m, int32_t index) {
    LitheSkinWork *work = &m->work->skins;
    Skin skin = skin_of(m, index, true);
    int64_t first = skin.inner[0] - work->inner, all = skin.inner[1] - skin.inner[0];
    Vec3 *start = work->inner + first, *end = start + all, *kept = work->kept + first;
    size_t bytes = (size_t)skin.set->nodes * sizeof *kept;
    if (work->placed[index] == work->check)
        return;
    if (work->placed[index] > 0 && memcmp(kept, skin.q[0], bytes) == 0)
        memcpy(start, end, bytes);
    else
        place_inner_points(skin.set->surface, skin.q[0], start);
    place_inner_points(skin.set->surface, skin.q[1], end);
    memcpy(kept, skin.q[1], bytes);
    work->placed[index] = work->check;
}

// --- planes between points -----------------------------------------------------------------------

// the smallest and the largest place of points along n, at the start and at the end
static void range_along(const LitheMovingPoint *x, int count, Vec3 n, double range[2]) {
    for (int k = 0; k < count; k++) {
        double a = v3_dot(n, x[k].x0), b = v3_dot(n, x[k].x1);
        double low = a < b ? a : b, high = a < b ? b : a;
        range[0] = low < range[0] ? low : range[0];
        range[1] = high > range[1] ? high : range[1];
    }
}

static double largest_coordinate(const LitheSkinBox *box) {
    double x = fmax(fabs(box->low.x), fabs(box->high.x));
    double y = fmax(fabs(box->low.y), fabs(box->high.y));
    return fmax(fmax(x, y), fmax(fabs(box->low.z), fabs(box->high.z)));
}

// (SC30) whether a plane across n keeps a skin below another one, whose boxes are given
static bool skins_apart(const Skin *below, const Skin *above, Vec3 n, const LitheSkinBox *box_a,
                        const LitheSkinBox *box_b) {
    double clear = CLEAR * (largest_coordinate(box_a) + largest_coordinate(box_b));
    double ranges[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    const Skin *skins[2] = {below, above};
    for (int k = 0; k < 2; k++) {
        const LitheSurface *surface = skins[k]->set->surface;
        for (int32_t i = 0; i < surface->used_count; i++) {
            LitheMovingPoint x = node_of(skins[k], surface->used[i]);
            range_along(&x, 1, n, ranges[k]);
        }
    }
    return ranges[0][1] + clear * v3_norm(n) < ranges[1][0];
}

// the same for two triangles
static bool triangles_apart(const LitheMovingPoint below[3], const LitheMovingPoint above[3],
                            Vec3 n, double clear) {
    double ranges[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    range_along(below, 3, n, ranges[0]);
    range_along(above, 3, n, ranges[1]);
    return ranges[0][1] + clear * v3_norm(n) < ranges[1][0];
}

// --- two triangles -------------------------------------------------------------------------------

static Vec3 across_of(const Skin *skin, int32_t index, int end) {
    return across(skin->q[end], skin->set->surface->triangles + 3 * (int64_t)index);
}

// whether two triangles of the surfaces face each other, at the start or at the end
static bool face_each_other(const Skin *a, int32_t i, const Skin *b, int32_t j) {
    return v3_dot(across_of(a, i, 0), across_of(b, j, 0)) < 0 ||
           v3_dot(across_of(a, i, 1), across_of(b, j, 1)) < 0;
}

// whether two triangles of one surface are far enough apart on it; those of two may always touch
static bool may_touch(const Motion *m, const Skin *a, int32_t i, const Skin *b, int32_t j) {
    int32_t p = a->part + i, q = b->part + j;
    return a->set != b->set || lithe_part_ops(m->model, p)
                                   ->far(m->model, m->work->contacts, p < q ? p : q, p < q ? q : p);
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

static bool triangles_meet(const Motion *m, const Skin *a, const LitheSkinBox *box_a, const Skin *b,
                           const LitheSkinBox *box_b) {
    LitheMovingPoint x[3], y[3];
    int32_t i = box_a->index, j = box_b->index;
    double time, clear = CLEAR * (largest_coordinate(box_a) + largest_coordinate(box_b));
    corners_of(a, i, x);
    corners_of(b, j, y);
    if (triangles_apart(x, y, across_of(a, i, 0), clear) ||
        triangles_apart(y, x, across_of(b, j, 0), clear) || !face_each_other(a, i, b, j) ||
        !may_touch(m, a, i, b, j))
        return false;
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
static bool triangles_start_crossed(const Motion *m, const Skin *a, const LitheSkinBox *box_a,
                                    const Skin *b, const LitheSkinBox *box_b) {
    LitheMovingPoint t[2][3];
    double time;
    if (!face_each_other(a, box_a->index, b, box_b->index) ||
        !may_touch(m, a, box_a->index, b, box_b->index))
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

// whether points start behind a triangle: inside of its solid, which they leave
static bool start_behind(const LitheMovingPoint *x, int count, const LitheMovingPoint y[3]) {
    Vec3 n = v3_cross(v3_sub(y[1].x0, y[0].x0), v3_sub(y[2].x0, y[0].x0));
    for (int k = 0; k < count; k++)
        if (!(v3_dot(v3_sub(x[k].x0, y[0].x0), n) < 0))
            return false;
    return true;
}

// (SC14) an edge of a rod, or a point, against a triangle of the surface. Those that meet at the
// start are left out: their side is not defined.
static bool mover_meets(const Motion *m, const Skin *a, const LitheSkinBox *box_a, const Skin *b,
                        const LitheSkinBox *box_b) {
    if (a->set)
        return mover_meets(m, b, box_b, a, box_a);
    LitheMovingPoint x[3] = {0}, y[3];
    double time;
    int count = corners_of(a, box_a->index, x);
    corners_of(b, box_b->index, y);
    bool met = count == 1 ? lithe_crossing_point_triangle(x, y, &time)
                          : lithe_crossing_segment_triangle(x, y, &time);
    if (!met || start_behind(x, count, y))
        return false;
    for (int k = 0; k < 3; k++) {
        x[k].x1 = x[k].x0;
        y[k].x1 = y[k].x0;
    }
    met = count == 1 ? lithe_crossing_point_triangle(x, y, &time)
                     : lithe_crossing_segment_triangle(x, y, &time);
    LithePartPair pair = {a->part + box_a->index, b->part + box_b->index};
    return !met && !lithe_are_tied(m->model, m->before, m->work->contacts, pair);
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
    if (!LITHE_RESERVE(m->work->context, work->boxes[list], work->capacity[list], skin->count))
        return false;
    LitheSkinBox *boxes = work->boxes[list], all = {0};
    *count = 0;
    for (int32_t i = 0; i < skin->count; i++) {
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

typedef bool MeetFn(const Motion *m, const Skin *a, const LitheSkinBox *box_a, const Skin *b,
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
        if (lithe_meter_spend(&m->work->meter, 1))
            return false;
        for (int32_t j = at[other]; j < count[other] && boxes[other][j].low.x <= box->high.x; j++) {
            const LitheSkinBox *with = &boxes[other][j];
            if (overlap(box, with) && meets(m, &skins[own], box, &skins[other], with)) {
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

static void note(const Motion *m, LithePartPair pair, LitheCrossing *crossing) {
    const LitheContacts *c = m->work->contacts;
    *crossing =
        (LitheCrossing){true, lithe_part_ops(m->model, pair.a)->side(m->model, c, pair.a, 0),
                        lithe_part_ops(m->model, pair.b)->side(m->model, c, pair.b, 0), false};
}

// The direction from set i to set j in which they are most likely apart: that of their deepest
// contact, or from centre to centre. `first` is the first contact of set i.
static Vec3 direction_of(const Motion *m, int32_t i, int32_t j, int32_t first) {
    const LitheContacts *c = m->work->contacts;
    const LitheSkinBox *a = &m->work->skins.bounds[2 * i], *b = &m->work->skins.bounds[2 * j];
    Vec3 n = v3_sub(v3_add(b->low, b->high), v3_add(a->low, a->high));
    double least = INFINITY;
    for (int32_t k = first; k < c->count && set_of_part(m, c->parts[k].part[0]) == i; k++)
        if (set_of_part(m, c->parts[k].part[1]) == j && c->contacts[k].gap < least) {
            least = c->contacts[k].gap;
            n = c->contacts[k].normal;
        }
    return n;
}

// the surface of one set against the inner surface of another, which lies along n
static LitheStatus check_skins(const Motion *m, int32_t outer, int32_t inner, Vec3 n,
                               LitheCrossing *crossing, LitheError *error) {
    const LitheSkinBox *bounds = m->work->skins.bounds;
    LitheSkinBox within = bounds[2 * outer];
    int32_t count[2] = {0, 0};
    if (!m->model->face_sets[inner].surface->inner || !overlap(&within, &bounds[2 * inner + 1]))
        return LITHE_OK;
    Skin skins[2] = {skin_of(m, outer, false), skin_of(m, inner, true)};
    place_inner(m, inner);
    if (skins_apart(&skins[0], &skins[1], n, &within, &bounds[2 * inner + 1]))
        return LITHE_OK;
    bool fine = collect(m, &skins[1], 1, &within, &count[1]);
    if (fine && count[1] > 0)
        fine = collect(m, &skins[0], 0, &within, &count[0]);
    if (!fine)
        return lithe_fail_memory(error, "the certificate of surfaces");
    LithePartPair pair, start;
    if (count[0] == 0 || !first_pair(m, skins, count, triangles_meet, &pair) ||
        first_pair(m, skins, count, triangles_start_crossed, &start))
        return LITHE_OK;
    int32_t parts[2] = {skins[0].part + pair.a, skins[1].part + pair.b};
    LithePartPair found = {parts[0] < parts[1] ? parts[0] : parts[1],
                           parts[0] < parts[1] ? parts[1] : parts[0]};
    if (!lithe_are_tied(m->model, m->before, m->work->contacts, found))
        note(m, found, crossing);
    return LITHE_OK;
}

// edges of a rod, or points, against the surface of a set
static LitheStatus check_mover(const Motion *m, const Skin *mover, int32_t index,
                               LitheCrossing *crossing, LitheError *error) {
    Skin skins[2] = {*mover, skin_of(m, index, false)};
    LitheSkinBox within = m->work->skins.bounds[2 * index];
    int32_t count[2] = {0, 0};
    LithePartPair pair;
    if (!lithe_parts_may_touch(m->model, m->work->contacts, mover->part, skins[1].part))
        return LITHE_OK;
    bool fine = collect(m, &skins[0], 0, &within, &count[0]);
    if (fine && count[0] > 0)
        fine = collect(m, &skins[1], 1, &within, &count[1]);
    if (!fine)
        return lithe_fail_memory(error, "the certificate of surfaces");
    if (count[0] > 0 && first_pair(m, skins, count, mover_meets, &pair))
        note(m, (LithePartPair){skins[0].part + pair.a, skins[1].part + pair.b}, crossing);
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
        !LITHE_RESERVE(m->work->context, skins->kept, skins->kept_capacity, nodes) ||
        !LITHE_RESERVE(m->work->context, skins->placed, skins->placed_capacity,
                       model->face_set_count) ||
        !LITHE_RESERVE(m->work->context, skins->carried, skins->carried_capacity,
                       6 * model->carried_count) ||
        !LITHE_RESERVE(m->work->context, skins->bounds, skins->bound_capacity,
                       2 * (int64_t)model->face_set_count))
        return false;
    if (model->carried_count > 0) {
        lithe_carry_points(model, m->before, skins->carried, NULL);
        lithe_carry_points(model, m->after, skins->carried + 3 * model->carried_count, NULL);
    }
    for (int32_t i = 0; i < model->face_set_count; i++) {
        Skin skin = skin_of(m, i, false);
        skins->bounds[2 * i] = bounds_of(&skin);
        if (skin.set->surface->inner)
            skins->bounds[2 * i + 1] = inner_bounds(skin.set->surface, skins->bounds[2 * i]);
    }
    skins->check++;
    return true;
}

// rods and particles against the surface of a set
static LitheStatus check_movers(const Motion *m, int32_t index, LitheCrossing *crossing,
                                LitheError *error) {
    const LitheModel *model = m->model;
    LitheStatus status = LITHE_OK;
    for (int32_t r = 0; r < model->rod_count && status == LITHE_OK && !crossing->found; r++) {
        const LitheRod *rod = &model->rods[r];
        Skin skin = {.q = {m->before->q + rod->dof_at, m->after->q + rod->dof_at},
                     .ends = (const int32_t(*)[2])rod->ends,
                     .count = rod->edge_count,
                     .width = 4,
                     .part = (int32_t)rod->edge_at};
        status = check_mover(m, &skin, index, crossing, error);
    }
    for (int32_t i = 0; i < model->ball_set_count && status == LITHE_OK && !crossing->found; i++) {
        const LitheBallSet *set = &model->ball_sets[i];
        int64_t at = model->units[set->unit].q_at;
        Skin skin = {.q = {m->before->q + at, m->after->q + at},
                     .count = set->count,
                     .width = 3,
                     .part = lithe_part_at(model, LITHE_PART_BALL) + (int32_t)set->at};
        if (!set->surface && set->count > 0)
            status = check_mover(m, &skin, index, crossing, error);
    }
    return status;
}

// (SC32) a line through the middle of a shape against all surfaces
static LitheStatus check_line(const Motion *m, int32_t geom, const Vec3 line[2],
                              const LithePose poses[2], LitheCrossing *crossing,
                              LitheError *error) {
    static const int32_t ends[1][2] = {{0, 1}};
    double q[2][6];
    for (int k = 0; k < 4; k++)
        v3_store(place_point(&poses[k / 2], line[k % 2]), q[k / 2] + 3 * (k % 2));
    Skin skin = {.q = {q[0], q[1]},
                 .ends = v3_distance(line[0], line[1]) > 0 ? ends : NULL,
                 .count = 1,
                 .width = 3,
                 .part = lithe_part_at(m->model, LITHE_PART_SHAPE) + geom};
    LitheSkinBox box = swept(&skin, 0);
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < m->model->face_set_count && status == LITHE_OK && !crossing->found; i++)
        if (overlap(&box, &m->work->skins.bounds[2 * i]))
            status = check_mover(m, &skin, i, crossing, error);
    return status;
}

static LitheStatus check_shapes(const Motion *m, LithePlaces places[2], LitheCrossing *crossing,
                                LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t g = 0; g < m->model->geom_count; g++) {
        const LitheModelGeom *own = &m->model->geoms[g];
        Vec3 lines[LITHE_MIDDLE_LINES][2];
        LithePose poses[2];
        int32_t count = lithe_geom_middle(&own->geom, lines);
        for (int k = 0; count > 0 && k < 2; k++)
            poses[k] = lithe_geom_place(lithe_places_body(&places[k], m->model, own->body), own);
        for (int32_t k = 0; k < count && status == LITHE_OK && !crossing->found; k++)
            status = check_line(m, g, lines[k], poses, crossing, error);
    }
    return status;
}

LitheStatus lithe_certify_faces(const LitheModel *model, const LitheState *before,
                                const LitheState *after, LithePlaces places[2], LitheWork *work,
                                LitheCrossing *crossing, LitheError *error) {
    Motion m = {model, before, after, work};
    if (model->face_set_count == 0)
        return LITHE_OK;
    if (!prepare(&m))
        return lithe_fail_memory(error, "the certificate of surfaces");
    LitheStatus shapes = check_shapes(&m, places, crossing, error);
    if (shapes != LITHE_OK || crossing->found)
        return shapes;
    const LitheContacts *c = work->contacts;
    int32_t faces = lithe_part_at(model, LITHE_PART_FACE), first = 0;
    for (int32_t i = 0; i < model->face_set_count; i++) {
        LitheStatus done = check_movers(&m, i, crossing, error);
        if (done != LITHE_OK || crossing->found)
            return done;
        while (first < c->count && set_of_part(&m, c->parts[first].part[0]) < i)
            first++; // contacts are in the order of their first sides
        for (int32_t j = i + !model->face_sets[i].self_contact; j < model->face_set_count; j++) {
            const LitheSkinBox *bounds = work->skins.bounds;
            if (!overlap(&bounds[2 * i], &bounds[2 * j]) ||
                (i != j &&
                 !lithe_parts_may_touch(model, work->contacts, faces + model->face_sets[i].at,
                                        faces + model->face_sets[j].at)))
                continue;
            Vec3 n = direction_of(&m, i, j, first);
            LitheStatus status = check_skins(&m, i, j, n, crossing, error);
            if (status == LITHE_OK && !crossing->found && i != j)
                status = check_skins(&m, j, i, v3_neg(n), crossing, error);
            if (status != LITHE_OK || crossing->found)
                return status;
        }
    }
    return LITHE_OK;
}
