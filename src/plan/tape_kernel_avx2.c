// SPDX-License-Identifier: Apache-2.0
// plan/tape_kernel_avx2.c - the sweeps over a tape, for x86_64 with AVX2

#if defined(__x86_64__)

#define TAPE_WIDTH 4
#define TAPE_TARGET __attribute__((target("avx2")))
#define TAPE_TABLE lithe_tape_kernels_avx2

#include "plan/tape_kernel.h"

#else
typedef int LitheNoAvx2; // a translation unit must not be empty
#endif
