// SPDX-License-Identifier: Apache-2.0
// body/solid_elastic.c - elastic energy, forces and stiffness of a soft solid
//
// Sums over quadrature points with volume V, shape gradients g_a at rest, and the energy density
// psi of the law (law/solid.h):
//     (S5)  F = sum_a x_a g_a',   F = R S with R a rotation
//     (S6)  E = sum V psi(F)
//     (S7)  dE/dx_a = sum V P g_a,   P = dpsi/dF
//     (S8)  d2E/dx_a dx_b = sum V sum_kl g_a[k] (d2psi/dF[.][k] dF[.][l]) g_b[l]
// Elements with four nodes are evaluated several at once (law/solid_fast.h). With a mean volume
// the volumetric part of psi is that of the mean over a patch (law/solid_mean.h), or over the
// points of an element with ten nodes.

#include "body/solid.h"

#include "base/assert.h"
#include "law/solid_fast.h"
#include "law/solid_mean.h"
#include "math/svd3.h"

#include <math.h>
#include <string.h>

enum { MAX_NODES = 10 };

// edges from the first node: large coordinates cancel, since the gradients of an element add to 0
static void edges_of(const double *x, const int32_t *node, int32_t width, Vec3 *edge) {
    Vec3 first = v3_load(x + 3 * (int64_t)node[0]);
    for (int32_t a = 1; a < width; a++)
        edge[a] = v3_sub(v3_load(x + 3 * (int64_t)node[a]), first);
}

static Mat3 deformation(const Vec3 *edge, const Vec3 *g, int32_t width) {
    Mat3 F = m3_outer(edge[1], g[1]);
    for (int32_t a = 2; a < width; a++)
        F = m3_add(F, m3_outer(edge[a], g[a]));
    return F;
}

Mat3 lithe_solid_gradient(const LitheSolid *solid, int32_t element, int32_t point,
                          const double *x) {
    int32_t width = solid->mesh.nodes_per_element;
    Vec3 edge[MAX_NODES];
    edges_of(x, solid->mesh.elements + (int64_t)element * width, width, edge);
    return deformation(edge, solid->gradients + ((int64_t)element * solid->points + point) * width,
                       width);
}

void lithe_solid_gradients(const LitheSolid *solid, int32_t element, const double *x, Mat3 *F) {
    int32_t width = solid->mesh.nodes_per_element;
    const Vec3 *g = solid->gradients + (int64_t)element * solid->points * width;
    Vec3 edge[MAX_NODES];
    edges_of(x, solid->mesh.elements + (int64_t)element * width, width, edge);
    for (int32_t p = 0; p < solid->points; p++, g += width)
        F[p] = deformation(edge, g, width);
}

void lithe_solid_rotations(const LitheSolid *solid, const double *x, Mat3 *rotations) {
    if (solid->mesh.nodes_per_element == 4) {
        LitheTets tets = {.count = solid->mesh.element_count,
                          .nodes = solid->mesh.elements,
                          .gradients = solid->gradients,
                          .volumes = solid->volumes};
        lithe_tets_rotations(&tets, x, rotations);
        return;
    }
    for (int32_t e = 0; e < solid->mesh.element_count; e++)
        for (int32_t p = 0; p < solid->points; p++) {
            Mat3 F = lithe_solid_gradient(solid, e, p, x);
            rotations[(int64_t)e * solid->points + p] = lithe_polar_rotation(&F);
        }
}

void lithe_solid_find_frames(const LitheSolid *solid, const double *x, LitheSolidWork *work) {
    size_t bytes = 3 * (size_t)solid->mesh.node_count * sizeof(double);
    if (work->has_frames && memcmp(work->framed, x, bytes) == 0)
        return;
    lithe_solid_rotations(solid, x, work->rotations);
    memcpy(work->framed, x, bytes);
    work->has_frames = solid->swell_count == 0;
}

// (S7)
static void add_forces(const int32_t *node, const Vec3 *g, int32_t width, double volume,
                       const Mat3 *P, double *gradient) {
    for (int32_t a = 0; a < width; a++) {
        double *f = gradient + 3 * (int64_t)node[a];
        v3_store(v3_axpy(volume, m3_apply(*P, g[a]), v3_load(f)), f);
    }
}

// H g_b: [9][3], rows in the order of H
static void times_gradient(const double *H, Vec3 g, double t[9][3]) {
    for (int p = 0; p < 9; p++)
        for (int j = 0; j < 3; j++)
            t[p][j] = H[9 * p + j] * g.x + H[9 * p + 3 + j] * g.y + H[9 * p + 6 + j] * g.z;
}

