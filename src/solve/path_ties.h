// SPDX-License-Identifier: Apache-2.0
// solve/path_ties.h - forces of near-rigid constraints and limits of joints in a step by arc
// length

#ifndef LITHE_SOLVE_PATH_TIES_H
#define LITHE_SOLVE_PATH_TIES_H

#include "assemble/assemble.h"
#include "data/work.h"

/// Velocities at which the laws of couplings are evaluated, and their rates.
typedef struct LithePathTies {
    double *v; // [count][LITHE_COUPLED_ROWS]
    int32_t count, capacity;
    double error; // the largest error of a near-rigid row at the present state [m or rad]
    bool *acts;   // [count] of one-sided rows: at the present state; others do
    int32_t acts_capacity;
    bool loose; // a one-sided row keeps a force, but does not act
} LithePathTies;

/// Before and after the same state was linearised at two times with the difference `dt`: notes
/// where its couplings are then (dt 0), and makes a rate of the difference. False when out of
/// memory.
bool lithe_path_ties_note(LithePathTies *ties, const LitheSystem *system, double dt);

/// Gives the couplings the forces that the state keeps (Q20), and measures the errors of their
/// rows. True where there are such couplings.
bool lithe_path_ties_keep(LithePathTies *ties, const LitheAssembly *all, LitheSystem *system);

/// (Q20): stores in the state the forces after the displacement `w`, in which the time changes by
/// `d`. False when out of memory.
bool lithe_path_ties_follow(const LithePathTies *ties, const LitheAssembly *all, LitheState *state,
                            const double *w, double d, LitheSystem *system);

void lithe_path_ties_release(LithePathTies *ties, LitheContext *context);

#endif
