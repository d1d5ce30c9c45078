// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_worlds.c - the convex solver on random worlds, each solve checked
//
// A hundred worlds and one in which sums drift; LITHE_TEST_FULL in the environment runs a thousand.
// A solve that is wrong or did not converge is printed and leaves a file for `lithe replay` in the
// folder LITHE_TEST_REPLAYS of the environment, or that of temporary files.

#include "data/system.h"
#include "solve/check.h"
#include "solve/replay.h"

#include "worlds.h"

enum { STEPS = 4, MAX_COUNTED = 1000 };

typedef struct Account {
    int world;
    int solves, converged, stalled, refused, wrong;
    int steps, stopped, unconverged, unsettled;
    int histogram[MAX_COUNTED + 1];
    long iterations, searches;
    double backward_error, rounding;
    LitheWork *work;
    double *scratch;
    int32_t scratch_size;
    bool refused_before; // of the previous solve
} Account;

static void watch(LitheSystem *system, const LitheConvexSetting *setting, bool ended, void *user) {
    Account *all = user;
    size_t bytes = (size_t)system->dof_count * sizeof(double);
    if (5 * system->dof_count > all->scratch_size) {
        all->scratch_size = 5 * system->dof_count;
        all->scratch = realloc(all->scratch, 5 * bytes);
    }
    double *start = all->scratch + 4 * (ptrdiff_t)system->dof_count;
    if (!ended) {
        memcpy(start, system->w, bytes);
        return;
    }
    // A was not positive definite: it is recomputed from projected stencils and solved again; if
    // that is refused too, the solve failed
    bool again = system->refused && !all->refused_before;
    all->refused_before = again;
    all->refused += again;
    if (again)
        return;
    all->solves++;
    all->converged += system->converged;
    all->stalled += system->stalled;
    all->iterations += system->iterations;
    all->searches += system->searches;
    int32_t count = system->iterations < MAX_COUNTED ? system->iterations : MAX_COUNTED;
    all->histogram[count]++;
    all->backward_error = fmax(all->backward_error, system->backward_error);
    LitheCheck check = lithe_system_check(system, setting, system->stalled, all->scratch);
    bool good = system->converged || system->stalled;
    all->wrong += good && check.failed != LITHE_CHECK_PASSED;
    if (good && check.failed == LITHE_CHECK_PASSED && system->backward_error < 1e-12)
        return;
    const char *folder = getenv("LITHE_TEST_REPLAYS");
    char path[512];
    snprintf(path, sizeof path, "%s/failed-%d-%d.system", folder ? folder : P_tmpdir, all->world,
             all->solves);
    CHECK(lithe_replay_write(system, setting, start, path, NULL) == LITHE_OK);
    printf("  world %d: %s after %d iterations, residual %.2g, backward error %.2g; %s: %d.%d %g, "
           "may be %g, rounding %g; lithe replay %s\n",
           all->world, system->converged ? "converged" : "not converged", system->iterations,
           system->residual, system->backward_error, lithe_check_name(check.failed), check.coupling,
           check.row, check.size, check.limit, check.rounding, path);
}

static void run_world(Account *all, int number) {
    World w;
    all->world = number;
    all->refused_before = false;
    if (!CHECK(world_begin(&w, number))) {
        world_end(&w);
        return;
    }
    all->work = lithe_work_create(w.model, 1);
    all->work->system->watch = watch;
    all->work->system->watch_user = all;
    LitheError error;
    for (int i = 0; i < STEPS; i++) {
        LitheReport report;
        all->steps++;
        if (lithe_step(w.model, w.state, all->work, &report, &error) != LITHE_OK) {
            all->stopped++;
            printf("  world %d: %s\n", number, error.text);
            break;
        }
        all->unconverged += report.solve_unconverged;
        all->unsettled += report.friction_unsettled;
    }
    lithe_work_destroy(all->work);
    world_end(&w);
}

static int percentile(const Account *all, double share) {
    int below = 0;
    for (int i = 0; i <= MAX_COUNTED; i++) {
        below += all->histogram[i];
        if (below >= share * all->solves)
            return i;
    }
    return MAX_COUNTED;
}

// --- the checker itself --------------------------------------------------------------------------

typedef struct Spoiled {
    double *scratch;
    int tried, missed;
} Spoiled;

static bool found(const LitheSystem *system, const LitheConvexSetting *setting, Spoiled *all,
                  LitheCheckKind kind) {
    LitheCheck check = lithe_system_check(system, setting, false, all->scratch);
    if (check.failed != kind)
        printf("  \"%s\" in place of \"%s\" at %d.%d: %g > %g\n", lithe_check_name(check.failed),
               lithe_check_name(kind), check.coupling, check.row, check.size, check.limit);
    return check.failed == kind;
}

