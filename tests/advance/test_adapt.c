// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_adapt.c - adaptive steps: errors, grid, events

#include "world.h"

#include "lithe/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// a rod that hangs from one end and is released from the side; %s: the step
static const char swing[] =
    "lithe: 1\n"
    "time: {end: 0.4 s, step: %s}\n"
    "record: {every: %s}\n"
    "materials: {soft: {young: 5 MPa, density: 1000}}\n"
    "rods:\n"
    "  rope: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 11,\n"
    "    shape: {line: {from: [0, 0, 0], to: [0.3, 0, 0]}}}\n"
    "holds: {top: {on: rope.start, hold: position}}\n";

// two crossed rods that fall onto a third one
static const char heap[] =
    "lithe: 1\n"
    "time: {end: 0.3 s, step: {adaptive: {min: 20 us, max: 5.12 ms}}, scheme: backward-euler}\n"
    "materials: {soft: {young: 2 MPa, density: 1000, friction: 0.3, damping: {mass: 5},\n"
    "  contact: {stiffness: 1e4, dissipation: 5}}}\n"
    "rods:\n"
    "  low: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 11, clamped: both,\n"
    "    shape: {line: {from: [-0.1, 0, 0], to: [0.1, 0, 0]}}}\n"
    "  high: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 11,\n"
    "    shape: {line: {from: [0, -0.1, 0.03], to: [0, 0.1, 0.03]}}}\n"
    "  top: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 11,\n"
    "    shape: {line: {from: [-0.1, 0.01, 0.05], to: [0.1, 0.01, 0.05]}}}\n";

static LitheVec3 tip(const World *w) {
    const double *q = lithe_rod_q(w->model, w->state, (LitheRodId){1});
    int32_t last = lithe_rod_node_count(w->model, (LitheRodId){1}) - 1;
    return (LitheVec3){q[4 * last], q[4 * last + 1], q[4 * last + 2]};
}

