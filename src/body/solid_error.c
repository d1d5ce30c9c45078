// SPDX-License-Identifier: Apache-2.0
// body/solid_error.c - an estimate of the discretisation error of soft solids
//
// Green strains, mean pressures in them, are of full order at the quadrature points. Around each
// corner of the mesh a polynomial of the order of the shape functions is fitted to them; between
// nodes it is interpolated. What the strains of the elements differ from it by is the estimate
// (Zienkiewicz and Zhu, 1992). With |.|^2 the energy of linear elasticity:
//     (S70)  s = (dev E, t),   |s|^2 = mu dev E:dev E + K/2 t^2,   K = lambda + 2/3 mu
//            E of (S41); t = tr E; with a mean volume the pressure of the mean over K
//     (S71)  fit at a corner: min over c of sum over samples of |s - sum_k c_k p_k(X)|^2,
//            p_k the monomials up to degree 1 (four nodes) or 2 (ten nodes)
//     (S72)  s* = sum_a N_a s*_a;   at a midpoint the mean of the fits of its two corners
//     (S73)  error of an element: integral of |s* - s|^2,   energy: sum of V |s|^2
//     (S74)  share = sum of errors/(sum of errors + energy)

#include "body/solid.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    SAMPLE = 7,      // xx yy zz yz zx xy of dev E, t
    MOST_TERMS = 10, // monomials up to degree 2
    // samples that a fit wants; with fewer it takes the elements around the next corners, too
    ENOUGH_LINEAR = 8,
    ENOUGH_QUADRATIC = 24,
};

// Of the mean square of the samples: what no sample decides stays near 0, all else as it is.
#define RIDGE 1e-6

// strains whose square is below this are rounding: there is nothing to estimate
#define NO_STRAIN 1e-16

// barycentric coordinates of the four points (S2)
#define NEAR 0.58541019662496845446
#define FAR 0.13819660112501051518

typedef struct Recovery {
    const LitheSolid *solid;
    double mu, bulk;
    int32_t width, points, terms;
    double *sample;        // [elements][points][SAMPLE]
    Vec3 *place;           // [elements][points] at rest
    const int32_t *start;  // [nodes + 1] into
    const int32_t *around; // elements around corners
    int32_t *stamp;        // [elements] the last corner that gathered an element
    int32_t *patch;        // [elements] elements of the present corner
    int32_t patch_count;
    double *nodal; // [nodes][SAMPLE] sum of the fits
    double *count; // [nodes] their number
} Recovery;

// (S70)
static double square(const Recovery *r, const double *s) {
    return r->mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] +
                    2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) +
           0.5 * r->bulk * s[6] * s[6];
}

// --- samples -------------------------------------------------------------------------------------

static Vec3 place_of(const LitheSolid *solid, int32_t element, int32_t point) {
    const LitheTetMesh *mesh = &solid->mesh;
    const int32_t *node = mesh->elements + (int64_t)element * mesh->nodes_per_element;
    Vec3 x = v3(0, 0, 0);
    for (int a = 0; a < 4; a++) {
        double L = solid->points == 1 ? 0.25 : a == point ? NEAR : FAR;
        x = v3_axpy(L, mesh->nodes[node[a]], x);
    }
    return x;
}

typedef struct Sampling {
    Recovery *recovery;
    double energy; // sum of V |s|^2
    double volume;
} Sampling;

static void sample_element(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                           void *user) {
    Sampling *all = user;
    Recovery *r = all->recovery;
    double more;
    Mat3 shrink = lithe_solid_shrink(solid, element, at->time, &more);
    for (int32_t p = 0; p < solid->points; p++) {
        int64_t k = (int64_t)element * solid->points + p;
        double *s = r->sample + SAMPLE * k;
        Mat3 F = m3_mul(lithe_solid_gradient(solid, element, p, at->x), shrink);
        Mat3 C = m3_mul(m3_transpose(F), F);
        double trace = 0.5 * (C.m[0][0] + C.m[1][1] + C.m[2][2] - 3);
        for (int i = 0; i < 3; i++)
            s[i] = 0.5 * (C.m[i][i] - 1) - trace / 3;
        s[3] = 0.5 * C.m[1][2];
        s[4] = 0.5 * C.m[2][0];
        s[5] = 0.5 * C.m[0][1];
        s[6] = solid->mean ? at->pressure / r->bulk : trace;
        r->place[k] = place_of(solid, element, p);
        all->energy += solid->volumes[k] * more * square(r, s);
        all->volume += solid->volumes[k];
    }
}

