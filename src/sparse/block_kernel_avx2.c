// SPDX-License-Identifier: Apache-2.0
// sparse/block_kernel_avx2.c - the block factor on 32-byte vectors, for x86_64 with AVX2 and FMA

#include "sparse/block_parts.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define BLOCK_TARGET __attribute__((target("avx2,fma")))
#define BLOCK_FN BLOCK_TARGET __attribute__((always_inline)) static inline

typedef __m256d Quad;

BLOCK_FN Quad quad_zero(void) {
    return _mm256_setzero_pd();
}

BLOCK_FN Quad quad_load(const double *a) {
    return _mm256_loadu_pd(a);
}

BLOCK_FN void quad_store(Quad a, double *out) {
    _mm256_storeu_pd(out, a);
}

// three numbers; the last lane is zero, and is not stored
BLOCK_FN Quad quad_load_3(const double *a) {
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_load_sd(a + 2), 1);
}

BLOCK_FN void quad_store_3(Quad a, double *out) {
    _mm_storeu_pd(out, _mm256_castpd256_pd128(a));
    _mm_store_sd(out + 2, _mm256_extractf128_pd(a, 1));
}

BLOCK_FN Quad quad_set(double s) {
    return _mm256_set1_pd(s);
}

BLOCK_FN Quad quad_scale(Quad a, Quad b) {
    return _mm256_mul_pd(a, b);
}

BLOCK_FN Quad quad_less(Quad a, Quad b, Quad c) {
    return _mm256_fnmadd_pd(b, c, a);
}

BLOCK_FN Quad quad_more(Quad a, Quad b, Quad c) {
    return _mm256_fmadd_pd(b, c, a);
}

BLOCK_FN Quad quad_and(Quad a, Quad b) {
    return _mm256_and_pd(a, b);
}

BLOCK_FN Quad quad_sums(Quad a, Quad b, Quad c, Quad d) {
    Quad ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    return _mm256_permute2f128_pd(ab, cd, 0x20) + _mm256_permute2f128_pd(ab, cd, 0x31);
}

#include "sparse/block_kernel.h"
#include "sparse/block_kernel_matrix.h"
#include "sparse/block_kernel_solve.h"
#include "sparse/front_kernel.h"

const LitheBlockKernel lithe_block_kernel_avx2 = {.name = "avx2",
                                                  .columns = kernel_columns,
                                                  .down = kernel_down,
                                                  .join = kernel_join,
                                                  .up = kernel_up,
                                                  .multiply = kernel_multiply,
                                                  .multiply_rows = kernel_multiply_rows,
                                                  .term = kernel_term,
                                                  .front = &front_kernel};

#else

typedef int block_kernel_avx2_is_empty; // ISO C does not allow an empty file

#endif
