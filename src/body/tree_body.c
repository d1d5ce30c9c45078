// SPDX-License-Identifier: Apache-2.0
// body/tree_body.c - the tree's row in the table of body operations, and reading trees from a state

#include "body/tree_body.h"
#include "base/assert.h"
#include "base/memory.h"
#include "body/body.h"
#include "body/ik.h"
#include "body/pose_drive.h"
#include "body/rod.h"
#include "body/tree.h"
#include "law/joint.h"

#include <stdio.h>
#include <string.h>

static int32_t tree_index(const LitheModel *model, int32_t body) {
    return body - model->rod_count;
}

// --- scratch -------------------------------------------------------------------------------------

static bool tree_work_begin(const LitheModel *model, int32_t body, LitheWork *all) {
    const LitheTree *tree = &model->trees[tree_index(model, body)];
    LitheTreeWork *work = &all->trees[tree_index(model, body)];
    LitheContext *context = all->context;
    const LitheRigidTree *rigid = &tree->rigid;
    work->memory = lithe_alloc(context, lithe_rigid_step_work_size(rigid));
    work->ik_memory = lithe_alloc(context, lithe_ik_work_size(rigid));
    work->drives = lithe_alloc_array(context, tree->drive_count, sizeof *work->drives);
    work->aims = lithe_alloc_array(context, tree->aim_count, sizeof(double));
    work->reached = lithe_alloc_array(context, rigid->link_count, 1);
    work->q = lithe_alloc_array(context, rigid->q_count, sizeof(double));
    work->v = lithe_alloc_array(context, rigid->v_count, sizeof(double));
    work->effort = lithe_alloc_array(context, rigid->v_count, sizeof(double));
    if (!work->memory || !work->drives || !work->reached || !work->q || !work->v || !work->effort ||
        !work->ik_memory || !work->aims)
        return false;
    work->ik = lithe_ik_work_lay(rigid, work->ik_memory);
    work->step = lithe_rigid_step_work_lay(rigid, work->memory);
    return true;
}

static void tree_work_end(const LitheModel *model, int32_t body, LitheWork *all) {
    LitheTreeWork *work = &all->trees[tree_index(model, body)];
    void *blocks[] = {work->memory, work->drives, work->reached,   work->q,
                      work->v,      work->effort, work->ik_memory, work->aims};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        lithe_free(all->context, blocks[k]);
}

// --- the step ------------------------------------------------------------------------------------

// targets where forces act; prescribed ones where the step ends
static void aim(const LitheTree *tree, const LitheStepPlan *plan, LitheRigidDrive *drives) {
    double force_time = plan->time + plan->a * plan->h, end = plan->time + plan->h;
    for (int32_t k = 0; k < tree->actuator_count; k++) {
        const LitheActuator *actuator = &tree->actuators[k];
        bool exact = actuator->drive.kind == LITHE_ACTUATOR_PRESCRIBED;
        drives[k] = actuator->drive;
        drives[k].target = lithe_profile_at(&actuator->target, exact ? end : force_time);
        drives[k].rate = lithe_profile_rate(&actuator->target, end);
    }
}

// what joint dampers took and drives did, at the mean velocity of the step
static void book(const LitheRigidTree *rigid, const LitheTreeWork *work, const double *v0, double h,
                 bool middle, double *sums) {
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const LitheRigidLink *link = &rigid->links[i];
        int32_t count = lithe_joint_v_count(link->kind);
        for (int32_t c = link->v_at; c < link->v_at + count; c++) {
            double w = middle ? 0.5 * (v0[c] + work->v[c]) : work->v[c];
            sums[0] += h * link->damping * w * w;
            sums[1] += h * work->effort[c] * w;
        }
    }
}

