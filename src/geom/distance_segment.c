// SPDX-License-Identifier: Apache-2.0
// geom/distance_segment.c - distance of a segment beside a cylinder, in closed form
//
// No point is nearer to a cylinder than to the infinite one of its radius. The segment p + s e has
// its smallest distance from the axis at
//   s = -(p.e)/(e.e) in the plane across the axis, limited to 0 .. 1                    (23)
// and where the height at s is one of the cylinder, both distances are equal: it is the minimum.

#include "geom/distance.h"

// distances below this fraction of the size are left to the search, which also knows depths
#define NEAR 1e-9

// (23) False: the nearest point may be on an end of the cylinder.
static bool nearest_place(const LitheCore *cylinder, Vec3 p, Vec3 e, double *out) {
    double ee = e.x * e.x + e.y * e.y, pe = p.x * e.x + p.y * e.y;
    if (ee > 0) {
        double s = -pe / ee;
        *out = s > 0 ? fmin(s, 1) : 0;
    } else if (e.z != 0) {
        // along the axis all places are equally near: the middle of those beside the cylinder
        double s = (cylinder->z[0] - p.z) / e.z, t = (cylinder->z[1] - p.z) / e.z;
        *out = 0.5 * (fmax(fmin(s, t), 0) + fmin(fmax(s, t), 1));
    } else {
        *out = 0;
    }
    double z = p.z + *out * e.z;
    return z >= cylinder->z[0] && z <= cylinder->z[1];
}

static bool is_segment(const LitheCore *core) {
    return core->kind == LITHE_CORE_POINTS && !core->hull && core->count == 2;
}

static bool is_cylinder(const LitheCore *core) {
    return core->kind == LITHE_CORE_FRUSTUM && core->r[0] == core->r[1];
}

bool lithe_segment_cylinder_distance(const LitheCorePair *pair, LitheCoreDistance *out) {
    bool swapped = is_cylinder(pair->a); // the cylinder is a
    const LitheCore *cylinder = swapped ? pair->a : pair->b;
    const LitheCore *segment = swapped ? pair->b : pair->a;
    if (!is_cylinder(cylinder) || !is_segment(segment))
        return false;
    // ends in the frame of the cylinder
    Vec3 end[2];
    for (int k = 0; k < 2; k++)
        end[k] = swapped ? v3_add(pair->at, m3_apply(pair->r, segment->own[k]))
                         : m3_apply_transposed(&pair->r, v3_sub(segment->own[k], pair->at));
    Vec3 e = v3_sub(end[1], end[0]);
    double s;
    if (!nearest_place(cylinder, end[0], e, &s))
        return false;
    Vec3 x = v3_axpy(s, e, end[0]);
    double r = cylinder->r[0], rho = sqrt(x.x * x.x + x.y * x.y);
    if (!(rho - r > NEAR * (rho + r + fabs(x.z))))
        return false;
    Vec3 n = v3(x.x / rho, x.y / rho, 0), foot = v3(r * n.x, r * n.y, x.z);
    out->distance = rho - r;
    if (swapped) {
        out->normal = n;
        out->on_a = foot;
        out->on_b = x;
    } else {
        out->normal = v3_neg(m3_apply(pair->r, n));
        out->on_a = v3_mix(segment->own[0], segment->own[1], s);
        out->on_b = v3_axpy(out->distance, out->normal, out->on_a);
    }
    return true;
}
