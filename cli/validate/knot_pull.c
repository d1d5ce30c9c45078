// SPDX-License-Identifier: Apache-2.0
// cli/validate/knot_pull.c - knots pulled slowly, under the contact models imc and spt
//
// Experiments K1 to K5 of Choi, Tong, Jawed and Joo, "Implicit contact model for discrete elastic
// rods in knot tying" (2021): a rod of 1 m, radius 1.6 mm, pulled at both ends. With e the length
// that is in the knot (rod minus distance of the ends) and R = e/(2 pi), the tightness of a knot is
// eps = sqrt(h/R). The pull is F h^2/(EI) = eps^4/2 +- mu sigma eps^3 (Audoly et al. 2007).
//
// By default a case pulls a loose knot over a short distance; --long pulls it tight.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>

// the pull is a mean over windows of this displacement of each end [m]
#define WINDOW 6e-3
#define SIGMA 0.492

typedef struct Pull {
    const char *model;    // of contact
    const char *friction; // of imc
    int number;           // unknotting
    int nodes;
    int plain; // number of first iterations without Hessians of contacts
    double radius, length, young, mu, drag;
    double speed, step;
    double tolerance;    // of the solve
    double displacement; // of each end outward [m] ..
    double back;         // .. and inward again
} Pull;

// means over a window
typedef struct Window {
    double eps;    // tightness of the length in the knot, e = rod minus distance of the ends ..
    double loop;   // .. and of the part of it that touches nothing
    double drag;   // viscous force on the half of the rod that the pull moves [N]
    double force;  // pull minus drag [N]
    double normal; // sum of the normal forces [N]
} Window;

typedef struct Pulled {
    Window *windows;     // [count]
    int32_t count, turn; // windows; the first of the return
    int64_t steps, iterations;
    int64_t touching, in_band; // steps with a near pair; those with a smallest gap of -5 to 20 um
    double deepest, highest;   // smallest gap of a step, after the knot has settled [m]
    int32_t unconverged;
} Pulled;

static const Pull standard = {.model = "imc",
                              .friction = "static",
                              .number = 1,
                              .nodes = 301,
                              .radius = 1.6e-3,
                              .length = 1,
                              .young = 1.8e5,
                              .mu = 0.1,
                              .drag = 0.01,
                              .speed = 6e-3,
                              .step = 2.5e-3,
                              .tolerance = 1e-6};

static double EI_of(const Pull *p) {
    return p->young * M_PI / 4 * pow(p->radius, 4);
}

static bool make(LitheTrial *trial, const Pull *p, LitheStand *stand) {
    // out, and back at the same speed
    double there = p->displacement / p->speed, back = p->back / p->speed;
    bool ok = lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "gravity: none\n"
        "time: {step: %.17g, end: %.17g, scheme: backward-euler}\n"
        "contact: {model: %s, tolerance: %.17g, imc: {friction: %s, plain: %d}}\n"
        "materials: {rubber: {young: %.17g, poisson: 0.5, density: 1180, friction: %.17g}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: %.17g}}, nodes: %d, drag: %.17g,\n"
        "    shape: {overhand-knot: {unknotting: %d, length: %.17g}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0],\n"
        "    motion: {table: [[0, 0], [%.17g, %.17g], [%.17g, %.17g]]}}\n"
        "  right: {on: rope.end, direction: [1, 0, 0],\n"
        "    motion: {table: [[0, 0], [%.17g, %.17g], [%.17g, %.17g]]}}\n",
        p->step, there + back, p->model, p->tolerance, p->friction, p->plain, p->young, p->mu,
        p->radius, p->nodes, p->drag, p->number, p->length, there, p->displacement,
        there + back + 1e-3, p->displacement - p->back - 1e-3 * p->speed, there, p->displacement,
        there + back + 1e-3, p->displacement - p->back - 1e-3 * p->speed);
    stand->rod = ok ? lithe_rod_find(stand->model, "rope") : stand->rod;
    return ok;
}

