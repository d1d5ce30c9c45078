// SPDX-License-Identifier: Apache-2.0
// tests/solve/lcp_problems.h - random contact problems with a known solution or with none, and a
// checker that shares no code with the solvers

#ifndef LITHE_TESTS_LCP_PROBLEMS_H
#define LITHE_TESTS_LCP_PROBLEMS_H

#include "../test.h"
#include "solve/lcp_contact.h"

enum { MAX_DOFS = 12, MAX_CONTACTS = 13, MAX_ROWS = 3 * MAX_CONTACTS, MAX_DIRECTIONS = 8 };

typedef struct Problem {
    double S[MAX_ROWS][MAX_DOFS], flat[MAX_ROWS * MAX_DOFS];
    double v[MAX_ROWS];
    LitheLcpContact contacts[MAX_CONTACTS];
    LitheLcpRows rows;
    int32_t directions;
    // the known solution
    double impulse[MAX_ROWS];
} Problem;

static void problem_rows(Problem *p, int32_t dofs, int32_t contacts) {
    for (int32_t i = 0; i < 3 * contacts; i++)
        for (int32_t k = 0; k < dofs; k++)
            p->flat[dofs * i + k] = p->S[i][k];
    p->rows = (LitheLcpRows){dofs, 3 * contacts, contacts, p->flat, p->v, NULL, p->contacts};
}

static double problem_angle(const Problem *p, int32_t k) {
    return 2 * acos(-1.0) * k / p->directions;
}

// contact i in a random mode: its velocity at the end and its impulse
static void problem_mode(Problem *p, int32_t i, TestRandom *r, double speed[3]) {
    double *f = p->impulse + 3 * i, mu = p->contacts[i].mu, size = test_random(r, 0.01, 2);
    int mode = (int)test_random(r, 0, 5);
    double angle = problem_angle(p, (int32_t)test_random(r, 0, p->directions));
    memset(speed, 0, 3 * sizeof(double));
    memset(f, 0, 3 * sizeof(double));
    if (mode == 0) { // opens
        speed[0] = test_random(r, 0, 1);
        speed[1] = test_random(r, -1, 1);
        speed[2] = test_random(r, -1, 1);
    } else if (mode <= 2) { // sticks; in mode 1 at the bound of friction
        double share = mode == 1 ? 1 : test_random(r, 0, 0.7);
        f[0] = size;
        f[1] = share * mu * size * cos(angle);
        f[2] = share * mu * size * sin(angle);
    } else if (mode == 3) { // slides
        double fast = test_random(r, 0.01, 1);
        f[0] = size;
        f[1] = -mu * size * cos(angle);
        f[2] = -mu * size * sin(angle);
        speed[1] = fast * cos(angle);
        speed[2] = fast * sin(angle);
    } // else: touches without force
}

/// A problem with a solution: duplicated contacts, zero rows, friction 0 and 10, inertias that
/// differ by up to 1e8.
static void problem_solvable(Problem *p, TestRandom *r) {
    int32_t dofs = (int32_t)test_random(r, 3, MAX_DOFS + 1);
    int32_t contacts = (int32_t)test_random(r, 1, 7);
    double inverse_root[MAX_DOFS], spread = test_random(r, 0, 1) < 0.5 ? 4 : 1, speed[3];
    p->directions = test_random(r, 0, 1) < 0.6 ? 4 : test_random(r, 0, 1) < 0.5 ? 6 : 8;
    for (int32_t k = 0; k < dofs; k++)
        inverse_root[k] = pow(10, test_random(r, -0.5 * spread, 0.5 * spread));
    for (int32_t i = 0; i < contacts; i++) {
        bool twin = i > 0 && test_random(r, 0, 1) < 0.3;
        int32_t like = twin ? (int32_t)test_random(r, 0, i) : 0;
        double kind = test_random(r, 0, 1);
        p->contacts[i] = (LitheLcpContact){3 * i, 3 * i + 1, 2, 0, 0, 0};
        p->contacts[i].mu = kind < 0.2 ? 0 : kind < 0.4 ? 10 : test_random(r, 0.1, 1.2);
        // a normal that moves nothing: both sides are held
        bool held = test_random(r, 0, 1) < 0.05;
        for (int32_t m = 0; m < 3; m++) {
            bool zero = held || (m > 0 && test_random(r, 0, 1) < 0.05);
            for (int32_t k = 0; k < dofs; k++)
                p->S[3 * i + m][k] = twin   ? p->S[3 * like + m][k]
                                     : zero ? 0
                                            : test_random(r, -1, 1) * inverse_root[k];
        }
    }
    for (int32_t i = 0; i < contacts; i++) {
        problem_mode(p, i, r, speed);
        for (int32_t m = 0; m < 3; m++)
            p->v[3 * i + m] = speed[m];
    }
    // free velocities: those at the end minus the effect of the impulses
    long double u[MAX_DOFS] = {0};
    for (int32_t i = 0; i < 3 * contacts; i++)
        for (int32_t k = 0; k < dofs; k++)
            u[k] += (long double)p->impulse[i] * p->S[i][k];
    for (int32_t i = 0; i < 3 * contacts; i++) {
        long double sum = 0;
        for (int32_t k = 0; k < dofs; k++)
            sum += p->S[i][k] * u[k];
        p->v[i] -= (double)sum;
    }
    problem_rows(p, dofs, contacts);
}

