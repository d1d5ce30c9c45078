// SPDX-License-Identifier: Apache-2.0
// record/picture_bodies.h - the shapes of recorded bodies as parts of a picture

#ifndef LITHE_RECORD_PICTURE_BODIES_H
#define LITHE_RECORD_PICTURE_BODIES_H

#include "record/picture.h"
#include "record/recording.h"

/// Parts of a picture, in the world. Zero to begin with, but for the context.
typedef struct LithePictureBodies {
    LitheContext *context;
    LithePictureMesh *meshes; // each owns its arrays
    LithePictureSphere *spheres;
    LithePictureTube *tubes; // capsules; each owns its points
    int32_t mesh_count, sphere_count, tube_count;
    int32_t mesh_capacity, sphere_capacity, tube_capacity;
    bool has_ground; // a half-space that faces up
    double ground;   // height of the highest one, m
} LithePictureBodies;

/// All shapes of all bodies where they stand at a frame. Half-spaces that do not lie level, and
/// shapes of kinds unknown here, are left out. Release either way.
LitheStatus lithe_picture_bodies(LitheRecording *recording, int64_t frame,
                                 LithePictureBodies *bodies, LitheError *error);
void lithe_picture_bodies_release(LithePictureBodies *bodies);

#endif
