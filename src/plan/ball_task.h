// SPDX-License-Identifier: Apache-2.0
// plan/ball_task.h - an arm of sections of constant curvature turns a ball about its centre
//
// The stage of a plan by backward Euler: equations of motion of the arm and of the ball, gap,
// friction as a polyhedron, complementarity relaxed to products <= epsilon.

#ifndef LITHE_PLAN_BALL_TASK_H
#define LITHE_PLAN_BALL_TASK_H

#include "lithe/plan.h"
#include "plan/interior.h"
#include "plan/obstacle.h"
#include "plan/user_terms.h"

#define LITHE_PLAN_SECTIONS 3 // with three chambers each
#define LITHE_PLAN_CHAMBERS (3 * LITHE_PLAN_SECTIONS)
#define LITHE_PLAN_TOUCHING 1e-3 // forces below this do not count as contact [N]
#define LITHE_PLAN_CONTACTS 4    // disks that may touch the ball at a time
#define LITHE_PLAN_MOTION 0.1    // of the equations of motion of chambers [1/N]

/// A disk that may touch the ball: a cylinder about its axis.
typedef struct LitheTouchDisk {
    const char *name;
    int32_t section;
    double place;             // along the section, from 0 to 1
    double radius, half, rim; // half the thickness, which the radius of the rim does not exceed
    double friction;
} LitheTouchDisk;

typedef struct LitheBallTask {
    // the arm: its root at the origin, along z when straight
    double length[LITHE_PLAN_SECTIONS], mass[LITHE_PLAN_SECTIONS];
    double chamber_radius, stiffness, damping; // stiffness and damping per chamber
    double gravity[3];
    // disks that touch; the first one faces the ball at the start
    LitheTouchDisk contact[LITHE_PLAN_CONTACTS];
    int32_t contact_count;
    double smoothing; // [m^2]: added under the roots of the gap
    // the ball turns about its centre
    double centre[3], ball_radius, ball_inertia, ball_damping;
    int32_t directions;
    double step;
    bool coriolis;      // forces of the change of the Jacobian of the arm along its motion
    bool exact;         // the final orientation is a constraint
    LithePlanCost cost; // of a stage; all but `final_error` times the step
    // what no disk may enter, by at least `clearance` [m]
    LitheArmDisk disks[LITHE_PLAN_DISKS];
    LitheObstacle obstacles[LITHE_PLAN_OBSTACLES];
    int32_t disk_count, obstacle_count;
    double clearance;
    const LitheUserTerms *user; // costs and constraints, or NULL
} LitheBallTask;

/// Three sections of 15 cm, a ball of 5 cm at (0, 0.1, 0.7), the tip's disk, friction 0.6 in four
/// directions, steps of 40 ms.
LitheBallTask lithe_ball_task(void);

/// Places of the variables of a stage.
enum {
    LITHE_AT_LENGTHS = 0,
    LITHE_AT_SPEEDS = LITHE_PLAN_CHAMBERS,
    LITHE_AT_QUATERNION = 2 * LITHE_PLAN_CHAMBERS,
    LITHE_AT_SPIN = LITHE_AT_QUATERNION + 4,
    LITHE_AT_EFFORT = LITHE_AT_SPIN + 3,
    LITHE_AT_NORMAL = LITHE_AT_EFFORT + LITHE_PLAN_CHAMBERS, // force
    LITHE_AT_GAP,
    LITHE_AT_SLIP,                      // 2: relative velocity along the tangents
    LITHE_AT_SLACK = LITHE_AT_SLIP + 2, // gamma: speed of slip
    // one per direction; then the same from the normal force on for each further disk that touches;
    // then those that stand in for equations of the user, and 3 of an exact end
    LITHE_AT_FRICTION = LITHE_AT_SLACK + 1
};

/// How far the variables of contact `c` are from those of the first one. `contact_count` of it: how
/// many all contacts have.
static inline int32_t lithe_ball_task_shift(const LitheBallTask *model, int32_t c) {
    return c * (LITHE_AT_FRICTION - LITHE_AT_NORMAL + model->directions);
}

/// The place after the variables of all contacts.
static inline int32_t lithe_ball_task_contacts_end(const LitheBallTask *model) {
    return LITHE_AT_NORMAL + lithe_ball_task_shift(model, model->contact_count);
}

