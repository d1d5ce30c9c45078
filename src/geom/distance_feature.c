// SPDX-License-Identifier: Apache-2.0
// geom/distance_feature.c - faces, edges and corners that face each other, and their overlap

#include "geom/distance.h"

#include "geom/oval.h"

// a face faces d if its normal is within 20 degrees of d, an edge if it is within 20 degrees of
// perpendicular to d
#define FACING 0.94
#define PERPENDICULAR 0.34

// discs are approximated by polygons: with 24 corners the mean distance from the centre, and with
// it friction about the normal, is 0.6 % too small, with 8 it would be 5 %
enum { DISC_CORNERS = LITHE_FEATURE_MAX };

// --- features ------------------------------------------------------------------------------------

static int box_feature(Vec3 half, Vec3 d, Vec3 *out, uint32_t *id) {
    double h[3], c[3]; // half sizes, direction
    v3_store(half, h);
    v3_store(d, c);
    int max = 0, min = 0;
    for (int k = 1; k < 3; k++) {
        max = fabs(c[k]) > fabs(c[max]) ? k : max;
        min = fabs(c[k]) < fabs(c[min]) ? k : min;
    }
    double x[3]; // the corner that is farthest along d
    uint32_t sides = 0;
    for (int k = 0; k < 3; k++) {
        x[k] = copysign(h[k], c[k]);
        sides |= (uint32_t)(c[k] < 0) << k;
    }
    if (fabs(c[max]) > FACING) {
        int u = (max + 1) % 3, v = (max + 2) % 3;
        for (int i = 0; i < 4; i++) {
            x[u] = i == 0 || i == 3 ? -h[u] : h[u];
            x[v] = i < 2 ? -h[v] : h[v];
            out[i] = v3_load(x);
        }
        *id = 1 + 2 * (uint32_t)max + (c[max] < 0);
        return 4;
    }
    if (fabs(c[min]) < PERPENDICULAR) {
        x[min] = -h[min];
        out[0] = v3_load(x);
        x[min] = h[min];
        out[1] = v3_load(x);
        *id = 8 + 8 * (uint32_t)min + (sides & ~(1u << min));
        return 2;
    }
    out[0] = v3_load(x);
    *id = 40 + sides;
    return 1;
}

// an end, or the generating line on the side that faces d
static int oval_feature(Vec3 half, Vec3 d, Vec3 *out, uint32_t *id) {
    if (fabs(d.z) > FACING) {
        for (int i = 0; i < DISC_CORNERS; i++) {
            double angle = 2 * M_PI / DISC_CORNERS * i;
            out[i] = v3(half.x * cos(angle), half.y * sin(angle), copysign(half.z, d.z));
        }
        *id = 1 + (d.z > 0);
        return DISC_CORNERS;
    }
    out[0] = out[1] = support_oval(half, d);
    *id = 4 + (d.z > 0);
    if (fabs(d.z) > PERPENDICULAR)
        return 1;
    out[0].z = -half.z;
    out[1].z = half.z;
    *id = 3;
    return 2;
}

static int frustum_feature(const LitheCore *core, Vec3 d, Vec3 *out, uint32_t *id) {
    int top = d.z > 0;
    if (fabs(d.z) > FACING && core->r[top] > 0) {
        for (int i = 0; i < DISC_CORNERS; i++) {
            double angle = 2 * M_PI / DISC_CORNERS * i;
            out[i] = v3(core->r[top] * cos(angle), core->r[top] * sin(angle), core->z[top]);
        }
        *id = 1 + (uint32_t)top;
        return DISC_CORNERS;
    }
    // the generating line on the side that faces d
    double across = sqrt(d.x * d.x + d.y * d.y);
    double dr = core->r[1] - core->r[0], dz = core->z[1] - core->z[0];
    double line = sqrt(dr * dr + dz * dz); // 0: a disc, of which a point of the rim faces d
    double along = line > 0 ? (dr * across + dz * d.z) / line : 1;
    double ux = across > 0 ? d.x / across : 0, uy = across > 0 ? d.y / across : 0;
    for (int k = 0; k < 2; k++)
        out[k] = v3(core->r[k] * ux, core->r[k] * uy, core->z[k]);
    *id = 3;
    if (fabs(along) < PERPENDICULAR)
        return 2;
    *id = 4 + (along > 0);
    out[0] = out[along > 0];
    return 1;
}

