// SPDX-License-Identifier: Apache-2.0
// body/rod_sums_avx2.c - sums over the DoFs of a rod, for x86_64 with AVX2 and FMA

#if defined(__x86_64__)

#define SUMS_TARGET __attribute__((target("avx2,fma")))
#define SUMS_TABLE lithe_rod_sums_avx2

#include "body/rod_sums_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
