// SPDX-License-Identifier: Apache-2.0
// bench/lcp_plates.c - the case lcp-13: one complementarity problem of thirteen plates of a soft
// arm that lies on a slope, four directions of friction
//
// The arm of scenes/soft-arm-slope.yaml, linearised about its straight shape, y = (length, bend,
// bend) of each section; a force that grows drags it sideways, so that plates stick and then slide.
// Three normals are independent; `all` keeps the thirteen, 78 unknowns, by the same solver from
// zero. Timed is the solve from the choice of contacts to the recheck; medians over the steps.

#include "base/clock.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "solve/lcp_contact.h"

#include <math.h>
#include <string.h>

enum { SECTIONS = 3, DOFS = 3 * SECTIONS, PLATES = 13, ROWS = 3 * PLATES, STEPS = 400, NODES = 20 };
#define LENGTH 0.15  // of a section [m]
#define RADIUS 0.04  // of the chambers [m]
#define SPRING 265   // of a chamber [N/m]
#define DAMPER 125   // [N s/m]
#define STEP 1e-3    // [s]
#define WEIGHT 6.937 // component of gravity along and across the slope of 45 degrees [m/s^2]
#define DRAG 30      // largest force sideways, on the outer two sections [N]

// motion along, normal to the slope and sideways of the point at x for unit rates of y (straight)
static void motion(double x, double J[3][DOFS]) {
    memset(J, 0, 3 * sizeof J[0]);
    for (int k = 0; k < SECTIONS; k++) {
        double xi = fmin(1, fmax(0, x / LENGTH - k)), beyond = fmax(0, x - (k + 1) * LENGTH);
        double lever = 0.5 * LENGTH * xi * xi + beyond;
        J[0][3 * k] = xi;
        J[1][3 * k + 1] = lever;
        J[2][3 * k + 2] = lever;
    }
}

typedef struct Plates {
    double M[DOFS][DOFS], L[DOFS][DOFS]; // mass; factor of M + h D + h^2 K
    double S[ROWS * DOFS], J[ROWS][DOFS];
    double load[DOFS], side[DOFS]; // weight, and the drag of 1 N
    LitheLcpContact contacts[PLATES];
} Plates;

// x = L^-T L^-1 x
static void solve(const Plates *p, double *x, bool back) {
    for (int i = 0; i < DOFS; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= p->L[i][j] * x[j];
        x[i] /= p->L[i][i];
    }
    for (int i = DOFS - 1; back && i >= 0; i--) {
        for (int j = i + 1; j < DOFS; j++)
            x[i] -= p->L[j][i] * x[j];
        x[i] /= p->L[i][i];
    }
}

static void build(Plates *p) {
    static const double masses[SECTIONS] = {1.17, 0.54, 0.265};
    double W[DOFS][DOFS];
    memset(p, 0, sizeof *p);
    for (int n = 0; n < SECTIONS * NODES; n++) {
        double J[3][DOFS], dm = masses[n / NODES] / NODES;
        motion((n + 0.5) * LENGTH / NODES, J);
        for (int i = 0; i < DOFS; i++) {
            p->load[i] += dm * WEIGHT * (J[0][i] - J[1][i]);
            p->side[i] += n >= NODES ? J[2][i] / (2 * NODES) : 0;
            for (int m = 0; m < 3; m++)
                for (int j = 0; j < DOFS; j++)
                    p->M[i][j] += dm * J[m][i] * J[m][j];
        }
    }
    memcpy(W, p->M, sizeof W);
    for (int i = 0; i < DOFS; i++)
        W[i][i] += STEP * (DAMPER + STEP * SPRING) * (i % 3 == 0 ? 3 : 1.5 * RADIUS * RADIUS);
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = W[i][j];
            for (int k = 0; k < j; k++)
                sum -= p->L[i][k] * p->L[j][k];
            p->L[i][j] = i == j ? sqrt(sum) : sum / p->L[j][j];
        }
    for (int i = 0; i < PLATES; i++) {
        double J[3][DOFS];
        motion((i + 1) * SECTIONS * LENGTH / PLATES, J);
        static const int row[3] = {1, 0, 2}; // normal, along, sideways
        p->contacts[i] = (LitheLcpContact){3 * i, 3 * i + 1, 2, 0.6, 0, 0};
        for (int m = 0; m < 3; m++) {
            double *S = p->S + (ptrdiff_t)DOFS * (3 * i + m);
            memcpy(p->J[3 * i + m], J[row[m]], sizeof J[0]);
            memcpy(S, J[row[m]], sizeof J[0]);
            solve(p, S, false);
        }
    }
}

