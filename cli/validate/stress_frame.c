// SPDX-License-Identifier: Apache-2.0
// cli/validate/stress_frame.c - invariance: the same scene scaled, rotated, far away, in another
// order, mirrored

#include "cli/validate/stress.h"

#include "base/memory.h"
#include "math/quat.h"
#include "math/vec3.h"

#include <stdio.h>
#include <string.h>

// --- variants of one scene -----------------------------------------------------------------------

// lengths times L, masses times M, times times sqrt(L), rotated and translated
typedef struct Variant {
    double L, M;
    Quat rotation;
    Vec3 offset;
    bool backwards; // bodies in reverse order
    int threads;
    const char *law; // of friction
} Variant;

static const Variant plain = {1, 1, {1, 0, 0, 0}, {0, 0, 0}, false, 1, "lagged"};

static Vec3 place(const Variant *t, double x, double y, double z) {
    return v3_add(q4_rotate(t->rotation, v3_scale(t->L, v3(x, y, z))), t->offset);
}

// scaled by s, without the translation
static Vec3 direction(const Variant *t, double s, double x, double y, double z) {
    return q4_rotate(t->rotation, v3_scale(s, v3(x, y, z)));
}

#define V(v) (v).x, (v).y, (v).z

static int write_bodies(const Variant *t, Vec3 axis, double angle, char *out, size_t size) {
    double L = t->L, speed = sqrt(L);
    char box[700], ball[700];
    Vec3 at = place(t, 0, 0, 0.05), v = direction(t, speed, 0.6, 0.2, 0);
    snprintf(box, sizeof box,
             "  box: {material: m, shape: {box: {size: [%.17g, %.17g, %.17g]}},\n"
             "    at: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g],\n"
             "    rotate: {axis: [%.17g, %.17g, %.17g], angle: %.17g}}\n",
             0.1 * L, 0.12 * L, 0.1 * L, V(at), V(v), V(axis), angle);
    at = place(t, 0.3, 0.05, 0.06);
    snprintf(ball, sizeof ball,
             "  ball: {material: m, shape: {sphere: {radius: %.17g}},\n"
             "    at: [%.17g, %.17g, %.17g]}\n",
             0.05 * L, V(at));
    return snprintf(out, size, "%s%s", t->backwards ? ball : box, t->backwards ? box : ball);
}

// a box slides into a ball, a rod falls across both
static bool build_variant(LitheTrial *trial, LitheStand *stand, const Variant *t) {
    char text[6000];
    double L = t->L, M = t->M, angle = 2 * acos(fmin(1, fabs(t->rotation.w)));
    Vec3 axis =
        angle > 1e-12 ? v3_unit(v3(t->rotation.x, t->rotation.y, t->rotation.z)) : v3(0, 0, 1);
    if (t->rotation.w < 0)
        axis = v3_scale(-1, axis);
    Vec3 down = direction(t, 9.81, 0, 0, -1), ground = t->offset;
    Vec3 a = place(t, -0.2, -0.1, 0.13), b = place(t, 0.4, 0.15, 0.16);
    int n =
        snprintf(text, sizeof text,
                 "lithe: 1\nallow-unusual: true\n"
                 "gravity: [%.17g, %.17g, %.17g]\n"
                 "time: {step: %.17g, end: %.17g, tolerance: 1e-11, scheme: backward-euler}\n"
                 "contact: {tolerance: 1e-10, stick-speed: %.17g, friction-law: %s}\n"
                 "materials: {m: {young: %.17g, density: %.17g, friction: 0.3,\n"
                 "  contact: {stiffness: %.17g, dissipation: %.17g}}}\n"
                 "bodies:\n"
                 "  floor: {fixed: true, material: m, shape: {half-space: {}},\n"
                 "    at: [%.17g, %.17g, %.17g],\n"
                 "    rotate: {axis: [%.17g, %.17g, %.17g], angle: %.17g}}\n",
                 V(down), 1e-3 * sqrt(L), 1e3 * sqrt(L), 1e-6 * sqrt(L), t->law, 1e6 * M / (L * L),
                 1000 * M / (L * L * L), 1e5 * M / L, 0.5 / sqrt(L), V(ground), V(axis), angle);
    n += write_bodies(t, axis, angle, text + n, sizeof text - (size_t)n);
    Vec3 m1 = direction(t, 1, 0, 0, 1);
    snprintf(text + n, sizeof text - (size_t)n,
             "rods:\n"
             "  rod: {material: m, section: {circle: {radius: %.17g}}, nodes: 21,\n"
             "    director: [%.17g, %.17g, %.17g],\n"
             "    shape: {line: {from: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g]}}}\n",
             0.006 * L, V(m1), V(a), V(b));
    bool ok = lithe_stand_parse(trial, stand, "%s", text);
    if (ok && t->threads > 1) {
        lithe_work_destroy(stand->work);
        stand->work = lithe_work_create(stand->model, t->threads);
    }
    return ok && stand->work;
}

