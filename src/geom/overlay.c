// SPDX-License-Identifier: Apache-2.0
// geom/overlay.c - two triangles seen along a direction: the polygon that they share
//
//     (SC1)  polygon = triangle a cut by the three edges of b, in the plane across the direction
//     (SC2)  share of corner i = (A_(i-1) + A_i)/3 + A/(3 m),   A_i area of the triangle of corner
//            i, corner i + 1 and the mean of all m corners, A the sum of the A_i
// docs/theory/surfaces.md.

#include "geom/overlay.h"

#include <math.h>

// a point this near to an edge or a corner, relative to the triangle, is on it: rounding
#define ON_IT 1e-9
// a polygon with less than this fraction of the area of the larger triangle is rounding
#define NO_AREA 1e-14

typedef struct Flat {
    double x, y;
} Flat;

static double cross(Flat o, Flat p, Flat q) {
    return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
}

// the triangle in the plane of u and v, counter-clockwise; returns twice its area
static double flatten(const Vec3 t[3], Vec3 origin, Vec3 u, Vec3 v, Flat out[3], bool *turned) {
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(t[k], origin);
        out[k] = (Flat){v3_dot(d, u), v3_dot(d, v)};
    }
    double twice = cross(out[0], out[1], out[2]);
    *turned = twice < 0;
    if (*turned) {
        Flat swap = out[1];
        out[1] = out[2];
        out[2] = swap;
    }
    return fabs(twice);
}

// what lies left of the line from p to q; returns the number of corners
static int cut(const Flat *in, int count, Flat p, Flat q, Flat *out) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        Flat x = in[i], y = in[i + 1 < count ? i + 1 : 0];
        double dx = cross(p, q, x), dy = cross(p, q, y);
        if (dx >= 0)
            out[left++] = x;
        if ((dx > 0 && dy < 0) || (dx < 0 && dy > 0)) {
            double s = dx / (dx - dy);
            out[left++] = (Flat){x.x + s * (y.x - x.x), x.y + s * (y.y - x.y)};
        }
    }
    return left;
}

// the place of a point of the triangle, in the numbers of the triangle before it was turned
static int place_of(const Flat t[3], double twice, Flat x, bool turned) {
    static const int corner[2][3] = {{0, 1, 2}, {0, 2, 1}}, edge[2][3] = {{0, 1, 2}, {2, 1, 0}};
    bool off[3]; // the edge from corner k to k + 1 does not contain x
    int count = 0;
    for (int k = 0; k < 3; k++) {
        off[k] = cross(t[k], t[(k + 1) % 3], x) > ON_IT * twice;
        count += off[k];
    }
    if (count == 3)
        return LITHE_AT_INSIDE;
    for (int k = 0; k < 3; k++)
        if (!off[k] && !off[(k + 2) % 3])
            return LITHE_AT_CORNER + corner[turned][k];
    int k = !off[0] ? 0 : !off[1] ? 1 : 2;
    return LITHE_AT_EDGE + edge[turned][k];
}

// --- triangles that are apart --------------------------------------------------------------------

// what is apart by this fraction of the size of the triangles is so beyond rounding
#define APART 1e-9

// Seen along a vector d: coordinates i and j less the third one's d_i/d_k and d_j/d_k. That is the
// picture (SC1) except for a linear map, which keeps what overlaps.
static void shear(const Vec3 t[3], Vec3 origin, const int axis[3], const double slope[2],
                  Flat out[3]) {
    for (int m = 0; m < 3; m++) {
        Vec3 d = v3_sub(t[m], origin);
        const double x[3] = {d.x, d.y, d.z};
        out[m] = (Flat){x[axis[0]] - slope[0] * x[axis[2]], x[axis[1]] - slope[1] * x[axis[2]]};
    }
}

static inline double least(double a, double b, double c) {
    double m = a < b ? a : b;
    return m < c ? m : c;
}

static inline double most(double a, double b, double c) {
    double m = a > b ? a : b;
    return m > c ? m : c;
}

