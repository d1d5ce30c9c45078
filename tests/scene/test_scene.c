// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_scene.c - a scene has its own copies, and frees all memory

#include "scene/scene.h"

#include "base/memory.h"
#include "refused.h"

static const double times[2] = {0, 1}, values[2] = {3, 4};
static const double per_node[3] = {1, 2, 3}, per_edge[2] = {1, 1.5};
static const char *const also[2] = {"rope.moment", "rope.velocity"};
static const LitheVec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 1}};

// One of everything, with every pointer used. False when out of memory.
static bool fill(LitheScene *scene) {
    LitheProfileDef profile = lithe_profile_def_default();
    profile.times = times;
    profile.values = values;
    profile.count = 2;
    LitheMaterialDef material = lithe_material_def_default();
    material.name = "nylon";
    LitheMaterialId nylon = lithe_scene_add_material(scene, &material);

    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = nylon;
    rod.nodes = 3;
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = 3;
    rod.shape.path = "points.txt";
    rod.node_curvature1 = rod.node_curvature2 = rod.node_twist = per_node;
    rod.node_value_count = 3;
    rod.edge_stretch = per_edge;
    rod.edge_value_count = 2;
    LitheRodId rope = lithe_scene_add_rod(scene, &rod);

    LitheHoldDef hold = lithe_hold_def_default();
    hold.name = "left";
    hold.place.thing = lithe_thing_rod(rope);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "pull";
    drive.place = (LithePlace){.thing = lithe_thing_rod(rope), .node = -1};
    drive.direction = (LitheVec3){1, 0, 0};
    drive.motion = drive.turn = profile;
    LitheForceDef force = lithe_force_def_default();
    force.name = "tip";
    force.place.thing = lithe_thing_rod(rope);
    force.profile = profile;
    LitheNaturalDriveDef curl = lithe_natural_drive_def_default();
    curl.name = "curl";
    curl.rod = rope;
    curl.node_curvature1 = curl.node_curvature2 = curl.node_twist = per_node;
    curl.node_value_count = 3;
    curl.edge_stretch = per_edge;
    curl.edge_value_count = 2;
    curl.profile = profile;
    LitheRecordDef record = {.every = 0.1, .also = also, .also_count = 2};
    return nylon.number && rope.number && lithe_scene_add_hold(scene, &hold) &&
           lithe_scene_add_drive(scene, &drive).number && lithe_scene_add_force(scene, &force) &&
           lithe_scene_add_natural_drive(scene, &curl) && lithe_scene_set_title(scene, "a title") &&
           lithe_scene_set_record(scene, &record);
}

TEST(what_is_added_is_copied_with_all_it_points_to) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene && fill(scene));
    const LitheRodDef *rod = &scene->rods[0];
    CHECK(rod->node_twist != per_node && rod->node_twist[2] == 3);
    CHECK(rod->shape.points != points && rod->shape.points[2].z == 1);
    CHECK_TEXT(rod->shape.path, "points.txt");
    CHECK(rod->edge_stretch != per_edge && rod->edge_stretch[1] == 1.5);
    CHECK(scene->drives[0].turn.values != values && scene->drives[0].turn.values[1] == 4);
    CHECK(scene->forces[0].profile.times[1] == 1);
    CHECK(scene->natural_drives[0].node_curvature2[1] == 2);
    CHECK(scene->record.also != also);
    CHECK_TEXT(scene->record.also[1], "rope.velocity");
    CHECK_TEXT(scene->title, "a title");
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(ids_count_from_one_and_name_the_things_added) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene != NULL);
    for (int32_t i = 1; i <= 40; i++) {
        LitheRodDef rod = lithe_rod_def_default();
        rod.nodes = 100 + i;
        CHECK(lithe_scene_add_rod(scene, &rod).number == i);
    }
    for (int32_t i = 1; i <= 40; i++)
        CHECK(scene->rods[i - 1].nodes == 100 + i);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_is_reported_and_leaves_nothing_behind) {
    int n = first_spare_allocation(fill);
    CHECK(n > 30 && n < 1000);
}

TEST(title_and_record_can_be_replaced_and_removed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene && fill(scene));
    CHECK(lithe_scene_set_title(scene, scene->title)); // the scene's own text is a valid argument
    CHECK_TEXT(scene->title, "a title");
    CHECK(lithe_scene_set_record(scene, &scene->record));
    CHECK(scene->record.also_count == 2);
    CHECK_TEXT(scene->record.also[0], "rope.moment");
    CHECK(lithe_scene_set_title(scene, NULL) && scene->title == NULL);
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(failure_names_the_nearest_place_known) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    FATAL(scene != NULL);
    LitheError error = {0};
    CHECK(lithe_scene_fail(scene, &error, "rods.rope", "no file") == LITHE_BAD_INPUT);
    CHECK(strcmp(error.text, "no file") == 0 && error.line == 0);

    char *files[] = {"a.yaml"};
    LitheSource sources[] = {
        {"rods", 0, 2, 1}, {"rods.rope", 0, 3, 3}, {"rods.rope.nodes", 0, 4, 5}};
    scene->files = files;
    scene->sources = sources;
    scene->source_count = 3;
    lithe_scene_fail(scene, &error, "rods.rope.nodes", "nodes is %d", 1);
    CHECK(strcmp(error.text, "a.yaml:4:5: nodes is 1") == 0);
    CHECK(error.line == 4 && error.column == 5);
    lithe_scene_fail(scene, &error, "rods.rope.section.circle", "x");
    CHECK_TEXT(error.text, "a.yaml:3:3: x");
    lithe_scene_fail(scene, &error, "rods.ro", "x");
    CHECK_TEXT(error.text, "a.yaml:2:1: x");
    lithe_scene_fail(scene, &error, "time.step", "x");
    CHECK(strcmp(error.text, "x") == 0);
    scene->files = NULL;
    scene->sources = NULL;
    scene->source_count = 0;
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}