static int hull_feature(const LitheHull *hull, Vec3 d, Vec3 *out, uint32_t *id) {
    int32_t face = 0;
    double max = -2;
    for (int32_t i = 0; i < hull->face_count; i++) {
        double facing = v3_dot(hull->face_normal[i], d);
        if (facing > max) {
            max = facing;
            face = i;
        }
    }
    if (max > FACING) {
        const int32_t *corner = hull->face_points + hull->face_start[face];
        int32_t count = hull->face_start[face + 1] - hull->face_start[face];
        int given = count < LITHE_FEATURE_MAX ? (int)count : LITHE_FEATURE_MAX;
        for (int i = 0; i < given; i++)
            out[i] = hull->points[corner[(int64_t)i * count / given]];
        *id = 1 + 2 * (uint32_t)face;
        return given;
    }
    // of the edges at the farthest corner, the one most nearly perpendicular to d
    Vec3 far = hull->points[0];
    for (int32_t i = 1; i < hull->point_count; i++)
        far = v3_dot(hull->points[i], d) > v3_dot(far, d) ? hull->points[i] : far;
    double min = PERPENDICULAR;
    int count = 1;
    out[0] = far;
    *id = 2 + 2 * (uint32_t)(hull->face_count + hull->face_start[hull->face_count]);
    for (int32_t i = 0; i < hull->face_count; i++) {
        int32_t start = hull->face_start[i], end = hull->face_start[i + 1];
        for (int32_t j = start; j < end; j++) {
            Vec3 p = hull->points[hull->face_points[j]];
            Vec3 q = hull->points[hull->face_points[j + 1 < end ? j + 1 : start]];
            if (v3_distance(p, far) > 0 && v3_distance(q, far) > 0)
                continue;
            double along = fabs(v3_dot(v3_unit(v3_sub(q, p)), d));
            if (along < min) {
                min = along;
                out[0] = p;
                out[1] = q;
                count = 2;
                *id = 2 + 2 * (uint32_t)j;
            }
        }
    }
    return count;
}

static int flat_feature(const LitheCore *core, Vec3 d, Vec3 *out, uint32_t *id) {
    const Vec3 *p = core->own;
    if (core->count == 3) {
        Vec3 n = v3_unit(v3_cross(v3_sub(p[1], p[0]), v3_sub(p[2], p[0])));
        *id = 1;
        if (fabs(v3_dot(n, d)) > FACING) {
            for (int k = 0; k < 3; k++)
                out[k] = p[k];
            return 3;
        }
    }
    int max = 0, min = 0;
    for (int k = 1; k < core->count; k++) {
        max = v3_dot(p[k], d) > v3_dot(p[max], d) ? k : max;
        min = v3_dot(p[k], d) <= v3_dot(p[min], d) ? k : min;
    }
    // the edge of a triangle that is opposite to its corner with the smallest d . x
    int next = core->count == 3 ? 3 - max - min : 1 - max;
    *id = 2 + (uint32_t)max;
    out[0] = p[max];
    if (core->count > 1 && max != min &&
        fabs(v3_dot(v3_unit(v3_sub(p[next], p[max])), d)) < PERPENDICULAR) {
        out[0] = p[max < next ? max : next];
        out[1] = p[max < next ? next : max];
        *id = 5 + (uint32_t)(max + next);
        return 2;
    }
    return 1;
}

