// SPDX-License-Identifier: Apache-2.0
// model/build_conditions.c - boundary conditions and loads of a rod: holds, drives, forces, drives
// of its natural shape

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <math.h>
#include <string.h>

// the edge that starts at the node; for the last node of an open rod the one that ends there
static int32_t edge_of(int32_t node, const LitheRod *rod) {
    return node < rod->edge_count ? node : rod->edge_count - 1;
}

static void hold_edge(LitheRod *rod, int32_t edge) {
    int32_t other = rod->ends[edge][1];
    for (int c = 0; c < 4; c++)
        rod->held[4 * edge + c] = 1;
    for (int c = 0; c < 3; c++)
        rod->held[4 * other + c] = 1;
}

// Marks the DoFs that a hold fixes in rod->held and in `mine` [4 node_count]. Returns -1, or the
// node of the first DoF that is held already.
static int32_t hold(const LitheHoldDef *def, const LitheMembers *members, LitheRod *rod,
                    unsigned char *mine) {
    int64_t dofs = 4 * (int64_t)rod->node_count;
    memset(mine, 0, (size_t)dofs);
    for (int32_t i = 0; i < members->count; i++) {
        int32_t node = members->list[i], edge = edge_of(node, rod);
        bool clamp = def->bits & LITHE_HOLD_CLAMP;
        for (int c = 0; c < 3; c++) {
            bool held = clamp || def->bits & (LITHE_HOLD_X << c);
            mine[4 * (clamp ? edge : node) + c] |= held;
            if (clamp || members->edges)
                mine[4 * rod->ends[edge][1] + c] |= held;
        }
        mine[4 * edge + 3] |= clamp || def->bits & LITHE_HOLD_TWIST;
    }
    for (int64_t k = 0; k < dofs; k++) {
        if (mine[k] && rod->held[k])
            return (int32_t)(k / 4);
        rod->held[k] |= mine[k];
    }
    return -1;
}

// stores the DoFs `mine` of a rod as those of a hold
static bool note_hold(LitheModel *model, int32_t hold, LitheThing thing, int32_t nodes,
                      const unsigned char *mine) {
    for (int32_t i = 0; i < nodes; i++) {
        uint32_t mask = 0;
        for (int c = 0; c < 4; c++)
            mask |= mine[4 * i + c] ? LITHE_HOLD_X << c : 0;
        if (mask && !lithe_hold_add(model, hold, thing, i, mask))
            return false;
    }
    return true;
}

static LitheStatus add_holds(const LitheScene *scene, int32_t index, LitheMembers *members,
                             LitheModel *model, LitheError *error) {
    const LitheRodDef *def = &scene->rods[index];
    LitheRod *rod = &model->rods[index];
    if (def->clamp_start)
        hold_edge(rod, 0);
    if (def->clamp_end)
        hold_edge(rod, rod->edge_count - 1);
    LitheStatus status = LITHE_OK;
    if ((def->clamp_start && !lithe_hold_add_clamp(model, index, false)) ||
        (def->clamp_end && !lithe_hold_add_clamp(model, index, true)))
        return lithe_fail_memory(error, "the holds of a rod");
    unsigned char *mine = lithe_alloc_array(scene->context, 4 * (int64_t)rod->node_count, 1);
    if (!mine)
        return lithe_fail_memory(error, "the holds of a rod");
    LitheNumbers holds = lithe_acting_on(members->acting, &members->acting->holds, members->thing);
    for (int32_t i = 0; status == LITHE_OK && i < holds.count; i++) {
        int32_t k = holds.list[i];
        const LitheHoldDef *own = &scene->holds[k];
        status = lithe_members_find(scene, &own->place, "hold", own->name, members, error);
        int32_t clash =
            status == LITHE_OK && members->count > 0 ? hold(own, members, rod, mine) : -1;
        if (clash >= 0)
            status = lithe_members_clash(scene, members, "hold", own->name, clash, error);
        else if (status == LITHE_OK && members->count > 0 &&
                 !note_hold(model, k, members->thing, rod->node_count, mine))
            status = lithe_fail_memory(error, "the nodes of a hold");
    }
    lithe_free(scene->context, mine);
    return status;
}

