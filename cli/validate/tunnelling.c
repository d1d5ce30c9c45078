// SPDX-License-Identifier: Apache-2.0
// cli/validate/tunnelling.c - no tunnelling: rods thrown at a rod and at a thin plate, a knot
// pulled at 8 m/s, chain mail that falls from 2 m; verified by an independent check

#include "cli/validate/passing.h"
#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/knot.h"
#include "geom/linking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LitheFinding equal_to(double measured, double reference) {
    return (LitheFinding){
        .measured = measured, .coarse = NAN, .reference = reference, .kind = LITHE_ERROR_ABSOLUTE};
}

// --- a simulation with an independent check for passages -----------------------------------------

typedef struct Watched {
    LitheStand stand;
    Passing passing;
    int64_t contacts; // sum over the steps
} Watched;

static bool watch(LitheTrial *trial, Watched *w) {
    int64_t edges = w->stand.model->edge_count;
    w->passing = (Passing){.model = w->stand.model};
    w->passing.edges = lithe_alloc_array(trial->context, edges, sizeof *w->passing.edges);
    if (!w->passing.edges)
        return lithe_fail_memory(&trial->error, "the observed edges") == LITHE_OK;
    w->stand.work->watch = passing_watch;
    w->stand.work->watch_user = &w->passing;
    return true;
}

static void unwatch(LitheTrial *trial, Watched *w) {
    lithe_free(trial->context, w->passing.edges);
    lithe_stand_end(&w->stand);
}

// steps that did not converge are accepted here, but not a run that stops early
static bool step(LitheTrial *trial, Watched *w) {
    LitheReport report;
    if (lithe_step(w->stand.model, w->stand.state, w->stand.work, &report, &trial->error) !=
        LITHE_OK)
        return false;
    w->contacts += report.contacts;
    return true;
}

static double lowest(const LitheStand *stand) {
    double z = INFINITY;
    for (int32_t r = 1; r <= lithe_rod_count(stand->model); r++) {
        const double *q = lithe_rod_q(stand->model, stand->state, (LitheRodId){r});
        for (int32_t i = 0; i < lithe_rod_node_count(stand->model, (LitheRodId){r}); i++)
            z = fmin(z, q[4 * i + 2]);
    }
    return z;
}

// --- thrown rods ---------------------------------------------------------------------------------

static const char *const thrown =
    "lithe: 1\n"
    "gravity: none\n"
    "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
    "materials: {cord: {young: 10 MPa, density: 1000 kg/m^3, contact: {stiffness: 1e5}}}\n"
    "rods:\n"
    "  bullet:\n"
    "    material: cord\n"
    "    section: {circle: {radius: 1 mm}}\n"
    "    shape: {line: {from: [-5 cm, 1 mm, 3 cm], to: [5 cm, 0, 3 cm]}}\n"
    "    nodes: 21\n"
    "    velocity: [0, 0, %g]\n"
    "%s";

static const char *const at_rod = "  target:\n"
                                  "    material: cord\n"
                                  "    section: {circle: {radius: 1 mm}}\n"
                                  "    shape: {line: {from: [0, -5 cm, 0], to: [0, 5 cm, 0]}}\n"
                                  "    nodes: 22\n"
                                  "    clamped: both\n";
static const char *const at_plate =
    "bodies:\n"
    "  plate: {material: cord, fixed: true, shapes: [{box: {size: [20 cm, 20 cm, 1 mm]}}]}\n";

// height of the midpoint of the other rod, or of the upper face of the plate
static double height_of_target(const LitheStand *stand) {
    if (lithe_rod_count(stand->model) < 2)
        return 0.5e-3;
    const double *q = lithe_rod_q(stand->model, stand->state, (LitheRodId){2});
    return 0.5 * (q[4 * 10 + 2] + q[4 * 11 + 2]);
}

