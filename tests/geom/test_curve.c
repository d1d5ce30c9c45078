// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_curve.c - nodes along every shape

#include "base/memory.h"
#include "geom/curve.h"
#include "geom/knot.h"
#include "geom/segment.h"
#include "math/quat.h"

#include "test.h"

#include <unistd.h>

enum { MAX = 4001 };

static Vec3 nodes[MAX];
static bool closed;
static LitheError error;

static LitheStatus sample_full(const LitheShapeDef *shape, int32_t count, bool start, bool end,
                               double radius) {
    LitheContext *context = lithe_context_create(NULL);
    memset(&error, 0, sizeof error);
    LitheStatus status =
        lithe_curve_sample(context, shape, count, start, end, radius, nodes, &closed, &error);
    CHECK(lithe_context_bytes(context) == 0);
    CHECK(status == error.status);
    CHECK((status == LITHE_OK) == (error.text[0] == 0));
    lithe_context_destroy(context);
    return status;
}

static LitheStatus sample(const LitheShapeDef *shape, int32_t count) {
    return sample_full(shape, count, false, false, 1e-3);
}

static double polyline_length(int32_t count, bool around) {
    double sum = 0;
    for (int32_t i = 0; i + 1 < count; i++)
        sum += v3_distance(nodes[i], nodes[i + 1]);
    return around ? sum + v3_distance(nodes[count - 1], nodes[0]) : sum;
}

static LitheShapeDef shape_of(LitheShapeKind kind) {
    LitheShapeDef shape = lithe_shape_def_default();
    shape.kind = kind;
    return shape;
}

static void check_refused(const LitheShapeDef *shape, const char *part) {
    nodes[0] = v3(7, 7, 7);
    closed = true;
    CHECK(sample(shape, 11) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, part);
    CHECK(nodes[0].x == 7 && closed); // untouched
}

// --- spacing and clamps --------------------------------------------------------------------------

TEST(line_is_divided_evenly) {
    LitheShapeDef shape = lithe_shape_def_default();
    FATAL(sample(&shape, 5) == LITHE_OK);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(v3_distance(nodes[i], v3(0.25 * i, 0, 0)), 0, 1e-16);
    CHECK(!closed);
}

TEST(clamps_lie_in_the_middle_of_the_outermost_edges) {
    LitheShapeDef shape = lithe_shape_def_default();
    for (int start = 0; start < 2; start++) {
        for (int end = 0; end < 2; end++) {
            int n = 9;
            FATAL(sample_full(&shape, n, start, end, 1e-3) == LITHE_OK);
            double l = 1 / (n - 1 - 0.5 * (start + end));
            for (int i = 0; i < n; i++)
                CHECK_NEAR(nodes[i].x, (i - 0.5 * start) * l, 1e-15);
            CHECK_NEAR(start ? 0.5 * (nodes[0].x + nodes[1].x) : nodes[0].x, 0, 1e-15);
            CHECK_NEAR(end ? 0.5 * (nodes[n - 2].x + nodes[n - 1].x) : nodes[n - 1].x, 1, 1e-15);
        }
    }
}

TEST(clamped_arc_goes_on_straight_along_its_tangents) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_ARC);
    FATAL(sample_full(&shape, 12, true, true, 1e-3) == LITHE_OK);
    double l = 0.1 * 0.5 * M_PI / 10;
    CHECK_NEAR(v3_distance(nodes[0], v3(-0.5 * l, 0, 0)), 0, 1e-16);
    CHECK_NEAR(v3_distance(nodes[11], v3(0.1, 0, 0.1 + 0.5 * l)), 0, 1e-15);
    CHECK_NEAR(v3_distance(nodes[1], v3(0.1 * sin(5 * l), 0, 0.1 - 0.1 * cos(5 * l))), 0, 1e-15);
}

