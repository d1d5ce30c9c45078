// SPDX-License-Identifier: Apache-2.0
// data/model.h - the compiled model of a scene; immutable after compilation

#ifndef LITHE_DATA_MODEL_H
#define LITHE_DATA_MODEL_H

#include "data/constraint.h"
#include "data/fibres.h"
#include "data/fits.h"
#include "data/profile.h"
#include "data/site.h"
#include "data/tree.h"
#include "data/unit.h"
#include "geom/field.h"
#include "geom/inner.h"
#include "geom/shape.h"
#include "geom/tet_mesh.h"
#include "law/solid.h"
#include "law/solid_mean.h"
#include "lithe/knot.h"
#include "lithe/model.h"
#include "math/vec3.h"
#include "sparse/block_matrix.h"

/// Increments of the natural state of a rod, times profile(t).
typedef struct LitheNaturalDrive {
    double *curvature; // [node_count][2], 1/m
    double *twist;     // [node_count], rad/m
    double *stretch;   // [edge_count], relative
    LitheProfile profile;
} LitheNaturalDrive;

/// Dead load, times profile(t): the force acts on a node, the moment on an edge.
typedef struct LitheLoad {
    int32_t node;
    int32_t edge;
    Vec3 force;  // N
    Vec3 moment; // N m
    LitheProfile profile;
} LitheLoad;

/// Dead load on a link of a tree, times profile(t).
typedef struct LitheLinkLoad {
    int32_t link;
    Vec3 at;     // where the force acts, in the link's frame [m]
    Vec3 force;  // N
    Vec3 moment; // N m
    LitheProfile profile;
} LitheLinkLoad;

/// A drive on a rod or a solid, resolved. As-built values are those of the first state.
typedef struct LitheDrive {
    char *name;
    int32_t number; // in the scene, from 0
    int32_t rod;    // index; -1: of a solid
    int32_t *nodes; // [node_count] of a solid; their centre is built_a
    int32_t node_count;
    LitheDriveKind kind;
    int32_t node;
    int32_t edge;
    Vec3 direction;
    LitheProfile motion; // m
    Vec3 axis;
    LitheProfile turn; // rad
    double stiffness;  // 0: exact
    double damping;
    bool along_only;
    Vec3 built_a, built_b; // nodes of the edge as built (position drives: built_a is the node) [m]
    Vec3 built_m1;         // its material director
    double built_gamma;    // its twist angle [rad]
} LitheDrive;

/// A hold of the scene, or a clamped end of a rod: the DoFs of one thing that it holds.
typedef struct LitheHold {
    char *name;
    LitheThing thing;
    int32_t unit;
    int32_t *nodes;       // [count]
    unsigned char *masks; // [count] of each node: LITHE_HOLD_X .. LITHE_HOLD_TWIST, of the edge
                          // that leaves it
    int32_t count, node_capacity, mask_capacity;
    int32_t constraint; // 1 + index of a weld of a solid to what never moves; 0: a hold
    int32_t next;       // 1 + index of the next hold of this unit; 0: none
} LitheHold;

/// Contact parameters of a thing, from its material (the default one if it has none).
typedef struct LitheTouch {
    double stiffness;     // of a point contact [N/m]; 0: from modulus and size
    double modulus;       // E/(1 - nu^2) [Pa]
    double least;         // min stiffness, which carries its weight with a small overlap (C9) [N/m]
    double dissipation;   // Hunt-Crossley [s/m], >= 0
    double friction;      // Coulomb coefficient, >= 0
    double torsional;     // friction about the normal [m], >= 0
    double rolling;       // friction about axes perpendicular to the normal [m], >= 0
    uint32_t group;       // bits of the groups it is in
    uint32_t mask;        // bits of the groups it touches
    int32_t material;     // index into the scene's; -1: none
    bool turns;           // torques act on it
    double patch_modulus; // of its pressure field [Pa]; 0: rigid in patches
    double patch_dissipation; // of patches [s/m]
    int32_t patch_sectors;    // of circles
} LitheTouch;

/// Contact parameters that the scene defines for two materials; NAN: combined from the materials.
typedef struct LitheMaterialPair {
    uint64_t materials; // lithe_thing_pair of their indices
    double stiffness, dissipation, friction, torsional, rolling;
} LitheMaterialPair;

