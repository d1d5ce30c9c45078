// SPDX-License-Identifier: Apache-2.0
// lithe/rigid.h - describe rigid bodies, their shapes, joints and actuators
//
// Bodies connected by joints form trees; a body without a joint is free (or fixed). SI units,
// radians. Inputs are copied when a def is added to a scene.

#ifndef LITHE_RIGID_H
#define LITHE_RIGID_H

#include "lithe/base.h"
#include "lithe/scene.h"
#include "lithe/vec.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ids in a scene; {0} is none, and as a parent the world.
typedef struct LitheBodyId {
    int32_t number;
} LitheBodyId;
typedef struct LitheJointId {
    int32_t number;
} LitheJointId;

/// The thing of a body.
static inline LitheThing lithe_thing_body(LitheBodyId body) {
    LitheThing thing = {LITHE_THING_BODY, body.number};
    return thing;
}

// --- shapes --------------------------------------------------------------------------------------

/// Kinds of shapes.
typedef enum LitheGeomKind {
    LITHE_GEOM_HALF_SPACE,    ///< the half space z < 0 of its frame
    LITHE_GEOM_SPHERE,        ///< `radius`
    LITHE_GEOM_CAPSULE,       ///< `radius`, axis z, `length` between the centres of its ends
    LITHE_GEOM_CYLINDER,      ///< `radius`, axis z, `length`, centred, rims of radius `rounding`
    LITHE_GEOM_BOX,           ///< full edge lengths `size`, centred
    LITHE_GEOM_ELLIPSOID,     ///< full axes `size`, centred
    LITHE_GEOM_CONVEX_MESH,   ///< convex hull of `points`
    LITHE_GEOM_TRIANGLE_MESH, ///< `points` and `triangles`, counter-clockwise from outside
    LITHE_GEOM_HEIGHTFIELD,   ///< `heights` over a centred rectangle size.x by size.y, solid below
    /// about the z axis, radius profile_r over profile_z, linear between; with a wall of
    /// `thickness` and corners of radius `rounding`
    LITHE_GEOM_REVOLUTION,
    LITHE_GEOM_TUBE,  ///< `radius` and radius `hole`, axis z, `length`, centred
    LITHE_GEOM_TORUS, ///< ring about z: `radius` of its middle, `section_radius`
    LITHE_GEOM_PLATE, ///< full edge lengths `size`, a round hole of radius `hole` along z
    LITHE_GEOM_ELLIPTIC_CYLINDER, ///< full axes size.x and size.y, length size.z, centred
} LitheGeomKind;

/// A shape of a body. Start from lithe_geom_def_default().
typedef struct LitheGeomDef {
    LitheGeomKind kind;
    double radius;
    double length;
    double hole;           ///< radius of the hole of a tube or plate
    double section_radius; ///< of a torus
    double rounding;       ///< radius of rims of a cylinder, of corners of a revolution; 0: sharp
    double thickness;      ///< of the wall of a revolution, on the left of its outline; 0: solid
    LitheVec3 size;
    const LitheVec3 *points;
    int32_t point_count;
    const int32_t *triangles; ///< [triangle_count][3]
    int32_t triangle_count;
    const char *path;      ///< mesh from an STL or OBJ file instead, relative to the scene file
    LitheVec3 scale;       ///< of that mesh
    const double *heights; ///< [rows][columns]; rows along y, columns along x
    int32_t rows, columns;
    const double *profile_z; ///< [profile_count] strictly increasing, unless there is a wall or the
                             ///< outline ends where it begins, or begins and ends at radius 0
    const double *profile_r; ///< [profile_count] >= 0
    int32_t profile_count;
    LitheVec3 at; ///< of its frame in the body's frame
    LitheQuat rotation;
    LitheMaterialId material; ///< density (for inertia), friction; none: it has no mass
    uint32_t group;           ///< bits of the groups it is in
    uint32_t mask;            ///< bits of the groups it touches
    bool weightless;          ///< has no mass, also with a material
    bool visual;              ///< only drawn: it touches nothing and has no mass
    LitheVec3 colour;         ///< sRGB, 0 to 1 each; x < 0: none given
} LitheGeomDef;

/// A sphere of 0.1 m, group 1, touching all groups.
LITHE_API LitheGeomDef lithe_geom_def_default(void);

// --- bodies and joints ---------------------------------------------------------------------------

