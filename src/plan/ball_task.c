// SPDX-License-Identifier: Apache-2.0
// plan/ball_task.c - the record of a stage of an arm that turns a ball
//
// Velocities go from the root to the tip, forces back: the generalised forces of all mass points
// cost one pass, without the mass matrix.

#include "plan/ball_task.h"

#include "plan/arm_record.h"

#include <math.h>
#include <string.h>

LitheBallTask lithe_ball_task(void) {
    return (LitheBallTask){.length = {0.15, 0.15, 0.15},
                           .mass = {1.17, 0.54, 0.265},
                           .chamber_radius = 0.04,
                           .stiffness = 265,
                           .damping = 125,
                           .gravity = {0, 0, 9.81},
                           .contact = {{.name = "tip",
                                        .section = 2,
                                        .place = 1,
                                        .radius = 0.05,
                                        .half = 0.005,
                                        .friction = 0.6}},
                           .contact_count = 1,
                           .smoothing = 1e-6,
                           .centre = {0, 0.1, 0.7},
                           .ball_radius = 0.05,
                           .ball_inertia = 2e-4,
                           .ball_damping = 1e-2,
                           .directions = 4,
                           .step = 0.04,
                           .cost = lithe_plan_def_default().cost};
}

int32_t lithe_ball_task_variables(const LitheBallTask *model) {
    return lithe_ball_task_contacts_end(model) + lithe_user_terms_variables(model->user) +
           (model->exact ? 3 : 0);
}

int32_t lithe_ball_task_parameters(const LitheBallTask *model) {
    return LITHE_BY_COUNT + (model->user != NULL ? model->user->data_count : 0);
}

int32_t lithe_ball_task_equations(const LitheBallTask *model) {
    return 2 * LITHE_PLAN_CHAMBERS + 3 + 4 + 3 * model->contact_count + (model->exact ? 3 : 0) +
           lithe_user_terms_count(model->user, LITHE_USER_EQUATION);
}

int32_t lithe_ball_task_clearance_count(const LitheBallTask *model) {
    int32_t count = 0;
    for (int32_t i = 0; i < model->disk_count * model->obstacle_count; i++)
        count += model->disks[i / model->obstacle_count].avoids >> i % model->obstacle_count & 1;
    return count;
}

void lithe_ball_task_keep_off(LitheBallTask *model, double reach, double margin) {
    int32_t k = model->obstacle_count++;
    model->obstacles[k] = (LitheObstacle){.kind = LITHE_OBSTACLE_SPHERE,
                                          .name = "ball",
                                          .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          .radius = model->ball_radius,
                                          .margin = margin};
    memcpy(model->obstacles[k].at, model->centre, sizeof model->centre);
    for (int32_t i = 0; i < model->disk_count; i++) {
        LitheArmDisk *disk = &model->disks[i];
        double nearest = INFINITY;
        for (int32_t c = 0; c < model->contact_count; c++) {
            const LitheTouchDisk *own = &model->contact[c];
            nearest = fmin(nearest, fabs(disk->section + disk->place - own->section - own->place));
        }
        if (disk->meets_ball && nearest > 0 && nearest <= reach)
            disk->avoids |= 1u << k;
    }
}

int32_t lithe_ball_task_inequalities(const LitheBallTask *model) {
    return model->contact_count * (3 + 2 * model->directions) +
           lithe_ball_task_clearance_count(model) +
           lithe_user_terms_count(model->user, LITHE_USER_INEQUALITY);
}

// --- the contact ---------------------------------------------------------------------------------

typedef struct Contact {
    LitheTerm gap;
    Vector normal, tangent[2], lever; // normal: from the disk to the ball
} Contact;

// (PL15): |d| from its square, smooth at 0; far from 0 too large by e^2/(8 |d|^3) only, where
// sqrt(d^2 + e) is by e/(2 |d|), micrometres that a stiff contact feels. `slope`: derivative over d
static LitheTerm smooth_size(Tape *t, LitheTerm squared, double e, LitheTerm *slope) {
    LitheTerm r = root(t, plus(t, squared, number(t, e))), inverse = over(t, r);
    LitheTerm share = lithe_tape_scale(t, 0.5 * e, inverse); // e/(2r)
    *slope = plus(t, inverse, times(t, share, square(t, inverse)));
    return less(t, r, share);
}

