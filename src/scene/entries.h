// SPDX-License-Identifier: Apache-2.0
// scene/entries.h - the table of how each kind of objects is read from files and written
//
// What objects.h knows of a kind needs no file. This table adds what files need: the struct that
// the keys of fields.h are read into, and hooks; NULL hooks have a default.

#ifndef LITHE_SCENE_ENTRIES_H
#define LITHE_SCENE_ENTRIES_H

#include "scene/objects.h"
#include "scene/read.h"
#include "scene/write.h"

/// Sets every member of an entry to its default.
typedef void LitheDefaultsFn(void *entry);
/// Called before or after the keys of an object are read into its entry.
typedef bool LitheReadFn(LitheReader *reader, const LitheTreeNode *node, void *entry);
typedef void LitheWriteFn(LitheWriter *w, const LitheTable *table, void *entry,
                          const void *defaults);

typedef struct LitheEntries {
    size_t size; // of the struct that the keys are read into; the def is its first member
    LitheDefaultsFn *fill_defaults;
    LitheReadFn *begin, *finish; // before and after the keys; `finish` adds what is not stored
    LitheWriteFn *write;         // NULL: writes the keys that differ from the default
} LitheEntries;

/// By LitheObjectKind.
extern const LitheEntries lithe_scene_entries[LITHE_OBJECT_KINDS];

// --- hooks ---------------------------------------------------------------------------------------

// read.c, read_rigid.c, read_constraint.c
LitheReadFn lithe_read_rod_points, lithe_begin_drive, lithe_finish_body, lithe_add_robot,
    lithe_begin_joint, lithe_finish_joint, lithe_begin_actuator, lithe_begin_pose_drive,
    lithe_finish_constraint, lithe_add_chain, lithe_add_arm;

// read_goal.c, read_particles.c, read_set.c, read_solid.c
LitheDefaultsFn lithe_particles_defaults;
LitheReadFn lithe_finish_goal, lithe_finish_particles, lithe_finish_set, lithe_finish_solid;
LitheWriteFn lithe_write_particles, lithe_write_set, lithe_write_solid;

// write.c, write_control.c
LitheWriteFn lithe_write_rod, lithe_write_control;

#endif
