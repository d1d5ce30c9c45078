// SPDX-License-Identifier: Apache-2.0
// solve/persistent.c - couplings in the stages of TR-BDF2: which of them persist from step to step

#include "solve/persistent.h"

#include "base/memory.h"
#include "body/constraint.h"
#include "collide/part.h"
#include "law/stiffening.h"

#include <math.h>
#include <string.h>

// a contact persists while its normal force changes by less than this factor from stage to stage
#define SIMILAR 2.0

static bool are_similar(double a, double b) {
    return a > 0 && b > 0 && a < SIMILAR * b && b < SIMILAR * a;
}

// The id under which a contact persists. The points of a patch come and go as things slide: they
// persist together, by the force of their pair of parts.
static uint64_t id_of(const LitheModel *model, const LitheContact *contact) {
    return contact->area > 0 ? lithe_pair_id(model, contact->id) : contact->id;
}

static uint64_t name_of(const LitheModel *model, const LitheContact *contact) {
    LitheContact pair = {.id = id_of(model, contact)};
    return lithe_contact_name(&pair);
}

// the couplings from `first` on that persist together: their end, and the sum of their forces
static int32_t gather(const LitheModel *model, const LitheWork *work, double h, int32_t first,
                      double *force) {
    const LitheSystem *system = work->system;
    const LitheContact *contacts = work->contacts->contacts;
    const LitheCoupling *c = &system->couplings[first];
    uint64_t id = id_of(model, &contacts[c->index]);
    bool patch = contacts[c->index].area > 0;
    int32_t i = first;
    *force = 0;
    do {
        *force += c->impulse[2] / (c->weight * h);
        c = &system->couplings[++i];
    } while (patch && i < system->coupling_count && c->source == LITHE_SOURCE_CONTACT &&
             contacts[c->index].area > 0 && id_of(model, &contacts[c->index]) == id);
    return i;
}

// --- contacts that persisted at the end of the last step -----------------------------------------
// A hash table of fixed size. A contact that finds no slot does not persist.

enum { PROBES = 8 };

