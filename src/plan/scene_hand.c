// SPDX-License-Identifier: Apache-2.0
// plan/scene_hand.c - from the plan of a scene to a hand: finds fingers and box, refuses the rest

#include "plan/scene_hand.h"

#include "plan/scene_find.h"

#include "lithe/model.h"

#include <math.h>

typedef struct Search {
    const LitheScene *scene;
    const LitheModel *model; // for masses
    LitheHand *hand;
    LitheHandPlace *place;
    LitheError *error;
    LitheStatus status;
    LitheMaterialId tip, box, floor; // materials
} Search;

#define REFUSE(s, key, ...) \
    ((s)->status = lithe_scene_fail((s)->scene, (s)->error, "plan.hand." key, \
                                    "plan.hand." key ": " __VA_ARGS__))

// directions that differ by less, and lengths relative to the size, are the same
#define SAME 1e-6

static void flat_point(const LitheHandPlace *p, Vec3 x, double to[2]) {
    Vec3 from = v3_sub(x, p->origin);
    to[0] = v3_dot(from, p->x);
    to[1] = v3_dot(from, p->z);
}

static LithePlanMass mass_of(Search *s, LitheBodyId body) {
    LithePlanMass mass = {0};
    if (s->status == LITHE_OK)
        s->status = lithe_plan_mass(s->scene, s->model, body, &mass, s->error);
    return mass;
}

// inertia about the normal of the plane
static double inertia_of(const Search *s, const LithePlanMass *mass, Quat rotation) {
    Vec3 axis = q4_rotate(q4_conj(rotation), s->place->normal);
    return v3_dot(axis, m3_apply(mass->inertia, axis));
}

// the one shape that touches, if it is of a kind
static const LitheGeomDef *shape_of(const LitheBodyDef *body, LitheGeomKind kind) {
    const LitheGeomDef *found = NULL;
    for (int32_t i = 0; i < body->geom_count; i++) {
        const LitheGeomDef *geom = &body->geoms[i];
        if (geom->visual || geom->material.number == 0)
            continue;
        if (found != NULL || geom->kind != kind)
            return NULL;
        found = geom;
    }
    return found;
}

// --- the plane -----------------------------------------------------------------------------------

// x and z by the axis of the first joint and gravity; the left finger is on the left
static void take_plane(Search *s) {
    const LitheScene *scene = s->scene;
    LitheHandPlace *p = s->place;
    double g = v3_norm(scene->gravity);
    const LitheBodyId bodies[2] = {scene->plan.hand.left, scene->plan.hand.right};
    static const char *const words[2] = {"left", "right"};
    Vec3 root[2], axis = {0, 0, 0};
    for (int f = 0; f < LITHE_HAND_FINGERS; f++) {
        const LitheJointDef *second = lithe_plan_joint_of(scene, bodies[f]);
        const LitheJointDef *first =
            second != NULL ? lithe_plan_joint_of(scene, second->parent) : NULL;
        bool hinged = first != NULL && second->kind == LITHE_JOINT_REVOLUTE &&
                      first->kind == LITHE_JOINT_REVOLUTE &&
                      (first->parent.number == 0 || scene->bodies[first->parent.number - 1].fixed);
        if (!hinged) {
            s->status = lithe_scene_fail(
                scene, s->error, f == 0 ? "plan.hand.left" : "plan.hand.right",
                "plan.hand.%s: body '%s' must be the second link of a finger: on a revolute joint "
                "to a link on a revolute joint to something fixed",
                words[f], lithe_plan_body_name(scene, bodies[f]));
            return;
        }
        Pose frame = pose_mul(lithe_plan_pose(scene, first->parent),
                              (Pose){q4_unit(first->parent_rotation), first->parent_at});
        root[f] = frame.at;
        if (f == 0)
            axis = q4_rotate(frame.rotation, v3(0, 0, 1));
    }
    if (!(g > 0)) {
        REFUSE(s, "box",
               "there is no gravity: plans of hands have a box that stands on the ground");
        return;
    }
    p->z = v3_scale(-1 / g, scene->gravity);
    p->normal = axis;
    p->x = v3_cross(p->z, p->normal);
    if (v3_dot(v3_sub(root[1], root[0]), p->x) < 0) {
        p->normal = v3_neg(p->normal);
        p->x = v3_neg(p->x);
    }
    if (fabs(v3_dot(p->normal, p->z)) > SAME)
        REFUSE(s, "left", "the axes of the fingers must be horizontal");
}

