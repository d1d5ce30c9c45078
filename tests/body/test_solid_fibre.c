// SPDX-License-Identifier: Apache-2.0
// tests/body/test_solid_fibre.c - fibres of soft solids: derivatives, momenta, moduli off their
// axis, frequencies, what is refused

#include "test.h"

#include "advance/world.h"
#include "body/solid.h"
#include "data/state.h"

static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean", "mooney-rivlin",
                                   "mooney-rivlin-isochoric"};
enum { LAWS = sizeof laws / sizeof *laws };

static World block(const char *time, const char *solid, const char *rest) {
    return world_of("lithe: 1\ngravity: none\ntime: {%s}\n"
                    "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                    "solids: {it: {material: m, %s, mesh: {box: {size: [6 cm, 4 cm, 3 cm], "
                    "divisions: [3, 2, 1]}}}}\n%s",
                    time, solid, rest);
}

static int64_t dofs_of(const World *w) {
    return 3 * (int64_t)w->model->solids[0].mesh.node_count;
}

static double *place_of(World *w) {
    return w->state->q + w->model->units[w->model->solids[0].unit].q_at;
}

// --- derivatives ---------------------------------------------------------------------------------

#define EVERYWHERE \
    "fibres:\n" \
    "  inside: {on: it, modulus: 3 MPa, fraction: 0.4, axis: [0, 0, 1], centre: [0, 10 cm, 0], " \
    "angle: 30 deg, crossed: true}\n" \
    "  face: {on: it.x-max, modulus: 5 MPa, thickness: 2 mm, along: [0, 1, 2]}\n" \
    "  thread: {on: it.z-min, modulus: 1 GPa, diameter: 0.4 mm, spacing: 3 mm, axis: [1, 0, 0], " \
    "angle: -70 deg, slack: true}\n"

static double *values_of(const LitheSolid *solid, LitheSolidTerms *terms, const double *x) {
    int64_t count = solid->pattern->value_at[solid->pattern->start[solid->pattern->count]];
    terms->values = calloc((size_t)count, sizeof *terms->values);
    terms->scale = 1;
    lithe_solid_add_fibres(solid, x, terms);
    return terms->values;
}

TEST(forces_and_stiffness_are_derivatives_of_the_energy) {
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        World w =
            block("step: 1 ms", quadratic ? "quadratic: true" : "quadratic: false", EVERYWHERE);
        if (!w.ok)
            continue;
        const LitheSolid *solid = &w.model->solids[0];
        int64_t dofs = dofs_of(&w);
        TestRandom r = {4};
        CHECK(solid->fibre_count == 4);
        double *x = malloc(6 * (size_t)dofs * sizeof *x), *d = x + dofs, *at = d + dofs;
        double *f = at + dofs, *g = f + dofs, *Kd = g + dofs, off[2][2];
        for (int64_t k = 0; k < dofs; k++) {
            x[k] = place_of(&w)[k] + test_random(&r, -3e-3, 3e-3);
            d[k] = test_random(&r, -1e-2, 1e-2);
            f[k] = 0;
        }
        LitheSolidTerms terms = {.gradient = f};
        double *values = values_of(solid, &terms, x), E, slope = 0;
        terms.values = NULL;
        lithe_block_multiply(solid->pattern, values, d, Kd);
        memset(f, 0, (size_t)dofs * sizeof *f);
        E = lithe_solid_add_fibres(solid, x, &terms);
        CHECK(E > 0);
        for (int64_t k = 0; k < dofs; k++)
            slope += f[k] * d[k];
        for (int level = 0; level < 2; level++) {
            double h = level ? 1e-3 : 2e-3, sum = 0;
            for (int64_t k = 0; k < dofs; k++) {
                at[k] = x[k] + h * d[k];
                g[k] = 0;
            }
            LitheSolidTerms there = {.gradient = g};
            off[level][0] = fabs(lithe_solid_add_fibres(solid, at, &there) - E - h * slope);
            for (int64_t k = 0; k < dofs; k++)
                sum += pow(g[k] - f[k] - h * Kd[k], 2);
            off[level][1] = sqrt(sum);
        }
        CHECK_NEAR(log2(off[0][0] / off[1][0]), 2, 0.05);
        CHECK_NEAR(log2(off[0][1] / off[1][1]), 2, 0.1);
        // forces and their moments about the origin are in balance
        Vec3 force = {0}, moment = {0};
        double size = 0;
        for (int64_t k = 0; k < dofs; k += 3) {
            force = v3_add(force, v3_load(f + k));
            moment = v3_add(moment, v3_cross(v3_load(x + k), v3_load(f + k)));
            size += v3_norm(v3_load(f + k));
        }
        CHECK(v3_norm(force) < 1e-14 * size);
        CHECK(v3_norm(moment) < 1e-15 * size);
        free(values);
        free(x);
        world_end(&w);
    }
}

// --- a strip off the axis of its fibres ----------------------------------------------------------

// Pulled along x, fibres at an angle in the plane x, y. With k = modulus times fraction, d the
// direction, S the compliance of the matrix: strain = S s - k/(1 + k/E) (d'S s d)(S dd').
typedef struct Strain {
    double x, y, z, xy; // xy: half of the angle of shear
} Strain;

static Strain off_axis(double E, double nu, double k, double angle, double stress) {
    double c = cos(angle), s = sin(angle), own = (c * c - nu * s * s) * stress / E;
    double part = k / (1 + k / E) * own / E;
    return (Strain){stress / E - part * (c * c - nu * s * s),
                    -nu * stress / E - part * (s * s - nu * c * c), -nu * stress / E + part * nu,
                    -part * (1 + nu) * c * s};
}

// displacement of a corner of the block over its distance from the corner at the least x, y, z
static Vec3 moved(const World *w, const double *rest, Vec3 to) {
    const double *x = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    Vec3 a = {0}, b = {0};
    for (int64_t k = 0; k < dofs_of(w); k += 3) {
        Vec3 X = v3_load(rest + k), u = v3_sub(v3_load(x + k), X);
        a = v3_distance(X, v3(-0.03, -0.02, -0.015)) < 1e-9 ? u : a;
        b = v3_distance(X, to) < 1e-9 ? u : b;
    }
    return v3_sub(b, a);
}

#define FREE \
    "sets:\n" \
    "  o: {of: it, sphere: {centre: [-3 cm, -2 cm, -1.5 cm], radius: 1 um}}\n" \
    "  a: {of: it, sphere: {centre: [3 cm, -2 cm, -1.5 cm], radius: 1 um}}\n" \
    "  b: {of: it, sphere: {centre: [-3 cm, 2 cm, -1.5 cm], radius: 1 um}}\n" \
    "holds: {o: {on: o}, a: {on: a, hold: [y, z]}, b: {on: b, hold: z}}\n" \
    "pressures: {left: {on: it.x-min, pressure: -10 Pa}, right: {on: it.x-max, pressure: -10 " \
    "Pa}}\n"

TEST(a_strip_has_the_modulus_of_theory_off_the_axis_of_its_fibres) {
    static const char *const elements[] = {"quadratic: false", "quadratic: true",
                                           "quadratic: false, volume: mean"};
    for (int k = 0; k < LAWS * 3; k++)
        for (int angle = k ? 35 : 0; angle <= (k ? 35 : 90); angle += 15) {
            char solid[100], rest[1000];
            double a = angle * M_PI / 180;
            snprintf(solid, sizeof solid, "law: %s, %s", laws[k / 3], elements[k % 3]);
            snprintf(rest, sizeof rest,
                     FREE "fibres: {f: {on: it, modulus: 20 MPa, fraction: 0.25, along: [%.17g, "
                          "%.17g, 0]}}\n",
                     cos(a), sin(a));
            World w = block("scheme: static, step: 1 s, tolerance: 1e-12", solid, rest);
            double *x0 = malloc((size_t)dofs_of(&w) * sizeof *x0);
            memcpy(x0, place_of(&w), (size_t)dofs_of(&w) * sizeof *x0);
            world_step(&w, 1);
            Strain want = off_axis(1e6, 0.3, 5e6, a, 10);
            Vec3 x = moved(&w, x0, v3(0.03, -0.02, -0.015));
            Vec3 y = moved(&w, x0, v3(-0.03, 0.02, -0.015));
            Vec3 z = moved(&w, x0, v3(-0.03, -0.02, 0.015));
            CHECK_NEAR(x.x / 0.06, want.x, 1e-4 * 1e-5);
            CHECK_NEAR(y.y / 0.04, want.y, 1e-4 * 1e-5);
            CHECK_NEAR(z.z / 0.03, want.z, 1e-4 * 1e-5);
            CHECK_NEAR(y.x / 0.04, 2 * want.xy, 1e-4 * 1e-5);
            double stress[6 * 200];
            lithe_solid_stress(w.model, w.state, (LitheSolidId){1}, stress);
            CHECK_NEAR(stress[0], 10, 1e-2);
            CHECK_NEAR(stress[1], 0, 1e-2);
            free(x0);
            world_end(&w);
        }
}

// --- motion --------------------------------------------------------------------------------------

// With Poisson's ratio 0 a bar that slides between planes vibrates along its axis as one of modulus
// E + k: omega = pi/2/L sqrt((E + k)/rho).
TEST(a_bar_with_fibres_vibrates_faster) {
    World w = world_of("lithe: 1\ngravity: none\ntime: {scheme: midpoint, step: 50 us}\n"
                       "materials: {m: {young: 1 MPa, poisson: 0, density: 1000 kg/m^3}}\n"
                       "solids: {it: {material: m, law: corotated, mass: consistent, quadratic: "
                       "true, mesh: {box: {size: [20 cm, 1 cm, 1 cm], divisions: [20, 1, 1]}}}}\n"
                       "holds: {end: {on: it.x-min}, y: {on: it, hold: [y, z]}}\n"
                       "fibres: {f: {on: it, modulus: 30 MPa, fraction: 0.1, along: [1, 0, 0]}}\n");
    double *q = place_of(&w), before = 1, t = 0;
    for (int64_t k = 0; k < dofs_of(&w); k += 3)
        q[k] += 1e-5 * sin(M_PI / 2 * (q[k] + 0.1) / 0.2);
    double omega = M_PI / 0.4 * sqrt(4e6 / 1000), quarter = 0;
    int64_t tip = 0;
    for (int64_t k = 0; k < dofs_of(&w); k += 3)
        tip = q[k] > q[tip] ? k : tip;
    while (w.ok && t < 3 * M_PI / omega && quarter == 0) { // it passes its middle after a quarter
        world_step(&w, 1);
        t += 50e-6;
        double now = (place_of(&w)[tip] - 0.1) / 1e-5;
        if (now < 0)
            quarter = t - 50e-6 * now / (now - before);
        before = now;
    }
    printf("  omega %.4f, wanted %.4f\n", M_PI / 2 / quarter, omega);
    CHECK_NEAR(M_PI / 2 / quarter / omega, 1, 1e-3);
    world_end(&w);
}

// --- other parts ---------------------------------------------------------------------------------

TEST(fibres_do_not_swell_with_their_solid) {
    World w = block("scheme: static, step: 1 s, end: 1 s, tolerance: 1e-12", "law: corotated",
                    "holds:\n  x: {on: it.x-min, hold: x}\n  y: {on: it.y-min, hold: y}\n"
                    "  z: {on: it.z-min, hold: z}\n"
                    "fibres: {f: {on: it, modulus: 1 GPa, along: [1, 0, 0]}}\n"
                    "swells: {wet: {on: it, factor: {table: [[0 s, 1], [1 s, 1.1]]}}}\n");
    world_step(&w, 1);
    double far = 0;
    for (int64_t k = 0; k < dofs_of(&w); k += 3)
        far = fmax(far, place_of(&w)[k]);
    CHECK_NEAR(far, 0.03, 3e-5); // 3 mm without them
    world_end(&w);
}

TEST(what_is_wrong_is_refused_by_name) {
    static const char *const cases[][2] = {
        {"on: it, modulus: 0 Pa, along: [1, 0, 0]", "fibre 'f': modulus is 0 Pa, must be > 0"},
        {"on: it, modulus: 1 MPa", "no direction is given: along, or axis"},
        {"on: it, modulus: 1 MPa, along: [1, 0, 0], axis: [0, 0, 1]", "along and axis are both"},
        {"on: it, modulus: 1 MPa, along: [1, 0, 0], angle: 10 deg", "angle needs axis"},
        {"on: it, modulus: 1 MPa, along: [1, 0, 0], crossed: true", "crossed needs axis"},
        {"on: it, modulus: 1 MPa, axis: [1, 0, 0], angle: 91 deg", "angle is 91 deg, must be from"},
        {"on: it, modulus: 1 MPa, axis: [1, 0, 0], angle: 90 deg, crossed: true",
         "with an angle of 90 deg both families are one"},
        {"on: it, modulus: 1 MPa, along: [1, 0, 0], fraction: 1.5",
         "fraction is 1.5, must be <= 1"},
        {"on: it, modulus: 1 MPa, along: [1, 0, 0], fraction: 0", "fraction is 0, must be > 0"},
        {"on: it.x-min, modulus: 1 MPa, along: [0, 1, 0], diameter: 1 mm", "without spacing"},
        {"on: it.x-min, modulus: 1 MPa, along: [0, 1, 0], spacing: 1 mm", "without the diameter"},
        {"on: it.x-min, modulus: 1 MPa, along: [0, 1, 0], diameter: 2 mm, spacing: 1 mm",
         "spacing is 0.001 m, must be >= diameter, 0.002 m"},
        {"on: it.x-min, modulus: 1 MPa, along: [0, 1, 0], diameter: 2 mm, spacing: 3 mm, "
         "thickness: 1 mm",
         "thickness and diameter are both given"},
        {"on: it.x-min, modulus: 1 MPa, along: [0, 1, 0], diameter: 2 mm, spacing: 3 mm, "
         "fraction: 0.5",
         "fraction and diameter are both given"},
        {"on: it.x-min, modulus: 1 MPa, along: [1, 0, 0], thickness: 1 mm",
         "along is perpendicular to the face at (-0.03,"},
        {"on: it.x-min, modulus: 1 MPa, axis: [1, 0, 0], thickness: 1 mm",
         "the axis is perpendicular to the face at (-0.03,"},
        {"on: it.x-min, modulus: 1 MPa, axis: [0, 1, 0], thickness: 1 mm, centre: [1, 0, 0]",
         "only fibres that wind in elements"},
        {"on: it.x-min, modulus: 1 MPa, along: [1, 0, 0]",
         "no element of solid 'it' has all its nodes among the 6 of this place; with thickness"},
        {"on: \"it[3]\", modulus: 1 MPa, along: [1, 0, 0]", "on is a single node"},
        {"on: it.outer, modulus: 1 MPa, along: [1, 0, 0]", "solid 'it' has no group 'outer'"},
        {"on: it, modulus: 1 MPa, axis: [1, 0, 0], centre: [0, 1 cm, 0]", "on the axis"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        world_refused(cases[k][1],
                      "lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
                      "solids: {it: {material: m, quadratic: false, mesh: {box: {size: [6 cm, 4 "
                      "cm, 3 cm], divisions: [3, 2, 1]}}}}\nfibres: {f: {%s}}\n",
                      cases[k][0]);
    world_refused("rest is loaded, but it has fibres",
                  "lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
                  "solids: {it: {material: m, rest: loaded, mesh: {box: {size: [6 cm, 4 cm, 3 "
                  "cm], divisions: [3, 2, 1]}}}}\nholds: {h: {on: it.x-min}}\n"
                  "fibres: {f: {on: it, modulus: 1 MPa, along: [1, 0, 0]}}\n");
}

TEST(what_is_written_is_read_again) {
    World w = block("step: 1 ms", "law: corotated", EVERYWHERE);
    LitheError error;
    char *text = NULL;
    CHECK(lithe_scene_write(w.scene, &text, &error) == LITHE_OK);
    if (text) {
        CHECK_TEXT(text, "fibres:");
        CHECK_TEXT(text, "crossed: true");
        CHECK_TEXT(text, "slack: true");
        World again = world_of("%s", text);
        CHECK(again.ok && again.model->solids[0].fibre_count == 4);
        CHECK(again.ok &&
              again.model->solids[0].fibre_stiffness == w.model->solids[0].fibre_stiffness);
        world_end(&again);
    }
    lithe_text_free(w.context, text);
    world_end(&w);
}