static double tightness(const Pull *p, double length) {
    return sqrt(p->radius * 2 * M_PI / length);
}

static double length_in_knot(const Pull *p, const LitheStand *stand) {
    LitheVec3 a = lithe_stand_node(stand, 0), b = lithe_stand_node(stand, -1);
    return p->length - sqrt(pow(b.x - a.x, 2) + pow(b.y - a.y, 2) + pow(b.z - a.z, 2));
}

// drag of the half of the rod towards its end, along the pull
static double drag_of_half(const Pull *p, const LitheStand *stand) {
    const double *v = lithe_rod_v(stand->model, stand->state, stand->rod);
    int32_t last = p->nodes - 1;
    double sum = 0;
    for (int32_t i = last / 2; i <= last; i++)
        sum += (i == last || 2 * i == last ? 0.5 : 1) * v[4 * (int64_t)i];
    return p->drag * sum * p->length / last;
}

// Contacts of the step: smallest gap, sum of normal forces. Returns the length of the loop: between
// the innermost places that carry a hundredth of the largest force.
static double note_contacts(const Pull *p, const LitheStand *stand, double settled, Pulled *out,
                            double *normal) {
    int32_t count = lithe_work_contact_count(stand->work);
    double gap = INFINITY, max = 0, first = 0, second = p->nodes - 1;
    *normal = 0;
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        gap = fmin(gap, c.contact.gap);
        max = fmax(max, c.normal);
        *normal += c.normal;
    }
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce c = lithe_work_contact(stand->work, i);
        double a = c.contact.a.part + c.contact.a.s, b = c.contact.b.part + c.contact.b.s;
        if (c.normal > 0.01 * max) {
            first = fmax(first, fmin(a, b));
            second = fmin(second, fmax(a, b));
        }
    }
    if (gap < 0.15 * p->radius) {
        out->touching++;
        out->in_band += gap >= -5e-6 && gap <= 20e-6;
        if (lithe_state_time(stand->state) > settled) {
            out->deepest = fmin(out->deepest, gap);
            out->highest = fmax(out->highest, gap);
        }
    }
    return (second - first) * p->length / (p->nodes - 1);
}

static void add_step(const Pull *p, const LitheStand *stand, LitheDriveId drive, double fraction,
                     Pulled *out, Window *window) {
    double normal, loop = note_contacts(p, stand, 1, out, &normal), drag = drag_of_half(p, stand);
    window->eps += fraction * tightness(p, length_in_knot(p, stand));
    window->loop += fraction * tightness(p, loop);
    window->drag += fraction * drag;
    window->force += fraction * (lithe_drive_force(stand->model, stand->state, drive) - drag);
    window->normal += fraction * normal;
}

// The caller frees out->windows, also after a failure.
static bool pull(LitheTrial *trial, const Pull *p, Pulled *out) {
    LitheStand stand;
    *out = (Pulled){.deepest = INFINITY, .highest = -INFINITY};
    bool ok = make(trial, p, &stand);
    int64_t each = (int64_t)fmax(1, lround(WINDOW / p->speed / p->step));
    int32_t there = (int32_t)lround(p->displacement / WINDOW),
            back = (int32_t)lround(p->back / WINDOW);
    out->windows = lithe_alloc_array(trial->context, there + back, sizeof *out->windows);
    out->turn = there;
    if (!out->windows)
        ok = lithe_fail_memory(&trial->error, "a pull") == LITHE_OK;
    LitheDriveId right = ok ? lithe_drive_find(stand.model, "right") : (LitheDriveId){0};
    for (; ok && out->count < there + back; out->count++) {
        for (int64_t k = 0; ok && k < each; k++, out->steps++) {
            LitheReport report = {0};
            ok = lithe_step(stand.model, stand.state, stand.work, &report, &trial->error) ==
                 LITHE_OK;
            out->iterations += report.solve_iterations;
            out->unconverged += report.solve_unconverged || report.friction_unsettled;
            add_step(p, &stand, right, 1 / (double)each, out, &out->windows[out->count]);
        }
    }
    lithe_stand_end(&stand);
    return ok;
}

