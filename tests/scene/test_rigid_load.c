// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_rigid_load.c - bodies, joints, actuators and pose drives in scene files

#include "scene/scene.h"

#include "base/memory.h"
#include "math/quat.h"
#include "test.h"

#define SCENES LITHE_SOURCE_DIR "/tests/scene/scenes/"
#define HEAD "lithe: 1\nmaterials: {wood: {young: 1 GPa, density: 700 kg/m^3}}\n"
#define BODY "shape: {sphere: {radius: 1 cm}}, material: wood"

static LitheContext *context;
static LitheError error;

static LitheStatus parse(const char *text, const char *override, LitheScene **scene) {
    memset(&error, 0, sizeof error);
    *scene = NULL;
    return lithe_scene_parse(context, text, strlen(text), "a.yaml", NULL, &override,
                             override ? 1 : 0, scene, &error);
}

static void refuse(int line, const char *text, const char *override, const char *part) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    LitheStatus status = parse(text, override, &scene);
    if (status != LITHE_BAD_INPUT || !strstr(error.text, part) || scene) {
        test_list.failures++;
        printf("  line %d: status %d, got \"%s\", expected \"%s\"\n", line, status, error.text,
               part);
    }
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

#define REFUSE(text, part) refuse(__LINE__, text, NULL, part)

static LitheScene *take(const char *text, const char *override) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    if (parse(text, override, &scene) != LITHE_OK)
        printf("  %s\n", error.text);
    return scene;
}

static void drop(LitheScene *scene) {
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static bool near3(LitheVec3 a, double x, double y, double z) {
    return fabs(a.x - x) < 1e-14 && fabs(a.y - y) < 1e-14 && fabs(a.z - z) < 1e-14;
}

static bool near4(LitheQuat a, double w, double x, double y, double z) {
    return fabs(a.w - w) < 1e-14 && near3((LitheVec3){a.x, a.y, a.z}, x, y, z);
}

TEST(every_key_arrives_where_it_belongs) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    CHECK(lithe_scene_load(context, SCENES "bodies.yaml", NULL, 0, &s, &error) == LITHE_OK);
    if (!s)
        printf("  %s\n", error.text);
    FATAL(s != NULL);
    const LitheMaterialDef *wood = &s->materials[0];
    CHECK(wood->friction == 0.4 && wood->contact_stiffness == 2e4);
    CHECK(wood->contact_dissipation == 0.02);
    CHECK(s->rods[0].group == 0x80000001u && s->rods[0].mask == 2 && !s->rods[0].self_contact);

    FATAL(s->body_count == 11);
    const LitheBodyDef *floor = &s->bodies[0], *crate = &s->bodies[1], *hand = &s->bodies[2];
    CHECK(floor->fixed && floor->geom_count == 1 && floor->mass == 0);
    CHECK(floor->geoms[0].kind == LITHE_GEOM_HALF_SPACE && floor->geoms[0].material.number == 1);
    CHECK(crate->geoms[0].kind == LITHE_GEOM_BOX && near3(crate->geoms[0].size, 0.2, 0.2, 0.1));
    CHECK(crate->geoms[0].group == 2 && crate->geoms[0].mask == 0);
    CHECK(near3(crate->at, 0, 0, 0.5) && near3(crate->velocity, 1, 0, -2));
    CHECK_NEAR(crate->spin.z, 2 * M_PI, 1e-14);
    CHECK(near4(crate->rotation, cos(M_PI / 12), 0, 0, sin(M_PI / 12)));
    CHECK(hand->mass == 1.2 && near3(hand->centre, 0, 0, 0.01));
    CHECK(hand->inertia[2] == 3e-3 && hand->inertia[3] == 1e-4 && hand->inertia[5] == -1e-4);

    FATAL(hand->geom_count == 10);
    const LitheGeomDef *g = hand->geoms;
    CHECK(g[0].kind == LITHE_GEOM_SPHERE && g[0].radius == 0.05 && g[0].at.z == 0.05);
    CHECK(g[0].material.number == 2 && g[1].material.number == 0);
    CHECK(near4(g[0].rotation, sqrt(0.5), 0, 0, sqrt(0.5)));
    CHECK(g[1].kind == LITHE_GEOM_CAPSULE && g[1].radius == 0.01 && g[1].length == 0.05);
    CHECK(g[1].mask == UINT32_MAX && g[1].group == 1);
    CHECK(g[2].kind == LITHE_GEOM_CYLINDER && g[2].length == 1.0 / 3);
    CHECK(g[3].kind == LITHE_GEOM_ELLIPSOID && near3(g[3].size, 0.01, 0.02, 0.03));
    CHECK(g[4].kind == LITHE_GEOM_CONVEX_MESH && g[4].point_count == 4 && g[4].points[3].z == 1);
    CHECK(g[5].kind == LITHE_GEOM_TRIANGLE_MESH && g[5].triangle_count == 4);
    CHECK(g[5].triangles[0] == 0 && g[5].triangles[1] == 2 && g[5].triangles[11] == 3);
    CHECK(g[6].kind == LITHE_GEOM_CONVEX_MESH && g[6].points[3].z == 0.01);
    CHECK(g[7].kind == LITHE_GEOM_TRIANGLE_MESH && !g[7].path && g[7].scale.x == 1);
    CHECK(g[7].point_count == 4 && g[7].triangle_count == 4 && near3(g[7].points[1], 0, 0.01, 0));
    CHECK(g[8].kind == LITHE_GEOM_CONVEX_MESH && g[8].point_count == 4 && !g[8].triangles);
    CHECK(near3(g[8].points[3], 0, 0, -10));
    CHECK(g[9].kind == LITHE_GEOM_REVOLUTION && g[9].profile_count == 3);
    CHECK(g[9].profile_z[2] == 0.03 && g[9].profile_r[1] == 0.02);
    const LitheGeomDef *hill = s->bodies[3].geoms;
    CHECK(hill->rows == 2 && hill->columns == 3 && hill->size.x == 2 && hill->size.y == 1);
    CHECK(hill->heights[2] == 0.01 && hill->heights[4] == 0.02);
    drop(s);
}

