// SPDX-License-Identifier: Apache-2.0
// plan/hand_task.c - the record of a stage of two fingers that turn a box

#include "plan/hand_task.h"

#include "plan/tape_vector.h"

#include <math.h>
#include <string.h>

LitheHandTask lithe_hand_task(void) {
    LitheHandTask task = {.half = {0.05, 0.05},
                          .box_mass = 0.2,
                          .inertia = 0.2 * (0.01 + 0.01) / 12,
                          .gravity = 9.81,
                          .tip_friction = 0.8,
                          .ground_friction = 0.8,
                          .rounding = 1e-6,
                          .step = 0.04,
                          .cost = lithe_plan_def_default().hand.cost};
    for (int f = 0; f < LITHE_HAND_FINGERS; f++)
        task.finger[f] = (LitheHandFinger){.base = {f == 0 ? -0.1 : 0.1, 0.28},
                                           .length = {0.16, 0.14},
                                           .mass = {0.1, 0.08},
                                           .centre = {0.08, 0.07},
                                           .inertia = {0.1 * 0.0256 / 12, 0.08 * 0.0196 / 12},
                                           .damping = {0.01, 0.01},
                                           .tip = 0.012};
    return task;
}

int32_t lithe_hand_variables(const LitheHandTask *task) {
    return LITHE_HAND_VARIABLES + lithe_user_terms_variables(task->user);
}

int32_t lithe_hand_parameters(const LitheHandTask *task) {
    return LITHE_HAND_BY_COUNT + (task->user != NULL ? task->user->data_count : 0);
}

int32_t lithe_hand_equations(const LitheHandTask *task) {
    return LITHE_HAND_EQUATIONS + lithe_user_terms_count(task->user, LITHE_USER_EQUATION);
}

int32_t lithe_hand_inequalities(const LitheHandTask *task) {
    return LITHE_HAND_INEQUALITIES + LITHE_HAND_AWAY * task->obstacle_count +
           lithe_user_terms_count(task->user, LITHE_USER_INEQUALITY);
}

// --- in the plane --------------------------------------------------------------------------------

typedef struct Flat {
    LitheTerm x, z;
} Flat;

static Flat flat_add(Tape *t, Flat a, Flat b) {
    return (Flat){plus(t, a.x, b.x), plus(t, a.z, b.z)};
}

static Flat flat_less(Tape *t, Flat a, Flat b) {
    return (Flat){less(t, a.x, b.x), less(t, a.z, b.z)};
}

static Flat flat_scale(Tape *t, LitheTerm f, Flat a) {
    return (Flat){times(t, f, a.x), times(t, f, a.z)};
}

static LitheTerm flat_dot(Tape *t, Flat a, Flat b) {
    return plus(t, times(t, a.x, b.x), times(t, a.z, b.z));
}

static LitheTerm flat_cross(Tape *t, Flat a, Flat b) {
    return less(t, times(t, a.x, b.z), times(t, a.z, b.x));
}

// a turned by 90 degrees: the velocity of a lever at unit angular velocity
static Flat quarter(Tape *t, Flat a) {
    return (Flat){lithe_tape_scale(t, -1, a.z), a.x};
}

typedef struct Turn {
    LitheTerm cosine, sine;
} Turn;

static Turn turn_of(Tape *t, LitheTerm angle) {
    return (Turn){lithe_tape_apply(t, LITHE_TAPE_COSINE, angle),
                  lithe_tape_apply(t, LITHE_TAPE_SINE, angle)};
}

static Flat turned(Tape *t, Turn by, Flat a) {
    return (Flat){less(t, times(t, by.cosine, a.x), times(t, by.sine, a.z)),
                  plus(t, times(t, by.sine, a.x), times(t, by.cosine, a.z))};
}

static Flat turned_back(Tape *t, Turn by, Flat a) {
    return (Flat){plus(t, times(t, by.cosine, a.x), times(t, by.sine, a.z)),
                  less(t, times(t, by.cosine, a.z), times(t, by.sine, a.x))};
}

// --- a finger ------------------------------------------------------------------------------------

