// SPDX-License-Identifier: Apache-2.0
// body/rod_elastic.c - energy, gradient and Hessian of a whole rod: loops over edges and nodes
//
// Derivatives are collected in edge vectors e and twist angles gamma, then mapped to nodes:
// e_j = x_{j+1} - x_j. Contributions to one edge (stretching, the ee and ff blocks of both joints,
// the S term of rod_frame.h) are summed per edge first and scattered to its two nodes once.

#include "body/rod.h"

#include "law/rod_stretch.h"
#include "math/eigen.h"

#include <string.h>

static Vec3 node_at(const double *q, int32_t node) {
    return v3_load(q + 4 * (int64_t)node);
}

static bool make_edges(const LitheRod *rod, LitheRodWork *work) {
    for (int32_t i = 0; i < rod->edge_count; i++) {
        Vec3 a = node_at(work->q, rod->ends[i][0]), b = node_at(work->q, rod->ends[i][1]);
        if (!lithe_rod_edge(a, b, work->q[4 * i + 3], v3_load(work->t0 + 3 * i),
                            v3_load(work->d1 + 3 * i), &work->edges[i])) {
            work->bad_node = i;
            return false;
        }
    }
    return true;
}

// --- the anchor and the natural state ------------------------------------------------------------

// (H6): the frame of an edge of held twist is carried from the tangent as built straight to the
// present one. Where these are nearly opposite it is carried on from step to step.
static void pin_frames(const LitheRod *rod, LitheRodWork *work) {
    for (int32_t k = 0; k < rod->pin_count; k++) {
        const LitheRodPin *pin = &rod->pins[k];
        double *t0 = work->t0 + 3 * (int64_t)pin->edge;
        Vec3 t = v3_load(t0), d1 = v3_load(work->d1 + 3 * (int64_t)pin->edge);
        if (!lithe_rod_pin_acts(pin, t) || v3_norm(v3_cross(pin->t, t)) == 0)
            continue;
        if (work->d1 != work->anchor_d1)
            memcpy(work->anchor_d1, work->d1, 3 * (size_t)rod->edge_count * sizeof(double));
        work->d1 = work->anchor_d1;
        Vec3 d = lithe_transport(d1, t, pin->t);
        d = v3_unit(v3_axpy(-v3_dot(d, pin->t), pin->t, d));
        v3_store(d, work->anchor_d1 + 3 * (int64_t)pin->edge);
        v3_store(pin->t, t0);
    }
}

// whether the frame of an edge has the tangent of a pin as its anchor
static bool is_at_pin(const LitheRodPin *pin, const LitheRodWork *work) {
    Vec3 t0 = v3_load(work->t0 + 3 * (int64_t)pin->edge);
    return v3_norm(v3_sub(t0, pin->t)) == 0;
}

void lithe_rod_anchor(const LitheRod *rod, const LitheState *state, LitheRodWork *work) {
    work->q0 = work->base = state->q + rod->dof_at;
    work->v0 = state->v + rod->dof_at;
    work->drives0 = state->drives;
    work->commands = state->commands;
    work->pushes = state->pushes + 3 * rod->point_at;
    work->d1 = state->own + rod->d1_at;
    work->tau_ref0 = state->own + rod->tau_at;
    double reach = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        Vec3 a = node_at(work->q0, rod->ends[i][0]), b = node_at(work->q0, rod->ends[i][1]);
        v3_store(v3_unit(v3_sub(b, a)), work->t0 + 3 * i);
        double square = v3_dot(a, a);
        reach = square > reach ? square : reach; // fmax would be a function call
    }
    for (int32_t k = 0; k < rod->corner_count; k++) {
        int32_t e = rod->corners[k].before, f = rod->corners[k].after;
        Vec3 te = v3_load(work->t0 + 3 * e), tf = v3_load(work->t0 + 3 * f);
        Vec3 de = v3_load(work->d1 + 3 * e), df = v3_load(work->d1 + 3 * f);
        work->angle0[rod->corners[k].node] = v3_angle_about(lithe_transport(de, te, tf), df, tf);
    }
    pin_frames(rod, work); // the angles of the present frames stay

    // rounding errors: |x| 2^-53 in a position, EA/l times that in a tension
    double shortest = INFINITY;
    for (int32_t i = 0; i < rod->edge_count; i++)
        shortest = rod->built_length[i] < shortest ? rod->built_length[i] : shortest;
    // and 6 EI/l^3 times that in a bending force, which has the stencil 1 -4 6 -4 1
    double bending = 6 * fmax(rod->EI1, rod->EI2) / (shortest * shortest);
    work->force_scale = 0x1p-52 * (rod->EA + bending) * (1 + sqrt(reach) / shortest);
}

