// SPDX-License-Identifier: Apache-2.0
// tests/law/test_solid_mean.c - mean volume over patches of tetrahedra

#include "law/solid_mean.h"
#include "math/eigen.h"
#include "math/svd3.h"

#include "test.h"

// One patch of the six elements of Kuhn's cube, and one of a single element on top of it; all pairs
// of the 9 nodes are entries.
enum { NODES = 9, COUNT = 7, ENTRIES = NODES * (NODES + 1) / 2, VALUES = 9 * ENTRIES };

typedef struct Case {
    LitheSolidMaterial material;
    LitheTets tets;
    LitheTetPatches patches;
    int32_t entries[10 * COUNT];
    Vec3 gradients[4 * COUNT];
    double volumes[COUNT], patch_volumes[2], x[3 * NODES];
    Mat3 rotations[COUNT];
    int64_t value_at[ENTRIES];
} Case;

static const int32_t nodes[4 * COUNT] = {0, 1, 3, 7, 0, 5, 1, 7, 0, 4, 5, 7, 0, 3,
                                         2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 4, 5, 7, 8};
static const int32_t element_start[3] = {0, 6, 7}, elements[COUNT] = {0, 1, 2, 3, 4, 5, 6};
static const int32_t node_start[3] = {0, 8, 12},
                     patch_nodes[12] = {0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 7, 8};
static int32_t places[4 * COUNT], patch_entries[36 + 10];
static const int64_t entry_start[3] = {0, 36, 46};

static int32_t entry_of(int32_t a, int32_t b) {
    return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a;
}

static void make_case(Case *c, int32_t law, double strain, TestRandom *r) {
    Vec3 rest[NODES];
    Mat3 A = m3_identity();
    for (int i = 0; i < 9; i++)
        A.m[i / 3][i % 3] += test_random(r, -2, 2);
    Mat3 Q = lithe_polar_rotation(&A);
    for (int i = 0; i < NODES; i++) {
        rest[i] = i == 8 ? v3(0.6, 0.4, 1.8) : v3(i & 1, (i >> 1) & 1, (i >> 2) & 1);
        Vec3 off = v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1));
        v3_store(v3_axpy(strain, off, m3_apply(Q, rest[i])), c->x + 3 * i);
    }
    c->patch_volumes[0] = c->patch_volumes[1] = 0;
    for (int32_t e = 0; e < COUNT; e++) {
        const int32_t *node = nodes + 4 * e;
        Vec3 d[3], *g = c->gradients + 4 * e;
        for (int a = 0; a < 3; a++)
            d[a] = v3_sub(rest[node[a + 1]], rest[node[0]]);
        Mat3 D = m3_transpose(m3_columns(d[0], d[1], d[2]));
        g[1] = m3_solve(D, v3(1, 0, 0));
        g[2] = m3_solve(D, v3(0, 1, 0));
        g[3] = m3_solve(D, v3(0, 0, 1));
        g[0] = v3_neg(v3_add(g[1], v3_add(g[2], g[3])));
        c->volumes[e] = fabs(m3_det(D)) / 6;
        c->rotations[e] = Q;
        int32_t patch = e == 6;
        c->patch_volumes[patch] += c->volumes[e];
        for (int a = 0; a < 4; a++)
            for (int32_t k = node_start[patch]; k < node_start[patch + 1]; k++)
                if (patch_nodes[k] == node[a])
                    places[4 * e + a] = k - node_start[patch];
        for (int a = 0, k = 0; a < 4; a++)
            for (int b = 0; b <= a; b++)
                c->entries[10 * e + k++] = entry_of(node[a], node[b]);
    }
    int32_t *entry = patch_entries;
    for (int p = 0; p < 2; p++)
        for (int32_t a = node_start[p]; a < node_start[p + 1]; a++)
            for (int32_t b = node_start[p]; b <= a; b++)
                *entry++ = entry_of(patch_nodes[a], patch_nodes[b]);
    for (int32_t k = 0; k < ENTRIES; k++)
        c->value_at[k] = 9 * (int64_t)k;
    c->material = lithe_solid_material(lithe_solid_laws[law], 2.5, 0.48);
    c->tets = (LitheTets){lithe_solid_laws[law],
                          &c->material,
                          COUNT,
                          nodes,
                          c->gradients,
                          c->volumes,
                          lithe_solid_laws[law]->lagged ? c->rotations : NULL,
                          NULL,
                          c->entries,
                          c->value_at};
    c->patches =
        (LitheTetPatches){2,           element_start, elements,    c->patch_volumes, node_start,
                          patch_nodes, places,        entry_start, patch_entries};
}

