// SPDX-License-Identifier: Apache-2.0
// record/quantity.h - table of the quantities that can be recorded, by owner (rods, bodies, ..)
//
// Each owner has a file with its rows (rod_quantities.c, ..); quantity.c lists the owners. A row
// describes one quantity completely: name, unit, axes, interpolation between two steps, and the
// function that reads it. frame.c only arranges the rows and fills them.

#ifndef LITHE_RECORD_QUANTITY_H
#define LITHE_RECORD_QUANTITY_H

#include "lithe/model.h"
#include "record/contact_rows.h"
#include "record/layout.h"

#include <stddef.h>

/// How a column is interpolated between the ends of a step.
typedef enum LitheInterpolation {
    LITHE_INTERPOLATE_LINEAR,
    LITHE_INTERPOLATE_STEP,     // constant over the step: mean forces, counts
    LITHE_INTERPOLATE_FIRST,    // first row of the contacts of this frame
    LITHE_INTERPOLATE_UNIT,     // triples of unit length
    LITHE_INTERPOLATE_ROTATION, // the last four values are a unit quaternion, others are linear
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

/// The data that values are read from while a frame is filled.
typedef struct LitheReadFrom {
    const LitheModel *model;
    const LitheState *state;
    const LitheReport *report;
    const LitheWork *work;
    const LitheEnergy *energy; // for quantities of the whole model, which are read last
    const LitheContactRows *contacts;
    int64_t first_row;   // number of rows of contacts in all earlier frames
    double elastic;      // J, of the rods that have been read
    int32_t rods_walked; // number of these rods
} LitheReadFrom;

/// Where the value of a row is, if there is no function to read it.
typedef enum LithePlaceOfValue {
    LITHE_BY_READ,   // `read`
    LITHE_IN_ENERGY, // member of LitheEnergy at `offset`
    LITHE_IN_REPORT, // member of LitheReport
    LITHE_IN_FORCES, // vector of the LitheReaction that `exerted` returns
    LITHE_IN_WALK,   // of a rod: member of LitheRodReading, filled in one loop over the rod; of a
                     // knot: of LitheKnotReading
} LithePlaceOfValue;

typedef enum LitheMemberType {
    LITHE_MEMBER_INT, // int32_t, or an enumeration
    LITHE_MEMBER_BOOL,
    LITHE_MEMBER_REAL,
} LitheMemberType;

struct LitheQuantity {
    const char *name; // last part of the path; full path for the whole model. NULL ends a list
    const char *unit;
    const char *axes; // "time node xyz"; an axis "number" of size 1 is omitted
    bool always;      // false: only on request
    bool integer;
    bool of_contact; // no column where nothing can touch
    LitheInterpolation interpolation;
    const char *parts[2]; // names under which parts of it can be requested

    LithePlaceOfValue place;
    LitheMemberType type;
    size_t offset;
    void (*read)(const LitheReadFrom *from, const LitheFramePart *part, double *out);
    LitheReaction (*exerted)(const LitheReadFrom *from, const LitheFramePart *part);

    // functions for values that differ between the things of an owner; NULL: all are equal
    const char *(*unit_of)(const LitheModel *model, int32_t index);
    LitheInterpolation (*interpolation_of)(const LitheModel *model, int32_t index);
    int64_t (*numbers)(const LitheModel *model, int32_t index); // of the last axis; 0: no column
    const char *without;                                        // why a thing may have no column
};

/// A member of a structure as the source of a row: its place and type. Enumerations are `unsigned`.
#define LITHE_MEMBER(where, structure, field) \
    .place = (where), .offset = offsetof(structure, field), \
    .type = _Generic(((structure *)0)->field, double \
                     : LITHE_MEMBER_REAL, bool \
                     : LITHE_MEMBER_BOOL, int32_t \
                     : LITHE_MEMBER_INT, unsigned \
                     : LITHE_MEMBER_INT)

/// A vector of what a thing exerts in the last step, by its function `exerted`.
#define LITHE_VECTOR_OF_REACTION(field) \
    .axes = "time xyz", .interpolation = LITHE_INTERPOLATE_STEP, .place = LITHE_IN_FORCES, \
    .offset = offsetof(LitheReaction, field), .exerted = exerted

/// Adds the name of a material of the scene (-1: none) as the text FOLDER/NAME/material.
LitheStatus lithe_layout_add_material(const LitheModel *model, LitheLayout *layout,
                                      const char *folder, const char *name, int32_t material,
                                      LitheError *error);

/// The force of all contacts on a thing: a row of every owner that touches.
#define LITHE_CONTACT_QUANTITY \
    { \
        .name = "contact", .unit = "N", .axes = "time xyz", .always = true, .of_contact = true, \
        .interpolation = LITHE_INTERPOLATE_STEP, .read = lithe_read_contact \
    }

/// On request: the sum of the normal forces of all contacts on a thing, which do not cancel where
/// it is squeezed.
#define LITHE_CONTACT_LOAD_QUANTITY \
    { \
        .name = "contact-load", .unit = "N", .axes = "time", .of_contact = true, \
        .interpolation = LITHE_INTERPOLATE_STEP, .read = lithe_read_contact_load \
    }

struct LitheOwner {
    const char *folder; // "rods"; NULL: the whole model, whose rows have full paths
    const char *word;   // "rod"
    bool full_names;    // names of series begin with the folder: "constraints.pin.force"
    const LitheQuantity *quantities;
    int32_t (*count)(const LitheModel *model);
    const char *(*name)(const LitheModel *model, int32_t index);

    /// 1-based index of the owner's thing on that side of a contact; 0: the thing has another
    /// owner. NULL: things of this owner never touch.
    int32_t (*side)(const LitheContactSide *side);

    /// Size of an axis that differs between things; NULL: there is none.
    int64_t (*axis_size)(const LitheModel *model, int32_t index, const char *axis);

    /// Reads consecutive columns of one thing together; NULL: they are read one by one.
    void (*read)(LitheReadFrom *from, const LitheFramePart *parts, int32_t count, double *frame);

    /// Adds the constants of all its things; NULL: there are none.
    LitheStatus (*constants)(const LitheModel *model, LitheLayout *layout, LitheError *error);
};

extern const LitheOwner lithe_world_owner, lithe_rod_owner, lithe_drive_owner, lithe_body_owner,
    lithe_joint_owner, lithe_constraint_owner, lithe_particles_owner, lithe_solid_owner,
    lithe_cavity_owner, lithe_surface_owner, lithe_tendon_owner, lithe_pose_drive_owner,
    lithe_hold_owner, lithe_actuator_owner, lithe_knot_owner;

/// All owners, in the order of their columns in a frame. NULL ends both lists.
extern const LitheOwner *const lithe_owners[];
/// Owners with constants, in the order of the constants.
extern const LitheOwner *const lithe_owners_of_constants[];

/// The owner of the folder of a path; without a folder, the owner of the whole model.
const LitheOwner *lithe_owner_of_path(const char *path);

/// Index of the thing with this name; -1 if there is none.
int32_t lithe_owner_find(const LitheOwner *owner, const LitheModel *model, const char *name);

/// The row with this name, or with a part of this name; NULL if there is none.
const LitheQuantity *lithe_quantity_find(const LitheOwner *owner, const char *name);

/// Sizes of the axes beyond time; false: the thing has no such column. `axes` are their names.
bool lithe_quantity_shape(const LitheModel *model, const LitheOwner *owner,
                          const LitheQuantity *quantity, int32_t index, int32_t *rank,
                          int64_t dims[2], const char **axes);

/// Reads consecutive columns of one thing into the frame.
void lithe_read_parts(LitheReadFrom *from, const LitheFramePart *parts, int32_t count,
                      double *frame);

/// Copies of the values of a column, and lengths of its vectors, three numbers each.
void lithe_read_values(const double *values, const LitheFramePart *part, double *out);
void lithe_read_lengths(const double *vectors, const LitheFramePart *part, double *out);

/// `read` of the force of all contacts on a thing, and of the sum of their normal forces.
void lithe_read_contact(const LitheReadFrom *from, const LitheFramePart *part, double *out);
void lithe_read_contact_load(const LitheReadFrom *from, const LitheFramePart *part, double *out);

#endif
