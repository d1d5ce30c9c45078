// SPDX-License-Identifier: Apache-2.0
// solve/lcp_hold.h - equality constraints of an island, eliminated before its complementarity
// problem
//
// With the whitened rows C of welds, attachments, distances and springs, and Q an orthonormal basis
// of them, the velocity w + L^-T Q'y satisfies the constraints, and impulses of the other rows S
// keep it so if they act by S (1 - Q'Q). A row with a compliance R has a column of its own, with
// the entry sqrt(R). Numbers in brackets: docs/theory/lcp.md.

#ifndef LITHE_SOLVE_LCP_HOLD_H
#define LITHE_SOLVE_LCP_HOLD_H

#include "assemble/assemble.h"

struct LitheLcpScratch;

/// One row of a constraint.
typedef struct LitheLcpHold {
    int32_t coupling, row;
    double speed;  // at the free velocity [m/s or rad/s]
    double target; // velocity that corrects its error, or that of its spring
    double size;   // of its whitened row; `C` has it divided by this
    bool soft;     // a spring
    bool used;     // in the basis, or found to depend on it
} LitheLcpHold;

/// Rows of the constraints of an island; memory only grows.
typedef struct LitheLcpHolds {
    LitheLcpHold *list;
    int32_t *chosen; // [rank] rows of the basis, in their order
    double *doubles;
    int32_t list_capacity, chosen_capacity, double_capacity;
    int32_t count, rank, columns; // columns: DoFs of the island, then one for each spring
    int32_t contradicts;          // a constraint whose dependent row contradicts others, or -1
    double contradiction;         // by this velocity [m/s or rad/s]
    // in `doubles`
    double *C;    // [count][columns] whitened rows of size 1
    double *rest; // [count][columns] without their parts in the basis
    double *Q;    // [rank][columns] orthonormal
    double *R;    // [rank][rank], C of the chosen rows = R Q, lower triangle
    double *K;    // [rows of the complementarity problem][rank] their parts in the basis
    double *y;    // [rank] velocity change along the basis
    double *part; // [rank] scratch
} LitheLcpHolds;

/// Memory for all constraints of a numbered system with `rows` rows of other couplings; `count`
/// gets the largest number of rows of constraints. False when there is none.
bool lithe_lcp_holds_reserve(const LitheSystem *system, int64_t rows, LitheLcpHolds *holds,
                             int64_t *count);
void lithe_lcp_holds_free(LitheContext *context, LitheLcpHolds *holds);

/// Whether a coupling is an equality constraint, which is eliminated.
bool lithe_lcp_is_hold(const LitheCoupling *c);

/// The constraints of an island, whose DoFs are numbered: (L19) to (L21). Adds the columns of
/// springs to s->dof_count, and moves system->w to a velocity that satisfies them.
void lithe_lcp_hold(const LitheAssembly *all, LitheSystem *system, int32_t root,
                    struct LitheLcpScratch *s);

/// Takes the part in the basis out of row `index` of s->S.
void lithe_lcp_project(struct LitheLcpScratch *s, int32_t index);

/// (L22): impulses of the constraints, from those of the rows of the island.
void lithe_lcp_hold_finish(LitheSystem *system, struct LitheLcpScratch *s);

#endif
