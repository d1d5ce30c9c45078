// SPDX-License-Identifier: Apache-2.0
// solve/contact_model.c - the table of contact models

#include "solve/contact_model.h"

#include <math.h>

// margin of the search in addition to the displacement at the present speed, as a fraction of the
// smallest half thickness: allows for a change of speed within the step
#define MARGIN_FRACTION 0.1
// upper bound of the glide: with a larger friction coefficient things hardly slide
#define MAX_GLIDE 4

extern const LitheContactSolver lithe_contact_convex, lithe_contact_imc, lithe_contact_spt,
    lithe_contact_lcp;

const LitheContactSolver *lithe_contact_solver(const LitheModel *model) {
    static const LitheContactSolver *const rows[LITHE_CONTACT_MODEL_COUNT] = {
        [LITHE_CONTACT_CONVEX] = &lithe_contact_convex,
        [LITHE_CONTACT_IMC] = &lithe_contact_imc,
        [LITHE_CONTACT_SPT] = &lithe_contact_spt,
        [LITHE_CONTACT_LCP] = &lithe_contact_lcp,
    };
    return rows[model->contact.model];
}

double lithe_contact_margin(const LitheModel *model, double h) {
    const LitheContactDef *def = &model->contact;
    if (def->single)
        return 0;
    if (def->margin > 0)
        return def->margin;
    double thinnest = INFINITY;
    for (int32_t i = 0; i < model->unit_count; i++) {
        double half = model->units[i].thickness;
        thinnest = half > 0 ? fmin(thinnest, half) : thinnest;
    }
    double fall = 2 * v3_norm(model->gravity) * h * h;
    return fmax(fall, thinnest < INFINITY ? MARGIN_FRACTION * thinnest : 0);
}

double lithe_contact_glide(const LitheModel *model) {
    bool lagged = model->contact.law == LITHE_FRICTION_LAGGED;
    return lagged ? 0 : fmin(model->max_friction, MAX_GLIDE);
}
