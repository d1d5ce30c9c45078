// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_solid_statics.c - equilibria of soft solids: elastica, buckling, release,
// messages

#include "world.h"

#include <math.h>

typedef struct Point {
    double x, z;
} Point;

// --- the elastica --------------------------------------------------------------------------------

// Integrates theta'' = -alpha cos(theta), z downwards, back from the tip of a cantilever of length
// 1, where theta = `end` and theta' = 0. Returns theta at its wall.
static double shoot(double alpha, double end, Point *tip) {
    enum { STEPS = 1000 };
    double y[4] = {end, 0, 0, 0}, h = 1.0 / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double slope[4][4], at[4];
        for (int s = 0; s < 4; s++) {
            double part = s == 3 ? h : 0.5 * h;
            for (int c = 0; c < 4; c++)
                at[c] = y[c] + (s == 0 ? 0 : part * slope[s - 1][c]);
            slope[s][0] = at[1];
            slope[s][1] = -alpha * cos(at[0]);
            slope[s][2] = cos(at[0]);
            slope[s][3] = sin(at[0]);
        }
        for (int c = 0; c < 4; c++)
            y[c] += h / 6 * (slope[0][c] + 2 * slope[1][c] + 2 * slope[2][c] + slope[3][c]);
    }
    *tip = (Point){y[2], -y[3]};
    return y[0];
}

// tip of the inextensible elastica under a dead load P, alpha = P L^2/EI
static Point elastica(double alpha) {
    double low = 0, high = acos(0);
    Point tip;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(shoot(alpha, middle, &tip) > 0 ? &high : &low) = middle;
    }
    return tip;
}

// EI of the strip [N m^2]
static double stiffness(void) {
    return 1e6 * pow(0.02, 4) / 12;
}

#define STRIP(time, law) \
    "lithe: 1\n" \
    "time: {" time "}\n" \
    "gravity: none\n" \
    "materials: {m: {young: 1 MPa, poisson: 0, density: 1000}}\n" \
    "solids: {b: {material: m, law: " law ", quadratic: true, " \
    "mesh: {box: {size: [1, 0.02, 0.02], divisions: [25, 1, 1]}}, at: [0.5, 0, 0]}}\n"

// mean position of the nodes of the end at x = 1
static Point tip_of(const World *w, const double *rest) {
    const double *q = lithe_solid_position(w->model, w->state, (LitheSolidId){1});
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){1}), found = 0;
    Point sum = {0};
    for (int32_t i = 0; i < count; i++)
        if (rest[3 * i] > 1 - 1e-9) {
            sum.x += q[3 * i];
            sum.z += q[3 * i + 2];
            found++;
        }
    return (Point){sum.x / found, sum.z / found};
}

static double *places_of(const World *w) {
    int32_t count = lithe_solid_node_count(w->model, (LitheSolidId){1});
    double *out = malloc(3 * (size_t)count * sizeof *out);
    memcpy(out, lithe_solid_position(w->model, w->state, (LitheSolidId){1}),
           3 * (size_t)count * sizeof *out);
    return out;
}

// Tip of the strip under the load alpha EI/L^2 in equal load steps; `strays`: how far it moves in
// three more steps under that load.
static Point strip(double alpha, int steps, double *strays) {
    // 9 nodes at its end
    World w = world_of(STRIP("step: %.17g, end: 1, scheme: static",
                             "corotated-lagged") "holds: {wall: {on: b.x-min}}\n"
                                                 "forces: {f: {on: b.x-max, force: [0, 0, %.17g], "
                                                 "profile: {table: [[0, 0], [1, 1]]}}}\n",
                       1.0 / steps, -alpha * stiffness() / 9);
    double *rest = places_of(&w);
    Point tip = {NAN, NAN};
    if (world_step(&w, steps)) {
        tip = tip_of(&w, rest);
        CHECK(w.report.unstable == 0);
    }
    *strays = 0;
    for (int k = 0; k < 3 && world_step(&w, 1); k++) {
        Point now = tip_of(&w, rest);
        *strays = fmax(*strays, hypot(now.x - tip.x, now.z - tip.z));
    }
    free(rest);
    world_end(&w);
    return tip;
}

