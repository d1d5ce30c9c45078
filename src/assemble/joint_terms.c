// SPDX-License-Identifier: Apache-2.0
// assemble/joint_terms.c - limits, dry friction and bounded drives of joints -> couplings

#include "assemble/assemble.h"

#include "law/joint.h"
#include "math/quat.h"

#include <math.h>

// friction of a joint is 71 % of its bound at this speed [rad/s or m/s]: slow enough not to creep
#define SLOW 1e-8

// Angle that a ball joint has turned by, and the axis in the child's axes, which its velocities
// have.
static double ball_angle(const double *q, Vec3 *axis) {
    Vec3 turn = q4_log((Quat){q[0], q[1], q[2], q[3]});
    double angle = v3_norm(turn);
    *axis = angle > 0 ? v3_scale(1 / angle, turn) : v3(0, 0, 0);
    return angle;
}

typedef struct Place {
    const LitheAssembly *all;
    const LitheRigidTree *rigid;
    const LitheTreeWork *work;
    int32_t unit;
    int32_t index; // of the tree's first velocity in the state
} Place;

// --- limits --------------------------------------------------------------------------------------

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

// a joint that can reach its limit in the step, with room to spare
static bool near_limit(const Place *p, const LitheRigidLink *link, double gap) {
    double speed = 0, change = 0, h = p->all->plan->h;
    for (int32_t k = link->v_at; k < link->v_at + lithe_joint_v_count(link->kind); k++) {
        speed = fmax(speed, fabs(p->work->v0[k]));
        change = fmax(change, fabs(p->work->step.w[k]));
    }
    return gap <= 4 * h * fmax(speed, change) + 1e-3;
}

static bool add_limits(const Place *p, const LitheRigidLink *link, LitheSystem *system) {
    double gap[2];
    gaps_of(link, p->work->q0, gap);
    for (int side = 0; side < 2; side++) {
        if (!near_limit(p, link, gap[side]))
            continue;
        double sign = side == 0 ? 1 : -1;
        LitheCoupling *c =
            lithe_coupling_add(system, LITHE_SOURCE_LIMIT, p->index + link->v_at, 1, NULL, NULL);
        if (!c)
            return false;
        c->bias[0] = 0;
        c->side = side;
        Vec3 axis = v3(1, 0, 0);
        bool ball = link->kind == LITHE_JOINT_BALL;
        if (ball)
            ball_angle(p->work->q0 + link->q_at, &axis);
        const double part[3] = {axis.x, axis.y, axis.z};
        for (int32_t k = 0; k < (ball ? 3 : 1); k++)
            if (!lithe_coupling_dof(p->all, system, p->unit, link->v_at + k, 0, sign * part[k]))
                return false;
    }
    return true;
}

// --- friction and drives -------------------------------------------------------------------------

static bool add_friction(const Place *p, const LitheRigidLink *link, LitheSystem *system) {
    int32_t count = lithe_joint_v_count(link->kind);
    if (!(link->friction_loss > 0) || count == 0)
        return true;
    if (!lithe_coupling_add(system, LITHE_SOURCE_DRY, p->index + link->v_at, count, NULL, NULL))
        return false;
    for (int32_t k = 0; k < count; k++)
        if (!lithe_coupling_dof(p->all, system, p->unit, link->v_at + k, k, 1))
            return false;
    return true;
}

static bool add_drives(const Place *p, int32_t drive_count, LitheSystem *system) {
    for (int32_t k = 0; k < drive_count; k++) {
        if (p->work->bound[k] == 0)
            continue;
        int32_t dof = p->rigid->links[p->work->bounded[k].link].v_at;
        LitheCoupling *c =
            lithe_coupling_add(system, LITHE_SOURCE_DRIVE, p->index + dof, 1, NULL, NULL);
        if (!c || !lithe_coupling_dof(p->all, system, p->unit, dof, 0, 1))
            return false;
        c->drive = k;
    }
    return true;
}

bool lithe_assemble_joints(const LitheAssembly *all, LitheSystem *system) {
    const LitheModel *model = all->model;
    for (int32_t i = 0; i < model->tree_count; i++) {
        const LitheTree *tree = &model->trees[i];
        Place p = {all, &tree->rigid, lithe_tree_work(all->work, tree->unit), tree->unit,
                   (int32_t)tree->v_at};
        for (int32_t k = 0; k < tree->rigid.link_count; k++) {
            const LitheRigidLink *link = &tree->rigid.links[k];
            if (!add_limits(&p, link, system) || !add_friction(&p, link, system))
                return false;
        }
        if (!add_drives(&p, tree->drive_count, system))
            return false;
    }
    return true;
}

// --- laws ----------------------------------------------------------------------------------------

static const LitheRigidLink *link_of(const LitheRigidTree *rigid, int32_t v) {
    for (int32_t k = rigid->link_count - 1; k > 0; k--)
        if (rigid->links[k].v_at <= v && lithe_joint_v_count(rigid->links[k].kind) > 0)
            return &rigid->links[k];
    return &rigid->links[0];
}

static void set_law(const LitheAssembly *all, LitheSystem *system, int32_t tree_index,
                    LitheCoupling *c) {
    const LitheTree *tree = &all->model->trees[tree_index];
    const LitheTreeWork *work = lithe_tree_work(all->work, tree->unit);
    int32_t v = (int32_t)(c->index - tree->v_at);
    const LitheRigidLink *link = link_of(&tree->rigid, v);
    double h = all->plan->h, gap[2], scale = lithe_coupling_scale(system, c, 0, c->term.rows);
    LitheGrip grip = lithe_grip_rigid(scale);
    grip.beta *= sqrt(all->work->soften);              // (V32)
    grip.tau = fmax(h, 2 * all->model->time.step - h); // as for constraints
    if (c->source == LITHE_SOURCE_LIMIT) {
        gaps_of(link, work->q0, gap);
        lithe_term_limit(&c->term, h, gap[c->side], &grip);
    } else if (c->source == LITHE_SOURCE_DRY) {
        lithe_term_dry(&c->term, c->term.rows, h, link->friction_loss, SLOW, 0);
    } else {
        const LitheRigidDrive *drive = &work->bounded[c->drive];
        bool position = drive->kind == LITHE_ACTUATOR_POSITION;
        grip.stiffness = position ? drive->gear * drive->stiffness : 0;
        grip.damping = drive->gear * drive->damping;
        double g = position ? work->q0[link->q_at] - drive->target : 0;
        lithe_term_drive(&c->term, h, g, position ? 0 : drive->target, work->bound[c->drive],
                         &grip);
    }
}

void lithe_joint_laws(const LitheAssembly *all, LitheSystem *system) {
    const LitheModel *model = all->model;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        if (c->source < LITHE_SOURCE_LIMIT)
            continue;
        int32_t tree = 0;
        while (tree + 1 < model->tree_count && model->trees[tree + 1].v_at <= c->index)
            tree++;
        set_law(all, system, tree, c);
    }
}
