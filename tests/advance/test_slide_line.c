// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_slide_line.c - bodies that slide and spin at once on a line, on a long thin
// face or on feet move as the integral of friction over all of it says

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define MU 0.3

static const char *const plane = "shape: {half-space: {}}";
static const char *const slab = "shape: {box: {size: [4, 4, 0.5]}}, at: [0, 0, -0.25]";
static const char *const tiles =
    "shape: {mesh: {points: [[-2, -1.98, 0], [2, -2.03, 0], [2, 2.01, 0], [-2, 2, 0], [0, 0, -1]], "
    "triangles: [[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]}}";

// what touches, as many small parts with equal areas, in the frame of the body
typedef struct Touch {
    double x[4000][2];
    int count;
    double height;  // of the centre of mass [m]
    double square;  // moment of inertia about the vertical over mass [m^2]
    double rolling; // that about x, along which a line lies; 0: it cannot roll
    double mean[2]; // squares of x and y [m^2]
} Touch;

static Touch touch;

static void begin(double height, double square, double rolling) {
    touch = (Touch){.height = height, .square = square, .rolling = rolling};
}

static void add(double x, double y) {
    touch.x[touch.count][0] = x;
    touch.x[touch.count++][1] = y;
}

static void add_line(double from, double to) {
    int count = (int)lround(1000 * (to - from));
    for (int i = 0; i < 2 * count; i++)
        add(from + (to - from) * (i + 0.5) / (2 * count), 0);
}

// `n` parts along x, `m` along y
static void add_rectangle(const double low[2], const double high[2], int n, int m) {
    for (int i = 0; i < n * m; i++)
        add(low[0] + (high[0] - low[0]) * (i / m + 0.5) / n,
            low[1] + (high[1] - low[1]) * (i % m + 0.5) / m);
}

// Place and angle after a time. The load is (1 + a x + b y)/count: its centre balances what
// friction below the centre of mass and the turning of a rolling axis do.
static void move(const double v[2], double w, double time, double out[3]) {
    double u[2] = {v[0], v[1]}, roll = 0, step = 1e-4, a = 0, b = 0;
    memset(touch.mean, 0, sizeof touch.mean);
    for (int i = 0; i < touch.count; i++)
        for (int k = 0; k < 2; k++)
            touch.mean[k] += touch.x[i][k] * touch.x[i][k] / touch.count;
    memset(out, 0, 3 * sizeof *out);
    for (int n = 0; n < (int)lround(time / step); n++) {
        double c = cos(out[2]), s = sin(out[2]), force[2] = {0, 0}, torque = 0;
        double own[2] = {c * u[0] + s * u[1], c * u[1] - s * u[0] + roll * touch.height};
        for (int i = 0; i < touch.count; i++) {
            const double *x = touch.x[i];
            double p = MU * G * (1 + a * x[0] + b * x[1]) / touch.count;
            double f[2] = {own[0] - w * x[1], own[1] + w * x[0]};
            double speed = hypot(f[0], f[1]) + 1e-4;
            for (int k = 0; k < 2; k++)
                force[k] -= p * f[k] / speed;
            torque -= p * (x[0] * f[1] - x[1] * f[0]) / speed;
        }
        a = (-touch.height * force[0] - touch.rolling * roll * w) / (G * touch.mean[0]);
        b = touch.rolling > 0 ? 0 : -touch.height * force[1] / (G * touch.mean[1]);
        if (touch.rolling > 0)
            roll += step * touch.height * force[1] / touch.rolling;
        double turn = step * torque / touch.square;
        double push[2] = {step * (c * force[0] - s * force[1]),
                          step * (s * force[0] + c * force[1])};
        for (int k = 0; k < 2; k++) {
            out[k] += step * (u[k] + 0.5 * push[k]);
            u[k] += push[k];
        }
        out[2] += step * (w + 0.5 * turn);
        w += turn;
    }
}

#define TIME 0.25

