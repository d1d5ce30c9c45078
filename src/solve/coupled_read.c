// SPDX-License-Identifier: Apache-2.0
// solve/coupled_read.c - results of a coupled solve: forces of constraints and contacts

#include "solve/coupled.h"

#include "base/assert.h"
#include "body/constraint.h"

#include <math.h>

void lithe_coupled_note_constraints(const LitheModel *model, LitheState *state,
                                    const LitheStepPlan *plan, const LitheSystem *system,
                                    LitheReport *report) {
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        Vec3 force, torque, more_force, more_torque;
        if (c->source != LITHE_SOURCE_CONSTRAINT)
            continue;
        lithe_coupling_force(c, plan->h, &force, &torque);
        // the couplings of one constraint follow each other
        while (i + 1 < system->coupling_count &&
               system->couplings[i + 1].source == LITHE_SOURCE_CONSTRAINT &&
               system->couplings[i + 1].index == c->index) {
            lithe_coupling_force(&system->couplings[++i], plan->h, &more_force, &more_torque);
            force = v3_add(force, more_force);
            torque = v3_add(torque, more_torque);
        }
        if (plan->still) // a static step breaks constraints at the end of its search
            lithe_constraint_store(state, c->index, force, torque);
        else
            report->constraints_broken +=
                lithe_constraint_note(model, state, c->index, force, torque);
    }
}

// contacts are the first couplings
int32_t lithe_coupled_contact_count(const LitheWork *work) {
    int32_t low = 0, high = work->system->coupling_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (work->system->couplings[middle].source == LITHE_SOURCE_CONTACT)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

LitheContactForce lithe_coupled_contact(const LitheWork *work, int32_t index) {
    const LitheCoupling *c = &work->system->couplings[index];
    LITHE_ASSERT(index < work->system->coupling_count && c->source == LITHE_SOURCE_CONTACT);
    LitheContactForce out = {.contact = work->contacts->contacts[c->index]};
    Vec3 torque;
    lithe_coupling_force(c, c->term.h, &out.force, &torque);
    out.normal = c->impulse[2] / (c->weight * c->term.h);
    out.slip = hypot(c->v[0], c->v[1]);
    return out;
}
