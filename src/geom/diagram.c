// SPDX-License-Identifier: Apache-2.0
// geom/diagram.c - projection of a curve along a direction in which all crossings are clear
//
// Segments are tested for crossings only where their boxes in the projection overlap, and whole
// groups of neighbours are skipped where the boxes of the groups do not.

#include "geom/diagram.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

// --- one pair of segments ------------------------------------------------------------------------

typedef enum Crossing { CROSSING_NONE, CROSSING_CLEAN, CROSSING_UNCLEAR } Crossing;

static double orient(LitheProjectedPoint a, LitheProjectedPoint b, LitheProjectedPoint c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Whether the segments ab and cd cross in the projection. On a clean crossing s, t are the
/// parameters and ab is `over` when it is nearer to the viewer. `tiny` is a length below which
/// nothing is certain.
static Crossing cross(const LitheProjectedPoint *ab, const LitheProjectedPoint *cd, double tiny,
                      double *s, double *t, bool *over, bool *right) {
    LitheProjectedPoint a = ab[0], b = ab[1], c = cd[0], d = cd[1];
    // both ends of each segment on different sides of the other
    double near_ab = tiny * hypot(b.x - a.x, b.y - a.y);
    double near_cd = tiny * hypot(d.x - c.x, d.y - c.y);
    double oc = orient(a, b, c), od = orient(a, b, d), oa = orient(c, d, a), ob = orient(c, d, b);
    if ((oc > near_ab && od > near_ab) || (oc < -near_ab && od < -near_ab) ||
        (oa > near_cd && ob > near_cd) || (oa < -near_cd && ob < -near_cd))
        return CROSSING_NONE;
    if (fabs(oc) <= near_ab || fabs(od) <= near_ab || fabs(oa) <= near_cd || fabs(ob) <= near_cd)
        return CROSSING_UNCLEAR;

    *s = oa / (oa - ob);
    *t = oc / (oc - od);
    double gap = a.depth + *s * (b.depth - a.depth) - c.depth - *t * (d.depth - c.depth);
    *over = gap > 0;
    // right: the upper strand is rotated counter-clockwise into the lower; od > 0 if cd goes left
    // of ab
    *right = (od > 0) == *over;
    return fabs(gap) > tiny ? CROSSING_CLEAN : CROSSING_UNCLEAR;
}

// work of a pair of groups, of a pair of segments, and of a crossing, which is also sorted [ns]
enum { GROUP_WORK = 2, PAIR_WORK = 20, CROSSING_WORK = 400 };

static LitheStatus test_pair(LitheDiagram *p, int32_t i, int32_t j, double tiny) {
    p->work -= PAIR_WORK;
    double s, t;
    bool over, right;
    Crossing found = cross(p->projected + i, p->projected + j, tiny, &s, &t, &over, &right);
    if (found != CROSSING_CLEAN)
        return found == CROSSING_NONE ? LITHE_OK : LITHE_BAD_INPUT;
    int32_t n = p->passage_count;
    p->work -= CROSSING_WORK;
    if (!LITHE_RESERVE(p->context, p->passages, p->passage_capacity, (int64_t)n + 2))
        return LITHE_NO_MEMORY;
    p->passages[n] = (LithePassage){i + s, j + t, n / 2, over, right};
    p->passages[n + 1] = (LithePassage){j + t, i + s, n / 2, !over, right};
    p->passage_count = n + 2;
    return LITHE_OK;
}

// --- all pairs -----------------------------------------------------------------------------------

enum { GROUP = 8 };

typedef struct Frame {
    double left, right, low, high;
} Frame;

static bool overlap(const Frame *a, const Frame *b) {
    return a->left <= b->right && b->left <= a->right && a->low <= b->high && b->low <= a->high;
}

static double min(double a, double b) {
    return a < b ? a : b;
}

static double max(double a, double b) {
    return a > b ? a : b;
}

/// Boxes of all segments, then of their groups.
static void make_frames(const LitheProjectedPoint *projected, int32_t segments, Frame *frames) {
    Frame *groups = frames + segments;
    for (int32_t i = 0; i < segments; i++) {
        LitheProjectedPoint a = projected[i], b = projected[i + 1];
        Frame f = {min(a.x, b.x), max(a.x, b.x), min(a.y, b.y), max(a.y, b.y)};
        Frame *g = &groups[i / GROUP];
        *g = i % GROUP == 0 ? f
                            : (Frame){min(g->left, f.left), max(g->right, f.right),
                                      min(g->low, f.low), max(g->high, f.high)};
        frames[i] = f;
    }
}

static LitheStatus test_groups(LitheDiagram *p, const Frame *frames, int32_t a, int32_t b,
                               double tiny) {
    int32_t segments = p->projected_count - 1;
    int32_t a_end = (a + 1) * GROUP, b_end = (b + 1) * GROUP;
    a_end = a_end < segments ? a_end : segments;
    b_end = b_end < segments ? b_end : segments;
    for (int32_t i = a * GROUP; i < a_end; i++) {
        if (!overlap(&frames[i], &frames[segments + b]))
            continue;
        // neighbours only meet at their node
        int32_t first = b * GROUP > i + 2 ? b * GROUP : i + 2;
        int32_t last = p->closed && i == 0 && b_end == segments ? segments - 1 : b_end;
        for (int32_t j = first; j < last; j++)
            if (overlap(&frames[i], &frames[j])) {
                LitheStatus status = test_pair(p, i, j, tiny);
                if (status != LITHE_OK)
                    return status;
            }
    }
    return LITHE_OK;
}

static int compare_passages(const void *a, const void *b) {
    double x = ((const LithePassage *)a)->at, y = ((const LithePassage *)b)->at;
    return (x > y) - (x < y);
}

/// Fills the passages. LITHE_BAD_INPUT: a crossing is unclear. LITHE_NOT_SUPPORTED: too much work.
static LitheStatus find_crossings(LitheDiagram *p, Frame *frames, double tiny) {
    int32_t segments = p->projected_count - 1, groups = (segments + GROUP - 1) / GROUP;
    p->passage_count = 0;
    make_frames(p->projected, segments, frames);
    for (int32_t a = 0; a < groups; a++) {
        p->work -= GROUP_WORK * (int64_t)(groups - a);
        if (p->work <= 0)
            return LITHE_NOT_SUPPORTED;
        for (int32_t b = a; b < groups; b++) {
            if (!overlap(&frames[segments + a], &frames[segments + b]))
                continue;
            LitheStatus status = test_groups(p, frames, a, b, tiny);
            if (status != LITHE_OK)
                return status;
        }
    }
    if (p->passage_count)
        qsort(p->passages, (size_t)p->passage_count, sizeof *p->passages, compare_passages);
    return LITHE_OK;
}

// --- the diagram ---------------------------------------------------------------------------------

/// Projection along `eye` (unit): the points, then both ends extended far outside, or joined.
static bool project_curve(LitheDiagram *p, const Vec3 *points, Vec3 centre, double size, Vec3 eye) {
    Vec3 ex = v3_any_normal(eye), ey = v3_cross(eye, ex);
    int32_t count = p->point_count;
    LitheProjectedPoint *projected = p->projected;
    for (int32_t i = 0; i < count; i++) {
        Vec3 at = v3_sub(points[i], centre);
        projected[i + 1] = (LitheProjectedPoint){v3_dot(at, ex), v3_dot(at, ey), v3_dot(at, eye)};
    }
    if (p->closed) {
        projected[0] = projected[count];
        return true;
    }
    for (int end = 0; end < 2; end++) {
        Vec3 out = v3_unit(v3_sub(points[end ? count - 1 : 0], centre));
        if (v3_norm(out) == 0)
            out = v3_unit(v3_sub(points[end ? count - 1 : 0], points[end ? count - 2 : 1]));
        // an end that leaves almost along the line of sight would not leave the projection
        double across = sqrt(fmax(0, 1 - v3_dot(out, eye) * v3_dot(out, eye)));
        if (across < 0.2)
            return false;
        Vec3 far = v3_axpy(4 * size / across, out, v3_sub(points[end ? count - 1 : 0], centre));
        projected[end ? count + 1 : 0] =
            (LitheProjectedPoint){v3_dot(far, ex), v3_dot(far, ey), v3_dot(far, eye)};
    }
    return true;
}

/// Tries directions until every crossing is clear.
static LitheStatus test_neighbours(LitheDiagram *p, const Vec3 *points, Frame *frames, Vec3 low,
                                   Vec3 high) {
    Vec3 centre = v3_mix(low, high, 0.5);
    double size = v3_distance(low, high);
    // spread over the half sphere (golden angle)
    enum { TRIES = 40 };
    LitheStatus status = LITHE_BAD_INPUT;
    for (int k = 0; k < TRIES && status == LITHE_BAD_INPUT; k++) {
        double z = 1 - (k + 0.37) / TRIES, angle = 2.399963229728653 * k + 0.61803;
        double across = sqrt(1 - z * z);
        Vec3 eye = v3(across * cos(angle), across * sin(angle), z);
        if (project_curve(p, points, centre, size, eye))
            status = find_crossings(p, frames, 1e-12 * size);
    }
    return status;
}

LitheStatus lithe_diagram_project(LitheDiagram *p, const Vec3 *points, int32_t count, bool closed,
                                  LitheError *error) {
    Vec3 low = points[0], high = points[0];
    for (int32_t i = 0; i < count; i++) {
        if (!v3_finite(points[i]))
            return lithe_fail(error, LITHE_BAD_INPUT, "knot: point %d is not finite", i);
        Vec3 x = points[i];
        low = v3(min(low.x, x.x), min(low.y, x.y), min(low.z, x.z));
        high = v3(max(high.x, x.x), max(high.y, x.y), max(high.z, x.z));
    }
    p->closed = closed;
    p->point_count = count;
    p->projected_count = count + (closed ? 1 : 2);
    p->passage_count = 0;
    lithe_free(p->context, p->projected);
    p->projected = lithe_alloc_array(p->context, (int64_t)count + 2, sizeof *p->projected);
    Frame *frames =
        lithe_alloc_array(p->context, (int64_t)count + 1 + count / GROUP + 1, sizeof *frames);
    LitheStatus status = LITHE_NO_MEMORY;
    if (p->projected && frames)
        status = test_neighbours(p, points, frames, low, high);
    lithe_free(p->context, frames);
    if (status == LITHE_NO_MEMORY)
        lithe_fail_memory(error, "the diagram of a knot");
    else if (status == LITHE_NOT_SUPPORTED)
        lithe_fail(error, status,
                   "knot: the crossings of a curve of %d points take too much work: its type is "
                   "undecided",
                   count);
    else if (status != LITHE_OK)
        lithe_fail(error, LITHE_BAD_INPUT,
                   "knot: the curve of %d points intersects itself, its knot type is undefined",
                   count);
    return status;
}

void lithe_diagram_release(LitheDiagram *p) {
    lithe_free(p->context, p->projected);
    lithe_free(p->context, p->passages);
    *p = (LitheDiagram){.context = p->context};
}