TEST(length_of_arc_helix_ring_spline_and_catenary_converges_at_second_order) {
    Vec3 points[6] = {{0, 0, 0}, {1, 0.5, 0}, {2, -0.3, 0.4}, {2.5, 1, 1}, {1, 2, 0.2}, {0, 1, 0}};
    const LitheShapeKind kinds[5] = {LITHE_SHAPE_ARC, LITHE_SHAPE_RING, LITHE_SHAPE_HELIX,
                                     LITHE_SHAPE_CATENARY, LITHE_SHAPE_SPLINE};
    for (int k = 0; k < 6; k++) {
        LitheShapeDef shape = shape_of(kinds[k < 5 ? k : 4]);
        shape.length = 1.4;
        shape.points = points;
        shape.point_count = 6;
        shape.closed = k == 5;
        double l[3];
        for (int i = 0; i < 3; i++) {
            int32_t n = (400 << i) + !lithe_shape_closed(&shape);
            FATAL(sample(&shape, n) == LITHE_OK);
            l[i] = polyline_length(n, closed);
        }
        // differences fall by four, and the limit is the length where it is known
        CHECK_NEAR((l[1] - l[0]) / (l[2] - l[1]), 4, 0.1);
        double limit = l[2] + (l[2] - l[1]) / 3;
        double known[4] = {0.05 * M_PI, 0.2 * M_PI, 3 * hypot(0.2 * M_PI, 0.05), 1.4};
        if (k < 4)
            CHECK_NEAR(limit, known[k], 1e-7 * known[k]);
    }
}

TEST(edges_are_equal_up_to_second_order) {
    Vec3 points[5] = {{0, 0, 0}, {1, 0.5, 0}, {2, -0.3, 0.4}, {2.5, 1, 1}, {1, 2, 0.2}};
    LitheShapeDef shape = shape_of(LITHE_SHAPE_SPLINE);
    shape.points = points;
    shape.point_count = 5;
    double spread[2];
    for (int k = 0; k < 2; k++) {
        int32_t n = k ? 401 : 201;
        FATAL(sample(&shape, n) == LITHE_OK);
        double low = INFINITY, high = 0;
        for (int32_t i = 0; i + 1 < n; i++) {
            low = fmin(low, v3_distance(nodes[i], nodes[i + 1]));
            high = fmax(high, v3_distance(nodes[i], nodes[i + 1]));
        }
        spread[k] = high / low - 1;
    }
    CHECK_NEAR(spread[0] / spread[1], 4, 0.4);
}

// --- each curve ----------------------------------------------------------------------------------

TEST(ring_helix_and_arc_lie_where_the_header_says) {
    LitheShapeDef ring = shape_of(LITHE_SHAPE_RING);
    FATAL(sample(&ring, 8) == LITHE_OK);
    CHECK(closed);
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(v3_distance(nodes[i], v3(0.1 * cos(i * M_PI / 4), 0.1 * sin(i * M_PI / 4), 0)),
                   0, 1e-15);
    LitheShapeDef helix = shape_of(LITHE_SHAPE_HELIX);
    helix.pitch = -0.03; // left-handed
    FATAL(sample(&helix, 13) == LITHE_OK);
    CHECK(!closed);
    for (int i = 0; i < 13; i++)
        CHECK_NEAR(v3_distance(nodes[i],
                               v3(0.1 * cos(i * M_PI / 2), 0.1 * sin(i * M_PI / 2), -0.03 * i / 4)),
                   0, 1e-15);
}

TEST(rotate_comes_before_at) {
    LitheShapeDef shape = lithe_shape_def_default();
    shape.rotate = v3(0, 0, M_PI / 2);
    shape.at = v3(5, 0, 0);
    FATAL(sample(&shape, 2) == LITHE_OK);
    CHECK_NEAR(v3_distance(nodes[0], v3(5, 0, 0)), 0, 1e-15);
    CHECK_NEAR(v3_distance(nodes[1], v3(5, 1, 0)), 0, 1e-15);
}

