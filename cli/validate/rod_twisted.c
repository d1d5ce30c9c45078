// SPDX-License-Identifier: Apache-2.0
// cli/validate/rod_twisted.c - instabilities of twisted rods: Michell's ring, the helical buckle

#include "cli/validate/validate.h"

#include "base/memory.h"
#include "base/status.h"

// --- rod_michell_ring ----------------------------------------------------------------------------

#define RADIUS 0.1
#define RATIOS 4
static const double ratios[RATIOS] = {1, 1.25, 1.5, 2.0 / 3};

typedef struct Ring {
    int32_t edges;
    double B_over_C;
} Ring;

// Number of unstable modes of a naturally straight ring with this twist. The shift excludes the
// seven zero-energy modes (six rigid ones, and rotation of all frames). It is 1e-5 of the square of
// the lowest bending frequency, so the relative error of the critical twist is of that order.
static int32_t unstable_ring(LitheTrial *trial, double twist, const void *user) {
    const Ring *ring = user;
    double B_over_C = ring->B_over_C;
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "ring";
    rod.section = lithe_stand_section(B_over_C, 1, 1e5 * B_over_C / (RADIUS * RADIUS), 1);
    rod.shape.kind = LITHE_SHAPE_RING;
    rod.shape.radius = RADIUS;
    rod.nodes = ring->edges;
    rod.twist = twist;
    LitheStand stand;
    int32_t count = LITHE_STOPPED;
    double shift = 1e-5 * B_over_C / pow(RADIUS, 4);
    if (lithe_stand_begin(trial, &stand, &rod) && lithe_stand_compile(trial, &stand) &&
        lithe_stand_equilibrium(trial, &stand))
        count = lithe_stand_unstable(&stand, shift);
    lithe_stand_end(&stand);
    return count;
}

bool lithe_case_rod_michell_ring(LitheTrial *trial) {
    double twist[2][RATIOS];
    for (int k = 0; k < RATIOS; k++) {
        double reference = 2 * M_PI * sqrt(3) * ratios[k];
        for (int r = 0; r < 2; r++) {
            Ring ring = {(100 * trial->refine) << r, ratios[k]};
            if (!lithe_trial_bisect(trial, unstable_ring, &ring, 0.8 * reference, 1.25 * reference,
                                    &twist[r][k]))
                return false;
        }
        LitheFinding f = {.measured = twist[1][k], .coarse = twist[0][k], .reference = reference};
        f.tolerance = 0.03;
        f.floor = 2e-5; // shift and stretch
        if (!lithe_trial_add(trial, f, "Theta_c_rad[B/C=%.4g]", ratios[k]))
            return false;
    }
    double x[2] = {0.6, 1.6}, y[2] = {1.2 * M_PI * sqrt(3), 3.2 * M_PI * sqrt(3)};
    trial->plot.title = "Twisted ring leaves its plane";
    trial->plot.x_label = "bending over twisting stiffness B/C";
    trial->plot.y_label = "critical twist [rad]";
    return lithe_trial_curve(trial, "Michell: 2π √3 B/C", false, x, y, 2) &&
           lithe_trial_curve(trial, "loss of stability", true, ratios, twist[1], RATIOS);
}

// --- rod_helical_buckling ------------------------------------------------------------------------

#define LENGTH 100.0
#define STIFFNESS_B 1.345
#define STIFFNESS_C 0.789
#define SHORTENING 3.0
#define TURNS 27.0
// tension, moment and angle of the localised solution for an infinite rod with this shortening and
// these turns
#define REFERENCE_MH 0.9147782
#define REFERENCE_TENSION 0.3901836
#define REFERENCE_MOMENT 1.325383
#define REFERENCE_ANGLE 0.8316757

typedef struct Helix {
    double tension, moment, max_angle; // N, N m, rad
    double worst;                      // largest distance from the envelope [rad]
} Helix;

// angle between rod and axis at distance s from the middle of the buckle
static double envelope(double s) {
    double k = 1 - REFERENCE_MH * REFERENCE_MH;
    double c = cosh(s * sqrt(k * REFERENCE_TENSION / STIFFNESS_B));
    return acos(1 - 2 * k / (c * c));
}

// The rod is straight, twisted by all turns, under enough tension to be stable; then the ends move
// together. At the tension M^2/4B the rod buckles and the buckle localises. A lateral force in the
// middle triggers the buckle there; it decreases to zero before the end.
static bool shorten(LitheTrial *trial, int32_t edges, int32_t steps, LitheStand *stand) {
    const double EA = 1e5, pull = 0.6;
    double length =
        LENGTH * (edges - 0.5) / (edges - 1); // the far clamp is at the midpoint of an edge too
    LitheRodDef rod = lithe_stand_line(length, edges + 1, true,
                                       lithe_stand_section(STIFFNESS_B, STIFFNESS_C, EA, 1));
    rod.section.radius = 0.35;
    rod.twist = 2 * M_PI * TURNS;
    double times[2] = {0, steps}, values[2] = {-pull * LENGTH / EA, SHORTENING};
    double fade_times[3] = {0, 0.5 * steps, 0.8 * steps}, fade_values[3] = {1, 1, 0};
    bool ok = lithe_stand_begin(trial, stand, &rod);
    LitheDriveDef drive = lithe_drive_def_default();
    drive.name = "clamp";
    drive.place =
        (LithePlace){.thing = lithe_thing_rod(stand->rod), .kind = LITHE_PLACE_NODE, .node = -1};
    drive.kind = LITHE_DRIVE_CLAMP;
    drive.direction = (LitheVec3){-1, 0, 0};
    drive.motion = lithe_stand_profile(times, values, 2);
    LitheForceDef force = lithe_force_def_default();
    force.name = "nudge";
    force.place = (LithePlace){
        .thing = lithe_thing_rod(stand->rod), .kind = LITHE_PLACE_NODE, .node = edges / 2};
    force.force = (LitheVec3){0, 0, 1e-3};
    force.profile = lithe_stand_profile(fade_times, fade_values, 3);
    ok = ok && lithe_scene_add_drive(stand->scene, &drive).number > 0 &&
         lithe_scene_add_force(stand->scene, &force) && lithe_stand_compile(trial, stand);
    for (int32_t k = 0; ok && k < steps; k++)
        ok = lithe_stand_step(trial, stand);
    return ok;
}

