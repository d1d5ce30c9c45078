// SPDX-License-Identifier: Apache-2.0
// tests/import/test_import_mjcf.c - robots from MJCF, and files of robots: what is read and refused

#include "test.h"

#include "base/memory.h"
#include "import/import_case.h"

#include <sys/stat.h>
#include <unistd.h>

#define WORLD(text) "<mujoco><worldbody>" text "</worldbody></mujoco>"
#define BALL "<geom size='0.1'/>"

static const char arm[] =
    "<mujoco model='arm'>\n"
    "<compiler angle='radian' eulerseq='XYZ'/>\n"
    "<option gravity='0 0 -9.81' timestep='0.002' integrator='RK4'/>\n"
    "<default><geom friction='0.7'/><joint damping='1'/>\n"
    "  <default class='upper'><joint damping='2' armature='0.1'/><geom rgba='1 0 0 1'/>\n"
    "    <default class='inner'><joint axis='0 1 0'/></default></default></default>\n"
    "<worldbody><geom name='floor' type='plane' size='1 1 0.1' friction='1'/><light pos='0 0 3'/>\n"
    "  <body name='base' pos='0 0 0.1' childclass='upper'><geom type='box' size='0.1 0.2 0.3'/>\n"
    "    <body name='arm' pos='0 0 0.3' euler='0 0 1.5707963267948966'>\n"
    "      <joint name='shoulder' class='inner' range='-1 2' pos='0 0 0.1' stiffness='3' "
    "springref='0.2' frictionloss='0.4'/>\n"
    "      <geom type='capsule' fromto='0 0 0 0 0 0.5' size='0.04' density='500'/>\n"
    "      <body name='hand' pos='0 0 0.5'><joint name='grip' type='slide' axis='1 0 0' "
    "range='0 0.1'/>\n"
    "        <inertial pos='0 0 0.05' mass='0.3' diaginertia='1e-3 1e-3 1e-3'/>\n"
    "        <geom type='mesh' mesh='wedge' contype='0' conaffinity='0'/>\n"
    "        <site name='palm' pos='0 0 0.02'/>"
    "        <body name='tip' pos='0 0 0.1'><geom type='sphere' size='0.01' mass='0'/></body>\n"
    "      </body></body></body></worldbody>\n"
    "<asset><mesh name='wedge' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>\n"
    "<actuator><motor name='m' joint='shoulder' gear='50' ctrlrange='-1 1'/>\n"
    "  <position name='p' joint='grip' kp='100' kv='5' forcerange='-20 20'/>\n"
    "  <muscle name='x' joint='grip'/></actuator>\n"
    "<contact><exclude body1='base' body2='hand'/></contact>\n"
    "<sensor><jointpos joint='grip'/></sensor>\n"
    "</mujoco>\n";

