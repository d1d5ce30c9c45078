// SPDX-License-Identifier: Apache-2.0
// tests/import/test_import.c - robots from URDF: the result, the notes, the refused files

#include "test.h"

#include "base/memory.h"
#include "import/import_case.h"

static const char *const arm7 = LITHE_SOURCE_DIR "/scenes/robots/arm7.urdf";

// --- the robot of the gallery --------------------------------------------------------------------

TEST(arm7_has_its_bodies_joints_and_mass_and_nothing_left_out) {
    Case c = case_begin();
    LitheRobotDef def = lithe_robot_def_default();
    def.name = "arm";
    def.path = arm7;
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &def, &c.error)));
    CHECK(c.scene->body_count == 11); // base, seven links, hand, two fingers
    CHECK(c.scene->joint_count == 10);
    CHECK(lithe_scene_note_count(c.scene) == 0);
    CHECK(body_named(&c, "arm/base")->fixed);
    CHECK(!body_named(&c, "arm/link1")->fixed);
    double mass = 0;
    for (int32_t i = 0; i < c.scene->body_count; i++)
        mass += c.scene->bodies[i].mass;
    CHECK_NEAR(mass, 5 + 3.2 + 2.9 + 2.4 + 2.0 + 1.5 + 1.0 + 0.4 + 0.6 + 0.1, 1e-12);
    CHECK(body_named(&c, "arm/link3")->geom_count == 3);
    // upright: the hand's frame stands over the base
    CHECK_NEAR(body_named(&c, "arm/hand")->at.z, 0.18 + 0.14 + 0.86, 1e-12);
    CHECK_NEAR(body_named(&c, "arm/hand")->at.x, 0, 1e-12);
    case_end(&c);
}

TEST(arm7_joints_turn_about_their_axes_within_their_limits) {
    Case c = case_begin();
    LitheRobotDef def = lithe_robot_def_default();
    def.name = "arm";
    def.path = arm7;
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &def, &c.error)));
    const LitheJointDef *joint = joint_named(&c, "arm/joint4");
    FATAL(joint);
    CHECK(joint->kind == LITHE_JOINT_REVOLUTE && joint->limited);
    CHECK_NEAR(joint->lower, -2.6, 0);
    CHECK_NEAR(joint->upper, 2.6, 0);
    CHECK_NEAR(joint->effort_limit, 60, 0);
    CHECK_NEAR(joint->velocity_limit, 2.2, 0);
    CHECK_NEAR(joint->damping, 0.8, 0);
    Vec3 axis = q4_rotate(joint->parent_rotation, v3(0, 0, 1));
    CHECK_NEAR(v3_distance(axis, v3(0, -1, 0)), 0, 1e-15);
    CHECK(joint->parent.number == body_number(&c, "arm/link3"));
    CHECK(joint->child.number == body_number(&c, "arm/link4"));
    CHECK(joint_named(&c, "arm/hand_mount")->kind == LITHE_JOINT_WELD);
    CHECK(joint_named(&c, "arm/finger_joint_left")->kind == LITHE_JOINT_PRISMATIC);
    CHECK(pair_ignored(&c, "arm/link3", "arm/link4"));
    CHECK(pair_ignored(&c, "arm/base", "arm/link1"));
    CHECK(pair_ignored(&c, "arm/finger_left", "arm/link7")); // across the weld of the hand
    CHECK(!pair_ignored(&c, "arm/link3", "arm/link5"));
    CHECK(!pair_ignored(&c, "arm/finger_left", "arm/finger_right"));
    case_end(&c);
}

