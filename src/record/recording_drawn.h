// SPDX-License-Identifier: Apache-2.0
// record/recording_drawn.h - the drawable content of an open recording, and the things in contact

#ifndef LITHE_RECORD_RECORDING_DRAWN_H
#define LITHE_RECORD_RECORDING_DRAWN_H

#include "record/recording.h"

enum { LITHE_RECORDING_NAME_BYTES = 1024 }; // max; we write shorter names

/// Fills tubes, surfaces, balls, bodies and things from the layout, which has its constants.
/// LITHE_BAD_INPUT when columns of one thing are inconsistent.
LitheStatus lithe_recording_find_drawn(LitheRecording *recording, LitheError *error);

void lithe_recording_release_drawn(LitheRecording *recording);

/// "FILE: damaged: cannot read 'WHERE'".
LitheStatus lithe_recording_fail_damaged(const LitheRecording *recording, const char *where,
                                         LitheError *error);

#endif
