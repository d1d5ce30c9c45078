// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_linearise.c - derivatives of steps: Taylor tests, mode changes, refusals

#include "world.h"

#include "body/unit.h"

#include <stdlib.h>
#include <string.h>

#define SHARP ", tolerance: 1e-12}\n"

typedef struct Linear {
    int64_t n, states, inputs;
    double *a, *b;
    int32_t changed;
    LitheStatus status;
    LitheError error;
} Linear;

static Linear linear_of(const World *w) {
    Linear l = {.n = lithe_model_velocity_count(w->model),
                .inputs = lithe_actuator_count(w->model)};
    l.states = 2 * l.n;
    l.a = calloc((size_t)(l.states * l.states), sizeof(double));
    l.b = calloc((size_t)(l.states * (l.inputs + 1)), sizeof(double));
    uint64_t before = lithe_state_hash(w->state);
    l.status = lithe_linearise(w->model, w->state, w->work, l.a, l.b, &l.changed, &l.error);
    CHECK(lithe_state_hash(w->state) == before);
    return l;
}

static void linear_end(Linear *l) {
    free(l->a);
    free(l->b);
}

// a step from the state moved by t times a direction of states and inputs
static LitheState *step_from(const World *w, const Linear *l, const double *direction, double t) {
    LitheState *state = lithe_state_copy(w->state);
    LitheError error;
    for (int32_t i = 0; i < w->model->unit_count; i++)
        lithe_unit_ops(w->model, i)
            ->advance(w->model, i, w->state, direction + w->model->units[i].v_at, t, state);
    for (int64_t i = 0; i < l->n; i++)
        state->v[i] += t * direction[l->n + i];
    for (int32_t i = 0; i < l->inputs; i++) {
        LitheActuatorId id = {i + 1};
        LitheCommand target = lithe_actuator_command(w->model, w->state, id);
        target.value += t * direction[l->states + i];
        lithe_state_set_actuator(w->model, state, id, target, &error);
    }
    LitheReport report;
    CHECK(lithe_step(w->model, state, w->work, &report, &error) == LITHE_OK);
    return state;
}

// |F(x + t d) - F(x) - t (A, B) d|, displacements and h times velocities
static double remainder_at(const World *w, const Linear *l, const double *direction, double t) {
    LitheState *end = step_from(w, l, direction, 0), *moved = step_from(w, l, direction, t);
    double *d = calloc((size_t)l->states, sizeof *d), most = 0;
    for (int32_t i = 0; i < w->model->unit_count; i++)
        lithe_unit_ops(w->model, i)
            ->difference(w->model, i, end, moved, d + w->model->units[i].v_at);
    for (int64_t i = 0; i < l->n; i++)
        d[l->n + i] = moved->v[i] - end->v[i];
    for (int64_t i = 0; i < l->states; i++) {
        for (int64_t k = 0; k < l->states; k++)
            d[i] -= t * l->a[i * l->states + k] * direction[k];
        for (int64_t k = 0; k < l->inputs; k++)
            d[i] -= t * l->b[i * l->inputs + k] * direction[l->states + k];
        most = fmax(most, fabs(d[i]) * (i < l->n ? 1 : w->model->time.step));
    }
    free(d);
    lithe_state_destroy(end);
    lithe_state_destroy(moved);
    return most;
}

// The remainder falls with the square of the length of the step: the order is 2 within 0.1.
static void taylor(const World *w, const char *what, double size) {
    Linear l = linear_of(w);
    if (!CHECK(l.status == LITHE_OK)) {
        printf("  %s: %s\n", what, l.error.text);
        linear_end(&l);
        return;
    }
    CHECK(l.changed == 0);
    double *direction = calloc((size_t)(l.states + l.inputs), sizeof *direction);
    uint64_t random = 7;
    for (int64_t i = 0; i < l.states + l.inputs; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        direction[i] = (double)(random >> 40) / (1 << 23) - 1;
        if (i >= l.n && i < l.states) // velocities move as far in a step as displacements
            direction[i] /= w->model->time.step;
    }
    double r1 = remainder_at(w, &l, direction, size), r2 = remainder_at(w, &l, direction, size / 4);
    double order = log(r1 / r2) / log(4);
    printf("  %s: remainders %.2e and %.2e, order %.2f\n", what, r1, r2, order);
    CHECK(order > 1.9 && order < 3.1);
    CHECK(r1 < 0.2 * size);
    free(direction);
    linear_end(&l);
}

#define PENDULUM \
    "lithe: 1\n" \
    "time: {step: 10 ms, end: 1 s, scheme: backward-euler" SHARP "bodies:\n" \
    "  a: {mass: 1 kg, inertia: [1e-2, 2e-2, 3e-2, 0, 0, 0], at: [0, 0, -0.3]}\n" \
    "  b: {mass: 1 kg, inertia: [3e-2, 2e-2, 1e-2, 0, 0, 0], at: [0, 0, -0.6]}\n" \
    "joints:\n" \
    "  top: {kind: ball, child: a, at: [0, 0, 0]}\n" \
    "  low: {kind: revolute, parent: a, child: b, at: [0, 0, -0.4], axis: [0, 1, 0]}\n" \
    "actuators:\n" \
    "  motor: {joint: low, kind: force, target: 0.3}\n"

