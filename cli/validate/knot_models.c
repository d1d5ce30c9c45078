// SPDX-License-Identifier: Apache-2.0
// cli/validate/knot_models.c - the same knots under two contact models: comparison of their pulls
//
// The rods of experiments K1 to K5 (knot_pull.c), n = 1 to 4, once under imc and once under convex:
// same rods, friction, drag, speed and step. Pulls are compared as means over windows of 6 mm of
// displacement. While a loop turns over, the pull drops within a window or two. If this begins a
// millimetre later under one model, the pulls differ by a large fraction: there the displacements
// are compared instead.
//
// The quick form pulls the loose knots of 301 nodes; --long pulls knots of 1201 nodes tight, with
// less damping in imc (docs/knots.md describes the effect of longer edges on tight knots, and of
// this damping on loose ones).

#include "cli/validate/validate.h"

#include <stdio.h>

#define RADIUS 1.6e-3 // [m]
#define YOUNG 1.8e5   // [Pa]
#define WINDOW 6e-3   // of displacement [m]
// windows at the start in which the impact that sets the ends in motion still rings
enum { RINGING = 2, MAX_WINDOWS = 60 };
// no loop turns over in the first windows; a wave from the start could be mistaken for it
enum { TURNS_AFTER = 5 };

typedef struct Pulled {
    double displacement[MAX_WINDOWS], force[MAX_WINDOWS]; // of each end [m]; mean of the window [N]
    int32_t count;
    int32_t steps, unconverged;
    int64_t crossings; // avoided by cutting a step
} Pulled;

typedef struct Setup {
    const char *model;
    int number, nodes;
    double speed, displacement; // of each end [m/s], [m]
    double step;                // [s]
    double damping;             // of imc, 0.2 as a default
} Setup;

static bool make(LitheTrial *trial, const Setup *setup, LitheStand *stand) {
    bool ok = lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: %.17g, end: %.17g, scheme: backward-euler}\n"
        "contact: {model: %s, imc: {damping: %.17g}}\n"
        "materials: {rubber: {young: %.17g, poisson: 0.5, density: 1180, friction: 0.1}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: %.17g}}, nodes: %d, drag: 0.01,\n"
        "    shape: {overhand-knot: {unknotting: %d, length: 1}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0], speed: %.17g}\n"
        "  right: {on: rope.end, direction: [1, 0, 0], speed: %.17g}\n",
        setup->step, setup->displacement / setup->speed, setup->model, setup->damping, YOUNG,
        RADIUS, setup->nodes, setup->number, setup->speed, setup->speed);
    stand->rod = ok ? lithe_rod_find(stand->model, "rope") : stand->rod;
    return ok;
}

static bool pull(LitheTrial *trial, const Setup *setup, Pulled *out) {
    LitheStand stand;
    *out = (Pulled){0};
    bool ok = make(trial, setup, &stand);
    int32_t each = (int32_t)lround(WINDOW / setup->speed / setup->step);
    int32_t windows = (int32_t)lround(setup->displacement / WINDOW);
    LitheDriveId right = ok ? lithe_drive_find(stand.model, "right") : (LitheDriveId){0};
    for (; ok && out->count < windows; out->count++) {
        double force = 0;
        for (int32_t k = 0; ok && k < each; k++) {
            LitheReport report;
            ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) ==
                 LITHE_OK;
            if (!ok)
                break;
            out->steps++;
            out->unconverged += report.bodies_unconverged > 0 || report.solve_unconverged ||
                                report.friction_unsettled;
            out->crossings += report.crossings_avoided;
            force += lithe_drive_force(stand.model, stand.state, right) / each;
        }
        out->displacement[out->count] = (out->count + 0.5) * WINDOW;
        out->force[out->count] = force;
    }
    lithe_stand_end(&stand);
    return ok;
}

// --- the comparison ------------------------------------------------------------------------------