// simulates the time in which the rod would travel 6 cm, twice the initial distance
static bool throw_rod(LitheTrial *trial, double speed, bool plate, Watched *w, double *low) {
    memset(w, 0, sizeof *w);
    bool ok = lithe_stand_parse(trial, &w->stand, thrown, -speed, plate ? at_plate : at_rod) &&
              watch(trial, w);
    double x[64], y[64];
    int32_t steps = (int32_t)fmax(10, ceil(0.06 / (1e-3 * speed))), kept = 0;
    *low = INFINITY;
    for (int32_t k = 0; ok && k < steps; k++) {
        ok = step(trial, w);
        *low = fmin(*low, ok ? lowest(&w->stand) : 0);
        if (ok && kept < 64) {
            const double *q = lithe_rod_q(w->stand.model, w->stand.state, (LitheRodId){1});
            x[kept] = (k + 1) * 1e-3 * speed / 0.03;
            y[kept++] = 1e3 * (q[4 * 10 + 2] - height_of_target(&w->stand));
        }
    }
    char label[64];
    snprintf(label, sizeof label, "%g m/s at a %s", speed, plate ? "plate" : "rod");
    return ok && lithe_trial_curve(trial, label, true, x, y, kept);
}

static bool thrown_rods(LitheTrial *trial) {
    bool ok = true;
    for (double speed = 1; ok && speed <= 100; speed *= 10) {
        Watched w;
        double low;
        ok = throw_rod(trial, speed, false, &w, &low) &&
             lithe_trial_add(trial, at_most((double)w.passing.crossings, 0),
                             "rod at a rod, %g m/s: crossings", speed) &&
             // a rod that misses its target would have no crossings either
             lithe_trial_add(trial, at_most(w.contacts > 0 ? 0 : 1, 0),
                             "rod at a rod, %g m/s: without contact", speed);
        unwatch(trial, &w);
    }
    for (double speed = 1; ok && speed <= 1000; speed *= 10) {
        Watched w;
        double low;
        ok = throw_rod(trial, speed, true, &w, &low) &&
             lithe_trial_add(trial, at_most(0.5e-3 - low, 0),
                             "rod at a plate of 1 mm, %g m/s: depth [m]", speed);
        unwatch(trial, &w);
    }
    return ok;
}

// --- a knot at 8 m/s -----------------------------------------------------------------------------

static bool fast_knot(LitheTrial *trial) {
    enum { NODES = 301, EACH = 10 };
    Watched w = {0};
    bool ok = lithe_stand_parse(
        trial, &w.stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: 0.1 ms, end: 1 s, scheme: backward-euler}\n"
        "materials:\n"
        "  rubber: {young: 18 MPa, poisson: 0.5, density: 1000, friction: 0, damping: {mass: 1},\n"
        "    contact: {stiffness: 1e5, dissipation: 0.01}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: 1.5 mm}}, nodes: %d,\n"
        "    shape: {overhand-knot: {unknotting: 4, length: 1 m}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0], speed: 4, stiffness: 1e6,\n"
        "    along-only: true}\n"
        "  right: {on: rope.end, direction: [1, 0, 0], speed: 4, stiffness: 1e6,\n"
        "    along-only: true}\n",
        NODES);
    ok = ok && watch(trial, &w);
    int32_t frames = trial->refine > 1 ? 70 : 30, kept = 0;
    Vec3 points[NODES];
    for (int32_t f = 0; ok && f < frames; f++) {
        for (int32_t k = 0; ok && k < EACH; k++)
            ok = step(trial, &w);
        const double *q = ok ? lithe_rod_q(w.stand.model, w.stand.state, (LitheRodId){1}) : NULL;
        for (int32_t i = 0; ok && i < NODES; i++)
            points[i] = v3_load(q + 4 * i);
        kept += ok && lithe_knot_determinant(points, NODES, trial->context, NULL) == 9;
    }
    ok = ok &&
         lithe_trial_add(trial, at_most((double)w.passing.crossings, 0),
                         "knot n = 4 pulled at 8 m/s: crossings") &&
         lithe_trial_add(trial, equal_to((double)kept / frames, 1),
                         "the same: fraction of frames with determinant 9");
    unwatch(trial, &w);
    return ok;
}

// --- chain mail ----------------------------------------------------------------------------------

