// SPDX-License-Identifier: Apache-2.0
// model/build_trees.c - bodies and joints of a scene become trees of rigid links
//
// Every moving body is a link. A body without a joint is the root of a tree on a free joint; one
// whose parent is the world or a fixed body is a root on that joint. scene/check.c ensures that the
// joints form a forest.

#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/tree.h"
#include "law/joint.h"
#include "model/compile.h"
#include "scene/arm.h"

#include <math.h>
#include <string.h>

static Pose pose_of(LitheVec3 at, LitheQuat rotation) {
    return (Pose){q4_unit(rotation), at};
}

// whether the parent of a joint is the world or a fixed body
static bool is_on_ground(const LitheScene *scene, const LitheJointDef *joint) {
    return joint->parent.number == 0 || scene->bodies[joint->parent.number - 1].fixed;
}

// whether a body is the root of its tree; those that ride on one section have one root
static bool is_root(const LitheScene *scene, const LitheActing *acting, int32_t body) {
    int32_t joint = acting->parents[body];
    if (joint < 0)
        return !scene->bodies[body].fixed;
    return is_on_ground(scene, &scene->joints[joint]) && scene->joints[joint].shares.number == 0;
}

// --- one link ------------------------------------------------------------------------------------

static LitheStatus set_inertia(const LitheScene *scene, const LitheModel *model, int32_t body,
                               LitheRigidLink *link, LitheError *error) {
    const LitheBodyDef *def = &scene->bodies[body];
    const double *I = def->inertia;
    if (!(def->mass > 0)) {
        LitheBodyMass shapes;
        LitheStatus status = lithe_body_mass(scene, model, body, &shapes, error);
        if (status != LITHE_OK)
            return status;
        link->mass = shapes.mass;
        link->centre = shapes.centre;
        link->inertia = shapes.inertia;
        return LITHE_OK;
    }
    link->mass = def->mass;
    link->centre = def->centre;
    link->inertia = (Mat3){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    return LITHE_OK;
}

// `parent` is a link of the same tree, or -1; with `joint` -1 the body is a root on a free joint
static LitheStatus set_link(const LitheScene *scene, const LitheModel *model, int32_t body,
                            int32_t joint, int32_t parent, LitheRigidLink *link,
                            LitheError *error) {
    const LitheBodyDef *def = &scene->bodies[body];
    link->name = lithe_alloc_text(scene->context, def->name);
    if (!link->name)
        return lithe_fail_memory(error, "a rigid body");
    link->parent = parent;
    link->body = body;
    link->kind = LITHE_JOINT_FREE;
    link->parent_frame = link->child_frame = pose_identity();
    if (joint >= 0) {
        const LitheJointDef *j = &scene->joints[joint];
        link->kind = j->kind;
        link->parent_frame = pose_of(j->parent_at, j->parent_rotation);
        link->child_frame = pose_of(j->child_at, j->child_rotation);
        if (parent < 0 && j->parent.number > 0) {
            const LitheBodyDef *fixed = &scene->bodies[j->parent.number - 1];
            link->parent_frame = pose_mul(pose_of(fixed->at, fixed->rotation), link->parent_frame);
        }
        const LitheJointDef *owner =
            j->shares.number > 0 ? &scene->joints[j->shares.number - 1] : j;
        link->shape = (LitheJointShape){j->pitch, owner->length, owner->radius, j->along};
        link->line_mass = j->line_mass;
        if (j->shares.number > 0) // the first of its tree's links on that section
            link->shares = model->joints[j->shares.number - 1].link + 1;
        link->stiffness = j->stiffness;
        link->rest = j->rest;
        link->damping = j->damping;
        link->armature = j->armature;
        link->limited = j->limited;
        link->lower = j->lower;
        link->upper = j->upper;
        link->chambers = j->chamber_count;
        link->friction_loss = j->friction_loss;
        link->effort_limit = j->effort_limit;
        link->velocity_limit = j->velocity_limit;
    }
    return set_inertia(scene, model, body, link, error);
}

// --- one tree ------------------------------------------------------------------------------------

// lists `root` and, after it, all bodies connected to it; returns their number
static int32_t list_tree(const LitheScene *scene, const LitheActing *acting, int32_t root,
                         int32_t *order) {
    int32_t count = 0, own = acting->parents[root];
    LitheNumbers sharing = own >= 0 ? lithe_groups_of(&acting->sharing, own) : (LitheNumbers){0};
    order[count++] = root;
    for (int32_t k = 0; k < sharing.count; k++) {
        const LitheJointDef *joint = &scene->joints[sharing.list[k]];
        if (is_on_ground(scene, joint))
            order[count++] = joint->child.number - 1;
    }
    for (int32_t done = 0; done < count; done++) {
        LitheNumbers children = lithe_groups_of(&acting->children, order[done]);
        for (int32_t k = 0; k < children.count; k++)
            order[count++] = scene->joints[children.list[k]].child.number - 1;
    }
    return count;
}

// `order` [body_count] is scratch
static LitheStatus add_links(const LitheScene *scene, const LitheActing *acting, int32_t root,
                             int32_t index, LitheModel *model, int32_t *order, LitheError *error) {
    LitheRigidTree *rigid = &model->trees[index].rigid;
    int32_t count = list_tree(scene, acting, root, order);
    rigid->links = lithe_alloc_array(scene->context, count, sizeof *rigid->links);
    if (!rigid->links)
        return lithe_fail_memory(error, "a rigid tree");
    for (int32_t k = 0; k < count; k++) {
        int32_t body = order[k], joint = acting->parents[body];
        int32_t parent = k == 0 || is_on_ground(scene, &scene->joints[joint])
                             ? -1
                             : model->bodies[scene->joints[joint].parent.number - 1].element;
        rigid->link_count = k + 1;
        LitheStatus status = set_link(scene, model, body, joint, parent, &rigid->links[k], error);
        if (status != LITHE_OK)
            return status;
        model->bodies[body].unit = index; // index of the tree, until units are built
        model->bodies[body].element = k;
        if (joint >= 0) {
            model->joints[joint].tree = index;
            model->joints[joint].link = k;
        }
    }
    return lithe_rigid_number(rigid, error);
}

// Velocities of a ball, planar or free joint from those of its child, given in world axes; the
// parent is assumed at rest. The frames of the joint coincide at the start.
static void start_velocity(const LitheRigidTree *rigid, int32_t index, const LitheBodyDef *def,
                           double *v) {
    Pose frame = pose_identity();
    for (int32_t i = index; i >= 0; i = rigid->links[i].parent) {
        const LitheRigidLink *link = &rigid->links[i];
        Pose own = i == index ? link->parent_frame
                              : pose_mul(link->parent_frame, pose_inverse(link->child_frame));
        frame = pose_mul(own, frame);
    }
    const LitheRigidLink *link = &rigid->links[index];
    Vec3 arm =
        q4_rotate(pose_mul(frame, pose_inverse(link->child_frame)).rotation, link->child_frame.at);
    Quat back = q4_conj(frame.rotation);
    Vec3 angular = q4_rotate(back, def->spin);
    Vec3 speed = q4_rotate(back, v3_add(def->velocity, v3_cross(def->spin, arm)));
    if (link->kind == LITHE_JOINT_BALL) {
        v3_store(angular, v + link->v_at);
    } else if (link->kind == LITHE_JOINT_PLANAR) {
        v3_store(v3(speed.x, speed.y, angular.z), v + link->v_at);
    } else if (link->kind == LITHE_JOINT_FREE) {
        v3_store(speed, v + link->v_at);
        v3_store(angular, v + link->v_at + 3);
    }
}

// positions and velocities as built
static LitheStatus set_start(const LitheScene *scene, const LitheActing *acting,
                             const LitheModel *model, LitheTree *tree, const int32_t *order,
                             LitheError *error) {
    LitheContext *context = scene->context;
    tree->q0 = lithe_alloc_array(context, tree->rigid.q_count, sizeof(double));
    tree->v0 = lithe_alloc_array(context, tree->rigid.v_count, sizeof(double));
    if (!tree->q0 || !tree->v0)
        return lithe_fail_memory(error, "a rigid tree");
    lithe_rigid_zero(&tree->rigid, tree->q0);
    for (int32_t k = 0; k < tree->rigid.link_count; k++) {
        int32_t i = order[k];
        const LitheBodyDef *def = &scene->bodies[i];
        const LitheRigidLink *link = &tree->rigid.links[model->bodies[i].element];
        int32_t joint = acting->parents[i];
        if (joint >= 0 && lithe_joint_v_count(link->kind) == 1) {
            tree->q0[link->q_at] = scene->joints[joint].position;
            tree->v0[link->v_at] = scene->joints[joint].velocity;
        } else if (link->kind == LITHE_JOINT_SECTION) {
            if (!link->shares)
                v3_store(scene->joints[joint].chambers, tree->q0 + link->q_at);
        } else if (joint < 0) {
            Quat q = q4_unit(def->rotation);
            const double start[7] = {def->at.x, def->at.y, def->at.z, q.w, q.x, q.y, q.z};
            memcpy(tree->q0 + link->q_at, start, sizeof start);
            v3_store(def->velocity, tree->v0 + link->v_at);
            v3_store(def->spin, tree->v0 + link->v_at + 3);
        } else {
            start_velocity(&tree->rigid, model->bodies[i].element, def, tree->v0);
        }
    }
    return LITHE_OK;
}

// one actuator of the scene on one degree of freedom
static bool add_drive(const LitheScene *scene, int32_t number, LitheRigidDrive drive,
                      LitheTree *tree) {
    const LitheActuatorDef *def = &scene->actuators[number];
    LitheActuator *actuator = &tree->actuators[tree->actuator_count++];
    double area = def->area > 0 ? def->area : 1;
    drive.kind = def->kind;
    drive.gear *= def->gear * area;
    drive.stiffness = def->stiffness;
    drive.damping = def->damping;
    drive.pulls = def->pulls;
    actuator->drive = drive;
    actuator->effort_limit = def->effort_limit / area;
    actuator->area = def->area;
    actuator->number = number;
    actuator->name = lithe_alloc_text(scene->context, def->name);
    return actuator->name && lithe_profile_copy(scene->context, &def->target, &actuator->target);
}

// (X11): a chamber or tendon at any place acts on the three chambers of each section it runs
// through, in proportion to its elongation for theirs
static bool add_placed(const LitheScene *scene, const LitheModel *model, int32_t number,
                       LitheTree *tree) {
    const LitheActuatorDef *def = &scene->actuators[number];
    int32_t last = def->from.number ? def->from.number : def->joint.number;
    for (int32_t at = def->joint.number; at; at = lithe_section_before(scene, at)) {
        double ratio = def->radius / scene->joints[at - 1].radius;
        for (int32_t k = 0; k < 3; k++) {
            double share = (1 + 2 * ratio * cos(def->angle - k * 2 * M_PI / 3)) / 3;
            LitheRigidDrive drive = {
                .link = model->joints[at - 1].link, .dof = k, .gear = def->pulls ? -share : share};
            if (!add_drive(scene, number, drive, tree))
                return false;
        }
        if (at == last)
            break;
    }
    return true;
}

// degrees of freedom that an actuator acts on
static int64_t drive_count(const LitheScene *scene, const LitheActuatorDef *def) {
    int64_t count = 1;
    for (int32_t at = def->from.number ? def->joint.number : 0; at && at != def->from.number;
         at = lithe_section_before(scene, at))
        count++;
    return def->radius > 0 ? 3 * count : 1;
}

static LitheStatus add_actuators(const LitheScene *scene, LitheModel *model, int32_t index,
                                 LitheNumbers own, LitheError *error) {
    LitheTree *tree = &model->trees[index];
    int64_t count = 0;
    for (int32_t i = 0; i < own.count; i++)
        count += drive_count(scene, &scene->actuators[own.list[i]]);
    tree->actuators = lithe_alloc_array(scene->context, count, sizeof *tree->actuators);
    if (!tree->actuators)
        return lithe_fail_memory(error, "the actuators");
    for (int32_t i = 0; i < own.count; i++) {
        int32_t k = own.list[i];
        const LitheActuatorDef *def = &scene->actuators[k];
        const LitheRigidJoint *joint = &model->joints[def->joint.number - 1];
        model->actuators[k] = (LitheTreePart){index, tree->actuator_count};
        LitheRigidDrive drive = {
            .link = joint->link, .dof = def->chamber > 0 ? def->chamber - 1 : 0, .gear = 1};
        if (!(def->radius > 0 ? add_placed(scene, model, k, tree)
                              : add_drive(scene, k, drive, tree)))
            return lithe_fail_memory(error, "an actuator");
    }
    return LITHE_OK;
}

// forces on the bodies of a tree
static LitheStatus add_loads(const LitheScene *scene, LitheModel *model, int32_t index,
                             LitheNumbers own, LitheError *error) {
    LitheTree *tree = &model->trees[index];
    if (own.count == 0)
        return LITHE_OK;
    tree->loads = lithe_alloc_array(scene->context, own.count, sizeof *tree->loads);
    if (!tree->loads)
        return lithe_fail_memory(error, "the forces");
    for (int32_t k = 0; k < own.count; k++) {
        const LitheForceDef *def = &scene->forces[own.list[k]];
        const LitheRigidBody *body = &model->bodies[def->place.thing.number - 1];
        Vec3 at = body->offset ? v3_add(body->frame.at, q4_rotate(body->frame.rotation, def->at))
                               : def->at;
        LitheLinkLoad *load = &tree->loads[tree->load_count++];
        *load = (LitheLinkLoad){
            .link = body->element, .at = at, .force = def->force, .moment = def->moment};
        if (!lithe_profile_copy(scene->context, &def->profile, &load->profile))
            return lithe_fail_memory(error, "a force");
    }
    return LITHE_OK;
}

// --- all trees -----------------------------------------------------------------------------------

static LitheStatus add_names(const LitheScene *scene, LitheModel *model, LitheError *error) {
    LitheContext *context = scene->context;
    model->bodies = lithe_alloc_array(context, scene->body_count, sizeof *model->bodies);
    model->joints = lithe_alloc_array(context, scene->joint_count, sizeof *model->joints);
    model->trees = lithe_alloc_array(context, scene->body_count, sizeof *model->trees);
    model->actuators = lithe_alloc_array(context, scene->actuator_count, sizeof *model->actuators);
    model->pose_drives =
        lithe_alloc_array(context, scene->pose_drive_count, sizeof *model->pose_drives);
    model->actuator_count = scene->actuator_count;
    model->pose_drive_count = scene->pose_drive_count;
    if (!model->bodies || !model->joints || !model->trees || !model->actuators ||
        !model->pose_drives)
        return lithe_fail_memory(error, "the rigid bodies");
    for (; model->body_count < scene->body_count; model->body_count++) {
        const LitheBodyDef *def = &scene->bodies[model->body_count];
        LitheRigidBody *body = &model->bodies[model->body_count];
        body->unit = -1;
        body->frame = pose_of(def->at, def->rotation);
        body->name = lithe_alloc_text(context, def->name);
        if (!body->name)
            return lithe_fail_memory(error, "a rigid body");
    }
    for (; model->joint_count < scene->joint_count; model->joint_count++) {
        LitheRigidJoint *joint = &model->joints[model->joint_count];
        joint->tree = -1; // none yet: actuators read this while trees are still being added
        joint->name = lithe_alloc_text(context, scene->joints[model->joint_count].name);
        if (!joint->name)
            return lithe_fail_memory(error, "a joint");
    }
    return LITHE_OK;
}

// refuses objects that rigid bodies do not support: nothing is ignored silently
static LitheStatus check_supported(const LitheScene *scene, const LitheModel *model,
                                   LitheError *error) {
    for (int32_t i = 0; i < scene->pose_drive_count; i++) {
        const LithePoseDriveDef *def = &scene->pose_drives[i];
        if (model->bodies[def->body.number - 1].unit < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "pose drive '%s': body '%s' is fixed to the world", def->name,
                              scene->bodies[def->body.number - 1].name);
    }
    for (int32_t i = 0; i < scene->force_count; i++) {
        const LithePlace *place = &scene->forces[i].place;
        if (place->kind != LITHE_PLACE_SET && place->thing.kind == LITHE_THING_BODY &&
            model->bodies[place->thing.number - 1].unit < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "force '%s': body '%s' is fixed to the world: no force moves it",
                              scene->forces[i].name, scene->bodies[place->thing.number - 1].name);
    }
    return LITHE_OK;
}

static LitheStatus add_tree(const LitheScene *scene, const LitheActing *acting, int32_t root,
                            LitheModel *model, int32_t *order, LitheError *error) {
    int32_t index = model->tree_count++;
    LitheStatus status = add_links(scene, acting, root, index, model, order, error);
    return status == LITHE_OK ? set_start(scene, acting, model, &model->trees[index], order, error)
                              : status;
}

// What acts on each tree.
typedef struct OnTrees {
    LitheGroups actuators, forces, pose_drives;
} OnTrees;

static bool find_acting(const LitheScene *scene, const LitheModel *model, OnTrees *on) {
    LitheContext *context = scene->context;
    int64_t most = (int64_t)scene->actuator_count + scene->force_count + scene->pose_drive_count;
    int32_t trees = model->tree_count, *of = lithe_alloc_array(context, most, sizeof *of);
    if (!of)
        return false;
    for (int32_t k = 0; k < scene->actuator_count; k++)
        of[k] = model->joints[scene->actuators[k].joint.number - 1].tree;
    bool fine = lithe_groups_make(context, trees, of, scene->actuator_count, &on->actuators);
    for (int32_t k = 0; k < scene->force_count; k++) {
        const LithePlace *place = &scene->forces[k].place;
        bool body = place->kind != LITHE_PLACE_SET && place->thing.kind == LITHE_THING_BODY;
        of[k] = body ? model->bodies[place->thing.number - 1].unit : -1;
    }
    fine = fine && lithe_groups_make(context, trees, of, scene->force_count, &on->forces);
    for (int32_t k = 0; k < scene->pose_drive_count; k++)
        of[k] = model->bodies[scene->pose_drives[k].body.number - 1].unit;
    fine = fine && lithe_groups_make(context, trees, of, scene->pose_drive_count, &on->pose_drives);
    lithe_free(context, of);
    return fine;
}

// drives and forces, once all links are there
static LitheStatus add_acting(const LitheScene *scene, LitheModel *model, LitheError *error) {
    OnTrees on = {0};
    LitheStatus status = find_acting(scene, model, &on)
                             ? LITHE_OK
                             : lithe_fail_memory(error, "the drives of bodies");
    for (int32_t i = 0; status == LITHE_OK && i < model->tree_count; i++) {
        status = add_actuators(scene, model, i, lithe_groups_of(&on.actuators, i), error);
        if (status == LITHE_OK)
            status = add_loads(scene, model, i, lithe_groups_of(&on.forces, i), error);
        if (status == LITHE_OK)
            status = lithe_build_pose_drives(scene, model, i, lithe_groups_of(&on.pose_drives, i),
                                             error);
    }
    lithe_groups_free(scene->context, &on.actuators);
    lithe_groups_free(scene->context, &on.forces);
    lithe_groups_free(scene->context, &on.pose_drives);
    return status;
}

LitheStatus lithe_build_trees(const LitheScene *scene, const LitheActing *acting, LitheModel *model,
                              LitheError *error) {
    LitheStatus status = add_names(scene, model, error);
    int32_t *order = lithe_alloc_array(scene->context, scene->body_count, sizeof *order);
    if (status == LITHE_OK && !order)
        status = lithe_fail_memory(error, "the rigid trees");
    for (int32_t i = 0; status == LITHE_OK && i < scene->body_count; i++)
        if (is_root(scene, acting, i))
            status = add_tree(scene, acting, i, model, order, error);
    lithe_free(scene->context, order);
    if (status == LITHE_OK)
        status = add_acting(scene, model, error);
    return status == LITHE_OK ? check_supported(scene, model, error) : status;
}

void lithe_trees_number(LitheModel *model) {
    for (int32_t i = 0; i < model->body_count; i++) {
        LitheRigidBody *body = &model->bodies[i];
        if (body->unit < 0)
            continue;
        body->unit = model->trees[body->unit].unit;
        LitheThing *thing = &model->units[body->unit].thing;
        if (thing->number == 0)
            *thing = (LitheThing){LITHE_THING_BODY, i + 1};
    }
}

void lithe_trees_state(const LitheModel *model, LitheState *state) {
    for (int32_t i = 0; i < model->tree_count; i++) {
        const LitheTree *tree = &model->trees[i];
        memcpy(state->q + tree->q_at, tree->q0, (size_t)tree->rigid.q_count * sizeof(double));
        memcpy(state->v + tree->v_at, tree->v0, (size_t)tree->rigid.v_count * sizeof(double));
        lithe_pose_drives_state(tree, state->own + tree->aim_at);
    }
}

void lithe_trees_free(LitheModel *model) {
    LitheContext *context = model->context;
    for (int32_t i = 0; i < model->tree_count; i++) {
        LitheTree *tree = &model->trees[i];
        for (int32_t k = 0; tree->rigid.links && k < tree->rigid.link_count; k++)
            lithe_free(context, tree->rigid.links[k].name);
        for (int32_t k = 0; tree->actuators && k < tree->actuator_count; k++) {
            lithe_free(context, tree->actuators[k].name);
            lithe_profile_free(context, &tree->actuators[k].target);
        }
        for (int32_t k = 0; k < tree->load_count; k++)
            lithe_profile_free(context, &tree->loads[k].profile);
        lithe_free(context, tree->loads);
        lithe_pose_drives_free(context, tree);
        lithe_free(context, tree->rigid.links);
        lithe_free(context, tree->q0);
        lithe_free(context, tree->v0);
        lithe_free(context, tree->actuators);
    }
    for (int32_t i = 0; i < model->body_count; i++)
        lithe_free(context, model->bodies[i].name);
    for (int32_t i = 0; i < model->joint_count; i++)
        lithe_free(context, model->joints[i].name);
    lithe_free(context, model->trees);
    lithe_free(context, model->actuators);
    lithe_free(context, model->pose_drives);
    lithe_free(context, model->bodies);
    lithe_free(context, model->joints);
}
