// SPDX-License-Identifier: Apache-2.0
// geom/mesh_contacts.c - contact points of two triangle meshes that bound solids
//
// Three kinds of candidates, all in the frame of a, n from a to b:
//   faces     two triangles that face each other within 20 degrees: n along the difference of their
//             normals, points at the corners of their overlap as seen along n
//   corners   a corner of one mesh against the other: n and gap of the signed distance, where the
//             mesh around the corner lies on its side of n
//   edges     two edges that cross: n perpendicular to both, where both meshes lie on their sides
//   gap = n . (x_b - x_a)                                                                   (17)
// A candidate counts where no other part of the surface is nearer (faces that lie behind the other
// side of a thin wall do not). Of each direction the deepest and the outermost points are kept.
// docs/theory/distance.md, section 6.

#include "geom/mesh_gather.h"
#include "geom/mesh_pair.h"

#include "geom/segment.h"

// sine of the angle by which a mesh may rise above the plane of a contact: 10 degrees
#define TILT 0.17
// sine of the angle between two edges below which their common perpendicular is not used
#define CROSSED 0.05
// a candidate of faces, or of edges, is dropped if another part of the surface is nearer than this
// fraction of its gap
#define NEARER 0.7
#define NEARER_EDGE 0.25
// cosine of the angle between the two sides of a thin wall, and its thickness over the size
#define THIN 0.5
#define THIN_WALL 0.25
// an edge that overlaps another one may lie outside of the other mesh by this fraction of the depth
#define OUTSIDE 0.1
// an overlap is dropped if resolving another one, at most BESIDE times its depth away, leaves at
// most the fraction RESOLVED of it
#define BESIDE 3
#define RESOLVED 0.1
// fraction of the size below which lengths are rounding
#define ROUNDING 1e-9

enum { RING_MAX = 64, THROUGH = 8 };

typedef struct Gather {
    LitheMeshPair pair, back; // seen from a, and from b
    double margin, reach;     // reach: search distance of faces and edges
    double rounding;
    bool cut;    // the surfaces intersect
    double size; // of the smaller mesh
    LitheGather gather;
    LitheContactPoint through[THROUGH]; // corners that pierced a thin wall
    int through_count;
} Gather;

static uint32_t mix(uint32_t a, uint32_t b) {
    uint32_t h = a * 0x9e3779b1u ^ (b + 0x7f4a7c15u + (a << 6) + (a >> 2));
    return h ^ (h >> 15);
}

// --- signed distance -----------------------------------------------------------------------------

// signed distance of x, in the frame of the mesh; *normal is outward
static double signed_distance(const LitheMesh *mesh, Vec3 x, double rounding, Vec3 *point,
                              Vec3 *normal) {
    LitheMeshPoint near;
    lithe_mesh_nearest(mesh, x, INFINITY, &near);
    Vec3 d = near.inside ? v3_sub(near.point, x) : v3_sub(x, near.point);
    *point = near.point;
    *normal =
        near.distance > rounding ? v3_scale(1 / near.distance, d) : mesh->normals[near.triangle];
    return near.inside ? -near.distance : near.distance;
}

static double inside_a(const Gather *g, Vec3 x, Vec3 *normal) {
    Vec3 point;
    return signed_distance(g->pair.a, x, g->rounding, &point, normal);
}

static double inside_b(const Gather *g, Vec3 x, Vec3 *normal) {
    Vec3 point;
    double s = signed_distance(g->pair.b, mesh_pair_back(&g->pair, x), g->rounding, &point, normal);
    *normal = m3_apply(g->pair.r, *normal);
    return s;
}

// Whether two faces are as far from each other as their gap says: nothing else is nearer, except
// the far side of a thin wall.
static bool is_nearest(const Gather *g, Vec3 on_a, Vec3 on_b, Vec3 n, double gap) {
    Vec3 m;
    double least = NEARER * gap + (gap < 0 ? 1 : -1) * g->rounding, s = inside_a(g, on_b, &m);
    if (gap >= 0)
        return s >= least;
    if (s <= least || (s < 0 && v3_dot(m, n) < -THIN))
        return true;
    s = inside_b(g, on_a, &m);
    return s <= least || (s < 0 && v3_dot(m, n) > THIN);
}

// --- corners -------------------------------------------------------------------------------------

