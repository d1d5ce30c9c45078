// SPDX-License-Identifier: Apache-2.0
// geom/ray.c - first hit of a ray x(t) = o + t d with each shape, in the shape's frame
//
// A convex shape is the intersection of half-spaces n.x <= c and quadrics. The ray is inside of
// each during an interval of t (of a double cone: outside an interval), and inside of the shape
// during the intersection of these intervals.

#include "geom/ray.h"

#include "base/assert.h"
#include "geom/distance.h"
#include "geom/oval.h"

// the interval of a ray inside a convex set, with the normal where the ray enters
typedef struct Interval {
    double enter, leave;
    Vec3 normal;
} Interval;

static Interval whole(double longest) {
    return (Interval){-INFINITY, longest, {0, 0, 0}};
}

static void cut_plane(Interval *s, Vec3 o, Vec3 d, Vec3 n, double c) {
    double rate = v3_dot(n, d), height = v3_dot(n, o) - c;
    if (rate == 0) {
        if (height > 0)
            s->leave = -INFINITY;
        return;
    }
    double t = -height / rate;
    if (rate < 0 && t > s->enter) {
        s->enter = t;
        s->normal = n;
    }
    if (rate > 0)
        s->leave = fmin(s->leave, t);
}

// roots of a t^2 + 2 b t + c, a > 0, in order; false: none
static bool roots(double a, double b, double c, double *low, double *high) {
    double disc = b * b - a * c;
    if (!(disc >= 0) || !(a > 0))
        return false;
    // the larger sum first: avoids cancellation
    double q = -(b + copysign(sqrt(disc), b));
    double t0 = q / a, t1 = q != 0 ? c / q : 0;
    *low = fmin(t0, t1);
    *high = fmax(t0, t1);
    return true;
}

// inside of the ellipsoid with the half axes `half`: coordinates divided by them give the unit ball
static Interval in_ellipsoid(Vec3 o, Vec3 d, Vec3 half, double longest) {
    Vec3 p = {o.x / half.x, o.y / half.y, o.z / half.z};
    Vec3 q = {d.x / half.x, d.y / half.y, d.z / half.z};
    double low, high;
    if (!roots(v3_dot(q, q), v3_dot(p, q), v3_dot(p, p) - 1, &low, &high))
        return (Interval){INFINITY, -INFINITY, {0, 0, 0}};
    Vec3 x = v3_axpy(low, d, o);
    Vec3 n = {x.x / (half.x * half.x), x.y / (half.y * half.y), x.z / (half.z * half.z)};
    return (Interval){low, fmin(high, longest), v3_unit(n)};
}

// inside the cone frustum about z; the double cone x^2 + y^2 <= (r0 + k (z - z0))^2 between planes
static Interval in_frustum(Vec3 o, Vec3 d, const double z[2], const double r[2], double longest) {
    Interval s = whole(longest);
    cut_plane(&s, o, d, v3(0, 0, 1), z[1]);
    cut_plane(&s, o, d, v3(0, 0, -1), -z[0]);
    double k = (r[1] - r[0]) / (z[1] - z[0]), w = r[0] + k * (o.z - z[0]);
    double a = d.x * d.x + d.y * d.y - k * k * d.z * d.z;
    double b = o.x * d.x + o.y * d.y - k * w * d.z, c = o.x * o.x + o.y * o.y - w * w;
    double low = -INFINITY, high = INFINITY;
    if (a > 0) {
        if (!roots(a, b, c, &low, &high))
            s.leave = -INFINITY;
    } else if (a < 0) {
        // steeper than the cone: the ray is inside before the first and after the second root, on
        // one nappe each; the nappe between the planes counts
        double first, second;
        if (roots(-a, -b, -c, &first, &second)) {
            bool rising = k * d.z > 0; // towards the wide side
            low = rising ? second : -INFINITY;
            high = rising ? INFINITY : first;
        }
    } else if (b != 0) {
        // parallel to the side: one root
        low = b < 0 ? -c / (2 * b) : -INFINITY;
        high = b > 0 ? -c / (2 * b) : INFINITY;
    } else if (c > 0) {
        s.leave = -INFINITY;
    }
    if (low > s.enter) {
        s.enter = low;
        Vec3 x = v3_axpy(low, d, o);
        double rho = sqrt(x.x * x.x + x.y * x.y);
        s.normal = v3_unit(rho > 0 ? v3(x.x / rho, x.y / rho, -k) : v3(0, 0, -k));
    }
    s.leave = fmin(s.leave, high);
    return s;
}

// inside the elliptic cylinder about z: the unit cylinder after a scaling across the axis
static Interval in_oval(Vec3 o, Vec3 d, Vec3 half, double longest) {
    double z[2] = {-half.z, half.z}, r[2] = {1, 1};
    Interval s = in_frustum(v3(o.x / half.x, o.y / half.y, o.z),
                            v3(d.x / half.x, d.y / half.y, d.z), z, r, longest);
    s.normal = v3_unit(v3(s.normal.x / half.x, s.normal.y / half.y, s.normal.z));
    return s;
}

