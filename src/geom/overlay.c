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
        out[i] = (LitheOverlayCorner){
            place_of(p, twice_a, first[i], turned_a), place_of(q, twice_b, first[i], turned_b),
            (part[i] + part[i > 0 ? i - 1 : count - 1] + all / count) / 3};
    double longest = 0;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            longest = fmax(longest, hypot(first[i].x - first[j].x, first[i].y - first[j].y));
    *width = all / longest;
    return count;
}
