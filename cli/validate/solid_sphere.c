// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_sphere.c - a thick hollow sphere under a small inner pressure
//
// Lame: u(r) = p a^3/(b^3 - a^3) [(1 - 2 nu) r/E + (1 + nu) b^3/(2 E r^2)], with radii a = 0.1 m
// and b = 0.2 m, E = 1 MPa, p = 10 Pa (Timoshenko and Goodier, Theory of elasticity, 1951).

#include "cli/validate/validate.h"

#include "base/status.h"
#include "body/solid.h"
#include "math/vec3.h"

#define INNER 0.1
#define OUTER 0.2
#define PRESSURE 10.0 // [Pa]

// mean radial displacement of the hollow [m]
static bool widen(LitheTrial *trial, double poisson, double size, double *u) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: 1 s, end: 10 s, scheme: static}\n"
        "materials: {m: {young: 1 MPa, poisson: %.17g, density: 1000}}\n"
        "solids: {ball: {material: m, law: neo-hookean, quadratic: true, mesh: {hollow-sphere: "
        "{radius: %g, inner: %g, resolution: %.17g}}}}\n"
        "sets:\n"
        "  a: {of: ball, plane: {point: [0, 0, 0], normal: [1, 0, 0], thickness: 0.1 mm}}\n"
        "  b: {of: ball, plane: {point: [0, 0, 0], normal: [0, 1, 0], thickness: 0.1 mm}}\n"
        "  c: {of: ball, plane: {point: [0, 0, 0], normal: [0, 0, 1], thickness: 0.1 mm}}\n"
        "holds: {x: {on: a, hold: x}, y: {on: b, hold: y}, z: {on: c, hold: z}}\n"
        "pressures: {air: {on: ball.inner, pressure: %g Pa}}\n",
        poisson, OUTER, INNER, size, PRESSURE);
    ok = ok && lithe_stand_step(trial, &stand);
    if (ok) {
        const LitheSolid *solid = &stand.model->solids[0];
        const LitheTetSet *inner = lithe_tet_mesh_find_set(&solid->mesh, "inner");
        const double *x = lithe_solid_position(stand.model, stand.state, (LitheSolidId){1});
        *u = 0;
        for (int32_t i = 0; i < inner->count; i++) {
            int64_t node = inner->nodes[i];
            *u +=
                (v3_norm(v3_load(x + 3 * node)) - v3_norm(solid->mesh.nodes[node])) / inner->count;
        }
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_solid_sphere(LitheTrial *trial) {
    static const double poisson[] = {0.3, 0.499};
    for (int k = 0; k < 2; k++) {
        double nu = poisson[k], a = INNER, b = OUTER, u[2];
        double cube = a * a * a / (b * b * b - a * a * a);
        double exact =
            PRESSURE / 1e6 * cube * ((1 - 2 * nu) * a + (1 + nu) * b * b * b / (2 * a * a));
        for (int fine = 0; fine < 2; fine++)
            if (!widen(trial, nu, 0.1 / ((fine ? 2 : 1) * trial->refine), &u[fine]))
                return false;
        if (!lithe_trial_add(trial, refined_to(u, exact, 0.05), "widening_poisson_%g [m]", nu))
            return false;
    }
    return true;
}
