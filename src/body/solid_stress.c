// SPDX-License-Identifier: Apache-2.0
// body/solid_stress.c - stress and strain of soft solids
//
//     (S40)  Cauchy stress sigma = P F'/det F; with a mean volume P has the pressure of the mean;
//            where the natural size differs from that of the mesh F is F_e of (S60)
//     (S41)  Green strain (F'F - I)/2
//     (S42)  von Mises stress sqrt(3/2 s:s), s the deviator of sigma
//     (S43)  equivalent strain sqrt(2/3 e:e), e the deviator of the Green strain
//     (S91)  at nodes (S42), (S43) of the fits (S71), (S72) of sigma and of (S41)
//     (S92)  where the patch of a corner has elements with different swells or fibres, between
//            which stresses jump: the mean over the elements at the corner, and at midpoints that
//            of their corners
// Values of an element are means over its points.

#include "body/solid.h"

#include "base/assert.h"
#include "base/memory.h"
#include "geom/fit.h"
#include "law/solid_mean.h"
#include "math/svd3.h"

#include <math.h>
#include <string.h>

enum {
    PARTS = 6, // of a symmetric matrix: xx yy zz yz zx xy
    MAX_POINTS = 4,
    WIDTH = LITHE_FIT_WIDTH,
    MIXED = WIDTH - 1, // of the values at a corner: 1 where they are a mean
};

static const LitheSolid *solid_of(const LitheModel *model, LitheSolidId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->solid_count);
    return &model->solids[id.number - 1];
}

static const double *positions_of(const LitheModel *model, const LitheState *state,
                                  const LitheSolid *solid) {
    return state->q + model->units[solid->unit].q_at;
}

static void add_symmetric(double weight, Mat3 a, double *out) {
    static const int8_t at[PARTS][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};
    for (int k = 0; k < PARTS; k++)
        out[k] += weight * 0.5 * (a.m[at[k][0]][at[k][1]] + a.m[at[k][1]][at[k][0]]);
}

// sum of V theta over the points of an element, and of V
static double dilation(const LitheSolid *solid, int32_t element, const double *x, double time,
                       double *volume) {
    double sum = 0, more;
    Mat3 shrink = lithe_solid_shrink(solid, element, time, &more), F[MAX_POINTS], R, slope;
    lithe_solid_gradients(solid, element, x, F);
    for (int32_t p = 0; p < solid->points; p++) {
        double v = more * solid->volumes[(int64_t)element * solid->points + p];
        if (solid->swell_count > 0)
            F[p] = m3_mul(F[p], shrink);
        if (solid->law->lagged)
            R = lithe_polar_rotation(&F[p]);
        sum += v * lithe_solid_theta(solid->law, &F[p], &R, &slope);
        *volume += v;
    }
    return sum;
}

void lithe_solid_each_element(const LitheSolid *solid, const LitheSolidAt *at, LitheSolidUseFn *use,
                              void *user) {
    bool patches = solid->mean && solid->mesh.nodes_per_element == 4;
    int32_t groups = patches ? solid->patches.count : solid->mesh.element_count;
    for (int32_t g = 0; g < groups; g++) {
        int32_t first = patches ? solid->patches.element_start[g] : g;
        int32_t after = patches ? solid->patches.element_start[g + 1] : g + 1;
        LitheSolidAt here = *at;
        double sum = 0, volume = 0, dd;
        for (int32_t k = first; solid->mean && k < after; k++)
            sum +=
                dilation(solid, patches ? solid->patches.elements[k] : k, at->x, at->time, &volume);
        if (solid->mean)
            solid->law->volume(&solid->material, sum / volume, &here.pressure, &dd);
        for (int32_t k = first; k < after; k++)
            use(solid, patches ? solid->patches.elements[k] : k, &here, user);
    }
}

