// SPDX-License-Identifier: Apache-2.0
// solve/lcp_contact.h - contacts, limits and drives of a step as a conditioned complementarity
// problem
//
// With W = L L' the matrix of the velocity step, v+ = v + W\J'lambda, and the rows S = J L^-T, all
// products are S S' and the change of velocity is L^-T S'lambda. Elimination of bilateral rows, the
// choice of independent normals and the recheck of dropped contacts need nothing but S. Numbers in
// brackets: docs/theory/lcp.md.

#ifndef LITHE_SOLVE_LCP_CONTACT_H
#define LITHE_SOLVE_LCP_CONTACT_H

#include "solve/lcp.h"

/// Two surfaces in contact (a normal row, two tangent rows), a limit (a normal row), or a bounded
/// drive or dry friction (one tangent row with a bound).
typedef struct LitheLcpContact {
    int32_t normal;        // its row; -1: none
    int32_t tangent;       // the first of its tangent rows
    int32_t tangent_count; // 0: no friction; 1: both ways; 2: all directions of the setting
    double mu, bound;      // friction is at most mu * normal impulse + bound [N s]
    double push;           // part of v by which an overlap is pushed apart, <= 0 [m/s]
} LitheLcpContact;

typedef struct LitheLcpRows {
    int32_t dof_count, row_count, contact_count;
    const double *S;    // [row_count][dof_count]
    const double *v;    // [row_count] free velocity; normals include c(gap) of (L3) [m/s]
    const double *soft; // [row_count] compliance of a row [m/(N s^2)], or NULL
    const LitheLcpContact *contacts;
} LitheLcpRows;

/// How far a problem had to be weakened to have a solution.
typedef enum LitheLcpWeakened {
    LITHE_LCP_AS_POSED,
    LITHE_LCP_NOT_PUSHED,   // overlaps are not pushed apart
    LITHE_LCP_FRICTIONLESS, // and contacts have no friction
    LITHE_LCP_UNSOLVED,     // no impulses
} LitheLcpWeakened;

typedef struct LitheLcpStepReport {
    int32_t contacts, kept, dropped, brought_back;
    double condition;   // of the kept normals: (R_11/R_kk)^2
    int32_t iterations; // of all solves
    double residual;    // natural, of the last solve (L12)
    int32_t restarts, fall_backs;
    LitheLcpWeakened weakened;
    LitheLcpOutcome as_posed; // outcome before the problem was weakened
} LitheLcpStepReport;

/// Memory that only grows.
typedef struct LitheLcpContactWork {
    LitheLcpWork lcp;
    double *doubles;
    int32_t *kept; // [contact_count] contacts, in the order of their rows
    LitheLcpBlock *blocks;
    int32_t double_capacity, kept_capacity, block_capacity;
    int32_t kept_count, n; // of the last problem
    double *A, *b, *start; // the last problem as posed to the solver, and its start, for tests
} LitheLcpContactWork;

void lithe_lcp_contact_work_begin(LitheLcpContactWork *work, LitheContext *context);
void lithe_lcp_contact_work_end(LitheLcpContactWork *work);

/// Numbers of z per contact.
static inline int32_t lithe_lcp_stride(const LitheLcpSetting *setting) {
    return setting->directions + 2;
}

/// Solves for the impulses [row_count] of all rows and u = S'impulse [dof_count]. z
/// [contact_count][stride] is the start, 0 for new contacts, then the solution. An unsolved problem
/// is data: see report->weakened. False when out of memory.
bool lithe_lcp_contacts(const LitheLcpRows *rows, const LitheLcpSetting *setting,
                        LitheLcpContactWork *work, double *z, double *impulse, double *u,
                        LitheLcpStepReport *report);

/// (L5): chooses independent rows among `count` rows of S, which are given by `index`, by
/// orthogonalisation with exchanges; `chosen` [count] gets positions in `index`.
/// Returns how many. `condition`: (R_11/R_kk)^2, 1 without rows. `work` [(count + dof_count) *
/// dof_count].
int32_t lithe_lcp_rank(const double *S, int32_t dof_count, const int32_t *index, int32_t count,
                       double tolerance, int32_t *chosen, double *condition, double *work);

#endif
