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
            Sum sum = throw_all(schemes[k], speed, 12, true);
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