// whether all of b is beyond an edge of a
static bool beyond_edge(const Flat a[3], const Flat b[3], double rounding) {
    double turn = cross(a[0], a[1], a[2]) < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        Flat p = a[k], q = a[k == 2 ? 0 : k + 1];
        if (turn * cross(p, q, b[0]) < -rounding && turn * cross(p, q, b[1]) < -rounding &&
            turn * cross(p, q, b[2]) < -rounding)
            return true;
    }
    return false;
}

bool lithe_overlay_apart(const Vec3 a[3], const Vec3 b[3], Vec3 along) {
    double x = fabs(along.x), y = fabs(along.y), z = fabs(along.z);
    const double d[3] = {along.x, along.y, along.z};
    int k = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const int axis[3] = {k == 0 ? 1 : 0, k == 2 ? 1 : 2, k};
    const double slope[2] = {d[axis[0]] / d[k], d[axis[1]] / d[k]};
    Flat p[3], q[3];
    shear(a, a[0], axis, slope, p);
    shear(b, a[0], axis, slope, q);
    double low[2] = {least(p[0].x, p[1].x, p[2].x), least(p[0].y, p[1].y, p[2].y)};
    double high[2] = {most(p[0].x, p[1].x, p[2].x), most(p[0].y, p[1].y, p[2].y)};
    double from[2] = {least(q[0].x, q[1].x, q[2].x), least(q[0].y, q[1].y, q[2].y)};
    double to[2] = {most(q[0].x, q[1].x, q[2].x), most(q[0].y, q[1].y, q[2].y)};
    double size = most(high[0] - low[0], to[0], -from[0]) + most(high[1] - low[1], to[1], -from[1]);
    double rounding = APART * size;
    if (high[0] + rounding < from[0] || to[0] + rounding < low[0] || high[1] + rounding < from[1] ||
        to[1] + rounding < low[1])
        return true;
    return beyond_edge(p, q, rounding * size) || beyond_edge(q, p, rounding * size);
}

// --- the polygon ---------------------------------------------------------------------------------

int lithe_overlay(const Vec3 a[3], const Vec3 b[3], Vec3 along,
                  LitheOverlayCorner out[LITHE_OVERLAY_MAX], double *width) {
    Vec3 u = v3_any_normal(along), v = v3_cross(along, u);
    Flat p[3], q[3], first[2 * LITHE_OVERLAY_MAX], second[2 * LITHE_OVERLAY_MAX];
    bool turned_a, turned_b;
    double twice_a = flatten(a, a[0], u, v, p, &turned_a);
    double twice_b = flatten(b, a[0], u, v, q, &turned_b);
    double least = NO_AREA * fmax(twice_a, twice_b);
    if (!(twice_a > least && twice_b > least))
        return 0;
    int count = cut(p, 3, q[0], q[1], first);
    count = cut(first, count, q[1], q[2], second);
    count = cut(second, count, q[2], q[0], first);
    if (count < 3 || count > LITHE_OVERLAY_MAX)
        return 0;
    Flat mean = {0, 0};
    for (int i = 0; i < count; i++)
        mean = (Flat){mean.x + first[i].x / count, mean.y + first[i].y / count};
    double part[LITHE_OVERLAY_MAX], all = 0;
    for (int i = 0; i < count; i++) {
        part[i] = 0.5 * fmax(cross(mean, first[i], first[i + 1 < count ? i + 1 : 0]), 0);
        all += part[i];
    }
    if (!(all > 0.5 * least))
        return 0;
    for (int i = 0; i < count; i++)
        out[i] = (LitheOverlayCorner){place_of(p, twice_a, first[i], turned_a),
                                      place_of(q, twice_b, first[i], turned_b),
                                      (part[i] + part[i > 0 ? i - 1 : count - 1] + all / count) / 3,
                                      v3_axpy(first[i].x, u, v3_axpy(first[i].y, v, a[0]))};
    double longest = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            double dx = first[i].x - first[j].x, dy = first[i].y - first[j].y;
            double square = dx * dx + dy * dy;
            longest = square > longest ? square : longest;
        }
    *width = all / sqrt(longest);
    return count;
}
