// SPDX-License-Identifier: Apache-2.0
// geom/shape.c - checks a shape's description and prepares it for queries; support and bounds

#include "geom/shape.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/distance_round.h"
#include "geom/hollow.h"
#include "geom/oval.h"
#include "geom/shape_round.h"

#include <string.h>

static const char *kind_name(int32_t kind) {
    static const char *const name[] = {
        "half-space", "sphere",      "capsule",       "cylinder",         "box",
        "ellipsoid",  "convex mesh", "triangle mesh", "heightfield",      "revolution",
        "tube",       "torus",       "plate",         "elliptic cylinder"};
    return kind >= 0 && kind <= LITHE_GEOM_ELLIPTIC_CYLINDER ? name[kind] : "shape";
}

// --- checks --------------------------------------------------------------------------------------

static LitheStatus check_positive(const LitheGeomDef *def, const char *field, double value,
                                  LitheError *error) {
    if (isfinite(value) && value > 0)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is %g m, must be > 0 and finite",
                      kind_name(def->kind), field, value);
}

static LitheStatus check_size(const LitheGeomDef *def, int axes, LitheError *error) {
    const char *const field[] = {"size.x", "size.y", "size.z"};
    double size[] = {def->size.x, def->size.y, def->size.z};
    LitheStatus status = LITHE_OK;
    for (int k = 0; k < axes && status == LITHE_OK; k++)
        status = check_positive(def, field[k], size[k], error);
    return status;
}

static LitheStatus check_points(const LitheGeomDef *def, LitheError *error) {
    if (def->path && !def->points)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: file '%s' has not been read into points",
                          kind_name(def->kind), def->path);
    if (!def->points || def->point_count < 1)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: it has no points", kind_name(def->kind));
    for (int32_t i = 0; i < def->point_count; i++)
        if (!(v3_norm(def->points[i]) < LITHE_LONGEST))
            return lithe_fail(error, LITHE_BAD_INPUT, "%s: point %d is not %s",
                              kind_name(def->kind), i,
                              v3_finite(def->points[i]) ? "below 1e+100 m" : "finite");
    return LITHE_OK;
}

static LitheStatus check_heights(const LitheGeomDef *def, LitheError *error) {
    LitheStatus status = check_size(def, 2, error);
    if (status != LITHE_OK)
        return status;
    if (!def->heights || def->rows < 2 || def->columns < 2)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "heightfield: %d rows and %d columns of heights, must be at least 2 by 2",
                          def->heights ? def->rows : 0, def->heights ? def->columns : 0);
    if ((int64_t)def->rows * def->columns > INT32_MAX / 8)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "heightfield: %d rows by %d columns are more heights than the %d allowed",
                          def->rows, def->columns, INT32_MAX / 8);
    for (int32_t i = 0; i < def->rows * def->columns; i++)
        if (!isfinite(def->heights[i]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "heightfield: height at row %d, column %d is not finite",
                              i / def->columns, i % def->columns);
    return LITHE_OK;
}

static LitheStatus check_profile(const LitheGeomDef *def, LitheError *error) {
    if (!def->profile_z || !def->profile_r || def->profile_count < 2)
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "revolution: a profile of %d points, must have at least 2",
                          def->profile_z && def->profile_r ? def->profile_count : 0);
    bool solid = false, hollow = lithe_hollow_is(def);
    if (!(def->thickness >= 0) || !(def->rounding >= 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "revolution: thickness %g m and rounding %g m must be >= 0",
                          def->thickness, def->rounding);
    for (int32_t i = 0; i < def->profile_count; i++) {
        double z = def->profile_z[i], r = def->profile_r[i];
        if (!isfinite(z) || (i > 0 && !hollow && !(z > def->profile_z[i - 1])))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "revolution: profile_z[%d] is %g m, must be finite and above the one "
                              "before",
                              i, z);
        if (!isfinite(r) || r < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "revolution: profile_r[%d] is %g m, must be finite and >= 0", i, r);
        solid |= r > 0;
    }
    if (!solid)
        return lithe_fail(error, LITHE_BAD_INPUT, "revolution: all radii of the profile are 0");
    return LITHE_OK;
}

