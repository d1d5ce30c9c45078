// SPDX-License-Identifier: Apache-2.0
// body/solid_error.c - an estimate of the discretisation error of soft solids
//
// Green strains, mean pressures in them, are of full order at the quadrature points. A polynomial
// of the order of the shape functions is fitted to them around each corner of the mesh
// (solid_fits.c). What the strains of the elements differ from it by is the estimate (Zienkiewicz
// and Zhu, 1992). With |.|^2 the energy of linear elasticity and of fibres:
//     (S70)  s = (dev E, t, tr E),   |s|^2 = mu dev E:dev E + K/2 t^2,   K = lambda + 2/3 mu
//            E of (S41); t = tr E; with a mean volume the pressure of the mean over K
//     (S72)  s* = sum_a N_a s*_a,   s*_a of the fits
//     (S73)  error of an element: integral of |s* - s|^2,   energy: sum of V |s|^2
//     (S74)  share = sum of errors/(sum of errors + energy)
//     (S75)  integral of f^2 over an element, of values f_a at its nodes, with c = sum of f at
//            corners, m at midpoints: V/20 (c^2 + sum f_a^2) with four nodes, with ten V/420 times
//            c^2 + 5 sum of f^2 at corners - 12 c m + 4 sum over edges of f_e (f_i + f_j)
//            + 16 (m^2 + sum of f_e^2 - sum over the three pairs of opposite edges of f_e f_g)
//     (S76)  over a face: A/12 (c^2 + sum f_a^2) with three nodes, with six A/180 times
//            7 sum of f^2 at corners - c^2 - 8 sum of f_i f_e + 16 (m^2 + sum of f_e^2),
//            e opposite to corner i
//     (S77)  fibres add k/2 (s - 1)^2 to the energy, and k/2 f^2 to the error, with f the
//            difference of their strain s - 1 from its own fit (S71), (S72) in their cells

#include "body/solid.h"

#include "base/assert.h"
#include "base/memory.h"
#include "geom/fit.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = LITHE_FIT_WIDTH, // xx yy zz yz zx xy of dev E, t, tr E
    MAX_NODES = 10,
    MAX_POINTS = 4,
};

// strains whose square is below this are rounding: there is nothing to estimate
#define NO_STRAIN 1e-16

// barycentric coordinates of the four points (S2)
#define NEAR 0.58541019662496845446
#define FAR 0.13819660112501051518

typedef struct Recovery {
    const LitheSolid *solid;
    double bulk;
    double weight[WIDTH]; // of the squares in (S70)
    double *sample;       // [elements][points][WIDTH]
    double *nodal;        // [nodes][WIDTH]
    double energy;        // sum of V |s|^2
    double volume;
} Recovery;

// --- samples -------------------------------------------------------------------------------------

static void sample_point(const Mat3 *F, double *s) {
    Vec3 x = m3_column(*F, 0), y = m3_column(*F, 1), z = m3_column(*F, 2);
    const double square[3] = {v3_dot(x, x), v3_dot(y, y), v3_dot(z, z)};
    double third = (square[0] + square[1] + square[2]) * (1.0 / 3);
    for (int i = 0; i < 3; i++)
        s[i] = 0.5 * (square[i] - third);
    s[3] = 0.5 * v3_dot(y, z);
    s[4] = 0.5 * v3_dot(z, x);
    s[5] = 0.5 * v3_dot(x, y);
    s[6] = s[7] = 1.5 * (third - 1);
}

static void sample_element(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                           void *user) {
    Recovery *r = user;
    double more = 1;
    Mat3 F[MAX_POINTS], shrink;
    if (solid->swell_count > 0)
        shrink = lithe_solid_shrink(solid, element, at->time, &more);
    lithe_solid_gradients(solid, element, at->x, F);
    for (int32_t p = 0; p < solid->points; p++) {
        int64_t k = (int64_t)element * solid->points + p;
        double *s = r->sample + WIDTH * k, square = 0;
        if (solid->swell_count > 0)
            F[p] = m3_mul(F[p], shrink);
        sample_point(&F[p], s);
        if (solid->mean)
            s[6] = at->pressure / r->bulk;
        for (int m = 0; m < WIDTH; m++)
            square += r->weight[m] * s[m] * s[m];
        r->energy += solid->volumes[k] * more * square;
        r->volume += solid->volumes[k];
    }
}

