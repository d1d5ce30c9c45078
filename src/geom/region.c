// SPDX-License-Identifier: Apache-2.0
// geom/region.c - whether a point lies in a box, sphere, slab or cylinder

#include "geom/region.h"

#include <stdio.h>

// tolerance of points outside, relative to the size of the region
#define TOLERANCE 1e-9

static bool in_cylinder(const LitheRegionDef *r, Vec3 p) {
    Vec3 axis = v3_sub(r->b, r->a), from = v3_sub(p, r->a);
    double length = v3_norm(axis), room = TOLERANCE * (length + r->size);
    double along = v3_dot(from, axis) / length;
    double across = v3_norm(v3_axpy(-along / length, axis, from));
    return along >= -room && along <= length + room && across <= r->size + room;
}

bool lithe_region_has(const LitheRegionDef *r, Vec3 p) {
    double room;
    switch (r->kind) {
    case LITHE_REGION_LIST:
        return false;
    case LITHE_REGION_BOX:
        room = TOLERANCE * v3_norm(v3_sub(r->b, r->a));
        return p.x >= r->a.x - room && p.x <= r->b.x + room && p.y >= r->a.y - room &&
               p.y <= r->b.y + room && p.z >= r->a.z - room && p.z <= r->b.z + room;
    case LITHE_REGION_SPHERE:
        return v3_norm(v3_sub(p, r->a)) <= r->size * (1 + TOLERANCE);
    case LITHE_REGION_PLANE:
        return fabs(v3_dot(v3_sub(p, r->a), v3_unit(r->b))) <= 0.5 * r->size * (1 + TOLERANCE);
    case LITHE_REGION_CYLINDER:
        return in_cylinder(r, p);
    }
    return false;
}

void lithe_region_text(const LitheRegionDef *region, char *text, size_t size) {
    Vec3 a = region->a, b = region->b;
    switch (region->kind) {
    case LITHE_REGION_LIST:
        snprintf(text, size, "no region");
        break;
    case LITHE_REGION_BOX:
        snprintf(text, size, "the box from (%.4g, %.4g, %.4g) m to (%.4g, %.4g, %.4g) m", a.x, a.y,
                 a.z, b.x, b.y, b.z);
        break;
    case LITHE_REGION_SPHERE:
        snprintf(text, size, "the sphere of radius %.4g m about (%.4g, %.4g, %.4g) m", region->size,
                 a.x, a.y, a.z);
        break;
    case LITHE_REGION_PLANE:
        snprintf(text, size,
                 "the layer of %.4g m at (%.4g, %.4g, %.4g) m across (%.4g, %.4g, %.4g)",
                 region->size, a.x, a.y, a.z, b.x, b.y, b.z);
        break;
    case LITHE_REGION_CYLINDER:
        snprintf(text, size,
                 "the cylinder of radius %.4g m from (%.4g, %.4g, %.4g) m to (%.4g, %.4g, %.4g) m",
                 region->size, a.x, a.y, a.z, b.x, b.y, b.z);
        break;
    }
}

bool lithe_region_wrong(const LitheRegionDef *r, char *text, size_t size) {
    static const char *const words[] = {"", "", "radius", "thickness", "radius"};
    const double a[] = {r->a.x, r->a.y, r->a.z}, b[] = {r->b.x, r->b.y, r->b.z};
    bool box = r->kind == LITHE_REGION_BOX, cylinder = r->kind == LITHE_REGION_CYLINDER;
    if (!v3_finite(r->a) || !v3_finite(r->b) || !isfinite(v3_norm(v3_sub(r->b, r->a)))) {
        snprintf(text, size, "has values that are not finite, or too far apart");
        return true;
    }
    for (int i = 0; box && i < 3; i++)
        if (!(a[i] <= b[i])) {
            snprintf(text, size, "from is %.9g m along %c, must be <= to, %.9g m", a[i], "xyz"[i],
                     b[i]);
            return true;
        }
    if (r->kind != LITHE_REGION_LIST && !box && !(r->size > 0 && isfinite(r->size))) {
        snprintf(text, size, "%s is %.9g m, must be > 0 and finite", words[r->kind], r->size);
        return true;
    }
    if (cylinder && !(v3_norm(v3_sub(r->b, r->a)) > 0)) {
        snprintf(text, size, "from and to are the same point");
        return true;
    }
    if (r->kind == LITHE_REGION_PLANE && !(v3_norm(r->b) > 0)) {
        snprintf(text, size, "normal is zero, must have a direction");
        return true;
    }
    return false;
}
