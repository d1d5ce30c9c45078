// SPDX-License-Identifier: Apache-2.0
// lithe/constraint.h - constraints between any two things, chains of capsules, contact settings
//
// SI units, radians. Inputs are copied when a def is added to a scene.

#ifndef LITHE_CONSTRAINT_H
#define LITHE_CONSTRAINT_H

#include "lithe/base.h"
#include "lithe/rigid.h"
#include "lithe/scene.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Id of a constraint in a scene and its model; {0} is none.
typedef struct LitheConstraintId {
    int32_t number;
} LitheConstraintId;

// --- places on rods, bodies, particles, solids and the world -------------------------------------

/// Kinds of anchors.
typedef enum LitheAnchorKind {
    LITHE_ANCHOR_WORLD, ///< point `at` of the world
    LITHE_ANCHOR_ROD,   ///< `place` on the centreline; a fraction gives the exact point on its edge
    LITHE_ANCHOR_BODY,  ///< `at` in the frame of `body`
    LITHE_ANCHOR_PARTICLES, ///< `place` is one of a set of particles
    LITHE_ANCHOR_SOLID,     ///< `place` is a node of a soft solid, or a point in it
} LitheAnchorKind;

/// A place with a frame: that of the world, of the body, or of the edge of the rod (x and y are its
/// directors m1 and m2, z its tangent), turned by `rotation`. A particle and a
/// node or point of a solid have no frame.
typedef struct LitheAnchor {
    LitheAnchorKind kind;
    LithePlace place; ///< rod: a node has the frame of the edge after it, the last node that of the
                      ///< edge before it
    LitheBodyId body;
    LitheVec3 at; ///< m; 0 on a rod, a particle and a node of a solid; LITHE_PLACE_INSIDE: where
                  ///< the point of the solid is at the start, in the world
    LitheQuat rotation;
} LitheAnchor;

/// The origin of the world.
LITHE_API LitheAnchor lithe_anchor_default(void);

/// Node of a rod (negative: from the end), and the point at a fraction of its length.
LITHE_API LitheAnchor lithe_anchor_node(LitheRodId rod, int32_t node);
LITHE_API LitheAnchor lithe_anchor_fraction(LitheRodId rod, double fraction);

/// One of a set of particles (negative: from the end).
LITHE_API LitheAnchor lithe_anchor_particle(LitheParticlesId particles, int32_t index);

/// A node of a soft solid (negative: from the end).
LITHE_API LitheAnchor lithe_anchor_solid(LitheSolidId solid, int32_t node);

/// The material point of a soft solid that is at `at` at the start, in the world.
LITHE_API LitheAnchor lithe_anchor_inside(LitheSolidId solid, LitheVec3 at);

/// A point of a body, in its frame; a point of the world.
LITHE_API LitheAnchor lithe_anchor_body(LitheBodyId body, LitheVec3 at);
LITHE_API LitheAnchor lithe_anchor_world(LitheVec3 at);

// --- constraints ---------------------------------------------------------------------------------

/// What a constraint enforces between its two places.
typedef enum LitheConstraintKind {
    LITHE_CONSTRAINT_ATTACH,       ///< positions coincide; a group of nodes: a bed of springs
    LITHE_CONSTRAINT_WELD,         ///< positions and frames coincide
    LITHE_CONSTRAINT_DISTANCE,     ///< their distance is `length`
    LITHE_CONSTRAINT_ROPE,         ///< their distance is at most `length`
    LITHE_CONSTRAINT_STRUT,        ///< their distance is at least `length`
    LITHE_CONSTRAINT_HINGE_SPRING, ///< frames only, aligned by a rotational spring:
                                   ///< `bend_stiffness` about axes perpendicular to z of a,
                                   ///< `twist_stiffness` about z of a
    LITHE_CONSTRAINT_TENDON,       ///< a cord from a through the places `via` to b, which slides
                                   ///< through them without friction; pulls only: with `tension`,
                                   ///< or as its length exceeds `length` - `shortening`
} LitheConstraintKind;

