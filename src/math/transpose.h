// SPDX-License-Identifier: Apache-2.0
// math/transpose.h - transpose of a 4 x 4 matrix whose rows are vectors of four doubles
//
// The including file defines TRANSPOSE_FN, the attributes of the function: it has to be compiled
// for the same processor as its callers.

#ifndef LITHE_MATH_TRANSPOSE_H
#define LITHE_MATH_TRANSPOSE_H

typedef double TransposeRow __attribute__((vector_size(32)));

TRANSPOSE_FN void transpose_4(TransposeRow v[4]) {
    TransposeRow a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
    TransposeRow b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    TransposeRow c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
    TransposeRow d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#endif
