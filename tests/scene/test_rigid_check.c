// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_rigid_check.c - every wrong value of bodies and joints is refused with its name

#include "scene/scene.h"

#include "base/memory.h"
#include "refused.h"

static const LitheVec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const double heights[4] = {0, 1, 2, 3}, outline_z[3] = {0, 1, 2}, outline_r[3] = {1, 2, 0};
static const double times[2] = {0, 1}, values[2] = {0, 1};
static const LitheQuat turns[2] = {{1, 0, 0, 0}, {0, 1, 0, 0}};

static int warnings;
static char last_warning[1024];

static void count_warning(LitheLogLevel level, const char *text, void *user) {
    (void)user;
    warnings += level == LITHE_LOG_WARNING;
    snprintf(last_warning, sizeof last_warning, "%s", text);
}

// A valid scene, and handles to its values: two bodies on joints, a free one, a fixed one.
typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheBodyDef *arm, *hand, *crate, *floor;
    LitheGeomDef *geom; // of the crate, one of each kind
    LitheJointDef *hinge, *slide;
    LitheActuatorDef *motor;
    LithePoseDriveDef *reach;
    LitheError error;
} World;

enum { GEOMS = LITHE_GEOM_REVOLUTION + 1 };

static void make_geoms(LitheGeomDef *g, LitheMaterialId wood) {
    for (int i = 0; i < GEOMS; i++) {
        g[i] = lithe_geom_def_default();
        g[i].kind = (LitheGeomKind)i;
        g[i].length = 0.2;
        g[i].size = (LitheVec3){1, 1, 1};
        g[i].material = wood;
    }
    g[LITHE_GEOM_CONVEX_MESH].points = g[LITHE_GEOM_TRIANGLE_MESH].points = corners;
    g[LITHE_GEOM_CONVEX_MESH].point_count = g[LITHE_GEOM_TRIANGLE_MESH].point_count = 4;
    g[LITHE_GEOM_TRIANGLE_MESH].triangles = &faces[0][0];
    g[LITHE_GEOM_TRIANGLE_MESH].triangle_count = 4;
    g[LITHE_GEOM_HEIGHTFIELD].heights = heights;
    g[LITHE_GEOM_HEIGHTFIELD].rows = g[LITHE_GEOM_HEIGHTFIELD].columns = 2;
    g[LITHE_GEOM_REVOLUTION].profile_z = outline_z;
    g[LITHE_GEOM_REVOLUTION].profile_r = outline_r;
    g[LITHE_GEOM_REVOLUTION].profile_count = 3;
}

static bool add_drives(LitheScene *s, LitheBodyId arm, LitheBodyId hand) {
    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "hinge";
    joint.child = arm;
    joint.limited = true;
    joint.lower = -1;
    joint.upper = 1;
    LitheActuatorDef motor = lithe_actuator_def_default();
    motor.name = "motor";
    motor.joint = lithe_scene_add_joint(s, &joint);
    motor.kind = LITHE_ACTUATOR_POSITION;
    motor.stiffness = 5;
    motor.target.times = times;
    motor.target.values = values;
    motor.target.count = 2;
    joint.name = "slide";
    joint.kind = LITHE_JOINT_PRISMATIC;
    joint.parent = arm;
    joint.child = hand;
    LithePoseDriveDef reach = lithe_pose_drive_def_default();
    reach.name = "reach";
    reach.body = hand;
    reach.times = times;
    reach.positions = corners;
    reach.rotations = turns;
    reach.count = 2;
    return lithe_scene_add_joint(s, &joint).number && lithe_scene_add_actuator(s, &motor) &&
           lithe_scene_add_pose_drive(s, &reach) && lithe_scene_ignore_pair(s, "arm", "hand");
}