// whether all edges of the mesh at a corner leave it to the side of n
static bool lies_beyond(const LitheMesh *mesh, int32_t point, Vec3 n) {
    int32_t start = mesh->point_owner[point], t = start;
    bool forth = true; // direction of the walk around the corner; reversed at a border
    for (int step = 0; step < RING_MAX; step++) {
        int k = 0;
        while (mesh->triangles[3 * t + k] != point)
            k++;
        Vec3 x = mesh->points[point];
        for (int i = 1; i < 3; i++) {
            Vec3 edge = v3_sub(mesh_corner(mesh, t, (k + i) % 3), x);
            if (v3_dot(n, edge) < -TILT * v3_norm(edge))
                return false;
        }
        t = mesh->neighbours[3 * t + (forth ? (k + 2) % 3 : k)];
        if (t < 0 && forth) {
            forth = false;
            for (k = 0; mesh->triangles[3 * start + k] != point;)
                k++;
            t = mesh->neighbours[3 * start + k];
        }
        if (t < 0 || t == start)
            break;
    }
    return true;
}

// For a corner inside a whose nearest surface is not the one that it entered through (the far side
// of a thin wall, or a side): uses the face behind the corner.
static bool leaves(const LitheMeshPair *view, int32_t point, Vec3 x, Vec3 *y, Vec3 *n,
                   double *gap) {
    Vec3 tip = m3_apply(view->r, view->b->point_normals[point]);
    const LitheBox *box = &view->a->nodes[0].box;
    double size = v3_norm(tip), longest = 2 * v3_distance(box->low, box->high);
    int32_t triangle = -1;
    if (size > 0)
        lithe_mesh_exit(view->a, x, v3_scale(-1 / size, tip), longest, &triangle);
    if (triangle < 0)
        return false;
    *n = view->a->normals[triangle];
    *gap = v3_dot(*n, v3_sub(x, mesh_corner(view->a, triangle, 0)));
    *y = v3_axpy(-*gap, *n, x);
    return lies_beyond(view->b, point, m3_apply_transposed(&view->r, *n));
}

// Contact of corner x of mesh b with point y of mesh a, in the frame of g->pair. `swapped`: a and b
// are those of g->back.
static LitheContactPoint corner_contact(const Gather *g, bool swapped, int32_t point, Vec3 x,
                                        Vec3 y, Vec3 n, double gap) {
    LitheContactPoint c = {.on_a = y,
                           .on_b = x,
                           .normal = n,
                           .gap = gap,
                           .feature = mix(swapped ? 2 : 1, (uint32_t)point)};
    if (swapped) {
        c.on_a = mesh_pair_point(&g->pair, x);
        c.on_b = mesh_pair_point(&g->pair, y);
        c.normal = v3_neg(m3_apply(g->pair.r, n));
    }
    return c;
}

static void try_corner(Gather *g, const LitheMeshPair *view, bool swapped, int32_t point) {
    Vec3 x = mesh_pair_point(view, view->b->points[point]), y, n;
    double gap = signed_distance(view->a, x, g->rounding, &y, &n);
    if (!(gap < g->margin))
        return;
    if (!lies_beyond(view->b, point, m3_apply_transposed(&view->r, n)) &&
        !(gap < g->rounding && leaves(view, point, x, &y, &n, &gap)))
        return;
    LitheContactPoint c = corner_contact(g, swapped, point, x, y, n, gap);
    if (lithe_gather_wants(&g->gather, &c))
        lithe_gather_keep(&g->gather, &c);
}

