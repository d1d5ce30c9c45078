// SPDX-License-Identifier: Apache-2.0
// body/tree.c - articulated trees: checking, layout, kinematics, energies, limits
//
// All spatial vectors of a tree have the world's axes and are about one reference point, so that
// inertias, momenta and forces of different links can be added. A column of the motion subspace
// whose axis has the rotation a and the translation b about the origin o of the child's joint frame
// is
//     (4)  S = (a, o x a + b)

#include "body/tree.h"

#include "body/tree_section.h"
#include "law/joint.h"
#include "law/pcc.h"

#include <string.h>

// --- checking and layout -------------------------------------------------------------------------

static bool unit(Quat a) {
    return fabs(q4_norm(a) - 1) < 1e-9;
}

static bool finite_pose(Pose a) {
    return v3_finite(a.at) && unit(a.rotation);
}

// a physically possible inertia: symmetric, no negative moment, triangle inequality
static bool possible_inertia(const Mat3 *a) {
    double trace = a->m[0][0] + a->m[1][1] + a->m[2][2], slack = 1e-9 * trace;
    for (int i = 0; i < 3; i++) {
        if (!(a->m[i][i] >= 0 && 2 * a->m[i][i] <= trace + slack))
            return false;
        for (int j = 0; j < i; j++)
            if (!(fabs(a->m[i][j] - a->m[j][i]) <= slack &&
                  a->m[i][j] * a->m[i][j] <= a->m[i][i] * a->m[j][j] + slack * slack))
                return false;
    }
    return isfinite(trace);
}

// a link on a section: shape, and the link whose DoFs it shares
static LitheStatus check_section(const LitheRigidTree *tree, int32_t i, LitheError *error) {
    const LitheRigidLink *link = &tree->links[i];
    const char *name = link->name ? link->name : "(unnamed)";
    bool section = link->kind == LITHE_JOINT_SECTION;
    const LitheJointShape *shape = &link->shape;
    if (section && !(shape->length > 0 && shape->radius > 0 && isfinite(shape->length) &&
                     isfinite(shape->radius) && shape->along > 0 && shape->along <= 1))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': section of length %g m and chamber radius %g m, at %g of "
                          "it; lengths must be > 0 and the place in (0, 1]",
                          i, name, shape->length, shape->radius, shape->along);
    if (!(link->line_mass >= 0 && link->line_mass < INFINITY) ||
        (link->line_mass > 0 && (!section || link->shares)))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': mass of the centre line is %g kg, must be >= 0, and 0 but "
                          "for the link that has the DoFs of a section",
                          i, name, link->line_mass);
    int32_t of = link->shares - 1;
    if (of >= 0 && !(section && of < i && tree->links[of].kind == LITHE_JOINT_SECTION &&
                     !tree->links[of].shares && tree->links[of].parent == link->parent))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': shares the joint of link %d, must be a section with the "
                          "same parent and a lower number",
                          i, name, of);
    return LITHE_OK;
}

static LitheStatus check_link(const LitheRigidTree *tree, int32_t i, LitheError *error) {
    const LitheRigidLink *link = &tree->links[i];
    const char *name = link->name ? link->name : "(unnamed)";
    if (link->parent < -1 || link->parent >= i)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': parent is %d, must be -1 (world) or below %d", i, name,
                          link->parent, i);
    if ((int)link->kind < 0 || link->kind > LITHE_JOINT_SECTION)
        return lithe_fail(error, LITHE_BAD_INPUT, "link %d '%s': joint kind is %d, must be 0..%d",
                          i, name, (int)link->kind, (int)LITHE_JOINT_SECTION);
    if (!finite_pose(link->parent_frame) || !finite_pose(link->child_frame))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': joint frame is not finite or its quaternion not unit", i,
                          name);
    if (!(link->mass >= 0 && link->mass < INFINITY) || !v3_finite(link->centre))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': mass is %g kg, must be >= 0 with a finite centre", i, name,
                          link->mass);
    if (!possible_inertia(&link->inertia))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': no body has the inertia %g %g %g kg m^2 (xx yy zz), must "
                          "be symmetric and each at most the sum of the others",
                          i, name, link->inertia.m[0][0], link->inertia.m[1][1],
                          link->inertia.m[2][2]);
    if (!(link->stiffness >= 0 && link->damping >= 0 && link->armature >= 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': stiffness %g, damping %g, armature %g, must be >= 0", i,
                          name, link->stiffness, link->damping, link->armature);
    bool sprung = lithe_joint_v_count(link->kind) == 1 || link->kind == LITHE_JOINT_BALL ||
                  link->kind == LITHE_JOINT_SECTION;
    if (link->stiffness > 0 && !sprung)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "link %d '%s': stiffness is %g, a spring needs a revolute, prismatic, "
                          "screw, ball or section joint",
                          i, name, link->stiffness);
    return check_section(tree, i, error);
}

