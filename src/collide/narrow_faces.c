// SPDX-License-Identifier: Apache-2.0
// collide/narrow_faces.c - contacts of the triangles of two soft surfaces
//
// Two triangles that face each other share a polygon when they are seen along the mean of their
// normals. Its corners are corners of one triangle on the other, and crossings of edges: contacts
// with a share in the area of the polygon. docs/theory/surfaces.md.

#include "collide/narrow.h"

#include "geom/overlay.h"
#include "geom/segment.h"

// (SC1) triangles whose normals are less opposed do not face each other: their overlay would be
// stretched out
#define LEAST_FACING 0.05
// (SC3) edges whose directions differ by less than this sine have no normal of their own
#define PARALLEL 0.05
// (SC7): overlaps beyond this fraction of the width of the polygon fade
#define DEEP 0.25

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
        LitheSegmentPair near = lithe_segment_closest(a0, a1, b0, b1);
        double size = v3_norm(n);
        spot.on_a = v3_axpy(near.s, e, a0);
        spot.on_b = v3_axpy(near.t, f, b0);
        if (size > PARALLEL * v3_norm(e) * v3_norm(f))
            spot.normal = v3_scale((v3_dot(n, along) < 0 ? -1 : 1) / size, n);
    }
    spot.gap = v3_dot(spot.normal, v3_sub(spot.on_b, spot.on_a));
    return spot;
}

// (SC7) share of an overlap that belongs to a polygon: what is deeper than a quarter of the width
// of the polygon overlaps sideways, and belongs to other triangles
static double share_of(double gap, double width) {
    double ratio = gap < 0 ? DEEP * width / -gap : 1;
    return ratio < 1 ? ratio * ratio : 1;
}

// --- contacts ------------------------------------------------------------------------------------

void lithe_narrow_faces(LitheNarrow *n, LithePartPair pair) {
    const LitheFace *a = lithe_part_face(n->model, n->c, pair.a);
    const LitheFace *b = lithe_part_face(n->model, n->c, pair.b);
    double facing = -v3_dot(a->normal, b->normal);
    if (!(facing > LEAST_FACING))
        return;
    Vec3 along = v3_unit(v3_sub(a->normal, b->normal));
    LitheOverlayCorner corners[LITHE_OVERLAY_MAX];
    double width;
    int count = lithe_overlay(a->x, b->x, along, corners, &width);
    double reach = lithe_narrow_reach(n, pair), depth = lithe_faces_depth(n->model, n->c, pair);
    for (int i = 0; i < count && !n->out->failed; i++) {
        Spot spot = spot_of(a, b, along, &corners[i]);
        if (!(spot.gap <= reach) || spot.gap < -depth)
            continue;
        uint64_t id = lithe_narrow_id(n, place_of(n, pair.a, corners[i].on_a),
                                      place_of(n, pair.b, corners[i].on_b), 0);
        LitheContact *contact = lithe_narrow_add(n, pair, 0, 0, id);
        if (!contact)
            return;
        contact->normal = spot.normal;
        contact->gap = spot.gap;
        contact->point = v3_mix(spot.on_a, spot.on_b, 0.5);
        contact->stiffness *= spot.area * share_of(spot.gap, width);
    }
}