static void check(const char *shape, const char *place, const char *floor, const double v[2],
                  double w) {
    double want[3], pose[7], start[7], turned = 0, last = 0;
    move(v, w, TIME, want);
    World world = world_of("lithe: 1\n"
                           "time: {step: 1 ms, end: 10 s}\n"
                           "materials: {m: {young: 1 GPa, density: 1000, friction: 0.3}}\n"
                           "bodies:\n"
                           "  floor: {fixed: true, material: m, %s}\n"
                           "  top: {material: m, shape: {%s}, %s, velocity: [%g, %g, 0],\n"
                           "    angular-velocity: [0, 0, %g]}\n",
                           floor, shape, place, v[0], v[1], w);
    if (!world.ok)
        return;
    LitheBodyId top = lithe_body_find(world.model, "top");
    lithe_body_pose(world.model, world.state, top, start);
    for (int i = 0; i < (int)lround(TIME / 2e-3); i++) {
        world_step(&world, 2);
        lithe_body_pose(world.model, world.state, top, pose);
        double q[4] = {pose[3], pose[4], pose[5], pose[6]};
        // the axis of a body on its side is its z
        bool side = fabs(start[5]) > 0.5;
        double x = side ? 2 * (q[1] * q[3] + q[0] * q[2]) : 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
        double y = side ? 2 * (q[2] * q[3] - q[0] * q[1]) : 2 * (q[1] * q[2] + q[0] * q[3]);
        double now = atan2(y, x);
        turned += remainder(now - last, 2 * M_PI);
        last = now;
    }
    double got[2] = {pose[0] - start[0], pose[1] - start[1]};
    double way = hypot(want[0], want[1]), miss = hypot(got[0] - want[0], got[1] - want[1]);
    printf(
        "  %.60s: %g, %g m/s, %g rad/s: %.2f, %.2f mm and %.3f rad, wanted %.2f, %.2f mm and %.3f: "
        "%.2f %% and %.2f %%\n",
        shape, v[0], v[1], w, 1e3 * got[0], 1e3 * got[1], turned, 1e3 * want[0], 1e3 * want[1],
        want[2], 100 * miss / way, 100 * (turned / want[2] - 1));
    CHECK(miss < 0.02 * way);
    CHECK(fabs(turned - want[2]) < 0.02 * want[2]);
    world_end(&world);
}

static const double ways[][3] = {{0.3, 0, 20}, {0, 0.3, 20},   {1, 0, 10},
                                 {0, 1, 10},   {0.7, 0.7, 20}, {1.5, 0, 3}};

static void check_all(const char *shape, const char *place, const char *floor) {
    for (int i = 0; i < 6; i++)
        check(shape, place, floor, ways[i], ways[i][2]);
}

static const char *const side = "at: [0, 0, 0.02], rotate: {axis: [0, 1, 0], angle: 90 deg}";

LONG_TEST(a_cylinder_that_slides_and_spins_on_its_side_moves_as_its_line_says) {
    const double r = 0.02, l = 0.3;
    const char *own = "cylinder: {radius: 0.02, length: 0.3}";
    begin(r, (3 * r * r + l * l) / 12, 0.5 * r * r);
    add_line(-0.15, 0.15);
    check_all(own, side, plane);
    check(own, side, slab, ways[0], ways[0][2]);
    check(own, side, tiles, ways[1], ways[1][2]);
}

LONG_TEST(a_thin_box_that_slides_and_spins_moves_as_its_face_says) {
    const double low[2] = {-0.2, -0.01}, high[2] = {0.2, 0.01};
    begin(0.01, (0.4 * 0.4 + 0.02 * 0.02) / 12, 0);
    add_rectangle(low, high, 300, 6);
    check_all("box: {size: [0.4, 0.02, 0.02]}", "at: [0, 0, 0.01]", plane);
}

TEST(two_wheels_that_slide_and_spin_on_their_sides_move_as_both_lines_say) {
    const double h = 0.15, r = 0.05, a = 0.02;
    double wheels = r * r * 4 * h / 3, axle = a * a * 2 * h / 3, m = wheels + axle;
    double inertia = wheels * (0.25 * r * r + h * h / 27 + 4 * h * h / 9);
    inertia += axle * (0.25 * a * a + h * h / 27);
    begin(r, inertia / m, (wheels * 0.5 * r * r + axle * 0.5 * a * a) / m);
    add_line(-h, -h / 3);
    add_line(h / 3, h);
    check_all("revolution: {outline: [[-0.15, 0.05], [-0.05, 0.05], [-0.0499999, 0.02], "
              "[0.0499999, 0.02], [0.05, 0.05], [0.15, 0.05]]}",
              "at: [0, 0, 0.05], rotate: {axis: [0, 1, 0], angle: 90 deg}", plane);
}

