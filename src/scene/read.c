// SPDX-License-Identifier: Apache-2.0
// scene/read.c - reads a tree according to the tables and adds its objects to a scene

#include "scene/entries.h"
#include "scene/input.h"
#include "scene/library.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/curve_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER(Type, base, at) ((Type *)((char *)(base) + (at)))

// --- mappings ------------------------------------------------------------------------------------

// keys that exclude each other
static const char *const rivals[][2] = {
    {"speed", "motion"},
    {"turn-speed", "turn"},
    {"EI", "EI1"},
    {"EI", "EI2"},
    {"value", "table"},
    {"shape", "shapes"},
    {"axis", "rotate"},
    {"points", "path"},
    {"triangles", "path"},
    {"convex", "triangles"},
    {"radius", "radii"},
    {"diameter", "radii"},
    {"mass", "masses"},
    {"max-cuts", "most-cuts"},
    {"angular-velocity", "spin"},
    {"rotary-inertia-per-length", "spin-per-length"},
};

static bool fail_at_key(LitheReader *reader, const LitheTreeNode *node, const char *text) {
    LitheTreeNode at = {.file = node->file, .line = node->key_line, .column = node->key_column};
    return lithe_read_fail(reader, &at, "%s", text);
}

size_t lithe_read_enter(LitheReader *reader, const char *key) {
    size_t length = strlen(reader->path);
    snprintf(reader->path + length, sizeof reader->path - length, "%s%.100s", length ? "." : "",
             key);
    return length;
}

size_t lithe_read_enter_index(LitheReader *reader, int32_t index) {
    size_t length = strlen(reader->path);
    snprintf(reader->path + length, sizeof reader->path - length, "[%d]", index);
    return length;
}

void lithe_read_leave(LitheReader *reader, size_t length) {
    reader->path[length] = '\0';
}

// After a value that could not be read: notes the mistake and restores the path, so that reading
// continues behind it. False when nothing more can be read.
static bool note_mistake(LitheReader *reader, size_t length) {
    lithe_read_leave(reader, length);
    if (reader->status == LITHE_NO_MEMORY)
        return false;
    if (reader->status != LITHE_OK)
        lithe_mistakes_add(&reader->mistakes, reader->error);
    reader->status = LITHE_OK;
    return reader->mistakes.count < LITHE_MISTAKES_MAX;
}

// Whether the value is the word that stands for 0, such as "auto".
static bool says_zero(const LitheField *field, const LitheTreeNode *node) {
    return field->words && node->kind == LITHE_TREE_SCALAR &&
           strcmp(node->text, field->words[0]) == 0;
}

static bool read_field(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                       void *base) {
    void *member = (char *)base + field->offset;
    double v[3]; // numbers of the list
    int word;
    switch (field->type) {
    case LITHE_FIELD_QUANTITY:
        if (says_zero(field, node)) {
            *(double *)member = 0;
            return true;
        }
        return lithe_read_quantity(reader, node, field->wanted, member);
    case LITHE_FIELD_DIAMETER:
        if (!lithe_read_quantity(reader, node, field->wanted, member))
            return false;
        *(double *)member *= 0.5;
        return true;
    case LITHE_FIELD_TWICE:
        if (!lithe_read_quantity(reader, node, field->wanted, member))
            return false;
        *MEMBER(double, base, field->also) = *(double *)member;
        return true;
    case LITHE_FIELD_INTEGER:
        if (says_zero(field, node)) {
            *(int32_t *)member = 0;
            return true;
        }
        return lithe_read_scalar(reader, node, "a whole number") &&
               lithe_read_integer(reader, node, node->text, member);
    case LITHE_FIELD_FLAG: {
        static const char *const flags[] = {"false", "true", NULL};
        if (!lithe_read_word(reader, node, flags, &word))
            return false;
        *(bool *)member = word == 1;
        return true;
    }
    case LITHE_FIELD_WORD:
        return lithe_read_word(reader, node, field->words, member);
    case LITHE_FIELD_TEXT:
        if (!lithe_read_scalar(reader, node, "a text"))
            return false;
        *(const char **)member = node->text;
        return true;
    case LITHE_FIELD_VECTOR:
        if (!lithe_read_numbers(reader, node, field->wanted, 3, v))
            return false;
        *(LitheVec3 *)member = (LitheVec3){v[0], v[1], v[2]};
        return true;
    case LITHE_FIELD_PAIR:
        if (!lithe_read_numbers(reader, node, field->wanted, 2, v))
            return false;
        *(double *)member = v[0];
        *MEMBER(double, base, field->also) = v[1];
        return true;
    case LITHE_FIELD_MAPPING:
        return lithe_read_mapping(reader, field->table, node, member);
    case LITHE_FIELD_LIBRARY:
        return true; // its values were taken before all keys
    default:
        return lithe_read_kind(reader, field, node, base);
    }
}

