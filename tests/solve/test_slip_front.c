// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_slip_front.c - a slip front that enters sticking contacts: iterations of a solve
//
// The chain of docs/theory/contact.md, section 6: masses on the floor, connected by springs, pulled
// obliquely at one end with a growing force, up to 0.54 of the force that would move them all.

#include "solve/loops.h"
#include "solve/slip.h"

#include "chain.h"

enum { STEPS = 40 };

// one step, with friction lagged until it converges; iterations of all its solves
static int step(Chain *c, double pull, int *solves) {
    LitheSystem *s = &c->s;
    double momentum = 0;
    for (int i = 0; i < DOFS; i++)
        momentum += mass * (c->v[i] * c->v[i] + pow(c->h * gravity, 2));
    LitheConvexSetting setting = {
        .tolerance = 1e-6, .momentum = sqrt(momentum), .max_iterations = 200};
    int iterations = 0;
    set_matrix(c, pull);
    set_contacts(c);
    for (bool again = true; again;) {
        double work[4 * DOFS], change = 0;
        CHECK(lithe_convex_solve(s, &setting));
        CHECK(s->converged);
        CHECK(lithe_system_check(s, &setting, false, work).failed == LITHE_CHECK_PASSED);
        setting.warm_start = true;
        iterations += s->iterations;
        *solves += 1;
        for (int i = 0; i < MASSES; i++)
            change =
                fmax(change, lithe_term_lag(&s->couplings[i].term, s->couplings[i].impulse[2]));
        again = change > 1e-3;
    }
    for (int i = 0; i < DOFS; i++) {
        c->v[i] = s->w[i];
        c->x[i] += c->h * s->w[i];
    }
    return iterations;
}

typedef struct Cost {
    double mean, solves; // per step
    int max;
} Cost;

// `stir`: random initial velocities up to this [m/s], then no force; 0: pulled
static Cost run_chain(LitheTermKind law, double h, LitheContactSetting setting, double stir) {
    Chain c;
    Cost cost = {0};
    TestRandom random = {9};
    int solves = 0;
    chain_begin(&c, law, h, setting);
    for (int i = 0; i < DOFS; i++)
        c.v[i] = stir * test_random(&random, -1, 1);
    double max = stir > 0 ? 0 : 0.54 * MASSES * mass * gravity * mu;
    for (int i = 0; i < STEPS; i++) {
        int now = step(&c, max * (i + 1) / STEPS, &solves);
        cost.mean += (double)now / STEPS;
        cost.max = now > cost.max ? now : cost.max;
    }
    cost.solves = (double)solves / STEPS;
    chain_end(&c);
    return cost;
}

static const double settings[][3] = {
    {1e-4, 1e-3, 1}, {1e-6, 1e-4, 0.1}, {1e-8, 1e-6, 0.1}, {1e-8, 1e-6, 0.01}, {1e-10, 1e-8, 0.01}};

// the table of the theory page; no law and no setting needs more than `mean` and `most`
static void table(double stir, double mean, int max) {
    for (int k = 0; k < 5; k++) {
        LitheContactSetting setting = lithe_contact_setting_default();
        setting.v_s = settings[k][0];
        setting.sigma = settings[k][1];
        setting.beta = settings[k][2];
        printf("  %g, %g, %g", setting.v_s, setting.sigma, setting.beta);
        const LitheTermKind laws[] = {LITHE_TERM_LAGGED, LITHE_TERM_SIMILAR, LITHE_TERM_SAP};
        for (int law = 0; law < 3; law++)
            for (int j = 0; j < 2; j++) {
                Cost cost = run_chain(laws[law], j == 0 ? 1e-3 : 1e-2, setting, stir);
                printf(" | %.1f (%d)", cost.mean, cost.max);
                CHECK(cost.mean <= mean);
                CHECK(cost.max <= max);
                CHECK(cost.solves < 4);
            }
        printf("\n");
    }
}

LONG_TEST(front_of_slip_needs_few_iterations_even_with_tiny_eps) {
    table(0, 12, 20);
}

LONG_TEST(everything_comes_to_rest_in_few_iterations_even_with_tiny_eps) {
    table(0.1, 12, 50);
}

// All masses slide at three times c = mu g h, and would go on at 0.2 c without friction. With the
// direction of sliding given, H has no slope of friction along it: Newton's step leads to -0.8 c.
// From there Newton's method in one dimension goes to and fro between -0.8 c and 1.2 c, across the
// jump of the slope at 0.
TEST(a_line_search_across_a_contact_that_stops_ends_by_halving) {
    Chain c;
    LitheContactSetting law = lithe_contact_setting_default();
    double speed = gravity * mu * 1e-3, work[4 * DOFS];
    law.v_s = 0.26 * speed;
    chain_begin(&c, LITHE_TERM_LAGGED, 1e-3, law);
    LitheSystem *s = &c.s;
    LitheConvexSetting setting = {
        .tolerance = 1e-9, .momentum = 1e-3, .max_iterations = 200, .warm_start = true};
    for (int i = 0; i < MASSES; i++)
        c.v[3 * i] = 3 * speed;
    set_matrix(&c, 0);
    set_contacts(&c);
    for (int i = 0; i < MASSES; i++) {
        s->r[3 * i] += mass * (c.v[3 * i] - 0.2 * speed);
        s->slip[LITHE_COUPLED_ROWS * i] = 1;
    }
    lithe_loop_respond(s, s->w);
    CHECK(lithe_convex_solve(s, &setting) && s->converged);
    CHECK(lithe_system_check(s, &setting, false, work).failed == LITHE_CHECK_PASSED);
    printf("  %d iterations, %d trials\n", s->iterations, s->searches);
    CHECK(s->iterations <= 5 && s->searches <= 45);
    for (int i = 0; i < MASSES; i++)
        CHECK(fabs(s->w[3 * i]) < law.v_s);
    chain_end(&c);
}

TEST(slope_by_directions_is_positive_semidefinite_and_the_true_one_at_the_solution) {
    Chain c;
    TestRandom random = {5};
    chain_begin(&c, LITHE_TERM_LAGGED, 1e-3, lithe_contact_setting_default());
    set_matrix(&c, 0);
    set_contacts(&c);
    LitheSystem *s = &c.s;
    for (int i = 0; i < MASSES; i++) {
        LitheCoupling *k = &s->couplings[i];
        double G[9], plain[9];
        for (int j = 0; j < 3; j++)
            k->v[j] = test_random(&random, -1, 1) * pow(10, test_random(&random, -10, 1));
        lithe_term_cost(&k->term, k->v, k->impulse, plain);
        memcpy(G, plain, sizeof G);
        lithe_slip_begin(s, true); // d = u
        lithe_slip_hessian(s, i, G);
        for (int j = 0; j < 9; j++)
            CHECK_NEAR(G[j], plain[j], 1e-12 * (plain[0] + plain[4] + plain[8]));
        double angle = test_random(&random, 0, 7), size = sqrt(test_random(&random, 0, 1));
        s->slip[6 * i] = size * cos(angle);
        s->slip[6 * i + 1] = size * sin(angle);
        memcpy(G, plain, sizeof G);
        lithe_slip_hessian(s, i, G);
        double trace = G[0] + G[4];
        CHECK(G[0] >= -1e-12 * trace && G[4] >= -1e-12 * trace);
        CHECK(G[0] * G[4] - G[1] * G[3] >= -1e-12 * trace * trace);
        CHECK(G[1] == G[3]);
    }
    chain_end(&c);
}
