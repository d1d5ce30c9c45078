// SPDX-License-Identifier: Apache-2.0
// scene/load.c - scene files: reading, includes, overrides, then the scene itself

#define _GNU_SOURCE // realpath, uselocale

#include "scene/load.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "scene/check.h"
#include "scene/override.h"
#include "scene/read.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_INCLUDE_DEPTH 16
#define MAX_FILES 1000 // of a scene; each is compared with all others

typedef struct Loader {
    LitheYaml tree;
    LitheContext *context;
    LitheAddRobotFn *add_robot;
    LitheError *error;
    LitheMistakes mistakes; // of form; the first ends nothing
    char **read;            // [read_count] real paths of all files that were read or are being read
    int32_t read_count, read_capacity;
    int32_t open[MAX_INCLUDE_DEPTH + 1]; // those being read, outermost first
    int32_t depth;
} Loader;

static LitheStatus load_file(Loader *loader, const char *path, const LitheTreeNode *by,
                             LitheTreeNode **root);

// --- files ---------------------------------------------------------------------------------------

static LitheStatus fail_file(Loader *loader, const LitheTreeNode *by, const char *path,
                             int reason) {
    if (!by)
        return lithe_fail(loader->error, LITHE_FILE_ERROR, "%s: cannot read: %s", path,
                          lithe_file_reason(reason));
    return lithe_fail_at(loader->error, LITHE_FILE_ERROR, loader->tree.files[by->file], by->line,
                         by->column, "include: cannot read %s: %s", path,
                         lithe_file_reason(reason));
}

// The whole file in memory of the context.
static LitheStatus read_bytes(Loader *loader, const char *path, const LitheTreeNode *by,
                              char **text, size_t *length) {
    FILE *file = lithe_file_open_input(path);
    if (!file)
        return fail_file(loader, by, path, errno);
    size_t capacity = 1 << 16, used = 0;
    char *bytes = lithe_alloc(loader->context, capacity);
    LitheStatus status = bytes ? LITHE_OK : lithe_fail_memory(loader->error, "a file's text");
    while (status == LITHE_OK) {
        errno = 0;
        size_t n = fread(bytes + used, 1, capacity - used, file);
        used += n;
        if (n == 0 && ferror(file))
            status = fail_file(loader, by, path, errno ? errno : EIO);
        if (n == 0)
            break;
        if (used > LITHE_TREE_MAX_BYTES)
            status = lithe_fail(loader->error, LITHE_BAD_INPUT,
                                "%s: has more than %zu bytes, the max of a scene", path,
                                LITHE_TREE_MAX_BYTES);
        if (status == LITHE_OK && used == capacity) {
            char *more = lithe_alloc(loader->context, 2 * capacity);
            if (!more) {
                status = lithe_fail_memory(loader->error, "a file's text");
                break;
            }
            memcpy(more, bytes, used);
            lithe_free(loader->context, bytes);
            bytes = more;
            capacity *= 2;
        }
    }
    fclose(file);
    if (status != LITHE_OK) {
        lithe_free(loader->context, bytes);
        return status;
    }
    *text = bytes;
    *length = used;
    return LITHE_OK;
}

// --- includes ------------------------------------------------------------------------------------

static LitheStatus check_root(Loader *loader, int32_t file, const LitheTreeNode *root) {
    const char *name = loader->tree.files[file];
    if (!root || root->kind != LITHE_TREE_MAPPING)
        return lithe_fail(loader->error, LITHE_BAD_INPUT,
                          "%s: not a scene: a mapping that begins with 'lithe: 1' is expected",
                          name);
    // a list of its keys would be a poor explanation
    if (lithe_tree_find(root, "scene") &&
        (lithe_tree_find(root, "vary") || lithe_tree_find(root, "measure")))
        return lithe_fail(loader->error, LITHE_BAD_INPUT,
                          "%s: is a study, not a scene: lithe sweep takes it", name);
    const LitheTreeNode *version = lithe_tree_find(root, "lithe");
    for (const LitheTreeNode *child = root->first; child; child = child->next) {
        if (lithe_field_find(&lithe_scene_table, child->key))
            continue;
        char text[600];
        snprintf(text, sizeof text, "%.60s: unknown key in a scene", child->key);
        lithe_known_key_text(child->key, &lithe_scene_table, text, sizeof text);
        LitheTreeNode at = {.file = file, .line = child->key_line, .column = child->key_column};
        LitheError one;
        lithe_tree_fail(&loader->tree, &at, &one, "%s", text);
        lithe_mistakes_add(&loader->mistakes, &one);
    }
    if (!version && loader->mistakes.count > 0)
        return lithe_mistakes_end(&loader->mistakes);
    if (!version)
        return lithe_fail(loader->error, LITHE_BAD_INPUT,
                          "%s: 'lithe: 1', the version of the format, is missing", name);
    if (version->kind != LITHE_TREE_SCALAR || strcmp(version->text, "1") != 0)
        return lithe_tree_fail(&loader->tree, version, loader->error,
                               "lithe: version '%.20s' of the format is not supported, only 1 is",
                               version->text);
    return LITHE_OK;
}