static bool is_identity(const Pose *a) {
    return a->rotation.w == 1 && a->rotation.x == 0 && a->rotation.y == 0 && a->rotation.z == 0 &&
           a->at.x == 0 && a->at.y == 0 && a->at.z == 0;
}

// links on sections that neither have mass nor carry other links; the first is the reference
static void find_idle(LitheRigidTree *tree) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        LitheRigidLink *link = &tree->links[i];
        link->idle = i > 0 && link->kind == LITHE_JOINT_SECTION && link->mass == 0 &&
                     link->inertia.m[0][0] == 0;
        if (link->parent >= 0)
            tree->links[link->parent].idle = false;
    }
}

LitheStatus lithe_rigid_number(LitheRigidTree *tree, LitheError *error) {
    if (tree->link_count < 1)
        return lithe_fail(error, LITHE_BAD_INPUT, "tree '%s': has %d links, must be >= 1",
                          tree->name ? tree->name : "(unnamed)", tree->link_count);
    for (int32_t i = 0; i < tree->link_count; i++) {
        LitheStatus status = check_link(tree, i, error);
        if (status != LITHE_OK)
            return status;
    }
    tree->q_count = tree->v_count = tree->column_count = tree->section_count = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        LitheRigidLink *link = &tree->links[i];
        const LitheRigidLink *owner = link->shares ? &tree->links[link->shares - 1] : NULL;
        link->q_at = owner ? owner->q_at : tree->q_count;
        link->v_at = owner ? owner->v_at : tree->v_count;
        link->column_at = tree->column_count;
        link->framed[0] = !is_identity(&link->parent_frame);
        link->framed[1] = !is_identity(&link->child_frame);
        tree->q_count += owner ? 0 : lithe_joint_q_count(link->kind);
        tree->v_count += lithe_link_dof_count(link);
        tree->column_count += lithe_joint_v_count(link->kind);
        tree->section_count += link->line_mass > 0;
    }
    find_idle(tree);
    return LITHE_OK;
}

size_t lithe_rigid_work_size(const LitheRigidTree *tree) {
    size_t links = (size_t)tree->link_count;
    return links * (sizeof(LitheLinkWork) + (36 + 78) * sizeof(double)) +
           (size_t)tree->column_count * sizeof(Spatial) +
           (size_t)tree->section_count * sizeof(LitheSectionWork) +
           (size_t)tree->v_count * sizeof(double) + (size_t)tree->q_count * sizeof(double);
}

LitheRigidWork lithe_rigid_work_layout(const LitheRigidTree *tree, void *memory) {
    LitheRigidWork work = {.links = memory};
    work.columns = (Spatial *)(work.links + tree->link_count);
    work.sections = (LitheSectionWork *)(work.columns + tree->column_count);
    work.articulated = (double *)(work.sections + tree->section_count);
    work.joint_parts = work.articulated + (ptrdiff_t)36 * tree->link_count;
    work.placed_q = work.joint_parts + (ptrdiff_t)78 * tree->link_count;
    work.moved_v = work.placed_q + tree->q_count;
    return work;
}

void lithe_rigid_zero(const LitheRigidTree *tree, double *q) {
    for (int32_t i = 0; i < tree->link_count; i++)
        lithe_joint_zero(tree->links[i].kind, q + tree->links[i].q_at);
}

