// SPDX-License-Identifier: Apache-2.0
// tests/import/test_import_dae.c - meshes of COLLADA: polygons, places, colours, broken files

#include "test.h"

#include "import/import_case.h"

#include "lithe/lithe.h"

#include <stdlib.h>
#include <unistd.h>

#define MASS \
    "<inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>" \
    "</inertial>"

// a unit square of four points in the plane z = 0, with the primitive PRIMITIVE
#define GEOMETRY(id, primitive) \
    "<geometry id='" id "'><mesh><source id='" id \
    "-x'><float_array count='12'>0 0 0 1 0 0\n1 1 0 " \
    "0 1 0</float_array><technique_common><accessor count='4' stride='3' source='#a'/>" \
    "</technique_common></source><vertices id='" id "-v'><input semantic='POSITION' source='#" id \
    "-x'/></vertices>" primitive "</mesh></geometry>"
#define INPUT(id) "<input semantic='VERTEX' source='#" id "-v' offset='0'/>"
#define INPUT2(id) INPUT(id) "<input semantic='NORMAL' source='#none' offset='1'/>"
#define TRIANGLES(id) \
    "<triangles count='2' material='red'>" INPUT(id) "<p>0 1 2 0 2 3</p></triangles>"
#define EFFECT(name, colour) \
    "<effect id='" name "-e'><profile_COMMON><technique><phong><diffuse><color>" colour \
    "</color></diffuse></phong></technique></profile_COMMON></effect>"
#define MATERIAL(name) "<material id='" name "-m'><instance_effect url='#" name "-e'/></material>"
#define BIND(symbol, name) \
    "<bind_material><technique_common><instance_material symbol='" symbol "' target='#" name \
    "-m'/></technique_common></bind_material>"
#define DAE(geometries, nodes) \
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema'>" \
    "<asset><unit meter='0.5'/><up_axis>Z_UP</up_axis></asset><library_effects>" EFFECT("red", \
                                                                                        "1 0 0 1") \
        EFFECT("blue", "0 0 1 1") "</library_effects><library_materials>" MATERIAL("red") \
            MATERIAL( \
                "blue") "</library_materials><library_geometries>" geometries \
                        "</library_geometries><library_visual_scenes><visual_scene id='s'>" nodes \
                        "</visual_scene></library_visual_scenes><scene><instance_visual_scene " \
                        "url='#s'/></scene>" \
                        "</COLLADA>"
#define PLAIN "<node><instance_geometry url='#a'/></node>"

static char folder[64];

static void put(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

// a robot whose only link is drawn by a.dae
static LitheStatus load(Case *c, const char *dae, const char *kind, const char *material) {
    static char path[200];
    char robot[1000];
    snprintf(folder, sizeof folder, "/tmp/lithe-dae-XXXXXX");
    if (!mkdtemp(folder))
        return LITHE_FILE_ERROR;
    snprintf(robot, sizeof robot,
             "<robot name='r'><link name='a'>" MASS
             "<%s><geometry><mesh filename='a.dae'/></geometry>%s</%s></link></robot>",
             kind, material, kind);
    put("a.dae", dae);
    put("r.urdf", robot);
    snprintf(path, sizeof path, "%s/r.urdf", folder);
    c->def.path = path;
    LitheStatus status = lithe_scene_add_robot(c->scene, &c->def, &c->error);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) == 0 ? status : LITHE_FILE_ERROR;
}

static double area_of(const LitheGeomDef *geom) {
    double sum = 0;
    for (int32_t i = 0; i < geom->triangle_count; i++) {
        const int32_t *t = geom->triangles + 3 * i;
        Vec3 a = geom->points[t[0]], b = geom->points[t[1]], c = geom->points[t[2]];
        // signed, as seen from above
        sum += 0.5 * v3_cross(v3_sub(b, a), v3_sub(c, a)).z;
    }
    return sum;
}

