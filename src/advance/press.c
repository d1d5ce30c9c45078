// SPDX-License-Identifier: Apache-2.0
// advance/press.c - the part of a step that couples rods, under contact models with potentials

#include "advance/press.h"

#include "base/memory.h"
#include "body/rod.h"
#include "collide/collide.h"
#include "solve/imc.h"
#include "solve/potential.h"
#include "solve/spt.h"

#include <math.h>

// what bounds friction settles to this part of it
#define SETTLED 1e-3
// looks at it a step; beyond, it stays as it is
#define MOST_LOOKS 40
// and corrections of forces of spt
#define MOST_CORRECTIONS 50

struct LithePress {
    LithePotential *potential;
    LitheImc *imc;
    LitheSpt *spt;
    LithePotentialOutcome outcome;
};

static LitheContactForce contact_force(const LitheWork *work, int32_t index) {
    LitheContactForce out = {.contact = work->contacts->contacts[index]};
    out.force = work->model->contact.model == LITHE_CONTACT_IMC
                    ? lithe_imc_force(work->press->imc, index, &out.normal, &out.slip)
                    : lithe_spt_force(work->press->spt, index, &out.normal, &out.slip);
    return out;
}

bool lithe_press_open(LitheWork *work) {
    if (!lithe_presses(work->model))
        return true;
    work->press = lithe_alloc(work->context, sizeof *work->press);
    if (!work->press)
        return false;
    work->press_contact = contact_force;
    work->press->potential = lithe_potential_create(work->context);
    work->press->imc = lithe_imc_create(work->context);
    work->press->spt = lithe_spt_create(work->context);
    return work->press->potential && work->press->imc && work->press->spt;
}

void lithe_press_close(LitheWork *work) {
    if (!work->press)
        return;
    lithe_potential_destroy(work->press->potential);
    lithe_imc_destroy(work->press->imc);
    lithe_spt_destroy(work->press->spt);
    lithe_free(work->context, work->press);
}

LitheStatus lithe_press_begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                              LitheWork *work, LitheError *error) {
    double thickest = 0;
    work->contacts->count = work->contacts->unserved = 0;
    if (!model->contact.enabled)
        return LITHE_OK;
    for (int32_t i = 0; i < model->rod_count; i++)
        thickest = fmax(thickest, lithe_rod_contact_radius(&model->rods[i]));
    work->margin = model->contact.imc.reach * thickest;
    LitheStatus status =
        lithe_collide_edges(model, state, model->contact.imc.reach, plan->h, work->contacts, error);
    if (status == LITHE_OK && model->contact.model == LITHE_CONTACT_IMC) {
        double *force = state->press;
        *force = *force > 0 ? lithe_imc_next_force(model, work->contacts, *force, plan->h)
                            : lithe_imc_first_force(model);
    }
    return status;
}

// (I26): rods go on as before, and their velocities change as before
static void guess(const LitheModel *model, const LitheState *state, const LitheStepPlan *plan,
                  LitheWork *work) {
    for (int32_t i = 0; i < model->rod_count; i++) {
        LitheUnitWork *body = &work->units[i];
        const double *rates = state->rates + model->rods[i].dof_at;
        for (int64_t k = 0; k < body->dof_count; k++)
            body->w[k] += body->held[k] ? 0 : plan->h * rates[k];
    }
}

LitheStatus lithe_press_solve(const LitheModel *model, const LitheState *state,
                              const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    LithePress *press = work->press;
    const LitheContactDef *def = &model->contact;
    bool imc = def->model == LITHE_CONTACT_IMC;
    LithePotentialSetting setting = {.tolerance = def->tolerance,
                                     .max_iterations = def->max_iterations,
                                     .plain = imc ? def->imc.plain : 0,
                                     .settled = imc ? SETTLED : 0,
                                     .most_looks = imc ? MOST_LOOKS : MOST_CORRECTIONS};
    // corrections are solves of their own
    if (!imc)
        setting.max_iterations *= MOST_CORRECTIONS;
    bool ok = imc ? lithe_imc_begin(model, state, plan, work->contacts, state->press[0], press->imc)
                  : lithe_spt_begin(model, state, plan, work->contacts, press->spt);
    if (!ok)
        return lithe_fail_memory(error, "the pairs of a step");
    LitheInteraction act =
        imc ? lithe_imc_interaction(press->imc) : lithe_spt_interaction(press->spt);
    LitheStatus status;
    guess(model, state, plan, work);
    if (!lithe_potential_solve(model, &act, &setting, work, press->potential, &press->outcome,
                               &status) &&
        status == LITHE_NO_MEMORY)
        return lithe_fail_memory(error, "the matrix of pairs");
    work->passes = 1;
    return LITHE_OK;
}

void lithe_press_end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                     LitheWork *work, LitheReport *report) {
    const LithePress *press = work->press;
    const LithePotentialOutcome *outcome = &press->outcome;
    double friction, normal;
    // velocities of the rods stand one after the other, as in the state; a step of backward Euler
    // ends with w
    if (model->contact.model == LITHE_CONTACT_IMC) {
        lithe_imc_took(press->imc, state->v, &friction, &normal);
        state->press[0] = lithe_imc_most(press->imc);
    } else {
        lithe_spt_took(press->spt, state->v, &friction, &normal);
    }
    for (int64_t k = 0; k < model->v_count; k++)
        state->rates[k] = (state->v[k] - work->before->v[k]) / plan->h;
    state->took[LITHE_TOOK_FRICTION] += friction;
    state->took[LITHE_TOOK_NORMAL] += normal;
    report->passes = 1 + outcome->looks;
    report->solve_iterations = outcome->iterations;
    report->solve_unconverged = !outcome->converged;
    report->friction_unsettled = !outcome->settled;
    report->solve_residual = outcome->residual;
    report->contacts = work->contacts->count;
    for (int32_t i = 0; i < work->contacts->count; i++)
        report->deepest = fmax(report->deepest, -work->contacts->contacts[i].gap);
}
