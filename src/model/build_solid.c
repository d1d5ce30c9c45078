// SPDX-License-Identifier: Apache-2.0
// model/build_solid.c - soft solids: mesh, law, contact, holds and loads; their first state

#include "model/build_solid.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "math/quat.h"
#include "sparse/dissect.h"

#include <math.h>
#include <stdio.h>

// --- mesh ----------------------------------------------------------------------------------------

static void place_mesh(const LitheSolidDef *def, LitheTetMesh *mesh) {
    for (int32_t i = 0; i < mesh->node_count; i++)
        mesh->nodes[i] = v3_add(def->at, q4_rotate(def->rotation, mesh->nodes[i]));
}

// extents along the axes of the mesh, before it is placed
static Vec3 extent_of(const LitheTetMesh *mesh) {
    Vec3 low = mesh->nodes[0], high = low;
    for (int32_t i = 1; i < mesh->node_count; i++) {
        low = v3_min(low, mesh->nodes[i]);
        high = v3_max(high, mesh->nodes[i]);
    }
    return v3_sub(high, low);
}

static void measure_mesh(LitheSolid *solid) {
    const LitheTetMesh *mesh = &solid->mesh;
    solid->edge = INFINITY;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        for (int k = 0; k < 6; k++)
            solid->edge = fmin(solid->edge, v3_distance(mesh->nodes[node[lithe_tet_edges[k][0]]],
                                                        mesh->nodes[node[lithe_tet_edges[k][1]]]));
    }
    for (int64_t k = 0; k < (int64_t)mesh->element_count * solid->points; k++)
        solid->volume += solid->volumes[k];
}

// --- matrix --------------------------------------------------------------------------------------

static LitheStatus make_pattern(LitheContext *context, LitheSolid *solid, LitheError *error) {
    const LitheTetMesh *mesh = &solid->mesh;
    int32_t width = mesh->nodes_per_element, each = lithe_solid_pairs(solid);
    int64_t count = (int64_t)mesh->element_count * each, at = 0, more = lithe_patch_pairs(solid);
    LitheBlockPair *pairs = lithe_alloc_array(context, count + more, sizeof *pairs);
    int32_t *sizes = lithe_alloc_array(context, mesh->node_count, sizeof *sizes);
    solid->entries = lithe_alloc_array(context, count, sizeof *solid->entries);
    solid->order = lithe_alloc_array(context, mesh->node_count, sizeof *solid->order);
    solid->pattern = lithe_block_matrix_create(context);
    bool ok = pairs && sizes && solid->entries && solid->order && solid->pattern;
    for (int32_t i = 0; ok && i < mesh->node_count; i++)
        sizes[i] = 3;
    for (int32_t e = 0; ok && e < mesh->element_count; e++)
        for (int32_t a = 0; a < width; a++)
            for (int32_t b = 0; b <= a; b++)
                pairs[at++] = (LitheBlockPair){mesh->elements[(int64_t)e * width + a],
                                               mesh->elements[(int64_t)e * width + b]};
    if (ok)
        lithe_patch_add_pairs(solid, pairs + count);
    ok = ok &&
         lithe_block_matrix_build(solid->pattern, mesh->node_count, sizes, pairs, count + more) &&
         lithe_block_dissect(context, solid->pattern, solid->order);
    for (int64_t k = 0; ok && k < count; k++) {
        int32_t row = pairs[k].a > pairs[k].b ? pairs[k].a : pairs[k].b;
        solid->entries[k] = lithe_block_find(solid->pattern, row, pairs[k].a + pairs[k].b - row);
    }
    lithe_free(context, pairs);
    lithe_free(context, sizes);
    if (!ok)
        return lithe_fail_memory(error, "the matrix of a solid");
    lithe_patch_find_entries(solid);
    return lithe_pressures_find_entries(context, solid, error);
}

// --- law and motion ------------------------------------------------------------------------------

// in the order of LitheSolidLawKind
static const char *const law_names[LITHE_SOLID_LAW_KINDS] = {
    "corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin", "mooney-rivlin-isochoric"};

