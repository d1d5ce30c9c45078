// SPDX-License-Identifier: Apache-2.0
// model/build_fits.c - polynomials around the corners of a mesh, fitted to values in its elements
//
// The coefficients of a fit are linear in the values s_k at the quadrature points X_k around the
// corner X, with a matrix that depends on the mesh alone:
//     (S71)  c = sum_k w_k s_k,   w_k = A\p_k,   A = sum_k p_k p_k',
//            p_k the monomials of (X_k - X)/scale up to degree 1 (four nodes) or 2 (ten nodes)

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "geom/fit.h"

#include <math.h>
#include <string.h>

enum {
    // samples that a fit wants; with fewer it takes the elements around the next corners, too
    ENOUGH_LINEAR = 8,
    ENOUGH_QUADRATIC = 24,
};

// Of the mean square of the samples: what no sample decides stays near 0, all else as it is.
#define RIDGE 1e-6

// barycentric coordinates of the four points (S2)
#define NEAR 0.58541019662496845446
#define FAR 0.13819660112501051518

typedef struct Maker {
    LitheContext *context;
    const LitheFitCells *cells;
    int32_t *around_start; // [node_count + 1] into
    int32_t *around;       // cells around corners
    int32_t *stamp;        // [count] the last corner that gathered a cell
    int32_t *edge_stamp;   // [node_count] the last corner that found a midpoint
    LitheFits *fits;
    int32_t cell_capacity, spoke_capacity;
} Maker;

// --- patches -------------------------------------------------------------------------------------

static void find_around(Maker *m) {
    const LitheFitCells *own = m->cells;
    int32_t *start = m->around_start;
    for (int32_t e = 0; e < own->count; e++)
        for (int a = 0; a < own->corners; a++)
            start[own->nodes[(int64_t)e * own->width + a] + 1]++;
    for (int32_t i = 0; i < own->node_count; i++)
        start[i + 1] += start[i];
    for (int32_t e = 0; e < own->count; e++)
        for (int a = 0; a < own->corners; a++)
            m->around[start[own->nodes[(int64_t)e * own->width + a]]++] = e;
    // each start is now that of the next corner
    memmove(start + 1, start, (size_t)own->node_count * sizeof *start);
    start[0] = 0;
    memset(m->stamp, -1, (size_t)own->count * sizeof *m->stamp);
    memset(m->edge_stamp, -1, (size_t)own->node_count * sizeof *m->edge_stamp);
}

// adds the cells around a corner to the patch of the one in its centre
static bool gather_around(Maker *m, int32_t corner, int32_t centre) {
    LitheFits *fits = m->fits;
    int32_t count = fits->start[centre + 1];
    for (int32_t k = m->around_start[corner]; k < m->around_start[corner + 1]; k++) {
        int32_t e = m->around[k];
        if (m->stamp[e] == centre)
            continue;
        m->stamp[e] = centre;
        if (!LITHE_RESERVE(m->context, fits->cells, m->cell_capacity, count + 1))
            return false;
        fits->cells[count++] = e;
    }
    fits->start[centre + 1] = count;
    return true;
}

// monomials of the fit around a corner
static int32_t terms_of(const LitheFitCells *own, int32_t corner) {
    bool curved = own->points > 1 || (own->curved && own->curved[corner] > 0);
    return curved ? LITHE_FIT_TERMS : 4;
}

static bool gather(Maker *m, int32_t corner) {
    const LitheFitCells *own = m->cells;
    LitheFits *fits = m->fits;
    int32_t first = fits->start[corner];
    int32_t enough = terms_of(own, corner) == 4 ? ENOUGH_LINEAR : ENOUGH_QUADRATIC;
    fits->start[corner + 1] = first;
    bool ok = gather_around(m, corner, corner);
    int32_t end = fits->start[corner + 1];
    if ((end - first) * own->points >= enough)
        return ok;
    for (int32_t k = first; k < end; k++)
        for (int a = 0; ok && a < own->corners; a++)
            ok = gather_around(m, own->nodes[(int64_t)fits->cells[k] * own->width + a], corner);
    return ok;
}

