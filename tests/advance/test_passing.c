// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_passing.c - the certificate against an independent checker

#include "../../cli/validate/passing.h"
#include "advance/world.h"

#include <stdlib.h>

static Passing watch(World *w) {
    Passing p = {.model = w->model};
    p.edges = calloc((size_t)w->model->edge_count, sizeof *p.edges);
    return p;
}

// two loops and a rod fly into each other from random directions, in single steps that are far too
// long
static World thrown(TestRandom *r, const char *scheme, double speed, bool certify) {
    double v[3], at[3], turn[3];
    for (int k = 0; k < 3; k++) {
        v[k] = test_random(r, -1, 1);
        turn[k] = test_random(r, -1, 1);
    }
    double n = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-9;
    for (int k = 0; k < 3; k++) {
        v[k] *= speed / n;
        at[k] = -0.04 * v[k] / speed + test_random(r, -0.01, 0.01);
    }
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: 1 ms, end: 1 s, scheme: %s}\n"
                    "contact: {certify: %s}\n"
                    "materials: {cord: {young: 10 MPa, density: 1000, friction: 0.3}}\n"
                    "rods:\n"
                    "  still: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 24,\n"
                    "    natural: {from: shape}, shape: {ring: {radius: 2 cm}}}\n"
                    "  loop: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 18,\n"
                    "    natural: {from: shape}, velocity: [%g, %g, %g],\n"
                    "    shape: {ring: {radius: 1.5 cm, at: [%g, %g, %g],\n"
                    "      rotate: {axis: [%g, %g, %g], angle: 1}}}}\n"
                    "  rod: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 15,\n"
                    "    velocity: [%g, %g, %g], spin: [0, 30, 10],\n"
                    "    shape: {line: {from: [-4 cm, 3 mm, 6 cm], to: [4 cm, 5 mm, 6.5 cm]}}}\n",
                    scheme, certify ? "true" : "false", v[0], v[1], v[2], at[0], at[1], at[2],
                    turn[0], turn[1], turn[2] + 1.1, 0.1 * v[0], 0.1 * v[1], -speed);
}

typedef struct Sum {
    int64_t crossings, pairs, pieces;
    int stops, contacts, cut, avoided;
} Sum;

static Sum throw_all(const char *scheme, double speed, int throws, bool certify) {
    Sum sum = {0};
    TestRandom r = {11};
    for (int k = 0; k < throws; k++) {
        World w = thrown(&r, scheme, speed, certify);
        if (!w.ok)
            return sum;
        Passing p = watch(&w);
        w.work->watch = passing_watch;
        w.work->watch_user = &p;
        for (int i = 0; i < 12; i++) {
            LitheError error;
            if (lithe_step(w.model, w.state, w.work, &w.report, &error) != LITHE_OK) {
                printf("  throw %d: %s\n", k, error.text);
                sum.stops++;
                break;
            }
            sum.contacts += w.report.contacts;
            sum.cut += w.report.pieces > 1;
            sum.avoided += w.report.crossings_avoided;
        }
        if (p.crossings > 0 && certify)
            printf("  throw %d: rod %d edge %d, rod %d edge %d\n", k, p.rod[0], p.edge[0], p.rod[1],
                   p.edge[1]);
        sum.crossings += p.crossings;
        sum.pairs += p.pairs;
        sum.pieces += p.pieces;
        free(p.edges);
        world_end(&w);
    }
    printf("  %s, %g m/s: %lld passes of %lld pairs in %lld pieces, %d contacts, %d steps cut, %d "
           "crossings avoided\n",
           scheme, speed, (long long)sum.crossings, (long long)sum.pairs, (long long)sum.pieces,
           sum.contacts, sum.cut, sum.avoided);
    return sum;
}