static void tree_own_step(const LitheModel *model, int32_t body, const LitheStepPlan *plan,
                          double tolerance, int32_t max_iterations, LitheWork *all,
                          LitheState *state) {
    const LitheTree *tree = &model->trees[tree_index(model, body)];
    LitheTreeWork *work = &all->trees[tree_index(model, body)];
    LitheBodyWork *outcome = &all->bodies[body];
    const LitheRigidTree *rigid = &tree->rigid;
    double *q = state->q + tree->q_at, *v = state->v + tree->v_at;

    double *aims = state->aims + tree->aim_at;
    aim(tree, plan, work->drives);
    lithe_pose_drives_aim(tree, plan, q, aims, work);
    LitheRigidStep step = lithe_rigid_step_default(plan->h);
    step.gravity = model->gravity;
    step.drives = work->drives;
    step.drive_count = tree->drive_count;
    step.tolerance = tolerance < step.tolerance ? tolerance : step.tolerance;
    step.max_iterations = max_iterations;
    memcpy(work->q, q, (size_t)rigid->q_count * sizeof(double));
    memcpy(work->v, v, (size_t)rigid->v_count * sizeof(double));
    bool middle = plan->a > 0 && plan->a < 1;
    LitheRigidOutcome made =
        middle
            ? lithe_rigid_step_midpoint(rigid, &step, work->q, work->v, work->effort, &work->step)
            : lithe_rigid_step_euler(rigid, &step, work->q, work->v, work->effort, &work->step);
    outcome->iterations = made.iterations;
    outcome->cuts = outcome->corrected = 0;
    outcome->converged = made.converged;
    outcome->residual = made.residual;
    outcome->finite = made.made;
    if (!made.made)
        return;
    book(rigid, work, v, plan->h, middle, state->sums + 2 * (int64_t)body);
    memcpy(q, work->q, (size_t)rigid->q_count * sizeof(double));
    memcpy(v, work->v, (size_t)rigid->v_count * sizeof(double));
    memcpy(aims, work->aims, (size_t)tree->aim_count * sizeof(double));
    memcpy(state->effort + tree->v_at - model->dof_count, work->effort,
           (size_t)rigid->v_count * sizeof(double));
    work->limited = lithe_rigid_limits(rigid, q, v, work->effort, work->reached);
}

static void tree_explain(const LitheModel *model, int32_t body, const LitheWork *all, char *text,
                         size_t size) {
    (void)all;
    const LitheRigidTree *rigid = &model->trees[tree_index(model, body)].rigid;
    snprintf(text, size, "the rigid tree of body '%s' has a number that is not finite",
             rigid->links[0].name ? rigid->links[0].name : "?");
}

const LitheBodyOps lithe_tree_ops = {
    .kind = "tree",
    .work_begin = tree_work_begin,
    .work_end = tree_work_end,
    .own_step = tree_own_step,
    .explain = tree_explain,
};

// --- reading -------------------------------------------------------------------------------------

int32_t lithe_body_count(const LitheModel *model) {
    return model->body_count;
}

LitheBodyId lithe_body_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->body_count; i++)
        if (strcmp(model->bodies[i].name, name) == 0)
            return (LitheBodyId){i + 1};
    return (LitheBodyId){0};
}

static const LitheRigidBody *body_of(const LitheModel *model, LitheBodyId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->body_count);
    return &model->bodies[id.number - 1];
}

const char *lithe_body_name(const LitheModel *model, LitheBodyId body) {
    return body_of(model, body)->name;
}

// from the link up to the root: no scratch needed, and reading is no part of a step
Pose lithe_body_place_ahead(const LitheModel *model, const LitheState *state, int32_t body,
                            double time) {
    enum { MOST = 7 }; // positions of a joint
    const LitheRigidBody *found = &model->bodies[body];
    if (found->tree < 0)
        return found->fixed;
    const LitheTree *tree = &model->trees[found->tree];
    const double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
    Pose pose = pose_identity();
    for (int32_t i = found->link; i >= 0; i = tree->rigid.links[i].parent) {
        const LitheRigidLink *link = &tree->rigid.links[i];
        const double *position = q + link->q_at;
        double moved[MOST], d[MOST];
        if (time != 0) {
            for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++)
                d[k] = time * v[link->v_at + k];
            lithe_joint_advance(link->kind, position, d, moved);
            position = moved;
        }
        Pose joint = lithe_joint_pose(link->kind, link->pitch, position);
        Pose own = pose_mul(pose_mul(link->parent_frame, joint), pose_inverse(link->child_frame));
        pose = pose_mul(own, pose);
    }
    return pose;
}

Pose lithe_body_place(const LitheModel *model, const LitheState *state, int32_t body) {
    return lithe_body_place_ahead(model, state, body, 0);
}

void lithe_body_pose(const LitheModel *model, const LitheState *state, LitheBodyId id,
                     double out[7]) {
    body_of(model, id);
    Pose pose = lithe_body_place(model, state, id.number - 1);
    Quat q = q4_unit(pose.rotation);
    v3_store(pose.at, out);
    out[3] = q.w;
    out[4] = q.x;
    out[5] = q.y;
    out[6] = q.z;
}

