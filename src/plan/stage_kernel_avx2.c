// SPDX-License-Identifier: Apache-2.0
// plan/stage_kernel_avx2.c - factors of the blocks of stages, for x86_64 with AVX2

#if defined(__x86_64__)

#define STAGE_WIDTH 4
#define STAGE_TARGET __attribute__((target("avx2")))
#define STAGE_TABLE lithe_stage_kernels_avx2
#define REDUCED_TABLE lithe_reduced_kernels_avx2

#include "plan/reduced_kernel.h"
#include "plan/stage_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
