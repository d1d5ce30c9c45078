// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_stress.c - stresses at the nodes of soft solids, where they are largest: at
// walls, against closed forms

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"

// largest relative error of the von Mises stress at the nodes with radius 10 cm from the axis
typedef double FieldFn(Vec3 X);
typedef bool WhereFn(Vec3 X);

// largest of |got/wanted - 1| over the nodes of a place
static double worst(const World *w, WhereFn *where, FieldFn *wanted) {
    const LitheSolid *solid = &w->model->solids[0];
    double *got = malloc((size_t)solid->mesh.node_count * sizeof *got), most = 0, count = 0;
    lithe_solid_von_mises(w->model, w->state, (LitheSolidId){1}, got);
    for (int32_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 X = solid->mesh.nodes[i];
        if (!where(X))
            continue;
        most = fmax(most, fabs(got[i] / wanted(X) - 1));
        count++;
    }
    free(got);
    CHECK(count > 3);
    return most;
}

// --- tube ----------------------------------------------------------------------------------------

static bool at_inner_wall(Vec3 X) {
    return hypot(X.x, X.y) < 0.102;
}

static bool at_outer_wall(Vec3 X) {
    return hypot(X.x, X.y) > 0.198;
}

// Lame, plane strain, radii 10 and 20 cm, 10 Pa inside, Poisson's ratio 0.3
static double lame(Vec3 X) {
    double r = hypot(X.x, X.y), p = 10, a2 = 0.01, b2 = 0.04;
    double mean = p * a2 / (b2 - a2), part = mean * b2 / (r * r);
    double s[3] = {mean - part, mean + part, 0.6 * mean};
    return sqrt(0.5 * (pow(s[0] - s[1], 2) + pow(s[1] - s[2], 2) + pow(s[2] - s[0], 2)));
}

static World tube(double resolution, bool quadratic) {
    return world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {tube: {radius: 20 cm, "
        "inner: 10 cm, length: %.17g, resolution: %.17g}}}}\n"
        "sets: {a: {of: it, sphere: {centre: [20.03 cm, 0, %.17g], radius: 2 mm}},\n"
        "       b: {of: it, plane: {point: [0, 0, 0], normal: [0, 1, 0], thickness: 0.1 mm}}}\n"
        "holds: {bottom: {on: it.z-min, hold: z}, top: {on: it.z-max, hold: z}, x: {on: a, hold: "
        "x}, y: {on: b, hold: y}}\n"
        "pressures: {p: {on: it.inner, pressure: 10 Pa}}\n",
        quadratic ? "true" : "false", 2 * resolution, resolution, -resolution);
}

LONG_TEST(the_wall_of_a_thick_tube_has_the_stress_of_lame) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        World w =
            tube(quadratic ? 0.0125 : 0.0167, quadratic); // four elements through the wall, six
        if (w.ok) {
            world_step(&w, 1);
            double in = worst(&w, at_inner_wall, lame), out = worst(&w, at_outer_wall, lame);
            printf("  %s: %.2f %% at the inner wall, %.2f %% at the outer\n",
                   quadratic ? "quadratic" : "linear", 100 * in, 100 * out);
            CHECK(fmax(in, out) < (quadratic ? 0.01 : 0.05));
        }
        world_end(&w);
    }
}

// --- cantilever ----------------------------------------------------------------------------------

// upper fibres, away from the corner by a tenth of the length
static bool at_top(Vec3 X) {
    return X.z > 0.0099 && X.x > -0.08001 && X.x < 0 && fabs(X.y) < 0.0099;
}

// under its own weight, 1e-3 m/s^2: M z/I with M = q (L - x)^2/2, and no shear there
static double bending(Vec3 X) {
    double from_head = 0.1 - X.x, q = 1000 * 4e-4 * 1e-3;
    return 0.5 * q * from_head * from_head * 0.01 / (pow(0.02, 4) / 12);
}

LONG_TEST(the_outer_fibres_of_a_cantilever_have_the_stress_of_bending) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        int32_t cells = quadratic ? 2 : 8;
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
            "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
            "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {box: {size: [20 cm, "
            "2 cm, 2 cm], divisions: [%d, %d, %d]}}, acceleration: [0, 0, 1e-3]}}\n"
            "holds: {wall: {on: it.x-min}}\n",
            quadratic ? "true" : "false", 10 * cells, cells, cells);
        if (w.ok) {
            world_step(&w, 1);
            double off = worst(&w, at_top, bending);
            printf("  %s: %.2f %%\n", quadratic ? "quadratic" : "linear", 100 * off);
            CHECK(off < (quadratic ? 0.02 : 0.08));
        }
        world_end(&w);
    }
}

// --- plate with a hole ---------------------------------------------------------------------------

// Kirsch's displacements of a plate with a hole of 1 cm in plane strain, pulled along x by 10 Pa
static Vec3 kirsch(Vec3 X) {
    double a = 0.01, r = hypot(X.x, X.y), mu = 1e6 / 2.6, kappa = 3 - 4 * 0.3,
           s = 10 * a / (8 * mu);
    double c = (X.x * X.x - X.y * X.y) / (r * r), d = 2 * X.x * X.y / (r * r);
    double u =
        s * (r / a * (kappa - 1 + 2 * c) + 2 * a / r * (1 + (kappa + 1) * c - a * a / (r * r) * c));
    double v = s * (-2 * r / a + 2 * a / r * (1 - kappa - a * a / (r * r))) * d;
    return v3((u * X.x - v * X.y) / r, (u * X.y + v * X.x) / r, 0);
}

static bool beside_hole(Vec3 X) {
    return hypot(X.x, X.y) < 0.0104 && fabs(X.x) < 0.002;
}

// Along the hole the stress is p (1 - 2 cos 2 t), three times the pull beside it, and no force acts
// on its wall.
static double along_hole(Vec3 X) {
    double c = (X.x * X.x - X.y * X.y) / (X.x * X.x + X.y * X.y);
    return 10 * (1 - 2 * c) * sqrt(1 - 0.3 + 0.3 * 0.3);
}

LONG_TEST(a_hole_in_a_plate_triples_the_stress) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
            "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
            "solids: {it: {material: m, law: corotated, quadratic: %s, mesh: {tube: {radius: 4 cm, "
            "inner: 1 cm, length: 5 mm, resolution: %g mm}}}}\n"
            "holds: {bottom: {on: it.z-min, hold: z}, top: {on: it.z-max, hold: z}, rim: {on: "
            "it.outer, hold: [x, y]}}\n",
            quadratic ? "true" : "false", quadratic ? 2.5 : 1.25);
        if (w.ok) {
            const LitheSolid *solid = &w.model->solids[0];
            double *q = w.state->q + w.model->units[solid->unit].q_at;
            for (int64_t i = 0; i < solid->mesh.node_count; i++)
                if (solid->held[3 * i])
                    v3_store(v3_add(solid->mesh.nodes[i], kirsch(solid->mesh.nodes[i])), q + 3 * i);
            world_step(&w, 1);
            double off = worst(&w, beside_hole, along_hole);
            printf("  %s: %.2f %%\n", quadratic ? "quadratic" : "linear", 100 * off);
            CHECK(off < (quadratic ? 0.06 : 0.1));
        }
        world_end(&w);
    }
}