// --- fits ----------------------------------------------------------------------------------------

static void gather_around(Recovery *r, int32_t corner, int32_t centre) {
    for (int32_t k = r->start[corner]; k < r->start[corner + 1]; k++) {
        int32_t e = r->around[k];
        if (r->stamp[e] == centre)
            continue;
        r->stamp[e] = centre;
        r->patch[r->patch_count++] = e;
    }
}

static void gather(Recovery *r, int32_t corner) {
    r->patch_count = 0;
    gather_around(r, corner, corner);
    int32_t enough = r->width == 4 ? ENOUGH_LINEAR : ENOUGH_QUADRATIC, first = r->patch_count;
    if (first * r->points >= enough)
        return;
    for (int32_t k = 0; k < first; k++)
        for (int a = 0; a < 4; a++)
            gather_around(r, r->solid->mesh.elements[(int64_t)r->patch[k] * r->width + a], corner);
}

static void monomials(Vec3 d, int32_t terms, double *p) {
    p[0] = 1;
    p[1] = d.x;
    p[2] = d.y;
    p[3] = d.z;
    if (terms == 4)
        return;
    p[4] = d.x * d.x;
    p[5] = d.y * d.y;
    p[6] = d.z * d.z;
    p[7] = d.y * d.z;
    p[8] = d.z * d.x;
    p[9] = d.x * d.y;
}

// c = A\c for the symmetric positive definite A [n][n], which is overwritten; c [n][SAMPLE]
static void solve_fit(double A[MOST_TERMS][MOST_TERMS], int32_t n, double c[MOST_TERMS][SAMPLE]) {
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = k + 1; i < n; i++) {
            double f = A[i][k] / A[k][k];
            for (int32_t j = k + 1; j < n; j++)
                A[i][j] -= f * A[k][j];
            for (int32_t m = 0; m < SAMPLE; m++)
                c[i][m] -= f * c[k][m];
        }
    for (int32_t k = n - 1; k >= 0; k--)
        for (int32_t m = 0; m < SAMPLE; m++) {
            for (int32_t j = k + 1; j < n; j++)
                c[k][m] -= A[k][j] * c[j][m];
            c[k][m] /= A[k][k];
        }
}

// (S71) about the corner, lengths over the reach of the patch
static void fit(const Recovery *r, Vec3 centre, double scale, double c[MOST_TERMS][SAMPLE]) {
    double A[MOST_TERMS][MOST_TERMS] = {{0}}, p[MOST_TERMS];
    memset(c, 0, MOST_TERMS * sizeof *c);
    for (int32_t k = 0; k < r->patch_count; k++)
        for (int32_t q = 0; q < r->points; q++) {
            int64_t at = (int64_t)r->patch[k] * r->points + q;
            monomials(v3_scale(1 / scale, v3_sub(r->place[at], centre)), r->terms, p);
            for (int32_t i = 0; i < r->terms; i++) {
                for (int32_t j = 0; j < r->terms; j++)
                    A[i][j] += p[i] * p[j];
                for (int32_t m = 0; m < SAMPLE; m++)
                    c[i][m] += p[i] * r->sample[SAMPLE * at + m];
            }
        }
    for (int32_t i = 1; i < r->terms; i++)
        A[i][i] += RIDGE * A[0][0];
    solve_fit(A, r->terms, c);
}

static void add_fit(Recovery *r, int32_t node, Vec3 d, double c[MOST_TERMS][SAMPLE]) {
    double p[MOST_TERMS];
    monomials(d, r->terms, p);
    for (int32_t i = 0; i < r->terms; i++)
        for (int32_t m = 0; m < SAMPLE; m++)
            r->nodal[SAMPLE * (int64_t)node + m] += p[i] * c[i][m];
    r->count[node] += 1;
}

