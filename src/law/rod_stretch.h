// SPDX-License-Identifier: Apache-2.0
// law/rod_stretch.h - stretching of one edge
//
//     (S1)  E = EA/2 (|e|/l - 1)^2 l                      l rest length
//     (S2)  dE/de = EA (|e|/l - 1) t                      = tension along t
//     (S3)  d2E/de2 = EA/l t t^T + EA (|e|/l - 1)/|e| (I - t t^T)

#ifndef LITHE_LAW_ROD_STRETCH_H
#define LITHE_LAW_ROD_STRETCH_H

#include "law/rod_frame.h"

typedef struct LitheStretch {
    double energy;  // (S1) [J]
    double tension; // (S2) [N], negative in compression
    double along;   // factor of t t^T in (S3) [N/m]
    double across;  // factor of I - t t^T in (S3) [N/m]; negative in compression
} LitheStretch;

static inline LitheStretch lithe_rod_stretch(const LitheRodEdge *edge, double EA,
                                             double rest_length) {
    double strain = (edge->length - rest_length) / rest_length;
    double tension = EA * strain;
    return (LitheStretch){0.5 * tension * strain * rest_length, tension, EA / rest_length,
                          tension * edge->inverse};
}

#endif