// A world beyond 1e7 m/s has diverged: the rounding of its velocities hides the errors below.
static bool diverged(const LitheSystem *system) {
    for (int32_t i = 0; i < system->dof_count; i++)
        if (!(fabs(system->w[i]) < 1e7))
            return true;
    return false;
}

// each kind of error, one at a time, is detected as such
static void spoil(LitheSystem *system, const LitheConvexSetting *setting, bool ended, void *user) {
    Spoiled *all = user;
    if (!ended || !system->converged || diverged(system))
        return;
    all->scratch = realloc(all->scratch, 4 * (size_t)system->dof_count * sizeof(double));
    if (!found(system, setting, all, LITHE_CHECK_PASSED))
        return;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i], kept = *c;
        bool contact = c->source == LITHE_SOURCE_CONTACT;
        bool one_sided = contact || c->term.kind == LITHE_TERM_LIMIT;
        int32_t row = contact ? 2 : 0;
        if (!(fabs(c->impulse[row]) > 1e-3))
            continue;
        all->tried++;
        c->v[row] += 1e-6 * (1 + fabs(c->v[row]));
        all->missed += !found(system, setting, all, LITHE_CHECK_VELOCITY);
        *c = kept;
        c->impulse[row] = NAN;
        all->missed += !found(system, setting, all, LITHE_CHECK_FINITE);
        c->impulse[row] = -kept.impulse[row];
        all->missed += one_sided && !found(system, setting, all, LITHE_CHECK_SIGN);
        *c = kept;
        if (contact && c->term.mu > 0) {
            c->impulse[0] +=
                copysign(1.1 * c->term.mu * (c->term.n0 + c->impulse[2]), c->impulse[0]);
            c->impulse[1] *= 2;
            all->missed += !found(system, setting, all, LITHE_CHECK_CONE);
            *c = kept;
        }
        if (c->term.kind == LITHE_TERM_DRIVE || c->term.kind == LITHE_TERM_DRY) {
            c->impulse[0] = 1.01 * c->term.max;
            all->missed += !found(system, setting, all, LITHE_CHECK_BOUND);
            *c = kept;
        }
    }
    double size = setting->momentum * setting->momentum;
    for (int32_t i = 0; i < system->dof_count; i++)
        size += pow(system->scale[i] * system->smooth[i], 2);
    for (int32_t i = 0; i < system->dof_count; i++) {
        double kept = system->r[i];
        if (system->held[i])
            continue;
        system->r[i] +=
            (100 * setting->tolerance * sqrt(size) + 100 * setting->noise) / system->scale[i];
        all->missed += !found(system, setting, all, LITHE_CHECK_BALANCE);
        system->r[i] = kept;
    }
}

LONG_TEST(checker_detects_each_kind_of_error) {
    Spoiled all = {0};
    for (int i = 0; i < 30; i++) {
        World w;
        if (CHECK(world_begin(&w, i))) {
            LitheWork *work = lithe_work_create(w.model, 1);
            work->system->watch = spoil;
            work->system->watch_user = &all;
            lithe_step(w.model, w.state, work, NULL, NULL);
            lithe_work_destroy(work);
        }
        world_end(&w);
    }
    CHECK(all.tried > 200);
    CHECK(all.missed == 0);
    free(all.scratch);
}

// --- all worlds ----------------------------------------------------------------------------------

LONG_TEST(random_worlds_are_solved_and_every_solution_is_one) {
    static Account all;
    int first = 0, count = getenv("LITHE_TEST_FULL") ? 1000 : 100;
    if (getenv("LITHE_TEST_WORLD"))
        first = atoi(getenv("LITHE_TEST_WORLD")), count = 1;
    for (int i = first; i < first + count; i++)
        run_world(&all, i);
    // its first direction is 1e13 times the solution: rounding of sums along the directions
    if (count == 100)
        run_world(&all, 538);
    printf("  %d worlds, %d steps (%d stopped, %d not converged, %d friction not settled)\n", count,
           all.steps, all.stopped, all.unconverged, all.unsettled);
    printf("  %d solves: %d converged, %d stalled, %d refused, %d wrong; iterations mean %.2f, 99 "
           "%% %d, most "
           "%d, searches %.2f per iteration; backward error %.2g\n",
           all.solves, all.converged, all.stalled, all.refused, all.wrong,
           (double)all.iterations / all.solves, percentile(&all, 0.99), percentile(&all, 1),
           (double)all.searches / (double)all.iterations, all.backward_error);
    CHECK(all.converged + all.stalled >= 0.995 * all.solves); // either stops a solve (V24)
    CHECK(all.wrong == 0);
    CHECK(all.backward_error < 1e-12);
    free(all.scratch);
}