// a quantity under any of its names
static bool is_number(const LitheField *field) {
    return field->type == LITHE_FIELD_QUANTITY || field->type == LITHE_FIELD_DIAMETER;
}

static bool check_rivals(LitheReader *reader, const LitheTreeNode *node) {
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        const LitheTreeNode *one = lithe_tree_find(node, rivals[i][0]);
        if (one && lithe_tree_find(node, rivals[i][1]))
            return lithe_read_fail(reader, one, "%s and %s are both given, one is expected",
                                   rivals[i][0], rivals[i][1]);
    }
    return true;
}

// Two keys for one member: E and young.
static bool check_twins(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                        uint32_t seen) {
    for (int32_t i = 0; i < table->count; i++)
        for (int32_t k = 0; k < i; k++) {
            const LitheField *one = &table->fields[k], *two = &table->fields[i];
            if (one->offset != two->offset || !is_number(one) || !is_number(two) ||
                !(seen >> i & 1) || !(seen >> k & 1))
                continue;
            return lithe_read_fail(reader, node, "%s and %s are both given, one is expected",
                                   one->key, two->key);
        }
    return true;
}

// Whether a required key is given, under this name or another one.
static bool is_given(const LitheTable *table, int32_t index, uint32_t seen) {
    const LitheField *wanted = &table->fields[index];
    for (int32_t i = 0; i < table->count; i++) {
        const LitheField *field = &table->fields[i];
        bool other = is_number(wanted) && is_number(field) &&
                     (field->flags & LITHE_FIELD_SHORTHAND) && field->offset == wanted->offset;
        if ((i == index || other) && (seen >> i & 1))
            return true;
    }
    return false;
}

// --- values of the library -----------------------------------------------------------------------

// The value of `from`; NULL: none.
static const LitheTreeNode *library_node(const LitheTable *table, const LitheTreeNode *node) {
    for (int32_t i = 0; i < table->count; i++)
        if (table->fields[i].type == LITHE_FIELD_LIBRARY)
            return lithe_tree_find(node, table->fields[i].key);
    return NULL;
}

// Writes the values of an entry to the members of `base` and sets the bits of its keys in `given`.
static bool take_entry(LitheReader *reader, const LitheTable *table, const LitheTreeNode *from,
                       void *base, uint32_t *given) {
    LitheLibraryKind kind = (LitheLibraryKind)lithe_field_find(table, from->key)->also;
    bool material = kind == LITHE_LIBRARY_MATERIAL;
    if (!lithe_read_scalar(reader, from,
                           material ? "the name of a material of the library"
                                    : "the name of a rope, cable or hose of the library"))
        return false;
    int32_t index = lithe_library_find(from->text);
    if (index < 0) {
        char meant[200];
        lithe_library_meant(from->text, (int)kind, meant, sizeof meant);
        return lithe_read_fail(reader, from,
                               "the library has no %s '%.60s'%s%s; `lithe materials` lists all",
                               material ? "material" : "rope, cable or hose", from->text,
                               *meant ? "; did you mean " : "", meant);
    }
    if (lithe_library_at(index).kind != kind)
        return lithe_read_fail(reader, from,
                               material ? "'%s' is no material: it is for section: {stiffness: "
                                          "{from: %s}} of a rod"
                                        : "'%s' is a material: materials: {NAME: {from: %s}}",
                               from->text, from->text);
    lithe_library_apply(index, table, base, given);
    return true;
}

