// SPDX-License-Identifier: Apache-2.0
// body/tree_dynamics.c - dynamics of an articulated tree in joint coordinates
//
// All vectors share axes and reference point (tree.c), so recursions need no transforms. With S_i
// the motion subspace of link i, I_i its inertia, V_i its velocity, c_i its drift (5):
//     (6)  A_i = A_parent + S_i a_i + c_i,  A_world = (0, -gravity)
//     (7)  F_i = I_i A_i + V_i x* I_i V_i + sum of F of the children
//     (8)  effort_i = S_i' F_i + armature a_i
//     (9)  M_ij = S_i' Ic_i S_j for j above or at i, Ic_i the inertia of i and its descendants

#include "body/tree.h"

#include "body/tree_section.h"
#include "law/joint.h"
#include "sparse/dense.h"

#include <string.h>

// --- mass matrix ---------------------------------------------------------------------------------

void lithe_rigid_mass_matrix(const LitheRigidTree *tree, LitheRigidWork *work, double *mass) {
    int32_t n = tree->v_count;
    memset(mass, 0, (size_t)n * (size_t)n * sizeof *mass);
    for (int32_t i = 0; i < tree->link_count; i++)
        if (!tree->links[i].idle)
            work->links[i].composite = work->links[i].inertia;
    for (int32_t i = 0; i < tree->section_count; i++) {
        const LitheSectionWork *section = &work->sections[i];
        int32_t parent = tree->links[section->link].parent;
        lithe_section_add_mass(tree, work, section, mass);
        if (parent >= 0)
            work->links[parent].composite = spi_add(work->links[parent].composite, section->frozen);
    }
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *own = &work->links[i];
        for (int32_t k = 0; k < lithe_link_dof_count(link); k++)
            mass[(ptrdiff_t)(n + 1) * (link->v_at + k)] += link->armature;
        if (link->idle)
            continue;
        if (link->parent >= 0) {
            LitheLinkWork *up = &work->links[link->parent];
            up->composite = spi_add(up->composite, own->composite);
        }
        int32_t count = lithe_joint_v_count(link->kind);
        for (int32_t row = link->v_at; row < link->v_at + count; row++) {
            Spatial f =
                spi_apply(own->composite, work->columns[row - link->v_at + link->column_at]);
            // (9), along the path to the root; links that share a joint add up
            for (int32_t j = i; j >= 0; j = tree->links[j].parent) {
                int32_t at = tree->links[j].v_at;
                int32_t end = at + lithe_joint_v_count(tree->links[j].kind);
                const Spatial *columns = work->columns + (tree->links[j].column_at - at);
                end = j == i ? row + 1 : end;
                for (int32_t column = at; column < end; column++) {
                    double entry = sp_dot(columns[column], f);
                    mass[(ptrdiff_t)n * row + column] += entry;
                    if (row != column)
                        mass[(ptrdiff_t)n * column + row] += entry;
                }
            }
        }
    }
}

// --- inverse dynamics ----------------------------------------------------------------------------