// the slot of a contact, or a free one; NULL: there is none
static double *slot_of(const LitheModel *model, const LitheState *state, double name) {
    int64_t count = lithe_touch_count(model);
    // contacts of one pair have consecutive names: spread them
    uint64_t first = ((uint64_t)name * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    for (int k = 0; k < PROBES && k < count; k++) {
        double *slot = state->touches + 2 * ((first + (uint64_t)k) % (uint64_t)count);
        if (slot[0] == name || slot[0] == 0)
            return slot;
    }
    return NULL;
}

// normal force at the start of the step; 0: the contact does not persist
static double force_before(const LitheModel *model, const LitheState *state,
                           const LitheContact *contact) {
    double name = (double)name_of(model, contact);
    const double *slot = slot_of(model, state, name);
    return slot && slot[0] == name ? slot[1] : 0;
}

// --- contacts of the first stage -----------------------------------------------------------------

// the entry of a contact in the first stage, or NULL; entries are ordered as contacts are, by id
static const LitheStageTouch *touch_of(const LitheWork *work, uint64_t id) {
    const LitheStageWork *stage = &work->stage;
    int32_t low = 0, high = stage->touch_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (stage->touches[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < stage->touch_count && stage->touches[low].id == id;
    bool twice = low + 1 < stage->touch_count && stage->touches[low + 1].id == id;
    return found && !twice ? &stage->touches[low] : NULL;
}

// weights in units of the stage's length d h: a coupling that does not persist, in the first and in
// the second stage (T11), and one that ceased to persist (T12)
static const double WHOLE_FIRST = 2, WHOLE_SECOND = 1 / LITHE_STAGE_D - 2,
                    CEASED = LITHE_STAGE_W / LITHE_STAGE_D;

double lithe_contact_weight(const LitheModel *model, const LitheState *state,
                            const LitheStepPlan *plan, const LitheWork *work,
                            const LitheContact *contact) {
    if (plan->stage == 0)
        return 1;
    if (plan->stage == 1)
        return force_before(model, state, contact) > 0 ? 1 : WHOLE_FIRST;
    const LitheStageTouch *touch = touch_of(work, id_of(model, contact));
    return !touch || !touch->persisted ? WHOLE_SECOND : touch->stays ? 1 : CEASED;
}

void lithe_weigh_terms(const LitheAssembly *all, LitheSystem *system) {
    int32_t stage = all->plan->stage;
    for (int32_t i = 0; stage > 0 && i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_CONTACT)
            continue;
        c->persists = c->source == LITHE_SOURCE_DRIVE || (c->source == LITHE_SOURCE_CONSTRAINT &&
                                                          lithe_constraint_persists(all->model, c));
        c->weight = c->persists ? 1 : stage == 1 ? WHOLE_FIRST : WHOLE_SECOND;
        bool unknown = c->is_pulled ? lithe_tie_of(all->state, c->index)->kept == 0
                                    : c->persists && all->work->stage.fresh;
        if (unknown) {
            // no force at the start of the step is known
            c->weight = stage == 1 ? WHOLE_FIRST : WHOLE_SECOND;
            c->persists = stage == 2;
        }
        for (int32_t k = 0; k < c->term.rows; k++)
            c->term.G[k] *= c->weight;
        c->term.max *= c->weight;
    }
}

// --- after the solve -----------------------------------------------------------------------------

bool lithe_persistent_reserve(const LitheStepPlan *plan, LitheWork *work) {
    LitheStageWork *stage = &work->stage;
    return plan->stage != 1 || LITHE_RESERVE(work->context, stage->touches, stage->touch_capacity,
                                             work->system->coupling_count);
}

// contacts of the first stage, in the order of their ids
static void note_first(const LitheModel *model, const LitheState *state, LitheWork *work,
                       double h) {
    LitheStageWork *stage = &work->stage;
    LitheSystem *system = work->system;
    stage->touch_count = 0;
    for (int32_t i = 0, after; i < system->coupling_count; i = after) {
        LitheCoupling *c = &system->couplings[i];
        after = i + 1;
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &work->contacts->contacts[c->index];
        double before = c->weight == 1 ? force_before(model, state, contact) : 0, force;
        after = gather(model, work, h, i, &force);
        bool persists = are_similar(before, force);
        for (int32_t k = i; k < after; k++)
            system->couplings[k].persists = persists;
        stage->touches[stage->touch_count++] =
            (LitheStageTouch){id_of(model, contact), force, before > 0, persists};
    }
}

static void note_second(const LitheModel *model, LitheState *state, LitheWork *work, double h) {
    LitheSystem *system = work->system;
    for (int32_t i = 0, after; i < system->coupling_count; i = after) {
        LitheCoupling *c = &system->couplings[i];
        after = i + 1;
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &work->contacts->contacts[c->index];
        const LitheStageTouch *touch = touch_of(work, id_of(model, contact));
        double name = (double)name_of(model, contact), force, *slot = NULL;
        after = gather(model, work, h, i, &force);
        if (touch && are_similar(touch->force, force))
            slot = slot_of(model, state, name);
        bool persists = slot && slot[0] == 0;
        for (int32_t k = i; k < after; k++)
            system->couplings[k].persists = persists;
        if (persists) {
            slot[0] = name;
            slot[1] = force;
        }
    }
}

static LitheTook account_of(const LitheCoupling *c, int32_t row) {
    switch (c->source) {
    case LITHE_SOURCE_CONTACT:
        return row == 2 ? LITHE_TOOK_NORMAL : LITHE_TOOK_FRICTION;
    case LITHE_SOURCE_DRY:
        return LITHE_TOOK_FRICTION;
    case LITHE_SOURCE_DRIVE:
        return LITHE_TOOK_DRIVES;
    default:
        return c->is_pulled ? LITHE_TOOK_DRIVES : LITHE_TOOK_CONSTRAINTS;
    }
}

// the work of a tendon of a given tension, which persists, and its power at the end of the step
static void book_pull(LitheState *state, const LitheCoupling *c, double took, double power) {
    LitheTie *tie = lithe_tie_of(state, c->index);
    tie->work -= took;
    tie->power -= power;
    if (c->persists)
        tie->kept = 1;
}

// the same at the start of a step, as `powers` is
static void begin_pulls(const LitheModel *model, LitheState *state, double time) {
    for (int32_t i = 0; i < model->constraint_count; i++) {
        LitheTie *tie = lithe_tie_of(state, i);
        if (model->constraints[i].pulls)
            tie->work += time * tie->power;
    }
}

static void end_pulls(const LitheModel *model, LitheState *state) {
    for (int32_t i = 0; i < model->constraint_count; i++)
        if (model->constraints[i].pulls)
            lithe_tie_of(state, i)->power = lithe_tie_of(state, i)->kept = 0;
}

static int64_t bytes(const LitheModel *model) {
    return model->v_count * (int64_t)sizeof(double);
}

// no force is known
static void forget(const LitheModel *model, LitheState *state) {
    memset(state->steady, 0, (size_t)bytes(model));
    memset(state->powers, 0, LITHE_TOOK_SIZE * sizeof(double));
    end_pulls(model, state);
    memset(state->touches, 0, 2 * (size_t)lithe_touch_count(model) * sizeof(double));
}

void lithe_persistent_begin(const LitheModel *model, LitheState *state, bool switched,
                            LitheWork *work) {
    if (switched)
        forget(model, state);
    bool known = false;
    for (int64_t k = 0; k < model->v_count && !known; k++)
        known = state->steady[k] != 0;
    work->stage.fresh = !known;
}

// energy that the couplings took out of the units: -impulse . v
static void book(const LitheAssembly *all, LitheState *state) {
    const LitheSystem *system = all->work->system;
    const LitheStepPlan *plan = all->plan;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        double factor = plan->stage == 1 && c->persists ? CEASED : 1; // (T10): w h in place of d h
        for (int32_t k = 0; k < c->term.rows; k++) {
            LitheTook account = account_of(c, k);
            double took =
                lithe_is_one_sided(c) ? lithe_stop_took(all, system, c) : -c->impulse[k] * c->v[k];
            state->took[account] += factor * took;
            if (plan->stage != 1 && c->persists)
                state->powers[account] += took / (c->weight * plan->h);
            if (c->is_pulled)
                book_pull(state, c, factor * took,
                          c->persists && plan->stage != 1 ? took / (c->weight * plan->h) : 0);
            else if (c->reel != 0)
                lithe_constraint_supply(state, c->index, c->impulse[k] * c->reel);
        }
    }
}

// sum += factor J' impulse; J of free DoFs, or with `held` of all
static void spread(const LitheSystem *system, const LitheCoupling *c, double factor, bool held,
                   double *sum) {
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t size = system->node_size[c->node[k]];
        const double *J = system->jacobian + c->jacobian_at[k];
        const double *H = held ? lithe_held_block(system->jacobian_held, c, k) : NULL;
        double *to = sum + system->state_at[c->node[k]];
        for (int32_t i = 0; i < size * c->term.rows; i++)
            to[i % size] += factor * (H ? J[i] + H[i] : J[i]) * c->impulse[i / size];
    }
}

