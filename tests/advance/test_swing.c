// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_swing.c - round things that swing in round things have the period of their
// circle, at small angles too, and keep their amplitude

#include "advance/world.h"

#include <math.h>

#define G 9.81

// period of a pendulum of length l that swings by `angle` [rad] in front of that of a small swing
static double longer(double angle) {
    double a = 1, b = cos(0.5 * angle);
    for (int i = 0; i < 6; i++) {
        double m = 0.5 * (a + b);
        b = sqrt(a * b);
        a = m;
    }
    return 1 / a;
}

typedef struct Swing {
    double period; // [s], mean of `periods`
    double kept;   // amplitude at the end over that at the start
} Swing;

// The swing of body b, read from a number of its pose (1: y, 4: rotation about x): times at which
// it passes 0, and the extremes.
static Swing swing(World *w, int quantity, double step, double guess, int periods) {
    Swing out = {NAN, 0};
    double before = 0, first = 0, last = 0, high[2] = {0}, low[2] = {0};
    int passes = 0;
    int64_t steps = (int64_t)((periods + 0.6) * guess / step);
    for (int64_t i = 1; w->ok && i <= steps; i++) {
        double pose[7];
        world_step(w, 1);
        lithe_body_pose(w->model, w->state, lithe_body_find(w->model, "b"), pose);
        double y = pose[quantity], time = lithe_state_time(w->state);
        int part = time < guess ? 0 : time > (periods - 0.5) * guess ? 1 : -1;
        if (part >= 0) {
            high[part] = fmax(high[part], y);
            low[part] = fmin(low[part], y);
        }
        if (before < 0 && y >= 0) {
            last = time - step * y / (y - before);
            first = passes++ == 0 ? last : first;
        }
        before = y;
    }
    out.period = (last - first) / (passes - 1);
    out.kept = (high[1] - low[1]) / (high[0] - low[0]);
    return out;
}

static const double angles[] = {1, 2, 10};

// `text` has the fixed thing and the start of the swinging one, whose place is (0, y, z)
static void check(const char *name, const char *bodies, double friction, double length,
                  double inertia) {
    for (int i = 0; i < 3; i++) {
        double angle = angles[i] * M_PI / 180;
        double want = 2 * M_PI * sqrt(inertia * length / G) * longer(angle);
        World w = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 100 s}\n"
                           "gravity: [0, 0, -%g]\n"
                           "materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000, "
                           "friction: %g}}\n"
                           "%s, at: [0, %.17g, %.17g]}\n",
                           G, friction, bodies, -length * sin(angle), -length * cos(angle));
        Swing got = swing(&w, 1, 1e-3, want, 10);
        printf("  %s, %g degrees: period %.5f s, wanted %.5f (%+.2f %%), keeps %.4f\n", name,
               angles[i], got.period, want, 100 * (got.period / want - 1), got.kept);
        CHECK(fabs(got.period / want - 1) < 0.005);
        CHECK(fabs(got.kept - 1) < 0.01);
        world_end(&w);
    }
}

#define ALONG "rotate: {axis: [0, 1, 0], angle: 90 deg}"

LONG_TEST(a_ball_in_a_tube_slides_and_rolls_as_on_a_circle) {
    const char *ball = "bodies:\n  tube: {fixed: true, material: m, shape: {tube: {radius: 0.25, "
                       "hole: 0.2, length: 0.5}}, " ALONG "}\n"
                       "  b: {material: m, shape: {sphere: {radius: 0.03}}";
    check("ball that slides", ball, 0, 0.17, 1);
    check("ball that rolls", ball, 0.8, 0.17, 1.4);
}

LONG_TEST(a_ball_in_a_bowl_slides_and_rolls_as_on_a_sphere) {
    const char *ball =
        "bodies:\n  bowl: {fixed: true, material: m, shape: {revolution: {outline: "
        "[[-0.25, 0], [-0.25, 0.25], [0, 0.25]], thickness: 0.05, rounding: 0.25}}}\n"
        "  b: {material: m, shape: {sphere: {radius: 0.03}}";
    check("ball that slides", ball, 0, 0.17, 1);
    check("ball that rolls", ball, 0.8, 0.17, 1.4);
}

