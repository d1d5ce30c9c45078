// SPDX-License-Identifier: Apache-2.0
// lithe/model.h - compile a scene, step it, read it
//
//     scene -> model (constant) + state (all time-dependent data); work is scratch memory.
//
// Every array that a call returns belongs to the model or the state.

#ifndef LITHE_MODEL_H
#define LITHE_MODEL_H

#include "lithe/base.h"
#include "lithe/constraint.h"
#include "lithe/rigid.h"
#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LitheModel LitheModel; ///< a compiled scene; constant
typedef struct LitheState LitheState; ///< all time-dependent data of a simulation
typedef struct LitheWork LitheWork;   ///< scratch memory; results do not depend on it

// --- create and destroy --------------------------------------------------------------------------

/// Checks and compiles a scene. The caller owns both outputs. Also with LITHE_START_EQUILIBRIUM the
/// state is as built: lithe_run and lithe_equilibrium compute the equilibrium.
LITHE_API LitheStatus lithe_compile(const LitheScene *scene, LitheModel **model, LitheState **state,
                                    LitheError *error);

/// Accept NULL.
LITHE_API void lithe_model_destroy(LitheModel *model);
LITHE_API void lithe_state_destroy(LitheState *state);
LITHE_API void lithe_work_destroy(LitheWork *work);

/// Scratch memory for steps of this model on `threads` threads. Results do not depend on it: it can
/// be destroyed and created again at any step without a change of bits. NULL when out of memory.
LITHE_API LitheWork *lithe_work_create(const LitheModel *model, int32_t threads);

// --- one step ------------------------------------------------------------------------------------

/// What limited the length of a step.
typedef enum LitheStepLimit {
    LITHE_LIMIT_LARGEST,  ///< the largest step of the scene; a fixed step that was not cut
    LITHE_LIMIT_ERROR,    ///< the error of the integrator
    LITHE_LIMIT_CONTACT,  ///< the motion of contacts along curved surfaces
    LITHE_LIMIT_EFFORT,   ///< a step twice as long cost more than twice as much
    LITHE_LIMIT_CROSSING, ///< a rod would have passed through something
    LITHE_LIMIT_SOLVE,    ///< a solve failed
    LITHE_LIMIT_EVENT,    ///< a corner of a profile, a switch, a break
} LitheStepLimit;

/// Number of limits.
enum { LITHE_LIMIT_COUNT = LITHE_LIMIT_EVENT + 1 };

/// "error", "contact", ..; belongs to the library.
LITHE_API const char *lithe_step_limit_name(LitheStepLimit limit);

