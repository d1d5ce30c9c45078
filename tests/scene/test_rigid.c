// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_rigid.c - a scene has its own copies of bodies, joints, actuators and pose
// drives

#include "scene/scene.h"

#include "base/memory.h"
#include "refused.h"

static const LitheVec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const double heights[6] = {0, 1, 2, 3, 4, 5};
static const double profile_z[3] = {0, 1, 2}, profile_r[3] = {1, 0.5, 0};
static const double times[2] = {0, 1}, values[2] = {3, 4};
static const LitheQuat turns[2] = {{1, 0, 0, 0}, {0, 1, 0, 0}};

// One of everything, with every pointer used. False when out of memory.
static bool fill(LitheScene *scene) {
    LitheGeomDef geoms[4];
    for (int i = 0; i < 4; i++)
        geoms[i] = lithe_geom_def_default();
    geoms[0].kind = LITHE_GEOM_TRIANGLE_MESH;
    geoms[0].points = corners;
    geoms[0].point_count = 4;
    geoms[0].triangles = &faces[0][0];
    geoms[0].triangle_count = 4;
    geoms[1].kind = LITHE_GEOM_CONVEX_MESH;
    geoms[1].path = "hand.stl";
    geoms[2].kind = LITHE_GEOM_HEIGHTFIELD;
    geoms[2].heights = heights;
    geoms[2].rows = 2;
    geoms[2].columns = 3;
    geoms[3].kind = LITHE_GEOM_REVOLUTION;
    geoms[3].profile_z = profile_z;
    geoms[3].profile_r = profile_r;
    geoms[3].profile_count = 3;
    LitheBodyDef body = lithe_body_def_default();
    body.name = "hand";
    body.mass = 2;
    body.geoms = geoms;
    body.geom_count = 4;
    LitheBodyId hand = lithe_scene_add_body(scene, &body);

    LitheJointDef joint = lithe_joint_def_default();
    joint.name = "wrist";
    joint.child = hand;
    LitheJointId wrist = lithe_scene_add_joint(scene, &joint);

    LitheActuatorDef motor = lithe_actuator_def_default();
    motor.name = "motor";
    motor.joint = wrist;
    motor.target.times = times;
    motor.target.values = values;
    motor.target.count = 2;
    LithePoseDriveDef path = lithe_pose_drive_def_default();
    path.name = "path";
    path.body = hand;
    path.times = times;
    path.positions = corners;
    path.rotations = turns;
    path.count = 2;
    return hand.number && wrist.number && lithe_scene_add_actuator(scene, &motor) &&
           lithe_scene_add_pose_drive(scene, &path) &&
           lithe_scene_ignore_pair(scene, "hand", "rope") &&
           lithe_scene_add_note(scene, "%s:%d: <%s> is left out", "arm.urdf", 12, "gazebo");
}

TEST(what_is_added_is_copied_with_all_it_points_to) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene && fill(scene));
    const LitheGeomDef *g = scene->bodies[0].geoms;
    CHECK(g[0].points != corners && g[0].points[3].z == 1);
    CHECK(g[0].triangles != &faces[0][0] && g[0].triangles[11] == 3);
    CHECK_TEXT(g[1].path, "hand.stl");
    CHECK(g[2].heights != heights && g[2].heights[5] == 5);
    CHECK(g[3].profile_z[2] == 2 && g[3].profile_r[1] == 0.5 && g[3].profile_r != profile_r);
    CHECK_TEXT(scene->bodies[0].name, "hand");
    CHECK_TEXT(scene->joints[0].name, "wrist");
    CHECK(scene->actuators[0].target.values != values && scene->actuators[0].target.values[1] == 4);
    const LithePoseDriveDef *path = &scene->pose_drives[0];
    CHECK(path->times != times && path->times[1] == 1);
    CHECK(path->positions != corners && path->positions[1].x == 1);
    CHECK(path->rotations != turns && path->rotations[1].x == 1);
    CHECK_TEXT(scene->ignored_pairs[0].a, "hand");
    CHECK_TEXT(scene->ignored_pairs[0].b, "rope");
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(notes_are_kept_in_order_and_tamed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene != NULL);
    CHECK(lithe_scene_note_count(scene) == 0);
    CHECK(lithe_scene_note(scene, 0) == NULL);
    for (int i = 0; i < 20; i++)
        CHECK(lithe_scene_add_note(scene, "note %d\x1b[2J", i));
    CHECK(lithe_scene_note_count(scene) == 20);
    CHECK_TEXT(lithe_scene_note(scene, 7), "note 7");
    CHECK(strchr(lithe_scene_note(scene, 7), '\x1b') == NULL);
    CHECK(lithe_scene_note(scene, -1) == NULL && lithe_scene_note(scene, 20) == NULL);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_is_reported_and_leaves_nothing_behind) {
    int n = first_spare_allocation(fill);
    CHECK(n > 20 && n < 1000);
}

TEST(wrong_counts_copy_nothing_and_stay_for_the_check) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene != NULL);
    LitheGeomDef geom = lithe_geom_def_default();
    geom.points = corners;
    geom.point_count = -5;
    geom.heights = heights;
    geom.rows = INT32_MIN;
    geom.columns = INT32_MIN;
    LitheBodyDef body = lithe_body_def_default();
    body.geoms = &geom;
    body.geom_count = 1;
    CHECK(lithe_scene_add_body(scene, &body).number == 1);
    CHECK(scene->bodies[0].geoms[0].point_count == -5);
    body.geom_count = -3;
    CHECK(lithe_scene_add_body(scene, &body).number == 2);
    CHECK(scene->bodies[1].geom_count == -3);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
