// SPDX-License-Identifier: Apache-2.0
// plan/tape_kernel_avx512.c - the sweeps over a tape, for x86_64 with AVX-512

#if defined(__x86_64__)

#define TAPE_WIDTH 8
#define TAPE_TARGET __attribute__((target("avx512f,avx512vl")))
#define TAPE_TABLE lithe_tape_kernels_avx512

#include "plan/tape_kernel.h"

#else
typedef int LitheNoAvx512; // a translation unit must not be empty
#endif