static LitheStatus set_law(const LitheScene *scene, const LitheSolidDef *def, LitheSolid *solid,
                           LitheError *error) {
    const LitheMaterialDef *material = &scene->materials[def->material.number - 1];
    char path[256];
    int32_t law = lithe_solid_law_find(law_names[def->law]);
    LITHE_ASSERT(law >= 0);
    solid->law = lithe_solid_laws[law];
    solid->material = lithe_solid_material(solid->law, material->young, material->poisson);
    if (def->bulk > 0)
        solid->material = (LitheSolidMaterial){.c1 = def->c1, .c2 = def->c2, .bulk = def->bulk};
    double lambda;
    solid->law->moduli(&solid->material, &solid->shear, &lambda);
    solid->modulus = lambda + 2 * solid->shear;
    // constants that make the solid unstable at rest
    snprintf(path, sizeof path, "solids.%s.bulk", def->name);
    if (!(solid->shear > 0) || !(3 * lambda + 2 * solid->shear > 0))
        return lithe_scene_fail(scene, error, path,
                                "solid '%s': its law has a shear modulus of %.9g Pa and a bulk "
                                "modulus of %.9g Pa at rest, both must be > 0",
                                def->name, solid->shear, lambda + 2 * solid->shear / 3);
    solid->density = material->density;
    solid->damping_mass = material->damping_mass;
    solid->damping_stiffness = material->damping_stiffness;
    solid->touch = lithe_touch_of(scene, def->material, def->group, def->mask);
    solid->self_contact = def->self_contact;
    if (def->bulk > 0) { // (S30) with the constants of the law, as everything else
        double young, poisson;
        lithe_solid_young(solid->law, &solid->material, &young, &poisson);
        solid->touch.modulus = young / (1 - poisson * poisson);
    }
    // nodes have no rotation that torques could resist
    solid->touch.torsional = solid->touch.rolling = 0;
    solid->touch.turns = false;
    return LITHE_OK;
}

// above this Poisson's ratio at rest the volume is averaged; below, elements hardly lock
#define MEAN_POISSON 0.45

static void set_volume(const LitheSolidDef *def, LitheSolid *solid) {
    double young, poisson;
    lithe_solid_young(solid->law, &solid->material, &young, &poisson);
    solid->mean = def->volume == LITHE_SOLID_VOLUME_MEAN ||
                  (def->volume == LITHE_SOLID_VOLUME_AUTO && poisson > MEAN_POISSON);
}

static void set_velocities(const LitheSolidDef *def, LitheSolid *solid) {
    Vec3 centre = lithe_solid_centre(solid);
    for (int32_t i = 0; i < solid->mesh.node_count; i++)
        solid->v0[i] = v3_add(
            def->velocity, v3_cross(def->angular_velocity, v3_sub(solid->mesh.nodes[i], centre)));
}

// the nodes of the solid number `index`, to find places on it
static LitheMembers members_of(const LitheSolid *solid, int32_t index) {
    return (LitheMembers){.thing = {LITHE_THING_SOLID, index + 1},
                          .points = solid->mesh.nodes,
                          .count_of = solid->mesh.node_count,
                          .groups = solid->mesh.sets,
                          .group_count = solid->mesh.set_count};
}

static LitheStatus fill(const LitheScene *scene, int32_t index, LitheSolid *solid,
                        LitheError *error) {
    const LitheSolidDef *def = &scene->solids[index];
    LitheContext *context = scene->context;
    solid->name = lithe_alloc_text(context, def->name);
    solid->acceleration = def->acceleration;
    if (!solid->name ||
        !lithe_profile_copy(context, &def->acceleration_profile, &solid->acceleration_profile))
        return lithe_fail_memory(error, "a solid");
    LitheStatus status = set_law(scene, def, solid, error);
    if (status == LITHE_OK)
        status = lithe_build_solid_mesh(scene, def, solid, error);
    if (status != LITHE_OK)
        return status;
    solid->extent = extent_of(&solid->mesh);
    place_mesh(def, &solid->mesh);
    solid->points = solid->mesh.nodes_per_element == 10 ? 4 : 1;
    set_volume(def, solid);
    if (solid->mean && solid->points == 1)
        status = lithe_build_patches(context, solid, error);
    LitheMembers members = members_of(solid, index);
    if (status == LITHE_OK)
        status = lithe_build_pressures(scene, &members, solid, error);
    if (status == LITHE_OK)
        status = lithe_build_swells(scene, def->rotation, &members, solid, error);
    lithe_members_free(context, &members);
    if (status == LITHE_OK)
        status = make_pattern(context, solid, error);
    if (status == LITHE_OK)
        status = lithe_build_elements(scene, def, solid, error);
    if (status == LITHE_OK)
        status = lithe_build_fibres(scene, def, &members, solid, error);
    lithe_members_free(context, &members);
    if (status != LITHE_OK)
        return status;
    measure_mesh(solid);
    solid->v0 = lithe_alloc_array(context, solid->mesh.node_count, sizeof *solid->v0);
    solid->held = lithe_alloc_array(context, 3 * (int64_t)solid->mesh.node_count, 1);
    if (!solid->v0 || !solid->held)
        return lithe_fail_memory(error, "a solid");
    set_velocities(def, solid);
    return lithe_build_surface(context, solid, error);
}

