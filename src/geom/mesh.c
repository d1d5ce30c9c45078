// SPDX-License-Identifier: Apache-2.0
// geom/mesh.c - check a triangle mesh, find its neighbours and normals

#include "geom/mesh.h"

#include "base/memory.h"
#include "base/status.h"

// a triangle whose height is below this fraction of its longest edge has no usable normal
#define MIN_HEIGHT 1e-10

static LitheStatus check_triangles(const Vec3 *points, int32_t point_count,
                                   const int32_t *triangles, int32_t triangle_count,
                                   LitheError *error) {
    if ((int64_t)triangle_count > INT32_MAX / 8)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "triangle mesh: %d triangles are more than the %d allowed",
                          triangle_count, INT32_MAX / 8);
    for (int32_t i = 0; i < triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            int32_t corner = triangles[3 * i + k];
            if (corner < 0 || corner >= point_count)
                return lithe_fail(error, LITHE_BAD_INPUT,
                                  "triangle mesh: triangle %d: corner %d is point %d, must be 0 to "
                                  "%d",
                                  i, k, corner, point_count - 1);
        }
        Vec3 p = points[triangles[3 * i]], q = points[triangles[3 * i + 1]];
        Vec3 r = points[triangles[3 * i + 2]];
        double area2 = v3_norm(v3_cross(v3_sub(q, p), v3_sub(r, p)));
        double longest = fmax(v3_distance(p, q), fmax(v3_distance(q, r), v3_distance(r, p)));
        if (!(area2 > MIN_HEIGHT * longest * longest))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "triangle mesh: triangle %d (points %d, %d, %d) has no area", i,
                              triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
    }
    return LITHE_OK;
}

// pairs the half-edges: those of one edge are linked in a list at its lower end point
static LitheStatus find_neighbours(LitheMesh *mesh, int32_t *head, int32_t *next,
                                   LitheError *error) {
    int32_t edge_count = 3 * mesh->triangle_count;
    const int32_t *corner = mesh->triangles;
    for (int32_t i = 0; i < mesh->point_count; i++)
        head[i] = -1;
    mesh->closed = true;
    for (int32_t e = 0; e < edge_count; e++) {
        int32_t from = corner[e], to = corner[e - e % 3 + (e % 3 + 1) % 3];
        int32_t low = from < to ? from : to;
        mesh->neighbours[e] = -1;
        for (int32_t f = head[low]; f >= 0; f = next[f]) {
            int32_t f_from = corner[f], f_to = corner[f - f % 3 + (f % 3 + 1) % 3];
            bool same = f_from == from && f_to == to;
            if (!same && !(f_from == to && f_to == from))
                continue;
            if (same || mesh->neighbours[f] >= 0) {
                Vec3 x = mesh->points[from];
                return lithe_fail(
                    error, LITHE_BAD_INPUT,
                    same ? "triangle mesh: triangle %d: its edge from point %d to %d "
                           "has the same direction in triangle %d (one of them is turned "
                           "inside out), at (%g, %g, %g) m"
                         : "triangle mesh: triangle %d: its edge from point %d to %d "
                           "is the third on one line, with triangle %d, at (%g, %g, %g) m",
                    e / 3, from, to, f / 3, x.x, x.y, x.z);
            }
            mesh->neighbours[e] = f / 3;
            mesh->neighbours[f] = e / 3;
        }
        next[e] = head[low];
        head[low] = e;
    }
    for (int32_t e = 0; e < edge_count; e++)
        mesh->closed &= mesh->neighbours[e] >= 0;
    return LITHE_OK;
}

static void find_owners(LitheMesh *mesh) {
    for (int32_t i = 0; i < mesh->point_count; i++)
        mesh->point_owner[i] = -1;
    for (int32_t e = 3 * mesh->triangle_count - 1; e >= 0; e--)
        mesh->point_owner[mesh->triangles[e]] = e / 3;
}

static void find_normals(LitheMesh *mesh) {
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        Vec3 p[3] = {mesh_corner(mesh, i, 0), mesh_corner(mesh, i, 1), mesh_corner(mesh, i, 2)};
        Vec3 n = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
        mesh->normals[i] = n;
        for (int k = 0; k < 3; k++) {
            Vec3 u = v3_sub(p[(k + 1) % 3], p[k]), v = v3_sub(p[(k + 2) % 3], p[k]);
            double angle = atan2(v3_norm(v3_cross(u, v)), v3_dot(u, v));
            Vec3 *sum = &mesh->point_normals[mesh->triangles[3 * i + k]];
            *sum = v3_axpy(angle, n, *sum);
        }
    }
}