static bool world_begin(World *w) {
    *w = (World){0};
    LitheContextDef def = lithe_context_def_default();
    def.log = count_warning;
    w->context = lithe_context_create(&def);
    LitheScene *s = w->scene = lithe_scene_create(w->context);
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "wood";
    LitheGeomDef geoms[GEOMS];
    make_geoms(geoms, lithe_scene_add_material(s, &material));
    LitheBodyDef body = lithe_body_def_default();
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.name = "arm";
    LitheBodyId arm = lithe_scene_add_body(s, &body);
    body.name = "hand";
    LitheBodyId hand = lithe_scene_add_body(s, &body);
    body = lithe_body_def_default();
    body.name = "crate";
    body.geoms = geoms;
    body.geom_count = GEOMS;
    lithe_scene_add_body(s, &body);
    body = lithe_body_def_default();
    body.name = "floor";
    body.fixed = true;
    lithe_scene_add_body(s, &body);
    if (!add_drives(s, arm, hand) || s->body_count != 4)
        return false;
    w->arm = &s->bodies[0];
    w->hand = &s->bodies[1];
    w->crate = &s->bodies[2];
    w->floor = &s->bodies[3];
    w->geom = (LitheGeomDef *)w->crate->geoms;
    w->hinge = &s->joints[0];
    w->slide = &s->joints[1];
    w->motor = s->actuators;
    w->reach = s->pose_drives;
    warnings = 0;
    if (lithe_scene_check(s, &w->error) != LITHE_OK)
        printf("  %s\n", w->error.text);
    return lithe_scene_check(s, &w->error) == LITHE_OK;
}

static void world_end(World *w) {
    lithe_scene_destroy(w->scene);
    CHECK(lithe_context_bytes(w->context) == 0);
    lithe_context_destroy(w->context);
}

