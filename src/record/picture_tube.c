// SPDX-License-Identifier: Apache-2.0
// record/picture_tube.c - the smooth curve through the points of a tube, its frame and its section

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/picture_parts.h"

// a larger rotation between two samples would be visible as a corner
#define TURN_LIMIT 0.12 // rad
enum { SPLIT_LIMIT = 48 };

// The points without repeated ones, and their data.
typedef struct Nodes {
    Vec3 *x, *tangent, *m1; // x: positions; tangent: d x/d(chord length); m1: empty without
                            // directors
    double *scale;
    Vec3 *rgb;
    int32_t *from; // index of the point in the tube
    int32_t count;
    bool closed;
} Nodes;

static Vec3 point_rgb(const LithePictureTube *tube, int32_t i) {
    if (tube->rgb) {
        const double *c = tube->rgb + 3 * i;
        return lithe_picture_linear((LitheColour){c[0], c[1], c[2]});
    }
    if (tube->scalar) {
        double span = tube->scalar_high - tube->scalar_low;
        double at = span != 0 ? (tube->scalar[i] - tube->scalar_low) / span : 0.5;
        return lithe_picture_linear(lithe_picture_map(at));
    }
    return lithe_picture_linear(tube->colour);
}

static bool nodes_begin(LitheContext *context, const LithePictureTube *tube, Nodes *nodes) {
    int32_t n = tube->point_count;
    *nodes = (Nodes){.closed = tube->closed};
    nodes->x = lithe_alloc_array(context, n, sizeof *nodes->x);
    nodes->tangent = lithe_alloc_array(context, n, sizeof *nodes->tangent);
    nodes->rgb = lithe_alloc_array(context, n, sizeof *nodes->rgb);
    nodes->scale = lithe_alloc_array(context, n, sizeof *nodes->scale);
    nodes->from = lithe_alloc_array(context, n, sizeof *nodes->from);
    if (!nodes->x || !nodes->tangent || !nodes->rgb || !nodes->scale || !nodes->from)
        return false;
    bool own_radii = tube->section == LITHE_PICTURE_CIRCLE && tube->radii;
    for (int32_t i = 0; i < n; i++) {
        double r = own_radii ? tube->radii[i] : tube->half_width;
        Vec3 x = v3_load(tube->points + 3 * i);
        int32_t k = nodes->count;
        // points closer than this have no meaningful direction
        if (k > 0 && v3_distance(x, nodes->x[k - 1]) < 1e-6 * r)
            continue;
        nodes->x[k] = x;
        nodes->scale[k] = r;
        nodes->rgb[k] = point_rgb(tube, i);
        nodes->from[k] = i;
        nodes->count++;
    }
    int32_t last = nodes->count - 1;
    if (tube->closed && last > 0 &&
        v3_distance(nodes->x[0], nodes->x[last]) < 1e-6 * nodes->scale[0])
        nodes->count--;
    if (nodes->count < 3)
        nodes->closed = false;
    return true;
}

static void nodes_end(LitheContext *context, Nodes *nodes) {
    lithe_free(context, nodes->x);
    lithe_free(context, nodes->tangent);
    lithe_free(context, nodes->rgb);
    lithe_free(context, nodes->scale);
    lithe_free(context, nodes->from);
}

// Tangents of parabolas through three neighbours, by chord length; at an open end its one-sided
// continuation.
static void set_tangents(Nodes *nodes) {
    int32_t n = nodes->count;
    for (int32_t i = 0; i < n; i++) {
        bool first = i == 0 && !nodes->closed, last = i == n - 1 && !nodes->closed;
        if (n == 1) {
            nodes->tangent[i] = v3(1, 0, 0);
            continue;
        }
        int32_t mid = first ? 1 : last ? n - 2 : i;
        if (n == 2) {
            nodes->tangent[i] = v3_unit(v3_sub(nodes->x[1], nodes->x[0]));
            continue;
        }
        Vec3 x0 = nodes->x[(mid + n - 1) % n], x1 = nodes->x[mid], x2 = nodes->x[(mid + 1) % n];
        double h0 = v3_distance(x0, x1), h1 = v3_distance(x1, x2);
        Vec3 d0 = v3_scale(1 / h0, v3_sub(x1, x0)), d1 = v3_scale(1 / h1, v3_sub(x2, x1));
        Vec3 centre = v3_scale(1 / (h0 + h1), v3_add(v3_scale(h1, d0), v3_scale(h0, d1)));
        if (first)
            nodes->tangent[i] = v3_sub(v3_scale(2, d0), centre);
        else if (last)
            nodes->tangent[i] = v3_sub(v3_scale(2, d1), centre);
        else
            nodes->tangent[i] = centre;
    }
}

