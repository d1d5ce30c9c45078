// SPDX-License-Identifier: Apache-2.0
// geom/distance_contacts.c - a few contact points that represent the contact patch of two shapes
//
// The distance gives a normal n. The features of the two cores that face each other along n are
// projected along n; the corners of their overlap are contacts with
//   gap = n . (x_b - x_a) - round a - round b                                         (11)
// and no such gap is below the distance. geom/distance_choice.c chooses among them.

#include "base/assert.h"
#include "geom/distance_raw.h"
#include "geom/distance_round.h"
#include "geom/hollow.h"
#include "geom/mesh_pair.h"

// which contacts represent the patch of two faces
typedef enum Faces {
    BY_MARGIN, // corners within the margin
    CORNERS,   // chosen regardless of the margin
    WHOLE,     // the same, each with one inside
} Faces;

// --- convex pairs --------------------------------------------------------------------------------

// overlap of the features that face each other along the core normal, in world coordinates
static void add_overlap(LitheRaw *raw, const LitheCorePair *pair, const LithePose *pa, Vec3 n,
                        double round_a, double round_b, uint32_t piece) {
    Vec3 fa[LITHE_FEATURE_MAX], fb[LITHE_FEATURE_MAX];
    uint32_t id_a = 0, id_b = 0;
    int a_count = lithe_core_feature(pair->a, n, fa, &id_a);
    int b_count = lithe_core_feature(pair->b, m3_apply_transposed(&pair->r, v3_neg(n)), fb, &id_b);
    for (int i = 0; i < b_count; i++)
        fb[i] = v3_add(pair->at, m3_apply(pair->r, fb[i]));
    LitheOverlapPoint over[LITHE_OVERLAP_MAX];
    int count = lithe_feature_overlap(fa, a_count, fb, b_count, n, over);
    LitheContactPoint ends[2];
    uint32_t features = raw_mix(raw_mix(id_a, id_b), piece);
    bool own_normal = a_count == 2 && b_count == 2 && round_a + round_b > 0;
    for (int i = 0; i < count; i++) {
        Vec3 m = n, d = v3_sub(over[i].on_b, over[i].on_a);
        // parallel round edges: each end has its own direction
        if (own_normal && v3_dot(d, n) > 0.9 * v3_norm(d) &&
            v3_norm(d) > 1e-9 * (round_a + round_b))
            m = v3_unit(d);
        double gap = v3_dot(m, d) - round_a - round_b; // (11)
        LitheContactPoint c = {.gap = gap, .normal = place_direction(pa, m), .weight = 1};
        c.on_a = place_point(pa, v3_axpy(round_a, m, over[i].on_a));
        c.on_b = v3_axpy(gap, c.normal, c.on_a);
        c.feature = raw_mix(features, over[i].tag);
        if (a_count > 2 && b_count > 2)
            lithe_raw_note_corner(raw, c);
        ends[i < 2 ? i : 1] = c;
        lithe_raw_add(raw, c);
    }
    if (count == 2 && (a_count == 2 || b_count == 2))
        lithe_raw_note_piece(raw, &ends[0], &ends[1]);
}

// adds the closest points, unless an overlap point is as near
static void add_closest(LitheRaw *raw, const LitheClosest *closest, uint32_t piece) {
    double min = INFINITY, size = 0;
    for (int i = 0; i < raw->count; i++) {
        min = fmin(min, raw->point[i].gap);
        size = fmax(size, v3_distance(raw->point[i].on_a, closest->on_a));
    }
    if (raw->count > 1 && min <= closest->distance + 1e-3 * size)
        return;
    // the same point found twice: rounding must not decide which of two ids it has
    double same = raw_same_place(closest->on_a, closest->distance, raw->margin);
    if (raw->count == 1 && size <= same && min <= closest->distance + same)
        return;
    lithe_raw_add(raw, (LitheContactPoint){.on_a = closest->on_a,
                                           .on_b = closest->on_b,
                                           .normal = closest->normal,
                                           .gap = closest->distance,
                                           .feature = raw_mix(0xc105e57u, piece)});
}

