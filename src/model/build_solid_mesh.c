// SPDX-License-Identifier: Apache-2.0
// model/build_solid_mesh.c - the tetrahedra of a soft solid: from its def, a file, a body or a
// surface

#include "model/build_solid.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/tet_check.h"
#include "geom/tet_fill.h"
#include "geom/tet_shape.h"
#include "scene/solid_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// a larger difference between the volumes of a surface and of its mesh is worth a warning
#define VOLUME_LOST 0.02
// and so is a larger distance between the surfaces of a body and of its mesh, over its radius
#define SHAPE_OFF 0.03
// above this it is reported: things touch that much earlier
#define SHAPE_NOTED 0.005

/// Mesh of the def, in the frame of the mesh; `def` is that of a solid whose file has been read.
typedef LitheStatus MakeFn(LitheContext *context, const LitheSolidDef *def, LitheTetMesh *mesh,
                           LitheError *error);

static LitheStatus make_box(LitheContext *context, const LitheSolidDef *def, LitheTetMesh *mesh,
                            LitheError *error) {
    const LitheVec3 n = def->mesh.divisions, size = def->mesh.size;
    int32_t divisions[3] = {(int32_t)n.x, (int32_t)n.y, (int32_t)n.z};
    double edge = lithe_solid_mesh_edge(def);
    if (def->mesh.resolution > 0) {
        divisions[0] = lithe_tet_divisions(size.x, edge, 1);
        divisions[1] = lithe_tet_divisions(size.y, edge, 1);
        divisions[2] = lithe_tet_divisions(size.z, edge, 1);
    }
    return lithe_tet_mesh_box(context, def->mesh.size, divisions, mesh, error);
}

static LitheStatus make_shape(LitheContext *context, const LitheSolidDef *def, LitheTetMesh *mesh,
                              LitheError *error) {
    const LitheSolidMeshDef *m = &def->mesh;
    LitheTetShape shape = {
        .kind = (LitheTetShapeKind)(m->kind - LITHE_SOLID_MESH_CYLINDER),
        .radius = m->radius,
        .inner = m->inner,
        .length = m->length,
        .edge = lithe_solid_mesh_edge(def),
        .stones = m->stones,
        .stone = m->stone,
        .span = m->span,
        .thickness = m->thickness,
        .angle = m->angle,
        .depth = m->depth,
        .folds = m->folds,
        .size = m->size,
        .chambers = m->chambers,
        .gap = m->gap,
        .channel = m->channel,
    };
    LitheTetShapeReport report;
    LitheStatus status =
        lithe_tet_shape_mesh(context, &shape, lithe_solid_is_quadratic(def), mesh, &report, error);
    if (status == LITHE_OK && report.deviation > SHAPE_OFF)
        lithe_log(context, LITHE_LOG_WARNING,
                  "solid '%s': its mesh has %.4g %% of the volume of the body, and its surface is "
                  "off by up to %.3g %% of the radius (small is below %g %%): use a smaller "
                  "resolution than %.3g m%s",
                  def->name, 100 * report.made / report.volume, 100 * report.deviation,
                  100 * SHAPE_OFF, m->resolution,
                  lithe_solid_is_quadratic(def) ? "" : ", or quadratic: true");
    else if (status == LITHE_OK && report.deviation > SHAPE_NOTED)
        lithe_log(context, LITHE_LOG_INFO,
                  "solid '%s': its mesh has %.4g %% of the volume of the body, and its surface is "
                  "off by up to %.2g %% of the radius: its nodes touch that much earlier%s",
                  def->name, 100 * report.made / report.volume, 100 * report.deviation,
                  lithe_solid_is_quadratic(def) ? "" : " (less with quadratic: true)");
    return status;
}
_Static_assert(LITHE_SOLID_MESH_FINGER - LITHE_SOLID_MESH_CYLINDER == (int)LITHE_TET_FINGER,
               "the kinds are in the same order");