/// Two edges of a rod that meet at a node: bending and twisting act there.
typedef struct LitheRodCorner {
    int32_t node, before, after; // the edge that enters the node, and the one that leaves it
} LitheRodCorner;

/// An edge whose twist is held while its direction may turn.
typedef struct LitheRodPin {
    int32_t edge;
    Vec3 t; // its tangent as built, from which its frame is carried (H6)
} LitheRodPin;

/// What the strain and stress of the surface of a rod follow from, and their limits.
typedef struct LitheFibre {
    double half1, half2; // largest distances of the surface along m1 and m2 [m]; 0: only the axis
                         // is known, stiffnesses were measured
    double arm;          // largest shear strain by torsion over the twist per length [m]
    bool corners;        // the section reaches half1 and half2 at one point
    double young, shear; // Pa; 0: unknown
    double poisson;
    double strain_limit; // 0: none given
    double yield;        // Pa; of measured stiffnesses the strength [N]; 0: none
} LitheFibre;

/// One rod. Node i owns the DoFs 4i .. 4i+3 of the rod: x, y, z, and the twist angle of edge i.
/// The last node of an open rod has no edge: its twist is a dummy that is held.
typedef struct LitheRod {
    char *name;
    int32_t node_count;
    int32_t edge_count; // node_count - 1, or node_count when closed
    bool closed;
    int32_t (*ends)[2];      // [edge_count] nodes of each edge: where it starts and where it ends
    LitheRodCorner *corners; // [corner_count]
    int32_t corner_count;
    unsigned char
        tied[2];          // the start and the end: 1: a constraint holds its position; 2: and frame
    double weld_shift[2]; // (H2) compliance of the start and of the end that is in the node next to
                          // it [of the outermost edge]; 0: no weld
    int32_t unit;
    int64_t dof_at;   // index of the first DoF in q and v
    int64_t edge_at;  // index of the first edge, counted through all rods
    int64_t node_at;  // index of the first node, counted through all units
    int64_t point_at; // index of the first node in state->pushes
    int64_t d1_at;    // index of the reference directors [edge_count][3] in state->own
    int64_t tau_at;   // index of the reference twist [node_count] in state->own
    LitheSectionDef section;
    LitheFibre fibre;
    double EA, EI1, EI2, GJ;          // N, N m^2
    double damping_mass;              // 1/s
    double damping_stiffness;         // s
    double drag_normal, drag_tangent; // Pa s
    double *mass;                     // [4 node_count] kg, kg m^2; 1 for a dummy twist
    double *built_length;             // [edge_count] as built [m]
    double *built_arc;                // [edge_count + 1] from the start to each node as built [m]
    double *rest_stretch;             // [edge_count] rest length over built length, at profile 0
    double *rest_curvature;           // [node_count][2] natural curvature at profile 0 [1/m]
    double *rest_twist;               // [node_count] natural twist at profile 0 [rad/m]
    double *rest_offset; // [node_count] further natural twist that does not scale with length [rad]
    unsigned char *held; // [4 node_count] 1: held or driven exactly
    LitheNaturalDrive *natural_drives;
    int32_t natural_drive_count;
    LitheLoad *loads;
    int32_t load_count, load_capacity;
    bool has_moment; // some load has a moment: no potential exists
    int32_t *drives; // [drive_count] indices of the drives on this rod
    int32_t drive_count;
    LitheRodPin *pins; // [pin_count] by edge
    int32_t pin_count;
    LitheTouch touch;
    bool self_contact;      // whether it touches itself
    LitheSectionMesh patch; // cross-section of its pressure field; count 0: none
} LitheRod;

/// A set of particles. Particle i owns the DoFs 3i .. 3i+2 of the unit: its position.
typedef struct LitheParticles {
    char *name;
    int32_t unit;
    int32_t count;
    int64_t q_at;        // index of the first position in q, and of the first velocity in v
    int64_t point_at;    // index of the first particle in state->pushes
    double *radius;      // [count] m
    double *mass;        // [count] kg
    Vec3 *x0;            // [count] as built [m]
    Vec3 v0;             // initial velocity of each [m/s]
    unsigned char *held; // [3 count] 1: held
    double damping_mass; // 1/s
    LitheLoad *loads;    // on particle `node`
    int32_t load_count, load_capacity;
    LitheTouch touch;
    bool self_contact; // whether they touch each other
} LitheParticles;

