// SPDX-License-Identifier: Apache-2.0
// advance/monitor.h - checks the steps of a run: whether they converge, and whether the scheme
// creates energy

#ifndef LITHE_ADVANCE_MONITOR_H
#define LITHE_ADVANCE_MONITOR_H

#include "data/monitor.h"
#include "data/state.h"

/// (M4): the energy below which nothing moves visibly [J].
double lithe_energy_least(const LitheModel *model);

/// Starts or restarts the monitor at `state`: later gains are measured from there.
void lithe_monitor_begin(const LitheModel *model, const LitheState *state, LitheMonitor *monitor);

/// To be called before a step if a program may have written into the state: such a change is
/// neither gain nor loss.
void lithe_monitor_accept(const LitheModel *model, const LitheState *state, LitheMonitor *monitor);

/// Checks the step that led to `state`; logs a warning of each kind once. LITHE_CANNOT_GO_ON when a
/// limit of the scene is exceeded (time.max-unconverged, time.max-energy-gain); `state` stays at
/// the end of the step. `work` is that of the step, or NULL.
LitheStatus lithe_monitor_step(const LitheModel *model, const LitheState *state, LitheWork *work,
                               const LitheReport *report, LitheMonitor *monitor, LitheError *error);

/// The same with the energy of `state`, where it is known; NULL: it is found.
LitheStatus lithe_monitor_step_with(const LitheModel *model, const LitheState *state,
                                    LitheWork *work, const LitheEnergy *energy,
                                    const LitheReport *report, LitheMonitor *monitor,
                                    LitheError *error);

/// LITHE_CANNOT_GO_ON when the steps up to `state` exceed a limit of the model already: a run that
/// was stopped for it does not continue. `reason` is the message of that stop, or NULL.
LitheStatus lithe_monitor_resume(const LitheModel *model, const LitheState *state,
                                 const LitheMonitor *monitor, const char *reason,
                                 LitheError *error);

/// Checks an equilibrium: logs once that one is unstable, and once that contacts slid far on the
/// way to it. lithe_monitor_step does so for static steps. On a path that is followed by its arc
/// length unstable equilibria are expected.
void lithe_monitor_equilibrium(const LitheModel *model, const LitheState *state,
                               const LitheReport *report, LitheMonitor *monitor);

#endif
