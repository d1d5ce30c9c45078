// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_patch_round.c - stiff round bodies on their sides rest, spin and roll as round
// ones, not as polyhedra, against integrals of the pressure over the true surface

#include "advance/world.h"

#include <math.h>

#define G 9.81
#define MU 0.3
#define RADIUS 0.05
#define HALF 0.1

static const char scene[] =
    "lithe: 1\n"
    "time: {step: %s, end: 10 s, scheme: %s}\n"
    "gravity: [%.17g, 0, %.17g]\n"
    "contact: {merge-patches: %s}\n"
    "materials:\n"
    "  hard: {young: 1 GPa, density: 1000, friction: %g}\n"
    "  stiff: {young: 1 GPa, density: 1000, friction: %g,\n"
    "    contact: {patches: {modulus: %g, dissipation: %g}}}\n"
    "bodies:\n"
    "  floor: {fixed: true, material: hard, %s}\n"
    "  top: {material: stiff, shape: {%s}, at: [0, 0, %.17g], rotate: {axis: [%d, %d, 0],\n"
    "    angle: %.17g deg}, velocity: [%g, %g, 0], spin: [%g, 0, %g]}\n";

static const char plane[] = "shape: {half-space: {}}";
static const char slab[] = "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]";

// --- the truth -----------------------------------------------------------------------------------

typedef struct Shape {
    const char *name, *text;
    double angle;                                    // of its axis from upright [deg]
    double mass, about;                              // kg; about the vertical [kg m^2]
    double (*relative)(double along, double across); // depth, from the lowest line or point
} Shape;

static double below; // depth of the lowest line [m]

static double of_line(double along, double across) {
    double r = hypot(across, RADIUS - below);
    return fabs(along) < HALF ? fmin(RADIUS - r, HALF - fabs(along)) / RADIUS : -1;
}

static double of_capsule(double along, double across) {
    double x = fmax(fabs(along) - HALF, 0);
    return 1 - sqrt(x * x + across * across + (RADIUS - below) * (RADIUS - below)) / RADIUS;
}

// force over the modulus [m^2], and its mean distance from the middle [m]
static double integrate(const Shape *shape, double depth, double *arm) {
    enum { N = 400, M = 20 };
    double sum = 0, first = 0, wide = sqrt(2 * RADIUS * depth), l = HALF + wide;
    below = depth;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            double x = l * (i + 0.5) / N, y = wide * (j + 0.5) / M;
            double p = fmax(shape->relative(x, y), 0);
            sum += p;
            first += p * hypot(x, y);
        }
    *arm = first / sum;
    return 4 * sum * l * wide / N / M;
}

