// SPDX-License-Identifier: Apache-2.0
// record/quantity.c - the list of owners: add one, and its quantities can be recorded

#include "record/quantity.h"

#include "base/assert.h"
#include "data/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const LitheOwner *const lithe_owners[] = {
    &lithe_world_owner,  &lithe_rod_owner,        &lithe_drive_owner,     &lithe_body_owner,
    &lithe_joint_owner,  &lithe_constraint_owner, &lithe_particles_owner, &lithe_solid_owner,
    &lithe_cavity_owner, &lithe_surface_owner,    &lithe_tendon_owner,    &lithe_pose_drive_owner,
    &lithe_hold_owner,   &lithe_actuator_owner,   &lithe_knot_owner,      NULL,
};

const LitheOwner *const lithe_owners_of_constants[] = {
    &lithe_rod_owner,       &lithe_constraint_owner, &lithe_body_owner,
    &lithe_particles_owner, &lithe_solid_owner,      &lithe_surface_owner,
    &lithe_tendon_owner,    &lithe_joint_owner,      NULL,
};

const LitheOwner *lithe_owner_of_path(const char *path) {
    for (const LitheOwner *const *owner = lithe_owners; *owner; owner++) {
        size_t length = (*owner)->folder ? strlen((*owner)->folder) : 0;
        if (length > 0 && strncmp(path, (*owner)->folder, length) == 0 && path[length] == '/')
            return *owner;
    }
    return &lithe_world_owner;
}

int32_t lithe_owner_find(const LitheOwner *owner, const LitheModel *model, const char *name) {
    for (int32_t i = 0; owner->name && i < owner->count(model); i++)
        if (strcmp(owner->name(model, i), name) == 0)
            return i;
    return -1;
}

const LitheQuantity *lithe_quantity_find(const LitheOwner *owner, const char *name) {
    for (const LitheQuantity *q = owner->quantities; q->name; q++) {
        if (strcmp(q->name, name) == 0)
            return q;
        for (int k = 0; k < 2 && q->parts[k]; k++)
            if (strcmp(q->parts[k], name) == 0)
                return q;
    }
    return NULL;
}

// --- shapes --------------------------------------------------------------------------------------

static int64_t axis_size(const LitheModel *model, const LitheOwner *owner, int32_t index,
                         const char *axis) {
    static const struct {
        const char *axis;
        int64_t size;
    } common[] = {{"xyz", 3}, {"m1m2", 2}, {"pose", 7}};
    for (size_t k = 0; k < sizeof common / sizeof *common; k++)
        if (strcmp(axis, common[k].axis) == 0)
            return common[k].size;
    LITHE_ASSERT(owner->axis_size);
    return owner->axis_size(model, index, axis);
}

bool lithe_quantity_shape(const LitheModel *model, const LitheOwner *owner,
                          const LitheQuantity *quantity, int32_t index, int32_t *rank,
                          int64_t dims[2], const char **axes) {
    char axis[16];
    *rank = 0;
    *axes = quantity->axes;
    // after "time"
    for (const char *at = strchr(quantity->axes, ' '); at; at = strchr(at, ' ')) {
        size_t length = strcspn(++at, " ");
        LITHE_ASSERT(*rank < 2 && length < sizeof axis);
        memcpy(axis, at, length);
        axis[length] = '\0';
        bool own = quantity->numbers && !at[length];
        int64_t size = own ? quantity->numbers(model, index) : axis_size(model, owner, index, axis);
        if (size == 0)
            return false;
        if (size == 1 && strcmp(axis, "number") == 0)
            *axes = "time";
        else
            dims[(*rank)++] = size;
    }
    return true;
}

// --- reading -------------------------------------------------------------------------------------

static double member(const LitheQuantity *quantity, const void *structure) {
    const char *at = (const char *)structure + quantity->offset;
    switch (quantity->type) {
    case LITHE_MEMBER_REAL:
        return *(const double *)at;
    case LITHE_MEMBER_BOOL:
        return *(const bool *)at;
    default:
        return *(const int32_t *)at;
    }
}

static void read_vector(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    LitheReaction by = part->quantity->exerted(from, part);
    v3_store(*(const Vec3 *)((const char *)&by + part->quantity->offset), out);
}

static void read_part(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const LitheQuantity *quantity = part->quantity;
    if (quantity->place == LITHE_IN_ENERGY)
        *out = member(quantity, from->energy);
    else if (quantity->place == LITHE_IN_REPORT)
        *out = member(quantity, from->report);
    else if (quantity->place == LITHE_IN_FORCES)
        read_vector(from, part, out);
    else
        quantity->read(from, part, out);
}

void lithe_read_parts(LitheReadFrom *from, const LitheFramePart *parts, int32_t count,
                      double *frame) {
    if (parts->owner->read)
        parts->owner->read(from, parts, count, frame);
    else
        for (int32_t k = 0; k < count; k++)
            read_part(from, &parts[k], frame + parts[k].offset);
}

LitheStatus lithe_layout_add_material(const LitheModel *model, LitheLayout *layout,
                                      const char *folder, const char *name, int32_t material,
                                      LitheError *error) {
    char path[512];
    if (material < 0)
        return LITHE_OK;
    snprintf(path, sizeof path, "%s/%s/material", folder, name);
    return lithe_layout_add_text(layout, path, model->material_names[material], error);
}

void lithe_read_values(const double *values, const LitheFramePart *part, double *out) {
    memcpy(out, values, (size_t)part->size * sizeof(double));
}

void lithe_read_lengths(const double *vectors, const LitheFramePart *part, double *out) {
    const double *v = vectors;
    for (int64_t i = 0; i < part->size; i++, v += 3)
        out[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}
