// SPDX-License-Identifier: Apache-2.0
// record/along.h - quantities along a rod at a moment: "rope.tension", "rope.curvature.m1"

#ifndef LITHE_RECORD_ALONG_H
#define LITHE_RECORD_ALONG_H

#include "record/series.h"

typedef struct LitheAlong {
    LitheContext *context;
    double time;         // of the frame [s]
    char unit[32];       // "N"
    char label[160];     // for the axis: "tension [N]"
    double *x;           // [count] distance along the rod, as it is bent and stretched then [m]
    int32_t count;       // nodes or edges; edges are at their middles
    LitheSeries *series; // [series_count], values [count]
    int32_t series_count;
} LitheAlong;

/// The frame nearest to `time`. LITHE_BAD_INPUT where the name is not that of a rod and of a
/// quantity along it, and outside of the recording. Release at the end; on failure there is nothing
/// to release.
LitheStatus lithe_recording_along(LitheRecording *recording, const char *name, double time,
                                  LitheAlong *along, LitheError *error);
void lithe_along_release(LitheAlong *along);

#endif
