// SPDX-License-Identifier: Apache-2.0
// record/totals.c - sums over a run by name

#include "record/totals.h"

#include <string.h>

#define COUNT(word, field) \
    { word, "1", offsetof(LitheTotals, field), true }
#define NUMBER(word, unit, field) \
    { word, unit, offsetof(LitheTotals, field), false }

const LitheTotal lithe_totals[] = {
    COUNT("steps", steps),
    COUNT("newton_iterations", newton_iterations),
    COUNT("steps_unconverged", steps_unconverged),
    COUNT("hessians_corrected", hessians_corrected),
    COUNT("dofs", dofs),
    COUNT("contacts", contacts),
    COUNT("contacts_max", contacts_max),
    COUNT("coupled_steps", coupled_steps),
    COUNT("passes", passes),
    COUNT("solve_iterations", solve_iterations),
    COUNT("solve_unconverged", solve_unconverged),
    COUNT("friction_unsettled", friction_unsettled),
    COUNT("constraints_broken", constraints_broken),
    COUNT("pairs_unserved", pairs_unserved),
    COUNT("steps_cut", steps_cut),
    COUNT("crossings_avoided", crossings),
    COUNT("pieces_held", held),
    COUNT("pieces_softened", softened),
    COUNT("contacts_stiffened", stiffened),
    COUNT("topology_changes", topology_changes),
    COUNT("steps_rejected", rejected),
    COUNT("steps_guarded", scheme.guarded),
    COUNT("steps_calmed", scheme.calmed),
    COUNT("steps_by_euler", scheme.euler),
    COUNT("steps_gained", scheme.gained),
    NUMBER("deepest_overlap", "m", deepest),
    NUMBER("step_shortest", "s", shortest),
    NUMBER("step_longest", "s", longest),
    NUMBER("energy_error", "J", energy_error),
    NUMBER("energy_scale", "J", energy_scale),
    NUMBER("energy_gain", "J", monitor.gain),
    {.name = NULL},
};

const LitheTotal *lithe_total_find(const char *name) {
    for (const LitheTotal *total = lithe_totals; total->name; total++)
        if (strcmp(total->name, name) == 0)
            return total;
    return NULL;
}

double lithe_total_get(const LitheTotal *total, const LitheTotals *totals) {
    const char *at = (const char *)totals + total->offset;
    int64_t count;
    double number;
    memcpy(&count, at, sizeof count);
    memcpy(&number, at, sizeof number);
    return total->whole ? (double)count : number;
}

void lithe_total_set(const LitheTotal *total, double number, LitheTotals *totals) {
    char *at = (char *)totals + total->offset;
    int64_t count = number >= 0 && number < 9e15 ? (int64_t)number : 0;
    if (total->whole)
        memcpy(at, &count, sizeof count);
    else
        memcpy(at, &number, sizeof number);
}