void lithe_rigid_inverse_dynamics(const LitheRigidTree *tree, Vec3 gravity, const double *a,
                                  LitheRigidWork *work, double *effort) {
    const Spatial world = {{0, 0, 0}, v3_neg(gravity)};
    // from the root outwards: accelerations (6), and the force of each link without its children
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *own = &work->links[i];
        if (link->idle)
            continue;
        Spatial up = link->parent < 0 ? world : work->links[link->parent].acceleration;
        own->acceleration = sp_add(up, own->drift);
        int32_t count = a ? lithe_joint_v_count(link->kind) : 0;
        for (int32_t k = 0; k < count; k++)
            own->acceleration =
                sp_axpy(a[link->v_at + k], work->columns[link->column_at + k], own->acceleration);
        Spatial gyro = sp_cross_force(own->velocity, spi_apply(own->inertia, own->velocity));
        own->force = sp_add(spi_apply(own->inertia, own->acceleration), gyro);
    }
    memset(effort, 0, (size_t)tree->v_count * sizeof *effort);
    for (int32_t i = 0; i < tree->section_count; i++) {
        const LitheSectionWork *section = &work->sections[i];
        const LitheRigidLink *link = &tree->links[section->link];
        LitheLinkWork *up = link->parent < 0 ? NULL : &work->links[link->parent];
        Spatial force = lithe_section_force(section, up ? up->velocity : sp_zero(),
                                            up ? up->acceleration : world,
                                            a ? a + link->v_at : NULL, effort + link->v_at);
        if (up)
            up->force = sp_add(up->force, force);
    }
    // from the leaves inwards: sums (7), efforts (8)
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const LitheRigidLink *link = &tree->links[i];
        for (int32_t k = link->v_at; a && k < link->v_at + lithe_link_dof_count(link); k++)
            effort[k] += link->armature * a[k];
        if (link->idle)
            continue;
        int32_t count = lithe_joint_v_count(link->kind);
        for (int32_t k = 0; k < count; k++)
            effort[link->v_at + k] +=
                sp_dot(work->columns[link->column_at + k], work->links[i].force);
        if (link->parent >= 0) {
            LitheLinkWork *up = &work->links[link->parent];
            up->force = sp_add(up->force, work->links[i].force);
        }
    }
}

// --- forward dynamics ----------------------------------------------------------------------------

bool lithe_rigid_accelerate_dense(const LitheRigidTree *tree, Vec3 gravity, const double *effort,
                                  LitheRigidWork *work, double *matrix, double *a) {
    lithe_rigid_inverse_dynamics(tree, gravity, NULL, work, a);
    for (int32_t k = 0; k < tree->v_count; k++)
        a[k] = effort[k] - a[k];
    lithe_rigid_mass_matrix(tree, work, matrix);
    if (lithe_dense_factor_positive(tree->v_count, matrix) >= 0)
        return false;
    lithe_dense_solve(tree->v_count, matrix, a);
    return true;
}

// Articulated bodies: with IA, pA the inertia and bias force of link i and its descendants,
//     (11)  U = IA S,  D = S' U + armature,  u = effort - S' (pA + IA c)
//     (12)  IA_parent += IA - U D^-1 U',  pA_parent += pA + IA c + U D^-1 u
//     (13)  A' = A_parent + c,  a = D\(effort - S' pA - U' A'),  A = A' + S a

static Spatial matrix_apply(const double m[36], Spatial x) {
    double in[6], out[6] = {0};
    sp_store(x, in);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            out[r] += m[6 * r + c] * in[c];
    return sp_load(out);
}

// the quantities (11) of the joint of one link: U [6][6] rows per DoF, factor of D, u
typedef struct JointParts {
    double *U, *D, *u;
} JointParts;

static JointParts joint_parts_of(const LitheRigidWork *work, int32_t i) {
    double *at = work->joint_parts + (ptrdiff_t)78 * i;
    return (JointParts){at, at + 36, at + 72};
}

static bool set_joint_parts(const LitheRigidLink *link, const double *inertia,
                            const Spatial *columns, JointParts parts) {
    int32_t count = lithe_joint_v_count(link->kind);
    for (int32_t k = 0; k < count; k++)
        sp_store(matrix_apply(inertia, columns[k]), parts.U + 6 * k);
    for (int32_t r = 0; r < count; r++) {
        for (int32_t c = 0; c <= r; c++)
            parts.D[count * r + c] = sp_dot(columns[r], sp_load(parts.U + 6 * c));
        parts.D[count * r + r] += link->armature;
    }
    return lithe_dense_factor_positive(count, parts.D) < 0;
}

