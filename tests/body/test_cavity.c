// SPDX-License-Identifier: Apache-2.0
// tests/body/test_cavity.c - hollows of soft solids under pressure, and filled with gas

#include "test.h"

#include "advance/world.h"
#include "assemble/assemble.h"
#include "body/solid.h"
#include "data/state.h"
#include "data/system.h"
#include "solve/check.h"
#include "solve/replay.h"

#include <unistd.h>

#define INNER 0.1
#define OUTER 0.12
#define MU 1e5

/// A nearly incompressible neo-Hookean balloon.
static World balloon(const char *time, const char *cavity, bool quadratic) {
    return world_of("lithe: 1\ngravity: none\ntime: {%s}\n"
                    "materials: {m: {young: 299800 Pa, poisson: 0.499, density: 1000 kg/m^3}}\n"
                    "solids: {it: {material: m, law: neo-hookean, quadratic: %s, mesh: "
                    "{hollow-sphere: {radius: 12 cm, inner: 10 cm, resolution: 6 cm}}}}\n"
                    "cavities: {air: {on: it.inner, %s}}\n",
                    time, quadratic ? "true" : "false", cavity);
}

static const LitheCavityId air = {1};

// An incompressible sphere of W = mu/2 (I1 - 3): p = mu/2 [4/b + 1/b^4 - 4/a - 1/a^4] with the
// stretches a, b of its inner and outer radius (Ogden, Non-linear elastic deformations, 1984)
static double exact_pressure(double volume_ratio) {
    double A3 = INNER * INNER * INNER, B3 = OUTER * OUTER * OUTER;
    double a = cbrt(volume_ratio), b = cbrt((volume_ratio * A3 + B3 - A3) / B3);
    return 0.5 * MU * (4 / b + 1 / (b * b * b * b) - 4 / a - 1 / (a * a * a * a));
}

// --- statics -------------------------------------------------------------------------------------

LONG_TEST(a_given_pressure_inflates_a_balloon_as_ogden_says) {
    World w = balloon("scheme: static, step: 1 s, end: 2 s",
                      "pressure: {table: [[0 s, 0 Pa], [2 s, 16 kPa]]}", true);
    double start = w.ok ? lithe_cavity_volume(w.model, w.state, air) : 1;
    for (int k = 1; k <= 2 && world_step(&w, 1); k++) {
        double ratio = lithe_cavity_volume(w.model, w.state, air) / start;
        CHECK_NEAR(lithe_cavity_pressure(w.model, w.state, air), 8e3 * k, 1e-9);
        CHECK_NEAR(exact_pressure(ratio), 8e3 * k, 0.03 * 8e3 * k);
    }
    if (w.ok) {
        CHECK(w.unconverged == 0);
        CHECK_NEAR(start, 4 * M_PI / 3 * 1e-3, 2e-5);
    }
    world_end(&w);
}

TEST(the_rate_of_a_pressure_has_its_unit) {
    World w = balloon("scheme: static, step: 0.1 s, end: 1 s",
                      "pressure: {value: 100 Pa, rate: 8 kPa/s}", false);
    if (world_step(&w, 1))
        CHECK_NEAR(lithe_cavity_pressure(w.model, w.state, air), 900, 1e-9);
    world_end(&w);
}

// the pressure of a balloon falls once its radius has grown by the factor 1.4; a gas that is pumped
// in passes this limit
LONG_TEST(a_gas_inflates_a_balloon_beyond_its_limit_point) {
    World w = balloon("scheme: static, step: 1 s, end: 3 s",
                      "gas: {table: [[0 s, 101.325 kPa], [3 s, 700 kPa]]}", true);
    double start = w.ok ? lithe_cavity_volume(w.model, w.state, air) : 1, most = 0, last = 0;
    for (int k = 1; k <= 3 && world_step(&w, 1); k++) {
        double ratio = lithe_cavity_volume(w.model, w.state, air) / start;
        last = lithe_cavity_pressure(w.model, w.state, air);
        most = fmax(most, last);
        CHECK_NEAR(last, exact_pressure(ratio), 0.03 * exact_pressure(ratio));
        // the gas keeps its law
        double amount = 101325 + (700e3 - 101325) * k / 3;
        CHECK_NEAR((last + 101325) * ratio, amount, 1e-6 * amount);
    }
    if (w.ok) {
        CHECK(w.unconverged == 0);
        CHECK(last < 0.95 * most);
        CHECK(lithe_cavity_volume(w.model, w.state, air) > 5 * start);
    }
    world_end(&w);
}

