// SPDX-License-Identifier: Apache-2.0
// solve/contact_convex.c - the contact model convex: contacts, constraints and joint terms couple
// the units of a step in one convex problem
//
// A step with this model: begin searches contacts at the start of the step, decides with which
// stiffness and gap each of them acts, and marks the units that something may touch. These units
// skip their free motion, because the coupled solve starts from their velocity. solve adds the
// couplings (contacts, constraints, terms of own DoFs; assemble/assemble.h), numbers the system
// (data/system.h) and runs the passes (solve/coupled.h); without couplings it does nothing. end
// computes from the impulses the forces of constraints and drives, the energy that couplings took
// out of the units, and the report.
//
// Contacts act with their own stiffness, with two exceptions. Near the centreline of a rod the
// stiffness grows (Z5), because a finite spring cannot keep fast strands apart. In the last
// fallback of a step contacts are held (Z6): near-rigid, without pushing overlaps apart. Numbers in
// brackets: docs/theory/contact.md and collision.md.

#include "assemble/assemble.h"
#include "base/memory.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "collide/ties.h"
#include "data/thing.h"
#include "law/stiffening.h"
#include "solve/contact_model.h"
#include "solve/coupled.h"
#include "solve/middle.h"
#include "solve/overlap.h"
#include "solve/persistent.h"
#include "solve/settle.h"

#include <math.h>
#include <string.h>

// factor of the stiffness of held contacts where there is no near-rigid limit
#define HELD_STIFF 1e4
// midpoint rule: max corrections of the middle; each multiplies the error by about the rotation per
// step [rad]
#define MAX_MOVES 4

// --- begin ---------------------------------------------------------------------------------------

// (Z5): contacts of rods stiffen as their centrelines approach: a spring of finite stiffness alone
// does not keep strands from passing through each other. Contacts of particles keep the plain
// spring: there are no strands to keep apart.
static LitheContactLaw stiffening(const LitheModel *model, const LitheContact *contact,
                                  const LitheContactParts *parts) {
    return (LitheContactLaw){.stiffness = contact->stiffness,
                             .gap = contact->gap,
                             .room = lithe_contact_room(model, parts)};
}

// (Z6): near-rigid, with the overlap set to 0: approach is stopped, nothing is pushed apart
static LitheContactLaw held(const LitheModel *model, const LitheContact *contact) {
    bool rigid = model->contact.beta > 0;
    return (LitheContactLaw){.stiffness = rigid ? INFINITY : HELD_STIFF * contact->stiffness,
                             .gap = fmax(contact->gap, 0),
                             .room = INFINITY,
                             .stiffened = true};
}

// Whether the overlap of a contact at the predicted end of a stage is in the range of (Z5). A stage
// has the plain spring only.
static bool needs_stiffening(const LitheModel *model, const LitheContacts *contacts) {
    for (int32_t i = 0; model->contact.certify && i < contacts->count; i++) {
        if (contacts->contacts[i].area > 0)
            continue;
        LitheContactLaw law = stiffening(model, &contacts->contacts[i], &contacts->parts[i]);
        if (-law.gap > LITHE_STIFF_FROM * law.room)
            return true;
    }
    return false;
}

// (T28) A contact of a rod oscillates within about the length of a stage, or faster, if the length
// of the stage squared times its stiffness exceeds this multiple of the mass of a node.
#define UNRESOLVED 9

// Whether friction acts on rods at contacts that a stage does not resolve. Normal forces that share
// a load among such contacts differ from stage to stage: one that vanishes lets the rod slip.
static bool rubs_stiffly(const LitheModel *model, const LitheStepPlan *plan,
                         const LitheContacts *contacts) {
    int32_t first = 0;
    while (first < model->unit_count && !lithe_unit_ops(model, first)->winds)
        first++;
    if (first == model->unit_count) // nothing winds round others
        return false;
    for (int32_t i = 0; i < contacts->count; i++) {
        const LitheContact *c = &contacts->contacts[i];
        for (int k = 0; k < 2 && c->gap < 0 && c->friction > 0; k++) {
            int32_t at = contacts->parts[i].site[k].unit;
            const LitheUnit *unit = at >= 0 ? &model->units[at] : NULL;
            if (unit && lithe_unit_ops(model, at)->winds &&
                plan->h * plan->h * c->stiffness * unit->node_count > UNRESOLVED * unit->mass)
                return true;
        }
    }
    return false;
}

