// SPDX-License-Identifier: Apache-2.0
// tests/plan/test_scene_turn.c - disks of a scene: friction, and which obstacles they must not
// enter

#include "plan/scene_turn.h"

#include "scene/scene.h"
#include "test.h"

static const char posts[] =
    "lithe: 1\n"
    "include: plan-x.yaml\n"
    "bodies:\n"
    "  post: {fixed: true, at: [1, 0, 0], shapes: [{sphere: {radius: 2 cm}, material: rubber}]}\n"
    "  wall: {fixed: true, at: [2, 0, 0], shapes: [{sphere: {radius: 2 cm}, material: rubber,\n"
    "         group: [2], mask: [2]}]}\n";

// the model of the scene whose disk `number` (0: none) is in these groups and touches them
static LitheTurn turn_with(int32_t number, uint32_t groups, const char *ignored) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheError error = {0};
    LitheStatus status = lithe_scene_parse(context, posts, strlen(posts), "posts.yaml",
                                           LITHE_SOURCE_DIR "/scenes", NULL, 0, &scene, &error);
    CHECK(status == LITHE_OK);
    LitheGeomDef own[8];
    const LitheGeomDef *kept = NULL;
    LitheBodyDef *body = NULL;
    for (int32_t i = 0; i < scene->body_count && number > 0; i++)
        if (strncmp(scene->bodies[i].name, "trunk/", 6) == 0 && --number == 0)
            body = &scene->bodies[i];
    if (body != NULL) {
        kept = body->geoms;
        CHECK(body->geom_count <= 8);
        for (int32_t i = 0; i < body->geom_count && i < 8; i++) {
            own[i] = kept[i];
            own[i].group = own[i].mask = groups;
        }
        body->geoms = own;
    }
    if (ignored != NULL)
        CHECK(lithe_scene_ignore_pair(scene, ignored, "post"));
    status = lithe_turn_of_scene(scene, &turn, &place, &error);
    CHECK(status == LITHE_OK);
    if (body != NULL)
        body->geoms = kept;
    // names live in the scene
    for (int32_t i = 0; i < turn.model.disk_count; i++)
        turn.model.disks[i].name = "disk";
    for (int32_t i = 0; i < turn.model.obstacle_count; i++)
        turn.model.obstacles[i].name = "obstacle";
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return turn;
}

TEST(an_obstacle_of_other_groups_is_none) {
    LitheTurn turn = turn_with(0, 0, NULL);
    CHECK(turn.model.obstacle_count == 1);
    CHECK(turn.model.disk_count == 12);
    CHECK(lithe_ball_task_clearance_count(&turn.model) == 12);
}

// The groups of each disk count, not those of the disk that touches the ball.
TEST(a_disk_of_other_groups_has_its_own_obstacles) {
    LitheTurn turn = turn_with(3, 2, NULL);
    CHECK(turn.model.obstacle_count == 2);
    CHECK(turn.model.disks[2].avoids == 2);
    for (int32_t i = 0; i < turn.model.disk_count; i++)
        CHECK(i == 2 || turn.model.disks[i].avoids == 1);
    CHECK(lithe_ball_task_clearance_count(&turn.model) == 12);
    turn = turn_with(3, 3, NULL);
    CHECK(turn.model.disks[2].avoids == 3);
    CHECK(lithe_ball_task_clearance_count(&turn.model) == 13);
}

// The disk that touches the ball may be in groups that no obstacle meets.
TEST(the_disk_of_the_plan_may_touch_fewer_things_than_others) {
    LitheTurn turn = turn_with(12, 4, NULL);
    CHECK(turn.model.obstacle_count == 1);
    CHECK(turn.model.disks[11].avoids == 0);
    CHECK(lithe_ball_task_clearance_count(&turn.model) == 11);
}

TEST(ignored_pairs_are_no_obstacles) {
    LitheTurn turn = turn_with(0, 0, "trunk/1-2");
    CHECK(turn.model.disks[1].avoids == 0);
    CHECK(lithe_ball_task_clearance_count(&turn.model) == 11);
}

// A disk may also have shapes that are only drawn, of any material, in any order.
TEST(friction_is_that_of_the_shape_that_touches) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheError error = {0};
    static const char text[] =
        "lithe: 1\n"
        "include: plan-x.yaml\n"
        "materials: {ice: {young: 9 GPa, density: 917 kg/m^3, friction: 0.02}}\n";
    FATAL(lithe_scene_parse(context, text, strlen(text), "ice.yaml", LITHE_SOURCE_DIR "/scenes",
                            NULL, 0, &scene, &error) == LITHE_OK);
    FATAL(lithe_turn_of_scene(scene, &turn, &place, &error) == LITHE_OK);
    double friction = turn.model.contact[0].friction;
    CHECK(friction > 0.1);
    int32_t ice = -1;
    for (int32_t i = 0; i < scene->material_count; i++)
        if (strcmp(scene->materials[i].name, "ice") == 0)
            ice = i;
    FATAL(ice >= 0);

    LitheBodyDef *disk = &scene->bodies[scene->plan.disk.number - 1], kept = *disk;
    LitheGeomDef own[9] = {lithe_geom_def_default()};
    int32_t touching = 0;
    FATAL(kept.geom_count <= 8);
    for (int32_t i = 0; i < kept.geom_count; i++) {
        own[i + 1] = kept.geoms[i];
        touching = kept.geoms[i].visual ? touching : i + 1;
    }
    own[0].kind = LITHE_GEOM_SPHERE;
    own[0].radius = 1e-3;
    own[0].visual = true;
    disk->geoms = own;
    disk->geom_count = kept.geom_count + 1;
    for (int k = 0; k < 2; k++) { // without material, and of ice
        own[0].material.number = k == 0 ? 0 : ice + 1;
        CHECK(lithe_turn_of_scene(scene, &turn, &place, &error) == LITHE_OK);
        CHECK(turn.model.contact[0].friction == friction);
    }
    own[touching].material.number = ice + 1;
    CHECK(lithe_turn_of_scene(scene, &turn, &place, &error) == LITHE_OK);
    CHECK(turn.model.contact[0].friction < 0.1);
    *disk = kept;
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

