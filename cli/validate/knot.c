// SPDX-License-Identifier: Apache-2.0
// cli/validate/knot.c - knots pulled tight: nothing passes through anything, the loop snaps through
//
// Topology is measured, not assumed. After every step all pairs of edges are tested: did their
// centrelines cross on the straight paths from the old positions to the new ones? At every frame
// the knot determinant of the rope, closed far away, is computed: 2n + 1 for unknotting number n.
// The first test finds every crossing, even one that is undone later; the second is independent.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/crossing.h"
#include "geom/knot.h"

// interval of frames that are drawn and evaluated [s]
#define FRAME 1e-3
// the pull is averaged over this number of frames, because waves run along the rope
enum { WAVES = 10 };
// a snap is a drop of that mean within this number of frames
enum { SNAP = 30 };
// means below this fraction of the largest one are ignored
#define MIN_FRACTION 0.3
// the knot is loose while the mean pull is below EI/(LOOSE diameters)^2: its loop, of a radius of
// about sqrt(EI/pull), is still some diameters wide
#define LOOSE 3.0

// each end moves at this speed [m/s] for this time [s]
#define SPEED 0.4
#define TIME 0.7

typedef struct Knot {
    const char *name;
    int number; // n
    double friction;
    double step;  // [s]
    bool single;  // contacts as published: one per pair of edges, without margin
    bool certify; // steps in which strands pass through each other are cut in halves
    bool snaps;   // expected to snap through
    bool lost;    // expected to lose its knot
} Knot;

typedef struct Tightening {
    int64_t crossings;
    int32_t frames, kept; // frames, and those whose determinant is 2n + 1
    int32_t unconverged;
    double depth; // deepest overlap [m]
    // of each frame: relative displacement of the ends [m], pull [N]
    double *apart, *pull;
} Tightening;

static const double radius = 1.5e-3, EI = 18e6 * 0.25 * M_PI * 1.5e-3 * 1.5e-3 * 1.5e-3 * 1.5e-3;

static bool make_knot(LitheTrial *trial, const Knot *knot, LitheStand *stand) {
    bool ok = lithe_stand_parse(
        trial, stand,
        "lithe: 1\n"
        "allow-unusual: true\n"
        "gravity: none\n"
        "time: {step: %.17g, end: %.17g, scheme: backward-euler}\n"
        "contact: {single: %s, certify: %s}\n"
        "materials:\n"
        "  rubber: {young: 18 MPa, poisson: 0.5, density: 1000, friction: %.17g,\n"
        "    damping: {mass: 1}, contact: {stiffness: 1e5, dissipation: 0.01}}\n"
        "rods:\n"
        "  rope: {material: rubber, section: {circle: {radius: %.17g}}, nodes: 301,\n"
        "    shape: {overhand-knot: {unknotting: %d, length: 1 m}}}\n"
        "drives:\n"
        "  left: {on: rope.start, direction: [-1, 0, 0], speed: %.17g, stiffness: 1e6,\n"
        "    along-only: true}\n"
        "  right: {on: rope.end, direction: [1, 0, 0], speed: %.17g, stiffness: 1e6,\n"
        "    along-only: true}\n",
        knot->step, TIME, knot->single ? "true" : "false", knot->certify ? "true" : "false",
        knot->friction, radius, knot->number, SPEED, SPEED);
    stand->rod = ok ? lithe_rod_find(stand->model, "rope") : stand->rod;
    return ok;
}

static void read_points(const LitheStand *stand, Vec3 *out, int32_t count) {
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    for (int32_t i = 0; i < count; i++)
        out[i] = v3(q[4 * i], q[4 * i + 1], q[4 * i + 2]);
}

// deepest overlap among the contacts at the start of the last step
static double depth_of(const LitheWork *work) {
    double depth = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(work); i++)
        depth = fmax(depth, -lithe_work_contact(work, i).contact.gap);
    return depth;
}

