// SPDX-License-Identifier: Apache-2.0
// law/imc_fast_avx2.c - many pairs of edges on vectors of four, for x86_64 with AVX2 and FMA

#if defined(__x86_64__)

#define LANES 4
#define FAST_TARGET __attribute__((target("avx2,fma")))
#define FAST_FN FAST_TARGET __attribute__((always_inline)) static inline
#define FAST_KERNEL lithe_imc_kernel_avx2
#define FAST_TEXT "avx2"

typedef double Lanes __attribute__((vector_size(32)));

#include "law/imc_fast_kernel.h"

#else
typedef int LitheNoImcAvx2; // a translation unit must not be empty
#endif
