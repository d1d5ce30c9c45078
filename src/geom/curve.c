// SPDX-License-Identifier: Apache-2.0
// geom/curve.c - shapes: check, then nodes equally spaced along the curve
//
// A shape becomes a Curve: its length and a function that gives point and tangent at any arc
// length. Nodes are then placed at the arc lengths of docs/theory/curves.md, section 1.

#include "geom/curve.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/curve_knot.h"
#include "geom/curve_parts.h"
#include "math/quat.h"

static const double pi = M_PI;

typedef struct Curve {
    const LitheShapeDef *shape;
    double length; // [m]
    bool closed;
    LitheCatenary catenary;
    LitheSpline spline; // of a spline
    LithePath path;
    const Vec3 *points;  // of a polyline or file
    int32_t point_count; // of `points`
    double *arc;         // [point_count + 1] arc length up to each point [m]
    Vec3 *read;          // points of a file, owned
    const char *name;    // of the shape, for messages
} Curve;

LitheShapeDef lithe_shape_def_default(void) {
    return (LitheShapeDef){
        .kind = LITHE_SHAPE_LINE,
        .to = {1, 0, 0},
        .length = 1,
        .radius = 0.1,
        .angle = 0.5 * pi,
        .pitch = 0.05,
        .turns = 3,
        .unknotting = 1,
    };
}

bool lithe_shape_closed(const LitheShapeDef *shape) {
    switch (shape->kind) {
    case LITHE_SHAPE_RING:
        return true;
    case LITHE_SHAPE_POLYLINE:
    case LITHE_SHAPE_SPLINE:
    case LITHE_SHAPE_FILE:
    case LITHE_SHAPE_PATH:
        return shape->closed;
    default:
        return false;
    }
}

// --- points along each curve ---------------------------------------------------------------------

static Vec3 arc_at(double radius, double s, Vec3 *tangent) {
    double a = s / radius;
    *tangent = v3(cos(a), 0, sin(a));
    // 1 - cos a = 2 sin^2(a/2) avoids cancellation on a flat arc
    return v3(radius * sin(a), 0, 2 * radius * sin(0.5 * a) * sin(0.5 * a));
}

/// A ring is a helix without rise.
static Vec3 helix_at(double radius, double pitch, double s, Vec3 *tangent) {
    double rise = pitch / (2 * pi); // per radian
    double speed = hypot(radius, rise);
    double a = s / speed;
    *tangent = v3(-radius / speed * sin(a), radius / speed * cos(a), rise / speed);
    return v3(radius * cos(a), radius * sin(a), rise * a);
}

static Vec3 polyline_at(const Curve *curve, double s, Vec3 *tangent) {
    int32_t pieces = curve->closed ? curve->point_count : curve->point_count - 1;
    int32_t low = 0, high = pieces;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (curve->arc[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    Vec3 a = curve->points[low], b = curve->points[low + 1 < curve->point_count ? low + 1 : 0];
    double x = (s - curve->arc[low]) / (curve->arc[low + 1] - curve->arc[low]);
    *tangent = v3_unit(v3_sub(b, a));
    return v3_mix(a, b, x);
}

/// Point and tangent at the arc length s within [0, length].
static Vec3 point_at(const Curve *curve, double s, Vec3 *tangent) {
    const LitheShapeDef *shape = curve->shape;
    switch (shape->kind) {
    case LITHE_SHAPE_ARC:
        return arc_at(shape->radius, s, tangent);
    case LITHE_SHAPE_RING:
        return helix_at(shape->radius, 0, s, tangent);
    case LITHE_SHAPE_HELIX:
        return helix_at(shape->radius, shape->pitch, s, tangent);
    case LITHE_SHAPE_CATENARY:
        return lithe_catenary_at(&curve->catenary, s, tangent);
    case LITHE_SHAPE_SPLINE:
    case LITHE_SHAPE_OVERHAND_KNOT:
        return lithe_spline_at(&curve->spline, s, tangent);
    case LITHE_SHAPE_POLYLINE:
    case LITHE_SHAPE_FILE:
        return polyline_at(curve, s, tangent);
    case LITHE_SHAPE_PATH:
        return lithe_path_at(&curve->path, s, tangent);
    case LITHE_SHAPE_LINE:
        break;
    }
    *tangent = v3_unit(v3_sub(shape->to, shape->from));
    return v3_mix(shape->from, shape->to, s / curve->length);
}

/// Point at any arc length s: the curve continues straight beyond its ends.
static Vec3 point_beyond(const Curve *curve, double s) {
    double inside = fmin(fmax(s, 0), curve->length);
    Vec3 tangent;
    Vec3 p = point_at(curve, inside, &tangent);
    return s == inside ? p : v3_axpy(s - inside, tangent, p);
}

// --- checks --------------------------------------------------------------------------------------

static LitheStatus check_positive(double value, const char *shape, const char *field,
                                  const char *unit, LitheError *error) {
    if (isfinite(value) && value > 0)
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is %g%s, must be > 0", shape, field, value,
                      unit);
}

static LitheStatus check_finite(Vec3 v, const char *shape, const char *field, LitheError *error) {
    if (v3_finite(v))
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s is (%g, %g, %g), must be finite", shape,
                      field, v.x, v.y, v.z);
}

