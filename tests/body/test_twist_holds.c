// SPDX-License-Identifier: Apache-2.0
// tests/body/test_twist_holds.c - rods whose twist is held while the direction of the edge turns

#include "test.h"

#include "advance/monitor.h"
#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"
#include "law/rod_frame.h"

#include <math.h>
#include <string.h>

// numbers in (-1, 1)
static double next(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 2147483648.0 - 1;
}

static void hear(LitheLogLevel level, const char *text, void *user) {
    int *warnings = user;
    *warnings += level == LITHE_LOG_WARNING;
    if (level == LITHE_LOG_WARNING)
        printf("  %.160s\n", text);
}

enum { NODES = 13, KNOTS = 4 };

// A rod of 0.5 m, clamped at its start, whose end is pulled along a random path of forces while its
// twist is `held`; with `pull` N. Positions at the end of the path in `x`; false: the path ended
// before.
static bool follow(const char *held, uint32_t seed, double pull, int steps, double x[3 * NODES],
                   int *warnings) {
    char forces[2048];
    size_t at = 0;
    for (int c = 0; c < 3; c++) {
        static const char *const axis[] = {"1, 0, 0", "0, 1, 0", "0, 0, 1"};
        at += (size_t)snprintf(forces + at, sizeof forces - at,
                               "  f%d: {on: r.end, force: [%s], profile: {table: [[0 s, 0]", c,
                               axis[c]);
        for (int k = 1; k <= KNOTS; k++)
            at += (size_t)snprintf(forces + at, sizeof forces - at, ", [%g s, %.6f]",
                                   (double)k / KNOTS, pull * next(&seed));
        at += (size_t)snprintf(forces + at, sizeof forces - at, "]}}\n");
    }
    char text[4096];
    snprintf(text, sizeof text,
             "lithe: 1\n"
             "time: {scheme: static, step: %.9g s, end: 1 s}\n"
             "gravity: none\n"
             "contact: {enabled: false}\n"
             "materials: {m: {young: 1 MPa, poisson: 0.5, density: 1000, strain-limit: 1}}\n"
             "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, nodes: %d,\n"
             "  shape: {line: {to: [0.5, 0, 0]}}, clamped: start}}\n"
             "%s\n"
             "forces:\n%s",
             1.0 / steps, NODES, held, forces);
    LitheContextDef def = lithe_context_def_default();
    def.log = hear;
    def.log_user = warnings;
    World w = {.context = lithe_context_create(&def)};
    LitheError error = {0};
    bool arrived = lithe_scene_parse(w.context, text, strlen(text), NULL, NULL, NULL, 0, &w.scene,
                                     &error) == LITHE_OK &&
                   lithe_compile(w.scene, &w.model, &w.state, &error) == LITHE_OK;
    if (!CHECK(arrived))
        printf("  %s\n", error.text);
    LitheMonitor monitor = {0};
    w.work = arrived ? lithe_work_create(w.model, 1) : NULL;
    if (arrived)
        lithe_monitor_begin(w.model, w.state, &monitor);
    for (int i = 0; arrived && i < steps; i++) {
        LitheStatus status = lithe_step(w.model, w.state, w.work, &w.report, &error);
        if (status == LITHE_OK)
            status = lithe_monitor_step(w.model, w.state, w.work, &w.report, &monitor, &error);
        arrived = status == LITHE_OK;
        if (!arrived)
            printf("  %s\n", error.text);
    }
    for (int i = 0; arrived && i < NODES; i++)
        memcpy(x + 3 * i, w.state->q + 4 * i, 3 * sizeof *x);
    world_end(&w);
    return arrived;
}

static double distance(const double *a, const double *b) {
    double max = 0;
    for (int i = 0; i < NODES; i++) {
        LitheVec3 d = {a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1],
                       a[3 * i + 2] - b[3 * i + 2]};
        max = fmax(max, vector_length(d));
    }
    return max;
}

