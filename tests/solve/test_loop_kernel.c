// SPDX-License-Identifier: Apache-2.0
// tests/solve/test_loop_kernel.c - the inner loops on vectors against their formulas in plain C

#include "law/term_plain.h"
#include "solve/loop_kernels.h"
#include "solve/slip.h"

#include "test.h"

#include <math.h>
#include <string.h>

// where the compiler may fuse multiplication and addition, lanes and single contacts may differ
#if defined(__x86_64__) && !defined(__FMA__)
#define FUSED 0
#else
#define FUSED 1e-12
#endif

enum { NODES = 7, COUPLINGS = 5, DOFS = 4 * NODES - 2, VALUES = 16 * NODES };

static const int32_t sizes[NODES] = {4, 4, 3, 4, 3, 4, 4}; // 26 DoFs

// a system with random numbers in everything that the loops read
typedef struct Made {
    LitheSystem s;
    LitheCoupling couplings[COUPLINGS];
    int32_t places[COUPLINGS][4];
    LitheBlockMatrix matrix;
    int32_t node_size[NODES], node_at[NODES + 1], of_start[NODES + 1], of[2 * COUPLINGS];
    int32_t start[NODES + 1];
    int64_t value_at[NODES + 1];
    unsigned char held[DOFS];
    double vectors[10][DOFS], jacobian[2 * COUPLINGS * 3 * 4], push[COUPLINGS * LITHE_COUPLED_ROWS];
    double value[VALUES], spare[2 * DOFS];
} Made;

static void make(Made *m) {
    TestRandom random = {11};
    memset(m, 0, sizeof *m);
    LitheSystem *s = &m->s;
    double *numbers[] = {m->vectors[0], m->jacobian, m->push, m->value};
    size_t counts[] = {10 * DOFS, sizeof m->jacobian / 8, sizeof m->push / 8, VALUES};
    for (int k = 0; k < 4; k++)
        for (size_t i = 0; i < counts[k]; i++)
            numbers[k][i] = test_random(&random, -1, 1);
    for (int i = 0; i < NODES; i++) {
        m->node_size[i] = sizes[i];
        m->node_at[i + 1] = m->node_at[i] + sizes[i];
        m->start[i] = i;
        m->value_at[i] = 16 * i;
    }
    double **vectors[10] = {&s->w0,     &s->w,  &s->r,   &s->scale, &s->gradient,
                            &s->smooth, &s->dw, &s->Adw, &s->from,  &s->pushed};
    for (int k = 0; k < 10; k++)
        *vectors[k] = m->vectors[k];
    for (int i = 0; i < DOFS; i++)
        s->scale[i] = i == 1 || i == 9 ? 0 : fabs(s->scale[i]) + 0.1;
    m->held[1] = m->held[9] = 1;
    // coupling i touches nodes i and i + 1; node 6 is free
    int32_t at = 0;
    for (int n = 0; n < NODES; n++) {
        m->of_start[n] = at;
        for (int i = 0; i < COUPLINGS; i++)
            if (i == n || i + 1 == n)
                m->of[at++] = LITHE_COUPLED_STRIDE * i + (n - i);
    }
    m->of_start[NODES] = at;
    for (int i = 0; i < COUPLINGS; i++) {
        LitheCoupling *c = &m->couplings[i];
        c->term.rows = 3;
        c->node_count = 2;
        c->node = m->places[i];
        c->jacobian_at = m->places[i] + 2;
        for (int k = 0; k < 2; k++) {
            c->node[k] = i + k;
            c->jacobian_at[k] = 12 * (2 * i + k);
        }
        for (int row = 0; row < 3; row++)
            c->impulse[row] = test_random(&random, -1, 1);
    }
    m->matrix.size = s->node_size = m->node_size;
    m->matrix.at = s->node_at = m->node_at;
    m->matrix.start = m->start;
    m->matrix.value_at = m->value_at;
    m->matrix.value = m->value;
    m->matrix.count = s->node_count = NODES;
    s->matrix = &m->matrix;
    s->couplings = m->couplings;
    s->of_start = m->of_start;
    s->of = m->of;
    s->held = m->held;
    s->jacobian = m->jacobian;
    s->push = m->push;
    s->spare = m->spare;
}