TEST(catenary_is_a_cosh_with_the_wanted_length_and_ends) {
    TestRandom r = {11};
    for (int trial = 0; trial < 300; trial++) {
        LitheShapeDef shape = shape_of(LITHE_SHAPE_CATENARY);
        shape.from = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
        shape.to = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -3, 3));
        double slack = pow(10, test_random(&r, -9, 2)); // nearly taut to very loose
        shape.length = (1 + slack) * v3_distance(shape.from, shape.to);
        FATAL(sample(&shape, 41) == LITHE_OK);
        CHECK_NEAR(v3_distance(nodes[0], shape.from), 0, 1e-12);
        CHECK_NEAR(v3_distance(nodes[40], shape.to), 0, 1e-9 * shape.length);
        Vec3 across = v3(shape.to.x - shape.from.x, shape.to.y - shape.from.y, 0);
        double h = v3_norm(across);
        across = v3_scale(1 / h, across);
        if (slack < 0.01 || slack > 3)
            continue; // the plain formulas below are inaccurate
        // a and the lowest point from ends and length, then every node must satisfy z = a cosh
        double x[41], z[41];
        for (int i = 0; i < 41; i++) {
            x[i] = v3_dot(v3_sub(nodes[i], nodes[0]), across);
            z[i] = nodes[i].z - nodes[0].z;
        }
        double low = 1e-6 * h, high = 1e6 * h;
        for (int k = 0; k < 200; k++) { // a from length: plain bisection of the textbook equation
            double a = sqrt(low * high);
            double l = sqrt(z[40] * z[40] + pow(2 * a * sinh(fmin(h / (2 * a), 300)), 2));
            if (l > shape.length)
                low = a;
            else
                high = a;
        }
        double a = sqrt(low * high);
        double x0 = 0.5 * h - a * atanh(z[40] / shape.length); // abscissa of the lowest point
        for (int i = 0; i < 41; i++)
            CHECK_NEAR(z[i], a * (cosh((x[i] - x0) / a) - cosh(x0 / a)), 1e-9 * shape.length);
    }
}

TEST(catenary_refuses_short_chains_and_vertical_folds) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_CATENARY);
    shape.length = 0.5;
    check_refused(&shape, "length is 0.5 m, must exceed the distance of its ends, 1 m");
    shape.length = 1;
    check_refused(&shape, "must exceed");
    shape.to = v3(0, 0, 0.5);
    check_refused(&shape, "two vertical lines");
    shape.length = -1;
    check_refused(&shape, "catenary: length is -1 m, must be > 0");
}

TEST(polyline_with_as_many_nodes_as_points_is_kept_exactly) {
    Vec3 points[4] = {{0.1, 0.2, 0.3}, {1, 0, 0}, {1, 1.0 / 3, 0}, {2, 1, 1e-7}};
    LitheShapeDef shape = shape_of(LITHE_SHAPE_POLYLINE);
    shape.points = points;
    shape.point_count = 4;
    for (int clamp = 0; clamp < 2; clamp++) {
        FATAL(sample_full(&shape, 4, clamp, clamp, 1e-3) == LITHE_OK);
        CHECK(memcmp(nodes, points, sizeof points) == 0);
    }
}

TEST(polyline_is_resampled_evenly_and_closed_ones_do_not_repeat_the_first) {
    Vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    LitheShapeDef shape = shape_of(LITHE_SHAPE_POLYLINE);
    shape.points = square;
    shape.point_count = 4;
    FATAL(sample(&shape, 7) == LITHE_OK);
    CHECK_NEAR(v3_distance(nodes[3], v3(1, 0.5, 0)), 0, 1e-15);
    CHECK_NEAR(v3_distance(nodes[6], v3(0, 1, 0)), 0, 1e-15);
    shape.closed = true;
    FATAL(sample(&shape, 8) == LITHE_OK);
    CHECK(closed);
    CHECK_NEAR(v3_distance(nodes[7], v3(0, 0.5, 0)), 0, 1e-15);
}

TEST(spline_passes_through_its_points_and_reproduces_a_circle_at_fourth_order) {
    double off[2];
    for (int k = 0; k < 2; k++) {
        Vec3 points[64];
        int n = k ? 64 : 32;
        for (int i = 0; i < n; i++)
            points[i] = v3(cos(2 * M_PI * i / n), sin(2 * M_PI * i / n), 0);
        LitheShapeDef shape = shape_of(LITHE_SHAPE_SPLINE);
        shape.points = points;
        shape.point_count = n;
        shape.closed = true;
        FATAL(sample(&shape, 4 * n) == LITHE_OK);
        off[k] = 0;
        for (int i = 0; i < 4 * n; i++)
            off[k] = fmax(off[k], fabs(v3_norm(nodes[i]) - 1));
        for (int i = 0; i < n; i++) // a circle's arcs are equal: every fourth node is a point
            CHECK_NEAR(v3_distance(nodes[4 * i], points[i]), 0, 1e-13);
    }
    CHECK_NEAR(off[0] / off[1], 16, 1.5);
}

TEST(spline_of_two_points_is_a_line) {
    Vec3 points[2] = {{0, 0, 0}, {1, 2, 2}};
    LitheShapeDef shape = shape_of(LITHE_SHAPE_SPLINE);
    shape.points = points;
    shape.point_count = 2;
    FATAL(sample(&shape, 4) == LITHE_OK);
    CHECK_NEAR(v3_distance(nodes[1], v3(1.0 / 3, 2.0 / 3, 2.0 / 3)), 0, 1e-14);
}

