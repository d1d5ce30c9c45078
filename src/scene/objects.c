// SPDX-License-Identifier: Apache-2.0
// scene/objects.c - the table of all named objects of a scene, and what all kinds share

#include "scene/objects.h"

#include "lithe/arm.h"

#include "base/memory.h"
#include "scene/copy.h"

#include <stddef.h>
#include <string.h>

// --- the table -----------------------------------------------------------------------------------

// the three members of LitheScene, and the def
#define KEPT(array_, stem, Def) \
    .array = offsetof(LitheScene, array_), .count = offsetof(LitheScene, stem##_count), \
    .capacity = offsetof(LitheScene, stem##_capacity), .size = sizeof(Def)

const LitheObjects lithe_scene_objects[LITHE_OBJECT_KINDS] = {
    [LITHE_OBJECT_MATERIAL] = {"materials", "material", LITHE_OBJECT_MATERIAL, LITHE_OBJECTS_WHOLE,
                               KEPT(materials, material, LitheMaterialDef),
                               .check = lithe_check_material},
    [LITHE_OBJECT_MATERIAL_PAIR] = {"material-pairs", "material pair", LITHE_OBJECT_MATERIAL_PAIR,
                                    LITHE_OBJECTS_WHOLE,
                                    KEPT(material_pairs, material_pair, LitheMaterialPairDef),
                                    .check = lithe_check_material_pair,
                                    .check_all = lithe_check_material_pairs},
    // rods, particles, solids, drives, cavities and bodies share one set of names: recordings have
    // "rope.tension" and "pull.force"
    [LITHE_OBJECT_ROD] = {"rods", "rod", LITHE_OBJECT_ROD,
                          LITHE_OBJECTS_TOUCH | LITHE_OBJECTS_RECORDED,
                          KEPT(rods, rod, LitheRodDef), .copy = lithe_copy_rod,
                          .release = lithe_release_rod, .check = lithe_check_rod,
                          .check_all = lithe_check_rods},
    [LITHE_OBJECT_PARTICLES] = {"particles", "particles", LITHE_OBJECT_ROD,
                                LITHE_OBJECTS_TOUCH | LITHE_OBJECTS_RECORDED, "world",
                                KEPT(particles, particle_set, LitheParticlesDef),
                                .copy = lithe_copy_particles, .release = lithe_release_particles,
                                .check = lithe_check_particles,
                                .check_all = lithe_check_all_particles},
    [LITHE_OBJECT_SOLID] = {"solids", "solid", LITHE_OBJECT_ROD,
                            LITHE_OBJECTS_TOUCH | LITHE_OBJECTS_RECORDED, "world",
                            KEPT(solids, solid, LitheSolidDef), .copy = lithe_copy_solid,
                            .release = lithe_release_solid, .check = lithe_check_solid,
                            .check_all = lithe_check_solids},
    [LITHE_OBJECT_SET] = {"sets", "set", LITHE_OBJECT_SET, KEPT(sets, set, LitheSetDef),
                          .copy = lithe_copy_set, .release = lithe_release_set,
                          .check = lithe_check_set},
    [LITHE_OBJECT_HOLD] = {"holds", "hold", LITHE_OBJECT_HOLD, KEPT(holds, hold, LitheHoldDef),
                           .check = lithe_check_hold},
    [LITHE_OBJECT_DRIVE] = {"drives", "drive", LITHE_OBJECT_ROD, LITHE_OBJECTS_RECORDED,
                            KEPT(drives, drive, LitheDriveDef), .copy = lithe_copy_drive,
                            .release = lithe_release_drive, .check = lithe_check_drive},
    [LITHE_OBJECT_NATURAL_DRIVE] = {"natural-drives", "natural drive", LITHE_OBJECT_NATURAL_DRIVE,
                                    KEPT(natural_drives, natural_drive, LitheNaturalDriveDef),
                                    .copy = lithe_copy_natural_drive,
                                    .release = lithe_release_natural_drive,
                                    .check = lithe_check_natural_drive,
                                    // checks all objects that act on rods
                                    .check_all = lithe_check_clashes},
    [LITHE_OBJECT_BODY] = {"bodies", "body", LITHE_OBJECT_ROD,
                           LITHE_OBJECTS_TOUCH | LITHE_OBJECTS_RECORDED, "world",
                           KEPT(bodies, body, LitheBodyDef), .copy = lithe_copy_body,
                           .release = lithe_release_body, .check = lithe_check_body},
    // a robot, a chain and an arm become bodies, joints, actuators and constraints
    [LITHE_OBJECT_ROBOT] = {"robots", "robot", LITHE_OBJECT_ROBOT, LITHE_OBJECTS_WHOLE},
    [LITHE_OBJECT_CHAIN] = {"chains", "chain", LITHE_OBJECT_CHAIN},
    [LITHE_OBJECT_ARM] = {"arms", "arm", LITHE_OBJECT_ARM},
    [LITHE_OBJECT_FORCE] = {"forces", "force", LITHE_OBJECT_FORCE,
                            KEPT(forces, force, LitheForceDef), .copy = lithe_copy_force,
                            .release = lithe_release_force, .check = lithe_check_force},
    [LITHE_OBJECT_PRESSURE] = {"pressures", "pressure", LITHE_OBJECT_PRESSURE,
                               KEPT(pressures, pressure, LithePressureDef),
                               .copy = lithe_copy_pressure, .release = lithe_release_pressure,
                               .check = lithe_check_pressure},
    [LITHE_OBJECT_CAVITY] = {"cavities", "cavity", LITHE_OBJECT_ROD, LITHE_OBJECTS_RECORDED,
                             KEPT(cavities, cavity, LitheCavityDef), .copy = lithe_copy_cavity,
                             .release = lithe_release_cavity, .check = lithe_check_cavity},
    [LITHE_OBJECT_SWELL] = {"swells", "swell", LITHE_OBJECT_SWELL,
                            KEPT(swells, swell, LitheSwellDef), .copy = lithe_copy_swell,
                            .release = lithe_release_swell, .check = lithe_check_swell},
    [LITHE_OBJECT_FIBRE] = {"fibres", "fibre", LITHE_OBJECT_FIBRE,
                            KEPT(fibres, fibre, LitheFibreDef), .check = lithe_check_fibre},
    [LITHE_OBJECT_JOINT] = {"joints", "joint", LITHE_OBJECT_JOINT, LITHE_OBJECTS_RECORDED,
                            KEPT(joints, joint, LitheJointDef), .copy = lithe_copy_joint,
                            .check = lithe_check_joint, .check_all = lithe_check_trees},
    [LITHE_OBJECT_ACTUATOR] = {"actuators", "actuator", LITHE_OBJECT_ACTUATOR,
                               LITHE_OBJECTS_RECORDED, KEPT(actuators, actuator, LitheActuatorDef),
                               .copy = lithe_copy_actuator, .release = lithe_release_actuator,
                               .check = lithe_check_actuator, .check_all = lithe_check_prescribed},
    [LITHE_OBJECT_POSE_DRIVE] = {"pose-drives", "pose drive", LITHE_OBJECT_POSE_DRIVE,
                                 LITHE_OBJECTS_RECORDED,
                                 KEPT(pose_drives, pose_drive, LithePoseDriveDef),
                                 .copy = lithe_copy_pose_drive, .release = lithe_release_pose_drive,
                                 .check_all = lithe_check_pose_drives},
    [LITHE_OBJECT_CONSTRAINT] = {"constraints", "constraint", LITHE_OBJECT_CONSTRAINT,
                                 KEPT(constraints, constraint, LitheConstraintDef),
                                 .copy = lithe_copy_constraint, .release = lithe_release_constraint,
                                 .check = lithe_check_constraint},
    [LITHE_OBJECT_KNOT] = {"knots", "knot", LITHE_OBJECT_KNOT, LITHE_OBJECTS_RECORDED,
                           KEPT(knots, knot, LitheKnotDef), .copy = lithe_copy_knot,
                           .release = lithe_release_knot, .check = lithe_check_knot},
    [LITHE_OBJECT_CONTROL] = {"controls", "control", LITHE_OBJECT_CONTROL,
                              KEPT(controls, control, LitheControlDef), .copy = lithe_copy_control,
                              .release = lithe_release_control, .check = lithe_check_control},
    [LITHE_OBJECT_GOAL] = {"goals", "goal", LITHE_OBJECT_GOAL, KEPT(goals, goal, LitheGoalDef),
                           .copy = lithe_copy_goal, .release = lithe_release_goal,
                           .check = lithe_check_goal},
};

#define NAME_IS_FIRST(Def) _Static_assert(offsetof(Def, name) == 0, "the name is the first member")
NAME_IS_FIRST(LitheMaterialDef);
NAME_IS_FIRST(LitheMaterialPairDef);
NAME_IS_FIRST(LitheRodDef);
NAME_IS_FIRST(LitheParticlesDef);
NAME_IS_FIRST(LitheSolidDef);
NAME_IS_FIRST(LitheSetDef);
NAME_IS_FIRST(LitheHoldDef);
NAME_IS_FIRST(LitheDriveDef);
NAME_IS_FIRST(LitheForceDef);
NAME_IS_FIRST(LithePressureDef);
NAME_IS_FIRST(LitheCavityDef);
NAME_IS_FIRST(LitheSwellDef);
NAME_IS_FIRST(LitheFibreDef);
NAME_IS_FIRST(LitheNaturalDriveDef);
NAME_IS_FIRST(LitheBodyDef);
NAME_IS_FIRST(LitheRobotDef);
NAME_IS_FIRST(LitheChainDef);
NAME_IS_FIRST(LitheArmDef);
NAME_IS_FIRST(LitheJointDef);
NAME_IS_FIRST(LitheActuatorDef);
NAME_IS_FIRST(LithePoseDriveDef);
NAME_IS_FIRST(LitheConstraintDef);
NAME_IS_FIRST(LitheKnotDef);
NAME_IS_FIRST(LitheControlDef);

// --- common to all kinds -------------------------------------------------------------------------

#define MEMBER(Type, scene, at) ((Type *)((char *)(scene) + (at)))

LitheObjectKind lithe_object_kind(const char *section) {
    int kind = 0;
    while (kind < LITHE_OBJECT_KINDS && strcmp(lithe_scene_objects[kind].section, section) != 0)
        kind++;
    return (LitheObjectKind)kind;
}

int32_t lithe_object_count(const LitheScene *scene, LitheObjectKind kind) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    return row->size ? *MEMBER(const int32_t, scene, row->count) : 0;
}

const void *lithe_object(const LitheScene *scene, LitheObjectKind kind, int32_t index) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    return *MEMBER(char *const, scene, row->array) + (size_t)index * row->size;
}