TEST(two_robots_of_one_file_stand_side_by_side) {
    Case c = case_begin();
    LitheRobotDef def = lithe_robot_def_default();
    def.path = arm7;
    def.name = "left";
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &def, &c.error)));
    def.name = "right";
    def.at = v3(1, 2, 3);
    def.rotation = q4_exp(v3(1.5707963267948966, 0, 0)); // lies along -y
    def.floating = true;
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &def, &c.error)));
    const LitheBodyDef *hand = body_named(&c, "right/hand");
    FATAL(hand);
    CHECK_NEAR(v3_distance(hand->at, v3(1, 2 - 1.18, 3)), 0, 1e-12);
    CHECK(!body_named(&c, "right/base")->fixed);
    CHECK(joint_named(&c, "right/joint1")->child.number == body_number(&c, "right/link1"));
    case_end(&c);
}

TEST(every_failed_allocation_is_reported_and_leaves_the_scene_as_it_was) {
    LitheRobotDef def = lithe_robot_def_default();
    def.name = "arm";
    def.path = arm7;
    LitheStatus status = LITHE_NO_MEMORY;
    int64_t n = 0;
    while (status == LITHE_NO_MEMORY && n < 2000) {
        Case c = case_begin();
        lithe_context_fail_at(c.context, ++n);
        status = lithe_scene_add_robot(c.scene, &def, &c.error);
        lithe_context_fail_at(c.context, 0);
        if (status) {
            CHECK(c.scene->body_count == 0 && c.scene->joint_count == 0);
            CHECK(lithe_scene_note_count(c.scene) == 0);
            CHECK_TEXT(c.error.text, "out of memory");
        }
        case_end(&c);
    }
    CHECK(status == LITHE_OK);
    CHECK(n > 50);
}

// --- small URDF ----------------------------------------------------------------------------------

#define MASS "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define HANGS(name, type, parent, child) \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>"

TEST(inertia_is_turned_and_moved_with_its_frame) {
    Case c = case_begin();
    FATAL(case_ok(
        &c, parse(&c, "a.urdf",
                  "<robot name='r'><link name='a'><inertial>"
                  "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='4'/>"
                  "<inertia ixx='1' iyy='2' izz='2.5' ixy='0.1'/></inertial></link></robot>")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a);
    CHECK_NEAR(a->mass, 4, 0);
    CHECK_NEAR(v3_distance(a->centre, v3(1, 2, 3)), 0, 1e-15);
    // a quarter turn about z swaps xx and yy and changes the sign of xy
    CHECK_NEAR(a->inertia[0], 2, 1e-14);
    CHECK_NEAR(a->inertia[1], 1, 1e-14);
    CHECK_NEAR(a->inertia[2], 2.5, 1e-14);
    CHECK_NEAR(a->inertia[3], -0.1, 1e-14);
    case_end(&c);
}

TEST(roll_pitch_yaw_turn_about_fixed_axes) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.urdf",
                            "<robot name='r'><link name='a'>" MASS "</link><link name='b'>" MASS
                            "</link>" HANGS("j", "floating", "a",
                                            "b") "<origin xyz='0 0 1' rpy='1.5707963267948966 "
                                                 "1.5707963267948966 0'/></joint></robot>")));
    // about x: y -> z; then about y: z -> x. So y ends on x.
    Vec3 y = q4_rotate(body_named(&c, "r/b")->rotation, v3(0, 1, 0));
    CHECK_NEAR(v3_distance(y, v3(1, 0, 0)), 0, 1e-15);
    CHECK(joint_named(&c, "r/j")->kind == LITHE_JOINT_FREE);
    case_end(&c);
}

