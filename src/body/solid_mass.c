// SPDX-License-Identifier: Apache-2.0
// body/solid_mass.c - the mass matrix of a soft solid, lumped or consistent

#include "body/solid.h"

#include <string.h>

double lithe_solid_overlap(int32_t width, int a, int b) {
    if (width == 4)
        return a == b ? 1.0 / 10 : 1.0 / 20;
    if (a < 4 && b < 4)
        return a == b ? 6.0 / 420 : 1.0 / 420;
    if (a < 4 || b < 4) {
        int corner = a < b ? a : b, edge = (a < b ? b : a) - 4;
        bool on = lithe_tet_edges[edge][0] == corner || lithe_tet_edges[edge][1] == corner;
        return on ? -4.0 / 420 : -6.0 / 420;
    }
    const int8_t *x = lithe_tet_edges[a - 4], *y = lithe_tet_edges[b - 4];
    bool meet = x[0] == y[0] || x[0] == y[1] || x[1] == y[0] || x[1] == y[1];
    return a == b ? 32.0 / 420 : meet ? 16.0 / 420 : 8.0 / 420;
}

void lithe_solid_mass_times(const LitheSolid *solid, const double *x, double *y) {
    if (solid->mass_values) {
        lithe_block_multiply(solid->pattern, solid->mass_values, x, y);
        return;
    }
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++)
        y[k] = solid->mass[k / 3] * x[k];
}

void lithe_solid_mass_solve(const LitheSolid *solid, const LitheSolidWork *work, double *x) {
    int64_t dofs = 3 * (int64_t)solid->mesh.node_count;
    for (int64_t k = 0; k < dofs; k++)
        x[k] = solid->held[k] ? 0 : solid->mass_values ? x[k] : x[k] / solid->mass[k / 3];
    if (solid->mass_values)
        lithe_block_solve(work->mass_factor, x);
}

// a mass that couples node a with node b; once for both orders
static void add_pair(double m, Vec3 gravity, const double *q, const double *v, int64_t a, int64_t b,
                     LitheUnitTotals *sum) {
    Vec3 xa = v3_load(q + 3 * a), xb = v3_load(q + 3 * b);
    Vec3 va = v3_load(v + 3 * a), vb = v3_load(v + 3 * b);
    double part = a == b ? 0.5 * m : m;
    sum->kinetic += part * v3_dot(va, vb);
    sum->gravity -= part * v3_dot(gravity, v3_add(xa, xb));
    sum->momentum = v3_axpy(part, v3_add(va, vb), sum->momentum);
    sum->angular = v3_axpy(part, v3_add(v3_cross(xa, vb), v3_cross(xb, va)), sum->angular);
}

void lithe_solid_momenta(const LitheSolid *solid, Vec3 gravity, const double *q, const double *v,
                         LitheUnitTotals *sum) {
    const LitheBlockMatrix *m = solid->pattern;
    for (int32_t i = 0; !solid->mass_values && i < m->count; i++)
        add_pair(solid->mass[i], gravity, q, v, i, i, sum);
    for (int32_t i = 0; solid->mass_values && i < m->count; i++)
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++)
            add_pair(solid->mass_values[m->value_at[k]], gravity, q, v, m->row[k], i, sum);
}

// whether DoFs of a node that are held are locked: those of riders only on request
static bool locks(const LitheSolid *solid, int32_t node, bool riders) {
    return riders || !solid->rider_of || solid->rider_of[node] < 0;
}

void lithe_solid_lock(const LitheSolid *solid, bool riders, LitheBlockMatrix *m) {
    static const unsigned char none[3] = {0};
    for (int32_t k = 0; k < m->rank_count; k++)
        for (int32_t i = 0; i < 3 * m->count; i++)
            if (solid->held[i] && locks(solid, i / 3, riders))
                m->rank[(int64_t)k * 3 * m->count + i] = 0;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t entry = m->start[column]; entry < m->start[column + 1]; entry++) {
            const unsigned char *across = solid->held + 3 * (int64_t)column;
            const unsigned char *down = solid->held + 3 * (int64_t)m->row[entry];
            double *block = m->value + m->value_at[entry];
            across = locks(solid, column, riders) ? across : none;
            down = locks(solid, m->row[entry], riders) ? down : none;
            if (!(across[0] | across[1] | across[2] | down[0] | down[1] | down[2]))
                continue;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    if (across[j] || down[i])
                        block[3 * j + i] = m->row[entry] == column && i == j;
        }
}

// --- rigid motion --------------------------------------------------------------------------------