/// Checks that there are enough points, that they are finite and that no two neighbours coincide.
static LitheStatus check_points(const Curve *curve, const Vec3 *points, int32_t count,
                                LitheError *error) {
    int32_t min = curve->closed ? 3 : 2;
    if (count < min || !points)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: %d point%s, a%s curve needs at least %d",
                          curve->name, count, count == 1 ? "" : "s",
                          curve->closed ? " closed" : "n open", min);
    Vec3 low = points[0], high = points[0];
    for (int32_t i = 0; i < count; i++) {
        Vec3 p = points[i];
        if (!v3_finite(p))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: point %d is (%g, %g, %g), must be finite", curve->name, i, p.x,
                              p.y, p.z);
        low = v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    double size = v3_distance(low, high);
    if (!isfinite(size))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: its points are too far apart", curve->name);
    // nearer than rounding of the coordinates: the direction of such an edge is undefined
    for (int32_t i = 0; i < count - !curve->closed; i++) {
        int32_t next = i + 1 < count ? i + 1 : 0;
        if (v3_distance(points[i], points[next]) <= 1e-12 * size)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: points %d and %d coincide at (%g, %g, %g)%s", curve->name, i,
                              next, points[i].x, points[i].y, points[i].z,
                              next == 0 ? "; a closed curve does not repeat its first point" : "");
    }
    return LITHE_OK;
}

static LitheStatus check_helix(const LitheShapeDef *shape, LitheError *error) {
    LitheStatus status = check_positive(shape->radius, "helix", "radius", " m", error);
    if (!status)
        status = check_positive(shape->turns, "helix", "turns", "", error);
    if (!status && !isfinite(shape->pitch))
        status = lithe_fail(error, LITHE_BAD_INPUT, "helix: pitch is %g m, must be finite",
                            shape->pitch);
    if (!status && shape->pitch == 0 && shape->turns > 1)
        status =
            lithe_fail(error, LITHE_BAD_INPUT,
                       "helix: pitch is 0 m, with %g turns it would lie on itself", shape->turns);
    return status;
}

static LitheStatus check_arc(const LitheShapeDef *shape, LitheError *error) {
    LitheStatus status = check_positive(shape->radius, "arc", "radius", " m", error);
    if (!status)
        status = check_positive(shape->angle, "arc", "angle", " rad", error);
    if (!status && shape->angle > 2 * pi * (1 + 1e-12))
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "arc: angle is %g rad, must be at most a full turn (take a helix for "
                            "more)",
                            shape->angle);
    return status;
}

// --- from shape to curve -------------------------------------------------------------------------

static const char *shape_name(LitheShapeKind kind) {
    switch (kind) {
    case LITHE_SHAPE_LINE:
        return "line";
    case LITHE_SHAPE_ARC:
        return "arc";
    case LITHE_SHAPE_RING:
        return "ring";
    case LITHE_SHAPE_HELIX:
        return "helix";
    case LITHE_SHAPE_CATENARY:
        return "catenary";
    case LITHE_SHAPE_POLYLINE:
        return "polyline";
    case LITHE_SHAPE_SPLINE:
        return "spline";
    case LITHE_SHAPE_FILE:
        return "file";
    case LITHE_SHAPE_OVERHAND_KNOT:
        return "overhand knot";
    case LITHE_SHAPE_PATH:
        return "path";
    }
    return NULL;
}

static LitheStatus begin_line(Curve *curve, LitheError *error) {
    const LitheShapeDef *shape = curve->shape;
    curve->length = v3_distance(shape->from, shape->to);
    if (curve->length > 0 && isfinite(curve->length))
        return LITHE_OK;
    return lithe_fail(error, LITHE_BAD_INPUT, "line: from and to are %g m apart, must be > 0",
                      curve->length);
}

