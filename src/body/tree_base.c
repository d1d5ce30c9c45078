// SPDX-License-Identifier: Apache-2.0
// body/tree_base.c - what the world exerts on a tree of bodies through the joint at its root
//
//     (H3)  F = dp/dt - m g - sum f,   M = dL/dt - (c - o) x m g - sum ((x - o) x f + t)
// with the momentum p of the tree and its angular momentum L about the origin o of the joint, mass
// m and centre c, and the forces f at x and torques t of loads, contacts and constraints.

#include "base/assert.h"
#include "base/memory.h"
#include "body/constraint.h"
#include "body/profile.h"
#include "body/tree.h"
#include "body/tree_body.h"
#include "body/unit.h"

// the links that the world carries through joints of their own
static int32_t root_count(const LitheRigidTree *tree) {
    int32_t count = 0;
    for (int32_t i = 0; i < tree->link_count; i++)
        count += tree->links[i].parent < 0 && tree->links[i].shares == 0;
    return count;
}

static bool is_on(const LitheConstraintSide *side, int32_t unit) {
    return side->site.unit == unit;
}

// whether a constraint with forces at many places acts on a unit
static bool has_path(const LitheModel *model, int32_t unit) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *c = &model->constraints[i];
        bool on = is_on(&c->a, unit) || is_on(&c->b, unit);
        for (int32_t k = 0; k < c->via_count; k++)
            on |= is_on(&c->via[k], unit);
        if (on && c->places >= LITHE_KEEPS_PATH)
            return true;
    }
    return false;
}

bool lithe_joint_has_reaction(const LitheModel *model, LitheJointId joint) {
    LITHE_ASSERT(joint.number >= 1 && joint.number <= model->joint_count);
    const LitheRigidJoint *own = &model->joints[joint.number - 1];
    const LitheTree *tree = &model->trees[own->tree];
    const LitheRigidLink *link = &tree->rigid.links[own->link];
    return link->parent < 0 && link->shares == 0 && link->kind != LITHE_JOINT_FREE &&
           root_count(&tree->rigid) == 1 && !model->units[tree->unit].rides &&
           !has_path(model, tree->unit);
}

// sums about o
typedef struct Base {
    Vec3 o, force, torque;
} Base;

static void add(Base *base, double sign, Vec3 at, Vec3 force, Vec3 torque) {
    base->force = v3_axpy(sign, force, base->force);
    Vec3 moment = v3_add(torque, v3_cross(v3_sub(at, base->o), force));
    base->torque = v3_axpy(sign, moment, base->torque);
}

// the rate of momentum in the last step
static bool add_rate(const LitheModel *model, const LitheState *state, const LitheWork *work,
                     int32_t unit, Base *base) {
    double h = state->clock[0] - work->before->clock[0];
    if (model->time.scheme == LITHE_SCHEME_STATIC)
        return true;
    const LitheState *ends[2] = {work->before, state};
    for (int k = 0; k < 2; k++) {
        LitheUnitTotals sum = {0};
        if (!lithe_unit_ops(model, unit)->totals(model, unit, ends[k], LITHE_TOTALS_MOMENTA, &sum))
            return false;
        double sign = (k ? 1 : -1) / h;
        base->force = v3_axpy(sign, sum.momentum, base->force);
        Vec3 about = v3_sub(sum.angular, v3_cross(base->o, sum.momentum));
        base->torque = v3_axpy(sign, about, base->torque);
    }
    return true;
}

static bool add_own_loads(const LitheModel *model, const LitheState *state, const LitheTree *tree,
                          Base *base) {
    const LitheRigidTree *rigid = &tree->rigid;
    void *memory = lithe_alloc(model->context, lithe_rigid_work_size(rigid));
    if (!memory)
        return false;
    LitheRigidWork at = lithe_rigid_work_layout(rigid, memory);
    lithe_rigid_place(rigid, state->q + tree->q_at, &at);
    Vec3 centre, none = v3(0, 0, 0);
    double mass = lithe_rigid_centre(rigid, &at, &centre), time = lithe_load_time(state);
    add(base, -1, centre, v3_scale(mass, model->gravity), none);
    for (int32_t i = 0; i < rigid->link_count; i++) {
        const double *wrench = state->own + tree->wrench_at + 6 * (int64_t)i;
        add(base, -1, lithe_rigid_pose(rigid, &at, i).at, v3_load(wrench), v3_load(wrench + 3));
    }
    for (int32_t k = 0; k < tree->load_count; k++) {
        const LitheLinkLoad *load = &tree->loads[k];
        double factor = lithe_profile_at(&load->profile, time);
        add(base, -factor, pose_point(lithe_rigid_pose(rigid, &at, load->link), load->at),
            load->force, load->moment);
    }
    lithe_free(model->context, memory);
    return true;
}

static bool is_of(const LitheModel *model, const LitheContactSide *side, int32_t unit) {
    return side->thing.kind == LITHE_THING_BODY &&
           model->bodies[side->thing.number - 1].unit == unit;
}

static void add_contacts(const LitheModel *model, const LitheWork *work, int32_t unit, Base *base) {
    Vec3 none = v3(0, 0, 0);
    for (int32_t i = 0; i < lithe_work_contact_count(work); i++) {
        LitheContactForce found = lithe_work_contact(work, i);
        if (is_of(model, &found.contact.b, unit))
            add(base, -1, found.contact.point, found.force, none);
        if (is_of(model, &found.contact.a, unit))
            add(base, 1, found.contact.point, found.force, none);
    }
}

static void add_constraints(const LitheModel *model, const LitheState *state, int32_t unit,
                            Base *base) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *c = &model->constraints[i];
        const LitheTie *tie = lithe_tie_of(state, i);
        Vec3 force = v3_load(tie->force), torque = v3_load(tie->torque);
        Vec3 at = lithe_constraint_place(model, state, &c->b).at;
        if (is_on(&c->b, unit))
            add(base, -1, at, force, torque);
        if (is_on(&c->a, unit))
            add(base, 1, at, force, torque);
    }
}

// whether the state is that after the last step of `work`
static bool has_stepped(const LitheModel *model, const LitheState *state, const LitheWork *work) {
    if (model->time.scheme == LITHE_SCHEME_STATIC)
        return state->clock[1] > 0;
    double steps = state->clock[1] - work->before->clock[1];
    return steps <= 1 && state->clock[0] > work->before->clock[0];
}

LitheReaction lithe_joint_reaction(const LitheModel *model, const LitheState *state,
                                   const LitheWork *work, LitheJointId joint) {
    if (!lithe_joint_has_reaction(model, joint) || !has_stepped(model, state, work))
        return (LitheReaction){0};
    const LitheRigidJoint *own = &model->joints[joint.number - 1];
    const LitheTree *tree = &model->trees[own->tree];
    Base base = {.o = tree->rigid.links[own->link].parent_frame.at};
    if (!add_rate(model, state, work, tree->unit, &base) ||
        !add_own_loads(model, state, tree, &base))
        return (LitheReaction){0};
    add_contacts(model, work, tree->unit, &base);
    add_constraints(model, state, tree->unit, &base);
    return (LitheReaction){base.o, base.force, base.torque};
}
