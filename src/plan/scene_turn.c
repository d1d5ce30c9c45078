// SPDX-License-Identifier: Apache-2.0
// plan/scene_turn.c - from the plan of a scene to a turn: finds arm and ball, refuses the rest

#include "plan/scene_turn.h"

#include "plan/scene_find.h"

#include <math.h>

typedef struct Search {
    const LitheScene *scene;
    LitheTurn *turn;
    LitheTurnPlace *place;
    LitheError *error;
    LitheStatus status;
    const LitheGeomDef *shapes[LITHE_PLAN_OBSTACLES]; // of the obstacles
} Search;

#define REFUSE(s, key, ...) \
    ((s)->status = \
         lithe_scene_fail((s)->scene, (s)->error, "plan." key, "plan." key ": " __VA_ARGS__))

// the joint frame in the world; false where the parent can move
static bool frame_of(const LitheScene *scene, const LitheJointDef *joint, Pose *frame) {
    *frame = (Pose){q4_unit(joint->parent_rotation), joint->parent_at};
    if (joint->parent.number == 0)
        return true;
    const LitheBodyDef *parent = &scene->bodies[joint->parent.number - 1];
    *frame = pose_mul((Pose){q4_unit(parent->rotation), parent->at}, *frame);
    return parent->fixed;
}

// --- the arm -------------------------------------------------------------------------------------

// the section whose chambers move this body
static const LitheJointDef *section_of(const LitheScene *scene, LitheBodyId body) {
    const LitheJointDef *joint = lithe_plan_joint_of(scene, body);
    if (joint == NULL || joint->kind != LITHE_JOINT_SECTION)
        return NULL;
    return joint->shares.number > 0 ? &scene->joints[joint->shares.number - 1] : joint;
}

static const LitheJointDef *next_section(const LitheScene *scene, const LitheJointDef *before) {
    for (int32_t i = 0; i < scene->joint_count; i++) {
        const LitheJointDef *joint = &scene->joints[i];
        if (joint->kind == LITHE_JOINT_SECTION && joint->shares.number == 0 &&
            joint->parent.number == before->child.number)
            return joint;
    }
    return NULL;
}

static void take_section(Search *s, int32_t index, const LitheJointDef *joint,
                         const LitheJointDef *first) {
    LitheTurn *turn = s->turn;
    if (joint->stiffness != first->stiffness || joint->damping != first->damping ||
        joint->radius != first->radius)
        REFUSE(s, "disk",
               "section '%s' differs from '%s' in stiffness, damping or radius of chambers, which "
               "plans do not support",
               joint->name, first->name);
    if (joint->friction_loss > 0 || joint->armature > 0 || joint->rest != 0)
        REFUSE(s, "disk",
               "section '%s' has friction-loss, armature or rest, which plans do not "
               "support",
               joint->name);
    turn->model.length[index] = joint->length;
    turn->model.mass[index] = joint->line_mass;
    v3_store(joint->chambers, turn->lengths + 3 * (ptrdiff_t)index);
    if (joint->limited) {
        turn->bounds.shortest = fmax(turn->bounds.shortest, joint->lower);
        turn->bounds.longest = fmin(turn->bounds.longest, joint->upper);
    }
    s->place->sections[index] = lithe_plan_joint_id(s->scene, joint);
    for (int32_t i = 0; i < s->scene->actuator_count; i++) {
        const LitheActuatorDef *drive = &s->scene->actuators[i];
        if (drive->joint.number != s->place->sections[index].number)
            continue;
        if (drive->kind != LITHE_ACTUATOR_FORCE || drive->gear != 1) {
            REFUSE(s, "disk", "actuator '%s' is no force of gear 1, which plans need", drive->name);
            return;
        }
        s->place->drives[3 * index + drive->chamber - 1] = i + 1;
        if (drive->effort_limit > 0)
            turn->bounds.effort = fmin(turn->bounds.effort, drive->effort_limit);
    }
}