TEST(a_small_arm_comes_as_its_file_says) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "arm.xml", arm)));
    CHECK(c.scene->body_count == 4); // world, base, arm, hand; the tip is the hand's
    CHECK(c.scene->joint_count == 2);
    const LitheBodyDef *base = body_named(&c, "r/base"), *upper = body_named(&c, "r/arm");
    const LitheBodyDef *hand = body_named(&c, "r/hand");
    FATAL(base && upper && hand);
    CHECK(base->fixed && !upper->fixed);
    CHECK_NEAR(base->mass, 1000 * 0.2 * 0.4 * 0.6, 1e-12);
    double capsule = 3.14159265358979 * (0.0016 * 0.5 + 4.0 / 3 * 0.000064);
    CHECK_NEAR(upper->mass, 500 * capsule, 1e-12);
    CHECK_NEAR(upper->centre.z, 0.25, 1e-15);
    CHECK_NEAR(v3_distance(hand->at, v3(0, 0, 0.9)), 0, 1e-15);
    CHECK_NEAR(hand->mass, 0.3, 0);
    // the wedge is only drawn; the tip touches and is drawn, too
    FATAL(hand->geom_count == 3);
    CHECK(hand->geoms[0].visual && hand->geoms[0].kind == LITHE_GEOM_TRIANGLE_MESH);
    CHECK(!hand->geoms[1].visual && hand->geoms[2].visual);
    CHECK_NEAR(hand->geoms[1].at.z, 0.1, 1e-15);

    const LitheJointDef *shoulder = joint_named(&c, "r/shoulder");
    FATAL(shoulder);
    CHECK(shoulder->limited);
    CHECK_NEAR(shoulder->lower, -1, 0);
    CHECK_NEAR(shoulder->damping, 2, 0);
    CHECK_NEAR(shoulder->armature, 0.1, 0);
    CHECK_NEAR(shoulder->stiffness, 3, 0);
    CHECK_NEAR(shoulder->rest, 0.2, 0);
    CHECK_NEAR(shoulder->friction_loss, 0.4, 0);
    // the child's y axis, a quarter turn about z on, is the base's -x axis
    Vec3 axis = q4_rotate(shoulder->parent_rotation, v3(0, 0, 1));
    CHECK_NEAR(v3_distance(axis, v3(-1, 0, 0)), 0, 1e-15);
    CHECK_NEAR(v3_distance(shoulder->parent_at, v3(0, 0, 0.4)), 0, 1e-15);
    CHECK_NEAR(joint_named(&c, "r/grip")->damping, 2, 0);

    CHECK(c.scene->actuator_count == 2);
    CHECK(c.scene->actuators[0].kind == LITHE_ACTUATOR_FORCE);
    CHECK_NEAR(c.scene->actuators[0].gear, 50, 0);
    CHECK_NEAR(c.scene->actuators[0].effort_limit, 1, 0);
    CHECK(c.scene->actuators[1].kind == LITHE_ACTUATOR_POSITION);
    CHECK_NEAR(c.scene->actuators[1].stiffness, 100, 0);
    CHECK_NEAR(c.scene->actuators[1].damping, 5, 0);
    CHECK_NEAR(c.scene->actuators[1].effort_limit, 20, 0);

    CHECK(pair_ignored(&c, "r/base", "r/hand"));
    CHECK(pair_ignored(&c, "r/arm", "r/hand"));
    CHECK(!pair_ignored(&c, "r/base", "r/arm")); // the base is fixed to the world
    CHECK(c.scene->material_count == 2);
    CHECK_NEAR(c.scene->materials[base->geoms[0].material.number - 1].friction, 0.7, 0);
    case_end(&c);
}

TEST(notes_of_mjcf_name_what_is_left_out) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "arm.xml", arm)));
    CHECK(lithe_scene_note_count(c.scene) == 5);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "arm.xml:3: <option>: gravity (0 0 -9.81) is ignored: the scene sets it");
    CHECK_TEXT(lithe_scene_note(c.scene, 1), "arm.xml:3: <option>: timestep (0.002)");
    CHECK_TEXT(lithe_scene_note(c.scene, 2),
               "arm.xml:3: <option>: attribute 'integrator' is not supported and ignored");
    CHECK_TEXT(lithe_scene_note(c.scene, 3), "arm.xml:20: <muscle> is not supported");
    CHECK_TEXT(lithe_scene_note(c.scene, 4), "arm.xml:22: <sensor> is not supported");
    case_end(&c);
}

TEST(orientations_agree_with_one_another) {
    static const char *const same[] = {
        "quat='0.5 0.5 0.5 0.5'", // x -> y -> z -> x
        "axisangle='1 1 1 120'",  "xyaxes='0 2 0 0 1 3'",
        "euler='90 90 0'", // about x, then about the new y
        "quat='-1 -1 -1 -1'",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        Case c = case_begin();
        char text[300];
        snprintf(text, sizeof text, WORLD("<body name='a' %s>" BALL "</body>"), same[i]);
        FATAL(case_ok(&c, parse(&c, "a.xml", text)));
        LitheQuat q = body_named(&c, "r/a")->rotation;
        CHECK_NEAR(v3_distance(q4_rotate(q, v3(1, 0, 0)), v3(0, 1, 0)), 0, 1e-14);
        CHECK_NEAR(v3_distance(q4_rotate(q, v3(0, 1, 0)), v3(0, 0, 1)), 0, 1e-14);
        case_end(&c);
    }
}

