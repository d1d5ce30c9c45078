// SPDX-License-Identifier: Apache-2.0
// record/contact_rows.h - the contacts of a step as rows of the recording, and their sum per thing

#ifndef LITHE_RECORD_CONTACT_ROWS_H
#define LITHE_RECORD_CONTACT_ROWS_H

#include "lithe/contact.h"
#include "record/layout.h"

/// Active contacts. Initialise to zero, except the context.
typedef struct LitheContactRows {
    LitheContext *context;
    double *rows; // [count][layout.row_size]
    int32_t count, capacity;
    double *on;   // [things][3] force of all contacts on each [N], in the order of contacts/things
    double *load; // [things] sum of their normal forces [N]
} LitheContactRows;

/// Whether a run of the model can have contacts.
bool lithe_contact_rows_wanted(const LitheModel *model);

/// Adds the columns of the table and the names of all things, and allocates the sums.
LitheStatus lithe_contact_rows_begin(const LitheModel *model, LitheLayout *layout,
                                     LitheContactRows *rows, LitheError *error);

/// Fills in the contacts of the last step with `work`; none when it is NULL.
LitheStatus lithe_contact_rows_fill(const LitheModel *model, const LitheWork *work,
                                    LitheContactRows *rows, LitheError *error);

/// Fills in contacts that no step has found, such as those of a plan.
LitheStatus lithe_contact_rows_take(const LitheModel *model, const LitheContactForce *forces,
                                    int32_t count, LitheContactRows *rows, LitheError *error);

void lithe_contact_rows_release(LitheContactRows *rows);

#endif
