// SPDX-License-Identifier: Apache-2.0
// assemble/coupling.c - one coupling: rows that measure the motion of points, and their Jacobians
//
// A row measures a.v + b.omega of a point. On a segment with centreline point c at s, r = point - c
// and m = r x a + b, its Jacobian is (V20)
//     x0: (1 - s) a - (m x t)/|e|,   x1: s a + (m x t)/|e|,   gamma: m . t
// Until the system is numbered the nodes of couplings are counted through all units of the model.

#include "assemble/assemble.h"

#include "base/memory.h"
#include "body/tree.h"
#include "body/tree_body.h"
#include "body/unit.h"

#include <math.h>
#include <string.h>

// --- adding --------------------------------------------------------------------------------------

void lithe_coupling_set(LitheCoupling *c, LitheCouplingSource source, int32_t index, int32_t rows,
                        const Vec3 *linear, const Vec3 *angular) {
    memset(c, 0, sizeof *c);
    c->source = source;
    c->index = index;
    c->term.rows = rows;
    for (int32_t i = 0; i < rows; i++) {
        c->linear[i] = linear ? linear[i] : v3(0, 0, 0);
        c->angular[i] = angular ? angular[i] : v3(0, 0, 0);
    }
}

LitheCoupling *lithe_coupling_add(LitheSystem *system, LitheCouplingSource source, int32_t index,
                                  int32_t rows, const Vec3 *linear, const Vec3 *angular) {
    if (!LITHE_RESERVE(system->context, system->couplings, system->coupling_capacity,
                       system->coupling_count + 1))
        return NULL;
    LitheCoupling *c = &system->couplings[system->coupling_count++];
    lithe_coupling_set(c, source, index, rows, linear, angular);
    return c;
}

// room for the blocks of `dofs` more
static bool make_room(LitheSystem *system, int32_t dofs) {
    int32_t rows = system->couplings[system->coupling_count - 1].term.rows;
    int32_t end = system->jacobian_count + rows * dofs;
    return LITHE_RESERVE(system->context, system->jacobian, system->jacobian_capacity, end) &&
           LITHE_RESERVE(system->context, system->jacobian_held, system->jacobian_held_capacity,
                         end);
}

// the blocks of a node in a coupling, zero when new; there is room for them at *end
static double *block_of(const LitheSystem *system, LitheCoupling *c, int32_t *end, int32_t node,
                        int32_t size, double **held) {
    int32_t k = 0;
    while (k < c->node_count && c->node[k] != node)
        k++;
    if (k == c->node_count) {
        int32_t count = size * c->term.rows;
        memset(system->jacobian + *end, 0, (size_t)count * sizeof(double));
        memset(system->jacobian_held + *end, 0, (size_t)count * sizeof(double));
        c->node[k] = node;
        c->jacobian_at[k] = *end;
        *end += count;
        c->node_count++;
    }
    *held = system->jacobian_held + c->jacobian_at[k];
    return system->jacobian + c->jacobian_at[k];
}

// one entry; that of a held DoF goes into the bias
static void add_entry(LitheCoupling *c, const LitheUnitWork *body, int64_t dof, int32_t row,
                      int64_t at, double value, double *J, double *J_held) {
    if (!body->held[dof]) {
        J[at] += value;
        return;
    }
    J_held[at] += value;
    c->bias[row] += value * body->w[dof];
}

void lithe_coupling_rod_side(const LitheAssembly *all, const LitheSystem *system,
                             const LitheSite *site, double sign, LitheCoupling *c, int32_t *end) {
    const LitheRod *rod = &all->model->rods[site->unit];
    const LitheUnitWork *body = &all->work->units[site->unit];
    int32_t i = site->element, j = i + 1 < rod->node_count ? i + 1 : 0, rows = c->term.rows;
    const double *q = all->state->q + rod->dof_at;
    Vec3 a0 = v3_load(q + 4 * i), e = v3_sub(v3_load(q + 4 * j), a0);
    double length = v3_norm(e);
    Vec3 t = v3_scale(1 / length, e), r = v3_sub(site->point, v3_axpy(site->s[0], e, a0));
    int32_t first = all->model->units[site->unit].node_at;
    double *held[2], *J[2];
    int32_t node[2] = {i, j};
    for (int k = 0; k < 2; k++)
        J[k] = block_of(system, c, end, first + node[k], 4, &held[k]);
    for (int32_t row = 0; row < rows; row++) {
        Vec3 a = v3_scale(sign, c->linear[row]), b = v3_scale(sign, c->angular[row]);
        Vec3 m = v3_add(v3_cross(r, a), b), turn = v3_scale(1 / length, v3_cross(m, t));
        Vec3 x[2] = {v3_axpy(-1, turn, v3_scale(1 - site->s[0], a)),
                     v3_add(v3_scale(site->s[0], a), turn)};
        for (int k = 0; k < 2; k++) {
            double entry[4] = {x[k].x, x[k].y, x[k].z, k == 0 ? v3_dot(m, t) : 0};
            for (int d = 0; d < 4; d++)
                add_entry(c, body, 4 * node[k] + d, row, 4 * row + d, entry[d], J[k], held[k]);
        }
    }
}

