// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_linking.c - linking number and writhe of known curves

#include "base/memory.h"
#include "geom/diagram.h"
#include "geom/knot.h"
#include "geom/linking.h"
#include "math/quat.h"

#include "test.h"

enum { MAX = 2000 };

static void circle(Vec3 centre, Vec3 x, Vec3 y, double radius, Vec3 *out, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double t = 2 * M_PI * i / count;
        out[i] = v3_axpy(radius * cos(t), x, v3_axpy(radius * sin(t), y, centre));
    }
}

static int64_t linking(const Vec3 *a, int32_t na, const Vec3 *b, int32_t nb) {
    int64_t number = INT64_MIN;
    CHECK(lithe_linking_number(a, na, b, nb, &number));
    return number;
}

static Vec3 turned(TestRandom *r) {
    return v3(test_random(r, -3, 3), test_random(r, -3, 3), test_random(r, -3, 3));
}

TEST(rings_in_each_other_link_once_with_the_sign_of_their_screw) {
    Vec3 a[40], b[17];
    circle(v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 1, a, 40);
    // goes up through the disk of a, which turns about +z: right-handed
    circle(v3(1, 0, 0), v3(-1, 0, 0), v3(0, 0, 1), 1, b, 17);
    int64_t number = linking(a, 40, b, 17);
    CHECK(number == 1 || number == -1);
    // Ampere: a curve that passes up through the disk inside counts +1
    double up = 0;
    for (int i = 0; i < 17; i++) {
        Vec3 p = b[i], q = b[(i + 1) % 17];
        if ((p.z < 0) != (q.z < 0)) {
            Vec3 at = v3_mix(p, q, p.z / (p.z - q.z));
            if (hypot(at.x, at.y) < 1)
                up += q.z > p.z ? 1 : -1;
        }
    }
    CHECK_NEAR(number, up, 0);
    CHECK(linking(b, 17, a, 40) == number);
    // reversed, and mirrored
    Vec3 back[17], mirror_a[40], mirror_b[17];
    for (int i = 0; i < 17; i++) {
        back[i] = b[16 - i];
        mirror_b[i] = v3(b[i].x, b[i].y, -b[i].z);
    }
    for (int i = 0; i < 40; i++)
        mirror_a[i] = v3(a[i].x, a[i].y, -a[i].z);
    CHECK(linking(a, 40, back, 17) == -number);
    CHECK(linking(mirror_a, 40, mirror_b, 17) == -number);
}

TEST(rings_beside_each_other_do_not_link_even_when_their_boxes_overlap) {
    Vec3 a[30], b[30];
    circle(v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 1, a, 30);
    circle(v3(0, 0, 0.1), v3(1, 0, 0), v3(0, 1, 0), 0.5, b, 30);
    CHECK(linking(a, 30, b, 30) == 0);
    circle(v3(2.2, 0, 0), v3(1, 0, 0), v3(0, 0, 1), 1, b, 30);
    CHECK(linking(a, 30, b, 30) == 0);
}

TEST(all_neighbours_of_a_chain_link_once_and_no_others) {
    enum { RINGS = 8, EACH = 24 };
    static Vec3 p[RINGS][EACH];
    for (int k = 0; k < RINGS; k++)
        circle(v3(1.4 * k, 0, 0), v3(1, 0, 0), k % 2 ? v3(0, 0, 1) : v3(0, 1, 0), 1, p[k], EACH);
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < RINGS; k++)
            if (i != k)
                CHECK_NEAR(llabs(linking(p[i], EACH, p[k], EACH)), abs(i - k) == 1, 0);
}

// Whitehead's link: a curve that goes through a ring twice, once each way, yet cannot be separated
TEST(whitehead_link_has_linking_number_zero) {
    static Vec3 a[60], b[400];
    circle(v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 1, a, 60);
    // a figure of eight that goes under and over the ring, and itself, by turns
    for (int i = 0; i < 400; i++) {
        double t = 2 * M_PI * i / 400;
        b[i] = v3(1.2 * sin(t), 0.5 * sin(2 * t), 0.3 * cos(3 * t));
    }
    CHECK(linking(a, 60, b, 400) == 0);
}

