// SPDX-License-Identifier: Apache-2.0
// solve/lcp.h - linear complementarity problems: solvers and scaling
//
// A problem is w = A z + b with z >= 0, w >= 0, z'w = 0. Matrices of contacts with polyhedral
// friction are singular and copositive (solve/lcp_contact.h); nothing else is assumed. Numbers in
// brackets: docs/theory/lcp.md.

#ifndef LITHE_SOLVE_LCP_H
#define LITHE_SOLVE_LCP_H

#include "base/meter.h"
#include "lithe/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LitheLcp {
    int32_t n;
    const double *A;   // [n*n] row-major
    const double *b;   // [n]
    LitheMeter *meter; // NULL: methods go on to their ends
} LitheLcp;

/// The methods.
typedef enum LitheLcpMethod {
    LITHE_LCP_NEWTON,       // semismooth Newton on Fischer-Burmeister's function
    LITHE_LCP_LEMKE,        // pivots in long doubles
    LITHE_LCP_GAUSS_SEIDEL, // projected sweeps over contacts
} LitheLcpMethod;

typedef enum LitheLcpOutcome {
    LITHE_LCP_SOLVED,
    LITHE_LCP_UNCONVERGED, // too many iterations, or no descent
    LITHE_LCP_RAY,         // Lemke: no complementary solution along the path; with a copositive
                           // matrix the constraints contradict each other
} LitheLcpOutcome;

/// Parameters; lithe_lcp_setting has the values that are tested.
typedef struct LitheLcpSetting {
    LitheLcpMethod method;
    int32_t directions;     // of polyhedral friction, at least 3
    bool rank;              // stage 1: keeps independent normals only
    bool scale;             // stage 2: Ruiz' row and column scaling
    bool regularise;        // stage 3: adds to the diagonal of normals
    bool recheck;           // brings back contacts that stage 1 dropped and that are violated
    bool warm;              // starts from the impulses of the last step
    bool fall_back;         // Lemke where the method fails, then weaker problems
    double rank_tolerance;  // relative size of a pivot
    double regularisation;  // of the scaled problem
    double tolerance;       // of Newton, on the scaled problem
    double accept;          // largest natural residual of a solution, relative (L12)
    double damping;         // first parameter of Levenberg and Marquardt
    int32_t max_iterations; // of Newton; sweeps: 20 times as many
} LitheLcpSetting;

LitheLcpSetting lithe_lcp_setting(void);

typedef struct LitheLcpReport {
    LitheLcpOutcome outcome;
    int32_t iterations; // of the methods tried, together
    double residual;    // natural, relative (L12)
    bool restarted;     // Newton did not converge from the warm start
    bool fell_back;     // Lemke was needed
} LitheLcpReport;

/// Rows of one contact, limit or drive in z: the normal impulse (if `normal`), `directions`
/// impulses of friction, and, with directions, the largest sliding speed.
typedef struct LitheLcpBlock {
    int32_t first;
    bool normal;
    int32_t directions;
    double mu, bound; // the sum of the impulses of friction is at most mu * normal + bound
} LitheLcpBlock;

static inline int32_t lithe_lcp_block_size(const LitheLcpBlock *block) {
    return block->normal + (block->directions > 0 ? block->directions + 1 : 0);
}

/// Memory that only grows.
typedef struct LitheLcpWork {
    LitheContext *context;
    LitheMeter *meter; // of the step, or NULL
    double *doubles;
    long double *longs;
    int32_t *integers;
    int32_t double_capacity, long_capacity, integer_capacity;
} LitheLcpWork;

void lithe_lcp_work_end(LitheLcpWork *work);

/// (L12): the natural residual max |min(A_ii z_i, w_i)|, velocities [m/s] relative to |b_i| where
/// that is above 1. Impulses that cancel do not excuse an approach.
double lithe_lcp_residual(const LitheLcp *problem, const double *z);

/// (L8): y from its start to a solution; `work` [lithe_lcp_newton_size(n)].
LitheLcpReport lithe_lcp_newton(const LitheLcp *problem, const LitheLcpSetting *setting, double *y,
                                double *work);
int64_t lithe_lcp_newton_size(int32_t n);

/// Lemke's method from z = 0; `work` [lithe_lcp_lemke_size(n)], `basis` [2n + 2].
LitheLcpReport lithe_lcp_lemke(const LitheLcp *problem, double *z, long double *work,
                               int32_t *basis);
int64_t lithe_lcp_lemke_size(int32_t n);

/// Projected Gauss-Seidel over blocks, z from its start; `work` [3n].
LitheLcpReport lithe_lcp_gauss_seidel(const LitheLcp *problem, const LitheLcpBlock *blocks,
                                      int32_t block_count, const LitheLcpSetting *setting,
                                      double *z, double *work);

/// (L6): scales A and b of a problem of n rows in place by rows and columns; `rows` and `columns`
/// [n] are the factors, z = columns y. `work` [n*n + 2n].
void lithe_lcp_scale(int32_t n, double *A, double *b, double *rows, double *columns, double *work);

/// Conditions a problem by stages 2 and 3 and solves it by the method of the setting, with restart
/// and fall-back to Lemke. `blocks` tell normals, and are needed by sweeps. z: the start, then the
/// solution; of an unsolved problem the last iterate. False when out of memory.
bool lithe_lcp_solve(const LitheLcp *problem, const LitheLcpBlock *blocks, int32_t block_count,
                     const LitheLcpSetting *setting, LitheLcpWork *work, double *z,
                     LitheLcpReport *report);

#endif