// what was rounded, turned and lost
static void tell_surface(LitheContext *context, const LitheSolidDef *def,
                         const LitheTetFillReport *r) {
    double lost = 1 - r->made_volume / r->volume;
    if (r->turned)
        lithe_log(context, LITHE_LOG_INFO,
                  "solid '%s': its surface was inside out and was turned round", def->name);
    // edges that the mesh meets keep the volume up to rounding
    if (r->sharp_count > 0 && fabs(lost) > 1e-9)
        lithe_log(context, LITHE_LOG_INFO,
                  "solid '%s': %d sharp edges of its surface are rounded by up to half the "
                  "resolution of %.3g m; its volume changes by %.2g %%",
                  def->name, (int)r->sharp_count, def->mesh.resolution, -100 * lost);
    if (fabs(lost) > VOLUME_LOST)
        lithe_log(
            context, LITHE_LOG_WARNING,
            "solid '%s': its mesh has %.3g m^3, but its surface bounds %.3g m^3: parts thinner "
            "than the resolution of %.3g m are missing, or surfaces lie inside of each other",
            def->name, r->made_volume, r->volume, def->mesh.resolution);
}

static LitheStatus make_surface(LitheContext *context, const LitheSolidDef *def, LitheTetMesh *mesh,
                                LitheError *error) {
    const LitheSolidMeshDef *m = &def->mesh;
    LitheTetFillReport report = {0};
    LitheStatus status =
        lithe_tet_fill(context, m->nodes, m->node_count, m->elements, m->element_numbers / 3,
                       m->resolution, mesh, &report, error);
    if (status == LITHE_OK)
        tell_surface(context, def, &report);
    return status;
}

static LitheStatus make_tetrahedra(LitheContext *context, const LitheSolidDef *def,
                                   LitheTetMesh *mesh, LitheError *error) {
    const LitheSolidMeshDef *m = &def->mesh;
    LitheStatus status =
        lithe_tet_mesh_allocate(context, m->node_count, m->element_numbers / m->nodes_per_element,
                                m->nodes_per_element, mesh, error);
    if (status != LITHE_OK)
        return status;
    memcpy(mesh->nodes, m->nodes, (size_t)m->node_count * sizeof *mesh->nodes);
    memcpy(mesh->elements, m->elements, (size_t)m->element_numbers * sizeof *mesh->elements);
    bool *member = lithe_alloc_array(context, m->node_count, sizeof *member);
    if (!member)
        status = lithe_fail_memory(error, "the groups of a mesh");
    for (int32_t g = 0, at = 0; g < m->group_count && status == LITHE_OK; g++) {
        memset(member, 0, (size_t)m->node_count * sizeof *member);
        for (int32_t i = 0; i < m->group_sizes[g]; i++)
            member[m->group_nodes[at++]] = true;
        status = lithe_tet_mesh_add_set(context, mesh, m->groups[g], member, error);
    }
    lithe_free(context, member);
    return status;
}

static MakeFn *const makers[LITHE_SOLID_MESH_KINDS] = {
    [LITHE_SOLID_MESH_BOX] = make_box,
    [LITHE_SOLID_MESH_CYLINDER] = make_shape,
    [LITHE_SOLID_MESH_TUBE] = make_shape,
    [LITHE_SOLID_MESH_SPHERE] = make_shape,
    [LITHE_SOLID_MESH_HALF_SPHERE] = make_shape,
    [LITHE_SOLID_MESH_HOLLOW_SPHERE] = make_shape,
    [LITHE_SOLID_MESH_ARCH] = make_shape,
    [LITHE_SOLID_MESH_BELLOWS] = make_shape,
    [LITHE_SOLID_MESH_FINGER] = make_shape,
    [LITHE_SOLID_MESH_SURFACE] = make_surface,
    [LITHE_SOLID_MESH_TETRAHEDRA] = make_tetrahedra,
};

