// SPDX-License-Identifier: Apache-2.0
// geom/mesh_tree.c - the tree of boxes over triangles, and the nearest point of a mesh
//
// Nodes are halved at the median centre along the widest axis, so that the depth is the logarithm
// of the number of triangles for every mesh.

#include "geom/mesh.h"

#include "base/assert.h"

enum { LEAF_TRIANGLES = 4 };

static double component(Vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static LitheBox box_of(const Vec3 *points, const int32_t *triangles, const int32_t *order,
                       int32_t count) {
    LitheBox box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < 3 * count; i++) {
        Vec3 p = points[triangles[3 * order[i / 3] + i % 3]];
        box.low = v3_min(box.low, p);
        box.high = v3_max(box.high, p);
    }
    return box;
}

static int widest_axis(const Vec3 *centres, const int32_t *order, int32_t count) {
    Vec3 low = centres[order[0]], high = low;
    for (int32_t i = 1; i < count; i++) {
        low = v3_min(low, centres[order[i]]);
        high = v3_max(high, centres[order[i]]);
    }
    Vec3 size = v3_sub(high, low);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static bool before(const Vec3 *centres, int axis, bool by_number, int32_t a, int32_t b) {
    double x = component(centres[a], axis), y = component(centres[b], axis);
    return x < y || (by_number && x == y && a < b);
}

// quickselect
void lithe_halve(const Vec3 *centres, int32_t *order, int32_t count, int32_t half, bool by_number) {
    int axis = widest_axis(centres, order, count);
    int32_t low = 0, high = count - 1;
    while (low < high) {
        int32_t pivot = order[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (before(centres, axis, by_number, order[i], pivot))
                i++;
            while (before(centres, axis, by_number, pivot, order[j]))
                j--;
            if (i <= j) {
                int32_t swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (half <= j)
            high = j;
        else if (half >= i)
            low = i;
        else
            return;
    }
}

int32_t lithe_mesh_tree_build(const Vec3 *points, const int32_t *triangles, int32_t triangle_count,
                              LitheBoxNode *nodes, int32_t *order, Vec3 *centres) {
    for (int32_t i = 0; i < triangle_count; i++) {
        Vec3 sum = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            sum = v3_add(sum, points[triangles[3 * i + k]]);
        centres[i] = v3_scale(1.0 / 3, sum);
        order[i] = i;
    }
    // nodes are split in the order of their numbers; `first` and `count` of a node that is not
    // split yet are its range of `order`
    int32_t node_count = 1;
    nodes[0] = (LitheBoxNode){.first = 0, .count = triangle_count};
    for (int32_t i = 0; i < node_count; i++) {
        int32_t first = nodes[i].first, count = nodes[i].count, half = count / 2;
        nodes[i].box = box_of(points, triangles, order + first, count);
        if (count <= LEAF_TRIANGLES)
            continue;
        lithe_halve(centres, order + first, count, half, true);
        nodes[node_count] = (LitheBoxNode){.first = first, .count = half};
        nodes[node_count + 1] = (LitheBoxNode){.first = first + half, .count = count - half};
        nodes[i].first = node_count;
        nodes[i].count = 0;
        node_count += 2;
    }
    return node_count;
}

Vec3 lithe_triangle_nearest(Vec3 p, Vec3 q, Vec3 r, Vec3 x, int32_t *feature) {
    Vec3 corner[3] = {p, q, r};
    Vec3 n = v3_cross(v3_sub(q, p), v3_sub(r, p));
    double nn = v3_dot(n, n);
    bool inside = nn > 0;
    for (int k = 0; k < 3 && inside; k++) {
        Vec3 u = corner[k], edge = v3_sub(corner[(k + 1) % 3], u);
        inside = v3_dot(v3_cross(n, edge), v3_sub(x, u)) >= 0;
    }
    if (inside) {
        if (feature)
            *feature = 6;
        return v3_axpy(v3_dot(n, v3_sub(p, x)) / nn, n, x);
    }
    // outside the prism the nearest point lies on an edge
    Vec3 best = p;
    double min = INFINITY;
    for (int k = 0; k < 3; k++) {
        Vec3 u = corner[k], edge = v3_sub(corner[(k + 1) % 3], u);
        double s = v3_dot(v3_sub(x, u), edge), ee = v3_dot(edge, edge);
        Vec3 y = s <= 0 ? u : s >= ee ? corner[(k + 1) % 3] : v3_axpy(s / ee, edge, u);
        double distance = v3_distance(x, y);
        if (distance < min) {
            min = distance;
            best = y;
            if (feature)
                *feature = s <= 0 ? k : s >= ee ? (k + 1) % 3 : 3 + k;
        }
    }
    return best;
}

// outward direction at the nearest point: of the face, the mean of two at an edge, the sum weighted
// by angle at a corner; its sign against x - point gives the side in all cases
static Vec3 side_normal(const LitheMesh *mesh, int32_t triangle, int32_t feature) {
    Vec3 n = mesh->normals[triangle];
    if (feature < 3)
        return mesh->point_normals[mesh->triangles[3 * triangle + feature]];
    if (feature < 6 && mesh->neighbours[3 * triangle + feature - 3] >= 0)
        return v3_add(n, mesh->normals[mesh->neighbours[3 * triangle + feature - 3]]);
    return n;
}

static bool is_inside(const LitheMesh *mesh, Vec3 x, const LitheMeshPoint *nearest) {
    if (!mesh->closed && !mesh->below)
        return false;
    // outside the rectangle of a heightfield there is nothing
    const LitheBox *box = &mesh->nodes[0].box;
    if (mesh->below &&
        (x.x < box->low.x || x.x > box->high.x || x.y < box->low.y || x.y > box->high.y))
        return false;
    Vec3 n = side_normal(mesh, nearest->triangle, nearest->feature);
    return v3_dot(n, v3_sub(x, nearest->point)) < 0;
}

bool lithe_mesh_nearest(const LitheMesh *mesh, Vec3 x, double within, LitheMeshPoint *out) {
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    LitheBox at = {x, x};
    LitheMeshPoint best = {.distance = within, .triangle = -1};
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &mesh->nodes[stack[--depth]];
        if (box_distance2(&node->box, &at) > best.distance * best.distance)
            continue;
        for (int32_t i = 0; i < node->count; i++) {
            int32_t feature = 6, t = mesh->order[node->first + i];
            Vec3 y = lithe_triangle_nearest(mesh_corner(mesh, t, 0), mesh_corner(mesh, t, 1),
                                            mesh_corner(mesh, t, 2), x, &feature);
            double distance = v3_distance(x, y);
            bool tie = distance == best.distance && t < best.triangle;
            if (distance < best.distance || tie)
                best = (LitheMeshPoint){distance, y, t, feature, false};
        }
        if (node->count > 0)
            continue;
        // the nearer child on top
        LITHE_ASSERT(depth + 2 <= LITHE_TREE_STACK);
        const LitheBoxNode *child = &mesh->nodes[node->first];
        bool swap = box_distance2(&child[0].box, &at) < box_distance2(&child[1].box, &at);
        stack[depth++] = node->first + swap;
        stack[depth++] = node->first + !swap;
    }
    if (best.triangle < 0)
        return false;
    best.inside = is_inside(mesh, x, &best);
    *out = best;
    return true;
}

// --- exits ---------------------------------------------------------------------------------------

typedef struct Ray {
    const LitheMesh *mesh;
    Vec3 x, d;            // start, and unit direction
    double nearest, skip; // distance of the nearest hit so far; nearer hits than `skip` are ignored
    int32_t triangle;
} Ray;

static bool ray_meets(const Ray *ray, const LitheBox *box) {
    double x[3], d[3], low[3], high[3], enter = 0, leave = ray->nearest; // x, d: start, direction
    v3_store(ray->x, x), v3_store(ray->d, d), v3_store(box->low, low), v3_store(box->high, high);
    for (int k = 0; k < 3; k++) {
        double grow = 1e-9 * (fabs(low[k]) + fabs(high[k]) + ray->skip);
        if (d[k] == 0) {
            if (x[k] < low[k] - grow || x[k] > high[k] + grow)
                return false;
            continue;
        }
        double s = (low[k] - grow - x[k]) / d[k], t = (high[k] + grow - x[k]) / d[k];
        enter = fmax(enter, fmin(s, t));
        leave = fmin(leave, fmax(s, t));
    }
    return enter <= leave;
}

static void ray_triangle(Ray *ray, int32_t triangle) {
    Vec3 n = ray->mesh->normals[triangle], p = mesh_corner(ray->mesh, triangle, 0);
    double speed = v3_dot(n, ray->d), t = v3_dot(n, v3_sub(p, ray->x)) / speed;
    if (!(speed > 1e-9) || !(t > ray->skip) || t >= ray->nearest)
        return;
    Vec3 y = v3_axpy(t, ray->d, ray->x);
    for (int k = 0; k < 3; k++) {
        Vec3 u = mesh_corner(ray->mesh, triangle, k);
        Vec3 edge = v3_sub(mesh_corner(ray->mesh, triangle, (k + 1) % 3), u);
        if (v3_dot(v3_cross(n, edge), v3_sub(y, u)) < -1e-9 * v3_dot(edge, edge))
            return;
    }
    ray->nearest = t;
    ray->triangle = triangle;
}

double lithe_mesh_exit(const LitheMesh *mesh, Vec3 x, Vec3 direction, double longest,
                       int32_t *triangle) {
    Ray ray = {mesh, x, direction, longest, 1e-9 * longest, -1};
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &mesh->nodes[stack[--depth]];
        if (!ray_meets(&ray, &node->box))
            continue;
        for (int32_t i = 0; i < node->count; i++)
            ray_triangle(&ray, mesh->order[node->first + i]);
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    if (triangle)
        *triangle = ray.triangle;
    return ray.nearest;
}
