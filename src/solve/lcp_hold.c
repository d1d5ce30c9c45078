// SPDX-License-Identifier: Apache-2.0
// solve/lcp_hold.c - equality constraints of an island: choice of independent rows, elimination,
// impulses

#include "solve/lcp_hold.h"

#include "assemble/constraint_parts.h"
#include "base/memory.h"
#include "math/vecn.h"
#include "solve/lcp_rows.h"

#include <math.h>
#include <string.h>

// Rows whose part outside of the others is below this, of 1, depend on them. Errors of second order
// turn rows that depend on each other by (angular velocity times step)^2/2; a row that is kept in
// spite of this would lock the mechanism.
#define DEPENDENT 1e-3
// Errors along a row with less than this outside of the others are corrected more slowly: the
// velocity that corrects them grows as its inverse.
#define WEAK 0.03
// Rows that nothing can move, relative to the largest row of the island.
#define IMMOVABLE 1e-12
// a later row has to be this much larger to win, so that equal rows keep their order
#define TIE 1e-12
// A dependent row contradicts the others if it misses its target by more than this [m/s, rad/s],
// plus this part of the velocities of its sides.
#define MISSED 1e-3
#define MISSED_PART 0.05

static void add(double factor, const double *a, int32_t n, double *to) {
    for (int32_t k = 0; k < n; k++)
        to[k] += factor * a[k];
}

// --- memory --------------------------------------------------------------------------------------

bool lithe_lcp_holds_reserve(const LitheSystem *system, int64_t rows, LitheLcpHolds *h,
                             int64_t *count) {
    LitheContext *context = system->context;
    int64_t n = 0;
    for (int32_t i = 0; i < system->coupling_count; i++)
        if (system->couplings[i].source == LITHE_SOURCE_CONSTRAINT)
            n += system->couplings[i].term.rows;
    *count = n;
    h->count = h->rank = 0;
    int64_t columns = system->dof_count + n, block = n * columns;
    if (n == 0)
        return true;
    if (!LITHE_RESERVE(context, h->list, h->list_capacity, n) ||
        !LITHE_RESERVE(context, h->chosen, h->chosen_capacity, n) ||
        !LITHE_RESERVE(context, h->doubles, h->double_capacity,
                       3 * block + n * n + rows * n + 2 * n))
        return false;
    h->C = h->doubles;
    h->rest = h->C + block;
    h->Q = h->rest + block;
    h->R = h->Q + block;
    h->K = h->R + n * n;
    h->y = h->K + rows * n;
    h->part = h->y + n;
    return true;
}

void lithe_lcp_holds_free(LitheContext *context, LitheLcpHolds *h) {
    lithe_free(context, h->list);
    lithe_free(context, h->chosen);
    lithe_free(context, h->doubles);
}

// --- rows ----------------------------------------------------------------------------------------

bool lithe_lcp_is_hold(const LitheCoupling *c) {
    return c->source == LITHE_SOURCE_CONSTRAINT && c->term.kind == LITHE_TERM_HOLD;
}

// rows of the constraints of an island and the number of its columns
static void list_holds(const LitheAssembly *all, const LitheSystem *system, int32_t root,
                       LitheLcpScratch *s) {
    LitheLcpHolds *h = &s->holds;
    h->count = h->rank = 0;
    h->columns = s->dof_count;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->node_count == 0 || s->island[c->node[0]] != root || !lithe_lcp_is_hold(c))
            continue;
        bool soft = !lithe_constraint_is_rigid(all->model, c);
        for (int32_t k = 0; k < c->term.rows; k++) {
            h->list[h->count++] = (LitheLcpHold){.coupling = i,
                                                 .row = k,
                                                 .speed = lithe_lcp_speed(system, c, k),
                                                 .target = c->term.vhat[k],
                                                 .soft = soft};
            h->columns += soft;
        }
    }
}

// (L19): C, whose rows have the size 1; rows that nothing moves are 0
static void whiten(const LitheSystem *system, LitheLcpScratch *s) {
    LitheLcpHolds *h = &s->holds;
    int32_t column = s->dof_count;
    double largest = 0;
    s->dof_count = h->columns;
    for (int32_t i = 0; i < h->count; i++) {
        LitheLcpHold *hold = &h->list[i];
        const LitheCoupling *c = &system->couplings[hold->coupling];
        double *C = h->C + (ptrdiff_t)h->columns * i;
        lithe_lcp_whiten(system, c, hold->row, s, C);
        if (hold->soft)
            C[column++] = 1 / sqrt(c->term.G[hold->row]);
        hold->size = sqrt(vn_dot(h->columns, C, C));
        largest = fmax(largest, hold->size);
    }
    for (int32_t i = 0; i < h->count; i++) {
        LitheLcpHold *hold = &h->list[i];
        double *C = h->C + (ptrdiff_t)h->columns * i;
        bool moves = hold->size > IMMOVABLE * largest;
        for (int32_t k = 0; k < h->columns; k++)
            C[k] = moves ? C[k] / hold->size : 0;
    }
}

// --- the basis -----------------------------------------------------------------------------------

// the unused row with the largest part outside of the basis, or -1
static int32_t largest_rest(const LitheLcpHolds *h) {
    int32_t best = -1;
    double largest = 0;
    for (int32_t i = 0; i < h->count; i++) {
        const double *rest = h->rest + (ptrdiff_t)h->columns * i;
        double size = h->list[i].used ? 0 : vn_dot(h->columns, rest, rest);
        if (size > largest * (1 + TIE)) {
            largest = size;
            best = i;
        }
    }
    return best;
}

