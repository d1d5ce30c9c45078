// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_poke.c - shapes that press between the nodes of a soft surface

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"
#include "geom/mesh.h"

#include <math.h>
#include <string.h>

#define TOP 0.1    // height of the block [m]
#define WEIGHT 0.1 // of the things on it [N]

// a body on a block of 10 cm whose upper face is two triangles, in the middle of one of them
static World on_block(const char *shape, double height, const char *more) {
    return world_of(
        "lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 5 ms, end: 10 s, scheme: backward-euler}\n"
        "materials:\n"
        "  soft: {young: 5 MPa, poisson: 0.3, density: 1000, friction: 0.5, damping: {stiffness: "
        "10 ms}}\n"
        "  hard: {young: 1 GPa, poisson: 0.3, density: 2000, friction: 0.5}\n"
        "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [1, 1, "
        "1]}}, at: [0, 0, 5 cm]}}\n"
        "holds: {low: {on: block.z-min}}\n"
        "bodies: {thing: {material: hard, mass: 10 g, inertia: [1e-6, 1e-6, 1e-6, 0, 0, 0], shape: "
        "%s, at: "
        "[0, 2.5 cm, %.17g]%s}}\n",
        shape, height, more);
}

static double carried(const World *w) {
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++)
        sum += fabs(lithe_work_contact(w->work, i).force.z);
    return sum;
}

TEST(shapes_between_the_nodes_of_a_large_triangle_do_not_sink) {
    static const struct {
        const char *shape;
        double half; // of its height when it lies [m]
    } things[] = {
        {"{sphere: {radius: 5 mm}}", 5e-3},
        {"{capsule: {radius: 4 mm, length: 12 mm}, rotate: [0, 90 deg, 0]}", 4e-3},
        {"{box: {size: [2 cm, 1 cm, 8 mm]}}", 4e-3},
        {"{cylinder: {radius: 5 mm, length: 10 mm}}", 5e-3},
    };
    for (size_t k = 0; k < sizeof things / sizeof *things; k++) {
        World w = on_block(things[k].shape, TOP + things[k].half + 1e-3, "");
        bool ok = w.ok && world_step(&w, TEST_SANITIZED ? 100 : 200);
        double pose[7] = {0};
        if (ok)
            lithe_body_pose(w.model, w.state, (LitheBodyId){1}, pose);
        double z = pose[2];
        printf("  %s: %.3g mm below its place, %.4g of its weight\n", things[k].shape,
               1e3 * (TOP + things[k].half - z), ok ? carried(&w) / WEIGHT : NAN);
        CHECK(ok && fabs(z - (TOP + things[k].half)) < 3e-4);
        CHECK(ok && fabs(carried(&w) / WEIGHT - 1) < 0.02);
        world_end(&w);
    }
}

#define SMALL 5e-3   // radius of a ball [m]
#define OVERLAP 2e-4 // of its place [m]

static World by_ball(Vec3 at) {
    return world_of("lithe: 1\ngravity: none\n"
                    "time: {step: 1e-6 s, end: 1 s, scheme: backward-euler}\n"
                    "materials: {soft: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
                    "solids: {ball: {material: soft, quadratic: false, mesh: {sphere: {radius: 5 "
                    "cm, resolution: 3 "
                    "cm}}}}\n"
                    "holds: {all: {on: ball}}\n"
                    "bodies: {small: {material: soft, shape: {sphere: {radius: %.17g}}, at: "
                    "[%.17g, %.17g, %.17g]}}\n",
                    SMALL, at.x, at.y, at.z);
}

// distance of a point outside from the surface of the solid, over all triangles
static double distance_from(const World *w, Vec3 p) {
    const LitheSolid *solid = &w->model->solids[0];
    double least = INFINITY;
    for (int32_t i = 0; i < solid->triangle_count; i++) {
        const int32_t *t = solid->triangles + 3 * (int64_t)i;
        const Vec3 *x = solid->mesh.nodes;
        least =
            fmin(least, v3_distance(p, lithe_triangle_nearest(x[t[0]], x[t[1]], x[t[2]], p, NULL)));
    }
    return least;
}

