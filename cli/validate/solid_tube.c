// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_tube.c - a thick tube under a small inner pressure, plane strain
//
// Lame: u(r) = (1 + nu)/E p a^2/(b^2 - a^2) [(1 - 2 nu) r + b^2/r], with radii a = 0.1 m and
// b = 0.2 m, E = 1 MPa, p = 10 Pa.

#include "cli/validate/validate.h"

#include "base/status.h"
#include "body/solid.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

#define INNER 0.1
#define OUTER 0.2
#define PRESSURE 10.0 // [Pa]

// the polygon of the hole has the area of its circle: its corners are a little outside
static bool is_inside(const LitheSolid *solid, int32_t node) {
    Vec3 x = solid->mesh.nodes[node];
    return hypot(x.x, x.y) < 1.01 * INNER;
}

// mean radial displacement of the hole [m]
static bool widen(LitheTrial *trial, double poisson, double size, double *u) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: 1 s, end: 10 s, scheme: static}\n"
        "materials: {m: {young: 1 MPa, poisson: %.17g, density: 1000}}\n"
        "solids: {tube: {material: m, law: neo-hookean, quadratic: false, mesh: {tube: {radius: "
        "%g, inner: %g, "
        "length: %.17g, resolution: %.17g}}}}\n"
        "sets:\n"
        "  a: {of: tube, plane: {point: [0, 0, 0], normal: [1, 0, 0], thickness: 0.1 mm}}\n"
        "  b: {of: tube, plane: {point: [0, 0, 0], normal: [0, 1, 0], thickness: 0.1 mm}}\n"
        "holds:\n"
        "  bottom: {on: tube.z-min, hold: z}\n"
        "  top: {on: tube.z-max, hold: z}\n"
        "  x: {on: a, hold: x}\n"
        "  y: {on: b, hold: y}\n"
        "pressures: {water: {on: tube.inner, pressure: %g Pa}}\n",
        poisson, OUTER, INNER, size, size, PRESSURE);
    ok = ok && lithe_stand_step(trial, &stand);
    if (ok) {
        const LitheSolid *solid = &stand.model->solids[0];
        const double *x = lithe_solid_position(stand.model, stand.state, (LitheSolidId){1});
        int32_t count = 0;
        *u = 0;
        for (int32_t i = 0; i < solid->mesh.node_count; i++)
            if (is_inside(solid, i)) {
                *u += hypot(x[3 * i], x[3 * i + 1]) -
                      hypot(solid->mesh.nodes[i].x, solid->mesh.nodes[i].y);
                count++;
            }
        *u /= count;
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_solid_tube(LitheTrial *trial) {
    static const double poisson[] = {0.3, 0.499};
    for (int k = 0; k < 2; k++) {
        double nu = poisson[k], a = INNER, b = OUTER, u[2];
        double exact =
            (1 + nu) / 1e6 * PRESSURE * a * a / (b * b - a * a) * ((1 - 2 * nu) * a + b * b / a);
        for (int fine = 0; fine < 2; fine++)
            // 48 and 96 nodes around, so that some lie on both planes of symmetry
            if (!widen(trial, nu, 2 * M_PI * b / ((fine ? 96 : 48) * trial->refine - 0.1),
                       &u[fine]))
                return false;
        if (!lithe_trial_add(trial, refined_to(u, exact, 0.05), "widening_poisson_%g [m]", nu))
            return false;
    }
    return true;
}