LONG_TEST(rods_thrown_at_each_other_from_random_sides_never_pass) {
    static const char *const schemes[] = {"backward-euler", "tr-bdf2"};
    for (int k = 0; k < 2; k++)
        for (double speed = 3; speed <= 300; speed *= 10) {
            Sum sum = throw_all(schemes[k], speed, 6, true);
            CHECK(sum.crossings == 0);
            CHECK(sum.stops == 0);
            CHECK(sum.contacts > 0 && sum.pairs > 0);
        }
}

LONG_TEST(without_the_certificate_the_checker_sees_them_pass) {
    CHECK(throw_all("backward-euler", 300, 6, false).crossings > 0);
}

// --- the checker itself --------------------------------------------------------------------------

static PassingEdge edge(Vec3 a0, Vec3 a1, Vec3 by) {
    return (PassingEdge){.from = {a0, a1}, .to = {v3_add(a0, by), v3_add(a1, by)}};
}

// Runs until something stops it or to its end; false: it stopped. Nothing passes either way.
static bool runs(const char *things, double seconds, LitheError *error) {
    World w = world_of("lithe: 1\n"
                       "gravity: none\n"
                       "time: {step: 1 ms, end: 10 s}\n"
                       "materials: {cord: {young: 1 GPa, density: 1000, friction: 0.3}}\n"
                       "rods:\n%s",
                       things);
    bool ok = w.ok;
    if (w.ok) {
        Passing p = watch(&w);
        w.work->watch = passing_watch;
        w.work->watch_user = &p;
        for (int i = 0; ok && i < (int)(1000 * seconds); i++)
            ok = lithe_step(w.model, w.state, w.work, &w.report, error) == LITHE_OK;
        CHECK(p.crossings == 0);
        free(p.edges);
    }
    CHECK(w.ok);
    world_end(&w);
    return ok;
}

#define LOW \
    "  low: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 2, shape: {line: {from: " \
    "[-5 cm, 0, 0], to: [5 cm, 0, 0]}}}\n"
#define DRIVEN \
    "drives:\n" \
    "  a: {on: high.start, direction: [0, 0, -1], speed: 10 mm/s}\n" \
    "  b: {on: high.end, direction: [0, 0, -1], speed: 10 mm/s}\n"
#define HELD "holds: {l: {on: low.start}, r: {on: low.end}}\n"

// A step may come within 1e-3 of a radius without a crossing; the next one must not begin there.
TEST(rods_that_are_driven_slowly_through_each_other_stop_the_run) {
    LitheError error;
    CHECK(!runs(LOW
                "  high: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 2, shape: "
                "{line: {from: [1 mm, -5 cm, 2.7 mm], to: [2 mm, 5 cm, 2.7 mm]}}}\n" DRIVEN HELD,
                0.6, &error));
    CHECK(strstr(error.text, "rod 'low' (edge 0) and rod 'high' (edge 0) would pass through") !=
          NULL);
    CHECK(!runs("  high: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 5, velocity: "
                "[0, 0, -10 mm/s], shape: {line: {from: [1 mm, -1 cm, 1.7137 mm], to: [2 mm, 1 cm, "
                "1.7137 mm]}}}\n"
                "bodies: {plate: {fixed: true, material: cord, at: [0, 0, -0.5 mm], shape: {box: "
                "{size: [10 cm, 10 cm, 1 mm]}}}}\n" DRIVEN,
                0.4, &error));
    CHECK(strstr(error.text, "rod 'high'") && strstr(error.text, "body 'plate'"));
}

// Edges 500 radii long that cross at 5 degrees: the closest point is far from the ends of the
// overlap of what counts as parallel, and must have a contact.
TEST(long_edges_that_are_nearly_parallel_touch_where_they_are_nearest) {
    LitheError error;
    CHECK(!runs(
        "  low: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 2, shape: {line: "
        "{from: [0, 0, 0], to: [0.5, 0, 0]}}}\n"
        "  high: {material: cord, section: {circle: {radius: 1 mm}}, nodes: 2, shape: {line: "
        "{from: [0, -0.4 mm, 0], to: [0.5, 43.2 mm, 0], at: [-0.2, -17.44 mm, 2.5 mm]}}}\n" DRIVEN
            HELD,
        0.6, &error));
    CHECK(strstr(error.text, "would pass through each other") != NULL);
}

