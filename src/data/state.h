// SPDX-License-Identifier: Apache-2.0
// data/state.h - all time-dependent data of a simulation, in one flat array

#ifndef LITHE_DATA_STATE_H
#define LITHE_DATA_STATE_H

#include "data/model.h"

/// A constraint in the state (updated by body/constraint.h): numbers alone, like all of the state.
typedef struct LitheTie {
    double status; // LitheTieStatus: switched by the user, or broken
    double acts;   // LitheTieAction
    union {
        struct {              // on place b in the last step, world axes
            double force[3];  // N
            double torque[3]; // N m
        };
        double wrench[6]; // both
    };
    union {
        struct {              // between two places
            double offset[3]; // required position of place b in frame a [m]
            double turn[4];   // required quaternion of frame b in frame a
        };
        struct {            // along a path: a tendon
            double steady;  // tension that lasted for two steps [N]
            double tension; // of the last step [N]
            double power;   // of the drive of a given tension, at the end of the step [W]
            double kept;    // 1: the force of a given tension is in `steady` of the state
            double work;    // of its drive since the start [J]
        };
    };
    double length; // required distance, or its limit [m]
} LitheTie;

/// Numbers of a constraint: another size is another LITHE_STATE_LAYOUT.
enum { LITHE_TIE_SIZE = sizeof(LitheTie) / sizeof(double) };

typedef enum LitheTieAction {
    LITHE_TIE_IDLE,
    LITHE_TIE_BINDS,  // acts in the present step (switched on, gate open)
    LITHE_TIE_LEAVES, // no longer acts, but the things still overlap there
    LITHE_TIE_PULLS,  // acts; the error that it began with is not closed yet
} LitheTieAction;

typedef enum LitheTieStatus {
    LITHE_TIE_OFF,
    LITHE_TIE_ON,
    LITHE_TIE_BROKEN,
} LitheTieStatus;

/// Energy that couplings removed from the units since the start, by source [J].
typedef enum LitheTook {
    LITHE_TOOK_FRICTION = 0,    // of contacts, and dry friction of joints
    LITHE_TOOK_NORMAL = 1,      // normal forces of contacts: stored in them or lost
    LITHE_TOOK_CONSTRAINTS = 2, // constraints and limits of joints: stored in them or lost
    LITHE_TOOK_DRIVES = 3,      // drives with a bound: minus their work
    LITHE_TOOK_SIZE = 4,
} LitheTook;

/// A row of commands: the target of a controller for one number (body/control.h).
enum {
    LITHE_COMMAND_ON = 0,    // 1: the command applies; 0: the profile of the scene applies
    LITHE_COMMAND_SINCE = 1, // time at which the command was given [s]
    LITHE_COMMAND_VALUE = 2, // value at that time
    LITHE_COMMAND_RATE = 3,  // its rate of change [1/s]
    LITHE_COMMAND_SIZE = 4,
};

/// A row of poses: the target of a controller for a driven frame; ON and SINCE as in a row of
/// commands.
enum {
    LITHE_POSE_AT = 2,       // [7] x y z and unit quaternion at that time
    LITHE_POSE_VELOCITY = 9, // [6] velocity [m/s], angular velocity [rad/s], world axes
    LITHE_POSE_SIZE = 15,
};

/// Memory of the step-size control (advance/adapt.c); all 0 where the step is fixed.
enum {
    LITHE_STEP_CONTROL_TICKS = 0, // time in smallest steps, a whole number
    LITHE_STEP_CONTROL_LEVEL = 1, // halvings of the largest step that give the next step
    LITHE_STEP_CONTROL_LIMIT = 2, // LitheStepLimit: why the step is not longer
    LITHE_STEP_CONTROL_WAIT = 3,  // number of steps before the step may grow again
    LITHE_STEP_CONTROL_COUNT = 4, // number of steps of this length so far
    LITHE_STEP_CONTROL_COST = 5,  // effort per time of these steps [1/s]
    LITHE_STEP_CONTROL_HALF = 6,  // effort per time of steps of half this length [1/s]; 0: unknown
    LITHE_STEP_CONTROL_LAST = 7,  // length of the last step [s]; 0: no step yet
    LITHE_STEP_CONTROL_SIZE = 8,
};

struct LitheState {
    LitheContext *context;
    int64_t size; // doubles in data
    double *data;

    // the parts of data; together they are all of data
    double *clock;  // [2] time [s] and steps taken (a whole number)
    double *q;      // [q_count] positions [m], angles [rad], quaternions, unit by unit
    double *v;      // [v_count] velocities
    double *own;    // [own_count] used by one kind only: LitheRod.d1_at, LitheTree.effort_at ..
    double *pushes; // [point_count][3] external forces on points [N]
    double *sums;   // [unit_count][2] energy dissipated, work done on each unit [J]
    double *drives; // [drive_count][4] force [N], torque [N m], motion, turn: end of the step
    double *constraints; // [constraint_count][LITHE_TIE_SIZE]
    double *took;        // [LITHE_TOOK_SIZE]
    double *commands;    // [2 drive_count + actuator_count][LITHE_COMMAND_SIZE] of controllers
    double *poses;       // [pose_drive_count][LITHE_POSE_SIZE] commands of controllers
    double *potential_contact; // [1] imc: the largest force of a pair [N]; 0: no step made yet
    double *step_control;      // [LITHE_STEP_CONTROL_SIZE]
    double *accelerations;     // [v_count, or 0] means over the last step (adaptive, imc, spt)
    double *was_active; // [lithe_was_active_count] which contacts were active in the last step

