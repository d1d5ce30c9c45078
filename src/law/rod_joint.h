// SPDX-License-Identifier: Apache-2.0
// law/rod_joint.h - bending and twisting energy of one interior node, with derivatives at fixed
// gamma: fast form
//
//     (J1)  E = [B1 (k1 - K1)^2 + B2 (k2 - K2)^2 + C (tau - T)^2]/(2 l)
// With w_s = B_s (s - S)/l the hat derivatives are sums over s = k1, k2, tau:
//     (J2)  ghat = sum w_s ghat_s
//     (J3)  Hhat = sum (B_s/l) ghat_s ghat_s^T + w_s Hhat_s
// The second sum is linear in (k, mm, u, w) of rod_bend.h, so it needs one set of formulas with
// K = w1 k1 + w2 k2, MM = w1 mm2 - w2 mm1, U^j = w1 m2^j - w2 m1^j, W^j = w1 m1^j + w2 m2^j.
// The correction of rod_frame.h turns hat derivatives into derivatives at fixed gamma:
//     (J4)  g = T^T ghat,  H = T^T Hhat T + ghat_gamma S,  T: d(spin_j) = d(gamma_j) + zeta_j.dj
// The caller adds the term with S, for which it sums ghat_gamma over both joints of an edge.

#ifndef LITHE_LAW_ROD_JOINT_H
#define LITHE_LAW_ROD_JOINT_H

#include "law/rod_frame.h"
#include "math/mat3.h"

/// Stiffness and natural state of a node.
typedef struct LitheJointSetting {
    double B1, B2, C; // EI1/l, EI2/l, GJ/l [N m]
    double K1, K2, T; // natural curvatures (2 tan of half angles) and twist [1, 1, rad]
} LitheJointSetting;

/// Derivatives in (e, gamma_e, f, gamma_f).
typedef struct LitheJoint {
    double energy;           // (J1) [J]
    double k1, k2;           // (B2)
    Vec3 ge, gf;             // (J4) [N]
    double gge, ggf;         // [N m]; equal to the hat derivatives
    Mat3 ee, ff, ef;         // (J4) without S; ee and ff symmetric [N/m]
    Vec3 ege, egf, fge, fgf; // mixed e or f with gamma_e or gamma_f [N]
    double gege, gegf, gfgf; // [N m]
} LitheJoint;

/// How much of the Hessian: none, only the first sum of (J3) (always positive semidefinite: the
/// damping matrix uses it), or all of it.
typedef enum LitheHessianPart {
    LITHE_HESSIAN_NONE,
    LITHE_HESSIAN_GAUSS_NEWTON,
    LITHE_HESSIAN_FULL,
} LitheHessianPart;

/// False, with `out` undefined, when the edges fold back on each other.
bool lithe_rod_joint(const LitheRodEdge *e, const LitheRodEdge *f, double tau,
                     const LitheJointSetting *setting, LitheHessianPart part, LitheJoint *out);

/// (F3): S of an edge.
static inline Mat3 lithe_edge_S(const LitheRodEdge *edge) {
    return m3_scale(-edge->inverse, m3_sym(m3_outer(edge->zeta, v3_add(edge->t, edge->tt0))));
}

#endif
