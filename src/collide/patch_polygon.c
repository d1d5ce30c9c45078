// SPDX-License-Identifier: Apache-2.0
// collide/patch_polygon.c - points of the polygons of a patch
//
//     (PF7)  of a point with its part A of the area: f0 = A p, k = A g
//     (PF8)  three points for a polygon
//     (PF35) one that is longer than 1.4 rho, rho the polar radius of the patch by force, with 2 %
//            of its force: a fan of triangles, halved until no side is longer, three points each
// Of patches between two bodies that are merged, and for the friction of those that slide and turn:
// rods and solids have many parts. A spin about a point within a polygon has a friction torque that
// three points miss by up to 10 %.

#include "collide/patch_polygon.h"

#include "collide/patch.h"

#include "base/memory.h"
#include "data/thing.h"

#include <math.h>
#include <string.h>

static bool within(const double *cut, double s) {
    return !cut || (s >= cut[0] && s <= cut[1]);
}

// whether a polygon counts: not where a tie excludes it, nor between neighbours on a rod
static bool counts(const LithePatchFinder *p, Vec3 at) {
    const LitheNarrow *n = p->n;
    bool same = n->c->things[p->pair.a] == n->c->things[p->pair.b];
    if (!n->piece && !same)
        return true;
    Vec3 ca, cb;
    double s = lithe_part_ops(n->model, p->pair.a)->along(n->c, p->pair.a, at, &ca);
    double t = lithe_part_ops(n->model, p->pair.b)->along(n->c, p->pair.b, at, &cb);
    return within(lithe_narrow_cut(n, 0), s) && within(lithe_narrow_cut(n, 1), t) &&
           !lithe_are_neighbours(n->model, n->c, p->pair, s, t, v3_distance(ca, cb));
}

// (PF14) along the normal where the pressure falls off along it; else, as under the rim of a box,
// from the depth of the field
static double depth_of(const LithePatchFinder *p, const LithePolygon *polygon, double pressure) {
    double most = 1.5 * p->depth * pressure;
    return pressure < most * polygon->stiffness ? pressure / polygon->stiffness : most;
}

// what the points of a polygon have in common
typedef struct Flat {
    const LithePolygon *polygon;
    Vec3 normal;
    double dissipation;
    double deepest; // largest (PF14) of the points of the polygon before it was divided [m]
} Flat;

static double pressure_at(const LithePolygon *polygon, Vec3 at) {
    return fmax(polygon->pressure + v3_dot(polygon->slope, v3_sub(at, polygon->centre)), 0);
}

// three points, each of a third of the area
static bool add_three(LithePatchFinder *p, const Flat *flat, const Vec3 points[3], double area) {
    LitheFound *out = p->n->out;
    if (!LITHE_RESERVE(p->n->c->context, out->points, out->point_capacity, (int64_t)p->count + 3)) {
        out->failed = true;
        return false;
    }
    double share = area / 3;
    for (int k = 0; k < 3; k++) {
        double pressure = pressure_at(flat->polygon, points[k]);
        out->points[p->count++] = (LithePatchPoint){
            .at = p->frame ? place_point(p->frame, points[k]) : points[k],
            .normal = flat->normal,
            .force = share * pressure,
            .stiffness = share * flat->polygon->stiffness,
            .area = share,
            .depth = fmin(depth_of(p, flat->polygon, pressure), flat->deepest),
            .dissipation = flat->dissipation,
        };
    }
    return true;
}

static double longest_side(const Vec3 x[3], int *from) {
    double side[3], longest = 0;
    *from = 0;
    for (int k = 0; k < 3; k++) {
        side[k] = v3_distance(x[k], x[(k + 1) % 3]);
        if (side[k] > longest)
            longest = side[k], *from = k;
    }
    return longest;
}

static void rub_triangle(LithePatchFinder *p, const LithePolygon *polygon, const Vec3 x[3]) {
    double pressure[3];
    for (int k = 0; k < 3; k++)
        pressure[k] = pressure_at(polygon, x[k]);
    lithe_patch_add_friction(p, x, pressure);
}

static void rub_polygon(LithePatchFinder *p, const LithePolygon *polygon) {
    for (int k = 1; p->rubs && k + 1 < polygon->count; k++) {
        const Vec3 fan[3] = {polygon_corner(polygon, 0), polygon_corner(polygon, k),
                             polygon_corner(polygon, k + 1)};
        rub_triangle(p, polygon, fan);
    }
}

