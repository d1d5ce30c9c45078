// SPDX-License-Identifier: Apache-2.0
// cli/validate/belt.c - a belt finds the middle of a crowned pulley
//
// A flat belt runs over a crowned and a plain roller and starts beside the middle. docs/theory/
// patches.md derives how fast a belt that sticks climbs the crown, (PF15) to (PF18): its distance
// from the middle decays with a time constant that depends on crown, tension, width and speed.

#include "cli/validate/belt.h"

#include "base/memory.h"
#include "base/status.h"
#include "data/model.h"

#include <stdio.h>

#define ROLLERS \
    "lithe: 1\n" \
    "time: {step: %.17g s, end: 100 s, scheme: backward-euler}\n" \
    "gravity: none\n" \
    "contact: {%s}\n" \
    "materials:\n" \
    "  rubber: {young: %.17g, %s, density: 1155 kg/m^3, friction: 0.6,\n" \
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

// Time constant of the way to the middle [s]: the root sigma of (PF18), 1/(v sigma), between 0 and
// its first approximation (PF22), where the difference of both sides has changed sign.
static double time_constant(double tension, double speed) {
    double R = BELT_ROLLER + 0.5 * BELT_HEIGHT,
           EI = BELT_YOUNG * BELT_HEIGHT * BELT_WIDTH * BELT_WIDTH * BELT_WIDTH / 12;
    double reach = sqrt(EI / tension), tilt = 1 / (1 + EI / (tension * R * BELT_CROWN));
    double gain = tilt / (BELT_CROWN * R) * reach * (BELT_APART - 2 * reach);
    double low = 0, high = gain / (2 * BELT_APART + 2 * M_PI * R);
    for (int i = 0; i < 60; i++) {
        double sigma = 0.5 * (low + high), span = 1 - sigma * (BELT_APART - reach);
        double roller = exp(sigma * M_PI * R) * (1 + sigma * reach);
        if (span * (span + gain) > roller * roller)
            low = sigma;
        else
            high = sigma;
    }
    return 1 / (speed * R * low);
}

// --- the scene -----------------------------------------------------------------------------------

LitheBelt lithe_belt_published(void) {
    return (LitheBelt){.label = "50 nodes",
                       .nodes = 50,
                       .speed = M_PI,
                       .step = 3e-3,
                       .shear = BELT_YOUNG / (2 * (1 + BELT_POISSON)),
                       .stretch = BELT_PRESTRESS,
                       .contact = "patches: auto"};
}

LitheVec3 lithe_belt_line(double fraction, double R, LitheVec3 *outwards) {
    double s = fraction * (2 * BELT_APART + 2 * M_PI * R), a = (s - BELT_APART) / R;
    double b = (s - 2 * BELT_APART) / R - M_PI;
    LitheVec3 p = {s, BELT_START, -R}, n = {0, 0, -1};
    if (b > 0) {
        p = (LitheVec3){-R * sin(b), BELT_START, R * cos(b)};
        n = (LitheVec3){-sin(b), 0, cos(b)};
    } else if (a > M_PI) {
        p = (LitheVec3){2 * BELT_APART + M_PI * R - s, BELT_START, R};
        n = (LitheVec3){0, 0, 1};
    } else if (a > 0) {
        p = (LitheVec3){BELT_APART + R * sin(a), BELT_START, -R * cos(a)};
        n = (LitheVec3){sin(a), 0, -cos(a)};
    }
    if (outwards)
        *outwards = n;
    return p;
}

static bool hold_twists(LitheScene *scene, const LitheBelt *belt, LitheRodId rod) {
    bool ok = true;
    for (int32_t i = 0; ok && belt->held && i < belt->nodes; i++) {
        LitheHoldDef hold = lithe_hold_def_default();
        char name[32];
        snprintf(name, sizeof name, "twist-%d", (int)i);
        hold.name = name;
        hold.place.thing = lithe_thing_rod(rod);
        hold.place.node = i;
        hold.bits = LITHE_HOLD_TWIST;
        ok = lithe_scene_add_hold(scene, &hold);
    }
    return ok;
}

