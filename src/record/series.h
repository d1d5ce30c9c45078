// SPDX-License-Identifier: Apache-2.0
// record/series.h - quantities over time by name: "rope.tension", "pull.force", "energy.kinetic"
//
//     NAME.QUANTITY            of a rod, drive, joint or body, or energy.X, report.X
//     NAME.start.QUANTITY      at a node or edge: start, middle, end, or QUANTITY[i], i from 0
//                              (-1: the last one)
//     ....x .y .z .m1 .m2      one component of a vector
//     ....max .min .mean       over the rod, where no place is given
//     A+B.force .centre .torque .area   of all contacts of two things, on B
//
// Without a place and .max/.min/.mean, values along a rod give two series: max and mean. Vectors
// without a component give their length; positions and directors give x, y and z. A body has
// position (.x .y .z) and orientation (.w .x .y .z); a joint has position, velocity and effort, one
// curve per number, or [i]. Rods and bodies have the force of all contacts on them (rope.contact),
// a vector; constraints.NAME has force and torque, vectors, active and broken.

#ifndef LITHE_RECORD_SERIES_H
#define LITHE_RECORD_SERIES_H

#include "record/recording.h"

typedef struct LitheSeries {
    char name[160];  // "rope.tension.max"
    char title[168]; // for legends: "|box.velocity|" of the length of a vector
    double *values;  // [frame_count]
} LitheSeries;

typedef struct LitheSeriesSet {
    LitheContext *context;
    char unit[32];   // "N"
    char label[160]; // for the axis: "tension [N]"
    bool whole;      // numbers that count or switch: nothing is between two of them
    LitheSeries *series;
    int32_t count, capacity;
} LitheSeriesSet;

/// LITHE_BAD_INPUT with a list of the names and a suggestion for an unknown name. Release at the
/// end; on failure there is nothing to release.
LitheStatus lithe_recording_series(LitheRecording *recording, const char *name, LitheSeriesSet *set,
                                   LitheError *error);
void lithe_series_release(LitheSeriesSet *set);

/// The same for "A+B.WHAT", resultants of all contacts of two things on B: force, centre and torque
/// about it, vectors, and the area of patches. lithe_recording_series calls it where a name begins
/// with two things.
LitheStatus lithe_pair_series(LitheRecording *recording, const char *name, LitheSeriesSet *set,
                              LitheError *error);
bool lithe_is_pair_series(const LitheRecording *recording, const char *name);

/// The name of a column: "rods/rope/position" is "rope.position", "energy/work" "energy.work",
/// "constraints/pin/force" "constraints.pin.force".
void lithe_series_name(const char *path, char *name, size_t capacity);

/// All names without selectors, for messages and completion: "rope.position", ... in `names`
/// (each to be freed, then the list). LITHE_NO_MEMORY is the only failure.
LitheStatus lithe_recording_quantities(const LitheRecording *recording, char ***names,
                                       int32_t *count, LitheError *error);

#endif
