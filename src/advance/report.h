// SPDX-License-Identifier: Apache-2.0
// advance/report.h - the report of a step from those of its parts

#ifndef LITHE_ADVANCE_REPORT_H
#define LITHE_ADVANCE_REPORT_H

#include "lithe/model.h"

/// What reports are added of.
typedef enum LitheReportParts {
    LITHE_PARTS_STAGES,   // the two stages of a substep
    LITHE_PARTS_SUBSTEPS, // substeps of a step
    LITHE_PARTS_LOADS,    // parts of a load step
    LITHE_PARTS_COUNT
} LitheReportParts;

/// Adds the report of a part to that of the parts before it, and counts it in `pieces`, except of
/// stages. The first part is added to a report of zeros.
void lithe_report_add(LitheReport *sum, const LitheReport *part, LitheReportParts parts);

#endif