// Where a point of a link is when its rows are measured: the midpoint rule measures in the middle,
// else what swings gains energy in every step.
static Vec3 carried(const LitheAssembly *all, int32_t tree, const LitheSite *site) {
    const LitheTreeWork *work = lithe_tree_work(all->work, all->model->trees[tree].unit);
    if (!work->middle)
        return site->point;
    Pose start = lithe_link_place_ahead(all->model, all->state, tree, site->element, 0);
    Pose middle = work->step.tree.links[site->element].pose;
    return pose_point(middle, pose_point(pose_inverse(start), site->point));
}

static bool add_link(const LitheAssembly *all, LitheSystem *system, const LitheSite *site,
                     double sign) {
    int32_t index = all->model->units[site->unit].index;
    const LitheRigidTree *rigid = &all->model->trees[index].rigid;
    LitheTreeWork *work = lithe_tree_work(all->work, site->unit);
    const LitheUnitWork *body = &all->work->units[site->unit];
    LitheCoupling *c = &system->couplings[system->coupling_count - 1];
    int32_t n = rigid->v_count;
    if (n == 0) // welded to the world: it moves no more than that
        return true;
    if (!make_room(system, n))
        return false;
    double *held, *J = block_of(system, c, &system->jacobian_count,
                                all->model->units[site->unit].node_at, n, &held);
    double *linear = work->ik.linear, *angular = work->ik.angular;
    lithe_rigid_point_jacobian(rigid, &work->step.tree, site->element, carried(all, index, site),
                               linear, angular);
    for (int32_t row = 0; row < c->term.rows; row++) {
        double a[3], b[3];
        v3_store(v3_scale(sign, c->linear[row]), a);
        v3_store(v3_scale(sign, c->angular[row]), b);
        for (int32_t k = 0; k < n; k++) {
            double value = 0;
            for (int d = 0; d < 3; d++)
                value += a[d] * linear[d * n + k] + b[d] * angular[d * n + k];
            if (value != 0)
                add_entry(c, body, k, row, (int64_t)n * row + k, value, J, held);
        }
    }
    return true;
}

bool lithe_coupling_side(const LitheAssembly *all, LitheSystem *system, const LitheSite *site,
                         double sign) {
    if (site->unit < 0)
        return true;
    if (site->unit >= all->model->rod_count)
        return add_link(all, system, site, sign);
    if (!make_room(system, 8))
        return false;
    lithe_coupling_rod_side(all, system, site, sign, &system->couplings[system->coupling_count - 1],
                            &system->jacobian_count);
    return true;
}

bool lithe_coupling_dof(const LitheAssembly *all, LitheSystem *system, int32_t unit, int32_t dof,
                        int32_t row, double sign) {
    int32_t n = all->model->units[unit].node_size;
    LitheCoupling *c = &system->couplings[system->coupling_count - 1];
    if (!make_room(system, n))
        return false;
    double *held, *J = block_of(system, c, &system->jacobian_count, all->model->units[unit].node_at,
                                n, &held);
    add_entry(c, &all->work->units[unit], dof, row, (int64_t)n * row + dof, sign, J, held);
    return true;
}

// --- reading -------------------------------------------------------------------------------------

double lithe_coupling_scale(const LitheSystem *system, const LitheCoupling *c, int32_t first,
                            int32_t count) {
    double sum = 0;
    for (int32_t i = first; i < first + count; i++)
        for (int32_t j = first; j < first + count; j++) {
            double entry = 0;
            for (int32_t k = 0; k < c->node_count; k++) {
                int32_t size = system->node_size[c->node[k]];
                const double *J = system->jacobian + c->jacobian_at[k];
                const double *scale = system->scale + system->node_at[c->node[k]];
                for (int32_t d = 0; d < size; d++)
                    entry += J[size * i + d] * scale[d] * scale[d] * J[size * j + d];
            }
            sum += entry * entry;
        }
    return sqrt(sum / count);
}

double lithe_coupling_speed(const LitheAssembly *all, const LitheSystem *system,
                            const LitheCoupling *c, int32_t row) {
    double speed = 0;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k] + size * row;
        const double *H = system->jacobian_held + c->jacobian_at[k] + size * row;
        const double *v = all->state->v + system->state_at[c->node[k]];
        for (int32_t d = 0; d < size; d++)
            speed += (J[d] + H[d]) * v[d];
    }
    return speed;
}

double lithe_coupling_motion(const LitheAssembly *all, const LitheSystem *system,
                             const LitheCoupling *c, int32_t rows) {
    double largest = 0;
    for (int32_t row = 0; row < rows; row++) {
        double motion = 0;
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t size = system->node_size[c->node[k]];
            const double *J = system->jacobian + c->jacobian_at[k] + size * row;
            const double *H = system->jacobian_held + c->jacobian_at[k] + size * row;
            const double *v = all->state->v + system->state_at[c->node[k]];
            for (int32_t d = 0; d < size; d++)
                motion += fabs((J[d] + H[d]) * v[d]);
        }
        largest = fmax(largest, motion);
    }
    return largest;
}
