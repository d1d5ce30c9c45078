// SPDX-License-Identifier: Apache-2.0
// collide/segments_avx2.c - closest points of pairs of edges, for x86_64 with AVX2

#if defined(__x86_64__)

#define SEGMENTS_TARGET __attribute__((target("avx2")))
#define SEGMENTS_NAME lithe_segments_avx2
#define WIDE 4

#include "collide/segments_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
