// SPDX-License-Identifier: Apache-2.0
// record/difference.h - two recordings in numbers: how far every quantity of one is from the
// other's

#ifndef LITHE_RECORD_DIFFERENCE_H
#define LITHE_RECORD_DIFFERENCE_H

#include "record/recording.h"

/// Why a quantity could not be compared.
typedef enum LitheDifferenceGap {
    LITHE_COMPARED,
    LITHE_ONLY_IN_FIRST,
    LITHE_ONLY_IN_SECOND,
    LITHE_OTHER_SIZE, // another number of nodes, edges, ...
} LitheDifferenceGap;

/// One quantity of two recordings, over all moments that both have.
typedef struct LitheDifference {
    char name[200]; // "rope.position"
    char unit[32];
    LitheDifferenceGap gap;
    int64_t sizes[2]; // values per frame
    double largest;   // of the differences of all values; infinite where one is not a number
    double rms;       // over all values and moments
    double scale;     // largest value of either recording
    double relative;  // largest / scale; 0 where both are 0
    double time;      // s, of the largest difference
    char place[256];  // where it is: "rope.position[12].z"
} LitheDifference;

typedef struct LitheDifferences {
    LitheContext *context;
    LitheDifference *all;
    int32_t count, capacity;
    int64_t moments; // that both have
    double last;     // s, the last of them
} LitheDifferences;

/// Compares all quantities but those of the solver ("report"), or those that `names` selects: a
/// quantity, all of a thing ("rope", "report"), or any name of record/series.h. LITHE_BAD_INPUT for
/// an unknown name, and where the recordings have no moment in common. Release at the end, also on
/// failure.
LitheStatus lithe_recording_differences(LitheRecording *recordings[2], const char *const *names,
                                        int32_t name_count, LitheDifferences *out,
                                        LitheError *error);
void lithe_differences_release(LitheDifferences *differences);

#endif
