// SPDX-License-Identifier: Apache-2.0
// geom/four.h - four doubles side by side, for kernels that are compiled for several processors
//
// The including file defines FOUR_AVX2 as 1 for x86_64 with AVX2, as 0 for every processor. No
// target has FMA: both give the same bits. All that passes vectors by value is inlined: the files
// for every processor need no warning of it (-Wno-psabi in CMakeLists.txt).

#ifndef LITHE_GEOM_FOUR_H
#define LITHE_GEOM_FOUR_H

#include <stdint.h>

#if FOUR_AVX2
#include <immintrin.h>
#define FOUR_TARGET __attribute__((target("avx2")))
#else
#define FOUR_TARGET
#endif

#define FOUR_FN FOUR_TARGET __attribute__((always_inline)) static inline

#define TRANSPOSE_FN FOUR_FN
#include "math/transpose.h"

typedef double Four __attribute__((vector_size(32)));
typedef int64_t Bits __attribute__((vector_size(32)));
// with the alignment of a double in memory
typedef double LooseFour __attribute__((vector_size(32), aligned(8), may_alias));

#define FOUR(at) (*(const LooseFour *)(at))

/// Bit k of the result is that of lane k of a comparison.
FOUR_FN int32_t four_bits(Bits m) {
#if FOUR_AVX2
    return _mm256_movemask_pd((__m256d)m);
#else
    return (int32_t)((m[0] & 1) | (m[1] & 2) | (m[2] & 4) | (m[3] & 8));
#endif
}

/// Bits of the lanes that are >= 0.
FOUR_FN int32_t four_signs(Four v) {
    return four_bits((Bits)(v >= (Four){0}));
}

/// Sums of the lanes of each of four vectors.
FOUR_FN Four four_sums(const Four v[4]) {
    Four w[4] = {v[0], v[1], v[2], v[3]};
    transpose_4(w);
    return (w[0] + w[1]) + (w[2] + w[3]);
}

#endif