// --- refusals ------------------------------------------------------------------------------------

TEST(bad_numbers_are_refused_by_name_and_value) {
    LitheShapeDef shape = lithe_shape_def_default();
    shape.to = shape.from;
    check_refused(&shape, "line: from and to are 0 m apart");
    shape.to.y = INFINITY;
    check_refused(&shape, "line: to is (0, inf, 0), must be finite");
    shape = lithe_shape_def_default();
    shape.at.z = NAN;
    check_refused(&shape, "line: at is");
    shape = lithe_shape_def_default();
    shape.rotate.x = INFINITY;
    check_refused(&shape, "line: rotate is");

    shape = shape_of(LITHE_SHAPE_ARC);
    shape.radius = -0.002;
    check_refused(&shape, "arc: radius is -0.002 m, must be > 0");
    shape.radius = 1;
    shape.angle = 0;
    check_refused(&shape, "arc: angle is 0 rad, must be > 0");
    shape.angle = 7;
    check_refused(&shape, "arc: angle is 7 rad, must be at most a full turn");

    shape = shape_of(LITHE_SHAPE_RING);
    shape.radius = NAN;
    check_refused(&shape, "ring: radius is");
    shape = shape_of(LITHE_SHAPE_HELIX);
    shape.turns = 0;
    check_refused(&shape, "helix: turns is 0, must be > 0");
    shape.turns = 2;
    shape.pitch = 0;
    check_refused(&shape, "helix: pitch is 0 m");
    shape.pitch = INFINITY;
    check_refused(&shape, "helix: pitch is inf m");
    shape = shape_of((LitheShapeKind)99);
    check_refused(&shape, "no kind 99");
    shape = shape_of(LITHE_SHAPE_LINE);
    shape.from.x = -1e308;
    shape.to.x = 1e308;
    check_refused(&shape, "line");
}

TEST(coincident_points_are_named) {
    Vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const LitheShapeKind kinds[2] = {LITHE_SHAPE_POLYLINE, LITHE_SHAPE_SPLINE};
    for (int k = 0; k < 2; k++) {
        LitheShapeDef shape = shape_of(kinds[k]);
        shape.points = points;
        shape.point_count = 4;
        check_refused(&shape, "points 1 and 2 coincide at (1, 0, 0)");
        shape.point_count = 1;
        check_refused(&shape, "1 point, an open curve needs at least 2");
        shape.point_count = 2;
        shape.closed = true;
        check_refused(&shape, "2 points, a closed curve needs at least 3");
        Vec3 repeated[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}};
        shape.points = repeated;
        shape.point_count = 4;
        check_refused(&shape, "points 3 and 0 coincide");
        repeated[2].y = NAN;
        check_refused(&shape, "point 2 is (1, ");
        shape.points = NULL;
        check_refused(&shape, "4 points");
    }
}

TEST(too_few_nodes_and_clamped_rings_are_refused) {
    LitheShapeDef line = lithe_shape_def_default(), ring = shape_of(LITHE_SHAPE_RING);
    CHECK(sample(&line, 1) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "line: 1 node, an open curve needs at least 2");
    CHECK(sample(&line, -5) == LITHE_BAD_INPUT);
    CHECK(sample_full(&line, 2, true, false, 1e-3) == LITHE_BAD_INPUT);
    CHECK(sample(&ring, 2) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "ring: 2 nodes, a closed curve needs at least 3");
    CHECK(sample_full(&ring, 20, false, true, 1e-3) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "no end to clamp");
}

