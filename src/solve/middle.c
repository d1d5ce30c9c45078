// SPDX-License-Identifier: Apache-2.0
// solve/middle.c - contacts of the midpoint rule: seen and balanced in the middle of the step

#include "solve/middle.h"

#include "body/unit.h"

#include <math.h>
#include <string.h>

// Contacts are not searched at the middle if one closes by more than this fraction of the smaller
// thing until then: a thin thing might be on the other side.
#define FAR 0.1
// Accepted error of the place of a contact, where its force acts, as a fraction of the smaller
// thing.
#define EXACT 1e-5

// half thickness of the smaller one of both sides, or its radius of gyration [m]
static double size_of(const LitheModel *model, const LitheSite sites[2]) {
    double size = INFINITY;
    for (int k = 0; k < 2; k++)
        if (sites[k].unit >= 0) {
            const LitheUnit *unit = &model->units[sites[k].unit];
            size = fmin(size, unit->thickness > 0 ? unit->thickness : unit->length);
        }
    return size;
}

bool lithe_middle_predict(const LitheModel *model, const LitheState *state,
                          const LitheStepPlan *plan, LitheWork *work) {
    if (!work->seen)
        work->seen = lithe_state_create(model);
    if (!work->middle)
        work->middle = lithe_state_create(model);
    if (!work->seen || !work->middle)
        return false;
    memcpy(work->seen->data, state->data, (size_t)state->size * sizeof(double));
    for (int32_t i = 0; i < model->unit_count; i++)
        lithe_unit_ops(model, i)->advance(model, i, state, state->v + model->units[i].v_at,
                                          plan->a * plan->h, work->seen);
    memcpy(work->middle->data, work->seen->data, (size_t)state->size * sizeof(double));
    return true;
}

bool lithe_middle_is_near(const LitheModel *model, const LitheState *state, const LitheWork *work) {
    for (int32_t i = 0; i < work->contacts->count; i++) {
        const LitheContact *contact = &work->contacts->contacts[i];
        const LitheSite *sites = work->contacts->parts[i].site;
        Vec3 a = lithe_site_carried(model, state, work->seen, &sites[0], contact->point);
        Vec3 b = lithe_site_carried(model, state, work->seen, &sites[1], contact->point);
        double parts = v3_dot(v3_sub(b, a), contact->normal);
        if (contact->gap + parts < 0 && -parts > FAR * size_of(model, sites))
            return false;
    }
    return true;
}

// distance of an active contact from where its rows were evaluated, over the smaller thing
static double off(const LitheAssembly *all, const LitheSystem *system, const LitheCoupling *c) {
    LitheAssembly there = *all;
    there.state = all->work->middle;
    double sum = 0;
    for (int32_t row = 0; row < 3; row++) {
        double d = c->v[row] - lithe_coupling_speed(&there, system, c, row);
        sum += d * d;
    }
    const LitheSite *sites = all->contacts->parts[c->index].site;
    return all->plan->a * all->plan->h * sqrt(sum) / size_of(all->model, sites);
}

bool lithe_middle_move(const LitheAssembly *all, LitheSystem *system) {
    LitheWork *work = all->work;
    double largest = 0;
    for (int32_t i = 0; i < system->coupling_count; i++) {
        const LitheCoupling *c = &system->couplings[i];
        if (c->source == LITHE_SOURCE_CONTACT && c->impulse[2] > 0)
            largest = fmax(largest, off(all, system, c));
    }
    if (!(largest > EXACT))
        return false;
    for (int32_t i = 0; i < system->unit_count; i++) {
        int32_t unit = system->units[i];
        const LitheUnitOps *ops = lithe_unit_ops(all->model, unit);
        const LitheUnitWork *own = &work->units[unit];
        ops->advance(all->model, unit, all->state, own->w, all->plan->a * all->plan->h,
                     work->middle);
        memcpy(work->middle->v + all->model->units[unit].v_at, own->w,
               (size_t)own->dof_count * sizeof(double));
        if (ops->refine)
            ops->refine(all->model, unit, work);
    }
    return true;
}
