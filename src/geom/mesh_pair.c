// SPDX-License-Identifier: Apache-2.0
// geom/mesh_pair.c - pairs of triangles of two meshes, and the distance of their surfaces
//
// Both trees are descended together. A pair of nodes is skipped when their boxes, that of b rotated
// into the frame of a, are farther apart than the limit; of the other pairs the larger box is
// split.

#include "geom/mesh_pair.h"

#include "base/assert.h"
#include "geom/segment.h"

LitheMeshPair lithe_mesh_pair(const LitheMesh *a, const LithePose *pa, const LitheMesh *b,
                              const LithePose *pb) {
    return (LitheMeshPair){a, b, m3_mul(m3_transpose(pa->r), pb->r), place_point_back(pa, pb->at)};
}

LitheMeshPair lithe_mesh_pair_swap(const LitheMeshPair *pair) {
    return (LitheMeshPair){pair->b, pair->a, m3_transpose(pair->r),
                           v3_neg(m3_apply_transposed(&pair->r, pair->at))};
}

// --- triangles -----------------------------------------------------------------------------------

bool lithe_triangle_pierced(Vec3 x, Vec3 y, const Vec3 q[3], Vec3 *at) {
    Vec3 n = v3_cross(v3_sub(q[1], q[0]), v3_sub(q[2], q[0]));
    double h = v3_dot(n, v3_sub(x, q[0])), k = v3_dot(n, v3_sub(y, q[0]));
    if (h * k >= 0)
        return false;
    *at = v3_mix(x, y, h / (h - k));
    for (int i = 0; i < 3; i++) {
        Vec3 edge = v3_sub(q[(i + 1) % 3], q[i]);
        if (v3_dot(v3_cross(n, edge), v3_sub(*at, q[i])) < 0)
            return false;
    }
    return true;
}

double lithe_triangle_distance(const Vec3 p[3], const Vec3 q[3], Vec3 *on_p, Vec3 *on_q) {
    double min = INFINITY;
    for (int i = 0; i < 3; i++) {
        Vec3 x = p[i], y = p[(i + 1) % 3], u = q[i], v = q[(i + 1) % 3], at;
        if (lithe_triangle_pierced(x, y, q, &at) || lithe_triangle_pierced(u, v, p, &at)) {
            *on_p = *on_q = at;
            return 0;
        }
        // corners against faces
        Vec3 near[2] = {lithe_triangle_nearest(q[0], q[1], q[2], x, NULL),
                        lithe_triangle_nearest(p[0], p[1], p[2], u, NULL)};
        double d[2] = {v3_distance(x, near[0]), v3_distance(u, near[1])};
        for (int k = 0; k < 2; k++)
            if (d[k] < min) {
                min = d[k];
                *on_p = k == 0 ? x : near[1];
                *on_q = k == 0 ? near[0] : u;
            }
        for (int j = 0; j < 3; j++) {
            Vec3 s = q[j], t = q[(j + 1) % 3];
            LitheSegmentPair edges = lithe_segment_closest(x, y, s, t);
            if (edges.distance < min) {
                min = edges.distance;
                *on_p = v3_mix(x, y, edges.s);
                *on_q = v3_mix(s, t, edges.t);
            }
        }
    }
    return min;
}

// whether q is farther than `within` from the plane of p, whose unit normal is n
static bool lies_off(const Vec3 p[3], Vec3 n, const Vec3 q[3], double within) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        double along = v3_dot(n, v3_sub(q[k], p[0]));
        low = along < low ? along : low;
        high = along > high ? along : high;
    }
    return low > within || high < -within;
}

bool lithe_triangles_far(const Vec3 p[3], Vec3 n, const Vec3 q[3], Vec3 m, double within) {
    LitheBox a = {v3_min(v3_min(p[0], p[1]), p[2]), v3_max(v3_max(p[0], p[1]), p[2])};
    LitheBox b = {v3_min(v3_min(q[0], q[1]), q[2]), v3_max(v3_max(q[0], q[1]), q[2])};
    return box_distance2(&a, &b) > within * within || lies_off(p, n, q, within) ||
           lies_off(q, m, p, within);
}