/// Places of the parameters of a stage.
enum {
    LITHE_BY_EPSILON,
    LITHE_BY_DYNAMIC, // 1: equations of motion of the arm; 0: its efforts are zero instead
    LITHE_BY_LAST,    // 1 at the last stage: weight of the final error
    LITHE_BY_EXACT,   // 1 where the orientation is the target, with an exact end
    LITHE_BY_SPEED,   // weight of the squared speeds
    LITHE_BY_TARGET,  // 4: quaternion
    LITHE_BY_HOLD = LITHE_BY_TARGET + 4,                 // efforts that cost nothing
    LITHE_BY_COUNT = LITHE_BY_HOLD + LITHE_PLAN_CHAMBERS // then the data of the user
};

int32_t lithe_ball_task_variables(const LitheBallTask *model);
int32_t lithe_ball_task_parameters(const LitheBallTask *model);
int32_t lithe_ball_task_equations(const LitheBallTask *model);
int32_t lithe_ball_task_inequalities(const LitheBallTask *model);

/// Size of a text for the next functions.
#define LITHE_PLAN_ROW_TEXT 256

/// What an equation, or an inequality after the equations, says: "motion of chamber 3". `buffer`
/// may receive it.
const char *lithe_ball_task_row(const LitheBallTask *model, int32_t row, char *buffer, size_t size);

/// The same for a distance of lithe_ball_task_clearances.
const char *lithe_ball_task_clearance(const LitheBallTask *model, int32_t index, char *buffer,
                                      size_t size);

/// The same for a variable, and its unit.
const char *lithe_ball_task_variable(const LitheBallTask *model, int32_t variable, char *buffer,
                                     size_t size, const char **unit);

/// Records a stage; NULL when out of memory. The tape is ended.
LitheTape *lithe_ball_task_tape(LitheContext *context, const LitheBallTask *model);

/// Chamber lengths that bring the disk's centre to `centre` and its axis along `axis`, nearest to
/// those given; and the efforts that hold them. Without a centre (NULL) the lengths stay. False
/// when they do not exist.
bool lithe_ball_task_pose(LitheContext *context, const LitheBallTask *model, const double *centre,
                          const double *axis, double *lengths, double *hold);

/// How many pairs of a disk and an obstacle there are that must not overlap.
int32_t lithe_ball_task_clearance_count(const LitheBallTask *model);

/// Distances of these pairs for chamber lengths, less the clearance; those of a disk follow each
/// other. False when out of memory.
bool lithe_ball_task_clearances(LitheContext *context, const LitheBallTask *model,
                                const double *lengths, double *distances);

/// Makes the ball an obstacle of the disks that could touch it and are not among those that may, up
/// to `reach` sections along the arm from one of these. They stay `margin` [m] away.
void lithe_ball_task_keep_off(LitheBallTask *model, double reach, double margin);

/// The deepest place of a plan at which a disk that may not touch the ball is inside of it.
typedef struct LitheEntered {
    const char *disk; // NULL: none is
    int32_t stage;
    double depth; // m, within 3 LITHE_OBSTACLE_SMOOTH
} LitheEntered;

/// Looks at all disks that could touch; x [stages*variables]. False when out of memory.
bool lithe_ball_task_entered(LitheContext *context, const LitheBallTask *model, int32_t stages,
                             const double *x, LitheEntered *entered);

/// Directions of a contact for chamber lengths, in the axes of the arm's base: the normal from the
/// disk to the ball, and the tangents.
typedef struct LitheBallContact {
    double normal[3], tangent[2][3];
} LitheBallContact;

/// All contacts, [contact_count]. False when out of memory.
bool lithe_ball_task_contacts(LitheContext *context, const LitheBallTask *model,
                              const double *lengths, LitheBallContact *contacts);

/// Which inequalities are products of complements, at most epsilon: [inequalities].
void lithe_ball_task_products(const LitheBallTask *model, bool *products);

/// The variable that each equation is solved for, -1: none: [equations]. Elongations by their
/// speeds, spin and orientation by the torque, gap and slip by the motion, efforts by it.
void lithe_ball_task_solved_for(const LitheBallTask *model, int32_t *variables);

/// The largest product of two complements of contact `c` of a stage.
double lithe_ball_task_product(const LitheBallTask *model, const double *stage, int32_t c);

/// The force on the ball of a contact, whose variables `stage` has in the places of the first one.
void lithe_ball_task_force(const LitheBallTask *model, const double *stage,
                           const LitheBallContact *contact, double force[3]);

#endif
