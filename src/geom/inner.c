// SPDX-License-Identifier: Apache-2.0
// geom/inner.c - inner shapes: a shape without all that lies within d of its surface
//
// With t the half thickness of a shape, d = 0.9 t:
//   sphere, capsule       radius r - d                                  t = r
//   box, ellipsoid        half axes e - d                               t = the shortest
//   cylinder              r - d, l/2 - d                                t = min(r, l/2)
//   polyhedron            the planes n.x <= o - d                       t = least o - n.c, c the
//   mean
//                                                                       of its corners
//   closed mesh           every corner moved inwards by 0.45 of the thickness below it
// docs/theory/collision.md, (Z7).

#include "geom/inner.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh_pair.h"

// --- polyhedra -----------------------------------------------------------------------------------

// The corners of the planes n.(x - c) <= o are m/k + c, (m, k) the planes of the hull of n/o.
static LitheStatus shrink_hull(LitheContext *context, const LitheHull *hull, LitheInner *inner,
                               LitheError *error) {
    Vec3 c = {0, 0, 0};
    for (int32_t i = 0; i < hull->point_count; i++)
        c = v3_axpy(1.0 / hull->point_count, hull->points[i], c);
    double half = INFINITY;
    for (int32_t i = 0; i < hull->face_count; i++)
        half = fmin(half, hull->face_offset[i] - v3_dot(hull->face_normal[i], c));
    double d = LITHE_INNER_FRACTION * half;
    Vec3 *points = lithe_alloc_array(context, hull->face_count, sizeof *points), *corners = NULL;
    LitheHull *dual = NULL;
    LitheStatus status = points ? LITHE_OK : lithe_fail_memory(error, "an inner shape");
    for (int32_t i = 0; i < hull->face_count && points; i++) {
        double left = hull->face_offset[i] - v3_dot(hull->face_normal[i], c) - d;
        points[i] = v3_scale(half / left, hull->face_normal[i]);
    }
    if (status == LITHE_OK)
        status = lithe_hull_create(context, points, hull->face_count, &dual, error);
    if (status == LITHE_OK) {
        corners = lithe_alloc_array(context, dual->face_count, sizeof *corners);
        status = corners ? LITHE_OK : lithe_fail_memory(error, "an inner shape");
    }
    for (int32_t i = 0; i < (dual ? dual->face_count : 0) && corners; i++)
        corners[i] = v3_axpy(half / dual->face_offset[i], dual->face_normal[i], c);
    if (status == LITHE_OK)
        status = lithe_hull_create(context, corners, dual->face_count, &inner->geom.hull, error);
    if (dual)
        lithe_hull_destroy(context, dual);
    lithe_free(context, points);
    lithe_free(context, corners);
    inner->depth = d * (1 - 1e-6); // the hulls leave out points within 1e-12 of their size
    return status;
}

// --- meshes --------------------------------------------------------------------------------------

// the nearest triangle behind x along -n that is seen from inside, or `longest`
typedef struct Ray {
    const LitheMesh *mesh;
    Vec3 x, d;
    double nearest, skip;
} Ray;

static bool ray_meets(const Ray *ray, const LitheBox *box) {
    double x[3], d[3], low[3], high[3], enter = 0, leave = ray->nearest;
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
}

static double thickness_below(const LitheMesh *mesh, Vec3 x, Vec3 n, double longest) {
    Ray ray = {mesh, x, v3_neg(n), longest, 1e-9 * longest};
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheTreeNode *node = &mesh->nodes[stack[--depth]];
        if (!ray_meets(&ray, &node->box))
            continue;
        for (int32_t i = 0; i < node->count; i++)
            ray_triangle(&ray, mesh->order[node->first + i]);
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return ray.nearest;
}