TEST(zaxis_turns_by_the_shortest_way) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml", WORLD("<body name='a' zaxis='1 0 0'>" BALL "</body>"))));
    LitheQuat q = body_named(&c, "r/a")->rotation;
    CHECK_NEAR(v3_distance(q4_rotate(q, v3(0, 0, 1)), v3(1, 0, 0)), 0, 1e-15);
    CHECK_NEAR(v3_distance(q4_rotate(q, v3(0, 1, 0)), v3(0, 1, 0)), 0, 1e-15);
    case_end(&c);
}

TEST(several_joints_in_a_body_become_a_chain_of_carriers) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml",
                            WORLD("<body name='a' pos='0 0 1'><joint name='x' type='slide' axis='1 "
                                  "0 0'/><joint name='y' type='slide' axis='0 1 0'/><joint "
                                  "name='t' pos='0.5 0 0'/>" BALL "</body>"))));
    CHECK(c.scene->body_count == 3 && c.scene->joint_count == 3);
    const LitheJointDef *x = joint_named(&c, "r/x"), *y = joint_named(&c, "r/y");
    const LitheJointDef *t = joint_named(&c, "r/t");
    FATAL(x && y && t);
    CHECK(x->parent.number == 0);
    CHECK(y->parent.number == x->child.number && t->parent.number == y->child.number);
    CHECK(t->child.number == body_number(&c, "r/a"));
    CHECK_NEAR(x->parent_at.z, 1, 1e-15);
    CHECK_NEAR(v3_distance(t->parent_at, v3(0.5, 0, 0)), 0, 1e-15);
    double mass = body_named(&c, "r/a")->mass;
    CHECK_NEAR(body_named(&c, "r/a-1")->mass, 1e-6 * mass, 1e-12 * mass);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "a.xml:1: <body>: 'a' has 3 joints: it is connected by 2 carrier");
    case_end(&c);
}

TEST(angles_are_degrees_by_default_and_ref_is_subtracted) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml",
                            WORLD("<body name='a'><joint name='j' range='-90 180' ref='90'/>" BALL
                                  "</body>"))));
    const LitheJointDef *joint = joint_named(&c, "r/j");
    FATAL(joint);
    CHECK_NEAR(joint->lower, -3.14159265358979, 1e-14);
    CHECK_NEAR(joint->upper, 1.57079632679490, 1e-14);
    CHECK_TEXT(lithe_scene_note(c.scene, 0), "counts from the model's pose");
    case_end(&c);
}

TEST(a_free_body_has_no_joint_and_a_static_one_is_fixed) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml",
                            WORLD("<body name='ball'><freejoint/>" BALL "</body><body name='wall'>"
                                  "<geom type='box' size='1 1 1'/></body>"))));
    CHECK(c.scene->joint_count == 0);
    CHECK(!body_named(&c, "r/ball")->fixed);
    CHECK(body_named(&c, "r/wall")->fixed);
    CHECK_NEAR(body_named(&c, "r/wall")->geoms[0].size.x, 2, 0);
    case_end(&c);
}

