// SPDX-License-Identifier: Apache-2.0
// lithe/scene.h - describe a world: materials, rods, sets, holds, drives, forces, time
//
// Fill a def that starts from its lithe_..._def_default(), add it, keep the id. Defs are copied
// with everything they point to, so they can live on the stack. SI units and radians throughout.
// Scene files use the same names (docs/scene-format.md): a scene built here and one loaded from a
// file are equal.

#ifndef LITHE_SCENE_H
#define LITHE_SCENE_H

#include "lithe/base.h"
#include "lithe/shape.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Description of a world: the content of a scene file.
typedef struct LitheScene LitheScene;

/// Ids in a scene; {0} is none.
typedef struct LitheMaterialId {
    int32_t number;
} LitheMaterialId;
typedef struct LitheRodId {
    int32_t number;
} LitheRodId;
typedef struct LitheHoldId {
    int32_t number;
} LitheHoldId;
typedef struct LitheDriveId {
    int32_t number;
} LitheDriveId;
typedef struct LitheParticlesId {
    int32_t number;
} LitheParticlesId;
typedef struct LitheSolidId {
    int32_t number;
} LitheSolidId;
typedef struct LitheCavityId {
    int32_t number;
} LitheCavityId;
typedef struct LitheSetId {
    int32_t number;
} LitheSetId;

/// Kinds of things: what a user adds to a scene that moves or can touch.
typedef enum LitheThingKind {
    LITHE_THING_WORLD, ///< never moves
    LITHE_THING_ROD,
    LITHE_THING_BODY,      ///< a rigid body
    LITHE_THING_PARTICLES, ///< a set of particles
    LITHE_THING_SOLID,     ///< a soft solid
} LitheThingKind;

/// How many kinds there are, with the world.
enum { LITHE_THING_KINDS = LITHE_THING_SOLID + 1 };

/// A thing of any kind; {0} is the world, or none.
typedef struct LitheThing {
    LitheThingKind kind;
    int32_t number; ///< its id among those of its kind, from 1
} LitheThing;

/// The thing that an id names; of a body: lithe_thing_body (lithe/rigid.h).
static inline LitheThing lithe_thing_rod(LitheRodId rod) {
    LitheThing thing = {LITHE_THING_ROD, rod.number};
    return thing;
}
static inline LitheThing lithe_thing_particles(LitheParticlesId particles) {
    LitheThing thing = {LITHE_THING_PARTICLES, particles.number};
    return thing;
}
static inline LitheThing lithe_thing_solid(LitheSolidId solid) {
    LitheThing thing = {LITHE_THING_SOLID, solid.number};
    return thing;
}

// --- a number that changes in time ---------------------------------------------------------------

/// Interpolation of a profile between table points.
typedef enum LitheProfileKind {
    LITHE_PROFILE_LINEAR, ///< linear between table points, constant outside
    LITHE_PROFILE_SMOOTH, ///< the same with ease in and out (3 s^2 - 2 s^3) between points
    LITHE_PROFILE_HOLD,   ///< piecewise constant: the value of the last table point
} LitheProfileKind;

/// value(t) = table(t) + rate t + amplitude sin(2 pi frequency t + phase).
/// Without a table (count 0) table(t) is the constant `value`.
typedef struct LitheProfileDef {
    double value;
    LitheProfileKind kind;
    const double *times; ///< [count] s, strictly increasing
    const double *values;
    int32_t count;
    double rate; ///< 1/s times the unit of the value
    double amplitude;
    double frequency; ///< Hz
    double phase;     ///< rad
} LitheProfileDef;

/// The constant 0.
LITHE_API LitheProfileDef lithe_profile_def_default(void);

// --- materials and sections ----------------------------------------------------------------------