// Cubic of edge i at u in 0..1: place and direction.
static void edge_at(const Nodes *nodes, int32_t i, double u, Vec3 *x, Vec3 *t) {
    int32_t j = (i + 1) % nodes->count;
    Vec3 a = nodes->x[i], b = nodes->x[j];
    double h = v3_distance(a, b), v = 1 - u;
    Vec3 ta = v3_scale(h, nodes->tangent[i]), tb = v3_scale(h, nodes->tangent[j]);
    Vec3 d = v3_sub(b, a);
    // x = a + h01 (b - a) + h10 ta + h11 tb, and its derivative
    *x = v3_axpy(u * u * (3 - 2 * u), d, v3_axpy(u * v * v, ta, v3_axpy(-u * u * v, tb, a)));
    Vec3 slope = v3_axpy(6 * u * v, d, v3_axpy(v * (1 - 3 * u), ta, v3_scale(u * (3 * u - 2), tb)));
    *t = v3_norm(slope) > 1e-9 * h ? v3_unit(slope) : v3_unit(d);
}

static int32_t edge_splits(const Nodes *nodes, int32_t i, double spacing) {
    int32_t j = (i + 1) % nodes->count;
    double h = v3_distance(nodes->x[i], nodes->x[j]);
    Vec3 ta = v3_unit(nodes->tangent[i]), tb = v3_unit(nodes->tangent[j]);
    Vec3 d = v3_unit(v3_sub(nodes->x[j], nodes->x[i]));
    double turn = acos(fmin(fmax(v3_dot(ta, d), -1), 1)) + acos(fmin(fmax(v3_dot(tb, d), -1), 1));
    double want = fmax(h / spacing, turn / TURN_LIMIT);
    return want < 1 ? 1 : want > SPLIT_LIMIT ? SPLIT_LIMIT : (int32_t)ceil(want);
}

// m1 of edge e of the tube, made perpendicular to t; any normal when it lies along t.
static Vec3 edge_director(const LithePictureTube *tube, int32_t e, Vec3 t) {
    Vec3 m = v3_load(tube->director + 3 * e);
    m = v3_axpy(-v3_dot(m, t), t, m);
    return v3_norm(m) > 1e-9 ? v3_unit(m) : v3_any_normal(t);
}

// m1 at u of edge e: m1 of the edge at its middle, the mean of both edges at a node.
static Vec3 director_at(const LithePictureTube *tube, int32_t e, double u, Vec3 t) {
    int32_t n = tube->point_count, edges = tube->closed ? n : n - 1;
    int32_t other = u < 0.5 ? e - 1 : e + 1;
    if (tube->closed)
        other = (other + edges) % edges;
    Vec3 own = edge_director(tube, e, t);
    if (other < 0 || other >= edges)
        return own;
    Vec3 mean = v3_add(own, edge_director(tube, other, t));
    if (v3_norm(mean) < 1e-6)
        return own;
    double f = fabs(2 * u - 1);
    Vec3 m = v3_mix(own, v3_unit(mean), f);
    return v3_norm(m) > 1e-9 ? v3_unit(m) : own;
}

// A frame that follows the curve without twist; closed: the remaining angle is distributed evenly.
static void transport_frames(LithePictureSample *samples, int32_t count, bool closed) {
    samples[0].m1 = v3_any_normal(samples[0].t);
    for (int32_t i = 1; i < count; i++) {
        Vec3 a = samples[i - 1].t, b = samples[i].t, m = samples[i - 1].m1;
        // parallel transport: the smallest rotation that takes a to b
        double c = v3_dot(a, b);
        if (c > -0.9999)
            m = v3_axpy(-v3_dot(m, b) / (1 + c), v3_add(a, b), m);
        m = v3_axpy(-v3_dot(m, b), b, m);
        samples[i].m1 = v3_norm(m) > 1e-9 ? v3_unit(m) : v3_any_normal(b);
    }
    if (!closed)
        return;
    LithePictureSample *last = &samples[count - 1];
    double left = v3_angle_about(last->m1, samples[0].m1, last->t);
    for (int32_t i = 1; i < count; i++) {
        double angle = left * samples[i].s / last->s;
        Vec3 m = samples[i].m1;
        samples[i].m1 =
            v3_add(v3_scale(cos(angle), m), v3_scale(sin(angle), v3_cross(samples[i].t, m)));
    }
}

