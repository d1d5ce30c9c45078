// SPDX-License-Identifier: Apache-2.0
// geom/panel.c - a face of a box, and the part of a triangle that is over it
//
//     (SC27)  polygon = triangle cut by the four sides of the face, in the plane of the face
//     (SC2)   share of corner i = (A_(i-1) + A_i)/3 + A/(3 m)
// docs/theory/surfaces.md.

#include "geom/panel.h"

#include "geom/overlay.h"

#include <math.h>

// a corner this near to a side of the panel, relative to the triangle, is on it: rounding
#define ON_IT 1e-9
// a polygon with less than this fraction of the area of the triangle is rounding
#define NO_AREA 1e-12

// A corner of the polygon, and the line from it to the next one: an edge of the triangle (0 to 2),
// or a side of the panel (SIDE + 0 to 3).
typedef struct Corner {
    double x[2];
    int at;
    uint32_t feature;
    int line;
} Corner;

enum { SIDE = 3, SIDES = 4 };

// sides of all panels of a box have numbers of their own, and so have its corners
static uint32_t side_number(const LithePanel *panel, int side) {
    return 1 + SIDES * panel->number + (uint32_t)side;
}

static uint32_t corner_number(const LithePanel *panel, int side, int other) {
    // two sides that meet: one across u and one across v
    int u = side < 2 ? side : other, v = side < 2 ? other : side;
    return 32 + SIDES * panel->number + (uint32_t)(2 * u + v - 2);
}

LithePanel lithe_panel_of(const LitheGeom *box, const LithePose *pose, Vec3 direction) {
    Vec3 own = q4_rotate(q4_conj(pose->q), direction);
    const double d[3] = {own.x, own.y, own.z}, half[3] = {box->half.x, box->half.y, box->half.z};
    Vec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    int k = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
    k = fabs(d[k]) >= fabs(d[2]) ? k : 2;
    int i = (k + 1) % 3, j = (k + 2) % 3;
    LithePanel panel = {.u = q4_rotate(pose->q, axes[i]),
                        .v = q4_rotate(pose->q, axes[j]),
                        .half = {half[i], half[j]},
                        .number = (uint32_t)(2 * k + (d[k] < 0))};
    panel.normal = q4_rotate(pose->q, v3_scale(d[k] < 0 ? -1 : 1, axes[k]));
    panel.at = v3_axpy(half[k], panel.normal, pose->at);
    return panel;
}

// how far a corner is on the inner side of side k: +u, -u, +v, -v [m]
static double inside(const LithePanel *panel, int k, const double x[2]) {
    return panel->half[k / 2] - (k % 2 ? -x[k / 2] : x[k / 2]);
}

static Corner crossing(const LithePanel *panel, int side, const Corner *from, const Corner *to,
                       double s) {
    Corner c = {.line = SIDE + side};
    for (int i = 0; i < 2; i++)
        c.x[i] = from->x[i] + s * (to->x[i] - from->x[i]);
    bool edge = from->line < SIDE;
    c.at = edge ? LITHE_AT_EDGE + from->line : LITHE_AT_INSIDE;
    c.feature = edge ? side_number(panel, side) : corner_number(panel, side, from->line - SIDE);
    return c;
}

// what lies on the inner side of a side; returns the number of corners
static int cut(const LithePanel *panel, int side, double near, const Corner *in, int count,
               Corner *out) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        const Corner *x = &in[i], *y = &in[i + 1 < count ? i + 1 : 0];
        double dx = inside(panel, side, x->x), dy = inside(panel, side, y->x);
        dx = fabs(dx) <= near ? 0 : dx;
        dy = fabs(dy) <= near ? 0 : dy;
        if (dx >= 0) {
            out[left] = *x;
            if (!(dx > 0) && dy < 0)
                out[left].line = SIDE + side;
            left++;
        }
        if ((dx > 0 && dy < 0) || (dx < 0 && dy > 0)) {
            out[left] = crossing(panel, side, x, y, dx / (dx - dy));
            if (dx < 0)
                out[left].line = x->line;
            left++;
        }
    }
    return left;
}

static double cross(const double o[2], const double p[2], const double q[2]) {
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0]);
}

// (SC2); false: they have no area
static bool share_area(const Corner *corners, int count, double least, LitheCoverCorner *out) {
    double mean[2] = {0, 0}, part[2 * LITHE_COVER_MAX], all = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += corners[i].x[k] / count;
    for (int i = 0; i < count; i++) {
        part[i] = 0.5 * fabs(cross(mean, corners[i].x, corners[i + 1 < count ? i + 1 : 0].x));
        all += part[i];
    }
    for (int i = 0; i < count; i++)
        out[i] = (LitheCoverCorner){
            .at = corners[i].at,
            .feature = corners[i].feature,
            .x = {corners[i].x[0], corners[i].x[1]},
            .area = (part[i] + part[i > 0 ? i - 1 : count - 1] + all / count) / 3};
    return all > least;
}

int lithe_panel_cover(const LithePanel *panel, const Vec3 t[3],
                      LitheCoverCorner out[LITHE_COVER_MAX], double *whole) {
    Corner first[2 * LITHE_COVER_MAX], second[2 * LITHE_COVER_MAX];
    int outside = 0;
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(t[k], panel->at);
        first[k] = (Corner){
            .x = {v3_dot(d, panel->u), v3_dot(d, panel->v)}, .at = LITHE_AT_CORNER + k, .line = k};
    }
    double twice = fabs(cross(first[0].x, first[1].x, first[2].x)), near = ON_IT * sqrt(twice);
    *whole = 0.5 * twice;
    // most triangles are beside the panel, or over it as a whole
    bool cuts[SIDES];
    for (int side = 0; side < SIDES; side++) {
        outside = 0;
        for (int k = 0; k < 3; k++)
            outside += inside(panel, side, first[k].x) < -near;
        if (outside == 3)
            return 0;
        cuts[side] = outside > 0;
    }
    int count = 3;
    Corner *from = first, *to = second;
    for (int side = 0; side < SIDES; side++) {
        if (!cuts[side])
            continue;
        count = cut(panel, side, near, from, count, to);
        Corner *swap = from;
        from = to;
        to = swap;
    }
    if (count < 3 || count > LITHE_COVER_MAX || !share_area(from, count, NO_AREA * *whole, out))
        return 0;
    return count;
}
