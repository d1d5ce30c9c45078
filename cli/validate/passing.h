// SPDX-License-Identifier: Apache-2.0
// cli/validate/passing.h - independent check whether rods passed through each other
//
// The certificate of a step excludes pairs that moved less than their distance and tests the rest.
// This check tests, after every substep, all pairs of edges whose bounding boxes overlap. The
// volume that two edges span is a cubic in time; its Bernstein coefficients bound it, so bisection
// isolates every change of sign. If the edges intersect at that time, they passed. It shares no
// code with src/geom/crossing.c.

#ifndef LITHE_CLI_PASSING_H
#define LITHE_CLI_PASSING_H

#include "data/state.h"
#include "data/work.h"
#include "lithe/lithe.h"
#include "math/vec3.h"

/// A moving edge, and the bounding box of its motion.
typedef struct PassingEdge {
    Vec3 from[2], to[2]; // ends before and after
    Vec3 low, high;
    int32_t rod, edge;
} PassingEdge;

/// Result of the check. Set work->watch_user to it, and work->watch to passing_watch.
typedef struct Passing {
    const LitheModel *model;
    PassingEdge *edges; // [edge_count of the model] allocated by the caller
    int64_t pieces, pairs, crossings;
    int32_t rod[2], edge[2]; // of the last crossing
} Passing;

// whether the edges, which lie in one plane at the time t, intersect then
static inline bool passing_meet(const PassingEdge *a, const PassingEdge *b, double t) {
    Vec3 a0 = v3_mix(a->from[0], a->to[0], t), a1 = v3_mix(a->from[1], a->to[1], t);
    Vec3 b0 = v3_mix(b->from[0], b->to[0], t), b1 = v3_mix(b->from[1], b->to[1], t);
    Vec3 u = v3_sub(a1, a0), w = v3_sub(b1, b0), r = v3_sub(b0, a0), n = v3_cross(u, w);
    double nn = v3_dot(n, n);
    // parallel edges intersect only if they lie on one line and overlap there
    double uu = v3_dot(u, u);
    if (nn < 1e-20 * uu * v3_dot(w, w)) {
        double p = v3_dot(r, u) / uu, q = v3_dot(v3_add(r, w), u) / uu;
        return fmax(p, q) >= 0 && fmin(p, q) <= 1 && v3_norm(v3_cross(r, u)) < 1e-9 * uu;
    }
    double s = v3_dot(v3_cross(r, w), n) / nn, q = v3_dot(v3_cross(r, u), n) / nn;
    return s >= 0 && s <= 1 && q >= 0 && q <= 1;
}

// changes of sign of a cubic with Bernstein coefficients c on [low, high]
static inline int passing_roots(const PassingEdge *a, const PassingEdge *b, const double c[4],
                                double low, double high) {
    if ((c[0] > 0 && c[1] > 0 && c[2] > 0 && c[3] > 0) ||
        (c[0] < 0 && c[1] < 0 && c[2] < 0 && c[3] < 0))
        return 0;
    double middle = 0.5 * (low + high);
    if (high - low < 1e-10)
        return (c[0] < 0) != (c[3] < 0) && passing_meet(a, b, middle);
    // de Casteljau at one half
    double d[3] = {0.5 * (c[0] + c[1]), 0.5 * (c[1] + c[2]), 0.5 * (c[2] + c[3])};
    double e[2] = {0.5 * (d[0] + d[1]), 0.5 * (d[1] + d[2])}, f = 0.5 * (e[0] + e[1]);
    const double left[4] = {c[0], d[0], e[0], f}, right[4] = {f, e[1], d[2], c[3]};
    return passing_roots(a, b, left, low, middle) + passing_roots(a, b, right, middle, high);
}

