// SPDX-License-Identifier: Apache-2.0
// geom/clip_kernel.h - polygons of a contact patch, written once for all processors
//
//     (PF4) plane of two tetrahedra: p_A - p_B = 0, n = (grad p_B - grad p_A)/|.|, from A to B
//     (PF5) clipped by l_k >= 0
//     (PF6) g_A = -grad p_A . n, g_B = grad p_B . n, 1/g = 1/g_A + 1/g_B; rigid: g = g_A;
//           g < 0 counts as 0
//     (PF8) points c + sqrt(2) L (cos t, sin t), t = 0, 2 pi/3, 4 pi/3, with L L' the second
//           moments of the polygon over its area
// docs/theory/patches.md. The including file defines FOUR_AVX2 (geom/four.h) and CLIP_NAME(name),
// the names of the functions.

#ifndef LITHE_GEOM_CLIP_KERNEL_H
#define LITHE_GEOM_CLIP_KERNEL_H

#include "geom/clip.h"
#include "geom/clip_parts.h"
#include "geom/four.h"

// --- places --------------------------------------------------------------------------------------

// Places of four points, in lanes, relative to the first corner of a tetrahedron.
FOUR_FN void set_places(const LitheFieldTet *tet, const Four x[3], Four d[3]) {
    for (int j = 0; j < 3; j++)
        d[j] = x[j] - tet->lanes[j][0];
}

FOUR_FN Four along(Vec3 g, const Four d[3]) {
    return g.x * d[0] + g.y * d[1] + g.z * d[2];
}

// (PF1) of four points; false: all lie outside of one face
FOUR_FN bool set_coordinates(const LitheFieldTet *tet, const Four d[3], Four l[4]) {
    for (int k = 1; k < 4; k++)
        l[k] = along(tet->face[k], d);
    l[0] = 1 - (l[1] + l[2] + l[3]);
    return four_signs(l[0]) && four_signs(l[1]) && four_signs(l[2]) && four_signs(l[3]);
}

// (PF4) p_A - p_B at the corners of A, at the places d in B
FOUR_FN Four excess(const LitheFieldTet *a, const LitheFieldTet *b, const Four d[3]) {
    Vec3 g = b->slope;
    return FOUR(a->corner) - (b->pressure + g.x * d[0] + g.y * d[1] + g.z * d[2]);
}

// --- corners and rings of them -------------------------------------------------------------------

// a corner of a polygon with its barycentric coordinates in the tetrahedron that clips it
typedef struct Corner {
    Four x; // the last is 0
    Four l;
} Corner;

enum {
    MOST = LITHE_POLYGON_MAX,
    POOL = 4 + 4 * MOST, // of the cut, and new ones of each face
};

// A polygon as the numbers of its corners, in order: a byte for each. In the same place is a byte
// with bit k for l_k >= 0.
typedef struct Ring {
    uint64_t at, inside;
    int count, made; // corners; all that exist
} Ring;

static const uint64_t ones = 0x0101010101010101u;

FOUR_FN int byte(uint64_t bytes, int i) {
    return (int)(bytes >> 8 * i & 0xff);
}

FOUR_FN void between(const Corner *from, const Corner *to, double t, Corner *out) {
    out->x = from->x + t * (to->x - from->x);
    out->l = from->l + t * (to->l - from->l);
}

// Edges that the plane crosses, for the bits of the corners with s >= 0: from such a corner to one
// with s < 0, in an order around the polygon. The number of edges, and twice two bits for each.
#define EDGE(i, up, down) ((up) << 4 * (i) | (down) << (4 * (i) + 2))
#define THREE(u0, d0, u1, d1, u2, d2) \
    { 3, EDGE(0, u0, d0) | EDGE(1, u1, d1) | EDGE(2, u2, d2) | EDGE(3, u2, d2) }
#define CROSSED(u0, u1, d0, d1) \
    { 4, EDGE(0, u0, d0) | EDGE(1, u0, d1) | EDGE(2, u1, d1) | EDGE(3, u1, d0) }
static const struct {
    uint16_t count, edges;
} cuts[16] = {
    {0, 0},
    THREE(0, 1, 0, 2, 0, 3),
    THREE(1, 0, 1, 2, 1, 3),
    CROSSED(0, 1, 2, 3),
    THREE(2, 0, 2, 1, 2, 3),
    CROSSED(0, 2, 1, 3),
    CROSSED(1, 2, 0, 3),
    THREE(0, 3, 1, 3, 2, 3),
    THREE(3, 0, 3, 1, 3, 2),
    CROSSED(0, 3, 1, 2),
    CROSSED(1, 3, 0, 2),
    THREE(0, 2, 1, 2, 3, 2),
    CROSSED(2, 3, 0, 1),
    THREE(0, 1, 2, 1, 3, 1),
    THREE(1, 0, 2, 0, 3, 0),
    {0, 0},
};

