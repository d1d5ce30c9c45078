// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt.c - a belt finds the middle of a crowned pulley
//
// A flat belt runs over a crowned and a plain roller and starts beside the middle. docs/theory/
// patches.md derives how fast a belt that sticks climbs the crown, (PF15) to (PF18): its distance
// from the middle decays with a time constant that depends on crown, tension, width and speed.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#define ROLLER 0.03    // radius [m]
#define APART 0.14608  // of the axes [m]
#define WIDTH 0.02     // of the belt [m]
#define HEIGHT 0.002   // of the belt [m]
#define YOUNG 6.2e5    // Pa
#define CROWN 0.313    // radius of the crown across the belt [m]
#define PRESTRESS 0.95 // rest length over length
#define START (-0.02)  // of the belt beside the middle [m]

typedef struct Belt {
    const char *label;
    int32_t nodes;
    double speed;     // of the crowned roller [rad/s]
    double step, end; // s
    double shear;     // modulus [Pa]
    double stretch;   // rest length over length
    bool held;        // the twist of all edges is held
    bool points;      // contacts at points
} Belt;

#define ROLLERS \
    "lithe: 1\n" \
    "time: {step: %.17g s, end: 100 s, scheme: backward-euler}\n" \
    "gravity: none\n" \
    "contact: {patches: %s}\n" \
    "materials:\n" \
    "  rubber: {young: %.17g, shear: %.17g, density: 1155 kg/m^3, friction: 0.6,\n" \
    "           damping: {mass: 1.1 1/s}, contact: {patches: {modulus: 100 kPa}}}\n" \
    "  steel: {young: 1 GPa, density: 1000 kg/m^3, friction: 0.2}\n" \
    "bodies:\n" \
    "  crowned:\n" \
    "    material: steel\n" \
    "    rotate: {axis: [1, 0, 0], angle: -90 deg}\n" \
    "    shape: {revolution: {outline: [[-40 mm, 27 mm], [-33.43 mm, 28.032 mm],\n" \
    "      [-26.79 mm, 28.791 mm], [-20.12 mm, 29.339 mm], [-13.42 mm, 29.713 mm],\n" \
    "      [-6.71 mm, 29.93 mm], [0 mm, 30.002 mm], [6.71 mm, 29.93 mm], [13.42 mm, 29.713 mm],\n" \
    "      [20.12 mm, 29.339 mm], [26.79 mm, 28.791 mm], [33.43 mm, 28.032 mm],\n" \
    "      [40 mm, 27 mm]]}}\n" \
    "  plain: {material: steel, at: [%.17g, 0, 0], rotate: {axis: [1, 0, 0], angle: -90 deg},\n" \
    "          shape: {cylinder: {radius: %.17g, length: 80 mm}}}\n" \
    "joints:\n" \
    "  driven: {kind: revolute, child: crowned, axis: [0, 1, 0]}\n" \
    "  free: {kind: revolute, child: plain, axis: [0, 1, 0]}\n" \
    "actuators:\n" \
    "  motor: {joint: driven, kind: position, target: {rate: %.17g rad/s},\n" \
    "          stiffness: 10 N m/rad, damping: 1 N m s/rad}\n"

// --- theory --------------------------------------------------------------------------------------

// (PF18) time constant of the way to the middle [s]
static double time_constant(double tension, double speed) {
    double R = ROLLER + 0.5 * HEIGHT, EI = YOUNG * HEIGHT * WIDTH * WIDTH * WIDTH / 12;
    double decay = sqrt(tension / EI), tilt = 1 / (1 + EI / (tension * R * CROWN));
    double slope = tilt / (CROWN * R * decay) * (APART - 2 / decay) / (2 * APART + 2 * M_PI * R);
    return 1 / (speed * R * slope);
}

// --- the scene -----------------------------------------------------------------------------------

static void lay_belt(LitheVec3 *points, int32_t count) {
    double R = ROLLER + 0.5 * HEIGHT, length = 2 * APART + 2 * M_PI * R;
    for (int32_t i = 0; i < count; i++) {
        double s = length * (i + 0.5) / count, a = (s - APART) / R;
        double b = (s - 2 * APART) / R - M_PI;
        LitheVec3 p = {s, START, -R};
        if (b > 0)
            p = (LitheVec3){-R * sin(b), START, R * cos(b)};
        else if (a > M_PI)
            p = (LitheVec3){2 * APART + M_PI * R - s, START, R};
        else if (a > 0)
            p = (LitheVec3){APART + R * sin(a), START, -R * cos(a)};
        points[i] = p;
    }
}

static bool hold_twists(LitheScene *scene, const Belt *belt, LitheRodId rod) {
    bool ok = true;
    for (int32_t i = 0; ok && belt->held && i < belt->nodes; i++) {
        LitheHoldDef hold = lithe_hold_def_default();
        hold.place.thing = lithe_thing_rod(rod);
        hold.place.node = i;
        hold.bits = LITHE_HOLD_TWIST;
        ok = lithe_scene_add_hold(scene, &hold);
    }
    return ok;
}

