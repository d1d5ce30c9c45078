// SPDX-License-Identifier: Apache-2.0
// body/rod_limit.c - the longest stable step of explicit integration of a rod

#include "body/rod.h"

#include "law/explicit_limit.h"

#include <math.h>

// with the springs and dampers of drives, each on a node or an edge that also follows the mesh
static double limit_with_drives(const LitheModel *model, const LitheRod *rod, double mesh) {
    double waves = 4 / (mesh * mesh), limit = lithe_damped_limit(mesh, rod->damping_stiffness);
    for (int32_t k = 0; k < rod->drive_count; k++) {
        const LitheDrive *drive = &model->drives[rod->drives[k]];
        int32_t dof = drive->kind == LITHE_DRIVE_TWIST ? 4 * drive->edge + 3 : 4 * drive->node;
        double omega2 = waves + drive->stiffness / rod->mass[dof];
        double damping = rod->damping_stiffness * waves + drive->damping / rod->mass[dof];
        if (drive->stiffness > 0)
            limit = fmin(limit, lithe_damped_limit(2 / sqrt(omega2), damping / omega2));
    }
    return limit;
}

double lithe_rod_explicit_limit(const LitheModel *model, const LitheRod *rod) {
    // length, shortest edge, mass and rotary inertia of the rod
    double length = 0, edge = INFINITY, mass = 0, inertia = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        double l = rod->built_length[i] * rod->rest_stretch[i];
        length += l;
        edge = fmin(edge, l);
        inertia += rod->mass[4 * i + 3];
    }
    for (int32_t i = 0; i < rod->node_count; i++)
        mass += rod->mass[4 * i];
    // the fastest waves of stretching, twisting and bending on this mesh
    double stiff = fmax(rod->EI1, rod->EI2);
    double axial = edge * sqrt(mass / length / rod->EA);
    double twist = rod->GJ > 0 ? edge * sqrt(inertia / length / rod->GJ) : INFINITY;
    double bending = stiff > 0 ? 0.5 * edge * edge * sqrt(mass / length / stiff) : INFINITY;
    return limit_with_drives(model, rod, fmin(axial, fmin(twist, bending)));
}
