// SPDX-License-Identifier: Apache-2.0
// tests/solve/lcp_arm.h - a soft arm of three sections of constant curvature over a plane, written
// as plain formulas: the source of the contact problems of tests
//
// Each section has three chambers; their elongations l are the DoFs. With the bend vector (u, w)
// and the length s of a section, linear in l, a point at a = u xi, b = w xi, sigma = a^2 + b^2 is
//     p = s xi (a C, b C, S),   R = exp([-b, a, 0]x),   C = (1 - cos psi)/psi^2,  S = sin psi/psi
// which are entire functions of sigma = psi^2. Lengths, masses, stiffness and damping are those
// of a published arm; radii, friction and the reference positions are those of a prototype of ours.

#ifndef LITHE_TESTS_LCP_ARM_H
#define LITHE_TESTS_LCP_ARM_H

#include "../test.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "solve/lcp_contact.h"

enum { ARM_SECTIONS = 3, ARM_DOFS = 9, ARM_NODES = 8, ARM_MAX_DISKS = 7, ARM_STRIDE = 12 };
enum { ARM_MAX_CONTACTS = ARM_SECTIONS * ARM_MAX_DISKS };

#define ARM_LENGTH 0.15
#define ARM_RADIUS 0.04      // of the chambers [m]
#define ARM_STIFFNESS 265.0  // of a chamber [N/m]
#define ARM_DAMPING 125.0    // N s/m
#define ARM_DISK_CORE 0.045  // m
#define ARM_DISK_ROUND 0.005 // m

typedef struct Arm {
    double l[ARM_DOFS], v[ARM_DOFS], tau[ARM_DOFS];
    Mat3 base;
    Vec3 normal;   // of the plane
    double level;  // normal . x on the plane [m]
    int32_t disks; // per section, without the plate at its tip
    double mu, h, t;
    bool implicit; // damping and stiffness at the end of the step
    LitheLcpSetting setting;
    LitheLcpContactWork work;
    LitheLcpStepReport report;
    double z[ARM_MAX_CONTACTS * ARM_STRIDE]; // of all candidates, from the last step
    // results
    double penetration;    // largest so far [m]
    int32_t newton_failed; // steps in which Lemke was needed
    int32_t weakened;
    int32_t most_contacts;
} Arm;

typedef struct ArmPoint {
    Vec3 x, bias; // position, acceleration without that of l
    Mat3 R;
    Vec3 omega, alpha;             // of the frame: velocity, acceleration without that of l
    Vec3 J[ARM_DOFS], W[ARM_DOFS]; // linear and angular Jacobian
} ArmPoint;

static inline Vec3 arm_times(Vec3 a, double s) {
    return v3_scale(s, a);
}

// f_m = sum (-1)^k sigma^k/(2k + m)! and its first two derivatives
static void arm_series(int m, double sigma, double f[3]) {
    double term = m == 3 ? 1 / 6.0 : 1.0 / m, power[3] = {1, 0, 0}; // sigma^k and derivatives
    f[0] = f[1] = f[2] = 0;
    for (int k = 0; k < 26; k++) {
        for (int d = 0; d < 3; d++)
            f[d] += term * power[d];
        if (k > 3 && fabs(term) * (power[0] + power[1] + power[2]) < 1e-20)
            break;
        term *= -1.0 / ((2 * k + m + 1) * (2 * k + m + 2));
        power[2] = power[2] * sigma + 2 * power[1];
        power[1] = power[1] * sigma + power[0];
        power[0] *= sigma;
    }
}