// Descends the tree of b and skips boxes whose bounding ball is outside of a by more than the
// margin.
static void try_corners(Gather *g, const LitheMeshPair *view, bool swapped) {
    const LitheMesh *b = view->b;
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    const LitheBox *root = &view->a->nodes[0].box;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &b->nodes[stack[--depth]];
        double radius = 0.5 * v3_distance(node->box.low, node->box.high);
        Vec3 point, normal, x = mesh_pair_point(view, v3_mix(node->box.low, node->box.high, 0.5));
        LitheBox ball = {x, x};
        double far = radius + g->margin;
        if (box_distance2(root, &ball) > far * far && !view->a->below)
            continue;
        if (signed_distance(view->a, x, g->rounding, &point, &normal) > far)
            continue;
        for (int32_t i = 0; i < 3 * node->count; i++) {
            int32_t t = b->order[node->first + i / 3], corner = b->triangles[3 * t + i % 3];
            if (b->point_owner[corner] == t)
                try_corner(g, view, swapped, corner);
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
}

// --- edges and faces -----------------------------------------------------------------------------

// An edge of a triangle with the two directions into its faces, in the frame of a.
typedef struct Edge {
    Vec3 x, y;   // its ends
    Vec3 normal; // sum of the normals of its two faces
    Vec3 in[2];  // from the edge into each of these faces, unit
    bool sharp; // normals of its faces differ by more than 20 degrees; else normal and in are unset
    bool owned; // this triangle is the first one of the edge
} Edge;

static void edges_of(const LitheMeshPair *pair, bool of_b, int32_t t, const Vec3 p[3], Edge e[3]) {
    const LitheMesh *mesh = of_b ? pair->b : pair->a;
    for (int k = 0; k < 3; k++) {
        int32_t other = mesh->neighbours[3 * t + k];
        Vec3 n = mesh->normals[t], m = other >= 0 ? mesh->normals[other] : n;
        e[k] = (Edge){.x = p[k], .y = p[(k + 1) % 3], .owned = other > t};
        e[k].sharp = v3_dot(n, m) < LITHE_FACING;
        if (!e[k].sharp)
            continue;
        if (of_b) {
            n = m3_apply(pair->r, n);
            m = m3_apply(pair->r, m);
        }
        Vec3 along = v3_unit(v3_sub(e[k].y, e[k].x));
        e[k].normal = v3_add(n, m);
        e[k].in[0] = v3_cross(n, along);
        e[k].in[1] = v3_cross(along, m);
    }
}

// the sharp edge of a triangle on which x lies, not at its ends; NULL: none
static const Edge *edge_at(const Edge e[3], Vec3 x, double rounding) {
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(e[k].y, e[k].x), to = v3_sub(x, e[k].x);
        double length = v3_norm(d), s = v3_dot(to, d) / length;
        if (e[k].sharp && s > rounding && s < length - rounding &&
            v3_norm(v3_cross(to, d)) <= rounding * length)
            return &e[k];
    }
    return NULL;
}

static bool are_crossed(const Edge *a, const Edge *b) {
    Vec3 d = v3_sub(a->y, a->x), e = v3_sub(b->y, b->x);
    return v3_norm(v3_cross(d, e)) >= CROSSED * v3_norm(d) * v3_norm(e);
}

// Two sharp edges that cross have their own contact, whose normal is better.
static void try_faces(Gather *g, int32_t i, int32_t j, const Edge a[3], const Edge b[3], Vec3 n) {
    const Vec3 p[3] = {a[0].x, a[1].x, a[2].x}, q[3] = {b[0].x, b[1].x, b[2].x};
    LitheOverlapPoint over[LITHE_OVERLAP_MAX];
    LitheContactPoint c[LITHE_OVERLAP_MAX];
    int count = lithe_feature_overlap(p, 3, q, 3, n, over);
    Vec3 on_a = {0, 0, 0}, on_b = {0, 0, 0};
    bool wanted = false;
    for (int k = 0; k < count; k++) {
        double gap = v3_dot(n, v3_sub(over[k].on_b, over[k].on_a)); // (17)
        c[k] = (LitheContactPoint){.on_a = over[k].on_a,
                                   .on_b = over[k].on_b,
                                   .normal = n,
                                   .gap = gap,
                                   .feature = mix(mix((uint32_t)i, (uint32_t)j), over[k].tag)};
        wanted |= lithe_gather_wants(&g->gather, &c[k]);
        on_a = v3_axpy(1.0 / count, over[k].on_a, on_a);
        on_b = v3_axpy(1.0 / count, over[k].on_b, on_b);
    }
    if (!wanted || !is_nearest(g, on_a, on_b, n, v3_dot(n, v3_sub(on_b, on_a))))
        return;
    for (int k = 0; k < count; k++) {
        if (!lithe_gather_wants(&g->gather, &c[k]))
            continue;
        const Edge *d = edge_at(a, c[k].on_a, g->rounding), *e = edge_at(b, c[k].on_b, g->rounding);
        if (!d || !e || !are_crossed(d, e))
            lithe_gather_keep(&g->gather, &c[k]);
    }
}

