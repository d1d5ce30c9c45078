// SPDX-License-Identifier: Apache-2.0
// scene/objects.h - the table of all that a scene can have by name: one row per section of a file
//
// Adding, freeing, reading, checking and writing are loops over this table. A new kind of object
// is an array in LitheScene, a table of keys (fields.h) and one row; NULL hooks do the usual.

#ifndef LITHE_SCENE_OBJECTS_H
#define LITHE_SCENE_OBJECTS_H

#include "scene/check.h"
#include "scene/read.h"
#include "scene/write.h"

/// The value of every member of an entry that a file does not name.
typedef void LitheUsualFn(void *entry);
/// Replaces what the def points to, except its name, by copies; all of it, also when one fails.
typedef bool LitheCopyFn(LitheContext *context, void *def);
/// Frees what the copy owns, except the name and the def itself.
typedef void LitheReleaseFn(LitheContext *context, void *def);
/// Of one def, aimed at; and of all of them together.
typedef void LitheCheckFn(LitheCheck *check, const void *def);
typedef void LitheCheckAllFn(LitheCheck *check);
/// Before or after the keys of an object are read into its entry.
typedef bool LitheReadFn(LitheReader *reader, const LitheTreeNode *node, void *entry);
typedef void LitheWriteFn(LitheWriter *w, const LitheTable *table, void *entry, const void *usual);

enum {
    LITHE_OBJECTS_TOUCH = 1,    // things that can touch: known to `ignore`
    LITHE_OBJECTS_RECORDED = 2, // recordings know their names: known to `record.also`
};

typedef struct LitheObjects {
    const char *section;         // key in scene files: "rods"
    const char *word;            // in messages: "rod"
    LitheObjectKind names;       // kinds with the same value share their names
    int flags;                   // LITHE_OBJECTS_...
    const char *reserved;        // a name that none may have, or NULL
    size_t array, count, room;   // where LitheScene keeps them, how many, and its capacity
    size_t size;                 // of a def, whose first member is its name; 0: read, never kept
    size_t entry;                // size of what the keys are read into; the def is its first member
    LitheUsualFn *usual;         // defaults of an entry
    LitheCopyFn *copy;           // NULL: the name is all that a def points to
    LitheReleaseFn *release;     // NULL: likewise
    LitheReadFn *begin, *finish; // around the keys; `finish` adds what is never kept
    LitheCheckFn *check;
    LitheCheckAllFn *check_all; // after each of them was right
    LitheWriteFn *write;        // NULL: the keys that are not as usual
} LitheObjects;

/// By LitheObjectKind; in this order they are checked and written.
extern const LitheObjects lithe_scene_objects[LITHE_OBJECT_KINDS];

/// The kind of a section, or LITHE_OBJECT_KINDS.
LitheObjectKind lithe_object_kind(const char *section);

/// How many of a kind a scene has; one of them, from 0, and its name (may be NULL).
int32_t lithe_object_count(const LitheScene *scene, LitheObjectKind kind);
const void *lithe_object(const LitheScene *scene, LitheObjectKind kind, int32_t index);
const char *lithe_object_name(const LitheScene *scene, LitheObjectKind kind, int32_t index);

/// Adds a deep copy of a def; its number, from 1, or 0 when out of memory.
int32_t lithe_object_add(LitheScene *scene, LitheObjectKind kind, const void *def);

/// Takes back what was added after there were `count`.
void lithe_object_cut(LitheScene *scene, LitheObjectKind kind, int32_t count);

/// lithe_check_aim at an object.
void lithe_object_aim(LitheCheck *check, LitheObjectKind kind, int32_t index);

// --- hooks ---------------------------------------------------------------------------------------

// scene.c, read.c, check.c, check_acts.c, check_clash.c, write.c
LitheCopyFn lithe_copy_rod, lithe_copy_drive, lithe_copy_force, lithe_copy_natural_drive;
LitheReleaseFn lithe_release_rod, lithe_release_drive, lithe_release_force,
    lithe_release_natural_drive;
LitheReadFn lithe_read_rod_points, lithe_begin_drive;
LitheCheckFn lithe_check_material, lithe_check_rod, lithe_check_hold, lithe_check_drive,
    lithe_check_force, lithe_check_natural_drive;
LitheCheckAllFn lithe_check_rods, lithe_check_clashes;
LitheWriteFn lithe_write_rod;

// particles.c
LitheUsualFn lithe_usual_particles;
LitheCopyFn lithe_copy_particles;
LitheReleaseFn lithe_release_particles;
LitheReadFn lithe_finish_particles;
LitheCheckFn lithe_check_particles;
LitheCheckAllFn lithe_check_all_particles;
LitheWriteFn lithe_write_particles;

// set.c
LitheCopyFn lithe_copy_set;
LitheReleaseFn lithe_release_set;
LitheReadFn lithe_finish_set;
LitheCheckFn lithe_check_set;
LitheWriteFn lithe_write_set;

// rigid.c, read_rigid.c, check_rigid.c
LitheCopyFn lithe_copy_body, lithe_copy_joint, lithe_copy_actuator, lithe_copy_pose_drive;
LitheReleaseFn lithe_release_body, lithe_release_actuator, lithe_release_pose_drive;
LitheReadFn lithe_finish_body, lithe_add_robot, lithe_begin_joint, lithe_finish_joint,
    lithe_begin_actuator, lithe_begin_pose_drive;
LitheCheckFn lithe_check_body, lithe_check_joint, lithe_check_actuator;
LitheCheckAllFn lithe_check_trees, lithe_check_prescribed, lithe_check_pose_drives;

// constraint.c, read_constraint.c, check_constraint.c
LitheCopyFn lithe_copy_constraint;
LitheReleaseFn lithe_release_constraint;
LitheReadFn lithe_add_chain;
LitheCheckFn lithe_check_constraint;

// control.c, check_control.c
LitheCopyFn lithe_copy_control;
LitheReleaseFn lithe_release_control;
LitheCheckFn lithe_check_control;
LitheWriteFn lithe_write_control;

#endif
