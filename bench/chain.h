// SPDX-License-Identifier: Apache-2.0
// bench/chain.h - the chain cases: what a step of a rope of rigid capsules costs
//
// N rubber capsules of 1 cm (radius 4 mm, 1 MPa, Poisson 0.5, 1000 kg/m^3) in a row along x, the
// start pinned, let go from horizontal under 9.81 m/s^2; backward Euler, 1 ms, usual tolerances,
// contacts looked for. The first 100 steps are warm-up; what is timed is the next 50, always from
// the same state, one thread. Nothing is random. Only the number of capsules differs.

#ifndef LITHE_BENCH_CHAIN_H
#define LITHE_BENCH_CHAIN_H

#include "lithe/lithe.h"

typedef struct LitheBenchChain {
    int32_t capsules;
    int64_t dofs;
    double step;         // s
    double sim_seconds;  // of the timed window
    double wall_seconds; // of the timed window, best of the repeats
    double busy_seconds; // the same in processor time
    int32_t repeats;
    double contacts_mean;
    int32_t contacts_max;
    double solver_mean;        // Newton iterations of the coupled solve a step
    double passes_mean;        // passes a step
    double gap;                // largest distance of ends that should meet, in lengths of a capsule
    double unit_ns;            // of this machine, now
    double cost_units;         // per step and capsule, of busy_seconds
    int64_t peak_memory_bytes; // of everything the library allocated
    uint64_t hash;             // of the state at the end of the window
} LitheBenchChain;

LitheStatus lithe_bench_chain(int32_t capsules, LitheBenchChain *result, LitheError *error);

#endif
