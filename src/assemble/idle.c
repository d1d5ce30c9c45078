// SPDX-License-Identifier: Apache-2.0
// assemble/idle.c - contacts of meshes that will stay open take no part in the matrix
//
// The search finds contacts within a margin, so that nothing is missed whatever the solve does. At
// a mesh most of them stay open: of 410 contacts of a grasp 80 act. Their nodes would be eliminated
// late, in every Newton iteration, and couple surfaces that do not touch. So contacts that are far
// enough apart at the end of the step, at the present velocities, are idle: the pattern has no
// blocks for them. They are evaluated like all others, and one that closes nevertheless wakes all
// (lithe_system_wake). (V38), docs/theory/contact.md.

#include "assemble/assemble.h"

#include "body/unit.h"

// fraction of the margin of the search: contacts with a larger predicted gap are idle. With a
// smaller fraction more steps wake, with a larger one more columns are eliminated late.
#define IDLE 0.05

// velocity of a contact along its normal at the present velocities; *last: any unit, then that of
// its last node
static double normal_speed(const LitheAssembly *all, const LitheSystem *system,
                           const LitheCoupling *c, int32_t *last) {
    double speed = c->bias[2];
    for (int32_t k = 0; k < c->node_count; k++) {
        *last = lithe_system_unit(all->model, c->node[k], *last);
        const LitheUnit *unit = &all->model->units[*last];
        int32_t node = c->node[k] - unit->node_at, size = lithe_unit_node_size(unit, node);
        const double *J = system->jacobian + c->jacobian_at[k] + (ptrdiff_t)size * 2;
        const double *v = all->state->v + unit->v_at + lithe_unit_dof(unit, node);
        for (int32_t d = 0; d < size; d++)
            speed += J[d] * v[d];
    }
    return speed;
}

void lithe_contacts_idle(const LitheAssembly *all, LitheSystem *system) {
    const LitheStepPlan *plan = all->plan;
    bool mesh = false;
    int32_t last = 0;
    for (int32_t i = 0; i < all->model->unit_count; i++)
        mesh |= all->model->units[i].order != NULL;
    // gaps of stages and of the midpoint rule are those of another time
    if (!mesh || plan->still || all->work->outcome.ahead || lithe_has_middle(plan))
        return;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        LitheCoupling *c = &system->couplings[i];
        if (c->source != LITHE_SOURCE_CONTACT)
            continue;
        const LitheContactLaw *law = &system->contact_laws[c->index];
        double gap = law->gap + plan->h * normal_speed(all, system, c, &last);
        c->idle = !law->patch && gap > IDLE * all->work->outcome.margin;
    }
}