// disk `index` of the plan
static LitheBodyId disk_of(const LitheScene *scene, int32_t index) {
    return index == 0 ? scene->plan.disk : scene->plan.more_disks[index - 1];
}

// the place of a section in the arm; LITHE_PLAN_SECTIONS: it is in another one
static int32_t section_index(const Search *s, const LitheJointDef *section) {
    int32_t index = 0;
    while (section != NULL && index < LITHE_PLAN_SECTIONS &&
           s->place->sections[index].number != lithe_plan_joint_id(s->scene, section).number)
        index++;
    return section != NULL ? index : LITHE_PLAN_SECTIONS;
}

static void take_disk(Search *s, int32_t index) {
    LitheBodyId body = disk_of(s->scene, index);
    const LitheBodyDef *disk = &s->scene->bodies[body.number - 1];
    int32_t touching, section = section_index(s, section_of(s->scene, body));
    if (section == LITHE_PLAN_SECTIONS) {
        REFUSE(s, "disk", "body '%s' is no disk of the arm of '%s': plans have one arm", disk->name,
               lithe_plan_body_name(s->scene, s->scene->plan.disk));
        return;
    }
    const LitheGeomDef *geom = lithe_plan_shape(disk, &touching);
    if (touching != 1 || geom->kind != LITHE_GEOM_CYLINDER) {
        REFUSE(s, "disk", "body '%s' must have one shape that touches, a cylinder", disk->name);
        return;
    }
    s->turn->model.contact[index] =
        (LitheTouchDisk){.name = disk->name,
                         .section = section,
                         .place = lithe_plan_joint_of(s->scene, body)->along,
                         .radius = geom->radius,
                         .half = 0.5 * geom->length,
                         .rim = geom->rounding};
    s->turn->model.contact_count = index + 1;
}

static void take_arm(Search *s) {
    const LitheScene *scene = s->scene;
    LitheBodyId disk = scene->plan.disk;
    const LitheJointDef *own = section_of(scene, disk), *root = own;
    if (own == NULL) {
        REFUSE(s, "disk",
               "body '%s' is no disk of an arm: plans have arms of sections with chambers",
               lithe_plan_body_name(scene, disk));
        return;
    }
    for (const LitheJointDef *below = own; below != NULL && below->kind == LITHE_JOINT_SECTION;
         below = lithe_plan_joint_of(scene, below->parent))
        root = below;
    if (!frame_of(scene, root, &s->place->base)) {
        REFUSE(s, "disk", "the arm stands on body '%s', which can move: plans need a fixed base",
               lithe_plan_body_name(scene, root->parent));
        return;
    }
    s->place->stand = root->parent.number;
    int32_t count = 0;
    for (const LitheJointDef *at = root; at != NULL; at = next_section(scene, at), count++) {
        if (count < LITHE_PLAN_SECTIONS && s->status == LITHE_OK)
            take_section(s, count, at, root);
    }
    if (count != LITHE_PLAN_SECTIONS && s->status == LITHE_OK)
        REFUSE(s, "disk", "the arm has %d sections, plans support %d", count, LITHE_PLAN_SECTIONS);
    if (s->status != LITHE_OK)
        return;
    s->turn->model.chamber_radius = root->radius;
    s->turn->model.stiffness = root->stiffness;
    s->turn->model.damping = root->damping;
    take_disk(s, 0);
    for (int32_t i = 1; i <= LITHE_PLAN_MORE_DISKS && s->status == LITHE_OK; i++)
        if (disk_of(scene, i).number > 0)
            take_disk(s, i);
}

// --- the ball ------------------------------------------------------------------------------------

// the one shape of the ball that touches
static const LitheGeomDef *sphere_of(const LitheBodyDef *ball) {
    int32_t touching;
    const LitheGeomDef *geom = lithe_plan_shape(ball, &touching);
    bool sphere = touching == 1 && geom->kind == LITHE_GEOM_SPHERE && !(v3_norm(geom->at) > 0);
    return sphere ? geom : NULL;
}