TEST(nan_and_infinity_are_refused_in_every_field) {
    World w;
    FATAL(world_begin(&w));
    CHECK(warnings == 0);
    LitheGeomDef *g = w.geom;
    LitheMaterialDef *m = w.scene->materials;
    struct {
        const double *place;
        const char *part;
    } fields[] = {
        {&m->friction, "material 'wood': friction"},
        {&m->contact_stiffness, "material 'wood': contact.stiffness"},
        {&m->contact_dissipation, "material 'wood': contact.dissipation"},
        {&w.arm->at.x, "body 'arm': at"},
        {&w.arm->rotation.w, "body 'arm': rotate"},
        {&w.arm->rotation.z, "body 'arm': rotate"},
        {&w.crate->velocity.y, "body 'crate': velocity"},
        {&w.crate->spin.z, "body 'crate': spin"},
        {&w.arm->mass, "body 'arm': mass"},
        {&w.arm->centre.x, "body 'arm': centre"},
        {&w.arm->inertia[0], "body 'arm': inertia"},
        {&w.arm->inertia[5], "body 'arm': inertia"},
        {&g[1].radius, "body 'crate', shape 2: radius"},
        {&g[2].length, "body 'crate', shape 3: length"},
        {&g[3].radius, "body 'crate', shape 4: radius"},
        {&g[4].size.y, "body 'crate', shape 5: size"},
        {&g[5].size.x, "body 'crate', shape 6: size"},
        {&g[6].points[2].x, "body 'crate', shape 7: points[2]"},
        {&g[7].points[0].z, "body 'crate', shape 8: points[0]"},
        {&g[7].scale.z, "body 'crate', shape 8: scale"},
        {&g[8].heights[3], "body 'crate', shape 9: heights[1][1]"},
        {&g[9].profile_z[1], "body 'crate', shape 10: outline[1]"},
        {&g[9].profile_r[2], "body 'crate', shape 10: outline[2]"},
        {&g[0].at.x, "body 'crate', shape 1: at"},
        {&g[0].rotation.y, "body 'crate', shape 1: rotate"},
        {&w.hinge->parent_at.x, "joint 'hinge': parent-at"},
        {&w.hinge->parent_rotation.x, "joint 'hinge': parent-rotate"},
        {&w.hinge->child_at.z, "joint 'hinge': child-at"},
        {&w.hinge->child_rotation.w, "joint 'hinge': child-rotate"},
        {&w.hinge->pitch, "joint 'hinge': pitch"},
        {&w.hinge->position, "joint 'hinge': position"},
        {&w.hinge->velocity, "joint 'hinge': velocity"},
        {&w.hinge->lower, "joint 'hinge': limits"},
        {&w.hinge->upper, "joint 'hinge': limits"},
        {&w.hinge->stiffness, "joint 'hinge': stiffness"},
        {&w.hinge->rest, "joint 'hinge': rest"},
        {&w.hinge->damping, "joint 'hinge': damping"},
        {&w.hinge->friction_loss, "joint 'hinge': friction"},
        {&w.hinge->armature, "joint 'hinge': armature"},
        {&w.hinge->effort_limit, "joint 'hinge': effort"},
        {&w.hinge->velocity_limit, "joint 'hinge': speed"},
        {&w.motor->target.value, "actuator 'motor': value"},
        {&w.motor->target.times[1], "actuator 'motor': table[1]"},
        {&w.motor->target.values[0], "actuator 'motor': table[0]"},
        {&w.motor->target.rate, "actuator 'motor': rate"},
        {&w.motor->gear, "actuator 'motor': gear"},
        {&w.motor->stiffness, "actuator 'motor': stiffness"},
        {&w.motor->damping, "actuator 'motor': damping"},
        {&w.motor->effort_limit, "actuator 'motor': effort"},
        {&w.reach->at.y, "pose drive 'reach': at"},
        {&w.reach->rotation.x, "pose drive 'reach': rotate"},
        {&w.reach->times[0], "pose drive 'reach': path[0].time"},
        {&w.reach->positions[1].z, "pose drive 'reach': path[1].at"},
        {&w.reach->rotations[1].x, "pose drive 'reach': path[1].rotate"},
        {&w.reach->damping, "pose drive 'reach': damping"},
        {&w.reach->posture, "pose drive 'reach': posture"},
        {&w.reach->stiffness, "pose drive 'reach': stiffness"},
        {&w.reach->joint_damping, "pose drive 'reach': joint-damping"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        REFUSE(fields[i].place, NAN, fields[i].part);
        REFUSE(fields[i].place, INFINITY, fields[i].part);
    }
    world_end(&w);
}

TEST(sizes_and_arrays_of_shapes_have_limits) {
    World w;
    FATAL(world_begin(&w));
    LitheGeomDef *g = w.geom;
    REFUSE(&g[1].radius, 0, "radius is 0 m, must be > 0");
    REFUSE(&g[2].radius, -1, "radius is -1 m, must be > 0");
    REFUSE(&g[2].length, 0, "length is 0 m, must be > 0");
    REFUSE(&g[3].length, -2, "length is -2 m, must be > 0");
    REFUSE(&g[4].size.z, 0, "size is (1, 1, 0) m, must be > 0");
    REFUSE(&g[5].size.x, -1, "size is (-1, 1, 1) m, must be > 0");
    REFUSE(&g[8].size.y, 0, "size is (1, 0) m, must be > 0");
    REFUSE(&g[9].profile_r[0], -1, "outline[0] is (0, -1) m, must be finite with a radius >= 0");
    REFUSE(&g[9].profile_z[2], 1, "outline[2] is at z = 1 m, must be above 1 m");
    REFUSE_VALUE(g[6].point_count, 3, "the number of points is 3, must be at least 4");
    REFUSE_VALUE(g[6].points, NULL, "the number of points is 0, must be at least 4");
    REFUSE_VALUE(g[6].point_count, -1, "the number of points is -1");
    REFUSE_VALUE(g[7].point_count, 2, "the number of points is 2, must be at least 3");
    REFUSE_VALUE(g[7].triangle_count, 0, "triangles has 0 triangles");
    REFUSE_VALUE(g[7].triangles, NULL, "triangles has 0 triangles");
    REFUSE_VALUE(g[7].point_count, 3, "triangles[1] has point 3, must be from 0 to 2");
    int32_t *corner = (int32_t *)g[7].triangles;
    REFUSE_VALUE(corner[2], -1, "triangles[0] has point -1, must be from 0 to 3");
    REFUSE_VALUE(corner[2], 2, "triangles[0] is (0, 2, 2), must differ");
    REFUSE_VALUE(g[7].path, "x.stl", "path and points are both given");
    REFUSE(&g[7].scale.x, 2, "scale is (2, 1, 1), but needs path");
    REFUSE_VALUE(g[8].rows, 1, "heights has 1 rows of 2, must have at least 2 of 2");
    REFUSE_VALUE(g[8].columns, 0, "heights has 2 rows of 0");
    REFUSE_VALUE(g[8].heights, NULL, "heights has 0 rows");
    REFUSE_VALUE(g[8].rows, 2000000000, "heights has 4000000000 values, must have at most");
    REFUSE_VALUE(g[9].profile_count, 1, "the number of points of outline is 1, must be at least 2");
    REFUSE_VALUE(g[9].profile_r, NULL, "the number of points of outline is 0");
    REFUSE_VALUE(g[0].kind, (LitheGeomKind)14, "shape is 14, must be one of 14 kinds");
    REFUSE_VALUE(g[0].kind, (LitheGeomKind)-1, "shape is -1");
    REFUSE_VALUE(g[0].material.number, 2, "material is number 2 of 1");
    REFUSE_VALUE(g[0].material.number, -1, "material is number -1 of 1");
    REFUSE_VALUE(w.crate->geoms, NULL, "shapes has 10 shapes, but the list is missing");
    REFUSE_VALUE(w.crate->geom_count, -1, "shapes has -1 shapes");
    g[9].profile_count = 2;
    ((double *)g[9].profile_r)[0] = ((double *)g[9].profile_r)[1] = 0;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "outline has only radii of 0, one must be > 0");
    world_end(&w);
}

