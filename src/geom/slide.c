// SPDX-License-Identifier: Apache-2.0
// geom/slide.c - friction of an even pressure on a flat area or a line that slides and turns
//
// The velocity is w e x (x - o), o the instantaneous centre, e the normal. So with r = |x - o| the
// directions of sliding are those of e x grad r, and with n the outer normal of the rim
//     (30)  force  = sign(w) e x (integral over the rim of r n),
//           torque = sign(w) (integral over the area of r) + o x force
// In closed form on a side at the distance d from o, t along it from the foot of o:
//     (31)  rim: 1/2 [t r + d^2 asinh(t/d)],  area: d/6 [t r + d^2 asinh(t/d)]
// With such a side for a line of even load
//     (34)  force = sign(w) (d asinh(t/d), r), along the line and across,
//           torque = sign(w) [t r - d^2 asinh(t/d)]/2 + o x force
// Points x_i with the parts p_i (sum 1) of the pressure slide in the directions g_i, a vector of
// two directions and the torque x_i x g_i over the size R of the area:
//     (32)  factor_i = 1 + g_i . l,  [sum p_j g_j g_j' + 0.001] l = want - sum p_j g_j

#include "geom/slide.h"

#include <math.h>

// part of the mean square of the directions that keeps (32) solvable where all are alike
#define ROOT 1e-3

static double cross2(const double *a, const double *b) {
    return a[0] * b[1] - a[1] * b[0];
}

void lithe_rub_add(LitheRub *sum, const LitheSlide *slide, const double (*x)[2], int count,
                   double weight) {
    double o[2] = {-slide->v[1] / slide->w, slide->v[0] / slide->w};
    double rim[2] = {0, 0}, radii = 0, area = 0;
    double a[2] = {x[count - 1][0] - o[0], x[count - 1][1] - o[1]};
    double ra = sqrt(a[0] * a[0] + a[1] * a[1]);
    for (int i = 0; i < count; i++) {
        double b[2] = {x[i][0] - o[0], x[i][1] - o[1]}, side[2] = {b[0] - a[0], b[1] - a[1]};
        double rb = sqrt(b[0] * b[0] + b[1] * b[1]);
        double length = sqrt(side[0] * side[0] + side[1] * side[1]);
        if (length > 0) {
            double twice = cross2(a, b), d = fabs(twice) / length;
            double ta = (a[0] * side[0] + a[1] * side[1]) / length;
            double tb = (b[0] * side[0] + b[1] * side[1]) / length;
            double turn = d > 1e-12 * length ? d * d * asinh((tb * ra - ta * rb) / (d * d)) : 0;
            double half = 0.5 * (tb * rb - ta * ra + turn); // (31)
            rim[0] += half * side[1] / length;
            rim[1] -= half * side[0] / length;
            radii += copysign(d, twice) / 3 * half;
            area += 0.5 * twice;
        }
        a[0] = b[0], a[1] = b[1], ra = rb;
    }
    double sign = area < 0 ? -weight : weight, way = slide->w < 0 ? -sign : sign;
    double force[2] = {-way * rim[1], way * rim[0]}; // (30)
    sum->area += sign * area;
    sum->force[0] += force[0];
    sum->force[1] += force[1];
    sum->torque += way * radii + cross2(o, force);
}

void lithe_rub_add_line(LitheRub *sum, const LitheSlide *slide, double a, double b, double weight) {
    double o[2] = {-slide->v[1] / slide->w, slide->v[0] / slide->w}, d = fabs(o[1]);
    double ta = a - o[0], tb = b - o[0], ra = hypot(ta, d), rb = hypot(tb, d);
    double turn = d > 1e-12 * (b - a) ? asinh((tb * ra - ta * rb) / (d * d)) : 0;
    double way = slide->w < 0 ? -weight : weight;
    double force[2] = {way * o[1] * turn, way * (rb - ra)}; // (34)
    sum->area += weight * (b - a);
    sum->force[0] += force[0];
    sum->force[1] += force[1];
    sum->torque += 0.5 * way * (tb * rb - ta * ra - d * d * turn) + o[0] * force[1];
}

// unit direction in which a point slides; 0 where it does not
static void direction_of(const LitheSlide *slide, const double x[2], double out[2]) {
    double u = slide->v[0] - slide->w * x[1], v = slide->v[1] + slide->w * x[0];
    double speed = sqrt(u * u + v * v);
    out[0] = speed > 0 ? u / speed : 0;
    out[1] = speed > 0 ? v / speed : 0;
}

void lithe_rub_add_point(LitheRub *sum, const LitheSlide *slide, const double x[2], double part) {
    double g[2];
    direction_of(slide, x, g);
    sum->area += part;
    sum->force[0] += part * g[0];
    sum->force[1] += part * g[1];
    sum->torque += part * cross2(x, g);
}

// g of (32)
static void vector_of(const LitheSlide *slide, const double x[2], double size, double g[3]) {
    direction_of(slide, x, g);
    g[2] = cross2(x, g) / size;
}

// solves A x = b by Gauss' elimination; A is symmetric and positive definite
static void solve3(double A[3][3], double b[3]) {
    for (int k = 0; k < 3; k++)
        for (int i = k + 1; i < 3; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < 3; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++)
            b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

void lithe_rub_factors(const LitheRub *want, const LitheSlide *slide, const double (*x)[2],
                       const double *part, int count, double *factor) {
    double g[3], A[3][3] = {{0}}, parts = 0, size = sqrt(want->area), room = 1;
    double l[3] = {want->force[0] / want->area, want->force[1] / want->area,
                   want->torque / (want->area * size)};
    for (int i = 0; i < count; i++)
        parts += part[i];
    for (int i = 0; i < count; i++) {
        double p = part[i] / parts;
        vector_of(slide, x[i], size, g);
        for (int k = 0; k < 3; k++) {
            l[k] -= p * g[k];
            for (int j = 0; j < 3; j++)
                A[k][j] += p * g[k] * g[j];
        }
    }
    for (int k = 0; k < 3; k++)
        A[k][k] += ROOT;
    solve3(A, l); // (32)
    for (int i = 0; i < count; i++) {
        vector_of(slide, x[i], size, g);
        double more = g[0] * l[0] + g[1] * l[1] + g[2] * l[2];
        factor[i] = more;
        if (more > LITHE_RUB_MOST - 1)
            room = fmin(room, (LITHE_RUB_MOST - 1) / more);
        if (more < LITHE_RUB_LEAST - 1)
            room = fmin(room, (LITHE_RUB_LEAST - 1) / more);
    }
    for (int i = 0; i < count; i++)
        factor[i] = 1 + room * factor[i];
}
