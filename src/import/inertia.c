// SPDX-License-Identifier: Apache-2.0
// import/inertia.c - mass, centre of mass and inertia of shapes: transforms and sums

#include "import/import.h"
#include "math/eigen.h"

#include <math.h>
#include <stdio.h>

// --- shapes of density 1, in their own frames ----------------------------------------------------

static LitheInertia box(Vec3 size) {
    double m = size.x * size.y * size.z;
    double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z;
    return (LitheInertia){
        m, {0, 0, 0}, m3_diag(m * (y + z) / 12, m * (x + z) / 12, m * (x + y) / 12)};
}

static LitheInertia ellipsoid(Vec3 size) {
    double m = M_PI / 6 * size.x * size.y * size.z;
    double x = size.x * size.x / 20, y = size.y * size.y / 20, z = size.z * size.z / 20;
    return (LitheInertia){m, {0, 0, 0}, m3_diag(m * (y + z), m * (x + z), m * (x + y))};
}

static LitheInertia cylinder(double r, double length) {
    double m = M_PI * r * r * length;
    double across = m * (r * r / 4 + length * length / 12);
    return (LitheInertia){m, {0, 0, 0}, m3_diag(across, across, m * r * r / 2)};
}

// a cylinder and two hemispheres, whose centres of mass lie 3r/8 beyond its ends
static LitheInertia capsule(double r, double length) {
    LitheInertia all = cylinder(r, length);
    double m = 4.0 / 3 * M_PI * r * r * r, h = length / 2;
    double along = 0.4 * m * r * r;
    double across = along + m * (h * h + 0.75 * r * h);
    all.mass += m;
    all.about = m3_add(all.about, m3_diag(across, across, along));
    return all;
}

// Sum over the signed tetrahedra (0, a, b, c): volume det/6, first moments
// det/24 (a + b + c), second moments det/120 (s s' + a a' + b b' + c c') with s = a + b + c.
static LitheInertia mesh(const LitheGeomDef *geom) {
    double volume = 0;
    Vec3 first = {0};
    Mat3 second = m3_zero();
    for (int32_t t = 0; t < geom->triangle_count; t++) {
        const int32_t *k = geom->triangles + 3 * (size_t)t;
        Vec3 a = geom->points[k[0]], b = geom->points[k[1]], c = geom->points[k[2]];
        Vec3 s = v3_add(a, v3_add(b, c));
        double det = v3_dot(a, v3_cross(b, c));
        volume += det / 6;
        first = v3_axpy(det / 24, s, first);
        second = m3_axpy(det / 120, m3_outer(s, s), second);
        second = m3_axpy(det / 120, m3_outer(a, a), second);
        second = m3_axpy(det / 120, m3_outer(b, b), second);
        second = m3_axpy(det / 120, m3_outer(c, c), second);
    }
    // a mirrored mesh has the opposite orientation
    if (volume < 0) {
        volume = -volume;
        first = v3_neg(first);
        second = m3_scale(-1, second);
    }
    if (!(volume > 0))
        return (LitheInertia){0};
    Vec3 centre = v3_scale(1 / volume, first);
    second = m3_axpy(-volume, m3_outer(centre, centre), second);
    double trace = second.m[0][0] + second.m[1][1] + second.m[2][2];
    return (LitheInertia){volume, centre, m3_sub(m3_diag(trace, trace, trace), second)};
}

LitheInertia lithe_inertia_of_shape(const LitheGeomDef *geom) {
    switch (geom->kind) {
    case LITHE_GEOM_SPHERE:
        return ellipsoid(v3(2 * geom->radius, 2 * geom->radius, 2 * geom->radius));
    case LITHE_GEOM_CAPSULE:
        return capsule(geom->radius, geom->length);
    case LITHE_GEOM_CYLINDER:
        return cylinder(geom->radius, geom->length);
    case LITHE_GEOM_BOX:
        return box(geom->size);
    case LITHE_GEOM_ELLIPSOID:
        return ellipsoid(geom->size);
    case LITHE_GEOM_CONVEX_MESH:
    case LITHE_GEOM_TRIANGLE_MESH:
        return mesh(geom);
    default:
        return (LitheInertia){0};
    }
}

// --- sums ----------------------------------------------------------------------------------------

LitheInertia lithe_inertia_scale(double factor, LitheInertia a) {
    return (LitheInertia){factor * a.mass, a.centre, m3_scale(factor, a.about)};
}

LitheInertia lithe_inertia_move(LitheFrame frame, LitheInertia a) {
    Mat3 r = q4_matrix(frame.q);
    Mat3 about = m3_mul(r, m3_mul(a.about, m3_transpose(r)));
    return (LitheInertia){a.mass, frame_point(frame, a.centre), m3_sym(about)};
}

/// Inertia of a point mass m at d: m (d'd 1 - d d').
static Mat3 steiner(double m, Vec3 d) {
    double dd = v3_dot(d, d);
    return m3_scale(m, m3_sub(m3_diag(dd, dd, dd), m3_outer(d, d)));
}

LitheInertia lithe_inertia_add(LitheInertia a, LitheInertia b) {
    double mass = a.mass + b.mass;
    if (!(mass > 0))
        return (LitheInertia){0};
    Vec3 centre = v3_axpy(a.mass / mass, a.centre, v3_scale(b.mass / mass, b.centre));
    Mat3 about = m3_add(a.about, steiner(a.mass, v3_sub(a.centre, centre)));
    about = m3_add(about, m3_add(b.about, steiner(b.mass, v3_sub(b.centre, centre))));
    return (LitheInertia){mass, centre, about};
}

bool lithe_inertia_is_valid(LitheInertia a, char *why, size_t size) {
    double value[3], work[LITHE_EIGEN_WORK(3)];
    if (!(a.mass > 0) || !isfinite(a.mass)) {
        snprintf(why, size, "mass is %g kg, must be > 0", a.mass);
        return false;
    }
    if (!lithe_eigen_symmetric(3, &a.about.m[0][0], value, work)) {
        snprintf(why, size, "inertia is not finite");
        return false;
    }
    if (!(value[0] > 0)) {
        snprintf(why, size, "inertia has a principal moment of %g kg m^2, must be > 0", value[0]);
        return false;
    }
    // values in files are rounded: a thin rod may slightly violate the inequality
    if (value[0] + value[1] < 0.99 * value[2]) {
        snprintf(why, size,
                 "inertia has principal moments %g, %g and %g kg m^2: of a real body none exceeds "
                 "the sum of the other two",
                 value[0], value[1], value[2]);
        return false;
    }
    return true;
}

bool lithe_inertia_settle(LitheInertia *a) {
    Mat3 v = a->about;
    double value[3], work[LITHE_EIGEN_WORK(3)];
    if (!lithe_eigen_symmetric(3, &v.m[0][0], value, work))
        return false;
    double excess = value[2] - (value[0] + value[1]);
    if (!(excess > 0))
        return false;
    Vec3 axis = v3_load(v.m[2]);
    a->about = m3_axpy(-excess, m3_outer(axis, axis), a->about);
    return excess > 1e-9 * value[2];
}

void lithe_inertia_store(LitheInertia a, LitheBodyDef *body) {
    body->mass = a.mass;
    body->centre = a.centre;
    double inertia[6] = {a.about.m[0][0], a.about.m[1][1], a.about.m[2][2],
                         a.about.m[0][1], a.about.m[0][2], a.about.m[1][2]};
    for (int i = 0; i < 6; i++)
        body->inertia[i] = inertia[i];
}