TEST(nodes_that_would_fall_on_each_other_at_a_fold_are_refused) {
    Vec3 fold[3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    LitheShapeDef shape = shape_of(LITHE_SHAPE_POLYLINE);
    shape.points = fold;
    shape.point_count = 3;
    CHECK(sample(&shape, 2) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "polyline: nodes 0 and 1 of 2 would coincide");
    CHECK(sample(&shape, 5) == LITHE_OK);
}

// --- files ---------------------------------------------------------------------------------------

static char path[64];

static LitheShapeDef file_shape(const void *text, size_t bytes) {
    strcpy(path, "/tmp/lithe_test_curve_XXXXXX");
    int handle = mkstemp(path);
    if (handle < 0 || write(handle, text, bytes) != (ssize_t)bytes)
        abort();
    close(handle);
    LitheShapeDef shape = shape_of(LITHE_SHAPE_FILE);
    shape.path = path;
    return shape;
}

static void check_file_refused(const char *text, size_t bytes, const char *place,
                               const char *part) {
    LitheShapeDef shape = file_shape(text, bytes);
    check_refused(&shape, part);
    char want[128];
    snprintf(want, sizeof want, "%s%s", path, place);
    CHECK_TEXT(error.text, want);
    unlink(path);
}

#define REFUSED(text, place, part) check_file_refused(text, sizeof(text) - 1, place, part)

TEST(file_with_comments_blank_lines_crlf_and_mark_is_read) {
    const char text[] = "\xef\xbb\xbf# a curve\r\n\r\n0 0 0\r\n  1e0\t+2 -.5 # end\r\n\n2 3. 4e-1";
    LitheShapeDef shape = file_shape(text, sizeof text - 1);
    LitheContext *context = lithe_context_create(NULL);
    int32_t count = 0;
    FATAL(lithe_curve_node_count(context, &shape, &count, NULL) == LITHE_OK);
    CHECK(count == 3);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    FATAL(sample(&shape, 3) == LITHE_OK);
    CHECK(nodes[1].x == 1 && nodes[1].y == 2 && nodes[1].z == -0.5);
    CHECK(nodes[2].x == 2 && nodes[2].y == 3 && nodes[2].z == 0.4);
    unlink(path);
}

TEST(malformed_files_are_refused_with_line_and_value) {
    REFUSED("0 0 0\n1,5 2 3\n", ":2:1: ", "'1,5' has a comma");
    REFUSED("0 0 0\n1.5 2 abc\n", ":2:7: ", "a word of 3 characters is not a number");
    REFUSED("0 0 0\n\n1.5 2\n", ":3: ", "2 numbers, expected x y z");
    REFUSED("0 0 0\n1.5 2 3 4\n", ":2:9: ", "more than three");
    REFUSED("0 0 nan\n1 2 3\n", ":1:5: ", "a word of 3 characters is not a number");
    REFUSED("0 0 1e999\n1 2 3\n", ":1:5: ", "'1e999' is too large");
    REFUSED("0 0 0x10\n1 2 3\n", ":1:5: ", "is not a number");
    REFUSED("0 0 0\n1 2 1e\n", ":2:5: ", "'1e' is not a number");
    REFUSED("0 0 0\n\0\1\2\3\n", ":2:1: ", "not a text file");
    REFUSED("", ": ", "no points");
    REFUSED("# nothing\n\n", ": ", "no points");
    REFUSED("1 2 3\n", ": ", "1 point, an open curve needs at least 2");
    REFUSED("1 2 3\n1 2 3\n4 5 6", ": ", "points 0 and 1 coincide");
    static char wide[5000];
    memset(wide, '1', sizeof wide);
    check_file_refused(wide, sizeof wide, ":1: ", "longer than");
}

TEST(missing_files_and_directories_are_file_errors) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_FILE);
    check_refused(&shape, "path is missing");
    shape.path = "/nowhere/at all.txt";
    CHECK(sample(&shape, 10) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/nowhere/at all.txt: cannot open: No such file");
    shape.path = "/tmp";
    CHECK(sample(&shape, 10) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, "/tmp: cannot");
}

// --- knots ---------------------------------------------------------------------------------------

static void check_knot(int n, double length, double radius, int32_t count, bool clamps) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_OVERHAND_KNOT);
    shape.unknotting = n;
    shape.length = length;
    bool fits = sample_full(&shape, count, clamps, clamps, radius) == LITHE_OK;
    if (!CHECK(fits)) {
        printf("  %s\n", error.text);
        return;
    }
    double edge = length / (count - 1 - clamps);
    CHECK_NEAR(polyline_length(count, false), length + clamps * edge, 1e-12 * length);
    CHECK_NEAR(nodes[0].y, 0, 1e-9 * length);
    CHECK_NEAR(nodes[count - 1].z, 0, 1e-9 * length);
    CHECK(nodes[0].x < 0 && nodes[count - 1].x > 0);
    // every pair more than four radii apart along the rod, by a plain loop
    double min = INFINITY, longest = 0, shortest = INFINITY;
    for (int32_t i = 0; i + 1 < count; i++) {
        longest = fmax(longest, v3_distance(nodes[i], nodes[i + 1]));
        shortest = fmin(shortest, v3_distance(nodes[i], nodes[i + 1]));
        for (int32_t j = i + 2; j + 1 < count; j++)
            if ((j - i - 1) * edge > 4 * radius)
                min = fmin(
                    min,
                    lithe_segment_closest(nodes[i], nodes[i + 1], nodes[j], nodes[j + 1]).distance);
    }
    CHECK(min > 2 * radius);
    CHECK(longest < 1.02 * shortest);
    LitheContext *context = lithe_context_create(NULL);
    CHECK_NEAR(lithe_knot_determinant(nodes, count, context, NULL), 2 * n + 1, 0);
    lithe_context_destroy(context);
}