TEST(joints_and_what_moves_them_arrive_too) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    CHECK(lithe_scene_load(context, SCENES "bodies.yaml", NULL, 0, &s, &error) == LITHE_OK);
    FATAL(s != NULL && s->joint_count == 8);
    const LitheJointDef *j = s->joints;
    CHECK(j[0].kind == LITHE_JOINT_REVOLUTE && j[0].parent.number == 0 && j[0].child.number == 5);
    CHECK_NEAR(j[0].lower, -M_PI / 2, 1e-15);
    CHECK_NEAR(j[0].upper, M_PI / 2, 1e-15);
    CHECK(j[0].limited && j[0].stiffness == 2 && j[0].damping == 0.1 && j[0].friction_loss == 0.2);
    CHECK(j[0].armature == 0.01 && j[0].effort_limit == 20 && j[0].velocity == 1);
    CHECK_NEAR(j[0].velocity_limit, 2 * M_PI, 1e-14);
    CHECK_NEAR(j[0].position, M_PI / 18, 1e-15);
    CHECK_NEAR(j[0].rest, M_PI / 36, 1e-15);
    CHECK(!j[1].limited && j[1].parent.number == 5 && j[1].child.number == 6);
    CHECK(j[2].kind == LITHE_JOINT_WELD);
    CHECK(j[3].kind == LITHE_JOINT_PRISMATIC && near3(j[3].parent_at, 0, 0, 0.1));
    CHECK(near3(j[3].child_at, 0, 0, -0.1) && j[3].lower == -0.01 && j[3].upper == 0.05);
    CHECK(near4(j[3].parent_rotation, cos(M_PI / 36), 0, sin(M_PI / 36), 0));
    CHECK(near4(j[3].child_rotation, cos(M_PI / 18), sin(M_PI / 18), 0, 0));
    CHECK(j[3].rest == 0.01 && j[3].armature == 0.1 && j[3].velocity_limit == 0.5);
    CHECK(j[4].kind == LITHE_JOINT_SCREW && j[4].pitch == 1e-3);
    CHECK(j[5].kind == LITHE_JOINT_BALL && j[6].kind == LITHE_JOINT_PLANAR);
    CHECK(j[7].kind == LITHE_JOINT_FREE && j[7].child.number == 3);

    FATAL(s->actuator_count == 4 && s->pose_drive_count == 1);
    const LitheActuatorDef *a = s->actuators;
    CHECK(a[0].kind == LITHE_ACTUATOR_POSITION && a[0].joint.number == 1 && a[0].gear == 2);
    CHECK(a[0].target.count == 2 && a[0].stiffness == 20 && a[0].effort_limit == 5);
    CHECK_NEAR(a[0].target.values[1], M_PI / 6, 1e-15);
    CHECK(a[1].kind == LITHE_ACTUATOR_VELOCITY && a[1].damping == 1 && a[1].target.rate == 1);
    CHECK(a[2].kind == LITHE_ACTUATOR_FORCE && a[2].target.value == 3);
    CHECK(a[3].kind == LITHE_ACTUATOR_PRESCRIBED);
    const LithePoseDriveDef *d = &s->pose_drives[0];
    CHECK(d->body.number == 7 && d->count == 3 && d->times[2] == 2 && d->at.z == 0.01);
    CHECK(near4(d->rotations[0], 1, 0, 0, 0));
    CHECK(near4(d->rotations[1], sqrt(0.5), 0, 0, sqrt(0.5)));
    CHECK(near4(d->rotations[2], sqrt(0.5), 0, 0, sqrt(0.5)));
    CHECK(d->kind == LITHE_PROFILE_SMOOTH);
    CHECK(d->damping == 0.05 && d->posture == 0.1 && d->stiffness == 100 && d->joint_damping == 5);
    CHECK(s->ignored_pair_count == 2);
    CHECK_TEXT(s->ignored_pairs[1].b, "arm/lower");
    drop(s);
}

