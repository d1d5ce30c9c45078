// SPDX-License-Identifier: Apache-2.0
// geom/field_shapes.c - points, tetrahedra and triangles of the pressure field of each kind of
// shape
//
// Relative depth: of a ball and an ellipsoid 1 - r/R along rays from the centre; of a box, a
// cylinder, a tube, a plate with a hole and a solid of revolution (geom/field_revolution.c) the
// distance to the surface over its largest value; of a capsule 1 - r/R from its segment; of a mesh
// along rays from a point that sees its whole surface.

#include "geom/field.h"

#include <stdlib.h>
#include <string.h>

// Frequency of the geodesic ball per sector: an icosahedron has about five edges around. Depths of
// 0.02 R need twice the sectors of a circle.
#define BALL_FREQUENCY(sectors) (((sectors) + 2) / 3)

// a vertex of a prism or a hexahedron may coincide with another one: flat tetrahedra are dropped
bool lithe_field_add_prism(LithePressureField *f, const int32_t low[3], const int32_t high[3]) {
    return lithe_field_add_tet(f, low[0], low[1], low[2], high[2]) &&
           lithe_field_add_tet(f, low[0], low[1], high[1], high[2]) &&
           lithe_field_add_tet(f, low[0], high[0], high[1], high[2]);
}

// two quads, corners in the same order
static bool add_hexahedron(LithePressureField *f, const int32_t outer[4], const int32_t inner[4]) {
    int32_t a[2][3] = {{outer[0], outer[1], outer[2]}, {inner[0], inner[1], inner[2]}};
    int32_t b[2][3] = {{outer[0], outer[2], outer[3]}, {inner[0], inner[2], inner[3]}};
    return lithe_field_add_prism(f, a[0], a[1]) && lithe_field_add_prism(f, b[0], b[1]);
}

bool lithe_field_add_quad(LithePressureField *f, const int32_t q[4]) {
    return lithe_field_add_triangle(f, q[0], q[1], q[2]) &&
           lithe_field_add_triangle(f, q[0], q[2], q[3]);
}

static void scale_points(LithePressureField *f, Vec3 scale) {
    for (int32_t i = 0; i < f->point_count; i++) {
        Vec3 x = f->points[i];
        f->points[i] = v3(scale.x * x.x, scale.y * x.y, scale.z * x.z);
    }
}

// --- rays from a point ---------------------------------------------------------------------------

// the distance from the point to the plane of a triangle must exceed this fraction of the size
#define SEEN 1e-6

static bool add_fan(LithePressureField *f, Vec3 from, double size, bool *unseen) {
    int32_t centre = lithe_field_point(f, from, 1);
    for (int32_t i = 0; i < f->triangle_count; i++) {
        const int32_t *t = f->triangles + 3 * (int64_t)i;
        Vec3 a = f->points[t[0]], b = f->points[t[1]], c = f->points[t[2]];
        Vec3 normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
        if (!(v3_dot(normal, v3_sub(a, from)) > SEEN * size)) {
            *unseen = true;
            return false;
        }
        if (!lithe_field_add_tet(f, t[0], t[1], t[2], centre))
            return false;
    }
    return centre >= 0;
}

// centroid of the volume inside of the triangles
static Vec3 centroid_of(const LithePressureField *f, double *volume) {
    Vec3 sum = v3(0, 0, 0), at = f->points[0];
    *volume = 0;
    for (int32_t i = 0; i < f->triangle_count; i++) {
        const int32_t *t = f->triangles + 3 * (int64_t)i;
        Vec3 a = v3_sub(f->points[t[0]], at), b = v3_sub(f->points[t[1]], at);
        Vec3 c = v3_sub(f->points[t[2]], at);
        double v = v3_dot(a, v3_cross(b, c)) / 6;
        *volume += v;
        sum = v3_axpy(0.25 * v, v3_add(a, v3_add(b, c)), sum);
    }
    return *volume > 0 ? v3_axpy(1 / *volume, sum, at) : at;
}

