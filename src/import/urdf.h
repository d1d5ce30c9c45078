// SPDX-License-Identifier: Apache-2.0
// import/urdf.h - what the parts of the URDF reader share

#ifndef LITHE_IMPORT_URDF_H
#define LITHE_IMPORT_URDF_H

#include "import/import.h"

/// The <origin> in `node`: roll, pitch and yaw are rotations about the fixed x, then y, then z.
LitheStatus lithe_urdf_origin(LitheImport *import, const LitheXmlNode *node, LitheFrame *frame);

/// Adds the <collision> and <visual> shapes of a link, whose frame in the body `host` is `frame`.
LitheStatus lithe_urdf_shapes(LitheImport *import, const LitheXmlNode *link, const char *name,
                              int32_t host, LitheFrame frame);

#endif