// (S8); blocks are column-major with the larger node as row
static void add_stiffness(const LitheSolid *solid, int32_t element, const int32_t *node,
                          const Vec3 *g, int32_t width, double scale, const double *H,
                          double *values) {
    const int32_t *entries = solid->entries + (int64_t)element * (width * (width + 1) / 2);
    for (int32_t b = 0; b < width; b++) {
        double t[9][3];
        times_gradient(H, v3_scale(scale, g[b]), t);
        for (int32_t a = b; a < width; a++) {
            double *block = values + solid->pattern->value_at[entries[a * (a + 1) / 2 + b]];
            bool flip = node[a] < node[b];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    double k = g[a].x * t[i][j] + g[a].y * t[3 + i][j] + g[a].z * t[6 + i][j];
                    block[flip ? 3 * i + j : 3 * j + i] += k;
                }
        }
    }
}

// --- elements with four nodes --------------------------------------------------------------------

static double linear_elements(const LitheSolid *solid, const double *x, const Mat3 *rotations,
                              LitheSolidTerms *terms) {
    // frames of x itself: the energy and the forces of the corotated law are the same
    bool own_frames = solid->law->lagged && (!rotations || terms->own_frames);
    LITHE_ASSERT(!own_frames || !terms->values);
    LitheTets tets = {.law = own_frames ? &lithe_solid_corotated : solid->law,
                      .material = &solid->material,
                      .count = solid->mesh.element_count,
                      .nodes = solid->mesh.elements,
                      .gradients = solid->gradients,
                      .volumes = solid->volumes,
                      .rotations = rotations,
                      .entries = solid->entries,
                      .value_at = solid->pattern->value_at};
    LitheTetTerms out = {.gradient = terms->gradient,
                         .values = terms->values,
                         .scale = terms->scale,
                         .project = terms->project,
                         .strains = terms->strains,
                         .velocity = terms->velocity,
                         .h = terms->h,
                         .chord = terms->chord};
    LITHE_ASSERT(!solid->mean || terms->pressures || !(terms->gradient || terms->values));
    double energy =
        solid->mean ? lithe_tets_evaluate_mean(&tets, &solid->patches, x, &out, terms->pressures)
                    : lithe_tets_evaluate(&tets, x, &out);
    terms->bad = out.bad;
    terms->chord_power = out.chord_power;
    return energy;
}

// --- other elements ------------------------------------------------------------------------------

// One quadrature point of an element.
typedef struct Point {
    const Vec3 *g;
    double volume;
    Mat3 F, R;
} Point;

static Point point_of(const LitheSolid *solid, int32_t element, int32_t point, const Vec3 *edge,
                      const Mat3 *rotations) {
    int32_t width = solid->mesh.nodes_per_element;
    int64_t at = (int64_t)element * solid->points + point;
    Point p = {.g = solid->gradients + at * width, .volume = solid->volumes[at]};
    p.F = deformation(edge, p.g, width);
    p.R = m3_identity();
    if (solid->law->lagged)
        p.R = rotations ? rotations[at] : lithe_polar_rotation(&p.F);
    return p;
}

