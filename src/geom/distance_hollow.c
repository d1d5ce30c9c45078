// SPDX-License-Identifier: Apache-2.0
// geom/distance_hollow.c - contacts of hollow solids of revolution in closed form
//
// A ball touches at the local minima of the distance from its centre to lines and arcs of the
// section (docs/theory/distance.md, section 5): the foot on a line or an arc, or a corner that is
// nearest on both of its pieces. A half-space touches the solid without its hollow.

#include "geom/hollow.h"

#include <math.h>

// two contacts whose normals have a larger cosine are one
#define SAME_NORMAL 0.999
// below this part of the size a length is rounding
#define NOTHING 1e-12

enum { MAX_FOOTS = 8, FEATURE = 0x40110u };

// where a piece is nearest to a point of the half plane
typedef struct Foot {
    double y[2];     // [m]
    double out[2];   // unit normal away from the solid, there
    double distance; // [m]
    int end;         // -1: at p, 1: at q, 0: between
    int32_t piece;
} Foot;

static Foot foot_of(const LitheHollow *h, int32_t i, const double x[2]) {
    const LitheHollowPiece *a = &h->pieces[i];
    Foot f = {.piece = i};
    if (a->radius > 0) {
        double d[2] = {x[0] - a->c[0], x[1] - a->c[1]}, size = hypot(d[0], d[1]);
        double angle = size > 0 ? remainder(atan2(d[1], d[0]) - a->from, 2 * M_PI) : 0.5 * a->turn;
        double side = a->turn > 0 ? 1 : -1, part = side * angle, whole = fabs(a->turn);
        // beyond the ends: the nearer one
        f.end = part >= 0 && part <= whole ? 0 : cos(part) > cos(part - whole) ? -1 : 1;
        double at = f.end == 0 ? a->from + angle : f.end < 0 ? a->from : a->from + a->turn;
        f.out[0] = side * cos(at);
        f.out[1] = side * sin(at);
        for (int k = 0; k < 2; k++)
            f.y[k] = f.end < 0   ? a->p[k]
                     : f.end > 0 ? a->q[k]
                                 : a->c[k] + a->radius * side * f.out[k];
    } else {
        double e[2] = {a->q[0] - a->p[0], a->q[1] - a->p[1]}, length = hypot(e[0], e[1]);
        double s = ((x[0] - a->p[0]) * e[0] + (x[1] - a->p[1]) * e[1]) / length;
        f.end = s <= 0 ? -1 : s >= length ? 1 : 0;
        for (int k = 0; k < 2; k++)
            f.y[k] = f.end < 0 ? a->p[k] : f.end > 0 ? a->q[k] : a->p[k] + s / length * e[k];
        f.out[0] = e[1] / length;
        f.out[1] = -e[0] / length;
    }
    f.distance = hypot(x[0] - f.y[0], x[1] - f.y[1]);
    return f;
}

// the next piece, if it begins where this one ends; else -1
static int32_t next_of(const LitheHollow *h, int32_t i, int step) {
    int32_t j = (i + step + h->count) % h->count;
    const double *a = step > 0 ? h->pieces[i].q : h->pieces[i].p;
    const double *b = step > 0 ? h->pieces[j].p : h->pieces[j].q;
    return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) <= 1e-9 * (fabs(a[0]) + fabs(a[1])) && i != j ? j
                                                                                               : -1;
}

static double facing(const Foot *f, const double x[2]) {
    return f->out[0] * (x[0] - f->y[0]) + f->out[1] * (x[1] - f->y[1]);
}

// nearest of all pieces; `inside`: x is within the section
static Foot nearest_of(const LitheHollow *h, const double x[2], bool *inside) {
    Foot best = {.distance = INFINITY};
    for (int32_t i = 0; i < h->count; i++) {
        Foot f = foot_of(h, i, x);
        // of two pieces at a corner the one that faces x more tells the side
        bool tie = fabs(f.distance - best.distance) <= 1e-9 * f.distance;
        if (tie ? fabs(facing(&f, x)) > fabs(facing(&best, x)) : f.distance < best.distance)
            best = f;
    }
    *inside = facing(&best, x) < 0;
    return best;
}

// local minima of the distance that are seen from x, outside of the section; returns their number
static int minima_of(const LitheHollow *h, const double x[2], double within, Foot *out) {
    int count = 0;
    for (int32_t i = 0; i < h->count && count < MAX_FOOTS; i++) {
        Foot f = foot_of(h, i, x);
        if (f.distance > within)
            continue;
        bool seen = facing(&f, x) > 0;
        int32_t j = f.end == 0 ? -1 : next_of(h, i, f.end);
        if (j >= 0) {
            Foot other = foot_of(h, j, x);
            // a corner counts once, with the piece that ends there
            if (other.end != -f.end || f.end < 0)
                continue;
            seen |= facing(&other, x) > 0;
        }
        for (int k = 0; k < count && seen; k++)
            seen = (x[0] - f.y[0]) * (x[0] - out[k].y[0]) + (x[1] - f.y[1]) * (x[1] - out[k].y[1]) <
                   SAME_NORMAL * f.distance * out[k].distance;
        if (seen)
            out[count++] = f;
    }
    return count;
}