typedef struct Finger {
    Flat link[LITHE_HAND_LINKS];      // from joint to joint
    LitheTerm spin[LITHE_HAND_LINKS]; // of the links
    Flat centre_velocity[LITHE_HAND_LINKS];
    Flat tip, tip_velocity;
} Finger;

static Finger record_finger(Tape *t, const LitheHandFinger *model, int32_t angles, int32_t speeds) {
    Finger finger;
    LitheTerm angle = number(t, 0), spin = number(t, 0);
    Flat velocity = {number(t, 0), number(t, 0)};
    finger.tip = (Flat){number(t, model->base[0]), number(t, model->base[1])};
    for (int i = 0; i < LITHE_HAND_LINKS; i++) {
        angle = plus(t, angle, lithe_tape_input(t, angles + i));
        spin = plus(t, spin, lithe_tape_input(t, speeds + i));
        Turn turn = turn_of(t, angle);
        finger.link[i] = (Flat){lithe_tape_scale(t, model->length[i], turn.sine),
                                lithe_tape_scale(t, -model->length[i], turn.cosine)};
        Flat gained = flat_scale(t, spin, quarter(t, finger.link[i]));
        finger.spin[i] = spin;
        finger.centre_velocity[i] = flat_add(
            t, velocity, flat_scale(t, number(t, model->centre[i] / model->length[i]), gained));
        velocity = flat_add(t, velocity, gained);
        finger.tip = flat_add(t, finger.tip, finger.link[i]);
    }
    finger.tip_velocity = velocity;
    return finger;
}

// Torques of the joints over a step: inertia and weight less a force on the tip with a torque about
// its centre. The inertia resists the change of the velocities of the links.
static void record_torques(Tape *t, const LitheHandTask *task, const LitheHandFinger *model,
                           const Finger *now, const Finger *before, Flat force, LitheTerm torque,
                           LitheTerm *joint) {
    double h = task->step;
    // forces and moments from the tip to the root
    Flat pull = flat_scale(t, number(t, -h), force);
    LitheTerm moment = lithe_tape_scale(t, -h, torque);
    for (int i = LITHE_HAND_LINKS - 1; i >= 0; i--) {
        Flat change = flat_less(t, now->centre_velocity[i], before->centre_velocity[i]);
        change.z = plus(t, change.z, number(t, h * task->gravity));
        Flat own = flat_scale(t, number(t, model->mass[i]), change);
        double part = model->centre[i] / model->length[i];
        moment = plus(t, moment, flat_cross(t, now->link[i], pull));
        moment = plus(t, moment, lithe_tape_scale(t, part, flat_cross(t, now->link[i], own)));
        moment =
            plus(t, moment,
                 lithe_tape_scale(t, model->inertia[i], less(t, now->spin[i], before->spin[i])));
        pull = flat_add(t, pull, own);
        joint[i] = moment;
    }
}

// --- contacts ------------------------------------------------------------------------------------

typedef struct Touch {
    LitheTerm normal, gap, slip, slack, friction[2];
} Touch;

static Touch touch_at(Tape *t, int32_t at) {
    at += LITHE_HAND_TOUCH;
    Touch touch = {.normal = lithe_tape_input(t, at + LITHE_TOUCH_NORMAL),
                   .gap = lithe_tape_input(t, at + LITHE_TOUCH_GAP),
                   .slip = lithe_tape_input(t, at + LITHE_TOUCH_SLIP),
                   .slack = lithe_tape_input(t, at + LITHE_TOUCH_SLACK)};
    for (int j = 0; j < 2; j++)
        touch.friction[j] = lithe_tape_input(t, at + LITHE_TOUCH_FRICTION + j);
    return touch;
}

// half of d + sqrt(d^2 + e): a smooth positive part; and its derivative
static LitheTerm positive_part(Tape *t, LitheTerm d, double e, LitheTerm *slope) {
    LitheTerm r = root(t, plus(t, square(t, d), number(t, e)));
    *slope = lithe_tape_scale(t, 0.5, plus(t, number(t, 1), times(t, d, over(t, r))));
    return lithe_tape_scale(t, 0.5, plus(t, d, r));
}

