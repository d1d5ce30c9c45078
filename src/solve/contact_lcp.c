// SPDX-License-Identifier: Apache-2.0
// solve/contact_lcp.c - the contact model lcp: contacts, joint limits, dry friction and bounded
// drives of bodies and robots as one complementarity problem per step
//
// Units only begin their step (LitheContactSolver.together). solve takes their residual and matrix
// at the velocity of the start, from which the free velocity follows by one linear solve (L2),
// whitens the rows of the couplings by the factors of the units, and solves for the impulses
// (solve/lcp_contact.h), island by island: units that couplings connect, directly or by others.
// Contacts are rigid: stiffness and dissipation of materials do not act. Numbers in brackets:
// docs/theory/lcp.md.

#include "assemble/assemble.h"
#include "base/log.h"
#include "base/memory.h"
#include "body/constraint.h"
#include "body/unit.h"
#include "collide/collide.h"
#include "data/thing.h"
#include "solve/contact_model.h"
#include "solve/coupled.h"
#include "solve/lcp_rows.h"

#include <math.h>
#include <string.h>

static LitheLcpScratch *scratch_of(const LitheWork *work) {
    return work->contact_scratch;
}

static bool create(LitheWork *work) {
    LitheLcpScratch *scratch = lithe_alloc(work->context, sizeof *scratch);
    work->contact_scratch = scratch;
    if (scratch)
        lithe_lcp_contact_work_begin(&scratch->lcp, work->context);
    return scratch;
}

static void destroy(LitheWork *work) {
    LitheLcpScratch *scratch = scratch_of(work);
    if (!scratch)
        return;
    lithe_lcp_contact_work_end(&scratch->lcp);
    lithe_free(work->context, scratch->doubles);
    lithe_free(work->context, scratch->contacts);
    lithe_free(work->context, scratch->source);
    lithe_free(work->context, scratch->island);
    lithe_free(work->context, scratch->rates);
    lithe_lcp_holds_free(work->context, &scratch->holds);
    lithe_lcp_rk23_free(work->context, scratch);
    lithe_free(work->context, scratch);
}

// --- begin ---------------------------------------------------------------------------------------

static LitheStatus begin(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                         LitheWork *work, LitheError *error) {
    LitheCollideOptions options = {.step = plan->h, .pool = work->pool};
    work->contacts->count = work->contacts->unsupported = 0;
    work->outcome.ahead = work->outcome.again = false;
    scratch_of(work)->solved = false;
    lithe_constraints_begin(model, state, plan->time + plan->h / 2);
    if (!lithe_can_touch(model))
        return LITHE_OK;
    options.margin = work->outcome.margin = lithe_contact_margin(model, plan->h);
    return lithe_collide(model, state, &options, work->contacts, error);
}

static bool is_rk23(const LitheModel *model) {
    return model->time.scheme == LITHE_SCHEME_RK23;
}

static bool is_explicit(const LitheModel *model) {
    return model->time.scheme == LITHE_SCHEME_SEMI_IMPLICIT || is_rk23(model);
}

// semi-implicit Euler: accelerations at the start; the step of the units begins again, since both
// use the same scratch
static bool accelerate(const LitheAssembly *all) {
    const LitheModel *model = all->model;
    LitheWork *work = all->work;
    double power;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        LitheUnitWork *own = &work->units[i];
        memset(own->impulse, 0, (size_t)own->dof_count * sizeof(double));
        double *zero = own->impulse, *a = scratch_of(work)->rates + model->units[i].v_at;
        own->finite =
            ops->accelerate(model, i, all->state, all->plan, zero, work, a, NULL, &power) &&
            ops->begin(model, i, all->state, all->plan, work);
        if (!own->finite)
            return false;
    }
    return true;
}