// angles of the edges [rad] at arc lengths from the steepest edge, and the load of the clamp
static void measure_helix(const LitheStand *stand, int32_t edges, double *s, double *angle,
                          Helix *out) {
    LitheDriveId clamp = lithe_drive_find(stand->model, "clamp");
    out->tension = -lithe_drive_force(stand->model, stand->state, clamp);
    out->moment = fabs(lithe_drive_torque(stand->model, stand->state, clamp));
    int32_t top = 0;
    double edge = LENGTH / (edges - 1);
    for (int32_t i = 0; i < edges; i++) {
        LitheVec3 a = lithe_stand_node(stand, i), b = lithe_stand_node(stand, i + 1);
        angle[i] = atan2(hypot(b.y - a.y, b.z - a.z), b.x - a.x);
        top = angle[i] > angle[top] ? i : top;
    }
    // the centre of the buckle between edges: vertex of the parabola through three
    double l = angle[top - 1], m = angle[top], r = angle[top + 1];
    double offset = 0.5 * (l - r) / (l - 2 * m + r);
    out->max_angle = m - 0.25 * (l - r) * offset;
    out->worst = 0;
    for (int32_t i = 0; i < edges; i++) {
        s[i] = (i - top - offset) * edge;
        out->worst = fmax(out->worst, fabs(angle[i] - envelope(s[i])));
    }
}

static bool buckle(LitheTrial *trial, int32_t edges, bool draw, Helix *out) {
    LitheStand stand;
    double *s = lithe_alloc_array(trial->context, 2 * (int64_t)edges, sizeof *s);
    bool ok = s || lithe_fail_memory(&trial->error, "the angles") == LITHE_OK;
    if (!ok)
        return false;
    ok = shorten(trial, edges, 60, &stand);
    if (ok) {
        measure_helix(&stand, edges, s, s + edges, out);
        int32_t count = 0;
        double x[101], y[101], fx[101], fy[101];
        for (int i = 0; i <= 100; i++) {
            fx[i] = i - 50;
            fy[i] = envelope(fx[i]);
            int32_t k = (int32_t)((int64_t)i * (edges - 1) / 100);
            if (fabs(s[k]) > 50)
                continue;
            x[count] = s[k];
            y[count++] = s[edges + k];
        }
        if (draw)
            ok = lithe_trial_curve(trial, "localised helix", false, fx, fy, 101) &&
                 lithe_trial_curve(trial, "measured", true, x, y, count);
    }
    lithe_stand_end(&stand);
    lithe_free(trial->context, s);
    return ok;
}

// The buckle is so sensitive near M^2/4B that 25 edges per turn of the helix have an error of 20 %.
bool lithe_case_rod_helical_buckling(LitheTrial *trial) {
    Helix helix[2];
    for (int r = 0; r < 2; r++)
        if (!buckle(trial, (600 * trial->refine) << r, r == 1, &helix[r]))
            return false;
    LitheFinding angle = {.measured = helix[1].max_angle, .coarse = helix[0].max_angle};
    LitheFinding tension = {.measured = helix[1].tension, .coarse = helix[0].tension};
    LitheFinding moment = {.measured = helix[1].moment, .coarse = helix[0].moment};
    LitheFinding shape = {.measured = helix[1].worst, .coarse = helix[0].worst};
    angle.reference = REFERENCE_ANGLE * 180 / M_PI;
    angle.measured *= 180 / M_PI;
    angle.coarse *= 180 / M_PI;
    tension.reference = REFERENCE_TENSION;
    moment.reference = REFERENCE_MOMENT;
    angle.tolerance = tension.tolerance = moment.tolerance = 0.03;
    angle.floor = tension.floor = moment.floor = 2e-4; // finite length and stretch
    shape.kind = LITHE_ERROR_ABSOLUTE;
    shape.tolerance = 0.05;
    shape.floor = 2e-3;
    trial->plot.title = "Twisted rod with ends brought together: 27 turns, 3 % shorter";
    trial->plot.x_label = "arc length from the middle of the buckle";
    trial->plot.y_label = "angle between rod and axis [rad]";
    return lithe_trial_add(trial, angle, "max_angle_deg") &&
           lithe_trial_add(trial, shape, "envelope") &&
           lithe_trial_add(trial, tension, "tension_T") &&
           lithe_trial_add(trial, moment, "moment_M");
}