/// A linear elastic material.
typedef struct LitheMaterialDef {
    const char *name;
    double young;               ///< Pa, > 0
    double poisson;             ///< -1 < nu <= 0.5
    double shear;               ///< Pa; 0: young/(2 (1 + poisson))
    double density;             ///< kg/m^3, > 0
    double damping_mass;        ///< Rayleigh alpha, 1/s, >= 0
    double damping_stiffness;   ///< Rayleigh beta, s, >= 0; acts on strain rates
                                ///< (docs/theory/rods.md)
    double friction;            ///< Coulomb coefficient, >= 0
    double contact_stiffness;   ///< of a point contact [N/m]; 0: from modulus, size and weight
    double contact_dissipation; ///< Hunt-Crossley [s/m], >= 0
    double torsional_friction;  ///< moment about the normal over the normal force [m], >= 0
    double rolling_friction;    ///< rolling moment over the normal force [m], >= 0
    double patch_modulus;       ///< of the pressure field in patches [Pa], > 0; NAN: none, rigid
    double patch_dissipation;   ///< of patches, Hunt-Crossley [s/m], >= 0
    int32_t patch_sectors;      ///< sectors of circles in patches; 0: 32
    double yield;               ///< von Mises stress above which rods are warned of [Pa]; 0: none
    double strain_limit;        ///< strain above which rods are warned of; 0: none, which is 0.2
} LitheMaterialDef;

/// Rubber-like: 1 MPa, 0.5, 1000 kg/m^3, no damping; friction 0.5, contact stiffness from the
/// modulus, contact dissipation 10 s/m; no pressure field.
LITHE_API LitheMaterialDef lithe_material_def_default(void);

/// Contact properties of a pair of materials, in place of those combined from the two materials.
/// NAN: keeps the combined value.
typedef struct LitheMaterialPairDef {
    const char *name;
    LitheMaterialId a, b;      ///< may be the same
    double friction;           ///< Coulomb coefficient, >= 0
    double stiffness;          ///< of a point contact [N/m], > 0
    double dissipation;        ///< Hunt-Crossley [s/m], >= 0
    double torsional_friction; ///< moment about the normal over the normal force [m], >= 0
    double rolling_friction;   ///< rolling moment over the normal force [m], >= 0
} LitheMaterialPairDef;

/// All values combined from the materials (NAN); both materials must be set.
LITHE_API LitheMaterialPairDef lithe_material_pair_def_default(void);

/// Kinds of cross-sections.
typedef enum LitheSectionKind {
    LITHE_SECTION_CIRCLE,    ///< `radius`
    LITHE_SECTION_RECTANGLE, ///< `width` along the director m1, `height` along m2 (full sizes)
    LITHE_SECTION_ELLIPSE,   ///< the same, full axes
    LITHE_SECTION_STIFFNESS, ///< EA, EI1, EI2, GJ and mass per length; `radius` for contact
                             ///< and drawing
} LitheSectionKind;

/// A cross-section; only the fields of its kind are used.
typedef struct LitheSectionDef {
    LitheSectionKind kind;
    double radius;          ///< m
    double width;           ///< m
    double height;          ///< m
    double EA;              ///< N
    double EI1;             ///< N m^2, bending towards m1
    double EI2;             ///< N m^2, bending towards m2
    double GJ;              ///< N m^2; 0: 2/3 of the smaller EI
    double mass_per_length; ///< kg/m
    union {
        double rotary_inertia_per_length; ///< kg m; 0: mass_per_length radius^2/2
        double spin_per_length;           ///< the older name of rotary_inertia_per_length
    };
    double damping_mass;      ///< for LITHE_SECTION_STIFFNESS without a material
    double damping_stiffness; ///< for LITHE_SECTION_STIFFNESS without a material
    double strength;          ///< LITHE_SECTION_STIFFNESS: tension above which the rod is warned of
                              ///< [N]; 0: none
    double strain_limit;      ///< LITHE_SECTION_STIFFNESS: as of a material
} LitheSectionDef;

// --- rods ----------------------------------------------------------------------------------------

/// Stress-free state of a rod.
typedef enum LitheNaturalKind {
    LITHE_NATURAL_STRAIGHT,  ///< unbent and untwisted when free (lengths as built)
    LITHE_NATURAL_AS_SHAPED, ///< the initial curve is the unstressed one
} LitheNaturalKind;

