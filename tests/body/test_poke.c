// SPDX-License-Identifier: Apache-2.0
// tests/body/test_poke.c - shapes between the nodes of a soft surface are found, and named

#include "test.h"

#include "advance/world.h"
#include "body/poke.h"

#include <string.h>

/// A cube of 0.1 m with edges of 0.05 m and diagonals, and a body at (x, y, z).
static World cube_and(const char *shape, const char *at, const char *more) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
                    "materials: {m: {young: 50 kPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                    "solids: {it: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, "
                    "2, 2]}}}}\n"
                    "bodies: {thing: {material: m, at: %s, shape: %s}}\n%s",
                    at, shape, more);
}

static double depth(const char *shape, const char *at, const char *more) {
    World w = cube_and(shape, at, more);
    LithePoke poke = {0};
    double deep = w.ok && lithe_find_poke(w.model, w.state, &poke) ? poke.depth : 0;
    if (deep > 0) {
        CHECK(poke.thing.kind == LITHE_THING_SOLID && poke.body.kind == LITHE_THING_BODY);
        CHECK_NEAR(poke.edge, 0.05 * sqrt(2), 1e-12);
    }
    world_end(&w);
    return deep;
}

#define NEEDLE "{cylinder: {radius: 2 mm, length: 0.1}}"

TEST(a_needle_between_the_nodes_is_found_by_its_depth) {
    // its end is 20 mm below the upper face and 30 mm from the sides
    CHECK_NEAR(depth(NEEDLE, "[0.02, 0.013, 0.08]", ""), 0.02, 1e-9);
    // outside, and not deep
    CHECK(depth(NEEDLE, "[0.02, 0.013, 0.11]", "") == 0);
    CHECK(depth(NEEDLE, "[0.02, 0.013, 0.095]", "") == 0);
    // never touches
    CHECK(depth(NEEDLE, "[0.02, 0.013, 0.08]", "ignore: [[it, thing]]\n") == 0);
}

TEST(corners_of_boxes_and_meshes_and_small_balls_are_found) {
    CHECK_NEAR(depth("{box: {size: [0.1, 0.1, 0.1]}}", "[0.07, 0.07, 0.08]", ""), 0.02, 1e-9);
    CHECK_NEAR(
        depth("{mesh: {points: [[0, 0, 0], [0.1, 0, 0.1], [0, 0.1, 0.1], [-0.1, -0.1, 0.1]], "
              "triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}",
              "[0.01, 0, 0.03]", ""),
        0.02, 1e-9);
    // the point of the ball that is farthest from the nearest face
    CHECK_NEAR(depth("{sphere: {radius: 5 mm}}", "[0.01, 0.02, 0]", ""), 0.035, 1e-9);
    // a plate on the cube is not in it
    CHECK(depth("{box: {size: [0.3, 0.3, 4 mm]}}", "[0, 0, 0.052]", "") == 0);
}

static void keep(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    strncat(user, text, 1000);
}

/// All log messages of compiling a scene.
static void messages(const char *text, char out[4000]) {
    LitheContextDef def = lithe_context_def_default();
    out[0] = 0;
    def.log = keep;
    def.log_user = out;
    LitheContext *context = lithe_context_create(&def);
    LitheScene *scene = NULL;
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheError error;
    CHECK(lithe_scene_parse(context, text, strlen(text), "scene", NULL, NULL, 0, &scene, &error) ==
              LITHE_OK &&
          lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
}

#define CUBE \
    "lithe: 1\nmaterials: {m: {young: 50 kPa, poisson: 0.3, density: 1000 kg/m^3}}\n" \
    "solids: {it: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}%s}}\n" \
    "%s"

TEST(small_shapes_great_speeds_and_great_distances_are_warned_of) {
    static const struct {
        const char *solid, *more, *message;
    } cases[] = {
        {", velocity: [1e6, 0, 0]", "", "solid 'it': velocity is 1000000 m/s"},
        {", spin: [0, 1e5, 0]", "", "solid 'it': spin is 100000 rad/s"},
        {", at: [1e9, 0, 0]", "", "solid 'it': it is 1e+09 m from the origin"},
        {"", "bodies: {pin: {material: m, at: [0, 0, 1], shape: " NEEDLE "}}\n", NULL},
        {"",
         "bodies: {ring: {material: m, at: [0, 0, 1], shape: {tube: {radius: 5 mm, hole: "
         "4 mm, length: 1 cm}}}}\n",
         "solid 'it': 'ring' is 0.01 m wide and not convex, but the edges of the surface are up "
         "to 0.0707 m"},
        {"", "bodies: {lid: {material: m, at: [0, 0, 1], shape: {box: {size: [1, 1, 4 mm]}}}}\n",
         NULL},
        {", at: [1e5, 0, 0], velocity: [900, 0, 0]", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], said[4000];
        snprintf(text, sizeof text, CUBE, cases[i].solid, cases[i].more);
        messages(text, said);
        if (!CHECK(cases[i].message ? strstr(said, cases[i].message) != NULL : said[0] == 0))
            printf("  case %zu: %s\n", i, said);
    }
}
