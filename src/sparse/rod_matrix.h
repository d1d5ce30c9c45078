// SPDX-License-Identifier: Apache-2.0
// sparse/rod_matrix.h - the symmetric matrix of one rod: factor, solve, multiply, inertia
//
// Four unknowns per node (position and the twist of the edge that starts there). A node couples to
// its next two neighbours; docs/theory/rod-solver.md has the equations. Nothing here allocates.

#ifndef LITHE_SPARSE_ROD_MATRIX_H
#define LITHE_SPARSE_ROD_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum {
    LITHE_ROD_PANEL = 48,     // doubles of one column block in a LitheRodMatrix
    LITHE_ROD_MIN_OPEN = 2,   // nodes
    LITHE_ROD_MIN_CLOSED = 5, // nodes; with fewer, two nodes would be neighbours in both directions
};

// A pivot counts as zero when it is at most this times the diagonal entry of its row: about 45
// rounding errors. With a smaller threshold a pivot could consist of rounding errors; with a larger
// one a long soft rod would be refused (the last pivot of a cantilever of N nodes is about N^-3 of
// its diagonal).
#define LITHE_ROD_PIVOT_THRESHOLD 1e-14

/// Column block i is a 12x4 panel, column-major: entry (row, column) at [12*column + row].
/// Rows 0-3 hold block (i, i), of which only the lower triangle is read; rows 4-7 block (i+1, i);
/// rows 8-10 block (i+2, i), whose last row (panel row 11: the twist of node i+2 does not couple
/// to node i) is never read. Node numbers are modulo node_count when closed; for an open rod the
/// blocks beyond the end are never read.
typedef struct LitheRodMatrix {
    int32_t node_count; // at least LITHE_ROD_MIN_OPEN or LITHE_ROD_MIN_CLOSED
    bool closed;
    double *panel; // [node_count, LITHE_ROD_PANEL]
} LitheRodMatrix;

typedef enum LithePivotRule {
    LITHE_PIVOT_POSITIVE, // stop at the first pivot that is not above the threshold
    LITHE_PIVOT_ANY,      // continue through negative pivots and count them; stop at a zero one
} LithePivotRule;

/// Outcome of the factorisation. When first_bad is not -1 the factor must not be used, and the
/// other two fields refer to the pivots up to and including that one. A NaN or an infinity in the
/// values that are read always leads to a bad pivot.
typedef struct LitheRodPivots {
    int32_t negative_count; // number of negative eigenvalues when first_bad is -1
    int32_t first_bad;      // unknown whose pivot is refused; -1: none
    double smallest;        // the smallest pivot, negative ones included [unit of the matrix]
} LitheRodPivots;

/// Number of doubles of a factor.
int64_t lithe_rod_factor_size(int32_t node_count, bool closed);

/// A = L D L'. `factor` [lithe_rod_factor_size].
void lithe_rod_factor(const LitheRodMatrix *a, LithePivotRule rule, double *factor,
                      LitheRodPivots *pivots);

/// x = A\x with the factor of A. `x` [4*node_count].
void lithe_rod_solve(int32_t node_count, bool closed, const double *factor, double *x);

/// A += scale B, panel by panel; `panel` [LITHE_ROD_PANEL*node_count] is that of B.
void lithe_rod_add(LitheRodMatrix *a, double scale, const double *panel);

/// y = A x; both [4*node_count], not overlapping.
void lithe_rod_multiply(const LitheRodMatrix *a, const double *x, double *y);

/// One implementation of factor and solve. All share one factor layout and agree to rounding.
typedef struct LitheRodKernel {
    const char *name;
    void (*factor)(const LitheRodMatrix *a, LithePivotRule rule, double *factor,
                   LitheRodPivots *pivots);
    void (*solve)(int32_t node_count, bool closed, const double *factor, double *x);
} LitheRodKernel;

/// Kernels this processor can run, the fastest (the one in use) first, the plain reference last;
/// NULL past the end.
const LitheRodKernel *lithe_rod_kernel(int32_t index);

/// Name of the kernel in use: "avx2" or "portable".
const char *lithe_rod_kernel_name(void);

#endif
