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

static LitheSite site_of(const LitheModel *model, const LitheContactSide *side, Vec3 point) {
    if (side->rod.number > 0)
        return (LitheSite){
            .unit = side->rod.number - 1, .element = side->part, .s = {side->s}, .point = point};
    const LitheRigidBody *body = &model->bodies[side->body.number - 1];
    if (body->unit < 0)
        return (LitheSite){.unit = -1, .point = point};
    return (LitheSite){.unit = body->unit, .element = body->element, .point = point};
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

// overlap: one point for both, so that friction makes no torque of its own (V20)
static void sites_of(const LitheModel *model, const LitheContact *contact, LitheSite sites[2]) {
    double half = 0.5 * fmax(contact->gap, 0);
    Vec3 n = contact->normal;
    sites[0] = site_of(model, &contact->a, v3_axpy(-half, n, contact->point));
    sites[1] = site_of(model, &contact->b, v3_axpy(half, n, contact->point));
}

// trees have scratch that their contacts share: one after the other
static bool add_contacts(const LitheAssembly *all, LitheSystem *system) {
    for (int32_t i = 0; i < all->contacts->count; i++) {
        const LitheContact *contact = &all->contacts->contacts[i];
        Vec3 linear[LITHE_COUPLED_ROWS] = {{0}}, angular[LITHE_COUPLED_ROWS] = {{0}};
        int32_t rows = rows_of(contact, linear, angular);
        LitheSite sites[2];
        if (!lithe_coupling_add(system, LITHE_SOURCE_CONTACT, i, rows, linear, angular))
            return false;
        sites_of(all->model, contact, sites);
        if (!lithe_coupling_side(all, system, &sites[0], -1) ||
            !lithe_coupling_side(all, system, &sites[1], 1))
            return false;
        if (system->couplings[system->coupling_count - 1].node_count == 0)
            system->coupling_count--; // both sides stand still for good
    }
    return true;
}

// --- contacts of rods ----------------------------------------------------------------------------

typedef struct Contacts {
    const LitheAssembly *all;
    LitheSystem *system;
    int32_t room; // in the Jacobian, of a contact
    double share; // of the stick speed that friction takes
} Contacts;

// sums: contacts that are not of a rod with a rod or with what stands still, those with rows that
// resist spinning, and rolling
static void look_at(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    const LitheModel *model = job->all->model;
    (void)range;
    for (int32_t i = first; i < after; i++) {
        const LitheContact *contact = &job->all->contacts->contacts[i];
        const LitheContactSide *sides[2] = {&contact->a, &contact->b};
        int rods = 0, trees = 0;
        for (int k = 0; k < 2; k++) {
            bool rod = sides[k]->rod.number > 0;
            rods += rod;
            trees += !rod && model->bodies[sides[k]->body.number - 1].unit >= 0;
        }
        sums[0] += rods == 0 || trees > 0;
        sums[1] += contact->torsional > 0;
        sums[2] += contact->rolling > 0;
    }
}

static void set_contacts(int32_t range, int32_t first, int32_t after, double *sums, void *user) {
    const Contacts *job = user;
    (void)range, (void)sums;
    for (int32_t i = first; i < after; i++) {
        const LitheContact *contact = &job->all->contacts->contacts[i];
        LitheCoupling *c = &job->system->couplings[i];
        Vec3 linear[LITHE_COUPLED_ROWS] = {{0}}, angular[LITHE_COUPLED_ROWS] = {{0}};
        int32_t rows = rows_of(contact, linear, angular), end = job->room * i;
        LitheSite sites[2];
        lithe_coupling_set(c, LITHE_SOURCE_CONTACT, i, rows, linear, angular);
        sites_of(job->all->model, contact, sites);
        for (int k = 0; k < 2; k++)
            if (sites[k].unit >= 0)
                lithe_coupling_rod_side(job->all, job->system, &sites[k], k == 0 ? -1 : 1, c, &end);
    }
}

bool lithe_assemble_contacts(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system};
    int32_t count = all->contacts->count;
    double sums[LITHE_SHARE_SUMS], none[LITHE_SHARE_SUMS];
    if (!LITHE_RESERVE(system->context, system->partial, system->partial_capacity,
                       LITHE_SHARE_SUMS * lithe_share_ranges(count, LITHE_COUPLINGS_A_RANGE)))
        return false;
    lithe_pool_share(system->pool, count, LITHE_COUPLINGS_A_RANGE, look_at, &job, system->partial,
                     sums);
    if (sums[0] > 0)
        return add_contacts(all, system);
    // the same room for each, so that all know where theirs is
    int32_t rows = 3 + (sums[1] > 0) + 2 * (sums[2] > 0);
    job.room = 4 * LITHE_COUPLED_NODES * rows;
    int64_t end = (int64_t)job.room * count;
    if (end > INT32_MAX ||
        !LITHE_RESERVE(system->context, system->couplings, system->coupling_capacity, count) ||
        !LITHE_RESERVE(system->context, system->jacobian, system->jacobian_capacity, end) ||
        !LITHE_RESERVE(system->context, system->jacobian_held, system->jacobian_held_capacity, end))
        return false;
    lithe_pool_share(system->pool, count, LITHE_COUPLINGS_A_RANGE, set_contacts, &job,
                     system->partial, none);
    system->coupling_count = count;
    system->jacobian_count = (int32_t)end;
    return true;
}

