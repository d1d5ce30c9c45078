// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_spin_lines.c - bodies that spin on a line, on a ring or on a face with a hole
// brake as the pressure on all of it says

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define MU 0.3
#define SPIN 20.0 // rad/s at the start
#define SIDES 48

static char shape[40000];
static const char *faces = "whole";

static const char *const plane = "shape: {half-space: {}}";
static const char *const slab = "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]";
static const char *const tiles =
    "shape: {mesh: {points: [[-1, -0.98, 0], [1, -1.03, 0], [1, 1.01, 0], [-1, 1, 0], [0, 0, -1]], "
    "triangles: [[0, 1, 2], [0, 2, 3], [1, 0, 4], [2, 1, 4], [3, 2, 4], [0, 3, 4]]}}";

// mean deceleration of a body that spins about z [rad/s^2], and its most contacts
static double braking(const char *form, const char *place, const char *floor, int32_t *most) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 10 s}\n"
                       "contact: {faces: %s}\n"
                       "materials: {steel: {young: 1 GPa, density: 1000, friction: %g}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: steel, %s}\n"
                       "  top: {material: steel, shape: {%s}, %s,\n"
                       "    angular-velocity: [0, 0, %g]}\n",
                       faces, MU, floor, form, place, SPIN);
    double v[2][6] = {0};
    *most = 0;
    for (int k = 0; w.ok && k < 2; k++) {
        for (int i = 0; i < (k ? 100 : 20); i++) {
            world_step(&w, 1);
            int32_t count = lithe_work_contact_count(w.work);
            *most = count > *most ? count : *most;
        }
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "top"), v[k]);
    }
    world_end(&w);
    return (v[0][5] - v[1][5]) / 0.1;
}

static void check_on(const char *name, const char *form, const char *place, const char *floor,
                     double want, int32_t limit) {
    int32_t most;
    double got = braking(form, place, floor, &most);
    printf("  %s: brakes by %.2f rad/s^2, wanted %.2f (%+.2f %%), %d contacts\n", name, got, want,
           100 * (got / want - 1), (int)most);
    CHECK(fabs(got / want - 1) < 0.02);
    CHECK(most <= limit);
}

static void check(const char *name, const char *form, const char *place, double want,
                  int32_t limit) {
    check_on(name, form, place, plane, want, limit);
}

// --- the same shape as polygons ------------------------------------------------------------------

// points of a solid of revolution whose outline [z, r] begins and ends at r = 0, with SIDES sides
static size_t write_points(const double (*outline)[2], int count, char *out, size_t size) {
    size_t used = (size_t)snprintf(out, size, "[[0, 0, %.12g], [0, 0, %.12g]", outline[0][0],
                                   outline[count - 1][0]);
    for (int i = 1; i + 1 < count; i++)
        for (int k = 0; k < SIDES; k++) {
            double angle = 2 * M_PI * (k + 0.5) / SIDES, r = outline[i][1];
            used += (size_t)snprintf(out + used, size - used, ", [%.12g, %.12g, %.12g]",
                                     r * cos(angle), r * sin(angle), outline[i][0]);
        }
    return used + (size_t)snprintf(out + used, size - used, "]");
}

static void as_hull(const double (*outline)[2], int count) {
    size_t used = (size_t)snprintf(shape, sizeof shape, "convex: {points: ");
    used += write_points(outline, count, shape + used, sizeof shape - used);
    snprintf(shape + used, sizeof shape - used, "}");
}

static void as_mesh(const double (*outline)[2], int count) {
    size_t used = (size_t)snprintf(shape, sizeof shape, "mesh: {points: ");
    used += write_points(outline, count, shape + used, sizeof shape - used);
    used += (size_t)snprintf(shape + used, sizeof shape - used, ", triangles: [");
    for (int k = 0; k < SIDES; k++) {
        int next = (k + 1) % SIDES, last = 2 + (count - 3) * SIDES;
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s[0, %d, %d], [1, %d, %d]",
                                 k > 0 ? ", " : "", 2 + next, 2 + k, last + k, last + next);
        for (int i = 0; i + 3 < count; i++) {
            int a = 2 + i * SIDES, b = a + SIDES;
            used +=
                (size_t)snprintf(shape + used, sizeof shape - used, ", [%d, %d, %d], [%d, %d, %d]",
                                 a + k, a + next, b + next, a + k, b + next, b + k);
        }
    }
    snprintf(shape + used, sizeof shape - used, "]}");
}

