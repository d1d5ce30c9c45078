// SPDX-License-Identifier: Apache-2.0
// body/section_sums_avx2.c - sums over the mass of a section, for x86_64 with AVX2 and FMA

#if defined(__x86_64__)

#define SUMS_TARGET __attribute__((target("avx2,fma")))
#define SUMS_TABLE lithe_section_sums_avx2

#include "body/section_sums_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