// median time of a solve; *kept: contacts of the last one; *unsolved: steps
static LitheStatus run(const Plates *p, LitheLcpSetting setting, double *seconds, double *kept,
                       double *unsolved, LitheError *error) {
    double y[DOFS] = {0}, v[DOFS] = {0}, z[PLATES * 6] = {0}, times[STEPS];
    LitheContext *context = lithe_context_create(NULL);
    LitheLcpContactWork work;
    bool ok = context != NULL;
    if (!ok)
        return lithe_fail_memory(error, "a context");
    lithe_lcp_contact_work_begin(&work, context);
    *unsolved = 0;
    for (int n = 0; n < STEPS && ok; n++) {
        double next[DOFS], speed[ROWS], impulse[ROWS], u[DOFS];
        LitheLcpStepReport report;
        for (int i = 0; i < DOFS; i++) {
            double stiff = SPRING * (i % 3 == 0 ? 3 : 1.5 * RADIUS * RADIUS);
            next[i] = STEP * (p->load[i] + DRAG * p->side[i] * n / STEPS - stiff * y[i]);
            for (int j = 0; j < DOFS; j++)
                next[i] += p->M[i][j] * v[j];
        }
        solve(p, next, true);
        for (int i = 0; i < ROWS; i++) {
            speed[i] = 0;
            for (int j = 0; j < DOFS; j++)
                speed[i] += p->J[i][j] * next[j];
        }
        if (!setting.warm)
            memset(z, 0, sizeof z);
        LitheLcpRows rows = {DOFS, ROWS, PLATES, p->S, speed, NULL, p->contacts};
        double begin = lithe_clock();
        ok = lithe_lcp_contacts(&rows, &setting, &work, z, impulse, u, &report);
        times[n] = lithe_clock() - begin;
        *kept = report.kept;
        *unsolved += report.as_posed != LITHE_LCP_SOLVED;
        // u is in the whitened coordinates: v = next + L^-T u
        for (int i = DOFS - 1; i >= 0; i--) {
            for (int j = i + 1; j < DOFS; j++)
                u[i] -= p->L[j][i] * u[j];
            u[i] /= p->L[i][i];
        }
        for (int i = 0; i < DOFS; i++) {
            v[i] = next[i] + u[i];
            y[i] += STEP * v[i];
        }
    }
    lithe_lcp_contact_work_end(&work);
    lithe_context_destroy(context);
    *seconds = lithe_bench_median(times, STEPS);
    return ok ? LITHE_OK : lithe_fail_memory(error, "a complementarity problem");
}

LitheStatus lithe_bench_lcp_plates(const LitheBenchSetting *setting, LitheBenchResult *result,
                                   LitheError *error) {
    (void)setting;
    static Plates p;
    LitheLcpSetting warm = lithe_lcp_setting(), cold = warm, all;
    cold.warm = false;
    all = cold;
    all.rank = false;
    double seconds[3], kept[3], unsolved[3], unit = lithe_bench_unit_ns();
    build(&p);
    LitheStatus status = run(&p, warm, &seconds[0], &kept[0], &unsolved[0], error);
    if (status == LITHE_OK)
        status = run(&p, cold, &seconds[1], &kept[1], &unsolved[1], error);
    if (status == LITHE_OK)
        status = run(&p, all, &seconds[2], &kept[2], &unsolved[2], error);
    if (status != LITHE_OK)
        return status;
    lithe_bench_set(result, "contacts_mean", PLATES);
    lithe_bench_set(result, "kept", kept[0]);
    lithe_bench_set(result, "unsolved", unsolved[0] + unsolved[1] + unsolved[2]);
    lithe_bench_set(result, "unit_ns", unit);
    lithe_bench_set(result, "warm_seconds", seconds[0]);
    lithe_bench_set(result, "cold_seconds", seconds[1]);
    lithe_bench_set(result, "all_seconds", seconds[2]);
    lithe_bench_set(result, "warm_units", 1e9 * seconds[0] / unit);
    lithe_bench_set(result, "cold_units", 1e9 * seconds[1] / unit);
    lithe_bench_set(result, "all_units", 1e9 * seconds[2] / unit);
    return LITHE_OK;
}
