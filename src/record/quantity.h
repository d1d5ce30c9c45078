// SPDX-License-Identifier: Apache-2.0
// record/quantity.h - what can be recorded, as rows: owners (rods, bodies, ..) and their quantities
//
// An owner and its rows are a file of their own (rod_quantities.c, ..); quantity.c lists the
// owners. A row says everything of its quantity: name, unit, axes, what it is between two steps,
// and how it is read. frame.c only lays the rows out and fills them.

#ifndef LITHE_RECORD_QUANTITY_H
#define LITHE_RECORD_QUANTITY_H

#include "lithe/model.h"
#include "record/contact_rows.h"
#include "record/layout.h"

#include <stddef.h>

/// What a column is between the two ends of a step.
typedef enum LitheInterpolation {
    LITHE_INTERPOLATE_LINEAR,
    LITHE_INTERPOLATE_STEP,     // that of the whole step: mean forces, counts
    LITHE_INTERPOLATE_FIRST,    // first row of the contacts of this frame
    LITHE_INTERPOLATE_UNIT,     // triples of unit length
    LITHE_INTERPOLATE_ROTATION, // the last four are a unit quaternion, those before linear
} LitheInterpolation;

typedef struct LitheOwner LitheOwner;
typedef struct LitheQuantity LitheQuantity;

/// One column of a frame: where its values come from.
typedef struct LitheFramePart {
    const LitheOwner *owner;
    const LitheQuantity *quantity;
    int32_t index;  // of the rod, drive, ..
    int64_t offset; // in the frame
    int64_t size;   // doubles
    LitheInterpolation interpolation;
} LitheFramePart;

/// What values are read from while a frame is filled.
typedef struct LitheReadFrom {
    const LitheModel *model;
    const LitheState *state;
    const LitheReport *report;
    const LitheEnergy *energy; // for what belongs to everything, which is read last
    const LitheContactRows *contacts;
    int64_t first_row;   // rows of contacts in the frames before
    double elastic;      // J, of the rods that have been read
    int32_t rods_walked; // how many they are
} LitheReadFrom;

/// Where the value of a row lies, if there is no function to read it.
typedef enum LithePlaceOfValue {
    LITHE_BY_READ,   // `read`
    LITHE_IN_ENERGY, // member of LitheEnergy at `offset`
    LITHE_IN_REPORT, // member of LitheReport
    LITHE_IN_WALK,   // of a rod: member of LitheRodReading, filled by one walk for all of them
} LithePlaceOfValue;

typedef enum LitheMemberType {
    LITHE_MEMBER_INT, // int32_t, or an enumeration
    LITHE_MEMBER_BOOL,
    LITHE_MEMBER_REAL,
} LitheMemberType;

struct LitheQuantity {
    const char *name; // last part of the path; of everything the whole path. NULL ends a list
    const char *unit;
    const char *axes; // "time node xyz"; an axis "number" is left out where it has one
    bool always;      // else on request
    bool integer;
    bool of_contact; // no column where nothing can touch
    LitheInterpolation interpolation;
    const char *parts[2]; // names under which parts of it can be asked for

    LithePlaceOfValue place;
    LitheMemberType type;
    size_t offset;
    void (*read)(const LitheReadFrom *from, const LitheFramePart *part, double *out);

    // where it depends on the thing; NULL: it does not
    const char *(*unit_of)(const LitheModel *model, int32_t index);
    LitheInterpolation (*interpolation_of)(const LitheModel *model, int32_t index);
    int64_t (*numbers)(const LitheModel *model, int32_t index); // of the last axis; 0: no column
};

/// A member of a structure as the source of a row: its place and type. Enumerations are `unsigned`.
#define LITHE_MEMBER(where, structure, field) \
    .place = (where), .offset = offsetof(structure, field), \
    .type = _Generic(((structure *)0)->field, double \
                     : LITHE_MEMBER_REAL, bool \
                     : LITHE_MEMBER_BOOL, int32_t \
                     : LITHE_MEMBER_INT, unsigned \
                     : LITHE_MEMBER_INT)

/// The force of all contacts on a thing: a row of every owner that touches.
#define LITHE_CONTACT_QUANTITY \
    { \
        .name = "contact", .unit = "N", .axes = "time xyz", .always = true, .of_contact = true, \
        .interpolation = LITHE_INTERPOLATE_STEP, .read = lithe_read_contact \
    }

struct LitheOwner {
    const char *folder; // "rods"; NULL: of everything, whose rows have whole paths
    const char *word;   // "rod"
    bool full_names;    // names of series begin with the folder: "constraints.pin.force"
    const LitheQuantity *quantities;
    int32_t (*count)(const LitheModel *model);
    const char *(*name)(const LitheModel *model, int32_t index);

    /// Number of its thing on that side of a contact, from 1; 0: none of its things is. NULL: they
    /// never touch.
    int32_t (*side)(const LitheContactSide *side);

    /// Size of an axis that is not the same for all; NULL: it has none.
    int64_t (*axis_size)(const LitheModel *model, int32_t index, const char *axis);

    /// Parts of one thing that stand side by side; NULL: they are read one by one.
    void (*read)(LitheReadFrom *from, const LitheFramePart *parts, int32_t count, double *frame);

    /// Adds what does not change of all its things; NULL: nothing.
    LitheStatus (*constants)(const LitheModel *model, LitheLayout *layout, LitheError *error);
};

extern const LitheOwner lithe_world_owner, lithe_rod_owner, lithe_drive_owner, lithe_body_owner,
    lithe_joint_owner, lithe_constraint_owner, lithe_particles_owner;

/// All owners, in the order of their columns in a frame. NULL ends both lists.
extern const LitheOwner *const lithe_owners[];
/// Those with constants, in the order of these.
extern const LitheOwner *const lithe_owners_of_constants[];

/// The owner in whose folder a path lies; that of everything where it is in none.
const LitheOwner *lithe_owner_of_path(const char *path);

/// Number of the thing of this name; -1: there is none.
int32_t lithe_owner_find(const LitheOwner *owner, const LitheModel *model, const char *name);

/// The row of this name, or with a part of it; NULL: there is none.
const LitheQuantity *lithe_quantity_find(const LitheOwner *owner, const char *name);

/// Sizes of the axes beyond time; false: the thing has no such column. `axes` is what to call them.
bool lithe_quantity_shape(const LitheModel *model, const LitheOwner *owner,
                          const LitheQuantity *quantity, int32_t index, int32_t *rank,
                          int64_t dims[2], const char **axes);

/// Reads parts of one thing that stand side by side into the frame.
void lithe_read_parts(LitheReadFrom *from, const LitheFramePart *parts, int32_t count,
                      double *frame);

/// `read` of the force of all contacts on a thing.
void lithe_read_contact(const LitheReadFrom *from, const LitheFramePart *part, double *out);

#endif