void lithe_rigid_advance(const LitheRigidTree *tree, const double *q, double s, const double *v,
                         double *out) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        double d[LITHE_JOINT_MAX_V];
        int32_t count = lithe_joint_v_count(link->kind);
        if (link->shares)
            continue;
        for (int32_t k = 0; k < count; k++)
            d[k] = s * v[link->v_at + k];
        lithe_joint_advance(link->kind, q + link->q_at, d, out + link->q_at);
    }
}

void lithe_rigid_difference(const LitheRigidTree *tree, const double *q0, const double *q1,
                            double *d) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        lithe_joint_difference(link->kind, q0 + link->q_at, q1 + link->q_at, d + link->v_at);
    }
}

// --- kinematics ----------------------------------------------------------------------------------

static inline bool is_zero(Vec3 a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

// the motion subspace of link i, from the axes of its joint (4)
static void place_columns(const LitheRigidLink *link, const double *q, Quat frame, Vec3 o,
                          Spatial *columns) {
    int32_t count = lithe_joint_v_count(link->kind);
    Spatial axes[LITHE_JOINT_MAX_V];
    lithe_joint_axes(link->kind, &link->shape, q, axes);
    for (int32_t k = 0; k < count; k++) {
        // most axes only turn or only slide
        if (is_zero(axes[k].ang)) {
            columns[k] = (Spatial){{0, 0, 0}, q4_rotate(frame, axes[k].lin)};
            continue;
        }
        Vec3 a = q4_rotate(frame, axes[k].ang), b = {0, 0, 0};
        if (!is_zero(axes[k].lin))
            b = q4_rotate(frame, axes[k].lin);
        columns[k] = (Spatial){a, v3_add(v3_cross(o, a), b)};
    }
}

// whether the last call had the same argument x; keeps it for the next one
static bool is_same(const double *x, int32_t count, bool made, double *last) {
    size_t bytes = (size_t)count * sizeof *x;
    if (made && memcmp(x, last, bytes) == 0)
        return true;
    memcpy(last, x, bytes);
    return false;
}

// the joint frame of link i on its parent, in the world
static Pose base_of(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i) {
    const LitheRigidLink *link = &tree->links[i];
    return link->parent < 0 ? link->parent_frame
                            : pose_mul(work->links[link->parent].pose, link->parent_frame);
}

Pose lithe_rigid_pose(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i) {
    const LitheRigidLink *link = &tree->links[i];
    if (!link->idle)
        return work->links[i].pose;
    Pose joint = lithe_joint_pose(link->kind, &link->shape, work->placed_q + link->q_at);
    return pose_mul(pose_mul(base_of(tree, work, i), joint), pose_inverse(link->child_frame));
}

const Spatial *lithe_rigid_columns(const LitheRigidTree *tree, const LitheRigidWork *work,
                                   int32_t i, Spatial *own) {
    const LitheRigidLink *link = &tree->links[i];
    const double *q = work->placed_q + link->q_at;
    if (!link->idle)
        return work->columns + link->column_at;
    Pose base = base_of(tree, work, i);
    Vec3 at = pose_point(base, lithe_joint_pose(link->kind, &link->shape, q).at);
    place_columns(link, q, base.rotation, v3_sub(at, work->reference), own);
    return own;
}

Spatial lithe_rigid_velocity(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i) {
    const LitheRigidLink *link = &tree->links[i];
    Spatial own[LITHE_JOINT_MAX_V];
    if (!link->idle)
        return work->links[i].velocity;
    const Spatial *columns = lithe_rigid_columns(tree, work, i, own);
    Spatial sum = link->parent < 0 ? sp_zero() : work->links[link->parent].velocity;
    for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++)
        sum = sp_axpy(work->moved_v[link->v_at + k], columns[k], sum);
    return sum;
}