bool lithe_rod_anchor_at(const LitheRod *rod, LitheRodWork *work) {
    if (!make_edges(rod, work))
        return false;
    // reference twist first, while the old anchor is valid; angle0 is read for its own node only
    for (int32_t k = 0; k < rod->corner_count; k++) {
        const LitheRodCorner *c = &rod->corners[k];
        double tau_ref = lithe_rod_tau_ref(work, c->node, c->before, c->after);
        if (isnan(tau_ref))
            return false;
        work->scratch[c->node] = tau_ref;
    }
    for (int32_t k = 0; k < rod->corner_count; k++) {
        const LitheRodCorner *c = &rod->corners[k];
        work->angle0[c->node] =
            lithe_reference_angle(&work->edges[c->before], &work->edges[c->after]);
        work->anchor_tau_ref[c->node] = work->scratch[c->node];
    }
    for (int32_t i = 0, k = 0; i < rod->edge_count; i++) {
        bool stays = k < rod->pin_count && rod->pins[k].edge == i && is_at_pin(&rod->pins[k], work);
        k += k < rod->pin_count && rod->pins[k].edge == i;
        Vec3 d1 = stays ? v3_load(work->d1 + 3 * (int64_t)i) : work->edges[i].d1;
        v3_store(stays ? rod->pins[k - 1].t : work->edges[i].t, work->t0 + 3 * i);
        v3_store(d1, work->anchor_d1 + 3 * i);
    }
    work->d1 = work->anchor_d1;
    work->tau_ref0 = work->anchor_tau_ref;
    return true;
}

// 2 tan(angle/2) is infinite at 180 degrees: half of a natural turning angle must be below this
// [rad]
#define HALF_ANGLE_LIMIT 1.5

bool lithe_rod_natural(const LitheRod *rod, double time, LitheRodWork *work) {
    // rest values per length, plus the natural drives
    for (int32_t i = 0; i < rod->edge_count; i++)
        work->rest_length[i] = rod->built_length[i] * rod->rest_stretch[i];
    for (int32_t i = 0; i < rod->node_count; i++) {
        work->natural[3 * i] = rod->rest_curvature[2 * i];
        work->natural[3 * i + 1] = rod->rest_curvature[2 * i + 1];
        work->natural[3 * i + 2] = rod->rest_twist[i];
    }
    for (int32_t k = 0; k < rod->natural_drive_count; k++) {
        const LitheNaturalDrive *drive = &rod->natural_drives[k];
        double p = lithe_profile_at(&drive->profile, time);
        for (int32_t i = 0; i < rod->edge_count; i++)
            work->rest_length[i] += p * drive->stretch[i] * rod->built_length[i];
        for (int32_t i = 0; i < rod->node_count; i++) {
            work->natural[3 * i] += p * drive->curvature[2 * i];
            work->natural[3 * i + 1] += p * drive->curvature[2 * i + 1];
            work->natural[3 * i + 2] += p * drive->twist[i];
        }
    }

    // per node: Voronoi length, then curvature as 2 tan of half the turning angle
    memset(work->voronoi, 0, (size_t)rod->node_count * sizeof(double));
    for (int32_t i = 0; i < rod->edge_count; i++) {
        work->voronoi[rod->ends[i][0]] += 0.5 * work->rest_length[i];
        work->voronoi[rod->ends[i][1]] += 0.5 * work->rest_length[i];
    }
    for (int32_t i = 0; i < rod->node_count; i++) {
        double *n = work->natural + 3 * i;
        double kappa = hypot(n[0], n[1]);
        double half = 0.5 * kappa * work->voronoi[i];
        double factor = kappa > 0 ? 2 * tan(half) / kappa : 0;
        if (!(work->voronoi[i] > 0) || !(half < HALF_ANGLE_LIMIT)) {
            work->bad_node = i;
            return false;
        }
        n[0] *= factor;
        n[1] *= factor;
        n[2] = n[2] * work->voronoi[i] + rod->rest_offset[i];
    }
    for (int32_t i = 0; i < rod->edge_count; i++) {
        if (!(work->rest_length[i] > 0)) {
            work->bad_node = i;
            return false;
        }
    }
    return true;
}