LONG_TEST(a_ring_on_a_peg_swings_as_on_a_circle) {
    check("ring on a cylinder",
          "bodies:\n  peg: {fixed: true, material: m, shape: {cylinder: {radius: 0.01, length: "
          "0.2}}, " ALONG "}\n"
          "  b: {material: m, shape: {tube: {radius: 0.08, hole: 0.07, length: 0.03}}, " ALONG,
          0, 0.06, 1);
    check("ring on a capsule",
          "bodies:\n  peg: {fixed: true, material: m, shape: {capsule: {radius: 0.01, length: "
          "0.2}}, " ALONG "}\n"
          "  b: {material: m, shape: {tube: {radius: 0.08, hole: 0.07, length: 0.03}}, " ALONG,
          0, 0.06, 1);
}

LONG_TEST(a_torus_on_a_rod_swings_as_on_a_circle) {
    const char *text = "bodies:\n  rod: {fixed: true, material: m, shape: {%s}, " ALONG "}\n"
                       "  b: {material: m, shape: {torus: {radius: 0.08, section: 0.01}}, " ALONG;
    char bodies[400];
    const char *const rods[] = {"cylinder: {radius: 0.01, length: 0.2}",
                                "capsule: {radius: 0.01, length: 0.2}"};
    for (int i = 0; i < 2; i++) {
        snprintf(bodies, sizeof bodies, text, rods[i]);
        check(i ? "torus on a capsule" : "torus on a cylinder", bodies, 0, 0.06, 1);
    }
}

LONG_TEST(a_torus_on_a_held_rod_swings_as_on_a_circle) {
    check("torus on a rod",
          "rods:\n  rod: {material: m, section: {circle: {radius: 0.01}}, nodes: 6, "
          "shape: {line: {from: [-0.1, 0, 0], to: [0.1, 0, 0]}}}\n"
          "sets:\n  all: {of: rod, plane: {point: [0, 0, 0], normal: [0, 0, 1], thickness: "
          "0.01}}\n"
          "holds:\n  still: {on: all}\nbodies:\n"
          "  b: {material: m, shape: {torus: {radius: 0.08, section: 0.01}}, " ALONG,
          0, 0.06, 1);
}

// On a plane an elliptic cylinder of half axes a and b rocks about its flat side: with the centre
// of curvature a^2/b above the ground, T = 2 pi sqrt((I + m b^2)/(m g (a^2/b - b))).
LONG_TEST(an_elliptic_cylinder_rocks_as_its_curvature_says) {
    const double a = 0.06, b = 0.04, turn = 0.5 * M_PI / 180;
    double want = 2 * M_PI * sqrt(((a * a + b * b) / 4 + b * b) / (G * (a * a / b - b)));
    const char *const floors[] = {"half-space: {}", "box: {size: [1, 1, 0.2]}"};
    for (int k = 0; k < 2; k++) {
        World w = world_of(
            "lithe: 1\n"
            "time: {step: 1 ms, end: 100 s}\n"
            "gravity: [0, 0, -%g]\n"
            "materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000, friction: 0.9}}\n"
            "bodies:\n  floor: {fixed: true, material: m, shape: {%s}, at: [0, 0, %g]}\n"
            "  b: {material: m, at: [0, 0, %.17g], rotate: {axis: [1, 0, 0], angle: %.17g},\n"
            "    shapes: [{elliptic-cylinder: {size: [0.08, 0.12, 0.1]},\n"
            "              rotate: {axis: [0, 1, 0], angle: 90 deg}}]}\n",
            G, floors[k], k ? -0.1 : 0, sqrt(b * b + (a * a - b * b) * sin(turn) * sin(turn)),
            turn);
        Swing got = swing(&w, 4, 1e-3, want, 10);
        printf("  ellipse: period %.5f s, wanted %.5f (%+.2f %%), keeps %.4f\n", got.period, want,
               100 * (got.period / want - 1), got.kept);
        CHECK(fabs(got.period / want - 1) < 0.005);
        CHECK(fabs(got.kept - 1) < 0.01);
        world_end(&w);
    }
}
