// SPDX-License-Identifier: Apache-2.0
// import/import.c - robots from files: collects what the readers find and adds it to the scene

#define _GNU_SOURCE // realpath

#include "import/import.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "scene/check.h"
#include "scene/input.h"
#include "scene/scene.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- messages ------------------------------------------------------------------------------------

LitheStatus lithe_import_fail(LitheImport *import, const LitheXmlNode *node, const char *format,
                              ...) {
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_text_tame(text);
    return lithe_fail_at(import->error, LITHE_BAD_INPUT, node->file, node->line, 0, "%s", text);
}

LitheStatus lithe_import_fail_memory(LitheImport *import) {
    return lithe_fail_memory(import->error, "a robot");
}

LitheStatus lithe_import_note(LitheImport *import, const LitheXmlNode *node, const char *format,
                              ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int32_t i = 0; i < import->note_count; i++) {
        LitheImportNote *note = &import->notes[i];
        if (note->node->file == node->file && strcmp(note->text, text) == 0) {
            note->count++;
            return LITHE_OK;
        }
    }
    if (import->note_count == LITHE_IMPORT_NOTES)
        snprintf(text, sizeof text, "after these %d notes, the rest is not listed",
                 LITHE_IMPORT_NOTES);
    if (import->note_count > LITHE_IMPORT_NOTES)
        return LITHE_OK;
    char *own = lithe_xml_keep_text(&import->xml, text);
    if (!own || !LITHE_RESERVE(import->context, import->notes, import->note_capacity,
                               (int64_t)import->note_count + 1))
        return lithe_import_fail_memory(import);
    import->notes[import->note_count++] = (LitheImportNote){node, own, 1};
    return LITHE_OK;
}

/// Whether `word` is one of the words in `list`, which are separated by blanks.
static bool is_listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; *at; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
            return true;
    }
    return false;
}

LitheStatus lithe_import_list_unknown(LitheImport *import, const LitheXmlNode *node,
                                      const LitheImportWord *words) {
    const char *parent = node->parent ? node->parent->name : "";
    const LitheImportWord *row = words;
    while (row->name && (strcmp(row->name, node->name) != 0 ||
                         (row->parent[0] != '*' && strcmp(row->parent, parent) != 0)))
        row++;
    if (!row->name)
        return lithe_import_note(import, node, "<%s> is not supported and ignored", node->name);
    if (row->attributes[0] == '*')
        return LITHE_OK;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < node->attribute_count && !status; i++)
        if (!is_listed(row->attributes, node->attributes[i].name))
            status =
                lithe_import_note(import, node, "<%s>: attribute '%s' is not supported and ignored",
                                  node->name, node->attributes[i].name);
    for (const LitheXmlNode *child = node->first; child && !status; child = child->next)
        status = lithe_import_list_unknown(import, child, words);
    return status;
}

// --- collecting ----------------------------------------------------------------------------------

int32_t lithe_import_find_body(const LitheImport *import, const char *name) {
    for (int32_t i = 0; i < import->body_count; i++)
        if (strcmp(import->bodies[i].def.name, name) == 0)
            return i;
    return -1;
}

int32_t lithe_import_find_joint(const LitheImport *import, const char *name) {
    for (int32_t i = 0; i < import->joint_count; i++)
        if (strcmp(import->joints[i].def.name, name) == 0)
            return i;
    return -1;
}

LitheImportBody *lithe_import_add_body(LitheImport *import, const LitheXmlNode *node,
                                       const char *name) {
    int32_t twin = lithe_import_find_body(import, name);
    if (twin >= 0) {
        lithe_import_fail(import, node, "<%s>: the name '%s' is taken in line %d", node->name, name,
                          import->bodies[twin].node->line);
        return NULL;
    }
    if (import->body_count == LITHE_IMPORT_BODIES) {
        lithe_import_fail(import, node, "more than %d bodies", LITHE_IMPORT_BODIES);
        return NULL;
    }
    if (!LITHE_RESERVE(import->context, import->bodies, import->body_capacity,
                       (int64_t)import->body_count + 1)) {
        lithe_import_fail_memory(import);
        return NULL;
    }
    LitheImportBody *body = &import->bodies[import->body_count];
    *body = (LitheImportBody){
        .def = lithe_body_def_default(),
        .parent = -1,
        .group = import->body_count++,
        .frame = frame_identity(),
        .node = node,
    };
    body->def.name = name;
    return body;
}

