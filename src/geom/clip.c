// SPDX-License-Identifier: Apache-2.0
// geom/clip.c - polygons of a contact patch
//
//     (PF1) l_k(x) = [k = 0] + g_k . (x - x_0), g_k = inward area vector of face k/(3 V)
//     (PF2) p(x) = p_0 + grad p . (x - x_0), grad p = sum of p_k g_k
//     (PF4) plane of two tetrahedra: p_A - p_B = 0, n = (grad p_B - grad p_A)/|.|, from A to B
//     (PF5) clipped by l_k >= 0
//     (PF6) g_A = -grad p_A . n, g_B = grad p_B . n, 1/g = 1/g_A + 1/g_B; rigid: g = g_A;
//           g < 0 counts as 0
//     (PF8) points c + sqrt(2) L (cos t, sin t), t = 0, 2 pi/3, 4 pi/3, with L L' the second
//           moments of the polygon over its area
// docs/theory/patches.md.

#include "geom/clip.h"

// volume over the cube of the longest edge below which a tetrahedron is flat: its gradients would
// have no digits left
#define FLAT 1e-10
// polygons below this fraction of the square of the longest edge are rounding errors
#define LEAST_AREA 1e-13

bool lithe_field_tet(const Vec3 *x, const double *pressure, LitheFieldTet *tet) {
    Vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]);
    Vec3 bc = v3_cross(b, c), ca = v3_cross(c, a), ab = v3_cross(a, b);
    double volume = v3_dot(a, bc); // 6 V
    double longest = fmax(v3_dot(a, a), fmax(v3_dot(b, b), v3_dot(c, c)));
    if (!(fabs(volume) > FLAT * longest * sqrt(longest)))
        return false;
    for (int k = 0; k < 4; k++) {
        tet->x[k] = x[k];
        tet->corner[k] = pressure[k];
        tet->lanes[0][k] = x[k].x;
        tet->lanes[1][k] = x[k].y;
        tet->lanes[2][k] = x[k].z;
    }
    // (PF1)
    tet->face[1] = v3_scale(1 / volume, bc);
    tet->face[2] = v3_scale(1 / volume, ca);
    tet->face[3] = v3_scale(1 / volume, ab);
    tet->face[0] = v3_neg(v3_add(tet->face[1], v3_add(tet->face[2], tet->face[3])));
    // (PF2), with differences: equal pressures have no slope
    tet->pressure = pressure[0];
    tet->slope = v3_scale(pressure[1] - pressure[0], tet->face[1]);
    tet->slope = v3_axpy(pressure[2] - pressure[0], tet->face[2], tet->slope);
    tet->slope = v3_axpy(pressure[3] - pressure[0], tet->face[3], tet->slope);
    tet->least = LEAST_AREA * longest;
    return true;
}

// a corner of a polygon with its barycentric coordinates in the tetrahedron that clips it
typedef struct Corner {
    Vec3 x;
    double l[4];
} Corner;

static double largest(const double v[4]) {
    double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

// Places of four points relative to the first corner of a tetrahedron. Coordinates of all points
// lie side by side, which fills vectors.
static inline void set_places(const LitheFieldTet *tet, const double x[3][4], double d[3][4]) {
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 4; i++)
            d[j][i] = x[j][i] - tet->lanes[j][0];
}

// (PF1) of four points; false: all lie outside of one face
static inline bool set_coordinates(const LitheFieldTet *tet, const double d[3][4], double l[4][4]) {
    for (int k = 1; k < 4; k++) {
        Vec3 g = tet->face[k];
        for (int i = 0; i < 4; i++)
            l[k][i] = g.x * d[0][i] + g.y * d[1][i] + g.z * d[2][i];
        if (largest(l[k]) < 0)
            return false;
    }
    for (int i = 0; i < 4; i++)
        l[0][i] = 1 - (l[1][i] + l[2][i] + l[3][i]);
    return largest(l[0]) >= 0;
}

// (PF4) p_A - p_B at the corners of A, at the places d in B; false: they have one sign
static inline bool set_excess(const LitheFieldTet *a, const LitheFieldTet *b, const double d[3][4],
                              double s[4]) {
    Vec3 g = b->slope;
    int above = 0;
    for (int k = 0; k < 4; k++)
        s[k] = a->corner[k] - (b->pressure + g.x * d[0][k] + g.y * d[1][k] + g.z * d[2][k]);
    for (int k = 0; k < 4; k++)
        above += s[k] >= 0;
    return above > 0 && above < 4;
}

