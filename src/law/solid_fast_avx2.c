// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_avx2.c - many tetrahedra on vectors of four, for x86_64 with AVX2
//
// Without FMA, so that the results are those of the portable form, bit by bit.

#if defined(__x86_64__)

#define LANES 4
#define FAST_TARGET __attribute__((target("avx2,no-fma")))
#define FAST_FN FAST_TARGET __attribute__((always_inline)) static inline
#define FAST_NAME lithe_tets_avx2
#define FAST_ROTATIONS lithe_tets_rotations_avx2

typedef double Lanes __attribute__((vector_size(32)));

#include "law/solid_fast_kernel.h"

#else
typedef int LitheNoSolidAvx2; // a translation unit must not be empty
#endif
