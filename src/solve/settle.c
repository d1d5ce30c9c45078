// SPDX-License-Identifier: Apache-2.0
// solve/settle.c - fixed-point iteration of the normal impulses that bound friction, from pass to
// pass
//
// The iteration solves x = g(x), where g(x) are the normal impulses of a solve with bounds x.
// Simple iteration oscillates where contacts lie close together, because friction of one loads its
// neighbours. Anderson mixing of the last passes converges as a Krylov method would (V30): x' = g -
// sum c_j (g - g_j), with c such that |f - sum c_j (f - f_j)| is minimal, f = g - x.

#include "solve/settle.h"

#include "base/memory.h"
#include "math/vecn.h"
#include "solve/lanes.h"

#include <math.h>
#include <string.h>

// earlier passes that are mixed: more help little, and keep outdated information
enum { DEPTH = LITHE_SETTLE_DEPTH };

// in relative errors, smaller normal impulses are replaced by this fraction of the largest one
#define SMALL 0.01

// a pass is linearly dependent on the others when only this fraction of its change is new
#define DEPENDENT 1e-6

bool lithe_settle_begin(LitheSystem *s) {
    int64_t n = s->coupling_count;
    s->settle_count = s->settle_passes = 0;
    return LITHE_RESERVE(s->context, s->settle, s->settle_capacity, (2 * DEPTH + 5) * n) &&
           LITHE_RESERVE(s->context, s->settle_Q, s->settle_Q_capacity, DEPTH * n);
}

static bool has_bound(const LitheCoupling *c) {
    return c->source == LITHE_SOURCE_CONTACT && lithe_term_reads_bound(&c->term);
}

// The largest normal impulse; where all contacts open, the largest bound: a contact that opens in
// the step must lose its friction as well.
static double largest_impulse(const LitheSystem *s) {
    double largest = 0, bound = 0;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        if (c->source == LITHE_SOURCE_CONTACT && c->impulse[2] > largest)
            largest = c->impulse[2];
        if (has_bound(c) && c->term.n0 > bound)
            bound = c->term.n0;
    }
    return largest > 0 ? largest : bound;
}

// squared error f of a bound relative to its impulse g: small impulses count as much as large ones,
// as they do along a rope round a post
static double square_of(double f, double g, double largest) {
    return f * f / (g * g + SMALL * SMALL * largest * largest);
}

// Least-squares fit of f by the columns of df, which are Q R with orthogonal columns Q; `next` = g
// minus the columns of dg with the same weights c.
static void mix(int32_t n, int32_t depth, const double *df, const double *dg, double *f,
                const double *g, double *Q, double *next) {
    double R[DEPTH][DEPTH] = {{0}}, c[DEPTH] = {0}, size[DEPTH];
    bool used[DEPTH];
    for (int32_t j = 0; j < depth; j++) {
        double *q = Q + (ptrdiff_t)n * j;
        memcpy(q, df + (ptrdiff_t)n * j, (size_t)n * sizeof *q);
        double before = sqrt(vn_dot(n, q, q));
        for (int32_t k = 0; k < j; k++) {
            R[k][j] = used[k] ? vn_dot(n, Q + (ptrdiff_t)n * k, q) : 0;
            for (int32_t i = 0; used[k] && i < n; i++)
                q[i] -= R[k][j] * Q[(ptrdiff_t)n * k + i];
        }
        size[j] = sqrt(vn_dot(n, q, q));
        used[j] = size[j] > DEPENDENT * before;
        R[j][j] = used[j] ? size[j] : 1;
        for (int32_t i = 0; used[j] && i < n; i++)
            q[i] /= size[j];
    }
    for (int32_t j = depth - 1; j >= 0; j--) {
        c[j] = used[j] ? vn_dot(n, Q + (ptrdiff_t)n * j, f) : 0;
        for (int32_t k = j + 1; k < depth; k++)
            c[j] -= used[j] ? R[j][k] * c[k] : 0;
        c[j] /= R[j][j];
    }
    for (int32_t i = 0; i < n; i++) {
        next[i] = g[i];
        for (int32_t j = 0; j < depth; j++)
            next[i] -= c[j] * dg[(ptrdiff_t)n * j + i];
    }
}

// numbers of earlier passes, one per coupling each
typedef struct Passes {
    double *df, *dg, *f, *g, *last_f, *last_g, *next;
} Passes;

static Passes passes_of(const LitheSystem *s) {
    ptrdiff_t n = s->coupling_count;
    double *df = s->settle, *dg = df + DEPTH * n, *f = dg + DEPTH * n;
    return (Passes){df, dg, f, f + n, f + 2 * n, f + 3 * n, f + 4 * n};
}

// (V27) by the present impulses; stores them and their distances from the bounds where `p` is
// given.
static double error_of_bounds(const LitheSystem *s, const Passes *p, int32_t *bounds) {
    double moved = 0, largest = largest_impulse(s);
    int32_t k = 0;
    for (int32_t i = 0; largest > 0 && i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        if (!has_bound(c))
            continue;
        double g = c->impulse[2] > 0 ? c->impulse[2] : 0, f = g - c->term.n0;
        if (p) {
            p->g[k] = g;
            p->f[k] = f;
        }
        moved += square_of(f, g, largest);
        k++;
    }
    *bounds = k;
    return k > 0 ? sqrt(moved / k) : 0;
}

double lithe_settle_measure(LitheSystem *s) {
    Passes p = passes_of(s);
    return error_of_bounds(s, &p, &s->settle_bounds);
}

double lithe_settle_early(LitheSystem *s, double max) {
    int32_t bounds;
    lithe_lanes_store_normals(s);
    double error = error_of_bounds(s, NULL, &bounds);
    if (!(error > max))
        return error;
    for (int32_t i = 0; i < s->coupling_count; i++)
        if (has_bound(&s->couplings[i]))
            lithe_term_lag(&s->couplings[i].term, s->couplings[i].impulse[2]);
    lithe_lanes_load_bounds(s);
    return error;
}

void lithe_settle(LitheSystem *s) {
    Passes p = passes_of(s);
    int32_t bounds = s->settle_bounds;
    if (bounds == 0)
        return;
    // the differences to the last pass replace the oldest ones
    if (s->settle_passes > 0) {
        int32_t at = (s->settle_passes - 1) % DEPTH;
        for (int32_t i = 0; i < bounds; i++) {
            p.df[(ptrdiff_t)bounds * at + i] = p.f[i] - p.last_f[i];
            p.dg[(ptrdiff_t)bounds * at + i] = p.g[i] - p.last_g[i];
        }
        s->settle_count = s->settle_count < DEPTH ? s->settle_count + 1 : DEPTH;
    }
    memcpy(p.last_f, p.f, (size_t)bounds * sizeof *p.f);
    memcpy(p.last_g, p.g, (size_t)bounds * sizeof *p.g);
    s->settle_passes++;
    mix(bounds, s->settle_count, p.df, p.dg, p.f, p.g, s->settle_Q, p.next);
    for (int32_t i = 0, k = 0; i < s->coupling_count; i++)
        if (has_bound(&s->couplings[i]))
            lithe_term_lag(&s->couplings[i].term, p.next[k++]);
}
