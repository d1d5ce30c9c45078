// SPDX-License-Identifier: Apache-2.0
// model/compile.c - scene -> model and first state

#include "model/compile.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "body/unit.h"

#include <math.h>
#include <string.h>

// --- copies --------------------------------------------------------------------------------------

bool lithe_profile_copy(LitheContext *context, const LitheProfileDef *def, LitheProfile *out) {
    out->def = *def;
    out->def.times = out->def.values = NULL;
    if (def->count == 0)
        return true;
    size_t bytes = (size_t)def->count * sizeof(double);
    double *times = lithe_alloc(context, bytes), *values = lithe_alloc(context, bytes);
    out->def.times = times;
    out->def.values = values;
    if (!times || !values)
        return false;
    memcpy(times, def->times, bytes);
    memcpy(values, def->values, bytes);
    return true;
}

void lithe_profile_free(LitheContext *context, LitheProfile *profile) {
    lithe_free(context, (void *)profile->def.times);
    lithe_free(context, (void *)profile->def.values);
}

// --- destroy -------------------------------------------------------------------------------------

static void rod_free(LitheContext *context, LitheRod *rod) {
    for (int32_t k = 0; rod->natural_drives && k < rod->natural_drive_count; k++) {
        lithe_free(context, rod->natural_drives[k].curvature);
        lithe_free(context, rod->natural_drives[k].twist);
        lithe_free(context, rod->natural_drives[k].stretch);
        lithe_profile_free(context, &rod->natural_drives[k].profile);
    }
    for (int32_t k = 0; rod->loads && k < rod->load_count; k++)
        lithe_profile_free(context, &rod->loads[k].profile);
    void *blocks[] = {rod->name,           rod->mass,       rod->built_length, rod->rest_stretch,
                      rod->rest_curvature, rod->rest_twist, rod->rest_offset,  rod->held,
                      rod->natural_drives, rod->loads,      rod->drives,       rod->ends,
                      rod->pins,           rod->corners,    rod->built_arc};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(context, blocks[k]);
    lithe_section_mesh_destroy(context, &rod->patch);
}

void lithe_model_destroy(LitheModel *model) {
    if (!model)
        return;
    LitheContext *context = model->context;
    for (int32_t i = 0; model->rods && i < model->rod_count; i++)
        rod_free(context, &model->rods[i]);
    for (int32_t i = 0; model->drives && i < model->drive_count; i++) {
        lithe_free(context, model->drives[i].name);
        lithe_free(context, model->drives[i].nodes);
        lithe_profile_free(context, &model->drives[i].motion);
        lithe_profile_free(context, &model->drives[i].turn);
    }
    lithe_trees_free(model);
    lithe_holds_free(model);
    lithe_particles_free(model);
    lithe_solids_free(model);
    lithe_free(context, model->ball_sets);
    lithe_free(context, model->face_sets);
    lithe_free(context, model->face_order);
    lithe_free(context, model->tet_spans);
    lithe_geoms_free(model);
    lithe_visuals_free(model);
    lithe_constraints_free(model);
    lithe_knots_free(model);
    lithe_free(context, model->material_pairs);
    for (int32_t i = 0; i < model->material_count; i++)
        lithe_free(context, model->material_names[i]);
    lithe_free(context, model->material_names);
    lithe_free(context, model->tie_zones);
    lithe_free(context, model->ignored);
    lithe_free(context, model->families);
    lithe_free(context, model->units);
    lithe_free(context, model->rods);
    lithe_free(context, model->drives);
    lithe_free(context, model);
}

// --- compile -------------------------------------------------------------------------------------

static LitheStatus build_rods(const LitheScene *scene, const LitheActing *acting, LitheModel *model,
                              LitheBuild *builds, LitheError *error) {
    for (int32_t i = 0; i < scene->rod_count; i++) {
        LitheRod *rod = &model->rods[i];
        rod->edge_at = model->edge_count;
        LitheStatus status = lithe_build_rod(scene, acting, i, rod, &builds[i], error);
        if (status == LITHE_OK)
            status = lithe_build_conditions(scene, acting, i, model, &builds[i], error);
        if (status != LITHE_OK)
            return status;
        model->edge_count += rod->edge_count;
        model->vertex_count += rod->node_count;
    }
    return LITHE_OK;
}

static LitheStatus build_things(const LitheScene *scene, LitheModel *model, LitheBuild *builds,
                                LitheError *error) {
    LitheActing acting;
    LitheStatus status = lithe_acting_make(scene, &acting)
                             ? LITHE_OK
                             : lithe_fail_memory(error, "the objects that act on things");
    if (status == LITHE_OK)
        status = build_rods(scene, &acting, model, builds, error);
    if (status == LITHE_OK)
        status = lithe_build_geoms(scene, model, error);
    if (status == LITHE_OK)
        status = lithe_build_visuals(scene, model, error);
    if (status == LITHE_OK)
        status = lithe_build_trees(scene, &acting, model, error);
    if (status == LITHE_OK)
        status = lithe_build_particles(scene, &acting, model, error);
    if (status == LITHE_OK)
        status = lithe_build_solids(scene, &acting, model, error);
    lithe_acting_free(scene->context, &acting);
    return status;
}