static void try_edges(Gather *g, const Edge *a, const Edge *b, uint32_t feature) {
    if (!are_crossed(a, b))
        return;
    Vec3 n = v3_unit(v3_cross(v3_sub(a->y, a->x), v3_sub(b->y, b->x)));
    n = v3_dot(n, a->normal) < 0 ? v3_neg(n) : n;
    for (int k = 0; k < 2; k++)
        if (v3_dot(n, a->in[k]) > TILT || v3_dot(n, b->in[k]) < -TILT)
            return;
    LitheSegmentPair near = lithe_segment_closest(a->x, a->y, b->x, b->y);
    if (near.s <= 0 || near.s >= 1 || near.t <= 0 || near.t >= 1)
        return;
    LitheContactPoint c = {.on_a = v3_mix(a->x, a->y, near.s),
                           .on_b = v3_mix(b->x, b->y, near.t),
                           .normal = n,
                           .feature = feature};
    c.gap = v3_dot(n, v3_sub(c.on_b, c.on_a)); // (17)
    if (!lithe_gather_wants(&g->gather, &c))
        return;
    // apart: nothing lies between; overlapping: each edge is inside the other mesh, or nearly so
    Vec3 m;
    double at_b = inside_a(g, c.on_b, &m), out = g->rounding - OUTSIDE * c.gap;
    if (c.gap >= 0 ? at_b >= NEARER_EDGE * c.gap - g->rounding
                   : at_b <= out && inside_b(g, c.on_a, &m) <= out)
        lithe_gather_keep(&g->gather, &c);
}

// --- corners that pierced a thin wall ------------------------------------------------------------

// Edges of the triangle j of b that pierce the triangle i of a, the near side of a thin wall: an
// end that has left through the far side is a corner whose signed distance gives no depth.
static void try_pierced(Gather *g, bool swapped, int32_t i, int32_t j, const Vec3 p[3],
                        const Vec3 q[3]) {
    const LitheMeshPair *view = swapped ? &g->back : &g->pair;
    Vec3 n = view->a->normals[i], at;
    for (int k = 0; k < 3 && g->through_count < THROUGH; k++) {
        if (view->b->neighbours[3 * j + k] < j ||
            !lithe_triangle_pierced(q[k], q[(k + 1) % 3], p, &at))
            continue;
        int end = v3_dot(n, v3_sub(q[k], p[0])) < 0 ? k : (k + 1) % 3;
        int32_t point = view->b->triangles[3 * j + end], far = -1;
        double length = v3_distance(at, q[end]), gap = v3_dot(n, v3_sub(q[end], p[0]));
        double thin = fmin(length, THIN_WALL * g->size);
        if (!(length > 0) || !lies_beyond(view->b, point, m3_apply_transposed(&view->r, n)))
            continue;
        lithe_mesh_exit(view->a, at, v3_scale(1 / length, v3_sub(q[end], at)), thin, &far);
        LitheContactPoint c =
            corner_contact(g, swapped, point, q[end], v3_axpy(-gap, n, q[end]), n, gap);
        for (int l = 0; l < g->through_count && far >= 0; l++)
            far = g->through[l].feature == c.feature ? -1 : far;
        if (far >= 0 && v3_dot(view->a->normals[far], n) < -THIN)
            g->through[g->through_count++] = c;
    }
}

// --- pairs of triangles --------------------------------------------------------------------------

static void try_pair(int32_t i, int32_t j, void *user) {
    Gather *g = user;
    Vec3 p[3], q[3], m = m3_apply(g->pair.r, g->pair.b->normals[j]), n = g->pair.a->normals[i];
    mesh_pair_corners(&g->pair, false, i, p);
    mesh_pair_corners(&g->pair, true, j, q);
    if (lithe_triangles_far(p, n, q, m, g->reach))
        return;
    if (!g->cut && !lithe_triangles_far(p, n, q, m, g->rounding)) {
        Vec3 on_p, on_q;
        g->cut = lithe_triangle_distance(p, q, &on_p, &on_q) <= g->rounding;
    }
    Vec3 back_p[3], back_q[3];
    for (int k = 0; k < 3; k++) {
        back_p[k] = mesh_corner(g->pair.b, j, k);
        back_q[k] = mesh_pair_back(&g->pair, p[k]);
    }
    try_pierced(g, false, i, j, p, q);
    try_pierced(g, true, j, i, back_p, back_q);
    Edge a[3], b[3];
    edges_of(&g->pair, false, i, p, a);
    edges_of(&g->pair, true, j, q, b);
    if (v3_dot(n, m) < -LITHE_FACING)
        try_faces(g, i, j, a, b, v3_unit(v3_sub(n, m)));
    for (uint32_t k = 0; k < 9; k++) {
        const Edge *d = &a[k / 3], *e = &b[k % 3];
        if (d->sharp && d->owned && e->sharp && e->owned)
            try_edges(g, d, e, mix(mix(3 + k, (uint32_t)i), (uint32_t)j));
    }
}

