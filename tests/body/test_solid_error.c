// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_error.c - the estimate of the error that a mesh makes, against the true one
//
// Nodes are placed by a displacement in closed form, so that the strains of the elements and the
// error of each are known: no equilibrium is needed.

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"

#include <string.h>

typedef Vec3 FieldFn(Vec3 X);

enum { MOST = 40000 };
static double parts[MOST];

static double estimate(const World *w) {
    double sum = 0;
    lithe_solid_mesh_error(w->model, w->state, (LitheSolidId){1}, parts);
    for (int32_t e = 0; e < w->model->solids[0].mesh.element_count; e++)
        sum += parts[e];
    return sum;
}

static World block(int32_t cells, bool quadratic, const char *more) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
                    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                    "solids: {it: {material: m, quadratic: %s, mesh: {box: {size: [1, 1, 1], "
                    "divisions: [%d, %d, %d]}}%s}}\n",
                    quadratic ? "true" : "false", cells, cells, cells, more);
}

static void place(World *w, FieldFn *field) {
    const LitheSolid *solid = &w->model->solids[0];
    double *x = w->state->q + w->model->units[solid->unit].q_at;
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        v3_store(v3_add(solid->mesh.nodes[i], field(solid->mesh.nodes[i])), x + 3 * (int64_t)i);
}

// gradients of the fields by central differences: exact for polynomials of this degree
static Mat3 gradient(FieldFn *field, Vec3 X) {
    const double h = 1e-3;
    Vec3 d[3], e[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
    for (int k = 0; k < 3; k++)
        d[k] = v3_scale(1 / (2 * h), v3_sub(field(v3_add(X, e[k])), field(v3_sub(X, e[k]))));
    return m3_columns(d[0], d[1], d[2]);
}

static double density(const LitheSolid *solid, Mat3 g) {
    double mu = solid->shear, lambda = solid->modulus - 2 * mu, sum = 0;
    double trace = g.m[0][0] + g.m[1][1] + g.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double e = 0.5 * (g.m[i][j] + g.m[j][i]);
            sum += mu * e * e;
        }
    return sum + 0.5 * lambda * trace * trace;
}

static Vec3 point_at(const LitheSolid *solid, int32_t element, const double L[4]) {
    const int32_t *node = solid->mesh.elements + (int64_t)element * solid->mesh.nodes_per_element;
    Vec3 X = v3(0, 0, 0);
    for (int a = 0; a < 4; a++)
        X = v3_axpy(L[a], solid->mesh.nodes[node[a]], X);
    return X;
}

// gradient of the displacement in an element: linear through its points
static Mat3 gradient_in(const LitheSolid *solid, int32_t element, const double *x,
                        const double L[4]) {
    const double near = 0.58541019662496845446, far = 0.13819660112501051518;
    Mat3 sum = m3_zero(), out = m3_zero(), F[4];
    for (int p = 0; p < solid->points; p++) {
        F[p] = m3_sub(lithe_solid_gradient(solid, element, p, x), m3_identity());
        sum = m3_add(sum, F[p]);
    }
    if (solid->points == 1)
        return F[0];
    for (int p = 0; p < 4; p++)
        out = m3_add(out, m3_scale(L[p] / (near - far), m3_sub(F[p], m3_scale(far, sum))));
    return out;
}

/// The true share (S74), with a quadrature of 35 points.
static double true_share(World *w, FieldFn *field) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = w->state->q + w->model->units[solid->unit].q_at;
    double error = 0, energy = 0;
    for (int32_t e = 0; e < solid->mesh.element_count; e++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; i + j < 5; j++)
                for (int k = 0; i + j + k < 5; k++) {
                    double L[4] = {(i + 0.25) / 5, (j + 0.25) / 5, (k + 0.25) / 5};
                    L[3] = 1 - L[0] - L[1] - L[2];
                    Mat3 own = gradient_in(solid, e, x, L);
                    Mat3 exact = gradient(field, point_at(solid, e, L));
                    error += density(solid, m3_sub(own, exact));
                    energy += density(solid, own);
                }
    return error / (error + energy);
}

// small strains: bending, and torsion that grows along z
static Vec3 bend(Vec3 X) {
    return v3_scale(1e-5, v3(X.x * X.y, -0.5 * X.x * X.x, 0));
}

static Vec3 twist(Vec3 X) {
    return v3_scale(1e-5, v3(-X.y * X.z * X.z, X.x * X.z * X.z, X.x * X.y * X.z));
}

// error over energy
static double ratio(double share) {
    return share / (1 - share);
}

static void follows(FieldFn *field, bool quadratic, double order, double within) {
    double estimates[2], truths[2];
    for (int k = 0; k < 2; k++) {
        World w = block(4 << k, quadratic, "");
        CHECK(w.ok);
        if (!w.ok)
            return;
        place(&w, field);
        estimates[k] = estimate(&w);
        truths[k] = true_share(&w, field);
        world_end(&w);
    }
    CHECK_NEAR(estimates[1] / truths[1], 1, within);
    CHECK_NEAR(log2(ratio(estimates[0]) / ratio(estimates[1])), order, 0.25);
    CHECK_NEAR(log2(ratio(truths[0]) / ratio(truths[1])), order, 0.25);
}

// shares are squares of errors: of the second order with four nodes, of the fourth with ten
TEST(the_estimate_has_the_order_and_the_size_of_the_error_of_linear_elements) {
    follows(bend, false, 2, 0.15);
    follows(twist, false, 2, 0.2);
}

TEST(the_estimate_has_the_order_and_the_size_of_the_error_of_quadratic_elements) {
    follows(twist, true, 4, 0.3);
}

static Vec3 stretch(Vec3 X) {
    return v3(0.1 * X.x + 0.02 * X.y, -0.03 * X.y, 0.01 * X.x + 0.05 * X.z);
}

TEST(a_uniform_strain_has_no_error) {
    static const char *const more[] = {"", ", volume: mean", ", law: neo-hookean",
                                       ", law: mooney-rivlin-isochoric, volume: mean"};
    for (int k = 0; k < 8; k++) {
        World w = block(2, k % 2 != 0, more[k / 2]);
        CHECK(w.ok);
        if (!w.ok)
            return;
        place(&w, stretch);
        CHECK_NEAR(estimate(&w), 0, 1e-9);
        world_end(&w);
    }
}

static Vec3 nowhere(Vec3 X) {
    (void)X;
    return v3(0.3, 0, -1);
}

static Vec3 turned(Vec3 X) {
    return v3_sub(q4_rotate(q4_exp(v3(1, -0.3, 0.4)), v3_add(X, bend(X))), X);
}

TEST(a_solid_without_strain_has_no_estimate) {
    World w = block(2, false, "");
    CHECK(w.ok);
    if (w.ok) {
        CHECK(w.model->solids[0].mesh.element_count == 40);
        place(&w, nowhere);
        CHECK(isnan(estimate(&w)));
        CHECK(isnan(parts[0]) && isnan(parts[39]));
    }
    world_end(&w);
}

TEST(the_estimate_does_not_change_with_a_rotation) {
    World w = block(2, false, "");
    CHECK(w.ok);
    if (w.ok) {
        place(&w, bend);
        double share = estimate(&w);
        CHECK(share > 0.1 && share < 0.5);
        place(&w, turned);
        CHECK_NEAR(estimate(&w), share, 1e-6 * share);
    }
    world_end(&w);
}
