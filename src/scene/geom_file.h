// SPDX-License-Identifier: Apache-2.0
// scene/geom_file.h - replaces the mesh file of a shape by its points and triangles

#ifndef LITHE_SCENE_GEOM_FILE_H
#define LITHE_SCENE_GEOM_FILE_H

#include "lithe/rigid.h"

/// `out` is `geom` with the points (and triangles, of a triangle mesh) of its file, scaled, in
/// place of path and scale; free with lithe_geom_file_free. A scale that mirrors reverses the
/// triangles, so that they stay counter-clockwise from outside.
LitheStatus lithe_geom_file_read(LitheContext *context, const LitheGeomDef *geom, LitheGeomDef *out,
                                 LitheError *error);

/// Frees the points and triangles that were read, and nothing else of `geom`.
void lithe_geom_file_free(LitheContext *context, LitheGeomDef *geom);

#endif