/// A surface of triangles whose nodes touch, (S30) and (S31).
typedef struct LitheSurface {
    const int32_t *triangles; // [triangle_count][3] counter-clockwise from outside
    int32_t triangle_count;
    const Vec3 *rest; // [node_count] positions at rest [m]
    int32_t node_count;
    const int32_t *used; // [used_count] nodes that triangles have, ascending
    int32_t used_count;
    int32_t *face_at;   // [node_count + 1] first entry of a node in `faces`
    int32_t *faces;     // triangles around each node
    double *face_areas; // of the triangles at rest [m^2]
    double layer;       // thickness of the elastic layer on it [m]
    double whole;       // area on which a stiffness of the material acts in full [m^2]
    bool middles; // faces of six nodes, as four triangles each, whose middles touch, too (S34)
    // of surfaces whose triangles touch (LitheFaceSet); else NULL
    int32_t *edges; // [triangle_count][3] numbers of the edges from corner k to k + 1
    int32_t edge_count;
    double *depths;       // [triangle_count] (SC6) overlap up to which a triangle touches [m]
    unsigned char *owned; // [triangle_count] bit k: corner k is that of no earlier triangle; bit
                          // 3 + k: nor is the edge from corner k to k + 1
    double *inner; // [node_count] (SC8) depth of the inner surface below the nodes [m]; NULL: none
} LitheSurface;

/// Faces of the surface of a solid under a uniform pressure.
typedef struct LithePressure {
    char *name;
    int32_t *faces;   // [face_count][face_nodes] counter-clockwise from outside
    int32_t *entries; // [face_count][pairs a > b: 10 20 21 ..] of the pattern of the solid
    int32_t face_count;
    int32_t face_nodes;   // 3 or 6
    LitheProfile profile; // Pa
    bool open;            // part of its rim can move: its forces have no potential
    bool closed;          // it has no rim
    bool cavity;          // its faces are closed around a hollow
    bool gas;             // profile is the pressure of a gas at the volume of the start
    double outside;       // of a gas: absolute pressure outside [Pa]
    double exponent;      // of a gas: p V^exponent is constant
    double volume;        // of a cavity at the start [m^3]
} LithePressure;

/// A change of the natural size of elements.
typedef struct LitheSwell {
    char *name;
    unsigned char *in;    // [element_count] 1: swells
    Vec3 along;           // unit vector, world axes as built; 0: all directions
    LitheProfile profile; // natural length over that of the mesh
} LitheSwell;

/// Where a cavity of the scene is.
typedef struct LitheCavity {
    int32_t solid, pressure; // index of the solid, and of the pressure there
} LitheCavity;

/// A material point of a solid, carried by the corners of an element.
typedef struct LitheSolidPlace {
    int32_t node[4];
    double weight[4]; // barycentric coordinates, sum 1
} LitheSolidPlace;

/// The surface that a mesh was made from, carried by its tetrahedra, to be drawn.
typedef struct LitheFineSurface {
    char *name;
    LitheSolidPlace *places; // [point_count]
    int32_t *triangles;      // [triangle_count][3] counter-clockwise from outside
    int32_t point_count;     // 0: there is none
    int32_t triangle_count;
    // of a surface that touches in place of that of the tetrahedra
    bool touches;
    Vec3 *rest;    // [point_count] at rest [m]
    int32_t *used; // [point_count] points that triangles have come first
    int64_t at;    // index of the first point, counted through all that touch
} LitheFineSurface;

/// The pressure field of a solid (PF20), on tetrahedra that move with its nodes.
typedef struct LitheTetField {
    int32_t *tets;     // [tet_count][4] nodes
    double *pressures; // [node_count] [Pa]
    int32_t tet_count; // 0: there is none
    double depth;      // largest distance of a node to the surface at rest [m]
} LitheTetField;

