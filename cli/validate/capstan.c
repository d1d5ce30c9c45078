// SPDX-License-Identifier: Apache-2.0
// cli/validate/capstan.c - a rope slips round a post: the tension grows as e^(mu phi)
//
// docs/theory/capstan.md derives the ratio for n segments that touch a post at their midpoints, and
// for a rope of finite thickness. One end carries a dead weight, the other is pulled slowly; the
// ratio of the two forces is measured in steady slip.

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

#define POST 0.03 // m

typedef struct Wrap {
    double mu, phi;
    double radius;   // of the rope [m]
    double EI, EA;   // N m^2, N
    double k;        // contact stiffness of either side [N/m]
    double modulus;  // of the rope's pressure field [Pa]; 0: contacts at points
    int32_t touches; // segments in contact
    int32_t free;    // segments of each free end
    double weight;   // dead load at the first end [N]; 0: that end is held
    double speed;    // with a weight: speed of the other end [m/s]
    double ramp;     // without: rate of the force on the other end [N/s]
    double step, time;
    bool still; // static steps
} Wrap;

// --- theory --------------------------------------------------------------------------------------

// (K2): ratio of the tensions of n segments that touch at their midpoints
static double discrete_ratio(double mu, double phi, int32_t n) {
    double D = phi / n, end = mu * tan(0.5 * D);
    return exp((n - 1) * asinh(mu * sin(D))) * (1 + end) / (1 - end);
}

// (K4): exponent over mu phi of a rope whose friction acts at its surface
static double thick_slope(double mu, double rope) {
    double e = rope / (POST + rope), a = mu;
    for (int k = 0; k < 50; k++)
        a = mu * (1 - e) / (1 + a * mu * e);
    return a / mu;
}

// --- the scene -----------------------------------------------------------------------------------

// Places the vertices outside the post such that the midpoints of the segments touch it; the free
// ends are tangents. `points` [touches + 1 + 2 free].
static void wind_rope(const Wrap *wrap, LitheVec3 *points) {
    double D = wrap->phi / wrap->touches, reach = (POST + wrap->radius) / cos(0.5 * D);
    double edge = 2 * reach * sin(0.5 * D);
    int32_t last = wrap->free + wrap->touches;
    for (int32_t i = 0; i <= last + wrap->free; i++) {
        int32_t on = i < wrap->free ? 0 : i > last ? wrap->touches : i - wrap->free;
        double off = edge * (i < wrap->free ? i - wrap->free : i > last ? i - last : 0);
        double angle = on * D, c = cos(angle), s = sin(angle);
        points[i] = (LitheVec3){reach * c - off * s, reach * s + off * c, 0};
    }
}

