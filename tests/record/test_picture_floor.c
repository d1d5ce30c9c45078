// SPDX-License-Identifier: Apache-2.0
// tests/record/test_picture_floor.c - what the floor of a picture hides

#include <math.h>

#include "record/picture.h"

#include "test.h"

// Seen from above at 45 degrees: the upper half of the first ball is above the floor, the second
// one is below it.
LONG_TEST(the_floor_of_a_scene_hides_what_is_below_it) {
    LitheContext *context = lithe_context_create(NULL);
    LithePicture picture = lithe_picture_default();
    picture.width = 160, picture.height = 100;
    picture.own_background = true;
    picture.background = (LitheColour){1, 1, 1};
    picture.camera_auto = false;
    picture.camera.target = (LitheVec3){0, 0, 0};
    LithePictureSphere balls[] = {
        {.centre = {-2, 0, 0}, .radius = 1, .colour = {1, 0, 0}, .finish = LITHE_PICTURE_FLAT},
        {.centre = {2, 0, -1.2}, .radius = 1, .colour = {1, 0, 0}, .finish = LITHE_PICTURE_FLAT}};
    picture.spheres = balls;
    picture.sphere_count = 2;
    picture.camera.eye = (LitheVec3){0, -10, 10};
    picture.grid = false;
    picture.ground_auto = false;
    LitheError error = {0};
    double reds[2][2] = {{0}};
    for (int floor = 0; floor < 2; floor++) {
        LitheImage image;
        picture.ground = floor;
        FATAL(lithe_picture_render(context, &picture, NULL, &image, &error) == LITHE_OK);
        for (int32_t i = 0; i < image.width * image.height; i++) {
            const uint8_t *rgb = image.rgba + 4 * i;
            reds[floor][i % image.width >= image.width / 2] += rgb[0] > 2 * rgb[1] + 20;
        }
        lithe_image_free(context, &image);
    }
    printf("  %g and %g pixels without a floor, %g and %g with one\n", reds[0][0], reds[0][1],
           reds[1][0], reds[1][1]);
    CHECK(reds[0][0] > 100 && reds[0][1] > 100 && reds[1][1] == 0);
    // of the disc, the half above its diameter and the half ellipse, sin 45 high, that the floor
    // cuts
    CHECK_NEAR(reds[1][0] / reds[0][0], 0.5 * (1 + sqrt(0.5)), 0.03);
    // without a height the floor is below everything
    LitheImage image;
    picture.ground_auto = true;
    FATAL(lithe_picture_render(context, &picture, NULL, &image, &error) == LITHE_OK);
    double seen = 0;
    for (int32_t i = 0; i < image.width * image.height; i++)
        seen += image.rgba[4 * i] > 2 * image.rgba[4 * i + 1] + 20;
    CHECK_NEAR(seen / (reds[0][0] + reds[0][1]), 1, 0.05);
    lithe_image_free(context, &image);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
