// SPDX-License-Identifier: Apache-2.0
// assemble/contact_memory.c - what contacts did in the last step, as a guess for the next one
//
// Both lists are in the state, so that a run that is resumed has the same bits. They only change
// the number of iterations: a solve that begins with a wrong guess finds the same solution.

#include "assemble/assemble.h"

#include <math.h>
#include <string.h>

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

// --- friction that sticks along a path -----------------------------------------------------------
// A step by arc length begins with the friction in which the last one ended (Q21).

// Slips beyond this multiple of eps, at which friction is 99 % of its bound, are not kept.
#define MOST_STUCK 7

static void add_row(const LitheCoupling *c, int32_t row, double part, Vec3 *slip, Vec3 *turn) {
    *slip = v3_axpy(part * c->v[row], c->linear[row], *slip);
    if (c->term.rows > 3)
        *turn = v3_axpy(part * c->v[row], c->angular[row], *turn);
}

// the part of slips of this size that is kept
static double kept_part(double way, double eps) {
    return way > MOST_STUCK * eps ? MOST_STUCK * eps / way : 1;
}

// the slip and the turn of a contact that its friction answers to
static void stuck_of(const LitheCoupling *c, Vec3 *slip, Vec3 *turn) {
    const LitheTerm *t = &c->term;
    int32_t roll = t->rows - 2;
    *slip = *turn = v3(0, 0, 0);
    for (int32_t row = 0; t->mu > 0 && row < 2; row++)
        add_row(c, row, kept_part(hypot(c->v[0], c->v[1]), t->eps), slip, turn);
    if (t->torsion > 0)
        add_row(c, 3, kept_part(fabs(c->v[3]), t->eps_torsion), slip, turn);
    for (int32_t row = roll; t->roll > 0 && row < roll + 2; row++)
        add_row(c, row, kept_part(hypot(c->v[roll], c->v[roll + 1]), t->eps_roll), slip, turn);
}

// two entries for each contact, its slip and its turn
static void note_stuck(const LitheContacts *contacts, const LitheSystem *system, int64_t count,
                       LitheState *state) {
    double *at = state->slips, *end = at + LITHE_SLIP_SIZE * count;
    // a search sticks more stiffly
    double scale = system->on_path ? 1 : LITHE_STATIC_STICK / LITHE_PATH_STICK;
    memset(at, 0, (size_t)(end - at) * sizeof *at);
    for (int32_t i = 0; i < system->coupling_count && end - at >= 2 * LITHE_SLIP_SIZE; i++) {
        const LitheCoupling *c = &system->couplings[i];
        Vec3 stuck[2];
        if (c->source != LITHE_SOURCE_CONTACT || !(c->impulse[2] > 0) ||
            !lithe_term_reads_bound(&c->term))
            continue;
        stuck_of(c, &stuck[0], &stuck[1]);
        for (int k = 0; k < 2; k++, at += LITHE_SLIP_SIZE) {
            at[LITHE_SLIP_NAME] = (double)lithe_contact_name(&contacts->contacts[c->index]);
            v3_store(v3_scale(scale, stuck[k]), at + LITHE_SLIP_STUCK);
        }
    }
}

void lithe_contact_stuck(const LitheAssembly *all, const LitheContact *contact, Vec3 stuck[2]) {
    double name = (double)lithe_contact_name(contact);
    int64_t count = lithe_path_count(all->model) > 0 ? lithe_slip_count(all->model) : 0;
    const double *at = all->state->slips, *end = at + LITHE_SLIP_SIZE * (count - count % 2);
    while (at < end && at[LITHE_SLIP_NAME] > 0 && at[LITHE_SLIP_NAME] != name)
        at += 2 * LITHE_SLIP_SIZE;
    bool found = at < end && at[LITHE_SLIP_NAME] == name;
    for (int k = 0; found && k < 2; k++)
        stuck[k] = v3_load(at + k * LITHE_SLIP_SIZE + LITHE_SLIP_STUCK);
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
    if (slips > 0 && plan->still && lithe_path_count(model) > 0)
        note_stuck(contacts, system, slips, state);
    if (slips > 0 && !plan->still)
        note_slips(contacts, system, plan->h, slips, state);
}