TEST(sizes_are_halves_in_mjcf_and_whole_here) {
    Case c = case_begin();
    FATAL(
        case_ok(&c, parse(&c, "a.xml",
                          WORLD("<geom type='box' size='1 2 3'/><geom type='ellipsoid' size='1 2 "
                                "3'/><geom type='cylinder' size='1 2'/><geom type='capsule' "
                                "size='1 2'/><geom type='box' size='1' fromto='0 0 0 0 4 0'/>"))));
    const LitheBodyDef *world = body_named(&c, "r/world");
    FATAL(world && world->geom_count == 5);
    const LitheGeomDef *geoms = world->geoms;
    CHECK(geoms[0].kind == LITHE_GEOM_BOX && geoms[1].kind == LITHE_GEOM_ELLIPSOID);
    CHECK(geoms[2].kind == LITHE_GEOM_CYLINDER && geoms[3].kind == LITHE_GEOM_CAPSULE);
    CHECK_NEAR(geoms[0].size.z, 6, 0);
    CHECK_NEAR(geoms[1].size.y, 4, 0);
    CHECK_NEAR(geoms[2].length, 4, 0);
    CHECK_NEAR(geoms[3].length, 4, 0);
    CHECK_NEAR(v3_distance(geoms[4].size, v3(2, 2, 4)), 0, 1e-15);
    CHECK_NEAR(v3_distance(geoms[4].at, v3(0, 2, 0)), 0, 1e-15);
    case_end(&c);
}

TEST(groups_let_touch_whom_contype_and_conaffinity_let_touch) {
    static const uint32_t bits[4][2] = {{1, 1}, {0, 1}, {2, 2}, {4, 3}};
    Case c = case_begin();
    char text[1000] = "<mujoco><worldbody>";
    for (int i = 0; i < 4; i++)
        sprintf(text + strlen(text), "<geom size='1' contype='%u' conaffinity='%u'/>", bits[i][0],
                bits[i][1]);
    strcat(text, "</worldbody></mujoco>");
    FATAL(case_ok(&c, parse(&c, "a.xml", text)));
    const LitheBodyDef *world = body_named(&c, "r/world");
    FATAL(world && world->geom_count == 4);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            bool wanted = (bits[i][0] & bits[j][1]) || (bits[j][0] & bits[i][1]);
            CHECK(((world->geoms[i].group & world->geoms[j].mask) != 0) == wanted);
        }
    }
    CHECK(world->geoms[0].group == 1);
    case_end(&c);
}

