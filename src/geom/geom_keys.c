// SPDX-License-Identifier: Apache-2.0
// geom/geom_keys.c - names of the kinds of shapes in scene files, recordings and reports

#include "geom/geom_keys.h"

const char *const lithe_geom_keys[LITHE_GEOM_KINDS] = {
    [LITHE_GEOM_HALF_SPACE] = "half-space",
    [LITHE_GEOM_SPHERE] = "sphere",
    [LITHE_GEOM_CAPSULE] = "capsule",
    [LITHE_GEOM_CYLINDER] = "cylinder",
    [LITHE_GEOM_BOX] = "box",
    [LITHE_GEOM_ELLIPSOID] = "ellipsoid",
    [LITHE_GEOM_CONVEX_MESH] = "convex",
    [LITHE_GEOM_TRIANGLE_MESH] = "mesh",
    [LITHE_GEOM_HEIGHTFIELD] = "heightfield",
    [LITHE_GEOM_REVOLUTION] = "revolution",
    [LITHE_GEOM_TUBE] = "tube",
    [LITHE_GEOM_TORUS] = "torus",
    [LITHE_GEOM_PLATE] = "plate",
    [LITHE_GEOM_ELLIPTIC_CYLINDER] = "elliptic-cylinder",
};
