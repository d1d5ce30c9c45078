// SPDX-License-Identifier: Apache-2.0
// law/rod_frame.h - parallel transport, and one edge of a rod with its material frame
//
// The twist angle gamma of an edge is measured from the director d1 that is parallel-transported
// from the START of the step (tangent t0, director d1_0) to the present tangent t:
//     (F1)  P(t0 -> t) d = d - (t.d)/(1 + t0.t) (t0 + t),   d perpendicular to t0
// The usual derivatives of curvature and twist hold the rotation of the edge about its axis
// ("spin") fixed instead of gamma. The two differ away from t = t0 by the holonomy of the
// transport:
//     (F2)  zeta = -kb0/(2|e|),              kb0 = 2 t0 x t/(1 + t0.t)
//     (F3)  S = sym(kb0 (x) (t + tt0))/(2|e|^2),   tt0 = (t0 + t)/(1 + t0.t)
// d(spin) = d(gamma) + zeta.de, and S is the second derivative of the spin in e: with these the
// derivatives are exact at fixed gamma (docs/theory/rods.md, section 5).

#ifndef LITHE_LAW_ROD_FRAME_H
#define LITHE_LAW_ROD_FRAME_H

#include "math/vec3.h"

// a step may turn a tangent by at most acos(0.02 - 1) = 168 degrees from its start, and fold two
// edges by at most acos(1e-8 - 1): beyond, the transport (F1) is not defined, and a line search
// must cut the step
#define LITHE_TURN_LIMIT 0.02
#define LITHE_FOLD_LIMIT 1e-8

typedef struct LitheRodEdge {
    Vec3 t;         // tangent
    double length;  // |e| [m]
    double inverse; // 1/|e| [1/m]
    Vec3 d1;        // transported reference director
    Vec3 m1, m2;    // material directors
    Vec3 zeta;      // (F2) [1/m]
    Vec3 tt0;       // (t0 + t)/(1 + t0.t)
} LitheRodEdge;

/// (F1)
static inline Vec3 lithe_transport(Vec3 d, Vec3 t0, Vec3 t) {
    double c = v3_dot(t, d) / (1 + v3_dot(t0, t));
    return v3_axpy(-c, v3_add(t0, t), d);
}

/// The edge from `a` to `b` with twist angle gamma, its frame anchored at (t0, d1_0). False outside
/// the domain: no length, or turned too far.
static inline bool lithe_rod_edge(Vec3 a, Vec3 b, double gamma, Vec3 t0, Vec3 d1_0,
                                  LitheRodEdge *edge) {
    Vec3 e = v3_sub(b, a);
    edge->length = v3_norm(e);
    if (!(edge->length > 0))
        return false;
    edge->inverse = 1 / edge->length;
    edge->t = v3_scale(edge->inverse, e);
    double c0 = 1 + v3_dot(t0, edge->t);
    if (!(c0 > LITHE_TURN_LIMIT))
        return false;
    edge->tt0 = v3_scale(1 / c0, v3_add(t0, edge->t));
    edge->zeta = v3_scale(-edge->inverse / c0, v3_cross(t0, edge->t));
    edge->d1 = v3_axpy(-v3_dot(edge->t, d1_0), edge->tt0, d1_0);
    Vec3 d2 = v3_cross(edge->t, edge->d1);
    double c = cos(gamma), s = sin(gamma);
    edge->m1 = v3_axpy(s, d2, v3_scale(c, edge->d1));
    edge->m2 = v3_axpy(-s, edge->d1, v3_scale(c, d2));
    return true;
}

/// Angle of the reference frames across a node: from d1 of edge e, transported onto edge f, to d1
/// of f; in (-pi, pi].
static inline double lithe_reference_angle(const LitheRodEdge *e, const LitheRodEdge *f) {
    return v3_angle_about(lithe_transport(e->d1, e->t, f->t), f->d1, f->t);
}

#endif
