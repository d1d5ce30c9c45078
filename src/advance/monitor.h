// SPDX-License-Identifier: Apache-2.0
// advance/monitor.h - judges the steps of a run: do they converge, does energy come from nothing

#ifndef LITHE_ADVANCE_MONITOR_H
#define LITHE_ADVANCE_MONITOR_H

#include "data/monitor.h"
#include "data/state.h"

/// Starts at `state`: before the first step, or to allow as much gain again.
void lithe_monitor_begin(const LitheModel *model, const LitheState *state, LitheMonitor *monitor);

/// To be called before a step if a program may have written into the state: such a change is
/// neither gain nor loss.
void lithe_monitor_accept(const LitheModel *model, const LitheState *state, LitheMonitor *monitor);

/// Judges the step that led to `state`; logs a warning of each kind once. LITHE_CANNOT_GO_ON past
/// the limits of the scene (time.max-unconverged, time.max-energy-gain); the step is then made.
LitheStatus lithe_monitor_step(const LitheModel *model, const LitheState *state,
                               const LitheReport *report, LitheMonitor *monitor, LitheError *error);

#endif
