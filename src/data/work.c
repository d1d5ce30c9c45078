// SPDX-License-Identifier: Apache-2.0
// data/work.c - what can be read of a step after it: contact forces, times, names of outcomes

#include "data/work.h"

#include "base/assert.h"
#include "data/system.h"

// --- couplings and contacts ----------------------------------------------------------------------

const Vec3 lithe_no_rows[LITHE_COUPLED_ROWS] = {{0, 0, 0}};

void lithe_coupling_force(const LitheCoupling *c, double h, Vec3 *force, Vec3 *torque) {
    h *= c->weight;
    *force = *torque = v3(0, 0, 0);
    for (int32_t k = 0; k < c->term.rows; k++) {
        *force = v3_axpy(c->impulse[k] / h, c->linear[k], *force);
        *torque = v3_axpy(c->impulse[k] / h, c->angular[k], *torque);
    }
}

int32_t lithe_work_contact_count(const LitheWork *work) {
    return work->outcome.passes == 0 ? 0 : work->contact_count(work);
}

LitheContactForce lithe_work_contact(const LitheWork *work, int32_t index) {
    LITHE_ASSERT(index >= 0 && index < lithe_work_contact_count(work));
    return work->contact_force(work, index);
}

// --- where the time goes, and what limited a step ------------------------------------------------

const char *lithe_stage_name(LitheStage stage) {
    static const char *const names[LITHE_STAGE_COUNT] = {"none",     "collide", "free",
                                                         "assemble", "factor",  "line_search",
                                                         "certify",  "advance", "record"};
    LITHE_ASSERT((int)stage >= 0 && stage < LITHE_STAGE_COUNT);
    return names[stage];
}

double lithe_work_seconds(const LitheWork *work, LitheStage stage) {
    LITHE_ASSERT((int)stage >= 0 && stage < LITHE_STAGE_COUNT);
    return work->stages.seconds[stage];
}

const char *lithe_step_limit_name(LitheStepLimit limit) {
    static const char *const names[LITHE_LIMIT_COUNT] = {"largest",  "error", "contact", "effort",
                                                         "crossing", "solve", "event"};
    LITHE_ASSERT((int)limit >= 0 && (int)limit < LITHE_LIMIT_COUNT);
    return names[limit];
}
