// SPDX-License-Identifier: Apache-2.0
// collide/narrow_faces.c - contacts of the triangles of two soft surfaces
//
// Two triangles that face each other share a polygon when they are seen along the mean of their
// normals. Its corners are corners of one triangle on the other, and crossings of edges: contacts
// with a share in the area of the polygon. docs/theory/surfaces.md.

#include "collide/narrow.h"

#include "geom/mesh.h"
#include "geom/overlay.h"
#include "geom/segment.h"

#include <float.h>

// (SC3) edges whose directions differ by less than this sine have no normal of their own
#define PARALLEL 0.05
// (SC26): edges whose common normal is across the direction of view, by its cosine, cross beside
// the triangles and not between them
#define ACROSS_NONE 0.1
#define ACROSS_ALL 0.3
// (SC7): overlaps up to this fraction of the width of the polygon belong to it
#define DEEP 0.25
// (SC7): and up to this one where the cosine of the angle between the triangles is below PLAIN
#define DEEP_OBLIQUE 0.01
#define PLAIN 0.95
// (SC7): of deeper ones none does below this room relative to the overlap, and all from that on
#define ROOM_NONE 0.5
#define ROOM_ALL 0.75
// (SC7): and the same for the cosine of the angle between the triangles
#define FACING_NONE 0.1
#define FACING_ALL 0.4
// (SC35): and for edges that cross, which have a normal of their own
#define SHARP_ALL 0.15

// a corner of an overlay, on both triangles
typedef struct Spot {
    Vec3 on_a, on_b, normal; // m, m, from a to b
    double gap;              // m
    double area;             // m^2
} Spot;

static uint64_t place_of(const LitheNarrow *n, int32_t part, int at) {
    const LitheFace *face = lithe_part_face(n->model, n->c, part);
    const LitheFaceSet *set = &n->model->face_sets[face->set];
    if (at == LITHE_AT_INSIDE)
        return lithe_narrow_place(n, part, 0);
    if (at >= LITHE_AT_EDGE) {
        int64_t edge = set->surface->edges[3 * (int64_t)face->index + at - LITHE_AT_EDGE];
        return (uint64_t)(set->place_at + set->nodes + edge);
    }
    return (uint64_t)(set->place_at + face->node[at - LITHE_AT_CORNER]);
}

// the point of the plane of a triangle below a point x
static Vec3 below(const LitheFace *face, Vec3 x) {
    return v3_axpy(-v3_dot(v3_sub(x, face->x[0]), face->normal), face->normal, x);
}

// where along the edge e from x a point is, seen along a direction: 0 to 1
static double seen_at(Vec3 x, Vec3 e, Vec3 point, Vec3 along) {
    Vec3 flat = v3_axpy(-v3_dot(e, along), along, e);
    double square = v3_dot(flat, flat);
    double s = square > 0 ? v3_dot(v3_sub(point, x), flat) / square : 0;
    return fmin(fmax(s, 0), 1);
}

// (SC3)
static Spot spot_of(const LitheFace *a, const LitheFace *b, Vec3 along,
                    const LitheOverlayCorner *corner) {
    Spot spot = {.normal = along, .area = corner->area};
    bool corner_a = corner->on_a < LITHE_AT_EDGE, corner_b = corner->on_b < LITHE_AT_EDGE;
    if (corner_a && corner_b) {
        spot.on_a = a->x[corner->on_a];
        spot.on_b = b->x[corner->on_b];
    } else if (corner_a) {
        spot.on_a = a->x[corner->on_a];
        spot.normal = v3_neg(b->normal);
        spot.on_b = below(b, spot.on_a);
    } else if (corner_b) {
        spot.on_b = b->x[corner->on_b];
        spot.normal = a->normal;
        spot.on_a = below(a, spot.on_b);
    } else {
        int i = (corner->on_a - LITHE_AT_EDGE) % 3, j = (corner->on_b - LITHE_AT_EDGE) % 3;
        Vec3 a0 = a->x[i], a1 = a->x[(i + 1) % 3], b0 = b->x[j], b1 = b->x[(j + 1) % 3];
        Vec3 e = v3_sub(a1, a0), f = v3_sub(b1, b0), n = v3_cross(e, f);
        double size = v3_norm(n);
        if (size > PARALLEL * v3_norm(e) * v3_norm(f)) {
            LitheSegmentPair near = lithe_segment_closest(a0, a1, b0, b1);
            spot.on_a = v3_axpy(near.s, e, a0);
            spot.on_b = v3_axpy(near.t, f, b0);
            spot.normal = v3_scale((v3_dot(n, along) < 0 ? -1 : 1) / size, n);
        } else {
            // parallel edges are equally near everywhere: the corner of the polygon decides
            spot.on_a = v3_axpy(seen_at(a0, e, corner->at, along), e, a0);
            spot.on_b = v3_axpy(seen_at(b0, f, corner->at, along), f, b0);
        }
    }
    spot.gap = v3_dot(spot.normal, v3_sub(spot.on_b, spot.on_a));
    return spot;
}