static LitheStatus check_rounding(const LitheGeomDef *def, LitheError *error) {
    double most = fmin(0.5 * def->length, def->radius);
    if (def->rounding >= 0 && def->rounding <= most * (1 + 1e-12) &&
        (def->rounding == 0 || def->rounding < def->radius))
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "cylinder: rounding is %.9g m, must be from 0 to half of its length, %.9g m, "
                      "and below its radius, %.9g m",
                      def->rounding, 0.5 * def->length, def->radius);
}

static LitheStatus check(const LitheGeomDef *def, LitheError *error) {
    LitheStatus status = LITHE_OK;
    switch (def->kind) {
    case LITHE_GEOM_HALF_SPACE:
        return LITHE_OK;
    case LITHE_GEOM_SPHERE:
        return check_positive(def, "radius", def->radius, error);
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_CYLINDER:
        status = check_positive(def, "radius", def->radius, error);
        if (status == LITHE_OK)
            status = check_positive(def, "length", def->length, error);
        if (status == LITHE_OK && def->kind == LITHE_GEOM_CYLINDER)
            status = check_rounding(def, error);
        return status;
    case LITHE_GEOM_BOX:
    case LITHE_GEOM_ELLIPSOID:
        return check_size(def, 3, error);
    case LITHE_GEOM_CONVEX_MESH:
        return check_points(def, error);
    case LITHE_GEOM_TRIANGLE_MESH:
        status = check_points(def, error);
        if (status == LITHE_OK && (!def->triangles || def->triangle_count < 1))
            status = lithe_fail(error, LITHE_BAD_INPUT, "triangle mesh: it has no triangles");
        return status;
    case LITHE_GEOM_HEIGHTFIELD:
        return check_heights(def, error);
    case LITHE_GEOM_REVOLUTION:
        return check_profile(def, error);
    case LITHE_GEOM_TUBE:
    case LITHE_GEOM_TORUS:
    case LITHE_GEOM_PLATE:
    case LITHE_GEOM_ELLIPTIC_CYLINDER:
        return lithe_round_check(def, error);
    }
    return lithe_fail(error, LITHE_BAD_INPUT, "shape: kind is %d, must be 0 to %d", (int)def->kind,
                      (int)LITHE_GEOM_ELLIPTIC_CYLINDER);
}

// --- compile -------------------------------------------------------------------------------------

static void bound_points(const Vec3 *points, int32_t count, LitheGeom *geom) {
    geom->low = geom->high = points[0];
    geom->reach = 0;
    for (int32_t i = 0; i < count; i++) {
        geom->low = v3_min(geom->low, points[i]);
        geom->high = v3_max(geom->high, points[i]);
        geom->reach = fmax(geom->reach, v3_norm(points[i]));
    }
}

static void bound_half(Vec3 half, double reach, LitheGeom *geom) {
    geom->low = v3_neg(half);
    geom->high = half;
    geom->reach = reach;
}

static LitheStatus copy_profile(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                                LitheError *error) {
    int32_t n = def->profile_count;
    geom->profile_z = lithe_alloc_array(context, 2 * (int64_t)n, sizeof(double));
    if (!geom->profile_z)
        return lithe_fail_memory(error, "a surface of revolution");
    geom->profile_r = geom->profile_z + n;
    geom->profile_count = n;
    double widest = 0;
    for (int32_t i = 0; i < n; i++) {
        geom->profile_z[i] = def->profile_z[i];
        geom->profile_r[i] = def->profile_r[i];
        widest = fmax(widest, def->profile_r[i]);
        geom->reach = fmax(geom->reach, hypot(def->profile_z[i], def->profile_r[i]));
    }
    geom->low = v3(-widest, -widest, def->profile_z[0]);
    geom->high = v3(widest, widest, def->profile_z[n - 1]);
    return LITHE_OK;
}