// half of d + |d|: a smooth positive part; and its derivative
static LitheTerm positive_part(Tape *t, LitheTerm d, double e, LitheTerm *slope) {
    LitheTerm ratio, size = smooth_size(t, square(t, d), e, &ratio);
    *slope = lithe_tape_scale(t, 0.5, plus(t, number(t, 1), times(t, d, ratio)));
    return lithe_tape_scale(t, 0.5, plus(t, d, size));
}

// (PL16): the cylinder of the disk, its rim a torus, and the ball
static Contact record_contact(Tape *t, const LitheBallTask *model, const LitheTouchDisk *own,
                              const Disk *disk) {
    double e = model->smoothing, rim = own->rim;
    Vector ball = constants(t, model->centre);
    Vector c = apply_transposed(t, &disk->rotation, subtracted(t, ball, disk->centre));
    LitheTerm slope1, slope2, ratio1, ratio2, unused;
    LitheTerm r = smooth_size(t, plus(t, square(t, c.c[0]), square(t, c.c[1])), e, &ratio1);
    LitheTerm z = smooth_size(t, square(t, c.c[2]), e, &ratio2);
    LitheTerm m1 = positive_part(t, less(t, r, number(t, own->radius - rim)), e, &slope1);
    LitheTerm m2 = positive_part(t, less(t, z, number(t, own->half - rim)), e, &slope2);
    LitheTerm distance = smooth_size(t, plus(t, square(t, m1), square(t, m2)), e, &unused);
    LitheTerm radial = times(t, times(t, m1, slope1), ratio1);
    Vector along = {{times(t, radial, c.c[0]), times(t, radial, c.c[1]),
                     times(t, times(t, times(t, m2, slope2), ratio2), c.c[2])}};
    along = scaled(t, over(t, root(t, dot(t, along, along))), along);
    Contact contact;
    contact.gap = less(t, distance, number(t, model->ball_radius + rim));
    contact.normal = apply(t, &disk->rotation, along);
    // a disk at the tip is touched at its face or rim, others at their rims: x or z is no normal
    bool tip = own->section == LITHE_PLAN_SECTIONS - 1 && own->place == 1;
    Vector axis = column(&disk->rotation, tip ? 0 : 2);
    Vector flat = subtracted(t, axis, scaled(t, dot(t, axis, contact.normal), contact.normal));
    contact.tangent[0] = scaled(t, over(t, root(t, dot(t, flat, flat))), flat);
    contact.tangent[1] = cross(t, contact.normal, contact.tangent[0]);
    Vector point = subtracted(t, ball, scaled_by(t, model->ball_radius, contact.normal));
    contact.lever = subtracted(t, point, disk->centre);
    return contact;
}

// --- the stage -----------------------------------------------------------------------------------

static void direction_of(const LitheBallTask *model, int32_t j, double *d) {
    double angle = 2 * M_PI * j / model->directions;
    d[0] = cos(angle);
    d[1] = sin(angle);
}

// exp(h spin/2) times the quaternion before, by entire functions: exactly of unit length
static void turned(Tape *t, double h, Vector spin, const LitheTerm *q, LitheTerm *to) {
    Vector half = scaled_by(t, 0.5 * h, spin);
    LitheTerm s = dot(t, half, half);
    LitheTerm w = less(t, number(t, 1), times(t, s, lithe_tape_apply(t, LITHE_TAPE_ENTIRE_2, s)));
    Vector v = scaled(t, lithe_tape_apply(t, LITHE_TAPE_ENTIRE_1, s), half);
    Vector old = {{q[1], q[2], q[3]}};
    to[0] = less(t, times(t, w, q[0]), dot(t, v, old));
    Vector mixed = added(t, cross(t, v, old), added(t, scaled(t, w, old), scaled(t, q[0], v)));
    memcpy(to + 1, mixed.c, sizeof mixed.c);
}

static LitheTerm squares(Tape *t, Vector a) {
    return dot(t, a, a);
}

static LitheTerm exact_variable(Tape *t, const LitheBallTask *model, int32_t n, int i) {
    return lithe_tape_input(t, n + lithe_ball_task_contacts_end(model) +
                                   lithe_user_terms_variables(model->user) + i);
}