// Notes the defaults that stand for values which neither the scene nor the library has.
static bool note_absent(LitheReader *reader, const LitheTable *table, const LitheTreeNode *from,
                        uint32_t seen) {
    static const struct {
        const char *key, *instead, *value; // `instead` makes the key needless
    } rows[] = {{"poisson", "shear", "0.5"}, {"GJ", "GJ", "2/3 of EI"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const LitheField *field = lithe_field_find(table, rows[i].key);
        const LitheField *instead = lithe_field_find(table, rows[i].instead);
        if (!field || is_given(table, (int32_t)(field - table->fields), seen) ||
            is_given(table, (int32_t)(instead - table->fields), seen))
            continue;
        if (!lithe_scene_add_note(
                reader->scene,
                "%s: the library has no %s of '%s': %s is taken (own keys replace it)",
                reader->path, rows[i].key, from->text, rows[i].value))
            return lithe_read_fail_memory(reader);
    }
    return true;
}

static bool check_given(LitheReader *reader, const LitheField *field, const LitheTreeNode *node,
                        const void *base) {
    if (!(field->flags & LITHE_FIELD_ABOVE_ZERO))
        return true;
    double value = *(const double *)((const char *)base + field->offset);
    if (value > 0 || isnan(value)) // what is not a number is refused with the object
        return true;
    return lithe_read_fail(reader, node, "%s is %.9g, must be > 0", field->key, value);
}

static bool read_key(LitheReader *reader, const LitheTable *table, const LitheTreeNode *child,
                     void *base, uint32_t *seen) {
    char text[600];
    const LitheField *field = lithe_field_find(table, child->key);
    if (!field) {
        snprintf(text, sizeof text, "unknown key in %s", table->name);
        lithe_known_key_text(child->key, table, text, sizeof text);
        // a key that is misspelt, or under another name, is not missing, too
        const char *meant = lithe_meant_key(child->key, table);
        if (meant)
            *seen |= 1u << (lithe_field_find(table, meant) - table->fields);
        return fail_at_key(reader, child, text);
    }
    *seen |= 1u << (field - table->fields);
    return read_field(reader, field, child, base) && check_given(reader, field, child, base);
}

bool lithe_read_mapping(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                        void *base) {
    char text[600];
    if (node->kind != LITHE_TREE_MAPPING) {
        snprintf(text, sizeof text, "a mapping is expected");
        lithe_known_key_text("", table, text, sizeof text);
        return lithe_read_fail(reader, node, "%s", text);
    }
    uint32_t seen = 0, given = 0;
    bool good = true;
    const LitheTreeNode *from = library_node(table, node);
    size_t length = strlen(reader->path);
    if (from) {
        lithe_read_enter(reader, from->key);
        good = take_entry(reader, table, from, base, &given);
        if (!good && !note_mistake(reader, length))
            return false;
        given = good ? given : UINT32_MAX; // what it would have given is not missing, too
        lithe_read_leave(reader, length);
    }
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        lithe_read_enter(reader, child->key);
        bool read = read_key(reader, table, child, base, &seen);
        good = good && read;
        if (!read && !note_mistake(reader, length))
            return false;
        lithe_read_leave(reader, length);
    }
    for (int32_t i = 0; i < table->count; i++) {
        if (!(table->fields[i].flags & LITHE_FIELD_REQUIRED) || is_given(table, i, seen | given) ||
            base == reader->changed)
            continue;
        good = from ? lithe_read_fail(reader, node, "%s is missing: the library has none of '%s'",
                                      table->fields[i].key, from->text)
                    : lithe_read_fail(reader, node, "%s is missing", table->fields[i].key);
        if (!note_mistake(reader, length))
            return false;
    }
    return good && check_rivals(reader, node) && check_twins(reader, table, node, seen) &&
           (!from || note_absent(reader, table, from, seen | given));
}

bool lithe_read_item(LitheReader *reader, const LitheTable *table, const LitheTreeNode *node,
                     int32_t index, void *base) {
    size_t length = lithe_read_enter_index(reader, index);
    if (!lithe_read_mapping(reader, table, node, base))
        return false;
    lithe_read_leave(reader, length);
    return true;
}

// --- objects -------------------------------------------------------------------------------------

bool lithe_read_note_input(LitheReader *reader, const char *path) {
    if (lithe_scene_add_input(reader->scene, path))
        return true;
    reader->status = lithe_fail_memory(reader->error, "the name of a file");
    return false;
}