// --- drives --------------------------------------------------------------------------------------

static bool is_zero(const LitheProfileDef *p) {
    return p->count == 0 && p->value == 0 && p->rate == 0 && p->amplitude == 0;
}

// in plane strain a drive moves and turns nodes within the plane
static LitheStatus check_plane(const LitheScene *scene, const LitheDriveDef *def,
                               const LitheSolid *solid, LitheAxis axis, LitheError *error) {
    static const Vec3 axes[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const names[] = {"none", "x", "y", "z"};
    // rounding of a direction that is meant to lie in the plane
    double slack = 1e-9 * v3_norm(def->direction), slant = 1e-9 * v3_norm(def->axis);
    bool moves = fabs(v3_dot(def->direction, axes[axis])) > slack && !is_zero(&def->motion);
    bool turns = def->kind == LITHE_DRIVE_CLAMP && !is_zero(&def->turn) &&
                 v3_norm(v3_cross(def->axis, axes[axis])) > slant;
    if (axis == LITHE_AXIS_NONE || !(moves || turns))
        return LITHE_OK;
    char path[256];
    snprintf(path, sizeof path, "drives.%s.%s", def->name, moves ? "direction" : "axis");
    return lithe_scene_fail(scene, error, path,
                            "drive '%s': it %s, but solid '%s' has plane-strain %s", def->name,
                            moves ? "moves nodes along this axis" : "turns nodes out of the plane",
                            solid->name, names[axis]);
}

static LitheStatus add_drive(const LitheScene *scene, int32_t number, const LitheMembers *members,
                             LitheModel *model, LitheSolid *solid, LitheError *error) {
    const LitheDriveDef *def = &scene->drives[number];
    LitheDrive *drive = &model->drives[number];
    LitheContext *context = scene->context;
    drive->name = lithe_alloc_text(context, def->name);
    drive->nodes = lithe_alloc_array(context, members->count, sizeof *drive->nodes);
    if (!drive->name || !drive->nodes ||
        !lithe_profile_copy(context, &def->motion, &drive->motion) ||
        !lithe_profile_copy(context, &def->turn, &drive->turn))
        return lithe_fail_memory(error, "a drive");
    drive->number = number;
    drive->rod = -1;
    drive->kind = def->kind;
    drive->direction = v3_unit(def->direction);
    drive->axis = v3_unit(def->axis);
    drive->node_count = members->count;
    for (int32_t i = 0; i < members->count; i++) {
        int32_t node = drive->nodes[i] = members->list[i];
        drive->built_a = v3_axpy(1.0 / members->count, solid->mesh.nodes[node], drive->built_a);
        for (int c = 0; c < 3; c++) {
            if (solid->held[3 * (int64_t)node + c])
                return lithe_members_clash(scene, members, "drive", def->name, node, error);
            solid->held[3 * (int64_t)node + c] = 1;
        }
    }
    solid->drives[solid->drive_count++] = number;
    return LITHE_OK;
}

static LitheStatus add_drives(const LitheScene *scene, LitheMembers *members, LitheModel *model,
                              LitheSolid *solid, LitheAxis plane, LitheError *error) {
    LitheNumbers drives =
        lithe_acting_on(members->acting, &members->acting->drives, members->thing);
    solid->drives = lithe_alloc_array(scene->context, drives.count, sizeof *solid->drives);
    if (!solid->drives)
        return lithe_fail_memory(error, "the drives");
    for (int32_t i = 0; i < drives.count; i++) {
        int32_t k = drives.list[i];
        const LitheDriveDef *def = &scene->drives[k];
        LitheStatus status =
            lithe_members_find(scene, &def->place, "drive", def->name, members, error);
        if (status == LITHE_OK && members->count > 0)
            status = check_plane(scene, def, solid, plane, error);
        if (status == LITHE_OK && members->count > 0)
            status = add_drive(scene, k, members, model, solid, error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

// plane strain: what a hold of every node along one axis is; drives may hold it, too
static void hold_plane(LitheAxis axis, LitheSolid *solid) {
    if (axis == LITHE_AXIS_NONE || !solid->held)
        return;
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        solid->held[3 * i + (int)axis - 1] = 1;
}

LitheStatus lithe_build_solids(const LitheScene *scene, const LitheActing *acting,
                               LitheModel *model, LitheError *error) {
    LitheStatus status = LITHE_OK;
    model->solids = lithe_alloc_array(scene->context, scene->solid_count, sizeof *model->solids);
    if (!model->solids)
        return lithe_fail_memory(error, "the solids");
    while (status == LITHE_OK && model->solid_count < scene->solid_count) {
        int32_t index = model->solid_count++;
        LitheSolid *solid = &model->solids[index];
        status = fill(scene, index, solid, error);
        LitheMembers members = members_of(solid, index);
        members.acting = acting;
        // faces of a box share nodes: what is held twice is held
        if (status == LITHE_OK)
            status = lithe_build_point_holds(scene, model, &members, true, solid->held, error);
        if (status == LITHE_OK)
            status = lithe_build_point_loads(scene, &members, &solid->loads, &solid->load_count,
                                             &solid->load_capacity, error);
        if (status == LITHE_OK)
            status =
                add_drives(scene, &members, model, solid, scene->solids[index].plane_strain, error);
        hold_plane(scene->solids[index].plane_strain, solid);
        if (status == LITHE_OK)
            status = lithe_pressures_find_open(scene->context, solid, error);
        if (status == LITHE_OK)
            status = lithe_build_rest(scene, &scene->solids[index], &members, solid, error);
        if (status == LITHE_OK)
            status = lithe_build_solid_fits(scene->context, solid, error);
        if (status == LITHE_OK)
            status = lithe_build_fibre_fits(scene->context, solid, error);
        lithe_members_free(scene->context, &members);
    }
    return status == LITHE_OK ? lithe_build_cavities(scene, model, error) : status;
}

void lithe_solids_state(const LitheModel *model, LitheState *state) {
    for (int32_t k = 0; k < model->solid_count; k++) {
        const LitheSolid *solid = &model->solids[k];
        double *q = state->q + model->units[solid->unit].q_at;
        double *v = state->v + model->units[solid->unit].v_at;
        for (int64_t i = 0; i < solid->mesh.node_count; i++) {
            v3_store(solid->start ? solid->start[i] : solid->mesh.nodes[i], q + 3 * i);
            v3_store(solid->v0[i], v + 3 * i);
        }
        for (int64_t i = 0; i < 3 * (int64_t)solid->mesh.node_count; i++)
            v[i] = solid->held[i] ? 0 : v[i];
    }
}

void lithe_solids_free(LitheModel *model) {
    LitheContext *context = model->context;
    for (int32_t k = 0; model->solids && k < model->solid_count; k++) {
        LitheSolid *solid = &model->solids[k];
        for (int32_t i = 0; i < solid->load_count; i++)
            lithe_profile_free(context, &solid->loads[i].profile);
        void *blocks[] = {solid->name,
                          solid->gradients,
                          solid->volumes,
                          solid->mass,
                          solid->entries,
                          solid->order,
                          solid->triangles,
                          solid->surface,
                          solid->areas,
                          solid->v0,
                          solid->held,
                          solid->loads,
                          solid->drives,
                          solid->touch_radius,
                          solid->skin.faces,
                          solid->skin.face_at,
                          solid->skin.face_areas,
                          solid->skin.edges,
                          solid->skin.depths,
                          solid->skin.owned,
                          solid->skin.inner,
                          solid->places,
                          solid->riders,
                          solid->rider_of,
                          solid->fixed,
                          solid->start,
                          solid->field.tets,
                          solid->field.pressures};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            lithe_free(context, blocks[i]);
        lithe_pressures_free(context, solid);
        lithe_swells_free(context, solid);
        lithe_fibres_free(context, solid);
        lithe_fits_free(context, &solid->fits);
        lithe_fits_free(context, &solid->wall_fits);
        lithe_profile_free(context, &solid->acceleration_profile);
        lithe_patches_free(context, &solid->patches);
        lithe_block_matrix_destroy(solid->pattern);
        lithe_fine_free(context, &solid->fine);
        lithe_tet_mesh_destroy(context, &solid->mesh);
    }
    lithe_free(context, model->solids);
    lithe_free(context, model->cavities);
}
