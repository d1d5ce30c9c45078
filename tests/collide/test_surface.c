// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_surface.c - contact of the surface nodes of soft solids: stiffness per area

#include "test.h"

#include "advance/world.h"
#include "collide/part.h"
#include "data/model.h"

#include <math.h>

// of the material below, which does not expand sideways, and the layer of a cube of 0.1 m [Pa], [m]
#define MODULUS 1e5
#define LAYER 0.0005

#define LOAD 20.0 // N, on a face of 0.01 m^2

/// A cube of 0.1 m without weight on a floor, and a plate of 20 N on it.
static World pressed(int divisions, const char *quadratic, const char *floor) {
    World w = world_of(
        "lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 20 ms, end: 1 s, scheme: backward-euler}\n"
        "materials:\n"
        "  soft: {young: 0.1 MPa, poisson: 0, density: 1e-3 kg/m^3, damping: "
        "{stiffness: 50 "
        "ms}}\n"
        "  hard: {young: 1e9 GPa, poisson: 0.3, density: 1000 kg/m^3}\n"
        "solids: {it: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, "
        "%d]}}, quadratic: %s, at: [0, 0, 5 cm]}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: hard, %s}\n"
        "  plate: {material: hard, at: [0, 0, 0.11],"
        " shape: {box: {size: [0.5, 0.2, 0.02]}}}\n",
        divisions, divisions, divisions, quadratic, floor);
    world_step(&w, 70);
    return w;
}

/// Share of a node in the triangles of the lower face, which all are perpendicular to z.
static double share_below(const LitheSolid *solid, int32_t node) {
    double sum = 0;
    for (int32_t t = 0; t < solid->triangle_count; t++) {
        const int32_t *corner = solid->triangles + 3 * (int64_t)t;
        const Vec3 *x = solid->mesh.nodes;
        bool has = false, below = true;
        for (int c = 0; c < 3; c++) {
            has = has || corner[c] == node;
            below = below && x[corner[c]].z < 1e-9;
        }
        Vec3 a = v3_sub(x[corner[1]], x[corner[0]]), b = v3_sub(x[corner[2]], x[corner[0]]);
        sum += has && below ? fabs(a.x * b.y - a.y * b.x) / 6 : 0;
    }
    return sum;
}

typedef struct Pressure {
    double low, high; // over the nodes of the lower face [Pa]
    double overlap;   // mean over their areas, which add to 0.01 m^2 [m]
    int32_t nodes;
} Pressure;

static Pressure pressure_below(const World *w) {
    Pressure p = {INFINITY, 0, 0, 0};
    const LitheSolid *solid = &w->model->solids[0];
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        bool floor = f.contact.a.thing.kind == LITHE_THING_BODY && f.contact.a.thing.number == 1;
        double area = floor ? share_below(solid, f.contact.b.part) : 0;
        if (!(area > 0))
            continue;
        p.low = fmin(p.low, fabs(f.force.z) / area);
        p.high = fmax(p.high, fabs(f.force.z) / area);
        p.overlap -= f.contact.gap * area / 0.01;
        p.nodes++;
    }
    return p;
}

static const char *const floors[] = {
    "shape: {half-space: {}}",
    "shape: {box: {size: [0.4, 0.4, 0.1]}}, at: [0, 0, -5 cm]",
    "shape: {cylinder: {radius: 0.3, length: 0.1}}, at: [0, 0, -5 cm]",
    "shape: {mesh: {points: [[-1, -1, 0], [1, -1, 0], [0, 1, 0], [0, 0, -1]], triangles: "
    "[[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]}}, at: [0, 0.2, 0]",
    "shape: {mesh: {points: [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], triangles: [[0, 1, 2]]}}, "
    "at: [0, 0.2, 0]",
};
enum { FLOORS = sizeof floors / sizeof *floors };