static LitheStatus build(const LitheScene *scene, LitheModel *model, LitheBuild *builds,
                         LitheError *error) {
    LitheContext *context = scene->context;
    model->gravity = scene->gravity;
    model->time = scene->time;
    model->time.scheme = lithe_scene_scheme(scene);
    model->contact = scene->contact;
    model->rod_count = scene->rod_count;
    model->drive_count = scene->drive_count;
    model->rods = lithe_alloc_array(context, scene->rod_count, sizeof *model->rods);
    model->drives = lithe_alloc_array(context, scene->drive_count, sizeof *model->drives);
    if (!model->rods || !model->drives || !lithe_holds_begin(scene, model))
        return lithe_fail_memory(error, "the model");

    LitheStatus status = build_things(scene, model, builds, error);
    if (status == LITHE_OK && !lithe_units_build(model))
        status = lithe_fail_memory(error, "the directory of units");
    if (status == LITHE_OK)
        lithe_holds_link(model);
    if (status == LITHE_OK)
        status = lithe_build_balls(model, error);
    if (status == LITHE_OK)
        status = lithe_build_faces(model, error);
    if (status == LITHE_OK) {
        lithe_trees_number(model);
        status = lithe_build_constraints(scene, model, error);
    }
    if (status == LITHE_OK)
        status = lithe_build_knots(scene, model, error);
    if (status == LITHE_OK)
        status = lithe_build_material_pairs(scene, model, error);
    if (status == LITHE_OK)
        status = lithe_build_material_names(scene, model, error);
    if (status == LITHE_OK)
        status = lithe_build_fields(scene, model, error);
    if (status == LITHE_OK)
        lithe_build_least(model);
    lithe_build_friction(model);
    return status == LITHE_OK ? lithe_build_ignored(scene, model, error) : status;
}

LitheStatus lithe_compile(const LitheScene *scene, LitheModel **out_model, LitheState **out_state,
                          LitheError *error) {
    LitheStatus status = lithe_scene_check(scene, error);
    if (status != LITHE_OK)
        return status;
    LitheContext *context = scene->context;
    LitheModel *model = lithe_alloc(context, sizeof *model);
    LitheBuild *builds = lithe_alloc_array(context, scene->rod_count, sizeof *builds);
    LitheState *state = NULL;
    if (model)
        model->context = context;
    if (!model || !builds) {
        status = lithe_fail_memory(error, "the model");
        goto done;
    }
    status = build(scene, model, builds, error);
    if (status != LITHE_OK)
        goto done;
    state = lithe_state_create(model);
    if (!state) {
        status =
            lithe_fail(error, LITHE_NO_MEMORY,
                       "out of memory: the state of %lld nodes in %d rods, of %d rigid trees, of "
                       "%lld particles and of %d solids takes %.0f MB",
                       (long long)model->vertex_count, model->rod_count, model->tree_count,
                       (long long)model->ball_count, model->solid_count,
                       8e-6 * (double)lithe_state_size_of(model));
        goto done;
    }
    for (int32_t i = 0; i < model->rod_count; i++)
        lithe_build_state(scene, i, &model->rods[i], &builds[i], state);
    lithe_trees_state(model, state);
    lithe_particles_state(model, state);
    lithe_solids_state(model, state);
    for (int32_t i = 0; i < model->drive_count; i++) {
        const LitheDrive *drive = &model->drives[i];
        bool twists = drive->kind == LITHE_DRIVE_TWIST;
        state->drives[4 * i + 2] = lithe_profile_at(twists ? &drive->turn : &drive->motion, 0);
        state->drives[4 * i + 3] = lithe_profile_at(&drive->turn, 0);
    }
    status = lithe_build_inside(scene, model, state, error);
    if (status == LITHE_OK)
        status = lithe_build_welds(scene, model, state, error);
    if (status == LITHE_OK) {
        lithe_constraints_state(model, state);
        status = lithe_build_ties(scene, model, state, error);
    }
    if (status != LITHE_OK) {
        lithe_state_destroy(state);
        goto done;
    }
    lithe_warn_of_small_shapes(model);
    lithe_warn_of_ellipses(model);
    lithe_warn_of_rigid_pairs(model);
    if (!scene->allow_unusual)
        lithe_warn_of_suspects(model);
    *out_model = model;
    *out_state = state;
    model = NULL;
done:
    for (int32_t i = 0; builds && i < scene->rod_count; i++)
        lithe_build_free(context, &builds[i]);
    lithe_free(context, builds);
    lithe_model_destroy(model);
    return status;
}
