// SPDX-License-Identifier: Apache-2.0
// run/sample.h - points of the unit cube: random, Latin hypercube, Sobol; the same for a seed

#ifndef LITHE_RUN_SAMPLE_H
#define LITHE_RUN_SAMPLE_H

#include <stdint.h>

typedef enum LitheSampling {
    LITHE_SAMPLE_RANDOM, // independent
    LITHE_SAMPLE_LATIN,  // one point in each of `count` equal slices of every coordinate
    LITHE_SAMPLE_SOBOL,  // low discrepancy: any 2^k consecutive points from the first fill 2^k
                         // slices
} LitheSampling;

/// The Sobol sequence has direction numbers for this many coordinates.
#define LITHE_SOBOL_MAX 21

/// Coordinate `dimension`, from 0, of points 0 .. count-1: shares [count] in [0, 1). More points of
/// the same seed begin with the same ones, except with LITHE_SAMPLE_LATIN.
void lithe_sample(LitheSampling sampling, uint64_t seed, int32_t dimension, int32_t count,
                  double *shares);

#endif