/// Checks a mesh that is not our own, and tells what is unusual about it. With `cracks` nodes may
/// be at the same place.
static LitheStatus check_mesh(LitheContext *context, const LitheSolidDef *def, bool cracks,
                              LitheTetMesh *mesh, LitheError *error) {
    LitheTetReport report;
    char notes[LITHE_TET_NOTES][LITHE_TET_NOTE];
    LitheStatus status = lithe_tet_mesh_check(context, mesh, &report, error);
    if (status != LITHE_OK)
        return status;
    if (report.duplicate_count > 0 && !cracks) {
        Vec3 x = mesh->nodes[report.duplicate[0]];
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "tetrahedral mesh: %d pairs of nodes are at the same place, the first are "
            "the nodes %d and %d at (%g, %g, %g) m: the body is not connected there; "
            "merge them, or write allow-unusual: true where it is cracked",
            report.duplicate_count, report.duplicate[0], report.duplicate[1], x.x, x.y, x.z);
    }
    int32_t count = lithe_tet_report_notes(mesh, &report, notes);
    for (int32_t i = 0; i < count; i++)
        lithe_log(context, LITHE_LOG_WARNING, "solid '%s': its mesh: %s", def->name, notes[i]);
    if (report.unused_count > 0)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "tetrahedral mesh: %d nodes belong to no element, the first is node %d: "
                          "they would have no mass",
                          report.unused_count, report.unused);
    return LITHE_OK;
}

/// Flat or pointed elements of a mesh of our own: those of boxes and bodies with unequal sizes.
static void tell_angles(LitheContext *context, const LitheSolidDef *def, const LitheTetMesh *mesh) {
    LitheTetReport report = {0};
    char notes[LITHE_TET_NOTES][LITHE_TET_NOTE];
    lithe_tet_mesh_angles(mesh, &report);
    if (lithe_tet_angle_note(mesh, &report, notes))
        lithe_log(context, LITHE_LOG_WARNING, "solid '%s': its mesh: %s", def->name, notes[0]);
}

static LitheStatus make_and_check(LitheContext *context, const LitheSolidDef *def, bool cracks,
                                  LitheTetMesh *mesh, LitheError *error) {
    LitheStatus status = makers[def->mesh.kind](context, def, mesh, error);
    bool foreign =
        def->mesh.kind == LITHE_SOLID_MESH_TETRAHEDRA || def->mesh.kind == LITHE_SOLID_MESH_SURFACE;
    if (status == LITHE_OK && foreign)
        status = check_mesh(context, def, cracks, mesh, error);
    else if (status == LITHE_OK)
        tell_angles(context, def, mesh);
    if (status != LITHE_OK || !lithe_solid_is_quadratic(def) || mesh->nodes_per_element == 10)
        return status;
    LitheTetMesh fine = {0};
    status = lithe_tet_mesh_to_quadratic(context, mesh, &fine, error);
    if (status != LITHE_OK)
        return status;
    lithe_tet_mesh_destroy(context, mesh);
    *mesh = fine;
    return LITHE_OK;
}

LitheStatus lithe_build_solid_mesh(const LitheScene *scene, const LitheSolidDef *def,
                                   LitheSolid *solid, LitheError *error) {
    LitheContext *context = scene->context;
    LitheTetMesh *mesh = &solid->mesh;
    LitheSolidDef own = *def;
    LitheSolidMeshDef read = {0};
    LitheError reason = {0};
    LitheStatus status = LITHE_OK;
    char path[256];
    if (def->mesh.path) {
        status = lithe_solid_mesh_read(context, &def->mesh, &read, &reason);
        own.mesh = read;
    }
    if (status == LITHE_OK)
        status = make_and_check(context, &own, scene->allow_unusual, mesh, &reason);
    if (status == LITHE_OK && def->fine)
        status = lithe_build_fine(context, def->name, &own.mesh, mesh, &solid->fine, &reason);
    solid->fine.touches = def->fine_contact;
    solid->skin.middles = def->face_contact;
    lithe_release_solid_mesh(context, &read);
    if (status == LITHE_OK)
        return LITHE_OK;
    lithe_tet_mesh_destroy(context, mesh);
    if (status != LITHE_BAD_INPUT) {
        if (error)
            *error = reason;
        return status;
    }
    snprintf(path, sizeof path, "solids.%s.mesh", def->name);
    return lithe_scene_fail(scene, error, path, "solid '%s': %s", def->name, reason.text);
}
