// SPDX-License-Identifier: Apache-2.0
// tests/record/still.h - a small picture with everything that can be drawn

#ifndef LITHE_TEST_STILL_H
#define LITHE_TEST_STILL_H

#include "record/picture.h"

#include <math.h>

/// A small picture with some of everything.
typedef struct Still {
    double points[30], mesh_points[9], scalar[10];
    int32_t triangle[3];
    LithePictureTube tube;
    LithePictureSphere sphere;
    LithePictureArrow arrow;
    LithePictureMesh mesh;
    LithePictureLabel label;
    LithePicture picture;
} Still;

static inline void still_life(Still *s, bool ground) {
    *s = (Still){.mesh_points = {-1, 1, 0, 1, 1, 0, 0, 1, 1}, .triangle = {0, 1, 2}};
    for (int i = 0; i < 10; i++) {
        s->points[3 * i] = 0.2 * i - 1;
        s->points[3 * i + 1] = 0.3 * sin(i);
        s->points[3 * i + 2] = 0.3 * cos(i);
        s->scalar[i] = i == 3 ? NAN : i;
    }
    s->tube = (LithePictureTube){.points = s->points,
                                 .point_count = 10,
                                 .half_width = 0.1,
                                 .scalar = s->scalar,
                                 .scalar_high = 9,
                                 .stripe = 0.8,
                                 .finish = LITHE_PICTURE_ROPE};
    s->sphere = (LithePictureSphere){.centre = {0, -0.8, 0}, .radius = 0.3, .colour = {0, 0, 1}};
    s->arrow = (LithePictureArrow){.to = {0, 0, 1}, .radius = 0.03, .colour = {1, 0, 0}};
    s->mesh = (LithePictureMesh){.points = s->mesh_points,
                                 .point_count = 3,
                                 .triangles = s->triangle,
                                 .triangle_count = 1,
                                 .colour = {1, 0, 0}};
    s->label = (LithePictureLabel){.text = "F = 1.5 <N> & more", .at = {0, 0, 1}};
    s->picture = lithe_picture_default();
    s->picture.width = 96;
    s->picture.height = 60;
    s->picture.ground = ground;
    s->picture.tubes = &s->tube;
    s->picture.spheres = &s->sphere;
    s->picture.arrows = &s->arrow;
    s->picture.meshes = &s->mesh;
    s->picture.labels = &s->label;
    s->picture.tube_count = s->picture.sphere_count = s->picture.arrow_count = 1;
    s->picture.mesh_count = s->picture.label_count = 1;
}

#endif
