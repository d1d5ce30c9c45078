// SPDX-License-Identifier: Apache-2.0
// cli/validate/knot_pull.c - knots pulled slowly, under the contact models imc and spt
//
// Experiments K1 to K5 of Choi, Tong, Jawed and Joo, "Implicit contact model for discrete elastic
// rods in knot tying" (2021): a rod of 1 m, radius 1.6 mm, pulled at both ends. With e the length
// that is in the knot (rod less distance of the ends) and R = e/(2 pi), a knot is as tight as
// eps = sqrt(h/R). Its loop bears F h^2/(EI) = eps^4/2 +- mu sigma eps^3 (Audoly et al. 2007).
//
// The quick form of a case pulls the loose knot a little; --long pulls it tight.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>

// the mean pull is judged over windows of this long a way of each end [m]
#define WINDOW 6e-3
#define SIGMA 0.492

typedef struct Pull {
    const char *model;    // of contact
    const char *friction; // of imc
    int number;           // unknotting
    int nodes;
    int plain; // iterations without Hessians of contacts
    double radius, length, young, mu, drag;
    double speed, step;
    double way;  // of each end outward [m] ..
    double back; // .. and inward again
} Pull;

typedef struct Pulled {
    double *eps, *force; // [count] windows: tightness, mean pull [N]
    int32_t count, turn; // windows; the first of the way back
    int64_t steps, iterations;
    int64_t touching, in_band; // steps with pairs; those whose nearest one is -5 to 20 um apart
    double deepest, highest;   // nearest pair of a step, after the knot has settled [m]
    int32_t unconverged;
    double contacts; // mean
} Pulled;

static const Pull usual = {.model = "imc",
                           .friction = "static",
                           .number = 1,
                           .nodes = 301,
                           .radius = 1.6e-3,
                           .length = 1,
                           .young = 1.8e5,
                           .mu = 0.1,
                           .drag = 0.01,
                           .speed = 6e-3,
                           .step = 2.5e-3};

static double EI_of(const Pull *p) {
    return p->young * M_PI / 4 * pow(p->radius, 4);
}

static bool make(LitheTrial *trial, const Pull *p, LitheStand *stand) {
    // there, and back at the same speed
    double there = p->way / p->speed, back = p->back / p->speed;
    bool ok = lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: %.17g, end: %.17g}\n"
        "contact: {model: %s, imc: {friction: %s, plain: %d}}\n"
        "materials: {rubber: {young: %.17g, poisson: 0.5, density: 1180, friction: %.17g}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: %.17g}}, nodes: %d, drag: %.17g,\n"
        "    shape: {overhand-knot: {unknotting: %d, length: %.17g}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0],\n"
        "    motion: {table: [[0, 0], [%.17g, %.17g], [%.17g, %.17g]]}}\n"
        "  right: {on: rope.end, direction: [1, 0, 0],\n"
        "    motion: {table: [[0, 0], [%.17g, %.17g], [%.17g, %.17g]]}}\n",
        p->step, there + back, p->model, p->friction, p->plain, p->young, p->mu, p->radius,
        p->nodes, p->drag, p->number, p->length, there, p->way, there + back + 1e-3,
        p->way - p->back - 1e-3 * p->speed, there, p->way, there + back + 1e-3,
        p->way - p->back - 1e-3 * p->speed);
    stand->rod = ok ? lithe_rod_find(stand->model, "rope") : stand->rod;
    return ok;
}

static double tightness(const Pull *p, const LitheStand *stand) {
    LitheVec3 a = lithe_stand_node(stand, 0), b = lithe_stand_node(stand, -1);
    double x = sqrt(pow(b.x - a.x, 2) + pow(b.y - a.y, 2) + pow(b.z - a.z, 2));
    return sqrt(p->radius * 2 * M_PI / (p->length - x));
}

// the nearest pair of the step, as it was found
static void note_gap(const LitheStand *stand, double settled, Pulled *out) {
    int32_t count = lithe_work_contact_count(stand->work);
    double gap = INFINITY;
    for (int32_t i = 0; i < count; i++)
        gap = fmin(gap, lithe_work_contact(stand->work, i).contact.gap);
    out->contacts += count;
    if (!(gap < 0.15 * 1.6e-3))
        return;
    out->touching++;
    out->in_band += gap >= -5e-6 && gap <= 20e-6;
    if (lithe_state_time(stand->state) > settled) {
        out->deepest = fmin(out->deepest, gap);
        out->highest = fmax(out->highest, gap);
    }
}