// The polygon where the linear function with the values s at the corners is 0. Points are computed
// from the corner with s >= 0, so that two tetrahedra with a common edge find the same one. A
// triangle has its last corner twice in the pool.
FOUR_FN void cut(const Corner corners[4], Four s, Corner *pool, Ring *ring) {
    int edges = cuts[four_signs(s)].edges;
    double v[4];
    *(LooseFour *)v = s;
    ring->count = cuts[four_signs(s)].count;
    ring->made = 4;
    ring->at = 0x03020100;
    ring->inside = 0;
    for (int i = 0; i < 4; i++) {
        int u = edges >> 4 * i & 3, d = edges >> (4 * i + 2) & 3;
        between(&corners[u], &corners[d], v[u] / (v[u] - v[d]), &pool[i]);
        ring->inside |= (uint64_t)four_signs(pool[i].l) << 8 * i;
    }
    if (ring->count == 3) {
        ring->at &= 0xffffff;
        ring->inside &= 0xffffff;
    }
}

// a new corner on the side from corner i to the next one, on face k; its number
FOUR_FN uint64_t add_corner(Corner *pool, Ring *ring, int i, int k) {
    int here = byte(ring->at, i), next = byte(ring->at, i + 1 == ring->count ? 0 : i + 1);
    double a = ((const double *)&pool[here].l)[k], b = ((const double *)&pool[next].l)[k];
    between(&pool[here], &pool[next], a / (a - b), &pool[ring->made]);
    return (uint64_t)ring->made++;
}

// (PF5) by face k, corner by corner: for rings that rounding has made leave the face twice, or
// without room for one more corner
FOUR_TARGET static void clip_slowly(Corner *pool, Ring *ring, int k) {
    Ring out = {.made = ring->made};
    int kept = 0;
    for (int i = 0; i < ring->count; i++) {
        int next = i + 1 == ring->count ? 0 : i + 1;
        bool in = byte(ring->inside, i) >> k & 1, next_in = byte(ring->inside, next) >> k & 1;
        if (in && kept < MOST) {
            out.at |= (uint64_t)byte(ring->at, i) << 8 * kept;
            out.inside |= (uint64_t)byte(ring->inside, i) << 8 * kept++;
        }
        if (in != next_in && kept < MOST) {
            uint64_t number = add_corner(pool, ring, i, k);
            out.at |= number << 8 * kept;
            out.inside |= (uint64_t)four_signs(pool[number].l) << 8 * kept++;
        }
    }
    out.count = kept;
    out.made = ring->made;
    *ring = out;
}

// `list` with the bytes a and b in place of those after `leave` up to `enter`; where the first of
// the list goes, b and a become the first and the last
FOUR_FN uint64_t replace(uint64_t list, int leave, int enter, uint64_t a, uint64_t b) {
    if (leave < enter) {
        uint64_t low = list & ~(~(uint64_t)0 << 8 * (leave + 1));
        uint64_t high = list >> 8 * enter >> 8;
        return low | a << 8 * (leave + 1) | (b | high << 8) << 8 * (leave + 1) << 8;
    }
    uint64_t middle = list >> 8 * (enter + 1) & ~(~(uint64_t)0 << 8 * (leave - enter));
    return b | middle << 8 | a << 8 * (leave - enter) << 8;
}

// (PF5) the part of a convex polygon with l_k >= 0
FOUR_FN void clip(Corner *pool, Ring *ring, int k) {
    int count = ring->count;
    uint64_t every = ones >> 8 * (MOST - count), in = ring->inside >> k & every;
    if (in == every)
        return;
    if (in == 0) {
        ring->count = 0;
        return;
    }
    uint64_t next = in >> 8 | (in & 1) << 8 * (count - 1), leaving = in & ~next;
    if (count == MOST || (leaving & (leaving - 1)) != 0) {
        clip_slowly(pool, ring, k);
        return;
    }
    int leave = __builtin_ctzll(leaving) / 8, enter = __builtin_ctzll(next & ~in) / 8;
    uint64_t a = add_corner(pool, ring, leave, k), b = add_corner(pool, ring, enter, k);
    ring->at = replace(ring->at, leave, enter, a, b);
    ring->inside = replace(ring->inside, leave, enter, (uint64_t)four_signs(pool[a].l),
                           (uint64_t)four_signs(pool[b].l));
    ring->count = leave < enter ? leave + 2 + count - enter : leave - enter + 2;
}

