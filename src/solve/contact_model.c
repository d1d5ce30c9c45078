// SPDX-License-Identifier: Apache-2.0
// solve/contact_model.c - the table of contact models

#include "solve/contact_model.h"

extern const LitheContactSolver lithe_contact_convex, lithe_contact_imc, lithe_contact_spt;

const LitheContactSolver *lithe_contact_solver(const LitheModel *model) {
    static const LitheContactSolver *const rows[LITHE_CONTACT_MODEL_COUNT] = {
        [LITHE_CONTACT_CONVEX] = &lithe_contact_convex,
        [LITHE_CONTACT_IMC] = &lithe_contact_imc,
        [LITHE_CONTACT_SPT] = &lithe_contact_spt,
    };
    return rows[model->contact.model];
}
