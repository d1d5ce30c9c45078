// SPDX-License-Identifier: Apache-2.0
// solve/loop_kernel_avx2.c - inner loops of the convex solve, for x86_64 with AVX2 and FMA

#if defined(__x86_64__)

#include <immintrin.h>

#define LOOP_TARGET __attribute__((target("avx2,fma")))
#define LOOP_MORE(sum, a, b) __builtin_fma(a, b, sum)
#define LOOP_FMA(sum, a, b) _mm256_fmadd_pd(a, b, sum)
#define LOOP_KERNEL lithe_loop_kernel_avx2

#define PLAIN_TARGET __attribute__((target("avx2")))
#include "solve/plain_kernel.h"

#include "solve/loop_kernel.h"

#else
typedef int LitheNoAvx2; // a file must not be empty
#endif