// (S72): the fit of a corner gives its own value, and half of those at the midpoints around it
static void recover_corner(Recovery *r, int32_t corner) {
    const LitheTetMesh *mesh = &r->solid->mesh;
    double c[MOST_TERMS][SAMPLE], scale = 0;
    Vec3 centre = mesh->nodes[corner];
    gather(r, corner);
    for (int32_t k = 0; k < r->patch_count; k++)
        for (int32_t q = 0; q < r->points; q++)
            scale = fmax(scale,
                         v3_norm(v3_sub(r->place[(int64_t)r->patch[k] * r->points + q], centre)));
    fit(r, centre, scale, c);
    add_fit(r, corner, v3(0, 0, 0), c);
    for (int32_t k = r->start[corner]; r->width == 10 && k < r->start[corner + 1]; k++) {
        const int32_t *node = mesh->elements + (int64_t)r->around[k] * r->width;
        for (int e = 0; e < 6; e++) {
            int32_t a = node[lithe_tet_edges[e][0]], b = node[lithe_tet_edges[e][1]];
            Vec3 d = v3_sub(v3_scale(0.5, v3_add(mesh->nodes[a], mesh->nodes[b])), centre);
            if (a == corner || b == corner)
                add_fit(r, node[4 + e], v3_scale(1 / scale, d), c);
        }
    }
}

// --- errors --------------------------------------------------------------------------------------

// strain of the element at its nodes: constant, or linear through its points
static void strain_at_nodes(const Recovery *r, int32_t element, double s[10][SAMPLE]) {
    const double *own = r->sample + SAMPLE * (int64_t)element * r->points;
    for (int m = 0; m < SAMPLE; m++) {
        double sum = own[m];
        for (int p = 1; p < r->points; p++)
            sum += own[SAMPLE * p + m];
        for (int a = 0; a < 4; a++)
            s[a][m] = r->width == 4 ? own[m] : (own[SAMPLE * a + m] - FAR * sum) / (NEAR - FAR);
        for (int e = 0; r->width == 10 && e < 6; e++)
            s[4 + e][m] = 0.5 * (s[lithe_tet_edges[e][0]][m] + s[lithe_tet_edges[e][1]][m]);
    }
}

// (S73): the integral of |sum N_a d_a|^2 is sum_ab m_ab d_a d_b
static double element_error(const Recovery *r, int32_t element) {
    const int32_t *node = r->solid->mesh.elements + (int64_t)element * r->width;
    double d[10][SAMPLE], sum = 0, volume = 0;
    strain_at_nodes(r, element, d);
    for (int32_t a = 0; a < r->width; a++)
        for (int m = 0; m < SAMPLE; m++)
            d[a][m] = r->nodal[SAMPLE * (int64_t)node[a] + m] / r->count[node[a]] - d[a][m];
    for (int32_t a = 0; a < r->width; a++) {
        double row[SAMPLE] = {0}, with[SAMPLE], less[SAMPLE];
        for (int32_t b = 0; b < r->width; b++)
            for (int m = 0; m < SAMPLE; m++)
                row[m] += lithe_solid_overlap(r->width, a, b) * d[b][m];
        // d.row by squares: 4 d.row = |d + row|^2 - |d - row|^2
        for (int m = 0; m < SAMPLE; m++) {
            with[m] = d[a][m] + row[m];
            less[m] = d[a][m] - row[m];
        }
        sum += 0.25 * (square(r, with) - square(r, less));
    }
    for (int32_t p = 0; p < r->points; p++)
        volume += r->solid->volumes[(int64_t)element * r->points + p];
    return fmax(sum * volume, 0);
}

static double estimate(Recovery *r, const LitheSolidAt *at, double *out) {
    Sampling all = {.recovery = r};
    const LitheTetMesh *mesh = &r->solid->mesh;
    lithe_solid_each_element(r->solid, at, sample_element, &all);
    if (!(all.energy > NO_STRAIN * r->mu * all.volume))
        return NAN;
    memset(r->nodal, 0, (size_t)mesh->node_count * SAMPLE * sizeof *r->nodal);
    memset(r->count, 0, (size_t)mesh->node_count * sizeof *r->count);
    for (int32_t e = 0; e < mesh->element_count; e++)
        r->stamp[e] = -1;
    for (int32_t i = 0; i < mesh->node_count; i++)
        if (r->start[i + 1] > r->start[i])
            recover_corner(r, i);
    double errors = 0;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        double error = element_error(r, e);
        errors += error;
        if (out)
            out[e] = error;
    }
    for (int32_t e = 0; out && e < mesh->element_count; e++)
        out[e] /= errors + all.energy;
    return errors / (errors + all.energy); // (S74)
}