/// Report of a step. Numerical outcomes are data, not errors.
typedef struct LitheReport {
    int32_t newton_iterations;  ///< max over the units
    int32_t line_search_cuts;   ///< halvings of Newton steps, sum over units
    int32_t hessians_corrected; ///< factorisations repeated with stencils made positive
                                ///< semidefinite, all units
    int32_t bodies_unconverged; ///< units that stopped at the iteration limit
    double residual;            ///< largest final residual, relative like the tolerance
    LitheRodId worst_rod;       ///< the rod with that residual; {0}: not a rod
    LitheThing worst;           ///< the thing with that residual; for a robot its first body
    int32_t joints_at_limit;    ///< joints at a limit of position, speed or effort
    int32_t contacts;           ///< contacts in the coupled solve, with and without force
    int32_t passes;             ///< linearisations of the coupled solve; 0: no couplings
    int32_t solve_iterations;   ///< Newton iterations of the coupled solve, all passes
    bool solve_unconverged;     ///< the coupled solve stopped above its tolerance
    bool friction_unsettled;    ///< normal impulses, or the direction of friction, still changed
    double solve_residual;      ///< final momentum residual of the coupled solve, relative
    double backward_error;      ///< largest one of the linear solves of the coupled solve
    int32_t constraints_broken; ///< number of breaks in this step
    int32_t pieces;             ///< number of substeps; 1: the step was not cut
    double step;                ///< its length [s]
    LitheStepLimit limit;       ///< what limited its length
    int32_t rejected;           ///< attempts repeated with half the length
    double error;               ///< adaptive: estimate of its error over the tolerance
    double contact_error;       ///< adaptive: the same for gaps of contacts
    double deepest;             ///< largest overlap of a contact at the start of the step [m]
    double deepest_fraction;    ///< the same over the smaller half thickness of the two things
    int32_t crossings_avoided;  ///< attempts rejected because a rod would have passed through
    int32_t active;             ///< contacts with a force; `contacts` includes those without
    int32_t stiffened;          ///< active contacts with more than the stiffness of their materials
    int32_t held;               ///< substeps with near-rigid contacts, to prevent a crossing
    int32_t softened;           ///< substeps solved only with more strongly regularised couplings
    int32_t euler;              ///< tr-bdf2: substeps made by backward Euler
    int32_t calmed; ///< tr-bdf2: substeps whose velocities were reduced because the energy rose
    int32_t energy_gained; ///< tr-bdf2: substeps after which overlaps hold energy from nothing
    int32_t halted; ///< tr-bdf2: substeps without motion, because any motion would gain energy
    union {
        int32_t pairs_unsupported; ///< close pairs of shapes without a contact function
        int32_t pairs_unserved;    ///< the older name of pairs_unsupported
    };
    double stored;        ///< energy in the springs of contacts (contact model convex) [J]
    int32_t guarded;      ///< tr-bdf2: attempts that the energy guard corrected or rejected
    int32_t poses_missed; ///< pose drives whose joints cannot reach the path
    double pose_distance; ///< largest distance from the path, over all pose drives [m]
    double pose_angle;    ///< largest angle from the path [rad]
    double load_time; ///< static steps: time whose loads act at the end of the step [s]; differs
                      ///< from state time where a path is followed by its arc length
    double slip;      ///< static steps: slip of the contact with friction and force that has the
                      ///< largest slip_fraction, in any part of the step [m]
    double slip_fraction;      ///< this slip over the smaller half thickness of the two things
    LitheThing slip_a, slip_b; ///< the two things
    int32_t unstable; ///< static steps: directions in which the energy falls, 0 is stable; -1: not
                      ///< counted
    /// contact model imc with friction `paper`: the friction that does not oppose the sliding, over
    /// the bounds of friction
    double friction_astray;
    int32_t inverted; ///< elements of solids that are turned inside out at the end of the step
    double inverted_fraction;  ///< the largest fraction of the elements of one solid
    LitheThing inverted_solid; ///< that solid
    int32_t inverted_element;  ///< the first of its elements that is turned inside out
    LitheVec3 inverted_place;  ///< centre of its corners [m]
    int32_t contacts_dropped;  ///< contact model lcp: contacts whose normals depend on others
    int32_t contacts_returned; ///< lcp: dropped contacts that came back, since they were violated
    double normals_condition;  ///< lcp: condition number of the normals that are kept
    int32_t fall_backs;        ///< lcp: solves in which Lemke's method followed
    int32_t weakened;          ///< lcp: 1: overlaps not pushed apart, 2: and no friction; else 0
} LitheReport;

/// Stages of a step and a run, for timing.
typedef enum LitheStage {
    LITHE_STAGE_NONE,        ///< none of these
    LITHE_STAGE_COLLIDE,     ///< collision detection
    LITHE_STAGE_FREE,        ///< the motion of each unit without couplings
    LITHE_STAGE_ASSEMBLE,    ///< couplings, residuals and matrices of the coupled solve
    LITHE_STAGE_FACTOR,      ///< linear systems of the coupled solve: ordering, factorisation,
                             ///< solution
    LITHE_STAGE_LINE_SEARCH, ///< the rest of the coupled solve: gradients, costs, line search
    LITHE_STAGE_CERTIFY,     ///< the check whether a rod passed through something
    LITHE_STAGE_ADVANCE,     ///< update of the state, copies of the old state, the report
    LITHE_STAGE_RECORD,      ///< frames, checkpoints and the recording (of a run)
    LITHE_STAGE_COUNT,       ///< number of stages, including NONE
} LitheStage;

/// "collide", "line_search" ..; "none" for LITHE_STAGE_NONE.
LITHE_API const char *lithe_stage_name(LitheStage stage);

