// SPDX-License-Identifier: Apache-2.0
// scene/scene.c - creates and frees scenes: defaults, deep copies of what is added, source
// positions

#include "scene/scene.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "scene/copy.h"
#include "scene/objects.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const lithe_scheme_words[] = {
    "backward-euler", "midpoint",          "symplectic-euler",    "static", "tr-bdf2",
    "auto",           "linearly-implicit", "semi-implicit-euler", "rk23",   NULL};

const char *lithe_scheme_name(LitheScheme scheme) {
    return (int)scheme >= 0 && scheme < LITHE_SCHEME_COUNT ? lithe_scheme_words[scheme] : "";
}

// --- defaults ------------------------------------------------------------------------------------

LitheProfileDef lithe_profile_def_default(void) {
    return (LitheProfileDef){.kind = LITHE_PROFILE_LINEAR};
}

LitheMaterialDef lithe_material_def_default(void) {
    return (LitheMaterialDef){
        .young = 1e6,
        .poisson = 0.5,
        .density = 1000,
        .friction = 0.5,
        .contact_dissipation = 10,
        .patch_modulus = NAN,
        .patch_dissipation = 10,
    };
}

LitheMaterialPairDef lithe_material_pair_def_default(void) {
    return (LitheMaterialPairDef){.friction = NAN,
                                  .stiffness = NAN,
                                  .dissipation = NAN,
                                  .torsional_friction = NAN,
                                  .rolling_friction = NAN};
}

LitheRodDef lithe_rod_def_default(void) {
    return (LitheRodDef){
        .section = {.kind = LITHE_SECTION_CIRCLE, .radius = 5e-3},
        .shape = lithe_shape_def_default(),
        .nodes = 101,
        .natural = LITHE_NATURAL_STRAIGHT,
        .natural_stretch = 1,
        .group = 1,
        .mask = UINT32_MAX,
        .self_contact = true,
    };
}

LitheHoldDef lithe_hold_def_default(void) {
    return (LitheHoldDef){.bits = LITHE_HOLD_POSITION};
}

LitheDriveDef lithe_drive_def_default(void) {
    return (LitheDriveDef){
        .kind = LITHE_DRIVE_POSITION,
        .motion = lithe_profile_def_default(),
        .turn = lithe_profile_def_default(),
    };
}

LitheForceDef lithe_force_def_default(void) {
    LitheForceDef def = {.profile = lithe_profile_def_default()};
    def.profile.value = 1;
    return def;
}

LitheNaturalDriveDef lithe_natural_drive_def_default(void) {
    LitheNaturalDriveDef def = {.profile = lithe_profile_def_default()};
    def.profile.value = 1;
    return def;
}

LitheTimeDef lithe_time_def_default(void) {
    return (LitheTimeDef){
        .step = 1e-3,
        .min_step = 0,
        .step_tolerance = 0,
        .end = 1,
        .scheme = LITHE_SCHEME_AUTO,
        .start = LITHE_START_AS_BUILT,
        .tolerance = 1e-9,
        .max_iterations = 50,
        .max_unconverged = 20,
        .max_energy_gain = 1,
        .max_work = 100000,
    };
}

LitheRecordDef lithe_record_def_default(void) {
    return (LitheRecordDef){.every = 0.01};
}

// --- copies --------------------------------------------------------------------------------------

bool lithe_copy_rod(LitheContext *context, void *def) {
    LitheRodDef *rod = def;
    const void *points;
    bool ok = lithe_copy_array(context, rod->shape.points, rod->shape.point_count,
                               sizeof *rod->shape.points, &points);
    rod->shape.points = points;
    ok = lithe_copy_array(context, rod->shape.pieces, rod->shape.piece_count,
                          sizeof *rod->shape.pieces, &points) &&
         ok;
    rod->shape.pieces = points;
    ok = lithe_copy_text(context, &rod->shape.path) && ok;
    ok = lithe_copy_doubles(context, rod->node_value_count, &rod->node_curvature1) && ok;
    ok = lithe_copy_doubles(context, rod->node_value_count, &rod->node_curvature2) && ok;
    ok = lithe_copy_doubles(context, rod->node_value_count, &rod->node_twist) && ok;
    return lithe_copy_doubles(context, rod->edge_value_count, &rod->edge_stretch) && ok;
}

