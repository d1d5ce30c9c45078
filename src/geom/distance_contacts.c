// SPDX-License-Identifier: Apache-2.0
// geom/distance_contacts.c - a few contact points that represent the contact patch of two shapes
//
// The distance gives a normal n. The features of the two cores that face each other along n are
// projected along n; the corners of their overlap are contacts with
//   gap = n . (x_b - x_a) - round a - round b                                         (11)
// and no such gap is below the distance. Of many corners, those that span the largest area are
// kept; where faces meet, geom/distance_patch.c adds contacts inside this area.

#include "geom/distance.h"

#include "base/assert.h"
#include "geom/mesh_pair.h"

enum { MAX_RAW = 64 };

// contacts before the choice, in the world
typedef struct Raw {
    LitheContactPoint point[MAX_RAW];
    int count;
    double margin;
    LithePatch *patch; // where faces meet; NULL: not recorded
} Raw;

// empty; points are not initialised, they would fill eight kilobytes
static void start(Raw *raw, double margin, LithePatch *patch) {
    raw->count = 0;
    raw->margin = margin;
    raw->patch = patch;
}

static uint32_t mix(uint32_t a, uint32_t b) {
    uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u + (a << 6) + (a >> 2));
    return h ^ (h >> 15);
}

// --- choice --------------------------------------------------------------------------------------

static double spread(const Raw *raw) {
    Vec3 low = raw->point[0].on_a, high = low;
    for (int i = 1; i < raw->count; i++) {
        low = v3_min(low, raw->point[i].on_a);
        high = v3_max(high, raw->point[i].on_a);
    }
    return v3_distance(low, high);
}

// The deepest point. Among nearly equal depths it is the point farthest from the centroid, which is
// a corner of the patch, and among nearly equal distances the first, so that rounding does not
// change the choice.
static int pick_deepest(const Raw *raw, double equal) {
    double deepest = INFINITY, max = -1;
    Vec3 middle = {0, 0, 0};
    for (int i = 0; i < raw->count; i++) {
        deepest = fmin(deepest, raw->point[i].gap);
        middle = v3_axpy(1.0 / raw->count, raw->point[i].on_a, middle);
    }
    int best = 0;
    for (int i = 0; i < raw->count; i++) {
        double far = v3_distance(raw->point[i].on_a, middle);
        if (raw->point[i].gap <= deepest + equal && far > max * (1 + 1e-3) + 1e-300) {
            max = far;
            best = i;
        }
    }
    return best;
}

// the length (for the second point) or area (for the others) that x adds to the chosen points
static double added(const Raw *raw, const int *chosen, int count, int x) {
    Vec3 p = raw->point[x].on_a, first = raw->point[chosen[0]].on_a, middle = {0, 0, 0};
    if (count == 1)
        return v3_distance(p, first);
    for (int i = 0; i < count; i++)
        middle = v3_axpy(1.0 / count, raw->point[chosen[i]].on_a, middle);
    // twice the area of the triangle of x and an edge between chosen points, if x lies outside of
    // it
    double max = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            Vec3 a = raw->point[chosen[i]].on_a, edge = v3_sub(raw->point[chosen[j]].on_a, a);
            Vec3 out = v3_cross(edge, v3_sub(p, a)), in = v3_cross(edge, v3_sub(middle, a));
            if (count == 2 || v3_dot(out, in) < 0)
                max = fmax(max, v3_norm(out));
        }
    return max;
}

// the second end, if all points lie on a line and the deepest is between its ends; else -1
static int other_end(const Raw *raw, const int *chosen) {
    Vec3 first = raw->point[chosen[0]].on_a, end = raw->point[chosen[1]].on_a;
    double max = v3_distance(first, end) * (1 + 1e-6);
    int best = -1;
    for (int i = 0; i < raw->count; i++)
        if (v3_distance(raw->point[i].on_a, end) > max) {
            max = v3_distance(raw->point[i].on_a, end);
            best = i;
        }
    return best;
}

// Points of two pieces on their common edge, or of a corner found twice, are equal except for
// rounding: closer than this.
static double same_place(Vec3 x, double gap, double margin) {
    return 1e-9 * (v3_norm(x) + fabs(gap) + margin);
}