// (PF5) clips by the faces that cut the polygon; false: nothing is left
FOUR_FN bool clip_by_tet(Corner *pool, Ring *ring) {
    int some = 0, all = 15;
    for (int i = 0; i < ring->count; i++) {
        some |= byte(ring->inside, i);
        all &= byte(ring->inside, i);
    }
    if (some != 15)
        return false;
    for (int crossed = 15 & ~all; crossed != 0; crossed &= crossed - 1) {
        clip(pool, ring, __builtin_ctz((unsigned)crossed));
        if (ring->count < 3)
            return false;
    }
    return ring->count >= 3;
}

// --- the polygon ---------------------------------------------------------------------------------

// corners in lanes: the first one stands for those that do not exist
FOUR_FN void put_corners(const Corner *pool, const Ring *ring, LithePolygon *out) {
    Four first = pool[byte(ring->at, 0)].x;
    out->count = ring->count;
    for (int half = 0; half < MOST; half += 4) {
        Four v[4];
        for (int i = 0; i < 4; i++)
            v[i] = half + i < ring->count ? pool[byte(ring->at, half + i)].x : first;
        transpose_4(v);
        for (int j = 0; j < 3; j++)
            *(LooseFour *)&out->x[j][half] = v[j];
    }
}

// the next one of each of the first or last four of eight values
FOUR_FN Four next_of(const Four v[2], int half) {
    return half == 0 ? __builtin_shufflevector(v[0], v[1], 1, 2, 3, 4)
                     : __builtin_shufflevector(v[1], v[0], 1, 2, 3, 4);
}

// area and centroid; false: too small
FOUR_FN bool measure(LithePolygon *p, double least) {
    Vec3 n = p->normal;
    Four d[3][2], sums[4] = {{0}};
    for (int j = 0; j < 3; j++)
        for (int half = 0; half < 2; half++)
            d[j][half] = FOUR(&p->x[j][4 * half]) - p->x[j][0];
    // triangles of the first corner, one and the next; more than four for more than five corners
    for (int half = 0; half < (p->count > 5 ? 2 : 1); half++) {
        Four x = d[0][half], y = d[1][half], z = d[2][half];
        Four u = next_of(d[0], half), v = next_of(d[1], half), w = next_of(d[2], half);
        Four t = (y * w - z * v) * n.x + (z * u - x * w) * n.y + (x * v - y * u) * n.z;
        sums[0] += t;
        sums[1] += t * (x + u);
        sums[2] += t * (y + v);
        sums[3] += t * (z + w);
    }
    Four total = four_sums(sums);
    double twice = total[0];
    if (!(fabs(twice) > 2 * least))
        return false;
    p->area = 0.5 * fabs(twice);
    p->centre = v3_axpy(1 / (3 * twice), v3(total[1], total[2], total[3]),
                        v3(p->x[0][0], p->x[1][0], p->x[2][0]));
    return true;
}

FOUR_FN void set_corners(const Four x[3], const Four l[4], Corner corners[4]) {
    Four v[4] = {x[0], x[1], x[2], {0}}, w[4] = {l[0], l[1], l[2], l[3]};
    transpose_4(v);
    transpose_4(w);
    for (int i = 0; i < 4; i++)
        corners[i] = (Corner){v[i], w[i]};
}

