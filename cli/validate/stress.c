// SPDX-License-Identifier: Apache-2.0
// cli/validate/stress.c - too long and too short steps, extreme ratios of stiffness and mass, too
// few iterations, numbers that are not finite, very small and very large scenes

#include "cli/validate/stress.h"

#include "cli/validate/passing.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/knot.h"

#include <stdio.h>
#include <string.h>

bool lithe_stress_plot(LitheTrial *trial, const char *title) {
    enum { MAX = 64 };
    double x[MAX], y[MAX], one[2] = {1, 1}, ends[2] = {0.5, 1.5};
    int32_t count = 0;
    for (int32_t i = 0; i < trial->count && count < MAX; i++) {
        const LitheFinding *f = &trial->findings[i];
        double limit = f->kind == LITHE_ERROR_AT_MOST ? f->reference : f->tolerance;
        double error =
            f->kind == LITHE_ERROR_AT_MOST ? f->measured : lithe_finding_error(f, f->measured);
        // a limit of 0: the fraction is 0 when it is met, 2 when it is exceeded
        double fraction = limit > 0 ? error / limit : error > limit ? 2 : 0;
        x[count] = count + 1;
        y[count++] = fmax(0, fmin(2, fraction));
        ends[1] = count + 0.5;
    }
    trial->plot.title = title;
    trial->plot.x_label = "quantity, in the order of the table";
    trial->plot.y_label = "measured / limit, clipped at 2";
    return lithe_trial_curve(trial, "limit", false, ends, one, 2) &&
           lithe_trial_curve(trial, "measured", true, x, y, count);
}

// --- stress_huge_dt ------------------------------------------------------------------------------

static bool huge_knot(LitheTrial *trial, double times) {
    enum { NODES = 121 };
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: %.17g, end: 10 s, scheme: backward-euler}\n"
        "materials:\n"
        "  rubber: {young: 18 MPa, poisson: 0.5, density: 1000, friction: 0, damping: {mass: 1},\n"
        "    contact: {stiffness: 1e5, dissipation: 0.01}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: 3 mm}}, nodes: %d,\n"
        "    shape: {overhand-knot: {unknotting: 2, length: 1 m}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0], speed: 0.4, stiffness: 1e6,\n"
        "    along-only: true}\n"
        "  right: {on: rope.end, direction: [1, 0, 0], speed: 0.4, stiffness: 1e6,\n"
        "    along-only: true}\n",
        1e-4 * times, NODES);
    Passing passing = {.model = stand.model};
    if (ok)
        passing.edges = lithe_alloc_array(trial->context, NODES, sizeof *passing.edges);
    if (ok && passing.edges) {
        stand.work->watch = passing_watch;
        stand.work->watch_user = &passing;
        StressRun run = stress_run(&stand, (int64_t)ceil(0.4 / (1e-4 * times)));
        Vec3 points[NODES];
        const double *q = lithe_rod_q(stand.model, stand.state, (LitheRodId){1});
        for (int i = 0; i < NODES; i++)
            points[i] = v3_load(q + 4 * i);
        double knot = (double)lithe_knot_determinant(points, NODES, trial->context, NULL);
        ok = lithe_trial_add(trial, at_most((double)run.stopped + !run.finite, 0),
                             "knot, step x%g: run stopped", times) &&
             lithe_trial_add(trial, at_most((double)passing.crossings, 0),
                             "knot, step x%g: crossings", times) &&
             lithe_trial_add(trial, near_to(knot, 5, 0), "knot, step x%g: determinant", times);
    }
    lithe_free(trial->context, passing.edges);
    lithe_stand_end(&stand);
    return ok;
}

