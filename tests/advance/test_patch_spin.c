// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_patch_spin.c - bodies that spin, and slide, on the area of a patch, against
// the integral of friction over it

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define MU 0.3

#define SCENE \
    "lithe: 1\n" \
    "time: {step: 1 ms, end: 10 s}\n" \
    "contact: {merge-patches: %s}\n" \
    "materials:\n" \
    "  hard: {young: 1 GPa, density: 1000, friction: 0.3}\n" \
    "  soft: {young: 1 MPa, density: 1000, friction: 0.3,\n" \
    "    contact: {patches: {modulus: 1 MPa}}}\n" \
    "bodies:\n" \
    "  floor: {fixed: true, material: hard, %s}\n" \
    "  top: {material: soft, shape: {%s}, at: [0, 0, %.17g], rotate: {axis: [0, 1, 0],\n" \
    "    angle: %g deg}, velocity: [%g, 0, 0], spin: [0, 0, %g]}\n"

static const char *const plane = "shape: {half-space: {}}";
static const char *const slab = "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]";
static const char *const merge[] = {"true", "false"};

// points of a prism with n sides that has the area of the circle, its axis along z
static void prism(char *out, size_t size, double radius, double half, int n) {
    double angle = 2 * M_PI / n, r = radius * sqrt(angle / sin(angle));
    size_t at = (size_t)snprintf(out, size, "convex: {points: [");
    for (int k = 0; k < 2 * n; k++)
        at +=
            (size_t)snprintf(out + at, size - at, "%s[%.9g, %.9g, %.9g]", k ? ", " : "",
                             r * cos(k % n * angle), r * sin(k % n * angle), k < n ? -half : half);
    snprintf(out + at, size - at, "]}");
}

// deceleration of a spin [rad/s^2]
static double deceleration(const char *shape, double height, double angle, const char *floor,
                           const char *merged) {
    World w = world_of(SCENE, merged, floor, shape, height, angle, 0.0, 20.0);
    double v[2][6] = {{0}};
    for (int k = 0; k < 2 && w.ok; k++) {
        world_step(&w, k == 0 ? 50 : 100);
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "top"), v[k]);
    }
    world_end(&w);
    return (v[0][5] - v[1][5]) / 0.1;
}

static double mean_radius(double a, double b) {
    enum { N = 400 };
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += hypot(a * (i + 0.5) / N, b * (j + 0.5) / N);
    return sum / N / N;
}

static void check_spin(const char *name, const char *shape, double height, double angle,
                       double want) {
    for (int k = 0; k < 4; k++) {
        double got = deceleration(shape, height, angle, k / 2 ? slab : plane, merge[k % 2]);
        if (!CHECK_NEAR(got / want, 1, 0.01) || getenv("LITHE_TABLE"))
            printf("  %s, merged %s: %.3f, wanted %.3f rad/s^2\n", name, merge[k % 2], got, want);
    }
}

// three points for each of the two triangles of a long face were up to 10 % off
LONG_TEST(long_boxes_spin_down_as_the_integral_says) {
    for (int ratio = 1; ratio <= 10; ratio += ratio == 1 ? 1 : 4) { // 1, 2, 6, 10
        double a = 0.15, b = a / ratio;
        char shape[100], name[20];
        snprintf(shape, sizeof shape, "box: {size: [%.9g, %.9g, 0.02]}", 2 * a, 2 * b);
        snprintf(name, sizeof name, "box %d:1", ratio);
        check_spin(name, shape, 0.01, 0, MU * G * mean_radius(a, b) / ((a * a + b * b) / 3));
    }
}

// a line of length L: m mu g L/4
LONG_TEST(cylinders_and_capsules_on_their_side_spin_down_as_a_line) {
    double r = 0.02, l = 0.3, unit = l * l / 12 + r * r / 4;
    char hull[4000];
    prism(hull, sizeof hull, r, 0.5 * l, 32);
    check_spin("cylinder", "cylinder: {radius: 0.02, length: 0.3}", r, 90, MU * G * l / 4 / unit);
    check_spin("revolution", "revolution: {outline: [[-0.15, 0.02], [0.15, 0.02]]}", r, 90,
               MU * G * l / 4 / unit);
    check_spin("hull", hull, r, 90, MU * G * l / 4 / unit);
    double balls = 4 / 3.0 * M_PI * r * r * r, tube = M_PI * r * r * l, whole = balls + tube;
    double inertia = tube * unit + balls * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    check_spin("capsule", "capsule: {radius: 0.02, length: 0.3}", r, 90,
               MU * G * l / 4 * whole / inertia);
}