// (L2): factors of the units and free velocities in system->w; false: a matrix is not positive
static bool fly(const LitheAssembly *all, LitheSystem *system, LitheLcpScratch *s) {
    const LitheModel *model = all->model;
    // only the steps of semi-implicit Euler resolve dampers, so that impulses act on masses (L16)
    bool masses = is_rk23(model) ? model->contact.lcp.masses_alone : is_explicit(model);
    double *L = s->L;
    for (int32_t i = 0; i < system->unit_count; i++) {
        int32_t unit = system->units[i], node = system->first_node[unit];
        int32_t n = system->node_size[node], at = system->node_at[node];
        const double *A = system->A + system->matrix->value_at[system->matrix->start[node]];
        const double *rates = s->rates + (is_explicit(model) ? model->units[unit].v_at : 0);
        for (int32_t k = 0; k < n; k++) {
            // columns of A below the diagonal
            for (int32_t m = k; m < n; m++)
                L[(ptrdiff_t)n * m + k] = A[(ptrdiff_t)n * k + m];
            if (!masses)
                continue;
            memset(s->u, 0, (size_t)n * sizeof(double));
            s->u[k] = 1;
            lithe_unit_ops(model, unit)->mass(model, unit, all->work, s->u, s->a);
            for (int32_t m = k; m < n; m++)
                L[(ptrdiff_t)n * m + k] = system->held[at + k] ? m == k : s->a[m];
        }
        if (!lithe_lcp_factor(n, L))
            return false;
        double *w = system->w + at;
        for (int32_t k = 0; k < n; k++)
            w[k] = -system->r[at + k];
        lithe_lcp_forward(n, L, w);
        lithe_lcp_backward(n, L, w);
        for (int32_t k = 0; k < n; k++) {
            bool held = system->held[at + k];
            double change = held ? 0 : is_explicit(model) ? all->plan->h * rates[k] : w[k];
            w[k] = system->w0[at + k] + change;
        }
        L += (ptrdiff_t)n * n;
    }
    return true;
}

// --- memory of contacts --------------------------------------------------------------------------

// where a contact was in the last step; the search goes on where the last one ended
static const double *recall(const LitheModel *model, const LitheState *state, double name,
                            int64_t *at) {
    int64_t count = lithe_impulse_count(model), size = lithe_impulse_size(model);
    for (int64_t k = 0; k < count; k++) {
        const double *one = state->impulses + size * ((*at + k) % count);
        if (one[0] == name) {
            *at = (*at + k + 1) % count;
            return one + 1;
        }
    }
    return NULL;
}

static void start_from_last(const LitheAssembly *all, const LitheSystem *system,
                            LitheLcpScratch *s) {
    int32_t stride = all->model->contact.lcp.directions + 2;
    int64_t at = 0;
    memset(s->z + (ptrdiff_t)stride * s->first, 0,
           (size_t)stride * (size_t)(s->contact_count - s->first) * sizeof(double));
    for (int32_t i = s->first; i < s->contact_count; i++) {
        const LitheCoupling *c = &system->couplings[s->source[i]];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        double name = (double)lithe_contact_name(&all->contacts->contacts[c->index]);
        const double *z = recall(all->model, all->state, name, &at);
        if (z)
            memcpy(s->z + (ptrdiff_t)stride * i, z, (size_t)stride * sizeof(double));
    }
}

static void keep(const LitheModel *model, const LitheWork *work, LitheState *state) {
    const LitheLcpScratch *s = scratch_of(work);
    int64_t count = lithe_impulse_count(model), size = lithe_impulse_size(model), next = 0;
    memset(state->impulses, 0, (size_t)(count * size) * sizeof(double));
    for (int32_t i = 0; s->solved && i < s->contact_count && next < count; i++) {
        const LitheCoupling *c = &work->system->couplings[s->source[i]];
        const double *z = s->z + (size - 1) * i;
        if (c->source != LITHE_SOURCE_CONTACT || !(z[0] > 0))
            continue;
        double *one = state->impulses + size * next++;
        one[0] = (double)lithe_contact_name(&work->contacts->contacts[c->index]);
        memcpy(one + 1, z, (size_t)(size - 1) * sizeof(double));
    }
}

// --- solve ---------------------------------------------------------------------------------------

static LitheLcpSetting setting_of(const LitheModel *model) {
    const LitheLcpDef *def = &model->contact.lcp;
    LitheLcpSetting setting = lithe_lcp_setting();
    setting.method = (LitheLcpMethod)def->solver;
    setting.directions = def->directions;
    setting.rank = def->rank;
    setting.scale = def->scale;
    setting.regularise = def->regularise;
    setting.recheck = def->recheck;
    setting.warm = def->warm_start;
    setting.fall_back = def->fall_back;
    return setting;
}

_Static_assert((int)LITHE_LCP_BY_LEMKE == (int)LITHE_LCP_LEMKE &&
                   (int)LITHE_LCP_BY_GAUSS_SEIDEL == (int)LITHE_LCP_GAUSS_SEIDEL,
               "the solvers of scenes are the methods");

static void add_report(const LitheLcpStepReport *one, LitheLcpStepReport *sum) {
    sum->contacts += one->contacts;
    sum->kept += one->kept;
    sum->dropped += one->dropped;
    sum->brought_back += one->brought_back;
    sum->condition = fmax(sum->condition, one->condition);
    sum->iterations += one->iterations;
    sum->residual = fmax(sum->residual, one->residual);
    sum->restarts += one->restarts;
    sum->fall_backs += one->fall_backs;
    sum->weakened = one->weakened > sum->weakened ? one->weakened : sum->weakened;
}