static inline int passing_pair(const PassingEdge *a, const PassingEdge *b) {
    // r.(u x w) with r, u, w linear in time: monomials, then Bernstein coefficients
    Vec3 r0 = v3_sub(b->from[0], a->from[0]), r1 = v3_sub(v3_sub(b->to[0], a->to[0]), r0);
    Vec3 u0 = v3_sub(a->from[1], a->from[0]), u1 = v3_sub(v3_sub(a->to[1], a->to[0]), u0);
    Vec3 w0 = v3_sub(b->from[1], b->from[0]), w1 = v3_sub(v3_sub(b->to[1], b->to[0]), w0);
    Vec3 n0 = v3_cross(u0, w0), n1 = v3_add(v3_cross(u0, w1), v3_cross(u1, w0));
    Vec3 n2 = v3_cross(u1, w1);
    double m[4] = {v3_dot(r0, n0), v3_dot(r0, n1) + v3_dot(r1, n0), v3_dot(r0, n2) + v3_dot(r1, n1),
                   v3_dot(r1, n2)};
    const double c[4] = {m[0], m[0] + m[1] / 3, m[0] + (2 * m[1] + m[2]) / 3,
                         m[0] + m[1] + m[2] + m[3]};
    double max = fmax(fmax(fabs(c[0]), fabs(c[1])), fmax(fabs(c[2]), fabs(c[3])));
    double size = fmax(v3_norm(r0), v3_norm(v3_add(r0, r1)));
    if (max > 1e-13 * size * v3_norm(u0) * v3_norm(w0))
        return passing_roots(a, b, c, 0, 1);
    // all in one plane: no volume, but they may intersect at some time
    for (int k = 0; k <= 64; k++)
        if (passing_meet(a, b, k / 64.0))
            return 1;
    return 0;
}

static inline void passing_fill(Passing *p, const LitheState *before, const LitheState *after) {
    int32_t k = 0;
    for (int32_t r = 0; r < p->model->rod_count; r++) {
        const LitheRod *rod = &p->model->rods[r];
        for (int32_t i = 0; i < rod->edge_count; i++) {
            PassingEdge *edge = &p->edges[k++];
            int32_t next = i + 1 == rod->node_count ? 0 : i + 1;
            edge->rod = r;
            edge->edge = i;
            for (int end = 0; end < 2; end++) {
                int64_t at = rod->dof_at + 4 * (int64_t)(end ? next : i);
                edge->from[end] = v3_load(before->q + at);
                edge->to[end] = v3_load(after->q + at);
            }
            const Vec3 x[4] = {edge->from[0], edge->from[1], edge->to[0], edge->to[1]};
            edge->low = edge->high = x[0];
            for (int n = 1; n < 4; n++) {
                edge->low = v3(fmin(edge->low.x, x[n].x), fmin(edge->low.y, x[n].y),
                               fmin(edge->low.z, x[n].z));
                edge->high = v3(fmax(edge->high.x, x[n].x), fmax(edge->high.y, x[n].y),
                                fmax(edge->high.z, x[n].z));
            }
        }
    }
}

// edges that share a node cannot pass through each other there
static inline bool passing_neighbours(const LitheModel *model, const PassingEdge *a,
                                      const PassingEdge *b) {
    if (a->rod != b->rod)
        return false;
    int32_t apart = b->edge - a->edge, edges = model->rods[a->rod].edge_count;
    return apart == 1 || (model->rods[a->rod].closed && apart == edges - 1);
}

/// Counts the pairs of edges that passed through each other while all nodes moved along lines.
static inline void passing_watch(const LitheState *before, const LitheState *after, void *user) {
    Passing *p = user;
    int32_t count = (int32_t)p->model->edge_count;
    passing_fill(p, before, after);
    p->pieces++;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = i + 1; k < count; k++) {
            const PassingEdge *a = &p->edges[i], *b = &p->edges[k];
            bool apart = a->low.x > b->high.x || b->low.x > a->high.x || a->low.y > b->high.y ||
                         b->low.y > a->high.y || a->low.z > b->high.z || b->low.z > a->high.z;
            if (apart || passing_neighbours(p->model, a, b))
                continue;
            p->pairs++;
            if (passing_pair(a, b) == 0)
                continue;
            p->crossings++;
            p->rod[0] = a->rod, p->edge[0] = a->edge;
            p->rod[1] = b->rod, p->edge[1] = b->edge;
        }
}

#endif
