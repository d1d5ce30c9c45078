// SPDX-License-Identifier: Apache-2.0
// math/mat3.h - 3x3 matrices by value, row-major

#ifndef LITHE_MATH_MAT3_H
#define LITHE_MATH_MAT3_H

#include "math/vec3.h"

typedef struct Mat3 {
    double m[3][3]; // m[row][column]
} Mat3;

static inline Mat3 m3_zero(void) {
    return (Mat3){{{0}}};
}

static inline Mat3 m3_diag(double a, double b, double c) {
    return (Mat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

static inline Mat3 m3_identity(void) {
    return m3_diag(1, 1, 1);
}

static inline Mat3 m3_columns(Vec3 a, Vec3 b, Vec3 c) {
    return (Mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

static inline Vec3 m3_column(Mat3 a, int j) {
    return (Vec3){a.m[0][j], a.m[1][j], a.m[2][j]};
}

/// a b^T
static inline Mat3 m3_outer(Vec3 a, Vec3 b) {
    return (Mat3){{{a.x * b.x, a.x * b.y, a.x * b.z},
                   {a.y * b.x, a.y * b.y, a.y * b.z},
                   {a.z * b.x, a.z * b.y, a.z * b.z}}};
}

/// [a]x, so that [a]x b = a x b
static inline Mat3 m3_cross(Vec3 a) {
    return (Mat3){{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
}

static inline Mat3 m3_add(Mat3 a, Mat3 b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] += b.m[i][j];
    return a;
}

static inline Mat3 m3_sub(Mat3 a, Mat3 b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] -= b.m[i][j];
    return a;
}

static inline Mat3 m3_scale(double s, Mat3 a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] *= s;
    return a;
}

/// a + s b
static inline Mat3 m3_axpy(double s, Mat3 b, Mat3 a) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] += s * b.m[i][j];
    return a;
}

static inline Mat3 m3_transpose(Mat3 a) {
    return (Mat3){{{a.m[0][0], a.m[1][0], a.m[2][0]},
                   {a.m[0][1], a.m[1][1], a.m[2][1]},
                   {a.m[0][2], a.m[1][2], a.m[2][2]}}};
}

/// (a + a^T)/2
static inline Mat3 m3_sym(Mat3 a) {
    return m3_scale(0.5, m3_add(a, m3_transpose(a)));
}

static inline Vec3 m3_apply(Mat3 a, Vec3 b) {
    return (Vec3){a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z,
                  a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z,
                  a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z};
}

static inline Mat3 m3_mul(Mat3 a, Mat3 b) {
    Mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return c;
}

static inline double m3_det(Mat3 a) {
    return v3_dot(v3_cross(m3_column(a, 0), m3_column(a, 1)), m3_column(a, 2));
}

/// x = A\b by Cramer's rule
static inline Vec3 m3_solve(Mat3 a, Vec3 b) {
    Vec3 x = m3_column(a, 0), y = m3_column(a, 1), z = m3_column(a, 2);
    double det = v3_dot(x, v3_cross(y, z));
    return v3((v3_dot(b, v3_cross(y, z))) / det, v3_dot(x, v3_cross(b, z)) / det,
              v3_dot(x, v3_cross(y, b)) / det);
}

#endif