// all islands; false when out of memory
static bool solve_islands(const LitheAssembly *all, LitheSystem *system, LitheLcpScratch *s) {
    LitheLcpSetting setting = setting_of(all->model);
    s->lcp.lcp.meter = &all->work->meter;
    int32_t stride = lithe_lcp_stride(&setting);
    s->report = (LitheLcpStepReport){.condition = 1};
    s->unsolved = false;
    s->contact_count = 0;
    s->holds.contradicts = -1;
    s->holds.contradiction = 0;
    for (int32_t i = 0; i < system->coupling_count; i++)
        memset(system->couplings[i].impulse, 0, sizeof system->couplings[i].impulse);
    lithe_lcp_islands(system, s);
    for (int32_t root = 0; root < system->node_count; root++) {
        LitheLcpStepReport one;
        if (s->island[root] != root)
            continue;
        lithe_lcp_number_island(system, root, s);
        lithe_lcp_hold(all, system, root, s);
        lithe_lcp_list_rows(all, system, root, s);
        if (s->contact_count == s->first) {
            lithe_lcp_hold_finish(system, s); // nothing else acts on it
            continue;
        }
        start_from_last(all, system, s);
        LitheLcpRows rows = {.dof_count = s->dof_count,
                             .row_count = s->row_count,
                             .contact_count = s->contact_count - s->first,
                             .S = s->S,
                             .v = s->v,
                             .soft = s->soft,
                             .contacts = s->contacts + s->first};
        if (!lithe_lcp_contacts(&rows, &setting, &s->lcp, s->z + (ptrdiff_t)stride * s->first,
                                s->impulse, s->u, &one))
            return false;
        add_report(&one, &s->report);
        s->unsolved |= !setting.fall_back && one.as_posed != LITHE_LCP_SOLVED;
        lithe_lcp_finish_island(system, root, s);
        lithe_lcp_hold_finish(system, s);
    }
    return true;
}

// velocities and impulses for couplings and units
static void finish(const LitheAssembly *all, LitheSystem *system) {
    for (int32_t i = 0; i < system->unit_count; i++) {
        LitheUnitWork *own = &all->work->units[system->units[i]];
        int32_t at = system->node_at[system->first_node[system->units[i]]];
        memcpy(own->w, system->w + at, (size_t)own->dof_count * sizeof(double));
        own->iterations = own->cuts = own->corrected = 0;
        own->residual = 0;
        own->converged = own->finite = true;
    }
    // a body welded to the world has no DoFs, and no part in the system
    for (int32_t i = 0; i < all->model->unit_count; i++) {
        LitheUnitWork *own = &all->work->units[i];
        if (own->dof_count == 0) {
            own->iterations = own->cuts = own->corrected = 0;
            own->coupled = own->converged = true;
        }
    }
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        c->weight = 1;
        c->term.h = all->plan->h;
        for (int32_t k = 0; k < c->term.rows; k++)
            c->v[k] = lithe_lcp_speed(system, c, k);
    }
    lithe_coupled_hand_back(all, system);
}

static LitheStatus fail_unsolved(const LitheStepPlan *plan, const LitheLcpScratch *s,
                                 LitheError *error) {
    return lithe_fail(error, LITHE_CANNOT_GO_ON,
                      "the complementarity problem of %d contacts, limits and drives has no "
                      "solution that was found (residual %.3g) in the step of %g s that starts at "
                      "t = %g s",
                      (int)s->contact_count, s->report.residual, plan->h, plan->time);
}

static LitheStatus solve(const LitheModel *model, const LitheState *state,
                         const LitheStepPlan *plan, LitheWork *work, LitheError *error) {
    LitheSystem *system = work->system;
    LitheAssembly all = {model, state, work->contacts, plan, work};
    LitheLcpScratch *s = scratch_of(work);
    work->outcome.passes = 0;
    system->whole = true; // bodies that nothing touches move by (L2), too
    if (is_explicit(model) &&
        !LITHE_RESERVE(work->context, s->rates, s->rate_capacity, model->v_count))
        return lithe_fail_memory(error, "the accelerations of a step");
    if (is_rk23(model)) {
        LitheStatus status = lithe_lcp_rk23(&all, s, error);
        if (status != LITHE_OK)
            return status;
    } else if (is_explicit(model) && !accelerate(&all)) {
        return LITHE_OK; // a unit is not finite: the step says so
    }
    bool ok = lithe_system_begin(model, system);
    for (int32_t i = 0; ok && i < model->unit_count; i++)
        if (lithe_unit_ops(model, i)->prepare)
            lithe_unit_ops(model, i)->prepare(model, i, work);
    ok = ok && lithe_assemble_contacts(&all, system) && lithe_assemble_constraints(&all, system) &&
         lithe_assemble_dofs(&all, system) && lithe_system_number(&all, system) &&
         lithe_lcp_rows_reserve(model, system, s);
    if (!ok)
        return lithe_fail_memory(error, "the contacts of bodies");
    if (!(lithe_system_linearise(&all, LITHE_LINEARISE, system) < INFINITY) ||
        !fly(&all, system, s))
        return lithe_fail(error, LITHE_CANNOT_GO_ON,
                          "forces or masses are not finite in the step of %g s that starts at "
                          "t = %g s",
                          plan->h, plan->time);
    lithe_constraint_laws(&all, system);
    lithe_stage_enter(&work->stages, LITHE_STAGE_LINE_SEARCH);
    if (!solve_islands(&all, system, s))
        return lithe_fail_memory(error, "the complementarity problem of contacts");
    if (s->report.weakened == LITHE_LCP_UNSOLVED)
        return fail_unsolved(plan, s, error);
    finish(&all, system);
    work->outcome.passes = system->coupling_count > 0;
    s->solved = true;
    return LITHE_OK;
}

