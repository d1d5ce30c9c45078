// SPDX-License-Identifier: Apache-2.0
// law/rod_twist.c - twist of one interior node: plain reference form

#include "law/rod_twist.h"

#include "law/joint_term.h"

void lithe_rod_twist_term(const LitheRodEdge *e, const LitheRodEdge *f, double tau,
                          LitheJointTerm *out) {
    double chi = 1 + v3_dot(e->t, f->t);
    Vec3 tt = v3_scale(1 / chi, v3_add(e->t, f->t));
    Vec3 kb = v3_scale(2 / chi, v3_cross(e->t, f->t));
    double ie = e->inverse, jf = f->inverse;

    out->value = tau;
    lithe_term_set_g(out, v3_scale(0.5 * ie, kb), -1, v3_scale(0.5 * jf, kb), 1); // (T1)
    Mat3 ee = m3_scale(-0.5 * ie * ie, m3_sym(m3_outer(kb, v3_add(e->t, tt))));   // (T2)
    Mat3 ff = m3_scale(-0.5 * jf * jf, m3_sym(m3_outer(kb, v3_add(f->t, tt))));
    Mat3 ef =
        m3_axpy(-0.5 * ie * jf, m3_outer(kb, tt), m3_scale(ie * jf / chi, m3_cross(e->t))); // (T3)
    lithe_term_set_H(out, ee, ff, ef);
}