static Corner between(const Corner *from, const Corner *to, double t) {
    Corner c = {.x = v3_axpy(t, v3_sub(to->x, from->x), from->x)};
    for (int k = 0; k < 4; k++)
        c.l[k] = from->l[k] + t * (to->l[k] - from->l[k]);
    return c;
}

// The polygon where the linear function with the values s at the corners is 0. Points are computed
// from the corner with s >= 0, so that two tetrahedra with a common edge find the same one.
static int cut(const Corner *corners, const double s[4], Corner *out) {
    int up[4], down[4], ups = 0, downs = 0;
    for (int k = 0; k < 4; k++)
        if (s[k] >= 0)
            up[ups++] = k;
        else
            down[downs++] = k;
    if (ups == 0 || downs == 0)
        return 0;
    // in an order around the polygon: of two and two corners 00 01 11 10
    int count = 0;
    for (int i = 0; i < ups; i++)
        for (int j = 0; j < downs; j++) {
            int u = up[i], d = down[i == 1 && downs == 2 && ups == 2 ? 1 - j : j];
            out[count++] = between(&corners[u], &corners[d], s[u] / (s[u] - s[d]));
        }
    return count;
}

// (PF5) the part of a convex polygon with l_k >= 0
static int clip(const Corner *in, int count, int k, Corner *out) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const Corner *here = &in[i], *next = &in[i + 1 == count ? 0 : i + 1];
        if (here->l[k] >= 0 && kept < LITHE_POLYGON_MAX)
            out[kept++] = *here;
        if ((here->l[k] >= 0) != (next->l[k] >= 0) && kept < LITHE_POLYGON_MAX)
            out[kept++] = between(here, next, here->l[k] / (here->l[k] - next->l[k]));
    }
    return kept;
}

// number of corners inside of face k
static int inside(const Corner *corners, int count, int k) {
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += corners[i].l[k] >= 0;
    return sum;
}

// (PF5) clips by the faces that cut the polygon, and leaves its corners in `out`
static void clip_by_tet(Corner *polygon, int count, LithePolygon *out) {
    Corner other[LITHE_POLYGON_MAX], *from = polygon, *to = other;
    bool crossed[4];
    out->count = 0;
    for (int k = 0; k < 4; k++) {
        int kept = inside(polygon, count, k);
        if (kept == 0)
            return;
        crossed[k] = kept < count;
    }
    for (int k = 0; k < 4 && count > 2; k++) {
        if (!crossed[k])
            continue;
        count = clip(from, count, k, to);
        Corner *swap = from;
        from = to;
        to = swap;
    }
    out->count = count;
    for (int i = 0; i < count; i++)
        out->x[i] = from[i].x;
}

// area and centroid; false: too small
static bool measure(LithePolygon *p, double least) {
    double twice = 0;
    Vec3 moment = v3(0, 0, 0), first = v3(0, 0, 0);
    for (int i = 1; i < p->count; i++) {
        Vec3 d = v3_sub(p->x[i], p->x[0]);
        if (i > 1) {
            double t = v3_dot(v3_cross(first, d), p->normal);
            twice += t;
            moment = v3_axpy(t, v3_add(first, d), moment);
        }
        first = d;
    }
    if (!(fabs(twice) > 2 * least))
        return false;
    p->area = 0.5 * fabs(twice);
    p->centre = v3_axpy(1 / (3 * twice), moment, p->x[0]);
    return true;
}

bool lithe_clip_tets(const LitheFieldTet *a, const LitheFieldTet *b, LithePolygon *out) {
    double d[3][4], l[4][4], s[4], t[4];
    // most pairs whose boxes meet end here: the plane misses a or b, or a lies beside a face of b
    set_places(a, b->lanes, d);
    if (!set_excess(b, a, d, t))
        return false;
    set_places(b, a->lanes, d);
    if (!set_excess(a, b, d, s) || !set_coordinates(b, d, l))
        return false;
    Corner corners[4], polygon[LITHE_POLYGON_MAX];
    for (int i = 0; i < 4; i++)
        corners[i] = (Corner){a->x[i], {l[0][i], l[1][i], l[2][i], l[3][i]}};
    clip_by_tet(polygon, cut(corners, s, polygon), out);
    if (out->count < 3)
        return false;
    Vec3 across = v3_sub(a->slope, b->slope);
    double length = v3_norm(across);
    if (!(length > 0))
        return false;
    out->normal = v3_scale(-1 / length, across);
    if (!measure(out, fmin(a->least, b->least)))
        return false;
    double ga = -v3_dot(a->slope, out->normal), gb = v3_dot(b->slope, out->normal); // (PF6)
    out->stiffness = ga > 0 && gb > 0 ? ga * gb / (ga + gb) : 0;
    out->share = ga > 0 && gb > 0 ? gb / (ga + gb) : 0.5;
    out->slope = a->slope;
    out->pressure = fmax(field_tet_pressure(a, out->centre), 0);
    return true;
}

