// SPDX-License-Identifier: Apache-2.0
// model/build_acts.c - what acts on a rod: holds, drives, loads, natural drives

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>

// the node a place means; scene/check.c has made sure that it exists
static int32_t node_of(const LithePlace *place, const LitheRod *rod) {
    if (place->kind == LITHE_PLACE_NODE)
        return place->node >= 0 ? place->node : rod->node_count + place->node;
    double wanted = place->fraction, at = 0, length = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        length += rod->built_length[i];
    int32_t best = 0;
    double nearest = INFINITY;
    for (int32_t i = 0; i < rod->node_count; i++) {
        double miss = fabs(at - wanted * length);
        if (miss < nearest * (1 - 1e-12)) {
            nearest = miss;
            best = i;
        }
        if (i < rod->edge_count)
            at += rod->built_length[i];
    }
    return best;
}

// the edge that leaves the node; the last node of an open rod has only one that enters it
static int32_t edge_of(int32_t node, const LitheRod *rod) {
    return node < rod->edge_count ? node : rod->edge_count - 1;
}

static LitheStatus place_of(const LitheScene *scene, const LithePlace *place, const char *kind,
                            const char *name, const LitheRod *rod, int32_t *node,
                            LitheError *error) {
    *node = node_of(place, rod);
    if (*node >= 0 && *node < rod->node_count)
        return LITHE_OK;
    char path[256];
    snprintf(path, sizeof path, "%ss.%s.on", kind, name);
    return lithe_scene_fail(scene, error, path,
                            "%s '%s': node %d does not exist, rod '%s' has nodes 0 to %d", kind,
                            name, place->node, rod->name, rod->node_count - 1);
}

static void hold_edge(LitheRod *rod, int32_t edge) {
    int32_t other = (edge + 1) % rod->node_count;
    for (int c = 0; c < 4; c++)
        rod->held[4 * edge + c] = 1;
    for (int c = 0; c < 3; c++)
        rod->held[4 * other + c] = 1;
}

static LitheStatus add_holds(const LitheScene *scene, int32_t index, LitheRod *rod,
                             LitheError *error) {
    const LitheRodDef *def = &scene->rods[index];
    if (def->clamp_start)
        hold_edge(rod, 0);
    if (def->clamp_end)
        hold_edge(rod, rod->edge_count - 1);
    for (int32_t k = 0; k < scene->hold_count; k++) {
        const LitheHoldDef *hold = &scene->holds[k];
        if (!lithe_place_on_rod(&hold->place, index))
            continue;
        int32_t node;
        LitheStatus status = place_of(scene, &hold->place, "hold", hold->name, rod, &node, error);
        if (status != LITHE_OK)
            return status;
        for (int c = 0; c < 3; c++)
            if (hold->bits & (LITHE_HOLD_X << c))
                rod->held[4 * node + c] = 1;
        if (hold->bits & LITHE_HOLD_TWIST)
            rod->held[4 * edge_of(node, rod) + 3] = 1;
        if (hold->bits & LITHE_HOLD_CLAMP)
            hold_edge(rod, edge_of(node, rod));
    }
    return LITHE_OK;
}

// --- drives --------------------------------------------------------------------------------------

static void hold_driven(LitheRod *rod, const LitheDrive *drive) {
    if (drive->stiffness > 0)
        return;
    if (drive->kind == LITHE_DRIVE_CLAMP)
        hold_edge(rod, drive->edge);
    else if (drive->kind == LITHE_DRIVE_TWIST)
        rod->held[4 * drive->edge + 3] = 1;
    else
        for (int c = 0; c < 3; c++)
            rod->held[4 * drive->node + c] = 1;
}

static LitheStatus add_drive(const LitheScene *scene, int32_t number, LitheModel *model,
                             const LitheBuild *build, LitheError *error) {
    const LitheDriveDef *def = &scene->drives[number];
    LitheDrive *drive = &model->drives[number];
    int32_t index = def->place.thing.number - 1;
    LitheRod *rod = &model->rods[index];
    LitheContext *context = scene->context;
    LitheStatus status = place_of(scene, &def->place, "drive", def->name, rod, &drive->node, error);
    if (status != LITHE_OK)
        return status;
    drive->name = lithe_alloc_text(context, def->name);
    if (!drive->name || !lithe_profile_copy(context, &def->motion, &drive->motion) ||
        !lithe_profile_copy(context, &def->turn, &drive->turn))
        return lithe_fail_memory(error, "a drive");
    drive->number = number;
    drive->rod = index;
    drive->kind = def->kind;
    drive->edge = edge_of(drive->node, rod);
    drive->stiffness = def->stiffness;
    drive->damping = def->damping;
    drive->along_only = def->along_only;
    int32_t other = drive->node < rod->node_count / 2 ? rod->node_count - 1 : 0;
    drive->direction =
        v3_unit(def->outward ? v3_sub(build->x[drive->node], build->x[other]) : def->direction);

    // as built
    int32_t a = drive->kind == LITHE_DRIVE_POSITION ? drive->node : drive->edge;
    double gamma = build->gamma[drive->edge];
    Vec3 t = build->t[drive->edge], d1 = build->d1[drive->edge];
    drive->axis = v3_norm(def->axis) > 0 ? v3_unit(def->axis) : t;
    drive->built_a = build->x[a];
    drive->built_b = build->x[(drive->edge + 1) % rod->node_count];
    drive->built_gamma = gamma;
    drive->built_m1 = v3_axpy(sin(gamma), v3_cross(t, d1), v3_scale(cos(gamma), d1));
    hold_driven(rod, drive);
    rod->drives[rod->drive_count++] = number;
    return LITHE_OK;
}

