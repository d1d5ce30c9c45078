// SPDX-License-Identifier: Apache-2.0
// law/imc_fast.h - the contact energy of law/imc_pair.h for many pairs at once
//
// The plain form, one pair at a time, is law/imc_pair.c; tests compare the two. Each lane of a
// vector is one pair, and second derivatives are accumulated in reverse mode: the squared distance
// depends on t and u, and t and u depend on a chain of a few scalars. Each scalar adds its own
// second derivative times the derivative of the squared distance with respect to that scalar
// (law/imc_fast_kernel.h).

#ifndef LITHE_LAW_IMC_FAST_H
#define LITHE_LAW_IMC_FAST_H

#include "law/imc_pair.h"

/// The results of LitheImcPair for a pair, except its Hessian.
typedef struct LitheImcPush {
    double distance, t, u;
    Vec3 d;
    double energy;
    double force;
    double gradient[12];
} LitheImcPush;

enum {
    LITHE_IMC_BLOCKS = 10,   // of four nodes: (0,0), (1,0), (1,1), (2,0) ..
    LITHE_IMC_HESSIAN = 160, // numbers: blocks of 4 x 4, column by column
    LITHE_IMC_OUTER = 3,     // vectors of 16
};

typedef struct LitheImcMany {
    int32_t count;
    const double *x;     // [count][12] ends x0, x1, x2, x3 [m]
    const double *touch; // [count] l of (I9) [m]
    double max;          // f of (I9) [N]
    const LitheImcSetting *setting;
} LitheImcMany;

/// (I9) of all pairs. False when lithe_imc_pair is false for any pair; `out` [count] is then
/// undefined.
bool lithe_imc_many(const LitheImcMany *many, LitheImcPush *out);

/// Hessians of all pairs times `scale`, each LITHE_IMC_HESSIAN numbers: the blocks (i, j) of four
/// nodes, j <= i, rows of node i, with a fourth DoF per node that (I9) does not depend on. With
/// `outer` [count][LITHE_IMC_OUTER][16] the outer products of these vectors with themselves are
/// added. Only for pairs for which lithe_imc_many has returned true.
void lithe_imc_hessians(const LitheImcMany *many, double scale, const double *outer, double *out);

/// Adds the outer products of the vectors [LITHE_IMC_OUTER][16] with themselves to one Hessian.
void lithe_imc_add_outer(const double *outer, double *hessian);

/// Linear functions of the velocities of a pair's nodes: three rows of 16 DoFs each.
typedef struct LitheImcRows {
    int32_t node[4];
    double row[LITHE_IMC_OUTER][16];
} LitheImcRows;

/// Rows times w [DoFs, four per node], for all pairs: `out` [count][LITHE_IMC_OUTER].
void lithe_imc_rates(int32_t count, const LitheImcRows *rows, const double *w, double *out);

/// Adds scale (rows' f + gradient of the energy) of all pairs to `out` [DoFs]; f
/// [count][LITHE_IMC_OUTER].
void lithe_imc_spread(int32_t count, const LitheImcRows *rows, const double *f,
                      const LitheImcPush *now, double scale, double *out);

// --- the compiled forms --------------------------------------------------------------------------

typedef struct LitheImcKernel {
    const char *name;
    bool (*many)(const LitheImcMany *many, LitheImcPush *out);
    void (*hessians)(const LitheImcMany *many, double scale, const double *outer, double *out);
    void (*add_outer)(const double *outer, double *hessian);
    void (*rates)(int32_t count, const LitheImcRows *rows, const double *w, double *out);
    void (*spread)(int32_t count, const LitheImcRows *rows, const double *f,
                   const LitheImcPush *now, double scale, double *out);
} LitheImcKernel;

extern const LitheImcKernel lithe_imc_kernel_portable; // two lanes, any processor
#if defined(__x86_64__)
extern const LitheImcKernel lithe_imc_kernel_avx2; // four lanes
#endif

#endif
