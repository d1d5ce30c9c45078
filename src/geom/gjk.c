// SPDX-License-Identifier: Apache-2.0
// geom/gjk.c - distance of two convex cores that are apart (Gilbert, Johnson, Keerthi)
//
// The cores are apart by the distance from the origin to a - b. From the nearest point v of a
// simplex in a - b take the corner w of a - b farthest along -v, add it, keep the part of the
// simplex that contains the new nearest point. The true distance lies between
//   v.w/|v| <= distance <= |v|                                        (7)
// so the iteration stops when the two agree to rounding, or no longer come closer.

#include "geom/gjk.h"

#include "base/assert.h"
#include "geom/oval.h"

#include <string.h>

// --- cores ---------------------------------------------------------------------------------------

// without rounded rims the cylinder itself; a disc where the rims are half circles
static LitheCore rounded_cylinder(const LitheGeom *geom) {
    double z = geom->half.z - geom->rounding, r = geom->radius - geom->rounding;
    LitheCore core = lithe_core_frustum(-z, r, z, r);
    core.round = geom->rounding;
    return core;
}

LitheCore lithe_core_of(const LitheGeom *geom) {
    LitheCore core = {.kind = LITHE_CORE_POINTS, .half = geom->half};
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
        core.round = geom->radius;
        core.count = 1;
        break;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_SEGMENT:
        core.round = geom->radius;
        core.own[0] = geom->end[0];
        core.own[1] = geom->end[1];
        core.count = 2;
        break;
    case LITHE_GEOM_BOX:
        core.kind = LITHE_CORE_BOX;
        break;
    case LITHE_GEOM_ELLIPSOID:
        core.kind = LITHE_CORE_ELLIPSOID;
        break;
    case LITHE_GEOM_OVAL:
        core.kind = LITHE_CORE_OVAL;
        break;
    case LITHE_GEOM_CYLINDER:
        return rounded_cylinder(geom);
    case LITHE_GEOM_CONVEX_MESH:
        if (geom->exact)
            core.kind = LITHE_CORE_OVAL;
        else
            core.hull = geom->hull;
        break;
    default:
        LITHE_ASSERT(!"shape is convex");
    }
    return core;
}

LitheCore lithe_core_triangle(Vec3 p, Vec3 q, Vec3 r) {
    return (LitheCore){.kind = LITHE_CORE_POINTS, .own = {p, q, r}, .count = 3};
}

LitheCore lithe_core_frustum(double z0, double r0, double z1, double r1) {
    return (LitheCore){.kind = LITHE_CORE_FRUSTUM, .z = {z0, z1}, .r = {r0, r1}};
}

Vec3 lithe_core_support(const LitheCore *core, Vec3 d) {
    Vec3 h = core->half;
    switch (core->kind) {
    case LITHE_CORE_BOX:
        return v3(copysign(h.x, d.x), copysign(h.y, d.y), copysign(h.z, d.z));
    case LITHE_CORE_ELLIPSOID: {
        Vec3 s = {h.x * d.x, h.y * d.y, h.z * d.z};
        double scale = 1 / v3_norm(s);
        return v3(h.x * s.x * scale, h.y * s.y * scale, h.z * s.z * scale);
    }
    case LITHE_CORE_OVAL:
        return support_oval(h, d);
    case LITHE_CORE_FRUSTUM: {
        double across = sqrt(d.x * d.x + d.y * d.y);
        int top = d.z * (core->z[1] - core->z[0]) + across * (core->r[1] - core->r[0]) > 0;
        double r = across > 0 ? core->r[top] / across : 0;
        return v3(r * d.x, r * d.y, core->z[top]);
    }
    case LITHE_CORE_POINTS:
        break;
    }
    if (core->hull)
        return farthest_point(core->hull->points, core->hull->point_count, d);
    return farthest_point(core->own, core->count, d);
}

LitheGjkPoint lithe_gjk_support(const LitheCorePair *pair, Vec3 d) {
    LitheGjkPoint p;
    p.a = lithe_core_support(pair->a, d);
    Vec3 turned = m3_apply_transposed(&pair->r, v3_neg(d));
    p.b = v3_add(pair->at, m3_apply(pair->r, lithe_core_support(pair->b, turned)));
    p.w = v3_sub(p.a, p.b);
    return p;
}

// --- nearest point of a simplex ------------------------------------------------------------------

static Vec3 weighted(const LitheSimplex *s) {
    Vec3 v = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        v = v3_axpy(s->weight[i], s->p[i].w, v);
    return v;
}