static int choose(const Raw *raw, int wanted, LitheContactPoint *out) {
    int chosen[LITHE_CONTACTS_MAX], count = 0;
    if (raw->count == 0)
        return 0;
    if (raw->count == 1 && wanted > 0) {
        out[0] = raw->point[0];
        out[0].weight = 1;
        return 1;
    }
    double size = spread(raw);
    chosen[count++] = pick_deepest(raw, 1e-4 * size);
    const LitheContactPoint *first = &raw->point[chosen[0]];
    double same = same_place(first->on_a, first->gap, raw->margin);
    while (count < wanted && count < raw->count) {
        int best = -1;
        // points closer than this are equal, triangles flatter than this a line
        double max = count == 1 ? fmax(same, 1e-6 * size) : 1e-4 * size * size;
        for (int i = 0; i < raw->count; i++) {
            double gain = added(raw, chosen, count, i);
            if (gain > max * (1 + 1e-6)) {
                max = gain;
                best = i;
            }
        }
        bool line = best < 0 && count == 2;
        if (line)
            best = other_end(raw, chosen);
        if (best < 0)
            break;
        chosen[count++] = best;
        if (line)
            break;
    }
    for (int i = 0; i < count; i++) {
        out[i] = raw->point[chosen[i]];
        out[i].weight = 1;
        // ids are hashes, but two points of one pair must not have the same id
        for (int j = 0; j < i; j++)
            if (out[j].feature == out[i].feature)
                out[i].feature = mix(out[i].feature, (uint32_t)i);
    }
    return count;
}

int lithe_contacts_choose(const LitheContactPoint *points, int count, double margin, int wanted,
                          LitheContactPoint *out) {
    Raw raw;
    start(&raw, margin, NULL);
    raw.count = count;
    LITHE_ASSERT(count <= MAX_RAW);
    for (int i = 0; i < count; i++)
        raw.point[i] = points[i];
    return choose(&raw, wanted, out);
}

// points with one direction are chosen together; the deepest direction first
static int choose_by_normal(const Raw *raw, LitheContactPoint *out) {
    bool taken[MAX_RAW] = {false};
    int count = 0;
    while (count < LITHE_SOLID_CONTACTS) {
        int seed = -1;
        for (int i = 0; i < raw->count; i++)
            if (!taken[i] && (seed < 0 || raw->point[i].gap < raw->point[seed].gap))
                seed = i;
        if (seed < 0)
            break;
        Raw group;
        start(&group, raw->margin, NULL);
        for (int i = 0; i < raw->count; i++)
            if (!taken[i] && v3_dot(raw->point[i].normal, raw->point[seed].normal) > 0.999) {
                taken[i] = true;
                group.point[group.count++] = raw->point[i];
            }
        int room = LITHE_SOLID_CONTACTS - count;
        count += choose(&group, room < 4 ? room : 4, out + count);
    }
    return count;
}

static void add(Raw *raw, LitheContactPoint c) {
    if (c.gap > raw->margin)
        return;
    if (raw->count == MAX_RAW) {
        LitheContactPoint kept[LITHE_SOLID_CONTACTS];
        int count = choose_by_normal(raw, kept);
        for (int i = 0; i < count; i++)
            raw->point[i] = kept[i];
        raw->count = count;
    }
    raw->point[raw->count++] = c;
}

// records a corner of the patch, whatever its gap
static void note_corner(Raw *raw, LitheContactPoint c) {
    LithePatch *patch = raw->patch;
    if (!patch || patch->count == LITHE_OVERLAP_MAX)
        return;
    patch->corner[patch->count] = c.on_a;
    patch->gap[patch->count] = c.gap;
    patch->feature[patch->count++] = c.feature;
    patch->normal = c.normal;
}

// Whether four corners go round a quadrilateral that is far from a line: then all are chosen.
static bool is_quadrilateral(const LithePatch *patch, double flat) {
    if (patch->count != 4 || !(flat > 0))
        return false;
    Vec3 n = patch->normal;
    double size = v3_distance(patch->corner[0], patch->corner[2]), min = INFINITY, max = -INFINITY;
    for (int i = 0; i < 4; i++) {
        Vec3 side = v3_sub(patch->corner[(i + 1) % 4], patch->corner[i]);
        Vec3 next = v3_sub(patch->corner[(i + 2) % 4], patch->corner[(i + 1) % 4]);
        double turn = v3_dot(n, v3_cross(side, next));
        min = fmin(min, turn);
        max = fmax(max, turn);
        for (int j = 0; j < i; j++)
            if (patch->feature[j] == patch->feature[i])
                return false;
    }
    return min > 1e-2 * size * size || max < -1e-2 * size * size;
}

