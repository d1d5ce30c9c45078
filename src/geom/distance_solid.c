// SPDX-License-Identifier: Apache-2.0
// geom/distance_solid.c - solids that are not convex, in convex pieces, against a convex core
//
// If the two are apart, the distance is the minimum over the pieces (triangles of a mesh, frusta of
// a solid of revolution). If they overlap, it is minus the depth. Let exit(piece, core, n) be the
// largest t for which the core, moved by t n, still touches the piece. Moved along n by
//   D(n) = max over pieces of exit(piece, core, n)                                    (10)
// the core has left these pieces. For a solid of revolution the maximum is over all frusta, for a
// mesh over those triangles that the core intersects. The depth is the minimum of D over a few
// candidate directions n. If the core intersects no triangle but is inside a closed mesh, it leaves
// through the nearest triangle.

#include "geom/distance.h"

#include "base/assert.h"

enum { MAX_CUT = 256, MAX_CANDIDATES = 256 };

// --- pieces --------------------------------------------------------------------------------------

LitheCore lithe_solid_piece(const LitheGeom *a, int32_t i) {
    if (a->mesh)
        return lithe_core_triangle(mesh_corner(a->mesh, i, 0), mesh_corner(a->mesh, i, 1),
                                   mesh_corner(a->mesh, i, 2));
    return lithe_core_frustum(a->profile_z[i], a->profile_r[i], a->profile_z[i + 1],
                              a->profile_r[i + 1]);
}

static void visit_frusta(const LitheGeom *a, const LitheBox *box, const double *within,
                         LithePieceFn *visit, void *user) {
    for (int32_t i = 0; i + 1 < a->profile_count; i++) {
        double r = fmax(a->profile_r[i], a->profile_r[i + 1]);
        LitheBox piece = {{-r, -r, a->profile_z[i]}, {r, r, a->profile_z[i + 1]}};
        double limit = fmax(0, *within);
        if (r > 0 && box_distance2(&piece, box) <= limit * limit)
            visit(i, user);
    }
}

void lithe_solid_visit(const LitheGeom *a, const LitheBox *box, const double *within,
                       LithePieceFn *visit, void *user) {
    if (!a->mesh) {
        visit_frusta(a, box, within, visit, user);
        return;
    }
    const LitheMesh *mesh = a->mesh;
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &mesh->nodes[stack[--depth]];
        double limit = fmax(0, *within);
        if (box_distance2(&node->box, box) > limit * limit)
            continue;
        for (int32_t i = 0; i < node->count; i++)
            visit(mesh->order[node->first + i], user);
        if (node->count > 0)
            continue;
        LITHE_ASSERT(depth + 2 <= LITHE_TREE_STACK);
        const LitheBoxNode *child = &mesh->nodes[node->first];
        bool swap = box_distance2(&child[0].box, box) < box_distance2(&child[1].box, box);
        stack[depth++] = node->first + swap;
        stack[depth++] = node->first + !swap;
    }
}

LitheBox lithe_core_box(const LitheCorePair *pair) {
    double low[3], high[3], at[3];
    v3_store(pair->at, at);
    for (int k = 0; k < 3; k++) {
        Vec3 axis = {pair->r.m[k][0], pair->r.m[k][1], pair->r.m[k][2]};
        high[k] = at[k] + v3_dot(axis, lithe_core_support(pair->b, axis));
        low[k] = at[k] + v3_dot(axis, lithe_core_support(pair->b, v3_neg(axis)));
    }
    return (LitheBox){v3_load(low), v3_load(high)};
}

void lithe_solid_nearest(const LitheGeom *a, Vec3 x, LitheNearest *out) {
    if (!a->mesh) {
        lithe_revolution_nearest(a->profile_z, a->profile_r, a->profile_count, x, out);
        return;
    }
    LitheMeshPoint near;
    lithe_mesh_nearest(a->mesh, x, INFINITY, &near);
    Vec3 gap = near.inside ? v3_sub(near.point, x) : v3_sub(x, near.point);
    bool clear = near.distance > 1e-14 * (v3_norm(x) + a->reach);
    out->distance = near.inside ? -near.distance : near.distance;
    out->point = near.point;
    out->normal = clear ? v3_scale(1 / near.distance, gap) : a->mesh->normals[near.triangle];
}

// --- apart ---------------------------------------------------------------------------------------

typedef struct Search {
    const LitheGeom *a;
    LitheCorePair pair;
    double within; // pieces farther away are not searched
    LitheCoreDistance best;
    int32_t best_piece;
    int32_t cut[MAX_CUT], cut_count; // pieces that intersect the core
} Search;

static void try_piece(int32_t piece, void *user) {
    Search *s = user;
    LitheCore core = lithe_solid_piece(s->a, piece);
    LitheCoreDistance now;
    LitheSimplex simplex;
    s->pair.a = &core;
    if (!lithe_gjk_apart_within(&s->pair, s->within, &now, &simplex)) {
        if (s->cut_count < MAX_CUT)
            s->cut[s->cut_count++] = piece;
        s->within = 0;
        return;
    }
    bool tie = now.distance == s->best.distance && piece < s->best_piece;
    if (now.distance < s->best.distance || tie) {
        s->best = now;
        s->best_piece = piece;
        if (s->cut_count == 0)
            s->within = now.distance;
    }
}

// --- intersecting --------------------------------------------------------------------------------

static void add_candidate(Vec3 n, Vec3 *candidates, int *count) {
    for (int i = 0; i < *count; i++)
        if (v3_distance(candidates[i], n) < 1e-9)
            return;
    if (*count < MAX_CANDIDATES && v3_norm(n) > 0.5)
        candidates[(*count)++] = n;
}

