// SPDX-License-Identifier: Apache-2.0
// data/tree.h - articulated trees of rigid links: the constant description and scratch memory
//
// A free rigid body is a tree of one link on a free joint. Kinds of joints: law/joint.h.

#ifndef LITHE_DATA_TREE_H
#define LITHE_DATA_TREE_H

#include "lithe/rigid.h"
#include "math/joint_shape.h"
#include "math/spatial.h"

/// A link and the joint that connects it to its parent. Several links with one parent may ride on
/// one section at different places: they share its DoFs, which belong to the first of them.
typedef struct LitheRigidLink {
    char *name;     // may be NULL
    int32_t parent; // index below this one; -1: the world
    int32_t body;   // that it is, of the model
    LitheJointKind kind;
    int32_t shares;     // the link that has the DoFs of this one's joint, plus 1; 0: its own
    int32_t q_at, v_at; // of the joint's first position and velocity (lithe_rigid_number)
    int32_t column_at;  // of its columns of the motion subspace (lithe_rigid_number)
    bool idle;          // no mass beyond its joint: no dynamics (lithe_rigid_number)
    bool framed[2];     // parent_frame, child_frame are not the identity (lithe_rigid_number)
    Pose parent_frame;  // joint frame in the parent link
    Pose child_frame;   // joint frame in this link
    LitheJointShape shape;
    double line_mass; // section: mass of its centre line, uniform [kg]
    double mass;      // kg
    Vec3 centre;      // of mass, in the link's frame [m]
    Mat3 inertia;     // about the centre, link's axes [kg m^2]
    double stiffness; // spring; 1-DoF joints towards `rest`, ball towards zero [N m/rad or N/m]
    double rest;      // rad or m
    double damping;   // of each DoF [N m s/rad or N s/m]
    double armature;  // added to each DoF's inertia [kg m^2 or kg]
    bool limited;
    double lower, upper;   // rad or m; ball: upper is the largest angle
    int32_t chambers;      // section: that the limits bound; up to 3: its three positions
    double friction_loss;  // N m or N
    double effort_limit;   // 0: none
    double velocity_limit; // 0: none
    bool driven;           // on a free joint: its pose is prescribed
} LitheRigidLink;

/// Links in topological order: parents first.
typedef struct LitheRigidTree {
    char *name; // may be NULL
    LitheRigidLink *links;
    int32_t link_count;
    int32_t q_count, v_count; // positions and velocities (lithe_rigid_number)
    int32_t column_count;     // v_count, and three for each link that shares a section
    int32_t section_count;    // links with a line_mass
} LitheRigidTree;

enum { LITHE_SECTION_NODES = 8 };

/// f_1 and f_2 of the points of a section (law/pcc.h, LithePccFunctions).
typedef struct LitheSectionFunctions {
    double s[LITHE_SECTION_NODES], s1[LITHE_SECTION_NODES], s2[LITHE_SECTION_NODES];
    double c[LITHE_SECTION_NODES], c1[LITHE_SECTION_NODES], c2[LITHE_SECTION_NODES];
} LitheSectionFunctions;

/// The mass of the centre line of a section: lithe_section_place, and lithe_section_move for
/// rates and `bias`. Spatial vectors as below; `base`, `points` and `bias` in the frame of
/// the base.
typedef struct LitheSectionWork {
    int32_t link;
    Pose base;              // in the world
    Vec3 origin;            // of the base, from the reference [m]
    double y[3], y_rate[3]; // shape (s, u, w)
    double rate[3];         // of the chambers [m/s]
    SpatialInertia frozen;  // of the section as it stands
    Spatial carried[3];     // momentum for a unit rate of each chamber
    double own[3][3];       // mass matrix of the chambers
    LitheSectionFunctions f;
    double points[3][LITHE_SECTION_NODES];    // by components
    double slopes[3][3][LITHE_SECTION_NODES]; // by chambers, then components
    double bias[3][LITHE_SECTION_NODES];      // acceleration at constant rates of the chambers
    double masses[LITHE_SECTION_NODES];
} LitheSectionWork;

/// Quantities of a link: lithe_rigid_place sets pose, joint, inertia; lithe_rigid_move velocity,
/// drift. Spatial vectors have the world's axes and are about the tree's reference point.
typedef struct LitheLinkWork {
    Pose pose;                // in the world
    Vec3 joint;               // origin of its joint frame from the reference [m]
    SpatialInertia inertia;   // of the link
    SpatialInertia composite; // with all its descendants (lithe_rigid_mass_matrix)
    Spatial velocity;
    Spatial drift;        // acceleration with zero acceleration of its own joint
    Spatial acceleration; // inverse and forward dynamics
    Spatial force;        // of inverse and forward dynamics; momentum in lithe_rigid_momenta
} LitheLinkWork;

