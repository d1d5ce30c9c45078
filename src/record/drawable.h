// SPDX-License-Identifier: Apache-2.0
// record/drawable.h - everything of a recording that is drawn through points, as one list
//
// Tubes first, then surfaces, then sets of balls: the order in which pictures colour them, files
// for other programs list their points, and the viewer's frames hold them.

#ifndef LITHE_RECORD_DRAWABLE_H
#define LITHE_RECORD_DRAWABLE_H

#include "record/recording.h"

typedef struct LitheDrawable {
    LitheDrawn drawn;
    int32_t index; // in `tubes`, `surfaces` or `balls` of the recording
    const char *folder, *name;
    int32_t point_count;
    int32_t edge_count; // 0 where there are no directors
} LitheDrawable;

int32_t lithe_drawable_count(const LitheRecording *recording);

/// Number `i` from 0 to lithe_drawable_count - 1.
LitheDrawable lithe_drawable(const LitheRecording *recording, int32_t i);

/// Radius at a point, m: of a tube the largest of its section; 0 on a surface.
double lithe_drawable_radius(const LitheRecording *recording, const LitheDrawable *drawable,
                             int32_t point);

/// Numbers a point of the quantity `name` per frame, 1 to 3; 0: it has none.
int32_t lithe_drawable_width(const LitheRecording *recording, const LitheDrawable *drawable,
                             const char *name);

/// Values at a frame: out [point_count][width]; NaN where the quantity has another width. What a
/// tube has on edges is brought to its nodes.
LitheStatus lithe_drawable_read(LitheRecording *recording, const LitheDrawable *drawable,
                                const char *name, int32_t width, int64_t frame, double *out,
                                LitheError *error);

/// One number a point: vectors by their length. Where `speed` is not recorded it is the length of
/// `velocity`. `found` is left alone when there is no such quantity, and so is `out`.
LitheStatus lithe_drawable_scalars(LitheRecording *recording, const LitheDrawable *drawable,
                                   const char *name, int64_t frame, double *out, bool *found,
                                   LitheError *error);

/// Normals of the points of a surface, out [point_count][3]: the mean, by area, of the triangles
/// around each. (0, 0, 1) on a point of none.
void lithe_surface_normals(const double *points, int32_t point_count, const int32_t *triangles,
                           int32_t triangle_count, double *out);

#endif