int lithe_hollow_ball(const LitheGeom *a, Vec3 x, double radius, double margin,
                      LitheContactPoint out[LITHE_CONTACTS_MAX]) {
    const LitheHollow *h = a->hollow;
    double rho = hypot(x.x, x.y), none = NOTHING * a->reach;
    Vec3 d = rho > none ? v3(x.x / rho, x.y / rho, 0) : v3(1, 0, 0), e = v3(-d.y, d.x, 0);
    int count = 0;
    for (uint32_t k = 0; k < 4; k++) {
        // the half planes towards the ball, away from it, and those between: where it fills the
        // hollow it touches all around
        Vec3 u = k == 0 ? d : k == 1 ? v3_neg(d) : k == 2 ? e : v3_neg(e);
        double at[2] = {k < 2 ? rho * v3_dot(d, u) : 0, x.z}, beside = k < 2 ? 0 : rho;
        bool inside;
        Foot foots[MAX_FOOTS], near = nearest_of(h, at, &inside);
        int found = 0, before = count;
        if (inside || near.distance <= none) {
            found = k == 0;
            foots[0] = near;
        } else {
            found = minima_of(h, at, radius + margin, foots);
        }
        if (k == 0 && found == 0 && near.distance - radius <= margin) {
            found = 1;
            foots[0] = near;
        }
        for (int i = 0; i < found && count < LITHE_CONTACTS_MAX; i++) {
            const Foot *f = &foots[i];
            double way[2] = {at[0] - f->y[0], at[1] - f->y[1]};
            double distance = hypot(f->distance, beside);
            // on the axis the half planes meet
            if (distance - radius > margin || (k > 0 && f->y[0] <= 1e3 * none))
                continue;
            bool deep = inside || distance <= none;
            Vec3 n = deep ? v3_axpy(f->out[0], u, v3(0, 0, f->out[1]))
                          : v3_scale(1 / distance, v3_axpy(way[0], u, v3(0, 0, way[1])));
            if (!deep && beside > 0)
                n = v3_axpy(beside / distance, d, n);
            Vec3 on_a = v3_axpy(f->y[0], u, v3(0, 0, f->y[1]));
            double gap = (deep ? -distance : distance) - radius;
            out[count++] = (LitheContactPoint){.on_a = on_a,
                                               .on_b = v3_axpy(gap, n, on_a),
                                               .normal = n,
                                               .gap = gap,
                                               .weight = 1,
                                               .feature = FEATURE + 4 * (uint32_t)f->piece + k};
        }
        if (count == before && k < 2)
            break;
    }
    return count;
}

LitheGeom lithe_hollow_hull(const LitheGeom *a) {
    const LitheHollow *h = a->hollow;
    return (LitheGeom){.kind = LITHE_GEOM_REVOLUTION,
                       .low = a->low,
                       .high = a->high,
                       .reach = a->reach,
                       .profile_z = h->hull_z,
                       .profile_r = h->hull_r,
                       .profile_count = h->hull_count};
}

Vec3 lithe_hollow_support(const LitheGeom *a, Vec3 d) {
    const LitheHollow *h = a->hollow;
    double across = hypot(d.x, d.y), size = hypot(across, d.z), far = -INFINITY, best[2] = {0, 0};
    for (int32_t i = 0; i < h->count; i++) {
        const LitheHollowPiece *p = &h->pieces[i];
        double on[2] = {p->c[0] + p->radius * across / size, p->c[1] + p->radius * d.z / size};
        double part = remainder(atan2(d.z, across) - p->from, 2 * M_PI);
        bool arc = p->radius > 0 && p->turn > 0 && part >= 0 && part <= p->turn;
        const double *points[3] = {p->p, p->q, on};
        for (int k = 0; k < 2 + arc; k++) {
            double along = across * points[k][0] + d.z * points[k][1];
            if (along > far) {
                far = along;
                best[0] = points[k][0];
                best[1] = points[k][1];
            }
        }
    }
    Vec3 u = across > 0 ? v3(d.x / across, d.y / across, 0) : v3(1, 0, 0);
    return v3(best[0] * u.x, best[0] * u.y, best[1]);
}

LitheFaceArea lithe_hollow_end(const LitheGeom *a, bool high) {
    const LitheHollow *h = a->hollow;
    double z = h->hull_z[high ? h->hull_count - 1 : 0], level = 1e-9 * a->reach;
    LitheFaceArea area = {.centre = v3(0, 0, z)};
    for (int32_t i = 0; i < h->count; i++) {
        const LitheHollowPiece *p = &h->pieces[i];
        if (p->radius > 0 || fabs(p->p[1] - z) > level || fabs(p->q[1] - z) > level)
            continue;
        double in = fmin(p->p[0], p->q[0]), out = fmax(p->p[0], p->q[0]);
        area.sums[0] += M_PI * (out * out - in * in);
        area.sums[1] += 2. / 3 * M_PI * (out * out * out - in * in * in);
        area.sums[2] += 0.5 * M_PI * (out * out * out * out - in * in * in * in);
    }
    return area;
}