const char *lithe_object_name(const LitheScene *scene, LitheObjectKind kind, int32_t index) {
    return *(const char *const *)lithe_object(scene, kind, index);
}

LitheObjectKind lithe_thing_object(LitheThingKind kind) {
    switch (kind) {
    case LITHE_THING_ROD:
        return LITHE_OBJECT_ROD;
    case LITHE_THING_PARTICLES:
        return LITHE_OBJECT_PARTICLES;
    case LITHE_THING_SOLID:
        return LITHE_OBJECT_SOLID;
    case LITHE_THING_BODY:
        return LITHE_OBJECT_BODY;
    default:
        return LITHE_OBJECT_KINDS;
    }
}

const char *lithe_thing_def_name(const LitheScene *scene, LitheThing thing) {
    return lithe_object_name(scene, lithe_thing_object(thing.kind), thing.number - 1);
}

// Frees all memory that a copied def owns.
static void release(LitheContext *context, const LitheObjects *row, void *def) {
    lithe_free_const(context, *(const char **)def);
    if (row->release)
        row->release(context, def);
}

// Replaces all pointers inside a def by those to copies; on failure nothing of it stays.
static bool copy_inside(LitheContext *context, const LitheObjects *row, void *def) {
    bool good = lithe_copy_text(context, (const char **)def);
    good = (!row->copy || row->copy(context, def)) && good;
    if (!good)
        release(context, row, def);
    return good;
}

