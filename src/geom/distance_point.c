// SPDX-License-Identifier: Apache-2.0
// geom/distance_point.c - nearest point of a core's surface to a point, in closed form

#include "geom/distance.h"

static void nearest_box(Vec3 half, Vec3 x, LitheNearest *out) {
    Vec3 y = v3_max(v3_neg(half), v3_min(half, x));
    Vec3 gap = v3_sub(x, y);
    double distance = v3_norm(gap);
    if (distance > 0) {
        *out = (LitheNearest){distance, y, v3_scale(1 / distance, gap)};
        return;
    }
    // inside: the nearest face; ties go to x before y before z, and to the positive side
    double h[3], c[3], n[3] = {0}; // half sizes, x, outward normal
    v3_store(half, h);
    v3_store(x, c);
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (h[k] - fabs(c[k]) < h[best] - fabs(c[best]))
            best = k;
    n[best] = c[best] < 0 ? -1 : 1;
    out->distance = fabs(c[best]) - h[best];
    c[best] = n[best] * h[best];
    out->point = v3_load(c);
    out->normal = v3_load(n);
}

// The nearest point y of x satisfies x - y = t N y, N = diag(1/h^2):
//   y_k = h_k^2 x_k/(t + h_k^2),   F(t) = sum (h_k x_k/(t + h_k^2))^2 - 1 = 0          (4)
// F is decreasing and convex for t > -min h^2; Newton's method from the left end of (5) cannot
// overshoot:
//   t_0 = max over k of h_k |x_k| - h_k^2                                              (5)
// Inside on a symmetry plane the root may lie at -min h^2 itself; there (4) does not determine the
// component of y along the shortest axis.
// The same equations hold for an ellipse, with two axes. Returns t, which has the sign of the
// distance.
static double nearest_quadric(int axes, const double *h, const double *c, double *y) {
    int min = 0;
    double t = -INFINITY;
    for (int k = 0; k < axes; k++) {
        min = h[k] < h[min] ? k : min;
        t = fmax(t, h[k] * fabs(c[k]) - h[k] * h[k]);
    }
    double pole = -h[min] * h[min];
    if (!(t > pole)) {
        t = pole;
    } else {
        for (int step = 0; step < 100; step++) {
            double f = -1, slope = 0;
            for (int k = 0; k < axes; k++) {
                double u = h[k] * c[k] / (t + h[k] * h[k]);
                f += u * u;
                slope -= 2 * u * u / (t + h[k] * h[k]);
            }
            double next = t - f / slope;
            if (!(f > 0) || !(next > t))
                break;
            t = next;
        }
    }
    double rest = 1;
    for (int k = 0; k < axes; k++) {
        double below = t + h[k] * h[k];
        y[k] = below > 0 ? h[k] * h[k] * c[k] / below : 0;
        if (k != min)
            rest -= y[k] * y[k] / (h[k] * h[k]);
    }
    // component along the shortest axis from the surface equation, where (4) loses digits
    if (t - pole < 1e-6 * h[min] * h[min])
        y[min] = copysign(h[min] * sqrt(fmax(0, rest)), c[min]);
    return t;
}

static void nearest_ellipsoid(Vec3 half, Vec3 x, LitheNearest *out) {
    double h[3], c[3], y[3]; // half axes, x, nearest point
    v3_store(half, h);
    v3_store(x, c);
    double t = nearest_quadric(3, h, c, y);
    out->point = v3_load(y);
    Vec3 n = {y[0] / (h[0] * h[0]), y[1] / (h[1] * h[1]), y[2] / (h[2] * h[2])};
    out->normal = v3_unit(n);
    out->distance = copysign(v3_distance(x, out->point), t);
}

// nearest point of an elliptic cylinder about z: of its side, of an end, or of a rim between them
static void nearest_oval(Vec3 half, Vec3 x, LitheNearest *out) {
    double h[2] = {half.x, half.y}, c[2] = {x.x, x.y}, y[2];
    double t = nearest_quadric(2, h, c, y), end = copysign(half.z, x.z);
    double side = copysign(hypot(x.x - y[0], x.y - y[1]), t), beyond = fabs(x.z) - half.z;
    if (side > 0 && beyond > 0) {
        out->point = v3(y[0], y[1], end);
        Vec3 gap = v3_sub(x, out->point);
        out->distance = v3_norm(gap);
        out->normal = v3_scale(1 / out->distance, gap);
    } else if (side >= beyond) {
        *out = (LitheNearest){side, v3(y[0], y[1], x.z),
                              v3_unit(v3(y[0] / (half.x * half.x), y[1] / (half.y * half.y), 0))};
    } else {
        *out = (LitheNearest){beyond, v3(x.x, x.y, end), v3(0, 0, copysign(1, x.z))};
    }
}

