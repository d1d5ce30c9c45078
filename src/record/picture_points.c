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

// Points, normals and colours of the vertices of a surface.
static void fill_surface(const LitheSurfaceSplit *split, const double *points,
                         const LithePictureInk *ink, int32_t triangle_count, double *own,
                         double *normals, double *rgb) {
    for (int32_t i = 0; i < split->vertex_count; i++) {
        v3_store(v3_load(points + 3 * (int64_t)split->points[i]), own + 3 * i);
        if (!rgb)
            continue;
        LitheColour colour = colour_at(ink, split->points[i]);
        v3_store(v3(colour.r, colour.g, colour.b), rgb + 3 * i);
    }
    lithe_surface_normals(own, split->vertex_count, split->triangles, triangle_count, normals);
}

LitheStatus lithe_picture_put_surface(LithePictureBodies *bodies,
                                      const LitheRecordingSurface *surface, const double *points,
                                      const LithePictureInk *ink, LitheError *error) {
    LitheContext *context = bodies->context;
    LitheSurfaceSplit split;
    if (!LITHE_RESERVE(context, bodies->meshes, bodies->mesh_capacity, bodies->mesh_count + 1) ||
        !lithe_surface_split(context, points, surface->point_count, surface->triangles,
                             surface->triangle_count, &split))
        return lithe_fail_memory(error, "the surfaces of a picture");
    int64_t numbers = 3 * (int64_t)split.vertex_count;
    double *own = lithe_alloc_array(context, numbers, sizeof *own);
    double *normals = lithe_alloc_array(context, numbers, sizeof *normals);
    double *rgb = ink->scalar ? lithe_alloc_array(context, numbers, sizeof *rgb) : NULL;
    bool filled = own && normals && (!ink->scalar || rgb);
    if (filled)
        fill_surface(&split, points, ink, surface->triangle_count, own, normals, rgb);
    // the picture keeps the triangles
    lithe_free(context, split.points);
    bodies->meshes[bodies->mesh_count++] =
        (LithePictureMesh){.points = own,
                           .normals = normals,
                           .triangles = split.triangles,
                           .point_count = filled ? split.vertex_count : 0,
                           .triangle_count = filled ? surface->triangle_count : 0,
                           .colour = ink->colour,
                           .rgb = rgb,
                           .finish = LITHE_PICTURE_SOFT};
    return filled ? LITHE_OK : lithe_fail_memory(error, "the surfaces of a picture");
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