/// Wall time of a stage, summed over all steps with this work [s].
LITHE_API double lithe_work_seconds(const LitheWork *work, LitheStage stage);

/// Advances `state` by one step of the scene's scheme. An adaptive step chooses its length;
/// lithe_state_time and report->step give it. On LITHE_CANNOT_GO_ON (a number that is not finite, a
/// fold that no step length avoids) the state is unchanged and the message names rod, node and
/// time. `report` may be NULL.
LITHE_API LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                                 LitheReport *report, LitheError *error);

/// Moves `state` to the nearest equilibrium under the loads, holds and drives of its time;
/// velocities become zero. Contacts, constraints and joints take part, and everything moves: rods,
/// bodies and particles. Friction resists slips, measured from `state` (docs/theory/statics.md). A
/// velocity actuator holds nothing. LITHE_CANNOT_GO_ON when none was found, with a message that
/// names a thing that nothing holds; the state is then unchanged. LITHE_NOT_SUPPORTED with contact
/// models other than convex where things can touch.
LITHE_API LitheStatus lithe_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                                        LitheReport *report, LitheError *error);

/// One step along a path of equilibria by its arc length, through limit points where static steps
/// would snap: from `state`, an equilibrium under the loads of its time, to the next one at about
/// `length` [m], the root mean square of the displacement weighted by mass. The time of `state`,
/// the parameter of the loads, may decrease. `direction` [velocities of the state]: the
/// displacement of the last step, zeros at first (time then grows). LITHE_CANNOT_GO_ON leaves the
/// state unchanged: the step did not converge, even with 1/64 of the length, or the stiffness is
/// singular. Allocates. `report` may be NULL. A scene whose time has LITHE_FOLLOW_ARC_LENGTH does
/// the same with lithe_step.
LITHE_API LitheStatus lithe_arc_step(const LitheModel *model, LitheState *state, LitheWork *work,
                                     double length, double *direction, LitheReport *report,
                                     LitheError *error);

/// Number of velocities of a state, the size of `direction` above and of a row of shapes below.
LITHE_API int64_t lithe_model_velocity_count(const LitheModel *model);

/// Time whose loads, targets and natural shapes act at a state [s]: its time, except with
/// LITHE_FOLLOW_ARC_LENGTH.
LITHE_API double lithe_state_load_time(const LitheState *state);

/// Modes of small vibration of one rod about `state`, which should be an equilibrium. `omega`
/// [count] rad/s ascending, rigid motions as 0; `shapes` [count][4 node_count] scaled to unit modal
/// mass, or NULL. An unstable mode has a negative entry: minus its growth rate.
LITHE_API LitheStatus lithe_modes(const LitheModel *model, const LitheState *state, LitheWork *work,
                                  LitheRodId rod, int32_t count, double *omega, double *shapes,
                                  LitheError *error);

/// As lithe_modes, for all rods, bodies and particles, with closed contacts as springs (friction
/// sticks), constraints and joints. `shapes` [count][velocities of the state]: displacements in the
/// order of the state's velocities. At most 56 modes.
LITHE_API LitheStatus lithe_world_modes(const LitheModel *model, const LitheState *state,
                                        LitheWork *work, int32_t count, double *omega,
                                        double *shapes, LitheError *error);

/// Number of directions in which the energy of everything decreases at `state`; as
/// lithe_unstable_count.
LITHE_API LitheStatus lithe_world_unstable_count(const LitheModel *model, const LitheState *state,
                                                 LitheWork *work, double shift, int32_t *count,
                                                 LitheError *error);

/// Number of directions in which the energy of a rod decreases at `state`: 0 means stable. `shift`
/// >= 0 adds shift times the mass matrix, so that rigid motions do not count [1/s^2].
LITHE_API LitheStatus lithe_unstable_count(const LitheModel *model, const LitheState *state,
                                           LitheWork *work, LitheRodId rod, double shift,
                                           int32_t *count, LitheError *error);

// --- the state: one flat array -------------------------------------------------------------------

