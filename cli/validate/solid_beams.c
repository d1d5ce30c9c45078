// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_beams.c - soft bars: natural frequencies, torsion, buckling

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/solid.h"

#include <stdio.h>
#include <string.h>

// --- solid_frequencies ---------------------------------------------------------------------------

// A bar of 1 x 0.1 x 0.1 m, E = 1 MPa, 1000 kg/m^3, Poisson's ratio 0, held at one end. With
// `axial` its nodes move along it only.
static bool lowest(LitheTrial *trial, const char *more, bool axial, int32_t cells, int32_t across,
                   double *omega) {
    LitheStand stand;
    bool ok =
        lithe_stand_parse(
            trial, &stand,
            "lithe: 1\n"
            "gravity: none\n"
            "time: {step: 1 ms, end: 10 s}\n"
            "materials: {m: {young: 1 MPa, poisson: 0, density: 1000}}\n"
            "solids: {bar: {material: m, law: neo-hookean, %s, mesh: {box: {size: [1, 0.1, "
            "0.1], divisions: [%d, %d, %d]}}}}\n"
            "holds: {wall: {on: bar.x-min}%s}\n",
            more, cells, across, across,
            axial ? ", a: {on: bar.y-min, hold: [y, z]}, b: {on: bar.y-max, hold: [y, z]}" : "") &&
        lithe_world_modes(stand.model, stand.state, stand.work, 1, omega, NULL, &trial->error) ==
            LITHE_OK;
    lithe_stand_end(&stand);
    return ok;
}

// Equation of the frequencies of a cantilever with shear and rotary inertia (S64): b is the
// frequency over sqrt(E I/(rho A))/L^2, r2 = I/(A L^2), s2 = E I/(k A G L^2).
static double timoshenko(double b, double r2, double s2) {
    double root = sqrt((r2 - s2) * (r2 - s2) + 4 / (b * b));
    double p = b * sqrt(0.5 * (root - r2 - s2)), q = b * sqrt(0.5 * (root + r2 + s2));
    return 2 + (b * b * (r2 - s2) * (r2 - s2) + 2) * cosh(p) * cos(q) -
           b * (r2 + s2) / sqrt(1 - b * b * r2 * s2) * sinh(p) * sin(q);
}

// the lowest root, which lies a little below that of a slender beam, 3.516
static double lowest_timoshenko(double r2, double s2) {
    double low = 3, high = 3.52;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(timoshenko(middle, r2, s2) > 0 ? &low : &high) = middle;
    }
    return low;
}

// one mass: the frequency, and the side from which it converges (S63), at both resolutions
static bool add_frequency(LitheTrial *trial, const double omega[2], double exact, double tolerance,
                          double floor, bool consistent, const char *name) {
    const char *mass = consistent ? "consistent" : "lumped";
    double least = fmin(omega[0], omega[1]), most = fmax(omega[0], omega[1]);
    LitheFinding f = refined_to(omega, exact, tolerance);
    f.floor = floor;
    return lithe_trial_add(trial, f, "%s_%s [rad/s]", name, mass) &&
           lithe_trial_add(trial, at_most(consistent ? exact / least : most / exact, 1),
                           consistent ? "exact_over_%s_%s" : "%s_%s_over_exact", name, mass);
}

bool lithe_case_solid_frequencies(LitheTrial *trial) {
    static const char *const masses[] = {"lumped", "consistent"};
    double speed = sqrt(1e6 / 1000), omega[2];
    for (int k = 0; k < 2; k++) {
        char more[64];
        snprintf(more, sizeof more, "mass: %s", masses[k]);
        for (int fine = 0; fine < 2; fine++)
            if (!lowest(trial, more, true, (fine ? 16 : 8) * trial->refine, 1, &omega[fine]))
                return false;
        if (!add_frequency(trial, omega, 0.5 * M_PI * speed, 0.005, 0, k == 1, "axial"))
            return false;
    }
    // Poisson's ratio 0: G = E/2, and the shear coefficient of a rectangle is 5/6
    double r2 = 0.01 / 12, s2 = r2 * 2 / (5.0 / 6);
    double bending = lowest_timoshenko(r2, s2) * sqrt(r2) * speed;
    for (int k = 0; k < 2; k++) {
        char more[64];
        snprintf(more, sizeof more, "quadratic: true, mass: %s", masses[k]);
        for (int fine = 0; fine < 2; fine++)
            if (!lowest(trial, more, false, fine ? 10 : 5, fine ? 2 : 1, &omega[fine]))
                return false;
        if (!add_frequency(trial, omega, bending, 0.01, k == 1 ? 0 : 0.001, k == 1,
                           "bending_quadratic"))
            return false;
    }
    return true;
}

// --- solid_torsion -------------------------------------------------------------------------------