// the position of a joint frame of a body in the world
static LitheVec3 world_point(const LitheBodyDef *b, LitheVec3 at) {
    return v3_add(b->at, q4_rotate(b->rotation, at));
}

TEST(a_joint_placed_in_the_world_leaves_the_bodies_as_written) {
    LitheScene *s = take(HEAD "bodies:\n"
                              "  a: {" BODY ", at: [1, 2, 3], rotate: [0.3, -0.2, 0.9]}\n"
                              "  b: {" BODY ", at: [1, 0, 1], rotate: [1.3, 0.2, 0.1]}\n"
                              "  c: {" BODY ", at: [2, 0, 1], rotate: [0, 0, 1]}\n"
                              "joints:\n"
                              "  j: {kind: revolute, parent: a, child: b, at: [4, 5, 6], axis: "
                              "[1, 1, 0]}\n"
                              "  k: {kind: weld, parent: b, child: c}\n",
                         NULL);
    FATAL(s != NULL);
    const LitheBodyDef *a = &s->bodies[0], *b = &s->bodies[1], *c = &s->bodies[2];
    const LitheJointDef *j = &s->joints[0], *k = &s->joints[1];
    CHECK(v3_distance(world_point(a, j->parent_at), v3(4, 5, 6)) < 1e-14);
    CHECK(v3_distance(world_point(b, j->child_at), v3(4, 5, 6)) < 1e-14);
    // its z axis is the axis, through both bodies
    double h = sqrt(0.5);
    Quat by_parent = q4_mul(a->rotation, j->parent_rotation);
    Quat by_child = q4_mul(b->rotation, j->child_rotation);
    CHECK(v3_distance(q4_rotate(by_parent, v3(0, 0, 1)), v3(h, h, 0)) < 1e-14);
    CHECK(v3_distance(q4_rotate(by_child, v3(1, 0, 0)), q4_rotate(by_parent, v3(1, 0, 0))) < 1e-14);
    // without a place the joint is at the child, with the axes of the world
    CHECK(v3_norm(k->child_at) == 0);
    CHECK(v3_distance(world_point(b, k->parent_at), c->at) < 1e-14);
    CHECK(v3_distance(q4_rotate(q4_mul(c->rotation, k->child_rotation), v3(1, 0, 0)), v3(1, 0, 0)) <
          1e-14);
    drop(s);
}