static bool huge_capstan(LitheTrial *trial, double times) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "parameters: {R: 30 mm, r: 1 mm, wrap: (R + r)/cos(pi/80), edge: wrap*pi/40}\n"
        "time: {step: %.17g, end: 10 s, scheme: backward-euler}\n"
        "gravity: none\n"
        "materials: {smooth: {young: 100 kPa, density: 1000, friction: 0.2,\n"
        "  contact: {stiffness: 1e4, dissipation: 1}}}\n"
        "rods:\n"
        "  rope:\n"
        "    material: smooth\n"
        "    section: {stiffness: {EA: 31.4, EI: 7.85e-8, GJ: 5.24e-8, mass-per-length: 3.14e-3,\n"
        "      radius: r}}\n"
        "    shape: {path: {pieces: [{straight: 12*edge}, {turn: 1 turn, radius: wrap,\n"
        "      climb: 4*r}, {straight: 12*edge}], at: [-12*edge, -wrap, -2*r]}}\n"
        "    natural: {from: shape}\n"
        "    self-contact: false\n"
        "    nodes: 105\n"
        "bodies:\n"
        "  post: {fixed: true, material: smooth, shape: {cylinder: {radius: R, length: 40 mm}}}\n"
        "holds:\n"
        "  held: {on: rope.start}\n"
        "forces:\n"
        "  pull: {on: rope.end, force: [1 N, 0, 0], profile: {rate: 0.01}}\n",
        1e-3 * times);
    if (ok) {
        StressRun run = stress_run(&stand, (int64_t)ceil(2 / (1e-3 * times)));
        double inside = 0;
        const double *q = lithe_rod_q(stand.model, stand.state, (LitheRodId){1});
        for (int i = 0; i < 105; i++)
            if (fabs(q[4 * i + 2]) < 0.02)
                inside = fmax(inside, 0.03 - hypot(q[4 * i], q[4 * i + 1]));
        ok = lithe_trial_add(trial, at_most((double)run.stopped + !run.finite, 0),
                             "capstan, step x%g: run stopped", times) &&
             lithe_trial_add(trial, at_most(inside, 0),
                             "capstan, step x%g: overlap with the post [m]", times);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_stress_huge_dt(LitheTrial *trial) {
    bool ok = true;
    for (double times = 10; ok && times <= 1000; times *= 10)
        ok = huge_capstan(trial, times) && huge_knot(trial, times);
    return ok && lithe_stress_plot(trial, "Steps far too long: a rope round a post, a knot");
}

// --- stress_tiny_dt ------------------------------------------------------------------------------

bool lithe_case_stress_tiny_dt(LitheTrial *trial) {
    enum { STEPS = 10000 };
    LitheStand stand;
    // both blocks start in equilibrium, each on the contact springs of its four lower corners
    double sunk = 9.81 / (4 * 5e4), h = 1e-9, t = STEPS * h;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g, end: 1 s, scheme: backward-euler}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0.3, contact: {stiffness: 1e5}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
        "  rests: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, %.17g]}\n"
        "  slides: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [1, 0, %.17g],\n"
        "    velocity: [2, 0, 0]}\n"
        "  flies: {material: m, shape: {sphere: {radius: 0.05}}, at: [0, 1, 1],\n"
        "    velocity: [3, 0, 0]}\n",
        h, 0.05 - sunk, 0.05 - sunk);
    if (ok) {
        StressRun run = stress_run(&stand, STEPS);
        LitheVec3 rests = stress_body(&stand, "rests"), flies = stress_body(&stand, "flies");
        double slowed = (2 - stress_speed(&stand, "slides").x) / t;
        ok = lithe_trial_add(trial, at_most((double)(run.stopped + run.flagged), 0),
                             "steps of 1e-9 s that stopped or were flagged") &&
             lithe_trial_add(trial,
                             at_most(stress_distance(rests, (LitheVec3){0, 0, 0.05 - sunk}), 1e-12),
                             "block at rest: displacement in 1e4 steps [m]") &&
             lithe_trial_add(trial, near_to(slowed, 0.3 * 9.81, 1e-3),
                             "sliding block: deceleration [m/s^2]") &&
             lithe_trial_add(trial, near_to(flies.x, 3 * t, 1e-9),
                             "flying ball: displacement [m]") &&
             lithe_trial_add(trial, near_to(-stress_speed(&stand, "flies").z, 9.81 * t, 1e-9),
                             "flying ball: vertical speed [m/s]");
    }
    lithe_stand_end(&stand);
    return ok && lithe_stress_plot(trial, "Ten thousand steps of a nanosecond");
}

