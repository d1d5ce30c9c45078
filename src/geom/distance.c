// SPDX-License-Identifier: Apache-2.0
// geom/distance.c - signed distance of two shapes: which method for which pair
//
// A sphere is a point and a capsule a segment (the core), each swept by a ball of radius `round`:
//   distance(a, b) = distance(core a, core b) - round a - round b                 (2)
// holds both for separated and for overlapping cores (the depth of a rounded body is that of its
// core plus the radius).

#include "geom/distance.h"

#include "base/assert.h"
#include "geom/distance_round.h"
#include "geom/hollow.h"
#include "geom/mesh_pair.h"
#include "geom/segment.h"

static void flip(LitheClosest *c) {
    Vec3 on_a = c->on_a;
    c->on_a = c->on_b;
    c->on_b = on_a;
    c->normal = v3_neg(c->normal);
}

// --- cores ---------------------------------------------------------------------------------------

static bool is_thin(const LitheCore *core) {
    return core->kind == LITHE_CORE_POINTS && !core->hull && core->count <= 2;
}

static bool is_point(const LitheCore *core) {
    return core->kind == LITHE_CORE_POINTS && !core->hull && core->count == 1;
}

static Vec3 core_end(const LitheCore *core, int i) {
    return core->own[core->count == 2 ? i : 0];
}

static Vec3 into_a(const LitheCorePair *pair, Vec3 x) {
    return v3_add(pair->at, m3_apply(pair->r, x));
}

// where two segments intersect the direction between them is undefined: perpendicular to both
static Vec3 crossing_normal(Vec3 d, Vec3 e, Vec3 towards) {
    Vec3 n = v3_cross(d, e);
    double limit = 1e-9 * v3_norm(d) * v3_norm(e);
    if (v3_norm(n) > limit)
        n = v3_unit(n);
    else if (v3_norm(d) > 0 || v3_norm(e) > 0)
        n = v3_any_normal(v3_unit(v3_norm(d) >= v3_norm(e) ? d : e));
    else
        n = v3(0, 0, 1);
    return v3_dot(n, towards) < 0 ? v3_neg(n) : n;
}

static void segments(const LitheCorePair *pair, LitheCoreDistance *out) {
    Vec3 a0 = core_end(pair->a, 0), a1 = core_end(pair->a, 1);
    Vec3 b0 = into_a(pair, core_end(pair->b, 0)), b1 = into_a(pair, core_end(pair->b, 1));
    LitheSegmentPair near = lithe_segment_closest(a0, a1, b0, b1);
    double size = v3_norm(a0) + v3_norm(a1) + v3_norm(b0) + v3_norm(b1);
    out->on_a = v3_mix(a0, a1, near.s);
    out->on_b = v3_mix(b0, b1, near.t);
    Vec3 gap = v3_sub(out->on_b, out->on_a);
    out->distance = v3_norm(gap);
    if (out->distance > 1e-14 * size) {
        out->normal = v3_scale(1 / out->distance, gap);
        return;
    }
    Vec3 middles = v3_sub(v3_mix(b0, b1, 0.5), v3_mix(a0, a1, 0.5));
    out->normal = crossing_normal(v3_sub(a1, a0), v3_sub(b1, b0), middles);
    out->on_b = v3_axpy(out->distance, out->normal, out->on_a);
}

void lithe_core_distance(const LitheCorePair *pair, LitheCoreDistance *out) {
    if (is_thin(pair->a) && is_thin(pair->b)) {
        segments(pair, out);
    } else if (is_point(pair->b)) {
        LitheNearest near;
        Vec3 x = into_a(pair, pair->b->own[0]);
        lithe_core_nearest(pair->a, x, &near);
        *out = (LitheCoreDistance){near.distance, near.point, x, near.normal};
    } else if (is_point(pair->a)) {
        LitheNearest near;
        Vec3 x = m3_apply_transposed(&pair->r, v3_sub(pair->a->own[0], pair->at));
        lithe_core_nearest(pair->b, x, &near);
        out->distance = near.distance;
        out->normal = v3_neg(m3_apply(pair->r, near.normal));
        out->on_a = pair->a->own[0];
        out->on_b = into_a(pair, near.point);
    } else if (!lithe_segment_cylinder_distance(pair, out) && !lithe_box_face_distance(pair, out) &&
               (pair->a->kind != LITHE_CORE_BOX || pair->b->kind != LITHE_CORE_BOX ||
                !lithe_box_depth(pair, out))) {
        lithe_gjk_distance(pair, out);
    }
}

// --- shapes --------------------------------------------------------------------------------------

// adds the radii of the rounding (2), in world coordinates
static void add_radii(const LitheCoreDistance *core, double round_a, double round_b,
                      const LithePose *pa, LitheClosest *out) {
    out->distance = core->distance - round_a - round_b;
    out->normal = place_direction(pa, core->normal);
    out->on_a = place_point(pa, v3_axpy(round_a, core->normal, core->on_a));
    out->on_b = v3_axpy(out->distance, out->normal, out->on_a);
}

