// SPDX-License-Identifier: Apache-2.0
// record/body_columns.h - what of rigid bodies does not change: shapes, and where fixed ones stand

#ifndef LITHE_RECORD_BODY_COLUMNS_H
#define LITHE_RECORD_BODY_COLUMNS_H

#include "data/model.h"
#include "record/layout.h"

/// Adds bodies/NAME/shapes/0 .. and the poses of fixed bodies (docs/recording.md). Fails on names
/// that would make a data set and a folder of the same path.
LitheStatus lithe_body_columns(const LitheModel *model, LitheLayout *layout, LitheError *error);

#endif