// F h^2/(EI) of the windows [first, end) over their tightness, or over that of the loop
static bool draw(LitheTrial *trial, const Pull *p, const Pulled *run, int32_t first, int32_t end,
                 bool loop, const char *label) {
    int32_t count = end - first;
    double *x = lithe_alloc_array(trial->context, 2 * (int64_t)count, sizeof *x), *y = x + count;
    if (!x)
        return lithe_fail_memory(&trial->error, "a curve") == LITHE_OK;
    for (int32_t i = 0; i < count; i++) {
        const Window *w = &run->windows[first + i];
        x[i] = loop ? w->loop : w->eps;
        y[i] = w->force * p->radius * p->radius / EI_of(p);
    }
    bool ok = lithe_trial_curve(trial, label, true, x, y, count);
    lithe_free(trial->context, x);
    return ok;
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

static bool report_number(LitheTrial *trial, double measured, const char *name, const char *what) {
    return lithe_trial_add(trial, reported(measured), "%s: %s", name, what);
}

// The pull at a given tightness, interpolated between two windows of [first, end): F/eps^3 is
// nearly linear. NAN if the tightness is outside of the windows.
static double force_at(const Pulled *run, int32_t first, int32_t end, double eps, bool loop) {
    for (int32_t i = first; i + 1 < end; i++) {
        const Window *a = &run->windows[i], *b = a + 1;
        double xa = loop ? a->loop : a->eps, xb = loop ? b->loop : b->eps;
        double fraction = (eps - xa) / (xb - xa);
        if ((xa - eps) * (xb - eps) <= 0)
            return pow(eps, 3) *
                   ((1 - fraction) * a->force / pow(xa, 3) + fraction * b->force / pow(xb, 3));
    }
    return NAN;
}

// least squares y = c[0] + c[1] x
static void fit(int32_t count, const double *x, const double *y, double c[2]) {
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int32_t i = 0; i < count; i++) {
        sx += x[i], sy += y[i];
        sxx += x[i] * x[i], sxy += x[i] * y[i];
    }
    c[1] = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    c[0] = (sy - c[1] * sx) / count;
}

// --- K1: the pull does not depend on the speed ---------------------------------------------------

// A loose knot swings when it is released; the faster it is pulled, the longer this shows. A tight
// knot has settled. Without --long the rod has half the length: its knot is tight from the start.
bool lithe_case_K1(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    double speeds[3] = {3e-3, 6e-3, 9e-3};
    Pulled runs[3] = {{0}};
    set_axes(trial, "n = 2: the pull at three speeds");
    for (int i = 0; ok && i < 3; i++) {
        Pull p = standard;
        char name[32];
        p.number = 2;
        p.length = longer ? 1 : 0.5;
        p.nodes = longer ? 301 : 151;
        p.speed = speeds[i];
        p.step = 2.5e-3 * 6e-3 / speeds[i]; // the same displacement per step
        p.displacement = longer ? 0.21 : 0.06;
        snprintf(name, sizeof name, "%.0f mm/s", 1e3 * speeds[i]);
        ok = pull(trial, &p, &runs[i]) && settled(trial, &runs[i], name) &&
             draw(trial, &p, &runs[i], 2, runs[i].count, false, name);
    }
    for (int i = 0; ok && i < 3; i += 2) {
        double worst = 0;
        for (int32_t k = 0; k < runs[1].count; k++)
            if (runs[1].windows[k].eps >= 0.2)
                worst = fmax(worst, fabs(runs[i].windows[k].force / runs[1].windows[k].force - 1));
        ok = lithe_trial_add(trial, at_most(worst, 0.03),
                             "eps >= 0.2: pull at %.0f mm/s, difference from 6 mm/s",
                             1e3 * speeds[i]);
    }
    for (int i = 0; i < 3; i++)
        lithe_free(trial->context, runs[i].windows);
    return ok;
}