static LitheStatus build(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                         LitheError *error) {
    double r = def->radius, h = 0.5 * def->length;
    LitheStatus status = LITHE_OK;
    switch (def->kind) {
    case LITHE_GEOM_HALF_SPACE:
        bound_half(v3(INFINITY, INFINITY, INFINITY), INFINITY, geom);
        geom->high.z = 0;
        break;
    case LITHE_GEOM_SPHERE:
        geom->radius = r;
        bound_half(v3(r, r, r), r, geom);
        break;
    case LITHE_GEOM_CAPSULE:
        geom->radius = r;
        geom->end[0] = v3(0, 0, -h);
        geom->end[1] = v3(0, 0, h);
        bound_half(v3(r, r, h + r), h + r, geom);
        break;
    case LITHE_GEOM_CYLINDER:
        geom->radius = r;
        geom->rounding = fmin(def->rounding, h);
        geom->half = v3(r, r, h);
        bound_half(geom->half, hypot(r, h), geom);
        break;
    case LITHE_GEOM_BOX:
    case LITHE_GEOM_ELLIPSOID:
        geom->half = v3_scale(0.5, def->size);
        bound_half(geom->half,
                   def->kind == LITHE_GEOM_BOX
                       ? v3_norm(geom->half)
                       : fmax(geom->half.x, fmax(geom->half.y, geom->half.z)),
                   geom);
        break;
    case LITHE_GEOM_CONVEX_MESH:
        status = lithe_hull_create(context, def->points, def->point_count, &geom->hull, error);
        if (status == LITHE_OK)
            bound_points(geom->hull->points, geom->hull->point_count, geom);
        break;
    case LITHE_GEOM_TRIANGLE_MESH:
        status = lithe_mesh_create(context, def->points, def->point_count, def->triangles,
                                   def->triangle_count, &geom->mesh, error);
        break;
    case LITHE_GEOM_HEIGHTFIELD:
        status = lithe_mesh_create_heightfield(context, def->heights, def->rows, def->columns,
                                               def->size.x, def->size.y, &geom->mesh, error);
        break;
    case LITHE_GEOM_REVOLUTION:
        status = lithe_hollow_is(def) ? lithe_hollow_build(context, def, geom, error)
                                      : copy_profile(context, def, geom, error);
        break;
    case LITHE_GEOM_TUBE:
    case LITHE_GEOM_TORUS:
    case LITHE_GEOM_PLATE:
    case LITHE_GEOM_ELLIPTIC_CYLINDER:
        status = lithe_round_build(context, def, geom, error);
        if (status == LITHE_OK && geom->hull)
            bound_points(geom->hull->points, geom->hull->point_count, geom);
        break;
    }
    if (status == LITHE_OK && geom->mesh)
        bound_points(geom->mesh->points, geom->mesh->point_count, geom);
    if (status == LITHE_OK && geom->hollow) { // arcs reach beyond the points on them
        for (int k = 0; k < 3; k++) {
            Vec3 axis = {k == 0, k == 1, k == 2};
            geom->low = v3_min(geom->low, lithe_hollow_support(geom, v3_neg(axis)));
            geom->high = v3_max(geom->high, lithe_hollow_support(geom, axis));
        }
        geom->reach *= 1.002;
    }
    return status;
}

LitheStatus lithe_geom_compile(LitheContext *context, const LitheGeomDef *def, LitheGeom *out,
                               LitheError *error) {
    LitheGeom geom = {.kind = (int32_t)def->kind, .context = context};
    LitheStatus status = check(def, error);
    if (status == LITHE_OK)
        status = build(context, def, &geom, error);
    if (status == LITHE_OK)
        *out = geom;
    return status;
}

void lithe_geom_destroy(LitheGeom *geom) {
    if (!geom)
        return;
    if (geom->hull)
        lithe_hull_destroy(geom->context, geom->hull);
    if (geom->mesh)
        lithe_mesh_destroy(geom->context, geom->mesh);
    if (geom->profile_z)
        lithe_free(geom->context, geom->profile_z);
    lithe_hollow_destroy(geom->context, geom->hollow);
    *geom = (LitheGeom){0};
}

LitheGeom lithe_geom_segment(Vec3 p, Vec3 q, double radius) {
    Vec3 round = {radius, radius, radius};
    return (LitheGeom){.kind = LITHE_GEOM_SEGMENT,
                       .radius = radius,
                       .end = {p, q},
                       .low = v3_sub(v3_min(p, q), round),
                       .high = v3_add(v3_max(p, q), round),
                       .reach = fmax(v3_norm(p), v3_norm(q)) + radius};
}

LitheGeom lithe_geom_ball(double radius) {
    return (LitheGeom){.kind = LITHE_GEOM_SPHERE,
                       .radius = radius,
                       .low = {-radius, -radius, -radius},
                       .high = {radius, radius, radius},
                       .reach = radius};
}

