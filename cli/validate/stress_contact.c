// SPDX-License-Identifier: Apache-2.0
// cli/validate/stress_contact.c - overlaps at the start, fast bodies, friction of zero and of a
// million, energy that may only decrease, a million steps

#include "cli/validate/stress.h"

#include "base/clock.h"

#include <stdio.h>

// --- stress_initial_penetration ------------------------------------------------------------------

// A scene with an overlap. `scene` is a printf format; its argument is the height of the moving
// object [m].
typedef struct Overlap {
    const char *name, *scene;
    double radius;   // of the moving object, or half its size [m]
    double contacts; // their number
} Overlap;

static const Overlap overlaps[] = {
    {"ball in a floor",
     "bodies:\n"
     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
     "  ball: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, %.17g]}\n",
     0.05, 1},
    {"box in a box",
     "bodies:\n"
     "  base: {fixed: true, material: m, shape: {box: {size: [0.5, 0.5, 0.5]}}, at: [0, 0, "
     "-0.25]}\n"
     "  box: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, %.17g]}\n",
     0.05, 4},
    {"rod in a floor",
     "bodies:\n"
     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
     "rods:\n"
     "  rod: {material: m, section: {circle: {radius: 0.05}}, nodes: 11,\n"
     "    shape: {line: {from: [0, -0.5, 0], to: [0, 0.5, 0], at: [0, 0, %.17g]}}}\n",
     0.05, 11},
    {"rod in a box",
     "bodies:\n"
     "  base: {fixed: true, material: m, shape: {box: {size: [1, 1.5, 1]}}, at: [0, 0, -0.5]}\n"
     "rods:\n"
     "  rod: {material: m, section: {circle: {radius: 0.05}}, nodes: 11,\n"
     "    shape: {line: {from: [0, -0.5, 0], to: [0, 0.5, 0], at: [0, 0, %.17g]}}}\n",
     0.05, 20},
    {"rod in a rod",
     "rods:\n"
     "  low: {material: m, section: {circle: {radius: 0.025}}, nodes: 12, clamped: both,\n"
     "    shape: {line: {from: [-0.5, 0, -0.025], to: [0.5, 0, -0.025]}}}\n"
     "  rod: {material: m, section: {circle: {radius: 0.025}}, nodes: 12,\n"
     "    shape: {line: {from: [0, -0.5, 0], to: [0, 0.5, 0], at: [1e-6, 0, %.17g - 0.025]}}}\n",
     0.025, 1},
};

// Contact springs separate overlapping objects with at most their stored energy, at any depth.
bool lithe_case_stress_initial_penetration(LitheTrial *trial) {
    static const double fractions[] = {0.01, 0.5, 2};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof overlaps / sizeof *overlaps; i++)
        for (int k = 0; ok && k < 3; k++) {
            const Overlap *o = &overlaps[i];
            double depth = fractions[k] * o->radius;
            // energy of the springs; a rod that starts below another one is pushed out downwards
            double work = 0.5 * 5e4 * o->contacts * depth * depth;
            char thing[700];
            snprintf(thing, sizeof thing, o->scene, 0.05 - depth);
            LitheStand stand;
            ok = lithe_stand_parse(
                trial, &stand,
                "lithe: 1\n"
                "gravity: none\n"
                "time: {step: 2 ms, end: 1000 s, scheme: backward-euler}\n"
                "materials: {m: {young: 10 MPa, density: 1000, contact: {stiffness: 1e5}}}\n%s",
                thing);
            if (ok) {
                StressRun run = stress_run(&stand, 500);
                LitheEnergy energy = lithe_energy(stand.model, stand.state);
                double fraction = (energy.kinetic + energy.elastic) / work;
                ok = lithe_trial_add(
                    trial, at_most(fraction + (run.stopped || !run.finite ? 1e9 : 0), 1),
                    "%s by %g %%: energy after 1 s/stored", o->name, 100 * fractions[k]);
            }
            lithe_stand_end(&stand);
        }
    return ok && lithe_stress_plot(
                     trial, "Overlap at the start: energy after 1 s / energy of the springs");
}

// --- stress_tunnelling ---------------------------------------------------------------------------