// only the stiffness against stretch: before the work arrays are made from it
static bool stiffen(const LitheBelt *belt, LitheStand *stand) {
    if (!(belt->stiffening > 0))
        return true;
    stand->model->rods[0].EA *= belt->stiffening;
    lithe_work_destroy(stand->work);
    stand->work = lithe_work_create(stand->model, 1);
    return stand->work != NULL;
}

bool lithe_belt_rollers(LitheTrial *trial, const LitheBelt *belt, LitheStand *stand) {
    char shear[64];
    if (belt->shear > 0)
        snprintf(shear, sizeof shear, "shear: %.17g", belt->shear);
    else
        snprintf(shear, sizeof shear, "poisson: %.17g",
                 belt->poisson > 0 ? belt->poisson : BELT_POISSON);
    return lithe_stand_text(trial, stand, ROLLERS, belt->step, belt->contact, BELT_YOUNG, shear,
                            BELT_APART, BELT_ROLLER, belt->speed);
}

LitheRodDef lithe_belt_rod(const LitheVec3 *points, int32_t count) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "belt";
    rod.material = (LitheMaterialId){1};
    rod.section.kind = LITHE_SECTION_RECTANGLE;
    rod.section.width = BELT_WIDTH;
    rod.section.height = BELT_HEIGHT;
    rod.shape = lithe_shape_def_default();
    rod.shape.kind = LITHE_SHAPE_POLYLINE;
    rod.shape.points = points;
    rod.shape.point_count = count;
    rod.shape.closed = true;
    rod.nodes = 0;
    rod.director = (LitheVec3){0, 1, 0};
    rod.self_contact = false;
    rod.natural_stretch = BELT_PRESTRESS;
    rod.natural_curvature2 =
        2 * M_PI / (2 * BELT_APART + 2 * M_PI * (BELT_ROLLER + 0.5 * BELT_HEIGHT));
    return rod;
}

bool lithe_belt_build(LitheTrial *trial, const LitheBelt *belt, LitheStand *stand) {
    LitheVec3 *points = lithe_alloc_array(trial->context, belt->nodes, sizeof *points);
    if (!points)
        return lithe_fail_memory(&trial->error, "the points of a belt") == LITHE_OK;
    double radius = belt->radius > 0 ? belt->radius : BELT_ROLLER + 0.5 * BELT_HEIGHT;
    for (int32_t i = 0; i < belt->nodes; i++)
        points[i] = lithe_belt_line((i + 0.5) / belt->nodes, radius, NULL);
    LitheRodDef rod = lithe_belt_rod(points, belt->nodes);
    rod.natural_stretch = belt->stretch;
    bool ok = lithe_belt_rollers(trial, belt, stand);
    if (ok) {
        stand->rod = lithe_scene_add_rod(stand->scene, &rod);
        ok = hold_twists(stand->scene, belt, stand->rod) && lithe_stand_compile(trial, stand) &&
             stiffen(belt, stand);
    }
    lithe_free(trial->context, points);
    return ok;
}

// --- measurements --------------------------------------------------------------------------------

double lithe_belt_mean_y(const LitheStand *stand, int32_t nodes) {
    const double *q = lithe_rod_q(stand->model, stand->state, stand->rod);
    double sum = 0;
    for (int32_t i = 0; i < nodes; i++)
        sum += q[4 * i + 1];
    return sum / nodes;
}

double lithe_belt_length(const LitheStand *stand, int32_t nodes) {
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
    double early;                  // time constant from the second to the sixth turn [s]
    double constant;               // from a third of the time on [s]
    double expected;               // (PF18)
} Walk;

// time constant between two samples [s]
static double decay(const Walk *walk, int first, int last) {
    return (walk->t[last] - walk->t[first]) / log(walk->y[first] / walk->y[last]);
}