static void take_floor(Search *s) {
    const LitheScene *scene = s->scene;
    int32_t found = 0;
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        const LitheGeomDef *geom = shape_of(body, LITHE_GEOM_HALF_SPACE);
        if (geom == NULL || !body->fixed)
            continue;
        Pose pose = pose_mul((Pose){q4_unit(body->rotation), body->at},
                             (Pose){q4_unit(geom->rotation), geom->at});
        found++;
        s->floor = geom->material;
        s->place->ground = (LitheBodyId){i + 1};
        s->place->origin = v3_scale(v3_dot(pose.at, s->place->z), s->place->z);
        if (v3_norm(v3_sub(q4_rotate(pose.rotation, v3(0, 0, 1)), s->place->z)) > SAME)
            REFUSE(s, "box", "the half-space of body '%s' must be horizontal", body->name);
    }
    if (found != 1 && s->status == LITHE_OK)
        REFUSE(s, "box", "the box needs one half-space that it stands on; the scene has %d", found);
}

// --- fingers -------------------------------------------------------------------------------------

static void take_joint(Search *s, int at, const LitheJointDef *joint, Vec3 axis) {
    const LitheScene *scene = s->scene;
    LitheHandJoint *to = &s->place->joints[at];
    double along = v3_dot(axis, s->place->normal);
    if (!(fabs(fabs(along) - 1) < SAME)) {
        REFUSE(s, "left", "the axis of joint '%s' must be that of the other joints of the fingers",
               joint->name);
        return;
    }
    if (joint->friction_loss > 0 || joint->armature > 0 || joint->stiffness > 0) {
        REFUSE(s, "left",
               "joint '%s' has friction, armature or stiffness, which plans do not support",
               joint->name);
        return;
    }
    to->joint = lithe_plan_joint_id(scene, joint);
    to->sign = along > 0 ? 1 : -1;
    s->hand->bounds.effort[at] = scene->plan.hand.bounds.effort;
    if (joint->effort_limit > 0)
        s->hand->bounds.effort[at] = fmin(s->hand->bounds.effort[at], joint->effort_limit);
    for (int32_t i = 0; i < scene->actuator_count; i++) {
        const LitheActuatorDef *drive = &scene->actuators[i];
        if (drive->joint.number != to->joint.number)
            continue;
        bool force = drive->kind == LITHE_ACTUATOR_FORCE,
             position = drive->kind == LITHE_ACTUATOR_POSITION && drive->stiffness > 0;
        if (to->drive > 0 || drive->gear != 1 || !(force || position)) {
            REFUSE(s, "left",
                   "actuator '%s': plans need one actuator per joint, of kind force or position, "
                   "of gear 1",
                   drive->name);
            return;
        }
        to->drive = i + 1;
        if (drive->effort_limit > 0)
            s->hand->bounds.effort[at] = fmin(s->hand->bounds.effort[at], drive->effort_limit);
    }
}

// angle from below of a vector in the plane
static double angle_of(const LitheHandPlace *p, Vec3 d) {
    return atan2(v3_dot(d, p->x), -v3_dot(d, p->z));
}