static double apart(LitheVec3 a, LitheVec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

// the tip at 0.32 s, a multiple of all largest steps
static LitheVec3 swing_to(const char *step, int64_t *steps) {
    World w = world_of(swing, step, "10 ms");
    while (w.ok && lithe_state_time(w.state) < 0.32 - 1e-9)
        world_step(&w, 1);
    CHECK_NEAR(lithe_state_time(w.state), 0.32, 1e-12);
    *steps = lithe_state_step(w.state);
    LitheVec3 out = tip(&w);
    world_end(&w);
    return out;
}

LONG_TEST(a_quarter_of_the_tolerance_halves_the_error_of_a_pendulum) {
    int64_t fine, steps[3];
    LitheVec3 truth = swing_to("5 us, scheme: backward-euler", &fine);
    static const char *const tolerances[] = {
        "{adaptive: {min: 1 us, max: 20 ms, tolerance: 32 um}}, scheme: backward-euler",
        "{adaptive: {min: 1 us, max: 20 ms, tolerance: 8 um}}, scheme: backward-euler",
        "{adaptive: {min: 1 us, max: 20 ms, tolerance: 2 um}}, scheme: backward-euler"};
    double error[3];
    for (int i = 0; i < 3; i++)
        error[i] = apart(swing_to(tolerances[i], &steps[i]), truth);
    // first order: errors fall as the step does, that is as the root of the tolerance
    for (int i = 0; i < 2; i++)
        CHECK(error[i + 1] < 0.75 * error[i] && error[i + 1] > 0.25 * error[i]);
    CHECK(steps[0] < steps[1] && steps[1] < steps[2] && steps[2] < fine / 10);
}

LONG_TEST(the_midpoint_rule_needs_fewer_steps_and_errs_less) {
    int64_t fine, many, few;
    LitheVec3 truth = swing_to("5 us, scheme: backward-euler", &fine);
    double euler = apart(
        swing_to("{adaptive: {min: 1 us, max: 20 ms, tolerance: 8 um}}, scheme: backward-euler",
                 &many),
        truth);
    double middle = apart(
        swing_to("{adaptive: {min: 1 us, max: 20 ms, tolerance: 8 um}}, scheme: midpoint", &few),
        truth);
    CHECK(few < many && middle < euler);
}

TEST(steps_grow_at_once_at_first_and_after_an_error_counted_when_it_stays_calm) {
    World w = world_of(heap);
    int64_t calm = 0, even = 0, quick = 0, slow = 0;
    bool counted = false;
    double last = 0;
    while (w.ok && lithe_state_time(w.state) < 1) {
        world_step(&w, 1);
        if (last > 0 && w.report.step > 1.5 * last) {
            CHECK(!counted || (calm >= 64 && even >= 16));
            quick += !counted;
            slow += counted;
        }
        // an error above 0.25 keeps steps from growing: of a position longer than of a gap
        double motion = w.report.error, gaps = w.report.contact_error;
        calm = motion > 0.25 && motion >= gaps ? 0 : calm + 1;
        even = gaps > 0.25 && gaps > motion ? 0 : even + 1;
        counted = counted || calm == 0 || even == 0;
        last = w.report.step;
    }
    CHECK(quick >= 3 && slow >= 1);
    world_end(&w);
}

// --- the grid ------------------------------------------------------------------------------------

TEST(steps_start_at_multiples_of_their_length) {
    World w = world_of(heap);
    int64_t lengths = 0;
    double last = 0;
    while (w.ok && lithe_state_time(w.state) < 0.3) {
        double start = lithe_state_time(w.state);
        world_step(&w, 1);
        double h = w.report.step, halvings = log2(5.12e-3 / h);
        CHECK_NEAR(halvings, round(halvings), 1e-9);
        CHECK_NEAR(start / h, round(start / h), 1e-6);
        CHECK_NEAR(lithe_state_time(w.state) - start, h, 1e-12);
        CHECK(h >= 20e-6 && h <= 5.12e-3 * (1 + 1e-12));
        lengths += h != last;
        last = h;
    }
    CHECK(lengths > 5);
    world_end(&w);
}

// runs the heap without a file; returns its last state and the number of steps
static uint64_t run_hash(const char *every, int32_t threads, bool drop, LitheSummary *summary) {
    World w = world_of(heap);
    LitheRecordDef record = lithe_record_def_default();
    record.every = atof(every);
    CHECK(lithe_scene_set_record(w.scene, &record));
    LitheRunDef def = lithe_run_def_default();
    def.threads = threads;
    def.drop_work = drop;
    LitheError error;
    CHECK(lithe_run(w.scene, &def, summary, &error) == LITHE_OK);
    world_end(&w);
    return summary->hash;
}

TEST(bits_depend_neither_on_recording_nor_on_threads_nor_on_scratch_memory) {
    LitheSummary summary, other;
    uint64_t hash = run_hash("0.01", 1, false, &summary);
    CHECK(run_hash("0", 1, false, &other) == hash && other.frames == other.steps + 1);
    CHECK(run_hash("0.000137", 1, false, &other) == hash && other.frames == 2191);
    CHECK(run_hash("0.07", 1, false, &other) == hash && other.frames == 6);
    CHECK(run_hash("0.01", 2, false, &other) == hash);
    CHECK(run_hash("0.01", 1, true, &other) == hash);
    CHECK(summary.frames == 31);
}

TEST(a_state_put_back_goes_on_to_the_same_bits) {
    World w = world_of(heap);
    world_step(&w, 60);
    LitheState *copy = lithe_state_copy(w.state);
    LitheWork *work = lithe_work_create(w.model, 1);
    FATAL(copy && work);
    for (int i = 0; i < 60; i++) {
        world_step(&w, 1);
        CHECK(lithe_step(w.model, copy, work, NULL, NULL) == LITHE_OK);
    }
    CHECK(lithe_state_hash(copy) == lithe_state_hash(w.state));
    lithe_state_destroy(copy);
    lithe_work_destroy(work);
    world_end(&w);
}

// A top on a ball joint, 50 turns per second and 30 degrees from the vertical: how far its axis
// precesses in 0.5 s. A step of 20 ms would be a full turn.
static double precession(const char *step) {
    World w = world_of("lithe: 1\ntime: {end: 1 s, step: %s}\n"
                       "materials: {m: {young: 100 GPa, density: 8500}}\n"
                       "bodies: {top: {material: m, rotate: {axis: [0, 1, 0], angle: 30 deg},\n"
                       "  shape: {cylinder: {radius: 3 cm, length: 1 cm}, at: [0, 0, 5 cm]},\n"
                       "  spin: [157.08, 0, 272.07]}}\n"
                       "joints: {tip: {kind: ball, child: top, at: [0, 0, 0]}}\n",
                       step);
    double angle = 0, last = 0;
    while (w.ok && lithe_state_time(w.state) < 0.5 - 1e-9) {
        double p[7];
        world_step(&w, 1);
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "top"), p);
        double now = atan2(2 * (p[5] * p[6] - p[3] * p[4]), 2 * (p[4] * p[6] + p[3] * p[5]));
        angle += remainder(now - last, 2 * M_PI);
        last = now;
    }
    world_end(&w);
    return angle;
}

TEST(steps_resolve_the_rotation_of_a_top) {
    double truth = precession("50 us, scheme: midpoint");
    static const char *const schemes[] = {"tr-bdf2", "backward-euler", "midpoint"};
    CHECK(truth > 1.5 && truth < 2.2);
    for (int i = 0; i < 3; i++) {
        char step[80];
        snprintf(step, sizeof step, "{adaptive: {min: 10 us, max: 20 ms}}, scheme: %s", schemes[i]);
        double angle = precession(step);
        printf("  %s: precession %.4g rad, exact %.4g\n", schemes[i], angle, truth);
        CHECK_NEAR(angle, truth, 0.08 * truth);
    }
}

