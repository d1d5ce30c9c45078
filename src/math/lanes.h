// SPDX-License-Identifier: Apache-2.0
// math/lanes.h - numbers and vectors of LANES items (nodes, pairs, elements), one item per lane
//
// The including file defines LANES (2 or 4), the vector type Lanes and FAST_FN, the attributes of
// every function.

#ifndef LITHE_MATH_LANES_H
#define LITHE_MATH_LANES_H

#include <stdint.h>
#include <string.h>

#if LANES == 4
#define TRANSPOSE_FN FAST_FN
#include "math/transpose.h"
#endif

// result of a comparison: all bits of a lane are 1 (true) or 0 (false)
typedef long long Mask __attribute__((vector_size(8 * LANES)));

typedef struct L3 {
    Lanes x, y, z;
} L3;

// --- vectors of vectors --------------------------------------------------------------------------

FAST_FN Lanes lanes(double s) {
    return (Lanes){0} + s;
}

FAST_FN Lanes load(const double *a) {
    Lanes v;
    memcpy(&v, a, sizeof v);
    return v;
}

FAST_FN void store(Lanes v, double *a) {
    memcpy(a, &v, sizeof v);
}

FAST_FN Lanes choose(Mask first, Lanes a, Lanes b) {
    return (Lanes)((first & (Mask)a) | (~first & (Mask)b));
}

FAST_FN Lanes size(Lanes a) {
    return (Lanes)((Mask)a & ((Mask){0} + INT64_MAX));
}

FAST_FN Lanes root(Lanes a) {
    Lanes r = {0};
    for (int l = 0; l < LANES; l++)
        r[l] = __builtin_sqrt(a[l]);
    return r;
}

FAST_FN L3 add(L3 a, L3 b) {
    return (L3){a.x + b.x, a.y + b.y, a.z + b.z};
}

FAST_FN L3 sub(L3 a, L3 b) {
    return (L3){a.x - b.x, a.y - b.y, a.z - b.z};
}

FAST_FN L3 mul(Lanes s, L3 a) {
    return (L3){s * a.x, s * a.y, s * a.z};
}

FAST_FN L3 axpy(Lanes s, L3 b, L3 a) {
    return (L3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

FAST_FN Lanes dot(L3 a, L3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

FAST_FN L3 cross(L3 a, L3 b) {
    return (L3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// four numbers of each of LANES items, `stride` apart, and back
#if LANES == 4
FAST_FN void gather(const double *from, int64_t stride, Lanes v[4]) {
    for (int l = 0; l < 4; l++)
        v[l] = load(from + l * stride);
    transpose_4(v);
}

FAST_FN void scatter(Lanes a, Lanes b, Lanes c, Lanes d, double *to, int64_t stride) {
    Lanes v[4] = {a, b, c, d};
    transpose_4(v);
    for (int l = 0; l < 4; l++)
        store(v[l], to + l * stride);
}
#else
FAST_FN void gather(const double *from, int64_t stride, Lanes v[4]) {
    Lanes p = load(from), q = load(from + 2), r = load(from + stride), s = load(from + stride + 2);
    v[0] = __builtin_shufflevector(p, r, 0, 2);
    v[1] = __builtin_shufflevector(p, r, 1, 3);
    v[2] = __builtin_shufflevector(q, s, 0, 2);
    v[3] = __builtin_shufflevector(q, s, 1, 3);
}

FAST_FN void scatter(Lanes a, Lanes b, Lanes c, Lanes d, double *to, int64_t stride) {
    store(__builtin_shufflevector(a, b, 0, 2), to);
    store(__builtin_shufflevector(c, d, 0, 2), to + 2);
    store(__builtin_shufflevector(a, b, 1, 3), to + stride);
    store(__builtin_shufflevector(c, d, 1, 3), to + stride + 2);
}
#endif

#endif
