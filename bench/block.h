// SPDX-License-Identifier: Apache-2.0
// bench/block.h - the block cases: what the linear algebra of bodies in contact costs
//
// Rings: a chain of 100 rings of 20 nodes, each ring in contact with the next at four pairs of
// segments (8000 unknowns). Rod: an open rod of 300 nodes with 150 contacts of random (seeded)
// pairs of its segments, at least four segments apart. Values are random and positive definite.

#ifndef LITHE_BENCH_BLOCK_H
#define LITHE_BENCH_BLOCK_H

#include "lithe/lithe.h"

typedef enum LitheBenchBlockCase {
    LITHE_BENCH_RINGS,
    LITHE_BENCH_KNOTTED_ROD,
} LitheBenchBlockCase;

typedef struct LitheBenchBlock {
    int32_t blocks;
    int32_t unknowns;
    int32_t contacts;
    int64_t factor_blocks; // of L
    int32_t redone;        // columns of the refactoring
    int32_t repeats;
    double build;         // the pattern from its pairs [s]; all times are the best of the repeats
    double analyse;       // order, with the nodes in contact last, and pattern of L [s]
    double analyse_given; // the same with the order given [s]
    double factor;        // all columns [s]
    double refactor;      // after a change in all nodes in contact [s]
    double solve;         // [s]
    double error;         // backward error of the solution
    double unit_ns;       // of this machine, now
    double cost_units;    // factor and solve, a node of 4 unknowns
    int64_t peak_memory_bytes;
} LitheBenchBlock;

LitheStatus lithe_bench_block(LitheBenchBlockCase which, LitheBenchBlock *result,
                              LitheError *error);

#endif
