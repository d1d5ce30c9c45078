// SPDX-License-Identifier: Apache-2.0
// tests/body/egg.h - the surface of an egg, as points and triangles of a scene

#ifndef LITHE_TEST_EGG_H
#define LITHE_TEST_EGG_H

#include "advance/world.h"

#include <math.h>

// an ellipsoid with half axes of 10, 8 and 6 cm
enum { AROUND = 16, RINGS = 9 };

static inline char *egg_surface(bool inside_out) {
    char *text = malloc(100000), *at = text;
    at += sprintf(at, "points: [[0, 0, 0.06], [0, 0, -0.06]");
    for (int i = 1; i < RINGS; i++)
        for (int k = 0; k < AROUND; k++) {
            double u = M_PI * i / RINGS, v = 2 * M_PI * k / AROUND;
            at += sprintf(at, ", [%.7g, %.7g, %.7g]", 0.1 * sin(u) * cos(v), 0.08 * sin(u) * sin(v),
                          0.06 * cos(u));
        }
    at += sprintf(at, "], triangles: [");
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < AROUND; k++) {
            int next = (k + 1) % AROUND, upper = 2 + AROUND * (i - 1), lower = upper + AROUND;
            int last = i == RINGS - 1, a = i == 0 ? 0 : upper + k;
            int c = last ? 1 : lower + next, other[2] = {lower + k, upper + next};
            if (!last)
                at += sprintf(at, "%d, %d, %d, ", a, inside_out ? c : other[0],
                              inside_out ? other[0] : c);
            if (i > 0)
                at += sprintf(at, "%d, %d, %d, ", a, inside_out ? other[1] : c,
                              inside_out ? c : other[1]);
        }
    at -= 2;
    sprintf(at, "]");
    return text;
}

#endif
