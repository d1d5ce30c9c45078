// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_stage_factor.c - factors of block-tridiagonal indefinite matrices

#include "plan/stage_factor.h"

#include "base/memory.h"
#include "sparse/dense.h"
#include "test.h"

enum { VARIABLES = 7, EQUATIONS = 4, SIZE = VARIABLES + EQUATIONS, LINKS = 3, STAGES = 6 };

static uint64_t state;
static double random_number(void) { // in -1 .. 1
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)state / 9223372036854775808.0;
}

// blocks [H J'; J 0] with H = I + noise, or one negative direction, and couplings of equations and
// variables to three variables of the stage before
static void fill(LitheStageMatrix *matrix, bool convex) {
    memset(matrix->diagonal, 0, sizeof(double) * STAGES * SIZE * SIZE);
    for (int k = 0; k < STAGES; k++) {
        double *a = matrix->diagonal + k * SIZE * SIZE, *b = matrix->coupling + k * SIZE * LINKS;
        for (int i = 0; i < VARIABLES; i++)
            for (int j = 0; j <= i; j++)
                a[SIZE * i + j] = i == j ? (convex || i > 0 ? 2 : -300) : 0.1 * random_number();
        for (int i = VARIABLES; i < SIZE; i++)
            for (int j = 0; j < VARIABLES; j++)
                a[SIZE * i + j] = random_number();
        for (int i = 0; i < SIZE; i++)
            for (int c = 0; c < LINKS; c++)
                b[LINKS * i + c] = (i < VARIABLES ? 0.05 : 1) * random_number();
    }
}

TEST(solutions_satisfy_the_equations_and_pivots_count_negative_eigenvalues) {
    LitheContext *context = lithe_context_create(NULL);
    LitheStageMatrix matrix;
    const int32_t link[LINKS] = {1, 4, 6};
    FATAL(lithe_stage_matrix_begin(&matrix, context, STAGES, SIZE, LINKS, link));
    for (int round = 0; round < 200; round++) {
        state = (uint64_t)round + 1;
        bool convex = round % 2 == 0;
        fill(&matrix, convex);
        double x[STAGES * SIZE], b[STAGES * SIZE], r[STAGES * SIZE];
        for (int i = 0; i < STAGES * SIZE; i++)
            b[i] = x[i] = random_number();
        int32_t negative = lithe_stage_factor(&matrix);
        if (convex)
            CHECK(negative == STAGES * EQUATIONS);
        else
            CHECK(negative > STAGES * EQUATIONS);
        lithe_stage_solve(&matrix, x);
        lithe_stage_multiply(&matrix, x, r);
        double largest = 0, residual = 0;
        for (int i = 0; i < STAGES * SIZE; i++) {
            largest = fmax(largest, fabs(x[i]));
            residual = fmax(residual, fabs(r[i] - b[i]));
        }
        CHECK_NEAR(residual / (1 + largest), 0, 1e-9);
    }
    lithe_stage_matrix_end(&matrix);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(the_count_of_negative_eigenvalues_is_that_of_the_dense_matrix) {
    LitheContext *context = lithe_context_create(NULL);
    LitheStageMatrix matrix;
    const int32_t link[LINKS] = {0, 2, 5};
    FATAL(lithe_stage_matrix_begin(&matrix, context, STAGES, SIZE, LINKS, link));
    enum { ALL = STAGES * SIZE };
    static double dense[ALL * ALL];
    for (int round = 0; round < 50; round++) {
        state = (uint64_t)round + 7;
        for (int i = 0; i < STAGES * SIZE * SIZE; i++)
            matrix.diagonal[i] = random_number();
        for (int i = 0; i < STAGES * SIZE * LINKS; i++)
            matrix.coupling[i] = random_number();
        memset(dense, 0, sizeof dense);
        for (int k = 0; k < STAGES; k++)
            for (int i = 0; i < SIZE; i++) {
                double *row = dense + ALL * (k * SIZE + i) + k * SIZE;
                for (int j = 0; j <= i; j++)
                    row[j] = matrix.diagonal[k * SIZE * SIZE + SIZE * i + j];
                for (int c = 0; c < LINKS && k > 0; c++)
                    row[link[c] - SIZE] = matrix.coupling[(k * SIZE + i) * LINKS + c];
            }
        FATAL(lithe_dense_factor(ALL, dense) < 0); // random pivots: none is zero
        CHECK(lithe_stage_factor(&matrix) == lithe_dense_negative_count(ALL, dense));
    }
    lithe_stage_matrix_end(&matrix);
    lithe_context_destroy(context);
}

TEST(vectors_of_any_width_give_the_same_bits) {
    LitheContext *context = lithe_context_create(NULL);
    LitheStageMatrix matrix;
    const int32_t link[LINKS] = {1, 4, 6};
    FATAL(lithe_stage_matrix_begin(&matrix, context, STAGES, SIZE, LINKS, link));
    state = 11;
    fill(&matrix, false);
    double x[STAGES * SIZE], y[STAGES * SIZE];
    for (int i = 0; i < STAGES * SIZE; i++)
        x[i] = y[i] = random_number();
    int32_t negative = lithe_stage_factor(&matrix);
    lithe_stage_solve(&matrix, x);
    matrix.kernels = &lithe_stage_kernels_portable;
    CHECK(lithe_stage_factor(&matrix) == negative);
    lithe_stage_solve(&matrix, y);
    CHECK(memcmp(x, y, sizeof x) == 0);
    lithe_stage_matrix_end(&matrix);
    lithe_context_destroy(context);
}

TEST(singular_and_infinite_matrices_are_reported) {
    LitheContext *context = lithe_context_create(NULL);
    LitheStageMatrix matrix;
    const int32_t link[LINKS] = {0, 1, 2};
    FATAL(lithe_stage_matrix_begin(&matrix, context, STAGES, SIZE, LINKS, link));
    state = 3;
    fill(&matrix, true);
    double *a = matrix.diagonal + 2 * SIZE * SIZE;
    double keep = a[0];
    a[0] = NAN;
    CHECK(lithe_stage_factor(&matrix) == -1);
    a[0] = INFINITY;
    CHECK(lithe_stage_factor(&matrix) == -1);
    a[0] = keep;
    memset(matrix.diagonal, 0, sizeof(double) * SIZE * SIZE);
    CHECK(lithe_stage_factor(&matrix) == -1);
    lithe_stage_matrix_end(&matrix);
    lithe_context_destroy(context);
}

TEST(failures_of_memory_are_reported) {
    for (int64_t n = 1; n < 12; n++) {
        LitheContext *context = lithe_context_create(NULL);
        lithe_context_fail_at(context, n);
        LitheStageMatrix matrix;
        const int32_t link[1] = {0};
        CHECK(lithe_stage_matrix_begin(&matrix, context, 2, 3, 1, link) == (n > 8));
        lithe_stage_matrix_end(&matrix);
        CHECK(lithe_context_bytes(context) == 0);
        lithe_context_destroy(context);
    }
}
