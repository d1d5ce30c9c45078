// SPDX-License-Identifier: Apache-2.0
// record/picture_patches.c - areas of contact patches, coloured by their pressure
//
// They lie between two things, so they are marks: in front of everything else.

#include "base/memory.h"
#include "base/status.h"
#include "record/contact_read.h"
#include "record/picture_bodies.h"

#include <math.h>

enum { CORNERS = 24 };

// one ellipse: its centre and corners from `first` on, and a fan of triangles
static void put_ellipse(const LithePatchArea *area, LitheColour colour, int32_t first,
                        double *points, double *normals, double *rgb, int32_t *triangles) {
    for (int32_t k = 0; k <= CORNERS; k++) {
        double angle = 2 * M_PI * k / CORNERS, in = k == CORNERS ? 0 : 1;
        Vec3 x = v3_axpy(in * cos(angle), area->axes[0], area->centre);
        v3_store(v3_axpy(in * sin(angle), area->axes[1], x), points + 3 * k);
        v3_store(area->normal, normals + 3 * k);
        v3_store(v3(colour.r, colour.g, colour.b), rgb + 3 * k);
    }
    for (int32_t k = 0; k < CORNERS; k++) {
        triangles[3 * k] = first + CORNERS;
        triangles[3 * k + 1] = first + k;
        triangles[3 * k + 2] = first + (k + 1) % CORNERS;
    }
}

static LitheStatus put_areas(const LitheContactRead *read, double low, double high,
                             LithePictureBodies *bodies, LitheError *error) {
    LitheContext *context = bodies->context;
    int64_t count = read->area_count, numbers = 3 * count * (CORNERS + 1);
    double *points = lithe_alloc_array(context, numbers, sizeof *points);
    double *normals = lithe_alloc_array(context, numbers, sizeof *normals);
    double *rgb = lithe_alloc_array(context, numbers, sizeof *rgb);
    int32_t *triangles = lithe_alloc_array(context, 3 * count * CORNERS, sizeof *triangles);
    if (!points || !normals || !rgb || !triangles ||
        !LITHE_RESERVE(context, bodies->meshes, bodies->mesh_capacity, bodies->mesh_count + 1)) {
        lithe_free(context, points);
        lithe_free(context, normals);
        lithe_free(context, rgb);
        lithe_free(context, triangles);
        return lithe_fail_memory(error, "the patches of a picture");
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = 3 * i * (CORNERS + 1);
        double part = (read->areas[i].pressure - low) / (high - low);
        put_ellipse(&read->areas[i], lithe_picture_map(fmin(fmax(part, 0), 1)),
                    (int32_t)(i * (CORNERS + 1)), points + at, normals + at, rgb + at,
                    triangles + 3 * i * CORNERS);
    }
    bodies->meshes[bodies->mesh_count++] =
        (LithePictureMesh){.points = points,
                           .normals = normals,
                           .triangles = triangles,
                           .point_count = (int32_t)(count * (CORNERS + 1)),
                           .triangle_count = (int32_t)(count * CORNERS),
                           .rgb = rgb,
                           .finish = LITHE_PICTURE_FLAT,
                           .two_sided = true,
                           .mark = true};
    return LITHE_OK;
}

LitheStatus lithe_picture_patches(LitheRecording *recording, int64_t frame, bool own_range,
                                  double *low, double *high, LithePictureBodies *bodies,
                                  LitheError *error) {
    if (!lithe_recording_has_patches(recording))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: has no contact patches: its materials have no "
                          "contact.patches.modulus",
                          recording->path);
    LitheContactRead read = {.context = recording->context};
    LitheStatus status = lithe_contact_areas(recording, frame, &read, error);
    if (!own_range) {
        *low = *high = 0;
        for (int32_t i = 0; i < read.area_count; i++)
            *high = fmax(*high, read.areas[i].pressure);
    }
    if (status == LITHE_OK && read.area_count > 0)
        status = put_areas(&read, *low, *high > *low ? *high : *low + 1, bodies, error);
    lithe_contact_read_release(&read);
    return status;
}