TEST(pressure_under_a_block_is_uniform_at_face_edge_and_corner) {
    for (int k = 0; k < 3; k++) {
        World w = pressed(3, "false", floors[k]);
        if (w.ok) {
            Pressure p = pressure_below(&w);
            printf("  %.6g to %.6g Pa at %d nodes\n", p.low, p.high, (int)p.nodes);
            CHECK(p.nodes == 16);
            CHECK_NEAR(p.low, LOAD / 0.01, 0.01 * LOAD / 0.01);
            CHECK_NEAR(p.high, LOAD / 0.01, 0.01 * LOAD / 0.01);
        }
        world_end(&w);
    }
}

LONG_TEST(overlap_at_rest_does_not_depend_on_the_mesh_and_the_shape) {
    for (int k = 0; k < FLOORS; k++)
        for (int divisions = 1; divisions <= 4; divisions *= 2) {
            World w = pressed(divisions, "false", floors[k]);
            if (w.ok) {
                Pressure p = pressure_below(&w);
                printf("  floor %d, %d nodes: %.4g m\n", k, (int)p.nodes, p.overlap);
                CHECK(p.nodes == (divisions + 1) * (divisions + 1));
                CHECK_NEAR(p.overlap, LOAD / 0.01 * LAYER / MODULUS, 2e-2 * 1e-5);
            }
            world_end(&w);
        }
}

TEST(the_layer_is_at_most_a_twentieth_of_a_thin_plate) {
    World w = pressed(2, "false", "shape: {box: {size: [0.4, 0.4, 4 mm]}}, at: [0, 0, -2 mm]");
    if (w.ok)
        CHECK_NEAR(pressure_below(&w).overlap, LOAD / 0.01 * 2e-4 / MODULUS, 1e-7);
    world_end(&w);
}

// without their middles quadratic faces touch as four triangles: total force and mean overlap are
// right, the pressure is not uniform
TEST(quadratic_elements_rest_with_the_same_mean_overlap) {
    World w = pressed(2, "true, face-contact: false", floors[1]);
    if (w.ok) {
        Pressure p = pressure_below(&w);
        printf("  %.6g to %.6g Pa, %.4g m\n", p.low, p.high, p.overlap);
        CHECK(p.nodes == 25);
        CHECK_NEAR(p.overlap, LOAD / 0.01 * LAYER / MODULUS, 2e-2 * 1e-5);
    }
    world_end(&w);
}

// (S34)
LONG_TEST(pressure_under_quadratic_elements_is_uniform_at_corner_midpoint_and_middle) {
    for (int k = 0; k < FLOORS; k++) {
        World w = pressed(2, "true", floors[k]);
        double low = INFINITY, high = 0, wanted = LOAD / 0.01 * LAYER / MODULUS;
        int32_t count = 0;
        for (int32_t i = 0; w.ok && i < lithe_work_contact_count(w.work); i++) {
            LitheContactForce f = lithe_work_contact(w.work, i);
            bool floor =
                f.contact.a.thing.kind == LITHE_THING_BODY && f.contact.a.thing.number == 1;
            if (!floor || !(f.force.z != 0))
                continue;
            low = fmin(low, -f.contact.gap);
            high = fmax(high, -f.contact.gap);
            count++;
        }
        printf("  floor %d: %.6g to %.6g m at %d points\n", k, low, high, (int)count);
        CHECK(count == 25 + 8);
        CHECK_NEAR(low, wanted, 0.02 * wanted);
        CHECK_NEAR(high, wanted, 0.02 * wanted);
        world_end(&w);
    }
}

// of all faces of a cube the parts of corners, midpoints and middles add to its area
TEST(the_areas_of_nodes_and_middles_are_those_of_the_faces) {
    World w = world_of(
        "lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
        "solids: {it: {material: m, quadratic: true, mesh: {box: {size: [1, 1, 1], divisions: [2, "
        "1, 1]}}}}\n");
    if (w.ok) {
        const LitheSurface *skin = &w.model->solids[0].skin;
        Vec3 down = {0, 0, 1};
        double nodes = 0, middles = 0;
        CHECK(skin->middles && w.model->ball_set_count == 2);
        for (int32_t i = 0; i < skin->used_count; i++) {
            double area = lithe_surface_area(skin, skin->used[i], w.state->q, down);
            nodes += skin->rest[skin->used[i]].z < -0.5 + 1e-9 ? area : 0;
        }
        for (int32_t i = 0; i < skin->triangle_count / 4; i++)
            middles += lithe_surface_middle_area(skin, i, w.state->q, down, NULL);
        CHECK_NEAR(middles, 9.0 / 20, 1e-12);
        CHECK_NEAR(nodes + middles, 1, 1e-12);
    }
    world_end(&w);
}

