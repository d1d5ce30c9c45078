// SPDX-License-Identifier: Apache-2.0
// record/export_vtu.h - the tetrahedra of a solid as an unstructured grid of VTK

#ifndef LITHE_RECORD_EXPORT_VTU_H
#define LITHE_RECORD_EXPORT_VTU_H

#include "record/drawable.h"

/// The constant FOLDER/NAME/elements [element][4 or 10] of a surface with tetrahedra behind it;
/// NULL: there are none, or the numbers are not nodes.
const LitheColumn *lithe_vtu_elements(const LitheRecording *recording, const LitheDrawable *of);

/// Writes one frame: nodes and tetrahedra, quantities of nodes as point data, those of elements
/// (stress and strain, if they were recorded) as cell data.
LitheStatus lithe_vtu_write(LitheRecording *recording, const LitheDrawable *of, int64_t frame,
                            const char *path, LitheError *error);

/// Writes the areas of contact patches of a frame as polygons (.vtp) with pressure, area, force on
/// b, normal, and the numbers of both things in contacts/things as cell data.
LitheStatus lithe_vtk_write_patches(LitheRecording *recording, int64_t frame, const char *path,
                                    LitheError *error);

#endif
