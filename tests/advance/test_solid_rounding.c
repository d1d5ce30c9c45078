// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_solid_rounding.c - rounding of potentials of soft solids: its measure, and
// steps in which it hides the decrease of the cost

#include "test.h"

#include <float.h>

#include "advance/world.h"
#include "body/solid.h"
#include "body/unit.h"

enum { TRIALS = 40 };
static const double h = 0.01;

static double wave(int64_t k) {
    return sin(1.7 * (double)k + 0.3);
}

/// Largest change of the potential between points that differ by a few roundings of w, apart from
/// that of its gradient.
static double scatter(World *w, const double *at, LitheMeasure *size) {
    LitheUnitWork *body = &w->work->units[0];
    int64_t dofs = body->dof_count;
    double max = 0, *trial = calloc(3 * (size_t)dofs, sizeof *trial), *r = trial + dofs,
           *other = r + dofs, reach = lithe_solid_work(w->work, 0)->reach;
    double start = lithe_solid_evaluate(w->model, 0, w->work, at, true, false, r);
    *size = lithe_solid_measure(w->model, 0, w->work, r);
    for (int j = 0; j < TRIALS; j++) {
        double slope = 0, few = 4 * DBL_EPSILON * reach / h;
        for (int64_t k = 0; k < dofs; k++)
            trial[k] = at[k] + few * wave(k + 1000 * j);
        double potential = lithe_solid_evaluate(w->model, 0, w->work, trial, false, false, other);
        for (int64_t k = 0; k < dofs; k++)
            slope += 0.5 * (r[k] + other[k]) * (trial[k] - at[k]);
        max = fmax(max, fabs(potential - start - slope));
    }
    free(trial);
    return max;
}

/// The solid with the strain `strain` at the end of a step: a stretch with bending.
static double strained(World *w, double strain, LitheMeasure *size) {
    const LitheSolid *solid = &w->model->solids[0];
    LitheStepPlan plan = {.h = h, .a = 1, .inverse_a = 1, .c = 1};
    double *v = calloc((size_t)w->work->units[0].dof_count, sizeof *v);
    CHECK(lithe_solid_begin(w->model, 0, w->state, &plan, w->work));
    Vec3 centre = v3_load(w->state->q);
    for (int64_t i = 0; i < solid->mesh.node_count; i++) {
        Vec3 X = v3_sub(v3_load(w->state->q + 3 * i), centre);
        v3_store(
            v3_scale(strain / h, v3(X.x + 10 * X.x * X.y, -0.3 * X.y - 5 * X.x * X.x, 0.2 * X.x)),
            v + 3 * i);
    }
    double seen = scatter(w, v, size);
    free(v);
    return seen;
}

LONG_TEST(the_potential_is_rounded_within_its_measure) {
    static const char *const laws[] = {"corotated-lagged", "corotated", "neo-hookean",
                                       "mooney-rivlin", "mooney-rivlin-isochoric"};
    double least = INFINITY, most = 0;
    for (int k = 0; k < 5 * 2 * 3 * 4; k++) {
        double strain = (const double[]){1e-8, 1e-5, 1e-3, 0.1}[k % 4];
        double far = (const double[]){0, 1, 1000}[k / 4 % 3];
        World w = world_of(
            "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
            "materials: {m: {young: 20 GPa, poisson: 0.3, density: 2000 kg/m^3}}\n"
            "solids: {it: {material: m, law: %s, mesh: {box: {size: [6 cm, 4 cm, "
            "3 cm], divisions: [6, 4, 3]}}, rotate: [0.3, 0.2, 0.1], at: [%g m, 0 m, %g m]%s}}\n",
            laws[k / 24], far, -0.3 * far, k / 12 % 2 ? ", volume: mean" : "");
        LitheMeasure size = {0};
        double seen = w.ok ? strained(&w, strain, &size) : 0;
        double ratio = (size.potential + size.noise * size.scale) / seen;
        least = fmin(least, ratio);
        most = fmax(most, ratio);
        world_end(&w);
    }
    printf("  stated over seen: %.3g to %.3g\n", least, most);
    CHECK(least > 1 && most < 1000);
}

// rounding of positions moves the energy by a thousand times what a step at rest can gain
LONG_TEST(stiff_blocks_far_from_the_origin_converge_in_every_step) {
    for (int far = 0; far <= 10000; far += 5000) {
        World w =
            world_of("lithe: 1\ntime: {scheme: backward-euler, step: 10 ms, end: 1 s}\n"
                     "materials: {m: {young: 20 GPa, poisson: 0.3, density: 2500 kg/m^3, "
                     "friction: 0.6}}\n"
                     "bodies: {floor: {fixed: true, material: m, at: [%d m, 0, -0.5 m], "
                     "shape: {box: {size: [4 m, 4 m, 1 m]}}}}\n"
                     "solids: {b: {repeat: {k: 4}, material: m, law: neo-hookean, mesh: {box: "
                     "{size: [1 m, 1 m, 0.5 m], divisions: [3, 3, 2]}}, at: [%d m + 0.1 m*k, "
                     "0, 0.2505 m + 0.501 m*k], rotate: {axis: [0, 0, 1], angle: 0.05*k}}}\n",
                     far, far);
        world_step(&w, 100);
        CHECK(w.unconverged == 0);
        world_end(&w);
    }
}
