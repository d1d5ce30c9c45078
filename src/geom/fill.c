// SPDX-License-Identifier: Apache-2.0
// geom/fill.c - balls on a hexagonal close-packed lattice within a box or a cylinder

#include "geom/region.h"

// maximum number of sites that are tested before the search fails
#define MAX_SITES 100000000
// maximum number of sites along one direction, so that the counters do not overflow
#define MAX_ALONG 1e9

// The region of the centres: that of the balls, reduced by their radius and jitter.
typedef struct Inner {
    LitheRegionDef region;
    bool empty;
    Vec3 low, high; // its bounds
    Vec3 origin;    // one site of the lattice: a corner of the box, an end of the axis
} Inner;

static double min(double a, double b) {
    return a < b ? a : b;
}

static double largest(double a, double b) {
    return a > b ? a : b;
}

static Inner shrink(const LitheRegionDef *r, double by) {
    Inner in = {.region = *r};
    double slack = 1e-9 * by; // a ball that exactly fits is included
    if (r->kind == LITHE_REGION_BOX) {
        in.low = v3_add(r->a, v3(by, by, by));
        in.high = v3_sub(r->b, v3(by, by, by));
        Vec3 room = v3_sub(in.high, in.low);
        in.empty = room.x < -slack || room.y < -slack || room.z < -slack;
        in.high = v3(largest(in.low.x, in.high.x), largest(in.low.y, in.high.y),
                     largest(in.low.z, in.high.z));
        in.region.a = in.origin = in.low;
        in.region.b = in.high;
        return in;
    }
    Vec3 axis = v3_unit(v3_sub(r->b, r->a));
    double length = v3_norm(v3_sub(r->b, r->a));
    in.empty = length - 2 * by < -slack || r->size - by < -slack;
    in.region.a = v3_axpy(by, axis, r->a);
    in.region.b = v3_axpy(-by, axis, r->b);
    in.region.size = largest(r->size - by, 0);
    in.origin = in.region.a;
    Vec3 a = in.region.a, b = in.region.b;
    double s = in.region.size;
    in.low = v3(min(a.x, b.x) - s, min(a.y, b.y) - s, min(a.z, b.z) - s);
    in.high = v3(largest(a.x, b.x) + s, largest(a.y, b.y) + s, largest(a.z, b.z) + s);
    return in;
}

// The ends of the axis of a short cylinder may coincide, so that it has no direction.
static bool has(const Inner *in, Vec3 p, double slack) {
    Vec3 a = in->region.a, axis = v3_sub(in->region.b, a), from = v3_sub(p, a);
    if (in->region.kind == LITHE_REGION_BOX)
        return p.x >= in->low.x - slack && p.x <= in->high.x + slack && p.y >= in->low.y - slack &&
               p.y <= in->high.y + slack && p.z >= in->low.z - slack && p.z <= in->high.z + slack;
    double length = v3_norm(axis);
    if (!(length > slack))
        return v3_norm(from) <= slack;
    double along = v3_dot(from, axis) / length;
    double across = v3_norm(v3_axpy(-along / length, axis, from));
    return along >= -slack && along <= length + slack && across <= in->region.size + slack;
}

// The first and last number of a site along one direction; rows are displaced forward by less than
// a step. A box begins at its first site: sites before it are not tested.
static void range(double low, double high, double origin, double step, int64_t *first,
                  int64_t *last) {
    double slack = low < origin ? 1e-9 : 0;
    *first = (int64_t)largest(floor((low - origin) / step - slack), -MAX_ALONG);
    *last = (int64_t)min(floor((high - origin) / step + 1e-9), MAX_ALONG);
}

// A number from -1 to 1, the same for the same seed and position in the sequence on all machines.
static double noise(uint64_t seed, uint64_t at) {
    uint64_t z = seed * 0x9e3779b97f4a7c15u + (at + 1) * 0xd1342543de82ef95u;
    z = (z ^ (z >> 32)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
    z ^= z >> 32;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

int32_t lithe_fill(const LitheFill *fill, Vec3 *centres) {
    // two neighbours with full jitter towards each other still do not touch
    double amplitude = fill->jitter * 0.5 * largest(fill->spacing - 2 * fill->radius, 0);
    double s = fill->spacing, slack = 1e-9 * s;
    double row = s * sqrt(0.75), layer = s * sqrt(2.0 / 3);
    Inner in = shrink(&fill->region, fill->radius + amplitude);
    if (in.empty)
        return 0;
    int64_t i0, i1, j0, j1, k0, k1, seen = 0;
    range(in.low.x, in.high.x, in.origin.x, s, &i0, &i1);
    range(in.low.y, in.high.y, in.origin.y, row, &j0, &j1);
    range(in.low.z, in.high.z, in.origin.z, layer, &k0, &k1);
    int32_t count = 0;
    for (int64_t k = k0; k <= k1 && count < fill->max; k++)
        for (int64_t j = j0; j <= j1 && count < fill->max; j++)
            for (int64_t i = i0; i <= i1 && count < fill->max; i++) {
                if (++seen > MAX_SITES)
                    return -1;
                // each row and layer lies in the gaps of the one before
                Vec3 p = v3(in.origin.x + s * ((double)i + 0.5 * (double)((j + k) & 1)),
                            in.origin.y + row * ((double)j + (double)(k & 1) / 3),
                            in.origin.z + layer * (double)k);
                if (!has(&in, p, slack))
                    continue;
                if (centres) {
                    // displaced within a cube whose corners are at the distance `amplitude`
                    uint64_t n = 3 * (uint64_t)count;
                    Vec3 off = v3(noise(fill->seed, n), noise(fill->seed, n + 1),
                                  noise(fill->seed, n + 2));
                    centres[count] = v3_axpy(amplitude / sqrt(3), off, p);
                }
                count++;
            }
    return count;
}
