// SPDX-License-Identifier: Apache-2.0
// bench/rod.h - the rod cases: what a step, a Newton iteration and a factorisation cost
//
// One rubber rod (radius 5 mm, 1 MPa, Poisson 0.5, 1000 kg/m^3, no damping), edges of 1 cm, along
// x, clamped at its start, let go from horizontal under 9.81 m/s^2; backward Euler, 1 ms, usual
// tolerance. The first 100 steps are warm-up; what is timed is the next 50, always from the same
// state. Nothing is random. Only the number of nodes differs between the cases.

#ifndef LITHE_BENCH_ROD_H
#define LITHE_BENCH_ROD_H

#include "lithe/lithe.h"

typedef struct LitheBenchRod {
    int32_t nodes;
    int32_t threads;
    int64_t dofs;        // unpadded
    double step;         // s
    double sim_seconds;  // of the timed window
    double wall_seconds; // of the timed window, median over repeats
    double busy_seconds; // the same in processor time; with several threads wall time
    int32_t repeats;
    double newton_mean;        // Newton iterations a step
    double unit_ns;            // of this machine, now
    double cost_units;         // per step and node, of busy_seconds
    double newton_units;       // evaluate with exact Hessian, factor, solve; per node
    double factor_units;       // factor and solve alone; per node
    int64_t peak_memory_bytes; // of everything the library allocated
    double bytes_per_node;     // model, state and work once made
    uint64_t hash;             // of the state at the end of the window
} LitheBenchRod;

LitheStatus lithe_bench_rod(int32_t nodes, int32_t threads, LitheBenchRod *result,
                            LitheError *error);

#endif