// candidate directions along which the core may leave
static int find_candidates(Search *s, Vec3 *candidates) {
    int count = 0;
    if (s->a->mesh) {
        for (int32_t i = 0; i < s->cut_count; i++)
            add_candidate(s->a->mesh->normals[s->cut[i]], candidates, &count);
        return count;
    }
    // normals of the surface where it is nearest to the core's middle and to the core's deepest
    // point in each intersected frustum, directions of least depth in these frusta, the radial
    // direction, and both directions of the axis
    LitheBox box = lithe_core_box(&s->pair);
    Vec3 middle = v3_mix(box.low, box.high, 0.5);
    LitheNearest near;
    lithe_solid_nearest(s->a, middle, &near);
    add_candidate(near.normal, candidates, &count);
    add_candidate(v3_unit(v3(middle.x, middle.y, 0)), candidates, &count);
    for (int32_t i = 0; i < s->cut_count; i++) {
        LitheCore core = lithe_solid_piece(s->a, s->cut[i]);
        LitheCoreDistance depth;
        s->pair.a = &core;
        lithe_core_distance(&s->pair, &depth);
        add_candidate(depth.normal, candidates, &count);
        lithe_solid_nearest(s->a, depth.on_b, &near);
        add_candidate(near.normal, candidates, &count);
    }
    add_candidate(v3(0, 0, 1), candidates, &count);
    add_candidate(v3(0, 0, -1), candidates, &count);
    return count;
}

// upper bound of exit(piece, core, n): moved by it along n, the core lies beyond a plane
// perpendicular to n that the piece does not cross
static double exit_bound(const LitheCore *piece, const LitheCorePair *pair, Vec3 n) {
    Vec3 back = m3_apply_transposed(&pair->r, v3_neg(n));
    return v3_dot(n, lithe_core_support(piece, n)) - v3_dot(n, pair->at) +
           v3_dot(back, lithe_core_support(pair->b, back));
}

// D(n) of (10), and where the core then touches the solid; ends early, with a lower bound, once the
// maximum reaches `give_up`
static double exit_distance(Search *s, Vec3 n, double give_up, LitheCoreDistance *touch) {
    int32_t count = s->a->mesh ? s->cut_count : s->a->profile_count - 1;
    double max = -INFINITY, size = s->a->reach;
    for (int32_t i = 0; i < count && max < give_up; i++) {
        LitheCore core = lithe_solid_piece(s->a, s->a->mesh ? s->cut[i] : i);
        if (exit_bound(&core, &s->pair, n) <= max + 1e-12 * size)
            continue;
        LitheCoreDistance now;
        s->pair.a = &core;
        double t = lithe_gjk_exit(&s->pair, n, &now);
        if (t > max) {
            max = t;
            *touch = now;
        }
    }
    return max;
}

static void intersection_depth(Search *s, LitheCoreDistance *out) {
    Vec3 candidates[MAX_CANDIDATES];
    int count = find_candidates(s, candidates);
    double min = INFINITY;
    for (int i = 0; i < count; i++) {
        LitheCoreDistance touch;
        double t = exit_distance(s, candidates[i], min, &touch);
        if (t < min && t > -INFINITY) {
            min = fmax(0, t);
            out->distance = -min;
            out->normal = candidates[i];
            out->on_a = touch.on_a;
            out->on_b = v3_axpy(-min, candidates[i], touch.on_a);
        }
    }
    if (min == INFINITY) {
        // grazing contact: moved along any candidate, the core touches no piece; use one piece
        // alone
        LitheCore core = lithe_solid_piece(s->a, s->cut[0]);
        s->pair.a = &core;
        lithe_core_distance(&s->pair, out);
    }
}

// depth of a core that is inside a mesh and intersects no triangle: it leaves through the nearest
// triangle
static void depth_inside(Search *s, LitheCoreDistance *out) {
    Vec3 n = s->a->mesh->normals[s->best_piece];
    s->cut[0] = s->best_piece;
    s->cut_count = 1;
    LitheCoreDistance touch;
    double t = exit_distance(s, n, INFINITY, &touch);
    if (t == -INFINITY) {
        // moved along n, the core misses the triangle: move it towards the triangle's nearest point
        n = v3_neg(s->best.normal);
        t = exit_distance(s, n, INFINITY, &touch);
    }
    if (t == -INFINITY) {
        t = s->best.distance;
        touch.on_a = s->best.on_a;
    }
    *out = (LitheCoreDistance){-t, touch.on_a, v3_axpy(-t, n, touch.on_a), n};
}

void lithe_solid_distance(const LitheGeom *a, const LitheCorePair *pair, LitheCoreDistance *out) {
    const LitheCore *b = pair->b;
    if (b->kind == LITHE_CORE_POINTS && !b->hull && b->count == 1) {
        Vec3 x = v3_add(pair->at, m3_apply(pair->r, b->own[0]));
        LitheNearest near;
        lithe_solid_nearest(a, x, &near);
        *out = (LitheCoreDistance){near.distance, near.point, x, near.normal};
        return;
    }
    Search s = {.a = a, .pair = *pair, .within = INFINITY, .best_piece = -1};
    s.best.distance = INFINITY;
    LitheBox box = lithe_core_box(pair);
    lithe_solid_visit(a, &box, &s.within, try_piece, &s);
    if (s.cut_count > 0) {
        intersection_depth(&s, out);
        return;
    }
    LitheNearest near;
    lithe_solid_nearest(a, s.best.on_b, &near);
    if (a->mesh && near.distance < 0)
        depth_inside(&s, out);
    else
        *out = s.best;
}
