// SPDX-License-Identifier: Apache-2.0
// scene/objects.h - the table of all named objects of a scene: one row per section of a file
//
// Adding, freeing and checking are loops over this table; reading and writing files are loops over
// the one of entries.h. A new kind of object is an array in LitheScene, a table of keys (fields.h)
// and one row here and there; NULL hooks have a default.

#ifndef LITHE_SCENE_OBJECTS_H
#define LITHE_SCENE_OBJECTS_H

#include "scene/check.h"

/// Replaces every pointer of the def, except its name, by a pointer to a copy. Continues when a
/// copy fails, so that no pointer to the original is left; then returns false.
typedef bool LitheCopyFn(LitheContext *context, void *def);
/// Frees what the copy owns, except the name and the def itself.
typedef void LitheReleaseFn(LitheContext *context, void *def);
/// Checks one def, which has been selected by lithe_object_select.
typedef void LitheCheckFn(LitheCheck *check, const void *def);
/// Checks all defs of a kind against each other.
typedef void LitheCheckAllFn(LitheCheck *check);

enum {
    LITHE_OBJECTS_TOUCH = 1,    // objects that can touch: `ignore` accepts their names
    LITHE_OBJECTS_RECORDED = 2, // objects with columns in recordings: `record.also` accepts them
    LITHE_OBJECTS_WHOLE = 4,    // names without parts: "gripper", not "arm/hand"
};

typedef struct LitheObjects {
    const char *section;           // key in scene files: "rods"
    const char *word;              // name of the kind in messages: "rod"
    LitheObjectKind names;         // kinds with the same value cannot use the same name twice
    int flags;                     // LITHE_OBJECTS_...
    const char *reserved;          // a name that no object may have, or NULL
    size_t array, count, capacity; // offsets in LitheScene of the array, its count and its capacity
    size_t size;                   // of a def, whose first member is its name; 0: read, not stored
    LitheCopyFn *copy;             // NULL: a def has no pointer except its name
    LitheReleaseFn *release;       // NULL: as for `copy`
    LitheCheckFn *check;
    LitheCheckAllFn *check_all; // called after every def has passed `check`
} LitheObjects;

/// By LitheObjectKind, in the order in which objects are checked and written.
extern const LitheObjects lithe_scene_objects[LITHE_OBJECT_KINDS];

/// The kind of a section, or LITHE_OBJECT_KINDS.
LitheObjectKind lithe_object_kind(const char *section);

/// The number of objects of a kind; the def of object `index`, from 0; its name (may be NULL).
int32_t lithe_object_count(const LitheScene *scene, LitheObjectKind kind);
const void *lithe_object(const LitheScene *scene, LitheObjectKind kind, int32_t index);
const char *lithe_object_name(const LitheScene *scene, LitheObjectKind kind, int32_t index);

/// Adds a deep copy of a def and returns its number, from 1; 0 when out of memory.
int32_t lithe_object_add(LitheScene *scene, LitheObjectKind kind, const void *def);

/// Puts a deep copy of a def in the place of object `index`, from 0; false when out of memory.
bool lithe_object_replace(LitheScene *scene, LitheObjectKind kind, int32_t index, const void *def);

/// Removes all objects of a kind except the first `count`.
void lithe_object_truncate(LitheScene *scene, LitheObjectKind kind, int32_t count);

/// Selects an object: calls lithe_check_select with its names.
void lithe_object_select(LitheCheck *check, LitheObjectKind kind, int32_t index);

// --- hooks ---------------------------------------------------------------------------------------

// scene.c, check.c, check_conditions.c, check_clash.c
LitheCopyFn lithe_copy_rod, lithe_copy_drive, lithe_copy_force, lithe_copy_natural_drive;
LitheReleaseFn lithe_release_rod, lithe_release_drive, lithe_release_force,
    lithe_release_natural_drive;
LitheCheckFn lithe_check_material, lithe_check_material_pair, lithe_check_rod, lithe_check_hold,
    lithe_check_drive, lithe_check_force, lithe_check_natural_drive;
LitheCheckAllFn lithe_check_material_pairs, lithe_check_rods, lithe_check_clashes;

// particles.c
LitheCopyFn lithe_copy_particles;
LitheReleaseFn lithe_release_particles;
LitheCheckFn lithe_check_particles;
LitheCheckAllFn lithe_check_all_particles;

// solid.c
LitheCopyFn lithe_copy_solid;
LitheReleaseFn lithe_release_solid;
LitheCheckFn lithe_check_solid;
LitheCheckAllFn lithe_check_solids;

// pressure.c
LitheCopyFn lithe_copy_pressure, lithe_copy_cavity, lithe_copy_swell;
LitheReleaseFn lithe_release_pressure, lithe_release_cavity, lithe_release_swell;
LitheCheckFn lithe_check_pressure, lithe_check_cavity, lithe_check_swell, lithe_check_fibre;

// set.c; the keys of regions, by LitheRegionKind
enum { LITHE_REGION_KEYS = LITHE_REGION_CYLINDER + 1 };
extern const char *const lithe_region_keys[LITHE_REGION_KEYS];
LitheCopyFn lithe_copy_set;
LitheReleaseFn lithe_release_set;
LitheCheckFn lithe_check_set;

// rigid.c, check_rigid.c
LitheCopyFn lithe_copy_body, lithe_copy_joint, lithe_copy_actuator, lithe_copy_pose_drive;
LitheReleaseFn lithe_release_body, lithe_release_actuator, lithe_release_pose_drive;
LitheCheckFn lithe_check_body, lithe_check_joint, lithe_check_actuator;
LitheCheckAllFn lithe_check_trees, lithe_check_prescribed, lithe_check_pose_drives;

// constraint.c, check_constraint.c
LitheCopyFn lithe_copy_constraint;
LitheReleaseFn lithe_release_constraint;
LitheCheckFn lithe_check_constraint;

// control.c, check_control.c
LitheCopyFn lithe_copy_control;
LitheReleaseFn lithe_release_control;
LitheCheckFn lithe_check_control;

// knot.c
LitheCopyFn lithe_copy_knot;
LitheReleaseFn lithe_release_knot;
LitheCheckFn lithe_check_knot;

// goal.c
LitheCopyFn lithe_copy_goal;
LitheReleaseFn lithe_release_goal;
LitheCheckFn lithe_check_goal;

#endif
