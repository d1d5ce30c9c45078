// SPDX-License-Identifier: Apache-2.0
// solve/edge_pair.h - what imc and spt read of the two edges of a contact
//
// Both number the nodes of all units consecutively and assume that the DoFs of node n begin at 4 n.
// This is true while rods are the first units; an assertion fails here if the order changes.

#ifndef LITHE_SOLVE_EDGE_PAIR_H
#define LITHE_SOLVE_EDGE_PAIR_H

#include "base/assert.h"
#include "body/rod.h"
#include "data/contacts.h"

static inline const LitheRod *lithe_edge_rod(const LitheModel *model, const LitheSite *site) {
    return &model->rods[model->units[site->unit].index];
}

/// Nodes of the edge of a site, numbered through all units.
static inline void lithe_edge_nodes(const LitheModel *model, const LitheSite *site,
                                    int32_t nodes[2]) {
    const LitheRod *rod = lithe_edge_rod(model, site);
    const LitheUnit *unit = &model->units[site->unit];
    int64_t dof = 4 * (int64_t)unit->node_at;
    LITHE_ASSERT(unit->kind == LITHE_UNIT_ROD && unit->v_at == dof && unit->q_at == dof);
    for (int k = 0; k < 2; k++)
        nodes[k] = unit->node_at + rod->ends[site->element][k];
}

/// Distance of the centrelines at which the two sides touch [m].
static inline double lithe_edge_touch(const LitheModel *model, const LitheContactParts *parts) {
    return lithe_rod_contact_radius(lithe_edge_rod(model, &parts->site[0])) +
           lithe_rod_contact_radius(lithe_edge_rod(model, &parts->site[1]));
}

/// 1/m of a node of the rod of a site; 0: held.
static inline double lithe_edge_mobility(const LitheModel *model, const LitheSite *site,
                                         int32_t node) {
    const LitheRod *rod = lithe_edge_rod(model, site);
    int64_t dof = 4 * (node - rod->node_at);
    return rod->held[dof] ? 0 : 1 / rod->mass[dof];
}

#endif
