// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_slide_spin.c - bodies that slide and spin at once on a flat face come as far,
// and turn as far, as the integral of friction over it says

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define MU 0.3

static const char *const plane = "shape: {half-space: {}}";
static const char *const slab = "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]";

// a face of even pressure as many small parts
typedef struct Face {
    double x[40000][2];
    int count;
    double square; // moment of inertia over mass [m^2]
} Face;

static Face face;

static void rectangle(double a, double b, double hole, double square) {
    enum { N = 40 };
    face.count = 0;
    face.square = square;
    for (int i = 0; i < N * N; i++) {
        double x = a * (2 * (i % N + 0.5) / N - 1), y = b * (2 * (i / N + 0.5) / N - 1);
        if (hypot(x, y) < hole)
            continue;
        face.x[face.count][0] = x;
        face.x[face.count++][1] = y;
    }
}

static void ring(double R, double r) {
    enum { RINGS = 40, SIDES = 48 };
    face.count = 0;
    face.square = 0.5 * (R * R + r * r);
    for (int i = 0; i < RINGS * SIDES; i++) {
        double s = sqrt(r * r + (R * R - r * r) * (i / SIDES + 0.5) / RINGS);
        double t = 2 * M_PI * (i % SIDES + 0.5) / SIDES;
        face.x[face.count][0] = s * cos(t);
        face.x[face.count++][1] = s * sin(t);
    }
}

// where the face comes to rest: x, y and its angle
static void end_of(double v, double w, double out[3]) {
    double u[2] = {v, 0}, step = 2e-4;
    memset(out, 0, 3 * sizeof *out);
    while (hypot(u[0], u[1]) > 1e-3 || fabs(w) > 1e-2) {
        double force[2] = {0, 0}, torque = 0, c = cos(out[2]), s = sin(out[2]);
        for (int i = 0; i < face.count; i++) {
            double x = c * face.x[i][0] - s * face.x[i][1];
            double y = s * face.x[i][0] + c * face.x[i][1];
            double a = u[0] - w * y, b = u[1] + w * x, speed = hypot(a, b) + 1e-5;
            force[0] += a / speed;
            force[1] += b / speed;
            torque += (x * b - y * a) / speed;
        }
        double scale = step * MU * G / face.count;
        u[0] -= scale * force[0];
        u[1] -= scale * force[1];
        w -= scale * torque / face.square;
        out[0] += step * (u[0] + 0.5 * scale * force[0]);
        out[1] += step * (u[1] + 0.5 * scale * force[1]);
        out[2] += step * (w + 0.5 * scale * torque / face.square);
    }
}

static void check(const char *shape, double height, const char *floor, double v, double w) {
    double want[3];
    end_of(v, w, want);
    World world = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 10 s}\n"
                           "materials: {m: {young: 1 GPa, density: 1000, friction: 0.3}}\n"
                           "bodies:\n"
                           "  floor: {fixed: true, material: m, %s}\n"
                           "  top: {material: m, shape: {%s}, at: [0, 0, %.17g],\n"
                           "    velocity: [%g, 0, 0], spin: [0, 0, %g]}\n",
                           floor, shape, height, v, w);
    double pose[7], turned = 0, angle = 0;
    int32_t most = 0;
    for (int i = 0; world.ok && i < 80; i++) {
        world_step(&world, 10);
        int32_t count = lithe_work_contact_count(world.work);
        most = count > most ? count : most;
        lithe_body_pose(world.model, world.state, lithe_body_find(world.model, "top"), pose);
        double now = 2 * atan2(pose[6], pose[3]);
        turned += remainder(now - angle, 2 * M_PI);
        angle = now;
    }
    double way = hypot(want[0], want[1]);
    printf("  %s: %g m/s, %g rad/s: %.2f, %.2f mm and %.3f rad, wanted %.2f, %.2f mm and %.3f, %d "
           "contacts\n",
           shape, v, w, 1e3 * pose[0], 1e3 * pose[1], turned, 1e3 * want[0], 1e3 * want[1], want[2],
           (int)most);
    CHECK(fabs(pose[0] - want[0]) < 0.01 * way);
    // the centre of mass is above the floor: the front has more load, which bends the path
    CHECK(fabs(pose[1] - want[1]) < 0.03 * way);
    CHECK(fabs(turned - want[2]) < 0.02 * want[2]);
    CHECK(most <= 8);
    world_end(&world);
}

static const double motions[][2] = {{0.1, 10}, {0.3, 20}, {0.5, 10}, {1, 10}, {1, 3}, {1, 1}};

static void check_all(const char *shape, double height) {
    for (int i = 0; i < 6; i++)
        check(shape, height, i % 2 ? slab : plane, motions[i][0], motions[i][1]);
}

LONG_TEST(a_disc_that_slides_and_spins_at_points_comes_as_far_as_its_integral) {
    ring(0.1, 0);
    check_all("cylinder: {radius: 0.1, length: 0.02}", 0.01);
}

LONG_TEST(a_ring_that_slides_and_spins_at_points_comes_as_far_as_its_integral) {
    ring(0.1, 0.06);
    check_all("tube: {radius: 0.1, hole: 0.06, length: 0.02}", 0.01);
}

LONG_TEST(boxes_that_slide_and_spin_at_points_come_as_far_as_their_integral) {
    rectangle(0.1, 0.1, 0, 0.02 / 3);
    check_all("box: {size: [0.2, 0.2, 0.02]}", 0.01);
    rectangle(0.15, 0.05, 0, 0.025 / 3);
    check_all("box: {size: [0.3, 0.1, 0.02]}", 0.01);
}
