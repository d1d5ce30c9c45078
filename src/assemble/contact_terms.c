// SPDX-License-Identifier: Apache-2.0
// assemble/contact_terms.c - contacts -> couplings

#include "assemble/assemble.h"

#include "base/memory.h"
#include "math/vec3.h"

#include <math.h>

// two directions that make a right-handed frame with n
static void tangents(Vec3 n, Vec3 *a, Vec3 *b) {
    Vec3 axis = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    *a = v3_unit(v3_cross(axis, n));
    *b = v3_cross(n, *a);
}

// what the rows of a contact measure; returns their number
static int32_t rows_of(const LitheContact *contact, Vec3 linear[LITHE_COUPLED_ROWS],
                       Vec3 angular[LITHE_COUPLED_ROWS]) {
    Vec3 n = contact->normal;
    int32_t rows = 3;
    tangents(n, &linear[0], &linear[1]);
    linear[2] = n;
    if (contact->torsional > 0)
        angular[rows++] = n;
    if (contact->rolling > 0) {
        angular[rows++] = linear[0];
        angular[rows++] = linear[1];
    }
    return rows;
}

// with overlap one point for both sides: friction then exerts no torque of its own (V20)
static void sites_of(const LitheContacts *contacts, int32_t index, LitheSite sites[2]) {
    const LitheContact *contact = &contacts->contacts[index];
    double half = 0.5 * fmax(contact->gap, 0);
    for (int k = 0; k < 2; k++) {
        sites[k] = contacts->parts[index].site[k];
        sites[k].point = v3_axpy(k == 0 ? -half : half, contact->normal, contact->point);
    }
}

// --- couplings -----------------------------------------------------------------------------------

typedef struct Contacts {
    const LitheAssembly *all;
    LitheSystem *system;
    double fraction; // of the stick speed that friction uses
} Contacts;

// velocities that a side of a contact depends on; 0: nothing moves it
static int32_t width_of(const LitheModel *model, const LitheSite *site) {
    return site->unit < 0 ? 0 : model->units[site->unit].site_width;
}

// Lists the contacts that take part: couplings know their contact, and where their blocks of the
// Jacobian begin. Returns the end of all blocks; -1 when there are too many.
static int64_t list_contacts(const LitheAssembly *all, LitheSystem *system) {
    int64_t end = 0;
    for (int32_t i = 0; i < all->contacts->count; i++) {
        const LitheContact *contact = &all->contacts->contacts[i];
        const LitheSite *sites = all->contacts->parts[i].site;
        int32_t width = width_of(all->model, &sites[0]) + width_of(all->model, &sites[1]);
        if (width == 0)
            continue; // neither side can ever move
        LitheCoupling *c = &system->couplings[system->coupling_count++];
        c->index = i;
        c->jacobian_at[0] = (int32_t)end;
        end += (int64_t)width * (3 + (contact->torsional > 0) + 2 * (contact->rolling > 0));
        if (end > INT32_MAX)
            return -1;
    }
    return end;
}

static void set_contacts(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    LitheSystem *system = job->system;
    double *blocks =
        system->site_blocks + (ptrdiff_t)LITHE_COUPLED_ROWS * job->all->model->site_width * range;
    (void)sums;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &system->couplings[i];
        int32_t index = c->index, end = c->jacobian_at[0];
        const LitheContact *contact = &job->all->contacts->contacts[index];
        Vec3 linear[LITHE_COUPLED_ROWS] = {{0}}, angular[LITHE_COUPLED_ROWS] = {{0}};
        int32_t rows = rows_of(contact, linear, angular);
        LitheSite sites[2];
        lithe_coupling_set(c, LITHE_SOURCE_CONTACT, index, rows, linear, angular);
        sites_of(job->all->contacts, index, sites);
        for (int k = 0; k < 2; k++)
            lithe_coupling_fill(job->all, system, &sites[k], k == 0 ? -1 : 1, c, &end, blocks);
    }
}

bool lithe_assemble_contacts(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system};
    int32_t count = all->contacts->count;
    int64_t ranges = lithe_range_count(count, LITHE_COUPLINGS_PER_RANGE);
    double none[LITHE_RANGE_SUMS];
    if (!LITHE_RESERVE(system->context, system->couplings, system->coupling_capacity, count) ||
        !LITHE_RESERVE(system->context, system->partial, system->partial_capacity,
                       LITHE_RANGE_SUMS * ranges) ||
        !LITHE_RESERVE(system->context, system->site_blocks, system->site_capacity,
                       ranges * LITHE_COUPLED_ROWS * all->model->site_width))
        return false;
    int64_t end = list_contacts(all, system);
    if (end < 0 ||
        !LITHE_RESERVE(system->context, system->jacobian, system->jacobian_capacity, end) ||
        !LITHE_RESERVE(system->context, system->jacobian_held, system->jacobian_held_capacity, end))
        return false;
    lithe_pool_ranges(system->pool, system->coupling_count, LITHE_COUPLINGS_PER_RANGE, set_contacts,
                      &job, system->partial, none);
    system->jacobian_count = (int32_t)end;
    return true;
}

