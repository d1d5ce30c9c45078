// SPDX-License-Identifier: Apache-2.0
// body/tree_terms.c - couplings of the joints of a tree: limits, dry friction, bounded drives

#include "body/tree_body.h"

#include "body/unit.h"
#include "law/joint.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

// Rotation angle of a ball joint, and the axis of this rotation, expressed in the child's frame
// like the velocities of the joint.
static double ball_angle(const double *q, Vec3 *axis) {
    Vec3 turn = q4_log((Quat){q[0], q[1], q[2], q[3]});
    double angle = v3_norm(turn);
    *axis = angle > 0 ? v3_scale(1 / angle, turn) : v3(0, 0, 0);
    return angle;
}

typedef struct Joints {
    int32_t unit;
    const LitheTree *tree;
    const LitheTreeWork *work;
    const LitheStepPlan *plan;
    bool pushed; // couplings act on the tree that its free motion does not include
    LitheDofTermFn *add;
    void *user;
} Joints;

// gaps to the lower and the upper limit; infinite where there is none
static void gaps_of(const LitheRigidLink *link, const double *q, double gap[2]) {
    Vec3 axis;
    const double *position = q + link->q_at;
    gap[0] = gap[1] = INFINITY;
    if (!link->limited)
        return;
    if (link->kind == LITHE_JOINT_BALL) {
        gap[1] = link->upper - ball_angle(position, &axis);
    } else if (lithe_joint_v_count(link->kind) == 1) {
        gap[0] = position[0] - link->lower;
        gap[1] = link->upper - position[0];
    }
}

// whether a joint can reach its limit in the step, with a safety margin
static bool near_limit(const Joints *j, const LitheRigidLink *link, double gap) {
    double speed = 0, change = 0, h = j->plan->h;
    if (j->plan->still)
        return gap < INFINITY; // static steps can have any length
    for (int32_t k = link->v_at; k < link->v_at + lithe_joint_v_count(link->kind); k++) {
        speed = fmax(speed, fabs(j->work->v0[k]));
        change = fmax(change, fabs(j->work->step.w[k]));
    }
    return gap <= 4 * h * fmax(speed, change) + 1e-3;
}

static bool add_limits(const Joints *j, const LitheRigidLink *link) {
    double gap[2];
    gaps_of(link, j->work->q0, gap);
    for (int side = 0; side < 2; side++) {
        if (!near_limit(j, link, gap[side]))
            continue;
        double sign = side == 0 ? 1 : -1;
        Vec3 axis = v3(1, 0, 0);
        bool ball = link->kind == LITHE_JOINT_BALL;
        if (ball)
            ball_angle(j->work->q0 + link->q_at, &axis);
        LitheDofTerm term = {
            .source = LITHE_SOURCE_LIMIT,
            .unit = j->unit,
            .rows = 1,
            .dof = link->v_at,
            .dof_count = ball ? 3 : 1,
            .part = {sign * axis.x, sign * axis.y, sign * axis.z},
            .side = side,
            .gap = gap[side],
            .limits = j->work->limits + link->v_at,
        };
        if (!j->add(&term, j->user))
            return false;
    }
    return true;
}

// whether a velocity can reach its limit in the step: it is near the limit, or other couplings act
static bool near_velocity_limit(const Joints *j, double limit, int32_t k) {
    double speed = fmax(fabs(j->work->v0[k]), fabs(j->work->step.w[k]));
    return !j->work->step.held[k] && (j->pushed || 2 * speed >= limit);
}

// (V35) Bounds the velocity at the end of the step, v0 + c (w - v0), of each DoF separately.
static bool add_velocity_limits(const Joints *j, const LitheRigidLink *link) {
    double limit = link->velocity_limit, c = j->plan->c;
    if (j->plan->still)
        return true; // nothing moves in an equilibrium
    for (int32_t k = 0; k < lithe_joint_v_count(link->kind) && limit > 0; k++) {
        int32_t dof = link->v_at + k;
        for (int side = 0; side < 2 && near_velocity_limit(j, limit, dof); side++) {
            double sign = side == 0 ? 1 : -1, v0 = sign * j->work->v0[dof];
            LitheDofTerm term = {
                .source = LITHE_SOURCE_LIMIT,
                .unit = j->unit,
                .rows = 1,
                .dof = dof,
                .dof_count = 1,
                .part = {sign},
                .side = side,
                .of_velocity = true,
                .least = v0 - (limit + v0) / c,
                .limits = j->work->limits + dof,
            };
            if (!j->add(&term, j->user))
                return false;
        }
    }
    return true;
}

static bool add_friction(const Joints *j, const LitheRigidLink *link) {
    int32_t count = lithe_joint_v_count(link->kind);
    if (!(link->friction_loss > 0) || count == 0)
        return true;
    LitheDofTerm term = {
        .source = LITHE_SOURCE_DRY,
        .unit = j->unit,
        .rows = count,
        .dof = link->v_at,
        .dof_count = count,
        .bound = link->friction_loss,
    };
    return j->add(&term, j->user);
}

static bool add_drive(const Joints *j, int32_t k) {
    const LitheRigidDrive *drive = &j->work->bounded[k];
    const LitheRigidLink *link = &j->tree->rigid.links[drive->link];
    bool position = drive->kind == LITHE_ACTUATOR_POSITION;
    LitheDofTerm term = {
        .source = LITHE_SOURCE_DRIVE,
        .unit = j->unit,
        .rows = 1,
        .dof = link->v_at,
        .dof_count = 1,
        .part = {1},
        .drive = k,
        .bound = j->work->bound[k],
        .stiffness = position ? drive->gear * drive->stiffness : 0,
        .damping = drive->gear * drive->damping,
        .error = position ? j->work->q0[link->q_at] - drive->target : 0,
        .rate = position ? 0 : drive->target,
        .effort_at = j->tree->effort_at + link->v_at,
    };
    return j->add(&term, j->user);
}

bool lithe_tree_terms(const LitheModel *model, int32_t unit, const LitheWork *work,
                      const LitheStepPlan *plan, LitheDofTermFn *add, void *user) {
    const LitheTree *tree = &model->trees[model->units[unit].index];
    Joints j = {unit, tree, lithe_tree_work(work, unit), plan, work->units[unit].touched,
                add,  user};
    for (int32_t k = 0; k < tree->drive_count; k++)
        j.pushed |= j.work->bound[k] != 0;
    memset(j.work->limits, 0, (size_t)tree->rigid.v_count * sizeof(double));
    for (int32_t k = 0; k < tree->rigid.link_count; k++) {
        const LitheRigidLink *link = &tree->rigid.links[k];
        if (!add_limits(&j, link) || !add_velocity_limits(&j, link) || !add_friction(&j, link))
            return false;
    }
    for (int32_t k = 0; k < tree->drive_count; k++)
        if (j.work->bound[k] != 0 && !add_drive(&j, k))
            return false;
    return true;
}
