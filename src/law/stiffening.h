// SPDX-License-Identifier: Apache-2.0
// law/stiffening.h - a spring of a contact that stiffens as the overlap nears `room`, where the
// centreline of a rod meets another one or a surface
//
// With the overlap d and x = d/room:
//     (Z5)  f(d) = k d for x <= 1/2,  k d/(2 (1 - x))^2 above, from MAX_X on along its tangent
// A step needs a straight line instead of f. It starts with the force f(d0) of the overlap at the
// start, whatever the slope, so that a change of slope does no work:
//     (Z7)  towards d1 > d0: the chord of f from d0 to d1; else: the tangent at d0
// f is convex: chords lie above it and tangents below, so that loading takes at least the energy of
// the spring and unloading returns at most that. d1 is the overlap that the plain spring would end
// at:
//     (Z8)  d1 = d0 + h v1,  v1 = (v0 - w h f(d0))/(1 + w h^2 k)
// w is the inverse effective mass of the contact, v0 the speed of approach. While the sides
// approach, the part that (Z5) adds is elastic:
//     (Z9)  for v0 > 0 or d1 > d0: the dissipation of the plain spring, times k over the slope
// docs/theory/collision.md.

#ifndef LITHE_LAW_STIFFENING_H
#define LITHE_LAW_STIFFENING_H

#include <math.h>
#include <stdbool.h>

/// The spring stiffens beyond this fraction of the room.
#define LITHE_STIFF_FROM 0.5
/// MAX_X: beyond it the slope stays at about 1e4 k. A much larger slope would leave too few digits
/// for the rest of the matrix.
#define LITHE_STIFF_MAX 0.963

/// f'(d) of (Z5).
static inline double lithe_stiff_slope(double k, double room, double d) {
    double x = fmin(d / room, LITHE_STIFF_MAX), left = 1 - x;
    return x <= LITHE_STIFF_FROM ? k
                                 : 0.25 * k * (1 / (left * left) + 2 * x / (left * left * left));
}

/// f(d) of (Z5), d >= 0.
static inline double lithe_stiff_force(double k, double room, double d) {
    double x = fmin(d / room, LITHE_STIFF_MAX), left = 1 - x, end = x * room;
    if (x <= LITHE_STIFF_FROM)
        return k * d;
    return 0.25 * k * end / (left * left) + lithe_stiff_slope(k, room, end) * (d - end);
}

/// The energy that (Z5) stores at the overlap d >= 0, the integral of f. A room of INFINITY: the
/// plain spring.
static inline double lithe_stiff_energy(double k, double room, double d) {
    double x = fmin(d / room, LITHE_STIFF_MAX), end = x * room, beyond = d - end;
    if (!(room < INFINITY) || x <= LITHE_STIFF_FROM)
        return 0.5 * k * d * d;
    double curved = 0.25 * (1 / (1 - x) + log(2 * (1 - x)) - 2);
    double stored = k * room * room * (0.5 * LITHE_STIFF_FROM * LITHE_STIFF_FROM + curved);
    if (beyond > 0)
        stored += beyond * (lithe_stiff_force(k, room, end) +
                            0.5 * beyond * lithe_stiff_slope(k, room, end));
    return stored;
}

/// (Z7)-(Z9): replaces stiffness k, gap and dissipation of the plain spring by those of the
/// straight line for a step of length h. Returns false where they are unchanged.
static inline bool lithe_stiffen(double room, double h, double w, double v0, double *k, double *gap,
                                 double *dissipation) {
    double d0 = fmax(-*gap, 0);
    // the overlap is beyond the centreline at the start: the plain spring is used, so that
    // separation releases only its energy
    if (!(room < INFINITY) || d0 >= room)
        return false;
    double f0 = lithe_stiff_force(*k, room, d0);
    double v1 = (v0 - w * h * f0) / (1 + w * h * h * *k);
    double d1 = -*gap + h * v1;
    if (fmax(d0, d1) <= LITHE_STIFF_FROM * room)
        return false;
    double slope = d1 > d0 ? (lithe_stiff_force(*k, room, d1) - f0) / (d1 - d0)
                           : lithe_stiff_slope(*k, room, d0);
    // for a tiny change of the overlap the chord has only rounding errors: the tangent is used
    if (d1 > d0 && d1 - d0 < 1e-6 * room)
        slope = lithe_stiff_slope(*k, room, d0);
    if (d1 > d0 || v0 > 0) // (Z9)
        *dissipation *= *k / slope;
    *k = slope;
    if (d0 > 0)
        *gap = -f0 / slope;
    return true;
}

#endif
