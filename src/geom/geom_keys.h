// SPDX-License-Identifier: Apache-2.0
// geom/geom_keys.h - names of the kinds of shapes in scene files, recordings and reports

#ifndef LITHE_GEOM_GEOM_KEYS_H
#define LITHE_GEOM_GEOM_KEYS_H

#include "lithe/rigid.h"

enum { LITHE_GEOM_KINDS = LITHE_GEOM_ELLIPTIC_CYLINDER + 1 };

extern const char *const lithe_geom_keys[LITHE_GEOM_KINDS];

#endif
