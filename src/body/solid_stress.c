// SPDX-License-Identifier: Apache-2.0
// body/solid_stress.c - stress and strain of soft solids
//
//     (S40)  Cauchy stress sigma = P F'/det F; with a mean volume P has the pressure of the mean;
//            where the natural size differs from that of the mesh F is F_e of (S60)
//     (S41)  Green strain (F'F - I)/2
//     (S42)  von Mises stress sqrt(3/2 s:s), s the deviator of sigma
//     (S43)  equivalent strain sqrt(2/3 e:e), e the deviator of the Green strain
// Values of an element are means over its points. Those of a node are means over its elements,
// weighted with their share in its mass.

#include "body/solid.h"

#include "base/assert.h"
#include "law/solid_mean.h"
#include "math/svd3.h"

#include <math.h>
#include <string.h>

enum { PARTS = 6 }; // of a symmetric matrix: xx yy zz yz zx xy

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
    Mat3 shrink = lithe_solid_shrink(solid, element, time, &more);
    for (int32_t p = 0; p < solid->points; p++) {
        double v = more * solid->volumes[(int64_t)element * solid->points + p];
        Mat3 F = m3_mul(lithe_solid_gradient(solid, element, p, x), shrink),
             R = lithe_polar_rotation(&F), slope;
        sum += v * lithe_solid_theta(solid->law, &F, &R, &slope);
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

// (S40); NAN outside of the domain of the law
static void element_stress(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                           double out[PARTS]) {
    double whole = 0, more;
    Mat3 shrink = lithe_solid_shrink(solid, element, at->time, &more);
    memset(out, 0, PARTS * sizeof *out);
    for (int32_t p = 0; p < solid->points; p++) {
        double v = solid->volumes[(int64_t)element * solid->points + p];
        Mat3 F = m3_mul(lithe_solid_gradient(solid, element, p, at->x), shrink);
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
        add_symmetric(v, m3_scale(1 / m3_det(F), kirchhoff), out);
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

// adds the part of an element to the means of its nodes
static void share(const LitheSolid *solid, int32_t element, double value, double *out) {
    int32_t width = solid->mesh.nodes_per_element;
    const int32_t *node = solid->mesh.elements + (int64_t)element * width;
    double volume = 0;
    for (int32_t p = 0; p < solid->points; p++)
        volume += solid->volumes[(int64_t)element * solid->points + p];
    // shares of (S4)
    for (int32_t a = 0; a < width; a++) {
        double part = width == 4 ? 0.25 : a < 4 ? 1.0 / 36 : 4.0 / 27;
        out[node[a]] += part * solid->density * volume * value / solid->mass[node[a]];
    }
}

static void share_stress(const LitheSolid *solid, int32_t element, const LitheSolidAt *at,
                         void *out) {
    double stress[PARTS];
    element_stress(solid, element, at, stress);
    share(solid, element, von_mises(stress), out);
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

void lithe_solid_von_mises(const LitheModel *model, const LitheState *state, LitheSolidId id,
                           double *out) {
    const LitheSolid *solid = solid_of(model, id);
    LitheSolidAt at = present(model, state, solid);
    memset(out, 0, (size_t)solid->mesh.node_count * sizeof *out);
    lithe_solid_each_element(solid, &at, share_stress, out);
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

void lithe_solid_equivalent_strain(const LitheModel *model, const LitheState *state,
                                   LitheSolidId id, double *out) {
    const LitheSolid *solid = solid_of(model, id);
    const double *x = positions_of(model, state, solid);
    double strain[PARTS];
    memset(out, 0, (size_t)solid->mesh.node_count * sizeof *out);
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        element_strain(solid, e, x, strain);
        // (S43) is (S42) of the strain, times 2/3
        share(solid, e, von_mises(strain) * 2 / 3, out);
    }
}