// J' x of all couplings
static void plain_spread(const Made *m, const double *push, double *out) {
    memset(out, 0, DOFS * sizeof *out);
    for (int i = 0; i < COUPLINGS; i++)
        for (int k = 0; k < 2; k++)
            for (int row = 0; row < 3; row++)
                for (int j = 0; j < sizes[i + k]; j++)
                    out[m->node_at[i + k] + j] +=
                        m->jacobian[12 * (2 * i + k) + sizes[i + k] * row + j] *
                        (push ? push[LITHE_COUPLED_ROWS * i + row] : m->couplings[i].impulse[row]);
}

static void compare_with_formulas(const LitheLoopKernel *kernel) {
    Made *made = calloc(2, sizeof *made), *m = &made[0], *kept = &made[1];
    double out[DOFS], want[DOFS], sums[4] = {0}, sum[4] = {0}, again[4] = {0};
    make(m);
    make(kept);
    kernel->spread(&m->s, 0, NODES, false, out);
    plain_spread(m, NULL, want);
    for (int i = 0; i < DOFS; i++)
        CHECK_NEAR(out[i], want[i], 1e-14);

    for (int i = 0; i < COUPLINGS; i++) {
        double v[3] = {1, 2, 3};
        kernel->velocity(&m->s, &m->couplings[i], m->s.from, v);
        for (int row = 0; row < 3; row++) {
            double sum_v = row + 1;
            for (int k = 0; k < 2; k++)
                for (int j = 0; j < sizes[i + k]; j++)
                    sum_v += m->jacobian[12 * (2 * i + k) + sizes[i + k] * row + j] *
                             m->s.from[m->node_at[i + k] + j];
            CHECK_NEAR(v[row], sum_v, 1e-14);
        }
    }

    kernel->gradient(&m->s, 0, NODES, m->s.from, sums);
    for (int i = 0; i < DOFS; i++) {
        double g = m->held[i] ? 0 : m->s.from[i] - want[i];
        CHECK_NEAR(m->s.gradient[i], g, 1e-14);
        sum[0] += pow(m->s.scale[i] * want[i], 2);
        sum[1] += pow(m->s.scale[i] * g, 2);
    }
    // the same again, from J' impulse that was kept
    m->s.has_pushed = true;
    memset(m->couplings[0].impulse, 0, sizeof m->couplings[0].impulse);
    kernel->gradient(&m->s, 0, NODES, m->s.from, again);
    memcpy(m->couplings[0].impulse, kept->couplings[0].impulse, sizeof m->couplings[0].impulse);
    m->s.has_pushed = false;
    for (int k = 0; k < 2; k++)
        CHECK(again[k] == sums[k]);
    CHECK_NEAR(sums[0], sum[0], 1e-13);
    CHECK_NEAR(sums[1], sum[1], 1e-13);

    memset(sums, 0, sizeof sums);
    kernel->compare(&m->s, 0, NODES, sums);
    plain_spread(m, m->push, want);
    double max[4] = {0};
    for (int n = 0; n < NODES; n++)
        for (int k = 0; k < sizes[n]; k++) {
            int i = m->node_at[n] + k;
            max[0] = fmax(max[0], fabs(m->s.gradient[i]));
            max[1] = fmax(max[1], fabs(m->s.dw[i]));
            max[2] = fmax(max[2], fabs(m->value[16 * n + (sizes[n] + 1) * k]));
            max[3] = fmax(max[3], fabs(m->s.gradient[i] + m->s.Adw[i] + want[i]));
        }
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(sums[k], max[k], 1e-14);
    m->s.dw[5] = NAN;
    kernel->compare(&m->s, 0, NODES, sums);
    CHECK(isnan(sums[1]));
    m->s.dw[5] = kept->s.dw[5];

    memset(sums, 0, sizeof sums);
    memset(sum, 0, sizeof sum);
    kernel->along(&m->s, 0, DOFS, sums);
    for (int i = 0; i < DOFS; i++) {
        sum[0] += m->s.smooth[i] * m->s.dw[i];
        sum[1] += m->s.Adw[i] * m->s.dw[i];
        sum[2] += m->s.gradient[i] * m->s.dw[i];
    }
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(sums[k], sum[k], 1e-13);

    memset(sums, 0, sizeof sums);
    memset(sum, 0, sizeof sum);
    kernel->smooth(&m->s, 0, DOFS, sums);
    for (int i = 0; i < DOFS; i++) {
        sum[0] += kept->s.dw[i] * (kept->s.r[i] + 0.5 * kept->s.smooth[i]);
        CHECK_NEAR(m->s.smooth[i], kept->s.smooth[i] + kept->s.r[i], 1e-15);
    }
    CHECK_NEAR(sums[0], sum[0], 1e-13);

    CHECK(kernel->move(&m->s, 0, DOFS, 0.5));
    for (int i = 0; i < DOFS; i++) {
        CHECK_NEAR(m->s.w[i], kept->s.w[i] + 0.5 * kept->s.dw[i], 1e-15);
        CHECK_NEAR(m->s.smooth[i], kept->s.smooth[i] + kept->s.r[i] + 0.5 * kept->s.Adw[i], 1e-15);
    }
    CHECK(!kernel->move(&m->s, 0, DOFS, 1e-30));
    m->s.w[DOFS - 1] = 0; // in the part beyond the last whole vector
    CHECK(kernel->move(&m->s, 0, DOFS, 1e-30));
    free(made);
}

