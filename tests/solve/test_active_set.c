// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_active_set.c - contacts that close one after the other: the active set
//
// A chain of masses falls on a floor that curves away from it: each contact that closes stops a
// line search, and all the others are still to close.

#include "chain.h"

// The step in which it lands, without friction; iterations of its solve. `hinted`: with the active
// contacts of the step before as a hint. Lagged and similar are then the same problem, except that
// similar has no search for the active set.
static int land(Chain *c, LitheTermKind law, bool hinted) {
    LitheSystem *s = &c->s;
    LitheConvexSetting setting = {.tolerance = 1e-9, .momentum = 1e-3, .max_iterations = 200};
    double work[4 * DOFS];
    c->law = law;
    c->mu = 0;
    for (int i = 0; i < MASSES; i++) {
        c->floor[i] = 1e-4 + 2e-6 * i * i;
        c->x[3 * i + 2] = 0;
        c->v[3 * i + 2] = -0.02;
        c->was_active[i] = hinted && s->couplings[i].impulse[2] > 0;
    }
    set_matrix(c, 0);
    for (int i = 0; i < MASSES; i++) // pushed down, the farther from the floor the harder
        s->r[3 * i + 2] += mass * (0.05 + 0.01 * i);
    set_contacts(c);
    CHECK(lithe_convex_solve(s, &setting) && s->converged);
    CHECK(lithe_system_check(s, &setting, false, work).failed == LITHE_CHECK_PASSED);
    return s->iterations;
}

static int count_active(const Chain *c) {
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
    int found = land(&c, LITHE_TERM_LAGGED, false), active_set = count_active(&c);
    check_same(&c, w);
    // all of it again, with a known active set
    int hinted = land(&c, LITHE_TERM_LAGGED, true);
    check_same(&c, w);
    printf("  %d of %d active: %d iterations by searching, %d by rounds, %d with a hint\n",
           active_set, (int)MASSES, searched, found, hinted);
    CHECK(active_set >= 5 && active_set <= MASSES - 5);
    CHECK(2 * found <= searched && hinted <= 2);
    // the opposite: another path to the same solution
    for (int i = 0; i < MASSES; i++)
        c.s.couplings[i].impulse[2] = c.s.couplings[i].impulse[2] > 0 ? 0 : 1;
    land(&c, LITHE_TERM_LAGGED, true);
    check_same(&c, w);
    chain_end(&c);
}