// (L20): C P = R Q by orthogonalisation with exchanges, the largest remaining row first
static void orthogonalise(LitheLcpHolds *h) {
    int32_t n = h->columns;
    memcpy(h->rest, h->C, (size_t)h->count * (size_t)n * sizeof(double));
    for (int32_t best; (best = largest_rest(h)) >= 0;) {
        double *q = h->Q + (ptrdiff_t)n * h->rank;
        h->list[best].used = true;
        memcpy(q, h->rest + (ptrdiff_t)n * best, (size_t)n * sizeof(double));
        // twice is enough: what is left is orthogonal to rounding
        for (int32_t p = 0; p < 2 * h->rank; p++) {
            const double *other = h->Q + (ptrdiff_t)n * (p % h->rank);
            add(-vn_dot(n, q, other), other, n, q);
        }
        double size = sqrt(vn_dot(n, q, q));
        if (!(size > DEPENDENT))
            continue;
        for (int32_t k = 0; k < n; k++)
            q[k] /= size;
        for (int32_t p = 0; p <= h->rank; p++)
            h->R[(ptrdiff_t)h->count * h->rank + p] =
                vn_dot(n, h->C + (ptrdiff_t)n * best, h->Q + (ptrdiff_t)n * p);
        h->chosen[h->rank++] = best;
        for (int32_t i = 0; i < h->count; i++) {
            double *rest = h->rest + (ptrdiff_t)n * i;
            if (!h->list[i].used)
                add(-vn_dot(n, rest, q), q, n, rest);
        }
    }
}

// (L21): y = R\(target - speed) of the chosen rows. Velocities and errors are separate: errors
// along weak rows are corrected more slowly.
static void solve_basis(LitheLcpHolds *h) {
    for (int32_t r = 0; r < h->rank; r++) {
        const LitheLcpHold *hold = &h->list[h->chosen[r]];
        const double *R = h->R + (ptrdiff_t)h->count * r;
        double speed = -hold->speed / hold->size, error = hold->target / hold->size;
        for (int32_t p = 0; p < r; p++) {
            speed -= R[p] * (h->y[p] - h->part[p]);
            error -= R[p] * h->part[p];
        }
        double weak = hold->soft ? 1 : fmin(R[r] / WEAK, 1);
        h->part[r] = weak * weak * error / R[r];
        h->y[r] = speed / R[r] + h->part[r];
    }
}

// rows that the chosen ones do not satisfy, although they depend on them
static void judge(const LitheAssembly *all, const LitheSystem *system, const double *u,
                  LitheLcpHolds *h) {
    for (int32_t i = 0; i < h->count; i++)
        h->list[i].used = false;
    for (int32_t r = 0; r < h->rank; r++)
        h->list[h->chosen[r]].used = true;
    for (int32_t i = 0; i < h->count; i++) {
        const LitheLcpHold *hold = &h->list[i];
        const double *C = h->C + (ptrdiff_t)h->columns * i;
        if (hold->used)
            continue;
        const LitheCoupling *c = &system->couplings[hold->coupling];
        double miss = fabs(hold->target - hold->speed - hold->size * vn_dot(h->columns, C, u));
        double motion = lithe_coupling_motion(all, system, c, c->term.rows);
        if (miss > MISSED + MISSED_PART * motion && miss > h->contradiction) {
            h->contradicts = c->index;
            h->contradiction = miss;
        }
    }
}

void lithe_lcp_hold(const LitheAssembly *all, LitheSystem *system, int32_t root,
                    LitheLcpScratch *s) {
    LitheLcpHolds *h = &s->holds;
    list_holds(all, system, root, s);
    if (h->count == 0)
        return;
    whiten(system, s);
    orthogonalise(h);
    solve_basis(h);
    memset(s->u, 0, (size_t)h->columns * sizeof(double));
    for (int32_t r = 0; r < h->rank; r++)
        add(h->y[r], h->Q + (ptrdiff_t)h->columns * r, h->columns, s->u);
    judge(all, system, s->u, h);
    lithe_lcp_move_island(system, root, s);
}

// --- the other rows ------------------------------------------------------------------------------

void lithe_lcp_project(LitheLcpScratch *s, int32_t index) {
    const LitheLcpHolds *h = &s->holds;
    double *S = s->S + (ptrdiff_t)s->dof_count * index, *K = h->K + (ptrdiff_t)h->count * index;
    memset(K, 0, (size_t)h->rank * sizeof(double));
    for (int32_t p = 0; p < 2 * h->rank; p++) {
        const double *q = h->Q + (ptrdiff_t)h->columns * (p % h->rank);
        double part = vn_dot(h->columns, S, q);
        K[p % h->rank] += part;
        add(-part, q, h->columns, S);
    }
}

void lithe_lcp_hold_finish(LitheSystem *system, LitheLcpScratch *s) {
    LitheLcpHolds *h = &s->holds;
    for (int32_t i = 0; i < s->row_count; i++)
        if (s->impulse[i] != 0)
            add(-s->impulse[i], h->K + (ptrdiff_t)h->count * i, h->rank, h->y);
    for (int32_t r = h->rank - 1; r >= 0; r--) {
        const LitheLcpHold *hold = &h->list[h->chosen[r]];
        for (int32_t p = r + 1; p < h->rank; p++)
            h->y[r] -= h->R[(ptrdiff_t)h->count * p + r] * h->y[p];
        h->y[r] /= h->R[(ptrdiff_t)(h->count + 1) * r];
        system->couplings[hold->coupling].impulse[hold->row] = h->y[r] / hold->size;
    }
}