static bool thrown_at_plate(LitheTrial *trial, double speed) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\nallow-unusual: true\n"
        "gravity: none\n"
        "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
        "materials: {m: {young: 1 GPa, density: 8000, contact: {stiffness: 1e9}}}\n"
        "bodies:\n"
        "  plate: {fixed: true, material: m, shape: {box: {size: [1, 1, 1 mm]}}}\n"
        "  ball: {material: m, shape: {sphere: {radius: 5 mm}}, at: [0.01, 0.02, 0.3],\n"
        "    velocity: [0.01, 0.02, %.17g]}\n"
        "  cube: {material: m, shape: {box: {size: [1 cm, 1 cm, 1 cm]}}, at: [0.1, 0.1, 0.31],\n"
        "    velocity: [0, 0, %.17g], spin: [20, 10, 5]}\n",
        -speed, -speed);
    if (ok) {
        double low = INFINITY;
        StressRun run = {0};
        for (int k = 0; k < (int)fmax(20, 0.6 / (1e-3 * speed)) && !run.stopped; k++) {
            run = stress_run(&stand, 1);
            low = fmin(low, fmin(stress_body(&stand, "ball").z, stress_body(&stand, "cube").z));
        }
        ok = lithe_trial_add(trial, at_most((double)run.stopped - fmin(low, 0), 0),
                             "ball and cube at 1 mm plate, %g m/s: passed it by [m]", speed);
    }
    lithe_stand_end(&stand);
    return ok;
}

// a cube flies back and forth between walls at a distance of four times its size
static bool between_walls(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\nallow-unusual: true\n"
        "gravity: none\n"
        "time: {step: 10 ms, end: 10 s, scheme: backward-euler}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0,\n"
        "  contact: {stiffness: 1e6, dissipation: 0}}}\n"
        "bodies:\n"
        "  left: {fixed: true, material: m, shape: {box: {size: [1 cm, 1, 1]}}, at: [-0.2, 0, "
        "0]}\n"
        "  right: {fixed: true, material: m, shape: {box: {size: [1 cm, 1, 1]}}, at: [0.2, 0, "
        "0]}\n"
        "  cube: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, velocity: [25, 0, 0]}\n");
    double out = 0;
    StressRun run = {0};
    for (int k = 0; ok && k < 300 && !run.stopped; k++) {
        run = stress_run(&stand, 1);
        out = fmax(out, fabs(stress_body(&stand, "cube").x) - 0.2);
    }
    ok = ok && lithe_trial_add(trial, at_most(fmax(out, 0) + (double)run.stopped, 0),
                               "cube between walls, 25 m/s, 10 ms: passed them by [m]");
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_stress_tunnelling(LitheTrial *trial) {
    return thrown_at_plate(trial, 10) && thrown_at_plate(trial, 100) &&
           thrown_at_plate(trial, 1000) && between_walls(trial) &&
           lithe_stress_plot(trial, "Ball and cube thrown at a thin plate, cube between walls");
}

// --- stress_friction_extremes --------------------------------------------------------------------