/// Work arrays of a tree, linear in its size; their values depend on (q, v) only.
typedef struct LitheRigidWork {
    bool placed, moved;         // poses are those of placed_q; also velocities are those of moved_v
    double *placed_q;           // [q_count]
    double *moved_v;            // [v_count]
    bool summed;                // `energies` are those of placed_q and moved_v
    double energies[3];         // kinetic, of springs, of gravity [J]
    Vec3 reference;             // [m] near the tree, to avoid loss of digits far from the origin
    LitheLinkWork *links;       // [link_count]
    Spatial *columns;           // [column_count] motion subspace
    LitheSectionWork *sections; // [section_count]
    double *articulated;        // [link_count][36] articulated inertias (lithe_rigid_accelerate)
    double *joint_parts; // [link_count][78] of their joints: U [6][6], factor of D [6][6], u [6]
} LitheRigidWork;

/// An actuator on a degree of freedom of a joint, its target at one time.
typedef struct LitheRigidDrive {
    int32_t link;
    int32_t dof; // of the joint: 0, or the chamber of a section
    LitheActuatorKind kind;
    double target; // at the time of the forces; prescribed: position at the end of the step
    double rate;   // prescribed, midpoint and stages only: velocity at the end of the step
    bool by_steps; // prescribed, stages only: the velocity follows from the target, not from `rate`
    const double
        *pose; // [13] of a free joint, prescribed: position and velocity at the end; or NULL
    double gear;
    double stiffness;
    double damping;
    bool pulls; // a negative target does nothing
} LitheRigidDrive;

/// Inverse kinematics: a frame of a link, and the joints that move it to its target.
typedef struct LitheIk {
    int32_t link;
    Pose frame;      // the driven frame in the link's
    int32_t *joints; // [joint_count] links on joints of one DoF, from the root outwards
    int32_t joint_count;
    const double *rest; // [q_count] of the tree: target of the posture term
    double posture;     // rate of the posture term [1/s]; 0: none
    double damping;     // d of (91), dimensionless; smaller singular values are damped
    double reach;       // m; makes rotations and distances comparable (lithe_ik_reach)
    bool point;         // only the origin of the frame has a target, its rotation none
} LitheIk;

/// Remaining error of inverse kinematics.
typedef struct LitheIkOutcome {
    double distance; // from the target [m]
    double angle;    // from the target [rad]
    int32_t iterations;
} LitheIkOutcome;

/// Scratch of inverse kinematics.
typedef struct LitheIkWork {
    double *linear, *angular; // [3*v_count] of all joints
    double *jacobian;         // [6][joint_count] scaled
    double *change;           // [joint_count] scaled, of an iteration
    double *pull;             // [joint_count] scaled, of the posture term
    double *low, *high;       // [joint_count] bounds of change
    double *start;            // [joint_count] positions before the step
    double *trial;            // [q_count]
    unsigned char *stuck;     // [joint_count] 1: change is at a bound
} LitheIkWork;

/// Inputs of a step.
typedef struct LitheRigidStep {
    double h;     // s
    Vec3 gravity; // m/s^2
    const LitheRigidDrive *drives;
    int32_t drive_count;
    const double *effort;   // [v_count] further generalised forces, constant; NULL: none
    const double *velocity; // [v_count] velocity at which a stage starts (data/work.h), or NULL
    const double *guess;    // [v_count] a stage: the predicted velocity
    double tolerance;       // of the residual, relative to the momenta that it balances
    int32_t max_iterations; // Newton steps
} LitheRigidStep;

/// Outcome of a step.
typedef struct LitheRigidOutcome {
    bool made;          // the step was made; false: q and v are untouched
    bool converged;     // the residual is within the tolerance
    int32_t iterations; // Newton steps
    int32_t slopes;     // Newton steps with a numerical derivative
    double residual;    // relative, like the tolerance
} LitheRigidOutcome;

/// Work arrays of a step, with dense matrices.
typedef struct LitheRigidStepWork {
    LitheRigidWork tree;
    double *mass;        // [v_count*v_count] mass matrix
    double *matrix;      // [v_count*v_count] of the step, then its factor
    double *slope;       // [v_count*v_count] numerical derivative, then its factor
    double *stiffness;   // [v_count] of springs and drives, diagonal
    double *damping;     // [v_count] of springs and drives, diagonal
    double *given;       // [v_count] velocity of prescribed DoFs
    double *rate;        // [v_count] velocity of prescribed DoFs at the end of the step
    unsigned char *held; // [v_count] 1: prescribed
    int32_t *order;      // [v_count] row exchanges of slope
    double *q;           // [q_count] configuration of the iterate
    double *w, *r, *dx;  // [v_count] iterate, residual, Newton direction
    double *trial, *trial_r;
    double *diagonal; // [v_count] of the matrix before it is factored: the scale of residuals
    double *p0;       // [v_count] momenta at the start
    double *bias;     // [v_count] gyroscopic forces (Euler), momenta at the iterate (midpoint)
    double *force;    // [v_count] all forces at the iterate
    double *load;     // [v_count] scratch
} LitheRigidStepWork;

#endif
