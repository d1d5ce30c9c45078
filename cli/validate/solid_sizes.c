// SPDX-License-Identifier: Apache-2.0
// cli/validate/solid_sizes.c - what a mesh gives of which a scene says nothing but a size
//
// Six bodies with two sizes each: torsion, a thick balloon, a beam, a column, a ball on a plane and
// a cylinder between plates. Where a result is more than 3 % off, the estimate of the mesh error
// that a run warns with must be within a factor of 2 of the truth, and so in at most 3 of the 12.
// The frequencies of a free plate are within 3 % where its nodes are as far apart as it is thick.

#include "cli/validate/validate.h"

#include <string.h>

#define YOUNG 1e6

typedef struct Sized {
    double measured, exact; // quantities that grow in proportion to the stiffness, or fall
    double share;           // estimate of lithe_solid_mesh_error
} Sized;

typedef bool SizedFn(LitheTrial *trial, double size, Sized *out);

static double share_of(const LitheStand *stand) {
    double parts[1 << 16], sum = 0;
    int32_t count = lithe_solid_element_count(stand->model, (LitheSolidId){1});
    if (count > 1 << 16)
        return NAN;
    lithe_solid_mesh_error(stand->model, stand->state, (LitheSolidId){1}, parts);
    for (int32_t e = 0; e < count; e++)
        sum += parts[e];
    return sum;
}

// mean of a coordinate over the nodes with another one near a value
static double mean_at(const LitheStand *stand, int where, double value, int what) {
    LitheSolidId id = {1};
    const double *x = lithe_solid_position(stand->model, stand->state, id);
    double sum = 0, count = 0;
    for (int32_t i = 0; i < lithe_solid_node_count(stand->model, id); i++)
        if (fabs(x[3 * i + where] - value) < 2e-3) {
            sum += x[3 * i + what];
            count++;
        }
    return sum / count;
}