// a block on a slope of 30 degrees, starting with zero gap
static bool slope(LitheTrial *trial, LitheStand *stand, double friction) {
    return lithe_stand_parse(trial, stand,
                             "lithe: 1\nallow-unusual: true\n"
                             "gravity: [4.905, 0, -8.495709211125344]\n"
                             "time: {step: 2 ms, end: 1000 s, scheme: backward-euler}\n"
                             "materials: {m: {young: 1 GPa, density: 1000, friction: %g,\n"
                             "  contact: {stiffness: 1e6, dissipation: 10}}}\n"
                             "bodies:\n"
                             "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                             "  block: {material: m, shape: {box: {size: [0.2, 0.2, 0.1]}},\n"
                             "    at: [0, 0, 0.05]}\n",
                             friction);
}

// a block on a table that oscillates with a period of four steps
static bool shaken(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\nallow-unusual: true\n"
        "time: {step: 1 ms, end: 1000 s, scheme: backward-euler}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0.5,\n"
        "  contact: {stiffness: 1e6, dissipation: 10}}}\n"
        "bodies:\n"
        "  table: {material: m, shape: {box: {size: [1, 1, 0.1]}}, at: [0, 0, -0.05]}\n"
        "  block: {material: m, shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, 0, 0.05]}\n"
        "joints:\n"
        "  rail: {kind: prismatic, parent: world, child: table, axis: [1, 0, 0]}\n"
        "actuators:\n"
        "  shaker: {joint: rail, kind: prescribed, target: {amplitude: 1 mm, frequency: 250 "
        "Hz}}\n");
    double max = 0;
    if (ok) {
        StressRun run = stress_run(&stand, 200);
        for (int k = 0; k < 1000 && !run.stopped; k++) {
            run = stress_run(&stand, 1);
            max = fmax(max, fabs(stress_speed(&stand, "block").x));
        }
        // a deceleration of 0.5 g over half a period, 2 ms, changes the block's speed by 1 cm/s
        ok = lithe_trial_add(trial, at_most(max + (double)run.stopped, 0.5 * 9.81 * 2e-3),
                             "block on a shaken table: speed [m/s]");
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_stress_friction_extremes(LitheTrial *trial) {
    static const double free[] = {0, 1e-12}, stuck[] = {1, 10, 1e6};
    bool ok = true;
    for (int k = 0; ok && k < 2; k++) {
        LitheStand stand;
        ok = slope(trial, &stand, free[k]);
        StressRun run = ok ? stress_run(&stand, 500) : (StressRun){0};
        ok = ok &&
             lithe_trial_add(trial, near_to(stress_speed(&stand, "block").x, 4.905, 1e-9),
                             "mu = %g: speed after 1 s [m/s]", free[k]) &&
             lithe_trial_add(trial, at_most((double)(run.stopped + run.flagged), 0),
                             "mu = %g: steps flagged", free[k]);
        lithe_stand_end(&stand);
    }
    for (int k = 0; ok && k < 3; k++) {
        LitheStand stand;
        ok = slope(trial, &stand, stuck[k]);
        StressRun run = ok ? stress_run(&stand, 500) : (StressRun){0};
        LitheVec3 start = ok ? stress_body(&stand, "block") : (LitheVec3){0};
        if (ok && !run.stopped)
            run = stress_run(&stand, 5000);
        // the limit is a mean creep of 1 um/s
        ok = ok &&
             lithe_trial_add(trial,
                             at_most(stress_distance(stress_body(&stand, "block"), start), 1e-5),
                             "mu = %g: creep in 10 s [m]", stuck[k]) &&
             lithe_trial_add(trial, at_most((double)(run.stopped + run.flagged), 0),
                             "mu = %g: steps flagged", stuck[k]);
        lithe_stand_end(&stand);
    }
    return ok && shaken(trial) &&
           lithe_stress_plot(trial, "Friction of zero, of a million, and on a shaken table");
}

// --- stress_energy_monotone ----------------------------------------------------------------------

// kinetic, elastic and potential energy, and that of the contact springs
static bool total_energy(LitheTrial *trial, const LitheStand *stand, LitheContacts *contacts,
                         double *sum) {
    LitheEnergy e = lithe_energy(stand->model, stand->state);
    if (lithe_find_contacts(stand->model, stand->state, 0, contacts, &trial->error) != LITHE_OK)
        return false;
    *sum = e.kinetic + e.elastic + e.gravity;
    for (int32_t i = 0; i < lithe_contact_count(contacts); i++) {
        const LitheContact *c = &lithe_contact_data(contacts)[i];
        *sum += 0.5 * c->stiffness * c->gap * c->gap * (c->gap < 0);
    }
    return true;
}

bool lithe_case_stress_energy_monotone(LitheTrial *trial) {
    LitheStand stand;
    LitheContacts *contacts = lithe_contacts_create(trial->context);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1000 s, scheme: backward-euler}\n"
        "materials: {m: {young: 10 MPa, density: 1000, friction: 0.4, damping: {mass: 0.2,\n"
        "  stiffness: 1e-4}, contact: {stiffness: 1e5, dissipation: 0.5}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
        "  ball: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, 0.3],\n"
        "    velocity: [0.5, 0, 0]}\n"
        "  other: {material: m, shape: {sphere: {radius: 0.04}}, at: [0.02, 0.01, 0.45]}\n"
        "rods:\n"
        "  rod: {material: m, section: {circle: {radius: 5 mm}}, nodes: 21,\n"
        "    shape: {line: {from: [-0.2, 0, 0.15], to: [0.2, 0.02, 0.2]}}}\n");
    double before = 0, now = 0, first = 0, rise = 0, x[500], y[500];
    int32_t kept = 0;
    ok = ok && contacts && total_energy(trial, &stand, contacts, &before);
    first = before;
    for (int k = 0; ok && k < 2000; k++) {
        StressRun run = stress_run(&stand, 1);
        ok = total_energy(trial, &stand, contacts, &now);
        rise = fmax(rise, now - before + (double)run.stopped);
        before = now;
        if (k % 4 == 0) {
            x[kept] = 1e-3 * (k + 1);
            y[kept++] = now;
        }
    }
    lithe_contacts_destroy(contacts);
    lithe_stand_end(&stand);
    trial->plot.title = "Two balls and a rod fall: energy, including contact springs";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "energy [J]";
    return ok &&
           lithe_trial_add(trial, at_most(rise / first, 1e-6),
                           "largest increase of the energy in a step, relative") &&
           lithe_trial_curve(trial, "", false, x, y, kept);
}