// --- ball and ellipsoid --------------------------------------------------------------------------

// corners of the icosahedron
static Vec3 icosahedron_point(int32_t i) {
    double golden = 0.5 * (1 + sqrt(5));
    double a = i & 1 ? -1 : 1, b = i & 2 ? -golden : golden;
    return i < 4 ? v3(0, a, b) : i < 8 ? v3(a, b, 0) : v3(b, 0, a);
}

// a face of the icosahedron, divided; points on its edges are made once per face
static bool add_ball_face(LithePressureField *f, const Vec3 corner[3], int32_t n) {
    int32_t first = f->point_count;
    for (int32_t i = 0; i <= n; i++)
        for (int32_t j = 0; j <= i; j++) {
            Vec3 x = v3_scale(n - i, corner[0]);
            x = v3_axpy(i - j, corner[1], v3_axpy(j, corner[2], x));
            if (lithe_field_point(f, v3_unit(x), 0) < 0)
                return false;
        }
    bool ok = true;
    for (int32_t i = 0; i < n && ok; i++)
        for (int32_t j = 0; j <= i && ok; j++) {
            int32_t a = first + i * (i + 1) / 2 + j, b = a + i + 1;
            ok = lithe_field_add_triangle(f, a, b, b + 1);
            if (ok && j < i)
                ok = lithe_field_add_triangle(f, a, b + 1, a + 1);
        }
    return ok;
}

static bool fill_ball(LithePressureField *f, Vec3 half, int32_t sectors, bool *unseen) {
    Vec3 p[12];
    for (int32_t i = 0; i < 12; i++)
        p[i] = icosahedron_point(i);
    for (int i = 0; i < 12; i++)
        for (int j = i + 1; j < 12; j++)
            for (int k = j + 1; k < 12; k++) {
                if (v3_distance(p[i], p[j]) > 2.1 || v3_distance(p[j], p[k]) > 2.1 ||
                    v3_distance(p[i], p[k]) > 2.1)
                    continue;
                bool out = v3_dot(v3_cross(v3_sub(p[j], p[i]), v3_sub(p[k], p[i])), p[i]) > 0;
                Vec3 corner[3] = {p[i], out ? p[j] : p[k], out ? p[k] : p[j]};
                if (!add_ball_face(f, corner, BALL_FREQUENCY(sectors)))
                    return false;
            }
    double volume;
    centroid_of(f, &volume);
    double scale = cbrt(4.0 / 3 * M_PI / volume); // (PF3)
    scale_points(f, v3_scale(scale, half));
    return add_fan(f, v3(0, 0, 0), fmin(half.x, fmin(half.y, half.z)), unseen);
}

// --- box -----------------------------------------------------------------------------------------

static bool fill_box(LithePressureField *f, Vec3 half) {
    double least = fmin(half.x, fmin(half.y, half.z));
    // corner k: bits are the signs; inner corners are those of the medial box
    for (int k = 0; k < 16; k++) {
        double inset = k < 8 ? 0 : least;
        Vec3 x = {k & 1 ? half.x - inset : inset - half.x, k & 2 ? half.y - inset : inset - half.y,
                  k & 4 ? half.z - inset : inset - half.z};
        if (lithe_field_point(f, x, k < 8 ? 0 : 1) < 0)
            return false;
    }
    static const int32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int i = 0; i < 6; i++) {
        int32_t inner[4];
        for (int k = 0; k < 4; k++)
            inner[k] = faces[i][k] + 8;
        if (!lithe_field_add_quad(f, faces[i]) || !add_hexahedron(f, faces[i], inner))
            return false;
    }
    return true;
}

// --- rings about z -------------------------------------------------------------------------------

// points of a ring; their first index, or -1. Radius 0: one point.
int32_t lithe_field_ring(LithePressureField *f, double radius, double z, int32_t n, double depth) {
    int32_t first = f->point_count;
    for (int32_t k = 0; k < n; k++) {
        double angle = 2 * M_PI * k / n;
        if (lithe_field_point(f, v3(radius * cos(angle), radius * sin(angle), z), depth) < 0)
            return -1;
    }
    return first;
}

