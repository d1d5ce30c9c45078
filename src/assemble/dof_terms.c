// SPDX-License-Identifier: Apache-2.0
// assemble/dof_terms.c - limits, dry friction and bounded drives of the units' own DoFs ->
// couplings

#include "assemble/assemble.h"
#include "assemble/constraint_parts.h"

#include "base/memory.h"
#include "body/unit.h"

#include <math.h>

// stick speed: friction is 1/sqrt(2) of its bound at this speed [rad/s or m/s]: creep is negligible
#define STICK_SPEED 1e-8

// Factor of beta for velocity limits. Velocity errors at a position limit decay, those at a
// velocity limit do not, so velocity limits are stiffer: a drive that would change the velocity by
// dv in a step exceeds the limit by 2.5e-8 dv.
#define VELOCITY_BETA 0.02

typedef struct Adding {
    const LitheAssembly *all;
    LitheSystem *system;
} Adding;

// Static steps: the displacement of a DoF since the start of the load step, which dry friction
// opposes, as (Q9) for contacts
static double slip_of(const LitheSystem *system, int32_t unit, int32_t dof) {
    for (int32_t i = 0; i < system->dry_slip_count; i++)
        if (system->dry_slips[i].unit == unit && system->dry_slips[i].dof == dof)
            return system->dry_slips[i].slip;
    return 0;
}

// adds the displacement of a static step to the slip of a DoF with dry friction
static bool add_slip(const LitheWork *work, int32_t unit, int32_t dof) {
    LitheSystem *system = work->system;
    int32_t i = 0;
    while (i < system->dry_slip_count &&
           (system->dry_slips[i].unit != unit || system->dry_slips[i].dof != dof))
        i++;
    if (i == system->dry_slip_count) {
        if (!LITHE_RESERVE(system->context, system->dry_slips, system->dry_slip_capacity, i + 1))
            return false;
        system->dry_slips[system->dry_slip_count++] = (LitheDrySlip){unit, dof, 0};
    }
    system->dry_slips[i].slip += work->units[unit].w[dof];
    return true;
}

bool lithe_dry_slips_add(const LitheWork *work) {
    const LitheSystem *system = work->system;
    for (int32_t i = 0; i < system->dof_term_count; i++) {
        const LitheDofTerm *term = &system->dof_terms[i];
        for (int32_t k = 0; term->source == LITHE_SOURCE_DRY && k < term->dof_count; k++)
            if (!add_slip(work, term->unit, term->dof + k))
                return false;
    }
    return true;
}

static bool add_term(const LitheDofTerm *term, void *user) {
    const Adding *to = user;
    LitheSystem *system = to->system;
    int32_t index = system->dof_term_count;
    if (!LITHE_RESERVE(system->context, system->dof_terms, system->dof_term_capacity, index + 1))
        return false;
    system->dof_terms[system->dof_term_count++] = *term;
    LitheCoupling *c = lithe_coupling_add(system, term->source, index, term->rows, NULL, NULL);
    if (!c)
        return false;
    c->side = term->side;
    c->drive = term->drive;
    for (int32_t k = 0; k < term->dof_count; k++) {
        bool dry = term->source == LITHE_SOURCE_DRY;
        if (dry && to->all->plan->still)
            c->bias[k] = slip_of(system, term->unit, term->dof + k);
        if (!lithe_coupling_dof(to->all, system, term->unit, term->dof + k, dry ? k : 0,
                                dry ? 1 : term->part[k]))
            return false;
    }
    return true;
}

bool lithe_assemble_dofs(const LitheAssembly *all, LitheSystem *system) {
    Adding to = {all, system};
    system->dof_term_count = 0;
    for (int32_t i = 0; i < all->model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(all->model, i);
        if (ops->terms && !ops->terms(all->model, i, all->work, all->plan, add_term, &to))
            return false;
    }
    return true;
}

// (Q7) for limits: the effort of the last proximal step
static double effort_of(const LitheSystem *system, const LitheDofTerm *term) {
    for (int32_t i = 0; i < system->limit_effort_count; i++) {
        const LitheLimitEffort *e = &system->limit_efforts[i];
        if (e->unit == term->unit && e->dof == term->dof && e->side == term->side)
            return e->effort;
    }
    return 0;
}