// out->eps is to be freed, failed or not
static bool pull(LitheTrial *trial, const Pull *p, Pulled *out) {
    LitheStand stand;
    *out = (Pulled){.highest = -INFINITY};
    bool ok = make(trial, p, &stand);
    int64_t each = (int64_t)fmax(1, lround(WINDOW / p->speed / p->step));
    int32_t there = (int32_t)lround(p->way / WINDOW), back = (int32_t)lround(p->back / WINDOW);
    out->eps = lithe_alloc_array(trial->context, 2 * (int64_t)(there + back), sizeof *out->eps);
    out->force = out->eps + there + back;
    out->turn = there;
    if (!out->eps)
        ok = lithe_fail_memory(&trial->error, "a pull") == LITHE_OK;
    LitheDriveId right = ok ? lithe_drive_find(stand.model, "right") : (LitheDriveId){0};
    for (; ok && out->count < there + back; out->count++) {
        double force = 0, eps = 0;
        for (int64_t k = 0; ok && k < each; k++, out->steps++) {
            LitheReport report;
            ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) ==
                 LITHE_OK;
            if (!ok)
                break;
            out->iterations += report.solve_iterations;
            out->unconverged += report.solve_unconverged || report.friction_unsettled;
            note_gap(&stand, 1, out);
            force += lithe_drive_force(stand.model, stand.state, right) / (double)each;
            eps += tightness(p, &stand) / (double)each;
        }
        out->eps[out->count] = eps;
        out->force[out->count] = force;
    }
    out->contacts /= fmax(1, (double)out->steps);
    lithe_stand_end(&stand);
    return ok;
}

static bool draw(LitheTrial *trial, const Pull *p, const Pulled *run, const char *label) {
    double *y = lithe_alloc_array(trial->context, run->count, sizeof *y);
    int32_t first = 2, count = 0;
    if (!y)
        return lithe_fail_memory(&trial->error, "a curve") == LITHE_OK;
    for (int32_t i = first; i < run->count; i++, count++)
        y[count] = run->force[i] * p->radius * p->radius / EI_of(p);
    bool ok = lithe_trial_curve(trial, label, true, run->eps + first, y, count);
    lithe_free(trial->context, y);
    return ok;
}

static LitheFinding at_most(double measured, double reference) {
    return (LitheFinding){
        .measured = measured, .coarse = NAN, .reference = reference, .kind = LITHE_ERROR_AT_MOST};
}

static LitheFinding near_to(double measured, double reference, double tolerance) {
    return (LitheFinding){.measured = measured,
                          .coarse = NAN,
                          .reference = reference,
                          .tolerance = tolerance,
                          .kind = LITHE_ERROR_RELATIVE};
}

static void set_axes(LitheTrial *trial, const char *title) {
    trial->plot.title = title;
    trial->plot.x_label = "eps = sqrt(h/R)";
    trial->plot.y_label = "F h^2/(EI)";
    trial->plot.log_y = true;
}

static bool settled(LitheTrial *trial, const Pulled *run, const char *name) {
    return lithe_trial_add(trial, at_most(run->unconverged, 0), "%s: steps not converged", name);
}