// A name that both files use in one section is an error; names of `other` are inserted before those
// of `own`.
static LitheStatus merge_objects(Loader *loader, LitheTreeNode *own, const LitheTreeNode *other) {
    if (own->kind != LITHE_TREE_MAPPING || other->kind != LITHE_TREE_MAPPING)
        return LITHE_OK; // wrong or empty: the reader reports it
    LitheTreeNode *old = own->first;
    own->first = own->last = NULL;
    own->count = 0;
    for (LitheTreeNode *child = other->first, *next; child; child = next) {
        next = child->next;
        for (const LitheTreeNode *o = old; o; o = o->next)
            if (strcmp(o->key, child->key) == 0) {
                LitheTreeNode at = {.file = o->file, .line = o->key_line, .column = o->key_column};
                return lithe_tree_fail(&loader->tree, &at, loader->error,
                                       "%s.%.60s: the name is already taken at %s:%d:%d", own->key,
                                       o->key, loader->tree.files[child->file], child->key_line,
                                       child->key_column);
            }
        lithe_tree_append(own, child);
    }
    for (LitheTreeNode *child = old, *next; child; child = next) {
        next = child->next;
        lithe_tree_append(own, child);
    }
    return LITHE_OK;
}

// Merges single values: those of the including file, `own`, take precedence.
static void merge_values(LitheTreeNode *own, const LitheTreeNode *other) {
    if (own->kind != LITHE_TREE_MAPPING || other->kind != LITHE_TREE_MAPPING)
        return;
    for (LitheTreeNode *child = other->first, *next; child; child = next) {
        next = child->next;
        if (!lithe_tree_find(own, child->key))
            lithe_tree_append(own, child);
    }
}

// Merges lists: the entries of the included file, `other`, are appended to those of `own`.
static void merge_lists(LitheTreeNode *own, const LitheTreeNode *other) {
    if (own->kind != LITHE_TREE_SEQUENCE || other->kind != LITHE_TREE_SEQUENCE)
        return;
    for (LitheTreeNode *child = other->first, *next; child; child = next) {
        next = child->next;
        lithe_tree_append(own, child);
    }
}

static LitheStatus merge_file(Loader *loader, LitheTreeNode *root, const LitheTreeNode *other) {
    LitheStatus status = LITHE_OK;
    for (LitheTreeNode *child = other->first, *next; child && status == LITHE_OK; child = next) {
        next = child->next;
        const LitheField *field = lithe_field_find(&lithe_scene_table, child->key);
        LitheTreeNode *own = lithe_tree_find(root, child->key);
        if (!field || field->type == LITHE_FIELD_INCLUDE)
            continue;
        if (!own)
            lithe_tree_append(root, child);
        else if (field->type == LITHE_FIELD_OBJECTS)
            status = merge_objects(loader, own, child);
        else if (field->type == LITHE_FIELD_IGNORE)
            merge_lists(own, child);
        else if (field->type == LITHE_FIELD_MAPPING || field->type == LITHE_FIELD_PARAMETERS)
            merge_values(own, child);
    }
    return status;
}