// the cost (20) of a stage, its sum over steps times h
static LitheTerm record_cost(Tape *t, const LitheBallTask *model, int32_t n, const Vector *speeds,
                             const Vector *change) {
    double h = model->step;
    const LithePlanCost *by = &model->cost;
    LitheTerm inner = number(t, 0), norm = number(t, -1), cost;
    for (int i = 0; i < 4; i++) {
        LitheTerm q = lithe_tape_input(t, n + LITHE_AT_QUATERNION + i);
        inner = plus(t, inner, times(t, q, lithe_tape_parameter(t, LITHE_BY_TARGET + i)));
        norm = plus(t, norm, square(t, q));
    }
    LitheTerm error = less(t, number(t, 1), square(t, inner));
    LitheTerm normal = lithe_tape_input(t, n + LITHE_AT_NORMAL);
    LitheTerm rise = less(t, normal, lithe_tape_input(t, LITHE_AT_NORMAL));
    Vector spin = subtracted(t, inputs(t, n + LITHE_AT_SPIN), inputs(t, LITHE_AT_SPIN));
    cost = plus(t, lithe_tape_scale(t, by->error, error), lithe_tape_scale(t, -by->normal, normal));
    cost = plus(t, cost, lithe_tape_scale(t, by->rise, square(t, rise)));
    cost = plus(t, cost, lithe_tape_scale(t, by->spin, squares(t, spin)));
    cost = plus(t, cost, lithe_tape_scale(t, by->norm, square(t, norm)));
    for (int32_t k = 1; k < model->contact_count; k++) {
        int32_t at = LITHE_AT_NORMAL + lithe_ball_task_shift(model, k);
        normal = lithe_tape_input(t, n + at);
        rise = less(t, normal, lithe_tape_input(t, at));
        cost = plus(t, cost, lithe_tape_scale(t, -by->normal, normal));
        cost = plus(t, cost, lithe_tape_scale(t, by->rise, square(t, rise)));
    }
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++) {
        Vector effort = inputs(t, n + LITHE_AT_EFFORT + 3 * i);
        for (int c = 0; c < 3; c++)
            effort.c[c] = less(t, effort.c[c], lithe_tape_parameter(t, LITHE_BY_HOLD + 3 * i + c));
        cost = plus(t, cost, lithe_tape_scale(t, by->effort, squares(t, effort)));
        cost = plus(t, cost, lithe_tape_scale(t, by->change, squares(t, change[i])));
        cost =
            plus(t, cost, times(t, lithe_tape_parameter(t, LITHE_BY_SPEED), squares(t, speeds[i])));
    }
    LitheTerm final = lithe_tape_scale(t, by->final_error,
                                       times(t, lithe_tape_parameter(t, LITHE_BY_LAST), error));
    for (int i = 0; i < 3 && model->exact; i++) // keeps the variables of an exact end at 0
        final = plus(t, final, square(t, exact_variable(t, model, n, i)));
    return plus(t, lithe_tape_scale(t, h, cost), final);
}

// The vector part of target^-1 q is 0 at the last stage. One record serves all stages: elsewhere
// these equations are those of variables that are 0. (1 - (q.target)^2 = 0 would have no gradient.)
static void record_end(Tape *t, const LitheBallTask *model, int32_t n) {
    LitheTerm q[4], target[4], last = lithe_tape_parameter(t, LITHE_BY_EXACT);
    for (int i = 0; i < 4; i++) {
        q[i] = lithe_tape_input(t, n + LITHE_AT_QUATERNION + i);
        target[i] = lithe_tape_parameter(t, LITHE_BY_TARGET + i);
    }
    Vector u = {{q[1], q[2], q[3]}}, v = {{target[1], target[2], target[3]}};
    Vector left = subtracted(t, scaled(t, target[0], u), scaled(t, q[0], v));
    left = subtracted(t, left, cross(t, v, u));
    for (int i = 0; i < 3; i++)
        lithe_tape_output(
            t, plus(t, times(t, last, left.c[i]),
                    times(t, less(t, number(t, 1), last), exact_variable(t, model, n, i))));
}

