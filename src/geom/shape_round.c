// SPDX-License-Identifier: Apache-2.0
// geom/shape_round.c - tubes, tori, plates with a hole and elliptic cylinders
//
// Contacts of tubes, tori and elliptic cylinders are those of the exact shape where a method knows
// it (geom/distance_round.c; elliptic cylinders: everywhere). For the rest, and in pictures, their
// surfaces are polyhedra: a circle is a polygon with the same area, SIDES corners for a whole
// turn. Corners of such a polygon lie outside of the circle by 0.08 % of its radius, the middles of
// its sides inside by 0.04 %; for the section of a torus, with SECTION_SIDES, 0.3 % and 0.2 %. An
// elliptic cylinder is the convex hull of its corners. Mass, centre and inertia are those of the
// exact shape:
//     tube      V = pi (R^2 - r^2) L     I_zz = m (R^2 + r^2)/2        I_xx = m (3 (R^2 + r^2) +
//     L^2)/12 torus     V = 2 pi^2 R r^2         I_zz = m (R^2 + 3/4 r^2)      I_xx = m (R^2/2 +
//     5/8 r^2) plate     V = a b t - pi r^2 t, moments: those of the box minus those of the disc
//     ellipse   V = pi a b L             I_zz = m (a^2 + b^2)/4        I_xx = m (b^2/4 + L^2/12)
//     (17)

#include "geom/shape_round.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

enum { SIDES = 64, SECTION_SIDES = 32, MAX_ANGLES = SIDES + 4 };

// --- checks --------------------------------------------------------------------------------------

static LitheStatus check_positive(const char *shape, const char *field, double value,
                                  LitheError *error) {
    if (isfinite(value) && value > 0)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is %g m, must be > 0 and finite", shape,
                      field, value);
}

static LitheStatus check_below(const char *shape, const char *field, double value,
                               const char *limit_name, double limit, LitheError *error) {
    if (value < limit)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is %g m, must be < %s, %g m", shape, field,
                      value, limit_name, limit);
}

static LitheStatus check_size(const char *shape, LitheVec3 size, LitheError *error) {
    LitheStatus status = check_positive(shape, "size.x", size.x, error);
    if (status == LITHE_OK)
        status = check_positive(shape, "size.y", size.y, error);
    return status == LITHE_OK ? check_positive(shape, "size.z", size.z, error) : status;
}

LitheStatus lithe_round_check(const LitheGeomDef *def, LitheError *error) {
    LitheStatus status;
    switch ((int)def->kind) {
    case LITHE_GEOM_TUBE:
        status = check_positive("tube", "radius", def->radius, error);
        if (status == LITHE_OK)
            status = check_positive("tube", "length", def->length, error);
        if (status == LITHE_OK)
            status = check_positive("tube", "hole", def->hole, error);
        return status == LITHE_OK
                   ? check_below("tube", "hole", def->hole, "radius", def->radius, error)
                   : status;
    case LITHE_GEOM_TORUS:
        status = check_positive("torus", "radius", def->radius, error);
        if (status == LITHE_OK)
            status = check_positive("torus", "section", def->section_radius, error);
        return status == LITHE_OK ? check_below("torus", "section", def->section_radius, "radius",
                                                def->radius, error)
                                  : status;
    case LITHE_GEOM_PLATE:
        status = check_size("plate", def->size, error);
        if (status == LITHE_OK)
            status = check_positive("plate", "hole", def->hole, error);
        return status == LITHE_OK ? check_below("plate", "hole", def->hole, "half its width",
                                                0.5 * fmin(def->size.x, def->size.y), error)
                                  : status;
    default:
        return check_size("elliptic-cylinder", def->size, error);
    }
}

// --- surfaces ------------------------------------------------------------------------------------

// of a regular polygon that has the area of a circle with radius 1
static double radius_of_corners(int sides) {
    return sqrt(2 * M_PI / (sides * sin(2 * M_PI / sides)));
}

typedef struct Surface {
    Vec3 *points;
    int32_t *triangles;
    int32_t point_count, triangle_count;
} Surface;

static bool reserve(LitheContext *context, int32_t points, int32_t triangles, Surface *out) {
    *out = (Surface){
        .points = lithe_alloc_array(context, points, sizeof *out->points),
        .triangles = lithe_alloc_array(context, 3 * (int64_t)triangles, sizeof *out->triangles)};
    return out->points && out->triangles;
}