/// A rod. Start from lithe_rod_def_default().
typedef struct LitheRodDef {
    const char *name;
    LitheMaterialId material; ///< none only with LITHE_SECTION_STIFFNESS
    LitheSectionDef section;
    LitheShapeDef shape;
    int32_t nodes;      ///< 0: the points of a polyline or file
    bool clamp_start;   ///< hold position and frame at the midpoint of the first edge
    bool clamp_end;     ///< hold position and frame at the midpoint of the last edge
    LitheVec3 director; ///< m1 at the start, projected perpendicular to the tangent; 0: automatic
    double twist;       ///< total initial twist, uniform [rad]
    LitheNaturalKind natural;
    double natural_curvature1; ///< added everywhere, bending towards m1 [1/m]
    double natural_curvature2; ///< added everywhere, bending towards m2 [1/m]
    double natural_twist;      ///< added everywhere [rad/m]
    double natural_stretch;    ///< rest length over built length, > 0; 0.95: pretensioned by 5 %
    const double *node_curvature1; ///< [node_count] further additions per node [1/m], or NULL
    const double *node_curvature2; ///< [node_count] further additions per node [1/m], or NULL
    const double *node_twist;      ///< [node_count] rad/m, or NULL
    const double *edge_stretch;    ///< [edge_count] factors on the rest lengths, or NULL
    int32_t node_value_count;      ///< length of the node arrays that are given
    int32_t edge_value_count;      ///< length of edge_stretch
    LitheVec3 velocity;            ///< initial, every node [m/s]
    union {
        LitheVec3 angular_velocity; ///< initial, rigid, about the centre of mass [rad/s]
        LitheVec3 spin;             ///< the older name of angular_velocity
    };
    double drag_normal;  ///< viscous force per length and speed, normal to the rod [Pa s]
    double drag_tangent; ///< the same along the rod [Pa s]
    uint32_t group;      ///< bits of the groups it is in
    uint32_t mask;       ///< bits of the groups it touches
    bool self_contact;   ///< whether it touches itself
} LitheRodDef;

/// A circular section of 5 mm radius, a line of 1 m along x, 101 nodes; group 1, touching all
/// groups and itself.
LITHE_API LitheRodDef lithe_rod_def_default(void);

// --- parts of space ------------------------------------------------------------------------------

/// Kinds of regions; points on their surface belong to them.
typedef enum LitheRegionKind {
    LITHE_REGION_LIST,     ///< no region: members are listed by number
    LITHE_REGION_BOX,      ///< from corner `a` to corner `b`, aligned with the axes
    LITHE_REGION_SPHERE,   ///< centre `a`, radius `size`
    LITHE_REGION_PLANE,    ///< through `a` with normal `b`, half of `size` to each side
    LITHE_REGION_CYLINDER, ///< axis from `a` to `b`, radius `size`
} LitheRegionKind;

/// A part of space.
typedef struct LitheRegionDef {
    LitheRegionKind kind;
    LitheVec3 a;
    LitheVec3 b;
    double size; ///< m
} LitheRegionDef;

/// What the members of a set are.
typedef enum LitheSetWhat {
    LITHE_SET_VERTICES, ///< nodes of a rod or solid, particles
    LITHE_SET_EDGES,    ///< of a rod
    LITHE_SET_FACES,    ///< of things with a surface: not of rods and particles
} LitheSetWhat;

/// Some vertices, edges or faces of a thing, for holds and loads. A region selects from the thing
/// as built; all vertices of an edge or face must be in the region.
typedef struct LitheSetDef {
    const char *name;
    LitheThing of; ///< a rod, particles or a solid
    LitheSetWhat what;
    LitheRegionDef region;
    const int32_t *list; ///< [count] LITHE_REGION_LIST: members, from 0; negative: from the end
    int32_t count;
} LitheSetDef;

/// Vertices from a list; the list and the thing must be set.
LITHE_API LitheSetDef lithe_set_def_default(void);

// --- holds, drives and forces --------------------------------------------------------------------