// --- drives --------------------------------------------------------------------------------------

// marks the DoFs of a drive without springs as held; false when one of them is held already
static bool hold_driven(LitheRod *rod, const LitheDrive *drive) {
    int32_t end = rod->ends[drive->edge][1];
    bool clamp = drive->kind == LITHE_DRIVE_CLAMP,
         twist = clamp || drive->kind == LITHE_DRIVE_TWIST;
    if (drive->stiffness > 0)
        return true;
    bool taken = twist && rod->held[4 * drive->edge + 3];
    for (int c = 0; c < 3; c++)
        taken = taken || (clamp && (rod->held[4 * drive->edge + c] || rod->held[4 * end + c])) ||
                (!twist && rod->held[4 * drive->node + c]);
    if (clamp)
        hold_edge(rod, drive->edge);
    else if (twist)
        rod->held[4 * drive->edge + 3] = 1;
    else
        for (int c = 0; c < 3; c++)
            rod->held[4 * drive->node + c] = 1;
    return !taken;
}

static LitheStatus add_drive(const LitheScene *scene, int32_t number, const LitheMembers *members,
                             LitheModel *model, const LitheBuild *build, LitheError *error) {
    const LitheDriveDef *def = &scene->drives[number];
    LitheDrive *drive = &model->drives[number];
    int32_t index = def->place.thing.number - 1, node = members->list[0];
    LitheRod *rod = &model->rods[index];
    LitheContext *context = scene->context;
    drive->node = node;
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

    // the configuration as built
    int32_t a = drive->kind == LITHE_DRIVE_POSITION ? drive->node : drive->edge;
    double gamma = build->gamma[drive->edge];
    Vec3 t = build->t[drive->edge], d1 = build->d1[drive->edge];
    drive->axis = v3_norm(def->axis) > 0 ? v3_unit(def->axis) : t;
    drive->built_a = build->x[a];
    drive->built_b = build->x[rod->ends[drive->edge][1]];
    drive->built_gamma = gamma;
    drive->built_m1 = v3_axpy(sin(gamma), v3_cross(t, d1), v3_scale(cos(gamma), d1));
    rod->drives[rod->drive_count++] = number;
    return hold_driven(rod, drive)
               ? LITHE_OK
               : lithe_members_clash(scene, members, "drive", def->name, node, error);
}

