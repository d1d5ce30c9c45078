// SPDX-License-Identifier: Apache-2.0
// body/solid_scales.c - numbers that tell what to expect of a soft solid

#include "body/solid.h"

#include <math.h>

// largest angular velocity of the initial motion: that of the velocity gradient of an element
static double angular_velocity(const LitheSolid *solid) {
    int32_t width = solid->mesh.nodes_per_element;
    double max = 0;
    for (int32_t e = 0; e < solid->mesh.element_count; e++) {
        const Vec3 *g = solid->gradients + (int64_t)e * solid->points * width;
        Vec3 curl = v3(0, 0, 0);
        for (int32_t a = 0; a < width; a++)
            curl = v3_add(curl, v3_cross(g[a], solid->v0[solid->mesh.elements[e * width + a]]));
        max = fmax(max, 0.5 * v3_norm(curl));
    }
    return max;
}

// --- inertia -------------------------------------------------------------------------------------

// adds m (|x|^2 I - x x')
static void add_inertia(double m, Vec3 x, Mat3 *sum) {
    const double *c = &x.x;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            sum->m[a][b] += m * ((a == b ? v3_dot(x, x) : 0) - c[a] * c[b]);
}

// Inertia about `centre` of the elements with straight edges: in each, the integral of x x' is
// V/20 (sum of x_a x_a' + (sum of x_a)(sum of x_a)').
static Mat3 exact_inertia(const LitheSolid *solid, Vec3 centre) {
    const LitheTetMesh *mesh = &solid->mesh;
    Mat3 sum = m3_zero();
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        double m = solid->density * lithe_tet_mesh_element_volume(mesh, e) / 20;
        Vec3 all = v3(0, 0, 0);
        for (int a = 0; a < 4; a++) {
            Vec3 x = v3_sub(mesh->nodes[node[a]], centre);
            add_inertia(m, x, &sum);
            all = v3_add(all, x);
        }
        add_inertia(m, all, &sum);
    }
    return sum;
}

Vec3 lithe_solid_centre(const LitheSolid *solid) {
    Vec3 centre = v3(0, 0, 0);
    double mass = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        mass += solid->mass[i];
        centre = v3_axpy(solid->mass[i], solid->mesh.nodes[i], centre);
    }
    return v3_scale(1 / mass, centre);
}

// largest ratio of the inertia of lumped masses to the exact one, by power iteration
static double inertia_ratio(const LitheSolid *solid) {
    Vec3 centre = lithe_solid_centre(solid), n = v3_unit(v3(3, 4, 5));
    Mat3 lumped = m3_zero();
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        add_inertia(solid->mass[i], v3_sub(solid->mesh.nodes[i], centre), &lumped);
    Mat3 exact = exact_inertia(solid, centre);
    for (int k = 0; k < 200; k++)
        n = v3_unit(m3_solve(exact, m3_apply(lumped, n)));
    return v3_dot(n, m3_apply(lumped, n)) / v3_dot(n, m3_apply(exact, n));
}

LitheElasticScales lithe_solid_scales(const LitheModel *model, int32_t index) {
    const LitheSolid *solid = &model->solids[index];
    LitheElasticScales scales = {.spin = angular_velocity(solid), .inertia = inertia_ratio(solid)};
    lithe_solid_young(solid->law, &solid->material, &scales.young, &scales.poisson);
    return scales;
}