/// What a constraint keeps of the positions of its places.
typedef enum LitheKeptPlaces {
    LITHE_KEEPS_NO_PLACE,
    LITHE_KEEPS_OFFSET,   ///< of b in the frame of a
    LITHE_KEEPS_DISTANCE, ///< from a to b
    LITHE_KEEPS_PATH,     ///< the length of the path from a through `via` to b
    LITHE_KEEPS_BED,      ///< offsets of many nodes in the frame of a, each by a spring
    LITHE_KEEPS_RIDERS,   ///< many nodes are part of a: no equations
} LitheKeptPlaces;

/// What a constraint keeps of the frames of its places.
typedef enum LitheKeptFrames {
    LITHE_KEEPS_NO_FRAME,
    LITHE_KEEPS_FRAME,  ///< of b in the frame of a
    LITHE_ALIGNS_FRAME, ///< the same, by a spring
} LitheKeptFrames;

/// A kind of constraint.
typedef struct LitheConstraintKindInfo {
    const char *name; ///< in scene files
    LitheKeptPlaces places;
    LitheKeptFrames frames;
    bool upper, lower; ///< bounds of what it keeps: both, or a max or min length
} LitheConstraintKindInfo;

/// Never NULL; belongs to the library.
LITHE_API const LitheConstraintKindInfo *lithe_constraint_kind_info(LitheConstraintKind kind);

/// Constrains place `b` to place `a`. Start from lithe_constraint_def_default().
typedef struct LitheConstraintDef {
    const char *name;
    LitheConstraintKind kind;
    LitheAnchor a;
    LitheAnchor b;
    bool as_built;          ///< keep the offset (and rotation) of b from a at activation
    double length;          ///< m; 0: the distance at activation; TENDON: along its path
    double stiffness;       ///< of positions and distances [N/m]; 0: near-rigid
    double damping;         ///< of positions and distances [N s/m]; needs a stiffness
    double turn_stiffness;  ///< WELD: of frames [N m/rad]; 0: near-rigid
    double turn_damping;    ///< WELD (needs a turn stiffness), HINGE_SPRING [N m s/rad]
    double bend_stiffness;  ///< HINGE_SPRING [N m/rad]
    double twist_stiffness; ///< HINGE_SPRING [N m/rad]
    double breaks_at;       ///< force above which it breaks permanently [N]; 0: never
    bool contact;           ///< whether the two things may touch each other near the constraint
    bool active;            ///< whether it is switched on at the start
    LitheProfileDef gate;   ///< acts only while this is >= 0.5; constant 1: always
    double area_stiffness;  ///< ATTACH of a group of nodes: stiffness per area [N/m^3]
    const LitheAnchor *via; ///< TENDON: [via_count] places between a and b
    int32_t via_count;
    LitheProfileDef tension;    ///< TENDON: [N]; constant 0: it has a length instead
    LitheProfileDef shortening; ///< TENDON: length taken in at b, over time [m]
} LitheConstraintDef;

/// Attach, as built, near-rigid, unbreakable, always on; both places must be set.
LITHE_API LitheConstraintDef lithe_constraint_def_default(void);

// --- contact -------------------------------------------------------------------------------------

/// How contacts are solved.
typedef enum LitheContactModel {
    LITHE_CONTACT_CONVEX, ///< one convex problem per step for all things
    LITHE_CONTACT_IMC,    ///< a smooth potential between edges; rods only
    LITHE_CONTACT_SPT,    ///< forces found by solving the step repeatedly; rods only
    LITHE_CONTACT_LCP,    ///< a linear complementarity problem per step; bodies and robots only
    LITHE_CONTACT_MODEL_COUNT,
} LitheContactModel;

/// What a contact model supports; scenes that need more are refused.
typedef struct LitheContactModelInfo {
    const char *name;   ///< in scene files
    uint32_t things;    ///< 1u << LITHE_THING_ROD ..: kinds of things that a scene may have
    uint32_t schemes;   ///< 1u << LITHE_SCHEME_BACKWARD_EULER ..
    bool constraints;   ///< supports constraints
    bool sections;      ///< rods of any section; false: round ones only
    bool adaptive;      ///< adaptive steps
    const char *words;  ///< the supported things, for messages
    LitheScheme scheme; ///< what LITHE_SCHEME_AUTO means; convex: as the law of friction needs
} LitheContactModelInfo;