// Volumetric energy of the mean over the points of an element (H20): the pressure, and the
// stiffness U'' v v'/V. INFINITY outside of the domain.
static double mean_volume(const LitheSolid *solid, int32_t element, const Vec3 *edge,
                          const Mat3 *rotations, const LitheSolidTerms *terms, double *pressure) {
    int32_t width = solid->mesh.nodes_per_element;
    const int32_t *node = solid->mesh.elements + (int64_t)element * width;
    Vec3 v[MAX_NODES] = {{0}};
    double sum = 0, whole = 0, dd;
    for (int32_t k = 0; k < solid->points; k++) {
        Point p = point_of(solid, element, k, edge, rotations);
        Mat3 slope;
        sum += p.volume * lithe_solid_theta(solid->law, &p.F, &p.R, &slope);
        whole += p.volume;
        for (int32_t a = 0; a < width; a++)
            v[a] = v3_axpy(p.volume, m3_apply(slope, p.g[a]), v[a]);
    }
    double energy = whole * solid->law->volume(&solid->material, sum / whole, pressure, &dd);
    if (!(energy < INFINITY) || !terms->values)
        return energy;
    const int32_t *entry = solid->entries + (int64_t)element * (width * (width + 1) / 2);
    double weight = terms->scale * (terms->project ? fmax(dd, 0) : dd) / whole;
    for (int32_t a = 0; a < width; a++)
        for (int32_t b = 0; b <= a; b++) {
            double *block = terms->values + solid->pattern->value_at[*entry++];
            Mat3 m = node[a] < node[b] ? m3_outer(v[b], v[a]) : m3_outer(v[a], v[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    block[3 * j + i] += weight * m.m[i][j];
        }
    return energy;
}

static double quadratic_elements(const LitheSolid *solid, const double *x, const Mat3 *rotations,
                                 LitheSolidTerms *terms) {
    int32_t width = solid->mesh.nodes_per_element;
    double energy = 0;
    Vec3 edge[MAX_NODES], rate[MAX_NODES];
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const int32_t *node = solid->mesh.elements + (int64_t)e * width;
        double pressure = 0;
        edges_of(x, node, width, edge);
        if (solid->mean)
            energy += mean_volume(solid, e, edge, rotations, terms, &pressure);
        for (int32_t k = 0; k < solid->points && energy < INFINITY; k++) {
            Point p = point_of(solid, e, k, edge, rotations);
            double H[81], *hessian = terms->values ? H : NULL;
            Mat3 P, *stress = terms->gradient ? &P : NULL;
            double density =
                solid->mean ? lithe_solid_evaluate_shape(solid->law, &solid->material, &p.F, &p.R,
                                                         pressure, stress, hessian, terms->project)
                            : solid->law->evaluate(&solid->material, &p.F, &p.R, stress, hessian,
                                                   terms->project);
            energy += p.volume * density;
            if (!(energy < INFINITY))
                break;
            if (hessian && terms->strains)
                lithe_solid_remove_turns(&p.F, H);
            if (stress)
                add_forces(node, p.g, width, p.volume, &P, terms->gradient);
            if (terms->chord) {
                edges_of(terms->velocity, node, width, rate);
                Mat3 speed = deformation(rate, p.g, width);
                double power;
                P = lithe_solid_chord_stress(&solid->material, &p.F, &speed, &p.R, terms->h,
                                             &power);
                terms->chord_power += terms->scale * p.volume * power;
                add_forces(node, p.g, width, terms->scale * p.volume, &P, terms->chord);
            }
            if (hessian)
                add_stiffness(solid, e, node, p.g, width, terms->scale * p.volume, H,
                              terms->values);
        }
        if (!(energy < INFINITY)) {
            terms->bad = e;
            return INFINITY;
        }
    }
    return energy;
}

double lithe_solid_elastic(const LitheSolid *solid, const double *x, const Mat3 *rotations,
                           LitheSolidTerms *terms) {
    terms->bad = -1;
    terms->chord_power = 0;
    if (terms->gradient)
        memset(terms->gradient, 0, 3 * (size_t)solid->mesh.node_count * sizeof(double));
    if (terms->chord)
        memset(terms->chord, 0, 3 * (size_t)solid->mesh.node_count * sizeof(double));
    double energy = solid->mesh.nodes_per_element == 4
                        ? linear_elements(solid, x, rotations, terms)
                        : quadratic_elements(solid, x, rotations, terms);
    return energy < INFINITY ? energy + lithe_solid_add_fibres(solid, x, terms) : INFINITY;
}

// --- elements that are turned inside out ---------------------------------------------------------

static bool is_inverted(const LitheSolid *solid, int32_t element, const Vec3 *edge) {
    int32_t width = solid->mesh.nodes_per_element;
    if (width == 4) // det F times the volume at rest, which is positive
        return !(v3_dot(edge[1], v3_cross(edge[2], edge[3])) > 0);
    for (int32_t p = 0; p < solid->points; p++) {
        const Vec3 *g = solid->gradients + ((int64_t)element * solid->points + p) * width;
        if (!(m3_det(deformation(edge, g, width)) > 0))
            return true;
    }
    return false;
}

LitheInverted lithe_solid_inverted(const LitheModel *model, int32_t unit, const LitheState *state) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    const double *x = state->q + model->units[unit].q_at;
    int32_t width = solid->mesh.nodes_per_element;
    LitheInverted found = {
        .of = solid->mesh.element_count, .first = -1, .refused = solid->law->upright};
    Vec3 edge[MAX_NODES];
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const int32_t *node = solid->mesh.elements + (int64_t)e * width;
        edges_of(x, node, width, edge);
        if (!is_inverted(solid, e, edge) || found.count++ > 0)
            continue;
        found.first = e;
        for (int a = 0; a < 4; a++)
            found.place = v3_axpy(0.25, v3_load(x + 3 * (int64_t)node[a]), found.place);
    }
    return found;
}