static void take_finger(Search *s, int f) {
    const LitheScene *scene = s->scene;
    LitheHandPlace *place = s->place;
    LitheHandFinger *finger = &s->hand->task.finger[f];
    LitheBodyId tip_body = f == 0 ? scene->plan.hand.left : scene->plan.hand.right;
    const LitheJointDef *second = lithe_plan_joint_of(scene, tip_body);
    const LitheJointDef *first = lithe_plan_joint_of(scene, second->parent);
    const LitheJointDef *joints[2] = {first, second};
    const LitheBodyDef *tip = &scene->bodies[tip_body.number - 1];
    const LitheGeomDef *sphere = shape_of(tip, LITHE_GEOM_SPHERE);
    if (sphere == NULL || lithe_plan_touches(&scene->bodies[second->parent.number - 1])) {
        REFUSE(s, "left", "of the finger of body '%s' one sphere must touch, on its second link",
               tip->name);
        return;
    }
    Pose pose[2] = {lithe_plan_pose(scene, second->parent), lithe_plan_pose(scene, tip_body)};
    Vec3 ends[3]; // first joint, second joint, centre of the tip
    for (int i = 0; i < 2; i++) {
        Pose frame =
            pose_mul(pose[i], (Pose){q4_unit(joints[i]->child_rotation), joints[i]->child_at});
        ends[i] = frame.at;
        take_joint(s, f * LITHE_HAND_LINKS + i, joints[i], q4_rotate(frame.rotation, v3(0, 0, 1)));
        if (s->status != LITHE_OK)
            return;
    }
    ends[2] = pose_point(pose[1], sphere->at);
    double before = 0;
    for (int i = 0; i < 2; i++) {
        LitheHandJoint *joint = &place->joints[f * LITHE_HAND_LINKS + i];
        Vec3 link = v3_sub(ends[i + 1], ends[i]);
        link = v3_axpy(-v3_dot(link, place->normal), place->normal, link);
        double length = v3_norm(link), angle = angle_of(place, link);
        LitheBodyId body = i == 0 ? second->parent : tip_body;
        LithePlanMass mass = mass_of(s, body);
        if (s->status != LITHE_OK)
            return;
        Vec3 centre = v3_sub(pose_point(pose[i], mass.centre), ends[i]);
        centre = v3_axpy(-v3_dot(centre, place->normal), place->normal, centre);
        double along = length > 0 ? v3_dot(centre, link) / length : 0;
        if (!(length > 0 && v3_norm(v3_axpy(-along / length, link, centre)) < SAME * length)) {
            REFUSE(s, "left",
                   "the centre of mass of link '%s' must be on the line from its joint to the next "
                   "one or to the tip",
                   lithe_plan_body_name(scene, body));
            return;
        }
        finger->length[i] = length;
        finger->mass[i] = mass.mass;
        finger->centre[i] = along;
        finger->inertia[i] = inertia_of(s, &mass, pose[i].rotation);
        finger->damping[i] = joints[i]->damping;
        joint->offset = remainder(angle - before, 2 * M_PI);
        before = angle;
        int at = f * LITHE_HAND_LINKS + i;
        s->hand->angles[at] = joint->sign * joints[i]->position + joint->offset;
        double limits[2] = {-3.1, 3.1};
        if (joints[i]->limited) {
            limits[joint->sign < 0] = joint->sign * joints[i]->lower + joint->offset;
            limits[joint->sign > 0] = joint->sign * joints[i]->upper + joint->offset;
        }
        s->hand->bounds.lower[at] = limits[0];
        s->hand->bounds.upper[at] = limits[1];
    }
    flat_point(place, ends[0], finger->base);
    finger->tip = sphere->radius;
    if (s->tip.number > 0 && s->tip.number != sphere->material.number)
        REFUSE(s, "right", "both tips must have the same material");
    s->tip = sphere->material;
}

// --- the box -------------------------------------------------------------------------------------

// half sizes and angle of the box; false where it is not in line with the plane
static bool align(const LitheHandPlace *p, Quat rotation, Vec3 size, double half[2],
                  double *angle) {
    const double sizes[3] = {size.x, size.y, size.z};
    int across = -1;
    Vec3 axis[3];
    for (int k = 0; k < 3; k++) {
        axis[k] = q4_rotate(rotation, v3(k == 0, k == 1, k == 2));
        if (fabs(fabs(v3_dot(axis[k], p->normal)) - 1) < SAME)
            across = k;
    }
    if (across < 0)
        return false;
    int a = (across + 1) % 3, b = (across + 2) % 3;
    if (fabs(v3_dot(axis[a], p->x)) < fabs(v3_dot(axis[b], p->x))) {
        int swap = a;
        a = b;
        b = swap;
    }
    Vec3 along = v3_dot(axis[a], p->x) > 0 ? axis[a] : v3_neg(axis[a]);
    half[0] = 0.5 * sizes[a];
    half[1] = 0.5 * sizes[b];
    *angle = atan2(v3_dot(along, p->z), v3_dot(along, p->x));
    return true;
}

// a component of a unit vector without the rounding of its rotation
static double shown(double x) {
    return fabs(x) < SAME ? 0 : x;
}

