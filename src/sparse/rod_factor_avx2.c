// SPDX-License-Identifier: Apache-2.0
// sparse/rod_factor_avx2.c - the rod factor on 32-byte vectors, for x86_64 with AVX2 and FMA

#include "sparse/rod_factor.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define ROD_TARGET __attribute__((target("avx2,fma")))
#define ROD_FN ROD_TARGET __attribute__((always_inline)) static inline

typedef __m256d Quad;

ROD_FN Quad quad_zero(void) {
    return _mm256_setzero_pd();
}

ROD_FN Quad quad_load(const double *a) {
    return _mm256_loadu_pd(a);
}

// lane 3 is set to zero
ROD_FN Quad quad_load3(const double *a) {
    return _mm256_blend_pd(_mm256_loadu_pd(a), _mm256_setzero_pd(), 8);
}

ROD_FN void quad_store(Quad a, double *out) {
    _mm256_storeu_pd(out, a);
}

ROD_FN Quad quad_set(double s) {
    return _mm256_set1_pd(s);
}

ROD_FN Quad quad_add(Quad a, Quad b) {
    return _mm256_add_pd(a, b);
}

ROD_FN Quad quad_scale(Quad a, Quad b) {
    return _mm256_mul_pd(a, b);
}

#define quad_less(a, b, s, k) _mm256_fnmadd_pd(b, _mm256_permute4x64_pd(s, 0x55 * (k)), a)

ROD_FN double quad_lane(Quad a, int k) {
    return a[k];
}

// A'x + B'y of two 4x4 blocks, column-major
ROD_FN Quad quad_transpose_apply(const double *a, Quad x, const double *b, Quad y) {
    Quad s[4];
    for (int k = 0; k < 4; k++)
        s[k] = _mm256_fmadd_pd(quad_load(a + 4 * k), x, quad_load(b + 4 * k) * y);
    Quad s01 = _mm256_hadd_pd(s[0], s[1]), s23 = _mm256_hadd_pd(s[2], s[3]);
    return _mm256_permute2f128_pd(s01, s23, 0x20) + _mm256_permute2f128_pd(s01, s23, 0x31);
}

#include "sparse/rod_factor_kernel.h"

const LitheRodKernel lithe_rod_kernel_avx2 = {"avx2", kernel_factor, kernel_solve};

#else

typedef int rod_factor_avx2_is_empty; // ISO C does not allow an empty file

#endif