/// The state determines the future motion completely: it can be saved, restored (into a state of
/// the same model) and compared. The data belong to the state; lithe_state_set copies.
LITHE_API int64_t lithe_state_size(const LitheState *state); ///< number of doubles
LITHE_API const double *lithe_state_data(const LitheState *state);
LITHE_API void lithe_state_set(LitheState *state, const double *data);
LITHE_API LitheState *lithe_state_copy(const LitheState *state); ///< NULL when out of memory
LITHE_API uint64_t lithe_state_hash(const LitheState *state);
LITHE_API double lithe_state_time(const LitheState *state);
LITHE_API int64_t lithe_state_step(const LitheState *state); ///< number of steps so far

// --- reading -------------------------------------------------------------------------------------

/// Rods in the order of the scene; ids count from 1. Names belong to the model.
LITHE_API int32_t lithe_rod_count(const LitheModel *model);
LITHE_API LitheRodId lithe_rod_find(const LitheModel *model, const char *name); ///< {0}: none
LITHE_API const char *lithe_rod_name(const LitheModel *model, LitheRodId rod);
LITHE_API int32_t lithe_rod_node_count(const LitheModel *model, LitheRodId rod);
LITHE_API int32_t lithe_rod_edge_count(const LitheModel *model, LitheRodId rod);
LITHE_API bool lithe_rod_closed(const LitheModel *model, LitheRodId rod);
LITHE_API LitheSectionDef lithe_rod_section(const LitheModel *model, LitheRodId rod);
LITHE_API int64_t lithe_model_dof_count(const LitheModel *model); ///< free and held

/// Position x y z and twist angle of each node, and their velocities: [node_count][4]. The fourth
/// entry of the last node of an open rod is not used. The writable array is for initial states.
LITHE_API const double *lithe_rod_q(const LitheModel *model, const LitheState *state,
                                    LitheRodId rod);
LITHE_API const double *lithe_rod_v(const LitheModel *model, const LitheState *state,
                                    LitheRodId rod);
LITHE_API double *lithe_rod_v_writable(const LitheModel *model, LitheState *state, LitheRodId rod);

/// Each fills `out`, in this order: tension [edge_count] N; directors m1 [edge_count][3]; curvature
/// [node_count][2] 1/m; twist [node_count] rad/m; bending moment [node_count][2] N m; torque
/// [node_count] N m. End nodes of open rods have zero curvature. Held ends: docs/recording.md.
LITHE_API void lithe_rod_tension(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                 double *out);
LITHE_API void lithe_rod_directors(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                   double *out);
LITHE_API void lithe_rod_curvature(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                   double *out);
LITHE_API void lithe_rod_twist(const LitheModel *model, const LitheState *state, LitheRodId rod,
                               double *out);
LITHE_API void lithe_rod_moment(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                double *out);
LITHE_API void lithe_rod_torque(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                double *out);

/// Largest principal strain [node_count] and largest von Mises stress [node_count] Pa of the
/// section at each node (docs/theory/rods.md, section 10). With LITHE_SECTION_STIFFNESS the strain
/// is that of the axis and the stress NAN.
LITHE_API void lithe_rod_strain(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                double *out);
LITHE_API void lithe_rod_stress(const LitheModel *model, const LitheState *state, LitheRodId rod,
                                double *out);

/// Things in one numbering from 0, also that of recordings: rods, then bodies, then sets of
/// particles, then solids, each in the order of the scene.
LITHE_API int32_t lithe_thing_count(const LitheModel *model);
LITHE_API LitheThing lithe_thing_at(const LitheModel *model, int32_t number);
LITHE_API int32_t lithe_thing_number(const LitheModel *model, LitheThing thing);
LITHE_API LitheThing lithe_thing_find(const LitheModel *model, const char *name); ///< {0}: none
LITHE_API const char *lithe_thing_name(const LitheModel *model, LitheThing thing);

/// Sets of particles in the order of the scene; ids count from 1. Arrays are [size][3] m, m/s and
/// [size] m, kg; forces that are written [N] act from the next step on, until they are changed.
LITHE_API int32_t lithe_particles_count(const LitheModel *model); ///< sets
LITHE_API LitheParticlesId lithe_particles_find(const LitheModel *model,
                                                const char *name); ///< {0}: none