// outputs: distances of the disks from obstacles, less the clearance
static void record_clearances(Tape *t, const LitheBallTask *model, const Arm *arm) {
    for (int32_t i = 0; i < model->disk_count; i++) {
        const LitheArmDisk *own = &model->disks[i];
        if (own->avoids == 0)
            continue;
        Disk disk = lithe_record_disk(t, arm, own->section, own->place);
        for (int32_t k = 0; k < model->obstacle_count; k++) {
            if (!(own->avoids >> k & 1))
                continue;
            LitheTerm distance =
                lithe_record_clearance(t, &model->obstacles[k], own->radius, own->half, disk.centre,
                                       column(&disk.rotation, 2));
            double clearance = model->clearance + model->obstacles[k].margin;
            lithe_tape_output(t, less(t, distance, number(t, clearance)));
        }
    }
}

static LitheUserRows *record_user(Tape *t, LitheContext *context, const LitheBallTask *model,
                                  int32_t n, const Arm *arm) {
    LitheTerm disks[LITHE_PLAN_DISKS * LITHE_USER_DISK_COMPONENTS];
    for (int32_t i = 0; i < model->disk_count; i++) {
        Disk disk = lithe_record_disk(t, arm, model->disks[i].section, model->disks[i].place);
        const Vector rows[LITHE_USER_DISK_COMPONENTS / 3] = {
            disk.centre,          disk.rotation.row[0], disk.rotation.row[1],
            disk.rotation.row[2], disk.velocity,        disk.spin};
        memcpy(disks + (ptrdiff_t)i * LITHE_USER_DISK_COMPONENTS, rows, sizeof rows);
    }
    const LitheUserRecord record = {.tape = t,
                                    .variables = n,
                                    .data = LITHE_BY_COUNT,
                                    .stand_in = lithe_ball_task_contacts_end(model),
                                    .efforts = LITHE_AT_EFFORT,
                                    .effort_count = LITHE_PLAN_CHAMBERS,
                                    .dynamic = lithe_tape_parameter(t, LITHE_BY_DYNAMIC),
                                    .step = model->step,
                                    .disks = disks};
    return lithe_user_rows_new(context, model->user, &record);
}

// the force of a contact on the arm; `at`: the variables of the contact, after its stage's first
static Vector record_force(Tape *t, const LitheBallTask *model, int32_t at,
                           const Contact *contact) {
    LitheTerm along[2] = {number(t, 0), number(t, 0)};
    for (int32_t j = 0; j < model->directions; j++) {
        double d[2];
        direction_of(model, j, d);
        LitheTerm f = lithe_tape_input(t, at + LITHE_AT_FRICTION + j);
        for (int i = 0; i < 2; i++)
            along[i] = plus(t, along[i], lithe_tape_scale(t, d[i], f));
    }
    LitheTerm normal = lithe_tape_input(t, at + LITHE_AT_NORMAL);
    Vector force = added(t, scaled(t, along[0], contact->tangent[0]),
                         scaled(t, along[1], contact->tangent[1]));
    return subtracted(t, force, scaled(t, normal, contact->normal));
}

// outputs: gap and slip are those of the motion; `lever`: of the ball
static void record_kinematics(Tape *t, int32_t at, const Disk *disk, const Contact *contact,
                              Vector spin, Vector lever) {
    LitheTerm gap = lithe_tape_input(t, at + LITHE_AT_GAP);
    lithe_tape_output(t, less(t, gap, contact->gap));
    Vector relative = added(t, disk->velocity, cross(t, disk->spin, contact->lever));
    relative = subtracted(t, relative, cross(t, spin, lever));
    for (int i = 0; i < 2; i++) {
        LitheTerm slip = lithe_tape_input(t, at + LITHE_AT_SLIP + i);
        lithe_tape_output(t, less(t, slip, dot(t, contact->tangent[i], relative)));
    }
}

