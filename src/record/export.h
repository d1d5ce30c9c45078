// SPDX-License-Identifier: Apache-2.0
// record/export.h - recordings in the formats of other programs

#ifndef LITHE_RECORD_EXPORT_H
#define LITHE_RECORD_EXPORT_H

#include "record/picture.h"
#include "record/recording.h"

/// A table for spreadsheets: one row a frame, numbers to the last digit. `names` are those of
/// record/series.h; none: drives, constraints, energies, report, of each body its pose, of
/// each rod both ends, tension and curvature, and the force of contacts on each.
LitheStatus lithe_export_csv(LitheRecording *recording, const char *path, const char *const *names,
                             int32_t name_count, LitheError *error);

/// For ParaView: PATH (.pvd) and one .vtp a frame in a folder beside it ("knot.pvd":
/// "knot_frames"). Rods are poly lines; every recorded quantity is point data (those of edges
/// averaged to nodes), and `radius` for the tube filter. The folder is complete before PATH
/// appears.
LitheStatus lithe_export_vtk(LitheRecording *recording, const char *path, LitheError *error);

typedef struct LithePictureOptions {
    int32_t width, height; // pixels
    bool dark;
    bool forces;        // arrows for the forces of contacts and constraints, and their scale
    bool own_view;      // look from azimuth and elevation in place of the usual view
    double azimuth;     // rad, of the eye about +z from +x
    double elevation;   // rad, above the horizon
    const char *colour; // "tension", "curvature", "speed", ...: by that quantity; NULL: by rod
    bool own_range;     // colours run from low to high in place of the values of the frame
    double low, high;
    bool own_camera;           // `camera` and `ground` in place of those that suit the frame
    LithePictureCamera camera; //
    double ground;             // m, where the floor lies unless a half-space says so
    LithePool *pool;           // may be NULL
} LithePictureOptions;

/// 1600 x 1000, light, the usual view, a colour for each rod.
LithePictureOptions lithe_picture_options_default(void);

/// One frame as a still; .png or .svg as PATH ends. LITHE_BAD_INPUT for a frame or a quantity that
/// the recording does not have.
LitheStatus lithe_export_picture(LitheRecording *recording, int64_t frame, const char *path,
                                 const LithePictureOptions *options, LitheError *error);

/// The same as pixels; give them back with lithe_image_free.
LitheStatus lithe_export_image(LitheRecording *recording, int64_t frame,
                               const LithePictureOptions *options, LitheImage *image,
                               LitheError *error);

#endif