// (PF31): under the rim of a box the pressure does not fall off along the normal. Without stiffness
// such a point would push for the whole step, however far it leaves: the force vanishes at its
// depth at the latest. Static steps need the stiffness itself.
static double patch_stiffness(const LitheContact *contact, const LitheStepPlan *plan) {
    double force = contact->force, depth = -contact->gap;
    bool falls = !(force > contact->stiffness * depth);
    return falls || !(depth > 0) || plan->still ? contact->stiffness : force / depth;
}

// Sets the parameters that contacts act with. The contacts themselves stay as the search found
// them, for readers.
static bool set_laws(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                     LitheWork *work) {
    const LitheContacts *contacts = work->contacts;
    LitheSystem *system = work->system;
    if (!LITHE_RESERVE(work->context, system->contact_laws, system->contact_law_capacity,
                       contacts->count))
        return false;
    for (int32_t i = 0; i < contacts->count; i++) {
        const LitheContact *contact = &contacts->contacts[i];
        LitheContactLaw *law = &system->contact_laws[i];
        bool leaves = model->tie_zone_count > 0 && contact->gap < 0 &&
                      lithe_tie_leaves(model, state, contacts, i);
        if (lithe_plan_holds(plan) || leaves)
            *law = held(model, contact);
        else if (contact->area > 0)
            *law = (LitheContactLaw){.stiffness = patch_stiffness(contact, plan),
                                     .gap = contact->gap,
                                     .room = INFINITY,
                                     .patch = true,
                                     .force = contact->force};
        else if (model->contact.certify && plan->stage == 0)
            *law = stiffening(model, contact, &contacts->parts[i]);
        else
            *law = (LitheContactLaw){
                .stiffness = contact->stiffness, .gap = contact->gap, .room = INFINITY};
        law->weight = lithe_contact_weight(model, state, plan, work, contact);
    }
    return true;
}

static void mark(LitheWork *work, const LitheSite *site) {
    if (site->unit >= 0)
        work->units[site->unit].waits = work->units[site->unit].touched = true;
}

// marks the units that a contact or a constraint may act on
static void mark_touched(const LitheModel *model, const LitheState *state, LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++)
        work->units[i].waits = work->units[i].touched = work->units[i].met = false;
    for (int32_t i = 0; i < work->contacts->count; i++)
        for (int k = 0; k < 2; k++)
            mark(work, &work->contacts->parts[i].site[k]);
    for (int32_t i = 0; i < model->unit_count; i++)
        work->units[i].met = work->units[i].touched;
    for (int32_t i = 0; i < model->unit_count; i++)
        if (model->units[i].rides)
            work->units[i].waits = work->units[i].touched = work->units[i].met = true;
    for (int32_t i = 0; i < model->constraint_count; i++) {
        const LitheConstraint *c = &model->constraints[i];
        if (!lithe_tie_binds(state, i))
            continue;
        mark(work, &c->a.site);
        mark(work, &c->b.site);
    }
}

// Searches contacts: at the state, or with the midpoint rule at the predicted middle of the step.
static LitheStatus search(const LitheModel *model, const LitheState *state,
                          const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    // poses at the start are kept for the certificate
    bool predicted = plan->velocity != NULL;
    LitheCollideOptions options = {.margin = work->outcome.margin,
                                   .step = model->contact.single || plan->still ? 0 : plan->h,
                                   .glide = lithe_contact_glide(model),
                                   .single = model->contact.single,
                                   .pool = work->pool,
                                   .placed = predicted ? NULL : &work->placed[0]};
    LitheStatus status = lithe_collide(model, state, &options, work->contacts, error);
    if (status != LITHE_OK || !lithe_has_middle(plan) || work->contacts->count == 0)
        return status;
    if (!lithe_middle_predict(model, state, plan, work))
        return lithe_fail_memory(error, "the middle of a step");
    if (lithe_plan_holds(plan) || !lithe_middle_is_near(model, state, work))
        return status;
    work->outcome.ahead = true;
    return lithe_collide(model, work->seen, &options, work->contacts, error);
}

