// SPDX-License-Identifier: Apache-2.0
// sparse/dense.h - dense symmetric factor as plain loops, for tiny systems and as the reference of
// tests

#ifndef LITHE_SPARSE_DENSE_H
#define LITHE_SPARSE_DENSE_H

#include <stdbool.h>
#include <stdint.h>

/// A = L D L' in place, without row exchanges: strict lower triangle L, diagonal D. `a` [n*n]
/// row-major, only its lower triangle is read and written. Returns -1, or the first row whose pivot
/// is zero relative to its diagonal entry (1e-14), NaN or infinite; rows from there on are then
/// undefined.
int32_t lithe_dense_factor(int32_t n, double *a);

/// As lithe_dense_factor, but also stops at a pivot that is not positive: -1 means positive
/// definite.
int32_t lithe_dense_factor_positive(int32_t n, double *a);

/// x = A\x with a factor of A.
void lithe_dense_solve(int32_t n, const double *factor, double *x);

/// Number of negative eigenvalues of A, from a factor of it.
int32_t lithe_dense_negative_count(int32_t n, const double *factor);

/// y = A x with the lower triangle of A.
void lithe_dense_multiply(int32_t n, const double *a, const double *x, double *y);

#endif
