// SPDX-License-Identifier: Apache-2.0
// plan/obstacle.c - the smooth distance of a disk from a convex shape (PL17)
//
// The distance of a point from a convex set is a convex function, so that its tangent plane at the
// centre of the disk bounds it from below on the whole disk. That bound is recorded; of a sphere,
// the distance of its centre from the disk is known exactly.

#include "plan/obstacle.h"

#include <math.h>

#define SMOOTH LITHE_OBSTACLE_SMOOTH

// sqrt(a + e^2) of a square a
static LitheTerm size_of(Tape *t, LitheTerm squared) {
    return root(t, plus(t, squared, number(t, SMOOTH * SMOOTH)));
}

// half of d + |d|, and its derivative
static LitheTerm beyond(Tape *t, LitheTerm d, LitheTerm *slope) {
    LitheTerm r = size_of(t, square(t, d));
    *slope = lithe_tape_scale(t, 0.5, plus(t, number(t, 1), times(t, d, over(t, r))));
    return lithe_tape_scale(t, 0.5, plus(t, d, r));
}

// How far |u| is beyond `half`, where `squared` is u^2; `slope` its derivative over u
static LitheTerm part_beyond(Tape *t, LitheTerm squared, double half, LitheTerm *slope) {
    LitheTerm size = size_of(t, squared), own;
    LitheTerm part = beyond(t, less(t, size, number(t, half)), &own);
    *slope = times(t, own, over(t, size));
    return part;
}

// distance of a point, in the axes of the shape, from its core; and the gradient
static LitheTerm distance_of(Tape *t, const LitheObstacle *shape, Vector p, Vector *gradient) {
    LitheTerm slope[3], part[3], sum = number(t, 0);
    if (shape->kind == LITHE_OBSTACLE_HALF_SPACE) {
        *gradient = constants(t, (const double[3]){0, 0, 1});
        return p.c[2];
    }
    bool round = shape->kind != LITHE_OBSTACLE_BOX; // about z
    double half[3] = {shape->half[0], shape->half[1], shape->half[2]};
    if (shape->kind == LITHE_OBSTACLE_CYLINDER)
        half[0] = shape->radius;
    if (round) {
        LitheTerm radial = plus(t, square(t, p.c[0]), square(t, p.c[1]));
        bool wide = shape->kind == LITHE_OBSTACLE_CYLINDER;
        part[0] = wide ? part_beyond(t, radial, half[0], &slope[0]) : size_of(t, radial);
        slope[1] = slope[0] = wide ? slope[0] : over(t, part[0]);
        sum = square(t, part[0]);
        part[1] = part[0];
    } else {
        for (int i = 0; i < 2; i++) {
            part[i] = part_beyond(t, square(t, p.c[i]), half[i], &slope[i]);
            sum = plus(t, sum, square(t, part[i]));
        }
    }
    part[2] = part_beyond(t, square(t, p.c[2]), half[2], &slope[2]);
    LitheTerm distance = size_of(t, plus(t, sum, square(t, part[2]))), inverse = over(t, distance);
    for (int i = 0; i < 3; i++)
        gradient->c[i] = times(t, times(t, inverse, part[i]), times(t, slope[i], p.c[i]));
    double reach = shape->kind == LITHE_OBSTACLE_CAPSULE ? shape->radius : 0;
    return less(t, distance, number(t, reach));
}

static Vector in_axes(Tape *t, const LitheObstacle *shape, Vector v) {
    return (Vector){{dot(t, v, constants(t, shape->axes[0])),
                     dot(t, v, constants(t, shape->axes[1])),
                     dot(t, v, constants(t, shape->axes[2]))}};
}

// the centre of the sphere in the cylinder of the disk
static LitheTerm sphere_distance(Tape *t, double radius, double half, Vector from, Vector axis) {
    LitheTerm along = dot(t, from, axis), unused;
    LitheTerm radial = less(t, dot(t, from, from), square(t, along));
    LitheTerm a = part_beyond(t, radial, radius, &unused);
    LitheTerm b = part_beyond(t, square(t, along), half, &unused);
    return size_of(t, plus(t, square(t, a), square(t, b)));
}

LitheTerm lithe_record_clearance(Tape *t, const LitheObstacle *shape, double radius, double half,
                                 Vector centre, Vector axis) {
    Vector from = subtracted(t, centre, constants(t, shape->at));
    LitheTerm bias = number(t, 3 * SMOOTH);
    if (shape->kind == LITHE_OBSTACLE_SPHERE) {
        LitheTerm distance = sphere_distance(t, radius, half, from, axis);
        return less(t, distance, plus(t, number(t, shape->radius), bias));
    }
    Vector gradient;
    LitheTerm distance = distance_of(t, shape, in_axes(t, shape, from), &gradient);
    LitheTerm along = square(t, dot(t, gradient, in_axes(t, shape, axis)));
    // of a unit gradient; deep inside, where the distance is flat, the disk does not shrink
    LitheTerm across = less(t, number(t, 1), along);
    LitheTerm reach = plus(t, lithe_tape_scale(t, half, size_of(t, along)),
                           lithe_tape_scale(t, radius, size_of(t, across)));
    return less(t, distance, plus(t, reach, bias));
}

double lithe_obstacle_distance(const LitheObstacle *shape, const double point[3]) {
    double p[3] = {0}, radial, along, out;
    for (int i = 0; i < 9; i++)
        p[i / 3] += shape->axes[i / 3][i % 3] * (point[i % 3] - shape->at[i % 3]);
    radial = hypot(p[0], p[1]);
    along = fmax(0, fabs(p[2]) - shape->half[2]);
    switch (shape->kind) {
    case LITHE_OBSTACLE_HALF_SPACE:
        return p[2];
    case LITHE_OBSTACLE_SPHERE:
        return hypot(radial, p[2]) - shape->radius;
    case LITHE_OBSTACLE_CAPSULE:
        return hypot(radial, along) - shape->radius;
    case LITHE_OBSTACLE_CYLINDER:
        return hypot(fmax(0, radial - shape->radius), along);
    default:
        out = hypot(fmax(0, fabs(p[0]) - shape->half[0]), fmax(0, fabs(p[1]) - shape->half[1]));
        return hypot(out, along);
    }
}