// outputs, not negative: epsilon less products, cone, slip against directions
static void record_complements(Tape *t, const LitheBallTask *model, double friction, int32_t at,
                               LitheTerm epsilon) {
    LitheTerm normal = lithe_tape_input(t, at + LITHE_AT_NORMAL),
              gap = lithe_tape_input(t, at + LITHE_AT_GAP);
    LitheTerm slip[2] = {lithe_tape_input(t, at + LITHE_AT_SLIP),
                         lithe_tape_input(t, at + LITHE_AT_SLIP + 1)};
    LitheTerm gamma = lithe_tape_input(t, at + LITHE_AT_SLACK);
    LitheTerm cone = lithe_tape_scale(t, friction, normal);
    for (int32_t j = 0; j < model->directions; j++)
        cone = less(t, cone, lithe_tape_input(t, at + LITHE_AT_FRICTION + j));
    lithe_tape_output(t, less(t, epsilon, times(t, gap, normal)));
    lithe_tape_output(t, cone);
    lithe_tape_output(t, less(t, epsilon, times(t, cone, gamma)));
    for (int32_t j = 0; j < model->directions; j++) {
        double d[2];
        direction_of(model, j, d);
        LitheTerm a =
            plus(t, gamma,
                 plus(t, lithe_tape_scale(t, d[0], slip[0]), lithe_tape_scale(t, d[1], slip[1])));
        lithe_tape_output(t, a);
        LitheTerm f = lithe_tape_input(t, at + LITHE_AT_FRICTION + j);
        lithe_tape_output(t, less(t, epsilon, times(t, a, f)));
    }
}

LitheTape *lithe_ball_task_tape(LitheContext *context, const LitheBallTask *model) {
    int32_t n = lithe_ball_task_variables(model);
    double h = model->step, r = model->ball_radius;
    Tape *t = lithe_tape_new(context, 2 * n, lithe_ball_task_parameters(model));
    if (t == NULL)
        return NULL;
    Vector speeds[LITHE_PLAN_SECTIONS], change[LITHE_PLAN_SECTIONS], forces[LITHE_PLAN_SECTIONS];
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++) {
        speeds[i] = inputs(t, n + LITHE_AT_SPEEDS + 3 * i);
        change[i] = subtracted(t, speeds[i], inputs(t, LITHE_AT_SPEEDS + 3 * i));
    }
    Arm arm = lithe_record_arm(t, model, n + LITHE_AT_LENGTHS, speeds, change), before_arm;
    if (model->coriolis) {
        Vector old[LITHE_PLAN_SECTIONS];
        for (int i = 0; i < LITHE_PLAN_SECTIONS; i++)
            old[i] = inputs(t, LITHE_AT_SPEEDS + 3 * i);
        before_arm = lithe_record_arm(t, model, LITHE_AT_LENGTHS, old, change);
    }
    Contact contact[LITHE_PLAN_CONTACTS];
    Vector force[LITHE_PLAN_CONTACTS], lever[LITHE_PLAN_CONTACTS]; // on the arm; of the ball
    Push push[LITHE_PLAN_CONTACTS];
    for (int32_t k = 0; k < model->contact_count; k++) {
        contact[k] = record_contact(t, model, &model->contact[k], &arm.disk[k]);
        force[k] = record_force(t, model, n + lithe_ball_task_shift(model, k), &contact[k]);
        push[k] = (Push){scaled_by(t, -h, force[k]), contact[k].lever};
    }
    lithe_record_forces(t, model, &arm, model->coriolis ? &before_arm : NULL, push, forces);

    LitheUserRows *user = NULL;
    LitheTerm cost = record_cost(t, model, n, speeds, change);
    if (model->user != NULL) {
        user = record_user(t, context, model, n, &arm);
        if (user == NULL) {
            lithe_tape_free(t);
            return NULL;
        }
        cost = plus(t, cost, lithe_user_rows_cost(user));
    }
    lithe_tape_output(t, cost);
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) // l = l_before + h v
        lithe_tape_output(
            t, less(t, less(t, lithe_tape_input(t, n + i), lithe_tape_input(t, i)),
                    lithe_tape_scale(t, h, lithe_tape_input(t, n + LITHE_AT_SPEEDS + i))));
    LitheTerm dynamic = lithe_tape_parameter(t, LITHE_BY_DYNAMIC);
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++) {
        LitheTerm effort = lithe_tape_input(t, n + LITHE_AT_EFFORT + i);
        LitheTerm elastic =
            plus(t, lithe_tape_scale(t, model->stiffness, lithe_tape_input(t, n + i)),
                 lithe_tape_scale(t, model->damping, lithe_tape_input(t, n + LITHE_AT_SPEEDS + i)));
        LitheTerm balance =
            plus(t, forces[i / 3].c[i % 3], lithe_tape_scale(t, h, less(t, elastic, effort)));
        LitheTerm motion = times(t, dynamic, lithe_tape_scale(t, LITHE_PLAN_MOTION / h, balance));
        lithe_tape_output(t, plus(t, motion, times(t, less(t, number(t, 1), dynamic), effort)));
    }
    Vector spin = inputs(t, n + LITHE_AT_SPIN), torque = zeros(t);
    for (int32_t k = 0; k < model->contact_count; k++) {
        lever[k] = scaled_by(t, -r, contact[k].normal);
        Vector own = cross(t, force[k], lever[k]); // r x (-F)
        torque = k == 0 ? own : added(t, torque, own);
    }
    Vector gained =
        scaled_by(t, model->ball_inertia, subtracted(t, spin, inputs(t, LITHE_AT_SPIN)));
    Vector load = subtracted(t, torque, scaled_by(t, model->ball_damping, spin));
    for (int i = 0; i < 3; i++)
        lithe_tape_output(
            t,
            lithe_tape_scale(t, 10 / h, less(t, gained.c[i], lithe_tape_scale(t, h, load.c[i]))));
    LitheTerm before[4], now[4];
    for (int i = 0; i < 4; i++)
        before[i] = lithe_tape_input(t, LITHE_AT_QUATERNION + i);
    turned(t, h, spin, before, now);
    for (int i = 0; i < 4; i++)
        lithe_tape_output(t, less(t, lithe_tape_input(t, n + LITHE_AT_QUATERNION + i), now[i]));
    for (int32_t k = 0; k < model->contact_count; k++)
        record_kinematics(t, n + lithe_ball_task_shift(model, k), &arm.disk[k], &contact[k], spin,
                          lever[k]);
    if (model->exact)
        record_end(t, model, n);
    if (user != NULL)
        lithe_user_rows_output(user, LITHE_USER_EQUATION);
    LitheTerm epsilon = lithe_tape_parameter(t, LITHE_BY_EPSILON);
    for (int32_t k = 0; k < model->contact_count; k++)
        record_complements(t, model, model->contact[k].friction,
                           n + lithe_ball_task_shift(model, k), epsilon);
    record_clearances(t, model, &arm);
    if (user != NULL)
        lithe_user_rows_output(user, LITHE_USER_INEQUALITY);
    lithe_user_rows_free(user);
    return lithe_tape_finish(t);
}