LONG_TEST(a_disc_spins_down_alike_as_cylinder_revolution_and_hull) {
    double want = 4 / 3.0 * MU * G / 0.1;
    char hull[4000];
    prism(hull, sizeof hull, 0.1, 0.01, 32);
    check_spin("cylinder", "cylinder: {radius: 0.1, length: 0.02}", 0.01, 0, want);
    check_spin("revolution", "revolution: {outline: [[-0.01, 0.1], [0.01, 0.1]]}", 0.01, 0, want);
    check_spin("hull", hull, 0.01, 0, want);
}

// mean radius of a face with a hole over its mean square
static double mean_of_plate(double side, double hole) {
    enum { N = 600 };
    double first = 0, second = 0;
    for (int i = 0; i < N * N; i++) {
        double r = hypot(side * (i % N + 0.5) / N, side * (i / N + 0.5) / N);
        first += r > hole ? r : 0;
        second += r > hole ? r * r : 0;
    }
    return first / second;
}

LONG_TEST(a_tube_on_its_end_and_a_plate_with_a_hole_spin_down_as_the_integral_says) {
    double R = 0.1, r = 0.06;
    double tube = 2 / 3.0 * (R * R * R - r * r * r) / (R * R - r * r) / (0.5 * (R * R + r * r));
    const char *const shapes[] = {"tube: {radius: 0.1, hole: 0.06, length: 0.02}",
                                  "plate: {size: [0.2, 0.2, 0.02], hole: 0.05}"};
    const double want[] = {MU * G * tube, MU * G * mean_of_plate(0.1, 0.05)};
    for (int k = 0; k < 4; k++) {
        double got = deceleration(shapes[k / 2], 0.01, 0, k % 2 ? slab : plane, "true");
        if (!CHECK_NEAR(got / want[k / 2], 1, 0.01) || getenv("LITHE_TABLE"))
            printf("  %s: %.3f, wanted %.3f rad/s^2\n", shapes[k / 2], got, want[k / 2]);
    }
}

// --- sliding and spinning ------------------------------------------------------------------------

// way of a disc of even pressure, which slides with v and spins with w
static double way_of(double radius, double v, double w) {
    enum { RINGS = 100, SIDES = 32, N = RINGS * SIDES };
    static double px[N], py[N];
    double h = 1e-4, x = 0;
    for (int i = 0; i < N; i++) {
        double r = radius * sqrt((i / SIDES + 0.5) / RINGS);
        px[i] = r * cos(2 * M_PI * (i % SIDES + 0.5) / SIDES);
        py[i] = r * sin(2 * M_PI * (i % SIDES + 0.5) / SIDES);
    }
    while (v > 1e-4) {
        double force = 0, torque = 0;
        for (int i = 0; i < N; i++) {
            double vx = v - w * py[i], vy = w * px[i], speed = sqrt(vx * vx + vy * vy) + 1e-12;
            force += vx / speed;
            torque += (px[i] * vy - py[i] * vx) / speed;
        }
        double scale = MU * G / N;
        v -= h * scale * force;
        w -= h * scale * torque / (0.5 * radius * radius);
        x += h * v;
    }
    return x;
}

// merged into a few points, a disc is right where it spins fast, and up to 6 % off elsewhere
LONG_TEST(a_disc_that_slides_and_spins_comes_as_far_as_its_ode) {
    const double cases[][2] = {{0.1, 20}, {0.3, 20}, {0.6, 20}, {1, 20}, {1, 10}};
    for (int i = 0; i < 5; i++) {
        double v = cases[i][0], spin = cases[i][1], want = way_of(0.1, v, spin);
        for (int k = 0; k < 2; k++) {
            World w = world_of(SCENE, merge[k], plane, "cylinder: {radius: 0.1, length: 0.02}",
                               0.01, 0.0, v, spin);
            world_step(&w, 800);
            double got = body_at(&w, "top").x;
            if (!CHECK_NEAR(got / want, 1, 0.01) || getenv("LITHE_TABLE"))
                printf("  %g m/s, %g rad/s, merged %s: %.2f mm, wanted %.2f mm\n", v, spin,
                       merge[k], 1e3 * got, 1e3 * want);
            world_end(&w);
        }
    }
}
