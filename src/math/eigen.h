// SPDX-License-Identifier: Apache-2.0
// math/eigen.h - eigenvalues of small dense symmetric matrices; projection to the nearest
// positive semidefinite one

#ifndef LITHE_MATH_EIGEN_H
#define LITHE_MATH_EIGEN_H

#include <stdbool.h>
#include <stdint.h>

enum { LITHE_EIGEN_MAX = 64 }; // largest n

/// Doubles of workspace of the two functions below.
#define LITHE_EIGEN_WORK(n) (n)
#define LITHE_PROJECT_WORK(n) ((n) * (n) + 2 * (n))

/// A = sum of values[k] v_k v_k'. `a` [n*n] the whole symmetric matrix, overwritten by the unit
/// eigenvectors: row k is v_k; `values` [n] ascending; `work` [LITHE_EIGEN_WORK(n)]. False when A
/// holds a NaN or an infinity (then A is untouched) or the iteration does not converge (no such
/// matrix is known).
bool lithe_eigen_symmetric(int32_t n, double *a, double *values, double *work);

/// Replaces A by the nearest positive semidefinite matrix (Frobenius norm): negative eigenvalues
/// become zero. Returns their number: 0 leaves A untouched, bit for bit; -1: A holds a NaN or an
/// infinity and is untouched. Eigenvalues above -n*1e-15 times the largest entry are rounding
/// errors and do not count as negative. `a` [n*n] the whole symmetric matrix; `work`
/// [LITHE_PROJECT_WORK(n)].
int32_t lithe_project_psd(int32_t n, double *a, double *work);

#endif
