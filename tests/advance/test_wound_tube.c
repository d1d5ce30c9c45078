// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_wound_tube.c - tubes wound with fibres, under pressure: against the exact
// solution of linear elasticity
//
// Wall: u = A r + B/r, the axial strain ez, twist per length T. At the outer radius R families of
// fibres with the stiffness k per width and the angle a to the axis have the strain
//     e = ez cos^2 + (A + B/R^2) sin^2 + T R sin cos
// and the force per width k e. Balance: -p at the inner radius; at R the hoop force of the fibres
// over R; the axial force of the ends p pi a^2; no torque.

#include "world.h"

#include "data/state.h"
#include "math/vec3.h"

#include <math.h>

// Lengths in mm, moduli over that of the wall.
typedef struct Tube {
    double inner, outer, poisson;
    double k;     // of one family [mm]
    double angle; // of the first family
    bool crossed; // also -angle
    double p;
} Tube;

typedef struct Answer {
    double A, B, ez, twist;
} Answer;

static void solve(double m[4][5]) {
    for (int r = 0; r < 4; r++) {
        int best = r;
        for (int s = r; s < 4; s++)
            best = fabs(m[s][r]) > fabs(m[best][r]) ? s : best;
        for (int c = 0; c < 5; c++) {
            double t = m[r][c];
            m[r][c] = m[best][c];
            m[best][c] = t;
        }
        for (int s = 0; s < 4; s++)
            for (int c = 4; s != r && c >= r; c--)
                m[s][c] -= m[s][r] / m[r][r] * m[r][c];
    }
}

static Answer exact(const Tube *t) {
    double nu = t->poisson, mu = 0.5 / (1 + nu), la = 2 * mu * nu / (1 - 2 * nu);
    double a = t->inner, R = t->outer, ring = R * R - a * a;
    // unknowns A, B, ez, twist; equations: inner, outer, axial, torque
    double m[4][5] = {
        {2 * (la + mu), -2 * mu / (a * a), la, 0, -t->p},
        {2 * (la + mu), -2 * mu / (R * R), la, 0, 0},
        {2 * la * ring, 0, (la + 2 * mu) * ring, 0, t->p * a * a},
        {0, 0, 0, mu * (pow(R, 4) - pow(a, 4)) / 4, 0},
    };
    for (int f = 0; f <= t->crossed; f++) {
        double c = cos(t->angle), s = f ? -sin(t->angle) : sin(t->angle);
        const double e[4] = {s * s, s * s / (R * R), c * c, R * s * c};
        for (int j = 0; j < 4; j++) {
            m[1][j] += t->k * e[j] * s * s / R;
            m[2][j] += 2 * R * t->k * e[j] * c * c;
            m[3][j] += R * R * t->k * e[j] * s * c;
        }
    }
    solve(m);
    return (Answer){m[0][4] / m[0][0], m[1][4] / m[1][1], m[2][4] / m[2][2], m[3][4] / m[3][3]};
}

static Vec3 displacement(const Answer *u, Vec3 X) {
    double r2 = X.x * X.x + X.y * X.y, radial = u->A + u->B / r2, turn = u->twist * X.z;
    return v3(radial * X.x - turn * X.y, radial * X.y + turn * X.x, u->ez * X.z);
}