// Corners move inwards; where the result meets the surface, by less. Without success the mesh has
// no inner shape but itself.
static LitheStatus shrink_mesh(LitheContext *context, const LitheGeom *geom, LitheInner *inner,
                               LitheError *error) {
    const LitheMesh *mesh = geom->mesh;
    double *in = lithe_alloc_array(context, mesh->point_count, sizeof *in);
    Vec3 *points = lithe_alloc_array(context, mesh->point_count, sizeof *points);
    LitheStatus status = in && points ? LITHE_OK : lithe_fail_memory(error, "an inner shape");
    for (int32_t i = 0; i < mesh->point_count && status == LITHE_OK; i++) {
        double size = v3_norm(mesh->point_normals[i]);
        in[i] = size > 0 ? 0.5 * thickness_below(mesh, mesh->points[i],
                                                 v3_scale(1 / size, mesh->point_normals[i]),
                                                 2 * geom->reach)
                         : 0;
    }
    inner->shared = true;
    double fraction = LITHE_INNER_FRACTION;
    for (int cut = 0; cut < 4 && inner->shared && status == LITHE_OK; cut++, fraction *= 0.5) {
        for (int32_t i = 0; i < mesh->point_count; i++) {
            double size = v3_norm(mesh->point_normals[i]);
            points[i] = size > 0 ? v3_axpy(-fraction * in[i] / size, mesh->point_normals[i],
                                           mesh->points[i])
                                 : mesh->points[i];
        }
        LitheMesh *made = NULL;
        // triangles that lost their area are refused: then less is taken off
        LitheStatus own = lithe_mesh_create(context, points, mesh->point_count, mesh->triangles,
                                            mesh->triangle_count, &made, NULL);
        if (own == LITHE_NO_MEMORY)
            status = lithe_fail_memory(error, "an inner shape");
        if (!made)
            continue;
        LitheMeshPair pair = {mesh, made, m3_identity(), {0, 0, 0}};
        LitheCoreDistance apart;
        if (lithe_mesh_distance(&pair, INFINITY, &apart) && apart.distance > 1e-6 * geom->reach) {
            inner->geom.mesh = made;
            inner->depth = apart.distance;
            inner->shared = false;
        } else {
            lithe_mesh_destroy(context, made);
        }
    }
    lithe_free(context, in);
    lithe_free(context, points);
    return status;
}

// --- front ---------------------------------------------------------------------------------------

static double min3(Vec3 v) {
    return fmin(v.x, fmin(v.y, v.z));
}

LitheStatus lithe_inner_create(LitheContext *context, const LitheGeom *geom, LitheInner *out,
                               LitheError *error) {
    LitheInner inner = {.geom = *geom};
    LitheStatus status = LITHE_OK;
    double d = 0;
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_SEGMENT:
        d = LITHE_INNER_FRACTION * geom->radius;
        inner.geom.radius -= d;
        break;
    case LITHE_GEOM_CYLINDER:
        d = LITHE_INNER_FRACTION * fmin(geom->radius, geom->half.z);
        inner.geom.radius -= d;
        inner.geom.half.z -= d;
        break;
    case LITHE_GEOM_BOX:
    case LITHE_GEOM_ELLIPSOID:
        d = LITHE_INNER_FRACTION * min3(geom->half);
        inner.geom.half = v3_sub(geom->half, v3(d, d, d));
        break;
    case LITHE_GEOM_CONVEX_MESH:
        inner.geom.hull = NULL;
        status = shrink_hull(context, geom->hull, &inner, error);
        break;
    case LITHE_GEOM_TRIANGLE_MESH:
        inner.shared = true;
        if (geom->mesh->closed)
            status = shrink_mesh(context, geom, &inner, error);
        break;
    default:
        inner.shared = true;
    }
    if (d > 0)
        inner.depth = d;
    // an ellipsoid with axes e - d comes nearer than d to the larger one beside its axes
    if (geom->kind == LITHE_GEOM_ELLIPSOID)
        inner.depth *= min3(geom->half) / fmax(geom->half.x, fmax(geom->half.y, geom->half.z));
    if (status == LITHE_OK)
        *out = inner;
    return status;
}

void lithe_inner_destroy(LitheInner *inner) {
    if (!inner->shared && inner->geom.hull)
        lithe_hull_destroy(inner->geom.context, inner->geom.hull);
    if (!inner->shared && inner->geom.mesh)
        lithe_mesh_destroy(inner->geom.context, inner->geom.mesh);
    *inner = (LitheInner){0};
}