// mean force of the windows with an eps in [low, high)
static double force_at(const Pulled *run, int32_t first, int32_t end, double low, double high) {
    double sum = 0;
    int32_t count = 0;
    for (int32_t i = first; i < end; i++)
        if (run->eps[i] >= low && run->eps[i] < high) {
            sum += run->force[i];
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

// --- K1: the pull does not depend on the speed ---------------------------------------------------

// the drag of the tails alone is 3 % of the pull of the loose knot at 6 mm/s
bool lithe_case_K1(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    double speeds[3] = {3e-3, 6e-3, 9e-3};
    Pulled runs[3] = {{0}};
    set_axes(trial, "n = 2: the pull at three speeds");
    for (int i = 0; ok && i < 3; i++) {
        Pull p = usual;
        char name[32];
        p.number = 2;
        p.speed = speeds[i];
        p.step = 2.5e-3 * 6e-3 / speeds[i]; // the same way a step
        p.way = longer ? 0.21 : 0.06;
        snprintf(name, sizeof name, "%.0f mm/s", 1e3 * speeds[i]);
        ok = pull(trial, &p, &runs[i]) && settled(trial, &runs[i], name) &&
             draw(trial, &p, &runs[i], name);
    }
    int32_t end = ok ? runs[1].count : 0, first = end - 4;
    for (int i = 0; ok && i < 3; i += 2) {
        double mine = 0, other = 0;
        for (int32_t k = first; k < end; k++) {
            mine += runs[i].force[k];
            other += runs[1].force[k];
        }
        ok = lithe_trial_add(trial, near_to(mine / other, 1, 0.08), "pull at %.0f over 6 mm/s",
                             1e3 * speeds[i]);
    }
    for (int i = 0; i < 3; i++)
        lithe_free(trial->context, runs[i].eps);
    return ok;
}

// --- K2: tightening and loosening ----------------------------------------------------------------

static double theory(double eps, double mu, double sign) {
    return pow(eps, 4) / 2 + sign * mu * SIGMA * pow(eps, 3);
}

static bool draw_theory(LitheTrial *trial, const Pulled *run, double mu, double sign,
                        const char *label) {
    double x[40], y[40], low = run->eps[2], high = low;
    for (int32_t i = 2; i < run->count; i++) {
        low = fmin(low, run->eps[i]);
        high = fmax(high, run->eps[i]);
    }
    for (int i = 0; i < 40; i++) {
        x[i] = low + (high - low) * i / 39;
        y[i] = theory(x[i], mu, sign);
    }
    return lithe_trial_curve(trial, label, false, x, y, 40);
}

// the paper's own rod: the theory holds for thin ones, so the pull is told beside it
bool lithe_case_K2a(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    Pull p = usual;
    Pulled run;
    p.speed = 3e-3;
    p.step = 5e-3;
    p.drag = 5e-4;
    p.way = longer ? 0.24 : 0.06;
    p.back = longer ? 0.12 : 0.03;
    set_axes(trial, "n = 1 tightened and loosened");
    bool ok = pull(trial, &p, &run) && settled(trial, &run, "n = 1") &&
              draw(trial, &p, &run, "measured") &&
              draw_theory(trial, &run, p.mu, 1, "theory, tightening");
    double scale = p.radius * p.radius / EI_of(&p), high = ok ? run.eps[run.turn - 1] : 0;
    double low = ok ? run.eps[run.count - 1] : 0, middle = 0.5 * (low + high), width = 0.003;
    double there = ok ? force_at(&run, 2, run.turn, middle - width, middle + width) : 0;
    double back = ok ? force_at(&run, run.turn, run.count, middle - width, middle + width) : 0;
    ok = ok &&
         lithe_trial_add(trial, near_to(scale * there, theory(middle, p.mu, 1), 0.5),
                         "tightening at eps = %.4f: F h^2/(EI)", middle) &&
         lithe_trial_add(trial, at_most(back / there, 0.6),
                         "loosening over tightening at eps = %.4f", middle);
    lithe_free(trial->context, run.eps);
    return ok;
}

// the rod that the theory is for: thin, and long enough for a wide loop
bool lithe_case_K2b(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    Pull p = usual;
    Pulled run;
    p.radius = 4e-4;
    p.length = 2;
    p.nodes = longer ? 2001 : 1001;
    p.young = 1.8e9;
    p.speed = longer ? 6e-3 : 12e-3;
    p.step = 2.5e-3;
    p.way = longer ? 0.6 : 0.36;
    set_axes(trial, "n = 1 in a thin rod");
    bool ok = pull(trial, &p, &run) && settled(trial, &run, "thin rod") &&
              draw(trial, &p, &run, "measured") &&
              draw_theory(trial, &run, p.mu, 1, "theory, tightening");
    static const double at[] = {0.06, 0.08, 0.1, 0.12, 0.15};
    double scale = p.radius * p.radius / EI_of(&p);
    for (size_t i = 0; ok && i < sizeof at / sizeof *at; i++) {
        double force = force_at(&run, 2, run.count, 0.97 * at[i], 1.03 * at[i]);
        // half of the tails hangs on each end, and all of it moves at its speed
        double tails = p.length - 2 * M_PI * p.radius / (at[i] * at[i]);
        force -= p.drag * p.speed * 0.5 * tails;
        if (!isnan(force))
            ok = lithe_trial_add(trial, near_to(scale * force, theory(at[i], p.mu, 1), 0.25),
                                 "tightening at eps = %.2f: F h^2/(EI)", at[i]);
    }
    lithe_free(trial->context, run.eps);
    return ok;
}

// --- inversion -----------------------------------------------------------------------------------

// the first window from which on the mean pull falls by a tenth within four; -1: none
static int32_t inversion(const Pulled *run) {
    for (int32_t i = 5; i + 4 < run->count; i++)
        for (int32_t k = 1; k <= 4; k++)
            if (run->force[i + k] < 0.9 * run->force[i])
                return i;
    return -1;
}

// --- K3: more friction, more pull, earlier inversion ---------------------------------------------

bool lithe_case_K3(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    Pulled runs[3] = {{0}};
    double at[3] = {0};
    set_axes(trial, "n = 4: the pull at three coefficients of friction");
    for (int i = 0; ok && i < 3; i++) {
        Pull p = usual;
        char name[32];
        p.number = 4;
        p.mu = 0.1 * (i + 1);
        p.speed = 6e-3 + 3e-3 * i;
        p.way = longer ? 0.15 : 0.06;
        snprintf(name, sizeof name, "mu = %.1f", p.mu);
        ok = pull(trial, &p, &runs[i]) && settled(trial, &runs[i], name) &&
             draw(trial, &p, &runs[i], name);
        int32_t when = ok ? inversion(&runs[i]) : -1;
        at[i] = when >= 0 ? runs[i].eps[when] : INFINITY;
    }
    for (int i = 1; ok && i < 3; i++) {
        int32_t window = 8; // before any inversion
        ok =
            lithe_trial_add(trial, at_most(runs[i - 1].force[window] / runs[i].force[window], 0.95),
                            "pull at mu = %.1f over that at %.1f", 0.1 * i, 0.1 * (i + 1)) &&
            (!longer ||
             lithe_trial_add(trial, at_most(at[i] / at[i - 1], 1),
                             "eps of inversion, mu = %.1f over %.1f", 0.1 * (i + 1), 0.1 * i));
    }
    for (int i = 0; i < 3; i++)
        lithe_free(trial->context, runs[i].eps);
    return ok;
}

// --- K4: four knots ------------------------------------------------------------------------------

bool lithe_case_K4(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    static const double ways[] = {0.3, 0.264, 0.252, 0.24};
    set_axes(trial, "Knots n = 1 to 4: the pull");
    for (int n = 1; ok && n <= 4; n++) {
        Pull p = usual;
        Pulled run;
        char name[16];
        p.number = n;
        p.way = longer ? ways[n - 1] : 0.06;
        snprintf(name, sizeof name, "n = %d", n);
        ok = pull(trial, &p, &run) && settled(trial, &run, name) && draw(trial, &p, &run, name);
        double away = ok ? 1 - (double)run.in_band / fmax(1, (double)run.touching) : 1;
        // the start, where the knot comes to rest, is a larger part of a short pull
        ok = ok &&
             lithe_trial_add(trial, at_most(away, longer ? 5e-3 : 3e-2),
                             "%s: share of steps outside -5 to 20 um", name) &&
             (!longer || n < 3 ||
              lithe_trial_add(trial, at_most(inversion(&run) < 0, 0), "%s: does not invert", name));
        lithe_free(trial->context, run.eps);
    }
    return ok;
}

// --- K5: work of imc and spt ---------------------------------------------------------------------

bool lithe_case_K5(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    set_axes(trial, "n = 1 and 4 under imc and spt");
    for (int n = 1; ok && n <= 4; n += longer ? 1 : 3) {
        static const struct {
            const char *model, *friction;
            int plain;
        } kinds[] = {
            {"imc", "static", 0}, {"imc", "paper", 0}, {"imc", "paper", 20}, {"spt", "static", 0}};
        double work[4] = {0};
        for (int k = 0; ok && k < 4; k++) {
            Pull p = usual;
            Pulled run;
            char name[48];
            p.number = n;
            p.model = kinds[k].model;
            p.friction = kinds[k].friction;
            p.plain = kinds[k].plain;
            p.step = 5e-4;
            p.way = longer ? 0.12 : 0.012;
            snprintf(name, sizeof name, "n = %d, %s %s %d", n, p.model, p.friction, p.plain);
            ok = pull(trial, &p, &run);
            work[k] = (double)run.iterations / fmax(1, (double)run.steps);
            // told, not judged: the published ones are 2.2 to 3.2 of imc, 8 to 11 of spt
            ok = ok && lithe_trial_add(trial, at_most(work[k], 100), "%s: iterations a step", name);
            if (ok && trial->plot.curve_count < LITHE_TRIAL_CURVES)
                ok = draw(trial, &p, &run, name);
            lithe_free(trial->context, run.eps);
        }
        ok = ok && lithe_trial_add(trial, at_most(work[0] / work[3], 1),
                                   "n = %d: iterations of imc over those of spt", n);
    }
    return ok;
}