// --- obstacles and contact in numbers ------------------------------------------------------------

// a tape of the arm at rest, whose inputs are its lengths
static Tape *begin_at_rest(LitheContext *context, const LitheBallTask *model, Arm *arm) {
    Tape *t = lithe_tape_new(context, LITHE_PLAN_CHAMBERS, 0);
    if (t == NULL)
        return NULL;
    Vector still[LITHE_PLAN_SECTIONS];
    for (int i = 0; i < LITHE_PLAN_SECTIONS; i++)
        still[i] = zeros(t);
    *arm = lithe_record_arm(t, model, 0, still, still);
    return t;
}

bool lithe_ball_task_clearances(LitheContext *context, const LitheBallTask *model,
                                const double *lengths, double *distances) {
    Arm arm;
    Tape *t = begin_at_rest(context, model, &arm);
    if (t == NULL)
        return false;
    record_clearances(t, model, &arm);
    return lithe_tape_evaluate(context, t, lengths, distances);
}

bool lithe_ball_task_entered(LitheContext *context, const LitheBallTask *model, int32_t stages,
                             const double *x, LitheEntered *entered) {
    LitheBallTask bare = *model; // the ball is the only obstacle
    bare.obstacle_count = 0;
    bare.clearance = 0;
    for (int32_t i = 0; i < bare.disk_count; i++)
        bare.disks[i].avoids = 0;
    lithe_ball_task_keep_off(&bare, INFINITY, 0);
    *entered = (LitheEntered){0};
    if (lithe_ball_task_clearance_count(&bare) == 0)
        return true;
    Arm arm;
    Tape *t = begin_at_rest(context, &bare, &arm);
    if (t == NULL)
        return false;
    record_clearances(t, &bare, &arm);
    LitheTapeWork *work =
        lithe_tape_end(t, NULL) == LITHE_OK ? lithe_tape_work_new(context, t) : NULL;
    bool done = work != NULL;
    double distances[LITHE_PLAN_DISKS], most = 3 * LITHE_OBSTACLE_SMOOTH;
    for (int32_t k = 0; k < stages && done; k++) {
        const double *stage = x + (int64_t)k * lithe_ball_task_variables(model);
        int32_t at = 0;
        lithe_tape_values(t, work, stage + LITHE_AT_LENGTHS, NULL, distances);
        for (int32_t i = 0; i < bare.disk_count; i++)
            if (bare.disks[i].avoids != 0 && -distances[at++] > most) {
                most = -distances[at - 1];
                *entered = (LitheEntered){bare.disks[i].name, k, most};
            }
    }
    lithe_tape_work_free(work);
    lithe_tape_free(t);
    return done;
}

