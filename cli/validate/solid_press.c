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

// What one press shows: by the approach, the force per length [MN/m]; the deepest overlap [m].
typedef struct Press {
    double force[POINTS];
    double overlap;
} Press;

// force on the floor per length of the cylinder, whose one layer of elements is `size` thick [m]
static void measure(const LitheStand *stand, double size, double *force, double *overlap) {
    int32_t floor = lithe_body_find(stand->model, "floor").number;
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        bool a = c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == floor;
        bool b = c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == floor;
        sum += a || b ? fabs(c.force.z) : 0;
        *overlap = fmax(*overlap, -c.contact.gap);
    }
    *force = 1e-6 * sum / size;
}

// The plate descends by 0.01 m per `steps` static steps. `young` of the material is that of the
// contact alone: a layer so stiff that overlaps stay below 0.1 % of the diameter.
static bool press(LitheTrial *trial, const char *law, double size, int32_t steps, int32_t points,
                  Press *out) {
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
        "  rubber: {material: rubber, law: %s, volume: mean, c1: 0.293 MPa,\n"
        "           c2: 0.177 MPa, bulk: 1410 MPa, rotate: {axis: [1, 0, 0], angle: 90 deg},\n"
        "           quadratic: false,\n"
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
        law, size, size, -0.01 / steps);
    out->overlap = 0;
    for (int32_t k = 0; ok && k < points * steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        double force = 0;
        if (ok)
            measure(&stand, size, &force, &out->overlap);
        out->force[k / steps] = force;
    }
    lithe_stand_end(&stand);
    return ok;
}

// largest relative error from 0.05 to 0.18 m; at smaller approaches few nodes touch
static double worst(const Press *run, int32_t points) {
    double error = 0;
    for (int32_t k = 4; k < points && k < 18; k++)
        error = fmax(error, fabs(run->force[k] / published[k] - 1));
    return error;
}

static bool add_forces(LitheTrial *trial, const Press *coarse, const Press *fine, int32_t points) {
    for (int k = 0; k < points; k++) {
        double d = 0.01 * (k + 1);
        LitheFinding f = {.measured = fine->force[k],
                          .coarse = coarse->force[k],
                          .reference = published[k],
                          .tolerance = 0.05,
                          .kind = LITHE_ERROR_RELATIVE,
                          .floor = 0.01};
        if (!lithe_trial_add(trial, k < 4 ? reported(fine->force[k] / published[k]) : f,
                             k < 4 ? "force_over_reference_at_%g_m" : "force_at_%g_m [MN/m]", d))
            return false;
    }
    LitheFinding overlap = {.measured = fine->overlap / 0.4,
                            .coarse = NAN,
                            .reference = 1e-3,
                            .kind = LITHE_ERROR_AT_MOST};
    return lithe_trial_add(trial, overlap, "overlap_over_diameter");
}

static bool draw(LitheTrial *trial, const char *label, bool measured, const double *force,
                 int32_t points) {
    double d[POINTS];
    for (int k = 0; k < points; k++)
        d[k] = 0.01 * (k + 1);
    trial->plot.title = "Rubber cylinder between plates, plane strain";
    trial->plot.x_label = "approach of the plates [m]";
    trial->plot.y_label = "force per length [MN/m]";
    return lithe_trial_curve(trial, label, measured, d, force, points);
}

// four meshes up to 0.2 m, and on the finest the law that is stable at rest
static bool press_four(LitheTrial *trial) {
    static const double sizes[4] = {50e-3, 25e-3, 17e-3, 12.5e-3};
    Press runs[4], stable;
    bool ok = draw(trial, "reference", false, published, POINTS);
    for (int i = 0; ok && i < 4; i++) {
        char label[64];
        snprintf(label, sizeof label, "elements of %g mm", 1e3 * sizes[i]);
        ok = press(trial, "mooney-rivlin-isochoric", sizes[i], 2 + i, POINTS, &runs[i]) &&
             draw(trial, label, true, runs[i].force, POINTS);
        LitheFinding f = {.measured = ok ? worst(&runs[i], POINTS) : 0,
                          .coarse = ok && i > 0 ? worst(&runs[i - 1], POINTS) : NAN,
                          .tolerance = 0.1,
                          .kind = LITHE_ERROR_ABSOLUTE,
                          .floor = 2e-3};
        ok = ok &&
             lithe_trial_add(trial, f, "worst_error_to_0.18_m_elements_of_%g_mm", 1e3 * sizes[i]);
    }
    ok = ok && add_forces(trial, &runs[2], &runs[3], POINTS) &&
         press(trial, "mooney-rivlin", sizes[3], 5, POINTS, &stable) &&
         draw(trial, "law stable at rest", true, stable.force, POINTS);
    for (int k = 4; ok && k < POINTS; k += 5)
        ok = lithe_trial_add(trial, reported(stable.force[k] / runs[3].force[k]),
                             "law_stable_at_rest_over_isochoric_at_%g_m", 0.01 * (k + 1));
    return ok;
}

