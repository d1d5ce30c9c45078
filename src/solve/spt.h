// SPDX-License-Identifier: Apache-2.0
// solve/spt.h - contact of rods after Spillmann and Teschner: forces by trial and correction, as
// one interaction
//
// This is the model that Choi et al. 2021 compare with. Contact forces are explicit: the step is
// solved with given contact forces, overlaps at its end are measured, forces are corrected such
// that the four nodes of a pair, as free masses, would move apart by the overlap, and the step is
// solved again. Numbers in brackets: docs/theory/imc.md.

#ifndef LITHE_SOLVE_SPT_H
#define LITHE_SOLVE_SPT_H

#include "data/contacts.h"
#include "data/state.h"
#include "data/work.h"
#include "solve/interaction.h"

/// The pairs of a step; memory only grows.
typedef struct LitheSpt LitheSpt;

/// NULL when out of memory.
LitheSpt *lithe_spt_create(LitheContext *context);

/// Accepts NULL.
void lithe_spt_destroy(LitheSpt *spt);

/// Finds the pairs of this step by lithe_collide_edges at its start. False when out of memory.
bool lithe_spt_begin(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     const LitheContacts *contacts, LitheSpt *spt);

/// The interaction; its update returns the largest error of a distance over h. Valid until the next
/// begin.
LitheInteraction lithe_spt_interaction(LitheSpt *spt);

/// As lithe_imc_took and lithe_imc_force.
void lithe_spt_took(const LitheSpt *spt, const double *w, double *friction, double *normal);
Vec3 lithe_spt_force(const LitheSpt *spt, int32_t index, double *normal, double *slip);

#endif
