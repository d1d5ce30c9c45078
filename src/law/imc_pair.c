// SPDX-License-Identifier: Apache-2.0
// law/imc_pair.c - repulsion of two edges of rods, and friction between them

#include "law/imc_pair.h"

#include "math/eigen.h"

#include <string.h>

bool lithe_imc_pair(const double x[12], double touch, double max, const LitheImcSetting *setting,
                    bool want_hessian, LitheImcPair *out) {
    LitheSmoothDistance near;
    if (!lithe_imc_distance(x, &setting->smooth, want_hessian, &near))
        return false;
    double c = setting->sharpness, h = 0.5 * touch, y = c * (2 - near.distance / h);
    double part = lithe_logistic(y), slope = max * c * part * (1 - part) / h;
    out->distance = near.distance;
    out->t = near.t;
    out->u = near.u;
    out->d = near.d;
    out->energy = max * h * lithe_softplus(y) / c; // (I9)
    out->force = max * part;
    for (int i = 0; i < 12; i++)
        out->gradient[i] = -out->force * near.gradient[i];
    for (int i = 0; want_hessian && i < 12; i++)
        for (int j = 0; j < 12; j++)
            out->hessian[12 * i + j] =
                slope * near.gradient[i] * near.gradient[j] - out->force * near.hessian[12 * i + j];
    return true;
}

int32_t lithe_imc_project(LitheImcPair *pair) {
    double work[LITHE_PROJECT_WORK(12)];
    // rounding makes the two halves slightly different
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++)
            pair->hessian[12 * j + i] = pair->hessian[12 * i + j];
    return lithe_project_psd(12, pair->hessian, work);
}

// --- glide ---------------------------------------------------------------------------------------

// velocity of the midpoint of the first edge relative to that of the second
static Vec3 middles(const double v[12]) {
    Vec3 first = v3_add(v3_load(v), v3_load(v + 3)),
         second = v3_add(v3_load(v + 6), v3_load(v + 9));
    return v3_scale(0.5, v3_sub(first, second));
}

// derivative of the friction on the first edge with respect to G
static Mat3 glide_slope(Vec3 v, Vec3 n, Vec3 tangent, double speed, double h, double gamma,
                        const LitheGlideSetting *s) {
    double dgamma = s->k / h * gamma * (1 - gamma);
    Mat3 along = m3_outer(tangent, tangent);
    Mat3 phi =
        m3_add(m3_scale(dgamma - gamma / speed, along), m3_scale(gamma / speed, m3_identity()));
    Mat3 square = m3_sub(m3_identity(), m3_outer(n, n));
    Mat3 turn = m3_add(m3_scale(-v3_dot(v, n), m3_identity()), m3_scale(-1, m3_outer(n, v)));
    Mat3 by_n = m3_mul(phi, m3_mul(turn, square)); // F cancels in F dn/dG
    return m3_scale(-s->mu, m3_add(m3_scale(gamma, m3_outer(tangent, n)), by_n));
}

void lithe_imc_glide(const double gradient[12], const double *hessian, double touch,
                     const double v[12], const LitheGlideSetting *setting, double force[12],
                     double *jacobian) {
    Vec3 G = v3_neg(v3_add(v3_load(gradient), v3_load(gradient + 3)));
    double F = v3_norm(G), h = 0.5 * touch;
    Vec3 n = v3_unit(G), relative = middles(v);
    Vec3 vT = v3_axpy(-v3_dot(relative, n), n, relative); // (I10)
    double speed = v3_norm(vT), gamma = lithe_logistic(setting->k * (speed / h - setting->g));
    memset(force, 0, 12 * sizeof *force);
    if (hessian)
        memset(jacobian, 0, 144 * sizeof *jacobian);
    // without sliding or normal force there is no friction
    if (!(speed > 0) || !(F > 0))
        return;
    Vec3 tangent = v3_scale(1 / speed, vT);
    Vec3 f = v3_scale(-0.5 * setting->mu * gamma * F, tangent); // (I11)
    for (int p = 0; p < 4; p++)
        v3_store(p < 2 ? f : v3_neg(f), force + 3 * p);
    if (!hessian)
        return;
    Mat3 slope = glide_slope(relative, n, tangent, speed, h, gamma, setting);
    for (int column = 0; column < 12; column++) {
        Vec3 dG = v3(0, 0, 0);
        for (int p = 0; p < 2; p++) {
            const double *row = hessian + 36 * p + column;
            dG = v3_sub(dG, v3(row[0], row[12], row[24]));
        }
        Vec3 df = v3_scale(0.5, m3_apply(slope, dG));
        for (int p = 0; p < 4; p++) {
            double sign = p < 2 ? 1 : -1;
            jacobian[12 * (3 * p) + column] = sign * df.x;
            jacobian[12 * (3 * p + 1) + column] = sign * df.y;
            jacobian[12 * (3 * p + 2) + column] = sign * df.z;
        }
    }
}