// in line with the plane of the fingers, and free to slide in it; finds its half sizes
static void check_box(Search *s, const LitheJointDef *joint, const LitheGeomDef *geom,
                      Vec3 centre) {
    LitheHandPlace *place = s->place;
    const LitheBodyDef *box = &s->scene->bodies[s->scene->plan.hand.box.number - 1];
    Vec3 axis = q4_rotate(place->parent.rotation, v3(0, 0, 1));
    Quat rotation = q4_mul(place->start.rotation, q4_unit(geom->rotation));
    if (!(fabs(fabs(v3_dot(axis, place->normal)) - 1) < SAME) ||
        !align(place, rotation, geom->size, s->hand->task.half, &place->box_angle)) {
        REFUSE(s, "box", "box '%s' and its joint must be in line with the plane of the fingers",
               box->name);
        return;
    }
    if (v3_norm(v3_sub(centre, geom->at)) > SAME * v3_norm(geom->size)) {
        REFUSE(s, "box", "the centre of mass of body '%s' must be the centre of its box",
               box->name);
        return;
    }
    if (joint->limited || joint->stiffness > 0 || joint->friction_loss > 0 || joint->damping > 0 ||
        joint->armature > 0)
        REFUSE(
            s, "box",
            "joint '%s' has limits, stiffness, damping, armature or friction, which plans do not "
            "support",
            joint->name);
}

static void take_box(Search *s) {
    const LitheScene *scene = s->scene;
    const LithePlanHand *def = &scene->plan.hand;
    LitheHandPlace *place = s->place;
    LitheHandTask *task = &s->hand->task;
    const LitheBodyDef *box = &scene->bodies[def->box.number - 1];
    const LitheJointDef *joint = lithe_plan_joint_of(scene, def->box);
    const LitheGeomDef *geom = shape_of(box, LITHE_GEOM_BOX);
    bool planar = joint != NULL && joint->kind == LITHE_JOINT_PLANAR &&
                  (joint->parent.number == 0 || scene->bodies[joint->parent.number - 1].fixed);
    if (!planar || geom == NULL) {
        REFUSE(s, "box",
               "body '%s' must have one shape that touches, a box, and a planar joint to something "
               "fixed",
               box->name);
        return;
    }
    place->slide = lithe_plan_joint_id(scene, joint);
    place->parent = pose_mul(lithe_plan_pose(scene, joint->parent),
                             (Pose){q4_unit(joint->parent_rotation), joint->parent_at});
    place->child = (Pose){q4_unit(joint->child_rotation), joint->child_at};
    place->start = lithe_plan_pose(scene, def->box);
    LithePlanMass mass = mass_of(s, def->box);
    if (s->status != LITHE_OK)
        return;
    check_box(s, joint, geom, mass.centre);
    if (s->status != LITHE_OK)
        return;
    place->centre = geom->at;
    s->box = geom->material;
    task->box_mass = mass.mass;
    task->inertia = inertia_of(s, &mass, place->start.rotation);
    flat_point(place, pose_point(place->start, place->centre), s->hand->box);
    s->hand->box[2] = place->box_angle;
}

// where the box ends, after its start
static void take_target(Search *s) {
    const LitheScene *scene = s->scene;
    const LithePlanHand *def = &scene->plan.hand;
    const LitheHandPlace *place = s->place;
    const LitheGeomDef *geom = shape_of(&scene->bodies[def->box.number - 1], LITHE_GEOM_BOX);
    Quat turn = q4_unit(scene->plan.target);
    Vec3 about = {turn.x, turn.y, turn.z};
    double along = v3_dot(about, place->normal);
    if (v3_norm(v3_axpy(-along, place->normal, about)) > SAME) {
        s->status = lithe_scene_fail(scene, s->error, "plan.target",
                                     "plan.target: the box turns in the plane of the fingers: the "
                                     "axis must be (%.4g, %.4g, %.4g), or opposite to it",
                                     shown(place->normal.x), shown(place->normal.y),
                                     shown(place->normal.z));
        return;
    }
    double beside = v3_dot(v3_sub(def->at, pose_point(place->start, place->centre)), place->normal);
    if (fabs(beside) > 1e-3 * v3_norm(geom->size)) {
        REFUSE(s, "at", "is %.4g m beside the plane in which the centre of the box slides",
               fabs(beside));
        return;
    }
    flat_point(place, def->at, s->hand->target);
    const double *half = s->hand->task.half;
    s->hand->target[2] = place->box_angle + remainder(2 * atan2(along, turn.w), 2 * M_PI);
    double angle = s->hand->target[2];
    double low = s->hand->target[1] - half[0] * fabs(sin(angle)) - half[1] * fabs(cos(angle));
    if (low < -SAME)
        REFUSE(s, "at", "the box would be %.4g m below the ground at the end", -low);
}

// --- the rest ------------------------------------------------------------------------------------

