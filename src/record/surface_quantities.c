// SPDX-License-Identifier: Apache-2.0
// record/surface_quantities.c - fine surfaces that solids carry, to be drawn in place of their own

#include "record/quantity.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"

#include <stdio.h>

enum { PATH_CAPACITY = 512 };

static int32_t count(const LitheModel *model) {
    int32_t fine = 0;
    for (int32_t i = 0; i < model->solid_count; i++)
        fine += model->solids[i].fine.point_count > 0;
    return fine;
}

static const LitheSolid *solid_of(const LitheModel *model, int32_t index) {
    for (int32_t i = 0; i < model->solid_count; i++)
        if (model->solids[i].fine.point_count > 0 && index-- == 0)
            return &model->solids[i];
    return NULL;
}

static const char *name(const LitheModel *model, int32_t index) {
    return solid_of(model, index)->fine.name;
}

// (W1) of a vector at the nodes
static void carry(const LitheModel *model, int32_t index, const double *x, double *out) {
    const LitheFineSurface *fine = &solid_of(model, index)->fine;
    for (int32_t i = 0; i < fine->point_count; i++, out += 3)
        v3_store(lithe_fine_point(fine, x, i), out);
}

static LitheSolidId id_of(const LitheModel *model, int32_t index) {
    return (LitheSolidId){(int32_t)(solid_of(model, index) - model->solids) + 1};
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const LitheModel *model = from->model;
    carry(model, part->index, lithe_solid_position(model, from->state, id_of(model, part->index)),
          out);
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    const LitheModel *model = from->model;
    carry(model, part->index, lithe_solid_velocity(model, from->state, id_of(model, part->index)),
          out);
}

static const LitheQuantity quantities[] = {
    {"position", "m", "time point xyz", .always = true, .read = read_position},
    {"velocity", "m/s", "time point xyz", .read = read_velocity},
    {.name = NULL},
};

// "point" is the only axis whose size depends on the surface
static int64_t axis_size(const LitheModel *model, int32_t index, const char *axis) {
    (void)axis;
    return solid_of(model, index)->fine.point_count;
}

static LitheStatus add_constants(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < count(model); i++) {
        const LitheSolid *solid = solid_of(model, i);
        const LitheFineSurface *fine = &solid->fine;
        const int64_t dims[2] = {fine->triangle_count, 3};
        char path[PATH_CAPACITY];
        double *values = lithe_alloc_array(model->context, 3 * dims[0], sizeof *values);
        if (!values)
            return lithe_fail_memory(error, "a recording");
        for (int64_t k = 0; k < 3 * dims[0]; k++)
            values[k] = fine->triangles[k];
        snprintf(path, sizeof path, "surfaces/%s/triangles", fine->name);
        status = lithe_layout_add_constant(layout, path, "1", "triangle corner",
                                           LITHE_COLUMN_INTEGER, 2, dims, values, error);
        lithe_free(model->context, values);
        if (status == LITHE_OK)
            status = lithe_layout_add_material(model, layout, "surfaces", fine->name,
                                               solid->touch.material, error);
    }
    return status;
}

const LitheOwner lithe_surface_owner = {
    .folder = "surfaces",
    .word = "fine surface",
    .quantities = quantities,
    .count = count,
    .name = name,
    .axis_size = axis_size,
    .constants = add_constants,
};
