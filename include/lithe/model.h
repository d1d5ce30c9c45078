// SPDX-License-Identifier: Apache-2.0
// lithe/model.h - compile a scene, step it, read it
//
//     scene -> model (never changes) + state (everything that does); work is scratch memory.
//
// Every array that a call returns belongs to the model or the state and lives as long as they do.

#ifndef LITHE_MODEL_H
#define LITHE_MODEL_H

#include "lithe/base.h"
#include "lithe/constraint.h"
#include "lithe/rigid.h"
#include "lithe/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LitheModel LitheModel; ///< what a scene compiles to; never changes
typedef struct LitheState LitheState; ///< everything that changes and the future depends on
typedef struct LitheWork LitheWork;   ///< scratch memory; holds nothing that matters

// --- life ----------------------------------------------------------------------------------------

/// Checks and compiles. Both outputs belong to the caller. With LITHE_START_EQUILIBRIUM the state
/// is still as built: lithe_run and `lithe_equilibrium` look for the equilibrium.
LITHE_API LitheStatus lithe_compile(const LitheScene *scene, LitheModel **model, LitheState **state,
                                    LitheError *error);

/// Accept NULL.
LITHE_API void lithe_model_destroy(LitheModel *model);
LITHE_API void lithe_state_destroy(LitheState *state);
LITHE_API void lithe_work_destroy(LitheWork *work);

/// Scratch for stepping this model on `threads` threads. It remembers nothing that matters: drop
/// and make it anew at any step and the results keep their bits. NULL when out of memory.
LITHE_API LitheWork *lithe_work_create(const LitheModel *model, int32_t threads);

// --- one step ------------------------------------------------------------------------------------

/// Why a step was not longer.
typedef enum LitheStepLimit {
    LITHE_LIMIT_LARGEST,  ///< it was the largest one; a fixed step that was made whole
    LITHE_LIMIT_ERROR,    ///< the error of the integrator
    LITHE_LIMIT_CONTACT,  ///< what touches moves on along curved surfaces
    LITHE_LIMIT_EFFORT,   ///< twice the step cost more than twice as much
    LITHE_LIMIT_CROSSING, ///< a rod would have passed through something
    LITHE_LIMIT_SOLVE,    ///< a solve that failed
    LITHE_LIMIT_EVENT,    ///< a corner of a profile, a switch, something that broke
} LitheStepLimit;

/// How many there are.
enum { LITHE_LIMIT_COUNT = LITHE_LIMIT_EVENT + 1 };

/// "error", "contact", ..; belongs to the library.
LITHE_API const char *lithe_step_limit_name(LitheStepLimit limit);

/// What a step did: numerical outcomes are data, not errors.
typedef struct LitheReport {
    int32_t newton_iterations;  ///< most over the bodies
    int32_t line_search_cuts;   ///< halvings of Newton steps, all bodies
    int32_t hessians_corrected; ///< factorisations repeated with projected stencils, all bodies
    int32_t bodies_unconverged; ///< bodies that stopped at the iteration limit
    double residual;            ///< largest final residual, relative as the tolerance is
    LitheRodId worst_rod;       ///< the rod with that residual; {0}: it is no rod
    LitheThing worst;           ///< the thing with that residual; of a robot its first body
    int32_t joints_at_limit;    ///< joints at a limit of position, speed or effort
    int32_t contacts;           ///< that took part in the coupled solve, with and without force
    int32_t passes;             ///< linearisations of the coupled solve; 0: nothing was coupled
    int32_t solve_iterations;   ///< Newton iterations of the coupled solve, all passes
    bool solve_unconverged;     ///< the coupled solve stopped above its tolerance
    bool friction_unsettled;    ///< normal impulses still changed from pass to pass
    double solve_residual;      ///< final momentum residual of the coupled solve, relative
    double backward_error;      ///< largest of its linear solves
    int32_t constraints_broken; ///< in this step
    int32_t pieces;             ///< that the step was made in; 1: whole
    double step;                ///< its length [s]
    LitheStepLimit limit;       ///< why it was not longer
    int32_t rejected;           ///< attempts that were made again with half the length
    double error;               ///< adaptive: estimate of its error over the tolerance
    double contact_error;       ///< adaptive: likewise of gaps of contacts
    double deepest;             ///< largest overlap of a contact at the start of the step [m]
    int32_t crossings_avoided;  ///< attempts refused because a rod would have passed through
    int32_t stiffened;      ///< contacts that bore with more than the stiffness of their materials
    int32_t held;           ///< pieces in which contacts had to stop what they were too soft for
    int32_t softened;       ///< pieces solved only with couplings regularised more strongly
    int32_t pairs_unserved; ///< shapes near each other between which no contact is defined
    int32_t poses_missed;   ///< pose drives whose joints cannot bring the hand to its path
    double pose_distance;   ///< from it, the largest of all pose drives [m]
    double pose_angle;      ///< likewise [rad]
} LitheReport;