// midpoints of the edges at a corner
static bool find_spokes(Maker *m, int32_t corner) {
    static const int8_t sides[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    const LitheFitCells *own = m->cells;
    const int8_t(*edges)[2] = own->corners == 4 ? lithe_tet_edges : sides;
    LitheFits *fits = m->fits;
    int32_t count = fits->spoke_start[corner];
    for (int32_t k = m->around_start[corner]; k < m->around_start[corner + 1]; k++) {
        const int32_t *node = own->nodes + (int64_t)m->around[k] * own->width;
        for (int32_t e = 0; e < own->width - own->corners; e++) {
            int32_t middle = node[own->corners + e];
            bool on = node[edges[e][0]] == corner || node[edges[e][1]] == corner;
            if (!on || m->edge_stamp[middle] == corner)
                continue;
            m->edge_stamp[middle] = corner;
            if (!LITHE_RESERVE(m->context, fits->spokes, m->spoke_capacity, 2 * count + 2))
                return false;
            fits->spokes[2 * count] = middle;
            fits->spokes[2 * count++ + 1] = node[edges[e][node[edges[e][0]] == corner]];
        }
    }
    fits->spoke_start[corner + 1] = count;
    return true;
}

// --- weights -------------------------------------------------------------------------------------

// A = L L' in place, of a symmetric positive definite matrix
static void factor(double A[LITHE_FIT_TERMS][LITHE_FIT_TERMS], int32_t n) {
    for (int32_t k = 0; k < n; k++) {
        for (int32_t j = 0; j < k; j++)
            A[k][k] -= A[k][j] * A[k][j];
        A[k][k] = sqrt(A[k][k]);
        for (int32_t i = k + 1; i < n; i++) {
            for (int32_t j = 0; j < k; j++)
                A[i][k] -= A[i][j] * A[k][j];
            A[i][k] /= A[k][k];
        }
    }
}

static void solve(double L[LITHE_FIT_TERMS][LITHE_FIT_TERMS], int32_t n, double *x) {
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] /= L[i][i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= L[j][i] * x[j];
        x[i] /= L[i][i];
    }
}

// monomials of all samples around a corner, over the distance of the farthest: [samples][terms]
static void place_samples(const Maker *m, int32_t corner, int32_t terms, double *p) {
    const LitheFitCells *own = m->cells;
    LitheFits *fits = m->fits;
    int32_t points = own->points, count = fits->start[corner + 1] - fits->start[corner];
    const int32_t *patch = fits->cells + fits->start[corner];
    Vec3 centre = own->at[corner];
    double reach = 0;
    for (int32_t k = 0; k < count; k++)
        for (int32_t q = 0; q < points; q++)
            reach = fmax(reach, v3_distance(own->places[(int64_t)patch[k] * points + q], centre));
    fits->scales[corner] = 1 / reach;
    for (int32_t k = 0; k < count; k++)
        for (int32_t q = 0; q < points; q++, p += terms) {
            Vec3 d = v3_sub(own->places[(int64_t)patch[k] * points + q], centre);
            lithe_fit_monomials(v3_scale(1 / reach, d), terms, p);
        }
}

// (S71) of a corner, with `p` [samples][terms] as workspace
static void weigh(Maker *m, int32_t corner, int32_t terms, double *p) {
    LitheFits *fits = m->fits;
    double A[LITHE_FIT_TERMS][LITHE_FIT_TERMS] = {{0}};
    int32_t points = m->cells->points;
    int32_t samples = (fits->start[corner + 1] - fits->start[corner]) * points;
    double *weights = fits->weights + (int64_t)fits->start[corner] * points * fits->rows;
    if (samples == 0) // a midpoint
        return;
    place_samples(m, corner, terms, p);
    for (int32_t k = 0; k < samples; k++)
        for (int32_t i = 0; i < terms; i++)
            for (int32_t j = 0; j <= i; j++)
                A[i][j] += p[terms * (int64_t)k + i] * p[terms * (int64_t)k + j];
    for (int32_t i = 1; i < terms; i++)
        A[i][i] += RIDGE * A[0][0];
    factor(A, terms);
    if (fits->rows == 1) { // the value at the corner alone: A is symmetric
        double first[LITHE_FIT_TERMS] = {1};
        solve(A, terms, first);
        for (int32_t k = 0; k < samples; k++, p += terms)
            for (int32_t i = 0; i < terms; i++)
                weights[k] += first[i] * p[i];
        return;
    }
    for (int32_t k = 0; k < samples; k++, p += terms, weights += terms) {
        solve(A, terms, p);
        memcpy(weights, p, (size_t)terms * sizeof *p);
    }
}

