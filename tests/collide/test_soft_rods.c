// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_rods.c - contact of rods and particles with the surfaces of soft solids

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"

#include <math.h>
#include <string.h>

#define HEAD "lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
#define MATERIALS \
    "materials:\n" \
    "  soft: {young: 0.1 MPa, poisson: 0, density: 1000 kg/m^3, friction: 0.4, damping: " \
    "{stiffness: 50 ms}}\n" \
    "  cord: {young: 10 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.4, damping: {mass: " \
    "2 " \
    "1/s}}\n"

/// Sums over the contacts that press.
typedef struct Push {
    LitheVec3 force;  // on the solid [N]
    double overlap;   // mean, weighted by stiffness [m]
    double stiffness; // sum [N/m]
    int32_t contacts;
} Push;

static Push push_of(const World *w) {
    Push p = {0};
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce f = lithe_work_contact(w->work, i);
        if (!(vector_length(f.force) > 0))
            continue;
        p.force = (LitheVec3){p.force.x + f.force.x, p.force.y + f.force.y, p.force.z + f.force.z};
        p.overlap -= f.contact.stiffness * f.contact.gap;
        p.stiffness += f.contact.stiffness;
        p.contacts++;
    }
    p.overlap /= p.stiffness;
    return p;
}

/// Nodes of rods, and particles, that are in an element of the first solid.
static int32_t inside_of(const World *w) {
    const LitheSolid *solid = &w->model->solids[0];
    const double *x = w->state->q + w->model->units[solid->unit].q_at;
    bool rod = w->model->rod_count > 0;
    const double *q = w->state->q + (rod ? w->model->rods[0].dof_at : w->model->particles[0].q_at);
    int32_t count = rod ? w->model->rods[0].node_count : w->model->particles[0].count, inside = 0;
    for (int32_t i = 0; i < count; i++)
        for (int32_t e = 0; e < solid->mesh.element_count; e++) {
            const int32_t *n = solid->mesh.elements + 4 * (int64_t)e;
            Vec3 p = v3_load(q + (rod ? 4 : 3) * (int64_t)i), o = v3_load(x + 3 * (int64_t)n[0]);
            Vec3 a = v3_sub(v3_load(x + 3 * (int64_t)n[1]), o), d = v3_sub(p, o);
            Vec3 b = v3_sub(v3_load(x + 3 * (int64_t)n[2]), o);
            Vec3 c = v3_sub(v3_load(x + 3 * (int64_t)n[3]), o);
            double all = v3_dot(v3_cross(a, b), c), u = v3_dot(v3_cross(d, b), c) / all;
            double v = v3_dot(v3_cross(a, d), c) / all, t = v3_dot(v3_cross(a, b), d) / all;
            inside += u >= 0 && v >= 0 && t >= 0 && u + v + t <= 1;
        }
    return inside;
}

/// Height of the lowest of them [m].
static double lowest_of(const World *w) {
    bool rod = w->model->rod_count > 0;
    const double *q = w->state->q + (rod ? w->model->rods[0].dof_at : w->model->particles[0].q_at);
    int32_t count = rod ? w->model->rods[0].node_count : w->model->particles[0].count;
    double low = INFINITY;
    for (int32_t i = 0; i < count; i++)
        low = fmin(low, q[(rod ? 4 : 3) * i + 2]);
    return low;
}

// --- weights -------------------------------------------------------------------------------------

/// A block of 10 x 10 x 5 cm whose upper face is at z = 0, on a fixed lower face.
static World on_block(int cells, const char *scheme, const char *more) {
    return world_of(HEAD "time: {step: 10 ms, end: 1 s, scheme: %s}\n" MATERIALS
                         "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.05], "
                         "divisions: [%d, %d, 2]}}, at: [0, 0, -2.5 cm]}}\n"
                         "holds: {low: {on: block.z-min}}\n%s",
                    scheme, cells, cells, more);
}

static World rod_on_block(int cells, int nodes, double height) {
    char rod[300];
    snprintf(rod, sizeof rod,
             "rods: {rod: {material: cord, section: {circle: {radius: 4 mm}}, nodes: %d, shape: "
             "{line: {from: [-3.1 cm, 2 mm, %g], to: [3.3 cm, 7 mm, %g]}}}}\n",
             nodes, height, height);
    return on_block(cells, "backward-euler", rod);
}

