// SPDX-License-Identifier: Apache-2.0
// record/body_columns.h - constants of rigid bodies: shapes, and poses of fixed bodies

#ifndef LITHE_RECORD_BODY_COLUMNS_H
#define LITHE_RECORD_BODY_COLUMNS_H

#include "data/model.h"
#include "record/layout.h"

/// Adds bodies/NAME/shapes/0 .. and the poses of fixed bodies (docs/recording.md). Fails on names
/// that would need a dataset and a group with the same path.
LitheStatus lithe_body_columns(const LitheModel *model, LitheLayout *layout, LitheError *error);

#endif