LitheJointDef *lithe_import_add_joint(LitheImport *import, const LitheXmlNode *node,
                                      const char *name) {
    int32_t twin = lithe_import_find_joint(import, name);
    if (twin >= 0) {
        lithe_import_fail(import, node, "<%s>: the name '%s' is taken in line %d", node->name, name,
                          import->joints[twin].node->line);
        return NULL;
    }
    if (!LITHE_RESERVE(import->context, import->joints, import->joint_capacity,
                       (int64_t)import->joint_count + 1)) {
        lithe_import_fail_memory(import);
        return NULL;
    }
    LitheImportJoint *joint = &import->joints[import->joint_count++];
    *joint = (LitheImportJoint){.def = lithe_joint_def_default(), .node = node};
    joint->def.name = name;
    return &joint->def;
}

LitheActuatorDef *lithe_import_add_actuator(LitheImport *import, const LitheXmlNode *node,
                                            const char *name) {
    for (int32_t i = 0; i < import->actuator_count; i++) {
        if (strcmp(import->actuators[i].name, name) == 0) {
            lithe_import_fail(import, node, "<%s>: there is an actuator '%s' already", node->name,
                              name);
            return NULL;
        }
    }
    if (!LITHE_RESERVE(import->context, import->actuators, import->actuator_capacity,
                       (int64_t)import->actuator_count + 1)) {
        lithe_import_fail_memory(import);
        return NULL;
    }
    LitheActuatorDef *actuator = &import->actuators[import->actuator_count++];
    *actuator = lithe_actuator_def_default();
    actuator->name = name;
    return actuator;
}

LitheStatus lithe_import_add_geom(LitheImport *import, int32_t body, const LitheGeomDef *geom,
                                  const LitheXmlNode *node) {
    LitheImportBody *to = &import->bodies[body];
    if (to->geom_count == LITHE_IMPORT_GEOMS)
        return lithe_import_fail(import, node, "more than %d shapes in one body",
                                 LITHE_IMPORT_GEOMS);
    if (!LITHE_RESERVE(import->context, to->geoms, to->geom_capacity, (int64_t)to->geom_count + 1))
        return lithe_import_fail_memory(import);
    to->geoms[to->geom_count++] = *geom;
    to->touch_count += !geom->visual;
    return LITHE_OK;
}

void lithe_import_place_joint(LitheJointDef *joint, LitheFrame child, Vec3 at, Vec3 axis) {
    LitheFrame own = {at, q4_between(v3(0, 0, 1), v3_unit(axis))};
    LitheFrame seen = frame_mul(child, own);
    joint->parent_at = seen.at;
    joint->parent_rotation = seen.q;
    joint->child_at = own.at;
    joint->child_rotation = own.q;
}

// --- pairs ---------------------------------------------------------------------------------------

LitheStatus lithe_import_add_pair(LitheImport *import, int32_t a, int32_t b) {
    if (import->pair_count == LITHE_IMPORT_PAIRS)
        return lithe_fail(import->error, LITHE_NOT_SUPPORTED,
                          "robot '%s': more than %d pairs of bodies to keep from touching",
                          import->def->name, LITHE_IMPORT_PAIRS);
    if (!LITHE_RESERVE(import->context, import->pairs, import->pair_capacity,
                       (int64_t)import->pair_count + 1))
        return lithe_import_fail_memory(import);
    import->pairs[import->pair_count++] = (LitheImportPair){a, b};
    return LITHE_OK;
}

/// Parent of the group of `body`, to which a joint connects it; -1: none.
static int32_t group_above(const LitheImport *import, int32_t body) {
    int32_t parent = import->bodies[import->bodies[body].group].parent;
    return parent < 0 ? -1 : import->bodies[parent].group;
}

