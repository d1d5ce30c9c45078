// SPDX-License-Identifier: Apache-2.0
// body/tree_terms.c - a tree in the coupled solve: limits, dry friction and bounded drives of its
// joints, Jacobians of points of its links

#include "body/tree_body.h"

#include "body/constraint.h"
#include "body/tree.h"
#include "body/unit.h"
#include "law/joint.h"
#include "law/pcc.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

// a limit is exceeded beyond this fraction of the range
#define EXCEEDED 1e-12

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

// whether the limits of a section bound more chambers than it has positions
static bool has_more_chambers(const LitheRigidLink *link) {
    return link->kind == LITHE_JOINT_SECTION && link->chambers > 3;
}

// gaps of DoF, or chamber, k of the joint to the lower and the upper limit; infinite where there is
// none
static void gaps_of(const LitheRigidLink *link, const double *q, int32_t k, double gap[2]) {
    Vec3 axis;
    const double *position = q + link->q_at;
    gap[0] = gap[1] = INFINITY;
    if (!link->limited)
        return;
    if (link->kind == LITHE_JOINT_BALL) {
        gap[1] = link->upper - ball_angle(position, &axis);
    } else if (lithe_joint_v_count(link->kind) == 1 || link->kind == LITHE_JOINT_SECTION) {
        double at = has_more_chambers(link) ? lithe_link_chamber(link, position, k) : position[k];
        gap[0] = at - link->lower;
        gap[1] = link->upper - at;
    }
}

bool lithe_limits_exceeded(const LitheModel *model, const LitheState *state) {
    for (int32_t i = 0; i < model->tree_count; i++) {
        const LitheTree *tree = &model->trees[i];
        for (int32_t l = 0; l < tree->rigid.link_count; l++) {
            const LitheRigidLink *link = &tree->rigid.links[l];
            bool more = has_more_chambers(link);
            int32_t count = more ? link->chambers : lithe_joint_v_count(link->kind);
            double range = link->upper - link->lower, gap[2];
            range = EXCEEDED * (range > 0 && range < INFINITY ? range : 1);
            for (int32_t k = 0; link->limited && k < count; k++) {
                gaps_of(link, state->q + tree->q_at, k, gap);
                if (gap[0] < -range || gap[1] < -range)
                    return true;
            }
        }
    }
    return false;
}

// whether a joint can reach its limit in the step, with a safety margin
static bool near_limit(const Joints *j, const LitheRigidLink *link, double gap) {
    double speed = 0, change = 0, h = j->plan->h;
    if (j->plan->still || !(gap < INFINITY))
        return gap < INFINITY; // static steps can have any length
    for (int32_t k = link->v_at; k < link->v_at + lithe_joint_v_count(link->kind); k++) {
        speed = fmax(speed, fabs(j->work->v0[k]));
        change = fmax(change, fabs(j->work->step.w[k]));
    }
    // (X11): an elongation changes by up to 5/3 of the rates of the positions
    double most = has_more_chambers(link) ? 5.0 / 3 : 1;
    return gap <= 4 * h * most * fmax(speed, change) + 1e-3;
}

static bool add_limits(const Joints *j, const LitheRigidLink *link, int32_t k) {
    double gap[2];
    gaps_of(link, j->work->q0, k, gap);
    for (int side = 0; side < 2; side++) {
        if (!near_limit(j, link, gap[side]))
            continue;
        double sign = side == 0 ? 1 : -1;
        Vec3 axis = v3(1, 0, 0);
        bool ball = link->kind == LITHE_JOINT_BALL;
        if (ball)
            ball_angle(j->work->q0 + link->q_at, &axis);
        bool more = has_more_chambers(link);
        if (more)
            axis = v3(lithe_pcc_share(link->chambers, k, 0), lithe_pcc_share(link->chambers, k, 1),
                      lithe_pcc_share(link->chambers, k, 2));
        int32_t dof = link->v_at + (more ? 0 : k);
        LitheDofTerm term = {
            .source = LITHE_SOURCE_LIMIT,
            .unit = j->unit,
            .rows = 1,
            .dof = dof,
            .dof_count = ball || more ? 3 : 1,
            .part = {sign * axis.x, sign * axis.y, sign * axis.z},
            .side = more ? 2 * k + side : side,
            .gap = gap[side],
            .limits = j->work->limits + dof,
        };
        for (int32_t i = 0; i < term.dof_count; i++)
            term.alone += term.part[i] * j->work->step.w[dof + i];
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
    int32_t count = lithe_link_dof_count(link);
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
        .dof = link->v_at + drive->dof,
        .dof_count = 1,
        .part = {1},
        .drive = k,
        .bound = j->work->bound[k],
        .stiffness = position ? drive->gear * drive->stiffness : 0,
        .damping = drive->gear * drive->damping,
        .error = position ? j->work->q0[link->q_at + drive->dof] - drive->target : 0,
        .rate = position ? 0 : drive->target,
        .effort_at = j->tree->effort_at + link->v_at + drive->dof,
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
        bool each = link->kind == LITHE_JOINT_SECTION; // chamber by chamber
        if (link->shares)
            continue;
        for (int32_t c = 0; c < (each ? lithe_link_chambers(link) : 1); c++)
            if (!add_limits(&j, link, c))
                return false;
        if (!add_velocity_limits(&j, link) || !add_friction(&j, link))
            return false;
    }
    for (int32_t k = 0; k < tree->drive_count; k++)
        if (j.work->bound[k] != 0 && !add_drive(&j, k))
            return false;
    return true;
}