static bool finish_rigid(const LitheFieldTet *tet, Vec3 normal, LithePolygon *out) {
    out->normal = normal;
    if (out->count < 3 || !measure(out, tet->least))
        return false;
    out->stiffness = fmax(v3_dot(tet->slope, normal), 0); // (PF6)
    out->share = 1;
    out->slope = tet->slope;
    out->pressure = fmax(field_tet_pressure(tet, out->centre), 0);
    return true;
}

bool lithe_clip_triangle(const LitheFieldTet *tet, const Vec3 *t, Vec3 normal, LithePolygon *out) {
    double s[4]; // height over the triangle of the corners, which lie side by side
    int above = 0;
    for (int k = 0; k < 4; k++)
        s[k] = normal.x * (tet->lanes[0][k] - t[0].x) + normal.y * (tet->lanes[1][k] - t[0].y) +
               normal.z * (tet->lanes[2][k] - t[0].z);
    for (int k = 0; k < 4; k++)
        above += s[k] >= 0;
    if (above == 0 || above == 4) // most pairs whose boxes meet
        return false;
    double x[3][4], d[3][4], l[4][4];
    for (int i = 0; i < 4; i++) { // the last one twice
        const Vec3 *at = &t[i < 3 ? i : 2];
        x[0][i] = at->x, x[1][i] = at->y, x[2][i] = at->z;
    }
    set_places(tet, x, d);
    if (!set_coordinates(tet, d, l))
        return false;
    Corner polygon[LITHE_POLYGON_MAX];
    for (int i = 0; i < 3; i++)
        polygon[i] = (Corner){t[i], {l[0][i], l[1][i], l[2][i], l[3][i]}};
    clip_by_tet(polygon, 3, out);
    return finish_rigid(tet, normal, out);
}

bool lithe_clip_plane(const LitheFieldTet *tet, Vec3 normal, double offset, LithePolygon *out) {
    double s[4];
    Corner corners[4], polygon[4];
    for (int k = 0; k < 4; k++) {
        s[k] = v3_dot(normal, tet->x[k]) - offset;
        corners[k] = (Corner){.x = tet->x[k]};
    }
    out->count = cut(corners, s, polygon);
    for (int i = 0; i < out->count; i++)
        out->x[i] = polygon[i].x;
    return finish_rigid(tet, normal, out);
}

void lithe_polygon_points(const LithePolygon *p, Vec3 points[3]) {
    Vec3 u = v3_any_normal(p->normal), v = v3_cross(p->normal, u);
    double uu = 0, uv = 0, vv = 0, total = 0, u0 = 0, v0 = 0, u1 = 0, v1 = 0;
    for (int i = 0; i <= p->count; i++) {
        Vec3 d = v3_sub(p->x[i == p->count ? 0 : i], p->centre);
        u0 = u1, v0 = v1;
        u1 = v3_dot(d, u), v1 = v3_dot(d, v);
        if (i == 0)
            continue;
        // the triangle of the centroid and two corners: a/12 (sum of squares + square of the sum)
        double a = u0 * v1 - v0 * u1, su = u0 + u1, sv = v0 + v1;
        total += a;
        uu += a * (u0 * u0 + u1 * u1 + su * su);
        uv += a * (u0 * v0 + u1 * v1 + su * sv);
        vv += a * (v0 * v0 + v1 * v1 + sv * sv);
    }
    double scale = total != 0 ? 2 / (12 * total) : 0; // of the points: sqrt(2) twice
    uu = fmax(uu * scale, 0), uv *= scale, vv = fmax(vv * scale, 0);
    // (PF8) Cholesky factor
    double a = sqrt(uu), b = a > 0 ? uv / a : 0, c = sqrt(fmax(vv - b * b, 0));
    static const double cosines[3] = {1, -0.5, -0.5};
    static const double sines[3] = {0, 0.86602540378443865, -0.86602540378443865};
    for (int k = 0; k < 3; k++)
        points[k] =
            v3_axpy(a * cosines[k], u, v3_axpy(b * cosines[k] + c * sines[k], v, p->centre));
}