static double inertia_of(Search *s, const LitheBodyDef *ball, const LitheGeomDef *sphere) {
    if (ball->mass > 0) {
        const double *i = ball->inertia;
        if (i[0] != i[1] || i[0] != i[2] || i[3] != 0 || i[4] != 0 || i[5] != 0)
            REFUSE(s, "ball", "body '%s' must have the same inertia about all axes", ball->name);
        return i[0];
    }
    double density = sphere->material.number > 0 && !sphere->weightless
                         ? s->scene->materials[sphere->material.number - 1].density
                         : 0;
    double r = sphere->radius;
    return 8 * M_PI / 15 * density * pow(r, 5);
}

static double friction_of(Search *s, LitheMaterialId a, LitheMaterialId b) {
    const LitheScene *scene = s->scene;
    if (a.number == 0 || b.number == 0) {
        REFUSE(s, "ball", "disk and ball need materials: they have no friction and do not touch");
        return 0;
    }
    return lithe_plan_friction(scene, a, b);
}

static void take_ball(Search *s) {
    const LitheScene *scene = s->scene;
    const LitheBodyDef *ball = &scene->bodies[scene->plan.ball.number - 1];
    const LitheJointDef *joint = lithe_plan_joint_of(scene, scene->plan.ball);
    const LitheGeomDef *sphere = sphere_of(ball);
    Pose frame;
    if (joint == NULL || joint->kind != LITHE_JOINT_BALL || !frame_of(scene, joint, &frame)) {
        REFUSE(s, "ball",
               "body '%s' must be on a ball joint to something fixed: plans turn it about its "
               "centre",
               ball->name);
        return;
    }
    if (sphere == NULL || v3_norm(joint->child_at) > 0 || v3_norm(ball->centre) > 0) {
        REFUSE(s, "ball",
               "body '%s' must have one shape that touches, a sphere, with its centre at the joint "
               "and at the centre of mass",
               ball->name);
        return;
    }
    if (joint->limited || joint->stiffness > 0 || joint->friction_loss > 0)
        REFUSE(s, "ball",
               "joint '%s' has limits, stiffness or friction-loss, which plans do not support",
               joint->name);
    LitheBallTask *model = &s->turn->model;
    model->ball_radius = sphere->radius;
    model->ball_inertia = inertia_of(s, ball, sphere) + joint->armature;
    model->ball_damping = joint->damping;
    for (int32_t i = 0; i < model->contact_count && s->status == LITHE_OK; i++) {
        int32_t shapes; // one: take_disk refuses others
        const LitheBodyDef *disk = &scene->bodies[disk_of(scene, i).number - 1];
        const LitheGeomDef *geom = lithe_plan_shape(disk, &shapes);
        model->contact[i].friction = friction_of(s, geom->material, sphere->material);
    }
    if (s->status == LITHE_OK && !(model->ball_inertia > 0))
        REFUSE(s, "ball", "body '%s' has no inertia", ball->name);
    v3_store(pose_point(pose_inverse(s->place->base), frame.at), model->centre);
    s->place->ball = lithe_plan_joint_id(scene, joint);
    s->place->ball_body = scene->plan.ball;
    s->place->parent = frame.rotation;
    s->place->child = q4_unit(joint->child_rotation);
    s->place->start = q4_mul(s->place->parent, q4_conj(s->place->child));
}

// --- what is not in a plan -----------------------------------------------------------------------

static bool in_arm(const Search *s, int32_t body) {
    const LitheJointDef *section = section_of(s->scene, (LitheBodyId){body});
    for (int i = 0; i < LITHE_PLAN_SECTIONS && section != NULL; i++)
        if (lithe_plan_joint_id(s->scene, section).number == s->place->sections[i].number)
            return true;
    return false;
}

// the obstacles that a disk can touch, by their numbers
static uint32_t avoided(const Search *s, const LitheGeomDef *disk, const char *name) {
    uint32_t all = 0;
    for (int32_t i = 0; i < s->turn->model.obstacle_count; i++)
        if (lithe_plan_meet(s->scene, disk, name, s->shapes[i], s->turn->model.obstacles[i].name))
            all |= 1u << i;
    return all;
}