static void as_revolution(const double (*outline)[2], int from, int to) {
    size_t used = (size_t)snprintf(shape, sizeof shape, "revolution: {outline: [");
    for (int i = from; i < to; i++)
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s[%.12g, %.12g]",
                                 i > from ? ", " : "", outline[i][0], outline[i][1]);
    snprintf(shape + used, sizeof shape - used, "]}");
}

// --- lines ---------------------------------------------------------------------------------------

// A line of length L under an even pressure resists turning with mu m g L/4.
TEST(a_cylinder_that_spins_on_its_side_brakes_as_the_line_says) {
    const char *side = "at: [0, 0, 0.02], rotate: {axis: [0, 1, 0], angle: 90 deg}";
    const double r = 0.02, l = 0.3;
    const double outline[4][2] = {{-0.15, 0}, {-0.15, 0.02}, {0.15, 0.02}, {0.15, 0}};
    double want = MU * G * l / 4 / ((3 * r * r + l * l) / 12);
    const char *own = "cylinder: {radius: 0.02, length: 0.3}";
    check("cylinder", own, side, want, 4);
    check_on("cylinder on a box", own, side, slab, want, 4);
    check_on("cylinder on two triangles", own, side, tiles, want, 8);
    as_hull(outline, 4);
    check("hull", shape, side, want, 8);
    as_mesh(outline, 4);
    check("mesh", shape, side, want, 8);
    as_revolution(outline, 1, 3);
    check("revolution", shape, side, want, 4);
}

TEST(a_capsule_that_spins_on_its_side_brakes_as_the_line_says) {
    enum { ARC = 4, COUNT = 2 * ARC + 2 };
    const char *side = "at: [0, 0, 0.02], rotate: {axis: [0, 1, 0], angle: 90 deg}";
    const double r = 0.02, l = 0.3;
    double outline[COUNT][2];
    for (int i = 0; i <= ARC; i++) {
        double angle = 0.5 * M_PI * i / ARC;
        outline[i][0] = -0.5 * l - r * cos(angle);
        outline[i][1] = i > 0 ? r * sin(angle) : 0;
        outline[COUNT - 1 - i][0] = -outline[i][0];
        outline[COUNT - 1 - i][1] = outline[i][1];
    }
    // cylinder and two half balls, per pi r^2
    double m = l + 4 * r / 3, inertia = l * (3 * r * r + l * l) / 12;
    inertia += 4 * r / 3 * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    double want = MU * G * l / 4 * m / inertia;
    const char *own = "capsule: {radius: 0.02, length: 0.3}";
    check("capsule", own, side, want, 4);
    check_on("capsule on a box", own, side, slab, want, 4);
    check_on("capsule on two triangles", own, side, tiles, want, 8);
    as_hull(outline, COUNT);
    check("hull", shape, side, want, 8);
    as_mesh(outline, COUNT);
    check("mesh", shape, side, want, 8);
    as_revolution(outline, 0, COUNT);
    check("revolution", shape, side, want, 8);
}

// Two wheels on a thinner axle: the line has a gap, from -1/3 to 1/3 of its half length.
TEST(two_wheels_on_an_axle_brake_as_both_lines_say) {
    const double h = 0.15, r = 0.05, a = 0.02;
    double wheels = r * r * 4 * h / 3, axle = a * a * 2 * h / 3, m = wheels + axle;
    double inertia = wheels * (0.25 * r * r + h * h / 27 + 4 * h * h / 9);
    inertia += axle * (0.25 * a * a + h * h / 27);
    check("wheels",
          "revolution: {outline: [[-0.15, 0.05], [-0.05, 0.05], [-0.0499999, 0.02], "
          "[0.0499999, 0.02], [0.05, 0.05], [0.15, 0.05]]}",
          "at: [0, 0, 0.05], rotate: {axis: [0, 1, 0], angle: 90 deg}",
          MU * G * 2 * h / 3 * m / inertia, 4);
}

// --- faces with holes ----------------------------------------------------------------------------

TEST(a_tube_that_spins_on_its_end_brakes_as_the_ring_says) {
    const double holes[] = {0.02, 0.06, 0.09, 0.098};
    for (int i = 0; i < 4; i++) {
        double R = 0.1, r = holes[i];
        double mean = 2. / 3 * (R * R * R - r * r * r) / (R * R - r * r);
        snprintf(shape, sizeof shape, "tube: {radius: 0.1, hole: %g, length: 0.02}", r);
        double want = MU * G * mean / (0.5 * (R * R + r * r));
        check(shape, shape, "at: [0, 0, 0.01]", want, 8);
        check_on("on a box", shape, "at: [0, 0, 0.01]", slab, want, 8);
    }
}

