// SPDX-License-Identifier: Apache-2.0
// tests/run/series_at.h - one number of a recording

#ifndef LITHE_TEST_SERIES_AT_H
#define LITHE_TEST_SERIES_AT_H

#include "record/recording.h"
#include "record/series.h"

#include <math.h>
#include <stdio.h>

/// The value of the only series of a name at a frame (negative: from the end); NAN: there is none.
static inline double series_at(LitheRecording *recording, const char *name, int64_t frame) {
    LitheSeriesSet set = {0};
    LitheError error;
    if (lithe_recording_series(recording, name, &set, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return NAN;
    }
    double value = NAN;
    if (set.count == 1)
        value = set.series[0].values[frame < 0 ? recording->frame_count + frame : frame];
    lithe_series_release(&set);
    return value;
}

#endif
