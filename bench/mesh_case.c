// SPDX-License-Identifier: Apache-2.0
// bench/mesh_case.c - pattern and values of the meshes

#include "bench/mesh_case.h"

#include "base/memory.h"
#include "sparse/dissect.h"

#include <math.h>
#include <time.h>

enum { SIZE = 3, PATCH = 6 };

// uniform in [-1, 1); splitmix
static double draw(uint64_t *seed) {
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ldexp((double)((z ^ (z >> 31)) >> 11), -52) - 1;
}

// one of the two neighbours in each direction: edges of Kuhn's tetrahedra, and those of triangles
// with the pairs opposite of an edge
static const int32_t solid_steps[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0},
                                         {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int32_t shell_steps[][3] = {{1, 0, 0},  {0, 1, 0}, {1, 1, 0},
                                         {1, -1, 0}, {1, 2, 0}, {2, 1, 0}};

static bool build(LitheMeshCase *c, int32_t n, bool shell) {
    const int32_t(*steps)[3] = shell ? shell_steps : solid_steps;
    int32_t ways = shell ? 6 : 7, deep = shell ? 1 : n, count = n * n * deep;
    LithePairList list = {.context = c->context};
    int32_t *sizes = lithe_alloc_array(c->context, count, sizeof *sizes);
    bool good = sizes != NULL;
    for (int32_t i = 0; good && i < count; i++) {
        int32_t x = i % n, y = i / n % n, z = i / n / n;
        sizes[i] = SIZE;
        for (int32_t k = 0; good && k < ways; k++) {
            int32_t u = x + steps[k][0], v = y + steps[k][1], w = z + steps[k][2];
            if (u < n && v >= 0 && v < n && w < deep)
                good = lithe_pair_list_add(&list, i, (w * n + v) * n + u);
        }
    }
    good = good && lithe_block_matrix_build(c->m, count, sizes, list.data, list.count);
    lithe_free(c->context, sizes);
    lithe_free(c->context, list.data);
    return good;
}

// random blocks with a dominant diagonal
static void fill(LitheMeshCase *c) {
    LitheBlockMatrix *m = c->m;
    uint64_t seed = 1;
    for (int64_t k = 0; k < m->value_at[m->start[m->count]]; k++)
        m->value[k] = draw(&seed);
    for (int32_t j = 0; j < m->count; j++)
        for (int32_t e = m->start[j]; e < m->start[j + 1]; e++)
            for (int32_t k = 0; k < SIZE; k++) {
                lithe_block_values(m, m->start[j])[(SIZE + 1) * k] += SIZE;
                lithe_block_values(m, m->start[m->row[e]])[(SIZE + 1) * k] += SIZE;
            }
    for (int32_t k = 0; k < m->at[m->count]; k++)
        c->b[k] = draw(&seed);
}

static void touch(LitheMeshCase *c, int32_t n, bool shell) {
    for (int32_t i = 0; i < (shell ? n : n * n); i++)
        c->face[c->face_count++] = i;
    int32_t low = n / 2 - PATCH / 2;
    for (int32_t y = low; y < low + PATCH; y++)
        for (int32_t x = low; x < low + PATCH; x++)
            c->patch[c->patch_count++] = y * n + x;
}

bool lithe_mesh_case_open(LitheMeshCase *c, LitheContext *context, int32_t n, bool shell) {
    *c = (LitheMeshCase){.context = context, .m = lithe_block_matrix_create(context)};
    if (!c->m || !build(c, n, shell))
        return false;
    int64_t count = c->m->count, rows = c->m->at[count];
    c->order = lithe_alloc_array(context, 3 * count, sizeof *c->order);
    c->b = lithe_alloc_array(context, 4 * rows, sizeof *c->b);
    if (!c->order || !c->b)
        return false;
    c->face = c->order + count;
    c->patch = c->face + count;
    c->x = c->b + rows;
    c->work = c->x + rows;
    fill(c);
    touch(c, n, shell);
    clock_t before = clock();
    bool done = lithe_block_dissect(context, c->m, c->order);
    c->order_seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    return done;
}

void lithe_mesh_case_close(LitheMeshCase *c) {
    lithe_free(c->context, c->order);
    lithe_free(c->context, c->b);
    lithe_block_matrix_destroy(c->m);
}
