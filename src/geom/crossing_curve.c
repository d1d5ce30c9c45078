// SPDX-License-Identifier: Apache-2.0
// geom/crossing_curve.c - whether a curve passed through itself while it moved

#include "geom/crossing.h"

/// Ball around a moving edge.
typedef struct Swept {
    Vec3 centre;
    double radius;
} Swept;

static Swept swept(const Vec3 *before, const Vec3 *after, int32_t i) {
    const Vec3 p[4] = {before[i], before[i + 1], after[i], after[i + 1]};
    Swept out = {v3_scale(0.25, v3_add(v3_add(p[0], p[1]), v3_add(p[2], p[3]))), 0};
    for (int k = 0; k < 4; k++)
        out.radius = fmax(out.radius, v3_distance(p[k], out.centre));
    return out;
}

static bool met(const Vec3 *before, const Vec3 *after, int32_t i, int32_t j) {
    const LitheMovingPoint a[2] = {{before[i], after[i]}, {before[i + 1], after[i + 1]}};
    const LitheMovingPoint b[2] = {{before[j], after[j]}, {before[j + 1], after[j + 1]}};
    double time;
    return lithe_crossing_segments(a, b, &time);
}

int32_t lithe_crossing_curve(const Vec3 *before, const Vec3 *after, int32_t count) {
    int32_t crossings = 0, edges = count - 1;
    double widest = 0, stride = 0;
    Swept last = {0};
    for (int32_t i = 0; i < edges; i++) {
        Swept now = swept(before, after, i);
        widest = fmax(widest, now.radius);
        if (i > 0)
            stride = fmax(stride, v3_distance(last.centre, now.centre));
        last = now;
    }
    for (int32_t i = 0; i < edges; i++) {
        Swept a = swept(before, after, i);
        for (int32_t j = i + 2; j < edges; j++) {
            Swept b = swept(before, after, j);
            double apart = v3_distance(a.centre, b.centre);
            if (apart <= (1 + 1e-9) * (a.radius + b.radius)) {
                crossings += met(before, after, i, j);
                continue;
            }
            // from edge to edge the centre moves by at most a stride: skip edges that are too far
            // away
            double stride_count = (apart - a.radius - widest) / stride - 1;
            if (stride_count >= 1)
                j += (int32_t)fmin(stride_count, edges - j);
        }
    }
    return crossings;
}
