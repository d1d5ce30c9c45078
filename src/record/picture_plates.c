// SPDX-License-Identifier: Apache-2.0
// record/picture_plates.c - half-spaces that are not level, as plates of a picture

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"
#include "record/picture_bodies.h"

#include <math.h>

// half the edge of a plate, and its max distance, relative to the size of the scene
#define PLATE_REACH 1.3
#define PLATE_FAR 3.0
// max corners: four, and one for each half-space that clips; further half-spaces are ignored
enum { CORNERS = 32 };

// --- contents ------------------------------------------------------------------------------------

typedef struct Extent {
    Vec3 low, high;
} Extent;

static void see(Extent *e, Vec3 x, double radius) {
    e->low = v3(fmin(e->low.x, x.x - radius), fmin(e->low.y, x.y - radius),
                fmin(e->low.z, x.z - radius));
    e->high = v3(fmax(e->high.x, x.x + radius), fmax(e->high.y, x.y + radius),
                 fmax(e->high.z, x.z + radius));
}

// nothing there: a cube of 1 m around the origin
static Extent extent_of(const LithePictureBodies *bodies, const LithePictureTube *tubes,
                        int32_t tube_count) {
    Extent e = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int32_t i = 0; i < tube_count; i++)
        for (int32_t k = 0; k < tubes[i].point_count; k++)
            see(&e, v3_load(tubes[i].points + 3 * k),
                fmax(tubes[i].half_width, tubes[i].half_height));
    for (int32_t i = 0; i < bodies->sphere_count; i++)
        see(&e, bodies->spheres[i].centre, bodies->spheres[i].radius);
    for (int32_t i = 0; i < bodies->mesh_count; i++)
        for (int32_t k = 0; k < bodies->meshes[i].point_count; k++)
            see(&e, v3_load(bodies->meshes[i].points + 3 * k), 0);
    if (!(e.low.x <= e.high.x))
        see(&e, v3(0, 0, 0), 0.5);
    return e;
}

// --- one plate -----------------------------------------------------------------------------------

// Clips the polygon to the outside of a half-space; returns the new number of corners.
static int cut(Vec3 corners[CORNERS], int count, const LithePicturePlane *by) {
    Vec3 kept[CORNERS];
    int made = 0;
    for (int i = 0; i < count; i++) {
        Vec3 a = corners[i], b = corners[(i + 1) % count];
        double da = v3_dot(by->normal, v3_sub(a, by->at));
        double db = v3_dot(by->normal, v3_sub(b, by->at));
        if (da >= 0)
            kept[made++] = a;
        if ((da >= 0) != (db >= 0))
            kept[made++] = v3_axpy(da / (da - db), v3_sub(b, a), a);
    }
    for (int i = 0; i < made; i++)
        corners[i] = kept[i];
    return made;
}

static LitheStatus put_plate(LithePictureBodies *bodies, const LithePicturePlane *plane,
                             const Vec3 *corners, int count, LitheError *error) {
    LitheContext *context = bodies->context;
    double *points = lithe_alloc_array(context, 3 * count, sizeof *points);
    double *normals = lithe_alloc_array(context, 3 * count, sizeof *normals);
    int32_t *triangles = lithe_alloc_array(context, 3 * (count - 2), sizeof *triangles);
    if (!points || !normals || !triangles ||
        !LITHE_RESERVE(context, bodies->meshes, bodies->mesh_capacity, bodies->mesh_count + 1)) {
        lithe_free(context, points);
        lithe_free(context, normals);
        lithe_free(context, triangles);
        return lithe_fail_memory(error, "the bodies of a picture");
    }
    for (int i = 0; i < count; i++) {
        v3_store(corners[i], points + 3 * i);
        v3_store(plane->normal, normals + 3 * i);
    }
    for (int i = 0; i < count - 2; i++) {
        triangles[3 * i] = 0;
        triangles[3 * i + 1] = i + 1;
        triangles[3 * i + 2] = i + 2;
    }
    bodies->meshes[bodies->mesh_count++] = (LithePictureMesh){.points = points,
                                                              .normals = normals,
                                                              .triangles = triangles,
                                                              .point_count = count,
                                                              .triangle_count = count - 2,
                                                              .colour = plane->colour,
                                                              .finish = LITHE_PICTURE_SOFT};
    return LITHE_OK;
}

static LitheStatus add_plate(LithePictureBodies *bodies, int32_t index, const Extent *extent,
                             LitheError *error) {
    const LithePicturePlane *plane = &bodies->planes[index];
    Vec3 centre = v3_scale(0.5, v3_add(extent->low, extent->high));
    double reach = 0.5 * v3_distance(extent->low, extent->high);
    double height = v3_dot(plane->normal, v3_sub(centre, plane->at));
    if (fabs(height) > PLATE_FAR * reach)
        return LITHE_OK;

    // a square below the scene, with one level edge
    Vec3 foot = v3_axpy(-height, plane->normal, centre);
    Vec3 across = v3_cross(v3(0, 0, 1), plane->normal);
    across = v3_norm(across) > 1e-9 ? v3_unit(across) : v3(1, 0, 0);
    Vec3 along = v3_cross(plane->normal, across);
    Vec3 corners[CORNERS];
    for (int k = 0; k < 4; k++) {
        double a = k == 1 || k == 2 ? PLATE_REACH : -PLATE_REACH, b = k >= 2 ? 1 : -1;
        corners[k] = v3_axpy(a * reach, across, v3_axpy(b * PLATE_REACH * reach, along, foot));
    }
    int count = 4;
    for (int32_t i = 0; i < bodies->plane_count && count < CORNERS - 1; i++)
        if (i != index)
            count = cut(corners, count, &bodies->planes[i]);
    return count < 3 ? LITHE_OK : put_plate(bodies, plane, corners, count, error);
}

LitheStatus lithe_picture_plates(LithePictureBodies *bodies, const LithePictureTube *tubes,
                                 int32_t tube_count, Vec3 to_eye, LitheError *error) {
    Extent extent = extent_of(bodies, tubes, tube_count);
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < bodies->plane_count; i++)
        if (!bodies->planes[i].level && v3_dot(bodies->planes[i].normal, to_eye) > 0)
            status = add_plate(bodies, i, &extent, error);
    return status;
}
