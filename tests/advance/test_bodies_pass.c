// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_bodies_pass.c - no body passes through a body: thin, fast and turning ones

#include "world.h"

#include <math.h>

#define HEAD \
    "lithe: 1\n" \
    "gravity: none\n" \
    "time: {step: 1 ms, end: 1 s, scheme: %s}\n" \
    "materials: {m: {young: 1 MPa, density: 1000 kg/m^3, contact: {stiffness: 300 N/m, " \
    "dissipation: %g}}}\n"

// a closed plate of 12 triangles, 2 mm thick, with half the side L
#define PLATE(L) \
    "{mesh: {points: [[-" L ", -" L ", -1 mm], [" L ", -" L ", -1 mm], [" L ", " L \
    ", -1 mm], [-" L ", " L ", -1 mm], [-" L ", -" L ", 1 mm], [" L ", -" L ", 1 mm], [" L ", " L \
    ", 1 mm], [-" L ", " L \
    ", 1 mm]], triangles: [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], " \
    "[0, 5, 4], [1, 2, 6], [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7]]}}"
#define WALL_MESH PLATE("10 cm")

// what is thrown along -z at a wall around the origin, and how: shape, place, velocity
static const struct {
    const char *name, *thrown, *wall;
    int32_t steps;
} throws[] = {
    {"a plate on a plate",
     "{material: m, shape: {box: {size: [15 cm, 15 cm, 1 mm]}}, at: [1 cm, 0, 5 cm], "
     "velocity: [0, 0, -100 m/s]}",
     "{box: {size: [20 cm, 20 cm, 1 mm]}}", 4},
    {"a plate, edge first, on a plate",
     "{material: m, shape: {box: {size: [5 cm, 1 mm, 5 cm]}}, at: [1 cm, 0, 5 cm], "
     "velocity: [0, 0, -100 m/s]}",
     "{box: {size: [20 cm, 20 cm, 1 mm]}}", 4},
    {"a spinning bar",
     "{material: m, shape: {box: {size: [10 cm, 4 mm, 4 mm]}}, at: [0, 0, 7 cm], "
     "velocity: [0, 0, -100 m/s], angular-velocity: [0, 500 rad/s, 0]}",
     "{box: {size: [20 cm, 20 cm, 2 mm]}}", 3},
    {"a ball",
     "{material: m, shape: {sphere: {radius: 5 mm}}, at: [0, 1 cm, 3 cm], "
     "velocity: [0, 0, -100 m/s]}",
     "{box: {size: [20 cm, 20 cm, 1 mm]}}", 3},
    {"a box at a mesh",
     "{material: m, shape: {box: {size: [4 cm, 3 cm, 2 cm]}}, at: [0, 1 cm, 5 cm], "
     "velocity: [0, 0, -100 m/s], angular-velocity: [200 rad/s, 100 rad/s, 0]}",
     WALL_MESH, 3},
    {"a mesh at a mesh",
     "{material: m, shape: " PLATE("3 cm") ", at: [1 cm, 2 cm, 5 cm], velocity: [0, 0, -100 m/s]}",
     WALL_MESH, 3},
    {"a mesh, turning, at a mesh",
     "{material: m, shape: " PLATE("3 cm") ", at: [1 cm, 2 cm, 5 cm], velocity: [0, 0, -100 m/s], "
                                           "angular-velocity: [300 rad/s, 0, 100 rad/s], rotate: "
                                           "{axis: [1, 0, 0], angle: 70 deg}}",
     WALL_MESH, 4},
    {"a capsule at an open mesh",
     "{material: m, shape: {capsule: {radius: 4 mm, length: 3 cm}}, at: [0, 1 cm, 5 cm], "
     "velocity: [0, 0, -100 m/s], angular-velocity: [300 rad/s, 0, 0]}",
     "{mesh: {points: [[-10 cm, -10 cm, 0], [10 cm, -10 cm, 0], [0, 10 cm, 0]], "
     "triangles: [[0, 1, 2]]}}",
     3},
    {"a hull at a cylinder",
     "{material: m, shape: {convex: {points: [[-1 cm, -1 cm, -1 cm], [2 cm, -1 cm, -1 cm], [-1 cm, "
     "2 cm, -1 cm], "
     "[-1 cm, -1 cm, 2 cm]]}}, at: [0, 0, 3 cm], velocity: [0, 0, -100 m/s], angular-velocity: "
     "[100 rad/s, 0, 0]}",
     "{cylinder: {radius: 10 cm, length: 1 mm}}", 3},
};
enum { THROWS = sizeof throws / sizeof *throws };