// The rigid motion with the momenta of a solid: velocity of the centre of mass, angular velocity.
typedef struct Rigid {
    double mass;
    Vec3 centre, velocity, turning;
} Rigid;

// riders have no mass and move with their body: the other nodes are free
static bool is_free(const LitheSolid *solid) {
    const unsigned char *held = solid->fixed ? solid->fixed : solid->held;
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++)
        if (held[k])
            return false;
    return true;
}

static Vec3 turned(Vec3 turning, const double *q, Vec3 centre) {
    return v3_cross(turning, v3_sub(v3_load(q), centre));
}

// sum of r x (M u), r from the centre
static Vec3 angular_of(const LitheSolid *solid, const double *q, Vec3 centre, const double *u,
                       double *momentum) {
    Vec3 sum = v3(0, 0, 0);
    lithe_solid_mass_times(solid, u, momentum);
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        sum = v3_add(sum, v3_cross(v3_sub(v3_load(q + 3 * i), centre), v3_load(momentum + 3 * i)));
    return sum;
}

static Rigid translation_of(const LitheSolid *solid, const double *q, const double *v,
                            LitheSolidWork *work) {
    Rigid rigid = {0};
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++)
        work->change[k] = 1;
    lithe_solid_mass_times(solid, work->change, work->momentum);
    for (int64_t i = 0; i < solid->mesh.node_count; i++) {
        double m = work->momentum[3 * i];
        rigid.mass += m;
        rigid.centre = v3_axpy(m, v3_load(q + 3 * i), rigid.centre);
        rigid.velocity = v3_axpy(m, v3_load(v + 3 * i), rigid.velocity);
    }
    rigid.centre = v3_scale(1 / rigid.mass, rigid.centre);
    rigid.velocity = v3_scale(1 / rigid.mass, rigid.velocity);
    return rigid;
}

static Rigid rigid_of(const LitheSolid *solid, const double *q, const double *v,
                      LitheSolidWork *work) {
    static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Rigid rigid = translation_of(solid, q, v, work);
    int64_t count = solid->mesh.node_count;
    Mat3 inertia;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = 0; i < count; i++)
            v3_store(turned(axis[a], q + 3 * i, rigid.centre), work->change + 3 * i);
        Vec3 column = angular_of(solid, q, rigid.centre, work->change, work->momentum);
        for (int b = 0; b < 3; b++)
            inertia.m[b][a] = (&column.x)[b];
    }
    for (int64_t i = 0; i < count; i++)
        v3_store(v3_sub(v3_load(v + 3 * i), rigid.velocity), work->change + 3 * i);
    Vec3 angular = angular_of(solid, q, rigid.centre, work->change, work->momentum);
    rigid.turning = m3_solve(inertia, angular);
    return rigid;
}

double lithe_solid_calm(const LitheModel *model, int32_t unit, LitheWork *all, double factor,
                        LitheState *state) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    LitheSolidWork *work = lithe_solid_work(all, unit);
    const double *q = state->q + model->units[unit].q_at;
    double *v = state->v + model->units[unit].v_at, energy = 0;
    Rigid rigid = {0};
    if (is_free(solid))
        rigid = rigid_of(solid, q, v, work);
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++) {
        Vec3 u = v3_add(rigid.velocity, turned(rigid.turning, q + k / 3 * 3, rigid.centre));
        double still = (&u.x)[k % 3];
        work->change[k] = solid->held[k] ? 0 : factor * (v[k] - still);
        if (factor != 1 && !solid->held[k])
            v[k] = still + work->change[k];
    }
    lithe_solid_mass_times(solid, work->change, work->momentum);
    for (int64_t k = 0; k < 3 * (int64_t)solid->mesh.node_count; k++)
        energy += 0.5 * work->change[k] * work->momentum[k];
    return energy;
}

double lithe_solid_drift(const LitheModel *model, int32_t unit, const LitheState *state,
                         LitheWork *all, double *v) {
    const LitheSolid *solid = lithe_solid_of(model, unit);
    memset(v, 0, (size_t)model->units[unit].v_count * sizeof(double));
    if (!is_free(solid))
        return 0;
    Rigid rigid = translation_of(solid, state->q + model->units[unit].q_at,
                                 state->v + model->units[unit].v_at, lithe_solid_work(all, unit));
    for (int64_t i = 0; i < solid->mesh.node_count; i++)
        v3_store(rigid.velocity, v + 3 * i);
    return 0.5 * rigid.mass * v3_dot(rigid.velocity, rigid.velocity);
}
