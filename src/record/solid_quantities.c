// SPDX-License-Identifier: Apache-2.0
// record/solid_quantities.c - recorded quantities of soft solids

#include "record/quantity.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"
#include "data/model.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 512 };

static LitheSolidId id_of(int32_t index) {
    return (LitheSolidId){index + 1};
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_values(lithe_solid_position(from->model, from->state, id_of(part->index)), part,
                      out);
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_values(lithe_solid_velocity(from->model, from->state, id_of(part->index)), part,
                      out);
}

static void read_speed(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_lengths(lithe_solid_velocity(from->model, from->state, id_of(part->index)), part,
                       out);
}

static void read_stress(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_solid_stress(from->model, from->state, id_of(part->index), out);
}

static void read_strain(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_solid_strain(from->model, from->state, id_of(part->index), out);
}

static void read_von_mises(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_solid_von_mises(from->model, from->state, id_of(part->index), out);
}

static void read_equivalent_strain(const LitheReadFrom *from, const LitheFramePart *part,
                                   double *out) {
    lithe_solid_equivalent_strain(from->model, from->state, id_of(part->index), out);
}

static void read_mesh_error(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_solid_mesh_error(from->model, from->state, id_of(part->index), out);
}

static const LitheQuantity quantities[] = {
    {"position", "m", "time node xyz", .always = true, .read = read_position},
    {"velocity", "m/s", "time node xyz", .read = read_velocity},
    {"speed", "m/s", "time node", .read = read_speed},
    {"von-mises", "Pa", "time node", .read = read_von_mises},
    {"equivalent-strain", "1", "time node", .read = read_equivalent_strain},
    {"stress", "Pa", "time element part", .read = read_stress},
    {"strain", "1", "time element part", .read = read_strain},
    {"mesh-error", "1", "time element", .read = read_mesh_error},
    LITHE_CONTACT_QUANTITY,
    LITHE_CONTACT_LOAD_QUANTITY,
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return lithe_solid_count(model);
}

static const char *name(const LitheModel *model, int32_t index) {
    return lithe_solid_name(model, id_of(index));
}

static int32_t number_on(const LitheContactSide *side) {
    return side->thing.kind == LITHE_THING_SOLID ? side->thing.number : 0;
}

static int64_t axis_size(const LitheModel *model, int32_t index, const char *axis) {
    if (strcmp(axis, "part") == 0)
        return 6;
    return strcmp(axis, "element") == 0 ? lithe_solid_element_count(model, id_of(index))
                                        : lithe_solid_node_count(model, id_of(index));
}

// --- constants -----------------------------------------------------------------------------------

static LitheStatus add_real(LitheLayout *layout, const char *solid, const char *what,
                            const char *unit, const char *axes, int32_t rank, const int64_t *dims,
                            const double *values, LitheError *error) {
    char path[PATH_CAPACITY];
    snprintf(path, sizeof path, "solids/%s/%s", solid, what);
    return lithe_layout_add_constant(layout, path, unit, axes, LITHE_COLUMN_REAL, rank, dims,
                                     values, error);
}

// node numbers as a table of whole numbers
static LitheStatus add_nodes(const LitheModel *model, LitheLayout *layout, int32_t index,
                             const char *what, const char *axes, const int32_t *nodes,
                             const int64_t dims[2], LitheError *error) {
    LitheContext *context = model->context;
    char path[PATH_CAPACITY];
    double *values = lithe_alloc_array(context, dims[0] * dims[1], sizeof *values);
    if (!values)
        return lithe_fail_memory(error, "a recording");
    for (int64_t i = 0; i < dims[0] * dims[1]; i++)
        values[i] = nodes[i];
    snprintf(path, sizeof path, "solids/%s/%s", name(model, index), what);
    LitheStatus status = lithe_layout_add_constant(layout, path, "1", axes, LITHE_COLUMN_INTEGER, 2,
                                                   dims, values, error);
    lithe_free(context, values);
    return status;
}

static LitheStatus add_constants(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < count(model); i++) {
        LitheSolidId id = id_of(i);
        const int64_t nodes[1] = {lithe_solid_node_count(model, id)};
        const int64_t triangles[2] = {lithe_solid_triangle_count(model, id), 3};
        const int64_t elements[2] = {lithe_solid_element_count(model, id),
                                     lithe_solid_nodes_per_element(model, id)};
        status = add_real(layout, name(model, i), "mass", "kg", "node", 1, nodes,
                          lithe_solid_mass(model, id), error);
        if (status == LITHE_OK)
            status = add_nodes(model, layout, i, "triangles", "triangle corner",
                               lithe_solid_triangles(model, id), triangles, error);
        if (status == LITHE_OK)
            status = add_nodes(model, layout, i, "elements", "element corner",
                               lithe_solid_elements(model, id), elements, error);
        if (status == LITHE_OK)
            status = lithe_layout_add_material(model, layout, "solids", name(model, i),
                                               model->solids[i].touch.material, error);
    }
    return status;
}

const LitheOwner lithe_solid_owner = {
    .folder = "solids",
    .word = "solid",
    .quantities = quantities,
    .count = count,
    .name = name,
    .side = number_on,
    .axis_size = axis_size,
    .constants = add_constants,
};
