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

/// Where the mesh of a solid comes from (docs/guide/meshes.md). Bodies other than the box have
/// edges of about `resolution`.
typedef enum LitheSolidMeshKind {
    LITHE_SOLID_MESH_BOX,           ///< `size` about the origin, cut into `divisions`
    LITHE_SOLID_MESH_CYLINDER,      ///< `radius` and `length` along z, centred
    LITHE_SOLID_MESH_TUBE,          ///< a cylinder with a hole of the radius `inner`
    LITHE_SOLID_MESH_SPHERE,        ///< `radius` about the origin
    LITHE_SOLID_MESH_HALF_SPHERE,   ///< the half z >= 0 of a ball of `radius` about the origin
    LITHE_SOLID_MESH_HOLLOW_SPHERE, ///< `radius` about the origin, with a hollow of radius `inner`
    LITHE_SOLID_MESH_ARCH,       ///< `stones` of an arch with `span`, `thickness`, `angle`, `depth`
    LITHE_SOLID_MESH_BELLOWS,    ///< closed, along z, with `folds`, `radius`, `inner`, `length`, ..
    LITHE_SOLID_MESH_FINGER,     ///< box of `size` with `chambers` in a row along x, closed
    LITHE_SOLID_MESH_FILE,       ///< tetrahedra of a .vtk, .msh, .node or .ele file at `path`
    LITHE_SOLID_MESH_SURFACE,    ///< a closed surface, filled: of a .stl or .obj file at `path`, or
                                 ///< points `nodes` and triangles `elements`
    LITHE_SOLID_MESH_TETRAHEDRA, ///< `nodes` and `elements`
} LitheSolidMeshKind;

enum { LITHE_SOLID_MESH_KINDS = LITHE_SOLID_MESH_TETRAHEDRA + 1 };

