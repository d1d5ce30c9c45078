// SPDX-License-Identifier: Apache-2.0
// bench/solid.c - the case solid-assembly: forces and stiffness of the tetrahedra of a soft cube
//
// A cube of N^3 cells, five tetrahedra each (109 760 for N = 28), whose nodes lie up to a tenth of
// a cell off their rest positions (seeded). Energy, forces and stiffness with scatter into the
// block matrix, per element: exact and projected, for several laws, and the plain form, one law
// call per element with its 9x9 matrix. Times are the best of the repeats: processor time of one
// thread.

#include "base/memory.h"
#include "base/status.h"
#include "bench/unit.h"
#include "bench/world.h"
#include "geom/tet_mesh.h"
#include "law/solid_fast.h"
#include "sparse/block_matrix.h"

#include <math.h>
#include <string.h>

enum { REPEATS = 10, PAIRS = 10 };

typedef struct Case {
    LitheContext *context;
    LitheTetMesh mesh;
    LitheBlockMatrix *matrix;
    int32_t *entries, *sizes;
    LitheBlockPair *pairs;
    Vec3 *gradients;
    double *volumes, *x, *forces;
    Mat3 *rotations;
} Case;

static uint64_t random_bits(uint64_t *s) {
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

// --- the case ------------------------------------------------------------------------------------

static void close_case(Case *c) {
    void *const arrays[] = {c->entries, c->sizes, c->pairs,  c->gradients,
                            c->volumes, c->x,     c->forces, c->rotations};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        lithe_free(c->context, arrays[k]);
    lithe_block_matrix_destroy(c->matrix);
    lithe_tet_mesh_destroy(c->context, &c->mesh);
}

static bool allocate(Case *c) {
    int64_t nodes = c->mesh.node_count, elements = c->mesh.element_count;
    c->entries = lithe_alloc_array(c->context, PAIRS * elements, sizeof *c->entries);
    c->pairs = lithe_alloc_array(c->context, PAIRS * elements, sizeof *c->pairs);
    c->sizes = lithe_alloc_array(c->context, nodes, sizeof *c->sizes);
    c->gradients = lithe_alloc_array(c->context, 4 * elements, sizeof *c->gradients);
    c->volumes = lithe_alloc_array(c->context, elements, sizeof *c->volumes);
    c->rotations = lithe_alloc_array(c->context, elements, sizeof *c->rotations);
    c->x = lithe_alloc_array(c->context, 3 * nodes, sizeof *c->x);
    c->forces = lithe_alloc_array(c->context, 3 * nodes, sizeof *c->forces);
    c->matrix = lithe_block_matrix_create(c->context);
    return c->entries && c->pairs && c->sizes && c->gradients && c->volumes && c->rotations &&
           c->x && c->forces && c->matrix;
}

static bool make_pattern(Case *c) {
    int64_t count = PAIRS * (int64_t)c->mesh.element_count, at = 0;
    for (int32_t i = 0; i < c->mesh.node_count; i++)
        c->sizes[i] = 3;
    for (int32_t e = 0; e < c->mesh.element_count; e++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b <= a; b++)
                c->pairs[at++] = (LitheBlockPair){c->mesh.elements[4 * (int64_t)e + a],
                                                  c->mesh.elements[4 * (int64_t)e + b]};
    if (!lithe_block_matrix_build(c->matrix, c->mesh.node_count, c->sizes, c->pairs, count))
        return false;
    for (int64_t k = 0; k < count; k++) {
        LitheBlockPair p = c->pairs[k];
        int32_t row = p.a > p.b ? p.a : p.b;
        c->entries[k] = lithe_block_find(c->matrix, row, p.a + p.b - row);
    }
    return true;
}

static void make_elements(Case *c, double amplitude) {
    uint64_t seed = 1;
    for (int32_t i = 0; i < c->mesh.node_count; i++) {
        const double *rest = &c->mesh.nodes[i].x;
        for (int k = 0; k < 3; k++)
            c->x[3 * i + k] = rest[k] + amplitude * (2.0 * (double)random_bits(&seed) / 0x1p31 - 1);
    }
    for (int32_t e = 0; e < c->mesh.element_count; e++) {
        const int32_t *node = c->mesh.elements + 4 * (int64_t)e;
        Vec3 d[3], *g = c->gradients + 4 * (int64_t)e;
        for (int a = 0; a < 3; a++)
            d[a] = v3_sub(c->mesh.nodes[node[a + 1]], c->mesh.nodes[node[0]]);
        Mat3 D = m3_transpose(m3_columns(d[0], d[1], d[2]));
        g[1] = m3_solve(D, v3(1, 0, 0));
        g[2] = m3_solve(D, v3(0, 1, 0));
        g[3] = m3_solve(D, v3(0, 0, 1));
        g[0] = v3_neg(v3_add(g[1], v3_add(g[2], g[3])));
        c->volumes[e] = m3_det(D) / 6;
        c->rotations[e] = m3_identity();
    }
}

static LitheStatus open_case(Case *c, int32_t n, LitheError *error) {
    LitheStatus status =
        lithe_tet_mesh_box(c->context, v3(1, 1, 1), (int32_t[3]){n, n, n}, &c->mesh, error);
    if (status != LITHE_OK)
        return status;
    if (!allocate(c) || !make_pattern(c))
        return lithe_fail_memory(error, "the benchmark");
    make_elements(c, 0.1 / n);
    return LITHE_OK;
}

// --- timing --------------------------------------------------------------------------------------

// one law call per element; blocks of all pairs from its 9x9 matrix
static double evaluate_plain(const LitheTets *t, const double *x, LitheTetTerms *terms) {
    double energy = 0;
    for (int32_t e = 0; e < t->count; e++) {
        const int32_t *node = t->nodes + 4 * (int64_t)e, *entry = t->entries + PAIRS * (int64_t)e;
        const Vec3 *g = t->gradients + 4 * (int64_t)e;
        Mat3 F = m3_zero(), P;
        double H[81], V = t->volumes[e];
        for (int a = 0; a < 4; a++)
            F = m3_add(F, m3_outer(v3_load(x + 3 * (int64_t)node[a]), g[a]));
        energy += V * t->law->evaluate(t->material, &F, &t->rotations[e], &P, H, terms->project);
        for (int a = 0; a < 4; a++) {
            double *f = terms->gradient + 3 * (int64_t)node[a];
            v3_store(v3_axpy(V, m3_apply(P, g[a]), v3_load(f)), f);
            for (int b = 0; b <= a; b++, entry++) {
                double *to = terms->values + t->value_at[*entry];
                bool flip = node[a] < node[b];
                Vec3 gb = v3_scale(V * terms->scale, g[b]);
                for (int i = 0; i < 3; i++)
                    for (int k = 0; k < 3; k++) {
                        const double *h = H + 9 * i + k;
                        double sum = g[a].x * (h[0] * gb.x + h[3] * gb.y + h[6] * gb.z) +
                                     g[a].y * (h[27] * gb.x + h[30] * gb.y + h[33] * gb.z) +
                                     g[a].z * (h[54] * gb.x + h[57] * gb.y + h[60] * gb.z);
                        to[flip ? 3 * i + k : 3 * k + i] += sum;
                    }
            }
        }
    }
    return energy;
}

// seconds per element
static double time_law(const LitheBenchSetting *setting, Case *c, const LitheSolidLaw *law,
                       LitheTetKernel *kernel, bool matrix, bool project) {
    LitheSolidMaterial material = lithe_solid_material(law, 1e6, 0.4);
    LitheTets tets = {.law = law,
                      .material = &material,
                      .count = c->mesh.element_count,
                      .nodes = c->mesh.elements,
                      .gradients = c->gradients,
                      .volumes = c->volumes,
                      .rotations = c->rotations,
                      .entries = c->entries,
                      .value_at = c->matrix->value_at};
    LitheTetTerms terms = {.gradient = c->forces,
                           .values = matrix ? c->matrix->value : NULL,
                           .scale = 1,
                           .project = project};
    double best = INFINITY;
    for (int32_t i = 0; i < (setting->max_steps > 0 ? 1 : REPEATS); i++) {
        lithe_block_clear(c->matrix);
        memset(c->forces, 0, 3 * (size_t)c->mesh.node_count * sizeof *c->forces);
        double since = lithe_bench_busy();
        double energy = kernel(&tets, c->x, &terms);
        double time = lithe_bench_busy() - since;
        best = energy < INFINITY ? fmin(best, time) : NAN;
    }
    return best / c->mesh.element_count;
}

LitheStatus lithe_bench_solid(const LitheBenchSetting *setting, LitheBenchResult *result,
                              LitheError *error) {
    Case c = {.context = lithe_context_create(NULL)};
    if (!c.context)
        return lithe_fail_memory(error, "the benchmark");
    LitheStatus status = open_case(&c, setting->count, error);
    if (status == LITHE_OK) {
        LitheTetKernel *fast = lithe_tet_kernel(0);
        const LitheSolidLaw *neo = &lithe_solid_neo_hookean;
        double unit = lithe_bench_unit_ns();
        double neo_seconds = time_law(setting, &c, neo, fast, true, false);
        double projected_seconds = time_law(setting, &c, neo, fast, true, true);
        const struct {
            const char *name;
            double value;
        } figures[] = {
            {"dofs", 3.0 * c.mesh.node_count},
            {"threads", 1},
            {"nodes", c.mesh.node_count},
            {"elements", c.mesh.element_count},
            {"unit_ns", unit},
            {"wall_seconds", neo_seconds * c.mesh.element_count},
            {"cost_units", 1e9 * neo_seconds / unit},
            {"neo_seconds", neo_seconds},
            {"forces_seconds", time_law(setting, &c, neo, fast, false, false)},
            {"projected_seconds", projected_seconds},
            {"projected_units", 1e9 * projected_seconds / unit},
            {"plain_seconds", time_law(setting, &c, neo, evaluate_plain, true, false)},
            {"plain_projected_seconds", time_law(setting, &c, neo, evaluate_plain, true, true)},
            {"lagged_seconds",
             time_law(setting, &c, &lithe_solid_corotated_lagged, fast, true, false)},
            {"corotated_seconds", time_law(setting, &c, &lithe_solid_corotated, fast, true, true)},
            {"mooney_seconds",
             time_law(setting, &c, &lithe_solid_mooney_rivlin_isochoric, fast, true, false)},
            {"peak_memory_bytes", (double)lithe_context_peak_bytes(c.context)},
            {"repeats", setting->max_steps > 0 ? 1 : REPEATS},
        };
        for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
            lithe_bench_set(result, figures[k].name, figures[k].value);
    }
    close_case(&c);
    lithe_context_destroy(c.context);
    return status;
}