static void take_disks(Search *s) {
    const LitheScene *scene = s->scene;
    LitheBallTask *model = &s->turn->model;
    int32_t shapes;
    const LitheBodyDef *ball = &scene->bodies[scene->plan.ball.number - 1];
    const LitheGeomDef *sphere = lithe_plan_shape(ball, &shapes);
    for (int32_t i = 0; i < scene->body_count && s->status == LITHE_OK; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        if (!in_arm(s, i + 1) || !lithe_plan_touches(body))
            continue;
        const LitheGeomDef *geom = lithe_plan_shape(body, &shapes);
        if (shapes != 1 || geom->kind != LITHE_GEOM_CYLINDER || v3_norm(geom->at) > 0) {
            if (model->obstacle_count == 0)
                continue;
            REFUSE(s, "disk",
                   "disk '%s' must be one cylinder about its centre: the scene has "
                   "obstacles, which it must not enter",
                   body->name);
            return;
        }
        if (model->disk_count == LITHE_PLAN_DISKS) {
            if (model->obstacle_count == 0)
                return;
            REFUSE(s, "disk", "the arm has more than %d disks, too many for obstacles",
                   LITHE_PLAN_DISKS);
            return;
        }
        const LitheJointDef *joint = lithe_plan_joint_of(scene, (LitheBodyId){i + 1}),
                            *own = section_of(scene, (LitheBodyId){i + 1});
        int32_t section = section_index(s, own);
        model->disks[model->disk_count++] = (LitheArmDisk){
            .name = body->name,
            .section = section,
            .place = joint->along,
            .radius = geom->radius,
            .half = 0.5 * geom->length,
            .avoids = avoided(s, geom, body->name),
            .meets_ball = lithe_plan_meet(s->scene, geom, body->name, sphere, ball->name)};
    }
}

static bool obstacle_kind(LitheGeomKind kind, LitheObstacleKind *to) {
    static const struct {
        LitheGeomKind geom;
        LitheObstacleKind kind;
    } known[] = {{LITHE_GEOM_SPHERE, LITHE_OBSTACLE_SPHERE},
                 {LITHE_GEOM_HALF_SPACE, LITHE_OBSTACLE_HALF_SPACE},
                 {LITHE_GEOM_CAPSULE, LITHE_OBSTACLE_CAPSULE},
                 {LITHE_GEOM_CYLINDER, LITHE_OBSTACLE_CYLINDER},
                 {LITHE_GEOM_BOX, LITHE_OBSTACLE_BOX}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].geom == kind) {
            *to = known[i].kind;
            return true;
        }
    return false;
}

