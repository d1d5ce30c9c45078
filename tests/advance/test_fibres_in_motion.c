// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_fibres_in_motion.c - solids with fibres in every scheme: momenta, energy,
// damping; on a floor under each law of friction; at rest where statics say

#include "world.h"

static World cube(const char *scheme, double h, const char *more, const char *damping) {
    return world_of(
        "lithe: 1\ngravity: none\n"
        "time: {step: %.17g, end: 100 s, scheme: %s, tolerance: 1e-12}\n"
        "materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000%s}}\n"
        "solids: {it: {material: m, %s, velocity: [1, 0, 0], spin: [2 rad/s, 1 rad/s, 10 rad/s],\n"
        "  mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}}}\n"
        "fibres:\n"
        "  inside: {on: it, modulus: 2 MPa, fraction: 0.3, along: [1, 1, 0]}\n"
        "  threads: {on: it.x-max, modulus: 50 MPa, diameter: 0.5 mm, spacing: 1 cm, axis: [0, 0, "
        "1], angle: 40 deg, crossed: true, slack: true}\n",
        h, scheme, damping, more);
}

// |b - a|/|a|
static double change(LitheVec3 a, LitheVec3 b) {
    double d = hypot(hypot(b.x - a.x, b.y - a.y), b.z - a.z);
    return d / hypot(hypot(a.x, a.y), a.z);
}

LONG_TEST(schemes_keep_the_momenta_of_a_free_solid_with_fibres) {
    static const struct {
        const char *scheme;
        double h, angular, energy; // what may change
    } rows[] = {{"midpoint", 1e-3, 1e-9, 1e-4},
                {"tr-bdf2", 1e-3, 1e-4, 1e-4},
                {"backward-euler", 1e-3, 2e-2, 0.01},
                {"symplectic-euler", 2e-5, 1e-9, 1e-5}};
    static const char *const solids[] = {"law: corotated-lagged", "law: neo-hookean",
                                         "law: corotated-lagged, quadratic: true"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int s = 0; s < 3; s++) {
            World w = cube(rows[k].scheme, rows[k].h, solids[s], "");
            if (!w.ok)
                continue;
            LitheVec3 p = lithe_momentum(w.model, w.state);
            LitheVec3 L = lithe_angular_momentum(w.model, w.state);
            LitheEnergy before = lithe_energy(w.model, w.state);
            world_step(&w, (int64_t)(0.1 / rows[k].h));
            LitheEnergy after = lithe_energy(w.model, w.state);
            double start = before.kinetic + before.elastic, end = after.kinetic + after.elastic;
            double turned = change(L, lithe_angular_momentum(w.model, w.state));
            printf("  %s, %s: angular momentum changes by %.2g, energy by %.2g\n", rows[k].scheme,
                   solids[s], turned, end / start - 1);
            CHECK(w.unconverged == 0);
            CHECK(change(p, lithe_momentum(w.model, w.state)) < 1e-10);
            CHECK(turned < rows[k].angular);
            CHECK(fabs(end / start - 1) < rows[k].energy);
            world_end(&w);
        }
}

TEST(damping_of_fibres_does_not_brake_a_solid_that_turns) {
    for (int lagged = 0; lagged < 2; lagged++) {
        World w = cube("midpoint", 1e-3, lagged ? "law: corotated-lagged" : "law: corotated",
                       ", damping: {stiffness: 2 ms}");
        LitheVec3 L = lithe_angular_momentum(w.model, w.state);
        world_step(&w, 300);
        double turned = change(L, lithe_angular_momentum(w.model, w.state));
        printf("  angular momentum changes by %.2g\n", turned);
        CHECK(w.unconverged == 0);
        CHECK(turned < 1e-4);
        world_end(&w);
    }
}

// on a floor, dropped and come to rest: its lowest height and mean height
static void rest_of(const char *contact, double *low, double *mean) {
    World w = world_of(
        "lithe: 1\ntime: {step: 5 ms, end: 1 s}\ncontact: {%s}\n"
        "materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000, friction: 0.5, damping: "
        "{stiffness: 10 ms}}}\n"
        "bodies: {floor: {fixed: true, shape: {half-space: {}}, material: m}}\n"
        "solids: {it: {material: m, at: [0, 0, 51 mm], mesh: {box: {size: [0.1, 0.1, 0.1], "
        "divisions: [2, 2, 2]}}}}\n"
        "fibres: {f: {on: it, modulus: 1 MPa, fraction: 0.3, along: [1, 0, 1]}}\n",
        contact);
    world_step(&w, 100);
    *low = 1, *mean = 0;
    if (w.ok) {
        int32_t count = lithe_solid_node_count(w.model, (LitheSolidId){1});
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        for (int32_t i = 0; i < count; i++) {
            *low = fmin(*low, x[3 * i + 2]);
            *mean += x[3 * i + 2] / count;
        }
    }
    world_end(&w);
}

TEST(a_block_with_fibres_rests_on_a_floor_under_each_law_of_friction) {
    static const char *const laws[] = {"friction-law: lagged", "friction-law: sap",
                                       "friction-law: similar"};
    double low[3], mean[3];
    for (int k = 0; k < 3; k++) {
        rest_of(laws[k], &low[k], &mean[k]);
        printf("  %s: lowest %.6f m, mean height %.6f m\n", laws[k], low[k], mean[k]);
        CHECK(fabs(low[k]) < 5e-4);
        CHECK_NEAR(mean[k], mean[0], 2e-4);
    }
}

// Pulled in 0.5 s with much damping, and by a static step.
LONG_TEST(motion_ends_where_statics_say) {
    double tip[2][3] = {{0}};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\ntime: {%s, tolerance: 1e-10}\n"
            "materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000, damping: {stiffness: 50 "
            "ms, mass: 10 1/s}}}\n"
            "solids: {it: {material: m, law: neo-hookean, quadratic: true, mesh: {box: {size: "
            "[0.2, 0.03, 0.03], divisions: [4, 1, 1]}}}}\n"
            "holds: {wall: {on: it.x-min}}\n"
            "fibres: {f: {on: it.z-max, modulus: 10 MPa, thickness: 0.5 mm, along: [1, 1, 0]}}\n",
            k ? "scheme: backward-euler, step: 20 ms" : "scheme: static, step: 1 s");
        world_step(&w, k ? 200 : 1);
        CHECK(w.unconverged == 0);
        const double *x = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        for (int64_t i = 0; i < lithe_solid_node_count(w.model, (LitheSolidId){1}); i++)
            for (int c = 0; c < 3; c++)
                tip[k][c] += x[3 * i + c];
        world_end(&w);
    }
    for (int c = 0; c < 3; c++)
        CHECK_NEAR(tip[1][c], tip[0][c], 1e-4 * fabs(tip[0][2]));
}