TEST(every_primitive_draws_the_square_in_the_unit_of_the_file) {
    static const char *const primitives[] = {
        "<triangles count='2'>" INPUT("a") "<p>0 1 2 0 2 3</p></triangles>",
        "<triangles count='2'>" INPUT2("a") "<p>0 9 1 9 2 9 0 9 2 9 3 9</p></triangles>",
        "<polylist count='1'>" INPUT("a") "<vcount>4</vcount><p>0 1 2 3</p></polylist>",
        "<polygons count='1'>" INPUT("a") "<p>0 1 2 3</p></polygons>",
        "<trifans count='1'>" INPUT("a") "<p>0 1 2 3</p></trifans>",
        "<tristrips count='1'>" INPUT("a") "<p>0 1 3 2</p></tristrips>",
    };
    for (size_t i = 0; i < sizeof primitives / sizeof *primitives; i++) {
        char text[4000];
        snprintf(text, sizeof text, DAE(GEOMETRY("a", "%s"), PLAIN), primitives[i]);
        Case c = case_begin();
        FATAL(case_ok(&c, load(&c, text, "visual", "")));
        const LitheBodyDef *a = body_named(&c, "r/a");
        FATAL(a && a->geom_count == 1 && a->geoms[0].visual);
        CHECK(a->geoms[0].triangle_count == 2 && a->geoms[0].point_count == 4);
        CHECK_NEAR(area_of(&a->geoms[0]), 0.25, 1e-15);
        CHECK(a->geoms[0].colour.x < 0);
        case_end(&c);
    }
}

TEST(nodes_move_turn_mirror_and_repeat_what_they_have) {
    // x to y, then up by 3, then along x by 5, all in halves of a metre
    Case c = case_begin();
    FATAL(
        case_ok(&c, load(&c,
                         DAE(GEOMETRY("a", TRIANGLES("a")),
                             "<node><translate>5 0 0</translate><node><matrix>1 0 0 0 0 1 0 0 0 0 "
                             "1 3 0 0 0 1</matrix><rotate>0 0 1 90</rotate>"
                             "<instance_geometry url='#a'/></node></node>"),
                         "visual", "")));
    const LitheGeomDef *geom = &body_named(&c, "r/a")->geoms[0];
    Vec3 low = geom->points[0], high = low;
    for (int32_t i = 0; i < geom->point_count; i++) {
        low = v3(fmin(low.x, geom->points[i].x), fmin(low.y, geom->points[i].y),
                 fmin(low.z, geom->points[i].z));
        high = v3(fmax(high.x, geom->points[i].x), fmax(high.y, geom->points[i].y),
                  fmax(high.z, geom->points[i].z));
    }
    CHECK_NEAR(low.x, 2, 1e-14);
    CHECK_NEAR(high.x, 2.5, 1e-14);
    CHECK_NEAR(low.y, 0, 1e-14);
    CHECK_NEAR(high.y, 0.5, 1e-14);
    CHECK(low.z == 1.5 && high.z == 1.5);
    case_end(&c);

    // a mirrored square faces the same side: its corners are taken in reverse
    c = case_begin();
    FATAL(case_ok(&c, load(&c,
                           DAE(GEOMETRY("a", TRIANGLES("a")),
                               "<node><scale>-1 1 1</scale><instance_geometry url='#a'/></node>"
                               "<node id='n'><scale>3 1 1</scale><instance_geometry "
                               "url='#a'/></node><node><translate>0 0 9</translate>"
                               "<instance_node url='#n'/></node>"),
                           "visual", "")));
    CHECK_NEAR(area_of(&body_named(&c, "r/a")->geoms[0]), 0.25 * (1 + 3 + 3), 1e-14);
    case_end(&c);
}

#define TWO \
    DAE(GEOMETRY("a", TRIANGLES("a")) GEOMETRY("b", TRIANGLES("b")), \
        "<node><instance_geometry url='#a'>" BIND( \
            "red", \
            "red") "</instance_geometry>" \
                   "<instance_geometry url='#b'>" BIND( \
                       "red", \
                       "blue") "</instance_geometry>" \
                               "<translate>0 0 1</translate><instance_geometry url='#a'>" BIND( \
                                   "red", "red") "</instance_geometry></node>")

TEST(each_colour_is_a_part_and_the_material_of_the_robot_replaces_them) {
    Case c = case_begin();
    FATAL(case_ok(&c, load(&c, TWO, "visual", "")));
    const LitheBodyDef *a = body_named(&c, "r/a");
    FATAL(a && a->geom_count == 2);
    CHECK(a->geoms[0].colour.x == 1 && a->geoms[0].colour.z == 0);
    CHECK(a->geoms[1].colour.x == 0 && a->geoms[1].colour.z == 1);
    CHECK(a->geoms[0].triangle_count == 4 && a->geoms[1].triangle_count == 2);
    case_end(&c);

    c = case_begin();
    FATAL(case_ok(
        &c, load(&c, TWO, "visual", "<material name='g'><color rgba='0 1 0 1'/></material>")));
    a = body_named(&c, "r/a");
    FATAL(a && a->geom_count == 2);
    CHECK(a->geoms[0].colour.y == 1 && a->geoms[1].colour.y == 1);
    case_end(&c);

    // what touches is one convex hull of all parts
    c = case_begin();
    FATAL(case_ok(&c, load(&c, TWO, "collision", "")));
    a = body_named(&c, "r/a");
    FATAL(a && a->geom_count == 1);
    CHECK(!a->geoms[0].visual && a->geoms[0].kind == LITHE_GEOM_CONVEX_MESH);
    CHECK(a->geoms[0].point_count == 8);
    case_end(&c);
}