static LitheStatus begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                         LitheWork *work, LitheError *error) {
    work->contacts->count = work->contacts->unsupported = 0;
    work->contacts->polygons = work->contacts->folded = 0;
    work->outcome.ahead = plan->velocity != NULL; // the state is the predicted end of a stage
    work->outcome.again = false;
    if (plan->stage == 0) // with stages: called at the start of the step
        lithe_constraints_begin(model, state, plan->still ? plan->time : plan->time + plan->h / 2);
    bool parts = lithe_can_touch(model);
    LitheStatus status = LITHE_OK;
    if (parts) {
        bool given = plan->attempt && plan->attempt->margin > 0;
        work->outcome.margin = given ? plan->attempt->margin : lithe_contact_margin(model, plan->h);
        status = search(model, state, plan, work, error);
        if (status == LITHE_OK)
            lithe_ties_leave(model, work->contacts, state);
    }
    if (status == LITHE_OK && plan->stage > 0 && needs_stiffening(model, work->contacts))
        status =
            lithe_fail(error, LITHE_CANNOT_GO_ON, "a contact is too deep for a step in stages");
    if (status == LITHE_OK && plan->stage > 0 && rubs_stiffly(model, plan, work->contacts))
        status = lithe_fail(error, LITHE_CANNOT_GO_ON,
                            "friction of a rod is too stiff for a step in stages");
    if (status == LITHE_OK && !set_laws(model, state, plan, work))
        status = lithe_fail_memory(error, "the laws of contacts");
    mark_touched(model, state, work);
    return status;
}

// --- solve ---------------------------------------------------------------------------------------

static LitheStatus solve_once(const LitheAssembly *all, LitheSystem *system, LitheError *error) {
    const LitheModel *model = all->model;
    const LitheStepPlan *plan = all->plan;
    LitheWork *work = all->work;
    work->outcome.passes = 0;
    bool ok = lithe_system_begin(model, system);
    for (int32_t i = 0; ok && i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (ops->prepare)
            ops->prepare(model, i, work);
    }
    ok = ok && lithe_rides_begin(all, system) && lithe_assemble_contacts(all, system) &&
         lithe_assemble_constraints(all, system) && lithe_assemble_dofs(all, system) &&
         lithe_persistent_reserve(plan, work);
    if (!ok)
        return lithe_fail_memory(error, "the couplings of bodies");
    if (system->coupling_count == 0 && !system->rides)
        return LITHE_OK;
    lithe_contacts_idle(all, system);
    if (!lithe_system_number(all, system) || !lithe_settle_begin(system))
        return lithe_fail_memory(error, "the matrix of coupled bodies");
    lithe_stage_enter(&work->stages, LITHE_STAGE_LINE_SEARCH);
    if (!lithe_coupled_solve(all, system))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "the contact solver met a number that is not finite (%d contacts and "
                          "constraints) in the step of %g s that starts at t = %g s",
                          (int)system->coupling_count, plan->h, plan->time);
    return LITHE_OK;
}

static LitheStatus solve(const LitheModel *model, const LitheState *state,
                         const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    LitheSystem *system = work->system;
    LitheAssembly all = {model, state, work->contacts, plan, work};
    LitheStatus status = solve_once(&all, system, error);
    int32_t iterations = system->iterations, passes = work->outcome.passes;
    // midpoint rule: solves again at the middle that the last solve found
    for (int32_t k = 0; k < MAX_MOVES && status == LITHE_OK && lithe_has_middle(plan); k++) {
        if (!lithe_middle_move(&all, system))
            break;
        work->outcome.again = true;
        status = solve_once(&all, system, error);
        system->iterations = iterations += system->iterations;
        work->outcome.passes = passes += work->outcome.passes;
    }
    return status;
}

// --- end -----------------------------------------------------------------------------------------

// energy that the couplings took out of the units: -impulse . v, v the mean velocity of the step;
// those from number `from` on, which are no contacts
static void book(const LitheAssembly *all, const LitheSystem *system, int32_t from,
                 LitheState *state) {
    double *took = state->took;
    static const int accounts[] = {[LITHE_SOURCE_CONSTRAINT] = LITHE_TOOK_CONSTRAINTS,
                                   [LITHE_SOURCE_LIMIT] = LITHE_TOOK_CONSTRAINTS,
                                   [LITHE_SOURCE_DRY] = LITHE_TOOK_FRICTION,
                                   [LITHE_SOURCE_DRIVE] = LITHE_TOOK_DRIVES};
    for (int32_t i = from; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; k < c->term.rows; k++) {
            took[accounts[c->source]] +=
                lithe_is_one_sided(c) ? lithe_stop_took(all, system, c) : -c->impulse[k] * c->v[k];
            double work = c->impulse[k] * (c->is_pulled ? c->v[k] : c->reel);
            if (work != 0)
                lithe_constraint_supply(state, c->index, work);
        }
    }
}