// Whether both are capsules at a large angle to each other: their edges have no overlap, whose
// limit is 0.1 rad (lithe_feature_overlap).
static bool are_crossed(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb) {
    if (a->kind != LITHE_GEOM_CAPSULE || b->kind != LITHE_GEOM_CAPSULE)
        return false;
    Vec3 d = m3_apply(pa->r, v3_sub(a->end[1], a->end[0]));
    Vec3 e = m3_apply(pb->r, v3_sub(b->end[1], b->end[0])), side = v3_cross(d, e);
    return v3_dot(side, side) > 0.04 * v3_dot(d, d) * v3_dot(e, e);
}

static void convex_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                            const LithePose *pb, LitheRaw *raw) {
    LitheClosest closest;
    LitheCore core_a = lithe_core_of(a), core_b = lithe_core_of(b);
    LitheCorePair pair = lithe_core_pair(&core_a, pa, &core_b, pb);
    lithe_convex_distance(&pair, pa, &closest);
    if (closest.distance > raw->margin)
        return;
    if (raw->line) {
        raw->line->round_a = core_a.round;
        raw->line->round_b = core_b.round;
    }
    if (!are_crossed(a, pa, b, pb))
        add_overlap(raw, &pair, pa, place_direction_back(pa, closest.normal), core_a.round,
                    core_b.round, 0);
    add_closest(raw, &closest, 0);
}

// --- half-space ----------------------------------------------------------------------------------

static LitheContactPoint above(const LithePose *plane, Vec3 x, uint32_t id) {
    Vec3 n = m3_column(plane->r, 2);
    double gap = v3_dot(n, v3_sub(x, plane->at));
    return (LitheContactPoint){
        .on_a = v3_axpy(-gap, n, x), .on_b = x, .normal = n, .gap = gap, .feature = id};
}

static void core_above(LitheRaw *raw, const LithePose *plane, const LitheCore *core,
                       const LithePose *pb, uint32_t piece) {
    Vec3 n = m3_column(plane->r, 2), p[LITHE_FEATURE_MAX];
    uint32_t id = 0;
    LitheContactPoint ends[2];
    int count = lithe_core_feature(core, place_direction_back(pb, v3_neg(n)), p, &id);
    for (int i = 0; i < count; i++) {
        Vec3 x = v3_axpy(-core->round, n, place_point(pb, p[i]));
        LitheContactPoint c = above(plane, x, raw_mix(raw_mix(id, piece), (uint32_t)i));
        if (count > 2)
            lithe_raw_note_corner(raw, c);
        ends[i < 2 ? i : 1] = c;
        lithe_raw_add(raw, c);
    }
    if (count == 2)
        lithe_raw_note_piece(raw, &ends[0], &ends[1]);
}

// records the edge of a mesh on which all points lie, if they lie on one
static void note_edge(LitheRaw *raw, const LitheGeom *b, const LithePose *pb) {
    enum { MOST = 16, INSIDE = 4 };
    LitheContactPoint ends[2];
    if (!raw->line || raw->count < 2 || raw->count > MOST)
        return;
    double far = 0;
    for (int i = 0; i < raw->count; i++)
        for (int j = 0; j < i; j++) {
            double distance = v3_distance(raw->point[i].on_b, raw->point[j].on_b);
            if (distance > far * (1 + 1e-9)) {
                far = distance;
                ends[0] = raw->point[j];
                ends[1] = raw->point[i];
            }
        }
    if (!(far > 0))
        return;
    for (int i = 0; i < raw->count; i++)
        if (!lithe_line_has(ends, &raw->point[i]))
            return;
    for (int i = 1; i <= INSIDE; i++) {
        LitheNearest near;
        Vec3 x = v3_mix(ends[0].on_b, ends[1].on_b, (double)i / (INSIDE + 1));
        lithe_solid_nearest(b, place_point_back(pb, x), &near);
        if (fabs(near.distance) > 1e-6 * b->reach)
            return;
    }
    lithe_raw_note_piece(raw, &ends[0], &ends[1]);
}

