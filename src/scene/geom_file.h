// SPDX-License-Identifier: Apache-2.0
// scene/geom_file.h - a shape whose mesh lies in a file, with the mesh in place of the file

#ifndef LITHE_SCENE_GEOM_FILE_H
#define LITHE_SCENE_GEOM_FILE_H

#include "lithe/rigid.h"

/// `out` is `geom` with the points (and triangles, of a triangle mesh) of its file, scaled, in
/// place of path and scale; free with lithe_geom_file_free. A scale that mirrors turns the
/// triangles over, so that they still are counter-clockwise from outside.
LitheStatus lithe_geom_file_read(LitheContext *context, const LitheGeomDef *geom, LitheGeomDef *out,
                                 LitheError *error);

/// Frees the points and triangles that were read; nothing else of `geom`.
void lithe_geom_file_free(LitheContext *context, LitheGeomDef *geom);

#endif
