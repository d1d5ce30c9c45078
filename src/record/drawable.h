// SPDX-License-Identifier: Apache-2.0
// record/drawable.h - all objects of a recording that are drawn from points, as one list
//
// Tubes come first, then surfaces, then sets of balls. This is the order of colours in pictures, of
// points in exported files and of the viewer's frames.

#ifndef LITHE_RECORD_DRAWABLE_H
#define LITHE_RECORD_DRAWABLE_H

#include "record/recording.h"

typedef struct LitheDrawable {
    LitheDrawn drawn;          // tube, surface or balls
    int32_t index;             // in `tubes`, `surfaces` or `balls` of the recording, from 0
    const char *folder, *name; // its group in the recording is FOLDER/NAME
    int32_t point_count;       // nodes of a tube, points of a surface, balls of a set
    int32_t edge_count;        // of a tube, else 0
} LitheDrawable;

int32_t lithe_drawable_count(const LitheRecording *recording);

/// The drawable with the index i, from 0 to lithe_drawable_count - 1.
LitheDrawable lithe_drawable(const LitheRecording *recording, int32_t i);

/// Radius at a point [m]: of a tube the largest radius of its section, of a set of balls that of
/// ball `point`; 0 on a surface.
double lithe_drawable_radius(const LitheRecording *recording, const LitheDrawable *drawable,
                             int32_t point);

/// Components per point of the quantity `name`, 1 to 3; 0: the recording has no such quantity at
/// these points.
int32_t lithe_drawable_width(const LitheRecording *recording, const LitheDrawable *drawable,
                             const char *name);

/// Values at a frame, out [point_count][width]; all are NaN if the quantity has another width or
/// does not exist. Values on edges of a tube are averaged to its nodes.
LitheStatus lithe_drawable_read(LitheRecording *recording, const LitheDrawable *drawable,
                                const char *name, int32_t width, int64_t frame, double *out,
                                LitheError *error);

/// One number per point, out [point_count]: of vectors their length. If `speed` is not recorded,
/// the length of `velocity` is taken for it; `displacement` is the distance from the position at
/// the first frame. Sets `found` to true; if there is no such quantity, `found` and `out` are
/// unchanged.
LitheStatus lithe_drawable_scalars(LitheRecording *recording, const LitheDrawable *drawable,
                                   const char *name, int64_t frame, double *out, bool *found,
                                   LitheError *error);

/// Unit normals at the points of a surface, out [point_count][3]: the area-weighted mean over the
/// triangles around each point; (0, 0, 1) at a point without triangles.
void lithe_surface_normals(const double *points, int32_t point_count, const int32_t *triangles,
                           int32_t triangle_count, double *out);

/// Vertices of a surface whose sharp edges stay sharp: the triangles around a point form groups
/// with normals within 0.6 rad of the first one's, and each group has a vertex of its own.
typedef struct LitheSurfaceSplit {
    int32_t vertex_count;
    int32_t *points;    // [vertex_count] the point of each vertex
    int32_t *triangles; // [triangle_count][3] vertices
} LitheSurfaceSplit;

/// False when out of memory; then nothing is left to free.
bool lithe_surface_split(LitheContext *context, const double *points, int32_t point_count,
                         const int32_t *triangles, int32_t triangle_count, LitheSurfaceSplit *out);

void lithe_surface_split_free(LitheContext *context, LitheSurfaceSplit *split);

#endif