// round bar of radius 2 cm: 2 E/angle^2 = G pi R^4/(2 L)
static bool torsion(LitheTrial *trial, double size, Sized *out) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
                  trial, &stand,
                  "lithe: 1\ngravity: none\ntime: {step: 1 s, end: 9 s, scheme: static}\n"
                  "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                  "solids: {b: {material: m, mesh: {cylinder: {radius: 2 cm, length: 10 cm, "
                  "resolution: %.17g}}}}\n"
                  "holds: {foot: {on: b.z-min}}\n"
                  "drives: {head: {on: b.z-max, kind: clamp, axis: [0, 0, 1], turn: {table: [[0 s, "
                  "0], [1 s, 0.05 rad]]}}}\n",
                  size) &&
              lithe_stand_step(trial, &stand);
    if (ok) {
        out->measured = 2 * lithe_energy(stand.model, stand.state).elastic / (0.05 * 0.05);
        out->exact = YOUNG / 2.6 * M_PI * pow(0.02, 4) / (2 * 0.1);
        out->share = share_of(&stand);
    }
    lithe_stand_end(&stand);
    return ok;
}

// incompressible neo-Hookean ball with radii 3 and 5 cm, hollow widened to 1.2: p = mu/2 (f(outer)
// - f(inner)), f(s) = 1/s^4 + 4/s; the error is that of the widening
static bool balloon(LitheTrial *trial, double size, Sized *out) {
    LitheStand stand;
    double outer = cbrt(1 + (pow(1.2, 3) - 1) * 27.0 / 125), mu = YOUNG / (2 * 1.499);
    double p = 0.5 * mu * (pow(outer, -4) + 4 / outer - pow(1.2, -4) - 4 / 1.2);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\ngravity: none\ntime: {step: 20 ms, end: 9 s}\n"
        "materials: {m: {young: 1 MPa, poisson: 0.499, density: 1000 kg/m^3, damping: {mass: 10, "
        "stiffness: 20 ms}}}\n"
        "solids: {b: {material: m, law: neo-hookean, mesh: {hollow-sphere: {radius: 5 cm, inner: 3 "
        "cm, resolution: %.17g}}}}\n"
        "cavities: {air: {on: b.inner, pressure: {table: [[0 s, 0], [0.3 s, %.17g]]}}}\n",
        size, p);
    double before = ok ? lithe_cavity_volume(stand.model, stand.state, (LitheCavityId){1}) : 0;
    ok = ok && lithe_stand_run(trial, &stand, 0.02, 1.5);
    if (ok) {
        double after = lithe_cavity_volume(stand.model, stand.state, (LitheCavityId){1});
        out->measured = 1 / (cbrt(after / before) - 1);
        out->exact = 1 / 0.2;
        out->share = share_of(&stand);
    }
    lithe_stand_end(&stand);
    return ok;
}

// a beam of 5 x 5 x 40 cm that sags by its weight: rho g (A L^4/(8 E I) + L^2/(2 k G)), k = 5/6
static bool beam(LitheTrial *trial, double size, Sized *out) {
    LitheStand stand;
    bool ok =
        lithe_stand_parse(trial, &stand,
                          "lithe: 1\ngravity: [0, 0, -0.01]\ntime: {step: 1 s, end: 9 s, scheme: "
                          "static}\n"
                          "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}\n"
                          "solids: {b: {material: m, mesh: {box: {size: [0.4, 0.05, 0.05], "
                          "resolution: %.17g}}, at: [0.2, 0, 0]}}\n"
                          "holds: {foot: {on: b.x-min}}\n",
                          size) &&
        lithe_stand_step(trial, &stand);
    if (ok) {
        double a = 0.05, L = 0.4, G = YOUNG / 2.6;
        out->measured = 1 / -mean_at(&stand, 0, L, 2);
        out->exact = 1 / (10 * (12 * pow(L, 4) / (8 * YOUNG * a * a) + L * L / (2 * G * 5 / 6)));
        out->share = share_of(&stand);
    }
    lithe_stand_end(&stand);
    return ok;
}

// the gravity at which a column of 5 x 5 x 50 cm buckles: 7.8373 E I/(rho A L^3), with the shear
// of its weight about 0.5 % less
static bool column(LitheTrial *trial, double size, Sized *out) {
    double exact = 7.8373 * YOUNG * 0.05 * 0.05 / 12 / (1000 * pow(0.5, 3));
    double low = 0.8 * exact, high = 2 * exact;
    for (int k = 0; k < 9; k++) {
        LitheStand stand;
        double middle = sqrt(low * high);
        bool ok =
            lithe_stand_parse(trial, &stand,
                              "lithe: 1\ngravity: [0, 0, %.17g]\ntime: {step: 1 s, end: 9 s, "
                              "scheme: static}\n"
                              "materials: {m: {young: 1 MPa, poisson: 0, density: 1000 kg/m^3}}\n"
                              "solids: {b: {material: m, law: neo-hookean, mesh: {box: {size: "
                              "[0.05, 0.05, 0.5], resolution: %.17g}}}}\n"
                              "holds: {foot: {on: b.z-min}}\n",
                              -middle, size) &&
            lithe_stand_step(trial, &stand);
        int32_t count = 0;
        ok = ok && lithe_world_unstable_count(stand.model, stand.state, stand.work, 0, &count,
                                              &trial->error) == LITHE_OK;
        if (ok)
            out->share = share_of(&stand);
        lithe_stand_end(&stand);
        if (!ok)
            return false;
        *(count > 0 ? &high : &low) = middle;
    }
    out->measured = sqrt(low * high);
    out->exact = exact;
    return true;
}

// Half a ball of 10 cm, pressed by 1 cm onto a plane: the force over that of fine meshes (with
// nodes 5 to 8 mm apart and both values of face-contact 542 to 548 N; Hertz's 463 N hold for
// contacts that are small against the radius, not for a third of it)
static bool ball(LitheTrial *trial, double size, Sized *out) {
    LitheStand stand;
    double force = 0;
    bool ok = lithe_stand_parse(
                  trial, &stand,
                  "lithe: 1\ngravity: none\ntime: {step: 1 s, end: 9 s, scheme: static}\n"
                  "materials:\n  m: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0}\n"
                  "  hard: {young: 1000 GPa, density: 1000, friction: 0}\n"
                  "solids: {b: {material: m, mesh: {half-sphere: {radius: 10 cm, resolution: "
                  "%.17g}}, at: [0, 0, 10 cm], rotate: {axis: [1, 0, 0], angle: 180 deg}}}\n"
                  "bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}\n"
                  "drives: {press: {on: b.base, kind: clamp, direction: [0, 0, -1], motion: "
                  "{table: [[0 s, 0], [2 s, 1 cm]]}}}\n",
                  size) &&
              lithe_stand_step(trial, &stand) && lithe_stand_step(trial, &stand);
    for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++)
        force += fabs(lithe_work_contact(stand.work, i).force.z);
    if (ok) {
        out->measured = force;
        out->exact = 544;
        out->share = share_of(&stand);
    }
    lithe_stand_end(&stand);
    return ok;
}

