// SPDX-License-Identifier: Apache-2.0
// scene/fields.h - the keys of scene files: one table per mapping, used by reader, writer,
// overrides, JSON schema and reference page

#ifndef LITHE_SCENE_FIELDS_H
#define LITHE_SCENE_FIELDS_H

#include "scene/quantity.h"
#include "scene/scene.h"

typedef enum LitheFieldType {
    LITHE_FIELD_QUANTITY,   // double; the word in `words`, if any, means 0
    LITHE_FIELD_INTEGER,    // int32_t; a word in `words`, if any, means 0
    LITHE_FIELD_FLAG,       // bool
    LITHE_FIELD_WORD,       // an enum, by `words`
    LITHE_FIELD_TEXT,       // const char *
    LITHE_FIELD_TEXTS,      // const char *const *, count at `also`
    LITHE_FIELD_VECTOR,     // LitheVec3
    LITHE_FIELD_PAIR,       // two doubles: at `offset` and at `also`
    LITHE_FIELD_DIAMETER,   // double: half of the quantity, another key of a radius
    LITHE_FIELD_TWICE,      // one quantity for both doubles (shorthand)
    LITHE_FIELD_LIST,       // const double *, count (shared by several lists) at `also`
    LITHE_FIELD_POINTS,     // const LitheVec3 *, count at `also`
    LITHE_FIELD_SAMPLES,    // table of a profile: two const double * and a count
    LITHE_FIELD_MAPPING,    // `table`, in the same struct
    LITHE_FIELD_ONE_OF,     // a mapping with one key of `table`, whose row number is the kind
    LITHE_FIELD_PROFILE,    // LitheProfileDef: a number or `table`
    LITHE_FIELD_STEP,       // double: a number, or `table`; `also` is 0 with a number
    LITHE_FIELD_DRAG,       // two doubles: a number for both, or `table`
    LITHE_FIELD_PLACE,      // LithePlace: rope.start, rope[3], rope.at(0.5), a set
    LITHE_FIELD_MATERIAL,   // LitheMaterialId, by name
    LITHE_FIELD_ROD,        // LitheRodId, by name
    LITHE_FIELD_THING,      // LitheThing, by name: a rod, particles or a solid
    LITHE_FIELD_INDICES,    // const int32_t *, count at `also`
    LITHE_FIELD_CLAMPED,    // two bools: start, end, both, none
    LITHE_FIELD_HOLD,       // LitheHoldBits: a word or a list of words
    LITHE_FIELD_DIRECTION,  // LitheVec3, or the word outward for the bool at `also`
    LITHE_FIELD_ROTATE,     // LitheVec3: {axis, angle} of `table`, or a rotation vector
    LITHE_FIELD_QUAT,       // LitheQuat: as ROTATE, or a unit quaternion [w, x, y, z]
    LITHE_FIELD_SCALE,      // LitheVec3: one number for all three, or a vector
    LITHE_FIELD_SIX,        // six doubles
    LITHE_FIELD_COLOUR,     // LitheVec3: the name of a colour, "#rrggbb", or [r, g, b]
    LITHE_FIELD_BITS,       // uint32_t: all, none, a number from 1 to 32, or a list of them
    LITHE_FIELD_LIMITS,     // two doubles, like a pair, and the bool `limited` of a joint
    LITHE_FIELD_BODY,       // LitheBodyId, by name
    LITHE_FIELD_BODIES,     // LitheBodyId, by name, or a list; LITHE_PLAN_MORE_DISKS more at `also`
    LITHE_FIELD_PARENT,     // LitheBodyId, by name, or world
    LITHE_FIELD_ANCHOR,     // LitheAnchor: what it is on, or `table`
    LITHE_FIELD_ANCHORS,    // const LitheAnchor *: a list of such; count at `also`
    LITHE_FIELD_ANCHOR_ON,  // of a LitheAnchor: place on a rod, name of a body, or world
    LITHE_FIELD_JOINT,      // LitheJointId, by name
    LITHE_FIELD_GEOM,       // the one geom of a LitheBodyDef: `table`, with one of its kinds
    LITHE_FIELD_GEOMS,      // all geoms of a LitheBodyDef: a list of such mappings
    LITHE_FIELD_TRIANGLES,  // of a LitheGeomDef: list of three indices
    LITHE_FIELD_HEIGHTS,    // of a LitheGeomDef: list of rows
    LITHE_FIELD_OUTLINE,    // of a LitheGeomDef: list of [z, r]
    LITHE_FIELD_CONVEX,     // kind of a LitheGeomDef: a flag that makes a mesh a convex one
    LITHE_FIELD_PATH,       // of a LithePoseDriveDef: list of `table`
    LITHE_FIELD_FILE,       // const char *: a file that must be there
    LITHE_FIELD_PIECES,     // of a LitheShapeDef: list of `table`
    LITHE_FIELD_REPEAT,     // names with counts: repeats the object
    LITHE_FIELD_POSITIONS,  // joints of a robot, by name, with their initial positions
    LITHE_FIELD_IGNORE,     // list of pairs of names
    LITHE_FIELD_GRAVITY,    // LitheVec3: none, a number along -z, a vector
    LITHE_FIELD_VERSION,    // the number 1
    LITHE_FIELD_INCLUDE,    // file names; resolved before reading
    LITHE_FIELD_PARAMETERS, // names with quantities
    LITHE_FIELD_OBJECTS,    // names with mappings of `table`
    LITHE_FIELD_LIBRARY,    // name in the library, of the kind at `also`; its values come first
} LitheFieldType;