// (S40) at the points of an element, [points][stride]; NAN outside of the domain of the law
static void point_stresses(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                           int32_t stride, double *out) {
    double more;
    Mat3 shrink = lithe_solid_shrink(solid, element, at->time, &more), gradient[MAX_POINTS];
    lithe_solid_gradients(solid, element, at->x, gradient);
    for (int32_t p = 0; p < solid->points; p++, out += stride) {
        Mat3 F = m3_mul(gradient[p], shrink);
        Mat3 R = lithe_polar_rotation(&F), P;
        double density = solid->mean
                             ? lithe_solid_evaluate_shape(solid->law, &solid->material, &F, &R,
                                                          at->pressure, &P, NULL, false)
                             : solid->law->evaluate(&solid->material, &F, &R, &P, NULL, false);
        bool good = density < INFINITY;
        Mat3 kirchhoff = m3_mul(good ? P : m3_diag(NAN, NAN, NAN), m3_transpose(F));
        if (solid->fibre_count > 0) // per natural volume
            kirchhoff = m3_add(
                kirchhoff, m3_scale(1 / more, lithe_solid_fibre_stress(solid, element, p, at->x)));
        memset(out, 0, PARTS * sizeof *out);
        add_symmetric(1, m3_scale(1 / m3_det(F), kirchhoff), out);
    }
}

static void element_stress(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                           double out[PARTS]) {
    double whole = 0, own[MAX_POINTS * PARTS];
    point_stresses(solid, element, at, PARTS, own);
    memset(out, 0, PARTS * sizeof *out);
    for (int32_t p = 0; p < solid->points; p++) {
        double v = solid->volumes[(int64_t)element * solid->points + p];
        for (int k = 0; k < PARTS; k++)
            out[k] += v * own[PARTS * p + k];
        whole += v;
    }
    for (int k = 0; k < PARTS; k++)
        out[k] /= whole;
}

static void keep(const LitheSolid *solid, int32_t element, const LitheSolidAt *at, void *out) {
    element_stress(solid, element, at, (double *)out + PARTS * (int64_t)element);
}