// the bundle that begins with a part
static const LitheBundle *bundle_at(const LitheContacts *c, int32_t part) {
    int32_t low = 0, high = c->bounded_count;
    while (low < high) {
        int32_t half = low + (high - low) / 2;
        if (c->bundles[half].first < part)
            low = half + 1;
        else
            high = half;
    }
    return &c->bundles[low];
}

// the square of the distance of a point from a box [m^2]
static double square_from(const LitheBounds *box, Vec3 x) {
    const double at[3] = {x.x, x.y, x.z};
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = box->low[k] - at[k], above = at[k] - box->high[k];
        double out = below > above ? below : above;
        sum += out > 0 ? out * out : 0;
    }
    return sum;
}

double lithe_narrow_room(const LitheNarrow *n, const LitheFace *near, Vec3 x, double most) {
    const LitheFaceSet *faces = &n->model->face_sets[near->set];
    Vec3 on = lithe_triangle_nearest(near->x[0], near->x[1], near->x[2], x, NULL);
    // a little more than the distance of that face, which is one of those below
    double least = v3_distance(on, x) * (1 + 1e-9) + DBL_MIN, side = 0;
    int32_t offset = lithe_part_at(n->model, LITHE_PART_FACE), first = offset + faces->at;
    int32_t nearest_index = 0; // of no face yet
    const LitheBundle *bundle = bundle_at(n->c, first);
    for (int32_t i = first; i < first + faces->count; i += bundle++->count) {
        if (square_from(&bundle->box, x) > least * least * (1 + 1e-9))
            continue;
        for (int32_t k = i - offset; k < i - offset + bundle->count; k++) {
            const LitheFace *face = &n->c->faces[n->model->face_order[k]];
            if (fabs(v3_dot(v3_sub(face->x[0], x), face->normal)) > least)
                continue;
            Vec3 nearest = lithe_triangle_nearest(face->x[0], face->x[1], face->x[2], x, NULL);
            Vec3 y = v3_sub(nearest, x);
            double distance = v3_norm(y);
            // where two are equally near, the first one of the surface decides
            if (distance < least || (distance == least && face->index < nearest_index)) {
                least = distance;
                nearest_index = face->index;
                side = v3_dot(y, face->normal);
            }
        }
    }
    return side < 0 ? -least : fmin(least, most);
}

