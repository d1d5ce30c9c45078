// SPDX-License-Identifier: Apache-2.0
// advance/strength.c - warnings of strains and stresses above their limits

#include "advance/strength.h"

#include "base/log.h"
#include "body/strength.h"

static void warn_strain(const LitheModel *model, const LithePeakAt *peak) {
    LitheStrength of = lithe_strength_of_strain(model, peak);
    lithe_log(model->context, LITHE_LOG_WARNING,
              "at %.6g s the strain of rod '%s' is %.4g %% at node %d, more than %s %.4g %%: %s",
              peak->time, of.name, 100 * peak->fraction * of.limit, (int)peak->node,
              of.given ? "its strain-limit of" : "the", 100 * of.limit,
              of.given ? "the material is not made for this"
                       : "real materials break or yield, or their stress is no longer linear in "
                         "the strain as that of rods is (strain-limit of the material sets another "
                         "limit)");
}

static void warn_stress(const LitheModel *model, const LithePeakAt *peak) {
    LitheStrength of = lithe_strength_of_stress(model, peak);
    bool pulled = *of.unit == 'N';
    lithe_log(model->context, LITHE_LOG_WARNING,
              "at %.6g s the %s of rod '%s' is %.4g %s at node %d, more than its %s of %.4g %s: %s",
              peak->time, pulled ? "tension" : "stress", of.name, peak->fraction * of.limit,
              of.unit, (int)peak->node, pulled ? "strength" : "yield", of.limit, of.unit,
              pulled ? "it would break" : "the material would yield, rods stay elastic");
}

void lithe_strength_check(const LitheModel *model, const LitheState *state, LitheMonitor *monitor) {
    lithe_strength_raise(model, state, &monitor->strain, &monitor->stress);
    if (monitor->strain.fraction > 1 && !(monitor->warned & LITHE_WARNED_STRAIN)) {
        monitor->warned |= LITHE_WARNED_STRAIN;
        warn_strain(model, &monitor->strain);
    }
    if (monitor->stress.fraction > 1 && !(monitor->warned & LITHE_WARNED_YIELD)) {
        monitor->warned |= LITHE_WARNED_YIELD;
        warn_stress(model, &monitor->stress);
    }
}