// (PF35) a triangle, halved until no side is longer than the limit: points in the middle between
// the centroid and the corners
static bool add_triangle(LithePatchFinder *p, const Flat *flat, const Vec3 first[3]) {
    enum { DEEPEST = 16 };
    struct {
        Vec3 x[3];
        int32_t level;
    } stack[DEEPEST + 2];
    int32_t depth = 0;
    memcpy(stack[depth].x, first, sizeof stack[0].x);
    stack[depth++].level = 0;
    while (depth > 0) {
        Vec3 x[3];
        int from;
        int32_t level = stack[--depth].level;
        memcpy(x, stack[depth].x, sizeof x);
        if (longest_side(x, &from) > p->limit && level < DEEPEST) {
            Vec3 a = x[from], b = x[(from + 1) % 3], c = x[(from + 2) % 3];
            Vec3 middle = v3_scale(0.5, v3_add(a, b));
            const Vec3 halves[2][3] = {{a, middle, c}, {middle, b, c}};
            for (int k = 0; k < 2; k++) {
                memcpy(stack[depth].x, halves[k], sizeof stack[0].x);
                stack[depth++].level = level + 1;
            }
            continue;
        }
        Vec3 centre = v3_scale(1.0 / 3, v3_add(x[0], v3_add(x[1], x[2]))), points[3];
        double area = 0.5 * v3_norm(v3_cross(v3_sub(x[1], x[0]), v3_sub(x[2], x[0])));
        if (p->rubs)
            rub_triangle(p, flat->polygon, x);
        for (int k = 0; k < 3; k++)
            points[k] = v3_scale(0.5, v3_add(centre, x[k]));
        if (!add_three(p, flat, points, area))
            return false;
    }
    return true;
}

// twice the largest distance of the three points of a polygon: about its length
static double length_of(const Vec3 x[3]) {
    int from;
    return 2 * longest_side(x, &from);
}

void lithe_patch_add_polygon(LithePatchFinder *p, const LithePolygon *polygon) {
    Vec3 centre = p->frame ? place_point(p->frame, polygon->centre) : polygon->centre;
    if (!counts(p, centre))
        return;
    Vec3 points[3], normal = v3_scale(p->sign, polygon->normal);
    if (p->frame)
        normal = place_direction(p->frame, normal);
    double d = polygon->share * p->dissipation[0] + (1 - polygon->share) * p->dissipation[1];
    Flat flat = {polygon, normal, d, INFINITY};
    lithe_polygon_points(polygon, points);
    p->n->out->polygons++;
    if (p->limit == INFINITY || polygon->area * polygon->pressure < p->least ||
        length_of(points) <= p->limit) {
        rub_polygon(p, polygon);
        add_three(p, &flat, points, polygon->area);
        return;
    }
    // a step that enters deep is thrown off by the deepest point, (PF31)
    flat.deepest = 0;
    for (int k = 0; k < 3; k++)
        flat.deepest = fmax(flat.deepest, depth_of(p, polygon, pressure_at(polygon, points[k])));
    for (int k = 1; k + 1 < polygon->count; k++) {
        const Vec3 fan[3] = {polygon_corner(polygon, 0), polygon_corner(polygon, k),
                             polygon_corner(polygon, k + 1)};
        if (!add_triangle(p, &flat, fan))
            return;
    }
}

// --- long polygons -------------------------------------------------------------------------------

// of the polar radius of a patch: no side of a divided polygon is longer
#define LONGEST 1.4
// of the force of a patch: polygons with less are not divided
#define LEAST_FORCE 0.02

bool lithe_patch_find_limits(LithePatchFinder *p) {
    const LithePatchPoint *points = p->n->out->points;
    double force = 0, square = 0;
    Vec3 sum = v3(0, 0, 0);
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 d = v3_sub(points[i].at, points[0].at);
        force += points[i].force;
        sum = v3_axpy(points[i].force, d, sum);
        square += points[i].force * v3_dot(d, d);
    }
    if (!(force > 0))
        return false;
    double polar = square / force - v3_dot(sum, sum) / (force * force);
    p->limit = LONGEST * sqrt(fmax(polar, 0));
    p->least = LEAST_FORCE * force;
    for (int32_t i = 0; i + 2 < p->count; i += 3) {
        const Vec3 x[3] = {points[i].at, points[i + 1].at, points[i + 2].at};
        double one = points[i].force + points[i + 1].force + points[i + 2].force;
        if (one >= p->least && length_of(x) > p->limit && p->limit > 0)
            return true;
    }
    return false;
}