// --- forces --------------------------------------------------------------------------------------

static double wave(int64_t k) {
    return sin(1.7 * (double)k + 0.3);
}

// differences of energy and of forces have the observed orders of exact derivatives
TEST(forces_and_stiffness_of_a_gas_are_derivatives_of_its_energy) {
    static const char *const gases[] = {"gas: 150 kPa", "gas: 150 kPa, exponent: 1.4",
                                        "gas: 50 kPa, exponent: 1.4, outside: 80 kPa"};
    for (int g = 0; g < 3; g++) {
        World w = balloon("step: 1 ms, end: 1 s", gases[g], true);
        const LitheSolid *solid = w.ok ? &w.model->solids[0] : NULL;
        int64_t n = w.ok ? 3 * (int64_t)solid->mesh.node_count : 0;
        const LitheBlockMatrix *m = w.ok ? solid->pattern : NULL;
        int64_t values = w.ok ? m->value_at[m->start[m->count]] : 0;
        double *block = calloc((size_t)(7 * n + values) + 1, sizeof *block), *x = block;
        double *f = x + n, *normal = f + n, *d = normal + n, *Kd = d + n, *f2 = Kd + n, *u = f2 + n;
        double *K = u + n;
        if (w.ok) {
            double p = 0, slope = 0, error[2], force[2] = {0};
            lithe_solid_pressures_at(solid, 0, &p);
            for (int64_t i = 0; i < n; i++) {
                d[i] = wave(i);
                x[i] = w.state->q[i] + 0.01 * wave(7 * i);
            }
            LitheSolidTerms terms = {
                .gradient = f, .values = K, .scale = 1, .normal = normal, .ranks = u};
            double energy = lithe_solid_press(solid, &p, x, x, &terms);
            LitheBlockMatrix sum = *m;
            sum.rank = u, sum.rank_count = 1;
            lithe_block_multiply(&sum, K, d, Kd);
            for (int64_t i = 0; i < n; i++)
                slope += f[i] * d[i];
            for (int e = 0; e < 2; e++) {
                double step = e ? 1e-5 : 2e-5;
                for (int64_t i = 0; i < n; i++)
                    x[i] += step * d[i];
                memset(f2, 0, (size_t)n * sizeof *f2);
                LitheSolidTerms there = {.gradient = f2, .normal = normal};
                error[e] = lithe_solid_press(solid, &p, x, x, &there) - energy - step * slope;
                for (int64_t i = 0; i < n; i++) {
                    force[e] += pow(f2[i] - f[i] - step * Kd[i], 2);
                    x[i] -= step * d[i];
                }
            }
            CHECK_NEAR(error[0] / error[1], 4, 0.1);
            CHECK_NEAR(sqrt(force[0] / force[1]), 4, 0.1);
        }
        free(block);
        world_end(&w);
    }
}

// --- motion --------------------------------------------------------------------------------------

static double balance(const World *w) {
    return stored(w) + w->state->sums[0] - w->state->sums[1];
}

// a balloon whose gas has a surplus of pressure breathes; its energy and that of the gas stay
LONG_TEST(a_breathing_balloon_keeps_its_energy) {
    static const char *const schemes[] = {"midpoint", "tr-bdf2"};
    for (int k = 0; k < 2; k++) {
        char time[100];
        snprintf(time, sizeof time, "scheme: %s, step: 0.2 ms, end: 1 s", schemes[k]);
        World w = balloon(time, "gas: 110 kPa, exponent: 1.4", false);
        double start = w.ok ? balance(&w) : 0, most = 0;
        for (int i = 0; i < 50 && world_step(&w, 1); i++)
            most = fmax(most, lithe_energy(w.model, w.state).kinetic);
        if (w.ok) {
            CHECK(w.unconverged == 0);
            CHECK(most > 0.1);
            CHECK_NEAR(w.state->sums[1], 0, 1e-9);
            CHECK_NEAR(balance(&w), start, (k ? 0.02 : 2e-3) * most);
        }
        world_end(&w);
    }
}