// distance of a point from the rounded box, and its gradient, both in the axes of the box
static LitheTerm distance_of(Tape *t, const LitheHandTask *task, double rounding, Flat p,
                             Flat *normal) {
    LitheTerm small = number(t, rounding), x[2] = {p.x, p.z}, part[2], along[2];
    for (int i = 0; i < 2; i++) {
        LitheTerm slope, size = root(t, plus(t, square(t, x[i]), small));
        part[i] = positive_part(t, less(t, size, number(t, task->half[i])), rounding, &slope);
        along[i] = times(t, times(t, times(t, part[i], slope), over(t, size)), x[i]);
    }
    Flat direction = {along[0], along[1]};
    *normal = flat_scale(t, over(t, root(t, flat_dot(t, direction, direction))), direction);
    return root(t, plus(t, plus(t, square(t, part[0]), square(t, part[1])), small));
}

// what a contact does to the box: force, and torque about its centre
typedef struct Load {
    Flat force;
    LitheTerm torque;
} Load;

typedef struct Geometry {
    LitheTerm gap, slip;
    Flat force, lever; // on the box, from its centre
    Flat normal;       // onto the box
} Geometry;

static Flat force_of(Tape *t, const Touch *touch, Flat normal, Flat tangent) {
    LitheTerm along = less(t, touch->friction[0], touch->friction[1]);
    return flat_add(t, flat_scale(t, touch->normal, normal), flat_scale(t, along, tangent));
}

typedef struct Box {
    Flat at, velocity;
    LitheTerm spin;
    Turn turn;
} Box;

static Geometry record_tip(Tape *t, const LitheHandTask *task, const LitheHandFinger *model,
                           const Finger *finger, const Box *box, const Touch *touch) {
    Flat outward;
    Flat own = turned_back(t, box->turn, flat_less(t, finger->tip, box->at));
    LitheTerm distance = distance_of(t, task, task->rounding, own, &outward);
    Flat normal = flat_scale(t, number(t, -1), turned(t, box->turn, outward)); // onto the box
    Flat tangent = quarter(t, normal), arm = flat_scale(t, number(t, model->tip), normal);
    Geometry to;
    to.gap = less(t, distance, number(t, model->tip));
    to.force = force_of(t, touch, normal, tangent);
    to.normal = normal;
    to.lever = flat_less(t, flat_add(t, finger->tip, arm), box->at);
    Flat slip = flat_add(t, box->velocity, flat_scale(t, box->spin, quarter(t, to.lever)));
    slip = flat_less(t, slip, finger->tip_velocity);
    slip = flat_less(t, slip, flat_scale(t, finger->spin[LITHE_HAND_LINKS - 1], quarter(t, arm)));
    to.slip = flat_dot(t, slip, tangent);
    return to;
}

static Geometry record_corner(Tape *t, const LitheHandTask *task, const Box *box, int corner,
                              const Touch *touch) {
    double x = corner & 1 ? task->half[0] : -task->half[0];
    double z = corner & 2 ? task->half[1] : -task->half[1];
    Flat normal = {number(t, 0), number(t, 1)}, tangent = {number(t, 1), number(t, 0)};
    Geometry to;
    to.lever = turned(t, box->turn, (Flat){number(t, x), number(t, z)});
    to.gap = plus(t, box->at.z, to.lever.z);
    to.force = force_of(t, touch, normal, tangent);
    to.normal = normal;
    to.slip = less(t, box->velocity.x, times(t, box->spin, to.lever.z));
    return to;
}

// gap and slip are those of the poses; then, among the inequalities, cone and complements
static void record_rows(Tape *t, const Touch *touch, double friction) {
    LitheTerm epsilon = lithe_tape_parameter(t, LITHE_HAND_BY_EPSILON);
    LitheTerm cone = lithe_tape_scale(t, friction, touch->normal);
    cone = less(t, less(t, cone, touch->friction[0]), touch->friction[1]);
    lithe_tape_output(t, less(t, epsilon, times(t, touch->gap, touch->normal)));
    lithe_tape_output(t, cone);
    lithe_tape_output(t, less(t, epsilon, times(t, cone, touch->slack)));
    for (int j = 0; j < 2; j++) {
        LitheTerm along =
            j == 0 ? plus(t, touch->slack, touch->slip) : less(t, touch->slack, touch->slip);
        lithe_tape_output(t, along);
        lithe_tape_output(t, less(t, epsilon, times(t, along, touch->friction[j])));
    }
}