/// A soft solid. Node i owns the DoFs 3i .. 3i+2 of the unit: its position.
typedef struct LitheSolid {
    char *name;
    int32_t unit;
    int64_t point_at;  // index of the first node in state->pushes
    LitheTetMesh mesh; // at rest; nodes as built [m]
    int32_t points;    // quadrature points of an element: 1, or 4 with ten nodes
    Vec3 *gradients; // [element_count][points][nodes_per_element] of shape functions at rest [1/m]
    double *volumes; // [element_count][points] weights of the quadrature at rest [m^3]
    double *mass;    // [node_count] lumped [kg]
    double *mass_values;       // consistent mass [kg], as values of `pattern`; NULL: lumped
    LitheBlockMatrix *pattern; // of its matrix, without values
    int32_t *entries; // [element_count][pairs] entries of the pairs a >= b of nodes of an element:
                      // 00 10 11 20 .., each with the larger node as its row
    bool mean;        // volumetric energy of the mean over a patch, or over a quadratic element
    LitheTetPatches patches; // of linear elements; none: count is 0
    int32_t *order;          // [node_count] elimination (sparse/dissect.h)
    int32_t *triangles;      // [triangle_count][3] surface, counter-clockwise from outside
    int32_t triangle_count;
    int32_t *surface; // [surface_count] nodes of the surface, ascending
    int32_t surface_count;
    double *areas;          // [node_count] share of a node in the surface; 0 inside [m^2]
    LitheSurface skin;      // the surface for contact
    LitheFineSurface fine;  // the surface to draw, if it is another one
    double *touch_radius;   // [skin.used_count] zeros: surface nodes touch as points
    double volume, density; // at rest [m^3], [kg/m^3]
    double edge;            // shortest edge at rest [m]
    double longest_edge;    // of the surface at rest [m]
    Vec3 extent;            // of its bounding box at rest [m]
    Vec3 *v0;               // [node_count] initial velocities [m/s]
    unsigned char *held;    // [3 node_count] 1: held
    const LitheSolidLaw *law;
    LitheSolidMaterial material;
    double modulus, shear;                  // at rest: lambda + 2 mu, mu [Pa]
    double damping_mass, damping_stiffness; // 1/s, s
    LitheLoad *loads;                       // on node `node`
    int32_t load_count, load_capacity;
    int32_t *drives; // [drive_count] indices of the drives on this solid
    int32_t drive_count;
    LithePressure *pressures; // [pressure_count] those of cavities last
    int32_t pressure_count;
    LitheSwell *swells; // [swell_count]
    int32_t swell_count;
    LitheFibres *fibres; // [fibre_count] families
    int32_t fibre_count;
    double fibre_stiffness; // of all families: sum of modulus times volume of fibre [J]
    double fibre_omega2;    // bound of the squared frequency that they add [1/s^2]
    Vec3 acceleration;      // force per mass in addition to gravity [m/s^2]
    LitheProfile acceleration_profile;
    LitheSolidPlace *places; // [place_count] sites with element node_count + k are at places[k]
    int32_t place_count, place_capacity;
    LitheRider *riders; // [rider_count] nodes that are welded to bodies; they count as held
    int32_t rider_count;
    int32_t *rider_of;    // [node_count] or NULL (LitheUnit)
    unsigned char *fixed; // [3 node_count] `held` without riders; NULL: there are none
    Vec3 *start;          // [node_count] positions at the start; NULL: those at rest
    LitheTouch touch;
    LitheTetField field; // of patches
    LitheFits fits;      // of values at its nodes
    LitheFits wall_fits; // of linear elements those of stresses: of degree 2 at the surface
    bool self_contact;   // whether its surface touches itself
} LitheSolid;

/// Balls of one thing, for contact. Ball i moves with the DoFs 3i .. 3i+2 of its unit, with those
/// of node[i], or with point node[i] of a fine surface. Radius and touch belong to the thing.
typedef struct LitheBallSet {
    LitheThing thing;
    int32_t unit;
    int32_t count;
    int64_t at;           // index of the first ball, counted through all sets
    const char *word;     // name of one ball: "particle"
    const double *radius; // [count] m
    const LitheTouch *touch;
    bool self_contact;
    const int32_t *node;          // [count] or NULL: ball i is point i of the unit
    const LitheSurface *surface;  // NULL, or the balls are points of a surface: their contacts have
                                  // areas, and they touch shapes alone
    bool middles;                 // ball i is the middle of face i of the surface (S34)
    const LitheFineSurface *fine; // that carries them; NULL: they are nodes of the unit
    bool has_field;               // its thing touches by patches where the other side can
} LitheBallSet;