TEST(the_work_of_pumping_is_counted) {
    World w = balloon("scheme: midpoint, step: 0.2 ms, end: 1 s",
                      "gas: {table: [[0 s, 101.325 kPa], [10 ms, 150 kPa]]}", false);
    double start = w.ok ? balance(&w) : 0;
    world_step(&w, 60);
    if (w.ok) {
        CHECK(w.unconverged == 0);
        CHECK(fabs(w.state->sums[1]) > 1);
        CHECK_NEAR(balance(&w), start, 5e-3 * fabs(w.state->sums[1]));
    }
    world_end(&w);
}

// what backward Euler loses grows, however long its steps are
// the guard compares energies with the gas of the end of the step, where the work counts it
TEST(pumping_in_long_steps_does_not_trip_the_energy_guard) {
    World w = balloon("scheme: tr-bdf2, step: 10 ms, end: 1 s",
                      "gas: {table: [[0 s, 101 kPa], [0.8 s, 110 kPa]]}, outside: 101 kPa", false);
    int32_t guarded = 0, rejected = 0;
    for (int i = 0; i < 8 && world_step(&w, 1); i++) {
        guarded += w.report.guarded;
        rejected += w.report.rejected;
    }
    if (w.ok)
        CHECK(guarded <= 1 && rejected == 0 && w.unconverged == 0);
    world_end(&w);
}

TEST(pumping_under_backward_euler_gives_no_energy) {
    World w = balloon("scheme: backward-euler, step: 2 ms, end: 1 s",
                      "gas: {table: [[0 s, 101.325 kPa], [10 ms, 150 kPa]]}", false);
    double before = w.ok ? balance(&w) : 0;
    for (int i = 0; i < 8 && world_step(&w, 1); i++) {
        CHECK(balance(&w) < before);
        before = balance(&w);
    }
    world_end(&w);
}

// (S56): a constant pressure has the work of the volume; what is left over only falls
TEST(the_work_of_a_pressure_in_a_hollow_is_that_of_its_volume) {
    static const char *const schemes[] = {"backward-euler", "midpoint"};
    for (int k = 0; k < 2; k++) {
        char time[100];
        snprintf(time, sizeof time, "scheme: %s, step: 10 ms, end: 1 s", schemes[k]);
        World w = balloon(time, "pressure: 4 kPa", false);
        double start = w.ok ? lithe_cavity_volume(w.model, w.state, air) : 0;
        double before = w.ok ? balance(&w) : 0;
        for (int i = 0; i < 6 && world_step(&w, 1); i++) {
            double work = 4e3 * (lithe_cavity_volume(w.model, w.state, air) - start);
            CHECK_NEAR(w.state->sums[1], work, 1e-12);
            CHECK(k > 0 || balance(&w) <= before + 1e-9);
            before = balance(&w);
        }
        if (w.ok)
            CHECK(w.state->sums[1] > 0.1 && w.unconverged == 0);
        world_end(&w);
    }
}

// A ball of gas is thrown on a floor: the floor flattens it, the gas keeps its law, and no energy
// comes from contact and gas together.
TEST(a_gas_keeps_its_law_where_its_solid_lies_on_a_floor) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {scheme: backward-euler, step: 2 ms, end: 1 s}\n"
        "materials: {m: {young: 300 kPa, poisson: 0.45, density: 1000 kg/m^3, friction: 0.3}}\n"
        "solids: {it: {material: m, law: neo-hookean, at: [0, 0, 0.122], velocity: [0, 0, -3], "
        "quadratic: false, mesh: {hollow-sphere: {radius: 12 cm, inner: 10 cm, resolution: 6 "
        "cm}}}}\n"
        "bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}\n"
        "cavities: {air: {on: it.inner, gas: 101.325 kPa, exponent: 1.4}}\n");
    double start = w.ok ? lithe_cavity_volume(w.model, w.state, air) : 1, smallest = start;
    double before = w.ok ? stored(&w) : 0, first = before, up = -3;
    double mass = w.ok ? lithe_momentum(w.model, w.state).z / -3 : 1;
    for (int i = 0; i < 30 && world_step(&w, 1); i++) {
        double volume = lithe_cavity_volume(w.model, w.state, air), now = stored(&w);
        double p = 101325 * (pow(start / volume, 1.4) - 1);
        CHECK_NEAR(lithe_cavity_pressure(w.model, w.state, air), p, 1e-6 * 101325);
        smallest = fmin(smallest, volume);
        up = fmax(up, lithe_momentum(w.model, w.state).z / mass);
        CHECK(now < before + 1e-6 * first);
        before = now;
    }
    printf("  volume falls to %.3f of the start, the centre bounces with %.2f m/s\n",
           smallest / start, up);
    if (w.ok) {
        CHECK(w.unconverged == 0);
        CHECK(smallest < 0.99 * start);
        CHECK(up > 0.3);
    }
    world_end(&w);
}

