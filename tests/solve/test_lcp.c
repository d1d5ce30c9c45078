// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_lcp.c - complementarity problems: solvers, conditioning, problems without
// solution

#include "base/memory.h"
#include "lcp_problems.h"

#define PROBLEMS (getenv("LITHE_MANY") ? 10000 : 500)
#define CHECKED \
    1e-6 // of the checker: an impulse below the tolerance of Newton may move light things

typedef struct Run {
    LitheContext *context;
    LitheLcpContactWork work;
    LitheLcpStepReport report;
    double z[MAX_CONTACTS * (MAX_DIRECTIONS + 2)], impulse[MAX_ROWS], u[MAX_DOFS];
} Run;

static void run_begin(Run *run) {
    memset(run, 0, sizeof *run);
    run->context = lithe_context_create(NULL);
    lithe_lcp_contact_work_begin(&run->work, run->context);
}

static void run_end(Run *run) {
    lithe_lcp_contact_work_end(&run->work);
    CHECK(lithe_context_bytes(run->context) == 0);
    lithe_context_destroy(run->context);
}

static bool run_solve(Run *run, const Problem *p, LitheLcpSetting setting) {
    setting.directions = p->directions;
    memset(run->z, 0, sizeof run->z);
    return lithe_lcp_contacts(&p->rows, &setting, &run->work, run->z, run->impulse, run->u,
                              &run->report);
}

// problems of the checker that a setting leaves unsolved, and Newton's failures
static int unsolved(LitheLcpSetting setting, int count, int *fall_backs) {
    static Run run;
    static Problem p;
    TestRandom r = {21};
    int missed = 0;
    run_begin(&run);
    for (int i = 0; i < count; i++) {
        problem_solvable(&p, &r);
        if (!run_solve(&run, &p, setting))
            return count;
        *fall_backs += run.report.fall_backs > 0;
        double error = problem_error(&p.rows, p.directions, run.z);
        if (run.report.weakened != LITHE_LCP_AS_POSED || !(error < CHECKED)) {
            missed++;
            if (getenv("LITHE_SHOW"))
                printf("  problem %d: weakened %d, residual %.2g, checker %.2g, contacts %d\n", i,
                       run.report.weakened, run.report.residual, error, p.rows.contact_count);
        }
    }
    run_end(&run);
    return missed;
}

TEST(checker_accepts_the_known_solution_and_no_other) {
    static Problem p;
    TestRandom r = {3};
    double z[MAX_CONTACTS * (MAX_DIRECTIONS + 2)];
    for (int k = 0; k < 200; k++) {
        problem_solvable(&p, &r);
        memset(z, 0, sizeof z);
        for (int32_t i = 0; i < p.rows.contact_count; i++) {
            const double *f = p.impulse + 3 * i;
            double *zi = z + (p.directions + 2) * i, size = hypot(f[1], f[2]);
            zi[0] = f[0];
            for (int32_t j = 0; j < p.directions; j++)
                if (f[1] * cos(problem_angle(&p, j)) + f[2] * sin(problem_angle(&p, j)) >
                    (1 - 1e-9) * size)
                    zi[1 + j] = size;
        }
        CHECK_NEAR(problem_error(&p.rows, p.directions, z), 0, 1e-9);
        z[0] += 0.01 + z[0];
        double weight = 0;
        for (int32_t m = 0; m < p.rows.dof_count; m++)
            weight += p.S[0][m] * p.S[0][m];
        CHECK(weight < 0.1 || problem_error(&p.rows, p.directions, z) > 1e-4);
    }
}

LONG_TEST(degenerate_problems_are_solved_by_newton_with_fall_back) {
    int fall_backs = 0;
    CHECK(unsolved(lithe_lcp_setting(), PROBLEMS, &fall_backs) <= 1 + PROBLEMS / 5000);
    if (getenv("LITHE_SHOW"))
        printf("  fall-backs: %d\n", fall_backs);
}