static void take_obstacle(Search *s, const LitheBodyDef *body, const LitheGeomDef *geom) {
    LitheBallTask *model = &s->turn->model;
    LitheObstacle shape = {.name = body->name, .radius = geom->radius};
    if (!obstacle_kind(geom->kind, &shape.kind)) {
        REFUSE(s, "disk",
               "body '%s' cannot be an obstacle: obstacles are spheres, half-spaces, capsules, "
               "cylinders and boxes",
               body->name);
        return;
    }
    if (model->obstacle_count == LITHE_PLAN_OBSTACLES - 1) {
        REFUSE(s, "disk", "body '%s': plans have at most %d shapes as obstacles", body->name,
               LITHE_PLAN_OBSTACLES - 1);
        return;
    }
    Pose pose = pose_mul((Pose){q4_unit(body->rotation), body->at},
                         (Pose){q4_unit(geom->rotation), geom->at});
    pose = pose_mul(pose_inverse(s->place->base), pose);
    v3_store(pose.at, shape.at);
    const Vec3 units[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    for (int i = 0; i < 3; i++)
        v3_store(q4_rotate(pose.rotation, units[i]), shape.axes[i]);
    if (geom->kind == LITHE_GEOM_BOX)
        v3_store(v3_scale(0.5, geom->size), shape.half);
    else
        shape.half[2] = 0.5 * geom->length;
    s->shapes[model->obstacle_count] = geom;
    model->obstacles[model->obstacle_count++] = shape;
    double distance = lithe_obstacle_distance(&shape, model->centre);
    if (distance < model->ball_radius)
        REFUSE(s, "ball", "the ball overlaps the obstacle '%s' by %.4g m", body->name,
               model->ball_radius - distance);
}

// whether a shape can touch a disk of the arm; those of other shapes are refused later
static bool meets_arm(const Search *s, const LitheGeomDef *geom, const char *name) {
    for (int32_t i = 0; i < s->scene->body_count; i++) {
        const LitheBodyDef *body = &s->scene->bodies[i];
        for (int32_t k = 0; k < body->geom_count && in_arm(s, i + 1); k++)
            if (!body->geoms[k].visual &&
                lithe_plan_meet(s->scene, &body->geoms[k], body->name, geom, name))
                return true;
    }
    return false;
}

// Fixed bodies are obstacles where they can touch a disk.
static void take_obstacles(Search *s, const LitheBodyDef *body) {
    for (int32_t i = 0; i < body->geom_count && s->status == LITHE_OK; i++)
        if (!body->geoms[i].visual && meets_arm(s, &body->geoms[i], body->name))
            take_obstacle(s, body, &body->geoms[i]);
}

static void refuse_rest(Search *s) {
    const LitheScene *scene = s->scene;
    const char *word, *name;
    if (lithe_plan_find_other(scene, &word, &name)) {
        REFUSE(s, "disk", "%s '%s' cannot be planned: plans have one arm and one ball", word, name);
        return;
    }
    for (int32_t i = 0; i < scene->body_count; i++) {
        const LitheBodyDef *body = &scene->bodies[i];
        if (in_arm(s, i + 1)) {
            if (body->mass > 0) {
                REFUSE(s, "disk", "disk '%s' has a mass of %g kg, which plans do not support",
                       body->name, body->mass);
                return;
            }
        } else if (i + 1 != scene->plan.ball.number && !body->fixed) {
            REFUSE(s, "disk",
                   "body '%s' cannot be planned: plans have the contacts of one arm with one ball",
                   body->name);
            return;
        } else if (i + 1 != scene->plan.ball.number && lithe_plan_touches(body)) {
            if (i + 1 == s->place->stand) {
                REFUSE(s, "disk",
                       "body '%s', on which the arm stands, cannot be an obstacle: its shapes must "
                       "be visual",
                       body->name);
                return;
            }
            take_obstacles(s, body);
        }
    }
}

// The roots of the gap are smooth within this length: beyond half of a radius it is too large by
// more than half a percent of the radius (PL15).
static void refuse_rounding(Search *s) {
    const LitheBallTask *model = &s->turn->model;
    double least = model->ball_radius, rounding = s->scene->plan.rounding;
    for (int32_t i = 0; i < model->contact_count; i++)
        least = fmin(least, model->contact[i].radius);
    if (rounding > 0.5 * least)
        s->status = lithe_scene_fail(s->scene, s->error, "plan.rounding",
                                     "plan.rounding is %.9g m, must be at most %.9g m, half of the "
                                     "least radius of disk and ball",
                                     rounding, 0.5 * least);
}

static void take_settings(LitheTurn *turn, const LithePlanDef *plan) {
    LitheBallTask *model = &turn->model;
    turn->stages = plan->steps;
    model->step = plan->duration / plan->steps;
    model->directions = plan->directions;
    model->smoothing = plan->rounding * plan->rounding;
    model->coriolis = plan->coriolis;
    model->clearance = plan->clearance;
    model->exact = plan->end == LITHE_PLAN_END_EXACT;
    model->cost = plan->cost;
    turn->bounds = plan->bounds;
    turn->full_effort = plan->effort == LITHE_PLAN_EFFORT_FULL;
    turn->press = plan->press;
    turn->kinematic = plan->warm_start ? 1e-2 : 0;
    for (int32_t i = 0; i < plan->epsilon_count; i++) {
        turn->epsilon[i] = plan->epsilon[i];
        turn->levels = plan->epsilon_count;
    }
    if (plan->max_time > 0)
        turn->seconds = plan->max_time;
    v3_store(plan->touch, turn->touch);
}

LitheStatus lithe_turn_of_scene(const LitheScene *scene, LitheTurn *turn, LitheTurnPlace *place,
                                LitheError *error) {
    *turn = lithe_turn_about(0, 1);
    *place = (LitheTurnPlace){0};
    Search s = {.scene = scene, .turn = turn, .place = place, .error = error};
    const LithePlanDef *plan = &scene->plan;
    if (plan->hand.box.number > 0)
        return lithe_scene_fail(scene, error, "plan.hand",
                                "plan.hand: a plan of a hand is made by the command `lithe plan` "
                                "or by lithe.plan_hand");
    if (plan->disk.number == 0)
        return lithe_scene_fail(scene, error, "",
                                "the scene has no plan: see docs/guide/planning.md");
    double guess[LITHE_PLAN_CHAMBERS];
    for (int i = 0; i < LITHE_PLAN_CHAMBERS; i++)
        guess[i] = turn->lengths[i];
    take_settings(turn, plan);
    take_arm(&s);
    if (s.status == LITHE_OK)
        take_ball(&s);
    if (s.status == LITHE_OK)
        refuse_rounding(&s);
    if (s.status == LITHE_OK)
        refuse_rest(&s);
    if (s.status == LITHE_OK)
        take_disks(&s);
    if (s.status != LITHE_OK)
        return s.status;
    for (int i = 0; i < LITHE_PLAN_CHAMBERS && v3_norm(plan->touch) > 0; i++)
        turn->lengths[i] = guess[i];
    Quat back = q4_conj(place->base.rotation);
    v3_store(q4_rotate(back, scene->gravity), turn->model.gravity);
    Quat target = q4_mul(q4_mul(back, plan->target), place->base.rotation);
    turn->target[0] = target.w;
    turn->target[1] = target.x;
    turn->target[2] = target.y;
    turn->target[3] = target.z;
    return LITHE_OK;
}

// --- the ball in the world -----------------------------------------------------------------------

void lithe_turn_ball(const LitheTurnPlace *place, const double *stage, double position[4],
                     double velocity[3]) {
    const double *q = stage + LITHE_AT_QUATERNION;
    Quat base = place->base.rotation;
    Quat turned = q4_mul(q4_mul(base, q4_unit((Quat){q[0], q[1], q[2], q[3]})), q4_conj(base));
    Quat world = q4_mul(turned, place->start);
    Quat joint = q4_mul(q4_mul(q4_conj(place->parent), world), place->child);
    position[0] = joint.w;
    position[1] = joint.x;
    position[2] = joint.y;
    position[3] = joint.z;
    Vec3 spin = q4_rotate(base, v3_load(stage + LITHE_AT_SPIN));
    v3_store(q4_rotate(q4_conj(q4_mul(world, place->child)), spin), velocity);
}

void lithe_turn_ball_back(const LitheTurnPlace *place, const double *position,
                          const double *velocity, double q[4], double spin[3]) {
    Quat base = place->base.rotation;
    Quat joint = {position[0], position[1], position[2], position[3]};
    Quat world = q4_mul(q4_mul(place->parent, joint), q4_conj(place->child));
    Quat turned = q4_mul(world, q4_conj(place->start));
    Quat own = q4_mul(q4_mul(q4_conj(base), turned), base);
    q[0] = own.w;
    q[1] = own.x;
    q[2] = own.y;
    q[3] = own.z;
    Vec3 spun = q4_rotate(q4_mul(world, place->child), v3_load(velocity));
    v3_store(q4_rotate(q4_conj(base), spun), spin);
}