static Vec3 nearest_segment(LitheGjkPoint p, LitheGjkPoint q, LitheSimplex *out) {
    Vec3 d = v3_sub(q.w, p.w);
    double s = -v3_dot(p.w, d), dd = v3_dot(d, d);
    if (s <= 0 || dd == 0) {
        *out = (LitheSimplex){{p}, {1}, 1};
    } else if (s >= dd) {
        *out = (LitheSimplex){{q}, {1}, 1};
    } else {
        *out = (LitheSimplex){{p, q}, {1 - s / dd, s / dd}, 2};
    }
    return weighted(out);
}

static Vec3 nearest_triangle(const LitheGjkPoint p[3], LitheSimplex *out) {
    Vec3 n = v3_cross(v3_sub(p[1].w, p[0].w), v3_sub(p[2].w, p[0].w));
    double nn = v3_dot(n, n), weight[3];
    bool inside = nn > 0;
    for (int k = 0; k < 3; k++) {
        Vec3 u = p[(k + 1) % 3].w, v = p[(k + 2) % 3].w;
        // twice the area of the triangle that the origin spans with the opposite edge
        weight[k] = v3_dot(v3_cross(v3_sub(v, u), v3_neg(u)), n);
        inside &= weight[k] >= 0;
    }
    if (inside) {
        double sum = weight[0] + weight[1] + weight[2];
        if (sum > 0) {
            *out = (LitheSimplex){
                {p[0], p[1], p[2]}, {weight[0] / sum, weight[1] / sum, weight[2] / sum}, 3};
            // the foot of the perpendicular: its direction is accurate near contact
            return v3_scale(v3_dot(n, p[0].w) / nn, n);
        }
    }
    Vec3 best = {0, 0, 0};
    double min = INFINITY;
    for (int k = 0; k < 3; k++) {
        LitheSimplex edge;
        Vec3 v = nearest_segment(p[k], p[(k + 1) % 3], &edge);
        if (v3_dot(v, v) < min) {
            min = v3_dot(v, v);
            best = v;
            *out = edge;
        }
    }
    return best;
}

// false: the origin is inside. If a plane is known to separate the origin from a - b, or the
// tetrahedron is flat, all faces are candidates: the inside of slivers is not reliable.
static bool nearest_tetrahedron(const LitheGjkPoint p[4], double size, bool outside,
                                LitheSimplex *out, Vec3 *v) {
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    double min = INFINITY;
    for (int k = 0; k < 4; k++) {
        LitheGjkPoint q[3] = {p[face[k][0]], p[face[k][1]], p[face[k][2]]};
        Vec3 n = v3_cross(v3_sub(q[1].w, q[0].w), v3_sub(q[2].w, q[0].w));
        double corner = v3_dot(n, v3_sub(p[face[k][3]].w, q[0].w)), origin = -v3_dot(n, q[0].w);
        bool flat = fabs(corner) <= 1e-14 * size * v3_norm(n);
        if (!outside && !flat && corner * origin >= 0)
            continue;
        LitheSimplex part;
        Vec3 x = nearest_triangle(q, &part);
        if (v3_dot(x, x) < min) {
            min = v3_dot(x, x);
            *out = part;
            *v = x;
        }
    }
    return min < INFINITY;
}

// nearest point of the simplex, which is reduced to the part that contains it; false: origin inside
static bool reduce(LitheSimplex *s, double size, bool outside, Vec3 *v) {
    LitheSimplex old = *s;
    switch (old.count) {
    case 1:
        s->weight[0] = 1;
        *v = old.p[0].w;
        return true;
    case 2:
        *v = nearest_segment(old.p[0], old.p[1], s);
        return true;
    case 3:
        *v = nearest_triangle(old.p, s);
        return true;
    }
    if (nearest_tetrahedron(old.p, size, outside, s, v))
        return true;
    *s = old;
    return false;
}

// --- iteration -----------------------------------------------------------------------------------

static bool holds(const LitheSimplex *s, Vec3 w) {
    for (int i = 0; i < s->count; i++)
        if (memcmp(&s->p[i].w, &w, sizeof w) == 0)
            return true;
    return false;
}

static void finish(const LitheSimplex *s, Vec3 v, LitheCoreDistance *out) {
    Vec3 on_a = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        on_a = v3_axpy(s->weight[i], s->p[i].a, on_a);
    double distance = v3_norm(v);
    out->distance = distance;
    out->normal = v3_scale(-1 / distance, v);
    out->on_a = on_a;
    out->on_b = v3_sub(on_a, v);
}