static void find_near(int32_t i, int32_t j, void *user) {
    Gather *g = user;
    Vec3 p[3], q[3], m = m3_apply(g->pair.r, g->pair.b->normals[j]);
    mesh_pair_corners(&g->pair, false, i, p);
    mesh_pair_corners(&g->pair, true, j, q);
    if (!lithe_triangles_far(p, g->pair.a->normals[i], q, m, g->reach))
        g->reach = -1;
}

// whether the surfaces may come as near as the margin
static bool are_near(Gather *g) {
    g->reach = g->margin + g->rounding;
    lithe_mesh_visit_pairs(&g->pair, &g->reach, find_near, g);
    return g->reach < 0;
}

static double size_of(const LitheMesh *mesh) {
    return v3_distance(mesh->nodes[0].box.low, mesh->nodes[0].box.high);
}

// Faces and edges are searched up to twice the depth of the overlap. The corners give this depth,
// except where they lie on the surface of the other mesh (equal boxes): there the search distance
// grows until the depth is found.
static void try_triangles(Gather *g) {
    g->reach = fmax(g->margin, fmax(-2 * g->gather.deepest, 1e-4 * g->size));
    for (;; g->reach *= 4) {
        lithe_mesh_visit_pairs(&g->pair, &g->reach, try_pair, g);
        bool known = g->gather.count > 0 && -g->gather.deepest <= g->reach;
        if (known || !g->cut || g->reach > g->size)
            break;
    }
}

// --- overlaps that others resolve ----------------------------------------------------------------

// Whether the overlap of c is resolved, too, when b moves out along the normal of d. Over a convex
// edge one direction is enough, in a concave edge both are needed.
static bool is_resolved(const Gather *g, const LitheContactPoint *c, const LitheContactPoint *d) {
    Vec3 way = v3_scale(-d->gap, d->normal), n;
    double left = RESOLVED * c->gap - g->rounding;
    return inside_a(g, v3_add(c->on_b, way), &n) >= left &&
           inside_b(g, v3_sub(c->on_a, way), &n) >= left;
}

// drops overlaps that a shallower one nearby resolves
static int prune(const Gather *g, LitheContactPoint *out, int count) {
    bool drop[LITHE_CONTACTS_MAX] = {false};
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count && !drop[i]; j++) {
            const LitheContactPoint *c = &out[i], *d = &out[j];
            drop[i] = d->gap < 0 && d->gap > c->gap &&
                      v3_dot(c->normal, d->normal) < LITHE_FACING &&
                      v3_distance(c->on_b, d->on_b) <= -BESIDE * c->gap && is_resolved(g, c, d);
        }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!drop[i])
            out[kept++] = out[i];
    return kept;
}

// --- front ---------------------------------------------------------------------------------------

int lithe_mesh_contacts(const LitheMeshPair *pair, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    Gather g = {.pair = *pair, .back = lithe_mesh_pair_swap(pair), .margin = margin};
    g.rounding = ROUNDING * (size_of(pair->a) + size_of(pair->b));
    g.size = fmin(size_of(pair->a), size_of(pair->b));
    g.gather.margin = margin;
    g.gather.rounding = g.rounding;
    g.gather.deepest = INFINITY;
    if (!are_near(&g)) {
        // the surfaces are apart, and so are the meshes unless one lies inside the other
        Vec3 x = mesh_pair_point(pair, pair->b->points[0]), y = pair->a->points[0], n;
        if (inside_a(&g, x, &n) > 0 && inside_b(&g, y, &n) > 0)
            return 0;
    }
    try_corners(&g, &g.pair, false);
    try_corners(&g, &g.back, true);
    try_triangles(&g);
    int count = lithe_gather_choose(&g.gather, out);
    for (int i = 0; i < g.through_count && count < LITHE_CONTACTS_MAX; i++)
        out[count++] = g.through[i];
    count = prune(&g, out, count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (out[j].feature == out[i].feature)
                out[i].feature = mix(out[i].feature, (uint32_t)i);
    return count;
}