// Contacts of a patch whose faces are nearly parallel: the choice of corners does not depend on the
// margin, so that no weight jumps when a corner leaves the margin. Returns 0 if the faces are not
// nearly parallel.
static int choose_patch(const LithePatch *patch, double margin, bool inner,
                        LitheContactPoint *out) {
    double flat = lithe_patch_flat(patch);
    if (!(flat > 0))
        return 0;
    Raw all;
    start(&all, margin, NULL);
    for (int i = 0; i < patch->count; i++)
        all.point[all.count++] =
            (LitheContactPoint){.on_a = patch->corner[i],
                                .on_b = v3_axpy(patch->gap[i], patch->normal, patch->corner[i]),
                                .normal = patch->normal,
                                .gap = patch->gap[i],
                                .weight = 1,
                                .feature = patch->feature[i]};
    int corners = 4, kept = 0;
    if (is_quadrilateral(patch, flat))
        for (int i = 0; i < 4; i++)
            out[i] = all.point[i];
    else
        corners = choose(&all, 4, out);
    int count = inner ? lithe_patch_spread(patch, flat, out, corners) : corners;
    if (count < (inner ? 6 : 3))
        return 0; // a line
    for (int i = 0; i < count; i++)
        if (out[i].gap <= margin)
            out[kept++] = out[i];
    return kept;
}

// --- convex pairs --------------------------------------------------------------------------------

// overlap of the features that face each other along the core normal, in world coordinates
static void add_overlap(Raw *raw, const LitheCorePair *pair, const LithePose *pa, Vec3 n,
                        double round_a, double round_b, uint32_t piece) {
    Vec3 fa[LITHE_FEATURE_MAX], fb[LITHE_FEATURE_MAX];
    uint32_t id_a = 0, id_b = 0;
    int a_count = lithe_core_feature(pair->a, n, fa, &id_a);
    int b_count = lithe_core_feature(pair->b, m3_apply_transposed(&pair->r, v3_neg(n)), fb, &id_b);
    for (int i = 0; i < b_count; i++)
        fb[i] = v3_add(pair->at, m3_apply(pair->r, fb[i]));
    LitheOverlapPoint over[LITHE_OVERLAP_MAX];
    int count = lithe_feature_overlap(fa, a_count, fb, b_count, n, over);
    uint32_t features = mix(mix(id_a, id_b), piece);
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
        c.feature = mix(features, over[i].tag);
        if (a_count > 2 && b_count > 2)
            note_corner(raw, c);
        add(raw, c);
    }
}

// adds the closest points, unless an overlap point is as near
static void add_closest(Raw *raw, const LitheClosest *closest, uint32_t piece) {
    double min = INFINITY, size = 0;
    for (int i = 0; i < raw->count; i++) {
        min = fmin(min, raw->point[i].gap);
        size = fmax(size, v3_distance(raw->point[i].on_a, closest->on_a));
    }
    if (raw->count > 1 && min <= closest->distance + 1e-3 * size)
        return;
    // the same point found twice: rounding must not decide which of two ids it has
    double same = same_place(closest->on_a, closest->distance, raw->margin);
    if (raw->count == 1 && size <= same && min <= closest->distance + same)
        return;
    add(raw, (LitheContactPoint){.on_a = closest->on_a,
                                 .on_b = closest->on_b,
                                 .normal = closest->normal,
                                 .gap = closest->distance,
                                 .feature = mix(0xc105e57u, piece)});
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
                            const LithePose *pb, Raw *raw) {
    LitheClosest closest;
    LitheCore core_a = lithe_core_of(a), core_b = lithe_core_of(b);
    LitheCorePair pair = lithe_core_pair(&core_a, pa, &core_b, pb);
    lithe_convex_distance(&pair, pa, &closest);
    if (closest.distance > raw->margin)
        return;
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

static void core_above(Raw *raw, const LithePose *plane, const LitheCore *core, const LithePose *pb,
                       uint32_t piece) {
    Vec3 n = m3_column(plane->r, 2), p[LITHE_FEATURE_MAX];
    uint32_t id = 0;
    int count = lithe_core_feature(core, place_direction_back(pb, v3_neg(n)), p, &id);
    for (int i = 0; i < count; i++) {
        Vec3 x = v3_axpy(-core->round, n, place_point(pb, p[i]));
        LitheContactPoint c = above(plane, x, mix(mix(id, piece), (uint32_t)i));
        if (count > 2)
            note_corner(raw, c);
        add(raw, c);
    }
}

static void half_space_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                                const LithePose *pb, Raw *raw) {
    LitheClosest closest;
    lithe_geom_distance(a, pa, b, pb, &closest);
    if (closest.distance > raw->margin)
        return;
    Vec3 down = place_direction_back(pb, v3_neg(m3_column(pa->r, 2)));
    if (b->mesh) {
        for (int32_t i = 0; i < b->mesh->point_count; i++)
            add(raw, above(pa, place_point(pb, b->mesh->points[i]), (uint32_t)i));
        int32_t face[LITHE_OVERLAP_MAX];
        int count = raw->patch ? lithe_mesh_face(b->mesh, down, face) : 0;
        for (int k = 0; k < count; k++)
            note_corner(raw,
                        above(pa, place_point(pb, b->mesh->points[face[k]]), (uint32_t)face[k]));
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
    Raw *raw;
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
    Raw own;
    start(&own, s->raw->margin, NULL);
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
        add_overlap(&own, &s->pair, s->pa, n, 0, s->round, id);
        double deepest = 2 * s->depth + s->within;
        for (int i = 0; i < own.count; i++)
            if (own.point[i].gap >= -deepest &&
                (!other || !is_through(s, place_point_back(s->pa, own.point[i].on_b))))
                add(s->raw, own.point[i]);
        if (own.count > 0)
            return;
        double t = lithe_gjk_exit(&s->pair, n, &d);
        if (t == -INFINITY || t > deepest || (other && is_through(s, v3_axpy(-t, n, d.on_a))))
            return;
        d = (LitheCoreDistance){-t, d.on_a, v3_axpy(-t, n, d.on_a), n};
    }
    LitheClosest closest = into_world(&d, s->round, s->pa);
    add_overlap(&own, &s->pair, s->pa, d.normal, 0, s->round, id);
    add_closest(&own, &closest, id);
    for (int i = 0; i < own.count; i++)
        add(s->raw, own.point[i]);
}