bool lithe_case_rubber_cylinder_press(LitheTrial *trial) {
    Press coarse, fine;
    if (trial->refine > 1)
        return press_four(trial);
    const char *law = "mooney-rivlin-isochoric";
    return press(trial, law, 25e-3, 2, 10, &coarse) && press(trial, law, 12.5e-3, 4, 10, &fine) &&
           add_forces(trial, &coarse, &fine, 10) &&
           draw(trial, "reference", false, published, 10) &&
           draw(trial, "coarse", true, coarse.force, 10) &&
           draw(trial, "fine", true, fine.force, 10);
}

// --- in time -------------------------------------------------------------------------------------

// The plate is pressed by a force that grows to 1.4 MN/m over 500 s, as in scenes/press.yaml: two
// layers of elements, backward Euler with steps of 10 ms. Stops after `steps` steps.
static bool press_in_time(LitheTrial *trial, double size, int32_t steps, Press *out,
                          double *approach) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {scheme: backward-euler, step: 10 ms, end: 500 s}\n"
        "materials:\n"
        "  rubber: {young: 2.8 MPa, poisson: 0.4, density: 1000, friction: 0, damping: {stiffness: "
        "0.5 s}}\n"
        "  steel: {young: 200 GPa, density: 8000, friction: 0}\n"
        "solids:\n"
        "  rubber: {material: rubber, law: mooney-rivlin, c1: 0.293 MPa, c2: 0.177 MPa,\n"
        "           bulk: 1410 MPa, rotate: {axis: [1, 0, 0], angle: 90 deg}, plane-strain: y,\n"
        "           quadratic: false,\n"
        "           mesh: {cylinder: {radius: 0.2, length: %.17g, resolution: %.17g}}}\n"
        "sets: {middle: {of: rubber, plane: {point: [0, 0, 0], normal: [1, 0, 0], thickness: 0.1 "
        "mm}}}\n"
        "holds: {centre: {on: middle, hold: x}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: steel, at: [0, 0, -0.2], shape: {half-space: {}}}\n"
        "  plate: {material: steel, at: [0, 0, 0.225], shape: {box: {size: [0.8, 0.2, 0.05]}}}\n"
        "joints: {guide: {kind: prismatic, child: plate, axis: [0, 0, 1]}}\n"
        "forces: {press: {on: plate, force: [0, 0, %.17g], profile: {table: [[0 s, 0], [500 s, "
        "1]]}}}\n"
        "ignore: [[plate, floor]]\n",
        2 * size, size, -1.4e6 * 2 * size);
    double force = 0, before = 0, last = 0;
    memset(out, 0, sizeof *out);
    for (int32_t k = 0; ok && k < steps; k++) {
        double pose[7];
        ok = lithe_stand_step(trial, &stand);
        if (!ok)
            break;
        measure(&stand, 2 * size, &force, &out->overlap);
        lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "plate"), pose);
        *approach = 0.225 - pose[2];
        int32_t at = (int32_t)(*approach / 0.01) - 1;
        if (at >= 0 && at < POINTS && last < 0.01 * (at + 1)) // linear between two steps
            out->force[at] =
                before + (force - before) * (0.01 * (at + 1) - last) / (*approach - last);
        before = force;
        last = *approach;
    }
    lithe_stand_end(&stand);
    return ok;
}

// the first 2 s; with --long all 500 s
bool lithe_case_press_in_time(LitheTrial *trial) {
    bool whole = trial->refine > 1;
    Press run;
    double approach = 0;
    if (!press_in_time(trial, 17.5e-3, whole ? 50000 : 200, &run, &approach))
        return false;
    LitheFinding overlap = {.measured = run.overlap / 0.4,
                            .coarse = NAN,
                            .reference = 1e-3,
                            .kind = LITHE_ERROR_AT_MOST};
    bool ok = lithe_trial_add(trial, overlap, "overlap_over_diameter") &&
              lithe_trial_add(trial, reported(approach), "approach_at_the_end [m]");
    for (int k = 4; ok && whole && k < 18; k++)
        ok = lithe_trial_add(trial, reported(run.force[k] / published[k]),
                             "force_over_reference_at_%g_m", 0.01 * (k + 1));
    return ok;
}
