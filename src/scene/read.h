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
    const char *unknown;       // the last name no parameter has
    LitheNameId *materials;    // by name
    LitheNameId *rods;         // by name
    LitheNameId *bodies;       // by name
    LitheNameId *joints;       // by name
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
bool lithe_read_name(LitheReader *reader, const LitheTreeNode *node, const char *name,
                     const char *kind, const LitheNameId *all, int32_t count, int32_t *id);

/// Appends ".key" or "[index]" to the path; the old length is for lithe_read_leave.
size_t lithe_read_enter(LitheReader *reader, const char *key);
size_t lithe_read_enter_index(LitheReader *reader, int32_t index);
void lithe_read_leave(LitheReader *reader, size_t length);

/// Adds one object of a section to the scene.
typedef bool LitheAddFn(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node);
LitheAddFn lithe_add_body, lithe_add_robot, lithe_add_joint, lithe_add_actuator,
    lithe_add_pose_drive, lithe_add_constraint, lithe_add_chain, lithe_add_control;

/// Checks the name of one object of a section, then adds it.
bool lithe_read_object(LitheReader *reader, const LitheField *section, const LitheTreeNode *node,
                       LitheAddFn *add);

/// The value of `repeat` when the object stands for many, or NULL (read_repeat.c).
const LitheTreeNode *lithe_repeat_of(const LitheField *section, const LitheTreeNode *node);

/// Adds all copies of such an object.
bool lithe_read_repeated(LitheReader *reader, const LitheField *section, const LitheTreeNode *node,
                         LitheAddFn *add);

/// " (for i = 3, j = 0)", or nothing when no copy is being read.
void lithe_repeat_text(const LitheRepeat *repeat, char *text, size_t size);
bool lithe_read_ignore(LitheReader *reader, const LitheTreeNode *node);

/// A place on a rod; the points of a shape that lie in a file, given the object with that shape.
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