/// What a step and a run spend their time on.
typedef enum LitheStage {
    LITHE_STAGE_NONE,        ///< none of these
    LITHE_STAGE_COLLIDE,     ///< the search for contacts
    LITHE_STAGE_FREE,        ///< the motion of each body without the others
    LITHE_STAGE_ASSEMBLE,    ///< couplings, residuals and matrices of the coupled solve
    LITHE_STAGE_FACTOR,      ///< ordering, factorisation and solution of its linear equations
    LITHE_STAGE_LINE_SEARCH, ///< the rest of it: gradients, costs, lengths of steps
    LITHE_STAGE_CERTIFY,     ///< whether a rod passed through something
    LITHE_STAGE_ADVANCE,     ///< the new state, copies of the old one, and the report
    LITHE_STAGE_RECORD,      ///< frames, checkpoints and the recording (of a run)
    LITHE_STAGE_COUNT,       ///< how many there are, with none
} LitheStage;

/// "collide", "line_search" ..; "none" for LITHE_STAGE_NONE.
LITHE_API const char *lithe_stage_name(LitheStage stage);

/// Wall time of a stage in all steps that were made with this work [s].
LITHE_API double lithe_work_seconds(const LitheWork *work, LitheStage stage);

/// Advances `state` by one step of the scene's scheme; where the step is adaptive it chooses its
/// length, which lithe_state_time and report->step tell. On LITHE_CANNOT_GO_ON (a number that is
/// not finite, a fold that no step length avoids) the state is as before the call and the message
/// names rod, node and time. `report` may be NULL.
LITHE_API LitheStatus lithe_step(const LitheModel *model, LitheState *state, LitheWork *work,
                                 LitheReport *report, LitheError *error);

/// Moves `state` to the nearest stable equilibrium under the loads, holds and drives of its time;
/// velocities become zero. LITHE_CANNOT_GO_ON when none was found. Contacts and constraints take no
/// part in it, and rigid bodies stay where they are.
LITHE_API LitheStatus lithe_equilibrium(const LitheModel *model, LitheState *state, LitheWork *work,
                                        LitheReport *report, LitheError *error);

/// Small vibrations about `state` (an equilibrium, if the answer is to mean anything) of one rod.
/// `omega` [count] rad/s ascending, rigid motions as 0; `shapes` [count][4 node_count] scaled to
/// unit modal mass, or NULL. An unstable mode has a negative entry: minus its growth rate.
LITHE_API LitheStatus lithe_modes(const LitheModel *model, const LitheState *state, LitheWork *work,
                                  LitheRodId rod, int32_t count, double *omega, double *shapes,
                                  LitheError *error);

/// Number of directions in which the energy of a rod falls at `state`: 0 means stable. `shift` >= 0
/// adds shift times the mass matrix, so that rigid motions do not count [1/s^2].
LITHE_API LitheStatus lithe_unstable_count(const LitheModel *model, const LitheState *state,
                                           LitheWork *work, LitheRodId rod, double shift,
                                           int32_t *count, LitheError *error);

// --- the state: one flat array -------------------------------------------------------------------

/// All that the future depends on, and nothing else: save it, put it back (into a state of the same
/// model), compare it. The data belong to the state; `set` copies.
LITHE_API int64_t lithe_state_size(const LitheState *state); ///< doubles
LITHE_API const double *lithe_state_data(const LitheState *state);
LITHE_API void lithe_state_set(LitheState *state, const double *data);
LITHE_API LitheState *lithe_state_copy(const LitheState *state); ///< NULL when out of memory
LITHE_API uint64_t lithe_state_hash(const LitheState *state);
LITHE_API double lithe_state_time(const LitheState *state);
LITHE_API int64_t lithe_state_step(const LitheState *state); ///< steps taken so far

// --- reading -------------------------------------------------------------------------------------

/// Rods in the order of the scene; ids count from 1. Names belong to the model.
LITHE_API int32_t lithe_rod_count(const LitheModel *model);
LITHE_API LitheRodId lithe_rod_find(const LitheModel *model, const char *name); ///< {0}: none
LITHE_API const char *lithe_rod_name(const LitheModel *model, LitheRodId rod);
LITHE_API int32_t lithe_rod_node_count(const LitheModel *model, LitheRodId rod);
LITHE_API int32_t lithe_rod_edge_count(const LitheModel *model, LitheRodId rod);
LITHE_API bool lithe_rod_closed(const LitheModel *model, LitheRodId rod);
LITHE_API LitheSectionDef lithe_rod_section(const LitheModel *model, LitheRodId rod);
LITHE_API int64_t lithe_model_dof_count(const LitheModel *model); ///< free and held, unpadded