// In the plane through the axis and x the solid is a polygon between the axis and the profile.
void lithe_revolution_nearest(const double *z, const double *r, int32_t count, Vec3 x,
                              LitheNearest *out) {
    double rho = sqrt(x.x * x.x + x.y * x.y), best = INFINITY;
    double near_r = 0, near_z = 0, side_r = 0, side_z = 0;
    // a disc has no inside
    bool inside = z[count - 1] > z[0] && x.z >= z[0] && x.z <= z[count - 1];
    for (int32_t i = -1; i < count; i++) {
        // edges: the lower disc, the profile, the upper disc, each with its outward side
        double r0 = i < 0 ? 0 : r[i], z0 = i < 0 ? z[0] : z[i];
        double r1 = i + 1 < count ? r[i + 1] : 0, z1 = i + 1 < count ? z[i + 1] : z[count - 1];
        double dr = r1 - r0, dz = z1 - z0, dd = dr * dr + dz * dz;
        if (dd == 0)
            continue;
        double s = ((rho - r0) * dr + (x.z - z0) * dz) / dd;
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        double yr = r0 + s * dr, yz = z0 + s * dz, d = hypot(rho - yr, x.z - yz);
        if (d < best) {
            best = d;
            near_r = yr;
            near_z = yz;
            side_r = dz / sqrt(dd);
            side_z = -dr / sqrt(dd);
        }
        if (i >= 0 && i + 1 < count && x.z >= z0 && x.z <= z1)
            inside &= rho <= r0 + (x.z - z0) / dz * dr;
    }
    double scale = fabs(x.z) + rho + near_r + fabs(near_z), n_r = side_r, n_z = side_z;
    if (best > 1e-14 * scale) {
        n_r = (inside ? near_r - rho : rho - near_r) / best;
        n_z = (inside ? near_z - x.z : x.z - near_z) / best;
    }
    // on the axis all radial directions are equally near: the x axis is chosen
    double ux = rho > 0 ? x.x / rho : 1, uy = rho > 0 ? x.y / rho : 0;
    out->distance = inside ? -best : best;
    out->point = v3(near_r * ux, near_r * uy, near_z);
    out->normal = v3(n_r * ux, n_r * uy, n_z);
}

static void nearest_hull(const LitheCore *core, Vec3 x, LitheNearest *out) {
    const LitheHull *hull = core->hull;
    int32_t best = 0;
    double max = -INFINITY;
    for (int32_t i = 0; i < hull->face_count; i++) {
        double h = v3_dot(hull->face_normal[i], x) - hull->face_offset[i];
        if (h > max) {
            max = h;
            best = i;
        }
    }
    LitheCore point = {.kind = LITHE_CORE_POINTS, .own = {x}, .count = 1};
    LitheCorePair pair = {core, &point, m3_identity(), {0, 0, 0}};
    LitheCoreDistance far;
    LitheSimplex simplex;
    if (max > 0 && lithe_gjk_apart(&pair, &far, &simplex)) {
        *out = (LitheNearest){far.distance, far.on_a, far.normal};
        return;
    }
    *out = (LitheNearest){max, v3_axpy(-max, hull->face_normal[best], x), hull->face_normal[best]};
}

// a triangle or a segment has no inside: for x on it, perpendicular to it
static void nearest_flat(const LitheCore *core, Vec3 x, LitheNearest *out) {
    Vec3 p = core->own[0], q = core->own[core->count > 1 ? 1 : 0];
    Vec3 r = core->own[core->count > 2 ? 2 : 0];
    Vec3 y = lithe_triangle_nearest(p, q, r, x, NULL);
    Vec3 gap = v3_sub(x, y);
    double distance = v3_norm(gap), size = v3_norm(p) + v3_norm(q) + v3_norm(r) + v3_norm(x);
    Vec3 n;
    if (distance > 1e-14 * size) {
        n = v3_scale(1 / distance, gap);
    } else {
        n = v3_unit(v3_cross(v3_sub(q, p), v3_sub(r, p)));
        if (v3_norm(n) == 0)
            n = v3_any_normal(v3_norm(v3_sub(q, p)) > 0 ? v3_unit(v3_sub(q, p)) : v3(1, 0, 0));
    }
    *out = (LitheNearest){distance, y, n};
}

void lithe_core_nearest(const LitheCore *core, Vec3 x, LitheNearest *out) {
    switch (core->kind) {
    case LITHE_CORE_BOX:
        nearest_box(core->half, x, out);
        break;
    case LITHE_CORE_ELLIPSOID:
        nearest_ellipsoid(core->half, x, out);
        break;
    case LITHE_CORE_OVAL:
        nearest_oval(core->half, x, out);
        break;
    case LITHE_CORE_FRUSTUM:
        lithe_revolution_nearest(core->z, core->r, 2, x, out);
        break;
    case LITHE_CORE_POINTS:
        if (core->hull)
            nearest_hull(core, x, out);
        else
            nearest_flat(core, x, out);
        break;
    }
}