static bool build(LitheTrial *trial, const Belt *belt, LitheStand *stand) {
    LitheVec3 *points = lithe_alloc_array(trial->context, belt->nodes, sizeof *points);
    if (!points)
        return lithe_fail_memory(&trial->error, "the points of a belt") == LITHE_OK;
    lay_belt(points, belt->nodes);
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "belt";
    rod.material = (LitheMaterialId){1};
    rod.section.kind = LITHE_SECTION_RECTANGLE;
    rod.section.width = WIDTH;
    rod.section.height = HEIGHT;
    rod.shape = lithe_shape_def_default();
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = belt->nodes;
    rod.shape.closed = true;
    rod.nodes = 0;
    rod.director = (LitheVec3){0, 1, 0};
    rod.self_contact = false;
    rod.natural_stretch = belt->stretch;
    rod.natural_curvature2 = 2 * M_PI / (2 * APART + 2 * M_PI * (ROLLER + 0.5 * HEIGHT));
    bool ok = lithe_stand_text(trial, stand, ROLLERS, belt->step, belt->points ? "off" : "auto",
                               YOUNG, belt->shear, APART, ROLLER, belt->speed);
    if (ok) {
        stand->rod = lithe_scene_add_rod(stand->scene, &rod);
        ok = hold_twists(stand->scene, belt, stand->rod) && lithe_stand_compile(trial, stand);
    }
    lithe_free(trial->context, points);
    return ok;
}

// --- measurements --------------------------------------------------------------------------------

static double mean_y(const LitheStand *stand, int32_t nodes) {
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    double sum = 0;
    for (int32_t i = 0; i < nodes; i++)
        sum += q[4 * i + 1];
    return sum / nodes;
}

static double length_of(const LitheStand *stand, int32_t nodes) {
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    double sum = 0;
    for (int32_t i = 0; i < nodes; i++) {
        const double *a = q + 4 * i, *b = q + 4 * ((i + 1) % nodes);
        sum += sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) +
                    (b[2] - a[2]) * (b[2] - a[2]));
    }
    return sum;
}

enum { SAMPLES = 61 };

typedef struct Walk {
    double t[SAMPLES], y[SAMPLES]; // s, mm
    double constant;               // measured from a third of the time on [s]
    double expected;               // (PF18)
} Walk;

static bool walk(LitheTrial *trial, const Belt *belt, Walk *out) {
    LitheStand stand;
    double tension = 0;
    bool ok = build(trial, belt, &stand);
    double rest = ok ? PRESTRESS * length_of(&stand, belt->nodes) : 1;
    for (int k = 0; ok && k < SAMPLES; k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, belt->end / (SAMPLES - 1));
        if (!ok)
            break;
        out->t[k] = lithe_state_time(stand.state);
        out->y[k] = 1e3 * mean_y(&stand, belt->nodes);
        tension += YOUNG * WIDTH * HEIGHT * (length_of(&stand, belt->nodes) / rest - 1) / SAMPLES;
    }
    lithe_stand_end(&stand);
    int first = SAMPLES / 3;
    out->constant =
        (out->t[SAMPLES - 1] - out->t[first]) / log(out->y[first] / out->y[SAMPLES - 1]);
    out->expected = time_constant(tension, belt->speed);
    return ok && lithe_trial_curve(trial, belt->label, false, out->t, out->y, SAMPLES);
}

// --- crowned_pulley ------------------------------------------------------------------------------

bool lithe_case_crowned_pulley(LitheTrial *trial) {
    bool full = trial->refine > 1;
    const Belt published = {.label = "50 nodes",
                            .nodes = 50,
                            .speed = full ? M_PI : 2 * M_PI, // faster to save time
                            .step = 3e-3,
                            .end = full ? 60 : 6,
                            .shear = YOUNG / 2.9998,
                            .stretch = PRESTRESS};
    Belt polar = published, fine = published, short_steps = published;
    polar.label = "torsion times 27";
    polar.shear *= 27;
    fine.label = "100 nodes";
    fine.nodes = 100;
    fine.end = full ? 15 : 6;
    short_steps.label = "steps of 1 ms";
    short_steps.step = 1e-3;
    Walk a, b, c, d, line = {0};
    trial->plot.title = "A belt on a crowned pulley";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "distance from the middle [mm]";
    bool ok = walk(trial, &published, &a) && walk(trial, &polar, &b) && walk(trial, &fine, &c) &&
              (!full || walk(trial, &short_steps, &d));
    if (!ok)
        return false;
    for (int k = 0; k < SAMPLES; k++) {
        line.t[k] = a.t[k];
        line.y[k] = 1e3 * START * exp(-a.t[k] / a.expected);
    }
    return lithe_trial_curve(trial, "theory", false, line.t, line.y, SAMPLES) &&
           lithe_trial_add(trial, near_to(a.constant, a.expected, 0.4),
                           "time constant, 50 nodes [s]") &&
           lithe_trial_add(trial, near_to(c.constant, c.expected, 0.2),
                           "time constant, 100 nodes [s]") &&
           lithe_trial_add(trial, near_to(b.constant, a.constant, 0.1),
                           "time constant, torsion times 27 [s]") &&
           (!full || lithe_trial_add(trial, near_to(d.constant, a.constant, 0.1),
                                     "time constant, steps of 1 ms [s]")) &&
           lithe_trial_add(trial, reported(a.y[SAMPLES * 2 / 3]),
                           "distance after two thirds of the time [mm]") &&
           lithe_trial_add(trial, reported(a.y[SAMPLES - 1]), "distance at the end [mm]");
}