// The wall of 1 MPa; fibres of 100 MPa with a thickness that gives k. The ends have the exact
// displacements, the inner surface the pressure.
static double error_of(const Tube *t, double resolution, bool quadratic) {
    World w = world_of("lithe: 1\ngravity: none\n"
                       "time: {scheme: static, step: 1 s, tolerance: 1e-11}\n"
                       "materials: {m: {young: 1 MPa, poisson: %g, density: 1000}}\n"
                       "solids: {it: {material: m, law: corotated, volume: plain, quadratic: %s, "
                       "mesh: {tube: {radius: %g mm, inner: %g mm, length: 4 mm, resolution: %g "
                       "mm}}}}\n"
                       "holds: {a: {on: it.z-min}, b: {on: it.z-max}}\n"
                       "pressures: {p: {on: it.inner, pressure: %g Pa}}\n"
                       "fibres: {f: {on: it.outer, modulus: 100 MPa, thickness: %.17g mm, axis: "
                       "[0, 0, 1], angle: %.17g rad, crossed: %s}}\n",
                       t->poisson, quadratic ? "true" : "false", t->outer, t->inner, resolution,
                       1e6 * t->p, 0.01 * t->k, t->angle, t->crossed ? "true" : "false");
    Answer u = exact(t);
    double error = 0, size = 0;
    if (w.ok) {
        const LitheSolid *solid = &w.model->solids[0];
        double *q = w.state->q + w.model->units[solid->unit].q_at;
        for (int64_t i = 0; i < solid->mesh.node_count; i++) {
            Vec3 X = solid->mesh.nodes[i];
            if (solid->held[3 * i])
                v3_store(v3_add(X, v3_scale(1e-3, displacement(&u, v3_scale(1e3, X)))), q + 3 * i);
        }
        world_step(&w, 1);
        for (int64_t i = 0; i < solid->mesh.node_count; i++) {
            Vec3 X = solid->mesh.nodes[i], d = displacement(&u, v3_scale(1e3, X));
            Vec3 got = v3_scale(1e3, v3_sub(v3_load(q + 3 * i), X));
            error += pow(v3_distance(got, d), 2) * solid->mass[i];
            size += v3_dot(d, d) * solid->mass[i];
        }
    }
    world_end(&w);
    return sqrt(error / size);
}

LONG_TEST(tubes_converge_to_the_exact_solution) {
    for (int quadratic = 0; quadratic < 2; quadratic++)
        for (int crossed = 0; crossed < 2; crossed++) {
            Tube t = {.inner = 6,
                      .outer = 10,
                      .poisson = 0.3,
                      .k = 10,
                      .angle = 0.9,
                      .crossed = crossed,
                      .p = 1e-5};
            double coarse = error_of(&t, quadratic ? 4 : 2, quadratic);
            double fine = error_of(&t, quadratic ? 2 : 1, quadratic);
            double order = log2(coarse / fine);
            printf("  %s, %s: errors %.3g, %.3g, order %.2f\n", quadratic ? "quadratic" : "linear",
                   crossed ? "crossed" : "one family", coarse, fine, order);
            CHECK(order > (quadratic ? 2.5 : 1.5));
            CHECK(fine < (quadratic ? 2e-3 : 3e-2));
        }
}

// --- free ends -----------------------------------------------------------------------------------

// mean displacement along z and turn about z of the nodes near a height, per unit of it
static void section_of(const World *w, const double *rest, double z, double *up, double *turn,
                       double *out) {
    const double *q = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){1}), n = 0;
    *up = *turn = *out = 0;
    for (int32_t i = 0; i < count; i++) {
        const double *X = rest + 3 * i, *x = q + 3 * i;
        if (fabs(X[2] - z) > 1e-6)
            continue;
        double r2 = X[0] * X[0] + X[1] * X[1];
        *up += x[2] - X[2];
        *turn += (X[0] * (x[1] - X[1]) - X[1] * (x[0] - X[0])) / r2;
        *out += (X[0] * (x[0] - X[0]) + X[1] * (x[1] - X[1])) / r2;
        n++;
    }
    *up /= n, *turn /= n, *out /= n;
}