TEST(frames_without_mass_join_the_link_they_are_fixed_to) {
    Case c = case_begin();
    FATAL(case_ok(
        &c, parse(&c, "a.urdf",
                  "<robot name='r'><link name='a'>" MASS "</link>\n"
                  "<link name='tool'><collision><origin xyz='0 0 1'/><geometry><sphere radius='1'/>"
                  "</geometry></collision></link>\n"
                  "<link name='b'>" MASS
                  "</link>" HANGS("f", "fixed", "a", "tool") "<origin xyz='0 5 0'/></joint>" HANGS(
                      "j", "continuous", "tool", "b") "<origin xyz='1 0 0'/></joint></robot>")));
    CHECK(c.scene->body_count == 2);
    CHECK(body_named(&c, "r/tool") == NULL);
    CHECK(body_named(&c, "r/a")->geom_count == 1);
    CHECK_NEAR(v3_distance(body_named(&c, "r/a")->geoms[0].at, v3(0, 5, 1)), 0, 1e-15);
    const LitheJointDef *joint = joint_named(&c, "r/j");
    FATAL(joint);
    CHECK(joint->parent.number == body_number(&c, "r/a"));
    CHECK_NEAR(v3_distance(joint->parent_at, v3(1, 5, 0)), 0, 1e-15);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "a.urdf:2: link 'tool' has no mass and is fixed to 'a': it does not become a body; "
               "its origin is {on: r/a, at: [0, 5, 0]}");
    case_end(&c);
}

TEST(frames_without_shapes_can_be_named) {
    Case c = case_begin();
    FATAL(case_ok(
        &c, parse(&c, "a.urdf",
                  "<robot name='r'><link name='a'>" MASS "</link><link name='tool'/>"
                  "<link name='b'>" MASS
                  "</link>" HANGS("f", "fixed", "a", "tool") "<origin xyz='0 5 0'/></joint>" HANGS(
                      "j", "continuous", "tool", "b") "<origin xyz='1 0 0'/></joint>"
                                                      "</robot>")));
    CHECK(c.scene->body_count == 3);
    const LitheBodyDef *tool = body_named(&c, "r/tool");
    FATAL(tool);
    CHECK_NEAR(tool->mass, 0, 0);
    CHECK_NEAR(v3_distance(tool->at, v3(0, 5, 0)), 0, 1e-15);
    CHECK(joint_named(&c, "r/f")->kind == LITHE_JOINT_WELD);
    CHECK(joint_named(&c, "r/j")->parent.number == body_number(&c, "r/tool"));
    CHECK(lithe_scene_note_count(c.scene) == 0);
    // the model takes it
    LitheModel *model = NULL;
    LitheState *state = NULL;
    FATAL(case_ok(&c, lithe_compile(c.scene, &model, &state, &c.error)));
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    case_end(&c);
}

TEST(a_floating_robot_begins_with_the_first_link_of_mass) {
    Case c = case_begin();
    c.def.floating = true;
    FATAL(case_ok(&c, parse(&c, "a.urdf",
                            "<robot name='r'><link name='footprint'/><link name='a'>" MASS
                            "</link>" HANGS("f", "fixed", "footprint",
                                            "a") "<origin xyz='0 0 2'/></joint></robot>")));
    CHECK(c.scene->body_count == 1);
    CHECK_NEAR(body_named(&c, "r/a")->at.z, 2, 1e-15);
    CHECK(!body_named(&c, "r/a")->fixed);
    case_end(&c);
}

TEST(names_are_written_as_scenes_write_them) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.urdf", "<robot><link name='left arm.1'/></robot>")));
    CHECK(body_named(&c, "r/left_arm_1") != NULL);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "a.urdf:1: the name 'left arm.1' is written 'left_arm_1' here");
    case_end(&c);
}

TEST(inertia_that_misses_the_triangle_rule_by_rounding_is_settled) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.urdf",
                            "<robot name='r'><link name='a'><inertial><mass value='4'/>"
                            "<inertia ixx='1' iyy='2' izz='3.02'/></inertial></link></robot>")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a);
    CHECK_NEAR(a->inertia[0] + a->inertia[1], a->inertia[2], 1e-14);
    CHECK_TEXT(lithe_scene_note(c.scene, 0), "its largest is lowered");
    case_end(&c);
}

