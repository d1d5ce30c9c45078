// SPDX-License-Identifier: Apache-2.0
// solve/contact_potential.c - contact models with potentials between edges of rods: imc and spt
//
// Both minimise the incremental potential of all units and of the pairs of edges that are near each
// other (solve/potential.c). They differ in what a pair is: solve/imc.c, solve/spt.c.

#include "base/memory.h"
#include "body/rod.h"
#include "collide/collide.h"
#include "solve/contact_model.h"
#include "solve/imc.h"
#include "solve/potential.h"
#include "solve/spt.h"

#include <math.h>

// relative change of the friction bounds below which they count as converged
#define SETTLED 1e-3
// max friction that does not oppose the sliding, over its bound, that counts as converged
#define ASTRAY 0.1
// max updates of lagged terms per step; after these the lagged terms are constant
#define MAX_UPDATES 40
// max corrections of forces of spt
#define MAX_CORRECTIONS 50

typedef struct Scratch {
    LithePotential *potential;
    LithePotentialOutcome outcome;
    LitheImc *imc; // one of imc and spt is used, by the contact model
    LitheSpt *spt;
} Scratch;

static Scratch *scratch_of(const LitheWork *work) {
    return work->contact_scratch;
}

// --- common to both ------------------------------------------------------------------------------

static Scratch *create(LitheWork *work) {
    Scratch *scratch = lithe_alloc(work->context, sizeof *scratch);
    work->contact_scratch = scratch;
    if (scratch)
        scratch->potential = lithe_potential_create(work->context);
    return scratch && scratch->potential ? scratch : NULL;
}

static void destroy(LitheWork *work) {
    Scratch *scratch = scratch_of(work);
    if (!scratch)
        return;
    lithe_potential_destroy(scratch->potential);
    lithe_imc_destroy(scratch->imc);
    lithe_spt_destroy(scratch->spt);
    lithe_free(work->context, scratch);
}

// pairs of edges within reach
static LitheStatus begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                         LitheWork *work, LitheError *error) {
    double thickest = 0;
    work->contacts->count = work->contacts->unsupported = 0;
    if (!model->contact.enabled)
        return LITHE_OK;
    for (int32_t i = 0; i < model->rod_count; i++)
        thickest = fmax(thickest, lithe_rod_contact_radius(&model->rods[i]));
    work->outcome.margin = model->contact.imc.reach * thickest;
    return lithe_collide_edges(model, state, model->contact.imc.reach, plan->h, work->contacts,
                               error);
}

// (I26): first guess: the velocities change as in the last step
static void guess(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                  LitheWork *work) {
    for (int32_t i = 0; i < model->unit_count; i++) {
        LitheUnitWork *unit = &work->units[i];
        const double *rates = state->accelerations + model->units[i].v_at;
        for (int64_t k = 0; k < unit->dof_count; k++)
            unit->w[k] += unit->held[k] ? 0 : plan->h * rates[k];
    }
}

static LitheStatus solve(const LitheModel *model, const LitheState *state,
                         const LitheStepPlan *plan, const LitheInteraction *act,
                         const LithePotentialSetting *setting, LitheWork *work, LitheError *error) {
    Scratch *scratch = scratch_of(work);
    LitheStatus status;
    guess(model, state, plan, work);
    if (!lithe_potential_solve(model, act, setting, work, scratch->potential, &scratch->outcome,
                               &status) &&
        status == LITHE_NO_MEMORY)
        return lithe_fail_memory(error, "the matrix of pairs");
    work->outcome.passes = 1;
    return LITHE_OK;
}

// accelerations for the next guess, what contacts took out of the rods [J], and the report
static void end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                LitheWork *work, double friction, double normal, LitheReport *report) {
    const LithePotentialOutcome *outcome = &scratch_of(work)->outcome;
    for (int64_t k = 0; k < model->v_count; k++)
        state->accelerations[k] = (state->v[k] - work->before->v[k]) / plan->h;
    state->took[LITHE_TOOK_FRICTION] += friction;
    state->took[LITHE_TOOK_NORMAL] += normal;
    report->passes = 1 + outcome->lagged_updates;
    report->solve_iterations = outcome->iterations;
    report->solve_unconverged = !outcome->converged;
    report->friction_unsettled = !outcome->settled;
    report->solve_residual = outcome->residual;
    report->contacts = report->active = work->contacts->count;
    for (int32_t i = 0; i < work->contacts->count; i++)
        report->deepest = fmax(report->deepest, -work->contacts->contacts[i].gap);
}