// --- trees ---------------------------------------------------------------------------------------

static LitheBox turned(const LitheMeshPair *pair, const LitheBox *box) {
    Vec3 half = v3_scale(0.5, v3_sub(box->high, box->low));
    Vec3 middle = mesh_pair_point(pair, v3_mix(box->low, box->high, 0.5));
    Mat3 r = pair->r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = fabs(r.m[i][j]);
    half = m3_apply(r, half);
    return (LitheBox){v3_sub(middle, half), v3_add(middle, half)};
}

static double volume_of(const LitheBox *box) {
    Vec3 d = v3_sub(box->high, box->low);
    return d.x + d.y + d.z;
}

typedef struct NodePair {
    int32_t a, b;
    double distance2;
} NodePair;

static NodePair node_pair(const LitheMeshPair *pair, int32_t a, int32_t b) {
    LitheBox box = turned(pair, &pair->b->nodes[b].box);
    return (NodePair){a, b, box_distance2(&pair->a->nodes[a].box, &box)};
}

void lithe_mesh_visit_pairs(const LitheMeshPair *pair, const double *within,
                            LitheTrianglesFn *visit, void *user) {
    NodePair stack[2 * LITHE_TREE_STACK];
    int depth = 0;
    stack[depth++] = node_pair(pair, 0, 0);
    while (depth > 0 && *within >= 0) {
        NodePair now = stack[--depth];
        const LitheBoxNode *x = &pair->a->nodes[now.a], *y = &pair->b->nodes[now.b];
        if (now.distance2 > *within * *within)
            continue;
        if (x->count > 0 && y->count > 0) {
            for (int32_t i = 0; i < x->count; i++)
                for (int32_t j = 0; j < y->count; j++)
                    visit(pair->a->order[x->first + i], pair->b->order[y->first + j], user);
            continue;
        }
        bool split_a = y->count > 0 || (x->count == 0 && volume_of(&x->box) >= volume_of(&y->box));
        NodePair child[2];
        for (int k = 0; k < 2; k++)
            child[k] =
                node_pair(pair, split_a ? x->first + k : now.a, split_a ? now.b : y->first + k);
        bool swap = child[0].distance2 < child[1].distance2;
        LITHE_ASSERT(depth + 2 <= 2 * LITHE_TREE_STACK);
        stack[depth++] = child[swap];
        stack[depth++] = child[!swap];
    }
}

typedef struct Nearest {
    const LitheMeshPair *pair;
    double within;
    int32_t first, second; // triangles of the best
    LitheCoreDistance best;
} Nearest;

static void try_triangles(int32_t i, int32_t j, void *user) {
    Nearest *s = user;
    Vec3 p[3], q[3], on_p, on_q;
    mesh_pair_corners(s->pair, false, i, p);
    mesh_pair_corners(s->pair, true, j, q);
    Vec3 m = m3_apply(s->pair->r, s->pair->b->normals[j]);
    if (lithe_triangles_far(p, s->pair->a->normals[i], q, m, s->within))
        return;
    double distance = lithe_triangle_distance(p, q, &on_p, &on_q);
    bool tie = distance == s->within && s->first >= 0 &&
               (i < s->first || (i == s->first && j < s->second));
    if (!(distance < s->within) && !tie)
        return;
    s->within = distance;
    s->first = i;
    s->second = j;
    Vec3 d = v3_sub(on_q, on_p);
    s->best = (LitheCoreDistance){
        distance, on_p, on_q, distance > 0 ? v3_scale(1 / distance, d) : s->pair->a->normals[i]};
}

bool lithe_mesh_distance(const LitheMeshPair *pair, double within, LitheCoreDistance *out) {
    Nearest s = {.pair = pair, .within = within, .first = -1};
    lithe_mesh_visit_pairs(pair, &s.within, try_triangles, &s);
    if (s.first >= 0)
        *out = s.best;
    return s.first >= 0;
}
