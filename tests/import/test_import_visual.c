// SPDX-License-Identifier: Apache-2.0
// tests/import/test_import_visual.c - what robots look like: visual shapes and colours

#include "test.h"

#include "import/import_case.h"

#include "lithe/lithe.h"

#include <stdlib.h>
#include <unistd.h>

#define MASS \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>" \
    "</inertial>"
#define BOX(kind, size) "<" kind "><geometry><box size='" size "'/></geometry></" kind ">"
#define FIXED(parent, child) \
    "<joint name='f' type='fixed'><parent link='" parent "'/><child link='" child "'/></joint>"

static bool is_colour(LitheVec3 c, double r, double g, double b) {
    return c.x == r && c.y == g && c.z == b;
}

static int32_t visuals_of(const LitheBodyDef *body) {
    int32_t count = 0;
    for (int32_t i = 0; i < body->geom_count; i++)
        count += body->geoms[i].visual;
    return count;
}

// whether some note has this text
static bool is_noted(const Case *c, const char *text) {
    for (int32_t i = 0; i < lithe_scene_note_count(c->scene); i++)
        if (strstr(lithe_scene_note(c->scene, i), text))
            return true;
    for (int32_t i = 0; i < lithe_scene_note_count(c->scene); i++)
        printf("  %s\n", lithe_scene_note(c->scene, i));
    return false;
}

TEST(urdf_visuals_have_the_colours_of_their_materials_and_no_mass) {
    Case c = case_begin();
    FATAL(case_ok(
        &c, parse(&c, "a.urdf",
                  "<robot name='r'><material name='blue'><color rgba='0 0 1 1'/></material>"
                  "<link name='a'>" MASS
                  "<visual><origin xyz='0 0 3'/><geometry><sphere radius='0.2'/></geometry>"
                  "<material name='blue'/></visual>"
                  "<visual><geometry><box size='1 1 1'/></geometry>"
                  "<material name='mine'><color rgba='0.5 0.25 0 1'/></material></visual>"
                  "<visual><geometry><box size='1 1 1'/></geometry><material name='mine'/></visual>"
                  "<visual><geometry><box size='1 1 1'/></geometry><material name='no'/></visual>"
                  "<collision><geometry><box size='1 2 1'/></geometry></collision>"
                  "</link></robot>")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a && a->geom_count == 5 && visuals_of(a) == 4);
    CHECK(a->geoms[0].kind == LITHE_GEOM_SPHERE && a->geoms[0].at.z == 3);
    CHECK(is_colour(a->geoms[0].colour, 0, 0, 1));
    CHECK(is_colour(a->geoms[1].colour, 0.5, 0.25, 0));
    CHECK(is_colour(a->geoms[2].colour, 0.5, 0.25, 0));
    CHECK(a->geoms[3].colour.x < 0);
    CHECK(is_noted(&c, "material 'no' has no colour: grey is drawn"));
    CHECK(!a->geoms[4].visual && a->geoms[4].size.y == 2);
    CHECK(a->mass == 2);
    case_end(&c);
}

TEST(a_missing_visual_mesh_is_noted_and_the_collision_shape_is_drawn) {
    Case c = case_begin();
    FATAL(case_ok(&c,
                  parse(&c, "a.urdf",
                        "<robot name='r'>\n<link name='hand'>" MASS
                        "\n<visual><geometry><mesh filename='gone.stl'/></geometry></visual>"
                        "\n" BOX("visual", "3 3 3") BOX("collision", "1 2 1") "</link></robot>")));
    const LitheBodyDef *hand = body_named(&c, "r/hand");
    CHECK(hand->geom_count == 1 && !hand->geoms[0].visual);
    CHECK(is_noted(&c, "a.urdf:3: visual of link 'hand': "));
    CHECK(is_noted(&c, "the collision shape is drawn instead"));
    case_end(&c);

    // a format that is not read
    c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.urdf",
                            "<robot name='r'><link name='a'>" MASS
                            "<visual><geometry><mesh filename='a.ply'/></geometry></visual>"
                            "</link></robot>")));
    CHECK(is_noted(&c,
                   "visual of link 'a': <mesh>: 'a.ply' is none of .stl, .obj, .dae: this shape is "
                   "not drawn"));
    case_end(&c);

    // a shape that touches is needed
    c = case_begin();
    CHECK(parse(&c, "a.urdf",
                "<robot name='r'><link name='a'>" MASS
                "<collision><geometry><mesh filename='gone.stl'/></geometry></collision>"
                "</link></robot>") == LITHE_BAD_INPUT);
    case_end(&c);
}