void lithe_rigid_place(const LitheRigidTree *tree, const double *q, LitheRigidWork *work) {
    if (is_same(q, tree->q_count, work->placed, work->placed_q))
        return;
    work->placed = true;
    work->moved = work->summed = false;
    int32_t section = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *out = &work->links[i];
        const double *qi = q + link->q_at;
        if (link->idle && !(link->line_mass > 0))
            continue;

        // world <- parent <- joint <- link
        Pose before = base_of(tree, work, i);
        if (link->idle) {
            work->sections[section].link = i;
            lithe_section_place(link, before, work->reference, qi, &work->sections[section++]);
            continue;
        }
        Pose after = lithe_joint_after(before, link->kind, &link->shape, qi);
        out->pose = pose_mul_inverse(after, link->child_frame);
        if (i == 0)
            work->reference = after.at;

        out->joint = v3_sub(after.at, work->reference);
        place_columns(link, qi, before.rotation, out->joint, work->columns + link->column_at);
        if (link->line_mass > 0) {
            work->sections[section].link = i;
            lithe_section_place(link, before, work->reference, qi, &work->sections[section++]);
        }
        Mat3 r = q4_matrix(out->pose.rotation);
        Mat3 inertia = m3_mul(m3_mul(r, link->inertia), m3_transpose(r));
        Vec3 centre = v3_sub(pose_point(out->pose, link->centre), work->reference);
        out->inertia = spi_of(link->mass, centre, inertia);
    }
}

// of the joint frame of link i on its parent, in the world
static Quat base_rotation(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i) {
    const LitheRigidLink *link = &tree->links[i];
    Quat own = link->parent_frame.rotation;
    return link->parent < 0 ? own : q4_mul(work->links[link->parent].pose.rotation, own);
}

void lithe_rigid_axis_rates(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t i,
                            Spatial *rates) {
    const LitheRigidLink *link = &tree->links[i];
    lithe_joint_axis_rates(link->kind, &link->shape, work->placed_q + link->q_at,
                           work->moved_v + link->v_at, rates);
    Quat frame = base_rotation(tree, work, i);
    for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++)
        rates[k] = (Spatial){q4_rotate(frame, rates[k].ang), q4_rotate(frame, rates[k].lin)};
}

void lithe_rigid_move(const LitheRigidTree *tree, const double *v, LitheRigidWork *work) {
    if (is_same(v, tree->v_count, work->moved, work->moved_v))
        return;
    work->moved = true;
    work->summed = false;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *out = &work->links[i];
        int32_t count = lithe_joint_v_count(link->kind);
        if (link->idle)
            continue;
        Spatial before = link->parent < 0 ? sp_zero() : work->links[link->parent].velocity;
        Spatial joint = sp_zero();
        for (int32_t k = 0; k < count; k++)
            joint = sp_axpy(v[link->v_at + k], work->columns[link->column_at + k], joint);
        out->velocity = sp_add(before, joint);

        // (5) drift: a and b are fixed to the parent or to the child, the origin o to the child
        Vec3 o = out->joint, a = joint.ang, b = v3_sub(joint.lin, v3_cross(o, a));
        Vec3 angular_velocity =
            lithe_joint_rides_on_child(link->kind) ? out->velocity.ang : before.ang;
        Vec3 o_rate = v3_add(out->velocity.lin, v3_cross(out->velocity.ang, o));
        Vec3 a_rate = v3_cross(angular_velocity, a), b_rate = v3_cross(angular_velocity, b);
        if (lithe_joint_bends(link->kind)) {
            const double *q = work->placed_q + link->q_at;
            Spatial sum = lithe_joint_axis_drift(link->kind, &link->shape, q, v + link->v_at);
            Quat frame = base_rotation(tree, work, i);
            a_rate = v3_add(a_rate, q4_rotate(frame, sum.ang));
            b_rate = v3_add(b_rate, q4_rotate(frame, sum.lin));
        }
        out->drift.ang = a_rate;
        out->drift.lin = v3_add(v3_add(v3_cross(o_rate, a), v3_cross(o, a_rate)), b_rate);
    }
    for (int32_t i = 0; i < tree->section_count; i++) {
        const LitheRigidLink *link = &tree->links[work->sections[i].link];
        lithe_section_move(link, v + link->v_at, &work->sections[i]);
    }
}

Vec3 lithe_rigid_point_velocity(const LitheRigidTree *tree, const LitheRigidWork *work,
                                int32_t link, Vec3 point) {
    Spatial v = lithe_rigid_velocity(tree, work, link);
    return v3_add(v.lin, v3_cross(v.ang, v3_sub(point, work->reference)));
}

