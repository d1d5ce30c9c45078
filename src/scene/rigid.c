// SPDX-License-Identifier: Apache-2.0
// scene/rigid.c - bodies, joints, actuators and pose drives of a scene: defaults and deep copies

#include "base/memory.h"
#include "base/text.h"
#include "math/quat.h"
#include "scene/check.h"
#include "scene/copy.h"
#include "scene/objects.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const LitheQuat no_turn = {1, 0, 0, 0};

// --- defaults ------------------------------------------------------------------------------------

LitheGeomDef lithe_geom_def_default(void) {
    return (LitheGeomDef){
        .kind = LITHE_GEOM_SPHERE,
        .radius = 0.1,
        .scale = {1, 1, 1},
        .rotation = no_turn,
        .group = 1,
        .mask = UINT32_MAX,
        .colour = {-1, -1, -1},
    };
}

LitheBodyDef lithe_body_def_default(void) {
    return (LitheBodyDef){.rotation = no_turn};
}

LitheJointDef lithe_joint_def_default(void) {
    return (LitheJointDef){
        .kind = LITHE_JOINT_REVOLUTE,
        .parent_rotation = no_turn,
        .child_rotation = no_turn,
        .along = 1,
        .chamber_count = 3,
    };
}

LitheActuatorDef lithe_actuator_def_default(void) {
    return (LitheActuatorDef){
        .kind = LITHE_ACTUATOR_FORCE,
        .target = lithe_profile_def_default(),
        .gear = 1,
    };
}

LithePoseDriveDef lithe_pose_drive_def_default(void) {
    return (LithePoseDriveDef){.rotation = no_turn};
}

LitheRobotDef lithe_robot_def_default(void) {
    return (LitheRobotDef){.format = LITHE_ROBOT_BY_NAME, .rotation = no_turn};
}

// --- quaternions ---------------------------------------------------------------------------------

// Normalises a quaternion that is nearly a unit quaternion. One that is exact to rounding is not
// changed, so that a scene that was written and read again keeps every bit. One that is far off is
// left for the check to report.
void lithe_make_unit(LitheQuat *q) {
    double off = fabs(q4_norm(*q) - 1);
    if (off > 1e-14 && off <= LITHE_UNIT_TOLERANCE)
        *q = q4_unit(*q);
}

// --- copies --------------------------------------------------------------------------------------

// The product of two counts; 0 when one of them is wrong.
static int64_t area(int32_t rows, int32_t columns) {
    return rows > 0 && columns > 0 ? (int64_t)rows * columns : 0;
}

static bool copy_geom(LitheContext *context, LitheGeomDef *geom) {
    const void *points, *triangles;
    lithe_make_unit(&geom->rotation);
    bool ok =
        lithe_copy_array(context, geom->points, geom->point_count, sizeof *geom->points, &points);
    ok = lithe_copy_array(context, geom->triangles, 3 * (int64_t)geom->triangle_count,
                          sizeof *geom->triangles, &triangles) &&
         ok;
    geom->points = points;
    geom->triangles = triangles;
    ok = lithe_copy_text(context, &geom->path) && ok;
    ok = lithe_copy_doubles(context, area(geom->rows, geom->columns), &geom->heights) && ok;
    ok = lithe_copy_doubles(context, geom->profile_count, &geom->profile_z) && ok;
    return lithe_copy_doubles(context, geom->profile_count, &geom->profile_r) && ok;
}

static void free_geom(LitheContext *context, const LitheGeomDef *geom) {
    lithe_free_const(context, geom->points);
    lithe_free_const(context, geom->triangles);
    lithe_free_const(context, geom->path);
    lithe_free_const(context, geom->heights);
    lithe_free_const(context, geom->profile_z);
    lithe_free_const(context, geom->profile_r);
}

// A body without geoms keeps NULL; a wrong count is left for the check to report.
bool lithe_copy_body(LitheContext *context, void *def) {
    LitheBodyDef *body = def;
    const void *own;
    lithe_make_unit(&body->rotation);
    bool ok = lithe_copy_array(context, body->geoms, body->geom_count, sizeof *body->geoms, &own);
    body->geoms = own;
    LitheGeomDef *geoms = (LitheGeomDef *)own;
    for (int32_t i = 0; geoms && i < body->geom_count; i++)
        ok = copy_geom(context, &geoms[i]) && ok;
    return ok;
}

void lithe_release_body(LitheContext *context, void *def) {
    LitheBodyDef *body = def;
    for (int32_t i = 0; body->geoms && i < body->geom_count; i++)
        free_geom(context, &body->geoms[i]);
    lithe_free_const(context, body->geoms);
}