TEST(broken_files_name_the_line_and_what_is_wrong) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"<a/>", "a COLLADA file begins with <COLLADA>"},
        {"<COLLADA>", "a.dae:1"},
        {"<COLLADA/>", "has no <visual_scene>"},
        {"<COLLADA><asset>\n<unit meter='0'/></asset></COLLADA>", "a.dae:2: <unit>: meter is 0"},
        {DAE("", PLAIN), "there is no element 'a'"},
        {DAE("", ""), "has no triangles"},
        {DAE(GEOMETRY("a", "<triangles>" INPUT("a") "<p>0 1 4</p></triangles>"), PLAIN),
         "<p> refers to point 4, there are 0 to 3"},
        {DAE(GEOMETRY("a", "<triangles>" INPUT("a") "<p>0 1 x</p></triangles>"), PLAIN),
         "'x' is not a number"},
        {DAE(GEOMETRY("a", "<triangles>" INPUT("a") "<p>0 1 -1</p></triangles>"), PLAIN),
         "refers to point -1"},
        {DAE(GEOMETRY("a", "<triangles><p>0 1 2</p></triangles>"), PLAIN),
         "has no <input> with the semantic VERTEX"},
        {DAE(GEOMETRY("a", "<polylist>" INPUT("a") "<vcount>5</vcount><p>0 1 2 3</p></polylist>"),
             PLAIN),
         "a polygon has 5 corners, <p> has 4 numbers"},
        {DAE(GEOMETRY("a", "<polylist>" INPUT("a") "<vcount>3 3</vcount><p>0 1 2 3</p></polylist>"),
             PLAIN),
         "<p> has 4 numbers, too few"},
        {DAE(GEOMETRY("a", TRIANGLES("a")),
             "<node><scale>1e300 1 1</scale><scale>1e300 1 1</scale><instance_geometry "
             "url='#a'/></node>"),
         "is too far away"},
        {DAE(GEOMETRY("a", TRIANGLES("a")),
             "<node><rotate>1e200 0 0 90</rotate><instance_geometry url='#a'/></node>"),
         "<rotate>: the axis is too long: 1e+200 0 0"},
        {DAE("", "<node id='n'><instance_node url='#n'/></node>"), "nodes nest deeper than 64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_begin();
        FATAL(case_ok(&c, load(&c, cases[i].text, "visual", "")));
        CHECK(body_named(&c, "r/a")->geom_count == 0);
        CHECK_TEXT(lithe_scene_note(c.scene, 0), cases[i].message);
        CHECK_TEXT(lithe_scene_note(c.scene, 0), "visual of link 'a': ");
        case_end(&c);
        c = case_begin();
        CHECK(load(&c, cases[i].text, "collision", "") != LITHE_OK);
        CHECK_TEXT(c.error.text, cases[i].message);
        case_end(&c);
    }
}

// 2^40 instances of a node would take years
TEST(files_that_repeat_themselves_exponentially_are_refused) {
    static char text[20000];
    int n = snprintf(text, sizeof text,
                     "<COLLADA><library_visual_scenes><visual_scene>"
                     "<instance_node url='#n0'/></visual_scene>");
    for (int i = 0; i < 40; i++)
        n +=
            snprintf(text + n, sizeof text - (size_t)n,
                     "<node id='n%d'><instance_node url='#n%d'/><instance_node url='#n%d'/></node>",
                     i, i + 1, i + 1);
    snprintf(text + n, sizeof text - (size_t)n,
             "<node id='n40'/></library_visual_scenes></COLLADA>");
    Case c = case_begin();
    CHECK(load(&c, text, "collision", "") == LITHE_BAD_INPUT);
    CHECK_TEXT(c.error.text, "refers to its parts too often");
    case_end(&c);
}
