// SPDX-License-Identifier: Apache-2.0
// law/joint.c - kinematics of one joint, kind by kind

#include "law/joint.h"

#include "law/pcc.h"

#include <string.h>

int32_t lithe_joint_q_count(LitheJointKind kind) {
    static const int32_t count[] = {0, 1, 1, 1, 4, 3, 7, 3};
    return count[kind];
}

static Quat load(const double *q) {
    return (Quat){q[0], q[1], q[2], q[3]};
}

static void store(Quat a, double *q) {
    q[0] = a.w;
    q[1] = a.x;
    q[2] = a.y;
    q[3] = a.z;
}

void lithe_joint_zero(LitheJointKind kind, double *q) {
    int32_t count = lithe_joint_q_count(kind);
    for (int32_t i = 0; i < count; i++)
        q[i] = 0;
    if (kind == LITHE_JOINT_BALL)
        q[0] = 1;
    if (kind == LITHE_JOINT_FREE)
        q[3] = 1;
}

Pose lithe_joint_pose(LitheJointKind kind, const LitheJointShape *shape, const double *q) {
    const Vec3 z = {0, 0, 1};
    switch (kind) {
    case LITHE_JOINT_WELD:
        return pose_identity();
    case LITHE_JOINT_REVOLUTE:
        return (Pose){q4_axis_angle(z, q[0]), v3(0, 0, 0)};
    case LITHE_JOINT_PRISMATIC:
        return (Pose){q4_identity(), v3(0, 0, q[0])};
    case LITHE_JOINT_SCREW:
        return (Pose){q4_axis_angle(z, q[0]), v3(0, 0, shape->pitch * q[0])};
    case LITHE_JOINT_BALL:
        return (Pose){load(q), v3(0, 0, 0)};
    case LITHE_JOINT_PLANAR:
        return (Pose){q4_axis_angle(z, q[2]), v3(q[0], q[1], 0)};
    case LITHE_JOINT_FREE:
        return (Pose){load(q + 3), v3_load(q)};
    case LITHE_JOINT_SECTION: {
        double y[LITHE_PCC_DOFS];
        lithe_pcc_shape(shape, q, y);
        return lithe_pcc_pose(y, shape->along);
    }
    }
    return pose_identity();
}

Pose lithe_joint_after(Pose before, LitheJointKind kind, const LitheJointShape *shape,
                       const double *q) {
    if (kind != LITHE_JOINT_REVOLUTE)
        return pose_mul(before, lithe_joint_pose(kind, shape, q));
    // without products with zero: the rotation is about z
    Quat a = before.rotation;
    double angle = fabs(q[0]), c = cos(0.5 * angle);
    double s = q[0] * (angle < 1e-4 ? 0.5 - angle * angle / 48 : sin(0.5 * angle) / angle);
    Quat turned = {a.w * c - a.z * s, a.x * c + a.y * s, a.y * c - a.x * s, a.w * s + a.z * c};
    return (Pose){turned, before.at};
}

// axes of a section, and their rates at v unless it is NULL
static void section_axes(const LitheJointShape *shape, const double *q, const double *v,
                         Spatial *axes, Spatial *rates) {
    enum { STRIDE = sizeof(Spatial) / sizeof(double) };
    double y[LITHE_PCC_DOFS], y_rate[LITHE_PCC_DOFS];
    lithe_pcc_shape(shape, q, y);
    if (v)
        lithe_pcc_shape_rate(shape, v, y_rate);
    lithe_pcc_axes(y, y_rate, shape->along, axes, v ? rates : NULL);
    lithe_pcc_chambers(shape, STRIDE, STRIDE, &axes->ang.x);
    if (v)
        lithe_pcc_chambers(shape, STRIDE, STRIDE, &rates->ang.x);
}

void lithe_joint_axis_rates(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                            const double *v, Spatial *rates) {
    Spatial axes[LITHE_JOINT_MAX_V];
    if (kind == LITHE_JOINT_SECTION) {
        section_axes(shape, q, v, axes, rates);
        return;
    }
    for (int32_t k = 0; k < lithe_joint_v_count(kind); k++)
        rates[k] = sp_zero();
}

Spatial lithe_joint_axis_drift(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                               const double *v) {
    double y[LITHE_PCC_DOFS], rate[LITHE_PCC_DOFS];
    if (kind != LITHE_JOINT_SECTION)
        return sp_zero();
    lithe_pcc_shape(shape, q, y);
    lithe_pcc_shape_rate(shape, v, rate);
    return lithe_pcc_axes_bias(y, rate, shape->along);
}

