// SPDX-License-Identifier: Apache-2.0
// law/solid_fast_turns.h - stiffness of strains alone, in lanes; part of law/solid_fast_kernel.h

#ifndef LITHE_LAW_SOLID_FAST_TURNS_H
#define LITHE_LAW_SOLID_FAST_TURNS_H

#include "law/solid_fast_svd.h"

// (H25) of the blocks 11 21 22 31 32 33 of nodes 1 to 3, with the columns f of F, the edges d from
// node 0, and u = F g
FAST_FN void remove_turns(const L3 f[3], const L3 d[3], const L3 u[3], Lanes *const block[6]) {
    static const int8_t at[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
    static const int8_t row_of[6] = {0, 1, 1, 2, 2, 2}, column_of[6] = {0, 0, 1, 0, 1, 2};
    const Lanes none = lanes(0), one = lanes(1);
    const L3 unit[3] = {{one, none, none}, {none, one, none}, {none, none, one}};
    // G = (F:F) I - F F', by columns, and its inverse
    Lanes square = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
    L3 G[3] = {mul(square, unit[0]), mul(square, unit[1]), mul(square, unit[2])};
    for (int j = 0; j < 3; j++) {
        G[0] = sub(G[0], mul(f[j].x, f[j]));
        G[1] = sub(G[1], mul(f[j].y, f[j]));
        G[2] = sub(G[2], mul(f[j].z, f[j]));
    }
    L3 inverse[3] = {cross(G[1], G[2]), cross(G[2], G[0]), cross(G[0], G[1])};
    Lanes det = dot(G[0], inverse[0]);
    // no rotation is defined for an element that is flat to a line
    Lanes by = choose(det > none, one / choose(det > none, det, one), none);
    for (int j = 0; j < 3; j++)
        inverse[j] = mul(by, inverse[j]);
    // columns of W_a = G^-1 [u_a] and of T_a = sum_b K_ab (e_k x d_b); S = sum_a d_a x T_a
    L3 W[3][3], T[3][3], S[3] = {{none, none, none}, {none, none, none}, {none, none, none}};
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) {
            W[a][k] = apply(inverse, cross(u[a], unit[k]));
            L3 sum = {none, none, none};
            for (int b = 0; b < 3; b++) {
                const Lanes *m = block[at[a][b]];
                L3 turn = cross(unit[k], d[b]);
                L3 low = {m[0] * turn.x + m[3] * turn.y + m[6] * turn.z,
                          m[1] * turn.x + m[4] * turn.y + m[7] * turn.z,
                          m[2] * turn.x + m[5] * turn.y + m[8] * turn.z};
                L3 high = {m[0] * turn.x + m[1] * turn.y + m[2] * turn.z,
                           m[3] * turn.x + m[4] * turn.y + m[5] * turn.z,
                           m[6] * turn.x + m[7] * turn.y + m[8] * turn.z};
                sum = add(sum, a >= b ? low : high);
            }
            T[a][k] = sum;
            S[k] = add(S[k], cross(d[a], sum));
        }
    // K_ab - T_a W_b - W_a'(T_b' - S W_b), column by column
    for (int p = 0; p < 6; p++) {
        int a = row_of[p], b = column_of[p];
        for (int j = 0; j < 3; j++) {
            Lanes *column = block[p] + 3 * j;
            L3 row = j == 0   ? (L3){T[b][0].x, T[b][1].x, T[b][2].x}
                     : j == 1 ? (L3){T[b][0].y, T[b][1].y, T[b][2].y}
                              : (L3){T[b][0].z, T[b][1].z, T[b][2].z};
            L3 rest = sub(row, apply(S, W[b][j])), change = apply(T[a], W[b][j]);
            column[0] -= change.x + dot(W[a][0], rest);
            column[1] -= change.y + dot(W[a][1], rest);
            column[2] -= change.z + dot(W[a][2], rest);
        }
    }
}

#endif
