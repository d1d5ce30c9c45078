// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_svd.h - singular values and eigenvalues in lanes; part of law/solid_fast_kernel.h
//
// The algorithm of math/svd3.c. A lane that has converged is not rotated further, so that its bits
// do not depend on the other lanes.

#ifndef LITHE_LAW_SOLID_FAST_SVD_H
#define LITHE_LAW_SOLID_FAST_SVD_H

#include "math/lanes.h"
#include "math/svd3.h"

#include <float.h>

typedef struct LaneSvd {
    L3 u[3], v[3]; // columns
    Lanes s[3];
} LaneSvd;

// x a + y b + z c
FAST_FN L3 combine(Lanes x, L3 a, Lanes y, L3 b, Lanes z, L3 c) {
    return (L3){x * a.x + y * b.x + z * c.x, x * a.y + y * b.y + z * c.y,
                x * a.z + y * b.z + z * c.z};
}

// the matrix with columns m times v
FAST_FN L3 apply(const L3 m[3], L3 v) {
    return combine(v.x, m[0], v.y, m[1], v.z, m[2]);
}

FAST_FN bool any(Mask m) {
    long long all = 0;
    for (int l = 0; l < LANES; l++)
        all |= m[l];
    return all != 0;
}

FAST_FN L3 choose3(Mask first, L3 a, L3 b) {
    return (L3){choose(first, a.x, b.x), choose(first, a.y, b.y), choose(first, a.z, b.z)};
}

// Tangent of the Jacobi rotation that makes [a d; d c] diagonal; 0 in lanes that are not `turned`.
FAST_FN Lanes tangent(Lanes a, Lanes c, Lanes d, Mask turned) {
    Lanes half = (c - a) * lanes(0.5);
    Lanes length = size(half) + root(half * half + d * d);
    Lanes t = choose(half < lanes(0), -d, d) / choose(turned, length, lanes(1));
    return choose(turned, t, lanes(0));
}

FAST_FN bool turn_columns(L3 *b, L3 *v, int i, int j) {
    Lanes a = dot(b[i], b[i]), c = dot(b[j], b[j]), d = dot(b[i], b[j]);
    Mask turned =
        (d * d > lanes(0.25 * DBL_EPSILON * DBL_EPSILON) * a * c) & (size(d) > lanes(DBL_MIN));
    if (!any(turned))
        return false;
    Lanes t = tangent(a, c, d, turned);
    Lanes cs = lanes(1) / root(lanes(1) + t * t), sn = cs * t;
    L3 bi = b[i], vi = v[i];
    b[i] = sub(mul(cs, bi), mul(sn, b[j]));
    b[j] = add(mul(sn, bi), mul(cs, b[j]));
    v[i] = sub(mul(cs, vi), mul(sn, v[j]));
    v[j] = add(mul(sn, vi), mul(cs, v[j]));
    return true;
}

// exchanges columns where the second is longer; V stays a rotation
FAST_FN void order_columns(L3 *b, L3 *v, int i, int j) {
    Mask longer = dot(b[i], b[i]) < dot(b[j], b[j]);
    L3 bi = b[i], vi = v[i];
    L3 back = {-bi.x, -bi.y, -bi.z}, vback = {-vi.x, -vi.y, -vi.z};
    b[i] = choose3(longer, b[j], bi);
    v[i] = choose3(longer, v[j], vi);
    b[j] = choose3(longer, back, b[j]);
    v[j] = choose3(longer, vback, v[j]);
}

FAST_TARGET static void lane_svd(const L3 *columns, LaneSvd *out) {
    L3 b[3] = {columns[0], columns[1], columns[2]}, *v = out->v;
    Lanes one = lanes(1), none = lanes(0);
    v[0] = (L3){one, none, none};
    v[1] = (L3){none, one, none};
    v[2] = (L3){none, none, one};
    for (int sweep = 0; sweep < 30; sweep++) {
        bool turned = turn_columns(b, v, 0, 1);
        turned = turn_columns(b, v, 0, 2) || turned;
        turned = turn_columns(b, v, 1, 2) || turned;
        if (!turned)
            break;
    }
    order_columns(b, v, 0, 1);
    order_columns(b, v, 1, 2);
    order_columns(b, v, 0, 1);

    // u from the two longer columns; a lost one is any perpendicular direction
    Lanes s0 = root(dot(b[0], b[0]));
    Mask lost0 = s0 <= none;
    L3 u0 = choose3(lost0, (L3){one, none, none}, mul(one / choose(lost0, one, s0), b[0]));
    L3 w = sub(b[1], mul(dot(u0, b[1]), u0));
    Lanes s1 = root(dot(w, w));
    Mask lost1 = s1 <= lanes(DBL_EPSILON) * s0;
    Mask across = size(u0.x) < lanes(0.6);
    L3 axis = {choose(across, one, none), choose(across, none, one), none};
    L3 normal = cross(u0, axis);
    normal = mul(one / root(dot(normal, normal)), normal);
    out->u[0] = u0;
    out->u[1] = choose3(lost1, normal, mul(one / choose(lost1, one, s1), w));
    out->u[2] = cross(u0, out->u[1]);
    out->s[0] = s0;
    out->s[1] = s1;
    out->s[2] = dot(out->u[2], b[2]);
}