TEST(messages_name_the_place_of_the_shape) {
    REFUSE(HEAD "bodies:\n  hand:\n    mass: 1 kg\n    inertia: [1, 1, 1, 0, 0, 0]\n    shapes:\n"
                "      - {sphere: {radius: 1}}\n      - {box: {size: [1, -2 cm, 1]}}\n",
           "a.yaml:9:16: body 'hand', shape 2: size is (1, -0.02, 1) m, must be > 0");
    REFUSE(HEAD "bodies:\n  ball: {shape: {sphere: {radius: -2 mm}}, material: wood}\n",
           "a.yaml:4:35: body 'ball': radius is -0.002 m, must be > 0");
    REFUSE(HEAD "bodies: {b: {" BODY "}}\njoints: {j: {kind: ball, child: b}}\npose-drives:\n"
                "  p:\n    body: b\n    path: [{time: 0, at: [0, 0, 0]}]\n",
           "a.yaml:7:11: pose drive 'p': body 'b' has no joint with one degree of freedom");
    REFUSE(HEAD
           "bodies: {b: {" BODY "}}\njoints: {j: {kind: revolute, child: b}}\npose-drives:\n"
           "  p:\n    body: b\n    path: [{time: 0, at: [0, 0, 0]}, {time: 0, at: [0, 0, 0]}]\n",
           "a.yaml:8:45: pose drive 'p': path[1].time is 0 s, must be after 0 s");
}

TEST(forms_and_dimensions_are_checked) {
    REFUSE(HEAD "bodies: {b: {shape: {}}}\n",
           "bodies.b.shape: one kind of shape is expected, 0 are given; known: half-space, sphere");
    REFUSE(HEAD "bodies: {b: {shape: {sphere: {radius: 1}, box: {size: [1, 1, 1]}}}}\n",
           "one kind of shape is expected, 2 are given");
    REFUSE(HEAD "bodies: {b: {shape: {spere: {radius: 1}}}}\n",
           "bodies.b.shape.spere: unknown key in body shape; did you mean sphere?");
    REFUSE(HEAD "bodies: {b: {shape: ball}}\n", "one kind of shape is expected");
    REFUSE(HEAD "bodies: {b: {shapes: {sphere: {radius: 1}}}}\n", "a list of shapes is expected");
    REFUSE(HEAD "bodies: {b: {shapes: [3]}}\n",
           "bodies.b.shapes[0]: one kind of shape is expected");
    REFUSE(HEAD "bodies: {b: {shapes: [{box: {size: 1}}]}}\n",
           "bodies.b.shapes[0].box.size: a list of 3 values is expected");
    REFUSE(HEAD "bodies: {b: {" BODY ", shapes: []}}\n", "shape and shapes are both given");
    REFUSE(HEAD "bodies: {b: {mass: 3 m}}\n", "'3 m' is a length, a mass is expected");
    REFUSE(HEAD "bodies: {b: {inertia: [1, 1, 1]}}\n", "has 3 values, 6 are expected");
    REFUSE(HEAD "bodies: {b: {rotate: [1, 0]}}\n", "has 2 values, 3 (a rotation vector) or 4");
    REFUSE(HEAD "bodies: {b: {rotate: {axis: [0, 0, 0], angle: 1}}}\n", "must have a direction");
    REFUSE(HEAD "bodies: {b: {rotate: {axis: [1e-160, 0, 0], angle: 1}}}\n",
           "must have a direction");
    REFUSE(HEAD "bodies: {b: {shape: {half-space: {}, group: 33}}}\n",
           "group 33, must be from 1 to 32");
    REFUSE(HEAD "bodies: {b: {shape: {half-space: {}, mask: [1, some]}}}\n", "mask");
    REFUSE(HEAD "bodies: {b: {shape: {mesh: {points: [[0, 0, 0]], triangles: [[0, 1]]}}}}\n",
           "a triangle, three numbers of points, is expected");
    REFUSE(HEAD "bodies: {b: {shape: {mesh: {points: [], triangles: 3}}}}\n",
           "a list of triangles is expected");
    REFUSE(HEAD "bodies: {b: {shape: {mesh: {triangles: [[0, 1, 2]], convex: true}}}}\n",
           "convex and triangles are both given");
    REFUSE(HEAD "bodies: {b: {shape: {mesh: {points: [], path: x.stl}}}}\n",
           "a scene given as text without a folder cannot refer to files");
    REFUSE(HEAD "bodies: {b: {shape: {heightfield: {size: [1, 1], heights: [1, 2]}}}}\n",
           "a list of rows of heights is expected");
    REFUSE(HEAD "bodies: {b: {shape: {heightfield: {size: [1, 1], heights: [[1, 2], [1]]}}}}\n",
           "has 1 values, 2 are expected");
    REFUSE(HEAD "bodies: {b: {shape: {revolution: {outline: 1}}}}\n",
           "a list of [z, radius] is expected");
    REFUSE(HEAD "bodies: {b: {shape: {revolution: {outline: [[1]]}}}}\n", "has 1 values, 2");
    REFUSE(HEAD "bodies: {a.b: {fixed: true}}\n",
           "'a.b': a name has letters, digits, - and _ (at most 100) and begins with a letter; "
           "further parts follow a /");
    REFUSE(HEAD "bodies: {a//b: {fixed: true}}\n", "'a//b': a name has");
    REFUSE(HEAD "bodies: {a/: {fixed: true}}\n", "'a/': a name has");
    REFUSE(HEAD "bodies: {world: {fixed: true}}\n",
           "body 'world': the name is reserved for the world");
}

