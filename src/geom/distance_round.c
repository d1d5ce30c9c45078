// SPDX-License-Identifier: Apache-2.0
// geom/distance_round.c - contacts of tubes and tori in closed form
//
// A torus is a circle c(t) swept by a ball: its contacts with a solid b are the local minima of
//    f(t) = distance of c(t) from b,   f'(t) = n . c'(t)                                  (28)
// where n is the direction away from b. The wall of the hole of a tube, of radius h, is concave: a
// thin thing inside touches it at its ends, or where it leaves through a rim. There
//    gap = h - rho(x) - r,   rho the distance from the axis                               (29)
// and at a rim that it leaves slantwise its distance from the circle of the rim.

#include "geom/distance_round.h"

// samples of (28)
enum { SAMPLES = 32, MINIMA = 4, REFINE = 90 };
// below this fraction of the size a direction from the axis is rounding
#define NO_DIRECTION 1e-12
// cosine from which the direction of a contact counts as that of the axis
#define AXIAL 0.34

static Vec3 radial(Vec3 x, Vec3 otherwise, double size) {
    double rho = hypot(x.x, x.y);
    return rho > NO_DIRECTION * size ? v3(x.x / rho, x.y / rho, 0) : otherwise;
}

static LitheContactPoint spot(Vec3 on_a, Vec3 normal, double gap, uint32_t feature) {
    return (LitheContactPoint){.on_a = on_a,
                               .on_b = v3_axpy(gap, normal, on_a),
                               .normal = normal,
                               .gap = gap,
                               .weight = 1,
                               .feature = feature};
}

static void into_world(const LithePose *pa, LitheContactPoint *points, int count) {
    for (int i = 0; i < count; i++) {
        points[i].on_a = place_point(pa, points[i].on_a);
        points[i].normal = place_direction(pa, points[i].normal);
        points[i].on_b = v3_axpy(points[i].gap, points[i].normal, points[i].on_a);
    }
}

// --- torus ---------------------------------------------------------------------------------------

// what a circle comes near to, in the frame of the circle
typedef struct Other {
    const LitheCore *core; // NULL: the circle of another torus
    double radius;         // of that circle [m]
    Mat3 r;
    Vec3 at;
} Other;

// signed distance of x, and the direction away from the other thing
static double distance_from(const Other *b, Vec3 x, Vec3 *away) {
    Vec3 y = m3_apply_transposed(&b->r, v3_sub(x, b->at)), d;
    double distance;
    if (b->core && (b->core->kind != LITHE_CORE_POINTS || b->core->hull || b->core->count == 3)) {
        LitheNearest near;
        lithe_core_nearest(b->core, y, &near);
        *away = m3_apply(b->r, near.normal);
        return near.distance;
    }
    if (b->core) {
        Vec3 p = b->core->own[0], e = v3_sub(b->core->own[b->core->count - 1], p);
        double ee = v3_dot(e, e), s = ee > 0 ? v3_dot(v3_sub(y, p), e) / ee : 0;
        d = v3_sub(y, v3_axpy(fmin(fmax(s, 0), 1), e, p));
    } else {
        d = v3_axpy(-b->radius, radial(y, v3(1, 0, 0), b->radius), y);
    }
    distance = v3_norm(d);
    *away = distance > 0 ? m3_apply(b->r, v3_scale(1 / distance, d)) : v3_any_normal(v3_unit(x));
    return distance;
}

static Vec3 on_circle(double radius, double angle) {
    return v3(radius * cos(angle), radius * sin(angle), 0);
}

// f and f' of (28), the latter over the radius
static double along_circle(const Other *b, double radius, double angle, double *slope) {
    Vec3 away;
    double f = distance_from(b, on_circle(radius, angle), &away);
    *slope = away.y * cos(angle) - away.x * sin(angle);
    return f;
}

// the root of f' between two angles where it is < 0 and >= 0: false position, with bisection for
// kinks
static double refine(const Other *b, double radius, double low, double high, double g_low,
                     double g_high) {
    for (int i = 0; i < REFINE && high - low > 1e-15 && g_high > 0; i++) {
        double middle = 0.5 * (low + high), g;
        if (i % 3 != 2)
            middle = low + (high - low) * g_low / (g_low - g_high);
        along_circle(b, radius, middle, &g);
        if (g < 0) {
            low = middle;
            g_low = g;
            g_high *= i % 3 == 1 ? 0.5 : 1;
        } else {
            if (g == 0)
                return middle;
            high = middle;
            g_high = g;
            g_low *= i % 3 == 1 ? 0.5 : 1;
        }
    }
    return high;
}