// --- end -----------------------------------------------------------------------------------------

// energy that the couplings took out of the units
static void book(const LitheAssembly *all, const LitheSystem *system, LitheState *state) {
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        for (int32_t k = 0; k < c->term.rows; k++) {
            bool normal = c->source == LITHE_SOURCE_CONTACT && k == 2;
            int account = normal                                 ? LITHE_TOOK_NORMAL
                          : c->source == LITHE_SOURCE_LIMIT      ? LITHE_TOOK_CONSTRAINTS
                          : c->source == LITHE_SOURCE_CONSTRAINT ? LITHE_TOOK_CONSTRAINTS
                          : c->source == LITHE_SOURCE_DRIVE      ? LITHE_TOOK_DRIVES
                                                                 : LITHE_TOOK_FRICTION;
            state->took[account] +=
                lithe_is_one_sided(c) ? lithe_stop_took(all, system, c) : -c->impulse[k] * c->v[k];
        }
    }
}

// Constraints that cannot all hold: one of them stays violated. Those that depend on others and
// agree with them hold without forces of their own, which is no reason for a message.
static void report_constraints(const LitheModel *model, const LitheState *state,
                               const LitheWork *work, LitheReport *report) {
    LitheLcpScratch *s = scratch_of(work);
    if (s->holds.contradicts < 0)
        return;
    report->solve_unconverged = true;
    if (s->has_warned)
        return;
    s->has_warned = true;
    lithe_log(model->context, LITHE_LOG_WARNING,
              "at %.6g s constraint '%s' depends on other constraints and contradicts them: it "
              "misses its velocity by %.3g m/s or rad/s, and its error stays; results are doubtful",
              state->clock[0], model->constraints[s->holds.contradicts].name,
              s->holds.contradiction);
}

static void end(const LitheModel *model, LitheState *state, const LitheStepPlan *plan,
                LitheWork *work, LitheReport *report) {
    const LitheSystem *system = work->system;
    const LitheLcpScratch *s = scratch_of(work);
    report->pairs_unserved = work->contacts->unsupported;
    report->passes = work->outcome.passes;
    keep(model, work, state);
    if (is_rk23(model) && s->solved)
        lithe_lcp_rk23_end(model, s, work, state);
    if (work->outcome.passes == 0)
        return;
    report->solve_iterations = s->report.iterations;
    report->solve_residual = s->report.residual;
    report->solve_unconverged = s->unsolved || s->report.weakened >= LITHE_LCP_FRICTIONLESS;
    report->contacts_dropped = s->report.dropped;
    report->contacts_returned = s->report.brought_back;
    report->normals_condition = s->report.condition;
    report->fall_backs = s->report.fall_backs;
    report->weakened = (int32_t)s->report.weakened;
    report_constraints(model, state, work, report);
    LitheAssembly all = {model, state, work->contacts, plan, work};
    book(&all, system, state);
    lithe_coupled_note_constraints(model, state, plan, system, report);
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_LIMIT)
            lithe_limit_note(system, c, plan->h);
        if (c->source == LITHE_SOURCE_DRIVE)
            state->own[system->dof_terms[c->index].effort_at] += c->impulse[0] / plan->h;
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &work->contacts->contacts[c->index];
        report->contacts++;
        report->active += c->impulse[2] > 0;
        report->deepest = fmax(report->deepest, -contact->gap);
        if (contact->gap < 0)
            report->deepest_fraction =
                fmax(report->deepest_fraction, -contact->gap / lithe_contact_half(model, contact));
    }
}

const LitheContactSolver lithe_contact_lcp = {
    .together = true,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .solve = solve,
    .end = end,
    .contact_count = lithe_coupled_contact_count,
    .contact_force = lithe_coupled_contact,
};