// Rotation of the polar decomposition by Newton's iteration, as in math/svd3.c; lanes that are
// inverted, close to singular or very long take U V'.
FAST_TARGET static void lane_polar(const L3 *columns, L3 *r) {
    L3 x[3] = {columns[0], columns[1], columns[2]};
    Mask open = lanes(0) <= lanes(0), failed = ~open;
    for (int step = 0; step < LITHE_POLAR_STEPS && any(open); step++) {
        L3 n[3] = {cross(x[1], x[2]), cross(x[2], x[0]), cross(x[0], x[1])};
        Lanes det = dot(x[0], n[0]), square = dot(x[0], x[0]) + dot(x[1], x[1]) + dot(x[2], x[2]);
        Mask good = det > lanes(LITHE_POLAR_FLAT) * square * root(square);
        failed |= open & ~good;
        open &= good;
        Lanes half = lanes(0.5) / choose(open, det, lanes(1)), change = lanes(0);
        for (int j = 0; j < 3; j++) {
            L3 next = add(mul(lanes(0.5), x[j]), mul(half, n[j])), d = sub(next, x[j]);
            change += dot(d, d);
            x[j] = choose3(open, next, x[j]);
        }
        open &= ~(change < lanes(LITHE_POLAR_END * LITHE_POLAR_END));
    }
    failed |= open;
    for (int j = 0; j < 3; j++)
        r[j] = x[j];
    if (!any(failed))
        return;
    LaneSvd d;
    lane_svd(columns, &d);
    const L3 row[3] = {{d.v[0].x, d.v[1].x, d.v[2].x},
                       {d.v[0].y, d.v[1].y, d.v[2].y},
                       {d.v[0].z, d.v[1].z, d.v[2].z}};
    for (int j = 0; j < 3; j++) {
        L3 whole = add(add(mul(row[j].x, d.u[0]), mul(row[j].y, d.u[1])), mul(row[j].z, d.u[2]));
        r[j] = choose3(failed, whole, r[j]);
    }
}

FAST_FN bool turn_symmetric(Lanes A[3][3], Lanes E[3][3], int p, int q) {
    int r = 3 - p - q;
    Lanes d = A[p][q], limit = lanes(0.5 * DBL_EPSILON) * (size(A[p][p]) + size(A[q][q]));
    Mask turned = size(d) > limit;
    if (!any(turned))
        return false;
    Lanes t = tangent(A[p][p], A[q][q], d, turned);
    Lanes cs = lanes(1) / root(lanes(1) + t * t), sn = cs * t;
    A[p][p] -= t * d;
    A[q][q] += t * d;
    A[p][q] = A[q][p] = choose(turned, lanes(0), d);
    Lanes rp = A[r][p], rq = A[r][q];
    A[r][p] = A[p][r] = cs * rp - sn * rq;
    A[r][q] = A[q][r] = sn * rp + cs * rq;
    for (int i = 0; i < 3; i++) {
        Lanes ep = E[p][i], eq = E[q][i];
        E[p][i] = cs * ep - sn * eq;
        E[q][i] = sn * ep + cs * eq;
    }
    return true;
}

// eigenvalues on the diagonal of A, eigenvectors in the rows of E
FAST_TARGET static void lane_eigen(Lanes A[3][3], Lanes E[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            E[i][j] = lanes(i == j);
    for (int sweep = 0; sweep < 30; sweep++) {
        bool turned = turn_symmetric(A, E, 0, 1);
        turned = turn_symmetric(A, E, 0, 2) || turned;
        turned = turn_symmetric(A, E, 1, 2) || turned;
        if (!turned)
            break;
    }
}

#endif
