// SPDX-License-Identifier: Apache-2.0
// record/rod_columns.h - constants of rods: sections and rest lengths

#ifndef LITHE_RECORD_ROD_COLUMNS_H
#define LITHE_RECORD_ROD_COLUMNS_H

#include "data/model.h"
#include "record/layout.h"

/// Adds rods/NAME/closed, radius, size, rest_length and section (docs/recording.md).
LitheStatus lithe_rod_columns(const LitheModel *model, LitheLayout *layout, LitheError *error);

#endif
