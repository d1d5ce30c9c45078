// SPDX-License-Identifier: Apache-2.0
// body/tree_section.c - the mass of the centre lines of sections in an articulated tree
//
// A point of the line moves with v = v_b + omega x p + p', p' = J l', in the axes of the base, at
// the fraction xi of the section that its mass dm = m dxi is at:
//     (X7)  acceleration a = a_b + alpha x p + omega x (omega x p) + 2 omega x p' + J' l' + J l''
//     (X8)  M = sum of dm J_c' J_d over all DoFs c, d that move the point
//     (X9)  effort of chamber k = sum of dm J_k a,  force on the base = sum of dm a
//     (X10) dT/dl_k = sum of dm v (omega x J_k + J_k')

#include "body/tree_section.h"

#include "body/section_sums.h"
#include "law/joint.h"
#include "law/pcc.h"

_Static_assert(LITHE_SECTION_NODES == (int)LITHE_PCC_NODES, "sections sum over nodes of Gauss");

static Vec3 sum_of(const Vec3 *columns, const double *factors) {
    return v3_axpy(factors[0], columns[0],
                   v3_axpy(factors[1], columns[1], v3_scale(factors[2], columns[2])));
}

static Vec3 vector_at(const double (*x)[LITHE_SECTION_NODES], int n) {
    return v3(x[0][n], x[1][n], x[2][n]);
}

// of point n, without f_3
static LithePccFunctions functions_at(const LitheSectionWork *section, int n) {
    const LitheSectionFunctions *f = &section->f;
    return (LithePccFunctions){
        .s = f->s[n], .c = f->c[n], .s1 = f->s1[n], .c1 = f->c1[n], .s2 = f->s2[n], .c2 = f->c2[n]};
}

// a momentum or force about the base, in its axes, to the tree's
static Spatial carry(const LitheSectionWork *section, Vec3 ang, Vec3 lin) {
    Vec3 out = q4_rotate(section->base.rotation, lin);
    Vec3 turn = q4_rotate(section->base.rotation, ang);
    return (Spatial){v3_add(turn, v3_cross(section->origin, out)), out};
}

// angular part and velocity of the origin of the base, in its axes
static Spatial bring(const LitheSectionWork *section, Spatial motion) {
    Quat back = q4_conj(section->base.rotation);
    Vec3 lin = v3_add(motion.lin, v3_cross(motion.ang, section->origin));
    return (Spatial){q4_rotate(back, motion.ang), q4_rotate(back, lin)};
}

void lithe_section_place(const LitheRigidLink *link, Pose base, Vec3 reference, const double *q,
                         LitheSectionWork *section) {
    const LitheSectionSums *sums = lithe_section_sums();
    LitheSectionMoments m;
    double mass = link->line_mass;
    section->base = base;
    section->origin = v3_sub(base.at, reference);
    lithe_pcc_shape(&link->shape, q, section->y);
    sums->place(link, section);
    sums->moments(section, &m);
    for (int k = 0; k < 3; k++) {
        section->carried[k] = carry(section, v3_load(m.ang[k]), v3_load(m.lin[k]));
        for (int j = 0; j < 3; j++)
            section->own[k][j] = m.own[j <= k ? k : j][j <= k ? j : k];
    }
    // inertia about the centre of mass, then about the reference
    Vec3 centre = v3_scale(1 / mass, v3_load(m.moment));
    Mat3 second;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            second.m[i][j] = m.second[j <= i ? i : j][j <= i ? j : i];
    second = m3_axpy(-mass, m3_outer(centre, centre), second);
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    Mat3 r = q4_matrix(base.rotation);
    Mat3 about = m3_sub(m3_diag(trace, trace, trace), second);
    about = m3_mul(m3_mul(r, about), m3_transpose(r));
    section->frozen =
        spi_of(mass, v3_add(section->origin, q4_rotate(base.rotation, centre)), about);
}

void lithe_section_move(const LitheRigidLink *link, const double *v, LitheSectionWork *section) {
    for (int k = 0; k < 3; k++)
        section->rate[k] = v[k];
    lithe_pcc_shape_rate(&link->shape, v, section->y_rate);
    lithe_section_sums()->bias(section);
}