// --- which of them were active -------------------------------------------------------------------
// A hint, in a hash table of fixed size: where two contacts share a slot, the last one keeps it.

uint64_t lithe_contact_name(const LitheContact *contact) {
    return contact->id % ((UINT64_C(1) << 53) - 111) + 1;
}

static bool was_active(const LitheModel *model, const LitheState *state,
                       const LitheContact *contact) {
    uint64_t count = (uint64_t)lithe_was_active_count(model), name = lithe_contact_name(contact);
    return count > 0 && state->was_active[name % count] == (double)name;
}

void lithe_contacts_note(const LitheModel *model, const LitheContacts *contacts,
                         const LitheSystem *system, LitheState *state) {
    uint64_t count = (uint64_t)lithe_was_active_count(model);
    for (uint64_t i = 0; i < count; i++)
        state->was_active[i] = 0;
    for (int32_t i = 0; count > 0 && i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT || !(c->impulse[2] > 0))
            continue;
        uint64_t name = lithe_contact_name(&contacts->contacts[c->index]);
        state->was_active[name % count] = (double)name;
    }
}

// --- laws ----------------------------------------------------------------------------------------

static const LitheTermKind laws[] = {
    [LITHE_FRICTION_LAGGED] = LITHE_TERM_LAGGED,
    [LITHE_FRICTION_SAP] = LITHE_TERM_SAP,
    [LITHE_FRICTION_SIMILAR] = LITHE_TERM_SIMILAR,
};

// The stick speed of a step is this fraction of the largest speed at any contact, at most that of
// the scene and at least MIN_FRACTION of it. A larger one would let things at rest creep for
// minutes; with a smaller one things that move would need more iterations.
#define STILL 0.01
#define MIN_FRACTION 1e-4
// min fraction of sigma. By default the slope of friction is then 1e8 times the inertia behind it:
// half of the digits are left
#define MIN_SIGMA 0.01

// (V31): the fraction of the stick speed that friction uses in this step
static double stick_fraction(const LitheAssembly *all, const LitheSystem *system) {
    double moves = all->model->contact.stick_speed / STILL, fastest = MIN_FRACTION * moves;
    for (int32_t i = 0; i < system->coupling_count && fastest < moves; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_CONTACT)
            fastest = fmax(fastest, lithe_coupling_motion(all, system, c, 3));
    }
    return fmin(fastest / moves, 1);
}

static void set_laws(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    const LitheAssembly *all = job->all;
    const LitheContactDef *def = &all->model->contact;
    LitheContactSetting setting = lithe_contact_setting_default();
    (void)range, (void)sums;
    double soften = all->work->soften; // (V32)
    setting.v_s = soften * job->fraction * def->stick_speed;
    setting.w_s *= soften * job->fraction;
    setting.sigma = soften * fmax(job->fraction, MIN_SIGMA) * def->sigma;
    setting.beta = sqrt(soften) * def->beta;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &job->system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &all->contacts->contacts[c->index];
        const LitheContactLaw *law = &job->system->contact_laws[c->index];
        int32_t angular_rows = c->term.rows - 3;
        LitheContactStart start = {
            .k = law->weight * law->stiffness,
            .d = contact->dissipation,
            .phi0 = law->gap - lithe_coupling_lead(all, job->system, c, 2),
            .mu = contact->friction,
            .torsion = contact->torsional,
            .roll = contact->rolling,
            .w = lithe_coupling_scale(job->system, c, 0, 3),
            .w_angular =
                angular_rows > 0 ? lithe_coupling_scale(job->system, c, 3, angular_rows) : 0,
            .v_n = lithe_coupling_speed(all, job->system, c, 2),
        };
        c->weight = law->weight;
        lithe_term_contact(&c->term, laws[def->law], &setting, all->plan->h, &start);
        c->was_active = was_active(all->model, all->state, contact);
    }
}

void lithe_contact_laws(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system, .fraction = stick_fraction(all, system)};
    double none[LITHE_RANGE_SUMS];
    lithe_pool_ranges(system->pool, system->coupling_count, LITHE_COUPLINGS_PER_RANGE, set_laws,
                      &job, system->partial, none);
}