static double evaluate(const Case *c, const double *x, double *gradient, double *values,
                       bool project) {
    double pressures[COUNT];
    LitheTetTerms terms = {
        .gradient = gradient, .values = values, .scale = 1, .project = project, .bad = -1};
    return lithe_tets_evaluate_mean(&c->tets, &c->patches, x, &terms, pressures);
}

static double entry_at(const double *values, int row, int column) {
    int a = row / 3, b = column / 3, i = row % 3, k = column % 3;
    return a >= b ? values[9 * entry_of(a, b) + 3 * k + i] : values[9 * entry_of(a, b) + 3 * i + k];
}

TEST(forces_and_stiffness_are_derivatives_of_the_energy) {
    TestRandom r = {1};
    static Case c;
    enum { N = 3 * NODES };
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++)
        for (int trial = 0; trial < 5; trial++) {
            make_case(&c, law, 0.08, &r);
            double f[N] = {0}, K[VALUES] = {0}, direction[N], up[N], down[N], fu[N] = {0},
                   fd[N] = {0}, t = 1e-5, slope = 0;
            double E = evaluate(&c, c.x, f, K, false);
            FATAL(isfinite(E));
            for (int k = 0; k < N; k++) {
                direction[k] = test_random(&r, -1, 1);
                up[k] = c.x[k] + t * direction[k];
                down[k] = c.x[k] - t * direction[k];
                slope += f[k] * direction[k];
            }
            double Eu = evaluate(&c, up, fu, NULL, false), Ed = evaluate(&c, down, fd, NULL, false);
            CHECK_NEAR((Eu - Ed) / (2 * t), slope, 1e-6 * (1 + fabs(slope)));
            for (int k = 0; k < N; k++) {
                double sum = 0;
                for (int j = 0; j < N; j++)
                    sum += entry_at(K, k, j) * direction[j];
                CHECK_NEAR((fu[k] - fd[k]) / (2 * t), sum, 1e-5 * (1 + fabs(sum)));
            }
        }
}

TEST(at_uniform_strain_the_energy_is_that_without_patches) {
    TestRandom r = {2};
    static Case c;
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++) {
        make_case(&c, law, 0, &r);
        for (int i = 0; i < NODES; i++) // stretch along x
            c.x[3 * i] *= 1.1;
        LitheTetTerms terms = {0};
        double E = evaluate(&c, c.x, NULL, NULL, false);
        CHECK_NEAR(E, lithe_tets_evaluate(&c.tets, c.x, &terms), 1e-12 * E);
        CHECK(E > 1e-3);
    }
}

TEST(projected_stiffness_is_positive_semidefinite) {
    TestRandom r = {3};
    static Case c;
    enum { N = 3 * NODES };
    static double A[N * N], values[N], work[LITHE_EIGEN_WORK(N)];
    for (int32_t law = 0; law < LITHE_SOLID_LAWS; law++) {
        double lowest = 0;
        for (int trial = 0; trial < 20; trial++) {
            make_case(&c, law, 0.12, &r);
            for (int project = 0; project < 2; project++) {
                double K[VALUES] = {0};
                if (!isfinite(evaluate(&c, c.x, NULL, K, project)))
                    continue;
                for (int i = 0; i < N * N; i++)
                    A[i] = entry_at(K, i / N, i % N);
                FATAL(lithe_eigen_symmetric(N, A, values, work));
                if (project)
                    CHECK(values[0] > -1e-12 * values[N - 1]);
                else
                    lowest = fmin(lowest, values[0]);
            }
        }
        CHECK(law == 0 || lowest < -1e-3);
    }
}