// the rubber cylinder of rubber_cylinder_press (solid_press.c) at an approach of 5 cm
static bool press(LitheTrial *trial, double size, Sized *out) {
    LitheStand stand;
    double force = 0;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\ngravity: none\ntime: {scheme: static, step: 1 s, end: 9 s}\n"
        "materials:\n  rubber: {young: 200 MPa, poisson: 0.3, density: 1000, friction: 0}\n"
        "  steel: {young: 200 GPa, density: 8000, friction: 0}\n"
        "solids:\n"
        "  b: {material: rubber, law: mooney-rivlin-isochoric, volume: mean, c1: 0.293 MPa,\n"
        "      c2: 0.177 MPa, bulk: 1410 MPa, rotate: {axis: [1, 0, 0], angle: 90 deg},\n"
        "      mesh: {cylinder: {radius: 0.2, length: %.17g, resolution: %.17g}}}\n"
        "sets: {middle: {of: b, plane: {point: [0, 0, 0], normal: [1, 0, 0], thickness: 0.1 mm}}}\n"
        "holds:\n  front: {on: b.z-min, hold: y}\n  back: {on: b.z-max, hold: y}\n"
        "  centre: {on: middle, hold: x}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: steel, at: [0, 0, -0.2], shape: {half-space: {}}}\n"
        "  plate: {material: steel, at: [0, 0, 0.225], shape: {box: {size: [2, 1, 0.05]}}}\n"
        "joints: {guide: {kind: prismatic, child: plate, axis: [0, 0, 1]}}\n"
        "actuators: {press: {joint: guide, kind: prescribed, target: {value: 0, rate: -1 cm/s}}}\n"
        "ignore: [[plate, floor]]\n",
        2 * size, size);
    for (int k = 0; ok && k < 5; k++)
        ok = lithe_stand_step(trial, &stand);
    int32_t floor = ok ? lithe_body_find(stand.model, "floor").number : 0;
    for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++) {
        LitheContactForce c = lithe_work_contact(stand.work, i);
        bool a = c.contact.a.thing.kind == LITHE_THING_BODY && c.contact.a.thing.number == floor;
        bool b = c.contact.b.thing.kind == LITHE_THING_BODY && c.contact.b.thing.number == floor;
        force += a || b ? fabs(c.force.z) : 0;
    }
    if (ok) {
        out->measured = force / (2 * size);
        out->exact = 0.08240899e6;
        out->share = share_of(&stand);
    }
    lithe_stand_end(&stand);
    return ok;
}

// the first four bending modes of a free plate of 20 x 20 x 1 cm
static bool plate(LitheTrial *trial, double size) {
    // Mindlin's plate, k = 5/6, by Ritz's method with Legendre polynomials to degree 9 in each
    // direction; thin plates (Leissa) have 162.2, 235.9, 292.2 and 419.0
    static const double exact[] = {158.47, 233.86, 289.14, 406.72}; // Hz
    enum { RIGID = 6, MODES = 4 };
    LitheStand stand;
    double omega[RIGID + MODES];
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 9 s}\n"
                                "materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000}}\n"
                                "solids: {b: {material: m, mesh: {box: {size: [0.2, 0.2, 0.01], "
                                "resolution: %.17g}}}}\n",
                                size) &&
              lithe_world_modes(stand.model, stand.state, stand.work, RIGID + MODES, omega, NULL,
                                &trial->error) == LITHE_OK;
    lithe_stand_end(&stand);
    for (int k = 0; ok && k < MODES; k++)
        ok = lithe_trial_add(trial, near_to(omega[RIGID + k] / (2 * M_PI), exact[k], 0.03),
                             "plate_mode_%d_%gmm [Hz]", k + 1, 1e3 * size);
    return ok;
}

typedef struct SizedCase {
    const char *name;
    double size;
    bool slow;
    SizedFn *run;
} SizedCase;

// all bodies, or those that take less than a second
static bool compare_sizes(LitheTrial *trial, bool slow) {
    static const SizedCase cases[] = {
        {"torsion", 0.01, false, torsion}, {"torsion", 0.005, true, torsion},
        {"balloon", 0.01, true, balloon},  {"balloon", 0.0075, true, balloon},
        {"bending", 0.025, false, beam},   {"bending", 0.0125, false, beam},
        {"column", 0.025, false, column},  {"column", 0.0125, true, column},
        {"hertz", 0.025, false, ball},     {"hertz", 0.0125, false, ball},
        {"press", 0.04, false, press},     {"press", 0.025, true, press},
    };
    double off = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].slow && !slow)
            continue;
        Sized s = {0};
        if (!cases[i].run(trial, cases[i].size, &s))
            return false;
        double wrong = s.measured / s.exact - 1, estimate = s.share / (1 - s.share);
        if (!lithe_trial_add(trial, reported(s.measured / s.exact), "%s_%gmm_over_exact",
                             cases[i].name, 1e3 * cases[i].size) ||
            !lithe_trial_add(trial, reported(estimate), "%s_%gmm_estimate", cases[i].name,
                             1e3 * cases[i].size))
            return false;
        if (fabs(wrong) <= 0.03)
            continue;
        off++;
        if (!lithe_trial_add(trial, at_most(fabs(log2(fabs(wrong) / estimate)), 1),
                             "%s_%gmm_log2_truth_over_estimate", cases[i].name,
                             1e3 * cases[i].size))
            return false;
    }
    return lithe_trial_add(trial, at_most(off, slow ? 3 : 2), "more_than_3_percent_off") &&
           plate(trial, 0.01) && (!slow || plate(trial, 0.0067));
}

bool lithe_case_solid_sizes(LitheTrial *trial) {
    return compare_sizes(trial, true);
}

bool lithe_case_solid_sizes_quick(LitheTrial *trial) {
    return compare_sizes(trial, false);
}
