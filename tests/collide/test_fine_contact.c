// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_fine_contact.c - fine surfaces that touch, carried by coarse tetrahedra

#include "test.h"

#include "body/egg.h"
#include "body/solid.h"

#include "data/model.h"
#include "data/state.h"

#include <string.h>

#define HEAD \
    "lithe: 1\n" \
    "materials:\n" \
    "  soft: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5, damping: " \
    "{stiffness: 100 ms, mass: 5 1/s}}\n" \
    "  free: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5}\n" \
    "  cord: {young: 10 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5, damping: {mass: " \
    "5 " \
    "1/s}}\n"

// one egg, 6 cm high above its middle, of elements of 4 cm; and whatever else
static World egg(const char *own, const char *more) {
    char *surface = egg_surface(false);
    World w = world_of(HEAD "%ssolids: {egg: {material: soft, fine: true, %s, mesh: {surface: "
                            "{resolution: 4 cm, %s}}}}\n",
                       more, own, surface);
    free(surface);
    return w;
}

// height of the lowest or highest point of the fine surface [m]
static double end_of(const World *w, bool top) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = w->state->q + w->model->units[solid->unit].q_at;
    double end = top ? -INFINITY : INFINITY;
    for (int32_t i = 0; i < solid->fine.point_count; i++) {
        double z = lithe_fine_point(&solid->fine, x, i).z;
        end = top ? fmax(end, z) : fmin(end, z);
    }
    return end;
}

// sum of the vertical forces of contacts [N]
static double lift_of(const World *w, int32_t *contacts) {
    double sum = 0;
    *contacts = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        sum += fabs(f.force.z);
        *contacts += fabs(f.force.z) > 0;
    }
    return sum;
}

LONG_TEST(a_fine_surface_rests_where_it_is_drawn) {
    static const char *const floor =
        "gravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 10 ms, end: 2 s, scheme: backward-euler}\n"
        "bodies: {floor: {fixed: true, at: [0, 0, -0.06], shape: {half-space: {}}}}\n";
    World fine = egg("fine-contact: true", floor), coarse = egg("fine-contact: false", floor);
    int32_t contacts;
    if (world_step(&fine, 200) && world_step(&coarse, 200)) {
        double weight = 10 * fine.model->units[0].mass, layer = fine.model->solids[0].skin.layer;
        CHECK_NEAR(lift_of(&fine, &contacts), weight, 2e-3 * weight);
        // the lowest point touches the floor; that of the tetrahedra is elsewhere
        CHECK_NEAR(end_of(&fine, false), -0.06, 0.05 * layer);
        CHECK(end_of(&coarse, false) + 0.06 < -0.5 * layer);
        CHECK(fine.unconverged == 0);
    }
    world_end(&fine);
    world_end(&coarse);
}

TEST(a_fine_surface_moves_as_one_and_leaves_no_momentum_behind) {
    char *surface = egg_surface(false);
    World w = world_of(HEAD "time: {step: 2 ms, end: 1 s}\ngravity: none\nsolids:\n"
                            "  a: {material: free, fine: true, fine-contact: true, velocity: [0, "
                            "0, 1 m/s], mesh: &m {surface: {resolution: 5 cm, %s}}}\n"
                            "  b: {material: free, fine: true, fine-contact: true, at: [3 cm, 1 "
                            "cm, 12.2 cm], mesh: *m}\n",
                       surface);
    free(surface);
    int32_t contacts = 0, most = 0;
    for (int k = 0; k < 30 && world_step(&w, 1); k++) {
        lift_of(&w, &contacts);
        most = contacts > most ? contacts : most;
    }
    if (w.ok) {
        LitheVec3 p = lithe_momentum(w.model, w.state);
        double start = w.model->units[0].mass;
        CHECK(most > 3);
        CHECK_NEAR(p.z, start, 1e-12 * start);
        CHECK(hypot(p.x, p.y) < 1e-12 * start);
        // the second one moves
        CHECK(w.state->v[w.model->units[1].v_at + 2] > 0.1);
    }
    world_end(&w);
}