// records the flat face of a mesh that rests on the plane; false: there is none
static bool note_face(LitheRaw *raw, const LithePose *plane, const LitheGeom *b,
                      const LithePose *pb, LitheFaceArea *area) {
    Vec3 down = place_direction_back(pb, v3_neg(m3_column(plane->r, 2)));
    int32_t face[LITHE_OVERLAP_MAX];
    int count = lithe_mesh_face(b->mesh, down, face, area);
    for (int k = 0; k < count; k++)
        lithe_raw_note_corner(
            raw, above(plane, place_point(pb, b->mesh->points[face[k]]), (uint32_t)face[k]));
    if (area->sums[0] > 0) {
        area->centre = above(plane, place_point(pb, area->centre), 0).on_a;
        area->pose = pb;
        raw->patch->face = area;
    }
    return count > 0;
}

// A hollow solid of revolution: its convex hull, whose arcs touch at the closest point alone; its
// end has the area of the wall.
static void hollow_above(LitheRaw *raw, const LithePose *plane, const LitheGeom *b,
                         const LithePose *pb, Vec3 down, LitheFaceArea *area) {
    LitheGeom hull = lithe_hollow_hull(b);
    LithePatch *patch = raw->patch;
    LitheLine *line = raw->line;
    int32_t cap = patch ? lithe_profile_cap(&hull, down) : -1;
    for (int32_t i = 0; i + 1 < hull.profile_count; i++) {
        if (b->hollow->hull_edge[i] == LITHE_HULL_ARC)
            continue;
        LitheCore core = lithe_solid_piece(&hull, i);
        raw->patch = i == cap ? patch : NULL;
        raw->line = b->hollow->hull_edge[i] == LITHE_HULL_LINE ? line : NULL;
        core_above(raw, plane, &core, pb, (uint32_t)i);
    }
    raw->line = line;
    *area = lithe_hollow_end(b, down.z > 0);
    raw->patch = cap >= 0 && area->sums[0] > 0 ? patch : NULL;
    if (raw->patch) {
        area->centre = above(plane, place_point(pb, area->centre), 0).on_a;
        raw->patch->face = area;
        return;
    }
    // it stands on a circle: a round or sharp rim
    Vec3 low = lithe_hollow_support(b, v3(0, 0, copysign(1, down.z)));
    double r = cap >= 0 ? hypot(low.x, low.y) : 0;
    for (uint32_t k = 0; k < 8 && r > 0; k++) {
        Vec3 x = v3(r * cos(0.25 * M_PI * k), r * sin(0.25 * M_PI * k), low.z);
        lithe_raw_add(raw, above(plane, place_point(pb, x), raw_mix(0x40110u, k)));
    }
}

static void half_space_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                                const LithePose *pb, LitheFaceArea *area, LitheRaw *raw) {
    LitheClosest closest;
    lithe_geom_distance(a, pa, b, pb, &closest);
    if (closest.distance > raw->margin)
        return;
    Vec3 down = place_direction_back(pb, v3_neg(m3_column(pa->r, 2)));
    if (round_is(b)) {
        LitheGeom hull = lithe_round_hull(b);
        LitheCore core = lithe_core_of(&hull);
        if (b->exact == LITHE_GEOM_TORUS)
            raw->patch = NULL;
        core_above(raw, pa, &core, pb, 0);
        if (raw->patch && raw->patch->count > 0) {
            *area = lithe_round_end(b);
            Vec3 end = v3(0, 0, copysign(b->half.z, down.z));
            area->centre = above(pa, place_point(pb, end), 0).on_a;
            raw->patch->face = area;
        }
    } else if (b->hollow) {
        hollow_above(raw, pa, b, pb, down, area);
    } else if (b->mesh) {
        for (int32_t i = 0; i < b->mesh->point_count; i++)
            lithe_raw_add(raw, above(pa, place_point(pb, b->mesh->points[i]), (uint32_t)i));
        if (raw->patch && !note_face(raw, pa, b, pb, area))
            note_edge(raw, b, pb);
    } else if (b->profile_z) {
        LithePatch *patch = raw->patch;
        int32_t cap = patch ? lithe_profile_cap(b, down) : -1;
        for (int32_t i = 0; i + 1 < b->profile_count; i++) {
            LitheCore core = lithe_solid_piece(b, i);
            raw->patch = i == cap ? patch : NULL;
            core_above(raw, pa, &core, pb, (uint32_t)i);
        }
    } else {
        LitheCore core = lithe_core_of(b);
        core_above(raw, pa, &core, pb, 0);
    }
    add_closest(raw, &closest, 0);
}

