// SPDX-License-Identifier: Apache-2.0
// bench/cholmod/main.c - the mesh cases of lithe bench by CHOLMOD, and the ratio of Lithe to it
//
// A program of its own: the supernodal part of CHOLMOD is under the GPL, and nothing of it is
// linked into Lithe. CHOLMOD takes its BLAS from the system; OpenBLAS guesses its kernels, and
// OPENBLAS_CORETYPE=Haswell makes them AVX2 (the program prints which). Processor time of one
// thread, best of the repeats. The analysis of CHOLMOD includes its order; after a change of
// contacts CHOLMOD factors everything again.

#include "bench/mesh_case.h"

#include <cholmod.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 5 };

static const struct {
    const char *name;
    int32_t n;
    bool shell;
} cases[] = {{"mesh-8", 8, false},
             {"mesh-14", 14, false},
             {"mesh-20", 20, false},
             {"mesh-27", 27, false},
             {"shell-140", 140, true}};

static double busy(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// lower triangle by columns
static cholmod_sparse *copy_matrix(const LitheBlockMatrix *m, cholmod_common *common) {
    int32_t rows = m->at[m->count];
    size_t values = (size_t)m->value_at[m->start[m->count]];
    cholmod_sparse *a =
        cholmod_allocate_sparse((size_t)rows, (size_t)rows, values, 1, 1, -1, CHOLMOD_REAL, common);
    if (!a)
        return NULL;
    int *start = a->p, *row = a->i, next = 0;
    double *value = a->x;
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t c = 0; c < m->size[j]; c++) {
            start[m->at[j] + c] = next;
            for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
                for (int32_t r = m->row[e] == j ? c : 0; r < m->size[m->row[e]]; r++) {
                    row[next] = m->at[m->row[e]] + r;
                    value[next++] = lithe_block_values(m, e)[m->size[m->row[e]] * c + r];
                }
        }
    start[rows] = next;
    return a;
}

static bool time_cholmod(const LitheBlockMatrix *m, double *analyse, double *factor,
                         double *values) {
    cholmod_common common;
    cholmod_start(&common);
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    cholmod_sparse *a = copy_matrix(m, &common);
    *analyse = *factor = INFINITY;
    cholmod_factor *l = NULL;
    for (int i = 0; a && i < REPEATS; i++) {
        double since = busy();
        if (i == 0) {
            l = cholmod_analyze(a, &common);
            *analyse = busy() - since;
        }
        since = busy();
        if (!l || !cholmod_factorize(a, l, &common) || common.status != CHOLMOD_OK)
            break;
        *factor = fmin(*factor, busy() - since);
    }
    *values = common.lnz;
    cholmod_free_factor(&l, &common);
    cholmod_free_sparse(&a, &common);
    cholmod_finish(&common);
    return isfinite(*factor);
}

static bool time_lithe(LitheMeshCase *c, LitheBlockFactor *f, double *analyse, double *factor,
                       double *refactor) {
    LitheBlockPivots pivots;
    bool good = true;
    *analyse = *factor = *refactor = INFINITY;
    for (int late = 1; good && late >= 0; late--)
        for (int i = 0; good && i < REPEATS; i++) {
            double since = busy();
            good = lithe_block_analyse_fronts(f, c->m, c->order, c->face, late * c->face_count);
            if (late == 0 && i == 0)
                *analyse = busy() - since;
            since = busy();
            good = good && lithe_block_factor_numeric(f, c->m, LITHE_PIVOT_POSITIVE, &pivots);
            if (late == 0)
                *factor = fmin(*factor, busy() - since);
            since = busy();
            good = good && lithe_block_refactor(f, c->m, c->face, late * c->face_count,
                                                LITHE_PIVOT_POSITIVE, &pivots);
            if (late == 1)
                *refactor = fmin(*refactor, busy() - since);
        }
    return good;
}

static bool run_case(int k) {
    LitheContext *context = lithe_context_create(NULL);
    LitheMeshCase c = {.context = context};
    LitheBlockFactor *f = lithe_block_factor_create(context);
    double theirs[3], ours[3];
    bool good = f && lithe_mesh_case_open(&c, context, cases[k].n, cases[k].shell) &&
                time_cholmod(c.m, &theirs[0], &theirs[1], &theirs[2]) &&
                time_lithe(&c, f, &ours[0], &ours[1], &ours[2]);
    if (good)
        printf("{\"case\": \"%s\", \"dofs\": %d, \"cholmod\": {\"analyse_seconds\": %.6g, "
               "\"factor_seconds\": %.6g, \"refactor_seconds\": %.6g, \"factor_values\": %.0f}, "
               "\"lithe\": "
               "{\"order_seconds\": %.6g, \"analyse_seconds\": %.6g, \"factor_seconds\": %.6g, "
               "\"refactor_seconds\": %.6g, \"factor_values\": %lld}, \"ratio\": %.4g}\n",
               cases[k].name, (int)c.m->at[c.m->count], theirs[0], theirs[1], theirs[1], theirs[2],
               c.order_seconds, ours[0], ours[1], ours[2], (long long)lithe_block_factor_values(f),
               ours[1] / theirs[1]);
    fflush(stdout);
    lithe_mesh_case_close(&c);
    lithe_block_factor_destroy(f);
    lithe_context_destroy(context);
    return good;
}

int main(int argc, char **argv) {
    // which kernels OpenBLAS has chosen, if the BLAS is OpenBLAS
    const char *(*core)(void) = NULL;
    *(void **)&core = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    fprintf(stderr, "BLAS: %s%s\n", core ? "OpenBLAS " : "not OpenBLAS", core ? core() : "");
    bool good = true, found = argc < 2;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++)
        if (argc < 2 || strcmp(argv[1], cases[k].name) == 0) {
            found = true;
            good = run_case(k) && good;
        }
    if (!found)
        fprintf(stderr, "no case named '%s'\n", argv[1]);
    return good && found ? EXIT_SUCCESS : EXIT_FAILURE;
}
