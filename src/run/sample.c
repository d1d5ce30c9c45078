// SPDX-License-Identifier: Apache-2.0
// run/sample.c - coordinates of points from counters: no state, no order of calls
//
//     random   u_i = r(seed, d, i)
//     latin    u_i = (p(i) + r(seed, d, i)) / n, p a random permutation of 0 .. n-1 per coordinate
//     sobol    u_i = (x_i xor s_d) / 2^32, x_i = xor of the direction numbers v_k of the bits k of
//     i,
//              s_d = a random digital shift per coordinate, which keeps the slices filled

#include "run/sample.h"

// --- random numbers ------------------------------------------------------------------------------

// A bijection of 64 bits without visible pattern (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators, 2014).
static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// which random numbers are used for what
enum { USE_PLACE, USE_ORDER, USE_SHIFT };

static uint64_t draw(uint64_t seed, int32_t dimension, int use, int32_t i) {
    return mix(mix(mix(seed) ^ ((uint64_t)dimension << 2 | (uint64_t)use)) ^ (uint64_t)i);
}

// in [0, 1), a multiple of 2^-53
static double uniform(uint64_t bits) {
    return (double)(bits >> 11) * 0x1p-53;
}

// --- Sobol ---------------------------------------------------------------------------------------

// Primitive polynomials and first direction numbers of Joe and Kuo, Constructing Sobol sequences
// with better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008); the first coordinate
// needs none.
static const struct {
    uint32_t degree, polynomial; // the inner coefficients, the highest first
    uint32_t first[7];           // m_1 .. m_degree
} sobol[LITHE_SOBOL_MAX - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

// v [32]: the fractions v_k = m_(k+1) / 2^(k+1) as 32 bits after the point
static void sobol_directions(int32_t dimension, uint32_t v[32]) {
    if (dimension == 0) {
        for (uint32_t k = 0; k < 32; k++)
            v[k] = 1u << (31 - k);
        return;
    }
    const uint32_t degree = sobol[dimension - 1].degree;
    const uint32_t polynomial = sobol[dimension - 1].polynomial;
    for (uint32_t k = 0; k < 32; k++) {
        if (k < degree) {
            v[k] = sobol[dimension - 1].first[k] << (31 - k);
            continue;
        }
        v[k] = v[k - degree] ^ (v[k - degree] >> degree);
        for (uint32_t j = 1; j < degree; j++)
            if (polynomial >> (degree - 1 - j) & 1)
                v[k] ^= v[k - j];
    }
}

static void sample_sobol(uint64_t seed, int32_t dimension, int32_t count, double *shares) {
    uint32_t v[32];
    sobol_directions(dimension, v);
    uint32_t shift = seed ? (uint32_t)(draw(seed, dimension, USE_SHIFT, 0) >> 32) : 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t x = shift;
        for (uint32_t k = 0, bits = (uint32_t)i; bits; k++, bits >>= 1)
            if (bits & 1)
                x ^= v[k];
        shares[i] = x * 0x1p-32;
    }
}

// --- all -----------------------------------------------------------------------------------------

static void sample_latin(uint64_t seed, int32_t dimension, int32_t count, double *shares) {
    for (int32_t i = 0; i < count; i++)
        shares[i] = i;
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t k = (int32_t)(uniform(draw(seed, dimension, USE_ORDER, i)) * (i + 1));
        double kept = shares[i];
        shares[i] = shares[k];
        shares[k] = kept;
    }
    for (int32_t i = 0; i < count; i++)
        shares[i] = (shares[i] + uniform(draw(seed, dimension, USE_PLACE, i))) / count;
}

void lithe_sample(LitheSampling sampling, uint64_t seed, int32_t dimension, int32_t count,
                  double *shares) {
    if (sampling == LITHE_SAMPLE_SOBOL)
        sample_sobol(seed, dimension, count, shares);
    else if (sampling == LITHE_SAMPLE_LATIN)
        sample_latin(seed, dimension, count, shares);
    else
        for (int32_t i = 0; i < count; i++)
            shares[i] = uniform(draw(seed, dimension, USE_PLACE, i));
}