void lithe_release_rod(LitheContext *context, void *def) {
    LitheRodDef *rod = def;
    lithe_free_const(context, rod->shape.points);
    lithe_free_const(context, rod->shape.pieces);
    lithe_free_const(context, rod->shape.path);
    lithe_free_const(context, rod->node_curvature1);
    lithe_free_const(context, rod->node_curvature2);
    lithe_free_const(context, rod->node_twist);
    lithe_free_const(context, rod->edge_stretch);
}

bool lithe_copy_drive(LitheContext *context, void *def) {
    LitheDriveDef *drive = def;
    bool ok = lithe_copy_profile(context, &drive->motion);
    return lithe_copy_profile(context, &drive->turn) && ok;
}

void lithe_release_drive(LitheContext *context, void *def) {
    LitheDriveDef *drive = def;
    lithe_free_profile(context, &drive->motion);
    lithe_free_profile(context, &drive->turn);
}

bool lithe_copy_force(LitheContext *context, void *def) {
    return lithe_copy_profile(context, &((LitheForceDef *)def)->profile);
}

void lithe_release_force(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LitheForceDef *)def)->profile);
}

bool lithe_copy_natural_drive(LitheContext *context, void *def) {
    LitheNaturalDriveDef *drive = def;
    bool ok = lithe_copy_doubles(context, drive->node_value_count, &drive->node_curvature1);
    ok = lithe_copy_doubles(context, drive->node_value_count, &drive->node_curvature2) && ok;
    ok = lithe_copy_doubles(context, drive->node_value_count, &drive->node_twist) && ok;
    ok = lithe_copy_doubles(context, drive->edge_value_count, &drive->edge_stretch) && ok;
    return lithe_copy_profile(context, &drive->profile) && ok;
}

void lithe_release_natural_drive(LitheContext *context, void *def) {
    LitheNaturalDriveDef *drive = def;
    lithe_free_const(context, drive->node_curvature1);
    lithe_free_const(context, drive->node_curvature2);
    lithe_free_const(context, drive->node_twist);
    lithe_free_const(context, drive->edge_stretch);
    lithe_free_profile(context, &drive->profile);
}

static void free_record(LitheContext *context, LitheRecordDef *record) {
    for (int32_t i = 0; i < record->also_count; i++)
        lithe_free_const(context, record->also ? record->also[i] : NULL);
    lithe_free_const(context, record->also);
}

static bool copy_record(LitheContext *context, LitheRecordDef *record) {
    const char *const *from = record->also;
    int32_t count = from && record->also_count > 0 ? record->also_count : 0;
    record->also = NULL;
    record->also_count = 0;
    if (count == 0)
        return true;
    const char **also = lithe_alloc_array(context, count, sizeof *also);
    if (!also)
        return false;
    record->also = also;
    record->also_count = count;
    for (int32_t i = 0; i < count; i++) {
        also[i] = lithe_alloc_text(context, from[i] ? from[i] : "");
        if (!also[i])
            return false;
    }
    return true;
}

// --- create and free -----------------------------------------------------------------------------

LitheScene *lithe_scene_create(LitheContext *context) {
    LitheScene *scene = lithe_alloc(context, sizeof *scene);
    if (!scene)
        return NULL;
    scene->context = context;
    scene->gravity = (LitheVec3){0, 0, -9.81};
    scene->time = lithe_time_def_default();
    scene->record = lithe_record_def_default();
    scene->contact = lithe_contact_def_default();
    scene->plan = lithe_plan_def_default();
    return scene;
}

