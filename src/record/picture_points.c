// SPDX-License-Identifier: Apache-2.0
// record/picture_points.c - recorded surfaces and balls to triangles and spheres

#include "base/memory.h"
#include "base/status.h"
#include "math/vec3.h"
#include "record/drawable.h"
#include "record/picture_bodies.h"

#include <string.h>

static LitheColour colour_at(const LithePictureInk *ink, int32_t point) {
    if (!ink->scalar)
        return ink->colour;
    return lithe_picture_map((ink->scalar[point] - ink->low) / (ink->high - ink->low));
}

LitheStatus lithe_picture_put_surface(LithePictureBodies *bodies,
                                      const LitheRecordingSurface *surface, const double *points,
                                      const LithePictureInk *ink, LitheError *error) {
    LitheContext *context = bodies->context;
    int64_t numbers = 3 * (int64_t)surface->point_count;
    int64_t corners = 3 * (int64_t)surface->triangle_count;
    if (!LITHE_RESERVE(context, bodies->meshes, bodies->mesh_capacity, bodies->mesh_count + 1))
        return lithe_fail_memory(error, "the surfaces of a picture");
    double *own = lithe_alloc_array(context, numbers, sizeof *own);
    double *normals = lithe_alloc_array(context, numbers, sizeof *normals);
    int32_t *triangles = lithe_alloc_array(context, corners, sizeof *triangles);
    double *rgb = ink->scalar ? lithe_alloc_array(context, numbers, sizeof *rgb) : NULL;
    bodies->meshes[bodies->mesh_count++] = (LithePictureMesh){.points = own,
                                                              .normals = normals,
                                                              .triangles = triangles,
                                                              .colour = ink->colour,
                                                              .rgb = rgb,
                                                              .finish = LITHE_PICTURE_SOFT};
    if (!own || !normals || !triangles || (ink->scalar && !rgb))
        return lithe_fail_memory(error, "the surfaces of a picture");
    bodies->meshes[bodies->mesh_count - 1].point_count = surface->point_count;
    bodies->meshes[bodies->mesh_count - 1].triangle_count = surface->triangle_count;
    memcpy(own, points, (size_t)numbers * sizeof *own);
    memcpy(triangles, surface->triangles, (size_t)corners * sizeof *triangles);
    lithe_surface_normals(points, surface->point_count, triangles, surface->triangle_count,
                          normals);
    for (int32_t i = 0; rgb && i < surface->point_count; i++) {
        LitheColour colour = colour_at(ink, i);
        v3_store(v3(colour.r, colour.g, colour.b), rgb + 3 * i);
    }
    return LITHE_OK;
}

LitheStatus lithe_picture_put_balls(LithePictureBodies *bodies, const LitheRecordingBalls *balls,
                                    const double *points, const LithePictureInk *ink,
                                    LitheError *error) {
    if (!LITHE_RESERVE(bodies->context, bodies->spheres, bodies->sphere_capacity,
                       (int64_t)bodies->sphere_count + balls->count))
        return lithe_fail_memory(error, "the balls of a picture");
    for (int32_t i = 0; i < balls->count; i++)
        bodies->spheres[bodies->sphere_count++] =
            (LithePictureSphere){.centre = v3_load(points + 3 * i),
                                 .radius = balls->radii[i],
                                 .colour = colour_at(ink, i),
                                 .finish = LITHE_PICTURE_SOFT};
    return LITHE_OK;
}