// (S42)
static double von_mises(const double s[PARTS]) {
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

static LitheSolidAt present(const LitheModel *model, const LitheState *state,
                            const LitheSolid *solid) {
    return (LitheSolidAt){.x = positions_of(model, state, solid), .time = lithe_load_time(state)};
}

void lithe_solid_stress(const LitheModel *model, const LitheState *state, LitheSolidId id,
                        double *out) {
    const LitheSolid *solid = solid_of(model, id);
    LitheSolidAt at = present(model, state, solid);
    lithe_solid_each_element(solid, &at, keep, out);
}

// (S41)
static void element_strain(const LitheSolid *solid, int32_t element, const double *x,
                           double out[PARTS]) {
    memset(out, 0, PARTS * sizeof *out);
    for (int32_t p = 0; p < solid->points; p++) {
        Mat3 F = lithe_solid_gradient(solid, element, p, x);
        Mat3 E = m3_sub(m3_mul(m3_transpose(F), F), m3_identity());
        add_symmetric(0.5 / solid->points, E, out);
    }
}

void lithe_solid_strain(const LitheModel *model, const LitheState *state, LitheSolidId id,
                        double *out) {
    const LitheSolid *solid = solid_of(model, id);
    const double *x = positions_of(model, state, solid);
    for (int32_t e = 0; e < solid->mesh.element_count; e++)
        element_strain(solid, e, x, out + PARTS * (int64_t)e);
}

// --- values at nodes -----------------------------------------------------------------------------

// Memory of values at nodes: those at the quadrature points, and at the nodes.
typedef struct Nodal {
    double *sample; // [elements][points][WIDTH]
    double *value;  // [nodes][WIDTH]
} Nodal;

static bool open_nodal(LitheContext *context, const LitheSolid *solid, Nodal *own) {
    int64_t samples = (int64_t)solid->mesh.element_count * solid->points;
    own->sample =
        lithe_alloc_array(context, (samples + solid->mesh.node_count) * WIDTH, sizeof *own->sample);
    own->value = own->sample ? own->sample + samples * WIDTH : NULL;
    return own->sample != NULL;
}

// swells and fibres of an element, a bit each: where they differ, stresses jump
static uint64_t kind_of(const LitheSolid *solid, int32_t element) {
    uint64_t kind = 0;
    for (int32_t k = 0; k < solid->swell_count; k++)
        kind |= (uint64_t)solid->swells[k].in[element] << (k % 32);
    for (int32_t k = 0; k < solid->fibre_count; k++)
        kind |= (uint64_t)(lithe_fibres_cell(&solid->fibres[k], element) >= 0) << (32 + k % 32);
    return kind;
}

// (S92): around corners between elements of different kinds, the mean of the samples
static void take_means(const LitheSolid *solid, const LitheFits *fits, Nodal *own) {
    const LitheTetMesh *mesh = &solid->mesh;
    for (int32_t i = 0; i < mesh->node_count; i++) {
        const int32_t *cell = fits->cells + fits->start[i];
        int32_t count = fits->start[i + 1] - fits->start[i], same = 0, touching = 0;
        while (same < count && kind_of(solid, cell[same]) == kind_of(solid, cell[0]))
            same++;
        if (same == count)
            continue;
        double *out = own->value + WIDTH * (int64_t)i;
        memset(out, 0, WIDTH * sizeof *out);
        for (int32_t k = 0; k < count; k++) {
            const int32_t *node = mesh->elements + (int64_t)cell[k] * mesh->nodes_per_element;
            if (node[0] != i && node[1] != i && node[2] != i && node[3] != i)
                continue; // of the next ring
            touching += solid->points;
            for (int32_t p = 0; p < solid->points; p++)
                for (int m = 0; m < WIDTH; m++)
                    out[m] += own->sample[WIDTH * ((int64_t)cell[k] * solid->points + p) + m];
        }
        for (int m = 0; m < WIDTH; m++)
            out[m] /= touching;
        out[MIXED] = 1;
    }
    for (int32_t e = 0; mesh->nodes_per_element == 10 && e < mesh->element_count; e++)
        for (int k = 0; k < 6; k++) {
            const int32_t *node = mesh->elements + 10 * (int64_t)e;
            const double *a = own->value + WIDTH * (int64_t)node[lithe_tet_edges[k][0]];
            const double *b = own->value + WIDTH * (int64_t)node[lithe_tet_edges[k][1]];
            for (int m = 0; (a[MIXED] > 0 || b[MIXED] > 0) && m < PARTS; m++)
                own->value[WIDTH * (int64_t)node[4 + k] + m] = 0.5 * (a[m] + b[m]);
        }
}

// `factor` times (S42) of the fit (S72) of the samples at each node
static void recover(const LitheSolid *solid, Nodal *own, double factor, double *out) {
    const LitheFits *fits = solid->points == 1 ? &solid->wall_fits : &solid->fits;
    lithe_solid_fit(solid, fits, own->sample, own->value);
    if (solid->swell_count > 0 || solid->fibre_count > 0)
        take_means(solid, fits, own);
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        out[i] = factor * von_mises(own->value + WIDTH * i);
}

static void fill_without(const LitheSolid *solid, double *out) {
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        out[i] = NAN; // no memory
}

static void sample_stress(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                          void *out) {
    double *to = (double *)out + (int64_t)element * solid->points * WIDTH;
    point_stresses(solid, element, at, WIDTH, to);
}

void lithe_solid_von_mises(const LitheModel *model, const LitheState *state, LitheSolidId id,
                           double *out) {
    const LitheSolid *solid = solid_of(model, id);
    LitheSolidAt at = present(model, state, solid);
    Nodal own;
    if (!open_nodal(model->context, solid, &own)) {
        fill_without(solid, out);
        return;
    }
    lithe_solid_each_element(solid, &at, sample_stress, own.sample);
    recover(solid, &own, 1, out);
    lithe_free(model->context, own.sample);
}

void lithe_solid_equivalent_strain(const LitheModel *model, const LitheState *state,
                                   LitheSolidId id, double *out) {
    const LitheSolid *solid = solid_of(model, id);
    const double *x = positions_of(model, state, solid);
    Nodal own;
    if (!open_nodal(model->context, solid, &own)) {
        fill_without(solid, out);
        return;
    }
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        Mat3 F[MAX_POINTS];
        lithe_solid_gradients(solid, e, x, F);
        for (int32_t p = 0; p < solid->points; p++) {
            double *to = own.sample + WIDTH * ((int64_t)e * solid->points + p);
            Mat3 E = m3_sub(m3_mul(m3_transpose(F[p]), F[p]), m3_identity());
            memset(to, 0, WIDTH * sizeof *to);
            add_symmetric(0.5, E, to);
        }
    }
    // (S43) is (S42) of the strain, times 2/3
    recover(solid, &own, 2.0 / 3, out);
    lithe_free(model->context, own.sample);
}
