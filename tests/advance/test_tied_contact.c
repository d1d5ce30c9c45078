// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_tied_contact.c - things do not touch where they are tied: (C7)

#include "world.h"

#include "data/thing.h"

static LitheConstraintId tie(const World *w, const char *name) {
    return lithe_constraint_find(w->model, name);
}

#define CRATE \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 100 s}\n" \
    "materials:\n" \
    "  steel: {young: 200 GPa, poisson: 0.3, density: 7850, damping: {mass: 5, stiffness: " \
    "1e-3}}\n" \
    "bodies:\n" \
    "  crate: {mass: 500, inertia: [83.3, 83.3, 83.3, 0, 0, 0], material: steel,\n" \
    "          shape: {box: {size: [1, 1, 1]}}}\n" \
    "rods:\n" \
    "  cable: {material: steel, section: {circle: {radius: 8 mm}}, nodes: %d,\n" \
    "          shape: {line: {from: [0, 0, 2.5], to: [0, 0, %g]}}}\n" \
    "constraints:\n" \
    "  hook: {kind: attach, a: {on: world, at: [0, 0, 2.5]}, b: cable.start}\n" \
    "  lid: {kind: attach, a: {on: crate, at: [0, 0, %g]}, b: cable.end%s}\n"

static void check_weight(int nodes, double end) {
    World w = world_of(CRATE, nodes, end, end, "");
    world_step(&w, 1500);
    double r = 8e-3, cable = 7850 * M_PI * r * r * (2.5 - end), weight = 9.81 * (500 + cable);
    double pull = lithe_constraint_force(w.model, w.state, tie(&w, "hook")).z;
    printf("  %d nodes, tied at %g m: %.7g N of %.7g N, %d contacts\n", nodes, end, pull, weight,
           w.report.contacts);
    CHECK(w.ok && w.report.contacts == 0 && w.report.stiffened == 0);
    // the tie on the lid carries the crate and nothing else
    CHECK_NEAR(lithe_constraint_force(w.model, w.state, tie(&w, "lid")).z, -9.81 * 500, 5);
    CHECK_NEAR(pull, weight, 1e-3 * weight);
    world_end(&w);
}

LONG_TEST(a_crate_on_a_cable_that_ends_on_its_lid_weighs_what_it_should) {
    check_weight(21, 0.5);
    check_weight(201, 0.5);
}

LONG_TEST(a_cable_that_is_tied_inside_of_a_body_passes_its_surface) {
    check_weight(21, 0.0);
    check_weight(41, 0.43);
}

#define RODS \
    "lithe: 1\n" \
    "gravity: none\n" \
    "time: {step: 1 ms, end: 100 s}\n" \
    "materials: {rope: {young: 10 MPa, poisson: 0.4, density: 1100, damping: {mass: 5,\n" \
    "                   stiffness: 1e-3}}}\n" \
    "rods:\n" \
    "  a: {material: rope, section: %s, nodes: %d, shape: {line: {from: [0, 0, 0],\n" \
    "      to: [0.5, 0, 0]}}}\n" \
    "  b: {material: rope, section: %s, nodes: %d, shape: {line: {from: [0.5, 0, 0],\n" \
    "      to: %s}}}\n" \
    "constraints:\n" \
    "  joint: {kind: %s, a: a.end, b: b.start%s}\n"

#define ROUND "{circle: {radius: 1 cm}}"

static double fastest(World *w) {
    double most = 0;
    for (const char *const *name = (const char *const[]){"a", "b", NULL}; *name; name++) {
        LitheThing rod = lithe_thing_find(w->model, *name);
        LitheThingPoints points = lithe_thing_points(w->model, w->state, rod);
        for (int32_t i = 0; i < points.count; i++)
            most = fmax(most, v3_norm(v3_load(points.v + (int64_t)points.stride * i)));
    }
    return most;
}

LONG_TEST(rods_welded_end_to_end_stay_at_rest) {
    static const char *const sections[] = {ROUND, "{rectangle: {width: 2 cm, height: 1 cm}}"};
    for (int k = 0; k < 6; k++) {
        int nodes = k % 3 == 0 ? 6 : k % 3 == 1 ? 51 : 201;
        World w =
            world_of(RODS, sections[k / 3], nodes, sections[k / 3], nodes, "[1, 0, 0]", "weld", "");
        world_step(&w, 20);
        printf("  %d nodes: %.2g m/s, %d contacts\n", nodes, fastest(&w), w.report.contacts);
        CHECK(w.ok && fastest(&w) < 1e-9);
        CHECK(w.report.contacts == 0);
        world_end(&w);
    }
}

TEST(the_key_contact_switches_contacts_around_a_tie_on) {
    World w = world_of(RODS, ROUND, 6, ROUND, 6, "[1, 0, 0]", "attach", ", contact: true");
    world_step(&w, 1);
    CHECK(w.report.contacts > 0);
    world_end(&w);
}