static LitheStatus begin_polyline(LitheContext *context, Curve *curve, LitheError *error) {
    LitheStatus status = check_points(curve, curve->points, curve->point_count, error);
    if (status)
        return status;
    int32_t count = curve->point_count;
    curve->arc = lithe_alloc_array(context, (int64_t)count + 1, sizeof *curve->arc);
    if (!curve->arc)
        return lithe_fail_memory(error, "a polyline");
    for (int32_t i = 0; i < count; i++)
        curve->arc[i + 1] =
            curve->arc[i] + v3_distance(curve->points[i], curve->points[i + 1 < count ? i + 1 : 0]);
    curve->length = curve->arc[curve->closed ? count : count - 1];
    return LITHE_OK;
}

static LitheStatus begin_spline(LitheContext *context, Curve *curve, LitheError *error) {
    const LitheShapeDef *shape = curve->shape;
    LitheStatus status = check_points(curve, shape->points, shape->point_count, error);
    if (!status)
        status = lithe_spline_create(context, shape->points, shape->point_count, curve->closed,
                                     &curve->spline, error);
    if (!status)
        curve->length = curve->spline.arc[curve->spline.count];
    return status;
}

/// The caller must call end_curve afterwards, also after a failure.
static LitheStatus begin_curve(LitheContext *context, const LitheShapeDef *shape, double radius,
                               Curve *curve, LitheError *error) {
    *curve = (Curve){.shape = shape, .closed = lithe_shape_closed(shape)};
    curve->name = shape_name(shape->kind);
    if (!curve->name)
        return lithe_fail(error, LITHE_BAD_INPUT, "shape: there is no kind %d", (int)shape->kind);
    LitheStatus status = check_finite(shape->rotate, curve->name, "rotate", error);
    if (!status)
        status = check_finite(shape->at, curve->name, "at", error);
    if (!status && (shape->kind == LITHE_SHAPE_LINE || shape->kind == LITHE_SHAPE_CATENARY)) {
        status = check_finite(shape->from, curve->name, "from", error);
        if (!status)
            status = check_finite(shape->to, curve->name, "to", error);
    }
    if (!status &&
        (shape->kind == LITHE_SHAPE_CATENARY || shape->kind == LITHE_SHAPE_OVERHAND_KNOT))
        status = check_positive(shape->length, curve->name, "length", " m", error);
    if (status)
        return status;

    switch (shape->kind) {
    case LITHE_SHAPE_LINE:
        return begin_line(curve, error);
    case LITHE_SHAPE_ARC:
        curve->length = shape->radius * shape->angle;
        return check_arc(shape, error);
    case LITHE_SHAPE_RING:
        curve->length = 2 * pi * shape->radius;
        return check_positive(shape->radius, "ring", "radius", " m", error);
    case LITHE_SHAPE_HELIX:
        curve->length = 2 * pi * shape->turns * hypot(shape->radius, shape->pitch / (2 * pi));
        return check_helix(shape, error);
    case LITHE_SHAPE_CATENARY:
        curve->length = shape->length;
        return lithe_catenary_solve(shape->from, shape->to, shape->length, &curve->catenary, error);
    case LITHE_SHAPE_POLYLINE:
        curve->points = shape->points;
        curve->point_count = shape->point_count;
        return begin_polyline(context, curve, error);
    case LITHE_SHAPE_SPLINE:
        return begin_spline(context, curve, error);
    case LITHE_SHAPE_FILE:
        status = lithe_curve_read(context, shape->path, &curve->read, &curve->point_count, error);
        curve->points = curve->read;
        curve->name = shape->path;
        return status ? status : begin_polyline(context, curve, error);
    case LITHE_SHAPE_OVERHAND_KNOT:
        status = lithe_knot_spline(context, shape->unknotting, shape->length, radius,
                                   &curve->spline, error);
        if (!status)
            curve->length = curve->spline.arc[curve->spline.count];
        return status;
    case LITHE_SHAPE_PATH:
        status = lithe_path_create(context, shape->pieces, shape->piece_count, shape->closed,
                                   &curve->path, error);
        curve->length = curve->path.length;
        return status;
    }
    return LITHE_OK;
}

static void end_curve(LitheContext *context, Curve *curve) {
    lithe_spline_destroy(context, &curve->spline);
    lithe_path_destroy(context, &curve->path);
    lithe_free(context, curve->arc);
    lithe_free(context, curve->read);
}

