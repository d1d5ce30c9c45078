// SPDX-License-Identifier: Apache-2.0
// cli/validate/lcp_problems.c - complementarity problems taken from the runs of A1 to A3, solved by
// two methods, and problems that have no solution
//
// Every tenth step of a run gives its problem as it was posed to the solver. Stages 2 and 3 turn it
// into the scaled and regularised problem, which semismooth Newton and Lemke's method solve from
// zero. A solution is judged by the sums below, which share no code with the solvers.

#include "base/status.h"
#include "cli/validate/validate.h"
#include "data/work.h"
#include "solve/lcp_rows.h"

#include <stdlib.h>
#include <string.h>

typedef struct Tally {
    int32_t problems, by_newton, equal_normals, equal_rest, both_right;
    double newton, lemke; // largest natural residuals of solved problems
} Tally;

// largest |min(y, A y + b)|, in plain sums
static double violation(const LitheLcp *p, const double *y) {
    double worst = 0;
    for (int32_t i = 0; i < p->n; i++) {
        double w = p->b[i];
        for (int32_t j = 0; j < p->n; j++)
            w += p->A[(ptrdiff_t)p->n * i + j] * y[j];
        worst = fmax(worst, fabs(fmin(y[i], w)));
    }
    return worst;
}

static double row(const LitheLcp *p, const double *y, int32_t i) {
    double w = p->b[i];
    for (int32_t j = 0; j < p->n; j++)
        w += p->A[(ptrdiff_t)p->n * i + j] * y[j];
    return w;
}

// memory of a problem of n unknowns
typedef struct Room {
    double *A, *b, *rows, *columns, *newton, *lemke, *work;
    long double *longs;
    int32_t *basis, n;
} Room;

static void room_free(Room *r) {
    free(r->A);
    free(r->longs);
    free(r->basis);
    *r = (Room){0};
}

static bool room_for(LitheTrial *trial, int32_t n, Room *r) {
    if (n <= r->n)
        return true;
    room_free(r);
    size_t size = (size_t)n * (size_t)n;
    int64_t extra = lithe_lcp_newton_size(n);
    if (extra < (int64_t)size + 2 * n)
        extra = (int64_t)size + 2 * n;
    r->A = malloc((size + 5 * (size_t)n + (size_t)extra) * sizeof(double));
    r->longs = malloc((size_t)lithe_lcp_lemke_size(n) * sizeof(long double));
    r->basis = malloc((2 * (size_t)n + 2) * sizeof(int32_t));
    if (!r->A || !r->longs || !r->basis) {
        lithe_fail(&trial->error, LITHE_NO_MEMORY, "no memory for %d unknowns", (int)n);
        return false;
    }
    r->n = n;
    r->b = r->A + size;
    r->rows = r->b + n;
    r->columns = r->rows + n;
    r->newton = r->columns + n;
    r->lemke = r->newton + n;
    r->work = r->lemke + n;
    return true;
}

// stages 2 and 3, then both methods
static bool compare(LitheTrial *trial, const LitheLcpContactWork *from, Room *r, Tally *t) {
    int32_t n = from->n;
    LitheLcpSetting setting = lithe_lcp_setting();
    if (!room_for(trial, n, r))
        return false;
    memcpy(r->A, from->A, (size_t)n * (size_t)n * sizeof(double));
    memcpy(r->b, from->b, (size_t)n * sizeof(double));
    lithe_lcp_scale(n, r->A, r->b, r->rows, r->columns, r->work);
    for (int32_t i = 0; i < from->kept_count; i++)
        if (from->blocks[i].normal)
            r->A[(ptrdiff_t)(n + 1) * from->blocks[i].first] += setting.regularisation;
    LitheLcp problem = {n, r->A, r->b, NULL};
    memset(r->newton, 0, (size_t)n * sizeof(double));
    memset(r->lemke, 0, (size_t)n * sizeof(double));
    LitheLcpReport newton = lithe_lcp_newton(&problem, &setting, r->newton, r->work);
    LitheLcpReport lemke = lithe_lcp_lemke(&problem, r->lemke, r->longs, r->basis);
    t->problems++;
    for (int32_t i = 0; i < n; i++)
        r->newton[i] = fmax(0, r->newton[i]);
    double wrong = violation(&problem, r->lemke);
    t->lemke = fmax(t->lemke, wrong);
    if (newton.outcome != LITHE_LCP_SOLVED || lemke.outcome != LITHE_LCP_SOLVED)
        return true;
    t->by_newton++;
    double own = violation(&problem, r->newton);
    t->newton = fmax(t->newton, own);
    t->both_right += own <= 1e-8 && wrong <= 1e-8;
    // in m/s: rows of the problem were multiplied by r->rows
    double normal = 0, rest = 0;
    for (int32_t i = 0; i < from->kept_count; i++) {
        const LitheLcpBlock *block = &from->blocks[i];
        int32_t count = lithe_lcp_block_size(block);
        for (int32_t k = block->first; k < block->first + count; k++) {
            double off =
                fabs(row(&problem, r->newton, k) - row(&problem, r->lemke, k)) / r->rows[k];
            double *worst = block->normal && k == block->first ? &normal : &rest;
            *worst = fmax(*worst, off);
            rest = fmax(rest, fabs(r->newton[k] - r->lemke[k]) * r->columns[k]);
        }
    }
    t->equal_normals += normal <= 1e-7;
    t->equal_rest += rest <= 1e-7;
    return true;
}