/// Dimensions that depend on the object of a key.
#define LITHE_WANT_VALUE ((LitheWanted)(LITHE_WANT_COUNT + 0))      // of the profile
#define LITHE_WANT_VALUE_RATE ((LitheWanted)(LITHE_WANT_COUNT + 1)) // of the profile, per time
#define LITHE_WANT_DRIVE_SPRING ((LitheWanted)(LITHE_WANT_COUNT + 2))
#define LITHE_WANT_DRIVE_DASHPOT ((LitheWanted)(LITHE_WANT_COUNT + 3))
#define LITHE_WANT_JOINT_POSITION ((LitheWanted)(LITHE_WANT_COUNT + 4))
#define LITHE_WANT_JOINT_SPEED ((LitheWanted)(LITHE_WANT_COUNT + 5))
#define LITHE_WANT_JOINT_EFFORT ((LitheWanted)(LITHE_WANT_COUNT + 6))
#define LITHE_WANT_JOINT_INERTIA ((LitheWanted)(LITHE_WANT_COUNT + 7))
#define LITHE_WANT_TARGET ((LitheWanted)(LITHE_WANT_COUNT + 8)) // of an actuator
#define LITHE_WANT_ANYTHING ((LitheWanted)(LITHE_WANT_COUNT + 9))

enum {
    LITHE_FIELD_REQUIRED = 1,
    LITHE_FIELD_SHORTHAND = 2,  // read, never written: another key has the same meaning
    LITHE_FIELD_ALWAYS = 4,     // written also where it is the default
    LITHE_FIELD_ABOVE_ZERO = 8, // a number that is > 0 where it is given: its default 0 means none
};

typedef struct LitheField {
    const char *key;
    LitheFieldType type;
    LitheWanted wanted;
    int flags;
    size_t offset;
    size_t also;
    const struct LitheTable *table;
    const char *const *words; // by enum value, NULL at the end
    const char *preset;       // the default, as text of the reference page
    const char *about;        // one line for schema and reference page
} LitheField;

typedef struct LitheTable {
    const char *name; // "section circle"
    const LitheField *fields;
    int32_t count;
} LitheTable;

/// The values of `rotate: {axis, angle}`, before they become a rotation vector.
typedef struct LitheRotateDef {
    LitheVec3 axis;
    double angle;
} LitheRotateDef;

/// A body and a joint with the keys that only scene files have; the def is the first member.
typedef struct LitheBodyEntry {
    LitheBodyDef def;
    LitheMaterialId material; // of shapes without a material
    LitheVec3 colour;         // of shapes without a colour
} LitheBodyEntry;

typedef struct LitheJointEntry {
    LitheJointDef def;
    LitheVec3 at; // of the joint frame in the world, with bodies in their initial poses
    LitheVec3 axis;
    LitheQuat rotation;
} LitheJointEntry;

/// How particles fill a region.
typedef struct LitheFillDef {
    LitheRegionDef region;
    double spacing; // 0: LITHE_FILL_SPACING
    double jitter;
    int32_t seed;
    int32_t count; // max number; 0: all that fit
} LitheFillDef;

/// Distance of neighbours over their radius, where a file does not name it.
#define LITHE_FILL_SPACING 2.02

/// Particles with the keys that only scene files have.
typedef struct LitheParticlesEntry {
    LitheParticlesDef def;
    int32_t radii_count, masses_count;
    LitheVec3 at;     // of a single particle
    const char *path; // a point file
    LitheFillDef fill;
} LitheParticlesEntry;

/// One point of the path of a pose drive.
typedef struct LithePosePoint {
    double time;
    LitheVec3 at;
    LitheQuat rotation;
} LithePosePoint;

/// The top level; every other table is reached from it.
extern const LitheTable lithe_scene_table;

/// Used in all files with tables.
extern const LitheTable lithe_profile_table, lithe_rotate_table, lithe_shape_table;
extern const LitheTable lithe_material_patch_table;
extern const LitheTable lithe_material_table, lithe_material_pair_table, lithe_section_table;
extern const char *const lithe_natural_words[];
extern const LitheTable lithe_particles_table, lithe_solid_table, lithe_set_table, lithe_body_table,
    lithe_robot_table, lithe_joint_table, lithe_actuator_table, lithe_pose_drive_table,
    lithe_contact_table, lithe_constraint_table, lithe_chain_table, lithe_arm_table,
    lithe_control_table, lithe_knot_table, lithe_anchor_table, lithe_force_table,
    lithe_pressure_table, lithe_cavity_table, lithe_swell_table, lithe_fibre_table,
    lithe_plan_table, lithe_goal_table;

/// The field with this key, or NULL.
const LitheField *lithe_field_find(const LitheTable *table, const char *key);

/// The key of the table that `wrong` most likely means: what papers or other programs call by that
/// name (plane: half-space), else the most similar one; NULL when none is similar.
const char *lithe_meant_key(const char *wrong, const LitheTable *table);

/// As lithe_known_text, for the keys of a table, and for a list that ends with NULL.
void lithe_known_key_text(const char *wrong, const LitheTable *table, char *text, size_t size);
void lithe_known_word_text(const char *wrong, const char *const *words, char *text, size_t size);

/// Words of `hold`, with their bits in the same order.
extern const char *const lithe_hold_words[];
extern const uint32_t lithe_hold_word_bits[];
extern const char *const lithe_clamped_words[]; // bit 0: start, bit 1: end
extern const char *const lithe_joint_words[];   // in the order of LitheJointKind
extern const char *const lithe_colour_words[];  // names of colours (colour.c)

#endif
