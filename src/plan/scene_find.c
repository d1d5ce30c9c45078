// SPDX-License-Identifier: Apache-2.0
// plan/scene_find.c - joints, frames and friction of bodies of a scene

#include "plan/scene_find.h"

#include "scene/objects.h"

#include "model/compile.h"

#include <string.h>

const LitheJointDef *lithe_plan_joint_of(const LitheScene *scene, LitheBodyId body) {
    for (int32_t i = 0; i < scene->joint_count && body.number > 0; i++)
        if (scene->joints[i].child.number == body.number)
            return &scene->joints[i];
    return NULL;
}

LitheJointId lithe_plan_joint_id(const LitheScene *scene, const LitheJointDef *joint) {
    return (LitheJointId){(int32_t)(joint - scene->joints) + 1};
}

const char *lithe_plan_body_name(const LitheScene *scene, LitheBodyId body) {
    return body.number > 0 ? scene->bodies[body.number - 1].name : "world";
}

Pose lithe_plan_pose(const LitheScene *scene, LitheBodyId body) {
    Pose behind = pose_identity(); // what follows the frames that are known
    // joints form trees: at most as many as bodies
    for (int32_t i = 0; i <= scene->body_count && body.number > 0; i++) {
        const LitheJointDef *joint = lithe_plan_joint_of(scene, body);
        if (joint == NULL) {
            const LitheBodyDef *def = &scene->bodies[body.number - 1];
            return pose_mul((Pose){q4_unit(def->rotation), def->at}, behind);
        }
        Pose parent = {q4_unit(joint->parent_rotation), joint->parent_at};
        Pose child = {q4_unit(joint->child_rotation), joint->child_at};
        behind = pose_mul(pose_mul(parent, pose_inverse(child)), behind);
        body = joint->parent;
    }
    return behind;
}

LitheStatus lithe_plan_mass(const LitheScene *scene, const LitheModel *model, LitheBodyId body,
                            LithePlanMass *mass, LitheError *error) {
    const LitheBodyDef *def = &scene->bodies[body.number - 1];
    const double *i = def->inertia;
    *mass = (LithePlanMass){
        def->mass, def->centre, {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}}};
    if (def->mass > 0)
        return LITHE_OK;
    LitheBodyMass shapes;
    LitheStatus status = lithe_body_mass(scene, model, body.number - 1, &shapes, error);
    if (status == LITHE_OK)
        *mass = (LithePlanMass){shapes.mass, shapes.centre, shapes.inertia};
    return status;
}

bool lithe_plan_touches(const LitheBodyDef *body) {
    for (int32_t i = 0; i < body->geom_count; i++)
        if (!body->geoms[i].visual && body->geoms[i].material.number > 0)
            return true;
    return false;
}

const LitheGeomDef *lithe_plan_shape(const LitheBodyDef *body, int32_t *count) {
    const LitheGeomDef *first = NULL;
    *count = 0;
    for (int32_t i = 0; i < body->geom_count; i++) {
        if (body->geoms[i].visual)
            continue;
        first = first != NULL ? first : &body->geoms[i];
        ++*count;
    }
    return first;
}

bool lithe_plan_ignored(const LitheScene *scene, const char *a, const char *b) {
    for (int32_t i = 0; i < scene->ignored_pair_count; i++) {
        const LitheIgnoredPair *pair = &scene->ignored_pairs[i];
        if ((strcmp(pair->a, a) == 0 && strcmp(pair->b, b) == 0) ||
            (strcmp(pair->a, b) == 0 && strcmp(pair->b, a) == 0))
            return true;
    }
    return false;
}

bool lithe_plan_meet(const LitheScene *scene, const LitheGeomDef *a, const char *body,
                     const LitheGeomDef *b, const char *other) {
    return a->mask & b->group && b->mask & a->group && !lithe_plan_ignored(scene, body, other);
}

bool lithe_plan_find_other(const LitheScene *scene, const char **word, const char **name) {
    const uint32_t known = 1u << LITHE_OBJECT_MATERIAL | 1u << LITHE_OBJECT_MATERIAL_PAIR |
                           1u << LITHE_OBJECT_BODY | 1u << LITHE_OBJECT_JOINT |
                           1u << LITHE_OBJECT_ACTUATOR | 1u << LITHE_OBJECT_CONTROL;
    for (int k = 0; k < LITHE_OBJECT_KINDS; k++) {
        LitheObjectKind kind = (LitheObjectKind)k;
        if (known >> k & 1 || lithe_scene_objects[k].size == 0 ||
            lithe_object_count(scene, kind) == 0)
            continue;
        *word = lithe_scene_objects[k].word;
        *name = lithe_object_name(scene, kind, 0);
        return true;
    }
    return false;
}

double lithe_plan_friction(const LitheScene *scene, LitheMaterialId a, LitheMaterialId b) {
    for (int32_t i = 0; i < scene->material_pair_count; i++) {
        const LitheMaterialPairDef *pair = &scene->material_pairs[i];
        bool same = (pair->a.number == a.number && pair->b.number == b.number) ||
                    (pair->a.number == b.number && pair->b.number == a.number);
        if (same)
            return pair->friction;
    }
    double x = scene->materials[a.number - 1].friction, y = scene->materials[b.number - 1].friction;
    return x + y > 0 ? 2 * x * y / (x + y) : 0;
}
