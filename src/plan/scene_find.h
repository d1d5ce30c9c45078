// SPDX-License-Identifier: Apache-2.0
// plan/scene_find.h - joints, frames and friction of bodies of a scene

#ifndef LITHE_PLAN_SCENE_FIND_H
#define LITHE_PLAN_SCENE_FIND_H

#include "lithe/model.h"
#include "math/spatial.h"
#include "scene/scene.h"

/// The joint whose child is a body; NULL: none.
const LitheJointDef *lithe_plan_joint_of(const LitheScene *scene, LitheBodyId body);

LitheJointId lithe_plan_joint_id(const LitheScene *scene, const LitheJointDef *joint);

/// "world" for none.
const char *lithe_plan_body_name(const LitheScene *scene, LitheBodyId body);

/// Of a body or of the world, with all joints at 0.
Pose lithe_plan_pose(const LitheScene *scene, LitheBodyId body);

/// Mass of a body, given or from its shapes.
typedef struct LithePlanMass {
    double mass;  // kg
    Vec3 centre;  // in the body's frame [m]
    Mat3 inertia; // about the centre [kg m^2]
} LithePlanMass;
LitheStatus lithe_plan_mass(const LitheScene *scene, const LitheModel *model, LitheBodyId body,
                            LithePlanMass *mass, LitheError *error);

/// Whether a shape of the body takes part in contact.
bool lithe_plan_touches(const LitheBodyDef *body);

/// The first shape that is not only drawn, or NULL; `count` receives how many there are.
const LitheGeomDef *lithe_plan_shape(const LitheBodyDef *body, int32_t *count);

/// Whether contacts of two bodies are ignored.
bool lithe_plan_ignored(const LitheScene *scene, const char *a, const char *b);

/// Whether a shape of a body can touch one of another, by groups and pairs that are ignored.
bool lithe_plan_meet(const LitheScene *scene, const LitheGeomDef *a, const char *body,
                     const LitheGeomDef *b, const char *other);

/// The first object of the scene of a kind that no plan has: its kind in words and its name. False:
/// there is none.
bool lithe_plan_find_other(const LitheScene *scene, const char **word, const char **name);

/// Of two materials, by their pair or their harmonic mean.
double lithe_plan_friction(const LitheScene *scene, LitheMaterialId a, LitheMaterialId b);

#endif