TEST(what_is_not_understood_is_listed_with_file_and_line) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.urdf",
                            "<?xml version='1.0'?>\n<robot name='r' xmlns:x='urn:x'>\n"
                            "<material name='red'><color rgba='1 0 0 1'/></material>\n"
                            "<link\n name='a'>" MASS
                            "<visual><geometry><box size='1 1 1'/></geometry></visual>"
                            "</link>\n<link name='b'>" MASS "</link>\n" HANGS(
                                "j", "prismatic", "a",
                                "b") "<limit lower='0.5' upper='2' effort='1' velocity='1' "
                                     "jerk='3'/>"
                                     "<mimic joint='k'/></joint>\n"
                                     "<transmission name='t'><type>x</type></transmission>\n"
                                     "<transmission name='u'/>\n<x:thing/>\n</robot>")));
    CHECK(lithe_scene_note_count(c.scene) == 5);
    CHECK_TEXT(lithe_scene_note(c.scene, 0),
               "a.urdf:4: link 'a' has <visual> but no <collision>: it touches nothing");
    CHECK_TEXT(lithe_scene_note(c.scene, 1), "a.urdf:7: <mimic> is ignored: joint 'j' moves");
    CHECK_TEXT(lithe_scene_note(c.scene, 2),
               "a.urdf:7: <limit>: attribute 'jerk' is not supported and ignored");
    CHECK_TEXT(lithe_scene_note(c.scene, 3),
               "a.urdf:8: <transmission> is not supported and ignored (here and 1 time more)");
    CHECK_TEXT(lithe_scene_note(c.scene, 4), "a.urdf:10: <x:thing> is not supported");
    CHECK_NEAR(joint_named(&c, "r/j")->position, 0.5, 0);
    case_end(&c);
}

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "a.urdf:1:1: Document is empty"},
    {"<robot", "a.urdf:1:"},
    {"<robot><link name='a'></robot>", "a.urdf:1:"},
    {"hello", "a.urdf:1:1:"},
    {"\xff\xfe<", "a.urdf:1: byte 0xff: this is not UTF-8 text"},
    {"<mujoco/>", "a.urdf:1: <mujoco> where URDF has <robot>"},
    {"<robot/>", "<robot> has no <link>"},
    {"<robot><link/></robot>", "<link> has no name"},
    {"<robot>\n<link name='a'/>\n<link name='a'/></robot>",
     "a.urdf:3: there is a link 'a' in line 2 already"},
    {"<robot><link name='a'/><link name='b'/></robot>",
     "links 'a' and 'b' are children of no joint"},
    {"<robot><link name='a'/>" HANGS("j", "fixed", "a", "a") "</joint></robot>",
     "form a closed loop"},
    {"<robot><link name='w'/><link name='a'/><link name='b'/>" HANGS(
         "j", "fixed", "a", "b") "</joint>" HANGS("k", "fixed", "b", "a") "</joint></robot>",
     "link 'a' is not connected to the root: its joints form a closed loop"},
    {"<robot><link name='w'/><link name='a'/>" HANGS("j", "fixed", "w", "a") "</joint>" HANGS(
         "k", "fixed", "w", "a") "</joint></robot>",
     "joint 'k': link 'a' already is the child of joint 'j'"},
    {"<robot><link name='w'/>" HANGS("j", "fixed", "w", "x") "</joint></robot>",
     "joint 'j': no link named 'x'"},
    {"<robot><link name='w'/><link name='a'/>" HANGS("j", "hinge", "w", "a") "</joint></robot>",
     "link 'a' moves and has no mass"},
    {"<robot><link name='w'/><link name='a'>" MASS
     "</link>" HANGS("j", "hinge", "w", "a") "</joint></robot>",
     "joint 'j': type 'hinge' is none of"},
    {"<robot><link name='w'/><link name='a'>" MASS
     "</link>" HANGS("j", "revolute", "w", "a") "</joint></robot>",
     "joint 'j' is revolute and has no <limit>"},
    {"<robot><link name='w'/><link name='a'>" MASS
     "</link>" HANGS("j", "continuous", "w", "a") "<axis xyz='0 0 0'/></joint></robot>",
     "the axis has no direction"},
    {"<robot><link name='w'/><link name='a'>" MASS
     "</link>" HANGS("j", "revolute", "w", "a") "<limit lower='1' upper='-1'/></joint></robot>",
     "joint 'j': lower is 1, above upper, -1"},
    {"<robot><link name='a'><inertial><mass value='0'/><inertia ixx='1' iyy='1' "
     "izz='1'/></inertial></link></robot>",
     "link 'a': mass is 0 kg, must be > 0"},
    {"<robot><link name='a'><inertial><mass value='nan'/><inertia/></inertial></link></robot>",
     "<mass>: value: 'nan' is not a number"},
    {"<robot><link name='a'><inertial><mass value='1,5'/><inertia/></inertial></link></robot>",
     "<mass>: value: '1,5' has a comma"},
    {"<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
     "izz='-1'/></inertial></link></robot>",
     "principal moment of -1"},
    {"<robot><link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
     "izz='5'/></inertial></link></robot>",
     "none exceeds the sum of the other two"},
    {"<robot><link name='a'><collision><geometry><box size='1 1'/></geometry></collision></link>"
     "</robot>",
     "<box>: size has 2 numbers, expected 3"},
    {"<robot><link name='a'><collision><geometry><sphere radius='-1'/></geometry></collision>"
     "</link></robot>",
     "<sphere>: radius is -1 m, must be > 0"},
    {"<robot><link name='a'><collision><geometry><mesh filename='a.stl'/></geometry></collision>"
     "</link></robot>",
     "<mesh>: a robot given as text cannot refer to files"},
    {"<robot><link name='a'><inertial><origin rpy='1e200 0 0'/><mass value='1'/><inertia ixx='1' "
     "iyy='1' izz='1'/></inertial></link></robot>",
     "<origin>: rpy is too large"},
    {"<robot><link name='w'/><link name='a'>" MASS
     "</link>" HANGS("j", "continuous", "w", "a") "<axis xyz='1e200 0 0'/></joint></robot>",
     "the axis has no direction"},
    {"<robot xmlns:xacro='x'>\n<xacro:property name='a'/></robot>",
     "a.urdf:2: <xacro:property>: this is xacro"},
    {"<!DOCTYPE r [<!ENTITY a 'aaaa'>]><robot/>", "a.urdf:1: a document type"},
    {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'><robot/>", "a document type"},
    {"<robot>&a;</robot>", "a.urdf:1:"},
};

