// SPDX-License-Identifier: Apache-2.0
// body/totals.c - energies and momenta of everything: sums over units

#include "body/unit.h"

#include <math.h>

// kind by kind, then all kinds: sums of one kind do not depend on what else there is
// `without`: what kinds leave out whose elastic energy the recorder has
static bool sum_units(const LitheModel *model, const LitheState *state, LitheTotalsWanted wanted,
                      LitheTotalsWanted without, LitheUnitTotals *sum) {
    *sum = (LitheUnitTotals){0};
    for (int32_t i = 0; i < model->unit_count;) {
        LitheUnitKind kind = model->units[i].kind;
        LitheUnitTotals part = {0};
        bool recorded = lithe_unit_kinds[kind]->elastic_is_recorded;
        LitheTotalsWanted own = recorded ? wanted & ~(unsigned)without : wanted;
        for (; i < model->unit_count && model->units[i].kind == kind; i++)
            if (!lithe_unit_kinds[kind]->totals(model, i, state, own, &part))
                return false;
        sum->kinetic += part.kinetic;
        sum->elastic += part.elastic;
        sum->gravity += part.gravity;
        sum->momentum = v3_add(sum->momentum, part.momentum);
        sum->angular = v3_add(sum->angular, part.angular);
    }
    return true;
}

static LitheEnergy energy_of(const LitheModel *model, const LitheState *state,
                             LitheTotalsWanted without, double elastic) {
    LitheEnergy energy = {0};
    LitheUnitTotals sum;
    if (!sum_units(model, state, LITHE_TOTALS_ENERGY | LITHE_TOTALS_ELASTIC, without, &sum))
        sum.kinetic = sum.elastic = sum.gravity = NAN;
    energy.kinetic = sum.kinetic;
    energy.elastic = elastic + sum.elastic;
    energy.gravity = sum.gravity;
    for (int32_t i = 0; i < model->unit_count; i++) {
        energy.dissipated += state->sums[2 * i];
        energy.work += state->sums[2 * i + 1];
    }
    energy.friction = state->took[LITHE_TOOK_FRICTION];
    energy.contact = state->took[LITHE_TOOK_NORMAL];
    energy.constraints = state->took[LITHE_TOOK_CONSTRAINTS];
    energy.work -= state->took[LITHE_TOOK_DRIVES];
    return energy;
}

LitheEnergy lithe_energy_with(const LitheModel *model, const LitheState *state, double elastic) {
    return energy_of(model, state, LITHE_TOTALS_ELASTIC, elastic);
}

LitheEnergy lithe_energy(const LitheModel *model, const LitheState *state) {
    return energy_of(model, state, 0, 0);
}

LitheVec3 lithe_momentum(const LitheModel *model, const LitheState *state) {
    LitheUnitTotals sum;
    return sum_units(model, state, LITHE_TOTALS_MOMENTA, 0, &sum) ? sum.momentum
                                                                  : v3(NAN, NAN, NAN);
}

LitheVec3 lithe_angular_momentum(const LitheModel *model, const LitheState *state) {
    LitheUnitTotals sum;
    return sum_units(model, state, LITHE_TOTALS_MOMENTA, 0, &sum) ? sum.angular : v3(NAN, NAN, NAN);
}