LitheStatus lithe_import_skip_neighbours(LitheImport *import, bool from_world) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < import->body_count; i++) {
        const LitheImportBody *a = &import->bodies[i];
        int32_t above = group_above(import, i);
        for (int32_t j = 0; j < i && !status && a->touch_count; j++) {
            const LitheImportBody *b = &import->bodies[j];
            bool same = a->group == b->group;
            bool down = above == b->group && (from_world || !b->def.fixed);
            bool up = group_above(import, j) == a->group && (from_world || !a->def.fixed);
            if (b->touch_count && (same || down || up))
                status = lithe_import_add_pair(import, j, i);
        }
    }
    return status;
}

// --- into the scene ------------------------------------------------------------------------------

/// "ROBOT/name" in `full` [PATH_MAX].
static const char *full_name(const LitheImport *import, const char *name, char *full) {
    snprintf(full, PATH_MAX, "%s/%s", import->def->name, name);
    return full;
}

/// The name of a material: "ROBOT-friction-0_5".
static const char *material_name(const LitheImport *import, const char *name, char *full) {
    snprintf(full, PATH_MAX, "%s-%s", import->def->name, name);
    for (char *c = full; *c; c++)
        *c = *c == '.' || *c == '+' || *c == '/' ? '_' : *c;
    return full;
}

static bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

// Names in a scene have letters, digits, - and _; other characters become _.
static LitheStatus tame_name(LitheImport *import, const LitheXmlNode *node, const char **name) {
    if (strlen(import->def->name) + 1 + strlen(*name) > LITHE_NAME_LENGTH)
        return lithe_import_fail(import, node, "the name '%s/%s' is longer than %d bytes",
                                 import->def->name, *name, LITHE_NAME_LENGTH);
    bool good = true;
    for (const char *c = *name; *c; c++)
        good = good && is_name_letter(*c);
    if (good)
        return LITHE_OK;
    char *own = lithe_xml_keep_text(&import->xml, *name);
    if (!own)
        return lithe_import_fail_memory(import);
    for (char *c = own; *c; c++)
        *c = is_name_letter(*c) ? *c : '_';
    LitheStatus status =
        lithe_import_note(import, node, "the name '%s' is written '%s' here", *name, own);
    *name = own;
    return status;
}

static LitheStatus tame_names(LitheImport *import) {
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; i < import->body_count && !status; i++)
        if (!import->bodies[i].hidden)
            status = tame_name(import, import->bodies[i].node, &import->bodies[i].def.name);
    for (int32_t i = 0; i < import->joint_count && !status; i++)
        status = tame_name(import, import->joints[i].node, &import->joints[i].def.name);
    for (int32_t i = 0; i < import->actuator_count && !status; i++)
        status = tame_name(import, import->root, &import->actuators[i].name);
    for (int32_t i = 0; i < import->site_count && !status; i++)
        status = tame_name(import, import->sites[i].node, &import->sites[i].name);
    return status;
}