// --- J' G J of couplings -------------------------------------------------------------------------

enum { WIDEST = 30, BLOCKS = 7, LISTS = 10 };

// how terms are added: by the formula, by the function of the matrix, by the kernel
typedef enum Way { FORMULA, MATRIX, KERNEL } Way;

// the column of node[b] of J' G J
static void add_plain(LitheBlockMatrix *m, const LitheBlockTerm *t, int32_t b) {
    int32_t nb = m->size[t->node[b]];
    for (int32_t a = 0; a < t->count; a++) {
        int32_t entry = t->entry[t->count * b + a], na = m->size[t->node[a]];
        for (int32_t i = 0; i < na && entry >= 0; i++)
            for (int32_t j = 0; j < nb; j++)
                for (int32_t k = 0; k < t->rows; k++)
                    for (int32_t l = 0; l < t->rows; l++)
                        m->value[m->value_at[entry] + na * j + i] += t->J[t->J_at[a] + na * k + i] *
                                                                     t->G[t->rows * k + l] *
                                                                     t->J[t->J_at[b] + nb * l + j];
    }
}

// adds J' G J by columns of nodes; nodes of which only a few columns of J are not zero among them
static void add_terms(const LitheLoopKernel *kernel, Way way, const int32_t *nodes, int32_t count,
                      int32_t rows, LitheBlockMatrix *m) {
    TestRandom random = {5 + (uint64_t)rows};
    double J[BLOCKS][LITHE_COUPLED_ROWS * WIDEST], G[LITHE_COUPLED_ROWS * LITHE_COUPLED_ROWS];
    double scratch[LITHE_COUPLED_ROWS * WIDEST];
    int32_t entry[BLOCKS * BLOCKS];
    int32_t at[BLOCKS];
    LitheBlockTerm term = {
        .rows = rows, .count = count, .node = nodes, .entry = entry, .J = J[0], .J_at = at, .G = G};
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j <= i; j++)
            G[rows * i + j] = G[rows * j + i] = test_random(&random, -1, 1);
    for (int32_t k = 0; k < count; k++) {
        int32_t size = m->size[nodes[k]];
        for (int32_t i = 0; i < rows * size; i++)
            J[k][i] = size > 6 && i % size % 4 > 1 ? 0 : test_random(&random, -1, 1);
        at[k] = k * LITHE_COUPLED_ROWS * WIDEST;
    }
    lithe_block_find_term(m, count, nodes, entry);
    for (int32_t b = 0; b < count; b++)
        if (way == KERNEL)
            kernel->term(m, &term, b);
        else if (way == MATRIX)
            lithe_block_add_term(m, &term, b, scratch);
        else
            add_plain(m, &term, b);
}

