// SPDX-License-Identifier: Apache-2.0
// law/pcc.c - kinematics of a section of constant curvature

#include "law/pcc.h"

#include <math.h>
#include <stddef.h>

const double lithe_pcc_nodes[LITHE_PCC_NODES] = {
    0.01985507175123188416, 0.10166676129318663020, 0.23723379504183550709, 0.40828267875217509753,
    0.59171732124782490247, 0.76276620495816449291, 0.89833323870681336980, 0.98014492824876811584,
};
const double lithe_pcc_weights[LITHE_PCC_NODES] = {
    0.05061426814518812958, 0.11119051722668723527, 0.15685332293894364367, 0.18134189168918099148,
    0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527, 0.05061426814518812958,
};

// --- chambers and shape --------------------------------------------------------------------------

#define SQRT3 1.7320508075688772935

void lithe_pcc_shape_rate(const LitheJointShape *shape, const double *rate, double *y_rate) {
    double sum = rate[0] + rate[1] + rate[2];
    y_rate[0] = sum / 3;
    y_rate[1] = (rate[1] + rate[2] - 2 * rate[0]) / (3 * shape->radius);
    y_rate[2] = (rate[2] - rate[1]) / (SQRT3 * shape->radius);
}

void lithe_pcc_shape(const LitheJointShape *shape, const double *l, double *y) {
    lithe_pcc_shape_rate(shape, l, y); // (X1)
    y[0] += shape->length;
}

double lithe_pcc_share(int count, int i, int k) {
    return (1 + 2 * cos(2 * M_PI * ((double)i / count - k / 3.0))) / 3;
}

void lithe_pcc_chambers(const LitheJointShape *shape, int count, int stride, double *columns) {
    double third = 1 / (3 * shape->radius), side = 1 / (SQRT3 * shape->radius);
    for (int i = 0; i < count; i++) {
        double *c = columns + i, s = c[0] / 3, u = third * c[stride], w = side * c[2 * stride];
        c[0] = s - 2 * u; // (X5)
        c[stride] = s + u - w;
        c[2 * stride] = s + u + w;
    }
}

// --- the functions -------------------------------------------------------------------------------

// terms of f_0 and f_1 up to LITHE_PCC_FEW_SIGMA, as in law/pcc.h
enum { SHORT = 8 };

const double lithe_pcc_ratios[2][LITHE_PCC_MANY] = {
    {1.0 / 56, 1.0 / 90, 1.0 / 132, 1.0 / 182, 1.0 / 240, 1.0 / 306, 1.0 / 380, 1.0 / 462,
     1.0 / 552, 1.0 / 650, 1.0 / 756, 1.0 / 870, 1.0 / 992, 1.0 / 1122, 1.0 / 1260},
    {1.0 / 72, 1.0 / 110, 1.0 / 156, 1.0 / 210, 1.0 / 272, 1.0 / 342, 1.0 / 420, 1.0 / 506,
     1.0 / 600, 1.0 / 702, 1.0 / 812, 1.0 / 930, 1.0 / 1056, 1.0 / 1190, 1.0 / 1332},
};

void lithe_pcc_functions(double sigma, double *f) {
    if (sigma > LITHE_PCC_MANY_SIGMA) {
        double x = sqrt(sigma), factorial = 1;
        f[0] = cos(x);
        f[1] = sin(x) / x;
        for (int m = 0; m + 2 < 8; m++) {
            f[m + 2] = (1 / factorial - f[m]) / sigma;
            factorial *= m + 1;
        }
        return;
    }
    // f_6 and f_7 by Horner's rule: the terms only fall, so that nothing cancels; then
    // f_m = 1/m! - sigma f_(m+2)
    double a = 1, b = 1;
    for (int i = sigma <= LITHE_PCC_FEW_SIGMA ? LITHE_PCC_FEW : LITHE_PCC_MANY; i-- > 0;) {
        a = 1 - a * (sigma * lithe_pcc_ratios[0][i]);
        b = 1 - b * (sigma * lithe_pcc_ratios[1][i]);
    }
    f[7] = b / 5040;
    f[6] = a / 720;
    f[5] = 1.0 / 120 - sigma * f[7];
    f[4] = 1.0 / 24 - sigma * f[6];
    f[3] = 1.0 / 6 - sigma * f[5];
    f[2] = 0.5 - sigma * f[4];
    f[1] = 1 - sigma * f[3];
    f[0] = 1 - sigma * f[2];
}