static bool build(LitheTrial *trial, const Wrap *wrap, LitheStand *stand) {
    int32_t count = wrap->touches + 1 + 2 * wrap->free;
    LitheVec3 *points = lithe_alloc_array(trial->context, count, sizeof *points);
    if (!points)
        return lithe_fail_memory(&trial->error, "the points of a rope") == LITHE_OK;
    wind_rope(wrap, points);
    LitheRodDef rope = lithe_rod_def_default();
    rope.name = "rope";
    rope.shape = lithe_shape_def_default();
    rope.shape.kind = LITHE_SHAPE_POLYLINE;
    rope.shape.points = points;
    rope.shape.point_count = count;
    rope.nodes = 0;
    rope.self_contact = false;
    LitheMaterialDef hard = lithe_material_def_default();
    hard.name = "hard";
    hard.friction = wrap->mu;
    hard.contact_stiffness = wrap->k;
    LitheMaterialDef soft = hard;
    soft.name = "soft";
    soft.patch_modulus = wrap->modulus;
    LitheGeomDef post = lithe_geom_def_default();
    post.kind = LITHE_GEOM_CYLINDER;
    post.radius = POST;
    post.length = 1;
    LitheBodyDef body = lithe_body_def_default();
    body.name = "post";
    body.fixed = true;
    body.geoms = &post;
    body.geom_count = 1;
    // one end carries a dead force, the other is moved or held
    bool held = wrap->weight == 0;
    double s = sin(wrap->phi), c = cos(wrap->phi);
    LitheForceDef force = lithe_force_def_default();
    force.name = "force";
    force.force = held ? (LitheVec3){-s, c, 0} : (LitheVec3){0, -wrap->weight, 0};
    force.place.node = held ? -1 : 0;
    if (held) {
        force.profile.value = 0;
        force.profile.rate = wrap->ramp;
    }
    LitheDriveDef hand = lithe_drive_def_default();
    hand.name = "hand";
    hand.direction = held ? (LitheVec3){0, -1, 0} : (LitheVec3){-s, c, 0};
    hand.motion.rate = wrap->speed;
    hand.place.node = held ? 0 : -1;
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER;
    time.step = wrap->step;
    time.end = 10;
    time.scheme = wrap->still ? LITHE_SCHEME_STATIC : time.scheme;

    bool ok = lithe_stand_begin(trial, stand, NULL);
    if (ok) {
        post.material = rope.material = lithe_scene_add_material(stand->scene, &hard);
        if (wrap->modulus > 0)
            rope.material = lithe_scene_add_material(stand->scene, &soft);
        rope.section = lithe_stand_section(wrap->EI, wrap->EI, wrap->EA, 3.14e-3);
        rope.section.radius = wrap->radius;

        stand->rod = lithe_scene_add_rod(stand->scene, &rope);
        force.place.thing = hand.place.thing = lithe_thing_rod(stand->rod);
        lithe_scene_set_time(stand->scene, &time);
        ok = lithe_scene_add_body(stand->scene, &body).number > 0 &&
             lithe_scene_add_force(stand->scene, &force) &&
             lithe_scene_add_drive(stand->scene, &hand).number > 0;
        ok = ok ? lithe_stand_compile(trial, stand)
                : lithe_fail_memory(&trial->error, "a scene") == LITHE_OK;
    }
    lithe_free(trial->context, points);
    return ok;
}

// force of the drive and dead load, means over the last `window` seconds
static bool measure(LitheTrial *trial, const Wrap *wrap, double window, double *hand,
                    double *dead) {
    LitheStand stand;
    bool ok = build(trial, wrap, &stand);
    int32_t steps = (int32_t)lround(wrap->time / wrap->step), counted = 0;
    *hand = *dead = 0;
    for (int32_t k = 1; ok && k <= steps; k++) {
        ok = lithe_stand_step(trial, &stand);
        double t = k * wrap->step;
        if (!ok || t < wrap->time - window)
            continue;
        *hand += lithe_drive_force(stand.model, stand.state, (LitheDriveId){1});
        *dead += wrap->weight > 0 ? wrap->weight : wrap->ramp * t;
        counted++;
    }
    *hand /= counted;
    *dead /= counted;
    lithe_stand_end(&stand);
    return ok;
}

// --- capstan -------------------------------------------------------------------------------------

// a thin rope with negligible bending stiffness
static Wrap thin_rope(double mu, double phi, int32_t touches) {
    return (Wrap){.mu = mu,
                  .phi = phi,
                  .radius = 3e-6,
                  .EI = 1e-10,
                  .EA = 3000,
                  .k = 1e5,
                  .touches = touches,
                  .free = 4,
                  .weight = 0.005,
                  .speed = 4e-3,
                  .step = 1e-3,
                  .time = 0.1};
}