// Contacts of a torus, in its frame; `round` is the rounding of b. `exact`: without those of a
// thing that fills the hole. -1: a face lies flat on it.
static int ring(const LitheGeom *a, const Other *b, double round, double margin,
                LitheContactPoint *out) {
    double f[SAMPLES + 1], g[SAMPLES + 1], reach = a->section + round + margin, far = -INFINITY;
    double step = 2 * M_PI / SAMPLES, angles[MINIMA];
    int count = 0, least = 0;
    for (int i = 0; i < SAMPLES; i++) {
        f[i] = along_circle(b, a->radius, i * step, &g[i]);
        far = fmax(far, f[i]);
        least = f[i] < f[least] ? i : least;
    }
    f[SAMPLES] = f[0];
    g[SAMPLES] = g[0];
    for (int i = 0; i < SAMPLES && count < MINIMA; i++)
        if (g[i] < 0 && g[i + 1] >= 0 && fmin(f[i], f[i + 1]) <= reach + 0.5 * step * a->radius)
            angles[count++] = refine(b, a->radius, i * step, (i + 1) * step, g[i], g[i + 1]);
    if (far <= reach && isfinite(margin)) {
        // all of the circle is near
        Vec3 away;
        distance_from(b, on_circle(a->radius, least * step), &away);
        bool thin = b->core && b->core->kind == LITHE_CORE_POINTS && !b->core->hull;
        if (!thin && fabs(away.z) > AXIAL)
            return -1;
        double first = least * step;
        for (int i = 0; i < count; i++) {
            double slope;
            if (along_circle(b, a->radius, angles[i], &slope) <= f[least])
                first = angles[i];
        }
        for (count = 0; count < MINIMA; count++)
            angles[count] = first + 0.5 * M_PI * count;
    } else if (count == 0) {
        angles[count++] = least * step;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Vec3 away, x = on_circle(a->radius, angles[i]);
        double distance = distance_from(b, x, &away);
        if (distance > reach)
            continue;
        Vec3 normal = v3_neg(away);
        out[kept] = spot(v3_axpy(a->section, normal, x), normal, distance - a->section - round,
                         0x70125u + (uint32_t)kept);
        kept++;
    }
    return kept;
}

int lithe_ring_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                        const LithePose *pb, double margin,
                        LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    bool torus = b->exact == LITHE_GEOM_TORUS;
    LitheCore core;
    if (!torus)
        core = lithe_core_of(b);
    Other other = {torus ? NULL : &core, b->radius, m3_mul(m3_transpose(pa->r), pb->r),
                   place_point_back(pa, pb->at)};
    int count = ring(a, &other, torus ? b->section : core.round, margin, out);
    into_world(pa, out, count);
    return count;
}

// --- ball ----------------------------------------------------------------------------------------

// Nearest point of the section of a tube or torus to a point: `at` is in the plane of the section,
// from the axis and along it; `beside` is its distance from that plane. Returns the distance, and
// the direction towards the point: in the plane, along the axis, beside.
static double from_section(const LitheGeom *a, const double at[2], double beside, double near[2],
                           double way[3]) {
    double low[2] = {a->hole, -a->half.z}, high[2] = {a->radius, a->half.z};
    if (a->exact == LITHE_GEOM_TORUS) {
        near[0] = a->radius;
        near[1] = 0;
    } else {
        for (int k = 0; k < 2; k++)
            near[k] = fmin(fmax(at[k], low[k]), high[k]);
        if (near[0] == at[0] && near[1] == at[1] && beside == 0) {
            // inside: out through the nearest side
            double least = INFINITY;
            int side = 0;
            for (int k = 0; k < 4; k++) {
                double depth = k % 2 ? high[k / 2] - at[k / 2] : at[k / 2] - low[k / 2];
                if (depth < least) {
                    least = depth;
                    side = k;
                }
            }
            near[side / 2] = side % 2 ? high[side / 2] : low[side / 2];
            way[0] = way[1] = way[2] = 0;
            way[side / 2] = side % 2 ? 1 : -1;
            return -least;
        }
    }
    double d[3] = {at[0] - near[0], at[1] - near[1], beside};
    double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (int k = 0; k < 3; k++)
        way[k] = distance > 0 ? d[k] / distance : k == 1;
    if (a->exact == LITHE_GEOM_TORUS) {
        near[0] += a->section * way[0];
        near[1] += a->section * way[1];
        distance -= a->section;
    }
    return distance;
}