// --- solids that are not convex ------------------------------------------------------------------

typedef struct Sweep {
    const LitheGeom *a;
    const LithePose *pa;
    LitheCorePair pair;
    double round, within;
    Vec3 normal;  // of the deepest place, in the frame of a
    double depth; // depth at that place, >= 0
    LitheRaw *raw;
} Sweep;

static LitheClosest into_world(const LitheCoreDistance *d, double round, const LithePose *pa) {
    LitheClosest c = {.distance = d->distance - round, .normal = place_direction(pa, d->normal)};
    c.on_a = place_point(pa, d->on_a);
    c.on_b = v3_axpy(c.distance, c.normal, c.on_a);
    return c;
}

// whether a point of the core behind a face has left the solid through its far side: a contact
// there would push the core further through a thin wall
static bool is_through(const Sweep *s, Vec3 x) {
    LitheNearest near;
    lithe_solid_nearest(s->a, x, &near);
    return s->a->mesh->closed && near.distance > 1e-9 * s->a->reach;
}

// one piece of the solid, with its own manifold
static void sweep_piece(int32_t piece, void *user) {
    Sweep *s = user;
    LitheCore core = lithe_solid_piece(s->a, piece);
    LitheCoreDistance d;
    LitheSimplex simplex;
    s->pair.a = &core;
    LitheRaw own;
    raw_start(&own, s->raw->margin, NULL);
    uint32_t id = 1 + (uint32_t)piece;
    if (lithe_gjk_apart_within(&s->pair, s->within, &d, &simplex)) {
        if (d.distance > s->within)
            return;
        // another piece is nearer to that point: this piece has no contact there
        LitheNearest near;
        lithe_solid_nearest(s->a, d.on_b, &near);
        if (fabs(near.distance) < d.distance - 1e-6 * (s->within + d.distance) ||
            v3_dot(near.normal, d.normal) < 0)
            return;
    } else {
        // the shapes intersect: use the normal at the deepest point if the piece faces it, else the
        // normal of the piece
        Vec3 n = s->normal;
        bool other = s->a->mesh && v3_dot(s->a->mesh->normals[piece], n) < 0.94;
        if (other)
            n = s->a->mesh->normals[piece];
        else
            own.line = s->raw->line;
        add_overlap(&own, &s->pair, s->pa, n, 0, s->round, id);
        double deepest = 2 * s->depth + s->within;
        for (int i = 0; i < own.count; i++)
            if (own.point[i].gap >= -deepest &&
                (!other || !is_through(s, place_point_back(s->pa, own.point[i].on_b))))
                lithe_raw_add(s->raw, own.point[i]);
        if (own.count > 0)
            return;
        double t = lithe_gjk_exit(&s->pair, n, &d);
        if (t == -INFINITY || t > deepest || (other && is_through(s, v3_axpy(-t, n, d.on_a))))
            return;
        d = (LitheCoreDistance){-t, d.on_a, v3_axpy(-t, n, d.on_a), n};
    }
    LitheClosest closest = into_world(&d, s->round, s->pa);
    own.line = s->raw->line;
    add_overlap(&own, &s->pair, s->pa, d.normal, 0, s->round, id);
    add_closest(&own, &closest, id);
    for (int i = 0; i < own.count; i++)
        lithe_raw_add(s->raw, own.point[i]);
}