static LitheStatus include_one(Loader *loader, LitheTreeNode *root, const LitheTreeNode *name) {
    if (name->kind != LITHE_TREE_SCALAR || name->text[0] == '\0')
        return lithe_tree_fail(&loader->tree, name, loader->error,
                               "include: a file name is expected, or a list of them");
    const char *folder = loader->tree.folders[name->file];
    if (!folder)
        return lithe_tree_fail(
            &loader->tree, name, loader->error,
            "include: a scene given as text without a folder cannot refer to files");
    size_t size = strlen(folder) + strlen(name->text) + 2;
    char *path = lithe_alloc(loader->context, size);
    if (!path)
        return lithe_fail_memory(loader->error, "a file name");
    bool absolute = name->text[0] == '/' || strcmp(folder, ".") == 0;
    snprintf(path, size, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", name->text);
    LitheTreeNode *other = NULL; // stays NULL if the file has been read before
    LitheStatus status = load_file(loader, path, name, &other);
    if (status == LITHE_OK && other)
        status = merge_file(loader, root, other);
    lithe_free(loader->context, path);
    return status;
}

// Later files of the list take precedence over earlier ones, the including file over all. A file
// that is included several times is read once, at the place of the highest precedence.
static LitheStatus include_all(Loader *loader, LitheTreeNode *root) {
    const LitheTreeNode *include = lithe_tree_find(root, "include");
    if (!include)
        return LITHE_OK;
    if (include->kind != LITHE_TREE_SEQUENCE)
        return include_one(loader, root, include);
    const LitheTreeNode **names = lithe_alloc_array(loader->context, include->count, sizeof *names);
    if (!names)
        return lithe_fail_memory(loader->error, "the names of included files");
    int32_t count = 0;
    for (const LitheTreeNode *name = include->first; name; name = name->next)
        names[count++] = name;
    LitheStatus status = LITHE_OK;
    while (count > 0 && status == LITHE_OK)
        status = include_one(loader, root, names[--count]);
    lithe_free(loader->context, names);
    return status;
}

static LitheStatus parse_text(Loader *loader, int32_t file, const char *text, size_t length,
                              LitheTreeNode **root) {
    LitheTreeNode *made = NULL;
    LitheStatus status =
        lithe_tree_parse(&loader->tree, file, text, length, false, &made, loader->error);
    if (status == LITHE_OK)
        status = check_root(loader, file, made);
    if (status == LITHE_OK)
        status = include_all(loader, made);
    if (status == LITHE_OK)
        *root = made;
    return status;
}

// Adds the file to the chain of includes, unless it has been read; refuses a cycle.
static LitheStatus open_link(Loader *loader, const char *path, const LitheTreeNode *by,
                             bool *again) {
    char real[PATH_MAX];
    if (!realpath(path, real)) {
        int reason = errno;
        struct stat info;
        // a pipe has no real path
        if (stat(path, &info) != 0 || !S_ISFIFO(info.st_mode) || strlen(path) >= sizeof real)
            return fail_file(loader, by, path, reason);
        snprintf(real, sizeof real, "%s", path);
    }
    for (int32_t i = 0; i < loader->depth; i++)
        if (strcmp(loader->read[loader->open[i]], real) == 0)
            return lithe_tree_fail(&loader->tree, by, loader->error,
                                   "include: %s includes itself, directly or through others", path);
    if (loader->depth > MAX_INCLUDE_DEPTH)
        return lithe_tree_fail(&loader->tree, by, loader->error,
                               "include: files include each other more than %d deep",
                               MAX_INCLUDE_DEPTH);
    for (int32_t i = 0; i < loader->read_count && !*again; i++)
        *again = strcmp(loader->read[i], real) == 0;
    if (*again)
        return LITHE_OK;
    if (loader->read_count == MAX_FILES)
        return lithe_tree_fail(&loader->tree, by, loader->error,
                               "include: more than %d files are included, the max of a scene",
                               MAX_FILES);
    char *own = lithe_alloc_text(loader->context, real);
    if (!own || !LITHE_RESERVE(loader->context, loader->read, loader->read_capacity,
                               (int64_t)loader->read_count + 1)) {
        lithe_free(loader->context, own);
        return lithe_fail_memory(loader->error, "a file name");
    }
    loader->open[loader->depth++] = loader->read_count;
    loader->read[loader->read_count++] = own;
    return LITHE_OK;
}

static LitheStatus load_file(Loader *loader, const char *path, const LitheTreeNode *by,
                             LitheTreeNode **root) {
    bool again = false;
    LitheStatus status = open_link(loader, path, by, &again);
    if (status != LITHE_OK || again)
        return status;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (slash == path)
        snprintf(folder, sizeof folder, "/.");
    char *text = NULL;
    size_t length = 0;
    int32_t file;
    status = read_bytes(loader, path, by, &text, &length);
    if (status == LITHE_OK)
        status = lithe_tree_add_file(&loader->tree, path, folder, &file, loader->error);
    if (status == LITHE_OK)
        status = parse_text(loader, file, text, length, root);
    lithe_free(loader->context, text);
    loader->depth--;
    return status;
}

// --- places of values ----------------------------------------------------------------------------

static bool note_places(LitheScene *scene, const LitheTreeNode *node, char *path, size_t size);

// Stores the place of one value and of the values in it, for messages of later checks. `path` is
// the path of the value, in a buffer with capacity for longer paths.
static bool note_place(LitheScene *scene, const LitheTreeNode *node, char *path, size_t size) {
    bool at_key = node->kind != LITHE_TREE_SCALAR && node->key;
    if (!LITHE_RESERVE(scene->context, scene->sources, scene->source_capacity,
                       (int64_t)scene->source_count + 1))
        return false;
    char *own = lithe_alloc_text(scene->context, path);
    if (!own)
        return false;
    scene->sources[scene->source_count++] = (LitheSource){
        .path = own,
        .file = node->file,
        .line = at_key ? node->key_line : node->line,
        .column = at_key ? node->key_column : node->column,
    };
    return note_places(scene, node, path, size);
}

// Stores the places of the values of a mapping, and of mappings in a list: "shapes[1].box.size".
static bool note_places(LitheScene *scene, const LitheTreeNode *node, char *path, size_t size) {
    size_t length = strlen(path);
    int32_t index = 0;
    for (const LitheTreeNode *child = node->first; child; child = child->next, index++) {
        if (node->kind == LITHE_TREE_MAPPING)
            snprintf(path + length, size - length, "%s%.100s", length ? "." : "", child->key);
        else if (child->kind == LITHE_TREE_MAPPING)
            snprintf(path + length, size - length, "[%d]", index);
        else
            continue;
        if (!note_place(scene, child, path, size))
            return false;
        path[length] = '\0';
    }
    return true;
}

static int source_order(const void *a, const void *b) {
    return strcmp(((const LitheSource *)a)->path, ((const LitheSource *)b)->path);
}

// --- the scene -----------------------------------------------------------------------------------

// what the file says in wrong form and, of objects of the right form, what values are wrong
static LitheStatus report_mistakes(Loader *loader, const LitheScene *scene,
                                   const LitheUnread *unread, bool cascades) {
    LitheStatus status =
        cascades ? LITHE_OK : lithe_scene_check_read(scene, unread, &loader->mistakes);
    return status == LITHE_OK ? lithe_mistakes_end(&loader->mistakes) : status;
}

static LitheStatus make_scene(Loader *loader, LitheTreeNode *root, LitheScene **scene) {
    LitheScene *made = lithe_scene_create(loader->context);
    if (!made)
        return lithe_fail_memory(loader->error, "a scene");
    LitheUnread unread = {0};
    bool cascades = false;
    LitheStatus status = lithe_read_scene(&loader->tree, root, made, loader->add_robot,
                                          &loader->mistakes, &unread, &cascades);
    char path[600] = "";
    if (status == LITHE_OK && !note_places(made, root, path, sizeof path))
        status = lithe_fail_memory(loader->error, "the places of a scene");
    if (status == LITHE_OK) {
        // the scene owns the names of the files
        made->files = loader->tree.files;
        made->file_count = loader->tree.file_count;
        made->file_capacity = loader->tree.file_capacity;
        loader->tree.files = NULL;
        qsort(made->sources, (size_t)made->source_count, sizeof *made->sources, source_order);
        status = loader->mistakes.count > 0 ? report_mistakes(loader, made, &unread, cascades)
                                            : lithe_scene_check_values(made, false, loader->error);
    }
    lithe_free(loader->context, unread.objects);
    if (status != LITHE_OK) {
        lithe_scene_destroy(made);
        return status;
    }
    *scene = made;
    return LITHE_OK;
}

static LitheStatus finish(Loader *loader, LitheTreeNode *root, const char *const *overrides,
                          int32_t override_count, LitheScene **scene) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < override_count && status == LITHE_OK; i++)
        status = lithe_override(&loader->tree, root, overrides[i], loader->error);
    return status == LITHE_OK ? make_scene(loader, root, scene) : status;
}

LitheStatus lithe_scene_read(LitheContext *context, const LitheSceneText *from,
                             const char *const *overrides, int32_t override_count,
                             LitheAddRobotFn *add_robot, LitheScene **scene, LitheError *error) {
    // the decimal mark is a point, whatever the locale of the program
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain)
        return lithe_fail_memory(error, "a locale");
    locale_t before = uselocale(plain);
    Loader loader = {.context = context, .add_robot = add_robot, .error = error};
    loader.mistakes.error = error;
    LitheTreeNode *root = NULL;
    int32_t file;
    lithe_tree_begin(&loader.tree, context);
    LitheStatus status;
    if (!from->text) {
        status = load_file(&loader, from->path, NULL, &root);
    } else {
        status = lithe_tree_add_file(&loader.tree, from->path, from->folder, &file, error);
        if (status == LITHE_OK)
            status = parse_text(&loader, file, from->text, from->length, &root);
    }
    if (status == LITHE_OK)
        status = finish(&loader, root, overrides, override_count, scene);
    lithe_tree_end(&loader.tree);
    for (int32_t i = 0; i < loader.read_count; i++)
        lithe_free(context, loader.read[i]);
    lithe_free(context, loader.read);
    uselocale(before);
    freelocale(plain);
    return status;
}
