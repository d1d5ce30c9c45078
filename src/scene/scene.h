// SPDX-License-Identifier: Apache-2.0
// scene/scene.h - inside of a scene: the defs as added, with deep copies of what they point to

#ifndef LITHE_SCENE_SCENE_H
#define LITHE_SCENE_SCENE_H

#include "lithe/constraint.h"
#include "lithe/control.h"
#include "lithe/goal.h"
#include "lithe/knot.h"
#include "lithe/particles.h"
#include "lithe/plan.h"
#include "lithe/rigid.h"
#include "lithe/scene.h"
#include "lithe/solid.h"

/// The place of a value in a file; the path is like "rods.rope.section.circle.radius".
typedef struct LitheSource {
    char *path;
    int32_t file; // index into LitheScene.files
    int32_t line;
    int32_t column;
} LitheSource;

/// Two bodies or rods, by name, whose contacts are ignored.
typedef struct LitheIgnoredPair {
    const char *a;
    const char *b;
} LitheIgnoredPair;

/// The named objects of a scene, in the order in which they are checked and written (objects.h).
typedef enum LitheObjectKind {
    LITHE_OBJECT_MATERIAL,
    LITHE_OBJECT_MATERIAL_PAIR,
    LITHE_OBJECT_ROD,
    LITHE_OBJECT_PARTICLES,
    LITHE_OBJECT_SOLID,
    LITHE_OBJECT_SET,
    LITHE_OBJECT_HOLD,
    LITHE_OBJECT_DRIVE,
    LITHE_OBJECT_NATURAL_DRIVE,
    LITHE_OBJECT_BODY,
    LITHE_OBJECT_ROBOT,
    LITHE_OBJECT_CHAIN,
    LITHE_OBJECT_ARM,
    LITHE_OBJECT_FORCE,
    LITHE_OBJECT_PRESSURE,
    LITHE_OBJECT_CAVITY,
    LITHE_OBJECT_SWELL,
    LITHE_OBJECT_FIBRE,
    LITHE_OBJECT_JOINT,
    LITHE_OBJECT_ACTUATOR,
    LITHE_OBJECT_POSE_DRIVE,
    LITHE_OBJECT_CONSTRAINT,
    LITHE_OBJECT_KNOT,
    LITHE_OBJECT_CONTROL,
    LITHE_OBJECT_GOAL,
    LITHE_OBJECT_KINDS
} LitheObjectKind;

/// The names of the schemes in scene files, by LitheScheme, and further ones; ends with NULL.
extern const char *const lithe_scheme_words[];

/// The scheme of a scene, with `auto` resolved.
LitheScheme lithe_scene_scheme(const LitheScene *scene);

/// Whether there is a rod, body, solid or set of particles; arms are bodies here.
bool lithe_scene_has_things(const LitheScene *scene);

/// Whether contacts may be patches: some material has a pressure field.
bool lithe_scene_has_patches(const LitheScene *scene);

/// Whether positions of a joint are lengths.
static inline bool lithe_joint_slides(LitheJointKind kind) {
    return kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_SECTION;
}

/// Whether a profile is the constant 0.
static inline bool lithe_profile_def_is_zero(const LitheProfileDef *p) {
    return p->count <= 0 && p->value == 0 && p->rate == 0 && p->amplitude == 0;
}

/// A named frame on a body, from the file of a robot: anchors of constraints may name it.
typedef struct LitheSceneSite {
    const char *name;
    LitheBodyId body; // 0: the world
    LitheVec3 at;     // in the frame of the body [m]
    LitheQuat rotation;
} LitheSceneSite;

struct LitheScene {
    LitheContext *context;
    char *title;        // may be NULL
    bool allow_unusual; // values outside of their typical ranges are intended
    LitheVec3 gravity;
    LitheTimeDef time;
    LitheRecordDef record;
    LitheContactDef contact;
    LithePlanDef plan; // disk {0}: none