// --- K2: tightening and loosening ----------------------------------------------------------------

static double theory(double eps, double mu, double sign) {
    return pow(eps, 4) / 2 + sign * mu * SIGMA * pow(eps, 3);
}

static bool draw_theory(LitheTrial *trial, double low, double high, double mu, double sign,
                        const char *label) {
    double x[40], y[40];
    for (int i = 0; i < 40; i++) {
        x[i] = low + (high - low) * i / 39;
        y[i] = theory(x[i], mu, sign);
    }
    return lithe_trial_curve(trial, label, false, x, y, 40);
}

// The tightness at which the loosened knot no longer opens by itself: F/eps^3 (in theory eps/2 - mu
// sigma) is 0 there. From a line through the last ten windows before the pull vanishes or the run
// ends.
static double locking(const Pulled *run) {
    double x[10], y[10], c[2];
    int32_t end = run->turn + 10;
    while (end < run->count && run->windows[end - 1].force > 0)
        end++;
    for (int i = 0; i < 10; i++) {
        x[i] = run->windows[end - 10 + i].eps;
        y[i] = run->windows[end - 10 + i].force / pow(x[i], 3);
    }
    fit(10, x, y, c);
    return -c[0] / c[1];
}

// The rod of the paper, as published, with both kinds of friction: the theory holds for thin rods,
// so the pull is only reported. The knot locks at 0.0984 in theory, at 0.1285 in the paper.
bool lithe_case_K2a(LitheTrial *trial) {
    static const char *const kinds[] = {"static", "paper"};
    bool longer = trial->refine > 1, ok = true;
    set_axes(trial, "n = 1 tightened and loosened");
    for (int k = 0; ok && k < (longer ? 2 : 1); k++) {
        Pull p = standard;
        Pulled run;
        char name[48];
        p.friction = kinds[k];
        p.speed = 3e-3;
        p.step = k == 0 ? 5e-3 : 2.5e-3;
        p.drag = 5e-4;
        p.displacement = longer ? 0.21 : 0.06;
        p.back = longer ? 0.192 : 0.03;
        ok = pull(trial, &p, &run) && settled(trial, &run, kinds[k]);
        snprintf(name, sizeof name, "tightened, %s", kinds[k]);
        ok = ok && draw(trial, &p, &run, 2, run.turn, false, name);
        snprintf(name, sizeof name, "loosened, %s", kinds[k]);
        ok = ok && draw(trial, &p, &run, run.turn + 1, run.count, false, name);
        double scale = p.radius * p.radius / EI_of(&p), at = 0.137;
        double there = ok ? force_at(&run, 2, run.turn, at, false) : 0;
        double back = ok ? force_at(&run, run.turn, run.count, at, false) : 0;
        double tight = ok ? force_at(&run, 2, run.turn, 0.15, true) : 0;
        ok = ok && report_number(trial, scale * there / theory(at, p.mu, 1), kinds[k],
                                 "tightening over theory, eps = 0.137");
        ok = ok && lithe_trial_add(trial, near_to(scale * tight, theory(0.15, p.mu, 1), 0.25),
                                   "%s: F h^2/(EI), eps of the loop = 0.15", kinds[k]);
        ok = ok && lithe_trial_add(trial, at_most(back / there, 0.6),
                                   "%s: loosening over tightening, eps = 0.137", kinds[k]);
        if (ok && longer)
            ok = lithe_trial_add(trial, near_to(locking(&run), 2 * p.mu * SIGMA, 0.3),
                                 "%s: eps at which it locks (paper: 0.1285)", kinds[k]);
        if (ok && k == 0)
            ok = draw_theory(trial, run.windows[2].eps, run.windows[run.turn - 1].eps, p.mu, 1,
                             "theory, tightening") &&
                 draw_theory(trial, run.windows[run.count - 1].eps, run.windows[run.turn - 1].eps,
                             p.mu, -1, "theory, loosening");
        lithe_free(trial->context, run.windows);
    }
    return ok;
}