// Reads the points of a file shape, so that the scene needs no other file.
bool lithe_read_point_file(LitheReader *reader, const LitheTreeNode *node, LitheShapeDef *shape) {
    const LitheTreeNode *path = lithe_tree_find(lithe_tree_find(node, "shape")->first, "path");
    const char *full = NULL;
    size_t length = lithe_read_enter(reader, "shape.file.path");
    if (!lithe_read_file(reader, path, &full))
        return false;
    lithe_read_leave(reader, length);
    LitheVec3 *points = NULL;
    int32_t count = 0;
    reader->status = lithe_curve_read(reader->tree->context, full, &points, &count, reader->error);
    if (reader->status != LITHE_OK)
        return false;
    LitheVec3 *own =
        lithe_read_note_input(reader, full) ? lithe_read_push(reader, count, sizeof *own) : NULL;
    if (own)
        memcpy(own, points, (size_t)count * sizeof *own);
    lithe_free(reader->tree->context, points);
    shape->kind = LITHE_SHAPE_POLYLINE;
    shape->points = own;
    shape->point_count = count;
    shape->path = NULL;
    return own != NULL;
}

bool lithe_read_rod_points(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    LitheRodDef *rod = entry;
    bool own = rod->shape.kind == LITHE_SHAPE_POLYLINE || rod->shape.kind == LITHE_SHAPE_FILE;
    if (own && !lithe_tree_find(node, "nodes"))
        rod->nodes = 0;
    return rod->shape.kind != LITHE_SHAPE_FILE || lithe_read_point_file(reader, node, &rod->shape);
}

bool lithe_begin_drive(LitheReader *reader, const LitheTreeNode *node, void *entry) {
    (void)entry;
    // the kind determines the dimension of its spring
    const LitheTreeNode *kind =
        node->kind == LITHE_TREE_MAPPING ? lithe_tree_find(node, "kind") : NULL;
    reader->turns = kind && strcmp(kind->text, "twist") == 0;
    return true;
}

// Adds an object with defaults in place of one with mistakes, so that references to its name are
// right. Returns false: the object itself could not be read.
static bool add_placeholder(LitheReader *reader, LitheObjectKind kind, const char *name) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    const LitheEntries *file = &lithe_scene_entries[kind];
    void *entry = row->size > 0 ? lithe_read_push(reader, 1, file->size) : NULL;
    // what a robot or chain would have added cannot be named, nor further copies of an object
    reader->cascades = reader->cascades || !entry || reader->repeat.depth > 0;
    if (!entry)
        return false;
    file->fill_defaults(entry);
    *(const char **)entry = name;
    LitheUnread *unread = reader->unread;
    int32_t index = lithe_object_count(reader->scene, kind);
    if (!LITHE_RESERVE(reader->scene->context, unread->objects, unread->capacity,
                       (int64_t)unread->count + 1) ||
        lithe_object_add(reader->scene, kind, entry) == 0) {
        reader->status = lithe_fail_memory(reader->error, "a scene");
        return false;
    }
    unread->objects[unread->count].kind = (int32_t)kind;
    unread->objects[unread->count++].index = index;
    return false;
}

static bool add_object(LitheReader *reader, const LitheField *section, const LitheTreeNode *node) {
    LitheObjectKind kind = lithe_object_kind(section->key);
    const LitheObjects *row = &lithe_scene_objects[kind];
    const LitheEntries *file = &lithe_scene_entries[kind];
    void *entry = lithe_read_push(reader, 1, file->size);
    if (!entry)
        return false;
    file->fill_defaults(entry);
    *(const char **)entry = node->key;
    reader->changed = NULL;
    bool read = (!file->begin || file->begin(reader, node, entry)) &&
                lithe_read_mapping(reader, section->table, node, entry) &&
                (!file->finish || file->finish(reader, node, entry));
    bool changed = reader->changed != NULL;
    reader->changed = NULL;
    if (changed)
        return read && (lithe_object_replace(reader->scene, kind,
                                             lithe_read_find(reader, kind, node->key) - 1, entry) ||
                        lithe_read_fail_memory(reader));
    if (!read)
        return add_placeholder(reader, kind, node->key);
    return row->size == 0 || lithe_object_add(reader->scene, kind, entry) > 0 ||
           lithe_read_fail_memory(reader);
}

bool lithe_read_object(LitheReader *reader, const LitheField *section, const LitheTreeNode *node) {
    LitheObjectKind kind = lithe_object_kind(section->key);
    bool parted = (lithe_scene_objects[kind].flags & LITHE_OBJECTS_WHOLE) == 0;
    if (!(parted ? lithe_parted_name_is_valid : lithe_name_is_valid)(node->key)) {
        char text[300];
        snprintf(text, sizeof text,
                 "'%.60s': a name has letters, digits, - and _ (at most %d) and begins with a "
                 "letter%s",
                 node->key, LITHE_NAME_LENGTH, parted ? LITHE_PARTED_NAME : "");
        return fail_at_key(reader, node, text);
    }
    size_t length = lithe_read_enter(reader, node->key);
    if (!add_object(reader, section, node))
        return false;
    lithe_read_leave(reader, length);
    return true;
}

