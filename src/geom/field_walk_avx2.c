// SPDX-License-Identifier: Apache-2.0
// geom/field_walk_avx2.c - elements of a field near one of another, for x86_64 with AVX2

#if defined(__x86_64__)

#define FOUR_AVX2 1
#define WALK_NAME lithe_field_walk_avx2

#include "geom/field_walk_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