int lithe_round_ball(const LitheGeom *a, Vec3 x, double radius, double margin,
                     LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    Vec3 d = radial(x, v3(1, 0, 0), a->radius), e = v3(-d.y, d.x, 0);
    double rho = hypot(x.x, x.y);
    int count = 0;
    for (uint32_t k = 0; k < 4; k++) {
        // the half planes towards the ball, away from it, and those between: where it sits in the
        // hole it touches all of the rim
        Vec3 u = k == 0 ? d : k == 1 ? v3_neg(d) : k == 2 ? e : v3_neg(e);
        Vec3 v = k == 0 ? e : k == 1 ? v3_neg(e) : k == 2 ? v3_neg(d) : d;
        double at[2] = {rho * v3_dot(d, u), x.z}, near[2], way[3];
        double gap = from_section(a, at, rho * v3_dot(d, v), near, way) - radius;
        if (gap > margin) {
            if (k < 2)
                break;
            continue;
        }
        Vec3 normal = v3_axpy(way[2], v, v3_axpy(way[0], u, v3(0, 0, way[1])));
        Vec3 on_a = v3_axpy(near[0], u, v3(0, 0, near[1]));
        if (a->exact == LITHE_GEOM_TORUS && way[2] != 0)
            on_a = v3_axpy(a->section * way[2], v, on_a);
        out[count++] = spot(on_a, normal, gap, 0xba11u + k);
    }
    return count;
}

// --- tube ----------------------------------------------------------------------------------------

// a capsule, a cylinder or a segment, in the frame of the tube
typedef struct Thin {
    Vec3 p[2];     // ends of its axis
    double radius; // around the axis
    double disc;   // of a flat end, without rounding; 0: a round end
    double round;  // of the ends
} Thin;

static bool thin_of(const LitheGeom *b, const LithePose *pa, const LithePose *pb, Thin *out) {
    Vec3 ends[2] = {b->end[0], b->end[1]};
    *out = (Thin){.radius = b->radius, .round = b->radius};
    if (b->kind == LITHE_GEOM_CYLINDER) {
        out->round = b->rounding;
        out->disc = b->radius - b->rounding;
        ends[1] = v3(0, 0, b->half.z - b->rounding);
        ends[0] = v3_neg(ends[1]);
    } else if (b->kind != LITHE_GEOM_CAPSULE && b->kind != LITHE_GEOM_SEGMENT) {
        return false;
    }
    for (int k = 0; k < 2; k++)
        out->p[k] = place_point_back(pa, place_point(pb, ends[k]));
    return true;
}

// the part of the axis within the length of the tube; false: there is none
static bool part_inside(const LitheGeom *a, const Thin *b, double part[2]) {
    double dz = b->p[1].z - b->p[0].z, length = v3_distance(b->p[0], b->p[1]);
    part[0] = 0;
    part[1] = 1;
    if (fabs(dz) <= NO_DIRECTION * length)
        return length > 0 && fabs(b->p[0].z) <= a->half.z;
    double s = (-a->half.z - b->p[0].z) / dz, t = (a->half.z - b->p[0].z) / dz;
    part[0] = fmax(0, fmin(s, t));
    part[1] = fmin(1, fmax(s, t));
    return part[0] < part[1];
}

// (29) at an end of the thing that lies in the hole
static LitheContactPoint at_end(const LitheGeom *a, const Thin *b, Vec3 x, Vec3 d) {
    Vec3 axis = v3_unit(v3_sub(b->p[1], b->p[0])), p = x;
    for (int i = 0; i < 20 && b->disc > 0; i++) {
        // the point of the rim of the end that is farthest from the axis of the tube
        Vec3 side = v3_axpy(-v3_dot(d, axis), axis, d), before = d;
        if (!(v3_norm(side) > NO_DIRECTION))
            break;
        p = v3_axpy(b->disc, v3_unit(side), x);
        d = radial(p, d, a->radius);
        if (v3_distance(d, before) < 1e-15)
            break;
    }
    Vec3 on_a = v3(a->hole * d.x, a->hole * d.y, p.z);
    return spot(on_a, v3_neg(d), a->hole - v3_dot(d, p) - b->round, 0);
}

// Where the thing leaves the hole through the rim at the height of x: the nearest point of the rim,
// found by turns with that of the axis.
static LitheContactPoint at_rim(const LitheGeom *a, const Thin *b, Vec3 x, Vec3 d) {
    Vec3 e = v3_sub(b->p[1], b->p[0]), y = x, on_a = {0, 0, 0}, first = d;
    double ee = v3_dot(e, e), out = x.z < 0 ? -1 : 1;
    for (int i = 0; i < 60; i++) {
        Vec3 before = d;
        on_a = v3(a->hole * d.x, a->hole * d.y, x.z);
        double s = v3_dot(v3_sub(on_a, b->p[0]), e) / ee;
        y = v3_axpy(fmin(fmax(s, 0), 1), e, b->p[0]);
        d = radial(y, d, a->radius);
        if (v3_distance(d, before) < 1e-15)
            break;
    }
    if (!(out * (y.z - x.z) > NO_DIRECTION * a->radius)) // it is nearer to the wall inside
        return spot(v3(a->hole * first.x, a->hole * first.y, x.z), v3_neg(first),
                    a->hole - v3_dot(first, x) - b->radius, 0);
    Vec3 way = v3_sub(y, on_a), to = v3(-d.x, -d.y, out);
    double sign = v3_dot(way, to) < 0 ? -1 : 1, distance = v3_norm(way);
    Vec3 normal = distance > NO_DIRECTION * a->radius ? v3_scale(sign / distance, way) : v3_neg(d);
    return spot(on_a, normal, sign * distance - b->radius, 0);
}