// the half plane of a cylinder: its side, and both ends
static bool add_cylinder_sections(LithePressureField *f, double radius, double half) {
    double least = fmin(radius, half), r = radius - least, z = half - least;
    const LitheMeridian side[2][3] = {{{radius, -half, 0}, {radius, half, 0}, {r, z, 1}},
                                      {{radius, -half, 0}, {r, z, 1}, {r, -z, 1}}};
    bool ok = lithe_field_add_section(f, side[0]) && lithe_field_add_section(f, side[1]);
    for (int s = -1; s <= 1 && ok; s += 2) {
        const LitheMeridian end[2][3] = {{{0, s * half, 0}, {radius, s * half, 0}, {r, s * z, 1}},
                                         {{0, s * half, 0}, {r, s * z, 1}, {0, s * z, 1}}};
        ok = lithe_field_add_section(f, end[0]) && lithe_field_add_section(f, end[1]);
    }
    return ok && lithe_field_add_outline(f, 0, -half) &&
           lithe_field_add_outline(f, radius, -half) && lithe_field_add_outline(f, radius, half) &&
           lithe_field_add_outline(f, 0, half);
}

static bool fill_cylinder(LithePressureField *f, double radius, double half, int32_t n) {
    double least = fmin(radius, half), outer = radius * lithe_polygon_radius(n);
    double inner = outer * (1 - least / radius);
    int32_t ring[2], deep[2], end[2], axis[2]; // below, above
    for (int k = 0; k < 2; k++) {
        double z = k == 0 ? -half : half, inside = k == 0 ? least - half : half - least;
        ring[k] = lithe_field_ring(f, outer, z, n, 0);
        deep[k] = lithe_field_ring(f, inner, inside, n, 1);
        end[k] = lithe_field_point(f, v3(0, 0, z), 0);
        axis[k] = lithe_field_point(f, v3(0, 0, inside), 1);
        if (ring[k] < 0 || deep[k] < 0 || end[k] < 0 || axis[k] < 0)
            return false;
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t next = (k + 1) % n;
        int32_t out[4] = {ring[0] + k, ring[0] + next, ring[1] + next, ring[1] + k};
        int32_t in[4] = {deep[0] + k, deep[0] + next, deep[1] + next, deep[1] + k};
        if (!lithe_field_add_quad(f, out) || !add_hexahedron(f, out, in))
            return false;
        for (int s = 0; s < 2; s++) {
            int32_t low[3] = {end[s], ring[s] + (s ? k : next), ring[s] + (s ? next : k)};
            int32_t high[3] = {axis[s], deep[s] + (s ? k : next), deep[s] + (s ? next : k)};
            if (!lithe_field_add_triangle(f, low[0], low[1], low[2]) ||
                !lithe_field_add_prism(f, low, high))
                return false;
        }
    }
    return add_cylinder_sections(f, radius, half);
}

// sectors between two rings, with prisms to the axis where `axis` >= 0
static bool add_band(LithePressureField *f, int32_t low, int32_t high, int32_t axis_low,
                     int32_t axis_high, int32_t n) {
    for (int32_t k = 0; k < n; k++) {
        int32_t next = (k + 1) % n;
        int32_t quad[4] = {low + k, low + next, high + next, high + k};
        int32_t a[3] = {axis_low, low + k, low + next}, b[3] = {axis_high, high + k, high + next};
        if (!lithe_field_add_quad(f, quad) || !lithe_field_add_prism(f, a, b))
            return false;
    }
    return true;
}

// a fan between a ring and a point on the axis; `up`: the point lies above
static bool add_tip(LithePressureField *f, int32_t ring, int32_t tip, int32_t centre, bool up,
                    int32_t n) {
    for (int32_t k = 0; k < n; k++) {
        int32_t next = (k + 1) % n, a = ring + (up ? k : next), b = ring + (up ? next : k);
        if (!lithe_field_add_triangle(f, a, b, tip) || !lithe_field_add_tet(f, a, b, tip, centre))
            return false;
    }
    return true;
}

