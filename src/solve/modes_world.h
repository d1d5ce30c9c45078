// SPDX-License-Identifier: Apache-2.0
// solve/modes_world.h - stiffness and mass of the whole model about a state, with contacts and
// constraints

#ifndef LITHE_SOLVE_MODES_WORLD_H
#define LITHE_SOLVE_MODES_WORLD_H

#include "base/status.h"
#include "data/state.h"
#include "data/system.h"

/// K + shift M about a state, with the pattern of work->system.
typedef struct LitheWorldStiffness {
    double shift;   // of H
    bool path;      // for a step along a path: see lithe_world_begin
    double *H;      // [count] values of K + shift M
    double *M;      // [count] values of the mass matrix
    int64_t count;  // number of values
    double *turned; // geometric parts of couplings
    double *rides;  // geometric parts of riders
} LitheWorldStiffness;

/// The lowest omega^2 of all units [1/s^2]: a shift with which rigid motions have a stiffness.
double lithe_world_shift(const LitheModel *model);

/// Assembles at `state`: closed contacts and constraints are springs, friction sticks, and the
/// geometric stiffness of their forces is included. On a `path` slips are measured from the anchors
/// in work->system, and constraints pull with their error. Changes work->before. Free with
/// lithe_world_end, after failure too.
LitheStatus lithe_world_begin(const LitheModel *model, const LitheState *state, LitheWork *work,
                              double shift, bool path, LitheWorldStiffness *world,
                              LitheError *error);

/// Factors K + shift M in work->system; false when a pivot is zero or not finite.
bool lithe_world_factor(const LitheWorldStiffness *world, LitheWork *work, double shift,
                        int32_t *negative);

void lithe_world_end(LitheWorldStiffness *world, LitheWork *work);

// --- nodes that ride on bodies (modes_ride.c) ----------------------------------------------------

/// (Q16) of all units that carry riders, after their residuals at `state`: *out [sum of DoFs^2],
/// NULL when out of memory. Changes work->before and the Jacobians of riders.
LitheStatus lithe_ride_stiffness(const LitheModel *model, const LitheState *state, LitheWork *work,
                                 double **out, LitheError *error);

/// Adds the symmetric part of it to values of the matrix of the system.
void lithe_ride_stiffness_add(const LitheModel *model, const LitheSystem *system,
                              const double *turned, double *values);

#endif