// torque of a column of 0.1 x 0.1 x 0.6 m whose ends are turned by `angle` against each other [N m]
static bool turn(LitheTrial *trial, double angle, int32_t across, double *torque) {
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\n"
                                "gravity: none\n"
                                "time: {step: 1 s, end: 10 s, scheme: static}\n"
                                "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
                                "solids: {column: {material: m, law: neo-hookean, quadratic: true, "
                                "mesh: {box: {size: [0.1, 0.1, 0.6], divisions: [%d, %d, %d]}}}}\n"
                                "holds: {foot: {on: column.z-min}, head: {on: column.z-max}}\n",
                                across, across, 6 * across);
    double *f = NULL;
    if (ok) {
        const LitheSolid *solid = &stand.model->solids[0];
        int32_t nodes = solid->mesh.node_count;
        double *x = stand.state->q + stand.model->units[solid->unit].q_at;
        for (int32_t i = 0; i < nodes; i++) {
            LitheVec3 X = solid->mesh.nodes[i];
            double a = angle * (X.z / 0.6 + 0.5);
            x[3 * i] = cos(a) * X.x - sin(a) * X.y;
            x[3 * i + 1] = sin(a) * X.x + cos(a) * X.y;
        }
        ok = lithe_stand_step(trial, &stand);
        f = ok ? lithe_alloc_array(trial->context, 3 * (int64_t)nodes, sizeof *f) : NULL;
        ok = ok && (f || lithe_fail_memory(&trial->error, "the forces of a solid") == LITHE_OK);
        LitheSolidTerms terms = {.gradient = f};
        if (ok)
            lithe_solid_elastic(solid, x, NULL, &terms);
        *torque = 0;
        for (int32_t i = 0; ok && i < nodes; i++)
            if (solid->mesh.nodes[i].z > 0.2999)
                *torque += x[3 * i] * f[3 * i + 1] - x[3 * i + 1] * f[3 * i];
    }
    lithe_free(trial->context, f);
    lithe_stand_end(&stand);
    return ok;
}

// Saint-Venant: G J angle/length with J = 0.140577 a^4. Ends that cannot warp make it a little
// stiffer, for a square by about 0.1 a/length.
bool lithe_case_solid_torsion(LitheTrial *trial) {
    double G = 1e6 / 2.6, exact = G * 0.140577 * 1e-4 * 0.01 / 0.6, torque[2];
    for (int fine = 0; fine < 2; fine++)
        if (!turn(trial, 0.01, fine ? 4 : 2, &torque[fine]))
            return false;
    LitheFinding f = refined_to(torque, exact, 0.05);
    f.floor = 0.02; // the ends
    if (!lithe_trial_add(trial, f, "torque [N m]"))
        return false;
    // half a turn: the step converges, and the column resists more than a linear one
    double half;
    return turn(trial, M_PI, 2, &half) &&
           lithe_trial_add(trial, reported(half / (exact * M_PI / 0.01)),
                           "torque_at_half_a_turn_over_linear");
}

// --- solid_buckling ------------------------------------------------------------------------------

// unstable directions of a column of 0.05 x 0.05 x 1 m under a dead load on its head; -1: stopped
static int32_t unstable(LitheTrial *trial, double load, int32_t cells) {
    LitheStand stand;
    int32_t count = -1, nodes = 9; // of the head, one cell of quadratic elements
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\n"
                                "gravity: none\n"
                                "time: {step: 1 s, end: 10 s, scheme: static}\n"
                                "materials: {m: {young: 1 MPa, poisson: 0, density: 1000}}\n"
                                "solids: {column: {material: m, law: neo-hookean, quadratic: true, "
                                "mesh: {box: {size: [0.05, 0.05, 1], divisions: [1, 1, %d]}}}}\n"
                                "holds: {foot: {on: column.z-min}}\n"
                                "forces: {load: {on: column.z-max, force: [0, 0, %.17g N]}}\n",
                                cells, -load / nodes) &&
              lithe_stand_step(trial, &stand) &&
              lithe_world_unstable_count(stand.model, stand.state, stand.work, 0, &count,
                                         &trial->error) == LITHE_OK;
    lithe_stand_end(&stand);
    return ok ? count : -1;
}

static bool critical(LitheTrial *trial, double low, double high, int32_t cells, double *load) {
    for (int k = 0; k < 11; k++) {
        double middle = 0.5 * (low + high);
        int32_t count = unstable(trial, middle, cells);
        if (count < 0)
            return false;
        *(count > 0 ? &high : &low) = middle;
    }
    *load = 0.5 * (low + high);
    return true;
}

// pi^2 E I/(4 L^2): Euler's load of a column that is clamped at its foot
bool lithe_case_solid_buckling(LitheTrial *trial) {
    double euler = M_PI * M_PI * 1e6 * pow(0.05, 4) / 12 / 4, load[2];
    for (int fine = 0; fine < 2; fine++)
        if (!critical(trial, 0.7 * euler, 1.3 * euler, (fine ? 20 : 10) * trial->refine,
                      &load[fine]))
            return false;
    LitheFinding f = refined_to(load, euler, 0.02);
    f.floor = 0.01; // shear and shortening: (h/L)^2 times a few
    return lithe_trial_add(trial, f, "critical_load [N]");
}
