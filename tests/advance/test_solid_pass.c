// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_solid_pass.c - surface nodes of soft solids do not pass through thin shapes

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

/// A soft cube of 10 cm, its lower face 1 cm above the plane z = 0, thrown down at a fixed wall.
static World thrown(const char *speed, const char *wall, const char *more) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 5 ms, end: 1 s}\n"
                    "materials: {m: {young: 50 kPa, poisson: 0.3, density: 1000 kg/m^3, damping: "
                    "{stiffness: 2 ms}}}\n"
                    "solids: {it: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: "
                    "[3, 3, 3]}}, at: [0, 0, 6 cm], velocity: [0, 0, %s]}}\n"
                    "bodies: {wall: {fixed: true, material: m, shape: %s}}\n%s",
                    speed, wall, more);
}

// of the surface nodes
static double lowest(const World *w) {
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    double low = INFINITY;
    const LitheSolid *solid = &w->model->solids[0];
    for (int32_t i = 0; i < solid->surface_count; i++)
        low = fmin(low, x[3 * solid->surface[i] + 2]);
    return low;
}

static const char *const walls[] = {
    "{box: {size: [0.5, 0.5, 4 mm]}}",
    "{box: {size: [0.5, 0.5, 0.5 mm]}}",
    "{cylinder: {radius: 0.3, length: 2 mm}}",
    "{mesh: {points: [[-1, -1, 1 mm], [1, -1, 1 mm], [0, 1, 1 mm], [-1, -1, -1 mm], [1, -1, -1 "
    "mm], [0, 1, -1 mm]], triangles: [[0, 1, 2], [3, 5, 4], [0, 3, 4], [0, 4, 1], [1, 4, 5], [1, "
    "5, 2], [2, 5, 3], [2, 3, 0]]}}",
    "{mesh: {points: [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}}",
    "{revolution: {outline: [[-1 mm, 0.3], [0, 0.4], [1 mm, 0.3]]}}",
};
enum { WALLS = sizeof walls / sizeof *walls };

LONG_TEST(a_soft_cube_thrown_at_a_thin_wall_stays_before_it) {
    static const char *const speeds[] = {"-2 m/s", "-20 m/s"};
    for (int k = 0; k < 2 * WALLS; k++) {
        World w = thrown(speeds[k % 2], walls[k / 2], "");
        double low = INFINITY, deep = 0;
        int32_t cut = 0;
        for (int i = 0; i < 20 && world_step(&w, 1); i++) {
            low = fmin(low, lowest(&w));
            deep = fmax(deep, w.report.deepest);
            cut += w.report.pieces > 1;
        }
        printf("  wall %d at %s: lowest node at %.3g mm, %d steps cut, overlap %.3g mm\n", k / 2,
               speeds[k % 2], 1e3 * low, (int)cut, 1e3 * deep);
        CHECK(low > 0);
        world_end(&w);
    }
}

LONG_TEST(without_looking_ahead_the_certificate_alone_keeps_a_cube_before_a_wall) {
    for (int k = 0; k < WALLS; k++) {
        World w = thrown("-20 m/s", walls[k], "contact: {single: true}\n");
        world_step(&w, 1);
        CHECK(w.report.crossings_avoided > 0);
        CHECK(lowest(&w) > 0);
        world_end(&w);
        w = thrown("-20 m/s", walls[k], "contact: {single: true, certify: false}\n");
        world_step(&w, 1);
        CHECK(lowest(&w) < -0.01);
        world_end(&w);
    }
}

TEST(a_node_that_cannot_be_kept_before_a_wall_is_named) {
    World w = thrown("-20 m/s", walls[0], "contact: {single: true, most-cuts: 0}\n");
    LitheError error = {0};
    if (w.ok) {
        CHECK(lithe_step(w.model, w.state, w.work, &w.report, &error) == LITHE_CANNOT_GO_ON);
        CHECK(strstr(error.text, "body 'wall' and solid 'it' (node ") != NULL);
        printf("  %s\n", error.text);
    }
    world_end(&w);
}