TEST(a_missing_visual_names_its_file) {
    char folder[] = "/tmp/lithe-visual-XXXXXX", path[100];
    FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/r.urdf", folder);
    FILE *file = fopen(path, "w");
    FATAL(file);
    fputs("<robot name='r'><link name='hand'>" MASS
          "<visual><geometry><mesh filename='meshes/gone.stl'/></geometry></visual>"
          "<visual><geometry><mesh filename='two.stl'/></geometry></visual>" BOX(
              "collision", "1 2 1") "</link></robot>",
          file);
    fclose(file);
    Case c = case_begin();
    c.def.path = path;
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &c.def, &c.error)));
    CHECK(is_noted(&c, "visual of link 'hand': "));
    CHECK(is_noted(&c, "meshes/gone.stl"));
    CHECK(is_noted(&c, "two.stl"));
    case_end(&c);

    // an open mesh with triangles of both orientations may be drawn, but not touched
    snprintf(path, sizeof path, "%s/two.stl", folder);
    file = fopen(path, "w");
    FATAL(file);
    fputs("solid a\n"
          "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
          "endloop\nendfacet\n"
          "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\n"
          "endloop\nendfacet\nendsolid a\n",
          file);
    fclose(file);
    snprintf(path, sizeof path, "%s/s.urdf", folder);
    file = fopen(path, "w");
    FATAL(file);
    fputs("<robot name='r'><link name='hand'>" MASS
          "<visual><geometry><mesh filename='two.stl' scale='2 1 1'/></geometry></visual>" BOX(
              "collision", "1 2 1") "</link></robot>",
          file);
    fclose(file);
    c = case_begin();
    c.def.path = path;
    FATAL(case_ok(&c, lithe_scene_add_robot(c.scene, &c.def, &c.error)));
    const LitheBodyDef *hand = body_named(&c, "r/hand");
    FATAL(hand && hand->geom_count == 2 && hand->geoms[0].visual);
    CHECK(hand->geoms[0].kind == LITHE_GEOM_TRIANGLE_MESH && hand->geoms[0].triangle_count == 2);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    CHECK(lithe_compile(c.scene, &model, &state, &c.error) == LITHE_OK);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    case_end(&c);
    char command[200];
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(system(command) == 0);
}

TEST(a_link_without_visual_is_drawn_by_what_touches_even_when_it_joins_another) {
    Case c = case_begin();
    FATAL(
        case_ok(&c, parse(&c, "a.urdf",
                          "<robot name='r'><link name='a'>" MASS BOX("visual", "1 1 1")
                              BOX("collision", "2 2 2") "</link><link name='tool'>" BOX(
                                  "collision", "3 3 3") "</link>" FIXED("a", "tool") "</robot>")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a && a->geom_count == 4 && visuals_of(a) == 2);
    CHECK(a->geoms[0].visual && a->geoms[0].size.x == 1);
    CHECK(!a->geoms[1].visual && !a->geoms[2].visual);
    CHECK(a->geoms[3].visual && a->geoms[3].size.x == 3 && a->geoms[3].group == 1);
    case_end(&c);
}

TEST(mjcf_shapes_that_do_not_collide_are_visual_and_keep_their_mass) {
    static const char *const text =
        "<mujoco><default><default class='look'><geom contype='0' conaffinity='0' group='2' "
        "material='metal'/></default></default>"
        "<asset><material name='metal' rgba='0.1 0.2 0.3 1'/></asset>"
        "<worldbody><geom type='plane' size='1 1 1'/>"
        "<geom type='box' size='1 1 1' contype='0' conaffinity='0' rgba='1 0 0 1'/>"
        "<body name='a'><freejoint/>"
        "<geom class='look' type='box' size='0.5 0.5 0.5' mass='1'/>"
        "<geom class='look' type='sphere' size='0.5' mass='1' rgba='0 1 0 1'/>"
        "<geom class='look' type='sphere' size='0.5' mass='1' rgba='0 1 0 0'/>"
        "<geom type='box' size='1 1 1' mass='1' rgba='1 1 0 1'/>"
        "<geom type='box' size='2 1 1' mass='1' group='3'/>"
        "</body></worldbody></mujoco>";
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml", text)));
    const LitheBodyDef *a = body_named(&c, "r/a"), *world = body_named(&c, "r/world");
    FATAL(a && world);
    CHECK_NEAR(a->mass, 5, 1e-12);
    // two that are drawn, two that touch, and a copy of the one that is also seen
    FATAL(a->geom_count == 5 && visuals_of(a) == 3);
    CHECK(is_colour(a->geoms[0].colour, 0.1, 0.2, 0.3) && a->geoms[0].visual);
    CHECK(is_colour(a->geoms[1].colour, 0, 1, 0) && a->geoms[1].visual);
    CHECK(a->geoms[0].material.number == 0);
    CHECK(!a->geoms[2].visual && is_colour(a->geoms[2].colour, 1, 1, 0));
    CHECK(!a->geoms[3].visual && a->geoms[3].size.x == 4);
    CHECK(a->geoms[4].visual && a->geoms[4].size.x == 2 && is_colour(a->geoms[4].colour, 1, 1, 0));
    CHECK(world->geom_count == 2 && visuals_of(world) == 1);
    case_end(&c);
}

TEST(a_missing_mesh_of_mjcf_is_forgiven_only_where_it_gives_no_mass) {
    static const char *const form =
        "<mujoco><asset><mesh name='m' file='gone.stl'/></asset><worldbody><body name='a'>"
        "<freejoint/>%s<geom type='mesh' mesh='m' contype='0' conaffinity='0'/>"
        "<geom type='box' size='1 1 1'/></body></worldbody></mujoco>";
    char text[600];
    Case c = case_begin();
    snprintf(text, sizeof text, form, "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>");
    FATAL(case_ok(&c, parse(&c, "a.xml", text)));
    CHECK(is_noted(&c, "visual of body 'a': "));
    CHECK(body_named(&c, "r/a")->geom_count == 1);
    case_end(&c);
    c = case_begin();
    snprintf(text, sizeof text, form, "");
    CHECK(parse(&c, "a.xml", text) == LITHE_BAD_INPUT);
    case_end(&c);
}