/// A rigid body. Start from lithe_body_def_default().
typedef struct LitheBodyDef {
    const char *name;
    LitheVec3 at; ///< of its frame in the world (with a joint: computed from the joint)
    LitheQuat rotation;
    LitheVec3 velocity; ///< of its frame's origin [m/s]
    union {
        LitheVec3 angular_velocity; ///< rad/s, world axes
        LitheVec3 spin;             ///< the older name of angular_velocity
    };
    bool fixed;        ///< never moves
    double mass;       ///< kg; 0: from the shapes
    LitheVec3 centre;  ///< of mass, in the body's frame
    double inertia[6]; ///< about the centre, body axes: xx yy zz xy xz yz; with mass > 0
    const LitheGeomDef *geoms;
    int32_t geom_count;
} LitheBodyDef;

/// At the origin, at rest, free; mass from its shapes, of which it has none yet.
LITHE_API LitheBodyDef lithe_body_def_default(void);

/// Kinds of joints, with their degrees of freedom.
typedef enum LitheJointKind {
    LITHE_JOINT_WELD,      ///< 0
    LITHE_JOINT_REVOLUTE,  ///< 1: angle about z of the joint frame
    LITHE_JOINT_PRISMATIC, ///< 1: distance along z
    LITHE_JOINT_SCREW,     ///< 1: angle about z, with a displacement of `pitch` per radian along z
    LITHE_JOINT_BALL,      ///< 3: a unit quaternion; velocity is the angular velocity in child axes
    LITHE_JOINT_PLANAR,    ///< 3: x, y, angle about z
    LITHE_JOINT_FREE,      ///< 6: position and quaternion; both velocities in parent axes
    LITHE_JOINT_SECTION,   ///< 3: elongations of the chambers of a section of constant curvature
} LitheJointKind;

/// Connects `child` to `parent`. Each body has a joint frame at the given place; the two frames
/// coincide at joint position 0. A section starts at the parent's frame, along its z; the child's
/// frame is at the fraction `along` of it. Three chambers stand around the section at 0, 120 and
/// 240 degrees from the frame's x axis; spring, damper and limits act on each of their elongations.
typedef struct LitheJointDef {
    const char *name;
    LitheJointKind kind;
    LitheBodyId parent; ///< {0}: the world
    LitheBodyId child;
    LitheVec3 parent_at;
    LitheQuat parent_rotation;
    LitheVec3 child_at;
    LitheQuat child_rotation;
    double pitch;        ///< screw: m per radian
    double length;       ///< section: of its centre line, with all chambers at 0 [m]
    double radius;       ///< section: from the centre line to the chambers [m]
    double line_mass;    ///< section: of its centre line, uniform [kg]
    double along;        ///< section: place of the child, above 0 (the base) to 1 (the tip)
    LitheJointId shares; ///< section: an earlier joint of the same parent that this child rides on
    LitheVec3 chambers;  ///< section: elongations at the start [m]
    /// section: chambers at equal angles whose elongations the limits bound, 3 to 64. The positions
    /// are those at 0, 120 and 240 degrees for any number.
    int32_t chamber_count;
    double position;     ///< at the start; joints with one degree of freedom
    double velocity;     ///< at the start
    bool limited;        ///< lower and upper apply (ball: upper is the max angle)
    double lower, upper; ///< rad or m
    double stiffness;    ///< spring towards `rest` [N m/rad or N/m]
    double rest;
    double damping;        ///< N m s/rad or N s/m
    double friction_loss;  ///< dry friction [N m or N]
    double armature;       ///< inertia of the gear train, reflected to the joint [kg m^2 or kg]
    double effort_limit;   ///< max total effort of its actuators; 0: none
    double velocity_limit; ///< max |velocity| of each DoF; 0: none
} LitheJointDef;

/// A revolute joint to the world, at the origin of both frames, without limits, spring or friction;
/// the child must be set.
LITHE_API LitheJointDef lithe_joint_def_default(void);

/// Kinds of actuators.
typedef enum LitheActuatorKind {
    LITHE_ACTUATOR_FORCE,      ///< target(t) is the effort
    LITHE_ACTUATOR_POSITION,   ///< stiffness (target - q) - damping v
    LITHE_ACTUATOR_VELOCITY,   ///< damping (target - v)
    LITHE_ACTUATOR_PRESCRIBED, ///< q follows target exactly
} LitheActuatorKind;