void lithe_rigid_point_jacobian(const LitheRigidTree *tree, const LitheRigidWork *work,
                                int32_t link, Vec3 point, double *linear, double *angular) {
    size_t bytes = (size_t)tree->v_count * 3 * sizeof(double);
    if (linear)
        memset(linear, 0, bytes);
    if (angular)
        memset(angular, 0, bytes);
    Vec3 x = v3_sub(point, work->reference);
    int32_t n = tree->v_count;
    for (int32_t i = link; i >= 0; i = tree->links[i].parent) {
        int32_t at = tree->links[i].v_at, count = lithe_joint_v_count(tree->links[i].kind);
        Spatial own[LITHE_JOINT_MAX_V];
        const Spatial *columns = lithe_rigid_columns(tree, work, i, own);
        for (int32_t k = at; k < at + count; k++) {
            Spatial s = columns[k - at];
            Vec3 u = v3_add(s.lin, v3_cross(s.ang, x));
            double lin[3] = {u.x, u.y, u.z}, ang[3] = {s.ang.x, s.ang.y, s.ang.z};
            for (int32_t row = 0; row < 3; row++) {
                if (linear)
                    linear[row * n + k] = lin[row];
                if (angular)
                    angular[row * n + k] = ang[row];
            }
        }
    }
}

void lithe_rigid_add_force(const LitheRigidTree *tree, const LitheRigidWork *work, int32_t link,
                           Vec3 point, Vec3 force, Vec3 torque, double *effort) {
    Vec3 x = v3_sub(point, work->reference);
    Spatial f = {v3_add(torque, v3_cross(x, force)), force};
    for (int32_t i = link; i >= 0; i = tree->links[i].parent) {
        int32_t at = tree->links[i].v_at, count = lithe_joint_v_count(tree->links[i].kind);
        Spatial own[LITHE_JOINT_MAX_V];
        const Spatial *columns = lithe_rigid_columns(tree, work, i, own);
        for (int32_t k = 0; k < count; k++)
            effort[at + k] += sp_dot(columns[k], f);
    }
}

// --- sums over the tree --------------------------------------------------------------------------

double lithe_rigid_centre(const LitheRigidTree *tree, const LitheRigidWork *work, Vec3 *centre) {
    double mass = 0;
    Vec3 moment = {0, 0, 0};
    for (int32_t i = 0; i < tree->link_count; i++) {
        if (tree->links[i].idle)
            continue;
        mass += work->links[i].inertia.mass;
        moment = v3_add(moment, work->links[i].inertia.moment);
    }
    for (int32_t i = 0; i < tree->section_count; i++) {
        mass += work->sections[i].frozen.mass;
        moment = v3_add(moment, work->sections[i].frozen.moment);
    }
    if (centre)
        *centre = mass > 0 ? v3_axpy(1 / mass, moment, work->reference) : work->reference;
    return mass;
}

void lithe_rigid_momentum(const LitheRigidTree *tree, const LitheRigidWork *work, Vec3 point,
                          Vec3 *linear, Vec3 *angular) {
    Spatial sum = sp_zero();
    for (int32_t i = 0; i < tree->link_count; i++)
        if (!tree->links[i].idle)
            sum = sp_add(sum, spi_apply(work->links[i].inertia, work->links[i].velocity));
    for (int32_t i = 0; i < tree->section_count; i++) {
        Spatial up = lithe_section_velocity(tree, work, &work->sections[i]);
        sum = sp_add(sum, lithe_section_flow(&work->sections[i], up, NULL));
    }
    Vec3 x = v3_sub(point, work->reference);
    *linear = sum.lin;
    *angular = v3_sub(sum.ang, v3_cross(x, sum.lin));
}