// --- errors --------------------------------------------------------------------------------------

// strain of the element at its nodes: constant, or linear through its points
static inline void strain_at_nodes(const Recovery *r, int32_t width, int32_t element,
                                   double s[MAX_NODES][WIDTH]) {
    int32_t points = width == 4 ? 1 : MAX_POINTS;
    const double *own = r->sample + WIDTH * (int64_t)element * points;
    if (width == 4) {
        for (int a = 0; a < 4; a++)
            memcpy(s[a], own, sizeof s[a]);
        return;
    }
    for (int m = 0; m < WIDTH; m++) {
        double sum = own[m] + own[WIDTH + m] + own[2 * WIDTH + m] + own[3 * WIDTH + m];
        for (int a = 0; a < 4; a++)
            s[a][m] = (own[WIDTH * a + m] - FAR * sum) * (1 / (NEAR - FAR));
    }
    for (int e = 0; e < 6; e++)
        for (int m = 0; m < WIDTH; m++)
            s[4 + e][m] = 0.5 * (s[lithe_tet_edges[e][0]][m] + s[lithe_tet_edges[e][1]][m]);
}

// (S75) over V, of each of the values
static inline void mean_squares(int32_t width, const double f[MAX_NODES][WIDTH],
                                double out[WIDTH]) {
    double c[WIDTH], cc[WIDTH], mid[WIDTH] = {0}, squares[WIDTH] = {0}, ends[WIDTH] = {0};
    for (int m = 0; m < WIDTH; m++) {
        c[m] = f[0][m] + f[1][m] + f[2][m] + f[3][m];
        cc[m] = f[0][m] * f[0][m] + f[1][m] * f[1][m] + f[2][m] * f[2][m] + f[3][m] * f[3][m];
    }
    if (width == 4) {
        for (int m = 0; m < WIDTH; m++)
            out[m] = (c[m] * c[m] + cc[m]) * (1.0 / 20);
        return;
    }
    for (int e = 0; e < 6; e++) {
        const double *own = f[4 + e], *i = f[lithe_tet_edges[e][0]], *j = f[lithe_tet_edges[e][1]];
        for (int m = 0; m < WIDTH; m++) {
            mid[m] += own[m];
            squares[m] += own[m] * own[m];
            ends[m] += own[m] * (i[m] + j[m]);
        }
    }
    for (int m = 0; m < WIDTH; m++) {
        double across = f[4][m] * f[9][m] + f[5][m] * f[7][m] + f[6][m] * f[8][m];
        double pairs = mid[m] * mid[m] + squares[m] - across;
        out[m] = (c[m] * (c[m] - 12 * mid[m]) + 5 * cc[m] + 4 * ends[m] + 16 * pairs) * (1.0 / 420);
    }
}

// s* - s at the nodes of an element
static inline void differences(const Recovery *r, int32_t width, int32_t element,
                               double d[MAX_NODES][WIDTH]) {
    const int32_t *node = r->solid->mesh.elements + (int64_t)element * width;
    strain_at_nodes(r, width, element, d);
    for (int32_t a = 0; a < width; a++)
        for (int m = 0; m < WIDTH; m++)
            d[a][m] = r->nodal[WIDTH * (int64_t)node[a] + m] - d[a][m];
}

// (S73), with a width that the compiler knows
static inline double error_of(const Recovery *r, int32_t width, int32_t element) {
    double d[MAX_NODES][WIDTH], squares[WIDTH], sum = 0, volume = 0;
    differences(r, width, element, d);
    mean_squares(width, d, squares);
    for (int m = 0; m < WIDTH; m++)
        sum += r->weight[m] * squares[m];
    for (int32_t p = 0; p < r->solid->points; p++)
        volume += r->solid->volumes[(int64_t)element * r->solid->points + p];
    return fmax(sum * volume, 0);
}