bool lithe_case_capstan(LitheTrial *trial) {
    const double mu[] = {0.1, 0.2, 0.35}, turns[] = {0.25, 0.5, 1, 1.5, 2};
    double x[16], y[16], line_x[2] = {0, 0.35 * 4 * M_PI}, line_y[2] = {0, 0.35 * 4 * M_PI};
    int32_t count = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 5; j++) {
            double phi = 2 * M_PI * turns[j], T[2], weight;
            for (int r = 0; r < 2; r++) {
                int32_t touches = (int32_t)lround(36 * turns[j]) * (trial->refine << r);
                Wrap wrap = thin_rope(mu[i], phi, touches);
                if (!measure(trial, &wrap, 0.025, &T[r], &weight))
                    return false;
                T[r] /= weight;
                LitheFinding exact = {.measured = T[r],
                                      .coarse = NAN,
                                      .reference = discrete_ratio(mu[i], phi, touches),
                                      .tolerance = 5e-3};
                if (turns[j] == 1 &&
                    !lithe_trial_add(trial, exact, "ratio of %d segments, mu %g", touches, mu[i]))
                    return false;
            }
            LitheFinding ratio = {
                .measured = T[1], .coarse = T[0], .reference = exp(mu[i] * phi), .tolerance = 0.03};
            if (!lithe_trial_add(trial, ratio, "T2/T1, mu %g, %g turns", mu[i], turns[j]))
                return false;
            LitheFinding fine = {
                .measured = T[1], .coarse = NAN, .reference = exp(mu[i] * phi), .tolerance = 5e-3};
            if (turns[j] == 1 &&
                !lithe_trial_add(trial, fine, "T2/T1, mu %g, finer mesh only", mu[i]))
                return false;
            x[count] = mu[i] * phi;
            y[count++] = log(T[1]);
        }
    trial->plot.title = "Tension of a rope that slips round a post";
    trial->plot.x_label = "mu phi";
    trial->plot.y_label = "ln(T2/T1)";
    return lithe_trial_curve(trial, "Euler and Eytelwein", false, line_x, line_y, 2) &&
           lithe_trial_curve(trial, "measured", true, x, y, count);
}

// --- capstan_static ------------------------------------------------------------------------------

// The same ratio without inertia: the drive moves in static load steps, each from the last
// equilibrium, until the whole rope slips and the pull no longer grows.
bool lithe_case_capstan_static(LitheTrial *trial) {
    const double mu[] = {0.2, 0.35};
    for (int i = 0; i < 2; i++) {
        double T[2], weight;
        for (int r = 0; r < 2; r++) {
            int32_t touches = 36 * (trial->refine << r);
            Wrap wrap = thin_rope(mu[i], 2 * M_PI, touches);
            wrap.still = true;
            wrap.speed = 1e-3;
            wrap.time = 0.03;
            if (!measure(trial, &wrap, 0.005, &T[r], &weight))
                return false;
            T[r] /= weight;
            LitheFinding exact = {.measured = T[r],
                                  .coarse = NAN,
                                  .reference = discrete_ratio(mu[i], 2 * M_PI, touches),
                                  .tolerance = 5e-3};
            if (!lithe_trial_add(trial, exact, "slip load of %d segments, mu %g", touches, mu[i]))
                return false;
        }
        LitheFinding ratio = {
            .measured = T[1], .coarse = NAN, .reference = exp(mu[i] * 2 * M_PI), .tolerance = 5e-3};
        if (!lithe_trial_add(trial, ratio, "T2/T1, mu %g", mu[i]))
            return false;
    }
    return true;
}

// --- capstan_soft --------------------------------------------------------------------------------

// A rope goes round half of a soft drum, whose core is held. Both ends are parallel and the pull is
// along them, so that the rope turns by pi whatever shape it presses the drum into: the ratio of
// the tensions is that of a rigid post, while the dent is shallow. A rope that sinks in by more
// than its radius lies in a groove, whose walls press on it from the sides: its ratio is reported.
#define WEIGHT 0.5 // N

typedef struct SoftWrap {
    double mu, young, resolution; // of the drum [Pa], [m]
    double start;                 // time at which all of the rope slips [s]
    double pull;                  // mean while the rope slips [N]
    double dent;                  // deepest contact below the radius of the drum [m]
} SoftWrap;

