// SPDX-License-Identifier: Apache-2.0
// scene/read.h - from a tree of YAML values to a scene, by the tables of fields.h

#ifndef LITHE_SCENE_READ_H
#define LITHE_SCENE_READ_H

#include "base/status.h"
#include "scene/check.h"
#include "scene/fields.h"
#include "scene/load.h"
#include "scene/tree.h"

typedef struct LitheParameter {
    const char *name;
    const LitheTreeNode *node;
    int state; // 0 not evaluated, 1 being evaluated, 2 known, 3 wrong and reported
    LitheQuantity value;
} LitheParameter;

/// Max counters of one object.
#define LITHE_REPEAT_DEPTH 4

/// The counters of a repeated object, and their values for the current copy.
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

/// The sorted names of the objects of a kind, as of the end of the last section.
typedef struct LitheNames {
    const LitheNameId *all;
    int32_t count;
} LitheNames;

/// Walks the tree. A function that returns false has failed with `status`, or its value is unusable
/// because of mistakes that are noted already. Mappings, sections and objects note the mistakes of
/// their values and go on, so that all mistakes of a file are reported at once.
typedef struct LitheReader {
    LitheYaml *tree;
    LitheScene *scene;
    LitheError *error; // of the current mistake
    LitheStatus status;
    LitheMistakes mistakes;
    LitheUnread *unread;
    bool cascades;              // further sections refer to what could not be read
    char path[400];             // of the current value: "rods.rope.nodes"
    LitheParameter *parameters; // by name
    int32_t parameter_count;
    int32_t parameter_depth;
    LitheRepeat repeat;
    const char *unknown; // the last name that is no parameter
    LitheNames names[LITHE_OBJECT_KINDS];
    LitheWanted value_wanted;  // of the current profile
    LitheWanted target_wanted; // of the current actuator
    const void *changed; // the entry, where it changes an object that is there; NULL: a new one
    LitheAddRobotFn *add_robot;
    int32_t own_materials; // of the section materials; others were taken from the library
    int32_t counted_sets;  // sets of particles whose particles are counted
    int64_t particle_count;
    bool turns; // the current drive or joint rotates: its spring is rotational
} LitheReader;

/// Reads the merged tree into `scene` (fresh). Only form and dimension are checked. `mistakes`:
/// those found before; receives all others; they do not end it. `unread` receives the objects that
/// have them, and `cascades` whether sections were left out because of them.
LitheStatus lithe_read_scene(LitheYaml *tree, const LitheTreeNode *root, LitheScene *scene,
                             LitheAddRobotFn *add_robot, LitheMistakes *mistakes,
                             LitheUnread *unread, bool *cascades);

// --- shared by the files that read ---------------------------------------------------------------

/// Notes that the scene was made from this file; false, with the status set, when out of memory.
bool lithe_read_note_input(LitheReader *reader, const char *path);

/// Fails with "PATH: MESSAGE" at the node. Returns false.
bool lithe_read_fail(LitheReader *reader, const LitheTreeNode *node, const char *format, ...)
    LITHE_PRINTF(3, 4);
bool lithe_read_fail_memory(LitheReader *reader);

/// Memory that lives as long as the tree; fails and returns NULL when out of memory.
void *lithe_read_push(LitheReader *reader, int64_t count, size_t size);

bool lithe_read_mapping(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                        void *base);
bool lithe_read_parameters(LitheReader *reader, const LitheTreeNode *node);
/// Whether the node's key is a valid name of a parameter, or of a counter, which may be that of a
/// unit (`units`).
bool lithe_read_parameter_name(LitheReader *reader, const LitheTreeNode *node, bool units);
bool lithe_read_quantity(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                         double *out);
bool lithe_read_text_quantity(LitheReader *reader, const LitheTreeNode *node, const char *text,
                              LitheWanted wanted, double *out);
