// SPDX-License-Identifier: Apache-2.0
// data/stages.h - wall time of the stages of a step
//
// The clock is read once per change of stage. Time counts for one stage only: the time of a nested
// stage does not count for the outer stage. Only the thread that calls lithe_step changes the
// stage. Results never depend on these times.

#ifndef LITHE_DATA_STAGES_H
#define LITHE_DATA_STAGES_H

#include "base/clock.h"
#include "lithe/model.h"

#include <stddef.h>

/// All zero: no stage yet.
typedef struct LitheStages {
    double seconds[LITHE_STAGE_COUNT]; // wall time so far [s]
    double since;                      // when the present stage began [s]
    LitheStage now;
} LitheStages;

/// From here on time counts for `stage`. Returns the previous stage, so that the caller can restore
/// it. NULL: times are not measured.
static inline LitheStage lithe_stage_enter(LitheStages *stages, LitheStage stage) {
    if (!stages)
        return LITHE_STAGE_NONE;
    LitheStage before = stages->now;
    if (before == stage)
        return before;
    double now = lithe_clock();
    if (before != LITHE_STAGE_NONE)
        stages->seconds[before] += now - stages->since;
    stages->since = now;
    stages->now = stage;
    return before;
}

#endif
