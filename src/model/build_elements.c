// SPDX-License-Identifier: Apache-2.0
// model/build_elements.c - elements of soft solids: gradients of shape functions, volumes, masses
//
// With barycentric coordinates L0 .. L3 of an element (docs/theory/solids.md):
//     (S1)  four nodes: N_a = L_a;  ten nodes: N_a = L_a (2 L_a - 1), N_ab = 4 L_a L_b
//     (S2)  J = sum_a x_a (dN_a/dxi)',   grad N_a = J'^-1 dN_a/dxi,   dV = w det J/6
//     (S3)  consistent mass, of an element with straight edges: integral of rho N_a N_b
//     (S4)  lumped mass: the diagonal of (S3), scaled to the mass of the element
// Quadrature: the centre with four nodes, four points with ten.

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "math/mat3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// barycentric coordinates of the four points: (5 + 3 sqrt 5)/20 once, (5 - sqrt 5)/20 three times
#define NEAR 0.58541019662496845446
#define FAR 0.13819660112501051518

// derivatives of N_a by L1, L2, L3, with L0 = 1 - L1 - L2 - L3 (S1)
static void slopes(int32_t width, const double L[4], double d[10][3]) {
    static const double corner[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int a = 0; a < 4; a++)
        for (int k = 0; k < 3; k++)
            d[a][k] = corner[a][k] * (width == 10 ? 4 * L[a] - 1 : 1);
    for (int e = 0; width == 10 && e < 6; e++) {
        int a = lithe_tet_edges[e][0], b = lithe_tet_edges[e][1];
        for (int k = 0; k < 3; k++)
            d[4 + e][k] = 4 * (L[a] * corner[b][k] + L[b] * corner[a][k]);
    }
}

// (S2) at one point; the weight of the quadrature
static double at_point(const LitheTetMesh *mesh, int32_t element, const double L[4], double w,
                       Vec3 *gradients) {
    int32_t width = mesh->nodes_per_element;
    const int32_t *node = mesh->elements + (int64_t)element * width;
    double d[10][3];
    Mat3 J = m3_zero();
    slopes(width, L, d);
    for (int32_t a = 0; a < width; a++)
        J = m3_add(J, m3_outer(mesh->nodes[node[a]], v3_load(d[a])));
    Mat3 transposed = m3_transpose(J);
    for (int32_t a = 0; a < width; a++)
        gradients[a] = m3_solve(transposed, v3_load(d[a]));
    return w * m3_det(J) / 6;
}

// barycentric coordinates of a quadrature point
static void point_coordinates(int32_t points, int32_t point, double L[4]) {
    for (int k = 0; k < 4; k++)
        L[k] = points == 1 ? 0.25 : k == point ? NEAR : FAR;
}

Vec3 lithe_element_point(const LitheTetMesh *mesh, int32_t element, int32_t points, int32_t point) {
    const int32_t *node = mesh->elements + (int64_t)element * mesh->nodes_per_element;
    bool ten = mesh->nodes_per_element == 10;
    double L[4];
    Vec3 x = v3(0, 0, 0);
    point_coordinates(points, point, L);
    for (int a = 0; a < 4; a++) // (S1)
        x = v3_axpy(L[a] * (ten ? 2 * L[a] - 1 : 1), mesh->nodes[node[a]], x);
    for (int e = 0; ten && e < 6; e++)
        x = v3_axpy(4 * L[lithe_tet_edges[e][0]] * L[lithe_tet_edges[e][1]],
                    mesh->nodes[node[4 + e]], x);
    return x;
}

static LitheStatus fail_element(const LitheScene *scene, const LitheSolidDef *def,
                                const LitheSolid *solid, int32_t element, double volume,
                                LitheError *error) {
    const int32_t *node = solid->mesh.elements + (int64_t)element * solid->mesh.nodes_per_element;
    Vec3 x = solid->mesh.nodes[node[0]];
    char path[256];
    snprintf(path, sizeof path, "solids.%s.mesh", def->name);
    if (!isfinite(volume))
        return lithe_scene_fail(scene, error, path,
                                "solid '%s': element %d, with a corner at [%.6g, %.6g, %.6g] m, "
                                "has a volume that is not finite: its size is out of range",
                                def->name, element, x.x, x.y, x.z);
    return lithe_scene_fail(scene, error, path,
                            "solid '%s': element %d, with a corner at [%.6g, %.6g, %.6g] m, has a "
                            "volume of %.3g m^3, must be > 0: it is flat or turned inside out%s",
                            def->name, element, x.x, x.y, x.z, volume,
                            solid->mesh.nodes_per_element > 4
                                ? ", or its curved sides cross (a smaller resolution may help)"
                                : "");
}