/// An actuator of a joint. Start from lithe_actuator_def_default().
typedef struct LitheActuatorDef {
    const char *name;
    LitheJointId joint; ///< a joint with one degree of freedom, or a section
    int32_t chamber;    ///< of a section: 1 to 3
    LitheActuatorKind kind;
    LitheProfileDef target;
    double gear;      ///< effort on the joint over effort of the actuator
    double stiffness; ///< N m/rad or N/m
    double damping;
    double effort_limit; ///< 0: none
    /// Of a section, force only: a chamber or tendon at any place instead of `chamber`. Its
    /// distance from the centre line [m]; 0: `chamber` says where it is
    double radius;
    double angle;      ///< with radius: where it is, from x about z [rad]
    LitheJointId from; ///< with radius: the section at whose base it begins; {0}: the joint
    bool pulls;        ///< with radius: a tendon: the target shortens it, negative ones do nothing
    double area;       ///< of a chamber [m^2]: the target is its pressure [Pa]; 0: its force
} LitheActuatorDef;

/// Force 0, gear 1; the joint must be set.
LITHE_API LitheActuatorDef lithe_actuator_def_default(void);

// --- pose drives ---------------------------------------------------------------------------------

/// Moves the joints of a robot so that a frame of one of its bodies (the end effector) follows a
/// path: differential inverse kinematics, solved in every step, within joint limits.
typedef struct LithePoseDriveDef {
    const char *name;
    LitheBodyId body;           ///< the end effector
    LitheVec3 at;               ///< position of the driven frame in the frame of the body [m]
    LitheQuat rotation;         ///< rotation of the driven frame in the frame of the body
    const double *times;        ///< [count] s, strictly increasing
    const LitheVec3 *positions; ///< [count] in the world, straight between
    const LitheQuat *rotations; ///< [count] in the world, shortest rotation between
    int32_t count;
    LitheProfileKind kind; ///< between poses: LITHE_PROFILE_LINEAR, or LITHE_PROFILE_SMOOTH
    double damping;        ///< of the least-squares solution near singular poses; 0: a good default
    double posture;        ///< pull to the start positions of joints, in the null space [1/s]
    double stiffness;      ///< of PD control of the joints [N m/rad or N/m]; 0: exact
    double joint_damping;  ///< of PD control [N m s/rad or N s/m]
    bool position_only;    ///< the origin follows the path, rotations are left to the joints
} LithePoseDriveDef;

/// The frame of the body itself, exact; body and path must be set.
LITHE_API LithePoseDriveDef lithe_pose_drive_def_default(void);

// --- robots from files ---------------------------------------------------------------------------

/// File formats of robots.
typedef enum LitheRobotFormat {
    LITHE_ROBOT_BY_NAME, ///< .urdf is URDF; .xml and .mjcf are MJCF
    LITHE_ROBOT_URDF,
    LITHE_ROBOT_MJCF,
} LitheRobotFormat;

/// A robot from a file. Start from lithe_robot_def_default().
typedef struct LitheRobotDef {
    const char *name; ///< its bodies, joints and actuators have names NAME/...
    const char *path;
    LitheRobotFormat format;
    LitheVec3 at; ///< of its root in the world
    LitheQuat rotation;
    bool floating;            ///< the root is free instead of fixed to the world
    LitheMaterialId material; ///< of shapes without a material
} LitheRobotDef;

/// Format by name, fixed at the origin of the world; name and path must be set.
LITHE_API LitheRobotDef lithe_robot_def_default(void);

// --- adding to a scene ---------------------------------------------------------------------------

/// Each returns {0} or false when out of memory; lithe_scene_check finds wrong values.
LITHE_API LitheBodyId lithe_scene_add_body(LitheScene *scene, const LitheBodyDef *def);
LITHE_API LitheJointId lithe_scene_add_joint(LitheScene *scene, const LitheJointDef *def);
LITHE_API bool lithe_scene_add_actuator(LitheScene *scene, const LitheActuatorDef *def);
LITHE_API bool lithe_scene_add_pose_drive(LitheScene *scene, const LithePoseDriveDef *def);

/// Ignores contacts between two things, by name.
LITHE_API bool lithe_scene_ignore_pair(LitheScene *scene, const char *a, const char *b);

/// Reads a robot and adds its bodies, joints and actuators. Each unsupported item of the file gets
/// a line with file and line number in the notes of the scene.
LITHE_API LitheStatus lithe_scene_add_robot(LitheScene *scene, const LitheRobotDef *def,
                                            LitheError *error);

/// What importers ignored; `lithe check` prints it.
LITHE_API int32_t lithe_scene_note_count(const LitheScene *scene);
LITHE_API const char *lithe_scene_note(const LitheScene *scene, int32_t index);

#ifdef __cplusplus
}
#endif

#endif