void lithe_hand_products(bool *products) {
    for (int32_t i = 0; i < LITHE_HAND_INEQUALITIES; i++) // by record_rows
        products[i] = i < LITHE_TOUCH_ROWS * LITHE_HAND_CONTACTS && i % LITHE_TOUCH_ROWS % 2 == 0;
}

// --- the stage -----------------------------------------------------------------------------------

static LitheTerm record_cost(Tape *t, const LitheHandTask *task) {
    int32_t n = lithe_hand_variables(task);
    const LithePlanHandCost *by = &task->cost;
    LitheTerm away[3], cost = number(t, 0), last = number(t, 0);
    for (int i = 0; i < 3; i++) {
        away[i] = square(t, less(t, lithe_tape_input(t, n + LITHE_HAND_BOX + i),
                                 lithe_tape_parameter(t, LITHE_HAND_BY_TARGET + i)));
        bool angle = i == 2;
        cost = plus(t, cost, lithe_tape_scale(t, angle ? by->angle : by->place, away[i]));
        last =
            plus(t, last, lithe_tape_scale(t, angle ? by->final_angle : by->final_place, away[i]));
        LitheTerm speed = lithe_tape_input(t, n + LITHE_HAND_BOX_SPEED + i);
        last = plus(t, last, lithe_tape_scale(t, by->final_speed, square(t, speed)));
    }
    for (int i = 0; i < LITHE_HAND_JOINTS; i++) {
        LitheTerm speed = lithe_tape_input(t, n + LITHE_HAND_SPEEDS + i);
        LitheTerm change = less(t, speed, lithe_tape_input(t, LITHE_HAND_SPEEDS + i));
        LitheTerm effort = less(t, lithe_tape_input(t, n + LITHE_HAND_EFFORTS + i),
                                lithe_tape_parameter(t, LITHE_HAND_BY_HOLD + i));
        cost = plus(t, cost, lithe_tape_scale(t, by->speed, square(t, speed)));
        cost = plus(t, cost, lithe_tape_scale(t, by->change, square(t, change)));
        cost = plus(t, cost, lithe_tape_scale(t, by->effort, square(t, effort)));
        last = plus(t, last, lithe_tape_scale(t, by->final_speed, square(t, speed)));
    }
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        Touch touch = touch_at(t, n + c * LITHE_TOUCH_VARIABLES);
        LitheTerm force = plus(t, square(t, touch.friction[0]), square(t, touch.friction[1]));
        force = plus(t, force, square(t, touch.normal));
        cost = plus(t, cost, lithe_tape_scale(t, by->force, force));
        cost = plus(t, cost, lithe_tape_scale(t, by->force, square(t, touch.slack)));
    }
    for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
        int32_t at = LITHE_HAND_TOUCH + f * LITHE_TOUCH_VARIABLES + LITHE_TOUCH_NORMAL;
        LitheTerm rise = less(t, lithe_tape_input(t, n + at), lithe_tape_input(t, at));
        cost = plus(t, cost, lithe_tape_scale(t, by->rise, square(t, rise)));
    }
    last = times(t, lithe_tape_parameter(t, LITHE_HAND_BY_LAST), last);
    return plus(t, lithe_tape_scale(t, task->step, cost), last);
}

// now = before + h speed
static void record_motion(Tape *t, int32_t n, double h, int32_t place, int32_t speed, int count) {
    for (int i = 0; i < count; i++)
        lithe_tape_output(
            t, less(t, less(t, lithe_tape_input(t, n + place + i), lithe_tape_input(t, place + i)),
                    lithe_tape_scale(t, h, lithe_tape_input(t, n + speed + i))));
}

