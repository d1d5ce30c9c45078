// SPDX-License-Identifier: Apache-2.0
// record/picture_bodies.h - recorded bodies, surfaces and balls as parts of a picture

#ifndef LITHE_RECORD_PICTURE_BODIES_H
#define LITHE_RECORD_PICTURE_BODIES_H

#include "record/picture.h"
#include "record/recording.h"

/// The surface of a half-space.
typedef struct LithePicturePlane {
    LitheVec3 at, normal; // outward
    bool level;           // horizontal
    LitheColour colour;
} LithePicturePlane;

/// The colour of a thing, or of its points by their values.
typedef struct LithePictureInk {
    LitheColour colour;
    const double *scalar; // [points] instead of `colour`, by lithe_picture_map, or NULL
    double low, high;     // shown as the first and the last colour
} LithePictureInk;

/// Parts of a picture, in the world. Initialise to zero, except the context.
typedef struct LithePictureBodies {
    LitheContext *context;
    LithePictureMesh *meshes; // each owns its arrays
    LithePictureSphere *spheres;
    LithePictureTube *tubes;   // capsules; each owns its points
    LithePicturePlane *planes; // half-spaces
    int32_t mesh_count, sphere_count, tube_count, plane_count;
    int32_t mesh_capacity, sphere_capacity, tube_capacity, plane_capacity;
    bool has_ground; // a half-space that faces up
    double ground;   // height of the highest one, m
} LithePictureBodies;

/// Adds the shapes of all bodies in their poses at a frame: of a body with visual shapes only
/// those. Half-spaces are added as planes; shapes
/// of unknown kinds are omitted. Call lithe_picture_bodies_release even after failure.
LitheStatus lithe_picture_bodies(LitheRecording *recording, int64_t frame,
                                 LithePictureBodies *bodies, LitheError *error);

/// Adds a surface, or a set of balls, with points [point_count][3].
LitheStatus lithe_picture_put_surface(LithePictureBodies *bodies,
                                      const LitheRecordingSurface *surface, const double *points,
                                      const LithePictureInk *ink, LitheError *error);
LitheStatus lithe_picture_put_balls(LithePictureBodies *bodies, const LitheRecordingBalls *balls,
                                    const double *points, const LithePictureInk *ink,
                                    LitheError *error);

/// Adds the areas of contact patches as ellipses in front of everything, coloured by their pressure
/// from *low to *high [Pa]; without `own_range` from 0 to the largest one, which are stored there.
/// LITHE_BAD_INPUT for a recording without patches.
LitheStatus lithe_picture_patches(LitheRecording *recording, int64_t frame, bool own_range,
                                  double *low, double *high, LithePictureBodies *bodies,
                                  LitheError *error);

/// Adds plates for half-spaces that are not horizontal. A plate is as wide as the bodies and
/// `tubes`, and ends where it enters another half-space. Plates seen from behind are omitted, since
/// they would hide everything (`to_eye` points to the eye), and so are distant plates, since
/// everything else would be drawn small.
LitheStatus lithe_picture_plates(LithePictureBodies *bodies, const LithePictureTube *tubes,
                                 int32_t tube_count, LitheVec3 to_eye, LitheError *error);
void lithe_picture_bodies_release(LithePictureBodies *bodies);

#endif