int32_t lithe_object_add(LitheScene *scene, LitheObjectKind kind, const void *def) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    int32_t *count = MEMBER(int32_t, scene, row->count);
    if (!lithe_array_reserve(scene->context, MEMBER(void *, scene, row->array),
                             MEMBER(int32_t, scene, row->capacity), (int64_t)*count + 1, row->size))
        return 0;
    void *own = *MEMBER(char *, scene, row->array) + (size_t)*count * row->size;
    memcpy(own, def, row->size);
    return copy_inside(scene->context, row, own) ? ++*count : 0;
}

bool lithe_object_replace(LitheScene *scene, LitheObjectKind kind, int32_t index, const void *def) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    void *old = *MEMBER(char *, scene, row->array) + (size_t)index * row->size;
    void *own = lithe_alloc(scene->context, row->size);
    if (!own)
        return false;
    memcpy(own, def, row->size);
    bool good = copy_inside(scene->context, row, own);
    if (good) { // what is copied may have been inside of the old one
        release(scene->context, row, old);
        memcpy(old, own, row->size);
    }
    lithe_free(scene->context, own);
    return good;
}

void lithe_object_truncate(LitheScene *scene, LitheObjectKind kind, int32_t count) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    int32_t *have = MEMBER(int32_t, scene, row->count);
    while (*have > count)
        release(scene->context, row,
                *MEMBER(char *, scene, row->array) + (size_t)-- * have * row->size);
}

void lithe_object_select(LitheCheck *check, LitheObjectKind kind, int32_t index) {
    const LitheObjects *row = &lithe_scene_objects[kind];
    lithe_check_select(check, row->word, row->section, lithe_object_name(check->scene, kind, index),
                       index);
}