void lithe_scene_destroy(LitheScene *scene) {
    if (!scene)
        return;
    LitheContext *context = scene->context;
    lithe_free(context, scene->title);
    free_record(context, &scene->record);
    lithe_free(context, (void *)scene->plan.epsilon);

    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        const LitheObjects *row = &lithe_scene_objects[k];
        if (row->size == 0)
            continue;
        lithe_object_truncate(scene, (LitheObjectKind)k, 0);
        lithe_free(context, *(void **)((char *)scene + row->array));
    }
    lithe_scene_cut_pairs(scene, 0, 0);
    lithe_free(context, scene->ignored_pairs);
    for (int32_t i = 0; i < scene->site_count; i++)
        lithe_free_const(context, scene->sites[i].name);
    lithe_free(context, scene->sites);
    lithe_free(context, scene->notes);

    for (int32_t i = 0; i < scene->file_count; i++)
        lithe_free(context, scene->files[i]);
    for (int32_t i = 0; i < scene->source_count; i++)
        lithe_free(context, scene->sources[i].path);
    for (int32_t i = 0; i < scene->input_count; i++)
        lithe_free(context, scene->inputs[i]);
    lithe_free(context, scene->inputs);
    lithe_free(context, scene->files);
    lithe_free(context, scene->sources);
    lithe_free(context, scene);
}

// --- adding --------------------------------------------------------------------------------------

LitheMaterialId lithe_scene_add_material(LitheScene *scene, const LitheMaterialDef *def) {
    return (LitheMaterialId){lithe_object_add(scene, LITHE_OBJECT_MATERIAL, def)};
}

bool lithe_scene_add_material_pair(LitheScene *scene, const LitheMaterialPairDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_MATERIAL_PAIR, def) > 0;
}

LitheRodId lithe_scene_add_rod(LitheScene *scene, const LitheRodDef *def) {
    return (LitheRodId){lithe_object_add(scene, LITHE_OBJECT_ROD, def)};
}

LitheDriveId lithe_scene_add_drive(LitheScene *scene, const LitheDriveDef *def) {
    return (LitheDriveId){lithe_object_add(scene, LITHE_OBJECT_DRIVE, def)};
}

bool lithe_scene_add_hold(LitheScene *scene, const LitheHoldDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_HOLD, def) > 0;
}

bool lithe_scene_add_force(LitheScene *scene, const LitheForceDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_FORCE, def) > 0;
}

bool lithe_scene_add_natural_drive(LitheScene *scene, const LitheNaturalDriveDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_NATURAL_DRIVE, def) > 0;
}

bool lithe_scene_set_title(LitheScene *scene, const char *title) {
    char *own = lithe_alloc_text(scene->context, title);
    if (title && !own)
        return false;
    lithe_free(scene->context, scene->title);
    scene->title = own;
    return true;
}

void lithe_scene_set_allow_unusual(LitheScene *scene, bool allow) {
    scene->allow_unusual = allow;
}

void lithe_scene_set_gravity(LitheScene *scene, LitheVec3 gravity) {
    scene->gravity = gravity;
}

void lithe_scene_set_time(LitheScene *scene, const LitheTimeDef *def) {
    scene->time = *def;
}

bool lithe_scene_set_record(LitheScene *scene, const LitheRecordDef *def) {
    LitheRecordDef own = *def;
    if (!copy_record(scene->context, &own)) {
        free_record(scene->context, &own);
        return false;
    }
    free_record(scene->context, &scene->record);
    scene->record = own;
    return true;
}

// --- source positions ----------------------------------------------------------------------------

