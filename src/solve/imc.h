// SPDX-License-Identifier: Apache-2.0
// solve/imc.h - contact of rods by a smooth potential: all pairs of edges as one interaction
//
// Numbers in brackets: docs/theory/imc.md.

#ifndef LITHE_SOLVE_IMC_H
#define LITHE_SOLVE_IMC_H

#include "data/contacts.h"
#include "data/state.h"
#include "data/work.h"
#include "solve/interaction.h"

/// The pairs of a step; memory only grows.
typedef struct LitheImc LitheImc;

/// NULL when out of memory.
LitheImc *lithe_imc_create(LitheContext *context);

/// Accepts NULL.
void lithe_imc_destroy(LitheImc *imc);

/// The largest force of a pair at the start of a run [N].
double lithe_imc_first_force(const LitheModel *model);

/// (I14): the largest force of a pair in a step of length h, from the one of the step before and
/// the nearest pair.
double lithe_imc_next_force(const LitheModel *model, const LitheContacts *contacts, double force,
                            double h);

/// The pairs of this step, found at its start by lithe_collide_edges; `force` is the largest of a
/// pair. False when out of memory.
bool lithe_imc_begin(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     const LitheContacts *contacts, double force, LitheImc *imc);

/// The interaction; valid until the next begin.
LitheInteraction lithe_imc_interaction(LitheImc *imc);

/// After the step: the energy that the pairs store [J].
double lithe_imc_stored(const LitheImc *imc);

/// After the step: the largest force of a pair, raised where pairs came near it [N].
double lithe_imc_max_force(const LitheImc *imc);

/// After the step: energy that friction and normal forces took out of the rods at w [J]. Returns
/// the friction that drives the sliding instead of opposing it, over the bounds of all pairs:
/// `paper` only.
double lithe_imc_took(const LitheImc *imc, const double *w, double *friction, double *normal);

/// After the step: force on the second edge of pair `index` and its normal part [N], and sliding
/// speed [m/s].
Vec3 lithe_imc_force(const LitheImc *imc, int32_t index, double *normal, double *slip);

#endif
