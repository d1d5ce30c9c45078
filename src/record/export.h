// SPDX-License-Identifier: Apache-2.0
// record/export.h - recordings in the formats of other programs

#ifndef LITHE_RECORD_EXPORT_H
#define LITHE_RECORD_EXPORT_H

#include "record/recording.h"

/// A table for spreadsheets: one row a frame, numbers to the last digit. `names` are those of
/// record/series.h; none: drives, energies, report, and of each rod both ends, tension and
/// curvature.
LitheStatus lithe_export_csv(LitheRecording *recording, const char *path, const char *const *names,
                             int32_t name_count, LitheError *error);

/// For ParaView: PATH (.pvd) and one .vtp a frame in a folder beside it ("knot.pvd":
/// "knot_frames"). Rods are poly lines; every recorded quantity is point data (those of edges
/// averaged to nodes), and `radius` for the tube filter. The folder is complete before PATH
/// appears.
LitheStatus lithe_export_vtk(LitheRecording *recording, const char *path, LitheError *error);

#endif