static double element_error(const Recovery *r, int32_t element) {
    return r->solid->points == 1 ? error_of(r, 4, element) : error_of(r, MAX_NODES, element);
}

// --- fibres --------------------------------------------------------------------------------------

// (S76) over A, of each of the values
static void face_mean_squares(int32_t width, const double f[MAX_NODES][WIDTH], double out[WIDTH]) {
    for (int m = 0; m < WIDTH; m++) {
        double c = f[0][m] + f[1][m] + f[2][m];
        double cc = f[0][m] * f[0][m] + f[1][m] * f[1][m] + f[2][m] * f[2][m];
        out[m] = (c * c + cc) * (1.0 / 12);
        if (width == 3)
            continue;
        double mid = f[3][m] + f[4][m] + f[5][m];
        double squares = f[3][m] * f[3][m] + f[4][m] * f[4][m] + f[5][m] * f[5][m];
        double across = f[0][m] * f[4][m] + f[1][m] * f[5][m] + f[2][m] * f[3][m];
        out[m] = (7 * cc - c * c - 8 * across + 16 * (mid * mid + squares)) * (1.0 / 180);
    }
}

// s - 1 of the fibres of a family at their points, in the first of eight values
static void sample_fibres(const LitheFibres *own, const double *x, double *sample) {
    for (int64_t at = 0; at < (int64_t)own->cell_count * own->points; at++) {
        const int32_t *node = own->nodes + at / own->points * own->width;
        double s = v3_norm(lithe_fibre_at(own, node, own->shares + at * own->width, x));
        memset(sample + WIDTH * at, 0, WIDTH * sizeof *sample);
        sample[WIDTH * at] = own->slack ? fmax(s - 1, 0) : s - 1;
    }
}

// strain of a fibre at the nodes of a cell: constant, or linear through its points
static void fibre_at_nodes(const LitheFibres *own, const double *s, double *out) {
    static const int8_t sides[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    const int8_t(*edges)[2] = own->elements ? lithe_tet_edges : sides;
    // coordinates of the points
    double near = own->elements ? NEAR : 2.0 / 3, far = own->elements ? FAR : 1.0 / 6, sum = 0;
    int32_t corners = own->elements ? 4 : 3;
    for (int32_t p = 0; p < own->points; p++)
        sum += s[WIDTH * p];
    for (int32_t a = 0; a < corners; a++)
        out[a] = own->points == 1 ? s[0] : (s[WIDTH * a] - far * sum) / (near - far);
    for (int32_t e = 0; e < own->width - corners; e++)
        out[corners + e] = 0.5 * (out[edges[e][0]] + out[edges[e][1]]);
}

// (S77) of a cell
static double cell_error(const LitheFibres *own, int32_t cell, const double *sample,
                         const double *nodal) {
    const int32_t *node = own->nodes + (int64_t)cell * own->width;
    double f[MAX_NODES][WIDTH] = {{0}}, squares[WIDTH], strain[MAX_NODES], stiffness = 0;
    fibre_at_nodes(own, sample + WIDTH * (int64_t)cell * own->points, strain);
    for (int32_t a = 0; a < own->width; a++)
        f[a][0] = nodal[WIDTH * (int64_t)node[a]] - strain[a];
    if (own->elements)
        mean_squares(own->width, f, squares);
    else
        face_mean_squares(own->width, f, squares);
    for (int32_t p = 0; p < own->points; p++)
        stiffness += own->stiffness[(int64_t)cell * own->points + p];
    return fmax(0.5 * stiffness * squares[0], 0);
}

// Errors of all fibres, with the memory of the samples; `out` gets those of elements, or is NULL.
static double fibre_errors(Recovery *r, const double *x, double *out) {
    const LitheSolid *solid = r->solid;
    double sum = 0;
    for (int32_t k = 0; k < solid->fibre_count; k++) {
        const LitheFibres *own = &solid->fibres[k];
        sample_fibres(own, x, r->sample);
        lithe_solid_fit(solid, &own->fits, r->sample, r->nodal);
        for (int32_t cell = 0; cell < own->cell_count; cell++) {
            double error = cell_error(own, cell, r->sample, r->nodal);
            sum += error;
            if (out)
                out[(own->elements ? own->elements : own->behind)[cell]] += error;
        }
    }
    return sum;
}

static double fibre_energy(const LitheSolid *solid, const double *x) {
    const LitheSolidTerms none = {0};
    return lithe_solid_add_fibres(solid, x, &none);
}

// --- sums ----------------------------------------------------------------------------------------

// energy of the samples; false when out of memory
static bool take_samples(Recovery *r, LitheContext *context, const LitheSolid *solid,
                         LitheSolidAt at) {
    double lambda, mu;
    int64_t samples = (int64_t)solid->mesh.element_count * solid->points;
    for (int32_t k = 0; k < solid->fibre_count; k++) {
        int64_t own = (int64_t)solid->fibres[k].cell_count * solid->fibres[k].points;
        samples = own > samples ? own : samples;
    }
    *r = (Recovery){.solid = solid};
    solid->law->moduli(&solid->material, &mu, &lambda);
    r->bulk = lambda + 2 * mu / 3;
    for (int m = 0; m < 6; m++)
        r->weight[m] = m < 3 ? mu : 2 * mu;
    r->weight[6] = 0.5 * r->bulk;
    r->sample =
        lithe_alloc_array(context, (samples + solid->mesh.node_count) * WIDTH, sizeof *r->sample);
    if (!r->sample)
        return false;
    r->nodal = r->sample + samples * WIDTH;
    lithe_solid_each_element(solid, &at, sample_element, r);
    if (!(r->energy > NO_STRAIN * mu * r->volume))
        r->energy = NAN;
    r->energy += fibre_energy(solid, at.x);
    return true;
}

// (S74); `out` gets the share of each element, or is NULL
static double estimate(Recovery *r, const LitheSolidAt *at, double *out) {
    const LitheSolid *solid = r->solid;
    double errors = 0;
    lithe_solid_fit(solid, &solid->fits, r->sample, r->nodal);
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        double error = element_error(r, e);
        errors += error;
        if (out)
            out[e] = error;
    }
    errors += fibre_errors(r, at->x, out);
    for (int32_t e = 0; out && e < solid->mesh.element_count; e++)
        out[e] /= errors + r->energy;
    return errors / (errors + r->energy);
}