/// How a place is given.
typedef enum LithePlaceKind {
    LITHE_PLACE_NODE,     ///< `node`, from 0; negative counts from the end (-1 is the last)
    LITHE_PLACE_FRACTION, ///< the node nearest to `fraction` of the rod's length, 0 to 1
    LITHE_PLACE_SET,      ///< all members of `set`; for holds, forces, and welds of solids
    LITHE_PLACE_GROUP,    ///< all nodes of the group `group` of the mesh of a solid, of "" all its
                          ///< nodes; for holds, drives, forces, pressures, cavities, swells
                          ///< and fibres
    LITHE_PLACE_INSIDE,   ///< a material point in a solid: `at` of the anchor; for constraints
    LITHE_PLACE_MEETING,  ///< the point of a solid where the other place is; for constraints
} LithePlaceKind;

enum { LITHE_GROUP_BYTES = 64 }; ///< of the name of a group, with its end

/// A node of a rod or solid, or one particle of a set. Frames and twists are those of the edge that
/// leaves the node (last node: enters it).
typedef struct LithePlace {
    LitheThing thing; ///< lithe_thing_rod, lithe_thing_particles, lithe_thing_solid; not used with
                      ///< a set
    LithePlaceKind kind;
    int32_t node;    ///< node of the rod or solid, or index of the particle
    double fraction; ///< of rods
    LitheSetId set;
    char group[LITHE_GROUP_BYTES];
} LithePlace;

/// What a hold keeps fixed.
typedef enum LitheHoldBits {
    LITHE_HOLD_X = 1,
    LITHE_HOLD_Y = 2,
    LITHE_HOLD_Z = 4,
    LITHE_HOLD_POSITION = 7,
    LITHE_HOLD_TWIST = 8,
    LITHE_HOLD_CLAMP = 16, ///< both nodes of the edge and its twist
} LitheHoldBits;

/// A hold: a place, or some of its directions, that does not move.
typedef struct LitheHoldDef {
    const char *name;
    LithePlace place;
    uint32_t bits; ///< LitheHoldBits
} LitheHoldDef;

/// The position of the first node; the thing must be set.
LITHE_API LitheHoldDef lithe_hold_def_default(void);

/// What a drive moves.
typedef enum LitheDriveKind {
    LITHE_DRIVE_POSITION, ///< the node follows start + motion(t) direction
    LITHE_DRIVE_TWIST,    ///< the edge's twist follows start + turn(t), about its own tangent
    LITHE_DRIVE_CLAMP,    ///< the edge moves as a rigid body: by motion(t) direction and by turn(t)
                          ///< about `axis` through its midpoint; exact only
} LitheDriveKind;

/// A drive: a place with a prescribed motion.
typedef struct LitheDriveDef {
    const char *name;
    LithePlace place;
    LitheDriveKind kind;
    LitheVec3 direction;    ///< of motion; normalised
    bool outward;           ///< direction is away from the rod's other end, as built
    LitheProfileDef motion; ///< m
    LitheVec3 axis;         ///< of turn(t) of a clamp; 0: the tangent of the edge as built
    LitheProfileDef turn;   ///< rad
    double stiffness;       ///< PD spring towards the target [N/m or N m/rad]; 0: exact
    double damping;         ///< PD damping [N s/m or N m s/rad]
    bool along_only;        ///< act along `direction` only; needs a stiffness
} LitheDriveDef;

/// An exact position drive without motion; the thing must be set.
LITHE_API LitheDriveDef lithe_drive_def_default(void);

/// Dead load: force and moment keep their direction in space and are multiplied by profile(t).
typedef struct LitheForceDef {
    const char *name;
    LithePlace place; ///< also a body: place.thing is lithe_thing_body
    LitheVec3 at;     ///< of a body: where the force acts, in the body's frame [m]
    LitheVec3 force;  ///< N, on the node, or on each vertex of the set
    LitheVec3 moment; ///< N m, on the edge of the place, or on each edge of the set
    LitheProfileDef profile;
} LitheForceDef;

/// Profile constant 1.
LITHE_API LitheForceDef lithe_force_def_default(void);