LITHE_API const char *lithe_particles_name(const LitheModel *model, LitheParticlesId set);
LITHE_API int32_t lithe_particles_size(const LitheModel *model, LitheParticlesId set);
LITHE_API const double *lithe_particles_position(const LitheModel *model, const LitheState *state,
                                                 LitheParticlesId set);
LITHE_API const double *lithe_particles_velocity(const LitheModel *model, const LitheState *state,
                                                 LitheParticlesId set);
LITHE_API double *lithe_particles_velocity_writable(const LitheModel *model, LitheState *state,
                                                    LitheParticlesId set);
LITHE_API double *lithe_particles_force_writable(const LitheModel *model, LitheState *state,
                                                 LitheParticlesId set);
LITHE_API const double *lithe_particles_radius(const LitheModel *model, LitheParticlesId set);
LITHE_API const double *lithe_particles_mass(const LitheModel *model, LitheParticlesId set);

/// Soft solids in the order of the scene; ids count from 1. Arrays are [nodes][3] m, m/s, [nodes]
/// kg (the share of a node in the mass) and [triangles][3] nodes of the surface; forces that are
/// written [N] act from the next step on, until they are changed.
LITHE_API int32_t lithe_solid_count(const LitheModel *model);
LITHE_API LitheSolidId lithe_solid_find(const LitheModel *model, const char *name); ///< {0}: none
LITHE_API const char *lithe_solid_name(const LitheModel *model, LitheSolidId solid);
LITHE_API int32_t lithe_solid_node_count(const LitheModel *model, LitheSolidId solid);
LITHE_API int32_t lithe_solid_element_count(const LitheModel *model, LitheSolidId solid);
LITHE_API int32_t lithe_solid_nodes_per_element(const LitheModel *model, LitheSolidId solid);
LITHE_API int32_t lithe_solid_triangle_count(const LitheModel *model, LitheSolidId solid);
LITHE_API const int32_t *lithe_solid_elements(const LitheModel *model, LitheSolidId solid);
LITHE_API const int32_t *lithe_solid_triangles(const LitheModel *model, LitheSolidId solid);
LITHE_API const double *lithe_solid_position(const LitheModel *model, const LitheState *state,
                                             LitheSolidId solid);
LITHE_API const double *lithe_solid_velocity(const LitheModel *model, const LitheState *state,
                                             LitheSolidId solid);
LITHE_API double *lithe_solid_velocity_writable(const LitheModel *model, LitheState *state,
                                                LitheSolidId solid);
LITHE_API double *lithe_solid_force_writable(const LitheModel *model, LitheState *state,
                                             LitheSolidId solid);
LITHE_API const double *lithe_solid_mass(const LitheModel *model, LitheSolidId solid);

/// Cauchy stress [Pa] and Green strain of the elements, [elements][6]: xx yy zz yz zx xy. Von Mises
/// stress [Pa] of the nodes, [nodes]: means over their elements.
LITHE_API void lithe_solid_stress(const LitheModel *model, const LitheState *state,
                                  LitheSolidId solid, double *out);
LITHE_API void lithe_solid_strain(const LitheModel *model, const LitheState *state,
                                  LitheSolidId solid, double *out);
LITHE_API void lithe_solid_von_mises(const LitheModel *model, const LitheState *state,
                                     LitheSolidId solid, double *out);

/// Estimate of the error that the mesh of a solid makes: the parts of the elements [elements] in
/// the share of the deflection under given loads that is missing. With their sum s a stiffness is
/// too large by s/(1 - s), and sqrt(s) is the error relative to the solution in the norm of the
/// energy. NAN where it cannot be made: without strain, out of memory, outside of the domain of the
/// law.
LITHE_API void lithe_solid_mesh_error(const LitheModel *model, const LitheState *state,
                                      LitheSolidId solid, double *out);

/// Cavities of solids in the order of the scene; ids count from 1; {0}: none of that name. The
/// pressure is that above the outside [Pa], the volume that of the hollow [m^3].
LITHE_API int32_t lithe_cavity_count(const LitheModel *model);
LITHE_API LitheCavityId lithe_cavity_find(const LitheModel *model, const char *name);
LITHE_API const char *lithe_cavity_name(const LitheModel *model, LitheCavityId cavity);
LITHE_API double lithe_cavity_pressure(const LitheModel *model, const LitheState *state,
                                       LitheCavityId cavity);