static bool entered(const Interval *s) {
    return s->enter >= 0 && s->enter <= s->leave;
}

static bool take(const Interval *s, double *best, Vec3 *normal) {
    if (!entered(s) || s->enter > *best)
        return false;
    *best = s->enter;
    *normal = s->normal;
    return true;
}

// a capsule is the union of two balls and a tube: the first entry, if the start is in no part
static bool in_capsule(Vec3 o, Vec3 d, const LitheGeom *geom, double longest, double *t, Vec3 *n) {
    Vec3 p = geom->end[0], axis = v3_sub(geom->end[1], p);
    double length = v3_norm(axis), r = geom->radius;
    Vec3 half = {r, r, r};
    Interval part[3];
    int count = 2;
    for (int k = 0; k < 2; k++)
        part[k] = in_ellipsoid(v3_sub(o, geom->end[k]), d, half, longest);
    if (length > 0) {
        Vec3 z = v3_scale(1 / length, axis), x = v3_any_normal(z);
        Mat3 frame = m3_columns(x, v3_cross(z, x), z);
        double ends[2] = {0, length}, radii[2] = {r, r};
        part[2] = in_frustum(m3_apply_transposed(&frame, v3_sub(o, p)),
                             m3_apply_transposed(&frame, d), ends, radii, longest);
        part[2].normal = m3_apply(frame, part[2].normal);
        count = 3;
    }
    bool hit = false;
    *t = longest;
    for (int k = 0; k < count; k++) {
        if (part[k].enter < 0 && part[k].leave >= 0)
            return false;
        hit |= take(&part[k], t, n);
    }
    return hit;
}

static Interval in_hull(Vec3 o, Vec3 d, const LitheHull *hull, double longest) {
    Interval s = whole(longest);
    for (int32_t i = 0; i < hull->face_count; i++)
        cut_plane(&s, o, d, hull->face_normal[i], hull->face_offset[i]);
    return s;
}

static Interval in_box(Vec3 o, Vec3 d, Vec3 half, double longest) {
    Interval s = whole(longest);
    cut_plane(&s, o, d, v3(1, 0, 0), half.x);
    cut_plane(&s, o, d, v3(-1, 0, 0), half.x);
    cut_plane(&s, o, d, v3(0, 1, 0), half.y);
    cut_plane(&s, o, d, v3(0, -1, 0), half.y);
    cut_plane(&s, o, d, v3(0, 0, 1), half.z);
    cut_plane(&s, o, d, v3(0, 0, -1), half.z);
    return s;
}

// A cylinder with rounded rims: from where the ray enters the sharp one, by steps of the distance,
// which never pass the surface. False: it passes by, or starts inside.
static bool in_rounded(Vec3 o, Vec3 d, const LitheGeom *geom, const Interval *sharp, double *t,
                       Vec3 *normal) {
    enum { MOST = 400 };
    LitheCore core = lithe_core_of(geom);
    double at = fmax(0, sharp->enter), speed = v3_norm(d), near = INFINITY;
    for (int k = 0; k < MOST && at <= sharp->leave && near > 1e-12 * geom->reach; k++) {
        LitheNearest nearest;
        lithe_core_nearest(&core, v3_axpy(at, d, o), &nearest);
        near = nearest.distance - core.round;
        if (near < 0 && at == 0)
            return false;
        *normal = nearest.normal;
        at += near / speed;
    }
    *t = at;
    return at <= sharp->leave && near < 1e-6 * geom->reach;
}

// --- solids that are not convex ------------------------------------------------------------------

static bool hit_triangle(Vec3 o, Vec3 d, Vec3 p, Vec3 q, Vec3 r, double *t) {
    // the three volumes that the ray spans with the edges: they have one sign where it passes
    // inside, and are computed identically for both triangles at an edge, so that no ray passes
    // between them
    Vec3 a = v3_sub(p, o), b = v3_sub(q, o), c = v3_sub(r, o);
    double u = v3_dot(d, v3_cross(c, b)), v = v3_dot(d, v3_cross(a, c));
    double w = v3_dot(d, v3_cross(b, a)), sum = u + v + w;
    bool above = u >= 0 && v >= 0 && w >= 0, below = u <= 0 && v <= 0 && w <= 0;
    if ((!above && !below) || sum == 0)
        return false;
    Vec3 x = v3_scale(1 / sum, v3_add(v3_scale(u, a), v3_add(v3_scale(v, b), v3_scale(w, c))));
    *t = v3_dot(x, d);
    return true;
}

static bool box_hit(const LitheBox *box, Vec3 o, Vec3 d, double longest) {
    double enter = 0, leave = longest;
    double lo[3], hi[3], at[3], to[3];
    v3_store(box->low, lo);
    v3_store(box->high, hi);
    v3_store(o, at);
    v3_store(d, to);
    for (int k = 0; k < 3; k++) {
        if (to[k] == 0) {
            if (at[k] < lo[k] || at[k] > hi[k])
                return false;
            continue;
        }
        double t0 = (lo[k] - at[k]) / to[k], t1 = (hi[k] - at[k]) / to[k];
        enter = fmax(enter, fmin(t0, t1));
        leave = fmin(leave, fmax(t0, t1));
    }
    // a small tolerance for the rounding of the division
    return enter <= leave * (1 + 1e-12) + 1e-300;
}