/// Adds profile(t) times the given values to the natural state of a rod during a run.
typedef struct LitheNaturalDriveDef {
    const char *name;
    LitheRodId rod;
    double curvature1; ///< 1/m
    double curvature2; ///< 1/m
    double twist;      ///< rad/m
    double stretch;    ///< relative change of the rest lengths: 0.1 is 10 % longer at profile 1
    const double *node_curvature1; ///< [node_count] added to the uniform values, or NULL
    const double *node_curvature2;
    const double *node_twist;
    const double *edge_stretch;
    int32_t node_value_count;
    int32_t edge_value_count;
    LitheProfileDef profile;
} LitheNaturalDriveDef;

/// No change; profile constant 1.
LITHE_API LitheNaturalDriveDef lithe_natural_drive_def_default(void);

// --- time, gravity, recording --------------------------------------------------------------------

/// Time integrators (docs/theory/time.md).
typedef enum LitheScheme {
    LITHE_SCHEME_BACKWARD_EULER,    ///< robust, damps fast motion, first order
    LITHE_SCHEME_MIDPOINT,          ///< conserves momentum, second order
    LITHE_SCHEME_SYMPLECTIC,        ///< explicit; the step must resolve the stiffest wave
    LITHE_SCHEME_STATIC,            ///< each step is an equilibrium under the loads of its time,
                                    ///< slips measured from the equilibrium before
    LITHE_SCHEME_TR_BDF2,           ///< two implicit stages: second order, damps only fast motion
    LITHE_SCHEME_AUTO,              ///< TR-BDF2, or what the contact model needs
    LITHE_SCHEME_LINEARLY_IMPLICIT, ///< contact model lcp: springs and dampers implicit, one solve
    LITHE_SCHEME_SEMI_IMPLICIT,     ///< contact model lcp: all forces at the start of the step
    LITHE_SCHEME_RK23, ///< contact model lcp: Bogacki-Shampine substeps between contacts
    LITHE_SCHEME_COUNT,
} LitheScheme;

/// "backward-euler", .. as in scene files; "" for a number that is none. Belongs to the library.
LITHE_API const char *lithe_scheme_name(LitheScheme scheme);

/// Where a run starts.
typedef enum LitheStart {
    LITHE_START_AS_BUILT,
    LITHE_START_EQUILIBRIUM, ///< find the equilibrium under the loads of t = 0 first
} LitheStart;

/// What static steps advance by.
typedef enum LitheFollow {
    LITHE_FOLLOW_LOADS,      ///< the time of loads and targets
    LITHE_FOLLOW_ARC_LENGTH, ///< the length of the path of equilibria, also through limit points
} LitheFollow;

/// Time step, end and integrator.
typedef struct LitheTimeDef {
    double step;           ///< s, > 0; with min_step the largest step
    double min_step;       ///< s; > 0: the step adapts, between this and `step`; 0: it is fixed
    double step_tolerance; ///< allowed error of positions per adaptive step [m]; 0: chosen for
                           ///< each unit, from its edges or its size
    double end;            ///< s, > 0
    LitheScheme scheme;
    LitheStart start;
    double tolerance;       ///< of the momentum residual, relative to the momenta
    int32_t max_iterations; ///< max Newton iterations per step; beyond, the step is not converged
    int32_t
        max_unconverged;    ///< steps in a row that may fail to converge before a run stops; 0: any
    double max_energy_gain; ///< energy that may come from nothing before a run stops, over the
                            ///< largest energy so far; 0: any
    int32_t max_work;       ///< work of one step before a run stops, in iterations of the whole
                            ///< scene; 0: any
    LitheFollow follow;     ///< only with LITHE_SCHEME_STATIC
    double arc; ///< arc length of a step [m]; 0: that of the first step, whose loads advance by
                ///< `step`
} LitheTimeDef;

/// In the order of the fields: 1 ms, fixed, 1 s, auto, as built, 1e-9, 50; 20, 1; loads, 0.
LITHE_API LitheTimeDef lithe_time_def_default(void);