LONG_TEST(tied_rods_touch_beyond_the_tie) {
    // pinned end to end at an angle, which closes: they touch outside of the tie only
    World w = world_of("lithe: 1\n"
                       "gravity: [0, 0, -10]\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "materials: {rope: {young: 1 GPa, poisson: 0.4, density: 1100,\n"
                       "            contact: {stiffness: 1e5, dissipation: 1}}}\n"
                       "rods:\n"
                       "  a: {material: rope, section: {circle: {radius: 1 cm}}, nodes: 11,\n"
                       "      shape: {line: {from: [0.5, 0, 0], to: [0, 0, 0]}}}\n"
                       "  b: {material: rope, section: {circle: {radius: 1 cm}}, nodes: 11,\n"
                       "      shape: {line: {from: [0, 0, 0], to: [0.35, 0, 0.35]}}}\n"
                       "constraints:\n"
                       "  fast: {kind: weld, a: world, b: a.start}\n"
                       "  pin: {kind: attach, a: a.end, b: b.start}\n");
    double lowest = 1;
    int touched = 0;
    for (int i = 0; w.ok && i < 1500; i++) {
        world_step(&w, 1);
        touched += w.report.contacts > 0;
        LitheThingPoints b = lithe_thing_points(w.model, w.state, lithe_thing_find(w.model, "b"));
        LitheThingPoints a = lithe_thing_points(w.model, w.state, lithe_thing_find(w.model, "a"));
        for (int k = 1; k < 11; k++)
            lowest = fmin(lowest, b.x[4 * k + 2] - a.x[4 * (10 - k) + 2]);
    }
    printf("  %d steps with contacts, centrelines at least %.3g mm apart\n", touched, 1e3 * lowest);
    CHECK(w.ok && touched > 100);
    CHECK(lowest > 0.015 && lowest < 0.03);
    world_end(&w);
}

TEST(a_tie_that_is_released_returns_its_contacts_without_a_blow) {
    World w = world_of(CRATE, 21, 0.5, 0.5, ", breaks-at: 100 N");
    world_step(&w, 5);
    CHECK(w.ok && lithe_constraint_broken(w.model, w.state, tie(&w, "lid")));
    // nothing but gravity moved the crate
    world_step(&w, 45);
    double fall = 0.5 * 9.81 * 0.05 * 0.05;
    printf("  the crate fell by %.4g of %.4g m\n", -body_at(&w, "crate").z, fall);
    CHECK(-body_at(&w, "crate").z < 1.05 * fall && -body_at(&w, "crate").z > 0.8 * fall);
    world_end(&w);
}

TEST(welded_bodies_do_not_touch_and_attached_ones_do_where_they_start_apart) {
    const char *text = "lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "materials: {m: {young: 1 GPa, density: 1000}}\n"
                       "bodies:\n"
                       "  a: {material: m, shape: {box: {size: [1, 1, 1]}}}\n"
                       "  b: {material: m, shape: {box: {size: [1, 1, 1]}}, at: [%g, 0, 0]}\n"
                       "constraints:\n"
                       "  tie: {kind: %s, a: {on: a, at: [0.5, 0, 0]}, b: b}\n";
    World w = world_of(text, 0.9, "weld");
    world_step(&w, 3);
    CHECK(w.report.contacts == 0);
    world_end(&w);
    w = world_of(text, 0.9, "attach");
    world_step(&w, 3);
    CHECK(w.report.contacts == 0);
    world_end(&w);
    w = world_of(text, 1.0001, "attach");
    LitheContacts *contacts = lithe_contacts_create(w.context);
    CHECK(lithe_find_contacts(w.model, w.state, 1e-3, contacts, NULL) == LITHE_OK);
    CHECK(lithe_contact_count(contacts) > 0);
    lithe_contacts_destroy(contacts);
    world_end(&w);
}

TEST(a_tied_particle_touches_other_particles_and_its_thing_elsewhere) {
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 1 ms, end: 100 s}\n"
                       "materials: {m: {young: 1 GPa, density: 1000}}\n"
                       "particles:\n"
                       "  p: {material: m, radius: 1 cm, positions: [[0, 0, 0], [0.0199, 0, 0]]}\n"
                       "rods:\n"
                       "  a: {material: m, section: {circle: {radius: 1 cm}}, nodes: 11,\n"
                       "      shape: {line: {from: [0, 0, 0], to: [0, 0, 0.5]}}}\n"
                       "constraints:\n"
                       "  tie: {kind: attach, a: a.start, b: 'p[0]'}\n");
    world_step(&w, 1);
    // particle 1 touches particle 0 and the end of the rod
    printf("  %d contacts\n", w.report.contacts);
    CHECK(w.report.contacts == 2);
    world_end(&w);
}
