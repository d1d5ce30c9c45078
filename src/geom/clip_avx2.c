// SPDX-License-Identifier: Apache-2.0
// geom/clip_avx2.c - polygons of a contact patch, for x86_64 with AVX2

#if defined(__x86_64__)

#define FOUR_AVX2 1
#define CLIP_NAME(name) lithe_clip_avx2_##name

#include "geom/clip_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