TEST(lengths_are_below_a_limit) {
    World w;
    FATAL(world_begin(&w));
    LitheGeomDef *g = w.geom;
    static const char below[] = "m, must be below 1e+100 m";
    double *lengths[] = {&g[LITHE_GEOM_SPHERE].radius,   &g[LITHE_GEOM_SPHERE].at.y,
                         &g[LITHE_GEOM_CAPSULE].length,  &g[LITHE_GEOM_CAPSULE].radius,
                         &g[LITHE_GEOM_CYLINDER].length, &g[LITHE_GEOM_BOX].size.z,
                         &g[LITHE_GEOM_ELLIPSOID].size.x};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        REFUSE(lengths[i], 1e100, below);
        REFUSE(lengths[i], 1e150, below);
    }
    REFUSE(&g[LITHE_GEOM_SPHERE].radius, 1e308, "radius is 1e+308 m, must be below 1e+100 m");
    world_end(&w);
}

TEST(inertia_is_that_of_a_real_mass) {
    World w;
    FATAL(world_begin(&w));
    REFUSE(&w.arm->mass, -1, "body 'arm': mass is -1 kg, must be >= 0");
    REFUSE(&w.arm->inertia[2], 0.21, "the largest must be <= the sum of the others, 0.2");
    REFUSE(&w.arm->inertia[0], -0.1, "principal moments (-0.1, 0.1, 0.1) kg m^2, must be > 0");
    REFUSE(&w.arm->inertia[0], 0, "principal moments (0, 0.1, 0.1) kg m^2, must be > 0");
    REFUSE(&w.arm->inertia[3], 0.2, "kg m^2, must be > 0"); // off the diagonal: not definite
    REFUSE(&w.arm->inertia[3], 0.06, "the largest must be <=");
    REFUSE(&w.arm->mass, 0, "inertia is given, but needs mass > 0");
    w.arm->inertia[2] = 0.2; // a thin disc: the largest moment is the sum of the others
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    REFUSE(&w.crate->centre.x, 1, "body 'crate': centre is given, but needs mass > 0");
    REFUSE(&w.crate->mass, 2, "mass is 2 kg, but inertia is missing");
    w.floor->mass = 3; // the mass of a body that never moves does not matter
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    world_end(&w);
}