static void record_finger_rows(Tape *t, const LitheHandTask *task, const LitheTerm *torque) {
    int32_t n = lithe_hand_variables(task);
    double h = task->step;
    LitheTerm dynamic = lithe_tape_parameter(t, LITHE_HAND_BY_DYNAMIC);
    for (int i = 0; i < LITHE_HAND_JOINTS; i++) {
        LitheTerm effort = lithe_tape_input(t, n + LITHE_HAND_EFFORTS + i);
        double damping = task->finger[i / LITHE_HAND_LINKS].damping[i % LITHE_HAND_LINKS];
        LitheTerm lost =
            lithe_tape_scale(t, damping, lithe_tape_input(t, n + LITHE_HAND_SPEEDS + i));
        LitheTerm balance = plus(t, lithe_tape_scale(t, 1 / h, torque[i]), less(t, lost, effort));
        lithe_tape_output(t, plus(t, times(t, dynamic, balance),
                                  times(t, less(t, number(t, 1), dynamic), effort)));
    }
}

// lengths below this are rounded off where obstacles are near [m]
#define SMOOTH 1e-4

// outputs: distances of the tips and of the box from obstacles, less the clearance: never
// overstated where they are near 0, of the box understated by 3 SMOOTH at most
static void record_clearances(Tape *t, const LitheHandTask *task, const Finger *fingers,
                              const Box *box) {
    for (int32_t k = 0; k < task->obstacle_count; k++) {
        const LitheHandObstacle *o = &task->obstacles[k];
        double away = o->radius + task->clearance;
        Flat at = {number(t, o->at[0]), number(t, o->at[1])}, unused;
        for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
            Flat between = flat_less(t, fingers[f].tip, at);
            double sum = task->finger[f].tip + away, small = SMOOTH * SMOOTH;
            LitheTerm squared = plus(t, flat_dot(t, between, between),
                                     number(t, o->depth[f] * o->depth[f] + small));
            // sqrt(d^2 + e) < d + e/(2 d)
            LitheTerm left = less(t, root(t, squared), number(t, sum + 0.5 * small / sum));
            lithe_tape_output(t, o->avoided[f] ? left : number(t, 1));
        }
        Flat own = turned_back(t, box->turn, flat_less(t, at, box->at));
        // each of the three roots of this distance adds the rounding at most
        LitheTerm left = less(t, distance_of(t, task, SMOOTH * SMOOTH, own, &unused),
                              number(t, away + 3 * SMOOTH));
        lithe_tape_output(t, o->avoided[LITHE_HAND_FINGERS] ? left : number(t, 1));
    }
}

static LitheUserRows *record_user(Tape *t, LitheContext *context, const LitheHandTask *task,
                                  const Finger *fingers) {
    LitheTerm disks[LITHE_HAND_USER_DISKS * LITHE_USER_DISK_COMPONENTS], zero = number(t, 0);
    for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
        const Finger *own = &fingers[f];
        LitheTerm one = number(t, 1);
        double over_length = 1 / task->finger[f].length[LITHE_HAND_LINKS - 1];
        Flat along = own->link[LITHE_HAND_LINKS - 1]; // its angle is from -z
        LitheTerm sine = lithe_tape_scale(t, over_length, along.x),
                  cosine = lithe_tape_scale(t, -over_length, along.z);
        const LitheTerm rows[LITHE_USER_DISK_COMPONENTS] = {own->tip.x,
                                                            own->tip.z,
                                                            zero,
                                                            cosine,
                                                            lithe_tape_scale(t, -1, sine),
                                                            zero,
                                                            sine,
                                                            cosine,
                                                            zero,
                                                            zero,
                                                            zero,
                                                            one,
                                                            own->tip_velocity.x,
                                                            own->tip_velocity.z,
                                                            zero,
                                                            zero,
                                                            zero,
                                                            own->spin[LITHE_HAND_LINKS - 1]};
        memcpy(disks + (ptrdiff_t)f * LITHE_USER_DISK_COMPONENTS, rows, sizeof rows);
    }
    const LitheUserRecord record = {.tape = t,
                                    .variables = lithe_hand_variables(task),
                                    .data = LITHE_HAND_BY_COUNT,
                                    .stand_in = LITHE_HAND_VARIABLES,
                                    .efforts = LITHE_HAND_EFFORTS,
                                    .effort_count = LITHE_HAND_JOINTS,
                                    .dynamic = lithe_tape_parameter(t, LITHE_HAND_BY_DYNAMIC),
                                    .step = task->step,
                                    .disks = disks};
    return lithe_user_rows_new(context, task->user, &record);
}