// f0 and f1 alone
static void half_functions(double sigma, double *f0, double *f1) {
    static const double ratio[2][SHORT] = {
        {1.0 / 2, 1.0 / 12, 1.0 / 30, 1.0 / 56, 1.0 / 90, 1.0 / 132, 1.0 / 182, 1.0 / 240},
        {1.0 / 6, 1.0 / 20, 1.0 / 42, 1.0 / 72, 1.0 / 110, 1.0 / 156, 1.0 / 210, 1.0 / 272},
    };
    double a = 1, b = 1;
    if (sigma > LITHE_PCC_FEW_SIGMA) {
        double x = sqrt(sigma);
        *f0 = cos(x);
        *f1 = sin(x) / x;
        return;
    }
    for (int i = SHORT; i-- > 0;) {
        a = 1 - a * (sigma * ratio[0][i]);
        b = 1 - b * (sigma * ratio[1][i]);
    }
    *f0 = a;
    *f1 = b;
}

// (X4)
LithePccFunctions lithe_pcc_functions_at(const double *y, double xi) {
    double a = xi * y[1], b = xi * y[2], f[8], slope[6];
    lithe_pcc_functions(a * a + b * b, f);
    for (int m = 1; m < 6; m++)
        slope[m] = -0.5 * (f[m + 1] - m * f[m + 2]);
    return (LithePccFunctions){.s = f[1],
                               .c = f[2],
                               .e = f[3],
                               .s1 = slope[1],
                               .c1 = slope[2],
                               .e1 = slope[3],
                               .s2 = -0.5 * (slope[2] - slope[3]),
                               .c2 = -0.5 * (slope[3] - 2 * slope[4])};
}

// --- points and frames ---------------------------------------------------------------------------

Pose lithe_pcc_pose(const double *y, double xi) {
    // with c and g = f0 and f1 of half the angle: f1 = g c, f2 = g^2/2
    double a = xi * y[1], b = xi * y[2], c, g;
    half_functions(0.25 * (a * a + b * b), &c, &g);
    double long_part = xi * y[0], side = 0.5 * long_part * g * g;
    return (Pose){{c, -0.5 * g * b, 0.5 * g * a, 0}, {side * a, side * b, long_part * g * c}};
}

void lithe_pcc_point(const double *y, const double *y_rate, double xi, const LithePccFunctions *f,
                     LithePccPoint *point, Vec3 *rates) {
    double s = y[0], a = xi * y[1], b = xi * y[2], c1 = f->c1;
    Vec3 shape = {a * f->c, b * f->c, f->s};
    Vec3 by_u = {f->c + 2 * a * a * c1, 2 * a * b * c1, 2 * a * f->s1};
    Vec3 by_w = {2 * a * b * c1, f->c + 2 * b * b * c1, 2 * b * f->s1};
    point->p = v3_scale(xi * s, shape);
    point->slope[0] = v3_scale(xi, shape);
    point->slope[1] = v3_scale(xi * xi * s, by_u);
    point->slope[2] = v3_scale(xi * xi * s, by_w);
    if (!rates)
        return;
    double s_rate = y_rate[0], da = xi * y_rate[1], db = xi * y_rate[2];
    double dsigma = 2 * (a * da + b * db), dc = c1 * dsigma, dc1 = f->c2 * dsigma;
    double ds1 = f->s2 * dsigma, mixed = 2 * (da * b + a * db) * c1 + 2 * a * b * dc1;
    Vec3 du = {dc + 4 * a * da * c1 + 2 * a * a * dc1, mixed, 2 * (da * f->s1 + a * ds1)};
    Vec3 dw = {mixed, dc + 4 * b * db * c1 + 2 * b * b * dc1, 2 * (db * f->s1 + b * ds1)};
    rates[0] = v3_scale(xi, v3(da * f->c + a * dc, db * f->c + b * dc, f->s1 * dsigma));
    rates[1] = v3_scale(xi * xi, v3_axpy(s, du, v3_scale(s_rate, by_u)));
    rates[2] = v3_scale(xi * xi, v3_axpy(s, dw, v3_scale(s_rate, by_w)));
}