TEST(mass_of_inline_meshes_is_that_of_their_hull) {
    Case c = case_begin();
    FATAL(case_ok(&c,
                  parse(&c, "a.xml",
                        "<mujoco><asset><mesh name='cube' scale='2 1 -1' vertex='0 0 0 1 0 0 0 1 0 "
                        "0 0 1 1 1 0 1 0 1 0 1 1 1 1 1 0.5 0.5 0.5'/></asset><worldbody><body "
                        "name='a'><freejoint/><geom type='mesh' mesh='cube' pos='1 0 0' "
                        "density='3'/></body></worldbody></mujoco>")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a);
    CHECK_NEAR(a->mass, 6, 1e-12);
    CHECK_NEAR(v3_distance(a->centre, v3(2, 0.5, -0.5)), 0, 1e-12);
    CHECK_NEAR(a->inertia[0], 6 * 2 / 12.0, 1e-12);
    CHECK_NEAR(a->inertia[1], 6 * 5 / 12.0, 1e-12);
    CHECK_NEAR(a->inertia[3], 0, 1e-12);
    case_end(&c);
}

static const struct {
    const char *text, *message;
} refused[] = {
    {"<robot/>", "<robot> where MJCF has <mujoco>"},
    {"<mujoco/>", "<mujoco> has no <worldbody>"},
    {WORLD(""), "holds no body and no shape"},
    {WORLD("<body name='a'><joint/></body>"), "body 'a' moves and has no mass"},
    {WORLD("<body name='a'/><body name='a'/>"), "the name 'a' is taken"},
    {WORLD("<body><joint name='j'/><joint name='j'/>" BALL "</body>"), "the name 'j' is taken"},
    {WORLD("<body><joint type='screw'/>" BALL "</body>"), "type 'screw' is none of"},
    {WORLD("<body><joint axis='0 0 0'/>" BALL "</body>"), "the axis has no direction"},
    {WORLD("<body><joint limited='true'/>" BALL "</body>"), "is limited and has no range"},
    {WORLD("<body><joint damping='-1'/>" BALL "</body>"), "must be >= 0, one is -1"},
    {WORLD("<body><joint class='x'/>" BALL "</body>"), "no class named 'x'"},
    {WORLD("<body childclass='x'/>"), "no class named 'x'"},
    {WORLD("<body><body><freejoint/>" BALL "</body></body>"), "must be the only joint"},
    {WORLD("<geom type='cone' size='1'/>"), "unknown type 'cone'"},
    {WORLD("<geom/>"), "sizes must be > 0, number 1 is 0"},
    {WORLD("<geom size='nan'/>"), "<geom>: size: 'nan' is not a number"},
    {WORLD("<geom type='capsule' size='1'/>"), "number 2 is 0"},
    {WORLD("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"),
     "the two points of fromto coincide"},
    {WORLD("<geom type='mesh' mesh='x'/>"), "no mesh named 'x'"},
    {WORLD("<geom type='mesh'/>"), "has type mesh, but no mesh is given"},
    {WORLD("<geom size='1' quat='0 0 0 0'/>"), "quat has no direction"},
    {WORLD("<geom size='1' quat='1 0 0 0' euler='0 0 0'/>"), "has both quat and euler"},
    {WORLD("<geom size='1' contype='-1'/>"), "contype and conaffinity must be 0 to 2^32 - 1"},
    {WORLD("<body><freejoint/><geom type='plane' size='1 1 1'/></body>"), "a plane in a body"},
    {WORLD("<body><freejoint/><inertial mass='1' diaginertia='1 1 0'/></body>"),
     "principal moment of 0"},
    {"<mujoco><compiler coordinate='global'/></mujoco>", "global coordinates are not read"},
    {"<mujoco><compiler eulerseq='xyw'/></mujoco>", "eulerseq is 'xyw'"},
    {"<mujoco><include file='a.xml'/></mujoco>",
     "<include>: a robot given as text cannot refer to files"},
    {"<mujoco><include file='passwd'/></mujoco>", "does not end in .xml"},
    {"<mujoco><worldbody><geom size='1'/></worldbody><actuator><motor joint='x'/></actuator>"
     "</mujoco>",
     "no joint named 'x'"},
};

TEST(wrong_mjcf_gets_one_clear_message_and_leaves_the_scene_as_it_was) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Case c = case_begin();
        LitheStatus status = parse(&c, "a.xml", refused[i].text);
        if (!CHECK(status == LITHE_BAD_INPUT))
            printf("  in %s\n", refused[i].text);
        CHECK_TEXT(c.error.text, refused[i].message);
        CHECK_TEXT(c.error.text, "a.xml:1: ");
        CHECK(c.scene->body_count == 0 && c.scene->note_count == 0);
        case_end(&c);
    }
}

TEST(every_failed_allocation_of_mjcf_is_reported_and_leaks_nothing) {
    LitheStatus status = LITHE_NO_MEMORY;
    int64_t n = 0;
    while (status == LITHE_NO_MEMORY && n < 2000) {
        Case c = case_begin();
        lithe_context_fail_at(c.context, ++n);
        status = parse(&c, "arm.xml", arm);
        lithe_context_fail_at(c.context, 0);
        CHECK(status == LITHE_OK || (c.scene->body_count == 0 && c.scene->material_count == 0));
        case_end(&c);
    }
    CHECK(status == LITHE_OK);
    CHECK(n > 50);
}

// --- files ---------------------------------------------------------------------------------------

static char folder[] = "/tmp/lithe-import-XXXXXX";

static void put(const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    FATAL(file);
    fputs(text, file);
    fclose(file);
}