// ratio of the pull to the theory: at the tightness of the loop, and at that of e as in the paper
static bool beside_theory(LitheTrial *trial, const Pull *p, const Pulled *run) {
    static const double at[] = {0.06, 0.08, 0.1, 0.12, 0.15};
    double scale = p->radius * p->radius / EI_of(p), drag = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof at / sizeof *at; i++) {
        double force = scale * force_at(run, 2, run->turn, at[i], true);
        double same = scale * force_at(run, 2, run->turn, at[i], false);
        if (!isnan(force))
            ok = lithe_trial_add(trial, near_to(force, theory(at[i], p->mu, 1), 0.25),
                                 "tightening, eps of the loop = %.2f: F h^2/(EI)", at[i]);
        char name[32];
        snprintf(name, sizeof name, "eps = %.2f", at[i]);
        if (ok && !isnan(same))
            ok = report_number(trial, same / theory(at[i], p->mu, 1), name,
                               "tightening over theory, R = e/(2 pi)");
    }
    for (int32_t i = 2; i < run->turn; i++)
        if (run->windows[i].eps >= 0.06)
            drag = fmax(drag, run->windows[i].drag / run->windows[i].force);
    return ok && lithe_trial_add(trial, at_most(drag, 0.02), "eps >= 0.06: drag over pull");
}

// without friction: ratio of the pull to eps^4/2, and its limit for thin rods
static bool without_friction(LitheTrial *trial, Pull p) {
    Pulled run;
    double x[200], y[200], c[2], scale = p.radius * p.radius / EI_of(&p);
    int32_t count = 0, first = 5;
    p.mu = 0;
    p.back = 0;
    bool ok = pull(trial, &p, &run) && settled(trial, &run, "no friction");
    while (ok && first + 2 < run.turn && run.windows[first].eps < 0.06)
        first++;
    for (int32_t i = first; ok && i < run.turn && run.windows[i].eps < 0.1; i++, count++) {
        x[count] = run.windows[i].eps;
        y[count] = scale * run.windows[i].force / theory(x[count], 0, 1);
    }
    if (ok && trial->refine > 1) {
        fit(count, x, y, c);
        ok = lithe_trial_add(trial, near_to(c[0], 1, 0.1),
                             "no friction: pull over theory, eps to 0");
        for (int32_t i = 0; i < count; i++)
            y[i] = scale * run.windows[first + i].normal / pow(x[i], 3);
        fit(count, x, y, c);
        ok = ok && lithe_trial_add(trial, near_to(c[0], SIGMA, 0.15),
                                   "no friction: sum of normal forces over eps^3, eps to 0");
    } else if (ok) {
        ok = lithe_trial_add(trial, near_to(y[0], 1, 0.1), "no friction: pull over theory");
    }
    lithe_free(trial->context, run.windows);
    return ok;
}

// the same at half the speed, compared over the windows with eps >= 0.06 of both runs
static bool at_half_the_speed(LitheTrial *trial, Pull p, const Pulled *run) {
    Pulled slow;
    double worst = 0;
    p.speed *= 0.5;
    p.step *= 2;
    p.back = 0;
    p.displacement = fmin(p.displacement, trial->refine > 1 ? 0.45 : 0.12);
    bool ok = pull(trial, &p, &slow) && settled(trial, &slow, "half the speed");
    for (int32_t i = 3; ok && i < slow.turn; i++)
        if (run->windows[i].eps >= 0.06)
            worst = fmax(worst, fabs(slow.windows[i].force / run->windows[i].force - 1));
    ok = ok && lithe_trial_add(trial, at_most(worst, 0.03), "half the speed: pull changes by");
    lithe_free(trial->context, slow.windows);
    return ok;
}

