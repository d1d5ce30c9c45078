// SPDX-License-Identifier: Apache-2.0
// data/site.h - a material point of a unit: where contacts, constraints and attached bodies act

#ifndef LITHE_DATA_SITE_H
#define LITHE_DATA_SITE_H

#include "math/vec3.h"

#include <stdint.h>

typedef struct LitheSite {
    int32_t unit;    // -1: the world
    int32_t element; // of the unit: edge of a rod, link of a tree, particle
    double s[2];     // place on the element: along an edge, 0 to 1; else 0. s[1], on a rod: 1
                     // if its frame is that of this edge, 0 if it is shared near a node
    Vec3 point;      // in the world at the start of the step [m]; may lie off the centreline
} LitheSite;

#endif