void lithe_section_add_mass(const LitheRigidTree *tree, const LitheRigidWork *work,
                            const LitheSectionWork *section, double *mass) {
    const LitheRigidLink *link = &tree->links[section->link];
    ptrdiff_t n = tree->v_count;
    for (int32_t k = 0; k < 3; k++) {
        int32_t row = link->v_at + k;
        for (int32_t j = 0; j < 3; j++)
            mass[n * row + link->v_at + j] += section->own[k][j];
        for (int32_t up = link->parent; up >= 0; up = tree->links[up].parent) {
            const LitheRigidLink *other = &tree->links[up];
            for (int32_t j = 0; j < lithe_joint_v_count(other->kind); j++) {
                double entry = sp_dot(work->columns[other->column_at + j], section->carried[k]);
                mass[n * row + other->v_at + j] += entry;
                mass[n * (other->v_at + j) + row] += entry;
            }
        }
    }
}

Spatial lithe_section_force(const LitheSectionWork *section, Spatial velocity, Spatial acceleration,
                            const double *a, double *effort) {
    Spatial v = bring(section, velocity), rise = bring(section, acceleration);
    LitheSectionMotion motion = {v.ang, rise.ang, v3_add(rise.lin, v3_cross(v.ang, v.lin))};
    Vec3 force, torque;
    lithe_section_sums()->force(section, &motion, a, &force, &torque, effort);
    return carry(section, torque, force);
}

Spatial lithe_section_flow(const LitheSectionWork *section, Spatial velocity, double *energy) {
    Spatial own = sp_zero();
    double twice = 0;
    for (int k = 0; k < 3; k++) {
        own = sp_axpy(section->rate[k], section->carried[k], own);
        for (int j = 0; j < 3; j++)
            twice += section->rate[k] * section->own[k][j] * section->rate[j];
    }
    Spatial frozen = spi_apply(section->frozen, velocity);
    if (energy)
        *energy = 0.5 * (twice + sp_dot(velocity, frozen)) + sp_dot(velocity, own);
    return sp_add(frozen, own);
}

Spatial lithe_section_momentum(const LitheRigidLink *link, const LitheSectionWork *section,
                               Spatial velocity, Vec3 gravity, double *p, double *force) {
    Spatial v = bring(section, velocity);
    for (int k = 0; k < 3; k++) {
        p[k] += sp_dot(section->carried[k], velocity);
        for (int j = 0; j < 3; j++)
            p[k] += section->own[k][j] * section->rate[j];
        force[k] += v3_dot(section->carried[k].lin, gravity);
    }
    for (int n = 0; n < LITHE_SECTION_NODES; n++) {
        LithePccPoint at;
        Vec3 rates[3], slope[3], point = vector_at(section->points, n);
        LithePccFunctions f = functions_at(section, n);
        for (int k = 0; k < 3; k++)
            slope[k] = vector_at(section->slopes[k], n);
        lithe_pcc_point(section->y, section->y_rate, lithe_pcc_nodes[n], &f, &at, rates);
        lithe_pcc_chambers(&link->shape, 3, 3, &rates[0].x);
        Vec3 flow = v3_add(v.lin, v3_cross(v.ang, point));
        flow = v3_scale(section->masses[n], v3_add(flow, sum_of(slope, section->rate)));
        for (int k = 0; k < 3; k++) // (X10)
            force[k] += v3_dot(flow, v3_add(v3_cross(v.ang, slope[k]), rates[k]));
    }
    return lithe_section_flow(section, velocity, NULL);
}

LitheSectionShape lithe_section_impossible(const LitheModel *model, const LitheState *state) {
    for (int32_t i = 0; i < model->joint_count; i++) {
        const LitheTree *tree = &model->trees[model->joints[i].tree];
        const LitheRigidLink *link = &tree->rigid.links[model->joints[i].link];
        if (link->kind != LITHE_JOINT_SECTION)
            continue;
        double y[3];
        lithe_pcc_shape(&link->shape, state->q + tree->q_at + link->q_at, y);
        double bend = hypot(y[1], y[2]), radius = link->shape.radius;
        if (y[0] <= radius * bend || bend > 2 * M_PI)
            return (LitheSectionShape){model->joints[i].name, y[0], bend, radius};
    }
    return (LitheSectionShape){0};
}
