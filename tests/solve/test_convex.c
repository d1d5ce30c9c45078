// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_convex.c - the convex solver against a dense one, and problems as files
//
// The reference does not use blocks: dense H by rows of J, dense Cholesky, and a line search by
// halving the interval in which the slope changes its sign.

#include "assemble/assemble.h"
#include "base/memory.h"
#include "solve/check.h"
#include "solve/replay.h"

#include "worlds.h"

#include <unistd.h>

// --- dense reference -----------------------------------------------------------------------------

typedef struct Dense {
    const LitheSystem *s;
    int n, rows;
    double *A;      // [n][n]
    double *J;      // [rows][n]
    double *H;      // [n][n]
    double *w, *g;  // [n]
    double *step;   // [n]
    double *v, *dv; // [rows]
} Dense;

static double *array(int64_t count) {
    return calloc((size_t)count + 1, sizeof(double));
}

static Dense dense_begin(const LitheSystem *s) {
    Dense d = {.s = s, .n = s->dof_count};
    for (int32_t i = 0; i < s->coupling_count; i++)
        d.rows += s->couplings[i].term.rows;
    d.A = array((int64_t)d.n * d.n);
    d.H = array((int64_t)d.n * d.n);
    d.J = array((int64_t)d.rows * d.n);
    d.w = array(d.n);
    d.g = array(d.n);
    d.step = array(d.n);
    d.v = array(d.rows);
    d.dv = array(d.rows);
    const LitheBlockMatrix *m = s->matrix;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t e = m->start[column]; e < m->start[column + 1]; e++)
            for (int32_t j = 0; j < m->size[column]; j++)
                for (int32_t i = m->row[e] == column ? j : 0; i < m->size[m->row[e]]; i++) {
                    int64_t a = m->at[m->row[e]] + i, b = m->at[column] + j;
                    double value = s->A[m->value_at[e] + (int64_t)m->size[m->row[e]] * j + i];
                    d.A[a * d.n + b] = d.A[b * d.n + a] = value;
                }
    int64_t row = 0;
    for (int32_t i = 0; i < s->coupling_count; i++) {
        const LitheCoupling *c = &s->couplings[i];
        for (int32_t r = 0; r < c->term.rows; r++, row++)
            for (int32_t k = 0; k < c->node_count; k++)
                for (int32_t j = 0; j < s->node_size[c->node[k]]; j++)
                    d.J[row * d.n + s->node_at[c->node[k]] + j] +=
                        s->jacobian[c->jacobian_at[k] + r * s->node_size[c->node[k]] + j];
    }
    memcpy(d.w, s->w0, (size_t)d.n * sizeof(double));
    return d;
}

static void dense_end(Dense *d) {
    double *all[] = {d->A, d->H, d->J, d->w, d->g, d->step, d->v, d->dv};
    for (int i = 0; i < 8; i++)
        free(all[i]);
}

static void apply_J(const Dense *d, const double *x, bool bias, double *out) {
    int64_t row = 0;
    for (int32_t i = 0; i < d->s->coupling_count; i++)
        for (int32_t r = 0; r < d->s->couplings[i].term.rows; r++, row++) {
            out[row] = bias ? d->s->couplings[i].bias[r] : 0;
            for (int j = 0; j < d->n; j++)
                out[row] += d->J[row * d->n + j] * x[j];
        }
}