// a fixed sphere that the tips and the box keep away from
static void take_obstacle(Search *s, const LitheBodyDef *body, const LitheGeomDef *sphere) {
    const LitheScene *scene = s->scene;
    LitheHandTask *task = &s->hand->task;
    const LitheBodyId own[LITHE_HAND_AWAY] = {scene->plan.hand.left, scene->plan.hand.right,
                                              scene->plan.hand.box};
    Vec3 at = pose_point((Pose){q4_unit(body->rotation), body->at}, sphere->at);
    LitheHandObstacle obstacle = {.name = body->name, .radius = sphere->radius};
    bool met = false;
    for (int i = 0; i < LITHE_HAND_AWAY; i++) {
        const LitheGeomDef *geom =
            shape_of(&scene->bodies[own[i].number - 1],
                     i < LITHE_HAND_FINGERS ? LITHE_GEOM_SPHERE : LITHE_GEOM_BOX);
        obstacle.avoided[i] =
            lithe_plan_meet(scene, geom, lithe_plan_body_name(scene, own[i]), sphere, body->name);
        met = met || obstacle.avoided[i];
        if (i < LITHE_HAND_FINGERS) {
            Vec3 tip = pose_point(lithe_plan_pose(scene, own[i]), geom->at);
            obstacle.depth[i] = v3_dot(v3_sub(at, tip), s->place->normal);
        }
    }
    flat_point(s->place, at, obstacle.at);
    if (!met)
        return;
    if (task->obstacle_count == LITHE_HAND_OBSTACLES) {
        REFUSE(s, "box", "body '%s': plans of hands have at most %d obstacles", body->name,
               LITHE_HAND_OBSTACLES);
        return;
    }
    task->obstacles[task->obstacle_count++] = obstacle;
}

static void refuse_rest(Search *s) {
    const LitheScene *scene = s->scene;
    const LithePlanHand *def = &scene->plan.hand;
    const char *word, *name;
    if (lithe_plan_find_other(scene, &word, &name)) {
        REFUSE(s, "box", "%s '%s' cannot be planned: plans of hands have two fingers and a box",
               word, name);
        return;
    }
    LitheBodyId own[5] = {def->box, def->left, def->right,
                          lithe_plan_joint_of(scene, def->left)->parent,
                          lithe_plan_joint_of(scene, def->right)->parent};
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        bool known_body = body->fixed && (!lithe_plan_touches(body) ||
                                          shape_of(body, LITHE_GEOM_HALF_SPACE) != NULL);
        for (int k = 0; k < 5; k++)
            known_body = known_body || own[k].number == i + 1;
        if (known_body)
            continue;
        const LitheGeomDef *sphere = body->fixed ? shape_of(body, LITHE_GEOM_SPHERE) : NULL;
        if (sphere == NULL) {
            REFUSE(s, "box",
                   "body '%s' cannot be planned: plans of hands have two fingers, a box, a "
                   "half-space and fixed spheres as obstacles",
                   body->name);
            return;
        }
        take_obstacle(s, body, sphere);
        if (s->status != LITHE_OK)
            return;
    }
}

static void take_settings(LitheHand *hand, const LithePlanDef *plan) {
    LitheHandTask *task = &hand->task;
    const LithePlanHandBounds *b = &plan->hand.bounds;
    hand->stages = plan->steps;
    task->step = plan->duration / plan->steps;
    task->rounding = plan->rounding * plan->rounding;
    task->clearance = plan->clearance;
    task->cost = plan->hand.cost;
    hand->bounds.speed = b->speed;
    hand->bounds.force = b->force;
    hand->bounds.velocity = b->velocity;
    hand->bounds.angular_velocity = b->angular_velocity;
    if (plan->epsilon_count > 0) {
        hand->epsilon[0] = plan->epsilon[0];
        hand->epsilon[1] = plan->epsilon[plan->epsilon_count - 1];
    }
    if (plan->max_time > 0)
        hand->seconds = plan->max_time;
}

// The distance of a tip from the box is smooth within this length.
static void refuse_rounding(Search *s) {
    const LitheHandTask *task = &s->hand->task;
    double least = fmin(task->half[0], task->half[1]), rounding = s->scene->plan.rounding;
    for (int f = 0; f < LITHE_HAND_FINGERS; f++)
        least = fmin(least, task->finger[f].tip);
    if (rounding > 0.5 * least)
        s->status = lithe_scene_fail(s->scene, s->error, "plan.rounding",
                                     "plan.rounding is %.9g m, must be at most %.9g m, half of "
                                     "the least of the tips' radii and the box's half sides",
                                     rounding, 0.5 * least);
}