void lithe_joint_axes(LitheJointKind kind, const LitheJointShape *shape, const double *q,
                      Spatial *axes) {
    static const Vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Vec3 none = {0, 0, 0};
    switch (kind) {
    case LITHE_JOINT_WELD:
        break;
    case LITHE_JOINT_REVOLUTE:
        axes[0] = (Spatial){e[2], none};
        break;
    case LITHE_JOINT_PRISMATIC:
        axes[0] = (Spatial){none, e[2]};
        break;
    case LITHE_JOINT_SCREW:
        axes[0] = (Spatial){e[2], v3(0, 0, shape->pitch)};
        break;
    case LITHE_JOINT_BALL:
        for (int k = 0; k < 3; k++)
            axes[k] = (Spatial){q4_rotate(load(q), e[k]), none};
        break;
    case LITHE_JOINT_PLANAR:
        axes[0] = (Spatial){none, e[0]};
        axes[1] = (Spatial){none, e[1]};
        axes[2] = (Spatial){e[2], none};
        break;
    case LITHE_JOINT_FREE:
        for (int k = 0; k < 3; k++) {
            axes[k] = (Spatial){none, e[k]};
            axes[3 + k] = (Spatial){e[k], none};
        }
        break;
    case LITHE_JOINT_SECTION:
        section_axes(shape, q, NULL, axes, NULL);
        break;
    }
}

void lithe_joint_advance(LitheJointKind kind, const double *q, const double *d, double *out) {
    if (kind == LITHE_JOINT_BALL) {
        store(q4_unit(q4_mul(load(q), q4_exp(v3_load(d)))), out);
        return;
    }
    if (kind == LITHE_JOINT_FREE) {
        v3_store(v3_add(v3_load(q), v3_load(d)), out);
        store(q4_unit(q4_mul(q4_exp(v3_load(d + 3)), load(q + 3))), out + 3);
        return;
    }
    int32_t count = lithe_joint_v_count(kind);
    for (int32_t i = 0; i < count; i++)
        out[i] = q[i] + d[i];
}

void lithe_joint_difference(LitheJointKind kind, const double *q0, const double *q1, double *d) {
    if (kind == LITHE_JOINT_BALL) {
        v3_store(q4_log(q4_mul(q4_conj(load(q0)), load(q1))), d);
        return;
    }
    if (kind == LITHE_JOINT_FREE) {
        v3_store(v3_sub(v3_load(q1), v3_load(q0)), d);
        v3_store(q4_log(q4_mul(load(q1 + 3), q4_conj(load(q0 + 3)))), d + 3);
        return;
    }
    int32_t count = lithe_joint_v_count(kind);
    for (int32_t i = 0; i < count; i++)
        d[i] = q1[i] - q0[i];
}

// B is the identity except for rotations. There B = J(side d), J being so3_slope of math/spatial.h:
// side is -1 when the angular velocity is in the child's axes, 1 when it is in the parent's. B' =
// B(-d). Returns the first rotational DoF of the joint, or -1.
static int turn_of(LitheJointKind kind, double *side) {
    *side = kind == LITHE_JOINT_BALL ? -1 : 1;
    return kind == LITHE_JOINT_BALL ? 0 : kind == LITHE_JOINT_FREE ? 3 : -1;
}

// out = J p of rotations, J being `slope` of -side d; other DoFs are copied
static inline void turn_part(LitheJointKind kind, Mat3 (*slope)(Vec3), const double *d,
                             const double *p, double *out) {
    double side;
    int turn = turn_of(kind, &side);
    if (out != p)
        memcpy(out, p, (size_t)lithe_joint_v_count(kind) * sizeof *out);
    if (turn < 0)
        return;
    Mat3 b = slope(v3_scale(-side, v3_load(d + turn)));
    v3_store(m3_apply(b, v3_load(out + turn)), out + turn);
}

void lithe_joint_pull(LitheJointKind kind, const double *d, const double *p, double *out) {
    turn_part(kind, so3_slope, d, p, out);
}

void lithe_joint_push(LitheJointKind kind, const double *d, const double *p, double *out) {
    turn_part(kind, so3_slope_inverse, d, p, out);
}