// Frames of the start of a search are not those of its end: a balance in them would be none. The
// strip is 0.2 % longer than the elastica under the larger load, which stretches and shears it.
LONG_TEST(a_strip_bends_as_the_elastica_in_any_number_of_load_steps) {
    static const double alphas[] = {4, 50};
    for (int a = 0; a < 2; a++) {
        Point exact = elastica(alphas[a]), one = {NAN, NAN};
        for (int steps = 1; steps <= 100; steps *= 10) {
            double strays;
            Point tip = strip(alphas[a], steps, &strays);
            one = steps == 1 ? tip : one;
            printf("  load %g, %d steps: tip %.6f %.6f, elastica %.6f %.6f, then moves by %.2g\n",
                   alphas[a], steps, tip.x, tip.z, exact.x, exact.z, strays);
            CHECK_NEAR(tip.x, exact.x, 5e-3);
            CHECK_NEAR(tip.z, exact.z, 5e-3);
            CHECK_NEAR(tip.x, one.x, 1e-9);
            CHECK_NEAR(tip.z, one.z, 1e-9);
            CHECK(strays < 1e-9);
        }
    }
}

// --- buckling ------------------------------------------------------------------------------------

// A straight strip is stable up to Euler's load, and above it unstable in two directions.
TEST(a_strip_buckles_at_eulers_load_and_the_report_says_so) {
    World w =
        world_of(STRIP("step: 0.01, end: 1, scheme: static",
                       "corotated-lagged") "holds: {wall: {on: b.x-min}}\n"
                                           "forces: {f: {on: b.x-max, force: [%.17g, 0, 0], "
                                           "profile: {table: [[0, 0.985], [0.04, 1.025]]}}}\n",
                 -0.25 * stiffness() * pow(acos(-1), 2) / 9);
    for (int k = 1; k <= 4 && world_step(&w, 1); k++) {
        double load = 0.985 + 0.01 * k; // over Euler's
        printf("  load %g: %d negative pivots\n", load, (int)w.report.unstable);
        CHECK(w.report.unstable == (load < 1 ? 0 : 2));
    }
    world_end(&w);
}

// --- release -------------------------------------------------------------------------------------

// how far the nodes of a soft bar, which hangs down from its wall by most of its length, move in
// 0.2 s from the equilibrium, over its length
static double moves_when_released(const char *scheme) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1, scheme: %s}\n"
                       "materials: {m: {young: 30 kPa, poisson: 0.3, density: 1000}}\n"
                       "solids: {b: {material: m, "
                       "mesh: {box: {size: [0.5, 0.05, 0.05], divisions: [10, 1, 1]}}}}\n"
                       "holds: {wall: {on: b.x-min}}\n",
                       scheme);
    LitheError error;
    double moved = 0;
    w.ok = w.ok && lithe_equilibrium(w.model, w.state, w.work, &w.report, &error) == LITHE_OK;
    if (!CHECK(w.ok))
        printf("  %s\n", error.text);
    double *rest = places_of(&w), sag = 0;
    int32_t count = lithe_solid_node_count(w.model, (LitheSolidId){1});
    for (int32_t i = 0; i < count; i++)
        sag = fmin(sag, rest[3 * i + 2]);
    CHECK(sag < -0.3);
    for (int k = 0; k < 200 && world_step(&w, 1); k++) {
        const double *q = lithe_solid_position(w.model, w.state, (LitheSolidId){1});
        for (int32_t i = 0; i < 3 * count; i++)
            moved = fmax(moved, fabs(q[i] - rest[i]));
    }
    free(rest);
    world_end(&w);
    return moved / 0.5;
}

TEST(a_solid_that_starts_at_equilibrium_stays_when_released) {
    static const char *const schemes[] = {"tr-bdf2", "backward-euler", "midpoint"};
    for (int k = 0; k < 3; k++) {
        double moved = moves_when_released(schemes[k]);
        printf("  %s: moves by %.2g of its length\n", schemes[k], moved);
        CHECK(moved < 1e-6);
    }
}

// --- what a failed search says -------------------------------------------------------------------

// the balls, of which one is held, fall without end
TEST(a_set_of_particles_that_nothing_holds_is_said_to_have_moved) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 1 ms, end: 1}\n"
                       "materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000}}\n"
                       "particles: {g: {material: m, radius: 1 cm, "
                       "positions: [[0, 0, 0], [0.1, 0, 0]]}}\n"
                       "holds: {h: {on: \"g[0]\"}}\n");
    LitheError error = {0};
    FATAL(w.ok);
    CHECK(lithe_equilibrium(w.model, w.state, w.work, NULL, &error) == LITHE_CANNOT_GO_ON);
    const char *moved = strstr(error.text, "it moved by ");
    CHECK_TEXT(error.text, "nothing holds particles 'g'");
    CHECK(moved && atof(moved + strlen("it moved by ")) > 1);
    world_end(&w);
}
