// SPDX-License-Identifier: Apache-2.0
// scene/read.h - from a tree of YAML values to a scene, by the tables of fields.h

#ifndef LITHE_SCENE_READ_H
#define LITHE_SCENE_READ_H

#include "scene/fields.h"
#include "scene/load.h"
#include "scene/tree.h"

typedef struct LitheParameter {
    const char *name;
    const LitheTreeNode *node;
    int state; // 0 not yet known, 1 being worked out, 2 known
    LitheQuantity value;
} LitheParameter;

/// Counters one object may have.
#define LITHE_REPEAT_DEPTH 4

/// The counters of an object that stands for many, and their values for the copy at hand.
typedef struct LitheRepeat {
    const char *names[LITHE_REPEAT_DEPTH];
    int32_t counts[LITHE_REPEAT_DEPTH];
    int32_t values[LITHE_REPEAT_DEPTH];
    int32_t depth;              // 0: no copy is being read
    int64_t total;              // of copies
    const LitheTreeNode *where; // the condition, or NULL
} LitheRepeat;

typedef struct LitheNameId {
    const char *name;
    int32_t id;
} LitheNameId;

/// The names of the objects of a kind as of the end of the last section, sorted.
typedef struct LitheNames {
    const LitheNameId *all;
    int32_t count;
} LitheNames;

/// Walks the tree. Once `status` is not LITHE_OK everything returns false.
typedef struct LitheReader {
    LitheTree *tree;
    LitheScene *scene;
    LitheError *error;
    LitheStatus status;
    char path[400];             // of the value at hand: "rods.rope.nodes"
    LitheParameter *parameters; // by name
    int32_t parameter_count;
    int32_t parameter_depth;
    LitheRepeat repeat;
    const char *unknown; // the last name no parameter has
    LitheNames names[LITHE_OBJECT_KINDS];
    LitheWanted value_wanted;  // of the profile at hand
    LitheWanted target_wanted; // of the actuator at hand
    LitheAddRobotFn *add_robot;
    bool turns; // the drive or joint at hand turns: its spring is a turning one
} LitheReader;

/// Reads the merged tree into `scene` (fresh). Nothing is checked beyond form and dimension.
LitheStatus lithe_read_scene(LitheTree *tree, const LitheTreeNode *root, LitheScene *scene,
                             LitheAddRobotFn *add_robot, LitheError *error);

// --- between the files that read -----------------------------------------------------------------

/// "PATH: MESSAGE" at the node. Always false.
bool lithe_read_fail(LitheReader *reader, const LitheTreeNode *node, const char *format, ...)
    LITHE_PRINTF(3, 4);
bool lithe_read_fail_memory(LitheReader *reader);

/// Memory that lives as long as the tree; NULL, with the failure noted, when there is none.
void *lithe_read_push(LitheReader *reader, int64_t count, size_t size);

bool lithe_read_mapping(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                        void *base);
bool lithe_read_parameters(LitheReader *reader, const LitheTreeNode *node);
/// Whether the node's key may name a parameter or counter.
bool lithe_read_parameter_name(LitheReader *reader, const LitheTreeNode *node);
bool lithe_read_quantity(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                         double *out);
bool lithe_read_text_quantity(LitheReader *reader, const LitheTreeNode *node, const char *text,
                              LitheWanted wanted, double *out);
bool lithe_read_whole(LitheReader *reader, const LitheTreeNode *node, const char *text,
                      int32_t *out);
bool lithe_read_word(LitheReader *reader, const LitheTreeNode *node, const char *const *words,
                     int *out);
bool lithe_read_numbers(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                        int32_t count, double *out);
bool lithe_read_scalar(LitheReader *reader, const LitheTreeNode *node, const char *wanted);
/// The path of a file that must be there, from where the program runs.
bool lithe_read_file(LitheReader *reader, const LitheTreeNode *node, const char **path);
/// Makes all that is in the scene by now known by name.
void lithe_read_index(LitheReader *reader);
/// The number of the object of a kind that has this name; 0: there is none.
int32_t lithe_read_find(const LitheReader *reader, LitheObjectKind kind, const char *name);
/// The same; without one, the names that are known are in the message.
bool lithe_read_name(LitheReader *reader, const LitheTreeNode *node, LitheObjectKind kind,
                     const char *name, int32_t *id);

/// The rod or the particles of a name.
bool lithe_read_thing(LitheReader *reader, const LitheTreeNode *node, const char *name,
                      LitheThing *thing);

/// Appends ".key" or "[index]" to the path; the old length is for lithe_read_leave.
size_t lithe_read_enter(LitheReader *reader, const char *key);
size_t lithe_read_enter_index(LitheReader *reader, int32_t index);
void lithe_read_leave(LitheReader *reader, size_t length);

/// Checks the name of one object of a section, then adds it to the scene.
bool lithe_read_object(LitheReader *reader, const LitheField *section, const LitheTreeNode *node);

/// The value of `repeat` when the object stands for many, or NULL (read_repeat.c).
const LitheTreeNode *lithe_repeat_of(const LitheField *section, const LitheTreeNode *node);

/// Adds all copies of such an object.
bool lithe_read_repeated(LitheReader *reader, const LitheField *section, const LitheTreeNode *node);

/// " (for i = 3, j = 0)", or nothing when no copy is being read.
void lithe_repeat_text(const LitheRepeat *repeat, char *text, size_t size);
bool lithe_read_ignore(LitheReader *reader, const LitheTreeNode *node);

/// A place on a rod or particles; the points of a shape that lie in a file, given the object with
/// that shape.
bool lithe_read_place(LitheReader *reader, const LitheTreeNode *node, LithePlace *place);
bool lithe_read_point_file(LitheReader *reader, const LitheTreeNode *node, LitheShapeDef *shape);

/// Fields with a form of their own (read_kind.c, read_rigid.c, read_constraint.c).
bool lithe_read_anchor(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base);
bool lithe_read_rigid_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                           void *base);
bool lithe_read_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                     void *base);

#endif