static double dissipation = 10; // s/m

static World thrown(int k, const char *scheme, const char *more) {
    return world_of(HEAD "bodies:\n  shot: %s\n  wall: {fixed: true, material: m, shape: %s}\n%s",
                    scheme, dissipation, throws[k].thrown, throws[k].wall, more);
}

static void stay_before_a_wall(const char *scheme) {
    for (int k = 0; k < THROWS; k++) {
        World w = thrown(k, scheme, "");
        int32_t avoided = 0, held = 0;
        for (int i = 0; i < 10 * throws[k].steps && w.ok; i++) {
            world_step(&w, 1);
            avoided += w.report.crossings_avoided;
            held += w.report.held;
        }
        printf("  %s: %s: %d crossings avoided, %d pieces held, at %.4f m\n", scheme,
               throws[k].name, avoided, held, body_at(&w, "shot").z);
        LitheVec3 at = body_at(&w, "shot");
        CHECK(at.z > 0 || hypot(at.x, at.y) > 0.1); // or it flew on beside the wall
        world_end(&w);
    }
}

LONG_TEST(fast_thin_and_turning_bodies_stay_before_a_wall) {
    for (dissipation = 0.01; dissipation < 11; dissipation += 9.99) {
        stay_before_a_wall("backward-euler");
        stay_before_a_wall("midpoint");
        stay_before_a_wall("tr-bdf2");
    }
    dissipation = 10;
}

// purpose of the certificate: without it they pass
TEST(without_certificate_bodies_do_pass) {
    int passed = 0;
    dissipation = 0.01;
    for (int k = 0; k < THROWS; k++) {
        World w = thrown(k, "backward-euler", "contact: {certify: false}\n");
        world_step(&w, throws[k].steps);
        passed += body_at(&w, "shot").z < 0;
        world_end(&w);
    }
    dissipation = 10;
    printf("  %d of %d\n", passed, (int)THROWS);
    CHECK(passed == THROWS);
}

TEST(without_looking_ahead_the_certificate_alone_keeps_bodies_before_a_wall) {
    for (int k = 0; k < THROWS; k++) {
        World w = thrown(k, "backward-euler", "contact: {single: true}\n");
        int32_t avoided = 0;
        for (int i = 0; i < throws[k].steps && w.ok; i++) {
            world_step(&w, 1);
            avoided += w.report.crossings_avoided;
        }
        printf("  %s: %d crossings avoided, at %.4f m\n", throws[k].name, avoided,
               body_at(&w, "shot").z);
        CHECK(avoided > 0 && body_at(&w, "shot").z > 0);
        world_end(&w);
    }
}

TEST(two_bodies_that_cannot_be_kept_apart_are_named) {
    dissipation = 0.01;
    World w = thrown(3, "backward-euler", "contact: {single: true, most-cuts: 0}\n");
    dissipation = 10;
    LitheError error;
    LitheStatus status = LITHE_OK;
    for (int i = 0; i < 3 && status == LITHE_OK; i++)
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
    CHECK(status == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, "body 'shot' and body 'wall' would pass through each other");
    world_end(&w);
}

