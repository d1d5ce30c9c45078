// SPDX-License-Identifier: Apache-2.0
// tests/run/test_sample.c - points of the unit cube: strata, known values, seeds

#include "test.h"

#include "run/sample.h"

#include <math.h>
#include <string.h>

enum { COUNT = 256 };

static void sample(LitheSampling sampling, uint64_t seed, int32_t dimension, double shares[COUNT]) {
    lithe_sample(sampling, seed, dimension, COUNT, shares);
}

// whether each of `slices` equal parts of [0, 1) has count / slices of the first `count` points
static bool is_even(const double *shares, int32_t count, int32_t slices) {
    int32_t found[COUNT] = {0};
    for (int32_t i = 0; i < count; i++)
        found[(int32_t)(shares[i] * slices)]++;
    for (int32_t k = 0; k < slices; k++)
        if (found[k] != count / slices)
            return false;
    return true;
}

// The sets of the first 4 points in natural binary order: {0, 1/2, 1/4, 3/4}, for the second
// coordinate with the polynomial x + 1: {0, 1/2, 3/4, 1/4}.
TEST(the_first_sobol_points_without_shift_are_those_of_the_definition) {
    double a[COUNT], b[COUNT];
    sample(LITHE_SAMPLE_SOBOL, 0, 0, a);
    sample(LITHE_SAMPLE_SOBOL, 0, 1, b);
    const double x[] = {0, 0.5, 0.25, 0.75}, y[] = {0, 0.5, 0.75, 0.25};
    for (int i = 0; i < 4; i++) {
        CHECK(a[i] == x[i]);
        CHECK(b[i] == y[i]);
    }
}

TEST(sobol_and_latin_points_fill_every_slice_of_every_coordinate) {
    for (int32_t d = 0; d < LITHE_SOBOL_MAX; d++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            double shares[COUNT];
            sample(LITHE_SAMPLE_SOBOL, seed, d, shares);
            for (int32_t count = 2; count <= COUNT; count *= 2)
                CHECK(is_even(shares, count, count));
            sample(LITHE_SAMPLE_LATIN, seed, d, shares);
            CHECK(is_even(shares, COUNT, COUNT));
        }
}

// Each pair of the first coordinates is a (0, 2)- or (1, 2)-net: at most 2 points per elementary
// box.
TEST(pairs_of_sobol_coordinates_fill_boxes) {
    for (int32_t d = 1; d < LITHE_SOBOL_MAX; d++) {
        double a[COUNT], b[COUNT];
        sample(LITHE_SAMPLE_SOBOL, 5, d - 1, a);
        sample(LITHE_SAMPLE_SOBOL, 5, d, b);
        int32_t found[4][4] = {0};
        for (int32_t i = 0; i < COUNT; i++)
            found[(int32_t)(4 * a[i])][(int32_t)(4 * b[i])]++;
        for (int32_t i = 0; i < 16; i++)
            CHECK(found[i / 4][i % 4] == COUNT / 16);
    }
}

// standard deviation of the mean of 256 points: 0.29 / 16 = 0.018; the bound is 4.4 of them
TEST(random_points_have_mean_and_variance_of_the_uniform_law) {
    double all = 0;
    for (int32_t d = 0; d < 20; d++) {
        double shares[COUNT], sum = 0, squares = 0;
        sample(LITHE_SAMPLE_RANDOM, 3, d, shares);
        for (int32_t i = 0; i < COUNT; i++) {
            CHECK(shares[i] >= 0 && shares[i] < 1);
            sum += shares[i];
            squares += (shares[i] - 0.5) * (shares[i] - 0.5);
        }
        CHECK(fabs(sum / COUNT - 0.5) < 0.08);
        CHECK(fabs(squares / COUNT - 1.0 / 12) < 0.02);
        all += sum / COUNT;
    }
    CHECK(fabs(all / 20 - 0.5) < 0.018);
}

TEST(a_seed_gives_the_same_points_and_another_seed_others) {
    const LitheSampling kinds[] = {LITHE_SAMPLE_RANDOM, LITHE_SAMPLE_LATIN, LITHE_SAMPLE_SOBOL};
    for (int k = 0; k < 3; k++) {
        double a[COUNT], b[COUNT];
        sample(kinds[k], 11, 2, a);
        sample(kinds[k], 11, 2, b);
        CHECK(memcmp(a, b, sizeof a) == 0);
        sample(kinds[k], 12, 2, b);
        CHECK(memcmp(a, b, sizeof a) != 0);
        sample(kinds[k], 11, 3, b);
        CHECK(memcmp(a, b, sizeof a) != 0);
    }
}

TEST(more_points_begin_with_the_same_ones) {
    double few[16], many[COUNT];
    lithe_sample(LITHE_SAMPLE_SOBOL, 4, 6, 16, few);
    sample(LITHE_SAMPLE_SOBOL, 4, 6, many);
    CHECK(memcmp(few, many, sizeof few) == 0);
    lithe_sample(LITHE_SAMPLE_RANDOM, 4, 6, 16, few);
    sample(LITHE_SAMPLE_RANDOM, 4, 6, many);
    CHECK(memcmp(few, many, sizeof few) == 0);
}