// --- material points -----------------------------------------------------------------------------

// Position at which the rows of a point of a link are evaluated. The midpoint rule evaluates them
// in the middle of the step: at its start pendulums would gain energy in every step.
static Vec3 carried(const LitheModel *model, const LitheState *state, const LitheTreeWork *work,
                    const LitheSite *site) {
    if (!work->middle)
        return site->point;
    Pose start = lithe_tree_place(model, state, site, 0);
    const LitheRigidTree *rigid = &model->trees[model->units[site->unit].index].rigid;
    Pose middle = lithe_rigid_pose(rigid, &work->step.tree, site->element);
    return pose_point(middle, pose_point(pose_inverse(start), site->point));
}

// one column of the rows: u and w are velocity and angular velocity of the point per unit of a DoF
static void fill_column(int32_t rows, int32_t n, const Vec3 *linear, const Vec3 *angular, Vec3 u,
                        Vec3 w, double *column) {
    for (int32_t row = 0; row < rows; row++, column += n) {
        Vec3 a = linear[row], b = angular[row];
        *column = (a.x * u.x + b.x * w.x) + (a.y * u.y + b.y * w.y) + (a.z * u.z + b.z * w.z);
    }
}

// one column of three rows without an angular part, as most contacts have
static inline void fill_three(int32_t n, const Vec3 *linear, Vec3 u, double *restrict out) {
    out[0] = linear[0].x * u.x + linear[0].y * u.y + linear[0].z * u.z;
    out[n] = linear[1].x * u.x + linear[1].y * u.y + linear[1].z * u.z;
    out[2 * n] = linear[2].x * u.x + linear[2].y * u.y + linear[2].z * u.z;
}

// the columns first .. after - 1 of a joint that turns the point x
static inline void fill_turns(int32_t n, int32_t first, int32_t after, const Vec3 *linear, Vec3 x,
                              const Spatial *columns, double *restrict out) {
    for (int32_t k = first; k < after; k++)
        fill_three(n, linear, v3_add(columns[k].lin, v3_cross(columns[k].ang, x)), out + k);
}

// two doubles, with the alignment of one in memory
typedef double Two __attribute__((vector_size(16)));
typedef double LooseTwo __attribute__((vector_size(16), aligned(8), may_alias));

// two columns of three rows with the velocities u of the point, by components
static inline void fill_two(int32_t n, const Vec3 *linear, Two x, Two y, Two z,
                            double *restrict out) {
    for (int32_t row = 0; row < 3; row++, out += n)
        *(LooseTwo *)out = linear[row].x * x + linear[row].y * y + linear[row].z * z;
}

