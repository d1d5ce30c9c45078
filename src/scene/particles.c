// SPDX-License-Identifier: Apache-2.0
// scene/particles.c - sets of particles: default, copies, limits

#include "math/vec3.h"
#include "scene/objects.h"

#include "scene/copy.h"

#include <stdio.h>

// --- default and copies --------------------------------------------------------------------------

LitheParticlesDef lithe_particles_def_default(void) {
    return (LitheParticlesDef){
        .radius = 5e-3,
        .group = 1,
        .mask = UINT32_MAX,
        .self_contact = true,
    };
}

// Nothing is copied of a set that is too large: the check reports its count.
bool lithe_copy_particles(LitheContext *context, void *def) {
    LitheParticlesDef *p = def;
    const void *positions;
    int32_t count = p->count <= LITHE_MOST_PARTICLES ? p->count : 0;
    bool ok = lithe_copy_array(context, p->positions, count, sizeof *p->positions, &positions);
    p->positions = positions;
    if (p->radii)
        p->radius = 0; // not used: `radii` has all radii
    if (p->masses)
        p->mass = 0;
    ok = lithe_copy_doubles(context, count, &p->radii) && ok;
    return lithe_copy_doubles(context, count, &p->masses) && ok;
}

void lithe_release_particles(LitheContext *context, void *def) {
    const LitheParticlesDef *p = def;
    lithe_free_const(context, p->positions);
    lithe_free_const(context, p->radii);
    lithe_free_const(context, p->masses);
}

LitheParticlesId lithe_scene_add_particles(LitheScene *scene, const LitheParticlesDef *def) {
    return (LitheParticlesId){lithe_object_add(scene, LITHE_OBJECT_PARTICLES, def)};
}

// --- limits --------------------------------------------------------------------------------------

static bool is_positive(double value) {
    return value > 0 && isfinite(value);
}

// Names are formatted for wrong values only: there may be millions of particles.
static void each(LitheCheck *check, const LitheParticlesDef *p) {
    char name[64];
    for (int32_t i = 0; i < p->count && check->status == LITHE_OK; i++) {
        if (!isfinite(p->positions[i].x) || !isfinite(p->positions[i].y) ||
            !isfinite(p->positions[i].z)) {
            snprintf(name, sizeof name, "positions[%d]", i);
            lithe_check_vector(check, name, p->positions[i], "m");
        }
        if (p->radii && !is_positive(p->radii[i])) {
            snprintf(name, sizeof name, "radii[%d]", i);
            lithe_check_number(check, name, p->radii[i], "m", LITHE_POSITIVE);
        }
        if (p->masses && !is_positive(p->masses[i])) {
            snprintf(name, sizeof name, "masses[%d]", i);
            lithe_check_number(check, name, p->masses[i], "kg", LITHE_POSITIVE);
        }
    }
}

void lithe_check_particles(LitheCheck *check, const void *def) {
    const LitheParticlesDef *p = def;
    int32_t materials = check->scene->material_count;
    if (p->material.number < 0 || p->material.number > materials)
        lithe_check_fail(check, "material", "material is number %d of %d", p->material.number,
                         materials);
    if (p->count > LITHE_MOST_PARTICLES)
        lithe_check_fail(check, "", "has %d particles, the max is %d", p->count,
                         LITHE_MOST_PARTICLES);
    if (p->count < 1 || !p->positions)
        lithe_check_fail(check, "positions", "the number of positions is %d, must be at least 1",
                         p->positions ? p->count : 0);
    if (!p->radii)
        lithe_check_number(check, "radius", p->radius, "m", LITHE_POSITIVE);
    if (!p->masses && p->mass != 0)
        lithe_check_number(check, "mass", p->mass, "kg", LITHE_POSITIVE);
    if (!p->masses && p->mass == 0 && p->material.number == 0)
        lithe_check_fail(check, "", "has neither a material nor a mass, must have one of them");
    if (check->status == LITHE_OK)
        each(check, p);
    lithe_check_vector(check, "velocity", p->velocity, "m/s");
    lithe_check_suspect(check, "velocity", v3_norm(p->velocity), 0, 1000, "m/s");
    if (!p->radii)
        lithe_check_suspect(check, "radius", p->radius, 1e-9, 100, "m");
}

void lithe_check_all_particles(LitheCheck *check) {
    int64_t together = 0;
    for (int32_t i = 0; i < check->scene->particle_set_count && check->status == LITHE_OK; i++) {
        together += check->scene->particles[i].count;
        if (together <= LITHE_MOST_PARTICLES)
            continue;
        lithe_object_select(check, LITHE_OBJECT_PARTICLES, i);
        lithe_check_fail(check, "", "with it the scene has %lld particles, the max is %d",
                         (long long)together, LITHE_MOST_PARTICLES);
    }
}