TEST(degenerate_problems_are_solved_by_lemke_alone) {
    int fall_backs = 0;
    LitheLcpSetting setting = lithe_lcp_setting();
    setting.method = LITHE_LCP_LEMKE;
    CHECK(unsolved(setting, PROBLEMS, &fall_backs) <= 1 + PROBLEMS / 5000);
    setting.rank = false;
    CHECK(unsolved(setting, PROBLEMS, &fall_backs) <= 1 + PROBLEMS / 5000);
}

TEST(contradictory_overlaps_are_reported_and_then_not_pushed) {
    static Run run;
    static Problem p;
    TestRandom r = {5};
    int rays = 0, free_of_push = 0, count = PROBLEMS / 10 + 50;
    run_begin(&run);
    for (int i = 0; i < count; i++) {
        problem_contradictory(&p, &r, test_random(&r, 0.01, 1));
        FATAL(run_solve(&run, &p, lithe_lcp_setting()));
        rays += run.report.as_posed == LITHE_LCP_RAY;
        CHECK(run.report.as_posed != LITHE_LCP_SOLVED);
        free_of_push += run.report.weakened == LITHE_LCP_NOT_PUSHED;
        CHECK(run.report.weakened >= LITHE_LCP_NOT_PUSHED);
    }
    CHECK(rays >= 0.95 * count);
    if (getenv("LITHE_SHOW"))
        printf("  of %d: rays %d, solved without push %d\n", count, rays, free_of_push);
    run_end(&run);
}

LONG_TEST(pushed_overlaps_that_some_motion_separates_are_solved_as_posed) {
    static Run run;
    static Problem p;
    TestRandom r = {31};
    int differ = 0, pushed = 0;
    run_begin(&run);
    for (int i = 0; i < 300; i++) {
        problem_solvable(&p, &r);
        FATAL(run_solve(&run, &p, lithe_lcp_setting()));
        LitheLcpOutcome without = run.report.as_posed;
        // the same velocities, now in part for overlaps: normals are tried alone first (L18)
        for (int32_t k = 0; k < p.rows.contact_count; k++)
            p.contacts[k].push = fmin(0, p.v[3 * k]);
        pushed += p.rows.contact_count > 1;
        FATAL(run_solve(&run, &p, lithe_lcp_setting()));
        differ += run.report.as_posed != without;
    }
    CHECK(differ == 0 && pushed > 200);
    problem_contradictory(&p, &r, 0.5);
    FATAL(run_solve(&run, &p, lithe_lcp_setting()));
    CHECK(run.report.as_posed == LITHE_LCP_RAY && run.report.fall_backs > 0);
    run_end(&run);
}

TEST(sliding_block_has_the_impulse_of_coulomb) {
    // a block of 2 kg on a plane: normal impulse m g h, friction mu times it, along -x
    double root = sqrt(2.0), S[9] = {0, 0, 1 / root, 1 / root, 0, 0, 0, 1 / root, 0};
    double v[3] = {-0.0981, 0.5, 0}, z[6] = {0}, impulse[3], u[3];
    LitheLcpContact contact = {0, 1, 2, 0.3, 0, 0};
    LitheLcpRows rows = {3, 3, 1, S, v, NULL, &contact};
    LitheLcpSetting setting = lithe_lcp_setting();
    static const LitheLcpMethod methods[] = {LITHE_LCP_NEWTON, LITHE_LCP_LEMKE,
                                             LITHE_LCP_GAUSS_SEIDEL};
    Run run;
    run_begin(&run);
    for (int k = 0; k < 3; k++) {
        setting.method = methods[k];
        setting.fall_back = false;
        memset(z, 0, sizeof z);
        FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
        CHECK_NEAR(impulse[0], 2 * 0.0981, 1e-6);
        CHECK_NEAR(impulse[1], -0.3 * 2 * 0.0981, 1e-6);
        CHECK_NEAR(impulse[2], 0, 1e-6);
        CHECK_NEAR(z[5], 0.5 - 0.3 * 0.0981, 1e-6); // sliding speed at the end
    }
    run_end(&run);
}