// (12): contribution of this link to its parent
static void add_to_parent(int32_t count, const double *inertia, Spatial force, JointParts parts,
                          double *parent_inertia, Spatial *parent_force) {
    // rows D^-1 U'
    double solved[36];
    for (int c = 0; c < 6; c++) {
        double x[6];
        for (int32_t k = 0; k < count; k++)
            x[k] = parts.U[6 * k + c];
        lithe_dense_solve(count, parts.D, x);
        for (int32_t k = 0; k < count; k++)
            solved[6 * k + c] = x[k];
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            double sum = inertia[6 * r + c];
            for (int32_t k = 0; k < count; k++)
                sum -= parts.U[6 * k + r] * solved[6 * k + c];
            parent_inertia[6 * r + c] += sum;
        }
    }
    for (int32_t k = 0; k < count; k++)
        force = sp_axpy(parts.u[k], sp_load(solved + 6 * k), force);
    *parent_force = sp_add(*parent_force, force);
}

bool lithe_rigid_accelerate(const LitheRigidTree *tree, Vec3 gravity, const double *effort,
                            LitheRigidWork *work, double *a) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        LitheLinkWork *own = &work->links[i];
        if (tree->links[i].kind == LITHE_JOINT_SECTION)
            return false;
        spi_matrix(own->inertia, work->articulated + (ptrdiff_t)36 * i);
        own->force = sp_cross_force(own->velocity, spi_apply(own->inertia, own->velocity));
    }
    // from the leaves inwards (11), (12)
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *own = &work->links[i];
        double *inertia = work->articulated + (ptrdiff_t)36 * i;
        JointParts parts = joint_parts_of(work, i);
        int32_t count = lithe_joint_v_count(link->kind);
        if (!set_joint_parts(link, inertia, work->columns + link->v_at, parts))
            return false;
        Spatial drifted = sp_add(own->force, matrix_apply(inertia, own->drift));
        for (int32_t k = 0; k < count; k++)
            parts.u[k] = effort[link->v_at + k] - sp_dot(work->columns[link->v_at + k], drifted);
        if (link->parent >= 0)
            add_to_parent(count, inertia, drifted, parts,
                          work->articulated + (ptrdiff_t)36 * link->parent,
                          &work->links[link->parent].force);
    }
    // from the root outwards (13)
    const Spatial world = {{0, 0, 0}, v3_neg(gravity)};
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *own = &work->links[i];
        JointParts parts = joint_parts_of(work, i);
        int32_t count = lithe_joint_v_count(link->kind);
        Spatial up = link->parent < 0 ? world : work->links[link->parent].acceleration;
        double *ai = a + link->v_at;
        // U' c is already in u
        for (int32_t k = 0; k < count; k++)
            ai[k] = parts.u[k] - sp_dot(sp_load(parts.U + 6 * k), up);
        lithe_dense_solve(count, parts.D, ai);
        own->acceleration = sp_add(up, own->drift);
        for (int32_t k = 0; k < count; k++)
            own->acceleration = sp_axpy(ai[k], work->columns[link->v_at + k], own->acceleration);
    }
    return true;
}

// --- momenta and forces of the Lagrangian --------------------------------------------------------

// With P_i the momentum of link i and its descendants, and s a column of its joint whose axis
// has the translation b and rotation a, the joint's own motion being (a_J, o x a_J + b_J):
//     (14)  dT/dv_s = s' P_i + armature v_s
//     (15)  dT/dq_s = (d_s - s x V_i)' P_i
//           d_s = (0, b x a_J) for axes fixed in the parent, (a x a_J, o x (a x a_J)) in the child
//           d_s = (c, b x a_J + o x c + b'), c = a' + a x a_J for axes that change, by a' and b'
// A change of q_s rotates all links beyond the joint as one rigid body. This changes their kinetic
// energy only because the velocity V_i does not rotate with them.