#define TWO HEAD "bodies: {a: {" BODY "}, b: {" BODY "}}\n"

TEST(joints_are_checked_for_form_and_dimension) {
    REFUSE(TWO "joints: {j: {child: b}}\n", "joints.j: kind is missing");
    REFUSE(TWO "joints: {j: {kind: hinge, child: b}}\n", "'hinge' is not known here");
    REFUSE(TWO "joints: {j: {kind: ball, child: c}}\n",
           "joints.j.child: no body named 'c'; known: a, b");
    REFUSE(TWO "joints: {j: {kind: ball, child: world}}\n", "no body named 'world'");
    REFUSE(TWO "joints: {j: {kind: ball, child: b, at: [0, 0, 0], child-at: [0, 0, 0]}}\n",
           "at and child-at are both given, one is expected");
    REFUSE(TWO "joints: {j: {kind: ball, child: b, axis: [0, 0, 1], rotate: [0, 0, 0]}}\n",
           "axis and rotate are both given");
    REFUSE(TWO "joints: {j: {kind: ball, child: b, axis: [0, 0, 0]}}\n",
           "axis is (0, 0, 0), must have a direction");
    REFUSE(TWO "joints: {j: {kind: revolute, child: b, position: 1 m}}\n",
           "'1 m' is a length, an angle is expected");
    REFUSE(TWO "joints: {j: {kind: prismatic, child: b, position: 1 deg}}\n",
           "'1 deg' is an angle, a length is expected");
    REFUSE(TWO "joints: {j: {kind: prismatic, child: b, armature: 1 kg m^2}}\n",
           "a mass is expected");
    REFUSE(TWO "joints: {j: {kind: prismatic, child: b, limits: [1]}}\n", "has 1 values, 2");
    REFUSE(TWO "joints: {j: {kind: revolute, child: b}}\n"
               "actuators: {m: {joint: j, kind: force, target: 3 rad}}\n",
           "'3 rad' is an angle, a moment is expected");
    REFUSE(TWO "joints: {j: {kind: prismatic, child: b}}\n"
               "actuators: {m: {kind: velocity, target: {rate: 1 m/s}, joint: j}}\n",
           "'1 m/s' is a speed, an acceleration is expected");
    REFUSE(TWO "actuators: {m: {kind: velocity, joint: k}}\n",
           "no joint named 'k' (the scene defines none)");
    REFUSE(TWO "pose-drives: {p: {body: a, path: 3}}\n", "a list of poses is expected");
    REFUSE(TWO "pose-drives: {p: {body: a, path: [{time: 1}]}}\n",
           "pose-drives.p.path[0]: at is missing");
    REFUSE(TWO "ignore: a\n", "ignore: a list of pairs of names is expected");
    REFUSE(TWO "ignore: [[a]]\n", "ignore: a pair of names is expected");
    REFUSE(TWO "ignore: [[a, c]]\n", "a.yaml:4:1: ignore: pair 1: 'c' is not the name of a rod, "
                                     "particles, solid or body of the scene");
    REFUSE(TWO "ignore: [[a, b], [a, a]]\n", "ignore: pair 2: 'a' is named twice");
}