TEST(curves_wound_n_times_round_each_other_link_n_times) {
    static Vec3 a[300], b[MAX];
    circle(v3(0, 0, 0), v3(1, 0, 0), v3(0, 1, 0), 1, a, 300);
    const int order[] = {1, -1, 0, 2, -3, 7, -7};
    int64_t one = 0; // of one turn
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        int n = order[k];
        for (int i = 0; i < MAX; i++) {
            double t = 2 * M_PI * i / MAX, r = 1 + 0.3 * cos(n * t);
            b[i] = v3(r * cos(t), r * sin(t), 0.3 * sin(n * t));
        }
        int64_t number = linking(a, 300, b, MAX);
        CHECK_NEAR(llabs(number), abs(n), 0);
        one = k == 0 ? number : one;
        CHECK(number == n * one);
    }
}

TEST(random_polygons_have_whole_linking_numbers_that_any_motion_keeps) {
    TestRandom r = {7};
    int64_t projected = 0;
    for (int trial = 0; trial < 50; trial++) {
        Vec3 a[60], b[60], c[60], d[60];
        for (int i = 0; i < 60; i++) {
            a[i] = turned(&r);
            b[i] = turned(&r);
        }
        int64_t number = linking(a, 60, b, 60);
        projected += llabs(number);
        Vec3 turn = turned(&r);
        for (int i = 0; i < 60; i++) {
            c[i] = v3_add(v3_scale(1e-3, q4_rotate(q4_exp(turn), a[i])), v3(1, 2, 3));
            d[i] = v3_add(v3_scale(1e-3, q4_rotate(q4_exp(turn), b[(i + 11) % 60])), v3(1, 2, 3));
        }
        CHECK(linking(c, 60, d, 60) == number);
        CHECK(linking(b, 60, a, 60) == number);
    }
    CHECK(projected > 50); // not all of them are zero
}

TEST(curves_that_meet_have_no_linking_number) {
    Vec3 a[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    Vec3 b[3] = {{0.5, 0, -1}, {0.5, 0, 1}, {0.5, -2, 0.3}};
    int64_t number = 5;
    CHECK(!lithe_linking_number(a, 4, b, 3, &number));
    CHECK(number == 5);
}

// --- writhe --------------------------------------------------------------------------------------

TEST(plane_curves_have_no_writhe) {
    Vec3 p[100];
    for (int i = 0; i < 100; i++) {
        double t = 2 * M_PI * i / 100;
        p[i] = v3((2 + cos(5 * t)) * cos(t), (2 + cos(5 * t)) * sin(t), 0);
    }
    CHECK_NEAR(lithe_writhe(p, 100, true), 0, 1e-13);
    CHECK_NEAR(lithe_writhe(p, 100, false), 0, 1e-13);
    // tilted: the plane is only one up to rounding
    for (int i = 0; i < 100; i++)
        p[i] = q4_rotate(q4_exp(v3(0.3, 1.1, -0.7)), p[i]);
    CHECK_NEAR(lithe_writhe(p, 100, true), 0, 1e-10);
}

static Vec3 trefoil(double t) {
    return v3((2 + cos(3 * t)) * cos(2 * t), (2 + cos(3 * t)) * sin(2 * t), sin(3 * t));
}

static Vec3 trefoil_slope(double t) {
    double h = 1e-5;
    return v3_scale(0.5 / h, v3_sub(trefoil(t + h), trefoil(t - h)));
}

LONG_TEST(writhe_of_a_trefoil_agrees_with_quadrature_at_second_order_and_flips_in_a_mirror) {
    // Gauss' integral itself, midpoints of both parameters shifted against each other
    enum { N = 800 };
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            double s = 2 * M_PI * i / N, t = 2 * M_PI * (k + 0.5) / N;
            Vec3 d = v3_sub(trefoil(s), trefoil(t));
            sum += v3_dot(d, v3_cross(trefoil_slope(s), trefoil_slope(t))) / pow(v3_norm(d), 3);
        }
    double wanted = sum * pow(2 * M_PI / N, 2) / (4 * M_PI), error[2];
    for (int k = 0; k < 2; k++) {
        static Vec3 p[MAX];
        int32_t n = k ? 400 : 200;
        for (int32_t i = 0; i < n; i++)
            p[i] = trefoil(2 * M_PI * i / n);
        double found = lithe_writhe(p, n, true);
        error[k] = fabs(found - wanted);
        for (int32_t i = 0; i < n; i++)
            p[i].z = -p[i].z;
        CHECK_NEAR(lithe_writhe(p, n, true), -found, 1e-12);
    }
    printf("  quadrature %.9g, errors %.3g %.3g\n", wanted, error[0], error[1]);
    CHECK(fabs(wanted) > 3 && fabs(wanted) < 4); // three crossings from most sides
    CHECK(error[0] < 1e-2);
    CHECK(log2(error[0] / error[1]) > 1.7);
}

