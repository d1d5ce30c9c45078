// SPDX-License-Identifier: Apache-2.0
// geom/slide.h - friction of an even pressure on a flat area or a line that slides and turns
//
// A few points stand for the area (geom/distance_patch.c). Where it slides and turns at once, their
// friction, each with a bound of its own, is not that of the area. Factors of the bounds make force
// and torque equal. Numbers in brackets: docs/theory/distance.md.

#ifndef LITHE_GEOM_SLIDE_H
#define LITHE_GEOM_SLIDE_H

#include <stdbool.h>

/// How an area moves in its plane.
typedef struct LitheSlide {
    double v[2]; // velocity of the origin [m/s]
    double w;    // angular velocity [rad/s]
} LitheSlide;

/// Integrals over an area of the direction in which it slides, and of its torque about the origin.
typedef struct LitheRub {
    double area;     // m^2
    double force[2]; // m^2
    double torque;   // m^3
} LitheRub;

/// Adds a polygon times `weight`, of any sign. Its corners go round it in either direction. w != 0.
void lithe_rub_add(LitheRub *sum, const LitheSlide *slide, const double (*x)[2], int count,
                   double weight);

/// Adds a line from (a, 0) to (b, 0) times `weight`. w != 0.
void lithe_rub_add_line(LitheRub *sum, const LitheSlide *slide, double a, double b, double weight);

/// Adds `part` times the direction of the point x, as if the area were `part`.
void lithe_rub_add_point(LitheRub *sum, const LitheSlide *slide, const double x[2], double part);

/// Factors [count] of the bounds of friction at points with parts of the pressure (their sum is
/// any) such that force and torque are those of `want`, of all such the nearest to 1. They stay
/// within LITHE_RUB_LEAST and LITHE_RUB_MOST: where one would not, all are nearer to 1.
void lithe_rub_factors(const LitheRub *want, const LitheSlide *slide, const double (*x)[2],
                       const double *part, int count, double *factor);

#define LITHE_RUB_LEAST 0.3
#define LITHE_RUB_MOST 2.0

#endif