// advances from the frame of the base of section i to the point at xi of it
static ArmPoint arm_point(const Arm *arm, int32_t i, double xi, const ArmPoint *from) {
    const double r = ARM_RADIUS, *l = arm->l + 3 * i, *v = arm->v + 3 * i;
    double T[3][3] = {{1 / 3.0, 1 / 3.0, 1 / 3.0},
                      {-2 / (3 * r), 1 / (3 * r), 1 / (3 * r)},
                      {0, -1 / (sqrt(3) * r), 1 / (sqrt(3) * r)}};
    double y[3] = {ARM_LENGTH, 0, 0}, d[3] = {0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            y[k] += T[k][j] * l[j];
            d[k] += T[k][j] * v[j];
        }
    double s = y[0], a = y[1] * xi, b = y[2] * xi, sigma = a * a + b * b;
    double ds = d[0], da = d[1] * xi, db = d[2] * xi, dsigma = 2 * (a * da + b * db);
    double ddsigma = 2 * (da * da + db * db), S[3], C[3], E[3];
    arm_series(1, sigma, S);
    arm_series(2, sigma, C);
    arm_series(3, sigma, E);

    // local position, velocity and bias
    Vec3 f = {a * C[0], b * C[0], S[0]};
    double dC = C[1] * dsigma, dS = S[1] * dsigma, dE = E[1] * dsigma;
    double ddC = C[2] * dsigma * dsigma + C[1] * ddsigma;
    double ddS = S[2] * dsigma * dsigma + S[1] * ddsigma;
    Vec3 df = {da * C[0] + a * dC, db * C[0] + b * dC, dS};
    Vec3 ddf = {2 * da * dC + a * ddC, 2 * db * dC + b * ddC, ddS};
    Vec3 o = m3_apply(from->R, arm_times(f, s * xi));
    Vec3 dp = arm_times(v3_add(arm_times(f, ds), arm_times(df, s)), xi);
    Vec3 ddp = arm_times(v3_add(arm_times(df, 2 * ds), arm_times(ddf, s)), xi);
    Vec3 k = {-b, a, 0}, dk = {-db, da, 0}, kdk = v3_cross(k, dk);
    Vec3 om = v3_add(dk, v3_add(arm_times(kdk, C[0]), arm_times(v3_cross(k, kdk), E[0])));
    Vec3 al = v3_add(arm_times(kdk, dC),
                     v3_add(arm_times(v3_cross(k, kdk), dE), arm_times(v3_cross(dk, kdk), E[0])));
    om = m3_apply(from->R, om);
    al = m3_apply(from->R, al);

    ArmPoint p = *from;
    p.x = v3_add(from->x, o);
    p.bias = v3_add(from->bias, v3_cross(from->alpha, o));
    p.bias = v3_add(p.bias, v3_cross(from->omega, v3_cross(from->omega, o)));
    p.bias = v3_add(p.bias, arm_times(v3_cross(from->omega, m3_apply(from->R, dp)), 2));
    p.bias = v3_add(p.bias, m3_apply(from->R, ddp));
    p.omega = v3_add(from->omega, om);
    p.alpha = v3_add(from->alpha, v3_add(v3_cross(from->omega, om), al));
    Mat3 R = {{{1 - a * a * C[0], -a * b * C[0], a * S[0]},
               {-a * b * C[0], 1 - b * b * C[0], b * S[0]},
               {-a * S[0], -b * S[0], 1 - sigma * C[0]}}};
    p.R = m3_mul(from->R, R);
    for (int c = 0; c < 3 * i; c++)
        p.J[c] = v3_add(from->J[c], v3_cross(from->W[c], o));

    // own columns, by s, u and w
    Vec3 Jy[3] = {
        arm_times(f, xi),
        arm_times((Vec3){C[0] + 2 * a * a * C[1], 2 * a * b * C[1], 2 * a * S[1]}, s * xi * xi),
        arm_times((Vec3){2 * a * b * C[1], C[0] + 2 * b * b * C[1], 2 * b * S[1]}, s * xi * xi)};
    Vec3 axis[3] = {{0, 0, 0}, {0, xi, 0}, {-xi, 0, 0}}, Wy[3];
    for (int c = 0; c < 3; c++) {
        Vec3 once = v3_cross(k, axis[c]);
        Wy[c] = v3_add(axis[c], v3_add(arm_times(once, C[0]), arm_times(v3_cross(k, once), E[0])));
    }
    for (int j = 0; j < 3; j++) {
        Vec3 J = {0}, W = {0};
        for (int c = 0; c < 3; c++) {
            J = v3_add(J, arm_times(Jy[c], T[c][j]));
            W = v3_add(W, arm_times(Wy[c], T[c][j]));
        }
        p.J[3 * i + j] = m3_apply(from->R, J);
        p.W[3 * i + j] = m3_apply(from->R, W);
    }
    return p;
}

static ArmPoint arm_root(const Arm *arm) {
    ArmPoint p;
    memset(&p, 0, sizeof p);
    p.R = arm->base;
    return p;
}

static ArmPoint arm_tip(const Arm *arm) {
    ArmPoint p = arm_root(arm);
    for (int32_t i = 0; i < ARM_SECTIONS; i++)
        p = arm_point(arm, i, 1, &p);
    return p;
}

