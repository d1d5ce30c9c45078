// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_slip.c - directions of friction: contacts with three rows are written out
//
// A contact with torsion (four rows) takes the general way. Its sliding rows have the same formulas
// (V28), (V29) as those of a contact with three rows.

#include "solve/slip.h"

#include "test.h"

#include <math.h>

enum { CASES = 2000 };

static double draw(TestRandom *random, double size) {
    return test_random(random, -size, size);
}

// the same contact with three rows and with four
static void make(TestRandom *random, LitheCoupling c[2], double slip[2][LITHE_COUPLED_ROWS],
                 double dv[2][LITHE_COUPLED_ROWS]) {
    double scale = pow(10, draw(random, 3));
    c[0] = (LitheCoupling){.term = {.kind = LITHE_TERM_LAGGED,
                                    .rows = 3,
                                    .mu = 0.5,
                                    .n0 = fmax(draw(random, 1), 0),
                                    .eps = 1e-2}};
    for (int k = 0; k < 2; k++) {
        c[0].v[k] = draw(random, scale);
        dv[0][k] = dv[1][k] = draw(random, 2 * scale);
        slip[0][k] = slip[1][k] = draw(random, 0.7);
    }
    c[1] = c[0];
    c[1].term.rows = 4;
    c[1].term.torsion = 0.1;
    c[1].term.eps_torsion = 1e-2;
}

TEST(contacts_with_three_rows_slip_as_those_with_torsion) {
    TestRandom random = {3};
    int turned = 0, moved = 0;
    for (int i = 0; i < CASES; i++) {
        LitheCoupling c[2];
        double slip[2][LITHE_COUPLED_ROWS] = {{0}}, dv[2][LITHE_COUPLED_ROWS] = {{0}};
        double G[9] = {0}, H[16] = {0};
        make(&random, c, slip, dv);
        LitheSystem s = {.couplings = c, .coupling_count = 2, .slip = slip[0], .dv = dv[0]};
        lithe_slip_hessian(&s, 0, G);
        lithe_slip_hessian(&s, 1, H);
        for (int k = 0; k < 2; k++)
            for (int j = 0; j < 2; j++) {
                CHECK_NEAR(G[3 * k + j], H[4 * k + j], 1e-15);
                moved += G[3 * k + j] != 0;
            }
        lithe_slip_update(&s, 0);
        lithe_slip_update(&s, 1);
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(slip[0][k], slip[1][k], 1e-15);
        turned += slip[0][0] == 0 && slip[0][1] == 0;
    }
    // velocities that reverse, friction that acts
    CHECK(turned > CASES / 10 && turned < CASES / 2);
    CHECK(moved > CASES);
}