LitheStatus lithe_curve_node_count(LitheContext *context, const LitheShapeDef *shape,
                                   int32_t *count, LitheError *error) {
    if (shape->kind == LITHE_SHAPE_POLYLINE) {
        *count = shape->point_count;
    } else if (shape->kind == LITHE_SHAPE_FILE) {
        Vec3 *points = NULL;
        LitheStatus status = lithe_curve_read(context, shape->path, &points, count, error);
        lithe_free(context, points);
        return status;
    } else {
        *count = 0;
    }
    return LITHE_OK;
}

// --- nodes ---------------------------------------------------------------------------------------

static LitheStatus check_nodes(const Curve *curve, int32_t node_count, int clamps,
                               LitheError *error) {
    if (curve->closed && clamps)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: a closed curve has no end to clamp",
                          curve->name);
    int32_t min = curve->closed || clamps ? 3 : 2;
    if (node_count < min)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: %d node%s, a%s curve needs at least %d",
                          curve->name, node_count, node_count == 1 ? "" : "s",
                          curve->closed ? " closed"
                          : clamps      ? " clamped"
                                        : "n open",
                          min);
    if (!isfinite(curve->length))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: it is too long", curve->name);
    return LITHE_OK;
}

/// Refuses neighbouring nodes that coincide: this may happen where a coarse sampling folds back on
/// itself.
static LitheStatus check_edges(const Curve *curve, const Vec3 *nodes, int32_t node_count,
                               double edge, LitheError *error) {
    for (int32_t i = 0; i < node_count - !curve->closed; i++) {
        int32_t next = i + 1 < node_count ? i + 1 : 0;
        double l = v3_distance(nodes[i], nodes[next]);
        if (!(l > 1e-9 * edge))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "%s: nodes %d and %d of %d would coincide; take another number of "
                              "nodes",
                              curve->name, i, next, node_count);
    }
    return LITHE_OK;
}

/// Computes `nodes` [node_count], before `rotate` and `at` of the shape are applied.
static LitheStatus place_nodes(LitheContext *context, const Curve *curve, int32_t node_count,
                               bool clamp_start, bool clamp_end, double radius, Vec3 *nodes,
                               LitheError *error) {
    if (curve->points && node_count == curve->point_count) {
        for (int32_t i = 0; i < node_count; i++)
            nodes[i] = curve->points[i];
        return LITHE_OK;
    }
    // number of edges between the ends; a clamped end lies in the middle of an edge
    double edges = curve->closed ? node_count : node_count - 1 - 0.5 * (clamp_start + clamp_end);
    double edge = curve->length / edges;
    for (int32_t i = 0; i < node_count; i++) {
        double s = edge * (i - 0.5 * clamp_start);
        // the last node is exactly the end
        if (!curve->closed && i == node_count - 1)
            s = curve->length + 0.5 * clamp_end * edge;
        nodes[i] = point_beyond(curve, s);
    }
    if (curve->shape->kind == LITHE_SHAPE_OVERHAND_KNOT) {
        edge = curve->shape->length / edges;
        return lithe_knot_finish(context, curve->shape->unknotting, curve->shape->length, radius,
                                 edge * (node_count - 1), nodes, node_count, error);
    }
    return check_edges(curve, nodes, node_count, edge, error);
}

LitheStatus lithe_curve_sample(LitheContext *context, const LitheShapeDef *shape,
                               int32_t node_count, bool clamp_start, bool clamp_end, double radius,
                               Vec3 *out, bool *closed, LitheError *error) {
    Curve curve;
    Vec3 *nodes = NULL;
    LitheStatus status = begin_curve(context, shape, radius, &curve, error);
    if (!status)
        status = check_nodes(&curve, node_count, clamp_start + clamp_end, error);
    if (!status) {
        nodes = lithe_alloc_array(context, node_count, sizeof *nodes);
        if (!nodes)
            status = lithe_fail_memory(error, "the nodes of a curve");
    }
    if (!status)
        status =
            place_nodes(context, &curve, node_count, clamp_start, clamp_end, radius, nodes, error);

    // rotate and translate; outputs are written only on success
    if (!status) {
        Quat turn = q4_exp(shape->rotate);
        for (int32_t i = 0; i < node_count && !status; i++) {
            nodes[i] = v3_add(q4_rotate(turn, nodes[i]), shape->at);
            if (!v3_finite(nodes[i]))
                status =
                    lithe_fail(error, LITHE_BAD_INPUT, "%s: node %d is too far out", curve.name, i);
        }
    }
    if (!status) {
        for (int32_t i = 0; i < node_count; i++)
            out[i] = nodes[i];
        *closed = curve.closed;
    }
    lithe_free(context, nodes);
    end_curve(context, &curve);
    return status;
}