TEST(steps_of_bodies_are_linearised) {
    World w = world_of(PENDULUM);
    world_step(&w, 20);
    if (w.ok)
        taylor(&w, "double pendulum with a motor", 1e-2);
    world_end(&w);
}

TEST(steps_of_a_rod_are_linearised) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 5 ms, end: 1 s, scheme: backward-euler" SHARP
                       "materials: {rubber: {young: 1 MPa, poisson: 0.5, density: 1000}}\n"
                       "rods:\n"
                       "  rope: {material: rubber, section: {circle: {radius: 5 mm}}, nodes: 6,\n"
                       "         shape: {line: {from: [0, 0, 0], to: [0.1, 0, 0.02]}}}\n");
    world_step(&w, 5);
    if (w.ok)
        taylor(&w, "rod", 1e-4);
    world_end(&w);
}

// a ball on a plane that is pulled: it rolls, or slides
#define BALL \
    "lithe: 1\n" \
    "time: {step: 5 ms, end: 1 s, scheme: %s" SHARP "contact: {model: %s%s}\n" \
    "gravity: [%g, 0, -9.81]\n" \
    "materials: {wood: {young: 1 MPa, density: 700, friction: 0.5}}\n" \
    "bodies:\n" \
    "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n" \
    "  ball: {mass: 1 kg, inertia: [4e-3, 4e-3, 4e-3, 0, 0, 0], material: wood,\n" \
    "         shape: {sphere: {radius: 0.1}}, at: [0, 0, %.17g]}\n"

TEST(steps_with_contacts_are_linearised_while_their_modes_last) {
    static const double pulls[] = {2, 30};
    for (int i = 0; i < 2; i++) {
        World w = world_of(BALL, "backward-euler", "convex", ", tolerance: 1e-11", pulls[i], 0.1);
        world_step(&w, 60);
        if (w.ok && CHECK(w.report.active > 0))
            taylor(&w, i == 0 ? "a ball rolls" : "a ball slides", 1e-5);
        world_end(&w);
    }
}

#define ARM \
    "lithe: 1\n" \
    "time: {step: 10 ms, end: 1 s, scheme: %s" SHARP "contact: {model: %s}\n" \
    "arms:\n" \
    "  trunk:\n" \
    "    lengths: [15 cm, 15 cm]\n" \
    "    masses: [1.17 kg, 0.54 kg]\n" \
    "    radii: [4 cm, 4 cm]\n" \
    "    stiffness: 265 N/m\n" \
    "    damping: 10 N s/m\n" \
    "    start: [3 cm, 2 cm, 0, 1 cm, 0, 2 cm]\n" \
    "    disk-radius: 5 cm\n" \
    "    drive: force\n"

TEST(steps_of_arms_are_linearised_by_both_schemes) {
    static const char *const schemes[] = {"backward-euler", "linearly-implicit"},
                             *const models[] = {"convex", "lcp"};
    for (int i = 0; i < 2; i++) {
        World w = world_of(ARM, schemes[i], models[i]);
        world_step(&w, 5);
        if (w.ok)
            taylor(&w, schemes[i], 1e-3);
        world_end(&w);
    }
}

// Gravity takes the ball to the floor exactly at the end of the step: lower it touches, higher it
// does not.
TEST(changes_of_modes_are_counted) {
    static const double starts[] = {0.0999, 0.1 + 9.81 * 0.005 * 0.005};
    for (int i = 0; i < 2; i++) {
        World w = world_of(BALL, "backward-euler", "convex", "", 0.0, starts[i]);
        if (w.ok) {
            Linear l = linear_of(&w);
            CHECK(l.status == LITHE_OK);
            printf("  from %.17g m: changes in %d columns\n", starts[i], l.changed);
            CHECK(i == 0 ? l.changed == 0 : l.changed >= 2 && l.changed < 12);
            linear_end(&l);
        }
        world_end(&w);
    }
}

TEST(steps_without_a_derivative_are_refused) {
    static const char *const texts[] = {
        "lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: midpoint}\n"
        "bodies: {ball: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0]}}\n",
        "lithe: 1\ntime: {step: {adaptive: {max: 1 ms, min: 1 us}}, end: 1 s, scheme: "
        "backward-euler}\n"
        "bodies: {ball: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0]}}\n"};
    static const char *const parts[] = {"backward-euler and linearly-implicit", "adaptive"};
    for (int i = 0; i < 2; i++) {
        World w = world_of("%s", texts[i]);
        if (w.ok) {
            Linear l = linear_of(&w);
            CHECK(l.status == LITHE_NOT_SUPPORTED);
            CHECK_TEXT(l.error.text, parts[i]);
            linear_end(&l);
        }
        world_end(&w);
    }
}
