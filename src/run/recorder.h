// SPDX-License-Identifier: Apache-2.0
// run/recorder.h - frames of motions that were not simulated

#ifndef LITHE_RUN_RECORDER_H
#define LITHE_RUN_RECORDER_H

#include "lithe/contact.h"
#include "lithe/run.h"

/// Adds a frame of a plan: its contacts are given, not those of a step. Forces of 0 are left out.
LitheStatus lithe_recorder_add_planned(LitheRecorder *recorder, const LitheState *state,
                                       const LitheContactForce *forces, int32_t count,
                                       LitheError *error);

#endif
