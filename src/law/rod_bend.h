// SPDX-License-Identifier: Apache-2.0
// law/rod_bend.h - the two curvatures of one interior node: plain reference form
//
// e enters the node, f leaves it; t, t' their tangents; chi = 1 + t.t'; tt = (t + t')/chi;
//     (B1)  kb = 2 t x t'/chi
//     (B2)  k1 = (m2e + m2f).kb/2,   k2 = -(m1e + m1f).kb/2
// k1 is bending towards m1. Derivatives are taken at fixed rotation of the edges about their axes
// ("hat"): see rod_frame.h. Both curvatures share one set of formulas with (k, mm, ue, uf, we, wf)
// = (k1, mm2, m2e, m2f, m1e, m1f) or (k2, -mm1, -m1e, -m1f, m2e, m2f), mm_i = (m_i^e + m_i^f)/chi,
// a = t' x mm, b = t x mm:
//     (B3)  g_e = (-k tt + a)/|e|,  g_f = (-k tt - b)/|f|,  g_ge = -we.kb/2,  g_gf = -wf.kb/2
//     (B4)  H_ee = [2k tt(x)tt - 2 sym(a(x)tt) - (k/chi)(I - t(x)t) + sym(kb(x)ue)/2]/|e|^2
//     (B5)  H_ff = [2k tt(x)tt + 2 sym(b(x)tt) - (k/chi)(I - t'(x)t') + sym(kb(x)uf)/2]/|f|^2
//     (B6)  H_ef = [2k tt(x)tt - a(x)tt + tt(x)b - (k/chi)(I + t(x)t') - [mm]x]/(|e||f|)
//     (B7)  H_e,gj = [(wj.kb/2) tt - (t' x wj)/chi]/|e|
//           H_f,gj = [(wj.kb/2) tt + (t x wj)/chi]/|f|
//     (B8)  H_gj,gj = -uj.kb/2,  H_ge,gf = 0
// The fast form that the simulator uses is rod_joint.h.

#ifndef LITHE_LAW_ROD_BEND_H
#define LITHE_LAW_ROD_BEND_H

#include "law/rod_frame.h"

/// Value, gradient and Hessian of a function of (e, gamma_e, f, gamma_f), row-major.
typedef struct LitheJointTerm {
    double value;
    double g[8];
    double H[8][8];
} LitheJointTerm;

/// (B1)-(B8). The edges must not fold back on each other: 1 + t.t' > LITHE_FOLD_LIMIT.
void lithe_rod_bend(const LitheRodEdge *e, const LitheRodEdge *f, LitheJointTerm *k1,
                    LitheJointTerm *k2);

#endif
