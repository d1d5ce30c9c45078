// SPDX-License-Identifier: Apache-2.0
// geom/field_walk_portable.c - elements of a field near one of another, for every processor

#define FOUR_AVX2 0
#define WALK_NAME lithe_field_walk_portable

#include "geom/field_walk_kernel.h"
