// SPDX-License-Identifier: Apache-2.0
// plan/stage_factor.h - symmetric indefinite block-tridiagonal matrices of problems with stages
//
//     [ A_0  B_1'          ]
//     [ B_1  A_1  B_2'     ]      A_k [size*size], B_k [size*links]: only `links` columns of stage
//     [      B_2  A_2  ... ]      k - 1 couple to stage k, the same ones in every stage
//
// The factor is S_k = A_k - B_k (S_{k-1}^-1) B_k', each S_k = P' L D L' P with pivots of one and
// two rows chosen by Bunch and Kaufman. By Sylvester's law the negative pivots count the negative
// eigenvalues of the whole.

#ifndef LITHE_PLAN_STAGE_FACTOR_H
#define LITHE_PLAN_STAGE_FACTOR_H

#include "base/meter.h"
#include "lithe/base.h"

typedef struct LitheStageMatrix {
    LitheContext *context;
    int32_t stages, size, links;
    int32_t *link;    // [links]: rows of stage k - 1 that couple to stage k
    double *diagonal; // [stages*size*size]: A_k, row-major, the lower triangle counts
    double *coupling; // [stages*size*links]: B_k; that of stage 0 is not used

    const struct LitheStageKernels *kernels;
    double *factor;    // [stages*size*size]: L below the diagonal, D on it and beside it
    int32_t *order;    // [stages*size]: row of S_k in place i
    int8_t *pivot;     // [stages*size]: 1 or 2 rows; 0: second row of a pair
    double *work;      // [size*(2*links + 2) + links]
    double *inverse;   // [links*links]
    LitheMeter *meter; // or NULL
} LitheStageMatrix;

/// Takes memory for all; false when out of memory (release it nevertheless).
bool lithe_stage_matrix_begin(LitheStageMatrix *matrix, LitheContext *context, int32_t stages,
                              int32_t size, int32_t links, const int32_t *link);
void lithe_stage_matrix_end(LitheStageMatrix *matrix);

/// Bytes of the arrays of a matrix.
double lithe_stage_matrix_bytes(int32_t stages, int32_t size, int32_t links);

/// Returns the number of negative eigenvalues, or -1 when the matrix is singular to rounding or not
/// finite, or the meter gives up.
int32_t lithe_stage_factor(LitheStageMatrix *matrix);

/// x = A^-1 x, [stages*size].
void lithe_stage_solve(LitheStageMatrix *matrix, double *x);

/// y = A x.
void lithe_stage_multiply(const LitheStageMatrix *matrix, const double *x, double *y);

/// Factor and solution on vectors; all widths give the same bits.
typedef struct LitheStageKernels {
    int32_t (*factor)(LitheStageMatrix *matrix);
    void (*solve)(LitheStageMatrix *matrix, double *x);
} LitheStageKernels;

extern const LitheStageKernels lithe_stage_kernels_portable;
#if defined(__x86_64__)
extern const LitheStageKernels lithe_stage_kernels_avx2;
#endif

#endif