LitheTape *lithe_hand_task_tape(LitheContext *context, const LitheHandTask *task) {
    int32_t n = lithe_hand_variables(task);
    double h = task->step;
    Tape *t = lithe_tape_new(context, 2 * n, lithe_hand_parameters(task));
    if (t == NULL)
        return NULL;
    LitheTerm box_at[3], box_speed[3], gained[3];
    for (int i = 0; i < 3; i++) {
        box_at[i] = lithe_tape_input(t, n + LITHE_HAND_BOX + i);
        box_speed[i] = lithe_tape_input(t, n + LITHE_HAND_BOX_SPEED + i);
        gained[i] = less(t, box_speed[i], lithe_tape_input(t, LITHE_HAND_BOX_SPEED + i));
    }
    Box box = {
        {box_at[0], box_at[1]}, {box_speed[0], box_speed[1]}, box_speed[2], turn_of(t, box_at[2])};
    Touch touch[LITHE_HAND_CONTACTS];
    Geometry geometry[LITHE_HAND_CONTACTS];
    LitheTerm torque[LITHE_HAND_JOINTS], height[LITHE_HAND_FINGERS];
    Finger fingers[LITHE_HAND_FINGERS];
    Load load = {{number(t, 0), number(t, -task->box_mass * task->gravity)}, number(t, 0)};
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        touch[c] = touch_at(t, n + c * LITHE_TOUCH_VARIABLES);
        if (c < LITHE_HAND_FINGERS) {
            const LitheHandFinger *model = &task->finger[c];
            int32_t at = c * LITHE_HAND_LINKS;
            Finger now =
                record_finger(t, model, n + LITHE_HAND_ANGLES + at, n + LITHE_HAND_SPEEDS + at);
            Finger before = record_finger(t, model, LITHE_HAND_ANGLES + at, LITHE_HAND_SPEEDS + at);
            geometry[c] = record_tip(t, task, model, &now, &box, &touch[c]);
            Flat back = flat_scale(t, number(t, -1), geometry[c].force);
            Flat lever = flat_less(t, flat_add(t, geometry[c].lever, box.at), now.tip);
            record_torques(t, task, model, &now, &before, back, flat_cross(t, lever, back),
                           torque + at);
            height[c] = less(t, now.tip.z, number(t, model->tip));
            fingers[c] = now;
        } else {
            geometry[c] = record_corner(t, task, &box, c - LITHE_HAND_FINGERS, &touch[c]);
        }
        load.force = flat_add(t, load.force, geometry[c].force);
        load.torque = plus(t, load.torque, flat_cross(t, geometry[c].lever, geometry[c].force));
    }

    LitheUserRows *user = NULL;
    LitheTerm cost = record_cost(t, task);
    if (task->user != NULL) {
        user = record_user(t, context, task, fingers);
        if (user == NULL) {
            lithe_tape_free(t);
            return NULL;
        }
        cost = plus(t, cost, lithe_user_rows_cost(user));
    }
    lithe_tape_output(t, cost);
    record_motion(t, n, h, LITHE_HAND_ANGLES, LITHE_HAND_SPEEDS, LITHE_HAND_JOINTS);
    record_finger_rows(t, task, torque);
    record_motion(t, n, h, LITHE_HAND_BOX, LITHE_HAND_BOX_SPEED, 3);
    LitheTerm loads[3] = {load.force.x, load.force.z, load.torque};
    for (int i = 0; i < 3; i++) {
        double inertia = i < 2 ? task->box_mass : task->inertia, scale = i < 2 ? 1 : 10;
        lithe_tape_output(
            t, lithe_tape_scale(t, scale,
                                less(t, lithe_tape_scale(t, inertia / h, gained[i]), loads[i])));
    }
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        lithe_tape_output(t, less(t, touch[c].gap, geometry[c].gap));
        lithe_tape_output(t, less(t, touch[c].slip, geometry[c].slip));
    }
    if (user != NULL)
        lithe_user_rows_output(user, LITHE_USER_EQUATION);
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++)
        record_rows(t, &touch[c],
                    c < LITHE_HAND_FINGERS ? task->tip_friction : task->ground_friction);
    for (int f = 0; f < LITHE_HAND_FINGERS; f++)
        lithe_tape_output(t, height[f]);
    record_clearances(t, task, fingers, &box);
    if (user != NULL)
        lithe_user_rows_output(user, LITHE_USER_INEQUALITY);
    lithe_user_rows_free(user);
    return lithe_tape_finish(t);
}