// depth at which the shape rests
static double rest_of(const Shape *shape, double modulus, double *arm) {
    double low = 0, high = 0.1 * RADIUS;
    for (int i = 0; i < 30; i++) {
        double middle = 0.5 * (low + high);
        if (modulus * integrate(shape, middle, arm) < shape->mass * G)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static Shape cylinder(const char *name, const char *text) {
    double mass = 1000 * M_PI * RADIUS * RADIUS * 2 * HALF;
    return (Shape){name, text, 90, mass, mass * (HALF * HALF / 3 + RADIUS * RADIUS / 4), of_line};
}

static Shape capsule(void) {
    Shape tube = cylinder("capsule", "capsule: {radius: 0.05, length: 0.2}");
    double r = RADIUS, l = 2 * HALF, balls = 1000 * 4 / 3.0 * M_PI * r * r * r;
    tube.about += balls * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    tube.mass += balls;
    tube.relative = of_capsule;
    return tube;
}

// --- spin on the side ----------------------------------------------------------------------------

typedef struct Spun {
    double rest, slows; // m, rad/s^2
    double hop;         // m
} Spun;

static Spun spin(const Shape *shape, double depth, double modulus, const char *step,
                 const char *scheme, const char *merged, const char *floor) {
    Spun out = {0};
    double h = strtod(step, NULL) * 1e-3;
    int steps = (int)(0.02 / h + 0.5);
    World w = world_of(scene, step, scheme, 0.0, -G, merged, MU, MU, modulus, 10.0, floor,
                       shape->text, RADIUS - depth, 0, 1, shape->angle, 0.0, 0.0, 0.0, 20.0);
    double v[2][6] = {{0}}, at[7], high = 0;
    LitheBodyId body = lithe_body_find(w.model, "top");
    for (int k = 0; k < 2 && w.ok; k++) {
        for (int i = 0; i < steps; i++) {
            world_step(&w, 1);
            lithe_body_pose(w.model, w.state, body, at);
            out.rest += at[2] / steps / 2;
            high = fmax(high, at[2]);
        }
        lithe_body_velocity(w.model, w.state, body, v[k]);
    }
    out.slows = (v[0][5] - v[1][5]) / (steps * h);
    out.hop = high - out.rest;
    CHECK(w.unconverged == 0);
    world_end(&w);
    return out;
}

static void check_spin(const Shape *shape, double modulus, const char *step, const char *scheme,
                       const char *merged, const char *floor) {
    double arm = 0, depth = rest_of(shape, modulus, &arm);
    double want = MU * shape->mass * G * arm / shape->about;
    Spun got = spin(shape, depth, modulus, step, scheme, merged, floor);
    bool ok = CHECK_NEAR(got.slows / want, 1, 0.02);
    ok &= CHECK_NEAR(got.rest, RADIUS - depth, 1e-3 * RADIUS);
    ok &= CHECK(got.hop < 1e-3 * RADIUS);
    if (!ok || getenv("LITHE_TABLE"))
        printf("  %s, %g Pa, %s, %s, merged %s, %s: slows by %.4f of the integral, rests %.2e too "
               "high, hops by %.2e, depth %.2e (over the radius)\n",
               shape->name, modulus, step, scheme, merged, floor == slab ? "slab" : "plane",
               got.slows / want, (got.rest - RADIUS + depth) / RADIUS, got.hop / RADIUS,
               depth / RADIUS);
}

LONG_TEST(stiff_cylinders_and_capsules_on_their_sides_spin_down_as_lines) {
    const Shape shapes[] = {
        capsule(), cylinder("cylinder", "cylinder: {radius: 0.05, length: 0.2}"),
        cylinder("revolution", "revolution: {outline: [[-0.1, 0.05], [0.1, 0.05]]}")};
    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 4; way++)
            check_spin(&shapes[k], 1e9, "0.1 ms", way % 2 ? "backward-euler" : "tr-bdf2",
                       way / 2 ? "true" : "false", way % 2 ? plane : slab);
}

// --- rolling -------------------------------------------------------------------------------------

typedef struct Roller {
    const char *name, *text;
    double angle, inertia; // from upright [deg]; of rolling, over m r^2
} Roller;

static Roller roller_of_capsule(void) {
    double tube = 2 * HALF, ball = 4 / 3.0 * RADIUS;
    return (Roller){"capsule", "capsule: {radius: 0.05, length: 0.2}", 90,
                    (0.5 * tube + 0.4 * ball) / (tube + ball)};
}

// acceleration over that of a rigid body that rolls without slip, on a slope of 20 degrees
static double rolled(const Roller *r, double modulus, const char *step, const char *scheme,
                     const char *merged, const char *floor) {
    double slope = 20 * M_PI / 180, h = strtod(step, NULL) * 1e-3, v[2][6] = {{0}};
    int steps = (int)(0.1 / h + 0.5);
    World w =
        world_of(scene, step, scheme, G * sin(slope), -G * cos(slope), merged, 0.8, 0.8, modulus,
                 0.0, floor, r->text, RADIUS * (1 - 5e-5), 1, 0, r->angle, 0.0, 0.0, 0.0, 0.0);
    for (int k = 0; k < 2 && w.ok; k++) {
        world_step(&w, steps);
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "top"), v[k]);
    }
    CHECK(w.unconverged == 0);
    world_end(&w);
    return (v[1][0] - v[0][0]) / (steps * h) * (1 + r->inertia) / (G * sin(slope));
}

LONG_TEST(stiff_balls_cylinders_and_capsules_roll_down_a_slope_as_rigid_ones) {
    const Roller rollers[] = {
        {"ball", "sphere: {radius: 0.05}", 0, 0.4},
        {"cylinder", "cylinder: {radius: 0.05, length: 0.2}", 90, 0.5},
        {"revolution", "revolution: {outline: [[-0.1, 0.05], [0.1, 0.05]]}", 90, 0.5},
        roller_of_capsule()};
    for (int k = 0; k < 4; k++)
        for (int way = 0; way < 4; way++) {
            const char *step = way < 2 ? "0.1 ms" : "1 ms";
            const char *scheme = way % 2 ? "backward-euler" : "tr-bdf2";
            const char *merged = way == 1 || way == 2 ? "true" : "false";
            double got = rolled(&rollers[k], 1e9, step, scheme, merged, way == 3 ? slab : plane);
            if (!CHECK_NEAR(got, 1, 0.01) || getenv("LITHE_TABLE"))
                printf("  %s, %s, %s, merged %s: %.4f of a rigid body\n", rollers[k].name, step,
                       scheme, merged, got);
        }
}
