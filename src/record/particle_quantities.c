// SPDX-License-Identifier: Apache-2.0
// record/particle_quantities.c - recorded quantities of sets of particles

#include "record/quantity.h"

#include "data/model.h"

#include <stdio.h>
#include <string.h>

enum { PATH_CAPACITY = 512 };

static LitheParticlesId id_of(int32_t index) {
    return (LitheParticlesId){index + 1};
}

static void read_position(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_values(lithe_particles_position(from->model, from->state, id_of(part->index)), part,
                      out);
}

static void read_velocity(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_values(lithe_particles_velocity(from->model, from->state, id_of(part->index)), part,
                      out);
}

static void read_speed(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    lithe_read_lengths(lithe_particles_velocity(from->model, from->state, id_of(part->index)), part,
                       out);
}

static const LitheQuantity quantities[] = {
    {"position", "m", "time particle xyz", .always = true, .read = read_position},
    {"velocity", "m/s", "time particle xyz", .read = read_velocity},
    {"speed", "m/s", "time particle", .read = read_speed},
    LITHE_CONTACT_QUANTITY,
    LITHE_CONTACT_LOAD_QUANTITY,
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    return lithe_particles_count(model);
}

static const char *name(const LitheModel *model, int32_t index) {
    return lithe_particles_name(model, id_of(index));
}

static int32_t number_on(const LitheContactSide *side) {
    return side->thing.kind == LITHE_THING_PARTICLES ? side->thing.number : 0;
}

// "particle" is the only axis whose size depends on the set
static int64_t axis_size(const LitheModel *model, int32_t index, const char *axis) {
    (void)axis;
    return lithe_particles_size(model, id_of(index));
}

static LitheStatus add_constants(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    char path[PATH_CAPACITY];
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < count(model); i++) {
        const int64_t particles[1] = {lithe_particles_size(model, id_of(i))};
        snprintf(path, sizeof path, "particles/%s/radius", name(model, i));
        status =
            lithe_layout_add_constant(layout, path, "m", "particle", LITHE_COLUMN_REAL, 1,
                                      particles, lithe_particles_radius(model, id_of(i)), error);
        snprintf(path, sizeof path, "particles/%s/mass", name(model, i));
        if (status == LITHE_OK)
            status =
                lithe_layout_add_constant(layout, path, "kg", "particle", LITHE_COLUMN_REAL, 1,
                                          particles, lithe_particles_mass(model, id_of(i)), error);
        if (status == LITHE_OK)
            status = lithe_layout_add_material(model, layout, "particles", name(model, i),
                                               model->particles[i].touch.material, error);
    }
    return status;
}

const LitheOwner lithe_particles_owner = {
    .folder = "particles",
    .word = "set of particles",
    .quantities = quantities,
    .count = count,
    .name = name,
    .side = number_on,
    .axis_size = axis_size,
    .constants = add_constants,
};
