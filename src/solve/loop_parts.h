// SPDX-License-Identifier: Apache-2.0
// solve/loop_parts.h - what the loops of solve/loops.c and solve/loop_matrix.c have in common

#ifndef LITHE_SOLVE_LOOP_PARTS_H
#define LITHE_SOLVE_LOOP_PARTS_H

#include "law/term_plain.h"
#include "solve/lanes.h"
#include "solve/loop_kernels.h"
#include "solve/loops.h"
#include "solve/slip.h"

// arguments of the ranges of a loop
typedef struct Loop {
    LitheSystem *s;
    const LitheLoopKernel *kernel;
    const double *x; // vector that the loop reads
    double *out;
    double length;
    bool flag;
    LitheLaneJob lanes; // of groups, if they are in lanes
} Loop;

// Estimated times [ns]: a loop that is too short for the other threads is run by the caller.
enum {
    RESPOND = 150, // of a coupling: its law at a velocity
    DIRECT = 80,   // of a coupling: J dw and G J dw
    COPY = 10,     // of a coupling: a few numbers
    HESSIAN = 40,  // of a coupling: whether its Hessian is zero
    VECTOR = 8,    // of a node: a few vectors
    GATHER = 12,   // of a coupling at one of its nodes: J' x
    COLUMN = 80,   // of a coupling at one of its nodes: a column of J' G J
};
// `each`: time of a coupling
static inline void over_couplings(Loop *loop, double each, LitheRangeFn *fn,
                                  double sums[LITHE_RANGE_SUMS]) {
    LitheSystem *s = loop->s;
    loop->kernel = lithe_loop_kernel();
    lithe_pool_ranges(s->pool, s->coupling_count, LITHE_COUPLINGS_PER_RANGE,
                      each * s->coupling_count, fn, loop, s->partial, sums);
}

// `each`: time of a coupling at one of its nodes
static inline void over_nodes(Loop *loop, double each, LitheRangeFn *fn,
                              double sums[LITHE_RANGE_SUMS]) {
    LitheSystem *s = loop->s;
    loop->kernel = lithe_loop_kernel();
    double cost = (double)VECTOR * s->node_count;
    if (each > 0)
        cost += each * s->of_start[s->node_count];
    lithe_pool_ranges(s->pool, s->node_count, LITHE_NODES_PER_RANGE, cost, fn, loop, s->partial,
                      sums);
}

// whether couplings i .. i + 3 are plain contacts, outside of lanes
static inline bool are_plain(const LitheSystem *s, int32_t i, int32_t after) {
    const LitheCoupling *c = &s->couplings[i];
    bool plain = i + 4 <= after && lithe_term_is_plain(&c[0].term) &&
                 lithe_term_is_plain(&c[1].term) && lithe_term_is_plain(&c[2].term) &&
                 lithe_term_is_plain(&c[3].term);
    return plain && !(s->in_lanes && (c[0].group | c[1].group | c[2].group | c[3].group));
}

// the couplings of a range, without those in lanes
#define OVER_RANGE(s, i, first, after) \
    for (int32_t i = lithe_lanes_skip(s, first, after); i < (after); \
         i = lithe_lanes_skip(s, i + 1, after))

#endif
