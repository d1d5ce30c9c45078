// SPDX-License-Identifier: Apache-2.0
// solve/lcp_rank.c - stage 1: independent normals by orthogonalisation with exchanges

#include "solve/lcp_contact.h"

#include "math/vecn.h"

#include <math.h>
#include <string.h>

// a later row has to be this much larger to win, so that equal rows keep their order on every
// machine
#define TIE 1e-12

int32_t lithe_lcp_rank(const double *S, int32_t dof_count, const int32_t *index, int32_t count,
                       double tolerance, int32_t *chosen, double *condition, double *work) {
    double *rest = work, *Q = work + (ptrdiff_t)count * dof_count;
    double first = 0, last = 0;
    int32_t rank = 0, limit = count < dof_count ? count : dof_count;
    for (int32_t i = 0; i < count; i++)
        memcpy(rest + (ptrdiff_t)dof_count * i, S + (ptrdiff_t)dof_count * index[i],
               sizeof(double) * (size_t)dof_count);
    while (rank < limit) {
        // (L5): the largest remaining row
        int32_t best = -1;
        double largest = 0;
        for (int32_t i = 0; i < count; i++) {
            const double *row = rest + (ptrdiff_t)dof_count * i;
            double size = sqrt(vn_dot(dof_count, row, row));
            if (size > largest * (1 + TIE)) {
                largest = size;
                best = i;
            }
        }
        if (best < 0 || !(largest > tolerance * first))
            break;
        double *q = Q + (ptrdiff_t)dof_count * rank, *from = rest + (ptrdiff_t)dof_count * best;
        for (int32_t k = 0; k < dof_count; k++)
            q[k] = from[k] / largest;
        memset(from, 0, sizeof(double) * (size_t)dof_count);
        first = rank == 0 ? largest : first;
        last = largest;
        chosen[rank++] = best;
        // twice is enough: what is left of a row is orthogonal to rounding
        for (int32_t i = 0; i < count; i++) {
            double *row = rest + (ptrdiff_t)dof_count * i;
            for (int32_t m = 0; m < 2; m++)
                for (int32_t p = m == 0 ? rank - 1 : 0; p < rank; p++) {
                    const double *other = Q + (ptrdiff_t)dof_count * p;
                    double part = vn_dot(dof_count, row, other);
                    for (int32_t k = 0; part != 0 && k < dof_count; k++)
                        row[k] -= part * other[k];
                }
        }
    }
    *condition = rank > 0 ? first * first / (last * last) : 1;
    return rank;
}
