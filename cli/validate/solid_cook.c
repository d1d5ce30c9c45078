// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_cook.c - Cook's membrane: a tapered panel, clamped at the left, sheared at the
// right, plane strain
//
// Corners (0, 0), (48, 44), (48, 60), (0, 44), E = 1, Poisson's ratio 1/3, total load 1 along y per
// thickness 1. The reference is linear, computed separately with biquadratic elements, 64 x 64.
// Here the unit of length is 1 mm, E = 1 MPa, and the load 1e-4 of that of the reference; the
// deflection is divided by both.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "geom/tet_mesh.h"

#include <stdio.h>
#include <string.h>

#define LOAD 1e-4
#define MM 1e-3 // [m]
#define YOUNG 1e6

// the box [-0.5, 0.5]^2 in x and y becomes the panel
static void map_nodes(LitheTetMesh *mesh) {
    for (int32_t i = 0; i < mesh->node_count; i++) {
        double s = mesh->nodes[i].x + 0.5, t = mesh->nodes[i].y + 0.5;
        mesh->nodes[i].x = 48 * MM * s;
        mesh->nodes[i].y = (44 * s + t * (44 - 28 * s)) * MM;
    }
}

static bool hold(LitheStand *stand, LitheSolidId solid, const char *group, uint32_t bits) {
    LitheHoldDef def = lithe_hold_def_default();
    def.name = group;
    def.place = (LithePlace){.thing = lithe_thing_solid(solid), .kind = LITHE_PLACE_GROUP};
    snprintf(def.place.group, sizeof def.place.group, "%s", group);
    def.bits = bits;
    return lithe_scene_add_hold(stand->scene, &def);
}

// the sets of the mesh become groups of the def
static bool add_panel(LitheTrial *trial, LitheStand *stand, const LitheTetMesh *mesh) {
    const char *names[8];
    int32_t sizes[8], count = 0;
    int32_t *members =
        lithe_alloc_array(trial->context, 6 * (int64_t)mesh->node_count, sizeof *members);
    if (!members)
        return lithe_fail_memory(&trial->error, "a mesh") == LITHE_OK;
    for (int32_t k = 0; k < mesh->set_count; k++) {
        names[k] = mesh->sets[k].name;
        sizes[k] = mesh->sets[k].count;
        memcpy(members + count, mesh->sets[k].nodes, (size_t)sizes[k] * sizeof *members);
        count += sizes[k];
    }
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "rubber";
    material.young = YOUNG;
    material.poisson = 1.0 / 3;
    LitheSolidDef def = lithe_solid_def_default();
    def.name = "panel";
    def.law = LITHE_SOLID_COROTATED;
    def.material = lithe_scene_add_material(stand->scene, &material);
    def.mesh = (LitheSolidMeshDef){.kind = LITHE_SOLID_MESH_TETRAHEDRA,
                                   .nodes = mesh->nodes,
                                   .node_count = mesh->node_count,
                                   .elements = mesh->elements,
                                   .element_numbers = 4 * mesh->element_count,
                                   .nodes_per_element = 4,
                                   .groups = names,
                                   .group_sizes = sizes,
                                   .group_nodes = members,
                                   .group_count = mesh->set_count,
                                   .group_size_count = mesh->set_count,
                                   .group_node_count = count};
    LitheSolidId solid = lithe_scene_add_solid(stand->scene, &def);
    bool ok = solid.number > 0 && hold(stand, solid, "x-min", LITHE_HOLD_POSITION) &&
              hold(stand, solid, "z-min", LITHE_HOLD_Z) &&
              hold(stand, solid, "z-max", LITHE_HOLD_Z);
    lithe_free(trial->context, members);
    return ok || lithe_fail_memory(&trial->error, "a scene") == LITHE_OK;
}

// a uniform traction on the right edge: nodes at its ends take half
static void push(LitheStand *stand, int32_t cells, double thickness) {
    const LitheSolid *solid = &stand->model->solids[0];
    double *f = lithe_solid_force_writable(stand->model, stand->state, (LitheSolidId){1});
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        LitheVec3 x = solid->mesh.nodes[i];
        bool end = x.y < (44 + 1e-6) * MM || x.y > (60 - 1e-6) * MM;
        if (x.x > (48 - 1e-6) * MM)
            f[3 * (int64_t)i + 1] = 0.5 * LOAD * MM * YOUNG * thickness / cells * (end ? 0.5 : 1);
    }
}

static bool bend(LitheTrial *trial, int32_t cells, double *corner) {
    double thickness = 48 * MM / cells;
    LitheTetMesh mesh = {0};
    LitheStand stand = {0};
    bool ok = lithe_tet_mesh_box(trial->context, (LitheVec3){1, 1, thickness},
                                 (int32_t[3]){cells, cells, 1}, &mesh, &trial->error) == LITHE_OK;
    if (ok)
        map_nodes(&mesh);
    ok = ok && lithe_stand_begin(trial, &stand, NULL) && add_panel(trial, &stand, &mesh) &&
         lithe_stand_compile(trial, &stand);
    if (ok) {
        push(&stand, cells, thickness);
        ok = lithe_stand_step(trial, &stand);
    }
    if (ok) {
        const double *x = lithe_solid_position(stand.model, stand.state, (LitheSolidId){1});
        *corner = 0;
        for (int32_t i = 0; i < mesh.node_count; i++)
            if (mesh.nodes[i].x > (48 - 1e-6) * MM && mesh.nodes[i].y > (60 - 1e-6) * MM)
                *corner += 0.5 * (x[3 * (int64_t)i + 1] - mesh.nodes[i].y) / (LOAD * MM);
    }
    lithe_stand_end(&stand);
    lithe_tet_mesh_destroy(trial->context, &mesh);
    return ok;
}

bool lithe_case_cook_membrane(LitheTrial *trial) {
    // cells of 1 along x are those of the reference; linear elements converge from below
    double coarse, fine, exact = 22.58397;
    if (!bend(trial, 24, &coarse) || !bend(trial, 48, &fine))
        return false;
    LitheFinding f = {.measured = fine,
                      .coarse = coarse,
                      .reference = exact,
                      .tolerance = 0.05,
                      .kind = LITHE_ERROR_RELATIVE};
    return lithe_trial_add(trial, f, "deflection_of_the_corner") &&
           lithe_trial_add(trial, at_most(fine, exact), "the_same_from_below");
}