static void take_all(Search *s) {
    take_plane(s);
    if (s->status == LITHE_OK)
        take_floor(s);
    for (int f = 0; f < LITHE_HAND_FINGERS && s->status == LITHE_OK; f++)
        take_finger(s, f);
    if (s->status == LITHE_OK)
        take_box(s);
    if (s->status == LITHE_OK)
        take_target(s);
    if (s->status == LITHE_OK)
        refuse_rounding(s);
    if (s->status == LITHE_OK)
        refuse_rest(s);
    if (s->status != LITHE_OK)
        return;
    s->hand->task.gravity = v3_norm(s->scene->gravity);
    s->hand->task.tip_friction = lithe_plan_friction(s->scene, s->tip, s->box);
    s->hand->task.ground_friction = lithe_plan_friction(s->scene, s->floor, s->box);
}

LitheStatus lithe_hand_of_scene(const LitheScene *scene, LitheHand *hand, LitheHandPlace *place,
                                LitheError *error) {
    *hand = lithe_hand_turn(1);
    *place = (LitheHandPlace){0};
    if (scene->plan.hand.box.number == 0)
        return lithe_scene_fail(scene, error, "",
                                "the scene has no plan of a hand: see docs/guide/planning.md");
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheStatus status = lithe_compile(scene, &model, &state, error);
    if (status == LITHE_OK) {
        Search s = {.scene = scene, .model = model, .hand = hand, .place = place, .error = error};
        take_settings(hand, &scene->plan);
        take_all(&s);
        status = s.status;
    }
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

// --- the box in the world ------------------------------------------------------------------------

Vec3 lithe_hand_direction(const LitheHandPlace *p, const double along[2]) {
    return v3_axpy(along[0], p->x, v3_scale(along[1], p->z));
}

Vec3 lithe_hand_point(const LitheHandPlace *p, const double at[2]) {
    Vec3 start = pose_point(p->start, p->centre);
    double depth = v3_dot(v3_sub(start, p->origin), p->normal); // of the plane of the box
    return v3_axpy(depth, p->normal, v3_add(p->origin, lithe_hand_direction(p, at)));
}

void lithe_hand_box(const LitheHandPlace *p, const double *stage, double position[3],
                    double velocity[3]) {
    const double *at = stage + LITHE_HAND_BOX, *speed = stage + LITHE_HAND_BOX_SPEED;
    Quat turn = q4_axis_angle(p->normal, at[2] - p->box_angle);
    Vec3 now = lithe_hand_point(p, at);
    Quat rotation = q4_mul(turn, p->start.rotation);
    Pose world = {rotation, v3_sub(now, q4_rotate(rotation, p->centre))};
    Pose joint = pose_mul(pose_mul(pose_inverse(p->parent), world), p->child);
    position[0] = joint.at.x;
    position[1] = joint.at.y;
    position[2] = 2 * atan2(joint.rotation.z, joint.rotation.w);
    position[2] = remainder(position[2], 2 * M_PI);
    // the velocity of the joint's origin on the box, in the axes of the parent
    Vec3 spin = v3_scale(speed[2], p->normal);
    Vec3 lever = v3_sub(pose_point(world, p->child.at), now);
    Vec3 linear = v3_axpy(speed[0], p->x, v3_scale(speed[1], p->z));
    linear = v3_add(linear, v3_cross(spin, lever));
    linear = q4_rotate(q4_conj(p->parent.rotation), linear);
    velocity[0] = linear.x;
    velocity[1] = linear.y;
    velocity[2] = q4_rotate(q4_conj(p->parent.rotation), spin).z;
}

void lithe_hand_box_back(const LitheHandPlace *p, const double position[3], double pose[3]) {
    Pose joint = {q4_axis_angle(v3(0, 0, 1), position[2]), v3(position[0], position[1], 0)};
    Pose world = pose_mul(pose_mul(p->parent, joint), pose_inverse(p->child));
    flat_point(p, pose_point(world, p->centre), pose);
    Quat turn = q4_mul(world.rotation, q4_conj(p->start.rotation));
    double along = v3_dot(v3(turn.x, turn.y, turn.z), p->normal);
    pose[2] = p->box_angle + remainder(2 * atan2(along, turn.w), 2 * M_PI);
}