static void solid_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                           const LithePose *pb, Raw *raw) {
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
        add(raw, (LitheContactPoint){.on_a = closest.on_a,
                                     .on_b = closest.on_b,
                                     .normal = closest.normal,
                                     .gap = closest.distance,
                                     .feature = mix(0xc105e57u, 0)});
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
        out[i] = above(plane, x, mix(mix(id, 0), (uint32_t)i));
    }
    double same = same_place(out[0].on_a, out[0].gap, margin);
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

// --- entry ---------------------------------------------------------------------------------------

// which contacts represent the patch of two faces
typedef enum Faces {
    BY_MARGIN, // corners within the margin
    CORNERS,   // chosen regardless of the margin
    WHOLE,     // the same, each with one inside
} Faces;

static int contacts_of(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                       const LithePose *pb, double margin, Faces faces,
                       LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    LITHE_ASSERT(lithe_geom_pair_allowed(a, b));
    bool swap =
        b->kind == LITHE_GEOM_HALF_SPACE ||
        (!is_mesh_pair(a, b) && a->kind != LITHE_GEOM_HALF_SPACE && !lithe_geom_is_convex(b));
    if (swap) {
        int count = contacts_of(b, pb, a, pa, margin, faces, out);
        for (int i = 0; i < count; i++) {
            Vec3 on_a = out[i].on_a;
            out[i].on_a = out[i].on_b;
            out[i].on_b = on_a;
            out[i].normal = v3_neg(out[i].normal);
        }
        return count;
    }
    if (is_mesh_pair(a, b))
        return mesh_contacts(a, pa, b, pb, margin, out);
    LithePatch patch;
    Raw raw;
    start(&raw, margin, faces != BY_MARGIN ? &patch : NULL);
    patch.count = 0;
    if (a->kind == LITHE_GEOM_HALF_SPACE) {
        half_space_contacts(a, pa, b, pb, &raw);
    } else if (lithe_geom_is_convex(a)) {
        convex_contacts(a, pa, b, pb, &raw);
    } else {
        raw.patch = NULL;
        solid_contacts(a, pa, b, pb, &raw);
        return choose_by_normal(&raw, out);
    }
    int count = faces != BY_MARGIN ? choose_patch(&patch, margin, faces == WHOLE, out) : 0;
    return count > 0 ? count : choose(&raw, 4, out);
}

int lithe_geom_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    return contacts_of(a, pa, b, pb, margin, BY_MARGIN, out);
}

int lithe_geom_face_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                             const LithePose *pb, double margin, bool inner,
                             LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    return contacts_of(a, pa, b, pb, margin, inner ? WHOLE : CORNERS, out);
}