LITHE_API double lithe_cavity_volume(const LitheModel *model, const LitheState *state,
                                     LitheCavityId cavity);

/// Drives in the order of the scene; ids count from 1; {0}: none of that name.
LITHE_API int32_t lithe_drive_count(const LitheModel *model);
LITHE_API LitheDriveId lithe_drive_find(const LitheModel *model, const char *name);
LITHE_API const char *lithe_drive_name(const LitheModel *model, LitheDriveId drive);

/// Of a drive: the force in the last step along its direction [N], without a direction its size (of
/// a twist drive the torque, N m); the torque of a clamp about its axis [N m]; the present
/// position, motion(t) or turn(t).
LITHE_API double lithe_drive_force(const LitheModel *model, const LitheState *state,
                                   LitheDriveId drive);
LITHE_API double lithe_drive_torque(const LitheModel *model, const LitheState *state,
                                    LitheDriveId drive);
LITHE_API double lithe_drive_position(const LitheModel *model, const LitheState *state,
                                      LitheDriveId drive);

/// Holds in the order of the scene, then the clamped ends of rods, by the names ROD/start and
/// ROD/end; ids count from 1; {0}: none of that name.
LITHE_API int32_t lithe_hold_count(const LitheModel *model);
LITHE_API LitheHoldId lithe_hold_find(const LitheModel *model, const char *name);
LITHE_API const char *lithe_hold_name(const LitheModel *model, LitheHoldId hold);

/// What a hold or a drive exerts on its thing, in world axes.
typedef struct LitheReaction {
    LitheVec3
        point; ///< middle of the nodes that it holds or moves, of a twist that of the edge [m]
    LitheVec3 force;  ///< N
    LitheVec3 torque; ///< about the point [N m]
} LitheReaction;

/// In the last step (of `tr-bdf2`: at its end); 0 before the first step. Of a node that two holds
/// hold the first of them has the force.
LITHE_API LitheReaction lithe_hold_reaction(const LitheModel *model, const LitheWork *work,
                                            LitheHoldId hold);
/// As above.
LITHE_API LitheReaction lithe_drive_reaction(const LitheModel *model, const LitheWork *work,
                                             LitheDriveId drive);

/// Rigid bodies and joints of the scene.
LITHE_API int32_t lithe_body_count(const LitheModel *model);
/// {0}: none of that name.
LITHE_API LitheBodyId lithe_body_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_body_name(const LitheModel *model, LitheBodyId body);
/// Origin of its frame and unit quaternion (real part first) in the world.
LITHE_API void lithe_body_pose(const LitheModel *model, const LitheState *state, LitheBodyId body,
                               double out[7]);
/// Velocity of the origin of its frame [m/s] and angular velocity [rad/s], both in world axes; 0
/// for fixed bodies.
LITHE_API void lithe_body_velocity(const LitheModel *model, const LitheState *state,
                                   LitheBodyId body, double out[6]);

/// Number of joints of the scene (a free body has no joint).
LITHE_API int32_t lithe_joint_count(const LitheModel *model);
/// {0}: none of that name.
LITHE_API LitheJointId lithe_joint_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_joint_name(const LitheModel *model, LitheJointId joint);

/// Sizes of the arrays of a joint.
typedef struct LitheJointSize {
    int32_t positions;  ///< ball 4, free 7, else as many as velocities
    int32_t velocities; ///< degrees of freedom; also the number of efforts
} LitheJointSize;

/// Number of positions and of velocities of a joint.
LITHE_API LitheJointSize lithe_joint_size(const LitheModel *model, LitheJointId joint);
/// Position [rad or m; see LitheJointKind], velocity, and the effort of its actuators in the last
/// step. Each points into the state.
LITHE_API const double *lithe_joint_position(const LitheModel *model, const LitheState *state,
                                             LitheJointId joint);
/// As above.
LITHE_API const double *lithe_joint_velocity(const LitheModel *model, const LitheState *state,
                                             LitheJointId joint);
/// As above.
LITHE_API const double *lithe_joint_effort(const LitheModel *model, const LitheState *state,
                                           LitheJointId joint);