// The distances come in the order of the names that messages use.
TEST(distances_are_those_of_their_names) {
    LitheTurn turn = turn_with(3, 3, NULL);
    LitheContext *context = lithe_context_create(NULL);
    double distances[LITHE_PLAN_DISKS * LITHE_PLAN_OBSTACLES];
    FATAL(lithe_ball_task_clearances(context, &turn.model, turn.lengths, distances));
    turn.model.disks[2].name = "third";
    turn.model.obstacles[1].name = "wall";
    char text[LITHE_PLAN_ROW_TEXT];
    int found = 0;
    for (int32_t i = 0; i < 13; i++) {
        lithe_ball_task_clearance(&turn.model, i, text, sizeof text);
        bool wall = strcmp(text, "the distance of disk 'third' from 'wall'") == 0;
        found += wall;
        CHECK(wall ? distances[i] > 1.5 : distances[i] < 1.2);
        int32_t row = lithe_ball_task_equations(&turn.model) + 3 + 2 * turn.model.directions + i;
        char own[LITHE_PLAN_ROW_TEXT];
        CHECK(strcmp(lithe_ball_task_row(&turn.model, row, own, sizeof own), text) == 0);
    }
    CHECK(found == 1);
    lithe_context_destroy(context);
}

// Of three disks within a section of the tip, two are near enough to hit the ball.
TEST(disks_beside_that_of_the_plan_keep_off_the_ball) {
    LitheTurn turn = turn_with(0, 0, NULL);
    lithe_ball_task_keep_off(&turn.model, 0.6, 0);
    CHECK(turn.model.obstacle_count == 2);
    for (int32_t i = 0; i < turn.model.disk_count; i++)
        CHECK(turn.model.disks[i].avoids == (i == 9 || i == 10 ? 3 : 1));
    turn = turn_with(11, 2, NULL); // cannot touch the ball
    lithe_ball_task_keep_off(&turn.model, 0.6, 0);
    CHECK(turn.model.obstacle_count == 3);
    CHECK(turn.model.disks[9].avoids == 5);
    CHECK(turn.model.disks[10].avoids == 2);
}

// the least distance of disks from the ball in a plan, but of the one that may touch it [m]
static double least_distance(LitheContext *context, LitheTurn turn, bool keeps_off) {
    LitheTurn wanted = turn;
    if (keeps_off)
        lithe_ball_task_keep_off(&turn.model, 0.6, 1e-3);
    int32_t n = lithe_ball_task_variables(&turn.model);
    double *x = calloc((size_t)turn.stages * (size_t)n, sizeof *x), least = INFINITY;
    LitheTurnResult result;
    CHECK(x != NULL);
    CHECK(lithe_turn_solve(context, &turn, x, &result, NULL) == LITHE_OK);
    CHECK(lithe_turn_converged(&result));
    lithe_ball_task_keep_off(&wanted.model, INFINITY, 0);
    double distances[LITHE_PLAN_DISKS * LITHE_PLAN_OBSTACLES];
    for (int32_t k = 0; k < turn.stages; k++) {
        CHECK(lithe_ball_task_clearances(context, &wanted.model,
                                         x + (int64_t)k * n + LITHE_AT_LENGTHS, distances));
        for (int32_t i = 0; i < lithe_ball_task_clearance_count(&wanted.model); i++)
            least = fmin(least, distances[i]);
    }
    free(x);
    return least;
}

// The ball lies between two disks, and the plan has only one of them: the other would enter it.
TEST(a_plan_that_keeps_off_the_ball_has_no_disk_in_it) {
    static const char text[] = "lithe: 1\ninclude: plan-body.yaml\n";
    static const char *const sets[] = {
        "bodies.ball.at=[0, -0.0885, -0.24375]", "joints.centre.at=[0, -0.0885, -0.24375]",
        "plan.target={axis: [1, 0, 0], angle: -20 deg}", "plan.steps=8", "plan.duration=0.32 s"};
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    LitheTurn turn;
    LitheTurnPlace place;
    LitheError error = {0};
    FATAL(lithe_scene_parse(context, text, strlen(text), "body.yaml", LITHE_SOURCE_DIR "/scenes",
                            sets, 5, &scene, &error) == LITHE_OK);
    FATAL(lithe_turn_of_scene(scene, &turn, &place, &error) == LITHE_OK);
    double without = least_distance(context, turn, false),
           with = least_distance(context, turn, true);
    printf("    measured: least distance %.2f mm, with %.2f mm\n", 1e3 * without, 1e3 * with);
    CHECK(without < -1e-3);
    CHECK(with >= 1e-3 - 1e-7);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}