static LitheStatus add_drives(const LitheScene *scene, int32_t index, LitheMembers *members,
                              LitheModel *model, const LitheBuild *build, LitheError *error) {
    LitheRod *rod = &model->rods[index];
    LitheNumbers drives =
        lithe_acting_on(members->acting, &members->acting->drives, members->thing);
    rod->drives = lithe_alloc_array(scene->context, drives.count, sizeof *rod->drives);
    if (!rod->drives)
        return lithe_fail_memory(error, "the drives");
    for (int32_t i = 0; i < drives.count; i++) {
        int32_t k = drives.list[i];
        const LitheDriveDef *def = &scene->drives[k];
        LitheStatus status =
            lithe_members_find(scene, &def->place, "drive", def->name, members, error);
        if (status == LITHE_OK && members->count > 0)
            status = add_drive(scene, k, members, model, build, error);
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

// --- held twists ---------------------------------------------------------------------------------

// whether the direction of an edge may turn while its twist is held or driven; a driven clamp
// prescribes both
static bool is_pinned(const LitheModel *model, const LitheRod *rod, int32_t edge) {
    int32_t end = rod->ends[edge][1];
    bool turns = false, twists = rod->held[4 * edge + 3];
    for (int c = 0; c < 3; c++)
        turns |= !rod->held[4 * edge + c] || !rod->held[4 * end + c];
    for (int32_t k = 0; k < rod->drive_count; k++) {
        const LitheDrive *drive = &model->drives[rod->drives[k]];
        if (drive->kind == LITHE_DRIVE_CLAMP && drive->edge == edge)
            return false;
        turns |= drive->kind == LITHE_DRIVE_POSITION && drive->stiffness == 0 &&
                 (drive->node == edge || drive->node == end);
        twists |= drive->kind == LITHE_DRIVE_TWIST && drive->edge == edge;
    }
    return twists && turns;
}

static LitheStatus add_pins(const LitheScene *scene, const LitheModel *model, LitheRod *rod,
                            const LitheBuild *build, LitheError *error) {
    int32_t count = 0;
    for (int32_t i = 0; i < rod->edge_count; i++)
        count += is_pinned(model, rod, i);
    if (count == 0)
        return LITHE_OK;
    rod->pins = lithe_alloc_array(scene->context, count, sizeof *rod->pins);
    if (!rod->pins)
        return lithe_fail_memory(error, "the held twists of a rod");
    for (int32_t i = 0; i < rod->edge_count; i++)
        if (is_pinned(model, rod, i))
            rod->pins[rod->pin_count++] = (LitheRodPin){
                i, v3_unit(v3_sub(build->x[rod->ends[i][1]], build->x[rod->ends[i][0]]))};
    return LITHE_OK;
}

// --- loads ---------------------------------------------------------------------------------------

// a force on each vertex, a moment on each edge of the place
static LitheStatus add_load(const LitheScene *scene, const LitheForceDef *def,
                            const LitheMembers *members, LitheRod *rod, LitheError *error) {
    if (!LITHE_RESERVE(scene->context, rod->loads, rod->load_capacity,
                       (int64_t)rod->load_count + members->count))
        return lithe_fail_memory(error, "the forces");
    for (int32_t i = 0; i < members->count; i++) {
        LitheLoad *load = &rod->loads[rod->load_count++];
        *load = (LitheLoad){.node = members->list[i],
                            .edge = edge_of(members->list[i], rod),
                            .force = def->force,
                            .moment = def->moment};
        rod->has_moment = rod->has_moment || v3_norm(def->moment) > 0;
        if (!lithe_profile_copy(scene->context, &def->profile, &load->profile))
            return lithe_fail_memory(error, "a force");
    }
    return LITHE_OK;
}

static LitheStatus add_loads(const LitheScene *scene, LitheMembers *members, LitheRod *rod,
                             LitheError *error) {
    LitheNumbers forces =
        lithe_acting_on(members->acting, &members->acting->forces, members->thing);
    for (int32_t i = 0; i < forces.count; i++) {
        const LitheForceDef *def = &scene->forces[forces.list[i]];
        LitheStatus status =
            lithe_members_find(scene, &def->place, "force", def->name, members, error);
        if (status == LITHE_OK)
            status = add_load(scene, def, members, rod, error);
        if (status != LITHE_OK)
            return status;
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

static LitheStatus add_natural_drives(const LitheScene *scene, LitheNumbers own, LitheRod *rod,
                                      LitheError *error) {
    rod->natural_drives = lithe_alloc_array(scene->context, own.count, sizeof *rod->natural_drives);
    if (!rod->natural_drives)
        return lithe_fail_memory(error, "the natural drives");
    for (int32_t i = 0; i < own.count; i++) {
        const LitheNaturalDriveDef *def = &scene->natural_drives[own.list[i]];
        if (!fill_natural_drive(scene->context, def, rod,
                                &rod->natural_drives[rod->natural_drive_count++]))
            return lithe_fail_memory(error, "a natural drive");
    }
    return LITHE_OK;
}

LitheStatus lithe_build_conditions(const LitheScene *scene, const LitheActing *acting,
                                   int32_t index, LitheModel *model, const LitheBuild *build,
                                   LitheError *error) {
    LitheRod *rod = &model->rods[index];
    LitheMembers members = {.thing = {LITHE_THING_ROD, index + 1},
                            .acting = acting,
                            .points = build->x,
                            .lengths = rod->built_length,
                            .count_of = rod->node_count,
                            .closed = rod->closed};
    LitheStatus status = add_holds(scene, index, &members, model, error);
    if (status == LITHE_OK)
        status = add_drives(scene, index, &members, model, build, error);
    if (status == LITHE_OK)
        status = add_pins(scene, model, rod, build, error);
    if (status == LITHE_OK)
        status = add_loads(scene, &members, rod, error);
    lithe_members_free(scene->context, &members);
    if (status == LITHE_OK)
        status = add_natural_drives(
            scene, lithe_acting_on(acting, &acting->natural_drives, members.thing), rod, error);
    return status;
}
