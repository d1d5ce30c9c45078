// SPDX-License-Identifier: Apache-2.0
// record/shape_triangles.h - the surface of a recorded shape as triangles with normals

#ifndef LITHE_RECORD_SHAPE_TRIANGLES_H
#define LITHE_RECORD_SHAPE_TRIANGLES_H

#include "record/recording.h"

/// In the frame of the shape; corners are counter-clockwise as seen from outside. Initialise to
/// zero, except the context.
typedef struct LitheTriangles {
    LitheContext *context;
    double *points, *normals; // [3*point_count]
    int32_t *corners;         // [3*triangle_count]
    int32_t point_count, triangle_count;
    int32_t point_capacity, normal_capacity, corner_capacity; // in numbers
} LitheTriangles;

/// A recorded shape with checked columns: all numbers are finite and valid.
typedef struct LitheShapeColumns {
    const char *kind;      // as in scene files
    const double *place;   // [7] in the frame of its body
    double half[3];        // half its size along its axes; 0 for a half-space
    const double *outline; // [outline_count][2] z and radius, or NULL
    int64_t outline_count;
    const LitheColumn *points, *triangles; // or NULL
    const double *colour;                  // [3] sRGB, or NULL
    bool visual;                           // only drawn
} LitheShapeColumns;

/// Whether pictures show the shape: of a body with visual shapes only those, and half-spaces.
bool lithe_shape_drawn(const LitheRecording *recording, int32_t body, int32_t shape);

/// LITHE_BAD_INPUT, with file, body and shape, when the recording is damaged.
LitheStatus lithe_shape_columns(const LitheRecording *recording, int32_t body, int32_t shape,
                                LitheShapeColumns *out, LitheError *error);

/// Adds the surface of a shape; nothing for half-spaces and unknown kinds. On failure the triangles
/// are incomplete. Release in any case.
LitheStatus lithe_shape_triangles(const LitheShapeColumns *shape, LitheTriangles *out,
                                  LitheError *error);
void lithe_triangles_release(LitheTriangles *triangles);

#endif