// a plate thrown at a cube that is held at its foot, flat and on its edge
TEST(a_thin_plate_thrown_at_a_soft_cube_stays_outside) {
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {step: 5 ms, end: 1 s}\n"
            "materials: {m: {young: 50 kPa, poisson: 0.3, density: 1000 kg/m^3, damping: "
            "{stiffness: 2 ms}}}\n"
            "solids: {it: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [3, 3, "
            "3]}}}}\n"
            "holds: {foot: {on: it.z-min}}\n"
            "bodies: {plate: {material: m, at: [0, 0, "
            "8 cm], velocity: [0, 0, -4 m/s], spin: [0, %s, 0], shape: {box: {size: [0.3, 0.3, "
            "4 mm]}}}}\n",
            k == 0 ? "0" : "40 rad/s");
        for (int i = 0; i < 20 && world_step(&w, 1); i++) {
            // the whole lid stays below the plate
            double pose[7], top = -INFINITY;
            const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
            lithe_body_pose(w.model, w.state, (LitheBodyId){1}, pose);
            Quat q = {pose[3], pose[4], pose[5], pose[6]};
            for (int32_t n = 0; n < lithe_solid_node_count(w.model, (LitheSolidId){1}); n++) {
                Vec3 p = q4_rotate(q4_conj(q), v3_sub(v3_load(x + 3 * n), v3_load(pose)));
                if (fabs(p.x) < 0.14 && fabs(p.y) < 0.14)
                    top = fmax(top, p.z);
            }
            CHECK(top < 0);
        }
        world_end(&w);
    }
}

// shapes that are smaller than the triangles of a slab, without a node in their way
static const char *const small[] = {
    "{sphere: {radius: 5 mm}}",
    "{sphere: {radius: 1 mm}}",
    "{capsule: {radius: 1 mm, length: 4 cm}}",
    "{box: {size: [3 cm, 1 mm, 3 cm]}}",
    "{cylinder: {radius: 8 mm, length: 1 mm}}",
    "{ellipsoid: {size: [2 mm, 3 mm, 2 cm]}}",
    "{convex: {points: [[0, 0, -8 mm], [0, 0, 8 mm], [5 mm, 0, 0], [-5 mm, 0, 0], [0, 5 mm, 0], "
    "[0, "
    "-5 mm, 0]]}}",
};
enum { SMALL = sizeof small / sizeof *small };

/// A soft slab of 2 cm whose triangles have edges of 5 to 7 cm, held at two sides, and a shape
/// above it; the shape moves at 300 m/s, or the slab at 3.
static World shot(const char *law, const char *shape, bool slab_moves) {
    return world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
                    "materials: {m: {young: 100 kPa, poisson: 0.4, density: 1000 kg/m^3, friction: "
                    "0.5, damping: {stiffness: 2 ms}}, r: {young: 1 GPa, poisson: 0.3, density: "
                    "8000 kg/m^3, friction: 0.5}}\n"
                    "solids: {it: {material: m, law: %s, mesh: {box: {size: [0.2, 0.2, 0.02], "
                    "divisions: [4, 4, 1]}}, velocity: [0, 0, %s]}}\n"
                    "bodies: {pin: {material: r, %s, shape: %s, at: [0.013, 0.021, 0.05]}}\n%s",
                    law, slab_moves ? "3 m/s" : "0",
                    slab_moves ? "fixed: true" : "velocity: [0, 0, -300 m/s]", shape,
                    slab_moves ? "" : "holds: {a: {on: it.x-min}, b: {on: it.x-max}}\n");
}