static void solid_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                           const LithePose *pb, LitheRaw *raw) {
    LitheCore core = lithe_core_of(b);
    LitheCorePair pair = lithe_core_pair(NULL, pa, &core, pb);
    LitheCoreDistance deepest;
    lithe_solid_distance(a, &pair, &deepest);
    if (deepest.distance - core.round > raw->margin)
        return;
    Sweep sweep = {a,
                   pa,
                   pair,
                   core.round,
                   raw->margin + core.round,
                   deepest.normal,
                   fmax(0, -deepest.distance),
                   raw};
    bool point = core.kind == LITHE_CORE_POINTS && !core.hull && core.count == 1;
    // inside the solid: the pieces would push in the wrong direction
    if (!point || deepest.distance > 0) {
        LitheBox box = lithe_core_box(&pair);
        lithe_solid_visit(a, &box, &sweep.within, sweep_piece, &sweep);
    }
    double min = INFINITY;
    for (int i = 0; i < raw->count; i++)
        min = fmin(min, raw->point[i].gap);
    LitheClosest closest = into_world(&deepest, core.round, pa);
    if (min > closest.distance + 1e-6 * (raw->margin + core.round))
        lithe_raw_add(raw, (LitheContactPoint){.on_a = closest.on_a,
                                               .on_b = closest.on_b,
                                               .normal = closest.normal,
                                               .gap = closest.distance,
                                               .feature = raw_mix(0xc105e57u, 0)});
}

// The plane of the face of a box that a solid lies on with its flat face; false: it does not lie
// there, or reaches beyond the border of the face.
static bool plane_below(const LitheGeom *a, const LithePose *pa, const LitheGeom *box,
                        const LithePose *pb, double margin, LithePose *plane) {
    Vec3 middle = place_point_back(pb, place_point(pa, v3_mix(a->low, a->high, 0.5)));
    double at[3], half[3], out[3] = {0}, face[3] = {0};
    v3_store(middle, at);
    v3_store(box->half, half);
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = fabs(at[k]) - half[k] > fabs(at[axis]) - half[axis] ? k : axis;
    out[axis] = at[axis] < 0 ? -1 : 1;
    face[axis] = out[axis] * half[axis];
    Vec3 n = place_direction(pb, v3_load(out)), u = v3_any_normal(n);
    *plane =
        (LithePose){.at = place_point(pb, v3_load(face)), .r = m3_columns(u, v3_cross(n, u), n)};
    Vec3 down = place_direction_back(pa, v3_neg(n));
    Vec3 low = place_point(pa, lithe_geom_support(a, down));
    double gap = v3_dot(n, v3_sub(low, plane->at));
    if (gap > margin || gap < -0.5 * half[axis])
        return false;
    int32_t corner[LITHE_OVERLAP_MAX], cap = -1;
    LitheFaceArea area;
    int count = 0;
    if (a->mesh)
        count = a->mesh->closed ? lithe_mesh_face(a->mesh, down, corner, &area) : 0;
    else if ((cap = lithe_profile_cap(a, down)) >= 0)
        count = 4;
    for (int i = 0; i < count; i++) {
        // of a disc the corners of a square around it
        int32_t end = cap > 0 ? a->profile_count - 1 : 0;
        double r = cap >= 0 ? a->profile_r[end] : 0;
        Vec3 x = cap >= 0 ? v3(i % 2 ? r : -r, i / 2 ? r : -r, a->profile_z[end])
                          : a->mesh->points[corner[i]];
        double y[3];
        v3_store(place_point_back(pb, place_point(pa, x)), y);
        for (int k = 0; k < 3; k++)
            if (k != axis && fabs(y[k]) > half[k])
                return false;
    }
    return count > 0;
}

bool lithe_plane_edge(const LithePose *plane, Vec3 p, Vec3 q, double radius, double margin,
                      LitheContactPoint out[2]) {
    LitheCore core = {.kind = LITHE_CORE_POINTS, .own = {p, q}, .count = 2};
    Vec3 n = m3_column(plane->r, 2), ends[LITHE_FEATURE_MAX], zero = {0, 0, 0};
    uint32_t id = 0;
    if (lithe_core_feature(&core, v3_neg(n), ends, &id) < 2)
        return false;
    for (int i = 0; i < 2; i++) {
        Vec3 x = v3_axpy(-radius, n, v3_add(zero, ends[i]));
        out[i] = above(plane, x, raw_mix(raw_mix(id, 0), (uint32_t)i));
    }
    double same = raw_same_place(out[0].on_a, out[0].gap, margin);
    bool distinct = v3_distance(out[0].on_a, out[1].on_a) > 1e4 * same;
    return distinct && out[0].gap < margin - same && out[1].gap < margin - same;
}

