// SPDX-License-Identifier: Apache-2.0
// lithe/particles.h - sets of balls without rotation: grains, beads, shot
//
// SI units. Inputs are copied when a def is added to a scene.

#ifndef LITHE_PARTICLES_H
#define LITHE_PARTICLES_H

#include "lithe/base.h"
#include "lithe/scene.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Max number of particles of a scene, in all sets together. LITHE_MOST_PARTICLES is the older
/// name.
#define LITHE_MAX_PARTICLES 10000000
#define LITHE_MOST_PARTICLES LITHE_MAX_PARTICLES

/// A set of particles. Start from lithe_particles_def_default().
typedef struct LitheParticlesDef {
    const char *name;
    LitheMaterialId material;   ///< contact law and density; none: mass must be given
    const LitheVec3 *positions; ///< [count] m
    int32_t count;
    double radius;        ///< of each [m], > 0
    double mass;          ///< of each [kg]; 0: density times the volume of the ball
    const double *radii;  ///< [count] in place of radius, or NULL
    const double *masses; ///< [count] in place of mass, or NULL
    LitheVec3 velocity;   ///< initial, of each [m/s]
    uint32_t group;       ///< bits of the groups they are in
    uint32_t mask;        ///< bits of the groups they touch
    bool self_contact;    ///< whether they touch each other
} LitheParticlesDef;

/// Radius 5 mm, at rest; group 1, touching all groups and each other. Positions and a material or a
/// mass must be set.
LITHE_API LitheParticlesDef lithe_particles_def_default(void);

/// {0} when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheParticlesId lithe_scene_add_particles(LitheScene *scene,
                                                     const LitheParticlesDef *def);

#ifdef __cplusplus
}
#endif

#endif