TEST(what_moves_has_mass) {
    World w;
    FATAL(world_begin(&w));
    for (int i = 0; i < GEOMS; i++)
        w.geom[i].material.number = 0;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "body 'crate': has no mass: give mass and inertia");
    w.geom[LITHE_GEOM_HALF_SPACE].material.number = 1;
    w.geom[LITHE_GEOM_HEIGHTFIELD].material.number = 1;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    w.crate->fixed = true;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    w.crate->fixed = false;

    // welded to a body with mass, it is a frame of that body, in either order
    w.slide->kind = LITHE_JOINT_WELD;
    w.slide->limited = false;
    w.slide->child.number = 3;
    w.slide->parent.number = 2;
    w.hinge->child.number = 2;
    w.reach->body.number = 3;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    w.slide->child.number = 2;
    w.slide->parent.number = 3;
    w.hinge->child.number = 3;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    w.hand->mass = 0;
    w.hand->inertia[0] = w.hand->inertia[1] = w.hand->inertia[2] = 0;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "body 'crate': has no mass");
    world_end(&w);
}

TEST(joints_form_trees) {
    World w;
    FATAL(world_begin(&w));
    REFUSE_VALUE(w.slide->child.number, 1, "parent and child are both 'arm'");
    REFUSE_VALUE(w.slide->child.number, 0, "child is body number 0 of 4");
    REFUSE_VALUE(w.slide->child.number, 5, "child is body number 5 of 4");
    REFUSE_VALUE(w.slide->parent.number, -1, "parent is body number -1 of 4");
    REFUSE_VALUE(w.slide->parent.number, 5, "parent is body number 5 of 4");
    REFUSE_VALUE(w.hinge->child.number, 2,
                 "joint 'slide': child 'hand' already has the parent joint 'hinge'");
    REFUSE_VALUE(w.hinge->parent.number, 2,
                 "joint 'hinge': body 'arm' is its own ancestor through body 'hand'");
    REFUSE_VALUE(w.hinge->child.number, 4, "child 'floor' is fixed, but a revolute joint moves it");
    w.floor->fixed = true;
    w.slide->kind = LITHE_JOINT_WELD;
    w.slide->limited = false;
    REFUSE_VALUE(w.slide->child.number, 4,
                 "child 'floor' is fixed, but a weld joint to a body that moves moves it");
    world_end(&w);
}