// The rod of the theory, thin and long. The tail is straight and the loop is round, except for a
// braid of length sqrt(h R), which is a point in the theory. R = e/(2 pi) includes the braid in the
// loop, R of the part without contacts does not; both have the same limit.
bool lithe_case_K2b(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    Pull p = standard;
    Pulled run;
    p.radius = 4e-4;
    p.length = longer ? 2 : 1.3;
    p.nodes = longer ? 2001 : 651;
    p.young = 1.8e9;
    p.speed = 12e-3;
    p.displacement = longer ? 0.594 : 0.09;
    p.back = longer ? 0.12 : 0;
    set_axes(trial, "n = 1 in a thin rod");
    bool ok = pull(trial, &p, &run) && settled(trial, &run, "thin rod") &&
              draw(trial, &p, &run, 2, run.turn, true, "tightened, R of the loop") &&
              draw(trial, &p, &run, 2, run.turn, false, "tightened, R = e/(2 pi)") &&
              draw_theory(trial, run.windows[2].eps, run.windows[run.turn - 1].eps, p.mu, 1,
                          "theory, tightening") &&
              beside_theory(trial, &p, &run);
    if (ok && longer)
        ok = draw(trial, &p, &run, run.turn + 1, run.count, false, "loosened, R = e/(2 pi)") &&
             draw_theory(trial, run.windows[run.count - 1].eps, run.windows[run.turn - 1].eps, p.mu,
                         -1, "theory, loosening") &&
             lithe_trial_add(trial, near_to(locking(&run), 2 * p.mu * SIGMA, 0.3),
                             "eps at which it locks");
    ok = ok && at_half_the_speed(trial, p, &run) && without_friction(trial, p);
    lithe_free(trial->context, run.windows);
    return ok;
}

// --- inversion -----------------------------------------------------------------------------------

// The first window from which the mean pull drops by a tenth within six windows without rising
// above its value there; -1 if there is none.
static int32_t inversion(const Pulled *run) {
    for (int32_t i = 5; i + 1 < run->count; i++)
        for (int32_t k = i + 1; k < run->count && k <= i + 6; k++) {
            if (run->windows[k].force > run->windows[i].force)
                break;
            if (run->windows[k].force < 0.9 * run->windows[i].force)
                return i;
        }
    return -1;
}

// --- K3: more friction, more pull, earlier inversion ---------------------------------------------

// three coefficients of friction of one kind; at: tightness of the inversion, INFINITY: none
static bool three_frictions(LitheTrial *trial, Pull p, double at[3]) {
    Pulled runs[3] = {{0}};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        char name[48];
        p.mu = 0.1 * (i + 1);
        p.speed = 6e-3 + 3e-3 * i;
        snprintf(name, sizeof name, "%s, mu = %.1f", p.friction, p.mu);
        ok = pull(trial, &p, &runs[i]) && settled(trial, &runs[i], name) &&
             draw(trial, &p, &runs[i], 2, runs[i].count, false, name);
        int32_t when = ok ? inversion(&runs[i]) : -1;
        at[i] = when >= 0 ? runs[i].windows[when].eps : INFINITY;
        if (ok && when >= 0)
            ok = report_number(trial, at[i], name, "eps of inversion");
    }
    for (int i = 1; ok && i < 3; i++) {
        int32_t window = 8; // before any inversion
        double less = runs[i - 1].windows[window].force, more = runs[i].windows[window].force;
        ok = lithe_trial_add(trial, at_most(less / more, 0.95), "%s: pull at mu = %.1f over %.1f",
                             p.friction, 0.1 * i, 0.1 * (i + 1));
    }
    for (int i = 0; i < 3; i++)
        lithe_free(trial->context, runs[i].windows);
    return ok;
}