double lithe_rod_tau_ref(const LitheRodWork *work, int32_t node, int32_t e, int32_t f) {
    double angle = lithe_reference_angle(&work->edges[e], &work->edges[f]);
    double change = angle - work->angle0[node];
    change -= 2 * M_PI * nearbyint(change / (2 * M_PI));
    return fabs(change) < 0.9 * M_PI ? work->tau_ref0[node] + change : NAN;
}

// --- Hessian blocks ------------------------------------------------------------------------------

// adds s m to rows `row`.., columns 0-2 of a panel
static inline void panel_add(double *panel, int row, double s, const Mat3 *m) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            panel[12 * c + row + r] += s * m->m[r][c];
}

static inline void panel_add_transposed(double *panel, int row, double s, const Mat3 *m) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            panel[12 * c + row + r] += s * m->m[c][r];
}

// rows `row`.. of the twist column 3
static inline void panel_add_column(double *panel, int row, double s, Vec3 a) {
    panel[36 + row] += s * a.x;
    panel[36 + row + 1] += s * a.y;
    panel[36 + row + 2] += s * a.z;
}

// the twist row `row`, columns 0-2
static inline void panel_add_row(double *panel, int row, double s, Vec3 a) {
    panel[row] += s * a.x;
    panel[12 + row] += s * a.y;
    panel[24 + row] += s * a.z;
}

// the part of a joint that couples its two edges or a twist; (p, i) are the panels of the node
// before and of the node itself
static void scatter_joint(const LitheJoint *joint, double s, double *p, double *i) {
    panel_add_transposed(p, 4, s, &joint->ef);  // (x_i, x_{i-1})
    panel_add_transposed(p, 8, -s, &joint->ef); // (x_{i+1}, x_{i-1})
    panel_add(i, 0, -s, &joint->ef);            // (x_i, x_i)
    panel_add_transposed(i, 0, -s, &joint->ef);
    panel_add_transposed(i, 4, s, &joint->ef); // (x_{i+1}, x_i)

    panel_add_row(p, 3, -s, joint->ege); // (gamma_e, x_{i-1})
    panel_add_column(p, 4, s, v3_sub(joint->ege, joint->fge));
    panel_add_column(p, 8, s, joint->fge);
    p[39] += s * joint->gege;
    p[43] += s * joint->gegf;

    panel_add_row(p, 7, -s, joint->egf); // (gamma_f, x_{i-1})
    panel_add_row(i, 3, s, v3_sub(joint->egf, joint->fgf));
    panel_add_column(i, 4, s, joint->fgf);
    i[39] += s * joint->gfgf;
}

// (x_j, x_j), (x_{j+1}, x_j), (x_{j+1}, x_{j+1}) of a block that acts on one edge
static void scatter_edge(const Mat3 *m, double s, double *j, double *next) {
    panel_add(j, 0, s, m);
    panel_add(j, 4, -s, m);
    panel_add(next, 0, s, m);
}