// --- contacts in numbers -------------------------------------------------------------------------

bool lithe_hand_task_contacts(LitheContext *context, const LitheHandTask *task, const double *stage,
                              LitheHandContact contacts[LITHE_HAND_CONTACTS]) {
    enum { PER_CONTACT = 6 };
    Tape *t = lithe_tape_new(context, LITHE_HAND_VARIABLES, 0);
    if (t == NULL)
        return false;
    LitheTerm at[3], speed[3];
    for (int i = 0; i < 3; i++) {
        at[i] = lithe_tape_input(t, LITHE_HAND_BOX + i);
        speed[i] = lithe_tape_input(t, LITHE_HAND_BOX_SPEED + i);
    }
    const Box box = {{at[0], at[1]}, {speed[0], speed[1]}, speed[2], turn_of(t, at[2])};
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        Touch touch = touch_at(t, c * LITHE_TOUCH_VARIABLES);
        Geometry g;
        if (c < LITHE_HAND_FINGERS) {
            int32_t first = c * LITHE_HAND_LINKS;
            Finger finger = record_finger(t, &task->finger[c], LITHE_HAND_ANGLES + first,
                                          LITHE_HAND_SPEEDS + first);
            g = record_tip(t, task, &task->finger[c], &finger, &box, &touch);
        } else {
            g = record_corner(t, task, &box, c - LITHE_HAND_FINGERS, &touch);
        }
        const LitheTerm rows[PER_CONTACT] = {plus(t, at[0], g.lever.x),
                                             plus(t, at[1], g.lever.z),
                                             g.normal.x,
                                             g.normal.z,
                                             g.force.x,
                                             g.force.z};
        for (int i = 0; i < PER_CONTACT; i++)
            lithe_tape_output(t, rows[i]);
    }
    double y[LITHE_HAND_CONTACTS * PER_CONTACT];
    if (!lithe_tape_evaluate(context, t, stage, y))
        return false;
    for (int c = 0; c < LITHE_HAND_CONTACTS; c++) {
        const double *own = y + (ptrdiff_t)PER_CONTACT * c;
        contacts[c] = (LitheHandContact){{own[0], own[1]}, {own[2], own[3]}, {own[4], own[5]}};
    }
    return true;
}

// --- statics of a finger -------------------------------------------------------------------------

bool lithe_hand_reach(const LitheHandFinger *finger, const double place[2], int bend,
                      double angles[LITHE_HAND_LINKS]) {
    double x = place[0] - finger->base[0], z = place[1] - finger->base[1];
    double a = finger->length[0], b = finger->length[1], rr = x * x + z * z;
    double cosine = (rr - a * a - b * b) / (2 * a * b);
    if (!(fabs(cosine) <= 1))
        return false;
    double second = bend > 0 ? acos(cosine) : -acos(cosine);
    // the tip is at first + atan2(b sin(second), a + b cos(second)) from below
    angles[0] = atan2(x, -z) - atan2(b * sin(second), a + b * cos(second));
    angles[1] = second;
    return true;
}

void lithe_hand_hold(const LitheHandFinger *finger, double gravity,
                     const double angles[LITHE_HAND_LINKS], double torque[LITHE_HAND_LINKS]) {
    double first = sin(angles[0]), second = sin(angles[0] + angles[1]);
    torque[1] = gravity * finger->mass[1] * finger->centre[1] * second;
    torque[0] =
        torque[1] + gravity * first *
                        (finger->mass[1] * finger->length[0] + finger->mass[0] * finger->centre[0]);
}