static bool read_objects(LitheReader *reader, const LitheField *field, const LitheTreeNode *node) {
    if (node->kind == LITHE_TREE_SCALAR && node->text[0] == '\0' && !node->quoted)
        return true; // "holds:" with nothing below
    if (node->kind != LITHE_TREE_MAPPING)
        return lithe_read_fail(reader, node, "names with mappings are expected");
    bool good = true;
    for (const LitheTreeNode *child = node->first; child; child = child->next) {
        bool many = lithe_repeat_of(field, child) != NULL;
        size_t length = strlen(reader->path);
        bool read = (many ? lithe_read_repeated : lithe_read_object)(reader, field, child);
        good = good && read;
        if (!read && !note_mistake(reader, length))
            return false;
        reader->cascades = reader->cascades || (many && !read);
        reader->repeat = (LitheRepeat){0};
    }
    return good;
}

// --- the top level -------------------------------------------------------------------------------

static bool read_record(LitheReader *reader, const LitheField *field, const LitheTreeNode *node) {
    LitheRecordDef def = lithe_record_def_default();
    return lithe_read_mapping(reader, field->table, node, &def) &&
           (lithe_scene_set_record(reader->scene, &def) || lithe_read_fail_memory(reader));
}

static bool read_plan(LitheReader *reader, const LitheField *field, const LitheTreeNode *node) {
    LithePlanDef def = lithe_plan_def_default();
    return lithe_read_mapping(reader, field->table, node, &def) &&
           (lithe_scene_set_plan(reader->scene, &def) || lithe_read_fail_memory(reader));
}

static bool read_section(LitheReader *reader, const LitheField *field, const LitheTreeNode *node) {
    switch (field->type) {
    case LITHE_FIELD_VERSION:
    case LITHE_FIELD_INCLUDE:
        return true; // dealt with while loading
    case LITHE_FIELD_PARAMETERS:
        return lithe_read_parameters(reader, node);
    case LITHE_FIELD_IGNORE:
        return lithe_read_ignore(reader, node);
    case LITHE_FIELD_TEXT:
        return lithe_read_scalar(reader, node, "a text") &&
               (lithe_scene_set_title(reader->scene, node->text) || lithe_read_fail_memory(reader));
    case LITHE_FIELD_OBJECTS:
        return read_objects(reader, field, node);
    default:
        if (strcmp(field->key, "record") == 0)
            return read_record(reader, field, node);
        if (strcmp(field->key, "plan") == 0)
            return read_plan(reader, field, node);
        return read_field(reader, field, node, reader->scene);
    }
}

// Reads the sections in the order of the table: objects that others refer to come first.
static void read_sections(LitheReader *reader, const LitheTreeNode *root) {
    for (int32_t i = 0; i < lithe_scene_table.count && !reader->cascades; i++) {
        const LitheField *field = &lithe_scene_table.fields[i];
        const LitheTreeNode *node = lithe_tree_find(root, field->key);
        size_t length = lithe_read_enter(reader, field->key);
        if (node && !read_section(reader, field, node)) {
            if (!note_mistake(reader, length))
                return;
            // every quantity may refer to a parameter
            reader->cascades = reader->cascades || (field->type == LITHE_FIELD_PARAMETERS &&
                                                    reader->parameter_count == 0);
        }
        lithe_read_leave(reader, length);
        if (strcmp(field->key, "materials") == 0)
            reader->own_materials = reader->scene->material_count;
        lithe_read_index(reader); // later sections can refer to these
        if (reader->status != LITHE_OK)
            return;
    }
}

LitheStatus lithe_read_scene(LitheYaml *tree, const LitheTreeNode *root, LitheScene *scene,
                             LitheAddRobotFn *add_robot, LitheMistakes *mistakes,
                             LitheUnread *unread, bool *cascades) {
    LitheError one = {0};
    LitheReader reader = {.tree = tree,
                          .scene = scene,
                          .add_robot = add_robot,
                          .error = &one,
                          .mistakes = *mistakes,
                          .unread = unread};
    read_sections(&reader, root);
    *mistakes = reader.mistakes;
    *cascades = reader.cascades;
    if (reader.status != LITHE_OK && mistakes->error)
        *mistakes->error = one;
    return reader.status;
}