// Fuller: a long helix of pitch angle a (between axis and tangent) has writhe 1 - cos(a) per turn
TEST(long_helix_has_the_writhe_of_its_turns) {
    static Vec3 p[MAX];
    double each[2], climb = 0.5;
    for (int k = 0; k < 2; k++) {
        int turns = k ? 20 : 10;
        for (int i = 0; i < MAX; i++) {
            double t = 2 * M_PI * turns * i / (MAX - 1);
            p[i] = v3(cos(t), sin(t), climb * t);
        }
        each[k] = lithe_writhe(p, MAX, false);
    }
    // the ends contribute equally to both
    double wanted = 1 - climb / hypot(1, climb);
    CHECK_NEAR((each[1] - each[0]) / 10, wanted, 0.02 * wanted);
}

TEST(short_curves_have_no_writhe) {
    Vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    for (int n = 0; n <= 3; n++) {
        CHECK(lithe_writhe(p, n, false) == 0);
        CHECK(lithe_writhe(p, n, true) == 0);
    }
    CHECK(lithe_writhe(p, 4, false) != 0);
}

// --- writhe from one diagram ---------------------------------------------------------------------

// from the crossings of one projection; the reference is the sum over all pairs of edges
static double seen_writhe(const Vec3 *points, int32_t count, bool closed) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    LitheDiagram diagram = {.context = context, .work = LITHE_DIAGRAM_WORK};
    double found = INFINITY;
    CHECK(lithe_diagram_project(&diagram, points, count, closed, &error) == LITHE_OK);
    found = lithe_writhe_of_diagram(&diagram);
    lithe_diagram_release(&diagram);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return found;
}

TEST(writhe_from_one_diagram_is_the_sum_over_all_pairs_to_rounding) {
    TestRandom r = {23};
    double worst = 0, largest = 0;
    for (int trial = 0; trial < 400; trial++) {
        Vec3 p[70];
        int32_t n = 2 + trial % 69;
        bool closed = trial % 2 && n > 2;
        // wild polygons, and walks with long straight parts
        for (int32_t i = 0; i < n; i++)
            p[i] = trial % 3 && i > 0
                       ? v3_axpy(0.1, i % 7 ? v3_sub(p[i - 1], p[i > 1 ? i - 2 : 0]) : v3(0, 0, 0),
                                 v3_axpy(0.3, turned(&r), p[i - 1]))
                       : turned(&r);
        double wanted = lithe_writhe(p, n, closed);
        worst = fmax(worst, fabs(seen_writhe(p, n, closed) - wanted));
        largest = fmax(largest, fabs(wanted));
    }
    printf("  largest difference %.3g, largest writhe %.3g\n", worst, largest);
    CHECK(worst < 1e-10);
    CHECK(largest > 3);
}