static void set_static(const LitheSystem *system, const LitheDofTerm *term,
                       LitheCompliance *compliance, LitheTerm *out) {
    compliance->tau = 0;
    if (term->source == LITHE_SOURCE_LIMIT) {
        lithe_term_limit(out, 1, term->gap, compliance);
        out->vhat[0] += effort_of(system, term) / out->G[0];
    } else if (term->source == LITHE_SOURCE_DRY) {
        lithe_term_dry(out, out->rows, 1, term->bound, STICK_SPEED, 0);
    } else {
        compliance->stiffness = term->stiffness;
        compliance->damping = compliance->beta = 0;
        lithe_term_drive(out, 1, term->error, 0, term->bound, compliance);
    }
}

static void set_law(const LitheAssembly *all, LitheSystem *system, LitheCoupling *c) {
    const LitheDofTerm *term = &system->dof_terms[c->index];
    double h = all->plan->h, scale = lithe_coupling_scale(system, c, 0, c->term.rows);
    LitheCompliance compliance = lithe_compliance_rigid(scale);
    compliance.beta *= sqrt(lithe_plan_soften(all->plan)); // (V32) of docs/theory/contact.md
    compliance.tau = lithe_correction_time(all);
    if (all->plan->still) {
        set_static(system, term, &compliance, &c->term);
    } else if (term->of_velocity) {
        compliance.beta *= VELOCITY_BETA;
        lithe_term_at_least(&c->term, h, term->least, &compliance);
    } else if (term->source == LITHE_SOURCE_LIMIT) {
        lithe_term_limit(&c->term, h, term->gap - lithe_coupling_lead(all, system, c, 0),
                         &compliance);
    } else if (term->source == LITHE_SOURCE_DRY) {
        lithe_term_dry(&c->term, c->term.rows, h, term->bound, STICK_SPEED, 0);
    } else {
        compliance.stiffness = term->stiffness;
        compliance.damping = term->damping;
        double error = term->error;
        if (term->stiffness > 0)
            error -= lithe_coupling_lead(all, system, c, 0);
        lithe_term_drive(&c->term, h, error, term->rate, term->bound, &compliance);
    }
}

bool lithe_coupling_kept(const LitheAssembly *all, const LitheSystem *system,
                         const LitheCoupling *c, double *force) {
    if (c->source == LITHE_SOURCE_LIMIT)
        *force = effort_of(system, &system->dof_terms[c->index]);
    return c->source == LITHE_SOURCE_LIMIT ||
           (c->source == LITHE_SOURCE_CONSTRAINT && lithe_constraint_kept(all, c, force));
}

bool lithe_limits_keep(LitheSystem *system) {
    int32_t count = 0;
    if (!LITHE_RESERVE(system->context, system->limit_efforts, system->limit_effort_capacity,
                       system->dof_term_count))
        return false;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_LIMIT || !(c->impulse[0] > 0))
            continue;
        const LitheDofTerm *term = &system->dof_terms[c->index];
        system->limit_efforts[count++] =
            (LitheLimitEffort){term->unit, term->dof, term->side, c->impulse[0]};
    }
    system->limit_effort_count = count;
    return true;
}

void lithe_limit_note(const LitheSystem *system, const LitheCoupling *c, double h) {
    const LitheDofTerm *term = &system->dof_terms[c->index];
    for (int32_t k = 0; k < term->dof_count && term->limits; k++)
        term->limits[k] += term->part[k] * c->impulse[0] / h;
}

void lithe_dof_laws(const LitheAssembly *all, LitheSystem *system) {
    // contacts are the first couplings
    for (int32_t i = system->coupling_count - 1;
         i >= 0 && system->couplings[i].source != LITHE_SOURCE_CONTACT; i--)
        if (system->couplings[i].source >= LITHE_SOURCE_LIMIT)
            set_law(all, system, &system->couplings[i]);
}