/// Effort of its limits of position and velocity in the last step (or its last substep), in the
/// same units [velocities]; 0 before the first step.
LITHE_API const double *lithe_joint_limit_effort(const LitheModel *model, const LitheWork *work,
                                                 LitheJointId joint);

/// Whether a joint is the only one that carries a tree of bodies on the world; false where the tree
/// is free, and where tendons, beds of springs or welded solids act on it.
LITHE_API bool lithe_joint_has_reaction(const LitheModel *model, LitheJointId joint);
/// What the world exerts on the tree through this joint, about its place, in the last step (or its
/// last substep), whose mean rate of momentum counts; 0 before the first step, for other joints and
/// when out of memory. Torques of torsional and rolling friction are left out.
LITHE_API LitheReaction lithe_joint_reaction(const LitheModel *model, const LitheState *state,
                                             const LitheWork *work, LitheJointId joint);

/// Constraints in the order of the scene.
LITHE_API int32_t lithe_constraint_count(const LitheModel *model);
/// {0}: none of that name.
LITHE_API LitheConstraintId lithe_constraint_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_constraint_name(const LitheModel *model, LitheConstraintId constraint);

/// Switches a constraint on or off from the next step on. A constraint that keeps its offset or
/// length takes the value at that time. Switching a broken one on repairs it.
LITHE_API void lithe_state_set_constraint(const LitheModel *model, LitheState *state,
                                          LitheConstraintId constraint, bool active);
/// Whether it is switched on and its gate is open at the state's time; whether it is broken.
LITHE_API bool lithe_constraint_active(const LitheModel *model, const LitheState *state,
                                       LitheConstraintId constraint);
LITHE_API bool lithe_constraint_broken(const LitheModel *model, const LitheState *state,
                                       LitheConstraintId constraint);
/// Force [N] and torque [N m] on place b in the last step, world axes; 0 when it did not act.
LITHE_API LitheVec3 lithe_constraint_force(const LitheModel *model, const LitheState *state,
                                           LitheConstraintId constraint);
LITHE_API LitheVec3 lithe_constraint_torque(const LitheModel *model, const LitheState *state,
                                            LitheConstraintId constraint);
/// Places a and b in the world: origin and unit quaternion (real part first) of each.
LITHE_API void lithe_constraint_places(const LitheModel *model, const LitheState *state,
                                       LitheConstraintId constraint, double a[7], double b[7]);
/// A tendon: length of its path [m], its tension in the last step [N], and the work of its drive
/// since the start: of a given tension or of its shortening [J]. Other kinds: 0.
LITHE_API double lithe_tendon_length(const LitheModel *model, const LitheState *state,
                                     LitheConstraintId constraint);
LITHE_API double lithe_tendon_tension(const LitheModel *model, const LitheState *state,
                                      LitheConstraintId constraint);
LITHE_API double lithe_tendon_work(const LitheModel *model, const LitheState *state,
                                   LitheConstraintId constraint);

/// Energies in joules. All except the first three are sums since the start. Except for rounding and
/// errors of the scheme, kinetic + elastic + gravity + dissipated + friction + contact +
/// constraints - work is constant.
typedef struct LitheEnergy {
    double kinetic;
    double elastic;
    double gravity;     ///< zero at the origin
    double dissipated;  ///< by damping of rods and joints, and by drag
    double work;        ///< by drives, holds and forces
    double friction;    ///< dissipated by friction of contacts and dry friction of joints
    double contact;     ///< absorbed by normal forces of contacts: stored or dissipated
    double constraints; ///< absorbed by constraints and limits of joints: stored or dissipated
} LitheEnergy;

/// Energies of all things at the state.
LITHE_API LitheEnergy lithe_energy(const LitheModel *model, const LitheState *state);

/// Total momentum [kg m/s], and total angular momentum about the origin [kg m^2/s].
LITHE_API LitheVec3 lithe_momentum(const LitheModel *model, const LitheState *state);
LITHE_API LitheVec3 lithe_angular_momentum(const LitheModel *model, const LitheState *state);

#ifdef __cplusplus
}
#endif

#endif
