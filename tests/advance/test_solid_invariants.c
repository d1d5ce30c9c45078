// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_solid_invariants.c - what a free soft solid keeps, for every law: its shape in
// a quarter turn within one step, momenta with the midpoint rule, energy

#include "world.h"

#include "data/model.h"
#include "data/state.h"

static const struct {
    const char *name;
    bool lagged;
} laws[] = {{"corotated", false},
            {"neo-hookean", false},
            {"mooney-rivlin", false},
            {"mooney-rivlin-isochoric", false},
            {"corotated-lagged", true}};
enum { LAWS = sizeof laws / sizeof *laws };

#define SIZE 0.1 // m

// a cube that turns by 10 rad/s
static World cube(const char *law, const char *scheme, double h) {
    return world_of("lithe: 1\n"
                    "gravity: none\n"
                    "time: {step: %.17g, end: 100 s, scheme: %s, tolerance: 1e-12}\n"
                    "materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000}}\n"
                    "solids: {it: {material: m, law: %s, spin: [2 rad/s, 1 rad/s, 10 rad/s],\n"
                    "  mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}}}\n",
                    h, scheme, law);
}

// --- a quarter turn ------------------------------------------------------------------------------

// In one step of backward Euler every node of a free cube moves along the chord of its turn by
// `angle`: the velocity that it would keep if no force acted. The largest distance of a node from
// its place on the turned cube, over the size.
static double off_after_turn(const char *law, double angle) {
    double h = angle / 10, off = 0;
    World w = cube(law, "backward-euler", h);
    int64_t nodes = w.ok ? w.model->solids[0].mesh.node_count : 0;
    double *goal = calloc(3 * (size_t)nodes + 1, sizeof *goal);
    for (int64_t i = 0; i < nodes; i++) {
        const double *x = w.state->q + 3 * i;
        goal[3 * i] = cos(angle) * x[0] - sin(angle) * x[1];
        goal[3 * i + 1] = sin(angle) * x[0] + cos(angle) * x[1];
        goal[3 * i + 2] = x[2];
        for (int k = 0; k < 3; k++)
            w.state->v[3 * i + k] = (goal[3 * i + k] - x[k]) / h;
    }
    world_step(&w, 1);
    CHECK(w.unconverged == 0);
    for (int64_t i = 0; w.ok && i < 3 * nodes; i++)
        off = fmax(off, fabs(w.state->q[i] - goal[i]) / SIZE);
    free(goal);
    world_end(&w);
    return off;
}

TEST(a_quarter_turn_in_one_step_gives_no_force_but_to_lagged_rotations) {
    for (int k = 0; k < LAWS; k++) {
        double off[4];
        for (int i = 0; i < 4; i++)
            off[i] = off_after_turn(laws[k].name, M_PI_2 / (1 << i));
        printf("  %s: turned by 90, 45, 22.5, 11.25 degrees in a step, nodes off by %.2g, %.2g, "
               "%.2g, %.2g of the size\n",
               laws[k].name, off[0], off[1], off[2], off[3]);
        if (laws[k].lagged) { // the error of the lagged rotations falls with the step
            CHECK(off[0] < 1);
            for (int i = 1; i < 4; i++)
                CHECK(off[i] < 0.5 * off[i - 1]);
        } else
            CHECK(off[0] < 1e-9);
    }
}

// --- momenta and energy --------------------------------------------------------------------------

// bent by a tenth of its size, so that it vibrates while it turns
static void bend(World *w) {
    int64_t nodes = w->ok ? w->model->solids[0].mesh.node_count : 0;
    for (int64_t i = 0; i < nodes; i++) {
        double *x = w->state->q + 3 * i;
        x[2] += 40 * x[0] * x[0] * SIZE;
        x[0] *= 1.1;
    }
}

static double change(LitheVec3 a, LitheVec3 b) {
    return vector_length((LitheVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

TEST(a_free_solid_keeps_both_momenta_with_the_midpoint_rule) {
    for (int k = 0; k < LAWS; k++) {
        World w = cube(laws[k].name, "midpoint", 1e-3);
        bend(&w);
        if (w.ok) {
            LitheVec3 p0 = lithe_momentum(w.model, w.state);
            LitheVec3 L0 = lithe_angular_momentum(w.model, w.state);
            double speed = SIZE * 10, p = 0, L = 0;
            for (int i = 0; i < 200 && world_step(&w, 1); i++) {
                p = fmax(p, change(lithe_momentum(w.model, w.state), p0));
                L = fmax(L, change(lithe_angular_momentum(w.model, w.state), L0));
            }
            p /= w.model->units[0].mass * speed;
            L /= vector_length(L0);
            printf("  %s: momentum changes by %.2g, angular momentum by %.2g\n", laws[k].name, p,
                   L);
            CHECK(p < 1e-12);
            CHECK(L < 1e-9);
            CHECK(w.unconverged == 0);
        }
        world_end(&w);
    }
}

// Over 300 steps: the largest rise above an earlier energy, over the largest energy so far. The
// energy of the lagged law is that of the corotated one, with the rotations of the moment.
static double largest_rise(const char *law, const char *scheme, double h, int32_t *guarded) {
    World w = cube(law, scheme, h);
    bend(&w);
    double first = w.ok ? stored(&w) : 0, least = first, rise = 0;
    for (int i = 0; w.ok && i < 300; i++) {
        world_step(&w, 1);
        *guarded += w.report.guarded > 0;
        double now = stored(&w);
        rise = fmax(rise, (now - least) / first);
        least = fmin(least, now);
    }
    CHECK(w.unconverged == 0);
    world_end(&w);
    return rise;
}

TEST(energy_of_a_free_solid_only_falls_with_backward_euler_and_hardly_rises_by_default) {
    static const double steps[] = {1e-3, 4e-3};
    for (int k = 0; k < LAWS; k++)
        for (int i = 0; i < 2; i++) {
            int32_t guarded = 0;
            double euler = largest_rise(laws[k].name, "backward-euler", steps[i], &guarded);
            double staged = largest_rise(laws[k].name, "tr-bdf2", steps[i], &guarded);
            printf("  %s, steps of %g ms: energy rises by %.2g (backward Euler), %.2g (TR-BDF2, %d "
                   "of 300 steps guarded)\n",
                   laws[k].name, 1e3 * steps[i], euler, staged, guarded);
            CHECK(euler < (laws[k].lagged ? 1e-3 : 1e-12));
            CHECK(staged < 1e-3);
        }
}