// no false alarms: a pile settles with the same bits as without the certificate
// In ever smaller steps they must not come nearer than the certificate can tell.
TEST(bodies_that_are_driven_slowly_through_each_other_stop_the_run) {
    static const char *const still[] = {
        "box: {size: [10 cm, 10 cm, 4 mm]}}",
        "cylinder: {radius: 5 mm, length: 10 cm}}, rotate: {axis: [1, 0, 0], angle: 90 deg}"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\n"
            "gravity: none\n"
            "time: {step: 1 ms, end: 3 s}\n"
            "materials: {m: {young: 1 MPa, density: 1000, friction: 0.3, contact: {stiffness: 1e4 "
            "N/m}}}\n"
            "bodies:\n"
            "  plate: {fixed: true, material: m, shape: {%s}\n"
            "  pin: {material: m, shape: {box: {size: [1 cm, 1 cm, 4 cm]}}, at: [0, 0, 3 cm]}\n"
            "joints: {slide: {kind: prismatic, parent: world, child: pin, axis: [0, 0, 1]}}\n"
            "actuators: {push: {joint: slide, kind: prescribed, target: {kind: linear, table: [[0 "
            "s, 0 m], [3 s, -60 mm]]}}}\n",
            still[k]);
        LitheError error = {0};
        LitheStatus status = LITHE_OK;
        for (int i = 0; w.ok && i < 1500 && status == LITHE_OK; i++)
            status = lithe_step(w.model, w.state, w.work, &w.report, &error);
        CHECK(status == LITHE_CANNOT_GO_ON);
        CHECK(strstr(error.text, "body 'plate' and body 'pin' would pass through each other"));
        world_end(&w);
    }
}

LONG_TEST(a_pile_of_boxes_settles_as_without_certificate) {
    static const char *const pile =
        "lithe: 1\n"
        "time: {step: 2 ms, end: 2 s, scheme: backward-euler}\n"
        "materials: {wood: {young: 1 GPa, density: 600 kg/m^3, friction: 0.4}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: wood, shape: {box: {size: [2, 2, 0.02]}}}\n"
        "  box: {repeat: {i: 10, j: 3}, material: wood, "
        "shape: {box: {size: [12 cm, 8 cm, 3 mm]}}, "
        "at: [j * 9 cm, i * 1 cm - 5 cm, 3 cm + i * 7 cm + j * 2 cm], "
        "rotate: {axis: [1, 2, 3], angle: 10 deg * (i + 3 * j)}}\n%s";
    World w = world_of(pile, ""), free = world_of(pile, "contact: {certify: false}\n");
    int32_t avoided = 0, pieces = 0;
    for (int i = 0; i < 300 && w.ok && free.ok; i++) {
        world_step(&w, 1);
        world_step(&free, 1);
        avoided += w.report.crossings_avoided;
        pieces += w.report.pieces;
        FATAL(lithe_state_hash(w.state) == lithe_state_hash(free.state));
    }
    CHECK(avoided == 0 && pieces == 300);
    world_end(&w);
    world_end(&free);
}

// a plate of 1 mm that turns about its middle at 400 rad/s sweeps a particle away; whether it
// passes is judged in the frame of the plate
TEST(a_particle_does_not_pass_through_a_turning_plate) {
    for (int certified = 0; certified < 2; certified++) {
        World w = world_of(
            HEAD "bodies: {plate: {material: m, shape: {box: {size: [20 cm, 4 cm, 1 mm]}}, "
                 "angular-velocity: [0, 400 rad/s, 0]}}\n"
                 "particles: {grain: {material: m, radius: 1 mm, "
                 "positions: [[5 cm, 0, -2 mm]]}}\n"
                 "contact: {single: true, certify: %s}\n",
            "backward-euler", 0.01, certified ? "true" : "false");
        double pose[7], side = 0;
        int32_t avoided = 0;
        for (int i = 0; i < 2 && w.ok; i++) {
            world_step(&w, 1);
            avoided += w.report.crossings_avoided;
            lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "plate"), pose);
            const double *x = lithe_particles_position(w.model, w.state, (LitheParticlesId){1});
            // the third axis of the plate, for a rotation about y
            double c = pose[3], s = pose[5];
            side = 2 * c * s * (x[0] - pose[0]) + (c * c - s * s) * (x[2] - pose[2]);
        }
        CHECK(certified ? side < 0 && avoided > 0 : side > 0);
        world_end(&w);
    }
}
