// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_active_set.c - contacts that close one behind the other: which of them bear
//
// A chain of masses falls on a floor that curves away from it: each contact that closes stops a
// search along a line, and behind it wait all the others.

#include "chain.h"

// The step in which it lands, without friction; iterations of its solve. `told`: by the impulses of
// the one before, which contacts will bear. Lagged and similar are then the same problem, but for
// similar nothing looks for what bears.
static int land(Chain *c, LitheTermKind law, bool told) {
    LitheSystem *s = &c->s;
    LitheConvexSetting setting = {.tolerance = 1e-9, .momentum = 1e-3, .max_iterations = 200};
    double work[4 * DOFS];
    c->law = law;
    c->mu = 0;
    for (int i = 0; i < MASSES; i++) {
        c->floor[i] = 1e-4 + 2e-6 * i * i;
        c->x[3 * i + 2] = 0;
        c->v[3 * i + 2] = -0.02;
        c->was_active[i] = told && s->couplings[i].impulse[2] > 0;
    }
    set_matrix(c, 0);
    for (int i = 0; i < MASSES; i++) // pushed down, the farther from the floor the harder
        s->r[3 * i + 2] += mass * (0.05 + 0.01 * i);
    set_contacts(c);
    CHECK(lithe_convex_solve(s, &setting) && s->converged);
    CHECK(lithe_system_check(s, &setting, false, work).failed == LITHE_CHECK_PASSED);
    return s->iterations;
}

static int bearing(const Chain *c) {
    int active_set = 0;
    for (int i = 0; i < MASSES; i++)
        active_set += c->s.couplings[i].impulse[2] > 0;
    return active_set;
}

static void check_same(const Chain *c, const double *w) {
    for (int i = 0; i < DOFS; i++)
        CHECK_NEAR(c->s.w[i], w[i], 1e-7);
}

TEST(contacts_that_close_one_behind_the_other_are_found_in_a_few_rounds) {
    Chain c;
    double w[DOFS];
    chain_begin(&c, LITHE_TERM_LAGGED, 5e-3, lithe_contact_setting_default());
    int searched = land(&c, LITHE_TERM_SIMILAR, false);
    memcpy(w, c.s.w, sizeof w);
    int found = land(&c, LITHE_TERM_LAGGED, false), active_set = bearing(&c);
    check_same(&c, w);
    // the whole of it again, with what bears known
    int told = land(&c, LITHE_TERM_LAGGED, true);
    check_same(&c, w);
    printf("  %d of %d bear: %d iterations by searching, %d by rounds, %d when told\n", active_set,
           (int)MASSES, searched, found, told);
    CHECK(active_set >= 5 && active_set <= MASSES - 5);
    CHECK(2 * found <= searched && told <= 2);
    // the other way round: another way to the same end
    for (int i = 0; i < MASSES; i++)
        c.s.couplings[i].impulse[2] = c.s.couplings[i].impulse[2] > 0 ? 0 : 1;
    land(&c, LITHE_TERM_LAGGED, true);
    check_same(&c, w);
    chain_end(&c);
}