    // ids are index + 1
    LitheMaterialDef *materials;
    int32_t material_count, material_capacity;
    LitheMaterialPairDef *material_pairs;
    int32_t material_pair_count, material_pair_capacity;
    LitheRodDef *rods;
    int32_t rod_count, rod_capacity;
    LitheParticlesDef *particles;
    int32_t particle_set_count, particle_set_capacity;
    LitheSolidDef *solids;
    int32_t solid_count, solid_capacity;
    LitheSetDef *sets;
    int32_t set_count, set_capacity;
    LitheHoldDef *holds;
    int32_t hold_count, hold_capacity;
    LitheDriveDef *drives;
    int32_t drive_count, drive_capacity;
    LitheForceDef *forces;
    int32_t force_count, force_capacity;
    LithePressureDef *pressures;
    int32_t pressure_count, pressure_capacity;
    LitheCavityDef *cavities;
    int32_t cavity_count, cavity_capacity;
    LitheSwellDef *swells;
    int32_t swell_count, swell_capacity;
    LitheFibreDef *fibres;
    int32_t fibre_count, fibre_capacity;
    LitheNaturalDriveDef *natural_drives;
    int32_t natural_drive_count, natural_drive_capacity;

    LitheBodyDef *bodies;
    int32_t body_count, body_capacity;
    LitheJointDef *joints;
    int32_t joint_count, joint_capacity;
    LitheActuatorDef *actuators;
    int32_t actuator_count, actuator_capacity;
    LithePoseDriveDef *pose_drives;
    int32_t pose_drive_count, pose_drive_capacity;
    LitheIgnoredPair *ignored_pairs;
    int32_t ignored_pair_count, ignored_pair_capacity;
    LitheSceneSite *sites;
    int32_t site_count, site_capacity;

    LitheConstraintDef *constraints;
    int32_t constraint_count, constraint_capacity;
    LitheKnotDef *knots;
    int32_t knot_count, knot_capacity;
    LitheControlDef *controls;
    int32_t control_count, control_capacity;
    LitheGoalDef *goals;
    int32_t goal_count, goal_capacity;

    // what importers ignored, one line each
    char **notes;
    int32_t note_count, note_capacity;

    // places of values, for messages; empty for scenes built by calls
    char **files;
    int32_t file_count, file_capacity;
    char **inputs; // other files that the scene was read from: points, meshes, robots
    int32_t input_count, input_capacity;
    LitheSource *sources; // sorted by path once loading is done
    int32_t source_count, source_capacity;
};

/// Whether a place lies on rod `index`.
static inline bool lithe_place_on_rod(const LithePlace *place, int32_t index) {
    return place->kind != LITHE_PLACE_SET && place->thing.kind == LITHE_THING_ROD &&
           place->thing.number == index + 1;
}

/// Whether an anchor is several nodes of a solid: a group of its mesh, or a set.
static inline bool lithe_anchor_is_group(const LitheAnchor *anchor) {
    return anchor->kind == LITHE_ANCHOR_SOLID &&
           (anchor->place.kind == LITHE_PLACE_GROUP || anchor->place.kind == LITHE_PLACE_SET);
}

/// The def of a thing that is no body, by the table of objects (objects.c).
LitheObjectKind lithe_thing_object(LitheThingKind kind);
const char *lithe_thing_def_name(const LitheScene *scene, LitheThing thing);

/// Fails with a message. It begins with "file:line:column: " when the place of `path`, or of its
/// nearest parent, is known.
LitheStatus lithe_scene_fail(const LitheScene *scene, LitheError *error, const char *path,
                             const char *format, ...) LITHE_PRINTF(4, 5);

/// Whether the place of `path` itself is known.
bool lithe_scene_has_source(const LitheScene *scene, const char *path);

/// Where the object of a path is from: " (a.yaml:3:5)", or " of arm 'trunk' (a.yaml:3:5)" for what
/// another object has made; "" where that is not known.
void lithe_scene_source_text(const LitheScene *scene, const char *path, char *text, size_t size);

/// Adds a line to the scene's notes; false when out of memory. For importers.
bool lithe_scene_add_note(LitheScene *scene, const char *format, ...) LITHE_PRINTF(2, 3);

/// Adds a site with a copy of its name (rigid.c); false: out of memory.
bool lithe_scene_add_site(LitheScene *scene, const LitheSceneSite *site);

/// The site with this name (rigid.c); NULL: there is none.
const LitheSceneSite *lithe_scene_find_site(const LitheScene *scene, const char *name);

/// Removes the ignored pairs and notes beyond these numbers (rigid.c).
void lithe_scene_cut_pairs(LitheScene *scene, int32_t ignored_pairs, int32_t notes);

/// Normalises a quaternion that is nearly a unit quaternion (rigid.c).
void lithe_make_unit(LitheQuat *q);

#endif
