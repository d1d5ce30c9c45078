// SPDX-License-Identifier: Apache-2.0
// geom/knot_close.c - a closed curve through strands of rods: (25) to (27) of docs/theory/curves.md

#include "geom/knot_close.h"

#include "geom/segment.h"

// what the joining lines have to go round
typedef struct Outside {
    Vec3 centre, up;
    double size;      // diagonal of the box of all points
    double reach;     // farthest point from the centre, across `up`
    double low, high; // of all points along `up`, from the centre
} Outside;

static int32_t strand_count(const LitheKnotStrand *s) {
    if (s->closed && s->from == s->to)
        return s->count;
    return (s->to > s->from ? s->to - s->from : s->from - s->to) + 1;
}

int64_t lithe_knot_close_room(const LitheKnotStrand *strands, int32_t count) {
    int64_t room = 0;
    for (int32_t i = 0; i < count; i++)
        room += strand_count(&strands[i]) + LITHE_KNOT_JOIN_POINTS;
    return room;
}

static int32_t put_strand(const LitheKnotStrand *s, Vec3 *out) {
    int32_t count = strand_count(s), step = s->to < s->from ? -1 : 1;
    for (int32_t i = 0; i < count; i++)
        out[i] = s->points[(s->from + step * i) % s->count];
    return count;
}

// of all points of the rods, also of those beyond the strands
static Outside measure(const LitheKnotStrand *strands, int32_t count, Vec3 up) {
    Vec3 low = strands[0].points[0], high = low;
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < strands[i].count; k++) {
            Vec3 x = strands[i].points[k];
            low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
            high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
        }
    Outside o = {.centre = v3_mix(low, high, 0.5), .up = up, .size = v3_distance(low, high)};
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < strands[i].count; k++) {
            Vec3 x = v3_sub(strands[i].points[k], o.centre);
            double z = v3_dot(x, up);
            o.low = fmin(o.low, z);
            o.high = fmax(o.high, z);
            o.reach = fmax(o.reach, v3_norm(v3_axpy(-z, up, x)));
        }
    return o;
}

static Vec3 direction(Vec3 v, Vec3 otherwise) {
    double length = v3_norm(v);
    return length > 0 ? v3_scale(1 / length, v) : otherwise;
}

// outward beyond all else, and up: (25)
static void corners_above(const Outside *o, Vec3 end, double rank, Vec3 *side, Vec3 *top) {
    Vec3 x = v3_sub(end, o->centre);
    double z = v3_dot(x, o->up);
    Vec3 across = v3_axpy(-z, o->up, x);
    Vec3 out = direction(across, v3_any_normal(o->up));
    *side = v3_axpy(2 * o->reach + o->size - v3_norm(across), out, end);
    *top = v3_axpy(o->high + rank * o->size - z, o->up, *side);
}

// the points between the ends of two strands
static int32_t put_join(const Outside *o, LitheKnotJoin join, int32_t rank, Vec3 a, Vec3 b,
                        Vec3 *out) {
    Vec3 from = v3_sub(a, o->centre), to = v3_sub(b, o->centre);
    if (join == LITHE_KNOT_STRAIGHT)
        return 0;
    if (join == LITHE_KNOT_ABOVE) {
        corners_above(o, a, rank, &out[0], &out[1]);
        corners_above(o, b, rank, &out[3], &out[2]);
        return 4;
    }
    if (join == LITHE_KNOT_BELOW) { // (26)
        double low = o->low - rank * o->size;
        out[0] = v3_axpy(low - v3_dot(from, o->up), o->up, a);
        out[1] = v3_axpy(low - v3_dot(to, o->up), o->up, b);
        return 2;
    }
    // around: out, half way about the centre, and in again: (27)
    Vec3 x = direction(from, v3_any_normal(o->up)), y = direction(to, v3_scale(-1, x));
    double far = 4 * o->size;
    out[0] = v3_axpy(far, x, o->centre);
    out[1] = v3_axpy(far, direction(v3_add(x, y), v3_any_normal(x)), o->centre);
    out[2] = v3_axpy(far, y, o->centre);
    return 3;
}

int32_t lithe_knot_close(const LitheKnotStrand *strands, int32_t count, Vec3 up, Vec3 *out,
                         int32_t *ends) {
    Outside o = measure(strands, count, up);
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        n += put_strand(&strands[i], out + n);
        ends[i] = n - 1;
        const LitheKnotStrand *next = &strands[(i + 1) % count];
        n += put_join(&o, strands[i].join, i + 1, out[n - 1], next->points[next->from], out + n);
    }
    return n;
}

// --- what the joining lines meet -----------------------------------------------------------------

// a line prolongs its strand: edges within this length of their meeting are left out, in radii
#define NEAR_END 4

// a segment against the edges of a strand, points `first` to `last` of the curve; `from_start` and
// `from_end`: it begins at that end of the strand
static double gap_to(const Vec3 *points, int32_t first, int32_t last, double radius, Vec3 a, Vec3 b,
                     bool from_start, bool from_end) {
    double gap = INFINITY, length = 0, along = 0;
    for (int32_t k = first; k < last; k++)
        length += v3_distance(points[k], points[k + 1]);
    for (int32_t k = first; k < last; k++) {
        double edge = v3_distance(points[k], points[k + 1]);
        bool near = (from_start && along < NEAR_END * radius) ||
                    (from_end && length - along - edge < NEAR_END * radius);
        if (!near)
            gap = fmin(gap, lithe_segment_closest(a, b, points[k], points[k + 1]).distance);
        along += edge;
    }
    return gap - radius;
}

double lithe_knot_close_gap(const LitheKnotStrand *strands, int32_t count, const Vec3 *points,
                            int32_t point_count, const int32_t *ends) {
    double gap = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        int32_t next = (i + 1) % count;
        int32_t stop = next ? ends[next] - strand_count(&strands[next]) + 1 : point_count;
        for (int32_t k = ends[i]; k < stop; k++)
            for (int32_t r = 0; r < count; r++) {
                int32_t first = ends[r] - strand_count(&strands[r]) + 1;
                gap = fmin(gap, gap_to(points, first, ends[r], strands[r].radius, points[k],
                                       points[(k + 1) % point_count], r == next && k + 1 == stop,
                                       r == i && k == ends[i]));
            }
    }
    return gap;
}