// makes the 8x8 of a joint, with its fraction of the S terms, positive semidefinite
static void project_joint(LitheJoint *joint, const LitheRodEdge *e, const LitheRodEdge *f) {
    Mat3 ee = m3_axpy(joint->gge, lithe_edge_S(e), joint->ee);
    Mat3 ff = m3_axpy(joint->ggf, lithe_edge_S(f), joint->ff);
    double H[64], scratch[LITHE_PROJECT_WORK(8)];
    const double ege[3] = {joint->ege.x, joint->ege.y, joint->ege.z};
    const double egf[3] = {joint->egf.x, joint->egf.y, joint->egf.z};
    const double fge[3] = {joint->fge.x, joint->fge.y, joint->fge.z};
    const double fgf[3] = {joint->fgf.x, joint->fgf.y, joint->fgf.z};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            H[8 * r + c] = ee.m[r][c];
            H[8 * (4 + r) + 4 + c] = ff.m[r][c];
            H[8 * r + 4 + c] = H[8 * (4 + c) + r] = joint->ef.m[r][c];
        }
        H[8 * r + 3] = H[8 * 3 + r] = ege[r];
        H[8 * r + 7] = H[8 * 7 + r] = egf[r];
        H[8 * (4 + r) + 3] = H[8 * 3 + 4 + r] = fge[r];
        H[8 * (4 + r) + 7] = H[8 * 7 + 4 + r] = fgf[r];
    }
    H[8 * 3 + 3] = joint->gege;
    H[8 * 7 + 7] = joint->gfgf;
    H[8 * 3 + 7] = H[8 * 7 + 3] = joint->gegf;
    lithe_project_psd(8, H, scratch);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            joint->ee.m[r][c] = H[8 * r + c];
            joint->ff.m[r][c] = H[8 * (4 + r) + 4 + c];
            joint->ef.m[r][c] = H[8 * r + 4 + c];
        }
    joint->ege = v3(H[3], H[11], H[19]);
    joint->egf = v3(H[7], H[15], H[23]);
    joint->fge = v3(H[35], H[43], H[51]);
    joint->fgf = v3(H[39], H[47], H[55]);
    joint->gege = H[27];
    joint->gegf = H[31];
    joint->gfgf = H[63];
}

// --- the loops -----------------------------------------------------------------------------------

// stretching of every edge, and the S term from edge_S, which the joints filled
static double add_edges(const LitheRod *rod, LitheRodWork *work, double scale,
                        LitheHessianPart part, bool project) {
    double energy = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        const LitheRodEdge *edge = &work->edges[i];
        int32_t start = rod->ends[i][0], next = rod->ends[i][1];
        LitheStretch stretch = lithe_rod_stretch(edge, rod->EA, work->rest_length[i]);
        energy += stretch.energy;
        for (int c = 0; c < 3; c++) {
            double pull = stretch.tension * (&edge->t.x)[c];
            work->gradient[4 * start + c] -= pull;
            work->gradient[4 * next + c] += pull;
        }
        if (part == LITHE_HESSIAN_NONE)
            continue;
        double across = part == LITHE_HESSIAN_GAUSS_NEWTON ? 0 : stretch.across;
        if (project)
            across = fmax(across, 0);
        Mat3 m = m3_outer(v3_scale(stretch.along - across, edge->t), edge->t);
        for (int c = 0; c < 3; c++)
            m.m[c][c] += across;
        if (part == LITHE_HESSIAN_FULL && !project)
            m = m3_axpy(work->edge_S[i], lithe_edge_S(edge), m);
        scatter_edge(&m, scale, work->matrix.panel + 48 * (int64_t)start,
                     work->matrix.panel + 48 * (int64_t)next);
    }
    return energy;
}

static inline void gradient_add(double *gradient, int32_t node, double s, Vec3 g) {
    gradient[4 * node] += s * g.x;
    gradient[4 * node + 1] += s * g.y;
    gradient[4 * node + 2] += s * g.z;
}

