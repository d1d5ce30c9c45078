// SPDX-License-Identifier: Apache-2.0
// assemble/contact_memory.c - what contacts did in the last step, as a guess for the next one
//
// Both lists are in the state, so that a run that is resumed has the same bits. They only change
// the number of iterations: a solve that begins with a wrong guess finds the same solution.

#include "assemble/assemble.h"

uint64_t lithe_contact_name(const LitheContact *contact) {
    return contact->id % ((UINT64_C(1) << 53) - 111) + 1;
}

// --- contacts that were active -------------------------------------------------------------------
// A hash table of fixed size: of two contacts in a slot, the last one is kept.

static void recall_active(const LitheAssembly *all, LitheSystem *system, uint64_t count) {
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        uint64_t name = lithe_contact_name(&all->contacts->contacts[c->index]);
        c->was_active = all->state->was_active[name % count] == (double)name;
    }
}

static void note_active(const LitheContacts *contacts, const LitheSystem *system, uint64_t count,
                        LitheState *state) {
    for (uint64_t i = 0; i < count; i++)
        state->was_active[i] = 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT || !(c->impulse[2] > 0))
            continue;
        uint64_t name = lithe_contact_name(&contacts->contacts[c->index]);
        state->was_active[name % count] = (double)name;
    }
}

// --- how contacts slid, and their forces ---------------------------------------------------------
// A list in the order of the contacts, which are sorted by id. Contacts beyond its end are not
// recalled.

// doubles of this many contacts that are looked through
enum { LOOK = 128 * LITHE_SLIP_SIZE };

static void recall_slips(const LitheAssembly *all, LitheSystem *system, int64_t count) {
    const double *slip = all->state->slips, *end = slip + LITHE_SLIP_SIZE * count;
    bool soft = all->model->face_count > 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        double name = (double)lithe_contact_name(&all->contacts->contacts[c->index]);
        // names are hashes: a contact is looked for behind the one before it
        const double *at = slip, *last = end - slip > LOOK ? slip + LOOK : end;
        while (at < last && at[LITHE_SLIP_NAME] > 0 && at[LITHE_SLIP_NAME] != name)
            at += LITHE_SLIP_SIZE;
        if (at >= last || at[LITHE_SLIP_NAME] != name)
            continue;
        c->recalled = true;
        c->slid[0] = at[LITHE_SLIP_VELOCITY];
        c->slid[1] = at[LITHE_SLIP_VELOCITY + 1];
        slip = at + LITHE_SLIP_SIZE;
        // closed contacts of soft surfaces: the last force bounds friction better than that of the
        // start, which the motion within the step changes
        if (soft && at[LITHE_SLIP_FORCE] > 0 && c->term.n0 > 0)
            lithe_term_lag(&c->term, at[LITHE_SLIP_FORCE] * c->weight * all->plan->h);
    }
}

static void note_slips(const LitheContacts *contacts, const LitheSystem *system, double h,
                       int64_t count, LitheState *state) {
    double *slip = state->slips, *end = slip + LITHE_SLIP_SIZE * count;
    for (int32_t i = 0; i < system->coupling_count && slip < end; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        slip[LITHE_SLIP_NAME] = (double)lithe_contact_name(&contacts->contacts[c->index]);
        slip[LITHE_SLIP_VELOCITY] = c->v[0];
        slip[LITHE_SLIP_VELOCITY + 1] = c->v[1];
        slip[LITHE_SLIP_FORCE] = c->impulse[2] / (c->weight * h);
        slip += LITHE_SLIP_SIZE;
    }
    for (; slip < end && slip[LITHE_SLIP_NAME] > 0; slip += LITHE_SLIP_SIZE)
        for (int k = 0; k < LITHE_SLIP_SIZE; k++)
            slip[k] = 0;
}

// --- both ----------------------------------------------------------------------------------------

void lithe_contacts_recall(const LitheAssembly *all, LitheSystem *system) {
    int64_t active = lithe_was_active_count(all->model), slips = lithe_slip_count(all->model);
    if (active > 0)
        recall_active(all, system, (uint64_t)active);
    if (slips > 0 && !all->plan->still)
        recall_slips(all, system, slips);
}

void lithe_contacts_note(const LitheModel *model, const LitheContacts *contacts,
                         const LitheSystem *system, const LitheStepPlan *plan, LitheState *state) {
    int64_t active = lithe_was_active_count(model), slips = lithe_slip_count(model);
    if (active > 0)
        note_active(contacts, system, (uint64_t)active, state);
    if (slips > 0 && !plan->still)
        note_slips(contacts, system, plan->h, slips, state);
}