/// The surface of a solid whose triangles touch.
typedef struct LitheFaceSet {
    LitheThing thing;
    int32_t unit;
    int32_t at, count; // first face in the list of all faces, and their number
    int32_t nodes;     // of the unit, or points of the fine surface
    int64_t place_at;  // first place in ids of contacts: nodes, edges, triangles
    const LitheTouch *touch;
    const LitheSurface *surface;
    const LitheFineSurface *fine; // that carries its corners; NULL: they are nodes of the unit
    bool self_contact;            // whether its triangles touch each other
    bool has_field;               // its thing touches by patches where the other side can
} LitheFaceSet;

/// Tetrahedra with a pressure that move with the nodes of a unit.
typedef struct LitheTetSpan {
    LitheThing thing;
    int32_t unit;
    int32_t at; // first tetrahedron in the list of all
    const LitheTetField *field;
    const LitheTouch *touch;
} LitheTetSpan;

/// An actuator or pose drive: its tree, and its index in the tree.
typedef struct LitheTreePart {
    int32_t tree;
    int32_t index;
} LitheTreePart;

/// An actuator on a joint of a tree; its target is a function of time.
typedef struct LitheActuator {
    char *name;
    LitheRigidDrive drive; // target and rate are filled in for each step
    LitheProfile target;
    int32_t number;      // in the scene, from 0
    double effort_limit; // of the target; 0: none
    double area;         // of a chamber whose target is a pressure [m^2]; 0: none
} LitheActuator;

/// A drive that moves a frame of a link along a path.
typedef struct LithePoseDrive {
    char *name;
    int32_t number; // in the scene, from 0
    LitheIk ik;
    double *times;   // [count] s
    Vec3 *positions; // [count] m
    Quat *rotations; // [count]
    int32_t count;
    bool smooth;      // at rest in each pose
    double stiffness; // 0: exact
    double damping;   // of the joints
    int32_t aim_at;   // with stiffness: index of its first joint in the aims of the tree
} LithePoseDrive;

/// A tree of links with its drives.
typedef struct LitheTree {
    LitheRigidTree rigid;
    int32_t unit;
    int64_t q_at;      // index of its first position in q
    int64_t v_at;      // index of its first velocity in v
    int64_t effort_at; // index of the efforts of drives [v_count] in state->own
    int64_t aim_at;    // index of the joint targets of its pose drives [aim_count] in state->own
    int64_t wrench_at; // index of the external wrenches on its links [link_count][6] in state->own
    double *q0;        // [q_count] as built
    double *v0;        // [v_count] as built
    LitheActuator *actuators;
    int32_t actuator_count;
    LithePoseDrive *pose_drives;
    int32_t pose_drive_count;
    LitheLinkLoad *loads;
    int32_t load_count;
    int32_t drive_count; // of actuators and of joints that pose drives move
    int32_t aim_count;   // joints that pose drives pull towards a target
} LitheTree;

/// A rigid body is attached to a unit: it moves with one material point and its frame.
typedef struct LitheRigidBody {
    char *name;
    int32_t unit;    // -1: fixed
    int32_t element; // element of the unit that carries the body: a link of a tree
    double s;        // place on the element
    bool offset;     // `frame` is not the identity
    Pose frame;      // in the frame of that place; of a fixed body: in the world
} LitheRigidBody;

/// A shape of a body.
typedef struct LitheModelGeom {
    LitheGeom geom;
    LitheInner inner;          // the inner shape that nothing may cross
    LithePressureField *field; // of patches; NULL: none
    int32_t body;              // index of the body
    LithePose local;           // frame of the shape in the frame of the body
    int32_t material;          // index of a material of the scene; -1: none
    bool weightless;           // no mass, also with a material
    double size; // radius, or half the smallest extent [m]; INFINITY: a half-space or ground
    LitheTouch touch;
    LitheVec3 colour; // sRGB; x < 0: none given
} LitheModelGeom;

