// SPDX-License-Identifier: Apache-2.0
// solve/lcp_rows.h - couplings of a step as whitened rows, island by island
//
// Every unit has one node: a body, or a robot with all its joints. With A = L L' of each unit, the
// whitened row of J is J L^-T. An island is a set of units that couplings connect, directly or by
// others; islands are solved one after the other.

#ifndef LITHE_SOLVE_LCP_ROWS_H
#define LITHE_SOLVE_LCP_ROWS_H

#include "assemble/assemble.h"
#include "solve/lcp_contact.h"
#include "solve/lcp_hold.h"

/// Rows of a step; memory only grows.
typedef struct LitheLcpScratch {
    LitheLcpContactWork lcp;
    LitheLcpStepReport report;
    LitheLcpHolds holds; // equality constraints of an island
    bool solved;         // the report is of this step
    bool has_warned;     // of constraints that contradict each other
    double *doubles;
    LitheLcpContact *contacts;
    int32_t *source; // [contact_count] coupling
    int32_t *island; // [node_count] smallest node of its island; then offsets of its DoFs there
    double *rates;   // [v_count] explicit schemes: mean accelerations without contacts
    int32_t double_capacity, contact_capacity, source_capacity, rate_capacity;
    int32_t island_capacity;
    LitheState *ahead[2]; // rk23: states of its substeps
    double *beyond;       // [v_count] rk23: velocity at the end beyond the mean one
    double *stages;       // rk23: velocities and accelerations of its stages
    int32_t beyond_capacity, stage_capacity;
    bool unsolved; // the problem of an island has no solution that was found
    // in `doubles`
    double *L; // factors of the units, one after the other, each [n][n]
    double *z; // [contact_count][directions + 2]
    double *S, *v, *soft, *impulse, *u, *a;  // of an island
    int32_t row_count, contact_count, first; // rows of the island; contacts so far; its first one
    int32_t dof_count;                       // of the island, with the columns of its springs
} LitheLcpScratch;

/// Memory for all couplings of a numbered system; false when there is none.
bool lithe_lcp_rows_reserve(const LitheModel *model, const LitheSystem *system, LitheLcpScratch *s);

/// A = L L' in place, the lower triangle of [n][n]; false: not positive definite.
bool lithe_lcp_factor(int32_t n, double *L);

/// x = L\x, and x = L'\x.
void lithe_lcp_forward(int32_t n, const double *L, double *x);
void lithe_lcp_backward(int32_t n, const double *L, double *x);

/// Velocity of a row at system->w.
double lithe_lcp_speed(const LitheSystem *system, const LitheCoupling *c, int32_t row);

/// Finds the islands: s->island[node] is the smallest node of its island.
void lithe_lcp_islands(const LitheSystem *system, LitheLcpScratch *s);

/// Numbers the DoFs of an island: s->dof_count, and the offsets of its nodes.
void lithe_lcp_number_island(const LitheSystem *system, int32_t root, LitheLcpScratch *s);

/// A row of a coupling, whitened: S [s->dof_count] = J L^-T.
void lithe_lcp_whiten(const LitheSystem *system, const LitheCoupling *c, int32_t row,
                      const LitheLcpScratch *s, double *S);

/// system->w += L^-T s->u; overwrites s->u.
void lithe_lcp_move_island(LitheSystem *system, int32_t root, LitheLcpScratch *s);

/// Rows and contacts of the couplings of an island, after those of earlier islands.
void lithe_lcp_list_rows(const LitheAssembly *all, const LitheSystem *system, int32_t root,
                         LitheLcpScratch *s);

/// Impulses of the couplings of a solved island, and system->w at the end.
void lithe_lcp_finish_island(LitheSystem *system, int32_t root, LitheLcpScratch *s);

/// (L15): s->rates and s->beyond of the motion without contacts by rk23; the step of the units
/// begins again.
LitheStatus lithe_lcp_rk23(const LitheAssembly *all, LitheLcpScratch *s, LitheError *error);

/// After the units have ended their step: their velocities at its end.
void lithe_lcp_rk23_end(const LitheModel *model, const LitheLcpScratch *s, const LitheWork *work,
                        LitheState *state);
void lithe_lcp_rk23_free(LitheContext *context, LitheLcpScratch *s);

#endif
