// SPDX-License-Identifier: Apache-2.0
// body/solid_mass.c - the mass matrix of a soft solid, lumped or consistent

#include "body/solid.h"

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

void lithe_solid_lock(const LitheSolid *solid, double *values) {
    const LitheBlockMatrix *m = solid->pattern;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t entry = m->start[column]; entry < m->start[column + 1]; entry++) {
            const unsigned char *across = solid->held + 3 * (int64_t)column;
            const unsigned char *down = solid->held + 3 * (int64_t)m->row[entry];
            double *block = values + m->value_at[entry];
            if (!(across[0] | across[1] | across[2] | down[0] | down[1] | down[2]))
                continue;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    if (across[j] || down[i])
                        block[3 * j + i] = m->row[entry] == column && i == j;
        }
}