// --- stress_stiff_ratio --------------------------------------------------------------------------

bool lithe_case_stress_stiff_ratio(LitheTrial *trial) {
    LitheStand stand;
    // a light box (1 g) with hard contacts under a tonne with soft ones: ratios 1e6 and 1e8
    double mass = 1000, soft = 5e6, hard = 5e14, sunk = mass * 9.81 / (4 * soft);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\nallow-unusual: true\n"
        "time: {step: 1 ms, end: 1000 s, scheme: backward-euler}\n"
        "materials:\n"
        "  hard: {young: 1 GPa, density: 1, friction: 0.5, contact: {stiffness: %g, dissipation: "
        "1}}\n"
        "  soft: {young: 1 GPa, density: 1e6, friction: 0.5, contact: {stiffness: %g, "
        "dissipation: 10}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
        "  feather: {material: hard, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.05]}\n"
        "  tonne: {material: soft, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.15]}\n",
        hard, soft);
    if (ok) {
        StressRun run = stress_run(&stand, 3000);
        LitheVec3 feather = stress_body(&stand, "feather"), tonne = stress_body(&stand, "tonne");
        LitheVec3 v = stress_speed(&stand, "tonne");
        ok = lithe_trial_add(trial, at_most((double)(run.stopped + run.flagged), 0),
                             "steps that stopped or were flagged") &&
             lithe_trial_add(trial, at_most(fabs(feather.z - 0.05), 1e-4),
                             "overlap of light box and floor [m]") &&
             lithe_trial_add(trial, near_to(0.1 - (tonne.z - feather.z), sunk, 0.01),
                             "overlap of heavy box and light box [m]") &&
             lithe_trial_add(trial, at_most(hypot(tonne.x, tonne.y), 1e-6),
                             "heavy box: lateral displacement [m]") &&
             lithe_trial_add(trial, at_most(hypot(hypot(v.x, v.y), v.z), 1e-4),
                             "heavy box: speed after 3 s [m/s]");
    }
    lithe_stand_end(&stand);
    return ok && lithe_stress_plot(trial, "Masses 1e6 and stiffnesses 1e8 apart in one stack");
}

// --- stress_rank_deficient_contact ---------------------------------------------------------------

// a slab of 4 kg made of n by n boxes, `copies` of each: 4 n^2 copies contacts
static bool slab(LitheTrial *trial, LitheStand *stand, int n, int copies) {
    memset(stand, 0, sizeof *stand);
    size_t size = 1000 + 120 * (size_t)(n * n * copies), used;
    char *text = lithe_alloc(trial->context, size);
    if (!text)
        return lithe_fail_memory(&trial->error, "a scene") == LITHE_OK;
    used = (size_t)snprintf(text, size,
                            "lithe: 1\n"
                            "time: {step: 2 ms, end: 1000 s, scheme: backward-euler}\n"
                            "gravity: [2, 0, -9.81]\n"
                            "contact: {tolerance: 1e-8}\n"
                            "materials: {m: {young: 1 GPa, density: 1000, friction: 0.5,\n"
                            "  contact: {stiffness: %.17g, dissipation: 1}}}\n"
                            "bodies:\n"
                            "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                            "  slab:\n"
                            "    mass: 4\n"
                            "    inertia: [0.02, 0.02, 0.03, 0, 0, 0]\n"
                            "    at: [0, 0, 0.05]\n"
                            "    shapes:\n",
                            4e5 / (n * n * copies));
    double s = 0.2 / n;
    for (int i = 0; i < n * n * copies; i++)
        used += (size_t)snprintf(text + used, size - used,
                                 "      - {box: {size: [%.9g, %.9g, 0.1]}, material: m, at: "
                                 "[%.9g, %.9g, 0]}\n",
                                 s, s, s * ((i / copies) / n + 0.5) - 0.1,
                                 s * ((i / copies) % n + 0.5) - 0.1);
    bool ok = lithe_scene_parse(trial->context, text, used, "case", NULL, NULL, 0, &stand->scene,
                                &trial->error) == LITHE_OK &&
              lithe_stand_compile(trial, stand);
    lithe_free(trial->context, text);
    return ok;
}