double lithe_rigid_kinetic_energy(const LitheRigidTree *tree, const LitheRigidWork *work,
                                  const double *v) {
    double twice = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        Spatial u = work->links[i].velocity;
        if (!link->idle)
            twice += sp_dot(u, spi_apply(work->links[i].inertia, u));
        int32_t count = lithe_link_dof_count(link);
        for (int32_t k = 0; k < count; k++)
            twice += link->armature * v[link->v_at + k] * v[link->v_at + k];
    }
    for (int32_t i = 0; i < tree->section_count; i++) {
        double own;
        lithe_section_flow(&work->sections[i],
                           lithe_section_velocity(tree, work, &work->sections[i]), &own);
        twice += 2 * own;
    }
    return 0.5 * twice;
}

int32_t lithe_link_stretch(const LitheRigidLink *link, const double *q, double *turn) {
    int32_t count = lithe_joint_v_count(link->kind);
    turn[0] = turn[1] = turn[2] = 0;
    if (link->kind == LITHE_JOINT_BALL)
        lithe_joint_difference(link->kind, (const double[]){1, 0, 0, 0}, q + link->q_at, turn);
    else
        for (int32_t k = 0; k < count && k < 3; k++)
            turn[k] = q[link->q_at + k] - link->rest;
    return count;
}

double lithe_rigid_potential_energy(const LitheRigidTree *tree, const LitheRigidWork *work,
                                    Vec3 gravity, const double *q) {
    double energy = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        SpatialInertia inertia = work->links[i].inertia;
        if (!link->idle)
            energy -= v3_dot(gravity, v3_axpy(inertia.mass, work->reference, inertia.moment));
        if (link->stiffness > 0 && !link->shares) {
            double turn[3];
            lithe_link_stretch(link, q, turn);
            energy += 0.5 * link->stiffness * v3_dot(v3_load(turn), v3_load(turn));
        }
    }
    for (int32_t i = 0; i < tree->section_count; i++) {
        SpatialInertia line = work->sections[i].frozen;
        energy -= v3_dot(gravity, v3_axpy(line.mass, work->reference, line.moment));
    }
    return energy;
}

// a velocity at its limit may be smaller than the limit by rounding errors
#define REACHED (1 - 1e-9)

// --- limits --------------------------------------------------------------------------------------

static double norm_of(const double *x, int32_t count) {
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sqrt(sum);
}

int32_t lithe_link_chambers(const LitheRigidLink *link) {
    return link->chambers > 3 ? link->chambers : 3;
}

double lithe_link_chamber(const LitheRigidLink *link, const double *q, int32_t i) {
    double sum = 0;
    if (link->chambers <= 3)
        return q[i];
    for (int32_t k = 0; k < 3; k++)
        sum += lithe_pcc_share(link->chambers, i, k) * q[k];
    return sum;
}

int32_t lithe_rigid_limits(const LitheRigidTree *tree, const double *q, const double *v,
                           const double *effort, unsigned char *reached) {
    int32_t found = 0;
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t count = lithe_link_dof_count(link);
        const double *qi = q + link->q_at;
        unsigned char bits = 0;
        bool section = count == 3 && link->kind == LITHE_JOINT_SECTION;
        int32_t limits = !link->limited ? 0 : section ? lithe_link_chambers(link) : count == 1;
        for (int32_t k = 0; k < limits; k++) {
            double at = section ? lithe_link_chamber(link, qi, k) : qi[k];
            bits |= at <= link->lower ? LITHE_REACHED_LOWER : 0;
            bits |= at >= link->upper ? LITHE_REACHED_UPPER : 0;
        }
        if (link->limited && link->kind == LITHE_JOINT_BALL) {
            double turn[3];
            lithe_joint_difference(link->kind, (const double[]){1, 0, 0, 0}, qi, turn);
            bits |= norm_of(turn, 3) >= link->upper ? LITHE_REACHED_UPPER : 0;
        }
        for (int32_t k = 0; k < count && v && link->velocity_limit > 0; k++)
            if (fabs(v[link->v_at + k]) >= REACHED * link->velocity_limit)
                bits |= LITHE_REACHED_VELOCITY;
        if (effort && link->effort_limit > 0 &&
            norm_of(effort + link->v_at, count) >= link->effort_limit)
            bits |= LITHE_REACHED_EFFORT;
        reached[i] = bits;
        found += bits != 0;
    }
    return found;
}