// k = E/layer of the softer block in series with that of the cord, on the shadow of the rod
TEST(a_rod_on_a_block_has_the_stiffness_of_its_shadow_for_every_mesh) {
    static const int cells[] = {1, 2, 5}, nodes[] = {3, 12, 7};
    double length = hypot(0.064, 0.005), area = 8e-3 * length + M_PI * 16e-6, layer = 0.005 * 0.05;
    double k1 = 0.1e6 / layer, k2 = 10e6 / 0.91 / layer, expected = area * k1 * k2 / (k1 + k2);
    for (int k = 0; k < 9; k++) {
        World w = rod_on_block(cells[k / 3], nodes[k % 3], 3.9e-3);
        LitheContacts *found = lithe_contacts_create(w.context);
        LitheError error;
        if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK)) {
            double sum = 0, moment = 0;
            for (int32_t i = 0; i < lithe_contact_count(found); i++) {
                const LitheContact *c = &lithe_contact_data(found)[i];
                CHECK_NEAR(c->gap, -1e-4, 1e-12);
                CHECK_NEAR(c->normal.z, -1, 1e-12);
                sum += c->stiffness;
                moment += c->stiffness * c->point.x;
            }
            CHECK_NEAR(sum, expected, 1e-9 * expected);
            CHECK_NEAR(moment, expected * 1e-3, 1e-9 * expected); // about its middle
        }
        lithe_contacts_destroy(found);
        world_end(&w);
    }
}

// The nodes beside a fold, which (C5) leaves out, are no ends: half balls are at the ends alone.
TEST(a_rod_that_folds_back_on_a_block_has_the_stiffness_of_its_shadow) {
    World w = rod_on_block(3, 5, 3.9e-3);
    if (w.ok) {
        static const double x[5][2] = {
            {-0.021, -0.02}, {-0.022, 0.001}, {0.023, 0.002}, {-0.024, 0.011}, {-0.025, 0.032}};
        for (int i = 0; i < 5; i++)
            memcpy(w.state->q + w.model->rods[0].dof_at + 4 * i, x[i], sizeof x[i]);
        double layer = 0.005 * 0.05, length = hypot(0.001, 0.021) + hypot(0.045, 0.001) +
                                              hypot(0.047, 0.009) + hypot(0.001, 0.021);
        double k1 = 0.1e6 / layer, k2 = 10e6 / 0.91 / layer;
        double expected = (8e-3 * length + M_PI * 16e-6) * k1 * k2 / (k1 + k2), sum = 0;
        LitheContacts *found = lithe_contacts_create(w.context);
        LitheError error;
        CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK);
        for (int32_t i = 0; i < lithe_contact_count(found); i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            sum += c->normal.z < -0.5 ? c->stiffness : 0; // the rod also touches itself
        }
        CHECK_NEAR(sum, expected, 1e-9 * expected);
        lithe_contacts_destroy(found);
    }
    world_end(&w);
}

TEST(a_rod_on_a_block_rests_with_its_weight) {
    World w = rod_on_block(3, 7, 4.1e-3);
    if (w.ok && world_step(&w, 60)) {
        Push p = push_of(&w);
        double weight = 10 * 1000 * M_PI * 16e-6 * hypot(0.064, 0.005);
        printf("  %.6g of %.6g N, overlap %.3g um, %d contacts\n", p.force.z, weight,
               1e6 * p.overlap, (int)p.contacts);
        CHECK_NEAR(fabs(p.force.z), weight, 1e-3 * weight);
        CHECK(w.unconverged == 0);
    }
    world_end(&w);
}

TEST(a_particle_finds_one_contact_on_a_face_an_edge_and_a_corner) {
    static const double at[][3] = {
        {0.01, 0.013, 9e-3}, {1e-3, 1e-3, 9e-3}, {0.056, 0.011, 7e-3}, {0.055, 0.055, 6e-3}};
    static const double distance[] = {9e-3, 9e-3, 0.00921954446, 0.00927361850};
    for (int k = 0; k < 4; k++) {
        char ball[200];
        snprintf(ball, sizeof ball,
                 "particles: {ball: {material: cord, radius: 1 cm, positions: [[%g, %g, %g]]}}\n",
                 at[k][0], at[k][1], at[k][2]);
        World w = on_block(4, "backward-euler", ball);
        LitheContacts *found = lithe_contacts_create(w.context);
        LitheError error;
        if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK) &&
            CHECK(lithe_contact_count(found) == 1)) {
            const LitheContact *c = lithe_contact_data(found);
            CHECK_NEAR(c->gap, distance[k] - 0.01, 1e-9);
            CHECK(c->normal.z < 0);
        }
        lithe_contacts_destroy(found);
        world_end(&w);
    }
}