static bool many_contacts(LitheTrial *trial, int n, int copies) {
    LitheStand stand;
    bool ok = slab(trial, &stand, n, copies);
    if (ok) {
        StressRun run = stress_run(&stand, n > 20 ? 100 : 300);
        double x = 0, z = 0, weight = 4 * 9.81;
        int32_t count = lithe_work_contact_count(stand.work);
        for (int32_t k = 0; k < count; k++) {
            LitheContactForce f = lithe_work_contact(stand.work, k);
            double sign = f.contact.b.thing.number == 2 ? 1 : -1;
            x += sign * f.force.x;
            z += sign * f.force.z;
        }
        const char *doubled = copies > 1 ? ", each box twice" : "";
        ok = lithe_trial_add(trial, near_to(z, weight, 1e-6), "%d contacts%s: force up [N]", count,
                             doubled) &&
             lithe_trial_add(trial, near_to(x, -8, 1e-6 * weight / 8),
                             "%d contacts%s: friction [N]", count, doubled) &&
             lithe_trial_add(trial, at_most((double)(run.stopped + run.flagged), 0),
                             "%d contacts%s: steps flagged", count, doubled);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_stress_rank_deficient_contact(LitheTrial *trial) {
    return many_contacts(trial, 1, 1) && many_contacts(trial, 5, 1) && many_contacts(trial, 5, 2) &&
           (trial->refine == 1 || many_contacts(trial, 50, 1)) &&
           lithe_stress_plot(trial, "A box on 4, 100, 200 (10000 with --long) contacts");
}

// --- stress_solver_fail --------------------------------------------------------------------------

bool lithe_case_stress_solver_fail(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
        "contact: {max-iterations: 1, passes: 2}\n"
        "materials: {m: {young: 1 GPa, density: 1000, friction: 0.5, contact: {stiffness: 1e5}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
        "  box: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.1],\n"
        "    velocity: [1, 0.3, -3], spin: [3, 9, 2]}\n"
        "rods:\n"
        "  rod: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
        "    shape: {line: {from: [-0.1, 0, 0.17], to: [0.1, 0.02, 0.17]}}}\n");
    int64_t silent = 0, flagged = 0, stopped = 0;
    for (int k = 0; ok && k < 150 && !stopped; k++) {
        LitheReport report = {0};
        LitheError error;
        stopped = lithe_step(stand.model, stand.state, stand.work, &report, &error) != LITHE_OK;
        bool poor = report.solve_residual > lithe_contact_def_default().tolerance;
        flagged += !stopped && report.solve_unconverged;
        silent += !stopped && poor && !report.solve_unconverged;
    }
    ok = ok &&
         lithe_trial_add(trial, at_most((double)silent, 0),
                         "steps with one iteration that were not flagged") &&
         lithe_trial_add(trial, at_most(flagged + stopped > 0 ? 0 : 1, 0),
                         "no step flagged (flagged %lld, stopped %lld)", (long long)flagged,
                         (long long)stopped) &&
         lithe_trial_add(trial, at_most(!stress_finite(stand.state), 0),
                         "numbers that are not finite");
    lithe_stand_end(&stand);
    return ok && lithe_stress_plot(trial, "A solver that may iterate only once");
}

// --- stress_nan_mid_run --------------------------------------------------------------------------

// sets the speed of a rod to NaN at step 100: the run must stop, name the rod, keep its state, and
// continue when the speed is finite again
bool lithe_case_stress_nan_mid_run(LitheTrial *trial) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
        "materials: {m: {young: 1 GPa, density: 1000, contact: {stiffness: 1e5}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
        "  box: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0, 0, 0.05]}\n"
        "rods:\n"
        "  intact: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
        "    shape: {line: {from: [-0.1, 0, 1], to: [0.1, 0, 1]}}}\n"
        "  faulty: {material: m, section: {circle: {radius: 5 mm}}, nodes: 11,\n"
        "    shape: {line: {from: [-0.1, 1, 1], to: [0.1, 1, 1]}}}\n");
    double bad = 0, same = 0, named = 0, continued = 0;
    if (ok) {
        StressRun run = stress_run(&stand, 100);
        double *v =
            lithe_rod_v_writable(stand.model, stand.state, lithe_rod_find(stand.model, "faulty"));
        double keep = v[9];
        v[9] = NAN;
        uint64_t hash = lithe_state_hash(stand.state);
        StressRun after = stress_run(&stand, 1);
        bad = run.stopped || !after.stopped;
        same = lithe_state_hash(stand.state) == hash;
        named = strstr(after.reason.text, "'faulty'") != NULL;
        v[9] = keep;
        continued = !stress_run(&stand, 10).stopped && stress_finite(stand.state);
    }
    ok = ok && lithe_trial_add(trial, at_most(bad, 0), "NaN in a speed: the step is accepted") &&
         lithe_trial_add(trial, near_to(same, 1, 0), "the state is unchanged") &&
         lithe_trial_add(trial, near_to(named, 1, 0), "the message names the rod") &&
         lithe_trial_add(trial, near_to(continued, 1, 0), "with a finite speed, it continues");
    lithe_stand_end(&stand);
    return ok && lithe_stress_plot(trial, "A number that is not finite, in the middle of a run");
}