FOUR_TARGET bool CLIP_NAME(tets)(const LitheFieldTet *a, const LitheFieldTet *b,
                                 LithePolygon *out) {
    Four d[3], l[4];
    const Four xa[3] = {FOUR(a->lanes[0]), FOUR(a->lanes[1]), FOUR(a->lanes[2])};
    const Four xb[3] = {FOUR(b->lanes[0]), FOUR(b->lanes[1]), FOUR(b->lanes[2])};
    // most pairs whose boxes meet end here: the plane misses a or b, or a lies beside a face of b
    set_places(a, xb, d);
    int above = four_signs(excess(b, a, d));
    if (above == 0 || above == 15)
        return false;
    set_places(b, xa, d);
    Four s = excess(a, b, d);
    above = four_signs(s);
    if (above == 0 || above == 15 || !set_coordinates(b, d, l))
        return false;
    Corner corners[4], pool[POOL];
    Ring ring;
    set_corners(xa, l, corners);
    cut(corners, s, pool, &ring);
    if (!clip_by_tet(pool, &ring))
        return false;
    Vec3 across = v3_sub(a->slope, b->slope);
    double length = v3_norm(across);
    if (!(length > 0))
        return false;
    put_corners(pool, &ring, out);
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

FOUR_FN bool finish_rigid(const LitheFieldTet *tet, Vec3 normal, LithePolygon *out) {
    out->normal = normal;
    if (!measure(out, tet->least))
        return false;
    out->stiffness = fmax(v3_dot(tet->slope, normal), 0); // (PF6)
    out->share = 1;
    out->slope = tet->slope;
    out->pressure = fmax(field_tet_pressure(tet, out->centre), 0);
    return true;
}

FOUR_TARGET bool CLIP_NAME(triangle)(const LitheFieldTet *tet, const Vec3 *t, Vec3 normal,
                                     LithePolygon *out) {
    // height over the triangle of the corners
    Four s = normal.x * (FOUR(tet->lanes[0]) - t[0].x) + normal.y * (FOUR(tet->lanes[1]) - t[0].y) +
             normal.z * (FOUR(tet->lanes[2]) - t[0].z);
    int above = four_signs(s);
    if (above == 0 || above == 15) // most pairs whose boxes meet
        return false;
    // the last corner twice
    const Four x[3] = {{t[0].x, t[1].x, t[2].x, t[2].x},
                       {t[0].y, t[1].y, t[2].y, t[2].y},
                       {t[0].z, t[1].z, t[2].z, t[2].z}};
    Four d[3], l[4];
    set_places(tet, x, d);
    if (!set_coordinates(tet, d, l))
        return false;
    Corner pool[POOL];
    Ring ring = {.at = 0x020100, .count = 3, .made = 4};
    set_corners(x, l, pool);
    for (int i = 0; i < 3; i++)
        ring.inside |= (uint64_t)four_signs(pool[i].l) << 8 * i;
    if (!clip_by_tet(pool, &ring))
        return false;
    put_corners(pool, &ring, out);
    return finish_rigid(tet, normal, out);
}

FOUR_TARGET bool CLIP_NAME(plane)(const LitheFieldTet *tet, Vec3 normal, double offset,
                                  LithePolygon *out) {
    const Four x[3] = {FOUR(tet->lanes[0]), FOUR(tet->lanes[1]), FOUR(tet->lanes[2])};
    const Four l[4] = {{0}};
    Four s = along(normal, x) - offset;
    int above = four_signs(s);
    if (above == 0 || above == 15)
        return false;
    Corner corners[4], pool[4];
    Ring ring;
    set_corners(x, l, corners);
    cut(corners, s, pool, &ring);
    put_corners(pool, &ring, out);
    return finish_rigid(tet, normal, out);
}

FOUR_TARGET void CLIP_NAME(points)(const LithePolygon *p, Vec3 points[3]) {
    Vec3 u = v3_any_normal(p->normal), v = v3_cross(p->normal, u);
    Four x[2], y[2], sums[4] = {{0}};
    for (int half = 0; half < 2; half++) {
        const Four d[3] = {FOUR(&p->x[0][4 * half]) - p->centre.x,
                           FOUR(&p->x[1][4 * half]) - p->centre.y,
                           FOUR(&p->x[2][4 * half]) - p->centre.z};
        x[half] = along(u, d);
        y[half] = along(v, d);
    }
    for (int half = 0; half < (p->count > 4 ? 2 : 1); half++) {
        // the triangle of the centroid and two corners: a/12 (sum of squares + square of the sum)
        Four x0 = x[half], y0 = y[half], x1 = next_of(x, half), y1 = next_of(y, half);
        Four a = x0 * y1 - y0 * x1, sx = x0 + x1, sy = y0 + y1;
        sums[0] += a;
        sums[1] += a * (x0 * x0 + x1 * x1 + sx * sx);
        sums[2] += a * (x0 * y0 + x1 * y1 + sx * sy);
        sums[3] += a * (y0 * y0 + y1 * y1 + sy * sy);
    }
    Four total = four_sums(sums);
    double scale = total[0] != 0 ? 2 / (12 * total[0]) : 0; // of the points: sqrt(2) twice
    double uu = fmax(total[1] * scale, 0), uv = total[2] * scale, vv = fmax(total[3] * scale, 0);
    // (PF8) Cholesky factor
    double a = sqrt(uu), b = a > 0 ? uv / a : 0, c = sqrt(fmax(vv - b * b, 0));
    static const double cosines[3] = {1, -0.5, -0.5};
    static const double sines[3] = {0, 0.86602540378443865, -0.86602540378443865};
    for (int k = 0; k < 3; k++)
        points[k] =
            v3_axpy(a * cosines[k], u, v3_axpy(b * cosines[k] + c * sines[k], v, p->centre));
}

#endif
