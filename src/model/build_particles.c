// SPDX-License-Identifier: Apache-2.0
// model/build_particles.c - sets of particles: masses, positions, holds and loads

#include "base/memory.h"
#include "base/status.h"
#include "model/compile.h"

#include <math.h>
#include <string.h>

static double mass_of(const LitheScene *scene, const LitheParticlesDef *def, int32_t i) {
    double radius = def->radii ? def->radii[i] : def->radius;
    if (def->masses)
        return def->masses[i];
    if (def->mass > 0)
        return def->mass;
    double density = scene->materials[def->material.number - 1].density;
    return density * 4 / 3 * M_PI * radius * radius * radius;
}

static LitheStatus fill(const LitheScene *scene, const LitheParticlesDef *def, LitheParticles *set,
                        LitheError *error) {
    LitheContext *context = scene->context;
    set->count = def->count;
    set->name = lithe_alloc_text(context, def->name);
    set->radius = lithe_alloc_array(context, def->count, sizeof *set->radius);
    set->mass = lithe_alloc_array(context, def->count, sizeof *set->mass);
    set->x0 = lithe_alloc_array(context, def->count, sizeof *set->x0);
    set->held = lithe_alloc_array(context, 3 * (int64_t)def->count, 1);
    if (!set->name || !set->radius || !set->mass || !set->x0 || !set->held)
        return lithe_fail_memory(error, "a set of particles");
    for (int32_t i = 0; i < def->count; i++) {
        set->radius[i] = def->radii ? def->radii[i] : def->radius;
        set->mass[i] = mass_of(scene, def, i);
        set->x0[i] = def->positions[i];
    }
    set->v0 = def->velocity;
    set->self_contact = def->self_contact;
    set->touch = lithe_touch_of(scene, def->material, def->group, def->mask);
    // a particle has no rotation that torques could resist
    set->touch.torsional = set->touch.rolling = 0;
    set->touch.turns = false;
    if (def->material.number > 0)
        set->damping_mass = scene->materials[def->material.number - 1].damping_mass;
    return LITHE_OK;
}

LitheStatus lithe_build_point_holds(const LitheScene *scene, LitheModel *model,
                                    LitheMembers *members, bool again, unsigned char *held,
                                    LitheError *error) {
    LitheNumbers holds = lithe_acting_on(members->acting, &members->acting->holds, members->thing);
    for (int32_t j = 0; j < holds.count; j++) {
        int32_t k = holds.list[j];
        const LitheHoldDef *hold = &scene->holds[k];
        LitheStatus status =
            lithe_members_find(scene, &hold->place, "hold", hold->name, members, error);
        if (status != LITHE_OK)
            return status;
        for (int32_t i = 0; i < members->count; i++) {
            unsigned char *own = &held[3 * (int64_t)members->list[i]];
            uint32_t mask = 0;
            for (int c = 0; c < 3; c++)
                if (hold->bits & (LITHE_HOLD_X << c)) {
                    if (own[c] && !again)
                        return lithe_members_clash(scene, members, "hold", hold->name,
                                                   members->list[i], error);
                    mask |= own[c] ? 0 : LITHE_HOLD_X << c;
                    own[c] = 1;
                }
            if (mask && !lithe_hold_add(model, k, members->thing, members->list[i], mask))
                return lithe_fail_memory(error, "the nodes of a hold");
        }
    }
    return LITHE_OK;
}

LitheStatus lithe_build_point_loads(const LitheScene *scene, LitheMembers *members,
                                    LitheLoad **loads, int32_t *count, int32_t *capacity,
                                    LitheError *error) {
    LitheNumbers forces =
        lithe_acting_on(members->acting, &members->acting->forces, members->thing);
    for (int32_t k = 0; k < forces.count; k++) {
        const LitheForceDef *def = &scene->forces[forces.list[k]];
        LitheStatus status =
            lithe_members_find(scene, &def->place, "force", def->name, members, error);
        if (status != LITHE_OK)
            return status;
        if (!LITHE_RESERVE(scene->context, *loads, *capacity, (int64_t)*count + members->count))
            return lithe_fail_memory(error, "the forces");
        for (int32_t i = 0; i < members->count; i++) {
            LitheLoad *load = &(*loads)[(*count)++];
            *load = (LitheLoad){.node = members->list[i], .force = def->force};
            if (!lithe_profile_copy(scene->context, &def->profile, &load->profile))
                return lithe_fail_memory(error, "a force");
        }
    }
    return LITHE_OK;
}

LitheStatus lithe_build_particles(const LitheScene *scene, const LitheActing *acting,
                                  LitheModel *model, LitheError *error) {
    LitheStatus status = LITHE_OK;
    model->particles =
        lithe_alloc_array(scene->context, scene->particle_set_count, sizeof *model->particles);
    if (!model->particles)
        return lithe_fail_memory(error, "the particles");
    while (status == LITHE_OK && model->particles_count < scene->particle_set_count) {
        int32_t index = model->particles_count++;
        LitheParticles *set = &model->particles[index];
        status = fill(scene, &scene->particles[index], set, error);
        LitheMembers members = {.thing = {LITHE_THING_PARTICLES, index + 1},
                                .acting = acting,
                                .points = set->x0,
                                .count_of = set->count};
        if (status == LITHE_OK)
            status = lithe_build_point_holds(scene, model, &members, false, set->held, error);
        if (status == LITHE_OK)
            status = lithe_build_point_loads(scene, &members, &set->loads, &set->load_count,
                                             &set->load_capacity, error);
        lithe_members_free(scene->context, &members);
    }
    return status;
}

void lithe_particles_state(const LitheModel *model, LitheState *state) {
    for (int32_t k = 0; k < model->particles_count; k++) {
        const LitheParticles *set = &model->particles[k];
        double *q = state->q + model->units[set->unit].q_at;
        double *v = state->v + model->units[set->unit].v_at;
        for (int64_t i = 0; i < set->count; i++) {
            v3_store(set->x0[i], q + 3 * i);
            v3_store(set->v0, v + 3 * i);
        }
        for (int64_t i = 0; i < 3 * (int64_t)set->count; i++)
            v[i] = set->held[i] ? 0 : v[i];
    }
}

void lithe_particles_free(LitheModel *model) {
    for (int32_t k = 0; model->particles && k < model->particles_count; k++) {
        LitheParticles *set = &model->particles[k];
        for (int32_t i = 0; i < set->load_count; i++)
            lithe_profile_free(model->context, &set->loads[i].profile);
        void *blocks[] = {set->name, set->radius, set->mass, set->x0, set->held, set->loads};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
            lithe_free(model->context, blocks[i]);
    }
    lithe_free(model->context, model->particles);
}