static bool walk(LitheTrial *trial, const LitheBelt *belt, Walk *out) {
    LitheStand stand;
    double tension = 0;
    bool ok = lithe_belt_build(trial, belt, &stand);
    double rest = ok ? BELT_PRESTRESS * lithe_belt_length(&stand, belt->nodes) : 1;
    for (int k = 0; ok && k < SAMPLES; k++) {
        ok = k == 0 || lithe_stand_run(trial, &stand, belt->step, belt->end / (SAMPLES - 1));
        if (!ok)
            break;
        out->t[k] = lithe_state_time(stand.state);
        out->y[k] = 1e3 * lithe_belt_mean_y(&stand, belt->nodes);
        tension += BELT_YOUNG * BELT_WIDTH * BELT_HEIGHT *
                   (lithe_belt_length(&stand, belt->nodes) / rest - 1) / SAMPLES;
    }
    lithe_stand_end(&stand);
    // near the middle a belt of few edges is slower: meshes are compared over the same turns
    double samples = (SAMPLES - 1) / belt->end * 2 * M_PI / belt->speed;
    out->early = decay(out, (int)lround(2 * samples), (int)lround(6 * samples));
    out->constant = decay(out, SAMPLES / 3, SAMPLES - 1);
    out->expected = time_constant(tension, belt->speed);
    return ok && lithe_trial_curve(trial, belt->label, false, out->t, out->y, SAMPLES);
}

// --- crowned_pulley ------------------------------------------------------------------------------

bool lithe_case_crowned_pulley(LitheTrial *trial) {
    bool full = trial->refine > 1;
    LitheBelt published = lithe_belt_published();
    published.speed = full ? M_PI : 2 * M_PI; // faster to save time
    published.end = full ? 60 : 6;
    LitheBelt polar = published, fine = published, short_steps = published, short_polar;
    polar.label = "torsion times 27";
    polar.shear *= 27;
    fine.label = "100 nodes";
    fine.nodes = 100;
    fine.end = full ? 15 : 6;
    short_steps.label = "steps of 1 ms";
    short_steps.step = 1e-3;
    short_polar = polar;
    short_polar.label = "torsion times 27, steps of 1 ms";
    short_polar.step = 1e-3;
    Walk a, b, c, d, e, line = {0};
    trial->plot.title = "A belt on a crowned pulley";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "distance from the middle [mm]";
    bool ok = walk(trial, &published, &a) && walk(trial, &polar, &b) && walk(trial, &fine, &c) &&
              (!full || (walk(trial, &short_steps, &d) && walk(trial, &short_polar, &e)));
    if (!ok)
        return false;
    for (int k = 0; k < SAMPLES; k++) {
        line.t[k] = a.t[k];
        line.y[k] = 1e3 * BELT_START * exp(-a.t[k] / a.expected);
    }
    return lithe_trial_curve(trial, "theory", false, line.t, line.y, SAMPLES) &&
           lithe_trial_add(trial, near_to(a.early, a.expected, 0.3),
                           "time constant, 50 nodes [s]") &&
           lithe_trial_add(trial, near_to(c.early, c.expected, 0.2),
                           "time constant, 100 nodes [s]") &&
           lithe_trial_add(trial, near_to(2 * c.early - a.early, c.expected, 0.05),
                           "time constant, both, to edges of no length [s]") &&
           lithe_trial_add(trial, near_to(b.constant, a.constant, 0.1),
                           "time constant, torsion times 27 [s]") &&
           (!full || (lithe_trial_add(trial, near_to(d.constant, a.constant, 0.1),
                                      "time constant, steps of 1 ms [s]") &&
                      lithe_trial_add(trial, near_to(e.constant, b.constant, 0.1),
                                      "time constant, torsion times 27, steps of 1 ms [s]") &&
                      lithe_trial_add(trial, reported(a.constant),
                                      "time constant, 50 nodes, last two thirds [s]"))) &&
           lithe_trial_add(trial, reported(a.y[SAMPLES * 2 / 3]),
                           "distance after two thirds of the time [mm]") &&
           lithe_trial_add(trial, reported(a.y[SAMPLES - 1]), "distance at the end [mm]");
}