// Volume of half a ball of rings from the equator (radius `equator`) to the pole: wedges of n
// sectors between heights. The meridian of the others is a circle of radius r; their polygons have
// the area of circles, as that of the equator has. One factor for both would raise the pole, where
// sectors are narrow, by too much.
static double cap_volume(double equator, double r, int32_t n, int32_t rings) {
    double sum = 0, low = equator, z = 0;
    for (int32_t i = 1; i <= rings; i++) {
        double angle = 0.5 * M_PI * i / rings, high = i == rings ? 0 : equator * r * cos(angle);
        double top = r * sin(angle);
        sum += (top - z) * (low * low + low * high + high * high) / 3;
        low = high;
        z = top;
    }
    return sum * 0.5 * n * sin(2 * M_PI / n);
}

// (PF3) radius of the meridian of a cap so that its volume is that of half a ball of radius 1
static double cap_radius(double equator, int32_t n, int32_t rings) {
    double low = 0.9, high = 1.5;
    for (int i = 0; i < 60; i++) {
        double r = 0.5 * (low + high);
        if (cap_volume(equator, r, n, rings) < 2.0 / 3 * M_PI)
            low = r;
        else
            high = r;
    }
    return 0.5 * (low + high);
}

static bool fill_capsule(LithePressureField *f, double radius, double half, int32_t sectors) {
    int32_t n = sectors + sectors / 2, rings = (n + 3) / 4;
    double equator = lithe_polygon_radius(n), cap = cap_radius(equator, n, rings);
    int32_t axis[2], ring[2];
    bool ok = true;
    for (int s = 0; s < 2; s++) {
        double sign = s == 0 ? -1 : 1, z = sign * half;
        axis[s] = lithe_field_point(f, v3(0, 0, z), 1);
        ring[s] = lithe_field_ring(f, radius * equator, z, n, 0);
        int32_t last = ring[s];
        for (int32_t i = 1; i < rings && ok && last >= 0; i++) {
            double angle = 0.5 * M_PI * i / rings, r = radius * cap;
            int32_t next =
                lithe_field_ring(f, equator * r * cos(angle), z + sign * r * sin(angle), n, 0);
            ok = next >= 0 && (s == 0 ? add_band(f, next, last, axis[s], axis[s], n)
                                      : add_band(f, last, next, axis[s], axis[s], n));
            last = next;
        }
        int32_t pole = lithe_field_point(f, v3(0, 0, z + sign * radius * cap), 0);
        ok = ok && axis[s] >= 0 && last >= 0 && pole >= 0 &&
             add_tip(f, last, pole, axis[s], s == 1, n);
    }
    return ok && add_band(f, ring[0], ring[1], axis[0], axis[1], n);
}

// --- meshes --------------------------------------------------------------------------------------

static bool fill_hull(LithePressureField *f, const LitheHull *hull) {
    bool ok = true;
    for (int32_t i = 0; i < hull->point_count && ok; i++)
        ok = lithe_field_point(f, hull->points[i], 0) >= 0;
    for (int32_t i = 0; i < hull->face_count; i++)
        for (int32_t k = hull->face_start[i] + 1; k + 1 < hull->face_start[i + 1] && ok; k++)
            ok = lithe_field_add_triangle(f, hull->face_points[hull->face_start[i]],
                                          hull->face_points[k], hull->face_points[k + 1]);
    return ok;
}

static bool fill_mesh(LithePressureField *f, const LitheMesh *mesh) {
    bool ok = true;
    for (int32_t i = 0; i < mesh->point_count && ok; i++)
        ok = lithe_field_point(f, mesh->points[i], 0) >= 0;
    for (int32_t i = 0; i < mesh->triangle_count && ok; i++) {
        const int32_t *t = mesh->triangles + 3 * (int64_t)i;
        ok = lithe_field_add_triangle(f, t[0], t[1], t[2]);
    }
    return ok;
}