/// Whether knots, links and writhe of rods are computed at every frame.
typedef enum LitheTopologyRequest {
    LITHE_TOPOLOGY_AUTO,   ///< of rods of up to 1000 edges, where things can touch
    LITHE_TOPOLOGY_ALWAYS, ///< of all rods, at any cost
    LITHE_TOPOLOGY_NEVER,
} LitheTopologyRequest;

/// The older name of LitheTopologyRequest.
typedef LitheTopologyRequest LitheTopologyWish;

/// What a run records.
typedef struct LitheRecordDef {
    double every;            ///< s between frames; 0: every step
    const char *const *also; ///< [also_count] further quantities: "rope.moment", "rope.velocity"
    int32_t also_count;
    LitheTopologyRequest topology; ///< when to compute and record topology
} LitheRecordDef;

/// Every 10 ms.
LITHE_API LitheRecordDef lithe_record_def_default(void);

// --- the scene -----------------------------------------------------------------------------------

/// NULL when out of memory. Gravity is 9.81 m/s^2 along -z.
LITHE_API LitheScene *lithe_scene_create(LitheContext *context);

/// Accepts NULL.
LITHE_API void lithe_scene_destroy(LitheScene *scene);

/// Each returns {0} or false when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheMaterialId lithe_scene_add_material(LitheScene *scene, const LitheMaterialDef *def);
LITHE_API bool lithe_scene_add_material_pair(LitheScene *scene, const LitheMaterialPairDef *def);
LITHE_API LitheRodId lithe_scene_add_rod(LitheScene *scene, const LitheRodDef *def);
LITHE_API LitheSetId lithe_scene_add_set(LitheScene *scene, const LitheSetDef *def);
LITHE_API LitheDriveId lithe_scene_add_drive(LitheScene *scene, const LitheDriveDef *def);
LITHE_API bool lithe_scene_add_hold(LitheScene *scene, const LitheHoldDef *def);
LITHE_API bool lithe_scene_add_force(LitheScene *scene, const LitheForceDef *def);
LITHE_API bool lithe_scene_add_natural_drive(LitheScene *scene, const LitheNaturalDriveDef *def);
LITHE_API bool lithe_scene_set_title(LitheScene *scene, const char *title);
/// Values outside of their typical ranges are intended: no warnings about them.
LITHE_API void lithe_scene_set_allow_unusual(LitheScene *scene, bool allow);
LITHE_API void lithe_scene_set_gravity(LitheScene *scene, LitheVec3 gravity);
LITHE_API void lithe_scene_set_time(LitheScene *scene, const LitheTimeDef *def);
LITHE_API bool lithe_scene_set_record(LitheScene *scene, const LitheRecordDef *def);

/// Reports the first wrong value, in a message with object, field, limit and value, and with file,
/// line and column when the scene came from a file. lithe_compile calls it too.
LITHE_API LitheStatus lithe_scene_check(const LitheScene *scene, LitheError *error);

/// Reads a scene file. `overrides` are "path=value" as given to `lithe run --set`
/// ("rods.rope.section.circle.radius=2mm", "parameters.speed=1 m/s"). The scene has been checked.
LITHE_API LitheStatus lithe_scene_load(LitheContext *context, const char *path,
                                       const char *const *overrides, int32_t override_count,
                                       LitheScene **scene, LitheError *error);

/// The same from memory. `name` replaces the file name in messages; `folder` is searched for
/// includes and files (NULL: the scene may name none).
LITHE_API LitheStatus lithe_scene_parse(LitheContext *context, const char *text, size_t length,
                                        const char *name, const char *folder,
                                        const char *const *overrides, int32_t override_count,
                                        LitheScene **scene, LitheError *error);

/// Writes the scene as YAML in SI units, complete (includes, parameters and point files resolved):
/// parsing it gives the same scene to the last bit. Free the text with lithe_text_free.
LITHE_API LitheStatus lithe_scene_write(const LitheScene *scene, char **text, LitheError *error);
LITHE_API void lithe_text_free(LitheContext *context, char *text);

#ifdef __cplusplus
}
#endif

#endif