// the same for a single body: six columns in pairs, of which the fourth turns
static inline void fill_body(const Vec3 *linear, Vec3 x, const Spatial *columns,
                             double *restrict out) {
    Two u[3][3]; // [pair][component]
    for (int k = 0; k < 3; k++) {
        const Spatial *s = columns + 2 * k;
        u[k][0] = (Two){s[0].lin.x, s[1].lin.x};
        u[k][1] = (Two){s[0].lin.y, s[1].lin.y};
        u[k][2] = (Two){s[0].lin.z, s[1].lin.z};
    }
    Vec3 turn = v3_add(columns[3].lin, v3_cross(columns[3].ang, x));
    u[1][0][1] = turn.x, u[1][1][1] = turn.y, u[1][2][1] = turn.z;
    Two ax = {columns[4].ang.x, columns[5].ang.x}, ay = {columns[4].ang.y, columns[5].ang.y};
    Two az = {columns[4].ang.z, columns[5].ang.z};
    u[2][0] += ay * x.z - az * x.y;
    u[2][1] += az * x.x - ax * x.z;
    u[2][2] += ax * x.y - ay * x.x;
    for (int k = 0; k < 3; k++)
        fill_two(6, linear, u[k][0], u[k][1], u[k][2], out + 2 * k);
}

// the columns of a free joint: three that only translate, whatever x, then three that turn
static inline void fill_free(int32_t n, const Vec3 *linear, Vec3 x, const Spatial *columns,
                             double *restrict out) {
    for (int32_t k = 0; k < 3; k++)
        fill_three(n, linear, columns[k].lin, out + k);
    fill_turns(n, 3, 6, linear, x, columns, out);
}

static inline bool any_turn(const Vec3 *angular, int32_t rows) {
    double all = 0;
    if (angular == lithe_no_rows)
        return false;
    for (int32_t row = 0; row < rows; row++)
        all += fabs(angular[row].x) + fabs(angular[row].y) + fabs(angular[row].z);
    return all != 0;
}

// The joints between the link and the root, each with its column of the motion subspace. Not
// inline: its loops would take registers and time from single bodies.
__attribute__((noinline)) static int32_t fill_path(const LitheModel *model, const LitheState *state,
                                                   const LitheTreeWork *work, const LitheSite *site,
                                                   int32_t rows, const Vec3 *linear,
                                                   const Vec3 *angular, double *blocks) {
    const LitheRigidTree *rigid = &model->trees[model->units[site->unit].index].rigid;
    int32_t n = rigid->v_count;
    if (n == 0) // welded to the world
        return 0;
    if (rigid->link_count > 1)
        memset(blocks, 0, (size_t)n * (size_t)rows * sizeof(double));
    bool turns = any_turn(angular, rows);
    Vec3 x = v3_sub(carried(model, state, work, site), work->step.tree.reference);
    for (int32_t i = site->element; i >= 0; i = rigid->links[i].parent) {
        int32_t at = rigid->links[i].v_at, count = lithe_joint_v_count(rigid->links[i].kind);
        Spatial own[LITHE_JOINT_MAX_V];
        const Spatial *columns = lithe_rigid_columns(rigid, &work->step.tree, i, own);
        if (rows == 3 && !turns) {
            if (rigid->links[i].kind != LITHE_JOINT_FREE)
                fill_turns(n, 0, count, linear, x, columns, blocks + at);
            else
                fill_free(n, linear, x, columns, blocks + at);
            continue;
        }
        for (int32_t k = 0; k < count; k++) {
            Vec3 w = columns[k].ang;
            Vec3 u = v3_add(columns[k].lin, v3_cross(w, x));
            fill_column(rows, n, linear, angular, u, w, blocks + at + k);
        }
    }
    // forces at the middle act on w through B, the derivative of the update to the middle (30)
    for (int32_t row = 0; work->middle && row < rows; row++, blocks += n)
        lithe_rigid_pull(rigid, -0.5 * work->plan.h, work->mean, blocks, blocks);
    return 1;
}

int32_t lithe_tree_site(const LitheModel *model, const LitheState *state, const LitheWork *all,
                        const LitheSite *site, int32_t rows, const Vec3 *linear,
                        const Vec3 *angular, int32_t *nodes, double *blocks) {
    const LitheRigidTree *rigid = &model->trees[model->units[site->unit].index].rigid;
    const LitheTreeWork *work = lithe_tree_work(all, site->unit);
    nodes[0] = 0;
    if (rows != 3 || rigid->link_count != 1 || rigid->links[0].kind != LITHE_JOINT_FREE ||
        work->middle || any_turn(angular, 3))
        return fill_path(model, state, work, site, rows, linear, angular, blocks);
    Vec3 x = v3_sub(site->point, work->step.tree.reference);
    fill_body(linear, x, work->step.tree.columns, blocks);
    return 1;
}