TEST(bounded_drive_reaches_its_target_or_its_bound) {
    double S[1] = {1 / sqrt(4.0)}, v[1] = {-0.6}, z[6] = {0}, impulse[1], u[1], soft[1] = {0};
    LitheLcpContact drive = {-1, 0, 1, 0, 1, 0};
    LitheLcpRows rows = {1, 1, 1, S, v, soft, &drive};
    LitheLcpSetting setting = lithe_lcp_setting();
    Run run;
    run_begin(&run);
    FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
    CHECK_NEAR(impulse[0], 1, 1e-8); // 2.4 N s would be needed
    drive.bound = 10;
    FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
    CHECK_NEAR(impulse[0], 2.4, 1e-8);
    soft[0] = 0.05; // v + soft f = 0 at (0.25 + 0.05) f = 0.6
    FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
    CHECK_NEAR(impulse[0], 2, 1e-8);
    run_end(&run);
}

TEST(dropped_contact_that_would_penetrate_comes_back) {
    // a seesaw: the third normal is the mean of the others, and its gap is the smallest
    double S[6] = {1, 0, 0, 1, 0.5, 0.5}, v[3] = {-0.1, -0.1, -1}, z[18] = {0}, impulse[3], u[2];
    LitheLcpContact contacts[3] = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {2, 0, 0, 0, 0, 0}};
    LitheLcpRows rows = {2, 3, 3, S, v, NULL, contacts};
    LitheLcpSetting setting = lithe_lcp_setting();
    Run run;
    run_begin(&run);
    FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
    CHECK(run.report.brought_back > 0);
    CHECK_NEAR(v[2] + 0.5 * (u[0] + u[1]), 0, 1e-6);
    setting.recheck = false;
    FATAL(lithe_lcp_contacts(&rows, &setting, &run.work, z, impulse, u, &run.report));
    CHECK(run.report.dropped == 1);
    CHECK_NEAR(v[2] + 0.5 * (u[0] + u[1]), -0.9, 1e-6);
    run_end(&run);
}

TEST(rank_stage_keeps_one_of_equal_rows_and_the_first_of_them) {
    double S[12] = {0, 1, 0, 0, 2, 0, 0, 2, 0, 1, 0, 0}, work[64], condition;
    int32_t index[4] = {0, 1, 2, 3}, chosen[4];
    int32_t rank = lithe_lcp_rank(S, 3, index, 4, 1e-6, chosen, &condition, work);
    CHECK(rank == 2 && chosen[0] == 1 && chosen[1] == 3);
    CHECK_NEAR(condition, 4, 1e-12);
}

TEST(scaling_makes_rows_and_columns_of_equal_size) {
    double A[9] = {1e6, 3, 0, 2, 1e-6, 1e-3, 0, 5, 40}, b[3] = {1, 2, 3}, copy[9];
    double rows[3], columns[3], work[15];
    memcpy(copy, A, sizeof A);
    lithe_lcp_scale(3, A, b, rows, columns, work);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(hypot(hypot(A[3 * i], A[3 * i + 1]), A[3 * i + 2]), 1, 0.2);
        for (int j = 0; j < 3; j++)
            CHECK_NEAR(A[3 * i + j], rows[i] * copy[3 * i + j] * columns[j],
                       1e-9 * fabs(A[3 * i + j]));
        CHECK_NEAR(b[i], (i + 1) * rows[i], 1e-12 * rows[i]);
    }
}

TEST(memory_that_runs_out_is_reported) {
    static Problem p;
    TestRandom r = {9};
    Run run;
    problem_solvable(&p, &r);
    bool ok = false;
    int64_t n = 1;
    for (; n < 20 && !ok; n++) {
        LitheLcpSetting setting = lithe_lcp_setting();
        setting.method = LITHE_LCP_LEMKE;
        run_begin(&run);
        lithe_context_fail_at(run.context, n);
        ok = run_solve(&run, &p, setting);
        lithe_context_fail_at(run.context, 0);
        run_end(&run);
    }
    CHECK(ok && n > 4);
}