// --- stress_million_steps ------------------------------------------------------------------------

typedef struct Million {
    const char *name, *scene, *body;
} Million;

static const Million million[] = {
    {"resting box",
     "bodies:\n"
     "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
     "  box: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.05]}\n",
     "box"},
    {"pendulum",
     "bodies:\n"
     "  bob: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 0, -1]}\n"
     "joints:\n"
     "  pin: {kind: revolute, parent: world, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}\n",
     "bob"},
    {"chain of 3 rings",
     "rods:\n"
     "  ring: {repeat: {i: 3}, material: m, section: {circle: {radius: 2 mm}}, nodes: 12,\n"
     "    natural: {from: shape}, shape: {ring: {radius: 10 mm,\n"
     "      rotate: {axis: [0, 0, 1], angle: 90 deg*i}, at: [0, 0, -15 mm*i]}}}\n"
     "holds: {top: {on: \"ring/0[3]\"}}\n",
     NULL},
};

bool lithe_case_stress_million_steps(LitheTrial *trial) {
    int64_t steps = trial->refine > 1 ? 1000000 : 100000;
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        LitheStand stand;
        int64_t all = i == 2 ? steps / 10 : steps;
        ok = lithe_stand_parse(
            trial, &stand,
            "lithe: 1\n"
            "time: {step: 1 ms, end: 1e6 s, scheme: backward-euler}\n"
            "materials: {m: {young: 10 MPa, density: 1000, friction: 0.5,\n"
            "  damping: {mass: 5}, contact: {stiffness: 1e5, dissipation: 5}}}\n%s",
            million[i].scene);
        // the first tenth: the scene comes to rest and all buffers are allocated
        StressRun run = ok ? stress_run(&stand, all / 10) : (StressRun){0};
        double bytes = (double)lithe_context_bytes(trial->context), start = lithe_clock();
        LitheVec3 at =
            ok && million[i].body ? stress_body(&stand, million[i].body) : (LitheVec3){0, 0, 0};
        int64_t part = all * 9 / 20;
        run = ok && !run.stopped ? stress_run(&stand, part) : run;
        double half = lithe_clock();
        run = ok && !run.stopped ? stress_run(&stand, part) : run;
        double end = lithe_clock();
        double grown = (double)lithe_context_bytes(trial->context) / bytes - 1;
        ok = ok &&
             lithe_trial_add(trial, at_most((double)(run.stopped + !run.finite), 0),
                             "%s, %g steps: run stopped", million[i].name, (double)all) &&
             lithe_trial_add(trial, at_most(grown, 0.01), "%s: growth of its memory",
                             million[i].name) &&
             (!million[i].body ||
              lithe_trial_add(
                  trial, at_most(stress_distance(stress_body(&stand, million[i].body), at), 1e-6),
                  "%s: displacement [m]", million[i].name));
        // times are only reported, so their limit is infinite
        ok = ok && lithe_trial_add(trial, at_most((end - half) / (half - start), INFINITY),
                                   "%s: time of the second half / first half", million[i].name);
        lithe_stand_end(&stand);
    }
    return ok && lithe_stress_plot(trial, "A million steps of objects at rest");
}