    // TR-BDF2: forces of persistent couplings at the end of the last step (solve/persistent.h)
    double *steady;   // [v_count, or 0] forces on the DoFs
    double *touches;  // [lithe_touch_count][2] persistent contacts: name, normal force [N]
    double *powers;   // [LITHE_TOOK_SIZE, or 0] energy that these couplings remove per time [W]
    double *guard;    // [LITHE_GUARD_SIZE, or 0] memory of the energy guard (advance/guard.h)
    double *path;     // [LITHE_PATH_SIZE + v_count, or 0] follow: arc-length (advance/arc.c)
    double *impulses; // [lithe_impulse_count][lithe_impulse_size] of contacts of the last step
                      // (lcp): name, then the unknowns of the complementarity problem
    double *slips;    // [lithe_slip_count][LITHE_SLIP_SIZE] contacts of the last step, by name
};

/// A contact in state->slips; a name of 0 ends the list.
enum {
    LITHE_SLIP_NAME = 0,
    LITHE_SLIP_VELOCITY = 1, // [2] of sliding, at the end of the step [m/s]
    LITHE_SLIP_FORCE = 3,    // normal force [N]
    LITHE_SLIP_STUCK = 1,    // paths, in place of both: [3] the slip that gives friction [m]; the
                             // turn [rad] follows as another contact
    LITHE_SLIP_SIZE = 4,
};

/// A path of equilibria that is followed by its arc length.
enum {
    LITHE_PATH_TIME = 0,   // of the loads [s]
    LITHE_PATH_LENGTH = 1, // arc length of a step [m]; 0: no step yet
    LITHE_PATH_SIZE = 2,   // then the displacement of the last step [v_count]
};

/// Doubles of `path`.
int64_t lithe_path_count(const LitheModel *model);

/// Time whose loads, targets and natural shapes act at a state [s]: its time, except on a path that
/// is followed by its arc length.
static inline double lithe_load_time(const LitheState *state) {
    bool follows = state->path < state->slips;
    return follows ? state->path[LITHE_PATH_TIME] : state->clock[0];
}

static inline void lithe_set_load_time(LitheState *state, double time) {
    bool follows = state->path < state->slips;
    *(follows ? &state->path[LITHE_PATH_TIME] : &state->clock[0]) = time;
}

/// Memory of the energy guard [J].
enum {
    LITHE_GUARD_LOWEST = 0,  // lowest value so far of energy minus work
    LITHE_GUARD_LARGEST = 1, // largest kinetic or stored energy so far
    LITHE_GUARD_LAST = 2,    // energy at the end of the last step
    LITHE_GUARD_ON = 3,      // 0: the others are not set; else 1 plus a rise still to be removed
    LITHE_GUARD_SIZE = 4,
};

/// Slots for persistent contacts; 0 with schemes without stages.
int64_t lithe_touch_count(const LitheModel *model);

/// Slots for contacts that were active: a few for each part that can touch; none where the step is
/// fixed.
int64_t lithe_was_active_count(const LitheModel *model);

/// Contacts that are recalled: a few for each shape and each triangle of a soft surface; none in
/// worlds with rods, or with particles and no soft surface. Paths by arc length: a few for each
/// part.
int64_t lithe_slip_count(const LitheModel *model);

/// Contacts in state->impulses, and numbers per contact.
int64_t lithe_impulse_count(const LitheModel *model);
int64_t lithe_impulse_size(const LitheModel *model);

/// The order and sizes of the parts above. It is stored with saved states, and increases with every
/// change of either.
enum { LITHE_STATE_LAYOUT = 6 };
#define LITHE_STATE_LAYOUT LITHE_STATE_LAYOUT

/// The last layout without `slips` of paths by arc length.
enum { LITHE_STATE_LAYOUT_NO_PATH_SLIPS = 5 };

/// The last layout without `slips` in worlds with soft surfaces.
enum { LITHE_STATE_LAYOUT_RIGID_SLIPS = 4 };

/// The last layout without `slips`.
enum { LITHE_STATE_LAYOUT_NO_SLIPS = 3 };

/// The last layout of programs in which backward Euler was the default scheme.
enum { LITHE_STATE_LAYOUT_EULER = 2 };

/// Restores `data` [count] that was saved in a layout of this or an earlier version. Returns false
/// and changes nothing if the layout is unknown, or if a state of this model has another size in
/// that layout (body/state_layout.c).
bool lithe_state_set_layout(const LitheModel *model, int32_t layout, const double *data,
                            int64_t count, LitheState *state);

/// Writes the numbers of a state in a layout of this or an earlier version into `data`, or with
/// NULL only returns their count; -1 when the layout is unknown or cannot represent the model.
int64_t lithe_state_get_layout(const LitheModel *model, const LitheState *state, int32_t layout,
                               double *data);

/// Doubles that a state of this model takes.
int64_t lithe_state_size_of(const LitheModel *model);

/// Zeroed; NULL when out of memory.
LitheState *lithe_state_create(const LitheModel *model);

#endif