// (C1) leaves out the legs of a hairpin whose bottom is shorter than its thickness.
TEST(legs_of_a_hairpin_with_a_short_bottom_do_not_pass_unseen) {
    static const char pin[] =
        "  pin: {material: cord, section: {circle: {radius: 1 mm}}, natural: {from: shape}, "
        "clamped: end, shape: {polyline: {points: [[40 mm, 15 mm, 2.4 mm], [0, 0, 0], [0, -%g mm, "
        "1.2 mm], [40 mm, -17 mm, 1.2 mm]]}}}\n"
        "drives: {push: {on: pin.start, direction: [0, -1, 0], speed: 0.3 m/s}}\n";
    LitheError error;
    char text[400];
    snprintf(text, sizeof text, pin, 1.5);
    CHECK(!runs(text, 0.13, &error));
    CHECK(strstr(error.text, "rod 'pin' (edge 0) and rod 'pin' (edge 2) would pass through") &&
          strstr(error.text, "what lies between is shorter than the thickness"));
    snprintf(text, sizeof text, pin, 1.7); // 2.08 radii: the legs touch each other
    CHECK(runs(text, 0.13, &error));
}

// An acute corner, as built: the rod overlaps itself beside it, and keeps its shape.
TEST(a_rod_that_is_built_with_an_acute_corner_stays_at_rest) {
    for (int degrees = 15; degrees <= 75; degrees += 10)
        for (double edge = 2.1; edge < 7; edge += 2) {
            World w;
            char points[600] = "";
            double half = 0.5 * degrees * M_PI / 180;
            for (int k = -4; k <= 4; k++)
                snprintf(points + strlen(points), sizeof points - strlen(points),
                         "%s[%.17g mm, 0, %.17g mm]", k > -4 ? ", " : "", edge * abs(k) * cos(half),
                         edge * k * sin(half));
            w = world_of("lithe: 1\n"
                         "gravity: none\n"
                         "time: {step: 1 ms, end: 10 s}\n"
                         "materials: {cord: {young: 10 MPa, density: 1000, friction: 0.3}}\n"
                         "rods:\n"
                         "  v: {material: cord, section: {circle: {radius: 1 mm}}, natural: {from: "
                         "shape}, shape: {polyline: {points: [%s]}}}\n",
                         points);
            double before = w.ok ? w.state->q[0] : 0;
            CHECK(world_step(&w, 50));
            CHECK(w.ok && fabs(w.state->q[0] - before) < 1e-3);
            world_end(&w);
        }
}

TEST(the_checker_knows_passes_from_misses) {
    Vec3 none = v3(0, 0, 0);
    PassingEdge a = edge(v3(-1, 0, 0), v3(1, 0, 0), none);
    PassingEdge through = edge(v3(0.1, -1, 1), v3(0, 1, 1), v3(0, 0, -2));
    PassingEdge before = edge(v3(0.1, -1, 1), v3(0, 1, 1), v3(0, 0, -0.99));
    PassingEdge beside = edge(v3(1.2, -1, 1), v3(1.1, 1, 1), v3(0, 0, -2));
    PassingEdge on_line = edge(v3(1.5, 0, 0), v3(2.5, 0, 0), v3(0.5, 0, 0));
    PassingEdge along = edge(v3(1.5, 0, 0), v3(2.5, 0, 0), v3(-1, 0, 0));
    CHECK(passing_pair(&a, &through) == 1);
    CHECK(passing_pair(&a, &before) == 0);
    CHECK(passing_pair(&a, &beside) == 0);
    CHECK(passing_pair(&a, &on_line) == 0);
    CHECK(passing_pair(&a, &along) == 1);
}