static bool pull_round(LitheTrial *trial, SoftWrap *wrap) {
    LitheStand stand;
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "parameters: {r: 0.5 mm, reach: 30.5 mm}\n"
        "time: {step: 20 ms, end: 10 s, scheme: backward-euler}\n"
        "contact: {stick-speed: 1e-6 m/s}\n"
        "gravity: none\n"
        "materials:\n"
        "  soft: {young: %.17g, poisson: 0.3, density: 1000, friction: %.17g,\n"
        "         damping: {stiffness: 5 ms}}\n"
        "  cord: {young: 100 MPa, density: 1000, friction: %.17g, damping: {mass: 5 1/s}}\n"
        "solids:\n"
        "  drum: {material: soft, law: corotated, quadratic: false, mesh: {tube: {radius: 30 mm, "
        "inner: 15 mm,\n"
        "         length: 20 mm, resolution: %.17g}}}\n"
        "rods:\n"
        "  rope: {material: cord, nodes: 60, self-contact: false, natural: {from: shape},\n"
        "         section: {stiffness: {EA: 100 N, EI: 1e-8 N m^2, GJ: 1e-8 N m^2,\n"
        "         mass-per-length: 1e-3, radius: r}},\n"
        "         shape: {path: {pieces: [{straight: 3 cm}, {turn: 0.5 turn, radius: reach},\n"
        "         {straight: 3 cm}], at: [-3 cm, -reach, 0]}}}\n"
        "holds: {core: {on: drum.inner}}\n"
        "forces: {weight: {on: rope.start, force: [%.17g, 0, 0]}}\n"
        "drives: {hand: {kind: position, on: rope.end, direction: [-1, 0, 0],\n"
        "         motion: {rate: 2 mm/s}}}\n",
        wrap->young, wrap->mu, wrap->mu, wrap->resolution, -WEIGHT);
    ok = ok && lithe_stand_run(trial, &stand, 0.02, wrap->start);
    wrap->pull = wrap->dent = 0;
    // a mean over the time in which a node of the rope comes to the place of the next one
    enum { STEPS = 80 };
    for (int32_t k = 0; ok && k < STEPS; k++) {
        ok = lithe_stand_step(trial, &stand);
        double pull = ok ? lithe_drive_force(stand.model, stand.state, (LitheDriveId){1}) : 0;
        wrap->pull += pull / STEPS;
    }
    for (int32_t i = 0; ok && i < lithe_work_contact_count(stand.work); i++) {
        LitheContactForce c = lithe_work_contact(stand.work, i);
        if (c.normal > 0)
            wrap->dent = fmax(wrap->dent, POST - hypot(c.contact.point.x, c.contact.point.y));
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_capstan_soft(LitheTrial *trial) {
    static const double mu[] = {0.1, 0.3, 0.3}, young[] = {2e5, 2e5, 5e4};
    for (int i = 0; i < 3; i++) {
        bool groove = young[i] < 1e5;
        SoftWrap wrap = {.mu = mu[i],
                         .young = young[i],
                         .resolution = 5e-3 / trial->refine,
                         .start = groove ? 2.6 : 1.2};
        double ratio = exp(thick_slope(mu[i], 0.5e-3) * mu[i] * M_PI);
        if (!pull_round(trial, &wrap))
            return false;
        double measured = wrap.pull / WEIGHT;
        if (!lithe_trial_add(trial, groove ? reported(measured) : near_to(measured, ratio, 0.03),
                             "T2/T1, mu %g, %g kPa", mu[i], 1e-3 * young[i]) ||
            !lithe_trial_add(trial, reported(wrap.dent), "dent, mu %g, %g kPa [m]", mu[i],
                             1e-3 * young[i]))
            return false;
    }
    return true;
}

// --- capstan_filament ----------------------------------------------------------------------------

// Modulus of the pressure field that gives the contact of one edge its stiffness. With much stiffer
// contacts every second one opens, by nanometres.
#define HYDROELASTIC 1e5 // Pa

// A rope of 2 mm diameter with some bending stiffness, which reduces both tensions by
// B = EI/(2 R^2) (K3); parameters as in the reference of this case.
static Wrap thick_rope(double phi, double d_phi, double radius) {
    return (Wrap){.mu = 0.2,
                  .phi = phi,
                  .radius = radius,
                  .EI = 7.85e-8,
                  .EA = 31.4,
                  .k = 2 * HYDROELASTIC * d_phi * POST,
                  .touches = (int32_t)lround(phi / d_phi),
                  .free = 12,
                  .ramp = 0.01,
                  .step = 1e-3,
                  .time = 2};
}

enum { MAX_ANGLES = 17 };

static const double mesh[3] = {0.1 * M_PI, 0.05 * M_PI, 0.025 * M_PI}; // edges [rad]

// Slope of ln((T2 - B)/(T1 - B)) over mu phi through the origin, least squares; `modulus` of the
// pressure field of the rope, 0: contacts at points.
static bool slope_of(LitheTrial *trial, double d_phi, double radius, double modulus, int32_t angles,
                     double *x, double *y, double *slope) {
    double xy = 0, xx = 0;
    for (int32_t k = 0; k < angles; k++) {
        double phi = 2 * M_PI * (angles == 1 ? 1 : 0.2 + 0.8 * k / (angles - 1)), T1, T2;
        Wrap wrap = thick_rope(phi, d_phi, radius);
        wrap.modulus = modulus;
        double B = wrap.EI / (2 * POST * POST);
        if (!measure(trial, &wrap, 0.05, &T1, &T2))
            return false;
        x[k] = wrap.mu * phi;
        y[k] = log((T2 - B) / (T1 - B));
        xy += x[k] * y[k];
        xx += x[k] * x[k];
    }
    *slope = xy / xx;
    return true;
}

// slopes of a rope of 2 mm at three meshes, and a plot of them
static bool three_meshes(LitheTrial *trial, double modulus, int32_t angles, double slope[3]) {
    const char *labels[3] = {"0.1 pi", "0.05 pi", "0.025 pi"};
    double x[MAX_ANGLES], y[MAX_ANGLES];
    double line[2] = {0, 0.4 * M_PI}, lower[2] = {0, thick_slope(0.2, 1e-3) * line[1]};
    trial->plot.title = "Tension of a rope that slips round a post";
    trial->plot.x_label = "mu phi";
    trial->plot.y_label = "ln((T2 - B)/(T1 - B))";
    bool ok =
        lithe_trial_curve(trial, "thin rope", false, line, line, 2) &&
        lithe_trial_curve(trial, "friction at the surface of this rope", false, line, lower, 2);
    for (int r = 0; ok && r < 3; r++)
        ok = slope_of(trial, mesh[r], 1e-3, modulus, angles, x, y, &slope[r]) &&
             lithe_trial_curve(trial, labels[r], true, x, y, angles);
    return ok;
}

bool lithe_case_capstan_filament(LitheTrial *trial) {
    double x[MAX_ANGLES], y[MAX_ANGLES], slope[3], thin, thick = thick_slope(0.2, 1e-3);
    int32_t angles = trial->refine > 1 ? MAX_ANGLES : 1;
    if (!three_meshes(trial, 0, angles, slope) ||
        !slope_of(trial, mesh[2], 1e-4, 0, angles, x, y, &thin))
        return false;
    LitheFinding fine = {.measured = slope[2],
                         .coarse = slope[1],
                         .reference = thick,
                         .tolerance = 0.02,
                         .floor = 5e-3};
    LitheFinding coarse = {.measured = slope[1],
                           .coarse = slope[0],
                           .reference = thick,
                           .tolerance = 0.05,
                           .floor = 5e-3};
    LitheFinding limit = {
        .measured = thin, .coarse = NAN, .reference = 1, .tolerance = 0.02, .floor = 0};
    return lithe_trial_add(trial, coarse, "slope at 0.05 pi, rope of 2 mm") &&
           lithe_trial_add(trial, fine, "slope at 0.025 pi, rope of 2 mm") &&
           lithe_trial_add(trial, limit, "slope at 0.025 pi, rope of 0.2 mm");
}

// --- capstan_patches -----------------------------------------------------------------------------

// the same rope with a pressure field: each edge touches the post over an area
bool lithe_case_capstan_patches(LitheTrial *trial) {
    double slope[3], thick = thick_slope(0.2, 1e-3);
    if (!three_meshes(trial, HYDROELASTIC, trial->refine > 1 ? MAX_ANGLES : 2, slope))
        return false;
    return lithe_trial_add(trial, near_to(slope[0], thick, 0.03), "slope at 0.1 pi") &&
           lithe_trial_add(trial, near_to(slope[1], thick, 0.01), "slope at 0.05 pi") &&
           lithe_trial_add(trial, near_to(slope[2], thick, 0.01), "slope at 0.025 pi");
}