/// Mean overlap of a cube of 1 kg at rest on a floor; `more` goes to the scene.
static double resting(int divisions, const char *soft, const char *hard, const char *more) {
    World w = world_of("lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
                       "time: {step: 20 ms, end: 1 s, scheme: backward-euler}\n"
                       "materials:\n"
                       "  soft: {young: 0.1 MPa, poisson: 0, density: 1000 kg/m^3, damping: "
                       "{stiffness: 50 ms}%s}\n"
                       "  hard: {young: 1e9 GPa, poisson: 0.3, density: 1000 kg/m^3%s}\n"
                       "solids: {it: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], "
                       "divisions: [%d, %d, %d]}}, at: [0, 0, 5 cm]}}\n"
                       "bodies: {floor: {fixed: true, material: hard, %s}}\n%s",
                       soft, hard, divisions, divisions, divisions, floors[1], more);
    world_step(&w, 100);
    double depth = w.ok ? pressure_below(&w).overlap : NAN;
    world_end(&w);
    return depth;
}

TEST(a_given_stiffness_is_that_of_the_whole_face) {
    for (int divisions = 1; divisions <= 3; divisions += 2) {
        // of the solid alone: the other side is rigid
        CHECK_NEAR(resting(divisions, ", contact: {stiffness: 1e4 N/m}", "", ""), 10 / 1e4, 2e-5);
        // both: springs in series
        CHECK_NEAR(resting(divisions, ", contact: {stiffness: 2e4 N/m}",
                           ", contact: {stiffness: 2e4 N/m}", ""),
                   10 / 1e4, 2e-5);
        // of the pair of materials
        CHECK_NEAR(resting(divisions, "", "",
                           "material-pairs: {both: {a: soft, b: hard, stiffness: 1e4 N/m}}\n"),
                   10 / 1e4, 2e-5);
    }
}

TEST(the_area_of_a_contact_is_that_of_the_triangles_that_face_it) {
    World w =
        world_of("lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                 "solids: {it: {material: m, mesh: {box: {size: [1, 1, 1], divisions: [1, 1, "
                 "1]}}, rotate: [0.3, -0.5, 0.2]}}\n");
    if (w.ok) {
        const LitheSolid *solid = &w.model->solids[0];
        Vec3 face[3] = {v3_sub(solid->mesh.nodes[1], solid->mesh.nodes[0])};
        for (int32_t i = 1, at = 0; i < solid->mesh.node_count && at < 3; i++) {
            Vec3 d = v3_sub(solid->mesh.nodes[i], solid->mesh.nodes[0]);
            if (fabs(v3_norm(d) - 1) < 1e-9)
                face[at++] = d;
        }
        // towards a corner: three faces look away from n, three against it
        Vec3 n = v3_unit(v3_add(face[0], v3_add(face[1], face[2])));
        double sum = 0, whole = 0, shadow = sqrt(3);
        for (int32_t i = 0; i < solid->mesh.node_count; i++) {
            double area = lithe_surface_area(&solid->skin, i, w.state->q, n);
            double around = solid->areas[i];
            CHECK(area >= 0.1 * around * (1 - 1e-12) && area <= around);
            sum += area > 0.1 * around * (1 + 1e-12) ? area : 0;
            whole += around;
        }
        CHECK_NEAR(whole, 6, 1e-12);
        CHECK_NEAR(sum, shadow, 1e-12);
    }
    world_end(&w);
}