TEST(a_particle_rests_on_a_block_with_its_weight) {
    World w = on_block(4, "backward-euler",
                       "particles: {ball: {material: cord, radius: 1 cm, positions: [[12 mm, 5 mm, "
                       "1.01 cm]]}}\n");
    if (w.ok && world_step(&w, 80)) {
        Push p = push_of(&w);
        double weight = 10 * 1000 * 4 * M_PI / 3 * 1e-6;
        printf("  %.6g of %.6g N, overlap %.3g um, %d contacts\n", p.force.z, weight,
               1e6 * p.overlap, (int)p.contacts);
        CHECK_NEAR(fabs(p.force.z), weight, 2e-3 * weight);
        CHECK(w.unconverged == 0);
    }
    world_end(&w);
}

// --- friction ------------------------------------------------------------------------------------

// along its axis a rod sticks or slides as a point mass does; across it rolls, with two thirds of
// the acceleration
LONG_TEST(a_rod_sticks_slides_and_rolls_on_a_soft_plate) {
    // a = 2 m/s^2 for 0.5 s with the damping c of the cord: a/c (t - (1 - exp(-c t))/c)
    const double c = 2, far = 2 / c * (0.5 - (1 - exp(-c * 0.5)) / c);
    const struct {
        double x, y, moved[2];
    } cases[] = {{3, 0, {0, 0}}, {6, 0, {far, 0}}, {0, 3, {0, far}}};
    for (int k = 0; k < 3; k++) {
        World w = world_of(
            "lithe: 1\ngravity: [%g, %g, -10]\ntime: {step: 10 ms, end: 1 s, scheme: "
            "backward-euler}\n" MATERIALS
            "solids: {plate: {material: soft, mesh: {box: {size: [1, 1, 0.05], divisions: [8, 8, "
            "2]}}, at: [0, 0, -2.5 cm]}}\n"
            "holds: {low: {on: plate.z-min}}\n"
            "rods: {rod: {material: cord, section: {circle: {radius: 4 mm}}, nodes: 9, shape: "
            "{line: {from: [-3 cm, 0, 4 mm], to: [3 cm, 0, 4 mm]}}}}\n",
            cases[k].x, cases[k].y);
        if (w.ok && world_step(&w, 50)) {
            const double *q = w.state->q + w.model->rods[0].dof_at + 4 * 4;
            printf("  pull %g, %g: moved %.4g, %.4g m\n", cases[k].x, cases[k].y, q[0], q[1]);
            CHECK_NEAR(q[0], cases[k].moved[0], 0.004);
            CHECK_NEAR(q[1], cases[k].moved[1], 0.004);
        }
        world_end(&w);
    }
}

// --- a rope over a block -------------------------------------------------------------------------

#define ROPE \
    "rods: {rope: {material: soft, section: {circle: {radius: 3 mm}}, nodes: 41, shape: {line: " \
    "{from: [-0.2, 3 mm, 3.1 mm], to: [0.2, 3 mm, 3.1 mm]}}}}\n"

TEST(a_rope_falls_over_the_edges_of_a_block_without_energy_from_nothing_and_threads_agree) {
    double hash[2] = {0};
    for (int threads = 1; threads <= 2; threads++) {
        World w = on_block(3, "backward-euler", ROPE);
        if (w.ok) {
            lithe_work_destroy(w.work);
            w.work = lithe_work_create(w.model, threads);
            double before = stored(&w), most = 0;
            for (int i = 0; i < 150 && world_step(&w, 1); i++) {
                double now = stored(&w);
                most = fmax(most, now - before);
                before = now;
            }
            Push p = push_of(&w);
            double weight = 10 * 1000 * M_PI * 9e-6 * 0.4;
            printf("  %.5g of %.5g N on %d contacts, largest gain of a step %.2g J\n",
                   fabs(p.force.z), weight, (int)p.contacts, most);
            CHECK_NEAR(fabs(p.force.z), weight, 0.05 * weight);
            CHECK(most < 1e-6 && w.unconverged == 0);
            const double *q = w.state->q + w.model->rods[0].dof_at;
            CHECK(q[2] < -0.1 && q[4 * 40 + 2] < -0.1); // its ends hang down
            for (int64_t k = 0; k < w.model->q_count; k++)
                hash[threads - 1] += w.state->q[k] * (double)(k % 97);
        }
        world_end(&w);
    }
    CHECK(hash[0] == hash[1]);
}

// --- fast things ---------------------------------------------------------------------------------