// A soft beam, held at one end, that begins to swing under a small weight: how much of its
// amplitude is left in the fifth period, of 0.39 s each. It moves by a fraction of an edge.
static double amplitude_left(const char *scheme, double gravity, int64_t *steps) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: {adaptive: {min: 10 us, max: 0.5 s}}, end: 10 s, scheme: %s}\n"
        "gravity: [0, 0, %g]\n"
        "materials: {m: {young: 1 MPa, poisson: 0.4, density: 1000}}\n"
        "solids: {beam: {material: m, quadratic: true, mesh: {box: {size: [0.2, 0.02, 0.02], "
        "divisions: [10, 1, 1]}}}}\n"
        "holds: {left: {on: beam.x-min}}\n",
        scheme, -gravity);
    double start = lithe_energy(w.model, w.state).gravity, lowest = start, low = start,
           high = -INFINITY;
    for (*steps = 0; w.ok && lithe_state_time(w.state) < 2; (*steps)++) {
        world_step(&w, 1);
        double now = lithe_energy(w.model, w.state).gravity;
        lowest = fmin(lowest, now);
        if (lithe_state_time(w.state) < 1.55)
            continue;
        low = fmin(low, now);
        high = fmax(high, now);
    }
    world_end(&w);
    return (high - low) / (start - lowest);
}

LONG_TEST(adaptive_steps_keep_the_vibration_of_a_solid) {
    static const char *const schemes[] = {"tr-bdf2", "midpoint"};
    for (int i = 0; i < 2; i++)
        for (double gravity = 0.02; gravity < 3; gravity *= 100) {
            int64_t steps;
            double left = amplitude_left(schemes[i], gravity, &steps);
            printf("  %s, %g m/s^2: %d steps, %.3f of the amplitude left\n", schemes[i], gravity,
                   (int)steps, left);
            CHECK(left > 0.95 && left < 1.01);
            CHECK(steps < 700);
        }
}

// A pendulum that stands on a pivot, which is shaken up and down at 30 Hz: the time of its third
// passage through the vertical, of its mean over a period of the pivot.
static double standing(const char *time) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: %s, end: 2 s}\n"
        "bodies:\n"
        "  pivot: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}\n"
        "  bob: {mass: 0.1, inertia: [1e-5, 1e-5, 1e-5, 0, 0, 0], at: [0.02, 0, 0.199]}\n"
        "joints:\n"
        "  shaker: {kind: prismatic, child: pivot, axis: [0, 0, 1]}\n"
        "  hinge: {kind: revolute, parent: pivot, child: bob, axis: [0, 1, 0], at: [0, 0, 0]}\n"
        "actuators:\n"
        "  drive: {joint: shaker, kind: prescribed, target: {amplitude: 20 mm, frequency: 30 "
        "Hz}}\n",
        time);
    double sum = 0, last = 0, mean = 0, passed = 0, x = 0.02;
    int64_t period = 0;
    int passages = 0;
    while (w.ok && passages < 3 && lithe_state_time(w.state) < 2) {
        double before = lithe_state_time(w.state), p[7];
        world_step(&w, 1);
        double now = lithe_state_time(w.state);
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "bob"), p);
        sum += 0.5 * (x + p[0]) * (now - before);
        x = p[0];
        if ((int64_t)floor(30 * now) == period)
            continue;
        period = (int64_t)floor(30 * now);
        double next = sum / (now - last), middle = 0.5 * (now + last);
        if (next * mean < 0) {
            passed = middle - next / (next - mean) * (now - last);
            passages++;
        }
        mean = next;
        last = now;
        sum = 0;
    }
    world_end(&w);
    return passed;
}

LONG_TEST(steps_resolve_the_oscillation_of_a_profile) {
    double truth = standing("0.1 ms");
    static const char *const schemes[] = {"tr-bdf2", "midpoint", "backward-euler"};
    CHECK_NEAR(truth, 0.692, 5e-3);
    for (int i = 0; i < 3; i++) {
        char step[80];
        snprintf(step, sizeof step, "{adaptive: {min: 10 us, max: 10 ms}}, scheme: %s", schemes[i]);
        double time = standing(step);
        printf("  %s: upright for the third time after %.4f s, exact %.4f\n", schemes[i], time,
               truth);
        CHECK_NEAR(time, truth, 0.01 * truth);
    }
}

