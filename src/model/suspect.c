// SPDX-License-Identifier: Apache-2.0
// model/suspect.c - warnings of values that are legal, but unusual in combination: sizes, strains,
// masses, times

#include "base/log.h"
#include "model/compile.h"

#include <math.h>

// half thickness over length above which the laws of rods are not accurate
#define STOUT 0.2
// strain at the start above which the laws of rods, which assume small strains, are not accurate
#define STRAINED 0.2
// a larger ratio of masses is often a mistake in units, and makes the linear solve less accurate
#define MASS_RATIO 1e7

static void suspect_rod(const LitheModel *model, const LitheRod *rod) {
    double length = 0, worst = 0;
    int32_t where = 0;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        length += rod->built_length[i];
        double strain = 1 / rod->rest_stretch[i] - 1;
        if (fabs(strain) > fabs(worst)) {
            worst = strain;
            where = i;
        }
    }
    double thick = model->units[rod->unit].thickness;
    if (thick > STOUT * length)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "rod '%s': its section has a half thickness of %.9g m, but it is %.3g m long: "
                  "legal, but unusual (typical: up to %g of the length)",
                  rod->name, thick, length, STOUT);
    if (fabs(worst) > STRAINED)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "rod '%s': edge %d is strained by %.3g %% at the start: legal, but unusual "
                  "(typical: up to %g %%)",
                  rod->name, (int)where, 100 * worst, 100 * STRAINED);
}

static bool meet(const LitheTouch *a, const LitheTouch *b) {
    return (a->group & b->mask) && (b->group & a->mask);
}

// nodes of solids touch shapes of bodies alone
void lithe_warn_of_missing_contacts(const LitheModel *model) {
    for (int32_t i = 0; model->contact.enabled && i < model->solid_count; i++) {
        const LitheSolid *solid = &model->solids[i];
        const char *other = NULL;
        int32_t count = 0;
        for (int32_t k = 0; k < model->rod_count; k++)
            if (meet(&solid->touch, &model->rods[k].touch) && count++ == 0)
                other = model->rods[k].name;
        for (int32_t k = 0; k < model->particles_count; k++)
            if (meet(&solid->touch, &model->particles[k].touch) && count++ == 0)
                other = model->particles[k].name;
        for (int32_t k = i + 1; k < model->solid_count; k++)
            if (meet(&solid->touch, &model->solids[k].touch) && count++ == 0)
                other = model->solids[k].name;
        if (count == 1)
            lithe_log(model->context, LITHE_LOG_WARNING,
                      "solid '%s' and '%s' pass through each other: solids touch shapes of bodies "
                      "alone (disjoint group and mask silence this)",
                      solid->name, other);
        else if (count > 1)
            lithe_log(model->context, LITHE_LOG_WARNING,
                      "solid '%s' passes through '%s' and %d other things: solids touch shapes of "
                      "bodies alone (disjoint group and mask silence this)",
                      solid->name, other, (int)count - 1);
    }
}

void lithe_warn_of_suspects(const LitheModel *model) {
    for (int32_t r = 0; r < model->rod_count; r++)
        suspect_rod(model, &model->rods[r]);
    const LitheUnit *light = NULL, *heavy = NULL;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        if (!(unit->mass > 0))
            continue;
        light = !light || unit->mass < light->mass ? unit : light;
        heavy = !heavy || unit->mass > heavy->mass ? unit : heavy;
    }
    if (light && heavy->mass > MASS_RATIO * light->mass)
        lithe_log(model->context, LITHE_LOG_WARNING,
                  "'%s' has a mass of %.3g kg and '%s' one of %.3g kg: legal, but unusual "
                  "(typical: up to %g times)",
                  light->name, light->mass, heavy->name, heavy->mass, MASS_RATIO);
}