static int32_t contact_count(const LitheWork *work) {
    return work->contacts->count;
}

// --- imc -----------------------------------------------------------------------------------------

static bool imc_create(LitheWork *work) {
    Scratch *scratch = create(work);
    return scratch && (scratch->imc = lithe_imc_create(work->context));
}

static LitheStatus imc_begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                             LitheWork *work, LitheError *error) {
    LitheStatus status = begin(model, state, plan, work, error);
    if (status != LITHE_OK || !model->contact.enabled)
        return status;
    double *force = state->potential_contact;
    *force = *force > 0 ? lithe_imc_next_force(model, work->contacts, *force, plan->h)
                        : lithe_imc_first_force(model);
    return LITHE_OK;
}

static LitheStatus imc_solve(const LitheModel *model, const LitheState *state,
                             const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    LitheImc *imc = scratch_of(work)->imc;
    const LitheContactDef *def = &model->contact;
    LithePotentialSetting setting = {.tolerance = def->tolerance,
                                     .max_iterations = def->max_iterations,
                                     .plain = def->imc.plain,
                                     .settled = SETTLED,
                                     .max_lagged_updates = MAX_UPDATES};
    if (!lithe_imc_begin(model, state, plan, work->contacts, state->potential_contact[0], imc))
        return lithe_fail_memory(error, "the pairs of a step");
    LitheInteraction act = lithe_imc_interaction(imc);
    return solve(model, state, plan, &act, &setting, work, error);
}

static void imc_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                    LitheWork *work, LitheReport *report) {
    const LitheImc *imc = scratch_of(work)->imc;
    double friction, normal;
    // after a backward Euler step the velocities of the state are w, in the same order
    double astray = lithe_imc_took(imc, state->v, &friction, &normal);
    state->potential_contact[0] = lithe_imc_max_force(imc);
    end(model, state, plan, work, friction, normal, report);
    report->stored = lithe_imc_stored(imc);
    report->friction_astray = astray;
    report->friction_unsettled |= astray > ASTRAY;
}

static LitheContactForce imc_contact(const LitheWork *work, int32_t index) {
    LitheContactForce out = {.contact = work->contacts->contacts[index]};
    out.force = lithe_imc_force(scratch_of(work)->imc, index, &out.normal, &out.slip);
    return out;
}

const LitheContactSolver lithe_contact_imc = {
    .together = true,
    .create = imc_create,
    .destroy = destroy,
    .begin = imc_begin,
    .solve = imc_solve,
    .end = imc_end,
    .contact_count = contact_count,
    .contact_force = imc_contact,
};

// --- spt -----------------------------------------------------------------------------------------

static bool spt_create(LitheWork *work) {
    Scratch *scratch = create(work);
    return scratch && (scratch->spt = lithe_spt_create(work->context));
}

static LitheStatus spt_solve(const LitheModel *model, const LitheState *state,
                             const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    LitheSpt *spt = scratch_of(work)->spt;
    const LitheContactDef *def = &model->contact;
    // each correction is a separate solve
    LithePotentialSetting setting = {.tolerance = def->tolerance,
                                     .max_iterations = def->max_iterations * MAX_CORRECTIONS,
                                     .max_lagged_updates = MAX_CORRECTIONS};
    if (!lithe_spt_begin(model, state, plan, work->contacts, spt))
        return lithe_fail_memory(error, "the pairs of a step");
    LitheInteraction act = lithe_spt_interaction(spt);
    return solve(model, state, plan, &act, &setting, work, error);
}

static void spt_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                    LitheWork *work, LitheReport *report) {
    double friction, normal;
    lithe_spt_took(scratch_of(work)->spt, state->v, &friction, &normal);
    end(model, state, plan, work, friction, normal, report);
}

static LitheContactForce spt_contact(const LitheWork *work, int32_t index) {
    LitheContactForce out = {.contact = work->contacts->contacts[index]};
    out.force = lithe_spt_force(scratch_of(work)->spt, index, &out.normal, &out.slip);
    return out;
}

const LitheContactSolver lithe_contact_spt = {
    .together = true,
    .create = spt_create,
    .destroy = destroy,
    .begin = begin,
    .solve = spt_solve,
    .end = spt_end,
    .contact_count = contact_count,
    .contact_force = spt_contact,
};
