// SPDX-License-Identifier: Apache-2.0
// tests/import/test_import_hfield.c - height fields of MJCF: three sources, one ground

#include "test.h"

#include "base/memory.h"
#include "import/import_case.h"
#include "record/png.h"
#include "record/synthetic.h"

#define FIELD(attributes) \
    "<mujoco><asset><hfield name='hill' size='3 2 0.5 0.1' " attributes "/></asset>\n" \
    "<worldbody><geom type='hfield' hfield='hill' pos='0 0 1'/></worldbody></mujoco>"

// each number occurs once, so that any wrong row, column or scale is found. Heights of 2 rows and 3
// columns, the near row (-y) first
static const double heights[2][3] = {{6, 2, 4}, {0, 3, 10}};

static void check_ground(const Case *c) {
    const LitheBodyDef *world = body_named(c, "r/world");
    FATAL(world && world->geom_count == 1 && world->fixed);
    const LitheGeomDef *geom = &world->geoms[0];
    CHECK(geom->kind == LITHE_GEOM_HEIGHTFIELD && geom->rows == 2 && geom->columns == 3);
    CHECK(geom->size.x == 6 && geom->size.y == 4 && geom->at.z == 1);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            CHECK_NEAR(geom->heights[3 * i + j], 0.5 * heights[i][j] / 10, 1e-15);
    FATAL(c->scene->note_count == 1);
    CHECK_TEXT(lithe_scene_note(c->scene, 0), ":1: <hfield> is solid all the way down;");
}

TEST(heights_in_the_file_run_from_far_to_near) {
    Case c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml", FIELD("nrow='2' ncol='3' elevation='0 3 10 6 2 4'"))));
    check_ground(&c);
    case_end(&c);
}

TEST(heights_are_stretched_and_none_are_flat) {
    Case c = case_begin();
    // the same ground, lower and ten times as steep
    FATAL(
        case_ok(&c, parse(&c, "a.xml", FIELD("nrow='2' ncol='3' elevation='-7 23 93 53 13 33'"))));
    check_ground(&c);
    case_end(&c);
    c = case_begin();
    FATAL(case_ok(&c, parse(&c, "a.xml", FIELD("nrow='2' ncol='2'"))));
    const LitheGeomDef *geom = &body_named(&c, "r/world")->geoms[0];
    for (int i = 0; i < 4; i++)
        CHECK(geom->heights[i] == 0);
    case_end(&c);
}

static bool put(const TestFolder *folder, const char *name, const void *bytes, size_t size) {
    char path[300];
    FILE *file = fopen(test_path(folder, name, path), "wb");
    bool fine = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && fine;
}

static LitheStatus load(Case *c, const TestFolder *folder, const char *robot) {
    char path[300];
    if (!put(folder, "bot.xml", robot, strlen(robot)))
        return LITHE_FILE_ERROR;
    c->def.path = test_path(folder, "bot.xml", path);
    return lithe_scene_add_robot(c->scene, &c->def, &c->error);
}

TEST(binary_files_and_pictures_give_the_same_ground) {
    TestFolder folder = test_folder();
    struct {
        int32_t rows, columns;
        float heights[6];
    } binary = {2, 3, {6, 2, 4, 0, 3, 10}};
    FATAL(put(&folder, "hill.bin", &binary, sizeof binary));
    uint8_t rgba[24];
    for (int i = 0; i < 6; i++) { // the first row of a picture is the far one
        uint8_t grey = (uint8_t)(20 * heights[1 - i / 3][i % 3]);
        memcpy(rgba + 4 * i, (uint8_t[]){grey, grey, grey, 255}, 4);
    }
    Case c = case_begin();
    char path[300];
    FATAL(lithe_png_write(c.context, test_path(&folder, "hill.png", path), rgba, 3, 2, &c.error) ==
          LITHE_OK);
    FATAL(case_ok(&c, load(&c, &folder, FIELD("file='hill.bin'"))));
    check_ground(&c);
    case_end(&c);
    c = case_begin();
    FATAL(case_ok(&c, load(&c, &folder, FIELD("file='hill.png'"))));
    check_ground(&c);
    case_end(&c);
    test_folder_remove(&folder);
}

TEST(wrong_height_fields_are_refused_by_file_and_line) {
    TestFolder folder = test_folder();
    FATAL(put(&folder, "short.bin", "\2\0\0\0\2\0\0\0\0\0", 10));
    FATAL(put(&folder, "huge.bin", "\xff\xff\xff\xff\xff\xff\xff\xff", 8));
    FATAL(put(&folder, "nan.bin", "\2\0\0\0\2\0\0\0\0\0\300\177\0\0\0\0\0\0\0\0\0\0\0\0", 24));
    FATAL(put(&folder, "bad.png", "no picture", 10));
    static const struct {
        const char *robot, *message;
    } cases[] = {
        {FIELD("nrow='2' ncol='3' elevation='1 2 3'"), "<hfield>: elevation"},
        {FIELD("nrow='1' ncol='3' elevation='1 2 3'"), "has 1 rows and 3 columns"},
        {FIELD("nrow='99999' ncol='99999'"), "more than 20000000 points"},
        {FIELD("nrow='1e30' ncol='2'"), "nrow is 1e+30"},
        {FIELD("file='short.bin'"), "a file of 10 bytes whose header has 2 rows and 2 columns"},
        {FIELD("file='huge.bin'"), "a file of 8 bytes whose header has 4294967295 rows"},
        {FIELD("file='nan.bin'"), "height 0 is not finite"},
        {FIELD("file='bad.png'"), "not a PNG picture"},
        {FIELD("file='none.png'"), "none.png"},
        {FIELD("file='../up.bin'"), "<hfield>"},
        {"<mujoco><asset><hfield name='h' size='1 1 0 1' nrow='2' ncol='2'/></asset><worldbody>"
         "<geom type='hfield' hfield='h'/></worldbody></mujoco>",
         "size is 1 1 0 1, must be > 0"},
        {"<mujoco><worldbody><geom type='hfield' hfield='x'/></worldbody></mujoco>",
         "no hfield named 'x'"},
        {"<mujoco><worldbody><geom type='hfield'/></worldbody></mujoco>",
         "has type hfield, but no hfield is given"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_begin();
        LitheStatus status = load(&c, &folder, cases[i].robot);
        if (!CHECK(status == LITHE_BAD_INPUT || status == LITHE_FILE_ERROR))
            printf("  in %s\n", cases[i].robot);
        CHECK_TEXT(c.error.text, cases[i].message);
        CHECK_TEXT(c.error.text, "bot.xml:1: ");
        CHECK(c.scene->body_count == 0 && c.scene->note_count == 0);
        case_end(&c);
    }
    test_folder_remove(&folder);
}