static LitheStatus add_drives(const LitheScene *scene, int32_t index, LitheModel *model,
                              const LitheBuild *build, LitheError *error) {
    LitheRod *rod = &model->rods[index];
    rod->drives = lithe_alloc_array(scene->context, scene->drive_count, sizeof *rod->drives);
    if (!rod->drives)
        return lithe_fail_memory(error, "the drives");
    for (int32_t k = 0; k < scene->drive_count; k++) {
        if (!lithe_place_on_rod(&scene->drives[k].place, index))
            continue;
        LitheStatus status = add_drive(scene, k, model, build, error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

// --- loads ---------------------------------------------------------------------------------------

static LitheStatus add_loads(const LitheScene *scene, int32_t index, LitheRod *rod,
                             LitheError *error) {
    rod->loads = lithe_alloc_array(scene->context, scene->force_count, sizeof *rod->loads);
    if (!rod->loads)
        return lithe_fail_memory(error, "the forces");
    for (int32_t k = 0; k < scene->force_count; k++) {
        const LitheForceDef *def = &scene->forces[k];
        if (!lithe_place_on_rod(&def->place, index))
            continue;
        LitheLoad *load = &rod->loads[rod->load_count++];
        LitheStatus status =
            place_of(scene, &def->place, "force", def->name, rod, &load->node, error);
        if (status != LITHE_OK)
            return status;
        load->edge = edge_of(load->node, rod);
        load->force = def->force;
        load->moment = def->moment;
        rod->has_moment = rod->has_moment || v3_norm(def->moment) > 0;
        if (!lithe_profile_copy(scene->context, &def->profile, &load->profile))
            return lithe_fail_memory(error, "a force");
    }
    return LITHE_OK;
}

static bool fill_natural_drive(LitheContext *context, const LitheNaturalDriveDef *def,
                               const LitheRod *rod, LitheNaturalDrive *out) {
    int32_t n = rod->node_count;
    out->curvature = lithe_alloc_array(context, 2 * (int64_t)n, sizeof(double));
    out->twist = lithe_alloc_array(context, n, sizeof(double));
    out->stretch = lithe_alloc_array(context, rod->edge_count, sizeof(double));
    if (!out->curvature || !out->twist || !out->stretch ||
        !lithe_profile_copy(context, &def->profile, &out->profile))
        return false;
    for (int32_t i = rod->closed ? 0 : 1; i < rod->edge_count; i++) {
        out->curvature[2 * i] =
            def->curvature1 + (def->node_curvature1 ? def->node_curvature1[i] : 0);
        out->curvature[2 * i + 1] =
            def->curvature2 + (def->node_curvature2 ? def->node_curvature2[i] : 0);
        out->twist[i] = def->twist + (def->node_twist ? def->node_twist[i] : 0);
    }
    for (int32_t i = 0; i < rod->edge_count; i++)
        out->stretch[i] = def->stretch + (def->edge_stretch ? def->edge_stretch[i] : 0);
    return true;
}

static LitheStatus add_natural_drives(const LitheScene *scene, int32_t index, LitheRod *rod,
                                      LitheError *error) {
    rod->natural_drives =
        lithe_alloc_array(scene->context, scene->natural_drive_count, sizeof *rod->natural_drives);
    if (!rod->natural_drives)
        return lithe_fail_memory(error, "the natural drives");
    for (int32_t k = 0; k < scene->natural_drive_count; k++) {
        const LitheNaturalDriveDef *def = &scene->natural_drives[k];
        if (def->rod.number != index + 1)
            continue;
        if (!fill_natural_drive(scene->context, def, rod,
                                &rod->natural_drives[rod->natural_drive_count++]))
            return lithe_fail_memory(error, "a natural drive");
    }
    return LITHE_OK;
}

LitheStatus lithe_build_acts(const LitheScene *scene, int32_t index, LitheModel *model,
                             const LitheBuild *build, LitheError *error) {
    LitheRod *rod = &model->rods[index];
    LitheStatus status = add_holds(scene, index, rod, error);
    if (status == LITHE_OK)
        status = add_drives(scene, index, model, build, error);
    if (status == LITHE_OK)
        status = add_loads(scene, index, rod, error);
    if (status == LITHE_OK)
        status = add_natural_drives(scene, index, rod, error);
    return status;
}