// --- rings of sections ---------------------------------------------------------------------------

// what the field of a ring of sections is made of
typedef struct Rings {
    const LitheMesh *mesh;
    int32_t corners, turns; // of a section, sections
    int32_t deep;           // first of the points inside: as many in each section, or one
} Rings;

static int32_t rings_at(const Rings *r, bool inside, int32_t turn, int32_t k) {
    int32_t count = inside && r->corners != 4 ? 1 : r->corners;
    return (inside ? r->deep : 0) + turn % r->turns * count + k % count;
}

// four corners between two sections; `deep`: those inside
static void rings_side(const Rings *r, bool deep, int32_t turn, int32_t k, int32_t out[4]) {
    out[0] = rings_at(r, deep, turn, k);
    out[1] = rings_at(r, deep, turn + 1, k);
    out[2] = rings_at(r, deep, turn + 1, k + 1);
    out[3] = rings_at(r, deep, turn, k + 1);
}

// distance of the line through two points from the axis
static double line_from_axis(Vec3 a, Vec3 b) {
    double x = b.x - a.x, y = b.y - a.y;
    return fabs(a.x * b.y - a.y * b.x) / hypot(x, y);
}

// Points at the depth `inset` in sections of four corners: inner and outer ones below, then above.
static bool add_deep_corners(LithePressureField *f, const Rings *r, double half, double inset) {
    const Vec3 *x = r->mesh->points;
    bool ok = true;
    for (int32_t i = 0; i < r->turns && ok; i++)
        for (int32_t k = 0; k < 4 && ok; k++) {
            Vec3 at = x[4 * i + k];
            double scale = 1 + inset / hypot(at.x, at.y), z = half - inset;
            if (k == 1 || k == 2) {
                Vec3 before = x[4 * ((i + r->turns - 1) % r->turns) + k];
                Vec3 after = x[4 * ((i + 1) % r->turns) + k];
                scale = 1 - inset / fmin(line_from_axis(before, at), line_from_axis(at, after));
            }
            ok = lithe_field_point(f, v3(scale * at.x, scale * at.y, k < 2 ? -z : z), 1) >= 0;
        }
    return ok;
}

// half of the height, or of the least distance of the hole from the side, whichever is less
static double rings_inset(const Rings *r, double half) {
    double least = half;
    for (int32_t i = 0; i < r->turns; i++) {
        Vec3 in = r->mesh->points[4 * i], a = r->mesh->points[4 * i + 1];
        Vec3 b = r->mesh->points[4 * ((i + 1) % r->turns) + 1];
        least = fmin(least, 0.5 * (line_from_axis(a, b) - hypot(in.x, in.y)));
    }
    return least;
}

// The distance to the surface of a tube or a plate with a hole, over the largest; of a torus
// 1 - r/R from the centre of its section.
static bool add_rings(LithePressureField *f, const LitheGeom *geom) {
    const LitheMesh *mesh = geom->mesh;
    Rings r = {mesh, geom->section_corners, mesh->point_count / geom->section_corners,
               f->point_count};
    bool four = r.corners == 4, ok = true;
    if (four) {
        double half = geom->high.z;
        ok = add_deep_corners(f, &r, half, rings_inset(&r, half));
    }
    for (int32_t i = 0; i < r.turns && ok && !four; i++) {
        Vec3 sum = v3(0, 0, 0);
        for (int32_t k = 0; k < r.corners; k++)
            sum = v3_add(sum, mesh->points[i * r.corners + k]);
        ok = lithe_field_point(f, v3_scale(1.0 / r.corners, sum), 1) >= 0;
    }
    for (int32_t i = 0; i < r.turns && ok; i++) {
        int32_t outer[4], inner[4], last[4];
        for (int32_t k = 0; k < r.corners && ok; k++) {
            rings_side(&r, false, i, k, outer);
            rings_side(&r, true, i, k, inner);
            ok = add_hexahedron(f, outer, inner);
        }
        if (four && ok) { // all that is deeper
            rings_side(&r, true, i, 0, outer);
            rings_side(&r, true, i, 2, inner);
            const int32_t above[4] = {inner[3], inner[2], inner[1], inner[0]};
            memcpy(last, above, sizeof last);
            ok = add_hexahedron(f, outer, last);
        }
    }
    return ok;
}