// bending and twisting of every joint; INFINITY outside the domain
static double add_joints(const LitheRod *rod, LitheRodWork *work, double scale,
                         LitheHessianPart part, bool project) {
    double energy = 0;
    double *panel = work->matrix.panel, *gradient = work->gradient;
    LitheJoint joint;
    for (int32_t k = 0; k < rod->corner_count; k++) {
        int32_t i = rod->corners[k].node, before = rod->corners[k].before;
        int32_t after = rod->corners[k].after, p = rod->ends[before][0], next = rod->ends[after][1];
        const LitheRodEdge *e = &work->edges[before], *f = &work->edges[after];
        double il = 1 / (work->voronoi[i] + lithe_rod_shift_at(rod, work->rest_length, i));
        const double *n = work->natural + 3 * i;
        LitheJointSetting setting = {rod->EI1 * il, rod->EI2 * il, rod->GJ * il, n[0], n[1], n[2]};
        double tau =
            work->q[4 * i + 3] - work->q[4 * p + 3] + lithe_rod_tau_ref(work, i, before, after);
        if (isnan(tau) || !lithe_rod_joint(e, f, tau, &setting, part, &joint)) {
            work->bad_node = i;
            return INFINITY;
        }
        energy += joint.energy;
        gradient_add(gradient, p, -1, joint.ge);
        gradient_add(gradient, i, 1, v3_sub(joint.ge, joint.gf));
        gradient_add(gradient, next, 1, joint.gf);
        gradient[4 * p + 3] += joint.gge;
        gradient[4 * i + 3] += joint.ggf;
        if (part == LITHE_HESSIAN_NONE)
            continue;
        work->edge_S[before] += joint.gge;
        work->edge_S[after] += joint.ggf;
        if (project)
            project_joint(&joint, e, f);
        double *pp = panel + 48 * (int64_t)p, *pi = panel + 48 * (int64_t)i;
        scatter_joint(&joint, scale, pp, pi);
        scatter_edge(&joint.ee, scale, pp, pi);
        scatter_edge(&joint.ff, scale, pi, panel + 48 * (int64_t)next);
    }
    return energy;
}

double lithe_rod_elastic(const LitheRod *rod, LitheRodWork *work, double scale,
                         LitheHessianPart part, bool project) {
    if (!make_edges(rod, work))
        return INFINITY;
    memset(work->gradient, 0, 4 * (size_t)rod->node_count * sizeof(double));
    memset(work->edge_S, 0, (size_t)rod->edge_count * sizeof(double));
    double energy = add_joints(rod, work, scale, part, project);
    if (energy == INFINITY)
        return INFINITY;
    return energy + add_edges(rod, work, scale, part, project);
}

// --- rotating edges ------------------------------------------------------------------------------

static Vec3 gyro_force(const LitheRod *rod, const double *q, const double *v, int32_t i) {
    int32_t j = rod->ends[i][1];
    double spin = rod->mass[4 * i + 3] * v[4 * i + 3]; // angular momentum about the axis
    if (spin == 0)
        return v3(0, 0, 0);
    Vec3 e = v3_sub(node_at(q, j), node_at(q, i)), rate = v3_sub(node_at(v, j), node_at(v, i));
    double length2 = v3_dot(e, e);
    return v3_scale(spin / (length2 * sqrt(length2)), v3_cross(e, rate));
}

// An edge that rotates about its axis with the angular velocity w has the angular momentum J w t.
// When its tangent t turns, the reaction to the change of this momentum acts on its nodes. (G1) is
// a couple of forces with this moment; it does no work:
//     (G1)  f_e = J w t x de/dt / |e|^2   on the end of the edge, -f_e on its start
// Without it a free rod that rotates about its axis does not conserve angular momentum.
void lithe_rod_gyro(const LitheRod *rod, LitheRodWork *work, const double *q, const double *v) {
    double *out = work->gyro, last[3] = {0, 0, 0};
    bool did = work->turns;
    work->turns = false;
    for (int32_t i = 0; v && i < rod->edge_count; i++)
        work->turns = work->turns || v[4 * i + 3] != 0;
    if (!work->turns) {
        if (did)
            memset(out, 0, 4 * (size_t)rod->node_count * sizeof(double));
        return;
    }
    if (rod->closed)
        v3_store(gyro_force(rod, q, v, rod->edge_count - 1), last);
    for (int32_t i = 0; i < rod->node_count; i++) {
        Vec3 f = i < rod->edge_count ? gyro_force(rod, q, v, i) : v3(0, 0, 0);
        for (int c = 0; c < 3; c++) {
            out[4 * i + c] = last[c] - (&f.x)[c];
            last[c] = (&f.x)[c];
        }
    }
}
