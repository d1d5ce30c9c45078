// SPDX-License-Identifier: Apache-2.0
// law/imc_distance.h - a smooth distance of two segments, with exact gradient and Hessian
//
// Segments x0 x1 and x2 x3; a = x1 - x0, b = x3 - x2, r = x2 - x0. In the dot products
//     (I1)  D1 = a.a,  D2 = b.b,  R = a.b,  S1 = a.r,  S2 = b.r
// and with a clamp and a boxcar of sharpness k that have derivatives of all orders,
//     (I2)  H(x) = [log(1 + exp(k x)) - log(1 + exp(k (x - 1)))]/k,   B(x) = H'(x)
// the places t on the first and u on the second segment are
//     (I3)  t1 = (S1 D2 - S2 R + eps D1 D2/2)/(D1 D2 - R^2 + eps D1 D2),   t2 = H(t1)
//     (I4)  u1 = (t2 R - S2)/D2,   u = H(u1)
//     (I5)  t = [1 - B(u1)] H((u R + S1)/D1) + B(u1) t2
//     (I6)  distance = |d|,   d = t a - u b - r
// After Choi et al. 2021, with two changes: eps > 0 makes (I3) smooth where segments are parallel,
// and (I5) keeps t within the segment. See docs/theory/imc.md.

#ifndef LITHE_LAW_IMC_DISTANCE_H
#define LITHE_LAW_IMC_DISTANCE_H

#include "math/vec3.h"

typedef struct LitheSmoothSetting {
    double k;   // sharpness of (I2), > 0
    double eps; // of (I3), >= 0; sine squared of the angle below which segments count as parallel
} LitheSmoothSetting;

typedef struct LitheSmoothDistance {
    double distance;     // (I6) [m]; never less than the exact distance of the segments
    double t, u;         // (I5), (I4)
    Vec3 d;              // from the place on the second to that on the first segment [m]
    double gradient[12]; // of the distance, in x0, x1, x2, x3
    double hessian[144]; // [1/m]; only if requested
} LitheSmoothDistance;

/// False, with `out` undefined, where there is no derivative: a segment of zero length, centrelines
/// that meet, or parallel segments with eps = 0.
bool lithe_imc_distance(const double x[12], const LitheSmoothSetting *setting, bool want_hessian,
                        LitheSmoothDistance *out);

/// 1/(1 + exp(-y)), without overflow.
static inline double lithe_logistic(double y) {
    double e = exp(-fabs(y));
    return y < 0 ? e / (1 + e) : 1 / (1 + e);
}

/// log(1 + exp(y)), without overflow.
static inline double lithe_softplus(double y) {
    return fmax(y, 0) + log1p(exp(-fabs(y)));
}

#endif