TEST(writhe_from_one_diagram_of_smooth_knots_flat_curves_and_straight_lines) {
    static Vec3 p[MAX];
    for (int32_t n = 20; n <= 320; n *= 2) {
        for (int32_t i = 0; i < n; i++)
            p[i] = trefoil(2 * M_PI * (i + 0.3) / n);
        CHECK_NEAR(seen_writhe(p, n, true), lithe_writhe(p, n, true), 1e-11);
        CHECK_NEAR(seen_writhe(p, n, false), lithe_writhe(p, n, false), 1e-11);
        for (int32_t i = 0; i < n; i++)
            p[i] = v3((2 + cos(5.0 * i)) * cos(0.2 * i), 0.3 * i, 0);
        CHECK_NEAR(seen_writhe(p, n, false), 0, 1e-11);
        for (int32_t i = 0; i < n; i++)
            p[i] = v3(0.1 * i, 0.2 * i, 0.3 * i);
        CHECK_NEAR(seen_writhe(p, n, false), 0, 1e-11);
    }
}

TEST(a_diagram_in_which_an_edge_hides_behind_its_neighbour_has_no_writhe) {
    // both edges of the corner point away from the eye, one behind the other
    LitheProjectedPoint projected[6] = {{-9, 0.1, 0}, {0, 0, 0},   {1, 0, -1},
                                        {-1, 0, -3},  {-1, 1, -2}, {-9, 9, 0}};
    LitheDiagram diagram = {.point_count = 4, .projected = projected, .projected_count = 6};
    CHECK(isnan(lithe_writhe_of_diagram(&diagram)));
    // towards the eye it is defined: the boundary passes in front of it
    for (int i = 0; i < 6; i++)
        projected[i].depth = -projected[i].depth;
    Vec3 p[4];
    for (int i = 0; i < 4; i++)
        p[i] = v3(projected[i + 1].x, projected[i + 1].y, projected[i + 1].depth);
    CHECK_NEAR(lithe_writhe_of_diagram(&diagram), lithe_writhe(p, 4, false), 1e-14);
    CHECK(fabs(lithe_writhe(p, 4, false)) > 1e-3);
}

// --- closed knots --------------------------------------------------------------------------------

static int64_t determinant(const Vec3 *points, int32_t count) {
    LitheContext *context = lithe_context_create(NULL);
    LitheError error = {0};
    int64_t d = lithe_knot_determinant_closed(points, count, context, &error);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
    return d;
}

TEST(closed_knots_have_their_known_determinants_wherever_they_begin) {
    static Vec3 p[300], q[300];
    TestRandom r = {3};
    for (int kind = 0; kind < 4; kind++) {
        static const int64_t known[] = {1, 3, 5, 5};
        for (int i = 0; i < 300; i++) {
            double t = 2 * M_PI * (i + 0.5) / 300;
            if (kind == 0) // wavy, but no knot
                p[i] = v3((2 + 0.5 * cos(7 * t)) * cos(t), sin(t), 0.5 * sin(7 * t));
            else if (kind == 1)
                p[i] = trefoil(t);
            else if (kind == 2) // figure eight
                p[i] = v3((2 + cos(2 * t)) * cos(3 * t), (2 + cos(2 * t)) * sin(3 * t), sin(4 * t));
            else
                p[i] = v3((3 + cos(5 * t)) * cos(2 * t), (3 + cos(5 * t)) * sin(2 * t), sin(5 * t));
        }
        for (int trial = 0; trial < 5; trial++) {
            Vec3 turn = turned(&r);
            for (int i = 0; i < 300; i++)
                q[i] = q4_rotate(q4_exp(turn), p[(i + 61 * trial) % 300]);
            CHECK_NEAR(determinant(q, 300), known[kind], 0);
        }
    }
    CHECK(determinant(p, 3) == 1);
}
