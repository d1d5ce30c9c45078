// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_press.c - a rubber cylinder pressed between frictionless plates, plane strain
//
// Radius 0.2 m, Mooney-Rivlin with c1 = 0.293 MPa, c2 = 0.177 MPa and a bulk modulus of 1410 MPa,
// 1500 times the shear modulus. Sussman and Bathe (1987); ANSYS verification case VM201 has 0.250
// and 1.400 MN/m at approaches of 0.1 and 0.2 m, read off a graph. The curve below was computed
// separately with quadrilaterals of nine nodes and selective integration, to about 0.1 %.

#include "cli/validate/validate.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

enum { POINTS = 20 }; // approaches of 0.01, 0.02 .. 0.2 m

static const double published[POINTS] = {
    0.01022779, 0.02406602, 0.04075628, 0.06015746, 0.08240899, 0.1080302, 0.1372233,
    0.1705945,  0.2090762,  0.2529322,  0.3039835,  0.362267,   0.4309402, 0.510738,
    0.6044459,  0.7152051,  0.8451407,  1.00163,    1.189288,   1.41551}; // MN/m

// force on the floor per length of the cylinder [MN/m]; it has one layer of elements of `size` [m]
static double force_of(const LitheStand *stand, double size) {
    int32_t floor = lithe_body_find(stand->model, "floor").number;
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        bool a = c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == floor;
        bool b = c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == floor;
        sum += a || b ? fabs(c.force.z) : 0;
    }
    return 1e-6 * sum / size;
}

// The plate descends by 0.01 m per `steps` static steps. `young` of the material is that of the
// contact alone: a layer so stiff that overlaps stay below 0.1 % of the approach.
static bool press(LitheTrial *trial, const char *volume, double size, int32_t steps, int32_t points,
                  double *force) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: static, step: 1 s, end: 1000 s}\n"
        "materials:\n"
        "  rubber: {young: 200 MPa, poisson: 0.3, density: 1000, friction: 0}\n"
        "  steel: {young: 200 GPa, density: 8000, friction: 0}\n"
        "solids:\n"
        "  rubber: {material: rubber, law: mooney-rivlin-isochoric, volume: %s, c1: 0.293 MPa,\n"
        "           c2: 0.177 MPa, bulk: 1410 MPa, rotate: {axis: [1, 0, 0], angle: 90 deg},\n"
        "           mesh: {cylinder: {radius: 0.2, length: %.17g, resolution: %.17g}}}\n"
        "sets: {middle: {of: rubber, plane: {point: [0, 0, 0], normal: [1, 0, 0], thickness: 0.1 "
        "mm}}}\n"
        "holds:\n"
        "  front: {on: rubber.z-min, hold: y}\n"
        "  back: {on: rubber.z-max, hold: y}\n"
        "  centre: {on: middle, hold: x}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: steel, at: [0, 0, -0.2], shape: {half-space: {}}}\n"
        "  plate: {material: steel, at: [0, 0, 0.225], shape: {box: {size: [2, 1, 0.05]}}}\n"
        "joints: {guide: {kind: prismatic, child: plate, axis: [0, 0, 1]}}\n"
        "actuators: {press: {joint: guide, kind: prescribed, target: {value: 0, rate: %.17g}}}\n"
        "ignore: [[plate, floor]]\n",
        volume, size, size, -0.01 / steps);
    for (int32_t k = 0; ok && k < points * steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        if (ok && (k + 1) % steps == 0)
            force[k / steps] = force_of(&stand, size);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_rubber_cylinder_press(LitheTrial *trial) {
    // up to 0.1 m; with --long up to 0.2 m
    int32_t points = trial->refine > 1 ? POINTS : 10;
    double size = 25e-3, force[2][POINTS], d[POINTS];
    for (int fine = 0; fine < 2; fine++)
        if (!press(trial, "mean", size / (1 + fine), 2 << fine, points, force[fine]))
            return false;
    for (int k = 0; k < points; k++) {
        d[k] = 0.01 * (k + 1);
        LitheFinding f = {.measured = force[1][k],
                          .coarse = force[0][k],
                          .reference = published[k],
                          .tolerance = 0.05,
                          .kind = LITHE_ERROR_RELATIVE,
                          .floor = 0.01};
        // a few nodes touch at first: only reported below 0.05 m
        if (!lithe_trial_add(trial, d[k] < 0.045 ? reported(force[1][k] / published[k]) : f,
                             d[k] < 0.045 ? "force_over_reference_at_%g_m" : "force_at_%g_m [MN/m]",
                             d[k]))
            return false;
    }
    trial->plot.title = "Rubber cylinder between plates, plane strain";
    trial->plot.x_label = "approach of the plates [m]";
    trial->plot.y_label = "force per length [MN/m]";
    return lithe_trial_curve(trial, "reference", false, d, published, points) &&
           lithe_trial_curve(trial, "coarse", true, d, force[0], points) &&
           lithe_trial_curve(trial, "fine", true, d, force[1], points);
}
