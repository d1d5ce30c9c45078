// SPDX-License-Identifier: Apache-2.0
// cli/validate/statics.c - equilibria with contacts, constraints and joints against closed forms

#include "cli/validate/validate.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

#define G 9.81

static LitheVec3 force_of(LitheStand *stand, const char *name) {
    return lithe_constraint_force(stand->model, stand->state,
                                  lithe_constraint_find(stand->model, name));
}

// vertical force of the contacts of a body
static double support_of(LitheStand *stand, const char *name) {
    int32_t body = lithe_body_find(stand->model, name).number;
    double sum = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(stand->work); i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        bool a = c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == body;
        bool b = c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == body;
        sum += b ? c.force.z : a ? -c.force.z : 0;
    }
    return sum;
}

// --- a ladder ------------------------------------------------------------------------------------

// A ladder of length L and weight W leans against a smooth wall; a load P climbs it. With x the
// distance of P from the foot, a the angle from the floor and r the radius of the rails, the
// balance of moments about the foot is
//     H (L sin a + r) = (P x + W L/2) cos a
// and it slips when H, which friction at the foot balances, exceeds mu (P + W). The step in which
// it does so ends with the ladder on the floor.
#define LADDER \
    "lithe: 1\n" \
    "time: {step: 1 s, end: 1000 s, scheme: static}\n" \
    "materials:\n" \
    "  rough: {young: 1 GPa, density: 2000 kg/m^3, friction: 0.4, contact: {stiffness: 1e7 " \
    "N/m}}\n" \
    "  ice: {young: 1 GPa, density: 1000 kg/m^3, friction: 0, contact: {stiffness: 1e7 N/m}}\n" \
    "  lead: {young: 1 GPa, density: 20000 kg/m^3}\n" \
    "bodies:\n" \
    "  floor: {fixed: true, material: rough, shape: {half-space: {}}}\n" \
    "  wall: {fixed: true, material: ice, at: [1.02, 0, 0], rotate: {axis: [0, 1, 0], angle: " \
    "-90 deg}, shape: {half-space: {}}}\n" \
    "  ladder:\n" \
    "    material: rough\n" \
    "    at: [0, 0, 2 cm]\n" \
    "    rotate: {axis: [0, 1, 0], angle: 30 deg}\n" \
    "    shapes:\n" \
    "      - {capsule: {radius: 2 cm, length: 2}, at: [0, -20 cm, 1]}\n" \
    "      - {capsule: {radius: 2 cm, length: 2}, at: [0, 20 cm, 1]}\n" \
    "  load: {material: lead, at: [0, 0, 2 cm], shape: {sphere: {radius: 8 cm}}}\n" \
    "ignore: [[load, floor], [load, wall]]\n" \
    "joints:\n" \
    "  rail: {kind: prismatic, parent: ladder, child: load, axis: [0.5, 0, 0.8660254037844386], " \
    "position: %.9g}\n" \
    "actuators:\n" \
    "  climb: {joint: rail, kind: prescribed, target: {value: %.9g, rate: %.9g}}\n"

bool lithe_case_statics_ladder(LitheTrial *trial) {
    const double L = 2, r = 0.02, a = M_PI / 3, mu = 0.4, from = 1.15;
    double stride = 0.01 / trial->refine, x = from;
    double W = 2000 * 2 * (M_PI * r * r * L + 4.0 / 3 * M_PI * r * r * r);
    double P = 20000 * 4.0 / 3 * M_PI * 0.08 * 0.08 * 0.08;
    double slips = (mu * (P + W) * (L * sin(a) + r) / cos(a) - 0.5 * W * L) / P;
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand, LADDER, from, from, stride);
    double pose[7] = {0};
    while (ok && x < L && fabs(pose[0]) < 0.01) {
        ok = lithe_stand_step(trial, &stand);
        x += stride;
        if (ok)
            lithe_body_pose(stand.model, stand.state, lithe_body_find(stand.model, "ladder"), pose);
    }
    lithe_stand_end(&stand);
    // it slips between the last step in which it stood and the first in which it did not
    return ok && lithe_trial_add(trial, near_to(x - 0.5 * stride, slips, 1e-2),
                                 "way of the load up the ladder when it slips [m]");
}

// --- things at rest ------------------------------------------------------------------------------