static LitheStatus load(Case *c, const char *name) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    c->def.path = path;
    return lithe_scene_add_robot(c->scene, &c->def, &c->error);
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
                                  "f 2 3 4\n";

#define MESH_URDF(file) \
    "<robot name='x'><link name='a'><collision><geometry><mesh filename='" file \
    "' scale='2 2 2'/></geometry></collision></link></robot>"

/// A folder with robots, meshes, links and a package; made once.
static void furnish(void) {
    static bool done;
    char path[300], to[300];
    if (done)
        return;
    done = true;
    FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bots", folder);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/bots/meshes", folder);
    mkdir(path, 0755);
    put("secret.obj", tetrahedron);
    put("bots/meshes/tip.obj", tetrahedron);
    put("bots/plain.urdf", MESH_URDF("meshes/tip.obj"));
    put("bots/package.urdf", MESH_URDF("package://bots/meshes/tip.obj"));
    put("bots/up.urdf", MESH_URDF("../secret.obj"));
    put("bots/link.urdf", MESH_URDF("link.obj"));
    put("bots/absolute.urdf", MESH_URDF("/etc/hosts.stl"));
    put("bots/file.urdf", MESH_URDF("file:///etc/hosts.stl"));
    put("bots/missing.urdf", MESH_URDF("meshes/none.obj"));
    put("bots/bad.urdf", MESH_URDF("bad.obj"));
    put("bots/ply.urdf", MESH_URDF("tip.ply"));
    put("bots/stray.urdf", MESH_URDF("package://bots/../secret.obj"));
    put("bots/bad.obj", "v 0 0 0\nf 1 2 3\n");
    put("bots/main.xml", "<mujoco><compiler meshdir='meshes'/><include file='part.xml'/>"
                         "<asset><mesh file='tip.obj'/></asset></mujoco>");
    put("bots/part.xml", "<mujocoinclude><worldbody>\n<body name='b'><freejoint/><geom type='mesh' "
                         "mesh='tip' what='1'/></body></worldbody></mujocoinclude>");
    put("bots/ring.xml", "<mujoco><include file='ring.xml'/></mujoco>");
    put("bots/out.xml", "<mujoco><include file='../part.xml'/></mujoco>");
    put("part.xml", "<mujoco/>");
    for (int i = 0; i < 12; i++) {
        char name[32], text[200];
        snprintf(name, sizeof name, "bots/many%d.xml", i);
        snprintf(text, sizeof text, "<mujoco>%s<include file='many%d.xml'/>%s</mujoco>",
                 i < 11 ? "" : "<!--", i + 1, i < 11 ? "" : "-->");
        for (int k = 0; i < 11 && k < 3; k++)
            snprintf(strstr(text, "</mujoco>"), 60, "<include file='many%d.xml'/></mujoco>", i + 1);
        put(name, text);
    }
    snprintf(path, sizeof path, "%s/secret.obj", folder);
    snprintf(to, sizeof to, "%s/bots/link.obj", folder);
    CHECK(symlink(path, to) == 0);
}

__attribute__((destructor)) static void clear_away(void) {
    char command[100];
    if (strchr(folder, 'X') == NULL) {
        snprintf(command, sizeof command, "rm -r '%s'", folder);
        if (system(command) != 0)
            printf("  %s is left\n", folder);
    }
}

TEST(meshes_below_the_robot_and_of_its_package_are_read) {
    furnish();
    static const char *const names[] = {"bots/plain.urdf", "bots/package.urdf"};
    for (int i = 0; i < 2; i++) {
        Case c = case_begin();
        FATAL(case_ok(&c, load(&c, names[i])));
        const LitheGeomDef *geom = &body_named(&c, "r/a")->geoms[0];
        CHECK(geom->kind == LITHE_GEOM_CONVEX_MESH);
        CHECK(geom->point_count == 4 && geom->triangle_count == 4);
        double max = 0;
        for (int k = 0; k < 4; k++)
            max = fmax(max, geom->points[k].x);
        CHECK_NEAR(max, 2, 0);
        CHECK_TEXT(lithe_scene_note(c.scene, 0), "<mesh> is taken as its convex hull");
        case_end(&c);
    }
}