int lithe_core_feature(const LitheCore *core, Vec3 d, Vec3 out[LITHE_FEATURE_MAX], uint32_t *id) {
    switch (core->kind) {
    case LITHE_CORE_BOX:
        return box_feature(core->half, d, out, id);
    case LITHE_CORE_FRUSTUM:
        return frustum_feature(core, d, out, id);
    case LITHE_CORE_OVAL:
        return oval_feature(core->half, d, out, id);
    case LITHE_CORE_ELLIPSOID:
        out[0] = lithe_core_support(core, d);
        *id = 1;
        return 1;
    case LITHE_CORE_POINTS:
        break;
    }
    return core->hull ? hull_feature(core->hull, d, out, id) : flat_feature(core, d, out, id);
}

// --- overlap -------------------------------------------------------------------------------------

typedef struct Flat {
    double u, v;
    uint32_t tag;
} Flat;

// the plane perpendicular to n with an origin near the features
typedef struct View {
    Vec3 n, u, v, at;
} View;

static Flat project(const View *view, Vec3 x, uint32_t tag) {
    Vec3 d = v3_sub(x, view->at);
    return (Flat){v3_dot(d, view->u), v3_dot(d, view->v), tag};
}

static double side_of(Flat p, Flat q, Flat x) {
    return (q.u - p.u) * (x.v - p.v) - (q.v - p.v) * (x.u - p.u);
}

static double turning(const Flat *p, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += p[i].u * p[(i + 1) % count].v - p[i].v * p[(i + 1) % count].u;
    return sum;
}

// the id of the intersection of an edge and a line; it depends on the direction of the edge
static uint32_t join(uint32_t a, uint32_t b) {
    uint32_t h = (a + 0x9e3779b9u) * 0x85ebca6bu ^ (b + 0x7f4a7c15u);
    return h ^ (h >> 13);
}

// keeps the part of `p` to the left of the line from q to r
static int clip(const Flat *p, int count, Flat q, Flat r, uint32_t line, Flat *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        Flat x = p[i], y = p[(i + 1) % count];
        double sx = side_of(q, r, x), sy = side_of(q, r, y);
        if (sx >= 0 && n < LITHE_OVERLAP_MAX)
            out[n++] = x;
        bool crossed = (sx > 0 && sy < 0) || (sx < 0 && sy > 0);
        // a segment has one edge, not two
        if (crossed && !(count == 2 && i == 1) && n < LITHE_OVERLAP_MAX) {
            double s = sx / (sx - sy);
            out[n++] = (Flat){x.u + s * (y.u - x.u), x.v + s * (y.v - x.v),
                              join(join(x.tag, y.tag), line)};
        }
    }
    return n;
}

// the point of the plane through the feature that projects to (u, v)
static Vec3 lift(const View *view, const Vec3 *p, int count, Flat x) {
    Vec3 on = v3_axpy(x.v, view->v, v3_axpy(x.u, view->u, view->at)), m = {0, 0, 0};
    if (count > 2) {
        for (int i = 0; i < count; i++)
            m = v3_add(m, v3_cross(v3_sub(p[i], p[0]), v3_sub(p[(i + 1) % count], p[0])));
        double slope = v3_dot(m, view->n);
        return v3_axpy(v3_dot(m, v3_sub(p[0], on)) / slope, view->n, on);
    }
    Vec3 d = v3_sub(p[1], p[0]);
    Vec3 flat = v3_axpy(-v3_dot(d, view->n), view->n, d);
    double s = v3_dot(v3_sub(on, p[0]), flat) / v3_dot(flat, flat);
    return v3_axpy(s < 0 ? 0 : s > 1 ? 1 : s, d, p[0]);
}

