// SPDX-License-Identifier: Apache-2.0
// scene/fields_arm.c - the table of keys of soft arms

#include "lithe/arm.h"
#include "scene/field_rows.h"
#include "scene/fields.h"

static const char *const drive_words[] = {"none", "force", "position", "pressure", "tendon", NULL};

static const LitheField arm_fields[] = {
    {"parent", LITHE_FIELD_PARENT, AT(LitheArmDef, parent), .preset = "world",
     .about = "what it stands on: name of a body, or world"},
    {"at", LITHE_FIELD_VECTOR, LITHE_WANT_LENGTH, AT(LitheArmDef, at), .preset = "[0, 0, 0]",
     .about = "its base in the frame of the parent"},
    {"rotate", LITHE_FIELD_QUAT, LITHE_WANT_ANGLE, AT(LitheArmDef, rotation),
     .table = &lithe_rotate_table, .preset = "none",
     .about = "rotation of its base; the arm starts along z"},
    {"lengths", LITHE_FIELD_LIST, LITHE_WANT_LENGTH, REQUIRED, AT(LitheArmDef, lengths),
     ALSO(LitheArmDef, section_count),
     .about = "of its sections, from the base, with all chambers at 0"},
    {"masses", LITHE_FIELD_LIST, LITHE_WANT_MASS, REQUIRED, AT(LitheArmDef, masses),
     ALSO(LitheArmDef, section_count), .about = "of its sections, uniform along their lengths"},
    {"radii", LITHE_FIELD_LIST, LITHE_WANT_LENGTH, REQUIRED, AT(LitheArmDef, radii),
     ALSO(LitheArmDef, section_count),
     .about = "of its sections, from the centre line to the chambers or tendons"},
    {"chambers", LITHE_FIELD_INTEGER, AT(LitheArmDef, chambers), .preset = "3",
     .about = "of each section, at equal angles from x about z; at least 3"},
    QUANTITY("area", AREA, LitheArmDef, area, "none",
             "of a chamber, across: force over pressure; of drive pressure"),
    {"stiffness", LITHE_FIELD_QUANTITY, LITHE_WANT_STIFFNESS, REQUIRED, AT(LitheArmDef, stiffness),
     .about = "of each chamber, along its length"},
    QUANTITY("damping", DAMPING, LitheArmDef, damping, "0", "of each chamber"),
    {"limits", LITHE_FIELD_PAIR, LITHE_WANT_LENGTH, AT(LitheArmDef, lower),
     ALSO(LitheArmDef, upper), .preset = "none", .about = "min and max elongation of a chamber"},
    {"start", LITHE_FIELD_LIST, LITHE_WANT_LENGTH, AT(LitheArmDef, start),
     ALSO(LitheArmDef, start_count), .preset = "0",
     .about = "elongations of the chambers at the start, three per section"},
    {"disks", LITHE_FIELD_INTEGER, AT(LitheArmDef, disks), .preset = "4",
     .about = "disks of each section, at equal distances up to its tip: what touches"},
    {"base-plates", LITHE_FIELD_FLAG, AT(LitheArmDef, base_plates), .preset = "false",
     .about = "whether sections also have disks at their bases, copies of tips and one that cannot "
              "move: contacts that depend on each other, to test solvers"},
    {"disk-radius", LITHE_FIELD_QUANTITY, LITHE_WANT_LENGTH, REQUIRED, AT(LitheArmDef, disk_radius),
     .about = "radius of the disks"},
    QUANTITY("disk-length", LENGTH, LitheArmDef, disk_length, "2 mm", "thickness of the disks"),
    QUANTITY("disk-rounding", LENGTH, LitheArmDef, disk_rounding, "0",
             "radius of the rims of the disks, at most half of the thickness"),
    QUANTITY("disk-mass", MASS, LitheArmDef, disk_mass, "0", "of each disk"),
    {"material", LITHE_FIELD_MATERIAL, AT(LitheArmDef, material), .preset = "none",
     .about = "of the disks, for contact; without one they touch nothing"},
    {"group", LITHE_FIELD_BITS, AT(LitheArmDef, group), .preset = "1",
     .about = "groups the disks are in, from 1 to 32"},
    {"mask", LITHE_FIELD_BITS, AT(LitheArmDef, mask), .preset = "all",
     .about = "groups the disks touch"},
    {"colour", LITHE_FIELD_COLOUR, AT(LitheArmDef, colour), .preset = "none",
     .about = "of the disks"},
    {"self-contact", LITHE_FIELD_FLAG, AT(LitheArmDef, self_contact), .preset = "false",
     .about = "whether disks that are not neighbours touch each other"},
    {"drive", LITHE_FIELD_WORD, AT(LitheArmDef, drive), .words = drive_words, .preset = "none",
     .about =
         "actuators of its chambers: none, forces, springs to given elongations, pressures, or "
         "tendons from the base to the tip of each section"},
    QUANTITY("drive-stiffness", STIFFNESS, LitheArmDef, drive_stiffness, "0", "of drive position"),
    QUANTITY("drive-damping", DAMPING, LitheArmDef, drive_damping, "0", "of drive position"),
    QUANTITY("force", FORCE, LitheArmDef, force_limit, "0, no limit",
             "max force of the actuator of a chamber or tendon"),
    QUANTITY("pressure", PRESSURE, LitheArmDef, pressure_limit, "0, no limit",
             "max pressure of drive pressure, both ways"),
    REPEAT,
};
const LitheTable lithe_arm_table = TABLE("arm", arm_fields);