static bool three_logs(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
                  trial, &stand, "%s",
                  "lithe: 1\n"
                  "materials:\n"
                  "  wood: {young: 10 GPa, density: 700 kg/m^3, friction: 0.5, contact: "
                  "{stiffness: 1e6 N/m}}\n"
                  "bodies:\n"
                  "  floor: {fixed: true, material: wood, shape: {half-space: {}}}\n"
                  "  left: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: [-6 cm, "
                  "0, 6 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n"
                  "  right: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: [6 cm, "
                  "0, 6 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n"
                  "  top: {material: wood, rotate: {axis: [1, 0, 0], angle: 90 deg}, at: [0, 0, "
                  "16.3923 cm], shape: {cylinder: {radius: 6 cm, length: 40 cm}}}\n") &&
              lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        double weight = 700 * M_PI * 0.06 * 0.06 * 0.4 * G;
        ok = lithe_trial_add(trial, near_to(-support_of(&stand, "floor"), 3 * weight, 1e-4),
                             "three logs: force on the floor [N]") &&
             lithe_trial_add(trial, near_to(support_of(&stand, "top"), weight, 1e-4),
                             "three logs: force under the top one [N]");
    }
    lithe_stand_end(&stand);
    return ok;
}

// A rope over a bar, twice as long on one side: friction holds it (capstan: a ratio up to exp(0.3
// pi) = 2.57)
static bool rope_over_bar(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
                  trial, &stand, "%s",
                  "lithe: 1\n"
                  "materials:\n"
                  "  hemp: {young: 1 GPa, density: 900 kg/m^3, friction: 0.3}\n"
                  "bodies:\n"
                  "  bar: {fixed: true, material: hemp, shape: {capsule: {radius: 5 cm, length: 40 "
                  "cm}, rotate: {axis: [1, 0, 0], angle: 90 deg}}, at: [0, 0, 1]}\n"
                  "rods:\n"
                  "  rope:\n"
                  "    material: hemp\n"
                  "    section: {stiffness: {EA: 300 N, EI: 2e-5 N m^2, GJ: 2e-5 N m^2, "
                  "mass-per-length: 0.1 kg/m, radius: 6 mm}}\n"
                  "    shape: {path: {pieces: [{straight: 38 cm}, {turn: -180 deg, radius: 57.2 "
                  "mm}, {straight: 70 cm}], rotate: {axis: [1, -1, 1], angle: 120 deg}, at: [-57.2 "
                  "mm, 0, 62 cm]}}\n"
                  "    nodes: 61\n") &&
              lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        double weight = 0.1 * (0.38 + M_PI * 0.0572 + 0.7) * G;
        ok = lithe_trial_add(trial, near_to(-support_of(&stand, "bar"), weight, 1e-3),
                             "rope over a bar: force on the bar [N]");
    }
    lithe_stand_end(&stand);
    return ok;
}

// An arm on a hinge, held level by a cable from its tip to a point above the hinge: the cable
// carries m g/(2 sin 45 deg). The cable is a rod that is tied at both ends.
static bool arm_on_cable(LitheTrial *trial) {
    LitheStand stand;
    bool ok =
        lithe_stand_parse(
            trial, &stand, "%s",
            "lithe: 1\n"
            "materials:\n"
            "  wood: {young: 10 GPa, density: 500 kg/m^3}\n"
            "  steel: {young: 200 GPa, density: 7800 kg/m^3}\n"
            "bodies:\n"
            "  arm: {material: wood, at: [50 cm, 0, 1], shape: {box: {size: [1, 4 cm, 4 cm]}}}\n"
            "joints:\n"
            "  hinge: {kind: revolute, child: arm, at: [0, 0, 1], axis: [0, 1, 0], damping: 1 N m "
            "s/rad}\n"
            "rods:\n"
            "  cable:\n"
            "    material: steel\n"
            "    section: {stiffness: {EA: 1e5 N, EI: 1e-4 N m^2, GJ: 1e-4 N m^2, mass-per-length: "
            "1e-4 kg/m, radius: 1 mm}}\n"
            "    shape: {line: {from: [0, 0, 2], to: [1, 0, 1]}}\n"
            "    nodes: 21\n"
            "ignore: [[cable, arm]]\n"
            "constraints:\n"
            "  top: {kind: attach, a: world, b: cable.start}\n"
            "  tip: {kind: attach, a: arm, b: cable.end}\n") &&
        lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        double weight = 500 * 0.04 * 0.04 * G;
        LitheVec3 f = force_of(&stand, "top");
        double pull = sqrt(f.x * f.x + f.y * f.y + f.z * f.z);
        ok = lithe_trial_add(trial, near_to(pull, 0.5 * weight / sin(0.25 * M_PI), 1e-3),
                             "arm on a cable: pull of the cable [N]");
    }
    lithe_stand_end(&stand);
    return ok;
}