// mass matrix, and the forces G + C v of gravity and motion; 8 Gauss points per section
static void arm_dynamics(const Arm *arm, double M[ARM_DOFS][ARM_DOFS], double force[ARM_DOFS]) {
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                   0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    static const double masses[ARM_SECTIONS] = {1.17, 0.54, 0.265}; // kg
    ArmPoint base = arm_root(arm);
    memset(M, 0, sizeof(double) * ARM_DOFS * ARM_DOFS);
    memset(force, 0, sizeof(double) * ARM_DOFS);
    for (int32_t i = 0; i < ARM_SECTIONS; i++) {
        for (int q = 0; q < ARM_NODES; q++) {
            double xi = 0.5 + 0.5 * (q < 4 ? node[q] : -node[q - 4]);
            double mass = masses[i] * 0.5 * weight[q % 4];
            ArmPoint p = arm_point(arm, i, xi, &base);
            Vec3 a = v3_sub(p.bias, (Vec3){0, 0, -9.81});
            for (int c = 0; c < ARM_DOFS; c++) {
                for (int k = 0; k < ARM_DOFS; k++)
                    M[c][k] += mass * v3_dot(p.J[c], p.J[k]);
                force[c] += mass * v3_dot(p.J[c], a);
            }
        }
        base = arm_point(arm, i, 1, &base);
    }
}