TEST(overrides_reach_into_bodies) {
    LitheScene *s = take(TWO, "bodies.a.shape.sphere.radius=3 cm");
    FATAL(s != NULL);
    CHECK(s->bodies[0].geoms[0].radius == 0.03);
    drop(s);
    refuse(__LINE__, TWO, "bodies.a.shape.sphere.size=3", "size: unknown key in body shape sphere");
}

TEST(quaternions_nearly_of_unit_length_are_made_so) {
    LitheScene *s =
        take(HEAD "bodies: {b: {" BODY ", rotate: [0.7071068, 0, 0, 0.7071068]}}\n", NULL);
    FATAL(s != NULL);
    CHECK_NEAR(q4_norm(s->bodies[0].rotation), 1, 1e-15);
    drop(s);
    REFUSE(HEAD "bodies: {b: {" BODY ", rotate: [0.7072, 0, 0, 0.7071]}}\n",
           "body 'b': rotate is the quaternion (0.7072, 0, 0, 0.7071) of length 1.00006112");
}

TEST(a_mesh_file_that_is_not_there_is_named) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    const char *text = HEAD "bodies: {b: {material: wood, shape: {mesh: {path: no.stl}}}}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a.yaml:3:51: bodies.b.shape.mesh.path: cannot read ");
    CHECK_TEXT(error.text, "no.stl: No such file");
    CHECK(s == NULL);
    drop(s);
}

TEST(a_scale_that_mirrors_keeps_triangles_facing_outwards) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    const char *text =
        HEAD "bodies: {b: {material: wood, shape: {mesh: {path: hand.stl, scale: [1, "
             "-1, 1]}}}, c: {material: wood, shape: {mesh: {path: hand.stl, scale: "
             "[-1, -1, 1]}}}}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_OK);
    FATAL(s != NULL);
    for (int i = 0; i < 2; i++) {
        // six times the volume, by the triangles
        const LitheGeomDef *g = s->bodies[i].geoms;
        double volume = 0;
        for (int32_t k = 0; k < g->triangle_count; k++) {
            const int32_t *t = &g->triangles[3 * k];
            volume += v3_dot(g->points[t[0]], v3_cross(g->points[t[1]], g->points[t[2]]));
        }
        CHECK_NEAR(volume, 1000, 1e-9);
    }
    drop(s);
}

