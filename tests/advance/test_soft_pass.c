// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_soft_pass.c - soft solids do not pass through each other, at any speed

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"
#include "geom/mesh.h"

#include <math.h>
#include <string.h>

#define MATERIALS \
    "materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.3, damping: " \
    "{stiffness: 2 ms}}}\n"

// --- a checker that knows nothing of contacts ----------------------------------------------------

static Vec3 node(const World *w, int32_t solid, int32_t index) {
    const LitheSolid *own = &w->model->solids[solid];
    return v3_load(w->state->q + w->model->units[own->unit].q_at + 3 * (int64_t)index);
}

static bool in_element(const World *w, int32_t solid, const int32_t *e, Vec3 x) {
    for (int k = 0; k < 4; k++) {
        Vec3 o = node(w, solid, e[k]), a = node(w, solid, e[(k + 1) % 4]);
        Vec3 b = node(w, solid, e[(k + 2) % 4]), c = node(w, solid, e[(k + 3) % 4]);
        Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a));
        if (v3_dot(n, v3_sub(x, a)) * v3_dot(n, v3_sub(o, a)) < 0)
            return false;
    }
    return true;
}

// how deep the nodes of one solid are in the elements of another [m]
static double deepest(const World *w, int32_t solid, int32_t other) {
    const LitheSolid *own = &w->model->solids[solid], *in = &w->model->solids[other];
    double deep = 0;
    for (int32_t i = 0; i < own->mesh.node_count; i++) {
        Vec3 x = node(w, solid, i);
        bool inside = false;
        for (int32_t e = 0; e < in->mesh.element_count && !inside; e++)
            inside = in_element(w, other, in->mesh.elements + 4 * (int64_t)e, x);
        double near = INFINITY;
        for (int32_t t = 0; inside && t < in->triangle_count; t++) {
            const int32_t *c = in->triangles + 3 * (int64_t)t;
            Vec3 p = lithe_triangle_nearest(node(w, other, c[0]), node(w, other, c[1]),
                                            node(w, other, c[2]), x, NULL);
            near = fmin(near, v3_distance(p, x));
        }
        deep = fmax(deep, inside ? near : 0);
    }
    return deep;
}

static double mean_height(const World *w, int32_t solid) {
    double sum = 0;
    int32_t count = w->model->solids[solid].mesh.node_count;
    for (int32_t i = 0; i < count; i++)
        sum += node(w, solid, i).z / count;
    return sum;
}

/// What happened to two solids, the second of which is above the first.
typedef struct Story {
    double deep;  // largest overlap of all steps [m]
    double least; // smallest height of the second above the first [m]
    int32_t cuts, held;
    bool ok;
} Story;

static Story watch(World *w, int steps) {
    Story story = {.least = INFINITY};
    for (int i = 0; i < steps && world_step(w, 1); i++) {
        story.deep = fmax(story.deep, fmax(deepest(w, 0, 1), deepest(w, 1, 0)));
        story.least = fmin(story.least, mean_height(w, 1) - mean_height(w, 0));
        story.cuts += w->report.pieces > 1;
        story.held += w->report.held;
    }
    story.ok = w->ok;
    return story;
}

// --- thrown things -------------------------------------------------------------------------------

static World ball_at_block(double speed, const char *law, const char *more) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {step: 2 ms, end: 1 s}\n" MATERIALS "solids:\n"
        "  block: {material: m, law: %s, mesh: {box: {size: [0.2, 0.2, 0.1], divisions: "
        "[4, 4, 2]}}}\n"
        "  ball: {material: m, law: %s, quadratic: false, mesh: {sphere: {radius: 3 cm, "
        "resolution: 1.5 "
        "cm}}, at: [0.01, 0.005, 0.1], velocity: [0, 0, -%g]}\n"
        "holds: {low: {on: block.z-min}}\n%s",
        law, law, speed, more);
}

// at 60 m/s, six times the speed of sound in the material, elements of corotated laws invert
LONG_TEST(a_soft_ball_thrown_at_a_soft_block_stays_outside) {
    static const struct {
        double speed;
        const char *law;
    } throws[] = {{20, "corotated-lagged"}, {20, "neo-hookean"}, {60, "neo-hookean"}};
    for (size_t k = 0; k < sizeof throws / sizeof *throws; k++) {
        World w = ball_at_block(throws[k].speed, throws[k].law, "");
        Story s = watch(&w, 20);
        printf("  %g m/s, %s: overlap %.3g mm, %.3g mm above the block, %d steps cut, %d held\n",
               throws[k].speed, throws[k].law, 1e3 * s.deep, 1e3 * s.least, (int)s.cuts,
               (int)s.held);
        CHECK(s.ok && s.deep < 0.01 && s.least > 0.01);
        world_end(&w);
    }
}

TEST(only_the_certificate_keeps_a_fast_ball_before_a_block) {
    World w = ball_at_block(90, "neo-hookean", "contact: {certify: false}\n");
    world_step(&w, 1);
    CHECK(mean_height(&w, 1) < 0);
    world_end(&w);
    w = ball_at_block(90, "neo-hookean", "");
    world_step(&w, 1);
    CHECK(w.ok && mean_height(&w, 1) > 0.02);
    world_end(&w);
}

TEST(solids_that_cannot_be_kept_apart_are_named) {
    World w = ball_at_block(60, "corotated-lagged", "contact: {most-cuts: 6}\n");
    LitheError error = {0};
    if (w.ok) {
        CHECK(lithe_step(w.model, w.state, w.work, &w.report, &error) == LITHE_CANNOT_GO_ON);
        CHECK(strstr(error.text, "solid 'block' (node ") &&
              strstr(error.text, "solid 'ball' (node "));
        printf("  %s\n", error.text);
    }
    world_end(&w);
}

// the cubes fit into each other: no step can be certified, and none is refused
TEST(solids_that_start_inside_each_other_are_not_stopped) {
    World w =
        world_of("lithe: 1\ngravity: none\ntime: {step: 2 ms, end: 1 s}\n" MATERIALS "solids:\n"
                 "  a: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, "
                 "2]}}}\n"
                 "  b: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [3, 3, "
                 "3]}}, at: [0.03, 0.02, 0.04], velocity: [1, 0.5, 1]}\n");
    world_step(&w, 40);
    CHECK(w.ok && deepest(&w, 1, 0) == 0);
    world_end(&w);
}

LONG_TEST(thin_soft_plates_do_not_pass_through_each_other) {
    for (int k = 0; k < 4; k++) {
        static const double speeds[] = {2, 20};
        World w =
            world_of("lithe: 1\ngravity: none\ntime: {step: 2 ms, end: 1 s}\n" MATERIALS "solids:\n"
                     "  low: {material: m, mesh: {box: {size: [0.2, 0.2, 4 mm], divisions: "
                     "[6, 6, 1]}}}\n"
                     "  high: {material: m, mesh: {box: {size: [0.1, 0.1, 4 mm], divisions: "
                     "[4, 4, 1]}}, at: [0.01, 0.02, 2.5 cm], rotate: [%g, 0.1, 0.4], "
                     "velocity: [0, 0, -%g]}\n"
                     "holds: {a: {on: low.x-min}, b: {on: low.x-max}}\n",
                     k / 2 * 0.3, speeds[k % 2]);
        Story s = watch(&w, 25);
        printf("  %g m/s: overlap %.3g mm, %.3g mm above, %d steps cut, %d held\n", speeds[k % 2],
               1e3 * s.deep, 1e3 * s.least, (int)s.cuts, (int)s.held);
        CHECK(s.ok && s.deep < 2e-3);
        world_end(&w);
    }
}
