// SPDX-License-Identifier: Apache-2.0
// law/rod_joint.c - bending and twisting energy of one interior node: fast form
//
// (B1) to (B8) are in rod_bend.h, (T1) to (T3) in rod_twist.h.

#include "law/rod_joint.h"

// adds s (a b^T + b a^T), which is symmetric
static inline void add_sym(Mat3 *m, double s, Vec3 a, Vec3 b) {
    double xy = s * (a.x * b.y + a.y * b.x);
    double xz = s * (a.x * b.z + a.z * b.x);
    double yz = s * (a.y * b.z + a.z * b.y);
    m->m[0][0] += 2 * s * a.x * b.x;
    m->m[1][1] += 2 * s * a.y * b.y;
    m->m[2][2] += 2 * s * a.z * b.z;
    m->m[0][1] += xy;
    m->m[1][0] += xy;
    m->m[0][2] += xz;
    m->m[2][0] += xz;
    m->m[1][2] += yz;
    m->m[2][1] += yz;
}

// m += a b^T
static inline void add_outer(Mat3 *m, Vec3 a, Vec3 b) {
    m->m[0][0] += a.x * b.x;
    m->m[0][1] += a.x * b.y;
    m->m[0][2] += a.x * b.z;
    m->m[1][0] += a.y * b.x;
    m->m[1][1] += a.y * b.y;
    m->m[1][2] += a.y * b.z;
    m->m[2][0] += a.z * b.x;
    m->m[2][1] += a.z * b.y;
    m->m[2][2] += a.z * b.z;
}

// gradient of one of k1, k2, tau, already transformed by T
typedef struct Gradient {
    Vec3 e, f;
    double ge, gf;
} Gradient;

// the first sum of (J3): B g g^T, stored in its blocks
static void add_gauss_newton(LitheJoint *out, double B, const Gradient *g) {
    Vec3 Be = v3_scale(B, g->e), Bf = v3_scale(B, g->f);
    add_outer(&out->ee, Be, g->e);
    add_outer(&out->ff, Bf, g->f);
    add_outer(&out->ef, Be, g->f);
    out->ege = v3_axpy(g->ge, Be, out->ege);
    out->egf = v3_axpy(g->gf, Be, out->egf);
    out->fge = v3_axpy(g->ge, Bf, out->fge);
    out->fgf = v3_axpy(g->gf, Bf, out->fgf);
    out->gege += B * g->ge * g->ge;
    out->gegf += B * g->ge * g->gf;
    out->gfgf += B * g->gf * g->gf;
}

