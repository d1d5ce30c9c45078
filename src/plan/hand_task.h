// SPDX-License-Identifier: Apache-2.0
// plan/hand_task.h - two fingers turn a box that stands on the ground
//
// All is in a plane: x to the right, z up, angles from x to z. A finger has two links and a round
// tip. Contacts: both tips with the box, the four corners of the box with the ground. The stage of
// a plan by backward Euler, complementarity relaxed to products <= epsilon.

#ifndef LITHE_PLAN_HAND_TASK_H
#define LITHE_PLAN_HAND_TASK_H

#include "lithe/plan.h"
#include "plan/interior.h"
#include "plan/user_terms.h"

enum {
    LITHE_HAND_FINGERS = 2,
    LITHE_HAND_LINKS = 2, // of a finger
    LITHE_HAND_JOINTS = LITHE_HAND_FINGERS * LITHE_HAND_LINKS,
    LITHE_HAND_CORNERS = 4,
    LITHE_HAND_CONTACTS = LITHE_HAND_FINGERS + LITHE_HAND_CORNERS, // tips first
};

/// A finger hangs down where its angles are 0; the second angle is relative to the first link.
typedef struct LitheHandFinger {
    double base[2];                   // x and z of its first joint [m]
    double length[LITHE_HAND_LINKS];  // [m]
    double mass[LITHE_HAND_LINKS];    // [kg]
    double centre[LITHE_HAND_LINKS];  // of mass, from the joint along the link [m]
    double inertia[LITHE_HAND_LINKS]; // about it [kg m^2]
    double damping[LITHE_HAND_LINKS]; // of its joint [N m s]
    double tip;                       // radius [m]
} LitheHandFinger;

/// A sphere that neither the tips nor the box may enter.
typedef struct LitheHandObstacle {
    const char *name;                     // of its body
    double at[2];                         // x and z of its centre [m]
    double depth[LITHE_HAND_FINGERS];     // of its centre beside the plane of each tip [m]
    double radius;                        // [m]
    bool avoided[LITHE_HAND_FINGERS + 1]; // by the tips and by the box, which could touch it
} LitheHandObstacle;

#define LITHE_HAND_OBSTACLES 8 // at most

typedef struct LitheHandTask {
    LitheHandFinger finger[LITHE_HAND_FINGERS];
    double half[2], box_mass, inertia; // half sizes of the box
    double gravity;                    // along -z
    double tip_friction, ground_friction;
    double rounding; // [m^2]: added under the roots of the gaps of the tips
    double step;
    LithePlanHandCost cost; // of a stage; all but those of the end times the step
    LitheHandObstacle obstacles[LITHE_HAND_OBSTACLES];
    int32_t obstacle_count;
    double clearance;           // of tips and box from obstacles, at least [m]
    const LitheUserTerms *user; // costs and constraints, or NULL
} LitheHandTask;

/// A box of 10 cm and 200 g under two fingers of 16 and 14 cm, 40 ms.
LitheHandTask lithe_hand_task(void);

/// Variables of a contact.
enum {
    LITHE_TOUCH_NORMAL, // force
    LITHE_TOUCH_GAP,
    LITHE_TOUCH_SLIP,     // of the box over the tip or the ground
    LITHE_TOUCH_SLACK,    // its magnitude
    LITHE_TOUCH_FRICTION, // 2: forwards and backwards
    LITHE_TOUCH_VARIABLES = LITHE_TOUCH_FRICTION + 2
};

/// Places of the variables of a stage.
enum {
    LITHE_HAND_ANGLES = 0,
    LITHE_HAND_SPEEDS = LITHE_HAND_JOINTS,
    LITHE_HAND_EFFORTS = 2 * LITHE_HAND_JOINTS, // torques
    LITHE_HAND_BOX = 3 * LITHE_HAND_JOINTS,     // x, z, angle
    LITHE_HAND_BOX_SPEED = LITHE_HAND_BOX + 3,
    LITHE_HAND_TOUCH = LITHE_HAND_BOX_SPEED + 3, // contact by contact
    // then those that stand in for equations of the user
    LITHE_HAND_VARIABLES = LITHE_HAND_TOUCH + LITHE_HAND_CONTACTS * LITHE_TOUCH_VARIABLES,
    // then those of the user
    LITHE_HAND_EQUATIONS = 2 * LITHE_HAND_JOINTS + 6 + 2 * LITHE_HAND_CONTACTS,
    LITHE_TOUCH_ROWS = 7,
    // the contacts, and the height of each tip; then obstacles: both tips and the box from each
    // one; then those of the user
    LITHE_HAND_AWAY = LITHE_HAND_FINGERS + 1,
    LITHE_HAND_INEQUALITIES = LITHE_TOUCH_ROWS * LITHE_HAND_CONTACTS + LITHE_HAND_FINGERS,
};

/// Places of the parameters of a stage.
enum {
    LITHE_HAND_BY_EPSILON,
    LITHE_HAND_BY_DYNAMIC, // 1: equations of motion of the fingers; 0: their torques are 0 instead
    LITHE_HAND_BY_LAST,    // 1 at the last stage
    LITHE_HAND_BY_TARGET,  // 3: pose of the box
    LITHE_HAND_BY_HOLD = LITHE_HAND_BY_TARGET + 3,               // torques that cost nothing
    LITHE_HAND_BY_COUNT = LITHE_HAND_BY_HOLD + LITHE_HAND_JOINTS // then the data of the user
};

/// Variables, parameters and rows of a stage.
int32_t lithe_hand_variables(const LitheHandTask *task);
int32_t lithe_hand_parameters(const LitheHandTask *task);
int32_t lithe_hand_equations(const LitheHandTask *task);
int32_t lithe_hand_inequalities(const LitheHandTask *task);

/// Quantities of the tips for terms of the user, in the places of those of disks
/// (LITHE_USER_DISK_COMPONENTS): position (x, z, 0), rotation (that of the second link, by rows),
/// velocity (x, z, 0) and angular velocity (0, 0, from x to z).
#define LITHE_HAND_USER_DISKS LITHE_HAND_FINGERS

/// Records a stage; NULL when out of memory. The tape is ended.
LitheTape *lithe_hand_task_tape(LitheContext *context, const LitheHandTask *model);

/// A contact of a stage in the plane: where, the normal onto the box, the force on the box [N].
typedef struct LitheHandContact {
    double at[2], normal[2], force[2];
} LitheHandContact;

/// False when out of memory.
bool lithe_hand_task_contacts(LitheContext *context, const LitheHandTask *task, const double *stage,
                              LitheHandContact contacts[LITHE_HAND_CONTACTS]);

/// Angles that bring the tip of a finger to a place; `bend` > 0: the second angle is positive.
/// False out of its reach.
bool lithe_hand_reach(const LitheHandFinger *finger, const double place[2], int bend,
                      double angles[LITHE_HAND_LINKS]);

/// Torques that hold a finger against its weight.
void lithe_hand_hold(const LitheHandFinger *finger, double gravity,
                     const double angles[LITHE_HAND_LINKS], double torque[LITHE_HAND_LINKS]);

/// Which inequalities are products of complements, at most epsilon: [LITHE_HAND_INEQUALITIES].
void lithe_hand_products(bool *products);

#endif