TEST(what_limited_each_step_is_counted) {
    LitheSummary summary;
    run_hash("0.01", 1, false, &summary);
    int64_t sum = 0;
    for (int i = 0; i < LITHE_LIMIT_COUNT; i++)
        sum += summary.limits[i];
    CHECK(sum == summary.steps);
    CHECK(summary.limits[LITHE_LIMIT_ERROR] > 0);
    CHECK(summary.step_shortest < summary.step_longest);
    CHECK(strcmp(lithe_step_limit_name(LITHE_LIMIT_EVENT), "event") == 0);
}

// --- events --------------------------------------------------------------------------------------

TEST(no_step_jumps_over_a_corner_of_a_profile) {
    World w = world_of(
        "lithe: 1\n"
        "gravity: none\n"
        "time: {end: 0.2 s, step: {adaptive: {min: 10 us, max: 8 ms}}, scheme: backward-euler}\n"
        "materials: {soft: {young: 5 MPa, density: 1000, damping: {mass: 20}}}\n"
        "rods:\n"
        "  rope: {material: soft, section: {circle: {radius: 4 mm}}, nodes: 6,\n"
        "    shape: {line: {from: [0, 0, 0], to: [0.1, 0, 0]}}}\n"
        "drives: {pull: {on: rope.end, direction: [1, 0, 0],\n"
        "  motion: {table: [[0, 0], [0.1003, 0], [0.15, 2 mm]]}}}\n");
    double smallest = 8e-3 / 512, before = 0, at[2] = {0.1003, 0.15};
    int64_t events = 0;
    while (w.ok && lithe_state_time(w.state) < 0.2) {
        before = lithe_state_time(w.state);
        world_step(&w, 1);
        double after = lithe_state_time(w.state);
        for (int k = 0; k < 2; k++)
            CHECK(after <= at[k] + 1e-9 || before >= at[k] - 1e-9 ||
                  w.report.step <= smallest * (1 + 1e-9));
        events += w.report.limit == LITHE_LIMIT_EVENT;
    }
    CHECK(events > 5);
    world_end(&w);
}

// A node deep in a body with corners has a gap that is not its distance from the tangent plane. The
// difference was taken for an error of the gap, which no step is short enough for: 10 000 steps.
TEST(a_solid_deep_in_a_body_with_corners_does_not_keep_the_steps_short) {
    World w = world_of(
        "lithe: 1\n"
        "gravity: none\n"
        "time: {end: 10 ms, step: {adaptive: {min: 1 us, max: 2 ms}}, scheme: backward-euler}\n"
        "materials:\n"
        "  m: {young: 3e7, density: 5860, friction: 0.5}\n"
        "  soft: {young: 2.5e6, poisson: 0.2, density: 200, friction: 0.5, damping: {stiffness: "
        "1e-3}}\n"
        "bodies: {b: {material: m, shape: {revolution: {outline: [[-0.052, 0], [-0.02, 0.02], "
        "[0.02, 0.028], [0.052, 0]]}}, at: [0.142, -0.071, 0.152], rotate: [-0.364, -0.829, "
        "0.365]}}\n"
        "solids: {s: {material: soft, mesh: {hollow-sphere: {radius: 0.138, inner: 0.102, "
        "resolution: 0.104}}, at: [0.035, -0.018, 0.0936], rotate: [0.55, -1.42, 1.918]}}\n");
    int steps = 0;
    double deepest = 0;
    for (; w.ok && lithe_state_time(w.state) < 9e-3 && steps < 100; steps++) {
        world_step(&w, 1);
        deepest = fmax(deepest, w.report.deepest);
    }
    CHECK(w.ok && steps < 40);
    CHECK(deepest > 0.01);
    world_end(&w);
}

TEST(a_thread_breaks_in_time_and_not_a_long_step_later) {
    // a cart held by a thread of 5 N, pulled by a force that grows by 10 N in 0.1 s
    World w = world_of(
        "lithe: 1\n"
        "gravity: none\n"
        "time: {end: 0.2 s, step: {adaptive: {min: 10 us, max: 5.12 ms}}, scheme: backward-euler}\n"
        "bodies: {cart: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0]}}\n"
        "joints: {rail: {kind: prismatic, child: cart, axis: [1, 0, 0]}}\n"
        "actuators: {engine: {joint: rail, kind: force, target: {rate: 100 N/s}}}\n"
        "constraints: {thread: {kind: attach, a: world, b: cart, breaks-at: 5 N}}\n");
    FATAL(w.ok);
    LitheConstraintId thread = lithe_constraint_find(w.model, "thread");
    while (w.ok && !lithe_constraint_broken(w.model, w.state, thread) &&
           lithe_state_time(w.state) < 0.1)
        world_step(&w, 1);
    CHECK(lithe_constraint_broken(w.model, w.state, thread));
    CHECK(w.report.limit == LITHE_LIMIT_EVENT);
    CHECK_NEAR(lithe_state_time(w.state), 0.05, 1e-4);
    world_end(&w);
}
