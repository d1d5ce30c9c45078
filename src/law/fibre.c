// SPDX-License-Identifier: Apache-2.0
// law/fibre.c - a fibre in a solid: energy of its stretch

#include "law/fibre.h"

#include <math.h>

double lithe_fibre_energy(double k, bool slack, Vec3 y, LitheFibrePart part, Vec3 *slope,
                          Mat3 *hessian) {
    double s = v3_norm(y), strain = s - 1, inverse = 1 / fmax(s, LITHE_FIBRE_LEAST);
    bool carries = !(slack && strain < 0);
    Vec3 n = v3_scale(inverse, y);
    if (slope)
        *slope = v3_scale(carries ? k * strain : 0, n); // (S81)
    if (hessian) {                                      // (S82)
        double across = strain * inverse;
        if (part == LITHE_FIBRE_STRAIN)
            across = 0;
        if (part == LITHE_FIBRE_PROJECTED)
            across = fmax(across, 0);
        Mat3 along = m3_outer(n, n);
        *hessian = m3_add(m3_scale(across, m3_sub(m3_identity(), along)), along);
        *hessian = m3_scale(carries ? k : 0, *hessian);
    }
    return carries ? 0.5 * k * strain * strain : 0; // (S80)
}
