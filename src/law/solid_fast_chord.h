// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_chord.h - forces of a chord, in lanes; part of law/solid_fast_kernel.h

#ifndef LITHE_LAW_SOLID_FAST_CHORD_H
#define LITHE_LAW_SOLID_FAST_CHORD_H

#include "law/solid.h"
#include "law/solid_fast_svd.h"

// Strain rates by columns (S66), in the frame with the columns r: of the chord of F, which turns at
// the rate `d` within a step h.
FAST_FN void chord_strain(const L3 f[3], const L3 d[3], const L3 r[3], Lanes h, L3 strain[3]) {
    const Lanes none = lanes(0), one = lanes(1), half = lanes(0.5);
    // the stretch S, and tr S I - S
    Lanes x = dot(r[0], f[0]), y = dot(r[1], f[1]), z = dot(r[2], f[2]);
    Lanes yz = half * (dot(r[1], f[2]) + dot(r[2], f[1]));
    Lanes xz = half * (dot(r[0], f[2]) + dot(r[2], f[0]));
    Lanes xy = half * (dot(r[0], f[1]) + dot(r[1], f[0]));
    const L3 S[3] = {{x, xy, xz}, {xy, y, yz}, {xz, yz, z}};
    const L3 G[3] = {{y + z, -xy, -xz}, {-xy, x + z, -yz}, {-xz, -yz, x + y}};
    // R' F' = W S + a symmetric matrix determines the angular velocity w
    L3 axial = {dot(r[2], d[1]) - dot(r[1], d[2]), dot(r[0], d[2]) - dot(r[2], d[0]),
                dot(r[1], d[0]) - dot(r[0], d[1])};
    const L3 inverse[3] = {cross(G[1], G[2]), cross(G[2], G[0]), cross(G[0], G[1])};
    Lanes det = dot(G[0], inverse[0]), least = lanes(LITHE_LEAST_TURN);
    Lanes by = choose(det > least, one / choose(det > least, det, one), none);
    L3 w = {by * dot(inverse[0], axial), by * dot(inverse[1], axial), by * dot(inverse[2], axial)};
    // (exp(h W) - 1)/h = W + W^2 (1 - cos)/(h |w|)^2 h + ..
    Lanes square = dot(w, w), left = one - h * h * square;
    Lanes part = h / (one + root(choose(left > none, left, none)));
    L3 Sw = apply(S, w);
    const Lanes wi[3] = {w.x, w.y, w.z}, si[3] = {Sw.x, Sw.y, Sw.z};
    for (int j = 0; j < 3; j++) {
        L3 column = add(mul(half * si[j], w), mul(half * wi[j], Sw));
        strain[j] = mul(part, sub(column, mul(square, S[j])));
    }
}

#endif