enum { PLACES = 8 };

// positions at the end, transformed back
static bool play(LitheTrial *trial, const Variant *t, Vec3 out[PLACES], uint64_t *hash,
                 int64_t *flagged) {
    LitheStand stand;
    bool ok = build_variant(trial, &stand, t);
    if (ok) {
        StressRun run = stress_run(&stand, 400);
        *flagged = run.flagged + run.stopped;
        *hash = lithe_state_hash(stand.state);
        out[0] = stress_body(&stand, "box");
        out[1] = stress_body(&stand, "ball");
        const double *q = lithe_rod_q(stand.model, stand.state, (LitheRodId){1});
        for (int i = 2; i < PLACES; i++)
            out[i] = v3_load(q + 4 * 4 * (i - 2));
        Quat back = q4_conj(t->rotation);
        for (int i = 0; i < PLACES; i++)
            out[i] = v3_scale(1 / t->L, q4_rotate(back, v3_sub(out[i], t->offset)));
    }
    lithe_stand_end(&stand);
    return ok;
}

// largest difference of a position, over the size of 0.1 m [1]
static bool compare(LitheTrial *trial, const Variant *t, double limit, const char *name) {
    Vec3 one[PLACES], two[PLACES];
    uint64_t hash;
    int64_t flagged[2] = {0, 0};
    Variant here = plain;
    here.law = t->law;
    if (!play(trial, &here, one, &hash, &flagged[0]) || !play(trial, t, two, &hash, &flagged[1]))
        return false;
    double max = 0;
    for (int i = 0; i < PLACES; i++)
        max = fmax(max, v3_distance(one[i], two[i]) / 0.1);
    // far away steps may be flagged: the tolerance is below the rounding of positions
    return lithe_trial_add(trial, at_most(max, limit), "%s: difference", name) &&
           (v3_norm(t->offset) > 0 ||
            lithe_trial_add(trial, at_most((double)flagged[1], (double)flagged[0]),
                            "%s: steps flagged", name));
}

// --- stress_scale_invariance ---------------------------------------------------------------------

bool lithe_case_stress_scale_invariance(LitheTrial *trial) {
    static const double scales[][2] = {{1e-3, 1}, {1e3, 1},     {1, 1e-6},
                                       {1, 1e6},  {1e-3, 1e-9}, {1e3, 1e9}};
    bool ok = true;
    for (size_t k = 0; ok && k < sizeof scales / sizeof *scales; k++) {
        Variant t = plain;
        char name[64];
        t.L = scales[k][0];
        t.M = scales[k][1];
        snprintf(name, sizeof name, "lengths x%g, masses x%g", t.L, t.M);
        ok = compare(trial, &t, 0.01, name);
    }
    return ok && lithe_stress_plot(trial, "Box, ball and rod in other sizes and masses");
}

// --- stress_rotation_invariance ------------------------------------------------------------------

bool lithe_case_stress_rotation_invariance(LitheTrial *trial) {
    // lagged: after an impact, the number of passes until friction bounds settle (to 1e-3) may
    // differ by one
    static const struct {
        const char *law;
        double limit, far_limit;
    } laws[] = {{"sap", 1e-6, 1e-4}, {"lagged", 1e-5, 1e-3}};
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        Variant t = plain;
        char name[64];
        t.law = laws[i].law;
        for (int k = 0; ok && k < 3; k++) {
            t.rotation = q4_exp(v3(0.7 * k + 0.3, -0.4 * k + 0.1, 0.9 - 0.5 * k));
            snprintf(name, sizeof name, "%s, rotated by %.2f rad", t.law,
                     2 * acos(fabs(t.rotation.w)));
            ok = compare(trial, &t, laws[i].limit, name);
        }
        t.rotation = plain.rotation;
        t.offset = v3(1e4, -1e4, 1e4);
        snprintf(name, sizeof name, "%s, moved by 17 km", t.law);
        ok = ok && compare(trial, &t, laws[i].far_limit, name);
    }
    return ok && lithe_stress_plot(trial, "Box, ball and rod, rotated and far away");
}