// --- stress_resource -----------------------------------------------------------------------------

static bool within_memory(LitheTrial *trial, const char *what, const char *scene, int64_t steps,
                          double max_bytes) {
    LitheStand stand;
    size_t before = lithe_context_bytes(trial->context);
    bool ok = lithe_stand_parse(
        trial, &stand, "lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: backward-euler}\n%s", scene);
    if (ok) {
        StressRun run = stress_run(&stand, steps);
        double bytes = (double)(lithe_context_bytes(trial->context) - before);
        ok = lithe_trial_add(trial, at_most((double)run.stopped + !run.finite, 0),
                             "%s: run stopped", what) &&
             lithe_trial_add(trial, at_most(bytes, max_bytes), "%s: memory [B]", what);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_stress_resource(LitheTrial *trial) {
#define STEEL "materials: {m: {young: 1 GPa, density: 1000, contact: {stiffness: 1e5}}}\n"
    return within_memory(trial, "rod of 2 nodes",
                         STEEL
                         "rods: {r: {material: m, nodes: 2, section: {circle: {radius: 1 cm}}, "
                         "shape: {line: {to: [1, 0, 0]}}}}\n",
                         100, 1e6) &&
           within_memory(
               trial, "rod of 100000 nodes",
               STEEL "rods: {r: {material: m, nodes: 100001, section: {circle: {radius: 1 mm}},\n"
                     "  shape: {line: {to: [1 km, 0, 0]}}, clamped: start}}\n",
               2, 4096.0 * 1e5) &&
           within_memory(trial, "10000 bodies",
                         STEEL "bodies: {b: {repeat: {i: 100, j: 100}, material: m,\n"
                               "  shape: {sphere: {radius: 0.05}}, at: [0.2*i, 0.2*j, 1]}}\n",
                         2, 1e4 * 16384.0) &&
           lithe_stress_plot(trial, "Very small and very large scenes");
#undef STEEL
}