// --- which of them bore --------------------------------------------------------------------------
// A hint, in a table of fixed size: where two contacts have the same place, the last one has it.

// a name that is not 0, and a whole number that a double holds
static uint64_t name_of(const LitheContact *contact) {
    return contact->id % ((UINT64_C(1) << 53) - 111) + 1;
}

static bool bore(const LitheModel *model, const LitheState *state, const LitheContact *contact) {
    uint64_t count = (uint64_t)lithe_bore_count(model), name = name_of(contact);
    return count > 0 && state->bore[name % count] == (double)name;
}

void lithe_contacts_note(const LitheModel *model, const LitheContacts *contacts,
                         const LitheSystem *system, LitheState *state) {
    uint64_t count = (uint64_t)lithe_bore_count(model);
    for (uint64_t i = 0; i < count; i++)
        state->bore[i] = 0;
    for (int32_t i = 0; count > 0 && i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT || !(c->impulse[2] > 0))
            continue;
        uint64_t name = name_of(&contacts->contacts[c->index]);
        state->bore[name % count] = (double)name;
    }
}

// --- laws ----------------------------------------------------------------------------------------

static const LitheTermKind laws[] = {
    [LITHE_FRICTION_LAGGED] = LITHE_TERM_LAGGED,
    [LITHE_FRICTION_SAP] = LITHE_TERM_SAP,
    [LITHE_FRICTION_SIMILAR] = LITHE_TERM_SIMILAR,
};

// Friction sticks below this part of the largest speed of what touches, and never below that part
// of the stick speed. What has come to rest would creep for minutes with more; what moves would
// need more iterations with less.
#define STILL 0.01
#define LEAST_SHARE 1e-4
// likewise of sigma, at which the slope of friction is 1e8 times the inertia behind it by default:
// half of the digits are left
#define LEAST_SIGMA 0.01

// (V31): the share of the stick speed that friction takes in this step
static double stick_share(const LitheAssembly *all, const LitheSystem *system) {
    double moves = all->model->contact.stick_speed / STILL, fastest = LEAST_SHARE * moves;
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
    setting.v_s = soften * job->share * def->stick_speed;
    setting.w_s *= soften * job->share;
    setting.sigma = soften * fmax(job->share, LEAST_SIGMA) * def->sigma;
    setting.beta = sqrt(soften) * def->beta;
    for (int32_t i = first; i < after; i++) {
        LitheCoupling *c = &job->system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContact *contact = &all->contacts->contacts[c->index];
        int32_t spins = c->term.rows - 3;
        LitheContactStart start = {
            .k = contact->stiffness,
            .d = contact->dissipation,
            .phi0 = contact->gap,
            .mu = contact->friction,
            .torsion = contact->torsional,
            .roll = contact->rolling,
            .w = lithe_coupling_scale(job->system, c, 0, 3),
            .w_spin = spins > 0 ? lithe_coupling_scale(job->system, c, 3, spins) : 0,
            .v_n = lithe_coupling_speed(all, job->system, c, 2),
        };
        lithe_term_contact(&c->term, laws[def->law], &setting, all->plan->h, &start);
        c->bore = bore(all->model, all->state, contact);
    }
}

void lithe_contact_laws(const LitheAssembly *all, LitheSystem *system) {
    Contacts job = {.all = all, .system = system, .share = stick_share(all, system)};
    double none[LITHE_SHARE_SUMS];
    lithe_pool_share(system->pool, system->coupling_count, LITHE_COUPLINGS_A_RANGE, set_laws, &job,
                     system->partial, none);
}