static void fill_samples(const LithePictureTube *tube, const Nodes *nodes, double spacing,
                         LithePictureSample *samples) {
    int32_t n = nodes->count, edges = nodes->closed ? n : n - 1, at = 0;
    bool directed = tube->director && tube->point_count > 1;
    for (int32_t i = 0; i < edges; i++) {
        int32_t j = (i + 1) % n, splits = edge_splits(nodes, i, spacing);
        for (int32_t k = 0; k < splits + (i == edges - 1); k++) {
            double u = (double)k / splits;
            LithePictureSample *s = &samples[at++];
            edge_at(nodes, i, u, &s->x, &s->t);
            s->rgb = v3_mix(nodes->rgb[i], nodes->rgb[j], u);
            s->scale = (1 - u) * nodes->scale[i] + u * nodes->scale[j];
            s->s = at > 1 ? samples[at - 2].s + v3_distance(s->x, samples[at - 2].x) : 0;
            // directors belong to edges of the tube, whose point from[i] is node i
            if (directed)
                s->m1 = director_at(tube, nodes->from[i], u, s->t);
        }
    }
    if (edges == 0)
        samples[at++] = (LithePictureSample){.x = nodes->x[0],
                                             .t = {1, 0, 0},
                                             .m1 = {0, 1, 0},
                                             .scale = nodes->scale[0],
                                             .rgb = nodes->rgb[0]};
    else if (!directed)
        transport_frames(samples, at, nodes->closed);
}

// radii below what can be seen; those of `samples` alone, so that patterns follow them
static void widen(const LithePictureView *view, int32_t count, LithePictureSample *samples) {
    for (int32_t i = 0; i < count; i++) {
        double depth = v3_dot(v3_sub(samples[i].x, view->eye), view->forward);
        double least = LITHE_PICTURE_LEAST * fmax(depth, view->near_depth) / view->focal;
        samples[i].scale = fmax(samples[i].scale, least);
    }
}

bool lithe_picture_curve(LitheContext *context, const LithePictureTube *tube, double spacing,
                         const LithePictureView *view, LithePictureCurve *curve) {
    Nodes nodes;
    bool ok = nodes_begin(context, tube, &nodes);
    *curve = (LithePictureCurve){0};
    if (ok) {
        set_tangents(&nodes);
        int32_t edges = nodes.closed ? nodes.count : nodes.count - 1;
        int64_t count = 1;
        for (int32_t i = 0; i < edges; i++)
            count += edge_splits(&nodes, i, spacing);
        curve->samples = lithe_alloc_array(context, count, sizeof *curve->samples);
        curve->count = (int32_t)count;
        ok = curve->samples != NULL;
    }
    if (ok)
        fill_samples(tube, &nodes, spacing, curve->samples);
    if (ok && view && tube->section == LITHE_PICTURE_CIRCLE)
        widen(view, curve->count, curve->samples);
    nodes_end(context, &nodes);
    return ok;
}

// --- sections ------------------------------------------------------------------------------------

// Rectangle of half sizes a, b with edges rounded by r, each side in `cuts` pieces.
static int32_t rectangle_outline(double a, double b, LithePictureCorner *corners) {
    enum { ARC = 4, CUTS = 8 };
    double r = 0.3 * fmin(a, b);
    int32_t n = 0;
    for (int q = 0; q < 4; q++) {
        double sc = q == 0 || q == 3 ? 1 : -1, sd = q < 2 ? 1 : -1;
        // the arc of corner q, from angle q*90 degrees
        for (int k = 0; k <= ARC; k++) {
            double angle = 0.5 * M_PI * (q + (double)k / ARC);
            double nc = cos(angle), nd = sin(angle);
            corners[n++] =
                (LithePictureCorner){sc * (a - r) + r * nc, sd * (b - r) + r * nd, nc, nd, 0};
        }
        // then the straight side towards the next corner
        LithePictureCorner end = corners[n - 1];
        double to_c = q == 0 ? -(a - r) : q == 2 ? a - r : end.c;
        double to_d = q == 1 ? -(b - r) : q == 3 ? b - r : end.d;
        int cuts = q % 2 == 0 ? CUTS : 2;
        for (int k = 1; k < cuts; k++) {
            double f = (double)k / cuts;
            corners[n++] = (LithePictureCorner){end.c + f * (to_c - end.c),
                                                end.d + f * (to_d - end.d), end.nc, end.nd, 0};
        }
    }
    corners[n++] = corners[0];
    for (int32_t i = 0; i < n; i++)
        corners[i].w = corners[i].c / a;
    return n;
}

int32_t lithe_picture_outline(const LithePictureTube *tube, int32_t sides,
                              LithePictureCorner corners[LITHE_PICTURE_CORNERS]) {
    double a = tube->half_width, b = tube->half_height;
    if (tube->section == LITHE_PICTURE_RECTANGLE)
        return rectangle_outline(a, b, corners);
    if (tube->section == LITHE_PICTURE_CIRCLE)
        a = b = 1;
    sides = sides < 3 ? 3 : sides > LITHE_PICTURE_CORNERS - 1 ? LITHE_PICTURE_CORNERS - 1 : sides;
    for (int32_t i = 0; i <= sides; i++) {
        double w = 2 * M_PI * i / sides, c = cos(w), d = sin(w), n = hypot(c / a, d / b);
        corners[i] = (LithePictureCorner){a * c, b * d, c / (a * n), d / (b * n), w};
    }
    return sides + 1;
}