static double ramp(double x, double from, double to) {
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

// where the polygon is, in the middle between both triangles
static Vec3 middle_of(const Spot *spots, int count) {
    Vec3 sum = {0};
    double area = 0;
    for (int i = 0; i < count; i++) {
        sum = v3_axpy(spots[i].area, v3_mix(spots[i].on_a, spots[i].on_b, 0.5), sum);
        area += spots[i].area;
    }
    return v3_scale(1 / area, sum);
}

// (SC7) depth of a point in both solids, each at most half of the overlap, over the overlap
static double room_at(const LitheNarrow *n, const LitheFace *a, const LitheFace *b, Vec3 x,
                      double overlap) {
    // the room in b is at most half of the overlap: without one in a, nothing is left
    double room = lithe_narrow_room(n, a, x, 0.5 * overlap);
    return room > 0 ? (room + lithe_narrow_room(n, b, x, 0.5 * overlap)) / overlap : 0;
}

// (SC35) Halfway between two edges that cross, a wedge that nothing else is near is as deep as the
// plane of its triangle is there: less than half of the overlap, the sharper it is.
static double room_of_edges(const LitheNarrow *n, const LitheFace *a, const LitheFace *b,
                            const Spot *spot, Vec3 x) {
    double deep_a = -0.5 * spot->gap * v3_dot(spot->normal, a->normal);
    double deep_b = 0.5 * spot->gap * v3_dot(spot->normal, b->normal);
    if (!(deep_a > 0) || !(deep_b > 0))
        return 0;
    double room = lithe_narrow_room(n, a, x, deep_a) / deep_a;
    return room > 0 ? 0.5 * (room + lithe_narrow_room(n, b, x, deep_b) / deep_b) : 0;
}

// (SC7) share of a deep overlap that belongs to a polygon: where other faces of the solids are
// nearer, they overlap sideways, and those other faces touch. What protrudes, a corner or crossing
// edges, is deeper than the polygon around it: its own place counts, too.
static double share_of(const LitheNarrow *n, const LitheFace *a, const LitheFace *b,
                       const Spot *spot, bool edges, Vec3 middle) {
    double cosine = -v3_dot(a->normal, b->normal);
    double facing =
        edges ? ramp(cosine, LITHE_LEAST_FACING, SHARP_ALL) : ramp(cosine, FACING_NONE, FACING_ALL);
    if (!(facing > 0))
        return 0;
    Vec3 x = v3_mix(spot->on_a, spot->on_b, 0.5);
    double room = room_at(n, a, b, v3_mix(x, middle, 0.5), -spot->gap);
    if (room < ROOM_ALL)
        room =
            fmax(room, edges ? room_of_edges(n, a, b, spot, x) : room_at(n, a, b, x, -spot->gap));
    return facing * ramp(room, ROOM_NONE, ROOM_ALL);
}

// --- contacts ------------------------------------------------------------------------------------

// How far two triangles approach each other at most in the step [m]: things that move
// together have no contacts ahead of them
static double approach(const LitheNarrow *n, const LitheFace *a, const LitheFace *b) {
    const LitheFaceSet *sets = n->model->face_sets;
    const double *va = n->state->v + n->model->units[sets[a->set].unit].v_at;
    const double *vb = n->state->v + n->model->units[sets[b->set].unit].v_at;
    double fastest = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            Vec3 d = v3_sub(v3_load(va + 3 * (int64_t)a->node[i]),
                            v3_load(vb + 3 * (int64_t)b->node[k]));
            double square = v3_dot(d, d);
            fastest = square > fastest ? square : fastest;
        }
    return n->span * sqrt(fastest);
}

void lithe_narrow_faces(LitheNarrow *n, LithePartPair pair) {
    const LitheFace *a = lithe_part_face(n->model, n->c, pair.a);
    const LitheFace *b = lithe_part_face(n->model, n->c, pair.b);
    double facing = -v3_dot(a->normal, b->normal);
    Vec3 between = v3_sub(a->normal, b->normal);
    if (!(facing > LITHE_LEAST_FACING))
        return;
    Vec3 along = v3_unit(between);
    LitheOverlayCorner corners[LITHE_OVERLAY_MAX];
    double width;
    int count = lithe_overlay(a->x, b->x, along, corners, &width);
    if (count == 0)
        return;
    double reach = n->margin + approach(n, a, b), depth = lithe_faces_depth(n->model, n->c, pair);
    double deep = -(facing > PLAIN ? DEEP : DEEP_OBLIQUE) * width;
    Spot spots[LITHE_OVERLAY_MAX];
    for (int i = 0; i < count; i++)
        spots[i] = spot_of(a, b, along, &corners[i]);
    for (int i = 0; i < count && !n->out->failed; i++) {
        const Spot *spot = &spots[i];
        if (!(spot->gap <= reach) || spot->gap < -depth)
            continue;
        double area =
            spot->area * ramp(v3_dot(spot->normal, along), ACROSS_NONE, ACROSS_ALL); // (SC26)
        if (spot->gap < deep)
            area *= share_of(n, a, b, spot,
                             corners[i].on_a >= LITHE_AT_EDGE && corners[i].on_b >= LITHE_AT_EDGE,
                             middle_of(spots, count));
        if (!(area > 0))
            continue;
        uint64_t id = lithe_narrow_id(n, place_of(n, pair.a, corners[i].on_a),
                                      place_of(n, pair.b, corners[i].on_b), 0);
        LitheContact *contact = lithe_narrow_add(n, pair, 0, 0, id);
        if (!contact)
            return;
        contact->normal = spot->normal;
        contact->gap = spot->gap;
        contact->point = v3_mix(spot->on_a, spot->on_b, 0.5);
        contact->stiffness *= area;
    }
}