// Everything that can fail is done in a temporary scene, with the ids of the real one.
static bool fill(const LitheImport *import, LitheScene *own, int32_t *body_ids) {
    const LitheScene *scene = import->scene;
    char name[PATH_MAX], other[PATH_MAX];
    for (int32_t i = 0; i < import->material_count; i++) {
        LitheMaterialDef def = import->materials[i];
        def.name = material_name(import, def.name, name);
        if (!lithe_scene_add_material(own, &def).number)
            return false;
    }
    for (int32_t i = 0; i < import->body_count; i++) {
        LitheBodyDef def = import->bodies[i].def;
        if (import->bodies[i].hidden)
            continue;
        def.name = full_name(import, def.name, name);
        def.at = import->bodies[i].frame.at;
        def.rotation = import->bodies[i].frame.q;
        def.geoms = import->bodies[i].geoms;
        def.geom_count = import->bodies[i].geom_count;
        if (!lithe_scene_add_body(own, &def).number)
            return false;
        body_ids[i + 1] = scene->body_count + own->body_count;
    }
    for (int32_t i = 0; i < import->joint_count; i++) {
        LitheJointDef def = import->joints[i].def;
        def.name = full_name(import, def.name, name);
        def.parent.number = body_ids[def.parent.number];
        def.child.number = body_ids[def.child.number];
        if (!lithe_scene_add_joint(own, &def).number)
            return false;
    }
    for (int32_t i = 0; i < import->actuator_count; i++) {
        LitheActuatorDef def = import->actuators[i];
        def.name = full_name(import, def.name, name);
        def.joint.number += scene->joint_count;
        if (!lithe_scene_add_actuator(own, &def))
            return false;
    }
    for (int32_t i = 0; i < import->pair_count; i++)
        if (!lithe_scene_ignore_pair(
                own, full_name(import, import->bodies[import->pairs[i].a].def.name, name),
                full_name(import, import->bodies[import->pairs[i].b].def.name, other)))
            return false;
    for (int32_t i = 0; i < import->site_count; i++) {
        const LitheImportSite *site = &import->sites[i];
        LitheSceneSite def = {.name = full_name(import, site->name, name),
                              .body = {site->body < 0 ? 0 : body_ids[site->body + 1]},
                              .at = site->frame.at,
                              .rotation = site->frame.q};
        if (!lithe_scene_add_site(own, &def))
            return false;
    }
    for (int32_t i = 0; i < import->note_count; i++) {
        const LitheImportNote *note = &import->notes[i];
        char again[60] = "";
        if (note->count > 1)
            snprintf(again, sizeof again, " (here and %d time%s more)", note->count - 1,
                     note->count == 2 ? "" : "s");
        if (!lithe_scene_add_note(own, "%s:%d: %s%s", note->node->file, note->node->line,
                                  note->text, again))
            return false;
    }
    return true;
}

#define ROOM(scene, own, items, count, capacity) \
    LITHE_RESERVE((scene)->context, (scene)->items, (scene)->capacity, \
                  (int64_t)(scene)->count + (own)->count)
#define MOVE(scene, own, items, count) \
    do { \
        if ((own)->count) \
            memcpy((scene)->items + (scene)->count, (own)->items, \
                   (size_t)(own)->count * sizeof *(own)->items); \
        (scene)->count += (own)->count; \
        (own)->count = 0; \
    } while (0)

// allocates first; the moves after that cannot fail
static bool move(LitheScene *own, LitheScene *scene) {
    if (!ROOM(scene, own, materials, material_count, material_capacity) ||
        !ROOM(scene, own, bodies, body_count, body_capacity) ||
        !ROOM(scene, own, joints, joint_count, joint_capacity) ||
        !ROOM(scene, own, actuators, actuator_count, actuator_capacity) ||
        !ROOM(scene, own, ignored_pairs, ignored_pair_count, ignored_pair_capacity) ||
        !ROOM(scene, own, sites, site_count, site_capacity) ||
        !ROOM(scene, own, notes, note_count, note_capacity))
        return false;
    MOVE(scene, own, materials, material_count);
    MOVE(scene, own, bodies, body_count);
    MOVE(scene, own, joints, joint_count);
    MOVE(scene, own, actuators, actuator_count);
    MOVE(scene, own, ignored_pairs, ignored_pair_count);
    MOVE(scene, own, sites, site_count);
    MOVE(scene, own, notes, note_count);
    return true;
}

static LitheStatus finish(LitheImport *import) {
    LitheScene *own = lithe_scene_create(import->context);
    int32_t *body_ids =
        lithe_alloc_array(import->context, (int64_t)import->body_count + 1, sizeof *body_ids);
    bool done = own && body_ids && fill(import, own, body_ids) && move(own, import->scene);
    lithe_free(import->context, body_ids);
    lithe_scene_destroy(own);
    return done ? LITHE_OK : lithe_import_fail_memory(import);
}

// --- a robot -------------------------------------------------------------------------------------

static void clean_up(LitheImport *import) {
    LitheContext *context = import->context;
    for (int32_t i = 0; i < import->body_count; i++)
        lithe_free(context, import->bodies[i].geoms);
    for (int32_t i = 0; i < import->mesh_count; i++)
        lithe_mesh_file_free(context, &import->meshes[i].data);
    lithe_free(context, import->bodies);
    lithe_free(context, import->joints);
    lithe_free(context, import->actuators);
    lithe_free(context, import->materials);
    lithe_free(context, import->pairs);
    lithe_free(context, import->sites);
    lithe_free(context, import->shown);
    lithe_free(context, import->notes);
    lithe_free(context, import->meshes);
    lithe_xml_end(&import->xml);
}