static LitheMesh *allocate(LitheContext *context, int32_t point_count, int32_t triangle_count) {
    LitheMesh *mesh = lithe_alloc(context, sizeof *mesh);
    if (!mesh)
        return NULL;
    mesh->point_count = point_count;
    mesh->triangle_count = triangle_count;
    mesh->points = lithe_alloc_array(context, point_count, sizeof(Vec3));
    mesh->point_normals = lithe_alloc_array(context, point_count, sizeof(Vec3));
    mesh->triangles = lithe_alloc_array(context, 3 * (int64_t)triangle_count, sizeof(int32_t));
    mesh->neighbours = lithe_alloc_array(context, 3 * (int64_t)triangle_count, sizeof(int32_t));
    mesh->normals = lithe_alloc_array(context, triangle_count, sizeof(Vec3));
    mesh->point_owner = lithe_alloc_array(context, point_count, sizeof(int32_t));
    mesh->order = lithe_alloc_array(context, triangle_count, sizeof(int32_t));
    mesh->nodes = lithe_alloc_array(context, 2 * (int64_t)triangle_count, sizeof(LitheBoxNode));
    if (mesh->points && mesh->point_normals && mesh->triangles && mesh->neighbours &&
        mesh->normals && mesh->order && mesh->nodes && mesh->point_owner)
        return mesh;
    lithe_mesh_destroy(context, mesh);
    return NULL;
}

// neighbours, normals and tree of a mesh with points and triangles set
static LitheStatus complete(LitheContext *context, LitheMesh *mesh, LitheError *error) {
    int32_t *head = lithe_alloc_array(context, mesh->point_count, sizeof(int32_t));
    int32_t *next = lithe_alloc_array(context, 3 * (int64_t)mesh->triangle_count, sizeof(int32_t));
    Vec3 *centres = lithe_alloc_array(context, mesh->triangle_count, sizeof(Vec3));
    LitheStatus status = head && next && centres ? find_neighbours(mesh, head, next, error)
                                                 : lithe_fail_memory(error, "a triangle mesh");
    if (status == LITHE_OK) {
        find_owners(mesh);
        find_normals(mesh);
        mesh->node_count = lithe_mesh_tree_build(
            mesh->points, mesh->triangles, mesh->triangle_count, mesh->nodes, mesh->order, centres);
    }
    lithe_free(context, head);
    lithe_free(context, next);
    lithe_free(context, centres);
    return status;
}

LitheStatus lithe_mesh_create(LitheContext *context, const Vec3 *points, int32_t point_count,
                              const int32_t *triangles, int32_t triangle_count, LitheMesh **out,
                              LitheError *error) {
    LitheStatus status = check_triangles(points, point_count, triangles, triangle_count, error);
    if (status != LITHE_OK)
        return status;
    LitheMesh *mesh = allocate(context, point_count, triangle_count);
    if (!mesh)
        return lithe_fail_memory(error, "a triangle mesh");
    for (int32_t i = 0; i < point_count; i++)
        mesh->points[i] = points[i];
    for (int32_t i = 0; i < 3 * triangle_count; i++)
        mesh->triangles[i] = triangles[i];
    status = complete(context, mesh, error);
    if (status == LITHE_OK)
        *out = mesh;
    else
        lithe_mesh_destroy(context, mesh);
    return status;
}

LitheStatus lithe_mesh_create_heightfield(LitheContext *context, const double *heights,
                                          int32_t rows, int32_t columns, double size_x,
                                          double size_y, LitheMesh **out, LitheError *error) {
    LitheMesh *mesh = allocate(context, rows * columns, 2 * (rows - 1) * (columns - 1));
    if (!mesh)
        return lithe_fail_memory(error, "a heightfield");
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++)
            mesh->points[i * columns + j] =
                v3(size_x * ((double)j / (columns - 1) - 0.5),
                   size_y * ((double)i / (rows - 1) - 0.5), heights[i * columns + j]);
    // each cell is cut along its diagonal from low x, low y to high x, high y
    int32_t *triangle = mesh->triangles;
    for (int32_t i = 0; i + 1 < rows; i++)
        for (int32_t j = 0; j + 1 < columns; j++, triangle += 6) {
            int32_t p = i * columns + j;
            int32_t corner[6] = {p, p + 1, p + columns + 1, p, p + columns + 1, p + columns};
            for (int k = 0; k < 6; k++)
                triangle[k] = corner[k];
        }
    mesh->below = true;
    mesh->rows = rows;
    mesh->columns = columns;
    LitheStatus status = complete(context, mesh, error);
    if (status == LITHE_OK)
        *out = mesh;
    else
        lithe_mesh_destroy(context, mesh);
    return status;
}

void lithe_mesh_destroy(LitheContext *context, LitheMesh *mesh) {
    if (!mesh)
        return;
    lithe_free(context, mesh->points);
    lithe_free(context, mesh->point_normals);
    lithe_free(context, mesh->triangles);
    lithe_free(context, mesh->neighbours);
    lithe_free(context, mesh->normals);
    lithe_free(context, mesh->order);
    lithe_free(context, mesh->point_owner);
    lithe_free(context, mesh->nodes);
    lithe_free(context, mesh);
}