// --- stress_permutation --------------------------------------------------------------------------

bool lithe_case_stress_permutation(LitheTrial *trial) {
    Vec3 places[PLACES];
    uint64_t first = 0, again = 0, threads = 0;
    int64_t flagged;
    Variant two = plain, other = plain;
    two.threads = 2;
    other.backwards = true;
    return play(trial, &plain, places, &first, &flagged) &&
           play(trial, &plain, places, &again, &flagged) &&
           play(trial, &two, places, &threads, &flagged) &&
           lithe_trial_add(trial, at_most(first != again, 0), "run again: different bits") &&
           lithe_trial_add(trial, at_most(first != threads, 0), "two threads: different bits") &&
           compare(trial, &other, 1e-8, "bodies in the other order") &&
           lithe_stress_plot(trial, "Run again, with two threads, in another order");
}

// --- stress_symmetry -----------------------------------------------------------------------------

// a rod sags between two posts, two boxes slide into each other below: the scene is symmetric, and
// stays so, since no equilibrium in it is unstable
bool lithe_case_stress_symmetry(LitheTrial *trial) {
    enum { NODES = 21, STEPS = 10000 };
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: 1 ms, end: 1000 s, scheme: backward-euler}\n"
        "materials: {m: {young: 30 MPa, density: 1000, friction: 0.3, damping: {mass: 1},\n"
        "  contact: {stiffness: 1e5, dissipation: 5}}}\n"
        "bodies:\n"
        "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -0.5]}\n"
        "  post: {repeat: {i: 2}, fixed: true, material: m, at: [0.3*(i - 0.5), 0, 0],\n"
        "    shape: {cylinder: {radius: 0.03, length: 0.2}},\n"
        "    rotate: {axis: [1, 0, 0], angle: 90 deg}}\n"
        "  left: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [-0.2, 0, -0.45],\n"
        "    velocity: [1.5, 0, 0]}\n"
        "  right: {material: m, shape: {box: {size: [0.1, 0.1, 0.1]}}, at: [0.2, 0, -0.45],\n"
        "    velocity: [-1.5, 0, 0]}\n"
        "rods:\n"
        "  rod: {material: m, section: {circle: {radius: 6 mm}}, nodes: %d,\n"
        "    shape: {line: {from: [-0.25, 0, 0.08], to: [0.25, 0, 0.08]}}}\n",
        NODES);
    double off = 0, x[500], y[500];
    int32_t kept = 0;
    StressRun run = {0};
    for (int k = 0; ok && k < STEPS && !run.stopped; k++) {
        run = stress_run(&stand, 1);
        const double *q = lithe_rod_q(stand.model, stand.state, (LitheRodId){1});
        double now = 0;
        for (int i = 0; i < NODES; i++) {
            const double *p = q + 4 * i, *s = q + 4 * (NODES - 1 - i);
            now = fmax(now, hypot(p[0] + s[0], p[2] - s[2]));
        }
        LitheVec3 a = stress_body(&stand, "left"), b = stress_body(&stand, "right");
        now = fmax(now, hypot(a.x + b.x, a.z - b.z));
        off = fmax(off, now);
        if (k % (STEPS / 500) == 0) {
            x[kept] = 1e-3 * (k + 1);
            y[kept++] = fmax(now, 1e-18);
        }
    }
    lithe_stand_end(&stand);
    trial->plot.title = "A rod over two posts, two boxes: distance from their mirror image";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "distance [m]";
    trial->plot.log_y = true;
    return ok &&
           lithe_trial_add(trial, at_most(off + (double)run.stopped, 1e-6),
                           "asymmetry in 1e4 steps [m]") &&
           lithe_trial_curve(trial, "", false, x, y, kept);
}