// a rod across the egg and a particle on its top: their lowest places
LONG_TEST(rods_and_particles_rest_on_a_fine_surface) {
    static const char *const loads[2] = {
        "rods: {rod: {material: cord, section: {circle: {radius: 4 mm}}, nodes: 7, shape: {line: "
        "{from: [-3 cm, 0, 6.5 cm], to: [3 cm, 0, 6.5 cm]}}}}\n"
        "holds: {low: {on: egg, hold: [x, y, z]}, guide: {on: \"rod[3]\", hold: [x, y]}}\n",
        "particles: {ball: {material: cord, radius: 5 mm, positions: [[0, 0, 6.6 cm]]}}\n"
        "holds: {low: {on: egg, hold: [x, y, z]}, guide: {on: \"ball[0]\", hold: [x, y]}}\n"};
    for (int k = 0; k < 2; k++) {
        char more[500];
        snprintf(more, sizeof more, "gravity: [0, 0, -10 m/s^2]\ntime: {step: 5 ms, end: 2 s}\n%s",
                 loads[k]);
        World w = egg("fine-contact: true", more);
        int32_t contacts;
        if (world_step(&w, 200)) {
            int32_t other = 1 - w.model->solids[0].unit;
            double weight = 10 * w.model->units[other].mass;
            const double *q = w.state->q + w.model->units[other].q_at;
            double radius = k == 0 ? 4e-3 : 5e-3, z = q[k == 0 ? 4 * 3 + 2 : 2];
            CHECK_NEAR(lift_of(&w, &contacts), weight, 5e-3 * weight);
            CHECK_NEAR(z, end_of(&w, true) + radius, 1e-4);
        }
        world_end(&w);
    }
}

// nodes of the upper half are welded to a plate: twelve carriers of a contact, some of them riders
TEST(a_fine_surface_whose_nodes_are_welded_carries_their_body) {
    World w = egg("fine-contact: true",
                  "gravity: [0, 0, -10 m/s^2]\ntime: {step: 10 ms, end: 2 s, scheme: "
                  "backward-euler}\n"
                  "bodies:\n"
                  "  floor: {fixed: true, at: [0, 0, -0.06], shape: {half-space: {}}}\n"
                  "  plate: {material: cord, at: [0, 0, 5 cm], shape: {box: {size: [6 cm, "
                  "6 cm, 1 cm]}}}\n"
                  "joints: {rail: {kind: prismatic, child: plate, axis: [0, 0, 1]}}\n"
                  "sets: {high: {of: egg, box: {from: [-1, -1, -3.5 cm], to: [1, 1, 1]}}}\n"
                  "ignore: [[plate, egg]]\n"
                  "constraints: {glue: {kind: weld, a: high, b: plate}}\n");
    int32_t contacts;
    if (world_step(&w, 150)) {
        double weight = 10 * (w.model->units[0].mass + w.model->units[1].mass);
        CHECK(w.model->solids[0].rider_count > 10);
        CHECK_NEAR(lift_of(&w, &contacts), weight, 2e-3 * weight);
    }
    world_end(&w);
}

TEST(nothing_passes_through_a_fine_surface) {
    World w =
        egg("fine-contact: true",
            "gravity: none\ntime: {step: 5 ms, end: 1 s}\n"
            "holds: {low: {on: egg, hold: [x, y, z]}}\n"
            "particles: {ball: {material: cord, radius: 3 mm, positions: [[5 mm, 2 mm, 20 cm]], "
            "velocity: [0, 0, -80 m/s]}}\n");
    const LitheParticles *ball = w.ok ? &w.model->particles[0] : NULL;
    for (int k = 0; k < 20 && world_step(&w, 1); k++)
        CHECK(w.state->q[ball->q_at + 2] > 0.05);
    world_end(&w);
}

TEST(threads_and_scratch_do_not_change_what_a_fine_surface_does) {
    double *q[3] = {NULL};
    int64_t count = 0;
    for (int k = 0; k < 3; k++) {
        World w = egg("fine-contact: true, spin: [1, 2, 0]",
                      "gravity: [0, 0, -10 m/s^2]\ntime: {step: 5 ms, end: 1 s}\n"
                      "bodies: {floor: {fixed: true, at: [0, 0, -0.061], shape: {half-space: "
                      "{}}}}\n");
        if (!w.ok)
            continue;
        if (k == 1) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, 2);
        }
        for (int i = 0; i < 20 && world_step(&w, 1); i++)
            if (k == 2) {
                lithe_work_destroy(w.work);
                w.work = lithe_work_create(w.model, 1);
            }
        count = w.model->q_count;
        q[k] = malloc((size_t)count * sizeof(double));
        memcpy(q[k], w.state->q, (size_t)count * sizeof(double));
        world_end(&w);
    }
    CHECK(q[0] && q[1] && memcmp(q[0], q[1], (size_t)count * sizeof(double)) == 0);
    CHECK(q[0] && q[2] && memcmp(q[0], q[2], (size_t)count * sizeof(double)) == 0);
    for (int k = 0; k < 3; k++)
        free(q[k]);
}

// --- with itself, and at ties --------------------------------------------------------------------