// A plate of 20 x 20 x 1 cm on two feet of 4 x 20 x 1 cm.
LONG_TEST(a_plate_that_slides_and_spins_on_two_feet_moves_as_both_say) {
    const char *feet =
        "mesh: {points: [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0], "
        "[-0.1, -0.1, 0.02], [0.1, -0.1, 0.02], [0.1, 0.1, 0.02], [-0.1, 0.1, 0.02], "
        "[-0.06, -0.1, 0], [0.06, -0.1, 0], [-0.06, -0.1, 0.01], [0.06, -0.1, 0.01], "
        "[-0.06, 0.1, 0], [0.06, 0.1, 0], [-0.06, 0.1, 0.01], [0.06, 0.1, 0.01]], triangles: ["
        "[0, 3, 12], [0, 12, 8], [9, 13, 2], [9, 2, 1], [10, 14, 15], [10, 15, 11], "
        "[8, 12, 14], [8, 14, 10], [9, 11, 15], [9, 15, 13], [4, 5, 6], [4, 6, 7], "
        "[0, 4, 7], [0, 7, 3], [1, 2, 6], [1, 6, 5], "
        "[0, 8, 4], [8, 10, 4], [10, 11, 4], [11, 5, 4], [11, 9, 5], [9, 1, 5], "
        "[3, 7, 12], [12, 7, 14], [14, 7, 15], [15, 7, 6], [15, 6, 13], [13, 6, 2]]}";
    const double low[2][2] = {{-0.1, -0.1}, {0.06, -0.1}}, high[2][2] = {{-0.06, 0.1}, {0.1, 0.1}};
    double plate = 0.2 * 0.01, foot = 0.04 * 0.01, m = plate + 2 * foot;
    double inertia = plate * 0.08 / 12 + 2 * foot * ((0.0016 + 0.04) / 12 + 0.0064);
    begin((plate * 0.015 + 2 * foot * 0.005) / m, inertia / m, 0);
    for (int i = 0; i < 2; i++)
        add_rectangle(low[i], high[i], 20, 50);
    check_all(feet, "at: [0, 0, 0]", plane);
    check(feet, "at: [0, 0, 0]", slab, ways[4], ways[4][2]);
}

LONG_TEST(a_torus_that_slides_and_spins_lying_flat_moves_as_its_circle_says) {
    const char *own = "torus: {radius: 0.1, section: 0.02}";
    begin(0.02, 0.01 + 0.75 * 0.0004, 0);
    for (int i = 0; i < 360; i++)
        add(0.1 * cos(M_PI * i / 180), 0.1 * sin(M_PI * i / 180));
    check_all(own, "at: [0, 0, 0.02]", plane);
    check(own, "at: [0, 0, 0.02]", slab, ways[0], ways[0][2]);
}

LONG_TEST(a_cup_that_slides_and_spins_on_its_rim_moves_as_its_ring_says) {
    const double R = 0.05, w = 0.005, h = 0.1, r = R - w;
    double bottom = R * R * w, side_ = (R * R - r * r) * (h - w), m = bottom + side_;
    begin((bottom * (h - 0.5 * w) + side_ * 0.5 * (h - w)) / m,
          (0.5 * bottom * R * R + 0.5 * side_ * (R * R + r * r)) / m, 0);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 180; i++) {
            double at = sqrt(r * r + (R * R - r * r) * (k + 0.5) / 4);
            add(at * cos(M_PI * i / 90), at * sin(M_PI * i / 90));
        }
    const char *cup = "revolution: {outline: [[0, 0], [0, 0.05], [0.1, 0.05]], thickness: 0.005}";
    check_all(cup, "at: [0, 0, 0.1], rotate: {axis: [1, 0, 0], angle: 180 deg}", plane);
}