/// Position x y z and twist angle of each node, then velocity: [node_count][4]. The fourth entry of
/// an open rod's last node means nothing. The writable ones are for setting initial states.
LITHE_API const double *lithe_rod_q(const LitheModel *model, const LitheState *state,
                                    LitheRodId rod);
LITHE_API const double *lithe_rod_v(const LitheModel *model, const LitheState *state,
                                    LitheRodId rod);
LITHE_API double *lithe_rod_v_writable(const LitheModel *model, LitheState *state, LitheRodId rod);

/// Each fills `out`: [edge_count] N; [edge_count][3] directors m1; [node_count][2] curvature 1/m;
/// [node_count] twist rad/m; [node_count][2] bending moment N m; [node_count] torque N m. End nodes
/// of open rods have zero curvature.
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

/// Things in one numbering from 0, also that of recordings: rods, then bodies, then sets of
/// particles, each in the order of the scene.
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

/// Drives in the order of the scene, likewise; {0}: none of that name.
LITHE_API int32_t lithe_drive_count(const LitheModel *model);
LITHE_API LitheDriveId lithe_drive_find(const LitheModel *model, const char *name);
LITHE_API const char *lithe_drive_name(const LitheModel *model, LitheDriveId drive);

/// What the drive exerted in the last step: force along its direction [N] (a twist drive: torque,
/// N m), and for a clamp the torque about its axis; and where it now stands: motion(t) or turn(t).
LITHE_API double lithe_drive_force(const LitheModel *model, const LitheState *state,
                                   LitheDriveId drive);
LITHE_API double lithe_drive_torque(const LitheModel *model, const LitheState *state,
                                    LitheDriveId drive);
LITHE_API double lithe_drive_position(const LitheModel *model, const LitheState *state,
                                      LitheDriveId drive);

/// Rigid bodies and joints of the scene.
LITHE_API int32_t lithe_body_count(const LitheModel *model);
/// {0} when there is none of that name.
LITHE_API LitheBodyId lithe_body_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_body_name(const LitheModel *model, LitheBodyId body);
/// Origin of its frame and unit quaternion (real part first) in the world.
LITHE_API void lithe_body_pose(const LitheModel *model, const LitheState *state, LitheBodyId body,
                               double out[7]);
/// Velocity of the origin of its frame [m/s] and spin [rad/s], both along the world's axes; 0 for
/// fixed bodies.
LITHE_API void lithe_body_velocity(const LitheModel *model, const LitheState *state,
                                   LitheBodyId body, double out[6]);

/// How many joints the scene has (a free body has none of its own).
LITHE_API int32_t lithe_joint_count(const LitheModel *model);
/// {0} when there is none of that name.
LITHE_API LitheJointId lithe_joint_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_joint_name(const LitheModel *model, LitheJointId joint);

/// Numbers that a joint has in each of the arrays below.
typedef struct LitheJointSize {
    int32_t positions;  ///< ball 4, free 7, else as many as velocities
    int32_t velocities; ///< degrees of freedom; efforts as many
} LitheJointSize;

/// Its numbers of positions and velocities.
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

/// Constraints in the order of the scene.
LITHE_API int32_t lithe_constraint_count(const LitheModel *model);
/// {0} when there is none of that name.
LITHE_API LitheConstraintId lithe_constraint_find(const LitheModel *model, const char *name);
/// Belongs to the model.
LITHE_API const char *lithe_constraint_name(const LitheModel *model, LitheConstraintId constraint);

/// Switches a constraint on or off from the next step on. One that keeps its offset or length takes
/// the one it then has; a broken one is mended by switching it on.
LITHE_API void lithe_state_set_constraint(const LitheModel *model, LitheState *state,
                                          LitheConstraintId constraint, bool active);
/// Whether it is switched on and its gate open at the state's time; whether it broke.
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

/// Joules. All but the first three are summed since the start. What is neither lost in rounding nor
/// by the scheme: kinetic + elastic + gravity + dissipated + friction + contact + constraints -
/// work stays the same.
typedef struct LitheEnergy {
    double kinetic;
    double elastic;
    double gravity;     ///< zero at the origin
    double dissipated;  ///< by damping of rods and joints, and by drag
    double work;        ///< by drives, holds and forces
    double friction;    ///< taken by friction of contacts and dry friction of joints
    double contact;     ///< taken by normal forces of contacts: stored in them, or lost
    double constraints; ///< taken by constraints and limits of joints: likewise
} LitheEnergy;

/// Of everything, at the state.
LITHE_API LitheEnergy lithe_energy(const LitheModel *model, const LitheState *state);

/// Total momentum [kg m/s] and angular momentum about the origin [kg m^2/s] of everything.
LITHE_API LitheVec3 lithe_momentum(const LitheModel *model, const LitheState *state);
LITHE_API LitheVec3 lithe_angular_momentum(const LitheModel *model, const LitheState *state);

#ifdef __cplusplus
}
#endif

#endif