// The entry of the first `length` characters of `path`; NULL when there is none.
static const LitheSource *find_source(const LitheScene *scene, const char *path, size_t length) {
    int32_t low = 0, high = scene->source_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const char *have = scene->sources[middle].path;
        int order = strncmp(have, path, length);
        if (order == 0 && have[length] == '\0')
            return &scene->sources[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// Copies have the place of their original: "rods.ring/3/0.nodes" is "rods.ring.nodes". Returns
// `path` itself, or the path of the original in `buffer`.
static const char *settle_path(const LitheScene *scene, const char *path, char *buffer,
                               size_t size) {
    size_t section = strcspn(path, ".");
    if (path[section] != '.')
        return path;
    size_t name = section + 1 + strcspn(path + section + 1, ".[");
    if (find_source(scene, path, name))
        return path;
    for (size_t end = name; end > section;) {
        while (end > section && path[end - 1] >= '0' && path[end - 1] <= '9')
            end--;
        if (path[end - 1] != '/')
            return path;
        end--;
        if (find_source(scene, path, end)) {
            snprintf(buffer, size, "%.*s%s", (int)end, path, path + name);
            return buffer;
        }
    }
    return path;
}

bool lithe_scene_has_source(const LitheScene *scene, const char *path) {
    char buffer[512];
    path = settle_path(scene, path, buffer, sizeof buffer);
    return find_source(scene, path, strlen(path)) != NULL;
}

// The source of the object that made the one of `path`, such as a robot its joints: that of
// "robots.arm" for "joints.arm/hinge". NULL when the object was not made by another one.
static const LitheSource *find_maker(const LitheScene *scene, const char *path, char *maker,
                                     size_t size, const char **word) {
    static const LitheObjectKind makers[] = {LITHE_OBJECT_ROBOT, LITHE_OBJECT_ARM,
                                             LITHE_OBJECT_CHAIN};
    const char *name = strchr(path, '.');
    size_t length = name ? strcspn(name + 1, ".[") : 0;
    while (length-- > 0)
        for (int k = 0; name[1 + length] == '/' && k < 3; k++) {
            const LitheObjects *row = &lithe_scene_objects[makers[k]];
            char buffer[512];
            snprintf(maker, size, "%s.%.*s", row->section, (int)length, name + 1);
            const char *found = settle_path(scene, maker, buffer, sizeof buffer);
            const LitheSource *source = find_source(scene, found, strlen(found));
            *word = row->word;
            if (source)
                return source;
        }
    return NULL;
}

void lithe_scene_source_text(const LitheScene *scene, const char *path, char *text, size_t size) {
    char maker[512], buffer[512];
    const char *word, *found = settle_path(scene, path, buffer, sizeof buffer);
    const LitheSource *made = find_maker(scene, path, maker, sizeof maker, &word);
    const LitheSource *at = made ? made : find_source(scene, found, strlen(found));
    text[0] = '\0';
    if (!at)
        return;
    size_t used =
        made ? (size_t)snprintf(text, size, " of %s '%s'", word, strchr(maker, '.') + 1) : 0;
    if (used < size)
        snprintf(text + used, size - used, " (%s:%d:%d)", scene->files[at->file], at->line,
                 at->column);
}

LitheStatus lithe_scene_fail(const LitheScene *scene, LitheError *error, const char *path,
                             const char *format, ...) {
    char text[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_text_tame(text);

    // objects of a robot have the place of the robot: "bodies.arm/hand.mass" is "robots.arm"
    char buffer[512], maker[512], object[512];
    const char *word, *dot = path ? strchr(path, '.') : NULL;
    if (dot) {
        int end = (int)(dot + 1 + strcspn(dot + 1, ".[") - path);
        snprintf(object, sizeof object, "%.*s", end, path);
        if (!lithe_scene_has_source(scene, object) &&
            find_maker(scene, path, maker, sizeof maker, &word))
            path = maker;
    }

    if (path)
        path = settle_path(scene, path, buffer, sizeof buffer);

    // from the path itself outwards: "rods.rope.nodes", "rods.rope", "rods"
    size_t length = path ? strlen(path) : 0;
    while (length > 0) {
        const LitheSource *at = find_source(scene, path, length);
        if (at)
            return lithe_fail_at(error, LITHE_BAD_INPUT, scene->files[at->file], at->line,
                                 at->column, "%s", text);
        do
            length--;
        while (length > 0 && path[length] != '.' && path[length] != '[');
    }
    return lithe_fail(error, LITHE_BAD_INPUT, "%s", text);
}