// Friction as published acts on the centreline: the braid can rotate about itself freely, and more
// friction turns the loop over earlier. Friction at the surfaces resists that.
bool lithe_case_K3(LitheTrial *trial) {
    bool longer = trial->refine > 1;
    double at[3];
    Pull p = standard;
    p.number = 4;
    p.displacement = longer ? 0.21 : 0.06;
    set_axes(trial, "n = 4: the pull at three coefficients of friction");
    bool ok = three_frictions(trial, p, at);
    p.friction = "paper";
    p.step = 5e-4;
    p.displacement = 0.138;
    ok = ok && (!longer || three_frictions(trial, p, at));
    for (int i = 1; ok && longer && i < 3; i++)
        ok =
            lithe_trial_add(trial, at_most(at[i] / at[i - 1], 1),
                            "paper: eps of inversion, mu = %.1f over %.1f", 0.1 * (i + 1), 0.1 * i);
    return ok;
}

// --- K4: four knots ------------------------------------------------------------------------------

// gaps of the nearest pairs of a run; the initial transient is a larger fraction of a short run
static bool add_gaps(LitheTrial *trial, const Pulled *run, const char *name) {
    double away = 1 - (double)run->in_band / fmax(1, (double)run->touching);
    return lithe_trial_add(trial, at_most(away, trial->refine > 1 ? 5e-3 : 3e-2),
                           "%s: fraction of steps outside -5 to 20 um", name) &&
           report_number(trial, 1e6 * run->deepest, name,
                         "nearest pair after 1 s, smallest gap [um]") &&
           report_number(trial, 1e6 * run->highest, name,
                         "nearest pair after 1 s, largest gap [um]");
}

bool lithe_case_K4(LitheTrial *trial) {
    bool longer = trial->refine > 1, ok = true;
    static const double displacements[] = {0.3, 0.264, 0.252, 0.24};
    double before = 0;
    set_axes(trial, "Knots n = 1 to 4: the pull");
    for (int n = 1; ok && n <= 4; n++) {
        Pull p = standard;
        Pulled run;
        char name[16];
        p.number = n;
        p.displacement = longer ? displacements[n - 1] : 0.06;
        snprintf(name, sizeof name, "n = %d", n);
        ok = pull(trial, &p, &run) && settled(trial, &run, name) &&
             draw(trial, &p, &run, 2, run.count, false, name) && add_gaps(trial, &run, name);
        double force = ok ? force_at(&run, 2, run.count, 0.138, false) : 0;
        if (ok && n > 1)
            ok = lithe_trial_add(trial, at_most(before / force, 0.95),
                                 "eps = 0.138: pull of n = %d over that of n = %d", n - 1, n);
        before = force;
        int32_t when = ok ? inversion(&run) : -1;
        if (ok && longer && n >= 3)
            ok = lithe_trial_add(trial, at_most(when < 0, 0), "%s: does not invert", name);
        if (ok && longer && when >= 0)
            ok = report_number(trial, run.windows[when].eps, name, "eps of inversion");
        lithe_free(trial->context, run.windows);
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
            Pull p = standard;
            Pulled run;
            char name[48];
            p.number = n;
            p.model = kinds[k].model;
            p.friction = kinds[k].friction;
            p.plain = kinds[k].plain;
            p.step = 5e-4;
            p.tolerance = 1e-4; // pulls change by less than 1e-4; published: 1e-3 of the force
            p.displacement = longer ? 0.12 : 0.012;
            snprintf(name, sizeof name, "n = %d, %s %s %d", n, p.model, p.friction, p.plain);
            ok = pull(trial, &p, &run);
            work[k] = (double)run.iterations / fmax(1, (double)run.steps);
            // published: 2.2 to 3.2 for imc, 8 to 11 for spt
            ok = ok && report_number(trial, work[k], name, "iterations per step");
            if (ok && trial->plot.curve_count < LITHE_TRIAL_CURVES)
                ok = draw(trial, &p, &run, longer ? 2 : 0, run.count, false, name);
            lithe_free(trial->context, run.windows);
        }
        ok = ok && lithe_trial_add(trial, at_most(work[0] / work[3], 1),
                                   "n = %d: iterations of imc over those of spt", n);
    }
    return ok;
}