// Where neither path says that it is in doubt, both end at the same place.
static void check_paths(const char *held, uint32_t last, int most) {
    int said = 0, apart = 0;
    double worst = 0;
    for (uint32_t seed = 1; seed <= last; seed++) {
        double coarse[3 * NODES], fine[3 * NODES];
        int warnings = 0;
        bool arrived = follow(held, seed, 0.03, 20, coarse, &warnings);
        arrived = follow(held, seed, 0.03, 200, fine, &warnings) && arrived;
        if (!arrived || warnings > 0) {
            said++;
            continue;
        }
        double off = distance(coarse, fine);
        worst = fmax(worst, off);
        apart += off > 1e-6 * 0.5;
    }
    printf("  %d of %d say so, others end up to %.2g m apart\n", said, (int)last, worst);
    CHECK(said <= most);
    CHECK(apart == 0);
}

LONG_TEST(load_paths_end_where_ten_times_finer_ones_end_or_say_that_they_do_not) {
    check_paths("holds: {h: {on: r.end, hold: twist}}", 20, 3);
}

// as stiff as the rod itself, so that its angle is not that of its target
TEST(load_paths_of_a_twist_drive_with_a_stiffness_do_not_depend_on_the_steps) {
    check_paths("drives: {h: {kind: twist, on: r.end, turn-speed: 0.5 rad/s, stiffness: 1e-3}}", 4,
                1);
}

// A rod that falls about its start and swings round in space while the twist of its start is held:
// the hold does no work, and the frame of its edge is carried straight from its direction as built.
TEST(a_held_twist_does_no_work_and_does_not_depend_on_the_way) {
    static const char *const schemes[] = {"midpoint", "tr-bdf2", "backward-euler"};
    for (int n = 0; n < 6; n++) {
        int k = n % 3;
        World w =
            world_of("lithe: 1\n"
                     "time: {scheme: %s, step: 0.5 ms, end: 1 s}\n"
                     "contact: {enabled: false}\n"
                     "materials: {m: {young: 1 MPa, poisson: 0.5, density: 1000}}\n"
                     "rods: {r: {material: m, section: {rectangle: {width: 1 cm, height: "
                     "6 mm}}, nodes: 13, shape: {line: {to: [0.4, 0.2, 0]}}, velocity: "
                     "[0.3, -0.6, 0]}}\n"
                     "holds: {h: {on: r.start, hold: %s}}\n%s",
                     schemes[k], n < 3 ? "[position, twist]" : "position",
                     n < 3 ? "" : "drives: {d: {kind: twist, on: r.start, stiffness: 1e-3}}\n");
        double before = w.ok ? stored(&w) : 0, kinetic = 0, turned = 1;
        const LitheRod *rod = &w.model->rods[0];
        Vec3 d = v3_load(w.state->own + rod->d1_at), t = rod->pins[0].t;
        for (int i = 0; w.ok && i < 600; i++) {
            world_step(&w, 1);
            Vec3 now = v3_unit(v3_sub(v3_load(w.state->q + 4), v3_load(w.state->q)));
            Vec3 own = v3_load(w.state->own + rod->d1_at);
            turned = fmin(turned, v3_dot(now, t));
            kinetic = fmax(kinetic, lithe_energy(w.model, w.state).kinetic);
            CHECK(v3_norm(v3_sub(own, lithe_transport(d, t, now))) < 1e-12);
        }
        double drift = fabs(stored(&w) - before) / kinetic;
        printf("  %s: turned by %.0f degrees, drift %.2g\n", schemes[k],
               acos(turned) * 180 / acos(-1), drift);
        CHECK(w.unconverged == 0 && turned < 0.5);
        CHECK(n >= 3 || fabs(lithe_energy(w.model, w.state).work) < 1e-9 * kinetic);
        CHECK(k == 2 || drift < (k == 0 ? 1e-4 : 0.01));
        world_end(&w);
    }
}