// --- rank one ------------------------------------------------------------------------------------

// a hollow of more nodes than any dense part of a matrix could have
LONG_TEST(a_gas_fills_a_hollow_of_any_number_of_nodes) {
    World w =
        world_of("lithe: 1\ngravity: none\ntime: {scheme: backward-euler, step: 10 ms, end: 1 s}\n"
                 "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000 kg/m^3}}\n"
                 "solids: {it: {material: m, law: neo-hookean, quadratic: false, mesh: "
                 "{hollow-sphere: {radius: 12 cm, "
                 "inner: 11 cm, resolution: 12 mm}}}}\n"
                 "cavities: {air: {on: it.inner, gas: 120 kPa, exponent: 1.4}}\n");
    double start = w.ok ? lithe_cavity_volume(w.model, w.state, air) : 1;
    if (world_step(&w, 1)) {
        CHECK(w.model->solids[0].pressures[0].face_count > 2000); // a sphere of 1000 nodes
        CHECK(w.unconverged == 0 && w.report.newton_iterations <= 5);
        double p = 120e3 * pow(start / lithe_cavity_volume(w.model, w.state, air), 1.4) - 101325;
        CHECK(p < 0.99 * (120e3 - 101325));
        CHECK_NEAR(lithe_cavity_pressure(w.model, w.state, air), p, 1e-6 * p);
    }
    world_end(&w);
}

static void keep_problem(LitheSystem *system, const LitheConvexSetting *setting, bool ended,
                         void *user) {
    double *cost = user;
    char path[256];
    snprintf(path, sizeof path, "%s/lithe-gas-%d.system", P_tmpdir, (int)getpid());
    if (*cost != 0 || system->coupling_count == 0)
        return;
    if (!ended) {
        CHECK(lithe_replay_write(system, setting, system->w, path, NULL) == LITHE_OK);
        return;
    }
    double *work = calloc(4 * (size_t)system->dof_count, sizeof *work);
    CHECK(lithe_system_check(system, setting, system->stalled, work).failed == LITHE_CHECK_PASSED);
    CHECK(system->matrix->rank_count == 1);
    free(work);
    *cost = system->cost;
    LitheContext *context = lithe_context_create(NULL);
    LitheSystem again = {0};
    LitheConvexSetting same;
    if (CHECK(lithe_replay_read(context, path, &again, &same, NULL) == LITHE_OK)) {
        CHECK(lithe_convex_solve(&again, &same));
        // a file has no order of elimination: other rounding
        CHECK(again.iterations == system->iterations);
        CHECK_NEAR(again.cost, system->cost, 1e-9 * fabs(system->cost));
    }
    lithe_system_release(&again);
    lithe_context_destroy(context);
    unlink(path);
}

TEST(a_problem_with_a_gas_is_checked_and_replayed) {
    World w = world_of(
        "lithe: 1\ntime: {scheme: backward-euler, step: 2 ms, end: 1 s}\n"
        "materials: {m: {young: 300 kPa, poisson: 0.45, density: 1000 kg/m^3, friction: 0.3}}\n"
        "solids: {it: {material: m, law: neo-hookean, at: [0, 0, 0.12], velocity: [0, 0, -1], "
        "quadratic: false, mesh: {hollow-sphere: {radius: 12 cm, inner: 10 cm, resolution: 6 "
        "cm}}}}\n"
        "bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}\n"
        "cavities: {air: {on: it.inner, gas: 101.325 kPa}}\n");
    double cost = 0;
    if (w.ok) {
        w.work->system->watch = keep_problem;
        w.work->system->watch_user = &cost;
    }
    world_step(&w, 4);
    CHECK(cost != 0);
    world_end(&w);
}