static void compare_terms(const LitheLoopKernel *kernel) {
    static const int32_t sizes_of[BLOCKS] = {6, WIDEST, 6, 3, 3, 4, 1};
    static const int32_t nodes[][BLOCKS] = {{0},       {1}, {2, 0}, {0, 1, 3}, {3, 2, 1, 0},
                                            {3, 4, 2}, {6}, {5, 6}, {6, 5, 0}, {1, 5, 6}};
    static const int32_t counts[LISTS] = {1, 1, 2, 3, 4, 3, 1, 2, 3, 3};
    LitheContext *context = lithe_context_create(NULL);
    LitheBlockMatrix *m = lithe_block_matrix_create(context);
    LitheBlockPair pairs[BLOCKS * BLOCKS];
    for (int32_t i = 0; i < BLOCKS * BLOCKS; i++)
        pairs[i] = (LitheBlockPair){i / BLOCKS, i % BLOCKS};
    FATAL(lithe_block_matrix_build(m, BLOCKS, sizes_of, pairs, BLOCKS * BLOCKS));
    int64_t values = m->value_at[m->start[BLOCKS]];
    double *want = malloc((size_t)values * sizeof *want);
    for (int32_t rows = 1; rows <= LITHE_COUPLED_ROWS; rows++)
        for (int k = 0; k < 2 * LISTS; k++) {
            const int32_t *list = nodes[k / 2], count = counts[k / 2];
            memset(m->value, 0, (size_t)values * sizeof *want);
            add_terms(kernel, FORMULA, list, count, rows, m);
            memcpy(want, m->value, (size_t)values * sizeof *want);
            memset(m->value, 0, (size_t)values * sizeof *want);
            add_terms(kernel, k % 2 ? KERNEL : MATRIX, list, count, rows, m);
            for (int32_t column = 0; column < BLOCKS; column++)
                for (int32_t e = m->start[column]; e < m->start[column + 1]; e++) {
                    int32_t row = m->row[e], size = m->size[row];
                    for (int32_t j = 0; j < m->size[column]; j++)
                        for (int32_t i = row == column ? j : 0; i < size; i++)
                            CHECK_NEAR(m->value[m->value_at[e] + size * j + i],
                                       want[m->value_at[e] + size * j + i], 2e-14);
                }
        }
    free(want);
    lithe_block_matrix_destroy(m);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(terms_of_all_kinds_of_nodes_are_their_formula) {
    compare_terms(&lithe_loop_kernel_portable);
    compare_terms(lithe_loop_kernel());
}

TEST(loops_of_any_processor_are_their_formulas) {
    compare_with_formulas(&lithe_loop_kernel_portable);
}

TEST(loops_in_use_are_their_formulas) {
    compare_with_formulas(lithe_loop_kernel());
}

// --- laws of four contacts -----------------------------------------------------------------------

// random plain contacts: closed and open ones, without stiffness or dissipation, of patches
static void make_contact(TestRandom *r, int n, LitheCoupling *c) {
    LitheContactSetting setting = lithe_contact_setting_default();
    LitheContactStart start = {.k = n % 5 == 4 ? 0 : pow(10, test_random(r, 2, 6)),
                               .d = n % 3 == 0 ? 0 : pow(10, test_random(r, -2, 2)),
                               .phi0 = test_random(r, -1e-3, 3e-4),
                               .patch = n % 5 == 4,
                               .f0 = n % 5 == 4 ? test_random(r, 0, 10) : 0,
                               .mu = n % 7 == 0 ? 0 : test_random(r, 0, 1),
                               .w = test_random(r, 0.1, 10)};
    lithe_term_contact(&c->term, LITHE_TERM_LAGGED, &setting, 1e-3, &start);
    double fast = n % 4 == 0 ? 1e-7 : 1; // slow: sticks
    for (int k = 0; k < 3; k++)
        c->v[k] = test_random(r, -fast, fast);
}

// directions of friction after a step dv, and G with them
static void compare_slips(const LitheLoopKernel *kernel, LitheCoupling *four, double *dv,
                          const double *G, TestRandom *r) {
    double d[4 * LITHE_COUPLED_ROWS], slip[4 * LITHE_COUPLED_ROWS], bent[36], own[36];
    LitheSystem s = {.couplings = four, .coupling_count = 4, .slip = slip, .dv = dv};
    for (int i = 0; i < 4 * LITHE_COUPLED_ROWS; i++)
        d[i] = slip[i] = test_random(r, -0.7, 0.7);
    memcpy(bent, G, sizeof bent);
    memcpy(own, G, sizeof own);
    kernel->bend_four(four, d, bent);
    kernel->slip_four(four, dv, d);
    for (int i = 0; i < 4; i++) {
        lithe_slip_hessian(&s, i, own + 9 * i);
        lithe_slip_update(&s, i);
        for (int k = 0; k < 9; k++)
            CHECK_NEAR(bent[9 * i + k], own[9 * i + k],
                       4 * FUSED * (fabs(G[9 * i]) + fabs(G[9 * i + 4])));
    }
    for (int i = 0; i < 4 * LITHE_COUPLED_ROWS; i++)
        CHECK_NEAR(d[i], slip[i], 1e3 * FUSED);
}

static void compare_laws(const LitheLoopKernel *kernel) {
    TestRandom r = {5};
    for (int n = 0; n < 2000; n++) {
        LitheCoupling four[4] = {{.index = 0}};
        double dv[4 * LITHE_COUPLED_ROWS], G[36], length = test_random(&r, 0, 2);
        double respond[3] = {0}, sums[3] = {1, 2, 3}, want[3] = {1, 2, 3}, cost = 0;
        for (int i = 0; i < 4; i++)
            make_contact(&r, 4 * n + i, &four[i]);
        for (int i = 0; i < 4 * LITHE_COUPLED_ROWS; i++)
            dv[i] = test_random(&r, -1, 1);
        kernel->respond_four(four, G, respond);
        kernel->try_four(four, length, dv, G, sums);
        for (int i = 0; i < 4; i++) {
            const double *d = dv + LITHE_COUPLED_ROWS * i;
            double v[3], impulse[3], own[9];
            cost += lithe_term_plain(&four[i].term, four[i].v, impulse, own);
            for (int k = 0; k < 3; k++)
                v[k] = four[i].v[k] + length * d[k];
            want[0] += lithe_term_plain(&four[i].term, v, impulse, own);
            for (int k = 0; k < 3; k++) {
                want[1] = want[1] - impulse[k] * d[k];
                CHECK_NEAR(four[i].impulse[k], impulse[k], FUSED * fabs(impulse[k]));
            }
            want[2] += d[0] * (own[0] * d[0] + own[1] * d[1]);
            want[2] += d[1] * (own[3] * d[0] + own[4] * d[1]);
            want[2] += d[2] * (own[8] * d[2]);
            for (int k = 0; k < 9; k++)
                CHECK_NEAR(G[9 * i + k], own[k], FUSED * (fabs(own[0]) + fabs(own[k])));
        }
        compare_slips(kernel, four, dv, G, &r);
        CHECK_NEAR(respond[0], cost, FUSED * fabs(cost));
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(sums[k], want[k], FUSED * (fabs(want[k]) + fabs(want[2])));
    }
}

// whether all four have an active set; every second one is taken for active
static bool make_four(TestRandom *r, int n, LitheCoupling *four) {
    bool all = true;
    for (int i = 0; i < 4; i++) {
        make_contact(r, 4 * n + i, &four[i]);
        four[i].is_active = (n + i) % 2 == 0;
        all = all && lithe_term_has_active_set(&four[i].term);
    }
    return all;
}

static void compare_active_sets(const LitheLoopKernel *kernel) {
    TestRandom r = {6};
    int changes = 0, kept = 0;
    for (int n = 0; n < 2000; n++) {
        LitheCoupling four[4] = {{.index = 0}}, old[4];
        double G[36];
        if (!make_four(&r, n, four))
            continue;
        memcpy(old, four, sizeof old);
        int changed = kernel->active_four(four, G), want = 0;
        for (int i = 0; i < 4; i++) {
            const LitheTerm *t = &old[i].term;
            double impulse[3], own[9];
            bool next = lithe_term_if_active(t, old[i].v, old[i].is_active, impulse, own);
            lithe_term_if_active(t, old[i].v, next, impulse, own);
            CHECK(four[i].is_active == next);
            want += next != old[i].is_active;
            double size = fabs(own[8] * old[i].v[2]); // the tangent cancels
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(four[i].impulse[k], impulse[k], 4 * FUSED * (fabs(impulse[k]) + size));
            for (int k = 0; k < 9; k++)
                CHECK_NEAR(G[9 * i + k], own[k], FUSED * (fabs(own[0]) + fabs(own[k])));
        }
        CHECK(changed == want);
        changes += changed;
        kept += 4 - changed;
    }
    CHECK(changes > 1000 && kept > 1000);
}

TEST(active_sets_of_four_contacts_are_those_of_each) {
    compare_active_sets(&lithe_loop_kernel_portable);
    compare_active_sets(lithe_loop_kernel());
}

TEST(laws_of_four_contacts_are_those_of_each) {
    compare_laws(&lithe_loop_kernel_portable);
    compare_laws(lithe_loop_kernel());
}