// A net of 3 + 3 rods, welded where they cross, hangs by its four corners
static bool hanging_net(LitheTrial *trial) {
    char text[8192];
    size_t at = 0;
    at += (size_t)snprintf(text + at, sizeof text - at,
                           "lithe: 1\n"
                           "contact: {enabled: false}\n"
                           "materials: {cord: {young: 1 GPa, density: 900 kg/m^3}}\n"
                           "rods:\n");
    for (int i = 0; i < 6; i++) {
        double c = 0.2 * (i % 3 - 1);
        double a[2] = {i < 3 ? -0.2 : c, i < 3 ? c : -0.2},
               b[2] = {i < 3 ? 0.2 : c, i < 3 ? c : 0.2};
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  %s%d: {material: cord, section: {stiffness: {EA: 500 N, EI: 1e-3 "
                               "N m^2, GJ: 1e-3 N m^2, mass-per-length: 0.05 kg/m, radius: 2 mm}}, "
                               "shape: {line: {from: [%g, %g, 1], to: [%g, %g, 1]}}, nodes: 17}\n",
                               i < 3 ? "x" : "y", i % 3, a[0], a[1], b[0], b[1]);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "constraints:\n");
    for (int i = 0; i < 9; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  k%d: {kind: weld, a: x%d.at(%g), b: y%d.at(%g)}\n", i, i / 3,
                               0.5 * (i % 3), i % 3, 0.5 * (i / 3));
    for (int i = 0; i < 4; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  c%d: {kind: attach, a: world, b: x%d.%s}\n", i, i < 2 ? 0 : 2,
                               i % 2 ? "end" : "start");
    LitheStand stand;
    bool ok =
        lithe_stand_parse(trial, &stand, "%s", text) && lithe_stand_equilibrium(trial, &stand);
    if (ok) {
        double sum = 0, weight = 6 * 0.4 * 0.05 * G;
        for (int i = 0; i < 4; i++) {
            char name[8];
            snprintf(name, sizeof name, "c%d", i);
            sum += force_of(&stand, name).z;
        }
        ok = lithe_trial_add(trial, near_to(sum, weight, 1e-5),
                             "net of welded rods: sum of the forces at its corners [N]") &&
             lithe_trial_add(trial, near_to(force_of(&stand, "c0").z, 0.25 * weight, 5e-3),
                             "net of welded rods: force at one corner [N]");
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_statics_rest(LitheTrial *trial) {
    return three_logs(trial) && rope_over_bar(trial) && arm_on_cable(trial) && hanging_net(trial);
}

// --- modes ---------------------------------------------------------------------------------------

// the mode that is nearest to a frequency
static bool nearest(LitheTrial *trial, LitheStand *stand, double wanted, double *found) {
    enum { COUNT = 12 };
    double omega[COUNT];
    if (lithe_world_modes(stand->model, stand->state, stand->work, COUNT, omega, NULL,
                          &trial->error) != LITHE_OK)
        return false;
    *found = omega[0];
    for (int i = 1; i < COUNT; i++)
        if (fabs(omega[i] - wanted) < fabs(*found - wanted))
            *found = omega[i];
    return true;
}

// A cantilever with a body welded to its tip, of `a` times the mass of the beam:
//     1 + cos b cosh b = a b (sin b cosh b - cos b sinh b),  omega = b^2 sqrt(EI/(m L^4))
static double tip_root(double a) {
    double low = 0.1, high = 1.8751;
    for (int i = 0; i < 100; i++) {
        double b = 0.5 * (low + high);
        double f = 1 + cos(b) * cosh(b) - a * b * (sin(b) * cosh(b) - cos(b) * sinh(b));
        *(f > 0 ? &low : &high) = b;
    }
    return low;
}

static bool tip_body(LitheTrial *trial) {
    double a = 1e4 * 4.0 / 3 * M_PI * 1e-6 / 0.05, found[2];
    double exact = tip_root(a) * tip_root(a) * sqrt(2 / 0.05);
    bool ok = true;
    for (int r = 0; ok && r < 2; r++) {
        LitheStand stand;
        ok = lithe_stand_parse(
                 trial, &stand,
                 "lithe: 1\n"
                 "gravity: none\n"
                 "materials: {lead: {young: 10 GPa, density: 1e4 kg/m^3}}\n"
                 "bodies:\n"
                 "  bob: {material: lead, at: [1, 0, 0], shape: {sphere: {radius: 1 cm}}}\n"
                 "rods:\n"
                 "  beam: {material: lead, section: {stiffness: {EA: 1e6 N, EI: 2 N m^2, GJ: 2 N "
                 "m^2, mass-per-length: 0.05 kg/m, radius: 5 mm}}, shape: {line: {to: [1, 0, 0]}}, "
                 "nodes: %d, clamped: start}\n"
                 "ignore: [[beam, bob]]\n"
                 "constraints:\n"
                 "  tip: {kind: weld, a: bob, b: beam.end}\n",
                 (30 * trial->refine << r) + 1) &&
             nearest(trial, &stand, exact, &found[r]);
        lithe_stand_end(&stand);
    }
    LitheFinding finding = {
        .measured = found[1], .coarse = found[0], .reference = exact, .tolerance = 1e-2};
    return ok && lithe_trial_add(trial, finding, "cantilever with a body at its tip [rad/s]");
}

// A beam that lies on two round bars at its ends, held by its weight and smooth contacts alone:
//     omega = pi^2 sqrt(EI/(m L^4))
static bool beam_on_contacts(LitheTrial *trial) {
    double found[2], exact = M_PI * M_PI * sqrt(20);
    bool ok = true;
    for (int r = 0; ok && r < 2; r++) {
        LitheStand stand;
        int32_t edges = 30 * trial->refine << r;
        double in = 0.25 / edges, span = 1 - 2 * in; // the bars touch the first and the last edge
        ok =
            lithe_stand_parse(
                trial, &stand,
                "lithe: 1\n"
                "materials: {steel: {young: 10 GPa, density: 1e4 kg/m^3, friction: 0, contact: "
                "{stiffness: 1e7 N/m}}}\n"
                "bodies:\n"
                "  left: {fixed: true, material: steel, at: [%.9g, 0, -2 cm], rotate: {axis: [1, "
                "0, 0], angle: 90 deg}, shape: {cylinder: {radius: 1.9 cm, length: 20 cm}}}\n"
                "  right: {fixed: true, material: steel, at: [%.9g, 0, -2 cm], rotate: {axis: [1, "
                "0, 0], angle: 90 deg}, shape: {cylinder: {radius: 1.9 cm, length: 20 cm}}}\n"
                "rods:\n"
                "  beam: {material: steel, section: {stiffness: {EA: 1e6 N, EI: 20 N m^2, GJ: 20 N "
                "m^2, mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {line: {to: [1, 0, 0]}}, "
                "nodes: %d}\n",
                in, 1 - in, edges + 1) &&
            lithe_stand_equilibrium(trial, &stand) && nearest(trial, &stand, exact, &found[r]);
        found[r] *= span * span;
        lithe_stand_end(&stand);
    }
    LitheFinding finding = {.measured = found[1],
                            .coarse = found[0],
                            .reference = exact,
                            .tolerance = 1e-2,
                            .floor = 5e-3};
    return ok &&
           lithe_trial_add(trial, finding, "beam on two bars: frequency times span^2 [rad m^2/s]");
}

bool lithe_case_statics_modes(LitheTrial *trial) {
    return tip_body(trial) && beam_on_contacts(trial);
}

// --- snap-through --------------------------------------------------------------------------------

// Two bars that lean on each other, pressed down at the apex (von Mises): with l^2 = b^2 + z^2 and
// l0 its value without load,
//     P(z) = -2 EA (l/l0 - 1) z/l
// grows to a limit at z = sqrt(l0^(2/3) b^(4/3) - b^2), falls, is 0 when flat, and pulls beyond.
static bool two_bars(LitheTrial *trial) {
    const double b = 1, h = 0.2, EA = 1000, l0 = hypot(b, h);
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "contact: {enabled: false}\n"
        "time: {step: 1 s, end: 1000 s, scheme: static}\n"
        "materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}\n"
        "rods:\n"
        "  bars: {material: bar, section: {stiffness: {EA: 1000 N, EI: 1e-9 N m^2, GJ: 1e-3 N m^2, "
        "mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {polyline: {points: [[-1, 0, 0], [0, 0, "
        "0.2], [1, 0, 0]]}}}\n"
        "holds:\n"
        "  left: {on: bars.start, hold: [position, twist]}\n"
        "  right: {on: bars.end, hold: position}\n"
        "forces:\n"
        "  press: {on: bars.node(1), force: [0, 0, -1], profile: {rate: 1}}\n");
    double direction[16] = {0}, worst = 0, top = 0, last = 0, lowest = 0;
    int steps = 0;
    for (; ok && steps < 200 && last > -1.5 * h; steps++) {
        ok = lithe_arc_step(stand.model, stand.state, stand.work, 0.004, direction, NULL,
                            &trial->error) == LITHE_OK;
        double z = ok ? lithe_rod_q(stand.model, stand.state, (LitheRodId){1})[6] : 0;
        double l = hypot(b, z), P = -2 * EA * (l / l0 - 1) * z / l;
        double load = lithe_state_time(stand.state);
        worst = fmax(worst, fabs(load - P));
        top = fmax(top, z > 0 ? load : 0);
        lowest = fmin(lowest, load);
        last = ok ? z : last;
    }
    double z = sqrt(cbrt(l0 * l0 * b * b * b * b) - b * b), l = hypot(b, z);
    double limit = -2 * EA * (l / l0 - 1) * z / l;
    lithe_stand_end(&stand);
    return ok &&
           lithe_trial_add(trial, near_to(top, limit, 5e-3), "two bars: load at the limit [N]") &&
           lithe_trial_add(trial, near_to(-lowest, limit, 5e-3),
                           "two bars: load at the second limit, upwards [N]") &&
           lithe_trial_add(trial, at_most(worst, 1e-4 * limit),
                           "two bars: largest error of the load on the path [N]");
}

// A shallow arch of a rod on hinges, upside down and pushed up in the middle. Its equilibrium path
// under a dead force, followed by arc length, is compared with the same arch moved up by a drive in
// static steps, where the force of the drive is measured.
#define ARCH \
    "lithe: 1\n" \
    "gravity: none\n" \
    "contact: {enabled: false}\n" \
    "time: {step: 1 s, end: 1000 s, scheme: static}\n" \
    "materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}\n" \
    "rods:\n" \
    "  arch: {material: bar, section: {stiffness: {EA: 1e4 N, EI: 1 N m^2, GJ: 1 N m^2, " \
    "mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {arc: {radius: 4, angle: 15 deg, rotate: " \
    "{axis: [0, 1, 0], angle: 7.5 deg}}}, nodes: 31}\n" \
    "holds:\n" \
    "  left: {on: arch.start, hold: [position, twist]}\n" \
    "  right: {on: arch.end, hold: position}\n"

static double middle_of(LitheStand *stand) {
    return lithe_rod_q(stand->model, stand->state, (LitheRodId){1})[4 * 15 + 2];
}

static bool arch(LitheTrial *trial) {
    LitheStand stand;
    double direction[4 * 31] = {0}, top = 0, low = 0, start = 0, pull[2] = {0, 0};
    bool ok = lithe_stand_parse(trial, &stand, "%s",
                                ARCH "forces:\n  press: {on: arch.node(15), force: [0, 0, 1], "
                                     "profile: {rate: 1}}\n");
    ok = ok && lithe_stand_equilibrium(trial, &stand);
    start = ok ? middle_of(&stand) : 0;
    for (int k = 0; ok && k < 400 && middle_of(&stand) < start + 0.06; k++) {
        ok = lithe_arc_step(stand.model, stand.state, stand.work, 2e-4, direction, NULL,
                            &trial->error) == LITHE_OK;
        double load = lithe_state_time(stand.state);
        bool first = ok && middle_of(&stand) < start + 0.03;
        top = first ? fmax(top, load) : top;
        low = fmin(low, load);
    }
    lithe_stand_end(&stand);
    ok = ok && lithe_stand_parse(trial, &stand, "%s",
                                 ARCH "drives:\n  press: {on: arch.node(15), direction: [0, 0, "
                                      "1], motion: {rate: 2.5e-4}}\n");
    for (int k = 0; ok && k < 240; k++) {
        ok = lithe_stand_step(trial, &stand);
        double load = lithe_drive_force(stand.model, stand.state, (LitheDriveId){1});
        pull[0] = fmax(pull[0], k < 120 ? load : 0);
        pull[1] = fmin(pull[1], load);
    }
    lithe_stand_end(&stand);
    return ok &&
           lithe_trial_add(trial, near_to(top, pull[0], 2e-3), "arch: load at the limit [N]") &&
           lithe_trial_add(trial, near_to(low, pull[1], 2e-3),
                           "arch: smallest load after the snap [N]");
}

bool lithe_case_statics_snap(LitheTrial *trial) {
    return two_bars(trial) && arch(trial);
}