// --- stick ---------------------------------------------------------------------------------------

// rows of J for one edge, times sign: velocity of the point at `arm` from the place s (V20)
static void edge_rows(Vec3 e, double s, Vec3 arm, double sign, int at, double J[3][16]) {
    double inverse = 1 / v3_norm(e);
    Vec3 t = v3_scale(inverse, e);
    for (int k = 0; k < 3; k++) {
        Vec3 a = v3(k == 0 ? sign : 0, k == 1 ? sign : 0, k == 2 ? sign : 0);
        Vec3 m = v3_cross(arm, a), turn = v3_scale(inverse, v3_cross(m, t));
        v3_store(v3_sub(v3_scale(1 - s, a), turn), J[k] + at);
        v3_store(v3_add(v3_scale(s, a), turn), J[k] + at + 4);
        J[k][at + 3] = v3_dot(m, t);
        J[k][at + 7] = 0;
    }
}

void lithe_imc_surface(const double x[12], double t, double u, double fraction, bool surface,
                       double J[3][16]) {
    Vec3 x0 = v3_load(x), x2 = v3_load(x + 6);
    Vec3 a = v3_sub(v3_load(x + 3), x0), b = v3_sub(v3_load(x + 9), x2);
    Vec3 d = surface ? v3_sub(v3_axpy(t, a, x0), v3_axpy(u, b, x2)) : v3(0, 0, 0);
    edge_rows(a, t, v3_scale(-fraction, d), 1, 0, J);
    edge_rows(b, u, v3_scale(1 - fraction, d), -1, 8, J);
}

double lithe_imc_stick(Vec3 slip, double bound, double e, Vec3 *gradient, Mat3 *hessian) {
    double y = v3_norm(slip), z = y / e;
    // f/y and f', f the force over its bound
    double over = z < 1 ? (2 - z) / e : 1 / y, slope = z < 1 ? 2 * (1 - z) / e : 0;
    *gradient = v3_scale(bound * over, slip);
    Vec3 along = hessian ? v3_unit(slip) : slip;
    if (hessian)
        *hessian = m3_add(m3_scale(bound * over, m3_identity()),
                          m3_scale(bound * (slope - over), m3_outer(along, along)));
    return bound * (z < 1 ? y * (z - z * z / 3) : y - e / 3); // (I13)
}

// (I17): returns eta; its derivative in *slope, the direction of the slip in *along
static double eta_of(Vec3 slip, double e, double *slope, Vec3 *along) {
    double y = v3_norm(slip), z = y / e;
    *along = y > 0 ? v3_scale(1 / y, slip) : slip;
    *slope = z < 1 ? 1 / ((2 - z) * (2 - z)) : 1;
    return z < 1 ? e / (2 - z) : y;
}

Mat3 lithe_imc_stick_slope(Vec3 slip, Vec3 z, double bound, double e) {
    double slope;
    Vec3 along;
    double eta = eta_of(slip, e, &slope, &along);
    // (I18)
    return m3_scale(bound / eta,
                    m3_sub(m3_identity(), m3_scale(slope, m3_sym(m3_outer(z, along)))));
}

Vec3 lithe_imc_stick_aim(Vec3 slip, Vec3 ds, Vec3 z, double e) {
    double slope;
    Vec3 along;
    double eta = eta_of(slip, e, &slope, &along);
    Vec3 out = v3_scale(1 / eta, v3_axpy(-slope * v3_dot(along, ds), z, v3_add(slip, ds))); // (I19)
    double length = v3_norm(out);
    return length > 1 ? v3_scale(1 / length, out) : out;
}