LitheGeom lithe_geom_bar(Vec3 p, Vec3 q, Vec3 director, double width, double height,
                         LithePose *pose) {
    // axes: x along the director, z along the segment
    Vec3 edge = v3_sub(q, p);
    Vec3 z = v3_norm(edge) > 0 ? v3_unit(edge) : v3_any_normal(v3_unit(director));
    Vec3 x = v3_axpy(-v3_dot(director, z), z, director);
    x = v3_norm(x) > 1e-12 * v3_norm(director) ? v3_unit(x) : v3_any_normal(z);
    pose->at = v3_mix(p, q, 0.5);
    pose->r = m3_columns(x, v3_cross(z, x), z);
    pose->q = q4_of_matrix(pose->r);
    LitheGeom geom = {.kind = LITHE_GEOM_BOX,
                      .half = v3(0.5 * width, 0.5 * height, 0.5 * v3_norm(edge))};
    bound_half(geom.half, v3_norm(geom.half), &geom);
    return geom;
}

LitheGeom lithe_geom_oval(Vec3 p, Vec3 q, Vec3 director, double width, double height,
                          LithePose *pose) {
    LitheGeom geom = lithe_geom_bar(p, q, director, width, height, pose);
    geom.kind = LITHE_GEOM_OVAL;
    geom.reach = hypot(fmax(geom.half.x, geom.half.y), geom.half.z);
    return geom;
}

// --- queries -------------------------------------------------------------------------------------

bool lithe_geom_is_convex(const LitheGeom *geom) {
    return geom->kind != LITHE_GEOM_HALF_SPACE && geom->kind != LITHE_GEOM_TRIANGLE_MESH &&
           geom->kind != LITHE_GEOM_HEIGHTFIELD && geom->kind != LITHE_GEOM_REVOLUTION;
}

bool lithe_geom_pair_allowed(const LitheGeom *a, const LitheGeom *b) {
    bool half_a = a->kind == LITHE_GEOM_HALF_SPACE, half_b = b->kind == LITHE_GEOM_HALF_SPACE;
    if (half_a || half_b)
        return half_a != half_b;
    if (lithe_geom_is_convex(a) || lithe_geom_is_convex(b))
        return true;
    if (!a->mesh || !b->mesh)
        return false;
    return (a->mesh->closed && (b->mesh->closed || b->mesh->below)) ||
           (a->mesh->below && b->mesh->closed);
}

// the circle of radius r at height z
static Vec3 support_rim(double r, double z, Vec3 d) {
    double across = sqrt(d.x * d.x + d.y * d.y);
    return across > 0 ? v3(r * d.x / across, r * d.y / across, z) : v3(r, 0, z);
}

static Vec3 support_profile(const LitheGeom *geom, Vec3 d) {
    double across = sqrt(d.x * d.x + d.y * d.y), max = -INFINITY;
    int32_t best = 0;
    for (int32_t i = 0; i < geom->profile_count; i++) {
        double along = across * geom->profile_r[i] + d.z * geom->profile_z[i];
        if (along > max) {
            max = along;
            best = i;
        }
    }
    return support_rim(geom->profile_r[best], geom->profile_z[best], d);
}

static Vec3 support_rounded(const LitheGeom *geom, Vec3 d) {
    double round = geom->rounding;
    Vec3 x = support_rim(geom->radius - round, copysign(geom->half.z - round, d.z), d);
    return round > 0 ? v3_axpy(round / v3_norm(d), d, x) : x;
}

Vec3 lithe_geom_support(const LitheGeom *geom, Vec3 d) {
    Vec3 h = geom->half;
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
        return v3_scale(geom->radius / v3_norm(d), d);
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_SEGMENT:
        return v3_axpy(geom->radius / v3_norm(d), d,
                       geom->end[v3_dot(geom->end[1], d) > v3_dot(geom->end[0], d)]);
    case LITHE_GEOM_CYLINDER:
        return support_rounded(geom, d);
    case LITHE_GEOM_BOX:
        return v3(copysign(h.x, d.x), copysign(h.y, d.y), copysign(h.z, d.z));
    case LITHE_GEOM_ELLIPSOID: {
        Vec3 s = {h.x * d.x, h.y * d.y, h.z * d.z};
        double scale = 1 / v3_norm(s);
        return v3(h.x * s.x * scale, h.y * s.y * scale, h.z * s.z * scale);
    }
    case LITHE_GEOM_OVAL:
        return support_oval(h, d);
    case LITHE_GEOM_CONVEX_MESH:
        return geom->exact ? support_oval(h, d)
                           : farthest_point(geom->hull->points, geom->hull->point_count, d);
    case LITHE_GEOM_TRIANGLE_MESH:
    case LITHE_GEOM_HEIGHTFIELD:
        if (round_is(geom)) {
            LitheGeom hull = lithe_round_hull(geom);
            return support_rounded(&hull, d);
        }
        if (geom->hollow)
            return lithe_hollow_support(geom, d);
        return farthest_point(geom->mesh->points, geom->mesh->point_count, d);
    case LITHE_GEOM_REVOLUTION:
        return support_profile(geom, d);
    }
    LITHE_ASSERT(!"shape has a support function");
    return v3(0, 0, 0);
}

