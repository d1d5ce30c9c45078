// SPDX-License-Identifier: Apache-2.0
// solve/loop_kernels.h - inner loops of solve/loops.c, for the present processor
//
// Each function processes nodes first .. after - 1, or DoFs at .. end - 1; `sums` are those of a
// range in solve/loops.c.

#ifndef LITHE_SOLVE_LOOP_KERNELS_H
#define LITHE_SOLVE_LOOP_KERNELS_H

#include "solve/lanes.h"

typedef struct LitheLoopKernel {
    // out = J' impulse
    void (*spread)(const LitheSystem *s, int32_t first, int32_t after, bool held, double *out);
    // out [rows] += J x of a coupling
    void (*velocity)(const LitheSystem *s, const LitheCoupling *c, const double *x, double *out);
    // gradient = from - J' impulse; squares of |D J' impulse| and |D gradient|
    void (*gradient)(LitheSystem *s, int32_t first, int32_t after, const double *from,
                     double *sums);
    // smooth, which holds A dw, becomes A dw + r; cost
    void (*smooth)(LitheSystem *s, int32_t at, int32_t end, double *sums);
    // dw times smooth, A dw and gradient
    void (*along)(const LitheSystem *s, int32_t at, int32_t end, double *sums);
    // w and smooth move along dw; false when w does not change
    bool (*move)(LitheSystem *s, int32_t at, int32_t end, double length);
    // the largest of b, dw, diagonal of H and b - H dw; a NaN propagates
    void (*compare)(LitheSystem *s, int32_t first, int32_t after, double *sums);
    // adds the column of node b of a term, as lithe_block_add_term, for nodes that do not have four
    // DoFs
    void (*term)(LitheBlockMatrix *m, const LitheBlockTerm *term, int32_t b);
    // four plain contacts in succession (solve/plain_kernel.h) with the Hessians G [4][9]: their
    // law at v, or at v + length dv; sums: cost, then slope and curvature along dv
    void (*respond_four)(LitheCoupling *c, double *G, double *sums);
    void (*try_four)(LitheCoupling *c, double length, const double *dv, double *G, double *sums);
    // the active set of such contacts with a finite vbar, and their law with it; returns how many
    // have changed
    int32_t (*active_four)(LitheCoupling *c, double *G);
    // lithe_slip_update and lithe_slip_hessian of such contacts (solve/slip.h); d: their slips
    void (*slip_four)(const LitheCoupling *c, const double *dv, double *d);
    void (*bend_four)(const LitheCoupling *c, const double *d, double *G);
    // groups (solve/group_kernel.h): out += J x of the points, group_sums = J' x, group_matrix =
    // J' G J; `stride` doubles from one point to the next, G [points][9]
    void (*group_velocity)(const LitheSystem *s, const LitheGroup *g, const double *x, double *out,
                           ptrdiff_t stride);
    void (*group_gather)(const LitheSystem *s, const LitheGroup *g, const double *x,
                         ptrdiff_t stride);
    void (*group_term)(const LitheSystem *s, const LitheGroup *g, const double *G);
    // out += rounding of J' impulse where x is that of the velocities and `unit` that of a sum
    void (*group_blur)(const LitheSystem *s, const LitheGroup *g, const double *G, double unit,
                       const double *x, double *out);
    // one sweep over a group in lanes
    void (*lanes)(LitheSystem *s, LitheGroup *g, const LitheLaneJob *job, double *sums);
} LitheLoopKernel;

extern const LitheLoopKernel lithe_loop_kernel_portable;
#if defined(__x86_64__)
extern const LitheLoopKernel lithe_loop_kernel_avx2;
#endif

/// The table in use.
static inline const LitheLoopKernel *lithe_loop_kernel(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &lithe_loop_kernel_avx2;
#endif
    return &lithe_loop_kernel_portable;
}

#endif
