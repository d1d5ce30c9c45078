// SPDX-License-Identifier: Apache-2.0
// model/build_solid_field.c - the pressure field of a soft solid
//
// Every node has the pressure of its depth at rest,
//     (PF20)  p_i = E d_i/d,  d_i its distance to the surface at rest,  d the largest of them
// which is linear on each tetrahedron and moves with the nodes. Quadratic elements count as eight
// tetrahedra. Tetrahedra with all corners on the surface have no pressure and are left out.
// docs/theory/patches.md.

#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh.h"
#include "model/compile.h"

#include <math.h>

// a largest depth below this fraction of the size is rounding
#define ON_SURFACE 1e-9

// corners and midpoints of a quadratic element that make its eight tetrahedra: at the corners, and
// four around the diagonal from the middle of 01 to the middle of 23
static const int32_t parts[8][4] = {{0, 4, 6, 7}, {1, 5, 4, 8}, {2, 6, 5, 9}, {3, 7, 8, 9},
                                    {4, 9, 7, 8}, {4, 9, 8, 5}, {4, 9, 5, 6}, {4, 9, 6, 7}};
static const int32_t whole[1][4] = {{0, 1, 2, 3}};

// depths of all nodes, in `depths`; the largest
static double measure(const LitheSolid *solid, const LitheMesh *mesh, double *depths) {
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        LitheMeshPoint near;
        bool found = lithe_mesh_nearest(mesh, solid->mesh.nodes[i], INFINITY, &near);
        depths[i] = found ? near.distance : 0;
    }
    // rounding: nodes of the surface are on it
    for (int32_t i = 0; i < solid->skin.used_count; i++)
        depths[solid->skin.used[i]] = 0;
    double inside = 0;
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        inside = fmax(inside, depths[i]);
    return inside > ON_SURFACE * v3_norm(solid->extent) ? inside : 0;
}

static void list_tets(LitheSolid *solid) {
    const LitheTetMesh *mesh = &solid->mesh;
    LitheTetField *field = &solid->field;
    int32_t width = mesh->nodes_per_element, count = width == 10 ? 8 : 1;
    const int32_t(*split)[4] = width == 10 ? parts : whole;
    for (int32_t e = 0; e < mesh->element_count; e++)
        for (int32_t i = 0; i < count; i++) {
            int32_t *tet = field->tets + 4 * (int64_t)field->tet_count;
            bool pressed = false;
            for (int k = 0; k < 4; k++) {
                tet[k] = mesh->elements[(int64_t)e * width + split[i][k]];
                pressed |= field->pressures[tet[k]] > 0;
            }
            field->tet_count += pressed;
        }
}

LitheStatus lithe_build_solid_field(LitheContext *context, LitheSolid *solid, const char **why,
                                    LitheError *error) {
    LitheTetField *field = &solid->field;
    int64_t tets =
        (int64_t)solid->mesh.element_count * (solid->mesh.nodes_per_element == 10 ? 8 : 1);
    *why = NULL;
    if (solid->fine.touches)
        *why = "touches with a finer surface than that of its tetrahedra, which has no pressure "
               "field";
    else if (tets >= LITHE_SITE_ELEMENTS)
        *why = "has too many tetrahedra for a pressure field";
    if (*why)
        return LITHE_OK;
    LitheMesh *mesh = lithe_surface_mesh(context, &solid->skin);
    if (!mesh) {
        *why = "has a surface without a distance, so that it has no pressure field";
        return LITHE_OK;
    }
    field->pressures = lithe_alloc_array(context, solid->mesh.node_count, sizeof *field->pressures);
    field->tets = lithe_alloc_array(context, 4 * tets, sizeof *field->tets);
    bool fine = field->pressures && field->tets;
    if (fine)
        field->depth = measure(solid, mesh, field->pressures);
    lithe_mesh_destroy(context, mesh);
    if (!fine)
        return lithe_fail_memory(error, "the field of a solid");
    if (!(field->depth > 0)) {
        *why = "has no node inside of its surface: its pressure field is zero";
        return LITHE_OK;
    }
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        field->pressures[i] *= solid->touch.patch_modulus / field->depth;
    list_tets(solid);
    return LITHE_OK;
}
