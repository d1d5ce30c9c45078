// SPDX-License-Identifier: Apache-2.0
// assemble/contact_terms.c - contacts -> couplings

#include "assemble/assemble.h"

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
            .unit = side->rod.number - 1, .edge = side->part, .s = side->s, .point = point};
    const LitheRigidBody *body = &model->bodies[side->body.number - 1];
    if (body->tree < 0)
        return (LitheSite){.unit = -1, .point = point};
    return (LitheSite){.unit = model->rod_count + body->tree, .link = body->link, .point = point};
}

bool lithe_assemble_contacts(const LitheAssembly *all, LitheSystem *system) {
    for (int32_t i = 0; i < all->contacts->count; i++) {
        const LitheContact *contact = &all->contacts->contacts[i];
        Vec3 n = contact->normal, linear[LITHE_COUPLED_ROWS] = {{0}},
             angular[LITHE_COUPLED_ROWS] = {{0}};
        tangents(n, &linear[0], &linear[1]);
        linear[2] = n;
        int32_t rows = 3;
        if (contact->torsional > 0)
            angular[rows++] = n;
        if (contact->rolling > 0) {
            angular[rows++] = linear[0];
            angular[rows++] = linear[1];
        }
        if (!lithe_coupling_add(system, LITHE_SOURCE_CONTACT, i, rows, linear, angular))
            return false;
        // overlap: one point for both, so that friction makes no torque of its own (V20)
        double half = 0.5 * fmax(contact->gap, 0);
        LitheSite a = site_of(all->model, &contact->a, v3_axpy(-half, n, contact->point));
        LitheSite b = site_of(all->model, &contact->b, v3_axpy(half, n, contact->point));
        if (!lithe_coupling_side(all, system, &a, -1) || !lithe_coupling_side(all, system, &b, 1))
            return false;
        if (system->couplings[system->coupling_count - 1].node_count == 0)
            system->coupling_count--; // both sides stand still for good
    }
    return true;
}

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

void lithe_contact_laws(const LitheAssembly *all, LitheSystem *system) {
    const LitheContactDef *def = &all->model->contact;
    LitheContactSetting setting = lithe_contact_setting_default();
    double share = stick_share(all, system);
    setting.v_s = share * def->stick_speed;
    setting.w_s *= share;
    setting.sigma = def->sigma;
    setting.beta = def->beta;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
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
            .w = lithe_coupling_scale(system, c, 0, 3),
            .w_spin = spins > 0 ? lithe_coupling_scale(system, c, 3, spins) : 0,
            .v_n = lithe_coupling_speed(all, system, c, 2),
        };
        lithe_term_contact(&c->term, laws[def->law], &setting, all->plan->h, &start);
    }
}