bool lithe_rod_joint(const LitheRodEdge *e, const LitheRodEdge *f, double tau,
                     const LitheJointSetting *setting, LitheHessianPart part, LitheJoint *out) {
    double chi = 1 + v3_dot(e->t, f->t);
    if (!(chi > LITHE_FOLD_LIMIT))
        return false;
    double ichi = 1 / chi, ie = e->inverse, jf = f->inverse;
    Vec3 tt = v3_scale(ichi, v3_add(e->t, f->t));
    Vec3 kb = v3_scale(2 * ichi, v3_cross(e->t, f->t)); // (B1)
    Vec3 m1 = v3_add(e->m1, f->m1), m2 = v3_add(e->m2, f->m2);
    double k1 = 0.5 * v3_dot(m2, kb), k2 = -0.5 * v3_dot(m1, kb); // (B2)

    // energy and the weights w_s of (J2)
    double x1 = k1 - setting->K1, x2 = k2 - setting->K2, x3 = tau - setting->T;
    double w1 = setting->B1 * x1, w2 = setting->B2 * x2, w3 = setting->C * x3;
    out->energy = 0.5 * (w1 * x1 + w2 * x2 + w3 * x3);
    out->k1 = k1;
    out->k2 = k2;

    // (B3) and (T1), transformed by T: g_e += zeta_e g_ge
    Vec3 a1 = v3_scale(ichi, v3_cross(f->t, m2)), b1 = v3_scale(ichi, v3_cross(e->t, m2));
    Vec3 a2 = v3_scale(-ichi, v3_cross(f->t, m1)), b2 = v3_scale(-ichi, v3_cross(e->t, m1));
    Gradient g1 = {v3_scale(ie, v3_axpy(-k1, tt, a1)), v3_scale(-jf, v3_axpy(k1, tt, b1)),
                   -0.5 * v3_dot(e->m1, kb), -0.5 * v3_dot(f->m1, kb)};
    Gradient g2 = {v3_scale(ie, v3_axpy(-k2, tt, a2)), v3_scale(-jf, v3_axpy(k2, tt, b2)),
                   -0.5 * v3_dot(e->m2, kb), -0.5 * v3_dot(f->m2, kb)};
    Gradient g3 = {v3_axpy(0.5 * ie, kb, v3_neg(e->zeta)), v3_axpy(0.5 * jf, kb, f->zeta), -1, 1};
    g1.e = v3_axpy(g1.ge, e->zeta, g1.e);
    g1.f = v3_axpy(g1.gf, f->zeta, g1.f);
    g2.e = v3_axpy(g2.ge, e->zeta, g2.e);
    g2.f = v3_axpy(g2.gf, f->zeta, g2.f);

    // (J2)
    out->ge = v3_axpy(w1, g1.e, v3_axpy(w2, g2.e, v3_scale(w3, g3.e)));
    out->gf = v3_axpy(w1, g1.f, v3_axpy(w2, g2.f, v3_scale(w3, g3.f)));
    out->gge = w1 * g1.ge + w2 * g2.ge - w3;
    out->ggf = w1 * g1.gf + w2 * g2.gf + w3;
    if (part == LITHE_HESSIAN_NONE)
        return true;

    if (part == LITHE_HESSIAN_FULL) {
        // the second sum of (J3) in one set of formulas
        double K = w1 * k1 + w2 * k2;
        Vec3 MM = v3_scale(ichi, v3_axpy(w1, m2, v3_scale(-w2, m1)));
        Vec3 a = v3_axpy(w1, a1, v3_scale(w2, a2)), b = v3_axpy(w1, b1, v3_scale(w2, b2));
        Vec3 Ue = v3_axpy(w1, e->m2, v3_scale(-w2, e->m1));
        Vec3 Uf = v3_axpy(w1, f->m2, v3_scale(-w2, f->m1));
        Vec3 We = v3_axpy(w1, e->m1, v3_scale(w2, e->m2));
        Vec3 Wf = v3_axpy(w1, f->m1, v3_scale(w2, f->m2));
        double Kc = K * ichi, iie = ie * ie, jjf = jf * jf, iejf = ie * jf;

        // mixed rows (B7) and twist entries (B8): hat derivatives, T is applied below
        double he = 0.5 * v3_dot(We, kb), hf = 0.5 * v3_dot(Wf, kb);
        out->ege = v3_scale(ie, v3_axpy(-ichi, v3_cross(f->t, We), v3_scale(he, tt)));
        out->egf = v3_scale(ie, v3_axpy(-ichi, v3_cross(f->t, Wf), v3_scale(hf, tt)));
        out->fge = v3_scale(jf, v3_axpy(ichi, v3_cross(e->t, We), v3_scale(he, tt)));
        out->fgf = v3_scale(jf, v3_axpy(ichi, v3_cross(e->t, Wf), v3_scale(hf, tt)));
        out->gege = -0.5 * v3_dot(Ue, kb);
        out->gegf = 0;
        out->gfgf = -0.5 * v3_dot(Uf, kb);

        // (B4) + (T2), with T: + zeta(x)h + h(x)zeta + h_gg zeta(x)zeta
        out->ee = m3_diag(-Kc * iie, -Kc * iie, -Kc * iie);
        add_outer(&out->ee, v3_scale(Kc * iie, e->t), e->t);
        add_sym(&out->ee, iie, tt, v3_axpy(K, tt, v3_neg(a)));
        add_sym(&out->ee, 0.25 * iie, kb, v3_axpy(-w3, v3_add(e->t, tt), Ue));
        add_sym(&out->ee, 1, e->zeta, v3_axpy(0.5 * out->gege, e->zeta, out->ege));

        // (B5) + (T2)
        out->ff = m3_diag(-Kc * jjf, -Kc * jjf, -Kc * jjf);
        add_outer(&out->ff, v3_scale(Kc * jjf, f->t), f->t);
        add_sym(&out->ff, jjf, tt, v3_axpy(K, tt, b));
        add_sym(&out->ff, 0.25 * jjf, kb, v3_axpy(-w3, v3_add(f->t, tt), Uf));
        add_sym(&out->ff, 1, f->zeta, v3_axpy(0.5 * out->gfgf, f->zeta, out->fgf));

        // (B6) + (T3): the skew part is w3 t/chi - MM
        Vec3 skew = v3_scale(iejf, v3_axpy(w3 * ichi, e->t, v3_neg(MM)));
        double d = -Kc * iejf;
        out->ef = (Mat3){{{d, -skew.z, skew.y}, {skew.z, d, -skew.x}, {-skew.y, skew.x, d}}};
        add_outer(&out->ef, v3_scale(d, e->t), f->t);
        Vec3 left = v3_sub(v3_axpy(2 * K, tt, v3_scale(-0.5 * w3, kb)), a);
        add_outer(&out->ef, v3_scale(iejf, left), tt);
        add_outer(&out->ef, v3_scale(iejf, tt), b);
        add_outer(&out->ef, e->zeta, out->fge);
        add_outer(&out->ef, out->egf, f->zeta);

        // apply T to the mixed rows, after the last use of their hat derivatives
        out->ege = v3_axpy(out->gege, e->zeta, out->ege);
        out->fgf = v3_axpy(out->gfgf, f->zeta, out->fgf);
    } else {
        out->ee = out->ff = out->ef = m3_zero();
        out->ege = out->egf = out->fge = out->fgf = v3(0, 0, 0);
        out->gege = out->gegf = out->gfgf = 0;
    }
    add_gauss_newton(out, setting->B1, &g1);
    add_gauss_newton(out, setting->B2, &g2);
    add_gauss_newton(out, setting->C, &g3);
    return true;
}