// the ends of the overlap of two edges, if they are nearly parallel
static int edges_overlap(const Vec3 *a, const Vec3 *b, LitheOverlapPoint *out) {
    Vec3 d = v3_sub(a[1], a[0]), e = v3_sub(b[1], b[0]);
    double dd = v3_dot(d, d), ee = v3_dot(e, e);
    // at more than 0.1 rad the two points would not face each other
    if (dd == 0 || ee == 0 || v3_norm(v3_cross(d, e)) > 0.1 * sqrt(dd * ee))
        return 0;
    double s0 = v3_dot(v3_sub(b[0], a[0]), d) / dd, s1 = v3_dot(v3_sub(b[1], a[0]), d) / dd;
    double low = fmax(0, fmin(s0, s1)), high = fmin(1, fmax(s0, s1));
    if (high <= low)
        return 0;
    for (int k = 0; k < 2; k++) {
        double s = k ? high : low;
        out[k].on_a = v3_axpy(s, d, a[0]);
        double t = v3_dot(v3_sub(out[k].on_a, b[0]), e) / ee;
        out[k].on_b = v3_axpy(t < 0 ? 0 : t > 1 ? 1 : t, e, b[0]);
        out[k].tag = 1 + (uint32_t)k;
    }
    return 2;
}

// A segment beside or along the border of a face, where rounding would decide the result of
// clipping: takes its overlap with the nearest edge of the face.
static int beside_face(const Vec3 *a, int a_count, const Vec3 *b, int b_count,
                       LitheOverlapPoint *out) {
    bool face_b = b_count > 2;
    const Vec3 *face = face_b ? b : a;
    int corners = face_b ? b_count : a_count, found = 0;
    double nearest = INFINITY;
    for (int i = 0; i < corners; i++) {
        Vec3 edge[2] = {face[i], face[(i + 1) % corners]};
        LitheOverlapPoint points[2];
        if (edges_overlap(face_b ? a : edge, face_b ? edge : b, points) < 2)
            continue;
        double gap = INFINITY;
        for (int k = 0; k < 2; k++)
            gap = fmin(gap, v3_distance(points[k].on_a, points[k].on_b));
        if (gap < nearest) {
            nearest = gap;
            found = 2;
            for (int k = 0; k < 2; k++) {
                out[k] = points[k];
                out[k].tag += 2 * (uint32_t)i;
            }
        }
    }
    return found;
}

int lithe_feature_overlap(const Vec3 *a, int a_count, const Vec3 *b, int b_count, Vec3 n,
                          LitheOverlapPoint out[LITHE_OVERLAP_MAX]) {
    View view = {.n = n, .u = v3_any_normal(n), .at = a[0]};
    view.v = v3_cross(n, view.u);
    if (a_count < 2 || b_count < 2)
        return 0;
    if (a_count == 2 && b_count == 2)
        return edges_overlap(a, b, out);
    // p, which is clipped, is a if b is a face, else b; q, the face that clips it, is the other
    bool cut_a = b_count > 2;
    const Vec3 *p = cut_a ? a : b, *q = cut_a ? b : a;
    int p_count = cut_a ? a_count : b_count, q_count = cut_a ? b_count : a_count;
    Flat buffer[2][LITHE_OVERLAP_MAX], knife[LITHE_FEATURE_MAX];
    for (int i = 0; i < p_count; i++)
        buffer[0][i] = project(&view, p[i], (uint32_t)i);
    for (int i = 0; i < q_count; i++)
        knife[i] = project(&view, q[i], 0);
    double length = hypot(buffer[0][1].u - buffer[0][0].u, buffer[0][1].v - buffer[0][0].v);
    bool left = turning(knife, q_count) > 0;
    int count = p_count, now = 0;
    for (int i = 0; i < q_count && count > 0; i++) {
        Flat from = knife[i], to = knife[(i + 1) % q_count];
        count = clip(buffer[now], count, left ? from : to, left ? to : from, (uint32_t)i,
                     buffer[1 - now]);
        now = 1 - now;
    }
    const Flat *left_over = buffer[now];
    if (p_count == 2 && (count < 2 || hypot(left_over[1].u - left_over[0].u,
                                            left_over[1].v - left_over[0].v) < 1e-6 * length)) {
        int beside = beside_face(a, a_count, b, b_count, out);
        if (beside > 0)
            return beside;
    }
    for (int i = 0; i < count; i++) {
        out[i].on_a = lift(&view, a, a_count, buffer[now][i]);
        out[i].on_b = lift(&view, b, b_count, buffer[now][i]);
        out[i].tag = buffer[now][i].tag;
    }
    return count;
}