// Elastic part of the normal force of a contact, times its weight: without dissipation, which
// raises the force during approach and lowers it during separation.
static double elastic_force(const LitheCoupling *c) {
    const LitheTerm *term = &c->term;
    double v = c->v[2];
    if (term->kind == LITHE_TERM_SAP)
        return c->impulse[2] / term->h;
    if (term->kind == LITHE_TERM_SIMILAR) // (V7)
        v -= term->mu * hypot(c->v[0], c->v[1]);
    double force = term->f0 - term->h * term->k * v;
    return force > 0 ? force : 0;
}

// Energy stored in the spring of a contact at the end of the stage. The overlap follows from the
// force by the linear law that replaced the spring in the stage (law/stiffening.h).
static double stored_in_contact(const LitheCoupling *c, const LitheContactLaw *law) {
    double force = elastic_force(c) / c->weight, slope = c->term.k / c->weight;
    if (law->patch) // (PF14)
        return law->force > 0 ? 0.5 * force * (force / law->force) * -law->gap : 0;
    if (!(slope > 0))
        return 0;
    double start = law->gap < 0 ? -law->gap : 0, overlap = force / slope;
    if (start > 0 && law->stiffened && isfinite(law->stiffness))
        overlap = start + (force - lithe_stiff_force(law->stiffness, law->room, start)) / slope;
    // a spring that the near-rigid limit made softer stores what that limit stores
    double stiffness = law->stiffness < slope ? law->stiffness : slope;
    return lithe_stiff_energy(stiffness, law->room, overlap > 0 ? overlap : 0);
}

double lithe_contacts_stored(const LitheWork *work) {
    const LitheSystem *system = work->system;
    double stored = 0;
    for (int32_t i = 0; work->outcome.passes > 0 && i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_CONTACT)
            stored += stored_in_contact(c, &system->contact_laws[c->index]);
    }
    return stored;
}

void lithe_coupling_impulses(const LitheModel *model, const LitheWork *work, double *sum) {
    const LitheSystem *system = work->system;
    memset(sum, 0, (size_t)bytes(model));
    for (int32_t i = 0; work->outcome.passes > 0 && i < system->coupling_count; i++) {
        LitheCoupling c = system->couplings[i];
        if (c.source == LITHE_SOURCE_DRY || c.source == LITHE_SOURCE_DRIVE)
            continue;
        // friction only takes energy
        for (int32_t row = 0; c.source == LITHE_SOURCE_CONTACT && row < c.term.rows; row++)
            c.impulse[row] = row == 2 ? c.impulse[row] : 0;
        spread(system, &c, 1, false, sum);
    }
}

void lithe_persistent_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                          LitheWork *work) {
    LitheSystem *system = work->system;
    bool solved = work->outcome.passes > 0, first = plan->stage == 1;
    if (!solved)
        work->stage.touch_count = first ? 0 : work->stage.touch_count;
    if (first) {
        for (int k = 0; k < LITHE_TOOK_SIZE; k++)
            state->took[k] += CEASED * plan->h * state->powers[k];
        begin_pulls(model, state, CEASED * plan->h);
        memset(work->stage.carry, 0, (size_t)bytes(model));
        if (solved)
            note_first(model, state, work, plan->h);
    } else {
        forget(model, state);
        if (solved && plan->stage == 2)
            note_second(model, state, work, plan->h);
    }
    work->stage.stored = lithe_contacts_stored(work);
    if (!solved)
        return;
    LitheAssembly all = {model, state, work->contacts, plan, work};
    book(&all, state);
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (first && !c->persists)
            spread(system, c, 1, true, work->stage.carry);
        if (!first && c->persists)
            spread(system, c, 1 / (c->weight * plan->h), true, state->steady);
    }
}