// elements around each corner of the mesh
static void find_around(const LitheSolid *solid, int32_t *start, int32_t *around) {
    const LitheTetMesh *mesh = &solid->mesh;
    int32_t width = mesh->nodes_per_element;
    memset(start, 0, ((size_t)mesh->node_count + 1) * sizeof *start);
    for (int32_t e = 0; e < mesh->element_count; e++)
        for (int a = 0; a < 4; a++)
            start[mesh->elements[(int64_t)e * width + a] + 1]++;
    for (int32_t i = 0; i < mesh->node_count; i++)
        start[i + 1] += start[i];
    for (int32_t e = 0; e < mesh->element_count; e++)
        for (int a = 0; a < 4; a++)
            around[start[mesh->elements[(int64_t)e * width + a]]++] = e;
    // each start is now that of the next corner
    memmove(start + 1, start, (size_t)mesh->node_count * sizeof *start);
    start[0] = 0;
}

static double share_of(const LitheModel *model, const LitheState *state, const LitheSolid *solid,
                       double *out) {
    LitheContext *context = model->context;
    int64_t elements = solid->mesh.element_count, nodes = solid->mesh.node_count;
    double lambda, share = NAN;
    for (int64_t e = 0; out && e < elements; e++)
        out[e] = NAN;
    Recovery r = {.solid = solid,
                  .width = solid->mesh.nodes_per_element,
                  .points = solid->points,
                  .terms = solid->points == 1 ? 4 : MOST_TERMS};
    solid->law->moduli(&solid->material, &r.mu, &lambda);
    r.bulk = lambda + 2 * r.mu / 3;
    LitheSolidAt at = {.x = state->q + model->units[solid->unit].q_at,
                       .time = lithe_load_time(state)};
    int32_t *start = lithe_alloc_array(context, nodes + 1, sizeof *start);
    int32_t *around = lithe_alloc_array(context, 4 * elements, sizeof *around);
    r.sample = lithe_alloc_array(context, elements * r.points * SAMPLE, sizeof *r.sample);
    r.place = lithe_alloc_array(context, elements * r.points, sizeof *r.place);
    r.stamp = lithe_alloc_array(context, elements, sizeof *r.stamp);
    r.patch = lithe_alloc_array(context, elements, sizeof *r.patch);
    r.nodal = lithe_alloc_array(context, nodes * SAMPLE, sizeof *r.nodal);
    r.count = lithe_alloc_array(context, nodes, sizeof *r.count);
    if (start && around && r.sample && r.place && r.stamp && r.patch && r.nodal && r.count) {
        find_around(solid, start, around);
        r.start = start;
        r.around = around;
        share = estimate(&r, &at, out);
    }
    lithe_free(context, r.count);
    lithe_free(context, r.nodal);
    lithe_free(context, r.patch);
    lithe_free(context, r.stamp);
    lithe_free(context, r.place);
    lithe_free(context, r.sample);
    lithe_free(context, around);
    lithe_free(context, start);
    return share;
}

void lithe_solid_mesh_error(const LitheModel *model, const LitheState *state, LitheSolidId id,
                            double *out) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->solid_count);
    share_of(model, state, &model->solids[id.number - 1], out);
}

bool lithe_solid_estimate(const LitheModel *model, int32_t unit, const LitheState *state,
                          double least, LitheMeshError *out) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const double *x = state->q + model->units[unit].q_at;
    double energy;
    if (!lithe_solid_energy_at(model, solid, lithe_load_time(state), x, &energy) ||
        !(energy > least))
        return false;
    *out = (LitheMeshError){.share = share_of(model, state, solid, NULL),
                            .energy = energy,
                            .time = lithe_state_time(state),
                            .order = solid->mesh.nodes_per_element == 4 ? 1 : 2,
                            .mean = solid->mean};
    return true;
}