// problems of every tenth step of a run
static bool gather(LitheTrial *trial, const char *scene, const char *const *sets, int32_t set_count,
                   double end, Room *room, Tally *t) {
    LitheStand stand;
    bool ok = lithe_stand_load(trial, &stand, scene, sets, set_count);
    for (int32_t k = 1; ok && lithe_state_time(stand.state) < end - 1e-9; k++) {
        LitheReport report;
        ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) == LITHE_OK;
        const LitheLcpScratch *scratch = stand.work->contact_scratch;
        if (ok && k % 10 == 0 && report.passes > 0 && scratch->contact_count > 0)
            ok = compare(trial, &scratch->lcp, room, t);
    }
    lithe_stand_end(&stand);
    return ok;
}

// --- problems without a solution -----------------------------------------------------------------

static double chance(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Contacts with random rows, of which two have opposite normals and both ask for separation: the
// sum of their complements is negative for all impulses. Returns how many were not reported.
static int32_t contradict(LitheTrial *trial, int32_t count, uint64_t *seed) {
    enum { DOFS = 9, CONTACTS = 6, ROWS = 3 * CONTACTS, STRIDE = 6 };
    int32_t taken = 0;
    LitheLcpContactWork work;
    lithe_lcp_contact_work_begin(&work, trial->context);
    for (int32_t k = 0; k < count; k++) {
        double S[ROWS * DOFS], v[ROWS], z[CONTACTS * STRIDE] = {0}, impulse[ROWS], u[DOFS];
        LitheLcpContact contacts[CONTACTS];
        LitheLcpSetting setting = lithe_lcp_setting();
        LitheLcpStepReport report;
        for (int i = 0; i < ROWS * DOFS; i++)
            S[i] = chance(seed);
        for (int i = 0; i < ROWS; i++)
            v[i] = chance(seed);
        for (int i = 0; i < CONTACTS; i++)
            contacts[i] = (LitheLcpContact){3 * i, 3 * i + 1, 2, 0.5 + 0.5 * chance(seed), 0, 0};
        for (int m = 0; m < DOFS; m++)
            S[3 * DOFS + m] = -S[m];
        v[0] = -0.1 - fabs(chance(seed));
        v[3] = -0.1 - fabs(chance(seed));
        LitheLcpRows rows = {DOFS, ROWS, CONTACTS, S, v, NULL, contacts};
        if (lithe_lcp_contacts(&rows, &setting, &work, z, impulse, u, &report))
            taken += report.as_posed == LITHE_LCP_SOLVED || report.weakened == LITHE_LCP_AS_POSED;
    }
    lithe_lcp_contact_work_end(&work);
    return taken;
}

bool lithe_case_lcp_problems(LitheTrial *trial) {
    static const char *const runs[][5] = {
        {"parameters.angle=45 deg", "parameters.disks=6"},
        {"parameters.angle=60 deg", "parameters.disks=6"},
        {"parameters.angle=45 deg", "parameters.disks=3"},
        {"parameters.angle=60 deg", "parameters.disks=3"},
        {"parameters.angle=45 deg", "parameters.disks=6", "parameters.step=0.1 ms",
         "time.scheme=semi-implicit-euler"},
        {"parameters.angle=60 deg", "parameters.disks=3", "parameters.step=0.1 ms",
         "time.scheme=semi-implicit-euler"},
        {"parameters.angle=45 deg", "parameters.disks=6", "parameters.step=0.1 ms",
         "contact.lcp.rank=false"},
        {"parameters.angle=60 deg", "parameters.disks=6", "parameters.step=0.1 ms",
         "contact.lcp.rank=false"},
        {"parameters.angle=45 deg", "parameters.disks=3", "time.scheme=rk23"},
        {"parameters.angle=60 deg", "parameters.disks=6", "time.scheme=rk23"},
    };
    bool whole = trial->refine > 1, ok = true;
    int count = whole ? (int)(sizeof runs / sizeof *runs) : 2;
    Room room = {0};
    Tally t = {0};
    uint64_t seed = 1;
    for (int i = 0; i < count && ok; i++) {
        int32_t sets = 0;
        while (sets < 5 && runs[i][sets])
            sets++;
        ok = gather(trial, "soft-arm-slope", runs[i], sets, whole ? 2 : 0.6, &room, &t);
    }
    const char *fine = "parameters.step=0.1 ms";
    ok = ok && gather(trial, "soft-arm-spheres", NULL, 0, 2, &room, &t) &&
         (!whole || gather(trial, "soft-arm-spheres", &fine, 1, 2, &room, &t));
    room_free(&room);
    if (!ok)
        return false;
    int32_t infeasible = whole ? 1000 : 50;
    double all = t.problems > 0 ? t.problems : 1, both = t.by_newton > 0 ? t.by_newton : 1;
    return lithe_trial_add(trial, reported(t.problems), "problems") &&
           (!whole ||
            lithe_trial_add(trial, at_most(fmax(0, 1e4 - t.problems), 0), "short_of_10000")) &&
           lithe_trial_add(trial, at_most(1 - t.by_newton / all, 0.1), "unsolved_by_newton_cold") &&
           lithe_trial_add(trial, at_most(t.newton, 1e-8), "natural_residual_newton") &&
           lithe_trial_add(trial, at_most(t.lemke, 1e-8), "natural_residual_lemke") &&
           lithe_trial_add(trial, at_most(1 - t.equal_normals / both, 0.01),
                           "normal_velocities_that_differ") &&
           lithe_trial_add(trial, reported(1 - t.equal_rest / both),
                           "other_unknowns_that_differ") &&
           lithe_trial_add(trial, at_most(t.by_newton - t.both_right, 0),
                           "differing_that_are_no_solutions") &&
           lithe_trial_add(trial, at_most(contradict(trial, infeasible, &seed), 0),
                           "of_%d_without_solution_taken_as_solved", infeasible);
}
