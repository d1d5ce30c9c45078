// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_beds.c - groups of nodes of solids that springs hold to bodies and the world

#include "advance/world.h"

#include "body/constraint.h"
#include "body/solid.h"

#define BLOCK \
    "materials: {m: {young: 10 MPa, poisson: 0, density: 1000 kg/m^3}}\n" \
    "solids: {block: {material: m, law: corotated, mesh: {box: {size: [10 cm, 10 cm, 10 cm], " \
    "divisions: [3, 2, 2]}}%s}}\n"

static const LitheConstraintId FIRST = {1};

static double weight(void) {
    return 9.81 * 1000 * 1e-3;
}

// a block on a bed sinks by its weight over the stiffness, evenly where shares follow the areas
TEST(a_block_sinks_into_its_bed_by_its_weight_over_the_stiffness) {
    const char *how[] = {"stiffness: 2000 N/m", "stiffness-per-area: 0.2 MPa/m",
                         "stiffness: 2000 N/m"};
    for (int k = 0; k < 3; k++) {
        World w = world_of("lithe: 1\ntime: {step: 1 s, end: 1 s, scheme: static}\n" BLOCK
                           "constraints: {bed: {kind: attach, a: block.z-min, b: world, %s}}\n",
                           k == 2 ? ", quadratic: true" : "", how[k]);
        world_step(&w, 1);
        if (w.ok) {
            const LitheSolid *solid = &w.model->solids[0];
            const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
            double sink = 0, sum = 0, wanted = weight() / 2000;
            for (int32_t i = 0; i < solid->mesh.node_count; i++)
                if (solid->mesh.nodes[i].z < -0.0499) {
                    double own = -0.05 - x[3 * (int64_t)i + 2];
                    CHECK(fabs(own - wanted) < 2e-3 * wanted + 1e-4 * 0.1);
                    sink += own;
                    sum += 1;
                }
            if (!CHECK_NEAR(sink / sum, wanted, 0.02 * wanted))
                printf("  %g of %g m\n", sink / sum, wanted);
            CHECK_NEAR(lithe_constraint_force(w.model, w.state, FIRST).z, -weight(),
                       1e-4 * weight());
        }
        world_end(&w);
    }
}

// on a body that falls freely the springs have no force; on one that is thrown upwards and held by
// nothing, momentum is kept and the energy of the springs is in the account
TEST(a_bed_on_a_free_body_keeps_momentum_and_energy) {
    World w =
        world_of("lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n" BLOCK
                 "bodies: {sled: {mass: 2 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0], at: [0, 0, "
                 "-10 cm], velocity: [0.5, 0, 0]}}\n"
                 "constraints: {bed: {kind: attach, a: sled, b: block.z-min, stiffness: 5e3 "
                 "N/m}}\n",
                 "");
    LitheVec3 start = lithe_momentum(w.model, w.state);
    double first = lithe_energy(w.model, w.state).kinetic;
    world_step(&w, 100);
    if (w.ok) {
        LitheVec3 p = lithe_momentum(w.model, w.state);
        LitheEnergy e = lithe_energy(w.model, w.state);
        double springs = lithe_constraint_energy(w.model, w.state);
        CHECK_NEAR(p.x, start.x, 1e-7);
        CHECK_NEAR(p.z, 0, 1e-7);
        CHECK(springs > 0 && w.unconverged == 0);
        // what constraints took is in the springs, except for the loss of the scheme
        if (!CHECK_NEAR(e.constraints, springs, 0.02 * first))
            printf("  %g J taken, %g J in the springs of %g J\n", e.constraints, springs, first);
        CHECK_NEAR(e.kinetic + e.elastic + e.constraints, first, 0.02 * first);
    }
    world_end(&w);
}

TEST(wrong_beds_are_refused_with_their_key) {
    world_refused(
        "needs either stiffness, of all of them, or stiffness-per-area",
        "lithe: 1\n" BLOCK "constraints: {bed: {kind: attach, a: block.z-min, b: world}}\n", "");
    world_refused("needs either stiffness, of all of them, or stiffness-per-area",
                  "lithe: 1\n" BLOCK
                  "constraints: {bed: {kind: attach, a: block.z-min, b: world, stiffness: 1 N/m, "
                  "stiffness-per-area: 1 Pa/m}}\n",
                  "");
    world_refused(
        "stiffness-per-area is 1 N/m^3, but only groups",
        "lithe: 1\n" BLOCK
        "constraints: {bed: {kind: attach, a: 'block[0]', b: world, stiffness-per-area: 1 "
        "Pa/m}}\n",
        "");
    world_refused("as-built is false",
                  "lithe: 1\n" BLOCK
                  "constraints: {bed: {kind: attach, a: block.z-min, b: world, stiffness: 1 N/m, "
                  "as-built: false}}\n",
                  "");
}