// a closed tube of 40 mm: its ends are pulled by p a^2/(R^2 - a^2)
static Answer free_tube(const Tube *t, const char *more) {
    double pull = t->p * t->inner * t->inner / (t->outer * t->outer - t->inner * t->inner);
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, tolerance: 1e-10}\n"
        "materials: {m: {young: 1 MPa, poisson: %g, density: 1000}}\n"
        "solids: {it: {material: m, law: corotated, quadratic: true, mesh: {tube: {radius: %g mm, "
        "inner: %g mm, length: 40 mm, resolution: 4 mm}}}}\n"
        "sets: {o: {of: it, sphere: {centre: [%g mm, 0, 0], radius: 1 um}}, \n"
        "       a: {of: it, sphere: {centre: [-%g mm, 0, 0], radius: 1 um}}}\n"
        "holds: {o: {on: o, hold: [y, z]}, a: {on: a, hold: [x, y, z]}}\n"
        "pressures: {p: {on: it.inner, pressure: %g Pa}, a: {on: it.z-min, pressure: -%.17g Pa}, "
        "b: {on: it.z-max, pressure: -%.17g Pa}}\n"
        "fibres: {f: {on: it.outer, modulus: 100 MPa, thickness: %.17g mm, axis: [0, 0, 1], angle: "
        "%.17g rad, crossed: %s%s}}\n",
        t->poisson, t->outer, t->inner, t->outer, t->outer, 1e6 * t->p, 1e6 * pull, 1e6 * pull,
        0.01 * t->k, t->angle, t->crossed ? "true" : "false", more);
    Answer got = {0};
    if (w.ok) {
        int32_t count = lithe_solid_node_count(w.model, (LitheSolidId){1});
        double *rest = malloc(3 * (size_t)count * sizeof *rest), up[2], turn[2], out[2];
        memcpy(rest, lithe_solid_position(w.model, w.state, (LitheSolidId){1}),
               3 * (size_t)count * sizeof *rest);
        world_step(&w, 1);
        section_of(&w, rest, -0.004, &up[0], &turn[0], &out[0]);
        section_of(&w, rest, 0.004, &up[1], &turn[1], &out[1]);
        got.ez = (up[1] - up[0]) / 0.008;
        got.twist = (turn[1] - turn[0]) / 8;
        got.A = out[0]; // mean of the radial strain
        free(rest);
    }
    world_end(&w);
    return got;
}

// Netting: fibres alone carry the tube where tan^2 of their angle is 2, 54.7 degrees.
LONG_TEST(a_wound_tube_shortens_below_and_lengthens_above_the_angle_of_a_net) {
    const double angles[] = {35, 54.7356, 70};
    for (int k = 0; k < 3; k++) {
        Tube t = {.inner = 9,
                  .outer = 10,
                  .poisson = 0.45,
                  .k = 20,
                  .angle = angles[k] * M_PI / 180,
                  .crossed = true,
                  .p = 1e-5};
        Answer want = exact(&t), got = free_tube(&t, "");
        printf("  %.2f degrees: axial strain over p/E %.3f, wanted %.3f\n", angles[k], got.ez / t.p,
               want.ez / t.p);
        CHECK_NEAR(got.ez / t.p, want.ez / t.p, 0.02 * fabs(want.ez / t.p) + 0.02);
        CHECK_NEAR(got.twist, 0, 1e-3 * t.p);
        CHECK(k == 1 || (got.ez > 0) == (k == 2));
    }
}

// One family of right-handed helices under tension untwists: the end turns against the helix.
LONG_TEST(one_family_twists_a_tube_as_theory_says) {
    for (int k = 0; k < 2; k++) {
        Tube t = {.inner = 8,
                  .outer = 10,
                  .poisson = 0.45,
                  .k = 5,
                  .angle = (k ? -30 : 30) * M_PI / 180,
                  .p = 1e-5};
        Answer want = exact(&t), got = free_tube(&t, "");
        printf("  %d degrees: twist over p/E %.4f 1/mm, wanted %.4f; axial %.3f, wanted %.3f\n",
               k ? -30 : 30, got.twist / t.p, want.twist / t.p, got.ez / t.p, want.ez / t.p);
        CHECK_NEAR(got.twist / want.twist, 1, 0.02);
        CHECK_NEAR(got.ez / t.p, want.ez / t.p, 0.01);
    }
}