/// Never NULL; belongs to the library.
LITHE_API const LitheContactModelInfo *lithe_contact_model_info(LitheContactModel model);

/// Friction of LITHE_CONTACT_IMC.
typedef enum LitheImcFriction {
    LITHE_IMC_STATIC,     ///< sticks below a small speed; acts at the surfaces
    LITHE_IMC_PAPER,      ///< opposes the motion of the last step; acts at midpoints of edges
    LITHE_IMC_CENTRELINE, ///< as LITHE_IMC_STATIC, but acts on the centrelines and turns no edge
} LitheImcFriction;

/// Parameters of LITHE_CONTACT_IMC. h is half the distance of centrelines in contact.
typedef struct LitheImcDef {
    LitheImcFriction friction;
    double force;       ///< max force of a pair at the start [N]; 0: from stiffness and weight
    double sharpness;   ///< of the contact energy
    double smoothing;   ///< sharpness of the clamps in the distance
    double parallel;    ///< sine squared of the angle below which edges count as parallel
    double reach;       ///< pairs act up to a gap of this times h
    double depth;       ///< accepted overlap of the nearest pair, over h
    double hover;       ///< accepted gap of the nearest pair, over h
    double damping;     ///< of the normal velocity, over the critical damping of the four nodes
    double stick_speed; ///< STATIC: below which friction sticks [m/s]
    double onset;       ///< PAPER: sliding speed over h at which friction starts [1/s]
    int32_t plain;      ///< number of first iterations per step without contact Hessians
} LitheImcDef;

/// Solvers of LITHE_CONTACT_LCP.
typedef enum LitheLcpSolver {
    LITHE_LCP_BY_NEWTON,       ///< semismooth Newton
    LITHE_LCP_BY_LEMKE,        ///< pivots
    LITHE_LCP_BY_GAUSS_SEIDEL, ///< projected sweeps over contacts
} LitheLcpSolver;

/// Parameters of LITHE_CONTACT_LCP.
typedef struct LitheLcpDef {
    LitheLcpSolver solver;
    int32_t directions; ///< of polyhedral friction, 3 to 32
    bool rank;          ///< keep independent normals only
    bool scale;         ///< scale rows and columns
    bool regularise;    ///< add to the diagonal of normals
    bool recheck;       ///< bring back dropped contacts that are violated
    bool warm_start;    ///< start from the impulses of the last step
    bool fall_back;     ///< Lemke where the solver fails, then weaker problems
    double push;        ///< fraction of an overlap that a step removes, 0 to 1
    double push_speed;  ///< at most at this speed [m/s]
    bool masses_alone;  ///< rk23: dampers and springs do not act on impulses within a step
} LitheLcpDef;

/// Convex approximations of Coulomb's law.
typedef enum LitheFrictionLaw {
    LITHE_FRICTION_LAGGED, ///< bounded by the normal impulse of the last pass; no gap while sliding
    LITHE_FRICTION_SAP,    ///< cone of a regularised maximum dissipation principle
    LITHE_FRICTION_SIMILAR, ///< one potential of normal force and friction; gap while sliding
} LitheFrictionLaw;

/// Where contacts are patches: areas with a pressure.
typedef enum LithePatchMode {
    LITHE_PATCHES_AUTO, ///< where one of two things has a pressure field
    LITHE_PATCHES_ON,   ///< the same; things that have none are refused
    LITHE_PATCHES_OFF,
} LithePatchMode;

/// Where the contacts of two faces of bodies are.
typedef enum LitheFacePoints {
    LITHE_FACES_WHOLE,   ///< at corners and inside: rocking and spinning as on the whole face
    LITHE_FACES_CORNERS, ///< at corners: half as many; rocking and spinning are resisted too much
} LitheFacePoints;

