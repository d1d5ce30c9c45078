// SPDX-License-Identifier: Apache-2.0
// record/picture_bodies.c - recorded shapes to spheres, tubes and triangles

#include "record/picture_bodies.h"

#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"
#include "record/shape_triangles.h"

#include <math.h>
#include <string.h>

// --- one shape -----------------------------------------------------------------------------------

typedef struct Place {
    Vec3 at;
    Quat q;
} Place;

static Place place_of(const double pose[7]) {
    return (Place){v3_load(pose), {pose[3], pose[4], pose[5], pose[6]}};
}

static Place place_in(Place outer, Place inner) {
    return (Place){v3_add(outer.at, q4_rotate(outer.q, inner.at)), q4_mul(outer.q, inner.q)};
}

// Bodies are grey, every other one slightly darker, so that rods stand out.
static LitheColour body_colour(int32_t body) {
    static const LitheColour colours[] = {{0.69, 0.70, 0.72}, {0.58, 0.60, 0.63}};
    return colours[body % 2];
}

static LitheStatus put_mesh(LithePictureBodies *bodies, LitheTriangles *t, Place place,
                            LitheColour colour, bool two_sided, LitheError *error) {
    if (!LITHE_RESERVE(bodies->context, bodies->meshes, bodies->mesh_capacity,
                       bodies->mesh_count + 1)) {
        lithe_triangles_release(t);
        return lithe_fail_memory(error, "the bodies of a picture");
    }
    for (int32_t i = 0; i < t->point_count; i++) {
        double *x = t->points + 3 * i, *n = t->normals + 3 * i;
        v3_store(v3_add(place.at, q4_rotate(place.q, v3_load(x))), x);
        v3_store(q4_rotate(place.q, v3_load(n)), n);
    }
    bodies->meshes[bodies->mesh_count++] = (LithePictureMesh){.points = t->points,
                                                              .normals = t->normals,
                                                              .triangles = t->corners,
                                                              .point_count = t->point_count,
                                                              .triangle_count = t->triangle_count,
                                                              .colour = colour,
                                                              .finish = LITHE_PICTURE_SOFT,
                                                              .two_sided = two_sided};
    return LITHE_OK;
}

static LitheStatus put_sphere(LithePictureBodies *bodies, double radius, Place place,
                              LitheColour colour, LitheError *error) {
    if (!LITHE_RESERVE(bodies->context, bodies->spheres, bodies->sphere_capacity,
                       bodies->sphere_count + 1))
        return lithe_fail_memory(error, "the bodies of a picture");
    bodies->spheres[bodies->sphere_count++] = (LithePictureSphere){
        .centre = place.at, .radius = radius, .colour = colour, .finish = LITHE_PICTURE_SOFT};
    return LITHE_OK;
}

static LitheStatus put_capsule(LithePictureBodies *bodies, double radius, double length,
                               Place place, LitheColour colour, LitheError *error) {
    double *points = lithe_alloc_array(bodies->context, 6, sizeof *points);
    if (!points || !LITHE_RESERVE(bodies->context, bodies->tubes, bodies->tube_capacity,
                                  bodies->tube_count + 1)) {
        lithe_free(bodies->context, points);
        return lithe_fail_memory(error, "the bodies of a picture");
    }
    Vec3 half = q4_rotate(place.q, v3(0, 0, 0.5 * length));
    v3_store(v3_sub(place.at, half), points);
    v3_store(v3_add(place.at, half), points + 3);
    bodies->tubes[bodies->tube_count++] = (LithePictureTube){.points = points,
                                                             .point_count = 2,
                                                             .section = LITHE_PICTURE_CIRCLE,
                                                             .half_width = radius,
                                                             .half_height = radius,
                                                             .colour = colour,
                                                             .finish = LITHE_PICTURE_SOFT};
    return LITHE_OK;
}

static LitheStatus put_half_space(LithePictureBodies *bodies, Place place, LitheColour colour,
                                  LitheError *error) {
    if (!LITHE_RESERVE(bodies->context, bodies->planes, bodies->plane_capacity,
                       bodies->plane_count + 1))
        return lithe_fail_memory(error, "the bodies of a picture");
    Vec3 up = q4_rotate(place.q, v3(0, 0, 1));
    bool level = up.z >= 1 - 1e-9;
    bodies->planes[bodies->plane_count++] = (LithePicturePlane){place.at, up, level, colour};
    if (level) {
        bodies->ground = bodies->has_ground ? fmax(bodies->ground, place.at.z) : place.at.z;
        bodies->has_ground = true;
    }
    return LITHE_OK;
}

static LitheStatus add_shape(LitheRecording *recording, int32_t body, int32_t shape, Place stand,
                             LithePictureBodies *bodies, LitheError *error) {
    LitheShapeColumns columns;
    LitheStatus status = lithe_shape_columns(recording, body, shape, &columns, error);
    if (status != LITHE_OK)
        return status;
    Place place = place_in(stand, place_of(columns.place));
    const double *own = columns.colour;
    LitheColour colour = own ? (LitheColour){own[0], own[1], own[2]} : body_colour(body);
    Vec3 half = v3_load(columns.half);
    if (strcmp(columns.kind, "half-space") == 0)
        return put_half_space(bodies, place, colour, error);
    if (strcmp(columns.kind, "sphere") == 0)
        return put_sphere(bodies, half.x, place, colour, error);
    if (strcmp(columns.kind, "capsule") == 0)
        return put_capsule(bodies, half.x, 2 * fmax(half.z - half.x, 0), place, colour, error);
    LitheTriangles t = {.context = bodies->context};
    status = lithe_shape_triangles(&columns, &t, error);
    if (status == LITHE_OK && t.triangle_count > 0)
        return put_mesh(bodies, &t, place, colour, columns.visual && columns.points, error);
    lithe_triangles_release(&t);
    return status;
}

LitheStatus lithe_picture_bodies(LitheRecording *recording, int64_t frame,
                                 LithePictureBodies *bodies, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t b = 0; status == LITHE_OK && b < recording->body_count; b++) {
        double pose[7];
        status = lithe_recording_body_pose(recording, b, frame, pose, error);
        for (int32_t k = 0; status == LITHE_OK && k < recording->bodies[b].shape_count; k++)
            if (lithe_shape_drawn(recording, b, k))
                status = add_shape(recording, b, k, place_of(pose), bodies, error);
    }
    return status;
}

void lithe_picture_bodies_release(LithePictureBodies *bodies) {
    for (int32_t i = 0; i < bodies->mesh_count; i++) {
        lithe_free(bodies->context, (double *)bodies->meshes[i].points);
        lithe_free(bodies->context, (double *)bodies->meshes[i].normals);
        lithe_free(bodies->context, (int32_t *)bodies->meshes[i].triangles);
        lithe_free(bodies->context, (double *)bodies->meshes[i].rgb);
    }
    for (int32_t i = 0; i < bodies->tube_count; i++)
        lithe_free(bodies->context, (double *)bodies->tubes[i].points);
    lithe_free(bodies->context, bodies->meshes);
    lithe_free(bodies->context, bodies->planes);
    lithe_free(bodies->context, bodies->spheres);
    lithe_free(bodies->context, bodies->tubes);
}