// --- refusals ------------------------------------------------------------------------------------

static void check_refused(const char *cavity, const char *message) {
    world_refused(message,
                  "lithe: 1\n"
                  "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                  "solids:\n"
                  "  it: {material: m, quadratic: false, mesh: {hollow-sphere: {radius: 12 cm, "
                  "inner: 10 cm, resolution: "
                  "6 cm}}}\n"
                  "  hose: {material: m, at: [1, 0, 0], quadratic: false, mesh: {tube: {radius: 12 "
                  "cm, inner: 10 cm, "
                  "length: 10 cm, resolution: 6 cm}}}\n"
                  "cavities: {air: {%s}}\n",
                  cavity);
}

TEST(wrong_cavities_are_refused_with_their_place) {
    check_refused("on: hose.inner", "scene.yaml:6:22: cavity 'air': its ");
    check_refused("on: hose.inner", "are not closed: ");
    check_refused("on: it.outer", "cavity 'air': its faces enclose solid 'it' itself");
    check_refused("on: it.top", "cavity 'air': solid 'it' has no group 'top'");
    check_refused("on: 'it[0]'", "cavity 'air': on is a single node");
    check_refused("on: it.inner, gas: 0.1 MPa, pressure: 1 Pa", "pressure and gas are both given");
    check_refused("on: it.inner, gas: {table: [[0 s, 1 kPa], [1 s, 0 Pa]]}",
                  "gas is 0 Pa, must be > 0");
    check_refused("on: it.inner, gas: 1 kPa, exponent: 0", "exponent is 0");
    check_refused("on: it.inner, pressure: {rate: 3 1/s}",
                  "'3 1/s' is a rate, a pressure per time is expected");
}

TEST(a_hollow_takes_one_gas) {
    check_refused("on: it.inner, gas: 0.1 MPa}, more: {on: it.inner, pressure: 1 Pa",
                  "cavity 'more': it shares a face at (");
}

// a profile whose smallest value the scene does not show
TEST(a_gas_that_becomes_negative_stops_the_run_with_a_message) {
    World w = balloon("scheme: midpoint, step: 1 ms, end: 1 s",
                      "gas: {value: 101.325 kPa, rate: -1e8}", false);
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    for (int i = 0; w.ok && i < 30 && status == LITHE_OK; i++)
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
    CHECK(status != LITHE_OK);
    CHECK_TEXT(error.text, "cavity 'air': its gas is -");
    world_end(&w);
}

TEST(pressures_cavities_and_swells_are_written_as_they_were_read) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene = NULL, *again = NULL;
    LitheError error = {0};
    char *first = NULL, *second = NULL;
    const char *text =
        "lithe: 1\n"
        "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
        "solids:\n"
        "  it: {material: m, plane-strain: y, acceleration: [1, 2, 3], acceleration-profile: "
        "{table: "
        "[[0 s, 0], [1 s, 1]]}, quadratic: false, mesh: {hollow-sphere: {radius: 12 cm, inner: 10 "
        "cm, resolution: 6 "
        "cm}}}\n"
        "pressures: {sea: {on: it.outer, pressure: {table: [[0 s, 0 Pa], [1 s, 2 kPa]]}}}\n"
        "cavities: {air: {on: it.inner, gas: 50 kPa, outside: 20 kPa, exponent: 1.4}}\n"
        "swells: {wet: {on: it, along: [0, 0, 1], factor: 1.1}}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "scene", NULL, NULL, 0, &scene, &error) ==
          LITHE_OK);
    CHECK(scene && lithe_scene_write(scene, &first, &error) == LITHE_OK);
    CHECK(first && lithe_scene_parse(context, first, strlen(first), "written", NULL, NULL, 0,
                                     &again, &error) == LITHE_OK);
    CHECK(again && lithe_scene_write(again, &second, &error) == LITHE_OK);
    if (first && second) {
        CHECK(strcmp(first, second) == 0);
        CHECK_TEXT(first, "on: it\n");
        CHECK_TEXT(first, "exponent: 1.4");
        CHECK_TEXT(first, "plane-strain: y");
        CHECK_TEXT(first, "on: it.outer");
    }
    lithe_text_free(context, first);
    lithe_text_free(context, second);
    lithe_scene_destroy(scene);
    lithe_scene_destroy(again);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