// one observed step; points [2][nodes] are the positions before and after
static bool watch_step(LitheTrial *trial, LitheStand *stand, Vec3 *points, Tightening *out) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod);
    LitheReport report;
    read_points(stand, points, nodes);
    if (lithe_step(stand->model, stand->state, stand->work, &report, &trial->error) != LITHE_OK)
        return false;
    read_points(stand, points + nodes, nodes);
    out->crossings += lithe_crossing_curve(points, points + nodes, nodes);
    out->depth = fmax(out->depth, depth_of(stand->work));
    out->unconverged +=
        report.bodies_unconverged > 0 || report.solve_unconverged || report.friction_unsettled;
    return true;
}

// a frame: determinant, and the mean pull of its steps
static bool keep_frame(LitheTrial *trial, const Knot *knot, const LitheStand *stand,
                       const Vec3 *points, double pull, Tightening *out) {
    int32_t nodes = lithe_rod_node_count(stand->model, stand->rod);
    LitheError error = {0};
    int64_t determinant = lithe_knot_determinant(points, nodes, trial->context, &error);
    // a curve that intersects itself has no determinant: it counts as changed, the run continues
    if (determinant < 0 && error.status == LITHE_NO_MEMORY) {
        trial->error = error;
        return false;
    }
    out->kept += determinant == 2 * knot->number + 1;
    out->apart[out->frames] = 2 * SPEED * lithe_state_time(stand->state);
    out->pull[out->frames++] = pull;
    return true;
}

// the caller frees out->apart, even after failure
static bool tighten(LitheTrial *trial, const Knot *knot, Tightening *out) {
    LitheStand stand;
    *out = (Tightening){0};
    bool ok = make_knot(trial, knot, &stand);
    int32_t nodes = ok ? lithe_rod_node_count(stand.model, stand.rod) : 0;
    int32_t each = (int32_t)fmax(1, lround(FRAME / knot->step));
    int32_t frames = (int32_t)lround(TIME / (each * knot->step));
    Vec3 *points = ok ? lithe_alloc_array(trial->context, 2 * (int64_t)nodes, sizeof *points) : 0;
    out->apart = lithe_alloc_array(trial->context, 2 * (int64_t)frames, sizeof *out->apart);
    out->pull = out->apart + frames;
    if (ok && (!points || !out->apart))
        ok = lithe_fail_memory(&trial->error, "a knot") == LITHE_OK;
    LitheDriveId right = ok ? lithe_drive_find(stand.model, "right") : (LitheDriveId){0};
    for (int32_t f = 0; ok && f < frames; f++) {
        double pull = 0;
        for (int32_t k = 0; ok && k < each; k++) {
            ok = watch_step(trial, &stand, points, out);
            pull += ok ? lithe_drive_force(stand.model, stand.state, right) / each : 0;
        }
        ok = ok && keep_frame(trial, knot, &stand, points + nodes, pull, out);
    }
    lithe_free(trial->context, points);
    lithe_stand_end(&stand);
    return ok;
}

// --- the snap ------------------------------------------------------------------------------------

static double mean_pull(const Tightening *run, int32_t first) {
    double sum = 0;
    for (int32_t i = first; i < first + WAVES; i++)
        sum += run->pull[i];
    return sum / WAVES;
}

// the smallest fraction of the mean pull that remains within SNAP frames while the knot is loose,
// and the displacement of the ends when the drop began
static double left_by_snap(const Tightening *run, double *at) {
    double loose = EI / pow(LOOSE * 2 * radius, 2), max = 0, left = 1;
    int32_t end = WAVES;
    for (; end + WAVES <= run->frames && mean_pull(run, end) < loose; end++)
        max = fmax(max, mean_pull(run, end));
    // the first frames show the impact that sets the ends in motion
    for (int32_t i = WAVES; i < end; i++) {
        double high = mean_pull(run, i);
        for (int32_t k = i + 1; k <= i + SNAP && k < end && high > MIN_FRACTION * max; k++)
            if (mean_pull(run, k) < left * high) {
                left = mean_pull(run, k) / high;
                *at = run->apart[i];
            }
    }
    return left;
}