static void half_space(const LithePose *plane, const LitheGeom *b, const LithePose *pb,
                       LitheClosest *out) {
    Vec3 n = m3_column(plane->r, 2);
    Vec3 x = place_point(pb, lithe_geom_support(b, place_direction_back(pb, v3_neg(n))));
    out->distance = v3_dot(n, v3_sub(x, plane->at)); // (3)
    out->normal = n;
    out->on_b = x;
    out->on_a = v3_axpy(-out->distance, n, x);
}

// whether a mesh that does not meet the surface of the other lies inside it
static bool lies_inside(const LitheMesh *outer, Vec3 x) {
    LitheMeshPoint near;
    return lithe_mesh_nearest(outer, x, INFINITY, &near) && near.inside;
}

static void meshes(const LitheGeom *a, const LithePose *pa, const LitheGeom *b, const LithePose *pb,
                   LitheClosest *out) {
    LitheMeshPair pair = lithe_mesh_pair(a->mesh, pa, b->mesh, pb);
    LitheCoreDistance core;
    lithe_mesh_distance(&pair, INFINITY, &core);
    bool apart = core.distance > 0 &&
                 !lies_inside(a->mesh, mesh_pair_point(&pair, b->mesh->points[0])) &&
                 !lies_inside(b->mesh, mesh_pair_back(&pair, a->mesh->points[0]));
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    int count = apart ? 0 : lithe_mesh_contacts(&pair, 0, points), deepest = 0;
    for (int i = 1; i < count; i++)
        if (points[i].gap < points[deepest].gap)
            deepest = i;
    if (count > 0)
        core = (LitheCoreDistance){points[deepest].gap, points[deepest].on_a, points[deepest].on_b,
                                   points[deepest].normal};
    add_radii(&core, 0, 0, pa, out);
}

LitheCorePair lithe_core_pair(const LitheCore *a, const LithePose *pa, const LitheCore *b,
                              const LithePose *pb) {
    return (LitheCorePair){a, b, m3_mul(m3_transpose(pa->r), pb->r), place_point_back(pa, pb->at)};
}

void lithe_convex_distance(const LitheCorePair *pair, const LithePose *pa, LitheClosest *out) {
    LitheCoreDistance core;
    lithe_core_distance(pair, &core);
    add_radii(&core, pair->a->round, pair->b->round, pa, out);
}

// The same in closed form of a tube or torus; false: other methods must find it.
static bool round_closest(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                          const LithePose *pb, LitheClosest *out) {
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    int count = lithe_round_contacts(a, pa, b, pb, INFINITY, false, points), best = 0;
    if (count < 0 && lithe_geom_is_convex(b)) {
        LitheGeom hull = lithe_round_hull(a);
        lithe_geom_distance(&hull, pa, b, pb, out);
        if (out->distance > -lithe_round_wall(a) &&
            lithe_round_has(a, place_point_back(pa, out->on_a)))
            return true;
        if (a->exact == LITHE_GEOM_TORUS)
            count = lithe_ring_contacts(a, pa, b, pb, INFINITY, points);
    }
    for (int i = 1; i < count; i++)
        best = points[i].gap < points[best].gap ? i : best;
    if (count > 0)
        *out = (LitheClosest){points[best].gap, points[best].on_a, points[best].on_b,
                              points[best].normal};
    return count > 0;
}

static void hollow_closest(const LitheGeom *a, const LithePose *pa, const LitheGeom *ball,
                           const LithePose *pb, LitheClosest *out) {
    LitheContactPoint points[LITHE_CONTACTS_MAX];
    int count = lithe_solid_ball(a, pa, pb->at, ball->radius, INFINITY, points), best = 0;
    for (int i = 1; i < count; i++)
        best = points[i].gap < points[best].gap ? i : best;
    *out =
        (LitheClosest){points[best].gap, points[best].on_a, points[best].on_b, points[best].normal};
}

void lithe_geom_distance(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                         const LithePose *pb, LitheClosest *out) {
    LITHE_ASSERT(lithe_geom_pair_allowed(a, b));
    if (a->kind == LITHE_GEOM_HALF_SPACE) {
        half_space(pa, b, pb, out);
    } else if (b->kind == LITHE_GEOM_HALF_SPACE) {
        half_space(pb, a, pa, out);
        flip(out);
    } else if (round_is(a) && (lithe_geom_is_convex(b) || b->exact) &&
               round_closest(a, pa, b, pb, out)) {
        return;
    } else if (a->hollow && b->kind == LITHE_GEOM_SPHERE) {
        hollow_closest(a, pa, b, pb, out);
    } else if (a->mesh && b->mesh) {
        meshes(a, pa, b, pb, out);
    } else if (!lithe_geom_is_convex(b)) {
        lithe_geom_distance(b, pb, a, pa, out);
        flip(out);
    } else {
        LitheCore core_b = lithe_core_of(b);
        if (lithe_geom_is_convex(a)) {
            LitheCore core_a = lithe_core_of(a);
            LitheCorePair pair = lithe_core_pair(&core_a, pa, &core_b, pb);
            lithe_convex_distance(&pair, pa, out);
        } else {
            LitheCorePair pair = lithe_core_pair(NULL, pa, &core_b, pb);
            LitheCoreDistance core;
            lithe_solid_distance(a, &pair, &core);
            add_radii(&core, 0, core_b.round, pa, out);
        }
    }
}
