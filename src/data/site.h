// SPDX-License-Identifier: Apache-2.0
// data/site.h - a material point of a unit: where contacts, constraints and attached bodies act

#ifndef LITHE_DATA_SITE_H
#define LITHE_DATA_SITE_H

#include "math/vec3.h"

#include <stdint.h>

/// What the element of a site is.
typedef enum LitheSiteKind {
    LITHE_SITE_ELEMENT, // edge of a rod, link of a tree, particle, node of a solid
    LITHE_SITE_PLACE,   // a stored place in a solid
    LITHE_SITE_FACE,    // triangle of the surface of a solid
    LITHE_SITE_MIDDLE,  // of a face of six nodes; the element is the first of its triangles
    LITHE_SITE_TET,     // tetrahedron of the pressure field of a solid
} LitheSiteKind;

/// Elements have smaller numbers.
enum { LITHE_SITE_ELEMENTS = 1 << 28 };

typedef struct LitheSite {
    int32_t unit; // -1: the world
    LitheSiteKind kind : 3;
    int32_t element : 29; // of the unit
    double s[3]; // place on the element: s[0]: along an edge, 0 to 1; else 0. On a rod s[1] = 1:
                 // rotation of this edge only; 0: near a node the mean of two edges. On a triangle
                 // the weights of corners 1 and 2; in a tetrahedron of 1, 2, 3
    Vec3 point;  // in the world at the start of the step [m]; may lie off the centreline
} LitheSite;

_Static_assert(sizeof(LitheSite) == 56, "sites are stored for each contact");

/// Zeros: the torques of rows that have none.
extern const Vec3 lithe_no_rows[6];

#endif