TEST(a_robot_is_read_and_can_be_named) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    const char *text = HEAD
        "bodies: {crate: {" BODY "}}\n"
        "robots: {arm: {path: arm.urdf, at: [0, 0, 1], rotate: [0, 0, 90 deg], material: wood}}\n"
        "joints: {grip: {kind: weld, parent: arm/tip, child: crate, parent-at: [0, 0, 0]}}\n"
        "actuators: {turn: {joint: arm/hinge, kind: prescribed, target: 10 deg}}\n"
        "ignore: [[crate, arm/tip]]\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_OK);
    if (!s)
        printf("  %s\n", error.text);
    FATAL(s != NULL);
    CHECK(s->body_count == 3 && s->joint_count == 2);
    CHECK_TEXT(s->bodies[2].name, "arm/tip");
    CHECK(s->joints[s->joint_count - 1].parent.number == 3);
    CHECK(lithe_scene_note_count(s) >= 1);
    CHECK_TEXT(lithe_scene_note(s, 0), "arm.urdf:");

    // it survives being written, with no other file
    char *written = NULL;
    LitheScene *again = NULL;
    CHECK(lithe_scene_write(s, &written, &error) == LITHE_OK);
    CHECK(lithe_scene_parse(context, written, strlen(written), "w.yaml", NULL, NULL, 0, &again,
                            &error) == LITHE_OK);
    CHECK(again && again->body_count == 3 && again->joint_count == 2);
    lithe_text_free(context, written);
    lithe_scene_destroy(again);
    drop(s);
}

TEST(joints_of_a_robot_start_where_the_scene_says) {
    context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    const char *text = "lithe: 1\nrobots:\n"
                       "  left: {path: arm.urdf}\n"
                       "  right: {path: arm.urdf, at: [1, 0, 0], positions: {hinge: 30 deg}}\n";
    const char *set[] = {"robots.left.positions.hinge=-0.25", "robots.right.positions.hinge=0.5"};
    FATAL(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &scene,
                            &error) == LITHE_OK);
    CHECK(scene->joint_count == 2 && scene->joints[0].position == 0);
    CHECK_NEAR(scene->joints[1].position, 0.52359877559829882, 1e-15);
    lithe_scene_destroy(scene);
    FATAL(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, set, 2, &scene,
                            &error) == LITHE_OK);
    CHECK(scene->joints[0].position == -0.25 && scene->joints[1].position == 0.5);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(a_wrong_start_position_of_a_robot_is_named_where_it_stands) {
    static const struct {
        const char *positions, *message;
    } cases[] = {
        {"{hinje: 1}", "a.yaml:3:44: robots.arm.positions: robot 'arm' has no joint 'hinje'; did "
                       "you mean hinge?"},
        {"{elbow: 1}", "robot 'arm' has no joint 'elbow'; known: hinge"},
        {"{hinge: 1 m}", "a.yaml:3:44: robots.arm.positions.hinge: "},
        {"[1]", "a.yaml:3:25: robots.arm.positions: names of joints with positions are expected"},
    };
    context = lithe_context_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "lithe: 1\nrobots:\n  arm: {path: arm.urdf, positions: %s}\n",
                 cases[i].positions);
        LitheScene *scene = NULL;
        CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &scene,
                                &error) == LITHE_BAD_INPUT);
        CHECK_TEXT(error.text, cases[i].message);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(what_a_robot_gets_wrong_is_named_where_the_robot_stands) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    const char *text =
        "lithe: 1\nbodies: {arm/tip: {fixed: true}}\nrobots:\n  arm: {path: arm.urdf}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "body 'arm/tip': the name is already taken by body 1");
    text = "lithe: 1\nrobots:\n  arm: {path: arm.urdf, rotate: [2, 0, 0, 0]}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a.yaml:3:3: robots.arm");
    text = "lithe: 1\nrobots:\n  arm: {path: none.urdf}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error) ==
          LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "a.yaml:3:15: robots.arm.path: cannot read ");
    drop(s);
}

TEST(every_failed_allocation_of_a_load_leaves_nothing_behind) {
    context = lithe_context_create(NULL);
    int n = 1;
    for (; n < 5000; n++) {
        LitheScene *s = NULL;
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_scene_load(context, SCENES "bodies.yaml", NULL, 0, &s, &error);
        lithe_context_fail_at(context, 0);
        if (status == LITHE_OK) {
            lithe_scene_destroy(s);
            break;
        }
        CHECK(status == LITHE_NO_MEMORY && s == NULL);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(n > 100 && n < 5000);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
