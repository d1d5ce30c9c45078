// SPDX-License-Identifier: Apache-2.0
// record/contact_read.h - the recorded contacts of a frame, and the areas of patches among them

#ifndef LITHE_RECORD_CONTACT_READ_H
#define LITHE_RECORD_CONTACT_READ_H

#include "math/vec3.h"
#include "record/recording.h"

/// A row of the table of contacts.
typedef struct LitheContactRow {
    Vec3 at, normal; // [m], unit, from a to b
    Vec3 force;      // on b [N]
    double area;     // of a point of a patch [m^2]; 0: no patch
    int32_t a, b;    // lines of contacts/things
    int32_t part[2]; // edge, shape, .. of a and b
} LitheContactRow;

/// An area of a patch as an ellipse: a polygon, or a group of merged ones.
typedef struct LithePatchArea {
    Vec3 centre, normal; // [m], unit, from a to b
    Vec3 axes[2];        // half axes [m]
    Vec3 force;          // on b [N]
    double area;         // [m^2]
    double pressure;     // normal force over area [Pa]
    int32_t a, b;        // lines of contacts/things
} LithePatchArea;

/// Buffers; all zero, except the context, before the first use.
typedef struct LitheContactRead {
    LitheContext *context;
    LitheContactRow *rows; // [row_count]
    int32_t row_count, row_capacity;
    LithePatchArea *areas; // [area_count]
    int32_t area_count, area_capacity;
    double *values;
    int32_t value_capacity;
} LitheContactRead;

/// Whether the recording has areas of contacts.
bool lithe_recording_has_patches(const LitheRecording *recording);

/// Reads the rows of a frame.
LitheStatus lithe_contact_read(LitheRecording *recording, int64_t frame, LitheContactRead *read,
                               LitheError *error);

/// Reads the rows of a frame, and gathers the points of patches into areas. Points of one polygon,
/// and of one merged group, have the same normal and the same share of its area; the ellipse has
/// their area and the directions and ratio of their second moments.
LitheStatus lithe_contact_areas(LitheRecording *recording, int64_t frame, LitheContactRead *read,
                                LitheError *error);

void lithe_contact_read_release(LitheContactRead *read);

#endif