/// A shape of a body that is only drawn.
typedef struct LitheModelVisual {
    LitheGeom geom; // without a mesh of its own where there are triangles
    int32_t body;
    LithePose local;    // frame of the shape in the frame of the body
    LitheVec3 colour;   // sRGB; x < 0: none given
    Vec3 *points;       // [point_count] of a triangle mesh, else NULL
    int32_t *triangles; // [triangle_count][3]
    int32_t point_count, triangle_count;
} LitheModelVisual;

/// A joint of the scene.
typedef struct LitheRigidJoint {
    char *name;
    int32_t tree;
    int32_t link; // the child
} LitheRigidJoint;

/// A strand of a knot of the scene, and how it is joined to the next one.
typedef struct LitheKnotPart {
    int32_t rod, from, to; // nodes
    LitheKnotJoin join;
} LitheKnotPart;

typedef struct LitheKnot {
    char *name;
    LitheKnotPart *strands; // [strand_count]
    int32_t strand_count;
} LitheKnot;

struct LitheModel {
    LitheContext *context;
    Vec3 gravity;
    LitheTimeDef time;
    LitheRod *rods;
    int32_t rod_count;
    LitheDrive *drives;
    int32_t drive_count;
    LitheHold *holds; // [hold_count] in the order of the scene, then clamped ends of rods
    int32_t hold_count;
    LitheHold *welds; // [weld_count] nodes of solids that are welded to what never moves
    int32_t weld_count, weld_capacity;
    LitheTree *trees;
    int32_t tree_count;
    LitheParticles *particles; // sets of particles
    int32_t particles_count;
    LitheSolid *solids;
    int32_t solid_count;
    LitheCavity *cavities; // [cavity_count] in the order of the scene
    int32_t cavity_count;
    LitheRigidBody *bodies;
    int32_t body_count;
    LitheModelGeom *geoms; // in the order of the bodies, all shapes of a body together
    int32_t geom_count;
    LitheModelVisual *visuals; // in the order of the bodies
    int32_t visual_count;
    LitheRigidJoint *joints;
    int32_t joint_count;
    LitheTreePart *actuators; // in the order of the scene
    int32_t actuator_count;
    LitheTreePart *pose_drives; // in the order of the scene
    int32_t pose_drive_count;
    LitheConstraint *constraints;
    int32_t constraint_count;
    LitheKnot *knots; // [knot_count] in the order of the scene
    int32_t knot_count;
    LitheTieZone *tie_zones; // [tie_zone_count] by things, ascending
    int32_t tie_zone_count;
    LitheContactDef contact;
    bool patches;                      // some pair of things touches by pressure fields
    double max_friction;               // of all things that can touch
    LitheMaterialPair *material_pairs; // [material_pair_count] by materials, ascending
    int32_t material_pair_count;
    char **material_names; // [material_count] of the scene
    int32_t material_count;
    uint64_t *ignored;     // [ignored_count] pairs that never touch (lithe_thing_pair), ascending
    int32_t ignored_count; // pairs that the scene ignores, and bodies connected by a joint
    int32_t *families;     // [body_count] bodies of one number never touch each other; -1: none

    // units, and sums over them
    LitheUnit *units;
    int32_t unit_count;
    int64_t q_count;     // positions
    int64_t v_count;     // velocities
    int32_t node_count;  // nodes of the matrix
    int64_t point_count; // points that take external forces
    int64_t own_count;   // numbers that only the kinds of units use
    int32_t site_width;  // max DoFs that a material point depends on
    double unit_cost;    // time of a call for each unit, an estimate [ns]

    // parts that can touch
    int64_t edge_count;   // of all rods
    int64_t vertex_count; // nodes of all rods
    int64_t ball_count;   // of all sets of balls
    LitheBallSet *ball_sets;
    int32_t ball_set_count;
    LitheFaceSet *face_sets; // of solids that can touch each other
    int32_t face_set_count;
    int32_t face_count;       // triangles of all sets
    int32_t *face_order;      // [face_count] triangles of each set, neighbours beside each other
    int64_t carried_count;    // points of fine surfaces that touch
    int64_t face_place_count; // places of all sets in ids of contacts
    LitheTetSpan *tet_spans;  // of solids with pressure fields
    int32_t tet_span_count;
    int32_t tet_count; // tetrahedra of all spans
};

/// Key of two things by their numbers (data/thing.h), in either order.
static inline uint64_t lithe_thing_pair(int32_t a, int32_t b) {
    return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

#endif