static Spatial axis_change(const LitheRigidLink *link, Vec3 o, Spatial column, Vec3 turn,
                           const Spatial *rate) {
    if (lithe_joint_rides_on_child(link->kind)) {
        Vec3 change = v3_cross(column.ang, turn);
        return (Spatial){change, v3_cross(o, change)};
    }
    Vec3 slide = v3_sub(column.lin, v3_cross(o, column.ang));
    if (lithe_joint_bends(link->kind)) {
        Vec3 change = v3_add(rate->ang, v3_cross(column.ang, turn));
        Vec3 move = v3_add(v3_cross(slide, turn), rate->lin);
        return (Spatial){change, v3_add(move, v3_cross(o, change))};
    }
    return (Spatial){{0, 0, 0}, v3_cross(slide, turn)};
}

static Spatial weight_of(SpatialInertia inertia, Vec3 gravity) {
    return (Spatial){v3_cross(inertia.moment, gravity), v3_scale(inertia.mass, gravity)};
}

void lithe_rigid_momenta(const LitheRigidTree *tree, Vec3 gravity, const double *v,
                         LitheRigidWork *work, double *p, double *force) {
    memset(p, 0, (size_t)tree->v_count * sizeof *p);
    memset(force, 0, (size_t)tree->v_count * sizeof *force);
    for (int32_t i = 0; i < tree->link_count; i++) {
        LitheLinkWork *own = &work->links[i];
        own->force = own->acceleration = sp_zero();
        if (tree->links[i].idle)
            continue;
        own->force = spi_apply(own->inertia, own->velocity);
        own->acceleration = weight_of(own->inertia, gravity);
    }
    for (int32_t i = 0; i < tree->section_count; i++) {
        const LitheSectionWork *section = &work->sections[i];
        const LitheRigidLink *link = &tree->links[section->link];
        Spatial momentum =
            lithe_section_momentum(link, section, lithe_section_velocity(tree, work, section),
                                   gravity, p + link->v_at, force + link->v_at);
        if (link->parent < 0)
            continue;
        LitheLinkWork *up = &work->links[link->parent];
        up->force = sp_add(up->force, momentum);
        up->acceleration = sp_add(up->acceleration, weight_of(section->frozen, gravity));
    }
    for (int32_t i = tree->link_count - 1; i >= 0; i--) {
        const LitheRigidLink *link = &tree->links[i];
        LitheLinkWork *own = &work->links[i];
        Spatial before = link->parent < 0 ? sp_zero() : work->links[link->parent].velocity;
        Vec3 turn = v3_sub(own->velocity.ang, before.ang);
        Spatial rates[LITHE_JOINT_MAX_V];
        for (int32_t k = link->v_at; k < link->v_at + lithe_link_dof_count(link); k++)
            p[k] += link->armature * v[k];
        if (link->idle)
            continue;
        if (lithe_joint_bends(link->kind))
            lithe_rigid_axis_rates(tree, work, i, rates);
        for (int32_t k = 0; k < lithe_joint_v_count(link->kind); k++) {
            Spatial s = work->columns[link->column_at + k];
            p[link->v_at + k] += sp_dot(s, own->force);
            Spatial change = sp_sub(axis_change(link, own->joint, s, turn, &rates[k]),
                                    sp_cross(s, own->velocity));
            force[link->v_at + k] += sp_dot(change, own->force) + sp_dot(s, own->acceleration);
        }
        if (link->parent >= 0) {
            LitheLinkWork *up = &work->links[link->parent];
            up->force = sp_add(up->force, own->force);
            up->acceleration = sp_add(up->acceleration, own->acceleration);
        }
    }
}

void lithe_rigid_add_passive(const LitheRigidTree *tree, const double *q, const double *v,
                             double *effort) {
    for (int32_t i = 0; i < tree->link_count; i++) {
        const LitheRigidLink *link = &tree->links[i];
        int32_t count = lithe_link_dof_count(link);
        if (link->stiffness > 0 && count > 0) {
            double turn[3];
            lithe_link_stretch(link, q, turn);
            for (int32_t k = 0; k < count; k++)
                effort[link->v_at + k] -= link->stiffness * turn[k];
        }
        for (int32_t k = 0; v && k < count; k++)
            effort[link->v_at + k] -= link->damping * v[link->v_at + k];
    }
}
