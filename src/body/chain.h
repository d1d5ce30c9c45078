// SPDX-License-Identifier: Apache-2.0
// body/chain.h - a rope as rigid capsules on ball joints, in maximal coordinates
//
// Capsule i has its centre x and a rotation: q [7 i ..] = x, y, z, quaternion (w x y z), v [6 i ..]
// = velocity of the centre, spin, all in the world's axes. Its axis is z. Joint j ties the upper
// end of capsule j-1 to the lower end of capsule j; joints 0 and count are the ends of the chain,
// tied to the world or to nothing. A step costs time linear in the number of capsules. Numbers in
// brackets: docs/theory/rigid.md.

#ifndef LITHE_BODY_CHAIN_H
#define LITHE_BODY_CHAIN_H

#include "base/status.h"
#include "math/spatial.h"

#include <stddef.h>
#include <stdint.h>

typedef struct LitheChain {
    int32_t count;
    double length;             // between the joints of a capsule [m]
    double radius;             // m
    double mass;               // of a capsule [kg]
    double inertia_across;     // about its centre [kg m^2]
    double inertia_along;      // about its axis
    double bend, twist;        // stiffness of a joint [N m/rad]
    double damping;            // of the relative spin at a joint [N m s/rad]
    double drag;               // force over momentum [1/s]
    const unsigned char *held; // [count] 1: keeps its velocity; NULL: none
    bool start_pinned, end_pinned;
    Vec3 start_at, end_at; // where they are pinned [m]
} LitheChain;

/// A rope cut into capsules.
typedef struct LitheRopeDef {
    int32_t count;  // of capsules
    double length;  // of the rope [m]
    double radius;  // m
    double density; // kg/m^3
    double young;   // Pa
    double poisson;
} LitheRopeDef;

/// Joints as stiff as the length between them: bend = EI/l, twist = GJ/l. Free ends, no damping.
LitheStatus lithe_chain_of_rope(const LitheRopeDef *rope, LitheChain *chain, LitheError *error);

/// Straight pieces between `points` [count + 1], frames carried along without twist.
void lithe_chain_place(const LitheChain *chain, const Vec3 *points, double *q);

/// Place of joint j = 0 .. count: the mean of the two ends that meet there.
Vec3 lithe_chain_joint(const LitheChain *chain, const double *q, int32_t j);

/// Largest distance of two ends that should meet [m].
double lithe_chain_gap(const LitheChain *chain, const double *q);

/// Kinetic energy; energy of gravity and of the joints [J].
double lithe_chain_kinetic_energy(const LitheChain *chain, const double *q, const double *v);
double lithe_chain_potential_energy(const LitheChain *chain, Vec3 gravity, const double *q);

/// What a step is given.
typedef struct LitheChainStep {
    double h;             // s
    Vec3 gravity;         // m/s^2
    const double *effort; // [6 count] force at the centre and torque, world axes; NULL: none
    double tolerance;     // of the momentum residual, relative; gaps: as a share of the length
    int32_t max_iterations;
} LitheChainStep;

/// 1e-9 and 30, neither gravity nor efforts.
LitheChainStep lithe_chain_step_default(double h);

typedef struct LitheChainOutcome {
    bool made; // false: q, v and impulse are untouched
    bool converged;
    int32_t iterations, corrected; // Newton steps; of them, with projected matrices
    double residual;               // relative, as the tolerance is
} LitheChainOutcome;

/// Doubles of scratch.
size_t lithe_chain_work_size(const LitheChain *chain);

/// Backward Euler in momentum form (50). `impulse` [3 (count + 1)] of the joints [N s]: in, the
/// guess (zero or the last step's), out, those of the step. `work` [lithe_chain_work_size].
LitheChainOutcome lithe_chain_step(const LitheChain *chain, const LitheChainStep *step, double *q,
                                   double *v, double *impulse, double *work);

/// The bending and twisting of a joint (51): turn r in the axes of either capsule, and the matrix
/// by which a relative spin (world axes) changes it, transposed.
void lithe_chain_bend(const double *q_before, const double *q_after, Vec3 *r, Mat3 *slope);

#endif
