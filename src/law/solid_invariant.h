// SPDX-License-Identifier: Apache-2.0
// law/solid_invariant.h - isotropic laws as functions of I1, I2 and J: stress, Hessian, projection
//
// With C = F'F, s the singular values of F (the last one with the sign of det F):
//     (H7)  I1 = tr C = |F|^2,  I2 = ((tr C)^2 - tr C^2)/2,  J = det F
//     (H8)  P = W1 g1 + W2 g2 + WJ g3,  g1 = 2 F,  g2 = 2 (I1 F - F C),  g3 = cof F
//     (H9)  dP/dF = sum Wab ga gb' + W1 H1 + W2 H2 + WJ H3
//           H1 = 2 [ik][jl],  H3 = e_ikm e_jln F_mn,
//           H2 = 2 (2 F_ij F_kl + I1 [ik][jl] - [ik] C_jl - F_il F_kj - (F F')_ik [jl])
//           for the entry (ij),(kl), [ik] = 1 where i = k else 0, e the permutation symbol
//     (H10) eigenvalues of dP/dF, for every pair i < j with the third k:
//           twist  U (ei ej' - ej ei') V'/sqrt 2:  2 W1 + 2 W2 (I1 - si^2 + si sj - sj^2) + WJ sk
//           flip   U (ei ej' + ej ei') V'/sqrt 2:  2 W1 + 2 W2 (I1 - si^2 - si sj - sj^2) - WJ sk
//           and those of the 3x3 matrix d2W/ds ds, whose eigenvectors a give U diag(a) V'.
// After Smith, de Goes and Kim, Analytic eigensystems for isotropic distortion energies, 2019. The
// divided differences of that paper are written out, so that equal stretches need no branch.

#ifndef LITHE_LAW_SOLID_INVARIANT_H
#define LITHE_LAW_SOLID_INVARIANT_H

#include "law/solid.h"

LitheInvariants lithe_solid_invariants(const Mat3 *F);

/// (H8), (H9), (H10); P and hessian may be NULL.
void lithe_solid_from_invariants(const Mat3 *F, const LitheInvariants *v,
                                 const LitheInvariantSlopes *w, Mat3 *P, double *hessian,
                                 bool project);

/// `evaluate` of a law that has `slopes`, plus pressure J, which is not part of the result.
double lithe_solid_evaluate_invariants(const LitheSolidLaw *law, const LitheSolidMaterial *m,
                                       const Mat3 *F, double pressure, Mat3 *P, double *hessian,
                                       bool project);

Mat3 lithe_solid_cofactor(const Mat3 *F);

/// (1 + u)^p - 1 - p u and u - ln(1 + u) with full relative precision; u > -1.
double lithe_power_remainder(double p, double u);
double lithe_log_remainder(double u);

#endif