/// Settings of contact for the whole scene; materials have the properties of surfaces.
typedef struct LitheContactDef {
    bool enabled; ///< false: no contacts; constraints still act
    LitheContactModel model;
    LitheFrictionLaw law;
    int32_t passes;         ///< linearisations per step; 0: as many as the residual needs
    double tolerance;       ///< of the momentum balance, relative
    int32_t max_iterations; ///< of the convex solver, per pass
    double stick_speed;     ///< friction sticks below it (lagged, similar) [m/s]; reduced at rest
    double sigma;           ///< regularisation of sticking, relative to the compliance of the two
                            ///< sides (V10)
    double beta;            ///< near-rigid contacts: their period of oscillation over the step
                            ///< (V10)
    double margin; ///< detection margin: gap up to which contacts are found [m]; 0: from speeds
    bool single;   ///< one contact per edge and edge or shape, without margin
    bool certify;  ///< cut a step in which a rod passed through a rod or a surface
    union {
        int32_t max_cuts;  ///< max halvings of a step before a run stops
        int32_t most_cuts; ///< the older name of max_cuts
    };
    int32_t max_pairs; ///< max pairs of parts near each other, > 0: a pair takes up to 1 kB
    LitheImcDef imc;   ///< parameters of the model imc
    LithePatchMode patches;
    bool merge_patches; ///< polygons of a patch with nearly the same normal act as a few points
    LitheLcpDef lcp;    ///< parameters of the model lcp
    LitheFacePoints faces;
    double start_overlap; ///< overlap as built up to which lithe_run starts, over the smaller half
                          ///< thickness; 0: any
} LitheContactDef;

/// In the order of the fields: enabled; convex, lagged; passes as needed; 1e-6, 100; 1e-8 m/s,
/// 1e-6, 0.01; margin from the speeds; not single, certified, 10 halvings; 2 million pairs. Of imc:
/// static; 50, 50, 0.01, 0.15; 0.003, 0.0125; 0.2; 1e-6 m/s, 0.15; 0. Of lcp: Newton, 4 directions,
/// all true, 0.2, 1 m/s. Whole faces. Overlaps of 1.
LITHE_API LitheContactDef lithe_contact_def_default(void);

// --- chains --------------------------------------------------------------------------------------

/// How an end of a chain is held.
typedef enum LitheChainEnd {
    LITHE_CHAIN_FREE,
    LITHE_CHAIN_PINNED, ///< attached to the world, free to rotate
    LITHE_CHAIN_FIXED,  ///< welded to the world
} LitheChainEnd;

/// A rope as rigid capsules, end to end: bodies NAME/0, NAME/1 .. with one capsule each (axis z
/// along the chain) and the mass of a cylinder. Constraints attach neighbouring ends
/// (NAME/joint-1 ..); hinge springs (NAME/spring-1 ..) straighten the joints, with the stiffness
/// EI/l in bending and GJ/l in twist, l the length of a capsule. Neighbours do not touch.
typedef struct LitheChainDef {
    const char *name;
    LitheMaterialId material;
    double radius; ///< m
    LitheShapeDef shape;
    int32_t capsules;
    LitheNaturalKind natural; ///< straight, or as shaped
    LitheVec3 velocity;       ///< at the start, all capsules [m/s]
    double damping;           ///< rotational, of each joint [N m s/rad]
    LitheChainEnd start;
    LitheChainEnd end;
    uint32_t group; ///< bits of the groups it is in
    uint32_t mask;  ///< bits of the groups it touches
} LitheChainDef;

/// 20 capsules of 5 mm radius along a line of 1 m, free ends; the material must be set.
LITHE_API LitheChainDef lithe_chain_def_default(void);

// --- adding to a scene ---------------------------------------------------------------------------

/// {0} when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheConstraintId lithe_scene_add_constraint(LitheScene *scene,
                                                       const LitheConstraintDef *def);
/// Sets contact for the whole scene.
LITHE_API void lithe_scene_set_contact(LitheScene *scene, const LitheContactDef *def);

/// Adds the bodies, constraints and ignored pairs of a chain. On failure (wrong values, memory) the
/// scene is as before.
LITHE_API LitheStatus lithe_scene_add_chain(LitheScene *scene, const LitheChainDef *def,
                                            LitheError *error);

#ifdef __cplusplus
}
#endif

#endif