static LitheSolidAt at_state(const LitheModel *model, const LitheState *state,
                             const LitheSolid *solid) {
    return (LitheSolidAt){.x = state->q + model->units[solid->unit].q_at,
                          .time = lithe_load_time(state)};
}

void lithe_solid_mesh_error(const LitheModel *model, const LitheState *state, LitheSolidId id,
                            double *out) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->solid_count);
    const LitheSolid *solid = &model->solids[id.number - 1];
    LitheSolidAt at = at_state(model, state, solid);
    Recovery r;
    if (take_samples(&r, model->context, solid, at) && !isnan(r.energy))
        estimate(&r, &at, out);
    else
        for (int64_t e = 0; e < solid->mesh.element_count; e++)
            out[e] = NAN;
    lithe_free(model->context, r.sample);
}

// distance of the nodes of the surface as on a square lattice: there are half as many as triangles
static double node_distance(const LitheSolid *solid) {
    double area = 0;
    for (int32_t t = 0; t < solid->skin.triangle_count; t++)
        area += solid->skin.face_areas[t];
    return sqrt(2 * area / solid->skin.triangle_count);
}

bool lithe_solid_estimate(const LitheModel *model, int32_t unit, const LitheState *state,
                          double least, LitheMeshError *out) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidAt at = at_state(model, state, solid);
    Recovery r;
    bool grown = take_samples(&r, model->context, solid, at) && r.energy > least;
    if (grown)
        *out = (LitheMeshError){.share = estimate(&r, &at, NULL),
                                .energy = r.energy,
                                .time = lithe_state_time(state),
                                .order = solid->mesh.nodes_per_element == 4 ? 1 : 2,
                                .mean = solid->mean,
                                .spacing = node_distance(solid),
                                .modulus = solid->touch.modulus,
                                .layer = solid->skin.layer};
    lithe_free(model->context, r.sample);
    return grown;
}
