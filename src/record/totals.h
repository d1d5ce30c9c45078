// SPDX-License-Identifier: Apache-2.0
// record/totals.h - sums over a run by name: attributes of recordings, measures of studies

#ifndef LITHE_RECORD_TOTALS_H
#define LITHE_RECORD_TOTALS_H

#include "record/journal.h"

typedef struct LitheTotal {
    const char *name, *unit; // "steps_cut", "1"
    size_t offset;           // in LitheTotals
    bool whole;              // int64_t, else double
} LitheTotal;

/// All of them, up to a row without a name; whole numbers first.
extern const LitheTotal lithe_totals[];

/// NULL: there is none of this name.
const LitheTotal *lithe_total_find(const char *name);

double lithe_total_get(const LitheTotal *total, const LitheTotals *totals);

/// Numbers that are no counts become 0 in a count.
void lithe_total_set(const LitheTotal *total, double number, LitheTotals *totals);

#endif
