// SPDX-License-Identifier: Apache-2.0
// geom/clip.c - polygons of a contact patch
//
//     (PF1) l_k(x) = [k = 0] + g_k . (x - x_0), g_k = inward area vector of face k/(3 V)
//     (PF2) p(x) = p_0 + grad p . (x - x_0), grad p = sum of p_k g_k
// docs/theory/patches.md; the polygons are in geom/clip_kernel.h.

#include "geom/clip.h"

#include "geom/clip_parts.h"

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

// --- for the processor in use --------------------------------------------------------------------

#if defined(__x86_64__)
#define CHOOSE(name, ...) \
    (__builtin_cpu_supports("avx2") ? lithe_clip_avx2_##name(__VA_ARGS__) \
                                    : lithe_clip_portable_##name(__VA_ARGS__))
#else
#define CHOOSE(name, ...) lithe_clip_portable_##name(__VA_ARGS__)
#endif

bool lithe_clip_tets(const LitheFieldTet *a, const LitheFieldTet *b, LithePolygon *out) {
    return CHOOSE(tets, a, b, out);
}

bool lithe_clip_triangle(const LitheFieldTet *tet, const Vec3 *t, Vec3 normal, LithePolygon *out) {
    return CHOOSE(triangle, tet, t, normal, out);
}

bool lithe_clip_plane(const LitheFieldTet *tet, Vec3 normal, double offset, LithePolygon *out) {
    return CHOOSE(plane, tet, normal, offset, out);
}

void lithe_polygon_points(const LithePolygon *polygon, Vec3 points[3]) {
    CHOOSE(points, polygon, points);
}
