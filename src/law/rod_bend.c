// SPDX-License-Identifier: Apache-2.0
// law/rod_bend.c - the two curvatures of one interior node: plain reference form

#include "law/rod_bend.h"

#include "law/joint_term.h"
#include "math/mat3.h"

// one set of (B3)-(B8)
static void curvature(const LitheRodEdge *e, const LitheRodEdge *f, double k, Vec3 mm,
                      const Vec3 u[2], const Vec3 w[2], LitheJointTerm *out) {
    double chi = 1 + v3_dot(e->t, f->t);
    Vec3 tt = v3_scale(1 / chi, v3_add(e->t, f->t));
    Vec3 kb = v3_scale(2 / chi, v3_cross(e->t, f->t));
    Vec3 a = v3_cross(f->t, mm), b = v3_cross(e->t, mm);
    Mat3 tttt = m3_scale(2 * k, m3_outer(tt, tt));

    out->value = k;
    lithe_term_set_g(out, v3_scale(e->inverse, v3_axpy(-k, tt, a)), -0.5 * v3_dot(w[0], kb),
                     v3_scale(f->inverse, v3_sub(v3_scale(-k, tt), b)), -0.5 * v3_dot(w[1], kb));

    // (B4), (B5)
    Mat3 ee = m3_axpy(-2, m3_sym(m3_outer(a, tt)), tttt);
    ee = m3_axpy(-k / chi, m3_sub(m3_identity(), m3_outer(e->t, e->t)), ee);
    ee = m3_axpy(0.5, m3_sym(m3_outer(kb, u[0])), ee);
    Mat3 ff = m3_axpy(2, m3_sym(m3_outer(b, tt)), tttt);
    ff = m3_axpy(-k / chi, m3_sub(m3_identity(), m3_outer(f->t, f->t)), ff);
    ff = m3_axpy(0.5, m3_sym(m3_outer(kb, u[1])), ff);

    // (B6)
    Mat3 ef = m3_add(m3_sub(tttt, m3_outer(a, tt)), m3_outer(tt, b));
    ef = m3_axpy(-k / chi, m3_add(m3_identity(), m3_outer(e->t, f->t)), ef);
    ef = m3_sub(ef, m3_cross(mm));
    lithe_term_set_H(out, m3_scale(e->inverse * e->inverse, ee),
                     m3_scale(f->inverse * f->inverse, ff), m3_scale(e->inverse * f->inverse, ef));

    // (B7), (B8)
    for (int j = 0; j < 2; j++) {
        double half = 0.5 * v3_dot(w[j], kb);
        Vec3 eg = v3_axpy(-1 / chi, v3_cross(f->t, w[j]), v3_scale(half, tt));
        Vec3 fg = v3_axpy(1 / chi, v3_cross(e->t, w[j]), v3_scale(half, tt));
        lithe_term_set_gamma(out, j, v3_scale(e->inverse, eg), v3_scale(f->inverse, fg),
                             -0.5 * v3_dot(u[j], kb));
    }
}

void lithe_rod_bend(const LitheRodEdge *e, const LitheRodEdge *f, LitheJointTerm *k1,
                    LitheJointTerm *k2) {
    double chi = 1 + v3_dot(e->t, f->t);
    Vec3 kb = v3_scale(2 / chi, v3_cross(e->t, f->t));
    Vec3 m1 = v3_add(e->m1, f->m1), m2 = v3_add(e->m2, f->m2);
    const Vec3 u1[2] = {e->m2, f->m2}, w1[2] = {e->m1, f->m1};
    const Vec3 u2[2] = {v3_neg(e->m1), v3_neg(f->m1)}, w2[2] = {e->m2, f->m2};
    curvature(e, f, 0.5 * v3_dot(m2, kb), v3_scale(1 / chi, m2), u1, w1, k1);
    curvature(e, f, -0.5 * v3_dot(m1, kb), v3_scale(-1 / chi, m1), u2, w2, k2);
}
