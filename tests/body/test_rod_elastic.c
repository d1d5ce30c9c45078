// SPDX-License-Identifier: Apache-2.0
// tests/body/test_rod_elastic.c - energy, gradient and Hessian of whole rods, plain and fast

#include "body/rod.h"
#include "body/rod_fast.h"
#include "body/unit.h"
#include "lithe/lithe.h"

#include "test.h"

// a random rod, compiled, and anchored in the work of one thread
typedef struct Sample {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *all;
    const LitheRod *rod;
    LitheRodWork *work;
    int64_t dofs;
} Sample;

static LitheSectionDef random_section(TestRandom *r, int kind) {
    LitheSectionDef s = lithe_rod_def_default().section;
    s.kind = kind;
    s.radius = test_random(r, 0.02, 0.05);
    s.width = test_random(r, 0.02, 0.1);
    s.height = test_random(r, 0.02, 0.1);
    s.EA = 1e-6; // stretching would hide errors of bending and twisting
    s.EI1 = test_random(r, 0.5, 2);
    s.EI2 = test_random(r, 0.5, 2);
    s.GJ = test_random(r, 0.5, 2);
    s.mass_per_length = 1;
    return s;
}

static bool sample_create(TestRandom *r, int section, bool closed, Sample *s) {
    enum { MAX = 75 };
    LitheVec3 points[MAX];
    // sizes on both sides of the fast kernel's block
    int n = closed ? 5 + (int)test_random(r, 0, 6) : 3 + (int)test_random(r, 0, 6);
    if (test_random(r, 0, 1) < 0.1)
        n += 20 + (int)test_random(r, 0, 40);
    for (int i = 0; i < n; i++) {
        double a = closed ? 2 * M_PI * i / n : 0.3 * i;
        double size = closed ? n / 6.0 : 3;
        points[i] =
            (LitheVec3){size * cos(a) + test_random(r, -0.2, 0.2),
                        size * sin(a) + test_random(r, -0.2, 0.2), test_random(r, -0.3, 0.3)};
    }
    *s = (Sample){.context = lithe_context_create(NULL)};
    s->scene = lithe_scene_create(s->context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "m";
    material.young = 1e5;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rod";
    rod.material = lithe_scene_add_material(s->scene, &material);
    rod.section = random_section(r, section);
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = n;
    rod.shape.closed = closed;
    rod.nodes = n;
    rod.twist = closed ? 2 * M_PI * (int)test_random(r, -2, 3) : test_random(r, -9, 9);
    rod.natural = test_random(r, 0, 1) < 0.5 ? LITHE_NATURAL_STRAIGHT : LITHE_NATURAL_AS_SHAPED;
    rod.natural_curvature1 = test_random(r, -0.5, 0.5);
    rod.natural_curvature2 = test_random(r, -0.5, 0.5);
    rod.natural_twist = test_random(r, -0.5, 0.5);
    lithe_scene_add_rod(s->scene, &rod);
    LitheError error;
    if (lithe_compile(s->scene, &s->model, &s->state, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return false;
    }
    s->all = lithe_work_create(s->model, 1);
    s->rod = &s->model->rods[0];
    s->work = lithe_rod_work(s->all, 0);
    s->dofs = 4 * (int64_t)n;
    LitheStepPlan plan = {.h = 1, .a = 1, .inverse_a = 1, .still = true};
    return lithe_unit_ops(s->model, 0)->begin(s->model, 0, s->state, &plan, s->all);
}

static void sample_destroy(Sample *s) {
    lithe_work_destroy(s->all);
    lithe_state_destroy(s->state);
    lithe_model_destroy(s->model);
    lithe_scene_destroy(s->scene);
    lithe_context_destroy(s->context);
}

// moves the rod until every edge has turned by at least 0.2 rad from its anchor
static void move_away(TestRandom *r, Sample *s, double *q) {
    const LitheRod *rod = s->rod;
    for (int attempt = 0;; attempt++) {
        double size = 0.35 + 0.02 * (attempt % 10);
        for (int64_t i = 0; i < s->dofs; i++)
            q[i] = s->work->q0[i] + test_random(r, -size, size);
        double min = 9, max = 0, sharpest = 9;
        Vec3 last = {0, 0, 0};
        for (int32_t i = 0; i < rod->edge_count; i++) {
            int32_t j = (i + 1) % rod->node_count;
            Vec3 t = v3_unit(v3_sub(v3_load(q + 4 * j), v3_load(q + 4 * i)));
            double angle = acos(fmin(1, v3_dot(t, v3_load(s->work->t0 + 3 * i))));
            min = fmin(min, angle);
            max = fmax(max, angle);
            if (i > 0)
                sharpest = fmin(sharpest, 1 + v3_dot(t, last));
            last = t;
        }
        bool long_rod = rod->node_count > 20; // all edges would take too long
        if ((min > 0.2 || (long_rod && attempt > 20)) && max < 1.5 && sharpest > 0.4)
            return;
        if (attempt > 20000)
            abort();
    }
}

static double energy_at(Sample *s, const double *q, LitheHessianPart part, double *gradient) {
    memcpy(s->work->q, q, (size_t)s->dofs * sizeof(double));
    memset(s->work->matrix.panel, 0, LITHE_ROD_PANEL * (size_t)s->rod->node_count * sizeof(double));
    double energy = lithe_rod_elastic(s->rod, s->work, 1, part, false);
    if (gradient)
        memcpy(gradient, s->work->gradient, (size_t)s->dofs * sizeof(double));
    return energy;
}

static double dot(const double *a, const double *b, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// a direction without the dummy twist of an open rod
static void random_direction(TestRandom *r, const Sample *s, double *d) {
    for (int64_t i = 0; i < s->dofs; i++)
        d[i] = test_random(r, -1, 1);
    if (!s->rod->closed)
        d[s->dofs - 1] = 0;
}

TEST(gradient_and_hessian_of_1000_rods_pass_the_taylor_test_far_from_their_anchor) {
    TestRandom r = {2};
    double sum1[2] = {0, 0}, sum2[2] = {0, 0};
    for (int n = 0; n < 1000; n++) {
        Sample s;
        FATAL(sample_create(&r, n % 4, n % 2, &s));
        double q[300], moved[300], d[300], g[300], Hd[300], g2[2][300], E2[2];
        move_away(&r, &s, q);
        random_direction(&r, &s, d);
        double E = energy_at(&s, q, LITHE_HESSIAN_FULL, g);
        lithe_rod_multiply(&s.work->matrix, d, Hd);
        double first = dot(g, d, s.dofs), second = 0.5 * dot(Hd, d, s.dofs);
        double scale = sqrt(dot(g, g, s.dofs) * dot(d, d, s.dofs));
        double Hscale = sqrt(dot(Hd, Hd, s.dofs));

        // central differences: gradient to 1e-7, Hessian to 1e-6 of their size
        double h = 1e-5;
        for (int k = 0; k < 2; k++) {
            for (int64_t i = 0; i < s.dofs; i++)
                moved[i] = q[i] + (k == 0 ? h : -h) * d[i];
            E2[k] = energy_at(&s, moved, LITHE_HESSIAN_NONE, g2[k]);
        }
        CHECK_NEAR((E2[0] - E2[1]) / (2 * h), first, 1e-7 * scale + 1e-8 * Hscale);
        double miss = 0;
        for (int64_t i = 0; i < s.dofs; i++)
            miss = fmax(miss, fabs((g2[0][i] - g2[1][i]) / (2 * h) - Hd[i]));
        CHECK_NEAR(miss / Hscale, 0, 1e-6);

        // remainders, each relative to the size of its rod
        for (int k = 0; k < 2; k++) {
            double step = k == 0 ? 2e-3 : 1e-3;
            for (int64_t i = 0; i < s.dofs; i++)
                moved[i] = q[i] + step * d[i];
            double rest = energy_at(&s, moved, LITHE_HESSIAN_NONE, NULL) - E - step * first;
            sum1[k] += fabs(rest) / scale;
            sum2[k] += fabs(rest - step * step * second) / scale;
        }
        sample_destroy(&s);
    }
    CHECK_NEAR(log2(sum1[0] / sum1[1]), 2, 0.05);
    CHECK_NEAR(log2(sum2[0] / sum2[1]), 3, 0.1);
}

TEST(fast_kernels_give_the_numbers_of_the_plain_form) {
    TestRandom r = {3};
    for (int n = 0; n < 400; n++) {
        Sample s;
        FATAL(sample_create(&r, n % 4, n % 2, &s));
        double q[300], g[300], d[300], plain[300], fast[300];
        move_away(&r, &s, q);
        random_direction(&r, &s, d);
        LitheHessianPart part = n % 3 ? LITHE_HESSIAN_FULL : LITHE_HESSIAN_GAUSS_NEWTON;
        double E = energy_at(&s, q, part, g);
        lithe_rod_multiply(&s.work->matrix, d, plain);
        double gscale = sqrt(dot(g, g, s.dofs)), Hscale = sqrt(dot(plain, plain, s.dofs));
        for (int kernel = 0; lithe_rod_fast_kernel(kernel); kernel++) {
            memset(s.work->matrix.panel, 0xff,
                   LITHE_ROD_PANEL * (size_t)s.rod->node_count * sizeof(double));
            memcpy(s.work->q, q, (size_t)s.dofs * sizeof(double));
            LitheRodFastFn *use = lithe_rod_fast_kernel(kernel);
            double Ef = lithe_rod_fast_with(use, part, s.rod, s.work, 1, 0);
            bool forces = part == LITHE_HESSIAN_FULL; // the other part has the matrix alone
            CHECK_NEAR(Ef, forces ? E : 0, 1e-12 * E);
            for (int64_t i = 0; forces && i < s.dofs - 1; i++)
                CHECK_NEAR(s.work->gradient[i], g[i], 1e-12 * gscale);
            lithe_rod_multiply(&s.work->matrix, d, fast);
            double Eg = lithe_rod_fast_with(use, LITHE_HESSIAN_NONE, s.rod, s.work, 0, 0);
            CHECK_NEAR(Eg, E, 1e-12 * E);
            for (int64_t i = 0; i < s.dofs - 1; i++)
                CHECK_NEAR(s.work->gradient[i], g[i], 1e-12 * gscale);
            for (int64_t i = 0; i < s.dofs; i++)
                CHECK_NEAR(fast[i], plain[i], 1e-12 * Hscale);
        }
        sample_destroy(&s);
    }
}

TEST(projected_stencils_make_a_positive_semidefinite_matrix_and_keep_the_gradient) {
    TestRandom r = {4};
    int helped = 0;
    for (int n = 0; n < 100; n++) {
        Sample s;
        FATAL(sample_create(&r, n % 4, n % 2, &s));
        double q[300], g[300];
        move_away(&r, &s, q);
        energy_at(&s, q, LITHE_HESSIAN_FULL, g);
        LitheRodPivots pivots;
        for (int64_t i = 0; i < s.dofs; i++) // a shift, so that rigid motions count as positive
            s.work->matrix.panel[LITHE_ROD_PANEL * (i / 4) + 13 * (i % 4)] += 1e-6;
        lithe_rod_factor(&s.work->matrix, LITHE_PIVOT_POSITIVE, s.work->factor, &pivots);
        helped += pivots.first_bad >= 0;
        memset(s.work->matrix.panel, 0,
               LITHE_ROD_PANEL * (size_t)s.rod->node_count * sizeof(double));
        lithe_rod_elastic(s.rod, s.work, 1, LITHE_HESSIAN_FULL, true);
        for (int64_t i = 0; i < s.dofs; i++) {
            s.work->matrix.panel[LITHE_ROD_PANEL * (i / 4) + 13 * (i % 4)] += 1e-6;
            CHECK(s.work->gradient[i] == g[i]);
        }
        lithe_rod_factor(&s.work->matrix, LITHE_PIVOT_POSITIVE, s.work->factor, &pivots);
        CHECK(pivots.first_bad < 0);
        sample_destroy(&s);
    }
    CHECK(helped > 20); // the exact matrices of these rods are often indefinite
}

TEST(forces_of_a_rod_sum_to_zero_and_its_moments_balance) {
    TestRandom r = {5};
    for (int n = 0; n < 100; n++) {
        Sample s;
        FATAL(sample_create(&r, n % 4, n % 2, &s));
        double q[300], g[300], size = 0;
        move_away(&r, &s, q);
        energy_at(&s, q, LITHE_HESSIAN_NONE, g);
        Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
        for (int32_t i = 0; i < s.rod->node_count; i++) {
            Vec3 f = v3_load(g + 4 * i);
            force = v3_add(force, f);
            moment = v3_add(moment, v3_cross(v3_load(q + 4 * i), f));
            if (i < s.rod->edge_count)
                moment = v3_axpy(g[4 * i + 3], s.work->edges[i].tt0, moment);
            size += v3_norm(f);
        }
        CHECK_NEAR(v3_norm(force), 0, 1e-13 * size);
        CHECK_NEAR(v3_norm(moment), 0, 1e-11 * size);
        sample_destroy(&s);
    }
}