// p = xi s g, g = (a f2, b f2, f1)
Vec3 lithe_pcc_bias(const double *y, const double *y_rate, double xi, const LithePccFunctions *f) {
    double a = xi * y[1], b = xi * y[2], da = xi * y_rate[1], db = xi * y_rate[2];
    double sigma1 = 2 * (a * da + b * db), sigma2 = 2 * (da * da + db * db);
    double c1 = f->c1 * sigma1, c2 = f->c2 * sigma1 * sigma1 + f->c1 * sigma2;
    double s1 = f->s1 * sigma1, s2 = f->s2 * sigma1 * sigma1 + f->s1 * sigma2;
    Vec3 g1 = {da * f->c + a * c1, db * f->c + b * c1, s1};
    Vec3 g2 = {2 * da * c1 + a * c2, 2 * db * c1 + b * c2, s2};
    return v3_scale(xi, v3_axpy(2 * y_rate[0], g1, v3_scale(y[0], g2)));
}

void lithe_pcc_axes(const double *y, const double *y_rate, double xi, Spatial *axes,
                    Spatial *rates) {
    double a = xi * y[1], b = xi * y[2];
    LithePccFunctions f = lithe_pcc_functions_at(y, xi);
    LithePccPoint point;
    Vec3 slope_rates[3];
    lithe_pcc_point(y, y_rate, xi, &f, &point, rates ? slope_rates : NULL);
    const Vec3 k = {-b, a, 0}, by[3] = {{0, 0, 0}, {0, xi, 0}, {-xi, 0, 0}}; // dk/dy
    for (int i = 0; i < 3; i++) {
        // (X6) J e = e + f2 k x e + f3 k x (k x e), e = dk/dy
        Vec3 once = v3_cross(k, by[i]), twice = v3_cross(k, once);
        axes[i].ang = v3_axpy(f.e, twice, v3_axpy(f.c, once, by[i]));
        axes[i].lin = point.slope[i];
        if (!rates)
            continue;
        Vec3 dk = {-xi * y_rate[2], xi * y_rate[1], 0};
        double dsigma = 2 * v3_dot(k, dk);
        Vec3 d_once = v3_cross(dk, by[i]);
        Vec3 d_twice = v3_add(v3_cross(dk, once), v3_cross(k, d_once));
        Vec3 moved = v3_axpy(f.c, d_once, v3_scale(f.c1 * dsigma, once));
        rates[i].ang = v3_add(moved, v3_axpy(f.e, d_twice, v3_scale(f.e1 * dsigma, twice)));
        rates[i].lin = slope_rates[i];
    }
}

// d(J k')/dt of (X6) at a constant k': k' x k' is zero
Spatial lithe_pcc_axes_bias(const double *y, const double *y_rate, double xi) {
    LithePccFunctions f = lithe_pcc_functions_at(y, xi);
    Vec3 k = {-xi * y[2], xi * y[1], 0}, dk = {-xi * y_rate[2], xi * y_rate[1], 0};
    double dsigma = 2 * v3_dot(k, dk);
    Vec3 once = v3_cross(k, dk), twice = v3_cross(k, once);
    Vec3 ang = v3_axpy(f.c1 * dsigma, once, v3_scale(f.e1 * dsigma, twice));
    return (Spatial){v3_axpy(f.e, v3_cross(dk, once), ang), lithe_pcc_bias(y, y_rate, xi, &f)};
}