// --- two meshes ----------------------------------------------------------------------------------

static bool is_mesh_pair(const LitheGeom *a, const LitheGeom *b) {
    return a->mesh && b->mesh;
}

static int mesh_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                         const LithePose *pb, double margin, LitheContactPoint *out) {
    LitheMeshPair pair = lithe_mesh_pair(a->mesh, pa, b->mesh, pb);
    int count = lithe_mesh_contacts(&pair, margin, out);
    for (int i = 0; i < count; i++) {
        out[i].normal = place_direction(pa, out[i].normal);
        out[i].on_a = place_point(pa, out[i].on_a);
        out[i].on_b = v3_axpy(out[i].gap, out[i].normal, out[i].on_a);
        out[i].weight = 1;
    }
    return count;
}

// --- tubes and tori ------------------------------------------------------------------------------

// Whether a patch is the whole end of a tube; `area` is placed on it.
static bool is_whole_end(const LitheGeom *a, const LithePose *pa, const LithePatch *patch,
                         LitheFaceArea *area) {
    if (patch->count != LITHE_FEATURE_MAX)
        return false;
    double z = 0;
    for (int i = 0; i < patch->count; i++) {
        Vec3 x = place_point_back(pa, patch->corner[i]);
        if (fabs(hypot(x.x, x.y) - a->radius) > 1e-9 * a->radius)
            return false;
        z += x.z / patch->count;
    }
    *area = lithe_round_end(a);
    area->centre = place_point(pa, v3(0, 0, z));
    return true;
}

// whether a line across the end of a tube goes over the hole
static bool spans_hole(const LitheGeom *a, const LithePose *pa, const LitheContactPoint ends[2]) {
    Vec3 p = place_point_back(pa, ends[0].on_a), q = place_point_back(pa, ends[1].on_a);
    p.z = q.z = 0;
    Vec3 e = v3_sub(q, p);
    double ee = v3_dot(e, e), s = ee > 0 ? fmin(fmax(-v3_dot(p, e) / ee, 0), 1) : 0;
    return !lithe_round_has(a, v3_axpy(s, e, p));
}

// contacts of a tube or torus on its outside, where it is as if it had no hole; -1: it is not
static int outside_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                            const LithePose *pb, double margin, Faces faces, LitheRegion *region,
                            LitheContactPoint *out) {
    LitheGeom hull = lithe_round_hull(a);
    LitheClosest closest;
    lithe_geom_distance(&hull, pa, b, pb, &closest);
    if (closest.distance > margin)
        return 0;
    if (closest.distance < -lithe_round_wall(a))
        return -1;
    LithePatch patch = {.region = region};
    LitheLine line = {.region = region};
    LitheFaceArea area;
    LitheRaw raw;
    raw_start(&raw, margin, faces != BY_MARGIN && a->exact == LITHE_GEOM_TUBE ? &patch : NULL);
    raw.line = faces == WHOLE ? &line : NULL;
    convex_contacts(&hull, pa, b, pb, &raw);
    double round = lithe_core_of(&hull).round;
    for (int i = 0; i < raw.count; i++) {
        Vec3 core = v3_axpy(-round, raw.point[i].normal, raw.point[i].on_a);
        if (!lithe_round_has(a, place_point_back(pa, core)))
            return -1;
    }
    for (int i = 0; i < patch.count; i++)
        if (!lithe_round_has(a, place_point_back(pa, patch.corner[i])))
            return -1;
    for (int i = 0; i < line.count; i++)
        if (spans_hole(a, pa, line.end[i]))
            return -1;
    bool inner = faces == WHOLE && is_whole_end(a, pa, &patch, &area);
    patch.face = inner ? &area : NULL;
    int count = raw.patch ? lithe_raw_choose_patch(&patch, margin, inner, out) : 0;
    if (count > 0)
        return count;
    count = lithe_raw_choose_lines(&raw, 4, out);
    return count + lithe_raw_choose(&raw, 4, out + count);
}