LONG_TEST(knots_of_the_experiments_fit_with_the_right_type_and_length) {
    for (int n = 1; n <= 4; n++) {
        check_knot(n, 1, 1.5e-3, 301, false);
        check_knot(n, 1, 1.6e-3, 301, true);
    }
    check_knot(1, 2, 0.4e-3, 2001, false);
    check_knot(8, 1, 0.5e-3, 801, false);
}

LONG_TEST(knot_too_thick_for_its_length_names_the_radius_that_fits) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_OVERHAND_KNOT);
    for (int n = 1; n <= 2; n++) {
        shape.unknotting = n;
        shape.length = 0.1;
        CHECK(sample_full(&shape, 601, false, false, 3e-3) == LITHE_BAD_INPUT);
        char want[128];
        snprintf(want, sizeof want,
                 "overhand knot of unknotting number %d and length 0.1 m leaves room for a radius "
                 "of at most ",
                 n);
        CHECK_TEXT(error.text, want);
        CHECK_TEXT(error.text, " mm, got 3 mm");
        // the reported radius fits, and a slightly larger one does not
        double max = 0;
        if (strstr(error.text, want))
            max = 1e-3 * atof(error.text + strlen(want));
        CHECK(max > 1e-4 && max < 3e-3);
        CHECK(sample_full(&shape, 601, false, false, max) == LITHE_OK);
        CHECK(sample_full(&shape, 601, false, false, 1.15 * max) == LITHE_BAD_INPUT);
    }
}

TEST(knots_refuse_bad_numbers_and_too_few_nodes) {
    LitheShapeDef shape = shape_of(LITHE_SHAPE_OVERHAND_KNOT);
    shape.unknotting = 0;
    check_refused(&shape, "unknotting number is 0, must be between 1 and");
    shape.unknotting = 4;
    check_refused(&shape, "11 nodes are too few");
    CHECK(sample_full(&shape, 301, false, false, 0) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "radius of the rod is 0 m");
    shape.length = 0;
    check_refused(&shape, "overhand knot: length is 0 m, must be > 0");
}

// --- memory --------------------------------------------------------------------------------------

LONG_TEST(no_failed_allocation_crashes_or_leaks) {
    Vec3 points[4] = {{0, 0, 0}, {1, 0.5, 0}, {2, -0.3, 0.4}, {2.5, 1, 1}};
    LitheShapeDef file = file_shape("0 0 0\n1 0 0\n1 1 0\n1 1 1\n", 24);
    for (int kind = LITHE_SHAPE_LINE; kind <= LITHE_SHAPE_PATH; kind++) {
        LitheShapeDef shape = kind == LITHE_SHAPE_FILE ? file : shape_of((LitheShapeKind)kind);
        const LithePathPiece piece = {.turn = 1, .radius = 1};
        shape.pieces = &piece;
        shape.piece_count = 1;
        shape.length = 1.5;
        shape.points = points;
        shape.point_count = 4;
        int failures = 0;
        LitheStatus status = LITHE_NO_MEMORY;
        for (int n = 1; n < 100 && status == LITHE_NO_MEMORY; n++) {
            LitheContext *context = lithe_context_create(NULL);
            lithe_context_fail_at(context, n);
            nodes[0] = v3(7, 7, 7);
            status = lithe_curve_sample(context, &shape, 301, false, false, 1e-3, nodes, &closed,
                                        &error);
            CHECK(lithe_context_bytes(context) == 0);
            lithe_context_destroy(context);
            if (status)
                CHECK(status == LITHE_NO_MEMORY && nodes[0].x == 7 && error.text[0]);
            failures += status != LITHE_OK;
        }
        CHECK(status == LITHE_OK && failures >= 1);
    }
    unlink(path);
}
