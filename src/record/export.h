// SPDX-License-Identifier: Apache-2.0
// record/export.h - recordings in the formats of other programs

#ifndef LITHE_RECORD_EXPORT_H
#define LITHE_RECORD_EXPORT_H

#include "record/picture.h"
#include "record/recording.h"

/// Writes a table for spreadsheets: one row per frame, numbers with all digits. `names` are those
/// of record/series.h. The default without names: drives, constraints, energies, report, the pose
/// of each body, both ends, tension and curvature of each rod, and contact forces on bodies and
/// rods.
LitheStatus lithe_export_csv(LitheRecording *recording, const char *path, const char *const *names,
                             int32_t name_count, LitheError *error);

/// Writes quantities along rods at moments: for each name ("rope.tension", see record/along.h) and
/// time a column of distances along the rod and the columns of its values, with the time of the
/// frame in their names. Columns of edges are shorter than those of nodes: their last cells are
/// empty.
LitheStatus lithe_export_csv_along(LitheRecording *recording, const char *path,
                                   const char *const *names, int32_t name_count,
                                   const double *times, int32_t time_count, LitheError *error);

/// Writes files for ParaView: PATH (.pvd) and one .vtp per frame in a folder next to it
/// ("knot_frames" for "knot.pvd"). Rods are poly lines; every recorded quantity is point data
/// (edges are averaged to nodes), and so is `radius`, for the tube filter. The folder is complete
/// before PATH is created.
LitheStatus lithe_export_vtk(LitheRecording *recording, const char *path, LitheError *error);

/// A place that a picture shows by a dot in front of everything, or by an arrow from there.
typedef struct LithePictureMark {
    LitheVec3 at;        // m
    LitheVec3 direction; // unit; 0: a dot
    LitheColour colour;
} LithePictureMark;

typedef struct LithePictureOptions {
    int32_t width, height; // pixels
    bool dark;
    bool quick;         // six to nine times faster, with coarser shadows
    bool patches;       // areas of contact patches, coloured by pressure
    bool forces;        // arrows for the forces of contacts and constraints, and their scale
    bool own_view;      // view from azimuth and elevation instead of the default view
    double azimuth;     // rad, of the eye about +z from +x
    double elevation;   // rad, above the horizon
    const char *colour; // "tension", "curvature", "speed", ...; NULL: one colour per rod
    bool own_range;     // colours range from low to high instead of the values of the frame
    double low, high;
    bool own_camera; // `camera` instead of the automatic one
    LithePictureCamera camera;
    double ground;                 // m, height of a floor where the scene has none; NAN: no floor
    const LithePictureMark *marks; // [mark_count] or NULL
    int32_t mark_count;
    LithePool *pool; // may be NULL
} LithePictureOptions;

/// Defaults: 1600 x 1000 pixels, light theme, default view, one colour per rod.
LithePictureOptions lithe_picture_options_default(void);

/// Writes one frame as a picture, .png or .svg by the extension of PATH. LITHE_BAD_INPUT for a
/// frame or a quantity that the recording does not have.
LitheStatus lithe_export_picture(LitheRecording *recording, int64_t frame, const char *path,
                                 const LithePictureOptions *options, LitheError *error);

/// The values of what `colour` names, over `count` frames from `first` on, and their unit (at most
/// 31 bytes). LITHE_BAD_INPUT for a quantity that the recording does not have.
LitheStatus lithe_export_range(LitheRecording *recording, const char *colour, int64_t first,
                               int64_t count, double *low, double *high, char unit[32],
                               LitheError *error);

/// Draws one frame to pixels; free them with lithe_image_free.
LitheStatus lithe_export_image(LitheRecording *recording, int64_t frame,
                               const LithePictureOptions *options, LitheImage *image,
                               LitheError *error);

#endif