TEST(wrong_files_get_one_clear_message_and_leave_the_scene_as_it_was) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Case c = case_begin();
        LitheStatus status = parse(&c, "a.urdf", refused[i].text);
        if (!CHECK(status == LITHE_BAD_INPUT))
            printf("  in %s\n", refused[i].text);
        CHECK_TEXT(c.error.text, refused[i].message);
        CHECK(c.scene->body_count == 0 && c.scene->note_count == 0);
        case_end(&c);
    }
}

TEST(deep_nesting_many_attributes_and_huge_names_are_refused) {
    Case c = case_begin();
    static char text[40000];
    char *at = text;
    for (int i = 0; i < 5000; i++)
        at += sprintf(at, "<a>");
    CHECK(parse(&c, "a.urdf", text) == LITHE_BAD_INPUT);
    CHECK_TEXT(c.error.text, "nest deeper than 200");
    at = text + sprintf(text, "<robot");
    for (int i = 0; i < 1500; i++)
        at += sprintf(at, " a%d='0'", i);
    sprintf(at, "/>");
    CHECK(parse(&c, "a.urdf", text) == LITHE_BAD_INPUT);
    CHECK_TEXT(c.error.text, "more than 1000 attributes");
    sprintf(text, "<robot><link name='%0300d'/></robot>", 1);
    CHECK(parse(&c, "a.urdf", text) == LITHE_BAD_INPUT);
    CHECK_TEXT(c.error.text, "the name has 300 bytes");
    case_end(&c);
}