/// A problem without a solution: two contacts push in opposite directions, by `push` each.
static void problem_contradictory(Problem *p, TestRandom *r, double push) {
    problem_solvable(p, r);
    int32_t contacts = p->rows.contact_count < 2 ? 2 : p->rows.contact_count;
    int32_t dofs = p->rows.dof_count;
    for (int32_t i = 0; i < 2; i++)
        p->contacts[i] = (LitheLcpContact){3 * i, 3 * i + 1, 2, 0.5, 0, -push};
    for (int32_t k = 0; k < dofs; k++) {
        p->S[0][k] = test_random(r, -1, 1);
        p->S[3][k] = -p->S[0][k];
        for (int m = 1; m < 3; m++)
            p->S[m][k] = p->S[3 + m][k] = test_random(r, -1, 1);
    }
    for (int32_t i = 0; i < 6; i++)
        p->v[i] = i % 3 == 0 ? -push : 0;
    problem_rows(p, dofs, contacts);
}

/// The largest violation of the conditions of all contacts: no approach, no pull, friction in its
/// polygon and, where it is at its bound, along a direction that opposes the motion most. z as
/// lithe_lcp_contacts returns it.
static double problem_error(const LitheLcpRows *rows, int32_t directions, const double *z) {
    int32_t stride = directions + 2, dofs = rows->dof_count;
    long double u[256] = {0};
    double error = 0;
    for (int32_t i = 0; i < rows->contact_count; i++) {
        const LitheLcpContact *c = &rows->contacts[i];
        const double *zi = z + stride * i, *S = rows->S + dofs * c->normal;
        const double *T = rows->S + dofs * c->tangent;
        for (int32_t k = 0; k < dofs; k++) {
            u[k] += (long double)S[k] * zi[0];
            for (int32_t j = 0; c->tangent_count == 2 && j < directions; j++) {
                long double angle = 2 * acosl(-1.0L) * j / directions;
                u[k] += zi[1 + j] * (T[k] * cosl(angle) + T[dofs + k] * sinl(angle));
            }
        }
    }
    for (int32_t i = 0; i < rows->contact_count; i++) {
        const LitheLcpContact *c = &rows->contacts[i];
        const double *zi = z + stride * i;
        long double v[3], weight[3] = {0}, sum = 0, least = INFINITY, scale;
        int32_t row[3] = {c->normal, c->tangent, c->tangent + 1};
        for (int m = 0; m < (c->tangent_count == 2 ? 3 : 1); m++) {
            v[m] = rows->v[row[m]];
            for (int32_t k = 0; k < dofs; k++) {
                v[m] += rows->S[dofs * row[m] + k] * u[k];
                weight[m] += rows->S[dofs * row[m] + k] * rows->S[dofs * row[m] + k];
            }
        }
        scale = fmaxl(1, fabsl((long double)rows->v[c->normal]));
        error = fmax(error, (double)(-v[0] / scale));
        error = fmax(error, -zi[0]);
        error = fmax(error, (double)(fminl(weight[0] * zi[0], v[0]) / scale));
        if (c->tangent_count < 2)
            continue;
        scale = fmaxl(scale, fmaxl(fabs(rows->v[row[1]]), fabs(rows->v[row[2]])));
        for (int32_t j = 0; j < directions; j++) {
            long double angle = 2 * acosl(-1.0L) * j / directions;
            least = fminl(least, v[1] * cosl(angle) + v[2] * sinl(angle));
            sum += zi[1 + j];
            error = fmax(error, -zi[1 + j]);
        }
        long double slides = fmaxl(0, -least), bound = c->mu * zi[0] + c->bound;
        error = fmax(error, (double)((sum - bound) / fmaxl(1, bound)));
        for (int32_t j = 0; j < directions; j++) {
            long double angle = 2 * acosl(-1.0L) * j / directions;
            long double along = v[1] * cosl(angle) + v[2] * sinl(angle) + slides;
            long double moved = (weight[1] + weight[2]) * zi[1 + j];
            error = fmax(error, (double)(fminl(moved, along) / scale));
        }
        error = fmax(error, (double)fminl((bound - sum) / fmaxl(1, bound), slides / scale));
    }
    return error;
}

#endif