static bool fill(Maker *m) {
    const LitheFitCells *own = m->cells;
    LitheFits *fits = m->fits;
    int32_t points = own->points, most = 0;
    fits->points = points;
    fits->rows = points == 1 ? 1 : LITHE_FIT_TERMS;
    find_around(m);
    for (int32_t i = 0; i < own->node_count; i++) {
        if (!gather(m, i) || !find_spokes(m, i))
            return false;
        int32_t count = fits->start[i + 1] - fits->start[i];
        most = count > most ? count : most;
    }
    int64_t samples = (int64_t)fits->start[own->node_count] * points;
    double *p = lithe_alloc_array(m->context, (int64_t)most * points * LITHE_FIT_TERMS, sizeof *p);
    fits->weights = lithe_alloc_array(m->context, samples * fits->rows, sizeof *fits->weights);
    bool ok = p && fits->weights;
    for (int32_t i = 0; ok && i < own->node_count; i++)
        weigh(m, i, terms_of(own, i), p);
    lithe_free(m->context, p);
    return ok;
}

LitheStatus lithe_build_fits(LitheContext *context, const LitheFitCells *cells, LitheFits *fits,
                             LitheError *error) {
    int64_t nodes = cells->node_count;
    Maker m = {.context = context, .cells = cells, .fits = fits};
    m.around_start = lithe_alloc_array(context, nodes + 1, sizeof *m.around_start);
    m.around = lithe_alloc_array(context, cells->corners * (int64_t)cells->count, sizeof *m.around);
    m.stamp = lithe_alloc_array(context, cells->count, sizeof *m.stamp);
    m.edge_stamp = lithe_alloc_array(context, nodes, sizeof *m.edge_stamp);
    fits->start = lithe_alloc_array(context, nodes + 1, sizeof *fits->start);
    fits->spoke_start = lithe_alloc_array(context, nodes + 1, sizeof *fits->spoke_start);
    fits->scales = lithe_alloc_array(context, nodes, sizeof *fits->scales);
    bool ok = m.around_start && m.around && m.stamp && m.edge_stamp && fits->start &&
              fits->spoke_start && fits->scales && fill(&m);
    lithe_free(context, m.around_start);
    lithe_free(context, m.around);
    lithe_free(context, m.stamp);
    lithe_free(context, m.edge_stamp);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the fits of a solid");
}

// place of a point of an element if its edges were straight: a polynomial in the coordinates of the
// element, as its strains are
static Vec3 straight_point(const LitheTetMesh *mesh, int64_t at, int32_t points) {
    const int32_t *node = mesh->elements + at / points * mesh->nodes_per_element;
    Vec3 x = v3(0, 0, 0);
    for (int a = 0; a < 4; a++)
        x = v3_axpy(points == 1 ? 0.25 : a == at % points ? NEAR : FAR, mesh->nodes[node[a]], x);
    return x;
}

LitheStatus lithe_build_solid_fits(LitheContext *context, LitheSolid *solid, LitheError *error) {
    const LitheTetMesh *mesh = &solid->mesh;
    LitheFitCells cells = {.count = mesh->element_count,
                           .width = mesh->nodes_per_element,
                           .corners = 4,
                           .points = solid->points,
                           .nodes = mesh->elements,
                           .node_count = mesh->node_count,
                           .at = mesh->nodes};
    int64_t count = (int64_t)cells.count * cells.points;
    Vec3 *places = lithe_alloc_array(context, count, sizeof *places);
    if (!places)
        return lithe_fail_memory(error, "the fits of a solid");
    for (int64_t k = 0; k < count; k++)
        places[k] = straight_point(mesh, k, cells.points);
    cells.places = places;
    LitheStatus status = lithe_build_fits(context, &cells, &solid->fits, error);
    // towards a wall stresses of linear elements follow a slope, and bend
    cells.curved = solid->areas;
    if (status == LITHE_OK && solid->points == 1)
        status = lithe_build_fits(context, &cells, &solid->wall_fits, error);
    lithe_free(context, places);
    return status;
}

void lithe_fits_free(LitheContext *context, LitheFits *fits) {
    void *blocks[] = {fits->start,       fits->cells,  fits->weights,
                      fits->spoke_start, fits->spokes, fits->scales};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(context, blocks[k]);
}