static void arm_cholesky(double L[ARM_DOFS][ARM_DOFS]) {
    for (int i = 0; i < ARM_DOFS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = L[i][j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
}

// x = L\x, then x = L'\x
static void arm_forward(double L[ARM_DOFS][ARM_DOFS], double *x) {
    for (int i = 0; i < ARM_DOFS; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i][k] * x[k];
        x[i] /= L[i][i];
    }
}

static void arm_backward(double L[ARM_DOFS][ARM_DOFS], double *x) {
    for (int i = ARM_DOFS - 1; i >= 0; i--) {
        for (int k = i + 1; k < ARM_DOFS; k++)
            x[i] -= L[k][i] * x[k];
        x[i] /= L[i][i];
    }
}

typedef struct ArmProblem {
    double S[3 * ARM_MAX_CONTACTS * ARM_DOFS], v[3 * ARM_MAX_CONTACTS];
    double z[ARM_MAX_CONTACTS * ARM_STRIDE];
    LitheLcpContact contacts[ARM_MAX_CONTACTS];
    int32_t candidate[ARM_MAX_CONTACTS];
    LitheLcpRows rows;
} ArmProblem;

// contacts of the disks that touch or may touch within the step
static void arm_contacts(Arm *arm, double L[ARM_DOFS][ARM_DOFS], const double *v_free,
                         ArmProblem *p) {
    ArmPoint base = arm_root(arm);
    Vec3 n = arm->normal, e = fabs(n.x) < 0.57   ? (Vec3){1, 0, 0}
                              : fabs(n.y) < 0.57 ? (Vec3){0, 1, 0}
                                                 : (Vec3){0, 0, 1};
    Vec3 t1 = v3_unit(v3_cross(n, e)), way[3] = {n, t1, v3_cross(n, t1)};
    int32_t count = 0, stride = lithe_lcp_stride(&arm->setting);
    for (int32_t i = 0; i < ARM_SECTIONS; i++) {
        for (int32_t j = 1; j <= arm->disks + 1; j++) {
            ArmPoint d = arm_point(arm, i, (double)j / (arm->disks + 1), &base);
            Vec3 axis = m3_apply(d.R, (Vec3){0, 0, 1});
            Vec3 t = v3_sub(n, arm_times(axis, v3_dot(n, axis)));
            double size = v3_norm(t);
            Vec3 rim = size > 1e-12 ? arm_times(t, -ARM_DISK_CORE / size) : (Vec3){0};
            rim = v3_sub(rim, arm_times(n, ARM_DISK_ROUND));
            double gap = v3_dot(n, v3_add(d.x, rim)) - arm->level, speed = 0;
            double row[3][ARM_DOFS];
            arm->penetration = fmax(arm->penetration, -gap);
            for (int c = 0; c < ARM_DOFS; c++) {
                Vec3 J = v3_add(d.J[c], v3_cross(d.W[c], rim));
                for (int m = 0; m < 3; m++)
                    row[m][c] = v3_dot(J, way[m]);
                speed += row[0][c] * v_free[c];
            }
            if (!(gap < 1e-3 || gap + 2 * arm->h * fmin(speed, 0) < 0))
                continue;
            double push = gap > 0 ? 0 : 0.2 * gap / arm->h;
            for (int m = 0; m < 3; m++) {
                double *S = p->S + ARM_DOFS * (3 * count + m), v = 0;
                for (int c = 0; c < ARM_DOFS; c++) {
                    v += row[m][c] * v_free[c];
                    S[c] = row[m][c];
                }
                arm_forward(L, S);
                p->v[3 * count + m] = v + (m > 0 ? 0 : gap > 0 ? gap / arm->h : push);
            }
            p->contacts[count] = (LitheLcpContact){3 * count, 3 * count + 1, 2, arm->mu, 0, push};
            p->candidate[count] = (arm->disks + 1) * i + j - 1;
            memcpy(p->z + stride * count, arm->z + stride * p->candidate[count],
                   sizeof(double) * (size_t)stride);
            count++;
        }
        base = arm_point(arm, i, 1, &base);
    }
    p->rows = (LitheLcpRows){ARM_DOFS, 3 * count, count, p->S, p->v, NULL, p->contacts};
}

/// One step; false when out of memory.
static bool arm_step(Arm *arm, ArmProblem *p) {
    double M[ARM_DOFS][ARM_DOFS], force[ARM_DOFS], v_free[ARM_DOFS], h = arm->h;
    double impulse[3 * ARM_MAX_CONTACTS], u[ARM_DOFS];
    arm_dynamics(arm, M, force);
    for (int c = 0; c < ARM_DOFS; c++) {
        double rest = arm->tau[c] - force[c] - ARM_STIFFNESS * arm->l[c];
        v_free[c] = h * (rest - (arm->implicit ? 0 : ARM_DAMPING * arm->v[c]));
        for (int k = 0; k < ARM_DOFS; k++)
            v_free[c] += M[c][k] * arm->v[k];
    }
    for (int c = 0; arm->implicit && c < ARM_DOFS; c++)
        M[c][c] += h * ARM_DAMPING + h * h * ARM_STIFFNESS;
    arm_cholesky(M);
    arm_forward(M, v_free);
    arm_backward(M, v_free);
    arm_contacts(arm, M, v_free, p);
    if (!lithe_lcp_contacts(&p->rows, &arm->setting, &arm->work, p->z, impulse, u, &arm->report))
        return false;
    int32_t stride = lithe_lcp_stride(&arm->setting);
    memset(arm->z, 0, sizeof arm->z);
    for (int32_t i = 0; i < p->rows.contact_count; i++)
        memcpy(arm->z + stride * p->candidate[i], p->z + stride * i,
               sizeof(double) * (size_t)stride);
    arm->newton_failed += arm->report.fall_backs > 0;
    arm->weakened += arm->report.weakened != LITHE_LCP_AS_POSED;
    arm->most_contacts =
        arm->most_contacts > arm->report.contacts ? arm->most_contacts : arm->report.contacts;
    arm_backward(M, u);
    for (int c = 0; c < ARM_DOFS; c++) {
        arm->v[c] = v_free[c] + u[c];
        arm->l[c] += h * arm->v[c];
    }
    arm->t += h;
    return true;
}

/// The arm over a slope of `beta` degrees, 5 mm above it.
static void arm_begin(Arm *arm, double beta, int32_t disks, double h, bool implicit,
                      LitheContext *context) {
    double b = beta * acos(-1.0) / 180, a = b + acos(-1.0) / 2;
    memset(arm, 0, sizeof *arm);
    arm->base = (Mat3){{{cos(a), 0, sin(a)}, {0, 1, 0}, {-sin(a), 0, cos(a)}}};
    arm->normal = (Vec3){sin(b), 0, cos(b)};
    arm->level = -0.055;
    arm->disks = disks;
    arm->mu = 0.6;
    arm->h = h;
    arm->implicit = implicit;
    arm->setting = lithe_lcp_setting();
    for (int c = 0; c < ARM_DOFS; c++)
        arm->l[c] = 0.03;
    lithe_lcp_contact_work_begin(&arm->work, context);
}

/// Chamber 2 of sections 2 and 3 ramps to 40 N between 1 s and 2 s.
static void arm_drive(Arm *arm, double time) {
    arm->tau[4] = arm->tau[7] = 40 * fmin(fmax(time - 1, 0), 1);
}

#endif