// stops early where the lower bound of (7) exceeds `limit`, or is within a relative `slack` of the
// upper one; the distance is then the lower bound
static bool iterate(const LitheCorePair *pair, double limit, double slack, LitheCoreDistance *out,
                    LitheSimplex *simplex) {
    enum { MAX_STEPS = 200 }; // 5 to 40 are typical
    Vec3 d = v3_dot(pair->at, pair->at) > 0 ? pair->at : v3(1, 0, 0);
    LitheSimplex s = {.count = 1, .weight = {1}, .p = {lithe_gjk_support(pair, d)}};
    Vec3 v = s.p[0].w;
    double size = v3_norm(s.p[0].a) + v3_norm(s.p[0].b), min = 0;
    bool early = false;
    for (int step = 0; step < MAX_STEPS; step++) {
        double vv = v3_dot(v, v), length = sqrt(vv);
        // closer than the rounding of the corners: touching
        if (vv <= 1e-28 * size * size) {
            *simplex = s;
            return false;
        }
        LitheGjkPoint w = lithe_gjk_support(pair, v3_neg(v));
        size = fmax(size, v3_norm(w.a) + v3_norm(w.b));
        double bound = v3_dot(v, w.w), gap = vv - bound; // (7) times |v|
        if (gap <= 1e-15 * vv + 1e-16 * size * length || holds(&s, w.w))
            break;
        min = bound / length;
        early = min > limit || gap <= slack * vv;
        if (early)
            break;
        LitheSimplex next = s;
        next.p[next.count++] = w;
        Vec3 closer = v;
        if (!reduce(&next, size, bound > 1e-15 * size * length, &closer)) {
            *simplex = next;
            return false;
        }
        // only rounding is left
        if (v3_dot(closer, closer) >= vv)
            break;
        s = next;
        v = closer;
    }
    finish(&s, v, out);
    if (early)
        out->distance = min;
    *simplex = s;
    return true;
}

bool lithe_gjk_apart(const LitheCorePair *pair, LitheCoreDistance *out, LitheSimplex *simplex) {
    return iterate(pair, INFINITY, 0, out, simplex);
}

bool lithe_gjk_apart_within(const LitheCorePair *pair, double limit, LitheCoreDistance *out,
                            LitheSimplex *simplex) {
    return iterate(pair, limit, 0, out, simplex);
}

void lithe_gjk_distance(const LitheCorePair *pair, LitheCoreDistance *out) {
    LitheSimplex simplex;
    if (!lithe_gjk_apart(pair, out, &simplex)) {
        lithe_gjk_depth(pair, &simplex, out);
        return;
    }
    // near contact rounding may end the search before (7) has converged, and the direction of so
    // short a v is inaccurate: use the polytope
    LitheGjkPoint w = lithe_gjk_support(pair, out->normal);
    double min = -v3_dot(out->normal, w.w), size = v3_norm(w.a) + v3_norm(w.b);
    double open = out->distance - min;
    if (open <= 1e-9 * size || (open <= 1e-7 * size && out->distance > 1e-5 * size))
        return;
    LitheCoreDistance grown;
    lithe_gjk_depth(pair, &simplex, &grown);
    if (grown.distance > min)
        *out = grown;
}

double lithe_gjk_exit(const LitheCorePair *pair, Vec3 n, LitheCoreDistance *out) {
    // from a separated start, advance against n by what a separating plane allows
    LitheCorePair moved = *pair;
    LitheGjkPoint far = lithe_gjk_support(pair, n);
    double size = v3_norm(far.a) + v3_norm(far.b);
    double tolerance = 1e-12 * size;
    double t = v3_dot(far.w, n) + 1e-9 * size;
    LitheCoreDistance touch = {.distance = 0, .on_a = far.a, .normal = n};
    touch.on_b = touch.on_a;
    // a rough distance is sufficient at first; the exact one distinguishes a graze from a miss
    double slack = 0.1;
    for (int step = 0; step < 100; step++) {
        moved.at = v3_axpy(t, n, pair->at);
        LitheSimplex simplex;
        LitheCoreDistance now;
        if (step == 8)
            slack = 0;
        if (!iterate(&moved, INFINITY, slack, &now, &simplex))
            break;
        touch = now;
        if (now.distance <= tolerance)
            break;
        double closing = v3_dot(now.normal, n);
        if (slack > 0 && closing <= 0.1) {
            slack = 0;
            continue;
        }
        if (closing <= 1e-12)
            return -INFINITY;
        // stop just before contact, or rounding would cause an overlap
        t -= (now.distance - 0.5 * tolerance) / closing;
        // beyond the support of a - b along n: no contact ahead
        if (t < -4 * size)
            return -INFINITY;
    }
    // rounding caused an overlap before the points were near: repeat there
    if (out && touch.distance > tolerance)
        lithe_gjk_distance(&moved, &touch);
    if (out)
        *out = touch;
    return t;
}
