// SPDX-License-Identifier: Apache-2.0
// solve/convex_rounding.c - the part of a gradient that rounding explains

#include "solve/convex.h"
#include "solve/lanes.h"
#include "solve/loop_kernels.h"
#include "solve/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

// relative error of a sum of a few terms
#define ROUNDINGS (8 * DBL_EPSILON)

// out += |J'| |G| |J| x of one coupling, plus rounding of its impulse
static void blur(const LitheSystem *system, const LitheCoupling *c, const double *x, double *out) {
    int32_t rows = c->term.rows;
    double v[LITHE_COUPLED_ROWS]; // rounding errors of the velocities of the rows
    const double *G = lithe_hessian_of(system, c);
    for (int32_t i = 0; i < rows; i++)
        v[i] = ROUNDINGS * fabs(c->bias[i]);
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]], at = system->node_at[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k];
        for (int32_t i = 0; i < rows; i++, J += size)
            for (int32_t j = 0; j < size; j++)
                v[i] += fabs(J[j]) * x[at + j];
    }
    for (int32_t i = 0; i < rows; i++) {
        double impulse = ROUNDINGS * fabs(c->impulse[i]);
        for (int32_t j = 0; j < rows; j++)
            impulse += fabs(G[rows * i + j]) * v[j];
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t size = system->node_size[c->node[k]], at = system->node_at[c->node[k]];
            const double *J = system->jacobian + c->jacobian_at[k] + (ptrdiff_t)size * i;
            for (int32_t j = 0; j < size; j++)
                out[at + j] += fabs(J[j]) * impulse;
        }
    }
}

double lithe_convex_rounding(LitheSystem *system) {
    int32_t n = system->dof_count;
    double *x = system->spare, *out = system->spare + n;
    for (int32_t i = 0; i < n; i++) {
        x[i] = ROUNDINGS * (fabs(system->w[i]) + fabs(system->w0[i]));
        out[i] = ROUNDINGS * fabs(system->r[i]);
    }
    const LitheBlockMatrix *m = system->matrix;
    for (int32_t column = 0; column < m->count; column++)
        for (int32_t e = m->start[column]; e < m->start[column + 1]; e++) {
            int32_t row = m->row[e], size = m->size[row];
            const double *block = system->A + m->value_at[e];
            for (int32_t j = 0; j < m->size[column]; j++)
                for (int32_t i = row == column ? j : 0; i < size; i++) {
                    int32_t a = m->at[row] + i, b = m->at[column] + j;
                    double value = fabs(block[(ptrdiff_t)size * j + i]);
                    out[a] += value * x[b];
                    out[b] += a == b ? 0 : value * x[a];
                }
        }
    for (int32_t i = 0; i < n; i++)
        x[i] = ROUNDINGS * fabs(system->w[i]);
    lithe_lanes_store(system);
    for (int32_t i = 0; i < system->group_count; i++) {
        const LitheGroup *g = &system->groups[i];
        const double *G = lithe_hessian_of(system, &system->couplings[g->first]);
        lithe_loop_kernel()->group_blur(system, g, G, ROUNDINGS, x, out);
    }
    for (int32_t i = 0; i < system->coupling_count; i++)
        if (system->couplings[i].group == 0)
            blur(system, &system->couplings[i], x, out);
    double square = 0;
    for (int32_t i = 0; i < n; i++)
        square += system->scale[i] * system->scale[i] * out[i] * out[i];
    return sqrt(square);
}

double lithe_convex_place_noise(const LitheAssembly *all, LitheSystem *system) {
    const LitheAttempt *attempt = all->plan->attempt;
    double *out = system->spare, square = 0;
    memset(out, 0, (size_t)system->dof_count * sizeof *out);
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        double kept[LITHE_COUPLED_ROWS];
        if (!lithe_coupling_kept(all, system, c, kept))
            continue;
        bool place = c->source == LITHE_SOURCE_CONSTRAINT && v3_norm(c->linear[0]) > 0;
        double error = ROUNDINGS * (place && attempt ? attempt->size : 1);
        for (int32_t k = 0; k < c->node_count; k++) {
            int32_t size = system->node_size[c->node[k]], at = system->node_at[c->node[k]];
            const double *J = system->jacobian + c->jacobian_at[k];
            for (int32_t row = 0; row < c->term.rows; row++, J += size)
                for (int32_t j = 0; j < size && c->impulse[row] != 0; j++)
                    out[at + j] += fabs(J[j]) * c->term.G[row] * error;
        }
    }
    for (int32_t i = 0; i < system->dof_count; i++)
        square += system->scale[i] * system->scale[i] * out[i] * out[i];
    return sqrt(square);
}
