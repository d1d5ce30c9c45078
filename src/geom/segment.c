// SPDX-License-Identifier: Apache-2.0
// geom/segment.c - closest points of two segments
//
// The squared distance is a convex quadratic of (s, t) on the unit square, so its minimum is either
// the common perpendicular, when that falls inside, or lies on an edge of the square, where an end
// point of one segment is projected on the other: five candidates, of which the minimum is taken.
// The common perpendicular is the minimum, without a look at the others, where these are longer by
// more than rounding: moving s to an end of its range adds (2') to the square of the distance.
// No divisor vanishes for parallel or degenerate segments:
//   n = a x b, r = b0 - a0                          (1)
//   s = (r x b).n / n.n,  t = (r x a).n / n.n       (2)
//   n.n/b.b min(s, 1 - s)^2                         (2')
// The textbook determinant (a.a)(b.b) - (a.b)^2 equals n.n but loses all its digits at an angle of
// 1e-8 rad, where the cross product still has eight.

#include "geom/segment.h"

static double clamp01(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/// Parameter in [0, 1] of the point of p0 + x d nearest to q.
static double project(Vec3 q, Vec3 p0, Vec3 d) {
    double dd = v3_dot(d, d);
    return dd > 0 ? clamp01(v3_dot(v3_sub(q, p0), d) / dd) : 0;
}

// (2') over the square of a distance: far above rounding
#define LONGER 1e-9

LitheSegmentPair lithe_segment_closest(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1) {
    Vec3 a = v3_sub(a1, a0), b = v3_sub(b1, b0), r = v3_sub(b0, a0);
    double candidate[5][2];
    int count = 4;

    // the inside: the common perpendicular
    Vec3 n = v3_cross(a, b); // (1)
    double nn = v3_dot(n, n);
    if (nn > 0) {
        double s = v3_dot(v3_cross(r, b), n) / nn; // (2)
        double t = v3_dot(v3_cross(r, a), n) / nn;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            // rounding of (2) along nearly parallel segments is removed by one projection
            candidate[count][0] = s;
            candidate[count++][1] = t = project(v3_axpy(s, a, a0), b0, b);
            Vec3 d = v3_sub(v3_axpy(s, a, a0), v3_axpy(t, b, b0));
            double from_s = s < 0.5 ? s : 1 - s, from_t = t < 0.5 ? t : 1 - t;
            double aa = v3_dot(a, a), bb = v3_dot(b, b), dd = v3_dot(d, d);
            // (2'); nearly parallel ones have longer ends only by rounding
            if (nn * from_s * from_s > LONGER * bb * (dd + aa) &&
                nn * from_t * from_t > LONGER * aa * (dd + bb))
                return (LitheSegmentPair){sqrt(dd), s, t};
        }
    }

    // the edges of the square: each end point against the other segment
    candidate[0][0] = 0;
    candidate[0][1] = project(a0, b0, b);
    candidate[1][0] = 1;
    candidate[1][1] = project(a1, b0, b);
    candidate[2][0] = project(b0, a0, a);
    candidate[2][1] = 0;
    candidate[3][0] = project(b1, a0, a);
    candidate[3][1] = 1;

    LitheSegmentPair best = {INFINITY, 0, 0};
    for (int i = count - 1; i >= 0; i--) {
        double s = candidate[i][0], t = candidate[i][1];
        // a parameter of 1 gives exactly the end point
        Vec3 p = s == 1 ? a1 : v3_axpy(s, a, a0);
        Vec3 q = t == 1 ? b1 : v3_axpy(t, b, b0);
        double distance = v3_distance(p, q);
        if (distance < best.distance)
            best = (LitheSegmentPair){distance, s, t};
    }
    return best;
}
