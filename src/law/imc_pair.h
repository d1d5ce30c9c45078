// SPDX-License-Identifier: Apache-2.0
// law/imc_pair.h - repulsion of two edges of rods, and friction between them
//
// With l the distance at which the surfaces touch (the sum of two radii), h = l/2 and x the smooth
// distance of law/imc_distance.h, the contact energy and the force along the normal are
//     (I9)   E = f h log(1 + exp(c (2 - x/h)))/c,   F = -dE/dx = f/(1 + exp(-c (2 - x/h)))
// f is the largest force of a pair [N], c a sharpness. There are two friction laws.
//
// `glide`, after Choi et al. 2021: with G the force on the first edge, F = |G|, n = G/F, v the
// velocity of the midpoint of the first edge relative to that of the second at the start of the
// step,
//     (I10)  vT = v - (v.n) n,   gamma = 1/(1 + exp(-k (|vT|/h - g)))
//     (I11)  friction on the first edge = -mu gamma F vT/|vT|, half of it on each end
//
// `stick`: a potential of the sliding velocity s of the two surfaces where they touch,
//     (I12)  s = (I - n n') J w,   J w: relative velocity of the surfaces at their common point
//     (I13)  U = mu F y (y/e - y^2/(3 e^2)) for y = |s| < e,   mu F (y - e/3) beyond
// which acts as a stiff damper below the speed e and slides at the bound mu F above it.

#ifndef LITHE_LAW_IMC_PAIR_H
#define LITHE_LAW_IMC_PAIR_H

#include "law/imc_distance.h"
#include "math/mat3.h"

#include <stdint.h>

typedef struct LitheImcSetting {
    LitheSmoothSetting smooth;
    double sharpness; // c of (I9), > 0
} LitheImcSetting;

/// Derivatives in the ends x0, x1, x2, x3.
typedef struct LitheImcPair {
    double distance, t, u; // of law/imc_distance.h
    Vec3 d;                // of law/imc_distance.h
    double energy;         // (I9) [J]
    double force;          // (I9) [N]
    double gradient[12];   // of the energy [N]
    double hessian[144];   // [N/m]; only if requested
} LitheImcPair;

/// (I9) with the largest force `max`; `touch` is l. False where lithe_imc_distance is false.
bool lithe_imc_pair(const double x[12], double touch, double max, const LitheImcSetting *setting,
                    bool want_hessian, LitheImcPair *out);

/// Makes the Hessian positive semidefinite; returns the number of eigenvalues changed.
int32_t lithe_imc_project(LitheImcPair *pair);

typedef struct LitheGlideSetting {
    double mu;
    double k; // sharpness of (I10) [s]
    double g; // speed over h at which friction starts [1/s]
} LitheGlideSetting;

/// (I11): friction [12] of a pair whose ends had the velocities v [12], from the gradient of its
/// energy. With the Hessian [144] (else NULL) also `jacobian` [144], the derivative of the friction
/// with respect to the ends (row i belongs to force i). The Jacobian is not symmetric.
void lithe_imc_glide(const double gradient[12], const double *hessian, double touch,
                     const double v[12], const LitheGlideSetting *setting, double force[12],
                     double *jacobian);

/// J of (I12): velocity of the first surface relative to the second at their common point. Columns,
/// four per node: x0 and the twist of the first edge; x1 and an unused one; x2 and the twist of the
/// second edge; x3 and an unused one. `fraction` is the radius of the first edge over l. Without
/// `surface`: velocity of the places on the centrelines instead.
void lithe_imc_surface(const double x[12], double t, double u, double fraction, bool surface,
                       double J[3][16]);

/// (I13) with `bound` mu F: potential [W]; its gradient [N] and, unless NULL, its Hessian [N s/m],
/// which is positive semidefinite.
double lithe_imc_stick(Vec3 slip, double bound, double e, Vec3 *gradient, Mat3 *hessian);

// Newton's method linearises (I13) at the present slip, which is valid only within a few e. With
// the direction z of friction as a separate unknown, eta(y) z = s, the linear equations stay valid
// from sliding to sticking (Chan, Golub and Mulet 1999):
//     (I17)  eta = y/f,   f = the force over its bound: 2 y/e - y^2/e^2 for y < e, 1 beyond
//     (I18)  slope = mu F/eta [I - eta' sym(z s'/y)]
//     (I19)  z <- (s + ds)/eta - eta'/eta (s.ds/y) z, shortened to length 1 if it is longer

/// (I18): equal to the Hessian where z is the force over its bound; positive semidefinite for
/// |z| <= 1.
Mat3 lithe_imc_stick_slope(Vec3 slip, Vec3 z, double bound, double e);

/// (I19) for the change ds of the slip.
Vec3 lithe_imc_stick_aim(Vec3 slip, Vec3 ds, Vec3 z, double e);

#endif
