// SPDX-License-Identifier: Apache-2.0
// geom/fit_avx2.c - sums of fits, for x86_64 with AVX2

#if defined(__x86_64__)

#define FOUR_AVX2 1
#define FIT_TABLE lithe_fit_avx2

#include "geom/fit_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