// sum of |linking number| of all pairs of rods
static int64_t linking_sum(const LitheStand *stand) {
    enum { EACH = 16 };
    int64_t sum = 0, number;
    for (int32_t a = 1; a <= lithe_rod_count(stand->model); a++)
        for (int32_t b = a + 1; b <= lithe_rod_count(stand->model); b++) {
            Vec3 p[EACH], s[EACH];
            const double *x = lithe_rod_q(stand->model, stand->state, (LitheRodId){a});
            const double *y = lithe_rod_q(stand->model, stand->state, (LitheRodId){b});
            for (int i = 0; i < EACH; i++) {
                p[i] = v3_load(x + 4 * i);
                s[i] = v3_load(y + 4 * i);
            }
            sum += lithe_linking_number(p, EACH, s, EACH, &number) ? llabs(number) : 0;
        }
    return sum;
}

// With --long the mail falls from `height`; else it starts just above the floor, at the speed that
// it would have there.
static bool drop_mail(LitheTrial *trial, int size, double height, double time) {
    Watched w = {0};
    bool falls = trial->refine > 1;
    bool ok = lithe_stand_parse(
        trial, &w.stand,
        "lithe: 1\n"
        "parameters: {radius: 10 mm}\n"
        "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
        "materials:\n"
        "  polyurethane: {young: 50 MPa, density: 1000, friction: 0.2,\n"
        "    contact: {stiffness: 2e4, dissipation: 5}}\n"
        "rods:\n"
        "  ring:\n"
        "    repeat: {i: %d, j: %d}\n"
        "    material: polyurethane\n"
        "    section: {circle: {radius: 0.15*radius}}\n"
        "    shape: {ring: {radius: radius,\n"
        "      rotate: {axis: [1, 0, 0], angle: 90 deg + 34 deg*cos(180 deg*j)},\n"
        "      at: [2.5*radius*(i + sin(90 deg*j)^2/2), 0, 0.62*radius*(%d - j) + %.17g m]}}\n"
        "    velocity: [0, 0, %.17g]\n"
        "    natural: {from: shape}\n"
        "    nodes: 16\n"
        "bodies:\n"
        "  floor: {fixed: true, material: polyurethane, shape: {half-space: {}}}\n",
        size, size, size, falls ? height : 0.02, falls ? 0 : -sqrt(2 * 9.81 * height));
    ok = ok && watch(trial, &w);
    int64_t first = ok ? linking_sum(&w.stand) : 0, changed = 0;
    double low = INFINITY, fall = falls ? sqrt(2 * height / 9.81) : 0;
    for (int64_t k = 0; ok && k < (int64_t)ceil((time + fall) / 1e-3); k++) {
        ok = step(trial, &w);
        low = fmin(low, ok ? lowest(&w.stand) : 0);
        int64_t now = ok && k % 10 == 9 ? linking_sum(&w.stand) : first;
        changed += now != first;
    }
    ok = ok &&
         lithe_trial_add(trial, at_most((double)w.passing.crossings, 0),
                         "mail of %d rings from %g m: crossings", size * size, height) &&
         lithe_trial_add(trial, at_most(-low, 0), "the same: depth in the floor [m]") &&
         lithe_trial_add(trial, at_most(low, 1.5e-3), "the same: height above the floor [m]") &&
         // rings that were never linked would not change their links either
         lithe_trial_add(trial, at_most(first > size * size ? 0 : 1, 0),
                         "the same: fewer links than rings") &&
         lithe_trial_add(trial, at_most((double)changed, 0),
                         "the same: frames in which links changed");
    unwatch(trial, &w);
    return ok;
}

bool lithe_case_no_tunnelling(LitheTrial *trial) {
    trial->plot.title = "Rods thrown at a rod and at a plate of 1 mm";
    trial->plot.x_label = "displacement without contact / initial distance";
    trial->plot.y_label = "height of the rod's midpoint above the target [mm]";
    trial->plot.log_x = true;
    return thrown_rods(trial) && fast_knot(trial) &&
           drop_mail(trial, trial->refine > 1 ? 10 : 4, 2, trial->refine > 1 ? 0.1 : 0.06);
}