// a face of four corners, counter-clockwise from outside
static void add_quad(Surface *s, int32_t a, int32_t b, int32_t c, int32_t d) {
    const int32_t corners[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++)
        s->triangles[3 * s->triangle_count + k] = corners[k];
    s->triangle_count += 2;
}

// A ring: a section of `count` corners in the planes through the axis, counter-clockwise as seen
// against the direction of turning, at each of `turns` places around the axis. Point (i, k) has the
// number i*count + k.
static void join_ring(Surface *s, int32_t turns, int32_t count) {
    for (int32_t i = 0; i < turns; i++)
        for (int32_t k = 0; k < count; k++) {
            int32_t next = (i + 1) % turns, up = (k + 1) % count;
            add_quad(s, i * count + k, next * count + k, next * count + up, i * count + up);
        }
}

static bool make_tube(LitheContext *context, const LitheGeomDef *def, Surface *s) {
    double scale = radius_of_corners(SIDES), h = 0.5 * def->length;
    double r[4] = {def->hole * scale, def->radius * scale, def->radius * scale, def->hole * scale};
    double z[4] = {-h, -h, h, h};
    if (!reserve(context, 4 * SIDES, 8 * SIDES, s))
        return false;
    for (int32_t i = 0; i < SIDES; i++)
        for (int k = 0; k < 4; k++) {
            double angle = 2 * M_PI * i / SIDES;
            s->points[s->point_count++] = v3(r[k] * cos(angle), r[k] * sin(angle), z[k]);
        }
    join_ring(s, SIDES, 4);
    return true;
}

static bool make_torus(LitheContext *context, const LitheGeomDef *def, Surface *s) {
    double scale = radius_of_corners(SIDES), small = radius_of_corners(SECTION_SIDES);
    if (!reserve(context, SIDES * SECTION_SIDES, 2 * SIDES * SECTION_SIDES, s))
        return false;
    for (int32_t i = 0; i < SIDES; i++)
        for (int32_t k = 0; k < SECTION_SIDES; k++) {
            double angle = 2 * M_PI * i / SIDES, turn = 2 * M_PI * k / SECTION_SIDES;
            double r = (def->radius + def->section_radius * small * cos(turn)) * scale;
            s->points[s->point_count++] =
                v3(r * cos(angle), r * sin(angle), def->section_radius * small * sin(turn));
        }
    join_ring(s, SIDES, SECTION_SIDES);
    return true;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// even angles from 0 to 2 pi, and those of the corners of a rectangle; returns their number
static int32_t plate_angles(double half_x, double half_y, double *angles) {
    double corner = atan2(half_y, half_x);
    const double corners[4] = {corner, M_PI - corner, M_PI + corner, 2 * M_PI - corner};
    int32_t count = 4;
    for (int k = 0; k < 4; k++)
        angles[k] = corners[k];
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * M_PI * i / SIDES, nearest = INFINITY;
        for (int k = 0; k < 4; k++)
            nearest = fmin(nearest, fabs(angle - corners[k]));
        // triangles much thinner than the others would be of no use
        if (nearest > 0.2 * M_PI / SIDES)
            angles[count++] = angle;
    }
    qsort(angles, (size_t)count, sizeof *angles, by_value);
    return count;
}

static bool make_plate(LitheContext *context, const LitheGeomDef *def, Surface *s) {
    double hx = 0.5 * def->size.x, hy = 0.5 * def->size.y, h = 0.5 * def->size.z;
    double angles[MAX_ANGLES], area = 0;
    int32_t count = plate_angles(hx, hy, angles);
    for (int32_t i = 0; i < count; i++)
        area += 0.5 * sin((i + 1 < count ? angles[i + 1] : angles[0] + 2 * M_PI) - angles[i]);
    double inner = def->hole * sqrt(M_PI / area);
    if (!reserve(context, 4 * count, 8 * count, s))
        return false;
    for (int32_t i = 0; i < count; i++) {
        double c = cos(angles[i]), d = sin(angles[i]);
        // where the ray leaves the rectangle
        double outer = fmin(hx / fmax(fabs(c), 1e-300), hy / fmax(fabs(d), 1e-300));
        const double r[4] = {inner, outer, outer, inner}, z[4] = {-h, -h, h, h};
        for (int k = 0; k < 4; k++)
            s->points[s->point_count++] = v3(r[k] * c, r[k] * d, z[k]);
    }
    join_ring(s, count, 4);
    return true;
}