bool lithe_ball_task_contacts(LitheContext *context, const LitheBallTask *model,
                              const double *lengths, LitheBallContact *contacts) {
    Arm arm;
    Tape *t = begin_at_rest(context, model, &arm);
    if (t == NULL)
        return false;
    for (int32_t k = 0; k < model->contact_count; k++) {
        Contact found = record_contact(t, model, &model->contact[k], &arm.disk[k]);
        const Vector *const rows[3] = {&found.normal, &found.tangent[0], &found.tangent[1]};
        for (int i = 0; i < 9; i++)
            lithe_tape_output(t, rows[i / 3]->c[i % 3]);
    }
    double y[9 * LITHE_PLAN_CONTACTS];
    if (!lithe_tape_evaluate(context, t, lengths, y))
        return false;
    for (int32_t k = 0; k < model->contact_count; k++) {
        memcpy(contacts[k].normal, y + 9 * (ptrdiff_t)k, sizeof contacts[k].normal);
        memcpy(contacts[k].tangent, y + 9 * (ptrdiff_t)k + 3, sizeof contacts[k].tangent);
    }
    return true;
}

void lithe_ball_task_products(const LitheBallTask *model, bool *products) {
    int32_t rows = 3 + 2 * model->directions, contacts = model->contact_count * rows;
    for (int32_t i = 0; i < lithe_ball_task_inequalities(model); i++)
        products[i] = i < contacts && i % rows % 2 == 0; // as record_complements has them
}

void lithe_ball_task_solved_for(const LitheBallTask *model, int32_t *variables) {
    int32_t at = 0;
    for (int32_t i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        variables[at++] = LITHE_AT_LENGTHS + i;
    for (int32_t i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        variables[at++] = LITHE_AT_EFFORT + i;
    for (int32_t i = 0; i < 3; i++)
        variables[at++] = LITHE_AT_SPIN + i;
    for (int32_t i = 0; i < 4; i++)
        variables[at++] = LITHE_AT_QUATERNION + i;
    for (int32_t k = 0; k < model->contact_count; k++)
        for (int32_t i = 0; i < 3; i++) // gap, then slip
            variables[at++] = LITHE_AT_GAP + lithe_ball_task_shift(model, k) + i;
    while (at < lithe_ball_task_equations(model))
        variables[at++] = -1;
}

double lithe_ball_task_product(const LitheBallTask *model, const double *stage, int32_t c) {
    const double *own = stage + lithe_ball_task_shift(model, c);
    double force = own[LITHE_AT_NORMAL], gamma = own[LITHE_AT_SLACK];
    double cone = model->contact[c].friction * force, most = own[LITHE_AT_GAP] * force;
    for (int32_t j = 0; j < model->directions; j++) {
        double d[2], f = own[LITHE_AT_FRICTION + j];
        direction_of(model, j, d);
        double along = own[LITHE_AT_SLIP] * d[0] + own[LITHE_AT_SLIP + 1] * d[1] + gamma;
        most = fmax(most, f * along);
        cone -= f;
    }
    return fmax(most, cone * gamma);
}

void lithe_ball_task_force(const LitheBallTask *model, const double *stage,
                           const LitheBallContact *contact, double force[3]) {
    for (int i = 0; i < 3; i++)
        force[i] = stage[LITHE_AT_NORMAL] * contact->normal[i];
    for (int32_t j = 0; j < model->directions; j++) {
        double d[2];
        direction_of(model, j, d);
        for (int i = 0; i < 3; i++)
            force[i] -= stage[LITHE_AT_FRICTION + j] *
                        (d[0] * contact->tangent[0][i] + d[1] * contact->tangent[1][i]);
    }
}
