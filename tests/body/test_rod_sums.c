// SPDX-License-Identifier: Apache-2.0
// tests/body/test_rod_sums.c - sums over the DoFs of a rod against their formulas in plain C

#include "body/rod_sums.h"

#include "test.h"

#include <math.h>

enum { NODES = 5, DOFS = 4 * NODES };

static void compare_with_formulas(const LitheRodSums *sums, bool still) {
    TestRandom random = {3};
    double x[8][DOFS], r[DOFS];
    unsigned char held[DOFS] = {0};
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < DOFS; i++)
            x[k][i] = test_random(&random, k == 0 ? 0.1 : -1, 1);
    held[2] = held[DOFS - 1] = 1;
    x[6][7] = -0.5; // a diagonal that is not positive
    LitheRod rod = {.node_count = NODES, .mass = x[0], .held = held, .damping_mass = 0.7};
    LitheRodWork work = {
        .force = x[1], .gyro = x[2], .v0 = x[3], .gradient = x[4], .diagonal = x[6]};
    work.plan.h = 0.3;
    work.plan.c = 1.5;
    work.plan.still = still;
    const double *w = x[5];
    double potential = 0, alpha = still ? 0 : 0.3 * 0.7, got = sums->inertia(&rod, &work, w, r);
    for (int i = 0; i < DOFS; i++) {
        double dv = w[i] - (still ? 0 : x[3][i]), f = 0.3 * (x[1][i] + x[2][i]);
        double c = held[i] ? !still : 1.5;
        CHECK_NEAR(r[i], x[0][i] * (c * dv + alpha * w[i]) - f + 0.3 * x[4][i], 1e-14);
        potential += 0.5 * x[0][i] * (c * dv * dv + alpha * w[i] * w[i]) - f * w[i];
    }
    CHECK_NEAR(got, potential, 1e-13);

    LitheRodSquares q = sums->squares(&rod, &work, x[7]), want = {0};
    for (int i = 0; i < DOFS; i++) {
        double weight = held[i] || !(x[6][i] > 0) ? 0 : 1 / x[6][i];
        want.residual += weight * x[7][i] * x[7][i];
        want.momentum += weight * pow(x[0][i] * x[3][i], 2);
        want.load += weight * x[1][i] * x[1][i];
        want.elastic += weight * x[4][i] * x[4][i];
        want.noise += i % 4 == 3 ? 0 : weight;
    }
    CHECK_NEAR(q.residual / want.residual, 1, 1e-13);
    CHECK_NEAR(q.momentum / want.momentum, 1, 1e-13);
    CHECK_NEAR(q.load / want.load, 1, 1e-13);
    CHECK_NEAR(q.elastic / want.elastic, 1, 1e-13);
    CHECK_NEAR(q.noise / want.noise, 1, 1e-13);
}

TEST(sums_of_any_processor_are_their_formulas) {
    compare_with_formulas(&lithe_rod_sums_portable, false);
    compare_with_formulas(&lithe_rod_sums_portable, true);
}

TEST(sums_in_use_are_their_formulas) {
    compare_with_formulas(lithe_rod_sums(), false);
    compare_with_formulas(lithe_rod_sums(), true);
}