// cost at w; g its gradient, H its Hessian; `scale` the sum of the sizes of its parts
static double evaluate(Dense *d, double *scale) {
    int n = d->n;
    double cost = 0;
    *scale = 0;
    memcpy(d->H, d->A, (size_t)n * (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++) {
        double Ad = 0;
        for (int j = 0; j < n; j++)
            Ad += d->A[(int64_t)i * n + j] * (d->w[j] - d->s->w0[j]);
        double linear = d->s->r[i] * (d->w[i] - d->s->w0[i]);
        double square = 0.5 * Ad * (d->w[i] - d->s->w0[i]);
        cost += linear + square;
        *scale += fabs(linear) + fabs(square);
        d->g[i] = d->s->r[i] + Ad;
    }
    apply_J(d, d->w, true, d->v);
    double *v = d->v, *J = d->J;
    for (int32_t i = 0; i < d->s->coupling_count; i++) {
        int rows = d->s->couplings[i].term.rows;
        double impulse[6], G[36];
        double own = lithe_term_cost(&d->s->couplings[i].term, v, impulse, G);
        cost += own;
        *scale += fabs(own);
        for (int r = 0; r < rows; r++)
            for (int j = 0; j < n; j++)
                d->g[j] -= J[(int64_t)r * n + j] * impulse[r];
        for (int a = 0; a < n; a++)
            for (int r = 0; r < rows; r++) {
                double x = 0;
                for (int q = 0; q < rows; q++)
                    x += J[(int64_t)q * n + a] * G[rows * q + r];
                for (int b = 0; x != 0 && b < n; b++)
                    d->H[(int64_t)a * n + b] += x * J[(int64_t)r * n + b];
            }
        v += rows;
        J += (int64_t)rows * n;
    }
    return cost;
}

// step = -H\g on free DoFs; false when H is not positive definite
static bool direction(Dense *d) {
    int n = d->n;
    double *H = d->H;
    for (int i = 0; i < n; i++) {
        bool held = d->s->held[i];
        for (int j = 0; held && j < n; j++)
            H[(int64_t)i * n + j] = H[(int64_t)j * n + i] = i == j;
        d->g[i] = held ? 0 : d->g[i];
        d->step[i] = -d->g[i];
    }
    for (int j = 0; j < n; j++) {
        double pivot = H[(int64_t)j * n + j];
        for (int k = 0; k < j; k++)
            pivot -= H[(int64_t)j * n + k] * H[(int64_t)j * n + k];
        if (!(pivot > 0))
            return false;
        H[(int64_t)j * n + j] = sqrt(pivot);
        for (int i = j + 1; i < n; i++) {
            double x = H[(int64_t)i * n + j];
            for (int k = 0; k < j; k++)
                x -= H[(int64_t)i * n + k] * H[(int64_t)j * n + k];
            H[(int64_t)i * n + j] = x / H[(int64_t)j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            d->step[i] -= H[(int64_t)i * n + k] * d->step[k];
        d->step[i] /= H[(int64_t)i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            d->step[i] -= H[(int64_t)k * n + i] * d->step[k];
        d->step[i] /= H[(int64_t)i * n + i];
    }
    return true;
}

// slope of the cost at w + x step, from the slope of the smooth part at 0 and its curvature
static double slope_at(const Dense *d, double smooth, double curvature, double x) {
    double slope = smooth + x * curvature;
    const double *v = d->v, *dv = d->dv;
    for (int32_t i = 0; i < d->s->coupling_count; i++) {
        int rows = d->s->couplings[i].term.rows;
        double at[6], impulse[6];
        for (int r = 0; r < rows; r++)
            at[r] = v[r] + x * dv[r];
        lithe_term_cost(&d->s->couplings[i].term, at, impulse, NULL);
        for (int r = 0; r < rows; r++)
            slope -= impulse[r] * dv[r];
        v += rows;
        dv += rows;
    }
    return slope;
}

static double bisect(Dense *d) {
    int n = d->n;
    double smooth = 0, curvature = 0, low = 0, high = 1;
    for (int i = 0; i < n; i++) {
        double Ad = 0, As = 0;
        for (int j = 0; j < n; j++) {
            Ad += d->A[(int64_t)i * n + j] * (d->w[j] - d->s->w0[j]);
            As += d->A[(int64_t)i * n + j] * d->step[j];
        }
        smooth += (d->s->r[i] + Ad) * d->step[i];
        curvature += As * d->step[i];
    }
    apply_J(d, d->step, false, d->dv);
    if (slope_at(d, smooth, curvature, high) <= 0)
        return high;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        if (slope_at(d, smooth, curvature, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// the minimal cost, by damped Newton from w0; NAN when it did not converge
static double dense_solve(const LitheSystem *s, double tolerance, double momentum, double *scale) {
    Dense d = dense_begin(s);
    double cost = NAN;
    for (int k = 0; k < 2000; k++) {
        double now = evaluate(&d, scale), size = 0, impulses = 0;
        for (int i = 0; i < d.n; i++) {
            double smooth = s->r[i];
            for (int j = 0; j < d.n; j++)
                smooth += d.A[(int64_t)i * d.n + j] * (d.w[j] - s->w0[j]);
            size += s->held[i] ? 0 : pow(s->scale[i] * d.g[i], 2);
            impulses += pow(s->scale[i] * (smooth - d.g[i]), 2);
        }
        if (sqrt(size) <= tolerance * fmax(sqrt(impulses), momentum)) {
            cost = now;
            break;
        }
        if (!direction(&d))
            break;
        double length = bisect(&d);
        for (int i = 0; i < d.n; i++)
            d.w[i] += length * d.step[i];
    }
    dense_end(&d);
    return cost;
}

// --- problems of random worlds -------------------------------------------------------------------

// writes the first problem of a step to a file
typedef struct Taker {
    char path[256];
    double *start;
    bool taken, solved;
    int32_t iterations;
    double cost;
} Taker;

static void take(LitheSystem *system, const LitheConvexSetting *setting, bool ended, void *user) {
    Taker *t = user;
    if (!ended && !t->taken) {
        CHECK(lithe_replay_write(system, setting, system->w, t->path, NULL) == LITHE_OK);
        return;
    }
    if (ended && !t->taken) {
        t->taken = true;
        t->solved = system->converged;
        t->iterations = system->iterations;
        t->cost = system->cost;
    }
}

static bool take_problem(int number, Taker *t) {
    World w;
    *t = (Taker){0};
    snprintf(t->path, sizeof t->path, "%s/lithe-test-%d.system", P_tmpdir, (int)getpid());
    if (CHECK(world_begin(&w, number))) {
        LitheWork *work = lithe_work_create(w.model, 1);
        work->system->watch = take;
        work->system->watch_user = t;
        lithe_step(w.model, w.state, work, NULL, NULL);
        lithe_work_destroy(work);
    }
    world_end(&w);
    return t->taken && t->solved;
}

LONG_TEST(cost_is_that_of_a_dense_solver) {
    int compared = 0, missed = 0;
    for (int i = 0; i < 60; i++) {
        Taker t;
        if (!take_problem(i, &t))
            continue;
        LitheContext *context = lithe_context_create(NULL);
        LitheSystem system = {0};
        LitheConvexSetting setting;
        if (CHECK(lithe_replay_read(context, t.path, &system, &setting, NULL) == LITHE_OK)) {
            setting.tolerance = 1e-10;
            setting.noise = 0;
            setting.lag = 0;
            setting.max_iterations = 1000;
            // the error of the cost is the square of this; rounding leaves 1e-8 where friction is
            // sharp
            double scale, cost = dense_solve(&system, 1e-7, setting.momentum, &scale);
            memcpy(system.w, system.w0, (size_t)system.dof_count * sizeof(double));
            CHECK(lithe_convex_solve(&system, &setting));
            bool both = isfinite(cost) && (system.converged || system.stalled);
            compared += both;
            missed += !both;
            if (!both)
                printf("  world %d: dense cost %g; %d iterations, residual %g\n", i, cost,
                       system.iterations, system.residual);
            else if (!CHECK_NEAR(system.cost / scale, cost / scale, 1e-9))
                printf("  world %d\n", i);
        }
        lithe_system_release(&system);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
        unlink(t.path);
    }
    CHECK(compared >= 30);
    CHECK(missed == 0);
    printf("  %d compared\n", compared);
}

TEST(problem_from_a_file_is_solved_as_before) {
    int compared = 0;
    for (int i = 0; i < 20; i++) {
        Taker t;
        if (!take_problem(i, &t))
            continue;
        LitheContext *context = lithe_context_create(NULL);
        LitheSystem system = {0};
        LitheConvexSetting setting;
        FATAL(lithe_replay_read(context, t.path, &system, &setting, NULL) == LITHE_OK);
        CHECK(lithe_convex_solve(&system, &setting));
        CHECK(system.iterations == t.iterations);
        CHECK(system.cost == t.cost);
        compared++;
        lithe_system_release(&system);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
        unlink(t.path);
    }
    CHECK(compared > 5);
}

TEST(damaged_file_of_a_problem_is_refused_with_its_line) {
    Taker t;
    int world = 0;
    while (!take_problem(world, &t))
        world++;
    FILE *file = fopen(t.path, "r+");
    FATAL(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    CHECK(ftruncate(fileno(file), size / 2) == 0);
    fclose(file);
    LitheContext *context = lithe_context_create(NULL);
    LitheSystem system = {0};
    LitheConvexSetting setting;
    LitheError error;
    CHECK(lithe_replay_read(context, t.path, &system, &setting, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, ".system:");
    lithe_system_release(&system);
    CHECK(lithe_replay_read(context, "/nowhere", &system, &setting, &error) == LITHE_FILE_ERROR);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    unlink(t.path);
}

TEST(lack_of_memory_while_reading_a_problem_leaves_nothing_behind) {
    Taker t;
    int world = 0, refused = 0;
    while (!take_problem(world, &t))
        world++;
    LitheContext *context = lithe_context_create(NULL);
    for (int n = 1; n < 1000; n++) {
        LitheSystem system = {0};
        LitheConvexSetting setting;
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_replay_read(context, t.path, &system, &setting, NULL);
        lithe_context_fail_at(context, 0);
        lithe_system_release(&system);
        CHECK(lithe_context_bytes(context) == 0);
        CHECK(status == LITHE_OK || status == LITHE_NO_MEMORY);
        if (status == LITHE_OK)
            break;
        refused++;
    }
    CHECK(refused > 10 && refused < 900);
    lithe_context_destroy(context);
    unlink(t.path);
}
