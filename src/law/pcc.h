// SPDX-License-Identifier: Apache-2.0
// law/pcc.h - kinematics of a section of constant curvature, smooth through the straight shape
//
// Three chambers stand at angles 0, 120 and 240 degrees around the centre line, at the radius r,
// with elongations l. The shape y is linear in l, and has no bending plane that a straight section
// would leave undefined (docs/theory/arms.md):
//     (X1)  s = L + (l1 + l2 + l3)/3,  u = (l2 + l3 - 2 l1)/(3 r),  w = (l3 - l2)/(sqrt(3) r)
// At the fraction xi of the section, with (a, b) = xi (u, w), sigma = a^2 + b^2, k = (-b, a, 0):
//     (X2)  p = xi s (a f2, b f2, f1),  R = exp(k)
//     (X3)  f_m(sigma) = sum over i of (-sigma)^i/(2 i + m)!
//     (X4)  df_m/dsigma = -(f_(m+1) - m f_(m+2))/2
// f1 = sin(x)/x, f2 = (1 - cos x)/x^2, f3 = (x - sin x)/x^3 with x^2 = sigma. The section bends
// away from its longest chamber.

#ifndef LITHE_LAW_PCC_H
#define LITHE_LAW_PCC_H

#include "math/joint_shape.h"
#include "math/spatial.h"

enum { LITHE_PCC_DOFS = 3 };

/// y [3] from the elongations l [3] (X1), and rates of y from rates of l.
void lithe_pcc_shape(const LitheJointShape *shape, const double *l, double *y);
void lithe_pcc_shape_rate(const LitheJointShape *shape, const double *rate, double *y_rate);

/// (X5) Replaces forces conjugate to y, or columns for unit rates of y, by those of l; `stride`
/// doubles are between the first number of one and that of the next, `count` numbers each.
void lithe_pcc_chambers(const LitheJointShape *shape, int count, int stride, double *columns);

/// (X11): the part that position k (0 to 2) has in the elongation of chamber i (from 0) of `count`.
double lithe_pcc_share(int count, int i, int k);

/// Terms of the series of f_6 and f_7, whose last one is below 1e-17 of the first up to the given
/// sigma, and the ratios of each of them to the one before; sigma = 40 is a little more than a full
/// turn.
enum { LITHE_PCC_FEW = 7, LITHE_PCC_MANY = 15 };
#define LITHE_PCC_FEW_SIGMA 1.0
#define LITHE_PCC_MANY_SIGMA 40.0
extern const double lithe_pcc_ratios[2][LITHE_PCC_MANY];

/// f [8]: f_0 to f_7 (X3).
void lithe_pcc_functions(double sigma, double *f);

/// Pose of the frame at xi in that of the base (X2).
Pose lithe_pcc_pose(const double *y, double xi);

/// (X6) Motion of the frame at xi about its own origin for unit rates of y, in the axes of the
/// base. `axes` [3]. `rates` [3], NULL or the derivative of axes in time while y moves at y_rate.
void lithe_pcc_axes(const double *y, const double *y_rate, double xi, Spatial *axes,
                    Spatial *rates);

/// The sum of those rates, each times its part of y_rate: acceleration of the frame about its own
/// origin while y moves at a constant y_rate.
Spatial lithe_pcc_axes_bias(const double *y, const double *y_rate, double xi);

/// A point of the centre line, for sums over the mass of a section.
typedef struct LithePccPoint {
    Vec3 p;        // position in the frame of the base [m]
    Vec3 slope[3]; // dp/dy
} LithePccPoint;

/// f_1, f_2, f_3, their first derivatives, and the second ones of f_1 and f_2.
typedef struct LithePccFunctions {
    double s, c, e, s1, c1, e1, s2, c2;
} LithePccFunctions;

LithePccFunctions lithe_pcc_functions_at(const double *y, double xi);

/// The point at xi, f = lithe_pcc_functions_at; `rates` [3], NULL or the derivative of its slope in
/// time.
void lithe_pcc_point(const double *y, const double *y_rate, double xi, const LithePccFunctions *f,
                     LithePccPoint *point, Vec3 *rates);

/// Acceleration of that point while y moves at a constant y_rate.
Vec3 lithe_pcc_bias(const double *y, const double *y_rate, double xi, const LithePccFunctions *f);

/// Nodes and weights of Gauss' rule on [0, 1] for those sums; with bends up to half a turn the
/// error of a mass matrix is 1e-12 of its entries.
enum { LITHE_PCC_NODES = 8 };
extern const double lithe_pcc_nodes[LITHE_PCC_NODES], lithe_pcc_weights[LITHE_PCC_NODES];

#endif
