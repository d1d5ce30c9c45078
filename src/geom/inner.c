// SPDX-License-Identifier: Apache-2.0
// geom/inner.c - inner shapes: a shape without all that lies within d of its surface
//
// With t the half thickness of a shape, d = 0.9 t:
//   sphere, capsule       radius r - d                                  t = r
//   box, ellipsoid        half axes e - d                               t = the shortest
//   cylinder              r - d, l/2 - d                                t = min(r, l/2)
//   polyhedron            the planes n.x <= o - d                       t = min of o - n.c, c the
//                                                                       mean of its corners
//   closed mesh           every corner moved inwards by 0.45 of the thickness below it
// docs/theory/collision.md, (Z10).

#include "geom/inner.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh_pair.h"

// --- polyhedra -----------------------------------------------------------------------------------

static Vec3 mean_of(const LitheHull *hull) {
    Vec3 c = {0, 0, 0};
    for (int32_t i = 0; i < hull->point_count; i++)
        c = v3_axpy(1.0 / hull->point_count, hull->points[i], c);
    return c;
}

// By duality: the corners of the polyhedron with the planes n.(x - c) <= o are c + m/k, where m.y
// <= k are the planes of the hull of the points n/o.
static LitheStatus shrink_hull(LitheContext *context, const LitheHull *hull, LitheInner *inner,
                               LitheError *error) {
    Vec3 c = mean_of(hull);
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

// Corners move inwards, by less where the result would meet the surface. If no distance succeeds,
// the inner shape is the mesh itself.
static LitheStatus shrink_mesh(LitheContext *context, const LitheGeom *geom, LitheInner *inner,
                               LitheError *error) {
    const LitheMesh *mesh = geom->mesh;
    double *in = lithe_alloc_array(context, mesh->point_count, sizeof *in);
    Vec3 *points = lithe_alloc_array(context, mesh->point_count, sizeof *points);
    LitheStatus status = in && points ? LITHE_OK : lithe_fail_memory(error, "an inner shape");
    for (int32_t i = 0; i < mesh->point_count && status == LITHE_OK; i++) {
        double size = v3_norm(mesh->point_normals[i]);
        Vec3 down = v3_scale(size > 0 ? -1 / size : 0, mesh->point_normals[i]);
        if (size > 0)
            in[i] = 0.5 * lithe_mesh_exit(mesh, mesh->points[i], down, 2 * geom->reach, NULL);
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
        // triangles without area are refused: then corners move by less
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
    inner.geom.exact = 0;
    inner.geom.hollow = NULL;
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
        inner.geom.rounding = fmax(0, geom->rounding - d);
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
    // away from its axes, an ellipsoid with half axes e - d is nearer than d to the surface of the
    // shape
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

// --- middle --------------------------------------------------------------------------------------

// of a shape with three half axes, along the two longer ones
static int32_t middle_of(Vec3 half, Vec3 lines[LITHE_MIDDLE_LINES][2]) {
    double least = min3(half);
    int32_t count = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 end = {0, 0, 0};
        (&end.x)[k] = (&half.x)[k] - least;
        if ((&end.x)[k] > 0) {
            lines[count][0] = v3_neg(end);
            lines[count++][1] = end;
        }
    }
    if (count == 0)
        lines[count][0] = lines[count][1] = v3(0, 0, 0);
    return count > 0 ? count : 1;
}

// of a flat box also the border of the rectangle that is as deep as its middle
static int32_t middle_of_box(Vec3 half, Vec3 lines[LITHE_MIDDLE_LINES][2]) {
    int32_t count = middle_of(half, lines);
    if (count < 2)
        return count;
    Vec3 a = lines[0][1], b = lines[1][1], corners[4] = {v3_add(a, b), v3_sub(b, a)};
    corners[2] = v3_neg(corners[0]);
    corners[3] = v3_neg(corners[1]);
    for (int k = 0; k < 4; k++) {
        lines[count][0] = corners[k];
        lines[count++][1] = corners[(k + 1) % 4];
    }
    return count;
}

int32_t lithe_geom_middle(const LitheGeom *geom, Vec3 lines[LITHE_MIDDLE_LINES][2]) {
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
        return middle_of(v3(geom->radius, geom->radius, geom->radius), lines);
    case LITHE_GEOM_CAPSULE:
        lines[0][0] = geom->end[0];
        lines[0][1] = geom->end[1];
        return 1;
    case LITHE_GEOM_CYLINDER:
        return middle_of(v3(geom->radius, geom->radius, geom->half.z), lines);
    case LITHE_GEOM_BOX:
        return middle_of_box(geom->half, lines);
    case LITHE_GEOM_ELLIPSOID:
        return middle_of(geom->half, lines);
    case LITHE_GEOM_CONVEX_MESH:
        lines[0][0] = lines[0][1] = mean_of(geom->hull);
        return 1;
    default:
        return 0;
    }
}