static LitheStatus build_ellipse(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                                 LitheError *error) {
    Vec3 points[2 * SIDES];
    double scale = 0.5 * radius_of_corners(SIDES);
    for (int i = 0; i < SIDES; i++) {
        double angle = 2 * M_PI * i / SIDES;
        double x = scale * def->size.x * cos(angle), y = scale * def->size.y * sin(angle);
        points[2 * i] = v3(x, y, -0.5 * def->size.z);
        points[2 * i + 1] = v3(x, y, 0.5 * def->size.z);
    }
    geom->kind = LITHE_GEOM_CONVEX_MESH;
    return lithe_hull_create(context, points, 2 * SIDES, &geom->hull, error);
}

static LitheStatus build_surface(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                                 LitheError *error) {
    Surface s = {0};
    bool made = def->kind == LITHE_GEOM_TUBE    ? make_tube(context, def, &s)
                : def->kind == LITHE_GEOM_TORUS ? make_torus(context, def, &s)
                                                : make_plate(context, def, &s);
    geom->kind = LITHE_GEOM_TRIANGLE_MESH;
    geom->section_corners = def->kind == LITHE_GEOM_TORUS ? SECTION_SIDES : 4;
    LitheStatus status = made ? lithe_mesh_create(context, s.points, s.point_count, s.triangles,
                                                  s.triangle_count, &geom->mesh, error)
                              : lithe_fail_memory(error, "the surface of a shape");
    lithe_free(context, s.points);
    lithe_free(context, s.triangles);
    return status;
}

// --- mass ----------------------------------------------------------------------------------------

// volume, and the moments of inertia of density 1 about the centre (17)
static void exact_mass(const LitheGeomDef *def, LitheGeom *geom) {
    double R = def->radius, r = def->hole, a = def->section_radius, L = def->length, v, disc;
    Vec3 s = def->size;
    switch ((int)def->kind) {
    case LITHE_GEOM_TUBE:
        v = M_PI * (R * R - r * r) * L;
        geom->exact_inertia.z = v * (R * R + r * r) / 2;
        geom->exact_inertia.x = v * (3 * (R * R + r * r) + L * L) / 12;
        geom->exact_inertia.y = geom->exact_inertia.x;
        break;
    case LITHE_GEOM_TORUS:
        v = 2 * M_PI * M_PI * R * a * a;
        geom->exact_inertia.z = v * (R * R + 0.75 * a * a);
        geom->exact_inertia.x = v * (0.5 * R * R + 0.625 * a * a);
        geom->exact_inertia.y = geom->exact_inertia.x;
        break;
    case LITHE_GEOM_PLATE:
        disc = M_PI * r * r * s.z;
        v = s.x * s.y * s.z - disc;
        geom->exact_inertia.x =
            s.x * s.y * s.z * (s.y * s.y + s.z * s.z) / 12 - disc * (3 * r * r + s.z * s.z) / 12;
        geom->exact_inertia.y =
            s.x * s.y * s.z * (s.x * s.x + s.z * s.z) / 12 - disc * (3 * r * r + s.z * s.z) / 12;
        geom->exact_inertia.z = s.x * s.y * s.z * (s.x * s.x + s.y * s.y) / 12 - disc * r * r / 2;
        break;
    default: // full axes: a^2 = size^2/4
        v = 0.25 * M_PI * s.x * s.y * s.z;
        geom->exact_inertia.x = v * (s.y * s.y / 16 + s.z * s.z / 12);
        geom->exact_inertia.y = v * (s.x * s.x / 16 + s.z * s.z / 12);
        geom->exact_inertia.z = v * (s.x * s.x + s.y * s.y) / 16;
    }
    geom->exact_volume = v;
}

LitheStatus lithe_round_build(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                              LitheError *error) {
    exact_mass(def, geom);
    if (def->kind != LITHE_GEOM_PLATE) {
        geom->exact = (int32_t)def->kind;
        geom->radius = def->radius;
        geom->hole = def->hole;
        geom->section = def->section_radius;
        geom->half = def->kind == LITHE_GEOM_ELLIPTIC_CYLINDER
                         ? v3_scale(0.5, def->size)
                         : v3(def->radius, def->radius, 0.5 * def->length);
    }
    return def->kind == LITHE_GEOM_ELLIPTIC_CYLINDER ? build_ellipse(context, def, geom, error)
                                                     : build_surface(context, def, geom, error);
}
