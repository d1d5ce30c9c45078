// SPDX-License-Identifier: Apache-2.0
// record/frame_between.c - a frame between the two ends of a step

#include "record/frame.h"

#include <math.h>

static void mix(const double *a, const double *b, double s, int64_t count, double *out) {
    for (int64_t i = 0; i < count; i++)
        out[i] = a[i] + s * (b[i] - a[i]);
}

static void make_unit(double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    for (int i = 0; sum > 0 && i < count; i++)
        x[i] /= sqrt(sum);
}

// q and -q are the same rotation: takes the shorter path
static void mix_turn(const double *a, const double *b, double s, double *out) {
    double dot = 0;
    for (int i = 0; i < 4; i++)
        dot += a[i] * b[i];
    for (int i = 0; i < 4; i++)
        out[i] = (dot < 0 ? -1 : 1) * (1 - s) * a[i] + s * b[i];
    make_unit(out, 4);
}

void lithe_frame_between(const LitheFrameMap *map, int64_t frame_size, const double *ends, double s,
                         int64_t first_row, double *out) {
    for (int32_t i = 0; i < map->part_count; i++) {
        const LitheFramePart *part = &map->parts[i];
        const double *a = ends + part->offset, *b = a + frame_size;
        double *x = out + part->offset;
        bool whole = s >= 1 || part->interpolation == LITHE_INTERPOLATE_STEP;
        if (part->interpolation == LITHE_INTERPOLATE_FIRST)
            *x = (double)first_row;
        else if (whole)
            mix(b, b, 0, part->size, x);
        else if (part->interpolation == LITHE_INTERPOLATE_ROTATION) {
            mix(a, b, s, part->size - 4, x);
            mix_turn(a + part->size - 4, b + part->size - 4, s, x + part->size - 4);
        } else
            mix(a, b, s, part->size, x);
        for (int64_t k = 0;
             !whole && part->interpolation == LITHE_INTERPOLATE_UNIT && k + 3 <= part->size; k += 3)
            make_unit(x + k, 3);
    }
}