// A cup upside down, of wall w, and a funnel with a sharp rim on its wide end.
LONG_TEST(a_cup_that_spins_on_its_rim_brakes_as_the_rim_says) {
    const double R = 0.05, w = 0.005, h = 0.1, r = R - w;
    double mean = 2. / 3 * (R * R * R - r * r * r) / (R * R - r * r);
    double bottom = R * R * w, side = (R * R - r * r) * (h - w);
    double inertia = (0.5 * bottom * R * R + 0.5 * side * (R * R + r * r)) / (bottom + side);
    const char *cup = "revolution: {outline: [[0, 0], [0, 0.05], [0.1, 0.05]], thickness: 0.005}";
    const char *place = "at: [0, 0, 0.1], rotate: {axis: [1, 0, 0], angle: 180 deg}";
    check("cup", cup, place, MU * G * mean / inertia, 8);
    check_on("cup on a box", cup, place, slab, MU * G * mean / inertia, 8);
    // standing on its whole bottom
    check("cup on its bottom", cup, "at: [0, 0, 0]", MU * G * 2. / 3 * R / inertia, 8);
    const char *ring = "revolution: {outline: [[-0.02, 0.08], [-0.02, 0.12], [0.02, 0.12], "
                       "[0.02, 0.08], [-0.02, 0.08]], rounding: 0.02}";
    check("ring of round section", ring, "at: [0, 0, 0.02]", MU * G * 0.1 / (0.01 + 0.75 * 0.0004),
          4);
}

// Two rims on a hollow reel, lying on its side: no line between them.
TEST(a_reel_that_spins_on_its_rims_brakes_as_both_say) {
    const char *reel = "revolution: {outline: [[-0.1, 0.02], [-0.1, 0.05], [-0.06, 0.05], "
                       "[-0.06, 0.03], [0.06, 0.03], [0.06, 0.05], [0.1, 0.05], [0.1, 0.02], "
                       "[-0.1, 0.02]]}";
    // pieces with half length a, at the distance d along the axis
    double rims = (0.0025 - 0.0004) * 0.08, axle = (0.0009 - 0.0004) * 0.12, m = rims + axle;
    double inertia = rims * ((0.0025 + 0.0004) / 4 + 0.02 * 0.02 / 3 + 0.08 * 0.08);
    inertia += axle * ((0.0009 + 0.0004) / 4 + 0.06 * 0.06 / 3);
    check("reel", reel, "at: [0, 0, 0.05], rotate: {axis: [0, 1, 0], angle: 90 deg}",
          MU * G * 0.08 * m / inertia, 8);
}

TEST(a_solid_of_revolution_on_a_box_brakes_as_its_end_says) {
    check_on("revolution on a box", "revolution: {outline: [[-0.025, 0.1], [0.025, 0.1]]}",
             "at: [0, 0, 0.025]", slab, MU * G * 2. / 3 * 0.1 / (0.5 * 0.01), 8);
}

// With contacts at ends only a line brakes twice too fast.
TEST(a_line_with_contacts_at_its_ends_has_half_of_them_and_too_much_hold) {
    int32_t most;
    faces = "corners";
    double got =
        braking("cylinder: {radius: 0.02, length: 0.3}",
                "at: [0, 0, 0.02], rotate: {axis: [0, 1, 0], angle: 90 deg}", plane, &most);
    faces = "whole";
    CHECK(most == 2);
    CHECK(fabs(got / 58.09 - 1) < 0.02);
}

LONG_TEST(a_torus_that_spins_lying_flat_brakes_as_its_circle_says) {
    double want = MU * G * 0.1 / (0.01 + 0.75 * 0.0004);
    const char *own = "torus: {radius: 0.1, section: 0.02}";
    check("torus", own, "at: [0, 0, 0.02]", want, 4);
    check_on("torus on a box", own, "at: [0, 0, 0.02]", slab, want, 4);
}