TEST(rings_are_found_wherever_they_hang) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *s = lithe_scene_create(context);
    LitheError error = {0};
    LitheBodyDef body = lithe_body_def_default();
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    LitheJointDef joint = lithe_joint_def_default();
    char name[16];
    // a long chain whose end returns to its middle
    for (int i = 1; i <= 1000; i++) {
        snprintf(name, sizeof name, "b%d", i);
        body.name = joint.name = name;
        joint.child = lithe_scene_add_body(s, &body);
        joint.parent.number = i == 500 ? 1000 : i - 1;
        CHECK(lithe_scene_add_joint(s, &joint).number == i);
    }
    CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "is its own ancestor through body");
    s->joints[499].parent.number = 499;
    CHECK(lithe_scene_check(s, &error) == LITHE_OK);
    lithe_scene_destroy(s);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(joints_refuse_what_cannot_work) {
    World w;
    FATAL(world_begin(&w));
    LitheJointDef *j = w.hinge;
    REFUSE(&j->stiffness, -1, "joint 'hinge': stiffness is -1 N m/rad, must be >= 0");
    REFUSE(&w.slide->stiffness, -1, "joint 'slide': stiffness is -1 N/m, must be >= 0");
    REFUSE(&j->damping, -1, "damping is -1 N m s/rad, must be >= 0");
    REFUSE(&j->friction_loss, -1, "friction is -1 N m, must be >= 0");
    REFUSE(&j->armature, -1, "armature is -1 kg m^2, must be >= 0");
    REFUSE(&j->effort_limit, -1, "effort is -1 N m, must be >= 0");
    REFUSE(&j->velocity_limit, -1, "speed is -1 rad/s, must be >= 0");
    REFUSE(&j->lower, 2, "limits are [2, 1] rad, must be in order");
    REFUSE(&j->pitch, 1, "pitch is 1, but kind revolute takes none");
    REFUSE(&w.arm->velocity.x, 1, "child 'arm' has a velocity or spin");
    REFUSE_VALUE(j->kind, (LitheJointKind)8, "kind is 8, must be one of 8 kinds");
    REFUSE_VALUE(j->kind, LITHE_JOINT_SCREW, "pitch is 0, must not be 0 for kind screw");
    REFUSE_VALUE(j->kind, LITHE_JOINT_PLANAR, "limits are given, but kind planar takes none");
    REFUSE_VALUE(j->kind, LITHE_JOINT_BALL, "limits are [-1, 1] rad, for kind ball they must be 0");
    j->limited = false;
    j->kind = LITHE_JOINT_WELD;
    w.motor->joint.number = 2;
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    REFUSE(&j->position, 1, "position is 1, but kind weld takes none");
    REFUSE(&j->damping, 1, "damping is 1, but kind weld takes none");
    REFUSE(&j->armature, 1, "armature is 1, but kind weld takes none");
    j->kind = LITHE_JOINT_FREE;
    REFUSE(&j->stiffness, 1, "stiffness is 1, but kind free takes none");
    REFUSE(&w.floor->velocity.x, 1, "velocity is given, but the body is fixed");
    REFUSE(&w.floor->spin.x, 1, "spin is given, but the body is fixed");
    world_end(&w);
}

TEST(a_start_outside_of_the_limits_is_a_warning) {
    World w;
    FATAL(world_begin(&w));
    w.hinge->position = 1.5;
    CHECK(lithe_scene_check(w.scene, NULL) == LITHE_OK);
    CHECK(warnings == 1);
    CHECK_TEXT(last_warning,
               "joint 'hinge': position is 1.5 rad, outside of its limits [-1, 1] rad");
    world_end(&w);
}

TEST(actuators_refuse_what_cannot_work) {
    World w;
    FATAL(world_begin(&w));
    LitheActuatorDef *a = w.motor;
    REFUSE(&a->gear, 0, "actuator 'motor': gear is 0, must not be 0");
    REFUSE(&a->stiffness, -1, "stiffness is -1 N m/rad, must be >= 0");
    REFUSE(&a->damping, -1, "damping is -1 N m s/rad, must be >= 0");
    REFUSE(&a->effort_limit, -1, "effort is -1 N m, must be >= 0");
    REFUSE(&a->stiffness, 0, "stiffness is 0, must be > 0 for kind position");
    REFUSE(&a->target.times[1], 0, "target: table[1] is at 0 s, must be after 0 s");
    REFUSE_VALUE(a->kind, LITHE_ACTUATOR_VELOCITY, "damping is 0, must be > 0 for kind velocity");
    REFUSE_VALUE(a->kind, LITHE_ACTUATOR_FORCE, "stiffness is 5, but kind force takes none");
    REFUSE_VALUE(a->kind, (LitheActuatorKind)4, "kind is 4, must be one of 4 kinds");
    REFUSE_VALUE(a->joint.number, 0, "joint is number 0 of 2");
    REFUSE_VALUE(a->joint.number, 3, "joint is number 3 of 2");
    a->stiffness = 0;
    a->kind = LITHE_ACTUATOR_PRESCRIBED;
    REFUSE(&a->damping, 1, "damping is 1, but kind prescribed takes none");
    REFUSE(&a->effort_limit, 1, "effort is 1, but kind prescribed follows exactly");
    w.hinge->limited = false;
    REFUSE_VALUE(w.hinge->kind, LITHE_JOINT_BALL,
                 "joint 'hinge' is of kind ball, must have one degree of freedom");
    LitheActuatorDef twin = *a;
    twin.name = "twin";
    FATAL(lithe_scene_add_actuator(w.scene, &twin));
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text,
               "actuator 'twin': joint 'hinge' is already prescribed by actuator 'motor'");
    world_end(&w);
}