// thrown down from 1 cm above the block with steps of 5 ms; none of the nodes is inside afterwards
LONG_TEST(rods_and_particles_thrown_at_a_block_stay_outside) {
    static const char *const things[] = {
        "rods: {it: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 9, velocity: [0, 0, "
        "-%g], shape: {line: {from: [-4 cm, 1 mm, 1 cm], to: [4.2 cm, 9 mm, 1.2 cm]}}}}\n",
        "rods: {it: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 5, velocity: [0, 0, "
        "-%g], shape: {line: {from: [1 mm, 3 mm, 1 cm], to: [7 mm, 8 mm, 6 cm]}}}}\n",
        "rods: {it: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 9, velocity: [0, 0, "
        "-%g], shape: {line: {from: [2 cm, -9 cm, 1 cm], to: [9 cm, 2 cm, 1 cm]}}}}\n",
        "particles: {it: {material: cord, radius: 5 mm, positions: [[1 mm, 2 mm, 1 cm], [3 cm, -1 "
        "cm, 1.3 cm]], velocity: [0, 0, -%g]}}\n",
    };
    for (int k = 0; k < 8; k++) {
        char thing[300];
        double speed = k % 2 ? 30 : 3;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(thing, sizeof thing, things[k / 2], speed);
#pragma GCC diagnostic pop
        World w = on_block(3, "tr-bdf2", thing);
        w.model->time.step = 5e-3;
        int32_t cuts = 0, avoided = 0;
        for (int i = 0; i < 12 && world_step(&w, 1); i++) {
            cuts += w.report.pieces > 1;
            avoided += w.report.crossings_avoided;
        }
        if (CHECK(w.ok)) {
            int32_t inside = inside_of(&w);
            printf("  %d at %g m/s: %d steps cut, %d crossings avoided, %d nodes inside\n", k / 2,
                   speed, (int)cuts, (int)avoided, (int)inside);
            CHECK(inside == 0 && (k / 2 == 2 || lowest_of(&w) > -0.05));
        }
        world_end(&w);
    }
}

TEST(only_the_certificate_keeps_a_fast_rod_and_a_fast_particle_outside_where_nothing_looks_ahead) {
    static const char *const things[] = {
        "rods: {it: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 5, velocity: [0, 0, "
        "-30 m/s], shape: {line: {from: [-4 cm, 1 mm, 1 cm], to: [4.2 cm, 9 mm, 1.2 cm]}}}}\n",
        "particles: {it: {material: cord, radius: 2 mm, positions: [[1 mm, 2 mm, 1 cm]], velocity: "
        "[0, 0, -30 m/s]}}\n"};
    for (int k = 0; k < 4; k++) {
        char more[400];
        snprintf(more, sizeof more, "%scontact: {single: true, certify: %s}\n", things[k / 2],
                 k % 2 ? "true" : "false");
        World w = on_block(3, "backward-euler", more);
        world_step(&w, 1);
        CHECK((lowest_of(&w) > -0.02) == (k % 2));
        CHECK((w.report.crossings_avoided > 0) == (k % 2));
        world_end(&w);
    }
}

// contacts push it out, and the certificate lets it go
LONG_TEST(a_particle_that_starts_inside_leaves_the_block) {
    World w = world_of(HEAD "time: {step: 2 ms, end: 1 s}\n" MATERIALS
                            "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], "
                            "divisions: [4, 4, 4]}}}}\n"
                            "holds: {foot: {on: block.z-min}}\n"
                            "particles: {ball: {material: cord, radius: 1 cm, positions: [[3 mm, 4 "
                            "mm, 2 cm]]}}\n");
    CHECK(inside_of(&w) == 1);
    world_step(&w, 250);
    CHECK(w.ok && inside_of(&w) == 0);
    world_end(&w);
}

TEST(a_rod_that_is_tied_to_a_block_does_not_push_it_at_the_tie) {
    // it starts at the middle of the block and leaves it through its upper face
    World w =
        on_block(3, "backward-euler",
                 "rods: {rod: {material: cord, section: {circle: {radius: 2 mm}}, nodes: 9, "
                 "shape: {line: {from: [1 mm, 2 mm, -2 cm], to: [1 mm, 2 mm, 6 cm]}}}}\n"
                 "constraints: {tie: {kind: attach, a: rod.start, b: {on: block, at: [1 mm, 2 "
                 "mm, -2 cm]}}}\n");
    if (w.ok && world_step(&w, 30)) {
        CHECK(lithe_work_contact_count(w.work) == 0 && w.unconverged == 0);
    }
    world_end(&w);
}