// the half plane of a tube: sides, ends and, where they are farther apart than the sides, what is
// deeper
static bool add_tube_sections(LithePressureField *f, const LitheGeom *geom) {
    double out = geom->radius, in = geom->hole, half = geom->high.z;
    double inset = fmin(half, 0.5 * (out - in)), z = half - inset;
    const LitheMeridian corner[4] = {
        {in, -half, 0}, {out, -half, 0}, {out, half, 0}, {in, half, 0}};
    const LitheMeridian deep[4] = {
        {in + inset, -z, 1}, {out - inset, -z, 1}, {out - inset, z, 1}, {in + inset, z, 1}};
    bool ok = lithe_field_add_outline(f, out, -half) && lithe_field_add_outline(f, out, half);
    for (int k = 0; k < 4 && ok; k++) {
        int next = (k + 1) % 4;
        ok = lithe_field_add_section(
                 f, (const LitheMeridian[3]){corner[k], corner[next], deep[next]}) &&
             lithe_field_add_section(f, (const LitheMeridian[3]){corner[k], deep[next], deep[k]});
    }
    return ok;
}

static bool add_inside(LithePressureField *f, const LitheGeom *geom, bool *unseen) {
    if (f->modulus == 0)
        return true;
    if (geom->section_corners > 0)
        return add_rings(f, geom);
    double volume;
    Vec3 centre = centroid_of(f, &volume);
    return add_fan(f, centre, geom->reach, unseen);
}

// --- all kinds -----------------------------------------------------------------------------------

bool lithe_field_allowed(const LitheGeom *geom, bool rigid) {
    bool endless = geom->kind == LITHE_GEOM_HALF_SPACE || geom->kind == LITHE_GEOM_HEIGHTFIELD;
    return endless ? rigid : (!geom->mesh || geom->mesh->closed) && !(geom->rounding > 0);
}

static bool is_round(const LitheGeom *geom) {
    return geom->exact == LITHE_GEOM_TUBE || geom->kind == LITHE_GEOM_SPHERE ||
           geom->kind == LITHE_GEOM_CAPSULE || geom->kind == LITHE_GEOM_CYLINDER ||
           geom->kind == LITHE_GEOM_REVOLUTION;
}

bool lithe_field_fill(LithePressureField *f, const LitheGeom *geom, int32_t sectors, bool *unseen) {
    double r = geom->radius;
    f->sectors = is_round(geom) ? sectors : 0;
    f->bulges = geom->kind != LITHE_GEOM_REVOLUTION && geom->exact != LITHE_GEOM_TUBE;
    switch (geom->kind) {
    case LITHE_GEOM_HALF_SPACE:
        return true;
    case LITHE_GEOM_SPHERE:
        return fill_ball(f, v3(r, r, r), sectors, unseen);
    case LITHE_GEOM_ELLIPSOID:
        return fill_ball(f, geom->half, sectors, unseen);
    case LITHE_GEOM_BOX:
        return fill_box(f, geom->half);
    case LITHE_GEOM_CYLINDER:
        return fill_cylinder(f, r, geom->half.z, sectors);
    case LITHE_GEOM_CAPSULE:
        return fill_capsule(f, r, 0.5 * v3_distance(geom->end[0], geom->end[1]), sectors);
    case LITHE_GEOM_REVOLUTION:
        return lithe_field_fill_revolution(f, geom, sectors);
    default:
        return (geom->hull ? fill_hull(f, geom->hull) : fill_mesh(f, geom->mesh)) &&
               add_inside(f, geom, unseen) &&
               (geom->exact != LITHE_GEOM_TUBE || add_tube_sections(f, geom));
    }
}
