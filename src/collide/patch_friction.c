// SPDX-License-Identifier: Apache-2.0
// collide/patch_friction.c - friction of a flat patch that slides and turns
//
//     (PF36) the bounds of the points that are left have factors such that force and torque in the
//            motion at the start of the step are those of the polygons, long ones divided by
//            (PF35), with their mean pressures, (30): (32) with the parts f_i
// Between two shapes, with normals within 0.1 rad. docs/theory/patches.md.

#include "collide/patch_polygon.h"

// sum of normals over their number, by force: as groups of patch_merge.c
#define FLAT 0.995
// distance from the instantaneous centre, over the longest side, from which three points are as
// good as a triangle
#define FAR 1.0

bool lithe_patch_slides(LithePatchFinder *p) {
    const LithePatchPoint *points = p->n->out->points;
    LitheSlidePlane *plane = &p->plane;
    Vec3 normal = v3(0, 0, 0), first = v3(0, 0, 0);
    double force = 0, square = 0;
    for (int32_t i = 0; i < p->count; i++) {
        Vec3 d = v3_sub(points[i].at, points[0].at);
        normal = v3_axpy(points[i].force, points[i].normal, normal);
        first = v3_axpy(points[i].force, d, first);
        square += points[i].force * v3_dot(d, d);
        force += points[i].force;
    }
    double along = v3_norm(normal);
    if (!(force > 0) || !(along > FLAT * force))
        return false;
    first = v3_scale(1 / force, first);
    normal = v3_scale(1 / along, normal);
    plane->centre = v3_add(points[0].at, first);
    plane->u = v3_any_normal(normal);
    plane->v = v3_cross(normal, plane->u);
    plane->size =
        sqrt(fmax(2 * (square / force - v3_dot(first, first)), 0)); // of a disc its radius
    return lithe_narrow_slide(p->n, p->pair, plane);
}

static void place_in(const LitheSlidePlane *plane, Vec3 at, double x[2]) {
    Vec3 d = v3_sub(at, plane->centre);
    x[0] = v3_dot(d, plane->u);
    x[1] = v3_dot(d, plane->v);
}

// even pressure on a triangle
static void add_even(LithePatchFinder *p, const double a[2], const double b[2], const double c[2],
                     double pressure) {
    const double x[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {c[0], c[1]}};
    lithe_rub_add(&p->rub, &p->plane.slide, x, 3, pressure);
}

static void middle(const double a[2], const double b[2], double out[2]) {
    out[0] = 0.5 * (a[0] + b[0]);
    out[1] = 0.5 * (a[1] + b[1]);
}

void lithe_patch_add_friction(LithePatchFinder *p, const Vec3 corner[3], const double pressure[3]) {
    const LitheSlide *slide = &p->plane.slide;
    double x[3][2], m[3][2], centre[2] = {0, 0}, side = 0, mean = 0;
    for (int k = 0; k < 3; k++) {
        place_in(&p->plane, p->frame ? place_point(p->frame, corner[k]) : corner[k], x[k]);
        centre[0] += x[k][0] / 3;
        centre[1] += x[k][1] / 3;
        mean += pressure[k] / 3;
    }
    for (int k = 0; k < 3; k++) {
        middle(x[k], x[(k + 1) % 3], m[k]);
        side = fmax(side, hypot(x[k][0] - x[(k + 1) % 3][0], x[k][1] - x[(k + 1) % 3][1]));
    }
    double far = hypot(centre[0] * slide->w + slide->v[1], centre[1] * slide->w - slide->v[0]);
    if (far > FAR * side * fabs(slide->w)) {
        double area = 0.5 * fabs((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) -
                                 (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]));
        for (int k = 0; k < 3; k++) {
            double at[2];
            middle(centre, x[k], at);
            lithe_rub_add_point(&p->rub, slide, at, area / 3 * 0.5 * (mean + pressure[k]));
        }
        return;
    }
    for (int k = 0; k < 3; k++)
        add_even(p, x[k], m[k], m[(k + 2) % 3], (mean + pressure[k]) / 2);
    add_even(p, m[0], m[1], m[2], mean);
}

bool lithe_patch_factors(const LithePatchFinder *p, double factor[LITHE_PATCH_FACTORS]) {
    const LithePatchPoint *points = p->n->out->points;
    double x[LITHE_PATCH_FACTORS][2], part[LITHE_PATCH_FACTORS];
    double square = p->plane.size * p->plane.size, scale = square / p->rub.area;
    if (!(p->rub.area > 0) || p->count > LITHE_PATCH_FACTORS)
        return false;
    LitheRub want = {
        square, {scale * p->rub.force[0], scale * p->rub.force[1]}, scale * p->rub.torque};
    for (int32_t i = 0; i < p->count; i++) {
        place_in(&p->plane, points[i].at, x[i]);
        part[i] = points[i].force;
    }
    lithe_rub_factors(&want, &p->plane.slide, x, part, p->count, factor);
    for (int32_t i = 0; i < p->count; i++)
        factor[i] = 1 + p->plane.known * (factor[i] - 1);
    return true;
}