TEST(pose_drives_refuse_what_cannot_work) {
    World w;
    FATAL(world_begin(&w));
    LithePoseDriveDef *d = w.reach;
    REFUSE_VALUE(d->body.number, 0, "pose drive 'reach': body is number 0 of 4");
    REFUSE_VALUE(d->body.number, 4, "body 'floor' has no joint with one degree of freedom");
    REFUSE_VALUE(d->count, 0, "path has 0 poses, must have at least 1");
    REFUSE_VALUE(d->rotations, NULL, "path has 2 poses");
    REFUSE(&d->times[1], 0, "path[1].time is 0 s, must be after 0 s");
    REFUSE(&d->damping, -1, "damping is -1, must be >= 0");
    REFUSE(&d->posture, -1, "posture is -1, must be >= 0");
    REFUSE(&d->stiffness, -1, "stiffness is -1 N m/rad, must be >= 0");
    REFUSE(&d->joint_damping, 1, "joint-damping is 1, but needs stiffness > 0");
    world_end(&w);
}

TEST(names_differ_where_places_need_it) {
    World w;
    FATAL(world_begin(&w));
    REFUSE_VALUE(w.arm->name, NULL, "body 1: has no name");
    REFUSE_VALUE(w.arm->name, "world", "body 'world': the name is reserved for the world");
    REFUSE_VALUE(w.arm->name, "a b", "body 'a b': a name has letters");
    REFUSE_VALUE(w.arm->name, "hand", "body 'hand': the name is already taken by body 1");
    REFUSE_VALUE(w.hinge->name, "slide", "joint 'slide': the name is already taken by joint 1");
    REFUSE_VALUE(w.scene->ignored_pairs[0].a, "motor",
                 "pair 1: 'motor' is not the name of a rod, particles, solid or body");
    REFUSE_VALUE(w.scene->ignored_pairs[0].a, NULL,
                 "pair 1: '' is not the name of a rod, particles, solid or body");
    REFUSE_VALUE(w.scene->ignored_pairs[0].b, "arm", "pair 1: 'arm' is named twice");
    // a joint may have the name of a body, as in many robots
    const char *old = w.hinge->name;
    w.hinge->name = "hand";
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_OK);
    w.hinge->name = old;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "crate";
    rod.material.number = 1;
    FATAL(lithe_scene_add_rod(w.scene, &rod).number == 1);
    CHECK(lithe_scene_check(w.scene, &w.error) == LITHE_BAD_INPUT);
    CHECK_TEXT(w.error.text, "body 'crate': the name is already taken by rod 1");
    world_end(&w);
}

TEST(check_reports_lack_of_memory) {
    World w;
    FATAL(world_begin(&w));
    int n = 1;
    for (; n < 20; n++) {
        lithe_context_fail_at(w.context, n);
        LitheStatus status = lithe_scene_check(w.scene, &w.error);
        lithe_context_fail_at(w.context, 0);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY);
    }
    CHECK(n == 6);
    world_end(&w);
}