// Whether x is above the slab: on the way down from it are as many nodes of triangles of its upper
// side as of its lower side, one each.
static bool is_above(const World *w, Vec3 x) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *q = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    int below = 0;
    for (int32_t t = 0; t < solid->triangle_count; t++) {
        Vec3 c[3];
        for (int k = 0; k < 3; k++)
            c[k] = v3_load(q + 3 * (int64_t)solid->triangles[3 * (int64_t)t + k]);
        Vec3 n = v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0]));
        bool within = true;
        for (int k = 0; k < 3; k++) {
            Vec3 e = v3_sub(c[(k + 1) % 3], c[k]), d = v3_sub(x, c[k]);
            within = within && (e.x * d.y - e.y * d.x) * n.z >= 0;
        }
        double height = v3_dot(v3_sub(x, c[0]), n) / n.z; // above its plane, along z
        below += within && n.z != 0 && height > 0;
    }
    return below >= 2;
}

LONG_TEST(small_shapes_at_300_metres_per_second_stay_before_a_coarse_slab) {
    for (int k = 0; k < 2 * SMALL; k++) {
        World w = shot(k % 2 ? "corotated-lagged" : "neo-hookean", small[k / 2], false);
        bool above = true;
        for (int i = 0; i < 15 && world_step(&w, 1); i++) {
            LitheVec3 at = body_at(&w, "pin");
            above = above && is_above(&w, v3(at.x, at.y, at.z));
        }
        if (!CHECK(above))
            printf("  shape %d, law %d\n", k / 2, k % 2);
        world_end(&w);
    }
}

// The middle of the plate passes beside the slab; its lower border does not pass through it, by the
// certificate alone.
LONG_TEST(the_border_of_a_plate_at_300_metres_per_second_stays_before_a_slab) {
    for (int k = 0; k < 6; k++) {
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
            "materials: {m: {young: 100 kPa, poisson: 0.4, density: 1000 kg/m^3, friction: 0.5, "
            "damping: {stiffness: 2 ms}}, r: {young: 1 GPa, poisson: 0.3, density: 8000 kg/m^3, "
            "friction: 0.5}}\n"
            "solids: {it: {material: m, law: neo-hookean, mesh: {box: {size: [0.2, 0.2, 0.02], "
            "divisions: [4, 4, 1]}}}}\n"
            "bodies: {pin: {material: r, velocity: [0, 0, -300 m/s], shape: {box: {size: [8 cm, 1 "
            "mm, 5 cm]}}, at: [%.17g, 0.021, 0.1], rotate: [0, %.17g, 0]}}\n"
            "holds: {a: {on: it.x-min}, b: {on: it.x-max}}\ncontact: {single: true}\n",
            0.11 + 0.01 * (k % 3), 0.15 * (k / 3));
        int through = 0, avoided = 0;
        for (int i = 0; i < 4 && world_step(&w, 1); i++) {
            double pose[7];
            avoided += w.report.crossings_avoided > 0;
            lithe_body_pose(w.model, w.state, (LitheBodyId){1}, pose);
            Quat q = {pose[3], pose[4], pose[5], pose[6]};
            for (int j = 0; j <= 20; j++) {
                Vec3 own = {0.0395 * (0.1 * j - 1), 0, -0.0245};
                Vec3 x = v3_add(v3_load(pose), q4_rotate(q, own));
                through += fabs(x.x) < 0.095 && fabs(x.y) < 0.095 && !is_above(&w, x);
            }
        }
        CHECK(!w.ok || avoided > 0);
        if (!CHECK(through == 0))
            printf("  plate %d: %d points\n", k, through);
        world_end(&w);
    }
}

LONG_TEST(a_slab_that_flies_at_a_small_shape_stays_below_it) {
    for (int k = 0; k < SMALL; k++) {
        World w = shot("neo-hookean", small[k], true);
        LitheVec3 at = w.ok ? body_at(&w, "pin") : (LitheVec3){0};
        bool above = true;
        for (int i = 0; i < 15 && world_step(&w, 1); i++)
            above = above && is_above(&w, v3(at.x, at.y, at.z));
        if (!CHECK(above))
            printf("  shape %d\n", k);
        world_end(&w);
    }
}
