// SPDX-License-Identifier: Apache-2.0
// view/gltf.h - a recording as an animated glTF 2.0 scene in one binary file (.glb)

#ifndef LITHE_VIEW_GLTF_H
#define LITHE_VIEW_GLTF_H

#include "view/reader.h"

/// Rods are tubes and surfaces are meshes on skeletons with a joint at each point, balls are nodes
/// with one sphere, bodies are nodes with the triangles of their shapes (half-spaces are infinite
/// and omitted). All are animated with one key per frame. z, which is up here, is rotated to y.
LitheStatus lithe_export_glb(LitheRecording *recording, const char *path, LitheError *error);

#endif