/// The mesh of a solid; only the fields of its kind are used.
typedef struct LitheSolidMeshDef {
    LitheSolidMeshKind kind;
    LitheVec3 size;      ///< full edges along x, y and z [m]
    LitheVec3 divisions; ///< cells along x, y and z: whole numbers; 0: by the resolution
    double radius;       ///< [m]
    double inner;        ///< radius of the hole of a tube, of a hollow, inside of roots [m]
    double length;       ///< along z; of a bellows with its ends [m]
    double resolution;   ///< wanted length of edges, see LitheSolidElements [m]
    int32_t stones;      ///< of an arch, from 1
    int32_t stone;       ///< 0: all stones; k: stone k alone, from the left
    double span;         ///< distance of the inner corners of an arch [m]
    double thickness;    ///< of an arch, radial; of the wall of a bellows or finger [m]
    double angle;        ///< of an arch at its centre [rad]
    double depth;  ///< of an arch, along y; of each end of a bellows, of the floor of a finger [m]
    int32_t folds; ///< of a bellows, from 1
    int32_t chambers;       ///< of a finger, from 1
    double gap;             ///< between the chambers of a finger; 0: they share walls [m]
    double channel;         ///< width and height of the channel of a finger [m]
    const char *path;       ///< of a file
    double scale;           ///< multiplies the coordinates of a file
    const LitheVec3 *nodes; ///< [node_count] [m]
    int32_t node_count;
    const int32_t *elements;    ///< [element_numbers] indices of nodes, element by element
    int32_t element_numbers;    ///< nodes_per_element times the number of elements
    int32_t nodes_per_element;  ///< 4, or 10: then the midpoints of 01 12 02 03 13 23 follow
    const char *const *groups;  ///< [group_count] names of groups of nodes
    const int32_t *group_sizes; ///< [group_size_count] nodes of each group
    const int32_t *group_nodes; ///< [group_node_count] of all groups, one after the other
    int32_t group_count, group_size_count, group_node_count;
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

/// An axis of the world.
typedef enum LitheAxis { LITHE_AXIS_NONE, LITHE_AXIS_X, LITHE_AXIS_Y, LITHE_AXIS_Z } LitheAxis;

/// What the mesh of a solid shows.
typedef enum LitheSolidRest {
    LITHE_SOLID_REST_BUILT,  ///< the shape at rest, without stress
    LITHE_SOLID_REST_LOADED, ///< the shape in balance under gravity, forces and pressures at the
                             ///< start
} LitheSolidRest;

/// Elements of a solid. Meshes that are given by a size alone (`resolution` of a box or of another
/// simple body) have quadratic ones where nothing is said: nodes at that distance, edges twice as
/// long. Others keep what they have: four nodes, or those of their file.
typedef enum LitheSolidElements {
    LITHE_SOLID_LINEAR,    ///< four nodes (as `false`); edges have the resolution
    LITHE_SOLID_QUADRATIC, ///< ten nodes (as `true`); edges have the resolution
    LITHE_SOLID_BY_SIZE,   ///< see above
} LitheSolidElements;

/// A soft solid. Start from lithe_solid_def_default().
typedef struct LitheSolidDef {
    const char *name;
    LitheMaterialId material; ///< density, friction, contact, damping; young and poisson
    LitheSolidLawKind law;
    double c1, c2, bulk; ///< of Mooney-Rivlin laws [Pa]; all 0: from young and poisson
    LitheSolidMeshDef mesh;
    LitheSolidElements quadratic; ///< elements with ten nodes in place of four
    LitheSolidMass mass;
    LitheSolidVolume volume;
    LitheSolidRest rest;
    LitheVec3 at;                         ///< of the origin of the mesh [m]
    LitheQuat rotation;                   ///< of the mesh, about its origin
    LitheVec3 velocity;                   ///< initial, every node [m/s]
    LitheVec3 angular_velocity;           ///< initial, rigid, about the centre of mass [rad/s]
    LitheAxis plane_strain;               ///< no node moves along this axis
    LitheVec3 acceleration;               ///< force per mass on all of it, with gravity [m/s^2]
    LitheProfileDef acceleration_profile; ///< factor on it over time
    uint32_t group;                       ///< bits of the groups it is in
    uint32_t mask;                        ///< bits of the groups it touches
    bool self_contact;                    ///< whether its surface touches itself
    bool fine; ///< the surface that its mesh was made from is drawn in place of that of the mesh
    bool fine_contact; ///< and touches in its place
    bool face_contact; ///< quadratic faces touch shapes of bodies with their middles, too
} LitheSolidDef;

/// A box of 0.1 m, corotated-lagged, lumped mass; group 1, touching all groups. The material and
/// the divisions or the resolution must be set.
LITHE_API LitheSolidDef lithe_solid_def_default(void);

/// Pressure on a part of the surface of a solid, against the outward normal of the deformed
/// surface.
typedef struct LithePressureDef {
    const char *name;
    LithePlace place; ///< a group or set of nodes of a solid: the faces with all nodes in it
    LitheProfileDef pressure; ///< Pa
} LithePressureDef;

/// Pressure 0; the place must be set.
LITHE_API LithePressureDef lithe_pressure_def_default(void);

/// False when out of memory; lithe_scene_check finds wrong values.
LITHE_API bool lithe_scene_add_pressure(LitheScene *scene, const LithePressureDef *def);

/// A cavity: closed faces around a hollow of a solid, filled by a pressure or a gas.
typedef struct LitheCavityDef {
    const char *name;
    LithePlace place;         ///< a group or set of nodes: the faces with all nodes in it
    LitheProfileDef pressure; ///< above that outside [Pa]; 0 with a gas
    LitheProfileDef gas; ///< absolute pressure of the gas if it had the volume of the start [Pa];
                         ///< constant 0: there is no gas
    double outside;      ///< absolute pressure outside [Pa]
    double exponent;     ///< pressure times volume^exponent is constant: 1 at constant temperature
} LitheCavityDef;

/// Pressure 0, no gas, 101.325 kPa outside, exponent 1; the place must be set.
LITHE_API LitheCavityDef lithe_cavity_def_default(void);

/// {0} when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheCavityId lithe_scene_add_cavity(LitheScene *scene, const LitheCavityDef *def);

/// A change of the natural size of a solid, or of a part of it, over time.
typedef struct LitheSwellDef {
    const char *name;
    LithePlace place; ///< a solid, or a group or set of its nodes: elements with all nodes in it
    LitheProfileDef factor; ///< natural length over that of the mesh, > 0
    LitheVec3 along;        ///< direction in the frame of the mesh; 0: all directions
} LitheSwellDef;

/// Factor 1 in all directions; the place must be set.
LITHE_API LitheSwellDef lithe_swell_def_default(void);

/// False when out of memory; lithe_scene_check finds wrong values.
LITHE_API bool lithe_scene_add_swell(LitheScene *scene, const LitheSwellDef *def);

/// Fibres that stiffen a solid along a direction: in its elements with all nodes in the place; with
/// a thickness or a diameter on its faces there, as a layer or as threads. They have no mass.
typedef struct LitheFibreDef {
    const char *name;
    LithePlace place; ///< a solid, or a group or set of its nodes
    double modulus;   ///< Young's modulus of a fibre [Pa]
    double fraction;  ///< volume of the fibres over that of the elements, or of the layer
    double thickness; ///< of a layer on the faces [m]; 0: none
    double diameter;  ///< of threads on the faces [m]; 0: none
    double spacing;   ///< of neighbouring threads, across them [m]
    LitheVec3 along;  ///< direction in the frame of the mesh, on faces its part in them
    LitheVec3 axis;   ///< instead of along: what they wind about, in the frame of the mesh
    LitheVec3 centre; ///< of fibres in elements: a point of the axis, in the frame of the mesh [m]
    double angle;     ///< between axis and fibre; positive: a right-handed helix
    bool crossed;     ///< a second family has the opposite angle
    bool slack;       ///< they carry no compression
} LitheFibreDef;

/// Fraction 1, angle 0; the place, the modulus and a direction must be set.
LITHE_API LitheFibreDef lithe_fibre_def_default(void);

/// False when out of memory; lithe_scene_check finds wrong values.
LITHE_API bool lithe_scene_add_fibre(LitheScene *scene, const LitheFibreDef *def);

/// {0} when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheSolidId lithe_scene_add_solid(LitheScene *scene, const LitheSolidDef *def);

#ifdef __cplusplus
}
#endif

#endif