// the mean pull while it is small enough to show the snap
static bool draw_loose(LitheTrial *trial, const Knot *knot, const Tightening *run) {
    double max = 1.5 * EI / pow(LOOSE * 2 * radius, 2);
    int32_t count = 0;
    for (int32_t i = WAVES; i + WAVES <= run->frames && mean_pull(run, i) < max; i++)
        count++;
    double *x = lithe_alloc_array(trial->context, 2 * (int64_t)count, sizeof *x), *y = x + count;
    if (!x)
        return lithe_fail_memory(&trial->error, "a curve") == LITHE_OK;
    for (int32_t i = 0; i < count; i++) {
        x[i] = run->apart[i + WAVES + WAVES / 2];
        y[i] = mean_pull(run, i + WAVES);
    }
    bool ok = lithe_trial_curve(trial, knot->name, false, x, y, count);
    lithe_free(trial->context, x);
    return ok;
}

// --- knot_tightening -----------------------------------------------------------------------------

static LitheFinding fraction_kept(const Tightening *run) {
    return (LitheFinding){.measured = (double)run->kept / run->frames,
                          .coarse = NAN,
                          .reference = 1,
                          .kind = LITHE_ERROR_ABSOLUTE};
}

static bool add_all(LitheTrial *trial, const Knot *knot, const Tightening *run) {
    const char *name = knot->name;
    double at = NAN, left = left_by_snap(run, &at);
    return lithe_trial_add(trial, at_most((double)run->crossings, 0), "%s: crossings", name) &&
           lithe_trial_add(trial, fraction_kept(run), "%s: fraction of frames with determinant %d",
                           name, 2 * knot->number + 1) &&
           lithe_trial_add(trial, at_most(run->depth / (2 * radius), 0.1), "%s: overlap/diameter",
                           name) &&
           lithe_trial_add(trial, at_most(run->unconverged, 0), "%s: steps not converged", name) &&
           (!knot->snaps ||
            lithe_trial_add(trial, at_most(left, 0.5),
                            "%s: fraction of pull left after snap, at %.2f m", name, at));
}

// cut steps: paths within a step are not straight, so only the determinant counts
static bool add_certified(LitheTrial *trial, const Knot *knot, const Tightening *run) {
    return lithe_trial_add(trial, fraction_kept(run), "%s: fraction of frames with determinant %d",
                           knot->name, 2 * knot->number + 1);
}

// one contact per pair and no margin, with a long step: strands pass through each other
static bool add_lost(LitheTrial *trial, const Knot *knot, const Tightening *run) {
    return lithe_trial_add(trial, at_most(fraction_kept(run).measured, 0.5),
                           "%s: fraction of frames with determinant %d, lost", knot->name,
                           2 * knot->number + 1);
}

// the first are the quick ones, the others run with --long only

static const Knot knots[] = {
    {"n = 1", .number = 1, .step = 2e-4},
    {"n = 2", .number = 2, .step = 2e-4},
    {"n = 3", .number = 3, .step = 2e-4},
    {"n = 4", .number = 4, .step = 1e-4, .snaps = true},
    {"n = 4, friction 0.1", .number = 4, .step = 1e-4, .friction = 0.1},
    {"n = 4, step 1 ms", .number = 4, .step = 1e-3},
    {"n = 4, single", .number = 4, .step = 1e-4, .single = true, .snaps = true},
    {"n = 4, single, step 1 ms", .number = 4, .step = 1e-3, .single = true, .lost = true},
    {"n = 4, single, 1 ms, certified", .number = 4, .step = 1e-3, .single = true, .certify = true},
};

enum { QUICK = 4, ALL = (int)(sizeof knots / sizeof *knots) };

bool lithe_case_knot_tightening(LitheTrial *trial) {
    trial->plot.title = "Overhand knots of unknotting number n, pulled tight";
    trial->plot.x_label = "displacement of the ends [m]";
    trial->plot.y_label = "pull, mean over 10 ms [N]";
    bool ok = true;
    for (int i = 0; ok && i < (trial->refine > 1 ? ALL : QUICK); i++) {
        const Knot *knot = &knots[i];
        Tightening run;
        bool (*add)(LitheTrial *, const Knot *, const Tightening *) = knot->lost ? add_lost
                                                                      : knot->certify
                                                                          ? add_certified
                                                                          : add_all;
        ok = tighten(trial, knot, &run) && add(trial, knot, &run) &&
             (i >= LITHE_TRIAL_CURVES || draw_loose(trial, knot, &run));
        lithe_free(trial->context, run.apart);
    }
    return ok;
}