// contacts in closed form; -1: the triangles must do
static int round_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                          const LithePose *pb, double margin, Faces faces, LitheRegion *region,
                          LitheContactPoint *out) {
    int count = lithe_round_contacts(a, pa, b, pb, margin, faces == WHOLE, out);
    if (count < 0 && lithe_geom_is_convex(b)) {
        count = outside_contacts(a, pa, b, pb, margin, faces, region, out);
        if (count < 0 && a->exact == LITHE_GEOM_TORUS)
            count = lithe_ring_contacts(a, pa, b, pb, margin, out);
    }
    return count;
}

// --- entry ---------------------------------------------------------------------------------------

// exchanges both sides
static void turn(LitheContactPoint *points, int count) {
    for (int i = 0; i < count; i++) {
        Vec3 on_a = points[i].on_a;
        points[i].on_a = points[i].on_b;
        points[i].on_b = on_a;
        points[i].normal = v3_neg(points[i].normal);
    }
}

static int contacts_of(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                       const LithePose *pb, double margin, Faces faces, LitheRegion *region,
                       LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    LITHE_ASSERT(lithe_geom_pair_allowed(a, b));
    bool swap =
        b->kind == LITHE_GEOM_HALF_SPACE ||
        (!is_mesh_pair(a, b) && a->kind != LITHE_GEOM_HALF_SPACE && !lithe_geom_is_convex(b));
    if (swap) {
        int count = contacts_of(b, pb, a, pa, margin, faces, region, out);
        turn(out, count);
        return count;
    }
    if (round_is(a) && (lithe_geom_is_convex(b) || b->exact)) {
        int count = round_contacts(a, pa, b, pb, margin, faces, region, out);
        if (count >= 0)
            return count;
    }
    if (a->hollow && b->kind == LITHE_GEOM_SPHERE)
        return lithe_solid_ball(a, pa, pb->at, b->radius, margin, out);
    if (is_mesh_pair(a, b))
        return mesh_contacts(a, pa, b, pb, margin, out);
    LithePatch patch;
    LitheLine line;
    LitheFaceArea area;
    LitheRaw raw;
    raw_start(&raw, margin, faces != BY_MARGIN ? &patch : NULL);
    patch.count = line.count = 0;
    patch.face = NULL;
    patch.region = line.region = region;
    line.round_a = line.round_b = 0;
    raw.line = faces == WHOLE ? &line : NULL;
    if (a->kind == LITHE_GEOM_HALF_SPACE) {
        half_space_contacts(a, pa, b, pb, &area, &raw);
    } else if (lithe_geom_is_convex(a)) {
        convex_contacts(a, pa, b, pb, &raw);
    } else {
        LithePose plane;
        if (faces == WHOLE && b->kind == LITHE_GEOM_BOX &&
            plane_below(a, pa, b, pb, margin, &plane)) {
            LitheGeom ground = {.kind = LITHE_GEOM_HALF_SPACE};
            int count = contacts_of(&ground, &plane, a, pa, margin, faces, region, out);
            turn(out, count);
            return count;
        }
        raw.patch = NULL;
        solid_contacts(a, pa, b, pb, &raw);
        int count = lithe_raw_choose_lines(&raw, LITHE_SOLID_CONTACTS, out);
        return count + lithe_raw_choose_by_normal(&raw, LITHE_SOLID_CONTACTS - count, out + count);
    }
    int count =
        faces != BY_MARGIN ? lithe_raw_choose_patch(&patch, margin, faces == WHOLE, out) : 0;
    if (count > 0)
        return count;
    count = lithe_raw_choose_lines(&raw, 4, out);
    return count + lithe_raw_choose(&raw, 4, out + count);
}

int lithe_geom_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    return contacts_of(a, pa, b, pb, margin, BY_MARGIN, NULL, out);
}

int lithe_geom_face_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                             const LithePose *pb, double margin, bool inner, LitheRegion *region,
                             LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    if (region) {
        region->flat = region->ring[0] = 0;
        region->count = region->pieces = 0;
        region->mesh = NULL;
    }
    return contacts_of(a, pa, b, pb, margin, inner ? WHOLE : CORNERS, region, out);
}