static bool draw(LitheTrial *trial, const Pulled *run, bool points, const char *label) {
    double y[MAX_WINDOWS], scale = YOUNG * M_PI / 4 * RADIUS * RADIUS; // EI/h^2 [N]
    for (int32_t i = RINGING; i < run->count; i++)
        y[i] = run->force[i] / scale;
    return lithe_trial_curve(trial, label, points, run->displacement + RINGING, y + RINGING,
                             run->count - RINGING);
}

// the windows in which the loop turns over: from the last one before the pull drops by a tenth to
// the first one after it
typedef struct Turn {
    int32_t first, end; // end 0: none
} Turn;

static Turn turn_of(const Pulled *run) {
    for (int32_t i = TURNS_AFTER; i + 1 < run->count; i++)
        if (run->force[i + 1] < 0.9 * run->force[i]) {
            int32_t k = i + 1;
            while (k + 1 < run->count && run->force[k + 1] < run->force[k])
                k++;
            return (Turn){i, k + 1};
        }
    return (Turn){0};
}

static bool add_differences(LitheTrial *trial, int number, const Pulled *imc,
                            const Pulled *convex) {
    Turn a = turn_of(imc), b = turn_of(convex);
    bool turns = a.end > 0 && b.end > 0;
    int32_t first = a.first < b.first ? a.first : b.first, end = a.end > b.end ? a.end : b.end;
    int32_t count = 0;
    double sum = 0, max = 0, at = 0;
    for (int32_t i = RINGING; i < imc->count; i++) {
        double off = imc->force[i] / convex->force[i] - 1;
        if (turns && i >= first && i < end)
            continue;
        sum += off * off;
        count++;
        if (fabs(off) > max) {
            max = fabs(off);
            at = imc->displacement[i];
        }
    }
    double lost = (double)(imc->unconverged + convex->unconverged) / (imc->steps + convex->steps);
    return lithe_trial_add(trial, at_most(sqrt(sum / count), 0.05),
                           "n = %d: RMS difference of the pulls", number) &&
           lithe_trial_add(trial, at_most(max, 0.05), "n = %d: largest difference, at %.0f mm",
                           number, 1e3 * at) &&
           lithe_trial_add(trial, at_most((a.end > 0) != (b.end > 0), 0),
                           "n = %d: only one model turns over", number) &&
           (!turns ||
            lithe_trial_add(
                trial,
                at_most(fabs(imc->displacement[a.first] - convex->displacement[b.first]), 0.0125),
                "n = %d: turns over at %.0f mm, difference [m]", number,
                1e3 * imc->displacement[a.first])) &&
           lithe_trial_add(trial, at_most(lost, 1e-3), "n = %d: fraction of steps not converged",
                           number) &&
           lithe_trial_add(trial, at_most((double)(imc->crossings + convex->crossings), 0),
                           "n = %d: crossings avoided", number);
}

bool lithe_case_knot_models(LitheTrial *trial) {
    static const double displacements[] = {0.3, 0.264, 0.252, 0.24};
    bool longer = trial->refine > 1, ok = true;
    trial->plot.title = "Knots n = 1 to 4 under convex (lines) and imc (marks)";
    trial->plot.x_label = "displacement of each end [m]";
    trial->plot.y_label = "F h^2/(EI), mean over 6 mm";
    trial->plot.log_y = true;
    for (int n = 1; ok && n <= 4; n++) {
        Setup setup = {.number = n,
                       .nodes = longer ? 1201 : 301,
                       .damping = longer ? 0.05 : 0.2,
                       .speed = longer ? 9e-3 : 6e-3,
                       .step = longer ? 5e-3 : 2.5e-3,
                       .displacement = longer ? displacements[n - 1] : 0.048};
        Pulled imc, convex;
        char name[32];
        snprintf(name, sizeof name, "n = %d", n);
        setup.model = "convex";
        ok = pull(trial, &setup, &convex);
        setup.model = "imc";
        ok = ok && pull(trial, &setup, &imc) && add_differences(trial, n, &imc, &convex) &&
             draw(trial, &convex, false, name) && draw(trial, &imc, true, "");
    }
    return ok;
}
