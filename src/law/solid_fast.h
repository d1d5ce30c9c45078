// SPDX-License-Identifier: Apache-2.0
// law/solid_fast.h - energy, forces and stiffness of many linear tetrahedra, several at once
//
// The same results as one call of LitheSolidLaw::evaluate per element (its reference in the tests)
// up to rounding, several times faster: each lane of a vector is one element. The 9x9 Hessian is
// never formed. With g_a the shape gradients at rest, each term of dP/dF gives a 3x3 block of nodes
// a and b directly; with u_a = F g_a, n_a = cof(F) g_a, t_a = 2 (I1 u_a - F F'u_a), p_a = R g_a:
//     (H17) invariants: force V (2 W1 u_a + W2 t_a + WJ n_a);
//           block V [(2 W1 + 2 W2 I1)(ga.gb) I - 2 W2 ((ua.ub) I + ub ua' + (ga.gb) F F')
//                    - WJ [F (ga x gb)]x + sum Wij Gi_a Gj_b' + 4 W2 ua ub'],  G = (2 u, t, n)
//     (H18) corotated-lagged: force V (mu ua + mu R F'pa + (lambda tr e - 2 mu) pa);
//           block V [mu (ga.gb) I + mu pb pa' + lambda pa pb']
//     (H19) corotated: force V (2 mu (ua - pa) + c pa); block V [2 mu (ga.gb) I + lambda pa pb'
//           + sum of (c - 2 mu) 2/(si + sj) qa qb'],  qa = Q ga
//     (H25) stiffness of strains alone: Q'K Q,  Q d = d - sum of e_k x x_a (G^-1 sum of ub x db)_k,
//           x_a the edges from node 0; the same as (H24)
// Blocks of node 0 follow from the others: the gradients of an element add to zero.

#ifndef LITHE_LAW_SOLID_FAST_H
#define LITHE_LAW_SOLID_FAST_H

#include "law/solid.h"

/// Linear tetrahedra of one material.
typedef struct LitheTets {
    const LitheSolidLaw *law;
    const LitheSolidMaterial *material;
    int32_t count;
    const int32_t *nodes;  // [count][4]
    const Vec3 *gradients; // [count][4] of the shape functions at rest [1/m]
    const double *volumes; // [count] at rest [m^3]
    const Mat3 *rotations; // [count] of a lagged law; of lithe_solid_corotated without a stiffness
                           // those of x, where they are known; else NULL
    const double *pressures; // [count] adds pressure theta to the energy density, but not to the
                             // result (law/solid_mean.h) [Pa]; NULL: none
    const int32_t *entries;  // [count][10] entries of the pairs 00 10 11 20 .. of nodes
    const int64_t *value_at; // first value of an entry: a block of 9, column-major, whose row is
                             // the larger node
} LitheTets;

/// What the terms of a configuration are added to.
typedef struct LitheTetTerms {
    double *gradient; // [3 nodes] dE/dx is added [N]; or NULL
    double *values;   // scale d2E/dx2 is added [N/m]; or NULL
    double scale;
    bool project;  // makes the Hessian of each element positive semidefinite
    bool strains;  // leaves rigid rotations of each element without stiffness (H25)
    double *chord; // of a lagged law: scale times the forces of lithe_solid_chord_stress are added,
                   // with elements that move at `velocity` [3 nodes] and a step h; or NULL
    const double *velocity;
    double h;
    double chord_power; // out: scale times the sum of its power, where `chord` is given
    int32_t bad;        // out: the first element outside of the domain of the law; -1: none
} LitheTetTerms;

/// Energy of the configuration x [3 nodes] in J. INFINITY outside of the domain of the law; then
/// some elements before `bad` have been added. Every law.
double lithe_tets_evaluate(const LitheTets *tets, const double *x, LitheTetTerms *terms);

/// Rotations [count] of the polar decomposition of F, S5 of body/solid_elastic.c; reads nodes and
/// gradients.
void lithe_tets_rotations(const LitheTets *tets, const double *x, Mat3 *rotations);

/// The kernels, for tests: index 0 is the one in use; NULL past the last. All give the same bits.
typedef double LitheTetKernel(const LitheTets *tets, const double *x, LitheTetTerms *terms);
typedef void LitheTetRotations(const LitheTets *tets, const double *x, Mat3 *rotations);
LitheTetKernel *lithe_tet_kernel(int32_t index);
LitheTetRotations *lithe_tet_rotations(int32_t index);

// two lanes, any processor
LitheTetKernel lithe_tets_portable;
LitheTetRotations lithe_tets_rotations_portable;
#if defined(__x86_64__)
// four lanes
LitheTetKernel lithe_tets_avx2;
LitheTetRotations lithe_tets_rotations_avx2;
#endif

#endif
