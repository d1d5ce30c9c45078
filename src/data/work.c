// SPDX-License-Identifier: Apache-2.0
// data/work.c - what can be read of a step after it: contact forces, times, names of outcomes

#include "data/work.h"

#include "base/assert.h"
#include "data/system.h"

#include <math.h>

// --- couplings and contacts ----------------------------------------------------------------------

void lithe_coupling_force(const LitheCoupling *c, double h, Vec3 *force, Vec3 *torque) {
    *force = *torque = v3(0, 0, 0);
    for (int32_t k = 0; k < c->term.rows; k++) {
        *force = v3_axpy(c->impulse[k] / h, c->linear[k], *force);
        *torque = v3_axpy(c->impulse[k] / h, c->angular[k], *torque);
    }
}

int32_t lithe_work_contact_count(const LitheWork *work) {
    int32_t count = 0;
    if (work->passes == 0)
        return 0;
    if (work->press)
        return work->contacts->count;
    // contacts come first
    while (count < work->system->coupling_count &&
           work->system->couplings[count].source == LITHE_SOURCE_CONTACT)
        count++;
    return count;
}

LitheContactForce lithe_work_contact(const LitheWork *work, int32_t index) {
    LITHE_ASSERT(work->passes > 0 && index >= 0);
    if (work->press) {
        LITHE_ASSERT(index < work->contacts->count);
        return work->press_contact(work, index);
    }
    // contacts come first
    const LitheCoupling *c = &work->system->couplings[index];
    LITHE_ASSERT(index < work->system->coupling_count && c->source == LITHE_SOURCE_CONTACT);
    LitheContactForce out = {.contact = work->contacts->contacts[c->index]};
    Vec3 force, torque;
    lithe_coupling_force(c, c->term.h, &force, &torque);
    out.force = force;
    out.normal = c->impulse[2] / c->term.h;
    out.slip = hypot(c->v[0], c->v[1]);
    return out;
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
