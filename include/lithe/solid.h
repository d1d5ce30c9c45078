// SPDX-License-Identifier: Apache-2.0
// lithe/solid.h - soft solids: meshes of tetrahedra with an elastic law
//
// SI units. Inputs are copied when a def is added to a scene.

#ifndef LITHE_SOLID_H
#define LITHE_SOLID_H

#include "lithe/base.h"
#include "lithe/scene.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Max number of nodes of a scene, in all solids together.
#define LITHE_MAX_SOLID_NODES 10000000

/// Elastic laws (docs/theory/solids.md).
typedef enum LitheSolidLawKind {
    LITHE_SOLID_COROTATED_LAGGED, ///< linear, in frames that rotate with the elements, of the start
                                  ///< of the step: one linear solve per step
    LITHE_SOLID_COROTATED,        ///< linear in frames that rotate with the elements
    LITHE_SOLID_NEO_HOOKEAN,
    LITHE_SOLID_MOONEY_RIVLIN,
    LITHE_SOLID_MOONEY_RIVLIN_ISOCHORIC,
} LitheSolidLawKind;

enum { LITHE_SOLID_LAW_KINDS = LITHE_SOLID_MOONEY_RIVLIN_ISOCHORIC + 1 };

/// Where the mesh of a solid comes from.
typedef enum LitheSolidMeshKind {
    LITHE_SOLID_MESH_BOX, ///< `size` about the origin, cut into `divisions`
} LitheSolidMeshKind;

/// The mesh of a solid; only the fields of its kind are used.
typedef struct LitheSolidMeshDef {
    LitheSolidMeshKind kind;
    LitheVec3 size;      ///< full edges along x, y and z [m]
    LitheVec3 divisions; ///< cells along x, y and z: whole numbers, at least 1
} LitheSolidMeshDef;

/// How the mass of elements is distributed.
typedef enum LitheSolidMass {
    LITHE_SOLID_LUMPED,     ///< to their nodes
    LITHE_SOLID_CONSISTENT, ///< by the shape functions: couples the nodes of an element
} LitheSolidMass;

/// What the volumetric energy of a law is a function of (docs/theory/solids.md).
typedef enum LitheSolidVolume {
    LITHE_SOLID_VOLUME_AUTO,  ///< mean for Poisson's ratios above 0.45, else plain
    LITHE_SOLID_VOLUME_PLAIN, ///< the volume at each quadrature point: locks when incompressible
    LITHE_SOLID_VOLUME_MEAN,  ///< the mean volume of a patch of elements; of a quadratic element
} LitheSolidVolume;

/// A soft solid. Start from lithe_solid_def_default().
typedef struct LitheSolidDef {
    const char *name;
    LitheMaterialId material; ///< density, friction, contact, damping; young and poisson
    LitheSolidLawKind law;
    double c1, c2, bulk; ///< of Mooney-Rivlin laws [Pa]; all 0: from young and poisson
    LitheSolidMeshDef mesh;
    bool quadratic; ///< elements with ten nodes in place of four
    LitheSolidMass mass;
    LitheSolidVolume volume;
    LitheVec3 at;               ///< of the origin of the mesh [m]
    LitheQuat rotation;         ///< of the mesh, about its origin
    LitheVec3 velocity;         ///< initial, every node [m/s]
    LitheVec3 angular_velocity; ///< initial, rigid, about the centre of mass [rad/s]
    uint32_t group;             ///< bits of the groups it is in
    uint32_t mask;              ///< bits of the groups it touches
} LitheSolidDef;

/// A cube of 0.1 m with 4 divisions, neo-Hookean, lumped mass; group 1, touching all groups. The
/// material must be set.
LITHE_API LitheSolidDef lithe_solid_def_default(void);

/// {0} when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheSolidId lithe_scene_add_solid(LitheScene *scene, const LitheSolidDef *def);

#ifdef __cplusplus
}
#endif

#endif
