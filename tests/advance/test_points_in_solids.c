// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_points_in_solids.c - constraints at points in soft solids: ties and fibres

#include "advance/world.h"

#include "body/solid.h"

#define MATERIALS \
    "materials:\n" \
    "  m: {young: 1 MPa, poisson: 0, density: 1000 kg/m^3, damping: {stiffness: 5 ms}}\n" \
    "  cord: {young: 50 MPa, poisson: 0.3, density: 1000 kg/m^3}\n"

// a block that hangs on one place, given as a node or as a point
static World hanging(const char *place, const char *more) {
    return world_of("lithe: 1\ntime: {step: 2 ms, end: 1 s}\n" MATERIALS
                    "solids: {it: {material: m, mesh: {box: {size: [4 cm, 4 cm, 4 cm], divisions: "
                    "[2, 2, 2]}}%s}}\n"
                    "constraints: {hook: {kind: attach, a: world, b: %s}}\n",
                    more, place);
}

TEST(a_point_at_a_node_is_tied_as_the_node_is) {
    World a = hanging("'it[13]'", ""), b = hanging("{on: it, at: [0, 0, 0]}", "");
    World c = hanging("it", ""); // where the origin of the world is
    world_step(&a, 50);
    world_step(&b, 50);
    world_step(&c, 50);
    if (a.ok && b.ok && c.ok) {
        const double *x = lithe_solid_position(a.model, a.state, (LitheSolidId){1});
        const double *y = lithe_solid_position(b.model, b.state, (LitheSolidId){1});
        const double *z = lithe_solid_position(c.model, c.state, (LitheSolidId){1});
        CHECK(v3_norm(v3_load(x + 3 * 13)) < 1e-6); // node 13 is the middle
        for (int32_t k = 0; k < 3 * 27; k++)
            CHECK(fabs(x[k] - y[k]) < 1e-9 && fabs(x[k] - z[k]) < 1e-9);
    }
    world_end(&a);
    world_end(&b);
    world_end(&c);
}

// the point stays where it is tied, with linear and quadratic elements, and carries the weight
LONG_TEST(a_point_in_an_element_carries_the_solid) {
    for (int k = 0; k < 2; k++) {
        World w = hanging("{on: it, at: [3 mm, -7 mm, 12 mm]}", k ? ", quadratic: true" : "");
        world_step(&w, 300);
        if (w.ok) {
            double a[7], b[7], weight = 9.80665 * 1000 * 64e-6;
            LitheVec3 f = lithe_constraint_force(w.model, w.state, (LitheConstraintId){1});
            lithe_constraint_places(w.model, w.state, (LitheConstraintId){1}, a, b);
            CHECK_NEAR(b[0], 0.003, 1e-6);
            CHECK_NEAR(b[1], -0.007, 1e-6);
            CHECK_NEAR(b[2], 0.012, 1e-6);
            CHECK(w.unconverged == 0 && fabs(f.z - weight) < 0.2 * weight);
        }
        world_end(&w);
    }
}

// A bar with a cord along its axis that is glued at each node: both stretch together. Stiffness of
// the bar 1 MPa 4 cm^2 = 400 N, of the cord 50 MPa pi (1.6 mm)^2 = 402 N.
TEST(a_fibre_adds_its_stiffness_to_that_of_the_bar) {
    double stretch[2] = {0};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {step: 1 s, end: 1 s, scheme: static}\n" MATERIALS
            "solids: {bar: {material: m, law: corotated, mesh: {box: {size: [20 cm, 2 cm, 2 cm], "
            "divisions: [10, 2, 2]}}, at: [10 cm, 0, 0]}}\n"
            "holds: {wall: {on: bar.x-min}}\n"
            "forces: {pull: {on: bar.x-max, force: [0.5 N, 0, 0]}}\n%s",
            k ? "rods: {cord: {material: cord, section: {circle: {radius: 1.6 mm}}, shape: {line: "
                "{from: [1 cm, 0, 0], to: [19 cm, 0, 0]}}, nodes: 10}}\n"
                "constraints: {glue: {repeat: {i: 10}, kind: attach, a: 'cord[i]', b: bar}}\n"
              : "");
        world_step(&w, 1);
        if (w.ok) {
            const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
            int32_t last = w.model->solids[0].mesh.node_count - 1;
            stretch[k] = x[3 * last] - 0.2;
            CHECK(w.unconverged == 0);
        }
        world_end(&w);
    }
    CHECK_NEAR(stretch[0], 4.5 / 400 * 0.2, 0.05 * 4.5 / 400 * 0.2);
    // the last centimetre at each end has no cord
    if (!CHECK(stretch[1] > 0.5 * stretch[0] && stretch[1] < 0.65 * stretch[0]))
        printf("  stretch %g and %g m\n", stretch[0], stretch[1]);
}