TEST(paths_that_lead_out_of_the_folder_are_refused) {
    furnish();
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"bots/up.urdf", "'../secret.obj' is outside the robot's folder"},
        {"bots/link.urdf", "'link.obj' is outside the robot's folder"},
        {"bots/stray.urdf", "is outside"},
        {"bots/absolute.urdf", "<mesh>: "},
        {"bots/file.urdf", "only plain paths and package:// are supported"},
        {"bots/missing.urdf", "cannot read 'meshes/none.obj': No such file"},
        {"bots/bad.urdf",
         "bad.obj:2: the face refers to point 2, but the file has points 1 to 1 before it"},
        {"bots/ring.xml", "'ring.xml' includes itself"},
        {"bots/many0.xml", "more than 1000 includes"},
        {"bots/out.xml", "'../part.xml' is outside the robot's folder"},
        {"bots/none.urdf", "cannot read: No such file"},
        {"bots", "bots: not a regular file"},
        {"bots/meshes/tip.obj", "the extension does not give the format"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_begin();
        CHECK(load(&c, cases[i].name) != LITHE_OK);
        CHECK_TEXT(c.error.text, cases[i].message);
        case_end(&c);
    }
}

TEST(other_mesh_formats_are_listed) {
    furnish();
    Case c = case_begin();
    FATAL(case_ok(&c, load(&c, "bots/ply.urdf")));
    CHECK_TEXT(lithe_scene_note(c.scene, 0), "'tip.ply' is none of .stl, .obj, .dae");
    case_end(&c);
}

TEST(included_files_are_part_of_the_model_and_keep_their_lines) {
    furnish();
    Case c = case_begin();
    FATAL(case_ok(&c, load(&c, "bots/main.xml")));
    CHECK_NEAR(body_named(&c, "r/b")->mass, 1000.0 / 6, 1e-9);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "part.xml:2: <geom>: attribute 'what' is not supported");
    case_end(&c);
}

// a site in a body that is merged into its parent, one turned by its class, and one of the world
TEST(named_sites_are_frames_of_their_bodies) {
    Case c = case_begin();
    c.def.at = v3(0, 0, 2);
    FATAL(case_ok(
        &c, parse(&c, "a.xml",
                  "<mujoco><default><default class='t'><site euler='0 0 90'/></default></default>"
                  "<worldbody><site name='post' pos='1 0 0'/><site pos='3 0 0'/>"
                  "<body name='hand'><freejoint/>" BALL "<site name='tool' class='t' pos='0 0 .3'/>"
                  "<body pos='0 .1 0'><frame pos='0 .2 0'><site name='side'/></frame></body>"
                  "</body></worldbody></mujoco>")));
    CHECK(c.scene->site_count == 3 && c.scene->body_count == 1);
    const LitheSceneSite *post = lithe_scene_find_site(c.scene, "r/post"),
                         *tool = lithe_scene_find_site(c.scene, "r/tool"),
                         *side = lithe_scene_find_site(c.scene, "r/side");
    FATAL(post && tool && side && !lithe_scene_find_site(c.scene, "r/none"));
    CHECK(post->body.number == 0 && tool->body.number == 1 && side->body.number == 1);
    CHECK_NEAR(v3_distance(post->at, v3(1, 0, 2)), 0, 1e-15);
    CHECK_NEAR(v3_distance(tool->at, v3(0, 0, 0.3)), 0, 1e-15);
    CHECK_NEAR(v3_distance(q4_rotate(tool->rotation, v3(1, 0, 0)), v3(0, 1, 0)), 0, 1e-15);
    CHECK_NEAR(v3_distance(side->at, v3(0, 0.3, 0)), 0, 1e-15);
    case_end(&c);
}