// The same ring as triangles of points: bottom, outside, top and inside.
TEST(a_ring_of_triangles_brakes_as_the_ring_says) {
    const double r[4] = {0.06, 0.1, 0.1, 0.06}, z[4] = {-0.01, -0.01, 0.01, 0.01};
    size_t used = (size_t)snprintf(shape, sizeof shape, "mesh: {points: [");
    for (int k = 0; k < 4 * SIDES; k++) {
        double angle = 2 * M_PI * (k / 4) / SIDES;
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s[%.12g, %.12g, %g]",
                                 k > 0 ? ", " : "", r[k % 4] * cos(angle), r[k % 4] * sin(angle),
                                 z[k % 4]);
    }
    used += (size_t)snprintf(shape + used, sizeof shape - used, "], triangles: [");
    for (int k = 0; k < 4 * SIDES; k++) {
        int up = k - k % 4 + (k + 1) % 4, next = (k + 4) % (4 * SIDES);
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s[%d, %d, %d], [%d, %d, %d]",
                                 k > 0 ? ", " : "", k, next, (up + 4) % (4 * SIDES), k,
                                 (up + 4) % (4 * SIDES), up);
    }
    snprintf(shape + used, sizeof shape - used, "]}");
    double mean = 2. / 3 * 0.784e-3 / 0.64e-2;
    check("ring", shape, "at: [0, 0, 0.01]", MU * G * mean / (0.5 * 1.36e-2), 8);
    check_on("ring on a box", shape, "at: [0, 0, 0.01]", slab, MU * G * mean / (0.5 * 1.36e-2), 8);
}

// The centre of the feet is 5 mm beside that of the mass.
TEST(a_face_of_two_unequal_feet_brakes_as_both_say) {
    const char *feet =
        "mesh: {points: [[-0.1, -0.1, 0], [0.1, -0.1, 0], [0.1, 0.1, 0], [-0.1, 0.1, 0], "
        "[-0.1, -0.1, 0.02], [0.1, -0.1, 0.02], [0.1, 0.1, 0.02], [-0.1, 0.1, 0.02], "
        "[-0.05, -0.1, 0], [0.07, -0.1, 0], [-0.05, -0.1, 0.01], [0.07, -0.1, 0.01], "
        "[-0.05, 0.1, 0], [0.07, 0.1, 0], [-0.05, 0.1, 0.01], [0.07, 0.1, 0.01]], triangles: ["
        "[0, 3, 12], [0, 12, 8], [9, 13, 2], [9, 2, 1], [10, 14, 15], [10, 15, 11], "
        "[8, 12, 14], [8, 14, 10], [9, 11, 15], [9, 15, 13], [4, 5, 6], [4, 6, 7], "
        "[0, 4, 7], [0, 7, 3], [1, 2, 6], [1, 6, 5], "
        "[0, 8, 4], [8, 10, 4], [10, 11, 4], [11, 5, 4], [11, 9, 5], [9, 1, 5], "
        "[3, 7, 12], [12, 7, 14], [14, 7, 15], [15, 7, 6], [15, 6, 13], [13, 6, 2]]}";
    // by summing over small parts: area of the feet, and volume
    enum { N = 400 };
    const double d = 0.2 / N;
    double area = 0, volume = 0, at[2] = {0}, first = 0, second = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < N * N; i++) {
            double x = -0.1 + d * (i / N + 0.5), y = -0.1 + d * (i % N + 0.5);
            bool foot = x < -0.05 || x > 0.07;
            double height = foot ? 0.02 : 0.01;
            if (pass == 0) {
                area += foot;
                at[0] += foot * x;
                volume += height;
                at[1] += height * x;
                continue;
            }
            double r2 = pow(x - at[1] / volume, 2) + y * y;
            first += foot * sqrt(r2) / area;
            second += height * r2 / volume;
        }
    check("two feet", feet, "at: [0, 0, 0]", MU * G * first / second, 8);
}

TEST(a_plate_with_a_hole_brakes_as_its_face_says) {
    // mean distance from the centre: that of the square, without the disc
    const double a = 0.1, r = 0.05, disc = M_PI * r * r;
    double first = 4 * a * a * a * (sqrt(2) + asinh(1)) / 3 - 2. / 3 * disc * r;
    double second = 4 * a * a * a * a * 2 / 3 - 0.5 * disc * r * r;
    const char *own = "plate: {size: [0.2, 0.2, 0.02], hole: 0.05}";
    check("plate", own, "at: [0, 0, 0.01]", MU * G * first / second, 8);
    check_on("plate on a box", own, "at: [0, 0, 0.01]", slab, MU * G * first / second, 8);
}