TEST(a_small_ball_touches_a_coarse_one_at_nodes_edges_and_triangles_with_its_overlap) {
    TestRandom r = {3};
    World plain = by_ball(v3(1, 0, 0));
    for (int trial = 0; plain.ok && trial < (TEST_SANITIZED ? 10 : 60); trial++) {
        Vec3 d =
            v3_unit(v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1)));
        double low = 0.04, high = 0.06; // the distance grows along the ray
        for (int k = 0; k < 50; k++) {
            double middle = 0.5 * (low + high);
            *(distance_from(&plain, v3_scale(middle, d)) > SMALL - OVERLAP ? &high : &low) = middle;
        }
        World w = by_ball(v3_scale(high, d));
        double deepest = 0;
        for (int32_t i = 0; world_step(&w, i == 0) && i < lithe_work_contact_count(w.work); i++)
            deepest = fmax(deepest, -lithe_work_contact(w.work, i).contact.gap);
        if (!(fabs(deepest - OVERLAP) < 1e-3 * OVERLAP))
            printf("  trial %d: %.3g mm\n", trial, 1e3 * deepest);
        CHECK(fabs(deepest - OVERLAP) < 1e-3 * OVERLAP);
        world_end(&w);
    }
    world_end(&plain);
}

// Force and moment about its middle, from the overlaps of a capsule that lies tilted in the block.
static void press_of(double tilt, double *force, double *moment) {
    char more[64];
    snprintf(more, sizeof more, ", rotate: [0, %.17g, 0]", tilt);
    World w = on_block("{capsule: {radius: 4 mm, length: 12 mm}, rotate: [0, 90 deg, 0]}",
                       TOP + 3.5e-3, more);
    LitheContacts *found = lithe_contacts_create(w.context);
    LitheError error;
    *force = *moment = 0;
    if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK))
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            *force -= c->stiffness * fmin(c->gap, 0);
            *moment -= c->stiffness * fmin(c->gap, 0) * c->point.x;
        }
    lithe_contacts_destroy(found);
    world_end(&w);
}

// its deepest point is at one end or at the other: a finger that lies down would swap them for ever
TEST(the_force_of_a_capsule_does_not_jump_when_it_lies_down) {
    double force, moment, before, turned;
    press_of(-0.06, &before, &turned);
    CHECK(before > 0);
    for (int k = -29; k <= 30; k++) {
        press_of(2e-3 * k, &force, &moment);
        CHECK(fabs(force - before) < 0.1 * before && fabs(moment - turned) < 6e-3 * 0.1 * before);
        before = force;
        turned = moment;
    }
}

// A cylinder or a prism is pressed into a block, half over its edge: its generators lie flat on the
// side of the block, too, beyond the overlap, and must not push there.
TEST(a_shape_that_overhangs_a_block_does_not_push_its_side) {
    static const char *const shapes[] = {
        "{cylinder: {radius: 5 cm, length: 10 cm}}",
        "{convex: {points: [[-5 cm, 0, -5 cm], [0, 5 cm, -5 cm], [5 cm, 0, -5 cm], [0, -5 cm, -5 "
        "cm], [-5 cm, 0, 5 cm], [0, 5 cm, 5 cm], [5 cm, 0, 5 cm], [0, -5 cm, 5 cm]]}, rotate: [0, "
        "0, 0.6]}",
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        World w = world_of(
            "lithe: 1\ngravity: none\n"
            "time: {step: 50 ms, end: 2 s, scheme: backward-euler}\n"
            "materials:\n"
            "  soft: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0}\n"
            "  hard: {young: 1000 GPa, poisson: 0.3, density: 1000, friction: 0}\n"
            "solids: {block: {material: soft, mesh: {box: {size: [0.2, 0.2, 0.1], divisions: [6, "
            "6, 3]}}, at: [0, 0, -5 cm]}}\n"
            "bodies: {punch: {fixed: true, material: hard, shape: %s, at: [10 cm, 0, 5 cm]}}\n"
            "drives: {up: {on: block.z-min, kind: clamp, direction: [0, 0, 1], motion: {table: [[0 "
            "s, 0], [1 s, 2 mm]]}}}\n",
            shapes[k]);
        double up = 0, aside = 0;
        if (w.ok && world_step(&w, 30))
            for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++) {
                LitheVec3 force = lithe_work_contact(w.work, i).force;
                up += fabs(force.z);
                aside += fabs(force.x);
            }
        printf("  shape %d: %.4g N, sideways %.3g N\n", (int)k, up, aside);
        CHECK(up > 100);
        CHECK(aside < 0.05 * up);
        world_end(&w);
    }
}