// A fork of 6 x 2 x 6 cm with a slot of 1 cm between its prongs, whose upper one is pressed down by
// 2 cm; of elements of 1 cm, touched at its own surface.
static World pressed_fork(const char *self) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {step: 10 ms, end: 1 s, scheme: backward-euler}\n"
        "materials: {soft: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0.2, damping: "
        "{stiffness: 20 ms}}}\n"
        "solids: {fork: {material: soft, law: neo-hookean, fine: true, fine-contact: true, "
        "self-contact: %s, mesh: {surface: {resolution: 1 cm, points: [\n"
        "  [-3 cm, -1 cm, -3 cm], [3 cm, -1 cm, -3 cm], [3 cm, -1 cm, -5 mm], [-1.5 cm, -1 cm, -5 "
        "mm],\n"
        "  [-1.5 cm, -1 cm, 5 mm], [3 cm, -1 cm, 5 mm], [3 cm, -1 cm, 3 cm], [-3 cm, -1 cm, 3 "
        "cm],\n"
        "  [-3 cm, 1 cm, -3 cm], [3 cm, 1 cm, -3 cm], [3 cm, 1 cm, -5 mm], [-1.5 cm, 1 cm, -5 "
        "mm],\n"
        "  [-1.5 cm, 1 cm, 5 mm], [3 cm, 1 cm, 5 mm], [3 cm, 1 cm, 3 cm], [-3 cm, 1 cm, 3 cm]],\n"
        "  triangles: [0,1,2, 0,2,3, 0,3,4, 0,4,7, 4,5,6, 4,6,7,\n"
        "    10,9,8, 11,10,8, 12,11,8, 15,12,8, 14,13,12, 15,14,12,\n"
        "    0,8,9, 0,9,1, 1,9,10, 1,10,2, 2,10,11, 2,11,3, 3,11,12, 3,12,4,\n"
        "    4,12,13, 4,13,5, 5,13,14, 5,14,6, 6,14,15, 6,15,7, 7,15,8, 7,8,0]}}}}\n"
        "sets:\n"
        "  low: {of: fork, box: {from: [-1, -1, -1], to: [1, 1, -2.6 cm]}}\n"
        "  high: {of: fork, box: {from: [1 cm, -1, 2.6 cm], to: [1, 1, 1]}}\n"
        "holds: {low: {on: low}}\n"
        "drives: {press: {on: high, direction: [0, 0, -1], motion: {table: [[0 s, 0 m], [0.4 s, 2 "
        "cm]]}}}\n",
        self);
}

LONG_TEST(a_fine_surface_touches_itself) {
    for (int k = 0; k < 2; k++) {
        World w = pressed_fork(k ? "true" : "false");
        int32_t contacts = 0;
        double slot = NAN;
        if (world_step(&w, 45)) {
            const LitheSolid *solid = &w.model->solids[0];
            const double *x = w.state->q + w.model->units[solid->unit].q_at;
            slot = lithe_fine_point(&solid->fine, x, 5).z - lithe_fine_point(&solid->fine, x, 2).z;
            lift_of(&w, &contacts);
            CHECK(w.unconverged == 0);
        }
        printf("  self-contact %s: %d contacts, the slot of 10 mm is %.3g mm\n", k ? "on" : "off",
               (int)contacts, 1e3 * slot);
        CHECK((contacts > 0) == (k == 1));
        CHECK(k ? fabs(slot) < 1e-3 : slot < -5e-3);
        world_end(&w);
    }
}

TEST(a_rod_that_is_tied_into_a_fine_surface_does_not_push_it_at_the_tie) {
    // it starts at the middle of the egg and leaves it through its upper end
    static const char *const rod =
        "gravity: none\ntime: {step: 2 ms, end: 1 s, scheme: backward-euler}\n"
        "rods: {rod: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 9, shape: {line: "
        "{from: [1 mm, 2 mm, 0], to: [1 mm, 2 mm, 12 cm]}}}}\n"
        "constraints: {tie: {kind: attach, a: rod.start, b: {on: egg, at: [1 mm, 2 mm, 0]}}}\n";
    World w = egg("fine-contact: true", rod);
    if (world_step(&w, 30))
        CHECK(lithe_work_contact_count(w.work) == 0 && w.unconverged == 0);
    world_end(&w);
}

TEST(a_fine_contact_without_a_fine_surface_is_refused) {
    world_refused("fine-contact is true, but fine is false",
                  HEAD "solids: {cube: {material: soft, fine-contact: true, mesh: {box: {size: "
                       "[1, 1, 1], divisions: [1, 1, 1]}}}}\n");
}