// forces of welds on the nodes that ride
static void note_rides(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                       const LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnit *unit = &model->units[i];
        Vec3 force = v3(0, 0, 0), torque = force, first = force;
        for (int32_t k = 0; k < unit->rider_count; k++) {
            const LitheRider *rider = &unit->riders[k];
            int64_t at = lithe_unit_dof(unit, rider->node);
            bool begins = k == 0 || unit->riders[k - 1].constraint != rider->constraint;
            bool ends =
                k == unit->rider_count - 1 || unit->riders[k + 1].constraint != rider->constraint;
            Vec3 x = v3_load(state->q + unit->q_at + at);
            Vec3 f = v3_scale(1 / plan->h, v3_load(work->units[i].impulse + at));
            first = begins ? x : first;
            force = v3_add(begins ? v3(0, 0, 0) : force, f);
            torque = v3_add(begins ? v3(0, 0, 0) : torque, v3_cross(v3_sub(x, first), f));
            if (ends)
                lithe_constraint_store(state, rider->constraint, force, torque);
        }
    }
}

// The contacts, which are the first couplings: their part of the report and, with `took`, of the
// energies. Returns their number.
static int32_t end_contacts(const LitheModel *model, const LitheStepPlan *plan,
                            const LitheWork *work, double *took, LitheReport *report) {
    const LitheSystem *system = work->system;
    int32_t last[2] = {-1, -1}; // parts of the contact before
    double size = INFINITY;     // of the smaller one of these parts
    double friction = took ? took[LITHE_TOOK_FRICTION] : 0;
    double normal = took ? took[LITHE_TOOK_NORMAL] : 0;
    int32_t i = 0;
    for (; i < system->coupling_count && system->couplings[i].source == LITHE_SOURCE_CONTACT; i++) {
        const LitheCoupling *c = &system->couplings[i];
        const LitheContactLaw *law = &system->contact_laws[c->index];
        const LitheContactParts *parts = &work->contacts->parts[c->index];
        for (int32_t k = 0; k < c->term.rows; k++)
            *(k == 2 ? &normal : &friction) -= c->impulse[k] * c->v[k];
        // overlaps of the predicted middle are not real
        double gap = lithe_has_middle(plan) ? law->start : work->contacts->contacts[c->index].gap;
        if (parts->part[0] != last[0] || parts->part[1] != last[1])
            size = lithe_contact_half(model, &work->contacts->contacts[c->index]);
        last[0] = parts->part[0];
        last[1] = parts->part[1];
        if (-gap > report->deepest)
            report->deepest = -gap;
        if (gap < 0 && -gap > report->deepest_fraction * size)
            report->deepest_fraction = fmax(report->deepest_fraction, -gap / size);
        report->active += c->impulse[2] > 0;
        report->stiffened += c->impulse[2] > 0 && law->stiffened;
    }
    report->contacts += i;
    if (took) {
        took[LITHE_TOOK_FRICTION] = friction;
        took[LITHE_TOOK_NORMAL] = normal;
    }
    return i;
}

static void end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                LitheWork *work, LitheReport *report) {
    const LitheSystem *system = work->system;
    report->pairs_unserved = work->contacts->unsupported;
    report->passes = work->outcome.passes;
    lithe_contacts_note(model, work->contacts, system, plan, state);
    bool staged = model->time.scheme == LITHE_SCHEME_TR_BDF2;
    if (staged)
        lithe_persistent_end(model, state, plan, work);
    if (work->outcome.passes == 0)
        return;
    report->solve_iterations = system->iterations;
    report->solve_unconverged = !system->converged;
    report->friction_unsettled = work->outcome.lagging;
    report->solve_residual = system->residual;
    report->backward_error = system->backward_error;
    report->line_search_cuts += work->outcome.cuts;
    bool books = !staged && !plan->still;
    LitheAssembly all = {model, state, work->contacts, plan, work};
    if (plan->stage > 0 || lithe_has_middle(plan))
        work->outcome.stopped |= lithe_stops_any(&all, system);
    if (plan->stage == 1)
        return;
    int32_t contacts = end_contacts(model, plan, work, books ? state->took : NULL, report);
    if (books)
        book(&all, system, contacts, state);
    note_rides(model, state, plan, work);
    for (int32_t i = contacts; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_LIMIT)
            lithe_limit_note(system, c, c->weight * plan->h);
        if (c->source == LITHE_SOURCE_DRIVE)
            state->own[system->dof_terms[c->index].effort_at] +=
                c->impulse[0] / (c->weight * plan->h);
    }
    lithe_coupled_note_constraints(model, state, plan, system, report);
}

const LitheContactSolver lithe_contact_convex = {
    .regularises = true,
    .begin = begin,
    .solve = solve,
    .end = end,
    .contact_count = lithe_coupled_contact_count,
    .contact_force = lithe_coupled_contact,
};
