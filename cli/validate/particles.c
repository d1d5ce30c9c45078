// SPDX-License-Identifier: Apache-2.0
// cli/validate/particles.c - particles: incline, free fall, collisions, beads on a rod and in a
// chain, a cloud

#include "cli/validate/validate.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81

static LitheVec3 read3(const double *x, int32_t index) {
    x += 3 * (int64_t)index;
    return (LitheVec3){x[0], x[1], x[2]};
}

static LitheParticlesId set_of(const LitheStand *stand, const char *name) {
    return lithe_particles_find(stand->model, name);
}

static LitheVec3 place_of(const LitheStand *stand, const char *name, int32_t index) {
    return read3(lithe_particles_position(stand->model, stand->state, set_of(stand, name)), index);
}

static LitheVec3 speed_of(const LitheStand *stand, const char *name, int32_t index) {
    return read3(lithe_particles_velocity(stand->model, stand->state, set_of(stand, name)), index);
}

static double length_of(LitheVec3 a) {
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static LitheVec3 minus(LitheVec3 a, LitheVec3 b) {
    return (LitheVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static LitheFinding both_at_most(double fine, double coarse, double limit) {
    return (LitheFinding){
        .measured = fine, .coarse = coarse, .reference = limit, .kind = LITHE_ERROR_AT_MOST};
}

// --- particle_incline ----------------------------------------------------------------------------

static const char *const laws[] = {"lagged", "sap", "similar"};

// displacement down the slope in `time` after `settle`, and the mean acceleration; friction 0.5
static bool slide(LitheTrial *trial, double angle, const char *law, double step, double settle,
                  double time, double *distance, double *acceleration) {
    LitheStand stand;
    LitheVec3 x[2] = {{0}}, v[2] = {{0}};
    double c = cos(angle), s = sin(angle);
    bool ok = lithe_stand_parse(
        trial, &stand,
        "lithe: 1\n"
        "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
        "contact: {friction-law: %s}\n"
        "materials: {wood: {young: 1 GPa, density: 1000, friction: 0.5,\n"
        "                   contact: {stiffness: 1e6 N/m, dissipation: 100 s/m}}}\n"
        "bodies: {plane: {fixed: true, material: wood, shape: {half-space: {}},\n"
        "                 rotate: {axis: [0, 1, 0], angle: %.17g rad}}}\n"
        "particles: {grain: {material: wood, mass: 1, radius: 0.05, at: [%.17g, 0, %.17g]}}\n",
        step, law, angle, 0.05 * s, 0.05 * c);
    for (int k = 0; ok && k < 2; k++) {
        ok = lithe_stand_run(trial, &stand, step, k == 0 ? settle : time);
        x[k] = place_of(&stand, "grain", 0);
        v[k] = speed_of(&stand, "grain", 0);
    }
    *distance = (x[1].x - x[0].x) * c - (x[1].z - x[0].z) * s;
    *acceleration = ((v[1].x - v[0].x) * c - (v[1].z - v[0].z) * s) / time;
    lithe_stand_end(&stand);
    return ok;
}

static double coulomb(double angle) {
    return fmax(GRAVITY * (sin(angle) - 0.5 * cos(angle)), 0);
}

enum { SLOPES = 13 };

// atan 0.5 is 26.565 degrees: a ball that can rotate would roll down all of these slopes
bool lithe_case_particle_incline(LitheTrial *trial) {
    static const double stuck[] = {20, 26.5};
    double degree = M_PI / 180, distance[2], acceleration[2], x[SLOPES], y[SLOPES], exact[SLOPES];
    for (int i = 0; i < 2; i++) {
        for (int fine = 0; fine < 2; fine++)
            if (!slide(trial, stuck[i] * degree, "lagged", (fine ? 5e-3 : 1e-2) / trial->refine,
                       0.1, 10, &distance[fine], &acceleration[fine]))
                return false;
        if (!lithe_trial_add(trial, both_at_most(fabs(distance[1]), fabs(distance[0]), 1e-6),
                             "displacement_in_10s_%gdeg [m]", stuck[i]))
            return false;
    }
    for (int law = 0; law < 3; law++) {
        for (int fine = 0; fine < 2; fine++)
            if (!slide(trial, 30 * degree, laws[law], (fine ? 2e-3 : 4e-3) / trial->refine, 0.1, 4,
                       &distance[fine], &acceleration[fine]))
                return false;
        LitheFinding f = refined_to(acceleration, coulomb(30 * degree), 0.005);
        f.floor = 1e-5; // the tolerance of the solve
        if (!lithe_trial_add(trial, f, "acceleration_30deg_%s", laws[law]))
            return false;
    }
    for (int i = 0; i < SLOPES; i++) {
        x[i] = 20 + i;
        exact[i] = coulomb(x[i] * degree);
        if (!slide(trial, x[i] * degree, "lagged", 5e-3, 0.1, 1, distance, &y[i]))
            return false;
    }
    trial->plot.title = "Particle on an incline, friction 0.5: acceleration";
    trial->plot.x_label = "angle [degrees]";
    trial->plot.y_label = "acceleration [m/s^2]";
    return lithe_trial_curve(trial, "Coulomb", false, x, exact, SLOPES) &&
           lithe_trial_curve(trial, "measured", true, x, y, SLOPES);
}

// --- particle_collision --------------------------------------------------------------------------

#define DISSIPATION 0.3 // s/m
#define APPROACH 2.0    // m/s

// lag behind the parabola after 1 s [m]
static bool fall(LitheTrial *trial, const char *scheme, double step, double *lag) {
    LitheStand stand;
    bool ok = lithe_stand_parse(trial, &stand,
                                "lithe: 1\n"
                                "time: {step: %.17g s, end: 1000 s, scheme: %s}\n"
                                "particles: {grain: {mass: 1, radius: 0.01, at: [0, 0, 0],\n"
                                "                    velocity: [1, 0, 3]}}\n",
                                step, scheme) &&
              lithe_stand_run(trial, &stand, step, 1);
    *lag = ok ? (3 - 0.5 * GRAVITY) - place_of(&stand, "grain", 0).z : 0;
    lithe_stand_end(&stand);
    return ok;
}

// two balls after their collision, without friction
typedef struct Hit {
    double restitution; // of an impact along the line of centres
    double momentum;    // change, relative to the initial momentum
    LitheVec3 after[2];
} Hit;

typedef struct Throw {
    bool bodies; // false: particles
    const char *scheme;
    double step, speed; // s, m/s
    double offset;      // across the line of motion [m]
} Throw;

// two balls of 0.1 and 0.3 kg
static bool hit(LitheTrial *trial, const Throw *t, Hit *out) {
    static const char *const as_particles =
        "particles:\n"
        "  left: {material: m, mass: 0.1, radius: 0.05, at: [-0.051, 0, 0], velocity: [%g, 0, 0]}\n"
        "  right: {material: m, mass: 0.3, radius: 0.05, at: [0.051, %g, 0]}\n";
    static const char *const as_bodies =
        "bodies:\n"
        "  left: {shape: {sphere: {radius: 0.05}}, material: m, mass: 0.1,\n"
        "         inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0], at: [-0.051, 0, 0], velocity: [%g, 0, 0]}\n"
        "  right: {shape: {sphere: {radius: 0.05}}, material: m, mass: 0.3,\n"
        "          inertia: [3e-4, 3e-4, 3e-4, 0, 0, 0], at: [0.051, %g, 0]}\n";
    LitheStand stand;
    char things[600];
    snprintf(things, sizeof things, t->bodies ? as_bodies : as_particles, t->speed, t->offset);
    // the time of approach, and three half periods of the contact (12 ms each)
    double time = 0.036 + ceil(1e3 * (0.002 + t->offset) / t->speed) / 1e3;
    bool ok = lithe_stand_parse(
                  trial, &stand,
                  "lithe: 1\n"
                  "gravity: none\n"
                  "time: {step: %.17g s, end: 1000 s, scheme: %s}\n"
                  "contact: {tolerance: 1e-10}\n"
                  "materials: {m: {young: 1 GPa, density: 1000, friction: 0,\n"
                  "                contact: {stiffness: 1e4 N/m, dissipation: %.17g s/m}}}\n%s",
                  t->step, t->scheme, DISSIPATION, things) &&
              lithe_stand_run(trial, &stand, t->step, time);
    for (int k = 0; ok && k < 2; k++) {
        double v[6] = {0};
        const char *name = k == 0 ? "left" : "right";
        if (t->bodies)
            lithe_body_velocity(stand.model, stand.state, lithe_body_find(stand.model, name), v);
        out->after[k] = t->bodies ? (LitheVec3){v[0], v[1], v[2]} : speed_of(&stand, name, 0);
    }
    if (ok) {
        LitheVec3 p = lithe_momentum(stand.model, stand.state);
        out->momentum = length_of(minus(p, (LitheVec3){0.1 * t->speed, 0, 0})) / (0.1 * t->speed);
        out->restitution = (out->after[1].x - out->after[0].x) / t->speed;
    }
    lithe_stand_end(&stand);
    return ok;
}

// Hunt and Crossley's law: with u the speed of approach, m u du/dx = -k x (1 + d u), so that
// F(u) = u/d - log(1 + d u)/d^2 is equal at the start (u) and at the end (-e u) of the contact.
static double restitution(double d, double u) {
    double start = u / d - log1p(d * u) / (d * d), low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        double e = 0.5 * (low + high), v = -e * u;
        double end = v / d - log1p(d * v) / (d * d);
        *(end < start ? &low : &high) = e;
    }
    return 0.5 * (low + high);
}

static bool add_falls(LitheTrial *trial) {
    double euler[2], midpoint[2];
    for (int fine = 0; fine < 2; fine++) {
        double step = (fine ? 5e-3 : 1e-2) / trial->refine;
        if (!fall(trial, "backward-euler", step, &euler[fine]) ||
            !fall(trial, "midpoint", step, &midpoint[fine]))
            return false;
        // g t h/2
        euler[fine] /= 0.5 * GRAVITY * step;
    }
    LitheFinding lag = refined_to(euler, 1, 1e-9);
    lag.floor = 1e-9;
    return lithe_trial_add(trial, lag, "fall_lag_euler_over_g_t_h_2") &&
           lithe_trial_add(trial, both_at_most(fabs(midpoint[1]), fabs(midpoint[0]), 1e-12),
                           "fall_error_midpoint [m]");
}

// central and oblique impacts under one scheme, compared with those of rigid bodies
static bool add_hits(LitheTrial *trial, const char *scheme) {
    double step = 5e-5 / trial->refine, exact = restitution(DISSIPATION, APPROACH), apart = 0;
    Throw central = {.scheme = scheme, .step = step, .speed = APPROACH}, fine = central;
    Throw oblique = central, body = central, oblique_body = central;
    fine.step = 0.5 * step;
    oblique.offset = oblique_body.offset = 0.05;
    body.bodies = oblique_body.bodies = true;
    Hit c, f, o, b, ob;
    if (!hit(trial, &central, &c) || !hit(trial, &fine, &f) || !hit(trial, &oblique, &o) ||
        !hit(trial, &body, &b) || !hit(trial, &oblique_body, &ob))
        return false;
    for (int k = 0; k < 2; k++)
        apart = fmax(apart, length_of(minus(o.after[k], ob.after[k])) / APPROACH);
    return lithe_trial_add(trial,
                           refined_to((const double[]){c.restitution, f.restitution}, exact, 0.02),
                           "restitution_%s", scheme) &&
           lithe_trial_add(trial, near_to(c.restitution, b.restitution, 1e-7),
                           "restitution_beside_bodies_%s", scheme) &&
           lithe_trial_add(trial, at_most(fmax(f.momentum, o.momentum), 1e-12),
                           "change_of_momentum_%s", scheme) &&
           lithe_trial_add(trial, at_most(apart, 1e-7), "oblique_beside_bodies_%s", scheme);
}

enum { SPEEDS = 8 };

bool lithe_case_particle_collision(LitheTrial *trial) {
    double u[SPEEDS], e[SPEEDS], exact[SPEEDS];
    if (!add_falls(trial) || !add_hits(trial, "backward-euler") || !add_hits(trial, "midpoint"))
        return false;
    for (int i = 0; i < SPEEDS; i++) {
        Hit found;
        u[i] = 0.5 * (i + 1);
        if (!hit(trial, &(Throw){.scheme = "midpoint", .step = 1e-4, .speed = u[i]}, &found))
            return false;
        e[i] = found.restitution;
        exact[i] = restitution(DISSIPATION, u[i]);
    }
    trial->plot.title = "Two particles collide: restitution";
    trial->plot.x_label = "speed of approach [m/s]";
    trial->plot.y_label = "restitution";
    return lithe_trial_curve(trial, "Hunt and Crossley", false, u, exact, SPEEDS) &&
           lithe_trial_curve(trial, "measured", true, u, e, SPEEDS);
}

// --- bead_on_rod ---------------------------------------------------------------------------------

#define BENDING 1.0 // N m^2
#define LIGHT 1e-6  // kg/m of the rod
#define BEAD 0.0003 // kg

typedef struct Bent {
    double drop;  // of the tip [m]
    double apart; // bead and tip [m]
    double force; // of the attachment [N]
} Bent;

// A bead at the tip of a clamped rod of 1 m swings with a period of 63 ms and comes to rest, by
// mass-proportional damping and by backward Euler. Deflections are small, 1 mm.
static bool bend(LitheTrial *trial, int32_t nodes, Bent *out) {
    LitheStand stand;
    bool ok =
        lithe_stand_parse(
            trial, &stand,
            "lithe: 1\n"
            "time: {step: 5 ms, end: 1000 s, scheme: backward-euler}\n"
            "contact: {enabled: false}\n"
            "materials: {glass: {young: 1 GPa, density: 1000, damping: {mass: 20 1/s}}}\n"
            "rods: {rod: {section: {stiffness: {EA: 1e5, EI: %g, GJ: 1, mass-per-length: %g,\n"
            "                                   radius: 1 mm}}, shape: {line: {to: [1, 0, 0]}},\n"
            "             nodes: %d, clamped: start}}\n"
            "particles: {bead: {material: glass, mass: %g, radius: 5 mm, at: [1, 0, 0]}}\n"
            "constraints: {glue: {kind: attach, a: \"bead[0]\", b: rod.end}}\n",
            BENDING, LIGHT, (int)nodes, BEAD) &&
        lithe_stand_run(trial, &stand, 5e-3, 2);
    if (ok) {
        stand.rod = lithe_rod_find(stand.model, "rod");
        LitheVec3 tip = lithe_stand_node(&stand, -1);
        out->drop = -tip.z;
        out->apart = length_of(minus(place_of(&stand, "bead", 0), tip));
        out->force = length_of(lithe_constraint_force(stand.model, stand.state,
                                                      lithe_constraint_find(stand.model, "glue")));
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_bead_on_rod(LitheTrial *trial) {
    Bent bent[2] = {{0}};
    double n[2], y[2], reference[2];
    double exact = BEAD * GRAVITY / (3 * BENDING) + LIGHT * GRAVITY / (8 * BENDING);
    for (int fine = 0; fine < 2; fine++) {
        int32_t nodes = (fine ? 40 : 20) * trial->refine + 1;
        if (!bend(trial, nodes, &bent[fine]))
            return false;
        n[fine] = nodes;
        y[fine] = 1e3 * bent[fine].drop;
        reference[fine] = 1e3 * exact;
    }
    LitheFinding deflection = refined_to((const double[]){bent[0].drop, bent[1].drop}, exact, 0.01);
    deflection.floor = 2e-6; // error of the linear theory at this deflection
    trial->plot.title = "Bead at the tip of a cantilever: deflection";
    trial->plot.x_label = "nodes";
    trial->plot.y_label = "deflection [mm]";
    return lithe_trial_add(trial, deflection, "deflection [m]") &&
           lithe_trial_add(trial, near_to(bent[1].force, BEAD * GRAVITY, 1e-6),
                           "force_of_the_glue [N]") &&
           lithe_trial_add(trial, at_most(bent[1].apart / exact, 1e-3),
                           "bead_from_tip_over_deflection") &&
           lithe_trial_curve(trial, "m g L^3/(3 EI) + q L^4/(8 EI)", false, n, reference, 2) &&
           lithe_trial_curve(trial, "measured", true, n, y, 2);
}

// --- bead_catenary -------------------------------------------------------------------------------

enum { LINKS = 20 };
#define LINK 0.05     // m
#define TILT 0.7      // rad, of the links at the start
#define WEIGHT 0.0981 // N, of a bead of 10 g

// Equal weights on massless links: link k has the slope (W/H)(LINKS - 1 - 2 k)/2. The horizontal
// tension H is found from the distance of the ends. Writes the positions of the beads to x, z.
static double hang_links(double span, double *x, double *z) {
    double low = 1e-3 * WEIGHT, high = 1e3 * WEIGHT;
    for (int i = 0; i < 200; i++) {
        double pull = sqrt(low * high);
        x[0] = z[0] = 0;
        for (int k = 0; k < LINKS; k++) {
            double angle = atan(WEIGHT / pull * (LINKS - 1 - 2 * k) / 2);
            x[k + 1] = x[k] + LINK * cos(angle);
            z[k + 1] = z[k] - LINK * sin(angle);
        }
        *(x[LINKS] < span ? &low : &high) = pull;
    }
    return sqrt(low * high);
}

typedef struct Hung {
    double x[LINKS + 1], z[LINKS + 1];
    double least, most; // horizontal pull of the links [N]
    double farthest;    // largest distance of a bead from its reference position [m]
} Hung;

static bool let_hang(LitheTrial *trial, double step, const double *x, const double *z, Hung *out) {
    LitheStand stand;
    char beads[2000];
    size_t used = 0;
    for (int k = 0; k <= LINKS; k++)
        used += (size_t)snprintf(beads + used, sizeof beads - used, "%s[%.17g, 0, %.17g]",
                                 k > 0 ? ", " : "", k * LINK * cos(TILT),
                                 -(k < LINKS / 2 ? k : LINKS - k) * LINK * sin(TILT));
    bool ok =
        lithe_stand_parse(
            trial, &stand,
            "lithe: 1\n"
            "time: {step: %.17g s, end: 1000 s, scheme: backward-euler}\n"
            "contact: {enabled: false}\n"
            "materials: {glass: {young: 1 GPa, density: 1000, damping: {mass: 5 1/s}}}\n"
            "particles: {chain: {material: glass, mass: 10 g, radius: 5 mm, positions: [%s]}}\n"
            "holds: {left: {on: \"chain[0]\"}, right: {on: \"chain[-1]\"}}\n"
            "constraints: {link: {repeat: {i: %d}, kind: distance, a: \"chain[i]\",\n"
            "                     b: \"chain[i + 1]\", length: %g}}\n",
            step, beads, LINKS, LINK) &&
        lithe_stand_run(trial, &stand, step, 10);
    *out = (Hung){.least = INFINITY};
    for (int k = 0; ok && k <= LINKS; k++) {
        LitheVec3 at = place_of(&stand, "chain", k);
        out->x[k] = at.x;
        out->z[k] = at.z;
        out->farthest = fmax(out->farthest, hypot(at.x - x[k], at.z - z[k]));
    }
    for (int k = 0; ok && k < LINKS; k++) {
        double pull =
            fabs(lithe_constraint_force(stand.model, stand.state, (LitheConstraintId){k + 1}).x);
        out->least = fmin(out->least, pull);
        out->most = fmax(out->most, pull);
    }
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_bead_catenary(LitheTrial *trial) {
    double x[LINKS + 1], z[LINKS + 1], span = LINKS * LINK * cos(TILT);
    double pull = hang_links(span, x, z);
    Hung coarse, fine;
    if (!let_hang(trial, 1e-2 / trial->refine, x, z, &coarse) ||
        !let_hang(trial, 5e-3 / trial->refine, x, z, &fine))
        return false;
    LitheFinding sag =
        refined_to((const double[]){-coarse.z[LINKS / 2], -fine.z[LINKS / 2]}, -z[LINKS / 2], 1e-4);
    LitheFinding least = refined_to((const double[]){coarse.least, fine.least}, pull, 1e-3),
                 most = least;
    most.measured = fine.most;
    most.coarse = coarse.most;
    sag.floor = least.floor = most.floor = 1e-5; // links are near-rigid
    trial->plot.title = "Chain of beads: shape";
    trial->plot.x_label = "x [m]";
    trial->plot.y_label = "z [m]";
    trial->plot.equal = true;
    return lithe_trial_add(trial, sag, "sag [m]") &&
           lithe_trial_add(trial, least, "smallest_horizontal_pull [N]") &&
           lithe_trial_add(trial, most, "largest_horizontal_pull [N]") &&
           lithe_trial_add(trial, at_most(fine.farthest, 1e-5),
                           "farthest_bead_from_its_place [m]") &&
           lithe_trial_curve(trial, "equal horizontal tension", false, x, z, LINKS + 1) &&
           lithe_trial_curve(trial, "measured", true, fine.x, fine.z, LINKS + 1);
}

// --- particle_cloud ------------------------------------------------------------------------------

enum { CLOUD = 40, SAMPLES = 100 };
#define GRAIN 0.02 // m

typedef struct Cloud {
    double linear, angular; // largest changes over their scale
    double unexplained;     // largest change of the angular momentum in addition to (P4)
    double energy;          // fraction of the energy that remains
    double t[SAMPLES], drift[SAMPLES];
    int32_t hits; // steps in which something touched
} Cloud;

// reproducible numbers between -1 and 1
static double number(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

// on a lattice about the origin, each with a velocity towards the centre and one around it
static bool begin_cloud(LitheTrial *trial, LitheStand *stand, const char *scheme, double step,
                        double friction) {
    char places[3000];
    size_t used = 0;
    uint32_t seed = 11;
    for (int k = 0; k < CLOUD; k++)
        used += (size_t)snprintf(places + used, sizeof places - used, "%s[%.6f, %.6f, %.6f]",
                                 k > 0 ? ", " : "", 0.1 * (k % 4 - 1.5) + 0.02 * number(&seed),
                                 0.1 * (k / 4 % 4 - 1.5) + 0.02 * number(&seed),
                                 0.1 * (k / 16 - 1.0) + 0.02 * number(&seed));
    if (!lithe_stand_parse(trial, stand,
                           "lithe: 1\n"
                           "gravity: none\n"
                           "contact: {tolerance: 1e-10}\n"
                           "time: {step: %.17g s, end: 1000 s, scheme: %s}\n"
                           "materials: {m: {young: 1 GPa, density: 1000, friction: %g,\n"
                           "                contact: {stiffness: 1e5 N/m, dissipation: 0.2 s/m}}}\n"
                           "particles: {cloud: {material: m, radius: %g, positions: [%s]}}\n",
                           step, scheme, friction, GRAIN, places))
        return false;
    double *v =
        lithe_particles_velocity_writable(stand->model, stand->state, set_of(stand, "cloud"));
    for (int32_t k = 0; k < CLOUD; k++) {
        LitheVec3 x = place_of(stand, "cloud", k);
        v[3 * k] = -8 * x.x - 4 * x.y;
        v[3 * k + 1] = -8 * x.y + 4 * x.x;
        v[3 * k + 2] = -8 * x.z;
    }
    return true;
}

// (P4) of the theory of particles: friction at the centres changes the angular momentum by d N x t
static LitheVec3 defect(const LitheStand *stand, double h) {
    LitheVec3 sum = {0};
    for (int32_t k = 0; k < lithe_work_contact_count(stand->work); k++) {
        LitheContactForce c = lithe_work_contact(stand->work, k);
        LitheVec3 n = c.contact.normal, f = c.force;
        double lever = h * (2 * GRAIN + c.contact.gap);
        sum.x += lever * (n.y * f.z - n.z * f.y);
        sum.y += lever * (n.z * f.x - n.x * f.z);
        sum.z += lever * (n.x * f.y - n.y * f.x);
    }
    return sum;
}

static bool collide(LitheTrial *trial, const char *scheme, int32_t steps, double friction,
                    Cloud *out) {
    LitheStand stand;
    *out = (Cloud){0};
    bool ok = begin_cloud(trial, &stand, scheme, 0.3 / steps, friction);
    LitheVec3 p0 = {0}, l0 = {0}, due = {0};
    double first = 0, scale = 0;
    if (ok) {
        p0 = lithe_momentum(stand.model, stand.state);
        l0 = due = lithe_angular_momentum(stand.model, stand.state);
        first = lithe_energy(stand.model, stand.state).kinetic;
        scale = CLOUD * lithe_particles_mass(stand.model, set_of(&stand, "cloud"))[0];
    }
    for (int32_t i = 0; ok && i < steps; i++) {
        ok = lithe_stand_step(trial, &stand);
        LitheVec3 now = lithe_angular_momentum(stand.model, stand.state);
        LitheVec3 step = defect(&stand, 0.3 / steps);
        due = (LitheVec3){due.x + step.x, due.y + step.y, due.z + step.z};
        double l = length_of(minus(now, l0)) / length_of(l0);
        out->unexplained = fmax(out->unexplained, length_of(minus(now, due)) / length_of(l0));
        out->angular = fmax(out->angular, l);
        out->linear = fmax(out->linear,
                           length_of(minus(lithe_momentum(stand.model, stand.state), p0)) / scale);
        out->hits += lithe_work_contact_count(stand.work) > 0;
        out->t[(int64_t)i * SAMPLES / steps] = lithe_state_time(stand.state);
        out->drift[(int64_t)i * SAMPLES / steps] = l;
    }
    if (ok)
        out->energy = lithe_energy(stand.model, stand.state).kinetic / first;
    lithe_stand_end(&stand);
    return ok;
}

bool lithe_case_particle_cloud(LitheTrial *trial) {
    Cloud euler, coarse, fine, rough;
    if (!collide(trial, "backward-euler", 600 * trial->refine, 0, &euler) ||
        !collide(trial, "midpoint", 600 * trial->refine, 0, &coarse) ||
        !collide(trial, "midpoint", 1200 * trial->refine, 0, &fine) ||
        !collide(trial, "backward-euler", 600 * trial->refine, 0.4, &rough))
        return false;
    if (euler.hits < 100)
        return lithe_fail(&trial->error, LITHE_CANNOT_GO_ON, "contacts occurred in %d steps only",
                          (int)euler.hits) == LITHE_OK;
    trial->plot.title = "Forty particles collide: angular momentum";
    trial->plot.x_label = "time [s]";
    trial->plot.y_label = "relative change";
    return lithe_trial_add(trial, at_most(fmax(euler.linear, rough.linear), 1e-10),
                           "linear_momentum_euler") &&
           lithe_trial_add(trial, both_at_most(fine.linear, coarse.linear, 1e-10),
                           "linear_momentum_midpoint") &&
           lithe_trial_add(trial, at_most(euler.angular, 1e-10), "angular_momentum_euler") &&
           lithe_trial_add(trial, both_at_most(fine.angular, coarse.angular, 1e-10),
                           "angular_momentum_midpoint") &&
           lithe_trial_add(trial, reported(rough.angular), "angular_momentum_friction_0.4") &&
           lithe_trial_add(trial, at_most(rough.unexplained, 1e-10),
                           "angular_momentum_friction_0.4_beside_P4") &&
           lithe_trial_add(trial, at_most(fmax(euler.energy, fine.energy), 1), "energy_left") &&
           lithe_trial_curve(trial, "midpoint, N steps", true, coarse.t, coarse.drift, SAMPLES) &&
           lithe_trial_curve(trial, "midpoint, 2N steps", true, fine.t, fine.drift, SAMPLES) &&
           lithe_trial_curve(trial, "friction 0.4", true, rough.t, rough.drift, SAMPLES);
}