// contacts of a thing in the hole, in the frame of the tube; -1: it is not in the hole
static int in_hole(const LitheGeom *a, const Thin *b, double margin, bool whole,
                   LitheContactPoint *out) {
    double part[2], middle = 0.5 * (a->hole + a->radius);
    if (!part_inside(a, b, part))
        return -1;
    Vec3 x[2], d[2];
    for (int k = 0; k < 2; k++) {
        x[k] = v3_mix(b->p[0], b->p[1], part[k]);
        if (hypot(x[k].x, x[k].y) > middle)
            return -1;
    }
    Vec3 axis = v3_sub(b->p[1], b->p[0]);
    d[0] = radial(x[0], radial(x[1], v3(1, 0, 0), a->radius), a->radius);
    d[1] = radial(x[1], d[0], a->radius);
    LitheLine line = {.count = 1, .round_a = -a->hole, .round_b = b->radius};
    LitheContactPoint *ends = line.end[0];
    for (int k = 0; k < 2; k++) {
        bool own = k ? part[1] >= 1 : part[0] <= 0;
        ends[k] = own ? at_end(a, b, x[k], d[k]) : at_rim(a, b, x[k], d[k]);
        ends[k].feature = 0x70be0u + (uint32_t)k;
    }
    int count = 0;
    LitheContactPoint points[6] = {ends[0], ends[1]};
    int given = whole && lithe_line_spread(&line, points) ? 4 : 2;
    // a thing that fills the hole touches the other side, too
    for (uint32_t k = 0; k < 2; k++)
        if (v3_dot(axis, axis) > 0)
            points[given++] = spot(v3(-a->hole * d[k].x, -a->hole * d[k].y, x[k].z), d[k],
                                   a->hole + v3_dot(d[k], x[k]) - b->radius, 0x70be8u + k);
    for (int i = 0; i < given; i++)
        if (points[i].gap <= margin)
            out[count++] = points[i];
    return count;
}

// --- entry ---------------------------------------------------------------------------------------

int lithe_round_contacts(const LitheGeom *a, const LithePose *pa, const LitheGeom *b,
                         const LithePose *pb, double margin, bool whole,
                         LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    int count = -1;
    Thin thin;
    if (b->kind == LITHE_GEOM_SPHERE) {
        count = lithe_round_ball(a, place_point_back(pa, pb->at), b->radius, margin, out);
    } else if (a->exact == LITHE_GEOM_TORUS) {
        if (b->kind == LITHE_GEOM_CAPSULE || b->kind == LITHE_GEOM_SEGMENT ||
            b->exact == LITHE_GEOM_TORUS)
            return lithe_ring_contacts(a, pa, b, pb, margin, out);
    } else if (thin_of(b, pa, pb, &thin)) {
        count = in_hole(a, &thin, margin, whole, out);
    }
    into_world(pa, out, count);
    return count;
}

LitheGeom lithe_round_hull(const LitheGeom *a) {
    bool torus = a->exact == LITHE_GEOM_TORUS;
    double r = a->radius + (torus ? a->section : 0), h = torus ? a->section : a->half.z;
    return (LitheGeom){.kind = LITHE_GEOM_CYLINDER,
                       .radius = r,
                       .rounding = torus ? a->section : 0,
                       .half = {r, r, h},
                       .low = {-r, -r, -h},
                       .high = {r, r, h},
                       .reach = hypot(r, h)};
}

bool lithe_round_has(const LitheGeom *a, Vec3 x) {
    return hypot(x.x, x.y) >= (a->exact == LITHE_GEOM_TORUS ? a->radius : a->hole) * (1 - 1e-9);
}

double lithe_round_wall(const LitheGeom *a) {
    return a->exact == LITHE_GEOM_TORUS ? 0.5 * a->section : 0.5 * (a->radius - a->hole);
}

LitheFaceArea lithe_round_end(const LitheGeom *a) {
    double R = a->radius, r = a->hole;
    return (LitheFaceArea){.sums = {M_PI * (R * R - r * r), 2. / 3 * M_PI * (R * R * R - r * r * r),
                                    0.5 * M_PI * (R * R * R * R - r * r * r * r)}};
}
