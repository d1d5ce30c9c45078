// SPDX-License-Identifier: Apache-2.0
// run/recorded.h - what a run will record, by its scene

#ifndef LITHE_RUN_RECORDED_H
#define LITHE_RUN_RECORDED_H

#include "record/frame.h"
#include "record/topology.h"

/// Adds the columns of a run to a layout, begins its topology. A quantity of `record: {also: ..}`
/// that does not exist is refused with its place in the scene file. Release all three on failure.
LitheStatus lithe_recorded_layout(const LitheScene *scene, const LitheModel *model,
                                  const LitheState *state, LitheLayout *layout, LitheFrameMap *map,
                                  LitheTopology *topology, LitheError *error);

/// Whether all that a scene records, and all goals that it measures, exist: before a run.
LitheStatus lithe_recorded_check(const LitheScene *scene, const LitheModel *model,
                                 const LitheState *state, LitheError *error);

#endif