static bool in_mesh(Vec3 o, Vec3 d, const LitheMesh *mesh, double longest, double *best,
                    Vec3 *normal, int32_t *piece) {
    int32_t stack[LITHE_TREE_STACK], depth = 0;
    bool solid = mesh->closed || mesh->below, hit = false;
    *best = longest;
    stack[depth++] = 0;
    while (depth > 0) {
        const LitheBoxNode *node = &mesh->nodes[stack[--depth]];
        if (!box_hit(&node->box, o, d, *best))
            continue;
        for (int32_t i = 0; i < node->count; i++) {
            int32_t k = mesh->order[node->first + i];
            Vec3 n = mesh->normals[k];
            bool facing = v3_dot(n, d) < 0;
            double t;
            if ((solid && !facing) ||
                !hit_triangle(o, d, mesh_corner(mesh, k, 0), mesh_corner(mesh, k, 1),
                              mesh_corner(mesh, k, 2), &t))
                continue;
            if (t >= 0 && (t < *best || (t == *best && (!hit || k < *piece)))) {
                *best = t;
                *normal = facing ? n : v3_neg(n);
                *piece = k;
                hit = true;
            }
        }
        if (node->count == 0) {
            LITHE_ASSERT(depth + 2 <= LITHE_TREE_STACK);
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    return hit;
}

static bool in_revolution(Vec3 o, Vec3 d, const LitheGeom *geom, double longest, double *best,
                          Vec3 *normal) {
    // frusta share discs: a ray that leaves one frustum through a disc enters the next one inside
    bool hit = false;
    *best = longest;
    for (int32_t i = 0; i + 1 < geom->profile_count; i++) {
        if (geom->profile_r[i] == 0 && geom->profile_r[i + 1] == 0)
            continue;
        Interval s = in_frustum(o, d, geom->profile_z + i, geom->profile_r + i, longest);
        if (s.enter < 0 || s.enter > s.leave)
            continue;
        Vec3 x = v3_axpy(s.enter, d, o);
        double rho = sqrt(x.x * x.x + x.y * x.y);
        bool from_above = s.normal.z == 1 && i + 2 < geom->profile_count;
        bool from_below = s.normal.z == -1 && i > 0;
        if ((from_above && rho < geom->profile_r[i + 1]) ||
            (from_below && rho < geom->profile_r[i]))
            continue;
        hit |= take(&s, best, normal);
    }
    return hit;
}

// --- entry ---------------------------------------------------------------------------------------

bool lithe_geom_ray(const LitheGeom *geom, const LithePose *pose, Vec3 origin, Vec3 direction,
                    double longest, LitheRayHit *out) {
    Vec3 o = place_point_back(pose, origin), d = place_direction_back(pose, direction);
    Vec3 normal = {0, 0, 0};
    double t = longest;
    int32_t piece = 0;
    bool hit = false;
    Interval stay = {INFINITY, -INFINITY, {0, 0, 0}};
    switch (geom->kind) {
    case LITHE_GEOM_HALF_SPACE:
        stay = whole(longest);
        cut_plane(&stay, o, d, v3(0, 0, 1), 0);
        break;
    case LITHE_GEOM_SPHERE:
        stay = in_ellipsoid(o, d, v3(geom->radius, geom->radius, geom->radius), longest);
        break;
    case LITHE_GEOM_ELLIPSOID:
        stay = in_ellipsoid(o, d, geom->half, longest);
        break;
    case LITHE_GEOM_BOX:
        stay = in_box(o, d, geom->half, longest);
        break;
    case LITHE_GEOM_CYLINDER: {
        double z[2] = {-geom->half.z, geom->half.z}, r[2] = {geom->radius, geom->radius};
        stay = in_frustum(o, d, z, r, longest);
        if (geom->rounding > 0) {
            hit = in_rounded(o, d, geom, &stay, &t, &normal);
            stay.enter = -INFINITY;
        }
        break;
    }
    case LITHE_GEOM_OVAL:
        stay = in_oval(o, d, geom->half, longest);
        break;
    case LITHE_GEOM_CONVEX_MESH:
        stay = in_hull(o, d, geom->hull, longest);
        break;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_SEGMENT:
        hit = in_capsule(o, d, geom, longest, &t, &normal);
        break;
    case LITHE_GEOM_TRIANGLE_MESH:
    case LITHE_GEOM_HEIGHTFIELD:
        hit = in_mesh(o, d, geom->mesh, longest, &t, &normal, &piece);
        break;
    case LITHE_GEOM_REVOLUTION:
        hit = in_revolution(o, d, geom, longest, &t, &normal);
        break;
    default:
        LITHE_ASSERT(!"shape can be met by a ray");
    }
    hit = hit || take(&stay, &t, &normal);
    if (hit)
        *out =
            (LitheRayHit){t, v3_axpy(t, direction, origin), place_direction(pose, normal), piece};
    return hit;
}