// a half-space is bounded only where its plane is perpendicular to an axis
static void bound_half_space(const LithePose *pose, Vec3 *low, Vec3 *high) {
    double n[3], at[3], lo[3], hi[3];
    v3_store(m3_column(pose->r, 2), n);
    v3_store(pose->at, at);
    for (int k = 0; k < 3; k++) {
        lo[k] = n[k] < -1 + 1e-15 ? at[k] : -INFINITY;
        hi[k] = n[k] > 1 - 1e-15 ? at[k] : INFINITY;
    }
    *low = v3_load(lo);
    *high = v3_load(hi);
}

// |R| half about the rotated middle
static void bound_box(const LithePose *pose, Vec3 middle, Vec3 half, Vec3 *low, Vec3 *high) {
    Mat3 r = pose->r;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = fabs(r.m[i][j]);
    middle = place_point(pose, middle);
    half = m3_apply(r, half);
    *low = v3_sub(middle, half);
    *high = v3_add(middle, half);
}

// rims at both ends of the axis, and around them their rounding
static void bound_cylinder(const LitheGeom *geom, const LithePose *pose, Vec3 *low, Vec3 *high) {
    double half[3];
    for (int k = 0; k < 3; k++) {
        const double *axis = pose->r.m[k];
        half[k] = geom->rounding + fabs(axis[2]) * (geom->half.z - geom->rounding) +
                  (geom->radius - geom->rounding) * sqrt(axis[0] * axis[0] + axis[1] * axis[1]);
    }
    *low = v3_sub(pose->at, v3_load(half));
    *high = v3_add(pose->at, v3_load(half));
}

static void bound_capsule(const LitheGeom *geom, const LithePose *pose, Vec3 *low, Vec3 *high) {
    Vec3 a = place_point(pose, geom->end[0]), b = place_point(pose, geom->end[1]);
    Vec3 round = {geom->radius, geom->radius, geom->radius};
    *low = v3_sub(v3_min(a, b), round);
    *high = v3_add(v3_max(a, b), round);
}

void lithe_geom_bounds(const LitheGeom *geom, const LithePose *pose, const Vec3 *displacement,
                       Vec3 *low, Vec3 *high) {
    if (geom->kind == LITHE_GEOM_HALF_SPACE) {
        bound_half_space(pose, low, high);
    } else if (geom->mesh || geom->profile_z) {
        // no loop over all points
        bound_box(pose, v3_mix(geom->low, geom->high, 0.5),
                  v3_scale(0.5, v3_sub(geom->high, geom->low)), low, high);
    } else if (geom->kind == LITHE_GEOM_BOX) {
        bound_box(pose, v3(0, 0, 0), geom->half, low, high);
    } else if (geom->kind == LITHE_GEOM_CYLINDER) {
        bound_cylinder(geom, pose, low, high);
    } else if (geom->kind == LITHE_GEOM_CAPSULE || geom->kind == LITHE_GEOM_SEGMENT) {
        bound_capsule(geom, pose, low, high);
    } else {
        double lo[3], hi[3];
        for (int k = 0; k < 3; k++) {
            Vec3 axis = {pose->r.m[k][0], pose->r.m[k][1], pose->r.m[k][2]};
            double at[3] = {pose->at.x, pose->at.y, pose->at.z};
            hi[k] = at[k] + v3_dot(axis, lithe_geom_support(geom, axis));
            lo[k] = at[k] + v3_dot(axis, lithe_geom_support(geom, v3_neg(axis)));
        }
        *low = v3_load(lo);
        *high = v3_load(hi);
    }
    if (displacement) {
        Vec3 zero = {0, 0, 0};
        *low = v3_add(*low, v3_min(zero, *displacement));
        *high = v3_add(*high, v3_max(zero, *displacement));
    }
}