/// The dimension of a quantity of any kind.
bool lithe_read_dimension(LitheReader *reader, const LitheTreeNode *node,
                          LitheDimension *dimension);
bool lithe_read_integer(LitheReader *reader, const LitheTreeNode *node, const char *text,
                        int32_t *out);
bool lithe_read_word(LitheReader *reader, const LitheTreeNode *node, const char *const *words,
                     int *out);
bool lithe_read_numbers(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                        int32_t count, double *out);
bool lithe_read_vector(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                       LitheVec3 *out);
/// Makes an axis a unit vector; fails when it has no direction.
bool lithe_read_axis(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *axis);
/// As lithe_read_push, for the items of a list; fails with "WANTED is expected" when the node is
/// none.
void *lithe_read_items(LitheReader *reader, const LitheTreeNode *node, const char *wanted,
                       size_t size);
/// Reads item `index` of a list, a mapping.
bool lithe_read_item(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                     int32_t index, void *base);
bool lithe_read_scalar(LitheReader *reader, const LitheTreeNode *node, const char *wanted);
/// The path of an existing file, relative to the current folder.
bool lithe_read_file(LitheReader *reader, const LitheTreeNode *node, const char **path);
/// Indexes the names of all objects that the scene has so far.
void lithe_read_index(LitheReader *reader);
/// The 1-based index of the object of a kind with this name; 0 if there is none.
int32_t lithe_read_find(const LitheReader *reader, LitheObjectKind kind, const char *name);
/// As lithe_read_find, but fails when there is none, with the known names in the message.
bool lithe_read_name(LitheReader *reader, const LitheTreeNode *node, LitheObjectKind kind,
                     const char *name, int32_t *id);

/// Finds the rod or the particles with this name; fails when there are none.
bool lithe_read_thing(LitheReader *reader, const LitheTreeNode *node, const char *name,
                      LitheThing *thing);

/// Appends ".key" or "[index]" to the path and returns the old length, for lithe_read_leave.
size_t lithe_read_enter(LitheReader *reader, const char *key);
size_t lithe_read_enter_index(LitheReader *reader, int32_t index);
void lithe_read_leave(LitheReader *reader, size_t length);

/// Checks the name of one object of a section, then adds it to the scene.
bool lithe_read_object(LitheReader *reader, const LitheField *section, const LitheTreeNode *node);

/// The value of `repeat` of a repeated object, or NULL (read_repeat.c).
const LitheTreeNode *lithe_repeat_of(const LitheField *section, const LitheTreeNode *node);

/// Adds all copies of a repeated object.
bool lithe_read_repeated(LitheReader *reader, const LitheField *section, const LitheTreeNode *node);

/// Reads a list that is given by one expression, {repeat: {n: 131}, value: n*2 mm}, whose counters
/// come after those of the object.
bool lithe_read_series(LitheReader *reader, const LitheTreeNode *node, LitheWanted wanted,
                       int32_t *count, double **values);

/// " (for i = 3, j = 0)", or "" when no copy is being read.
void lithe_repeat_text(const LitheRepeat *repeat, char *text, size_t size);
bool lithe_read_ignore(LitheReader *reader, const LitheTreeNode *node);

/// Reads a place on a rod or particles. Reads the point file of a shape; `node` is the object with
/// that shape.
bool lithe_read_place(LitheReader *reader, const LitheTreeNode *node, LithePlace *place);
bool lithe_read_point_file(LitheReader *reader, const LitheTreeNode *node, LitheShapeDef *shape);

/// Fields with special forms (read_kind.c, read_rigid.c, read_constraint.c).
bool lithe_read_anchor(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base);
/// A colour by name, as "#rrggbb", or as [r, g, b] (colour.c).
bool lithe_read_colour(LitheReader *reader, const LitheTreeNode *node, LitheVec3 *colour);
bool lithe_read_rigid_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                           void *base);
bool lithe_read_kind(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                     void *base);

#endif