static LitheStatus check_def(const LitheScene *scene, const LitheRobotDef *def, LitheError *error) {
    if (!def->name || !*def->name || strlen(def->name) > 200)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "robot: its name is missing or longer than 200 bytes");
    double norm = q4_norm(def->rotation);
    if (!v3_finite(def->at) || !isfinite(norm) || fabs(norm - 1) > 1e-6)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "robot '%s': its place is not finite, or its rotation no unit quaternion",
                          def->name);
    if (def->material.number < 0 || def->material.number > scene->material_count)
        return lithe_fail(error, LITHE_BAD_INPUT, "robot '%s': there is no material %d", def->name,
                          def->material.number);
    return LITHE_OK;
}

/// The format given by `def` or by the extension of `name`.
static LitheStatus find_format(const LitheRobotDef *def, const char *name, LitheRobotFormat *format,
                               LitheError *error) {
    const char *ending = strrchr(name, '.');
    *format = def->format;
    if (*format != LITHE_ROBOT_BY_NAME)
        return LITHE_OK;
    if (ending && strcasecmp(ending, ".urdf") == 0)
        *format = LITHE_ROBOT_URDF;
    else if (ending && (strcasecmp(ending, ".xml") == 0 || strcasecmp(ending, ".mjcf") == 0))
        *format = LITHE_ROBOT_MJCF;
    else
        return lithe_fail(
            error, LITHE_BAD_INPUT,
            "%s: robot '%s': the extension does not give the format (.urdf is URDF; .xml and "
            ".mjcf are MJCF): give it",
            name, def->name);
    return LITHE_OK;
}

LitheStatus lithe_import_parse(LitheScene *scene, const LitheRobotDef *def, const char *bytes,
                               size_t length, const char *name, const char *folder,
                               LitheError *error) {
    LitheRobotFormat format;
    LitheError unseen;
    error = error ? error : &unseen;
    LitheStatus status = check_def(scene, def, error);
    status = status ? status : find_format(def, name, &format, error);
    if (status)
        return status;
    LitheImport import = {
        .context = scene->context,
        .scene = scene,
        .def = def,
        .error = error,
        .folder = folder,
    };
    LitheXmlNode *root = NULL;
    lithe_xml_begin(&import.xml, scene->context);
    status = lithe_xml_parse(&import.xml, bytes, length, name, &root, error);
    import.root = root;
    if (!status)
        status = format == LITHE_ROBOT_URDF ? lithe_import_urdf(&import, root)
                                            : lithe_import_mjcf(&import, root);
    status = status ? status : lithe_import_draw_shown(&import);
    status = status ? status : tame_names(&import);
    status = status ? status : finish(&import);
    clean_up(&import);
    return status;
}

LitheStatus lithe_scene_add_robot(LitheScene *scene, const LitheRobotDef *def, LitheError *error) {
    char folder[PATH_MAX], real[PATH_MAX];
    if (!def->path || !*def->path || strlen(def->path) >= PATH_MAX)
        return lithe_fail(error, LITHE_BAD_INPUT, "robot '%s': path is missing or too long",
                          def->name ? def->name : "");

    // the folder as given: meshes may be next to a symbolic link to the robot, or next to its file
    snprintf(folder, sizeof folder, "%s", def->path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    if (!realpath(slash ? folder : ".", real))
        return lithe_fail_at(error, LITHE_FILE_ERROR, def->path, 0, 0, "cannot read: %s",
                             strerror(errno));
    char *bytes = NULL;
    size_t length = 0;
    LitheStatus status = lithe_import_read_file(scene->context, def->path, &bytes, &length, error);
    if (!status && !lithe_scene_add_input(scene, def->path))
        status = lithe_fail_memory(error, "the name of a file");
    if (!status)
        status = lithe_import_parse(scene, def, bytes, length, def->path, real, error);
    lithe_free(scene->context, bytes);
    return status;
}