bool lithe_copy_joint(LitheContext *context, void *def) {
    (void)context;
    LitheJointDef *joint = def;
    lithe_make_unit(&joint->parent_rotation);
    lithe_make_unit(&joint->child_rotation);
    return true;
}

bool lithe_copy_actuator(LitheContext *context, void *def) {
    return lithe_copy_profile(context, &((LitheActuatorDef *)def)->target);
}

void lithe_release_actuator(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LitheActuatorDef *)def)->target);
}

bool lithe_copy_pose_drive(LitheContext *context, void *def) {
    LithePoseDriveDef *drive = def;
    const void *positions, *rotations;
    bool ok = lithe_copy_doubles(context, drive->count, &drive->times);
    ok = lithe_copy_array(context, drive->positions, drive->count, sizeof *drive->positions,
                          &positions) &&
         ok;
    ok = lithe_copy_array(context, drive->rotations, drive->count, sizeof *drive->rotations,
                          &rotations) &&
         ok;
    drive->positions = positions;
    drive->rotations = rotations;
    lithe_make_unit(&drive->rotation);
    for (int32_t i = 0; rotations && i < drive->count; i++)
        lithe_make_unit((LitheQuat *)&drive->rotations[i]);
    return ok;
}

void lithe_release_pose_drive(LitheContext *context, void *def) {
    LithePoseDriveDef *drive = def;
    lithe_free_const(context, drive->times);
    lithe_free_const(context, drive->positions);
    lithe_free_const(context, drive->rotations);
}

void lithe_scene_cut_pairs(LitheScene *scene, int32_t ignored_pairs, int32_t notes) {
    LitheContext *context = scene->context;
    while (scene->ignored_pair_count > ignored_pairs) {
        const LitheIgnoredPair *pair = &scene->ignored_pairs[--scene->ignored_pair_count];
        lithe_free_const(context, pair->a);
        lithe_free_const(context, pair->b);
    }
    while (scene->note_count > notes)
        lithe_free(context, scene->notes[--scene->note_count]);
}

// --- adding --------------------------------------------------------------------------------------

LitheBodyId lithe_scene_add_body(LitheScene *scene, const LitheBodyDef *def) {
    return (LitheBodyId){lithe_object_add(scene, LITHE_OBJECT_BODY, def)};
}

LitheJointId lithe_scene_add_joint(LitheScene *scene, const LitheJointDef *def) {
    return (LitheJointId){lithe_object_add(scene, LITHE_OBJECT_JOINT, def)};
}

bool lithe_scene_add_actuator(LitheScene *scene, const LitheActuatorDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_ACTUATOR, def) > 0;
}

bool lithe_scene_add_pose_drive(LitheScene *scene, const LithePoseDriveDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_POSE_DRIVE, def) > 0;
}

bool lithe_scene_ignore_pair(LitheScene *scene, const char *a, const char *b) {
    if (!LITHE_RESERVE(scene->context, scene->ignored_pairs, scene->ignored_pair_capacity,
                       (int64_t)scene->ignored_pair_count + 1))
        return false;
    LitheIgnoredPair own = {a, b};
    bool ok = lithe_copy_text(scene->context, &own.a);
    ok = lithe_copy_text(scene->context, &own.b) && ok;
    if (!ok) {
        lithe_free_const(scene->context, own.a);
        lithe_free_const(scene->context, own.b);
        return false;
    }
    scene->ignored_pairs[scene->ignored_pair_count++] = own;
    return true;
}

bool lithe_scene_add_site(LitheScene *scene, const LitheSceneSite *site) {
    LitheSceneSite own = *site;
    if (!LITHE_RESERVE(scene->context, scene->sites, scene->site_capacity,
                       (int64_t)scene->site_count + 1) ||
        !lithe_copy_text(scene->context, &own.name))
        return false;
    scene->sites[scene->site_count++] = own;
    return true;
}

const LitheSceneSite *lithe_scene_find_site(const LitheScene *scene, const char *name) {
    for (int32_t i = 0; i < scene->site_count; i++)
        if (strcmp(scene->sites[i].name, name) == 0)
            return &scene->sites[i];
    return NULL;
}

// --- notes ---------------------------------------------------------------------------------------

bool lithe_scene_add_note(LitheScene *scene, const char *format, ...) {
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    lithe_text_tame(text);
    if (!LITHE_RESERVE(scene->context, scene->notes, scene->note_capacity,
                       (int64_t)scene->note_count + 1))
        return false;
    char *own = lithe_alloc_text(scene->context, text);
    if (own)
        scene->notes[scene->note_count++] = own;
    return own != NULL;
}

int32_t lithe_scene_note_count(const LitheScene *scene) {
    return scene->note_count;
}

const char *lithe_scene_note(const LitheScene *scene, int32_t index) {
    return index >= 0 && index < scene->note_count ? scene->notes[index] : NULL;
}