// velocity of the body in the axes of ever outer frames, from the link up to the root (4)
void lithe_body_velocity(const LitheModel *model, const LitheState *state, LitheBodyId id,
                         double out[6]) {
    const LitheRigidBody *body = body_of(model, id);
    Pose pose = pose_identity();
    Spatial velocity = sp_zero();
    const LitheTree *tree = body->tree < 0 ? NULL : &model->trees[body->tree];
    for (int32_t i = tree ? body->link : -1; i >= 0; i = tree->rigid.links[i].parent) {
        const LitheRigidLink *link = &tree->rigid.links[i];
        const double *q = state->q + tree->q_at + link->q_at;
        const double *v = state->v + tree->v_at + link->v_at;
        Spatial axes[LITHE_JOINT_MAX_V];
        lithe_joint_axes(link->kind, link->pitch, q, axes);

        // seen from the parent's joint frame: what the body had, and what the joint adds
        Pose joint = lithe_joint_pose(link->kind, link->pitch, q);
        Pose moved = pose_mul(joint, pose_inverse(link->child_frame));
        pose = pose_mul(moved, pose);
        Vec3 lin = q4_rotate(moved.rotation, velocity.lin), arm = v3_sub(pose.at, joint.at);
        Vec3 ang = q4_rotate(moved.rotation, velocity.ang);
        for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++) {
            lin = v3_axpy(v[k], v3_add(axes[k].lin, v3_cross(axes[k].ang, arm)), lin);
            ang = v3_axpy(v[k], axes[k].ang, ang);
        }

        // in the axes of the parent
        pose = pose_mul(link->parent_frame, pose);
        velocity.lin = q4_rotate(link->parent_frame.rotation, lin);
        velocity.ang = q4_rotate(link->parent_frame.rotation, ang);
    }
    v3_store(velocity.lin, out);
    v3_store(velocity.ang, out + 3);
}

int32_t lithe_joint_count(const LitheModel *model) {
    return model->joint_count;
}

LitheJointId lithe_joint_find(const LitheModel *model, const char *name) {
    for (int32_t i = 0; i < model->joint_count; i++)
        if (strcmp(model->joints[i].name, name) == 0)
            return (LitheJointId){i + 1};
    return (LitheJointId){0};
}

static const LitheRigidJoint *joint_of(const LitheModel *model, LitheJointId id) {
    LITHE_ASSERT(id.number >= 1 && id.number <= model->joint_count);
    return &model->joints[id.number - 1];
}

const char *lithe_joint_name(const LitheModel *model, LitheJointId joint) {
    return joint_of(model, joint)->name;
}

LitheJointSize lithe_joint_size(const LitheModel *model, LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    LitheJointKind kind = model->trees[joint->tree].rigid.links[joint->link].kind;
    return (LitheJointSize){lithe_joint_q_count(kind), lithe_joint_v_count(kind)};
}

const double *lithe_joint_position(const LitheModel *model, const LitheState *state,
                                   LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->q + tree->q_at + tree->rigid.links[joint->link].q_at;
}

const double *lithe_joint_velocity(const LitheModel *model, const LitheState *state,
                                   LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->v + tree->v_at + tree->rigid.links[joint->link].v_at;
}

const double *lithe_joint_effort(const LitheModel *model, const LitheState *state,
                                 LitheJointId id) {
    const LitheRigidJoint *joint = joint_of(model, id);
    const LitheTree *tree = &model->trees[joint->tree];
    return state->effort + tree->v_at - model->dof_count + tree->rigid.links[joint->link].v_at;
}

bool lithe_tree_totals(const LitheModel *model, const LitheState *state, LitheTreeTotals *out) {
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < model->tree_count; i++) {
        const LitheTree *tree = &model->trees[i];
        const LitheRigidTree *rigid = &tree->rigid;
        const double *q = state->q + tree->q_at, *v = state->v + tree->v_at;
        void *memory = lithe_alloc(model->context, lithe_rigid_work_size(rigid));
        if (!memory)
            return false;
        LitheRigidWork work = lithe_rigid_work_lay(rigid, memory);
        lithe_rigid_place(rigid, q, &work);
        lithe_rigid_move(rigid, v, &work);
        double springs = lithe_rigid_potential_energy(rigid, &work, v3(0, 0, 0), q);
        out->kinetic += lithe_rigid_kinetic_energy(rigid, &work, v);
        out->elastic += springs;
        out->gravity += lithe_rigid_potential_energy(rigid, &work, model->gravity, q) - springs;
        Vec3 linear, angular;
        lithe_rigid_momentum(rigid, &work, v3(0, 0, 0), &linear, &angular);
        out->momentum = v3_add(out->momentum, linear);
        out->angular = v3_add(out->angular, angular);
        lithe_free(model->context, memory);
    }
    return true;
}