// --- masses --------------------------------------------------------------------------------------

// (S4) part of a node in the mass of an element
static double part_of(int32_t width, int a) {
    double sum = 0;
    for (int32_t k = 0; k < width; k++)
        sum += lithe_solid_overlap(width, k, k);
    return lithe_solid_overlap(width, a, a) / sum;
}

// the element's part of the consistent mass: (S3), or (S4) without riders
static void add_values(LitheSolid *solid, int32_t element, double mass, bool lumped) {
    int32_t width = solid->mesh.nodes_per_element;
    const int32_t *node = solid->mesh.elements + (int64_t)element * width;
    const int32_t *entry = solid->entries + (int64_t)element * lithe_solid_pairs(solid);
    for (int32_t a = 0; a < width; a++)
        for (int32_t b = 0; b <= a; b++, entry++) {
            double part = lithe_solid_overlap(width, a, b);
            if (lumped)
                part = a == b && solid->rider_of[node[a]] < 0 ? part_of(width, a) : 0;
            for (int c = 0; c < 3; c++)
                solid->mass_values[solid->pattern->value_at[*entry] + 4 * c] += mass * part;
        }
}

static void add_mass(LitheSolid *solid, int32_t element, double mass) {
    int32_t width = solid->mesh.nodes_per_element;
    const int32_t *node = solid->mesh.elements + (int64_t)element * width;
    for (int32_t a = 0; a < width; a++)
        solid->mass[node[a]] += mass * part_of(width, a); // (S4)
    if (solid->mass_values)
        add_values(solid, element, mass, false);
}

void lithe_lump_welded(LitheSolid *solid) {
    const LitheTetMesh *mesh = &solid->mesh;
    lithe_block_clear(solid->pattern);
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        double volume = 0;
        bool rides = false;
        for (int32_t p = 0; p < solid->points; p++)
            volume += solid->volumes[(int64_t)e * solid->points + p];
        for (int32_t a = 0; a < mesh->nodes_per_element; a++)
            rides = rides || solid->rider_of[node[a]] >= 0;
        add_values(solid, e, solid->density * volume, rides);
    }
}

LitheStatus lithe_build_elements(const LitheScene *scene, const LitheSolidDef *def,
                                 LitheSolid *solid, LitheError *error) {
    const LitheTetMesh *mesh = &solid->mesh;
    int32_t width = mesh->nodes_per_element;
    int64_t count = (int64_t)mesh->element_count * solid->points;
    solid->gradients = lithe_alloc_array(scene->context, count * width, sizeof *solid->gradients);
    solid->volumes = lithe_alloc_array(scene->context, count, sizeof *solid->volumes);
    solid->mass = lithe_alloc_array(scene->context, mesh->node_count, sizeof *solid->mass);
    if (!solid->gradients || !solid->volumes || !solid->mass)
        return lithe_fail_memory(error, "the elements of a solid");
    if (def->mass == LITHE_SOLID_CONSISTENT)
        solid->mass_values = solid->pattern->value;
    lithe_block_trim(solid->pattern, solid->mass_values != NULL);
    return lithe_fill_elements(scene, def, solid, error);
}

LitheStatus lithe_fill_elements(const LitheScene *scene, const LitheSolidDef *def,
                                LitheSolid *solid, LitheError *error) {
    const LitheTetMesh *mesh = &solid->mesh;
    int32_t width = mesh->nodes_per_element;
    memset(solid->mass, 0, (size_t)mesh->node_count * sizeof *solid->mass);
    if (solid->mass_values)
        lithe_block_clear(solid->pattern);
    lithe_patch_volumes(solid);
    for (int32_t e = 0; e < mesh->element_count; e++) {
        double volume = 0;
        for (int32_t p = 0; p < solid->points; p++) {
            int64_t at = (int64_t)e * solid->points + p;
            double L[4];
            point_coordinates(solid->points, p, L);
            solid->volumes[at] =
                at_point(mesh, e, L, 1.0 / solid->points, solid->gradients + at * width);
            if (!(solid->volumes[at] > 0))
                return fail_element(scene, def, solid, e, solid->volumes[at] * solid->points,
                                    error);
            volume += solid->volumes[at];
        }
        add_mass(solid, e, solid->density * volume);
    }
    return LITHE_OK;
}
